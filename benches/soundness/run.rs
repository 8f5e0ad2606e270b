//! Runs the trials of one package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lspwright::plan::{Plan, WarningKind};
use lspwright::syntax::{self, Language};
use lspwright::text::AbsPath;

use crate::checker::{Checker, Problem, Tree};
use crate::compare::{Renaming, new_problems};
use crate::declarations::Kind;
use crate::engine::{Answer, Planner};
use crate::packages::{Family, Package, Tools};
use crate::random::Random;
use crate::report::{Outcome, Report};
use crate::suite::Suite;
use crate::tree::{Copies, Touched, files_below};
use crate::trials::{Choices, Trial};
use crate::{Options, Sort};

/// What all packages share.
pub struct Bench<'a> {
    pub options: &'a Options,
    pub tools: &'a Tools,
    pub cache: &'a Path,
    /// How many trials each package gets.
    pub trials: usize,
}

/// One package with everything warm.
struct Room {
    copies: Copies,
    choices: Choices,
    checker: Checker,
    suite: Option<Suite>,
    planner: Planner,
    /// Every file that the checker could be asked about, relative to the root, with its text.
    texts: Vec<(PathBuf, String)>,
    is_whole: bool,
}

/// What became of a trial, with what there is to tell.
struct Tried {
    outcome: Outcome,
    story: String,
    /// Seconds.
    planning: f32,
}

/// So many places are tried for one refactoring.
const ATTEMPTS: usize = 24;
/// Unless everything is to be checked: of the files that mention one of the names, so many are, chosen at
/// random; beside them, all that the plan touches.
const MENTIONING: usize = 60;

impl Bench<'_> {
    pub fn package(&self, package: &Package, report: &mut Report) -> Result<(), String> {
        let start = Instant::now();
        let mut room = self.room(package)?;
        println!("{} {}: ready after {:.1} s", package.name, package.version, start.elapsed().as_secs_f32());
        let numbers = self.options.trial.map_or(0..self.trials, |number| number..number + 1);
        for number in numbers {
            let mut random = Random::new(self.options.seed.wrapping_mul(1_000_003) + number as u64, package.name);
            // A refactoring is asked for at one place after the other until there is a plan.
            let attempts = if self.options.only == Some(Sort::Refactorings) { ATTEMPTS } else { 1 };
            for _ in 0..attempts {
                let Some(trial) = self.choose(&room.choices, number, &mut random) else { continue };
                if self.attempt(package, (&mut room, report), (number, &trial), &mut random)? != Outcome::Refused {
                    break;
                }
            }
        }
        Ok(())
    }

    fn choose(&self, choices: &Choices, number: usize, random: &mut Random) -> Option<Trial> {
        match self.options.only {
            None => choices.trial(number, random),
            Some(Sort::Renames) => choices.rename_only(number, random),
            Some(Sort::Moves) => choices.move_only(number, random),
            Some(Sort::Refactorings) => choices.refactoring(number, random),
        }
    }

    fn attempt(
        &self,
        package: &Package,
        (room, report): (&mut Room, &mut Report),
        (number, trial): (usize, &Trial),
        random: &mut Random,
    ) -> Result<Outcome, String> {
        let start = Instant::now();
        let Tried { outcome, story, planning } = room.run(trial, random)?;
        report.count(package.language, trial.kind(), outcome);
        let head = format!("{} {} #{number} {}", outcome.name(), package.name, room.describe(trial));
        println!("{:6.1} s, {planning:5.1} s to plan  {head}", start.elapsed().as_secs_f32());
        if outcome != Outcome::Sound || self.options.trial.is_some() {
            report.tell(&format!("{head}\n{story}"));
        }
        Ok(outcome)
    }

    fn room(&self, package: &Package) -> Result<Room, String> {
        let pristine = package.fetch(self.cache)?;
        let directory = self.cache.join("work").join(package.name.replace('/', "-"));
        let copies = Copies::make(&pristine, &directory)?;
        let checker = Checker::start(package, self.tools, copies.applied.as_path())?;
        let applied = copies.applied.as_path();
        let suite = if self.options.tests { Suite::start(package, self.tools, applied)? } else { None };
        let choices = Choices::read(package, copies.planned.as_path());
        let planner = Planner::open(self.options, &copies.planned)?;
        let extensions: &[&str] = match package.language {
            Family::Python => &["py", "pyi"],
            Family::TypeScript | Family::JavaScript => &["ts", "tsx", "js"],
            Family::Solidity => &["sol"],
        };
        let text_of = |path: PathBuf| {
            let text = fs::read_to_string(&path).ok()?;
            Some((path.strip_prefix(copies.planned.as_path()).ok()?.to_path_buf(), text))
        };
        let texts = files_below(copies.planned.as_path(), extensions).into_iter().filter_map(text_of).collect();
        Ok(Room { copies, choices, checker, suite, planner, texts, is_whole: self.options.whole })
    }
}

