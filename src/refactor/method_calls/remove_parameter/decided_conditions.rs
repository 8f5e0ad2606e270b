//! Conditionals that a parameter decided, once it is one value for every call: what is never done goes, what is always done
//! stands for itself.

use crate::refactor::analysis::blocks::is_alone;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::removed_statements::without_statements;
use crate::refactor::analysis::substitution::in_place;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_block};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

const EXPRESSIONS: &[&str] = &["conditional_expression", "ternary_expression"];
pub(super) const NOTHING: &[&str] = &["None", "null", "undefined"];

/// Returns the `if`, or the conditional expression, that a use of the parameter decides alone where it is `written`, as it reads
/// without that: `if urgent:` for `False`, `if sink is not None:` for `None`. `uses` are all of the parameter.
pub(super) fn decided(
    (code, names): (&Code, &ScopedNames<'_>),
    (one, written): (Node<'_>, &str),
    uses: &[Node<'_>],
) -> Option<TextEdit> {
    let (branch, holds) = condition((code, one), written)?;
    if branch.is_any(EXPRESSIONS) {
        return chosen(code, (branch, holds), uses);
    }
    let decided = Decided { code, names, branch, uses };
    if branch.is("elif_clause") || branch.parent().is_some_and(|it| it.is("else_clause")) {
        return if holds { decided.always_behind() } else { decided.never_behind() };
    }
    let is_statement = branch.parent().is_some_and(|it| is_block(it) || it.is_any(&["module", "program"]));
    if !is_statement || !is_alone(code, branch) {
        return None;
    }
    if holds { decided.always() } else { decided.never() }
}

/// A branch with a condition that is decided: an `if` statement, or one behind `else`.
struct Decided<'a> {
    code: &'a Code,
    names: &'a ScopedNames<'a>,
    branch: Node<'a>,
    uses: &'a [Node<'a>],
}

impl<'a> Decided<'a> {
    /// Leaves what the statement always does.
    fn always(&self) -> Option<TextEdit> {
        let alternatives = self.alternatives();
        let is_missed = alternatives.iter().any(|it| !self.is_closed(it.span()));
        let is_plain = comments(self.branch).is_empty() || alternatives.is_empty();
        (is_plain && !is_missed).then(|| self.standing(self.branch, self.branch.child("consequence")?))?
    }

    /// Leaves what the statement does instead, if that is anything.
    fn never(&self) -> Option<TextEdit> {
        let (branch, code) = (self.branch, self.code);
        let block = branch.parent()?;
        if !self.is_closed(branch.child("consequence")?.span()) {
            return None;
        }
        let Some(next) = self.alternatives().into_iter().next() else {
            let stays = |it: &Node<'_>| *it != branch && !it.is_any(&["comment", "expression_statement"]);
            let is_kept = block.named_children().any(|it| stays(&it));
            return without_statements(code, &[branch]).ok().filter(|_| is_kept)?.pop();
        };
        let is_plain = comments(branch).is_empty();
        match other(next)? {
            // `elif` becomes the `if`.
            _ if next.is("elif_clause") => {
                let head = Span::new(branch.start(), next.child("condition")?.start());
                is_plain.then(|| TextEdit::new(head, "if "))
            }
            inner if inner.is("if_statement") => (is_plain && comments(next).is_empty())
                .then(|| TextEdit::new(Span::new(branch.start(), inner.start()), "")),
            inner => is_plain.then(|| self.standing(next, inner))?,
        }
    }

    /// Leaves `else` for a branch that is taken wherever none before it is.
    fn always_behind(&self) -> Option<TextEdit> {
        let (branch, text) = (self.branch, self.code.text());
        let (body, condition) = (branch.child("consequence")?, branch.child("condition")?);
        let statement = if branch.is("elif_clause") { branch.parent()? } else { branch };
        let rest = Span::new(body.end(), statement.end());
        let kept = match branch.is("elif_clause") {
            true => format!("else{}", &text[text[..body.start()].rfind(':')?..body.end()]),
            false => body.text(text).to_owned(),
        };
        let moved = Span::new(condition.end(), rest.end);
        let is_used = self.uses.iter().any(|it| moved.contains(it.span()));
        let is_plain = comments(branch).is_empty() && self.is_closed(rest);
        (is_plain && !is_used).then(|| TextEdit::new(Span::new(branch.start(), rest.end), kept))
    }

    /// Takes a branch out that is never taken.
    fn never_behind(&self) -> Option<TextEdit> {
        let branch = self.branch;
        if !comments(branch).is_empty() || !self.is_closed(branch.child("consequence")?.span()) {
            return None;
        }
        let next = branch.child("alternative").and_then(other);
        let gone = if let Some(next) = next {
            Span::new(branch.start(), next.start())
        } else {
            let clause = if branch.is("elif_clause") { branch } else { branch.parent()? };
            let before = clause.parent()?.children().filter(|it| it.end() <= clause.start()).last()?;
            Span::new(before.end(), clause.end())
        };
        Some(TextEdit::new(gone, ""))
    }

    /// Writes what a branch does in the place of the whole statement.
    fn standing(&self, branch: Node<'_>, body: Node<'_>) -> Option<TextEdit> {
        let (statement, code) = (self.branch, self.code);
        // In Python comments that a branch begins with stand outside of it; what stands beside the condition is about that.
        let comments = comments(branch);
        let is_apart = |it: &Node<'_>| code.text()[code.line_start(it.start())..it.start()].trim().is_empty();
        let inside: Vec<Node<'_>> = if is_block(body) { body.named_children().collect() } else { vec![body] };
        let first = comments.first().or(inside.first())?;
        let held = Span::new(first.start(), inside.last()?.end());
        let is_used = self.uses.iter().any(|other| held.contains(other.span()));
        if is_used || !comments.iter().all(is_apart) {
            return None;
        }
        let is_block_needed = code.family() == Family::Script && self.hides(&inside);
        let said = match is_block_needed {
            true => body.text(code.text()).to_owned(),
            false => Layout::of(code).moved(held, code.indent(statement.start())),
        };
        Some(TextEdit::new(statement.span(), said))
    }

    /// Tells whether a name that statements of a script declare is another's, too, outside of their block.
    fn hides(&self, statements: &[Node<'_>]) -> bool {
        let declares = |it: &&Node<'_>| it.kind().ends_with("_declaration");
        let mut declared = statements.iter().filter(declares).flat_map(|it| self.names.within(it.span()));
        declared.any(|one| {
            let text = one.span.of(self.code.text()).unwrap_or_default();
            let mut same = self.names.named(text);
            one.is_binding && same.any(|it| it.meaning != one.meaning)
        })
    }

    /// Returns what is done instead: `elif …`, `else …`.
    fn alternatives(&self) -> Vec<Node<'a>> {
        self.branch.children_in("alternative").collect()
    }

    /// Tells whether nothing is missed that a stretch binds: nothing outside asks for it that is not bound outside, too. And that
    /// no function of Python stops being a generator by that.
    fn is_closed(&self, gone: Span) -> bool {
        if yields(self.code, gone) {
            return false;
        }
        let mut bound = self.names.within(gone).filter(|it| it.is_binding);
        bound.all(|it| {
            let mut outside = self.names.of_meaning(it.meaning).filter(|one| !gone.contains(one.span)).peekable();
            outside.peek().is_none() || outside.any(|one| one.is_binding)
        })
    }
}

/// Puts what a conditional expression is into its place.
fn chosen(code: &Code, (expression, holds): (Node<'_>, bool), uses: &[Node<'_>]) -> Option<TextEdit> {
    let parts: Vec<Node<'_>> = expression.named_children().filter(|it| !it.is("comment")).collect();
    let [first, second, other] = parts.try_into().ok()?;
    // Python names the condition between the two.
    let held = if expression.is("conditional_expression") { first } else { second };
    let kept = if holds { held } else { other };
    let is_used = uses.iter().any(|one| kept == *one || kept.holds(*one)) || yields(code, expression.span());
    // Scripts have parentheses around conditions, which are theirs.
    let is_own = |it: &Node<'_>| {
        let is_alone = it.named_children().count() == 1 && (code.family() == Family::Python || it.field().is_none());
        it.is("parenthesized_expression") && is_alone
    };
    let place = expression.parent().filter(is_own).unwrap_or(expression);
    let said = || in_place(code, kept, kept.text(code.text()).to_owned(), place);
    (!is_used).then(|| TextEdit::new(place.span(), said()))
}

