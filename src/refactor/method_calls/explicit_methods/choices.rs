//! Where a function chooses by one of its parameters, and what it does for each value.

use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, is_block};
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Node, is_any_function};
use crate::text::Span;

/// What a flag is where it holds, and where it does not.
pub(super) const HOLDS: [&str; 2] = ["=true", "=false"];

/// One place where the function chooses: a conditional, a conditional expression, cases.
pub(super) struct Choice<'c> {
    pub node: Node<'c>,
    pub by: By,
    /// The places of the parameter in its conditions.
    pub asked: Vec<Node<'c>>,
    pub branches: Vec<Branch<'c>>,
    /// What is done for all other values.
    pub otherwise: Vec<Node<'c>>,
}

/// What is done for one value.
pub(super) struct Branch<'c> {
    /// As [`said`] tells it.
    pub value: String,
    pub body: Vec<Node<'c>>,
}

/// What a choice asks of the parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// Whether it holds.
    Flag,
    Value,
}

/// Statements that choose by a value.
const CASES: &[&str] = &["match_statement", "switch_statement"];
const CONDITIONAL_EXPRESSIONS: &[&str] = &["conditional_expression", "ternary_expression"];

/// Returns what chooses by a name, where that is all that is asked there.
pub(super) fn choosing<'c>(function: Node<'c>) -> impl Iterator<Item = (Node<'c>, Node<'c>)> {
    let found = function.descendants().filter_map(|it| Some((it, asked_by(it)?)));
    found.filter(|(_, asked)| asked.is("identifier"))
}

/// Returns what is asked by a conditional, or what cases are of.
fn asked_by(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_any(CASES) {
        return node.child("subject").or_else(|| node.child("value")).map(unwrapped);
    }
    let condition = match node.kind() {
        "if_statement" | "elif_clause" | "ternary_expression" => node.child("condition")?,
        "conditional_expression" => node.named_children().nth(1)?,
        _ => return None,
    };
    let condition = unwrapped(condition);
    if is_negated(condition) {
        return condition.child("argument").map(unwrapped);
    }
    let is_compared = condition.is_any(&["comparison_operator", "binary_expression"]);
    if is_compared { condition.named_children().next() } else { Some(condition) }
}

impl<'c> Choice<'c> {
    /// Reads what chooses by a name.
    pub(super) fn of(code: &Code, (node, asked): (Node<'c>, Node<'c>)) -> Result<Self, Refusal> {
        let more = || code.refuse(asked.start(), "the parameter is used for more than choosing");
        let is_expression = node.is_any(CONDITIONAL_EXPRESSIONS);
        if !is_expression && !node.parent().is_some_and(is_block) {
            return Err(more());
        }
        let mut choice = Self { node, by: By::Value, asked: vec![asked], branches: Vec::new(), otherwise: Vec::new() };
        if node.is_any(CASES) {
            choice.read_cases(code)?;
            return Ok(choice);
        }
        let condition =
            if node.is("conditional_expression") { node.named_children().nth(1) } else { node.child("condition") };
        let condition = unwrapped(condition.ok_or_else(more)?);
        if condition == asked || is_negated(condition) {
            choice.by = By::Flag;
            choice.read_flag(code, condition)?;
        } else if is_expression {
            return Err(more());
        } else {
            choice.read_chain(code)?;
        }
        Ok(choice)
    }

    /// Returns what is done for a value.
    pub(super) fn body(&self, value: &str) -> &[Node<'c>] {
        self.branches.iter().find(|it| it.value == value).map_or(&self.otherwise, |it| &it.body)
    }

    /// Tells whether a node stands in what is done for some value.
    pub(super) fn keeps(&self, node: Node<'_>) -> bool {
        let holds = |body: &[Node<'c>]| !body.is_empty() && extent(body).contains(node.span());
        holds(&self.otherwise) || self.branches.iter().any(|it| holds(&it.body))
    }

    fn branch(&mut self, code: &Code, at: Node<'c>, (value, body): (String, Vec<Node<'c>>)) -> Result<(), Refusal> {
        if self.branches.iter().any(|it| it.value == value) {
            return Err(code.refuse(at.start(), "it is chosen by this value twice"));
        }
        self.branches.push(Branch { value, body });
        Ok(())
    }

