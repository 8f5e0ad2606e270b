//! Refactorings that a language's server offers among its code actions: known by their kinds and their titles.

use crate::actions::{self, ActionError, Aim, Fix};
use crate::lsp::Action;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::request::{Request, Run};
use crate::session::Session;
use crate::text::Span;

/// How a server calls what is wanted.
struct Wanted {
    kind: &'static str,
    /// What titles begin with; of several that fit, the first one is taken.
    titles: &'static [&'static str],
}

const REWRITE: &str = "refactor.rewrite";

pub(crate) const TO_ASYNC: Run =
    |session, request| offered(session, request, &Wanted { kind: "quickfix", titles: &["Convert to async function"] });

pub(crate) const TO_TEMPLATE_STRING: Run =
    |session, request| offered(session, request, &Wanted { kind: REWRITE, titles: &["Convert to template string"] });

pub(crate) const TO_OPTIONAL_CHAIN: Run = |session, request| {
    offered(session, request, &Wanted { kind: REWRITE, titles: &["Convert to optional chain expression"] })
};

pub(crate) const ARROW_BRACES: Run = |session, request| {
    const TITLES: &[&str] = &["Add braces to arrow function", "Remove braces from arrow function"];
    offered(session, request, &Wanted { kind: REWRITE, titles: TITLES })
};

pub(crate) const CONVERT_EXPORT: Run = |session, request| {
    const TITLES: &[&str] = &["Convert default export to named export", "Convert named export to default export"];
    offered(session, request, &Wanted { kind: REWRITE, titles: TITLES })
};

pub(crate) const CONVERT_IMPORT: Run = |session, request| {
    const TITLES: &[&str] = &["Convert named imports to namespace import", "Convert namespace import to named imports"];
    offered(session, request, &Wanted { kind: REWRITE, titles: TITLES })
};

pub(crate) const ACCESSORS: Run = |session, request| {
    offered(session, request, &Wanted { kind: REWRITE, titles: &["Generate 'get' and 'set' accessors"] })
};

pub(crate) const RETURN_TYPE: Run =
    |session, request| offered(session, request, &Wanted { kind: REWRITE, titles: &["Infer function return type"] });

pub(crate) const IMPLEMENT_INTERFACE: Run = |session, request| {
    const TITLES: &[&str] = &["Implement interface ", "Implement inherited abstract class"];
    offered(session, request, &Wanted { kind: "quickfix", titles: TITLES })
};

pub(crate) const NEW_FILE: Run =
    |session, request| offered(session, request, &Wanted { kind: "refactor.move", titles: &["Move to a new file"] });

pub(crate) const ORGANIZE_IMPORTS: Run = |session, request| mended(session, request, Fix::OrganizeImports);

pub(crate) const ADD_MISSING_IMPORTS: Run = |session, request| mended(session, request, Fix::AddMissingImports);

pub(crate) const REMOVE_UNUSED: Run = |session, request| mended(session, request, Fix::RemoveUnused);

type Planning<'a> = futures::future::BoxFuture<'a, Result<Plan, Refusal>>;

fn offered<'a>(session: &'a Session, request: &'a Request, wanted: &'a Wanted) -> Planning<'a> {
    Box::pin(async move {
        let aim =
            Aim { path: request.target.path.clone(), span: span(session, request)?, kinds: vec![wanted.kind.into()] };
        let fits = |action: &Action| wanted.titles.iter().any(|title| action.title.starts_with(title));
        let plan = actions::carry_out(session, &aim, (&wanted.titles.join("` or `"), &fits)).await;
        plan.map_err(Refusal::from)
    })
}

/// Mends all of the file that the target is in.
fn mended<'a>(session: &'a Session, request: &'a Request, fix: Fix) -> Planning<'a> {
    Box::pin(async move {
        let mended = actions::mend(session, std::slice::from_ref(&request.target.path), &[fix]).await?;
        let mut warnings = mended.plan.warnings().to_vec();
        let missing = mended.missing.iter().map(|missing| format!("not looked at: {}", missing.told(session.root())));
        warnings.extend(missing.map(|told| Warning::of_plan(WarningKind::FollowUp, told)));
        if mended.plan.is_empty() && !warnings.is_empty() {
            let told: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
            return Err(Refusal::NotPossible(told.join("; ")));
        }
        Ok(mended.plan.with_warnings(warnings))
    })
}

/// Returns the stretch that is meant: lines without the white space around them, or a place.
fn span(session: &Session, request: &Request) -> Result<Span, Refusal> {
    let target = &request.target;
    if let Some(place) = target.place() {
        return Ok(Span::at(place));
    }
    let reason = || Refusal::NotPossible(format!("name a place in `{}`: a line and a column, or lines", target.shown));
    let (first, last) = target.lines.ok_or_else(reason)?;
    let text = session.disk().read(&target.path)?;
    let line = |number: u32| text.lines().line(text.as_str(), number - 1);
    let (first, last) = line(first).zip(line(last)).ok_or_else(reason)?;
    let written = &text.as_str()[first.start..last.end];
    let start = first.start + (written.len() - written.trim_start().len());
    Ok(Span::new(start, start + written.trim().len()))
}

impl From<ActionError> for Refusal {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::EditsOutside { server, path } => Self::EditsOutside { server, path },
            ActionError::Outside(error) => error.into(),
            ActionError::Session(error) => error.into(),
            ActionError::Read(error) => error.into(),
            ActionError::Plan(error) => error.into(),
            other => Self::NotPossible(other.to_string()),
        }
    }
}
