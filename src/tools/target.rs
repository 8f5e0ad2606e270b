//! From the words that name a place in the code to the place.

use super::error::ToolError;
use super::plan::RenameArgs;
use crate::lsp::Place;
use crate::session::Session;
use crate::text::{AbsPath, Encoding, Position, Text};

/// A target whose file is known: what stands behind the file's path is still to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InFile<'a> {
    pub path: AbsPath,
    /// Such as `:12:9`, `#L10-L15`, `::Order::total`, `#Order.total`, `:Vault.withdraw`.
    pub rest: &'a str,
}

/// Splits a target behind the longest start of it that is a file, seen from `base`.
pub fn split<'a>(target: &'a str, base: &AbsPath) -> Option<InFile<'a>> {
    let ends = target.char_indices().rev().filter(|(_, character)| matches!(character, ':' | '#')).map(|(at, _)| at);
    std::iter::once(target.len()).chain(ends).find_map(|end| {
        let path = base.join(&target[..end]).ok()?;
        path.as_path().is_file().then(|| InFile { path, rest: &target[end..] })
    })
}

/// Finds the place that a rename is asked for.
pub(super) fn place(session: &Session, args: &RenameArgs) -> Result<Place, ToolError> {
    match (&args.target, &args.file_path, args.line, args.character) {
        (Some(target), None, None, None) => named(session, target),
        (None, Some(path), Some(line), Some(character)) => {
            let path = session.disk().contain(&session.root().join(path)?)?;
            let text = session.disk().read(&path)?;
            let offset = text.offset(Position { line, character }).ok_or_else(|| no_place(&path, &text, line))?;
            Ok(Place { path, offset })
        }
        _ => Err(ToolError::invalid("a rename needs either `filePath`, `line` and `character`, or `target` alone")),
    }
}

fn named(session: &Session, target: &str) -> Result<Place, ToolError> {
    let Some(found) = split(target, session.root()) else {
        let missing = ToolError::invalid(format!("`{target}` does not begin with a file of `{}`", session.root()));
        return Err(missing.hint("write src/order.py:12:9, src/order.py#L10-L15 or src/order.py::Order::total"));
    };
    let path = session.disk().contain(&found.path)?;
    let text = session.disk().read(&path)?;
    match line_and_column(found.rest) {
        Some((line, column)) => {
            let offset = offset(&text, line, column).ok_or_else(|| no_place(&path, &text, line.saturating_sub(1)))?;
            Ok(Place { path, offset })
        }
        None => Err(ToolError::invalid(format!("`{target}` names no place in `{path}`"))),
    }
}

/// Reads `:line:column`, as compilers print it.
fn line_and_column(rest: &str) -> Option<(u32, u32)> {
    let (line, column) = rest.strip_prefix(':')?.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// Line and column are 1-based, columns count characters.
fn offset(text: &Text, line: u32, column: u32) -> Option<usize> {
    let position = Position { line: line.checked_sub(1)?, character: column.checked_sub(1)? };
    text.lines().offset(text.as_str(), position, Encoding::Utf32)
}

fn no_place(path: &AbsPath, text: &Text, line: u32) -> ToolError {
    let lines = text.lines().line_count();
    let message = if (line as usize) < lines {
        format!("line {} of `{path}` is shorter than that", line + 1)
    } else {
        format!("`{path}` has {lines} lines, not {}", u64::from(line) + 1)
    };
    ToolError::invalid(message)
        .hint("lines and characters in JSON are 0-based; on the command line lines and columns are 1-based")
}
