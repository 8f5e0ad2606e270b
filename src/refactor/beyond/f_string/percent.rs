//! Strings that are put together by `%`.

use super::literal::{inside, prefix};
use super::piece::{Hole, Piece, Shown};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::doubts::tell;
use crate::refactor::source_file::Code;
use crate::syntax::Node;

/// What a mark in the string asks for.
struct Mark {
    /// The key of a mapping.
    key: Option<String>,
    shown: Shown,
    /// What stands behind the colon, with a `*` for what a value of its own says.
    spec: String,
}

/// Where the values come from.
enum Values<'c> {
    InOrder(Vec<Node<'c>>),
    ByKey(Vec<(String, Node<'c>)>),
}

pub(super) fn pieces<'c>(code: &'c Code, whole: Node<'c>) -> Result<Vec<Piece<'c>>, Refusal> {
    let (Some(text), Some(right)) = (whole.child("left"), whole.child("right")) else { return Ok(Vec::new()) };
    let values = values(code, right)?;
    let mut found = Vec::new();
    let mut used = Vec::new();
    for string in strings(text) {
        if prefix(code, string).contains('f') {
            return Err(code.refuse(string.start(), "it is an f-string already"));
        }
        let (span, is_raw) = inside(code, string)?;
        let said = span.of(code.text()).unwrap_or_default();
        let mut at = 0;
        let mut plain = String::new();
        while let Some(next) = said[at..].find('%') {
            plain.push_str(&said[at..at + next]);
            let start = at + next;
            if said[start + 1..].starts_with('%') {
                plain.push('%');
                at = start + 2;
                continue;
            }
            let (mark, len) = mark(&said[start + 1..]).map_err(|reason| code.refuse(string.start(), reason))?;
            at = start + 1 + len;
            if !plain.is_empty() {
                found.push(Piece::Said { text: std::mem::take(&mut plain), is_raw, at: span.start + start });
            }
            let hole = values.fill(mark, &mut used).map_err(|reason| code.refuse(right.start(), reason))?;
            warn_of_sign(code, &hole);
            found.push(Piece::Hole(Hole { at: span.start + start, ..hole }));
        }
        plain.push_str(&said[at..]);
        if !plain.is_empty() {
            found.push(Piece::Said { text: plain, is_raw, at: span.start + at });
        }
    }
    check_uses(code, right, (&values.all(), &used))?;
    if found.iter().any(|it| matches!(it, Piece::Hole(_))) {
        warn_of_tuple(code, right);
    }
    Ok(found)
}

/// Returns the literals of a text in their order.
pub(super) fn strings(text: Node<'_>) -> Vec<Node<'_>> {
    match text.is("string") {
        true => vec![text],
        false => text.named_children().flat_map(strings).collect(),
    }
}

fn values<'c>(code: &'c Code, right: Node<'c>) -> Result<Values<'c>, Refusal> {
    if right.is("dictionary") {
        let pair = |it: Node<'c>| {
            let (key, value) = (it.child("key")?, it.child("value")?);
            let key = key.text(code.text()).trim_matches(['"', '\'']).to_owned();
            Some((key, value))
        };
        let pairs: Option<Vec<_>> = right.named_children().map(pair).collect();
        return pairs.map(Values::ByKey).ok_or_else(|| code.refuse(right.start(), "its values are not written out"));
    }
    let items: Vec<Node<'c>> = if right.is("tuple") { right.named_children().collect() } else { vec![right] };
    match items.iter().find(|it| it.is("list_splat")) {
        Some(splat) => Err(code.refuse(splat.start(), "its values are not written out")),
        None => Ok(Values::InOrder(items)),
    }
}

impl<'c> Values<'c> {
    fn all(&self) -> Vec<Node<'c>> {
        match self {
            Self::InOrder(all) => all.clone(),
            Self::ByKey(all) => all.iter().map(|(_, value)| *value).collect(),
        }
    }

    /// Returns what comes in the place of a mark. An f-string works out a width after the value, `%` before it.
    fn fill(&self, mark: Mark, used: &mut Vec<usize>) -> Result<Hole<'c>, &'static str> {
        let count = mark.spec.matches('*').count();
        let first = used.len();
        let (nth, value) = self.take(&mark, first + count)?;
        let sizes: Result<Vec<_>, _> = (first..first + count).map(|nth| self.take(&mark, nth)).collect();
        let sizes = sizes?;
        used.push(nth);
        used.extend(sizes.iter().map(|(nth, _)| nth));
        let sizes = sizes.into_iter().map(|(_, value)| value).collect();
        Ok(Hole { value, access: String::new(), shown: mark.shown, spec: mark.spec, sizes, at: 0 })
    }

    /// Returns the value of a mark, with its place among them.
    fn take(&self, mark: &Mark, nth: usize) -> Result<(usize, Node<'c>), &'static str> {
        match (self, &mark.key) {
            (Self::InOrder(all), None) => all.get(nth).map(|it| (nth, *it)).ok_or("it has fewer values than marks"),
            (Self::ByKey(all), Some(key)) => {
                let place = all.iter().position(|(own, _)| own == key).ok_or("a key has no value")?;
                Ok((place, all[place].1))
            }
            _ => Err("its values are not written out"),
        }
    }
}

/// Refuses values that would be evaluated more than once, never, or in another order, where that could be noticed.
pub(super) fn check_uses(
    code: &Code,
    around: Node<'_>,
    (values, used): (&[Node<'_>], &[usize]),
) -> Result<(), Refusal> {
    let is_plain = |it: Node<'_>| {
        let all = std::iter::once(it).chain(it.descendants());
        all.into_iter().all(|one| {
            !one.is_named() || one.is_any(&["attribute", "false", "float", "identifier", "integer", "none", "true"])
        })
    };
    for (nth, value) in values.iter().enumerate() {
        let count = used.iter().filter(|it| **it == nth).count();
        if count == 0 {
            return Err(code.refuse(value.start(), "this value is not used"));
        }
        if count > 1 && !is_plain(*value) {
            return Err(code.refuse(value.start(), "this value is used more than once: it would be evaluated so"));
        }
    }
    let acting: Vec<usize> = used.iter().copied().filter(|nth| !is_plain(values[*nth])).collect();
    match acting.is_sorted() {
        true => Ok(()),
        false => Err(code.refuse(around.start(), "its values would be evaluated in another order")),
    }
}

/// Tells that a single value could be a tuple, which `%` takes apart.
fn warn_of_tuple(code: &Code, right: Node<'_>) {
    const SINGLE: &[&str] = &[
        "comparison_operator",
        "concatenated_string",
        "dictionary",
        "float",
        "integer",
        "list",
        "list_comprehension",
        "not_operator",
        "string",
        "tuple",
    ];
    let called = right.child("function").map(|it| it.text(code.text()));
    let is_shown = matches!(called, Some("len" | "repr" | "sorted" | "str" | "sum" | "type"));
    if right.is_any(SINGLE) || is_shown {
        return;
    }
    let value = right.text(code.text());
    let message = format!("if `{value}` is a tuple, `%` took it apart, and the f-string shows it whole");
    let range = code.parsed().text.range(right.span());
    tell(Warning::at(WarningKind::PossibleUse, message, code.path.clone(), range));
}

/// Tells that a width may be below zero, by which `%` puts the value left.
fn warn_of_sign(code: &Code, hole: &Hole<'_>) {
    let is_count = |it: &Node<'_>| {
        it.is("integer") || it.child("function").is_some_and(|function| function.text(code.text()) == "len")
    };
    for size in hole.sizes.iter().filter(|it| !is_count(it)) {
        let said = size.text(code.text());
        let message = format!("if `{said}` is below zero, `%` put the value left, and the f-string fails");
        let range = code.parsed().text.range(size.span());
        tell(Warning::at(WarningKind::PossibleUse, message, code.path.clone(), range));
    }
}

/// Reads what stands behind a `%`; returns it with its length.
fn mark(text: &str) -> Result<(Mark, usize), String> {
    let mut rest = text;
    let mut key = None;
    if let Some(inner) = rest.strip_prefix('(') {
        let end = inner.find(')').ok_or("a mark of the string has no end")?;
        key = Some(inner[..end].to_owned());
        rest = &inner[end + 1..];
    }
    let width = rest.find(|it: char| !"#0- +".contains(it)).unwrap_or(rest.len());
    let flags = &rest[..width];
    rest = &rest[width..];
    let digits = rest.find(|it: char| !it.is_ascii_digit() && !".*".contains(it)).unwrap_or(rest.len());
    let size = &rest[..digits];
    rest = rest[digits..].trim_start_matches(['h', 'l', 'L']);
    let sign = rest.chars().next().ok_or("a mark of the string has no end")?;
    let len = text.len() - rest.len() + sign.len_utf8();
    let is_text = matches!(sign, 's' | 'r' | 'a');
    let (shown, letter) = match sign {
        's' => (Shown::Str, ""),
        'r' => (Shown::Repr, ""),
        'a' => (Shown::Ascii, ""),
        'd' | 'i' | 'u' => (Shown::Whole, ""),
        'x' | 'X' | 'o' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => (Shown::Number, &rest[..1]),
        _ => return Err(format!("an f-string has nothing like `%{}`", &text[..len])),
    };
    let shown = if matches!(sign, 'x' | 'X' | 'o') { Shown::Formatted } else { shown };
    if !is_text && size.contains('.') && shown == Shown::Whole || flags.contains('#') && sign != 'x' && sign != 'X' {
        return Err(format!("an f-string has nothing like `%{}`", &text[..len]));
    }
    if key.is_some() && size.contains('*') {
        return Err(format!("a mapping has no value for `%{}`", &text[..len]));
    }
    let has_width = size.starts_with(|it: char| it.is_ascii_digit() || it == '*');
    let align = match (flags.contains('-'), is_text && has_width) {
        (true, _) if has_width => "<",
        (false, true) => ">",
        _ => "",
    };
    let signed = if flags.contains('+') {
        "+"
    } else if flags.contains(' ') {
        " "
    } else {
        ""
    };
    let zero = if flags.contains('0') && align.is_empty() { "0" } else { "" };
    let alternate = if flags.contains('#') { "#" } else { "" };
    let signed = if is_text { "" } else { signed };
    Ok((Mark { key, shown, spec: format!("{align}{signed}{alternate}{zero}{size}{letter}") }, len))
}
