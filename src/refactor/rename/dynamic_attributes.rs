//! Where a Python program asks an object for members whose names it makes as it runs: `getattr(order, name)`,
//! `vars(order).items()`, `asdict(order)`.

use crate::syntax::python::{argument, folded, loops_around};
use crate::syntax::{Node, stems};

/// Functions that ask their first argument for the member that the second one names (Python's built-in functions), or put
/// something in its place (`patch.object` of `unittest.mock`, pytest's `monkeypatch`, pytest-mock's `spy`).
const ASKING: [&str; 6] = ["getattr", "setattr", "hasattr", "delattr", "object", "spy"];
/// The names of the two arguments in the latter.
const ASKED: [&str; 2] = ["target", "obj"];
const NAMED: [&str; 2] = ["attribute", "name"];
/// What these functions ask in turn, and what a program may ask itself (Python's data model).
pub(super) const HOOKS: [&str; 4] = ["__getattribute__", "__getattr__", "__setattr__", "__delattr__"];
/// Functions that hand out all members by name (Python's built-in ones and `inspect`'s, `dataclasses` and `attrs`, `msgspec`,
/// `cattrs`).
pub(super) const LISTING: [&str; 6] = ["asdict", "vars", "dir", "getmembers", "to_builtins", "unstructure"];
/// Methods that do so (Python's `collections.namedtuple`, pydantic).
const OWN_LISTING: [&str; 3] = ["_asdict", "model_dump", "model_dump_json"];
/// Methods that classes of some libraries have for that, by names that others have, too (pydantic before 2, and what makes
/// JSON of dataclasses).
const INHERITED_LISTING: [(&str, &[&str]); 2] =
    [("dict", &["pydantic"]), ("to_dict", &["dataclasses_json", "mashumaro"])];
/// Those of both whose answer has the members as its keys.
const KEYED: [&str; 4] = ["vars", "asdict", "_asdict", "model_dump"];
/// Calls that copy their first argument, with other values for the fields that are named (`dataclasses` and `copy` in
/// Python's library, `attrs`, `msgspec`).
const COPIES: [&str; 3] = ["replace", "evolve", "assoc"];
/// The same as methods of the object (`collections.namedtuple` in Python's library, and `object.__replace__`).
const OWN_COPIES: [&str; 2] = ["_replace", "__replace__"];
/// Those that list all members, methods too, and what leaves some of their names out.
const NAMING: [&str; 2] = ["dir", "getmembers"];
const CHOOSING: [&str; 2] = ["startswith", "endswith"];
/// Attributes that are dictionaries of members, the second one those of an enumeration.
pub(super) const LISTED: [&str; 2] = ["__dict__", "__members__"];
/// What asks a dictionary for one key.
pub(super) const FROM_DICTIONARY: [&str; 3] = ["get", "pop", "setdefault"];
/// What is done with a dictionary of members by those who look at its keys.
const READING: [&str; 5] = ["items", "keys", "get", "update", "pop"];
/// Words without which no module is asked for names.
pub(super) const WORDS: [&str; 5] = ["getattr", "setattr", "vars", "__dict__", "globals"];

/// Tells whether a module asks itself for names: `globals()[name]`, `getattr(sys.modules[__name__], name)`.
pub(super) fn asks_itself(node: Node<'_>, text: &str, name: &str) -> bool {
    let is_own = || object(node, text, name).is_some_and(|object| is_own_module(object, text));
    let is_begun = || node.parent().is_some_and(|outer| is_begun(outer, text, name));
    is_globals(node, text) && is_read(node, text, name) && !is_begun() || is_own()
}

pub(super) fn is_globals(node: Node<'_>, text: &str) -> bool {
    node.is("call") && node.text(text) == "globals()"
}

/// Tells whether an expression is the module that it stands in, by itself or by a name that the module gives it.
pub(super) fn is_own_module(object: Node<'_>, text: &str) -> bool {
    let is_module = |node: Node<'_>| node.text(text) == "sys.modules[__name__]" || is_globals(node, text);
    if !object.is("identifier") {
        return is_module(object);
    }
    let module = object.ancestors().last();
    let mut statements = module.into_iter().flat_map(Node::named_children);
    statements.any(|statement| {
        let assigned = statement.named_children().next().filter(|inner| inner.is("assignment"));
        let sides = assigned.and_then(|assigned| Some((assigned.child("left")?, assigned.child("right")?)));
        sides.is_some_and(|(left, right)| left.text(text) == object.text(text) && is_module(right))
    })
}

