//! What a function answers: the code, and all else.

use super::raised::Raised;
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::definite_assignment::completes;
use crate::refactor::analysis::probed_types::{ProbeSide, Question, answers};
use crate::refactor::analysis::signatures::is_literal;
use crate::refactor::doubts::{doubt, tell};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_block, statement_of};
use crate::session::Session;
use crate::syntax::{Family, Node, is_any_function, is_async};
use crate::text::{Span, TextEdit};

pub(super) struct Answers<'c> {
    pub home: &'c Code,
    pub function: Node<'c>,
    /// The code, as it is written.
    pub code: &'c str,
    /// The statements that return it.
    coded: Vec<Node<'c>>,
    /// What else is returned.
    others: Vec<Node<'c>>,
}

/// What stands for nothing, or for a failure, where nobody says what the code is.
const PYTHON: &[&str] = &["None", "-1", "False"];
const SCRIPT: &[&str] = &["null", "undefined", "-1", "false"];

impl<'c> Answers<'c> {
    pub(super) fn of(home: &'c Code, function: Node<'c>, given: Option<&str>) -> Result<Self, Refusal> {
        let refuse = |node: Node<'_>, reason: &str| Err(home.refuse(node.start(), reason));
        let own = |it: Node<'_>| is_any_function(it) && it != function;
        let inside: Vec<Node<'c>> = function.walk_until(own).collect();
        if let Some(node) = inside.iter().find(|it| it.is_any(&["yield", "yield_expression"])) {
            return refuse(*node, "it answers again and again");
        }
        let returns: Vec<Node<'c>> = inside.into_iter().filter(|it| it.is("return_statement")).collect();
        let said = |it: &Node<'c>| value(*it).map_or_else(|| nothing(home), |it| it.text(home.text()));
        let common = if home.family() == Family::Python { PYTHON } else { SCRIPT };
        let mut codes: Vec<&'c str> = returns.iter().map(said).filter(|it| is_code(it, given, common)).collect();
        codes.sort_unstable();
        codes.dedup();
        let code = match codes.as_slice() {
            [only] => *only,
            [] => {
                let reason = given.map_or("it returns no code: `None`, `-1`, `False`".to_owned(), |it| {
                    format!("it nowhere returns `{it}`")
                });
                return refuse(function, &reason);
            }
            several => {
                let reason = format!("it returns `{}`: say by `code` which one is meant", several.join("`, `"));
                return Err(Refusal::Missing { param: "code", reason });
            }
        };
        let (coded, others): (Vec<Node<'c>>, Vec<Node<'c>>) = returns.into_iter().partition(|it| said(it) == code);
        Ok(Self { home, function, code, coded, others: others.into_iter().filter_map(value).collect() })
    }

    /// Refuses a function that may answer the code in another way than by saying it.
    pub(super) async fn check(&self, session: &Session) -> Result<(), Refusal> {
        let (home, code) = (self.home, self.code);
        let body = self.function.child("body").filter(|it| is_block(*it));
        let body = body.ok_or_else(|| home.refuse(self.function.start(), "it has no body of statements"))?;
        let names = ScopedNames::of(home);
        let statements: Vec<Node<'_>> = body.named_children().collect();
        if code == nothing(home) && completes(&names, &statements) {
            return Err(
                home.refuse(self.function.start(), format!("it may end without a `return`, which is `{code}`, too"))
            );
        }
        let is_open = |it: &&Node<'_>| !is_literal(**it) && !is_count(home, &names, **it) && !is_made(**it);
        let open: Vec<Node<'_>> = self.others.iter().filter(is_open).copied().collect();
        let questions: Vec<Question<'_>> = open
            .iter()
            .map(|it| Question {
                statement: statement_of(*it).unwrap_or(*it),
                side: ProbeSide::Before,
                expression: it.text(home.text()),
            })
            .collect();
        let types = match questions.is_empty() {
            true => Vec::new(),
            false => answers(session, home, &questions).await?,
        };
        for (one, known) in open.iter().zip(types) {
            if may_be(code, known.as_deref()) {
                tell(self.unsure(*one)?);
            }
        }
        Ok(())
    }