    /// Reads what is done where a flag holds, and where it does not.
    fn read_flag(&mut self, code: &Code, condition: Node<'c>) -> Result<(), Refusal> {
        let node = self.node;
        let [held, other] = if node.is("conditional_expression") {
            let mut parts = node.named_children();
            [parts.next(), parts.nth(1)].map(|it| it.into_iter().collect::<Vec<_>>())
        } else if node.is("ternary_expression") {
            ["consequence", "alternative"].map(|it| node.child(it).into_iter().collect())
        } else {
            let other = node.children_in("alternative").next();
            let is_chain = other.is_some_and(|it| {
                it.is("elif_clause") || it.named_children().last().is_some_and(|it| it.is("if_statement"))
            });
            if is_chain {
                return Err(code.refuse(node.start(), "it is chosen by more than the flag"));
            }
            let held = node.child("consequence").map(|it| statements_of(code, it));
            [held, other.and_then(|it| of_else(code, it))].map(Option::unwrap_or_default)
        };
        let bodies = if is_negated(condition) { [other, held] } else { [held, other] };
        for (value, body) in HOLDS.into_iter().zip(bodies) {
            self.branches.push(Branch { value: value.to_owned(), body });
        }
        Ok(())
    }

    /// Reads conditionals that compare the parameter, one behind the other.
    fn read_chain(&mut self, code: &Code) -> Result<(), Refusal> {
        let name = self.asked.remove(0).text(code.text());
        let mut open = Some(self.node);
        while let Some(tree) = open.take() {
            self.read_comparison(code, tree, name)?;
            for next in tree.children_in("alternative") {
                let body = next.child("body").or_else(|| next.named_children().last());
                match body.filter(|it| it.is("if_statement")) {
                    _ if next.is("elif_clause") => self.read_comparison(code, next, name)?,
                    Some(inner) => open = Some(inner),
                    None => self.otherwise = of_else(code, next).unwrap_or_default(),
                }
            }
        }
        Ok(())
    }

    fn read_comparison(&mut self, code: &Code, tree: Node<'c>, name: &str) -> Result<(), Refusal> {
        let refuse = || code.refuse(tree.start(), "it is not chosen here by one value of the parameter");
        let condition = tree.child("condition").map(unwrapped).ok_or_else(refuse)?;
        let mut parts = condition.named_children();
        let (Some(asked), Some(value), None) = (parts.next(), parts.next(), parts.next()) else { return Err(refuse()) };
        let is_equal = matches!(code.text()[asked.end()..value.start()].trim(), "==" | "===");
        let block = tree.child("consequence").filter(|_| is_equal && asked.text(code.text()) == name);
        let word = said(code, value).ok_or_else(refuse)?;
        let body = block.map(|it| statements_of(code, it)).ok_or_else(refuse)?;
        self.asked.push(asked);
        self.branch(code, value, (word, body))
    }

    /// Reads the cases of a `match` or a `switch`.
    fn read_cases(&mut self, code: &Code) -> Result<(), Refusal> {
        let refuse = |node: Node<'_>, reason: &str| code.refuse(node.start(), reason);
        let body = self.node.child("body").into_iter().flat_map(Node::named_children);
        let cases: Vec<Node<'c>> = body.filter(|it| !it.kind().ends_with("comment")).collect();
        for case in cases {
            let body =
                case_body(code, case).ok_or_else(|| refuse(case, "it does more than what is done for one value"))?;
            let pattern = case.child("value").or_else(|| case.child_of_kind("case_pattern"));
            let is_open = case.is("switch_default") || pattern.is_some_and(|it| it.text(code.text()) == "_");
            if is_open && case.child("guard").is_none() {
                self.otherwise = body;
                continue;
            }
            let value = match case.is("case_clause") {
                true => pattern.and_then(|it| it.named_children().next()),
                false => pattern,
            };
            let is_one =
                case.child("guard").is_none() && case.children().filter(|it| it.is("case_pattern")).count() < 2;
            let word = value.filter(|_| is_one).and_then(|it| said(code, it));
            let word = word.ok_or_else(|| refuse(case, "it is not chosen here by one value of the parameter"))?;
            self.branch(code, case, (word, body))?;
        }
        Ok(())
    }
}

