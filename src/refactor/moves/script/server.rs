//! The language server's answer about a move, and what of it is taken.

use std::collections::BTreeMap;

use super::analysis::{Analysis, analyse, both_worlds, candidates};
use super::imports::Obstacle;
use super::listing::{Listing, Moved};
use crate::lsp::{Edits, Feature};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::{Changes, Relocation, server_moves};
use crate::refactor::refusal::listed;
use crate::session::{Session, Sources};
use crate::syntax::{Family, Language};
use crate::text::{AbsPath, Span, Text, TextEdit, quoted};

/// What scripts and configurations need, and the specifiers that are known to be right as they are.
pub(in crate::refactor::moves) struct ScriptChanges {
    pub changes: Changes,
    pub settled: BTreeMap<AbsPath, Vec<Span>>,
}

/// Plans what scripts and configurations need. The server is asked while the texts are read; where both
/// know a specifier, the texts decide, and the server completes what they do not explain.
///
/// # Errors
/// Where a specifier has no right text after the move, and where the server fails.
pub(in crate::refactor::moves) async fn changes(
    session: &Session,
    relocation: &Relocation,
) -> Result<ScriptChanges, Refusal> {
    let (sources, wanted) = (session.sources().clone(), relocation.clone());
    // Begun when the question is on its way.
    let reading = async { tokio::task::spawn_blocking(move || analyse(&sources, &wanted)).await };
    let (answer, read) = tokio::join!(ask(session, relocation), reading);
    let left_project = || Refusal::CannotMove(format!("`{}` leaves the project", relocation.to));
    let Some(mut analysis) = read.ok().flatten() else { return Err(left_project()) };
    refuse_obstacles(&analysis)?;
    let (edits, warnings) = answer?;
    analysis.changes.warnings.extend(warnings);
    let unexplained = unexplained(&analysis, edits);
    if !unexplained.is_empty() {
        let verdict = judge(session.sources(), relocation, unexplained);
        analysis.changes.merge(verdict);
    }
    Ok(ScriptChanges { changes: analysis.changes, settled: analysis.settled })
}

/// Asks the server about the whole move at once, when every file that may import what moves is loaded.
async fn ask(session: &Session, relocation: &Relocation) -> Result<(Edits, Vec<Warning>), Refusal> {
    let Some(language) = asked_for(relocation) else { return Ok((Edits::new(), Vec::new())) };
    let server = session.server(language, Feature::WillRenameFiles).await?;
    session.cover(&server, &candidates(session.disk(), relocation)).await?;
    server_moves::ask(session, &server, relocation).await
}

/// Returns the language whose server is asked: none where no script moves.
fn asked_for(relocation: &Relocation) -> Option<Language> {
    let own = relocation.files.keys().filter(|path| !path.as_str().contains("node_modules"));
    let languages = own.filter_map(Language::of_path).filter(|language| language.family() == Family::Script);
    languages.min()
}

fn refuse_obstacles(analysis: &Analysis) -> Result<(), Refusal> {
    if analysis.obstacles.is_empty() {
        return Ok(());
    }
    let told = |one: &Obstacle| format!("`{}` in `{}`: {}", one.specifier, one.file, one.reason);
    Err(Refusal::CannotMove(listed(analysis.obstacles.iter().map(told))))
}

/// Returns the server's edits of scripts at places that the texts do not explain. Its edits of project files
/// are left out: tsserver (6.0.3) drops the `./` of `paths` and appends paths to `include` (TS5090).
fn unexplained(analysis: &Analysis, edits: Edits) -> BTreeMap<AbsPath, Vec<TextEdit>> {
    let mut left = BTreeMap::new();
    for (path, edits) in edits {
        if path.extension() == "json" {
            continue;
        }
        let settled = analysis.settled.get(&path).map_or(&[][..], Vec::as_slice);
        let ours = analysis.changes.edits.get(&path).map_or(&[][..], Vec::as_slice);
        let is_explained = |edit: &TextEdit| {
            settled.iter().any(|span| span.overlaps(edit.span)) || ours.iter().any(|own| own.span.overlaps(edit.span))
        };
        let edits: Vec<TextEdit> = edits.into_iter().filter(|edit| !is_explained(edit)).collect();
        if !edits.is_empty() {
            left.insert(path, edits);
        }
    }
    left
}

/// Takes those of a server's edits whose new specifier names a file after the move, and remarks on the others.
fn judge(sources: &Sources, relocation: &Relocation, edits: BTreeMap<AbsPath, Vec<TextEdit>>) -> Changes {
    let (disk, mut changes) = (sources.disk(), Changes::default());
    let Some(moved) = Moved::new(relocation, disk.root()) else { return changes };
    let listing = Listing::new(sources, &moved);
    let (worlds, _) = both_worlds(&listing, &moved);
    for (path, edits) in edits {
        let (Some(importer), Ok(text)) = (path.relative_to(disk.root()), disk.read(&path)) else { continue };
        let importer = moved.after(&importer);
        for edit in edits {
            if worlds.after.resolve(&importer, edit.new_text.trim_matches(['\'', '"', '`'])).is_some() {
                changes.edits.entry(path.clone()).or_default().push(edit);
            } else {
                changes.warnings.push(not_taken(path.clone(), &edit, &text));
            }
        }
    }
    changes
}

/// A remark about an edit of the server that is not taken.
fn not_taken(path: AbsPath, edit: &TextEdit, text: &Text) -> Warning {
    let old = edit.span.of(text.as_str()).unwrap_or_default();
    let (new, old) = (quoted(&edit.new_text), quoted(old));
    let message = format!("the language server would write {new} for {old}, which names no file");
    Warning::at(WarningKind::Mentioned, message, path, text.range(edit.span))
}
