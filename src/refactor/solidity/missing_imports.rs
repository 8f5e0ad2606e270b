//! Imports that a text of Solidity lacks, where the project shows one meaning of a name and no other.

use std::collections::{BTreeMap, BTreeSet};

use super::move_symbol::inserted;
use super::project::Ground;
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{DefinitionId, DefinitionKind, Model, SourceId, Target, import_path};
use crate::syntax::is_test;
use crate::text::{AbsPath, Span, Text, TextEdit};

/// The imports that were found, and what was not.
#[derive(Debug, Default)]
pub struct MissingInSolidity {
    pub edits: Vec<TextEdit>,
    /// The import statements, each as it would stand alone.
    pub lines: Vec<String>,
    /// Why there are none for other names.
    pub open: Vec<String>,
}

/// So many meanings of a name are told.
const TOLD: usize = 4;

/// What a name stands for: a file, and what is declared there under which name.
type Origin = (SourceId, String);

/// The file that lacks something, among the others of the project.
struct Lack<'s> {
    session: &'s Session,
    ground: Ground,
    file: SourceId,
    code: Code,
}

/// How a file gets what it lacks.
struct Wanted {
    /// The file that declares it.
    target: SourceId,
    path: String,
    /// `Name`, or `Name as Other`.
    item: String,
}

/// Finds the imports for what a file with this text uses and does not see, and did not use before.
pub async fn missing_in_solidity(
    session: &Session,
    (path, before, text): (&AbsPath, Option<&Text>, &Text),
) -> Result<MissingInSolidity, Refusal> {
    let mut ground = Ground::of(session).await?;
    let empty = Code::empty(session, path)?;
    let Some(code) = empty.with_text(session, text.as_str().to_owned()) else {
        return Ok(MissingInSolidity::default());
    };
    let file = Ground::id(path);
    let (after, known) = (text.as_str().to_owned(), before.map(|it| it.as_str().to_owned()));
    let bound = tokio::task::spawn_blocking(move || {
        let file = Ground::id(&empty.path);
        ground.project.set(file.clone(), known.unwrap_or_default().into());
        let old = unknown(&ground.project.model(), &file);
        ground.project.set(file.clone(), after.into());
        ground.model = ground.project.model();
        let names = unknown(&ground.model, &file).into_iter().filter(|name| !old.contains(name));
        let names: BTreeSet<String> = names.collect();
        (ground, names)
    });
    let (ground, names) = bound.await.map_err(|error| Refusal::NotPossible(error.to_string()))?;
    let lack = Lack { session, ground, file, code };
    let mut found = MissingInSolidity::default();
    let mut wanted = Vec::new();
    for name in &names {
        match lack.one(name) {
            Ok(one) => wanted.extend(one),
            Err(reason) => found.open.push(reason),
        }
    }
    lack.write(&wanted, &mut found);
    Ok(found)
}

/// Returns the names that mean nothing in a file; members of others are not among them.
fn unknown(model: &Model, file: &SourceId) -> BTreeSet<String> {
    let all = model.references_of(file).iter().filter(|one| one.target == Target::Unknown && !one.is_yul);
    let is_member = |at: usize| model.text(file).is_some_and(|text| text[..at].trim_end().ends_with('.'));
    all.filter(|one| !is_member(one.span.start)).map(|one| model.name_of(one).to_owned()).collect()
}

