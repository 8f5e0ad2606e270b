//! What is known about one language server before it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::{AbsPath, LineBreaks};

/// A server's name in servers.toml, such as `pyright`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ServerName(String);

/// One server as servers.toml declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSpec {
    pub name: ServerName,
    /// The program and its arguments, placeholders (`{install}`, `{node}`, `{root}`) not yet filled in.
    pub command: Vec<String>,
    /// LSP language ids.
    pub languages: Vec<String>,
    /// Extensions without their dot, each with the language id that `didOpen` names.
    pub extensions: BTreeMap<String, String>,
    /// Names of files that mark a project's root.
    pub root_markers: Vec<String>,
    /// The folder that the server is told to work on, where that is not the project's root.
    pub workspace: Option<String>,
    pub install: Option<Install>,
    /// How large an installation is: by it is told how far one has come.
    pub install_megabytes: Option<u64>,
    /// The package whose version the project chooses.
    pub versions: Option<Versions>,
    /// The version that it chose; nothing before anybody looked.
    pub chosen: Option<Chosen>,
    /// Variables set for the program beside those that go through to all, placeholders not yet filled in.
    pub env: BTreeMap<String, String>,
    pub initialization_options: Value,
    /// The answers to `workspace/configuration`: objects nested by the dots of a section's name.
    pub settings: Value,
    pub readiness: Readiness,
    pub quirks: BTreeSet<Quirk>,
    /// What is done with commands that code actions name; any other is not run.
    pub commands: BTreeMap<String, CommandUse>,
    pub line_breaks: LineBreaks,
    /// The name of a server that lives in this binary.
    pub embedded: Option<String>,
    pub timeouts: Timeouts,
    /// The command line that checks a whole project as the server would.
    pub checker: Option<Checker>,
    /// Why it is not started on a project that is not trusted; nothing where it is, or may be.
    pub needs_trust: Option<NeedsTrust>,
    /// What it lacks on a project that is not trusted, as a sentence; nothing where it lacks nothing.
    pub without_trust: Option<String>,
}

/// Whether what a project says may be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trust {
    #[default]
    Nothing,
    Project,
}

/// What a server runs of a project, and cannot be told to leave.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NeedsTrust {
    /// What it runs: `it loads the project's hardhat.config`.
    pub because: String,
    /// The files in or above a project's root that make it do so; none: it always does.
    #[serde(default)]
    pub files: Vec<String>,
}

/// A package that the server works with, in the version that the project chooses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Versions {
    /// Its name on npm; `install` names it, too, in the version for projects that ask for none.
    pub package: String,
    /// The other versions that there are hashes for, one for each minor.
    pub known: Vec<String>,
    /// From this version on it watches nothing where it is told of changes (see [`Quirk::WatchesDisk`]).
    #[serde(default)]
    pub told_from: Option<String>,
}

/// The version of a package that a project chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Chosen {
    pub package: String,
    pub version: String,
    /// What in the project says so; nothing where it asks for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Where the project's own stands, if that is taken.
    #[serde(skip)]
    pub own: Option<AbsPath>,
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.why.as_deref().unwrap_or("the project asks for none");
        write!(f, "{} {}: {why}", self.package, self.version)
    }
}

impl Chosen {
    /// Tells whether the project said which one, or it is lspwright's choice.
    pub fn is_asked_for(&self) -> bool {
        self.why.is_some()
    }
}

/// A language's checker as a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Checker {
    /// The program and its arguments; run in the directory of a project file.
    pub command: Vec<String>,
    pub format: ReportFormat,
    /// The files by which a directory is known as one to run in; none: the project's root.
    #[serde(default)]
    pub project_files: Vec<String>,
}

/// How a checker writes its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportFormat {
    /// `path(line,column): error TS2305: message`.
    Tsc,
    /// `pyright --outputjson`.
    PyrightJson,
}

