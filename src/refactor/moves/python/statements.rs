//! What becomes of import statements.

use std::collections::{BTreeMap, BTreeSet};

use super::edits::{FileEdits, Origin};
use super::error::Refused;
use super::naming::{Naming, Style};
use super::place::Place;
use super::project_modules::{Member, Named, World};
use super::reexports::Reexports;
use super::source::{Bound, Source};
use crate::syntax::python::{FromImport, FromItem, Import, ImportKind, Imported, ModuleItem, ScopeKind};

/// Rewrites the import statements of files.
pub(super) struct Statements<'a> {
    pub(super) before: &'a World<'a>,
    /// The project after the move, with the edits known so far; not there in the first round.
    pub(super) after: Option<&'a World<'a>>,
    pub(super) naming: &'a Naming<'a>,
    pub(super) reexports: &'a Reexports<'a>,
    /// The last names of everything that moves.
    pub(super) stems: &'a BTreeSet<String>,
}

/// What became of the import statements of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct Rewritten {
    pub(super) edits: FileEdits,
    /// Per place of a bound word, the name that is bound there after the move, if another.
    pub(super) local: BTreeMap<usize, String>,
    /// Whether a name comes through another module's members, and has to be looked at again.
    pub(super) is_indirect: bool,
}

/// What becomes of one name of a `from` import.
enum Fate {
    /// It stays in its statement, under a name.
    Stays(String),
    /// It is imported from elsewhere, under a name.
    Leaves(Origin, String),
}

