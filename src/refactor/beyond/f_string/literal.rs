//! The literals that a string is made of, and the one that comes of them.

use super::piece::{Hole, Piece, Shown};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::conditions::on_one_line;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::Span;

/// A piece whose values are written.
pub(super) enum Literal {
    Said { text: String, is_raw: bool, at: usize },
    Filled { text: String, at: usize },
}

/// Classes whose objects read the same by `str` and in an f-string, as servers show them.
const PLAIN: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "UUID",
    "bool",
    "bytes",
    "complex",
    "date",
    "datetime",
    "dict",
    "float",
    "int",
    "list",
    "None",
    "range",
    "set",
    "str",
    "timedelta",
    "tuple",
];

/// Reads a literal, or several in a row.
pub(super) fn pieces<'c>(code: &'c Code, node: Node<'c>) -> Result<Vec<Piece<'c>>, Refusal> {
    if node.is("parenthesized_expression") || node.is("concatenated_string") {
        let parts: Result<Vec<_>, Refusal> = node.named_children().map(|part| pieces(code, part)).collect();
        return Ok(parts?.into_iter().flatten().collect());
    }
    let (inside, is_raw) = inside(code, node)?;
    let mut found = Vec::new();
    let mut at = inside.start;
    let is_filled = node.children().any(|it| it.is("interpolation"));
    let is_f = prefix(code, node).contains('f');
    let said = |span: Span| {
        let text = span.of(code.text()).unwrap_or_default();
        let text = if is_f { text.replace("{{", "{").replace("}}", "}") } else { text.to_owned() };
        (!text.is_empty()).then_some(Piece::Said { text, is_raw, at: span.start })
    };
    for hole in node.children().filter(|it| is_filled && it.is("interpolation")) {
        found.extend(said(Span::new(at, hole.start())));
        found.push(Piece::Filled { text: hole.text(code.text()).to_owned(), at: hole.start() });
        at = hole.end();
    }
    found.extend(said(Span::new(at, inside.end)));
    Ok(found)
}

/// Returns the letters before a literal's quotes, in lower case.
pub(super) fn prefix(code: &Code, string: Node<'_>) -> String {
    let start = string.children().next().map(|it| it.text(code.text())).unwrap_or_default();
    start.trim_end_matches(['"', '\'']).to_ascii_lowercase()
}

/// Returns what stands between a literal's quotes, and whether its backslashes stand for themselves.
pub(super) fn inside(code: &Code, string: Node<'_>) -> Result<(Span, bool), Refusal> {
    let (start, end) = (string.children().next(), string.children().last());
    let (Some(start), Some(end)) = (start, end) else {
        return Err(code.refuse(string.start(), "what this string says is not known"));
    };
    let prefix = prefix(code, string);
    if prefix.contains(['b', 't']) {
        return Err(code.refuse(string.start(), "it is not a string of text"));
    }
    if end.text(code.text()).len() > 1 {
        return Err(code.refuse(string.start(), "the string is triple-quoted"));
    }
    Ok((Span::new(start.end(), end.start()), prefix.contains('r')))
}

/// Returns the quote of the first literal.
pub(super) fn quoted_by(code: &Code, whole: Node<'_>) -> char {
    let mut all = std::iter::once(whole).chain(whole.descendants());
    let first = all.find(|it| it.is("string")).and_then(|it| it.children().last());
    first.and_then(|it| it.text(code.text()).chars().next()).unwrap_or('"')
}

