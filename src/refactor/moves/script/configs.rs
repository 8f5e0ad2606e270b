//! The edits that project files and packages need: paths that name what moves.

use std::collections::BTreeMap;

use super::imports::Obstacle;
use super::json::{Json, Key, Value, quoted};
use super::listing::Moved;
use super::paths::{Base, Follows, follow_source, rewritten};
use super::project_files::World;
use crate::plan::{Warning, WarningKind};
use crate::text::{RelPath, Span, TextEdit, TextEdits};

/// Edits per configuration file, by its path before the move.
pub(super) type ConfigEdits = BTreeMap<RelPath, Vec<TextEdit>>;

/// What configurations have to say about a move.
#[derive(Debug, Default)]
pub(super) struct Configured {
    pub edits: ConfigEdits,
    pub warnings: Vec<Warning>,
    pub obstacles: Vec<Obstacle>,
    /// The strings that warnings are about.
    pub told: Vec<(RelPath, Span)>,
}

/// Options of a project file that name one file or directory each.
const PLACES: [&str; 7] = ["baseUrl", "rootDir", "outDir", "declarationDir", "outFile", "tsBuildInfoFile", "mapRoot"];
/// Entries of a package that name files, at any depth.
const ENTRIES: [&str; 17] = [
    "main",
    "module",
    "types",
    "typings",
    "browser",
    "source",
    "bin",
    "exports",
    "imports",
    "typesVersions",
    "style",
    "sass",
    "unpkg",
    "jsdelivr",
    "react-native",
    "files",
    "sideEffects",
];
/// Entries of a package that are read in another way, or name nothing.
const READ: [&str; 5] = ["description", "keywords", "name", "scripts", "workspaces"];
const DEPENDENCIES: [&str; 6] =
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "resolutions", "overrides"];

/// Finds what has to change in every configuration so that it names the same files after the move.
pub(super) fn read(before: &World<'_>, moved: &Moved) -> Configured {
    let mut found = Configured::default();
    for path in before.listing.projects() {
        note(&mut found, path, before, moved, |config, _| project_edits(config));
    }
    for path in before.listing.packages() {
        note(&mut found, path, before, moved, package_edits);
    }
    found
}

/// Returns the texts of the edited configurations after the move.
pub(super) fn texts_after(before: &World<'_>, edits: &ConfigEdits) -> BTreeMap<RelPath, String> {
    let after = |(path, edits): (&RelPath, &Vec<TextEdit>)| {
        let edits = TextEdits::new(edits.clone()).ok()?;
        Some((path.clone(), edits.apply(&before.read(path)?)))
    };
    edits.iter().filter_map(after).collect()
}

/// What is known while one configuration is read.
struct Config<'a> {
    path: &'a RelPath,
    json: &'a Json,
    before: &'a World<'a>,
    moved: &'a Moved,
}

