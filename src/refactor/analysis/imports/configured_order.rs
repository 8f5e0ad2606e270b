//! How the settings of a Python project want the names of an import sorted: those of ruff's rules `I`, and of isort.

use std::iter::successors;

use crate::refactor::source_file::Code;
use crate::text::AbsPath;

/// What the settings say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SortedNames {
    /// Constants, classes, the rest.
    ByType,
    Plainly,
}

/// Profiles of isort that do not look at what names are.
const PLAIN_PROFILES: &[&str] = &["google"];

/// Reads the settings that are nearest to a file, up to the root of its project.
pub(super) fn configured(code: &Code) -> Option<SortedNames> {
    let depth = code.shown.split('/').count();
    successors(code.path.parent(), AbsPath::parent).take(depth).find_map(|dir| of_dir(&dir))
}

fn of_dir(dir: &AbsPath) -> Option<SortedNames> {
    let own = ["ruff.toml", ".ruff.toml"].iter().find_map(|name| read(dir, name)?.parse::<toml::Table>().ok());
    let project = read(dir, "pyproject.toml").and_then(|text| text.parse::<toml::Table>().ok());
    let tool = |name: &str| project.as_ref()?.get("tool")?.get(name)?.as_table();
    let of_ruff = || own.as_ref().or_else(|| tool("ruff")).and_then(ruff);
    let of_isort = || {
        let table = tool("isort")?;
        let profile = table.get("profile").and_then(toml::Value::as_str).unwrap_or_default();
        let is_plain = table.get("order_by_type").and_then(toml::Value::as_bool) == Some(false);
        Some(if is_plain || PLAIN_PROFILES.contains(&profile) { SortedNames::Plainly } else { SortedNames::ByType })
    };
    of_ruff().or_else(of_isort).or_else(|| of_sections(dir))
}

/// Reads the settings of ruff, if these sort imports.
fn ruff(table: &toml::Table) -> Option<SortedNames> {
    let lint = table.get("lint").and_then(toml::Value::as_table);
    let tables = [Some(table), lint].into_iter().flatten();
    let lists = tables.clone().flat_map(|it| [it.get("select"), it.get("extend-select")]).flatten();
    let mut rules = lists.filter_map(toml::Value::as_array).flatten().filter_map(toml::Value::as_str);
    let is_sorting =
        |rule: &str| rule == "ALL" || rule.strip_prefix('I').is_some_and(|it| it.chars().all(|it| it.is_ascii_digit()));
    let is_plain = |it: &toml::Table| it.get("isort")?.get("order-by-type")?.as_bool().map(|it| !it);
    let sorted = if tables.filter_map(is_plain).any(|it| it) { SortedNames::Plainly } else { SortedNames::ByType };
    rules.any(is_sorting).then_some(sorted)
}

/// Reads the settings of isort that stand in files of sections, and whether a hook runs it.
fn of_sections(dir: &AbsPath) -> Option<SortedNames> {
    let own = read(dir, ".isort.cfg").or_else(|| {
        let mut files = ["setup.cfg", "tox.ini"].iter().filter_map(|name| read(dir, name));
        files.find(|text| text.contains("[isort]") || text.contains("[tool:isort]"))
    });
    let hooked =
        || read(dir, ".pre-commit-config.yaml").filter(|text| text.contains("id: isort")).map(|_| String::new());
    let text = own.or_else(hooked)?;
    let squeezed: String = text.to_lowercase().chars().filter(|it| !matches!(it, ' ' | '\t')).collect();
    let is_plain = |line: &str| {
        line == "order_by_type=false"
            || PLAIN_PROFILES.iter().any(|profile| line.strip_prefix("profile=") == Some(*profile))
    };
    Some(if squeezed.lines().any(is_plain) { SortedNames::Plainly } else { SortedNames::ByType })
}

fn read(dir: &AbsPath, name: &str) -> Option<String> {
    crate::workspace::read_text(dir.join(name).ok()?.as_path()).ok()
}
