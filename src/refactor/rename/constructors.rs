//! Calls of a class by its own methods: `cls(name=…)` names a parameter of the constructor.
//!
//! Seen with basedpyright 1.40: a rename of the parameter leaves them, and no warning tells.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::gathered::Gathered;
use super::hierarchy::{Hierarchy, Standing};
use super::subject::Subject;
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{Node, Site};
use crate::text::{Span, TextEdit};

/// How a method names the class that it belongs to.
pub(super) const OWN_CLASS: [&str; 3] = ["cls", "type(self)", "self.__class__"];

/// Renames the arguments by which a class and its heirs call a constructor whose parameters are renamed.
pub(super) async fn follow(
    hierarchy: &Hierarchy<'_>,
    new_name: &str,
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    for place in places {
        for class in hierarchy.built_by(place).await? {
            let Some(parsed) = hierarchy.session.parsed(&class.path)? else { continue };
            for span in arguments(&parsed, &class, hierarchy.name) {
                gathered.add(class.path.clone(), TextEdit::new(span, new_name), new_name);
            }
        }
    }
    Ok(())
}

/// Returns the parameter that a class's own call of itself names, where the subject is the name of an argument there.
pub(super) async fn parameter(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
) -> Result<Option<Place>, Refusal> {
    if !matches!(subject.site, Site::KeywordArgument) {
        return Ok(None);
    }
    let argument = subject.file.tree.nodes().covering(subject.span);
    let Some(class) = own_class(argument, subject.file.text.as_str()) else { return Ok(None) };
    let class = Place { path: subject.place.path.clone(), offset: class.start };
    Hierarchy::new(session, server, &subject.name).constructor_parameter(&class).await
}

/// The name of the class around an argument of its call of itself.
fn own_class(argument: Node<'_>, text: &str) -> Option<Span> {
    let called = argument.ancestors().find(|node| node.is("call")).and_then(|call| call.child("function"))?;
    let around = argument.ancestors().find(|node| node.is("class_definition")).and_then(|node| node.child("name"))?;
    OWN_CLASS.contains(&called.text(text)).then(|| around.span())
}

/// The names of the arguments that read `name` in the class's calls of itself.
fn arguments(parsed: &Parsed, class: &Standing, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_own = |argument: Node<'_>| own_class(argument, text) == Some(class.class.name_span);
    let arguments = parsed.tree.nodes().iter().filter(|node| node.is("keyword_argument"));
    let named = arguments.filter(|argument| is_own(*argument)).filter_map(|argument| argument.child("name"));
    named.map(Node::span).filter(|span| span.of(text) == Some(name)).collect()
}
