//! Python's imports as a name is bound by them, and as they are written in another module.

use super::import::{Import, Module};
use crate::refactor::analysis::imports::typed::is_for_types;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::AbsPath;

/// Returns the import that binds a name; nothing where it hangs on something (`if`, `try`) but on who reads it.
pub(super) fn import_at(code: &Code, node: Node<'_>) -> Option<Import> {
    let statement = statement_of(node)?;
    let is_type = match statement.parent() {
        Some(outer) if outer.is("module") => false,
        outer => outer.is_some_and(|outer| outer.parent().is_some_and(|it| is_for_types(code, it))).then_some(true)?,
    };
    read(code, (statement, node), is_type)
}

/// Returns the import that binds a name where a module tries it: `try: import yaml`.
pub(super) fn tried_at(code: &Code, node: Node<'_>) -> Option<Import> {
    let statement = statement_of(node)?;
    let tried = statement.parent().filter(|it| it.field() == Some("body"))?.parent()?;
    let is_tried = tried.is("try_statement") && tried.parent().is_some_and(|it| it.is("module"));
    if is_tried { read(code, (statement, node), false) } else { None }
}

fn statement_of(name: Node<'_>) -> Option<Node<'_>> {
    name.ancestors().find(|it| it.is_any(&["import_statement", "import_from_statement"]))
}

fn read(code: &Code, (statement, node): (Node<'_>, Node<'_>), is_type: bool) -> Option<Import> {
    let text = code.text();
    let aliased = node.ancestors().find(|it| it.is("aliased_import"));
    let named = aliased.and_then(|it| it.child("name")).or_else(|| node.parent())?.text(text);
    let bound = node.text(text).to_owned();
    let Some(source) = statement.child("module_name") else {
        // `import a.b` binds `a`, by which `a.b` is known; `import a.b as a` takes the module alone.
        if let (Some(_), Some((package, module))) = (aliased, named.rsplit_once('.'))
            && named.split('.').next() == Some(bound.as_str())
        {
            let (module, item) = (Module::Named(package.to_owned()), Some(module.to_owned()));
            return Some(Import { module, item, bound, is_type });
        }
        let module = Module::Named(named.to_owned());
        return Some(Import { module, item: None, bound, is_type });
    };
    let module = source.text(text);
    let dots = module.len() - module.trim_start_matches('.').len();
    let module = if dots == 0 { Module::Named(module.to_owned()) } else { Module::File(relative(code, module)?) };
    Some(Import { module, item: Some(named.to_owned()), bound, is_type })
}

/// Returns the path that a relative module name leads to, without an ending.
pub(super) fn relative(code: &Code, module: &str) -> Option<AbsPath> {
    let rest = module.trim_start_matches('.');
    let mut dir = code.path.parent()?;
    for _ in 1..module.len() - rest.len() {
        dir = dir.parent()?;
    }
    if rest.is_empty() { Some(dir) } else { dir.join(rest.replace('.', "/")).ok() }
}

/// Writes an import for another module.
pub(super) fn written(import: &Import, to: &Code) -> String {
    let alias = |name: &str| if import.bound == name { String::new() } else { format!(" as {}", import.bound) };
    let module = match &import.module {
        Module::Named(module) => module.clone(),
        Module::File(path) => dotted(path, to),
    };
    match &import.item {
        Some(item) => format!("from {module} import {item}{}", alias(item)),
        None if module.split('.').next() == Some(import.bound.as_str()) => format!("import {module}"),
        None => format!("import {module} as {}", import.bound),
    }
}

/// Writes a path as a relative module name.
fn dotted(path: &AbsPath, to: &Code) -> String {
    let mut dir = to.path.parent();
    let mut dots = ".".to_owned();
    while let Some(here) = dir {
        if *path == here {
            return dots;
        }
        if let Some(below) = path.relative_to(&here) {
            return dots + &below.as_str().replace('/', ".");
        }
        dots.push('.');
        dir = here.parent();
    }
    dots
}

/// Returns the name by which another module is to import a file: relative where that module imports so.
pub(crate) fn module_seen_from(session: &Session, path: &AbsPath, to: &Code) -> String {
    let has_init = |dir: &AbsPath| dir.join("__init__.py").is_ok_and(|init| init.as_path().is_file());
    // A directory of a package is one, too, whether it says so or not.
    let is_package = |dir: &AbsPath| has_init(dir) || dir.parent().is_some_and(|outer| has_init(&outer));
    let mut top = path.parent();
    let mut dotted_parts = match path.file_stem() {
        "__init__" => Vec::new(),
        stem => vec![stem.to_owned()],
    };
    while let Some(dir) = top.as_ref().filter(|dir| is_package(dir) && dir.is_below(session.root())) {
        dotted_parts.insert(0, dir.file_name().to_owned());
        top = dir.parent();
    }
    // Another package beside this one has no dots that lead to it: what holds both may be none.
    let package = top.as_ref().zip(dotted_parts.first()).and_then(|(top, first)| top.join(first).ok());
    let is_same_package = package.is_some_and(|package| to.path.is_below(&package));
    let imports_relatively = to.root().descendants().any(|node| node.is("relative_import"));
    let to_is_inside = to.path.parent().is_some_and(|dir| is_package(&dir));
    if imports_relatively && to_is_inside && is_same_package && dotted_parts.len() > 1 {
        let own = if path.file_stem() == "__init__" { path.parent() } else { Some(super::stem(path)) };
        return own.map_or_else(|| dotted_parts.join("."), |own| dotted(&own, to));
    }
    let root = session.root();
    let is_root = |dir: &AbsPath| dir == root || dir.file_name() == "src" || to.path.parent().as_ref() == Some(dir);
    // Directories without `__init__.py` below the root are packages, too.
    while let Some(dir) = top.as_ref().filter(|dir| dir.is_below(root) && !is_root(dir)) {
        dotted_parts.insert(0, dir.file_name().to_owned());
        top = dir.parent();
    }
    dotted_parts.join(".")
}
