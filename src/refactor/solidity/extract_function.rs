//! Extract Method and Extract Function, in Solidity: into a private function of the contract, or beside a free function.
//!
//! ```solidity
//! uint256 base = price * quantity;         uint256 net = _net(price, quantity);
//! uint256 net = base - discount;       →   …
//!                                          function _net(uint256 price, …) private view returns (uint256) { … }
//! ```

use std::collections::BTreeMap;

use super::ast::{Ast, Item};
use super::evaluation::{reach, unchecked};
use super::explaining_variable::function_of;
use super::project::Ground;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::ExpressionReach;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::repeated_statements::{Extraction, Repeated, joined, same, wanted};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::DefinitionId;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What leaves the lines, or cannot stand in another function.
const LEAVING: &[(&str, &str)] = &[
    ("Return", "a `return` of the function stands in the lines"),
    ("InlineAssembly", "assembly stands in the lines"),
    ("PlaceholderStatement", "the body that the modifier is put around stands in the lines"),
];
const LOOPS: &[&str] = &["ForStatement", "WhileStatement", "DoWhileStatement"];

/// The lines that become a function.
struct Piece<'a> {
    function: Item<'a>,
    statements: Vec<Item<'a>>,
    /// With the comments between them.
    span: Span,
}

/// What comes out of the lines.
struct Outcome<'a> {
    variable: Item<'a>,
    is_declared_inside: bool,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let ast = Ast::of(session, &ground, &code).await?;
    let lines = request
        .target
        .lines
        .ok_or_else(|| Refusal::NotPossible("name the lines that shall be a function: `path#L10-L15`".to_owned()))?;
    let (name, span) = (request.params.text("name"), code.words(lines));
    let piece = Piece::of(&code, &ast, span)?;
    let contract = contract_of(&code, &ground, piece.function);
    check_name(session, &code, &ground, (contract, name)).noted()?;
    let model = piece.extraction(&code, name)?;
    let statements = Vec::from_iter(code.root().descendants().filter(|it| piece.is_statement(*it)));
    let extraction = |one: &Repeated<'_>| {
        let other = Piece::of(&code, &ast, one.span())?;
        let is_its = contract_of(&code, &ground, other.function) == contract;
        Ok(Some(other.extraction(&code, name)?).filter(|_| is_its))
    };
    let mut all = Vec::new();
    for one in wanted(&code, &ScopedNames::of(&code), (request, &statements)) {
        let own = extraction(&one);
        all.push((one, own));
    }
    code.plan(joined(same(session, &code, model, all), 0))
}

/// Returns the contract that has a function.
fn contract_of(code: &Code, ground: &Ground, function: Item<'_>) -> Option<DefinitionId> {
    ground.model.around(&Ground::id(&code.path), function.start(), |one| super::project::is_contract(one.kind))
}

fn check_name(
    session: &Session,
    code: &Code,
    ground: &Ground,
    (contract, name): (Option<DefinitionId>, &str),
) -> Result<(), Refusal> {
    match contract {
        Some(contract) => ground.check_member(session, contract, name),
        None => ground.check_top(session, &Ground::id(&code.path), name),
    }
}

impl<'a> Piece<'a> {
    fn of(code: &Code, ast: &'a Ast, span: Span) -> Result<Self, Refusal> {
        let nothing = || code.refuse(span.start, "the lines hold no whole statements of a block");
        let block = ast
            .iter()
            .filter(|item| item.is_any(&["Block", "UncheckedBlock"]) && item.span().contains(span))
            .filter(|item| item.start() < span.start)
            .last()
            .ok_or_else(nothing)?;
        let statements: Vec<Item<'_>> =
            block.children().filter(|item| item.field() == "statements" && item.span().overlaps(span)).collect();
        // The compiler counts a semicolon to some statements only.
        let whole = |item: &&Item<'_>| !span.contains(item.span());
        if let Some(cut) = statements.iter().find(whole) {
            return Err(code.refuse(cut.start(), "the lines cut the statement in two that begins here"));
        }
        let last = statements.last().ok_or_else(nothing)?;
        let rest = code.text()[last.span().end..span.end].trim_start();
        if !rest.is_empty() && !rest.starts_with(';') && !rest.starts_with('/') {
            return Err(nothing());
        }
        let function = function_of(block).ok_or_else(nothing)?;
        Ok(Self { function, statements, span })
    }

