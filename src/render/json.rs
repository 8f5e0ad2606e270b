//! The public JSON of a plan.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::plan::{Count, Digest, FileEdit, Interface, Plan, Problem, Verification, Warning, WarningKind};
use crate::text::{AbsPath, ContentHash, Position, Range, TextEdit, one_line};

/// A complete plan of changes. Edits address files at their paths and texts before the plan; then come creations, moves, deletions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Plan")]
pub struct PlanJson {
    /// The outcome in one line, the check's status first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The same changes of the same texts have the same id.
    #[serde(default)]
    pub plan_id: String,
    /// The root of the project that the plan is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<VerificationJson>,
    /// Of all warnings, those that are not listed too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warning_counts: Vec<WarningCountJson>,
    /// One for each file and kind, the most suspicious first; where not all are listed, the last one tells the total.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningJson>,
    /// One entry per file; sorted and disjoint.
    #[serde(default)]
    pub edits: Vec<FileEditJson>,
    #[serde(default)]
    pub fs_moves: Vec<MoveJson>,
    /// New files; their content is an edit at 0:0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fs_creates: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fs_deletes: Vec<String>,
    /// The version of a compiler that the project chose for the server that read it, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_with: Vec<String>,
    /// Every file that is edited, moved or deleted, as it was; a plan is applied only while all of them are.
    #[schemars(required)]
    pub basis: Option<Vec<BasisJson>>,
}

