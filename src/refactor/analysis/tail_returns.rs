//! Statements that return in several places, written so that control comes to their end: what they return is assigned, or
//! dropped.
//!
//! ```python
//! if not orders:          # if not orders:
//!     return 0            #     total = 0
//! return sum(orders)      # else:
//!                         #     total = sum(orders)
//! ```

use super::conditions::negation;
use super::indentation::{changed, content};
use crate::refactor::source_file::is_block;
use crate::syntax::{Family, Language, Node, Tree, is_any_function};
use crate::text::{Span, TextEdit};

/// What the statements are written as a part of.
pub(crate) struct Place<'a> {
    pub language: Language,
    /// What their lines begin with; the first line of the text begins behind it.
    pub indent: &'a str,
    pub step: &'a str,
    pub newline: &'a str,
}

/// Writes the statements so that each answer is assigned to `target`, or dropped where that is none. Nothing where a `return`
/// stands in a loop, say, or where a script comes to the end without an answer that is wanted.
pub(crate) fn settled(text: &str, target: Option<&str>, place: &Place<'_>) -> Option<String> {
    let family = place.language.family();
    let is_inside = family == Family::Python && !place.indent.is_empty();
    let head = if is_inside { format!("if 0:\n{}", place.indent) } else { place.indent.to_owned() };
    let text = format!("{head}{text}");
    let tree = Tree::parse(place.language, &text);
    let nodes = tree.nodes();
    let root = nodes.root();
    let block = root.named_children().next().and_then(|outer| outer.child("consequence")).filter(|_| is_inside);
    let mut settling = Settling { text: &text, family, target, place, edits: Vec::new(), inner: Vec::new() };
    settling.sequence(&statements(block.unwrap_or(root)), 0)?;
    let edits = settling.with_deeper_lines(root);
    Some(changed(&text, Span::new(head.len(), text.len()), &edits))
}

struct Settling<'t> {
    text: &'t str,
    family: Family,
    target: Option<&'t str>,
    place: &'t Place<'t>,
    edits: Vec<TextEdit>,
    /// What comes to stand one level deeper, but for its first line.
    inner: Vec<Span>,
}

