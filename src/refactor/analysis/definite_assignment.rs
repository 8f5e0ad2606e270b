//! Whether a variable of Python has a value by then, on every way that control can take.
//!
//! ```python
//! if short:          # `width` has no value here, and may be read by nobody
//!     width = 40
//! else:
//!     width = 80
//! print(width)       # set on both ways
//! ```

use super::parameters::list;
use crate::refactor::scopes::ScopedNames;
use crate::syntax::Node;
use crate::syntax::scopes::Name;

/// Whether the variable is set where control comes by; nothing where it never does.
type State = Option<bool>;

/// What some statements do to a variable that has no value before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AssignmentEffect {
    /// It may be read before it is set.
    pub reads_unset: bool,
    /// It is set whenever control goes on behind them.
    pub ends_set: bool,
}

/// Walks through statements that begin without a value.
pub(crate) fn outcome(names: &ScopedNames<'_>, meaning: usize, statements: &[Node<'_>]) -> AssignmentEffect {
    let mut walk = Walk::of(names, meaning, None);
    let end = walk.all(statements.iter().copied(), Some(false));
    AssignmentEffect { reads_unset: walk.reads_unset, ends_set: end.unwrap_or(true) }
}

/// Tells whether a variable of a function, or of a module, is set on every way to one of its statements.
pub(crate) fn is_set_at(names: &ScopedNames<'_>, meaning: usize, function: Node<'_>, place: Node<'_>) -> bool {
    let Some(body) = body_of(function) else { return false };
    let parameters = list(function).map(Node::span);
    let is_given = names
        .writes(meaning)
        .any(|one| parameters.is_some_and(|list| list.contains(one.span)) || !within(one, function));
    let mut walk = Walk::of(names, meaning, Some(place));
    walk.block(body, Some(is_given));
    walk.arrived.unwrap_or(is_given)
}

/// Tells whether what some statements of a function, or of a module, leave in a variable may be read behind them, by the next round of a
/// loop, too.
pub(crate) fn is_read_behind(names: &ScopedNames<'_>, meaning: usize, function: Node<'_>, last: Node<'_>) -> bool {
    let Some(body) = body_of(function) else { return false };
    let mut walk = Walk { forgets: Some(last), ..Walk::of(names, meaning, None) };
    walk.block(body, Some(true));
    walk.reads_unset
}

/// Tells whether control can come to the end of some statements.
pub(crate) fn completes(names: &ScopedNames<'_>, statements: &[Node<'_>]) -> bool {
    Walk::of(names, usize::MAX, None).all(statements.iter().copied(), Some(false)).is_some()
}

