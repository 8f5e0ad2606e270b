//! The array with everything that uses it: a local variable's, or a field's.

use super::{Code, Family, Name, Node, Refusal, Request, ScopedNames, Session, Span, function_of, place, statement_of};
use crate::refactor::analysis::classes::{Member, MemberKind};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::references::{UseKind, Uses};

/// The array as it is written.
pub(super) struct Array<'c> {
    pub literal: Node<'c>,
    /// The types that are declared for what holds it.
    pub declared: Vec<Node<'c>>,
}

/// Returns the field that the target names.
pub(super) fn field<'c>(code: &'c Code, request: &Request) -> Option<Field<'c>> {
    let offset = place(code, &request.target)?;
    let field = Field::of(code, &request.target).ok()?;
    field.members.iter().any(|it| it.name.span().touches(offset)).then_some(field)
}

/// Finds the array that a field is given once, and refuses what its uses cannot be.
pub(super) async fn of_field<'c>(session: &Session, field: &Field<'c>, uses: &Uses) -> Result<Array<'c>, Refusal> {
    let code = field.class.code;
    let around = field.around(session).await?;
    for (user, one) in uses.iter() {
        let reason =
            around.unserved(field, (user, one)).or((one.kind == UseKind::Text).then_some("it is spelled here"));
        if let Some(reason) = reason {
            return Err(user.refuse(one.span.start, reason));
        }
    }
    let refuse = |reason: &str| Err(code.refuse(field.members[0].name.start(), reason));
    let values: Vec<Node<'c>> = field.members.iter().filter_map(value).collect();
    let [literal] = values.as_slice() else {
        return refuse("the field is not given one array, in one place");
    };
    let declared = field.members.iter().filter_map(|it| holder(it).child("type")).collect();
    checked(code, Array { literal: *literal, declared })
}

/// Returns the uses of a field in a file, each with the object that it is taken from; what gives it the array is none.
pub(super) fn uses_of_field<'u>(uses: &'u Uses, array: &Array<'_>, field: &Field<'_>) -> Vec<(&'u Code, Node<'u>)> {
    let is_member = |code: &Code, span: Span| {
        code.path == field.class.code.path && field.members.iter().any(|it| it.name.span() == span)
    };
    let gives = |code: &Code, node: Node<'_>| {
        let right = node.parent().and_then(|it| it.child("right"));
        code.path == field.class.code.path && right.is_some_and(|it| it.span() == array.literal.span())
    };
    let all = uses.iter().map(|(code, one)| (code, one.span, one.member(code).unwrap_or(one.node(code))));
    let others = all.filter(|(code, span, node)| {
        let is_declared = is_member(code, *span) && !node.is_any(&["attribute", "member_expression"]);
        !is_declared && !gives(code, *node)
    });
    others.map(|(code, _, node)| (code, node)).collect()
}

/// Finds the array that a local variable is given once, and the places that use it.
pub(super) fn of_variable<'c>(
    code: &'c Code,
    names: &ScopedNames<'c>,
    request: &Request,
) -> Result<(Array<'c>, Vec<Node<'c>>), Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no variable of `{}`", code.shown));
    let offset = place(code, &request.target).ok_or_else(unnamed)?;
    let node = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    let name = names.at(node).ok_or_else(unnamed)?;
    let writes: Vec<Name> = names.writes(name.meaning).collect();
    let [write] = writes.as_slice() else {
        return Err(code.refuse(node.start(), format!("it is assigned {} times", writes.len())));
    };
    let target = code.covering(write.span);
    let refuse = |reason: &str| Err(code.refuse(target.start(), reason));
    let declares = target.parent().filter(|it| it.is_any(&["assignment", "variable_declarator"]));
    let value = declares.and_then(|it| it.child("right").or_else(|| it.child("value")));
    let Some(literal) = value else { return refuse("it is not given an array as it is written") };
    if names.function_of_meaning(name.meaning).is_none() || statement_of(target).is_none() {
        return refuse("a variable of the module can be used from elsewhere");
    }
    let uses = names.of_meaning(name.meaning).filter(|one| one.span != write.span);
    let declared = declares.and_then(|it| it.child("type")).into_iter().collect();
    let array = checked(code, Array { literal, declared })?;
    function_of(literal).ok_or_else(|| code.refuse(literal.start(), "it stands in no function"))?;
    Ok((array, uses.map(|one| code.covering(one.span)).collect()))
}

impl<'c> Array<'c> {
    /// Returns the types of its places, where a declaration says them: `[string, number]`, `tuple[str, int]`.
    pub(super) fn types<'t>(&self, code: &'t Code, count: usize) -> Option<Vec<&'t str>> {
        let mut nodes = self.declared.iter().flat_map(|it| std::iter::once(*it).chain(it.descendants()));
        let types: Vec<Node<'c>> = match code.family() {
            Family::Python => {
                let generic = nodes.find(|it| it.is("generic_type"))?;
                let is_tuple = generic.text(code.text()).to_lowercase().starts_with("tuple[");
                generic.child_of_kind("type_parameter").filter(|_| is_tuple)?.named_children().collect()
            }
            _ => nodes.find(|it| it.is("tuple_type"))?.named_children().collect(),
        };
        let is_plain =
            |it: &Node<'_>| !it.kind().ends_with("_parameter") && !it.is_any(&["rest_type", "optional_type"]);
        let is_known = types.len() == count && types.iter().all(is_plain);
        is_known.then(|| types.into_iter().map(|it| it.text(code.text())).collect())
    }
}

fn checked<'c>(code: &Code, array: Array<'c>) -> Result<Array<'c>, Refusal> {
    let literal = array.literal;
    let refuse = |reason: &str| Err(code.refuse(literal.start(), reason));
    let is_spread = |it: &Node<'_>| it.is_any(&["list_splat", "spread_element"]);
    if !literal.is_any(&["list", "tuple", "array"]) {
        return refuse("it is not given an array as it is written");
    }
    if literal.named_children().next().is_none() || literal.named_children().any(|it| is_spread(&it)) {
        return refuse("how many places it has cannot be read from it");
    }
    match literal.children().any(|it| it.kind().ends_with("comment")) {
        true => refuse("its comments would be lost"),
        false => Ok(array),
    }
}

/// Returns what declares a field, or gives it its value.
fn holder<'c>(member: &Member<'c>) -> Node<'c> {
    match member.kind {
        MemberKind::Assigned => member.node.parent().unwrap_or(member.node),
        _ => member.node.named_children().next().filter(|it| it.is("assignment")).unwrap_or(member.node),
    }
}

fn value<'c>(member: &Member<'c>) -> Option<Node<'c>> {
    let holder = holder(member);
    holder.child("right").or_else(|| holder.child("value"))
}
