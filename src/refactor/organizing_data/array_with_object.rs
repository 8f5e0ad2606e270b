//! Replace Array with Object.
//!
//! ```python
//! row = ["Liverpool", 15]              row = Performance("Liverpool", 15)
//! row[1] += 1                      →   row.wins += 1
//! print(row[0])                        print(row.club)
//! ```

mod subject;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::place;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_module_name;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::references::Uses;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, function_of, statement_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Language, Node, check_name as check_field};
use crate::text::{Span, TextEdit};
use subject::Array;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What the places are called where nobody says it.
const ORDINALS: &[&str] =
    &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let Some(field) = subject::field(&code, request) else {
        let names = ScopedNames::of(&code);
        let (array, uses) = subject::of_variable(&code, &names, request)?;
        let uses: Vec<(&Code, Node<'_>)> = uses.into_iter().map(|one| (&code, one)).collect();
        return replaced(session, (&code, request), &array, &uses).await;
    };
    let uses = Uses::of(session, &code, field.members[0].name.start()).await?;
    let warnings = uses.its_own(session).await?;
    let array = subject::of_field(session, &field, &uses).await?;
    let asked = subject::uses_of_field(&uses, &array, &field);
    let plan = replaced(session, (&code, request), &array, &asked).await?;
    let warnings = plan.warnings().iter().cloned().chain(warnings).collect();
    Ok(plan.with_warnings(warnings))
}

async fn replaced(
    session: &Session,
    (code, request): (&Code, &Request),
    array: &Array<'_>,
    uses: &[(&Code, Node<'_>)],
) -> Result<Plan, Refusal> {
    let names = ScopedNames::of(code);
    let literal = array.literal;
    let values: Vec<Node<'_>> = literal.named_children().collect();
    let name = request.params.text("name");
    check_module_name(code, name).noted()?;
    let fields = fields(code, request, &literal, values.len())?;
    let declared = array.types(code, values.len());
    let mut parameters = Vec::new();
    for (at, (value, field)) in values.iter().zip(&fields).enumerate() {
        // Python would hold the place to the type of its first value.
        let is_set = code.family() == Family::Python && uses.iter().any(|(code, one)| sets(code, *one, at));
        let typed = match &declared {
            Some(types) => format!(": {}", types[at]),
            None if is_set => String::new(),
            None => annotation(session, code, &names, *value).await?,
        };
        parameters.push(format!("{field}{typed}"));
    }
    let first = values.first().map_or(literal.start(), |it| it.start());
    let last = values.last().map_or(literal.end(), |it| it.end());
    let new = if code.family() == Family::Python { "" } else { "new " };
    let mut edits = Edits::default();
    edits.add(
        code,
        [
            TextEdit::new(Span::at(above(code, literal)), definition(code, name, &parameters, &fields)),
            TextEdit::new(Span::new(literal.start(), first), format!("{new}{name}(")),
            TextEdit::new(Span::new(last, literal.end()), ")"),
        ],
    );
    let sign = if code.family() == Family::Python { "" } else { ": " };
    edits.add(code, array.declared.iter().map(|it| TextEdit::new(it.span(), format!("{sign}{name}"))));
    for (user, one) in uses {
        let at = index(user, *one, values.len())?;
        let subscript = one.parent().unwrap_or(*one);
        edits.add(user, [TextEdit::new(Span::new(one.end(), subscript.end()), format!(".{}", fields[at]))]);
    }
    edits.plan()
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
            let result = if parameters.iter().all(|it| it.contains(':')) { " -> None" } else { "" };
            let parameters = parameters.join(", ");
            format!("class {name}:{end}{step}def __init__(self, {parameters}){result}:{end}{}{end}{end}", sets.concat())
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
