//! Remove Parameter, in Solidity.
//!
//! ```solidity
//! function price(uint256 count, uint256 rate) …       function price(uint256 count) …
//! price(2, 100);                                  →   price(2);
//! ```

use super::calls::{Callee, List, list_behind, meant};
use super::project::Ground;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::refuse_all;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, TokenKind, tokens};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let id = ground.target(&code, &request.target, &[DefinitionKind::Function])?;
    let name = request.params.needed("name")?;
    if request.params.given("value").is_some() {
        return Err(Refusal::NotPossible("`value` is for functions of Python and of scripts".to_owned()));
    }
    let own = ground.definition(id);
    let no_list = || code.refuse(own.name_span.start, "its parameters are not found");
    let list = list_behind(code.text(), own.name_span.end).ok_or_else(no_list)?;
    let at = list.items.iter().position(|item| parameter(&ground, id, *item).is_some_and(|(_, it)| it.name == name));
    let at = at.ok_or_else(|| code.refuse(own.name_span.start, format!("it has no parameter `{name}`")))?;
    let callee = Callee::of(session, &ground, id)?;
    callee.check_texts(session, &ground).noted()?;
    callee.check_overloads(session, &ground, list.items.len() - 1).noted()?;
    let mut edits = Edits::default();
    for member in &callee.family {
        let one = ground.definition(*member);
        let code = ground.code(session, &one.file)?;
        let list = list_behind(code.text(), one.name_span.end).ok_or_else(no_list)?;
        if let Some((parameter, it)) = parameter(&ground, *member, list.items[at]) {
            // Calls that name their arguments refer to it, too.
            let inside = ground.model.references_to(parameter).filter(|used| one.span.contains(used.span));
            let reason = format!("`{}` is used here", it.name);
            refuse_all(inside.map(|used| ground.refuse(session, (&used.file, used.span.start), &reason)))?;
            edits.add(&code, documented(&code, one, &it.name)?);
        }
        edits.add(&code, [removed(&list, at)]);
    }
    for call in &callee.calls {
        let refuse = |reason: &str| ground.refuse(session, (&call.reference.file, call.reference.span.start), reason);
        let code = ground.code(session, &call.reference.file)?;
        let meant = meant(&ground, &call.reference).into_iter();
        let called = meant.filter_map(|id| label(session, &ground, id, at)).next().unwrap_or_default();
        let place = match (call.list.is_named, call.is_attached) {
            (true, _) => call.list.items.iter().position(|item| names(&code, *item, &called)),
            (false, true) => at.checked_sub(1),
            (false, false) => Some(at),
        };
        let place = place.filter(|place| *place < call.list.items.len());
        let place = place.ok_or_else(|| refuse("the argument is not passed in the parentheses here"))?;
        let passed = call.list.items[place];
        if acts(passed.of(code.text()).unwrap_or_default()) {
            in_doubt(&code, passed, "what is passed here may have side effects, or fail")?;
        }
        edits.add(&code, [removed(&call.list, place)]);
    }
    edits.plan()
}

/// Returns the parameter that a stretch of a function declares, where it has a name.
fn parameter(ground: &Ground, function: DefinitionId, item: Span) -> Option<(DefinitionId, &Definition)> {
    let mut inside = ground.model.members(function).filter(|(_, one)| item.contains(one.name_span));
    inside.find(|(_, one)| one.kind == DefinitionKind::Parameter)
}

/// Returns what a function calls its parameter at a place.
fn label(session: &Session, ground: &Ground, function: DefinitionId, at: usize) -> Option<String> {
    let one = ground.definition(function);
    let list = list_behind(ground.code(session, &one.file).ok()?.text(), one.name_span.end)?;
    parameter(ground, function, *list.items.get(at)?).map(|(_, it)| it.name.clone())
}

/// Tells whether `name: value` is the argument of that name.
fn names(code: &Code, item: Span, name: &str) -> bool {
    let text = item.of(code.text()).unwrap_or_default();
    tokens(text).next().is_some_and(|token| token.of(text) == name)
}

/// Tells whether an argument is more than names and literals: a call, an operation that could fail, an assignment.
fn acts(argument: &str) -> bool {
    tokens(argument).any(|token| match token.kind {
        TokenKind::Sign(sign) => !b".:".contains(&sign),
        TokenKind::Word => matches!(token.of(argument), "new" | "delete"),
        _ => false,
    }) && !is_conversion(argument)
}

/// Tells whether an argument is the conversion of a name or a literal: `address(0)`.
fn is_conversion(argument: &str) -> bool {
    let (head, rest) = argument.split_once('(').unwrap_or_default();
    let inner = rest.strip_suffix(')').unwrap_or("(");
    let is_type = ["uint", "int", "bytes", "address", "payable"]
        .iter()
        .any(|name| head.trim().strip_prefix(name).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())));
    is_type && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte))
}

/// Takes an item out with the comma that goes with it.
fn removed(list: &List, at: usize) -> TextEdit {
    let item = list.items[at];
    let span = match (at.checked_sub(1).map(|before| list.items[before]), list.items.get(at + 1)) {
        (_, Some(next)) => Span::new(item.start, next.start),
        (Some(before), None) => Span::new(before.end, item.end),
        (None, None) => item,
    };
    TextEdit::new(span, "")
}

/// Takes out what the documentation says of a parameter.
fn documented(code: &Code, function: &Definition, name: &str) -> Result<Vec<TextEdit>, Refusal> {
    let text = code.text();
    let before = tokens(text).filter(|token| token.span.end <= function.span.start).last();
    let mut edits = Vec::new();
    let mut end = function.span.start;
    let mut comment = before.filter(|token| matches!(token.kind, TokenKind::Comment { is_doc: true }));
    while let Some(token) = comment {
        end = end.min(token.span.start);
        for (at, _) in token.of(text).match_indices("@param") {
            let at = token.span.start + at;
            let said = text[at + "@param".len()..].trim_start();
            let word = said.split(|character: char| !(character.is_alphanumeric() || "_$".contains(character)));
            if word.into_iter().next() == Some(name) {
                edits.push(TextEdit::new(paragraph(code, at, token.span)?, ""));
            }
        }
        let above = tokens(text).filter(|token| token.span.end <= end).last();
        comment = above.filter(|token| matches!(token.kind, TokenKind::Comment { is_doc: true }));
    }
    Ok(edits)
}

/// Returns the line of a tag; one that goes on in the next line, or shares its own, is refused.
fn paragraph(code: &Code, at: usize, comment: Span) -> Result<Span, Refusal> {
    let refuse = || code.refuse(at, "its documentation does not stand in one line of its own");
    let (start, end) = (code.line_start(at), code.next_line(at));
    let is_sign = |text: &str| text.trim().trim_matches(['/', '*']).trim().is_empty();
    let is_line = is_sign(&code.text()[start..at]) && !code.text()[at..end].contains("*/");
    let next = code.text()[end..].lines().next().unwrap_or_default();
    let said = next.trim().trim_start_matches(['/', '*']).trim();
    let is_slashed = code.text()[comment.start..].starts_with("///");
    let goes_on = !said.is_empty() && !said.starts_with('@') && (next.trim().starts_with("///") || !is_slashed);
    if !is_line || goes_on { Err(refuse()) } else { Ok(Span::new(start, end)) }
}