/// Returns the object that is asked for its own name, as members of enumerations are (`color.name`).
pub(super) fn asked_for_name<'t>(node: Node<'t>, text: &str) -> Option<Node<'t>> {
    let own = node.child("attribute").filter(|_| node.is("attribute"))?;
    let is_set = node.parent().is_some_and(|outer| outer.is("assignment") && outer.child("left") == Some(node));
    (matches!(own.text(text), "name" | "_name_") && !is_set).then(|| node.child("object"))?
}

/// Returns the object that a node asks for members of names that nobody can read off it; nothing where `name` is known
/// not to be among them.
pub(crate) fn object<'t>(node: Node<'t>, text: &str, name: &str) -> Option<Node<'t>> {
    match node.kind() {
        "call" => called(node, text, name),
        "attribute" if node.child("attribute").is_some_and(|own| LISTED.contains(&own.text(text))) => {
            node.child("object").filter(|_| is_read(node, text, name) || is_handed_on(node))
        }
        "subscript" => listed(node, text),
        "dictionary_splat" => {
            let call = node.parent().filter(|list| list.is("argument_list"))?.parent()?;
            copied(call, text).filter(|_| node.named_children().next().is_some_and(|taken| !taken.is("dictionary")))
        }
        _ => None,
    }
}

/// Types of the language itself, which are no keys: `Box[int]`.
const TYPES: [&str; 13] =
    ["bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type"];

/// The class of `Color[name]`: by custom it begins with a capital, and what it is asked for does not. Types are no values,
/// and no more are the bases of a class.
fn listed<'t>(subscript: Node<'t>, text: &str) -> Option<Node<'t>> {
    let class = subscript.child("value").filter(|value| value.is_any(&["identifier", "attribute"]))?;
    let key = subscript.child("subscript").filter(|key| key.is_any(&["identifier", "attribute", "call"]))?;
    let is_capital =
        |node: Node<'_>| node.text(text).rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
    let is_base = subscript.parent().and_then(|list| list.parent()).is_some_and(|outer| outer.is("class_definition"));
    let is_type = is_base || TYPES.contains(&key.text(text)) || subscript.ancestors().any(|outer| outer.is("type"));
    let is_class = is_capital(class) || class.text(text) == "cls";
    (is_class && !is_capital(key) && !is_type).then_some(class)
}

/// Returns what a call copies, with other values for what its arguments name: `replace(point, x=2)`, `point._replace(x=2)`.
pub(super) fn copied<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    let function = call.child("function").filter(|_| call.is("call"))?;
    let called = function.text(text).rsplit('.').next()?;
    if OWN_COPIES.contains(&called) {
        return function.child("object");
    }
    argument(call, 0, &[], text).filter(|_| COPIES.contains(&called))
}

/// Returns what a dictionary has the members of by their names, and nothing else: `vars(order)`, `order.__dict__`,
/// `order._asdict()`.
pub(super) fn keyed_members<'t>(dictionary: Node<'t>, text: &str) -> Option<Node<'t>> {
    if dictionary.is("attribute") {
        let is_listed = LISTED.contains(&dictionary.child("attribute")?.text(text));
        return dictionary.child("object").filter(|_| is_listed);
    }
    let function = dictionary.child("function").filter(|_| dictionary.is("call"))?;
    let called = function.text(text).rsplit('.').next().filter(|called| KEYED.contains(called))?;
    let arguments: Vec<Node<'_>> = dictionary.child("arguments")?.named_children().collect();
    match arguments.as_slice() {
        [] if OWN_LISTING.contains(&called) => function.child("object"),
        [only] if LISTING.contains(&called) => Some(*only).filter(is_object),
        _ => None,
    }
}

/// Returns the object whose members a call lists by their names: `dir(order)`.
pub(super) fn listed_members<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    is_naming(call, text).then(|| call.child("arguments")?.named_children().next())?
}

