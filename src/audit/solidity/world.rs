//! Contracts with all that they import and inherit, and what a name means in them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::imports::Finder;
use crate::audit::problems::Unresolved;
use crate::audit::sources::{Source, Sources, in_parallel};
use crate::syntax::contracts::{Contract, Function, Import, ImportedNames, Members, TypeDefinition, Unit, Variable};
use crate::text::RelPath;

/// All files that a request reaches.
pub(in crate::audit) struct World {
    pub files: Vec<File>,
    lines: BTreeMap<ContractId, Vec<ContractId>>,
}

/// One file with what its imports lead to.
pub(in crate::audit) struct File {
    pub source: Arc<Source>,
    pub unit: Unit,
    /// For each import the file that it names, where that is there.
    imports: Vec<Option<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::audit) struct ContractId {
    pub file: usize,
    pub index: usize,
}

/// Where something is declared: in a contract of a file, or outside of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::audit) struct Home {
    pub file: usize,
    pub contract: Option<usize>,
}

/// One member among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::audit) struct MemberId {
    pub home: Home,
    pub index: usize,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) enum Meaning {
    Contract(ContractId),
    Type(MemberId),
    Functions(Vec<MemberId>),
    Variable(MemberId),
    Events(Vec<MemberId>),
    Errors(Vec<MemberId>),
    /// Another file under a name of its own.
    Module(usize),
}

impl World {
    /// Reads the files of a request and all that they import.
    pub(in crate::audit) fn load(sources: &Sources) -> Self {
        let finder = Finder::new(sources);
        let mut world = Self { files: Vec::new(), lines: BTreeMap::new() };
        let mut known: BTreeMap<RelPath, usize> = BTreeMap::new();
        let mut waiting: Vec<Arc<Source>> = sources.files.clone();
        while !waiting.is_empty() {
            let units = in_parallel(&waiting, |source| Unit::of(source.tree(), source.text()));
            let first = world.files.len();
            for (source, unit) in waiting.drain(..).zip(units) {
                known.insert(source.path.clone(), world.files.len());
                world.files.push(File { source, unit, imports: Vec::new() });
            }
            for at in first..world.files.len() {
                let found: Vec<Option<Arc<Source>>> = world.files[at].found_imports(&finder);
                waiting.extend(found.into_iter().flatten().filter(|source| !known.contains_key(&source.path)));
            }
            waiting.sort_by(|a, b| a.path.cmp(&b.path));
            waiting.dedup_by(|a, b| a.path == b.path);
        }
        for at in 0..world.files.len() {
            let found = world.files[at].found_imports(&finder);
            let numbers = found.into_iter().map(|source| known.get(&source?.path).copied()).collect();
            world.files[at].imports = numbers;
        }
        world.linearise();
        world
    }

    pub(in crate::audit) fn contract(&self, id: ContractId) -> &Contract {
        &self.files[id.file].unit.contracts[id.index]
    }

    pub(in crate::audit) fn contracts(&self) -> impl Iterator<Item = ContractId> {
        let of_file =
            |(file, it): (usize, &File)| (0..it.unit.contracts.len()).map(move |index| ContractId { file, index });
        self.files.iter().enumerate().flat_map(of_file)
    }

    pub(in crate::audit) fn members(&self, home: Home) -> &Members {
        let unit = &self.files[home.file].unit;
        home.contract.map_or(&unit.free, |contract| &unit.contracts[contract].members)
    }

    pub(in crate::audit) fn function(&self, id: MemberId) -> &Function {
        &self.members(id.home).functions[id.index]
    }

    pub(in crate::audit) fn variable(&self, id: MemberId) -> &Variable {
        &self.members(id.home).variables[id.index]
    }

    pub(in crate::audit) fn type_definition(&self, id: MemberId) -> &TypeDefinition {
        &self.members(id.home).types[id.index]
    }

    pub(in crate::audit) fn source(&self, home: Home) -> &Source {
        &self.files[home.file].source
    }

    /// Returns the name of the contract that something is declared in.
    pub(in crate::audit) fn contract_name(&self, home: Home) -> Option<&str> {
        home.contract().map(|id| self.contract(id).name.as_str())
    }

