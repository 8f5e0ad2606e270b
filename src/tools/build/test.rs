//! `test`: the project's own tests, by its own runners.

use schemars::JsonSchema;
use serde::Serialize;

use super::args::TestArgs;
use super::stand::Stand;
use crate::lsp::CapturedOutput;
use crate::programs::{NotRun, Suite, TestOutcome, TestResult, TestSelection, Tested, suites};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::diagnostic::{DiagnosticJson, name_of};
use crate::tools::said::shown;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const TEST: Tool = Tool {
    name: "test",
    title: "Run tests",
    description: "Runs the project's tests by its own runner (pytest, unittest, vitest, jest, mocha, node --test, cargo, go, forge, hardhat), \
        unsaved drafts included: this executes the project's code.",
    toolset: Toolset::Build,
    effect: Effect::Runs,
    input: || tidy(schema_of_input::<TestArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<TestedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&test(context, parse(args)?).await?) }),
};

#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "Tested")]
pub struct TestedJson {
    /// All that was to be run was run to its end, and no test failed.
    pub success: bool,
    pub passed: usize,
    /// Tests, and files that could not be loaded.
    pub failed: usize,
    pub skipped: usize,
    /// What was run, and where.
    pub ran: Vec<String>,
    /// What stands against `success` beside failed tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trouble: Vec<String>,
    /// Files whose drafts were tested in the place of what is on the disk, in a copy of the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<String>,
    /// Those that failed first, then those that were skipped.
    pub results: Vec<ResultJson>,
    /// How many that passed or were skipped are counted only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_named: Option<usize>,
    /// What compilers found on the way, errors first.
    pub diagnostics: Vec<DiagnosticJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ResultJson {
    pub name: String,
    /// It did not fail, and was not skipped.
    pub passed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// What a test that failed said, or why one was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

const TIMEOUT: u64 = 300;
/// So many tests that passed, or that were skipped, are named.
const NAMED: usize = 5;
/// How much of what a test said is shown from its beginning and its end, in bytes.
const SHOWN: (usize, usize) = (800, 1_600);

/// Runs tests.
pub async fn test(context: &Context, args: TestArgs) -> Result<TestedJson, ToolError> {
    let filter = args.filter.filter(|filter| !filter.is_empty());
    if let Some(filter) = filter.as_ref().filter(|it| it.starts_with('-') || it.contains(['\0', '\n'])) {
        return Err(ToolError::invalid(format!("no test's name contains the `filter` `{filter}`"))
            .hint("give a part of the names of tests, as `results` has them"));
    }
    let stand = Stand::of(context, args.project_root.as_deref(), args.path.as_deref()).await?;
    let ground = stand.ground(context, args.timeout.unwrap_or(TIMEOUT))?;
    let path = args.path.as_deref().map(|path| stand.find(path)).transpose()?.filter(|path| *path != ground.root);
    let wanted = TestSelection { path, filter };
    let found = suites(&ground, &wanted);
    if found.is_empty() {
        let place = args.path.as_deref().unwrap_or_else(|| stand.project.root().as_str());
        return Err(ToolError::invalid(format!("no tests are known in `{place}`"))
            .hint(
                "tests are found for Python (pytest, unittest), package.json (vitest, jest, mocha, node --test), \
                 Cargo.toml, go.mod and foundry.toml",
            )
            .hint("run what else there is in a shell"));
    }
    let run = async {
        let mut all = Vec::new();
        for suite in &found {
            context.sink.note(&format!("running the tests in {}", stand.home(&suite.dir)));
            all.push(suite.run(&ground, &wanted).await);
        }
        Ok(all)
    };
    let all = context.unless_cancelled(run).await?;
    answer(&stand, &found, all, args.limit.unwrap_or(NAMED))
}

fn answer(
    stand: &Stand,
    suites: &[Suite],
    all: Vec<Result<Tested, NotRun>>,
    limit: usize,
) -> Result<TestedJson, ToolError> {
    let mut json = TestedJson { dirty: stand.dirty.clone(), ..TestedJson::default() };
    let mut not_run: Vec<(&Suite, NotRun)> = Vec::new();
    let mut results: Vec<TestResult> = Vec::new();
    let mut problems = Vec::new();
    for (suite, tested) in suites.iter().zip(all) {
        match tested {
            Ok(mut tested) => {
                json.trouble.extend(trouble(stand, &tested));
                json.ran.push(stand.told(&tested.command));
                results.append(&mut tested.results);
                problems.append(&mut tested.problems);
            }
            Err(why) => not_run.push((suite, why)),
        }
    }
    if results.is_empty() && problems.is_empty() {
        return Err(nothing(stand, not_run));
    }
    json.trouble.extend(not_run.iter().map(|(_, why)| stand.told(&format!("{}; {}", why.reason, why.next))));
    results.sort_by_key(|result| result.outcome);
    let count = |outcome| results.iter().filter(|result| result.outcome == outcome).count();
    (json.passed, json.failed, json.skipped) =
        (count(TestOutcome::Passed), count(TestOutcome::Failed), count(TestOutcome::Skipped));
    json.success = json.failed == 0 && json.trouble.is_empty() && !results.is_empty();
    let is_named = |result: &TestResult| match result.outcome {
        TestOutcome::Failed => true,
        TestOutcome::Skipped => json.skipped <= limit,
        TestOutcome::Passed => json.passed <= limit,
    };
    results.retain(is_named);
    let rest = json.passed + json.skipped + json.failed - results.len();
    json.not_named = (rest > 0).then_some(rest);
    json.results = results.into_iter().map(|result| row(stand, result)).collect();
    problems.sort_by_key(|problem| problem.severity);
    let home = problems.into_iter().map(|problem| {
        let path = stand.home(&problem.path);
        DiagnosticJson::of(&crate::plan::Problem { path, ..problem }, stand.project.root())
    });
    json.diagnostics = home.collect();
    Ok(json)
}

/// Says why nothing was run.
fn nothing(stand: &Stand, not_run: Vec<(&Suite, NotRun)>) -> ToolError {
    let mut reasons = not_run.into_iter().map(|(_, why)| why);
    let Some(first) = reasons.next() else {
        return ToolError::invalid("no test there has that name")
            .hint("give a part of a test's name, or leave `filter` out");
    };
    let error = ToolError::new(ErrorKind::Environment, stand.told(&first.reason)).hint(stand.told(&first.next));
    reasons.fold(error, |error, why| error.hint(stand.told(&format!("{}; {}", why.reason, why.next))))
}

/// Says what stands against a suite's success beside its failed tests.
fn trouble(stand: &Stand, tested: &Tested) -> Vec<String> {
    let drafts = |path: &&crate::text::AbsPath| stand.dirty.contains(&name_of(path, stand.project.root()));
    let loaded = tested.loaded.iter().filter(drafts).map(|path| {
        let path = name_of(path, stand.project.root());
        format!("`{path}` was loaded from the disk, and not its draft: `save` the drafts, and test again")
    });
    let said = tested.trouble.iter().map(|trouble| format!("{}: {}", tested.command, stand.told(trouble)));
    said.map(|said| stand.told(&said)).chain(loaded).collect()
}

fn row(stand: &Stand, result: TestResult) -> ResultJson {
    let output = result.output.filter(|output| !output.trim().is_empty()).map(|output| stand.told(&output));
    let file = result.file.map(|file| name_of(&stand.home(&file), stand.project.root()));
    ResultJson {
        // A file that could not be loaded is called by its path.
        name: stand.told(&result.name).replace(&format!("{}/", stand.project.root()), ""),
        passed: result.outcome == TestOutcome::Passed,
        skipped: result.outcome == TestOutcome::Skipped,
        output: output.map(|output| shown(&CapturedOutput::of(output.as_bytes()), SHOWN).0),
        file,
        line: result.line,
    }
}
