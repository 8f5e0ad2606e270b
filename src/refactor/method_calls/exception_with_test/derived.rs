//! The condition under which Python does not raise what is caught, read off what is looked up.

use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, evaluated_once, reach, reach_before};
use crate::refactor::analysis::probed_types::{ProbeSide, Question, answers};
use crate::refactor::analysis::pure_calls::is_pure;
use crate::refactor::doubts::{doubt, in_doubt};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Node, is_any_function};

/// What a lookup fails with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    Key,
    Index,
    Attribute,
}

/// What may be missing, and where it is looked for.
struct Lookup<'c> {
    node: Node<'c>,
    holder: Node<'c>,
    keys: Vec<Node<'c>>,
    /// The method that takes it out, where one does.
    method: Option<&'c str>,
}

const SETS: &[&str] = &["set[", "Set[", "MutableSet["];
const MAPPINGS: &[&str] = &["dict[", "Dict[", "OrderedDict[", "Mapping[", "MutableMapping[", "_Environ["];
/// Those that make what is missing.
const MAKING: &[&str] = &["defaultdict[", "DefaultDict[", "Counter["];
const SEQUENCES: &[&str] = &["list[", "List[", "tuple[", "Tuple[", "Sequence[", "MutableSequence[", "str", "bytes"];
/// What binds less than `in` and `<`.
const LOOSE: &[&str] = &[
    "boolean_operator",
    "comparison_operator",
    "conditional_expression",
    "lambda",
    "named_expression",
    "not_operator",
];
/// What runs code of others, besides calls.
const RUNS: &[&str] = &[
    "await",
    "for_statement",
    "for_in_clause",
    "import_from_statement",
    "import_statement",
    "with_statement",
    "yield",
];

