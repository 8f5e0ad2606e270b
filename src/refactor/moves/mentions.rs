//! The places that write an old path and are left as they are, told rather than passed over.

use std::collections::BTreeMap;
use std::sync::Arc;

use memchr::memmem;

use super::Relocation;
use crate::plan::{Parts, Warning, WarningKind};
use crate::syntax::{Family, Language};
use crate::text::{AbsPath, Span, Text};
use crate::workspace::Disk;

/// Written by programs, and written anew by them.
const LOCKS: [&str; 8] = [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
];

/// What puts paths together, or takes one in parts (Python's `os.path`, `pathlib` and `importlib.resources`, Node's `path`).
const JOINING: [&str; 9] =
    ["join", "joinpath", "resolve", "Path", "PurePath", "get_data", "read_text", "with_name", "glob"];
/// What runs a script in a line for a shell.
const RUNNING: [&str; 3] = ["python ", "python3 ", "{sys.executable} "];
/// No list of arguments that is looked into is longer, in characters.
const MOST_ARGUMENTS: usize = 400;

/// Where an old path is written, file by file.
pub(super) type Mentions = Vec<(AbsPath, Arc<Text>, Vec<Span>)>;

/// Finds where the old path is written: whole, or its last parts where no other file has them. To be done while a
/// server looks for what it changes.
pub(super) async fn find(disk: &Disk, relocation: &Relocation) -> Mentions {
    let (disk, relocation) = (disk.clone(), relocation.clone());
    tokio::task::spawn_blocking(move || written(&disk, &relocation)).await.unwrap_or_default()
}

/// Tells where files write the path of one that is gone after a plan, and that the plan does not change.
pub(crate) fn still_written(disk: &Disk, gone: &Relocation, parts: &Parts) -> Vec<Warning> {
    list(parts, &BTreeMap::new(), (gone, written(disk, gone)))
}

/// Tells whether a file is not for people to write.
pub(super) fn is_written_by_programs(path: &AbsPath) -> bool {
    LOCKS.contains(&path.file_name())
}

fn written(disk: &Disk, relocation: &Relocation) -> Mentions {
    let needles = needles(disk, relocation);
    let word = longest_word(relocation.from.file_stem());
    if needles.is_empty() || word.is_empty() {
        return Vec::new();
    }
    let files = disk.files_mentioning(word).into_iter().filter(|path| !is_written_by_programs(path));
    let texts = files.filter_map(|path| disk.read(&path).ok().map(|text| (path, text)));
    let found = texts.map(|(path, text)| {
        let mut spans = occurrences(text.as_str(), &needles);
        if is_code(&path) {
            let segments = segments(text.as_str(), relocation.from.file_name()).into_iter();
            spans.extend(segments.filter(|span| !spans.iter().any(|known| known.overlaps(*span))).collect::<Vec<_>>());
            spans.sort();
        }
        if is_list_of_patterns(&path) {
            let named = named_by_patterns(text.as_str(), (&path, &relocation.from)).into_iter();
            spans.extend(named.filter(|span| !spans.iter().any(|known| known.overlaps(*span))).collect::<Vec<_>>());
            spans.sort();
        }
        (path, text, spans)
    });
    found.filter(|(_, _, spans)| !spans.is_empty()).collect()
}

/// Lists the files that write the old path and are left as they are. `settled` are stretches that are known to be
/// right already.
pub(super) fn list(
    parts: &Parts,
    settled: &BTreeMap<AbsPath, Vec<Span>>,
    (relocation, mentions): (&Relocation, Mentions),
) -> Vec<Warning> {
    let around = relocation.from.parent();
    let directory = around.as_ref().map_or("", AbsPath::file_name);
    // Programs find what is no code by its path alone.
    let is_data = !is_code(&relocation.from) && !relocation.files.keys().any(is_code);
    // So does what runs a script of Python.
    let is_script = relocation.from.extension() == "py";
    let mut warnings = Vec::new();
    for (path, text, spans) in mentions.into_iter().filter(|(path, ..)| !parts.deletes.contains_key(path)) {
        let edits = parts.edits.get(&path).map_or(&[][..], |(_, edits)| edits);
        let known = settled.get(&path).map_or(&[][..], Vec::as_slice);
        let is_settled = |span: &Span| {
            edits.iter().any(|edit| edit.span.overlaps(*span)) || known.iter().any(|known| known.overlaps(*span))
        };
        let found: Vec<Span> = spans.into_iter().filter(|span| !is_settled(span)).collect();
        let Some(first) = found.first() else { continue };
        let shown = first.of(text.as_str()).unwrap_or_default();
        let message = match found.len() {
            1 => format!("`{shown}` stands here, and is not changed"),
            count => format!("`{shown}` stands here {count} times, and is not changed"),
        };
        let is_path = |span: Span| {
            is_joined(text.as_str(), span, directory)
                || is_segment(text.as_str(), span)
                || is_imported(text.as_str(), span)
                || (is_data || is_script) && is_quoted(text.as_str(), span)
                || is_script && RUNNING.iter().any(|run| text.as_str()[..span.start].ends_with(run))
        };
        let is_joined = is_code(&path) && found.iter().any(|span| is_path(*span));
        let kind = if is_joined { WarningKind::PossibleUse } else { WarningKind::Mentioned };
        let warning = Warning::at(kind, message, path, text.range(*first));
        warnings.push(warning.standing_for(found.len()));
    }
    warnings
}