fn note(
    found: &mut Configured,
    path: &RelPath,
    before: &World<'_>,
    moved: &Moved,
    read: fn(&Config<'_>, &mut Configured) -> Vec<TextEdit>,
) {
    let Some(text) = before.read(path) else { return };
    if !concerns(&text, path, moved) {
        return;
    }
    let Some(json) = before.json(path) else { return };
    let edits = read(&Config { path, json: &json, before, moved }, found);
    if !edits.is_empty() {
        found.edits.insert(path.clone(), edits);
    }
}

/// Tells whether a configuration may name what moves: it moves itself and looks outside, or the name stands in it.
fn concerns(text: &str, path: &RelPath, moved: &Moved) -> bool {
    let stem = super::specifier_endings::split(moved.from.file_name()).0;
    let stem = stem.strip_suffix(".json").unwrap_or(stem);
    let is_index = stem == "index";
    let dir = moved.from.parent().unwrap_or_default();
    let names_directory = || text.contains(dir.file_name()) || path.parent().unwrap_or_default() == dir;
    moved.takes(path) || text.contains(stem) || is_index && names_directory()
}

impl Config<'_> {
    fn dir(&self) -> RelPath {
        self.path.parent().unwrap_or_default()
    }

    fn base(&self) -> Base {
        Base { before: self.dir(), after: self.moved.after(self.path).parent().unwrap_or_default() }
    }

    fn edit(&self, value: &Json, base: &Base) -> Option<TextEdit> {
        let new = rewritten(value.as_str()?, base, self.moved, self.before)?;
        Some(TextEdit::new(value.span, quoted(&new)))
    }

    fn lost(&self, written: &str, source: &RelPath) -> Obstacle {
        let after = self.moved.after(source);
        let reason = format!("it is compiled from `{source}`, and nothing is from `{after}`");
        Obstacle { file: self.path.clone(), specifier: written.to_owned(), reason }
    }

    /// Leads the words of a command that are paths of what moves, seen from where it runs: `node tools/seed.js`.
    fn led_script(&self, script: &str, base: &Base) -> Option<String> {
        let ends_word = |it: char| it.is_whitespace() || "\"'`;&|()<>=".contains(it);
        let mut led = String::new();
        for part in script.split_inclusive(ends_word) {
            let word = part.trim_end_matches(ends_word);
            let is_path = base
                .before
                .join(word)
                .is_some_and(|path| self.before.is_file(&path) || word.contains('/') && self.before.is_dir(&path));
            let new = Some(word).filter(|_| is_path).and_then(|word| rewritten(word, base, self.moved, self.before));
            led.push_str(new.as_deref().unwrap_or(word));
            led.push_str(&part[word.len()..]);
        }
        (led != script).then_some(led)
    }

    fn edited(&self, (old, new): (&str, &str), span: Span) -> Warning {
        let message = format!("the script runs `{old}`, and becomes `{new}`");
        let text = self.before.listing.text(self.path);
        let range = text.and_then(|text| text.range(span));
        Warning::at(WarningKind::StringEdited, message, self.before.listing.absolute(self.path), range)
    }

    fn perhaps(&self, value: &Json, written: &str, source: &RelPath) -> Warning {
        let message =
            format!("`{written}` may be made from `{source}`, and is not changed: what builds it is not known");
        self.told(value, message)
    }

    fn told(&self, value: &Json, message: String) -> Warning {
        let listing = self.before.listing;
        let range = listing.text(self.path).and_then(|text| text.range(value.span));
        Warning::at(WarningKind::PossibleUse, message, listing.absolute(self.path), range)
    }

    fn edit_all<'j>(&self, values: impl Iterator<Item = &'j Json>, base: &Base) -> Vec<TextEdit> {
        values.filter_map(|value| self.edit(value, base)).collect()
    }
}

fn project_edits(config: &Config<'_>) -> Vec<TextEdit> {
    let (json, base) = (config.json, config.base());
    let lists = ["files", "include", "exclude"].iter().filter_map(|name| json.get(name));
    let references = json.get("references").into_iter().flat_map(Json::items).filter_map(|item| item.get("path"));
    let mut edits = config.edit_all(lists.flat_map(Json::items).chain(references), &base);
    let extends = json.get("extends").into_iter().flat_map(|value| std::iter::once(value).chain(value.items()));
    let relative = extends.filter(|value| value.as_str().is_some_and(|name| name.starts_with('.')));
    edits.extend(config.edit_all(relative, &base));
    let Some(options) = json.get("compilerOptions") else { return edits };
    let places = PLACES.iter().filter_map(|name| options.get(name));
    let lists = ["rootDirs", "typeRoots"].iter().filter_map(|name| options.get(name)).flat_map(Json::items);
    edits.extend(config.edit_all(places.chain(lists), &base));
    let types = options.get("types").into_iter().flat_map(Json::items);
    let types = types.filter(|value| value.as_str().is_some_and(|name| name.starts_with('.')));
    edits.extend(config.edit_all(types, &base));
    let base_url = config.before.project(config.path).and_then(|project| project.base_url.clone());
    let base = base_url.map_or(base, |base_url| Base::new(base_url, config.moved));
    let targets = options.get("paths").into_iter().flat_map(Json::entries).flat_map(|(_, targets)| targets.items());
    edits.extend(config.edit_all(targets, &base));
    edits
}

