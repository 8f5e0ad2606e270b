//! What comes to stand beside a class in its file, and how those who import the class get it.

use std::collections::BTreeMap;

use super::imports::added_names::with_items;
use super::imports::listed::enlisted;
use super::imports::placement::with_names;
use super::imports::required::with_imports;
use super::imports::statements::{ImportForm, WantedImport, taken_out, written};
use super::references::{InFile, Use, UseKind, Uses};
use crate::refactor::Refusal;
use crate::refactor::commonjs::{ExportKeys, is_passed_on};
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, Links};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::python::dunder_all;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// What others come to use instead of a class that they have from its file.
pub(crate) struct SiblingReplacement<'a> {
    pub links: &'a dyn Links,
    pub home: &'a Code,
    /// Of the class.
    pub uses: &'a Uses,
    pub class: &'a str,
    pub name: &'a str,
}

/// Whether a file goes on to use the class itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Needed,
    Idle,
}

impl SiblingReplacement<'_> {
    /// Refuses a file in which the new name means something already.
    pub(crate) fn check_free(&self, code: &Code) -> Result<(), Refusal> {
        match ScopedNames::of(code).named(self.name).next() {
            Some(other) => Err(code.refuse(other.span.start, format!("`{}` is already in use here", self.name))),
            None => Ok(()),
        }
    }

    /// Writes the new name where the class is named. The module that has the class has what stands beside it, too; others
    /// that offer the class do not.
    pub(crate) fn instead(&self, code: &Code, one: &Use) -> Result<TextEdit, Refusal> {
        let is_known =
            |named: Node<'_>| self.is_of(code, &self.home.path, named) || self.offering(code, named).is_some();
        match one.member(code) {
            Some(named) if !is_known(named) => {
                Err(code.refuse(one.span.start, "the class is reached through another module than its own here"))
            }
            _ => Ok(TextEdit::new(one.span, self.name)),
        }
    }

    fn is_of(&self, code: &Code, module: &AbsPath, named: Node<'_>) -> bool {
        self.links.members(code, module, self.class).contains(&named.span())
    }

    /// Returns the file that offers the class from elsewhere, where a member is asked of that.
    fn offering(&self, code: &Code, named: Node<'_>) -> Option<&InFile> {
        let others = self.uses.files.values().filter(|file| file.code.path != self.home.path);
        others.into_iter().find(|file| self.is_of(code, &file.code.path, named) && self.offered(file).is_some())
    }

    /// Returns what takes the class into a file that offers it under its own name, with the links of that.
    fn offered(&self, file: &InFile) -> Option<Link> {
        let is_it = |link: &Link| {
            let local = link.local.and_then(|local| local.of(file.code.text()));
            let is_named = link.taken == LinkedName::Name(self.class.to_owned()) && !link.form.is_type();
            is_named
                && local.unwrap_or(self.class) == self.class
                && !link.item.of(file.code.text()).is_some_and(is_aliased)
        };
        self.links.with_required(&file.code).into_iter().find(is_it)
    }

    /// Lets the files offer it by which `replaced` uses reach the class, each beside the class.
    pub(crate) fn hand_on(
        &self,
        replaced: &dyn Fn(&Code, &Use) -> bool,
        imports_it: &dyn Fn(&InFile) -> bool,
    ) -> Result<Vec<(&Code, Vec<TextEdit>)>, Refusal> {
        let mut open: Vec<&InFile> = Vec::new();
        for file in self.uses.files.values() {
            let asked = file.uses.iter().filter(|one| replaced(&file.code, one));
            let named = asked.filter_map(|one| one.member(&file.code));
            let named = named.filter(|named| !self.is_of(&file.code, &self.home.path, *named));
            open.extend(named.filter_map(|named| self.offering(&file.code, named)));
        }
        let mut all: BTreeMap<&AbsPath, (&Code, Vec<TextEdit>)> = BTreeMap::new();
        while let Some(file) = open.pop() {
            let code = &file.code;
            let Some(link) = self.offered(file).filter(|_| !all.contains_key(&code.path)) else { continue };
            let mut edits = enlisted(code, &[self.name]);
            if !imports_it(file) {
                edits.push(TextEdit::new(Span::at(link.item.end), format!(", {}", self.name)));
            }
            all.insert(&code.path, (code, edits));
            let from = link.module.filter(|module| *module != self.home.path);
            if let Some(from) = from {
                let next = self.uses.files.get(&from).filter(|it| self.offered(it).is_some());
                let reason = "the class comes here from a module that takes it in another way";
                open.push(next.ok_or_else(|| code.refuse(link.item.start, reason))?);
            }
        }
        Ok(all.into_values().collect())
    }

    /// Imports it where the class was imported, and instead of it where all that uses the class is `gone`.
    pub(crate) fn imports(&self, file: &InFile, gone: &[Span]) -> Result<Vec<TextEdit>, Refusal> {
        let code = &file.code;
        let is_gone = |one: &Use| gone.contains(&one.span);
        if !file.uses.iter().any(|one| is_gone(one) && one.member(code).is_none()) {
            return Ok(Vec::new());
        }
        let links = self.links.with_required(code);
        // A type that is written as a string needs its name, too: `cast("Order", made)`.
        let spelled = ScopedNames::with_spelled(code);
        let is_string = |it: &Name| code.covering(it.span).is_any(&["string_content", "comment"]);
        let is_spelled = |name: Option<&str>| name.is_some_and(|it| spelled.named(it).any(|it| is_string(&it)));
        let is_all = whole_export(self.home, self.class).is_some();
        let wanted = |link: &&Link| match &link.taken {
            LinkedName::Name(name) => name == self.class,
            LinkedName::Default => true,
            LinkedName::Module => is_all && link.form == LinkForm::Require,
            _ => false,
        };
        let imported = |link: &&Link| {
            link.local.is_some_and(|local| {
                file.uses.iter().any(|one| local.contains(one.span) || link.item.contains(one.span))
            })
        };
        let all: Vec<&Link> = links.iter().filter(wanted).filter(imported).collect();
        let idle = |link: &&&Link| {
            let local = link.local.and_then(|local| local.of(code.text()));
            let is_used = |one: &&Use| {
                !matches!(one.kind, UseKind::Import | UseKind::Text) && !is_passed_on(code, one.node(code))
            };
            let mut uses = file.uses.iter().filter(is_used).filter(|one| one.span.of(code.text()) == local);
            uses.all(is_gone) && !is_spelled(local) && !is_offered(code, link) && !self.is_taken_from(code)
        };
        if let ([first, ..], Family::Python) = (all.as_slice(), code.family())
            && (all.len() > 1 || code.covering(first.statement).parent() != Some(code.root()))
        {
            return Err(
                code.refuse(first.statement.start, "the class is imported more than once, or not for the whole file")
            );
        }
        let link = all.iter().find(|link| !idle(link)).or(all.first()).copied();
        let link = link.ok_or_else(|| code.refuse(0, "how the class is imported into this file is not known"))?;
        let others: Vec<Span> = all.iter().filter(idle).filter(|it| it.item != link.item).map(|it| it.item).collect();
        let mut edits = taken_out(code, &links, &others)?;
        edits.extend(self.import(code, (&links, link), if idle(&&link) { Class::Idle } else { Class::Needed })?);
        Ok(edits)
    }

    /// Tells whether another file takes the class from this one.
    fn is_taken_from(&self, code: &Code) -> bool {
        let others = self.uses.files.values().filter(|other| other.code.path != code.path);
        let is_taken = |link: &Link| {
            link.module.as_ref() == Some(&code.path) && link.taken == LinkedName::Name(self.class.to_owned())
        };
        others.into_iter().any(|other| self.links.with_required(&other.code).iter().any(is_taken))
    }

    fn import(&self, code: &Code, (links, link): (&[Link], &Link), class: Class) -> Result<Vec<TextEdit>, Refusal> {
        let source = self.links.source((code, link), &code.path, &self.home.path);
        let source = source.map_err(|reason| code.refuse(link.item.start, reason))?;
        let form = if link.form == LinkForm::Require { ImportForm::Required } else { ImportForm::Names };
        let import = WantedImport { source: source.clone(), form, item: self.name.to_owned() };
        let line = written(code, links, &[import]).join("");
        let is_alone = links.iter().filter(|other| other.statement == link.statement).count() == 1;
        match (class == Class::Idle, matches!(link.taken, LinkedName::Name(_))) {
            (true, true) if link.module.as_ref() == Some(&self.home.path) => {
                Ok(vec![TextEdit::new(link.item, self.name)])
            }
            (true, true) if is_alone => {
                Ok(vec![TextEdit::new(link.item, self.name), TextEdit::new(link.source, source)])
            }
            (false, true) if link.module.as_ref() == Some(&self.home.path) && !link.form.is_type() => {
                Ok(vec![TextEdit::new(Span::at(link.item.end), format!(", {}", self.name))])
            }
            _ if link.form == LinkForm::Require && link.taken != LinkedName::Module => {
                Err(code.refuse(link.item.start, "the class is not taken out of its module by its name here"))
            }
            (true, false) if is_alone => Ok(vec![TextEdit::new(link.statement, line)]),
            (true, _) => {
                let edits = taken_out(code, links, &[link.item])?;
                Ok(with_imports(code, edits, &[line]))
            }
            (false, _) => {
                let beside = beside_default(code, link, self.name);
                let apart = || vec![TextEdit::new(Span::at(link.statement.end), format!("{}{line}", code.newline()))];
                Ok(beside.unwrap_or_else(apart))
            }
        }
    }
}

