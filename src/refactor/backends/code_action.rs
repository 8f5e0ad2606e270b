//! Refactorings that a language's server offers among its code actions: known by their kinds and their titles.

use std::collections::BTreeSet;

use super::blank_lines::closed_up;
use crate::actions::{self, ActionError, Aim, Fix, Missing, WhyMissing};
use crate::lsp::{Action, Feature};
use crate::plan::{Plan, Warning, WarningKind, difference};
use crate::refactor::Refusal;
use crate::refactor::analysis::free_names::check_module_name;
use crate::refactor::analysis::imports::required::unneeded;
use crate::refactor::analysis::indentation::changed;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, statement_of};
use crate::session::Session;
use crate::syntax::{Language, Node, Tree, is_any_function};
use crate::text::{Span, TextEdit};

/// How a server calls what is wanted, and where the grammar lets it be asked for.
struct Wanted {
    kind: &'static str,
    /// What titles begin with; of several that fit, the first one is taken.
    titles: &'static [&'static str],
    /// What stands at every place where it can be done, and how that is called.
    at: fn(Node<'_>, &str) -> bool,
    what: &'static str,
}

const REWRITE: &str = "refactor.rewrite";

pub(crate) const TO_ASYNC: Run = |session, request| {
    const WANTED: &Wanted = &Wanted {
        kind: "quickfix",
        titles: &["Convert to async function"],
        at: |node, text| {
            let is_chain = |it: Node<'_>| {
                let asked = it.child("property").filter(|_| it.is("member_expression"));
                asked.is_some_and(|it| matches!(it.text(text), "then" | "catch" | "finally"))
            };
            is_any_function(node) && node.descendants().any(is_chain)
        },
        what: "function with a chain of `then`",
    };
    offered(session, request, WANTED)
};

pub(crate) const TO_TEMPLATE_STRING: Run = |session, request| {
    const WANTED: &Wanted = &Wanted {
        kind: REWRITE,
        titles: &["Convert to template string"],
        at: |node, text| {
            let operator = node.child("operator").filter(|_| node.is("binary_expression"));
            operator.is_some_and(|it| it.text(text) == "+")
                && node.descendants().any(|it| it.is_any(&["string", "template_string"]))
        },
        what: "string put together by `+`",
    };
    offered(session, request, WANTED)
};

pub(crate) const TO_OPTIONAL_CHAIN: Run = |session, request| {
    const WANTED: &Wanted = &Wanted {
        kind: REWRITE,
        titles: &["Convert to optional chain expression"],
        at: |node, text| {
            let operator = node.child("operator").filter(|_| node.is("binary_expression"));
            node.is("ternary_expression") || operator.is_some_and(|it| it.text(text) == "&&")
        },
        what: "`&&` and no `? :`",
    };
    Box::pin(async move { Ok(without_undefined(offered(session, request, WANTED).await?)) })
};

/// Takes `?? undefined` away, which tsserver writes for `a ? a.b : undefined`: what is nothing is that already.
fn without_undefined(plan: Plan) -> Plan {
    const NEEDLESS: &str = " ?? undefined";
    let mut parts = plan.clone().into_parts();
    for (before, edits) in parts.edits.values_mut() {
        for edit in edits {
            let old = edit.span.of(before.as_str()).unwrap_or_default();
            if !old.contains(NEEDLESS) {
                edit.new_text = edit.new_text.replacen(NEEDLESS, "", 1);
            }
        }
    }
    Plan::new(parts).unwrap_or(plan)
}

pub(crate) const CONVERT_IMPORT: Run = |session, request| {
    const WANTED: &Wanted = &Wanted {
        kind: REWRITE,
        titles: &["Convert named imports to namespace import", "Convert namespace import to named imports"],
        at: |node, _| node.is("import_statement"),
        what: "import",
    };
    offered(session, request, WANTED)
};

pub(crate) const ACCESSORS: Run = |session, request| {
    const FIELDS: &[&str] = &["public_field_definition", "field_definition", "required_parameter", "pair"];
    const WANTED: &Wanted = &Wanted {
        kind: REWRITE,
        titles: &["Generate 'get' and 'set' accessors"],
        at: |node, _| node.is_any(FIELDS),
        what: "field",
    };
    offered(session, request, WANTED)
};

pub(crate) const RETURN_TYPE: Run = |session, request| {
    const WANTED: &Wanted = &Wanted {
        kind: REWRITE,
        titles: &["Infer function return type"],
        at: |node, _| is_any_function(node) && node.child("return_type").is_none(),
        what: "function without a return type",
    };
    offered(session, request, WANTED)
};

pub(crate) const IMPLEMENT_INTERFACE: Run = |session, request| {
    const WANTED: &Wanted = &Wanted {
        kind: "quickfix",
        titles: &["Implement interface ", "Implement inherited abstract class"],
        at: |node, _| node.child_of_kind("class_heritage").is_some(),
        what: "class that implements or extends anything",
    };
    Box::pin(async move { Ok(without_optional(offered(session, request, WANTED).await?)) })
};

