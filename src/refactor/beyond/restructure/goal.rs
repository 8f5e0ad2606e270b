//! The code that is to stand in the place of other code: holes of it are filled with what stood in those of the pattern.

use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap, evaluated_once, reach};
use crate::refactor::analysis::imports::required::hiding;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::substitution::{fitted, in_place};
use crate::refactor::doubts::in_doubt;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{CodePattern, Family, Node, Occurrence, holes};
use crate::text::Span;

/// The code that comes to stand somewhere, with a name in the place of each hole.
pub(crate) struct Goal {
    code: Code,
    /// What of it is written.
    root: Span,
    kind: GoalKind,
    holes: Vec<Filled>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GoalKind {
    Expression,
    Statement,
}

/// A hole of the goal.
struct Filled {
    /// Where the name stands that is in its place.
    span: Span,
    hole: String,
    placeholder: String,
    is_many: bool,
}

/// What stands for several nodes, or names one of them: it means nothing outside of a list.
const LISTED: &[&str] =
    &["comment", "dictionary_splat", "keyword_argument", "list_splat", "pair", "spread_element", "method_definition"];
const LISTS: &[&str] = &["argument_list", "arguments", "array", "dictionary", "list", "object", "set", "tuple"];
/// Where values are put, and what may stand there.
const TAKING: &[&str] = &[
    "assignment",
    "assignment_expression",
    "augmented_assignment",
    "augmented_assignment_expression",
    "for_in_clause",
    "for_in_statement",
    "for_statement",
];
const TAKERS: &[&str] = &["attribute", "identifier", "member_expression", "subscript", "subscript_expression"];

impl Goal {
    pub(crate) fn read(session: &Session, home: &Code, (text, pattern): (&str, &CodePattern)) -> Result<Self, Refusal> {
        let text = text.trim();
        let named = holes(text);
        if let Some(alone) = named.iter().find(|it| !pattern.holes().iter().any(|one| one.same_as(it))) {
            let reason =
                format!("`{}` stands in the goal, and not in the pattern", &text[alone.span.start..alone.span.end]);
            return Err(Refusal::NotPossible(reason));
        }
        let (mut written, mut filled, mut at) = (String::new(), Vec::new(), 0);
        for hole in named {
            written.push_str(&text[at..hole.span.start]);
            let placeholder = format!("lspwright_{}_", hole.name);
            let span = Span::new(written.len(), written.len() + placeholder.len());
            written.push_str(&placeholder);
            at = hole.span.end;
            filled.push(Filled { span, hole: hole.name, placeholder, is_many: hole.is_many });
        }
        written.push_str(&text[at..]);
        let value = written.trim_end_matches(';').trim_end();
        if let Some((code, root)) = expression(session, home, value) {
            for one in &mut filled {
                one.span = Span::new(one.span.start + 1, one.span.end + 1);
            }
            return Ok(Self { code, root, kind: GoalKind::Expression, holes: filled });
        }
        let root = Span::new(0, written.len());
        let code = home.with_text(session, written).filter(|it| it.parsed().tree.error_count() == 0);
        let code =
            code.ok_or_else(|| Refusal::NotPossible(format!("the goal `{text}` is no code of this language")))?;
        Ok(Self { code, root, kind: GoalKind::Statement, holes: filled })
    }

    /// Returns the goal with names in the place of its holes.
    pub(super) fn text(&self) -> &str {
        self.root.of(self.code.text()).unwrap_or_default()
    }

    /// Returns the names that stand for holes.
    pub(super) fn names(&self) -> Vec<&str> {
        self.holes.iter().map(|it| it.placeholder.as_str()).collect()
    }

    /// Tells whether it says a name.
    pub(super) fn says(&self, name: &str) -> bool {
        !self.code.parsed().tree.identifiers_named(self.code.text(), name).is_empty()
    }

