//! Lines that a plan makes longer than a project has them, broken as its formatter would; lists that it makes shorter, joined.

mod broken;
mod import_lists;
mod joined;
mod limit;

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::brace_spacing::blank_in_lists;
use super::plan_texts::{stretches_after, with_texts};
use crate::plan::{Plan, difference};
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Tree};
use crate::text::{AbsPath, Span, Text, TextEdit};
use import_lists::Style;
use limit::{Limit, width};

/// So many lines of one file are broken at most.
const MOST: usize = 400;

/// A text on its way, with the stretches of it that are new.
struct Draft {
    language: Language,
    text: String,
    new: Vec<Span>,
}

/// Breaks the lines that a plan makes too long.
pub(crate) fn fitted(session: &Session, plan: Plan) -> Plan {
    let known = Known::of(&plan);
    let mut changed: BTreeMap<AbsPath, String> = BTreeMap::new();
    for (path, edit) in plan.edits() {
        let touched: Vec<Span> = stretches_after(edit.edits.iter()).collect();
        let after = edit.after();
        let before = edit.before.as_str();
        let anew = |text: &str| -> Vec<Span> { stretches_after(difference(before, text).iter()).collect() };
        let joined = joined_lists(session, path, (before, after.as_str()), &touched);
        let (text, new) = match &joined {
            Some(text) => (text.as_str(), anew(text)),
            None => (after.as_str(), touched),
        };
        let listed = known.import_lists(session, path, (before, text), &new);
        let (text, mut new) = match &listed {
            Some(text) => (text.as_str(), anew(text)),
            None => (text, new),
        };
        new.retain(|span| !span.is_empty());
        let broken = known.broken(session, path, (text, new));
        changed.extend(broken.or(listed).or(joined).map(|text| (path.clone(), text)));
    }
    for (path, text) in plan.creates() {
        let all = |text: &str| vec![Span::new(0, text.len())];
        let listed = known.import_lists(session, path, ("", text.as_str()), &all(text.as_str()));
        let text = listed.as_deref().unwrap_or(text.as_str());
        let broken = known.broken(session, path, (text, all(text)));
        changed.extend(broken.or(listed).map(|text| (path.clone(), text)));
    }
    if changed.is_empty() { plan } else { with_texts(plan, changed) }
}

/// Joins the lists that fit on a line after a plan, where all did so before; nothing where there are none.
fn joined_lists(session: &Session, path: &AbsPath, (before, after): (&str, &str), touched: &[Span]) -> Option<String> {
    let language = Language::of_path(path).filter(|it| matches!(it.family(), Family::Python | Family::Script))?;
    let limit = Limit::of(session, path, before)?;
    let was = Tree::parse(language, before);
    let is_broken = |node: Node<'_>| node.is_any(&["argument_list", "arguments"]) && node.text(before).contains('\n');
    let is_kept = limit.is_said || was.nodes().iter().any(is_broken);
    let mut draft = Draft { language, text: after.to_owned(), new: touched.to_vec() };
    let mut tree = Tree::parse(language, after);
    if !is_kept || joined::met(&tree, &draft.text, &draft.new).next().is_none() {
        return None;
    }
    let style = joined::Style { longest: limit.width, blank: blank_in_lists(session, path, (&was, before)) };
    let first = style.first(&tree, &draft.text, &draft.new)?;
    if style.is_loose(&was, before) {
        return None;
    }
    let mut next = Some(first);
    for _ in 0..MOST {
        let Some(edit) = next else { break };
        draft.apply(edit);
        tree = Tree::parse(language, &draft.text);
        next = style.first(&tree, &draft.text, &draft.new);
    }
    (tree.error_count() <= Tree::parse(language, after).error_count()).then_some(draft.text)
}

/// Returns the lines in which something else stands, and that are no longer than they were, with the width that they had.
fn no_longer(before: &str, after: &str, touched: Vec<(Span, Span)>) -> Vec<(String, usize)> {
    let line_at = |text: &str, span: Span| {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        text[start..end].to_owned()
    };
    let pairs = touched.into_iter().map(|(old, new)| (line_at(before, old), line_at(after, new)));
    let is_one = |(old, new): &(String, String)| !old.contains('\n') && !new.contains('\n');
    let kept = pairs.filter(is_one).filter(|(old, new)| width(new) <= width(old));
    kept.map(|(old, new)| (new.trim().to_owned(), width(&old))).collect()
}

/// What there was before, and how long its lines are, by what they say.
struct Known {
    texts: Vec<(AbsPath, Arc<Text>)>,
    lengths: BTreeMap<String, usize>,
}