pub(super) fn needles(disk: &Disk, relocation: &Relocation) -> Vec<String> {
    let from = &relocation.from;
    let Some(whole) = from.relative_to(disk.root()) else { return Vec::new() };
    let parts: Vec<&str> = whole.as_str().split('/').collect();
    if relocation.is_dir {
        // A lone name is a path only where something follows.
        return vec![if parts.len() == 1 { format!("{whole}/") } else { whole.as_str().to_owned() }];
    }
    let mut needles = vec![whole.as_str().to_owned()];
    let files = disk.files();
    let is_only = |end: &str| files.iter().filter(|entry| entry.path.as_path().ends_with(end)).count() < 2;
    let short = parts[parts.len().saturating_sub(2)..].join("/");
    needles.extend(Some(short).filter(|short| is_only(short)));
    needles.extend(Some(from.file_name()).filter(|name| name.contains('.') && is_only(name)).map(str::to_owned));
    let escaped: Vec<String> = needles.iter().filter(|it| it.contains('.')).map(|it| it.replace('.', r"\.")).collect();
    needles.extend(escaped);
    needles
}

/// Tells whether what a script imports is written by a path: one that led to a file is known, so that nobody knows where this one
/// leads, as with the import map of a page.
fn is_imported(text: &str, span: Span) -> bool {
    let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..span.start];
    let quote = before.rfind(['"', '\'']).map_or("", |at| before[..at].trim_end());
    ["from", "import", "import(", "require("].iter().any(|word| quote.ends_with(word))
}

/// Finds the needles as whole path components; of several at one place, the longest.
fn occurrences(text: &str, needles: &[String]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for needle in needles {
        let spans = memmem::find_iter(text.as_bytes(), needle).map(|start| Span::new(start, start + needle.len()));
        found.extend(spans.filter(|span| is_whole(text, *span)));
    }
    found.sort_by_key(|span| (span.end, span.start));
    found.dedup_by_key(|span| span.end);
    found.sort();
    found
}

/// Tells whether code puts a path together of the directory and the name: `join(here, "jobs", "work.js")`, `HERE / "jobs" / "work.py"`.
fn is_joined(text: &str, name: Span, directory: &str) -> bool {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let inner = text[..name.start].strip_suffix(QUOTES).map(str::trim_end);
    let before = inner.and_then(|inner| inner.strip_suffix([',', '/'])).map(str::trim_end);
    let before = before.and_then(|before| before.strip_suffix(QUOTES));
    !directory.is_empty() && before.is_some_and(|before| before.ends_with(directory))
}

fn is_code(path: &AbsPath) -> bool {
    Language::of_path(path).is_some_and(|it| matches!(it.family(), Family::Python | Family::Script))
}

/// Finds where code puts a path together, and the name is a part of it: `HERE / "data"`, `join(here, "data", "a.txt")`.
fn segments(text: &str, name: &str) -> Vec<Span> {
    let all = memmem::find_iter(text.as_bytes(), name).map(|start| Span::new(start, start + name.len()));
    all.filter(|span| is_whole(text, *span) && is_segment(text, *span)).collect()
}

/// Tells whether a file lists patterns as `.gitignore` does: `.npmignore`, `.dockerignore`, `.prettierignore`.
fn is_list_of_patterns(path: &AbsPath) -> bool {
    path.file_name().starts_with('.') && path.file_name().ends_with("ignore")
}

/// Finds the patterns of such a list that name a path, or what lies below it (gitignore(5)): one with a slash from where the
/// list lies on, one without by its name alone.
fn named_by_patterns(text: &str, (list, path): (&AbsPath, &AbsPath)) -> Vec<Span> {
    let Some(seen) = list.parent().and_then(|dir| path.relative_to(&dir)) else { return Vec::new() };
    let parts: Vec<&str> = seen.as_str().split('/').collect();
    let (mut found, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let rule = line.trim_end();
        let pattern = rule.trim_start_matches('!');
        let names: Vec<&str> = pattern.trim_start_matches('/').trim_end_matches('/').split('/').collect();
        let is_named = match names.as_slice() {
            [only] if !pattern.starts_with('/') => *only == path.file_name(),
            ["**", rest @ ..] => rest.first() == Some(&path.file_name()),
            _ => names.len() >= parts.len() && names.iter().zip(&parts).all(|(name, part)| name == part),
        };
        if is_named {
            found.push(Span::new(start + rule.len() - pattern.len(), start + rule.len()));
        }
        start += line.len();
    }
    found
}