    /// Tells why the goal cannot stand in the place of some code.
    pub(super) fn unfit(&self, code: &Code, one: &Occurrence) -> Option<String> {
        let node = code.covering(one.span);
        let parent = node.parent();
        let is_part = !node.kind().ends_with("_statement") && !parent.is_some_and(|it| it.is("expression_statement"));
        if self.kind == GoalKind::Statement && is_part {
            return Some("it is part of an expression, where no statement can stand".to_owned());
        }
        let is_taking = parent.is_some_and(|it| it.is_any(TAKING)) && node.field() == Some("left")
            || parent.is_some_and(|it| it.is_any(&["delete_statement", "update_expression"]));
        if is_taking && !self.value().is_any(TAKERS) {
            return Some("a value is put there".to_owned());
        }
        let listed = self.holes.iter().find(|it| {
            let filling = one.holes.get(&it.hole).copied().flatten().map(|span| code.covering(span));
            let around = self.code.covering(it.span).parent();
            !it.is_many && filling.is_some_and(|it| it.is_any(LISTED)) && !around.is_some_and(|it| it.is_any(LISTS))
        });
        listed.map(|it| format!("what stands for `${}` is no value", it.hole))
    }

    /// Returns the names that it asks for.
    pub(super) fn free(&self) -> Vec<String> {
        let own = ScopedNames::of(&self.code);
        own.free().filter(|it| !self.holes.iter().any(|one| one.placeholder == *it)).map(str::to_owned).collect()
    }

    /// Refuses where a name of the goal would mean what is around.
    pub(super) fn check_names(&self, code: &Code, names: &ScopedNames<'_>, place: Span) -> Result<(), Refusal> {
        for name in self.free() {
            if let Some(hiding) = hiding(code, names, &name, &[place]) {
                let reason = format!("`{name}` means what line {} makes here", code.line(hiding.span.start));
                return Err(code.refuse(place.start, reason));
            }
        }
        Ok(())
    }

    /// Doubts where what stands in the holes is not evaluated once and in the same order then, or a comment would be lost.
    pub(super) fn check_effects(&self, code: &Code, names: &ScopedNames<'_>, one: &Occurrence) -> Result<(), Refusal> {
        let whole = code.covering(one.span);
        let is_kept = |it: &Node<'_>| one.holes.values().flatten().any(|hole| hole.contains(it.span()));
        let comments = whole.descendants().filter(|it| it.kind().ends_with("comment") && one.span.contains(it.span()));
        if let Some(comment) = comments.into_iter().find(|it| !is_kept(it)) {
            in_doubt(code, comment.span(), "this comment would be lost")?;
        }
        let mut pieces: Vec<(&str, Span, ExpressionReach)> = Vec::new();
        for (hole, span) in &one.holes {
            let Some(span) = span else { continue };
            let around = code.covering(*span);
            let inside = std::iter::once(around).chain(around.descendants()).filter(|it| span.contains(it.span()));
            let far = inside.map(|it| reach(names, code, it)).max().unwrap_or(ExpressionReach::Local);
            let places: Vec<Node<'_>> =
                self.holes.iter().filter(|it| it.hole == *hole).map(|it| self.code.covering(it.span)).collect();
            let is_once = |code: &Code, node: Node<'_>, whole| evaluated_once(code, whole, node).is_ok();
            let is_lazy = places.iter().any(|it| !is_once(&self.code, *it, self.value()));
            let reason = match places.len() {
                0 => "is not evaluated any more",
                1 if is_lazy && is_once(code, code.covering(*span), whole) => {
                    "is not evaluated once, and always, any more"
                }
                1 => "",
                _ => "is evaluated more than once",
            };
            if far == ExpressionReach::Acts && !reason.is_empty() {
                in_doubt(code, *span, format!("what stands for `${hole}` {reason}, and it may act"))?;
            }
            pieces.push((hole, *span, far));
        }
        self.check_order(code, pieces)
    }

    fn check_order(&self, code: &Code, mut pieces: Vec<(&str, Span, ExpressionReach)>) -> Result<(), Refusal> {
        pieces.sort_by_key(|(_, span, _)| *span);
        let at = |hole: &str| self.holes.iter().position(|it| it.hole == hole);
        for (place, (hole, span, far)) in pieces.iter().enumerate() {
            let turned = |(other, _, its): &&(&str, Span, ExpressionReach)| {
                at(other).zip(at(hole)).is_some_and(|(other, own)| other < own) && !can_swap(*far, *its)
            };
            if let Some((other, ..)) = pieces[place + 1..].iter().find(turned) {
                let reason = format!("what stands for `${other}` would be evaluated before what stands for `${hole}`");
                in_doubt(code, *span, reason)?;
            }
        }
        Ok(())
    }

