//! What code needs imported when it comes to stand in another file.

mod bindings;
mod cycle;
mod departures;
mod import;
mod leave;
mod python;
mod script;
mod star;

use std::collections::BTreeSet;

use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::page_scripts::share_names;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::Span;
use bindings::files;
use import::{Import, Module, stem};
use star::Starred;

pub(crate) use super::placement::with_imports;
pub(crate) use bindings::home;
pub(crate) use cycle::{check_apart, check_apart_at, is_in_circle, leads_to};
pub(crate) use departures::Departures;
pub(crate) use leave::{leave, leave_with, lose, may_offer, unneeded, without};
pub(crate) use python::module_seen_from;
pub(crate) use script::{as_value, export, export_word, handed_out, with_keys};

/// Pieces of one file that come to stand in another one.
pub(crate) struct MovedPieces<'a> {
    pub from: &'a Code,
    pub pieces: &'a [Span],
    pub to: &'a Code,
    /// ScopedNames that need nothing: they go along, or are known there in another way.
    pub given: &'a [&'a str],
}

/// Adds to `edits` the imports that the pieces need in the other file, and the exports that these need.
pub(crate) fn carry(session: &Session, carried: &MovedPieces<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    let MovedPieces { from, to, .. } = carried;
    if from.path == to.path || share_names(session, from, to) {
        return Ok(());
    }
    let (here, there) = (ScopedNames::with_spelled(from), ScopedNames::with_spelled(to));
    let mut seen = BTreeSet::new();
    let (mut lines, mut typed): (Vec<String>, Vec<String>) = Default::default();
    for span in carried.pieces {
        check_written(carried, *span, &here)?;
        for name in here.within(*span) {
            let text = name.span.of(from.text()).unwrap_or_default();
            let bindings: Vec<Name> = here.of_meaning(name.meaning).filter(|it| it.is_binding).collect();
            let is_own = bindings.iter().any(|it| carried.pieces.iter().any(|piece| piece.contains(it.span)));
            if is_own || carried.given.contains(&text) || !seen.insert(text) {
                continue;
            }
            let wanted = wanted(carried, (name, &bindings), session)?;
            let known = known(session, to, (&there, text))?;
            match (wanted, known) {
                (None, Known::Nothing) => {}
                (Some(wanted), Known::Import(known))
                    if is_same(session, to, (&wanted, &known))
                        && (!known.is_type || wanted.is_type || is_type_only(carried, &here, name)) => {}
                (Some(wanted), Known::Other)
                    if is_its_own(session, to, (&wanted, text)) && is_late(carried, &here, name) => {}
                (Some(wanted), Known::Nothing)
                    if wanted.is_type && from.family() == Family::Python && !is_used(to, text) =>
                {
                    check_lazy(carried, &here, name)?;
                    typed.push(python::written(&wanted, to));
                }
                (Some(wanted), Known::Nothing) if !is_used(to, text) => {
                    let is_type = wanted.is_type || is_type_only(carried, &here, name);
                    let checked = check_cycle(session, carried, (name, &wanted), is_type);
                    if checked.is_err() && is_spelled_only(carried, &here, name) {
                        typed.push(python::written(&wanted, to));
                        continue;
                    }
                    checked?;
                    lines.push(match from.family() {
                        Family::Python => python::written(&wanted, to),
                        _ => script::written(session, &Import { is_type, ..wanted.clone() }, (from, to)),
                    });
                    if wanted.module == Module::File(stem(&from.path)) && from.family() != Family::Python {
                        edits.add(from, script::export(from, text)?);
                    }
                }
                _ => {
                    let reason = format!("`{text}` refers to something else in `{}`", to.shown);
                    return Err(from.refuse(name.span.start, reason));
                }
            }
        }
    }
    if !lines.is_empty() {
        edits.import(to, lines);
    }
    edits.import_typed(to, typed);
    Ok(())
}

/// Refuses annotations that would be evaluated where the names in them are there for checkers alone.
fn check_lazy(carried: &MovedPieces<'_>, names: &ScopedNames<'_>, name: Name) -> Result<(), Refusal> {
    let MovedPieces { from, to, .. } = carried;
    if !from.postpones_annotations() || to.postpones_annotations() || is_spelled_only(carried, names, name) {
        return Ok(());
    }
    let text = name.span.of(from.text()).unwrap_or_default();
    let reason = format!("`{text}` is imported for type checkers alone: annotations are evaluated in `{}`", to.shown);
    Err(from.refuse(name.span.start, reason))
}

