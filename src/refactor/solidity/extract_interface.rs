//! Extract Interface, in Solidity.
//!
//! ```solidity
//!                                              interface IVault {
//!                                                  function total() external view returns (uint256);
//!                                              }
//!                                          →
//! contract Vault {                             contract Vault is IVault {
//!     function total() public view …               function total() public view override …
//! }                                            }
//! ```

use semver::Version;

use super::calls::list_behind;
use super::project::Ground;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Token, TokenKind, Visibility, tokens};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// Before it functions that are called from outside could take no memory.
const OLDEST: Version = Version::new(0, 6, 9);

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let contract = ground.target(&code, &request.target, &[DefinitionKind::Contract])?;
    let (one, name) = (ground.definition(contract), request.params.text("name"));
    ground.check_top(session, &one.file, name).noted()?;
    if ground.model.files()[&one.file].versions.iter().any(|version| *version < OLDEST) {
        return Err(Refusal::NotPossible(format!("`{}` may be compiled by a release before {OLDEST}", code.shown)));
    }
    let functions = functions(&code, &ground, contract, request.params.list("methods"))?;
    let (mut written, mut edits) = (Vec::new(), Vec::new());
    for (id, function) in functions {
        let head = Head::of(&code, function)?;
        check_types(&code, &ground, (contract, id), head.list).noted()?;
        written.push(head.declared(&code, function));
        edits.push(TextEdit::new(Span::at(head.before_results), " override"));
    }
    edits.push(extended(&code, one, name)?);
    let (end, step) = (code.newline(), Layout::of(&code).step().to_owned());
    let at = above(&code, one);
    let lines: String = written.iter().map(|line| format!("{step}{line}{end}")).collect();
    edits.push(TextEdit::new(Span::at(at), format!("interface {name} {{{end}{lines}}}{end}{end}")));
    code.plan(edits)
}

/// Returns the functions that the interface has: those that were named, or all that can be called from outside.
fn functions<'g>(
    code: &Code,
    ground: &'g Ground,
    contract: DefinitionId,
    wanted: &[String],
) -> Result<Vec<(DefinitionId, &'g Definition)>, Refusal> {
    let is_function = |one: &Definition| one.kind == DefinitionKind::Function && !one.name.is_empty();
    let is_seen = |one: &Definition| matches!(one.visibility, Some(Visibility::Public | Visibility::External));
    let own = ground.model.members(contract).filter(|(_, one)| is_function(one));
    let own: Vec<(DefinitionId, &Definition)> = own.collect();
    for name in wanted {
        let at = ground.definition(contract).name_span.start;
        match own.iter().find(|(_, one)| one.name == *name) {
            None => return Err(code.refuse(at, format!("the contract has no function `{name}` of its own"))),
            Some((_, one)) if !is_seen(one) || one.is_override => {
                let reason = format!("`{name}` cannot be called from outside, or overrides a function already");
                return Err(code.refuse(one.name_span.start, reason));
            }
            Some(_) => {}
        }
    }
    let overrides = |id: DefinitionId, one: &Definition| {
        let bases = ground.model.linearised(contract);
        let in_base = |other: &DefinitionId| {
            *other != id && ground.definition(*other).container.is_some_and(|it| it != contract && bases.contains(&it))
        };
        one.is_override || ground.model.family(id).iter().any(in_base)
    };
    let is_wanted = |one: &Definition| wanted.is_empty() || wanted.contains(&one.name);
    let found = own.into_iter().filter(|(id, one)| is_seen(one) && is_wanted(one) && !overrides(*id, one));
    let found: Vec<(DefinitionId, &Definition)> = found.collect();
    if found.is_empty() {
        let reason = "no function of it can be called from outside that overrides no other";
        return Err(code.refuse(ground.definition(contract).name_span.start, reason));
    }
    Ok(found)
}

/// The head of a function, taken apart.
struct Head {
    /// The parameters with their parentheses.
    list: Span,
    mutability: Option<Span>,
    /// `returns (…)`.
    results: Option<Span>,
    /// Where `override` goes.
    before_results: usize,
}

