//! Where a call stands, and which names are free there.

use std::collections::BTreeSet;

use super::body::is_comment;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Call;
use crate::refactor::analysis::signatures::ListOwner;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_block, is_class, statement_of};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span};

/// A call whose statement can have others before it.
pub(super) struct Site<'c> {
    pub code: &'c Code,
    /// The call, with its `await`.
    pub node: Node<'c>,
    pub statement: Node<'c>,
    pub form: Form<'c>,
    /// Where the statement's place begins, behind a head whose one statement it is, without braces.
    pub bare: Option<usize>,
}

/// What the statement does with what the call gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form<'c> {
    Nothing,
    /// It becomes the value of this.
    Given(Node<'c>),
    Answered,
    /// It is a part of a larger expression.
    Part,
}

/// The names that come to stand in a function, or at the outermost level of a file.
#[derive(Default)]
pub(super) struct Rooms {
    given: BTreeSet<(AbsPath, usize, String)>,
}

impl<'c> Site<'c> {
    pub(super) fn of(call: &Call<'c>, is_async: bool) -> Result<Self, Refusal> {
        let node = awaited(call, is_async)?;
        let block = statement_of(node).ok_or_else(|| call.refuse("no other statement can stand before it"))?;
        let bare = bare(node, block);
        let statement = bare.map_or(block, |(statement, _)| statement);
        let parent = node.parent().unwrap_or(node);
        let target = parent.child("left").or_else(|| parent.child("name")).unwrap_or(parent);
        let outer = parent.parent().unwrap_or(parent);
        let is_value = matches!(node.field(), Some("right" | "value"));
        let (form, holder) = match parent.kind() {
            "expression_statement" => (Form::Nothing, parent),
            "return_statement" => (Form::Answered, parent),
            "assignment" | "assignment_expression" if is_value && is_settled(call.code, target) => {
                (Form::Given(target), outer)
            }
            "variable_declarator" if is_value && outer.named_children().count() == 1 => (Form::Given(target), outer),
            _ => (Form::Part, statement),
        };
        let is_whole = holder == statement || holder.parent() == Some(statement) && statement.is("export_statement");
        let is_alone = bare.is_some() || is_first(call.code, statement);
        if !is_whole || !is_alone {
            return Err(call.refuse("its statement shares its place with something else"));
        }
        if statement.parent().and_then(Node::parent).is_some_and(is_class) {
            return Err(call.refuse("what is set here belongs to the class"));
        }
        Ok(Self { code: call.code, node, statement, form, bare: bare.map(|(_, start)| start) })
    }

    /// Returns the function whose variables are seen here, or the whole file.
    pub(super) fn scope(&self) -> Span {
        function_of(self.node).map_or(self.code.root().span(), Node::span)
    }

    /// Tells whether nothing follows the statement in its function, on the branch that it stands on.
    pub(super) fn is_last(&self) -> bool {
        const BRANCHES: &[&str] =
            &["block", "elif_clause", "else_clause", "if_statement", "statement_block", "with_statement"];
        let body = function_of(self.node).and_then(|it| it.child("body"));
        let mut one = self.statement;
        while let Some(outer) = one.parent().filter(|_| body.is_some_and(|body| body.holds(one))) {
            let is_block = is_block(outer);
            if is_block && outer.named_children().filter(|it| !is_comment(*it)).last() != Some(one) {
                return false;
            }
            if Some(outer) == body {
                return true;
            }
            if !outer.is_any(BRANCHES) {
                return false;
            }
            one = outer;
        }
        false
    }

    pub(super) fn is_repeated(&self) -> bool {
        let around = self.statement.ancestors().take_while(|it| !is_any_function(*it));
        around
            .into_iter()
            .any(|it| it.is_any(&["for_statement", "for_in_statement", "while_statement", "do_statement"]))
    }
}

