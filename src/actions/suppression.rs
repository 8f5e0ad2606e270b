//! Actions that silence a finding instead of mending what it is about.

use crate::lsp::Action;
use crate::text::Span;

/// What stands in comments that silence a checker.
const MARKS: &[&str] = &[
    "pyright: ignore",
    "pyright: basic",
    "pyrefly: ignore",
    "ty: ignore",
    "type: ignore",
    "ruff: noqa",
    "ruff: ignore",
    "ruff: disable",
    "# noqa",
    "@ts-ignore",
    "@ts-expect-error",
    "@ts-nocheck",
    "eslint-disable",
    "#[allow(",
    "#[expect(",
    "NOLINT",
    "shellcheck disable",
    "---@diagnostic",
    "nolint",
];

/// Tells whether an action puts in a comment that silences; `old` gives the text that an edit replaces.
pub(super) fn is_suppression(action: &Action, old: impl Fn(&crate::text::AbsPath, Span) -> Option<String>) -> bool {
    let in_title = MARKS.iter().any(|mark| action.title.contains(mark));
    let Some(answer) = &action.answer else { return in_title };
    let mut edits = answer
        .clone()
        .whole()
        .edits
        .into_iter()
        .flat_map(|(path, edits)| edits.into_iter().map(move |edit| (path.clone(), edit)));
    in_title
        || edits.any(|(path, edit)| {
            let old = old(&path, edit.span).unwrap_or_default();
            MARKS.iter().any(|mark| edit.new_text.matches(mark).count() > old.matches(mark).count())
        })
}
