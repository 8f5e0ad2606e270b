//! Calls that are known to change nothing: of built-in functions, and of methods of what the text shows to be a built-in.

use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::{Family, Node, is_parameter_property};

/// Built-in functions that change nothing.
const FUNCTIONS: &[&str] = &[
    "abs",
    "bool",
    "chr",
    "divmod",
    "float",
    "hash",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "max",
    "min",
    "ord",
    "pow",
    "repr",
    "round",
    "str",
    "type",
    "Array.isArray",
    "Boolean",
    "Number",
    "Number.isFinite",
    "Number.isInteger",
    "Number.isNaN",
    "Object.entries",
    "Object.keys",
    "Object.values",
    "String",
    "String.fromCharCode",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
];
/// Functions of scripts that change nothing but what they answer the next time.
const VARYING: &[&str] = &["Date.now", "Math.random", "crypto.randomUUID", "performance.now"];
/// Functions of Python's own modules that change nothing, by the names under which these are imported.
const OF_MODULES: &[&str] = &[
    "os.fspath",
    "os.path.abspath",
    "os.path.basename",
    "os.path.commonpath",
    "os.path.dirname",
    "os.path.exists",
    "os.path.isabs",
    "os.path.isdir",
    "os.path.isfile",
    "os.path.join",
    "os.path.normpath",
    "os.path.relpath",
    "os.path.split",
    "os.path.splitext",
    "re.escape",
    "textwrap.dedent",
    "textwrap.indent",
];
/// How many assignments are followed to what a variable holds.
const DEEPEST: usize = 4;

/// A built-in type with its methods that change nothing and call nobody back.
struct Known {
    methods: &'static [&'static str],
    /// How annotations begin that say it, type arguments left aside, and what makes one when it is called.
    types: &'static [&'static str],
    /// Literals of it.
    literals: &'static [&'static str],
}

const PYTHON: &[Known] = &[
    Known {
        methods: &["copy", "get", "items", "keys", "values"],
        types: &["dict", "Dict", "typing.Dict"],
        literals: &["dictionary", "dictionary_comprehension"],
    },
    Known {
        methods: &["copy", "count", "index"],
        types: &["list", "List", "tuple", "Tuple", "typing.List", "typing.Tuple"],
        literals: &["list", "list_comprehension", "tuple"],
    },
    Known {
        methods: &["copy", "isdisjoint", "issubset", "issuperset"],
        types: &["set", "frozenset", "Set", "FrozenSet", "typing.Set", "typing.FrozenSet"],
        literals: &["set", "set_comprehension"],
    },
    Known {
        methods: &[
            "capitalize",
            "casefold",
            "count",
            "encode",
            "endswith",
            "expandtabs",
            "find",
            "index",
            "isalnum",
            "isalpha",
            "isdecimal",
            "isdigit",
            "isidentifier",
            "islower",
            "isspace",
            "isupper",
            "ljust",
            "lower",
            "lstrip",
            "partition",
            "removeprefix",
            "removesuffix",
            "replace",
            "rfind",
            "rjust",
            "rpartition",
            "rsplit",
            "rstrip",
            "split",
            "splitlines",
            "startswith",
            "strip",
            "swapcase",
            "title",
            "upper",
            "zfill",
        ],
        types: &["str"],
        literals: &["string", "concatenated_string"],
    },
];

const SCRIPT: &[Known] = &[
    Known {
        methods: &["entries", "get", "has", "keys", "values"],
        types: &["Map", "ReadonlyMap", "ReadonlySet", "Set", "WeakMap", "WeakSet"],
        literals: &[],
    },
    Known {
        methods: &["at", "concat", "includes", "indexOf", "join", "lastIndexOf", "slice"],
        types: &["Array", "ReadonlyArray"],
        literals: &["array"],
    },
    Known {
        methods: &[
            "at",
            "charAt",
            "charCodeAt",
            "codePointAt",
            "concat",
            "endsWith",
            "includes",
            "indexOf",
            "lastIndexOf",
            "padEnd",
            "padStart",
            "repeat",
            "slice",
            "startsWith",
            "substring",
            "toLowerCase",
            "toUpperCase",
            "trim",
            "trimEnd",
            "trimStart",
        ],
        types: &["string"],
        literals: &["string", "template_string"],
    },
];

/// Tells whether a call changes nothing, its arguments left aside.
pub(crate) fn is_pure(names: &ScopedNames<'_>, code: &Code, call: Node<'_>) -> bool {
    let Some(callee) = call.child("function") else { return false };
    let written = callee.text(code.text());
    let Some(root) = root(callee) else { return false };
    let is_built_in = names.at(root).is_some_and(|name| name.is_free);
    if is_built_in && (FUNCTIONS.contains(&written) || written.starts_with("Math.") && written != "Math.random") {
        return true;
    }
    if code.family() == Family::Python && OF_MODULES.contains(&written) && is_module(names, code, root) {
        return true;
    }
    let method = callee.child("attribute").or_else(|| callee.child("property"));
    let (Some(object), Some(method)) = (callee.child("object"), method) else { return false };
    let table = if code.family() == Family::Python { PYTHON } else { SCRIPT };
    let known = table.iter().filter(|known| known.methods.contains(&method.text(code.text())));
    known.into_iter().any(|known| known.holds(names, code, object, DEEPEST))
}

