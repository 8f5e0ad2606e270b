//! How programs ask whether there is an object before they ask it for something, and what they take where there is none.

use crate::refactor::source_file::Code;
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::Span;

/// A choice between what an object says and a constant that stands for it where there is no object.
pub(super) struct Choice<'c> {
    /// The object, wherever it stands in the choice.
    pub subjects: Vec<Node<'c>>,
    /// What it is asked for, by its name.
    pub member: Node<'c>,
    /// What is passed, where a method is asked.
    pub arguments: Option<Node<'c>>,
    pub default: Node<'c>,
    /// The constant is taken, too, where there is an object that answers with nothing.
    pub is_loose: bool,
    pub replaced: Span,
    /// What stands there without the choice.
    pub text: String,
}

/// What an object is asked for: `object.name`, `object.name(…)`.
struct Asked<'c> {
    object: Node<'c>,
    member: Node<'c>,
    arguments: Option<Node<'c>>,
    is_optional: bool,
}

/// Returns the choice that a place is a part of, as the object that is chosen by.
pub(super) fn around<'c>(code: &'c Code, subject: Node<'c>) -> Option<Choice<'c>> {
    let inside = subject.ancestors().take_while(|outer| !is_any_function(*outer));
    let mut choices = inside.filter_map(|outer| match outer.kind() {
        "conditional_expression" | "ternary_expression" => expression(code, outer),
        "binary_expression" => coalesced(code, outer),
        "if_statement" => statement(code, outer),
        _ => None,
    });
    let found = choices.find(|choice| choice.subjects.contains(&subject))?;
    let is_constant = constant(found.default);
    let mut lost = code.root().descendants().filter(|it| found.replaced.contains(it.span()));
    (is_constant && !lost.any(|node| node.kind().ends_with("comment"))).then_some(found)
}

/// `customer.name if customer is not None else "nobody"`
fn expression<'c>(code: &'c Code, node: Node<'c>) -> Option<Choice<'c>> {
    let (condition, then, other) = match code.family() {
        Family::Python => {
            let mut parts = node.named_children();
            let (then, condition, other) = (parts.next()?, parts.next()?, parts.next()?);
            (condition, then, other)
        }
        _ => (node.child("condition")?, node.child("consequence")?, node.child("alternative")?),
    };
    let (subject, is_there) = test(code, condition)?;
    let (value, default) = if is_there { (then, other) } else { (other, then) };
    let asked = asked(code, value).filter(|asked| is_same(code, asked, subject))?;
    Some(Choice {
        subjects: vec![subject, asked.object],
        member: asked.member,
        arguments: asked.arguments,
        default: unwrapped(default),
        is_loose: false,
        replaced: with_parentheses(node).span(),
        text: unwrapped(value).text(code.text()).to_owned(),
    })
}

/// Returns an expression with the parentheses around it, unless these belong to a condition.
fn with_parentheses(node: Node<'_>) -> Node<'_> {
    let outer = node.parent().filter(|it| it.is("parenthesized_expression") && it.field() != Some("condition"));
    outer.unwrap_or(node)
}

/// `customer?.name ?? "nobody"`
fn coalesced<'c>(code: &'c Code, node: Node<'c>) -> Option<Choice<'c>> {
    let text = code.text();
    node.child("operator").filter(|it| it.text(text) == "??")?;
    let value = unwrapped(node.child("left")?);
    let asked = asked(code, value).filter(|asked| asked.is_optional)?;
    Some(Choice {
        subjects: vec![asked.object],
        member: asked.member,
        arguments: asked.arguments,
        default: unwrapped(node.child("right")?),
        is_loose: true,
        replaced: with_parentheses(node).span(),
        text: format!("{}.{}", asked.object.text(text), &text[asked.member.start()..value.end()]),
    })
}

/// `if customer is None: return "nobody"` and what is returned otherwise; the same with assignments.
fn statement<'c>(code: &'c Code, node: Node<'c>) -> Option<Choice<'c>> {
    let (subject, is_there) = test(code, node.child("condition")?)?;
    let then = single(node.child("consequence")?)?;
    let mut others = node.children_in("alternative");
    let (other, end) = match others.next() {
        Some(clause) if others.next().is_none() && clause.is("else_clause") => {
            (single(clause.child("body").or_else(|| clause.named_children().last())?)?, clause.end())
        }
        Some(_) => return None,
        None => {
            let mut rest = node.parent()?.named_children().skip_while(|it| *it != node);
            let next = rest.nth(1).filter(|next| then.is("return_statement") && next.is("return_statement"))?;
            (next, next.end())
        }
    };
    let (said, unsaid) = if is_there { (then, other) } else { (other, then) };
    let ((value, goal), (default, other_goal)) = (outcome(code, said)?, outcome(code, unsaid)?);
    let asked = asked(code, value).filter(|asked| goal == other_goal && is_same(code, asked, subject))?;
    Some(Choice {
        subjects: vec![subject, asked.object],
        member: asked.member,
        arguments: asked.arguments,
        default: unwrapped(default),
        is_loose: false,
        replaced: Span::new(node.start(), end),
        text: said.text(code.text()).to_owned(),
    })
}

/// Returns what a condition asks for, and whether it holds where that is there.
fn test<'c>(code: &'c Code, condition: Node<'c>) -> Option<(Node<'c>, bool)> {
    let text = code.text();
    let condition = unwrapped(condition);
    let is_negation = condition.is("not_operator")
        || condition.is("unary_expression") && condition.child("operator").is_some_and(|it| it.text(text) == "!");
    if is_negation {
        return test(code, condition.child("argument")?).map(|(subject, is_there)| (subject, !is_there));
    }
    if condition.is_any(&["comparison_operator", "binary_expression"]) {
        let mut parts = condition.named_children();
        let (left, right) = (parts.next()?, parts.next().filter(|right| is_nothing(code, *right))?);
        let operator = text[left.end()..right.start()].trim();
        return match operator {
            "is not" | "!==" | "!=" => Some((left, true)),
            "is" | "===" | "==" => Some((left, false)),
            _ => None,
        }
        .filter(|_| code.family() == Family::Script || operator.starts_with("is"));
    }
    condition.is_any(&["identifier", "attribute", "member_expression"]).then_some((condition, true))
}

