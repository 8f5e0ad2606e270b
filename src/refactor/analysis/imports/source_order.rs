//! The order in which a script imports modules, where it has one.

use super::name_order::NameOrder;
use crate::refactor::source_file::Code;
use crate::syntax::Node;

/// What import statements of scripts are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceOrder {
    Exact,
    Lowercase,
    /// Built-in modules, packages, other directories, the own one.
    Grouped,
}

impl SourceOrder {
    /// Returns the order of modules; nothing where they have none, or are too few to tell. What they leave open the names say
    /// that a file takes out of modules.
    pub(super) fn of(code: &Code, sources: &[&str]) -> Option<Self> {
        let all = [Self::Exact, Self::Lowercase, Self::Grouped];
        let first = all.into_iter().filter(|_| sources.len() > 1).find(|order| order.sorts(sources))?;
        let is_open = first == Self::Exact && Self::Lowercase.sorts(sources);
        let says_lowercase = || NameOrder::of(code, &[]) == Some(NameOrder::Lowercase);
        Some(if is_open && says_lowercase() { Self::Lowercase } else { first })
    }

    pub(super) fn sorts(self, sources: &[&str]) -> bool {
        sources.iter().map(|source| self.key(source)).is_sorted()
    }

    pub(super) fn key(self, source: &str) -> (u8, String) {
        match self {
            Self::Exact => (0, source.to_owned()),
            Self::Lowercase => (0, source.to_lowercase()),
            Self::Grouped => (group(source), source.to_lowercase()),
        }
    }
}

/// Returns what kind of module a source names: those that stand together.
pub(super) fn group(source: &str) -> u8 {
    match source {
        _ if source.starts_with("node:") => 0,
        _ if source.starts_with("..") => 3,
        _ if source.starts_with('.') => 4,
        _ if ["@/", "~", "#"].iter().any(|alias| source.starts_with(alias)) => 2,
        _ => 1,
    }
}

/// Returns the modules that statements import; nothing where one of them is loaded for what it does, so that its place counts.
pub(super) fn sources<'c>(code: &'c Code, statements: &[Node<'c>]) -> Option<Vec<&'c str>> {
    let source = |node: &Node<'c>| {
        node.child_of_kind("import_clause")?;
        Some(unquoted(node.child("source")?.text(code.text())))
    };
    statements.iter().map(source).collect()
}

/// Returns the module that the line of an import names.
pub(super) fn source_of(line: &str) -> &str {
    unquoted(line.rsplit_once(" from ").map_or("", |(_, source)| source.trim_end_matches(';')))
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[test]
    fn an_order_is_seen_from_what_stands() {
        let code = Code::of_text(Language::TypeScript, "");
        let order = |sources: &[&str]| SourceOrder::of(&code, sources);
        assert_eq!(order(&["./a.js", "./b.js"]), Some(SourceOrder::Exact));
        assert_eq!(order(&["node:fs", "ky", "../z.js", "./b.js"]), Some(SourceOrder::Grouped));
        assert_eq!(order(&["./b.js", "./a.js"]), None);
        assert_eq!(order(&["./a.js"]), None);
        let code = Code::of_text(Language::TypeScript, "import { a, B, c } from './b.js';");
        assert_eq!(SourceOrder::of(&code, &["./a.js", "./b.js"]), Some(SourceOrder::Lowercase), "as the names are");
    }

    #[test]
    fn a_line_names_its_module() {
        assert_eq!(source_of("import { a } from './b.js';"), "./b.js");
    }
}
