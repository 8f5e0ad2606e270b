//! Whether edits give two members of one class, interface, object or enum the same name.

use std::collections::BTreeMap;

use crate::syntax::{DeclarationKind, Family, Node, Site, Tree, is_parameter_property, site};
use crate::text::{TextEdit, TextEdits};

use super::conflict::{Conflict, line_of};

/// A member with what it shares its name with by right.
struct Member<'t> {
    name: Node<'t>,
    old: &'t str,
    new: &'t str,
    /// The class, interface, object or enum, and whether the member belongs to it or to its instances.
    owner: (usize, Level),
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Instance,
    Static,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A method; several declarations overload it, or pair a property's accessors.
    Method,
    Getter,
    Setter,
    Field,
    Constant,
}

/// Returns where edits rename a member to a name that a sibling has. Overloads, pairs of accessors and
/// repeated assignments of one attribute share their names by right, before and after.
pub fn member_conflicts(tree: &Tree, text: &str, edits: &[TextEdit]) -> Vec<Conflict> {
    let Ok(edits) = TextEdits::new(edits.to_vec()) else { return Vec::new() };
    if edits.is_empty() || !edits.fits(text) {
        return Vec::new();
    }
    let edits = edits.into_vec();
    let members = match tree.language().family() {
        Family::Python => python(tree, text, &edits),
        Family::Script => script(tree, text, &edits),
        _ => return Vec::new(),
    };
    if members.iter().all(|member| member.old == member.new) {
        return Vec::new();
    }
    let mut siblings: BTreeMap<_, Vec<&Member<'_>>> = BTreeMap::new();
    for member in &members {
        siblings.entry((member.owner, member.new)).or_default().push(member);
    }
    let clashes = siblings.values().filter_map(|named| clash(named));
    let mut conflicts: Vec<Conflict> = clashes.map(|(kept, owner)| conflict(kept, owner, text)).collect();
    conflicts.sort();
    conflicts
}

/// Of members that share a name now, returns one that had it before beside one that came to it.
fn clash<'m>(named: &[&'m Member<'m>]) -> Option<(&'m Member<'m>, &'m Member<'m>)> {
    let came = *named.iter().find(|member| member.old != member.new)?;
    let kept = *named.iter().find(|member| member.old != came.old)?;
    Some(if kept.old == kept.new { (kept, came) } else { (came, kept) })
}

fn conflict(kept: &Member<'_>, came: &Member<'_>, text: &str) -> Conflict {
    let line = line_of(text, kept.name.start());
    let noun = match kept.shape {
        Shape::Method => "a method",
        Shape::Getter | Shape::Setter => "a property",
        Shape::Field => "a property",
        Shape::Constant => "a member",
    };
    let message = format!("`{}` is already {noun} beside `{}` (line {line})", kept.new, came.old);
    Conflict { span: kept.name.span(), message }
}

/// Returns the name that an edit gives to a node; of `old: new`, the first part is the member's.
fn renamed<'t>(node: Node<'_>, text: &'t str, edits: &'t [TextEdit]) -> &'t str {
    let at = edits.partition_point(|edit| edit.span.end < node.end());
    let edit = edits.get(at).filter(|edit| edit.span.contains(node.span()) && !edit.span.is_empty());
    match edit {
        Some(edit) => edit.new_text.split([':', ' ']).next().unwrap_or_default().trim(),
        None => node.span().of(text).unwrap_or_default(),
    }
}

fn python<'t>(tree: &'t Tree, text: &'t str, edits: &'t [TextEdit]) -> Vec<Member<'t>> {
    let nodes = tree.nodes().iter().filter(|node| node.is("identifier"));
    nodes.filter_map(|name| python_member(name, text, edits)).collect()
}

/// The names in a class body are bound in its scope and judged there; what is left are the attributes that
/// methods assign, beside each other and beside what the body binds.
fn python_member<'t>(name: Node<'t>, text: &'t str, edits: &'t [TextEdit]) -> Option<Member<'t>> {
    let Site::Declaration(kind) = site::python::of(name) else { return None };
    let is_attribute = name.field() == Some("attribute");
    let object = name.parent().and_then(|attribute| attribute.child("object")).map(|object| object.text(text));
    if is_attribute && !matches!(object, Some("self" | "cls")) {
        return None;
    }
    if !is_attribute && !matches!(kind, DeclarationKind::Method | DeclarationKind::Property | DeclarationKind::Class) {
        return None;
    }
    let mut around = name.ancestors().skip(1);
    let owner = if is_attribute {
        around.find(|outer| outer.is("class_definition"))?
    } else {
        around.find(|outer| {
            outer.is_any(&["class_definition", "function_definition", "module"]) && !is_named(*outer, name)
        })?
    };
    let shape = if kind == DeclarationKind::Method { Shape::Method } else { Shape::Field };
    let (old, new) = (name.span().of(text)?, renamed(name, text, edits));
    let owner = owner.is("class_definition").then(|| (owner.index(), Level::Instance))?;
    Some(Member { name, old, new, owner, shape })
}

fn is_named(definition: Node<'_>, name: Node<'_>) -> bool {
    definition.child("name") == Some(name)
}

fn script<'t>(tree: &'t Tree, text: &'t str, edits: &'t [TextEdit]) -> Vec<Member<'t>> {
    let nodes =
        tree.nodes().iter().filter(|node| node.is_named() && node.is_leaf() && node.kind().ends_with("identifier"));
    nodes.filter_map(|name| script_member(name, text, edits)).collect()
}

fn script_member<'t>(name: Node<'t>, text: &'t str, edits: &'t [TextEdit]) -> Option<Member<'t>> {
    let declared = name.parent()?;
    let is_shorthand = name.is("shorthand_property_identifier");
    let shape = match declared.kind() {
        "method_definition" | "method_signature" | "abstract_method_signature" if is_name(name) => accessor(declared),
        "public_field_definition" | "field_definition" | "property_signature" if is_name(name) => Shape::Field,
        "pair" if name.field() == Some("key") => Shape::Field,
        "object" if is_shorthand => Shape::Field,
        "enum_assignment" | "enum_body" if is_name(name) => Shape::Constant,
        "required_parameter" | "optional_parameter" if is_parameter_property(declared) => Shape::Field,
        _ => return None,
    };
    let owners = ["class_body", "interface_body", "object_type", "object", "enum_body"];
    let owner = name.ancestors().find(|outer| outer.is_any(&owners))?;
    let is_static = declared.children().any(|child| child.kind() == "static");
    let level = if is_static { Level::Static } else { Level::Instance };
    let (old, new) = (name.span().of(text)?, renamed(name, text, edits));
    Some(Member { name, old, new, owner: (owner.index(), level), shape })
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.field(), Some("name" | "property"))
}

fn accessor(method: Node<'_>) -> Shape {
    let word = |word: &str| method.children().any(|child| child.kind() == word && !child.is_named());
    match (word("get"), word("set")) {
        (true, _) => Shape::Getter,
        (_, true) => Shape::Setter,
        _ => Shape::Method,
    }
}
