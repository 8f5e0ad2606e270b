//! A type that is made known in a file: declared there, imported, or refused.

use super::required;
use super::required::home;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::syntax::scopes::Name;

/// Makes a type known in a file.
pub(crate) fn see(
    session: &Session,
    code: &Code,
    (home, name): (&Code, &str),
    edits: &mut Edits,
) -> Result<(), Refusal> {
    if code.path == home.path {
        return Ok(());
    }
    let names = ScopedNames::of(code);
    let bindings: Vec<_> = names.named(name).filter(|it| it.is_binding).collect();
    let is_imported =
        |one: &Name| required::imports(session, code, *one, home) || required::imports_type(session, code, *one, home);
    match bindings.as_slice() {
        [one] if self::home(code, *one).is_none() && is_imported(one) => return Ok(()),
        [] if !code.mentions(code.root(), name) => {}
        _ => return Err(Refusal::NotPossible(format!("`{name}` refers to something else in `{}`", code.shown))),
    }
    let is_python = code.family() == Family::Python;
    if is_python && required::leads_to(session, &home.path, &code.path) {
        let reason = format!("`{}` would have to import `{name}` from a module that imports it", code.shown);
        return Err(Refusal::NotPossible(reason));
    }
    let Some(line) = required::type_line(session, home, code, name) else { return Ok(()) };
    if !is_python {
        edits.add(home, required::export(home, name)?);
    }
    edits.import(code, [line]);
    Ok(())
}
