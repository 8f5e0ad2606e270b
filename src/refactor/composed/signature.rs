//! A function with everything that declares and calls it, for changes of its parameters.

use super::code::Code;
use super::uses::{Kind, Uses};
use crate::plan::Warning;
use crate::refactor::{Refusal, rename};
use crate::session::Session;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

/// Everything that has to change with the parameters of one function.
pub(super) struct Callee {
    uses: Uses,
    pub warnings: Vec<Warning>,
}

/// What holds the parameters, or the arguments, in its file.
pub(super) type Place<'c> = (&'c Code, Node<'c>);

/// The signatures of a function, those that override it included, and its calls.
pub(super) struct Places<'c> {
    pub signatures: Vec<Place<'c>>,
    pub calls: Vec<Place<'c>>,
}

/// What is a signature without a body.
const BARE: &[&str] = &["method_signature", "abstract_method_signature", "function_signature"];

impl Callee {
    pub(super) async fn of(session: &Session, code: &Code, function: Node<'_>) -> Result<Self, Refusal> {
        let name = name_of(function).ok_or_else(|| code.refuse(function.start(), "the function has no name"))?;
        if name.text(code.text()) == "constructor" {
            return Err(code.refuse(name.start(), "whoever extends the class calls its constructor, too"));
        }
        if code.family() == Family::Python
            && let Some(unseen) = rename::called_unseen(session, name.text(code.text())).await
        {
            return Err(code.refuse(name.start(), format!("it {unseen}")));
        }
        let uses = Uses::of(session, code, name.start()).await?;
        let warnings = uses.certain(session).await?;
        Ok(Self { uses, warnings })
    }

    /// Refuses where a function that goes away is known without being called: handed on, spelled, imported into a
    /// file for which `calls` does not hold.
    pub(super) fn check_imports(&self, calls: impl Fn(&AbsPath) -> bool) -> Result<(), Refusal> {
        let is_kept = |code: &Code, kind: Kind| match kind {
            Kind::Export | Kind::Text => true,
            Kind::Import => !calls(&code.path),
            _ => false,
        };
        match self.uses.iter().find(|(code, one)| is_kept(code, one.kind)) {
            Some((code, one)) => {
                let reason = format!("`{}` is {} here, and not called", self.uses.name, one.kind.said());
                Err(code.refuse(one.span.start, reason))
            }
            None => Ok(()),
        }
    }

    /// Tells every place apart, and refuses one that is neither a signature nor a plain call.
    pub(super) fn places(&self) -> Result<Places<'_>, Refusal> {
        let mut places = Places { signatures: Vec::new(), calls: Vec::new() };
        for (code, one) in self.uses.iter() {
            let node = one.node(code);
            let refuse = |reason: String| Err(code.refuse(one.span.start, reason));
            match one.kind {
                Kind::Import | Kind::Export | Kind::Text => {}
                Kind::Definition => match signature(node) {
                    Some(signature) => places.signatures.push((code, signature)),
                    None => return refuse(format!("`{}` is declared in another way here", self.uses.name)),
                },
                Kind::Call => {
                    let call = one.member(code).unwrap_or(node).parent();
                    let is_plain = |call: &Node<'_>| {
                        call.child("arguments").is_some_and(|it| it.is_any(&["arguments", "argument_list"]))
                    };
                    let Some(call) = call.filter(is_plain) else {
                        return refuse("the call passes its arguments in another way".to_owned());
                    };
                    places.calls.push((code, call));
                }
                kind => return refuse(format!("`{}` is {} here", self.uses.name, kind.said())),
            }
        }
        let overloaded = places.signatures.iter().find(|(code, one)| {
            one.is("function_signature") || {
                let name = name_of(*one).map(|name| name.text(code.text()));
                let beside = one.parent().into_iter().flat_map(Node::named_children).filter(|it| *it != *one);
                beside.into_iter().any(|other| name_of(other).map(|it| it.text(code.text())) == name)
            }
        });
        match overloaded {
            Some((code, one)) => Err(code.refuse(one.start(), "the function has several signatures")),
            None => Ok(places),
        }
    }
}

