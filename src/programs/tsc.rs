//! What TypeScript's compiler prints, read as problems. Pure.

use std::path::Path;

use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Position, Range};

/// Reads `path(line,column): error TS2305: message` (1-based, UTF-16 units), and `error TS18003: message`
/// that belongs to the project file.
pub fn tsc(report: &str, dir: &AbsPath) -> Vec<Problem> {
    report.lines().filter_map(|line| tsc_line(line, dir)).collect()
}

fn tsc_line(line: &str, dir: &AbsPath) -> Option<Problem> {
    let (place, rest) = match line.strip_prefix("error TS") {
        Some(rest) => (None, rest),
        None => line.split_once(": error TS").map(|(place, rest)| (Some(place), rest))?,
    };
    let (code, message) = rest.split_once(": ")?;
    let (path, range) = match place {
        None => (dir.clone(), None),
        Some(place) => {
            let (path, at) = place.rsplit_once('(')?;
            let (line, column) = at.trim_end_matches(')').split_once(',')?;
            let position = Position {
                line: line.parse::<u32>().ok()?.checked_sub(1)?,
                character: column.parse::<u32>().ok()?.checked_sub(1)?,
            };
            (dir.join(Path::new(path)).ok()?, Some(Range { start: position, end: position }))
        }
    };
    let (code, message) = (Some(format!("TS{code}")), message.to_owned());
    Some(Problem { path, range, severity: Severity::Error, code, message, source: Some("tsc".to_owned()) })
}
