//! TypeScript and JavaScript: the tests that a `package.json` names, by vitest, jest, mocha, Hardhat or Node's own runner.

mod line;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use self::line::{Added, Runner, augmented, runner_in};
use super::ground::{NotRun, ProgramTree, TestSelection, before, has};
use super::report::{TestOutcome, TestResult, Tested, line_of};
use super::solc::solc;
use crate::lsp::{Program, Ran};
use crate::syntax::{Family, Language};
use crate::text::AbsPath;
use crate::workspace::read_text;

pub(super) const MANIFEST: &str = "package.json";
const MOCHA: &str = include_str!("../reporters/mocha.cjs");
const NODE: &str = include_str!("../reporters/node.mjs");
const HARDHAT: &str = include_str!("../reporters/hardhat.cjs");

/// What of a `package.json` is read here.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Package {
    #[serde(default)]
    scripts: BTreeMap<String, String>,
    #[serde(default)]
    dependencies: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    dev_dependencies: BTreeMap<String, serde_json::Value>,
    version: Option<String>,
}

/// How the tests of a package are run.
struct Testing {
    runner: Runner,
    /// As a shell runs it.
    line: String,
}

impl Package {
    fn read(dir: &AbsPath) -> Result<Self, NotRun> {
        let file = dir.as_path().join(MANIFEST);
        let text = read_text(&file).map_err(|error| error.to_string());
        let read = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        read.map_err(|error| NotRun::new(format!("`{}` cannot be read: {error}", file.display()), "fix it"))
    }

    fn depends_on(&self, name: &str) -> bool {
        self.dependencies.contains_key(name) || self.dev_dependencies.contains_key(name)
    }

    /// Returns the line of the script `test`, if it is one; npm writes one that is none.
    fn test(&self) -> Option<&str> {
        let line = self.scripts.get("test").map(String::as_str)?;
        (!line.contains("no test specified")).then_some(line)
    }

    /// Puts the scripts in that a line only names, and finds the runner in it.
    fn testing(&self, ground: &ProgramTree<'_>, dir: &AbsPath) -> Result<Testing, NotRun> {
        let Some(test) = self.test() else { return self.without_script(ground, dir) };
        let line = line::spelled_out(test, &self.scripts);
        let line = match self.scripts.get("pretest") {
            Some(before) => format!("({}) && {line}", line::spelled_out(before, &self.scripts)),
            None => line,
        };
        match runner_in(&line) {
            Some(runner) => Ok(Testing { runner, line }),
            None => Err(NotRun::new(
                format!(
                    "`{test}`, the script `test` of `{}`, has no runner whose report is read here",
                    self.shown(ground, dir)
                ),
                "vitest, jest, mocha, `hardhat test` and `node --test` are read: name a directory whose package runs them, or run this one in a shell",
            )),
        }
    }

    fn without_script(&self, ground: &ProgramTree<'_>, dir: &AbsPath) -> Result<Testing, NotRun> {
        let usual = [
            ("vitest", Runner::Vitest, "vitest run"),
            ("jest", Runner::Jest, "jest"),
            // Before mocha, which its projects may name for its types.
            ("hardhat", Runner::Hardhat, "hardhat test"),
            ("mocha", Runner::Mocha, "mocha"),
        ];
        if let Some((_, runner, line)) = usual.into_iter().find(|(name, ..)| self.depends_on(name)) {
            return Ok(Testing { runner, line: line.to_owned() });
        }
        if ground
            .below(dir)
            .any(|file| is_script(file) && read_text(file.as_path()).unwrap_or_default().contains("node:test"))
        {
            return Ok(Testing { runner: Runner::Node, line: "node --test".to_owned() });
        }
        Err(NotRun::new(
            format!("`{}` has no script `test`, and no runner among its dependencies", self.shown(ground, dir)),
            "name a directory that has tests, or add the script",
        ))
    }

    fn shown(&self, ground: &ProgramTree<'_>, dir: &AbsPath) -> String {
        match ground.shown(dir).as_str() {
            "." => MANIFEST.to_owned(),
            dir => format!("{dir}/{MANIFEST}"),
        }
    }
}

/// Tells whether a package has tests, whether they can be run here or not.
pub(super) fn has_tests(ground: &ProgramTree<'_>, dir: &AbsPath) -> bool {
    Package::read(dir).is_ok_and(|package| package.test().is_some() || package.testing(ground, dir).is_ok())
}

fn is_script(path: &AbsPath) -> bool {
    Language::of_path(path).is_some_and(|language| language.family() == Family::Script)
}