/// How a server is installed, with exact pins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Install {
    /// `name@version` packages of the npm registry.
    Npm(Vec<String>),
    /// `name==version` packages of the Python package index.
    Pypi(Vec<String>),
    /// `name@version` crates.
    Cargo(Vec<String>),
    /// A component of the active Rust toolchain.
    Rustup(String),
    /// Nothing that lspwright does: the sentence says what the user can do.
    Hint(String),
}

/// How it is known that a server has read the project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readiness {
    /// Requests wait inside the server until it can answer them completely.
    #[default]
    Immediate,
    /// A `window/logMessage` matches one of the patterns; `*` stands for any characters.
    Log { patterns: Vec<String> },
    /// Work done progress, begun at least once, has ended; tokens or titles match one of the patterns
    /// (none: every progress counts).
    Progress {
        #[serde(default)]
        patterns: Vec<String>,
        /// Seconds after which the server counts as ready if no such progress has begun.
        #[serde(default, rename = "begins-within")]
        begins_within: Option<u64>,
    },
    /// `experimental/serverStatus` says `quiescent` (rust-analyzer).
    Quiescent,
    /// Never announced: a question is asked again until two answers in a row are the same.
    Settled,
}

/// A known departure from the protocol, or a gift beyond it, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quirk {
    /// UTF-8 positions may be offered: the server counts them right.
    Utf8Positions,
    /// Characters are counted in code points, whatever the server says.
    CodePointPositions,
    /// Diagnostics are asked for through `typescript.tsserverRequest`, also for files that are not open.
    TsserverDiagnostics,
    /// A document that is opened counts in answers only after its diagnostics have been pushed.
    ReadsLate,
    /// `textDocument/diagnostic` also answers for files that are not open.
    DiagnosticsWithoutOpen,
    /// In a file that it reads from the disk, a byte order mark is the first character.
    CountsByteOrderMark,
    /// Keeps what it finds in a file while it looks at others that use it, and tells it with the next answer about that file,
    /// when the text that it found it by has changed.
    KeepsFindings,
    /// Rename and its kin answer for files that are not open.
    AnswersWithoutOpen,
    /// Renames only inside the `include` of the project's own configuration.
    HonoursInclude,
    /// A rename of a method leaves overriding and implementing methods as they are.
    IgnoresOverrides,
    /// A rename does not go through re-exports, `__all__` or stub files.
    IgnoresReexports,
    /// `rename` answers with nonsense where `prepareRename` says no: it must be asked first.
    PrepareFirst,
    /// Renames what libraries and the standard library define.
    RenamesLibraries,
    /// Stops after a fixed number of files without a word.
    Truncates,
    /// `workspace/willRenameFiles` is answered, but not completely.
    PartialMoves,
    /// A rename that starts at an import specifier renames the local alias alone.
    ImportSpecifierIsAlias,
    /// Offers `typescript.tsserverRequest`, the way to tsserver's own requests.
    TsserverRequests,
    /// Watches the disk itself, and takes no `workspace/didChangeWatchedFiles`. tsserver (6.0.3) does not always see that a
    /// file which went has come again, and from then on answers without it.
    WatchesDisk,
    /// Goes on when its tsserver has ended, and answers everything with nothing.
    OutlivesTsserver,
    /// Breaks on a `didChange` without a range.
    RangedChangesOnly,
    /// Takes its settings from `workspace/didChangeConfiguration` and never asks for them.
    PushedSettings,
    /// A module's rename answers with the file's move alone; its edits come with `willRenameFiles`.
    ModuleRenameIsMove,
    /// Judges types as another server of the language does: asked for actions, not for findings.
    SecondOpinion,
    /// Does not find all that a compiler would: a name that nothing declares, a value of a wrong type.
    PartialDiagnostics,
}

/// What is done with a command that a code action names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommandUse {
    /// It is run: it changes nothing by itself, and sends its edits.
    SendsEdits,
    /// It is left out where the action has an edit of its own: what it does beside is not for texts.
    AfterEdit,
    /// tsserver is asked for the edits of its argument.
    TsserverRefactor,
}