impl Statements<'_> {
    pub(super) fn rewrite(&self, source: &Source) -> Result<Rewritten, Refused> {
        let mut done = Rewritten::default();
        let has_moved = self.naming.moves.is_moved(&source.place);
        for import in &source.imports {
            if !has_moved && !self.names_a_stem(import) {
                continue;
            }
            match &import.kind {
                ImportKind::Modules(items) => {
                    for item in items {
                        self.module(source, (import, item), &mut done)?;
                    }
                }
                ImportKind::From(from) => self.from(source, (import, from), &mut done)?,
            }
        }
        let may_list = source.is_init() && source.strings().any(|(span, _)| self.is_stem(span.of(source.str())));
        if may_list && source.str().contains("__all__") {
            super::listed_submodules::rename_entries(source, self.naming, &mut done.edits)?;
        }
        Ok(done)
    }

    fn is_stem(&self, word: Option<&str>) -> bool {
        word.is_some_and(|word| self.stems.contains(word))
    }

    fn names_a_stem(&self, import: &Import) -> bool {
        let is_stem = |word: &str| self.stems.contains(word);
        match &import.kind {
            ImportKind::Modules(items) => items.iter().flat_map(|item| item.path.texts()).any(is_stem),
            ImportKind::From(from) => {
                let origin = from.module.iter().flat_map(|module| module.texts());
                let Imported::Names(items) = &from.imported else { return origin.into_iter().any(is_stem) };
                origin.chain(items.iter().map(|item| item.name.text.as_str())).any(is_stem)
            }
        }
    }

    fn module(
        &self,
        source: &Source,
        (import, item): (&Import, &ModuleItem),
        done: &mut Rewritten,
    ) -> Result<(), Refused> {
        let names = item.path.texts();
        let Some(named) = self.before.absolute(&source.directory, &names) else { return Ok(()) };
        if self.naming.still_means(source, &named, &names) {
            return Ok(());
        }
        let new = self.naming.absolute(source, &named)?;
        if let Some(alias) = &item.alias
            && self.is_hidden(&named)
        {
            return self.hidden(source, (import, item, &alias.text), (&named, new), done);
        }
        let words: Vec<_> = item.path.parts.iter().collect();
        done.edits.rename_dotted(&words, &new);
        if item.alias.is_none() && new.first().is_some_and(|top| *top != names[0]) {
            done.local.insert(item.bound().span.start, new[0].clone());
        }
        Ok(())
    }

    /// Tells whether a package binds a submodule's name to something else: that is then what
    /// `import a.b as c` gives (Python 3.7 and later).
    fn is_hidden(&self, named: &Named) -> bool {
        let parent = named.place.parent().unwrap_or_default();
        self.before.tree.is_package(&parent) && self.before.member(&parent, named.place.name()) == Member::Value
    }

    /// Keeps what `import a.b as c` gives where that is not the module.
    fn hidden(
        &self,
        source: &Source,
        (import, item, alias): (&Import, &ModuleItem, &str),
        (named, mut new): (&Named, Vec<String>),
        done: &mut Rewritten,
    ) -> Result<(), Refused> {
        let parent = named.place.parent().unwrap_or_default();
        let stays = self.naming.moves.after(&named.place).parent() == Some(self.naming.moves.after(&parent));
        let is_alone = matches!(&import.kind, ImportKind::Modules(items) if items.len() == 1);
        if !stays || !is_alone {
            let import = import.span.of(source.str()).unwrap_or_default().to_owned();
            return Err(Refused::Unsound { path: source.path.clone(), import });
        }
        new.pop();
        let name = item.path.parts.last().map_or("", |part| part.text.as_str());
        done.edits.replace(import.span, Origin { level: 0, names: new }.statement(name, Some(alias)));
        Ok(())
    }

    fn from(
        &self,
        source: &Source,
        (import, from): (&Import, &FromImport),
        done: &mut Rewritten,
    ) -> Result<(), Refused> {
        let Some(named) = self.before.origin(&source.directory, from) else { return Ok(()) };
        let Imported::Names(items) = &from.imported else {
            let origin = self.naming.origin(source, from, &named)?;
            done.edits.rename_origin(source.str(), from, &origin);
            return Ok(());
        };
        let mut fates = Vec::new();
        for item in items {
            fates.push(self.fate(source, (from, item), &named, done)?);
        }
        refuse_unnameable(source, items, &fates)?;
        self.carry_out(source, (import, from, items), (&named, &fates), done)
    }

    fn carry_out(
        &self,
        source: &Source,
        (import, from, items): (&Import, &FromImport, &[FromItem]),
        (named, fates): (&Named, &[Fate]),
        done: &mut Rewritten,
    ) -> Result<(), Refused> {
        let target = match (self.common_target(fates), fates.iter().any(|fate| matches!(fate, Fate::Stays(_)))) {
            (_, true) => self.naming.origin(source, from, named)?,
            (Some(target), false) => target,
            (None, false) => first_target(fates),
        };
        if target.level == 0 && target.names.is_empty() {
            return self.as_modules(source, (import, items), fates, done);
        }
        done.edits.rename_origin(source.str(), from, &target);
        let leaves = |fate: &Fate| matches!(fate, Fate::Leaves(origin, _) if *origin != target);
        for (item, fate) in items.iter().zip(fates) {
            let (Fate::Stays(name) | Fate::Leaves(_, name)) = fate;
            match fate {
                Fate::Leaves(origin, _) if *origin != target => {
                    let local = self.local_name(source, item, name, done);
                    done.edits.add_before(import, origin.statement(name, Some(&local)));
                }
                _ if *name != item.name.text => self.rename_item(source, item, name, done),
                _ => {}
            }
        }
        done.edits.remove_items(source.str(), items, &|at| leaves(&fates[at]));
        Ok(())
    }

    fn common_target(&self, fates: &[Fate]) -> Option<Origin> {
        let first = first_target(fates);
        fates.iter().all(|fate| matches!(fate, Fate::Leaves(origin, _) if *origin == first)).then_some(first)
    }

    /// Turns the whole statement into `import` statements: its modules become top-level ones.
    fn as_modules(
        &self,
        source: &Source,
        (import, items): (&Import, &[FromItem]),
        fates: &[Fate],
        done: &mut Rewritten,
    ) -> Result<(), Refused> {
        let mut statements = Vec::new();
        for (item, fate) in items.iter().zip(fates) {
            let (Fate::Stays(name) | Fate::Leaves(_, name)) = fate;
            let local = self.local_name(source, item, name, done);
            let origin = match fate {
                Fate::Leaves(origin, _) => origin.clone(),
                Fate::Stays(_) => Origin { level: 0, names: Vec::new() },
            };
            statements.push(origin.statement(name, Some(&local)));
        }
        let last = statements.pop().unwrap_or_default();
        for statement in statements {
            done.edits.add_before(import, statement);
        }
        done.edits.replace(import.span, last);
        Ok(())
    }

    /// Writes another name into an item; its binding follows, or is kept by an alias.
    fn rename_item(&self, source: &Source, item: &FromItem, name: &str, done: &mut Rewritten) {
        let local = self.local_name(source, item, name, done);
        if let Some(alias) = item.alias.as_ref().filter(|alias| local != alias.text) {
            done.edits.replace(alias.span, local.clone());
        }
        let alias = if item.alias.is_none() && local != name { format!(" as {local}") } else { String::new() };
        done.edits.replace(item.name.span, format!("{name}{alias}"));
    }

    /// Returns the name that an item is to be bound to, and notes it where it is another than before.
    fn local_name(&self, source: &Source, item: &FromItem, name: &str, done: &mut Rewritten) -> String {
        let old = item.bound();
        let follows = has_own_name(item) && name != old.text && self.can_follow(source, item, name);
        if !follows {
            return old.text.clone();
        }
        done.local.insert(old.span.start, name.to_owned());
        name.to_owned()
    }

    fn fate(
        &self,
        source: &Source,
        (from, item): (&FromImport, &FromItem),
        named: &Named,
        done: &mut Rewritten,
    ) -> Result<Fate, Refused> {
        let name = &item.name.text;
        let stays = || Ok(Fate::Stays(name.clone()));
        if !self.before.tree.exists(&named.place.join(name)) && !self.stems.contains(name) {
            return stays();
        }
        let Member::Module(target) = self.before.member(&named.place, name) else { return stays() };
        let is_own = target == named.place.join(name);
        let new = self.naming.moves.after(&target);
        let origin_after = self.naming.moves.after(&named.place);
        if is_own && new.parent().as_ref() == Some(&origin_after) {
            return Ok(Fate::Stays(new.name().to_owned()));
        }
        if !is_own {
            done.is_indirect |= self.naming.moves.is_moved(&target);
            let Some(after) = self.after else { return stays() };
            for wanted in [name.as_str(), new.name()] {
                if after.member(&origin_after, wanted) == Member::Module(new.clone()) {
                    return Ok(Fate::Stays(wanted.to_owned()));
                }
            }
        }
        let target = Named { place: target, root: named.root.clone().filter(|_| is_own), found: 0 };
        let origin = self.naming.parent_origin(source, &target, Style::of(from))?;
        Ok(Fate::Leaves(origin, new.name().to_owned()))
    }

    /// Tells whether the name that an import binds can become another without anybody noticing.
    fn can_follow(&self, source: &Source, item: &FromItem, new: &str) -> bool {
        let names = source.names();
        let old = item.bound();
        let holds = |scope: &crate::syntax::python::Scope| {
            scope.bound.get(&old.text).is_some_and(|all| all.iter().any(|one| one.span == old.span))
        };
        let Some(scope) = names.scopes.iter().position(holds) else { return false };
        // A package offers what its `__init__` binds, but its own modules are its attributes by themselves.
        let is_front_door = source.is_init() && !old.text.starts_with('_');
        let is_own = is_front_door && self.is_own_module(source, old.span.start);
        if scope == 0 && is_own {
            return !Reexports::lists(source, &old.text) && !super::scopes::would_clash(names, scope, &old.text, new);
        }
        let is_public = scope == 0 && is_front_door;
        if is_public || names.scopes[scope].kind == ScopeKind::Class {
            return false;
        }
        let all = names.scopes[scope].bound.get(&old.text).into_iter().flatten();
        let same_module = all.clone().all(|one| one.is_import && self.becomes(source, one.span.start, new));
        if !same_module || super::scopes::would_clash(names, scope, &old.text, new) {
            return false;
        }
        scope != 0 || !self.reexports.uses(self.before, source, &old.text)
    }

    /// Tells whether the import at an offset binds a module of this very package, before the move and after.
    fn is_own_module(&self, source: &Source, offset: usize) -> bool {
        let Some((_, Bound::Name(from, item))) = source.bound_at(offset) else { return false };
        let Member::Module(target) = self.before.bound(source, Bound::Name(from, item)) else { return false };
        let package_after = self.naming.moves.after(&source.place);
        let stays = self.naming.moves.after(&target).parent() == Some(package_after);
        stays && target == source.place.join(&item.name.text)
    }

    /// Tells whether the import at an offset binds, without an alias, a module whose last name becomes `new`.
    fn becomes(&self, source: &Source, offset: usize, new: &str) -> bool {
        let Some((_, Bound::Name(from, item))) = source.bound_at(offset) else { return false };
        let target = self.before.bound(source, Bound::Name(from, item));
        let Member::Module(target) = target else { return false };
        has_own_name(item) && self.naming.moves.after(&target).name() == new && Place::name(&target) == item.name.text
    }
}

