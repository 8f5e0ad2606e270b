//! One package with a warm session: plans are asked for, laid under the next question, and taken back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lspwright::plan::Plan;
use lspwright::text::{AbsPath, TextEdit};

use super::{library, padding};
use crate::engine::{Answer, Library};
use crate::packages::Package;
use crate::tree::copy_tree;
use crate::trials::{Choices, Chosen};

/// What the engine said.
pub enum Reply {
    Plan(Plan),
    Refused(String),
    Failed(String),
}

/// A package's copy that plans are made for and applied to.
pub struct Ground {
    pub root: AbsPath,
    /// The same package with a hundred files more, where a law asks for it.
    pub padded: Option<AbsPath>,
    pub choices: Choices,
    pub library: Library,
    /// So many places of a plan are asked from, at most.
    pub places: usize,
    /// The plan that the copy has been put through.
    standing: Option<Plan>,
}

/// The edits of a plan by paths below its root.
pub type Shape<'a> = BTreeMap<String, Vec<&'a TextEdit>>;

impl Ground {
    pub fn make(package: &Package, cache: &Path, pads: bool) -> Result<Self, String> {
        let pristine = package.fetch(cache)?;
        let directory = cache.join("work").join(format!("laws-{}", package.name.replace('/', "-")));
        let root = copy(&pristine, &directory.join("project"))?;
        let choices = Choices::read(package, root.as_path());
        let mut padded = None;
        if pads {
            let copied = copy(&pristine, &directory.join("padded"))?;
            padding::add(package, copied.as_path(), &choices)?;
            padded = Some(copied);
        }
        let library = library(&root)?;
        Ok(Self { root, padded, choices, library, places: 0, standing: None })
    }

    /// Asks for a rename where it was chosen.
    pub fn ask(&self, chosen: &Chosen, new: &str) -> Reply {
        self.ask_at((&chosen.path, chosen.offset), (&chosen.old, new))
    }

    pub fn ask_at(&self, place: (&Path, usize), names: (&str, &str)) -> Reply {
        reply(self.library.rename(&self.root, place, names))
    }

    /// Asks for a rename at the same place of the padded copy.
    pub fn ask_padded(&self, chosen: &Chosen, new: &str) -> Option<Reply> {
        let padded = self.padded.as_ref()?;
        let inner = chosen.path.strip_prefix(self.root.as_path()).ok()?;
        let path = padded.as_path().join(inner);
        Some(reply(self.library.rename(padded, (&path, chosen.offset), (&chosen.old, new))))
    }

    /// Puts the copy through a plan, or back to what it was.
    pub fn stand_on(&mut self, plan: Option<&Plan>) -> Result<(), String> {
        if self.standing.as_ref() == plan {
            return Ok(());
        }
        for (path, file) in self.standing.take().iter().flat_map(Plan::edits) {
            write(path, &file.before.encode())?;
        }
        for (path, file) in plan.iter().flat_map(|plan| plan.edits()) {
            write(path, &file.after().encode())?;
        }
        self.standing = plan.cloned();
        Ok(())
    }

    /// Writes a rename as a command asks for it.
    pub fn describe(&self, chosen: &Chosen) -> String {
        let place = self.place(&chosen.path, chosen.offset);
        format!("[{}] rename {place} {} -> {}", chosen.kind.name(), chosen.old, chosen.fresh[0])
    }

    /// Writes a place as compilers do, 1-based.
    pub fn place(&self, path: &Path, offset: usize) -> String {
        let text = fs::read_to_string(path).unwrap_or_default();
        let before = text.get(..offset).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", self.choices.relative(path))
    }
}

/// Returns a plan's edits by paths below `root`.
pub fn shape<'a>(plan: &'a Plan, root: &AbsPath) -> Shape<'a> {
    let inner = |path: &AbsPath| path.relative_to(root).map_or_else(|| path.to_string(), |path| path.to_string());
    plan.edits().iter().map(|(path, file)| (inner(path), file.edits.iter().collect())).collect()
}

/// Tells what two plans do not share, where they differ: the first few edits of each that the other lacks.
pub fn difference(one: &Shape<'_>, other: &Shape<'_>) -> Option<String> {
    let mut told = Vec::new();
    for (mark, mine, theirs) in [("only the first", one, other), ("only the second", other, one)] {
        for (path, edits) in mine {
            let has = |edit: &&&TextEdit| theirs.get(path).is_some_and(|found| found.contains(edit));
            told.extend(
                edits
                    .iter()
                    .filter(|edit| !has(edit))
                    .map(|edit| format!("  {mark}: {path} at byte {} -> `{}`", edit.span.start, edit.new_text)),
            );
        }
    }
    let total = told.len();
    told.truncate(12);
    (total > 0).then(|| format!("{}\n  ({total} edits differ)", told.join("\n")))
}

fn reply(answer: Answer) -> Reply {
    match answer {
        Answer::Plan(plan) | Answer::Flagged(plan, _) => Reply::Plan(*plan),
        Answer::Refused(reason) => Reply::Refused(reason),
        Answer::Failed(reason) => Reply::Failed(reason),
    }
}

fn copy(pristine: &Path, to: &Path) -> Result<AbsPath, String> {
    let _ = fs::remove_dir_all(to);
    copy_tree(pristine, to).map_err(|error| format!("{}: {error}", to.display()))?;
    AbsPath::new(to).map_err(|error| error.to_string())
}

fn write(path: &AbsPath, bytes: &[u8]) -> Result<(), String> {
    fs::write(path.as_path(), bytes).map_err(|error| format!("{path}: {error}"))
}