/// Tells whether a call changes nothing, and answers anew each time.
pub(crate) fn varies(names: &ScopedNames<'_>, code: &Code, call: Node<'_>) -> bool {
    let Some(callee) = call.child("function").filter(|_| call.is("call_expression")) else { return false };
    let is_built_in = root(callee).and_then(|it| names.at(it)).is_some_and(|name| name.is_free);
    is_built_in && VARYING.contains(&callee.text(code.text()))
}

/// Returns what the members are asked of by which a callee is named: `os` in `os.path.join`.
fn root(callee: Node<'_>) -> Option<Node<'_>> {
    let member = |node: Node<'_>| node.is_any(&["attribute", "member_expression"]);
    std::iter::successors(Some(callee), |it| it.child("object").filter(|_| member(*it))).last()
}

/// Tells whether a name is a module that is imported whole.
fn is_module(names: &ScopedNames<'_>, code: &Code, root: Node<'_>) -> bool {
    let Some(name) = names.at(root) else { return false };
    let mut writes = names.writes(name.meaning).map(|write| code.covering(write.span)).peekable();
    writes.peek().is_some() && writes.all(|node| node.ancestors().any(|outer| outer.is("import_statement")))
}

impl Known {
    /// Tells whether an expression is one for sure, as far as declarations say.
    fn holds(&self, names: &ScopedNames<'_>, code: &Code, value: Node<'_>, depth: usize) -> bool {
        if value.is("parenthesized_expression") {
            return value.named_children().next().is_some_and(|it| self.holds(names, code, it, depth));
        }
        if value.is_any(self.literals) || self.is_made(names, code, value) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let declared: Vec<Node<'_>> = match names.at(value).filter(|_| value.is("identifier")) {
            Some(name) if name.is_free => return false,
            Some(name) => names.writes(name.meaning).map(|write| code.covering(write.span)).collect(),
            None => fields(code, value),
        };
        !declared.is_empty() && declared.iter().all(|it| self.is_declared(names, code, *it, depth - 1))
    }

    /// Tells whether an expression makes one: `new Map()`, `dict()`.
    fn is_made(&self, names: &ScopedNames<'_>, code: &Code, value: Node<'_>) -> bool {
        let maker = match value.kind() {
            "new_expression" => value.child("constructor"),
            "call" => value.child("function"),
            _ => None,
        };
        let is_free = |it: Node<'_>| names.at(it).is_some_and(|name| name.is_free);
        maker.is_some_and(|it| is_free(it) && self.types.contains(&it.text(code.text())))
    }

    /// Tells whether a declaration says it by its type, or by its value where it has no type.
    fn is_declared(&self, names: &ScopedNames<'_>, code: &Code, name: Node<'_>, depth: usize) -> bool {
        let whole = name.parent().filter(|it| it.is_any(&["attribute", "member_expression"])).unwrap_or(name);
        let Some(parent) = whole.parent() else { return false };
        if let Some(typed) = parent.child("type") {
            return self.is_said(typed.text(code.text()).trim_start_matches(':').trim());
        }
        let is_target = parent.child("left").or_else(|| parent.child("name")) == Some(whole);
        let value = parent.child("right").or_else(|| parent.child("value")).filter(|_| is_target);
        value.is_some_and(|value| self.holds(names, code, value, depth))
    }

    fn is_said(&self, annotation: &str) -> bool {
        let bare = annotation.split(['<', '[']).next().unwrap_or_default().trim();
        let is_array = annotation.ends_with("[]") && self.types.contains(&"Array") && !annotation.contains('|');
        is_array || self.types.contains(&bare) && !annotation.contains('|')
    }
}

/// Returns where a class declares or sets the member that an expression asks its own object for: names, or members.
fn fields<'c>(code: &'c Code, value: Node<'c>) -> Vec<Node<'c>> {
    let object = value.child("object").filter(|it| matches!(it.text(code.text()), "this" | "self"));
    let member = value.child("attribute").or_else(|| value.child("property"));
    let class = value.ancestors().find(|it| is_class(*it));
    let (Some(object), Some(member), Some(class)) = (object, member, class) else { return Vec::new() };
    let (object, member) = (object.text(code.text()), member.text(code.text()));
    const DECLARED: &[&str] = &["public_field_definition", "field_definition"];
    let is_name = |it: &Node<'c>| it.text(code.text()) == member;
    let is_declared = |it: &Node<'c>| {
        let outer = it.parent().filter(|_| is_name(it));
        outer.is_some_and(|outer| match outer.is_any(DECLARED) {
            true => outer.child("name") == Some(*it),
            // What a constructor takes as `private names: …` is a field, too.
            false => {
                outer.is("required_parameter") && outer.child("pattern") == Some(*it) && is_parameter_property(outer)
            }
        })
    };
    let is_set = |it: &Node<'c>| {
        let whole = it.parent().filter(|_| is_name(it) && matches!(it.field(), Some("attribute" | "property")));
        whole.is_some_and(|whole| {
            let outer = whole.parent().filter(|_| whole.field() == Some("left"));
            whole.child("object").is_some_and(|it| it.text(code.text()) == object)
                && outer.is_some_and(|it| it.is_any(&["assignment", "assignment_expression"]))
        })
    };
    let found: Vec<Node<'c>> = class.descendants().filter(|it| it.is_leaf() && is_declared(it)).collect();
    // What is declared with its type is no other when it is set.
    let is_typed = |it: &Node<'c>| it.parent().is_some_and(|outer| outer.child("type").is_some());
    if !found.is_empty() && found.iter().all(is_typed) {
        return found;
    }
    found.into_iter().chain(class.descendants().filter(|it| it.is_leaf() && is_set(it))).collect()
}
