//! Where the members of a class stand: which lines they take, and where another one goes.

use super::{Class, Member, MemberKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Which members a new one joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Behind the last field of the body, or at its beginning.
    Field,
    /// Behind the fields, an empty line between.
    Constructor,
    /// At the end of the body.
    Method,
}

impl<'c> Class<'c> {
    /// Returns the white space before the members.
    pub(crate) fn indent(&self) -> String {
        let own_line = |node: &Node<'c>| self.begins_line(node.start());
        match self.body.named_children().find(own_line) {
            Some(first) => self.code.indent(first.start()).to_owned(),
            None => format!("{}{}", self.code.indent(self.node.start()), Layout::of(self.code).step()),
        }
    }

    /// Returns a member's declaration with its decorators, the comments right above it and the one behind it.
    ///
    /// # Errors
    /// Where it shares a line with something else.
    pub(crate) fn extent(&self, member: &Member<'c>) -> Result<Span, Refusal> {
        let decorator = member.decorators().map(Node::start).min();
        let start = decorator.map_or(member.node.start(), |at| at.min(member.node.start()));
        let end = documented_end(self.code, member.node);
        let is_alone = self.begins_line(start) && self.code.text()[end..self.code.next_line(end)].trim().is_empty();
        if !is_alone {
            let name = member.name.text(self.code.text());
            return Err(self.code.refuse(start, format!("`{name}` shares its lines with something else")));
        }
        Ok(Span::new(comments_above(self.code, start), end))
    }

