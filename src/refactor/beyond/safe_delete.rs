//! Safe Delete: a declaration that nobody uses goes, with the imports and the private declarations that it alone needed.

mod assigned;
mod gone;
mod inherited;
mod otherwise_used;

use std::collections::BTreeMap;

use self::assigned::Assigned;
use self::gone::{Gone, holds, is_home};
use self::inherited::{is_another_method, is_inherited};
use self::otherwise_used::otherwise_used;
use crate::plan::{Plan, Warning};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::companions;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::offers::{Offering, doubt_taken};
use crate::refactor::analysis::imports::required::leave;
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::object_literals::item_of_key;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::analysis::removed_statements::without_statements;
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::refuse_all;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_of, is_class, statement_of};
use crate::session::Session;
use crate::syntax::{DeclarationKind, Node, Site, is_any_function, site};
use crate::text::{AbsPath, Span};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let unnamed = || Refusal::NotPossible(format!("the target names no declaration of `{}`", code.shown));
    let name = request.target.name.or_else(|| variable(&code, request.target.offset?)).ok_or_else(unnamed)?;
    let own = Gone { code: &code, statement: declaration(&code, name)? };
    if is_inherited(session, &code, own.statement).await? {
        return inherited(session, own);
    }
    let (uses, beyond) = Uses::at(session, &code.path, name.start).await?;
    let uses = uses.with_takers(session)?;
    let mut gone = vec![own];
    let mut edits = Edits::default();
    match beyond {
        // What is found above stands in for it.
        Some(Refusal::OverridesOutside { name: method, class, .. }) => {
            let reason = format!("it overrides `{class}.{method}` of a library, which may call it");
            edits.warn([doubt(&code, name, reason)?]);
        }
        Some(other) => return Err(other),
        None => {}
    }
    edits.warn(own.doubt_item()?);
    for (code, set) in assigned_with(&uses, own) {
        edits.warn(set.doubt(code)?);
        let is_known = gone.iter().any(|it| it.code.path == code.path && it.statement == set.statement);
        gone.extend((!is_known).then_some(Gone { code, statement: set.statement }));
    }
    gone.extend(declared_with(&uses, &gone)?);
    gone.extend(own.slot(&uses.name));
    let mut told = uses.certain(session).await?;
    told.extend(uses.in_examples(session, Some((&code.path, own.statement.span())))?);
    let otherwise = otherwise_used(session, (&code, name), &uses, &gone).await?.into_iter();
    let is_new = |one: &Warning| !told.iter().any(|other| other.path == one.path && other.range == one.range);
    let otherwise: Vec<Warning> = otherwise.filter(is_new).collect();
    edits.warn(told);
    edits.warn(otherwise);
    take_offers(session, &code, (&uses, &gone), &mut edits)?;
    edits.warn(doubt_offered(session, (&code, own.statement), &uses.name)?);
    let statements = Vec::from_iter(gone.iter().filter(|it| it.code.path == code.path).map(|it| it.statement));
    let private = companions(session, &code, &statements).await?;
    gone.extend(private.into_iter().map(|statement| Gone { code: &code, statement }));
    let mut spans: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for one in &gone {
        edits.warn(one.renumbered()?);
        if !one.is_local() {
            edits.add(one.code, one.without()?);
        }
        spans.entry(&one.code.path).or_insert_with(|| (one.code, Vec::new())).1.push(one.statement.span());
    }
    for (code, spans) in spans.values() {
        let local = gone.iter().filter(|it| it.code.path == code.path && it.is_local());
        edits.add(code, without_statements(code, &Vec::from_iter(local.map(|it| it.statement)))?);
        leave(session, code, spans, &mut edits);
    }
    edits.plan()
}

/// Takes out what is found in the class above, once it is gone.
fn inherited(session: &Session, own: Gone<'_>) -> Result<Plan, Refusal> {
    let mut edits = Edits::default();
    edits.add(own.code, own.without()?);
    leave(session, own.code, &[own.statement.span()], &mut edits);
    edits.plan()
}

/// Returns the variable of a function that is given a value at an offset.
fn variable(code: &Code, offset: usize) -> Option<Span> {
    let named = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    (named.is_leaf() && Assigned::at(code, named.span()).is_some()).then(|| named.span())
}

