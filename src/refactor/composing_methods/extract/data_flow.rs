//! What flows into some statements of a Python function, or of a module, and out of them.

use crate::refactor::Refusal;
use crate::refactor::analysis::definite_assignment::{completes, is_read_behind, is_set_at, outcome};
use crate::refactor::analysis::present_values::{answer_nothing, returns, returns_one_value};
use crate::refactor::doubts::in_doubt;
use crate::refactor::refusal::{both, each};
use crate::refactor::scopes::{ScopedNames, function_of_name};
use crate::refactor::source_file::Code;
use crate::syntax::scopes::Name;
use crate::syntax::{Node, is_any_function, is_async};
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
    /// Out of the function, always, or to its end.
    Returns,
    /// To the end of the function, which answers nothing.
    Ends,
    /// Out of the function, with one value that is written out, or to the statement behind them.
    Leaves,
    /// Out of the function, with values, or to the statement behind them.
    Answers,
}

/// Tells whether others than its module may use a variable.
pub(super) type IsOpen<'o> = dyn Fn(&str) -> bool + 'o;

/// Statements in their function, or in their module.
struct Lines<'c, 'n> {
    code: &'c Code,
    names: &'n ScopedNames<'c>,
    function: Node<'c>,
    statements: &'n [Node<'c>],
    span: Span,
    is_open: &'n IsOpen<'n>,
}

const LOOPS: &[&str] = &["for_statement", "while_statement"];

