//! The constructor of the class that goes, said in that of the other one.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, MemberKind, comments_above, end_of, receiver, usage};
use crate::refactor::analysis::delegate_field::{HeldObject, constructor};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

/// What the constructor comes to do by itself.
pub(super) struct Unfolded {
    pub edits: Vec<TextEdit>,
    /// Declarations of the fields that were parameters.
    pub fields: Vec<String>,
}

/// A parameter, with what is passed for it.
struct Passed<'c> {
    name: Node<'c>,
    argument: Node<'c>,
}

pub(super) fn unfolded(class: &Class<'_>, held: &HeldObject<'_>) -> Result<Unfolded, Refusal> {
    let code = class.code;
    let members = class.members();
    let built = members.iter().filter(|it| it.kind == MemberKind::Constructor).count();
    let function = constructor(class);
    if built > 1 || built == 1 && function.is_none_or(|it| it.child("body").is_none()) {
        return Err(code.refuse(class.name.start(), "its objects are made in more than one way"));
    }
    let passed = passed(code, function, held.made)?;
    let own = held.statement.and_then(function_of);
    let base = held.statement.map_or("", |it| code.indent(it.start())).to_owned();
    let (mut lines, mut fields) = (Vec::new(), Vec::new());
    for member in members.iter().filter(|it| it.kind == MemberKind::Parameter) {
        let name = member.name.text(code.text());
        let argument = passed.iter().find(|it| it.name == member.name);
        let typed = member.node.child("type").filter(|_| member.node.is("required_parameter"));
        let (Some(argument), Some(typed)) = (argument, typed) else {
            return Err(code.refuse(member.node.start(), "the parameter cannot be written as a field"));
        };
        let words = Span::new(member.node.start(), member.name.start()).of(code.text()).unwrap_or_default();
        fields.push(format!("{words}{name}{};", typed.text(code.text())));
        lines.push(format!("this.{name} = {};", argument.argument.text(code.text())));
    }
    let has_fields = !fields.is_empty();
    for statement in statements(function) {
        lines.push(said(code, statement, &passed, (own, &base))?);
    }
    check_order(code, function, &passed, has_fields)?;
    let Some(statement) = held.statement else {
        return match lines.is_empty() && passed.is_empty() {
            true => Ok(Unfolded { edits: Vec::new(), fields }),
            false => Err(code.refuse(held.made.start(), "make the object in the constructor first")),
        };
    };
    let own_receiver = own.and_then(|it| receiver(code, it));
    if function.is_some_and(|it| receiver(code, it) != own_receiver) {
        return Err(code.refuse(class.name.start(), "the constructors call their objects by different names"));
    }
    let is_only = statement.parent().is_some_and(|it| it.named_children().count() == 1);
    let extent = Span::new(statement.start(), end_of(code, statement));
    let text = lines.join(&format!("{}{base}", code.newline()));
    let edit = match () {
        () if !text.is_empty() => TextEdit::new(extent, text),
        () if is_only && code.family() == Family::Python => TextEdit::new(extent, "pass"),
        () => TextEdit::new(Span::new(code.line_start(extent.start), code.next_line(extent.end)), ""),
    };
    Ok(Unfolded { edits: vec![edit], fields })
}

/// Returns the statements of a constructor that do something.
fn statements(function: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    let body = function.and_then(|it| it.child("body"));
    let is_text = |node: &Node<'_>| node.named_children().next().is_some_and(|it| it.is("string"));
    body.into_iter().flat_map(Node::named_children).filter(move |it| !is_text(it) && !it.is("pass_statement"))
}

