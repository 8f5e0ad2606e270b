//! The project's Solidity as a refactoring begins with it: its sources, and what their names mean.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::lsp::embedded::{load_project, read_layout};
use crate::refactor::Refusal;
use crate::refactor::request::Target;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Layout, Model, Project, Reference, SourceId};
use crate::text::{AbsPath, Span};

/// All sources, bound.
pub(super) struct Ground {
    pub project: Project,
    pub model: Arc<Model>,
    pub layout: Layout,
}

/// What the names that a file sees stand for.
pub(super) type Scope = BTreeMap<String, BTreeSet<DefinitionId>>;

impl Ground {
    pub(super) async fn of(session: &Session) -> Result<Self, Refusal> {
        let disk = session.disk().clone();
        let read = move || {
            let mut project = load_project(&disk);
            let model = project.model();
            Self { model, layout: read_layout(&disk), project }
        };
        let read = tokio::task::spawn_blocking(read).await;
        read.map_err(|error| Refusal::NotPossible(format!("the sources could not be read: {error}")))
    }

    pub(super) fn id(path: &AbsPath) -> SourceId {
        SourceId::new(path.as_str())
    }

    /// Reads a source of the project itself; a dependency's is refused: nothing in it is changed.
    pub(super) fn code(&self, session: &Session, id: &SourceId) -> Result<Code, Refusal> {
        if self.layout.is_library(id.as_str()) {
            return Err(Refusal::NotPossible(format!("`{id}`, which is a dependency, would have to change")));
        }
        let path = AbsPath::new(id.as_str()).map_err(|error| Refusal::NotPossible(error.to_string()))?;
        Code::read(session, &path)
    }

    /// Returns what the target names or lies in, of some kinds.
    pub(super) fn target(
        &self,
        code: &Code,
        target: &Target,
        kinds: &[DefinitionKind],
    ) -> Result<DefinitionId, Refusal> {
        let file = Self::id(&code.path);
        let is_wanted = |id: &DefinitionId| kinds.contains(&self.definition(*id).kind);
        let named = target.place().map(|place| self.model.meant_at(&file, place)).unwrap_or_default();
        let place = target.place().or_else(|| target.lines.map(|lines| code.words(lines).start));
        let around = || place.and_then(|place| self.model.around(&file, place, |one| kinds.contains(&one.kind)));
        let found = named.into_iter().find(is_wanted).or_else(around);
        let found = found.filter(|id| self.definition(*id).file == file);
        found.ok_or_else(|| Refusal::NotPossible(format!("the target names nothing of that kind in `{}`", code.shown)))
    }

    pub(super) fn definition(&self, id: DefinitionId) -> &Definition {
        self.model.definition(id)
    }

    /// Refuses for a reason that has a place.
    pub(super) fn refuse(&self, session: &Session, at: (&SourceId, usize), reason: impl std::fmt::Display) -> Refusal {
        let place = self.model.place(at.0, at.1);
        let root = format!("{}/", session.root());
        Refusal::NotPossible(format!("{}: {reason}", place.strip_prefix(&root).unwrap_or(&place)))
    }

    /// Returns the contract, library or interface around a definition.
    pub(super) fn contract_of(&self, id: DefinitionId) -> Option<DefinitionId> {
        std::iter::successors(Some(id), |id| self.definition(*id).container)
            .find(|id| is_contract(self.definition(*id).kind))
    }

    /// Returns a contract with all that extend it.
    pub(super) fn heirs(&self, contract: DefinitionId) -> BTreeSet<DefinitionId> {
        let heirs = self.model.hierarchies().filter(|(_, bases)| bases.contains(&contract)).map(|(heir, _)| heir);
        heirs.chain([contract]).collect()
    }

    /// Returns a contract's heirs with all that they extend.
    pub(super) fn related(&self, contract: DefinitionId) -> BTreeSet<DefinitionId> {
        let heirs = self.heirs(contract);
        let bases = heirs.iter().flat_map(|heir| self.model.linearised(*heir)).copied();
        bases.chain(heirs.iter().copied()).collect()
    }

    /// Returns where a name stands in a stretch, declared or used.
    pub(super) fn mention(&self, file: &SourceId, span: Span, name: &str) -> Option<usize> {
        let used = self.model.references_of(file).iter().filter(|one| self.model.name_of(one) == name);
        let declared = self.model.definitions_of(file).filter(|(_, one)| one.name == name);
        let places = used.map(|one| one.span).chain(declared.map(|(_, one)| one.name_span));
        places.into_iter().find(|place| span.contains(*place)).map(|place| place.start)
    }