    /// Takes members out of the body; one that loses all of them stays a class.
    pub(crate) fn without(&self, members: &[Member<'c>]) -> Result<Vec<TextEdit>, Refusal> {
        let mut gone = Vec::new();
        for member in members {
            gone.push(self.extent(member)?);
        }
        let is_gone = |node: &Node<'c>| gone.iter().any(|span| span.contains(node.span()));
        let mut all = self.body.children().filter(|node| node.is_named());
        let is_emptied = all.all(|node| is_gone(&node));
        if is_emptied && self.code.family() == Family::Python {
            let Some(first) = gone.iter().min_by_key(|span| span.start) else { return Ok(Vec::new()) };
            let last = gone.iter().map(|span| span.end).max().unwrap_or(first.end);
            return Ok(vec![TextEdit::new(Span::new(first.start, last), "pass")]);
        }
        if is_emptied {
            return Ok(vec![TextEdit::new(self.body.span(), "{}")]);
        }
        let mut lines: Vec<Span> = gone.iter().map(|span| self.with_gap(*span)).collect();
        lines.sort();
        let mut merged: Vec<Span> = Vec::new();
        for span in lines {
            match merged.last_mut().filter(|last| last.end >= span.start) {
                Some(last) => last.end = last.end.max(span.end),
                None => merged.push(span),
            }
        }
        Ok(merged.into_iter().map(|span| TextEdit::new(self.opened(span), "")).collect())
    }

    /// Puts members into the body, each written for [`Self::indent`] and without white space around it.
    pub(crate) fn with(&self, slot: Slot, members: &[String]) -> TextEdit {
        let (end, indent) = (self.code.newline(), self.indent());
        let gap = self.gap(slot);
        let written = members.iter().map(|it| format!("{indent}{it}")).collect::<Vec<_>>().join(&gap);
        let held: Vec<Node<'c>> = self.body.children().filter(|node| node.is_named()).collect();
        match held.as_slice() {
            [] => {
                let close = format!("{end}{}}}", self.code.indent(self.node.start()));
                TextEdit::new(self.body.span(), format!("{{{end}{written}{close}"))
            }
            [filler] if is_filler(filler) && self.begins_line(filler.start()) => {
                let start = self.code.line_start(filler.start());
                TextEdit::new(Span::new(start, filler.end()), written)
            }
            [filler] if is_filler(filler) => {
                let before = &self.code.text()[..filler.start()];
                TextEdit::new(Span::new(before.trim_end().len(), filler.end()), format!("{end}{written}"))
            }
            _ if slot != Slot::Method => self.beside_fields(slot, &held, &written),
            _ => {
                let last = held[held.len() - 1];
                TextEdit::new(Span::at(end_of(self.code, last)), format!("{gap}{written}"))
            }
        }
    }

    /// Puts members into several slots; a body that holds nothing is filled once.
    pub(crate) fn with_each(&self, parts: &[(Slot, Vec<String>)]) -> Vec<TextEdit> {
        let added = parts.iter().filter(|(_, members)| !members.is_empty());
        let held: Vec<Node<'c>> = self.body.children().filter(|node| node.is_named()).collect();
        if !held.iter().all(is_filler) || held.len() > 1 {
            return added.map(|(slot, members)| self.with(*slot, members)).collect();
        }
        let joined = |(slot, members): &(Slot, Vec<String>)| members.join(&(self.gap(*slot) + &self.indent()));
        let texts: Vec<String> = added.map(joined).collect();
        (!texts.is_empty()).then(|| self.with(Slot::Method, &texts)).into_iter().collect()
    }

    /// Returns what stands between two members of a slot.
    fn gap(&self, slot: Slot) -> String {
        self.code.newline().repeat(if slot == Slot::Field { 1 } else { 2 })
    }

    fn beside_fields(&self, slot: Slot, held: &[Node<'c>], written: &str) -> TextEdit {
        let end = self.code.newline();
        let fields: Vec<Member<'c>> = self.members().into_iter().filter(|it| it.kind == MemberKind::Field).collect();
        let docstring = held.first().filter(|node| node.named_children().next().is_some_and(|it| it.is("string")));
        if let Some(last) = fields.last() {
            let gap = self.gap(slot);
            return TextEdit::new(Span::at(documented_end(self.code, last.node)), format!("{gap}{written}"));
        }
        if let Some(docstring) = docstring {
            return TextEdit::new(Span::at(end_of(self.code, *docstring)), format!("{end}{end}{written}"));
        }
        let start =
            self.members().first().and_then(|first| self.extent(first).ok()).map_or(held[0].start(), |it| it.start);
        TextEdit::new(Span::at(self.code.line_start(start)), format!("{written}{end}{end}"))
    }

    /// Returns the whole lines of a stretch with the empty ones before it; behind it, where it begins the body.
    fn with_gap(&self, span: Span) -> Span {
        let text = self.code.text();
        let lines = Span::new(self.code.line_start(span.start), self.code.next_line(span.end));
        if self.begins_body(lines.start) {
            return self.opened(lines);
        }
        let before = text[..lines.start].trim_end();
        Span::new(self.code.next_line(before.len()).min(lines.start), lines.end)
    }

    /// Returns whole lines with the empty ones behind them, where they begin the body.
    fn opened(&self, lines: Span) -> Span {
        let (text, mut end) = (self.code.text(), lines.end);
        while self.begins_body(lines.start) && end < text.len() && text[end..self.code.next_line(end)].trim().is_empty()
        {
            end = self.code.next_line(end);
        }
        Span::new(lines.start, end)
    }

    fn begins_body(&self, start: usize) -> bool {
        let before = self.code.text()[..start].trim_end();
        before.len() <= self.body.start() || before.ends_with('{') && before.len() == self.body.start() + 1
    }

    /// Tells whether nothing stands before a place on its line.
    pub(crate) fn begins_line(&self, offset: usize) -> bool {
        self.code.text()[self.code.line_start(offset)..offset].trim().is_empty()
    }
}

/// Tells whether a statement of Python stands where nothing else does.
fn is_filler(node: &Node<'_>) -> bool {
    node.is("pass_statement") || node.named_children().next().is_some_and(|it| it.is("ellipsis"))
}

/// Returns where a statement or a member ends, its semicolon and the comment behind it included.
pub(crate) fn end_of(code: &Code, node: Node<'_>) -> usize {
    let rest = &code.text()[node.end()..code.next_line(node.end())];
    let semicolon = rest.len() - rest.trim_start().trim_start_matches(';').len();
    let behind = node.end() + if rest.trim_start().starts_with(';') { semicolon } else { 0 };
    let tail = code.text()[behind..code.next_line(behind)].trim_end();
    let blank = tail.len() - tail.trim_start().len();
    let comment = code.covering(Span::at(behind + blank));
    let is_comment = !tail.is_empty() && comment.kind().ends_with("comment") && comment.start() == behind + blank;
    if is_comment && comment.end() == behind + tail.len() { comment.end() } else { behind }
}

/// Returns where a statement or a member ends, the string right below an assignment of Python included, which documents what is
/// assigned to (PEP 258, "attribute docstrings").
pub(crate) fn documented_end(code: &Code, node: Node<'_>) -> usize {
    let statement = std::iter::once(node).chain(node.ancestors().take(1)).find(|it| it.is("expression_statement"));
    let string = statement.and_then(|it| attribute_docstring(code, it));
    end_of(code, string.unwrap_or(node))
}

/// Returns the string right below a statement of Python that documents what that assigns to.
pub(crate) fn attribute_docstring<'c>(code: &Code, statement: Node<'c>) -> Option<Node<'c>> {
    let only = |it: Node<'c>| it.named_children().next().filter(|_| it.is("expression_statement"));
    only(statement).filter(|it| it.is("assignment") && code.family() == Family::Python)?;
    let next = statement.parent()?.named_children().find(|it| it.start() >= statement.end() && !it.is("comment"))?;
    let is_right_below = code.next_line(statement.end()) == code.line_start(next.start());
    only(next).filter(|it| it.is("string") && is_right_below).map(|_| next)
}

/// Returns where the comments begin that stand right above an offset, each on lines of its own.
pub(crate) fn comments_above(code: &Code, offset: usize) -> usize {
    let mut at = offset;
    loop {
        let line = code.line_start(at);
        let before = code.text()[..line].trim_end();
        let is_right_above = line > 0 && code.next_line(before.len()) == line;
        let Some(last) = before.chars().last() else { return at };
        let comment = code.covering(Span::new(before.len() - last.len_utf8(), before.len()));
        let start = comment.start();
        if !(is_right_above || at == offset && documents(code, comment, line)) {
            return at;
        }
        let is_alone = code.text()[code.line_start(start)..start].trim().is_empty();
        if !comment.kind().ends_with("comment") || !is_alone {
            return at;
        }
        at = start;
    }
}

/// Tells whether a comment above an empty line is that of what follows: JSDoc is, unless it is about the whole file.
fn documents(code: &Code, comment: Node<'_>, line: usize) -> bool {
    const OF_FILE: &[&str] = &["@file", "@license", "@module", "@packageDocumentation", "opyright"];
    let said = comment.text(code.text());
    let is_doc = comment.kind().ends_with("comment") && said.starts_with("/**") && code.family() == Family::Script;
    let is_near = code.text()[comment.end()..line].matches('\n').count() == 2;
    is_doc && is_near && !OF_FILE.iter().any(|word| said.contains(word))
}
