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
use crate::refactor::analysis::given_text::{self, Needed, TextPurpose};
use crate::refactor::analysis::imports::required;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{CodePattern, Occurrence};
use crate::text::{Span, TextEdit};
pub(super) use goal::Goal;
pub(super) use meant::{Form, Verdict};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let form = Form::read((session, &kin), &code, request).await?;
    let goal = Goal::read(session, &code, (request.params.needed("goal")?, &form.pattern))?;
    let mut rewriting = Rewriting::new(session, &form, &goal);
    rewriting.everywhere((&code, code.extent(&request.target)), request).await?;
    rewriting.plan()
}

/// Says what further speaks against a place of code that has the form.
pub(super) type Judge<'a> = dyn Fn(&Code, &ScopedNames<'_>, &Occurrence) -> Option<Verdict> + Sync + 'a;

/// What is rewritten so far.
pub(super) struct Rewriting<'a> {
    session: &'a Session,
    form: &'a Form<'a>,
    goal: &'a Goal,
    /// Judges further, where places that do not fit stay and are told; where there is none, they are refused.
    pub judge: Option<&'a Judge<'a>>,
    edits: Edits,
    count: usize,
    /// Where something else is written alike.
    others: Vec<String>,
    /// Where code has the form, and stays: each place with the reason.
    stays: Vec<(String, String)>,
}

impl<'a> Rewriting<'a> {
    pub(super) fn new(session: &'a Session, form: &'a Form<'a>, goal: &'a Goal) -> Self {
        Self {
            session,
            form,
            goal,
            judge: None,
            edits: Edits::default(),
            count: 0,
            others: Vec::new(),
            stays: Vec::new(),
        }
    }

    pub(super) fn plan(self) -> Result<Plan, Refusal> {
        let written = &self.form.written;
        match (self.count, self.stays.first(), self.others.first()) {
            (0, None, None) => Err(Refusal::NotPossible(format!("no code has the form `{written}` here"))),
            (0, Some((place, reason)), _) => Err(Refusal::Stands { place: place.clone(), reason: reason.clone() }),
            (0, None, Some(place)) => Err(Refusal::Stands {
                place: place.clone(),
                reason: format!(
                    "this has the form `{written}`, and is something else by its names, or by the class of an object"
                ),
            }),
            _ => self.edits.plan(),
        }
    }

    /// Rewrites a stretch of the target's file, and the further files that are asked for.
    pub(super) async fn everywhere(&mut self, (code, extent): (&Code, Span), request: &Request) -> Result<(), Refusal> {
        self.rewrite(code, extent).await?;
        for other in code.further(self.session, &request.params.globs("files")?)? {
            self.rewrite(&other, other.root().span()).await?;
        }
        Ok(())
    }

    async fn rewrite(&mut self, code: &Code, extent: Span) -> Result<(), Refusal> {
        let language = code.parsed().tree.language();
        // A pattern may be code of one language of the family alone: types of TypeScript.
        let Ok(pattern) = CodePattern::read(language, &self.form.written) else { return Ok(()) };
        let found = pattern.occurrences(code.text()).into_iter().filter(|it| extent.contains(it.span));
        let names = ScopedNames::of(code);
        let (mut meant, mut left) = (Vec::new(), Vec::new());
        for one in found {
            match self.verdict((code, &names), &one).await? {
                Verdict::Meant => meant.push(one),
                Verdict::Itself => {}
                Verdict::Other => self.others.push(code.place(one.span.start)),
                Verdict::Left(kind, reason) => left.push((kind, reason, one.span)),
            }
        }
        left.extend(self.put((code, &names), &meant).await?);
        let said = |(_, reason, span): &(WarningKind, String, Span)| {
            (code.place(span.start), format!("this has the form, and stays: {reason}"))
        };
        self.stays.extend(left.iter().map(said));
        self.edits.warn(told(code, left));
        Ok(())
    }

    async fn verdict(&self, (code, names): (&Code, &ScopedNames<'_>), one: &Occurrence) -> Result<Verdict, Refusal> {
        if let Some(reason) = self.goal.unfit(code, one) {
            return Ok(Verdict::Left(WarningKind::FollowUp, reason));
        }
        if let Some(verdict) = self.judge.and_then(|judge| judge(code, names, one)) {
            return Ok(verdict);
        }
        match self.form.verdict((code, names), one, self.goal).await {
            Err(reason) if self.judge.is_some() => Ok(Verdict::Left(WarningKind::FollowUp, reason.to_string())),
            verdict => verdict,
        }
    }

    /// Puts the goal where the code stands that is meant; what lies inside of it is rewritten with it. Returns what stays.
    async fn put(
        &mut self,
        (code, names): (&Code, &ScopedNames<'_>),
        meant: &[Occurrence],
    ) -> Result<Vec<(WarningKind, String, Span)>, Refusal> {
        let is_outer =
            |one: &&Occurrence| !meant.iter().any(|other| other.span != one.span && other.span.contains(one.span));
        let outer: Vec<&Occurrence> = meant.iter().filter(is_outer).collect();
        if outer.is_empty() {
            return Ok(Vec::new());
        }
        let (written, needed) = match self.fitted((code, names), &outer, meant).await {
            Err(reason) if self.judge.is_some() => {
                let stays = |one: &&Occurrence| (WarningKind::FollowUp, reason.to_string(), one.span);
                return Ok(outer.iter().map(stays).collect());
            }
            fitted => fitted?,
        };
        self.count += meant.len();
        self.edits.add(code, written);
        given_text::add(code, needed, &mut self.edits);
        let gone: Vec<Span> = outer.iter().map(|it| it.span).collect();
        required::leave(self.session, code, &gone, &mut self.edits);
        Ok(Vec::new())
    }

    /// Writes the goal for each place, where its names mean what they mean in the target's file, with the imports for that.
    async fn fitted(
        &self,
        (code, names): (&Code, &ScopedNames<'_>),
        outer: &[&Occurrence],
        meant: &[Occurrence],
    ) -> Result<(Vec<TextEdit>, Vec<Needed>), Refusal> {
        let mut edits = Vec::new();
        for one in outer {
            self.goal.check_names(code, names, one.span)?;
            edits.push(TextEdit::new(one.span, self.goal.written(code, one, meant)?));
        }
        for name in self.goal.free().iter().filter(|_| code.path != self.form.home.path) {
            let bound = names.named(name).find(|it| it.is_binding && required::home(code, *it).is_none());
            if let Some(bound) = bound
                && !self.form.is_same((code, names), bound).await?
            {
                return Err(code.refuse(bound.span.start, format!("`{name}` is something else in this file")));
            }
        }
        let place = code.covering(outer[0].span);
        let purpose = TextPurpose::Code(self.goal.text());
        let holes = self.goal.names();
        let needed = given_text::imports(self.session, self.form.home, (code, place), (purpose, &holes))?;
        Ok((edits, needed))
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
