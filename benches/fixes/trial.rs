//! One package, broken and mended: what became of each damage, and whether anything is worse than before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lspwright::lsp::Guard;
use lspwright::syntax::whole_words;
use lspwright::tools::actions::{Places, ProblemsArgs, found};
use lspwright::tools::{self, Answer, Context, Projects, Setup, Sink, Trust};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::damage::{Damage, Kind, damage};
use crate::names::imports;
use crate::random::Random;
use crate::subjects::Subject;
use crate::tree::{copy_tree, files_below};

/// What became of the damages of one kind.
#[derive(Default)]
pub struct Outcome {
    pub made: usize,
    /// No server finds them.
    pub unnoticed: usize,
    /// As before the damage.
    pub restored: usize,
    /// In another way, and nothing new is found.
    pub otherwise: usize,
    /// The check refused the plan for the file.
    pub caught: usize,
    /// A plan was accepted, and something is found in the file that was not found before the damage.
    pub wrong: usize,
    pub left: usize,
    /// So much is found that was found neither before the damage nor behind it.
    pub new: usize,
    pub details: Vec<String>,
}

/// A copy of a package that lspwright has open, as its faces do.
pub struct Ground<'a> {
    pub subject: &'a Subject,
    pub pristine: PathBuf,
    pub root: PathBuf,
    runtime: Runtime,
    context: Context,
}

/// What is found, so that it is known again behind edits: file, code, message; how often.
type Found = BTreeMap<(String, String, String), usize>;

/// More plans one after the other are not made.
const MOST_PLANS: usize = 8;

