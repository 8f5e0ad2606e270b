//! Reasons to refuse that are doubts: nobody can tell whether they hold, and who knows better may go on.

use std::cell::RefCell;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::obstacles::Noted;
use crate::refactor::source_file::Code;
use crate::text::{AbsPath, Span, Text};

/// What becomes of doubts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doubts {
    #[default]
    Refuse,
    Warn,
}

tokio::task_local! {
    /// What the caller of the refactoring that is being planned wants. Doubts come up far below it.
    static WANTED: Doubts;
    /// What the plan that is being made has to tell besides what its refactoring hands back.
    static TOLD: RefCell<Vec<Warning>>;
}

/// Plans, and adds what was told far below.
pub(super) async fn telling(work: impl Future<Output = Result<Plan, Refusal>>) -> Result<Plan, Refusal> {
    let work = async {
        let plan = work.await?;
        let mut warnings = plan.warnings().to_vec();
        for told in TOLD.with(RefCell::take) {
            if !warnings.contains(&told) {
                warnings.push(told);
            }
        }
        Ok(plan.with_warnings(warnings))
    };
    TOLD.scope(RefCell::default(), work).await
}

/// Adds a warning to the plan that is being made.
pub(super) fn tell(warning: Warning) {
    // Nobody gathers where a part of a refactoring is tried by itself.
    let _ = TOLD.try_with(|told| told.borrow_mut().push(warning));
}

impl Doubts {
    /// Plans with these doubts in mind.
    pub async fn within<T>(self, work: impl Future<Output = T>) -> T {
        WANTED.scope(self, work).await
    }
}

/// Notes a doubt as an obstacle, or has the plan tell of it where the caller goes on in spite of such.
pub(super) fn in_doubt(code: &Code, span: Span, reason: impl std::fmt::Display) -> Result<(), Refusal> {
    tell(doubt(code, span, reason)?);
    Ok(())
}

/// Notes a doubt as an obstacle, or tells of it where the caller goes on in spite of such.
pub(super) fn doubt(code: &Code, span: Span, reason: impl std::fmt::Display) -> Result<Warning, Refusal> {
    doubt_in((&code.path, &code.shown, &code.parsed().text), span, reason)
}

/// As [`doubt`], of a call on an object of unknown type.
pub(super) fn untyped(code: &Code, span: Span, reason: impl std::fmt::Display) -> Result<Warning, Refusal> {
    noted((&code.path, &code.shown, &code.parsed().text), span, reason, |place, reason| Refusal::Untyped {
        place,
        reason,
    })
}

/// As [`doubt`], in a file of any kind.
pub(super) fn doubt_in(
    file: (&AbsPath, &str, &Text),
    span: Span,
    reason: impl std::fmt::Display,
) -> Result<Warning, Refusal> {
    noted(file, span, reason, |place, reason| Refusal::Doubt { place, reason })
}

fn noted(
    (path, shown, text): (&AbsPath, &str, &Text),
    span: Span,
    reason: impl std::fmt::Display,
    refusal: impl FnOnce(String, String) -> Refusal,
) -> Result<Warning, Refusal> {
    let line = text.position(span.start).map_or(0, |position| position.line + 1);
    if WANTED.try_with(|wanted| *wanted).unwrap_or_default() == Doubts::Refuse {
        Err(refusal(format!("{shown}:{line}"), reason.to_string())).noted()?;
    }
    let message = format!("{reason}: gone on in spite of it (line {line})");
    Ok(Warning::at(WarningKind::PossibleUse, message, path.clone(), text.range(span)))
}
