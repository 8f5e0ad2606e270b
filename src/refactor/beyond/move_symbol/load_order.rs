//! Whether scripts that import each other ask each other for something while they are loaded: whichever of them comes first
//! finds nothing there (ECMAScript, evaluation of modules in a cycle).

use std::collections::BTreeMap;

use super::{Draft, Fate, Way};
use crate::refactor::moves::links::Link;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;
use crate::text::{AbsPath, Span};

impl Way<'_> {
    /// Returns a module that the other one comes to import, and that comes back to it, where one of them needs the other to
    /// be loaded.
    pub(super) fn too_early(&self, draft: &Draft) -> Option<AbsPath> {
        let mut known = BTreeMap::new();
        let before = self.reached(self.imports_of(self.to), &mut known);
        for module in draft.imported.iter().filter(|module| !before.contains_key(*module)) {
            let code = Code::known(self.session, module).ok()?;
            let links = self.links.with_required(&code);
            let back = self.kept_imports(&code, &links);
            let direct = back.iter().any(|link| link.module.as_ref() == Some(&self.to.path));
            let next = back.iter().filter_map(|link| link.module.clone()).collect();
            let around = self.reached(next, &mut known);
            if !direct && !around.contains_key(&self.to.path) {
                continue;
            }
            let leads_back = |path: &AbsPath| *path == self.to.path || around.contains_key(path);
            let asks = back.iter().filter(|link| link.module.as_ref().is_some_and(leads_back));
            if asks.into_iter().any(|link| self.is_used_early(&code, link)) || self.moves_early(module, draft) {
                return Some(module.clone());
            }
        }
        None
    }

    /// The imports that a module keeps, types left aside: the one that something leaves drops those that only this needs.
    fn kept_imports<'l>(&self, code: &Code, links: &'l [Link]) -> Vec<&'l Link> {
        let is_kept =
            |link: &Link| code.path != self.from.path || self.manner.fate == Fate::Offers || self.is_left(code, link);
        links.iter().filter(|link| !link.form.is_type() && link.module.is_some() && is_kept(link)).collect()
    }

    /// Tells whether something that stays uses an import.
    fn is_left(&self, code: &Code, link: &Link) -> bool {
        let Some(name) = link.local.and_then(|local| local.of(code.text())) else { return true };
        self.uses(code, link, name).into_iter().any(|node| !self.is_leaving(node.span()))
    }

    /// Tells whether a module uses an import while it is loaded.
    fn is_used_early(&self, code: &Code, link: &Link) -> bool {
        let Some(name) = link.local.and_then(|local| local.of(code.text())) else { return !link.form.is_export() };
        let stays = |node: &Node<'_>| code.path != self.from.path || !self.is_leaving(node.span());
        self.uses(code, link, name).into_iter().any(|node| stays(&node) && runs_at_once(node))
    }

    /// Tells whether what moves needs something of a module as soon as it is loaded.
    fn moves_early(&self, module: &AbsPath, draft: &Draft) -> bool {
        let code = self.from;
        let moved = |name: &str| {
            let spans = code.parsed().tree.identifiers_named(code.text(), name).into_iter();
            spans
                .map(|span| code.covering(span))
                .any(|node| self.is_leaving(node.span()) && node.is("identifier") && runs_at_once(node))
        };
        let locals = self.own.iter().filter(|link| link.module.as_ref() == Some(module)).filter_map(|link| link.local);
        match *module == code.path {
            true => draft.needed.iter().any(|name| moved(name)),
            false => locals.filter_map(|local| local.of(code.text())).any(moved),
        }
    }

    fn is_leaving(&self, span: Span) -> bool {
        self.leaving.iter().flat_map(|one| &one.statements).any(|statement| statement.span().contains(span))
    }

    fn uses<'c>(&self, code: &'c Code, link: &Link, name: &str) -> Vec<Node<'c>> {
        let spans = code.parsed().tree.identifiers_named(code.text(), name).into_iter();
        let others = spans.filter(|span| !link.statement.contains(*span));
        others.map(|span| code.covering(span)).filter(|node| node.is("identifier")).collect()
    }
}

/// Tells whether a node is evaluated while its module is loaded: in no function, in no field of objects to come, and in no
/// type.
fn runs_at_once(node: Node<'_>) -> bool {
    const LATER: &[&str] = &["interface_declaration", "type_alias_declaration", "type_annotation", "type_query"];
    let is_field = |outer: &Node<'_>| {
        outer.is_any(&["public_field_definition", "field_definition"])
            && !outer.children().any(|it| it.kind() == "static")
    };
    function_of(node).is_none() && !node.ancestors().any(|outer| outer.is_any(LATER) || is_field(&outer))
}
