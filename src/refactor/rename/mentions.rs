//! The places that keep the old name, told rather than passed over.

use std::collections::BTreeMap;

use super::subject::{Subject, is_inside_function};
use super::{Aliases, overlaps_any, possible, sorted};
use crate::plan::{Parts, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{DeclarationKind, Family, Site, site, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit};
use crate::workspace::Disk;

/// At most so many files are named one by one; the rest is counted.
const FILES: usize = 20;
/// At most so many files are parsed, to tell a mention from another thing of that name.
const PARSED: usize = 60;
/// So many files are looked into for declarations.
const TELLING: usize = 8;
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

/// Lists what the text shows and no server changes: uses of values that no type is known of, then strings, comments,
/// documentation. One warning for each file and kind. A name that stands for itself elsewhere (another variable of that
/// name) is no mention, nor is the member of a value that the server knows to be of another type.
pub(super) async fn list(
    session: &Session,
    (subject, aliases): (&Subject, Aliases),
    parts: &Parts,
    mut mentions: Mentions,
) -> Result<Vec<Warning>, Refusal> {
    let reach = Reach::of(session, subject, parts);
    if subject.is_local() && (reach != Reach::Function || parts.edits.len() > 1) {
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
        if parsed > PARSED {
            found.insert((Nearness::Prose, path), left);
            continue;
        }
        for (nearness, span) in weigh(session, (subject, reach), &path, left) {
            found.entry((nearness, path.clone())).or_default().push(span);
        }
    }
    let found = possible::without_others(session, (subject, aliases), parts, found).await?;
    let rest = found.len().saturating_sub(FILES);
    let mut warnings: Vec<Warning> =
        found.iter().take(FILES).filter_map(|one| warning(session, subject, one)).collect();
    if rest > 0 {
        let message = format!("`{}` also stands in {rest} more files that are not changed there", subject.name);
        warnings.push(Warning::of_plan(WarningKind::Mentioned, message));
    }
    Ok(warnings)
}

/// From where the renamed thing can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Its function alone.
    Function,
    /// Its function, and callers by the names of arguments.
    Callers,
    Anywhere,
}

impl Reach {
    /// Reads it off the first declaration that the plan renames in each file; a few files tell it.
    fn of(session: &Session, subject: &Subject, parts: &Parts) -> Self {
        let own = std::iter::once(&subject.place.path);
        let others = parts.edits.keys().filter(|path| **path != subject.place.path);
        let declared = own.chain(others).take(TELLING).filter_map(|path| Self::in_file(session, parts, path));
        declared.max().unwrap_or(Self::Anywhere)
    }

    fn in_file(session: &Session, parts: &Parts, path: &AbsPath) -> Option<Self> {
        let (parsed, edits) = (session.parsed(path).ok()??, &parts.edits.get(path)?.1);
        sorted(edits).into_iter().find_map(|span| match site(&parsed.tree, parsed.text.as_str(), span) {
            Site::Declaration(DeclarationKind::Parameter) => Some(Self::Callers),
            Site::Declaration(DeclarationKind::TypeParameter | DeclarationKind::Label) => Some(Self::Function),
            Site::Declaration(DeclarationKind::Variable | DeclarationKind::Constant)
                if is_inside_function(&parsed.tree, span) =>
            {
                Some(Self::Function)
            }
            Site::Declaration(_) => Some(Self::Anywhere),
            _ => None,
        })
    }
}

/// Where the name was found, the most telling places first: uses of unknown values, strings and comments in sources of the
/// name's language, all else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    Use,
    Code,
    Prose,
}

/// The places by what they are and by file.
pub(super) type Found = BTreeMap<(Nearness, AbsPath), Vec<Span>>;

fn left_over(mut spans: Vec<Span>, edits: &[TextEdit]) -> Vec<Span> {
    let edited = sorted(edits);
    spans.retain(|span| !overlaps_any(&edited, *span));
    spans
}

/// Keeps the places that could mean the renamed thing, and tells what they are.
fn weigh(
    session: &Session,
    (subject, reach): (&Subject, Reach),
    path: &AbsPath,
    mut spans: Vec<Span>,
) -> Vec<(Nearness, Span)> {
    // Of what cannot leave its function only the names of arguments stand elsewhere.
    let is_beyond = reach != Reach::Anywhere && *path != subject.place.path;
    let Ok(Some(file)) = session.parsed(path) else {
        let prose = spans.into_iter().filter(|_| !is_beyond);
        return prose.map(|span| (Nearness::Prose, span)).collect();
    };
    let (tree, family) = (&file.tree, file.tree.language().family());
    let is_near = family == subject.language.family();
    let nearness = if is_near { Nearness::Code } else { Nearness::Prose };
    // A file that has changed since is not worth a thought: all is asked again.
    spans.retain(|span| span.of(file.text.as_str()) == Some(&subject.name));
    let of = |span: Span| match site(tree, file.text.as_str(), span) {
        Site::KeywordArgument if reach != Reach::Function => Some(if is_near { Nearness::Use } else { nearness }),
        Site::Member if reach == Reach::Anywhere => Some(if is_near { Nearness::Use } else { nearness }),
        Site::KeywordArgument | Site::Member => None,
        _ if is_beyond => None,
        Site::String | Site::Comment => Some(nearness),
        _ if family == Family::Data || tree.nodes().covering(span).ancestors().count() > FATHOMED => Some(nearness),
        _ => None,
    };
    spans.into_iter().filter_map(|span| Some((of(span)?, span))).collect()
}

fn warning(session: &Session, subject: &Subject, found: (&(Nearness, AbsPath), &Vec<Span>)) -> Option<Warning> {
    let ((nearness, path), spans) = found;
    let text = session.disk().read(path).ok()?;
    let (first, name, lines) = (text.range(*spans.first()?), &subject.name, lines(&text, spans));
    let (kind, message) = match nearness {
        Nearness::Use if matches!(subject.language.family(), Family::Python | Family::Script) => (
            WarningKind::PossibleUse,
            format!("`{name}` may be used here and is not changed: no type is known there ({lines})"),
        ),
        _ => (WarningKind::Mentioned, format!("`{name}` is mentioned here and not changed ({lines})")),
    };
    Some(Warning::at(kind, message, path.clone(), first))
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
