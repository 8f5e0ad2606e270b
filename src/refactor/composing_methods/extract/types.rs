//! The types of a new function of Python, where the one that it comes from has any.

use super::flow::{Exit, Flow};
use crate::refactor::analysis::inferred_types::annotated;
use crate::refactor::scopes::Names;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::Span;

/// What stands behind the names of the parameters, and behind their list; nothing where nobody knows it.
pub(super) struct Types {
    pub inputs: Vec<String>,
    pub answer: String,
}

impl Types {
    pub(super) async fn of(
        session: &Session,
        (code, names): (&Code, &Names<'_>),
        function: Node<'_>,
        (flow, statements): (&Flow<'_>, &[Node<'_>]),
    ) -> Self {
        let span = Span::new(statements[0].start(), statements[statements.len() - 1].end());
        let text = |name: &Name| name.span.of(code.text()).unwrap_or_default();
        let is_typed = function.child("return_type").is_some();
        let mut inputs = Vec::new();
        for input in &flow.inputs {
            let first = names.within(span).find(|name| text(name) == *input);
            inputs.push(match first.map(|name| (declared(code, names, name), code.covering(name.span))) {
                Some((Some(written), _)) => format!(": {written}"),
                Some((None, node)) if is_typed => {
                    annotated(session, code, names, node).await.map_or_else(String::new, |of| format!(": {of}"))
                }
                _ => String::new(),
            });
        }
        let answer = match (flow.exit, flow.outputs.as_slice()) {
            _ if !is_typed => None,
            (Exit::Returns, _) => function.child("return_type").map(|of| of.text(code.text()).to_owned()),
            (Exit::Falls, []) => Some("None".to_owned()),
            (Exit::Falls, [only]) => {
                let behind = |name: &Name| name.span.start >= span.end && function.span().contains(name.span);
                let place = names.named(only).find(|name| behind(name) && !names.is_write(*name));
                match place.map(|name| (declared(code, names, name), code.covering(name.span))) {
                    Some((Some(written), _)) => Some(written),
                    Some((None, node)) => annotated(session, code, names, node).await,
                    None => None,
                }
            }
            _ => None,
        };
        Self { inputs, answer: answer.map_or_else(String::new, |of| format!(" -> {of}")) }
    }
}

/// Returns the type that a variable is declared with.
fn declared(code: &Code, names: &Names<'_>, name: Name) -> Option<String> {
    names.writes(name.meaning).find_map(|write| {
        let node = code.covering(write.span);
        let holder = node.parent().filter(|it| !it.is_any(&["list_splat_pattern", "dictionary_splat_pattern"]))?;
        let is_it = holder.is_any(&["typed_parameter", "typed_default_parameter", "assignment"]);
        let of = holder.child("type").filter(|_| is_it)?;
        let own = holder.child("name").or_else(|| holder.child("left")).or_else(|| holder.named_children().next());
        (own == Some(node)).then(|| of.text(code.text()).to_owned())
    })
}
