//! What comments say of the result of a function: `@returns` in JSDoc, `:returns:` and `:rtype:`, and the section `Returns` of
//! docstrings (Sphinx's fields, Google's and NumPy's styles).

use super::call_sites::Signature;
use super::parameter_docs::{documentation, is_marked, lines_about};
use crate::plan::{Warning, WarningKind};
use crate::refactor::source_file::Code;
use crate::syntax::{Family, whole_words};
use crate::text::{Span, TextEdit};

/// The comment or the docstring of a function that tells of its result.
pub(crate) struct ResultDocs<'c> {
    code: &'c Code,
    /// From its first mark to its last.
    span: Span,
    /// What begins and ends it.
    marks: (&'c str, &'c str),
    lines: Vec<Line<'c>>,
    /// The first and the last line of each part that tells of the result, empty ones left aside.
    told: Vec<(usize, usize)>,
    /// The places of what is said of the parameters that the result hangs on.
    parameters: Vec<Span>,
}

/// A line without the white space around it, and in a script without the star before it.
struct Line<'c> {
    start: usize,
    said: Span,
    text: &'c str,
    indent: usize,
}

impl<'c> ResultDocs<'c> {
    /// Reads what a function says of itself; nothing where it says nothing.
    pub(crate) fn of(signature: &Signature<'c>, parameters: &[usize]) -> Option<Self> {
        let code = signature.code;
        let doc = documentation(code, signature.function)?;
        let text = doc.of(code.text())?.trim_end();
        let marks = match code.family() {
            Family::Python => quotes(text)?,
            _ => ("/**", "*/"),
        };
        let span = Span::new(doc.start, doc.start + text.len());
        let inside = Span::new(span.start + marks.0.len(), span.end - marks.1.len());
        let lines = lines(code, inside);
        let told = if code.family() == Family::Python { in_docstring(&lines) } else { in_comment(&lines) };
        let parameters = lines_about(signature, parameters);
        Some(Self { code, span, marks, lines, told, parameters })
    }

    fn is_told(&self, at: usize) -> bool {
        self.told.iter().any(|(first, last)| (*first..=*last).contains(&at))
    }

    /// Returns the first line in a direction that says something.
    fn said(&self, mut all: impl Iterator<Item = usize>) -> Option<&Line<'c>> {
        all.find(|at| !self.lines[*at].text.is_empty()).map(|at| &self.lines[at])
    }

    /// Tells whether it is about nothing else.
    fn is_all(&self) -> bool {
        self.lines.iter().enumerate().all(|(at, line)| line.text.is_empty() || self.is_told(at))
    }

    /// Returns the parts, those as one that nothing stands between.
    fn joined(&self) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (first, last) in &self.told {
            let is_next =
                |before: &&mut (usize, usize)| (before.1 + 1..*first).all(|at| self.lines[at].text.is_empty());
            match found.last_mut().filter(is_next) {
                Some(before) => before.1 = *last,
                None => found.push((*first, *last)),
            }
        }
        found
    }

    /// Lets it tell of the result no more.
    pub(crate) fn silenced(&self) -> Vec<TextEdit> {
        if self.told.is_empty() {
            return Vec::new();
        }
        if self.is_all() {
            let (start, end) = (self.code.line_start(self.span.start), self.code.next_line(self.span.end));
            return vec![TextEdit::new(Span::new(start, end), "")];
        }
        let rest = (0..self.lines.len()).filter(|at| !self.lines[*at].text.is_empty() && !self.is_told(*at));
        let is_line = rest.eq([0]);
        let gone = self.joined().into_iter().map(|(first, last)| {
            let end = self.lines[last].said.end;
            match (self.said((0..first).rev()), self.said(last + 1..self.lines.len())) {
                (_, Some(next)) if first > 0 => Span::new(self.lines[first].start, next.start),
                (_, Some(next)) => Span::new(self.lines[first].said.start, next.said.start),
                (Some(before), None) if is_line => Span::new(before.said.end, self.span.end - self.marks.1.len()),
                (Some(before), None) => Span::new(before.said.end, end),
                (None, None) => Span::new(self.lines[first].said.start, end),
            }
        });
        let between = if is_line && self.code.family() != Family::Python { " " } else { "" };
        gone.map(|span| TextEdit::new(span, between)).collect()
    }

    /// Writes the comment of a function that only answers, for lines that begin so; nothing where there is nothing to say.
    pub(crate) fn written(&self, base: &str) -> Option<String> {
        let about = |at: usize| {
            let place = self.lines[at].said.start;
            self.is_told(at) || self.parameters.iter().any(|span| (span.start..span.end).contains(&place))
        };
        let is_opening = |at: &usize| self.told.iter().any(|(first, _)| first == at);
        let is_section = |at: &usize| !is_marked(self.lines[*at].text);
        let least = self.lines.iter().filter(|it| !it.text.is_empty()).map(|it| it.indent).min()?;
        let mut all: Vec<String> = Vec::new();
        for at in (0..self.lines.len()).filter(|at| about(*at)) {
            if !all.is_empty() && is_opening(&at) && is_section(&at) && all.last().is_some_and(|it| !it.is_empty()) {
                all.push(String::new());
            }
            let Line { text, indent, .. } = self.lines[at];
            all.push(if text.is_empty() { String::new() } else { format!("{}{text}", " ".repeat(indent - least)) });
        }
        (!self.told.is_empty()).then(|| self.comment(&all, base))
    }

    fn comment(&self, lines: &[String], base: &str) -> String {
        let ((open, close), end) = (self.marks, self.code.newline());
        match (self.code.family(), lines) {
            (Family::Python, [only]) => format!("{open}{only}{close}"),
            (_, [only]) => format!("{open} {only} {close}"),
            (Family::Python, _) => {
                let line = |it: &String| if it.is_empty() { end.to_owned() } else { format!("{end}{base}{it}") };
                format!("{open}{}{end}{base}{close}", lines.iter().map(line).collect::<String>())
            }
            _ => {
                let line = |it: &String| format!("{end}{base} * {it}").trim_end_matches(' ').to_owned();
                format!("{open}{}{end}{base} {close}", lines.iter().map(line).collect::<String>())
            }
        }
    }

    /// Tells where its prose goes on to speak of a result.
    pub(crate) fn remark(&self) -> Option<Warning> {
        let words = |line: &Line<'_>| ["return", "returns", "returned"].into_iter().any(|word| has(line.text, word));
        let left =
            (0..self.lines.len()).filter(|at| !self.is_told(*at)).map(|at| &self.lines[at]).find(|it| words(it))?;
        let message = format!("the documentation says `{}`: nothing is returned any more", left.text);
        let range = self.code.parsed().text.range(left.said);
        Some(Warning::at(WarningKind::Mentioned, message, self.code.path.clone(), range))
    }
}