    /// Writes the lines as a function, and the call of it.
    fn extraction(&self, code: &Code, name: &str) -> Result<Extraction, Refusal> {
        self.check(code)?;
        let result = if self.returned().is_some() { None } else { self.result(code)? };
        let taken = self.taken(result.as_ref());
        let arguments: Vec<&str> = taken.iter().map(|item| item.said("name")).collect();
        let call = format!("{name}({})", arguments.join(", "));
        let call = match &result {
            Some(result) if result.is_declared_inside => format!("{} = {call};", declared(code, result.variable)),
            Some(result) => format!("{} = {call};", result.variable.said("name")),
            None if self.returned().is_some() => format!("return {call};"),
            None => format!("{call};"),
        };
        let written = self.written(code, name, &taken, result.as_ref());
        let (end, at) = (code.newline(), self.function.span().end);
        let definition = vec![TextEdit::new(Span::at(at), format!("{end}{end}{written}"))];
        Ok(Extraction { definition, call: TextEdit::new(self.span, call) })
    }

    /// Tells whether a node is one of the statements: the compiler counts a semicolon to some of them only.
    fn is_statement(&self, node: Node<'_>) -> bool {
        let is_in_block = node.parent().is_some_and(|outer| !self.span.contains(outer.span()));
        node.is_named() && self.span.contains(node.span()) && is_in_block
    }