/// Tells whether a node gives away the fields of an object by their names, by what is for objects with fields alone, or goes
/// through all: `asdict(order)`, `vars(order).items()`.
pub(super) fn gives_fields(node: Node<'_>, text: &str) -> bool {
    let function = node.child("function").filter(|_| node.is("call")).map(|it| it.text(text));
    let called = function.map(|it| it.rsplit('.').next().unwrap_or(it));
    let is_listing = |it: &str| (LISTING.contains(&it) || OWN_LISTING.contains(&it)) && !NAMING.contains(&it);
    node.is("attribute") || called.is_some_and(is_listing)
}

fn is_naming(call: Node<'_>, text: &str) -> bool {
    let function = call.child("function").filter(|_| call.is("call"));
    function.is_some_and(|it| NAMING.contains(&it.text(text).rsplit('.').next().unwrap_or_default()))
}

/// Returns the names of those methods that a program has which names one of their libraries.
pub(super) fn inherited(is_named: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let all = INHERITED_LISTING.iter().filter(|(_, libraries)| libraries.iter().any(|one| is_named(one)));
    all.map(|(method, _)| *method).collect()
}

/// Returns the object that one of some methods lists the members of: `order.dict()`.
pub(super) fn listed_by<'t>(call: Node<'t>, text: &str, methods: &[&str]) -> Option<Node<'t>> {
    let function = call.child("function").filter(|it| call.is("call") && it.is("attribute"))?;
    let is_it = methods.contains(&function.child("attribute")?.text(text)) && !is_asked_for_string(call);
    function.child("object").filter(|_| is_it)
}

fn called<'t>(call: Node<'t>, text: &str, name: &str) -> Option<Node<'t>> {
    let called = call.child("function")?;
    let function = called.text(text).rsplit('.').next()?;
    let mut arguments = call.child("arguments").filter(|list| list.is("argument_list"))?.named_children();
    if OWN_LISTING.contains(&function) {
        return called.child("object").filter(|_| !is_asked_for_string(call));
    }
    if LISTING.contains(&function) {
        let object = arguments.next().filter(is_object)?;
        let may_be = if NAMING.contains(&function) {
            !is_compared(call, text, name) && chosen(call, text, name).is_none_or(|is_chosen| is_chosen)
        } else {
            let is_open = function != "vars" && !is_asked_for_string(call);
            is_open || is_handed_on(call) || is_read(call, text, name)
        };
        return may_be.then_some(object);
    }
    let (object, named) = asked_by_name(call, text)?;
    let is_asked = is_object(&object) && !is_passed_on(named, (object, text)) && may_be(named, text, name);
    is_asked.then_some(object)
}

fn is_object(node: &Node<'_>) -> bool {
    node.is_any(&["identifier", "attribute", "call", "subscript"])
}

/// Returns the object that a call asks for one member, and what says which: `getattr(order, name)`,
/// `object.__setattr__(self, name, 2)`, `super().__getattribute__(name)`.
pub(crate) fn asked_by_name<'t>(call: Node<'t>, text: &str) -> Option<(Node<'t>, Node<'t>)> {
    let function = call.child("function").filter(|_| call.is("call"))?;
    let called = function.text(text).rsplit('.').next()?;
    if ASKING.contains(&called) {
        return Some((argument(call, 0, &ASKED, text)?, argument(call, 1, &NAMED, text)?));
    }
    let arguments: Vec<Node<'_>> = call.child("arguments")?.named_children().collect();
    let (first, second) = (*arguments.first()?, arguments.get(1).copied());
    let holder = function.child("object").filter(|_| HOOKS.contains(&called))?;
    let values = usize::from(called == "__setattr__");
    match arguments.len().checked_sub(values)? {
        1 => Some((holder, first)),
        2 => Some((first, second?)),
        _ => None,
    }
}

/// Tells whether an expression is the object that a method is called for: `self`, `cls`, `super()`.
pub(super) fn is_own(object: Node<'_>, text: &str) -> bool {
    matches!(object.text(text), "self" | "cls" | "super()")
}

/// Tells whether a hook only hands on what its own object is asked for.
fn is_passed_on(named: Node<'_>, (object, text): (Node<'_>, &str)) -> bool {
    is_own(object, text) && is_asked_of_hook(named, text)
}

/// Tells whether a hook asks another object for what its own one is asked for: `return getattr(self.inner, name)`.
pub(super) fn hands_on(call: Node<'_>, text: &str) -> bool {
    let asked = asked_by_name(call, text);
    asked.is_some_and(|(object, named)| !is_own(object, text) && is_asked_of_hook(named, text))
}

