//! Imports of a program's own files that lead to none. What other packages give is not looked for.

use std::sync::Arc;

use super::body::{Body, Event, What};
use super::modules::Modules;
use crate::audit::problems::Unresolved;
use crate::audit::sources::{Source, Sources};
use crate::syntax::python::{FromImport, ImportKind, Imported, imports, lex};
use crate::syntax::{Family, Node};

/// Lists the relative imports of some files that lead nowhere.
pub(in crate::audit) fn lost_imports(sources: &Sources, files: &[Arc<Source>]) -> Vec<Unresolved> {
    let mut lost = Vec::new();
    for family in [Family::Python, Family::Script] {
        let files: Vec<_> = files.iter().filter(|source| source.language.family() == family).collect();
        if files.is_empty() {
            continue;
        }
        let modules = Modules::new(sources, family);
        let of_file = |source: &Source| match family {
            Family::Python => python(&modules, source),
            _ => script(sources, &modules, source),
        };
        lost.extend(files.into_iter().flat_map(|source| of_file(source)));
    }
    lost
}

fn python(modules: &Modules<'_>, source: &Source) -> Vec<Unresolved> {
    let text = source.text();
    let relative = imports(text, &lex(text)).into_iter().filter_map(|import| match import.kind {
        ImportKind::From(from) if from.level > 0 => Some(from),
        _ => None,
    });
    let lost = relative.filter(|from| !is_there(modules, source, from));
    lost.map(|from| row(source, from.source.start, from.source.of(text).unwrap_or_default())).collect()
}

/// Tells whether the module is there, or every name as a module of its own: a package needs no `__init__.py`.
fn is_there(modules: &Modules<'_>, source: &Source, from: &FromImport) -> bool {
    let dots = ".".repeat(from.level);
    let module = from.module.as_ref().map(|module| module.texts().join(".")).unwrap_or_default();
    let dot = if module.is_empty() { "" } else { "." };
    modules.find(source, &format!("{dots}{module}")).is_some()
        || match &from.imported {
            Imported::Star => false,
            Imported::Names(names) => names
                .iter()
                .all(|item| modules.find(source, &format!("{dots}{module}{dot}{}", item.name.text)).is_some()),
        }
}

fn script(sources: &Sources, modules: &Modules<'_>, source: &Source) -> Vec<Unresolved> {
    let text = source.text();
    let written = source.tree().nodes().iter().filter_map(|node| specifier(node, text));
    let relative = written.filter(|(_, module)| module.starts_with("./") || module.starts_with("../"));
    let is_lost = |module: &str| {
        // What is no source, such as a style sheet, has only to lie there.
        let at = source.path.parent().and_then(|dir| dir.join(module.split('?').next().unwrap_or(module)));
        modules.find(source, module).is_none() && !at.is_some_and(|path| sources.exists(&path))
    };
    let lost = relative.filter(|(_, module)| is_lost(module));
    lost.map(|(at, module)| row(source, at, &module)).collect()
}

/// Returns the module that a node names: of `import … from "m"`, `export … from "m"`, `require("m")`, `import("m")`.
fn specifier(node: Node<'_>, text: &str) -> Option<(usize, String)> {
    let literal = match node.kind() {
        "import_statement" | "export_statement" => node.child("source")?,
        "call_expression" => {
            let called = node.child("function")?;
            let is_import = called.text(text) == "require" || called.is("import");
            node.child("arguments").filter(|_| is_import)?.named_children().next()?
        }
        _ => return None,
    };
    let module = literal.text(text).trim_matches(['"', '\'']).to_owned();
    literal.is("string").then_some((literal.start(), module))
}

impl Body<'_, '_> {
    /// Tells of a call by a name of the project's own that leads to nothing. Methods of values are told as calls.
    pub(in crate::audit) fn lost_call(&self, event: &Event) -> Option<Unresolved> {
        let What::Outward { written, known: None, kind: "own" | "super" } = &event.what else { return None };
        Some(Unresolved {
            file: self.unit.source.name().to_owned(),
            location: self.unit.source.location(event.at),
            kind: "call",
            name: written.clone(),
            reason: format!("in `{}`: what is called is not known", self.site.name),
        })
    }
}

fn row(source: &Source, at: usize, name: &str) -> Unresolved {
    Unresolved {
        file: source.name().to_owned(),
        location: source.location(at),
        kind: "import",
        name: name.to_owned(),
        reason: "it leads to no file of the project".to_owned(),
    }
}
