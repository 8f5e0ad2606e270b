//! Refactorings that servers of other languages than the catalog's own offer as code actions: how each server calls them,
//! where it takes them, and what it calls what it makes.

mod in_macros;
mod left_over;
mod made;

use crate::actions::{self, ActionError, Aim};
use crate::lsp::Action;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, squeezed};
use crate::session::Session;
use crate::syntax::kinds::Role;
use crate::syntax::{Family, Node, check_name, whole_words};
use crate::text::Span;
use left_over::Reach;
use made::Made;

/// What the server of one language offers.
struct Offer {
    family: Family,
    kind: &'static str,
    /// What the title begins with.
    title: &'static str,
    aim: Aimed,
    made: Made,
    /// Where nothing is to be left of the name, of which the declaration goes.
    inlined: Option<Reach>,
}

/// What has to be selected.
#[derive(Clone, Copy)]
enum Aimed {
    /// Lines, or an expression.
    Stretch,
    Expression,
    /// A type as it is written.
    Type,
    /// The beginning of a node, and what it is called.
    Node(fn(Node<'_>) -> bool, &'static str),
    /// The name at the target.
    Name,
    /// All of the file.
    File,
}

const RUST: Family = Family::Rust;
const GO: Family = Family::Go;
const C: Family = Family::C;

const EXTRACT: &str = "refactor.extract";
const INLINE: &str = "refactor.inline";
const REWRITE: &str = "refactor.rewrite";

const fn offer(family: Family, kind: &'static str, title: &'static str, aim: Aimed) -> Offer {
    Offer { family, kind, title, aim, made: Made::Nothing, inlined: None }
}

impl Offer {
    const fn made(self, made: Made) -> Self {
        Self { made, ..self }
    }

