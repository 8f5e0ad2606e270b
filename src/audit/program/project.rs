//! A program's files with what their names lead to, across modules and base classes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::modules::Modules;
use super::unit::Unit;
use crate::audit::sources::{Source, Sources};
use crate::syntax::Family;
use crate::text::RelPath;

/// The files of a program, read as they are met.
pub(in crate::audit) struct Program<'s> {
    modules: Modules<'s>,
    units: RefCell<BTreeMap<RelPath, Rc<Unit>>>,
}

/// A function of a program: its file and the number of its node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::audit) struct FunctionId {
    pub file: RelPath,
    pub node: usize,
}

/// What a name that can be called stands for.
#[derive(Clone)]
pub(in crate::audit) enum Thing {
    Function(FunctionId),
    Class(Rc<Unit>, String),
    Module(Rc<Unit>),
    /// Something of another package: its whole name.
    Package(String),
    Unknown,
}

/// Re-exports that lead further are not followed.
const DEEPEST: usize = 8;

impl<'s> Program<'s> {
    pub(in crate::audit) fn new(sources: &'s Sources, family: Family) -> Self {
        Self { modules: Modules::new(sources, family), units: RefCell::default() }
    }

    pub(in crate::audit) fn unit(&self, source: &std::sync::Arc<Source>) -> Rc<Unit> {
        if let Some(unit) = self.units.borrow().get(&source.path) {
            return Rc::clone(unit);
        }
        let unit = Rc::new(Unit::of(std::sync::Arc::clone(source)));
        self.units.borrow_mut().insert(source.path.clone(), Rc::clone(&unit));
        unit
    }

    /// Returns the file of a function that was met.
    pub(in crate::audit) fn unit_of(&self, id: &FunctionId) -> Option<Rc<Unit>> {
        self.units.borrow().get(&id.file).cloned()
    }

    /// Finds what a name of a module stands for: declared there, or imported.
    pub(in crate::audit) fn named(&self, unit: &Rc<Unit>, name: &str) -> Thing {
        self.named_within(unit, name, 0)
    }

    fn named_within(&self, unit: &Rc<Unit>, name: &str, depth: usize) -> Thing {
        if depth > DEEPEST {
            return Thing::Unknown;
        }
        if let Some(site) = unit.function(name) {
            return Thing::Function(FunctionId { file: unit.source.path.clone(), node: site.node });
        }
        if unit.class(name).is_some() {
            return Thing::Class(Rc::clone(unit), name.to_owned());
        }
        if let Some(bound) = unit.imports.get(name) {
            let whole =
                || bound.member.iter().fold(bound.module.clone(), |module, member| format!("{module}.{member}"));
            let Some(source) = self.modules.find(&unit.source, &bound.module) else {
                return self.submodule(unit, bound).map_or_else(|| Thing::Package(whole()), Thing::Module);
            };
            let there = self.unit(&source);
            return match &bound.member {
                None => Thing::Module(there),
                Some(member) => match self.named_within(&there, member, depth + 1) {
                    Thing::Unknown if member == "default" => self.default_of(&there),
                    Thing::Unknown => self.submodule(unit, bound).map_or(Thing::Unknown, Thing::Module),
                    found => found,
                },
            };
        }
        let starred = unit.imports.values().filter(|bound| bound.member.as_deref() == Some("*"));
        let found = starred.filter_map(|bound| self.modules.find(&unit.source, &bound.module)).find_map(|source| {
            let found = self.named_within(&self.unit(&source), name, depth + 1);
            (!matches!(found, Thing::Unknown)).then_some(found)
        });
        found.or_else(|| self.reexported(unit, name, depth)).unwrap_or(Thing::Unknown)
    }

    /// `from package import module`
    fn submodule(&self, unit: &Rc<Unit>, bound: &super::imports::Bound) -> Option<Rc<Unit>> {
        let member = bound.member.as_ref().filter(|_| unit.family() == Family::Python)?;
        let dot = if bound.module.ends_with('.') || bound.module.is_empty() { "" } else { "." };
        let source = self.modules.find(&unit.source, &format!("{}{dot}{member}", bound.module))?;
        Some(self.unit(&source))
    }

