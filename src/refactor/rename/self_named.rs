//! Where a Python program tells functions and classes by the names that they bear (`registry[function.__name__]`,
//! `type(node).__name__ == "Order"`), and a string says the renamed one: told.

use std::collections::BTreeSet;

use super::class_reflection;
use super::escaping_callables::holds;
use super::hierarchy::{Hierarchy, LocatedClass, Standpoint};
use super::receivers::Standing;
use super::server_edits::Gathered;
use crate::lsp::Location;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::{decorators, qualified};
use crate::syntax::target::last_name;
use crate::syntax::{Node, whole_words};
use crate::text::{AbsPath, Span};

/// The names that Python gives them.
const BORNE: [&str; 2] = ["__name__", "__qualname__"];
/// Methods that take a key first, and functions that take a member's name second.
const KEYED: [&str; 4] = ["get", "setdefault", "pop", "add"];
const ASKING: [&str; 3] = ["getattr", "hasattr", "setattr"];

/// Decorators whose function nobody is given, and those that hand a function to nobody.
const GIVING_VALUES: [&str; 6] = ["abstractproperty", "cached_property", "deleter", "getter", "property", "setter"];
const SAYING: [&str; 6] = ["abstractmethod", "classmethod", "final", "overload", "override", "staticmethod"];

/// What is renamed, by what can be asked for its name.
#[derive(Default)]
struct Bearers {
    /// Where the names of classes stand.
    classes: Vec<Location>,
    /// One that is handed to somebody: by a decorator, or as a value.
    has_function: bool,
    /// A field that is handed on bears no name: it takes a function, too.
    is_function: bool,
    is_handed_on: bool,
}

/// Tells where the program makes keys of such names.
pub(super) async fn tell(hierarchy: &Hierarchy<'_>, name: &str, gathered: &Gathered) -> Result<Vec<Warning>, Refusal> {
    let session = hierarchy.session;
    let bearers = Bearers::of(session, gathered)?;
    if bearers.classes.is_empty() && !bearers.has_function || !class_reflection::is_spelled(session, name)? {
        return Ok(Vec::new());
    }
    let line = if bearers.has_function { None } else { line(hierarchy, &bearers.classes).await? };
    let files: BTreeSet<AbsPath> = BORNE.into_iter().flat_map(|word| session.disk().files_mentioning(word)).collect();
    let mut warnings = Vec::new();
    for path in files.into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let is_asked = |node: &Node<'_>| bearers.may_be(*node, text) && is_key(*node, (text, name));
        let mut spans = Vec::new();
        for node in parsed.tree.nodes().iter().filter(is_asked) {
            let is_other = match &line {
                Some(line) => is_of_others(hierarchy, line, (&path, &parsed), node).await?,
                None => false,
            };
            spans.extend((!is_other).then(|| node.span()));
        }
        if !spans.is_empty() {
            let message = format!("the program goes by the names of what it has here, and `{name}` may be one");
            warnings.push(Warning::at_lines(WarningKind::RunTime, message, path, (&parsed.text, &spans)));
        }
    }
    Ok(warnings)
}

/// Returns the classes whose names stand there and all above them; nothing where some of these are not known.
async fn line(hierarchy: &Hierarchy<'_>, renamed: &[Location]) -> Result<Option<BTreeSet<Standpoint>>, Refusal> {
    let mut line = BTreeSet::new();
    for location in renamed {
        let Some(class) = hierarchy.class_at(location)? else { return Ok(None) };
        let mut all = hierarchy.ancestors(&class).await?;
        all.push(class);
        for one in all {
            if one.path.is_below(hierarchy.session.root()) && hierarchy.has_unknown_base(&one).await? {
                return Ok(None);
            }
            line.insert(one.place());
        }
    }
    Ok(Some(line))
}

/// Tells whether the object whose class is asked for its name (`type(it)`, `it.__class__`) is of another line.
async fn is_of_others(
    hierarchy: &Hierarchy<'_>,
    line: &BTreeSet<Standpoint>,
    (path, parsed): (&AbsPath, &Parsed),
    node: Node<'_>,
) -> Result<bool, Refusal> {
    let text = parsed.text.as_str();
    let Some(object) = node.child("object").and_then(|class| classed(class, text)) else { return Ok(false) };
    // An object of any class is one of `object`, and one that is made like a protocol one of that (PEP 544).
    let may_be = |one: &LocatedClass| {
        line.contains(&one.place()) || one.class.is_protocol || matches!(one.class.name.as_str(), "object" | "type")
    };
    Ok(match Standing::of(hierarchy, (path, parsed), object).await? {
        Standing::Objects(classes) => !classes.iter().any(may_be),
        Standing::Modules(_) | Standing::Unknown => false,
    })
}

/// Returns the object whose class an expression is, or what the class itself is held as. The class of a class (`cls`) is
/// another one.
fn classed<'t>(class: Node<'t>, text: &str) -> Option<Node<'t>> {
    let is_class = class.is("attribute") && class.child("attribute").is_some_and(|own| own.text(text) == "__class__");
    let is_type = class.is("call") && class.child("function").is_some_and(|called| called.text(text) == "type");
    let object = match (is_class, is_type) {
        (true, _) => class.child("object"),
        (_, true) => class.child("arguments")?.named_children().next(),
        _ => Some(class).filter(|class| class.text(text) != "self"),
    };
    object.filter(|object| object.text(text) != "cls")
}

