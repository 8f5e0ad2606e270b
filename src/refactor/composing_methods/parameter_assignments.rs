//! Remove Assignments to Parameters.
//!
//! ```python
//! def price(amount):                   def price(amount):
//!     amount = amount * 2        →         local_amount = amount * 2
//!     return amount                        return local_amount
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, function, indent};
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::inferred_types::or_undefined;
use crate::refactor::doubts::in_doubt;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

/// What looks at parameters behind their names.
const ALL_SEEING: &[&str] = &["arguments", "eval", "exec", "locals", "super", "vars"];

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let (function, body) = function(&code, &request.target)?;
    let parsed = session.parsed(&code.path)?.expect("the file was read just now");
    let names = parsed.names();
    if let Some(name) = code.looks_around(body, ALL_SEEING) {
        in_doubt(&code, body.span(), format!("the function uses `{name}`, which may see its parameters"))?;
    }
    let head = Span::new(function.start(), body.start());
    let is_assigned = |parameter: &&Name| {
        let writes = |name: &&Name| name.meaning == parameter.meaning && body.span().contains(name.span);
        names.iter().filter(writes).any(|name| name.is_binding || is_written(code.covering(name.span)))
    };
    let own: Vec<&Name> = names.iter().filter(|it| it.is_binding && head.contains(it.span)).collect();
    let own: Vec<&Name> = own.into_iter().filter(|it| Some(it.span) != name_of(function)).filter(is_assigned).collect();
    let named = request.target.name.filter(|named| own.iter().any(|it| it.span == *named));
    let own: Vec<&Name> = own.into_iter().filter(|it| named.is_none_or(|named| it.span == named)).collect();
    let first = first_statement(body).filter(|_| !own.is_empty());
    let first = first.ok_or_else(|| code.refuse(function.start(), "no parameter is assigned to"))?;
    let (indent, mut edits, mut lines) = (indent(&code, first)?, Vec::new(), String::new());
    for parameter in own {
        let old = parameter.span.of(code.text()).unwrap_or_default();
        let new = new_name(&code, request, old)?;
        let places: Vec<&Name> =
            names.iter().filter(|it| it.meaning == parameter.meaning && body.span().contains(it.span)).collect();
        check_assigned(&code, &places, old)?;
        let begun = begun(&code, body, &places);
        lines += &match code.family() {
            _ if begun.is_some() => String::new(),
            Family::Python => format!("{new} = {old}{}{indent}", code.newline()),
            _ => format!("let {new} = {old}{}{}{indent}", code.semicolon(), code.newline()),
        };
        let in_head = |it: &&Name| it.meaning == parameter.meaning && !it.is_binding && head.contains(it.span);
        if let Some(name) = names.iter().find(in_head) {
            return Err(code.refuse(name.span.start, format!("a default uses `{old}`, perhaps later on")));
        }
        let is_later = |it: &&Name| begun.is_none_or(|begun| it.span.start >= begun.end());
        for name in places.iter().copied().filter(is_later) {
            edits.push(renamed(&code, name.span, &new)?);
        }
        if let Some(target) = begun.and_then(|begun| begun.child("left")) {
            let word = declaring(&code, &places, code.covering(parameter.span));
            edits.push(TextEdit::new(target.span(), word.replace("{}", &new)));
        }
    }
    let above = comments_above(&code, first.start());
    if lines.is_empty() {
        return code.plan(edits);
    }
    // What begins with the parameter is edited at the same place as the line before it.
    match edits.iter_mut().find(|edit| edit.span.start == above) {
        Some(edit) => edit.new_text.insert_str(0, &lines),
        None => edits.push(TextEdit::new(Span::at(above), lines)),
    }
    code.plan(edits)
}

