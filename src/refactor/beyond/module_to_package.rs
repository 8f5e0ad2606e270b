//! Convert Module to Package.
//!
//! ```text
//! src/shop.ts    →   src/shop/index.ts
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::moves::plan_move;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let target = &request.target;
    let not_possible = |why: String| Err(Refusal::NotPossible(why));
    if target.name.is_some() || target.lines.is_some() || target.offset.is_some() {
        return not_possible(format!("the target names a part of `{}`, not the module", code.shown));
    }
    let stem = code.path.file_stem();
    if stem == "index" || stem.contains('.') {
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
    let to = package.join(format!("index.{extension}")).map_err(|error| outside(&error))?;
    plan_move(session, &code.path, &to).await
}