    /// Returns a contract and all that it inherits from, the most derived first (C3, bases from right to left).
    pub(in crate::audit) fn line(&self, id: ContractId) -> &[ContractId] {
        self.lines.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Finds what a path such as `A.B` means where it stands.
    pub(in crate::audit) fn find(&self, home: Home, path: &[String]) -> Option<Meaning> {
        let (first, rest) = path.split_first()?;
        let mut meaning = self.name(home, first)?;
        for name in rest {
            meaning = match meaning {
                Meaning::Module(file) => self.in_file(file, name)?,
                Meaning::Contract(contract) => self.in_contract(contract, name)?,
                _ => return None,
            };
        }
        Some(meaning)
    }

    /// Finds what a single name means: in the contract around and what it inherits, or else in the file.
    pub(in crate::audit) fn name(&self, home: Home, name: &str) -> Option<Meaning> {
        let inside = home.contract().and_then(|contract| self.in_contract(contract, name));
        inside.or_else(|| self.in_file(home.file, name))
    }

    /// Finds a member of a contract or of what it inherits from.
    pub(in crate::audit) fn in_contract(&self, contract: ContractId, name: &str) -> Option<Meaning> {
        let mut functions = Vec::new();
        let mut events = Vec::new();
        for id in self.line(contract) {
            match self.among(Home::of(*id), name) {
                Some(Meaning::Functions(more)) => functions.extend(more),
                Some(Meaning::Events(more)) => events.extend(more),
                Some(other) if functions.is_empty() && events.is_empty() => return Some(other),
                _ => {}
            }
        }
        match () {
            () if !functions.is_empty() => Some(Meaning::Functions(functions)),
            () if !events.is_empty() => Some(Meaning::Events(events)),
            () => None,
        }
    }

    /// Finds what a file declares or imports under a name.
    pub(in crate::audit) fn in_file(&self, file: usize, name: &str) -> Option<Meaning> {
        self.in_files(file, name, &mut BTreeSet::new())
    }

    fn in_files(&self, file: usize, name: &str, seen: &mut BTreeSet<(usize, String)>) -> Option<Meaning> {
        let mut open = vec![(file, name.to_owned())];
        while let Some((file, name)) = open.pop() {
            if !seen.insert((file, name.clone())) {
                continue;
            }
            let unit = &self.files[file].unit;
            if let Some(index) = unit.contracts.iter().position(|contract| contract.name == name) {
                return Some(Meaning::Contract(ContractId { file, index }));
            }
            if let Some(found) = self.among(Home { file, contract: None }, &name) {
                return Some(found);
            }
            for (import, to) in unit.imports.iter().zip(&self.files[file].imports).rev() {
                let Some(to) = *to else { continue };
                match imported(import, &name) {
                    Imported::Module => return Some(Meaning::Module(to)),
                    Imported::As(there) => open.push((to, there)),
                    Imported::No => {}
                }
            }
        }
        None
    }

    fn among(&self, home: Home, name: &str) -> Option<Meaning> {
        let members = self.members(home);
        let id = |index| MemberId { home, index };
        let all = |names: Vec<bool>| -> Vec<MemberId> {
            names.into_iter().enumerate().filter(|(_, fits)| *fits).map(|(index, _)| id(index)).collect()
        };
        let functions = all(members.functions.iter().map(|it| it.name == name).collect());
        if !functions.is_empty() {
            return Some(Meaning::Functions(functions));
        }
        if let Some(index) = members.variables.iter().position(|it| it.name == name) {
            return Some(Meaning::Variable(id(index)));
        }
        if let Some(index) = members.types.iter().position(|it| it.name == name) {
            return Some(Meaning::Type(id(index)));
        }
        let events = all(members.events.iter().map(|it| it.name == name).collect());
        if !events.is_empty() {
            return Some(Meaning::Events(events));
        }
        let errors = all(members.errors.iter().map(|it| it.name == name).collect());
        (!errors.is_empty()).then_some(Meaning::Errors(errors))
    }

    /// Lists the imports that lead nowhere, and the bases that are not known.
    pub(in crate::audit) fn unresolved(&self, sources: &Sources) -> Vec<Unresolved> {
        let finder = Finder::new(sources);
        let imports = self
            .files
            .iter()
            .flat_map(|file| file.lost_imports().map(|import| finder.row(&file.source, import.at, &import.source)));
        let bases = self.contracts().flat_map(|id| {
            let home = Home { file: id.file, contract: None };
            let contract = self.contract(id);
            let is_lost = move |base: &&Vec<String>| !matches!(self.find(home, base), Some(Meaning::Contract(_)));
            contract.bases.iter().filter(is_lost).map(move |base| (home, contract, base))
        });
        let bases = bases.map(|(home, contract, base)| Unresolved {
            file: self.source(home).name().to_owned(),
            location: self.source(home).location(contract.at),
            kind: "base",
            name: base.join("."),
            reason: format!("what `{}` inherits from it is not known", contract.name),
        });
        imports.chain(bases).collect()
    }

    fn linearise(&mut self) {
        let all: Vec<ContractId> = self.contracts().collect();
        for id in all {
            let mut lines = std::mem::take(&mut self.lines);
            self.line_of(id, &mut lines, &mut Vec::new());
            self.lines = lines;
        }
    }

    fn line_of(
        &self,
        id: ContractId,
        lines: &mut BTreeMap<ContractId, Vec<ContractId>>,
        open: &mut Vec<ContractId>,
    ) -> Vec<ContractId> {
        if let Some(line) = lines.get(&id) {
            return line.clone();
        }
        // A circle of bases, and a chain that no compiler would take, end here.
        if open.contains(&id) || open.len() > DEEPEST_LINE {
            return vec![id];
        }
        open.push(id);
        let file = Home { file: id.file, contract: None };
        let bases: Vec<ContractId> = self
            .contract(id)
            .bases
            .iter()
            .filter_map(|path| match self.find(file, path) {
                Some(Meaning::Contract(base)) => Some(base),
                _ => None,
            })
            .collect();
        let mut parts: Vec<Vec<ContractId>> = bases.iter().rev().map(|base| self.line_of(*base, lines, open)).collect();
        parts.push(bases.into_iter().rev().collect());
        open.pop();
        let line = merged(id, parts);
        lines.insert(id, line.clone());
        line
    }
}

/// Longer chains of inheritance are cut.
const DEEPEST_LINE: usize = 200;

impl Home {
    pub(in crate::audit) fn of(contract: ContractId) -> Self {
        Self { file: contract.file, contract: Some(contract.index) }
    }

