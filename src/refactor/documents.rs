//! Text outside of code: documents, data, and what documents code where it stands.

use crate::session::Parsed;
use crate::syntax::{Language, Node, Prose};
use crate::text::{AbsPath, Span};

/// What documents and data end with.
const EXTENSIONS: &[&str] = &["adoc", "cfg", "ini", "json", "jsonc", "md", "mdx", "rst", "toml", "txt", "yaml", "yml"];

/// What prose ends with.
const PROSE: &[&str] = &["adoc", "md", "mdx", "rst", "txt"];
/// What prose ends with whose examples are run as code (Python's `doctest`).
const RUNNABLE: &[&str] = &["md", "rst", "txt"];

/// Tells whether a file is prose.
pub(crate) fn is_prose(path: &AbsPath) -> bool {
    PROSE.contains(&path.extension())
}

/// Tells whether a file is prose whose examples may be run as code.
pub(crate) fn may_be_run(path: &AbsPath) -> bool {
    RUNNABLE.contains(&path.extension())
}

/// Tells whether a file is prose or data, and no program.
pub(crate) fn is_document(path: &AbsPath) -> bool {
    is_extension(path.extension())
}

/// The same of what a file's name ends with, without the dot.
pub(crate) fn is_extension(extension: &str) -> bool {
    EXTENSIONS.contains(&extension)
}

/// Tells whether a document says what earlier versions brought: it speaks of names as they were.
pub(crate) fn is_history(path: &AbsPath) -> bool {
    const HISTORIES: &[&str] = &["change", "changes", "news", "releases"];
    const PARTS: &[&str] = &["changelog", "history", "releasenotes", "whatsnew"];
    let stem = path.file_stem().to_lowercase().replace(['-', '_'], "");
    HISTORIES.contains(&stem.as_str()) || PARTS.iter().any(|part| stem.contains(part))
}

/// Returns the comments and docstrings of a program.
pub(crate) fn comments(parsed: &Parsed) -> Vec<Span> {
    let is_read = |(kind, span): &(Prose, Span)| *kind == Prose::Comment || is_docstring(parsed, *span);
    parsed.tree.prose().into_iter().filter(is_read).map(|(_, span)| span).collect()
}

/// Tells whether a stretch lies in a string that a module, class or function of Python begins with.
pub(crate) fn is_docstring(parsed: &Parsed, span: Span) -> bool {
    let here = parsed.tree.nodes().covering(span);
    let string = std::iter::once(here).chain(here.ancestors()).find(|node| node.is("string"));
    let statement = string.and_then(Node::parent).filter(|it| it.is("expression_statement"));
    statement.is_some_and(|it| {
        let block = it.parent();
        let first = block.into_iter().flat_map(Node::named_children).find(|one| !one.is("comment"));
        first == Some(it) && parsed.tree.language() == Language::Python
    })
}
