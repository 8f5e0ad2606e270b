//! What docstrings say of parameters and attributes by name: Sphinx's and Epydoc's fields, and the sections of Google's
//! and NumPy's styles (Sphinx's `napoleon`, the numpydoc guide).

use crate::syntax::Node;
use crate::text::Span;

/// What an entry of a docstring speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documents {
    Parameter,
    Attribute,
}

/// A name that a docstring has an entry for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documented {
    pub what: Documents,
    pub name: Span,
}

const PARAMETER_FIELDS: [&str; 9] =
    ["param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "type", "kwtype"];
const ATTRIBUTE_FIELDS: [&str; 4] = ["ivar", "cvar", "var", "vartype"];
const PARAMETER_SECTIONS: [&str; 8] = [
    "args",
    "arguments",
    "parameters",
    "params",
    "keyword args",
    "keyword arguments",
    "other parameters",
    "other arguments",
];
const ATTRIBUTE_SECTIONS: [&str; 2] = ["attributes", "class attributes"];

/// Returns the inside of the docstring of a function or a class.
pub fn docstring(definition: Node<'_>) -> Option<Span> {
    let first = definition.child("body")?.named_children().next()?;
    let string = first.named_children().next().filter(|_| first.is("expression_statement"))?;
    inside(string)
}

/// Returns what stands between the quotes of a string.
pub(super) fn inside(string: Node<'_>) -> Option<Span> {
    let (start, end) = (string.child_of_kind("string_start")?, string.child_of_kind("string_end")?);
    string.is("string").then(|| Span::new(start.end(), end.start()))
}

/// Returns the entries of a docstring, in order.
pub fn documented(text: &str, docstring: Span) -> Vec<Documented> {
    let lines = lines(text, docstring);
    let mut found = Vec::new();
    let mut section: Option<Section> = None;
    for (at, line) in lines.iter().enumerate() {
        let underline = lines.get(at + 1).filter(|next| is_underline(next.text));
        if line.text.is_empty() || is_underline(line.text) {
            continue;
        }
        if let Some(field) = field(line) {
            found.push(field);
            continue;
        }
        if let Some(opened) = Section::opened(line, underline) {
            section = Some(opened);
        } else if underline.is_some() {
            section = None;
        } else if let Some(open) = &mut section {
            match open.entries(line) {
                Some(names) => found.extend(names.into_iter().map(|name| Documented { what: open.what, name })),
                None => section = None,
            }
        }
    }
    found
}

/// Returns the places where a docstring has a name and nothing else between backticks, single or double, or between the stars of
/// an emphasis, where a value is given to it there (`name=True`), and where it uses one in inline code (``name(event)``). Roles
/// (`:class:`name``) name something else, and so does what follows a dot, or is passed by name to who knows whom. What is said of
/// earlier versions stays true.
pub fn quoted_names(text: &str, docstring: Span, name: &str) -> Vec<Span> {
    let inside = docstring.of(text).unwrap_or_default();
    let words = crate::syntax::whole_words(inside, name).into_iter();
    let literals = literals(inside);
    let is_quoted = |word: &Span| {
        let (before, after) = (&inside[..word.start], &inside[word.end..]);
        let ticks = before.len() - before.trim_end_matches('`').len();
        let closing = after.len() - after.trim_start_matches('`').len();
        let begins = matches!(ticks, 1 | 2) && !before.trim_end_matches('`').ends_with([':', '~', '.']);
        begins && (ticks == closing || is_keyword(after))
            || is_emphasized(before, after)
            || literals.iter().any(|it| it.contains(*word)) && is_used(before, after)
    };
    let history = history(text, docstring);
    let quoted =
        words.filter(is_quoted).map(|word| Span::new(docstring.start + word.start, docstring.start + word.end));
    quoted.filter(|word| !history.iter().any(|it| it.contains(*word))).collect()
}

/// Returns what a docstring says of earlier versions: Sphinx's directives, and what is indented below them.
fn history(text: &str, docstring: Span) -> Vec<Span> {
    const DIRECTIVES: [&str; 4] =
        [".. versionadded::", ".. versionchanged::", ".. versionremoved::", ".. deprecated::"];
    let mut found: Vec<Span> = Vec::new();
    let mut open: Option<usize> = None;
    for line in lines(text, docstring).iter().filter(|line| !line.text.is_empty()) {
        let end = line.start + line.text.len();
        let begins = DIRECTIVES.iter().any(|it| line.text.starts_with(it));
        match (open, found.last_mut()) {
            (Some(indent), Some(last)) if line.indent > indent => last.end = end,
            _ => {
                open = begins.then_some(line.indent);
                found.extend(begins.then(|| Span::new(line.start, end)));
            }
        }
    }
    found
}

/// Returns the inline literals of reStructuredText, which code stands in: between two backticks each.
fn literals(text: &str) -> Vec<Span> {
    let ticks: Vec<(usize, &str)> = text.match_indices("``").collect();
    let is_double = |at: usize| !text[..at].ends_with('`') && !text[at + 2..].starts_with('`');
    let ticks: Vec<usize> = ticks.into_iter().map(|(at, _)| at).filter(|at| is_double(*at)).collect();
    ticks.chunks_exact(2).map(|pair| Span::new(pair[0] + 2, pair[1])).collect()
}

/// Tells whether a word stands between single stars: `*name*`.
fn is_emphasized(before: &str, after: &str) -> bool {
    let outside = before.strip_suffix('*').zip(after.strip_prefix('*'));
    let is_open = |letter: char| !letter.is_alphanumeric() && !"*_`\\".contains(letter);
    outside.is_some_and(|(before, after)| {
        before.chars().next_back().is_none_or(is_open) && after.chars().next().is_none_or(is_open)
    })
}

/// Tells whether a word of code is read there: it is no member, no part of a text or of a path, and no keyword of a call.
fn is_used(before: &str, after: &str) -> bool {
    !before.ends_with(['.', '"', '\'', '-', '/', '\\', '*'])
        && !after.starts_with(['"', '\'', '-', '/'])
        && !is_keyword(after)
}

/// Tells whether a value follows: `=True`.
fn is_keyword(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with('=') && !after.starts_with("==")
}

/// A line without the white space around it.
struct Line<'t> {
    text: &'t str,
    start: usize,
    indent: usize,
}