/// Leaves those members aside that an interface does not insist on: `close?(): void`.
fn without_optional(plan: Plan) -> Plan {
    let mut parts = plan.clone().into_parts();
    for edit in parts.edits.values_mut().flat_map(|(_, edits)| edits) {
        let text = format!("class It {{{}}}", edit.new_text);
        let tree = Tree::parse(Language::TypeScript, &text);
        let members = tree.nodes().iter().filter(|it| it.is_any(&["method_definition", "public_field_definition"]));
        let is_optional = |it: &Node<'_>| it.children().any(|child| child.kind() == "?");
        for member in members.filter(is_optional).collect::<Vec<_>>() {
            let semicolon = if text[member.end()..].starts_with(';') { ";" } else { "" };
            let before = &text[..member.start()];
            let blank = &before[before.trim_end().len()..];
            edit.new_text = edit.new_text.replacen(&format!("{blank}{}{semicolon}", member.text(&text)), "", 1);
        }
    }
    Plan::new(parts).unwrap_or(plan)
}

pub(crate) const NEW_FILE: Run = |session, request| Box::pin(new_file(session, request));

/// Lets tsserver move a statement. What it hands out anew by `exports.name` is lost where all of it is given another value.
async fn new_file(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    const WANTED: &Wanted = &Wanted {
        kind: "refactor.move",
        titles: &["Move to a new file"],
        at: |node, _| node.parent().is_some_and(|it| it.parent().is_none()),
        what: "statement of the module",
    };
    let code = Code::of(session, request)?;
    let replaced = code.hands_out().filter(|it| it.text(code.text()).starts_with("module.exports"));
    if let Some(replaced) = replaced {
        let reason = "the module replaces what it hands out here, and would lose what the new file needs of it";
        return Err(code.refuse(replaced.start(), reason));
    }
    offered(session, request, WANTED).await
}

/// Gives a type a name: the outermost one that begins at the place, else the one around it.
pub(crate) const EXTRACT_TYPE: Run = |session, request| Box::pin(extract_type(session, request));

/// What tsserver calls a new type.
const NEW_TYPE: &str = "NewType";
/// Types that are more than a name.
const TYPES: &[&str] = &[
    "object_type",
    "union_type",
    "intersection_type",
    "function_type",
    "array_type",
    "tuple_type",
    "generic_type",
    "conditional_type",
    "parenthesized_type",
    "lookup_type",
    "literal_type",
];

async fn extract_type(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let asked = span(session, request)?;
    let here = code.covering(Span::new(asked.start, asked.end.max(asked.start + 1).min(code.text().len())));
    let mut around = std::iter::once(here).chain(here.ancestors()).filter(|it| it.is_any(TYPES));
    let innermost = around.next().ok_or_else(|| code.refuse(asked.start, "no type is written out here"))?;
    let outermost = around.take_while(|it| it.start() == asked.start).last().unwrap_or(innermost);
    let name = request.params.needed("name")?;
    check_module_name(&code, name)?;
    if code.text().contains(NEW_TYPE) {
        return Err(code.refuse(outermost.start(), "the file says `NewType`: tsserver uses that name"));
    }
    session.may_ask()?;
    let aim = Aim { path: code.path.clone(), span: outermost.span(), kinds: vec!["refactor.extract".into()] };
    let fits = |action: &Action| action.title == "Extract to type alias";
    let plan = actions::carry_out(session, &aim, ("Extract to type alias", &fits)).await?;
    let edits = plan.edits().get(&code.path).into_iter().flat_map(|file| file.edits.iter());
    let named = |edit: &TextEdit| TextEdit::new(edit.span, edit.new_text.replace(NEW_TYPE, name));
    code.plan(edits.map(named).collect())
}

pub(crate) const ORGANIZE_IMPORTS: Run = |session, request| Box::pin(organized(session, request));

/// Servers of Python sort imports, and leave those that nobody uses.
async fn organized(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let plan = mended(session, request, Fix::OrganizeImports).await?;
    let code = Code::of(session, request)?;
    let sorted = plan.edits().get(&code.path).map(|edited| edited.after().as_str().to_owned());
    let sorted = sorted.and_then(|text| code.with_text(session, text)).unwrap_or_else(|| code.clone());
    let gone = unneeded(session, &sorted);
    if gone.is_empty() {
        return Ok(plan);
    }
    let text = changed(sorted.text(), Span::new(0, sorted.text().len()), &gone);
    let whole = code.plan(difference(code.text(), &text))?;
    Ok(closed_up(whole).with_warnings(plan.warnings().to_vec()))
}

pub(crate) const ADD_MISSING_IMPORTS: Run = |session, request| mended(session, request, Fix::AddMissingImports);

pub(crate) const REMOVE_UNUSED: Run = |session, request| mended(session, request, Fix::RemoveUnused);

