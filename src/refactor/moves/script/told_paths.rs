//! Paths and patterns in JSON files that only their tools read: told where a move leaves them wrong.

use super::configs::Configured;
use super::listing::Moved;
use super::named_paths::moved_file;
use super::project_files::World;
use super::specifiers::extension;
use super::{glob, imports};
use crate::plan::{Warning, WarningKind};
use crate::refactor::moves::mentions::is_written_by_programs;
use crate::text::{RelPath, Span};

/// Tells of the strings in JSON files that name a moved file, and are not changed.
pub(super) fn tell(before: &World<'_>, moved: &Moved, found: &mut Configured) {
    let disk = before.listing.disk();
    let saying = imports::words(moved).into_iter().flat_map(|word| disk.files_mentioning(&word));
    let mut paths: Vec<RelPath> = saying
        .filter(|path| !is_written_by_programs(path))
        .filter_map(|path| path.relative_to(disk.root()))
        .filter(|path| extension(path) == "json")
        .collect();
    paths.sort();
    paths.dedup();
    for path in paths {
        let Some(json) = before.json(&path) else { continue };
        for (value, content) in json.strings() {
            let is_led =
                found.edits.get(&path).is_some_and(|edits| edits.iter().any(|it| it.span.overlaps(value.span)));
            let Some(file) = moved_file(&path, content, (before, moved)).filter(|_| !is_led) else { continue };
            let message = format!("`{content}` names `{file}`, it seems, and is not changed");
            found.told(before, (&path, value.span), message);
        }
    }
}

/// Tells of the patterns in a package's own file that took in a moved file and do so no longer: what its scripts run, what
/// its tools look at. Those in `lists` are completed elsewhere.
pub(super) fn tell_patterns((before, moved): (&World<'_>, &Moved), lists: &[&str], found: &mut Configured) {
    for path in before.listing.packages() {
        let Some(json) = before.json(path) else { continue };
        let base = path.parent().unwrap_or_default();
        let new_path = moved.files.get(path).unwrap_or(path);
        let new_base = new_path.parent().unwrap_or_default();
        let others = json.entries().iter().filter(|(key, _)| !lists.contains(&key.name.as_str()));
        let edits = found.edits.get(path).cloned().unwrap_or_default();
        let is_led = |span: Span| edits.iter().any(|edit| edit.span.overlaps(span));
        let strings = others.flat_map(|(_, value)| value.strings());
        for (value, content) in strings.filter(|(value, _)| !is_led(value.span)) {
            let ends_word = |it: char| it.is_whitespace() || "\"'`;&|()<>=".contains(it);
            let words = content.split(ends_word).filter(|word| word.contains('*') && !word.starts_with('!'));
            for word in words {
                let patterns = glob::alternatives(word);
                let takes = |base: &RelPath, file: &RelPath| {
                    let joined = patterns.iter().filter_map(|pattern| base.join(pattern));
                    joined.into_iter().any(|pattern| glob::excludes(pattern.as_str(), file.as_str()))
                };
                let lost = moved.files.iter().find(|(from, to)| takes(&base, from) && !takes(&new_base, to));
                let Some((_, to)) = lost else { continue };
                let message = format!("`{word}` no longer takes in `{to}`, and is not changed");
                found.told(before, (path, value.span), message);
            }
        }
    }
}

impl Configured {
    fn told(&mut self, before: &World<'_>, (path, span): (&RelPath, Span), message: String) {
        let range = before.listing.text(path).and_then(|text| text.range(span));
        self.warnings.push(Warning::at(WarningKind::PossibleUse, message, before.listing.absolute(path), range));
        self.told.push((path.clone(), span));
    }
}
