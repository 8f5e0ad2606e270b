//! What a function does that may raise, as its own text says it.

use crate::syntax::Node;
use crate::text::Span;

/// What the text of one function says.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub sites: Vec<Site>,
    pub guards: Vec<Guard>,
    pub runs: Runs,
    /// What wraps the function and may do anything with it, as it is written.
    pub wrappers: Vec<(usize, String)>,
}

/// When a function's body is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Runs {
    #[default]
    AtOnce,
    /// When what it returned is awaited.
    Awaited,
    /// When somebody takes values from what it returned.
    Iterated,
}

/// One place that may raise.
#[derive(Debug)]
pub(super) struct Site {
    pub at: usize,
    pub what: What,
    /// The numbers of the guards around it, innermost first.
    pub guards: Vec<usize>,
}

#[derive(Debug)]
pub(super) enum What {
    Raise(Thrown),
    Call(Call),
    /// A member that is read or set, whose name begins here: an accessor may be run.
    Member(usize, String),
    /// Something that the language does by itself, or by methods of the operands.
    Operation(&'static str),
    Lost(Why, String),
}

/// What is raised.
#[derive(Debug)]
pub(super) enum Thrown {
    /// A class or an object of it; its name begins here.
    Named(usize, String),
    Known(&'static str),
    /// What an expression holds, whose last name begins here.
    Value(usize, String),
}

/// One call.
#[derive(Debug)]
pub(super) struct Call {
    /// Where the name begins by which it calls.
    pub name: usize,
    pub written: String,
    /// What is done with what comes back, which may be what runs the body.
    pub taken: Runs,
    /// What its result goes through where it is nothing that waits to be run.
    pub then: Option<&'static str>,
    pub arguments: Arguments,
    /// It goes on in what is above the class that it stands in.
    pub is_super: bool,
}

/// What a built-in function is handed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arguments {
    /// Values of built-in types alone, or nothing.
    Plain,
    Others,
}

/// Something that takes errors out.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// In their order.
    pub clauses: Vec<Clause>,
}

#[derive(Debug)]
pub(super) struct Clause {
    pub takes: Takes,
    /// It raises again what it was given.
    pub passes_on: bool,
}

#[derive(Debug)]
pub(super) enum Takes {
    All,
    /// Where the names of the classes begin; nothing where one has no name.
    Classes(Vec<Option<usize>>),
}

/// Why a call was not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Nobody knows what it leads to.
    Unresolved,
    /// A variable, a parameter or what another call returned.
    Value,
    /// It leads out of the project.
    Library,
    /// A decorator or a metaclass may do anything.
    Wrapped,
    /// What is called has no body: an interface, or an abstract function.
    Abstract,
    /// Its body runs where somebody else takes or awaits its result.
    Deferred,
    /// What is raised is not known.
    Error,
    /// It leaves the contract.
    External,
    /// There are too many functions.
    TooMany,
    /// What the language does by itself, or by methods of the operands.
    Operation,
}

impl Why {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::Value => "value",
            Self::Library => "library",
            Self::Wrapped => "wrapped",
            Self::Abstract => "abstract",
            Self::Deferred => "deferred",
            Self::Error => "error",
            Self::External => "external",
            Self::TooMany => "too_many",
            Self::Operation => "operation",
        }
    }
}

/// The statements of one function that guard, each with the number of its guard.
pub(super) struct Tries<'t> {
    function: Node<'t>,
    kinds: &'static [&'static str],
    /// Tells what is run later, if ever: nothing around it takes out what it raises.
    is_late: fn(Node<'_>) -> bool,
    numbers: Vec<(usize, Option<usize>)>,
}

impl<'t> Tries<'t> {
    pub(super) fn of(function: Node<'t>, kinds: &'static [&'static str], is_late: fn(Node<'_>) -> bool) -> Self {
        Self { function, kinds, is_late, numbers: Vec::new() }
    }

    /// Returns the guards around a node, innermost first; new ones are added to those that are known.
    pub(super) fn around(
        &mut self,
        node: Node<'t>,
        guards: &mut Vec<Guard>,
        clauses: impl Fn(Node<'t>) -> Vec<Clause>,
    ) -> Vec<usize> {
        let (mut found, mut inner, function) = (Vec::new(), node, self.function);
        for outer in node.ancestors().take_while(|outer| *outer != function) {
            if (self.is_late)(outer) {
                found.clear();
            }
            if outer.is_any(self.kinds) && outer.child("body").is_some_and(|body| body == inner) {
                found.extend(self.number(outer, guards, &clauses));
            }
            inner = outer;
        }
        found
    }

    /// Returns the number of a statement's guard; nothing where it takes nothing out.
    fn number(
        &mut self,
        statement: Node<'t>,
        guards: &mut Vec<Guard>,
        clauses: impl Fn(Node<'t>) -> Vec<Clause>,
    ) -> Option<usize> {
        if let Some((_, number)) = self.numbers.iter().find(|(at, _)| *at == statement.index()) {
            return *number;
        }
        let clauses = clauses(statement);
        let number = (!clauses.is_empty()).then_some(guards.len());
        guards.extend(number.map(|_| Guard { clauses }));
        self.numbers.push((statement.index(), number));
        number
    }
}

/// A longer expression is cut.
const LONGEST: usize = 60;

/// Writes an expression in one short line.
pub(super) fn shortened(node: Node<'_>, text: &str) -> String {
    let line = node.text(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.len() > LONGEST {
        true => format!("{}…", &line[..line.floor_char_boundary(LONGEST)]),
        false => line,
    }
}

/// Tells whether a span holds a node.
pub(super) fn holds(span: Option<Node<'_>>, node: Node<'_>) -> bool {
    span.map(Node::span).is_some_and(|span: Span| span.contains(node.span()))
}