/// Tells whether a name stands in annotations alone that are written as strings.
fn is_spelled_only(carried: &MovedPieces<'_>, names: &ScopedNames<'_>, name: Name) -> bool {
    let inside = names.of_meaning(name.meaning).filter(|it| carried.pieces.iter().any(|piece| piece.contains(it.span)));
    let mut nodes = inside.map(|it| carried.from.covering(it.span));
    carried.from.family() == Family::Python && nodes.all(|node| !node.is("identifier"))
}

/// Tells whether an import, as it would be written in `to`, leads to what `to` declares itself.
fn is_its_own(session: &Session, to: &Code, (wanted, text): (&Import, &str)) -> bool {
    wanted.item.as_deref() == Some(text) && files(session, to, &wanted.module, None).pop().as_ref() == Some(&to.path)
}

/// Tells whether a name is asked for when a function is called, and not when what moves is made; or never, as a type.
fn is_late(carried: &MovedPieces<'_>, names: &ScopedNames<'_>, name: Name) -> bool {
    let MovedPieces { from, to, pieces, .. } = carried;
    let is_unread = |node: Node<'_>| {
        from.family() == Family::Python
            && (!node.is("identifier") || to.postpones_annotations() && node.ancestors().any(|it| it.is("type")))
    };
    let is_inside = |node: Node<'_>| {
        let bodies = node.ancestors().filter(|it| is_any_function(*it)).filter_map(|it| it.child("body"));
        bodies.into_iter().any(|body| body.holds(node) && pieces.iter().any(|piece| piece.contains(body.span())))
    };
    let mut moved = names.of_meaning(name.meaning).filter(|it| pieces.iter().any(|piece| piece.contains(it.span)));
    is_type_only(carried, names, name)
        || moved.all(|it| is_unread(from.covering(it.span)) || is_inside(from.covering(it.span)))
}

/// Tells whether two imports, one of them in `to`, the other as it would be written there, lead to the same.
fn is_same(session: &Session, to: &Code, (wanted, known): (&Import, &Import)) -> bool {
    let home = |import: &Import| files(session, to, &import.module, None).pop();
    let is_there = || home(wanted).is_some_and(|file| home(known) == Some(file));
    wanted.item == known.item && (wanted.module == known.module || wanted.item.is_some() && is_there())
}

/// Writes the import by which one file gets what another one declares; nothing where it knows that anyway.
pub(crate) fn line(session: &Session, from: &Code, to: &Code, name: &str) -> Option<String> {
    if share_names(session, from, to) {
        return None;
    }
    let (item, bound) = (Some(name.to_owned()), name.to_owned());
    Some(match from.family() {
        Family::Python => {
            let module = Module::Named(module_seen_from(session, &from.path, to));
            python::written(&Import { module, item, bound, is_type: false }, to)
        }
        _ => script::written(
            session,
            &Import { module: Module::File(stem(&from.path)), item, bound, is_type: false },
            (from, to),
        ),
    })
}

/// The same of what is a type and nothing more in a script.
pub(crate) fn type_line(session: &Session, from: &Code, to: &Code, name: &str) -> Option<String> {
    let line = line(session, from, to, name)?;
    Some(if from.family() == Family::Python { line } else { line.replacen("import ", "import type ", 1) })
}

/// Who asks for what is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportReader {
    /// The program when it runs.
    Run,
    /// Type checkers alone.
    Typed,
}

/// Returns the import by which one file gets what a name means at module level in another one, and whether it is for type
/// checkers alone; nothing where it means nothing there.
pub(crate) fn of_module(
    session: &Session,
    (from, to): (&Code, &Code),
    text: &str,
    seen: ImportReader,
) -> Result<Option<(String, bool)>, Refusal> {
    let names = ScopedNames::of(from);
    let Some(name) = names.named(text).find(|it| it.is_binding && home(from, *it).is_none()) else { return Ok(None) };
    let bindings: Vec<Name> = names.of_meaning(name.meaning).filter(|it| it.is_binding).collect();
    let carried = MovedPieces { from, pieces: &[], to, given: &[] };
    let Some(wanted) = wanted(&carried, (name, &bindings), session)? else { return Ok(None) };
    if from.family() != Family::Python {
        check_cycle(session, &carried, (name, &wanted), wanted.is_type)?;
        return Ok(Some((script::written(session, &wanted, (from, to)), false)));
    }
    if wanted.is_type && seen == ImportReader::Run {
        return Err(from.refuse(name.span.start, format!("`{text}` is imported for type checkers alone")));
    }
    let checked = check_cycle(session, &carried, (name, &wanted), false);
    let is_type = wanted.is_type || seen == ImportReader::Typed && checked.is_err();
    if !is_type {
        checked?;
    }
    Ok(Some((python::written(&wanted, to), is_type)))
}

