//! What Solidity's compiler says to people, as Foundry and Hardhat print it, read as problems. Pure.

use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, Position, Range};

/// Reads `Error (7576): message` or `DeclarationError: message`, and in one of the next lines `--> path:line:column:`
/// (1-based), which is where it is.
pub(super) fn solc(said: &str, dir: &AbsPath) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut last: Option<(Severity, Option<String>, &str)> = None;
    for line in said.lines() {
        let severity = match line.split([' ', ':']).next() {
            Some(kind) if kind.ends_with("Error") => Some(Severity::Error),
            Some("Warning") => Some(Severity::Warning),
            _ => None,
        };
        if let Some(severity) = severity {
            let (kind, message) = line.split_once(": ").unwrap_or((line, ""));
            let code = kind.split_once('(').and_then(|(_, code)| code.strip_suffix(')')).map(str::to_owned);
            last = Some((severity, code, message));
        } else if let Some(place) = line.trim_start().strip_prefix("--> ")
            && let Some((severity, code, message)) = last.take()
        {
            let mut parts = place.trim_end_matches(':').rsplitn(3, ':');
            let mut number = || parts.next().and_then(|it| it.parse::<u32>().ok()).map(|it| it.saturating_sub(1));
            let (character, row) = (number(), number());
            let start = row.zip(character).map(|(line, character)| Position { line, character });
            let path = parts.next().and_then(|path| dir.join(path).ok());
            found.extend(path.map(|path| Problem {
                path,
                range: start.map(|start| Range { start, end: start }),
                severity,
                code,
                message: message.to_owned(),
                source: Some("solc".to_owned()),
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::solc;
    use crate::plan::Severity;
    use crate::text::AbsPath;

    #[test]
    fn what_is_found_is_read_with_and_without_codes() {
        let said = "Error (7576): Undeclared identifier.\n --> src/Vault.sol:6:16:\n  |\n\nWarning: Unused local variable.\n   \
                    --> src/Vault.sol:9:1:\n\nTypeError: Not implicitly convertible.\n --> src/Cap.sol:2:3:\n\nHardhatError: HH600";
        let dir = AbsPath::new(std::env::temp_dir().to_str().unwrap()).unwrap();
        let found = solc(said, &dir);
        let told = |at: usize| (found[at].severity, found[at].code.as_deref(), found[at].range.unwrap().start.line);
        assert_eq!((found.len(), told(0)), (3, (Severity::Error, Some("7576"), 5)));
        assert_eq!((told(1), told(2)), ((Severity::Warning, None, 8), (Severity::Error, None, 1)));
        assert!(found[2].path.as_str().ends_with("src/Cap.sol"));
    }
}
