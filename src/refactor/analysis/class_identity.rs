//! Who takes notice of what class exactly an object is of.

use super::classes::{Class, ClassHierarchy, LocatedClass, PLAIN};
use super::data_classes;
use super::references::{UseKind, Uses};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::is_caught;
use crate::syntax::{Family, Node};

/// Functions of Python to which a class and its subclasses are the same.
const KINDS: &[&str] = &["isinstance", "issubclass", "cast", "super"];
/// Members by which a class takes notice of those below it, or that stand between objects and their members.
const NOTICING: &[&str] =
    &["__init_subclass__", "__getattr__", "__getattribute__", "__setattr__", "__new__", "__class_getitem__"];

/// Tells whether a class of Python hears of those below it as these are loaded, or asks for them: `__init_subclass__`, a
/// metaclass, `Base.__subclasses__()`.
pub(crate) fn is_told_of_heirs(session: &Session, code: &Code, class: Node<'_>) -> bool {
    let said = |node: Option<Node<'_>>| node.map_or("", |it| it.text(code.text()));
    // The stubs of Python's own library give `object` an `__init_subclass__`, which does nothing.
    if said(class.child("name")) == "object" {
        return false;
    }
    let bases = said(class.child("superclasses"));
    let asked = format!("{}.__subclasses__", said(class.child("name")));
    let is_asked = || {
        let asking = session.disk().files_mentioning("__subclasses__");
        asking.iter().filter_map(|path| session.disk().read(path).ok()).any(|text| text.as_str().contains(&asked))
    };
    class.text(code.text()).contains("def __init_subclass__")
        || bases.contains("metaclass=") && !bases.contains("ABCMeta")
        || is_asked()
}

/// Refuses classes whose objects would be something else if they were of a new subclass; returns what is above.
pub(crate) async fn check_line(kin: &ClassHierarchy<'_>, class: &Class<'_>) -> Result<Vec<LocatedClass>, Refusal> {
    let refuse = |reason: String| Err(class.code.refuse(class.name.start(), reason));
    let (above, unknown) = kin.ancestors(class).await?;
    if let Some(base) = unknown.first() {
        return refuse(format!("`{base}`, from which `{}` inherits, cannot be resolved", class.name()));
    }
    let above: Vec<LocatedClass> = above.into_iter().filter(|it| !PLAIN.contains(&it.class().name())).collect();
    if let Some(other) = above.iter().find(|it| !kin.is_own(it)) {
        return refuse(format!("what `{}` does to its subclasses is not known", other.class().name()));
    }
    if class.has("__slots__") {
        return refuse(format!("`{}` has slots: objects of the new class would have more than these", class.name()));
    }
    check_generic(class)?;
    check_class(class)?;
    for standing in &above {
        check_class(&standing.class())?;
    }
    Ok(above)
}

/// Refuses a class that takes types itself: the new one would have to take them, too. One that gives types to what it extends
/// takes none.
fn check_generic(class: &Class<'_>) -> Result<(), Refusal> {
    let text = class.code.text();
    let is_variable = |it: Node<'_>| {
        let text = it.text(text);
        it.is("identifier")
            && ["TypeVar(", "ParamSpec(", "TypeVarTuple("].iter().any(|made| is_made(class.code, text, made))
    };
    let takes = |base: &Node<'_>| base.is("subscript") && base.descendants().any(is_variable);
    match class.node.child("type_parameters").or_else(|| class.bases().into_iter().find(takes)) {
        Some(node) => Err(class.code.refuse(node.start(), "the class stands for several types")),
        None => Ok(()),
    }
}

/// Tells whether a module of Python makes a name by a call, or another one does that it imports it from.
fn is_made(code: &Code, name: &str, made: &str) -> bool {
    let mut statements = code.root().named_children();
    statements.any(|it| {
        let said = it.text(code.text());
        let is_import =
            it.is("import_from_statement") && it.children_in("name").any(|one| one.text(code.text()) == name);
        // What is imported is taken for a variable where it is called as these are.
        let is_called_so = name.trim_start_matches('_').len() < 3 || name.ends_with("_co");
        is_import && is_called_so
            || said.strip_prefix(name).is_some_and(|rest| rest.starts_with(" = ") && rest.contains(made))
    })
}

