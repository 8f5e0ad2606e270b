//! The class that a caller names by a parameter.

use super::{Class, ClassHierarchy, LocatedClass};
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::target::last_name;

/// Finds the class that is meant: of a file or imported there, or by a target in another one.
pub(crate) async fn given_class(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    code: &Code,
    given: &str,
) -> Result<LocatedClass, Refusal> {
    let last = last_name(given);
    let path = given.strip_suffix(last).unwrap_or_default().trim_end_matches([':', '#']);
    let none =
        || Refusal::NotPossible(format!("there is no class `{given}`: write a class of the file, or `path::Class`"));
    if path.is_empty() {
        if let Some(class) = Class::called(code, last) {
            return kin.itself(&class);
        }
        // A name that the file imports.
        let names = ScopedNames::of(code);
        let spans = code.parsed().tree.identifiers_named(code.text(), last);
        let binding = spans.into_iter().find(|span| names.at(code.covering(*span)).is_some_and(|it| it.is_binding));
        let offset = binding.ok_or_else(none)?.start;
        let found = kin.declared(&Place { path: code.path.clone(), offset }).await?;
        return found.filter(|it| kin.is_own(it)).ok_or_else(none);
    }
    let path = session.disk().contain(&session.root().join(path).map_err(|_| none())?)?;
    let other = Code::read(session, &path)?;
    let class = Class::called(&other, last).ok_or_else(none)?;
    kin.itself(&class)
}
