//! Strings by which a Python program names something as it runs: `attrgetter("total")`, `"{0.total}".format(order)`,
//! `Thread(target=work, kwargs={"width": 2})`. What they mean no server says.

use crate::syntax::{Node, Tree, whole_words};
use crate::text::Span;

/// What a string can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spoken {
    /// A member of some object: `attrgetter("x")`, `vars(o)["x"]`, `"{0.x}".format(o)`, `"%(x)s" % vars(o)`, and of a
    /// copy of what `vars(o)` is.
    Member,
    /// A name of its module: `globals()["x"]`, the string that `__reduce__` returns.
    Global,
    /// A variable of its function: `"%(x)s" % locals()`.
    Local,
    /// A variable of a function that is running: `frame.f_locals["x"]`.
    Frame,
    /// An argument that is handed on, or asked of a signature: `kwargs={"x": 2}`, `signature(f).parameters["x"]`.
    Argument,
    /// The end of a path whose beginning the program puts before it: `patch(f"{MODULE}.x")`.
    Path,
    /// Whatever code names: `eval("x + 1")`.
    Code,
}

/// Functions that make one that asks for a member of this name (Python's `operator`).
const GETTERS: [&str; 2] = ["attrgetter", "methodcaller"];
/// Functions that run text (Python's built-in functions).
const RUNNERS: [&str; 2] = ["eval", "exec"];
/// Functions that take a path to what they change or load (Python's `mock`, pytest, `importlib`, Django).
const BY_PATH: [&str; 6] = ["patch", "setattr", "delattr", "import_module", "import_string", "resolve_name"];
/// Methods of dictionaries that take a key first.
const KEYED: [&str; 4] = ["get", "pop", "setdefault", "__getitem__"];
/// Arguments that list the members of a double (Python's `mock`).
const SPECIFYING: [&str; 2] = ["spec", "spec_set"];
/// Arguments that are arguments for somebody else (`threading`, `multiprocessing`, `sched`, task queues).
const HANDED_ON: [&str; 2] = ["kwargs", "kwds"];

/// Finds the strings that name `name` in one of these ways, with the place of the word.
pub fn spoken(tree: &Tree, text: &str, name: &str) -> Vec<(Span, Spoken)> {
    let contents = tree.nodes().iter().filter(|node| node.is("string_content") && node.text(text).contains(name));
    contents.flat_map(|content| in_string(content, text, name)).collect()
}

/// The words in the strings of a node that read `name`.
pub fn words_in(node: Node<'_>, text: &str, name: &str) -> Vec<Span> {
    let contents = node.descendants().filter(|inner| inner.is("string_content"));
    contents.flat_map(|content| words(content, text, name)).collect()
}

fn words(content: Node<'_>, text: &str, name: &str) -> Vec<Span> {
    let at = |word: Span| Span::new(content.start() + word.start, content.start() + word.end);
    whole_words(content.text(text), name).into_iter().map(at).collect()
}

fn in_string(content: Node<'_>, text: &str, name: &str) -> Vec<(Span, Spoken)> {
    let all = |spoken: Spoken| words(content, text, name).into_iter().map(|word| (word, spoken)).collect();
    let Some(outer) = content.parent().and_then(Node::parent) else { return Vec::new() };
    if outer.is("argument_list") {
        let called = outer.parent().and_then(|call| call.child("function")).map_or("", |function| function.text(text));
        match called.rsplit('.').next().unwrap_or_default() {
            last if GETTERS.contains(&last) => return all(Spoken::Member),
            _ if RUNNERS.contains(&called) => return all(Spoken::Code),
            _ => {}
        }
    }
    if ends_path(content, text) {
        return all(Spoken::Path);
    }
    if is_set_up(content, outer, text) {
        return all(Spoken::Member);
    }
    if content.text(text) == name
        && let Some(spoken) = reduced(outer, text).or_else(|| key(content, outer, text))
    {
        return vec![(content.span(), spoken)];
    }
    let formatted = |word: Span| Some((word, in_format(content, word, text)?));
    words(content, text, name).into_iter().filter_map(formatted).collect()
}

/// A string that `__reduce__` returns names what the object is, at the top of its module (Python's `pickle`).
fn reduced(outer: Node<'_>, text: &str) -> Option<Spoken> {
    let function =
        outer.ancestors().find(|node| node.is("function_definition")).filter(|_| outer.is("return_statement"));
    let is_reducing = |own: Node<'_>| matches!(own.text(text), "__reduce__" | "__reduce_ex__");
    function?.child("name").is_some_and(is_reducing).then_some(Spoken::Global)
}

