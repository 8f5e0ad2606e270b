//! Restructure: code of one form becomes code of another, in a file and in further ones, as rope's restructuring has it.
//!
//! ```python
//! if total(order) > 0:         if order.total() > 0:
//!     send(order)         →        send(order)
//! ```
//! by the pattern `total($ORDER)` and the goal `$ORDER.total()`.

mod goal;
mod meant;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::given_text::{self, TextPurpose};
use crate::refactor::analysis::imports::required;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{CodePattern, Occurrence};
use crate::text::{Span, TextEdit};
use goal::Goal;
use meant::{Form, Verdict};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let form = Form::read((session, &kin), &code, request).await?;
    let goal = Goal::read(session, &code, (request.params.needed("goal")?, &form.pattern))?;
    let mut rewriting =
        Rewriting { session, form: &form, goal: &goal, edits: Edits::default(), count: 0, others: Vec::new() };
    rewriting.rewrite(&code, code.extent(&request.target)).await?;
    for other in code.further(session, &request.params.globs("files")?)? {
        rewriting.rewrite(&other, other.root().span()).await?;
    }
    let written = request.params.text("pattern");
    match (rewriting.count, rewriting.others.first()) {
        (0, None) => Err(Refusal::NotPossible(format!("no code has the form `{written}` here"))),
        (0, Some(place)) => Err(Refusal::Stands {
            place: place.clone(),
            reason: format!(
                "this has the form `{written}`, and is something else by its names, or by the class of an object"
            ),
        }),
        _ => rewriting.edits.plan(),
    }
}

/// What is rewritten so far.
struct Rewriting<'a> {
    session: &'a Session,
    form: &'a Form<'a>,
    goal: &'a Goal,
    edits: Edits,
    count: usize,
    /// Where something else is written alike.
    others: Vec<String>,
}

impl Rewriting<'_> {
    async fn rewrite(&mut self, code: &Code, extent: Span) -> Result<(), Refusal> {
        let language = code.parsed().tree.language();
        // A pattern may be code of one language of the family alone: types of TypeScript.
        let Ok(pattern) = CodePattern::read(language, &self.form.written) else { return Ok(()) };
        let found = pattern.occurrences(code.text()).into_iter().filter(|it| extent.contains(it.span));
        let names = ScopedNames::of(code);
        let (mut meant, mut left) = (Vec::new(), Vec::new());
        for one in found {
            let verdict = match self.goal.unfit(code, &one) {
                Some(reason) => Verdict::Left(WarningKind::FollowUp, reason),
                None => self.form.verdict((code, &names), &one, self.goal).await?,
            };
            match verdict {
                Verdict::Meant => meant.push(one),
                Verdict::Other => self.others.push(code.place(one.span.start)),
                Verdict::Left(kind, reason) => left.push((kind, reason, one.span)),
            }
        }
        self.edits.warn(told(code, left));
        self.put(code, &names, &meant)
    }

    /// Puts the goal where the code stands that is meant; what lies inside of it is rewritten with it.
    fn put(&mut self, code: &Code, names: &ScopedNames<'_>, meant: &[Occurrence]) -> Result<(), Refusal> {
        let is_outer =
            |one: &&Occurrence| !meant.iter().any(|other| other.span != one.span && other.span.contains(one.span));
        let outer: Vec<&Occurrence> = meant.iter().filter(is_outer).collect();
        let Some(first) = outer.first() else { return Ok(()) };
        for one in &outer {
            self.goal.check_names(code, names, one.span)?;
            let text = self.goal.written(code, one, meant)?;
            self.edits.add(code, [TextEdit::new(one.span, text)]);
        }
        self.count += meant.len();
        let place = code.covering(first.span);
        let purpose = TextPurpose::Code(self.goal.text());
        let holes = self.goal.names();
        let needed = given_text::imports(self.session, self.form.home, (code, place), (purpose, &holes))?;
        given_text::add(code, needed, &mut self.edits);
        let gone: Vec<Span> = outer.iter().map(|it| it.span).collect();
        required::leave(self.session, code, &gone, &mut self.edits);
        Ok(())
    }
}

/// Tells of what keeps its form, once for each reason.
fn told(code: &Code, left: Vec<(WarningKind, String, Span)>) -> Vec<Warning> {
    let mut told: Vec<(WarningKind, String, Vec<Span>)> = Vec::new();
    for (kind, reason, span) in left {
        match told.iter_mut().find(|(other, same, _)| *other == kind && *same == reason) {
            Some((_, _, spans)) => spans.push(span),
            None => told.push((kind, reason, vec![span])),
        }
    }
    let warning = |(kind, reason, spans): (WarningKind, String, Vec<Span>)| {
        let message = format!("this has the form, and stays: {reason}");
        Warning::at_lines(kind, message, code.path.clone(), (&code.parsed().text, &spans))
    };
    told.into_iter().map(warning).collect()
}
