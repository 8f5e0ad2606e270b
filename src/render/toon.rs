//! A plan as TOON: flat tables of uniform rows, the cheapest form for a language model to read.

use serde::Serialize;

use super::json::WarningCountJson;
use crate::plan::{Digest, Interface, Plan, Problem, Verification, Warning};
use crate::text::{AbsPath, Range};

/// What stands above the edits: who cuts a long text loses none of it. Every list is one table; what a row lacks is null,
/// for a missing key would cost the table its form (TOON spec § 9.3). Paths are relative to the root where they lie below
/// it; positions as in the JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    root: &'a str,
    plan_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<VerificationRows>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warning_counts: Vec<WarningCountJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<RemarkRow>,
}

#[derive(Serialize)]
struct Edits<'a> {
    edits: &'a [EditRow],
}

/// What stands below the edits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rest {
    fs_moves: Vec<MoveRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fs_creates: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fs_deletes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EditRow {
    file: String,
    start_line: u32,
    start_character: u32,
    end_line: u32,
    end_character: u32,
    new_text: String,
}

#[derive(Serialize)]
struct MoveRow {
    from: String,
    to: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerificationRows {
    level: &'static str,
    status: &'static str,
    reason: Option<String>,
    files_looked_at: usize,
    files_left_out: usize,
    new_problems: Vec<RemarkRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytecode: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interface_changes: Vec<String>,
}

/// A warning (its kind) or a problem (its severity), with the place that it speaks of.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RemarkRow {
    kind: &'static str,
    file: Option<String>,
    line: Option<u32>,
    character: Option<u32>,
    message: String,
}

/// Writes a plan as TOON.
pub fn toon(plan: &Plan, verification: Option<&Verification>, root: &AbsPath) -> String {
    let name = |path: &AbsPath| shown(path, root);
    let remarks = Digest::of(plan.warnings());
    let head = write_toon(&Head {
        root: root.as_str(),
        plan_id: plan.id().as_str(),
        verification: verification.map(|found| VerificationRows {
            level: found.level.as_str(),
            status: found.status.as_str(),
            reason: found.reason.clone(),
            files_looked_at: found.files_looked_at,
            files_left_out: found.files_left_out,
            new_problems: found.new_problems.iter().map(|problem| problem_row(problem, root)).collect(),
            bytecode: found.interface.as_ref().and_then(Interface::bytecode),
            interface_changes: super::json::interface_changes(found),
        }),
        warning_counts: super::json::warning_counts(&remarks),
        warnings: warning_rows(&remarks, root),
    });
    let rest = write_toon(&Rest {
        fs_moves: plan.moves().iter().map(|(from, step)| MoveRow { from: name(from), to: name(&step.to) }).collect(),
        fs_creates: plan.creates().keys().map(name).collect(),
        fs_deletes: plan.deletes().keys().map(name).collect(),
    });
    [head, table(&edits(plan, root)), rest].concat()
}

/// How many edits are encoded at once: the encoder takes a kilobyte for each.
const ROWS: usize = 500;

/// Encodes the table of the edits part by part; below its first line every row stands for itself.
fn table(rows: &[EditRow]) -> String {
    let mut table = write_toon(&Edits { edits: &rows[..rows.len().min(ROWS)] });
    if rows.len() > ROWS {
        table = table.replacen(&format!("edits[{ROWS}]"), &format!("edits[{}]", rows.len()), 1);
    }
    for part in rows.chunks(ROWS).skip(1) {
        let part = write_toon(&Edits { edits: part });
        table.push_str(part.split_once('\n').map_or("", |(_, lines)| lines));
    }
    table
}

/// Writes any answer as TOON. Rows that are to become a table have to be uniform: null, never a missing key.
pub fn write_toon(answer: &impl Serialize) -> String {
    toon_format::encode_default(answer).expect("rows of strings and numbers have a TOON form") + "\n"
}

/// Reads what [`write_toon`] wrote.
pub fn read_toon(answer: &str) -> serde_json::Value {
    toon_format::decode_default(answer).expect("what was written as TOON is TOON")
}

fn shown(path: &AbsPath, root: &AbsPath) -> String {
    path.relative_to(root).map_or_else(|| path.as_str().to_owned(), |path| path.as_str().to_owned())
}

fn edits(plan: &Plan, root: &AbsPath) -> Vec<EditRow> {
    let row = |path: &AbsPath, range: Range, new_text: String| EditRow {
        file: shown(path, root),
        start_line: range.start.line,
        start_character: range.start.character,
        end_line: range.end.line,
        end_character: range.end.character,
        new_text,
    };
    let mut rows = Vec::new();
    for (path, file) in plan.edits() {
        for edit in &file.edits {
            let range = file.before.range(edit.span).expect("a plan's edits fit their texts");
            rows.push(row(path, range, edit.new_text.clone()));
        }
    }
    for (path, text) in plan.creates() {
        let range = text.range((0..0).into()).expect("every text has a start");
        let content = String::from_utf8(text.encode()).expect("a Text is UTF-8");
        if !content.is_empty() {
            rows.push(row(path, range, content));
        }
    }
    rows
}

fn warning_rows(remarks: &Digest, root: &AbsPath) -> Vec<RemarkRow> {
    let total = |message: &String| RemarkRow {
        kind: Digest::NOT_LISTED,
        file: None,
        line: None,
        character: None,
        message: message.clone(),
    };
    let listed = remarks.listed.iter().map(|warning| warning_row(warning, root));
    listed.chain(remarks.total.iter().map(total)).collect()
}

fn warning_row(warning: &Warning, root: &AbsPath) -> RemarkRow {
    RemarkRow {
        kind: warning.kind.as_str(),
        file: warning.path.as_ref().map(|path| shown(path, root)),
        line: warning.range.map(|range| range.start.line),
        character: warning.range.map(|range| range.start.character),
        message: warning.message.clone(),
    }
}

fn problem_row(problem: &Problem, root: &AbsPath) -> RemarkRow {
    let code = problem.code.as_ref().map_or_else(String::new, |code| format!(" ({code})"));
    RemarkRow {
        kind: problem.severity.as_str(),
        file: Some(shown(&problem.path, root)),
        line: problem.range.map(|range| range.start.line),
        character: problem.range.map(|range| range.start.character),
        message: format!("{}{code}", problem.quoted()),
    }
}
