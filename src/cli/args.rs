//! The words of the command line.

mod audit;
mod build;
mod declarations;
mod examples;
mod refactor;
mod serve;
mod servers;

use std::ffi::OsString;
use std::sync::Arc;

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

pub(super) use audit::{Callgraph, Entrypoints, FunctionInsights, Views};
pub(super) use build::{CHECK_CODES, COMPILE_CODES, Check, Compile, Pretty, RUN_CODES, Run, TEST_CODES, Test};
pub(super) use declarations::{Declared, Find, Outline};
pub(super) use refactor::{Refactor, narrowed, spelled_out};
pub(super) use serve::Serve;
pub(super) use servers::{Daemon, DaemonCommand, Servers, ServersCommand, SetUp};

use super::caller::Caller;
use crate::inspect::SMELLS;
use crate::tools::{ObjectionPolicy, Objections, actions, inspect, plan};

/// Complete, checked edit plans for renames and moves, from real language servers.
///
/// Nothing is written unless `--apply` says so (`apply` and `undo` always write).
#[derive(Debug, Parser)]
#[command(name = "lspwright", version, propagate_version = true, after_help = EXIT_CODES)]
pub(super) struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Returns the command line with all that its help says.
pub(super) fn command() -> clap::Command {
    examples::shown(Cli::command())
}

/// Reads a command line, the program first, by what it may hold.
pub(super) fn parsed(mut line: clap::Command, words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut matches = line.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut line))
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done, or a plan exists
  1  the refactoring is not possible, or a check found new problems
  2  invalid arguments
  3  the environment failed (a server is missing, crashed, timed out, or could not check what was to be written)
  130  interrupted

What a command prints on stdout can be piped; remarks, progress and errors go to stderr.
With `--output json` an error is printed on stdout too, as {\"error\": {kind, message, hints}}.";

const VERIFY_CODES: &str = "\
Exit codes: 0 clean, 1 new problems, 3 it could not be checked";

const TARGETS: &str = "\
Targets (paths relative to the current directory or the project's root):
  src/order.py:12:9                 line and column, 1-based, columns in characters
  src/order.py:12:9-14:3            from a place to another one (actions, refactorings)
  src/order.py#L10-L15              lines, or src/order.py:10-15: what is declared there
  src/order.py::Order::total        a symbol; `::` works in every language
  src/order.ts#Order.total          TypeScript, JavaScript
  contracts/Vault.sol:Vault.withdraw
";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Renames a symbol, with its declaration and every use
    #[command(after_help = TARGETS)]
    Rename(Rename),
    /// Moves a file or a directory, with every import of it
    Move(Move),
    /// Carries out a refactoring of the catalog by its name
    #[command(after_help = TARGETS)]
    Refactor(Box<Refactor>),
    /// Lists what compilers, type checkers and linters find, counted by rule
    Problems(Problems),
    /// Tells whether a file or the project has errors, by what compilers, type checkers and linters find
    #[command(after_help = CHECK_CODES)]
    Check(Check),
    /// Runs the project's tests by its own runner, and tells what became of each
    #[command(after_help = TEST_CODES)]
    Test(Test),
    /// Runs a file of the project as a program, with the drafts that are not saved
    #[command(after_help = RUN_CODES)]
    Run(Run),
    /// Compiles the project or a part of it, with the drafts that are not saved
    #[command(after_help = COMPILE_CODES)]
    Compile(Compile),
    /// Shows a file or a declaration as the project's formatter would write it; nothing is written
    #[command(after_help = TARGETS)]
    PrettyPrint(Pretty),
    /// Lists what language servers can do at a place, or plans one of it
    #[command(after_help = TARGETS)]
    Actions(Box<Actions>),
    /// Plans the fixes of many places as one
    Fix(Box<FixArgs>),
    /// Writes a plan to the disk, all or nothing; refused where a file has changed since
    Apply(Apply),
    /// Takes back the plan that was applied last, or a named one; refused where its files have changed since
    Undo(Undo),
    /// Checks a plan and lists the problems that it would bring
    #[command(after_help = VERIFY_CODES)]
    Verify(Verify),
    /// Checks a plan and prints a page of HTML to approve it from: `lspwright review plan.json > plan.html`
    Review(Verify),
    /// Lists the classes, methods and files of a file or a directory
    Inspect(Inspect),
    /// Lists what a file or the files below a directory declare, with ids
    Outline(Outline),
    /// Finds declarations of the whole project by name
    Find(Find),
    /// Shows a declaration: its signature, documentation, members and source
    #[command(after_help = TARGETS)]
    Show(Declared),
    /// Lists every use of a declaration, and what is done there
    #[command(after_help = TARGETS)]
    Uses(Declared),
    /// Lists the calls of a function
    #[command(after_help = TARGETS)]
    Callers(Declared),
    /// Lists the errors that a function can raise, through all that it calls
    #[command(after_help = TARGETS)]
    Errors(Declared),
    /// Finds code smells, and fails on those that a build is not to have
    #[command(after_help = smells())]
    Smells(Smells),
    /// Lists the functions that outsiders call: of contracts, and of Python, TypeScript and JavaScript programs
    Entrypoints(Entrypoints),
    /// Shows what one function reads, writes and calls
    #[command(name = "function_insights", alias = "function-insights")]
    FunctionInsights(FunctionInsights),
    /// Shows who calls whom
    Callgraph(Callgraph),
    /// Shows the signatures of all that files declare
    Peek(Views),
    /// Measures lines, comments and cyclomatic complexity
    Metrics(Views),
    /// Installs the language servers that the project's languages need, so that no first call waits for them
    Setup(SetUp),
    /// Writes lspwright into a client's configuration: claude, codex, gemini, vscode, cursor, windsurf, zed, opencode
    Init(Init),
    /// Lists the language servers, or installs them
    Servers(Servers),
    /// Tells what is there, what is missing, who answers what, and how to mend it
    Doctor,
    /// Prints the JSON Schema of a plan, or of a tool's input or output
    Schema(Schema),
    /// Prints what completes these commands in a shell
    Completions(Completions),
    /// Prints the manual page, or writes those of all commands
    Manual(Manual),
    /// Serves the tools over MCP on stdin and stdout
    Serve(Serve),
    /// Keeps language servers warm between commands; it is started by itself, and ends by itself
    Daemon(Daemon),
    /// Serves Solidity over the Language Server Protocol on stdin and stdout, for editors
    SolidityServer,
}

