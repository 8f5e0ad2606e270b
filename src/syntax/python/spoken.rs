//! Strings by which a Python program names something as it runs: `attrgetter("total")`, `"{0.total}".format(order)`,
//! `Thread(target=work, kwargs={"width": 2})`. What they mean no server says.

use crate::syntax::{Node, Tree, whole_words};
use crate::text::Span;

/// What a string can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spoken {
    /// A member of some object: `attrgetter("x")`, `vars(o)["x"]`, `"{0.x}".format(o)`, `"%(x)s" % vars(o)`.
    Member,
    /// A name of its module: `globals()["x"]`, the string that `__reduce__` returns.
    Global,
    /// A variable of its function: `"%(x)s" % locals()`.
    Local,
    /// An argument that is handed on: `kwargs={"x": 2}`.
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
    let argument = sum.unwrap_or(string);
    let call = argument.parent().filter(|outer| outer.is("argument_list")).and_then(Node::parent);
    let called = call.and_then(|call| call.child("function")).map_or("", |function| function.text(text));
    (is_filled || sum.is_some()) && BY_PATH.contains(&called.rsplit('.').next().unwrap_or_default())
}

/// A key of what holds names: of a namespace, or of arguments for a call that another makes.
fn key(content: Node<'_>, outer: Node<'_>, text: &str) -> Option<Spoken> {
    if outer.is("subscript") {
        let value = outer.child("value")?;
        return namespace(value.text(text)).or_else(|| of_class_body(value, text));
    }
    if outer.is("comparison_operator") {
        return of_class_body(outer.named_children().nth(1)?, text);
    }
    if let Some(called) = outer.parent().filter(|_| outer.is("argument_list")).and_then(|call| call.child("function")) {
        let is_first = outer.named_children().next().is_some_and(|first| first.span().contains(content.span()));
        let is_keyed = called.child("attribute").is_some_and(|own| KEYED.contains(&own.text(text)));
        return of_class_body(called.child("object").filter(|_| is_first && is_keyed)?, text);
    }
    let dictionary = outer.parent().filter(|_| outer.is("pair")).filter(|outer| outer.is("dictionary"))?;
    let argument = dictionary.parent().filter(|outer| outer.is("keyword_argument"))?;
    let is_key = outer.child("key").is_some_and(|key| key.span().contains(content.span()));
    (is_key && HANDED_ON.contains(&argument.child("name")?.text(text))).then_some(Spoken::Argument)
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

/// What a dictionary holds that Python makes of the names of something.
fn namespace(value: &str) -> Option<Spoken> {
    match value {
        "globals()" => Some(Spoken::Global),
        "locals()" => Some(Spoken::Local),
        _ if value.ends_with(".__dict__") || value.starts_with("vars(") => Some(Spoken::Member),
        _ => None,
    }
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
        () if filled("vars(") || filled("__dict__") => Some(Spoken::Member),
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
            ("Thread(target=f, kwargs={'x': 1})", Some(Spoken::Argument)),
            ("Thread(target=f, kwargs={'a': 'x'})", None),
            ("'{0.x} {b}'.format(o)", Some(Spoken::Member)),
            ("'{order.x!r:>3}'", Some(Spoken::Member)),
            ("'{x}'.format(x=1)", None),
            ("'%(x)s' % vars(o)", Some(Spoken::Member)),
            ("'%(x)s' % locals()", Some(Spoken::Local)),
            ("'{x}'.format(**o.__dict__)", Some(Spoken::Member)),
            ("'{ see o.x }'", None),
            ("def __reduce__(self): return 'x'", Some(Spoken::Global)),
            ("def other(self): return 'x'", None),
            ("patch(f'{MODULE}.x')", Some(Spoken::Path)),
            ("mocker.patch(MODULE + '.x')", Some(Spoken::Path)),
            ("open(f'{stem}.x')", None),
            ("class M(type):\n def __new__(mcs, name, bases, ns: dict): ns['x']", Some(Spoken::Member)),
            ("class M(type):\n def __init__(cls, name, bases, ns): ns.get('x', 1)", Some(Spoken::Member)),
            ("class M(EnumMeta):\n def __new__(mcs, name, bases, ns): 'x' in ns", Some(Spoken::Member)),
            ("class M(type):\n def __new__(mcs, name, bases, ns): name['x']", None),
            ("class M(Base):\n def __init__(self, name, bases, ns): ns['x']", None),
            ("'x'", None),
        ];
        for (text, wanted) in said {
            let found = spoken(&Tree::parse(Language::Python, text), text, "x");
            assert_eq!(found.first().map(|(_, spoken)| *spoken), wanted, "{text}");
        }
    }
}
