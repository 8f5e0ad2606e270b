//! Whether the variables of some statements can be carried in and out of a function as values.

use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::Span;

/// What lets others run before it is over.
const ACTS: &[&str] =
    &["call_expression", "new_expression", "await_expression", "yield_expression", "for_in_statement"];

const LOOPS: &[&str] = &["for_statement", "for_in_statement", "while_statement", "do_statement"];

/// Refuses statements whose variables somebody would see half carried: a function that keeps one of them while
/// it changes, or a handler that comes in between.
pub(crate) fn check(code: &Code, statements: &[Node<'_>]) -> Result<(), Refusal> {
    let names = ScopedNames::of(code);
    let (first, last) = (statements[0], statements[statements.len() - 1]);
    let lines = Span::new(first.start(), last.end());
    let Some(function) = function_of(first) else { return check_module((code, &names), statements) };
    let acts = acts(statements);
    let around = || first.ancestors().take_while(|outer| *outer != function);
    let tried: Vec<Node<'_>> =
        around().filter(|it| it.is("try_statement")).map(|it| it.child("body").unwrap_or(it)).collect();
    let is_repeated = around().any(|outer| outer.is_any(LOOPS));
    for name in names.within(lines) {
        let all: Vec<Name> = names.of_meaning(name.meaning).collect();
        // What the module holds is seen from everywhere: it is not carried.
        let is_local = !name.is_free && all.iter().any(|one| one.is_binding && home(code, one).is_some());
        if !is_local || all.iter().all(|one| lines.contains(one.span)) {
            continue;
        }
        let text = name.span.of(code.text()).unwrap_or_default();
        let writes: Vec<Name> = names.writes(name.meaning).collect();
        // A function that comes into being behind the lines runs behind them.
        let is_later = |one: &Name| one.span.start >= lines.end && !is_repeated;
        let is_inside = |one: &Name| lines.contains(one.span);
        let is_kept = |one: &Name| home(code, one) != Some(function) && !is_later(one) && (acts || is_inside(one));
        // What a function of the lines keeps has to stay what it is; else somebody has to give it another value meanwhile.
        let is_set_after = |one: &Name| one.span.start >= lines.start || is_repeated;
        let changes = writes.iter().any(|one| is_inside(one) || is_kept(one))
            || all.iter().any(|one| is_kept(one) && is_inside(one)) && writes.iter().any(is_set_after);
        if writes.len() > 1 && changes && all.iter().any(is_kept) {
            let reason = format!("`{text}` is another function's, too, and its value changes");
            return Err(code.refuse(name.span.start, reason));
        }
        let is_left = |one: &Name| is_repeated || tried.iter().any(|body| !body.span().contains(one.span));
        if writes.iter().any(|one| lines.contains(one.span)) && all.iter().any(|one| !tried.is_empty() && is_left(one))
        {
            let reason = format!("`{text}` may be seen half set: the lines stand in a `try`");
            return Err(code.refuse(name.span.start, reason));
        }
    }
    Ok(())
}

/// Does the same for statements of a module: what they declare a function may ask for before they are over, and what they
/// export the module alone can.
fn check_module((code, names): (&Code, &ScopedNames<'_>), statements: &[Node<'_>]) -> Result<(), Refusal> {
    const OWN: &[&str] = &["export_statement", "import_statement"];
    if let Some(statement) = statements.iter().find(|one| one.is_any(OWN)) {
        return Err(code.refuse(statement.start(), "this belongs to the module itself"));
    }
    if !acts(statements) {
        return Ok(());
    }
    let lines = Span::new(statements[0].start(), statements[statements.len() - 1].end());
    for name in names.within(lines).filter(|name| name.is_binding && home(code, name).is_none()) {
        let is_asked = |one: &Name| !lines.contains(one.span) && home(code, one).is_some();
        if let Some(asking) = names.of_meaning(name.meaning).find(is_asked) {
            let text = name.span.of(code.text()).unwrap_or_default();
            let reason = format!("a function asks for `{text}` here, maybe before the lines are over");
            return Err(code.refuse(asking.span.start, reason));
        }
    }
    Ok(())
}

/// Tells whether statements let others run before they are over.
fn acts(statements: &[Node<'_>]) -> bool {
    statements.iter().any(|one| one.walk_until(|_| false).any(|node| node.is_any(ACTS)))
}

/// Returns the function that a name stands in; what a function is called stands outside of it.
fn home<'c>(code: &'c Code, name: &Name) -> Option<Node<'c>> {
    let node = code.covering(name.span);
    let inner = function_of(node)?;
    let is_own_name = inner.child("name").is_some_and(|own| own.span() == name.span);
    if is_own_name { function_of(inner) } else { Some(inner) }
}
