//! `init`: lspwright in a client's configuration.

use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Checking, Common, Init, Level, Writing};
use super::job::{Job, Shape};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::text::AbsPath;
use crate::tools::clients::{Scope, Wish, client, plan};
use crate::tools::{ErrorKind, ToolError};

pub(super) async fn init(common: &Common, args: Init, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let client = client(&args.client)?;
    let scope = if args.user { Scope::User } else { Scope::Project };
    let wish = if args.remove { Wish::Removed } else { Wish::Written };
    let root = if args.user { home()? } else { root::project(common, None)? };
    // No language server speaks of a client's configuration.
    let checking = Checking { check: None, check_timeout: 1 };
    let writing = Writing { apply: args.apply, verify: Some(Level::None), checking, strict: false, force: false };
    working(common, screen, async |context| {
        let planned = plan(context, client, &root, (scope, wish)).await?;
        if planned.plan.is_empty() {
            screen.remark(&format!("{} is configured so already; nothing is written", client.title));
            return Ok(ExitCode::SUCCESS);
        }
        Job { context, writing: &writing, shape: Shape::Plan, screen }.go_on(planned).await
    })
    .await
}

fn home() -> Result<AbsPath, ToolError> {
    let home = std::env::home_dir().and_then(|home| AbsPath::new(home).ok());
    home.ok_or_else(|| ToolError::new(ErrorKind::Environment, "your home directory is not known: `HOME` is not set"))
}
