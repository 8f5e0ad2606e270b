//! Whether a new name is free, and whether code may leave its class.

use super::classes::{Class, ClassHierarchy};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::doubts::tell;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::ANSWERING;
use crate::syntax::{Language, Node};
use crate::text::AbsPath;

/// Refuses a name that means something already: for a function of the module, or for a member of a class.
pub(crate) async fn check_name(
    session: &Session,
    code: &Code,
    class: Option<Node<'_>>,
    name: &str,
) -> Result<(), Refusal> {
    match class.and_then(|class| Class::of(code, class)) {
        Some(class) => check_member_name(session, &class, name).await,
        None => check_module_name(code, name),
    }
}

/// Refuses a name for the module that means something in its file already.
pub(crate) fn check_module_name(code: &Code, name: &str) -> Result<(), Refusal> {
    match ScopedNames::of(code).named(name).next().is_some() || is_type(code, name) {
        true => Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", code.shown))),
        false => Ok(()),
    }
}

/// Refuses a name for a new member that a class has already, or one above or below it, of which the new one would take the place.
/// A base that nobody knows is told.
///
/// # Errors
/// Where nobody could be asked about the classes around.
pub(crate) async fn check_member_name(session: &Session, class: &Class<'_>, name: &str) -> Result<(), Refusal> {
    let code = class.code;
    let has = |shown: &Class<'_>, one: &Class<'_>| {
        shown.code.refuse(shown.name.start(), format!("`{}` has a `{name}` already", one.name()))
    };
    if class.has(name) {
        return Err(has(class, class));
    }
    let mut mentioning = session.disk().files_mentioning(name);
    mentioning
        .retain(|path| *path != code.path && Language::of_path(path).is_some_and(|it| it.family() == code.family()));
    check_uses(session, class, (name, &mentioning))?;
    let is_asked = member_uses(code, name).next().is_some();
    let answers = |it: &Class<'_>| is_asked && ANSWERING.iter().any(|one| it.has(one));
    let answered = || Err(Refusal::NotPossible(format!("`{name}` is already asked for in `{}`", code.shown)));
    if answers(class) {
        return answered();
    }
    // A private name of a script is one of its own class alone.
    let is_own_alone = name.starts_with('#');
    let beside = || code.root().descendants().filter_map(|it| Class::of(code, it)).any(|it| it.has(name));
    let is_declared = !mentioning.is_empty() || beside();
    if is_own_alone || class.bases().is_empty() && !is_declared {
        return Ok(());
    }
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let (above, unknown) = kin.declaring_member(class, name).await?;
    let below = if is_declared { kin.heirs(class).await? } else { Vec::new() };
    if let Some(other) = above.iter().chain(&below).find(|it| it.class().has(name)) {
        let other = other.class();
        return Err(has(if other.code.is_outside() { class } else { &other }, &other));
    }
    if above.iter().any(|it| !it.code.is_outside() && answers(&it.class())) {
        return answered();
    }
    if let Some(base) = unknown.first() {
        let inherits = format!("`{base}`, from which `{}` inherits, cannot be resolved", class.name());
        let range = code.parsed().text.range(class.name.span());
        let message = format!("{inherits}: it may have a `{name}`, too");
        tell(Warning::at(WarningKind::PossibleUse, message, code.path.clone(), range));
    }
    Ok(())
}

/// Refuses a name that objects of a class are asked for, or given, although the class does not declare it.
fn check_uses(session: &Session, class: &Class<'_>, (name, mentioning): (&str, &[AbsPath])) -> Result<(), Refusal> {
    let code = class.code;
    if member_uses(code, name).any(|it| may_be_of(class, code, it)) {
        return Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", code.shown)));
    }
    let knowing = session.disk().files_mentioning(class.name());
    for path in mentioning.iter().filter(|path| knowing.contains(*path)) {
        let other = Code::known(session, path)?;
        if member_uses(&other, name).any(|it| may_be_of(class, &other, it)) {
            let message = format!("`{path}` knows `{}` and sets a `{name}`, too", class.name());
            return Err(Refusal::NotPossible(message));
        }
    }
    Ok(())
}

/// How methods call their own object, and its class.
const OWN: &[&str] = &["self", "cls", "this", "super", "super()"];

/// Returns where a name may stand for a member.
fn member_uses<'c>(code: &'c Code, name: &str) -> impl Iterator<Item = Node<'c>> {
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    spans.into_iter().map(|span| code.covering(span)).filter(|it| matches!(it.field(), Some("attribute" | "property")))
}

/// Tells whether a member may be one of a class, as far as the text says: asked of itself (`self.label`, `Account.label`), or
/// given to what may be any object.
fn may_be_of(class: &Class<'_>, code: &Code, member: Node<'_>) -> bool {
    let access = member.parent();
    let object = access.and_then(|it| it.child("object")).map_or("", |it| it.text(code.text()));
    if OWN.contains(&object) {
        return code.path == class.code.path && class.node.span().contains(member.span());
    }
    let is_set = |it: Node<'_>| it.kind().contains("assignment") && it.child("left") == access;
    object == class.name() || access.and_then(Node::parent).is_some_and(is_set)
}

/// Refuses to take out of a class what says its name, where only the class itself has that: `made = class Account {}`.
pub(crate) fn check_own_name(class: &Class<'_>, piece: Node<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let is_own =
        |node: &Node<'_>| node.text(code.text()) == class.name() && node.is_any(&["identifier", "type_identifier"]);
    let has_own = class.node.is("class") && class.node.child("name").is_some();
    let said = piece.descendants().find(is_own).filter(|_| has_own);
    match said {
        Some(node) => {
            Err(code.refuse(node.start(), format!("`{}` is the class's name for itself alone", class.name())))
        }
        None => Ok(()),
    }
}

/// Returns a name for a result that means nothing in a function, nor in the file around it.
pub(crate) fn unused_variable(names: &ScopedNames<'_>, function: Node<'_>) -> String {
    let is_taken = |text: &str| {
        let mut all = names.named(text);
        all.any(|it| {
            function.span().contains(it.span) || it.is_binding && names.function_of_meaning(it.meaning).is_none()
        })
    };
    let numbered = (2..).map(|nth| format!("result{nth}"));
    let wished = ["result", "returned", "answer"].map(str::to_owned).into_iter();
    wished.chain(numbered).find(|it| !is_taken(it)).expect("a text has no name for every number")
}

/// Tells whether a script knows a type of a name: a function beside it would be taken for its own.
fn is_type(code: &Code, name: &str) -> bool {
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    spans.into_iter().any(|span| code.covering(span).is("type_identifier"))
}

/// Refuses to take out of its class what only means something there.
pub(crate) fn check_private(code: &Code, statements: &[Node<'_>]) -> Result<(), Refusal> {
    let all = statements.iter().flat_map(|statement| statement.descendants());
    let bound = all.filter(|node| node.is("identifier")).find(|node| {
        let text = node.text(code.text());
        let is_cell = matches!(text, "super" | "__class__") && node.field() != Some("attribute");
        is_cell || text.starts_with("__") && !text.ends_with("__")
    });
    match bound {
        Some(node) => Err(code
            .refuse(node.start(), format!("`{}` refers to something else outside the class", node.text(code.text())))),
        None => Ok(()),
    }
}
