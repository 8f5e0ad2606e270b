//! Everybody who calls a constructor: whoever makes an object of its class or of an heir without a constructor of its
//! own, or with one that hands everything on, and the constructors of the other heirs, by `super` or by the name of the
//! class (`Shape.__init__(self, name)`).

mod class_types;
mod own_class;

use std::collections::BTreeSet;

use super::call_arity::can_take;
use super::classes::{Class, ClassHierarchy, LocatedClass, MemberKind, usage};
use super::forwarding_constructors::forwarding;
use super::parameters::{all, takes_anything};
use super::references::{Use, UseKind, Uses};
use super::signatures::{CallForm, ListOwner, passes_object};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::commonjs::is_passed_on;
use crate::refactor::doubts::{doubt, in_doubt};
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, has_own_object, is_class};
use crate::session::Session;
use crate::syntax::python::{is_caught, is_class_of_object};
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node};

/// A class whose objects the constructor makes, with those above it.
struct Made {
    class: LocatedClass,
    above: Vec<LocatedClass>,
    form: CallForm,
}

pub(crate) struct Makers {
    /// The uses of each class whose objects the constructor makes, and how what is passed to it comes there.
    made: Vec<(Uses, CallForm)>,
    /// The heirs that have constructors, which call this one, or one that hands everything on to it.
    heirs: Vec<(LocatedClass, CallForm)>,
    /// The classes whose methods may make objects by other words than their names, `cls(…)`, which are all of this constructor.
    alike: Vec<LocatedClass>,
    /// What constructors on the way take for themselves.
    taken: BTreeSet<String>,
    pub warnings: Vec<Warning>,
}

impl Makers {
    /// Finds the calls of a constructor.
    pub(crate) async fn of_constructor(session: &Session, code: &Code, constructor: Node<'_>) -> Result<Self, Refusal> {
        let class = Class::around(code, constructor);
        let class = class.ok_or_else(|| code.refuse(constructor.start(), "it is the constructor of no class"))?;
        Self::of(session, &class).await
    }

    /// As [`Self::of`], where every object has to be made by the name of its class.
    pub(crate) async fn by_name(session: &Session, class: &Class<'_>) -> Result<Self, Refusal> {
        let makers = Self::of(session, class).await?;
        let refused = makers.unnamed().next().map(|(code, call)| unnamed(code, call));
        refused.map_or(Ok(makers), Err)
    }

    pub(crate) async fn of(session: &Session, class: &Class<'_>) -> Result<Self, Refusal> {
        let code = class.code;
        let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
        let own = kin.itself(class)?;
        let mut makers = Self {
            made: Vec::new(),
            heirs: Vec::new(),
            alike: Vec::new(),
            taken: BTreeSet::new(),
            warnings: Vec::new(),
        };
        let (above, _) = kin.ancestors(class).await?;
        let mut made = vec![Made { class: own.clone(), above, form: CallForm::Bound }];
        let mut entrances = vec![(own.place(), CallForm::Bound)];
        let mut heirs = Vec::new();
        for heir in kin.heirs(class).await? {
            let (above, unknown) = kin.ancestors(&heir.class()).await?;
            heirs.push((heir, above, unknown));
        }
        heirs.sort_by_key(|(_, above, _)| above.len());
        for (heir, above, unknown) in heirs {
            let is_first = above.first().is_some_and(|one| comes_first(&heir, one) && one.place() == own.place());
            if heir.class().bases().len() > 1 && !is_first && !(unknown.is_empty() && asks_by_name(&heir, &above)) {
                let reason = format!("`{}` has several superclasses", heir.class().name());
                return Err(heir.code.refuse(heir.class().name.start(), reason));
            }
            let next = above.iter().find(|one| one.class().constructor().is_some());
            let entrance = next.and_then(|one| entrances.iter().find(|(place, _)| *place == one.place()));
            let Some(form) = entrance.map(|(_, form)| *form) else { continue };
            match (heir.class().constructor(), makers.forwarded(class, &heir, form)) {
                (None, _) => made.push(Made { class: heir, above, form }),
                (Some(_), Some(form)) => {
                    entrances.push((heir.place(), form));
                    made.push(Made { class: heir, above, form });
                }
                (Some(_), None) => makers.heirs.push((heir, form)),
            }
        }
        if makers.heirs.is_empty() && made.iter().all(|one| one.form == CallForm::Bound) {
            makers.alike = made.iter().map(|one| one.class.clone()).collect();
        }
        for one in made.iter().map(|one| &one.class).chain(makers.heirs.iter().map(|(heir, _)| heir)) {
            check_plain(&one.class(), |call| !makers.alike.is_empty() && own_class::makes(&one.class(), call))?;
        }
        for one in made.iter().filter(|_| code.family() == Family::Python) {
            check_new(&kin, &own, one)?;
        }
        makers.warnings.extend(made_above(&kin, class, &made)?);
        for one in &made {
            makers.add(session, (&one.class.code, one.class.class().name.start()), one.form).await?;
        }
        Ok(makers)
    }

