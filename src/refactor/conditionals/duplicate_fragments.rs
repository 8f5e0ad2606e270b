//! Consolidate Duplicate Conditional Fragments.
//!
//! ```python
//! if special:                     if special:
//!     total = price * 0.9             total = price * 0.9
//!     send(total)          →      else:
//! else:                               total = price
//!     total = price               send(total)
//!     send(total)
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::is_alone;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let extent = code.extent(&request.target);
    let is_outermost = |node: &Node<'_>| node.is("if_statement") && node.parent().is_some_and(is_block);
    let conditionals = code.root().descendants().filter(is_outermost).filter(|node| extent.overlaps(node.span()));
    for conditional in conditionals {
        let Some(branches) = branches(conditional) else { continue };
        let count = shared(&code, &branches);
        if count > 0 {
            return moved(&code, conditional, &branches, count);
        }
    }
    Err(Refusal::NotPossible("no conditional there has branches, an `else` among them, that end alike".to_owned()))
}

/// Returns the blocks of a conditional of which always one is carried out.
fn branches(conditional: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut found = vec![conditional.child("consequence")?];
    let mut is_whole = false;
    let mut rest: Vec<Node<'_>> = conditional.children_in("alternative").collect();
    while let Some(clause) = (!rest.is_empty()).then(|| rest.remove(0)) {
        let inner = clause.child("body").or_else(|| clause.named_children().last())?;
        match clause.kind() {
            "elif_clause" => found.push(clause.child("consequence")?),
            _ if inner.is("if_statement") => {
                found.push(inner.child("consequence")?);
                rest = inner.children_in("alternative").collect();
            }
            _ => {
                found.push(inner);
                is_whole = true;
            }
        }
    }
    (is_whole && found.iter().all(|branch| is_block(*branch))).then_some(found)
}

/// Counts the statements of one line that all branches end with; each branch keeps at least one of its own.
fn shared(code: &Code, branches: &[Node<'_>]) -> usize {
    let of = |branch: &Node<'_>| branch.named_children().map(|it| it.text(code.text())).collect::<Vec<_>>();
    let all: Vec<Vec<&str>> = branches.iter().map(of).collect();
    let most = all.iter().map(Vec::len).min().unwrap_or_default().saturating_sub(1);
    let same = |back: &usize| {
        let at = |statements: &Vec<&str>| statements[statements.len() - back].to_owned();
        let first = at(&all[0]);
        !first.contains('\n') && all.iter().all(|statements| at(statements) == first)
    };
    (1..=most).take_while(same).count()
}

fn moved(code: &Code, conditional: Node<'_>, branches: &[Node<'_>], count: usize) -> Result<Plan, Refusal> {
    let indent = crate::refactor::analysis::blocks::indent(code, conditional)?;
    let (mut edits, mut lines) = (Vec::new(), String::new());
    for (at, branch) in branches.iter().enumerate() {
        let statements: Vec<Node<'_>> = branch.named_children().collect();
        let tail = &statements[statements.len() - count..];
        check(code, *branch, tail)?;
        let span = Span::new(code.line_start(tail[0].start()), code.next_line(tail[count - 1].end()));
        let text = span.of(code.text()).unwrap_or_default();
        if text.lines().count() != count || !tail.iter().all(|statement| is_alone(code, *statement)) {
            return Err(code.refuse(tail[0].start(), "comments or other statements stand between"));
        }
        if at == 0 {
            let line = |statement: &Node<'_>| format!("{indent}{}{}", statement.text(code.text()), code.newline());
            lines = tail.iter().map(line).collect();
        }
        let is_last = code.family() == Family::Python && at + 1 == branches.len();
        edits.push(TextEdit::new(span, if is_last { lines.as_str() } else { "" }));
    }
    if code.family() != Family::Python {
        let behind = code.next_line(conditional.end());
        let before = if code.text()[..behind].ends_with('\n') { "" } else { code.newline() };
        edits.push(TextEdit::new(Span::at(behind), format!("{before}{lines}")));
    }
    code.plan(edits)
}

/// Refuses statements that mean something else outside their block.
fn check(code: &Code, branch: Node<'_>, tail: &[Node<'_>]) -> Result<(), Refusal> {
    if code.family() == Family::Python {
        return Ok(());
    }
    let declares = |node: &Node<'_>| node.kind().ends_with("_declaration");
    if let Some(own) = tail.iter().find(|node| declares(node)) {
        return Err(code.refuse(own.start(), "what is declared in a branch is seen in it alone"));
    }
    let declared = branch.named_children().filter(declares).flat_map(Node::descendants);
    let names = declared
        .filter(|node| node.is_any(&["identifier", "type_identifier", "shorthand_property_identifier_pattern"]));
    for name in names.map(|node| node.text(code.text())) {
        if let Some(user) = tail.iter().find(|statement| code.mentions(**statement, name)) {
            return Err(code.refuse(user.start(), format!("`{name}` of its branch is not seen outside")));
        }
    }
    Ok(())
}
