//! The edits that scripts need: every specifier names the same file after the move as before it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::joined_paths::{DIRECTORIES, JoinedPath, joined_paths};
use super::listing::Moved;
use super::named_paths;
use super::page_links::{is_page, page_links};
use super::resolve::{Resolved, is_relative, split_query};
use super::respecify::{Renewed, Sides, Stale, Worlds, dotted};
use super::specifier_endings;
use super::specifiers::{Form, extension, form_at, is_script, is_taken_for_path, quoted};
use crate::plan::{Warning, WarningKind};
use crate::text::{RelPath, Span, Text, TextEdit};
use crate::workspace::Disk;

/// Files that may name scripts in a way that only their own tools read.
const OTHER_IMPORTERS: [&str; 9] = ["vue", "svelte", "astro", "mdx", "html", "htm", "css", "scss", "less"];

/// What tells a script where it lies (Node.js, Modules).
const PLACES: [&str; 5] = ["__dirname", "__filename", "import.meta.dirname", "import.meta.filename", "import.meta.url"];

/// What the project's own texts show about a move.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub edits: BTreeMap<RelPath, Vec<TextEdit>>,
    /// Per file the contents of the strings whose file is known, changed or not.
    pub understood: BTreeMap<RelPath, BTreeSet<Span>>,
    pub warnings: Vec<Warning>,
    /// Why the move cannot be planned.
    pub obstacles: Vec<Obstacle>,
}

/// A specifier for which there is no right text after the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    pub file: RelPath,
    pub specifier: String,
    pub reason: String,
}

/// Returns the files whose text may name what moves, or that move themselves, sorted.
pub(super) fn candidates(disk: &Disk, moved: &Moved) -> Vec<RelPath> {
    let root = disk.root();
    let mut found: BTreeSet<RelPath> = BTreeSet::new();
    // `import.meta.glob` names files without writing their names.
    for word in words(moved).into_iter().chain(["glob".to_owned()]) {
        found.extend(disk.files_mentioning(&word).iter().filter_map(|path| path.relative_to(root)));
    }
    let nameless = nameless_dirs(moved);
    for entry in disk.files().iter() {
        let Some(path) = entry.path.relative_to(root) else { continue };
        if moved.takes(&path) || nameless.iter().any(|dir| path.is_below(dir)) {
            found.insert(path);
        }
    }
    found.retain(imports_files);
    found.into_iter().collect()
}

/// Returns the words of which a specifier of a moved file holds one, old and new.
pub(super) fn words(moved: &Moved) -> BTreeSet<String> {
    let ends = [&moved.from, &moved.to].into_iter().chain(moved.files.iter().flat_map(|(from, to)| [from, to]));
    let outer = ends.filter(|path| {
        !(path.is_below(&moved.from) && **path != moved.from || path.is_below(&moved.to) && **path != moved.to)
    });
    outer.map(|path| longest_word(&name_in_specifiers(path))).collect()
}

fn name_in_specifiers(path: &RelPath) -> String {
    let stem = specifier_endings::split(path.file_name()).0;
    if stem == "index" { path.parent().unwrap_or_default().file_name().to_owned() } else { stem.to_owned() }
}

fn longest_word(name: &str) -> String {
    let words = name.split(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$')));
    words.max_by_key(|word| word.len()).unwrap_or_default().to_owned()
}

/// Returns the directories whose files can name a moved `index` file without a word: `.`, `..`.
fn nameless_dirs(moved: &Moved) -> Vec<RelPath> {
    let ends = [&moved.from, &moved.to].into_iter();
    ends.filter(|path| specifier_endings::split(path.file_name()).0 == "index").filter_map(RelPath::parent).collect()
}

fn imports_files(path: &RelPath) -> bool {
    is_script(path) || OTHER_IMPORTERS.contains(&extension(path))
}

/// Reads the candidates.
pub(super) fn find(worlds: &Worlds<'_>, moved: &Moved, candidates: &[RelPath]) -> Findings {
    let mut findings = Findings::default();
    for path in candidates {
        let Some(text) = worlds.before.listing.text(path) else { continue };
        let after = moved.after(path);
        let sides = Sides { before: path.clone(), after };
        Reader { worlds, moved, sides, text, mentions: Vec::new() }.read(&mut findings);
    }
    findings
}

/// One candidate while it is read.
struct Reader<'a> {
    worlds: &'a Worlds<'a>,
    moved: &'a Moved,
    sides: Sides,
    text: Arc<Text>,
    mentions: Vec<Span>,
}

