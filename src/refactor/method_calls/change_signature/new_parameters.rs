//! The parameters as they shall be.

use crate::refactor::Refusal;
use crate::refactor::analysis::call_arity::passed;
use crate::refactor::analysis::call_sites::{ArgumentSource, Parameter, Signature};
use crate::refactor::analysis::given_text::{TextPurpose, check_value};
use crate::refactor::analysis::signatures::{ListOwner, UntypedCalls};
use crate::refactor::method_calls::add_parameter::{Added, Values};
use crate::refactor::request::Request;
use crate::refactor::source_file::{Code, squeezed};
use crate::syntax::{Family, Node, check_name};

pub(super) struct Wanted<'r> {
    pub slots: Vec<Slot<'r>>,
    /// The first of those that are passed by name alone.
    pub keyword: Option<usize>,
}

/// One parameter.
#[derive(Clone, Copy)]
pub(super) struct Slot<'r> {
    /// The number of the old one that it is.
    pub of: Option<usize>,
    pub name: &'r str,
    /// Whether a script says that it may be left out: `rate?: number`.
    pub is_optional: bool,
    /// Its type and its default, where they are said anew.
    pub typed: Option<&'r str>,
    pub default: Option<&'r str>,
    /// What the calls that are there pass.
    pub value: Option<&'r str>,
}

/// What becomes of the types that are said anew, in one of several signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Typing {
    Said,
    /// It says none, where others do.
    Left,
    /// What it has keeps its own type: it is an overload.
    OfNew,
}

impl<'r> Wanted<'r> {
    /// Reads `name`, `old->new`, `name: type = default` and `*`, in their order; `values` are those of new ones.
    pub(super) fn of(request: &'r Request, first: &Signature<'_>) -> Result<Self, Refusal> {
        let code = first.code;
        let values: Vec<(&str, &str)> = pieces(request.params.text("values"))
            .into_iter()
            .filter_map(|it| it.split_once('='))
            .map(trimmed)
            .collect();
        let (mut slots, mut keyword): (Vec<Slot<'r>>, Option<usize>) = (Vec::new(), None);
        let listed = pieces(in_parentheses(request.params.given("signature").unwrap_or_default()));
        // The object of a method stands first there, and is no parameter of its calls.
        let has_receiver = listed.first().copied().is_some_and(|it| Some(it) == first.receiver());
        for said in listed.into_iter().skip(usize::from(has_receiver)) {
            if said == "*" {
                keyword = Some(slots.len());
                continue;
            }
            let (old, rest) = said.split_once("->").map(trimmed).unwrap_or_else(|| (parted(said).0, said));
            let (name, typed, default) = parted(rest);
            let (old, is_optional) = (optional(code, old).0, optional(code, name).1);
            let name = optional(code, name).0;
            let bare = name.trim_start_matches(['*', '.']);
            if let Some(slot) = pattern(first, said) {
                slots.push(slot);
                continue;
            }
            check_name(code.parsed().tree.language(), bare).map_err(|bad| Refusal::BadName(bad.to_string()))?;
            let is_old = |text: &str| text == old || text.trim_start_matches(['*', '.']) == old;
            let of = first.parameters.iter().position(|it| is_old(it.name.text(code.text())));
            if said.contains("->") && of.is_none() {
                return Err(code.refuse(first.function.start(), format!("the function has no parameter `{old}`")));
            }
            if slots.iter().any(|slot: &Slot<'_>| slot.name == name) {
                return Err(Refusal::NotPossible(format!("`{name}` is listed twice")));
            }
            let value = values.iter().find(|(of, _)| *of == name).map(|(_, value)| *value);
            slots.push(Slot { of, name, is_optional, typed, default, value });
        }
        if let Some((name, _)) =
            values.iter().find(|(name, _)| !slots.iter().any(|it| it.of.is_none() && it.name == *name))
        {
            return Err(Refusal::NotPossible(format!("`{name}` is not a new parameter: a value has no place")));
        }
        for said in slots.iter().flat_map(|slot| [slot.default, slot.value]).flatten() {
            check_value(code, said)?;
        }
        let is_named = |slot: &Slot<'_>| slot.of.is_some_and(|at| first.parameters[at].way == ArgumentSource::Keyword);
        let follows_rest = |at: usize| slots[..at].iter().any(|it| it.name.starts_with('*'));
        let first_named = slots.iter().position(is_named).filter(|at| !follows_rest(*at));
        let keyword = keyword.or(first_named).filter(|at| *at < slots.len() && code.family() == Family::Python);
        Ok(Self { slots, keyword })
    }
}

/// Takes the mark of a script away that says that something may be left out, and tells whether it was there.
fn optional<'r>(code: &Code, name: &'r str) -> (&'r str, bool) {
    let bare = name.strip_suffix('?').filter(|_| code.family() == Family::Script);
    (bare.unwrap_or(name), bare.is_some())
}