type Planning<'a> = futures::future::BoxFuture<'a, Result<Plan, Refusal>>;

fn offered<'a>(session: &'a Session, request: &'a Request, wanted: &'a Wanted) -> Planning<'a> {
    Box::pin(async move {
        let span = wanted.place(session, request)?;
        session.may_ask()?;
        let aim = Aim { path: request.target.path.clone(), span, kinds: vec![wanted.kind.into()] };
        let fits = |action: &Action| wanted.titles.iter().any(|title| action.title.starts_with(title));
        let plan = actions::carry_out(session, &aim, (&wanted.titles.join("` or `"), &fits)).await;
        plan.map_err(Refusal::from)
    })
}

impl Wanted {
    /// Returns the stretch to ask for: what the target names, or the function that is the value of what it names.
    fn place(&self, session: &Session, request: &Request) -> Result<Span, Refusal> {
        let named = span(session, request)?;
        let refused = match self.check(session, request, named) {
            Ok(()) => return Ok(named),
            Err(refused) => refused,
        };
        let code = Code::of(session, request)?;
        let declared = request.target.name.and_then(|_| code.declared(&request.target).child("value"));
        let value = declared.filter(|value| is_any_function(*value)).map(|value| Span::at(value.start()));
        if let Some(value) = value.filter(|value| self.check(session, request, *value).is_ok()) {
            return Ok(value);
        }
        let Some(lines) = request.target.lines.map(|lines| code.lines(lines)) else { return Err(refused) };
        self.only_within(&code, lines)?.ok_or(refused)
    }

    /// Returns the one place in lines that declare something, too.
    fn only_within(&self, code: &Code, lines: Span) -> Result<Option<Span>, Refusal> {
        let is_it = |node: Node<'_>| (self.at)(node, code.text()) && lines.contains(node.span());
        let around = code.covering(lines);
        let mut found = around.walk_until(is_it).filter(|node| is_it(*node)).map(Node::span);
        match (found.next(), found.next()) {
            (first, None) => Ok(first),
            (_, Some(second)) => {
                Err(code.refuse(second.start, "several places fit in these lines: name one by line and column"))
            }
        }
    }

    /// Refuses at once where the grammar rules it out: what is meant stands around the place, no further than its statement, or in
    /// the lines that were named.
    fn check(&self, session: &Session, request: &Request, span: Span) -> Result<(), Refusal> {
        let code = Code::of(session, request)?;
        let here = code.covering(Span::new(span.start, span.end.max(span.start + 1).min(code.text().len())));
        let block = statement_of(here).and_then(Node::parent);
        let around = std::iter::once(here).chain(here.ancestors()).take_while(|it| Some(*it) != block);
        let inside = here.descendants().filter(|it| !span.is_empty() && span.contains(it.span()));
        let mut nodes = around.chain(inside);
        match nodes.any(|it| (self.at)(it, code.text())) {
            true => Ok(()),
            false => Err(code.refuse(span.start, format!("no {} stands here", self.what))),
        }
    }
}

/// Mends all of the file that the target is in.
fn mended<'a>(session: &'a Session, request: &'a Request, fix: Fix) -> Planning<'a> {
    Box::pin(async move {
        session.may_ask()?;
        let mended = actions::mend(session, std::slice::from_ref(&request.target.path), &[fix]).await?;
        let language = Language::of_path(&request.target.path);
        let is_done_without = |missing: &Missing| missing.why == WhyMissing::Untrusted;
        let mut warnings = mended.plan.warnings().to_vec();
        let is_idle = mended.plan.is_empty() && warnings.is_empty() && mended.missing.iter().all(is_done_without);
        let is_answer = is_idle && is_anybody_asked(session, language).await;
        warnings.extend(mended.missing.iter().map(|missing| unasked(session, missing)));
        if mended.plan.is_empty() && !warnings.is_empty() && !is_answer {
            let told: BTreeSet<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
            return Err(Refusal::NotPossible(told.into_iter().collect::<Vec<_>>().join("; ")));
        }
        Ok(closed_up(mended.plan).with_warnings(warnings))
    })
}

/// Tells whether a server of a language mends anything here.
async fn is_anybody_asked(session: &Session, language: Option<Language>) -> bool {
    let Some(language) = language else { return false };
    session.servers(language, Feature::CodeAction).await.into_iter().any(|(_, server)| server.is_ok())
}

/// Tells of a server that gave no answer.
fn unasked(session: &Session, missing: &Missing) -> Warning {
    let told = format!("not looked at: {}", missing.told(session.root()));
    match missing.why {
        WhyMissing::Failed => Warning::of_plan(WarningKind::FollowUp, told),
        WhyMissing::Untrusted => {
            let hint = "start lspwright with `--trust-project` if you trust the project";
            Warning::of_plan(WarningKind::NotTrusted, format!("{told} ({hint})"))
        }
    }
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
