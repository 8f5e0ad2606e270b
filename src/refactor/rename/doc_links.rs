//! Links in the comments of scripts (`{@link Order}`) to what their files do not import. tsserver follows those that it can
//! resolve; tools that make documentation find the rest by the name alone.

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::Place;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{DeclarationKind, Family, doc_links};
use crate::text::{AbsPath, Span, TextEdit};

/// Renames in links where nothing else of the project can be meant, and tells of them.
pub(super) fn follow(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    start: &Place,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let Some(parsed) = session.parsed(&start.path)? else { return Ok(()) };
    let all = parsed.declarations();
    let Some(own) = all.iter().find(|one| one.name_span.start == start.offset) else { return Ok(()) };
    // `Order`, or `Order.total`.
    let wanted = match (own.path.as_slice(), own.kind) {
        ([_], _) | ([_, _], DeclarationKind::Method | DeclarationKind::Property) => own.path.clone(),
        _ => return Ok(()),
    };
    if declaring(session, &wanted[0])? != [start.path.clone()] {
        return Ok(());
    }
    for path in scripts(session, &subject.name) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let reads = |words: &[Span]| {
            words.len() >= wanted.len() && words.iter().zip(&wanted).all(|(word, name)| word.of(text) == Some(name))
        };
        let links = doc_links(parsed.tree.nodes(), text).into_iter().filter(|link| reads(&link.words));
        let named = links.map(|link| link.words[wanted.len() - 1]).filter(|span| !gathered.has(&path, *span));
        let spans: Vec<Span> = named.collect();
        if spans.is_empty() || binds(&parsed, &wanted[0]) {
            continue;
        }
        let message = "edited in links of comments, which nothing resolves but the name".to_owned();
        let warning = Warning::at(WarningKind::CommentEdited, message, path.clone(), parsed.text.range(spans[0]));
        gathered.warnings.push(warning.standing_for(spans.len()));
        for span in spans {
            gathered.add(path.clone(), TextEdit::new(span, request.new_name.clone()), &request.new_name);
        }
    }
    Ok(())
}

fn scripts(session: &Session, name: &str) -> Vec<AbsPath> {
    let mut files = session.disk().files_mentioning(name);
    files.retain(|path| {
        let language = crate::syntax::Language::of_path(path);
        language.is_some_and(|it| it.family() == Family::Script)
    });
    files
}

/// Returns the files that declare a name outside of everything else.
fn declaring(session: &Session, name: &str) -> Result<Vec<AbsPath>, Refusal> {
    let mut found = Vec::new();
    for path in scripts(session, name) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let mut all = parsed.declarations().iter();
        if all.any(|one| one.path.len() == 1 && one.name == name) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Tells whether a file knows a name by itself: then tsserver knows what its links mean.
fn binds(parsed: &Parsed, name: &str) -> bool {
    let text = parsed.text.as_str();
    let names = parsed.names();
    names.iter().any(|it| it.is_binding && it.scope == 0 && it.span.of(text) == Some(name))
}
