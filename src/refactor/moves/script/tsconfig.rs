//! What a `tsconfig.json` or `jsconfig.json` says about files and module names.

use super::glob;
use super::json::Json;
use crate::text::RelPath;

/// A project file with what it extends folded in. Paths are from the root of what is open.
#[derive(Debug, Clone, Default)]
pub(super) struct TsConfig {
    pub path: RelPath,
    pub base_url: Option<RelPath>,
    /// `paths`, in their order.
    pub paths: Vec<Mapping>,
    pub root_dirs: Vec<RelPath>,
    pub root_dir: Option<RelPath>,
    pub out_dir: Option<RelPath>,
    pub is_composite: bool,
    /// What the compiler writes.
    pub emitted: Emitted,
    pub takes_javascript: bool,
    /// Whether relative specifiers of modules must end in the compiled file's extension.
    pub needs_endings: bool,
    pub files: Option<Vec<RelPath>>,
    pub include: Option<Vec<RelPath>>,
    pub exclude: Option<Vec<RelPath>>,
    pub references: Vec<RelPath>,
}

/// What a compiler writes for its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Emitted {
    #[default]
    All,
    Declarations,
    Nothing,
}

/// One entry of `paths`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapping {
    pub key: String,
    /// Joined with the base that they are relative to; a `*` stays.
    pub targets: Vec<RelPath>,
}

impl TsConfig {
    /// Reads a project file over what it extends; `referenced` finds the file that an entry of `references` names.
    pub(super) fn read(
        json: &Json,
        path: &RelPath,
        base: Self,
        referenced: impl Fn(&str) -> Option<RelPath>,
    ) -> Option<Self> {
        let mut config = base;
        let dir = path.parent()?;
        config.path = path.clone();
        config.references =
            each(json.get("references"), |item| referenced(item.get("path")?.as_str()?)).unwrap_or_default();
        let options = json.get("compilerOptions");
        let option = |name: &str| options.and_then(|options| options.get(name));
        let place = |name: &str| option(name).and_then(Json::as_str).and_then(|value| in_config(&dir, value));
        let globs = |name: &str| each(json.get(name), |item| in_config(&dir, item.as_str()?));
        config.base_url = place("baseUrl").or(config.base_url);
        config.root_dir = place("rootDir").or(config.root_dir);
        config.out_dir = place("outDir").or(config.out_dir);
        config.root_dirs = each(option("rootDirs"), |item| in_config(&dir, item.as_str()?)).unwrap_or(config.root_dirs);
        config.files = globs("files").or(config.files);
        config.include = globs("include").or(config.include);
        config.exclude = globs("exclude").or(config.exclude);
        config.is_composite = option("composite").map_or(config.is_composite, Json::is_true);
        let is_set = |name: &str| option(name).map(Json::is_true);
        config.emitted = match (is_set("noEmit"), is_set("emitDeclarationOnly")) {
            (Some(true), _) => Emitted::Nothing,
            (_, Some(true)) => Emitted::Declarations,
            (None, None) => config.emitted,
            _ => Emitted::All,
        };
        let is_javascript = path.file_name().starts_with("jsconfig");
        config.takes_javascript =
            is_javascript || option("allowJs").or(option("checkJs")).map_or(config.takes_javascript, Json::is_true);
        let modules = option("moduleResolution").or(option("module")).and_then(Json::as_str);
        config.needs_endings = modules.map_or(config.needs_endings, |modules| {
            modules.to_lowercase().starts_with("node1") || modules.eq_ignore_ascii_case("nodenext")
        });
        if let Some(paths) = option("paths") {
            let base = config.base_url.clone().unwrap_or_else(|| dir.clone());
            config.paths = paths.entries().iter().map(|(key, value)| Mapping::read(&base, &key.name, value)).collect();
        }
        Some(config)
    }

    /// Lays another project over this one.
    pub(super) fn overlaid(self, other: &TsConfig) -> Self {
        Self {
            path: other.path.clone(),
            base_url: other.base_url.clone().or(self.base_url),
            paths: if other.paths.is_empty() { self.paths } else { other.paths.clone() },
            root_dirs: if other.root_dirs.is_empty() { self.root_dirs } else { other.root_dirs.clone() },
            root_dir: other.root_dir.clone().or(self.root_dir),
            out_dir: other.out_dir.clone().or(self.out_dir),
            emitted: if other.emitted == Emitted::All { self.emitted } else { other.emitted },
            is_composite: other.is_composite || self.is_composite,
            takes_javascript: other.takes_javascript || self.takes_javascript,
            needs_endings: other.needs_endings || self.needs_endings,
            files: other.files.clone().or(self.files),
            include: other.include.clone().or(self.include),
            exclude: other.exclude.clone().or(self.exclude),
            references: Vec::new(),
        }
    }

    pub(super) fn dir(&self) -> RelPath {
        self.path.parent().unwrap_or_else(RelPath::root)
    }

    /// Tells whether compilers are run on this file: not where it is only there to be extended.
    pub(super) fn is_asked(&self) -> bool {
        let is_default = matches!(self.path.file_name(), "tsconfig.json" | "jsconfig.json");
        is_default || self.include.is_some() || self.files.is_some()
    }

    /// Returns the directory that the project binds its sources to: `rootDir`, or its own where it is composite.
    pub(super) fn source_root(&self) -> Option<RelPath> {
        self.root_dir.clone().or_else(|| self.is_composite.then(|| self.dir()))
    }

    /// Tells whether the project lists or includes a file; what it only imports does not count.
    pub(super) fn covers(&self, file: &RelPath) -> bool {
        if self.files.iter().flatten().any(|listed| listed == file) {
            return true;
        }
        self.takes(file) && self.includes(file) && !self.excludes(file)
    }

    fn takes(&self, file: &RelPath) -> bool {
        let name = file.file_name();
        let typescript = [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| name.ends_with(ending));
        let javascript = [".js", ".jsx", ".mjs", ".cjs"].iter().any(|ending| name.ends_with(ending));
        let listed_json = || {
            let patterns = self.include.iter().flatten();
            name.ends_with(".json") && patterns.into_iter().any(|pattern| pattern.as_str().ends_with(".json"))
        };
        typescript || (javascript && self.takes_javascript) || listed_json()
    }

    fn includes(&self, file: &RelPath) -> bool {
        match &self.include {
            Some(patterns) => patterns.iter().any(|pattern| glob::includes(pattern.as_str(), file.as_str())),
            None => {
                self.files.is_none()
                    && self.dir().join("**/*").is_some_and(|all| glob::includes(all.as_str(), file.as_str()))
            }
        }
    }

    /// Tells whether the project leaves a file out whatever `include` says.
    pub(super) fn excludes(&self, file: &RelPath) -> bool {
        let out = self.out_dir.iter().any(|out| file.is_below(out) && *out != self.dir());
        match &self.exclude {
            Some(patterns) => patterns.iter().any(|pattern| glob::excludes(pattern.as_str(), file.as_str())),
            None => out || file.as_str().split('/').any(|part| part == "node_modules"),
        }
    }
}

impl Mapping {
    fn read(base: &RelPath, key: &str, value: &Json) -> Self {
        let targets = value.items().iter().filter_map(|item| in_config(base, item.as_str()?)).collect();
        Self { key: key.to_owned(), targets }
    }
}

/// Joins a path of a configuration with the directory that it is relative to.
fn in_config(dir: &RelPath, path: &str) -> Option<RelPath> {
    dir.join(path.strip_prefix("${configDir}/").unwrap_or(path))
}

fn each<T>(list: Option<&Json>, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    Some(list?.items().iter().filter_map(read).collect())
}
