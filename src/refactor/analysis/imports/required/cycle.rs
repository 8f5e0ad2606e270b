//! Whether a module, when it is loaded, loads another one.

use std::collections::BTreeSet;

use super::python;
use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span};

/// So many modules are looked through at most.
const MOST: usize = 3000;
const SCRIPTS: &[&str] = &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/// Refuses to let a file import what another one has that imports it in turn.
pub(crate) fn check_apart(session: &Session, home: &Code, user: &Code) -> Result<(), Refusal> {
    if leads_to(session, &home.path, &user.path) {
        let reason = format!("`{}` and `{}` import each other", user.shown, home.shown);
        return Err(Refusal::NotPossible(reason));
    }
    Ok(())
}

/// Does the same where a name of the one file comes to stand at some places of the other. Scripts that import each other already go
/// on to get along where only functions, which run later, ask for it.
pub(crate) fn check_apart_at(session: &Session, home: &Code, user: &Code, places: &[Span]) -> Result<(), Refusal> {
    let is_late = places.iter().all(|span| function_of(user.covering(*span)).is_some());
    let is_known = user.family() == Family::Script && loaded(session, user).contains(&home.path);
    if is_late && is_known { Ok(()) } else { check_apart(session, home, user) }
}

/// Tells whether loading `start` loads `goal`, directly or through others.
pub(crate) fn leads_to(session: &Session, start: &AbsPath, goal: &AbsPath) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![start.clone()];
    while let Some(path) = open.pop() {
        if path == *goal || seen.len() > MOST {
            return true;
        }
        if !path.is_below(session.root()) || !seen.insert(path.clone()) {
            continue;
        }
        let Ok(code) = Code::known(session, &path) else { continue };
        open.extend(loaded(session, &code));
    }
    false
}

/// Tells whether loading a module loads something that loads the module in turn.
pub(crate) fn is_in_circle(session: &Session, code: &Code) -> bool {
    loaded(session, code).iter().any(|path| leads_to(session, path, &code.path))
}

/// Tells whether loading a module loads another one directly.
pub(super) fn loads(session: &Session, code: &Code, other: &AbsPath) -> bool {
    loaded(session, code).contains(other)
}

/// Returns the files that a module loads, the packages that it is in left aside.
fn loaded(session: &Session, code: &Code) -> Vec<AbsPath> {
    match code.family() {
        Family::Python => imported(session, code).into_iter().filter(|it| !is_around(it, &code.path)).collect(),
        _ => required(code),
    }
}

/// Tells whether a file is a package that a module is in: it has begun before the module has, however that is loaded.
pub(super) fn is_around(package: &AbsPath, module: &AbsPath) -> bool {
    let dir = package.parent().filter(|_| package.file_stem() == "__init__");
    dir.is_some_and(|dir| package != module && module.is_below(&dir))
}

/// Returns the files that a Python module loads when it is loaded itself: not those that its functions import.
fn imported(session: &Session, code: &Code) -> Vec<AbsPath> {
    let text = code.text();
    let is_typing = |node: &Node<'_>| {
        node.is("if_statement") && node.child("condition").is_some_and(|it| it.text(text).contains("TYPE_CHECKING"))
    };
    let early = code.root().walk_until(|node| node.is("function_definition") || is_typing(&node));
    let mut found = Vec::new();
    for statement in early.filter(|it| it.is_any(&["import_statement", "import_from_statement"])) {
        let names = statement.children_in("name").map(|it| it.child("name").unwrap_or(it).text(text));
        let Some(source) = statement.child("module_name") else {
            found.extend(names.flat_map(|name| files_of(session, code, name, None)));
            continue;
        };
        let module = source.text(text);
        let items: Vec<Option<&str>> = names.map(Some).chain([None]).collect();
        for item in items {
            found.extend(match module.starts_with('.') {
                true => python::relative(code, module).map(|path| files_at(&path, item)).unwrap_or_default(),
                false => files_of(session, code, module, item),
            });
        }
    }
    found
}

/// Returns the files of a dotted module with its packages, wherever it is found from a file.
pub(super) fn files_of(session: &Session, code: &Code, module: &str, item: Option<&str>) -> Vec<AbsPath> {
    let root = session.root();
    let mut dirs: Vec<AbsPath> =
        std::iter::successors(code.path.parent(), AbsPath::parent).take_while(|dir| dir.is_below(root)).collect();
    dirs.extend(root.join("src"));
    let parts: Vec<&str> = module.split('.').collect();
    for dir in dirs {
        let mut found = Vec::new();
        for count in 1..=parts.len() {
            let Ok(path) = dir.join(parts[..count].join("/")) else { continue };
            let item = if count == parts.len() { item } else { None };
            found.extend(files_at(&path, item));
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Returns the file of a module by its path without an ending, and that of a submodule.
pub(super) fn files_at(path: &AbsPath, item: Option<&str>) -> Vec<AbsPath> {
    let mut candidates = vec![AbsPath::new(format!("{path}.py")), path.join("__init__.py")];
    if let Some(item) = item {
        candidates.push(path.join(format!("{item}.py")));
        candidates.push(path.join(format!("{item}/__init__.py")));
    }
    candidates.into_iter().flatten().filter(|path| path.as_path().is_file()).collect()
}

/// Returns the files that a script loads when it is loaded: types it does not.
fn required(code: &Code) -> Vec<AbsPath> {
    let text = code.text();
    let statements = code.root().named_children().filter(|it| it.is_any(&["import_statement", "export_statement"]));
    let loads = statements.filter(|it| !it.children().any(|word| word.kind() == "type"));
    let sources = loads.filter_map(|it| it.child("source")).map(|it| it.text(text).trim_matches(['"', '\'']));
    let Some(dir) = code.path.parent() else { return Vec::new() };
    let paths = sources.filter(|it| it.starts_with('.')).filter_map(|it| dir.join(it).ok());
    paths.flat_map(|path| scripts_at(&path)).collect()
}

/// Returns the script at a path, with an ending or without.
pub(super) fn scripts_at(path: &AbsPath) -> Vec<AbsPath> {
    let cut = SCRIPTS.iter().find_map(|ending| path.as_str().strip_suffix(&format!(".{ending}")));
    let stems = [Some(path.as_str()), cut].into_iter().flatten();
    let candidates = stems.flat_map(|stem| {
        SCRIPTS.iter().flat_map(move |ending| [format!("{stem}.{ending}"), format!("{stem}/index.{ending}")])
    });
    let found = candidates.filter_map(|path| AbsPath::new(path).ok()).find(|path| path.as_path().is_file());
    found.into_iter().collect()
}