fn package_edits(config: &Config<'_>, found: &mut Configured) -> Vec<TextEdit> {
    let base = config.base();
    let mut edits = Vec::new();
    for (value, content) in ENTRIES.iter().filter_map(|name| config.json.get(name)).flat_map(Json::strings) {
        if let Some(new) = rewritten(content, &base, config.moved, config.before) {
            edits.push(TextEdit::new(value.span, quoted(&new)));
            continue;
        }
        match follow_source(content, &base.before, config.moved, config.before) {
            Follows::Stays => {}
            Follows::To(new) => edits.push(TextEdit::new(value.span, quoted(&new))),
            Follows::Perhaps(source) => found.warnings.push(config.perhaps(value, content, &source)),
            Follows::Lost(source) => found.obstacles.push(config.lost(content, &source)),
        }
    }
    let workspaces = config.json.get("workspaces");
    let listed = workspaces.map_or(&[][..], |list| list.get("packages").unwrap_or(list).items());
    edits.extend(config.edit_all(listed.iter(), &base));
    for (value, content) in DEPENDENCIES.iter().filter_map(|name| config.json.get(name)).flat_map(Json::strings) {
        let Some((scheme, path)) =
            content.split_once(':').filter(|(scheme, _)| matches!(*scheme, "file" | "link" | "portal"))
        else {
            continue;
        };
        let new = rewritten(path, &base, config.moved, config.before);
        edits.extend(new.map(|new| TextEdit::new(value.span, quoted(&format!("{scheme}:{new}")))));
    }
    for (value, script) in config.json.get("scripts").into_iter().flat_map(Json::strings) {
        if let Some(new) = config.led_script(script, &base) {
            found.warnings.push(config.edited((script, &new), value.span));
            edits.push(TextEdit::new(value.span, quoted(&new)));
        }
    }
    edits.extend(replaced_files(config));
    edits.extend(of_tools(config));
    edits.extend(main_named(config));
    edits
}

/// Leads the files that a bundler takes others for, which are keys: `"browser": { "./lib/node.js": "./lib/web.js" }`.
fn replaced_files(config: &Config<'_>) -> Vec<TextEdit> {
    let maps = ["browser", "react-native"].iter().filter_map(|name| config.json.get(name));
    let keys = maps.flat_map(Json::entries).map(|(key, _)| key);
    let base = config.base();
    let led = |key: &Key| {
        let whole = || rewritten(&key.name, &base, config.moved, config.before);
        let without_ending = || {
            let new = rewritten(&format!("{}.js", key.name), &base, config.moved, config.before)?;
            new.strip_suffix(".js").map(str::to_owned)
        };
        Some(TextEdit::new(key.span, quoted(&whole().or_else(without_ending)?)))
    };
    keys.filter_map(led).collect()
}

/// Names the file that a package is entered by, where it was none but `index.js` that nobody has to name (Node.js, Modules:
/// CommonJS modules § Folders as modules).
fn main_named(config: &Config<'_>) -> Option<TextEdit> {
    let is_named = ["main", "exports"].iter().any(|name| config.json.get(name).is_some());
    let index = config.base().before.join("index.js").filter(|path| !is_named && config.before.is_file(path))?;
    let (after, base) = (config.moved.after(&index), config.base().after);
    let main = after.below(&base)?;
    let behind = ["version", "name"].iter().find_map(|name| config.json.get(name))?;
    let text = config.before.read(config.path)?;
    let line = text[..behind.span.start].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = text[line..].chars().take_while(|it| matches!(it, ' ' | '\t')).collect();
    let gap = if line == 0 { " ".to_owned() } else { format!("{}{indent}", line_end(&text[..line])) };
    let said = format!(",{gap}\"main\": {}", quoted(main));
    (main != "index.js").then(|| TextEdit::new(behind.span.end..behind.span.end, said))
}

fn line_end(text: &str) -> &'static str {
    if text.ends_with("\r\n") { "\r\n" } else { "\n" }
}

/// Leads what tools are told in the package's own file, whole paths of files: `"tsup": { "entry": ["src/index.ts"] }`.
fn of_tools(config: &Config<'_>) -> Vec<TextEdit> {
    let read = |name: &str| ENTRIES.contains(&name) || DEPENDENCIES.contains(&name) || READ.contains(&name);
    let (base, mut edits) = (config.base(), Vec::new());
    let others = config.json.entries().iter().filter(|(key, _)| !read(&key.name));
    for (value, content) in others.flat_map(|(_, value)| value.strings()) {
        let named = base.before.join(content).filter(|path| content.contains('/') && config.before.is_file(path));
        edits.extend(named.and_then(|_| config.edit(value, &base)));
    }
    edits
}

/// Writes one more string at the end of an array, laid out like the others.
pub(super) fn append(text: &str, array: &Json, content: &str) -> Option<TextEdit> {
    let Value::Array(items) = &array.value else { return None };
    let Some(last) = items.last() else {
        return Some(TextEdit::new(array.span.start + 1..array.span.start + 1, quoted(content)));
    };
    let line = text[..last.span.start].rfind('\n').map_or(0, |end| end + 1);
    let indent = &text[line..last.span.start];
    let is_alone = line > array.span.start && indent.chars().all(char::is_whitespace);
    let gap = if is_alone { format!("{}{indent}", line_end(&text[..line])) } else { " ".to_owned() };
    Some(TextEdit::new(last.span.end..last.span.end, format!(",{gap}{}", quoted(content))))
}