/// The answer to a rename: a plan, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Rename")]
pub struct RenameJson {
    pub can_rename: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub plan: Option<PlanJson>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FileEdit")]
pub struct FileEditJson {
    pub file_path: String,
    pub text_edits: Vec<TextEditJson>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TextEdit")]
pub struct TextEditJson {
    pub range: RangeJson,
    pub new_text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Range")]
pub struct RangeJson {
    pub start: PositionJson,
    pub end: PositionJson,
}

/// 0-based; characters are UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Position")]
pub struct PositionJson {
    pub line: u32,
    pub character: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Move")]
pub struct MoveJson {
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Basis")]
pub struct BasisJson {
    pub file_path: String,
    /// Of the file's bytes; of a link: of its target's path.
    pub sha256: String,
}

impl BasisJson {
    fn new(path: &AbsPath, hash: &ContentHash) -> Self {
        Self { file_path: name(path), sha256: hash.as_str().to_owned() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Verification")]
pub struct VerificationJson {
    /// `none`, `syntax`, `diagnostics` or `project`.
    pub level: String,
    /// `clean`, `possible` (nothing new, but uses are listed that no check can judge), `regressed` or `unverified`.
    pub status: String,
    /// Why it is `possible` or `unverified`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many files were looked at, of those that the plan could affect.
    #[serde(default)]
    pub files_looked_at: usize,
    /// How many files could be affected and were not looked at.
    #[serde(default)]
    pub files_left_out: usize,
    /// What stands after the plan and did not before.
    pub new_problems: Vec<ProblemJson>,
    /// `identical` or `changed`, where a compiler made bytecode before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytecode: Option<String>,
    /// What callers see differently: signatures, and how storage is laid out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interface_changes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Problem")]
pub struct ProblemJson {
    pub file_path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeJson>,
    pub severity: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Warning")]
pub struct WarningJson {
    pub kind: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// The first place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeJson>,
    /// How many places it stands for, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<usize>,
}

/// How many warnings of a kind there are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WarningCount")]
pub struct WarningCountJson {
    pub kind: String,
    pub places: usize,
    pub files: usize,
}

impl RenameJson {
    /// The answer that there is a plan.
    pub fn of(plan: PlanJson) -> Self {
        Self { can_rename: true, reason: None, plan: Some(plan) }
    }

    /// The answer that there is none.
    pub fn refused(reason: String) -> Self {
        Self { can_rename: false, reason: Some(reason), plan: None }
    }
}

/// Writes a plan, with what a check of it found. The same plan gives the same bytes.
pub fn plan(plan: &Plan, verification: Option<&Verification>) -> PlanJson {
    let created = plan.creates().iter().filter(|(_, text)| !text.encode().is_empty());
    let created = created.map(|(path, text)| (path, creation(path, text.encode())));
    let edited = plan.edits().iter().map(|(path, edit)| (path, file_edit(path, edit)));
    let edits: BTreeMap<&AbsPath, FileEditJson> = edited.chain(created).collect();
    let basis = plan.basis().into_iter().map(|(path, hash)| BasisJson::new(&path, &hash));
    let remarks = Digest::of(plan.warnings());
    PlanJson {
        summary: String::new(),
        plan_id: plan.id().as_str().to_owned(),
        project_root: None,
        verification: verification.map(VerificationJson::from),
        warning_counts: warning_counts(&remarks),
        warnings: warnings(&remarks),
        edits: edits.into_values().collect(),
        fs_moves: plan.moves().iter().map(|(from, step)| MoveJson { from: name(from), to: name(&step.to) }).collect(),
        fs_creates: plan.creates().keys().map(name).collect(),
        fs_deletes: plan.deletes().keys().map(name).collect(),
        read_with: Vec::new(),
        basis: Some(basis.collect()),
    }
}

fn warnings(remarks: &Digest) -> Vec<WarningJson> {
    let total = remarks.total.iter().map(|total| WarningJson {
        kind: Digest::NOT_LISTED.to_owned(),
        message: total.clone(),
        file_path: None,
        range: None,
        places: None,
    });
    remarks.listed.iter().map(WarningJson::from).chain(total).collect()
}

/// Counts the warnings by kind, those that are not listed too.
pub(super) fn warning_counts(remarks: &Digest) -> Vec<WarningCountJson> {
    let of = |(kind, count): (&WarningKind, &Count)| WarningCountJson {
        kind: kind.as_str().to_owned(),
        places: count.places,
        files: count.files,
    };
    remarks.counts.iter().map(of).collect()
}

/// Returns the JSON Schema (2020-12) of what this program writes as `T`.
pub fn schema_of_output<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

/// Returns the JSON Schema (2020-12) of what this program reads as `T`.
pub fn schema_of_input<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>().to_value()
}

/// Returns the JSON Schema of a plan.
pub fn schema() -> Value {
    schema_of_output::<PlanJson>()
}

fn name(path: &AbsPath) -> String {
    path.as_str().to_owned()
}

fn file_edit(path: &AbsPath, edit: &FileEdit) -> FileEditJson {
    let one = |text_edit: &TextEdit| TextEditJson {
        range: edit.before.range(text_edit.span).expect("a plan's edits fit their texts").into(),
        new_text: text_edit.new_text.clone(),
    };
    FileEditJson { file_path: name(path), text_edits: edit.edits.iter().map(one).collect() }
}

fn creation(path: &AbsPath, bytes: Vec<u8>) -> FileEditJson {
    let start = PositionJson { line: 0, character: 0 };
    let new_text = String::from_utf8(bytes).expect("a Text is UTF-8");
    let edit = TextEditJson { range: RangeJson { start, end: start }, new_text };
    FileEditJson { file_path: name(path), text_edits: vec![edit] }
}

impl From<Position> for PositionJson {
    fn from(position: Position) -> Self {
        Self { line: position.line, character: position.character }
    }
}

impl From<PositionJson> for Position {
    fn from(position: PositionJson) -> Self {
        Self { line: position.line, character: position.character }
    }
}

impl From<Range> for RangeJson {
    fn from(range: Range) -> Self {
        Self { start: range.start.into(), end: range.end.into() }
    }
}

impl From<RangeJson> for Range {
    fn from(range: RangeJson) -> Self {
        Self { start: range.start.into(), end: range.end.into() }
    }
}

impl From<&Verification> for VerificationJson {
    fn from(found: &Verification) -> Self {
        Self {
            level: found.level.as_str().to_owned(),
            status: found.status.as_str().to_owned(),
            reason: found.reason.clone(),
            files_looked_at: found.files_looked_at,
            files_left_out: found.files_left_out,
            new_problems: found.new_problems.iter().map(ProblemJson::from).collect(),
            bytecode: found.interface.as_ref().and_then(Interface::bytecode).map(str::to_owned),
            interface_changes: interface_changes(found),
        }
    }
}

/// Returns what others see differently, in words.
pub(super) fn interface_changes(found: &Verification) -> Vec<String> {
    let changes = found.interface.iter().flat_map(|interface| &interface.changes);
    changes.map(|change| change.message.clone()).collect()
}

impl From<&Problem> for ProblemJson {
    fn from(problem: &Problem) -> Self {
        Self {
            file_path: name(&problem.path),
            range: problem.range.map(RangeJson::from),
            severity: problem.severity.as_str().to_owned(),
            code: problem.code.clone(),
            message: one_line(&problem.message).into_owned(),
            source: problem.source.clone(),
        }
    }
}

impl From<&Warning> for WarningJson {
    fn from(warning: &Warning) -> Self {
        Self {
            kind: warning.kind.as_str().to_owned(),
            message: warning.message.clone(),
            file_path: warning.path.as_ref().map(name),
            range: warning.range.map(RangeJson::from),
            places: Some(warning.count.places).filter(|places| *places > 1),
        }
    }
}

#[cfg(test)]
mod tests;