#[derive(Debug, Args)]
pub(super) struct Common {
    /// The project's root [default: the nearest root above the file or the current directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub project: Option<String>,
    /// How the result is printed [default: diff for a plan, toon for an inspection]
    #[arg(long, short, global = true, value_enum, value_name = "FORMAT")]
    pub output: Option<Output>,
    /// Never fetch a language server
    #[arg(long, global = true)]
    pub offline: bool,
    /// Let what the project says run: its environment, build scripts, plugins and servers.toml
    #[arg(long, global = true)]
    pub trust_project: bool,
    /// Print no remarks and no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Run here and now, not in the daemon that keeps servers warm
    #[arg(long, global = true)]
    pub no_daemon: bool,
    #[arg(skip)]
    pub caller: Arc<Caller>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// The public JSON (`lspwright schema plan`)
    Json,
    /// Flat tables for language models
    Toon,
    /// Aligned tables for people, of everything but plans
    Table,
    /// A unified diff, for reading
    Diff,
    /// A patch that `git apply` takes, run in the project's root
    Patch,
    /// A page in one file: to approve a plan from, or of `smells`
    Html,
    /// SARIF 2.1.0, of `problems`
    Sarif,
    /// A flowchart of Mermaid, of `callgraph`
    Mermaid,
    /// A digraph for Graphviz, of `callgraph`
    Dot,
    /// A picture, of `callgraph`
    Svg,
}

#[derive(Debug, Args)]
pub(super) struct Rename {
    /// What to rename; see below
    pub target: String,
    /// Its new name
    pub new_name: String,
    /// The name believed to stand at the target; another one is refused
    #[arg(long, value_name = "NAME")]
    pub expect: Option<String>,
    /// Whether imports and re-exports follow all the way, or the old public name is kept
    #[arg(long, value_enum, default_value = "through")]
    pub aliases: Aliases,
    /// Also rename whole words in string literals
    #[arg(long)]
    pub in_strings: bool,
    /// Also rename whole words in comments
    #[arg(long)]
    pub in_comments: bool,
    /// Also rename whole words in documents and data (Markdown, reStructuredText, JSON, YAML, TOML, text)
    #[arg(long)]
    pub in_docs: bool,
    /// Also rename members and keyword arguments on values of unknown type; each file is told
    #[arg(long)]
    pub untyped: bool,
    #[command(flatten)]
    pub writing: Writing,
}

