//! Names with two underscores on either side.

use crate::syntax::Node;

/// Methods that answer for names that their class does not declare (Language Reference § 3.3.2).
pub const ANSWERING: [&str; 2] = ["__getattr__", "__getattribute__"];

/// What Python and its standard library look up under a name of that form, without its underscores and in order: the special
/// names of the Language Reference (§ 3 Data model) and those that 3.11 to 3.14's library asks objects, classes and modules for.
#[rustfmt::skip]
const LOOKED_UP: &[&str] = &[
    "abs", "abstractmethods", "add", "aenter", "aexit", "aiter", "all", "and", "anext", "annotate", "annotations",
    "args", "await", "bases", "bool", "bound", "buffer", "build_class", "bytes", "call", "cause", "ceil", "class",
    "class_getitem", "classcell", "closure", "code", "complex", "constraints", "contains", "context", "contravariant",
    "copy", "covariant", "dataclass_fields", "dataclass_params", "debug", "deepcopy", "default", "defaults", "del",
    "delattr", "delete", "delitem", "dict", "dictoffset", "dir", "divmod", "doc", "enter", "eq", "exit", "file",
    "firstlineno", "float", "floor", "floordiv", "format", "fspath", "func", "future", "ge", "get", "getattr",
    "getattribute", "getformat", "getinitargs", "getitem", "getnewargs", "getnewargs_ex", "getstate", "globals", "gt",
    "hash", "iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "index", "init", "init_subclass",
    "instancecheck", "int", "invert", "ior", "ipow", "irshift", "isabstractmethod", "isub", "iter", "itruediv",
    "ixor", "kwdefaults", "le", "len", "length_hint", "loader", "lshift", "lt", "main", "match_args", "matmul",
    "members", "metadata", "missing", "mod", "module", "mro", "mro_entries", "mul", "name", "ne", "neg", "new",
    "next", "notes", "objclass", "optional_keys", "or", "order", "orig_bases", "orig_class", "origin", "package",
    "parameters", "path", "pos", "post_init", "pow", "prepare", "qualname", "radd", "rand", "rdivmod", "reduce",
    "reduce_ex", "release_buffer", "replace", "repr", "required_keys", "reversed", "rfloordiv", "rlshift", "rmatmul",
    "rmod", "rmul", "ror", "round", "rpow", "rrshift", "rshift", "rsub", "rtruediv", "rxor", "self", "set",
    "set_name", "setattr", "setitem", "setstate", "signature", "sizeof", "slotnames", "slots", "spec",
    "static_attributes", "str", "sub", "subclasscheck", "subclasses", "subclasshook", "supertype", "suppress_context",
    "test", "text_signature", "total", "traceback", "truediv", "trunc", "type_params", "typing_prepare_subst",
    "typing_subst", "unittest_skip", "unittest_skip_why", "value", "version", "warningregistry", "weakref", "wrapped",
    "xor",
];

/// What every object of Python has that is asked of it by its name (Data model, § 3.3.1 and the attributes of `object`).
#[rustfmt::skip]
pub const OF_ALL_OBJECTS: &[&str] = &[
    "__class__", "__delattr__", "__dir__", "__doc__", "__eq__", "__format__", "__ge__", "__getattribute__",
    "__getstate__", "__gt__", "__hash__", "__le__", "__lt__", "__module__", "__ne__", "__reduce__", "__reduce_ex__",
    "__repr__", "__setattr__", "__sizeof__", "__str__",
];

/// Tells whether a name has the form that is kept for the language; libraries give meanings to such names as well (`__html__`).
pub fn has_special_form(name: &str) -> bool {
    within(name).is_some()
}

/// Tells whether the language, or its standard library, looks something up under this name.
pub fn is_special_name(name: &str) -> bool {
    within(name).is_some_and(|name| LOOKED_UP.binary_search(&name).is_ok())
}

fn within(name: &str) -> Option<&str> {
    name.strip_prefix("__")?.strip_suffix("__").filter(|within| !within.trim_matches('_').is_empty())
}

/// Tells whether an expression is the class of some object: `type(x)`, `x.__class__`.
pub fn is_class_of_object(node: Node<'_>, text: &str) -> bool {
    let is_called = node.child("function").is_some_and(|it| it.text(text) == "type");
    node.is("call") && is_called || node.child("attribute").is_some_and(|it| it.text(text) == "__class__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_up_in_order() {
        assert!(LOOKED_UP.is_sorted());
        assert!(is_special_name("__len__") && is_special_name("__xor__") && is_special_name("__abs__"));
        assert!(!is_special_name("__output__") && has_special_form("__output__"));
        assert!(["len", "__len", "____", "_____", "_len_"].iter().all(|name| !has_special_form(name)));
    }
}
