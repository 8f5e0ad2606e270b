//! The architecture, and the few rules of the house that a machine can see.

mod circles;

use std::fs;
use std::path::{Path, PathBuf};

/// The floors, from the ground up. A file names only rooms on floors below its own; rooms of one floor
/// do not name each other. Rooms: the modules right below `src`.
const FLOORS: &[&[&str]] = &[
    &["text"],
    &["plan", "syntax"],
    &["workspace", "render", "solidity"],
    &["lsp"],
    &["session"],
    &["actions", "programs"],
    &["refactor", "inspect", "audit"],
    &["verify", "declarations"],
    &["tools"],
    &["mcp", "daemon"],
    &["cli"],
];

/// The floors inside `refactor`, by the same rule: what is asked and refused, a file as it is read, the engines, what
/// refactorings ask of code, the chapters of the catalog, and the table on top.
const REFACTOR_FLOORS: &[&[&str]] = &[
    &["refusal", "params"],
    &["request", "interface", "obstacles"],
    &["source_file", "tsserver"],
    &["scopes", "doubts", "documents"],
    &["commonjs", "observed_variables"],
    &["moves"],
    &["rename"],
    &["analysis"],
    &[
        "composing_methods",
        "moving_features",
        "organizing_data",
        "conditionals",
        "method_calls",
        "generalization",
        "beyond",
        "solidity",
        "backends",
    ],
    &["catalog"],
];

/// A file of this length cannot be taken in at once.
const MOST_LINES: usize = 600;

/// One source file, its path relative to `src`.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    fn room(&self) -> &str {
        let first = self.path.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    fn is_test(&self) -> bool {
        self.path.iter().any(|part| part == "tests.rs" || part == "tests")
    }

    /// Returns the numbered lines of code, without comments and without a module of tests at the end.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let starts_tests =
            |pair: &[&str]| pair[0].trim() == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{');
        let end = lines.windows(2).position(starts_tests).unwrap_or(lines.len());
        lines.into_iter().take(end).enumerate().map(|(at, line)| (at + 1, line.split("//").next().unwrap_or(line)))
    }
}

fn sources() -> Vec<Source> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut open = vec![src.clone()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { path: path.strip_prefix(&src).unwrap().to_owned(), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 20, "the sources are not where this test looks: {}", src.display());
    found
}

fn floor(floors: &[&[&str]], room: &str) -> Option<usize> {
    floors.iter().position(|rooms| rooms.contains(&room))
}

/// Returns the rooms that a line names, as `crate::room` or in the braces of `crate::{room, …}`.
fn rooms_named(line: &str) -> Vec<&str> {
    named_below(line, &["crate::", "lspwright::"])
}

/// Returns what a line names right behind one of `roots`, or in braces there.
fn named_below<'l>(line: &'l str, roots: &[&str]) -> Vec<&'l str> {
    let mut named = Vec::new();
    for after in roots.iter().flat_map(|root| line.split(root).skip(1)) {
        match after.strip_prefix('{') {
            Some(group) => named.extend(outer_parts(group).into_iter().map(first_word)),
            None => named.push(first_word(after)),
        }
    }
    named
}

/// Splits what stands in braces at its outer commas.
fn outer_parts(group: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                return parts;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[start..]);
    parts
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    &text[..end]
}

/// Fails with all complaints at once.
fn accept(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn a_file_names_only_lower_floors() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !["lib", "main"].contains(&source.room())) {
        let (path, room) = (source.path.display(), source.room());
        let Some(own) = floor(FLOORS, room) else {
            complaints.push(format!(
                "src/{path}: the room `{room}` has no floor; give it one in FLOORS of tests/tidy.rs, and in src/lib.rs."
            ));
            continue;
        };
        for (line, code) in source.code() {
            for named in rooms_named(code).into_iter().filter(|named| *named != room) {
                let Some(other) = floor(FLOORS, named).filter(|other| *other >= own) else { continue };
                complaints.push(format!(
                    "src/{path}:{line}: `{room}` (floor {own}) names `{named}` (floor {other}); move what both need \
                     to a lower floor, or hand it in from above."
                ));
            }
        }
    }
    accept(&complaints);
}