/// Returns the statements that do no more than give what goes a value: a variable's in its own function, class or module, a
/// field's wherever an object is asked for it.
fn assigned_with<'c>(uses: &'c Uses, own: Gone<'c>) -> impl Iterator<Item = (&'c Code, Assigned<'c>)> {
    let span = |node: Option<Node<'_>>| node.map(Node::span);
    let (home, function) = (span(own.statement.parent()), span(function_of(own.statement)));
    uses.iter().filter_map(move |(code, one)| {
        let set = Assigned::at(code, one.span)?;
        let is_meant = match one.kind {
            UseKind::Write | UseKind::Update => true,
            UseKind::Definition => {
                let is_beside = span(set.statement.parent()) == home;
                let is_of_function = function.is_some() && span(function_of(set.statement)) == function;
                code.path == own.code.path && (is_beside || is_of_function)
            }
            _ => false,
        };
        is_meant.then_some((code, set))
    })
}

/// Returns what declares the same thing once more: overloads, the other accessors of a property, stubs and declaration files.
fn declared_with<'c>(uses: &'c Uses, gone: &[Gone<'c>]) -> Result<Vec<Gone<'c>>, Refusal> {
    let own = gone[0];
    let mut found: Vec<Gone<'c>> = Vec::new();
    for (code, one) in uses.iter().filter(|(_, one)| one.kind == UseKind::Definition) {
        let is_twin = uses.twins.iter().any(|twin| twin.path == code.path);
        let is_known = |it: &Gone<'_>| it.code.path == code.path && it.statement.span().contains(one.span);
        if gone.iter().chain(&found).any(is_known) || code.path != own.code.path && !is_twin {
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
fn take_offers(
    session: &Session,
    code: &Code,
    (uses, gone): (&Uses, &[Gone<'_>]),
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let is_own = |other: &Code, one: &Use| holds(gone, &other.path, one.span);
    let is_method = gone.first().is_some_and(|it| it.is_method());
    let mut used = Vec::new();
    for (path, file) in &uses.files {
        let others = file.uses.iter().filter(|one| {
            !is_own(&file.code, one) && one.kind != UseKind::Text && !(is_method && is_another_method(&file.code, one))
        });
        let others: Vec<&Use> = others.collect();
        let offering = Offering::of(&file.code);
        if others.iter().all(|one| offering.has(one)) {
            if let Some(first) = others.first().filter(|_| *path != code.path) {
                edits.warn([doubt_taken(&file.code, first, &uses.name)?]);
            }
            let withdrawn = offering.without(session, &uses.name, &others)?;
            if let Some(first) = withdrawn.first().filter(|_| others.is_empty() && *path != code.path) {
                let reason = format!("`{}` is listed here, and others may take it from here", uses.name);
                edits.warn([doubt(&file.code, first.span, reason)?]);
            }
            edits.add(&file.code, withdrawn);
            continue;
        }
        let refuse =
            |one: &&Use| file.code.refuse(one.span.start, format!("`{}` is {} here", uses.name, one.kind.said()));
        used.extend(others.iter().map(refuse));
    }
    refuse_all(used)
}

/// Returns the statement that declares a name and nothing else.
fn declaration(code: &Code, name: Span) -> Result<Node<'_>, Refusal> {
    let named = code.covering(name);
    if let Some(set) = Assigned::at(code, name) {
        return Ok(set.statement);
    }
    if site(&code.parsed().tree, code.text(), name) == Site::Declaration(DeclarationKind::Parameter) {
        return Err(code.refuse(name.start, "it is a parameter: `remove-parameter` takes it out of the calls, too"));
    }
    if let Some(item) = item_of_key(named) {
        return Ok(item);
    }
    let own = named.parent().filter(|it| it.child("name") == Some(named) && (is_any_function(*it) || is_class(*it)));
    let home = std::iter::once(named).chain(named.ancestors()).find(|it| is_home(*it));
    let is_nearer = |it: &Node<'_>| home.is_none_or(|home| home.span().contains(it.span()));
    let statement = own.and_then(statement_of).filter(is_nearer).or(home);
    let statement = statement.ok_or_else(|| code.refuse(name.start, "it is declared inside of a function"))?;
    let is_member = statement.parent().is_some_and(|it| it.is("enum_body"));
    let is_declaration = |kind: &str| {
        kind.ends_with("definition")
            || kind.ends_with("declaration")
            || kind.ends_with("signature")
            || kind == "export_statement"
    };
    let inside = std::iter::once(statement).chain(named.ancestors().take_while(|it| *it != statement));
    let is_inside = inside.into_iter().any(|it| is_any_function(it) && it.child("name") != Some(named));
    let declarators = statement
        .descendants()
        .filter(|it| it.is("variable_declarator") && it.child("name").is_some_and(|it| it.span().contains(name)));
    let beside = declarators.into_iter().any(|it| {
        it.parent().is_some_and(|it| it.named_children().filter(|it| it.is("variable_declarator")).count() > 1)
    });
    match (is_member || is_declaration(statement.kind())) && !beside && !is_inside {
        true => Ok(statement),
        false => Err(code.refuse(name.start, "the statement does more than declare it")),
    }
}
