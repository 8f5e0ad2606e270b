//! How one line is broken: what stands in its outermost brackets gets lines of its own.

use super::limit::{Commas, Limit, width};
use crate::syntax::{Family, Node, Tree};
use crate::text::{Span, TextEdit};

/// Lists in brackets that can have lines of their own.
const LISTS: &[&str] = &[
    "argument_list",
    "arguments",
    "array",
    "array_pattern",
    "dictionary",
    "export_clause",
    "formal_parameters",
    "list",
    "named_imports",
    "object",
    "object_pattern",
    "object_type",
    "parameters",
    "set",
    "tuple",
];
const COMPREHENSIONS: &[&str] =
    &["dictionary_comprehension", "generator_expression", "list_comprehension", "set_comprehension"];
/// Words of comments that tools read of one line.
const PRAGMAS: &[&str] =
    &["@ts-", "eslint", "mypy", "noqa", "nosec", "pragma", "prettier", "pylint", "pyright", "type:"];
const TAKEN: &[&str] = &["argument_list", "arguments", "formal_parameters", "parameters"];

/// Operators of Python between which Black breaks a line alike.
const RANKS: &[&[&str]] = &[&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "//", "%", "@"]];

/// A line with what it is a part of.
struct Line<'t> {
    tree: &'t Tree,
    text: &'t str,
    span: Span,
    limit: &'t Limit,
}

/// Returns the edit that breaks a line; nothing where there is no good way to.
pub(super) fn line(tree: &Tree, text: &str, span: Span, limit: &Limit) -> Option<TextEdit> {
    let line = Line { tree, text, span, limit };
    if !line.is_python() && width(line.code()) <= limit.width {
        return None;
    }
    let opened = line
        .of_import()
        .or_else(|| line.in_parentheses())
        .or_else(|| line.of_condition())
        .or_else(|| line.of_conditional());
    opened.or_else(|| line.of_list()).or_else(|| line.of_operands())
}

impl<'t> Line<'t> {
    fn is_python(&self) -> bool {
        self.tree.language().family() == Family::Python
    }

