//! How a Solidity function is declared and called, as its words stand in the text.

use super::project::Ground;
use crate::refactor::Refusal;
use crate::refactor::refusal::{both, each};
use crate::session::Session;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Reference, Target, Token, TokenKind, tokens};
use crate::text::Span;

/// A list in parentheses: parameters, or arguments.
#[derive(Debug, Clone)]
pub(super) struct List {
    /// What stands between the parentheses, or between the braces of `({name: value})`.
    pub inside: Span,
    pub items: Vec<Span>,
    pub is_named: bool,
}

/// Reads the list behind a name, options in braces (`{value: 1}`) before it left aside.
pub(super) fn list_behind(text: &str, name_end: usize) -> Option<List> {
    let rest = &text[name_end..];
    let mut all = tokens(rest).filter(|token| !matches!(token.kind, TokenKind::Comment { .. })).peekable();
    let mut open = all.next()?;
    if open.kind == TokenKind::Sign(b'{') {
        let mut depth = 1;
        while depth > 0 {
            depth = stepped(all.next()?, depth);
        }
        open = all.next()?;
    }
    if open.kind != TokenKind::Sign(b'(') {
        return None;
    }
    let is_named = all.peek().is_some_and(|token| token.kind == TokenKind::Sign(b'{'));
    if is_named {
        open = all.next()?;
    }
    let (mut depth, mut items, mut item): (usize, Vec<Span>, Option<Span>) = (1, Vec::new(), None);
    loop {
        let token = all.next()?;
        depth = stepped(token, depth);
        let (start, end) = (name_end + token.span.start, name_end + token.span.end);
        if depth == 0 || depth == 1 && token.kind == TokenKind::Sign(b',') {
            items.extend(item.take());
        } else {
            item = Some(Span::new(item.map_or(start, |item| item.start), end));
        }
        if depth == 0 {
            return Some(List { inside: Span::new(name_end + open.span.end, start), items, is_named });
        }
    }
}

fn stepped(token: Token, depth: usize) -> usize {
    match token.kind {
        TokenKind::Sign(b'(' | b'{' | b'[') => depth + 1,
        TokenKind::Sign(b')' | b'}' | b']') => depth - 1,
        _ => depth,
    }
}

/// A function with all that overrides it, or that it overrides, and every call of any of them.
pub(super) struct Callee {
    pub family: Vec<DefinitionId>,
    pub calls: Vec<Call>,
}

/// One call.
pub(super) struct Call {
    pub reference: Reference,
    pub list: List,
    /// Whether the first argument stands before the dot (`using … for …`).
    pub is_attached: bool,
}

impl Call {
    /// Reads a reference to a function of the family; nothing where it means another one, or is no use of it.
    fn of(
        (session, ground): (&Session, &Ground),
        family: &[DefinitionId],
        one: &Reference,
    ) -> Result<Option<Self>, Refusal> {
        let name = ground.model.name_of(one);
        let refuse = |reason: String| Err(ground.refuse(session, (&one.file, one.span.start), reason));
        let meant = meant(ground, one);
        if one.target == Target::Unknown && !one.is_yul {
            return refuse(format!("what `{name}` refers to is not known here"));
        }
        if !meant.iter().any(|id| family.contains(id)) {
            return Ok(None);
        }
        if !meant.iter().all(|id| family.contains(id)) {
            return refuse(format!("`{name}` may mean several functions here"));
        }
        if is_imported(ground, one) || is_documented(ground, one) {
            return Ok(None);
        }
        let text = ground.model.text(&one.file).unwrap_or_default();
        match list_behind(text, one.span.end) {
            Some(list) => Ok(Some(Self { is_attached: is_attached(ground, one), reference: one.clone(), list })),
            None => refuse(format!("`{name}` is not called here, but used in another way")),
        }
    }
}