/// Reads a parameter that is a pattern: it is listed as it stands, or without its type and its default.
fn pattern<'r>(first: &Signature<'_>, said: &'r str) -> Option<Slot<'r>> {
    let text = first.code.text();
    let said_so = |node: Node<'_>| squeezed(node.text(text)) == squeezed(said);
    let is_it = |it: &Parameter<'_>| !it.name.is("identifier") && (said_so(it.name) || said_so(it.node));
    let of = first.parameters.iter().position(|it| it.way != ArgumentSource::Rest && is_it(it))?;
    Some(Slot { of: Some(of), name: said, is_optional: false, typed: None, default: None, value: None })
}

impl<'r> Wanted<'r> {
    /// Returns what is worded for a signature.
    pub(super) fn given(&self, typing: Typing) -> impl Iterator<Item = TextPurpose<'r>> {
        let typed = move |slot: &Slot<'r>| slot.typed.filter(|_| typing != Typing::Left).map(TextPurpose::Type);
        self.slots.iter().flat_map(move |slot| typed(slot).into_iter().chain(slot.default.map(TextPurpose::Value)))
    }

    /// Returns the one parameter that is added to a function of Python where no call has to change: all others stay as they are,
    /// and it has a default.
    pub(super) fn addition(&self, place: ListOwner<'_>) -> Option<Added<'r>> {
        let (code, first) = (place.0, Signature::bare(place).ok()?);
        let at = self.slots.iter().position(|slot| slot.of.is_none())?;
        let (new, ahead, behind) = (self.slots[at], &self.slots[..at], &self.slots[at + 1..]);
        let same = |given: Option<&str>, old: Option<Node<'_>>| {
            given.is_none_or(|given| old.is_some_and(|it| squeezed(it.text(code.text())) == squeezed(given)))
        };
        let stays = |(at, slot): (usize, &Slot<'_>)| {
            let old = &first.parameters[at];
            slot.of == Some(at)
                && old.name.text(code.text()) == slot.name.trim_start_matches('*')
                && same(slot.default, old.default)
                && same(slot.typed, old.node.child("type"))
        };
        let is_last = behind.is_empty() || matches!(behind, [rest] if rest.name.starts_with("**"));
        let is_alone = self.slots.len() == first.parameters.len() + 1 && self.keyword != Some(at);
        let is_addition = code.family() == Family::Python && is_last && is_alone && new.value.is_none();
        let are_same = is_addition && ahead.iter().chain(behind).enumerate().all(stays);
        let (passed, untyped) = (Values::everywhere(None), UntypedCalls::Doubted);
        let added = Added { name: new.name, of: new.typed, default: new.default, passed, untyped };
        Some(added).filter(|_| are_same && new.default.is_some())
    }

    /// Tells whether a call of the function would stay as it is: what it passes goes to the same parameters, and nothing else has
    /// to be passed.
    pub(super) fn leaves(&self, first: &Signature<'_>, (code, call): ListOwner<'_>) -> bool {
        let Some((count, names)) = passed(code, call) else { return false };
        let taken: Vec<&str> = first.parameters.iter().map(|it| it.name.text(first.code.text())).collect();
        let is_plain = |at: usize| first.parameters.get(at).is_some_and(|it| it.way == ArgumentSource::Plain);
        let is_by_name = |at: usize| self.keyword.is_some_and(|from| at >= from);
        let stays =
            |at: usize| is_plain(at) && !is_by_name(at) && self.slots.get(at).is_some_and(|it| it.of == Some(at));
        let is_kept = |name: &&str| {
            let at = taken.iter().position(|it| it == name);
            at.is_some() && self.slots.iter().any(|slot| slot.of == at && slot.name == *name)
        };
        let asks_more = |slot: &Slot<'_>| slot.of.is_none() && (slot.value.is_some() || slot.default.is_none());
        (0..count).all(stays) && names.iter().all(is_kept) && !self.slots.iter().any(asks_more)
    }

    /// Returns the parameters of another signature of a script: what keeps its name keeps the one that it has there, and one
    /// that takes fewer does without what would follow.
    pub(super) fn taken_by<'s>(&self, other: &Signature<'s>, first: &Signature<'_>) -> Result<Wanted<'s>, Refusal>
    where
        'r: 's,
    {
        let text = |it: &Signature<'s>, at: usize| it.parameters.get(at).map(|one| one.name.text(it.code.text()));
        let own = |slot: &Slot<'r>| {
            let at = slot.of.filter(|at| first.parameters[*at].name.text(first.code.text()) == slot.name)?;
            text(other, at)
        };
        let mut slots: Vec<Slot<'s>> = self.slots.clone();
        for (slot, wanted) in slots.iter_mut().zip(&self.slots) {
            slot.name = own(wanted).unwrap_or(slot.name);
        }
        let count = other.parameters.len();
        let is_missing = |slot: &Slot<'_>| slot.of.is_none_or(|at| at >= count);
        while count < first.parameters.len() && slots.last().is_some_and(is_missing) {
            slots.pop();
        }
        match slots.iter().any(|slot| slot.of.is_some_and(|at| at >= count)) {
            true => Err(other.code.refuse(other.function.start(), "another signature takes fewer parameters")),
            false => Ok(Wanted { slots, keyword: self.keyword }),
        }
    }

    /// Returns what is worded for the calls.
    pub(super) fn passed(&self) -> impl Iterator<Item = TextPurpose<'r>> {
        self.slots.iter().filter_map(|slot| slot.value.map(TextPurpose::Value))
    }

    /// Returns what its parameters are called.
    pub(super) fn names(&self) -> Vec<&'r str> {
        self.slots.iter().map(|slot| slot.name.trim_start_matches(['*', '.'])).collect()
    }
}