    /// Returns what stands on the line before a comment at its end, which Prettier breaks no code for.
    fn code(&self) -> &'t str {
        let is_last = |node: &Node<'t>| node.is("comment") && node.end() == self.span.end;
        let end = self.nodes().find(is_last).map_or(self.span.end, Node::start);
        self.text[self.span.start..end].trim_end()
    }

    fn indent(&self) -> &'t str {
        let said = &self.text[self.span.start..self.span.end];
        &said[..said.len() - said.trim_start().len()]
    }

    fn nodes(&self) -> impl Iterator<Item = Node<'t>> {
        self.tree.nodes().iter().filter(|node| node.is_named() && is_on(*node, self.span))
    }

    /// `from a import b, c`
    fn of_import(&self) -> Option<TextEdit> {
        let statement = self.nodes().find(|node| node.is("import_from_statement"))?;
        let names: Vec<&str> = statement.children_in("name").map(|it| it.text(self.text)).collect();
        let first = statement.children_in("name").next()?;
        let head = self.text[statement.start()..first.start()].trim_end().trim_end_matches('(').trim_end();
        let (indent, end) = (self.indent(), self.limit.newline);
        let step = &self.limit.step;
        let names: String = names.iter().map(|name| format!("{indent}{step}{name},{end}")).collect();
        // What a comment says to tools of the statement is read on its first line.
        let remark = self.text[statement.end()..self.span.end].trim();
        let is_remark = remark.starts_with('#');
        let (whole, remark) = match is_remark {
            true => (Span::new(statement.start(), self.span.end), format!("  {remark}")),
            false => (statement.span(), String::new()),
        };
        Some(TextEdit::new(whole, format!("{head} ({remark}{end}{names}{indent})")))
    }

    fn of_list(&self) -> Option<TextEdit> {
        let lists: Vec<Node<'t>> =
            self.nodes().filter(|node| node.is_any(LISTS) || node.is_any(COMPREHENSIONS)).collect();
        let is_outer = |node: &Node<'t>| !lists.iter().any(|other| other != node && other.holds(*node));
        let outer: Vec<Node<'t>> = lists.iter().copied().filter(is_outer).collect();
        let is_head = |node: &&Node<'t>| node.is_any(&["parameters", "formal_parameters"]);
        let chosen = outer
            .iter()
            .find(is_head)
            .or_else(|| outer.iter().rev().find(|it| it.named_children().next().is_some()))?;
        // Formatters break an operator's line before they open its last operand.
        let is_operand = |node: &Node<'t>| {
            let above = node.ancestors().take_while(|it| is_on(*it, self.span));
            above.into_iter().any(|it| it.is_any(&["binary_expression", "ternary_expression"]))
        };
        (self.is_last(*chosen) && !is_operand(chosen)).then(|| self.opened(*chosen)).flatten()
    }

    /// Gives the branches of a script's conditional expression lines of their own, as Prettier does.
    fn of_conditional(&self) -> Option<TextEdit> {
        let whole = self.nodes().find(|node| node.is("ternary_expression"))?;
        let is_listed = whole.ancestors().take_while(|it| is_on(*it, self.span)).any(|it| it.is_any(LISTS));
        let tail = self.text[whole.end()..self.span.end].trim_start();
        let has_remark = self.nodes().any(|node| node.is("comment") && whole.holds(node));
        if is_listed || has_remark || !tail.starts_with(';') && !tail.is_empty() {
            return None;
        }
        let part = |field: &str| whole.child(field).map(|it| it.text(self.text));
        let (condition, one, other) = (part("condition")?, part("consequence")?, part("alternative")?);
        let inner = format!("{}{}{}", self.limit.newline, self.indent(), self.limit.step);
        Some(TextEdit::new(whole.span(), format!("{condition}{inner}? {one}{inner}: {other}")))
    }

    /// Gives the operands of a script's `a && b` lines of their own, as Prettier does: those of a condition, and of what is
    /// declared, assigned or returned.
    fn of_operands(&self) -> Option<TextEdit> {
        const HELD: &[&str] =
            &["assignment_expression", "parenthesized_expression", "return_statement", "variable_declarator"];
        let is_outer = |it: &Node<'t>| {
            let outer = it.parent().filter(|outer| outer.is_any(HELD));
            outer.is_some_and(|outer| {
                outer.end() == it.end() || outer.is_any(&["parenthesized_expression", "return_statement"])
            })
        };
        let whole = self.nodes().find(|node| node.is("binary_expression") && is_outer(node))?;
        let outer = whole.parent()?;
        if self.nodes().any(|node| node.is("comment")) {
            return None;
        }
        let (indent, end) = (self.indent(), self.limit.newline);
        let inner = format!("{indent}{}", self.limit.step);
        let said = whole.text(self.text);
        let tail = self.text[whole.end()..self.span.end].trim();
        let is_condition = outer.is("parenthesized_expression") && outer.field() == Some("condition") && tail == ") {";
        let is_value = tail.is_empty() || tail == ";";
        let fits = !is_condition && width(&inner) + width(said) + tail.len() <= self.limit.width;
        let lines = if fits { said.to_owned() } else { self.operands(whole).join(&format!("{end}{inner}")) };
        match outer.kind() {
            "parenthesized_expression" if is_condition => {
                Some(TextEdit::new(whole.span(), format!("{end}{inner}{lines}{end}{indent}")))
            }
            "return_statement" if is_value => {
                Some(TextEdit::new(whole.span(), format!("({end}{inner}{lines}{end}{indent})")))
            }
            "assignment_expression" | "variable_declarator" if is_value => {
                let gap = self.text[..whole.start()].trim_end().len();
                Some(TextEdit::new(Span::new(gap, whole.end()), format!("{end}{inner}{lines}")))
            }
            _ => None,
        }
    }

    /// Returns the operands of a chain of one operator, each but the last with the operator behind it.
    fn operands(&self, whole: Node<'t>) -> Vec<String> {
        let operator = |it: Node<'t>| it.child("operator").map(|it| it.text(self.text)).unwrap_or_default();
        let wanted = operator(whole);
        let (mut parts, mut at) = (Vec::new(), whole);
        while let (Some(left), Some(right)) = (at.child("left"), at.child("right")) {
            parts.push(right.text(self.text).to_owned());
            if !left.is("binary_expression") || operator(left) != wanted {
                parts.push(left.text(self.text).to_owned());
                break;
            }
            at = left;
        }
        parts.reverse();
        let last = parts.len().saturating_sub(1);
        for part in &mut parts[..last] {
            part.push(' ');
            part.push_str(wanted);
        }
        parts
    }

    /// Tells whether nothing follows on the line that would have to be broken rather.
    fn is_last(&self, list: Node<'t>) -> bool {
        let tail = self.text[list.end()..self.span.end].trim();
        // A comment stays behind what it is about, unless it tells a tool of the line.
        let remark = tail.find(if self.is_python() { "#" } else { "//" }).unwrap_or(tail.len());
        if PRAGMAS.iter().any(|word| tail[remark..].contains(word)) {
            return false;
        }
        let tail = tail[..remark].trim_end();
        let is_closed = |tail: &str| tail.chars().all(|it| ")]}>,;:".contains(it));
        let body = |tail: &str| tail.strip_suffix('{').map(|it| it.trim_end().trim_end_matches("=>").trim().to_owned());
        let plain = body(tail).unwrap_or_else(|| tail.to_owned());
        let is_typed = list.is_any(&["parameters", "formal_parameters"])
            && (plain.starts_with("->") || plain.starts_with(':'))
            && !plain.contains("=>");
        let is_named =
            plain.strip_prefix("as ").is_some_and(|it| it.trim_end_matches(':').chars().all(char::is_alphanumeric));
        let is_source = list.is_any(&["named_imports", "export_clause"]);
        is_closed(&plain) || is_typed || is_source || is_named && self.is_python()
    }

    /// Writes a list in lines of its own.
    fn opened(&self, list: Node<'t>) -> Option<TextEdit> {
        let items: Vec<Node<'t>> = list.named_children().collect();
        if items.iter().any(|it| it.kind().ends_with("comment")) {
            return None;
        }
        // What ends a call may be opened instead, as Prettier does.
        let last = items.last().filter(|it| it.is_any(&["object", "array"]) && it.named_children().next().is_some());
        if let Some(last) = last.filter(|_| list.is("arguments") && !self.is_python()) {
            return self.opened(*last);
        }
        let inside = Span::new(list.start() + 1, list.end() - 1);
        let (indent, end) = (self.indent(), self.limit.newline);
        let inner = format!("{indent}{}", self.limit.step);
        let content = self.text[inside.start..inside.end].trim();
        let is_alone = items.len() == 1 && list.is("parameters");
        let is_short = width(&inner) + width(content) <= self.limit.width && !content.ends_with(',') && !is_alone;
        let said = match () {
            () if self.is_python() && is_short => format!("{end}{inner}{content}{end}{indent}"),
            () if list.is_any(COMPREHENSIONS) => {
                let parts: Vec<&str> = items.iter().map(|it| it.text(self.text)).collect();
                format!("{end}{inner}{}{end}{indent}", parts.join(&format!("{end}{inner}")))
            }
            () => {
                let comma = if self.ends_with_comma(list, &items) { "," } else { "" };
                let mark = if list.is("object_type") { ";" } else { "," };
                let items: Vec<&str> = self.parts(inside, mark)?;
                let separator = format!("{mark}{end}{inner}");
                let comma = if mark == ";" { ";" } else { comma };
                format!("{end}{inner}{}{comma}{end}{indent}", items.join(&separator))
            }
        };
        let head = width(&self.text[self.span.start..inside.start]);
        (head <= self.limit.width).then(|| TextEdit::new(inside, said))
    }

    /// Returns what stands between the separators of a list: marks like `*` and `/` included.
    fn parts(&self, inside: Span, mark: &str) -> Option<Vec<&'t str>> {
        let list = self.tree.nodes().covering(Span::new(inside.start - 1, inside.end + 1));
        let cuts = list.children().filter(|it| it.kind() == mark).map(Node::span);
        let mut parts = Vec::new();
        let mut at = inside.start;
        for cut in cuts.chain([Span::at(inside.end)]) {
            parts.push(self.text.get(at..cut.start)?.trim());
            at = cut.end;
        }
        parts.retain(|part| !part.is_empty());
        Some(parts)
    }

    fn ends_with_comma(&self, list: Node<'t>, items: &[Node<'t>]) -> bool {
        let is_rest = |it: &Node<'t>| it.text(self.text).starts_with("...");
        if self.is_python() {
            return !items.iter().any(|it| it.is("generator_expression")) || items.len() > 1;
        }
        let is_taken = list.is_any(TAKEN);
        let is_open = list.is_any(&["formal_parameters", "object_pattern", "array_pattern"]);
        match self.limit.commas {
            Commas::None => false,
            Commas::Literals if is_taken => false,
            _ => !(is_open && items.last().is_some_and(is_rest)),
        }
    }

    /// Puts what a statement of Python says in parentheses, as Black does where nothing else can be opened.
    fn in_parentheses(&self) -> Option<TextEdit> {
        if !self.is_python() {
            return None;
        }
        let statement = self.nodes().find(|node| node.is_any(&["return_statement", "assignment"]))?;
        let value = match statement.kind() {
            "assignment" => statement.child("right")?,
            _ => statement.named_children().next()?,
        };
        let is_whole = self.text[value.end()..self.span.end].trim().is_empty()
            && self.text[self.span.start..statement.start()].trim().is_empty();
        let is_open = value.is_any(&[
            "binary_operator",
            "boolean_operator",
            "comparison_operator",
            "conditional_expression",
            "not_operator",
        ]);
        let (indent, end) = (self.indent(), self.limit.newline);
        let inner = format!("{indent}{}", self.limit.step);
        let fits = width(&inner) + width(value.text(self.text)) <= self.limit.width;
        let lines = match self.decided(value).or_else(|| self.computed(value)) {
            _ if fits => value.text(self.text).to_owned(),
            Some(parts) => parts.join(&format!("{end}{inner}")),
            None => return None,
        };
        let said = format!("({end}{inner}{lines}{end}{indent})");
        (is_whole && is_open).then(|| TextEdit::new(value.span(), said))
    }

    /// Puts the condition of a statement of Python in parentheses, its operands in lines of their own, as Black does. Where there
    /// are but two, and the last one ends with a bracket, Black opens that.
    fn of_condition(&self) -> Option<TextEdit> {
        let is_head = |it: &Node<'t>| {
            let outer = it.parent().filter(|_| it.field() == Some("condition"));
            outer.is_some_and(|outer| outer.is_any(&["elif_clause", "if_statement", "while_statement"]))
        };
        let condition = self.nodes().find(is_head).filter(|_| self.is_python())?;
        let tail = self.text[condition.end()..self.span.end].strip_prefix(':')?.trim();
        let parts = self.decided(condition)?;
        let is_opened = parts.len() == 2 && parts[1].ends_with([')', ']', '}']) && !parts[1].ends_with("()");
        if is_opened || !tail.is_empty() && (!tail.starts_with('#') || PRAGMAS.iter().any(|word| tail.contains(word))) {
            return None;
        }
        let (indent, end) = (self.indent(), self.limit.newline);
        let inner = format!("{indent}{}", self.limit.step);
        let said = format!("({end}{inner}{}{end}{indent})", parts.join(&format!("{end}{inner}")));
        Some(TextEdit::new(condition.span(), said))
    }

    /// Returns the operands of a chain of an operator that binds alike (`a + b - c`), each but the first with its operator; nothing
    /// where they are but two: the bracket that ends the last one can be opened then.
    fn computed(&self, whole: Node<'t>) -> Option<Vec<String>> {
        let operator = |it: Node<'t>| it.child("operator").map(|it| it.text(self.text)).unwrap_or_default();
        let rank = |it: Node<'t>| RANKS.iter().position(|rank| rank.contains(&operator(it)));
        let own = rank(whole).filter(|_| whole.is("binary_operator"))?;
        let (mut parts, mut at) = (Vec::new(), whole);
        loop {
            let (left, right) = (at.child("left")?, at.child("right")?);
            parts.push(format!("{} {}", operator(at), right.text(self.text)));
            if !left.is("binary_operator") || rank(left) != Some(own) {
                parts.push(left.text(self.text).to_owned());
                break;
            }
            at = left;
        }
        parts.reverse();
        (parts.len() > 2).then_some(parts)
    }

    /// Returns the operands of `and` and `or` in Python, each but the first with its operator; nothing where there are none.
    fn decided(&self, whole: Node<'t>) -> Option<Vec<String>> {
        let (mut parts, mut open) = (Vec::new(), vec![(whole, "")]);
        while let Some((one, word)) = open.pop() {
            let sides = one.child("left").zip(one.child("operator")).zip(one.child("right"));
            match sides.filter(|_| one.is("boolean_operator")) {
                Some(((left, operator), right)) => {
                    open.push((right, operator.text(self.text)));
                    open.push((left, word));
                }
                None if word.is_empty() => parts.push(one.text(self.text).to_owned()),
                None => parts.push(format!("{word} {}", one.text(self.text))),
            }
        }
        (parts.len() > 1).then_some(parts)
    }
}

/// Tells whether a node begins and ends on a line.
fn is_on(node: Node<'_>, line: Span) -> bool {
    line.contains(node.span()) && !node.span().is_empty()
}
