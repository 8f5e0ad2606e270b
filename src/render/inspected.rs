//! What inspections answer, as it is seen outside: a head and tables of uniform rows.

use serde::Serialize;

/// The answer of `inspect_structure`. Names are targets that every other tool and command takes.
#[derive(Debug, Serialize)]
pub struct StructureAnswer {
    pub structure: StructureHead,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<ClassRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub methods: Option<Vec<MethodRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileRow>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRow>,
}

#[derive(Debug, Serialize)]
pub struct StructureHead {
    pub path: String,
    /// Of several, all, the one with the most files first.
    pub language: String,
    pub files: usize,
    pub lines: u64,
    pub classes: usize,
    pub functions: usize,
}

#[derive(Debug, Serialize)]
pub struct ClassRow {
    pub name: String,
    /// Counted from 1.
    pub line: u32,
    pub methods: u32,
    pub fields: u32,
}

#[derive(Debug, Serialize)]
pub struct MethodRow {
    /// The names of the class, joined by dots; null for a function of no class.
    pub class: Option<String>,
    pub name: String,
    pub line: u32,
    /// The receiver and what takes the rest of the arguments are not counted.
    pub params: usize,
    pub lines: u32,
}

#[derive(Debug, Serialize)]
pub struct FileRow {
    pub path: String,
    pub language: &'static str,
    pub lines: u32,
    pub classes: usize,
    pub functions: usize,
}

/// A file that could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOutRow {
    pub path: String,
    pub reason: String,
}

/// The answer of `analyze_code`. Locations are targets that every other tool and command takes.
#[derive(Debug, Serialize)]
pub struct AnalysisAnswer {
    pub analysis: AnalysisHead,
    pub smells: Vec<SmellRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct AnalysisHead {
    pub path: String,
    pub language: String,
    /// Whether the language is one that is looked into.
    pub backend_supported: bool,
    pub files: usize,
    pub lines: u64,
}

#[derive(Debug, Serialize)]
pub struct SmellRow {
    pub r#type: &'static str,
    pub location: String,
    pub severity: &'static str,
    pub suggested_refactoring: &'static str,
    pub details: String,
}
