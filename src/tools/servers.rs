//! Which language servers there are, which are missing, who answers what, and how to mend it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::error::ToolError;
use super::setup::{Setup, Trust};
use super::survey::ranked;
use crate::lsp::provision::{
    Host, Progress, Silent, Tool, find_tool, install_command, installed_at, locate, permitted, provision, settled,
};
use crate::lsp::pyright_config::PythonProject;
use crate::lsp::report::{self, ProjectReport};
use crate::lsp::{Chosen, Config, Feature, Install, InstallPolicy, ServerName, ServerSpec};
use crate::text::AbsPath;
use crate::workspace::{Dirs, project_files};

/// One server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerState {
    pub name: String,
    pub state: StartState,
    pub languages: Vec<String>,
    /// Where it is: the directory of its installation, or the program.
    pub program: Option<PathBuf>,
    /// What to do where it is not.
    pub remedy: Option<String>,
    /// The version of a package that this project chose for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
}

/// Whether a server could be started now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StartState {
    Ready,
    /// It is installed when it is first needed.
    OnFirstUse,
    Missing,
    Disabled,
}

impl StartState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::OnFirstUse => "on first use",
            Self::Missing => "missing",
            Self::Disabled => "disabled",
        }
    }
}

/// Who answers for one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LanguageState {
    pub language: String,
    /// Per feature the server that is asked: the first one of the route that is not missing.
    pub features: BTreeMap<&'static str, Option<String>>,
}

/// One program that servers or their installers need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolState {
    pub name: &'static str,
    pub command: Option<String>,
    pub version: Option<String>,
    /// What to do where it is missing or too old.
    pub remedy: Option<&'static str>,
}

/// Everything that can be told about this machine and a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    pub version: &'static str,
    pub project: String,
    /// What stands in the project's root.
    pub found: ProjectReport,
    pub cache: String,
    pub state: String,
    pub config: String,
    pub notices: Vec<String>,
    pub tools: Vec<ToolState>,
    /// Those of the project's languages; all where it has none that is known.
    pub servers: Vec<ServerState>,
    pub languages: Vec<LanguageState>,
    pub verdict: Verdict,
}

/// Whether this project can be worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Languages of the project with the servers that rename in them, or will once they are fetched.
    pub ready: Vec<String>,
    /// Languages of the project for which there is none, with what to do.
    pub missing: Vec<String>,
}

/// A project's configuration on this machine. Nothing is started or installed by looking.
pub struct Servers {
    config: Config,
    dirs: Dirs,
    setup: Setup,
    project: AbsPath,
}

impl Servers {
    /// Reads the configuration that holds for the project at `project`.
    pub fn of(setup: &Setup, project: &AbsPath) -> Result<Self, ToolError> {
        let (config, dirs) = (setup.config(project)?, setup.dirs()?);
        let mut setup = setup.clone();
        if setup.trust == Trust::Nothing {
            setup.environment = Arc::new(setup.environment.away_from(project));
        }
        Ok(Self { config, dirs, setup, project: project.clone() })
    }

    /// Lists every server.
    pub async fn list(&self) -> Vec<ServerState> {
        let mut states = Vec::new();
        for spec in self.config.servers() {
            states.push(self.state(spec).await);
        }
        states
    }

    /// Installs servers by name.
    pub async fn install(&self, names: &[String], progress: Arc<dyn Progress>) -> Result<Vec<ServerState>, ToolError> {
        let mut installed = Vec::new();
        for name in names {
            let spec = self.named(name)?;
            provision(spec, &self.host(&*progress)).await?;
            installed.push(self.state(spec).await);
        }
        Ok(installed)
    }

    /// Looks at everything.
    pub async fn diagnose(&self) -> Diagnosis {
        let all = self.list().await;
        let here = self.languages_here();
        let is_here = |id: &str| here.is_empty() || here.iter().any(|language| language == id);
        let languages = self.config.languages().filter(|id| is_here(id)).map(|id| self.language(id, &all));
        let languages: Vec<LanguageState> = languages.collect();
        let verdict = verdict(&here, &languages, &all);
        let mut servers = all;
        servers.retain(|server| server.languages.iter().any(|language| is_here(language)));
        let mut tools = Vec::new();
        for tool in Tool::ALL {
            tools.push(self.tool(tool).await);
        }
        Diagnosis {
            version: env!("CARGO_PKG_VERSION"),
            project: self.project.to_string(),
            found: report::project(&self.python(), &self.config),
            cache: self.dirs.cache.to_string(),
            state: self.dirs.state.path().to_string(),
            config: self.dirs.config.to_string(),
            notices: self.notices(),
            tools,
            languages,
            servers,
            verdict,
        }
    }

    /// The languages that the project is written in and that a server is known for, by their LSP ids.
    fn languages_here(&self) -> Vec<String> {
        let files = project_files(&self.project).unwrap_or_default();
        let here = ranked(&files).into_iter().map(|language| language.id().to_owned());
        here.filter(|id| self.config.languages().any(|known| known == id)).collect()
    }

    /// What the user should know: of the configuration, and of servers for this project that lack its trust.
    fn notices(&self) -> Vec<String> {
        let of_config = self.config.notices().iter().map(ToString::to_string);
        let is_there = |spec: &&ServerSpec| {
            let mut markers = spec.root_markers.iter();
            self.config.is_enabled(&spec.name) && markers.any(|name| self.project.as_path().join(name).exists())
        };
        let of_servers = self.config.servers().filter(is_there).filter_map(|spec| {
            let lack = match permitted(spec, &self.project) {
                Err(refusal) => refusal.to_string(),
                Ok(()) => format!("{}: {}", spec.name, spec.without_trust.as_ref()?),
            };
            Some(format!("{lack}; `--trust-project` allows it"))
        });
        of_config.chain(of_servers).collect()
    }