fn body_of(function: Node<'_>) -> Option<Node<'_>> {
    function.child("body").or(Some(function).filter(|it| it.is("module")))
}

fn within(name: Name, node: Node<'_>) -> bool {
    node.span().contains(name.span)
}

fn is_same(one: Node<'_>, other: Node<'_>) -> bool {
    one.span() == other.span() && one.kind() == other.kind()
}

fn join(one: State, other: State) -> State {
    match (one, other) {
        (None, only) | (only, None) => only,
        (Some(one), Some(other)) => Some(one && other),
    }
}

struct Walk<'c, 'n> {
    names: &'n ScopedNames<'c>,
    meaning: usize,
    /// The statement that is waited for, and the state in which control arrives there.
    place: Option<Node<'n>>,
    arrived: State,
    /// The statement behind which the variable counts as not set.
    forgets: Option<Node<'n>>,
    reads_unset: bool,
    /// The states at each `break`, and at each `continue`, of the loops around.
    loops: Vec<(State, State)>,
}

impl<'c, 'n> Walk<'c, 'n> {
    fn of(names: &'n ScopedNames<'c>, meaning: usize, place: Option<Node<'n>>) -> Self {
        Self { names, meaning, place, arrived: None, forgets: None, reads_unset: false, loops: Vec::new() }
    }

    fn all<'s>(&mut self, statements: impl Iterator<Item = Node<'s>>, state: State) -> State {
        statements.fold(state, |state, statement| self.statement(statement, state))
    }

    fn block(&mut self, block: Node<'_>, state: State) -> State {
        self.all(block.named_children(), state)
    }

    fn statement(&mut self, node: Node<'_>, state: State) -> State {
        if self.place.is_some_and(|place| is_same(place, node)) {
            self.arrived = join(self.arrived, state);
        }
        let behind = self.carried_out(node, state);
        match self.forgets.is_some_and(|last| is_same(last, node)) {
            true => behind.map(|_| false),
            false => behind,
        }
    }

    fn carried_out(&mut self, node: Node<'_>, state: State) -> State {
        match node.kind() {
            "expression_statement" => self.all(node.named_children(), state),
            "assignment" => self.assignment(node, state),
            "augmented_assignment" => {
                self.expression(node, state);
                self.sets(node.child("left"), state)
            }
            "if_statement" => self.branches(node, state),
            "while_statement" => self.while_loop(node, state),
            "for_statement" => self.for_loop(node, state),
            "try_statement" => self.trying(node, state),
            "with_statement" => self.with(node, state),
            "match_statement" => self.matching(node, state),
            "return_statement" | "raise_statement" => {
                self.expression(node, state);
                None
            }
            "break_statement" | "continue_statement" => {
                if let Some((breaks, continues)) = self.loops.last_mut() {
                    let met = if node.is("break_statement") { breaks } else { continues };
                    *met = join(*met, state);
                }
                None
            }
            "delete_statement" => {
                let is_taken = self.names.within(node.span()).any(|name| name.meaning == self.meaning);
                if is_taken { state.map(|_| false) } else { state }
            }
            _ => {
                let state = self.expression(node, state);
                let is_declaration = node.kind().ends_with("definition") || node.kind().starts_with("import");
                if is_declaration { self.sets(Some(node), state) } else { state }
            }
        }
    }

    /// Notes what is read, and returns the state behind it.
    fn expression(&mut self, node: Node<'_>, state: State) -> State {
        let own = |name: &Name| name.meaning == self.meaning;
        let set = self.names.within(node.span()).filter(own).filter(|name| name.is_binding).find_map(|name| {
            let at = node.descendants().find(|it| it.is_leaf() && it.span() == name.span)?;
            let walrus = at.parent().filter(|it| it.is("named_expression"))?;
            is_certain(walrus, node).then_some(walrus.end())
        });
        let is_update = node.is("augmented_assignment");
        let reads = self.names.within(node.span()).filter(own).any(|name| {
            let is_read = !self.names.is_write(name) || is_update;
            is_read && set.is_none_or(|end| name.span.start < end)
        });
        self.reads_unset |= reads && state == Some(false);
        if set.is_some() { state.map(|_| true) } else { state }
    }

    /// Returns the state behind a place that gives names their values.
    fn sets(&self, target: Option<Node<'_>>, state: State) -> State {
        let Some(target) = target else { return state };
        let given = self.names.within(target.span()).filter(|name| name.meaning == self.meaning);
        // What is bound inside of a function or a class is something else, but for its name.
        let is_set = match target.kind().ends_with("definition") {
            true => given.into_iter().any(|name| name.is_binding && is_name_of(target, name)),
            false => given.into_iter().any(|name| name.is_binding),
        };
        if is_set { state.map(|_| true) } else { state }
    }

    fn assignment(&mut self, node: Node<'_>, state: State) -> State {
        let Some(right) = node.child("right") else { return state };
        let state = match right.is("assignment") {
            true => self.assignment(right, state),
            false => self.expression(right, state),
        };
        if let Some(left) = node.child("left") {
            self.expression(left, state);
        }
        self.sets(node.child("left"), state)
    }

    fn branches(&mut self, node: Node<'_>, state: State) -> State {
        let mut rest = self.condition(node, state);
        let mut out = self.body(node, "consequence", rest);
        for other in node.children_in("alternative") {
            if other.is("else_clause") {
                out = join(out, self.body(other, "body", rest));
                rest = None;
            } else {
                rest = self.condition(other, rest);
                out = join(out, self.body(other, "consequence", rest));
            }
        }
        join(out, rest)
    }

    fn condition(&mut self, node: Node<'_>, state: State) -> State {
        node.child("condition").map_or(state, |condition| self.expression(condition, state))
    }

    fn body(&mut self, node: Node<'_>, field: &str, state: State) -> State {
        let body = node.child(field).or_else(|| node.child_of_kind("block"));
        body.map_or(state, |body| self.block(body, state))
    }

    fn while_loop(&mut self, node: Node<'_>, state: State) -> State {
        let is_endless = node.child("condition").is_some_and(|it| it.is("true"));
        let (mut entry, mut breaks) = (state, None);
        for _ in 0..2 {
            let tested = self.condition(node, entry);
            let end = self.round(node, tested, &mut breaks);
            entry = join(state, end);
        }
        let exit = if is_endless { None } else { self.condition(node, entry) };
        join(self.or_else(node, exit), breaks)
    }

    fn for_loop(&mut self, node: Node<'_>, state: State) -> State {
        let state = node.child("right").map_or(state, |right| self.expression(right, state));
        let (mut entry, mut breaks) = (state, None);
        for _ in 0..2 {
            let begun = self.sets(node.child("left"), entry);
            let end = self.round(node, begun, &mut breaks);
            entry = join(state, end);
        }
        join(self.or_else(node, entry), breaks)
    }

    /// Walks once through the body of a loop.
    fn round(&mut self, node: Node<'_>, state: State, breaks: &mut State) -> State {
        self.loops.push((None, None));
        let end = self.body(node, "body", state);
        let (left, gone_on) = self.loops.pop().unwrap_or_default();
        *breaks = join(*breaks, left);
        join(end, gone_on)
    }

    fn or_else(&mut self, node: Node<'_>, state: State) -> State {
        match node.child_of_kind("else_clause") {
            Some(other) => self.body(other, "body", state),
            None => state,
        }
    }

    fn trying(&mut self, node: Node<'_>, state: State) -> State {
        let body = self.body(node, "body", state);
        // An exception may come before anything is set.
        let cut = join(state, body);
        let mut out = self.or_else(node, body);
        for clause in node.children().filter(|it| it.is_any(&["except_clause", "except_group_clause"])) {
            out = join(out, self.handler(clause, cut));
        }
        match node.child_of_kind("finally_clause") {
            Some(finally) => {
                self.body(finally, "body", join(cut, out));
                self.body(finally, "body", out)
            }
            None => out,
        }
    }

    /// Walks through a handler, whose name for the exception is gone behind it.
    fn handler(&mut self, clause: Node<'_>, state: State) -> State {
        let Some(block) = clause.child_of_kind("block") else { return state };
        let heads: Vec<Node<'_>> = clause.named_children().filter(|it| *it != block).collect();
        let mut begun = state;
        for head in &heads {
            self.expression(*head, state);
            begun = self.sets(Some(*head), begun);
        }
        let end = self.block(block, begun);
        let is_alias = self.sets(heads.last().copied(), Some(false)) == Some(true);
        if is_alias { end.map(|_| false) } else { end }
    }

    fn with(&mut self, node: Node<'_>, state: State) -> State {
        let Some(head) = node.child_of_kind("with_clause") else { return state };
        self.expression(head, state);
        let begun = self.sets(Some(head), state);
        let end = self.body(node, "body", begun);
        // A context may keep an exception to itself, unless it is known not to.
        let said = head.text(self.names.text());
        let is_open = said.starts_with("open(") || said.split(" as ").next().is_some_and(|it| it.ends_with("lock"));
        if is_open { end } else { join(begun, end) }
    }

    fn matching(&mut self, node: Node<'_>, state: State) -> State {
        let state = node.children_in("subject").fold(state, |state, it| self.expression(it, state));
        let (mut out, mut rest) = (None, state);
        let block = node.child("body");
        let clauses = block.into_iter().flat_map(Node::named_children).chain(node.children_in("alternative"));
        for clause in clauses.filter(|it| it.is("case_clause")) {
            let patterns: Vec<Node<'_>> = clause.named_children().filter(|it| it.is("case_pattern")).collect();
            let begun = patterns.iter().fold(rest, |state, it| self.sets(Some(*it), state));
            if let Some(guard) = clause.child("guard") {
                self.expression(guard, begun);
            }
            out = join(out, self.body(clause, "consequence", begun));
            let takes_all = patterns.iter().all(|it| it.text(self.names.text()) == "_");
            if takes_all && clause.child("guard").is_none() {
                rest = None;
            }
        }
        join(out, rest)
    }
}

/// Tells whether an expression is evaluated whenever the one around it is.
fn is_certain(inner: Node<'_>, whole: Node<'_>) -> bool {
    let mut child = inner;
    for parent in inner.ancestors() {
        if child == whole {
            break;
        }
        let is_lazy = parent.is("boolean_operator") && child.field() == Some("right")
            // The first two of a chain of comparisons are always compared.
            || parent.is("comparison_operator") && !parent.named_children().take(2).any(|it| it == child)
            // `then if condition else otherwise`
            || parent.is("conditional_expression") && parent.named_children().nth(1) != Some(child)
            || parent.is_any(&["lambda", "generator_expression"])
            || parent.kind().ends_with("comprehension");
        if is_lazy {
            return false;
        }
        child = parent;
    }
    true
}

fn is_name_of(definition: Node<'_>, name: Name) -> bool {
    let inner = definition.child("definition").unwrap_or(definition);
    inner.child("name").is_some_and(|it| it.span() == name.span)
}
