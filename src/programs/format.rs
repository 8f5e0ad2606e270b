//! The formatter that a project has chosen for itself, where it is none of its language servers'.

use serde_json::Value;

use super::ground::{NotRun, ProgramTree, has};
use super::python::Python;
use crate::lsp::{Program, Ran};
use crate::syntax::{Family, Language};
use crate::text::AbsPath;
use crate::workspace::read_text;

/// What a formatter made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formatted {
    pub text: String,
    /// Who wrote it.
    pub by: String,
}

/// Files by which a project says that it formats with Prettier.
pub const PRETTIER: [&str; 14] = [
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.json5",
    ".prettierrc.yaml",
    ".prettierrc.yml",
    ".prettierrc.toml",
    ".prettierrc.js",
    ".prettierrc.cjs",
    ".prettierrc.mjs",
    ".prettierrc.ts",
    "prettier.config.js",
    "prettier.config.cjs",
    "prettier.config.mjs",
    "prettier.config.ts",
];
/// And those by which it says so of Biome.
pub const BIOME: [&str; 2] = ["biome.json", "biome.jsonc"];

/// Has the project's own formatter write a text; nothing where it names none for this language.
pub async fn formatted(ground: &ProgramTree<'_>, path: &AbsPath, text: &str) -> Result<Option<Formatted>, NotRun> {
    match Language::of_path(path) {
        Some(Language::Python) => of_python(ground, path, text).await,
        Some(language) if language.family() == Family::Script || language == Language::Solidity => {
            of_script(ground, path, text).await
        }
        _ => Ok(None),
    }
}

async fn of_python(ground: &ProgramTree<'_>, path: &AbsPath, text: &str) -> Result<Option<Formatted>, NotRun> {
    let settings = |dir: AbsPath| {
        let text = read_text(dir.as_path().join("pyproject.toml").as_path()).ok()?;
        text.parse::<toml::Table>().ok()?.get("tool")?.as_table().cloned()
    };
    let Some(tools) = ground.above(path).find_map(settings) else { return Ok(None) };
    if tools.contains_key("yapf") {
        return Err(NotRun::new("the project is formatted by yapf, which lspwright does not run", "run it in a shell"));
    }
    if !tools.contains_key("black") {
        return Ok(None);
    }
    let python = Python::of(ground, path)?;
    let words = ["-m", "black", "--quiet", "--stdin-filename", path.as_str(), "-"];
    let ran = ground.run(python.program(ground, &words).asked(text), &ground.root).await?;
    written("black", &ran, &format!("`{} -m pip install black`", python.program)).map(Some)
}

async fn of_script(ground: &ProgramTree<'_>, path: &AbsPath, text: &str) -> Result<Option<Formatted>, NotRun> {
    let names = |dir: &AbsPath, key: &str| {
        let package = read_text(dir.as_path().join("package.json").as_path()).unwrap_or_default();
        let package = serde_json::from_str::<Value>(&package).unwrap_or_default();
        package.pointer(key).is_some_and(|it| !it.is_null())
    };
    let names_prettier = |dir: &AbsPath| ["/prettier", "/devDependencies/prettier"].iter().any(|key| names(dir, key));
    let names_biome = |dir: &AbsPath| names(dir, "/devDependencies/@biomejs~1biome");
    let prettier = ground.above(path).any(|dir| PRETTIER.iter().any(|name| has(&dir, name)) || names_prettier(&dir));
    let biome = ground.above(path).any(|dir| BIOME.iter().any(|name| has(&dir, name)) || names_biome(&dir));
    let (name, words) = match (biome, prettier) {
        (true, _) => ("biome", vec!["format".to_owned(), format!("--stdin-file-path={path}")]),
        (false, true) => ("prettier", vec!["--stdin-filepath".to_owned(), path.to_string()]),
        (false, false) => return Ok(None),
    };
    let own = ground.above(path).map(|dir| dir.as_path().join("node_modules/.bin").join(name)).find(|it| it.exists());
    let own = own.ok_or_else(|| {
        NotRun::new(
            format!("the project is formatted by {name}, which is not installed"),
            "install what the project needs, such as by `npm install`",
        )
    })?;
    let words = std::iter::once(own.to_string_lossy().into_owned()).chain(words);
    let ran = ground.run(Program::new(words).asked(text), &ground.root).await?;
    written(name, &ran, "fix what it reports").map(Some)
}

fn written(name: &str, ran: &Ran, next: &str) -> Result<Formatted, NotRun> {
    let whole = ran.stdout.whole().ok().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
    match (ran.status, whole) {
        (Some(status), Some(text)) if status.success() => Ok(Formatted { text, by: name.to_owned() }),
        _ => Err(NotRun::new(format!("{name} did not format it: {}", ran.last_words(8)), next)),
    }
}
