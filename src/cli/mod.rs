//! Floor 10: the command line.

mod actions;
mod args;
mod audit;
mod baseline;
mod build;
mod caller;
mod daemon;
mod declarations;
mod init;
mod inspect;
mod job;
mod pager;
mod plans;
mod refactor;
mod root;
mod screen;
mod serve;
mod servers;
mod streams;
mod work;
mod written;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind as ClapErrorKind;
use tokio::runtime::Handle;

use crate::daemon::Done;
use crate::tools::{ErrorKind, Reader, ToolError};
use args::{Cli, Command};
use caller::Caller;
use screen::Screen;

/// Runs the program: reads the arguments, does what they say, and tells by the exit code how it went.
pub fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    // The guard stands between this program and its servers; its arguments are theirs.
    if args.get(1).is_some_and(|word| word == "guard") {
        return crate::lsp::guard::run(args.into_iter().skip(2));
    }
    let cli = match parsed(args) {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    let caller = Arc::clone(&cli.common.caller);
    let code = daemon::delegated(&cli).unwrap_or_else(|| here(cli));
    caller.streams.end();
    code
}

/// Reads a command line, the program first.
fn parsed(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let words = args::spelled_out(words);
    args::parsed(args::narrowed(args::command(), &words), words)
}

/// Does in this process what the arguments say.
fn here(cli: Cli) -> ExitCode {
    let screen = Arc::new(Screen::new(&cli.common));
    match run(cli, &screen) {
        Ok(code) => code,
        Err(error) => screen.failed(&error.for_reader(Reader::Shell)),
    }
}

/// As much as the first thread of a process mostly has, in bytes: what one is asked runs on any of them.
const STACK: usize = 8 << 20;

fn run(cli: Cli, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(|error| ToolError::new(ErrorKind::Environment, format!("no runtime: {error}")))?;
    caller::end_in_any_case();
    let outcome = runtime.block_on(dispatched(cli, screen));
    // A blocking read of stdin must not hold the exit up.
    runtime.shutdown_background();
    outcome
}

/// Does what another process was asked to do, in the daemon.
fn run_for(words: Vec<String>, caller: Caller) -> Result<Done, ToolError> {
    let line = std::iter::once("lspwright".to_owned()).chain(words).map(OsString::from);
    let Ok(mut cli) = parsed(line.collect()) else { return Ok(Done::Declined) };
    cli.common.caller = Arc::new(caller);
    let screen = Arc::new(Screen::new(&cli.common));
    let code = match Handle::current().block_on(dispatched(cli, &screen)) {
        Ok(code) => code,
        // The caller has the time to wait for it.
        Err(error) if error.kind == ErrorKind::ServerInstalling => return Ok(Done::Declined),
        Err(error) => screen.failed(&error.for_reader(Reader::Shell)),
    };
    let number = (0..=u8::MAX).find(|number| ExitCode::from(*number) == code);
    Ok(number.map_or(Done::Declined, Done::Ended))
}