impl<'t> Settling<'t> {
    /// Settles statements that nothing follows, `depth` levels deeper than they stand.
    fn sequence(&mut self, statements: &[Node<'t>], depth: usize) -> Option<()> {
        let Some(at) = statements.iter().position(|it| returns_in(*it)) else {
            let last = *statements.last()?;
            return if leaves(last) { Some(()) } else { self.fall(last, depth) };
        };
        match (statements[at], &statements[at + 1..]) {
            (last, []) => self.last(last, depth),
            (guard, rest) => self.guard(guard, rest, depth),
        }
    }

    /// Gives an answer behind a statement that gives none.
    fn fall(&mut self, last: Node<'t>, depth: usize) -> Option<()> {
        let Some(target) = self.target else { return Some(()) };
        let is_possible = self.family == Family::Python && self.begins_line(last);
        let said = format!("{}{target} = None", self.line(last, depth));
        is_possible.then(|| self.edits.push(TextEdit::new(Span::at(last.end()), said)))
    }

    fn last(&mut self, one: Node<'t>, depth: usize) -> Option<()> {
        match one.kind() {
            "return_statement" => self.answer(one),
            "if_statement" => {
                let (branches, is_whole) = branches(one);
                branches.iter().try_for_each(|branch| self.sequence(branch, depth))?;
                let Some(target) = self.target.filter(|_| !is_whole) else { return Some(()) };
                let (line, step) = (self.line(one, depth), self.place.step);
                let said = format!("{line}else:{line}{step}{target} = None");
                (self.family == Family::Python).then(|| self.edits.push(TextEdit::new(Span::at(one.end()), said)))
            }
            // What is assigned may fail itself, and would be caught.
            "try_statement" if self.target.is_none_or(is_variable) => {
                let parts: Vec<Node<'t>> = one.named_children().collect();
                let is_kept = |it: &Node<'t>| it.is("finally_clause") && returns_in(*it);
                if parts.iter().any(|it| it.is("else_clause") || is_kept(it)) {
                    return None;
                }
                let blocks = parts.into_iter().filter(|it| !it.is("finally_clause")).filter_map(block_of);
                blocks.map(statements).collect::<Vec<_>>().iter().try_for_each(|it| self.sequence(it, depth))
            }
            _ => None,
        }
    }

    /// Lets what follows a conditional that returns be its other branch.
    fn guard(&mut self, guard: Node<'t>, rest: &[Node<'t>], depth: usize) -> Option<()> {
        let (branches, is_whole) = branches(guard);
        let is_left = |branch: &Vec<Node<'t>>| branch.last().is_some_and(|it| leaves(*it));
        if !guard.is("if_statement") || is_whole || !branches.iter().all(is_left) || !self.begins_line(guard) {
            return None;
        }
        let (first, last) = (*rest.first()?, *rest.last()?);
        let is_python = self.family == Family::Python;
        let remark = self.text[guard.end()..].split('\n').next()?.trim_end();
        let behind = guard.end() + if is_python { remark.len() } else { 0 };
        if !self.begins_line(first) || !is_python && !remark.is_empty() {
            return None;
        }
        let gap = Span::new(behind, first.start());
        let start = gap.start + gap.of(self.text)?.find(|one: char| !one.is_whitespace()).unwrap_or(gap.len());
        let (line, step) = (self.line(guard, depth), self.place.step);
        if let Some(condition) = self.bare(guard, &branches) {
            let opposite = negation((self.text, self.family), condition);
            let said = if is_python { opposite } else { format!("({opposite})") };
            self.edits.push(TextEdit::new(condition.span(), said));
            let opening = guard.child("consequence")?.start();
            let said = if is_python { String::new() } else { format!("{{{line}{step}") };
            if self.text[opening..start].contains(['#', '/']) {
                return None;
            }
            self.edits.push(TextEdit::new(Span::new(opening, start), said));
        } else {
            branches.iter().try_for_each(|branch| self.sequence(branch, depth))?;
            self.brace(guard, depth);
            let is_chain = first.is("if_statement") && returns_in(first) && start == first.start();
            if is_chain {
                let (end, said) = match is_python {
                    true => (start + "if".len(), format!("{line}elif")),
                    false => (start, " else ".to_owned()),
                };
                self.edits.push(TextEdit::new(Span::new(behind, end), said));
                return self.sequence(rest, depth);
            }
            let said = if is_python { format!("{line}else:{line}{step}") } else { format!(" else {{{line}{step}") };
            self.edits.push(TextEdit::new(Span::new(behind, start), said));
        }
        self.inner.push(Span::new(start, last.end()));
        self.sequence(rest, depth + 1)?;
        if !is_python {
            self.edits.push(TextEdit::new(Span::at(last.end()), format!("{line}}}")));
        }
        Some(())
    }

    /// Gives the one statement of a branch braces, as the next branch has them.
    fn brace(&mut self, guard: Node<'t>, depth: usize) {
        let Some((condition, branch)) = guard.child("condition").zip(guard.child("consequence")) else { return };
        if self.family == Family::Python || branch.is("statement_block") {
            return;
        }
        let line = self.line(guard, depth);
        let opening = format!(" {{{line}{}", self.place.step);
        self.edits.push(TextEdit::new(Span::new(condition.end(), branch.start()), opening));
        self.edits.push(TextEdit::new(Span::at(branch.end()), format!("{line}}}")));
    }

