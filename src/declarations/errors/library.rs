//! What is known of functions outside the project: which raise nothing, and which raise what.

use super::site::{Arguments, Call};
use crate::refactor::is_standard;
use crate::text::AbsPath;

/// What a call of a library's function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    Raises(&'static str),
}

/// Built-in functions that raise nothing whatever they are handed, and call no method of it.
const SILENT: &[&str] = &["callable", "id", "isinstance", "issubclass", "object", "super", "type", "globals", "locals"];
/// Those that raise nothing where they are handed built-in values.
const SILENT_OF_PLAIN: &[&str] =
    &["bool", "enumerate", "frozenset", "len", "list", "repr", "reversed", "set", "str", "tuple", "zip"];
/// Methods of built-in types that raise nothing.
const METHODS: &[(&str, &[&str])] = &[
    (
        "str",
        &[
            "capitalize",
            "casefold",
            "count",
            "endswith",
            "find",
            "isalnum",
            "isalpha",
            "isascii",
            "isdecimal",
            "isdigit",
            "isidentifier",
            "islower",
            "isnumeric",
            "isprintable",
            "isspace",
            "istitle",
            "isupper",
            "lower",
            "lstrip",
            "removeprefix",
            "removesuffix",
            "replace",
            "rfind",
            "rstrip",
            "splitlines",
            "startswith",
            "strip",
            "swapcase",
            "title",
            "upper",
            "zfill",
        ],
    ),
    ("list", &["append", "clear", "copy", "reverse"]),
    ("dict", &["clear", "copy", "items", "keys", "values"]),
    ("set", &["clear", "copy"]),
    ("object", &["__init__", "__new__"]),
    ("BaseException", &["__init__", "__new__", "add_note", "with_traceback"]),
];
const ERRORS: &[&str] = &["Error", "Exception", "Exit", "Interrupt", "Iteration", "Warning"];
/// Functions of scripts' standard library that raise nothing.
const SCRIPT: &[&str] = &[
    "Array.isArray",
    "console.debug",
    "console.error",
    "console.info",
    "console.log",
    "console.warn",
    "Date.now",
    "Number.isFinite",
    "Number.isInteger",
    "Number.isNaN",
    "Object.is",
    "performance.now",
];
const SCRIPT_ERRORS: &[&str] =
    &["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError", "AggregateError"];

/// Returns what is known of what a call of Python leads to, by the file and the names of its declaration.
pub(super) fn python(path: &AbsPath, names: &[String], call: &Call) -> Option<Known> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    // A class that is called may be led to by its constructor.
    let called = call.written.rsplit('.').next().unwrap_or_default();
    if matches!(names.as_slice(), [class, "__init__" | "__new__"] if *class == called) {
        names.truncate(1);
    }
    match (module_of(path)?, names.as_slice()) {
        ("builtins", [name]) if SILENT.contains(name) => Some(Known::Nothing),
        ("builtins", [name]) if SILENT_OF_PLAIN.contains(name) && call.arguments == Arguments::Plain => {
            Some(Known::Nothing)
        }
        ("builtins", [name]) if is_error(name) => Some(Known::Nothing),
        ("builtins", ["exit" | "quit"]) | ("sys", ["exit"]) => Some(Known::Raises("SystemExit")),
        ("builtins", [class, method]) => {
            let methods = METHODS.iter().find(|(known, _)| known == class);
            let is_silent = methods.is_some_and(|(_, methods)| methods.contains(method));
            let is_made = is_error(class) && matches!(*method, "__init__" | "__new__");
            (is_silent || is_made).then_some(Known::Nothing)
        }
        ("typing", ["cast" | "TypeVar" | "NewType"]) | ("contextlib", ["suppress"]) => Some(Known::Nothing),
        _ => None,
    }
}

/// Tells whether an object of a class outside the project is made, and extended, without raising.
pub(super) fn is_silent_class(path: &AbsPath, name: &str) -> bool {
    match module_of(path) {
        Some("builtins") => name == "object" || is_error(name),
        Some("abc") => name == "ABC",
        Some("typing" | "typing_extensions") => matches!(name, "Generic" | "Protocol" | "NamedTuple" | "TypedDict"),
        _ => false,
    }
}

/// Returns what is known of a function of scripts by what is written, and by the interface that declares it.
pub(super) fn script(path: &AbsPath, written: &str, declared: Option<&str>) -> Option<Known> {
    let of_error = declared.and_then(|it| it.strip_suffix("Constructor")).unwrap_or(written);
    let is_made = SCRIPT_ERRORS.contains(&of_error);
    let is_silent = SCRIPT.contains(&written) || written.starts_with("Math.") && written != "Math.sumPrecise";
    (is_standard(path) && is_made || is_silent).then_some(Known::Nothing)
}

/// Tells whether a class of scripts' errors is named.
pub(super) fn is_script_error(name: &str) -> bool {
    SCRIPT_ERRORS.contains(&name)
}

fn is_error(name: &str) -> bool {
    ERRORS.iter().any(|end| name.ends_with(end)) && name.starts_with(char::is_uppercase)
}

/// Returns the name of a module of Python's standard library.
fn module_of(path: &AbsPath) -> Option<&str> {
    let (_, file) = path.as_str().rsplit_once("/stdlib/")?;
    let module = file.strip_suffix(".pyi")?;
    Some(module.strip_suffix("/__init__").unwrap_or(module))
}
