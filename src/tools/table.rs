//! The one table of tools, which MCP, the command line, the schemas and the tests walk.

use futures::future::BoxFuture;
use serde_json::{Value, json};

use super::{Answer, Context, PAGE, ToolError};
use super::{actions, audit, build, coding, explore, inspect, plan, refactor, write, written};

/// One tool.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// For agents, who pay for every word of it.
    pub description: &'static str,
    pub toolset: Toolset,
    pub effect: Effect,
    pub input: fn() -> Value,
    pub form: Form,
    pub run: Run,
}

impl Tool {
    /// Tells whether its answers can be asked for in parts: those of the coding tools keep to a size of their own.
    pub fn is_paged(&self) -> bool {
        self.effect == Effect::Reads && self.toolset != Toolset::Coding
    }

    /// Returns the schema of the arguments, those of all tools included whose answers can be asked for in parts.
    pub fn arguments(&self) -> Value {
        let mut schema = (self.input)();
        if self.is_paged() {
            for (name, kind) in PAGE {
                schema["properties"][name] = json!({ "type": kind });
            }
        }
        schema
    }
}

/// What a tool writes its answers and its errors in.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// JSON that fits this schema.
    Json(fn() -> Value),
    /// TOON, for language models; it has no schema.
    Toon,
    /// Text as it stands; errors are JSON.
    Text,
}

/// Arguments in, the answer out.
pub(super) type Run = for<'a> fn(&'a Context, Value) -> BoxFuture<'a, Result<Answer, ToolError>>;

/// What a call does to the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Writes to files of the project; what it does can be undone.
    Writes,
    /// Runs what the caller says: it may do anything, anywhere, and nothing of it can be undone.
    Runs,
}

/// A group of tools that is switched on and off as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolset {
    Inspect,
    Plan,
    Audit,
    Build,
    Refactor,
    Coding,
    Explore,
    Write,
}

impl Toolset {
    pub const ALL: [Self; 8] =
        [Self::Audit, Self::Build, Self::Coding, Self::Explore, Self::Inspect, Self::Plan, Self::Refactor, Self::Write];
    /// Those that are on unless others are asked for.
    /// The audit tools join them where there is Solidity.
    pub const DEFAULT: [Self; 3] = [Self::Inspect, Self::Plan, Self::Refactor];
    /// Those that can be called without being asked for: what runs commands is not among them, nor what an agent that plans
    /// has no need of.
    pub const UNASKED: [Self; 4] = [Self::Audit, Self::Inspect, Self::Plan, Self::Refactor];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::Plan => "plan",
            Self::Audit => "audit",
            Self::Build => "build",
            Self::Refactor => "refactor",
            Self::Coding => "coding",
            Self::Explore => "explore",
            Self::Write => "write",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|toolset| toolset.as_str() == name)
    }
}

/// All tools, by name.
pub const TOOLS: &[Tool] = &[
    actions::LIST,
    actions::PLAN,
    actions::FIX,
    actions::PROBLEMS,
    audit::CALLGRAPH,
    audit::ENTRYPOINTS,
    audit::FUNCTION_INSIGHTS,
    audit::METRICS,
    audit::PEEK,
    build::CHECK,
    build::ANALYZE,
    build::COMPILE,
    build::PRETTY_PRINT,
    build::RUN,
    build::TEST,
    coding::BASH,
    coding::CODE_SEARCH,
    coding::FILE_EDITOR,
    coding::GIT_DIFF,
    coding::JSON_EDITOR,
    coding::SEQUENTIAL_THINKING,
    coding::TASK_DONE,
    explore::CALL_GRAPH,
    explore::CALLERS_OF,
    explore::CONSTRUCTORS_OF,
    explore::ERROR_SET,
    explore::FIND_DECLARATION,
    explore::GET_DECLARATION,
    explore::GET_SOURCE,
    explore::LIST_DECLARATIONS,
    explore::LIST_MODULES,
    explore::USAGES_OF,
    inspect::ANALYZE_CODE,
    inspect::INSPECT_STRUCTURE,
    plan::DIRECTORY_MOVE,
    plan::FILE_MOVE,
    plan::RENAME_SYMBOL,
    refactor::APPLY,
    refactor::LIST,
    refactor::PREVIEW,
    write::ADD_DECLARATION,
    write::ADD_FIELD,
    write::ADD_METHOD,
    write::DELETE_DECLARATION,
    write::DISCARD,
    write::EDIT_SOURCE,
    write::GENERATE_PT,
    write::MOVE_DECLARATION,
    write::RENAME_DECLARATION,
    write::REPLACE_DECLARATION,
    write::SAVE,
    write::SYNC_PT,
    written::APPLY,
    written::UNDO,
    written::VERIFY,
];

/// Finds a tool by its name.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
