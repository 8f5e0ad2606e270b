//! Introduce Foreign Method.
//!
//! ```python
//!                                       def next_month(day):
//!                                           return day.replace(day=1) + timedelta(31)
//!                                   →
//! due = day.replace(day=1)              due = next_month(day)
//!     + timedelta(31)
//! ```
//! Wherever the file says the same of another object of that class, it calls the function, too.

mod subject;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::expressions::{alike, is_value, replaced};
use crate::refactor::analysis::extracted_expression::{Query, Subject};
use crate::refactor::analysis::probed_types::{ProbeSide, Question, answers};
use crate::refactor::doubts::{in_doubt, tell};
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, squeezed, statement_of};
use crate::session::Session;
use crate::syntax::Node;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A place that says of an object what the target says of its own.
struct Likeness<'c> {
    node: Node<'c>,
    object: Node<'c>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let piece = alike(&code, request)?[0];
    let places = subject::places((&code, &names), piece, request.params.given("receiver"))?;
    if places.len() > 1 && !places[0].is_leaf() && reach(&names, &code, piece) == ExpressionReach::Acts {
        let reason = format!("what is done here may change `{}` in between", places[0].text(code.text()));
        in_doubt(&code, places[0].span(), reason)?;
    }
    let subject = subject::named(session, (&code, &names), (piece, places)).await?;
    let all = likenesses((&code, &names), piece, &subject);
    let same = same_kind(session, &code, &subject, all).await?;
    let first = same.iter().map(|it| it.node).chain([piece]).min_by_key(|it| it.start()).unwrap_or(piece);
    let around = function_of(first).or_else(|| statement_of(first)).unwrap_or(first);
    let query =
        Query::about(session, (&code, &names), (piece, around), (request.params.text("name"), &subject)).await?;
    let mut edits = Query::definitions(std::slice::from_ref(&query));
    edits.push(replaced(&code, piece, &query.call()));
    for one in &same {
        edits.push(replaced(&code, one.node, &query.call_with(one.object.text(code.text()))));
    }
    code.plan(edits)
}

/// Finds all other places that read like the piece but for the object.
fn likenesses<'c>(
    (code, names): (&'c Code, &ScopedNames<'c>),
    piece: Node<'c>,
    subject: &Subject<'c>,
) -> Vec<Likeness<'c>> {
    let others = code.root().descendants().filter(|it| it.kind() == piece.kind() && !it.span().overlaps(piece.span()));
    let mut found: Vec<Likeness<'c>> = Vec::new();
    for node in others.filter(|it| is_value(*it)) {
        let mut objects = Vec::new();
        if !reads_like((code, names), (piece, node), subject, &mut objects) {
            continue;
        }
        let Some(object) = objects.first().copied() else { continue };
        let is_one = objects.iter().all(|it| squeezed(it.text(code.text())) == squeezed(object.text(code.text())));
        let is_early = found.last().is_some_and(|it| it.node.holds(node));
        if is_one && !is_early && (objects.len() == 1 || reach(names, code, object) != ExpressionReach::Acts) {
            found.push(Likeness { node, object });
        }
    }
    found
}

/// Tells whether an expression reads like a part of the piece; collects what stands in the object's place.
fn reads_like<'c>(
    (code, names): (&Code, &ScopedNames<'_>),
    (one, other): (Node<'c>, Node<'c>),
    subject: &Subject<'c>,
    objects: &mut Vec<Node<'c>>,
) -> bool {
    if subject.places.contains(&one) {
        objects.push(other);
        return true;
    }
    if one.kind() != other.kind() {
        return false;
    }
    if one.is_leaf() {
        let means = |node: Node<'_>| names.at(node).map(|it| (it.is_free, it.meaning));
        let is_local = |node: Node<'_>| {
            names.at(node).is_some_and(|it| !it.is_free && names.function_of_meaning(it.meaning).is_some())
        };
        // A variable is passed; what stands for itself has to mean the same.
        let is_same = means(one).map(|it| it.0).is_some_and(|is_free| is_free) || means(one) == means(other);
        return one.text(code.text()) == other.text(code.text()) && (is_local(one) && is_local(other) || is_same);
    }
    let parts = |node: Node<'c>| node.children().filter(|it| !it.kind().ends_with("comment")).collect::<Vec<_>>();
    let (ones, others) = (parts(one), parts(other));
    ones.len() == others.len()
        && ones.into_iter().zip(others).all(|pair| reads_like((code, names), pair, subject, objects))
}

/// Keeps the places whose object is of the same type; one that is called the same may be of a type that nobody knows.
async fn same_kind<'c>(
    session: &Session,
    code: &'c Code,
    subject: &Subject<'c>,
    all: Vec<Likeness<'c>>,
) -> Result<Vec<Likeness<'c>>, Refusal> {
    if all.is_empty() {
        return Ok(all);
    }
    let asked = std::iter::once(subject.places[0]).chain(all.iter().map(|it| it.object));
    let questions: Vec<Question<'_>> = asked
        .map(|object| {
            let statement = statement_of(object).unwrap_or(object);
            Question { statement, side: ProbeSide::Before, expression: object.text(code.text()) }
        })
        .collect();
    let mut types = answers(session, code, &questions).await?.into_iter();
    let own = types.next().flatten();
    let written = squeezed(subject.places[0].text(code.text()));
    let mut same = Vec::new();
    for (one, known) in all.into_iter().zip(types) {
        let is_known = own.is_some() && known.is_some();
        if is_known && own == known || !is_known && squeezed(one.object.text(code.text())) == written {
            same.push(one);
        } else if !is_known {
            let message = format!("what `{}` is here is not known: it stays", one.object.text(code.text()));
            let range = code.parsed().text.range(one.node.span());
            tell(Warning::at(WarningKind::Mentioned, message, code.path.clone(), range));
        }
    }
    Ok(same)
}