impl Callee {
    /// Finds everything that declares and calls a function; what is neither is refused.
    pub(super) fn of(session: &Session, ground: &Ground, id: DefinitionId) -> Result<Self, Refusal> {
        let family = ground.model.family(id);
        let name = ground.definition(id).name.clone();
        let check = |one: &Definition| {
            let refuse = |reason: &str| Err(ground.refuse(session, (&one.file, one.name_span.start), reason));
            match one.kind {
                _ if ground.layout.is_library(one.file.as_str()) => refuse("it is declared in a dependency, too"),
                DefinitionKind::Function => Ok(()),
                _ => refuse("a variable's getter is of its family"),
            }
        };
        let declared = each(family.iter().map(|id| check(ground.definition(*id))));
        let named = ground.model.references().iter().filter(|one| ground.model.name_of(one) == name);
        let calls = each(named.map(|one| Call::of((session, ground), &family, one)));
        let (_, calls) = both(declared, calls)?;
        Ok(Self { family, calls: calls.into_iter().flatten().collect() })
    }

    /// Refuses where a text holds the signature: it may be called by that.
    pub(super) fn check_texts(&self, session: &Session, ground: &Ground) -> Result<(), Refusal> {
        let begun = format!("{}(", ground.definition(self.family[0]).name);
        for (file, facts) in ground.model.files() {
            let texts = tokens(&facts.text).filter(|token| token.kind == TokenKind::String);
            let holds = |token: &Token| token.of(&facts.text).get(1..).is_some_and(|text| text.starts_with(&begun));
            if let Some(text) = texts.into_iter().find(holds) {
                return Err(ground.refuse(session, (file, text.span.start), "this text may call it"));
            }
        }
        Ok(())
    }

    /// Refuses where another function of the name takes as many parameters as this one will.
    pub(super) fn check_overloads(&self, session: &Session, ground: &Ground, count: usize) -> Result<(), Refusal> {
        let name = &ground.definition(self.family[0]).name;
        let others = ground.model.definitions().filter(|(id, one)| one.name == *name && !self.family.contains(id));
        let clash = others.into_iter().find(|(_, one)| {
            one.kind == DefinitionKind::Function
                && one.parameters.as_ref().is_none_or(|all| all.len() == count)
                && self.family.iter().any(|id| self.meets(ground, *id, one.container))
        });
        match clash {
            Some((_, one)) => {
                let reason = format!("another `{name}` takes as many parameters");
                Err(ground.refuse(session, (&one.file, one.name_span.start), reason))
            }
            None => Ok(()),
        }
    }

    /// Tells whether a function and one in `container` could be called by the same words.
    fn meets(&self, ground: &Ground, id: DefinitionId, container: Option<DefinitionId>) -> bool {
        match (ground.contract_of(id), container) {
            (Some(own), Some(other)) => {
                let is_library = |id| ground.definition(id).kind == DefinitionKind::Library;
                ground.related(own).contains(&other) || is_library(own) && is_library(other)
            }
            _ => true,
        }
    }
}

/// Returns what a reference means, behind imports.
pub(super) fn meant(ground: &Ground, one: &Reference) -> Vec<DefinitionId> {
    one.target.definitions().iter().flat_map(|id| ground.model.behind_imports(*id)).collect()
}

/// Tells whether a reference is an import's own.
fn is_imported(ground: &Ground, one: &Reference) -> bool {
    let around = ground.model.definitions_of(&one.file).filter(|(_, it)| it.kind == DefinitionKind::ImportedSymbol);
    around.into_iter().any(|(_, it)| it.span.contains(one.span))
}

fn is_documented(ground: &Ground, one: &Reference) -> bool {
    let text = ground.model.text(&one.file).unwrap_or_default();
    tokens(text).any(|token| matches!(token.kind, TokenKind::Comment { .. }) && token.span.contains(one.span))
}

/// Tells whether what stands before the dot is a value: a contract's, library's or file's name is none.
fn is_attached(ground: &Ground, one: &Reference) -> bool {
    let of_library = |id: &DefinitionId| match ground.contract_of(*id) {
        Some(contract) => ground.definition(contract).kind == DefinitionKind::Library,
        None => true,
    };
    if !ground.is_member(one) || !meant(ground, one).iter().any(of_library) {
        return false;
    }
    let text = ground.model.text(&one.file).unwrap_or_default();
    let before = text[..one.span.start].trim_end().trim_end_matches('.').trim_end();
    let named = ground.model.reference_at(&one.file, before.len()).filter(|it| it.span.end == before.len());
    let is_place = |id: &DefinitionId| {
        matches!(ground.definition(*id).kind, DefinitionKind::Library | DefinitionKind::ImportedFile)
    };
    !named.is_some_and(|named| meant(ground, named).iter().any(is_place))
}
