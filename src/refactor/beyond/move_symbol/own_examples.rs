//! Examples in docstrings (Python's `doctest`) that ask their own module for a name, which the one that they come to stand in
//! has to have.

use std::collections::BTreeSet;

use super::Way;
use super::required_imports::Needs;
use crate::plan::{Warning, WarningKind};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_module_level};
use crate::syntax::python::examples_of;
use crate::syntax::{Language, Node, Tree, scopes};
use crate::text::Span;

impl Way<'_> {
    /// Imports what only examples that go along ask for, where the one module does; tells of what else they ask it for.
    pub(super) fn need_exemplified(&self, needs: &mut Needs) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if !self.runs_examples() {
            return warnings;
        }
        let needed = self.needed_names();
        let leaving = self.leaving.iter().filter(|one| !one.is_there);
        let inside = leaving.flat_map(|one| &one.statements).flat_map(|statement| statement.descendants());
        for string in inside.filter(|node| node.is("string")) {
            for (name, place) in asked(self.from, string) {
                let goes = needed.contains(&name) || self.leaving.iter().any(|one| one.name == name);
                let Some(binding) = outermost(self.from, &name) else { continue };
                if goes || outermost(self.to, &name).is_some() {
                    continue;
                }
                let link = self.own.iter().find(|link| link.local == Some(binding) && !link.form.is_type());
                match link.map(|link| (link, self.copied(link))) {
                    Some((_, Ok(wanted))) if needs.wanted.contains(&wanted) => {}
                    Some((link, Ok(wanted))) => {
                        needs.wanted.push(wanted);
                        needs.modules.extend(link.module.clone());
                    }
                    _ => warnings.push(self.missed(&name, place)),
                }
            }
        }
        warnings
    }

    /// Tells the examples that stay and ask for what leaves.
    pub(super) fn bereft_examples(&self) -> Vec<Warning> {
        let gone: BTreeSet<&str> =
            self.leaving.iter().map(|one| one.name).filter(|name| !self.still_has(name)).collect();
        if gone.is_empty() || !self.runs_examples() {
            return Vec::new();
        }
        let goes = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        let strings = self.from.root().descendants().filter(|node| node.is("string") && !goes(node.span()));
        let asked = strings.flat_map(|string| asked(self.from, string));
        asked.filter(|(name, _)| gone.contains(name.as_str())).map(|(name, at)| self.missed(&name, at)).collect()
    }

    /// Tells whether somebody runs the examples of docstrings.
    fn runs_examples(&self) -> bool {
        self.is_python() && !self.session.disk().files_mentioning("doctest").is_empty()
    }

    fn missed(&self, name: &str, place: Span) -> Warning {
        let message = format!("an example asks for `{name}` here, which its module no longer has");
        let range = self.from.parsed().text.range(place);
        Warning::at(WarningKind::PossibleUse, message, self.from.path.clone(), range)
    }
}

/// Returns the names that the examples of a docstring do not make themselves, each with the first place where it stands.
fn asked(code: &Code, docstring: Node<'_>) -> Vec<(String, Span)> {
    let made = examples_of(docstring.text(code.text()));
    let (examples, start) = (made.text(), docstring.start());
    let names = scopes::names(&Tree::parse(Language::Python, examples), examples);
    let mut seen = BTreeSet::new();
    let first = names.iter().filter(|name| name.is_free && seen.insert(name.meaning));
    let placed = first.filter_map(|name| {
        let (word, place) = (name.span.of(examples)?, made.origin(name.span)?);
        Some((word.to_owned(), Span::new(start + place.start, start + place.end)))
    });
    placed.collect()
}

/// Returns where a module itself binds a name first.
fn outermost(code: &Code, name: &str) -> Option<Span> {
    let names = ScopedNames::of(code);
    names.outside_classes(name).find(|it| it.is_binding && is_module_level(code, it.span)).map(|it| it.span)
}
