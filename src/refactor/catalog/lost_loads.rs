//! Modules that nobody loads any more after a plan, and that did something where they were loaded: told.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::new_names::{Changed, ChangedFiles};
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::idle_statements::is_idle;
use crate::refactor::analysis::imports::statements::{Texts, with_links};
use crate::refactor::moves::Importers;
use crate::refactor::moves::links::Links;
use crate::refactor::moves::python::with_modules;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::{Family, Node};
use crate::text::AbsPath;

/// Statements of Python whose own statements run where the module is loaded.
const RUNNING: &[&str] =
    &["block", "else_clause", "except_clause", "finally_clause", "for_statement", "try_statement", "with_statement"];

/// Tells which files no longer load a module that others do not load.
pub(super) fn told(session: &Session, plan: &Plan, files: &ChangedFiles<'_>) -> Result<Vec<Warning>, Refusal> {
    let mut found = Vec::new();
    let text = |(path, file): (&&AbsPath, &Changed)| ((*path).clone(), Arc::clone(&file.after.text));
    let after: Texts = files.iter().map(text).collect();
    for (path, file) in files {
        let leaves = |it: &AbsPath| plan.deletes().contains_key(it) || plan.moves().contains_key(it);
        if leaves(path) || !loads_less(file) {
            continue;
        }
        let lost = &loaded(session, path, &Texts::new())? - &loaded_in_turn(session, path, &after)?;
        for module in lost.into_iter().filter(|it| !leaves(it)) {
            let importers = Importers::of(session);
            let is_alone = importers.direct(&module).all(|it| files.contains_key(it));
            let acting = Code::known(session, &module)?;
            if is_alone && acts(session, &acting)? {
                let message =
                    format!("nobody loads `{}` any more, which does something when it is loaded", acting.shown);
                found.push(Warning::at(WarningKind::RunTime, message, (*path).clone(), None));
            }
        }
    }
    Ok(found)
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
    let disk = Code::known(session, path)?;
    let code = texts.get(path).and_then(|it| disk.with_text(session, it.as_str().to_owned()));
    let code = code.unwrap_or(disk);
    let of = |links: &dyn Links| {
        let all = links.with_required(&code).into_iter().filter(|it| !it.form.is_type());
        Ok(all.filter_map(|it| it.module).collect())
    };
    match code.family() {
        Family::Python => with_modules(session, texts, |modules| of(modules)),
        family => with_links(session, family, path, of),
    }
}

/// The same, with what those load of the changed files that it loads itself.
fn loaded_in_turn(session: &Session, path: &AbsPath, texts: &Texts) -> Result<BTreeSet<AbsPath>, Refusal> {
    let mut all = loaded(session, path, texts)?;
    for other in all.clone().iter().filter(|it| texts.contains_key(*it)) {
        all.extend(loaded(session, other, texts)?);
    }
    Ok(all)
}

/// Tells whether a module does more than declare things where it is loaded.
fn acts(session: &Session, code: &Code) -> Result<bool, Refusal> {
    if code.family() == Family::Script {
        let names = ScopedNames::of(code);
        return Ok(code.root().named_children().any(|it| it.child("source").is_none() && !is_idle(&names, code, it)));
    }
    let registering = with_links(session, Family::Python, &code.path, |links| {
        let own = links.of(code).into_iter().filter(|it| it.module.is_some());
        Ok(own.filter_map(|it| it.local?.of(code.text()).map(str::to_owned)).collect::<BTreeSet<String>>())
    })?;
    let is_run =
        |it: Node<'_>| it.is_any(RUNNING) || it.is("if_statement") && !it.text(code.text()).starts_with("if __name__");
    let mut statements = code.root().walk_until(|it| it.parent().is_some() && !is_run(it));
    Ok(statements.any(|it| match it.kind() {
        "expression_statement" => it.named_children().next().is_some_and(|inner| match inner.kind() {
            "call" | "await" => true,
            "assignment" | "augmented_assignment" => {
                inner.child("left").is_some_and(|left| left.is_any(&["attribute", "subscript"]))
            }
            _ => false,
        }),
        "decorated_definition" => it.children().filter(|mark| mark.is("decorator")).any(|mark| {
            let first = mark.walk_until(|_| false).find(|inner| inner.is("identifier"));
            first.is_some_and(|first| registering.contains(first.text(code.text())))
        }),
        _ => false,
    }))
}
