//! `servers` and `doctor`.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Common, Output, Servers as Args, ServersCommand, SetUp};
use super::root;
use super::screen::Screen;
use super::work::{setup, working};
use crate::lsp::ServerName;
use crate::lsp::provision::{InstallStep, Progress};
use crate::syntax::Language;
use crate::tools::refactor::language;
use crate::tools::servers::{Diagnosis, LanguageState, ServerState, Servers, StartState, Verdict};
use crate::tools::{self, ErrorKind, Sink as _, ToolError, languages};

pub(super) async fn servers(common: &Common, args: Args, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let servers = Servers::of(&setup(common), &root::project(common, None)?)?;
    let listed = match args.command.unwrap_or(ServersCommand::List) {
        ServersCommand::List => servers.list().await,
        ServersCommand::Install { names } => servers.install(&names, Arc::new(Told(Arc::clone(screen)))).await?,
    };
    match screen.output {
        Some(Output::Json) => screen.print_json(&listed),
        _ => screen.print(&table(&listed)),
    }
}

/// Installs what the named languages need, or those of the project.
pub(super) async fn set_up(common: &Common, args: SetUp, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let root = root::project(common, None)?;
    let named = args.language.iter().map(|name| language(name)).collect::<Result<Vec<Language>, ToolError>>()?;
    let names = working(common, screen, async |context| {
        let project = context.project(root.as_str()).await?;
        let wanted = if named.is_empty() { languages(&project).await } else { named };
        tools::set_up(context, &project, &wanted).await
    })
    .await?;
    let mut listed = Servers::of(&setup(common), &root)?.list().await;
    listed.retain(|server| names.iter().any(|name| name.as_str() == server.name));
    match screen.output {
        Some(Output::Json) => screen.print_json(&listed),
        _ if listed.is_empty() => {
            let error = ToolError::invalid(format!("`{root}` has no language that a server is known for"));
            Err(error.hint("name one: `lspwright setup --language python`"))
        }
        _ => screen.print(&table(&listed)),
    }
}

pub(super) async fn doctor(common: &Common, screen: &Screen) -> Result<ExitCode, ToolError> {
    let diagnosis = Servers::of(&setup(common), &root::project(common, None)?)?.diagnose().await;
    match screen.output {
        Some(Output::Json) => screen.print_json(&diagnosis)?,
        _ => screen.print(&report(&diagnosis))?,
    };
    Ok(ExitCode::from(if diagnosis.verdict.missing.is_empty() { 0 } else { ErrorKind::ServerMissing.exit_code() }))
}

/// What installers tell, on the screen.
struct Told(Arc<Screen>);

impl Progress for Told {
    fn step(&self, server: &ServerName, step: InstallStep<'_>) {
        if let Some(line) = step.told(server) {
            self.0.note(&line);
        }
    }
}

fn table(servers: &[ServerState]) -> String {
    let line = |server: &ServerState| {
        let what = match (&server.program, &server.remedy) {
            (_, Some(remedy)) => remedy.clone(),
            (Some(program), None) => program.display().to_string(),
            (None, None) => String::new(),
        };
        let languages = server.languages.join(",");
        let chosen = server.chosen.iter().map(|chosen| format!("\n{:28} {chosen}", ""));
        let line = format!("{:28} {:13} {languages:50} {what}", server.name, server.state.as_str());
        line.trim_end().to_owned() + &chosen.collect::<String>() + "\n"
    };
    servers.iter().map(line).collect()
}

fn report(found: &Diagnosis) -> String {
    let mut report = format!("lspwright {}\n", found.version);
    for (name, value) in
        [("project", &found.project), ("cache", &found.cache), ("state", &found.state), ("config", &found.config)]
    {
        report += &format!("  {name:10} {value}\n");
    }
    let python = found.found.python.as_ref().map(|python| format!("python at {python}"));
    let typescript = found.found.typescript.as_ref().map(|version| format!("its own TypeScript {version}"));
    let stands: Vec<String> = found.found.markers.iter().cloned().chain(python).chain(typescript).collect();
    report += &format!(
        "  {:10} {}\n",
        "it has",
        if stands.is_empty() { "no project file".to_owned() } else { stands.join(", ") }
    );
    for notice in &found.notices {
        report += &format!("  note       {notice}\n");
    }
    report += "\nprograms\n";
    for tool in &found.tools {
        let words = [tool.version.as_deref(), tool.command.as_deref(), tool.remedy];
        let what: Vec<&str> = words.into_iter().flatten().collect();
        report += &format!("  {} {:10} {}\n", mark(tool.remedy.is_none()), tool.name, what.join("  "));
    }
    report += "\nservers\n";
    for server in &found.servers {
        let sound = matches!(server.state, StartState::Ready | StartState::OnFirstUse);
        report += &format!("  {} {}", mark(sound), table(std::slice::from_ref(server)));
    }
    report += "\nlanguages (who answers what)\n";
    for language in &found.languages {
        report += &format!("  {}\n", language.language);
        for (server, features) in answering(language) {
            report += &format!("    {server:28} {}\n", features.join(", "));
        }
    }
    report + "\n" + &verdict(&found.verdict) + "\n"
}

/// The last line: whether this project can be worked on.
fn verdict(verdict: &Verdict) -> String {
    match (verdict.ready.as_slice(), verdict.missing.as_slice()) {
        ([], []) => "verdict: the project has no language that a server is known for".to_owned(),
        (ready, []) => format!("verdict: ready for {}", ready.join(", ")),
        ([], missing) => format!("verdict: missing: {}", missing.join(", ")),
        (ready, missing) => format!("verdict: ready for {}; missing: {}", ready.join(", "), missing.join(", ")),
    }
}

/// Groups a language's features by who answers them.
fn answering(language: &LanguageState) -> BTreeMap<&str, Vec<&'static str>> {
    let mut answering: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (feature, server) in &language.features {
        answering.entry(server.as_deref().unwrap_or("nobody")).or_default().push(feature);
    }
    answering
}

fn mark(sound: bool) -> char {
    if sound { '+' } else { '-' }
}