/// What one server can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Feature {
    Rename,
    PrepareRename,
    WillRenameFiles,
    Definition,
    Declaration,
    References,
    Implementation,
    DocumentSymbol,
    WorkspaceSymbol,
    CodeAction,
    Diagnostics,
    ExecuteCommand,
    TypeHierarchy,
    CallHierarchy,
    Hover,
    TypeDefinition,
    Formatting,
}

/// How long each kind of question may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of the process to the answer of `initialize`.
    pub start: Duration,
    /// Until the project is read.
    pub ready: Duration,
    /// A question about one place: definition, prepareRename, documentSymbol.
    pub request: Duration,
    /// A question about the whole project: rename, references, willRenameFiles, diagnostics, commands.
    pub project: Duration,
    /// `shutdown`, after which the process is killed.
    pub shutdown: Duration,
}

/// A command line that starts a server, ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// All variables of the program: nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
}

impl ServerName {
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ServerSpec {
    /// A server of which nothing but the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: ServerName::new(name),
            command: Vec::new(),
            languages: Vec::new(),
            extensions: BTreeMap::new(),
            root_markers: Vec::new(),
            workspace: None,
            install: None,
            install_megabytes: None,
            versions: None,
            chosen: None,
            env: BTreeMap::new(),
            initialization_options: Value::Null,
            settings: Value::Null,
            readiness: Readiness::default(),
            quirks: BTreeSet::new(),
            commands: BTreeMap::new(),
            line_breaks: LineBreaks::default(),
            embedded: None,
            timeouts: Timeouts::default(),
            checker: None,
            needs_trust: None,
            without_trust: None,
        }
    }

    /// Tells whether files of this path's extension are this server's to read.
    pub fn speaks_of(&self, path: &AbsPath) -> bool {
        self.extensions.contains_key(path.extension())
    }

    /// Tells whether a file is a configuration that this entry, filled in, points the server at.
    pub fn is_configured_by(&self, path: &AbsPath) -> bool {
        let dir = path.parent();
        let is_workspace = self.workspace.is_some() && self.workspace.as_deref() == dir.as_ref().map(AbsPath::as_str);
        is_workspace || mentions(&self.settings, path.as_str())
    }

    pub fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }
}

fn mentions(value: &Value, path: &str) -> bool {
    match value {
        Value::String(text) => text == path,
        Value::Array(values) => values.iter().any(|value| mentions(value, path)),
        Value::Object(values) => values.values().any(|value| mentions(value, path)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

impl Feature {
    pub const ALL: [Self; 16] = [
        Self::Rename,
        Self::PrepareRename,
        Self::WillRenameFiles,
        Self::Definition,
        Self::References,
        Self::Implementation,
        Self::DocumentSymbol,
        Self::WorkspaceSymbol,
        Self::CodeAction,
        Self::Diagnostics,
        Self::ExecuteCommand,
        Self::TypeHierarchy,
        Self::CallHierarchy,
        Self::Hover,
        Self::TypeDefinition,
        Self::Formatting,
    ];

    /// Returns the name in servers.toml.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::PrepareRename => "prepareRename",
            Self::WillRenameFiles => "willRenameFiles",
            Self::Definition => "definition",
            Self::Declaration => "declaration",
            Self::References => "references",
            Self::Implementation => "implementation",
            Self::DocumentSymbol => "documentSymbol",
            Self::WorkspaceSymbol => "workspaceSymbol",
            Self::CodeAction => "codeAction",
            Self::Diagnostics => "diagnostics",
            Self::ExecuteCommand => "executeCommand",
            Self::TypeHierarchy => "typeHierarchy",
            Self::CallHierarchy => "callHierarchy",
            Self::Hover => "hover",
            Self::TypeDefinition => "typeDefinition",
            Self::Formatting => "formatting",
        }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            ready: Duration::from_secs(120),
            request: Duration::from_secs(60),
            project: Duration::from_secs(180),
            shutdown: Duration::from_secs(2),
        }
    }
}
