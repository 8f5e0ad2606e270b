//! The line of a script, as a shell reads it: where its runner stands, and what is put in behind its name. Pure.

use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    Vitest,
    Jest,
    Mocha,
    Node,
    Hardhat,
}

/// What a run needs beside what the project says.
#[derive(Debug, Clone, Default)]
pub(super) struct Added {
    pub options: Vec<String>,
    /// The one file or directory whose tests are wanted, in the place of those that the line names.
    pub path: Option<String>,
}

/// A word of a line, without its quotes.
#[derive(Debug)]
struct Word {
    text: String,
    at: Range<usize>,
    /// It ends a command: `&&`, `;` and their like.
    is_operator: bool,
}

impl Runner {
    /// Returns the package that brings it.
    pub(super) fn package(self) -> &'static str {
        match self {
            Self::Vitest => "vitest",
            Self::Jest => "jest",
            Self::Mocha => "mocha",
            Self::Node => "node --test",
            Self::Hardhat => "hardhat",
        }
    }

    /// Tells whether it writes a report of its own.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::Vitest | Self::Jest)
    }

    fn named(word: &str) -> Option<Self> {
        match word.rsplit(['/', '\\']).next()? {
            "vitest" | "vitest.mjs" => Some(Self::Vitest),
            "jest" | "jest.js" => Some(Self::Jest),
            "mocha" | "mocha.js" | "_mocha" | "ts-mocha" => Some(Self::Mocha),
            _ => None,
        }
    }

    /// Options of it that take the next word for their value.
    fn takes_value(self, option: &str) -> bool {
        let listed: &[&str] = match self {
            Self::Mocha => &[
                "-r",
                "--require",
                "--config",
                "--package",
                "--file",
                "--ignore",
                "--exclude",
                "-R",
                "--reporter",
                "-t",
                "--timeout",
                "-s",
                "--slow",
                "-u",
                "--ui",
                "--extension",
                "-O",
                "--reporter-option",
                "--reporter-options",
                "-g",
                "--grep",
                "-f",
                "--fgrep",
                "-n",
                "--node-option",
                "--import",
                "--loader",
                "-j",
                "--jobs",
                "--retries",
                "-p",
                "--paths",
            ],
            Self::Node => &[
                "-r",
                "--require",
                "--import",
                "--loader",
                "--experimental-loader",
                "--test-reporter",
                "--test-reporter-destination",
                "--test-name-pattern",
                "--test-concurrency",
                "--test-timeout",
                "-C",
                "--conditions",
                "--env-file",
            ],
            Self::Hardhat => &["--grep", "--network", "--config", "--tsconfig", "--max-memory"],
            Self::Jest | Self::Vitest => &[],
        };
        listed.contains(&option)
    }

    /// Options that say how it reports.
    fn is_of_reports(self, option: &str) -> bool {
        let listed: &[&str] = match self {
            Self::Mocha => &["-R", "--reporter"],
            Self::Node => &["--test-reporter", "--test-reporter-destination"],
            Self::Jest | Self::Vitest | Self::Hardhat => &[],
        };
        let name = option.split('=').next().unwrap_or(option);
        listed.contains(&name)
    }
}

/// Finds the runner that a line runs.
pub(super) fn runner_in(line: &str) -> Option<Runner> {
    place(&words(line)).map(|(runner, _)| runner)
}

/// Returns the number of the word behind which options of the runner stand.
fn place(words: &[Word]) -> Option<(Runner, usize)> {
    let named = words.iter().enumerate().find_map(|(at, word)| Some((Runner::named(&word.text)?, at)));
    if let Some((Runner::Vitest, at)) = named {
        let has_command = words.get(at + 1).is_some_and(|it| ["run", "watch", "dev"].contains(&it.text.as_str()));
        return Some((Runner::Vitest, at + usize::from(has_command)));
    }
    // Options of Hardhat itself may stand before the task.
    let task = |at: usize| words[at..].iter().take_while(|word| !word.is_operator).position(|word| word.text == "test");
    let hardhat = || {
        let at = words.iter().position(|word| word.text.rsplit(['/', '\\']).next() == Some("hardhat"))?;
        Some((Runner::Hardhat, at + task(at)?))
    };
    let own = || words.iter().position(|word| word.text == "--test").map(|at| (Runner::Node, at));
    named.or_else(hardhat).or_else(own)
}

