//! How long the lines of a file may be: by the settings of the project's formatter or linter, else by the file itself.

use serde_json::Value;

use crate::programs::{BIOME, PRETTIER};
use crate::session::Session;
use crate::syntax::{Family, Language, Tree, indent_step};
use crate::text::AbsPath;

/// How lines are written.
pub(super) struct Limit {
    /// In characters.
    pub width: usize,
    /// What one level is indented by.
    pub step: String,
    pub commas: Commas,
    pub newline: &'static str,
    /// Whether the project has settings for it.
    pub is_said: bool,
}

/// Where a list of lines ends with a comma.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commas {
    All,
    /// Not where functions take something, or are called.
    Literals,
    None,
}

/// Widths that formatters keep to, and people.
const PYTHON: &[usize] = &[79, 88, 100, 120];
const SCRIPT: &[usize] = &[80, 100, 120];
/// The settings of oxfmt, whose lines are longer than Prettier's.
const OXFMT: [&str; 2] = [".oxfmtrc.json", ".oxfmtrc.jsonc"];
/// Of so many lines one may be longer: a string, or a pattern, that nobody can break.
const ONE_IN: usize = 30;

impl Limit {
    /// Reads how a file is written; nothing where its lines are as long as they happen to be.
    pub(super) fn of(session: &Session, path: &AbsPath, text: &str) -> Option<Self> {
        let language = Language::of_path(path)?;
        let root = session.root();
        let dirs =
            std::iter::successors(path.parent(), AbsPath::parent).take_while(|dir| dir == root || dir.is_below(root));
        let dirs: Vec<AbsPath> = dirs.collect();
        let is_python = language.family() == Family::Python;
        let said = dirs.iter().find_map(|dir| if is_python { of_python(dir) } else { of_script(dir) });
        let is_said = said.is_some();
        let (width, commas) = match said {
            Some((width, commas)) => (Some(width), commas),
            None => (dirs.iter().find_map(|dir| of_editor(dir, path.extension())), None),
        };
        let seen = || seen(text, is_python);
        let step = indent_step(&Tree::parse(language, text), text);
        let step = step.unwrap_or_else(|| if is_python { "    " } else { "  " }.to_owned());
        let shown = || match shown(text) {
            // Prettier, since 2.0, ends at least those of literals so.
            Commas::None if is_said => Commas::Literals,
            shown => shown,
        };
        let commas = if is_python { Commas::All } else { commas.unwrap_or_else(shown) };
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Some(Self { width: width.or_else(seen)?, step, commas, newline, is_said })
    }
}

/// Returns the width that nearly all lines of a text keep to, comments left aside.
fn seen(text: &str, is_python: bool) -> Option<usize> {
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with(['#', '*']) && !line.starts_with("//");
    let lines = text.lines().filter(|line| is_said(&line.trim_start()));
    let lengths: Vec<usize> = lines.map(|line| line.chars().count()).collect();
    let fits = |width: &usize| lengths.iter().filter(|length| *length > width).count() * ONE_IN <= lengths.len();
    let widths = if is_python { PYTHON } else { SCRIPT };
    widths.iter().copied().find(fits)
}

/// What a setting says: a width, and where commas end lists.
type Said = (usize, Option<Commas>);

fn read(dir: &AbsPath, name: &str) -> Option<String> {
    let path = dir.join(name).ok()?;
    crate::workspace::read_text(path.as_path()).ok()
}

