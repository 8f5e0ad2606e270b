//! Which files a script imports, read without a tree where it says that it is a module.

use super::listing::{Listing, Moved};
use super::project_files::World;
use super::specifiers::{may_load, quoted};
use crate::session::Sources;
use crate::syntax::{Language, Node, Tree, is_any_function};
use crate::text::{AbsPath, RelPath};

/// What one text shows of its imports, whatever other files there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::refactor::moves) struct Imports {
    specifiers: Vec<String>,
    /// Whether the whole program sees what stands in it: without an import or an export a file is no module, and what it declares
    /// is everybody's; some modules declare for others (TypeScript handbook, Global Modifying Module).
    pub is_global: bool,
}

impl Imports {
    pub(in crate::refactor::moves) fn of(language: Language, text: &str) -> Self {
        let loads = quoted(text).filter(|content| may_load(text, *content)).filter_map(|content| content.of(text));
        let mut specifiers: Vec<String> = loads.map(str::to_owned).collect();
        specifiers.sort();
        specifiers.dedup();
        let begins = |line: &str| line.starts_with("import") || line.starts_with("export");
        let is_module = || text.lines().any(begins) || text.contains("require(") || text.contains("exports");
        let declares = text.contains("declare global") || text.contains("declare module");
        Self { specifiers, is_global: declares || !is_module() && declares_something(language, text) }
    }

    /// Returns the last parts of the specifiers, without endings.
    pub(in crate::refactor::moves) fn stems(&self) -> impl Iterator<Item = &str> {
        self.specifiers.iter().map(|specifier| {
            let last = specifier.rsplit('/').next().unwrap_or_default();
            super::specifier_endings::split(last).0
        })
    }
}

/// Tells whether a script that is no module gives something a name: a declaration at its top, a `var` in any of its blocks, an
/// assignment to an object that may be the global one.
fn declares_something(language: Language, text: &str) -> bool {
    let tree = Tree::parse(language, text);
    let is_named = |it: &Node<'_>| {
        it.kind().ends_with("_declaration") || it.is_any(&["ambient_declaration", "internal_module", "module", "ERROR"])
    };
    let is_set = |it: Node<'_>| it.is("variable_declaration") || it.is("assignment_expression");
    let root = tree.nodes().root();
    root.named_children().any(|it| is_named(&it)) || root.walk_until(is_any_function).any(is_set)
}

/// Calls `work` with what finds the files that a script imports.
pub(in crate::refactor::moves) fn resolver<T>(
    sources: &Sources,
    work: impl FnOnce(&dyn Fn(&AbsPath, &Imports) -> Vec<AbsPath>) -> T,
) -> T {
    let root = sources.disk().root();
    let listing = Listing::new(sources, &Moved::nothing());
    let world = World::before(&listing);
    work(&|path, imports| {
        let Some(importer) = path.relative_to(root) else { return Vec::new() };
        let resolved = imports.specifiers.iter().flat_map(|specifier| named(&world, &importer, specifier));
        resolved.map(|file| root.join_rel(&file)).collect()
    })
}

/// A script that declares its types in a file beside it is imported with both.
fn named(world: &World<'_>, importer: &RelPath, specifier: &str) -> Vec<RelPath> {
    let resolved = world.resolve(importer, specifier).or_else(|| world.resolve(importer, &format!("./{specifier}")));
    let Some(found) = resolved.map(|resolved| resolved.file) else { return Vec::new() };
    let stem = super::specifier_endings::split(found.file_name()).0.to_owned();
    let beside = [".d.ts", ".ts", ".tsx", ".js"].map(|ending| found.parent()?.join(&format!("{stem}{ending}")));
    let mut files: Vec<RelPath> = beside.into_iter().flatten().filter(|path| world.is_file(path)).collect();
    files.push(found);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_module_or_declares_for_others_is_seen_by_all() {
        let is_global = |text: &str| Imports::of(Language::TypeScript, text).is_global;
        assert!(is_global("declare const version: string;\n"));
        assert!(is_global("import a from './a';\ndeclare global { interface Window { a: number } }\n"));
        assert!(is_global("declare module 'x' {\n  export const a: number;\n}\n"));
        assert!(is_global("if (true) { var a = 1; }\n"));
        assert!(is_global("window.a = 1;\n"));
        assert!(is_global("'use strict';\nfunction a() {}\n"));
        assert!(is_global("declare namespace A { const a: number; }\n"));
        assert!(!is_global("it('loads', function () {\n  const b = import('./a');\n});\n"));
        assert!(!is_global("export const a = 1;\n"));
        assert!(!is_global("const a = require('./a');\nmodule.exports = a;\n"));
    }

    #[test]
    fn every_form_of_an_import_is_read() {
        let text = "import a from './a';\nexport * from \"./b\";\nlet t: import('./c').T;\n/// <reference path=\"d.d.ts\" />\nconst e = await import('./e');\nconst f = 'not/this';\n";
        assert_eq!(Imports::of(Language::TypeScript, text).specifiers, ["./a", "./b", "./c", "./e", "d.d.ts"]);
    }
}
