//! Replace Nested Conditional with Guard Clauses.
//!
//! ```python
//! if self.is_dead:                     if self.is_dead:
//!     result = dead_amount()               return dead_amount()
//! else:                            →   if self.is_retired:
//!     if self.is_retired:                  return retired_amount()
//!         result = retired_amount()    return normal_amount()
//!     else:
//!         result = normal_amount()
//! return result
//! ```
//!
//! In the body of a loop, `continue` leaves what remains of it.

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::place;
use crate::refactor::analysis::conditions::{negation, without_brackets};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at};
use crate::session::Session;
use crate::syntax::kinds::Role;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let outer = loop_at(&code, request, function).unwrap_or(function);
    let (word, what) = if outer == function { ("return", "function") } else { ("continue", "loop") };
    let body = outer.child("body").filter(|body| body.is_any(&["block", "statement_block"]));
    let body = body.ok_or_else(|| code.refuse(function.start(), format!("the {what} has no body of statements")))?;
    let statements: Vec<Node<'_>> = body.named_children().collect();
    let result = result_of(&code, &statements).filter(|_| outer == function);
    let returned = returned_behind(&code, &statements).filter(|_| outer == function);
    let word = returned.filter(|_| result.is_none()).map_or(word, |it| it.text(code.text()).trim_end_matches(';'));
    let work = Work { layout: Layout::of(&code), result, code: &code, body, word };
    let (tree, tail) = match (result.is_some() || returned.is_some(), statements.as_slice()) {
        (true, [.., tree, tail]) => (*tree, Some(*tail)),
        (_, [.., tree]) if tree.is("if_statement") => (*tree, None),
        _ => return Err(code.refuse(body.start(), format!("the {what} does not end in a conditional"))),
    };
    let flat = work.flat(tree)?;
    let end = tail.map_or(tree.end(), Node::end);
    let kept = match tail {
        Some(tail) if !work.is_decided(tree) => {
            format!("{}{}{}", code.newline(), code.indent(tree.start()), tail.text(code.text()))
        }
        _ => String::new(),
    };
    let before = Span::new(tree.start(), end);
    let after = format!("{}{kept}", flat.trim_start());
    if after == before.of(code.text()).unwrap_or_default() {
        return Err(code.refuse(tree.start(), "nothing is nested there"));
    }
    work.check_comments(before, &after).noted()?;
    let mut edits = vec![TextEdit::new(before, after)];
    if kept.is_empty() {
        edits.extend(work.declaration(&statements));
    }
    code.plan(edits)
}

/// Returns the loop whose body is meant: the one around the place that is pointed at; of a function that is named, the one that
/// it ends in.
fn loop_at<'c>(code: &'c Code, request: &Request, function: Node<'c>) -> Option<Node<'c>> {
    let place = place(code, &request.target)?;
    let body = function.child("body")?;
    let is_loop = |it: &Node<'c>| it.has(Role::Loop) && it.child("body").is_some();
    let ends_in_conditional = |it: &Node<'c>| {
        it.child("body").and_then(|it| it.named_children().last()).is_some_and(|it| it.is("if_statement"))
    };
    if body.start() > place {
        let last = body.named_children().last();
        return last.filter(|it| is_loop(it) && ends_in_conditional(it));
    }
    let here = code.covering(Span::new(place, (place + 1).min(code.text().len())));
    let around = std::iter::once(here).chain(here.ancestors()).take_while(|it| *it != function);
    around.into_iter().find(|it| is_loop(it))
}

struct Work<'c> {
    code: &'c Code,
    layout: Layout<'c>,
    body: Node<'c>,
    /// The variable that the branches set and the function then returns.
    result: Option<&'c str>,
    /// What leaves the body: `return`, `continue`, or the `return` that stands behind the conditional.
    word: &'c str,
}