/// Does what a command says, for whoever called it.
async fn dispatched(cli: Cli, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let common = cli.common;
    match cli.command {
        Command::Rename(args) => plans::rename(&common, args, screen).await,
        Command::Move(args) => plans::relocate(&common, args, screen).await,
        Command::Refactor(args) => refactor::refactor(&common, *args, screen).await,
        Command::Problems(args) => actions::problems(&common, args, screen).await,
        Command::Check(args) => build::check(&common, args, screen).await,
        Command::Test(args) => build::test(&common, args, screen).await,
        Command::Run(args) => build::run(&common, args, screen).await,
        Command::Compile(args) => build::compile(&common, args, screen).await,
        Command::PrettyPrint(args) => build::pretty_print(&common, args, screen).await,
        Command::Actions(args) => actions::actions(&common, *args, screen).await,
        Command::Fix(args) => actions::fix(&common, *args, screen).await,
        Command::Apply(args) => written::apply(&common, args, screen).await,
        Command::Undo(args) => written::undo(&common, args, screen).await,
        Command::Verify(args) => written::verify(&common, args, screen).await,
        Command::Review(args) => written::review(&common, args, screen).await,
        Command::Inspect(args) => inspect::inspect(&common, args, screen).await,
        Command::Outline(args) => declarations::outline(&common, args, screen).await,
        Command::Find(args) => declarations::find(&common, args, screen).await,
        Command::Show(args) => declarations::show(&common, args, screen).await,
        Command::Uses(args) => declarations::uses(&common, args, screen).await,
        Command::Callers(args) => declarations::callers(&common, args, screen).await,
        Command::Errors(args) => declarations::errors(&common, args, screen).await,
        Command::Smells(args) => inspect::smells(&common, args, screen).await,
        Command::Entrypoints(args) => audit::entrypoints(&common, args, screen).await,
        Command::FunctionInsights(args) => audit::function_insights(&common, args, screen).await,
        Command::Callgraph(args) => audit::callgraph(&common, args, screen).await,
        Command::Peek(args) => audit::peek(&common, args, screen).await,
        Command::Metrics(args) => audit::metrics(&common, args, screen).await,
        Command::Setup(args) => servers::set_up(&common, args, screen).await,
        Command::Init(args) => init::init(&common, args, screen).await,
        Command::Servers(args) => servers::servers(&common, args, screen).await,
        Command::Doctor => servers::doctor(&common, screen).await,
        Command::Schema(args) => schema(args.name.as_deref(), screen),
        Command::Completions(args) => completions(args.shell, screen),
        Command::Manual(args) => manual(args.dir.as_deref(), screen),
        Command::Serve(args) => serve::serve(&common, args, screen).await,
        Command::Daemon(args) => daemon::daemon(args, screen, run_for).await,
        Command::SolidityServer => {
            crate::lsp::embedded::serve_solidity(tokio::io::stdin(), tokio::io::stdout()).await;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Prints clap's own message: help and version on stdout with 0, a misuse on stderr with 2.
fn misused(error: &clap::Error) -> ExitCode {
    let code = match error.kind() {
        ClapErrorKind::DisplayHelp | ClapErrorKind::DisplayVersion => 0,
        _ => 2,
    };
    // A reader that is gone has nothing more to be told.
    let _ = error.print();
    ExitCode::from(code)
}

/// Prints a script that the shell reads when it starts.
fn completions(shell: clap_complete::Shell, screen: &Screen) -> Result<ExitCode, ToolError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "lspwright", &mut script);
    screen.print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page in roff, or writes one for every command.
fn manual(dir: Option<&str>, screen: &Screen) -> Result<ExitCode, ToolError> {
    let failed =
        |error: io::Error| ToolError::new(ErrorKind::Environment, format!("the pages cannot be written: {error}"));
    let Some(dir) = dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(args::command()).render(&mut page).map_err(failed)?;
        return screen.print(&String::from_utf8_lossy(&page));
    };
    let dir = screen.path(dir)?;
    std::fs::create_dir_all(dir.as_path())
        .and_then(|()| clap_mangen::generate_to(args::command(), dir.as_path()))
        .map_err(failed)?;
    screen.remark(&format!("the pages are in `{dir}`: `man {dir}/lspwright.1`"));
    Ok(ExitCode::SUCCESS)
}

fn schema(name: Option<&str>, screen: &Screen) -> Result<ExitCode, ToolError> {
    let Some(name) = name else {
        let lines = crate::tools::schemas().into_iter().map(|named| format!("{:26} {}\n", named.name, named.about));
        return screen.print(&lines.collect::<String>());
    };
    let Some(schema) = crate::tools::schema(name) else {
        let names: Vec<String> = crate::tools::schemas().into_iter().map(|named| named.name).collect();
        let error = ToolError::invalid(format!("no schema is called `{name}`"));
        return Err(error.hint(format!("there are {}", names.join(", "))));
    };
    screen.print(&format!("{schema:#}\n"))
}