/// Returns the name that a function is called by.
pub(super) fn name_of(function: Node<'_>) -> Option<Node<'_>> {
    let holder = function.parent().filter(|outer| outer.is_any(&["variable_declarator", "public_field_definition"]));
    function
        .child("name")
        .or_else(|| holder.filter(|_| function.field() == Some("value")).and_then(|it| it.child("name")))
}

/// Returns what holds the parameters of the function that a name declares.
fn signature(name: Node<'_>) -> Option<Node<'_>> {
    let declared = name.parent().filter(|_| name.field() == Some("name"))?;
    let value = declared.child("value").filter(|value| is_any_function(*value));
    let function = value.or_else(|| (is_any_function(declared) || declared.is_any(BARE)).then_some(declared))?;
    function.child("parameters").map(|_| function)
}

/// Returns the parameters of a function, `this` left aside.
pub(super) fn parameters<'c>((code, function): Place<'c>) -> Vec<Node<'c>> {
    let list = function.child("parameters").into_iter().flat_map(Node::named_children);
    let is_this = |node: &Node<'_>| pattern(*node).text(code.text()) == "this";
    list.filter(|node| !is_this(node)).collect()
}

/// Returns what a parameter binds.
pub(super) fn pattern(parameter: Node<'_>) -> Node<'_> {
    parameter.child("pattern").or_else(|| parameter.child("left")).unwrap_or(parameter)
}

/// Tells whether a parameter takes all arguments that are left.
pub(super) fn is_rest(parameter: Node<'_>) -> bool {
    pattern(parameter).is("rest_pattern")
}

pub(super) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    call.child("arguments").into_iter().flat_map(Node::named_children).collect()
}

/// Adds an item at the end of a list in parentheses.
pub(super) fn appended(code: &Code, list: Node<'_>, item: &str) -> TextEdit {
    let last = list.named_children().last();
    let Some(last) = last else { return TextEdit::new(Span::at(list.end() - 1), item) };
    let rest = &code.text()[last.end()..list.end() - 1];
    match rest.find(',') {
        // The comma that ends the list goes on to end it.
        Some(comma) => {
            let gap = if rest.contains('\n') {
                format!("{}{}", code.newline(), code.indent(last.start()))
            } else {
                " ".to_owned()
            };
            TextEdit::new(Span::at(last.end() + comma + 1), format!("{gap}{item},"))
        }
        None => TextEdit::new(Span::at(last.end()), format!(", {item}")),
    }
}

/// Takes one item out of a list in parentheses.
pub(super) fn removed(items: &[Node<'_>], at: usize) -> TextEdit {
    let span = match (items.get(at + 1), at) {
        (Some(next), _) => Span::new(items[at].start(), next.start()),
        (None, 1..) => Span::new(items[at - 1].end(), items[at].end()),
        (None, _) => items[at].span(),
    };
    TextEdit::new(span, "")
}

/// Tells whether an expression is said in full: nothing is looked up, nothing is done.
pub(super) fn is_literal(node: Node<'_>) -> bool {
    const PLAIN: &[&str] = &["string", "number", "true", "false", "null", "undefined", "regex"];
    let is_signed = node.is("unary_expression") && node.named_children().all(|it| it.is("number"));
    let is_empty = node.is_any(&["array", "object"]) && node.named_children().all(is_literal);
    node.is_any(PLAIN) || is_signed || is_empty
}

/// Gathers edits by file.
pub(super) fn gathered(
    edits: Vec<(&Code, TextEdit)>,
) -> std::collections::BTreeMap<AbsPath, (std::sync::Arc<crate::text::Text>, Vec<TextEdit>)> {
    let mut files = std::collections::BTreeMap::new();
    for (code, edit) in edits {
        let text = std::sync::Arc::clone(&code.parsed().text);
        let entry = files.entry(code.path.clone()).or_insert_with(|| (text, Vec::new()));
        entry.1.push(edit);
    }
    files
}