/// Lets a script's import of the default of a module take a name, too: `import Order, { createOrder } from "…"`. Nothing where
/// another one has to.
fn beside_default(code: &Code, link: &Link, name: &str) -> Option<Vec<TextEdit>> {
    let statement = code.covering(link.statement);
    let clause = statement.child_of_kind("import_clause").filter(|_| link.taken == LinkedName::Default)?;
    let taken: Vec<Node<'_>> = clause.named_children().filter(|it| !it.is("comment")).collect();
    match taken.as_slice() {
        [default] if default.is("identifier") => {
            Some(vec![TextEdit::new(Span::at(default.end()), format!(", {{ {name} }}"))])
        }
        [_, names] if names.is("named_imports") => Some(with_names(code, statement, &[name.to_owned()], &[])),
        _ => None,
    }
}

/// Puts a declaration behind the statement of a class, exported as that is.
pub(crate) fn behind(code: &Code, statement: Node<'_>, declared: &str) -> TextEdit {
    let end = code.newline();
    if code.family() != Family::Python {
        let is_exported = statement.is("export_statement") || is_exported_apart(code, statement);
        let exported = if is_exported { "export " } else { "" };
        return TextEdit::new(Span::at(statement.end()), format!("{end}{end}{exported}{declared}"));
    }
    // Two empty lines stand around what a module defines.
    let next = code.root().children().find(|node| node.start() >= statement.end());
    let gap = next.map_or(3, |next| code.text()[statement.end()..next.start()].matches('\n').count());
    let below = end.repeat(3_usize.saturating_sub(gap));
    TextEdit::new(Span::at(statement.end()), format!("{}{declared}{below}", end.repeat(3)))
}

