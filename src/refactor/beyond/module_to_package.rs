//! Convert Module to Package.
//!
//! ```text
//! src/shop.ts    →   src/shop/index.ts
//! src/shop.py    →   src/shop/__init__.py
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::moves::{Documents, plan_move};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let target = &request.target;
    let not_possible = |why: String| Err(Refusal::NotPossible(why));
    if target.name.is_some() || target.lines.is_some() || target.offset.is_some() {
        return not_possible(format!("the target names a part of `{}`, not the module", code.shown));
    }
    let stem = code.path.file_stem();
    let is_python = code.family() == Family::Python;
    if is_found_by_name(stem, is_python) {
        return not_possible(format!("`{}` is found by its name", code.shown));
    }
    let extension = code.path.extension();
    let outside = |why: &dyn std::fmt::Display| Refusal::NotPossible(why.to_string());
    let above = code.path.parent().ok_or_else(|| outside(&"the file lies in no directory"))?;
    let package = above.join(stem).map_err(|error| outside(&error))?;
    if package.as_path().symlink_metadata().is_ok() {
        return not_possible(format!("there is a `{stem}` beside `{}` already", code.shown));
    }
    session.may_ask()?;
    let to = package
        .join(format!("{}.{extension}", if is_python { "__init__" } else { "index" }))
        .map_err(|error| outside(&error))?;
    plan_move(session, (&code.path, &to), Documents::Told).await
}

/// Tells whether something looks for a module by the name of its file.
fn is_found_by_name(stem: &str, is_python: bool) -> bool {
    const PYTHON: &[&str] = &["__init__", "__main__", "conftest", "setup"];
    match is_python {
        true => PYTHON.contains(&stem) || stem.starts_with("test_") || stem.ends_with("_test"),
        false => stem == "index" || stem.contains('.'),
    }
}