/// Tells whether a name is what a hook around is asked for.
fn is_asked_of_hook(named: Node<'_>, text: &str) -> bool {
    let function = named.ancestors().find(|outer| outer.is("function_definition"));
    let is_hook = |function: &Node<'_>| function.child("name").is_some_and(|own| HOOKS.contains(&own.text(text)));
    let asked = function.filter(is_hook).and_then(|hook| hook.child("parameters")?.named_children().nth(1));
    let own = asked.and_then(|asked| asked.walk_until(|_| false).find(|node| node.is("identifier")));
    own.is_some_and(|own| own.text(text) == named.text(text))
}

/// Tells whether a dictionary is asked for a key that stands there, which is told of elsewhere.
fn is_asked_for_string(dictionary: Node<'_>) -> bool {
    let outer = dictionary.parent().filter(|outer| outer.is("subscript"));
    let key = outer.and_then(|outer| outer.child("subscript"));
    key.is_some_and(is_plain_string)
}

/// Tells whether a string stands there that the program fills nothing into.
fn is_plain_string(node: Node<'_>) -> bool {
    node.is("string") && node.child_of_kind("interpolation").is_none()
}

/// Tells whether somebody else gets a dictionary of members: a function, or who called this one.
fn is_handed_on(dictionary: Node<'_>) -> bool {
    let says_key = |it: Node<'_>| it != dictionary && (is_plain_string(it) || it.is("dictionary"));
    dictionary.parent().is_some_and(|outer| match outer.kind() {
        // `setitem(vars(order), "total", 1)`
        "argument_list" => !outer.named_children().any(says_key),
        kind => matches!(kind, "lambda" | "return_statement"),
    })
}

/// Tells whether the keys of a dictionary of members matter: it is taken apart, gone through, or asked for one.
fn is_read(dictionary: Node<'_>, text: &str, name: &str) -> bool {
    let Some(outer) = dictionary.parent() else { return false };
    match outer.kind() {
        "dictionary_splat" | "for_statement" | "for_in_clause" => true,
        "subscript" => outer.child("subscript").is_some_and(|key| match folded(key, text) {
            Some(known) => known.whole().is_none() && known.fits(name),
            None => true,
        }),
        "attribute" => {
            let is_reading = outer.child("attribute").is_some_and(|own| READING.contains(&own.text(text)));
            is_reading && !outer.parent().is_some_and(says_keys)
        }
        _ => false,
    }
}

/// Tells whether a call of a dictionary says the keys that it means, which are told of elsewhere: `members.get("x")`,
/// `members.update(x=2)`.
fn says_keys(call: Node<'_>) -> bool {
    let are_said = |argument: Node<'_>| match argument.kind() {
        "keyword_argument" => true,
        "dictionary" => argument.named_children().all(|pair| pair.child("key").is_some_and(is_plain_string)),
        _ => false,
    };
    let arguments: Vec<Node<'_>> = call.child("arguments").into_iter().flat_map(Node::named_children).collect();
    let first = arguments.first().copied();
    first.is_some_and(is_plain_string) || first.is_some() && arguments.into_iter().all(are_said)
}

/// Tells whether a node says a part of the names that it asks for, and `name` has that part: `getattr(order, "on" + kind)`,
/// `[one for one in dir(order) if one.startswith("on")]`.
pub(super) fn is_partly_said(node: Node<'_>, text: &str, name: &str) -> bool {
    let named = asked_by_name(node, text).and_then(|(_, named)| folded(named, text));
    if named.is_some_and(|named| named.says_a_part() && named.fits(name)) {
        return true;
    }
    is_chosen(node, text, name)
}

/// Tells whether a call lists names of which those with a part of `name` are chosen.
pub(super) fn is_chosen(call: Node<'_>, text: &str, name: &str) -> bool {
    is_naming(call, text) && chosen(call, text, name) == Some(true)
}

/// Tells whether a node lists the names of an object or of a module, `name` perhaps among them: `dir(order)`, `order.__dict__`,
/// `globals()`.
pub(super) fn lists(node: Node<'_>, text: &str, name: &str) -> bool {
    if is_globals(node, text) {
        return is_read(node, text, name);
    }
    let listed = listed_members(node, text).or_else(|| keyed_members(node, text));
    listed.is_some() && object(node, text, name).is_some()
}

