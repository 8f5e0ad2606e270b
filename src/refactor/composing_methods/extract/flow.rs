//! What flows into some statements of a Python function, and out of them.

use crate::refactor::Refusal;
use crate::refactor::refusal::{both, each};
use crate::refactor::scopes::Names;
use crate::refactor::source_file::{Code, function_of, statement_of};
use crate::syntax::scopes::Name;
use crate::syntax::{Node, is_any_function};
use crate::text::Span;

/// The variables that statements take and give, in the order of their first places.
pub(super) struct Flow<'c> {
    pub inputs: Vec<&'c str>,
    pub outputs: Vec<&'c str>,
    pub exit: Exit,
    pub awaits: bool,
}

/// How control leaves the statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// To the statement behind them.
    Falls,
    /// Out of the function, always.
    Returns,
}

/// Statements in their function.
struct Lines<'c, 'n> {
    code: &'c Code,
    names: &'n Names<'c>,
    function: Node<'c>,
    statements: &'n [Node<'c>],
    span: Span,
}

const LOOPS: &[&str] = &["for_statement", "while_statement"];
/// What gives a name a value whenever it is carried out.
const GIVES: &[&str] =
    &["expression_statement", "import_statement", "import_from_statement", "function_definition", "class_definition"];

impl<'c> Flow<'c> {
    pub(super) fn of(
        code: &'c Code,
        names: &Names<'c>,
        function: Node<'c>,
        statements: &[Node<'c>],
    ) -> Result<Self, Refusal> {
        let span = Span::new(statements[0].start(), statements[statements.len() - 1].end());
        let lines = Lines { code, names, function, statements, span };
        let (mut inputs, mut outputs, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        let mut known: Vec<Name> = names.within(span).collect();
        known.retain(|name| {
            let is_new = !seen.contains(&name.meaning);
            seen.push(name.meaning);
            is_new
        });
        let (exit, flows) = both(lines.exit(), each(known.iter().map(|name| lines.flows(*name))))?;
        for (name, (goes_in, goes_out)) in known.iter().zip(flows) {
            let text = name.span.of(code.text()).unwrap_or_default();
            inputs.extend(goes_in.then_some(text));
            outputs.extend((goes_out && exit == Exit::Falls).then_some(text));
        }
        let awaits = lines.own().any(|node| node.is("await") || node.children().any(|child| child.kind() == "async"));
        Ok(Self { inputs, outputs, exit, awaits })
    }
}

impl<'c> Lines<'c, '_> {
    /// Returns the nodes of the statements, those of functions inside them left aside.
    fn own(&self) -> impl Iterator<Item = Node<'c>> {
        self.statements.iter().flat_map(|statement| statement.walk_until(is_any_function))
    }

    fn refuse<T>(&self, node: Node<'_>, reason: &str) -> Result<T, Refusal> {
        Err(self.code.refuse(node.start(), reason))
    }

