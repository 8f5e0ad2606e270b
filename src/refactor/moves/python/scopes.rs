//! Whether a name in a scope can become another.

use crate::syntax::python::Names;

/// Tells whether renaming what `scope` binds as `old` to `new` would meet another `new`.
pub(super) fn would_clash(names: &Names, scope: usize, old: &str, new: &str) -> bool {
    if names.scopes[scope].bound.contains_key(new) {
        return true;
    }
    names.uses.iter().any(|one| {
        let inside = names.lies_in(one.scope, scope);
        let captured = || one.name.text == new && outer(names, names.resolve(one, new), scope);
        let hidden = || {
            one.name.text == old && names.resolve(one, old) == Some(scope) && between(names, (one.scope, scope), new)
        };
        let handed =
            || one.name.text == old && one.is_store && names.resolve(one, old) == Some(scope) && one.scope != scope;
        inside && (captured() || hidden() || handed())
    })
}

/// Tells whether a name that resolves to `found` would be captured by a binding in `scope`.
fn outer(names: &Names, found: Option<usize>, scope: usize) -> bool {
    found.is_none_or(|found| found != scope && names.lies_in(scope, found))
}

/// Tells whether a scope from `inner` up to `outer`, the latter excluded, binds a name.
pub(super) fn between(names: &Names, (inner, outer): (usize, usize), name: &str) -> bool {
    std::iter::successors(Some(inner), |index| names.scopes[*index].parent)
        .take_while(|index| *index != outer)
        .any(|index| names.scopes[index].bound.contains_key(name))
}