fn is_segment(text: &str, name: Span) -> bool {
    let Some(string) = quoted(text, name) else { return false };
    let (before, after) = (text[..string.start].trim_end(), text[string.end..].trim_start());
    let is_divided = before.ends_with('/') && !before.ends_with("//") && !before.ends_with("*/")
        || after.starts_with('/') && !after.starts_with("//") && !after.starts_with("/*");
    is_divided || called_with(before).is_some_and(|function| JOINING.contains(&function))
}

fn is_quoted(text: &str, name: Span) -> bool {
    quoted(text, name).is_some()
}

/// The string around a name that holds nothing but a path, its quotes included.
fn quoted(text: &str, name: Span) -> Option<Span> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let ends = |it: char| it.is_whitespace() || matches!(it, '(' | ')' | ',') || QUOTES.contains(&it);
    let start = text[..name.start].rfind(ends)?;
    let end = name.end + text[name.end..].find(ends)?;
    let is_quote = |at: usize| text[at..].starts_with(QUOTES);
    (is_quote(start) && is_quote(end)).then(|| Span::new(start, end + 1))
}

/// The last name of the function among whose arguments a text ends.
fn called_with(before: &str) -> Option<&str> {
    let mut open = 0;
    let at = before.char_indices().rev().take(MOST_ARGUMENTS).find(|(_, one)| {
        open += i32::from(*one == '(') - i32::from(*one == ')');
        open > 0
    });
    let function = &before[..at?.0];
    let start = function.rfind(|one: char| !one.is_alphanumeric() && one != '_').map_or(0, |at| at + 1);
    function.get(start..)
}

pub(super) fn is_whole(text: &str, span: Span) -> bool {
    let in_name = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '$');
    let before = text[..span.start].chars().next_back();
    let mut behind = text[span.end..].chars();
    let after = behind.next();
    let goes_on = after == Some('.') && behind.next().is_some_and(in_name);
    let ends_part = text[..span.end].ends_with('/');
    // A regular expression ends there.
    let is_pattern = after == Some('$') && span.of(text).is_some_and(|it| it.contains('\\'));
    !before.is_some_and(|character| in_name(character) || character == '.' && !text[..span.start].ends_with("/."))
        && (ends_part || is_pattern || !after.is_some_and(in_name) && !goes_on)
}

pub(super) fn longest_word(name: &str) -> &str {
    let words = name.split(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$')));
    words.max_by_key(|word| word.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, needles: &[&str]) -> Vec<String> {
        let needles: Vec<String> = needles.iter().map(|&needle| needle.to_owned()).collect();
        occurrences(text, &needles).into_iter().map(|span| text[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn only_whole_components_count() {
        let text = "see src/user.ts, lib/user.tsx, superuser.ts and ./user.ts.";
        assert_eq!(found(text, &["src/user.ts", "user.ts"]), ["src/user.ts", "user.ts"]);
    }

    #[test]
    fn regular_expressions_name_paths() {
        let needles = ["shop/models.py", r"shop/models\.py"];
        assert_eq!(found(r"exclude: ^shop/models\.py$", &needles), [r"shop/models\.py"]);
        assert_eq!(found(r"exclude: ^shop/models\.pyi$", &needles), [""; 0]);
    }

    #[test]
    fn imports_count_that_lead_nowhere_known() {
        let is_one = |text: &str| is_imported(text, occurrences(text, &["shop/a.js".to_owned()])[0]);
        assert!(is_one(r#"import { a } from "shop/a.js";"#));
        assert!(is_one("} from 'lib/shop/a.js'"));
        assert!(is_one(r#"const a = await import("shop/a.js");"#));
        assert!(!is_one(r#"console.log("shop/a.js");"#));
        assert!(!is_one("// see shop/a.js"));
    }

    #[test]
    fn parts_of_paths_count_where_code_puts_paths_together() {
        let parts = |text: &str| segments(text, "data").len();
        assert_eq!(parts(r#"(HERE / "data" / name).read_text()"#), 1);
        assert_eq!(parts(r#"join(dirname(__file__), "data", name)"#), 1);
        assert_eq!(parts(r#"files(__package__).joinpath("data/a.txt")"#), 1);
        assert_eq!(parts(r#"{"data": 1}, print("data"), row["data"]"#), 0);
    }

    #[test]
    fn patterns_of_ignored_files_name_paths() {
        let at = |path: &str| AbsPath::new(path).expect("a path from the root");
        let named = |text: &str| named_by_patterns(text, (&at("/p/src/.gitignore"), &at("/p/src/out/gen"))).len();
        assert_eq!(named("gen\n!gen/\n/out/gen\nout/gen/*.log\n**/gen/x\n"), 5);
        assert_eq!(named("/gen\nout\nsrc/out/gen\ngenerated\n# gen\nout/general\n"), 0);
    }

    #[test]
    fn the_longest_needle_at_a_place_is_shown() {
        assert_eq!(
            found("(a/src/models/user.ts)", &["src/models/user.ts", "models/user.ts", "user.ts"]),
            ["src/models/user.ts"]
        );
    }
}
