//! Members that only their class may look at, and that the new class has to.

use super::Body;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::doubts::in_doubt;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::TextEdit;

/// Makes the class's own members public that a method of a script uses, and tells of it; those of superclasses, and those
/// that subclasses keep to themselves, refuse.
pub(super) async fn open_members<'c>(
    session: &Session,
    class: &Class<'c>,
    body: &Body<'c>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let code = class.code;
    // Another object may be of the class, too: `result._count = 1`.
    let objects = body.block.descendants().filter(|it| it.is("member_expression"));
    let others = objects.filter(|it| it.child("object").is_some_and(|it| !it.is("this")));
    let (own, others): (Vec<Node<'_>>, Vec<Node<'_>>) =
        others.partition(|it| it.child("object").is_some_and(|it| it.text(code.text()) == class.name()));
    let property = |it: Node<'c>| it.child("property");
    let used: Vec<Node<'_>> = body.members.iter().copied().chain(own.into_iter().filter_map(property)).collect();
    let others: Vec<Node<'_>> = others.into_iter().filter_map(property).collect();
    if used.is_empty() && others.is_empty() {
        return Ok(());
    }
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let (above, unknown) = kin.ancestors(class).await?;
    let below = kin.below(class).await?;
    let mut opened: Vec<&str> = Vec::new();
    for member in &used {
        let said = member.text(code.text());
        if opened.contains(&said) {
            continue;
        }
        let found = class.members_named(said);
        let closed: Vec<&Member<'_>> = found.iter().filter(|it| it.is_closed(code)).collect();
        let is_kept = match found.is_empty() {
            true => above.iter().find_map(|it| is_closed(it, said)).unwrap_or(!unknown.is_empty()),
            false => !closed.is_empty() && below.iter().any(|it| is_closed(it, said) == Some(true)),
        };
        if is_kept {
            return Err(code.refuse(member.start(), format!("`{said}` may not be known outside its class")));
        }
        if closed.is_empty() {
            continue;
        }
        opened.push(said);
        edits.add(code, closed.iter().filter_map(|it| made_public(class, it)));
        let message = format!("`{said}` becomes public: the new class uses it");
        let range = code.parsed().text.range(closed[0].name.span());
        edits.warn([Warning::at(WarningKind::InterfaceChanged, message, code.path.clone(), range)]);
    }
    for member in others {
        let said = member.text(code.text());
        if !opened.contains(&said) && class.members_named(said).iter().any(|it| it.is_closed(code)) {
            in_doubt(code, member.span(), format!("`{said}` may not be known outside its class"))?;
        }
    }
    Ok(())
}

/// Tells whether a class keeps a member to itself; nothing where it has none of this name.
fn is_closed(class: &LocatedClass, name: &str) -> Option<bool> {
    let found = class.class().members_named(name);
    (!found.is_empty()).then(|| found.iter().any(|it| it.is_closed(&class.code)))
}

/// Takes the word away that closes a member; `public` comes in its place where the class says so elsewhere, or where
/// without a word there were no field.
fn made_public(class: &Class<'_>, member: &Member<'_>) -> Option<TextEdit> {
    let says_public = || class.members().iter().any(|it| it.is_marked(class.code, "public"));
    if member.kind != MemberKind::Parameter && !says_public() {
        return member.without_accessibility();
    }
    let word = member.node.child_of_kind("accessibility_modifier")?;
    Some(TextEdit::new(word.span(), "public"))
}