impl Known {
    fn of(plan: &Plan) -> Self {
        let edited = plan.edits().iter().map(|(path, edit)| (path.clone(), Arc::clone(&edit.before)));
        let deleted = plan.deletes().iter().map(|(path, text)| (path.clone(), Arc::clone(text)));
        let texts: Vec<(AbsPath, Arc<Text>)> = edited.chain(deleted).collect();
        let mut lengths: BTreeMap<String, usize> = BTreeMap::new();
        for line in texts.iter().flat_map(|(_, text)| text.as_str().lines()) {
            let longest = lengths.entry(line.trim().to_owned()).or_default();
            *longest = (*longest).max(width(line));
        }
        lengths.extend(plan.edits().values().flat_map(|edit| {
            let touched = edit.edits.iter().map(|it| it.span).zip(stretches_after(edit.edits.iter()));
            no_longer(edit.before.as_str(), edit.after().as_str(), touched.collect())
        }));
        Self { texts, lengths }
    }

    /// Returns what files of a family said before.
    fn said(&self, family: Family) -> String {
        let alike = self.texts.iter().filter(|(of, _)| Language::of_path(of).map(Language::family) == Some(family));
        alike.map(|(_, text)| text.as_str()).collect()
    }

    /// Returns a text of Python with what it imports anew written as the file has it, or else the others; nothing where that is
    /// no other text.
    fn import_lists(
        &self,
        session: &Session,
        path: &AbsPath,
        (before, text): (&str, &str),
        new: &[Span],
    ) -> Option<String> {
        Language::of_path(path).filter(|it| it.family() == Family::Python)?;
        let all = LazyCell::new(|| self.said(Family::Python));
        let limit = || Limit::of(session, path, if before.is_empty() { &all } else { before });
        let style = |limit: &Limit| Style::of(before, limit).or_else(|| Style::of(&all, limit));
        import_lists::rewritten((text, new), limit, style)
    }

    /// Returns a text with its new lines broken where they are too long; nothing where none is.
    fn broken(&self, session: &Session, path: &AbsPath, (text, new): (&str, Vec<Span>)) -> Option<String> {
        let language = Language::of_path(path).filter(|it| matches!(it.family(), Family::Python | Family::Script))?;
        let is_new = |span: Span| new.iter().any(|one| one.overlaps(span));
        let longest = lines(text).filter(|span| is_new(*span)).map(|span| width(&text[span.start..span.end])).max();
        // Nobody has lines that are shorter at most.
        longest.filter(|longest| *longest > 79)?;
        let before = self.said(language.family());
        let limit = Limit::of(session, path, if before.is_empty() { text } else { &before })?;
        let mut draft = Draft { language, text: text.to_owned(), new };
        let mut given_up = 0;
        for _ in 0..MOST {
            let Some(line) = draft.too_long(given_up, |said| self.is_ours(said, limit.width), limit.width) else {
                break;
            };
            match draft.edit(line, &limit) {
                Some(edit) => draft.apply(edit),
                None => given_up = line.end,
            }
        }
        (draft.text != text).then_some(draft.text)
    }

    /// Tells whether a line was not there before, or was short enough where it was.
    fn is_ours(&self, line: &str, limit: usize) -> bool {
        self.lengths.get(line.trim()).is_none_or(|length| *length <= limit)
    }
}

impl Draft {
    /// Returns the first new line behind a place that is too long.
    fn too_long(&self, from: usize, is_ours: impl Fn(&str) -> bool, limit: usize) -> Option<Span> {
        let said = |span: Span| &self.text[span.start..span.end];
        let is_new = |span: Span| self.new.iter().any(|one| one.overlaps(span));
        let mut all = lines(&self.text).filter(|span| span.start >= from);
        all.find(|span| width(said(*span)) > limit && is_new(*span) && is_ours(said(*span)))
    }

    fn edit(&self, line: Span, limit: &Limit) -> Option<TextEdit> {
        let tree = Tree::parse(self.language, &self.text);
        let edit = broken::line(&tree, &self.text, line, limit)?;
        // What is broken says the same as before: the tree of its words is no worse.
        let mut after = self.text.clone();
        after.replace_range(edit.span.start..edit.span.end, &edit.new_text);
        let is_whole = Tree::parse(self.language, &after).error_count() <= tree.error_count();
        is_whole.then_some(edit)
    }

    fn apply(&mut self, edit: TextEdit) {
        let Span { start, end } = edit.span;
        self.text.replace_range(start..end, &edit.new_text);
        let moved = |at: usize| if at >= end { at + edit.new_text.len() - (end - start) } else { at.min(start) };
        for span in &mut self.new {
            *span = Span::new(moved(span.start), moved(span.end));
        }
        self.new.push(Span::new(start, start + edit.new_text.len()));
    }
}

/// Returns the lines of a text, without what ends them.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(Span::new(start, start + line.trim_end_matches(['\r', '\n']).len()))
    })
}