impl Room {
    /// Plans, applies, checks and restores.
    fn run(&mut self, trial: &Trial, random: &mut Random) -> Result<Tried, String> {
        let start = Instant::now();
        let answer = self.planner.plan(trial);
        let planning = start.elapsed().as_secs_f32();
        let (outcome, story) = self.check(trial, answer, random)?;
        Ok(Tried { outcome, story, planning })
    }

    fn check(&mut self, trial: &Trial, answer: Answer, random: &mut Random) -> Result<(Outcome, String), String> {
        let (plan, flagged) = match answer {
            Answer::Failed(reason) => return Ok((Outcome::Failed, reason)),
            Answer::Refused(reason) => {
                let is_taken = matches!(trial, Trial::Rename { is_taken: true, .. });
                return Ok((if is_taken { Outcome::RefusedTaken } else { Outcome::Refused }, reason));
            }
            Answer::Flagged(plan, problems) => (plan, Some(problems)),
            Answer::Plan(plan) => (plan, None),
        };
        if let Some(missing) = self.planner.is_real().then(|| missing(trial, &plan)).flatten() {
            return Ok((Outcome::Unsound, missing));
        }
        let files = self.files_to_check(trial, &plan, random);
        let before = self.checker.baseline(&files)?;
        let touched = self.copies.apply(&plan).map_err(|error| format!("applying: {error}"))?;
        let after: BTreeSet<PathBuf> =
            files.iter().map(|file| place_after(file, &touched)).filter(|file| file.exists()).collect();
        let found = self.checker.ask(&touched, &after, Tree::Changed)?;
        let renaming = self.renaming(trial, &touched);
        let mut new = new_problems(&before, &found, &renaming);
        let failures = self.suite.as_ref().map_or(Ok(Vec::new()), Suite::new_failures)?;
        self.copies.restore(&touched).map_err(|error| format!("restoring: {error}"))?;
        self.checker.restored(touched)?;
        // What a checker reports can depend on the order in which it looks at the files.
        if !new.is_empty() {
            let again = self.checker.ask(&Touched::default(), &files, Tree::Changed)?;
            new = new_problems(&again, &found, &renaming);
        }
        new.extend(failures);
        Ok(judge(&plan, &new, flagged))
    }

    /// The files of the second copy, by their paths before, whose problems are compared.
    fn files_to_check(&self, trial: &Trial, plan: &Plan, random: &mut Random) -> BTreeSet<PathBuf> {
        let applied = |file: &PathBuf| self.copies.applied.as_path().join(file);
        if self.is_whole {
            return self.texts.iter().map(|(file, _)| applied(file)).collect();
        }
        let words = words(trial);
        let mentions = |text: &str| words.iter().any(|word| text.contains(word.as_str()));
        let mut mentioning: Vec<_> =
            self.texts.iter().filter(|(_, text)| mentions(text)).map(|(file, _)| file).collect();
        while mentioning.len() > MENTIONING {
            mentioning.swap_remove(random.below(mentioning.len()));
        }
        let endings = ["py", "pyi", "ts", "tsx", "js", "sol"];
        let is_source =
            |path: &PathBuf| path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one));
        let touched = plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys());
        let touched = touched.map(|path| self.copies.in_applied(path)).filter(is_source);
        mentioning.into_iter().map(applied).chain(touched).collect()
    }

    fn renaming(&self, trial: &Trial, touched: &Touched) -> Renaming {
        let root = self.copies.applied.as_path();
        let relative = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        let mut came_from: BTreeMap<String, String> =
            touched.came_from.iter().map(|(to, from)| (relative(to), relative(from))).collect();
        if matches!(trial, Trial::Refactor(_)) {
            // Code can go from one of the touched files to another, with the problems that it has.
            let all = touched.changed.iter().chain(&touched.created).chain(&touched.deleted);
            came_from.extend(all.map(|path| (relative(path), "·".to_owned())));
        }
        Renaming { words: words(trial), is_move: matches!(trial, Trial::Move { .. }), came_from }
    }

    /// Returns the trial as the command that asks for it.
    fn describe(&self, trial: &Trial) -> String {
        match trial {
            Trial::Rename { kind, path, offset, old, new, is_taken } => {
                let text = fs::read_to_string(path).unwrap_or_default();
                let before = &text[..(*offset).min(text.len())];
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                let taken = if *is_taken { " (taken)" } else { "" };
                format!(
                    "[{}] rename {}:{line}:{column} {old} -> {new}{taken}",
                    kind.name(),
                    self.choices.relative(path)
                )
            }
            Trial::Move { kind, from, to } => {
                format!("[{}] move {} {}", kind.name(), self.choices.relative(from), self.choices.relative(to))
            }
            Trial::Refactor(attempt) => format!("refactor {} {} {}", attempt.name, attempt.target, attempt.params),
        }
    }
}