#[test]
fn a_file_of_refactor_names_only_lower_rooms() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| source.room() == "refactor") {
        let path = source.path.display();
        let inner = source.path.iter().nth(1).and_then(|part| part.to_str()).unwrap_or_default();
        let room = inner.strip_suffix(".rs").unwrap_or(inner);
        if room == "mod" {
            continue;
        }
        let Some(own) = floor(REFACTOR_FLOORS, room) else {
            complaints.push(format!(
                "src/{path}: the room `{room}` has no floor; give it one in REFACTOR_FLOORS of tests/tidy.rs."
            ));
            continue;
        };
        // From a file right below `refactor`, `super` is `refactor` itself.
        let roots: &[&str] = if source.path.iter().count() == 2 { &["refactor::", "super::"] } else { &["refactor::"] };
        for (line, code) in source.code() {
            for named in named_below(code, roots).into_iter().filter(|named| *named != room) {
                let Some(other) = floor(REFACTOR_FLOORS, named).filter(|other| *other >= own) else { continue };
                complaints.push(format!(
                    "src/{path}:{line}: `{room}` (floor {own}) names `{named}` (floor {other}); what both need belongs \
                     to `analysis` or lower."
                ));
            }
        }
    }
    accept(&complaints);
}

#[test]
fn a_file_says_first_what_lives_in_it() {
    let silent = |source: &&Source| !source.text.starts_with("//! ");
    let complaint = |source: &Source| {
        format!("src/{}: begin it with `//!` and one sentence that says what lives there.", source.path.display())
    };
    accept(&sources().iter().filter(silent).map(complaint).collect::<Vec<_>>());
}

#[test]
fn a_file_can_be_taken_in() {
    let complaint = |source: &Source| {
        let lines = source.text.lines().count();
        let path = source.path.display();
        (lines > MOST_LINES)
            .then(|| format!("src/{path}: {lines} lines, at most {MOST_LINES}; split it by what changes together."))
    };
    accept(&sources().iter().filter_map(complaint).collect::<Vec<_>>());
}

#[test]
fn nothing_is_unwrapped() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let unwrapped = source.code().filter(|(_, code)| code.contains(".unwrap()"));
        complaints.extend(unwrapped.map(|(line, _)| {
            let path = source.path.display();
            format!("src/{path}:{line}: return the error, or say with `expect` why there cannot be one.")
        }));
    }
    accept(&complaints);
}

/// Where files are opened by the standard library's own hands: the one way for all others, what the program writes
/// itself, the null device, and the kernel's lists of processes.
const OPENERS: &[&str] = &[
    "workspace/open.rs",
    "workspace/private_dir.rs",
    "workspace/apply/hands.rs",
    "workspace/apply/journal.rs",
    "workspace/apply/record.rs",
    "workspace/apply/rollback.rs",
    "workspace/shadow.rs",
    "lsp/guard.rs",
    "lsp/stray_processes.rs",
];

#[test]
fn files_are_opened_in_one_way() {
    let mut complaints = Vec::new();
    let is_other = |source: &&Source| !source.is_test() && !OPENERS.iter().any(|path| source.path == Path::new(path));
    for source in sources().iter().filter(is_other) {
        let opens = |code: &str| {
            ["File::open", "OpenOptions", "fs::read(", "fs::read_to_string(", "fs::File;"]
                .iter()
                .any(|it| code.contains(it))
        };
        let opened = source.code().filter(|(_, code)| opens(code));
        complaints.extend(opened.map(|(line, _)| {
            let path = source.path.display();
            format!(
                "src/{path}:{line}: read it by `Disk::read`, `workspace::read_text_of_project` or `workspace::read`, \
                 which wait for no pipe and have a bound."
            )
        }));
    }
    accept(&complaints);
}

/// The only files that start programs: `child.rs` for everybody, the guard, which is what it starts them below, and what
/// starts the daemon, which is to outlive us.
const STARTERS: [&str; 4] = ["lsp/child.rs", "lsp/guard.rs", "daemon/call.rs", "cli/pager.rs"];

#[test]
fn programs_are_started_in_one_way() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        if STARTERS.iter().any(|starter| source.path == Path::new(starter)) {
            continue;
        }
        for (line, _) in
            source.code().filter(|(_, code)| code.contains("Command::new(") || code.contains("process::Command"))
        {
            let path = source.path.display();
            complaints.push(format!(
                "src/{path}:{line}: start programs by `lsp::Program`, so that they have a deadline and never outlive us."
            ));
        }
    }
    accept(&complaints);
}

#[test]
fn rooms_are_seen_wherever_they_are_named() {
    assert_eq!(rooms_named("use crate::text::{AbsPath, Span};"), ["text"]);
    assert_eq!(rooms_named("use crate::{lsp::{self, Server}, plan, text::Text};"), ["lsp", "plan", "text"]);
    assert_eq!(rooms_named("fn f(a: crate::session::Session) -> lspwright::tools::Answer {"), ["session", "tools"]);
    assert_eq!(rooms_named("use super::text;"), [""; 0]);
}
