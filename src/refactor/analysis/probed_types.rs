//! Types of expressions where no name has them yet: asked with a text laid over the file, in which each is the value of a
//! variable.

use std::sync::Arc;

use super::inferred_types::{shown_type, spelled, split_outside};
use crate::lsp::{Feature, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Node};
use crate::text::{Span, Text};

/// Where an expression is evaluated: before a statement, or behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbeSide {
    Before,
    Behind,
}

/// An expression in words of the place that it is evaluated at.
pub(crate) struct Question<'c> {
    pub statement: Node<'c>,
    pub side: ProbeSide,
    pub expression: &'c str,
}

/// A name that no program has.
const VARIABLE: &str = "__lspwright_probed_";

/// Returns what the server knows of the type of each; nothing of what it does not know.
pub(crate) async fn probed(session: &Session, code: &Code, questions: &[Question<'_>]) -> Vec<Option<String>> {
    let unknown = || vec![None; questions.len()];
    answers(session, code, questions).await.unwrap_or_else(|_| unknown())
}

/// Writes types as one that holds the values of all of them, as the file can; nothing where it would take an import.
pub(crate) fn united(code: &Code, names: &ScopedNames<'_>, types: &[Option<String>]) -> Option<String> {
    united_with(code, names, types).filter(|(_, unseen)| unseen.is_empty()).map(|(said, _)| said)
}

/// As [`united`], with the names in it that the module does not know.
pub(crate) fn united_with(
    code: &Code,
    names: &ScopedNames<'_>,
    types: &[Option<String>],
) -> Option<(String, Vec<String>)> {
    let types: Option<Vec<&str>> = types.iter().map(Option::as_deref).collect();
    let mut members: Vec<&str> = Vec::new();
    for one in types?.into_iter().flat_map(|it| split_outside(it, '|')) {
        if !members.contains(&one) {
            members.push(one);
        }
    }
    // Nothing is known of a value that may be anything else, too.
    if members.len() > 1 {
        members.retain(|member| *member != "Any");
    }
    let is_none = |member: &&str| *member == "None";
    let rest: Vec<&str> = members.iter().copied().filter(|member| !is_none(member)).collect();
    let none = members.iter().copied().filter(is_none);
    let all: Vec<&str> = rest.into_iter().chain(none).collect();
    spelled(code, names, &all.join(" | "))
}

/// Writes a type of Python as one that `None` has, too, as the file does, with the import that this takes.
pub(crate) fn or_none(code: &Code, names: &ScopedNames<'_>, known: Option<String>) -> (Option<String>, Option<String>) {
    let Some(of) = known else { return (None, None) };
    if of == "None" || of.ends_with("| None") || of.starts_with("Optional[") {
        return (Some(of), None);
    }
    let imports_typing = || {
        let mut statements = code.root().named_children();
        statements.any(|it| it.is("import_statement") && it.text(code.text()) == "import typing")
    };
    match united(code, names, &[Some(of.clone()), Some("None".to_owned())]) {
        Some(written) => (Some(written), None),
        None if imports_typing() => (Some(format!("typing.Optional[{of}]")), None),
        None if code.mentions(code.root(), "Optional") => (None, None),
        None => (Some(format!("Optional[{of}]")), Some("from typing import Optional".to_owned())),
    }
}

/// As [`probed`].
///
/// # Errors
/// Where nobody could be asked.
pub(crate) async fn answers(
    session: &Session,
    code: &Code,
    questions: &[Question<'_>],
) -> Result<Vec<Option<String>>, Refusal> {
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let server = session.server(code.parsed().tree.language(), Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let (made, places) = laid_over(code, questions);
    let _turn = session.alone().await;
    let answered = asked(&server, code, (made, &places)).await;
    server.drop_overlays().await;
    answered
}

/// Tells whether what a loop goes through is known to be there as a whole, so that leaving the rest has no effect.
///
/// # Errors
/// Where nobody could be asked.
pub(crate) async fn is_whole(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    (looped, source): (Node<'_>, Node<'_>),
) -> Result<bool, Refusal> {
    const LITERALS: &[&str] = &["list", "list_comprehension", "tuple", "set", "dictionary", "string", "array"];
    const VIEWS: &[&str] = &["enumerate", "reversed", "zip"];
    let called = source.child("function").filter(|it| it.is("identifier") && names.at(*it).is_none_or(|it| it.is_free));
    let is_view = called.is_some_and(|it| VIEWS.contains(&it.text(code.text())));
    let seen: Vec<Node<'_>> = match source.child("arguments").filter(|_| is_view) {
        Some(list) => list.named_children().collect(),
        None => vec![source],
    };
    let open: Vec<Node<'_>> = seen.into_iter().filter(|it| !it.is_any(LITERALS)).collect();
    let question =
        |it: &Node<'_>| Question { statement: looped, side: ProbeSide::Before, expression: it.text(code.text()) };
    let known = answers(session, code, &open.iter().map(question).collect::<Vec<_>>()).await?;
    Ok(known.into_iter().all(|known| known.is_some_and(|known| is_collection(&known))))
}

/// Tells whether a type is one, or several, of those that hold what they give.
fn is_collection(known: &str) -> bool {
    const PLAIN: &[&str] = &["bytes", "range", "str", "string"];
    #[rustfmt::skip]
    const HOLDERS: &[&str] = &[
        "dict", "dict_items", "dict_keys", "dict_values", "frozenset", "list", "List", "Map", "ReadonlyArray", "ReadonlyMap",
        "ReadonlySet", "Set", "set", "tuple", "Tuple",
    ];
    let known = known.replace('<', "[").replace('>', "]");
    split_outside(&known, '|').into_iter().all(|member| {
        let head = member.split_once('[').map(|(head, _)| head);
        PLAIN.contains(&member) || member.ends_with("[]") || head.is_some_and(|head| HOLDERS.contains(&head))
    })
}

async fn asked(
    server: &Arc<Server>,
    code: &Code,
    (made, places): (String, &[Option<usize>]),
) -> Result<Vec<Option<String>>, Refusal> {
    server.overlay(&code.path, Arc::new(Text::new(&made))).await.map_err(SessionError::from)?;
    let mut found = Vec::new();
    for (nth, place) in places.iter().enumerate() {
        let Some(offset) = *place else {
            found.push(None);
            continue;
        };
        let place = Place { path: code.path.clone(), offset };
        let shown = server.hover(&place).await.map_err(SessionError::from)?;
        found.push(shown.and_then(|shown| shown_type(&shown, &format!("{VARIABLE}{nth}"))));
    }
    Ok(found)
}

/// Writes the variables into the text, and tells where each stands; nothing where a line has no room for one.
fn laid_over(code: &Code, questions: &[Question<'_>]) -> (String, Vec<Option<usize>>) {
    let text = code.text();
    let mut order: Vec<(usize, usize)> = questions.iter().map(Question::offset).zip(0..).collect();
    order.sort_unstable();
    let (mut made, mut at, mut places) = (String::new(), 0, vec![None; questions.len()]);
    for (offset, nth) in order {
        let Question { statement, side, expression } = &questions[nth];
        let begins = Span::new(code.line_start(statement.start()), statement.start());
        let indent = begins.of(text).unwrap_or_default();
        let (word, close) = match code.family() {
            Family::Python => ("", ""),
            _ => ("let ", code.semicolon()),
        };
        if !indent.trim().is_empty() && statement.is("return_statement") {
            let (open, shut) = if word.is_empty() { ("", "") } else { ("{ ", " }") };
            made.push_str(&text[at..offset]);
            made.push_str(&format!("{open}{word}"));
            places[nth] = Some(made.len());
            made.push_str(&format!("{VARIABLE}{nth} = ({expression}); {}{shut}", statement.text(text)));
            at = statement.end();
            continue;
        }
        if !indent.trim().is_empty() {
            continue;
        }
        made.push_str(&text[at..offset]);
        at = offset;
        let variable = format!("{VARIABLE}{nth} = ({expression}){close}");
        let end = code.newline();
        if *side == ProbeSide::Behind {
            made.push_str(&format!("{end}{indent}"));
        }
        made.push_str(word);
        places[nth] = Some(made.len());
        made.push_str(&variable);
        if *side == ProbeSide::Before {
            made.push_str(&format!("{end}{indent}"));
        }
    }
    made.push_str(&text[at..]);
    (made, places)
}

impl Question<'_> {
    fn offset(&self) -> usize {
        match self.side {
            ProbeSide::Before => self.statement.start(),
            ProbeSide::Behind => self.statement.end(),
        }
    }
}
