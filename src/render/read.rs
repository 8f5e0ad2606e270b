//! From a plan's public JSON back to the plan, checked against the files that it speaks of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::json::{FileEditJson, PlanJson, RenameJson, TextEditJson, WarningCountJson, WarningJson};
use crate::plan::{Count, Digest, Move, Parts, Plan, PlanError, Warning, WarningKind};
use crate::text::{AbsPath, ContentHash, PathError, Position, Text, TextEdit};

/// What a plan is read against: a root for its relative paths, and the files as they are now.
pub struct Source<'a> {
    pub root: &'a AbsPath,
    /// The text of a file, or a sentence that says why it cannot be had.
    pub text: &'a dyn Fn(&AbsPath) -> Result<Arc<Text>, String>,
    /// The hash of a file's bytes (of a link: of its target's path), or a sentence that says why it cannot be had.
    pub hash: &'a dyn Fn(&AbsPath) -> Result<ContentHash, String>,
}

/// Why a JSON text is no plan that could be applied now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadPlanError {
    #[error("this is not a plan: {0}")]
    NotAPlan(String),
    #[error("this is the answer that there is no plan: {0}")]
    Refused(String),
    #[error("this is the summary of a plan: its edits were left out")]
    Summary,
    #[error("in the plan: {0}")]
    BadPath(#[from] PathError),
    #[error("{0}")]
    Unreadable(String),
    #[error("changed since the plan was made: {}", listed(paths))]
    Stale { paths: Vec<AbsPath> },
    #[error("the plan touches `{path}` without having it in its `basis`")]
    NoBasis { path: AbsPath },
    #[error("the `basis` of `{path}` is no SHA-256 hash: `{hash}`")]
    BadHash { path: AbsPath, hash: String },
    #[error("`{path}` has no place {}:{} (0-based, UTF-16)", at.line, at.character)]
    NoSuchPlace { path: AbsPath, at: Position },
    #[error("`{path}` stands in the plan's `{list}` twice")]
    Twice { path: AbsPath, list: &'static str },
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// A plan as it is written down, which no file was compared with yet.
pub struct WrittenPlan(PlanJson);

impl WrittenPlan {
    pub fn parse(json: &str) -> Result<Self, ReadPlanError> {
        parse(json).map(Self)
    }

    /// Returns every path that the plan names.
    pub fn paths(&self, root: &AbsPath) -> Result<BTreeSet<AbsPath>, ReadPlanError> {
        let plan = &self.0;
        let edited = plan.edits.iter().map(|file| &file.file_path);
        let known = plan.basis.iter().flatten().map(|entry| &entry.file_path);
        let moved = plan.fs_moves.iter().flat_map(|step| [&step.from, &step.to]);
        let others = plan.fs_creates.iter().chain(&plan.fs_deletes);
        edited.chain(known).chain(moved).chain(others).map(|path| Ok(root.join(path)?)).collect()
    }

    /// Reads the plan against the files. Unknown keys are borne; paths may be relative to the root. Where the plan has a
    /// basis (an empty one is one), every file that it touches must be in it and unchanged; without one the files are
    /// taken as they are.
    pub fn read(self, source: &Source<'_>) -> Result<Plan, ReadPlanError> {
        let reader = Reader { source, basis: basis(&self.0, source.root)? };
        reader.refuse_stale()?;
        Ok(Plan::new(reader.parts(self.0)?)?)
    }
}

fn parse(json: &str) -> Result<PlanJson, ReadPlanError> {
    let not_a_plan = |error: serde_json::Error| ReadPlanError::NotAPlan(error.to_string());
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        can_rename: Option<bool>,
        edits_omitted: Option<serde::de::IgnoredAny>,
    }
    let answer: Answer = serde_json::from_str(json).map_err(not_a_plan)?;
    if answer.can_rename == Some(false) {
        let refused: RenameJson = serde_json::from_str(json).map_err(not_a_plan)?;
        return Err(ReadPlanError::Refused(refused.reason.unwrap_or_default()));
    }
    if answer.edits_omitted.is_some() {
        return Err(ReadPlanError::Summary);
    }
    let plan: PlanJson = serde_json::from_str(json).map_err(not_a_plan)?;
    let is_object = json.trim_start().starts_with('{');
    is_object.then_some(plan).ok_or_else(|| ReadPlanError::NotAPlan("it is not a JSON object".to_owned()))
}

type Basis = BTreeMap<AbsPath, ContentHash>;

fn basis(plan: &PlanJson, root: &AbsPath) -> Result<Option<Basis>, ReadPlanError> {
    let Some(written) = &plan.basis else { return Ok(None) };
    let mut basis = Basis::new();
    for entry in written {
        let path = root.join(&entry.file_path)?;
        let hash = ContentHash::parse(&entry.sha256)
            .ok_or_else(|| ReadPlanError::BadHash { path: path.clone(), hash: entry.sha256.clone() })?;
        basis.insert(path, hash);
    }
    Ok(Some(basis))
}

struct Reader<'a> {
    source: &'a Source<'a>,
    basis: Option<Basis>,
}