    const fn inlined(self, reach: Reach) -> Self {
        Self { inlined: Some(reach), ..self }
    }
}

const IF: Aimed = Aimed::Node(|node| node.has(Role::If), "`if`");
const IMPL: Aimed = Aimed::Node(|node| node.is("impl_item"), "`impl`");

pub(crate) const EXTRACT_FUNCTION: Run = |session, request| {
    const OFFERS: &[Offer] = &[
        offer(RUST, EXTRACT, "Extract into function", Aimed::Stretch).made(Made::Behind("fn ")),
        offer(GO, EXTRACT, "Extract function", Aimed::Stretch).made(Made::Behind("func ")),
        offer(C, "refactor", "Extract to function", Aimed::Stretch).made(Made::Called("extracted")),
    ];
    taken(session, request, OFFERS)
};

pub(crate) const EXTRACT_METHOD: Run = |session, request| {
    const OFFERS: &[Offer] = &[
        offer(RUST, EXTRACT, "Extract into function", Aimed::Stretch).made(Made::Behind("fn ")),
        offer(GO, EXTRACT, "Extract method", Aimed::Stretch).made(Made::Behind(") ")),
    ];
    taken(session, request, OFFERS)
};

pub(crate) const EXPLAINING_VARIABLE: Run = |session, request| {
    const OFFERS: &[Offer] = &[
        offer(RUST, EXTRACT, "Extract into variable", Aimed::Expression).made(Made::Variable("let ")),
        offer(GO, EXTRACT, "Extract variable", Aimed::Expression).made(Made::Before(" := ")),
        offer(C, "refactor", "Extract subexpression to variable", Aimed::Expression).made(Made::Called("placeholder")),
    ];
    taken(session, request, OFFERS)
};

pub(crate) const INLINE_TEMP: Run = |session, request| {
    const OFFERS: &[Offer] = &[offer(RUST, INLINE, "Inline variable", Aimed::Name).inlined(Reach::Function)];
    taken(session, request, OFFERS)
};

pub(crate) const INLINE_METHOD: Run = |session, request| {
    const OFFERS: &[Offer] = &[
        offer(RUST, INLINE, "Inline into all callers", Aimed::Name).inlined(Reach::Project),
        offer(GO, INLINE, "Inline call to ", Aimed::Name),
    ];
    taken(session, request, OFFERS)
};

pub(crate) const INVERT_IF: Run = |session, request| {
    const OFFERS: &[Offer] = &[offer(RUST, REWRITE, "Invert if", IF), offer(GO, REWRITE, "Invert 'if' condition", IF)];
    taken(session, request, OFFERS)
};

pub(crate) const GUARD_CLAUSES: Run = |session, request| {
    const OFFERS: &[Offer] = &[offer(RUST, REWRITE, "Convert to guarded return", IF)];
    taken(session, request, OFFERS)
};

pub(crate) const EXTRACT_INTERFACE: Run = |session, request| {
    const OFFERS: &[Offer] = &[offer(RUST, "", "Generate trait from impl", IMPL).made(Made::Behind("trait "))];
    taken(session, request, OFFERS)
};

pub(crate) const IMPLEMENT_INTERFACE: Run = |session, request| {
    const OFFERS: &[Offer] = &[
        offer(RUST, "quickfix", "Implement missing members", IMPL),
        offer(GO, "quickfix", "Declare missing methods of ", Aimed::Name),
    ];
    taken(session, request, OFFERS)
};

pub(crate) const EXTRACT_TYPE: Run = |session, request| {
    const OFFERS: &[Offer] =
        &[offer(RUST, EXTRACT, "Extract type as type alias", Aimed::Type).made(Made::Behind("type "))];
    taken(session, request, OFFERS)
};

pub(crate) const NEW_FILE: Run = |session, request| {
    const MODULE: Aimed = Aimed::Node(|node| node.is("mod_item") && node.child("body").is_some(), "module with a body");
    const OFFERS: &[Offer] = &[offer(RUST, EXTRACT, "Extract module to file", MODULE)];
    taken(session, request, OFFERS)
};

pub(crate) const MODULE_TO_PACKAGE: Run = |session, request| {
    const OFFERS: &[Offer] = &[offer(RUST, "", "Convert ", Aimed::File)];
    taken(session, request, OFFERS)
};

type Planning<'a> = futures::future::BoxFuture<'a, Result<Plan, Refusal>>;

fn taken<'a>(session: &'a Session, request: &'a Request, offers: &'static [Offer]) -> Planning<'a> {
    Box::pin(async move {
        let code = Code::of(session, request)?;
        let language = request.target.language;
        let no_offer = || Refusal::NotPossible(format!("no server of {} offers it", language.id()));
        let offer = offers.iter().find(|offer| offer.family == language.family()).ok_or_else(no_offer)?;
        let span = offer.aim.span(&code, request)?;
        let name = match offer.made {
            Made::Nothing => None,
            _ => Some(free_name(&code, request)?),
        };
        session.may_ask()?;
        let kinds = [offer.kind].into_iter().filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
        let aim = Aim { path: code.path.clone(), span, kinds };
        let fits = |action: &Action| action.title.starts_with(offer.title);
        let title = offer.title.trim_end();
        let plan = actions::carry_out(session, &aim, (title, &fits)).await.map_err(|error| match error {
            ActionError::NotOffered { missing, .. } if missing.is_empty() => {
                code.refuse(span.start, format!("the server of {} does not offer `{title}` here", language.id()))
            }
            error => error.into(),
        })?;
        let plan = match name {
            Some(name) => offer.made.named((&code, span), plan, name)?,
            None => plan,
        };
        if offer.family == RUST && matches!(offer.aim, Aimed::Stretch) {
            in_macros::check(&code, span, &plan)?;
        }
        if let Some(reach) = offer.inlined {
            left_over::check(session, (&code, span), &plan, reach)?;
        }
        Ok(told(plan, offer))
    })
}

/// Tells of a call that is put in place alone: the function stays, and so do its other calls.
fn told(plan: Plan, offer: &Offer) -> Plan {
    if offer.family != GO || offer.kind != INLINE {
        return plan;
    }
    let alone = "only the call at the target is inlined: the function stays, and so do its other calls";
    let warnings = plan.warnings().iter().cloned();
    let warnings = warnings.chain([Warning::of_plan(WarningKind::FollowUp, alone)]).collect();
    plan.with_warnings(warnings)
}

/// Returns the name that is wished for, which nothing in the file has.
fn free_name<'r>(code: &Code, request: &'r Request) -> Result<&'r str, Refusal> {
    let name = request.params.needed("name")?;
    check_name(request.target.language, name).map_err(|bad| Refusal::BadName(bad.to_string()))?;
    match whole_words(code.text(), name).first() {
        Some(place) => Err(code.refuse(place.start, format!("the file says `{name}` already"))),
        None => Ok(name),
    }
}

