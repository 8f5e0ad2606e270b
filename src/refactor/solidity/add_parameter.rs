//! Add Parameter, in Solidity.
//!
//! ```solidity
//! function price(uint256 count) …       function price(uint256 count, uint256 rate) …
//! price(2);                         →   price(2, 100);
//! ```

use super::calls::{Callee, List, list_behind};
use super::project::Ground;
use super::types;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{Definition, DefinitionKind, TokenKind, tokens};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let id = ground.target(&code, &request.target, &[DefinitionKind::Function])?;
    let name = request.params.text("name");
    let (of, value) = wanted(request)?;
    let callee = Callee::of(session, &ground, id)?;
    callee.check_texts(session, &ground).noted()?;
    let own = list_behind(code.text(), ground.definition(id).name_span.end);
    callee.check_overloads(session, &ground, own.map_or(0, |list| list.items.len()) + 1).noted()?;
    let mut edits = Edits::default();
    for (member, one) in callee.family.iter().map(|id| (*id, ground.definition(*id))) {
        let refuse = |at: usize, reason: String| ground.refuse(session, (&one.file, at), reason);
        if let Some(unseen) = types::unseen(&ground, &one.file, of) {
            return Err(refuse(one.name_span.start, format!("the type `{unseen}` is not known in this file")));
        }
        let code = ground.code(session, &one.file)?;
        let list = list_behind(code.text(), one.name_span.end);
        let list = list.ok_or_else(|| refuse(one.name_span.start, "its parameters are not found".to_owned()))?;
        if member != id && leaves_unnamed(&ground, one, &list) {
            edits.add(&code, [appended(&code, &list, of)]);
            continue;
        }
        if let Some(at) = ground.mention(&one.file, one.span, name) {
            return Err(refuse(at, format!("`{name}` is already in use here")));
        }
        edits.add(&code, [appended(&code, &list, &format!("{of} {name}"))]);
    }
    for call in &callee.calls {
        let at = (&call.reference.file, call.reference.span.start);
        let value = value.ok_or_else(|| ground.refuse(session, at, "give the `value` that this call passes"))?;
        let code = ground.code(session, &call.reference.file)?;
        let value = if call.list.is_named { format!("{name}: {value}") } else { value.to_owned() };
        edits.add(&code, [appended(&code, &call.list, &value)]);
    }
    edits.plan()
}

/// Tells whether a function has no names for parameters that it does not use.
fn leaves_unnamed(ground: &Ground, one: &Definition, list: &List) -> bool {
    let is_parameter = |it: &Definition| it.kind == DefinitionKind::Parameter && !it.name.is_empty();
    let named = ground.model.definitions_of(&one.file).filter(|(_, it)| is_parameter(it));
    let named: Vec<Span> = named.map(|(_, it)| it.name_span).collect();
    list.items.iter().any(|item| !named.iter().any(|name| item.contains(*name)))
}

/// Returns the type and what the calls pass, checked as far as their words go.
fn wanted(request: &Request) -> Result<(&str, Option<&str>), Refusal> {
    let refuse = |reason: &str| Err(Refusal::NotPossible(reason.to_owned()));
    let Some(of) = request.params.given("param_type").map(str::trim).filter(|of| !of.is_empty()) else {
        let reason = "a parameter of Solidity has a type: give `param_type`, its data location included";
        return Err(Refusal::Missing { param: "param_type", reason: reason.to_owned() });
    };
    if request.params.given("default").is_some()
        || ["except", "only", "value_in"].iter().any(|it| !request.params.list(it).is_empty())
    {
        return refuse("Solidity has no default values: give the `value` that the calls pass");
    }
    if of.contains([',', '(', ')', ';', '{', '}', '=']) && !of.starts_with("mapping(") {
        return refuse("`param_type` is not an ordinary type");
    }
    let value = request.params.given("value").map(str::trim);
    if value.is_some_and(|value| !means_the_same_everywhere(value)) {
        return refuse(
            "`value` has to mean the same at every call: a number, a text, or what the language itself names",
        );
    }
    Ok((of, value))
}

/// Tells whether a value has no names in it but those of the language, and does nothing.
fn means_the_same_everywhere(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "true",
        "false",
        "msg",
        "sender",
        "block",
        "timestamp",
        "number",
        "tx",
        "origin",
        "this",
        "type",
        "max",
        "min",
        "payable",
        "address",
        "days",
        "hours",
        "minutes",
        "seconds",
        "weeks",
        "ether",
        "gwei",
        "wei",
        "hex",
    ];
    let sized = |word: &str, name: &str| {
        word.strip_prefix(name).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_known = |word: &str| WORDS.contains(&word) || ["uint", "int", "bytes"].iter().any(|name| sized(word, name));
    let mut depth = 0_i32;
    let is_good = tokens(value).all(|token| match token.kind {
        TokenKind::Word => is_known(token.of(value)),
        TokenKind::Comment { .. } => false,
        TokenKind::Sign(b'(') => {
            depth += 1;
            true
        }
        TokenKind::Sign(b')') => {
            depth -= 1;
            depth >= 0
        }
        TokenKind::Sign(sign) => b".*+-".contains(&sign),
        TokenKind::Number | TokenKind::String => true,
    });
    is_good && depth == 0 && !value.is_empty() && !value.contains("++") && !value.contains("--")
}

/// Adds an item behind the last one, on a line of its own where that has one.
fn appended(code: &Code, list: &List, item: &str) -> TextEdit {
    let Some(last) = list.items.last() else { return TextEdit::new(list.inside, item) };
    let is_alone = code.text()[code.line_start(last.start)..last.start].trim().is_empty();
    let gap = if is_alone { format!("{}{}", code.newline(), code.indent(last.start)) } else { " ".to_owned() };
    TextEdit::new(Span::at(last.end), format!(",{gap}{item}"))
}