#[derive(Debug, Args)]
pub(super) struct Move {
    /// The file or directory
    pub old: String,
    /// Its new path, or an existing directory to move it into
    pub new: String,
    /// Also rewrite old paths and names of modules in documents, data, comments and docstrings
    #[arg(long)]
    pub in_docs: bool,
    #[command(flatten)]
    pub writing: Writing,
}

#[derive(Debug, Args)]
pub(super) struct Writing {
    /// Write the changes, all or nothing
    #[arg(long)]
    pub apply: bool,
    /// How far the plan is checked [default: none; with --apply: diagnostics; with --check: project]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub verify: Option<Level>,
    #[command(flatten)]
    pub checking: Checking,
    /// Refuse a plan, too, that lists uses which may have to change and which no check can judge
    #[arg(long)]
    pub strict: bool,
    /// Go on in spite of a conflict, of new problems, or unchecked where no check could look
    #[arg(long)]
    pub force: bool,
}

/// How a project is checked.
#[derive(Debug, Args)]
pub(super) struct Checking {
    /// Check at level `project`, by what this runs on a copy before and after, instead of the languages' own checkers
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,
    /// How long that may take each time before it is killed, and the plan is unverified
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pub check_timeout: u64,
}

#[derive(Debug, Args)]
pub(super) struct Problems {
    /// Files or directories [default: the project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// The lowest severity that counts
    #[arg(long, value_enum, default_value = "warning")]
    pub severity: Lowest,
    /// Of this checker only: ruff, basedpyright, typescript
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// Of this rule only, with its places: F401, TS2304
    #[arg(long, value_name = "CODE")]
    pub rule: Option<String>,
    /// List the places of all rules, too
    #[arg(long)]
    pub places: bool,
    /// End with 1 if there are problems of this severity, or of a higher one
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<Lowest>,
    /// Leave out the problems that this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// List all problems of today in this file, for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Lowest {
    Error,
    Warning,
    Information,
    Hint,
}

