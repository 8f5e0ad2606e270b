//! What a declaration says of itself to those who follow errors.

use std::sync::Arc;

use super::python;
use crate::declarations::index::{FoundDeclaration, Index};
use crate::declarations::module::DeclarationRow;
use crate::refactor::LocatedClass;
use crate::syntax::EntryKind;
use crate::text::AbsPath;

/// Decorators that leave a class what it is.
const CLASS_DECORATORS: &[&str] = &["dataclass", "final", "runtime_checkable", "total_ordering", "unique"];

pub(super) fn is_class(row: &DeclarationRow) -> bool {
    row.kind.has_members() && !matches!(row.kind, EntryKind::Module | EntryKind::Interface)
}

/// Returns the functions that a module declares under the same name: overloads, accessors, others for other versions.
pub(super) fn with_body(found: &FoundDeclaration) -> Vec<FoundDeclaration> {
    let rows = found.module.rows.iter().enumerate();
    let same = rows.filter(|(_, row)| row.names == found.row().names && row.kind.is_callable());
    same.map(|(number, _)| FoundDeclaration { module: Arc::clone(&found.module), number }).collect()
}

/// Returns what a stub of the project stands for.
pub(super) fn sourced(index: &Index, found: FoundDeclaration) -> FoundDeclaration {
    let Some(path) = found.module.path.strip_suffix(".pyi") else { return found };
    let Some(module) = index.module(&format!("{path}.py")) else { return found };
    let number = module.rows.iter().position(|row| row.names == found.row().names);
    number.map_or(found, |number| FoundDeclaration { module: Arc::clone(module), number })
}

pub(super) fn member(class: &FoundDeclaration, name: &str) -> Option<FoundDeclaration> {
    let is_it = |row: &DeclarationRow| row.parent == Some(class.number) && row.name() == name && row.kind.is_callable();
    let number = class.module.rows.iter().position(is_it)?;
    Some(FoundDeclaration { module: Arc::clone(&class.module), number })
}

/// Tells whether a decorator or a metaclass decides how objects of a class are made.
pub(super) fn shapes(standing: &LocatedClass) -> bool {
    let class = standing.class();
    let text = class.code.text();
    let is_known = |it: crate::syntax::Node<'_>| {
        let name = it.named_children().next().and_then(python::last_name);
        name.is_some_and(|name| CLASS_DECORATORS.contains(&name.text(text)))
    };
    let list = class.node.child("superclasses").into_iter().flat_map(|it| it.named_children());
    let mut keywords = list.filter(|it| it.is("keyword_argument"));
    class.decorators().any(|it| !is_known(it))
        || keywords.any(|it| !it.text(text).ends_with("ABCMeta"))
        || class.node.text(text).contains("default_factory")
}

/// Reads the types that a server names for a variable, or for what a function returns.
pub(super) fn types_said(hover: &str) -> Option<Vec<String>> {
    let line = hover.lines().find(|line| !line.starts_with("```") && !line.trim().is_empty())?;
    let said = match line.rsplit_once("-> ").or_else(|| line.rsplit_once("): ")) {
        Some((_, returned)) => returned,
        None => line.split_once(": ")?.1,
    };
    let mut types = Vec::new();
    for part in said.split('|').map(str::trim) {
        let part = part.strip_prefix("type[").map_or(part, |it| it.trim_end_matches(']'));
        let is_name = !part.is_empty() && part.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | '$'));
        if !is_name || matches!(part, "Any" | "Unknown" | "any" | "unknown" | "never" | "Never" | "object") {
            return None;
        }
        types.extend((part != "None").then(|| part.to_owned()));
    }
    (!types.is_empty()).then_some(types)
}

/// Tells whether a declaration of a library's source is that of a stub.
pub(super) fn is_same(
    (path, stub): &(AbsPath, Option<DeclarationRow>),
    (other, row): (&AbsPath, Option<&DeclarationRow>),
) -> bool {
    let stem = |path: &AbsPath| path.file_name().split('.').next().map(str::to_owned);
    let outer = |row: &DeclarationRow| row.names.first().cloned();
    other.extension() == "py" && stem(path) == stem(other) && stub.as_ref().map(outer) == row.map(outer)
}

#[cfg(test)]
mod tests {
    use super::types_said;

    #[test]
    fn types_are_read_from_what_servers_say() {
        let said = |text: &str| types_said(&format!("```python\n{text}\n```\nThe docs.")).unwrap_or_default();
        assert_eq!(said("(variable) error: ValueError | KeyError | None"), ["ValueError", "KeyError"]);
        assert_eq!(said("(method) def fail(self: Self) -> errors.Failed"), ["errors.Failed"]);
        assert_eq!(said("function failed(): Failed"), ["Failed"]);
        assert_eq!(said("(parameter) kind: type[OSError]"), ["OSError"]);
        assert_eq!(said("(variable) error: Any"), Vec::<String>::new());
        assert_eq!(said("let error: unknown"), Vec::<String>::new());
    }
}
