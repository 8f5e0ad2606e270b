//! What `from module import *` gives a module of Python.

use super::bindings::{files, home};
use super::import::{Import, Module};
use super::python;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;

/// What a name that a module does not bind means by its stars.
pub(super) enum Starred {
    /// None of them gives it.
    Nothing,
    /// One does, as this import would.
    Import(Import),
    /// A star leads nowhere, stands under a condition, or is not the only one that gives it.
    Unknown,
}

impl Starred {
    pub(super) fn import(self) -> Option<Import> {
        match self {
            Self::Import(import) => Some(import),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// Looks a name up in the modules that a file takes all names of.
pub(super) fn given(session: &Session, code: &Code, text: &str) -> Starred {
    let mut found = Starred::Nothing;
    for star in code.root().descendants().filter(|node| node.is("wildcard_import")) {
        let Some((module, gives)) = read(session, code, star, text) else { return Starred::Unknown };
        if gives {
            let (item, bound) = (Some(text.to_owned()), text.to_owned());
            let import = Import { module, item, bound, is_type: false };
            found = match found {
                Starred::Nothing => Starred::Import(import),
                _ => return Starred::Unknown,
            };
        }
    }
    found
}

/// Returns the module of a star, and whether it gives a name.
fn read(session: &Session, code: &Code, star: Node<'_>, text: &str) -> Option<(Module, bool)> {
    let statement = star.parent().filter(|it| it.parent() == Some(code.root()))?;
    let module = statement.child("module_name")?.text(code.text());
    let module = match module.starts_with('.') {
        true => Module::File(python::relative(code, module)?),
        false => Module::Named(module.to_owned()),
    };
    let path = files(session, code, &module, None).pop()?;
    let other = Code::known(session, &path).ok()?;
    let names = ScopedNames::of(&other);
    if other.root().descendants().any(|node| node.is("wildcard_import")) {
        return None;
    }
    let is_bound = names.named(text).any(|it| it.is_binding && home(&other, it).is_none());
    let lists = other.mentions(other.root(), "__all__");
    let is_listed = || ["\"", "'"].iter().any(|quote| other.text().contains(&format!("{quote}{text}{quote}")));
    Some((module, is_bound && if lists { is_listed() } else { !text.starts_with('_') }))
}
