//! Members that the new class asks the old one for.

use super::Body;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::opened_members::open_members;
use crate::refactor::doubts::in_doubt;
use crate::session::Session;
use crate::syntax::Node;

/// Opens the class's own members that a method of a script uses; another object's are a doubt, where they are not opened.
pub(super) async fn open_used<'c>(
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
    let opened = open_members(&kin, class, (&used, "the new class"), edits).await?;
    for member in others {
        let said = member.text(code.text());
        if !opened.contains(&said) && class.members_named(said).iter().any(|it| it.is_closed(code)) {
            in_doubt(code, member.span(), format!("`{said}` may not be known outside its class"))?;
        }
    }
    Ok(())
}
