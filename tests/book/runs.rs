//! Runs that a page shows: the commands are run, and what they print is what stands there.
//!
//! A block of the language `console` below `<!-- run in fixtures/NAME -->` is run in a copy of that fixture; the blocks
//! of a page share the copy. `<!-- run in fixtures/NAME, 8 lines -->` shows so many lines of each output.

use std::collections::BTreeMap;

use crate::faces::Project;
use crate::refactorings::words;

const FIXTURES: [&str; 4] = ["python-shop", "ts-app", "ts-monorepo", "js-commonjs"];

/// How much of an output is shown.
struct Marker {
    fixture: &'static str,
    most: usize,
}

/// Returns a page with what its commands print today, or nothing where it shows no run.
pub(super) fn again(page: &str) -> Option<String> {
    let mut projects: BTreeMap<&'static str, Project> = BTreeMap::new();
    let mut lines = page.lines();
    let mut text = String::new();
    while let Some(line) = lines.next() {
        text += &format!("{line}\n");
        let Some(marker) = marker(line) else { continue };
        let fence = lines.by_ref().find(|line| !line.is_empty()).expect("a block follows");
        assert_eq!(fence, "```console", "a block of the language `console` follows {line}");
        let commands: Vec<&str> =
            lines.by_ref().take_while(|line| *line != "```").filter(|line| line.starts_with("$ lspwright ")).collect();
        let project = projects.entry(marker.fixture).or_insert_with(|| Project::of(marker.fixture));
        let shown: Vec<String> = commands.iter().map(|command| run(project, &marker, command)).collect();
        text += &format!("\n```console\n{}```\n", shown.join("\n"));
    }
    (!projects.is_empty()).then_some(text)
}

fn marker(line: &str) -> Option<Marker> {
    let inner = line.strip_prefix("<!-- run in fixtures/")?.strip_suffix(" -->")?;
    let (name, most) = inner.split_once(", ").unwrap_or((inner, ""));
    let fixture = FIXTURES.into_iter().find(|fixture| *fixture == name).expect("the fixture is known");
    let most = most.strip_suffix(" lines").map_or(usize::MAX, |number| number.parse().expect("a number of lines"));
    Some(Marker { fixture, most })
}

/// Runs one command and returns it with what it says: remarks behind the result, as a terminal has them.
fn run(project: &Project, marker: &Marker, line: &str) -> String {
    let command = line.strip_prefix("$ lspwright ").expect("it is a command of ours");
    let command = command.split(" # ").next().unwrap_or(command).trim_end();
    let words = words(command);
    let ran = project.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let root = project.root();
    let read = |said: &str| -> Vec<String> {
        let said = said.replace(root.to_str().unwrap(), &format!("~/{}", marker.fixture));
        said.lines().map(|line| with_fixed_ids(line).trim_end().to_owned()).collect()
    };
    let (mut result, mut remarks) = (read(&ran.stdout), read(&ran.stderr));
    cut(&mut result, marker.most.saturating_sub(remarks.len()));
    cut(&mut remarks, marker.most);
    [vec![line.to_owned()], result, remarks].concat().iter().map(|line| format!("{line}\n")).collect()
}

/// Leaves so many lines, and a sign where there are more.
fn cut(lines: &mut Vec<String>, most: usize) {
    if lines.len() > most {
        lines.truncate(most);
        lines.push("…".to_owned());
    }
}

/// Replaces the identities of plans, which hang on where the project lies, by one that stays.
pub(crate) fn with_fixed_ids(line: &str) -> String {
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let words = line.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let fixed = words.map(|word| {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if bare.len() == 16 && bare.chars().all(is_hex) {
            word.replace(bare, "03c060395d394ec6")
        } else {
            word.to_owned()
        }
    });
    fixed.collect()
}
