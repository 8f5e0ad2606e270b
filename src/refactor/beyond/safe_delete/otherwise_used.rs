//! Who uses a declaration without a reference to it: decorators, bases that know their heirs, what is named in a string or in a
//! file of settings, what a framework finds by the way that it is called.

use super::gone::{Gone, holds};
use crate::lsp::Place;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::class_identity::is_told_of_heirs;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass};
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::doubts::{doubt, doubt_in};
use crate::refactor::rename::{self, Conflicts, RenameRequest};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::syntax::{Family, Node, Site, site};
use crate::text::{AbsPath, Span};

/// Decorators that hand a function or class to nobody.
const SILENT: &[&str] = &[
    "abstractmethod",
    "asynccontextmanager",
    "cache",
    "cached_property",
    "classmethod",
    "contextmanager",
    "dataclass",
    "deleter",
    "deprecated",
    "final",
    "fixture",
    "getter",
    "lru_cache",
    "overload",
    "override",
    "property",
    "runtime_checkable",
    "setter",
    "staticmethod",
    "total_ordering",
    "wraps",
];

/// What JavaScript itself asks objects for.
const ASKED_BY_LANGUAGE: &[&str] = &["then", "toJSON", "toLocaleString", "toString", "valueOf"];

/// Doubts each of them.
///
/// # Errors
/// The doubts, unless they are overruled.
pub(super) async fn otherwise_used(
    session: &Session,
    (code, name): (&Code, Span),
    uses: &Uses,
    gone: &[Gone<'_>],
) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for one in gone {
        for mark in one.decorators().into_iter().filter(|mark| !is_silent(one.code, *mark)) {
            let said = mark.text(one.code.text());
            warnings.push(doubt(one.code, mark.span(), format!("`{said}` may hand `{}` to others", uses.name))?);
        }
    }
    if code.family() == Family::Script && ASKED_BY_LANGUAGE.contains(&uses.name.as_str()) {
        let is_member = gone.iter().any(|one| one.statement.parent().is_some_and(|it| it.is("class_body")));
        let reason = format!("the language itself asks objects for `{}`", uses.name);
        warnings.extend(is_member.then(|| doubt(code, name, reason)).transpose()?);
    }
    warnings.extend(known_by_bases(session, (code, name), gone).await?);
    warnings.extend(named(session, (code, name), uses, gone).await?);
    Ok(warnings)
}

/// Tells whether a decorator is known to hand what it decorates to nobody. A fixture that is used without being asked for is
/// none of those.
fn is_silent(code: &Code, mark: Node<'_>) -> bool {
    let said = mark.text(code.text()).trim_start_matches('@');
    let (called, arguments) = said.split_once('(').unwrap_or((said, ""));
    let last = called.rsplit('.').next().unwrap_or(called).trim();
    code.family() == Family::Python && SILENT.contains(&last) && !arguments.contains("autouse=True")
}

/// Doubts a class whose bases are told of their heirs: `__init_subclass__`, a metaclass, `Base.__subclasses__()`.
async fn known_by_bases(
    session: &Session,
    (code, name): (&Code, Span),
    gone: &[Gone<'_>],
) -> Result<Option<Warning>, Refusal> {
    let class = gone.first().and_then(|one| Class::named_at(one.code, name.start));
    let Some(class) = class.filter(|_| code.family() == Family::Python) else { return Ok(None) };
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let (above, _) = kin.ancestors(&class).await?;
    for base in above.iter().map(LocatedClass::class) {
        if is_told_of_heirs(session, base.code, base.node) {
            let reason = format!("`{}` is told of the classes below it", base.name());
            return doubt(code, name, reason).map(Some);
        }
    }
    Ok(None)
}

/// Doubts what a rename would change besides the uses, and tells what it would tell of.
async fn named(
    session: &Session,
    (code, name): (&Code, Span),
    uses: &Uses,
    gone: &[Gone<'_>],
) -> Result<Vec<Warning>, Refusal> {
    let place = Place { path: code.path.clone(), offset: name.start };
    // What is found by how its name begins is no longer found by this one.
    let bare = uses.name.trim_start_matches('#');
    let other = format!("{}gone_{}", &uses.name[..uses.name.len() - bare.len()], bare.trim_start_matches('_'));
    let request = RenameRequest { conflicts: Conflicts::Force, ..RenameRequest::new(place, other) };
    let plan = match rename::plan(session, &request).await {
        Ok(plan) => plan,
        Err(refusal) if refusal.is_failure() => return Err(refusal),
        // What cannot be renamed has been asked for its uses all the same.
        Err(_) => return Ok(Vec::new()),
    };
    let mut warnings = Vec::new();
    for (path, file) in plan.edits() {
        // Lists of what modules hand out are changed, too.
        let parsed = session.parsed(path)?.filter(|_| code.family() == Family::Python);
        let listed = parsed.map(|parsed| dunder_all(&parsed.tree, parsed.text.as_str())).unwrap_or_default();
        for edit in file.edits.iter().filter(|edit| !listed.iter().any(|(_, span)| edit.span.overlaps(*span))) {
            let known = uses.files.get(path).into_iter().flat_map(|file| &file.uses);
            let mut known = known.filter(|one| one.kind != UseKind::Text);
            let is_use = known.any(|one| one.span.contains(edit.span) || edit.span.contains(one.span));
            if is_use || holds(gone, path, edit.span) {
                continue;
            }
            if is_in_comment(session, path, edit.span)? {
                let message = format!("`{}` is named in this comment, which is not changed", uses.name);
                let range = file.before.range(edit.span);
                warnings.push(Warning::at(WarningKind::Mentioned, message, path.clone(), range));
                continue;
            }
            let shown = path.shown_from(session.root());
            let reason = format!("`{}` is named here", uses.name);
            warnings.push(doubt_in((path, &shown, &file.before), edit.span, reason)?);
        }
    }
    let tells = |it: &&Warning| matches!(it.kind, WarningKind::PossibleUse | WarningKind::RunTime);
    warnings.extend(plan.warnings().iter().filter(tells).cloned());
    Ok(warnings)
}

/// Tells whether a place lies in a comment: `{@link total}`.
fn is_in_comment(session: &Session, path: &AbsPath, span: Span) -> Result<bool, Refusal> {
    let parsed = session.parsed(path)?;
    Ok(parsed.is_some_and(|it| site(&it.tree, it.text.as_str(), span) == Site::Comment))
}
