//! Old paths and names of modules in documents, data, comments and docstrings, edited where the caller asked for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use memchr::memmem;

use super::Relocation;
use super::mentions::{self, is_written_by_programs};
use super::python::is_bounded;
use crate::plan::{Parts, Warning, WarningKind};
use crate::refactor::documents::{comments, is_document, is_history};
use crate::session::Session;
use crate::text::{AbsPath, Range, Span, Text, TextEdit};

/// What becomes of text outside of code that speaks of what moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Documents {
    /// It stays as it is; the plan says where it is.
    Told,
    Edited,
}

impl Documents {
    /// `wished` is whether somebody asked for it.
    pub fn edited_if(wished: bool) -> Self {
        if wished { Self::Edited } else { Self::Told }
    }
}

/// What is spelled in another way after a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Respelled {
    /// A name in dots, of several parts.
    Dotted { old: String, new: String },
    /// A path of a file or a directory, from the root of the project on or from further down.
    Path { of: AbsPath, old: String, new: String },
}

impl Respelled {
    /// A name in dots; nothing for a single word, which prose uses for other things.
    pub(crate) fn dotted(old: &str, new: &str) -> Option<Self> {
        (old.contains('.') && old != new).then(|| Self::Dotted { old: old.to_owned(), new: new.to_owned() })
    }

    /// The ways in which the path of what moves is written: whole, and the ends of it that no other file has, as far as
    /// what stands before them stays as it is.
    pub(crate) fn paths(session: &Session, relocation: &Relocation) -> Vec<Self> {
        let (root, needles) = (session.root(), mentions::needles(session.disk(), relocation));
        let relative = |path: &AbsPath| path.relative_to(root).map(|path| path.to_string());
        let (Some(from), Some(to)) = (relative(&relocation.from), relative(&relocation.to)) else { return Vec::new() };
        let of = |needle: String| {
            let end = if needle.ends_with('/') { "/" } else { "" };
            let head = format!("{from}{end}").strip_suffix(&needle)?.to_owned();
            let new = format!("{to}{end}").strip_prefix(&head)?.to_owned();
            let of = relocation.from.clone();
            (new != needle).then_some(Self::Path { of, old: needle, new })
        };
        needles.into_iter().filter_map(of).collect()
    }

    fn old(&self) -> &str {
        let (Self::Dotted { old, .. } | Self::Path { old, .. }) = self;
        old
    }

    /// Returns the edits that a file takes.
    fn edits(&self, file: &AbsPath, text: &str) -> Vec<TextEdit> {
        let (Self::Dotted { old, new } | Self::Path { old, new, .. }) = self;
        let spans = memmem::find_iter(text.as_bytes(), old).map(|start| Span::new(start, start + old.len()));
        let is_it = |span: &Span| match self {
            Self::Dotted { .. } => is_whole_name(text, *span),
            Self::Path { of, .. } => mentions::is_whole(text, *span) && leads_to(of, file, text, *span),
        };
        spans.filter(is_it).map(|span| TextEdit::new(span, new.as_str())).collect()
    }
}

/// Rewrites what is spelled in another way after a plan, wherever the plan does not change it already, and tells of it, a
/// warning for each file. What it rewrites is no longer told as something that stays.
pub(crate) fn rewrite(session: &Session, respelled: &[Respelled], parts: &mut Parts) {
    for Spelled { path, text, edits } in spelled(session, respelled, parts) {
        let spans: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
        let ranges: Vec<Range> = spans.iter().filter_map(|span| text.range(*span)).collect();
        let holds = |outer: &Range, inner: Range| outer.start <= inner.start && inner.end <= outer.end;
        let is_done = |warning: &Warning| {
            let is_here = warning.kind == WarningKind::Mentioned && warning.path.as_ref() == Some(&path);
            is_here && warning.range.is_some_and(|range| ranges.iter().any(|outer| holds(outer, range)))
        };
        parts.warnings.retain(|warning| !is_done(warning));
        let message = "edited outside of code, which no server has confirmed";
        parts.warnings.push(Warning::at_lines(WarningKind::CommentEdited, message, path.clone(), (&text, &spans)));
        let (_, all) = parts.edits.entry(path).or_insert_with(|| (Arc::clone(&text), Vec::new()));
        all.extend(edits);
    }
}

