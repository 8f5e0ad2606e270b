//! `--baseline` and `--write-baseline`: of smells and of problems, each under the name of its command.

use super::caller::Caller;
use super::screen::Screen;
use crate::render::Baseline;
use crate::tools::{ErrorKind, ToolError};
use crate::workspace::read_text;

pub(super) fn read(command: &'static str, file: &str, caller: &Caller) -> Result<Baseline, ToolError> {
    let bad = |why: String| {
        ToolError::invalid(format!("the baseline `{file}` cannot be read: {why}"))
            .hint(format!("write it: lspwright {command} --write-baseline {file}"))
    };
    let json = read_text(caller.path(file)?.as_path()).map_err(|error| bad(error.to_string()))?;
    Baseline::read(command, &json).map_err(|error| bad(error.to_string()))
}

pub(super) fn write(baseline: &Baseline, file: &str, screen: &Screen) -> Result<(), ToolError> {
    let failed = |error| ToolError::new(ErrorKind::Environment, format!("`{file}` cannot be written: {error}"));
    std::fs::write(screen.path(file)?.as_path(), baseline.write()).map_err(failed)?;
    screen.remark(&format!("{} {} are listed in `{file}`", baseline.len(), baseline.kind()));
    Ok(())
}

/// Ends a summary with the number of those that are known.
pub(super) fn told(left_out: usize) -> String {
    if left_out > 0 { format!("; {left_out} more are in the baseline") } else { String::new() }
}
