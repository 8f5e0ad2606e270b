//! Inline Method, in Solidity: a private or internal function that returns one expression.
//!
//! ```solidity
//! return _net(price) + 1;                    →   return (price - fee) + 1;
//! function _net(uint256 p) private view
//!     returns (uint256) { return p - fee; }
//! ```

use super::ast::{Ast, Item};
use super::calls::Callee;
use super::evaluation::{evaluated_once, reach, unchecked};
use super::explaining_variable::function_of;
use super::extract_interface::above;
use super::project::Ground;
use super::types::{is_integer, is_same};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::ExpressionReach;
use crate::refactor::doubts::in_doubt;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Visibility};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What stands for itself wherever an expression can.
const ATOMS: &[&str] = &["Identifier", "Literal", "MemberAccess", "IndexAccess", "FunctionCall", "TupleExpression"];

/// A function that is one expression.
struct Function<'a> {
    value: Item<'a>,
    parameters: Vec<Item<'a>>,
    returned: Item<'a>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let id = ground.target(&code, &request.target, &[DefinitionKind::Function])?;
    let one = ground.definition(id);
    let refuse = |reason: &str| code.refuse(one.name_span.start, reason);
    check(&ground, id, one).map_err(refuse)?;
    tell_open(&code, one)?;
    let callee = Callee::of(session, &ground, id)?;
    if let Some(call) = callee.calls.iter().find(|call| call.reference.file != one.file) {
        let at = (&call.reference.file, call.reference.span.start);
        return Err(ground.refuse(
            session,
            at,
            "it is called from another file, whose names may refer to something else",
        ));
    }
    let ast = Ast::of(session, &ground, &code).await?;
    let function = Function::of(&ast, one).map_err(refuse)?;
    let mut edits = Vec::new();
    for call in &callee.calls {
        let at = call.reference.span;
        if call.is_attached || call.list.is_named || ground.is_member(&call.reference) {
            return Err(code.refuse(at.start, "the call passes its arguments in another way"));
        }
        let caller = call.reference.within.and_then(|within| ground.contract_of(within));
        if caller != ground.contract_of(id) {
            return Err(
                code.refuse(at.start, "it is called from another contract, whose names may refer to something else")
            );
        }
        let item = ast.iter().filter(|item| item.is("FunctionCall") && item.start() == at.start);
        let item = item.filter(|item| item.child("expression").is_some_and(|it| it.span() == at)).last();
        let item = item.ok_or_else(|| code.refuse(at.start, "the call is not understood"))?;
        if edits.iter().any(|edit: &TextEdit| edit.span.overlaps(item.span())) {
            return Err(code.refuse(at.start, "one call stands in another one"));
        }
        let text = function.called(&code, item).map_err(|reason| code.refuse(at.start, reason))?;
        edits.push(TextEdit::new(item.span(), text));
    }
    if edits.is_empty() {
        return Err(refuse("nothing calls it"));
    }
    edits.push(TextEdit::new(lines(&code, one)?, ""));
    code.plan(edits)
}

fn check(ground: &Ground, id: DefinitionId, one: &Definition) -> Result<(), &'static str> {
    let is_free = one.container.is_none();
    match one.visibility {
        Some(Visibility::Public | Visibility::External) => Err("it can be called from outside"),
        None if !is_free => Err("its visibility is not written"),
        _ if one.is_override => Err("it overrides another function"),
        _ if ground.model.family(id).len() > 1 => Err("others override it"),
        _ => Ok(()),
    }
}

/// Tells that contracts which are not seen here may override the function, or may have meant to.
fn tell_open(code: &Code, one: &Definition) -> Result<(), Refusal> {
    if one.is_virtual {
        in_doubt(code, one.name_span, "it is `virtual`: contracts outside the project may override it")?;
    }
    Ok(())
}