    /// Returns the condition of what does nothing but return, where nobody asks for an answer.
    fn bare(&self, guard: Node<'t>, branches: &[Vec<Node<'t>>]) -> Option<Node<'t>> {
        let [branch] = branches else { return None };
        let [one] = branch.as_slice() else { return None };
        let is_bare = one.is("return_statement") && value(*one).is_none() && self.target.is_none();
        guard.child("condition").filter(|_| is_bare && (self.family != Family::Python || self.begins_line(*one)))
    }

    fn answer(&mut self, one: Node<'t>) -> Option<()> {
        let value = value(one);
        let said = value.map(|it| it.text(self.text));
        match (self.target, value) {
            (Some(target), _) if said == Some(target) => return self.drop(one),
            (Some(target), Some(value)) => {
                self.edits.push(TextEdit::new(Span::new(one.start(), value.start()), format!("{target} = ")));
            }
            (Some(target), None) => {
                let nothing = if self.family == Family::Python { "None" } else { "undefined" };
                let word = Span::new(one.start(), one.start() + "return".len());
                self.edits.push(TextEdit::new(word, format!("{target} = {nothing}")));
            }
            (None, Some(value)) if !is_idle(value) => {
                let is_statement = said.is_some_and(|it| it.starts_with(|it: char| it.is_alphabetic() || it == '_'));
                if !is_statement && self.family != Family::Python {
                    return None;
                }
                self.edits.push(TextEdit::new(Span::new(one.start(), value.start()), ""));
            }
            (None, _) => return self.drop(one),
        }
        Some(())
    }

    /// Takes a statement out that is the last of its block.
    fn drop(&mut self, one: Node<'t>) -> Option<()> {
        let block = one.parent()?;
        let is_python = self.family == Family::Python;
        let edit = match statements(block).as_slice() {
            [_] if is_python => TextEdit::new(one.span(), "pass"),
            _ if !is_block(block) => TextEdit::new(one.span(), "{}"),
            _ if !self.begins_line(one) && is_python => return None,
            _ => TextEdit::new(Span::new(self.text[..one.start()].trim_end().len(), one.end()), ""),
        };
        self.edits.push(edit);
        Some(())
    }

    fn begins_line(&self, node: Node<'_>) -> bool {
        let before = &self.text[..node.start()];
        before.rsplit('\n').next().is_some_and(|it| it.trim().is_empty())
    }

    /// Returns the beginning of a line that is indented as the one of a node, some levels deeper.
    fn line(&self, node: Node<'_>, depth: usize) -> String {
        let line = self.text[..node.start()].rsplit('\n').next().unwrap_or_default();
        let indent = &line[..line.len() - line.trim_start().len()];
        format!("{}{indent}{}", self.place.newline, self.place.step.repeat(depth))
    }

    /// Lets lines follow what they stand in now, but for those of strings.
    fn with_deeper_lines(mut self, root: Node<'_>) -> Vec<TextEdit> {
        let content = content(root, self.text);
        let starts = self.text.match_indices('\n').map(|(at, _)| at + 1);
        let is_kept = |at: &usize| {
            let is_edited = self.edits.iter().any(|it| it.span.start < *at && *at <= it.span.end);
            is_edited || content.contains(at) || self.text[*at..].starts_with(['\n', '\r'])
        };
        let starts: Vec<usize> = starts.filter(|at| !is_kept(at)).collect();
        for at in starts {
            let depth = self.inner.iter().filter(|it| it.start < at && at < it.end).count();
            if depth > 0 {
                self.edits.push(TextEdit::new(Span::at(at), self.place.step.repeat(depth)));
            }
        }
        self.edits
    }
}

/// The branches of a conditional, and whether one of them is taken in any case.
fn branches(conditional: Node<'_>) -> (Vec<Vec<Node<'_>>>, bool) {
    let mut found = Vec::from_iter(conditional.child("consequence").map(statements));
    for clause in conditional.named_children().filter(|it| it.is_any(&["elif_clause", "else_clause"])) {
        match clause.child("consequence").or_else(|| clause.child("body")).or_else(|| clause.named_children().next()) {
            Some(inner) if inner.is("if_statement") => {
                let (inner, is_whole) = branches(inner);
                found.extend(inner);
                return (found, is_whole);
            }
            inner => found.extend(inner.map(statements)),
        }
        if clause.is("else_clause") {
            return (found, true);
        }
    }
    (found, false)
}

