//! Safe Delete: a declaration that nobody uses goes, with the imports and the private declarations that it alone needed.

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::companions::companions;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::listed::delisted;
use crate::refactor::analysis::imports::required::{leave, without as without_imports};
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::refuse_all;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let unnamed = || Refusal::NotPossible(format!("the target names no declaration of `{}`", code.shown));
    let name = request.target.name.ok_or_else(unnamed)?;
    let statement = declaration(&code, name)?;
    let uses = Uses::of(session, &code, name.start).await?.with_takers(session)?;
    let mut edits = Edits::default();
    edits.warn(uses.certain(session).await?);
    edits.warn(uses.in_examples(session, Some((&code.path, statement.span())))?);
    take_offers(&code, (&uses, statement), &mut edits)?;
    edits.warn(doubt_offered(session, (&code, statement), &uses.name)?);
    let mut gone = vec![statement];
    gone.extend(companions(session, &code, &[statement]).await?);
    for one in &gone {
        edits.add(&code, [without(&code, *one)?]);
    }
    let spans: Vec<Span> = gone.iter().map(|it| it.span()).collect();
    leave(session, &code, &spans, &mut edits);
    edits.plan()
}

/// Takes away what hands the name on; refuses every other use.
fn take_offers(code: &Code, (uses, statement): (&Uses, Node<'_>), edits: &mut Edits) -> Result<(), Refusal> {
    let is_own = |other: &Code, one: &Use| other.path == code.path && statement.span().contains(one.span);
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
            edits.add(&file.code, delisted(&file.code, &[&uses.name])?);
            continue;
        }
        let refuse =
            |one: &&Use| file.code.refuse(one.span.start, format!("`{}` is {} here", uses.name, one.kind.said()));
        used.extend(others.iter().map(refuse));
    }
    refuse_all(used)
}

/// Takes a statement out of its file, with the comments above it.
fn without(code: &Code, statement: Node<'_>) -> Result<TextEdit, Refusal> {
    let whole = Span::new(comments_above(code, statement.start()), statement.end());
    let rest = code.text()[statement.end()..code.next_line(statement.end())].trim();
    let before = code.text()[code.line_start(statement.start())..statement.start()].trim();
    if !before.is_empty() || !rest.trim_start_matches(';').is_empty() && !rest.starts_with(['#', '/']) {
        return Err(code.refuse(statement.start(), "the declaration shares its line with something else"));
    }
    let block = statement.parent().filter(|it| it.is("block"));
    let is_only = block.is_some_and(|it| it.named_children().count() == 1);
    Ok(match is_only && code.family() == Family::Python {
        true => TextEdit::new(statement.span(), "pass"),
        false => without_lines(code, whole),
    })
}

/// Returns the statement that declares a name and nothing else, at the top of its file or in a class.
fn declaration(code: &Code, name: Span) -> Result<Node<'_>, Refusal> {
    let is_home = |it: Node<'_>| {
        it.parent().is_none() || it.is("class_body") || it.is("block") && it.parent().is_some_and(is_class)
    };
    let chain = code.covering(name).ancestors();
    let statement = chain.into_iter().find(|it| it.parent().is_some_and(is_home));
    let statement = statement.ok_or_else(|| code.refuse(name.start, "it is declared inside of a function"))?;
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
    match (is_declaration(statement.kind()) || is_assigned) && !beside {
        true => Ok(statement),
        false => Err(code.refuse(name.start, "the statement does more than declare it")),
    }
}
