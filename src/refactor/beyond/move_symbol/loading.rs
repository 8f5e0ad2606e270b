//! What a Python module did where it is loaded, and no longer does when something left it.

use super::{Fate, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::analysis::class_identity::is_told_of_heirs;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::source_file::{Code, inner};
use crate::syntax::Node;
use crate::syntax::python::dunder_all;

/// The list of what a module hands out by `*`.
const PUBLIC: &str = "__all__";
/// Nobody derives a class through more.
const DEEPEST: usize = 8;

impl Way<'_> {
    /// Tells that a class leaves whose bases know their heirs as these are loaded: `__init_subclass__`, a metaclass,
    /// `Base.__subclasses__()`.
    pub(super) fn known_by_bases(&self) -> Option<Warning> {
        if !self.is_python() {
            return None;
        }
        let classes = self
            .leaving
            .iter()
            .filter(|one| !one.is_there)
            .flat_map(|one| one.statements.iter().map(move |it| (one, inner(*it))));
        for (one, class) in classes.filter(|(_, class)| class.is("class_definition")) {
            if let Some(base) = self.knowing((self.from, &self.own), class, DEEPEST) {
                let (name, to) = (one.name, &self.to.shown);
                let message = format!("`{base}` knows `{name}` when its module is loaded, and `{to}` may never be");
                let range = self.from.parsed().text.range(one.place);
                return Some(Warning::at(WarningKind::RunTime, message, self.from.path.clone(), range));
            }
        }
        None
    }

    /// Returns a base of a class that is told of its heirs.
    fn knowing(&self, (code, links): (&Code, &[Link]), class: Node<'_>, depth: usize) -> Option<String> {
        let text = code.text();
        let bases = class.child("superclasses").map(Node::named_children).into_iter().flatten();
        for base in bases.filter(|base| base.is("identifier")) {
            let name = base.text(text);
            let own = declared_class(code, name);
            let link = links.iter().find(|link| link.local.and_then(|local| local.of(text)) == Some(name));
            let found = match (own, link.map(|link| (&link.taken, &link.module))) {
                (Some(class), _) => self.knows((code, links), class, depth),
                (None, Some((LinkedName::Name(taken), Some(module)))) => {
                    let other = Code::known(self.session, module).ok()?;
                    let links = self.links.of(&other);
                    declared_class(&other, taken).and_then(|class| self.knows((&other, &links), class, depth))
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn knows(&self, (code, links): (&Code, &[Link]), class: Node<'_>, depth: usize) -> Option<String> {
        let name = class.child("name")?.text(code.text());
        if is_told_of_heirs(self.session, code, class) {
            return Some(name.to_owned());
        }
        depth.checked_sub(1).and_then(|depth| self.knowing((code, links), class, depth))
    }

    /// Tells that a file hands on the list of what the module hands out, which lacks what left.
    pub(super) fn hands_on_list(&self, code: &Code, links: &[Link]) -> Option<Warning> {
        if !self.is_python() || self.manner.fate == Fate::Offers {
            return None;
        }
        let listed = dunder_all(&self.from.parsed().tree, self.from.text());
        let gone = self.leaving.iter().find(|one| listed.iter().any(|(name, _)| name == one.name))?;
        let is_list = |link: &&Link| {
            link.module.as_ref() == Some(&self.from.path) && link.taken == LinkedName::Name(PUBLIC.to_owned())
        };
        let imported = links.iter().find(is_list).map(|link| link.item);
        let place = imported.or_else(|| self.links.members(code, &self.from.path, PUBLIC).first().copied())?;
        let message = format!(
            "what `{}` lists in `{PUBLIC}` is handed on here, and `{}` is no longer among it",
            self.from.shown, gone.name
        );
        let range = code.parsed().text.range(place);
        Some(Warning::at(WarningKind::PossibleUse, message, code.path.clone(), range))
    }
}

fn declared_class<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    let mut classes = code.root().named_children().map(inner).filter(|one| one.is("class_definition"));
    classes.find(|class| class.child("name").is_some_and(|own| own.text(code.text()) == name))
}
