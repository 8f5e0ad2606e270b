//! The servers that lspwright knows: the compiled-in `servers.toml`, the user's, and the environment's word.

mod file;
mod refactorers;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use self::file::{Entry, File};
pub use self::refactorers::Refactorer;
use super::command_line;
use super::environment::Environment;
use super::routes::Routes;
use super::spec::{Feature, Install, Readiness, ServerName, ServerSpec, Trust};
use crate::text::{AbsPath, LineBreaks};
use crate::workspace::read_text;

/// The `servers.toml` that is compiled in.
pub const DEFAULT: &str = include_str!("../../servers.toml");

/// Where a project would keep a `servers.toml` of its own, relative to its root.
pub const PROJECT_FILE: &str = ".lspwright/servers.toml";

/// Where configuration comes from; the environment is data, so that nothing global is read.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources {
    /// The directory of the user's `servers.toml`: `$XDG_CONFIG_HOME/lspwright`.
    pub config_dir: Option<AbsPath>,
    /// The project whose own file is read, if the user trusts it.
    pub project: Option<AbsPath>,
    /// Whether what the project says may be executed, its own `servers.toml` first of all.
    pub trust: Trust,
    pub environment: Environment,
}

/// Every server and route, merged from all sources and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    servers: BTreeMap<ServerName, ServerSpec>,
    disabled: BTreeSet<ServerName>,
    routes: Routes,
    refactorers: BTreeMap<String, Refactorer>,
    notices: Vec<Notice>,
    /// The files that it is read from, whether they are there or not.
    files: Vec<AbsPath>,
    trust: Trust,
}

/// Something the user should know about the configuration; nothing failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The project has a file that could start programs, and it is not trusted.
    ProjectFileIgnored(AbsPath),
}

