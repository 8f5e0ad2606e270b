//! What a module of a script keeps for itself and goes on to need elsewhere: it is exported.

use super::Way;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::imports::whole_exports::whole_exports;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

impl Way<'_> {
    /// Returns what exports a declaration at the top of an ES module by its name: each of its statements, where an interface
    /// or a function has several. Nothing where it cannot be, or where others that hand on all that the module has would come
    /// to hand on two things by this name.
    pub(super) fn opened(&self, name: &str) -> Result<Option<(Vec<TextEdit>, Warning)>, Refusal> {
        if self.is_python() || self.is_commonjs || self.manner.fate == super::Fate::Goes {
            return Ok(None);
        }
        let text = self.from.text();
        let statements: Vec<Node<'_>> =
            self.from.root().named_children().filter(|it| declares(self.from, *it, name)).collect();
        let is_offered = || {
            Ok::<_, Refusal>(!whole_exports(self.session, self.from)?.is_empty() && self.is_exported_elsewhere(name)?)
        };
        if statements.is_empty() || statements.iter().any(|it| it.is("export_statement")) || is_offered()? {
            return Ok(None);
        }
        let at = declared(self.from, statements[0]).map_or(statements[0].span(), Node::span);
        let message = format!("`{}` is exported: what leaves needs it", at.of(text).unwrap_or(name));
        let range = self.from.parsed().text.range(at);
        let warning = Warning::at(WarningKind::InterfaceChanged, message, self.from.path.clone(), range);
        let edits = statements.iter().map(|it| TextEdit::new(Span::at(it.start()), "export ")).collect();
        Ok(Some((edits, warning)))
    }

    /// Tells whether another script exports something by a name.
    fn is_exported_elsewhere(&self, name: &str) -> Result<bool, Refusal> {
        for path in self.session.disk().files_mentioning(name) {
            let Ok(code) = Code::known(self.session, &path) else { continue };
            let is_other = path != self.from.path && code.family() == Family::Script;
            let exports = |it: Node<'_>| {
                let says = |one: &Node<'_>| one.is("export_specifier") && code.mentions(*one, name);
                it.is("export_statement") && (declares(&code, it, name) || it.descendants().any(|one| says(&one)))
            };
            if is_other && code.root().named_children().any(exports) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn declares(code: &Code, statement: Node<'_>, name: &str) -> bool {
    declared(code, statement).is_some_and(|it| it.text(code.text()) == name)
}