    pub(in crate::audit) fn contract(self) -> Option<ContractId> {
        self.contract.map(|index| ContractId { file: self.file, index })
    }
}

impl File {
    fn found_imports(&self, finder: &Finder<'_>) -> Vec<Option<Arc<Source>>> {
        self.unit.imports.iter().map(|import| finder.find(&self.source.path, &import.source)).collect()
    }

    /// Returns the imports that lead nowhere.
    pub(in crate::audit) fn lost_imports(&self) -> impl Iterator<Item = &Import> {
        self.unit.imports.iter().zip(&self.imports).filter(|(_, to)| to.is_none()).map(|(import, _)| import)
    }
}

/// What an import does to a name.
enum Imported {
    Module,
    As(String),
    No,
}

fn imported(import: &Import, name: &str) -> Imported {
    match &import.names {
        ImportedNames::All => Imported::As(name.to_owned()),
        ImportedNames::Module(module) if module == name => Imported::Module,
        ImportedNames::Module(_) => Imported::No,
        ImportedNames::Some(names) => match names.iter().find(|(_, here)| here == name) {
            Some((there, _)) => Imported::As(there.clone()),
            None => Imported::No,
        },
    }
}

/// Merges the lines of the bases (C3); where no order fits, the first that is left goes on.
fn merged(id: ContractId, mut parts: Vec<Vec<ContractId>>) -> Vec<ContractId> {
    let mut line = vec![id];
    loop {
        parts.retain(|part| !part.is_empty());
        let Some(first) = parts.first().map(|part| part[0]) else { return line };
        let is_free = |candidate: &ContractId| parts.iter().all(|part| !part[1..].contains(candidate));
        let next = parts.iter().map(|part| part[0]).find(is_free).unwrap_or(first);
        for part in &mut parts {
            part.retain(|other| *other != next);
        }
        if !line.contains(&next) {
            line.push(next);
        }
    }
}
