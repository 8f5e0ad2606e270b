//! The placeholders of an entry: which it uses, and what comes in their place.

use std::collections::BTreeMap;

use serde_json::Value;

use super::host::{Host, ProvisionError};
use super::store;
use super::tools::{Tool, find_tool};
use crate::lsp::pyright_config;
use crate::lsp::spec::{ServerName, ServerSpec};
use crate::text::AbsPath;
use crate::workspace::installed_memory;

/// What each placeholder stands for; a tool that is not there is an error only where it is used.
pub(super) struct Values {
    known: BTreeMap<&'static str, Result<String, Tool>>,
}

/// In megabytes, where the machine does not say.
const COMMON_MEMORY: u64 = 8_192;
const SUFFIX: &str = if cfg!(windows) { ".exe" } else { "" };

impl Values {
    pub(super) fn new(spec: &ServerSpec, host: &Host<'_>) -> Self {
        let tool = |tool| find_tool(tool, host.environment).and_then(|mut words| words.pop()).ok_or(tool);
        let python = tool(Tool::Python);
        let project_python = pyright_config::interpreter(&host.python());
        let known = [
            ("install", Ok(store::installed_at(spec, host.dirs).map(|dir| dir.to_string()).unwrap_or_default())),
            ("package", Ok(String::new())),
            ("node", tool(Tool::Node)),
            ("python", python),
            ("exe", Ok(SUFFIX.to_owned())),
            ("half-memory", Ok((installed_memory().unwrap_or(COMMON_MEMORY) / 2).to_string())),
            ("root", Ok(host.root.to_string())),
            ("cache", Ok(host.dirs.cache.to_string())),
            ("project-python", Ok(project_python.map(|python| python.to_string()).unwrap_or_default())),
            ("pyright-workspace", Ok(String::new())),
            ("basedpyright-config", Ok(String::new())),
            ("tsserver-plugin", Ok(String::new())),
        ];
        Self { known: known.into_iter().collect() }
    }

    pub(super) fn set(&mut self, placeholder: &'static str, value: impl ToString) {
        self.known.insert(placeholder, Ok(value.to_string()));
    }

    /// Fills in command, variables, options and settings.
    pub(super) fn fill(&self, spec: &ServerSpec) -> Result<ServerSpec, ProvisionError> {
        let mut filled = spec.clone();
        let checker = filled.checker.iter_mut().flat_map(|checker| checker.command.iter_mut());
        let words = filled.command.iter_mut().chain(filled.env.values_mut()).chain(&mut filled.workspace);
        for word in words.chain(checker) {
            *word = self.fill_word(&spec.name, word)?;
        }
        for value in [&mut filled.initialization_options, &mut filled.settings] {
            self.fill_value(&spec.name, value)?;
        }
        Ok(filled)
    }

