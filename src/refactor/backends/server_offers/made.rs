//! What a server calls what it makes, and the name that is wished for in its place.

use crate::plan::{FileEdit, Plan, difference};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::syntax::whole_words;
use crate::text::Span;

/// How the new name is found in the text that a server makes.
#[derive(Clone, Copy)]
pub(super) enum Made {
    Nothing,
    /// The word behind this one that the file did not say before.
    Behind(&'static str),
    /// The word behind this one, which holds the value that was selected.
    Variable(&'static str),
    /// The word before this one, which holds the value that was selected.
    Before(&'static str),
    Called(&'static str),
}

impl Made {
    /// Puts the name that is wished for in the place of the server's.
    pub(super) fn named(self, (code, asked): (&Code, Span), plan: Plan, name: &str) -> Result<Plan, Refusal> {
        let alone = plan.edits().get(&code.path).filter(|_| plan.edits().len() + plan.creates().len() == 1);
        let elsewhere = || Refusal::NotPossible("the server changes other files, where its name would stay".to_owned());
        let file = alone.ok_or_else(elsewhere)?;
        let after = file.after();
        let written = written(file);
        let unsaid = || Refusal::NotPossible("the server's answer does not say what it calls what it makes".to_owned());
        let declared = self.declared((code.text(), after.as_str()), &written).ok_or_else(unsaid)?;
        let theirs = declared.of(after.as_str()).unwrap_or_default();
        let copied = match self {
            Self::Variable(_) | Self::Before(_) => copied(code, asked, (after.as_str(), declared)),
            _ => None,
        };
        if copied.is_none()
            && let Some(place) = whole_words(code.text(), theirs).first()
        {
            let reason = format!("the server uses the name `{theirs}`, which the file says, too");
            return Err(code.refuse(place.start, reason));
        }
        let mut named = after.as_str().to_owned();
        for span in whole_words(after.as_str(), theirs).into_iter().rev() {
            let is_copied = copied.is_some_and(|copied| copied.contains(span));
            if !is_copied && written.iter().any(|stretch| stretch.overlaps(span)) {
                named.replace_range(span.start..span.end, name);
            }
        }
        let warnings = plan.warnings().to_vec();
        Ok(code.plan(difference(code.text(), &named))?.with_warnings(warnings))
    }

    /// Finds what was made in the text behind a plan: the first name of the kind that was written.
    fn declared(self, (before, after): (&str, &str), written: &[Span]) -> Option<Span> {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let marks = |mark: &'static str| after.match_indices(mark).map(move |(at, _)| (at, at + mark.len()));
        let word_at = |start: usize| {
            let start = if after[start..].starts_with("mut ") { start + "mut ".len() } else { start };
            let length = after[start..].find(|letter| !is_word(letter)).unwrap_or(after.len() - start);
            Span::new(start, start + length)
        };
        let word_before = |end: usize| {
            let start = after[..end].rfind(|letter| !is_word(letter)).map_or(0, |at| at + 1);
            Span::new(start, end)
        };
        let found: Vec<Span> = match self {
            Self::Nothing => Vec::new(),
            Self::Called(name) => whole_words(after, name),
            Self::Before(mark) => marks(mark).map(|(start, _)| word_before(start)).collect(),
            Self::Behind(mark) | Self::Variable(mark) => marks(mark).map(|(_, end)| word_at(end)).collect(),
        };
        let is_written = |span: &Span| !span.is_empty() && written.iter().any(|stretch| stretch.overlaps(*span));
        let is_known = |span: &Span| !whole_words(before, span.of(after).unwrap_or_default()).is_empty();
        found.into_iter().filter(is_written).find(|span| !matches!(self, Self::Behind(_)) || !is_known(span))
    }
}

/// Returns what a plan writes, where it stands afterwards.
fn written(file: &FileEdit) -> Vec<Span> {
    file.edits.invert(file.before.as_str()).iter().map(|edit| edit.span).collect()
}

/// Returns where the value that was selected stands behind the name that it is given.
fn copied(code: &Code, asked: Span, (after, declared): (&str, Span)) -> Option<Span> {
    let value = asked.of(code.text())?;
    let at = declared.end + after[declared.end..].find(value)?;
    Some(Span::new(at, at + value.len()))
}