/// Tells of what is spelled in another way after a plan, and stays: a warning for each file that the plan says nothing of.
pub(crate) fn tell(session: &Session, respelled: &[Respelled], parts: &mut Parts) {
    for Spelled { path, text, edits } in spelled(session, respelled, parts) {
        let spans: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
        let old = spans[0].of(text.as_str()).unwrap_or_default();
        let message = format!("`{old}` is mentioned here");
        if !parts.warnings.iter().any(|it| it.kind == WarningKind::Mentioned && it.path.as_ref() == Some(&path)) {
            parts.warnings.push(Warning::at_lines(WarningKind::Mentioned, message, path, (&text, &spans)));
        }
    }
}

/// A file that spells something in another way after a plan: one place at least.
struct Spelled {
    path: AbsPath,
    text: Arc<Text>,
    edits: Vec<TextEdit>,
}

/// Finds documents and comments that spell it so, wherever the plan does not change them already.
fn spelled(session: &Session, respelled: &[Respelled], parts: &Parts) -> Vec<Spelled> {
    let words = respelled.iter().map(|one| mentions::longest_word(one.old()));
    let mut files: BTreeSet<AbsPath> = words.flat_map(|word| session.disk().files_mentioning(word)).collect();
    files.retain(|path| !is_history(path) && !is_written_by_programs(path) && !parts.deletes.contains_key(path));
    let mut found = Vec::new();
    for path in files {
        let parsed = session.parsed(&path).ok().flatten();
        let told = match (&parsed, is_document(&path)) {
            (_, true) => None,
            (Some(parsed), false) => Some(comments(parsed)),
            (None, false) => continue,
        };
        let Ok(text) = session.disk().read(&path) else { continue };
        let taken = parts.edits.get(&path).map_or_else(Vec::new, |(_, edits)| edits.clone());
        let may_be = |span: Span| {
            told.as_ref().is_none_or(|told| told.iter().any(|one| one.contains(span)))
                && !taken.iter().any(|edit| edit.span.overlaps(span))
        };
        let mut edits: Vec<TextEdit> = respelled.iter().flat_map(|one| one.edits(&path, text.as_str())).collect();
        edits.retain(|edit| may_be(edit.span));
        // Of what begins at one place, the longest is meant.
        edits.sort_by_key(|edit| (edit.span.start, std::cmp::Reverse(edit.span.end)));
        edits.dedup_by(|later, kept| later.span.start < kept.span.end);
        found.extend((!edits.is_empty()).then_some(Spelled { path, text, edits }));
    }
    found
}

/// Tells whether a path that is written in a file is that of something: what stands before it there, as `./` and `../` do,
/// leads from the file's own directory to it.
fn leads_to(of: &AbsPath, file: &AbsPath, text: &str, span: Span) -> bool {
    let before = &text[..span.start];
    let steps = &before[before.trim_end_matches(['.', '/']).len()..];
    let written = format!("{steps}{}", span.of(text).unwrap_or_default());
    steps.is_empty()
        || steps.starts_with('.')
            && file.parent().and_then(|directory| directory.join(written.trim_end_matches('/')).ok()).as_ref()
                == Some(of)
}

/// Tells whether a dotted name stands for itself, no regular expression and no variable of a template; a member may follow.
fn is_whole_name(text: &str, span: Span) -> bool {
    is_bounded(text, span) && !text[..span.start].ends_with('$') && !text[span.end..].starts_with(['$', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextEdits;

    fn rewritten(one: &Respelled, text: &str) -> String {
        let edits = one.edits(&AbsPath::new("/project/docs/a.md").unwrap(), text);
        TextEdits::new(edits).unwrap().apply(text)
    }

    #[test]
    fn only_whole_names_are_rewritten() {
        let dotted = Respelled::dotted("shop.order", "shop.orders").unwrap();
        let text =
            "`shop.order`, shop.order.total, ~shop.order; my.shop.order, shop.ordered, shop.order.py, shop.order-x";
        let new =
            "`shop.orders`, shop.orders.total, ~shop.orders; my.shop.order, shop.ordered, shop.order.py, shop.order-x";
        assert_eq!(rewritten(&dotted, text), new);
        assert_eq!(Respelled::dotted("order", "orders"), None);
    }

    #[test]
    fn an_end_of_another_path_stays() {
        let of = AbsPath::new("/project/shop/order.py").unwrap();
        let path = Respelled::Path { of, old: "shop/order.py".to_owned(), new: "shop/orders.py".to_owned() };
        let text =
            "shop/order.py, ../shop/order.py; ./shop/order.py, old/shop/order.py, /shop/order.py, shop/order.pyi";
        let new =
            "shop/orders.py, ../shop/orders.py; ./shop/order.py, old/shop/order.py, /shop/order.py, shop/order.pyi";
        assert_eq!(rewritten(&path, text), new);
    }
}
