//! The places that keep the old name, told rather than passed over.

use std::collections::BTreeMap;

use super::subject::Subject;
use super::{overlaps_any, sorted};
use crate::plan::{Parts, Warning, WarningKind};
use crate::session::Session;
use crate::syntax::{Family, Site, site, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit};
use crate::workspace::Disk;

/// At most so many files are named one by one; the rest is counted.
const FILES: usize = 20;
/// At most so many files are parsed, to tell a mention from another thing of that name.
const PARSED: usize = 60;
/// Deeper than so many nodes, servers do not read on: pyright ends at 256, tsserver where its stack does.
const FATHOMED: usize = 250;
/// At most so many lines of a file are named.
const LINES: usize = 8;

/// Where a name stands, file by file.
pub(super) type Mentions = Vec<(AbsPath, Vec<Span>)>;

/// Finds every place where the name stands; of a name that cannot leave its file, those in that file. To be done while
/// a server looks for what it changes.
pub(super) async fn find(session: &Session, subject: &Subject) -> Mentions {
    let (disk, name) = (session.disk().clone(), subject.name.clone());
    let alone = subject.is_local().then(|| subject.place.path.clone());
    let read = move || places(&disk, alone.map_or_else(|| disk.files_mentioning(&name), |path| vec![path]), &name);
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

fn places(disk: &Disk, files: Vec<AbsPath>, name: &str) -> Mentions {
    let of = |path: AbsPath| disk.read(&path).ok().map(|text| (path, whole_words(text.as_str(), name)));
    files.into_iter().filter_map(of).collect()
}

/// Lists what the text shows and no server changes: members of receivers that no type is known of,
/// strings, comments, documentation. One warning for each file, those of the name's own language first.
/// A name that stands for itself elsewhere (another variable of that name) is no mention.
pub(super) fn list(session: &Session, subject: &Subject, parts: &Parts, mut mentions: Mentions) -> Vec<Warning> {
    if subject.is_local() && parts.edits.len() > 1 {
        mentions = places(session.disk(), session.disk().files_mentioning(&subject.name), &subject.name);
    }
    let mut found: BTreeMap<(Nearness, AbsPath), Vec<Span>> = BTreeMap::new();
    let mut parsed = 0;
    for (path, spans) in mentions {
        let left = left_over(spans, parts.edits.get(&path).map_or(&[], |(_, edits)| edits));
        if left.is_empty() {
            continue;
        }
        parsed += 1;
        let (nearness, spans) =
            if parsed <= PARSED { weigh(session, subject, &path, left) } else { (Nearness::Code, left) };
        if !spans.is_empty() {
            found.insert((nearness, path), spans);
        }
    }
    let rest = found.len().saturating_sub(FILES);
    let mut warnings: Vec<Warning> =
        found.iter().take(FILES).filter_map(|((_, path), spans)| warning(session, subject, path, spans)).collect();
    if rest > 0 {
        let message = format!("`{}` also stands in {rest} more files that are not changed there", subject.name);
        warnings.push(Warning::of_plan(WarningKind::Mentioned, message));
    }
    warnings
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Code,
    Prose,
}

fn left_over(mut spans: Vec<Span>, edits: &[TextEdit]) -> Vec<Span> {
    let edited = sorted(edits);
    spans.retain(|span| !overlaps_any(&edited, *span));
    spans
}

/// Keeps the places that could mean the renamed thing, and tells whether they stand in its language.
fn weigh(session: &Session, subject: &Subject, path: &AbsPath, mut spans: Vec<Span>) -> (Nearness, Vec<Span>) {
    let Ok(Some(file)) = session.parsed(path) else { return (Nearness::Prose, spans) };
    let (tree, family) = (&file.tree, file.tree.language().family());
    // A file that has changed since is not worth a thought: all is asked again.
    spans.retain(|span| span.of(file.text.as_str()) == Some(&subject.name));
    spans.retain(|span| match site(tree, file.text.as_str(), *span) {
        Site::Member | Site::KeywordArgument => !subject.is_local(),
        Site::String | Site::Comment => true,
        _ => family == Family::Data || tree.nodes().covering(*span).ancestors().count() > FATHOMED,
    });
    let near = family == subject.language.family();
    (if near { Nearness::Code } else { Nearness::Prose }, spans)
}

fn warning(session: &Session, subject: &Subject, path: &AbsPath, spans: &[Span]) -> Option<Warning> {
    let text = session.disk().read(path).ok()?;
    let first = text.range(*spans.first()?);
    let message = format!("`{}` is mentioned here and not changed ({})", subject.name, lines(&text, spans));
    Some(Warning::at(WarningKind::Mentioned, message, path.clone(), first))
}

/// Names the lines of the spans, 1-based.
pub(super) fn lines(text: &Text, spans: &[Span]) -> String {
    let mut lines: Vec<u32> = spans.iter().filter_map(|span| text.position(span.start)).map(|at| at.line + 1).collect();
    lines.dedup();
    let shown: Vec<String> = lines.iter().take(LINES).map(u32::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let rest = lines.len().saturating_sub(LINES);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{word} {}{more}", shown.join(", "))
}