fn lines(text: &str, docstring: Span) -> Vec<Line<'_>> {
    let mut start = docstring.start;
    let mut lines = Vec::new();
    for (number, whole) in docstring.of(text).unwrap_or_default().split_inclusive('\n').enumerate() {
        let indent = whole.len() - whole.trim_start_matches([' ', '\t']).len();
        let line = Line { text: whole.trim(), start: start + indent, indent };
        // What stands behind the opening quotes is indented by the line that they stand in.
        let before = &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
        let opening = before.len() - before.trim_start_matches([' ', '\t']).len();
        lines.push(if number == 0 { Line { indent: indent + opening, ..line } } else { line });
        start += whole.len();
    }
    lines
}

fn is_underline(line: &str) -> bool {
    line.len() >= 3 && (line.bytes().all(|one| one == b'-') || line.bytes().all(|one| one == b'='))
}

/// `:param int name: …`, `@param name: …`
fn field(line: &Line<'_>) -> Option<Documented> {
    let marked = line.text.strip_prefix([':', '@'])?;
    let head = &marked[..marked.find(':')?];
    let (role, rest) = head.split_once([' ', '\t'])?;
    let what = match role {
        _ if PARAMETER_FIELDS.contains(&role) => Documents::Parameter,
        _ if ATTRIBUTE_FIELDS.contains(&role) => Documents::Attribute,
        _ => return None,
    };
    let rest = rest.trim_end();
    let name = rest[rest.rfind([' ', '\t']).map_or(0, |at| at + 1)..].trim_start_matches(['*', '\\']);
    let end = line.start + 1 + head.trim_end().len();
    is_name(name).then(|| Documented { what, name: Span::new(end - name.len(), end) })
}

/// A section of parameters or attributes that is being read.
struct Section {
    what: Documents,
    indent: usize,
    style: Style,
    /// How far its entries are indented, as soon as one is seen.
    entries: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Google,
    Numpy,
}

impl Section {
    fn opened(line: &Line<'_>, underline: Option<&Line<'_>>) -> Option<Self> {
        let style = if underline.is_some() { Style::Numpy } else { Style::Google };
        let title = if style == Style::Numpy { line.text } else { line.text.strip_suffix(':')? };
        let title = title.to_lowercase();
        let what = match title.as_str() {
            title if PARAMETER_SECTIONS.contains(&title) => Documents::Parameter,
            title if ATTRIBUTE_SECTIONS.contains(&title) => Documents::Attribute,
            _ => return None,
        };
        let entries = (style == Style::Numpy).then_some(line.indent);
        Some(Self { what, indent: line.indent, style, entries })
    }

