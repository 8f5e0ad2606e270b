//! What one function of a program does by itself.

use std::rc::Rc;

use super::project::{FunctionId, Program, Thing};
use super::unit::{Meaning, Unit};
use crate::syntax::{Family, FunctionSite, Node};

/// One thing that a function does.
#[derive(Debug, Clone)]
pub(in crate::audit) struct Event {
    pub at: usize,
    /// Where it is done: what is inside is done before.
    pub end: usize,
    pub what: What,
}

#[derive(Debug, Clone)]
pub(in crate::audit) enum What {
    Read(Place),
    Write(Place),
    /// A call inside the project, and how it is reached.
    Internal(FunctionId, &'static str),
    /// A call of something outside: as it is written, what is known of it, and its kind.
    Outward {
        written: String,
        known: Option<String>,
        kind: &'static str,
    },
    Emit(String),
    Raise(String),
}

/// What outlives the function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::audit) struct Place {
    pub variable: String,
    pub path: String,
    /// `attribute`, `global`, `closure` or `parameter`.
    pub storage: &'static str,
    pub declared_in: Option<String>,
}

/// A function with all that is needed to look into it.
pub(in crate::audit) struct Body<'p, 's> {
    pub program: &'p Program<'s>,
    pub unit: Rc<Unit>,
    pub site: FunctionSite,
}

const MEMBERS: &[&str] = &["member_expression", "attribute"];
const INDICES: &[&str] = &["subscript_expression", "subscript"];

/// Methods that change what they are called on.
const CHANGING: &[&str] = &[
    "append",
    "extend",
    "insert",
    "remove",
    "pop",
    "popitem",
    "clear",
    "update",
    "add",
    "discard",
    "setdefault",
    "sort",
    "reverse",
    "push",
    "shift",
    "unshift",
    "splice",
    "set",
    "delete",
    "fill",
    "appendleft",
    "popleft",
    "write",
];

impl Body<'_, '_> {
    pub(in crate::audit) fn events(&self) -> Vec<Event> {
        let Some(function) = self.unit.node(self.site.node) else { return Vec::new() };
        let mut events: Vec<Event> = Vec::new();
        for node in function.descendants() {
            match node.kind() {
                "call" | "call_expression" | "new_expression" if node.is_named() => events.extend(self.called(node)),
                "raise_statement" | "throw_statement" => events.push(self.raised(node)),
                _ if self.begins_chain(node) => events.extend(self.touched(node)),
                _ => {}
            }
        }
        events.sort_by_key(|event| (event.end, std::cmp::Reverse(event.at)));
        events
    }

