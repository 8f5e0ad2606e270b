//! Which files a plan could break: those that it touches, and those whose text names what it takes away.

use std::collections::{BTreeMap, BTreeSet};

use super::ByLanguage;
use crate::plan::{Plan, Problem};
use crate::session::{Parsed, Session};
use crate::syntax::kinds::Role;
use crate::syntax::scopes::{Name, names};
use crate::syntax::{DeclarationKind, Family, Language, Site, is_any_function, site, whole_words};
use crate::text::{AbsPath, Span, TextEdits};

/// Returns the files to look at, by language, addressed before the plan; files of no language are left out. A word that
/// goes from code is missed by code of that family alone: no checker reads the other languages' files. What holds data,
/// or is of no known language, may be read from any.
pub(super) fn of(session: &Session, plan: &Plan) -> ByLanguage {
    let touched = plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys());
    let mut paths: BTreeSet<AbsPath> = touched.cloned().collect();
    let families: BTreeSet<Family> = paths.iter().chain(plan.creates().keys()).map(family).collect();
    let concerns = |path: &AbsPath| families.contains(&Family::Data) || families.contains(&family(path));
    for word in words_taken(session, plan) {
        paths.extend(session.disk().files_mentioning(&word).into_iter().filter(concerns));
    }
    let mut groups = ByLanguage::new();
    for path in paths {
        if let Some(language) = Language::of_path(&path).filter(|language| *language != Language::Json) {
            groups.entry(language).or_default().push(path);
        }
    }
    groups
}

fn family(path: &AbsPath) -> Family {
    Language::of_path(path).map_or(Family::Data, Language::family)
}

/// Tells whether a file that a plan touches is one that some checker reads.
pub(super) fn touches_code(plan: &Plan) -> bool {
    let known =
        plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys()).chain(plan.creates().keys());
    known.into_iter().any(|path| family(path) != Family::Data)
}

/// Keeps the files in which anything is found after the plan, and those that it may have come from: in the others there
/// is nothing to ask of the time before.
pub(super) fn with_findings(plan: &Plan, mut groups: ByLanguage, after: &[Problem]) -> ByLanguage {
    let found: BTreeSet<&AbsPath> = after.iter().map(|problem| &problem.path).collect();
    let is_written = |path: &&AbsPath| plan.edits().contains_key(*path) || plan.creates().contains_key(*path);
    let may_have_come = carries_code(plan) && found.iter().any(is_written);
    let is_left = |path: &AbsPath| plan.edits().contains_key(path) || plan.deletes().contains_key(path);
    for files in groups.values_mut() {
        let is_found = |path: &AbsPath| plan.path_after(path).is_some_and(|path| found.contains(&path));
        files.retain(|path| is_found(path) || may_have_come && is_left(path));
    }
    groups
}

/// Tells whether lines may come to stand in another file.
pub(super) fn carries_code(plan: &Plan) -> bool {
    let files = plan.edits().len() + plan.creates().len();
    let adds_lines =
        || plan.edits().values().any(|file| file.edits.into_iter().any(|edit| edit.new_text.contains('\n')));
    files > 1 && (!plan.creates().is_empty() || adds_lines())
}

/// The names that a file's replaced stretches have more often than what replaces them, and the names of moved files. Code
/// that only goes elsewhere in its file takes none, nor does a variable of a function, which no other file can see.
fn words_taken(session: &Session, plan: &Plan) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (path, file) in plan.edits() {
        words.extend(words_of(session.sources().parse(path, &file.before).as_deref(), &file.edits));
    }
    for (from, step) in plan.moves() {
        words.extend(
            [from.file_stem().to_owned()].into_iter().filter(|stem| *stem != step.to.file_stem() || !stem.is_empty()),
        );
    }
    words
}

fn words_of(before: Option<&Parsed>, edits: &TextEdits) -> Vec<String> {
    let Some(before) = before else { return Vec::new() };
    let text = before.text.as_str();
    let mut lost: BTreeMap<&str, isize> = BTreeMap::new();
    for edit in edits {
        for word in split(edit.span.of(text).unwrap_or_default()) {
            *lost.entry(word).or_default() += 1;
        }
        for word in split(&edit.new_text) {
            *lost.entry(word).or_default() -= 1;
        }
    }
    lost.retain(|_, count| *count > 0);
    if lost.is_empty() {
        return Vec::new();
    }
    let seen = Seen { before, edits, names: names(&before.tree, text) };
    lost.into_keys().filter(|word| seen.is_seen_outside(word)).map(str::to_owned).collect()
}

/// What other files could know of the words of a file.
struct Seen<'p> {
    before: &'p Parsed,
    edits: &'p TextEdits,
    names: Vec<Name>,
}