fn check_class(class: &Class<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
    if let Some(mark) = class.changing_decorators().next() {
        if data_classes::mark(class).is_some() {
            return refuse(
                mark,
                "it compares objects by their class: one of the new class would equal none of this one",
            );
        }
        return refuse(mark, "what this does to the class and its subclasses is not known");
    }
    let list = class.node.child("superclasses");
    if let Some(word) = list.into_iter().flat_map(Node::named_children).find(|it| it.is("keyword_argument")) {
        return refuse(word, "what makes the class would make the new one, too");
    }
    if class.node.is("abstract_class_declaration") {
        return refuse(class.name, "the class is abstract: there are no objects of it");
    }
    if let Some(name) = NOTICING.iter().find(|name| class.has(name)) {
        return refuse(class.name, &format!("`{}` has a `{name}`, which the new class would have, too", class.name()));
    }
    let closed =
        |word: &str| class.members().iter().any(|it| it.is_marked(code, word) && is_constructor(code, it.name));
    if closed("private") || closed("protected") {
        return refuse(class.name, "its constructor is not public");
    }
    match wonders(code, class.node) {
        Some(node) => refuse(node, "the class checks here of what class exactly an object is"),
        None => Ok(()),
    }
}

fn is_constructor(code: &Code, name: Node<'_>) -> bool {
    name.text(code.text()) == "constructor"
}

/// Refuses where a class is named other than to make its objects, to extend it, or to ask for a kind of object.
pub(crate) fn check_named(uses: &Uses, class: &str) -> Result<(), Refusal> {
    for (code, one) in uses.iter() {
        let named = one.member(code).unwrap_or_else(|| one.node(code));
        let is_plain = match one.kind {
            UseKind::Read => is_of_kind(code, named),
            UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete | UseKind::Decorator | UseKind::Key => {
                false
            }
            _ => true,
        };
        if !is_plain {
            let reason = format!("what is done with `{class}` here may distinguish it from its subclasses");
            return Err(code.refuse(one.span.start, reason));
        }
    }
    Ok(())
}

/// Tells whether a class is named to ask it for a member of its own, or whether something is a kind of it.
fn is_of_kind(code: &Code, named: Node<'_>) -> bool {
    let Some(outer) = named.parent() else { return false };
    let text = code.text();
    if is_caught(named) {
        return true;
    }
    match outer.kind() {
        "attribute" | "member_expression" => named.field() == Some("object"),
        "argument_list" | "tuple" => {
            let call = named.ancestors().find(|it| it.is("call"));
            let callee = call.and_then(|call| call.child("function")).map(|it| it.text(text)).unwrap_or_default();
            KINDS.contains(&callee.rsplit('.').next().unwrap_or(callee))
        }
        "binary_expression" => outer.child("operator").is_some_and(|it| it.text(text) == "instanceof"),
        _ => false,
    }
}

/// Tells of code that asks what class exactly an object is of, in files that know a class.
pub(crate) fn wondering(session: &Session, class: &Class<'_>, name: &str) -> Vec<Warning> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(class.name()) {
        let Ok(code) = Code::known(session, &path) else { continue };
        if code.family() != class.code.family() {
            continue;
        }
        if let Some(node) = wonders(&code, code.root()) {
            let message =
                format!("the object whose class is read here may be a `{name}`, not a `{}` itself", class.name());
            found.push(Warning::at(WarningKind::RunTime, message, path, code.parsed().text.range(node.span())));
        }
    }
    found
}

/// Returns the first place below a node where an object is asked for its class.
fn wonders<'c>(code: &'c Code, below: Node<'c>) -> Option<Node<'c>> {
    let text = code.text();
    let asks = |node: &Node<'c>| match (code.family(), node.kind()) {
        (Family::Python, "identifier") => node.text(text) == "__class__",
        (Family::Python, "call") => {
            let is_type = node.child("function").is_some_and(|it| it.text(text) == "type");
            is_type && node.child("arguments").is_some_and(|it| it.named_children().count() == 1)
        }
        (Family::Python, _) => false,
        (_, "property_identifier") => node.text(text) == "constructor" && node.field() == Some("property"),
        (_, "meta_property") => node.text(text).starts_with("new"),
        _ => false,
    };
    below.descendants().find(asks)
}