/// Tells whether a string is the end of a path that a call is given: what is before it is put in, or added to it.
fn ends_path(content: Node<'_>, text: &str) -> bool {
    let path = content.text(text);
    let is_path = path.starts_with('.') && path.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '.'));
    let Some(string) = content.parent().filter(|_| is_path) else { return false };
    let is_filled = string.children().any(|part| part.is("interpolation") && part.end() == content.start());
    let sum = string.parent().filter(|outer| outer.is("binary_operator") && outer.child("right") == Some(string));
    let whole = sum.unwrap_or(string);
    let argument = whole.parent().filter(|outer| outer.is("keyword_argument")).unwrap_or(whole);
    let call = argument.parent().filter(|outer| outer.is("argument_list")).and_then(Node::parent);
    let called = call.and_then(|call| call.child("function")).map_or("", |function| function.text(text));
    (is_filled || sum.is_some()) && BY_PATH.contains(&called.rsplit('.').next().unwrap_or_default())
}

/// Tells whether a key says by its path what a double returns: `Mock(**{"run.return_value": 2})` (Python's `mock`). No
/// argument has such a name.
fn is_set_up(content: Node<'_>, outer: Node<'_>, text: &str) -> bool {
    let is_key = outer.is("pair") && outer.child("key").is_some_and(|key| key.span().contains(content.span()));
    let dictionary = outer.parent().filter(|_| is_key && content.text(text).contains('.'));
    dictionary.and_then(Node::parent).is_some_and(|around| around.is("dictionary_splat"))
}

/// A key of what holds names: of a namespace, or of arguments for a call that another makes.
fn key(content: Node<'_>, outer: Node<'_>, text: &str) -> Option<Spoken> {
    if is_specified(outer, text) {
        return Some(Spoken::Member);
    }
    let held = |dictionary: Node<'_>| namespace(dictionary, text).or_else(|| of_class_body(dictionary, text));
    if outer.is("subscript") {
        return held(outer.child("value")?);
    }
    if outer.is("comparison_operator") {
        return held(outer.named_children().nth(1)?);
    }
    if let Some(called) = outer.parent().filter(|_| outer.is("argument_list")).and_then(|call| call.child("function")) {
        let is_first = outer.named_children().next().is_some_and(|first| first.span().contains(content.span()));
        let is_keyed = called.child("attribute").is_some_and(|own| KEYED.contains(&own.text(text)));
        return held(called.child("object").filter(|_| is_first && is_keyed)?);
    }
    let dictionary = outer.parent().filter(|_| outer.is("pair")).filter(|outer| outer.is("dictionary"))?;
    let is_key = outer.child("key").is_some_and(|key| key.span().contains(content.span()));
    if let Some(comparison) = dictionary.parent().filter(|outer| is_key && outer.is("comparison_operator")) {
        return comparison.named_children().filter(|other| *other != dictionary).find_map(held);
    }
    let argument = dictionary.parent().filter(|outer| outer.is("keyword_argument"))?;
    (is_key && HANDED_ON.contains(&argument.child("name")?.text(text))).then_some(Spoken::Argument)
}

/// Tells whether a list says which members a double has: `Mock(spec=["close"])` (Python's `mock`).
fn is_specified(list: Node<'_>, text: &str) -> bool {
    let argument = list.parent().filter(|outer| list.is_any(&["list", "tuple", "set"]) && outer.is("keyword_argument"));
    argument.and_then(|it| it.child("name")).is_some_and(|own| SPECIFYING.contains(&own.text(text)))
}

/// Tells whether a dictionary is what a class's body has bound, as its metaclass gets it: the fourth parameter of
/// `__new__` and `__init__` (Python's data model).
fn of_class_body(dictionary: Node<'_>, text: &str) -> Option<Spoken> {
    let function = dictionary.ancestors().find(|outer| outer.is("function_definition"))?;
    let is_making = function.child("name").is_some_and(|own| matches!(own.text(text), "__new__" | "__init__"));
    let class = function.ancestors().find(|outer| outer.is("class_definition")).filter(|_| is_making)?;
    let bases = class.child("superclasses")?;
    let mut names = bases.descendants().filter(|node| node.is("identifier")).map(|base| base.text(text));
    let is_meta = names.any(|base| base == "type" || base.ends_with("Meta") || base.ends_with("Metaclass"));
    let fourth = function.child("parameters").filter(|_| is_meta)?.named_children().nth(3)?;
    let own = fourth.walk_until(|_| false).find(|node| node.is("identifier"))?;
    (own.text(text) == dictionary.text(text)).then_some(Spoken::Member)
}