/// Tells whether two names of two files surely mean the same: both are built in, or imported alike.
pub(crate) fn are_alike(
    (one, names, name): (&Code, &ScopedNames<'_>, Name),
    (other, theirs, its): (&Code, &ScopedNames<'_>, Name),
) -> bool {
    let import = |code: &Code, names: &ScopedNames<'_>, name: Name| {
        let binding = names.of_meaning(name.meaning).find(|it| it.is_binding)?;
        import_at(code, binding)
    };
    let is_same_text = name.span.of(one.text()) == its.span.of(other.text());
    let imported = import(one, names, name);
    is_same_text
        && name.is_free == its.is_free
        && imported == import(other, theirs, its)
        && (name.is_free || imported.is_some())
}

/// Tells whether a name that a file of Python does not bind may come from an `import *`.
pub(crate) fn may_be_starred(session: &Session, code: &Code, name: &str) -> bool {
    code.family() == Family::Python && !matches!(star::given(session, code, name), Starred::Nothing)
}

/// Tells whether two bindings of two files import the same of one file, however it is written.
pub(crate) fn import_the_same(session: &Session, (one, name): (&Code, Name), (other, its): (&Code, Name)) -> bool {
    let (Some(own), Some(theirs)) = (import_at(one, name), import_at(other, its)) else { return false };
    let file = |code: &Code, import: &Import| files(session, code, &import.module, None).pop();
    own.item.is_some()
        && (own.item == theirs.item && own.is_type == theirs.is_type)
        && file(one, &own).is_some_and(|it| file(other, &theirs) == Some(it))
}

/// Tells whether a name is imported from a file under the name that it has there.
pub(crate) fn imports(session: &Session, user: &Code, binding: Name, from: &Code) -> bool {
    let is_plain = |it: &Import| it.item.as_ref() == Some(&it.bound) && !it.is_type;
    let Some(import) = import_at(user, binding).filter(is_plain) else { return false };
    files(session, user, &import.module, None).contains(&from.path)
}

/// Tells whether a name of a script is imported from a file under the name that it has there, as a type alone.
pub(crate) fn imports_type(session: &Session, user: &Code, binding: Name, from: &Code) -> bool {
    let is_plain = |it: &Import| it.item.as_ref() == Some(&it.bound) && it.is_type;
    let import = import_at(user, binding).filter(|it| is_plain(it) && user.family() != Family::Python);
    import.is_some_and(|import| files(session, user, &import.module, None).contains(&from.path))
}

/// Tells whether a file uses a name that it does not bind itself at module level: it is built in.
fn is_used(to: &Code, text: &str) -> bool {
    let names = ScopedNames::of(to);
    let spans = to.parsed().tree.identifiers_named(to.text(), text);
    spans.into_iter().filter_map(|span| names.at(to.covering(span))).any(|name| name.is_free)
}

/// What a name means in the other file.
enum Known {
    /// Nothing, or what the language gives everybody.
    Nothing,
    Import(Import),
    Other,
}

fn known(session: &Session, to: &Code, (names, text): (&ScopedNames<'_>, &str)) -> Result<Known, Refusal> {
    let spans = to.parsed().tree.identifiers_named(to.text(), text);
    let all: Vec<Name> = spans.into_iter().filter_map(|span| names.at(to.covering(span))).collect();
    let outer: Vec<Name> = all.iter().copied().filter(|it| it.is_binding && home(to, *it).is_none()).collect();
    if outer.is_empty() {
        let starred = all.iter().any(|it| it.is_free).then(|| star::given(session, to, text));
        return Ok(starred.and_then(Starred::import).map_or(Known::Nothing, Known::Import));
    }
    let [one] = outer.as_slice() else { return Ok(Known::Other) };
    let tried = || python::tried_at(to, to.covering(one.span)).filter(|_| to.family() == Family::Python);
    Ok(import_at(to, *one).or_else(tried).map_or(Known::Other, Known::Import))
}

/// Returns what a piece needs for one of its names; nothing for what the language gives everybody.
fn wanted(
    carried: &MovedPieces<'_>,
    (name, bindings): (Name, &[Name]),
    session: &Session,
) -> Result<Option<Import>, Refusal> {
    let from = carried.from;
    let text = name.span.of(from.text()).unwrap_or_default();
    let refuse = |reason: &str| Err(from.refuse(name.span.start, format!("`{text}` {reason}")));
    let [binding] = bindings else {
        return match bindings {
            [] => match star::given(session, from, text) {
                Starred::Nothing => Ok(None),
                Starred::Import(import) => Ok(Some(import)),
                Starred::Unknown => refuse("may come from an `import *`"),
            },
            _ => refuse("is given several meanings in its file"),
        };
    };
    if home(from, *binding).is_some() {
        return refuse("is not known outside");
    }
    if let Some(import) = import_at(from, *binding) {
        return Ok(Some(import));
    }
    let node = from.covering(binding.span);
    let is_import = node.ancestors().any(|outer| outer.kind().starts_with("import"));
    if is_import {
        return refuse("is imported in a way that cannot be repeated elsewhere");
    }
    let module = match from.family() {
        Family::Python => Module::Named(module_seen_from(session, &from.path, carried.to)),
        _ => Module::File(stem(&from.path)),
    };
    let item = Some(text.to_owned());
    Ok(Some(Import { module, item, bound: text.to_owned(), is_type: false }))
}

fn check_cycle(
    session: &Session,
    carried: &MovedPieces<'_>,
    (name, wanted): (Name, &Import),
    is_type: bool,
) -> Result<(), Refusal> {
    let MovedPieces { from, to, .. } = carried;
    if is_type && from.family() != Family::Python {
        return Ok(());
    }
    let text = name.span.of(from.text()).unwrap_or_default();
    let files = files(session, to, &wanted.module, wanted.item.as_deref());
    // The packages around have begun; what is taken from one of them need not be there yet.
    let mut loaded = files.iter().filter(|file| files.last() == Some(file) || !cycle::is_around(file, &to.path));
    // Modules of scripts that load each other go on to, as the one here loads the other already.
    if to.family() == Family::Script && files.last().is_some_and(|file| cycle::loads(session, to, file)) {
        return Ok(());
    }
    if loaded.any(|file| leads_to(session, file, &to.path)) {
        let reason = format!("`{text}` would have to be imported by `{}`, which its own module imports", to.shown);
        return Err(from.refuse(name.span.start, reason));
    }
    Ok(())
}

/// Tells whether a script uses a name in types alone.
fn is_type_only(carried: &MovedPieces<'_>, names: &ScopedNames<'_>, name: Name) -> bool {
    let inside = names.of_meaning(name.meaning).filter(|it| carried.pieces.iter().any(|piece| piece.contains(it.span)));
    carried.from.family() != Family::Python && are_types(carried.from, inside)
}

/// Tells whether names of a script stand for types alone. What a class with decorators names as a type may be asked for when
/// the program runs (TypeScript's `emitDecoratorMetadata`).
pub(crate) fn are_types(code: &Code, names: impl Iterator<Item = Name>) -> bool {
    let mut nodes = names.map(|it| code.covering(it.span));
    let is_decorated = |it: Node<'_>| it.descendants().any(|it| it.is("decorator"));
    let is_asked =
        |it: Node<'_>| it.is("class_heritage") || (is_class(it) || it.is("export_statement")) && is_decorated(it);
    nodes.all(|node| node.is("type_identifier") && !node.ancestors().any(is_asked))
}

/// Refuses annotations in strings that name what the other file does not know.
fn check_written(carried: &MovedPieces<'_>, piece: Span, names: &ScopedNames<'_>) -> Result<(), Refusal> {
    let from = carried.from;
    let strings = from.root().descendants().filter(|node| node.is("string") && piece.contains(node.span()));
    for string in strings.filter(|node| node.ancestors().any(|outer| outer.is("type"))) {
        let text = string.text(from.text());
        let words = text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
        let is_read = |word: &&str| names.within(string.span()).any(|it| it.span.of(from.text()) == Some(word));
        for word in words.filter(|word| !word.is_empty() && !carried.given.contains(word) && !is_read(word)) {
            if from.mentions(from.root(), word) && !carried.to.mentions(carried.to.root(), word) {
                let reason = format!("`{word}` in an annotation would mean nothing in `{}`", carried.to.shown);
                return Err(from.refuse(string.start(), reason));
            }
        }
    }
    Ok(())
}

fn import_at(code: &Code, binding: Name) -> Option<Import> {
    let node = code.covering(binding.span);
    match code.family() {
        Family::Python => python::import_at(code, node),
        _ => script::import_at(code, node),
    }
}

/// Returns what binds a name in a function or a class around one of some places, where it means something else then.
pub(crate) fn hiding(code: &Code, names: &ScopedNames<'_>, name: &str, places: &[Span]) -> Option<Name> {
    let is_around = |outer: Node<'_>| places.iter().any(|place| outer.span().contains(*place));
    let mut bindings = names.named(name).filter(|it| it.is_binding);
    bindings.find(|binding| home(code, *binding).is_some_and(is_around))
}
