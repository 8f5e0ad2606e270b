//! `servers` and `doctor`.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Common, Output, Servers as Args, ServersCommand};
use super::plans::setup;
use super::root;
use super::screen::Screen;
use crate::lsp::ServerName;
use crate::lsp::provision::{Progress, Step};
use crate::tools::servers::{Diagnosis, LanguageState, ServerState, Servers, State};
use crate::tools::{Sink as _, ToolError};

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

pub(super) async fn doctor(common: &Common, screen: &Screen) -> Result<ExitCode, ToolError> {
    let diagnosis = Servers::of(&setup(common), &root::project(common, None)?)?.diagnose().await;
    match screen.output {
        Some(Output::Json) => screen.print_json(&diagnosis),
        _ => screen.print(&report(&diagnosis)),
    }
}

/// What installers tell, on the screen.
struct Told(Arc<Screen>);

impl Progress for Told {
    fn step(&self, server: &ServerName, step: Step<'_>) {
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
        let sound = matches!(server.state, State::Ready | State::OnFirstUse);
        report += &format!("  {} {}", mark(sound), table(std::slice::from_ref(server)));
    }
    report += "\nlanguages (who answers what)\n";
    for language in &found.languages {
        report += &format!("  {}\n", language.language);
        for (server, features) in answering(language) {
            report += &format!("    {server:28} {}\n", features.join(", "));
        }
    }
    report
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