/// What a dictionary holds that Python makes of the names of something, or a copy of such a one.
fn namespace(dictionary: Node<'_>, text: &str) -> Option<Spoken> {
    match dictionary.text(text) {
        "globals()" => return Some(Spoken::Global),
        "locals()" => return Some(Spoken::Local),
        _ => {}
    }
    let assigned = assigned(dictionary, text);
    let mut made = std::iter::once(dictionary).chain(assigned.iter().copied()).map(|one| one.text(text));
    if made.clone().any(is_of_members) || is_state(dictionary, text) {
        return Some(Spoken::Member);
    }
    if made.clone().any(|made| made.ends_with(".f_locals")) {
        return Some(Spoken::Frame);
    }
    let is_of_arguments = |made: &str| made.ends_with(".parameters") || made.ends_with(".arguments");
    let is_inspected = made.clone().any(|made| made.contains("signature("));
    let is_hinted = |made: &str| made.ends_with(".__annotations__") || made.contains("get_type_hints(");
    (made.clone().any(is_hinted) || is_inspected && made.any(is_of_arguments)).then_some(Spoken::Argument)
}

/// What the variable at the beginning of an expression is assigned in its function.
fn assigned<'t>(expression: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let Some(name) = expression.walk_until(|_| false).find(|node| node.is("identifier")) else { return Vec::new() };
    let around = expression.ancestors().find(|outer| outer.is_any(&["function_definition", "module"]));
    let assignments = around.into_iter().flat_map(Node::descendants).filter(|node| node.is("assignment"));
    let own = assignments.filter(|it| it.child("left").is_some_and(|left| left.text(text) == name.text(text)));
    own.filter_map(|it| it.child("right")).collect()
}

/// Tells whether an expression is an object's dictionary of members, or a copy of it (Python's `copy` and `pickle`).
fn is_of_members(made: &str) -> bool {
    let is_whole = |made: &str| made.ends_with(".__dict__") || made.starts_with("vars(");
    let copied = ["dict(", "copy(", "copy.copy(", "deepcopy(", "copy.deepcopy(", "{**"];
    let inner = copied.iter().find_map(|call| made.strip_prefix(call)).map(|inner| inner.trim_end_matches([')', '}']));
    let is_listed = ["asdict(", "._asdict(", ".model_dump("].iter().any(|call| made.contains(call));
    is_whole(made.strip_suffix(".copy()").unwrap_or(made))
        || is_listed && made.ends_with(')')
        || inner.is_some_and(|inner| is_whole(inner) || inner.starts_with("vars("))
        || made.ends_with("__getstate__()")
        || made.ends_with("object.__getstate__(self)")
}

/// Tells whether a variable is the dictionary that `__setstate__` is given to take its members from.
fn is_state(dictionary: Node<'_>, text: &str) -> bool {
    let function = dictionary.ancestors().find(|outer| outer.is("function_definition"));
    let is_setting = |own: Node<'_>| own.text(text) == "__setstate__";
    let setting = function.filter(|it| it.child("name").is_some_and(is_setting) && it.text(text).contains("__dict__"));
    let second = setting.and_then(|it| it.child("parameters")?.named_children().nth(1));
    let own = second.and_then(|it| it.walk_until(|_| false).find(|node| node.is("identifier")));
    own.is_some_and(|own| own.text(text) == dictionary.text(text))
}

