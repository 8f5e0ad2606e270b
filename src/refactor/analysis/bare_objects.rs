//! Objects of Python that are made without running their constructor: `Order.__new__(Order)`.

use super::classes::{Class, ClassHierarchy, LocatedClass, receiver};
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::Node;

/// Refuses a file that makes objects of a class, or of one below it, without running their constructor.
pub(crate) async fn check_constructed(session: &Session, class: &Class<'_>, user: &Code) -> Result<(), Refusal> {
    let calls: Vec<Node<'_>> = bare_calls(user).filter(|call| !is_followed_by_constructor(user, *call)).collect();
    if calls.is_empty() {
        return Ok(());
    }
    let kin = ClassHierarchy::new(session, user.parsed().tree.language()).await?;
    let mut below: Vec<Place> = kin.heirs(class).await?.iter().map(LocatedClass::place).collect();
    below.push(class.place());
    let above: Vec<Place> = kin.ancestors(class).await?.0.iter().map(LocatedClass::place).collect();
    for call in calls {
        let is_meant = match made(user, call) {
            Made::Own(own) => below.contains(&own) || above.contains(&own),
            Made::Named(name) => kin.declared(&name).await?.is_none_or(|found| below.contains(&found.place())),
            Made::Unknown => true,
        };
        if is_meant {
            return Err(user.refuse(call.start(), "objects are made here without running a constructor"));
        }
    }
    Ok(())
}

/// Of which class a call of `__new__` makes an object.
enum Made {
    /// Of the class around it, or of one below: `cls.__new__(cls)`.
    Own(Place),
    /// Of the one that a name stands for.
    Named(Place),
    Unknown,
}

fn made(user: &Code, call: Node<'_>) -> Made {
    const OWN: &[&str] = &["cls", "type(self)", "self.__class__"];
    let Some(argument) = first_argument(call) else { return Made::Unknown };
    if OWN.contains(&argument.text(user.text())) {
        return Class::around(user, call).map_or(Made::Unknown, |class| Made::Own(class.place()));
    }
    let name = argument.child("attribute").or(Some(argument).filter(|it| it.is("identifier")));
    name.map_or(Made::Unknown, |name| Made::Named(Place { path: user.path.clone(), offset: name.start() }))
}

/// Tells whether a call stands in a `__new__` itself, which hands its own class on: the constructor runs behind it.
fn is_followed_by_constructor(user: &Code, call: Node<'_>) -> bool {
    let own = function_of(call).filter(|it| it.child("name").is_some_and(|name| name.text(user.text()) == "__new__"));
    let given = own.and_then(|function| receiver(user, function));
    given.is_some() && first_argument(call).map(|it| it.text(user.text())) == given
}

fn first_argument(call: Node<'_>) -> Option<Node<'_>> {
    call.child("arguments")?.named_children().next()
}

fn bare_calls(user: &Code) -> impl Iterator<Item = Node<'_>> {
    let names = user.parsed().tree.identifiers_named(user.text(), "__new__");
    names.into_iter().filter_map(|span| {
        let asked = user.covering(span).parent().filter(|it| it.is("attribute"))?;
        asked.parent().filter(|it| it.is("call") && it.child("function") == Some(asked))
    })
}
