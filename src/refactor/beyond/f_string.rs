//! Convert to F-string: a string of Python that is put together by `+`, `%` or `format` becomes one literal.
//!
//! ```python
//! "Hello, " + name + "!"
//! "Hello, %s!" % name           →   f"Hello, {name}!"
//! "Hello, {}!".format(name)
//! ```

mod fields;
mod literal;
mod percent;
mod piece;

use crate::lsp::Feature;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::expressions::call_of;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::probed_types::{ProbeSide, Question, probed};
use crate::refactor::refusal::refuse_all;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, statement_of};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};
use literal::{Literal, quoted_by};
use piece::{Hole, Piece, Shown};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let found = wanted(&code, request)?;
    let (mut read, mut left) = (Vec::new(), Left::default());
    for whole in found {
        read.extend(left.sort_out(whole, pieces(&code, whole))?.map(|pieces| (whole, pieces)));
    }
    if read.iter().any(|(_, pieces)| pieces.iter().any(|it| matches!(it, Piece::Hole(_)))) {
        session.server(code.parsed().tree.language(), Feature::References).await?;
    }
    let mut edits = Edits::default();
    let mut is_idle = true;
    for (whole, pieces) in &read {
        let outcome = written(session, &code, (*whole, pieces)).await;
        let Some((said, warnings)) = left.sort_out(*whole, outcome)? else { continue };
        is_idle = false;
        edits.add(&code, [TextEdit::new(outer(&code, *whole, &said), said)]);
        edits.warn(warnings);
    }
    if is_idle {
        refuse_all(left.places.into_iter().map(|(_, why)| why))?;
        return edits.plan();
    }
    edits.warn(left.told(&code));
    edits.plan()
}

/// Strings that are left as they are while others are converted, each with the reason.
#[derive(Default)]
struct Left {
    places: Vec<(Span, Refusal)>,
}

impl Left {
    /// Keeps a refusal that is about one string.
    fn sort_out<T>(&mut self, whole: Node<'_>, outcome: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(why) if why.is_failure() => Err(why),
            Err(why) => {
                self.places.push((whole.span(), why));
                Ok(None)
            }
        }
    }

    fn told(self, code: &Code) -> Vec<Warning> {
        let told = self.places.into_iter().map(|(span, why)| {
            let message = format!("this string is left as it is: {}", why.parted().1);
            Warning::at(WarningKind::FollowUp, message, code.path.clone(), code.parsed().text.range(span))
        });
        told.collect()
    }
}

/// Returns the strings that are meant: the one around the place, or those of the lines or of the function that are named.
fn wanted<'c>(code: &'c Code, request: &Request) -> Result<Vec<Node<'c>>, Refusal> {
    let is_it = |node: &Node<'c>| is_built(code, *node);
    let none = |at: usize| code.refuse(at, "no string is put together here by `+`, `%` or `format`");
    if let (None, Some(offset)) = (request.target.name, request.target.offset) {
        let here = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
        let statement = statement_of(here);
        let around = std::iter::once(here).chain(here.ancestors()).take_while(|it| Some(*it) != statement);
        if let Some(outermost) = around.filter(is_it).last() {
            return Ok(vec![outermost]);
        }
        let inside = statement.into_iter().flat_map(Node::descendants).filter(is_it);
        return inside.into_iter().next().map(|it| vec![it]).ok_or_else(|| none(offset));
    }
    let extent = code.extent(&request.target);
    let all: Vec<Node<'c>> = code.root().descendants().filter(|it| extent.contains(it.span()) && is_it(it)).collect();
    let is_outer = |node: &Node<'c>| !all.iter().any(|other| other.holds(*node));
    let outer: Vec<Node<'c>> = all.iter().copied().filter(is_outer).collect();
    if outer.is_empty() { Err(none(extent.start)) } else { Ok(outer) }
}

/// Tells whether an expression puts a string together.
fn is_built(code: &Code, node: Node<'_>) -> bool {
    let operator = || node.child("operator").map(|it| it.text(code.text())).unwrap_or_default();
    match node.kind() {
        "binary_operator" if operator() == "+" => joins_text(code, node),
        "binary_operator" if operator() == "%" => node.child("left").is_some_and(is_text),
        "call" => formatted(code, node).is_some(),
        _ => false,
    }
}

/// Tells whether a string is among what a chain of `+` joins.
fn joins_text(code: &Code, node: Node<'_>) -> bool {
    let is_joint = node.is("binary_operator") && node.child("operator").map(|it| it.text(code.text())) == Some("+");
    let side = |field: &str| node.child(field);
    is_joint
        && (side("left").is_some_and(|it| is_text(it) || joins_text(code, it)) || side("right").is_some_and(is_text))
}

fn is_text(node: Node<'_>) -> bool {
    let inner = node.named_children().next().filter(|_| node.is("parenthesized_expression"));
    node.is_any(&["string", "concatenated_string"]) || inner.is_some_and(is_text)
}

/// Returns the string that `format` is called on.
fn formatted<'c>(code: &Code, call: Node<'c>) -> Option<Node<'c>> {
    let function = call.child("function").filter(|it| it.is("attribute"))?;
    let is_format = function.child("attribute")?.text(code.text()) == "format";
    function.child("object").filter(|it| is_format && is_text(*it))
}

