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
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// How a method names the class that it belongs to.
const OWN_CLASS: [&str; 3] = ["cls", "type(self)", "self.__class__"];

/// Renames the arguments by which a class and its heirs call a constructor whose parameters are renamed.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (subject, new_name): (&Subject, &str),
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let hierarchy = Hierarchy::new(session, server, &subject.name);
    for place in places {
        for class in hierarchy.built_by(place).await? {
            let Some(parsed) = session.parsed(&class.path)? else { continue };
            for span in arguments(&parsed, &class, &subject.name) {
                gathered.add(class.path.clone(), TextEdit::new(span, new_name), new_name);
            }
        }
    }
    Ok(())
}

/// The names of the arguments that read `name` in the class's calls of itself.
fn arguments(parsed: &Parsed, class: &Standing, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_own = |argument: Node<'_>| {
        let called = argument.ancestors().find(|node| node.is("call")).and_then(|call| call.child("function"));
        let around = argument.ancestors().find(|node| node.is("class_definition")).and_then(|node| node.child("name"));
        called.is_some_and(|called| OWN_CLASS.contains(&called.text(text)))
            && around.is_some_and(|around| around.span() == class.class.name_span)
    };
    let arguments = parsed.tree.nodes().iter().filter(|node| node.is("keyword_argument"));
    let named = arguments.filter(|argument| is_own(*argument)).filter_map(|argument| argument.child("name"));
    named.map(Node::span).filter(|span| span.of(text) == Some(name)).collect()
}