/// Writes pieces as one literal.
pub(super) fn written(code: &Code, parts: &[Literal], quote: char) -> Result<String, Refusal> {
    let backslashed = |raw: bool| {
        parts.iter().find_map(|it| match it {
            Literal::Said { text, is_raw, at } if *is_raw == raw && text.contains('\\') => Some(*at),
            _ => None,
        })
    };
    let is_raw = backslashed(true).is_some();
    if let (true, Some(at)) = (is_raw, backslashed(false)) {
        return Err(code.refuse(at, "a backslash means something here, and nothing in another part"));
    }
    let is_filled = parts.iter().any(|it| matches!(it, Literal::Filled { .. }));
    let mut said = String::new();
    for part in parts {
        match part {
            Literal::Filled { text, .. } => said.push_str(text),
            Literal::Said { text, is_raw: is_own, at } => {
                let text = with_quotes(text, quote);
                if is_raw && *is_own && text.contains(&format!("\\{quote}")) {
                    return Err(code.refuse(*at, "a quote cannot be written in a raw string"));
                }
                said.push_str(&if is_filled { doubled(&text, is_raw) } else { text });
            }
        }
    }
    let prefix = format!("{}{}", if is_raw { "r" } else { "" }, if is_filled { "f" } else { "" });
    Ok(format!("{prefix}{quote}{said}{quote}"))
}

/// Writes pieces as literals in a row, broken where the expression was.
pub(super) fn lines(code: &Code, whole: Node<'_>, (parts, quote): (&[Literal], char)) -> Result<String, Refusal> {
    let line = |part: &Literal| match part {
        Literal::Said { at, .. } | Literal::Filled { at, .. } => code.line(*at),
    };
    let rows = parts.chunk_by(|one, next| line(one) == line(next));
    let rows: Result<Vec<String>, Refusal> = rows.map(|row| written(code, row, quote)).collect();
    let second = code.next_line(whole.start());
    Ok(rows?.join(&format!("{}{}", code.newline(), code.indent(second))))
}

/// Escapes quotes that would end the literal.
fn with_quotes(text: &str, quote: char) -> String {
    let (mut said, mut is_escaped) = (String::new(), false);
    for sign in text.chars() {
        if sign == quote && !is_escaped {
            said.push('\\');
        }
        is_escaped = sign == '\\' && !is_escaped;
        said.push(sign);
    }
    said
}

/// Doubles braces, but for those of a sign's name: `\N{DASH}`.
fn doubled(text: &str, is_raw: bool) -> String {
    let (mut said, mut is_name) = (String::new(), false);
    for (at, sign) in text.char_indices() {
        let begins = sign == '{' && !is_raw && text[..at].ends_with("\\N");
        match sign {
            '{' if begins => is_name = true,
            '}' if is_name => is_name = false,
            '{' | '}' => said.push(sign),
            _ => {}
        }
        said.push(sign);
    }
    said
}

