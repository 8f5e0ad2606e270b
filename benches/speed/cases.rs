//! What is asked, cold and warm, of the raw server and of lspwright in turn.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::lspwright::lsp::Provisioned;
use serde_json::{Value, json};

use crate::conversation::Conversation;
use crate::packages::PACKAGES;
use crate::raw::{self, Spot};
use crate::{Options, lspwright, median};

/// One question about one package.
pub struct Case {
    pub name: &'static str,
    package: &'static str,
    language: &'static str,
    file: &'static str,
    question: Question,
}

enum Question {
    /// The name behind these words is renamed.
    Rename {
        behind: &'static str,
        to: &'static str,
    },
    Move {
        to: &'static str,
    },
}

pub const CASES: &[Case] = &[
    Case {
        name: "rxjs, rename class Observable",
        package: "rxjs",
        language: "typescript",
        file: "src/internal/Observable.ts",
        question: Question::Rename { behind: "export class ", to: "Watchable" },
    },
    Case {
        name: "rxjs, move AsyncAction.ts",
        package: "rxjs",
        language: "typescript",
        file: "src/internal/scheduler/AsyncAction.ts",
        question: Question::Move { to: "src/internal/AsyncAction.ts" },
    },
    Case {
        name: "viem, rename function getAddress",
        package: "viem",
        language: "typescript",
        file: "utils/address/getAddress.ts",
        question: Question::Rename { behind: "export function getAddress(", to: "toAddress" },
    },
    Case {
        name: "viem, move getAddress.ts",
        package: "viem",
        language: "typescript",
        file: "utils/address/getAddress.ts",
        question: Question::Move { to: "utils/getAddress.ts" },
    },
    Case {
        name: "flask, rename function url_for",
        package: "flask",
        language: "python",
        file: "src/flask/helpers.py",
        question: Question::Rename { behind: "def url_for(", to: "link_to" },
    },
    Case {
        name: "flask, move helpers.py",
        package: "flask",
        language: "python",
        file: "src/flask/helpers.py",
        question: Question::Move { to: "src/flask/assistance.py" },
    },
    Case {
        name: "django, rename class HttpResponse",
        package: "django",
        language: "python",
        file: "django/http/response.py",
        question: Question::Rename { behind: "class HttpResponse(", to: "Reply" },
    },
    Case {
        name: "django, move text.py",
        package: "django",
        language: "python",
        file: "django/utils/text.py",
        question: Question::Move { to: "django/utils/prose.py" },
    },
];

/// A case with its places found.
pub struct Ready<'a> {
    case: &'a Case,
    pub root: PathBuf,
    start: Spot,
    /// The re-exports at which the raw server has to be asked again for a complete answer.
    through: Vec<Spot>,
}

/// Runs a case and prints its two rows.
pub fn measure(case: &Case, options: &Options, cache: &Path) -> Result<(), String> {
    let mut ready = Ready::new(case, cache)?;
    let server = raw::provisioned(case.language, &ready.root)?;
    ready.find_reexports(&server)?;
    let (mut cold_raw, mut cold_ours) = (Vec::new(), Vec::new());
    let (mut warm_raw, mut warm_ours) = (Vec::new(), Vec::new());
    let mut edits = (0, 0);
    for round in 0..options.cold.max(1) {
        let start = Instant::now();
        let mut bare = raw::start(&server, case.language, &ready.root, &ready.files())?;
        edits.0 = ready.ask_raw(&mut bare)?;
        cold_raw.push(milliseconds(start));
        let start = Instant::now();
        let mut ours = lspwright::start(&ready.root)?;
        edits.1 = ready.ask_ours(&mut ours)?;
        cold_ours.push(milliseconds(start));
        let is_last = round + 1 == options.cold.max(1);
        for _ in 0..if is_last { options.warm } else { 0 } {
            let start = Instant::now();
            ready.ask_raw(&mut bare)?;
            warm_raw.push(milliseconds(start));
            let start = Instant::now();
            ready.ask_ours(&mut ours)?;
            warm_ours.push(milliseconds(start));
        }
    }
    let row = |sort: &str, (bare, ours): (f64, f64)| {
        println!("| {}, {sort} | {} | {} | {bare:.1} | {ours:.1} | {:.2} |", case.name, edits.0, edits.1, ours / bare);
    };
    row("cold", (median(cold_raw), median(cold_ours)));
    row("warm", (median(warm_raw), median(warm_ours)));
    Ok(())
}

