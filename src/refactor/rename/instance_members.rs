//! Members that objects of a JavaScript class have by several declarations: a method, `Shape.prototype.area = …`, and
//! `this.area = this.area.bind(this)`.
//!
//! tsserver takes the assignment for a property of its own (seen with 6.0), and renames the one without the other.

use std::collections::BTreeMap;

use super::server_edits::Gathered;
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{Language, Node, assigned};
use crate::text::{AbsPath, Span};

/// Returns the other declarations of members that are renamed in their files.
pub(super) fn others(session: &Session, name: &str, gathered: &Gathered) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    for path in gathered.paths().filter(|path| Language::of_path(path) == Some(Language::JavaScript)) {
        let Some(file) = session.parsed(path)? else { continue };
        let members = members(&file, name);
        for same in members.into_values().filter(|same| same.iter().any(|span| gathered.has(path, *span))) {
            let left = same.into_iter().filter(|span| !gathered.has(path, *span));
            found.extend(left.map(|span| place(path, span)));
        }
    }
    Ok(found)
}

/// Returns where the text of a file gives members of a name to the objects of classes, class by class.
pub(super) fn members(file: &Parsed, name: &str) -> BTreeMap<String, Vec<Span>> {
    let text = file.text.as_str();
    let mut members: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for node in file.tree.nodes().iter().filter(|node| node.is_leaf() && node.text(text) == name) {
        if let Some(class) = class_of(node, text) {
            members.entry(class).or_default().push(node.span());
        }
    }
    members
}

/// Returns the class, or the function used as one, whose objects get a member by what stands at its name.
pub(super) fn class_of(name: Node<'_>, text: &str) -> Option<String> {
    let outer = name.parent()?;
    if outer.is("method_definition") && outer.child("name") == Some(name) {
        let class = outer.parent().filter(|body| body.is("class_body")).and_then(Node::parent)?;
        let is_static = outer.children().any(|child| child.kind() == "static");
        return class.child("name").filter(|_| !is_static).map(|class| class.text(text).to_owned());
    }
    if outer.is("pair") {
        // `Shape.prototype = { area: … }`
        return assigned(name, text).filter(|path| path.len() == 2)?.into_iter().next();
    }
    let object = outer.child("object").filter(|_| outer.is("member_expression"))?.text(text);
    let path = assigned(name, text).filter(|_| object == "this" || object.ends_with(".prototype"))?;
    path.into_iter().next()
}

fn place(path: &AbsPath, span: Span) -> Place {
    Place { path: path.clone(), offset: span.start }
}