fn of_python(dir: &AbsPath) -> Option<Said> {
    const RUFF: &[&str] = &["ruff.toml", ".ruff.toml"];
    let width = |table: &toml::Table| table.get("line-length")?.as_integer().and_then(|it| usize::try_from(it).ok());
    let ruff = RUFF.iter().find_map(|name| read(dir, name)?.parse::<toml::Table>().ok());
    let project = read(dir, "pyproject.toml").and_then(|text| text.parse::<toml::Table>().ok());
    let tools = project.as_ref().and_then(|it| it.get("tool")?.as_table());
    let tool = |name: &str| tools.and_then(|it| it.get(name)?.as_table());
    let tables: Vec<&toml::Table> = ruff.iter().chain(tool("ruff")).chain(tool("black")).collect();
    let plain = || {
        let hooks = read(dir, ".pre-commit-config.yaml").unwrap_or_default();
        let is_formatted = !tables.is_empty() || hooks.contains("id: black") || hooks.contains("id: ruff-format");
        is_formatted.then_some(88)
    };
    let linted = || {
        let settings = [".flake8", "setup.cfg", "tox.ini"].iter().filter_map(|name| read(dir, name));
        settings.filter(|text| text.contains("[flake8]")).find_map(|text| number(&text, "max-line-length"))
    };
    let said = tables.iter().find_map(|table| width(table)).or_else(plain).or_else(linted)?;
    Some((said, None))
}

fn of_script(dir: &AbsPath) -> Option<Said> {
    if let Some(text) = BIOME.iter().find_map(|name| read(dir, name)) {
        return Some((number(&text, "lineWidth").unwrap_or(80), comma(&text, "trailingCommas").or(Some(Commas::All))));
    }
    let package = read(dir, "package.json").and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let part = |pointer: &str| package.as_ref().and_then(|it| it.pointer(pointer)).filter(|it| !it.is_null());
    let own = part("/prettier").map(Value::to_string);
    if let Some(text) = PRETTIER.iter().find_map(|name| read(dir, name)).or(own) {
        let width = number(&text, "printWidth").or_else(|| of_editor(dir, "ts")).unwrap_or(80);
        return Some((width, comma(&text, "trailingComma")));
    }
    let settings = OXFMT.iter().find_map(|name| read(dir, name));
    if let Some(text) = settings.or_else(|| part("/devDependencies/oxfmt").map(|_| String::new())) {
        let width = number(&text, "printWidth").or_else(|| of_editor(dir, "ts")).unwrap_or(100);
        return Some((width, comma(&text, "trailingComma").or(Some(Commas::All))));
    }
    part("/devDependencies/prettier").map(|_| (of_editor(dir, "ts").unwrap_or(80), None))
}

/// Reads `max_line_length` of `.editorconfig`, for files of an ending.
fn of_editor(dir: &AbsPath, ending: &str) -> Option<usize> {
    let text = read(dir, ".editorconfig")?;
    let mut found = None;
    let mut is_meant = false;
    for line in text.lines().map(str::trim) {
        if let Some(glob) = line.strip_prefix('[') {
            is_meant =
                glob.starts_with("*]") || glob.contains(&format!(".{ending}")) || glob.contains(&format!("{ending},"));
        } else if is_meant && line.starts_with("max_line_length") {
            found = number(line, "max_line_length").or(found);
        }
    }
    found
}

/// Returns the number that is given for a key, in any form of settings.
fn number(text: &str, key: &str) -> Option<usize> {
    let digits = given(text, key)?;
    digits[..digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len())].parse().ok()
}

fn comma(text: &str, key: &str) -> Option<Commas> {
    let said = given(text, key)?;
    match () {
        () if said.starts_with("all") => Some(Commas::All),
        () if said.starts_with("es5") => Some(Commas::Literals),
        () if said.starts_with("none") => Some(Commas::None),
        () => None,
    }
}

fn given<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['#', '/', ';']));
    let rest = lines.filter_map(|line| line.split_once(key)).map(|(_, rest)| rest).next()?;
    Some(rest.trim_start_matches(['"', '\'', ':', '=', ' ', '\t']))
}

/// Tells by a script where it ends its lists with commas.
fn shown(text: &str) -> Commas {
    let ends = |mark: &str| {
        text.lines()
            .zip(text.lines().skip(1))
            .any(|(one, next)| one.ends_with(',') && next.trim_start().starts_with(mark))
    };
    match (ends(")"), ends("}") || ends("]")) {
        (true, _) => Commas::All,
        (false, true) => Commas::Literals,
        (false, false) => Commas::None,
    }
}

/// Returns how long a line is, in characters.
pub(super) fn width(line: &str) -> usize {
    line.trim_end_matches(['\r', '\n']).chars().count()
}