/// Tells whether statements end by leaving the block that they stand in.
pub(super) fn leaves(statements: &[Node<'_>]) -> bool {
    const LEAVES: &[&str] =
        &["break_statement", "continue_statement", "raise_statement", "return_statement", "throw_statement"];
    statements.iter().rfind(|it| !it.is("comment")).is_some_and(|last| last.is_any(LEAVES))
}

/// Returns what a branch does, with its comments: in Python those that it begins with stand outside of its block.
fn statements_of<'c>(code: &Code, block: Node<'c>) -> Vec<Node<'c>> {
    let around = block.parent().into_iter().flat_map(Node::children);
    let mut all: Vec<Node<'c>> = around.take_while(|it| *it != block).collect();
    let is_own =
        |it: &Node<'c>| it.is("comment") && code.text()[code.line_start(it.start())..it.start()].trim().is_empty();
    let begun = all.iter().rev().take_while(|it| block.is("block") && is_own(it)).count();
    all.drain(..all.len() - begun);
    match block.is_any(&["block", "statement_block"]) {
        true => all.extend(block.children().filter(|it| it.is_named())),
        false => all.push(block),
    }
    all
}

/// Returns what an `else` does.
fn of_else<'c>(code: &Code, clause: Node<'c>) -> Option<Vec<Node<'c>>> {
    clause.child("body").or_else(|| clause.named_children().last()).map(|it| statements_of(code, it))
}

/// Returns what is done in a case, without the `break` that ends it; nothing where it goes on with the next one, or ends
/// in its middle.
fn case_body<'c>(code: &Code, case: Node<'c>) -> Option<Vec<Node<'c>>> {
    let mut body: Vec<Node<'c>> = match case.child("consequence") {
        Some(block) => statements_of(code, block),
        None => case.children_in("body").flat_map(|it| statements_of(code, it)).collect(),
    };
    let is_script = !case.is("case_clause");
    let ends = |it: &Node<'_>| is_script && it.is("break_statement") && it.named_children().next().is_none();
    let is_broken = body.last().is_some_and(ends);
    if is_broken {
        body.pop();
    }
    const OWN: &[&str] = &["do_statement", "for_in_statement", "for_statement", "switch_statement", "while_statement"];
    let is_other = |it: Node<'_>| it.is_any(OWN) || is_any_function(it);
    let breaks = |it: &Node<'_>| it.is("break_statement") || it.walk_until(is_other).any(|it| it.is("break_statement"));
    let is_cut = is_script && body.iter().any(|it| !is_other(*it) && breaks(it));
    let is_last = case.parent().and_then(|it| it.named_children().last()) == Some(case);
    let is_closed = is_broken || !is_script || leaves(&body) || is_last;
    (!body.is_empty() && !is_cut && is_closed).then_some(body)
}

/// Returns where statements stand.
pub(super) fn extent(body: &[Node<'_>]) -> Span {
    Span::new(body.first().map_or(0, |it| it.start()), body.last().map_or(0, |it| it.end()))
}

fn is_negated(condition: Node<'_>) -> bool {
    let is_mark = |it: Node<'_>| it.kind() == "!";
    condition.is("not_operator") || condition.is("unary_expression") && condition.child("operator").is_some_and(is_mark)
}

/// Tells literals apart: a text by what it says, after a quote; anything else as it is written.
pub(super) fn said(code: &Code, value: Node<'_>) -> Option<String> {
    let text = value.text(code.text());
    let is_bare = value.is("string")
        && value
            .named_children()
            .all(|it| it.is_any(&["string_start", "string_content", "string_fragment", "string_end"]));
    let inner = text
        .strip_prefix(['"', '\''])
        .and_then(|it| it.strip_suffix(['"', '\'']))
        .filter(|it| is_bare && !it.contains('\\'));
    let is_plain = value.is_any(&["integer", "number"]) && text.chars().all(char::is_alphanumeric);
    if value.is_any(&["false", "true"]) {
        return Some(format!("={}", text.to_lowercase()));
    }
    inner.map(|it| format!("\"{it}")).or_else(|| is_plain.then(|| format!("={text}")))
}