/// Returns the condition, with doubts that the caller overruled.
pub(super) async fn test(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    (body, caught): (Node<'_>, Option<&str>),
) -> Result<(String, Vec<Warning>), Refusal> {
    let failure = match caught {
        Some("KeyError") => Failure::Key,
        Some("IndexError") => Failure::Index,
        Some("AttributeError") => Failure::Attribute,
        other => return Err(unknown(other)),
    };
    let lookup = failure.lookup(code, names, body)?;
    let mut warnings = failure.check_rest((code, names), (body, lookup.node))?;
    if failure != Failure::Attribute {
        let statement = body.named_children().find(|it| it.holds(lookup.node)).unwrap_or(body);
        let question = Question { statement, side: ProbeSide::Before, expression: lookup.holder.text(code.text()) };
        let known = answers(session, code, &[question]).await?.pop().flatten();
        warnings.extend(failure.check_type(code, &lookup, known.as_deref())?);
    }
    Ok((failure.condition(code, &lookup), warnings))
}

fn unknown(caught: Option<&str>) -> Refusal {
    let said = caught.map_or_else(|| "what is caught here".to_owned(), |it| format!("`{it}`"));
    let reason = format!("no test is known for {said}: give the `condition` under which nothing fails");
    Refusal::Missing { param: "condition", reason }
}

impl Failure {
    fn said(self) -> &'static str {
        match self {
            Self::Key => "KeyError",
            Self::Index => "IndexError",
            Self::Attribute => "AttributeError",
        }
    }

    /// Reads a node as one that asks for what may be missing.
    fn at<'c>(self, code: &'c Code, node: Node<'c>) -> Option<Lookup<'c>> {
        let is_set = node.field() == Some("left") && node.parent().is_some_and(|it| it.is("assignment"));
        if let Some(taking) = self.taking(code, node) {
            return Some(taking);
        }
        let keys: Vec<Node<'c>> = node.children_in("subscript").collect();
        // A text is the key of a dictionary.
        let is_no_index = keys.iter().any(|it| it.is_any(&["slice", "string"]));
        let holder = match self {
            Self::Key if node.is("subscript") && !is_set => node.child("value"),
            Self::Index if node.is("subscript") && !is_no_index => node.child("value"),
            Self::Attribute if node.is("attribute") && !is_set => node.child("object"),
            _ => None,
        };
        Some(Lookup { node, holder: holder?, keys, method: None })
    }

    /// Reads a call that takes something out: `parts.pop(0)`, `names.remove(name)`.
    fn taking<'c>(self, code: &'c Code, node: Node<'c>) -> Option<Lookup<'c>> {
        let callee = node.child("function").filter(|it| node.is("call") && it.is("attribute"))?;
        let method = callee.child("attribute")?.text(code.text());
        let keys: Vec<Node<'c>> = node.child("arguments")?.named_children().collect();
        let is_plain = keys.iter().all(|it| !it.is_any(&["keyword_argument", "list_splat", "dictionary_splat"]));
        let fits = match (self, method, keys.as_slice()) {
            (Self::Key, "pop" | "remove", [_]) | (Self::Index, "pop", []) => true,
            (Self::Index, "pop", [at]) => matches!(at.text(code.text()), "0" | "-1"),
            _ => false,
        };
        (fits && is_plain).then_some(Lookup { node, holder: callee.child("object")?, keys, method: Some(method) })
    }

    /// Returns the one place that fails, in the first statement.
    fn lookup<'c>(self, code: &'c Code, names: &ScopedNames<'_>, body: Node<'c>) -> Result<Lookup<'c>, Refusal> {
        let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
        let all: Vec<Node<'c>> = body.walk_until(is_any_function).filter(|it| self.at(code, *it).is_some()).collect();
        let Some(lookup) = all.first().and_then(|it| self.at(code, *it)) else {
            let reason = format!("nothing is looked up here that a `{}` is raised for", self.said());
            return Err(Refusal::Missing { param: "condition", reason: format!("{reason}: give the `condition`") });
        };
        let node = lookup.node;
        if all.iter().any(|it| it.text(code.text()) != node.text(code.text())) {
            return refuse(body, "several things are looked up, each of which may be missing: give the `condition`");
        }
        let Some(statement) = body.named_children().next().filter(|it| it.holds(node)) else {
            return refuse(node, "what may be missing is not asked for first");
        };
        if let Some(later) = all.iter().find(|it| !statement.holds(**it)) {
            return refuse(*later, "it is looked up again, and may be missing by then: give the `condition`");
        }
        let is_deleted = statement.is("delete_statement") && node.parent() == Some(statement);
        if let Err(reason) = evaluated_once(code, statement, node)
            && !is_deleted
        {
            return refuse(node, reason);
        }
        let mut parts = std::iter::once(lookup.holder).chain(lookup.keys.iter().copied());
        if parts.any(|part| reach(names, code, part) == ExpressionReach::Acts) {
            return refuse(node, "it would be evaluated twice, and does something when it is");
        }
        if reach_before(names, code, statement, node) == ExpressionReach::Acts {
            in_doubt(code, node.span(), "what is done before it may change what is looked up")?;
        }
        Ok(lookup)
    }

    /// Doubts where something else may raise the same.
    fn check_rest(
        self,
        (code, names): (&Code, &ScopedNames<'_>),
        (body, lookup): (Node<'_>, Node<'_>),
    ) -> Result<Vec<Warning>, Refusal> {
        let is_call = |it: &Node<'_>| it.is("call") && !is_pure(names, code, *it);
        let inside = body.walk_until(is_any_function).filter(|it| *it != lookup && !lookup.holds(*it));
        let mut others = inside.filter(|it| is_call(it) || it.is_any(RUNS));
        match others.next() {
            Some(other) => {
                let said = other.text(code.text()).lines().next().unwrap_or_default();
                let reason = format!("`{said}` may raise a `{}`, too, which would no longer be caught", self.said());
                Ok(vec![doubt(code, other.span(), reason)?])
            }
            None => Ok(Vec::new()),
        }
    }

    /// Doubts where what is looked into is not known to be what the test is for.
    fn check_type(self, code: &Code, lookup: &Lookup<'_>, known: Option<&str>) -> Result<Option<Warning>, Refusal> {
        let said = lookup.holder.text(code.text());
        let begins = |all: &[&str]| known.is_some_and(|known| all.iter().any(|it| known.starts_with(it)));
        if lookup.method.is_none() && begins(MAKING) {
            let reason = format!("`{said}` makes what is missing: nothing is raised");
            return Err(code.refuse(lookup.holder.start(), reason));
        }
        let (fits, what) = match (self, lookup.method) {
            (Self::Key, Some("remove")) => (begins(SETS), "a set"),
            (Self::Key, Some(_)) => (begins(MAPPINGS) || begins(MAKING), "a dictionary"),
            (Self::Key, None) => (begins(MAPPINGS), "a dictionary"),
            _ => (begins(SEQUENCES), "a list"),
        };
        let reason = || match known {
            Some(known) => format!("`{said}` is of type `{known}`, which may not answer as {what} does"),
            None => format!("whether `{said}` is {what} is not known"),
        };
        if fits { Ok(None) } else { doubt(code, lookup.holder.span(), reason()).map(Some) }
    }

    fn condition(self, code: &Code, lookup: &Lookup<'_>) -> String {
        let text = code.text();
        let object = lookup.holder.text(text);
        let key = match lookup.keys.as_slice() {
            [only] if !only.is_any(LOOSE) => only.text(text).to_owned(),
            all => format!("({})", all.iter().map(|it| it.text(text)).collect::<Vec<_>>().join(", ")),
        };
        match self {
            Self::Key => format!("{key} in {object}"),
            Self::Index if lookup.method.is_some() => format!("len({object}) > 0"),
            Self::Index => match (key.parse::<usize>(), key.strip_prefix('-').map(str::parse::<usize>)) {
                (Ok(at), _) => format!("len({object}) > {at}"),
                (_, Some(Ok(at))) => format!("len({object}) >= {at}"),
                _ => format!("-len({object}) <= {key} < len({object})"),
            },
            Self::Attribute => {
                let quote = quote(code);
                let name = lookup.node.child("attribute").map_or("", |it| it.text(text));
                format!("hasattr({object}, {quote}{name}{quote})")
            }
        }
    }
}

/// Returns what most strings of the file are quoted with.
fn quote(code: &Code) -> char {
    let strings = code.root().descendants().filter(|it| it.is("string")).map(|it| it.text(code.text()));
    let (single, double): (Vec<&str>, Vec<&str>) = strings.partition(|it| it.ends_with('\''));
    if single.len() > double.len() { '\'' } else { '"' }
}