/// Puts what is added behind the runner's name, and takes out what it replaces.
pub(super) fn augmented(line: &str, runner: Runner, added: &Added) -> String {
    let words = words(line);
    let Some((_, at)) = place(&words) else { return line.to_owned() };
    let options = &words[at + 1..];
    let end = options.iter().position(|word| word.is_operator).unwrap_or(options.len());
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut rest = options[..end].iter().peekable();
    while let Some(word) = rest.next() {
        let takes = word.text.starts_with('-') && !word.text.contains('=') && runner.takes_value(&word.text);
        let value = if takes { rest.next() } else { None };
        let is_named = !word.text.starts_with('-') && added.path.is_some() && runner.names_files();
        if runner.is_of_reports(&word.text) || is_named {
            out.extend([Some(word), value].into_iter().flatten().map(|word| word.at.clone()));
        }
    }
    let stop = options[..end].last().map_or(words[at].at.end, |word| word.at.end);
    let mut kept = String::new();
    let mut from = words[at].at.end;
    for range in out {
        kept += line[from..range.start].trim_end();
        from = range.end;
    }
    kept += &line[from..stop];
    let options: String = added.options.iter().map(|option| format!(" {}", quoted(option))).collect();
    let path = added.path.as_ref().map(|path| format!(" {}", quoted(path))).unwrap_or_default();
    format!("{}{options}{kept}{path}{}", &line[..words[at].at.end], &line[stop..])
}

impl Runner {
    /// Tells whether a word that is no option names files, all of which run.
    fn names_files(self) -> bool {
        matches!(self, Self::Mocha | Self::Node | Self::Hardhat)
    }
}

/// Puts the scripts in that a line runs by their names.
pub(super) fn spelled_out(line: &str, scripts: &BTreeMap<String, String>) -> String {
    const DEEP: usize = 4;
    let mut line = line.to_owned();
    for _ in 0..DEEP {
        let all = words(&line);
        let named = (0..all.len()).find_map(|at| {
            let begins = at == 0 || all[at - 1].is_operator;
            let text = |more: usize| all.get(at + more).map(|word| word.text.as_str()).unwrap_or_default();
            let known =
                |name: &str| scripts.get(name).filter(|_| begins).map(|script| (name.to_owned(), script.clone()));
            match (text(0), text(1)) {
                ("npm" | "pnpm" | "yarn" | "bun", "run" | "run-script") => Some((at, at + 2, known(text(2))?)),
                ("pnpm" | "yarn", name) => Some((at, at + 1, known(name)?)),
                _ => None,
            }
        });
        let Some((first, last, (name, script))) = named else { return line };
        let before = ["pre", ""].map(|prefix| scripts.get(&format!("{prefix}{name}"))).into_iter().flatten();
        let mut steps: Vec<&str> = before.map(String::as_str).collect();
        steps.dedup();
        // What is handed on stands behind `--`, and belongs to the script's last command.
        let end = all[last + 1..].iter().position(|word| word.is_operator).map_or(all.len(), |more| last + 1 + more);
        let rest = &all[last + 1..end];
        let rest = rest.iter().filter(|word| word.text != "--").map(|word| format!(" {}", &line[word.at.clone()]));
        let rest: String = rest.collect();
        let inner = match steps.len() {
            2 => format!("({}) && {script}{rest}", steps[0]),
            _ => format!("{script}{rest}"),
        };
        let stop = all[end - 1].at.end;
        line = format!("{}{inner}{}", &line[..all[first].at.start], &line[stop..]);
    }
    line
}

fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "-_./:=,@+".contains(it);
    if word.chars().all(is_plain) && !word.is_empty() {
        return word.to_owned();
    }
    if cfg!(windows) { format!("\"{}\"", word.replace('"', "")) } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Takes a line apart as a shell does, as far as words and what stands between commands go.
