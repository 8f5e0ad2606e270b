//! What other programs can do that only know how to write in place: they are run on a copy of the project, and what
//! they change there is the plan.

use std::sync::Arc;

use crate::lsp::{Program, Refactorer};
use crate::plan::{Parts, Plan, Warning, WarningKind, difference};
use crate::refactor::Refusal;
use crate::refactor::request::Request;
use crate::session::{Options, Session};
use crate::text::quoted_end;
use crate::workspace::{Change, ChangeKind, Disk, Purpose, ShadowCopy};

/// How many of a program's last lines a refusal shows.
const SHOWN_LINES: usize = 20;

/// Asks a program of the user's own `servers.toml`. Nothing that it says is trusted: the plan has to be proven by a check.
pub(crate) async fn plan(
    session: &Session,
    (name, program): (&str, &Refactorer),
    refactoring: &str,
    request: &Request,
) -> Result<Plan, Refusal> {
    let failed = |reason: String| Refusal::NotPossible(format!("`{name}` failed: {reason}"));
    let disk = session.disk().clone();
    let made = tokio::task::spawn_blocking(move || {
        let copy = ShadowCopy::new(&disk, Purpose::Running).map_err(|error| error.to_string())?;
        let there = Disk::open(copy.root()).map_err(|error| error.to_string())?;
        there.scan();
        Ok::<_, String>((copy, there))
    });
    let (copy, there) = made.await.map_err(|error| failed(error.to_string()))?.map_err(failed)?;
    run(program, session.options(), &copy, &words(program, refactoring, request)).await.map_err(failed)?;
    let mut parts = Parts::default();
    for change in there.scan() {
        take(&mut parts, session.disk(), (&copy, &there), &change)?;
    }
    let doubt = format!("`{name}` does not report what it changes");
    parts.warnings.push(Warning::of_plan(WarningKind::Unproven, doubt));
    Ok(Plan::new(parts)?)
}

/// Fills the words of a command in.
fn words(program: &Refactorer, refactoring: &str, request: &Request) -> Vec<String> {
    const PLACES: [&str; 4] = ["{refactoring}", "{target}", "{path}", "{params}"];
    let target = &request.target;
    let given = request.params.words();
    let mut words = program.command.clone();
    if !words.iter().any(|word| PLACES.iter().any(|place| word.contains(place))) {
        words.extend(["{refactoring}", "{target}", "{params}"].map(str::to_owned));
    }
    let fill = |word: String| match word.as_str() {
        "{params}" => given.clone(),
        _ => vec![
            word.replace("{refactoring}", refactoring)
                .replace("{target}", &target.written)
                .replace("{path}", &target.shown),
        ],
    };
    words.into_iter().flat_map(fill).collect()
}

async fn run(program: &Refactorer, options: &Options, copy: &ShadowCopy, words: &[String]) -> Result<(), String> {
    if words.is_empty() {
        return Err("its `command` is empty".to_owned());
    }
    // The user's own program gets all of the user's variables, but for what leads into the project.
    let command = Program::new(words).at(copy.root().as_path()).within(&options.environment);
    let command = program.env.iter().fold(command, |command, (name, value)| command.with(name, value));
    let output = command.run(&options.guard, program.patience()).await.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = output.last_words(SHOWN_LINES);
    Err(format!(
        "{}: {}",
        output.status,
        if said.is_empty() { "it said nothing".to_owned() } else { quoted_end(&said) }
    ))
}

/// Takes a change of the copy into the plan.
fn take(parts: &mut Parts, here: &Disk, (copy, there): (&ShadowCopy, &Disk), change: &Change) -> Result<(), Refusal> {
    let home = copy.original_of(&change.path);
    match change.kind {
        ChangeKind::Changed => {
            let (before, after) = (here.read(&home)?, there.read(&change.path)?);
            if before.as_str() != after.as_str() {
                let edits = difference(before.as_str(), after.as_str());
                parts.edits.insert(home, (before, edits));
            }
        }
        ChangeKind::Created => drop(parts.creates.insert(home, Arc::unwrap_or_clone(there.read(&change.path)?))),
        ChangeKind::Deleted => drop(parts.deletes.insert(home.clone(), here.read(&home)?)),
    }
    Ok(())
}
