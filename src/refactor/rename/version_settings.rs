//! Where a project's own version is read from a module by the name of a variable: `[tool.hatch.version] path = "shop/about.py"`.
//!
//! Hatch, PDM and Flit look for that name themselves, so no setting says it.

use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::python::packed_by_name;
use crate::session::Session;
use crate::text::AbsPath;

/// The names that are looked for (Hatch's documentation; PDM and Flit look for the first).
const NAMES: [&str; 3] = ["__version__", "__VERSION__", "VERSION"];
/// What says that Flit reads the version.
const FLIT: &str = "flit_core";

/// Tells of settings by which the version is read from a module in which such a name is renamed.
pub(super) fn told(session: &Session, name: &str, gathered: &Gathered) -> Result<Vec<Warning>, Refusal> {
    if !NAMES.iter().any(|it| it.eq_ignore_ascii_case(name)) {
        return Ok(Vec::new());
    }
    let disk = session.disk();
    let mut warnings = Vec::new();
    for settings in disk.files_mentioning("version").into_iter().filter(|path| path.file_name() == "pyproject.toml") {
        let text = disk.read(&settings)?;
        let Some(table) = text.as_str().parse::<toml::Table>().ok() else { continue };
        let read = read_files(&toml::Value::Table(table), &settings);
        for path in gathered.paths().filter(|path| read.contains(path)) {
            let is_declared = session.parsed(path)?.is_some_and(|parsed| {
                let own = parsed.declarations().iter().filter(|one| one.path.len() == 1);
                own.into_iter().any(|one| gathered.has(path, one.name_span))
            });
            if is_declared {
                let shown = path.relative_to(session.root()).map_or_else(|| path.to_string(), |it| it.to_string());
                let message =
                    format!("the version of the project is read from `{name}` in `{shown}`, by that very name");
                warnings.push(Warning::at(WarningKind::RunTime, message, settings.clone(), None));
            }
        }
    }
    Ok(warnings)
}

/// Returns the modules that the settings say, or imply, that the version is read from.
fn read_files(settings: &toml::Value, file: &AbsPath) -> Vec<AbsPath> {
    let at = |path: &str| path.split('.').try_fold(settings, |value, key| value.get(key));
    let said = |path: &str| at(path).and_then(toml::Value::as_str);
    let has_own_pattern = at("tool.hatch.version.pattern").is_some();
    let mut named: Vec<String> = Vec::new();
    named.extend(said("tool.hatch.version.path").filter(|_| !has_own_pattern).map(str::to_owned));
    named.extend(said("tool.pdm.version.path").map(str::to_owned));
    let dynamic = at("project.dynamic").and_then(toml::Value::as_array);
    let is_dynamic = dynamic.is_some_and(|all| all.iter().any(|it| it.as_str() == Some("version")));
    let is_flit = said("build-system.build-backend").is_some_and(|it| it.starts_with(FLIT));
    let module = said("tool.flit.module.name").or_else(|| said("project.name"));
    if let Some(module) = module.filter(|_| is_flit && is_dynamic) {
        named.extend(packed_by_name::files_of(&module.replace('-', "_").replace('.', "/")));
    }
    let dir = file.parent();
    named.iter().filter_map(|path| dir.as_ref()?.join(path.strip_prefix("./").unwrap_or(path)).ok()).collect()
}