impl From<Lowest> for actions::Lowest {
    fn from(lowest: Lowest) -> Self {
        match lowest {
            Lowest::Error => Self::Error,
            Lowest::Warning => Self::Warning,
            Lowest::Information => Self::Information,
            Lowest::Hint => Self::Hint,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct Actions {
    /// A place, lines or a whole file; see below
    pub target: String,
    /// The action to plan, by its id or its title [default: list them]
    pub action: Option<String>,
    /// Of this kind only: quickfix, refactor, refactor.extract, source; may be given several times
    #[arg(long, value_name = "KIND", conflicts_with = "action")]
    pub kind: Vec<String>,
    /// Only those that the server prefers
    #[arg(long, conflicts_with = "action")]
    pub preferred: bool,
    #[command(flatten)]
    pub writing: Writing,
}

#[derive(Debug, Args)]
pub(super) struct FixArgs {
    /// Files or directories [default: the project]
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Sort imports, and join those of one module
    #[arg(long)]
    pub organize_imports: bool,
    /// Import names that nothing declares, where there is only one place to take them from
    #[arg(long)]
    pub add_missing_imports: bool,
    /// Take out what nobody uses: imports, variables, private declarations
    #[arg(long)]
    pub remove_unused: bool,
    /// Whatever the servers fix by themselves
    #[arg(long)]
    pub fix_all: bool,
    /// Mend what this rule finds; may be given several times
    #[arg(long, value_name = "CODE")]
    pub rule: Vec<String>,
    /// End with 1 if anything would change
    #[arg(long)]
    pub exit_code: bool,
    #[command(flatten)]
    pub writing: Writing,
}

#[derive(Debug, Args)]
pub(super) struct Apply {
    /// A file with the JSON of a plan, or `-` for stdin
    pub plan: String,
    /// How far the plan is checked first [default: diagnostics; with --check: project]
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub verify: Option<Level>,
    #[command(flatten)]
    pub checking: Checking,
    /// Refuse a plan, too, that lists uses which may have to change and which no check can judge
    #[arg(long)]
    pub strict: bool,
    /// Go on in spite of new problems, or unchecked where no check could look
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub(super) struct Undo {
    /// The plan, by the id that `--apply` told
    pub plan_id: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// A file with the JSON of a plan, or `-` for stdin
    pub plan: String,
    /// How far the plan is checked [default: diagnostics; with --check: project]
    #[arg(long, alias = "verify", value_enum, value_name = "LEVEL")]
    pub level: Option<Level>,
    #[command(flatten)]
    pub checking: Checking,
    /// Exit with 1 also where uses are listed that may have to change
    #[arg(long)]
    pub strict: bool,
}

impl Writing {
    pub(super) fn objections(&self) -> Objections {
        Objections::of(ObjectionPolicy { strict: self.strict, force: self.force })
    }
}

impl Apply {
    pub(super) fn objections(&self) -> Objections {
        Objections::of(ObjectionPolicy { strict: self.strict, force: self.force })
    }
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Whose configuration: claude, codex, gemini, vscode, cursor, windsurf, zed or opencode
    pub client: String,
    /// Write the configuration in your home, for all projects, instead of the project's
    #[arg(long)]
    pub user: bool,
    /// Take the entry out again
    #[arg(long)]
    pub remove: bool,
    /// Write the change, which is shown otherwise
    #[arg(long)]
    pub apply: bool,
}

#[derive(Debug, Args)]
pub(super) struct Manual {
    /// Write a page for every command into this directory, which is made
    #[arg(value_name = "DIR")]
    pub dir: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// For which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// The file or directory
    #[arg(default_value = ".")]
    pub path: String,
    /// How far down the answer goes
    #[arg(long, value_enum, default_value = "class")]
    pub depth: Depth,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Depth {
    File,
    Class,
    Method,
}

impl From<Depth> for inspect::Depth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::File => Self::File,
            Depth::Class => Self::Class,
            Depth::Method => Self::Method,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct Smells {
    /// The file or directory
    #[arg(default_value = ".")]
    pub path: String,
    /// Look for this smell only; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub smell: Vec<String>,
    /// Print at most so many, the worst first
    #[arg(long, value_name = "NUMBER")]
    pub limit: Option<usize>,
    /// Settings [default: .lspwright/smells.toml in the project's root]
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// End with 1 if there are smells of this severity, or of a higher one
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<Severity>,
    /// Leave out the smells that this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// List all smells of today in this file, for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Severity {
    Low,
    Medium,
    High,
}

impl From<Severity> for crate::inspect::Severity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Low => Self::Low,
            Severity::Medium => Self::Medium,
            Severity::High => Self::High,
        }
    }
}

/// Lists the smells with their thresholds, as the configuration names them.
fn smells() -> String {
    let mut help = String::from("Smells, with the thresholds that smells.toml can change:\n");
    for smell in SMELLS {
        help += &format!("  {:21}{}\n", smell.name, smell.about);
        for limit in smell.limits {
            help += &format!("  {:21}  {} = {}: {}\n", "", limit.name, limit.default, limit.about);
        }
    }
    help + "\nExit codes: 0 done, 1 smells that `--fail-on` speaks of, 2 invalid arguments, 3 the environment failed"
}

#[derive(Debug, Args)]
pub(super) struct Schema {
    /// `plan`, or for example `planRenameSymbol.input` [default: list the names]
    pub name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Aliases {
    Through,
    Keep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Level {
    /// Not at all
    None,
    /// The touched files still parse
    Syntax,
    /// The servers' problems before and after
    Diagnostics,
    /// The project's own checker, on a copy
    Project,
}

impl From<Aliases> for plan::Aliases {
    fn from(aliases: Aliases) -> Self {
        match aliases {
            Aliases::Through => Self::Through,
            Aliases::Keep => Self::Keep,
        }
    }
}

impl From<Level> for plan::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::None => Self::None,
            Level::Syntax => Self::Syntax,
            Level::Diagnostics => Self::Diagnostics,
            Level::Project => Self::Project,
        }
    }
}
