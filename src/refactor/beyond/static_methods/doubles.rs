//! Tests that put something in the place of the functions: they put it into the class.
//!
//! ```python
//! mock.patch("trims.left", fake)                      mock.patch("trims.Trim.left", fake)
//! monkeypatch.setattr(trims, "left", fake)       →    monkeypatch.setattr(trims.Trim, "left", fake)
//! ```

use std::collections::BTreeSet;

use crate::refactor::Refusal;
use crate::refactor::moves::links::{LinkedName, Links};
use crate::refactor::rename::test_doubles::replaces;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// What becomes static methods, and where they are known.
pub(super) struct Doubles<'a> {
    pub session: &'a Session,
    pub links: &'a dyn Links,
    pub class: &'a str,
    pub names: Vec<&'a str>,
    /// The module that declares them, and those that import them.
    pub modules: BTreeSet<AbsPath>,
}

/// The doubles of one file.
#[derive(Default)]
pub(super) struct InFile {
    pub edits: Vec<TextEdit>,
    /// The strings that name the functions.
    pub strings: Vec<Span>,
}

impl Doubles<'_> {
    /// Finds them in all files.
    pub(super) fn all(&self, home: &Code) -> Result<Vec<(Code, InFile)>, Refusal> {
        let is_alike = |path: &AbsPath| Language::of_path(path).map(Language::family) == Some(home.family());
        let paths: BTreeSet<AbsPath> =
            self.names.iter().flat_map(|name| self.session.disk().files_mentioning(name)).filter(is_alike).collect();
        let mut found = Vec::new();
        for path in paths {
            let code = Code::known(self.session, &path)?;
            let own = self.of(&code);
            if !own.strings.is_empty() {
                found.push((code, own));
            }
        }
        Ok(found)
    }

    fn of(&self, code: &Code) -> InFile {
        let mut found = InFile::default();
        let strings = code.root().descendants().filter(|node| node.is_any(&["string_content", "string_fragment"]));
        for string in strings.filter(|node| replaces(*node, code.text())) {
            let said = string.text(code.text());
            let (module, name) = said.rsplit_once('.').unwrap_or(("", said));
            if !self.names.contains(&name) {
                continue;
            }
            let edit = match module {
                "" => self.object(code, string),
                _ => self.is_said(module).then(|| {
                    let at = string.end() - name.len();
                    TextEdit::new(Span::at(at), format!("{}.", self.class))
                }),
            };
            if let Some(edit) = edit {
                found.edits.push(edit);
                found.strings.push(string.span());
            }
        }
        found
    }

    /// Tells whether a dotted name ends with that of one of the modules.
    fn is_said(&self, dotted: &str) -> bool {
        let last = dotted.rsplit('.').next().unwrap_or_default();
        self.modules.iter().any(|module| word_of(module) == last)
    }

    /// Lets the object that a double is put into be the class: `trims` in `patch.object(trims, "left")`.
    fn object(&self, code: &Code, string: Node<'_>) -> Option<TextEdit> {
        let literal = string.parent()?;
        let list = literal.parent()?;
        let first = list.named_children().next().filter(|first| *first != literal)?;
        let said = first.text(code.text());
        let is_whole = |taken: &LinkedName| matches!(taken, LinkedName::Module | LinkedName::Name(_));
        let is_it = self.links.of(code).iter().any(|link| {
            let local = link.local.and_then(|local| local.of(code.text()));
            let is_bound = local == Some(said) && is_whole(&link.taken);
            let names_module = link.module.as_ref().is_some_and(|module| self.modules.contains(module));
            is_bound && names_module || said.contains('.') && names_module && self.is_said(said)
        });
        is_it.then(|| TextEdit::new(Span::at(first.end()), format!(".{}", self.class)))
    }
}

/// Returns the last word by which a module is named.
fn word_of(module: &AbsPath) -> &str {
    let stem = module.file_stem();
    let folder = module.as_path().parent().and_then(|it| it.file_name()).and_then(|it| it.to_str());
    if matches!(stem, "__init__" | "index") { folder.unwrap_or_default() } else { stem }
}
