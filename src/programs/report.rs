//! What became of tests.

use serde::Deserialize;

use crate::lsp::Ran;
use crate::plan::Problem;
use crate::text::AbsPath;
use crate::workspace::read_text;

/// What one suite came to.
#[derive(Debug, Default)]
pub struct Tested {
    /// What was run, and where.
    pub command: String,
    pub results: Vec<TestResult>,
    /// What compilers found on the way.
    pub problems: Vec<Problem>,
    /// Why it did not succeed although no test failed.
    pub trouble: Option<String>,
    /// Files of the project itself that were loaded while a copy was tested.
    pub loaded: Vec<AbsPath>,
}

/// What became of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    pub name: String,
    pub outcome: TestOutcome,
    /// Of one that failed what was said, of one that was skipped why.
    pub output: Option<String>,
    pub file: Option<AbsPath>,
    /// Counted from 1.
    pub line: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestOutcome {
    Failed,
    Skipped,
    Passed,
}

/// One line of a report of ours.
#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Test {
        name: String,
        outcome: TestOutcome,
        title: Option<String>,
        output: Option<String>,
        file: Option<String>,
        line: Option<u32>,
    },
    Done {
        done: bool,
        #[serde(default)]
        loaded: Vec<String>,
    },
}

/// So many of a program's last lines say why it failed.
pub(super) const LAST_WORDS: usize = 25;

impl Tested {
    /// Reads a report of ours, as far as it goes.
    pub(super) fn read(command: String, report: &str, ran: &Ran) -> Self {
        let mut tested = Self { command, ..Self::default() };
        let mut is_whole = false;
        for row in report.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok()) {
            match row {
                Row::Test { name, outcome, title, output, file, line } => {
                    // Node's reporter names files by their URL where they are modules.
                    let file = file.and_then(|file| AbsPath::new(file.strip_prefix("file://").unwrap_or(&file)).ok());
                    let line = line.or_else(|| line_of(file.as_ref()?, title.as_deref().unwrap_or(&name)));
                    tested.results.push(TestResult { name, outcome, output, file, line });
                }
                Row::Done { done, loaded } => {
                    is_whole |= done;
                    tested.loaded.extend(loaded.into_iter().filter_map(|file| AbsPath::new(&file).ok()));
                }
            }
        }
        tested.ended(ran);
        if !is_whole && tested.trouble.is_none() {
            tested.trouble = Some("it ended before all tests had run".to_owned());
        }
        tested
    }

    /// Says why a run was no success that none of its tests tells.
    pub(super) fn ended(&mut self, ran: &Ran) {
        let failed = self.results.iter().any(|result| result.outcome == TestOutcome::Failed);
        self.trouble = match ran.status {
            None => Some("it timed out, and was ended with all that it had started".to_owned()),
            Some(status) if !status.success() && !failed => {
                Some(format!("it ended with {status}, and no test failed:\n{}", ran.last_words(LAST_WORDS)))
            }
            Some(_) => None,
        };
    }

    /// Leaves out what a runner ran beside what was asked for, but for what failed: a test may be written elsewhere than
    /// in the file that runs it.
    pub(super) fn keep_below(&mut self, path: Option<&AbsPath>) {
        let Some(path) = path else { return };
        let is_below = |result: &TestResult| result.file.as_ref().is_none_or(|file| file.is_below(path));
        self.results.retain(|result| result.outcome == TestOutcome::Failed || is_below(result));
    }

    pub fn count(&self, outcome: TestOutcome) -> usize {
        self.results.iter().filter(|result| result.outcome == outcome).count()
    }
}

/// Finds the one line of a file that spells a name between quotes; nothing where several do.
pub(super) fn line_of(file: &AbsPath, title: &str) -> Option<u32> {
    let text = read_text(file.as_path()).ok()?;
    let is_it = |line: &str| ["'", "\"", "`"].iter().any(|quote| line.contains(&format!("{quote}{title}{quote}")));
    one(text.lines().enumerate().filter(|(_, line)| is_it(line)).map(|(at, _)| at))
}

/// Writes a text as a regular expression that it alone matches.
pub(super) fn escaped(text: &str) -> String {
    let special = |letter: char| r"\.+*?()|[]{}^$".contains(letter);
    text.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

/// Finds the one line of a file that declares a function by the language's word for it.
pub(super) fn line_of_function(file: &AbsPath, word: &str, name: &str) -> Option<u32> {
    let text = read_text(file.as_path()).ok()?;
    let declares = |line: &str| {
        let after = line.split_once(&format!("{word} {name}")).map(|(_, after)| after);
        after.is_some_and(|after| after.starts_with(['(', '<']))
    };
    one(text.lines().enumerate().filter(|(_, line)| declares(line)).map(|(at, _)| at))
}

fn one(mut lines: impl Iterator<Item = usize>) -> Option<u32> {
    let first = lines.next()?;
    lines.next().is_none().then(|| u32::try_from(first + 1).ok()).flatten()
}
