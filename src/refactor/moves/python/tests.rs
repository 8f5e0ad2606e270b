//! Moves told as cases: the files, the move, and what every changed file reads like afterwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::{ModuleTree, Refused, changes};
use crate::refactor::moves::{Changes, Relocation};
use crate::text::{AbsPath, Text, TextEdits};

mod forms;
mod packages;
mod prose;
mod refusals;
mod roots;
mod run_time;

/// One move. Files are sections `== path`, each followed by its lines.
struct Case {
    files: &'static str,
    from: &'static str,
    to: &'static str,
    /// The changed files by their old paths, `++ path` for created ones, `!! kind path: what` for warnings;
    /// or `refused: …`.
    gives: &'static str,
}

fn at(path: &str) -> AbsPath {
    AbsPath::new(format!("/project/{path}")).unwrap()
}

fn shown(path: &AbsPath) -> String {
    path.relative_to(&at("")).unwrap().as_str().to_owned()
}

fn sections(text: &str) -> BTreeMap<AbsPath, Arc<Text>> {
    let mut files = BTreeMap::new();
    for section in text.split("== ").skip(1) {
        let (path, body) = section.split_once('\n').unwrap_or((section, ""));
        files.insert(at(path.trim()), Arc::new(Text::new(body)));
    }
    files
}

fn plan(files: &BTreeMap<AbsPath, Arc<Text>>, relocation: &Relocation) -> Result<Changes, Refused> {
    let read = |path: &AbsPath| files.get(path).cloned();
    let tree = ModuleTree::new(&at(""), files.keys(), &read);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mentioning = |word: &str| {
        let holds = |text: &Text| text.as_str().split(|c| !is_word(c)).any(|one| one == word);
        files.iter().filter(|(_, text)| holds(text)).map(|(path, _)| path.clone()).collect()
    };
    changes(relocation, &tree, &read, &mentioning)
}

fn relocation(files: &BTreeMap<AbsPath, Arc<Text>>, from: &str, to: &str) -> Relocation {
    let (from, to) = (at(from), at(to));
    if files.contains_key(&from) {
        return Relocation::of_file(from, to);
    }
    let below: Vec<AbsPath> = files.keys().filter(|path| path.is_below(&from)).cloned().collect();
    Relocation::of_directory(from, to, below)
}

fn told(files: &BTreeMap<AbsPath, Arc<Text>>, answer: Result<Changes, Refused>) -> String {
    let changes = match answer {
        Ok(changes) => changes,
        Err(refused) => return format!("refused: {}\n", refused.to_string().replace("/project/", "")),
    };
    let mut told = String::new();
    for (path, edits) in changes.edits {
        let text = &files[&path];
        let after = TextEdits::new(edits).unwrap().apply(text.as_str());
        let _ = write!(told, "== {}\n{after}", shown(&path));
    }
    for path in changes.creates.keys() {
        let _ = writeln!(told, "++ {}", shown(path));
    }
    for warning in changes.warnings {
        let path = warning.path.as_ref().map(shown).unwrap_or_default();
        let _ = writeln!(told, "!! {} {path}: {}", warning.kind.as_str(), warning.message.replace("/project/", ""));
    }
    told
}

fn check(cases: &[(&str, Case)]) {
    let only = std::env::var("CASE").unwrap_or_default();
    let mut wrong = String::new();
    for (name, case) in cases.iter().filter(|(name, _)| name.contains(&only)) {
        let files = sections(case.files);
        let told = told(&files, plan(&files, &relocation(&files, case.from, case.to)));
        if told != case.gives {
            let _ = writeln!(wrong, "## {name}\n-- wanted\n{}-- got\n{told}", case.gives);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