/// Tells whether an item is bound to its own name: `models`, or `models as models`, which says that it is public.
fn has_own_name(item: &FromItem) -> bool {
    item.alias.as_ref().is_none_or(|alias| alias.text == item.name.text)
}

/// A stub makes a name public by `name as name`; under another name it would be private (typing
/// specification, "Stub files").
fn refuse_unnameable(source: &Source, items: &[FromItem], fates: &[Fate]) -> Result<(), Refused> {
    let is_stub = source.path.extension() == "pyi";
    let loses_public_name = |(item, fate): &(&FromItem, &Fate)| {
        let (Fate::Stays(name) | Fate::Leaves(_, name)) = fate;
        is_stub && *name != item.name.text && item.alias.as_ref().is_some_and(|alias| alias.text == item.name.text)
    };
    let lost = items.iter().zip(fates).find(loses_public_name);
    lost.map_or(Ok(()), |(item, _)| {
        Err(Refused::PublicInStub { path: source.path.clone(), name: item.name.text.clone() })
    })
}

fn first_target(fates: &[Fate]) -> Origin {
    let first = fates.iter().find_map(|fate| match fate {
        Fate::Leaves(origin, _) => Some(origin.clone()),
        Fate::Stays(_) => None,
    });
    first.unwrap_or(Origin { level: 0, names: Vec::new() })
}