impl<'a> Function<'a> {
    fn of(ast: &'a Ast, one: &Definition) -> Result<Self, &'static str> {
        const SHAPE: &str = "only a function that does nothing but return one expression is taken apart";
        let mut all = ast.iter().filter(|item| item.is("FunctionDefinition") && one.span.contains(item.span()));
        let function = all.next().ok_or(SHAPE)?;
        let list =
            |field: &str| function.child(field).map(|list| list.children().collect::<Vec<_>>()).unwrap_or_default();
        let statements: Vec<Item<'_>> = function.child("body").ok_or(SHAPE)?.children().collect();
        let returned = list("returnParameters");
        let ([statement], [returned]) = (statements.as_slice(), returned.as_slice()) else {
            return Err(SHAPE);
        };
        let value = Some(*statement).filter(|it| it.is("Return")).and_then(|it| it.child("expression")).ok_or(SHAPE)?;
        if function.children().any(|child| child.field() == "modifiers") {
            return Err("a modifier stands around its body");
        }
        let parameters = list("parameters");
        for parameter in &parameters {
            let mut names = parameter.id().into_iter().flat_map(|id| value.names_of(id));
            if names.any(|name| name.is_written()) {
                return Err("it reassigns a parameter");
            }
        }
        Ok(Self { value, parameters, returned: *returned })
    }

    /// Writes the body as one call of it evaluates it.
    fn called(&self, code: &Code, call: Item<'_>) -> Result<String, &'static str> {
        if unchecked(call).is_some() {
            return Err("the call stands in `unchecked`, which its body does not");
        }
        let function = function_of(call).ok_or("the call stands outside functions")?;
        if self.value.holds(call) || self.value.all().any(|name| is_hidden(function, name)) {
            return Err("a name of its body refers to something else here");
        }
        let mut arguments: Vec<Item<'_>> = call.children().filter(|item| item.field() == "arguments").collect();
        arguments.sort_by_key(|item| item.start());
        if arguments.len() != self.parameters.len() {
            return Err("the call passes its arguments in another way");
        }
        let mut edits: Vec<(Span, String)> = Vec::new();
        for (parameter, argument) in self.parameters.iter().zip(&arguments) {
            let names: Vec<Item<'_>> = parameter.id().into_iter().flat_map(|id| self.value.names_of(id)).collect();
            if reach(*argument) != ExpressionReach::Local
                || names.len() != 1 && !argument.is_any(&["Identifier", "Literal"])
            {
                return Err("an argument would be evaluated at another time, or more or less often");
            }
            let is_atom = argument.is_any(&["Identifier", "Literal"]);
            if !is_atom && names.iter().any(|name| evaluated_once(self.value, *name).is_err()) {
                return Err("an argument would be evaluated under a condition only");
            }
            let text = converted(parameter.type_said(), *argument, argument.text(code))?;
            edits.extend(names.iter().map(|name| (name.span(), text.clone())));
        }
        edits.sort();
        let mut text = String::new();
        let mut at = self.value.start();
        for (span, new) in edits {
            text.push_str(&code.text()[at..span.start]);
            text.push_str(&new);
            at = span.end;
        }
        text.push_str(&code.text()[at..self.value.span().end]);
        let of = self.returned.type_said();
        let is_whole = call.parent().is_some_and(|it| it.is_any(&["Return", "VariableDeclarationStatement"]));
        if is_same(of, self.value.type_said()) {
            return Ok(if self.value.is_any(ATOMS) || is_whole { text } else { format!("({text})") });
        }
        if is_integer(of) {
            Ok(format!("{of}({text})"))
        } else {
            Err("what it returns is converted, which an expression is not")
        }
    }
}

/// Writes an argument so that it has the parameter's type.
fn converted(of: &str, argument: Item<'_>, text: &str) -> Result<String, &'static str> {
    match () {
        () if is_same(of, argument.type_said()) && argument.is_any(ATOMS) => Ok(text.to_owned()),
        () if is_same(of, argument.type_said()) => Ok(format!("({text})")),
        () if is_integer(of) => Ok(format!("{of}({text})")),
        () => Err("an argument is converted to another type, or copied"),
    }
}

/// Tells whether a name of the body is that of a variable of the function that calls.
fn is_hidden(function: Item<'_>, name: Item<'_>) -> bool {
    let is_namesake = |item: Item<'_>| item.is("VariableDeclaration") && item.said("name") == name.said("name");
    let is_parameter = name.meant().is_some_and(|it| it.is("VariableDeclaration") && !it.flag("stateVariable"));
    name.is("Identifier") && !is_parameter && function.all().any(is_namesake)
}

/// Returns the lines of a function with its comments, and an empty one beside them.
fn lines(code: &Code, one: &Definition) -> Result<Span, Refusal> {
    let (start, end) = (above(code, one), code.next_line(one.span.end));
    let is_alone = code.text()[one.span.end..end].trim().is_empty()
        && code.text()[code.line_start(one.span.start)..one.span.start].trim().is_empty();
    if !is_alone {
        return Err(code.refuse(one.span.start, "it shares its lines with something else"));
    }
    let before = &code.text()[..start];
    let gap = format!("{0}{0}", code.newline());
    let start = if before.ends_with(&gap) { start - code.newline().len() } else { start };
    Ok(Span::new(start, end))
}
