//! Whether code of two files that reads the same means the same.

use super::classes::{Class, MemberKind};
use super::imports::required;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::Span;

/// What is another thing in every file.
pub(crate) const OF_FILE: &[&str] = &[
    "__doc__",
    "__name__",
    "__file__",
    "__package__",
    "__spec__",
    "globals",
    "__dirname",
    "__filename__",
    "__filename",
    "exports",
    "module",
];

/// Returns the first name in pieces of a file that means something else in other pieces, which read the same, one by one: in one
/// file there is none.
pub(crate) fn differing_name<'c>(
    session: &Session,
    (code, pieces): (&'c Code, &[Span]),
    (other, theirs): (&Code, &[Span]),
) -> Option<Node<'c>> {
    if code.path == other.path {
        return None;
    }
    let (own_names, their_names) = (ScopedNames::with_spelled(code), ScopedNames::with_spelled(other));
    let differing = |(piece, its): (&Span, &Span)| {
        let mut pairs = own_names.within(*piece).zip(their_names.within(*its));
        pairs.find(|(one, two)| {
            let is_of_file = one.is_free && one.span.of(code.text()).is_some_and(|it| OF_FILE.contains(&it));
            let are_own = is_own(&own_names, *one, *piece) && is_own(&their_names, *two, *its);
            is_of_file || !are_own && !mean_the_same(session, (code, &own_names, *one), (other, &their_names, *two))
        })
    };
    let (one, _) = pieces.iter().zip(theirs).find_map(differing)?;
    Some(code.covering(one.span))
}

/// Returns the first name in a member of a class that means something else in another class's member that reads the same.
pub(crate) fn differing_in_member<'c>(
    session: &Session,
    class: &Class<'c>,
    other: &Class<'_>,
    name: &str,
) -> Option<Node<'c>> {
    let pieces = |class: &Class<'_>| -> Vec<Span> {
        let declared = class.members_named(name).into_iter().filter(|it| it.kind != MemberKind::Assigned);
        declared.map(|it| it.node.span()).collect()
    };
    differing_name(session, (class.code, &pieces(class)), (other.code, &pieces(other)))
}

/// Tells whether a name is one of a piece, or of the function that the piece stands in.
fn is_own(names: &ScopedNames<'_>, name: Name, piece: Span) -> bool {
    let is_inside = || names.of_meaning(name.meaning).filter(|it| it.is_binding).all(|it| piece.contains(it.span));
    !name.is_free && (names.function_of_meaning(name.meaning).is_some() || is_inside())
}

/// Tells whether names of two files surely mean the same: both are built in, or imported from one file, or one file has it from
/// the other.
pub(crate) fn mean_the_same(
    session: &Session,
    (one, names, name): (&Code, &ScopedNames<'_>, Name),
    (other, theirs, its): (&Code, &ScopedNames<'_>, Name),
) -> bool {
    if name.span.of(one.text()) != its.span.of(other.text()) {
        return false;
    }
    let binding = |names: &ScopedNames<'_>, name: Name| names.of_meaning(name.meaning).find(|it| it.is_binding);
    let (Some(mine), Some(bound)) = (binding(names, name), binding(theirs, its)) else {
        let text = name.span.of(one.text()).unwrap_or_default();
        let is_starred = |code: &Code| required::may_be_starred(session, code, text);
        return name.is_free && its.is_free && !is_starred(one) && !is_starred(other);
    };
    let is_from = |(user, taken): (&Code, Name), (home, declared): (&Code, Name)| {
        required::home(home, declared).is_none() && required::imports(session, user, taken, home)
    };
    required::are_alike((one, names, name), (other, theirs, its))
        || required::import_the_same(session, (one, mine), (other, bound))
        || is_from((one, mine), (other, bound))
        || is_from((other, bound), (one, mine))
}