fn has(text: &str, word: &str) -> bool {
    !whole_words(&text.to_lowercase(), word).is_empty()
}

/// Returns what begins and ends a string of Python.
fn quotes(string: &str) -> Option<(&str, &str)> {
    let at = string.find(['"', '\''])?;
    let quote = &string[at..at + 1];
    let length = if string[at..].starts_with(&quote.repeat(3)) { 3 } else { 1 };
    (string.len() >= at + 2 * length).then(|| (&string[..at + length], &string[string.len() - length..]))
}

fn lines(code: &Code, inside: Span) -> Vec<Line<'_>> {
    let mut start = inside.start;
    let mut found = Vec::new();
    for whole in inside.of(code.text()).unwrap_or_default().split_inclusive('\n') {
        let is_first = start == inside.start;
        let bare = whole.trim_start();
        let rest = match code.family() {
            Family::Python => bare,
            _ if is_first => bare,
            _ => bare.strip_prefix('*').map_or(bare, |it| it.strip_prefix(' ').unwrap_or(it)),
        };
        let text = rest.trim();
        let at = start + whole.len() - rest.trim_start().len();
        let indent = match code.family() {
            Family::Python if is_first => code.indent(inside.start).len(),
            Family::Python => whole.len() - bare.len(),
            _ if is_first => 0,
            _ => rest.len() - rest.trim_start().len(),
        };
        let indent = if text.is_empty() { 0 } else { indent };
        let at = if text.is_empty() { start } else { at };
        found.push(Line { start, said: Span::new(at, at + text.len()), text, indent });
        start += whole.len();
    }
    found
}

/// Returns the last line of those up to another one that says something.
fn last_said(lines: &[Line<'_>], first: usize, end: usize) -> usize {
    (first..end).rev().find(|at| !lines[*at].text.is_empty()).unwrap_or(first)
}

fn in_comment(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let is_tag = |at: &usize| lines[*at].text.starts_with('@');
    let is_told = |at: &usize| {
        let word = lines[*at].text.split([' ', '\t', '{']).next().unwrap_or_default();
        matches!(word, "@return" | "@returns")
    };
    let part = |at: usize| (at, last_said(lines, at, (at + 1..lines.len()).find(is_tag).unwrap_or(lines.len())));
    (0..lines.len()).filter(is_told).map(part).collect()
}

fn in_docstring(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let end = told_until(lines, at);
        found.extend((end > at).then(|| (at, last_said(lines, at, end))));
        at = end.max(at + 1);
    }
    found
}

/// Returns where what is said of the result from a line on ends; the line itself where nothing is.
fn told_until(lines: &[Line<'_>], at: usize) -> usize {
    let Line { text, indent, .. } = lines[at];
    let behind = |is_end: &dyn Fn(usize) -> bool| (at + 1..lines.len()).find(|it| is_end(*it)).unwrap_or(lines.len());
    let is_below = |it: usize| lines[it].text.is_empty() || lines[it].indent > indent;
    let begins = |it: usize| lines[it].text.is_empty() || is_marked(lines[it].text);
    let is_heading = |it: usize| {
        let line = lines.get(it + 1).map_or("", |line| line.text);
        line.len() >= 3 && (line.bytes().all(|one| one == b'-') || line.bytes().all(|one| one == b'='))
    };
    if let Some(field) = text.strip_prefix([':', '@']) {
        let word = field.split([':', ' ']).next().unwrap_or_default();
        let is_told = matches!(word, "return" | "returns" | "rtype") && field.contains(':');
        return if is_told { behind(&begins) } else { at };
    }
    let title = text.split(':').next().unwrap_or_default().to_lowercase();
    if !matches!(title.as_str(), "return" | "returns") {
        return at;
    }
    match text.split_once(':') {
        None if is_heading(at) => {
            behind(&|it| !lines[it].text.is_empty() && lines[it].indent < indent || it > at + 1 && is_heading(it))
        }
        None => at,
        Some((_, "")) => behind(&|it| !is_below(it)),
        Some(_) => behind(&begins),
    }
}