/// A field of a string that is filled in later (Python's format strings): `{0.x}` asks for a member, `{x}` and `%(x)s`
/// for what the statement fills in.
fn in_format(content: Node<'_>, word: Span, text: &str) -> Option<Spoken> {
    let (before, after) = (text.get(content.start()..word.start)?, text.get(word.end..content.end())?);
    let opened = before.rfind('{').filter(|at| !before[*at..].contains('}')).map(|at| &before[at + 1..]);
    let is_closed = after.find('}').is_some_and(|at| !after[..at].contains('{'));
    let is_path = |path: &str| path.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '.' | '[' | ']'));
    if let Some(path) = opened.filter(|path| is_closed && path.ends_with('.') && is_path(path)) {
        // A sentence in braces is no field: one begins with a name or a number, or with nothing.
        return (!path.contains("..")).then_some(Spoken::Member);
    }
    let is_field = opened == Some("") && is_closed || before.ends_with("%(") && after.starts_with(')');
    let statement = content.ancestors().find(|node| node.kind().ends_with("statement"))?.text(text);
    let filled = |how: &str| is_field && statement.contains(how);
    match () {
        () if filled("locals()") => Some(Spoken::Local),
        () if filled("globals()") => Some(Spoken::Global),
        () if ["vars(", "__dict__", "asdict(", "model_dump("].into_iter().any(filled) => Some(Spoken::Member),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    #[test]
    fn strings_that_name_something_as_the_program_runs() {
        let said = [
            ("attrgetter('x.y')", Some(Spoken::Member)),
            ("operator.methodcaller('x')", Some(Spoken::Member)),
            ("eval('x + 1')", Some(Spoken::Code)),
            ("model.eval('x')", None),
            ("globals()['x']()", Some(Spoken::Global)),
            ("vars(o)['x']", Some(Spoken::Member)),
            ("row['x']", None),
            ("row._asdict()['x']", Some(Spoken::Member)),
            ("def f(o):\n made = asdict(o)\n made['x']", Some(Spoken::Member)),
            ("'{x}'.format(**row._asdict())", Some(Spoken::Member)),
            ("Thread(target=f, kwargs={'x': 1})", Some(Spoken::Argument)),
            ("Thread(target=f, kwargs={'a': 'x'})", None),
            ("'{0.x} {b}'.format(o)", Some(Spoken::Member)),
            ("'{order.x!r:>3}'", Some(Spoken::Member)),
            ("'{x}'.format(x=1)", None),
            ("'%(x)s' % vars(o)", Some(Spoken::Member)),
            ("'%(x)s' % locals()", Some(Spoken::Local)),
            ("sys._getframe(1).f_locals['x']", Some(Spoken::Frame)),
            ("Template('${x}').substitute(locals())", Some(Spoken::Local)),
            ("'{x}'.format(**o.__dict__)", Some(Spoken::Member)),
            ("'{ see o.x }'", None),
            ("def __reduce__(self): return 'x'", Some(Spoken::Global)),
            ("def other(self): return 'x'", None),
            ("patch(f'{MODULE}.x')", Some(Spoken::Path)),
            ("mocker.patch(MODULE + '.x')", Some(Spoken::Path)),
            ("patch(target=MODULE + '.x')", Some(Spoken::Path)),
            ("open(f'{stem}.x')", None),
            ("class M(type):\n def __new__(mcs, name, bases, ns: dict): ns['x']", Some(Spoken::Member)),
            ("class M(type):\n def __init__(cls, name, bases, ns): ns.get('x', 1)", Some(Spoken::Member)),
            ("class M(EnumMeta):\n def __new__(mcs, name, bases, ns): 'x' in ns", Some(Spoken::Member)),
            ("class M(type):\n def __new__(mcs, name, bases, ns): name['x']", None),
            ("class M(Base):\n def __init__(self, name, bases, ns): ns['x']", None),
            ("def __getstate__(self):\n state = self.__dict__.copy()\n del state['x']", Some(Spoken::Member)),
            ("def copied(o):\n state = {**vars(o)}\n state.pop('x')", Some(Spoken::Member)),
            ("def __reduce__(self):\n state = super().__getstate__()\n 'x' in state", Some(Spoken::Member)),
            ("def __setstate__(self, state):\n state['x']\n self.__dict__.update(state)", Some(Spoken::Member)),
            ("def __setstate__(self, state):\n self.x = state['x']", None),
            ("def other(o):\n state = {}\n state['x']", None),
            ("signature(f).parameters['x']", Some(Spoken::Argument)),
            ("def bound(f):\n it = signature(f).bind(1)\n it.arguments.get('x')", Some(Spoken::Argument)),
            ("request.parameters['x']", None),
            ("self.__annotations__['x']", Some(Spoken::Argument)),
            ("Mock(**{'x.return_value': 2})", Some(Spoken::Member)),
            ("{'x.y': 2}", None),
            ("'x'", None),
        ];
        for (text, wanted) in said {
            let found = spoken(&Tree::parse(Language::Python, text), text, "x");
            assert_eq!(found.first().map(|(_, spoken)| *spoken), wanted, "{text}");
        }
    }
}
