//! What a module gives to others; tests give nothing.

use std::collections::BTreeSet;

use super::file::{EXPORT, File, Found, Handler};
use crate::syntax::python::dunder_all;
use crate::syntax::{FunctionSite, Node, is_test};

/// Functions below `export`, in export lists, and on `exports`.
pub(super) fn script(file: &File<'_>) -> Vec<Found> {
    if is_test(file.source.name()) {
        return Vec::new();
    }
    let listed = listed(file);
    let is_exported = |site: &&FunctionSite| {
        site.owners.is_empty() && (listed.contains(site.name.as_str()) || is_below_export(file, site))
    };
    file.sites.iter().filter(is_exported).map(found).collect()
}

/// The functions of `__all__`, or else those whose names do not begin with `_`.
pub(super) fn python(file: &File<'_>) -> Vec<Found> {
    if is_test(file.source.name()) {
        return Vec::new();
    }
    let listed: BTreeSet<String> =
        dunder_all(file.source.tree(), file.text()).into_iter().map(|(name, _)| name).collect();
    let is_public = |site: &&FunctionSite| {
        let named = if listed.is_empty() { !site.name.starts_with('_') } else { listed.contains(&site.name) };
        site.owners.is_empty() && named && !site.name.is_empty()
    };
    file.sites.iter().filter(is_public).map(found).collect()
}

fn found(site: &FunctionSite) -> Found {
    Found { kind: EXPORT, framework: None, trigger: None, handler: Handler::Node(site.node) }
}

/// Returns the names in `export { a, b as c }`, `export default a`, `module.exports = { a, b: c }`.
fn listed<'s>(file: &File<'s>) -> BTreeSet<&'s str> {
    let mut names = BTreeSet::new();
    let text = file.text();
    for node in file.nodes() {
        match node.kind() {
            "export_specifier" => names.extend(node.child("name").map(|name| name.text(text))),
            "export_statement" if node.child_of_kind("default").is_some() => {
                names.extend(node.child("value").filter(|value| value.is("identifier")).map(|value| value.text(text)));
            }
            "assignment_expression" if is_exports(node, text) => {
                let right = node.child("right");
                names.extend(right.filter(|it| it.is("identifier")).map(|it| it.text(text)));
                let parts = right.filter(|it| it.is("object")).into_iter().flat_map(Node::named_children);
                names.extend(parts.filter_map(|part| match part.kind() {
                    "shorthand_property_identifier" => Some(part.text(text)),
                    "pair" => part.child("value").filter(|it| it.is("identifier")).map(|it| it.text(text)),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    names
}

fn is_exports(assignment: Node<'_>, text: &str) -> bool {
    let left = assignment.child("left").map(|left| left.text(text)).unwrap_or_default();
    left == "module.exports" || left.starts_with("module.exports.") || left.starts_with("exports.")
}

/// Tells whether the function itself stands in an export, not merely inside of what is exported.
fn is_below_export(file: &File<'_>, site: &FunctionSite) -> bool {
    const BETWEEN: &[&str] = &["variable_declarator", "lexical_declaration", "variable_declaration", "pair", "object"];
    let Some(node) = file.source.tree().nodes().get(site.node) else { return false };
    for outer in node.ancestors() {
        match outer.kind() {
            "export_statement" => return true,
            "assignment_expression" => return is_exports(outer, file.text()),
            _ if outer.is_any(BETWEEN) => {}
            _ => return false,
        }
    }
    false
}