/// Why a configuration was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read `{file}`: {source}")]
    Unreadable { file: AbsPath, source: std::io::Error },
    #[error("`{file}`: {message}")]
    Syntax { file: String, message: String },
    #[error("`{file}`: `servers.{name}`: a server's name has lower-case letters, digits, `-` and `_` only")]
    BadName { file: String, name: String },
    #[error("`{file}`: `routes` of `{language}` names the server `{server}`, known are {known}")]
    UnknownServer { file: String, language: String, server: String, known: String },
    #[error("`servers.{server}` lacks `{key}`")]
    Incomplete { server: ServerName, key: &'static str },
    #[error("`servers.{server}.install`: `{package}` is not pinned to one version ({allowed})")]
    Unpinned { server: ServerName, package: String, allowed: &'static str },
    #[error("`{variable}` is `{value}`, allowed is {allowed}")]
    BadVariable { variable: String, value: String, allowed: &'static str },
    #[error("`{0}` in `LSPWRIGHT_CONFIG` is not an absolute path")]
    RelativeConfig(String),
}

/// One file to be laid over those before it.
struct Layer {
    file: String,
    text: String,
}

impl ConfigSources {
    /// Returns where the user's own file is.
    fn of_user(&self) -> Result<Option<AbsPath>, ConfigError> {
        match self.environment.get("LSPWRIGHT_CONFIG") {
            Some(path) => Ok(Some(AbsPath::new(path).map_err(|_| ConfigError::RelativeConfig(path.to_owned()))?)),
            None => Ok(self.config_dir.as_ref().and_then(|dir| dir.join("servers.toml").ok())),
        }
    }

    fn of_project(&self) -> Option<AbsPath> {
        self.project.as_ref().and_then(|root| root.join(PROJECT_FILE).ok())
    }
}

impl Config {
    /// Reads every source, later ones laid over earlier ones: the default, the user's file (or
    /// the one that `LSPWRIGHT_CONFIG` names), a trusted project's, the variables of single servers.
    pub fn load(sources: &ConfigSources) -> Result<Self, ConfigError> {
        let mut notices = Vec::new();
        let mut layers = vec![Layer { file: "servers.toml (built in)".to_owned(), text: DEFAULT.to_owned() }];
        layers.extend(user_layer(sources)?);
        if let Some(file) = sources.of_project() {
            if sources.trust == Trust::Project {
                layers.extend(read_layer(&file)?);
            } else if file.as_path().exists() {
                notices.push(Notice::ProjectFileIgnored(file));
            }
        }
        let mut config = Self::merge(&layers, &sources.environment, sources.trust)?;
        config.notices = notices;
        config.files = sources.of_user()?.into_iter().chain(sources.of_project()).collect();
        Ok(config)
    }

    /// Returns a server by name, disabled or not.
    pub fn server(&self, name: &ServerName) -> Option<&ServerSpec> {
        self.servers.get(name)
    }

    /// Returns every server, in the order of their names.
    pub fn servers(&self) -> impl Iterator<Item = &ServerSpec> {
        self.servers.values()
    }

    pub fn is_enabled(&self, name: &ServerName) -> bool {
        self.servers.contains_key(name) && !self.disabled.contains(name)
    }

    /// Returns who answers `feature` in a language (LSP id), the preferred server first; enabled ones only.
    pub fn route(&self, language: &str, feature: Feature) -> &[ServerName] {
        self.routes.get(language, feature)
    }

    /// Returns the LSP ids of the languages that an enabled server serves, in order.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.routes.languages()
    }

    /// Returns the LSP id for a file extension (without its dot), as the enabled servers have it.
    pub fn language_of(&self, extension: &str) -> Option<&str> {
        let enabled = self.servers.values().filter(|spec| !self.disabled.contains(&spec.name));
        enabled.filter_map(|spec| spec.extensions.get(extension)).map(String::as_str).next()
    }

    /// Returns the root markers of every enabled server of a language, the same one once.
    pub fn root_markers(&self, language: &str) -> BTreeSet<&str> {
        let serving = self.servers.values().filter(|spec| spec.languages.iter().any(|id| id == language));
        serving
            .filter(|spec| !self.disabled.contains(&spec.name))
            .flat_map(|spec| &spec.root_markers)
            .map(String::as_str)
            .collect()
    }

    /// Returns the programs that carry a refactoring out in a language (LSP id), by their names.
    pub fn refactorers(&self, refactoring: &str, language: &str) -> impl Iterator<Item = (&str, &Refactorer)> {
        let all = self.refactorers.iter().map(|(name, program)| (name.as_str(), program));
        all.filter(move |(_, program)| program.can(refactoring, language))
    }

    /// Tells whether the user has programs that carry refactorings out.
    pub fn has_refactorers(&self) -> bool {
        !self.refactorers.is_empty()
    }

    /// Returns the files that it was read from, those included that were not there.
    pub fn files(&self) -> &[AbsPath] {
        &self.files
    }

    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns whether the project that this was loaded for is trusted.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    fn merge(layers: &[Layer], environment: &Environment, trust: Trust) -> Result<Self, ConfigError> {
        let mut entries: BTreeMap<ServerName, Entry> = BTreeMap::new();
        let mut routes = Routes::default();
        let mut refactorers = BTreeMap::new();
        for layer in layers {
            let file: File = parse(layer)?;
            for (name, entry) in file.servers {
                entries.entry(server_name(&name, layer)?).or_default().lay(entry);
            }
            refactorers.extend(file.refactorers);
            for route in file.routes {
                lay_route(&mut routes, &route, &entries, layer)?;
            }
        }
        for (name, entry) in &mut entries {
            entry.hold_for(trust);
            lay_variables(name, entry, environment)?;
        }
        let disabled: BTreeSet<ServerName> =
            entries.iter().filter(|(_, entry)| entry.enabled == Some(false)).map(|(name, _)| name.clone()).collect();
        let servers = entries.into_iter().map(|(name, entry)| Ok((name.clone(), spec(name, entry)?)));
        let servers: BTreeMap<ServerName, ServerSpec> = servers.collect::<Result<_, ConfigError>>()?;
        routes.retain(|name| !disabled.contains(name));
        complete_routes(&mut routes, servers.values().filter(|spec| !disabled.contains(&spec.name)));
        Ok(Self { servers, disabled, routes, refactorers, notices: Vec::new(), files: Vec::new(), trust })
    }
}

fn user_layer(sources: &ConfigSources) -> Result<Option<Layer>, ConfigError> {
    let Some(file) = sources.of_user()? else { return Ok(None) };
    match read_layer(&file)? {
        // Who names a file means one that is there.
        None if sources.environment.get("LSPWRIGHT_CONFIG").is_some() => {
            Err(ConfigError::Unreadable { file, source: std::io::ErrorKind::NotFound.into() })
        }
        layer => Ok(layer),
    }
}

/// Reads a file that may be missing.
fn read_layer(file: &AbsPath) -> Result<Option<Layer>, ConfigError> {
    match read_text(file.as_path()) {
        Ok(text) => Ok(Some(Layer { file: file.to_string(), text })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ConfigError::Unreadable { file: file.clone(), source }),
    }
}

fn parse(layer: &Layer) -> Result<File, ConfigError> {
    let bad = |error: toml::de::Error| ConfigError::Syntax { file: layer.file.clone(), message: error.to_string() };
    toml::from_str(&layer.text).map_err(bad)
}

fn server_name(name: &str, layer: &Layer) -> Result<ServerName, ConfigError> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if name.is_empty() || !name.bytes().all(allowed) {
        return Err(ConfigError::BadName { file: layer.file.clone(), name: name.to_owned() });
    }
    Ok(ServerName::new(name))
}

fn lay_route(
    routes: &mut Routes,
    route: &file::Route,
    entries: &BTreeMap<ServerName, Entry>,
    layer: &Layer,
) -> Result<(), ConfigError> {
    for language in &route.languages {
        let known = |names: &[String]| known_servers(names, language, entries, layer);
        if let Some(servers) = &route.servers {
            routes.set_usual(language, known(servers)?);
        }
        for (feature, servers) in &route.features {
            routes.set(language, *feature, known(servers)?);
        }
    }
    Ok(())
}