impl Reader<'_> {
    /// Names every file of the basis that is not what it was; a file that is gone counts.
    fn refuse_stale(&self) -> Result<(), ReadPlanError> {
        let entries = self.basis.iter().flatten();
        let changed = entries.filter(|(path, hash)| (self.source.hash)(path).as_ref() != Ok(*hash));
        let paths: Vec<AbsPath> = changed.map(|(path, _)| path.clone()).collect();
        if paths.is_empty() { Ok(()) } else { Err(ReadPlanError::Stale { paths }) }
    }

    fn parts(&self, plan: PlanJson) -> Result<Parts, ReadPlanError> {
        let mut contents = BTreeMap::new();
        for path in &plan.fs_creates {
            self.insert(&mut contents, path, String::new(), "fsCreates")?;
        }
        let mut parts = Parts::default();
        let mut seen = BTreeSet::new();
        for file in plan.edits {
            let path = self.source.root.join(&file.file_path)?;
            if !seen.insert(path.clone()) {
                return Err(ReadPlanError::Twice { path, list: "edits" });
            }
            if let Some(content) = contents.get_mut(&path) {
                *content = content_of(&path, file)?;
            } else {
                let edits = self.text_edits(&path, file)?;
                parts.edits.insert(path, edits);
            }
        }
        for (path, content) in contents {
            let text = Text::decode(content.into_bytes()).expect("a String is UTF-8");
            parts.creates.insert(path, text);
        }
        for step in &plan.fs_moves {
            let (from, to) = (self.source.root.join(&step.from)?, self.source.root.join(&step.to)?);
            let before = self.hash(&from)?;
            self.insert(&mut parts.moves, &step.from, Move { to, before }, "fsMoves")?;
        }
        for path in &plan.fs_deletes {
            let text = self.text(&self.source.root.join(path)?)?;
            self.insert(&mut parts.deletes, path, text, "fsDeletes")?;
        }
        parts.warnings = plan.warnings.iter().filter_map(|warning| self.warning(warning)).collect();
        let unlisted = unlisted(&plan.warning_counts, &parts.warnings);
        parts.warnings.extend(unlisted);
        Ok(parts)
    }

    fn insert<T>(
        &self,
        map: &mut BTreeMap<AbsPath, T>,
        path: &str,
        value: T,
        list: &'static str,
    ) -> Result<(), ReadPlanError> {
        let path = self.source.root.join(path)?;
        match map.insert(path.clone(), value) {
            None => Ok(()),
            Some(_) => Err(ReadPlanError::Twice { path, list }),
        }
    }

    fn text_edits(&self, path: &AbsPath, file: FileEditJson) -> Result<(Arc<Text>, Vec<TextEdit>), ReadPlanError> {
        let text = self.text(path)?;
        let mut edits = Vec::with_capacity(file.text_edits.len());
        for edit in file.text_edits {
            let (start, end): (Position, Position) = (edit.range.start.into(), edit.range.end.into());
            let place = |at| text.offset(at).ok_or_else(|| ReadPlanError::NoSuchPlace { path: path.clone(), at });
            let (from, to) = (place(start)?, place(end)?);
            if from > to {
                return Err(ReadPlanError::NoSuchPlace { path: path.clone(), at: end });
            }
            edits.push(TextEdit::new(from..to, edit.new_text));
        }
        Ok((text, edits))
    }

    fn in_basis(&self, path: &AbsPath) -> Result<(), ReadPlanError> {
        let known = self.basis.as_ref().is_none_or(|basis| basis.contains_key(path));
        known.then_some(()).ok_or_else(|| ReadPlanError::NoBasis { path: path.clone() })
    }

    fn text(&self, path: &AbsPath) -> Result<Arc<Text>, ReadPlanError> {
        self.in_basis(path)?;
        let text = (self.source.text)(path).map_err(ReadPlanError::Unreadable)?;
        // The file may have changed between the two readings.
        match self.basis.as_ref().and_then(|basis| basis.get(path)) {
            Some(hash) if hash != text.hash() => Err(ReadPlanError::Stale { paths: vec![path.clone()] }),
            _ => Ok(text),
        }
    }

    fn hash(&self, path: &AbsPath) -> Result<ContentHash, ReadPlanError> {
        self.in_basis(path)?;
        (self.source.hash)(path).map_err(ReadPlanError::Unreadable)
    }

    /// Takes a remark along; one of a kind that is not known here is no part of what is applied.
    fn warning(&self, warning: &WarningJson) -> Option<Warning> {
        let kind = WarningKind::ALL.into_iter().find(|kind| kind.as_str() == warning.kind)?;
        let path = warning.file_path.as_ref().and_then(|path| self.source.root.join(path).ok());
        let one = Warning { range: warning.range.map(Into::into), ..Warning::of_plan(kind, &warning.message) };
        let count = Count { places: warning.places.unwrap_or(1), files: usize::from(path.is_some()) };
        Some(Warning { path, count, ..one })
    }
}

/// Stands for the remarks that a plan counts and does not list: what they doubt is in doubt still.
fn unlisted(counts: &[WarningCountJson], listed: &[Warning]) -> Vec<Warning> {
    let listed = Digest::of(listed);
    let rest = counts.iter().filter_map(|count| {
        let kind = WarningKind::ALL.into_iter().find(|kind| kind.as_str() == count.kind)?;
        let known = listed.count(kind);
        let places = count.places.checked_sub(known.places).filter(|places| *places > 0)?;
        let message = format!("{places} more, which the plan counts and does not list");
        let count = Count { places, files: count.files.saturating_sub(known.files) };
        Some(Warning { count, ..Warning::of_plan(kind, message) })
    });
    rest.collect()
}

/// The content of a created file: insertions at 0:0, in their order.
fn content_of(path: &AbsPath, file: FileEditJson) -> Result<String, ReadPlanError> {
    let start = Position { line: 0, character: 0 };
    let elsewhere = |edit: &&TextEditJson| [edit.range.start, edit.range.end].map(Position::from) != [start, start];
    if let Some(edit) = file.text_edits.iter().find(elsewhere) {
        return Err(ReadPlanError::NoSuchPlace { path: path.clone(), at: edit.range.end.into() });
    }
    Ok(file.text_edits.into_iter().map(|edit| edit.new_text).collect())
}

fn listed(paths: &[AbsPath]) -> String {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    quoted.join(", ")
}
