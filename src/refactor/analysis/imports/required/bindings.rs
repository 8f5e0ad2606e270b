//! Where what an import names is to be found, and in which scope a name is bound.

use super::import::Module;
use super::{cycle, python};
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::AbsPath;

/// Returns the files that a module is when `to` names it, with the packages around it, and that of a submodule.
pub(super) fn files(session: &Session, to: &Code, module: &Module, item: Option<&str>) -> Vec<AbsPath> {
    match (module, to.family()) {
        (Module::Named(module), Family::Python) if module.starts_with('.') => {
            python::relative(to, module).map(|path| cycle::files_at(&path, item)).unwrap_or_default()
        }
        (Module::Named(module), Family::Python) => cycle::files_of(session, to, module, item),
        (Module::File(path), Family::Python) => cycle::files_at(path, item),
        (Module::File(path), _) => cycle::scripts_at(path),
        (Module::Named(_), _) => Vec::new(),
    }
}

/// Returns the function or the class in which a name is bound; nothing at module level.
pub(crate) fn home<'c>(code: &'c Code, binding: Name) -> Option<Node<'c>> {
    let node = code.covering(binding.span);
    let is_scope = |outer: &Node<'c>| is_class(*outer) || is_any_function(*outer);
    let own = node.parent().filter(|outer| node.field() == Some("name") && is_scope(outer));
    own.unwrap_or(node).ancestors().find(is_scope)
}
