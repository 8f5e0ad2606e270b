//! Whoever imported the functions, or hands them on, has the class instead.

use super::{Code, Edits, Family, Node, Refusal, ScopedNames, Session, Span, TextEdit, Use, UseKind, check_unused};
use crate::refactor::analysis::imports::listed::delisted;
use crate::refactor::analysis::imports::required;
use crate::syntax::python::dunder_all;
use crate::syntax::whole_words;

/// A file that has the functions, and the one that declares them.
pub(super) struct Importer<'a> {
    pub session: &'a Session,
    pub home: &'a Code,
    pub user: &'a Code,
    pub class: &'a str,
}

impl Importer<'_> {
    /// Lets imports, exports and `__all__` name the class; `asked` are the edits of the file, which name it already.
    pub(super) fn lead(
        &self,
        places: &[(&str, &Use)],
        (asked, is_old): (&[TextEdit], bool),
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let is_item = |one: &Use| matches!(one.kind, UseKind::Import | UseKind::Export);
        let found = places.iter().filter(|(_, one)| is_item(one)).map(|(_, one)| one.node(self.user));
        let mut items: Vec<Node<'_>> = found.map(|it| aliased(it).unwrap_or(it)).collect();
        items.dedup();
        let is_handed_on = |it: &&Node<'_>| it.is("export_specifier") && it.child("alias").is_some();
        if let Some(named) = items.iter().find(is_handed_on) {
            return Err(self.user.refuse(named.start(), "it is handed on under another name here"));
        }
        let is_home = self.user.path == self.home.path;
        let is_bound = is_home || is_old && self.has_class()?;
        if is_bound && !is_home && !asked.is_empty() {
            edits.add(self.user, self.brought());
        }
        let is_export = |it: &Node<'_>| it.ancestors().any(|outer| outer.is("export_statement"));
        if !(is_bound || items.iter().all(is_export) && asked.iter().all(|edit| self.is_member(edit.span))) {
            check_unused(self.user, self.class)?;
        }
        let mut statements: Vec<(Node<'_>, Vec<Node<'_>>)> = Vec::new();
        for item in items {
            let Some(statement) = item.ancestors().find(|it| it.kind().ends_with("_statement")) else { continue };
            match statements.iter_mut().find(|(other, _)| *other == statement) {
                Some((_, all)) => all.push(item),
                None => statements.push((statement, vec![item])),
            }
        }
        let mut is_bound = is_bound;
        for (statement, items) in statements {
            self.exchange((statement, &items), is_bound, edits)?;
            // What one statement brings, the next one need not bring again.
            is_bound |= !statement.is("export_statement") && statement.parent() == Some(self.user.root());
        }
        edits.add(self.user, self.listed(places)?);
        Ok(())
    }

    /// Exchanges the items of one statement.
    fn exchange(
        &self,
        (statement, items): (Node<'_>, &[Node<'_>]),
        is_bound: bool,
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let names = ScopedNames::of(self.user);
        let is_export = statement.is("export_statement");
        let is_there = is_export && !whole_words(statement.text(self.user.text()), self.class).is_empty();
        if is_bound && !is_export || is_there {
            edits.add(self.user, required::without(self.user, items)?);
            return Ok(());
        }
        let is_top = statement.parent().is_some_and(|it| it.parent().is_none());
        let is_direct = |item: &Node<'_>| {
            let bound = item.child("alias").unwrap_or(*item);
            names.at(bound).is_some_and(|it| required::imports(self.session, self.user, it, self.home))
        };
        let is_whole = given(statement) == items.len();
        if is_top && !is_export && !is_whole && items.iter().all(is_direct) {
            edits.import(self.user, required::line(self.session, self.home, self.user, self.class));
            edits.add(self.user, required::without(self.user, items)?);
            return Ok(());
        }
        edits.add(self.user, [TextEdit::new(items[0].span(), self.class)]);
        if items.len() > 1 {
            edits.add(self.user, required::without(self.user, &items[1..])?);
        }
        Ok(())
    }

    /// Names the class in `__all__`, in the place of the first function.
    fn listed(&self, places: &[(&str, &Use)]) -> Result<Vec<TextEdit>, Refusal> {
        if self.user.family() != Family::Python {
            return Ok(Vec::new());
        }
        let all = dunder_all(&self.user.parsed().tree, self.user.text());
        let mut names: Vec<&str> = places.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        let mut spans = all.iter().filter(|(one, _)| names.contains(&one.as_str()));
        let is_there = all.iter().any(|(one, _)| one == self.class);
        let Some((first, span)) = spans.next().filter(|_| !is_there) else { return delisted(self.user, &names) };
        let mut edits = vec![TextEdit::new(*span, self.class)];
        names.retain(|name| name != first);
        edits.extend(delisted(self.user, &names)?);
        Ok(edits)
    }

    /// Tells whether the file has a class that is there already; refuses one that bears its name.
    fn has_class(&self) -> Result<bool, Refusal> {
        let names = ScopedNames::of(self.user);
        let Some(bound) = names.named(self.class).find(|it| it.is_binding) else { return Ok(false) };
        let is_it = required::imports(self.session, self.user, bound, self.home);
        match is_it || required::imports_type(self.session, self.user, bound, self.home) {
            true => Ok(true),
            false => Err(self.user.refuse(bound.span.start, format!("`{}` may be something else here", self.class))),
        }
    }

    /// Brings the class for the program, too, where it was imported as a type.
    fn brought(&self) -> Vec<TextEdit> {
        let names = ScopedNames::of(self.user);
        let bound = names.named(self.class).find(|it| it.is_binding);
        let bound = bound.filter(|it| required::imports_type(self.session, self.user, *it, self.home));
        bound.map(|it| required::as_value(self.user, it.span)).unwrap_or_default()
    }

    /// Tells whether a name is asked of a module.
    fn is_member(&self, span: Span) -> bool {
        let node = self.user.covering(span);
        node.parent().is_some_and(|it| it.is_any(&["attribute", "member_expression"])) && node.field() != Some("object")
    }
}

/// Returns what gives a name of an import another one: `total as order_total`.
fn aliased(item: Node<'_>) -> Option<Node<'_>> {
    const ALIASED: &[&str] = &["aliased_import", "import_specifier", "export_specifier"];
    item.ancestors().take(2).find(|it| it.is_any(ALIASED) && it.child("alias").is_some())
}

/// Counts what an import statement gives.
fn given(statement: Node<'_>) -> usize {
    let named = statement.descendants().filter(|it| it.is_any(&["import_specifier", "aliased_import"])).count();
    named.max(statement.children_in("name").count())
}

/// Tells whether a text is an entry of `__all__`.
pub(super) fn is_listed(user: &Code, one: &Use) -> bool {
    let is_all = |it: &Node<'_>| it.child("left").is_some_and(|left| left.text(user.text()) == "__all__");
    one.node(user).ancestors().any(|it| is_all(&it))
}