/// Returns the statement by which a module of CommonJS hands out a class and nothing else: `module.exports = Order`. What is
/// handed out beside it is a member of the class then.
fn whole_export<'c>(code: &'c Code, class: &str) -> Option<Node<'c>> {
    let value = ExportKeys::of(code).whole.filter(|it| it.is("identifier") && it.text(code.text()) == class)?;
    value.ancestors().find(|it| it.is("expression_statement"))
}

/// Tells whether a script exports the class of a statement by another one, which offers no name to list others beside:
/// `export default Order;`, `export { Order as default };`.
fn is_exported_apart(code: &Code, statement: Node<'_>) -> bool {
    let class = statement.child("name").map(|it| it.text(code.text()));
    let names_it = |it: Option<Node<'_>>| it.is_some_and(|it| Some(it.text(code.text())) == class);
    let mut all = code.root().named_children().filter(|it| it.is("export_statement") && it.child("source").is_none());
    let is_alias =
        |it: Node<'_>| it.is("export_specifier") && it.child("alias").is_some() && names_it(it.child("name"));
    all.any(|it| names_it(it.child("value")) || it.descendants().any(is_alias))
}

/// Hands out what stands behind the statement of a class in a script, where a list hands the class out: `export { Order };`,
/// `module.exports = { Order };`.
pub(crate) fn listed_beside(code: &Code, statement: Node<'_>, name: &str) -> Vec<TextEdit> {
    let class = statement.child("name").map(|it| it.text(code.text()));
    let exports = ExportKeys::of(code);
    let key = exports.keys.iter().find(|it| it.value.map(|it| it.text(code.text())) == class);
    let names = [name.to_owned()];
    if let Some(key) = key {
        return match exports.literal.filter(|(object, _)| object.holds(key.node)) {
            Some((object, _)) => {
                let items = object.named_children().filter(|it| !it.is("comment")).collect();
                with_items(code, (items, object.end()), &names, &[])
            }
            None => {
                let said = key.node.text(code.text());
                let object = said.split_once(&format!(".{}", key.key)).map_or("exports", |(object, _)| object);
                let line = format!("{}{object}.{name} = {name}{}", code.newline(), code.semicolon());
                vec![TextEdit::new(Span::at(key.node.end()), line)]
            }
        };
    }
    if let Some(statement) = class.and_then(|class| whole_export(code, class)) {
        let line = format!("{}module.exports.{name} = {name}{}", code.newline(), code.semicolon());
        return vec![TextEdit::new(Span::at(statement.end()), line)];
    }
    let lists = code.root().named_children().filter(|it| it.is("export_statement") && it.child("source").is_none());
    let is_it = |it: Node<'_>| it.is("export_specifier") && Some(it.text(code.text())) == class;
    let list = lists.into_iter().find(|it| it.descendants().any(is_it));
    list.map(|list| with_names(code, list, &names, &[])).unwrap_or_default()
}