    fn all(&self) -> impl Iterator<Item = Item<'a>> {
        self.statements.iter().flat_map(|item| item.all())
    }

    fn holds(&self, item: Item<'_>) -> bool {
        self.span.contains(item.span())
    }

    /// Refuses what cannot stand in another function.
    fn check(&self, code: &Code) -> Result<(), Refusal> {
        let last = self.returned().and_then(Item::parent);
        for item in self.all().filter(|item| Some(*item) != last) {
            let refuse = |reason: &str| Err(code.refuse(item.start(), reason));
            if let Some((_, reason)) = LEAVING.iter().find(|(kind, _)| item.is(kind)) {
                return refuse(reason);
            }
            let leaves = |item: Item<'_>| !item.ancestors().any(|outer| outer.is_any(LOOPS) && self.holds(outer));
            if item.is_any(&["Break", "Continue"]) && leaves(item) {
                return refuse("it leaves a loop around the lines");
            }
            let is_fixed = |item: Item<'_>| item.meant().is_some_and(|meant| meant.said("mutability") == "immutable");
            let is_constructor = self.function.said("kind") == "constructor";
            if item.is("Identifier") && (is_fixed(item) && is_constructor) {
                return refuse("an immutable variable is the constructor's own");
            }
        }
        let first = self.statements.first().expect("there is one");
        if self.function.is("ModifierDefinition") {
            return Err(code.refuse(first.start(), "the lines stand in a modifier"));
        }
        if unchecked(*first).is_some() {
            return Err(code.refuse(first.start(), "the lines stand in `unchecked`"));
        }
        if !code.text()[code.line_start(self.span.start)..self.span.start].trim().is_empty() {
            return Err(code.refuse(self.span.start, "the lines do not begin a line"));
        }
        Ok(())
    }

    /// Returns what the function gives back where the lines end with that, whatever comes before.
    fn returned(&self) -> Option<Item<'a>> {
        self.statements.last().filter(|it| it.is("Return")).and_then(|it| it.child("expression"))
    }

    /// Returns the function's variables that the lines name, parameters included, in the order of their declarations.
    fn variables(&self) -> Vec<Item<'a>> {
        let mut found = BTreeMap::new();
        for item in self.all().filter(|item| item.is("Identifier")) {
            let meant = item.meant().filter(|meant| meant.is("VariableDeclaration") && self.function.holds(*meant));
            found.extend(meant.map(|meant| (meant.start(), meant)));
        }
        found.into_values().collect()
    }

    /// Returns what the lines give a value that is used behind them: one variable at most.
    fn result(&self, code: &Code) -> Result<Option<Outcome<'a>>, Refusal> {
        let mut found: Vec<Outcome<'a>> = Vec::new();
        let declared = self.all().filter(|item| item.is("VariableDeclaration"));
        for variable in declared.filter(|variable| self.is_used_behind(*variable)) {
            found.push(Outcome { variable, is_declared_inside: true });
        }
        let outer = self.variables().into_iter().filter(|variable| !self.holds(*variable));
        for variable in outer.filter(|variable| self.is_written(*variable) && self.is_used_behind(*variable)) {
            found.push(Outcome { variable, is_declared_inside: false });
        }
        if let Some(second) = found.get(1) {
            let (one, other) = (found[0].variable.said("name"), second.variable.said("name"));
            return Err(code.refuse(self.span.start, format!("`{one}` and `{other}` both come out of the lines")));
        }
        let is_storage = |it: &Outcome<'_>| !it.is_declared_inside && it.variable.said("storageLocation") == "storage";
        match found.pop() {
            Some(it) if is_storage(&it) => {
                Err(code.refuse(self.span.start, format!("`{}` is led to another place", it.variable.said("name"))))
            }
            Some(it) if it.is_declared_inside && !self.is_in_block(it.variable) => {
                Err(code.refuse(it.variable.start(), "it is declared together with others"))
            }
            found => Ok(found),
        }
    }

    /// Tells whether a variable is declared by itself, by one of the statements.
    fn is_in_block(&self, variable: Item<'_>) -> bool {
        let statement = variable.parent().filter(|parent| parent.is("VariableDeclarationStatement"));
        statement.is_some_and(|it| {
            self.statements.contains(&it) && it.children().filter(|child| child.field() == "declarations").count() == 1
        })
    }

    fn is_written(&self, variable: Item<'_>) -> bool {
        let names = variable.id().into_iter().flat_map(|id| self.function.names_of(id));
        names.into_iter().any(|name| self.holds(name) && name.is_written())
    }

    /// Tells whether a variable is used behind the lines, or before them by a loop that comes back.
    fn is_used_behind(&self, variable: Item<'_>) -> bool {
        let is_returned = variable.parent().is_some_and(|list| list.field() == "returnParameters");
        let is_looped = self.statements[0].ancestors().any(|outer| outer.is_any(LOOPS) && self.function.holds(outer));
        let names = variable.id().into_iter().flat_map(|id| self.function.names_of(id));
        let mut outside = names.filter(|name| !self.holds(*name));
        // Assembly names variables by their texts.
        let is_yul = |item: Item<'_>| item.is("YulIdentifier") && item.said("name").starts_with(variable.said("name"));
        is_returned && self.function.holds(variable)
            || outside.any(|name| name.start() > self.span.end || is_looped)
            || self.function.all().any(is_yul)
    }

    /// Returns the parameters: what is declared outside and named inside.
    fn taken(&self, result: Option<&Outcome<'a>>) -> Vec<Item<'a>> {
        let outer = self.variables().into_iter().filter(|variable| !self.holds(*variable));
        let is_result = |variable: &Item<'_>| result.is_some_and(|result| result.variable == *variable);
        let is_read = |variable: &Item<'_>| {
            let names = variable.id().into_iter().flat_map(|id| self.function.names_of(id));
            names.into_iter().any(|name| self.holds(name))
        };
        outer.filter(|variable| is_read(variable) || is_result(variable)).collect()
    }

    /// How far the lines reach; to give something back is no act.
    fn reach(&self) -> ExpressionReach {
        let pieces = self.statements.iter().map(|it| self.returned().filter(|value| it.holds(*value)).unwrap_or(*it));
        pieces.map(reach).max().unwrap_or(ExpressionReach::Local)
    }

    /// Writes the new function, with the indentation of the old one.
    fn written(&self, code: &Code, name: &str, taken: &[Item<'a>], result: Option<&Outcome<'a>>) -> String {
        let (layout, end) = (Layout::of(code), code.newline());
        let base = code.indent(self.function.start());
        let inner = format!("{base}{}", layout.step());
        let parameters: Vec<String> = taken.iter().map(|item| declared(code, *item)).collect();
        let mut head = format!("function {name}({})", parameters.join(", "));
        if self.function.said("kind") != "freeFunction" {
            head.push_str(" private");
        }
        match self.function.said("stateMutability") {
            state @ ("view" | "pure") => head = format!("{head} {state}"),
            _ if self.reach() < ExpressionReach::Acts => head.push_str(" view"),
            _ => {}
        }
        if self.returned().is_some() {
            let given = self.function.child("returnParameters").into_iter().flat_map(Item::children);
            let given: Vec<String> = given.map(|item| of(code, item)).collect();
            head = format!("{head} returns ({})", given.join(", "));
        } else if let Some(result) = result {
            head = format!("{head} returns ({})", of(code, result.variable));
        }
        let body = layout.moved(self.span, &inner);
        let back = result.map(|result| format!("{inner}return {};{end}", result.variable.said("name")));
        format!("{base}{head} {{{end}{inner}{body}{end}{}{base}}}", back.unwrap_or_default())
    }
}

/// Writes a variable's type with its data location.
fn of(code: &Code, variable: Item<'_>) -> String {
    let of = variable.child("typeName").map(|of| of.text(code)).unwrap_or_default();
    match variable.said("storageLocation") {
        "default" | "" => of.to_owned(),
        location => format!("{of} {location}"),
    }
}

fn declared(code: &Code, variable: Item<'_>) -> String {
    format!("{} {}", of(code, variable), variable.said("name"))
}