fn pieces<'c>(code: &'c Code, whole: Node<'c>) -> Result<Vec<Piece<'c>>, Refusal> {
    let inside = whole.ancestors().any(|it| it.is("interpolation"));
    if inside {
        return Err(code.refuse(whole.start(), "it stands in an f-string itself"));
    }
    if let Some(comment) = whole.descendants().find(|it| it.is("comment")) {
        return Err(code.refuse(comment.start(), "the comment here would be lost"));
    }
    match formatted(code, whole) {
        Some(text) => fields::pieces(code, whole, text),
        None if whole.child("operator").is_some_and(|it| it.text(code.text()) == "%") => percent::pieces(code, whole),
        None => added(code, whole),
    }
}

/// Takes what `+` joins apart.
fn added<'c>(code: &'c Code, node: Node<'c>) -> Result<Vec<Piece<'c>>, Refusal> {
    let inner = node.named_children().next().filter(|_| node.is("parenthesized_expression"));
    if let Some(inner) = inner.filter(|it| is_text(*it) || joins_text(code, *it)) {
        return added(code, inner);
    }
    if is_text(node) {
        return literal::pieces(code, node);
    }
    if is_built(code, node) && !joins_text(code, node) {
        return pieces(code, node);
    }
    if joins_text(code, node) {
        let sides = [node.child("left"), node.child("right")];
        let sides: Result<Vec<_>, Refusal> = sides.into_iter().flatten().map(|side| added(code, side)).collect();
        return Ok(sides?.into_iter().flatten().collect());
    }
    let (value, shown) = said_by(code, node).unwrap_or((node, Shown::Added));
    let (access, spec, sizes) = (String::new(), String::new(), Vec::new());
    Ok(vec![Piece::Hole(Hole { value, access, shown, spec, sizes, at: node.start() })])
}

/// Reads `str(value)` and `repr(value)`.
fn said_by<'c>(code: &'c Code, node: Node<'c>) -> Option<(Node<'c>, Shown)> {
    let (name, value) = call_of(code, node)?;
    let is_own = || ScopedNames::of(code).named(name).any(|it| it.is_binding);
    let shown = match name {
        "str" => Shown::Str,
        "repr" => Shown::Repr,
        _ => return None,
    };
    (!is_own()).then_some((value, shown))
}

/// Writes the pieces as one string, and tells what is not known of the values.
async fn written(
    session: &Session,
    code: &Code,
    (whole, pieces): (Node<'_>, &[Piece<'_>]),
) -> Result<(String, Vec<Warning>), Refusal> {
    let holes = || pieces.iter().filter_map(|it| if let Piece::Hole(hole) = it { Some(hole) } else { None });
    let statement = statement_of(whole).unwrap_or(whole);
    let texts: Vec<String> = holes().map(|hole| format!("{}{}", hole.object(code), hole.access)).collect();
    let ask = |text| Question { statement, side: ProbeSide::Before, expression: text };
    let questions: Vec<Question<'_>> = texts.iter().map(|text| ask(text.as_str())).collect();
    let mut known = probed(session, code, &questions).await.into_iter();
    let quote = quote(code, whole, pieces);
    let mut warnings = Vec::new();
    let mut parts = Vec::new();
    for piece in pieces {
        parts.push(match piece {
            Piece::Said { text, is_raw, at } => Literal::Said { text: text.clone(), is_raw: *is_raw, at: *at },
            Piece::Filled { text, at } => Literal::Filled { text: text.clone(), at: *at },
            Piece::Hole(hole) => {
                let kind = known.next().flatten();
                warnings.extend(hole.doubt(code, kind.as_deref())?);
                Literal::Filled { text: hole.written(code, kind.as_deref(), quote)?, at: hole.at }
            }
        });
    }
    let line = literal::written(code, &parts, quote)?;
    let column = whole.start() - code.line_start(whole.start());
    // Literals in a row have to stand in brackets.
    let is_broken = whole.text(code.text()).contains('\n') && !whole.descendants().any(|it| it.is("line_continuation"));
    let is_long = is_broken && column + line.chars().count() > Layout::of(code).longest();
    match is_long {
        true => Ok((literal::lines(code, whole, (&parts, quote))?, warnings)),
        false => Ok((line, warnings)),
    }
}

/// Returns the quote of the first literal, or the other one where fewer signs have to be escaped then.
fn quote(code: &Code, whole: Node<'_>, pieces: &[Piece<'_>]) -> char {
    let own = quoted_by(code, whole);
    let other = if own == '"' { '\'' } else { '"' };
    let says = |quote: char| pieces.iter().any(|it| matches!(it, Piece::Said { text, .. } if text.contains(quote)));
    let holds = |quote: char| {
        pieces.iter().any(|it| match it {
            Piece::Said { .. } => false,
            Piece::Filled { text, .. } => text.contains(quote),
            Piece::Hole(hole) => {
                hole.values().any(|it| it.text(code.text()).contains(quote)) || hole.access.contains(quote)
            }
        })
    };
    if says(own) && !says(other) && !holds(other) { other } else { own }
}

/// Returns what the string replaces: the parentheses around it, too, where it needs them no longer.
fn outer(code: &Code, whole: Node<'_>, said: &str) -> Span {
    let around = whole.parent().filter(|it| it.is("parenthesized_expression"));
    let is_bare = |it: &Node<'_>| !it.children().any(|one| one.is("comment"));
    let around = around.filter(|it| is_bare(it) && !said.contains('\n'));
    // Nothing else keeps a word and the string apart: `return("a" + b)`.
    let is_apart = |it: &Node<'_>| !code.text()[..it.start()].ends_with(|sign: char| sign.is_alphanumeric());
    around.filter(is_apart).unwrap_or(whole).span()
}
