//! The remarks about a plan, as many as somebody reads.

use std::collections::{BTreeMap, BTreeSet};

use super::{Count, Warning, WarningKind};
use crate::text::{AbsPath, counted};

/// So many lines are read; where that is not enough, the last one tells the total.
const LINES: usize = 20;
/// Where there are more, so many tell of mentions: who wants all looks for the word.
const MENTIONS: usize = 6;
/// So many different messages of one kind are told of a file, and so many lines of it.
const MESSAGES: usize = 3;
const PLACES: usize = 8;

/// One remark for each file and kind, the most suspicious first, and how many there are of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// At most [`LINES`] of them: one of each kind, then by suspicion.
    pub listed: Vec<Warning>,
    /// Of all there are, by kind.
    pub counts: BTreeMap<WarningKind, Count>,
    /// The last line, where not all are listed.
    pub total: Option<String>,
}

impl Digest {
    /// The kind of the last line, beside those of [`WarningKind`].
    pub const NOT_LISTED: &'static str = "not-listed";

    pub fn of(warnings: &[Warning]) -> Self {
        let merged = merged(warnings);
        let counts = counts(warnings);
        if merged.len() <= LINES {
            return Self { listed: merged, counts, total: None };
        }
        let mut seen = BTreeSet::new();
        let (mut first, others): (Vec<Warning>, Vec<Warning>) =
            merged.into_iter().partition(|warning| seen.insert(warning.kind));
        let room = (LINES - 1).saturating_sub(first.len());
        let all = first.len() + others.len();
        let (mentions, others): (Vec<Warning>, Vec<Warning>) =
            others.into_iter().partition(|warning| warning.kind == WarningKind::Mentioned);
        first.extend(others.into_iter().chain(mentions.into_iter().take(MENTIONS - 1)).take(room));
        first.sort_by_key(|warning| warning.kind);
        let left = all - first.len();
        let total = Some(format!("in all {}; {left} remarks are not listed", told(&counts)));
        Self { listed: first, counts, total }
    }

    /// Returns how many there are of a kind.
    pub fn count(&self, kind: WarningKind) -> Count {
        self.counts.get(&kind).copied().unwrap_or_default()
    }
}

fn told(counts: &BTreeMap<WarningKind, Count>) -> String {
    let one = |(kind, count): (&WarningKind, &Count)| match count.files {
        0 => format!("{} {}", count.places, kind.as_str()),
        files => format!("{} {} in {}", count.places, kind.as_str(), counted(files, "file")),
    };
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn counts(warnings: &[Warning]) -> BTreeMap<WarningKind, Count> {
    let mut counts: BTreeMap<WarningKind, Count> = BTreeMap::new();
    let mut files: BTreeSet<(WarningKind, &AbsPath)> = BTreeSet::new();
    for warning in warnings {
        let count = counts.entry(warning.kind).or_default();
        count.places += warning.count.places;
        count.files += match &warning.path {
            Some(path) => usize::from(files.insert((warning.kind, path))),
            None => warning.count.files,
        };
    }
    counts
}

/// The remarks of one kind about one file, or the same words about the plan.
struct Group<'a> {
    first: &'a Warning,
    messages: Vec<&'a str>,
    lines: BTreeSet<u32>,
    places: usize,
}

/// Joins what is of one kind and about one file; the kinds in their order, what is of one kind in the plan's.
fn merged(warnings: &[Warning]) -> Vec<Warning> {
    let mut at: BTreeMap<(WarningKind, Result<&AbsPath, &str>), usize> = BTreeMap::new();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for warning in warnings {
        let key = (warning.kind, warning.path.as_ref().ok_or(warning.message.as_str()));
        let index = *at.entry(key).or_insert(groups.len());
        if index == groups.len() {
            groups.push(Group { first: warning, messages: Vec::new(), lines: BTreeSet::new(), places: 0 });
        }
        groups[index].take(warning);
    }
    let mut merged: Vec<Warning> = groups.iter().map(Group::joined).collect();
    merged.sort_by_key(|warning| warning.kind);
    merged
}