    /// `export { name } from "./module"`, `export * from "./module"`
    fn reexported(&self, unit: &Rc<Unit>, name: &str, depth: usize) -> Option<Thing> {
        let exports = unit.source.tree().nodes().iter().filter(|node| node.is("export_statement"));
        exports.into_iter().find_map(|export| {
            let module = export.child("source")?.text(unit.text()).trim_matches(['"', '\'']).to_owned();
            let specifiers = export.descendants().filter(|node| node.is("export_specifier"));
            let renamed = specifiers.into_iter().find_map(|specifier| {
                let there = specifier.child("name")?.text(unit.text());
                let here = specifier.child("alias").map_or(there, |alias| alias.text(unit.text()));
                (here == name).then(|| there.to_owned())
            });
            let is_star = export.child_of_kind("*").is_some();
            let there = renamed.or_else(|| is_star.then(|| name.to_owned()))?;
            let source = self.modules.find(&unit.source, &module)?;
            let found = self.named_within(&self.unit(&source), &there, depth + 1);
            (!matches!(found, Thing::Unknown)).then_some(found)
        })
    }

    /// Returns what a module exports by default: `export default`, or all of `module.exports`.
    fn default_of(&self, unit: &Rc<Unit>) -> Thing {
        let exports = unit.source.tree().nodes().iter().filter(|node| node.is("export_statement"));
        let exported = exports.filter(|node| node.child_of_kind("default").is_some()).find_map(|node| {
            let declared = node.child("declaration").and_then(|it| it.child("name"));
            declared.or_else(|| node.child("value").filter(|it| it.is("identifier")))
        });
        exported.map_or(Thing::Module(Rc::clone(unit)), |name| self.named(unit, name.text(unit.text())))
    }

    /// Finds a method of a class, or of its bases as far as the project declares them.
    pub(in crate::audit) fn method(&self, unit: &Rc<Unit>, class: &str, name: &str) -> Option<FunctionId> {
        self.method_within(unit, class, name, 0)
    }

    fn method_within(&self, unit: &Rc<Unit>, class: &str, name: &str, depth: usize) -> Option<FunctionId> {
        if let Some(site) = unit.method(class, name) {
            return Some(FunctionId { file: unit.source.path.clone(), node: site.node });
        }
        self.inherited_within(unit, class, name, depth)
    }

    /// Finds a method of the bases of a class.
    pub(in crate::audit) fn inherited(&self, unit: &Rc<Unit>, class: &str, name: &str) -> Option<FunctionId> {
        self.inherited_within(unit, class, name, 0)
    }

    fn inherited_within(&self, unit: &Rc<Unit>, class: &str, name: &str, depth: usize) -> Option<FunctionId> {
        if depth > DEEPEST {
            return None;
        }
        let bases = unit.class(class).map(|node| unit.bases(node)).unwrap_or_default();
        bases.iter().find_map(|base| match self.dotted(unit, base) {
            Thing::Class(there, base) => self.method_within(&there, &base, name, depth + 1),
            _ => None,
        })
    }

    /// Finds what `a.b.c` stands for.
    pub(in crate::audit) fn dotted(&self, unit: &Rc<Unit>, path: &str) -> Thing {
        let mut parts = path.split('.');
        let Some(first) = parts.next() else { return Thing::Unknown };
        parts.fold(self.named(unit, first), |thing, name| self.member(&thing, name))
    }

    /// Finds a member of a module, a class or a package.
    pub(in crate::audit) fn member(&self, thing: &Thing, name: &str) -> Thing {
        match thing {
            Thing::Module(unit) => match self.named(unit, name) {
                Thing::Unknown => self.child_module(unit, name),
                found => found,
            },
            Thing::Class(unit, class) => self.method(unit, class, name).map_or(Thing::Unknown, Thing::Function),
            Thing::Package(whole) => Thing::Package(format!("{whole}.{name}")),
            Thing::Function(_) | Thing::Unknown => Thing::Unknown,
        }
    }

    /// `package.module`, where `package` is imported as a whole.
    fn child_module(&self, unit: &Rc<Unit>, name: &str) -> Thing {
        if unit.family() != Family::Python || unit.source.path.file_name() != "__init__.py" {
            return Thing::Unknown;
        }
        let found = self.modules.find(&unit.source, &format!(".{name}"));
        found.map_or(Thing::Unknown, |source| Thing::Module(self.unit(&source)))
    }
}