    fn unsure(&self, one: Node<'_>) -> Result<Warning, Refusal> {
        let said = one.text(self.home.text()).lines().next().unwrap_or_default();
        doubt(self.home, one.span(), format!("whether `{said}` is ever `{}` is not known", self.code))
    }

    /// Tells whether all else that it answers is `True`: then whatever is not true is the code.
    pub(super) fn is_all_true(&self) -> bool {
        !self.others.is_empty() && self.others.iter().all(|it| it.is("true")) && matches!(self.code, "False" | "false")
    }

    /// Tells whether somebody waits for what it answers.
    pub(super) fn is_late(&self) -> bool {
        is_async(self.function)
    }

    /// Raises the exception where the code was returned, and takes the code out of the type of what is answered.
    pub(super) fn raised(&self, raised: &Raised<'_>) -> Vec<TextEdit> {
        let home = self.home;
        let made = match home.family() {
            Family::Python => format!("raise {}({})", raised.name, raised.message),
            _ => format!("throw new {}({})", raised.name, raised.message),
        };
        let close = |it: &Node<'_>| if it.text(home.text()).ends_with(';') { ";" } else { "" };
        let mut edits: Vec<TextEdit> =
            self.coded.iter().map(|it| TextEdit::new(it.span(), format!("{made}{}", close(it)))).collect();
        let declared = self.function.child("return_type");
        edits.extend(declared.and_then(|it| Some(TextEdit::new(it.span(), self.without(it)?))));
        edits
    }

    /// Returns the type of what it answers without the code, as it is written.
    pub(super) fn answered(&self) -> Option<String> {
        let declared = self.function.child("return_type")?;
        let said = self.without(declared).unwrap_or_else(|| declared.text(self.home.text()).to_owned());
        let said = said.trim_start_matches(':').trim().to_owned();
        let awaited = said.strip_prefix("Promise<").and_then(|it| it.strip_suffix('>'));
        Some(awaited.map(str::to_owned).unwrap_or(said))
    }

    fn without(&self, declared: Node<'_>) -> Option<String> {
        let text = declared.text(self.home.text());
        let (mark, of) = match text.strip_prefix(':') {
            Some(of) => (": ", of.trim()),
            None => ("", text),
        };
        let inner = of.strip_prefix("Promise<").and_then(|it| it.strip_suffix('>'));
        let (open, of, close) = inner.map_or(("", of, ""), |inner| ("Promise<", inner, ">"));
        let optional = of.strip_prefix("Optional[").and_then(|it| it.strip_suffix(']')).filter(|_| self.code == "None");
        let alone = optional.map(str::to_owned).or_else(|| {
            let parts: Vec<&str> = of.split('|').map(str::trim).collect();
            let is_plain = !of.contains(['(', '{']) && parts.len() > 1 && parts.contains(&self.code);
            let rest: Vec<&str> = parts.iter().copied().filter(|it| *it != self.code).collect();
            (is_plain && !rest.iter().any(|it| it.matches(['[', '<']).count() != it.matches([']', '>']).count()))
                .then(|| rest.join(" | "))
        })?;
        Some(format!("{mark}{open}{alone}{close}"))
    }

    /// Returns the word that the type of its answers does without from now on.
    pub(super) fn gone(&self) -> Option<Span> {
        let declared = self.function.child("return_type").filter(|it| self.without(*it).is_some())?;
        let mut words = declared.descendants().filter(|it| it.text(self.home.text()) == "Optional" && it.is_leaf());
        words.next().map(Node::span)
    }
}

fn value<'c>(statement: Node<'c>) -> Option<Node<'c>> {
    statement.named_children().next()
}

