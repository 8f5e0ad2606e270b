//! What classes and modules have after a plan and had not before, or the other way round: who asks for it by its name is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::new_names::{Changed, ChangedFiles, said};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class as ScriptClass;
use crate::refactor::rename::existence_checks::{Change, told as told_of};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::syntax::python::{AttributeKind, Class};
use crate::text::AbsPath;

/// Names with what becomes of them.
type Changes = BTreeMap<String, Change>;

/// Returns a warning for each file that asks whether there is a name that comes or goes.
pub(super) async fn told(session: &Session, files: &ChangedFiles<'_>) -> Result<Vec<Warning>, Refusal> {
    let (mut of_python, mut of_scripts) = (Changes::new(), Changes::new());
    for (path, file) in files {
        match file.before.tree.language().family() {
            Family::Python => in_python(path, file, &mut of_python),
            _ => in_script(session, (path, file), &mut of_scripts)?,
        }
    }
    let _turn = session.shared().await;
    let mut found = Vec::new();
    for (family, changes) in [(Family::Python, of_python), (Family::Script, of_scripts)] {
        for change in changes.values() {
            found.extend(told_of(session, family, change).await?);
        }
    }
    Ok(found)
}

fn in_python(path: &AbsPath, Changed { before, after }: &Changed, changes: &mut Changes) {
    let (had, has) = (said(before), said(after));
    for name in has.difference(&had) {
        entry(changes, name).modules.insert(path.clone());
    }
    for class in before.classes() {
        let Some(new) = after.classes().iter().find(|it| it.path == class.path) else { continue };
        let place = || (path.clone(), class.full_span);
        for (name, _) in new.members().filter(|(name, _)| class.member(name).is_none()) {
            let change = entry(changes, name);
            change.comes.insert(place());
            change.is_field = is_field(new, name);
        }
        for (name, _) in class.members().filter(|(name, _)| new.member(name).is_none()) {
            let change = entry(changes, name);
            change.leaves.insert(place());
            change.is_field = is_field(class, name);
        }
    }
}

fn in_script(session: &Session, (path, file): (&AbsPath, &Changed), changes: &mut Changes) -> Result<(), Refusal> {
    let before = Code::known(session, path)?;
    let after = before.with_parsed(Arc::clone(&file.after));
    for class in before.root().descendants().filter_map(|it| ScriptClass::of(&before, it)) {
        let Some(new) = ScriptClass::called(&after, class.name()) else { continue };
        let place = || (path.clone(), class.name.span());
        let names = |it: &ScriptClass<'_>| -> BTreeSet<String> {
            it.members().into_iter().map(|member| member.name.text(it.code.text()).to_owned()).collect()
        };
        let (had, has) = (names(&class), names(&new));
        for name in has.difference(&had) {
            entry(changes, name).comes.insert(place());
        }
        for name in had.difference(&has) {
            entry(changes, name).leaves.insert(place());
        }
    }
    Ok(())
}

fn entry<'c>(changes: &'c mut Changes, name: &str) -> &'c mut Change {
    changes.entry(name.to_owned()).or_insert_with(|| Change::of(name))
}

/// Tells whether a member is one of the objects alone.
fn is_field(class: &Class, name: &str) -> bool {
    let is_own = |(kind, _): &(AttributeKind, _)| *kind == AttributeKind::Own;
    class.attributes.iter().any(|it| it.name == name && it.places.iter().all(is_own))
}
