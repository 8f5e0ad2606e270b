//! Safe Delete: a declaration that nobody uses goes, with the imports and the private declarations that it alone needed.

mod gone;
mod otherwise_used;

use std::collections::BTreeMap;

use self::gone::{Gone, holds};
use self::otherwise_used::otherwise_used;
use crate::plan::{Plan, Warning};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::companions;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::listed::delisted;
use crate::refactor::analysis::imports::required::{leave, without as without_imports};
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::refuse_all;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{AbsPath, Span};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let unnamed = || Refusal::NotPossible(format!("the target names no declaration of `{}`", code.shown));
    let name = request.target.name.ok_or_else(unnamed)?;
    let uses = Uses::with_twins(session, &code, name.start).await?.with_takers(session)?;
    let own = Gone { code: &code, statement: declaration(&code, name)? };
    let mut gone = vec![own];
    gone.extend(declared_with(&uses, own)?);
    let mut edits = Edits::default();
    let mut told = uses.certain(session).await?;
    told.extend(uses.in_examples(session, Some((&code.path, own.statement.span())))?);
    let otherwise = otherwise_used(session, (&code, name), &uses, &gone).await?.into_iter();
    let is_new = |one: &Warning| !told.iter().any(|other| other.path == one.path && other.range == one.range);
    let otherwise: Vec<Warning> = otherwise.filter(is_new).collect();
    edits.warn(told);
    edits.warn(otherwise);
    take_offers(&code, (&uses, &gone), &mut edits)?;
    edits.warn(doubt_offered(session, (&code, own.statement), &uses.name)?);
    let statements = Vec::from_iter(gone.iter().filter(|it| it.code.path == code.path).map(|it| it.statement));
    let private = companions(session, &code, &statements).await?;
    gone.extend(private.into_iter().map(|statement| Gone { code: &code, statement }));
    let mut spans: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for one in &gone {
        edits.warn(one.renumbered()?);
        edits.add(one.code, one.without()?);
        spans.entry(&one.code.path).or_insert_with(|| (one.code, Vec::new())).1.push(one.statement.span());
    }
    for (code, spans) in spans.values() {
        leave(session, code, spans, &mut edits);
    }
    edits.plan()
}

/// Returns what declares the same thing once more: overloads, the other accessors of a property, stubs and declaration files.
fn declared_with<'c>(uses: &'c Uses, own: Gone<'c>) -> Result<Vec<Gone<'c>>, Refusal> {
    let mut found: Vec<Gone<'c>> = Vec::new();
    for (code, one) in uses.iter().filter(|(_, one)| one.kind == UseKind::Definition) {
        let is_twin = uses.twins.iter().any(|twin| twin.path == code.path);
        let is_known = |it: &Gone<'_>| it.code.path == code.path && it.statement.span().contains(one.span);
        if is_known(&own) || found.iter().any(is_known) || code.path != own.code.path && !is_twin {
            continue;
        }
        let statement = declaration(code, one.span)?;
        let is_beside = |it: Node<'_>| it.parent().map(|it| it.span()) == own.statement.parent().map(|it| it.span());
        if is_twin || is_beside(statement) {
            found.push(Gone { code, statement });
        }
    }
    Ok(found)
}

/// Takes away what hands the name on; refuses every other use.
fn take_offers(code: &Code, (uses, gone): (&Uses, &[Gone<'_>]), edits: &mut Edits) -> Result<(), Refusal> {
    let is_own = |other: &Code, one: &Use| holds(gone, &other.path, one.span);
    let is_offer = |one: &Use| matches!(one.kind, UseKind::Import | UseKind::Export);
    let mut used = Vec::new();
    for (path, file) in &uses.files {
        let others = file.uses.iter().filter(|one| !is_own(&file.code, one) && one.kind != UseKind::Text);
        let others: Vec<&Use> = others.collect();
        if others.iter().all(|one| is_offer(one)) {
            let nodes: Vec<Node<'_>> = others.iter().map(|one| one.node(&file.code)).collect();
            if let Some(first) = others.first().filter(|_| *path != code.path) {
                let reason = format!("`{}` is {} here, and others may take it from here", uses.name, first.kind.said());
                edits.warn([doubt(&file.code, first.span, reason)?]);
            }
            edits.add(&file.code, without_imports(&file.code, &nodes)?);
            let listed = delisted(&file.code, &[&uses.name])?;
            if let Some(first) = listed.first().filter(|_| others.is_empty() && *path != code.path) {
                let reason = format!("`{}` is listed here, and others may take it from here", uses.name);
                edits.warn([doubt(&file.code, first.span, reason)?]);
            }
            edits.add(&file.code, listed);
            continue;
        }
        let refuse =
            |one: &&Use| file.code.refuse(one.span.start, format!("`{}` is {} here", uses.name, one.kind.said()));
        used.extend(others.iter().map(refuse));
    }
    refuse_all(used)
}

/// Returns the statement that declares a name and nothing else, at the top of its file or in a class; a member of an
/// enumeration.
fn declaration(code: &Code, name: Span) -> Result<Node<'_>, Refusal> {
    let is_home = |it: Node<'_>| {
        it.parent().is_none()
            || it.is_any(&["class_body", "enum_body"])
            || it.is("block") && it.parent().is_some_and(is_class)
    };
    let named = code.covering(name);
    let statement = std::iter::once(named).chain(named.ancestors()).find(|it| it.parent().is_some_and(is_home));
    let statement = statement.ok_or_else(|| code.refuse(name.start, "it is declared inside of a function"))?;
    let is_member = statement.parent().is_some_and(|it| it.is("enum_body"));
    let is_declaration = |kind: &str| {
        kind.ends_with("definition")
            || kind.ends_with("declaration")
            || kind.ends_with("signature")
            || kind == "export_statement"
    };
    let target = statement.named_children().next().filter(|it| it.is("assignment")).and_then(|it| it.child("left"));
    let is_assigned = statement.is("expression_statement") && target.is_some_and(|it| it.span() == name);
    let declarators = statement
        .descendants()
        .filter(|it| it.is("variable_declarator") && it.child("name").is_some_and(|it| it.span().contains(name)));
    let beside = declarators.into_iter().any(|it| {
        it.parent().is_some_and(|it| it.named_children().filter(|it| it.is("variable_declarator")).count() > 1)
    });
    match (is_member || is_declaration(statement.kind()) || is_assigned) && !beside {
        true => Ok(statement),
        false => Err(code.refuse(name.start, "the statement does more than declare it")),
    }
}
