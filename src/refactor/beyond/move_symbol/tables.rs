//! Tables by which a package finds its names, and what they say of what moved: `{"Order": ".orders"}`, `{"orders": ["Order"]}`,
//! `table["orders"] = ["Order"]`.

use std::collections::BTreeSet;

use super::Way;
use crate::refactor::analysis::imports::listed::without_entries;
use crate::refactor::analysis::imports::statements::without_items;
use crate::refactor::analysis::signatures::appended;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::syntax::python::listed;
use crate::text::{Span, TextEdit};

/// The names that moved and a list of their old module says.
struct List<'t> {
    names: Node<'t>,
    module: Node<'t>,
    gone: Vec<Node<'t>>,
    /// The new module, as the old one is written.
    renewed: String,
}

impl Way<'_> {
    /// Leads the entries of tables from the one module to the other, each in dots; returns the names among them, too.
    pub(super) fn in_tables(&self, code: &Code, (old, new): (&str, &str)) -> (Vec<TextEdit>, BTreeSet<Span>) {
        let (mut edits, mut seen) = (Vec::new(), BTreeSet::new());
        let mut lists: Vec<List<'_>> = Vec::new();
        for content in code.root().descendants().filter(|node| node.is("string_content")) {
            let is_moved = self.leaving.iter().any(|one| one.name == content.text(code.text()));
            let Some(entry) = listed(content, code.text()).filter(|_| is_moved) else { continue };
            let Some(renewed) = self.renewed(code, entry.module, (old, new)) else { continue };
            seen.insert(content.span());
            let (Some(names), Some(string)) = (entry.names, content.parent()) else {
                edits.push(TextEdit::new(entry.module.span(), renewed));
                continue;
            };
            match lists.iter_mut().find(|list| list.names == names) {
                Some(list) => list.gone.push(string),
                None => lists.push(List { names, module: entry.module, gone: vec![string], renewed }),
            }
        }
        edits.extend(lists.iter().flat_map(|list| list.led(code)));
        (edits, seen)
    }

    /// Writes the new module as a table of a package writes the old one; nothing where it says another one.
    fn renewed(&self, code: &Code, module: Node<'_>, (old, new): (&str, &str)) -> Option<String> {
        let package = self.links.plain_source(&self.to.path, &code.path).ok()?;
        let below = |dotted: &str| dotted.strip_prefix(&package)?.strip_prefix('.').map(str::to_owned);
        let written = module.text(code.text());
        match (written.strip_prefix('.'), below(old).zip(below(new))) {
            _ if written == old => Some(new.to_owned()),
            (Some(rest), Some((old, new))) if rest == old => Some(format!(".{new}")),
            (None, Some((old, new))) if written == old => Some(new),
            _ => None,
        }
    }
}

impl<'t> List<'t> {
    fn led(&self, code: &Code) -> Vec<TextEdit> {
        let items: Vec<Span> = self.names.named_children().map(Node::span).collect();
        let gone: Vec<Span> = self.gone.iter().map(|string| string.span()).collect();
        let is_all = items.iter().all(|item| gone.contains(item));
        let said = self.gone.iter().map(|string| string.text(code.text())).collect::<Vec<_>>().join(", ");
        let Some(other) = self.other(code) else {
            return if is_all { self.relabelled() } else { self.parted(code, &gone, &said) };
        };
        let added = appended(code, other, &said);
        let pair = self.names.parent().filter(|pair| pair.is("pair"));
        match pair.and_then(|pair| Some((pair, pair.parent()?))) {
            Some((pair, dictionary)) if is_all => {
                let pairs: Vec<Span> = dictionary.named_children().filter(|it| it.is("pair")).map(Node::span).collect();
                let spans = without_items(code, &pairs, &[pair.span()]).into_iter();
                spans.map(|span| TextEdit::new(span, "")).chain([added]).collect()
            }
            None if is_all => self.relabelled(),
            _ => without_entries(code, self.names, &gone).into_iter().chain([added]).collect(),
        }
    }

    fn relabelled(&self) -> Vec<TextEdit> {
        vec![TextEdit::new(self.module.span(), self.renewed.as_str())]
    }

    /// Makes an entry of their own for names that leave others behind.
    fn parted(&self, code: &Code, gone: &[Span], said: &str) -> Vec<TextEdit> {
        let Some(key) = self.module.parent() else { return Vec::new() };
        let quoted = key.text(code.text()).replacen(self.module.text(code.text()), &self.renewed, 1);
        let around = self.names.parent();
        if let Some(dictionary) = around.filter(|pair| pair.is("pair")).and_then(Node::parent) {
            let added = appended(code, dictionary, &format!("{quoted}: [{said}]"));
            return without_entries(code, self.names, gone).into_iter().chain([added]).collect();
        }
        let statement = self.names.ancestors().find(|outer| outer.kind().ends_with("statement"));
        let Some(statement) = statement else { return Vec::new() };
        let value = Span::new(self.names.start() - statement.start(), self.names.end() - statement.start());
        let label = Span::new(self.module.start() - statement.start(), self.module.end() - statement.start());
        let mut line = statement.text(code.text()).to_owned();
        line.replace_range(
            value.start..value.end,
            &if self.names.is("argument_list") { format!("({said})") } else { format!("[{said}]") },
        );
        line.replace_range(label.start..label.end, &self.renewed);
        let glue = format!("{}{}", code.newline(), code.indent(statement.start()));
        let added = TextEdit::new(Span::at(statement.end()), format!("{glue}{line}"));
        without_entries(code, self.names, gone).into_iter().chain([added]).collect()
    }

    /// The list that the same table has for the new module.
    fn other(&self, code: &Code) -> Option<Node<'t>> {
        let pair = self.names.parent().filter(|pair| pair.is("pair"))?;
        let is_new = |key: Node<'t>| {
            key.named_children().any(|part| part.is("string_content") && part.text(code.text()) == self.renewed)
        };
        let mut pairs = pair.parent()?.named_children();
        let same = pairs.find(|one| one.child("key").is_some_and(is_new))?;
        same.child("value").filter(|value| value.is_any(&["list", "tuple", "set"]))
    }
}