impl<'a> Group<'a> {
    fn take(&mut self, warning: &'a Warning) {
        if !self.messages.contains(&warning.message.as_str()) {
            self.messages.push(&warning.message);
        }
        self.lines.extend(warning.range.map(|range| range.start.line + 1));
        self.places += warning.count.places;
    }

    fn joined(&self) -> Warning {
        let mut message = self.messages[..self.messages.len().min(MESSAGES)].join("; ");
        if self.messages.len() > MESSAGES {
            message += &format!("; and {} more", self.messages.len() - MESSAGES);
        }
        if self.lines.len() > 1 {
            let shown: Vec<String> = self.lines.iter().take(PLACES).map(u32::to_string).collect();
            let rest = self.lines.len().saturating_sub(PLACES);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            message += &format!(" (lines {}{more})", shown.join(", "));
        }
        Warning { message, ..self.first.clone() }.standing_for(self.places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Position, Range};

    fn at(kind: WarningKind, message: &str, file: usize, line: u32) -> Warning {
        let position = Position { line, character: 0 };
        let path = AbsPath::new(format!("/p/{file:03}.py")).unwrap();
        Warning::at(kind, message, path, Some(Range { start: position, end: position }))
    }

    #[test]
    fn one_line_tells_of_a_file_and_a_kind() {
        let warnings = [
            at(WarningKind::StringEdited, "edited", 1, 4),
            at(WarningKind::PossibleUse, "`x` (lines 1, 2)", 1, 0).standing_for(2),
            at(WarningKind::StringEdited, "edited", 1, 6),
            at(WarningKind::StringEdited, "edited", 2, 6),
            Warning::of_plan(WarningKind::Unproven, "one"),
            Warning::of_plan(WarningKind::Unproven, "two"),
        ];
        let digest = Digest::of(&warnings);
        let said: Vec<(&str, usize)> = digest.listed.iter().map(|it| (it.message.as_str(), it.count.places)).collect();
        assert_eq!(said, [("one", 1), ("two", 1), ("`x` (lines 1, 2)", 2), ("edited (lines 5, 7)", 2), ("edited", 1)]);
        assert_eq!(digest.count(WarningKind::StringEdited), Count { places: 3, files: 2 });
        assert_eq!(digest.count(WarningKind::Forced), Count::default());
        assert_eq!(digest.total, None);
    }

    #[test]
    fn what_is_not_listed_is_counted_and_no_kind_goes_unseen() {
        let possible = (0..300).map(|file| at(WarningKind::PossibleUse, "x", file, 1).standing_for(2));
        let mut warnings: Vec<Warning> = possible.collect();
        warnings.push(at(WarningKind::Mentioned, "x", 7, 1));
        warnings.insert(0, Warning::of_plan(WarningKind::FollowUp, "install again"));
        let digest = Digest::of(&warnings);
        assert_eq!(digest.listed.len(), LINES - 1);
        let kinds: BTreeSet<WarningKind> = digest.listed.iter().map(|warning| warning.kind).collect();
        assert_eq!(kinds.len(), 3);
        assert_eq!(
            digest.total.as_deref(),
            Some(
                "in all 600 possible-use in 300 files, 1 follow-up, 1 mentioned-not-changed in 1 file; 283 remarks are \
                 not listed"
            )
        );
    }

    #[test]
    fn of_many_mentions_the_first_are_listed() {
        let mentions = |files| (0..files).map(|file| at(WarningKind::Mentioned, "x", file, 1)).collect::<Vec<_>>();
        let listed = |warnings: &[Warning]| {
            let digest = Digest::of(warnings);
            (digest.listed.len(), digest.total)
        };
        assert_eq!(listed(&mentions(LINES)), (LINES, None));
        let total = "in all 83 mentioned-not-changed in 83 files; 77 remarks are not listed".to_owned();
        assert_eq!(listed(&mentions(83)), (MENTIONS, Some(total)));
    }
}
