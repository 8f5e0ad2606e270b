//! What a function of TypeScript declares of its answer, and its body alone does not say.

use super::body::Body;
use crate::plan::{Warning, WarningKind};
use crate::refactor::analysis::call_sites::{Call, Signature};
use crate::refactor::analysis::signatures::name_of;
use crate::refactor::source_file::Code;
use crate::syntax::{Node, is_any_function};

/// Types that an expression of operators has by itself.
const PRIMITIVE: &[&str] = &["bigint", "boolean", "number", "string", "void"];
const OF_OPERATORS: &[&str] = &[
    "binary_expression",
    "false",
    "number",
    "string",
    "template_string",
    "ternary_expression",
    "true",
    "unary_expression",
];
/// What stands between an answer and the `return` that gives it.
const WRAPS: &[&str] = &["await_expression", "parenthesized_expression"];

/// Tells whether the calls of a function narrow a type: `value is Order`, `asserts value`.
pub(super) fn narrows(function: Node<'_>) -> bool {
    let returned = function.child("return_type");
    returned.is_some_and(|it| it.is_any(&["type_predicate_annotation", "asserts_annotation"]))
}

/// Tells whether the one expression of a body narrows what its function says to narrow.
pub(super) fn narrows_itself((code, function): (&Code, Node<'_>), body: &Body<'_>) -> bool {
    let name = predicate(function).and_then(|it| it.child("name")).map(|it| it.text(code.text()));
    name.zip(body.expression()).is_some_and(|(name, value)| is_narrowing(code, value, name))
}

/// Tells of a type that the calls narrow, where a check has to prove that the body narrows to the same one.
pub(super) fn doubted(signature: &Signature<'_>, body: &Body<'_>) -> Option<Warning> {
    let (code, predicate) = (signature.code, predicate(signature.function)?);
    let wanted = predicate.child("type")?.text(code.text());
    let told = body.expression().and_then(|value| {
        let (left, right) = (value.child("left")?, value.child("right")?);
        let is_typeof = left.child("operator").is_some_and(|it| it.kind() == "typeof");
        let text = right.text(code.text());
        let is_class = value.child("operator").is_some_and(|it| it.kind() == "instanceof");
        (is_typeof || is_class).then(|| text.trim_matches(['"', '\'']))
    });
    let doubt = format!("its calls narrow to `{wanted}`: whether what it does there narrows to the same");
    (told != Some(wanted)).then(|| Warning::of_plan(WarningKind::Unproven, doubt))
}

fn predicate(function: Node<'_>) -> Option<Node<'_>> {
    let said = function.child("return_type").filter(|it| it.is("type_predicate_annotation"))?;
    said.descendants().find(|it| it.is("type_predicate"))
}

fn is_narrowing(code: &Code, value: Node<'_>, name: &str) -> bool {
    let is_it = |it: Node<'_>| it.text(code.text()) == name;
    let operand = |it: Node<'_>| {
        let asked = it.child("argument").filter(|_| it.child("operator").is_some_and(|of| of.kind() == "typeof"));
        is_it(it) || asked.is_some_and(is_it) || it.child("object").is_some_and(is_it)
    };
    let inner = |it: Node<'_>| is_narrowing(code, it, name);
    let sides = value.child("left").zip(value.child("right"));
    let operator = value.child("operator").map(Node::kind).unwrap_or_default();
    match (value.kind(), operator, sides) {
        ("parenthesized_expression", ..) => value.named_children().all(inner),
        ("unary_expression", "!", _) => value.child("argument").is_some_and(inner),
        ("binary_expression", "&&" | "||", Some((left, right))) => inner(left) && inner(right),
        ("binary_expression", "===" | "!==" | "==" | "!=", Some((left, right))) => operand(left) || operand(right),
        ("binary_expression", "instanceof", Some((left, _))) => is_it(left),
        ("binary_expression", "in", Some((_, right))) => is_it(right),
        ("call_expression", ..) => {
            let is_array = value.child("function").is_some_and(|it| it.text(code.text()) == "Array.isArray");
            is_array && value.child("arguments").is_some_and(|list| list.named_children().all(is_it))
        }
        _ => false,
    }
}

/// Tells of a call by which others came to have the type that the function declares, and will have what is inferred.
pub(super) fn lost(signature: &Signature<'_>, body: &Body<'_>, call: &Call<'_>) -> Option<Warning> {
    let said = signature.function.child("return_type").filter(|_| signature.code.is_typed_script())?;
    let declared = said.text(signature.code.text()).trim_start_matches(':').trim();
    let is_known = PRIMITIVE.contains(&declared) && body.expression().is_some_and(|it| it.is_any(OF_OPERATORS));
    if is_known || narrows(signature.function) {
        return None;
    }
    let text = call.code.text();
    let named = taken_over(call.node)?.text(text);
    let message = format!("`{named}` has its type from here: it was `{declared}`, and is inferred now");
    let range = call.code.parsed().text.range(call.node.span());
    // No check tells: another type may do for all who use it.
    Some(Warning::at(WarningKind::FollowUp, message, call.code.path.clone(), range))
}

/// Returns the name of what has the type of a call for its own and is exported: a variable, or a function, that says none.
fn taken_over(call: Node<'_>) -> Option<Node<'_>> {
    let outer = call.ancestors().find(|it| !it.is_any(WRAPS))?;
    if !call.ancestors().any(|it| it.is("export_statement")) {
        return None;
    }
    if outer.is("variable_declarator") {
        let is_outermost = outer.ancestors().nth(1).is_some_and(|it| it.is("export_statement"));
        return outer.child("name").filter(|_| is_outermost && outer.child("type").is_none());
    }
    let function = match outer.is("return_statement") {
        true => outer.ancestors().find(|it| is_any_function(*it)),
        false => Some(outer).filter(|it| is_any_function(*it)),
    };
    function.filter(|it| it.child("return_type").is_none()).and_then(name_of)
}