/// Returns the statement around a node that is all that a head holds, without braces or a line of its own, and where the head
/// ends.
fn bare<'c>(node: Node<'c>, block: Node<'c>) -> Option<(Node<'c>, usize)> {
    const HEADS: &[&str] = &["else_clause", "for_in_statement", "for_statement", "if_statement", "while_statement"];
    let chain = std::iter::once(node).chain(node.ancestors()).take_while(|it| *it != block);
    let is_held = |it: &Node<'c>| {
        let head = it.parent().filter(|head| head.is_any(HEADS));
        let is_branch =
            matches!(it.field(), Some("body" | "consequence")) || head.is_some_and(|it| it.is("else_clause"));
        head.is_some() && is_branch && it.is_any(&["expression_statement", "return_statement"])
    };
    let held = chain.into_iter().find(is_held)?;
    let before = held.parent()?.children().take_while(|it| *it != held).last()?;
    Some((held, before.end()))
}

/// Returns a call with the `await` that the call of an async function needs.
pub(super) fn awaited<'c>(call: &Call<'c>, is_async: bool) -> Result<Node<'c>, Refusal> {
    let waiting = call.node.parent().filter(|it| it.is_any(&["await", "await_expression"]));
    match (is_async, waiting) {
        (false, _) => Ok(call.node),
        (true, Some(waiting)) => Ok(waiting),
        (true, None) => Err(call.refuse("it is not awaited here")),
    }
}

/// Tells whether the target of an assignment is the same one when more is done before.
fn is_settled(code: &Code, target: Node<'_>) -> bool {
    code.family() == Family::Python
        || target.is("identifier")
        || target.is("member_expression") && target.child("object").is_some_and(|it| it.is("this"))
}

/// Tells whether nothing stands before a statement on its line, and nothing but a comment behind it.
fn is_first(code: &Code, statement: Node<'_>) -> bool {
    let before = &code.text()[code.line_start(statement.start())..statement.start()];
    let behind = code.text()[statement.end()..code.next_line(statement.end())].trim();
    before.trim().is_empty() && (behind.is_empty() || behind.starts_with('#') || behind.starts_with("//"))
}

impl Rooms {
    /// Returns a name for a variable at a place: the wished one, or that with a number where it means something.
    pub(super) fn name(&mut self, site: &Site<'_>, (home, own): ListOwner<'_>, wished: &str) -> String {
        let there = ScopedNames::of(site.code);
        let key = |name: &str| (site.code.path.clone(), site.scope().start, name.to_owned());
        let is_taken = |name: &str| means(site, &there, (home, own), name) || self.given.contains(&key(name));
        let found = numbered(wished, |name| is_taken(name) || name != wished && home.mentions(own, name));
        self.given.insert(key(&found));
        found
    }

    /// Returns one for a variable that is known in a part of the body alone.
    pub(super) fn inner_name(site: &Site<'_>, (home, own): ListOwner<'_>, wished: &str) -> String {
        let there = ScopedNames::of(site.code);
        let is_taken = |name: &str| means(site, &there, (home, own), name);
        // What a block of a script declares hides nothing outside of it, unless what is passed comes to stand there.
        let is_seen = |name: &str| {
            let is_python = site.code.family() == Family::Python;
            is_python || there.is_known(name, site.node) || site.code.mentions(site.node, name)
        };
        numbered(wished, |name| is_taken(name) && is_seen(name) || name != wished && home.mentions(own, name))
    }
}

fn numbered(wished: &str, is_taken: impl Fn(&str) -> bool) -> String {
    match is_taken(wished) {
        false => wished.to_owned(),
        true => (2..)
            .map(|number| format!("{wished}{number}"))
            .find(|name| !is_taken(name))
            .expect("there are more numbers than names"),
    }
}

/// Tells whether a name is used around a place, by others than the function itself.
fn means(site: &Site<'_>, there: &ScopedNames<'_>, (home, own): ListOwner<'_>, name: &str) -> bool {
    let scope = site.scope();
    let is_own = |span: Span| site.code.path == home.path && own.span().contains(span);
    there.named(name).any(|it| scope.contains(it.span) && !is_own(it.span))
}
