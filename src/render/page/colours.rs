//! What of a text is a comment, a string or a keyword.

use super::super::markup::escaped;
use crate::syntax::{Language, Prose, Tree};
use crate::text::{Span, Text};

/// A text by lines, with what is coloured in it.
pub(super) struct Coloured {
    starts: Vec<usize>,
    spans: Vec<(Span, &'static str)>,
}

impl Coloured {
    pub(super) fn of(text: &Text, language: Option<Language>) -> Self {
        let text = text.as_str();
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
        let spans = language.map(|language| spans(&Tree::parse(language, text))).unwrap_or_default();
        Self { starts, spans }
    }

    /// Writes a line, 0-based, that reads `line`; `changed` is the part of it that differs, in bytes.
    pub(super) fn line(&self, number: usize, line: &str, changed: Option<Span>) -> String {
        let Some(start) = self.starts.get(number) else { return escaped(line) };
        let within = |offset: usize| offset.saturating_sub(*start).min(line.len());
        let first = self.spans.partition_point(|(span, _)| span.end <= *start);
        let spans = self.spans[first..].iter().take_while(|(span, _)| span.start < start + line.len());
        let pieces = spans.map(|(span, class)| (Span::new(within(span.start), within(span.end)), *class));
        let mut cuts: Vec<usize> = vec![0, line.len()];
        let pieces: Vec<(Span, &str)> = pieces.collect();
        cuts.extend(pieces.iter().map(|(span, _)| *span).chain(changed).flat_map(|span| [span.start, span.end]));
        cuts.retain(|cut| line.is_char_boundary(*cut));
        cuts.sort_unstable();
        cuts.dedup();
        let mut written = String::new();
        for cut in cuts.windows(2) {
            let holds = |span: &Span| span.start <= cut[0] && cut[1] <= span.end;
            let class = pieces.iter().find(|(span, _)| holds(span)).map(|(_, class)| *class);
            let class = class.into_iter().chain(changed.filter(holds).map(|_| "x")).collect::<Vec<_>>().join(" ");
            let text = escaped(&line[cut[0]..cut[1]]);
            written += &if class.is_empty() { text } else { format!("<span class=\"{class}\">{text}</span>") };
        }
        written
    }
}

fn spans(tree: &Tree) -> Vec<(Span, &'static str)> {
    let prose = tree.prose().into_iter().map(|(prose, span)| match prose {
        Prose::String => (span, "s"),
        Prose::Comment => (span, "c"),
    });
    let is_word = |kind: &str| !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphabetic());
    let words = tree.nodes().iter().filter(|node| !node.is_named() && is_word(node.kind()));
    let mut spans: Vec<(Span, &'static str)> = prose.chain(words.map(|node| (node.span(), "k"))).collect();
    spans.sort_by_key(|(span, _)| (span.start, span.end));
    spans
}