    pub(super) fn fill_word(&self, server: &ServerName, word: &str) -> Result<String, ProvisionError> {
        let mut filled = String::with_capacity(word.len());
        let mut rest = word;
        while let Some((before, name, after)) = next_placeholder(rest) {
            filled.push_str(before);
            filled.push_str(self.value(server, name)?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn fill_value(&self, server: &ServerName, value: &mut Value) -> Result<(), ProvisionError> {
        match value {
            Value::String(word) => *word = self.fill_word(server, word)?,
            Value::Array(values) => values.iter_mut().try_for_each(|value| self.fill_value(server, value))?,
            Value::Object(values) => values.values_mut().try_for_each(|value| self.fill_value(server, value))?,
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        Ok(())
    }

    fn value(&self, server: &ServerName, placeholder: &str) -> Result<&str, ProvisionError> {
        match self.known.get(placeholder) {
            Some(Ok(value)) => Ok(value),
            Some(Err(tool)) => Err(ProvisionError::ToolMissing { server: server.clone(), tool: *tool }),
            None => {
                let allowed: Vec<String> = self.known.keys().map(|name| format!("`{{{name}}}`")).collect();
                Err(ProvisionError::Placeholder {
                    server: server.clone(),
                    placeholder: placeholder.to_owned(),
                    allowed: allowed.join(", "),
                })
            }
        }
    }
}

/// Returns the directory of the package whose version the project chose: among what is installed, or the project's own.
pub(super) fn package(spec: &ServerSpec, install: &AbsPath) -> String {
    let Some(chosen) = &spec.chosen else { return String::new() };
    chosen.own.as_ref().map_or_else(|| format!("{install}/node_modules/{}", chosen.package), ToString::to_string)
}

/// Tells whether an entry uses a placeholder anywhere.
pub(super) fn uses(spec: &ServerSpec, placeholder: &str) -> bool {
    let mark = format!("{{{placeholder}}}");
    let checker = spec.checker.iter().flat_map(|checker| &checker.command);
    let mut words = spec.command.iter().chain(spec.env.values()).chain(&spec.workspace).chain(checker);
    words.any(|word| word.contains(&mark))
        || [&spec.initialization_options, &spec.settings].iter().any(|value| mentions(value, &mark))
}

fn mentions(value: &Value, mark: &str) -> bool {
    match value {
        Value::String(word) => word.contains(mark),
        Value::Array(values) => values.iter().any(|value| mentions(value, mark)),
        Value::Object(values) => values.values().any(|value| mentions(value, mark)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Splits at the first `{name}` whose name is made of lower-case letters and `-`; other braces are text.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|at| from + at) {
        let inner = &text[open + 1..];
        if let Some(close) = inner.find('}') {
            let name = &inner[..close];
            if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
                return Some((&text[..open], name, &inner[close + 1..]));
            }
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{next_placeholder, uses};
    use crate::lsp::provision::Silent;
    use crate::lsp::provision::host::{Host, InstallPolicy};
    use crate::lsp::spec::ServerSpec;
    use crate::lsp::{Config, ConfigSources, Environment, Guard, Trust};
    use crate::text::AbsPath;
    use crate::workspace::Dirs;

    #[test]
    fn every_placeholder_of_the_default_is_known_and_filled_in() {
        let config = Config::load(&ConfigSources::default()).unwrap();
        let base = tempfile::tempdir().unwrap();
        let root = AbsPath::new(base.path()).unwrap();
        let dirs = Dirs::below(&root).unwrap();
        let environment = Environment::of_process();
        let policy = InstallPolicy::Never;
        let (trust, guard) = (Trust::Nothing, Guard::none());
        let (dirs, environment) = (&dirs, &environment);
        let host =
            Host { dirs, environment, root: &root, trust, policy, progress: &Silent, guard: &guard, patience: None };
        for spec in config.servers() {
            let filled = super::Values::new(spec, &host).fill(spec).unwrap();
            let left = format!("{filled:?}");
            let generated = ["pyright-workspace", "basedpyright-config", "tsserver-plugin"];
            for name in ["install", "node", "python", "exe", "root"].into_iter().chain(generated) {
                assert!(!uses(&filled, name), "`{name}` is left in {left}");
            }
        }
        let mut spec = ServerSpec::named("odd");
        spec.workspace = Some("{root}/x".to_owned());
        assert!(uses(&spec, "root"));
        let filled = super::Values::new(&spec, &host).fill(&spec).unwrap();
        assert_eq!(filled.workspace, Some(format!("{root}/x")));
    }

    #[test]
    fn only_braces_around_a_name_are_placeholders() {
        assert_eq!(next_placeholder("a{node}b"), Some(("a", "node", "b")));
        assert_eq!(next_placeholder("**/*.{ts,js} {root}"), Some(("**/*.{ts,js} ", "root", "")));
        assert_eq!(next_placeholder("{} {A} {"), None);
        assert_eq!(next_placeholder("{{install}"), Some(("{", "install", "")));
    }
}
