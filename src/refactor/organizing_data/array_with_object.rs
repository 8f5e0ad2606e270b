//! Replace Array with Object.
//!
//! ```python
//! row = ["Liverpool", 15]              row = Performance("Liverpool", 15)
//! row[1] += 1                      →   row.wins += 1
//! print(row[0])                        print(row.club)
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::place;
use crate::refactor::analysis::free_names::check_name;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, function_of, statement_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Language, Node, check_name as check_field};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What the places are called where nobody says it.
const ORDINALS: &[&str] =
    &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let (array, uses) = find(&code, &names, request)?;
    let values: Vec<Node<'_>> = array.named_children().collect();
    let name = request.params.text("name");
    check_name(session, &code, None, name).noted()?;
    let fields = fields(&code, request, &array, values.len())?;
    let function = function_of(array).ok_or_else(|| code.refuse(array.start(), "it stands in no function"))?;
    let mut parameters = Vec::new();
    for (at, (value, field)) in values.iter().zip(&fields).enumerate() {
        // Python would hold the place to the type of its first value.
        let is_set = code.family() == Family::Python && uses.iter().any(|one| sets(&code, *one, at));
        let typed = if is_set { String::new() } else { annotation(session, &code, &names, *value).await? };
        parameters.push(format!("{field}{typed}"));
    }
    let first = values.first().map_or(array.start(), |it| it.start());
    let last = values.last().map_or(array.end(), |it| it.end());
    let new = if code.family() == Family::Python { "" } else { "new " };
    let mut edits = vec![
        TextEdit::new(Span::at(above(&code, function)), definition(&code, name, &parameters, &fields)),
        TextEdit::new(Span::new(array.start(), first), format!("{new}{name}(")),
        TextEdit::new(Span::new(last, array.end()), ")"),
    ];
    for one in uses {
        let at = index(&code, one, values.len())?;
        let subscript = one.parent().unwrap_or(one);
        edits.push(TextEdit::new(Span::new(one.end(), subscript.end()), format!(".{}", fields[at])));
    }
    code.plan(edits)
}

/// Finds the array that a local variable is given once, and the places that use it.
fn find<'c>(code: &'c Code, names: &ScopedNames<'c>, request: &Request) -> Result<(Node<'c>, Vec<Node<'c>>), Refusal> {
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
    let Some(array) = value.filter(|it| it.is_any(&["list", "tuple", "array"])) else {
        return refuse("it is not given an array as it is written");
    };
    if declares.and_then(|it| it.child("type")).is_some() {
        return refuse("its type is declared, and would have to be another one");
    }
    if names.function_of_meaning(name.meaning).is_none() || statement_of(target).is_none() {
        return refuse("a variable of the module can be used from elsewhere");
    }
    let is_spread = |it: &Node<'_>| it.is_any(&["list_splat", "spread_element"]);
    if array.named_children().next().is_none() || array.named_children().any(|it| is_spread(&it)) {
        return refuse("how many places it has cannot be read from it");
    }
    if array.children().any(|it| it.kind().ends_with("comment")) {
        return refuse("its comments would be lost");
    }
    let uses = names.of_meaning(name.meaning).filter(|one| one.span != write.span);
    Ok((array, uses.map(|one| code.covering(one.span)).collect()))
}

/// Returns which place of the array is meant: `row[1]`.
fn index(code: &Code, one: Node<'_>, count: usize) -> Result<usize, Refusal> {
    let refuse = |reason: &str| code.refuse(one.start(), reason);
    let outer = one.parent().filter(|it| it.is_any(&["subscript", "subscript_expression"]));
    let subscript = outer.filter(|it| it.named_children().next() == Some(one) && it.named_children().count() == 2);
    let subscript = subscript.ok_or_else(|| refuse("the array is used as a whole here"))?;
    let is_deleted = subscript
        .ancestors()
        .take(2)
        .any(|it| it.is("delete_statement") || it.is("unary_expression") && it.text(code.text()).starts_with("delete"));
    let is_called = subscript.field() == Some("function") && code.family() == Family::Script;
    let at = subscript.named_children().last().filter(|it| it.is_any(&["integer", "number"]));
    let at = at.and_then(|it| it.text(code.text()).parse::<usize>().ok()).filter(|at| *at < count);
    let is_plain = !is_deleted && !is_called && subscript.child_of_kind("optional_chain").is_none();
    at.filter(|_| is_plain).ok_or_else(|| refuse("which place of the array is meant here cannot be read"))
}

/// Tells whether a use gives a place another value.
fn sets(code: &Code, one: Node<'_>, at: usize) -> bool {
    let subscript = one.parent().filter(|it| it.field() == Some("left"));
    let index = subscript.and_then(|it| it.named_children().last());
    index.is_some_and(|it| it.text(code.text()) == at.to_string())
}

fn fields(code: &Code, request: &Request, array: &Node<'_>, count: usize) -> Result<Vec<String>, Refusal> {
    let given = request.params.list("fields");
    let names: Vec<String> = match given.is_empty() {
        true => ORDINALS.iter().take(count).map(|it| (*it).to_owned()).collect(),
        false => given.to_vec(),
    };
    if names.len() != count {
        let reason = format!("it has {count} places, and {} names are given for them", names.len());
        return Err(code.refuse(array.start(), reason));
    }
    for (at, name) in names.iter().enumerate() {
        check_field(code.parsed().tree.language(), name).map_err(|bad| Refusal::BadName(bad.to_string()))?;
        if names[..at].contains(name) {
            return Err(Refusal::BadName(format!("two places cannot both be called `{name}`")));
        }
    }
    Ok(names)
}

/// Returns the type of a value as a parameter has it.
async fn annotation(
    session: &Session,
    code: &Code,
    names: &ScopedNames<'_>,
    value: Node<'_>,
) -> Result<String, Refusal> {
    let is_python = code.family() == Family::Python;
    let known = match value.kind() {
        "string" | "concatenated_string" if is_python => "str",
        "string" | "template_string" => "string",
        "integer" => "int",
        "float" => "float",
        "number" => "number",
        "true" | "false" if is_python => "bool",
        "true" | "false" => "boolean",
        "identifier" => return inferred_types::annotation(session, code, names, value).await,
        _ if !code.is_typed_script() => return Ok(String::new()),
        _ => return Err(code.refuse(value.start(), "give this value a name: its type would have to be written")),
    };
    Ok(if code.parsed().tree.language() == Language::JavaScript { String::new() } else { format!(": {known}") })
}

fn definition(code: &Code, name: &str, parameters: &[String], fields: &[String]) -> String {
    let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
    match code.parsed().tree.language() {
        Language::Python => {
            let sets: Vec<String> = fields.iter().map(|it| format!("{step}{step}self.{it} = {it}{end}")).collect();
            let parameters = parameters.join(", ");
            format!("class {name}:{end}{step}def __init__(self, {parameters}):{end}{}{end}{end}", sets.concat())
        }
        Language::JavaScript => {
            let sets: Vec<String> = fields.iter().map(|it| format!("{step}{step}this.{it} = {it};{end}")).collect();
            let parameters = parameters.join(", ");
            format!(
                "class {name} {{{end}{step}constructor({parameters}) {{{end}{}{step}}}{end}}}{end}{end}",
                sets.concat()
            )
        }
        _ => {
            let sets: Vec<String> = parameters.iter().map(|it| format!("{step}{step}public {it},{end}")).collect();
            format!("class {name} {{{end}{step}constructor({end}{}{step}) {{}}{end}}}{end}{end}", sets.concat())
        }
    }
}