    /// Finds how control leaves, and refuses more ways than one.
    fn exit(&self) -> Result<Exit, Refusal> {
        let check = |node: Node<'_>| match node.kind() {
            "yield" => self.refuse(node, "the lines yield"),
            "global_statement" | "nonlocal_statement" => self.refuse(node, "the lines set variables of others"),
            "delete_statement" => self.refuse(node, "the lines delete a name"),
            "break_statement" | "continue_statement" if !self.stays(node) => {
                self.refuse(node, "the lines have several exits: one leaves a loop around them")
            }
            "identifier" if matches!(node.text(self.code.text()), "locals" | "vars" | "eval" | "exec" | "globals") => {
                self.refuse(node, "the lines may use variables by names that are made at run time")
            }
            _ => Ok(()),
        };
        each(self.own().map(check))?;
        let last = self.statements.iter().rfind(|node| !node.is("comment")).copied();
        let returns = self.own().find(|node| node.is("return_statement"));
        match (returns, last) {
            (None, _) => Ok(Exit::Falls),
            (Some(_), Some(last)) if leaves(last) => Ok(Exit::Returns),
            (Some(node), _) => self.refuse(node, "the lines have several exits: they return here, or go on behind"),
        }
    }

    /// Tells whether the loop that a `break` or `continue` speaks of lies in the lines.
    fn stays(&self, node: Node<'_>) -> bool {
        let mut around = node.ancestors().take_while(|outer| !is_any_function(*outer));
        around.find(|outer| outer.is_any(LOOPS)).is_some_and(|outer| self.span.contains(outer.span()))
    }

    /// Tells whether the lines take a variable's value from before, and whether its value is used behind them.
    fn flows(&self, name: Name) -> Result<(bool, bool), Refusal> {
        let writes: Vec<Name> = self.names.writes(name.meaning).collect();
        let is_inside = |one: &Name| self.span.contains(one.span);
        let all: Vec<Name> = self.names.of_meaning(name.meaning).collect();
        let is_own = writes
            .iter()
            .any(|one| self.function.span().contains(one.span) && self.name_of_function() != Some(one.span));
        if name.is_free
            || self.names.function_of_meaning(name.meaning).is_none() && !is_own
            || writes.iter().all(is_inside) && all.iter().all(is_inside)
        {
            return Ok((false, false));
        }
        let node = self.code.covering(name.span);
        let is_written = writes.iter().any(is_inside);
        if is_written && !self.names.is_local(name, Some(self.function)) {
            return self.refuse(node, "the lines set a variable of another function");
        }
        let others: Vec<&Name> = all.iter().filter(|one| !is_inside(one)).collect();
        let is_captured = |one: &&&Name| function_of(self.code.covering(one.span)) != Some(self.function);
        let captured = others.iter().find(is_captured).filter(|_| is_written);
        if let Some(captured) = captured.filter(|one| !self.names.is_write(***one)) {
            return self.refuse(
                self.code.covering(captured.span),
                "a function that is defined here uses a variable that the lines set",
            );
        }
        let goes_out = is_written
            && others
                .iter()
                .any(|one| !self.names.is_write(**one) && self.comes_after(one.span) || self.is_updated_after(one));
        let is_set_first = self.sets_first(name);
        let needed = all.iter().any(|one| is_inside(one) && !self.names.is_write(*one)) && !is_set_first
            || self.is_updated(name);
        let before = writes.iter().any(|one| !is_inside(one));
        let goes_in = before && (needed || goes_out && !is_set_first);
        self.check_capture(name, &writes)?;
        if goes_in && !self.is_surely_set(&writes) {
            return self.refuse(node, "the variable may have no value yet when the lines begin");
        }
        if goes_out && !goes_in && !is_set_first {
            return self.refuse(node, "the variable may have no value yet when the lines end");
        }
        if goes_out && self.may_be_cut_short() {
            return self.refuse(node, "the lines set a variable that is used behind the `try` around them");
        }
        Ok((goes_in, goes_out || is_written && goes_in && self.in_loop().is_some()))
    }

    fn name_of_function(&self) -> Option<Span> {
        self.function.child("name").map(Node::span)
    }

    /// Tells whether control can come from the lines to a place: it stands behind them, or before them in a loop.
    fn comes_after(&self, place: Span) -> bool {
        place.start >= self.span.end || self.in_loop().is_some_and(|outer| outer.span().contains(place))
    }

    /// `x += 1` behind the lines reads what they set.
    fn is_updated_after(&self, one: &Name) -> bool {
        let node = self.code.covering(one.span);
        self.comes_after(one.span) && node.parent().is_some_and(|parent| parent.is("augmented_assignment"))
    }

    /// Tells whether the lines update a variable that they do not set themselves.
    fn is_updated(&self, name: Name) -> bool {
        let inside = self.names.of_meaning(name.meaning).filter(|one| self.span.contains(one.span));
        let mut nodes = inside.map(|one| self.code.covering(one.span));
        !self.sets_first(name)
            && nodes.any(|node| node.parent().is_some_and(|parent| parent.is("augmented_assignment")))
    }

    /// Returns the outermost loop around the lines, in their function.
    fn in_loop(&self) -> Option<Node<'c>> {
        let around = self.statements[0].ancestors().take_while(|outer| *outer != self.function);
        around.filter(|outer| outer.is_any(LOOPS)).last()
    }

    /// Tells whether the first of the lines to know a variable gives it its value, always and by that alone.
    fn sets_first(&self, name: Name) -> bool {
        let places: Vec<Name> =
            self.names.of_meaning(name.meaning).filter(|one| self.span.contains(one.span)).collect();
        let Some(first) = places.first() else { return false };
        let Some(statement) = self.statements.iter().find(|it| it.span().contains(first.span)) else { return false };
        let inside: Vec<&Name> = places.iter().filter(|one| statement.span().contains(one.span)).collect();
        let is_plain = inside.iter().all(|one| self.names.is_write(**one)) && statement.is_any(GIVES);
        let nodes = || inside.iter().map(|one| self.code.covering(one.span));
        is_plain
            && !nodes()
                .any(|node| node.ancestors().take(3).any(|outer| outer.is_any(&["augmented_assignment", "lambda"])))
            && !nodes().any(|node| {
                node.parent().is_some_and(|parent| parent.is("assignment") && parent.child("right").is_none())
            })
    }

    /// Tells whether one of the places that set a variable is passed on every way to the lines.
    fn is_surely_set(&self, writes: &[Name]) -> bool {
        let sets = |one: &Name| {
            if self.span.contains(one.span) {
                return false;
            }
            let node = self.code.covering(one.span);
            if !self.function.span().contains(one.span)
                || node.ancestors().any(|outer| outer.is_any(&["parameters", "lambda_parameters"]))
            {
                return true;
            }
            let statement = statement_of(node);
            let block = statement.and_then(Node::parent);
            let is_above =
                block.is_some_and(|block| block.holds(self.statements[0])) && one.span.end <= self.span.start;
            let gives = statement.is_some_and(|it| {
                it.is_any(GIVES)
                    && node.parent().is_none_or(|parent| !parent.is("assignment") || parent.child("right").is_some())
            });
            let is_head = node.ancestors().any(|outer| {
                outer.is_any(&["for_statement", "with_statement", "except_clause"])
                    && outer.holds(self.statements[0])
                    && outer.child("body").is_none_or(|body| !body.span().contains(one.span))
            });
            is_above && gives || is_head
        };
        writes.iter().any(sets)
    }

    /// Refuses functions inside the lines that would keep seeing an old value.
    fn check_capture(&self, name: Name, writes: &[Name]) -> Result<(), Refusal> {
        let mut inside = self.names.of_meaning(name.meaning).filter(|one| self.span.contains(one.span));
        let is_inner = |one: &Name| function_of(self.code.covering(one.span)) != function_of(self.statements[0]);
        let later = |one: &&Name| !self.span.contains(one.span) && self.comes_after(one.span);
        match inside.find(is_inner) {
            Some(inner) if writes.iter().any(|one| later(&one)) => self.refuse(
                self.code.covering(inner.span),
                "a function in the lines uses a variable that is set again later",
            ),
            _ => Ok(()),
        }
    }

    /// Tells whether an exception could leave the lines and be caught in their function.
    fn may_be_cut_short(&self) -> bool {
        let mut around = self.statements[0].ancestors().take_while(|outer| *outer != self.function);
        around.any(|outer| outer.is("try_statement"))
    }
}

/// Tells whether a statement leaves the function in every case.
fn leaves(node: Node<'_>) -> bool {
    match node.kind() {
        "return_statement" | "raise_statement" => true,
        "block" => node.named_children().last().is_some_and(leaves),
        "else_clause" => node.child("body").is_some_and(leaves),
        "if_statement" => {
            let branches: Vec<Node<'_>> = node.children_in("alternative").collect();
            let has_else = branches.last().is_some_and(|last| last.is("else_clause"));
            has_else
                && node.child("consequence").is_some_and(leaves)
                && branches.iter().all(|branch| leaves(branch.child("consequence").unwrap_or(*branch)))
        }
        _ => false,
    }
}