impl<'c> Flow<'c> {
    pub(super) fn of(
        code: &'c Code,
        names: &ScopedNames<'c>,
        function: Node<'c>,
        (statements, is_open): (&[Node<'c>], &IsOpen<'_>),
    ) -> Result<Self, Refusal> {
        let span = Span::new(statements[0].start(), statements[statements.len() - 1].end());
        let lines = Lines { code, names, function, statements, span, is_open };
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
            if goes_out && matches!(exit, Exit::Leaves | Exit::Answers) {
                return lines.refuse(code.covering(name.span), "the lines return here and there, and set a variable");
            }
            outputs.extend((goes_out && exit == Exit::Falls).then_some(text));
        }
        let awaits = lines.own().any(|node| node.is("await") || is_async(node));
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
            "global_statement" | "nonlocal_statement" => self.refuse(node, "the lines set variables of other scopes"),
            "delete_statement" if self.deletes_of_others(node) => self.refuse(node, "the lines delete a name"),
            "break_statement" | "continue_statement" if !self.stays(node) => {
                self.refuse(node, "the lines have several exits: one leaves a loop around them")
            }
            "identifier" if matches!(node.text(self.code.text()), "stacklevel" | "_getframe" | "currentframe") => {
                self.refuse(node, "the lines ask who called their function, which another one would answer")
            }
            "identifier"
                if matches!(node.text(self.code.text()), "locals" | "vars" | "eval" | "exec" | "globals")
                    && self.code.means_itself(node) =>
            {
                in_doubt(self.code, node.span(), "the lines may use variables by names that are made at run time")
            }
            _ => Ok(()),
        };
        each(self.own().map(check))?;
        let returns = returns(self.statements).next();
        match returns {
            None => Ok(Exit::Falls),
            Some(_) if self.is_tail() && answer_nothing(self.statements) => Ok(Exit::Ends),
            Some(_) if self.is_tail() || !completes(self.names, self.statements) => Ok(Exit::Returns),
            Some(node) if self.is_module() => self.refuse(node, "the lines return, and stand in no function"),
            Some(_) if returns_one_value(self.code, self.statements) => Ok(Exit::Leaves),
            Some(_) => Ok(Exit::Answers),
        }
    }

    /// Tells whether a statement takes a name away that is said outside the lines, too; not so an element or an attribute.
    fn deletes_of_others(&self, statement: Node<'_>) -> bool {
        let is_list = |it: Node<'_>| it.is_any(&["expression_list", "tuple", "list"]);
        let targets = statement.walk_until(|it| it != statement && !is_list(it)).filter(|it| it.is("identifier"));
        targets.filter_map(|it| self.names.at(it)).any(|it| {
            let mut all = self.names.of_meaning(it.meaning);
            all.any(|name| !self.span.contains(name.span))
        })
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
        let is_written = writes.iter().any(is_inside);
        let is_open = is_written && self.is_module() && name.span.of(self.code.text()).is_some_and(self.is_open);
        if name.is_free
            || self.names.function_of_meaning(name.meaning).is_none() && !is_own
            || writes.iter().all(is_inside) && all.iter().all(is_inside) && !is_open
            || self.is_module() && !is_written && !self.is_variable(&writes)
        {
            return Ok((false, false));
        }
        let node = self.code.covering(name.span);
        if is_written && !writes.iter().all(|one| self.stands_here(one)) {
            return self.refuse(node, "the lines set a variable of another function");
        }
        let others: Vec<&Name> = all.iter().filter(|one| !is_inside(one)).collect();
        let is_captured = |one: &&&Name| !self.stands_here(one);
        let captured = others.iter().find(is_captured).filter(|_| is_written);
        if let Some(captured) = captured.filter(|one| !self.names.is_write(***one)) {
            return self.refuse(
                self.code.covering(captured.span),
                "a function that is defined here uses a variable that the lines set",
            );
        }
        let outcome = outcome(self.names, name.meaning, self.statements);
        let goes_out = is_open || is_written && is_read_behind(self.names, name.meaning, self.function, self.last());
        let declared = writes.iter().filter(|one| is_inside(one)).find(|one| self.is_declared(**one));
        if let Some(declared) = declared.filter(|_| goes_out && self.is_module()) {
            return self.refuse(self.code.covering(declared.span), "what the lines declare is used outside of them");
        }
        let before = writes.iter().any(|one| !is_inside(one));
        let goes_in = before && (outcome.reads_unset || goes_out && !outcome.ends_set);
        self.check_capture(name, &writes)?;
        let is_set = !is_own || is_set_at(self.names, name.meaning, self.function, self.first());
        if goes_in && !is_set {
            return self.refuse(node, "the variable may have no value yet when the lines begin");
        }
        if goes_out && !goes_in && !outcome.ends_set {
            return self.refuse(node, "the variable may have no value yet when the lines end");
        }
        let is_last = writes.iter().filter(|one| is_inside(one)).all(|one| self.is_last_act(*one));
        let is_used = |one: &&Name| !self.names.is_write(**one) && self.is_cut_off(one.span);
        if is_written && !is_last && others.iter().any(is_used) {
            return self.refuse(node, "the lines set a variable that is used behind the `try` around them");
        }
        Ok((goes_in, goes_out))
    }

    fn is_module(&self) -> bool {
        self.function.is("module")
    }

    /// Tells whether a name stands in the function of the lines, or in the module, and in no function inside that.
    fn stands_here(&self, name: &Name) -> bool {
        let around = Some(self.function).filter(|_| !self.is_module());
        function_of_name(self.code.covering(name.span)) == around
    }

    /// Tells whether a name of the module is that of a variable that is passed, not of a constant that all see, or of what is
    /// declared.
    fn is_variable(&self, writes: &[Name]) -> bool {
        let is_constant = |one: &Name| {
            let text = one.span.of(self.code.text()).unwrap_or_default();
            text.chars().all(|it| !it.is_lowercase())
        };
        let is_passed = |one: &Name| self.stands_here(one) && !is_constant(one) && !self.is_declared(*one);
        !writes.is_empty() && writes.iter().all(is_passed)
    }

    /// Tells whether a name is given to a function, a class or a module here.
    fn is_declared(&self, write: Name) -> bool {
        const DECLARING: &[&str] =
            &["class_definition", "function_definition", "import_from_statement", "import_statement"];
        let node = self.code.covering(write.span);
        let statement = node.ancestors().find(|it| it.is_any(DECLARING) || it.kind().ends_with("_statement"));
        statement.is_some_and(|it| {
            it.is_any(DECLARING) && (it.kind().starts_with("import") || it.child("name") == Some(node))
        })
    }

    /// Tells whether giving a variable its value is the last that the lines do on their way, so that nothing can cut them
    /// off behind it.
    fn is_last_act(&self, write: Name) -> bool {
        let node = self.code.covering(write.span);
        let assignment = node.parent().filter(|it| it.is("assignment") && it.child("left") == Some(node));
        let Some(statement) = assignment.and_then(Node::parent).filter(|it| it.is("expression_statement")) else {
            return false;
        };
        let mut inner = statement;
        for outer in statement.ancestors() {
            if inner == self.last() {
                return true;
            }
            let is_last = match outer.kind() {
                "block" => outer.named_children().last() == Some(inner),
                "elif_clause" | "if_statement" => true,
                "else_clause" => outer.parent().is_some_and(|it| it.is("if_statement")),
                _ => false,
            };
            if !is_last {
                return false;
            }
            inner = outer;
        }
        false
    }

    /// Returns the first of the statements, comments above it left aside.
    fn first(&self) -> Node<'c> {
        self.statements.iter().find(|node| !node.is("comment")).copied().unwrap_or(self.statements[0])
    }

    fn last(&self) -> Node<'c> {
        self.statements.iter().rfind(|node| !node.is("comment")).copied().unwrap_or(self.statements[0])
    }

    fn name_of_function(&self) -> Option<Span> {
        self.function.child("name").map(Node::span)
    }

    /// Tells whether control can come from the lines to a place: it stands behind them, or before them in a loop.
    fn comes_after(&self, place: Span) -> bool {
        place.start >= self.span.end || self.in_loop().is_some_and(|outer| outer.span().contains(place))
    }

    /// Returns the outermost loop around the lines, in their function.
    fn in_loop(&self) -> Option<Node<'c>> {
        let around = self.statements[0].ancestors().take_while(|outer| *outer != self.function);
        around.filter(|outer| outer.is_any(LOOPS)).last()
    }

    /// Refuses functions inside the lines that would keep seeing an old value.
    fn check_capture(&self, name: Name, writes: &[Name]) -> Result<(), Refusal> {
        let mut inside = self.names.of_meaning(name.meaning).filter(|one| self.span.contains(one.span));
        let is_inner = |one: &Name| !self.stands_here(one);
        let later = |one: &&Name| !self.span.contains(one.span) && self.comes_after(one.span);
        match inside.find(is_inner) {
            Some(inner) if writes.iter().any(|one| later(&one)) => self.refuse(
                self.code.covering(inner.span),
                "a function in the lines uses a variable that is set again later",
            ),
            _ => Ok(()),
        }
    }

    /// Tells whether an exception could leave the lines, be caught in their function, and lead to a place.
    fn is_cut_off(&self, place: Span) -> bool {
        let around = self.statements[0].ancestors().take_while(|outer| *outer != self.function);
        let bodies = around.filter(|outer| outer.is("try_statement")).filter_map(|outer| outer.child("body"));
        let mut bodies = bodies.filter(|body| body.holds(self.statements[0]));
        let is_again = |body: &Node<'_>| self.in_loop().is_some_and(|outer| outer.holds(*body));
        self.comes_after(place) && bodies.any(|body| !body.span().contains(place) || is_again(&body))
    }

    /// Tells whether nothing of the function is carried out behind the lines.
    fn is_tail(&self) -> bool {
        let mut inner = self.last();
        for outer in self.last().ancestors() {
            let is_last = match outer.kind() {
                "block" => outer.named_children().last() == Some(inner),
                "if_statement" | "elif_clause" | "else_clause" => true,
                _ => return outer == self.function,
            };
            let follows_loop = outer.is("else_clause") && outer.parent().is_none_or(|it| !it.is("if_statement"));
            if !is_last || follows_loop {
                return false;
            }
            inner = outer;
        }
        false
    }
}
