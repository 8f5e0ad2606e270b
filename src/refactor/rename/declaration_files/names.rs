//! Under which paths of names a script or a declaration file hands something out.

use std::collections::BTreeSet;

use crate::session::Parsed;
use crate::syntax::{DeclarationKind, assigned};
use crate::text::Span;

/// One place where a name is handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Public {
    /// From the module: `["area"]`, `["Shape", "area"]`. Members of what the module itself is stand as the module's.
    pub path: Vec<String>,
    /// The class, interface or namespace that it is a member of, as it is called in the file.
    pub owner: Option<String>,
    pub span: Span,
    pub form: Form,
}

impl Public {
    fn new(path: Vec<String>, own: &BTreeSet<String>, span: Span, form: Form) -> Self {
        let owner = path.iter().rev().nth(1).cloned();
        Self { path: from_module(path, own), owner, span, form }
    }
}

/// How a name is handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// By a declaration of its own.
    Declared,
    /// By an assignment, an export, or a literal.
    Assigned,
    /// `{ area }`: the name of something else, too.
    Shorthand,
}

/// Returns the places where a declaration file declares a name for those who import it, or hands it on from another one.
pub(super) fn declared(file: &Parsed, name: &str) -> Vec<Public> {
    let text = file.text.as_str();
    let own = itself(file);
    let all = file.declarations().iter().filter(|one| one.name == name && is_public(one.kind));
    let public = all.map(|one| Public::new(one.path.clone(), &own, one.name_span, Form::Declared));
    let handed = file.tree.nodes().iter().filter(|node| node.is_leaf() && node.text(text) == name);
    let handed = handed.filter(|node| node.parent().is_some_and(|it| it.is("export_specifier")));
    let handed = handed.filter_map(|node| Some(Public::new(assigned(node, text)?, &own, node.span(), Form::Assigned)));
    let public = public.chain(handed);
    public.filter(|one| !one.path.is_empty()).collect()
}

/// Returns the places where a script hands out a name: what it exports, and the members of its classes.
pub(super) fn handed_out(file: &Parsed, name: &str) -> Vec<Public> {
    let text = file.text.as_str();
    let own = itself(file);
    let mut public = Vec::new();
    for one in file.declarations().iter().filter(|one| one.name == name && is_public(one.kind)) {
        let is_member = matches!(one.kind, DeclarationKind::Method | DeclarationKind::Property) && one.path.len() == 2;
        let is_exported = one.path.len() == 1 && one.full_span.of(text).is_some_and(|text| text.starts_with("export "));
        if is_member || is_exported {
            public.push(Public::new(one.path.clone(), &own, one.name_span, Form::Declared));
        }
    }
    for node in file.tree.nodes().iter().filter(|node| node.is_leaf() && node.text(text) == name) {
        if let Some(path) = assigned(node, text) {
            let is_shorthand = node.is("shorthand_property_identifier");
            let form = if is_shorthand { Form::Shorthand } else { Form::Assigned };
            public.push(Public::new(path, &own, node.span(), form));
        }
    }
    public.retain(|one| !one.path.is_empty());
    public.sort_by_key(|one| one.span);
    public.dedup_by_key(|one| one.span);
    public
}

fn is_public(kind: DeclarationKind) -> bool {
    use DeclarationKind::{Constructor, Import, ImportAlias, Label, Parameter, TypeParameter};
    !matches!(kind, Constructor | Import | ImportAlias | Label | Parameter | TypeParameter)
}

/// The names that stand for the module itself: `module.exports = Shape`, `export = shapes`, `export default Shape`.
fn itself(file: &Parsed) -> BTreeSet<String> {
    let text = file.text.as_str();
    let mut own = BTreeSet::from(["exports".to_owned(), "default".to_owned()]);
    own.extend(text.lines().filter_map(exported_itself).map(str::to_owned));
    own
}

/// What a line such as `export = x`, `export default class x` or `module.exports = x` names.
fn exported_itself(line: &str) -> Option<&str> {
    const BEFORE_NAMES: [&str; 6] = ["abstract", "async", "class", "function", "function*", "interface"];
    let line = line.trim_start();
    let behind = |start: &str, sign: &str| line.strip_prefix(start)?.trim_start().strip_prefix(sign);
    let rest = behind("export", "=").or_else(|| behind("export", "default ")).or_else(|| behind("module.exports", "="));
    let mut words = rest?.split_whitespace().skip_while(|word| BEFORE_NAMES.contains(word));
    let word = words.next()?;
    let end = word.find(|character: char| !character.is_alphanumeric() && !"_$".contains(character));
    let rest = &word[end.unwrap_or(word.len())..];
    // `= require(…)`, `= { … }` and `= a.b` name nothing of the file's own.
    let is_call = rest.starts_with('(') && !line.contains("function");
    let is_whole = !is_call && !rest.starts_with(['.', '[']);
    Some(&word[..end.unwrap_or(word.len())]).filter(|name| is_whole && !name.is_empty())
}

fn from_module(path: Vec<String>, own: &BTreeSet<String>) -> Vec<String> {
    let is_own = path.first().is_some_and(|first| own.contains(first));
    if is_own { path.into_iter().skip(1).collect() } else { path }
}

#[cfg(test)]
mod tests {
    use super::exported_itself;

    #[test]
    fn a_module_may_be_one_thing() {
        for line in [
            "export = shapes;",
            "export=shapes",
            "  export default shapes",
            "export default class shapes extends Base {",
            "export default function shapes(a: number): void;",
            "export default interface shapes<T> {",
            "module.exports = shapes;",
            "module.exports = shapes",
            "module.exports = class shapes {",
        ] {
            assert_eq!(exported_itself(line), Some("shapes"), "{line}");
        }
        for line in [
            "module.exports = require('./a')",
            "module.exports = { a }",
            "module.exports = a.b",
            "export { a }",
            "x = 1",
        ] {
            assert_eq!(exported_itself(line), None, "{line}");
        }
    }
}