fn block_of(part: Node<'_>) -> Option<Node<'_>> {
    Some(part).filter(|it| is_block(*it)).or_else(|| part.named_children().find(|it| is_block(*it)))
}

fn statements(block: Node<'_>) -> Vec<Node<'_>> {
    match is_block(block) {
        true => block.named_children().filter(|it| !it.is("comment")).collect(),
        false => vec![block],
    }
}

fn returns_in(statement: Node<'_>) -> bool {
    let is_return = |it: &Node<'_>| it.is("return_statement");
    is_return(&statement) || statement.walk_until(is_any_function).any(|it| is_return(&it))
}

/// Tells whether control never comes behind a statement.
pub(crate) fn leaves(statement: Node<'_>) -> bool {
    let is_left = |branch: &Vec<Node<'_>>| branch.last().is_some_and(|it| leaves(*it));
    match statement.kind() {
        "return_statement" | "raise_statement" | "throw_statement" => true,
        "if_statement" => {
            let (branches, is_whole) = branches(statement);
            is_whole && branches.iter().all(is_left)
        }
        _ => false,
    }
}

fn value(answer: Node<'_>) -> Option<Node<'_>> {
    answer.named_children().find(|it| !it.is("comment"))
}

/// Tells whether nothing is asked when it is assigned.
fn is_variable(target: &str) -> bool {
    target.chars().all(|one| one.is_alphanumeric() || one == '_')
}

fn is_idle(value: Node<'_>) -> bool {
    const IDLE: [&str; 9] = ["identifier", "integer", "float", "number", "none", "null", "true", "false", "undefined"];
    value.is_any(&IDLE) || value.is("string") && value.named_children().all(|it| !it.is("interpolation"))
}

#[cfg(test)]
mod tests {
    use super::{Place, settled};
    use crate::syntax::Language;

    fn python(text: &str, target: Option<&str>) -> Option<String> {
        let place = Place { language: Language::Python, indent: "    ", step: "    ", newline: "\n" };
        settled(text, target, &place)
    }

    fn script(text: &str, target: Option<&str>) -> Option<String> {
        let place = Place { language: Language::TypeScript, indent: "", step: "  ", newline: "\n" };
        settled(text, target, &place)
    }

    #[test]
    fn guards_become_branches() {
        let text =
            "if not a:\n        return 0\n    if b:\n        return 1\n\n    # All.\n    c = '''\n'''\n    return c";
        let said = "if not a:\n        x = 0\n    elif b:\n        x = 1\n    else:\n        # All.\n        c = '''\n'''\n        x = c";
        assert_eq!(python(text, Some("x")).as_deref(), Some(said));
        let text = "if (!a) return 0;\nif (b) {\n  return 1;\n}\n\nfor (const c of a) {\n  c();\n}\nreturn 2;";
        let said = "if (!a) {\n  x = 0;\n} else if (b) {\n  x = 1;\n} else {\n  for (const c of a) {\n    c();\n  }\n  x = 2;\n}";
        assert_eq!(script(text, Some("x")).as_deref(), Some(said));
    }

    #[test]
    fn a_way_without_an_answer_gives_none() {
        let text = "if a:\n        log()\n        return a\n    elif b:\n        log()";
        let said = "if a:\n        log()\n        x = a\n    elif b:\n        log()\n        x = None\n    else:\n        x = None";
        assert_eq!(python(text, Some("x")).as_deref(), Some(said));
        assert_eq!(script("if (a) {\n  return 1;\n}", Some("x")), None);
    }

    #[test]
    fn what_only_leaves_is_turned_round() {
        let text = "log()\n    if a is None:\n        return\n    for b in a:\n        log(b)";
        let said = "log()\n    if a is not None:\n        for b in a:\n            log(b)";
        assert_eq!(python(text, None).as_deref(), Some(said));
        let text = "if (!a) {\n  return;\n}\na();";
        assert_eq!(script(text, None).as_deref(), Some("if (a) {\n  a();\n}"));
        assert_eq!(script("if (a.b()) return;\na();\nc();", None).as_deref(), Some("if (!a.b()) {\n  a();\n  c();\n}"));
    }

    #[test]
    fn what_returns_in_the_middle_stays() {
        assert_eq!(python("for b in a:\n        return b\n    return 1", Some("x")), None);
        assert_eq!(python("if a:\n        if b:\n            return 1\n    log()\n    return 2", Some("x")), None);
        assert_eq!(python("with a:\n        return 1", Some("x")), None);
    }

    #[test]
    fn what_is_caught_stays_caught() {
        let text = "try:\n        return int(a)\n    except ValueError:\n        return None";
        let said = "try:\n        x = int(a)\n    except ValueError:\n        x = None";
        assert_eq!(python(text, Some("x")).as_deref(), Some(said));
    }

    #[test]
    fn what_has_the_name_already_is_no_statement() {
        let text = "if a:\n        x = b()\n        return x";
        let said = "if a:\n        x = b()\n    else:\n        x = None";
        assert_eq!(python(text, Some("x")).as_deref(), Some(said));
    }
}