    /// Tells how the arguments come to the constructor of a class where an heir hands them on, and what is called as its
    /// parameters are stays apart.
    fn forwarded(&mut self, class: &Class<'_>, heir: &LocatedClass, above: CallForm) -> Option<CallForm> {
        let own = heir.class();
        let call = asking(&heir.code, &own).ok().flatten()?;
        let forwarding = forwarding((&heir.code, own.constructor()?), call)?;
        let known = class.constructor().map(|it| all(class.code, it)).unwrap_or_default();
        let is_known = |name: &String| known.iter().any(|it| it.name.text(class.code.text()) == name);
        if forwarding.names.iter().any(is_known) {
            return None;
        }
        self.taken.extend(forwarding.names);
        Some(CallForm::Forwarded(forwarding.kept + above.arguments_ahead()))
    }

    /// Refuses a name for a new parameter that a constructor would not hand on.
    pub(crate) fn check_free(&self, code: &Code, at: usize, name: &str) -> Result<(), Refusal> {
        match self.taken.contains(name) {
            true => Err(code.refuse(at, format!("a subclass's constructor takes a `{name}`, and does not hand it on"))),
            false => Ok(()),
        }
    }

    /// Adds the uses of a class, and of every other name that modules give it: `Lock = utils.Lock`.
    async fn add(&mut self, session: &Session, (code, name): (&Code, usize), form: CallForm) -> Result<(), Refusal> {
        let mut open = vec![(code.clone(), name)];
        let mut seen = BTreeSet::from([(code.path.clone(), name)]);
        while let Some((code, name)) = open.pop() {
            let uses = Uses::of(session, &code, name).await?;
            self.warnings.extend(uses.certain(session).await?);
            self.warnings.extend(uses.in_documents(session)?);
            for (user, one) in uses.iter() {
                let Some(alias) = alias(user, one) else { continue };
                if seen.insert((user.path.clone(), alias.start())) {
                    open.push((user.clone(), alias.start()));
                }
            }
            self.made.push((uses, form));
        }
        Ok(())
    }

    /// Returns every call, and how it passes the object; a place that may make an object in another way refuses.
    pub(crate) fn calls(&self) -> Result<Vec<(ListOwner<'_>, CallForm)>, Refusal> {
        let mut calls = Vec::new();
        let made = self.made.iter().flat_map(|(uses, form)| uses.iter().map(move |place| (place, *form)));
        for ((code, one), form) in made {
            let node = one.member(code).unwrap_or(one.node(code));
            if let Some(call) = by_name(code, node).filter(|_| one.kind == UseKind::Read) {
                if form.arguments_ahead() > 0 {
                    return Err(code.refuse(node.start(), "the constructor is called by the name of its class"));
                }
                calls.push(((code, call), CallForm::Unbound));
                continue;
            }
            match one.kind {
                UseKind::Call | UseKind::New => {
                    let call = node.parent().filter(|call| call.child("arguments").is_some());
                    let reason = "the object is made without a list of arguments";
                    let call = call.ok_or_else(|| code.refuse(node.start(), reason))?;
                    calls.push(((code, call), form));
                }
                _ => check_use(code, one)?,
            }
        }
        for (heir, form) in &self.heirs {
            calls.extend(asking(&heir.code, &heir.class())?.map(|call| ((&*heir.code, call), *form)));
        }
        calls.extend(self.unnamed().map(|call| (call, CallForm::Bound)));
        Ok(calls)
    }

    /// Returns the calls in methods that make an object of their own class, whichever it is.
    fn unnamed(&self) -> impl Iterator<Item = ListOwner<'_>> {
        self.alike.iter().flat_map(|one| own_class::calls(&one.class()).into_iter().map(|call| (&*one.code, call)))
    }
}

