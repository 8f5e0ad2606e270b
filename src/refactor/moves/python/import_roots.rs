//! Import roots that a project's settings name.

/// Tells whether a file by this name can name import roots.
pub(super) fn is_settings(name: &str) -> bool {
    matches!(name, "pyproject.toml" | "setup.cfg" | "setup.py" | "pytest.ini" | "tox.ini" | "pyrightconfig.json")
}

/// Returns the directories, relative to the settings file's own, that it names as import roots.
pub(super) fn roots(name: &str, text: &str) -> Vec<String> {
    match name {
        "pyproject.toml" => of_pyproject(text),
        "setup.cfg" | "pytest.ini" | "tox.ini" => of_ini(text),
        "pyrightconfig.json" => of_json(text),
        _ => Vec::new(),
    }
}

fn of_pyproject(text: &str) -> Vec<String> {
    let Ok(settings) = text.parse::<toml::Table>() else { return Vec::new() };
    let settings = toml::Value::Table(settings);
    let at = |path: &str| path.split('.').try_fold(&settings, |value, key| value.get(key));
    let mut roots = Vec::new();
    let lists = [
        "tool.setuptools.packages.find.where",
        "tool.pytest.ini_options.pythonpath",
        "tool.pyright.extraPaths",
        "tool.basedpyright.extraPaths",
        "tool.mypy.mypy_path",
        "tool.hatch.build.sources",
        "tool.ruff.src",
    ];
    for list in lists {
        roots.extend(at(list).into_iter().flat_map(strings));
    }
    if let Some(toml::Value::Table(directories)) = at("tool.setuptools.package-dir") {
        let top = directories.get("");
        roots.extend(top.and_then(toml::Value::as_str).map(str::to_owned));
    }
    let packages = at("tool.poetry.packages").and_then(toml::Value::as_array);
    let from = packages.into_iter().flatten().filter_map(|package| package.get("from")?.as_str());
    roots.extend(from.map(str::to_owned));
    roots
}

fn strings(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(one) => one.split([':', ',', ' ']).map(str::to_owned).collect(),
        toml::Value::Array(many) => many.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    }
}

/// Reads `pythonpath`, `mypy_path`, `where` and the unnamed entry of `package_dir`.
fn of_ini(text: &str) -> Vec<String> {
    let mut roots = Vec::new();
    let mut key = "";
    for line in text.lines() {
        let value = match line.split_once('=') {
            Some((name, value)) if !line.starts_with([' ', '\t']) => {
                key = name.trim();
                value
            }
            _ => line,
        };
        match key {
            "pythonpath" | "mypy_path" | "where" => roots.extend(value.split_whitespace().map(str::to_owned)),
            "package_dir" => roots.extend(value.trim().strip_prefix('=').map(|path| path.trim().to_owned())),
            _ => {}
        }
        if line.starts_with('[') {
            key = "";
        }
    }
    roots
}

fn of_json(text: &str) -> Vec<String> {
    let Ok(settings) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let paths = settings.get("extraPaths").and_then(serde_json::Value::as_array);
    paths.into_iter().flatten().filter_map(|path| path.as_str().map(str::to_owned)).collect()
}
