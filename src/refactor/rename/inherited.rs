//! What a Python class and its bases do with its members and its constructor as the program runs: `cls(**values)`,
//! `setattr(self, key, value)`. In a base, no server knows of the heirs' names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::constructors::OWN_CLASS;
use super::dynamic;
use super::hierarchy::{Hierarchy, Standing};
use super::probes::Form;
use crate::lsp::Server;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::python::classes;
use crate::text::{AbsPath, Span};

/// Places by file, and by what happens there.
pub(super) type Told = BTreeMap<(AbsPath, Form), BTreeSet<Span>>;

/// By their files, and the spans of their definitions.
type Classes = BTreeSet<(AbsPath, Span)>;

/// Finds where bases ask their own object for members of any name, and where they and the classes themselves take a
/// dictionary apart for their own constructor. `members` are the classes with a renamed member, `built` those with a renamed
/// field or parameter of the constructor.
pub(super) async fn asked(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    (members, built): (&Classes, &Classes),
) -> Result<Told, Refusal> {
    let (hierarchy, mut told) = (Hierarchy::new(session, server, name), Told::new());
    for one in members.union(built) {
        let (path, span) = one;
        let Some(parsed) = session.parsed(path)? else { continue };
        let all = classes(&parsed.tree, parsed.text.as_str());
        let Some(class) = all.into_iter().find(|class| class.full_span == *span) else { continue };
        let own = Standing { path: path.clone(), class };
        let mut line = hierarchy.ancestors(&own).await?;
        line.retain(|base| base.path.is_below(session.root()));
        for base in &line {
            if members.contains(one) {
                add(session, base, (Form::Dynamic, name), &mut told)?;
            }
        }
        line.push(own);
        for class in line.iter().filter(|_| built.contains(one)) {
            add(session, class, (Form::TakenApart, name), &mut told)?;
        }
    }
    Ok(told)
}

fn add(session: &Session, class: &Standing, (form, name): (Form, &str), told: &mut Told) -> Result<(), Refusal> {
    let Some(parsed) = session.parsed(&class.path)? else { return Ok(()) };
    let text = parsed.text.as_str();
    let inside = parsed.tree.nodes().iter().filter(|node| class.class.full_span.contains(node.span()));
    let found: BTreeSet<Span> = inside.filter(|node| happens(*node, text, (form, name))).map(Node::span).collect();
    if !found.is_empty() {
        told.entry((class.path.clone(), form)).or_default().extend(found);
    }
    Ok(())
}

fn happens(node: Node<'_>, text: &str, (form, name): (Form, &str)) -> bool {
    if form == Form::Dynamic {
        return dynamic::object(node, text, name).is_some_and(|object| matches!(object.text(text), "self" | "cls"));
    }
    let called = || node.parent()?.parent().filter(|call| call.is("call"))?.child("function");
    let is_open = || node.named_children().next().is_some_and(|taken| !taken.is("dictionary"));
    node.is("dictionary_splat")
        && called().is_some_and(|function| OWN_CLASS.contains(&function.text(text)))
        && is_open()
        && handing_on(node, text).is_none()
}

/// Returns the function around `**options` in a call, where these are its own rest of arguments, which it hands on.
pub(super) fn handing_on<'t>(splat: Node<'t>, text: &str) -> Option<Node<'t>> {
    let taken = splat.named_children().next()?.text(text);
    let function = splat.ancestors().find(|outer| outer.is_any(&["function_definition", "lambda"]))?;
    let patterns = function.child("parameters").into_iter().flat_map(Node::descendants);
    let mut rest = patterns.filter(|node| node.is("dictionary_splat_pattern"));
    rest.any(|node| node.text(text).trim_start_matches("**") == taken).then_some(function)
}