impl<'c> Hole<'c> {
    /// Returns all that is worked out.
    pub(super) fn values(&self) -> impl Iterator<Item = Node<'c>> {
        std::iter::once(self.value).chain(self.sizes.iter().copied())
    }

    /// Writes the value as far as something can be asked of it.
    pub(super) fn object(&self, code: &'c Code) -> String {
        const WHOLE: &[&str] = &["attribute", "call", "identifier", "parenthesized_expression", "string", "subscript"];
        let text = enclosed(code, self.value);
        let is_open = !self.access.is_empty() && !self.value.is_any(WHOLE) && !text.starts_with('(');
        if is_open { format!("({text})") } else { text }
    }

    /// Writes what stands in braces.
    pub(super) fn written(&self, code: &'c Code, kind: Option<&str>, quote: char) -> Result<String, Refusal> {
        let text = in_braces(code, self.value, (format!("{}{}", self.object(code), self.access), quote))?;
        let mark = match self.shown {
            Shown::Repr => "!r",
            Shown::Ascii => "!a",
            Shown::Str if !is_plain(kind) => "!s",
            _ => "",
        };
        let spec = match self.shown {
            Shown::Whole if self.spec.is_empty() && kind != Some("int") => "d".to_owned(),
            Shown::Whole if !self.spec.is_empty() => format!("{}d", self.spec),
            _ => self.spec.clone(),
        };
        let mut spec = if spec.is_empty() { spec } else { format!(":{spec}") };
        for size in &self.sizes {
            let said = in_braces(code, *size, (enclosed(code, *size), quote))?;
            let is_plain = said.bytes().all(|it| it.is_ascii_digit());
            spec = spec.replacen('*', &if is_plain { said } else { format!("{{{said}}}") }, 1);
        }
        Ok(format!("{{{text}{mark}{spec}}}"))
    }

    /// Tells what is not known of the value, where the text could be another one.
    ///
    /// # Errors
    /// For a value of which it is known that it is.
    pub(super) fn doubt(&self, code: &Code, kind: Option<&str>) -> Result<Option<Warning>, Refusal> {
        let value = self.value.text(code.text());
        let (is_known, what) = match self.shown {
            Shown::Added => (kind.is_some_and(is_text), "a string"),
            Shown::Whole => (kind.is_some_and(|it| matches!(it, "int" | "bool")), "a whole number"),
            Shown::Number => {
                (kind.is_some_and(|it| matches!(it, "int" | "float" | "bool" | "int | float")), "a number")
            }
            _ => (true, ""),
        };
        if is_known {
            return Ok(None);
        }
        let is_other = |it: &str| !it.contains(['|', '"', '\'']) && it != "Any" && it != "object";
        if let Some(kind) = kind.filter(|it| is_other(it)) {
            return Err(code
                .refuse(self.value.start(), format!("`{value}` is of type `{kind}`: the text could be another one")));
        }
        let range = code.parsed().text.range(self.value.span());
        let message = format!("nothing tells that `{value}` is {what}: the text of anything else could be another one");
        Ok(Some(Warning::at(WarningKind::PossibleUse, message, code.path.clone(), range)))
    }
}

/// Writes a value so that it can stand in braces.
fn enclosed(code: &Code, value: Node<'_>) -> String {
    let text = on_one_line(code, value);
    let is_loose = value.is_any(&["lambda", "named_expression", "yield"]) || text.starts_with('{');
    if is_loose { format!("({text})") } else { text }
}

/// Gives what is written for a value quotes that the string around it does not have; refuses what no braces hold.
fn in_braces(code: &Code, value: Node<'_>, (mut text, quote): (String, char)) -> Result<String, Refusal> {
    if text.contains(quote) {
        text = requoted(code, value, (text, quote));
    }
    let problem = match () {
        () if text.contains('\\') => "a backslash cannot stand in the braces of an f-string before Python 3.12",
        () if text.contains('\n') => {
            "it takes several lines, which the braces of an f-string cannot before Python 3.12"
        }
        () if text.contains(quote) => "its quotes cannot stand in the braces of an f-string before Python 3.12",
        () => return Ok(text),
    };
    Err(code.refuse(value.start(), problem))
}

/// Gives plain literals in a value the other quotes.
fn requoted(code: &Code, value: Node<'_>, (mut text, quote): (String, char)) -> String {
    let other = if quote == '"' { '\'' } else { '"' };
    let strings = std::iter::once(value).chain(value.descendants()).filter(|it| it.is("string"));
    for said in strings.map(|it| it.text(code.text())) {
        let inner = said.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
        if let Some(inner) = inner.filter(|it| !it.contains(['"', '\'', '\\'])) {
            text = text.replace(said, &format!("{other}{inner}{other}"));
        }
    }
    text
}

/// Tells whether a type is that of strings.
fn is_text(kind: &str) -> bool {
    kind == "str" || kind == "LiteralString" || kind.starts_with("Literal['") || kind.starts_with("Literal[\"")
}

/// Tells whether an f-string shows the objects of a type as `str` does.
fn is_plain(kind: Option<&str>) -> bool {
    let is_one = |it: &str| {
        let class = it.split('[').next().unwrap_or_default();
        PLAIN.contains(&class) || class.ends_with("Error") || class.ends_with("Exception")
    };
    kind.is_some_and(|kind| {
        is_text(kind) || !kind.contains('[') && kind.split(" | ").all(is_one) || is_one(kind) && !kind.contains(" | ")
    })
}
