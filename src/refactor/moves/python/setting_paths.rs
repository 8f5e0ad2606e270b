//! Paths in what packaging and checking are set by: `[tool.hatch.version] path = "src/shop/about.py"`.

use crate::plan::{Warning, WarningKind};
use crate::refactor::moves::Relocation;
use crate::text::{AbsPath, Span, Text, TextEdit};

/// Tells whether Python's tools look into a file for how they are set.
fn is_set_by(path: &AbsPath) -> bool {
    const FILES: &[&str] = &[
        ".bumpversion.cfg",
        ".bumpversion.toml",
        ".coveragerc",
        ".flake8",
        ".mypy.ini",
        ".ruff.toml",
        "mypy.ini",
        "pyproject.toml",
        "pytest.ini",
        "ruff.toml",
        "setup.cfg",
        "tox.ini",
    ];
    FILES.contains(&path.file_name())
}

/// Leads values and keys that begin with the whole path of what moves.
pub(super) fn led(path: &AbsPath, text: &Text, relocation: &Relocation) -> (Vec<TextEdit>, Vec<Warning>) {
    let seen = |moved: &AbsPath| moved.relative_to(&path.parent()?).map(|it| it.as_str().to_owned());
    let is_left = !is_set_by(path) || relocation.files.contains_key(path);
    let Some((old, new)) = seen(&relocation.from).zip(seen(&relocation.to)).filter(|_| !is_left) else {
        return (Vec::new(), Vec::new());
    };
    let all = memchr::memmem::find_iter(text.as_str().as_bytes(), old.as_bytes());
    let is_path = |span: &Span| begins(path, text.as_str(), *span) && ends(text.as_str(), *span, relocation.is_dir);
    let spans: Vec<Span> = all.map(|start| Span::new(start, start + old.len())).filter(is_path).collect();
    let warning = |span: &Span| {
        let message = format!("the setting names `{old}`, and leads to `{new}` then");
        Warning::at(WarningKind::StringEdited, message, path.clone(), text.range(*span))
    };
    let edit = |span: &Span| TextEdit::new(*span, new.clone());
    (spans.iter().map(edit).collect(), spans.iter().map(warning).collect())
}

/// Tells whether a value, a key or the value of an option begins there: `"./src/shop"`, `--cov=src/shop`.
fn begins(path: &AbsPath, text: &str, span: Span) -> bool {
    let before = &text[text[..span.start].rfind('\n').map_or(0, |at| at + 1)..span.start];
    if before.trim_start().starts_with(['#', ';']) || before.contains(" #") {
        return false;
    }
    let before = before.strip_suffix("./").unwrap_or(before);
    let is_plain = path.extension() != "toml" && (before.is_empty() || before.ends_with([' ', '\t', ',', ':']));
    is_plain || before.ends_with(['"', '\'', '='])
}

/// Tells whether the path ends there; the one of a file in a line behind a colon, too: `"src/shop/about.py:VERSION"`.
fn ends(text: &str, span: Span, is_dir: bool) -> bool {
    let has_parts = span.of(text).is_some_and(|path| path.contains('/')) || !is_dir;
    match text[span.end..].chars().next() {
        Some('/') => is_dir,
        None | Some('"' | '\'' | ':' | ',' | ' ' | '\n' | '\r') => has_parts,
        Some(_) => false,
    }
}