/// The words that a plan for the trial exchanges for one another.
fn words(trial: &Trial) -> Vec<String> {
    match trial {
        Trial::Rename { old, new, .. } => vec![old.clone(), new.clone()],
        Trial::Move { from, to, .. } => {
            let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            vec![stem(from), stem(to)]
        }
        Trial::Refactor(attempt) => {
            let is_name = |text: &&String| text.chars().all(|one| one.is_alphanumeric() || one == '_');
            Some(&attempt.text).filter(is_name).filter(|text| text.len() > 2).cloned().into_iter().collect()
        }
    }
}

/// Returns what a plan lacks before any checker looks at it.
fn missing(trial: &Trial, plan: &Plan) -> Option<String> {
    match trial {
        Trial::Rename { path, offset, .. } => {
            let edit = plan.edits().iter().find(|(edited, _)| edited.as_path() == path);
            let is_renamed = edit.is_some_and(|(_, edit)| edit.edits.iter().any(|edit| edit.span.touches(*offset)));
            (!is_renamed).then(|| "the place that was asked for stays as it is".to_owned())
        }
        Trial::Move { kind: Kind::Module, from, to } => {
            let is_moved = plan.moves().iter().any(|(one, step)| one.as_path() == from && step.to.as_path() == to);
            (!is_moved).then(|| "the file stays where it is".to_owned())
        }
        Trial::Move { from, .. } => {
            let stays = plan.moves().keys().filter(|path| path.as_path().starts_with(from)).count() < count_files(from);
            stays.then(|| "not every file of the directory moves".to_owned())
        }
        Trial::Refactor(_) => None,
    }
}

fn count_files(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { count_files(&entry.path()) } else { 1 }).sum()
}

fn place_after(file: &PathBuf, touched: &Touched) -> PathBuf {
    let moved = touched.came_from.iter().find(|(_, from)| *from == file);
    moved.map_or_else(|| file.clone(), |(to, _)| to.clone())
}

fn judge(plan: &Plan, new: &[Problem], flagged: Option<Vec<String>>) -> (Outcome, String) {
    let mut story = format!("{} files edited, {} moved\n", plan.edits().len(), plan.moves().len());
    for warning in plan.warnings().iter().take(10) {
        let place = warning.path.as_ref().map_or("", |path| path.as_str());
        story += &format!("  warning {}: {} {place}\n", warning.kind.as_str(), warning.message);
    }
    for problem in new.iter().take(8) {
        story += &format!(
            "  new: {}:{} {} {}\n",
            problem.file,
            problem.line,
            problem.code,
            problem.message.replace('\n', " ")
        );
    }
    for problem in flagged.iter().flatten().take(8) {
        story += &format!("  flagged: {problem}\n");
    }
    let outcome = match (new.is_empty(), flagged.is_some()) {
        (false, false) if new.iter().all(|problem| is_told(plan, problem)) => Outcome::Told,
        (true, false) => Outcome::Sound,
        (true, true) => Outcome::FalseAlarm,
        (false, true) => Outcome::Flagged,
        (false, false) => Outcome::Unsound,
    };
    (outcome, story)
}

/// Tells whether a test fails, and the plan's warnings say what may be the reason: code that mentions the name and is not
/// changed, because nothing types what it uses, or a name that the program puts together as it runs.
fn is_told(plan: &Plan, problem: &Problem) -> bool {
    let is_code =
        |path: &AbsPath| Language::of_path(path).is_some_and(|language| language.family() != syntax::Family::Data);
    let mut told = plan.warnings().iter().filter(|warning| match warning.kind {
        WarningKind::Mentioned => warning.path.as_ref().is_none_or(is_code),
        kind => matches!(kind, WarningKind::PossibleUse | WarningKind::RunTime | WarningKind::FollowUp),
    });
    problem.code == "test" && told.next().is_some()
}