    fn text(&self, node: Node<'_>) -> String {
        node.text(self.unit.text()).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Tells whether a node is the first name of `a.b[c]`, and no name that is merely declared.
    fn begins_chain(&self, node: Node<'_>) -> bool {
        let is_name = node.is_any(&["identifier", "this", "shorthand_property_identifier"]) && node.is_leaf();
        let is_member = matches!(node.field(), Some("property" | "attribute"));
        let is_listed = node.parent().is_some_and(|it| it.is_any(&["global_statement", "nonlocal_statement"]));
        let is_key = node.field() == Some("name") && node.parent().is_some_and(|it| it.is("keyword_argument"));
        is_name && !is_member && !is_key && !is_listed && !is_annotation(node)
    }

    /// Returns the whole of `a.b[c]` that begins with a name, and what follows its first name.
    fn chain<'t>(&self, first: Node<'t>) -> Vec<Node<'t>> {
        let mut chain = vec![first];
        let mut last = first;
        while let Some(outer) = last.parent() {
            let is_base =
                matches!(last.field(), Some("object" | "value")) && (outer.is_any(MEMBERS) || outer.is_any(INDICES));
            let is_wrapped = outer.is_any(&["non_null_expression", "parenthesized_expression"]);
            if !(is_base || is_wrapped && outer.named_children().count() == 1) {
                break;
            }
            chain.push(outer);
            last = outer;
        }
        chain
    }

    /// Returns what is read or written where a name stands.
    fn touched(&self, first: Node<'_>) -> Vec<Event> {
        let mut chain = self.chain(first);
        let top = *chain.last().unwrap_or(&first);
        let called =
            top.parent().filter(|call| call.is_any(&["call", "call_expression"]) && top.field() == Some("function"));
        let mut changes = false;
        if called.is_some() {
            // The last member is a method; what is called on is what is touched.
            if chain.len() < 2 {
                return Vec::new();
            }
            let method =
                top.child("property").or_else(|| top.child("attribute")).map(|it| self.text(it)).unwrap_or_default();
            changes = CHANGING.contains(&method.as_str());
            chain.pop();
        }
        let Some(place) = self.place(first, &chain) else { return Vec::new() };
        let whole = *chain.last().unwrap_or(&first);
        let (reads, writes) = if changes { (false, true) } else { used(whole) };
        // Whoever is handed over as a parameter is not looked after when it is read.
        let reads = reads && place.storage != "parameter";
        let end = if writes { statement_end(whole) } else { whole.end() };
        let event = |what| Event { at: first.start(), end, what };
        let mut events = Vec::new();
        events.extend(reads.then(|| event(What::Read(place.clone()))));
        events.extend(writes.then(|| event(What::Write(place))));
        events
    }

    fn place(&self, first: Node<'_>, chain: &[Node<'_>]) -> Option<Place> {
        let name = first.text(self.unit.text());
        let path = chain.last().map(|node| self.text(*node))?;
        if self.is_self(first) {
            let member = chain.get(1).filter(|member| member.is_any(MEMBERS))?;
            let attribute = member.child("property").or_else(|| member.child("attribute"))?;
            let variable = self.text(attribute);
            let is_method = self.program.method(&self.unit, self.class()?, &variable).is_some();
            let declared_in = Some(self.class()?.to_owned());
            return (!is_method || chain.len() > 2).then_some(Place {
                variable,
                path,
                storage: "attribute",
                declared_in,
            });
        }
        match self.unit.meaning(first.start()) {
            Meaning::Module(_) if self.is_variable(name) => {
                let declared_in = Some(self.unit.source.name().to_owned());
                Some(Place { variable: name.to_owned(), path, storage: "global", declared_in })
            }
            Meaning::Module(_) => self.imported(name, &path),
            Meaning::Inner(at) if !self.site.span.touches(at) => {
                Some(Place { variable: name.to_owned(), path, storage: "closure", declared_in: None })
            }
            Meaning::Inner(at) if chain.len() > 1 && self.is_parameter(at) => {
                Some(Place { variable: name.to_owned(), path, storage: "parameter", declared_in: None })
            }
            _ => None,
        }
    }

    /// A variable of another module of the project: `config.LIMIT`, or `LIMIT` itself.
    fn imported(&self, name: &str, path: &str) -> Option<Place> {
        let bound = self.unit.imports.get(name)?;
        let is_constant = |name: &str| name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let (variable, unit) = match self.program.named(&self.unit, name) {
            Thing::Module(unit) => (path.split(['.', '[']).nth(1)?.to_owned(), unit),
            Thing::Unknown if bound.member.as_deref().is_some_and(is_constant) => {
                (name.to_owned(), Rc::clone(&self.unit))
            }
            _ => return None,
        };
        let is_thing = unit.function(&variable).is_some() || unit.class(&variable).is_some();
        let declared_in = Some(unit.source.name().to_owned());
        (!is_thing).then(|| Place { variable, path: path.to_owned(), storage: "global", declared_in })
    }

    /// Tells whether a name of the module is a variable: no function, class or import.
    fn is_variable(&self, name: &str) -> bool {
        let is_other = self.unit.function(name).is_some() || self.unit.class(name).is_some();
        !is_other && !self.unit.imports.contains_key(name)
    }

    fn is_parameter(&self, at: usize) -> bool {
        self.site.head.touches(at)
    }

    /// Returns the class around the function.
    fn class(&self) -> Option<&str> {
        self.site.owners.last().map(String::as_str).filter(|owner| self.unit.class(owner).is_some())
    }

    fn is_self(&self, node: Node<'_>) -> bool {
        match self.unit.family() {
            Family::Python => self.receiver().is_some_and(|receiver| node.text(self.unit.text()) == receiver),
            _ => node.is("this"),
        }
    }

    /// Returns the first parameter of a Python method that is no static one.
    fn receiver(&self) -> Option<&str> {
        self.class()?;
        let node = self.unit.node(self.site.node)?;
        let is_static = Some(self.site.span)
            .and_then(|span| span.of(self.unit.text()))
            .is_some_and(|it| it.starts_with("@staticmethod"));
        let first = node.child("parameters")?.named_children().next()?;
        let name = if first.is("identifier") { first } else { first.named_children().next()? };
        (!is_static).then(|| name.text(self.unit.text()))
    }

    fn raised(&self, node: Node<'_>) -> Event {
        let raised = node.named_children().next();
        let called = raised.and_then(|it| it.child("function").or_else(|| it.child("constructor"))).or(raised);
        let what = What::Raise(called.map(|it| self.text(it)).unwrap_or_default());
        Event { at: node.start(), end: node.end(), what }
    }

    fn called(&self, call: Node<'_>) -> Vec<Event> {
        let Some(function) = call.child("function").or_else(|| call.child("constructor")) else { return Vec::new() };
        let event = |what| Event { at: call.start(), end: call.end(), what };
        let written = self.text(function);
        let mut events = Vec::new();
        // The call only names the class above; what is called on it is told.
        if self.unit.family() == Family::Python && written == "super" {
            return events;
        }
        if let Some(name) = self.emitted(call, function) {
            events.push(event(What::Emit(name)));
        }
        let outward = |known: Option<String>, kind| What::Outward { written: written.clone(), known, kind };
        events.push(event(match self.thing(function) {
            (Thing::Function(id), how) => What::Internal(id, how),
            (Thing::Class(unit, class), _) => {
                let constructor = if unit.family() == Family::Python { "__init__" } else { "constructor" };
                match self.program.method(&unit, &class, constructor) {
                    Some(id) => What::Internal(id, "constructor"),
                    None => return events,
                }
            }
            (Thing::Package(whole), _) => outward(Some(whole), "package"),
            (Thing::Module(_), _) => return events,
            (Thing::Unknown, how) => outward(None, how),
        }));
        events
    }

    /// `emitter.emit("name", …)`, `signal.send(…)`
    fn emitted(&self, call: Node<'_>, function: Node<'_>) -> Option<String> {
        let member = function.child("property").or_else(|| function.child("attribute"))?;
        let first = call.child("arguments")?.named_children().next()?;
        let is_emit = matches!(member.text(self.unit.text()), "emit" | "dispatchEvent" | "publish");
        is_emit.then(|| self.text(first).trim_matches(['"', '\'', '`']).to_owned())
    }

    /// Finds what is called, and how it is reached.
    fn thing(&self, function: Node<'_>) -> (Thing, &'static str) {
        let name = function.text(self.unit.text());
        if function.is("super") {
            let constructor = self.class().and_then(|class| self.program.inherited(&self.unit, class, "constructor"));
            return (constructor.map_or(Thing::Unknown, Thing::Function), "super");
        }
        if function.is("identifier") {
            return match self.unit.meaning(function.start()) {
                Meaning::Free => (self.starred(name), "builtin"),
                Meaning::Inner(at) => self.local(name, at),
                Meaning::Module(_) => match self.program.named(&self.unit, name) {
                    thing @ Thing::Function(_) if self.unit.imports.contains_key(name) => (thing, "imported"),
                    thing => (thing, "own"),
                },
            };
        }
        let (Some(object), Some(member)) =
            (function.child("object"), function.child("property").or_else(|| function.child("attribute")))
        else {
            return (Thing::Unknown, "unresolved");
        };
        self.method_of(object, member.text(self.unit.text()))
    }

    fn starred(&self, name: &str) -> Thing {
        if self.unit.imports.keys().any(|key| key.starts_with('*')) {
            self.program.named(&self.unit, name)
        } else {
            Thing::Unknown
        }
    }

    /// A function inside of a function, or a value that is called.
    fn local(&self, name: &str, at: usize) -> (Thing, &'static str) {
        let inner = self.unit.sites.iter().find(|site| site.name == name && site.at == at);
        match inner {
            Some(site) => {
                (Thing::Function(FunctionId { file: self.unit.source.path.clone(), node: site.node }), "inner")
            }
            None => (Thing::Unknown, "value"),
        }
    }

    fn method_of(&self, object: Node<'_>, method: &str) -> (Thing, &'static str) {
        let written = self.text(object);
        if self.is_self(object)
            && let Some(class) = self.class()
        {
            let own = self.unit.method(class, method).is_some();
            let found = self.program.method(&self.unit, class, method);
            return (found.map_or(Thing::Unknown, Thing::Function), if own { "own" } else { "inherited" });
        }
        if object.is("super") || written.starts_with("super(") {
            let found = self.class().and_then(|class| self.program.inherited(&self.unit, class, method));
            return (found.map_or(Thing::Unknown, Thing::Function), "super");
        }
        let first = written.split(['.', '[', '(']).next().unwrap_or_default();
        let is_plain =
            written.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '.' | '$'));
        let start = object.start();
        if is_plain
            && (self.unit.imports.contains_key(first) || self.unit.class(first).is_some())
            && !matches!(self.unit.meaning(start), Meaning::Inner(_))
        {
            let thing = self.program.dotted(&self.unit, &written);
            return (self.program.member(&thing, method), "imported");
        }
        match self.class_of(object) {
            Some((unit, class)) => {
                let found = self.program.method(&unit, &class, method);
                (found.map_or(Thing::Unknown, Thing::Function), "method")
            }
            // `Array.isArray`, `console.log`
            None if is_plain && first != "this" && self.unit.meaning(start) == Meaning::Free => {
                (Thing::Unknown, "builtin")
            }
            None => (Thing::Unknown, "unresolved"),
        }
    }

    /// Returns the class of a local variable that is annotated with it, or made by it.
    fn class_of(&self, object: Node<'_>) -> Option<(Rc<Unit>, String)> {
        let made =
            |node: Node<'_>| node.child("function").or_else(|| node.child("constructor")).map(|it| self.text(it));
        let type_name = match object.kind() {
            "identifier" => {
                let (Meaning::Inner(at) | Meaning::Module(at)) = self.unit.meaning(object.start()) else { return None };
                let bound =
                    self.unit.source.tree().nodes().covering(crate::text::Span::new(at, at + object.span().len()));
                let holder = bound.ancestors().take(2).find(|it| {
                    it.child("type").is_some() || it.child("right").is_some() || it.child("value").is_some()
                })?;
                let written = holder.child("type").map(|it| self.text(it).trim_start_matches([':', ' ']).to_owned());
                written.or_else(|| made(holder.child("right").or_else(|| holder.child("value"))?))?
            }
            "call" | "new_expression" | "call_expression" => made(object)?,
            "parenthesized_expression" => return self.class_of(object.named_children().next()?),
            "member_expression" | "attribute" if self.is_self(object.child("object")?) => {
                let attribute = object.child("property").or_else(|| object.child("attribute"))?;
                super::attributes::type_of(&self.unit, self.class()?, attribute.text(self.unit.text()))?
            }
            _ => return None,
        };
        match self.program.dotted(&self.unit, type_name.trim_matches(['"', '\''])) {
            Thing::Class(unit, class) => Some((unit, class)),
            _ => None,
        }
    }
}