impl Lack<'_> {
    /// Returns the import of one name: none where nobody in the project knows it, or a reason where it cannot be given.
    fn one(&self, name: &str) -> Result<Option<Wanted>, String> {
        let own = self.shown(&self.file);
        let mut meanings: BTreeMap<Origin, String> = BTreeMap::new();
        for user in self.ground.model.files().keys().filter(|user| **user != self.file) {
            let is_apart = is_test(&self.shown(user)) && !is_test(&own);
            if is_apart || self.ground.layout.is_library(user.as_str()) {
                continue;
            }
            for id in self.ground.scope(user).remove(name).unwrap_or_default() {
                if let Some(origin) = self.origin(id) {
                    let like = self.written(user, &origin.0).unwrap_or_else(|| "./".to_owned());
                    meanings.entry(origin).or_insert(like);
                }
            }
        }
        meanings.remove(&(self.file.clone(), name.to_owned()));
        if meanings.len() > 1 {
            let files: BTreeSet<String> =
                meanings.keys().map(|(file, _)| format!("`{}`", self.shown(file))).take(TOLD).collect();
            let files: Vec<String> = files.into_iter().collect();
            return Err(format!("`{name}` is not imported: it can come from {}", files.join(" or ")));
        }
        let Some(((target, declared), like)) = meanings.into_iter().next() else { return Ok(None) };
        let path = self.path(&target, &like);
        let item = if declared == name { declared } else { format!("{declared} as {name}") };
        Ok(Some(Wanted { target, path, item }))
    }

    /// Returns where something is declared that can be imported.
    fn origin(&self, id: DefinitionId) -> Option<Origin> {
        let one = self.ground.definition(id);
        let can_be = one.container.is_none() && one.kind != DefinitionKind::ImportedFile;
        can_be.then(|| (one.file.clone(), one.name.clone()))
    }

    /// Returns how a file writes the path of another one.
    fn written(&self, user: &SourceId, target: &SourceId) -> Option<String> {
        let facts = self.ground.model.files().get(user)?;
        let found = facts.imports.iter().find(|(_, leads)| leads.as_ref() == Some(target));
        found.map(|(import, _)| import.path.clone())
    }

    /// Writes the path of what is imported: as this file writes those that it has, else as others write this one.
    fn path(&self, target: &SourceId, like: &str) -> String {
        let facts = self.ground.model.files().get(&self.file);
        let own = facts.into_iter().flat_map(|facts| &facts.imports);
        let is_library = self.ground.layout.is_library(target.as_str());
        let alike = own.filter(|(_, leads)| {
            leads.as_ref().is_some_and(|leads| self.ground.layout.is_library(leads.as_str()) == is_library)
        });
        let like = alike.map(|(import, _)| import.path.as_str()).next_back().unwrap_or(like);
        let there: BTreeSet<SourceId> = self.ground.model.files().keys().cloned().collect();
        import_path(self.ground.project.imports(), &self.file, like, target, &there)
    }

    /// Tells whether files are imported as a whole here: by this file, or else by most of the project.
    fn is_plain(&self) -> bool {
        let count = |file: &SourceId| {
            let imports = self.ground.model.files().get(file).into_iter().flat_map(|facts| &facts.imports);
            imports.fold((0, 0), |(plain, all), (import, _)| (plain + usize::from(import.is_of_all), all + 1))
        };
        let files = self.ground.model.files().keys();
        let others = files.filter(|file| !self.ground.layout.is_library(file.as_str())).map(count);
        let (plain, all) = match count(&self.file) {
            (_, 0) => others.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1)),
            own => own,
        };
        plain * 2 > all
    }

    fn write(&self, wanted: &[Wanted], found: &mut MissingInSolidity) {
        let mut files: BTreeMap<&str, (BTreeSet<&str>, &SourceId)> = BTreeMap::new();
        for one in wanted {
            files.entry(&one.path).or_insert((BTreeSet::new(), &one.target)).0.insert(&one.item);
        }
        let (is_plain, mut lines) = (self.is_plain(), Vec::new());
        for (path, (items, target)) in files {
            let items: Vec<&str> = items.into_iter().collect();
            let is_renamed = items.iter().any(|item| item.contains(' '));
            let line = match is_plain && !is_renamed {
                true => format!("import \"{path}\";"),
                false => format!("import {{{}}} from \"{path}\";", items.join(", ")),
            };
            match self.list(target).filter(|_| !is_plain || is_renamed) {
                Some(at) => found.edits.push(self.listed(at, &items)),
                None => lines.push(line.clone()),
            }
            found.lines.push(line);
        }
        if !lines.is_empty() {
            let end = self.code.newline();
            let lines: String = lines.iter().map(|line| format!("{line}{end}")).collect();
            found.edits.push(inserted(&self.code, &lines));
        }
    }

    /// Returns the stretch between the braces of the import that this file has from another one.
    fn list(&self, target: &SourceId) -> Option<Span> {
        let facts = self.ground.model.files().get(&self.file)?;
        let imports = facts.imports.iter().filter(|(_, leads)| leads.as_ref() == Some(target));
        let text = self.code.text();
        imports.into_iter().find_map(|(import, _)| {
            let before = &text[..import.span.start];
            let directive = before.rfind("import")?;
            let open = directive + before[directive..].find('{')? + 1;
            Some(Span::new(open, open + before[open..].find('}')?))
        })
    }

    /// Adds names behind the last one of a list.
    fn listed(&self, list: Span, items: &[&str]) -> TextEdit {
        let text = self.code.text();
        let inside = &text[list.start..list.end];
        let last = list.start + inside.trim_end().len();
        let gap = match inside.trim_start_matches(' ').starts_with(['\n', '\r']) {
            true => format!("{}{}", self.code.newline(), self.code.indent(last)),
            false => " ".to_owned(),
        };
        let is_ended = inside.trim_end().ends_with(',');
        let items = items.join(&format!(",{gap}"));
        let written = if is_ended { format!("{gap}{items},") } else { format!(",{gap}{items}") };
        TextEdit::new(Span::at(last), written)
    }

    fn shown(&self, file: &SourceId) -> String {
        let root = format!("{}/", self.session.root());
        file.as_str().strip_prefix(&root).unwrap_or(file.as_str()).to_owned()
    }
}
