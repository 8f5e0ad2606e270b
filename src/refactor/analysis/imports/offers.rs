//! Where a file takes a name from another one, or hands one on, and does nothing else with it.

use super::listed::delisted;
use super::required;
use super::statements::{taken_out, whole_line, with_links, without_items};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::references::{Use, UseKind};
use crate::refactor::commonjs::{ExportKeys, is_passed_on, taken};
use crate::refactor::doubts::doubt;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// A file that may hand names on.
pub(crate) struct Offering<'c> {
    code: &'c Code,
    keys: ExportKeys<'c>,
}

/// Tells whether a name is imported where it stands, by `require` as well.
pub(crate) fn is_import(code: &Code, one: &Use) -> bool {
    one.kind == UseKind::Import || code.family() == Family::Script && taken(code, one.node(code)).is_some()
}

/// Doubts that a name may go from a file that does not declare it, and hands it on.
pub(crate) fn doubt_taken(code: &Code, one: &Use, name: &str) -> Result<Warning, Refusal> {
    let done = if is_import(code, one) { UseKind::Import } else { UseKind::Export };
    let reason = format!("`{name}` is {} here, and others may take it from here", done.said());
    doubt(code, one.span, reason)
}

impl<'c> Offering<'c> {
    pub(crate) fn of(code: &'c Code) -> Self {
        Self { code, keys: ExportKeys::of(code) }
    }

    /// Tells whether a name is imported or handed on where it stands, by `require` and `module.exports` as well.
    pub(crate) fn has(&self, one: &Use) -> bool {
        is_specified(one)
            || is_passed_on(self.code, one.node(self.code))
            || self.keys.keys.iter().any(|key| key.value.is_some() && key.node.span().contains(one.span))
    }

    /// Takes offers of a name out of the statements of the file, and the name out of `__all__`.
    ///
    /// # Errors
    /// Refuses a statement that would go and shares its line, or hands on more than can be told apart.
    pub(crate) fn without(&self, session: &Session, name: &str, offers: &[&Use]) -> Result<Vec<TextEdit>, Refusal> {
        let (code, all) = (self.code, self.keys.keys.iter().map(|key| key.node));
        let holds = |key: &Node<'_>| offers.iter().any(|one| key.span().contains(one.span));
        let keys = Vec::from_iter(all.filter(holds));
        let is_key = |one: &Use| keys.iter().any(|key| key.span().contains(one.span));
        let others = offers.iter().copied().filter(|one| !is_key(one));
        let (specified, required): (Vec<&Use>, Vec<&Use>) = others.partition(|one| is_specified(one));
        let names = Vec::from_iter(specified.into_iter().map(|one| one.node(code)));
        let mut edits = required::without(code, &names)?;
        edits.extend(without_keys(code, &self.keys, &keys)?);
        edits.extend(without_required(session, code, &required)?);
        edits.extend(delisted(code, &[name])?);
        Ok(edits)
    }
}

/// Tells whether a name stands in an `import` or an `export`.
fn is_specified(one: &Use) -> bool {
    matches!(one.kind, UseKind::Import | UseKind::Export)
}

/// Takes keys out of what a module of CommonJS hands out.
pub(crate) fn without_keys(code: &Code, all: &ExportKeys<'_>, gone: &[Node<'_>]) -> Result<Vec<TextEdit>, Refusal> {
    let mut edits = Vec::new();
    for statement in gone.iter().filter(|it| it.is("expression_statement")) {
        edits.push(TextEdit::new(whole_line(code, statement.span())?, ""));
    }
    if let Some((object, _)) = all.literal {
        let items: Vec<Span> = object.named_children().filter(|it| !it.is("comment")).map(Node::span).collect();
        let gone: Vec<Span> = gone.iter().map(|it| it.span()).filter(|it| items.contains(it)).collect();
        match gone.len() == items.len() && !gone.is_empty() {
            true => edits.push(TextEdit::new(object.span(), "{}")),
            false => {
                let spans = without_items(code, &items, &gone);
                edits.extend(spans.into_iter().map(|span| TextEdit::new(span, "")));
            }
        }
    }
    Ok(edits)
}

/// Takes names out of the patterns and variables that `require` gives them.
fn without_required(session: &Session, code: &Code, names: &[&Use]) -> Result<Vec<TextEdit>, Refusal> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    with_links(session, code.family(), &code.path, |links| {
        let all = links.with_required(code);
        let variable = |one: &Use| taken(code, one.node(code)).unwrap_or(one.span);
        let item = |one: &&Use| all.iter().map(|link| link.item).find(|item| item.contains(variable(one)));
        let items: Vec<Span> = names.iter().filter_map(item).collect();
        match names.iter().find(|one| item(one).is_none()) {
            Some(one) => Err(code.refuse(one.span.start, "the statement gives more than this name")),
            None => taken_out(code, &all, &items),
        }
    })
}

/// Returns the list by which a module ends, where it exports nothing that it declares in another way.
pub(crate) fn export_list(code: &Code) -> Option<Node<'_>> {
    let statements = Vec::from_iter(code.root().named_children().filter(|it| !it.is("comment")));
    let declares = |it: &Node<'_>| it.is("export_statement") && it.child("declaration").is_some();
    let last = statements.last().filter(|_| !statements.iter().any(declares))?;
    let is_plain = last.child("source").is_none() && !last.children().any(|it| it.kind() == "type");
    last.child_of_kind("export_clause").filter(|list| is_plain && list.named_children().next().is_some())
}
