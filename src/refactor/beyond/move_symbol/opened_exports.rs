//! What a module of a script keeps for itself and goes on to need elsewhere: it is exported.

use super::{Draft, Fate, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::imports::whole_exports::whole_exports;
use crate::refactor::source_file::{Code, inner};
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

impl Way<'_> {
    /// Returns what exports a declaration at the top of an ES module by its name: each of its statements, where an interface
    /// or a function has several; all that it declares, where that is more. Nothing where it cannot be, or where others that
    /// hand on all that the module has would come to hand on two things by one name.
    pub(super) fn opened(&self, name: &str) -> Result<Option<(Vec<TextEdit>, Warning)>, Refusal> {
        if self.is_python() || self.is_commonjs || self.manner.fate == Fate::Goes {
            return Ok(None);
        }
        let all = self.from.root().named_children().map(|it| (it, names_of(self.from, it)));
        let found: Vec<(Node<'_>, Vec<&str>)> = all.filter(|(_, names)| names.contains(&name)).collect();
        let Some((first, names)) = found.first() else { return Ok(None) };
        if found.iter().any(|(it, _)| it.is("export_statement")) {
            return Ok(None);
        }
        let is_offered = !whole_exports(self.session, self.from)?.is_empty();
        if is_offered && names.iter().any(|it| self.is_exported_elsewhere(it)) {
            return Ok(None);
        }
        let said: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
        let message = match said.as_slice() {
            [one] => format!("{one} is exported: what leaves needs it"),
            all => format!("{} are exported: what leaves needs `{name}`", all.join(", ")),
        };
        let range = self.from.parsed().text.range(first.span());
        let warning = Warning::at(WarningKind::InterfaceChanged, message, self.from.path.clone(), range);
        let edits = found.iter().map(|(it, _)| TextEdit::new(Span::at(it.start()), "export ")).collect();
        Ok(Some((edits, warning)))
    }

    /// Exports each declaration once, and tells of it.
    pub(super) fn open_exports(&self, opened: Vec<(Vec<TextEdit>, Warning)>, draft: &mut Draft) {
        let mut known: Vec<TextEdit> = Vec::new();
        for (mut edits, warning) in opened {
            edits.retain(|it| !known.contains(it));
            draft.warnings.extend(Some(warning).filter(|_| !edits.is_empty()));
            known.extend(edits);
        }
        if !known.is_empty() {
            draft.edit(self.from, known);
        }
    }

    /// Tells whether another script exports something by a name.
    fn is_exported_elsewhere(&self, name: &str) -> bool {
        let exports = |code: &Code, it: Node<'_>| {
            let says = |one: Node<'_>| one.is("export_specifier") && code.mentions(one, name);
            it.is("export_statement") && (names_of(code, it).contains(&name) || it.descendants().any(says))
        };
        let is_script = |path: &AbsPath| Language::of_path(path).map(Language::family) == Some(Family::Script);
        let mut files = self.session.disk().files_mentioning(name);
        files.retain(|path| *path != self.from.path && is_script(path));
        let mut codes = files.iter().filter_map(|path| Code::known(self.session, path).ok());
        codes.any(|code| code.root().named_children().any(|it| exports(&code, it)))
    }
}

/// Returns the names that a statement declares.
fn names_of<'c>(code: &'c Code, statement: Node<'c>) -> Vec<&'c str> {
    let declarators = inner(statement).named_children().filter(|it| it.is("variable_declarator"));
    let plain = declarators.filter_map(|it| it.child("name")).filter(|it| it.is("identifier"));
    let all: Vec<&str> = plain.map(|it| it.text(code.text())).collect();
    match all.is_empty() {
        true => declared(code, statement).into_iter().map(|it| it.text(code.text())).collect(),
        false => all,
    }
}
