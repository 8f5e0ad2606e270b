//! The one table of tools, which MCP, the command line, the schemas and the tests walk.

use super::tool::Tool;
use super::{actions, audit, build, coding, explore, inspect, plan, refactor, write, written};

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
