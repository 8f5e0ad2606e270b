//! What a module of a script keeps for itself and goes on to need elsewhere: it is exported.

use super::export_list::is_value;
use super::{Draft, Fate, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::imports::added_names::with_items;
use crate::refactor::analysis::imports::offers::export_list;
use crate::refactor::analysis::imports::required::with_keys;
use crate::refactor::analysis::imports::whole_exports::whole_exports;
use crate::refactor::source_file::{Code, inner};
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// What comes to be exported.
pub(super) struct Opened {
    edits: Vec<TextEdit>,
    /// What the list names at the end of the module.
    listed: Vec<String>,
    warning: Warning,
}

impl Way<'_> {
    /// Returns what a list of the module exports a name as.
    pub(super) fn listed_here_as(&self, name: &str) -> Option<&str> {
        let text = self.from.text();
        let own = |it: &Node<'_>| it.is("export_statement") && it.child("source").is_none();
        let lists = self.from.root().named_children().filter(own).filter_map(|it| it.child_of_kind("export_clause"));
        let items = lists.flat_map(|it| Vec::from_iter(it.named_children()));
        let named = items.filter(|it| it.child("name").is_some_and(|it| it.text(text) == name));
        let keys = named.filter_map(|it| it.child("alias").or(it.child("name"))).map(|it| it.text(text));
        keys.max_by_key(|key| *key == name)
    }

    /// Returns the list at the end of the module, where that goes on to export something.
    fn list_here(&self) -> Option<Node<'_>> {
        let is_leaving = |it: &Node<'_>| self.leaving.iter().any(|one| self.from.mentions(*it, one.name));
        export_list(self.from).filter(|list| !list.named_children().all(|it| is_leaving(&it)))
    }

    /// Returns what exports a declaration at the top of an ES module by its name: each of its statements, where an interface
    /// or a function has several; all that it declares, where that is more. Nothing where it cannot be, or where others that
    /// hand on all that the module has would come to hand on two things by one name.
    pub(super) fn opened(&self, name: &str) -> Result<Option<Opened>, Refusal> {
        if self.is_python() || self.manner.fate == Fate::Goes {
            return Ok(None);
        }
        if self.is_commonjs {
            return Ok(self.opened_in_commonjs(name));
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
        if self.list_here().is_some() && found.iter().all(|(it, _)| is_value(*it)) {
            let listed = names.iter().map(|&it| it.to_owned()).collect();
            return Ok(Some(Opened { edits: Vec::new(), listed, warning }));
        }
        let edits = found.iter().map(|(it, _)| TextEdit::new(Span::at(it.start()), "export ")).collect();
        Ok(Some(Opened { edits, listed: Vec::new(), warning }))
    }

    /// Returns what a module of CommonJS does to hand out a declaration at its top by its name: with a key of its object, or by
    /// a statement. Nothing where others hand on all that it has, and may come to hand on two things by one name.
    fn opened_in_commonjs(&self, name: &str) -> Option<Opened> {
        let keys = &self.keys_here;
        let statement = self.declaration_of(name)?;
        let is_known_to = |(object, _): (Node<'_>, Node<'_>)| {
            statement.is("function_declaration") || statement.end() <= object.start()
        };
        let has_room = keys.whole.is_none() && keys.literal.map_or(keys.object.is_some(), is_known_to);
        let is_spread = |path: &AbsPath| {
            let text = self.session.disk().read(path);
            *path != self.from.path && text.is_ok_and(|it| it.as_str().contains("...require("))
        };
        let is_taken = keys.keys.iter().any(|one| one.key == name)
            || self.session.disk().files_mentioning(name).iter().any(is_spread);
        if !has_room || is_taken {
            return None;
        }
        let message = format!("`{name}` is exported: what leaves needs it");
        let range = self.from.parsed().text.range(statement.span());
        let warning = Warning::at(WarningKind::InterfaceChanged, message, self.from.path.clone(), range);
        Some(Opened { edits: Vec::new(), listed: vec![name.to_owned()], warning })
    }

    /// Adds what comes to be handed out to what the module hands out, which others edit as well.
    fn handed_out_here(&self, listed: &[String], others: &mut Vec<TextEdit>) {
        let keys = &self.keys_here;
        if let Some((object, _)) = keys.literal {
            match others.iter_mut().find(|edit| edit.span == object.span()) {
                Some(emptied) => emptied.new_text = format!("{{ {} }}", listed.join(", ")),
                None => others.extend(with_keys(self.from, object, listed, others)),
            }
            return;
        }
        let Some(object) = keys.object else { return };
        let is_kept =
            |it: &Node<'_>| it.is("expression_statement") && !others.iter().any(|edit| edit.span.overlaps(it.span()));
        let exports = keys.keys.iter().filter(|one| one.value.is_some()).map(|one| one.node).filter(is_kept);
        let declared = listed.iter().filter_map(|name| self.declaration_of(name));
        let Some(at) = exports.chain(declared).map(Node::end).max() else { return };
        let (end, semicolon) = (self.from.newline(), self.from.semicolon());
        let lines = listed.iter().map(|name| format!("{end}{object}.{name} = {name}{semicolon}"));
        others.push(TextEdit::new(Span::at(at), lines.collect::<String>()));
    }

    /// Returns the statement at the top of the module that declares a name.
    fn declaration_of(&self, name: &str) -> Option<Node<'_>> {
        self.from.root().named_children().find(|it| names_of(self.from, *it).contains(&name))
    }

    /// Exports each declaration once, and tells of it.
    pub(super) fn open_exports(&self, opened: Vec<Opened>, draft: &mut Draft) {
        let mut known: Vec<TextEdit> = Vec::new();
        for Opened { mut edits, mut listed, warning } in opened {
            edits.retain(|it| !known.contains(it));
            listed.retain(|it| !draft.listed.contains(it));
            draft.warnings.extend(Some(warning).filter(|_| !edits.is_empty() || !listed.is_empty()));
            known.extend(edits);
            draft.listed.extend(listed);
        }
        if !known.is_empty() {
            draft.edit(self.from, known);
        }
    }

    /// Adds what comes to be exported to the list of the module, which others edit as well.
    pub(super) fn list_here_too(&self, listed: &[String], others: &mut Vec<TextEdit>) {
        if listed.is_empty() {
            return;
        }
        if self.is_commonjs {
            return self.handed_out_here(listed, others);
        }
        let Some(list) = self.list_here() else { return };
        let items = (list.named_children().collect(), list.end() - 1);
        others.extend(with_items(self.from, items, listed, others));
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
