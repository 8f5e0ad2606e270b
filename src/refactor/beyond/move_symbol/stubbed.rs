//! What the stubs of the two modules declare goes along.

use std::collections::BTreeSet;

use super::moved_code::{self, Extent, Leaving};
use super::stubs::{StubTarget, Stubs, stub_path};
use super::{Draft, Fate, Way};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::refusal::{both, each};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, inner, squeezed};
use crate::syntax::Node;
use crate::text::AbsPath;

impl Way<'_> {
    /// Lets what the stub declares go along.
    pub(super) fn carry_stubs(&self, stubs: &Stubs, draft: &mut Draft) -> Result<(), Refusal> {
        let names = ScopedNames::with_spelled(&stubs.from);
        let wished: BTreeSet<&str> = self.leaving.iter().map(|one| one.name).collect();
        if self.manner.fate == Fate::Goes
            && let Some(more) = moved_code::all(&stubs.from)?.into_iter().find(|name| !wished.contains(name))
        {
            let reason = format!("the stub declares `{more}`, which the module does not");
            return Err(stubs.from.refuse(0, reason));
        }
        let all = stubs.from.root().named_children().filter_map(|it| declared(&stubs.from, it));
        let along: BTreeSet<&str> = all.map(|it| it.text(stubs.from.text())).filter(|it| wished.contains(it)).collect();
        let found = along.into_iter().map(|name| Leaving::find(&stubs.from, &names, (name, Extent::Part(&[]))));
        let mut leaving = each(found)?;
        leaving.sort_by_key(|one| one.place);
        let to = match &stubs.to {
            StubTarget::Stub(to) => to,
            StubTarget::Module => {
                each(leaving.iter().map(|one| self.check_said(&stubs.from, one)))?;
                self.to
            }
        };
        let way = Way::new((self.session, self.links), (&stubs.from, to), (&names, &leaving), self.manner);
        let mut other = Draft::default();
        if let StubTarget::Stub(_) = stubs.to {
            let (needs, ()) = both(way.needs(), way.check_free())?;
            other.needed.clone_from(&needs.own);
            way.depart(&[], &mut other)?;
            way.arrive(needs, &mut other)?;
        } else {
            way.depart(&[], &mut other)?;
        }
        draft.edits.extend(other.edits);
        draft.created.extend(other.created);
        draft.deleted.extend(other.deleted);
        Ok(())
    }

    /// Refuses a declaration of the stub that says more than what it declares.
    fn check_said(&self, stub: &Code, one: &Leaving<'_>) -> Result<(), Refusal> {
        let moved = self.leaving.iter().find(|other| other.name == one.name);
        let said = |code: &Code, all: &[Node<'_>]| match all {
            [only] if inner(*only).is("function_definition") => Some(types(code, inner(*only))),
            _ => None,
        };
        let mine = said(stub, &one.statements);
        match mine.is_some() && moved.is_some_and(|it| said(self.from, &it.statements) == mine) {
            true => Ok(()),
            false => {
                let reason =
                    format!("`{}` says the types of `{}`, and `{}` has no stub", stub.shown, one.name, self.to.shown);
                Err(stub.refuse(one.place.start, reason))
            }
        }
    }

    /// Tells whether a file is one of the two modules, or the stub of one.
    pub(super) fn is_end(&self, path: &AbsPath) -> bool {
        let own = [&self.from.path, &self.to.path];
        own.into_iter().any(|it| it == path || self.is_python() && stub_path(it).as_ref() == Some(path))
    }
}

/// Returns what a function says of what it takes and answers.
fn types(code: &Code, function: Node<'_>) -> Vec<String> {
    let said = |node: Node<'_>| squeezed(node.text(code.text()));
    let parameters = function.child("parameters").into_iter().flat_map(Node::named_children);
    let one = |it: Node<'_>| {
        let name = it.child("name").or_else(|| it.named_children().next()).unwrap_or(it);
        format!("{}: {}", said(name), it.child("type").map(said).unwrap_or_default())
    };
    parameters.map(one).chain(function.child("return_type").map(said)).collect()
}
