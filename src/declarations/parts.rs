//! The parts of a declaration that a view shows: what is said above it, its head and its documentation, and no body.

use super::detail::raised;
use super::indenting::unbroken;
use super::module::Module;
use super::placing::Placing;
use crate::session::Parsed;
use crate::syntax::{Declaration, EntryKind, Family, Node, body_of, declared_node, entries, with_comments};
use crate::text::{Span, Text, TextEdit};

/// A value that takes more than this is not shown, in lines and in bytes.
const LONGEST_VALUE: (usize, usize) = (3, 200);

/// A stretch of a text, and how it reads where nothing around it is indented.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) span: Span,
    pub(super) text: String,
    indent: String,
    /// Indenting the text again gives the stretch.
    is_faithful: bool,
}

/// What is left of a declaration beside its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing: the head is all of it.
    Nothing,
    Body(Span),
    Members(Span),
    Value(Span),
}

/// One declaration, or several that share a line.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) lead: Option<Part>,
    pub(super) head: Part,
    pub(super) doc: Option<Part>,
    pub(super) rest: Rest,
    /// Through the end of its last line.
    pub(super) end: usize,
}

/// Reads the parts of the declarations of one text.
pub(super) struct Reader<'p> {
    pub(super) parsed: &'p Parsed,
    pub(super) module: &'p Module,
    declarations: Vec<Declaration>,
}

impl Part {
    fn of(text: &str, span: Span, indent: &str) -> Self {
        let raw = unbroken(span.of(text).unwrap_or_default());
        let outdented = |(at, line): (usize, &str)| {
            let line = if at == 0 { line } else { line.strip_prefix(indent).unwrap_or(line) };
            line.trim_end().to_owned()
        };
        let shown = raw.split('\n').enumerate().map(outdented).collect::<Vec<_>>().join("\n");
        let is_faithful = indented(&shown, indent) == raw;
        Self { span, text: shown, indent: indent.to_owned(), is_faithful }
    }

    /// Returns the edit that makes this part say something else; nothing where its white space would not survive that.
    pub(super) fn replaced(&self, text: &str) -> Option<TextEdit> {
        self.is_faithful.then(|| TextEdit::new(self.span, indented(text, &self.indent)))
    }
}