/// Doubts a use of a class that may make an object where nobody sees it.
fn check_use(code: &Code, one: &Use) -> Result<(), Refusal> {
    let node = one.node(code);
    let name = node.text(code.text());
    let reason = match one.kind {
        UseKind::Type if class_types::may_make(code, node) => {
            format!("a type is `{name}` itself here, and what has it may make an object")
        }
        UseKind::Definition | UseKind::Import | UseKind::Export | UseKind::Base | UseKind::Type | UseKind::Text => {
            return Ok(());
        }
        UseKind::Read if is_asked(code, one) || alias(code, one).is_some() => return Ok(()),
        _ if is_passed_on(code, node) => return Ok(()),
        kind => format!("`{name}` is {} here, and may make an object elsewhere", kind.said()),
    };
    in_doubt(code, one.span, reason)
}

/// Returns the call of a class's constructor by its name, with the object that it passes first: `Shape.__init__(self, name)`.
fn by_name<'c>(code: &Code, class: Node<'c>) -> Option<Node<'c>> {
    let member = class.parent().filter(|it| it.is("attribute") && class.field() == Some("object"))?;
    let named = member.child("attribute").filter(|it| it.text(code.text()) == "__init__")?;
    let call = named.parent()?.parent().filter(|it| it.is("call") && it.child("function") == Some(member))?;
    Some(call).filter(|call| passes_object(*call))
}

/// Tells whether the constructor of an heir with several superclasses asks those above by their names, as they all do: who
/// is next by `super` hangs on the heir.
fn asks_by_name(heir: &LocatedClass, above: &[LocatedClass]) -> bool {
    let knows_no_super =
        |one: &LocatedClass| one.class().constructor().is_none_or(|it| !one.code.mentions(it, "super"));
    heir.class().constructor().is_some() && [heir].into_iter().chain(above).all(knows_no_super)
}

/// Tells whether a class is the first of the superclasses of an heir: Python looks there first, and `super` leads there.
fn comes_first(heir: &LocatedClass, above: &LocatedClass) -> bool {
    let bases = heir.class().bases();
    bases.first().is_some_and(|it| heir.code.text()[it.span().start..it.end()] == *above.class().name())
}

/// Refuses classes that make objects in a way that names them by other words, those apart that are known.
fn check_plain(class: &Class<'_>, is_known: impl Fn(Node<'_>) -> bool) -> Result<(), Refusal> {
    let (code, text) = (class.code, class.code.text());
    if let Some(mark) = class.changing_decorators().next() {
        return Err(code.refuse(mark.start(), "what this does to the constructor is not known"));
    }
    let is_unnamed = |call: &Node<'_>| {
        let callee = call.child("function").or_else(|| call.child("constructor"));
        let said = callee.map(|it| it.text(text)).unwrap_or_default();
        match call.kind() {
            "call" if is_allocation((code, *call), said) => false,
            "call" => matches!(said, "cls" | "type(self)" | "self.__class__" | "cls.__new__" | "super().__new__"),
            "new_expression" => said.starts_with("this") || said.starts_with("new.target"),
            _ => false,
        }
    };
    if let Some(node) = own_class::handed_on(class) {
        in_doubt(code, node.span(), "the class is handed on here, and may make an object elsewhere")?;
    }
    let mut all = class.node.descendants().filter(|it| is_unnamed(it) || own_class::makes(class, *it));
    match all.find(|it| !is_known(*it)) {
        Some(call) => Err(unnamed(code, call)),
        None => Ok(()),
    }
}

/// Doubts calls in methods of superclasses that make an object of the class that they are called on: it may be one of these.
fn made_above(kin: &ClassHierarchy<'_>, own: &Class<'_>, made: &[Made]) -> Result<Vec<Warning>, Refusal> {
    let (mut seen, mut doubts) = (BTreeSet::new(), Vec::new());
    let is_other = |base: &&LocatedClass| !made.iter().any(|it| it.class.place() == base.place());
    for one in made {
        for base in one.above.iter().filter(is_other).filter(|it| kin.is_own(it)) {
            for call in own_class::inherited(&base.class(), &one.class.class()) {
                let is_taken = own.constructor().is_none_or(|it| can_take((own.code, it), (&base.code, call)));
                if is_taken && seen.insert((base.place(), call.start())) {
                    let reason = format!("an object of `{}` may be made here", one.class.class().name());
                    doubts.push(doubt(&base.code, call.span(), reason));
                }
            }
        }
    }
    each(doubts)
}

