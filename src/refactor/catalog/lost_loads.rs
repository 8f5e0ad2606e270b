//! Modules that nobody loads any more after a plan, and that did something where they were loaded: told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::new_names::{Changed, ChangedFiles};
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::statements::{Texts, with_links};
use crate::refactor::moves::Importers;
use crate::refactor::moves::links::{Link, Links};
use crate::refactor::moves::python::with_modules;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::{Family, Node};
use crate::text::AbsPath;

/// Statements whose own statements run where the module is loaded.
const RUNNING: &[&str] = &[
    "block",
    "catch_clause",
    "else_clause",
    "except_clause",
    "finally_clause",
    "for_in_statement",
    "for_statement",
    "if_statement",
    "statement_block",
    "try_statement",
    "with_statement",
];
/// What a program does with others by itself.
const CALLS: &[&str] = &["await", "await_expression", "call", "call_expression", "new_expression"];
const ASSIGNMENTS: &[&str] =
    &["assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression"];
const MEMBERS: &[&str] = &["attribute", "member_expression", "subscript", "subscript_expression"];
/// How a module of CommonJS says what it hands out.
const HANDING: &[&str] = &["exports", "module"];
/// What is done where a file is the program itself, and what loads others.
const OF_MAIN: &str = "if __name__";
const LOADING: &str = "require";

/// Tells which files no longer load a module that others do not load.
pub(super) fn told(session: &Session, plan: &Plan, files: &ChangedFiles<'_>) -> Result<Vec<Warning>, Refusal> {
    let mut found = Vec::new();
    let text = |(path, file): (&&AbsPath, &Changed)| ((*path).clone(), Arc::clone(&file.after.text));
    let made = plan.creates().iter().map(|(path, text)| (path.clone(), Arc::new(text.clone())));
    let after: Texts = files.iter().map(text).chain(made).collect();
    for (path, file) in files {
        let leaves = |it: &AbsPath| plan.deletes().contains_key(it) || plan.moves().contains_key(it);
        if leaves(path) || !loads_less(file) {
            continue;
        }
        let lost = &loaded(session, path, &Texts::new())? - &loaded_in_turn(session, path, &after)?;
        for module in lost.into_iter().filter(|it| !leaves(it)) {
            let acting = Code::known(session, &module)?;
            if !stays_loaded(session, &module, &after)? && acts(session, &acting)? {
                let message =
                    format!("nobody loads `{}` any more, which does something when it is loaded", acting.shown);
                found.push(Warning::at(WarningKind::RunTime, message, (*path).clone(), None));
            }
        }
    }
    Ok(found)
}

/// Tells whether a file that loads a module goes on to do so.
fn stays_loaded(session: &Session, module: &AbsPath, after: &Texts) -> Result<bool, Refusal> {
    for importer in Importers::of(session).direct(module) {
        if !after.contains_key(importer) || loaded(session, importer, after)?.contains(module) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a file loses a statement by which it may load something.
fn loads_less(Changed { before, after }: &Changed) -> bool {
    const LOADING: &[&str] = &["call_expression", "export_statement", "import_from_statement", "import_statement"];
    let all = |it: &Parsed| -> BTreeSet<String> {
        let text = it.text.as_str();
        let loading = it.tree.nodes().iter().filter(|node| node.is_any(LOADING)).map(|node| node.text(text));
        let said = loading.filter(|it| it.contains("import") || it.contains("require") || it.contains(" from "));
        said.map(str::to_owned).collect()
    };
    !all(before).is_subset(&all(after))
}

/// Returns the modules of the project that a file loads, as some texts say it.
fn loaded(session: &Session, path: &AbsPath, texts: &Texts) -> Result<BTreeSet<AbsPath>, Refusal> {
    let code = match texts.get(path) {
        Some(text) => Code::empty(session, path)?.with_text(session, text.as_str().to_owned()),
        None => Some(Code::known(session, path)?),
    };
    let Some(code) = code else { return Ok(BTreeSet::new()) };
    let of = |links: &dyn Links| {
        let all = links.with_required(&code).into_iter().filter(|it| !it.form.is_type());
        Ok(all.filter_map(|it| it.module).collect())
    };
    match code.family() {
        Family::Python => with_modules(session, texts, |modules| of(modules)),
        family => {
            let new = texts.keys().find(|it| !it.as_path().exists());
            with_links(session, family, new.unwrap_or(path), of)
        }
    }
}

/// The same, with what those load of the changed and new files that it loads itself.
fn loaded_in_turn(session: &Session, path: &AbsPath, texts: &Texts) -> Result<BTreeSet<AbsPath>, Refusal> {
    let mut all = loaded(session, path, texts)?;
    for other in all.clone().iter().filter(|it| texts.contains_key(*it)) {
        all.extend(loaded(session, other, texts)?);
    }
    Ok(all)
}

/// Tells whether a module does something with others where it is loaded: it calls somebody, changes what it imports, or has a
/// decorator of the project do so.
fn acts(session: &Session, code: &Code) -> Result<bool, Refusal> {
    let of = |links: &dyn Links| {
        let local = |it: Link| Some((it.local?.of(code.text())?.to_owned(), it.module.is_some()));
        Ok(links.with_required(code).into_iter().filter_map(local).collect::<BTreeMap<String, bool>>())
    };
    let imported = with_links(session, code.family(), &code.path, of)?;
    let names = ScopedNames::of(code);
    let root =
        |node: Node<'_>| node.walk_until(|_| false).find(|it| it.is("identifier")).map(|it| it.text(code.text()));
    let is_others = |name: &str| imported.contains_key(name) || names.named(name).all(|it| !it.is_binding);
    let is_act = |it: Node<'_>| match it.kind() {
        kind if CALLS.contains(&kind) => root(it) != Some(LOADING),
        kind if ASSIGNMENTS.contains(&kind) => it.child("left").is_some_and(|left| {
            left.is_any(MEMBERS) && root(left).is_some_and(|name| is_others(name) && !HANDING.contains(&name))
        }),
        _ => false,
    };
    let is_run = |it: Node<'_>| it.is_any(RUNNING) && !it.text(code.text()).starts_with(OF_MAIN);
    let mut statements = code.root().walk_until(|it| it.parent().is_some() && !is_run(it));
    Ok(statements.any(|it| match it.kind() {
        "expression_statement" => it.named_children().next().is_some_and(is_act),
        "decorated_definition" => {
            let mut marks = it.children().filter(|mark| mark.is("decorator"));
            marks.any(|mark| root(mark).is_some_and(|name| imported.get(name) == Some(&true)))
        }
        _ => false,
    }))
}
