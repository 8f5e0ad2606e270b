//! Methods that a class inherits and declares once more, as they are or as its own.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, MemberKind};
use crate::refactor::analysis::equal_code::differing_in_member;
use crate::refactor::analysis::override_conflicts::said;
use crate::refactor::analysis::references::{Use, UseKind};
use crate::refactor::source_file::{Code, definition};
use crate::session::Session;
use crate::syntax::{Node, is_any_function};

/// Tells whether a statement is a method whose class has the same one from the class above: nothing else is found without it.
pub(super) async fn is_inherited(session: &Session, code: &Code, statement: Node<'_>) -> Result<bool, Refusal> {
    let around = Class::around(code, statement).filter(|class| Some(class.body) == statement.parent());
    let Some(class) = around else { return Ok(false) };
    let members = class.members();
    let own = members.iter().find(|it| statement.span().contains(it.node.span()) && it.kind == MemberKind::Method);
    let Some(name) = own.map(|it| it.name.text(code.text())) else { return Ok(false) };
    // What follows the class in its line, and what is private, is another thing for the class above.
    let asks_own = ["super", "__class__"].iter().any(|word| code.mentions(statement, word));
    let is_private = |text: &str| text.contains(".__") || text.contains(".#");
    if asks_own || name.starts_with(['#']) || name.starts_with("__") || is_private(statement.text(code.text())) {
        return Ok(false);
    }
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let (above, unknown) = kin.ancestors(&class).await?;
    let is_shared = kin.heirs(&class).await?.iter().any(|heir| heir.class().bases().len() > 1);
    let nearest = above.iter().find(|it| it.class().has(name)).filter(|_| unknown.is_empty() && !is_shared);
    Ok(nearest.is_some_and(|base| {
        let base = base.class();
        let alike = said(&class, name).filter(|own| said(&base, name).as_ref() == Some(own));
        alike.is_some() && differing_in_member(session, &class, &base, name).is_none()
    }))
}

/// Tells whether a use is no more than that a class above or below has a method of that name, with a body of its own: it stays,
/// whole and unmarked, and nobody calls either.
pub(super) fn is_another_method(code: &Code, one: &Use) -> bool {
    let name = code.covering(one.span);
    let declared = name.parent().filter(|it| is_any_function(*it) && it.child("name") == Some(name));
    let method = declared.filter(|it| one.kind == UseKind::Definition && it.child("body").is_some());
    let Some((method, class)) = method.zip(Class::around(code, name)) else { return false };
    let says = |node: Node<'_>, words: &[&str]| words.iter().any(|word| node.text(code.text()).contains(word));
    let is_mark = |it: Node<'_>| {
        it.is("decorator") && says(it, &["abstract", "override"]) || it.is_any(&["override_modifier", "abstract"])
    };
    let is_protocol = class.node.child("superclasses").is_some_and(|it| says(it, &["Protocol"]));
    !is_protocol && !definition(method).children().chain(method.children()).any(is_mark)
}