fn unnamed(code: &Code, call: Node<'_>) -> Refusal {
    code.refuse(call.start(), "an object is made here without its class's name")
}

/// Tells whether a call in Python's `__new__` makes the object that is being asked for, and passes nothing on.
fn is_allocation((code, call): ListOwner<'_>, called: &str) -> bool {
    let name = function_of(call).and_then(|it| it.child("name"));
    let is_inside = name.is_some_and(|it| it.text(code.text()) == "__new__");
    let passed = call.child("arguments").into_iter().flat_map(Node::named_children).count();
    is_inside && called == "super().__new__" && passed == 1
}

/// Refuses a class of which another class's `__new__` is given what the constructor is given.
fn check_new(kin: &ClassHierarchy<'_>, own: &LocatedClass, made: &Made) -> Result<(), Refusal> {
    let Some(first) = std::iter::once(&made.class).chain(&made.above).find(|it| it.class().has("__new__")) else {
        return Ok(());
    };
    let class = first.class();
    let taking = class.members_named("__new__").into_iter().filter_map(|it| it.function());
    let open = taking.into_iter().find(|it| !takes_anything(&first.code, *it));
    match open.filter(|_| first.place() != own.place() && kin.is_own(first)) {
        Some(open) => {
            let reason = format!("`{}.__new__` is given the same arguments as the constructor", class.name());
            Err(first.code.refuse(open.start(), reason))
        }
        None => Ok(()),
    }
}

/// Returns the other name that a module gives a class.
fn alias<'c>(code: &'c Code, one: &Use) -> Option<Node<'c>> {
    let node = one.member(code).unwrap_or(one.node(code));
    let (name, value) = bound_name(node)?;
    let is_top = function_of(name).is_none() && !name.ancestors().any(is_class);
    let is_constant = code.family() == Family::Python
        || name.ancestors().nth(1).is_some_and(|it| it.child("kind").is_some_and(|it| it.text(code.text()) == "const"));
    (one.kind == UseKind::Read && is_top && is_constant && value == node).then_some(name)
}

/// Refuses a class of which somebody may make objects that are of no class below it.
pub(crate) async fn check_unmade(session: &Session, class: &Class<'_>) -> Result<(), Refusal> {
    let kin = ClassHierarchy::new(session, class.code.parsed().tree.language()).await?;
    let (mut line, _) = kin.ancestors(class).await?;
    line.push(kin.itself(class)?);
    // A method of the class may make an object of the class that it is called on.
    let hands_on = |one: &LocatedClass| {
        let of_class = one.class().members().into_iter().filter(|it| it.kind == MemberKind::Method && it.is_static);
        of_class.into_iter().any(|it| !usage(&one.code, it.node).whole.is_empty())
    };
    let is_closed = !line.iter().any(hands_on);
    let uses = Uses::of(session, class.code, class.name.start()).await?;
    for (code, one) in uses.iter() {
        let is_harmless = matches!(
            one.kind,
            UseKind::Definition | UseKind::Import | UseKind::Export | UseKind::Base | UseKind::Type | UseKind::Text
        ) || asks_type(code, one.node(code))
            || is_closed && is_asked(code, one);
        if !is_harmless {
            return Err(code.refuse(one.span.start, format!("a `{}` may be made here", class.name())));
        }
    }
    Ok(())
}

/// Tells whether a class is only compared with, or asked for something that is its own.
fn is_asked(code: &Code, one: &Use) -> bool {
    let node = one.member(code).unwrap_or(one.node(code));
    asks_type(code, node) || asks_member(code, node) || is_only_asked_by_alias(code, node)
}

/// Tells whether a class is only asked for something that is its own.
fn asks_member(code: &Code, node: Node<'_>) -> bool {
    let outer = node.parent().filter(|_| node.field() == Some("object"));
    let asked = outer.and_then(|it| it.child("attribute").or_else(|| it.child("property")));
    let told = asked.map(|it| it.text(code.text()));
    told.is_some_and(|it| !it.starts_with("__") && it != "constructor" || TOLD.contains(&it))
}

/// What a class of Python tells of itself.
const TOLD: &[&str] = &["__annotations__", "__doc__", "__module__", "__name__", "__qualname__"];