/// Finds what is passed for each parameter.
fn passed<'c>(code: &'c Code, function: Option<Node<'c>>, made: Node<'c>) -> Result<Vec<Passed<'c>>, Refusal> {
    let text = code.text();
    let skipped = usize::from(code.family() == Family::Python);
    let parameters: Vec<Node<'c>> = function
        .and_then(|it| it.child("parameters"))
        .into_iter()
        .flat_map(Node::named_children)
        .skip(skipped)
        .collect();
    let arguments: Vec<Node<'c>> = made.child("arguments").into_iter().flat_map(Node::named_children).collect();
    let mut found = Vec::new();
    let (mut used, mut is_named) = (0, false);
    for (at, node) in parameters.iter().enumerate() {
        if node.is("keyword_separator") {
            is_named = true;
            continue;
        }
        let refuse = || code.refuse(node.start(), "what is passed for this parameter cannot be read");
        let name = match node.kind() {
            "identifier" => Some(*node),
            "typed_parameter" => node.named_children().next(),
            "default_parameter" | "typed_default_parameter" => node.child("name"),
            _ => node.child("pattern"),
        };
        let name = name.filter(|it| it.is("identifier")).ok_or_else(refuse)?;
        let bears_name = |it: &&Node<'c>| it.child("name").is_some_and(|key| key.text(text) == name.text(text));
        let by_name = arguments.iter().filter(|it| it.is("keyword_argument")).find(bears_name);
        let in_place = arguments.get(at).filter(|it| !is_named && !it.is("keyword_argument"));
        used += usize::from(by_name.or(in_place).is_some());
        let argument = by_name.and_then(|it| it.child("value")).or(in_place.copied());
        let default = node.child("value").filter(|it| it.is_leaf() && !it.is("identifier") || it.is("string"));
        found.push(Passed { name, argument: argument.or(default).ok_or_else(refuse)? });
    }
    let is_plain = |it: &Node<'c>| !it.is_any(&["list_splat", "dictionary_splat", "spread_element"]);
    match used == arguments.len() && arguments.iter().all(is_plain) {
        true => Ok(found),
        false => Err(code.refuse(made.start(), "what is passed here cannot be told apart")),
    }
}

/// Says a statement `self.field = value` with what is passed for the parameters.
fn said(
    code: &Code,
    statement: Node<'_>,
    passed: &[Passed<'_>],
    (own, base): (Option<Node<'_>>, &str),
) -> Result<String, Refusal> {
    let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
    let assignment = statement.named_children().next().filter(|it| it.is_any(&["assignment", "assignment_expression"]));
    let parts = assignment.and_then(|it| Some((it.child("left")?, it.child("right")?)));
    let Some((target, value)) = parts.filter(|_| statement.is("expression_statement")) else {
        return refuse(statement, "the constructor does more than set fields");
    };
    let is_own = target.is_any(&["attribute", "member_expression"]) && usage(code, target).members.len() == 1;
    if !is_own || value.is_any(&["assignment", "assignment_expression"]) || !usage(code, value).whole.is_empty() {
        return refuse(statement, "the constructor does more than set fields");
    }
    let names = ScopedNames::of(code);
    let mut edits = Vec::new();
    for name in names.within(value.span()) {
        let node = code.covering(name.span);
        let of_parameter = passed.iter().find(|it| names.at(it.name).is_some_and(|own| own.meaning == name.meaning));
        if let Some(one) = of_parameter {
            let is_late = node.ancestors().take_while(|it| *it != statement).any(is_any_function);
            if is_late || node.is("shorthand_property_identifier") || one.argument.is("yield") {
                return refuse(node, "the parameter is used here in a way that what is passed cannot be");
            }
            let text = one.argument.text(code.text());
            let is_bare = one.argument.is_leaf() || node == value || one.argument.is("string");
            edits.push(TextEdit::new(name.span, if is_bare { text.to_owned() } else { format!("({text})") }));
            continue;
        }
        let text = node.text(code.text());
        let is_hidden = names.named(text).any(|it| {
            it.is_binding && own.is_some() && function_of(code.covering(it.span)) == own && it.meaning != name.meaning
        });
        if is_hidden {
            return refuse(node, "the name refers to something else in the other constructor");
        }
    }
    edits.sort_by_key(|edit| edit.span);
    let extent = Span::new(comments_above(code, statement.start()), end_of(code, statement));
    Ok(Layout::of(code).moved_with(extent, base, &edits))
}

/// Refuses arguments that would be evaluated in another order, more than once or not at all.
fn check_order(
    code: &Code,
    function: Option<Node<'_>>,
    passed: &[Passed<'_>],
    has_fields: bool,
) -> Result<(), Refusal> {
    let names = ScopedNames::of(code);
    let mut last = 0;
    let is_plain =
        |it: &Node<'_>| it.is_leaf() || it.is("string") && !it.descendants().any(|it| it.is("interpolation"));
    for one in passed.iter().filter(|it| !is_plain(&it.argument)) {
        let meaning = names.at(one.name).map(|it| it.meaning);
        let body = function.and_then(|it| it.child("body"));
        let inside = |span: Span| body.is_some_and(|it| it.span().contains(span));
        let uses: Vec<usize> = meaning
            .into_iter()
            .flat_map(|it| names.of_meaning(it))
            .filter(|it| inside(it.span))
            .map(|it| it.span.start)
            .collect();
        let is_in_order = matches!(uses.as_slice(), [at] if *at > last);
        if has_fields || !is_in_order {
            let reason = "give this a name first: it would be evaluated at another time, or more than once";
            return Err(code.refuse(one.argument.start(), reason));
        }
        last = uses[0];
    }
    Ok(())
}