/// Refuses a function or a class of the parameter's name.
fn check_assigned(code: &Code, places: &[&Name], old: &str) -> Result<(), Refusal> {
    let is_declared = |it: &&&Name| {
        let outer = code.covering(it.span).parent().filter(|outer| is_any_function(*outer) || is_class(*outer));
        it.is_binding && outer.is_some_and(|outer| name_of(outer) == Some(it.span))
    };
    match places.iter().find(is_declared) {
        Some(it) => Err(code.refuse(it.span.start, format!("`{old}` is declared here, and not only assigned"))),
        None => Ok(()),
    }
}

/// Returns the assignment that all uses of a parameter begin with: what it is given there the variable can begin with.
fn begun<'c>(code: &'c Code, body: Node<'c>, places: &[&Name]) -> Option<Node<'c>> {
    let (first, rest) = places.split_first()?;
    let target = code.covering(first.span);
    let is_it = |it: &Node<'c>| it.is_any(&["assignment", "assignment_expression"]) && it.child("left") == Some(target);
    let assignment = target.parent().filter(is_it).filter(|it| it.child("type").is_none())?;
    let (right, statement) =
        (assignment.child("right")?, assignment.parent().filter(|it| it.is("expression_statement"))?);
    let mut block = statement.parent()?;
    let home = block;
    while block != body {
        let outer = block.parent().filter(|it| it.is("with_statement") && code.family() == Family::Python)?;
        block = outer.parent()?;
    }
    let in_value = |it: &&&Name| right.span().contains(it.span);
    let is_inner =
        |it: &Name| code.covering(it.span).ancestors().take_while(|it| *it != assignment).any(is_any_function);
    let is_held = rest.iter().all(|it| home.span().contains(it.span));
    let is_plain = !right.is("assignment") && !rest.iter().filter(in_value).any(|it| is_inner(it));
    (is_held && is_plain).then_some(assignment)
}

/// Writes how a variable is declared that takes a parameter's place, `{}` being its name.
fn declaring(code: &Code, places: &[&Name], parameter: Node<'_>) -> String {
    let writes = places.iter().filter(|it| is_written(code.covering(it.span))).count();
    let of = parameter.parent().and_then(|it| it.child("type")).filter(|_| code.is_typed_script());
    match (code.family(), of) {
        (Family::Python, _) => "{}".to_owned(),
        _ if writes == 1 => "const {}".to_owned(),
        (_, Some(of))
            if parameter.parent().is_some_and(|it| it.is("optional_parameter") && it.child("value").is_none()) =>
        {
            format!("let {{}}{}", or_undefined(of, code.text()))
        }
        (_, Some(of)) => format!("let {{}}{}", of.text(code.text())),
        _ => "let {}".to_owned(),
    }
}

fn name_of(function: Node<'_>) -> Option<Span> {
    function.child("name").map(Node::span)
}

/// Returns the name that was wished, or one made of the parameter's.
fn new_name(code: &Code, request: &Request, old: &str) -> Result<String, Refusal> {
    let mut letters = old.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>());
    let made = match code.family() {
        Family::Python => format!("local_{old}"),
        _ => format!("local{}", capital.unwrap_or_default()),
    };
    let new = request.params.given("name").map_or(made, str::to_owned);
    match code.mentions(code.root(), &new) {
        true => Err(Refusal::NotPossible(format!("`{new}` is already in use in `{}`", code.shown))),
        false => Ok(new),
    }
}

fn renamed(code: &Code, span: Span, new: &str) -> Result<TextEdit, Refusal> {
    let node = code.covering(span);
    let old = span.of(code.text()).unwrap_or_default();
    match node.kind() {
        "shorthand_property_identifier" => Ok(TextEdit::new(span, format!("{old}: {new}"))),
        "shorthand_property_identifier_pattern" => Err(code.refuse(span.start, "it is assigned to by a pattern")),
        _ => Ok(TextEdit::new(span, new)),
    }
}

/// Tells whether a JavaScript name is assigned to where it stands.
fn is_written(node: Node<'_>) -> bool {
    let is_left = node.field() == Some("left");
    node.parent().is_some_and(|outer| {
        outer.is("update_expression")
            || is_left && outer.is_any(&["assignment_expression", "augmented_assignment_expression"])
    })
}
