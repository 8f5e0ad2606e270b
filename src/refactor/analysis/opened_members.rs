//! Members that only their class may look at, and that something else has to.

use super::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind};
use super::edits::Edits;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::syntax::Node;
use crate::text::TextEdit;

/// Makes the class's own members public that something else uses now (`who`, the subject of a sentence), and tells of it; those of
/// superclasses, and those that subclasses keep to themselves, refuse. Returns the names of those that were closed.
pub(crate) async fn open_members<'c>(
    kin: &ClassHierarchy<'_>,
    class: &Class<'c>,
    (used, who): (&[Node<'c>], &str),
    edits: &mut Edits,
) -> Result<Vec<&'c str>, Refusal> {
    let code = class.code;
    let mut opened = Vec::new();
    if used.is_empty() {
        return Ok(opened);
    }
    let (above, unknown) = kin.ancestors(class).await?;
    let below = kin.below(class).await?;
    for member in used {
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
        let message = format!("`{said}` becomes public: {who} uses it");
        let range = code.parsed().text.range(closed[0].name.span());
        edits.warn([Warning::at(WarningKind::InterfaceChanged, message, code.path.clone(), range)]);
    }
    Ok(opened)
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