/// Returns the variable that all branches of a conditional set, where the function returns it right after.
fn result_of<'c>(code: &'c Code, statements: &[Node<'c>]) -> Option<&'c str> {
    let [.., tree, tail] = statements else { return None };
    let returned = tail.named_children().next().filter(|_| tail.is("return_statement"))?;
    if !tree.is("if_statement") || !returned.is("identifier") {
        return None;
    }
    let name = returned.text(code.text());
    let names = ScopedNames::of(code);
    let is_local =
        names.at(returned).is_some_and(|name| names.is_local(name, crate::refactor::source_file::function_of(*tail)));
    let places = code.parsed().tree.identifiers_named(code.text(), name);
    let inside = places.into_iter().filter(|span| tree.span().contains(*span));
    let only_set = inside.map(|span| code.covering(span)).all(|node| {
        let assignment = node.parent().filter(|parent| parent.is_any(&["assignment", "assignment_expression"]));
        assignment.is_some_and(|parent| parent.child("left") == Some(node))
            && assignment.and_then(Node::parent).is_some_and(|statement| is_last(statement, *tree))
    });
    (is_local && only_set).then_some(name)
}

/// Returns the `return` of a name or a literal right behind the last conditional, which each branch can end with.
fn returned_behind<'c>(code: &'c Code, statements: &[Node<'c>]) -> Option<Node<'c>> {
    let [.., tree, tail] = statements else { return None };
    let value = tail.named_children().next().filter(|_| tail.is("return_statement") && tree.is("if_statement"))?;
    if !value.is("identifier") {
        return (value.is_leaf() || value.is("string")).then_some(*tail);
    }
    let names = ScopedNames::of(code);
    let meaning = names.at(value)?.meaning;
    // A branch may have a variable of the same name.
    let mut inside = names.within(tree.span()).filter(|it| it.span.of(code.text()) == Some(value.text(code.text())));
    inside.all(|it| it.meaning == meaning).then_some(*tail)
}

/// Tells whether a statement is the last thing that a branch of `tree` does.
fn is_last(statement: Node<'_>, tree: Node<'_>) -> bool {
    let mut child = statement;
    for parent in statement.ancestors() {
        if child == tree {
            return true;
        }
        match parent.kind() {
            "block" | "statement_block" if parent.named_children().last() != Some(child) => return false,
            "block" | "statement_block" | "else_clause" | "elif_clause" | "if_statement" => child = parent,
            _ => return false,
        }
    }
    false
}

impl<'c> Work<'c> {
    /// Writes a conditional, and all that nests in its end, as guards and what remains.
    fn flat(&self, tree: Node<'c>) -> Result<String, Refusal> {
        let condition = tree.child("condition").ok_or_else(|| self.code.refuse(tree.start(), "it has no condition"))?;
        let then = tree.child("consequence").ok_or_else(|| self.code.refuse(tree.start(), "it has no branch"))?;
        let otherwise = otherwise(tree);
        let negated = || negation((self.code.text(), self.code.family()), condition);
        match otherwise {
            None if self.result.is_none() && is_worth_it(then) && self.clash(then).is_none() => {
                let guard = self.guard(&negated(), &self.leaving());
                Ok(guard + &self.rest(then)?)
            }
            None => Ok(self.guard(&self.condition(condition), &self.branch(then, Falls::On))),
            Some(other) if self.leaves(then) || !self.leaves(other) => {
                let guard = self.guard(&self.condition(condition), &self.branch(then, Falls::Out));
                Ok(guard + &self.rest(other)?)
            }
            Some(other) if other.is_any(&["block", "statement_block"]) => {
                let guard = self.guard(&negated(), &self.branch(other, Falls::Out));
                Ok(guard + &self.rest(then)?)
            }
            Some(other) => {
                Err(self.code.refuse(other.start(), "of these branches only the last one leaves the function"))
            }
        }
    }

    /// Writes what remains behind a guard: the statements of a branch, the last one flattened in turn.
    fn rest(&self, branch: Node<'c>) -> Result<String, Refusal> {
        if branch.is_any(&["if_statement", "elif_clause"]) {
            return self.flat(branch);
        }
        if let Some(name) = self.clash(branch) {
            let text = name.text(self.code.text());
            return Err(self
                .code
                .refuse(name.start(), format!("`{text}` refers to something else outside its branch")));
        }
        let base = self.code.indent(self.body_start());
        let statements = statements_of(branch);
        match statements.split_last() {
            Some((last, before)) if last.is("if_statement") => {
                let gap = before.last().map_or("", |node| &self.code.text()[node.end()..last.start()]);
                let gap = if gap.matches('\n').count() > 1 { self.code.newline() } else { "" };
                Ok(self.lines(before, base) + gap + &self.flat(*last)?)
            }
            _ => Ok(self.lines(&statements, base)),
        }
    }

    /// Writes statements on lines of their own; empty lines between them stay, and so do comments behind them.
    fn lines(&self, statements: &[Node<'c>], base: &str) -> String {
        let (end, mut written) = (self.code.newline(), String::new());
        let mut before: Option<Node<'c>> = None;
        for statement in statements {
            let between = before.map_or("", |node| &self.code.text()[node.end()..statement.start()]);
            let breaks = between.matches('\n').count();
            let lead = match (before, breaks) {
                (Some(_), 0) if statement.kind().ends_with("comment") => "  ".to_owned(),
                (_, breaks) => format!("{}{base}", end.repeat(breaks.clamp(1, 2))),
            };
            written += &lead;
            written += &self.said(*statement, base);
            before = Some(*statement);
        }
        written
    }

    fn guard(&self, condition: &str, branch: &str) -> String {
        let (base, end) = (self.code.indent(self.body_start()), self.code.newline());
        match self.code.family() {
            Family::Python => format!("{end}{base}if {condition}:{branch}"),
            _ => format!("{end}{base}if ({condition}) {{{branch}{end}{base}}}"),
        }
    }

    fn body_start(&self) -> usize {
        self.body.named_children().next().map_or(self.body.start(), Node::start)
    }

    /// Returns the statements of a branch, one step further in than the function's own.
    fn branch(&self, branch: Node<'c>, falls: Falls) -> String {
        let base = format!("{}{}", self.code.indent(self.body_start()), self.layout.step());
        let statements = match branch.is_any(&["block", "statement_block"]) {
            true => statements_of(branch),
            false => vec![branch],
        };
        let mut written = self.lines(&statements, &base);
        if falls == Falls::Out && !self.leaves(branch) {
            written += &self.leaving();
        }
        written
    }

    /// The line that leaves the body.
    fn leaving(&self) -> String {
        let semicolon = if self.code.family() == Family::Python { "" } else { self.code.semicolon() };
        let (base, end) = (self.code.indent(self.body_start()), self.code.newline());
        format!("{end}{base}{}{}{semicolon}", self.layout.step(), self.word)
    }

    /// Returns a statement's text for another indentation; setting the result becomes returning it.
    fn said(&self, statement: Node<'c>, base: &str) -> String {
        let mut said = self.layout.moved(statement.span(), base);
        let Some(name) = self.result else { return said };
        let places = self.code.parsed().tree.identifiers_named(self.code.text(), name);
        let inside: Vec<Span> = places.into_iter().filter(|span| statement.span().contains(*span)).collect();
        for span in inside.into_iter().rev() {
            let Some(assignment) = self.code.covering(span).parent() else { continue };
            let Some(value) = assignment.child("right") else { continue };
            let old = Span::new(span.start, value.start()).of(self.code.text()).unwrap_or_default();
            said = said.replacen(old, "return ", 1);
        }
        said
    }

    fn condition(&self, condition: Node<'c>) -> String {
        without_brackets(condition).text(self.code.text()).to_owned()
    }

    /// Tells whether a branch or a statement leaves the function in every case.
    fn leaves(&self, node: Node<'c>) -> bool {
        match node.kind() {
            "break_statement" | "continue_statement" | "raise_statement" | "return_statement" | "throw_statement" => {
                true
            }
            "block" | "statement_block" => node.named_children().last().is_some_and(|last| self.leaves(last)),
            "if_statement" | "elif_clause" => {
                node.child("consequence").is_some_and(|then| self.leaves(then))
                    && otherwise(node).is_some_and(|other| self.leaves(other))
            }
            "expression_statement" => self.result.is_some_and(|name| sets(self.code, node, name)),
            _ => false,
        }
    }

    /// Tells whether a conditional leaves nothing to what stands behind it.
    fn is_decided(&self, tree: Node<'c>) -> bool {
        self.leaves(tree)
    }

    /// Returns a name of the branch's own that means something else in the function.
    fn clash(&self, branch: Node<'c>) -> Option<Node<'c>> {
        const ELSEWHERE: &[&str] = &["statement_block", "arrow_function", "function_expression"];
        if self.code.family() == Family::Python {
            return None;
        }
        let names = ScopedNames::of(self.code);
        let own = branch.named_children().filter(|node| node.kind().ends_with("_declaration"));
        let own = own.flat_map(|node| node.walk_until(|it| it.is_any(ELSEWHERE)));
        let mut bound = own.filter(|node| names.at(*node).is_some_and(|name| name.is_binding));
        bound.find(|name| {
            let places = self.code.parsed().tree.identifiers_named(self.code.text(), name.text(self.code.text()));
            let function = self.body.parent().unwrap_or(self.body).span();
            places.into_iter().any(|span| function.contains(span) && !branch.span().contains(span))
        })
    }

    /// Refuses to lose a comment that stands between branches.
    fn check_comments(&self, before: Span, after: &str) -> Result<(), Refusal> {
        let comments = self
            .code
            .root()
            .descendants()
            .filter(|node| node.kind().ends_with("comment") && before.contains(node.span()));
        let mut rest = after;
        for comment in comments {
            let text = comment.text(self.code.text()).lines().next().unwrap_or_default();
            match rest.find(text) {
                Some(at) => rest = &rest[at + text.len()..],
                None => return Err(self.code.refuse(comment.start(), "the comment would be lost")),
            }
        }
        Ok(())
    }

    /// Takes the result's declaration away, which nothing uses any more.
    fn declaration(&self, statements: &[Node<'c>]) -> Option<TextEdit> {
        let name = self.result?;
        let declares = |node: &&Node<'c>| {
            sets(self.code, **node, name) || node.is("lexical_declaration") && node.named_children().count() == 1
        };
        let declaration = statements.iter().find(declares)?;
        let target = declaration.descendants().find(|node| node.is("identifier"))?;
        let value = declaration.descendants().find(|node| matches!(node.field(), Some("right" | "value")));
        let is_plain = value.is_none_or(|value| value.is_leaf() || value.is_any(&["string", "unary_operator"]));
        let places = self.code.parsed().tree.identifiers_named(self.code.text(), name);
        let tree = statements.get(statements.len().checked_sub(2)?)?;
        let function = self.body.span();
        let others = places.into_iter().filter(|span| function.contains(*span) && !tree.span().contains(*span)).count();
        let start = self.code.line_start(declaration.start());
        let end = self.code.next_line(declaration.end());
        let is_alone = self.code.text()[start..end].trim() == declaration.text(self.code.text());
        (target.text(self.code.text()) == name && is_plain && is_alone && others == 2)
            .then(|| TextEdit::new(start..end, ""))
    }
}

/// Returns the statements of a branch, with the comments right above the first one, which stand outside of its block in
/// Python, and those right behind an `else`.
fn statements_of(branch: Node<'_>) -> Vec<Node<'_>> {
    let before: Vec<Node<'_>> =
        branch.parent().into_iter().flat_map(Node::children).take_while(|node| *node != branch).collect();
    let lead = before.iter().rev().take_while(|node| node.kind().ends_with("comment")).count();
    let lead = before[before.len() - lead..].iter().copied();
    lead.chain(branch.children().filter(|node| node.is_named())).collect()
}

/// What follows a branch that does not leave the function by itself.
#[derive(Clone, Copy, PartialEq)]
enum Falls {
    /// The code behind the conditional.
    On,
    /// Nothing: a `return` or a `continue` is written.
    Out,
}

fn sets(code: &Code, statement: Node<'_>, name: &str) -> bool {
    let assignment = statement.named_children().next().filter(|it| it.is_any(&["assignment", "assignment_expression"]));
    let left = assignment.filter(|_| statement.is("expression_statement")).and_then(|it| it.child("left"));
    left.is_some_and(|left| left.text(code.text()) == name)
}

/// Returns what happens where the condition does not hold: a block, or the next condition.
fn otherwise(tree: Node<'_>) -> Option<Node<'_>> {
    if tree.is("elif_clause") {
        let parent = tree.parent()?;
        let next = parent.children_in("alternative").skip_while(|node| *node != tree).nth(1)?;
        return Some(unwrapped(next));
    }
    tree.child("alternative").map(unwrapped)
}

fn unwrapped(alternative: Node<'_>) -> Node<'_> {
    match alternative.kind() {
        "else_clause" => {
            alternative.child("body").or_else(|| alternative.named_children().last()).unwrap_or(alternative)
        }
        _ => alternative,
    }
}

/// A single short statement is a guard as it stands.
fn is_worth_it(then: Node<'_>) -> bool {
    let nests = |node: Node<'_>| node.is_any(&["if_statement", "switch_statement"]) || node.child("body").is_some();
    then.named_children().count() > 1 || then.named_children().any(nests)
}