impl Head {
    fn of(code: &Code, function: &Definition) -> Result<Self, Refusal> {
        let (text, at) = (code.text(), function.name_span.start);
        let no_list = || code.refuse(at, "its parameters are not found");
        let list = list_behind(text, function.name_span.end).ok_or_else(no_list)?;
        let from = list.inside.end + 1;
        let to = function.body.map_or(function.span.end - 1, |body| body.start);
        let words: Vec<Token> = tokens(&text[from..to]).collect();
        let place = |token: &Token| Span::new(from + token.span.start, from + token.span.end);
        let word = |names: &[&str]| words.iter().find(|token| names.contains(&token.of(&text[from..to])));
        let results = match word(&["returns"]) {
            Some(token) => {
                let list = list_behind(text, place(token).end).ok_or_else(no_list)?;
                Some(Span::new(place(token).start, list.inside.end + 1))
            }
            None => None,
        };
        let seen = word(&["public", "external"]).map(place).ok_or_else(no_list)?;
        let mutability = word(&["view", "pure", "payable"]).map(place);
        // Where the custom has it: behind visibility, mutability and `virtual`.
        let others = [mutability, word(&["virtual"]).map(place)].into_iter().flatten();
        let before_results = others.map(|word| word.end).fold(seen.end, usize::max);
        Ok(Self { list: Span::new(list.inside.start - 1, from), mutability, results, before_results })
    }

    /// Writes the function as an interface declares it, on one line.
    fn declared(&self, code: &Code, function: &Definition) -> String {
        let part = |span: Option<Span>| {
            let text = span.and_then(|span| span.of(code.text())).unwrap_or_default();
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")");
            if words.is_empty() { words } else { format!(" {words}") }
        };
        let list = part(Some(self.list));
        format!(
            "function {}{} external{}{};",
            function.name,
            list.trim_start(),
            part(self.mutability),
            part(self.results)
        )
    }
}

/// Refuses types that the contract itself, or one that it extends, declares: an interface does not see them.
fn check_types(
    code: &Code,
    ground: &Ground,
    (contract, function): (DefinitionId, DefinitionId),
    list: Span,
) -> Result<(), Refusal> {
    let one = ground.definition(function);
    let head = Span::new(list.start, one.body.map_or(one.span.end, |body| body.start));
    let text = head.of(code.text()).unwrap_or_default();
    if tokens(text).any(|token| matches!(token.kind, TokenKind::Comment { .. })) {
        return Err(code.refuse(head.start, "a comment stands in the head of the function"));
    }
    let bases = ground.model.linearised(contract);
    let is_inner = |id: &DefinitionId| {
        let one = ground.definition(*id);
        let is_type = matches!(one.kind, DefinitionKind::Struct | DefinitionKind::Enum | DefinitionKind::UserType);
        is_type && one.container.is_some_and(|container| bases.contains(&container))
    };
    let inside = ground.model.references_of(&one.file).iter().filter(|it| head.contains(it.span));
    let mut inner = inside.filter(|it| !ground.is_member(it) && it.target.definitions().iter().any(is_inner));
    match inner.next() {
        Some(it) => Err(code.refuse(it.span.start, "the interface does not see this type: it is the contract's own")),
        None => Ok(()),
    }
}

/// Puts the interface first: it is the most general of what the contract extends.
fn extended(code: &Code, contract: &Definition, name: &str) -> Result<TextEdit, Refusal> {
    let text = code.text();
    let rest = &text[contract.name_span.end..contract.span.end];
    let mut words = tokens(rest).filter(|token| !matches!(token.kind, TokenKind::Comment { .. }));
    let at = |token: &Token| contract.name_span.end + token.span.start;
    match words.next() {
        Some(token) if token.of(rest) == "is" => {
            let first = words.next().map(|token| at(&token)).unwrap_or_default();
            Ok(TextEdit::new(Span::at(first), format!("{name}, ")))
        }
        Some(token) if token.kind == TokenKind::Sign(b'{') => {
            Ok(TextEdit::new(Span::at(contract.name_span.end), format!(" is {name}")))
        }
        _ => Err(code.refuse(contract.name_span.start, "what stands behind the contract's name is not understood")),
    }
}

/// Returns where the lines of a declaration begin, its comments included.
pub(super) fn above(code: &Code, one: &Definition) -> usize {
    let text = code.text();
    let all: Vec<Token> = tokens(text).take_while(|token| token.span.end <= one.span.start).collect();
    let mut start = one.span.start;
    for token in all.iter().rev() {
        let is_licence = token.of(text).contains("SPDX-License-Identifier");
        let is_comment = matches!(token.kind, TokenKind::Comment { .. }) && !is_licence;
        let is_near = text[token.span.end..start].matches('\n').count() <= 1;
        if !is_comment || !is_near || !text[code.line_start(token.span.start)..token.span.start].trim().is_empty() {
            break;
        }
        start = token.span.start;
    }
    code.line_start(start)
}