    fn named(&self, name: &str) -> Result<&ServerSpec, ToolError> {
        self.config.server(&ServerName::new(name)).ok_or_else(|| {
            let known: Vec<&str> = self.config.servers().map(|spec| spec.name.as_str()).collect();
            ToolError::invalid(format!("no server is called `{name}`")).hint(format!("there are {}", known.join(", ")))
        })
    }

    fn python(&self) -> PythonProject<'_> {
        let (root, environment, trust) = (&self.project, &*self.setup.environment, self.setup.trust);
        PythonProject { root, cache: &self.dirs.cache, environment, trust }
    }

    fn host<'a>(&'a self, progress: &'a dyn Progress) -> Host<'a> {
        Host {
            dirs: &self.dirs,
            environment: &self.setup.environment,
            root: &self.project,
            trust: self.setup.trust,
            policy: self.setup.install,
            progress,
            guard: &self.setup.guard,
            patience: None,
        }
    }

    async fn state(&self, spec: &ServerSpec) -> ServerState {
        let spec = &settled(spec, &self.project, self.setup.trust);
        let program = locate(spec, &self.host(&Silent)).await;
        let state = if !self.config.is_enabled(&spec.name) {
            StartState::Disabled
        } else if program.is_some() || spec.embedded.is_some() {
            StartState::Ready
        } else if self.can_install(spec) {
            StartState::OnFirstUse
        } else {
            StartState::Missing
        };
        let remedy = matches!(state, StartState::Missing | StartState::OnFirstUse).then(|| self.remedy(spec));
        let program = installed_at(spec, &self.dirs).map(|dir| dir.as_path().to_owned()).or(program);
        ServerState {
            name: spec.name.to_string(),
            state,
            languages: spec.languages.clone(),
            program,
            remedy,
            chosen: spec.chosen.clone(),
        }
    }

    fn can_install(&self, spec: &ServerSpec) -> bool {
        install_command(spec).is_some()
            && self.setup.install == InstallPolicy::OnFirstUse
            && self.lacking(spec).is_none()
    }

    fn lacking(&self, spec: &ServerSpec) -> Option<Tool> {
        needed(spec).into_iter().find(|tool| find_tool(*tool, &self.setup.environment).is_none())
    }

    fn remedy(&self, spec: &ServerSpec) -> String {
        if let Some(tool) = self.lacking(spec) {
            return tool.hint().to_owned();
        }
        match (install_command(spec), &spec.install) {
            (Some(command), _) => format!("lspwright servers install {} ({command})", spec.name),
            (None, Some(Install::Hint(hint))) => hint.clone(),
            _ => format!("put `{}` on PATH", spec.command.first().map(String::as_str).unwrap_or_default()),
        }
    }

    fn language(&self, language: &str, servers: &[ServerState]) -> LanguageState {
        let usable = |name: &&ServerName| {
            let mut named = servers.iter().filter(|server| server.name == name.as_str());
            named.any(|server| matches!(server.state, StartState::Ready | StartState::OnFirstUse))
        };
        let who = |feature| self.config.route(language, feature).iter().find(usable).map(ToString::to_string);
        let features = Feature::ALL.into_iter().map(|feature| (feature.as_str(), who(feature))).collect();
        LanguageState { language: language.to_owned(), features }
    }

    async fn tool(&self, tool: Tool) -> ToolState {
        let found = report::tool(tool, &self.setup.environment, &self.setup.guard).await;
        let remedy = (found.command.is_none() || found.is_too_old).then(|| tool.hint());
        let command = found.command.map(|words| words.join(" "));
        ToolState { name: tool.name(), command, version: found.version, remedy }
    }
}

fn verdict(here: &[String], languages: &[LanguageState], servers: &[ServerState]) -> Verdict {
    let mut verdict = Verdict { ready: Vec::new(), missing: Vec::new() };
    for state in languages.iter().filter(|state| here.contains(&state.language)) {
        let language = &state.language;
        match state.features.get(Feature::Rename.as_str()).and_then(Option::as_ref) {
            Some(server) => verdict.ready.push(format!("{language} ({server})")),
            None => {
                let mut known = servers.iter().filter(|server| server.languages.contains(language));
                let remedy = known.find_map(|server| server.remedy.as_deref()).unwrap_or("enable a server for it");
                verdict.missing.push(format!("{language} ({remedy})"));
            }
        }
    }
    verdict
}

/// Returns the programs that an installation needs, and what is installed needs to run.
fn needed(spec: &ServerSpec) -> Vec<Tool> {
    let installer = match &spec.install {
        Some(Install::Npm(_)) => vec![Tool::Npm],
        Some(Install::Pypi(_)) => vec![Tool::Pip],
        Some(Install::Cargo(_)) => vec![Tool::Cargo],
        Some(Install::Rustup(_)) => vec![Tool::Rustup],
        Some(Install::Hint(_)) | None => Vec::new(),
    };
    let uses = |placeholder: &str| spec.command.iter().any(|word| word.contains(placeholder));
    let runtimes = [("{node}", Tool::Node), ("{python}", Tool::Python)].into_iter();
    installer.into_iter().chain(runtimes.filter(|(placeholder, _)| uses(placeholder)).map(|(_, tool)| tool)).collect()
}
