//! Strings that are put together by `format`.

use super::literal::{inside, prefix};
use super::percent::{check_uses, strings};
use super::piece::{Hole, Piece, Shown};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::syntax::Node;

/// What a pair of braces asks for.
struct Field<'t> {
    /// Which value: a number, a name, or the next one.
    name: &'t str,
    access: String,
    shown: Shown,
    spec: &'t str,
}

/// What `format` is given, each with its name.
type Values<'c> = Vec<(Option<&'c str>, Node<'c>)>;

pub(super) fn pieces<'c>(code: &'c Code, call: Node<'c>, text: Node<'c>) -> Result<Vec<Piece<'c>>, Refusal> {
    let values = values(code, call)?;
    let mut found = Vec::new();
    let mut used = Vec::new();
    let mut next = 0;
    for string in strings(text) {
        if prefix(code, string).contains('f') {
            return Err(code.refuse(string.start(), "it is an f-string already"));
        }
        let (span, is_raw) = inside(code, string)?;
        let refuse = |reason: &str| code.refuse(string.start(), reason);
        let said = span.of(code.text()).unwrap_or_default();
        let mut at = 0;
        let mut plain = String::new();
        while let Some(brace) = said[at..].find(['{', '}']).map(|it| at + it) {
            plain.push_str(&said[at..brace]);
            let sign = &said[brace..=brace];
            // The name of a sign: `\N{DASH}`.
            if let Some(end) = said[brace..].find('}').filter(|_| !is_raw && plain.ends_with("\\N")) {
                plain.push_str(&said[brace..=brace + end]);
                at = brace + end + 1;
                continue;
            }
            if said[brace + 1..].starts_with(sign) {
                plain.push_str(sign);
                at = brace + 2;
                continue;
            }
            let end = said[brace..].find('}').map(|it| brace + it).filter(|_| sign == "{");
            let end = end.ok_or_else(|| refuse("what its braces ask for is not known"))?;
            let field = field(&said[brace + 1..end]).ok_or_else(|| refuse("what its braces ask for is not known"))?;
            at = end + 1;
            let place = values.iter().position(|(name, _)| *name == Some(field.name));
            let place = match field.name {
                "" => {
                    next += 1;
                    Some(next - 1)
                }
                name => name.parse().ok().or(place),
            };
            let is_given =
                |it: &usize| values.get(*it).is_some_and(|(name, _)| name.is_none_or(|own| own == field.name));
            let place = place.filter(is_given).ok_or_else(|| refuse("a pair of braces has no value"))?;
            if !plain.is_empty() {
                found.push(Piece::Said { text: std::mem::take(&mut plain), is_raw, at: span.start + brace });
            }
            used.push(place);
            let (value, spec) = (values[place].1, field.spec.to_owned());
            let at = span.start + brace;
            let (access, shown, sizes) = (field.access, field.shown, Vec::new());
            found.push(Piece::Hole(Hole { value, access, shown, spec, sizes, at }));
        }
        plain.push_str(&said[at..]);
        if !plain.is_empty() {
            found.push(Piece::Said { text: plain, is_raw, at: span.start + at });
        }
    }
    let all: Vec<Node<'_>> = values.iter().map(|(_, value)| *value).collect();
    check_uses(code, call, (&all, &used))?;
    Ok(found)
}

fn values<'c>(code: &'c Code, call: Node<'c>) -> Result<Values<'c>, Refusal> {
    let listed = call.child("arguments").into_iter().flat_map(Node::named_children);
    let value = |it: Node<'c>| match it.kind() {
        "list_splat" | "dictionary_splat" | "generator_expression" => {
            Err(code.refuse(it.start(), "its values are not written out"))
        }
        "keyword_argument" => {
            let name = it.child("name").map(|it| it.text(code.text()));
            Ok((name, it.child("value").unwrap_or(it)))
        }
        _ => Ok((None, it)),
    };
    listed.map(value).collect()
}

/// Reads what stands in a pair of braces.
fn field(text: &str) -> Option<Field<'_>> {
    if text.contains('{') {
        return None;
    }
    let (head, spec) = text.split_once(':').unwrap_or((text, ""));
    let (head, conversion) = head.split_once('!').unwrap_or((head, ""));
    let shown = match conversion {
        "" => Shown::Formatted,
        "s" => Shown::Str,
        "r" => Shown::Repr,
        "a" => Shown::Ascii,
        _ => return None,
    };
    let end = head.find(['.', '[']).unwrap_or(head.len());
    let (name, mut rest) = head.split_at(end);
    let mut access = String::new();
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (key, behind) = inner.split_once(']')?;
            let is_number = !key.is_empty() && key.bytes().all(|it| it.is_ascii_digit());
            access.push_str(&if is_number { format!("[{key}]") } else { format!("['{key}']") });
            rest = behind;
        } else {
            let end = rest[1..].find(['.', '[']).map_or(rest.len(), |it| it + 1);
            access.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    Some(Field { name, access, shown, spec })
}