impl Reader<'_> {
    fn read(mut self, findings: &mut Findings) {
        let text = Arc::clone(&self.text);
        let joined = self.joined();
        for (path, after) in &joined {
            self.read_joined(path, after, findings);
        }
        let linked = self.read_links(findings);
        let is_piece = |span: &Span| joined.iter().any(|(path, _)| path.pieces.contains(span));
        for span in quoted(text.as_str()).filter(|span| !is_piece(span) && !linked.contains(span)) {
            let content = &text.as_str()[span.start..span.end];
            if content.contains("${") || content.contains('*') {
                self.read_pattern(content, span);
            } else if is_relative(content) || !content.contains(char::is_whitespace) {
                self.read_string(content, span, findings);
            }
        }
        findings.warnings.extend(self.remark());
        findings.warnings.extend(self.by_place(&joined));
    }

    /// Leads what a page loads, and returns where it says so.
    fn read_links(&self, findings: &mut Findings) -> BTreeSet<Span> {
        let file = &self.sides.before;
        if !is_page(file) {
            return BTreeSet::new();
        }
        let mut linked = BTreeSet::new();
        for (span, edit) in page_links(self.text.as_str(), &self.sides, (&self.worlds.before, self.moved)) {
            if let Some(edit) = edit {
                findings.edits.entry(file.clone()).or_default().push(edit);
            }
            findings.understood.entry(file.clone()).or_default().insert(span);
            linked.insert(span);
        }
        linked
    }

    /// Warns of a moved file that asks where it lies.
    fn by_place(&self, joined: &[(JoinedPath, String)]) -> Option<Warning> {
        if self.sides.before.parent() == self.sides.after.parent() || !is_script(&self.sides.before) {
            return None;
        }
        let text = self.text.as_str();
        // What these are given is followed.
        let is_followed = |before: &str| {
            let call = before.trim_end_matches(|one| one != '(').trim_end_matches('(').trim_end();
            call.ends_with("URL") && before.contains("./") || call.ends_with("createRequire")
        };
        let is_joined = |at: usize| joined.iter().any(|(path, _)| path.place.start == at);
        let said = PLACES.iter().flat_map(|word| text.match_indices(word)).filter(|(at, _)| !is_joined(*at));
        let said = said.filter(|(at, _)| !is_followed(text[..*at].rsplit('\n').next().unwrap_or_default()));
        let (at, word) = said.min()?;
        let message = format!("the file asks where it lies: paths that are made from `{word}` lead elsewhere");
        let path = self.worlds.before.listing.absolute(&self.sides.before);
        Some(Warning::at(WarningKind::RunTime, message, path, self.text.range(Span::new(at, at + word.len()))))
    }

    /// Returns the paths that a script puts together from where it lies, each with what it has to be after the move; those that
    /// name what is not known are none.
    fn joined(&self) -> Vec<(JoinedPath, String)> {
        let text = self.text.as_str();
        let may_join = is_script(&self.sides.before) && DIRECTORIES.iter().any(|word| text.contains(word));
        let parsed = may_join.then(|| self.worlds.before.listing.parse(&self.sides.before, &self.text)).flatten();
        let joined = parsed.map(|it| joined_paths(&it.tree, text)).unwrap_or_default();
        joined.into_iter().filter_map(|path| self.joined_after(&path).map(|after| (path, after))).collect()
    }

    /// Returns what such a path has to be after the move; nothing where what it names is not known.
    fn joined_after(&self, path: &JoinedPath) -> Option<String> {
        let dirs = (self.sides.before.parent().unwrap_or_default(), self.sides.after.parent().unwrap_or_default());
        let said = path.said(self.text.as_str());
        let named = dirs.0.join(&said)?;
        if self.worlds.before.is_file(&named) || self.worlds.before.is_dir(&named) {
            return Some(self.moved.after(&named).seen_from(&dirs.1));
        }
        let specifier = dotted(&named.seen_from(&dirs.0));
        let before = self.worlds.before.resolve(&self.sides.before, &specifier).filter(|_| path.is_loaded)?;
        let target = self.moved.after(&before.file);
        if self.worlds.after.resolve(&self.sides.after, &specifier).is_some_and(|after| after.file == target) {
            return Some(named.seen_from(&dirs.0));
        }
        let stale = Stale { specifier: &specifier, before: &before, importer: self.sides.clone(), target };
        let renewed = self.worlds.renew(&stale).ok()?;
        Some(renewed.specifier.trim_start_matches("./").to_owned())
    }

    fn read_joined(&self, path: &JoinedPath, after: &str, findings: &mut Findings) {
        let text = self.text.as_str();
        let file = &self.sides.before;
        findings.understood.entry(file.clone()).or_default().extend(path.pieces.iter().copied());
        let old = file.parent().unwrap_or_default().join(&path.said(text));
        let old = old.map(|named| named.seen_from(&file.parent().unwrap_or_default()));
        if !after.is_empty() && old.as_deref() != Some(after) {
            let edit = TextEdit::new(path.written, path.respelled(text, after));
            findings.edits.entry(file.clone()).or_default().push(edit);
        }
    }

    fn read_string(&mut self, content: &str, span: Span, findings: &mut Findings) {
        let is_reference = self.stands_in_reference(span);
        let specifier = if is_reference && !is_relative(content) { format!("./{content}") } else { content.to_owned() };
        let Some(before) = self.worlds.before.resolve(&self.sides.before, &specifier) else {
            return self.read_unresolved(&specifier, span, findings);
        };
        let target = self.moved.after(&before.file);
        let after = self.worlds.after.resolve(&self.sides.after, &specifier);
        findings.understood.entry(self.sides.before.clone()).or_default().insert(span);
        if after.is_some_and(|after| after.file == target) {
            return self.shorten(&specifier, span, findings);
        }
        match self.form(span) {
            Some(Form::Load) if is_script(&self.sides.before) => {
                let stale = Stale { specifier: &specifier, before: &before, importer: self.sides.clone(), target };
                self.renew(&stale, span, findings);
            }
            Some(_) if self.is_path(&before, &specifier) => self.mentions.push(span),
            _ => {}
        }
    }

    /// Writes what still leads there as it is written from where the file comes to lie: `./pad` for `../lib/pad` in `lib`.
    fn shorten(&self, specifier: &str, span: Span, findings: &mut Findings) {
        let (path, query) = split_query(specifier);
        let dirs = (self.sides.before.parent().unwrap_or_default(), self.sides.after.parent().unwrap_or_default());
        if dirs.0 == dirs.1
            || !path.starts_with("../")
            || path != &self.text.as_str()[span.start..span.end - query.len()]
        {
            return;
        }
        let seen = |dir: &RelPath| Some(dotted(&dirs.0.join(path)?.seen_from(dir)));
        let Some(shorter) = seen(&dirs.1).filter(|it| it.len() > "./".len() && it.len() < path.len()) else { return };
        let is_import = is_script(&self.sides.before) && self.form(span) == Some(Form::Load);
        if is_import && seen(&dirs.0).as_deref() == Some(path) && dirs.0.join(path) == dirs.1.join(path) {
            let edit = TextEdit::new(span, format!("{shorter}{query}"));
            findings.edits.entry(self.sides.before.clone()).or_default().push(edit);
        }
    }

    /// Tells whether a string that no import holds is meant as a path.
    fn is_path(&self, before: &Resolved, specifier: &str) -> bool {
        let names = is_relative(specifier) && specifier.contains(char::is_alphanumeric);
        let whole = specifier.contains('/') && self.moved.takes(&before.file);
        names || whole
    }

    fn renew(&self, stale: &Stale<'_>, span: Span, findings: &mut Findings) {
        let written = &self.text.as_str()[span.start..span.end];
        match self.worlds.renew(stale) {
            Ok(Renewed { specifier, crosses_into }) => {
                let bare =
                    specifier.strip_prefix("./").filter(|_| !is_relative(written) && is_relative(stale.specifier));
                let edit = TextEdit::new(span, bare.unwrap_or(&specifier));
                findings.edits.entry(self.sides.before.clone()).or_default().push(edit);
                findings.warnings.extend(crosses_into.map(|package| self.crossing(&specifier, &package, span)));
            }
            Err(reason) => findings.obstacles.push(Obstacle {
                file: self.sides.before.clone(),
                specifier: written.to_owned(),
                reason,
            }),
        }
    }

    fn crossing(&self, specifier: &str, package: &RelPath, span: Span) -> Warning {
        let path = self.worlds.before.listing.absolute(&self.sides.before);
        let message = match package.as_str() {
            "" => format!("`{specifier}` leads out of the package that the file belongs to"),
            _ => format!("`{specifier}` leads into another package, `{package}`"),
        };
        Warning::at(WarningKind::FollowUp, message, path, self.text.range(span))
    }

    /// A moved file's relative path to something that is not listed, such as generated code, goes on to lead there.
    fn read_unresolved(&mut self, specifier: &str, span: Span, findings: &mut Findings) {
        let (path, query) = split_query(specifier);
        let is_named =
            || named_paths::moved_file(&self.sides.before, path, (&self.worlds.before, self.moved)).is_some();
        if !is_relative(path) && self.form(span) == Some(Form::Plain) && is_named() {
            findings.understood.entry(self.sides.before.clone()).or_default().insert(span);
            self.mentions.push(span);
            return;
        }
        if !is_relative(path) || self.sides.before == self.sides.after {
            return;
        }
        let dirs = (self.sides.before.parent().unwrap_or_default(), self.sides.after.parent().unwrap_or_default());
        let Some(named) = dirs.0.join(path) else { return };
        let seen = self.moved.after(&named).seen_from(&dirs.1);
        if seen == named.seen_from(&dirs.0) {
            return;
        }
        let slash = if path.ends_with('/') { "/" } else { "" };
        match self.form(span) {
            Some(Form::Load) if is_script(&self.sides.before) => {
                let edit = TextEdit::new(span, format!("{}{slash}{query}", dotted(&seen)));
                findings.edits.entry(self.sides.before.clone()).or_default().push(edit);
            }
            Some(_) if self.is_meant(span) && self.worlds.before.listing.absolute(&named).as_path().exists() => {
                self.mentions.push(span);
            }
            _ => {}
        }
    }

    /// Tells whether a string is a path, if it is dots alone: something has to take it for one.
    fn is_meant(&self, span: Span) -> bool {
        let content = &self.text.as_str()[span.start..span.end];
        let parsed = || self.worlds.before.listing.parse(&self.sides.before, &self.text);
        !content.bytes().all(|byte| byte == b'.')
            || parsed().is_some_and(|it| is_taken_for_path(&it.tree, self.text.as_str(), span))
    }

    /// A path with holes (`./locale/${name}`, `./pages/*.ts`) is judged by the directory in front of them.
    fn read_pattern(&mut self, content: &str, span: Span) {
        let hole = content.find("${").into_iter().chain(content.find('*')).min().unwrap_or_default();
        let Some(literal) = content[..hole].rfind('/').map(|slash| &content[..=slash]) else { return };
        if !is_relative(literal) {
            return;
        }
        let dirs = (self.sides.before.parent().unwrap_or_default(), self.sides.after.parent().unwrap_or_default());
        let Some(named) = dirs.0.join(literal) else { return };
        let leads_elsewhere = self.moved.after(&named).seen_from(&dirs.1) != named.seen_from(&dirs.0);
        let is_known = self.worlds.before.is_dir(&named);
        let took =
            self.moved.files.keys().any(|file| file.parent().as_ref() == Some(&named)) && !self.moved.takes(&named);
        if is_known && (leads_elsewhere || took && self.moved.files.len() == 1 && content.contains('*')) {
            self.mentions.push(span);
        }
    }

    fn form(&self, span: Span) -> Option<Form> {
        if !is_script(&self.sides.before) {
            return Some(Form::Plain);
        }
        let parsed = self.worlds.before.listing.parse(&self.sides.before, &self.text)?;
        form_at(&parsed.tree, self.text.as_str(), span)
    }

    /// Tells whether a string is the path of a `/// <reference>`, which is relative even without a dot.
    fn stands_in_reference(&self, span: Span) -> bool {
        let before = &self.text.as_str()[..span.start];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before[line..].trim_start();
        line.starts_with("///") && line.contains("<reference") && line.contains("path")
    }

    fn remark(&self) -> Option<Warning> {
        let first = *self.mentions.first()?;
        let written = &self.text.as_str()[first.start..first.end];
        let more = match self.mentions.len() {
            1 => String::new(),
            count => format!(" (and {} more in this file)", count - 1),
        };
        let message = format!("the path `{written}` is not in an import, and no longer leads where it did{more}");
        let path = self.worlds.before.listing.absolute(&self.sides.before);
        // What is read at run time would no longer be found.
        let is_code = |span: &Span| is_script(&self.sides.before) && self.form(*span) == Some(Form::Plain);
        let kind = if self.mentions.iter().any(is_code) { WarningKind::PossibleUse } else { WarningKind::Mentioned };
        Some(Warning::at(kind, message, path, self.text.range(first)))
    }
}
