//! Modules of CommonJS that something leaves, or comes to: what they hand out by `module.exports` and `exports`.

use std::collections::{BTreeMap, BTreeSet};

use super::importers::Led;
use super::{Draft, Fate, Leaving, Way};
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::offers::without_keys;
use crate::refactor::analysis::imports::required::{self, with_imports};
use crate::refactor::commonjs::says_commonjs;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName};
use crate::refactor::source_file::{Code, function_of, is_lone_string};
use crate::syntax::Node;
use crate::text::{AbsPath, Span, TextEdit};

/// Objects that stand for a whole module where it hands something out.
const DEFAULT_OBJECT: &str = "module.exports";

impl Way<'_> {
    /// Refuses modules that hand out what they declare in two different ways, and those that hand out something that has no name.
    pub(super) fn check_exports(&self) -> Result<(), Refusal> {
        if self.is_python() {
            return Ok(());
        }
        for code in [self.from, self.to] {
            if let Some(assigned) = code.hands_out().filter(|_| says_commonjs(code) != Some(true)) {
                let reason = "the module hands things out by `module.exports` and by `export`, which is not followed";
                return Err(code.refuse(assigned.start(), reason));
            }
        }
        if !self.is_commonjs {
            return self.check_other_names();
        }
        for (code, other) in [(self.from, self.to), (self.to, self.from)] {
            let of_es = |it: &Node<'_>| it.is_any(&["import_statement", "export_statement"]);
            if let Some(statement) = code.root().children().find(of_es) {
                let reason = format!("this is an ES module, and `{}` is one of CommonJS", other.shown);
                return Err(code.refuse(statement.start(), reason));
            }
        }
        self.check_whole()?;
        self.check_keys()?;
        self.check_loads()
    }

    /// Refuses what is all that the module hands out, and a module that hands out no names.
    fn check_whole(&self) -> Result<(), Refusal> {
        let (mine, theirs) = (&self.keys_here, &self.keys_there);
        let leaves = |node: &Node<'_>| self.leaving.iter().any(|one| one.name == node.text(self.from.text()));
        if let Some(value) = mine.whole.filter(leaves) {
            let reason = format!(
                "`{}` is all that the module hands out: move the file, or hand it out by a name first",
                value.text(self.from.text())
            );
            return Err(self.from.refuse(value.start(), reason));
        }
        match theirs.whole.filter(|_| !self.handed_out().is_empty()) {
            Some(value) => {
                Err(self.to.refuse(value.start(), "the module hands out this alone, and nothing beside it by a name"))
            }
            None => Ok(()),
        }
    }

    /// Refuses what the other module has another thing for, and an object that has to go and has a name.
    fn check_keys(&self) -> Result<(), Refusal> {
        let (mine, theirs) = (&self.keys_here, &self.keys_there);
        let is_more = self.manner.fate == Fate::Goes && !mine.is_object_alone(self.from);
        let variable = mine.variable.zip(mine.literal).filter(|_| is_more);
        if let Some((name, (object, _))) = variable {
            let reason = format!("`{name}`, which the module hands out, is a thing of its own, and is not taken apart");
            return Err(self.from.refuse(object.start(), reason));
        }
        self.check_other_names()?;
        for one in self.leaving {
            let Some(key) = theirs.keys.iter().find(|it| it.key == one.key && !one.is_there) else { continue };
            let value = key.value.map(|it| it.text(self.to.text()));
            let is_it = |link: &Link| {
                let local = link.local.and_then(|local| local.of(self.to.text()));
                self.brings(link, one.name)
                    && (key.node.span().contains(link.item) || local.is_some() && local == value)
            };
            if !self.theirs.iter().any(is_it) {
                let reason = format!("the module hands out another `{}` here", one.key);
                return Err(self.to.refuse(key.node.start(), reason));
            }
        }
        let offered = self.leaving.iter().find(|one| one.assigned.is_some() && self.manner.fate == Fate::Offers);
        match offered {
            Some(one) => {
                let reason = format!("`{}` is made where it is handed out: declare it by its name first", one.name);
                Err(self.from.refuse(one.place.start, reason))
            }
            None => Ok(()),
        }
    }

    /// Refuses what the other module takes by another name than it has, or exports another thing by.
    fn check_other_names(&self) -> Result<(), Refusal> {
        for one in self.leaving.iter().filter(|one| one.key != one.name) {
            let bound = |link: &&Link| self.brings(link, one.name) && link.local.is_some();
            if let Some(link) = self.theirs.iter().find(bound) {
                return Err(self.to.refuse(link.item.start, "it is imported under another name here"));
            }
            let own = self.to.root().named_children().filter(|it| it.is("export_statement") && !self.is_commonjs);
            let names = own.flat_map(|it| {
                self.to
                    .parsed()
                    .tree
                    .identifiers_named(self.to.text(), one.key)
                    .into_iter()
                    .filter(move |name| it.span().contains(*name))
            });
            let is_exported = |name: &Span| {
                let node = self.to.covering(*name);
                let outer = node.parent();
                let is_listed = outer.is_some_and(|it| it.is("export_specifier"));
                is_listed || node.field() == Some("name") && function_of(node.parent().unwrap_or(node)).is_none()
            };
            if let Some(name) = names.into_iter().find(is_exported) {
                return Err(self.to.refuse(name.start, format!("the module exports another `{}` here", one.key)));
            }
        }
        Ok(())
    }

    /// Lets the module ask for what left where it asks the object for it that it hands out: `exports.total(1)`.
    pub(super) fn led_members(&self, one: &Leaving<'_>) -> Result<Vec<TextEdit>, Refusal> {
        if !self.is_commonjs || self.manner.fate == Fate::Offers {
            return Ok(Vec::new());
        }
        let (text, keys) = (self.from.text(), &self.keys_here);
        let is_object = |it: &Node<'_>| {
            let said = it.text(text);
            matches!(said, "exports" | DEFAULT_OBJECT) || keys.variable == Some(said)
        };
        let mut edits = Vec::new();
        for member in self.from.root().descendants().filter(|it| it.is("member_expression")) {
            let is_it = member.child("property").is_some_and(|it| it.text(text) == one.key);
            let goes = self.leaving.iter().any(|other| other.holds(member.span()));
            let Some(object) = member.child("object").filter(|_| is_it && !goes) else { continue };
            let of_literal = keys.literal.is_some_and(|(literal, _)| literal.span().contains(member.span()));
            if object.is("this") && of_literal {
                let reason = format!("the object that the module hands out asks itself for `{}` here", one.key);
                return Err(self.from.refuse(member.start(), reason));
            }
            let is_set = member.field() == Some("left");
            if is_object(&object) && !is_set {
                edits.push(TextEdit::new(member.span(), one.name));
            }
        }
        let taken = self.names.outside_classes(one.name).next().filter(|_| one.assigned.is_some() && !edits.is_empty());
        match taken {
            Some(name) => {
                Err(self.from.refuse(name.span.start, format!("`{}` is needed here, and is in use", one.name)))
            }
            None => Ok(edits),
        }
    }

    /// Tells whether what is made where it is handed out goes on to be: nothing replaces there what is handed out, or needs a
    /// name for it.
    fn stays_assigned(&self, one: &Leaving<'_>) -> bool {
        let is_asked = self.theirs.iter().any(|link| self.brings(link, one.name))
            || !self.links.members(self.to, &self.from.path, one.key).is_empty();
        one.assigned.is_some() && !is_asked && self.keys_there.literal.is_none()
    }

    /// Gives what was made where it was handed out a name of its own, where it needs one.
    pub(super) fn declared_there(&self, one: &Leaving<'_>, statement: String) -> String {
        let Some(left) = one.assigned.filter(|_| !self.stays_assigned(one)) else { return statement };
        let word = if statement.len() > left.len() { self.from.constant_word() } else { return statement };
        format!("{word} {}{}", one.name, &statement[left.len()..])
    }

    /// Returns the directive by which the module that is left begins, for a new one: `"use strict"`.
    pub(super) fn directive(&self) -> String {
        let first = self.from.root().named_children().find(|it| !it.is_any(&["comment", "hash_bang_line"]));
        let end = self.to.newline();
        match first.filter(|it| self.is_commonjs && is_lone_string(*it)) {
            Some(directive) => format!("{}{end}{end}", directive.text(self.from.text())),
            None => String::new(),
        }
    }

    /// Refuses paths in what leaves that lead elsewhere from the other module.
    fn check_loads(&self) -> Result<(), Refusal> {
        if self.from.path.parent() == self.to.path.parent() {
            return Ok(());
        }
        let text = self.from.text();
        let asks = |it: &Node<'_>| it.child("function").is_some_and(|it| it.text(text).starts_with("require"));
        let calls = self.leaving.iter().flat_map(|one| &one.statements).flat_map(|one| one.descendants());
        for call in calls.filter(|it| it.is("call_expression")).filter(asks) {
            let is_led = self.own.iter().any(|link| call.span().contains(link.source));
            let first = call.child("arguments").and_then(|it| it.named_children().next());
            let is_near = first.is_some_and(|it| !it.is("string") || it.text(text)[1..].starts_with('.'));
            if is_near && !is_led {
                return Err(self.from.refuse(call.start(), "the path would lead elsewhere from there"));
            }
        }
        Ok(())
    }

    /// Returns where a module of CommonJS hands out what stands at a place: the item of a literal, or the statement.
    pub(super) fn export_key(&self, span: Span) -> Option<Node<'_>> {
        if self.is_python() {
            return None;
        }
        self.keys_here.at(span).map(|one| one.node)
    }

    /// Returns the keys that go, of those among some places.
    pub(super) fn keys_gone(&self, stays: &[Span]) -> Vec<Node<'_>> {
        let all = stays.iter().filter_map(|span| self.export_key(*span));
        all.filter(|_| self.manner.fate != Fate::Offers).collect()
    }

    /// Takes keys out of what the module hands out.
    pub(super) fn without_keys(&self, gone: &[Node<'_>]) -> Result<Vec<TextEdit>, Refusal> {
        let keys = &self.keys_here;
        let is_gone = |node: Node<'_>| gone.contains(&node);
        let is_known = |key: &str, name: &str| self.leaving.iter().any(|one| one.name == name && one.key == key);
        let renamed =
            |key: &str, value: Option<Node<'_>>| value.is_some_and(|it| !is_known(key, it.text(self.from.text())));
        if let Some(one) = keys.keys.iter().find(|one| is_gone(one.node) && renamed(one.key, one.value)) {
            return Err(self.from.refuse(one.node.start(), "it is handed out under another name"));
        }
        without_keys(self.from, keys, gone)
    }

    /// Returns the key by which the module hands out a name.
    pub(super) fn key_of(&self, name: &str) -> Option<&str> {
        let keys = &self.keys_here.keys;
        let own = keys.iter().filter(|one| one.value.is_some_and(|it| it.text(self.from.text()) == name));
        own.map(|one| one.key).max_by_key(|key| *key == name)
    }

    /// Returns what the other module comes to hand out, each with what it is handed out as.
    fn handed_out(&self) -> Vec<(&str, &str)> {
        let keys = &self.keys_there.keys;
        let has = |name: &str| keys.iter().any(|one| one.key == name);
        let is_named = |one: &&Leaving<'_>| match one.assigned {
            Some(_) => !self.stays_assigned(one),
            None => self.is_asked(one),
        };
        let comes = self.leaving.iter().filter(|one| !one.is_there && !has(one.key)).filter(is_named);
        comes.map(|one| (one.key, one.name)).collect()
    }

    /// Writes what a module that hands out nothing so far does for the names that come.
    pub(super) fn exports(&self) -> String {
        let names = self.handed_out();
        if names.is_empty() {
            return String::new();
        }
        let (end, semicolon) = (self.to.newline(), self.from.semicolon());
        let (mine, theirs) = (&self.keys_here, &self.keys_there);
        let object = theirs.object.or(mine.object.filter(|_| mine.literal.is_none()));
        match object {
            Some(object) => {
                let lines = names.iter().map(|(key, name)| format!("{object}.{key} = {name}{semicolon}"));
                format!("{end}{}", lines.collect::<Vec<_>>().join(end))
            }
            None => format!("{end}{DEFAULT_OBJECT} = {{ {} }}{semicolon}", items(&names).join(", ")),
        }
    }

    /// Adds what comes to a module of CommonJS that is there, above what hands it out.
    /// What is used at once comes as an edit of its own.
    pub(super) fn grown_in_commonjs(
        &self,
        mut edits: Vec<TextEdit>,
        lines: &[String],
        body: Result<TextEdit, &str>,
    ) -> Vec<TextEdit> {
        let (text, end) = (self.to.text(), self.to.newline());
        let keys = &self.keys_there;
        let is_export = |it: &Node<'_>| {
            keys.literal.is_some_and(|(_, statement)| statement == *it)
                || keys.keys.iter().any(|one| one.node == *it && one.value.is_some())
        };
        let statements: Vec<Node<'_>> = self.to.root().named_children().filter(|it| !it.is("comment")).collect();
        let last: Vec<&Node<'_>> = statements.iter().rev().take_while(|it| is_export(it)).collect();
        let literal = keys.literal.map(|(_, statement)| statement);
        let above = literal.filter(|it| !last.contains(&it)).or(last.last().map(|it| **it));
        let exports = match keys.literal {
            Some((object, _)) => {
                edits.extend(required::with_keys(self.to, object, &items(&self.handed_out()), &edits));
                String::new()
            }
            None => self.exports(),
        };
        let tail = text.trim_end().len();
        let glue = if exports.is_empty() { "" } else { end };
        match (body, above) {
            (Ok(early), _) => {
                edits.push(early);
                if last.is_empty() && !exports.is_empty() {
                    edits.push(TextEdit::new(Span::new(tail, text.len()), format!("{end}{exports}{end}")));
                }
            }
            (Err(body), Some(above)) => {
                edits.push(self.above(above, body));
            }
            (Err(body), None) => {
                let below = format!("{end}{end}{body}{glue}{exports}{end}");
                edits.push(TextEdit::new(Span::new(tail, text.len()), below));
            }
        }
        let behind = last.first().filter(|_| !exports.is_empty());
        edits.extend(behind.map(|it| TextEdit::new(Span::at(it.end()), exports)));
        with_imports(self.to, edits, lines)
    }

    /// What hands on all of the module by a spread goes on to hand on what left: `module.exports = { ...require("./shop") }`.
    pub(super) fn beside_spread(&self, code: &Code, spread: &Link) -> Result<Vec<TextEdit>, Refusal> {
        let is_handed = |one: &&Leaving<'_>| one.assigned.is_some() || self.key_of(one.name).is_some();
        let handed: Vec<&Leaving<'_>> = self.leaving.iter().filter(is_handed).collect();
        let goes = self.manner.fate == Fate::Goes;
        if self.manner.fate == Fate::Offers || handed.is_empty() && !goes {
            return Ok(Vec::new());
        }
        let source = self.links.source((code, spread), &code.path, &self.to.path);
        let source = source.map_err(|reason| code.refuse(spread.statement.start, reason))?;
        let string = Span::new(spread.source.start - 1, spread.source.end + 1).of(code.text()).unwrap_or("\"");
        let quote = &string[..1];
        let items = handed.iter().map(|one| format!("{0}: require({quote}{source}{quote}).{0}", one.key));
        let items: Vec<String> = items.collect();
        if goes && items.is_empty() {
            return Err(code.refuse(spread.statement.start, "what hands on the module here would hand on nothing"));
        }
        let gap = match code.text()[code.line_start(spread.statement.start)..spread.statement.start].trim().is_empty() {
            true => format!("{}{}", code.newline(), code.indent(spread.statement.start)),
            false => " ".to_owned(),
        };
        let added = items.join(&format!(",{gap}"));
        Ok(vec![match goes {
            true => TextEdit::new(spread.statement, added),
            false => TextEdit::new(Span::at(spread.statement.end), format!(",{gap}{added}")),
        }])
    }

    /// Returns the modules that would require each other so that one of them gets the other unfinished: `require` hands out what
    /// is there, and names are taken out of that for good.
    pub(super) fn unfinished(&self, draft: &Draft) -> Option<(AbsPath, AbsPath)> {
        let mut known = BTreeMap::new();
        let theirs = self.reached(self.theirs_without(draft), &mut known);
        if let Some(importer) = draft.importers.iter().find(|it| theirs.contains_key(*it)) {
            return Some((importer.clone(), self.to.path.clone()));
        }
        let comes_back = |module: &AbsPath, known: &mut BTreeMap<_, _>| {
            let next: BTreeSet<AbsPath> = [module.clone()].into();
            draft.importers.contains(module) || self.reached(next, known).contains_key(&self.to.path)
        };
        let module = draft.imported.iter().find(|module| comes_back(module, &mut known));
        module.map(|module| (self.to.path.clone(), module.clone()))
    }

    /// Tells whether a place takes what left from a third module, which hands on all that it requires and is not followed.
    pub(super) fn is_taken_elsewhere(&self, code: &Code, span: Span, through: &BTreeSet<AbsPath>) -> bool {
        let links = self.links.with_required(code);
        let link = links.iter().find(|link| link.form == LinkForm::Require && link.item.contains(span));
        let module =
            link.filter(|link| matches!(link.taken, LinkedName::Name(_))).and_then(|link| link.module.as_ref());
        module.is_some_and(|module| !self.is_end(module) && !through.contains(module))
    }

    /// Notes that a member of what `require` returns was led: `require("./shop").total(1)`, `var sum = require("./shop").total`.
    pub(super) fn note_led(&self, code: &Code, moved: &[&Link], known: &mut Led) {
        let spans = moved.iter().filter_map(|link| match link.local {
            None => Some(link.item),
            Some(_) => (link.form == LinkForm::Require).then_some(link.statement),
        });
        known.places.extend(spans.map(|span| (code.path.clone(), span)));
    }
}

/// Writes what is handed out as an object has it: `total`, `sum: total`.
fn items(handed_out: &[(&str, &str)]) -> Vec<String> {
    let item = |(key, name): &(&str, &str)| if key == name { (*key).to_owned() } else { format!("{key}: {name}") };
    handed_out.iter().map(item).collect()
}
