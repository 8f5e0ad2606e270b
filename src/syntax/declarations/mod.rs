//! Where a text declares what.

mod entries;
mod extent;
mod generic;

pub use entries::{Also, Entry, EntryKind, bases, body_of, declared_node, entries, head, with_comments};
pub(super) use generic::site_of;

use std::collections::{BTreeMap, BTreeSet};

use crate::text::Span;

use super::{DeclarationKind, Family, Node, Site, Tree, site, tree::is_identifier_kind};

/// One named thing of a program, where it gets its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    pub kind: DeclarationKind,
    pub name_span: Span,
    /// The whole declaration: decorators, modifiers and `export` included.
    pub full_span: Span,
    /// The names of what it stands in, outermost first, and its own.
    pub path: Vec<String>,
}

/// What stands in more named things than this is left out: its path would be no target for anybody, and the
/// paths of a text that nests without end would fill the memory.
const DEEPEST: usize = 100;

/// A name with the node that declares it.
struct Found<'t> {
    name: Node<'t>,
    kind: DeclarationKind,
    full: Node<'t>,
}

/// Returns the declarations of a text in order. Where assigning declares (Python, Bash), a variable or an
/// attribute of one scope is listed once, a definition every time.
pub fn declarations(tree: &Tree, text: &str) -> Vec<Declaration> {
    let mut found = found(tree, text);
    let containers = containers(tree, &found, text);
    found.sort_by_key(|found| found.full.index());
    let mut open: Vec<(Node<'_>, &[String])> = Vec::new();
    let mut waiting = containers.iter().peekable();
    let mut seen = BTreeSet::new();
    // Elsewhere a second declaration makes a second variable.
    let merges = tree.language().family() == Family::Python || tree.language().family() == Family::Shell;
    let mut listed = Vec::with_capacity(found.len());
    for one in &found {
        while let Some((index, (node, names))) = waiting.next_if(|(index, _)| **index < one.full.index()) {
            close(&mut open, *index);
            open.push((*node, names));
        }
        close(&mut open, one.full.index());
        if open.len() > DEEPEST {
            continue;
        }
        let declaration = one.declaration(&open, text);
        let scope = scope(one, &open);
        if !merges || !is_variable(declaration.kind) || seen.insert((scope, declaration.path.clone())) {
            listed.extend(parameter_property(one.full, &declaration));
            listed.push(declaration);
        }
    }
    listed.sort_by_key(|declaration| declaration.name_span);
    listed
}

/// Variables of one scope that share a name are one: attributes belong to the class around the method.
fn scope(one: &Found<'_>, open: &[(Node<'_>, &[String])]) -> usize {
    let is_attribute = one.name.field() == Some("attribute");
    let owner = open.iter().rfind(|(node, _)| !is_attribute || node.is("class_definition"));
    owner.map_or(0, |(node, _)| node.index())
}

fn close(open: &mut Vec<(Node<'_>, &[String])>, index: usize) {
    while open.pop_if(|(node, _)| node.next_index() <= index).is_some() {}
}

fn found<'t>(tree: &'t Tree, text: &str) -> Vec<Found<'t>> {
    tree.nodes()
        .iter()
        .filter(|node| node.is_leaf() && node.is_named() && !node.span().is_empty())
        .filter(|node| is_identifier_kind(node.kind(), tree.language()))
        .filter_map(|name| {
            let kind = declared(tree, name, text)?;
            let is_foreign = name.field() == Some("attribute") && !is_own(name, text);
            (!is_foreign).then(|| Found { name, kind, full: extent::full(name) })
        })
        .collect()
}

/// Tells whether a Python attribute is the object's own: `self.x`, `cls.x`.
fn is_own(attribute: Node<'_>, text: &str) -> bool {
    let object = attribute.parent().and_then(|parent| parent.child("object"));
    object.is_some_and(|object| matches!(object.text(text), "self" | "cls"))
}

/// Returns the nodes whose members carry their names in their paths, by index.
fn containers<'t>(tree: &'t Tree, found: &[Found<'t>], text: &str) -> BTreeMap<usize, (Node<'t>, Vec<String>)> {
    let named = found.iter().filter(|found| extent::is_container(found.full, found.name));
    let mut containers: BTreeMap<usize, (Node<'t>, Vec<String>)> =
        named.map(|found| (found.full.index(), (found.full, extent::own_path(found.name, found.full, text)))).collect();
    for node in tree.nodes().iter().filter(|node| node.is("impl_item")) {
        let name = extent::implemented(node).map(|name| name.text(text).to_owned());
        containers.insert(node.index(), (node, name.into_iter().collect()));
    }
    containers
}

impl Found<'_> {
    fn declaration(&self, open: &[(Node<'_>, &[String])], text: &str) -> Declaration {
        let open = match open.iter().rposition(|(node, _)| node.is("class_definition")) {
            Some(class) if self.name.field() == Some("attribute") => &open[..=class],
            _ => open,
        };
        let mut path: Vec<String> = open.iter().flat_map(|(_, names)| names.iter().cloned()).collect();
        path.extend(extent::own_path(self.name, self.full, text));
        let name = self.name.text(text).to_owned();
        let owner = open.last().map(|(node, _)| *node).filter(|_| self.name.field() != Some("attribute"));
        let kind = extent::refined(self.kind, self.full, owner, text);
        Declaration { name, kind, name_span: self.name.span(), full_span: extent::widened(self.full).span(), path }
    }
}

/// A constructor's parameter with a modifier is a property of the class as well.
fn parameter_property(full: Node<'_>, parameter: &Declaration) -> Option<Declaration> {
    let is_one = full.is_any(&["required_parameter", "optional_parameter"]) && is_parameter_property(full);
    let mut path = parameter.path.clone();
    let constructor = path.len().checked_sub(2)?;
    path.remove(constructor);
    is_one.then(|| Declaration { kind: DeclarationKind::Property, path, ..parameter.clone() })
}

/// Tells whether a constructor's parameter of TypeScript is a property of the class, too: `private readonly size: number`.
pub fn is_parameter_property(parameter: Node<'_>) -> bool {
    parameter
        .children()
        .any(|child| matches!(child.kind(), "accessibility_modifier" | "override_modifier" | "readonly"))
}

fn is_variable(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Variable | DeclarationKind::Constant | DeclarationKind::Property)
}

/// Tells what an identifier declares, imports included.
pub(super) fn declared(tree: &Tree, node: Node<'_>, text: &str) -> Option<DeclarationKind> {
    let site = match tree.language().family() {
        Family::Python => site::python::of(node),
        Family::Script => site::script::of(node, text),
        _ => generic::site_of(tree, node),
    };
    match site {
        Site::Declaration(kind) => Some(kind),
        Site::ShorthandPattern => site::script::pattern(node),
        Site::ImportAlias { .. } | Site::DefaultImport { .. } | Site::NamespaceImport { .. } => {
            Some(DeclarationKind::ImportAlias)
        }
        Site::ImportSpecifier { .. } => Some(DeclarationKind::Import),
        _ => None,
    }
}
