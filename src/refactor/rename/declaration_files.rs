//! Declaration files that a package publishes beside its JavaScript: a name is declared there once more.
//!
//! tsserver reads such a file in the place of the script, so that its rename of the one never reaches the other
//! (seen with TypeScript 5.9 and 6.0). Where both hand the name out under one path, the rename goes on at the other;
//! what is left is told.

mod names;
mod package;

use std::collections::BTreeSet;

use self::names::{Form, Public, declared, handed_out};
pub(crate) use self::package::is_declaration_file;
pub(super) use self::package::pairs;
use self::package::{counterparts, is_script};
use super::server_edits::Gathered;
use super::subject::Subject;
use super::{Aliases, RenameRequest};
use crate::lsp::Place;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{Family, Language};
use crate::text::{AbsPath, Span, TextEdit, line_list};

/// Finds what the other side of a changed script or declaration file calls by the same path. A shorthand whose
/// variable keeps its name is written out at once; all else is returned, to be asked for.
pub(super) fn twins(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &mut Gathered,
) -> Result<Vec<Place>, Refusal> {
    let mut twins = Vec::new();
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        if !is_script(&path) && !is_declaration_file(&path) {
            continue;
        }
        let others = counterparts(session, &path);
        let changed =
            if others.is_empty() { BTreeSet::new() } else { changed(session, subject, request, (&path, gathered))? };
        if changed.is_empty() {
            continue;
        }
        for other in others {
            for public in publics(session, &other, &subject.name)? {
                if !changed.contains(&public.path) || gathered.has(&other, public.span) {
                    continue;
                }
                if public.form == Form::Shorthand && request.aliases == Aliases::Keep {
                    let written = format!("{}: {}", request.new_name, subject.name);
                    gathered.add(other.clone(), TextEdit::new(public.span, written), &request.new_name);
                } else {
                    twins.push(Place { path: other.clone(), offset: public.span.start });
                }
            }
        }
    }
    Ok(twins)
}

/// Finds what the other side of a script or a declaration file hands out by the same path as what is handed out at one of
/// some places of the file (offsets).
pub(super) fn twins_of(
    session: &Session,
    (path, places): (&AbsPath, &BTreeSet<usize>),
    name: &str,
) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    let others = counterparts(session, path);
    if others.is_empty() {
        return Ok(found);
    }
    let own = publics(session, path, name)?.into_iter().filter(|one| places.contains(&one.span.start));
    let own: BTreeSet<Vec<String>> = own.map(|one| one.path).collect();
    for other in others {
        let same = publics(session, &other, name)?.into_iter().filter(|one| own.contains(&one.path));
        found.extend(same.map(|one| Place { path: other.clone(), offset: one.span.start }));
    }
    Ok(found)
}

/// The paths under which a file hands out what is renamed in it.
fn changed(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    (path, gathered): (&AbsPath, &Gathered),
) -> Result<BTreeSet<Vec<String>>, Refusal> {
    let edits = gathered.edits_of(path);
    // `area: other` keeps what is handed out, `other: area` does not.
    let written_out = format!("{}: {}", request.new_name, subject.name);
    let hands_out = |text: &str| text == request.new_name || text == written_out;
    let is_renamed = |span: Span| edits.iter().any(|edit| edit.span == span && hands_out(&edit.new_text));
    let publics = publics(session, path, &subject.name)?.into_iter();
    Ok(publics.filter(|public| is_renamed(public.span)).map(|public| public.path).collect())
}

fn publics(session: &Session, path: &AbsPath, name: &str) -> Result<Vec<Public>, Refusal> {
    let Some(file) = session.parsed(path)? else { return Ok(Vec::new()) };
    Ok(if is_declaration_file(path) { declared(&file, name) } else { handed_out(&file, name) })
}

/// Tells where the other side declares the name and is not changed: nothing proves that it is another one.
pub(super) fn told(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    let (mut in_scripts, mut in_declarations) = (false, false);
    for path in gathered.paths().filter(|path| is_script(path) || is_declaration_file(path)) {
        let is_changed = !changed(session, subject, request, (path, gathered))?.is_empty();
        in_scripts |= is_changed && is_script(path);
        in_declarations |= is_changed && is_declaration_file(path);
    }
    if in_scripts == in_declarations {
        return Ok(Vec::new());
    }
    let (is_other, how): (fn(&AbsPath) -> bool, &str) =
        if in_scripts { (is_declaration_file, "declared") } else { (is_script, "handed out") };
    let mut told = Vec::new();
    for path in session.disk().files_mentioning(&subject.name).into_iter().filter(is_other) {
        let spans: Vec<Span> = publics(session, &path, &subject.name)?.into_iter().map(|one| one.span).collect();
        told.extend(warning(session, subject, (&path, &spans), how)?);
    }
    Ok(told)
}

/// Tells where other scripts put a member of that name on what they import under the class's name: tsserver sees no
/// connection with it (`Object.assign(Shape.prototype, { area() {} })`).
pub(super) fn mixed_in(session: &Session, subject: &Subject, gathered: &Gathered) -> Result<Vec<Warning>, Refusal> {
    let mut owners = BTreeSet::new();
    for path in gathered.paths().filter(|path| Language::of_path(path).is_some_and(|it| it.family() == Family::Script))
    {
        let publics = publics(session, path, &subject.name)?.into_iter();
        owners.extend(publics.filter(|one| gathered.has(path, one.span)).filter_map(|one| one.owner));
    }
    let mut told = Vec::new();
    let files = if owners.is_empty() {
        Vec::new()
    } else {
        session.disk().files_mentioning(&format!("{} prototype", subject.name))
    };
    for path in files {
        let left = publics(session, &path, &subject.name)?.into_iter();
        let is_of = |one: &Public| one.owner.as_ref().is_some_and(|owner| owners.contains(owner));
        let Some(file) = session.parsed(&path)? else { continue };
        let left = left.filter(|one| one.form != Form::Declared && is_of(one) && is_on_prototype(&file, one.span));
        let spans: Vec<Span> = left.map(|one| one.span).filter(|span| !gathered.has(&path, *span)).collect();
        told.extend(warning(session, subject, (&path, &spans), "put on a prototype")?);
    }
    Ok(told)
}

/// Tells whether a member is put on a prototype: alone, or in a literal with others.
fn is_on_prototype(file: &Parsed, name: Span) -> bool {
    let object = file.tree.nodes().covering(name).parent().filter(|member| member.is("member_expression"));
    let object = object.and_then(|member| member.child("object"));
    object.is_none_or(|object| object.text(file.text.as_str()).ends_with(".prototype"))
}

fn warning(
    session: &Session,
    subject: &Subject,
    (path, spans): (&AbsPath, &[Span]),
    how: &str,
) -> Result<Option<Warning>, Refusal> {
    let Some(first) = spans.first() else { return Ok(None) };
    let text = session.disk().read(path)?;
    let message = format!("`{}` is {how} here, too, and is not changed ({})", subject.name, line_list(&text, spans));
    Ok(Some(Warning::at(WarningKind::PossibleUse, message, path.clone(), text.range(*first))))
}