    /// Writes the goal for one place; of `all`, what lies inside of it is rewritten, too.
    pub(super) fn written(&self, code: &Code, one: &Occurrence, all: &[Occurrence]) -> Result<String, Refusal> {
        let indent = code.indent(one.span.start);
        let (text, mut at, mut said) = (self.code.text(), self.root.start, String::new());
        let laid = |piece: &str| match self.kind {
            GoalKind::Statement => piece.replace('\n', &format!("{}{indent}", code.newline())),
            GoalKind::Expression => piece.to_owned(),
        };
        for hole in &self.holes {
            let filling = self.filling(code, hole, (one, all))?;
            let mut before = &text[at..hole.span.start];
            at = hole.span.end;
            if filling.is_empty() {
                // The comma beside what is not there goes with it.
                let rest = text[at..].trim_start();
                match rest.strip_prefix(',') {
                    Some(rest) => at = text.len() - rest.trim_start().len(),
                    None => before = before.trim_end().strip_suffix(',').unwrap_or(before),
                }
            }
            said.push_str(&laid(before));
            said.push_str(&filling);
        }
        said.push_str(&laid(&text[at..self.root.end]));
        let node = code.covering(one.span);
        if self.kind == GoalKind::Statement || node.kind().ends_with("_statement") {
            // Of statements that hold others none ends in a semicolon.
            let is_bare = self.kind == GoalKind::Expression && !node.is("expression_statement");
            let end = if is_bare && code.family() == Family::Script { code.semicolon() } else { "" };
            return Ok(format!("{said}{end}"));
        }
        let value = match self.holes.iter().find(|it| it.span == self.root) {
            Some(hole) => one.holes.get(&hole.hole).copied().flatten().map_or(self.value(), |span| code.covering(span)),
            None => self.value(),
        };
        Ok(in_place(code, value, fitted(code, &said, node)?, node))
    }

    /// Writes what comes to stand in a hole.
    fn filling(&self, code: &Code, hole: &Filled, (one, all): (&Occurrence, &[Occurrence])) -> Result<String, Refusal> {
        let Some(span) = one.holes.get(&hole.hole).copied().flatten() else { return Ok(String::new()) };
        let is_inside = |it: &&Occurrence| span.contains(it.span) && it.span != one.span;
        let inside: Vec<&Occurrence> = all.iter().filter(is_inside).collect();
        let is_outer =
            |it: &&&Occurrence| !inside.iter().any(|other| other.span != it.span && other.span.contains(it.span));
        let (mut said, mut at) = (String::new(), span.start);
        for inner in inside.iter().filter(is_outer) {
            said.push_str(&code.text()[at..inner.span.start]);
            said.push_str(&self.written(code, inner, all)?);
            at = inner.span.end;
        }
        said.push_str(&code.text()[at..span.end]);
        if self.kind == GoalKind::Statement && inside.is_empty() && said.contains('\n') {
            let base = format!("{}{}", code.indent(one.span.start), self.code.indent(hole.span.start));
            said = Layout::of(code).moved(span, &base);
        }
        if hole.is_many || hole.span == self.root {
            return Ok(said);
        }
        let is_rewritten = inside.iter().any(|it| it.span == span);
        let value = if is_rewritten { self.value() } else { code.covering(span) };
        Ok(in_place(&self.code, value, said, self.code.covering(hole.span)))
    }

    /// Returns the expression that is written, or all statements.
    fn value(&self) -> Node<'_> {
        self.code.covering(self.root)
    }
}

/// Reads the text of one expression, in parentheses, so that it is nothing else; returns where it stands in them.
fn expression(session: &Session, home: &Code, value: &str) -> Option<(Code, Span)> {
    let code = home.with_text(session, format!("({value})")).filter(|it| it.parsed().tree.error_count() == 0)?;
    let whole = Span::new(0, code.text().len());
    let around = code.covering(whole);
    let held = std::iter::once(around).chain(around.descendants());
    let found = held.into_iter().find(|it| it.is_any(&["parenthesized_expression", "tuple"]) && it.span() == whole)?;
    let root = match found.is("tuple") {
        true => whole,
        false => found.named_children().next().filter(|_| found.named_children().count() == 1)?.span(),
    };
    Some((code, root))
}