    /// Finds where a name for a new member of a contract is taken: declared anywhere in the hierarchy, or used in a
    /// contract that would see it.
    pub(super) fn member_clash(&self, contract: DefinitionId, name: &str) -> Option<(SourceId, usize)> {
        let related = self.related(contract);
        let declared = |one: &Definition| one.name == name && one.container.is_some_and(|it| related.contains(&it));
        if let Some((_, one)) = self.model.definitions().find(|(_, one)| declared(one)) {
            return Some((one.file.clone(), one.name_span.start));
        }
        let heirs = self.heirs(contract).into_iter().map(|heir| self.definition(heir));
        heirs.into_iter().find_map(|heir| Some((heir.file.clone(), self.mention(&heir.file, heir.span, name)?)))
    }

    /// Refuses a name for a new member that is taken.
    pub(super) fn check_member(&self, session: &Session, contract: DefinitionId, name: &str) -> Result<(), Refusal> {
        match self.member_clash(contract, name) {
            Some((file, at)) => Err(self.refuse(session, (&file, at), format!("`{name}` is already in use here"))),
            None => Ok(()),
        }
    }

    /// Returns the files that see all that a file declares, itself included.
    pub(super) fn seen_from(&self, file: &SourceId) -> BTreeSet<SourceId> {
        let mut seen = BTreeSet::from([file.clone()]);
        loop {
            let takes = |id: &SourceId| self.whole_imports(id).iter().any(|target| seen.contains(target));
            let more: Vec<SourceId> =
                self.model.files().keys().filter(|id| !seen.contains(*id) && takes(id)).cloned().collect();
            if more.is_empty() {
                return seen;
            }
            seen.extend(more);
        }
    }

    /// Refuses a name for something new at the level of a file that is taken where it would be seen.
    pub(super) fn check_top(&self, session: &Session, file: &SourceId, name: &str) -> Result<(), Refusal> {
        for seeing in self.seen_from(file) {
            let taken = || format!("`{name}` is already in use in what sees the file");
            let whole = Span::new(0, self.model.text(&seeing).map_or(0, str::len));
            if let Some(at) = self.mention(&seeing, whole, name) {
                return Err(self.refuse(session, (&seeing, at), taken()));
            }
            if self.scope(&seeing).contains_key(name) {
                return Err(self.refuse(session, (&seeing, 0), taken()));
            }
        }
        Ok(())
    }

    /// Returns what the names stand for that a file sees outside contracts.
    pub(super) fn scope(&self, file: &SourceId) -> Scope {
        let (mut scope, mut seen) = (Scope::new(), BTreeSet::new());
        let mut open = vec![file.clone()];
        while let Some(file) = open.pop() {
            if !seen.insert(file.clone()) {
                continue;
            }
            for (id, one) in self.model.definitions_of(&file).filter(|(_, one)| one.container.is_none()) {
                scope.entry(one.name.clone()).or_default().extend(self.model.behind_imports(id));
            }
            open.extend(self.whole_imports(&file));
        }
        scope
    }

    /// Returns the sources that a file takes in as a whole: `import "…";`.
    pub(super) fn whole_imports(&self, file: &SourceId) -> Vec<SourceId> {
        let Some(facts) = self.model.files().get(file) else { return Vec::new() };
        let imports = facts.imports.iter().filter(|(import, _)| is_whole(&facts.text, import.span));
        imports.filter_map(|(_, target)| target.clone()).collect()
    }

    /// Tells whether a reference stands behind a dot.
    pub(super) fn is_member(&self, one: &Reference) -> bool {
        self.model.text(&one.file).is_some_and(|text| text[..one.span.start].trim_end().ends_with('.'))
    }
}

pub(super) fn is_contract(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Contract | DefinitionKind::Interface | DefinitionKind::Library)
}

/// Tells whether an import with its path here brings all of a file in, under its own names.
pub(super) fn is_whole(text: &str, path: Span) -> bool {
    let before = text[..path.start - 1].trim_end();
    let after = text[path.end + 1..].trim_start();
    before.ends_with("import") && after.starts_with(';')
}