/// Returns what a function answers that says nothing.
pub(super) fn nothing(code: &Code) -> &'static str {
    if code.family() == Family::Python { "None" } else { "undefined" }
}

fn is_code(said: &str, given: Option<&str>, common: &[&str]) -> bool {
    given.map_or_else(|| common.contains(&said), |given| said == given.trim() || is_same_string(said, given.trim()))
}

/// Tells whether two strings differ in their quotes alone.
fn is_same_string(one: &str, other: &str) -> bool {
    inner(one).is_some_and(|one| inner(other) == Some(one))
}

/// Returns what stands between the quotes of a string that holds none, and no escape.
fn inner(said: &str) -> Option<&str> {
    let inner = ["'", "\""].into_iter().find_map(|quote| said.strip_prefix(quote)?.strip_suffix(quote))?;
    (!inner.contains(['\'', '"', '\\'])).then_some(inner)
}

/// Tells whether a value is a new object, which no code is.
fn is_made(value: Node<'_>) -> bool {
    const MADE: &[&str] = &[
        "array",
        "arrow_function",
        "dictionary",
        "lambda",
        "list",
        "new_expression",
        "object",
        "set",
        "template_string",
        "tuple",
        "expression_list",
    ];
    value.is_any(MADE) || value.kind().ends_with("comprehension")
}

/// Tells whether a value of a type may be the code.
fn may_be(code: &str, known: Option<&str>) -> bool {
    let Some(known) = known.filter(|it| !matches!(*it, "Any" | "any" | "unknown")) else { return true };
    let has =
        |words: &[&str]| known.split(|it: char| !it.is_alphanumeric() && it != '_').any(|word| words.contains(&word));
    match code {
        "None" => known.split(" | ").any(|it| it == "None") || has(&["Any", "Unknown"]),
        "null" | "undefined" => known.split(" | ").any(|it| it == code),
        "False" | "false" => has(&["bool", "boolean", "object"]),
        _ if code.trim_start_matches('-').parse::<f64>().is_ok() => has(&["int", "float", "number", "object"]),
        _ => true,
    }
}

/// Tells whether a variable only counts up from nought: what `enumerate` and `range` give, or a loop's `let i = 0; …; i++`.
fn is_count(code: &Code, names: &ScopedNames<'_>, value: Node<'_>) -> bool {
    let Some(name) = names.at(value).filter(|it| !it.is_free) else { return false };
    let text = code.text();
    let mut writes = names.writes(name.meaning).map(|it| code.covering(it.span)).peekable();
    if writes.peek().is_none() {
        return false;
    }
    writes.all(|write| {
        let holder = write.parent();
        let counts = |it: Node<'_>| {
            it.is("for_statement") && it.child("left").is_some_and(|left| left == write || left.holds(write))
        };
        let source = write.ancestors().find(|it| counts(*it)).and_then(|it| it.child("right"));
        let called = source.and_then(|it| it.child("function")).map(|it| it.text(text));
        let given = source.and_then(|it| it.child("arguments")).map_or(0, |it| it.named_children().count());
        let is_first = write.parent().is_some_and(|it| it.named_children().next() == Some(write))
            || holder.is_some_and(|it| it.is("for_statement"));
        let begins = holder.filter(|it| it.is("variable_declarator")).and_then(|it| it.child("value"));
        let is_up = holder.is_some_and(|it| it.is("update_expression") && it.text(text).contains("++"));
        matches!(called, Some("enumerate" | "range")) && given == 1 && is_first
            || begins.is_some_and(|it| it.text(text).parse::<u64>().is_ok())
            || is_up
    })
}

#[cfg(test)]
mod tests {
    use super::is_same_string;

    #[test]
    fn quotes_make_no_other_string() {
        assert!(is_same_string("''", "\"\"") && is_same_string("'a'", "\"a\""));
        assert!(!is_same_string("'a'", "\"b\"") && !is_same_string("a", "a"));
    }
}