/// Runs the tests of a package.
pub(super) async fn test(ground: &ProgramTree<'_>, dir: &AbsPath, wanted: &TestSelection) -> Result<Tested, NotRun> {
    let Testing { runner, line } = Package::read(dir)?.testing(ground, dir)?;
    let modules: Vec<PathBuf> = ground.above(dir).map(|dir| dir.as_path().join("node_modules")).collect();
    if runner != Runner::Node && !modules.iter().any(|dir| dir.join(runner.package()).exists()) {
        let package = runner.package();
        return Err(NotRun::new(
            format!("the tests of `{}` run by `{package}`, which is not installed", ground.shown(dir)),
            format!("install what the project needs, such as by `npm install` in `{}`", ground.shown(dir)),
        ));
    }
    let report = ground.fresh(if runner.is_json() { "report.json" } else { "report.jsonl" });
    let added = added(ground, runner, (dir, &modules), (wanted, &report))?;
    let augmented = augmented(&line, runner, &added);
    let path = before(modules.iter().map(|dir| dir.join(".bin")), ground.environment.get("PATH"));
    let program = Program::shell(&augmented).with("PATH", path).with("LSPWRIGHT_REPORT", &report).with("CI", "true");
    let program = program.with("NO_COLOR", "1").with("FORCE_COLOR", "0").with("npm_lifecycle_event", "test");
    let program = match runner {
        Runner::Hardhat => program.with("NODE_OPTIONS", told_by_mocha(ground)?),
        _ => program,
    };
    let ran = ground.run(program, dir).await?;
    let text = read_text(report.as_ref()).unwrap_or_default();
    let command = format!("{} in {}", runner.package(), ground.shown(dir));
    let tested = match runner.is_json() {
        true => read_json(command, &text, &ran),
        false => Tested::read(command, &text, &ran),
    };
    // All but mocha list what the filter left out, as skipped.
    let is_mocha = matches!(runner, Runner::Mocha | Runner::Hardhat);
    let mut tested = if is_mocha { tested } else { named(tested, wanted) };
    tested.keep_below(wanted.path.as_ref());
    if runner == Runner::Hardhat {
        tested.problems = solc(&ran.stderr.text(), dir);
        return ground.told(tested, &ran);
    }
    if !tested.results.is_empty() {
        return Ok(tested);
    }
    Err(ground.none(&line, &ran))
}

/// Returns Node's options under which Hardhat's mocha reports by our reporter: it has no option for that.
fn told_by_mocha(ground: &ProgramTree<'_>) -> Result<String, NotRun> {
    ground.lay("mocha.cjs", MOCHA)?;
    let hook = ground.lay("hardhat.cjs", HARDHAT)?.replace('\\', "/");
    let own = ground.environment.get("NODE_OPTIONS").unwrap_or_default();
    Ok(format!("{own} --require \"{hook}\"").trim_start().to_owned())
}

fn named(mut tested: Tested, wanted: &TestSelection) -> Tested {
    let is_named = |result: &TestResult| wanted.filter.as_ref().is_none_or(|filter| result.name.contains(filter));
    tested.results.retain(|result| result.outcome == TestOutcome::Failed || is_named(result));
    tested
}

/// Returns what is put in behind the runner's name.
fn added(
    ground: &ProgramTree<'_>,
    runner: Runner,
    (dir, modules): (&AbsPath, &[PathBuf]),
    (wanted, report): (&TestSelection, &str),
) -> Result<Added, NotRun> {
    let mut options = match runner {
        Runner::Mocha => vec!["--reporter".to_owned(), ground.lay("mocha.cjs", MOCHA)?],
        Runner::Node => {
            let file = ground.lay("node.mjs", NODE)?;
            vec![format!("--test-reporter={file}"), "--test-reporter-destination=stdout".to_owned()]
        }
        Runner::Jest => {
            vec!["--json".to_owned(), format!("--outputFile={report}"), "--testLocationInResults".to_owned()]
        }
        Runner::Vitest => {
            let mut options = vec!["--reporter=json".to_owned(), format!("--outputFile={report}")];
            options.extend(tells_places(modules).then(|| "--includeTaskLocation".to_owned()));
            options
        }
        Runner::Hardhat => Vec::new(),
    };
    if let Some(filter) = &wanted.filter {
        let last = filter.rsplit(" > ").next().unwrap_or(filter);
        match runner {
            Runner::Mocha => options.extend(["--fgrep".to_owned(), filter.clone()]),
            Runner::Hardhat => options.extend(["--grep".to_owned(), escaped(filter)]),
            Runner::Node => options.push(format!("--test-name-pattern={}", escaped(last))),
            Runner::Jest | Runner::Vitest => options.extend(["-t".to_owned(), escaped(filter)]),
        }
    }
    let path = wanted.path.as_ref().filter(|path| *path != dir).and_then(|path| path.relative_to(dir));
    Ok(Added { options, path: path.map(|path| path.to_string()) })
}

