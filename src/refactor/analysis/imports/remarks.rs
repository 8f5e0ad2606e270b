//! What a module of Python says to checkers behind an import: `import yaml  # type: ignore`.

use std::collections::BTreeMap;

use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};

/// Comments behind new imports of Python, by these.
pub(super) struct Remarks<'l>(BTreeMap<&'l str, &'l str>);

impl<'l> Remarks<'l> {
    pub(super) fn of(lines: &'l [String]) -> Self {
        Self(lines.iter().map(|line| (Self::bare(line), line.as_str())).filter(|(bare, line)| bare != line).collect())
    }

    pub(super) fn bare(line: &str) -> &str {
        line.split_once("  #").map_or(line, |(bare, _)| bare)
    }

    pub(super) fn with(&self, line: String) -> String {
        self.0.get(line.as_str()).map_or(line, |it| (*it).to_owned())
    }
}

/// Adds what a module of Python says to checkers behind the same import: `import yaml  # type: ignore`.
pub(crate) fn with_remark(code: &Code, line: String) -> String {
    const PRAGMAS: &[&str] = &["type: ignore", "pyright: ignore", "mypy: ignore", "ty: ignore", "pylint: disable"];
    let is_it = |it: &Node<'_>| it.kind().contains("import") && it.text(code.text()) == line;
    let statement = code.root().named_children().find(is_it).filter(|_| code.family() == Family::Python);
    let remark = statement.map(|it| code.text()[it.end()..code.line_end(it.end())].trim());
    let pragma = remark.filter(|it| PRAGMAS.iter().any(|pragma| it.trim_start_matches(['#', ' ']).starts_with(pragma)));
    pragma.map_or_else(|| line.clone(), |pragma| format!("{line}  {pragma}"))
}
