//! The file that a refactoring begins in, with what all of them ask of it.

use std::sync::Arc;

use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Target};
use crate::session::{Parsed, Session};
use crate::syntax::target::Lines;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

/// One text with its tree.
pub(super) struct Code {
    pub path: AbsPath,
    /// The path as messages show it.
    pub shown: String,
    parsed: Arc<Parsed>,
}

impl Code {
    /// Reads the target's file. One that does not parse is refused: what stands in it is not known.
    pub(super) fn of(session: &Session, request: &Request) -> Result<Self, Refusal> {
        let Target { path, shown, .. } = &request.target;
        let parsed = session.parsed(path)?.expect("a target's language is known by its file");
        let code = Self { path: path.clone(), shown: shown.clone(), parsed };
        let error = code.root().descendants().find(|node| node.is_error()).map(Node::start);
        match error {
            Some(at) => Err(code.refuse(at, "the file does not parse here")),
            None => Ok(code),
        }
    }

    pub(super) fn text(&self) -> &str {
        self.parsed.text.as_str()
    }

    pub(super) fn family(&self) -> Family {
        self.parsed.tree.language().family()
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.parsed.tree.nodes().root()
    }

    /// Returns the smallest node that spans `span`.
    pub(super) fn covering(&self, span: Span) -> Node<'_> {
        self.parsed.tree.nodes().covering(span)
    }

    /// Refuses for a reason that has a place.
    pub(super) fn refuse(&self, offset: usize, reason: impl std::fmt::Display) -> Refusal {
        let line = self.parsed.text.position(offset).map_or(0, |position| position.line + 1);
        Refusal::NotPossible(format!("{}:{line}: {reason}", self.shown))
    }

    /// Makes the plan that edits this file alone.
    pub(super) fn plan(&self, edits: Vec<TextEdit>) -> Result<Plan, Refusal> {
        let mut parts = Parts::default();
        parts.edits.insert(self.path.clone(), (Arc::clone(&self.parsed.text), edits));
        Ok(Plan::new(parts)?)
    }

    /// Returns what the target stands for: the declaration that was named, or the whole file.
    pub(super) fn declared(&self, target: &Target) -> Node<'_> {
        let Some(name) = target.name else { return self.root() };
        let named = self.covering(name);
        named.parent().filter(|_| named.span() == name).unwrap_or(named)
    }

    /// Returns the stretch that the target stands for: its lines, its declaration, or the whole file.
    pub(super) fn extent(&self, target: &Target) -> Span {
        match target.lines {
            Some(lines) => self.lines(lines),
            None => self.declared(target).span(),
        }
    }

    /// Returns whole lines, counted from 1, without the end of the last one.
    pub(super) fn lines(&self, (first, last): Lines) -> Span {
        let index = self.parsed.text.lines();
        let start = index.line(self.text(), first - 1).map_or(self.text().len(), |line| line.start);
        let end = index.line(self.text(), last - 1).map_or(self.text().len(), |line| line.end);
        let text = &self.text()[start..end];
        Span::new(start, start + text.trim_end_matches(['\n', '\r']).len())
    }

    /// Returns where the line of an offset begins.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        self.text()[..offset].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Returns where the line behind an offset's begins, or where the text ends.
    pub(super) fn next_line(&self, offset: usize) -> usize {
        self.text()[offset..].find('\n').map_or(self.text().len(), |end| offset + end + 1)
    }

    /// Returns what the text ends its lines with.
    pub(super) fn newline(&self) -> &'static str {
        if self.text().contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Tells whether a name stands as a name anywhere below a node.
    pub(super) fn mentions(&self, below: Node<'_>, name: &str) -> bool {
        let spans = self.parsed.tree.identifiers_named(self.text(), name);
        spans.into_iter().any(|span| below.span().contains(span))
    }
}

/// Returns the function around a node, or nothing at module level.
pub(super) fn function_of(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|outer| is_any_function(*outer))
}
