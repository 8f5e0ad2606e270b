//! Who calls whom, from one function on.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::errors::Running;
use super::id::Id;
use super::index::{FoundDeclaration, Index};
use super::module::{DeclarationRow, Module};
use super::usages::{UsageKind, usages};
use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::{EntryKind, Node};
use crate::text::{AbsPath, Text};

/// Which way calls are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Calls,
    Callers,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// Nothing where a module calls while it is loaded.
    pub caller: Option<Id>,
    pub callee: Id,
    pub callee_name: String,
    /// Of the call: the path of its module, and the line, counted from 1.
    pub module: String,
    pub line: u32,
}

/// Calls, from one function on.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    pub calls: Vec<Call>,
    /// Calls that lead out of the project, or nobody knows where to, by what is written.
    pub not_followed: BTreeSet<String>,
    /// Functions that were not looked into, because there are too many or they are too far away.
    pub not_looked_into: usize,
}

impl Calls {
    /// Notes a call: who calls, who is called and by what name, and where it stands.
    fn note(
        &mut self,
        caller: Option<&FoundDeclaration>,
        (callee, name): (&FoundDeclaration, &str),
        (module, text, at): (&Module, &Text, usize),
    ) {
        self.calls.push(Call {
            caller: caller.map(|caller| caller.row().id),
            callee: callee.row().id,
            callee_name: name.to_owned(),
            module: module.path.clone(),
            line: text.position(at).map_or(0, |it| it.line + 1),
        });
    }
}

/// So many functions are looked into.
const MOST: usize = 60;

/// Follows calls from a function on, so many in a row.
pub async fn calls(
    session: &Session,
    index: &Index,
    root: &FoundDeclaration,
    (direction, depth): (Direction, usize),
) -> Result<Calls, Refusal> {
    let mut found = Calls::default();
    let mut seen = BTreeSet::from([root.row().id]);
    let mut open = VecDeque::from([(root.clone(), 0)]);
    let mut looked = 0;
    let mut running = match direction {
        Direction::Calls => Running::new(session, index, root.module.language).await?,
        Direction::Callers => Running::default(),
    };
    while let Some((function, far)) = open.pop_front() {
        if far >= depth || looked >= MOST {
            found.not_looked_into += 1;
            continue;
        }
        looked += 1;
        let next = match direction {
            Direction::Calls => {
                let mut next = callees(session, index, &function, &mut found).await?;
                next.extend(run_besides(session, &mut running, &function, &mut found).await?);
                next
            }
            Direction::Callers => callers(session, index, &function, &mut found).await?,
        };
        open.extend(next.into_iter().filter(|it| seen.insert(it.row().id)).map(|it| (it, far + 1)));
    }
    found.calls.sort();
    found.calls.dedup();
    Ok(found)
}

async fn callers(
    session: &Session,
    index: &Index,
    of: &FoundDeclaration,
    found: &mut Calls,
) -> Result<Vec<FoundDeclaration>, Refusal> {
    let mut next = Vec::new();
    for usage in usages(session, index, of).await?.certain {
        if !matches!(usage.kind, UsageKind::Call | UsageKind::Construct | UsageKind::Raise) {
            continue;
        }
        let caller = usage.function.map(|number| FoundDeclaration { module: Arc::clone(&usage.module), number });
        let text = session.disk().read(&usage.path)?;
        let place = (&*usage.module, &*text, usage.span.start);
        found.note(caller.as_ref(), (of, of.row().name()), place);
        next.extend(caller);
    }
    Ok(next)
}

/// Adds what a function runs beside what its calls name.
async fn run_besides(
    session: &Session,
    running: &mut Running<'_>,
    of: &FoundDeclaration,
    found: &mut Calls,
) -> Result<Vec<FoundDeclaration>, Refusal> {
    let path = session.root().join(&of.module.path).expect("a path of the project joined to its root");
    let text = session.disk().read(&path)?;
    let mut next = Vec::new();
    for (at, callee) in running.of(of).await? {
        found.note(Some(of), (&callee, callee.row().name()), (&of.module, &text, at));
        next.push(callee);
    }
    Ok(next)
}

async fn callees(
    session: &Session,
    index: &Index,
    of: &FoundDeclaration,
    found: &mut Calls,
) -> Result<Vec<FoundDeclaration>, Refusal> {
    let path = session.root().join(&of.module.path).expect("a path of the project joined to its root");
    let Some(parsed) = session.parsed(&path)? else { return Ok(Vec::new()) };
    let text = &parsed.text;
    let server = session.server(of.module.language, Feature::References).await?;
    server.open(std::slice::from_ref(&path)).await.map_err(SessionError::from)?;
    let _turn = session.shared().await;
    let inside = parsed.tree.nodes().iter().filter(|node| of.row().full_span.contains(node.span()));
    let mut next = Vec::new();
    for name in inside.filter_map(called) {
        let place = Place { path: path.clone(), offset: name.start() };
        let leads = server.definition(&place).await.map_err(SessionError::from)?;
        let written = name.text(text.as_str()).to_owned();
        let rows = leads.iter().filter_map(|it| declared_at(session, index, (&it.path, it.span.start)));
        let callees: Vec<FoundDeclaration> = rows.collect();
        if callees.is_empty() {
            found.not_followed.insert(written.clone());
        }
        for callee in callees {
            found.note(Some(of), (&callee, &written), (&of.module, text, name.start()));
            next.extend(run(callee));
        }
    }
    Ok(next)
}

/// Returns what is run where something is called: of a class, its constructor.
fn run(callee: FoundDeclaration) -> Option<FoundDeclaration> {
    if callee.row().kind.is_callable() {
        return Some(callee);
    }
    let is_constructor =
        |row: &DeclarationRow| row.parent == Some(callee.number) && matches!(row.name(), "__init__" | "constructor");
    let number = callee.module.rows.iter().position(is_constructor)?;
    Some(FoundDeclaration { number, ..callee })
}

/// Returns the declaration whose name stands at a place.
fn declared_at(session: &Session, index: &Index, (path, offset): (&AbsPath, usize)) -> Option<FoundDeclaration> {
    let relative = path.relative_to(session.root())?;
    let module = index.module(relative.as_str())?;
    let (number, row) = module.at(offset)?;
    let is_called = row.kind.is_callable() || row.kind.has_members() && row.kind != EntryKind::Module;
    is_called.then(|| FoundDeclaration { module: Arc::clone(module), number })
}

/// Returns the name by which a call calls.
fn called(node: Node<'_>) -> Option<Node<'_>> {
    let function = match node.kind() {
        "call" | "call_expression" => node.child("function")?,
        "new_expression" => node.child("constructor").or_else(|| node.child("name"))?,
        "method_invocation" => return node.child("name"),
        "modifier_invocation" => node,
        _ => return None,
    };
    let last = std::iter::once(function)
        .chain(function.descendants())
        .filter(|it| it.is_leaf() && it.kind().ends_with("identifier"));
    last.filter(|it| it.end() == function.end() || function.is("modifier_invocation")).last()
}