/// Tells whether the vitest that is installed knows where tests stand: since 1.4.
fn tells_places(modules: &[PathBuf]) -> bool {
    let manifest = modules.iter().map(|dir| dir.join("vitest").join(MANIFEST)).find(|file| file.is_file());
    let version = manifest.and_then(|file| serde_json::from_str::<Package>(&read_text(&file).ok()?).ok()?.version);
    version.and_then(|it| semver::Version::parse(&it).ok()).is_some_and(|it| it >= semver::Version::new(1, 4, 0))
}

/// Spells a text so that a regular expression of JavaScript finds it as it is.
fn escaped(text: &str) -> String {
    let special = |it: char| ".*+?^${}()|[]\\/".contains(it);
    text.chars().flat_map(|it| special(it).then_some('\\').into_iter().chain([it])).collect()
}

/// The report of jest, which vitest's is like.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Json {
    #[serde(default)]
    test_results: Vec<JsonFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonFile {
    name: String,
    status: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    assertion_results: Vec<JsonTest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonTest {
    full_name: String,
    title: String,
    status: String,
    #[serde(default)]
    failure_messages: Option<Vec<String>>,
    location: Option<JsonPlace>,
}

#[derive(Deserialize)]
struct JsonPlace {
    line: u32,
}

fn read_json(command: String, report: &str, ran: &Ran) -> Tested {
    let mut tested = Tested { command, ..Tested::default() };
    let files = serde_json::from_str::<Json>(report).map(|json| json.test_results).unwrap_or_default();
    for JsonFile { name, status, message, assertion_results } in files {
        let file = AbsPath::new(&name).ok();
        let failed = assertion_results.iter().any(|test| test.status == "failed");
        if status == "failed" && !failed {
            // It could not be loaded, or something outside of its tests went wrong.
            let (file, output) = (file.clone(), Some(message));
            tested.results.push(TestResult { name, outcome: TestOutcome::Failed, output, file, line: None });
        }
        tested.results.extend(assertion_results.into_iter().map(|test| {
            let outcome = match test.status.as_str() {
                "passed" => TestOutcome::Passed,
                "failed" => TestOutcome::Failed,
                _ => TestOutcome::Skipped,
            };
            let line = test.location.map(|place| place.line).or_else(|| line_of(file.as_ref()?, &test.title));
            let output = test.failure_messages.filter(|all| !all.is_empty()).map(|all| all.join("\n"));
            TestResult { name: test.full_name.trim().to_owned(), outcome, output, file: file.clone(), line }
        }));
    }
    tested.ended(ran);
    tested
}

/// Tells whether there is a package.
pub(super) fn is_package(dir: &AbsPath) -> bool {
    has(dir, MANIFEST)
}

#[cfg(test)]
mod tests {
    use super::{escaped, read_json};
    use crate::lsp::{CapturedOutput, Ran};
    use crate::programs::TestOutcome;

    #[test]
    fn a_report_of_jest_or_vitest_is_read_with_files_that_could_not_be_loaded() {
        let report = r#"{"testResults": [
            {"assertionResults": [], "status": "failed", "message": "Cannot find module './nowhere'", "name": "/p/a.test.ts"},
            {"assertionResults": [
                {"fullName": "total multiplies", "status": "passed", "title": "multiplies", "failureMessages": [],
                 "location": {"line": 5, "column": 3}},
                {"fullName": "total fails", "status": "failed", "title": "fails", "failureMessages": ["6 is not 7"]},
                {"fullName": "later", "status": "todo", "title": "later", "failureMessages": null}],
             "status": "failed", "message": "", "name": "/p/b.test.ts"}]}"#;
        let ran = Ran { status: None, stdout: CapturedOutput::default(), stderr: CapturedOutput::default() };
        let tested = read_json("vitest".to_owned(), report, &ran);
        let count = |outcome| tested.count(outcome);
        assert_eq!((count(TestOutcome::Failed), count(TestOutcome::Skipped), count(TestOutcome::Passed)), (2, 1, 1));
        assert_eq!(tested.results[1].line, Some(5));
        assert_eq!(tested.results[2].output.as_deref(), Some("6 is not 7"));
        assert!(tested.trouble.unwrap().contains("it timed out"));
        assert_eq!(escaped("a (b)"), r"a \(b\)");
    }
}