/// Tells whether a value is `None`, `null` or `undefined`.
pub(super) fn is_nothing(code: &Code, value: Node<'_>) -> bool {
    value.is_any(&["none", "null", "undefined"])
        || code.family() == Family::Script && value.is("identifier") && value.text(code.text()) == "undefined"
}

fn asked<'c>(code: &'c Code, value: Node<'c>) -> Option<Asked<'c>> {
    let value = unwrapped(value);
    let arguments = value.child("arguments").filter(|_| value.is_any(&["call", "call_expression"]));
    let access = if arguments.is_some() { value.child("function")? } else { value };
    let member = access.child("attribute").or_else(|| access.child("property"))?;
    let is_public = !member.is("private_property_identifier") && !member.text(code.text()).starts_with("__");
    let is_optional = access.child_of_kind("optional_chain").is_some();
    let object = access.child("object").filter(|_| is_public)?;
    Some(Asked { object, member, arguments, is_optional })
}

/// Tells whether the object that is asked is the one that was looked for: told twice, by names alone.
fn is_same(code: &Code, asked: &Asked<'_>, subject: Node<'_>) -> bool {
    const NAMES: &[&str] =
        &["identifier", "attribute", "member_expression", "this", "property_identifier", "private_property_identifier"];
    let mut parts = std::iter::once(subject).chain(subject.descendants()).filter(|part| part.is_named());
    let is_plain = parts.all(|part| part.is_any(NAMES));
    is_plain && !asked.is_optional && asked.object.text(code.text()) == subject.text(code.text())
}

/// Returns the only statement of a branch.
fn single(branch: Node<'_>) -> Option<Node<'_>> {
    if !branch.is_any(&["block", "statement_block"]) {
        return Some(branch);
    }
    let mut held = branch.named_children();
    held.next().filter(|_| held.next().is_none())
}

/// Returns what a statement returns or assigns, and to what.
fn outcome<'c>(code: &'c Code, statement: Node<'c>) -> Option<(Node<'c>, Option<&'c str>)> {
    let inner = statement.named_children().next()?;
    if statement.is("return_statement") {
        return Some((inner, None));
    }
    let is_plain = statement.is("expression_statement")
        && inner.is_any(&["assignment", "assignment_expression"])
        && inner.child("type").is_none();
    is_plain.then_some((inner.child("right")?, Some(inner.child("left")?.text(code.text()))))
}

/// Tells whether a value is a literal that never changes.
pub(super) fn constant(value: Node<'_>) -> bool {
    let is_number = |node: Node<'_>| node.is_any(&["integer", "float", "number"]);
    match value.kind() {
        "string" => !value.descendants().any(|it| it.is("interpolation")),
        "true" | "false" => true,
        "unary_operator" | "unary_expression" => value.named_children().next().is_some_and(is_number),
        _ => is_number(value),
    }
}