/// Returns the signs that stand in no brackets and in no string, with their places.
fn outside(said: &str) -> Vec<(usize, char)> {
    let (mut depth, mut angles, mut quote, mut before) = (0_i32, 0_i32, None, ' ');
    let mut found = Vec::new();
    for (at, letter) in said.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open && before != '\\' => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '<') if before.is_alphanumeric() => angles += 1,
            (None, '>') if angles > 0 && before != '=' => angles -= 1,
            (None, _) if depth == 0 && angles == 0 => found.push((at, letter)),
            _ => {}
        }
        before = letter;
    }
    found
}

/// Returns what a list holds that is given with its parentheses; another one as it is.
fn in_parentheses(said: &str) -> &str {
    let inner = said.trim().strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    inner.filter(|it| !outside(it).iter().any(|(_, letter)| *letter == ')')).unwrap_or(said)
}

/// Splits at the commas that stand in no brackets.
fn pieces(said: &str) -> Vec<&str> {
    let (mut start, mut found) = (0, Vec::new());
    for (at, _) in outside(said).into_iter().filter(|(_, letter)| *letter == ',') {
        found.push(said[start..at].trim());
        start = at + 1;
    }
    found.push(said[start..].trim());
    found.retain(|piece| !piece.is_empty());
    found
}

fn trimmed<'r>((one, other): (&'r str, &'r str)) -> (&'r str, &'r str) {
    (one.trim(), other.trim())
}

/// Takes `name: type = default` apart.
pub(super) fn parted(said: &str) -> (&str, Option<&str>, Option<&str>) {
    let equals = outside(said).into_iter().find(|(at, letter)| *letter == '=' && !said[at + 1..].starts_with('>'));
    let equals = equals.map(|(at, _)| at);
    let (head, default) = match equals {
        Some(at) => (&said[..at], Some(said[at + 1..].trim())),
        None => (said, None),
    };
    let colon = outside(head).into_iter().find(|(_, letter)| *letter == ':').map(|(at, _)| at);
    let (name, typed) = match colon {
        Some(at) => (head[..at].trim(), Some(head[at + 1..].trim())),
        None => (head.trim(), None),
    };
    (name, typed, default)
}