fn words(line: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<(usize, String)> = None;
    let mut quote: Option<char> = None;
    let mut all = line.char_indices().peekable();
    while let Some((at, it)) = all.next() {
        if let Some(end) = quote {
            if it == end {
                quote = None;
            } else if let Some((_, text)) = &mut open {
                text.push(it);
            }
            continue;
        }
        match it {
            '\'' | '"' => {
                quote = Some(it);
                open.get_or_insert_with(|| (at, String::new()));
            }
            '\\' if all.peek().is_some() => {
                let next = all.next().map(|(_, next)| next);
                open.get_or_insert_with(|| (at, String::new())).1.extend(next);
            }
            it if it.is_whitespace() => words.extend(closed(&mut open, at)),
            '&' | '|' | ';' | '(' | ')' => {
                words.extend(closed(&mut open, at));
                words.push(Word { text: it.to_string(), at: at..at + 1, is_operator: true });
            }
            it => open.get_or_insert_with(|| (at, String::new())).1.push(it),
        }
    }
    words.extend(closed(&mut open, line.len()));
    words
}

fn closed(open: &mut Option<(usize, String)>, end: usize) -> Option<Word> {
    open.take().map(|(start, text)| Word { text, at: start..end, is_operator: false })
}

#[cfg(test)]
mod tests {
    use super::{Added, Runner, augmented, runner_in, spelled_out};

    fn with(line: &str, path: Option<&str>) -> String {
        let added = Added { options: vec!["--ours".to_owned()], path: path.map(str::to_owned) };
        augmented(line, runner_in(line).unwrap(), &added)
    }

    #[test]
    fn what_a_script_says_stays_and_ours_stands_behind_the_runner() {
        assert_eq!(with("mocha", None), "mocha --ours");
        assert_eq!(
            with(
                "npm run lint && cross-env A=1 c8 --reporter=lcov mocha -R spec --check-leaks test/ 'a b' && tsd",
                None
            ),
            "npm run lint && cross-env A=1 c8 --reporter=lcov mocha --ours --check-leaks test/ 'a b' && tsd"
        );
        assert_eq!(
            with("mocha --require test/env --reporter spec --recursive test/ test/acceptance/", Some("test/a.js")),
            "mocha --ours --require test/env --recursive test/a.js"
        );
        assert_eq!(with("vitest run --coverage", Some("src/a")), "vitest run --ours --coverage src/a");
        assert_eq!(
            with("node --import tsx --test test/*.ts", Some("test/a.ts")),
            "node --import tsx --test --ours test/a.ts"
        );
        assert_eq!(with("node --test --test-reporter spec", None), "node --test --ours");
        assert_eq!(
            with("NODE_OPTIONS=--x node node_modules/.bin/jest -i", None),
            "NODE_OPTIONS=--x node node_modules/.bin/jest --ours -i"
        );
        assert_eq!(
            with("npx hardhat --network hardhat test --grep x test/a.js && echo", Some("test/b.js")),
            "npx hardhat --network hardhat test --ours --grep x test/b.js && echo"
        );
        assert_eq!(runner_in("hardhat compile && tap test"), None);
        assert_eq!(runner_in("tap test/*.js"), None);
        assert_eq!(runner_in("npm run vitest-like"), None);
    }

    #[test]
    fn scripts_that_are_only_named_are_put_in() {
        let scripts = [("unit", "mocha -b"), ("preunit", "tsc"), ("test:a", "jest"), ("loop", "npm run loop")];
        let scripts = scripts.map(|(name, line)| (name.to_owned(), line.to_owned())).into();
        assert_eq!(
            spelled_out("npm run lint && npm run unit -- --bail", &scripts),
            "npm run lint && (tsc) && mocha -b --bail"
        );
        assert_eq!(spelled_out("yarn test:a && echo", &scripts), "jest && echo");
        assert_eq!(spelled_out("npm run loop", &scripts), "npm run loop");
        assert_eq!(Runner::named("./node_modules/.bin/_mocha"), Some(Runner::Mocha));
    }
}
