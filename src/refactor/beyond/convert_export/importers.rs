//! Import and export statements of others, which ask for the export in the other way.

use super::run_time::Loaded;
use super::turn::{Asked, Turn};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::statements::without_items;
use crate::refactor::doubts::doubt;
use crate::refactor::moves::links::{Link, LinkedName, Links};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// One file that may take it.
pub(super) struct Importer<'a> {
    pub asked: &'a Asked<'a>,
    pub links: &'a dyn Links,
    pub user: &'a Code,
    pub all: Vec<Link>,
}

/// The edits of a file, what has to be told, and the places that were led.
type Lead = (Vec<TextEdit>, Vec<Warning>, Vec<Span>);

impl Importer<'_> {
    pub(super) fn lead(&self) -> Result<Lead, Refusal> {
        let (mut edits, mut warnings, mut led) = (Vec::new(), Vec::new(), Vec::new());
        for link in &self.all {
            if self.asked.is_it(link) {
                edits.extend(self.turned(link)?);
                led.push(link.statement);
            }
            if self.asked.takes(link) && link.taken == LinkedName::Star {
                edits.extend(self.beside_star(link));
                warnings.extend(self.check_stars(link)?);
            }
            if self.asked.takes(link) && link.taken == LinkedName::Module {
                warnings.extend(self.check_whole(link)?);
            }
        }
        let (old, new) = self.asked.keys();
        for member in self.links.members(self.user, &self.asked.home.path, old) {
            let last = self.user.covering(member).named_children().last().map_or(member, Node::span);
            edits.push(TextEdit::new(last, new));
        }
        let loaded = Loaded { asked: self.asked, links: self.links, user: self.user };
        let (changed, told) = loaded.lead()?;
        edits.extend(changed);
        warnings.extend(told);
        Ok((edits, warnings, led))
    }

    fn node(&self, span: Span) -> Node<'_> {
        self.user.covering(span)
    }

    /// Returns the item of a list that a span is, which may be nothing but a name.
    fn item(&self, span: Span) -> Node<'_> {
        let node = self.node(span);
        let outer =
            node.parent().filter(|it| it.is_any(&["export_specifier", "import_specifier"]) && it.span() == span);
        outer.unwrap_or(node)
    }

    /// Writes one item anew.
    fn turned(&self, link: &Link) -> Result<Vec<TextEdit>, Refusal> {
        let item = self.item(link.item);
        if item.is("export_specifier") {
            return Ok(vec![TextEdit::new(item.span(), self.exported(item))]);
        }
        let statement = self.node(link.statement);
        let clause = statement.child_of_kind("import_clause");
        let clause =
            clause.ok_or_else(|| self.user.refuse(link.item.start, "the import cannot be written in the other way"))?;
        let local = link.local.and_then(|local| local.of(self.user.text())).unwrap_or_default();
        Ok(match self.asked.turn {
            Turn::Named if item.is("import_specifier") => vec![TextEdit::new(item.span(), self.specifier(item, local))],
            Turn::Named => self.named(statement, clause, local),
            Turn::Default => self.as_default(statement, (clause, item), local),
        })
    }

    /// Writes an item of an `export … from`, which hands out the same as before.
    fn exported(&self, item: Node<'_>) -> String {
        let text = self.user.text();
        let (_, new) = self.asked.keys();
        let public = item.child("alias").or_else(|| item.child("name")).map_or("", |it| it.text(text));
        let word = if item.children().any(|it| it.kind() == "type") { "type " } else { "" };
        match public == new {
            true => format!("{word}{new}"),
            false => format!("{word}{new} as {public}"),
        }
    }

    fn specifier(&self, item: Node<'_>, local: &str) -> String {
        let word = if item.children().any(|it| it.kind() == "type") { "type " } else { "" };
        format!("{word}{}", self.known_as(local))
    }

    fn known_as(&self, local: &str) -> String {
        match local == self.asked.name {
            true => local.to_owned(),
            false => format!("{} as {local}", self.asked.name),
        }
    }

    /// Asks for the name what asked for the default: `import a, { b } from` becomes `import { a, b } from`.
    fn named(&self, statement: Node<'_>, clause: Node<'_>, local: &str) -> Vec<TextEdit> {
        let item = self.known_as(local);
        let Some(default) = clause.child_of_kind("identifier") else { return Vec::new() };
        if clause.child_of_kind("namespace_import").is_some() {
            let rest = clause.child_of_kind("namespace_import").map_or(clause.end(), Node::start);
            return vec![
                TextEdit::new(Span::new(default.start(), rest), ""),
                self.apart(statement, &format!("{{ {item} }}")),
            ];
        }
        let listed = clause.child_of_kind("named_imports");
        let first = listed.and_then(|it| it.named_children().find(|it| it.is("import_specifier")));
        match (listed, first) {
            (Some(listed), Some(first)) => {
                let line = self.user.line_start(first.start());
                let is_alone = self.user.text()[line..first.start()].trim().is_empty();
                let gap = if is_alone {
                    format!("{}{}", self.user.newline(), self.user.indent(first.start()))
                } else {
                    " ".to_owned()
                };
                vec![
                    TextEdit::new(Span::new(default.start(), listed.start()), ""),
                    TextEdit::new(Span::at(first.start()), format!("{item},{gap}")),
                ]
            }
            _ => vec![TextEdit::new(clause.span(), format!("{{ {item} }}"))],
        }
    }

    /// Asks for the default what asked for the name: `import { a, b } from` becomes `import a, { b } from`.
    fn as_default(&self, statement: Node<'_>, (clause, item): (Node<'_>, Node<'_>), local: &str) -> Vec<TextEdit> {
        let is_type = item.children().any(|it| it.kind() == "type");
        let all: Vec<Node<'_>> =
            item.parent().into_iter().flat_map(Node::named_children).filter(|it| it.is("import_specifier")).collect();
        let word = if is_type { "type " } else { "" };
        if all.len() == 1 && clause.child_of_kind("identifier").is_none() {
            return vec![TextEdit::new(clause.span(), format!("{word}{local}"))];
        }
        let spans: Vec<Span> = all.iter().map(|it| it.span()).collect();
        let gone = without_items(self.user, &spans, &[item.span()]).into_iter().map(|span| TextEdit::new(span, ""));
        let mut edits: Vec<TextEdit> = gone.collect();
        // Types cannot be imported as a default and by name in one statement.
        match is_type || statement.children().any(|it| it.kind() == "type") {
            true => edits.push(self.apart(statement, &format!("{word}{local}"))),
            false => edits.push(TextEdit::new(Span::at(clause.start()), format!("{local}, "))),
        }
        edits
    }

    /// Writes another statement of the same module above one.
    fn apart(&self, statement: Node<'_>, clause: &str) -> TextEdit {
        let text = self.user.text();
        let word = if statement.children().any(|it| it.kind() == "type") { "type " } else { "" };
        let source = statement.child("source").map_or("", |it| it.text(text));
        let end = if statement.text(text).ends_with(';') { ";" } else { "" };
        let line = format!("import {word}{clause} from {source}{end}{}", self.user.newline());
        TextEdit::new(Span::at(statement.start()), line)
    }

    /// Hands out by name what `export *` does not, since it is the default now.
    fn beside_star(&self, link: &Link) -> Option<TextEdit> {
        let text = self.user.text();
        let statement = self.node(link.statement);
        let source = statement.child("source").map_or("", |it| it.text(text));
        let end = if statement.text(text).ends_with(';') { ";" } else { "" };
        let line = format!("{}export {{ default as {} }} from {source}{end}", self.user.newline(), self.asked.name);
        (self.asked.turn == Turn::Default).then(|| TextEdit::new(Span::at(link.statement.end), line))
    }

    /// Doubts an `export *` that hands out one name more, where others may hand it out, too.
    fn check_stars(&self, link: &Link) -> Result<Option<Warning>, Refusal> {
        let name = self.asked.name;
        let others = self.all.iter().filter(|it| it.item != link.item && it.taken == LinkedName::Star);
        let may = self.asked.turn == Turn::Named
            && (others.into_iter().next().is_some() || self.user.mentions(self.user.root(), name));
        match may {
            true => {
                let reason = format!("this comes to hand out `{name}`, which others here may do, too");
                doubt(self.user, link.statement, reason).map(Some)
            }
            false => Ok(None),
        }
    }

    /// Doubts what hands the module on as a whole: who asks it for what is not known.
    fn check_whole(&self, link: &Link) -> Result<Option<Warning>, Refusal> {
        let reason = "the module is passed on as a whole: what is asked of it is not known";
        let Some(local) = link.local else { return doubt(self.user, link.item, reason).map(Some) };
        let names = ScopedNames::of(self.user);
        let Some(meaning) = names.at(self.node(local)).map(|it| it.meaning) else { return Ok(None) };
        let is_asked = |node: Node<'_>| {
            let is_member =
                |it: Node<'_>| it.is_any(&["member_expression", "nested_type_identifier", "nested_identifier"]);
            node.parent().is_some_and(|it| is_member(it) && it.named_children().next() == Some(node))
        };
        let mut others = names.of_meaning(meaning).filter(|it| it.span != local);
        match others.find(|it| !is_asked(self.node(it.span))) {
            Some(one) => doubt(self.user, one.span, reason).map(Some),
            None => Ok(None),
        }
    }
}
