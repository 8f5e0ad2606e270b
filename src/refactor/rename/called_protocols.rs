//! Functions of Python that are taken for a protocol by what they are called with: `def plain(text, *, width)`, where a class
//! with `__call__(self, text, *, width)` is expected. No server leads from the one to the other.

use super::escaping_callables::is_handed_on;
use super::fixtures::function_of_parameter;
use super::forward_references::is_python;
use super::hierarchy::CALL;
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::Node;
use crate::syntax::python::Class;
use crate::text::{AbsPath, Span};

/// Who takes a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taker {
    /// What a protocol is called with.
    Protocol,
    /// A function or a method, or a function without a name.
    Function,
}

/// Tells of the parameters of that name on the other side: of functions that are handed on, where a protocol's is renamed, and of
/// protocols, where one of those is.
pub(super) fn told(
    session: &Session,
    name: &str,
    renamed: &Renamed,
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    let mut others = Vec::new();
    for (path, function) in &renamed.functions {
        let Some(parsed) = session.parsed(path)? else { continue };
        let node = parsed.tree.nodes().covering(*function);
        match taker(&parsed, node) {
            Taker::Protocol => others.push(Taker::Function),
            Taker::Function if is_taken(session, &parsed, node)? => others.push(Taker::Protocol),
            Taker::Function => {}
        }
    }
    if others.is_empty() || session.disk().files_mentioning(&format!("Protocol {CALL}")).is_empty() {
        return Ok(Vec::new());
    }
    let mut warnings = Vec::new();
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let (mut asking, mut passed) = (Vec::new(), Vec::new());
        for (span, function) in takers(&parsed, name) {
            let taker = taker(&parsed, function);
            let is_open = others.contains(&taker) && !gathered.has(&path, span);
            match taker {
                Taker::Protocol if is_open => asking.push(span),
                Taker::Function if is_open && is_taken(session, &parsed, function)? => passed.push(span),
                _ => {}
            }
        }
        let mut tell = |spans: Vec<Span>, message: String| {
            let range = (&*parsed.text, spans.as_slice());
            let warning = || Warning::at_lines(WarningKind::PossibleUse, message, path.clone(), range);
            warnings.extend((!spans.is_empty()).then(warning));
        };
        tell(asking, format!("what is handed on may be called as this protocol says, by `{name}`"));
        tell(passed, format!("this may be called as the protocol says, and goes on to take `{name}`"));
    }
    Ok(warnings)
}

/// Returns the parameters of that name that a call can name, each with its function.
fn takers<'p>(parsed: &'p Parsed, name: &str) -> Vec<(Span, Node<'p>)> {
    let spans = parsed.tree.identifiers_named(parsed.text.as_str(), name);
    let taken = spans.into_iter().filter_map(|span| {
        let node = parsed.tree.nodes().covering(span);
        let whole = node.ancestors().take(2).find(|it| it.is_any(&["parameters", "lambda_parameters"]))?;
        let one = whole.named_children().find(|it| it.span().contains(span))?;
        let is_name = one == node || one.named_children().next() == Some(node);
        let by_place = whole.named_children().any(|it| it.is("positional_separator") && it.start() > span.start);
        let function = function_of_parameter(node).or_else(|| whole.parent().filter(|it| it.is("lambda")))?;
        (is_name && !by_place).then_some((span, function))
    });
    taken.collect()
}

fn taker(parsed: &Parsed, function: Node<'_>) -> Taker {
    let name = function.child("name").map(Node::span);
    let calls = |class: &Class| {
        class.is_protocol && class.methods.iter().any(|it| it.name == CALL && Some(it.name_span) == name)
    };
    if parsed.classes().iter().any(calls) { Taker::Protocol } else { Taker::Function }
}

/// Tells whether a function is handed on as a value somewhere.
fn is_taken(session: &Session, parsed: &Parsed, function: Node<'_>) -> Result<bool, Refusal> {
    let Some(name) = function.child("name").map(|it| it.text(parsed.text.as_str())) else { return Ok(true) };
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python as fn(&AbsPath) -> bool) {
        if session.parsed(&path)?.is_some_and(|other| is_handed_on(&other, name)) {
            return Ok(true);
        }
    }
    Ok(false)
}