impl Bearers {
    fn of(session: &Session, gathered: &Gathered) -> Result<Self, Refusal> {
        let mut bearers = Self::default();
        for path in gathered.paths() {
            let Some(parsed) = session.parsed(path)? else { continue };
            for edit in gathered.edits_of(path) {
                bearers.note((path, &parsed), edit.span);
            }
        }
        bearers.has_function |= bearers.is_function && bearers.is_handed_on;
        Ok(bearers)
    }

    fn note(&mut self, (path, parsed): (&AbsPath, &Parsed), span: Span) {
        let node = parsed.tree.nodes().covering(span);
        let Some(outer) = node.parent() else { return };
        let is_name = outer.child("name") == Some(node);
        if is_name && outer.is("class_definition") {
            self.classes.push(Location { path: path.clone(), span: node.span() });
        }
        let marks =
            || decorators(outer).map(|mark| last_name(mark.text(parsed.text.as_str()).trim_start_matches('@').trim()));
        // Who asks for a property gets its value.
        let is_value = || marks().any(|mark| GIVING_VALUES.contains(&mark));
        let is_function = is_name && outer.is("function_definition") && !is_value();
        self.is_function |= is_function;
        self.has_function |= is_function && marks().any(|mark| !SAYING.contains(&mark));
        // `self.run` in `[self.run]`
        let whole = qualified(node);
        self.is_handed_on |= whole.parent().is_some_and(|around| holds(around, whole));
    }

    /// Tells whether a node is such a name, and of what may be renamed.
    fn may_be(&self, node: Node<'_>, text: &str) -> bool {
        let is_borne =
            node.is("attribute") && node.child("attribute").is_some_and(|own| BORNE.contains(&own.text(text)));
        let object = node.child("object").filter(|_| is_borne).map(|object| object.text(text));
        object.is_some_and(|object| {
            let is_class = object.starts_with("type(") || object.ends_with("__class__") || object == "cls";
            !self.classes.is_empty() || self.has_function && !is_class
        })
    }
}

/// Tells whether things are told apart by an expression: it is a key, or compared, or becomes what something is called.
fn is_key(node: Node<'_>, (text, name): (&str, &str)) -> bool {
    let Some(outer) = node.parent() else { return false };
    match outer.kind() {
        "assignment" => {
            outer.child("right") == Some(node) && outer.child("left").is_some_and(|left| is_kept(left, (text, name)))
        }
        _ => is_told_apart(node, outer, (text, name)),
    }
}

fn is_told_apart(node: Node<'_>, outer: Node<'_>, (text, name): (&str, &str)) -> bool {
    match outer.kind() {
        "subscript" => outer.child("subscript") == Some(node),
        "pair" => outer.child("key") == Some(node),
        "comparison_operator" => may_equal(node, outer, (text, name)),
        "boolean_operator" => true,
        "keyword_argument" => outer.child("name").is_some_and(|own| matches!(own.text(text), "name" | "key")),
        "argument_list" => is_keyed(node, outer, text),
        _ => false,
    }
}

/// Tells whether a comparison may be with `name`: not where only strings stand there that do not say it.
fn may_equal(node: Node<'_>, comparison: Node<'_>, (text, name): (&str, &str)) -> bool {
    let mut others = comparison.named_children().filter(|other| *other != node);
    others.any(|other| {
        let is_said = other.is("string")
            || other.is_any(&["tuple", "list", "set"]) && other.named_children().all(|one| one.is("string"));
        !is_said || !whole_words(other.text(text), name).is_empty()
    })
}

/// A name of its own that is a key somewhere in the function, or a member: `self.name = function.__name__`.
fn is_kept(left: Node<'_>, (text, name): (&str, &str)) -> bool {
    if left.is("attribute") {
        return left.child("attribute").is_some_and(|own| !own.text(text).starts_with("__"));
    }
    let function = left.ancestors().find(|outer| outer.is("function_definition"));
    let is_same = |node: &Node<'_>| node.is("identifier") && node.text(text) == left.text(text);
    let mut uses = function.into_iter().flat_map(Node::descendants).filter(is_same);
    uses.any(|node| node.parent().is_some_and(|outer| is_told_apart(node, outer, (text, name))))
}

/// `kinds.get(type(it).__name__)`, `getattr(self, function.__name__)`, `add(function.__name__, function)`.
fn is_keyed(node: Node<'_>, arguments: Node<'_>, text: &str) -> bool {
    let called = arguments.parent().and_then(|call| call.child("function")).map_or("", |function| function.text(text));
    let last = called.rsplit('.').next().unwrap_or_default();
    let at = arguments.named_children().position(|argument| argument == node);
    let object = node.child("object").map(|object| object.text(text));
    let has_both = arguments.named_children().any(|argument| Some(argument.text(text)) == object);
    has_both || at == Some(0) && KEYED.contains(&last) || at == Some(1) && ASKING.contains(&last)
}