/// Tells whether a name stands in a type: nothing is read there that outlives the function.
fn is_annotation(node: Node<'_>) -> bool {
    node.ancestors().take(6).any(|outer| outer.is_any(&["type", "type_annotation", "type_arguments"]))
}

/// Tells whether an expression is read and whether it is written where it stands.
fn used(node: Node<'_>) -> (bool, bool) {
    let mut inner = node;
    for outer in node.ancestors() {
        match (outer.kind(), inner.field()) {
            ("assignment" | "assignment_expression", Some("left")) => return (false, true),
            ("augmented_assignment" | "augmented_assignment_expression", Some("left")) => return (true, true),
            ("update_expression", _) => return (true, true),
            ("delete_statement", _) => return (false, true),
            ("unary_expression", _) => return (true, outer.child_of_kind("delete").is_some()),
            ("for_statement" | "for_in_statement" | "for_in_clause", Some("left")) => return (false, true),
            ("variable_declarator", Some("name")) | ("named_expression", Some("name")) => return (false, true),
            (
                "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" | "array_pattern"
                | "object_pattern" | "rest_pattern" | "pair_pattern" | "expression_list",
                _,
            ) => inner = outer,
            _ => return (true, false),
        }
    }
    (true, false)
}

/// Returns where the assignment around ends: the value is evaluated before.
fn statement_end(node: Node<'_>) -> usize {
    let assignment = node.ancestors().take(4).find(|outer| outer.kind().contains("assignment"));
    assignment.map_or(node.end(), |assignment| assignment.end() + 1)
}
