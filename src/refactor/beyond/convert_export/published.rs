//! What those outside of the project, and its documents, import of a package whose first module hands out something else then.

use serde_json::Value;

use super::turn::{Asked, Turn};
use crate::plan::{Warning, WarningKind};
use crate::refactor::analysis::module_system::package_begun_by;
use crate::refactor::documents::{is_history, is_prose};
use crate::session::Session;
use crate::text::Span;

pub(super) fn told(session: &Session, asked: &Asked<'_>) -> Vec<Warning> {
    let home = asked.home;
    let Some(folder) = package_begun_by(&home.path) else { return Vec::new() };
    let package = folder.join("package.json").ok().and_then(|path| session.disk().read(&path).ok());
    let package = package.and_then(|text| serde_json::from_str::<Value>(text.as_str()).ok()).unwrap_or_default();
    if package.get("private") == Some(&Value::Bool(true)) {
        return Vec::new();
    }
    let gone = match asked.turn {
        Turn::Named => "a default export",
        Turn::Default => asked.name,
    };
    let message = format!("the package does not offer {gone} any more, which others may import");
    let range = home.parsed().text.range(Span::at(0));
    let mut warnings = vec![Warning::at(WarningKind::FollowUp, message, home.path.clone(), range)];
    let Some(name) = package.get("name").and_then(Value::as_str) else { return warnings };
    let quoted = ['"', '\''].map(|quote| format!("{quote}{name}{quote}"));
    let files = session.disk().files_mentioning(name.rsplit('/').next().unwrap_or(name)).into_iter();
    for path in files.filter(|path| is_prose(path) && !is_history(path)) {
        let Ok(text) = session.disk().read(&path) else { continue };
        let all = quoted.iter().flat_map(|it| text.as_str().match_indices(it.as_str()));
        let is_taken = |at: usize| {
            let before = text.as_str()[..at].trim_end_matches([' ', '(']);
            before.ends_with("from") || before.ends_with("require")
        };
        let spans: Vec<Span> =
            all.filter(|(at, _)| is_taken(*at)).map(|(at, it)| Span::new(at + 1, at + it.len() - 1)).collect();
        if !spans.is_empty() {
            let message = format!("`{name}` is imported in this document, which is not changed");
            warnings.push(Warning::at_lines(WarningKind::Mentioned, message, path, (&text, &spans)));
        }
    }
    warnings
}