/// Tells whether a class gets another name in a function, which only asks it for what is its own by that.
fn is_only_asked_by_alias(code: &Code, node: Node<'_>) -> bool {
    let Some((name, value)) = bound_name(node) else { return false };
    let names = ScopedNames::of(code);
    let Some(named) = names.at(name).filter(|_| value == node && function_of(name).is_some()) else { return false };
    let is_asked = |it: Name| it.span == name.span() || asks_member(code, code.covering(it.span));
    names.of_meaning(named.meaning).all(is_asked)
}

/// Returns what a statement names, and its value, of which this is a part.
fn bound_name(value: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let outer = value.parent().filter(|it| it.is_any(&["assignment", "variable_declarator"]))?;
    let name = outer.child("left").or_else(|| outer.child("name")).filter(|it| it.is("identifier"))?;
    Some((name, outer.child("right").or_else(|| outer.child("value"))?))
}

/// Tells whether a class is only compared with, or named to type checkers: `isinstance(x, Class)`, `except Class:`,
/// `x instanceof Class`, `cast(Class, x)`.
pub(crate) fn asks_type(code: &Code, node: Node<'_>) -> bool {
    let is_beside_type =
        |outer: Node<'_>| outer.named_children().any(|it| it != node && is_class_of_object(it, code.text()));
    let is_asked = |outer: Node<'_>| {
        let called = outer.child("function").map(|it| it.text(code.text()));
        let word = called.map(|it| it.rsplit('.').next().unwrap_or(it));
        let is_member = called != word;
        let first = || outer.child("arguments").and_then(|it| it.named_children().next());
        let is_first = || first().is_some_and(|it| it == node || it.holds(node));
        outer.is("call") && word.is_some_and(|it| ASKING.contains(&it) || it == "cast" && is_first())
            || outer.is("call_expression") && is_member && word.is_some_and(|it| ASSERTING.contains(&it))
            || outer.is("binary_expression") && outer.child("operator").is_some_and(|it| it.kind() == "instanceof")
    };
    is_caught(node)
        || node.ancestors().take(3).any(is_asked)
        || node.parent().is_some_and(|it| it.is_any(&["argument_list", "comparison_operator"]) && is_beside_type(it))
}

/// What asks for an object's class, or waits for an exception of it.
const ASKING: &[&str] =
    &["assertIsInstance", "assertNotIsInstance", "assertRaises", "isinstance", "issubclass", "raises"];

/// What tests of scripts ask for an object's class by: Chai's, Jest's and Node.js's methods.
const ASSERTING: &[&str] = &[
    "a",
    "an",
    "any",
    "instanceOf",
    "instanceof",
    "isInstanceOf",
    "isNotInstanceOf",
    "rejects",
    "throw",
    "throws",
    "toBeInstanceOf",
    "toThrow",
    "toThrowError",
];

/// Returns the call by which the constructor of an heir asks the one above; nothing where it does without.
fn asking<'c>(code: &'c Code, class: &Class<'c>) -> Result<Option<Node<'c>>, Refusal> {
    let own = class.constructor().unwrap_or(class.node);
    let refuse = |reason: &str| code.refuse(own.start(), reason);
    let text = code.text();
    let is_python = code.family() == Family::Python;
    let inside = own.walk_until(|node| node != own && has_own_object(node));
    let callee = |call: &Node<'c>| call.child("function").map(|it| it.text(text)).unwrap_or_default();
    let mut calls = inside.filter(|it| it.is_any(&["call", "call_expression"])).filter(|call| match is_python {
        true => asks_above(callee(call), class.name()),
        false => callee(call) == "super",
    });
    match (calls.next(), calls.next()) {
        (Some(call), None) => Ok(Some(call)),
        (None, _) if is_python && !code.mentions(own, "super") => Ok(None),
        _ => Err(refuse("it does not call the superclass's constructor exactly once, by `super`")),
    }
}

/// Tells whether a constructor of Python asks the one above: `super().__init__`, `super(Lock, self).__init__`.
fn asks_above(callee: &str, class: &str) -> bool {
    let passed = callee.strip_prefix("super(").and_then(|rest| rest.strip_suffix(").__init__"));
    passed.is_some_and(|it| it.is_empty() || it.split_once(',').is_some_and(|(first, _)| first.trim() == class))
}