    /// Returns the names that a line has entries for; nothing where the line ends the section.
    fn entries(&mut self, line: &Line<'_>) -> Option<Vec<Span>> {
        let is_outside = match self.style {
            Style::Google => line.indent <= self.indent,
            Style::Numpy => line.indent < self.indent,
        };
        if is_outside {
            return None;
        }
        if *self.entries.get_or_insert(line.indent) != line.indent {
            return Some(Vec::new());
        }
        let (names, rest) = names(line);
        let is_entry = match self.style {
            Style::Google => rest.starts_with([':', '(']),
            Style::Numpy => rest.is_empty() || rest.starts_with(':'),
        };
        Some(if is_entry { names } else { Vec::new() })
    }
}

/// Reads `x, y`, `*args`, `` `name` `` at a line's beginning; the rest is what follows.
fn names<'t>(line: &Line<'t>) -> (Vec<Span>, &'t str) {
    let mut found = Vec::new();
    let mut rest = line.text;
    loop {
        let own = rest.trim_start_matches(['*', '\\', '`', ' ']);
        let length = own.find(|one: char| !one.is_alphanumeric() && one != '_').unwrap_or(own.len());
        let start = line.start + line.text.len() - own.len();
        if !is_name(&own[..length]) {
            return (Vec::new(), own);
        }
        found.push(Span::new(start, start + length));
        rest = own[length..].trim_start_matches(['`', ' ', '\t']);
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None => return (found, rest),
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|one| one.is_alphanumeric() || one == '_')
}

#[cfg(test)]
mod tests {
    use super::{Documents, documented, quoted_names};
    use crate::text::Span;

    fn read(text: &str) -> Vec<(Documents, &str)> {
        let found = documented(text, Span::new(0, text.len()));
        found.into_iter().map(|one| (one.what, one.name.of(text).unwrap())).collect()
    }

    #[test]
    fn fields() {
        use Documents::{Attribute, Parameter};
        let text = "Makes.\n\n:param width: how wide\n:param dict[str, int] height : x\n:type width: int\n  :keyword *rest: a\n:ivar size: b\n@param deep: c\n:returns width: no\n:param: none\n";
        let wanted = [
            (Parameter, "width"),
            (Parameter, "height"),
            (Parameter, "width"),
            (Parameter, "rest"),
            (Attribute, "size"),
            (Parameter, "deep"),
        ];
        assert_eq!(read(text), wanted);
    }

    #[test]
    fn sections_of_google() {
        let text = "Makes.\n\n    Args:\n        width (int): How wide\n            height: no entry\n        height: How high.\n        *rest: all\n        no entry: at all\n\n        a, b: two\n    Returns:\n        width: no\n    Attributes:\n        size (int, optional): Its size.\n";
        let names: Vec<&str> = read(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["width", "height", "rest", "a", "b", "size"]);
        assert_eq!(read(text)[5].0, Documents::Attribute);
    }

    #[test]
    fn sections_of_numpy() {
        let text = "Makes.\n\n    Parameters\n    ----------\n    width : int\n        How wide\n    x, y : float, optional\n        Both.\n    rest\n        Words here too : no\n    in words : no\n    *args\n\n    Returns\n    -------\n    width : int\n\n    Attributes\n    ----------\n    size: int\n    ";
        let names: Vec<&str> = read(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["width", "x", "y", "rest", "args", "size"]);
    }

    #[test]
    fn names_in_emphasis_and_code() {
        let text = "*width* and ``width(event, x.width)``, **width**, ``f(width=1)``, *width+*, ``*width``";
        let found = quoted_names(text, Span::new(0, text.len()), "width");
        assert_eq!(found, [Span::new(1, 6), Span::new(14, 19)]);
    }

    #[test]
    fn names_in_backticks() {
        let text = "`width`, ``width``, width, :class:`width`, `width + 1`, ```width```";
        let found = quoted_names(text, Span::new(0, text.len()), "width");
        assert_eq!(found, [Span::new(1, 6), Span::new(11, 16)]);
    }

    #[test]
    fn names_that_are_given_a_value() {
        let text = "`width=1`, ``width = 1``, width=1, `f(width=1)`, `width == 1`";
        let found = quoted_names(text, Span::new(0, text.len()), "width");
        assert_eq!(found, [Span::new(1, 6), Span::new(13, 18)]);
    }
}