impl Aimed {
    /// Returns the stretch to ask about; refused where the grammar shows that nothing of the kind is there.
    fn span(self, code: &Code, request: &Request) -> Result<Span, Refusal> {
        match self {
            Self::File => Ok(trimmed(code, Span::new(0, code.text().len()))),
            Self::Stretch => match lines(code, request) {
                Some(lines) => Ok(lines),
                None => expression(code, request, is_expression),
            },
            Self::Expression => expression(code, request, is_expression),
            Self::Type => expression(code, request, |node| node.kind().ends_with("_type")),
            Self::Name => {
                let place = place(request)?;
                let here = code.covering(Span::new(place, place + 1));
                let is_name = here.kind().ends_with("identifier");
                if is_name { Ok(here.span()) } else { Err(code.refuse(place, "no name stands here")) }
            }
            Self::Node(is_it, what) => {
                let within = lines(code, request).map_or_else(|| place(request).map(Span::at), Ok)?;
                let here = code.covering(Span::new(within.start, within.end.max(within.start + 1)));
                let inside = here.descendants().filter(|it| !within.is_empty() && within.contains(it.span()));
                let mut nodes = std::iter::once(here).chain(here.ancestors()).chain(inside);
                let found = nodes.find(|it| is_it(*it));
                let found = found.ok_or_else(|| code.refuse(within.start, format!("no {what} stands here")))?;
                Ok(Span::at(found.start()))
            }
        }
    }
}

fn place(request: &Request) -> Result<usize, Refusal> {
    let reason = || format!("name a place in `{}`: a line and a column, or a declaration", request.target.shown);
    request.target.place().ok_or_else(|| Refusal::NotPossible(reason()))
}

/// Returns the lines that are named, without the white space around them.
fn lines(code: &Code, request: &Request) -> Option<Span> {
    request.target.lines?;
    Some(trimmed(code, code.extent(&request.target)))
}

fn trimmed(code: &Code, span: Span) -> Span {
    let written = span.of(code.text()).unwrap_or_default();
    let start = span.start + (written.len() - written.trim_start().len());
    Span::new(start, start + written.trim().len())
}

/// Finds what is written as `expression`, or the largest that begins at the place.
fn expression(code: &Code, request: &Request, is_it: fn(Node<'_>) -> bool) -> Result<Span, Refusal> {
    let extent = extent(code, request);
    if let Some(written) = request.params.given("expression") {
        let wanted = squeezed(written);
        let all = code.root().descendants().filter(|node| extent.contains(node.span()) && is_it(*node));
        let mut found: Vec<Span> =
            all.filter(|node| squeezed(node.text(code.text())) == wanted).map(Node::span).collect();
        found.dedup();
        return match found.as_slice() {
            [only] => Ok(*only),
            [] => Err(code.refuse(extent.start, format!("no `{wanted}` stands in what the target names"))),
            [_, second, ..] => {
                Err(code
                    .refuse(second.start, format!("`{wanted}` stands here, too: aim at one by its line and column")))
            }
        };
    }
    let place = place(request)?;
    let here = code.covering(Span::new(place, (place + 1).min(code.text().len())));
    let around = std::iter::once(here).chain(here.ancestors()).take_while(|it| it.start() == place);
    let found = around.filter(|it| is_it(*it)).last();
    found.map(Node::span).ok_or_else(|| code.refuse(place, "nothing of the kind begins here"))
}

/// Returns what the target names: lines, or the function or class around its name.
fn extent(code: &Code, request: &Request) -> Span {
    let Some(place) = request.target.place().filter(|_| request.target.lines.is_none()) else {
        return code.extent(&request.target);
    };
    let is_whole = |it: &Node<'_>| it.has(Role::Function) || it.has(Role::Class);
    code.covering(Span::at(place)).ancestors().find(is_whole).unwrap_or_else(|| code.root()).span()
}

fn is_expression(node: Node<'_>) -> bool {
    let kind = node.kind();
    let is_part = ["expression", "literal", "invocation", "identifier"].iter().any(|end| kind.ends_with(end));
    node.is_named() && is_part && !node.is("expression_statement") && !node.is("type_identifier")
}