fn known_servers(
    names: &[String],
    language: &str,
    entries: &BTreeMap<ServerName, Entry>,
    layer: &Layer,
) -> Result<Vec<ServerName>, ConfigError> {
    let check = |name: &String| {
        let server = ServerName::new(name.as_str());
        if entries.contains_key(&server) {
            return Ok(server);
        }
        let known: Vec<String> = entries.keys().map(|name| format!("`{name}`")).collect();
        Err(ConfigError::UnknownServer {
            file: layer.file.clone(),
            language: language.to_owned(),
            server: name.clone(),
            known: known.join(", "),
        })
    };
    names.iter().map(check).collect()
}

/// Lays `LSPWRIGHT_<SERVER>_COMMAND` and `LSPWRIGHT_<SERVER>_ENABLED` over an entry.
fn lay_variables(name: &ServerName, entry: &mut Entry, environment: &Environment) -> Result<(), ConfigError> {
    let variable = |what| format!("LSPWRIGHT_{}_{what}", name.as_str().to_ascii_uppercase().replace('-', "_"));
    let bad = |variable: String, value: &str, allowed| ConfigError::BadVariable {
        variable,
        value: value.to_owned(),
        allowed,
    };
    let command = variable("COMMAND");
    if let Some(line) = environment.get(&command) {
        let words = command_line::split(line).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| bad(command, line, "a program and its arguments, quotes in pairs"))?;
        entry.command = Some(words);
        entry.embedded = None;
    }
    let enabled = variable("ENABLED");
    if let Some(word) = environment.get(&enabled) {
        entry.enabled = Some(match word.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => true,
            "0" | "false" | "no" | "off" => false,
            _ => return Err(bad(enabled, word, "`true` or `false`")),
        });
    }
    Ok(())
}

fn spec(name: ServerName, entry: Entry) -> Result<ServerSpec, ConfigError> {
    let incomplete = |key| ConfigError::Incomplete { server: name.clone(), key };
    let command = entry.command.unwrap_or_default();
    if command.is_empty() && entry.embedded.is_none() {
        return Err(incomplete("command"));
    }
    let languages = entry.languages.ok_or_else(|| incomplete("languages"))?;
    if let Some((package, allowed)) = entry.install.as_ref().and_then(unpinned) {
        return Err(ConfigError::Unpinned { server: name, package, allowed });
    }
    let extensions = languages.iter().flat_map(|(id, known)| known.iter().map(|ext| (ext.clone(), id.clone())));
    Ok(ServerSpec {
        command,
        extensions: extensions.collect(),
        languages: languages.keys().cloned().collect(),
        root_markers: entry.root_markers.unwrap_or_default(),
        workspace: entry.workspace,
        install: entry.install,
        install_megabytes: entry.install_megabytes,
        versions: entry.versions,
        chosen: None,
        env: entry.env.unwrap_or_default(),
        initialization_options: entry.initialization_options.unwrap_or(Value::Null),
        settings: entry.settings.unwrap_or(Value::Null),
        readiness: entry.readiness.unwrap_or(Readiness::Immediate),
        quirks: entry.quirks.unwrap_or_default(),
        commands: entry.commands.unwrap_or_default(),
        checker: entry.checker,
        needs_trust: entry.needs_trust,
        without_trust: entry.without_trust,
        line_breaks: entry.line_breaks.map_or(LineBreaks::default(), LineBreaks::from),
        embedded: entry.embedded,
        timeouts: entry.timeouts.timeouts(),
        name,
    })
}

/// Returns the first package that names no exact version, and how it would.
fn unpinned(install: &Install) -> Option<(String, &'static str)> {
    let (packages, mark, allowed) = match install {
        Install::Npm(packages) => (packages, "@", "`name@1.2.3`"),
        Install::Pypi(packages) => (packages, "==", "`name==1.2.3`"),
        Install::Cargo(packages) => (packages, "@", "`name@1.2.3`"),
        Install::Rustup(_) | Install::Hint(_) => return None,
    };
    packages.iter().find(|package| pin(package, mark).is_none()).map(|package| (package.clone(), allowed))
}

/// Returns the version of a package that names an exact one.
pub(super) fn pin<'a>(package: &'a str, mark: &str) -> Option<&'a str> {
    let (name, version) = package.rsplit_once(mark)?;
    let exact = version.starts_with(|first: char| first.is_ascii_digit())
        && version.contains('.')
        && version.chars().all(|character| character.is_ascii_alphanumeric() || ".-+!".contains(character))
        && !version.split('.').any(|part| part.eq_ignore_ascii_case("x"));
    (exact && !name.is_empty()).then_some(version)
}

/// Gives every language without a route the enabled servers that serve it, in the order of their names.
fn complete_routes<'a>(routes: &mut Routes, enabled: impl Iterator<Item = &'a ServerSpec>) {
    let mut serving: BTreeMap<&str, Vec<ServerName>> = BTreeMap::new();
    for spec in enabled {
        for language in &spec.languages {
            serving.entry(language).or_default().push(spec.name.clone());
        }
    }
    for (language, servers) in serving {
        if !routes.has_usual(language) {
            routes.set_usual(language, servers);
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProjectFileIgnored(file) => {
                write!(f, "`{file}` can start programs and is ignored; `--trust-project` reads it")
            }
        }
    }
}