/// Tells whether a stretch makes a generator of its function of Python: `yield`.
fn yields(code: &Code, gone: Span) -> bool {
    let mut inside = code.covering(gone).walk_until(is_any_function);
    code.family() == Family::Python && inside.any(|it| it.is("yield") && gone.contains(it.span()))
}

/// Returns the comments of a branch that stand outside of its block.
fn comments(branch: Node<'_>) -> Vec<Node<'_>> {
    branch.children().filter(|it| it.is("comment")).collect()
}

/// Returns what stands behind `else`.
fn other(alternative: Node<'_>) -> Option<Node<'_>> {
    let body = alternative.child("body").or_else(|| alternative.child("consequence"));
    body.or_else(|| alternative.named_children().find(|it| !it.is("comment")))
}

/// Returns the branch whose whole condition a use decides, and whether it holds.
fn condition<'c>((code, one): (&Code, Node<'c>), written: &str) -> Option<(Node<'c>, bool)> {
    let (mut node, mut holds) = (one, truth(written));
    loop {
        let outer = node.parent()?;
        match outer.kind() {
            "parenthesized_expression" => {}
            "if_statement" | "elif_clause" | "ternary_expression" if node.field() == Some("condition") => {
                return Some((outer, holds?));
            }
            "conditional_expression" if outer.named_children().nth(1) == Some(node) => return Some((outer, holds?)),
            "not_operator" => holds = Some(!holds?),
            "unary_expression" if outer.text(code.text()).starts_with('!') => holds = Some(!holds?),
            "comparison_operator" | "binary_expression" if node == one => {
                holds = Some(compared((code, outer), one, written)?);
            }
            _ => return None,
        }
        node = outer;
    }
}

/// Tells whether a comparison with nothing holds: `sink is not None`.
fn compared((code, comparison): (&Code, Node<'_>), one: Node<'_>, written: &str) -> Option<bool> {
    let mut parts = comparison.named_children();
    let (left, right, None) = (parts.next()?, parts.next()?, parts.next()) else { return None };
    let other = if left == one { right } else { left };
    let other = NOTHING.contains(&other.text(code.text())).then(|| other.text(code.text()))?;
    let is_nothing = NOTHING.contains(&written);
    let is_same = match code.text()[left.end()..right.start()].trim() {
        "is" | "===" => written == other,
        "is not" | "!==" => written != other,
        "==" => is_nothing,
        "!=" => !is_nothing,
        _ => return None,
    };
    Some(is_same)
}

/// Tells whether a literal counts as true; nothing where that is not plain.
fn truth(written: &str) -> Option<bool> {
    match written {
        "True" | "true" => Some(true),
        "False" | "false" | "0" => Some(false),
        _ if NOTHING.contains(&written) => Some(false),
        _ => None,
    }
}