impl<'a> Ready<'a> {
    pub fn new(case: &'a Case, cache: &Path) -> Result<Self, String> {
        let package = PACKAGES.iter().find(|package| package.name == case.package).ok_or("no such package")?;
        let root = package.fetch(cache)?;
        let root = root.canonicalize().map_err(|error| error.to_string())?;
        let file = root.join(case.file);
        let behind = match case.question {
            Question::Rename { behind, .. } => behind,
            Question::Move { .. } => "",
        };
        Ok(Self { case, root, start: spot(file, behind)?, through: Vec::new() })
    }

    /// Asks until no answer has another re-export (`new as old`): what a complete rename takes.
    fn find_reexports(&mut self, server: &Provisioned) -> Result<(), String> {
        let Question::Rename { to, .. } = self.case.question else { return Ok(()) };
        loop {
            let mut bare = raw::start(server, self.case.language, &self.root, &self.files())?;
            let mut found = Vec::new();
            for spot in self.spots() {
                found.extend(raw::reexports(&raw::rename(&mut bare, spot, to)?, to));
            }
            found.retain(|spot| !self.spots().any(|known| known == spot));
            found.sort();
            found.dedup();
            if found.is_empty() {
                return Ok(());
            }
            self.through.extend(found);
        }
    }

    /// The places to ask at.
    fn spots(&self) -> impl Iterator<Item = &Spot> {
        std::iter::once(&self.start).chain(&self.through)
    }

    /// The files that the raw client has to open.
    fn files(&self) -> Vec<&Path> {
        self.spots().map(|spot| spot.file.as_path()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn ask_raw(&self, talk: &mut Conversation) -> Result<usize, String> {
        match self.case.question {
            Question::Rename { to, .. } => {
                let mut places = BTreeSet::new();
                for spot in self.spots() {
                    places.extend(raw::places(&raw::rename(talk, spot, to)?));
                }
                Ok(places.len())
            }
            Question::Move { to } => {
                let files = json!([{ "oldUri": raw::uri(&self.start.file), "newUri": raw::uri(&self.root.join(to)) }]);
                Ok(raw::places(&talk.request("workspace/willRenameFiles", &json!({ "files": files }))?).len())
            }
        }
    }

    /// Returns the words by which a shell asks for the same rename; nothing where it is a move.
    pub fn command_line(&self) -> Option<Vec<String>> {
        let Question::Rename { to, .. } = self.case.question else { return None };
        let (line, character) = (self.start.line + 1, self.start.character + 1);
        let place = format!("{}:{line}:{character}", self.case.file);
        Some(["rename", &place, to, "--output", "json"].map(str::to_owned).to_vec())
    }

    pub fn ask_ours(&self, talk: &mut Conversation) -> Result<usize, String> {
        let plan: Value = match self.case.question {
            Question::Rename { to, .. } => {
                let arguments = json!({
                    "projectRoot": self.root, "filePath": self.start.file, "line": self.start.line,
                    "character": self.start.character, "newName": to,
                });
                lspwright::call(talk, "planRenameSymbol", &arguments)?
            }
            Question::Move { to } => {
                let arguments = json!({ "projectRoot": self.root, "oldPath": self.case.file, "newPath": to });
                lspwright::call(talk, "planFileMove", &arguments)?
            }
        };
        Ok(lspwright::count_edits(&plan))
    }
}

/// Finds the name behind some words.
pub fn spot(file: PathBuf, behind: &str) -> Result<Spot, String> {
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let start = text.find(behind).ok_or_else(|| format!("no `{behind}` in {}", file.display()))?;
    let offset = start + behind.trim_end_matches('(').rfind(' ').map_or(0, |space| space + 1);
    let line = text[..offset].matches('\n').count() as u64;
    let character = text[..offset].rsplit('\n').next().map_or(0, |line| line.encode_utf16().count()) as u64;
    Ok(Spot { file, line, character })
}

pub fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}