/// Indents all lines but the first.
pub(super) fn indented(text: &str, indent: &str) -> String {
    let line = |(at, line): (usize, &str)| {
        if at == 0 || line.is_empty() { line.to_owned() } else { format!("{indent}{line}") }
    };
    text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

impl<'p> Reader<'p> {
    pub(super) fn new(parsed: &'p Parsed, module: &'p Module) -> Self {
        let all = entries(&parsed.tree, parsed.text.as_str());
        Self { parsed, module, declarations: all.into_iter().map(|entry| entry.declaration).collect() }
    }

    pub(super) fn text(&self) -> &'p str {
        self.parsed.text.as_str()
    }

    fn placing(&self) -> Placing<'p> {
        Placing::new(self.parsed, self.module)
    }

    pub(super) fn indent(&self, offset: usize) -> &'p str {
        self.placing().indent(offset)
    }

    pub(super) fn unit(&self) -> String {
        self.placing().unit()
    }

    /// Returns the members of an owner, those that share a line together; without what stands in one of them.
    pub(super) fn members(&self, owner: Option<usize>) -> Vec<Vec<usize>> {
        let rows = &self.module.rows;
        let mut own: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].parent == owner).collect();
        own.sort_by_key(|at| (rows[*at].full_span.start, usize::MAX - rows[*at].full_span.end));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut last = (Span::at(0), 0);
        for at in own {
            let span = rows[at].full_span;
            let is_first = groups.is_empty();
            if !is_first && last.0.contains(span) && last.0 != span {
                continue;
            }
            let begins = self.placing().line_start(span.start);
            match groups.last_mut().filter(|_| begins < last.1) {
                Some(group) => group.push(at),
                None => groups.push(vec![at]),
            }
            let end = self.placing().line_rest(span.end).unwrap_or(span.end);
            last = (span, end.max(last.1));
        }
        groups
    }

    fn body(&self, number: usize) -> Option<Node<'p>> {
        body_of(&self.parsed.tree, &self.declarations[number])
    }

    /// Lists what a function raises by name.
    pub(super) fn raised(&self, number: usize) -> Vec<String> {
        let function = self.body(number).filter(|_| self.module.rows[number].kind.is_callable()).and_then(Node::parent);
        function.map(|function| raised(function, self.text())).unwrap_or_default()
    }

    /// Reads the parts of declarations that share a line, or of one. `without_value` leaves out the value, however short.
    pub(super) fn parts(&self, group: &[usize], without_value: bool) -> Parts {
        let rows = &self.module.rows;
        let start = group.iter().map(|at| rows[*at].full_span.start).min().unwrap_or_default();
        let last = group.iter().map(|at| rows[*at].full_span.end).max().unwrap_or_default();
        let end = self.placing().line_rest(last).unwrap_or(last);
        let rest = match group {
            [one] => self.rest(*one, without_value),
            _ => Rest::Nothing,
        };
        let head_end = match rest {
            Rest::Nothing => end,
            Rest::Value(span) => span.start.max(start),
            Rest::Body(span) | Rest::Members(span) => self.head_end(group[0], span).max(start),
        };
        let indent = self.indent(start).to_owned();
        let text = self.text();
        let head_end = start + text[start..head_end].trim_end().len();
        let above = with_comments(&self.parsed.tree, text, start);
        let lead = text[above..start].trim_end();
        let lead = (!lead.is_empty()).then(|| Part::of(text, Span::new(above, above + lead.len()), &indent));
        let head = Part::of(text, Span::new(start, head_end), &indent);
        let doc = match rest {
            Rest::Body(_) | Rest::Members(_) => group.first().and_then(|at| self.documentation(*at)),
            _ => None,
        };
        Parts { lead, head, doc, rest, end }
    }

    /// Returns the end of a head: comments between it and the first statement of a Python body belong to neither.
    fn head_end(&self, number: usize, body: Span) -> usize {
        let is_python = self.module.language.family() == Family::Python;
        let outer = self.body(number).and_then(Node::parent).filter(|_| is_python);
        let colons = outer.into_iter().flat_map(Node::children).filter(|it| it.kind() == ":" && it.end() <= body.start);
        let Some(colon) = colons.last() else { return body.start };
        let line = self.text()[colon.end()..body.start].lines().next().unwrap_or_default();
        if line.trim_start().starts_with('#') { colon.end() + line.len() } else { colon.end() }
    }

    fn rest(&self, number: usize, without_value: bool) -> Rest {
        let row = &self.module.rows[number];
        if let Some(body) = self.body(number) {
            if row.kind.is_callable() {
                return Rest::Body(body.span());
            }
            if row.kind.has_members() && self.holds_lines(number) {
                return Rest::Members(body.span());
            }
        }
        match self.value(number) {
            Some(span) if without_value || self.is_long(span) => Rest::Value(span),
            _ => Rest::Nothing,
        }
    }

    fn is_long(&self, span: Span) -> bool {
        let written = span.of(self.text()).unwrap_or_default();
        written.lines().count() > LONGEST_VALUE.0 || written.len() > LONGEST_VALUE.1
    }

    /// Tells whether each member begins a line of its own; what has none is a class with an empty body.
    fn holds_lines(&self, number: usize) -> bool {
        use EntryKind::{Class, Contract, Interface, Library};
        let members = self.members(Some(number));
        let is_alone = |group: &Vec<usize>| {
            let start = self.module.rows[group[0]].full_span.start;
            self.text()[self.placing().line_start(start)..start].trim().is_empty()
        };
        let may_be_empty = matches!(self.module.rows[number].kind, Class | Contract | Interface | Library);
        members.iter().all(is_alone) && (may_be_empty || !members.is_empty())
    }

    fn value(&self, number: usize) -> Option<Span> {
        let family = self.module.language.family();
        let (whole, name) = declared_node(&self.parsed.tree, &self.declarations[number]);
        let inside = || std::iter::once(name).chain(name.ancestors()).take_while(|it| whole.span().contains(it.span()));
        let value = match family {
            Family::Python => inside().find(|it| it.is("assignment"))?.child("right"),
            Family::Script => inside()
                .find(|it| it.is_any(&["variable_declarator", "public_field_definition", "field_definition"]))?
                .child("value"),
            _ => None,
        };
        value.map(Node::span).filter(|span| span.start > name.end())
    }

    /// Finds the string that a Python body begins with.
    fn documentation(&self, number: usize) -> Option<Part> {
        if self.module.language.family() != Family::Python {
            return None;
        }
        let first = self.body(number)?.named_children().next()?;
        let string = first.named_children().next().filter(|it| first.is("expression_statement") && it.is("string"))?;
        Some(Part::of(self.text(), string.span(), self.indent(string.start())))
    }

    /// Returns the statements of a body but its documentation.
    pub(super) fn statements(&self, number: usize) -> Vec<Node<'p>> {
        let doc = self.documentation(number).map(|doc| doc.span);
        let body = self.body(number).into_iter().flat_map(Node::named_children);
        body.filter(|it| !it.is("comment") && Some(it.span()) != doc).collect()
    }

    /// Tells whether nothing stands in a body, or three dots.
    pub(super) fn is_stub(&self, number: usize, body: Span) -> bool {
        match self.module.language.family() {
            Family::Python => self.statements(number).iter().all(|it| it.text(self.text()) == "..."),
            _ => body.of(self.text()).is_some_and(|it| it.chars().all(|it| it.is_whitespace() || "{}".contains(it))),
        }
    }

    /// Writes into the empty bodies of a stretch that nobody has written them yet.
    pub(super) fn unwritten(&self, span: Span) -> Vec<TextEdit> {
        let rows = self.module.rows.iter().enumerate();
        let inside = rows.filter(|(_, row)| span.contains(row.full_span) && row.kind.is_callable());
        inside.filter_map(|(number, _)| self.filled(number)).collect()
    }

    fn filled(&self, number: usize) -> Option<TextEdit> {
        let body = self.body(number)?.span();
        if !self.is_stub(number, body) {
            return None;
        }
        let row = &self.module.rows[number];
        let indent = self.indent(row.full_span.start);
        let inner = format!("{indent}{}", self.unit());
        let statement = match self.module.language.family() {
            Family::Python => match self.statements(number).first() {
                Some(dots) => return Some(TextEdit::new(dots.span(), "raise NotImplementedError")),
                None => {
                    let inner = self.indent(body.start);
                    return Some(TextEdit::new(Span::at(body.end), format!("\n{inner}raise NotImplementedError")));
                }
            },
            Family::Solidity => format!("revert(\"{} is not written\");", row.name()),
            _ => format!("throw new Error(\"{} is not written\");", row.name()),
        };
        Some(TextEdit::new(body, format!("{{\n{inner}{statement}\n{indent}}}")))
    }
}

/// Reads a text that stands in no file of the project.
pub(super) fn read(path: &str, language: crate::syntax::Language, text: &str) -> (Parsed, Module) {
    let text = Text::new(text);
    let tree = crate::syntax::Tree::parse(language, text.as_str());
    let module = Module::read(path, language, (&tree, &text));
    (Parsed::new(std::sync::Arc::new(text), tree), module)
}