/// Returns how many line breaks lack at a place of a Python module for two empty lines to stand above it; nothing where the
/// file begins there.
pub(crate) fn breaks_missing_above(code: &Code, at: usize) -> Option<usize> {
    let before = &code.text()[..at];
    let rest = before.trim_end();
    let breaks = before[rest.len()..].matches('\n').count();
    (!rest.is_empty()).then(|| 3_usize.saturating_sub(breaks))
}

/// Makes one of edits that put something at one place, in their order: the last member of a class of Python ends where it does.
pub(crate) fn in_order(edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let mut all: Vec<TextEdit> = Vec::new();
    for edit in edits {
        match all.iter_mut().find(|it| it.span == edit.span && it.span.is_empty()) {
            Some(first) => first.new_text.push_str(&edit.new_text),
            None => all.push(edit),
        }
    }
    all
}

/// Tells whether an item of an import gives what it takes another name.
fn is_aliased(item: &str) -> bool {
    item.contains(" as ")
}

/// Tells whether what a Python file imports may be there for others to import.
fn is_offered(code: &Code, link: &Link) -> bool {
    let local = link.local.and_then(|local| local.of(code.text())).unwrap_or_default();
    let is_same = |item: &str| item.split_once(" as ").is_some_and(|(name, alias)| name.trim() == alias.trim());
    let listed = dunder_all(&code.parsed().tree, code.text());
    code.family() == Family::Python
        && (code.path.file_stem() == "__init__"
            || link.item.of(code.text()).is_some_and(is_same)
            || listed.iter().any(|(name, _)| name == local))
}