/// Tells of the names of a list whether they are chosen by a part that `name` has; nothing where all are taken.
fn chosen(call: Node<'_>, text: &str, name: &str) -> Option<bool> {
    let holds = |around: &Node<'_>| around.child("right").is_some_and(|right| right.span().contains(call.span()));
    let around = call.ancestors().find(|outer| outer.is_any(&["for_statement", "for_in_clause"]) && holds(outer))?;
    let variable = around.child("left")?.walk_until(|_| false).find(|node| node.is("identifier"))?;
    let scope = if around.is("for_in_clause") { around.parent()? } else { around };
    let choices: Vec<(Node<'_>, Node<'_>)> =
        scope.descendants().filter_map(|node| choice(node, variable.text(text), text)).collect();
    (!choices.is_empty()).then(|| {
        choices.iter().all(|(ending, ends)| {
            let begins = ending.text(text) == CHOOSING[0];
            let mut said = ends.descendants().filter(|node| node.is("string_content")).map(|node| node.text(text));
            let is_open = ends.named_children().any(|one| !one.is_any(&["string", "tuple"]));
            is_open || said.any(|end| if begins { name.starts_with(end) } else { name.ends_with(end) })
        })
    })
}

/// Reads how a name of a list has to begin or end for it to be chosen: the method, and its arguments.
fn choice<'t>(node: Node<'t>, variable: &str, text: &str) -> Option<(Node<'t>, Node<'t>)> {
    let function = node.child("function").filter(|_| node.is("call"))?;
    let ending = function.child("attribute").filter(|own| CHOOSING.contains(&own.text(text)))?;
    let is_asked = function.child("object")?.text(text) == variable;
    // What is passed over is not chosen.
    let statement = node.ancestors().find(|outer| outer.is("if_statement"));
    let block = statement.and_then(|statement| statement.child("consequence"));
    let is_passed_over = block.is_some_and(|block| block.text(text).trim() == "continue");
    let is_negated = node.parent().is_some_and(|outer| outer.is("not_operator"));
    (is_asked && is_passed_over == is_negated).then_some((ending, node.child("arguments")?))
}

/// Tells whether only other names are looked for in a list of names: `"other" in dir(order)`.
fn is_compared(call: Node<'_>, text: &str, name: &str) -> bool {
    let comparison = call.parent().filter(|outer| outer.is("comparison_operator"));
    let sought = comparison.and_then(|outer| outer.named_children().next()).filter(|first| first.is("string"));
    sought.is_some_and(|string| !string.text(text).contains(name))
}

/// Tells whether an expression may come to `name`. A string is told of elsewhere, and so are beginnings of names, and what
/// is put together of strings alone; what goes through a list of strings, or through `__slots__`, which is renamed along, is
/// known.
fn may_be(named: Node<'_>, text: &str, name: &str) -> bool {
    if let Some(known) = folded(named, text) {
        let asking = named.parent().and_then(Node::parent).unwrap_or(named);
        return known.whole().is_none() && known.fits(name) && !is_begun(asking, text, name);
    }
    let Some(source) = source(named, text) else { return true };
    if chosen(source, text, name) == Some(false) {
        return false;
    }
    let is_list = source.is_any(&["list", "tuple", "set"]);
    if !is_list {
        return !source.text(text).ends_with("__slots__");
    }
    let mut strings = source.descendants().filter(|inner| inner.is("string_content"));
    strings.any(|content| content.text(text) == name)
}

/// Tells whether a name that is put together there is told of by how it begins or ends.
fn is_begun(asking: Node<'_>, text: &str, name: &str) -> bool {
    stems(asking.text(text)).iter().any(|(stem, _)| stem.fits(name))
}

/// What a loop around goes through, where its variable is the name.
pub(super) fn source<'t>(named: Node<'t>, text: &str) -> Option<Node<'t>> {
    let is_variable = |node: Option<Node<'_>>| {
        node.is_some_and(|left| {
            left.walk_until(|_| false).any(|one| one.is("identifier") && one.text(text) == named.text(text))
        })
    };
    loops_around(named).find(|one| is_variable(one.child("left"))).and_then(|one| one.child("right"))
}