impl Ground<'_> {
    /// Breaks things of one kind, mends what can be mended, and looks at what became of it; the copy is whole again then.
    pub fn run(&mut self, kind: Kind, n: usize, seed: u64) -> Result<Outcome, String> {
        self.restore()?;
        let before = self.problems()?;
        let mut random = Random::new(seed, &format!("{} {}", self.subject.name, kind.name()));
        let damages = damage(self.subject, &self.root, (kind, n), &mut random);
        let damaged = self.problems()?;
        let flagged = self.mend(kind)?;
        let after = self.problems()?;
        let mut outcome = Outcome { made: damages.len(), ..Outcome::default() };
        let names = damages.iter().map(|it| it.name.clone()).collect();
        let round = Round { kind, names, before, damaged, after, flagged };
        for damage in &damages {
            self.judge(&round, damage, &mut outcome);
        }
        let new = round.worse();
        outcome.new = new.len();
        outcome.details.extend(new.into_iter().map(|it| format!("{} new: {it}", self.subject.name)));
        Ok(outcome)
    }

    /// Counts what became of one damage.
    fn judge(&self, round: &Round, damage: &Damage, outcome: &mut Outcome) {
        let file = self.shown(&damage.file);
        let new = round.new_in(&file);
        let refused = round.flagged.get(&file);
        let word = match self.stands(round.kind, damage) {
            Stands::Broken if !round.is_noticed(&file, damage) => tally(&mut outcome.unnoticed, "nobody finds it"),
            Stands::Broken if refused.is_some() => tally(&mut outcome.caught, "caught"),
            Stands::Broken => tally(&mut outcome.left, "left"),
            Stands::AsBefore => return outcome.restored += 1,
            Stands::Otherwise if new.is_some() => tally(&mut outcome.wrong, "wrong"),
            Stands::Otherwise => tally(&mut outcome.otherwise, "otherwise"),
        };
        let why = match word {
            "wrong" => new.unwrap_or_default(),
            "caught" => refused.cloned().unwrap_or_default(),
            _ => String::new(),
        };
        let (package, name, was) = (self.subject.name, &damage.name, &damage.was);
        outcome.details.push(format!("{package} {file}: {word}: {name} ({was}) {why}"));
    }

    pub fn restore(&self) -> Result<(), String> {
        for file in files_below(&self.pristine, self.subject.language.extensions()) {
            let there = self.root.join(file.strip_prefix(&self.pristine).expect("it lies below"));
            let text = fs::read(&file).map_err(|error| error.to_string())?;
            if fs::read(&there).ok().as_ref() != Some(&text) {
                fs::write(&there, text).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// Calls a tool, and returns its answer as a whole.
    pub fn call(&mut self, tool: &str, mut arguments: Value) -> Result<Value, String> {
        arguments["projectRoot"] = json!(self.root);
        let row = tools::tool(tool).ok_or("no such tool")?;
        let answer = self.runtime.block_on((row.run)(&self.context, arguments)).map_err(|error| error.to_string())?;
        match answer {
            Answer::Lists(lists) => Ok(lists),
            Answer::Whole(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
            Answer::Toon { head, .. } => Ok(head),
        }
    }

    /// Asks for all that is found in the sources, with its places.
    pub fn listed(&mut self) -> Result<Vec<Value>, String> {
        let asked = json!({ "projectRoot": self.root, "paths": [self.subject.sources], "severity": "hint" });
        let asked: ProblemsArgs = serde_json::from_value(asked).map_err(|error| error.to_string())?;
        let found = self.runtime.block_on(found(&self.context, &asked)).map_err(|error| error.to_string())?;
        let listed = serde_json::to_value(found.answer(Places::Listed)).map_err(|error| error.to_string())?;
        Ok(listed["problems"].as_array().cloned().unwrap_or_default())
    }

    fn problems(&mut self) -> Result<Found, String> {
        let mut found = Found::new();
        for problem in self.listed()? {
            let word = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
            let path = self.shown(Path::new(&word("filePath")));
            *found.entry((path, word("code"), word("message"))).or_default() += 1;
        }
        Ok(found)
    }

    /// Plans and applies until nothing changes; returns the files whose plans the check refused, each with what it would bring.
    fn mend(&mut self, kind: Kind) -> Result<BTreeMap<String, String>, String> {
        let mut flagged = BTreeMap::new();
        let files = files_below(&self.root.join(self.subject.sources), self.subject.language.extensions());
        let mut open: Vec<String> = files.iter().map(|it| self.shown(it)).collect();
        for _ in 0..MOST_PLANS {
            let (changed, refused) = self.plan(kind, &open)?;
            if changed.is_empty() {
                break;
            }
            if refused.is_none() {
                continue;
            }
            for file in &changed {
                if let Some(why) = self.plan(kind, std::slice::from_ref(file))?.1 {
                    flagged.insert(file.clone(), why);
                }
            }
            open.retain(|file| !flagged.contains_key(file));
        }
        Ok(flagged)
    }

    /// Plans fixes in files and applies them unless the check speaks against them; returns what the plan changes, and what
    /// it would bring, where it was refused.
    fn plan(&mut self, kind: Kind, files: &[String]) -> Result<(Vec<String>, Option<String>), String> {
        let fixes = kind.fixes(self.subject.language);
        let asked = json!({ "paths": files, "fixes": fixes, "verify": "diagnostics", "detail": "summary" });
        let planned = self.call("planFix", asked)?;
        let changes = planned["changes"].as_array().into_iter().flatten();
        let changed: Vec<String> = changes.filter_map(|it| Some(it["file"].as_str()?.to_owned())).collect();
        let verification = &planned["verification"];
        let told = || verification["newProblems"][0]["message"].as_str().unwrap_or_default().to_owned();
        let refused = (verification["status"] == "regressed").then(told);
        if !changed.is_empty() && refused.is_none() {
            self.call("applyPlan", json!({ "planId": planned["planId"] }))?;
        }
        Ok((changed, refused))
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// Tells what stands where something was broken.
    fn stands(&self, kind: Kind, damage: &Damage) -> Stands {
        let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let text = read(&damage.file);
        let old = read(&self.pristine.join(damage.file.strip_prefix(&self.root).expect("it lies below")));
        match kind {
            Kind::DeletedImport => {
                let found = imports(self.subject.language, &text).into_iter().find(|it| it.name == damage.name);
                match found {
                    None => Stands::Broken,
                    Some(import) if import.source == damage.was => Stands::AsBefore,
                    Some(_) => Stands::Otherwise,
                }
            }
            Kind::MisspeltName => match (whole_words(&text, &damage.name).len(), &damage.was) {
                (0, was) if whole_words(&text, was).len() == whole_words(&old, was).len() => Stands::AsBefore,
                (0, _) => Stands::Otherwise,
                _ => Stands::Broken,
            },
            Kind::UnusedImport if !whole_words(&text, &damage.name).is_empty() => Stands::Broken,
            Kind::UnusedImport if imports_of(self.subject, &old).is_superset(&imports_of(self.subject, &text)) => {
                Stands::AsBefore
            }
            Kind::UnusedImport => Stands::Otherwise,
        }
    }
}

/// What stands at a place.
enum Stands {
    Broken,
    AsBefore,
    Otherwise,
}

fn imports_of(subject: &Subject, text: &str) -> BTreeSet<(String, String)> {
    imports(subject.language, text).into_iter().map(|it| (it.name, it.source)).collect()
}

fn tally(count: &mut usize, word: &'static str) -> &'static str {
    *count += 1;
    word
}

/// What was found at each step.
struct Round {
    kind: Kind,
    /// What the damages are called.
    names: BTreeSet<String>,
    before: Found,
    damaged: Found,
    after: Found,
    /// Files whose plans the check refused, each with what the plan would bring.
    flagged: BTreeMap<String, String>,
}

impl Round {
    /// Tells whether a server finds a damage.
    fn is_noticed(&self, file: &str, damage: &Damage) -> bool {
        self.damaged.iter().any(|(key, count)| {
            let is_about = key.0 == file && !whole_words(&key.2, &damage.name).is_empty();
            is_about && count > self.before.get(key).unwrap_or(&0)
        })
    }

    /// Tells whether a message is about a damage, which may be left.
    fn is_about_damage(&self, message: &str) -> bool {
        self.names.iter().any(|name| !whole_words(message, name).is_empty())
    }

    /// One thing that is found in a file now, and was not before the damage, other damages aside.
    fn new_in(&self, file: &str) -> Option<String> {
        let new = self.after.iter().filter(|(key, count)| *count > self.before.get(key).unwrap_or(&0));
        let mut new = new.filter(|((.., message), _)| !self.is_about_damage(message));
        new.find(|((path, ..), _)| path == file).map(|((_, code, message), _)| format!("{code} {message}"))
    }

    /// What is found now and was not before, neither with the damages nor without, apart from what is about them.
    fn worse(&self) -> Vec<String> {
        let mut new = Vec::new();
        for (key, count) in &self.after {
            let known = self.before.get(key).unwrap_or(&0).max(self.damaged.get(key).unwrap_or(&0));
            let (file, code, message) = key;
            if count > known && !self.is_about_damage(message) {
                new.push(format!("{file}: {code} {message}"));
            }
        }
        new
    }
}

/// Copies a package to where it may be broken, and opens it.
pub fn ground<'a>(subject: &'a Subject, cache: &Path, trust: Trust) -> Result<Ground<'a>, String> {
    let pristine = subject.fetch(cache)?.canonicalize().map_err(|error| error.to_string())?;
    let root = cache.join("broken").join(subject.name.replace('/', "-"));
    let _ = fs::remove_dir_all(&root);
    copy_tree(&pristine, &root).map_err(|error| error.to_string())?;
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let guard = Guard::at(env!("CARGO_BIN_EXE_lspwright"));
    let projects = Arc::new(Projects::new(Setup { guard, ..Setup::of_process(trust) }));
    let context = Context {
        projects,
        sink: Arc::new(Silent),
        around: Vec::new(),
        command: None,
        desk: Arc::default(),
        cancelled: CancellationToken::new(),
        entered: Arc::default(),
    };
    let runtime = Runtime::new().map_err(|error| error.to_string())?;
    Ok(Ground { subject, pristine, root, runtime, context })
}

impl Drop for Ground<'_> {
    fn drop(&mut self) {
        self.runtime.block_on(self.context.projects.close());
    }
}

/// Hears what servers tell while they work, and says nothing.
struct Silent;

impl Sink for Silent {
    fn note(&self, _note: &str) {}
}