impl Seen<'_> {
    /// Tells whether a word stands in a replaced stretch where a file offers it to others: where something gets that name.
    /// A use that goes takes nothing from anybody.
    fn is_seen_outside(&self, word: &str) -> bool {
        let is_replaced = |span: &Span| self.edits.into_iter().any(|edit| edit.span.contains(*span));
        let mut places = whole_words(self.before.text.as_str(), word).into_iter().filter(is_replaced);
        places.any(|span| self.is_offered(span))
    }

    fn is_offered(&self, span: Span) -> bool {
        let (tree, text) = (&self.before.tree, self.before.text.as_str());
        let node = tree.nodes().covering(span);
        if !matches!(tree.language().family(), Family::Python | Family::Script) {
            return node.is_named();
        }
        match site(tree, text, span) {
            Site::Plain | Site::KeywordArgument | Site::Keyword | Site::Comment | Site::Other => false,
            // As in `__all__`, or for a key.
            Site::String => node.parent().is_some_and(|string| string.span().len() == span.len() + 2),
            Site::Member => {
                node.ancestors().any(|outer| outer.child("left").is_some_and(|to| to.span().contains(span)))
            }
            _ => !self.is_own_to_a_function(span),
        }
    }

    fn is_own_to_a_function(&self, span: Span) -> bool {
        let Some(name) = self.names.iter().find(|name| name.span == span && !name.is_free) else { return false };
        let mut all = self.names.iter().filter(|it| it.meaning == name.meaning);
        let at = |it: &Name| self.before.tree.nodes().covering(it.span);
        let is_global = |it: &Name| at(it).parent().is_some_and(|outer| outer.is("global_statement"));
        all.all(|it| !is_global(it) && (!it.is_binding || is_variable(self.before, it.span)))
    }
}

/// Tells whether a name declares a variable in a function: a parameter may be named by callers.
fn is_variable(parsed: &Parsed, name: Span) -> bool {
    let is_declared = site(&parsed.tree, parsed.text.as_str(), name);
    let mut around = parsed.tree.nodes().covering(name).ancestors();
    let owner = around.find(|node| is_any_function(*node) || node.has(Role::Class));
    matches!(is_declared, Site::Declaration(DeclarationKind::Variable | DeclarationKind::Constant))
        && owner.is_some_and(is_any_function)
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |word: &&str| word.chars().next().is_some_and(|first| !first.is_numeric());
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).filter(is_name)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::syntax::Tree;
    use crate::text::{Text, TextEdit};

    /// The words that a text loses where `old`, in all its places, becomes `new`.
    fn lost(language: Language, text: &str, old: &str, new: &str) -> Vec<String> {
        let before = Parsed { text: Arc::new(Text::new(text)), tree: Tree::parse(language, text) };
        let at = |(start, _): (usize, &str)| TextEdit::new(Span::new(start, start + old.len()), new);
        words_of(Some(&before), &TextEdits::new(text.match_indices(old).map(at).collect()).unwrap())
    }

    #[test]
    fn no_other_file_knows_a_variable_of_a_function() {
        let python = "def area(side):\n    square = side * side\n    return square\n\n\nclass Box:\n    height = 1\n";
        let script = "export function area(side: number) {\n    const square = side * side;\n    return square;\n}\n";
        assert!(
            lost(Language::Python, python, "    square = side * side\n    return square", "    return side * side")
                .is_empty()
        );
        assert!(
            lost(Language::TypeScript, script, "const square = side * side;\n    return square", "return side * side")
                .is_empty()
        );
        for (language, text) in [(Language::Python, python), (Language::TypeScript, script)] {
            assert!(lost(language, text, "square", "product").is_empty());
            assert_eq!(lost(language, text, "area", "surface"), ["area"]);
            // Callers may name a parameter.
            assert_eq!(lost(language, text, "side", "edge"), ["side"]);
        }
        assert_eq!(lost(Language::Python, python, "height", "width"), ["height"]);
        assert!(lost(Language::Python, python, "side * side", "len(str())").is_empty());
        let member = "class Box:\n    def __init__(self):\n        self.height = self.width = self.depth()\n";
        assert_eq!(lost(Language::Python, member, "height", "high"), ["height"]);
        assert!(lost(Language::Python, member, "depth", "deep").is_empty());
        assert_eq!(lost(Language::Python, "__all__ = [\"area\"]\n", "area", "surface"), ["area"]);
        assert_eq!(lost(Language::TypeScript, "export const box = { height: 1 };\n", "height", "high"), ["height"]);
        let global = "def count():\n    global seen\n    seen = 1\n";
        assert_eq!(lost(Language::Python, global, "seen", "known"), ["seen"]);
    }
}
