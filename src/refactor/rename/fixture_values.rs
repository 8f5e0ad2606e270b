//! What pytest gives the parameters of tests: the values of fixtures, and of the rows of `parametrize`, of which no server
//! knows the type.
//!
//! `def test_total(order): …` becomes, in a text laid over it, a function that makes the value of that fixture itself:
//! `order = next(_lspwright_order(*_lspwright))`. So the server infers its type as it does for any call. The fixtures
//! themselves lose their decorator there: what pytest (8.4 and later) makes of them cannot be called. Of rows the test
//! takes the first: `order = next(iter([Order(1)]))`; so does a fixture where it says `request.param`.

use std::collections::BTreeSet;

use super::fixture_sources::FixtureSource;
use super::fixtures::{callee, is_asking};
use super::insertions::{Insertion, Rank};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::decorators;
use crate::syntax::{Node, is_async};
use crate::text::{AbsPath, Span};

/// What a text needs so that parameters have the types of what pytest gives them.
#[derive(Default)]
pub(super) struct FixtureValues {
    pub insertions: Vec<Insertion>,
    /// The functions whose parameters get a type by that.
    functions: Vec<Span>,
    /// The other files that such values are from.
    pub from: BTreeSet<AbsPath>,
}

/// A fixture as a function of its file.
struct Fixture<'t> {
    function: Node<'t>,
    decorator: Node<'t>,
    /// By which tests ask for it.
    name: &'t str,
}

/// What begins the names that are written in; alone it stands for arguments that nobody knows.
const OWN: &str = "_lspwright";

impl FixtureValues {
    /// Finds what the functions of a file are given.
    pub(super) fn of(session: &Session, path: &AbsPath, parsed: &Parsed) -> Result<Self, Refusal> {
        let text = parsed.text.as_str();
        if path.extension() != "py" || !["test", "fixture"].iter().any(|word| text.contains(word)) {
            return Ok(Self::default());
        }
        let (fixtures, shared) = (fixtures(parsed), FixtureSource::of(session, path, parsed)?);
        let mut making = Making { text, fixtures, shared, values: Self::default(), behind: BTreeSet::new() };
        for function in parsed.tree.nodes().iter().filter(|node| node.is("function_definition")) {
            making.give(function);
        }
        making.fixtures_as_functions();
        Ok(making.values)
    }

    /// Tells whether a node stands in a function whose parameters have a type only here.
    pub(super) fn bears_on(&self, node: Node<'_>) -> bool {
        let span = node.span();
        self.functions.iter().any(|function| function.start <= span.start && span.end <= function.end)
    }
}

/// The values of one file on their way.
struct Making<'t> {
    text: &'t str,
    fixtures: Vec<Fixture<'t>>,
    shared: Vec<FixtureSource>,
    values: FixtureValues,
    /// What gives fixtures the names by which they are called, behind the file: in a test a parameter hides theirs.
    behind: BTreeSet<String>,
}

impl<'t> Making<'t> {
    /// Has a function make what its parameters are given.
    fn give(&mut self, function: Node<'t>) {
        let mut made: Vec<String> = Vec::new();
        for name in plain_parameters(function).map(|parameter| parameter.text(self.text)) {
            made.extend(self.value(function, name).map(|value| format!("{name} = {value}")));
        }
        made.extend(self.take_from_rows(function));
        let is_given = !made.is_empty() | self.give_param(function);
        let first = function.child("body").and_then(|body| body.named_children().next());
        if let Some(first) = first.filter(|_| is_given) {
            let end = line_break(self.text, first.start());
            for statement in made {
                self.write(first.start(), Rank::Statement, statement + &end);
            }
            self.values.functions.push(function.span());
        }
    }

    /// The call that makes the value of the fixture that a function asks for.
    fn value(&mut self, function: Node<'t>, name: &str) -> Option<String> {
        if !is_asking(function, name, self.text) {
            return None;
        }
        let Some(fixture) = own_fixture(&self.fixtures, function, name) else {
            let (file, (import, value)) = self.shared.iter().find_map(|file| Some((file, imported(file, name)?)))?;
            self.values.from.insert(file.path.clone());
            self.behind.insert(import);
            return Some(value);
        };
        let own = fixture.function.child("name")?.text(self.text);
        if class_of(fixture.function).is_some() {
            return Some(value(fixture.function, &format!("self.{own}")));
        }
        self.behind.insert(format!("{OWN}_{own} = {own}"));
        Some(value(fixture.function, &format!("{OWN}_{own}")))
    }

    /// The statements that take the first of the rows that `parametrize` goes through.
    fn take_from_rows(&mut self, function: Node<'t>) -> Vec<String> {
        let plain: Vec<&str> = plain_parameters(function).map(|parameter| parameter.text(self.text)).collect();
        let mut made = Vec::new();
        for decorator in decorators(function).filter(|it| callee(*it, self.text) == "parametrize") {
            let Some((names, comma, rows)) = parametrized(decorator, self.text) else { continue };
            let names: Vec<&str> =
                names.into_iter().map(|name| if plain.contains(&name) { name } else { "_" }).collect();
            if names.iter().all(|name| *name == "_") {
                continue;
            }
            made.push(format!("{}{comma} = {}", names.join(", "), first(rows, self.text)));
        }
        made
    }

    /// Has a fixture take the first of its `params` where it asks for one of them; returns whether it does.
    fn give_param(&mut self, function: Node<'t>) -> bool {
        let Some(decorator) = self.fixtures.iter().find(|it| it.function == function).map(|it| it.decorator) else {
            return false;
        };
        let is_param = |node: &Node<'_>| node.is("attribute") && node.text(self.text) == "request.param";
        let asked: Vec<Span> = function.descendants().filter(is_param).map(Node::span).collect();
        let Some(params) = keyword(decorator, "params", self.text).filter(|_| !asked.is_empty()) else { return false };
        for span in asked {
            self.write(span.start, Rank::Part, "(".to_owned());
            self.write(span.end, Rank::Part, format!(", {})[1]", first(params, self.text)));
        }
        true
    }

    /// Lets the fixtures of the file be called: `0@fixture` is a multiplication, and decorates nothing.
    fn fixtures_as_functions(&mut self) {
        for at in self.fixtures.iter().map(|it| it.decorator.start()).collect::<Vec<_>>() {
            self.write(at, Rank::Part, "0".to_owned());
        }
        for line in std::mem::take(&mut self.behind) {
            self.write(self.text.len(), Rank::Statement, format!("\n{line}"));
        }
    }

    fn write(&mut self, at: usize, rank: Rank, written: String) {
        self.values.insertions.push(Insertion { at, rank, written });
    }
}

/// The first of some rows, spelled out: a name that they get where they stand is unknown where pytest is not installed.
fn first(rows: Node<'_>, text: &str) -> String {
    format!("next(iter({}))", rows.text(text))
}

/// The parameters that `parametrize` names, what stands behind the last of them where a row is taken apart, and the rows.
fn parametrized<'t>(decorator: Node<'t>, text: &'t str) -> Option<(Vec<&'t str>, &'static str, Node<'t>)> {
    let call = decorator.named_children().find(|node| node.is("call"))?;
    let mut arguments = call.child("arguments")?.named_children();
    let (named, rows) = (arguments.next()?, arguments.next()?);
    if rows.is("keyword_argument") || decorator.text(text).contains("indirect") {
        return None;
    }
    let strings = named.descendants().filter(|node| node.is("string_content")).map(|node| node.text(text));
    let names: Vec<&str> = strings.flat_map(|names| names.split(',')).map(str::trim).collect();
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !named.is_any(&["string", "tuple", "list"]) || names.is_empty() || !names.iter().all(is_name) {
        return None;
    }
    // A row of one value is a tuple where its name is one of a list.
    let comma = if named.is("string") && names.len() == 1 { "" } else { "," };
    Some((names, comma, rows))
}

/// The call that makes what a fixture gives.
fn value(function: Node<'_>, called: &str) -> String {
    let is_async = is_async(function);
    let is_inner = |node: Node<'_>| node.is_any(&["function_definition", "lambda"]);
    let yields = function.child("body").is_some_and(|body| body.walk_until(is_inner).any(|node| node.is("yield")));
    match (is_async, yields) {
        (false, false) => format!("{called}(*{OWN})"),
        (false, true) => format!("next({called}(*{OWN}))"),
        (true, false) => format!("await {called}(*{OWN})"),
        (true, true) => format!("await anext({called}(*{OWN}))"),
    }
}

/// The fixtures of a file, those apart that have another decorator before their own: without it nothing is known of them.
fn fixtures(parsed: &Parsed) -> Vec<Fixture<'_>> {
    let functions = parsed.tree.nodes().iter().filter(|node| node.is("function_definition"));
    functions.filter_map(|function| fixture(function, parsed.text.as_str())).collect()
}

fn fixture<'t>(function: Node<'t>, text: &'t str) -> Option<Fixture<'t>> {
    let decorator = decorators(function).next().filter(|first| callee(*first, text) == "fixture")?;
    let own = function.child("name")?.text(text);
    let other = keyword(decorator, "name", text).and_then(|name| name.child_of_kind("string_content"));
    Some(Fixture { function, decorator, name: other.map_or(own, |other| other.text(text)) })
}

/// The value of an argument that a decorator names.
fn keyword<'t>(decorator: Node<'t>, name: &str, text: &str) -> Option<Node<'t>> {
    let call = decorator.named_children().find(|node| node.is("call"))?;
    let is_it = |argument: &Node<'_>| {
        argument.is("keyword_argument") && argument.child("name").is_some_and(|own| own.text(text) == name)
    };
    call.child("arguments")?.named_children().find(is_it)?.child("value")
}

/// The parameters that no annotation and no default gives a type.
fn plain_parameters(function: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let parameters = function.child("parameters");
    parameters.into_iter().flat_map(Node::named_children).filter(|parameter| parameter.is("identifier"))
}

/// The class in whose body a function stands.
fn class_of(function: Node<'_>) -> Option<Node<'_>> {
    let mut outer = function.ancestors().skip_while(|node| *node == function || node.is("decorated_definition"));
    let block = outer.next().filter(|block| block.is("block"))?;
    block.parent().filter(|class| class.is("class_definition"))
}

/// The fixture of a name that a function of the same file gets: of its own class, else of the module. One that asks for its
/// own name gets the one that it overrides.
fn own_fixture<'f, 't>(fixtures: &'f [Fixture<'t>], function: Node<'t>, name: &str) -> Option<&'f Fixture<'t>> {
    let named = |fixture: &&Fixture<'_>| fixture.name == name && fixture.function != function;
    let class = class_of(function);
    let of_class = fixtures.iter().filter(named).rfind(|it| class.is_some() && class_of(it.function) == class);
    let is_itself = fixtures.iter().any(|it| it.function == function && it.name == name);
    let of_module =
        || of_module(fixtures, name).filter(|it| it.function != function && (!is_itself || class.is_some()));
    of_class.or_else(of_module)
}

fn of_module<'f, 't>(fixtures: &'f [Fixture<'t>], name: &str) -> Option<&'f Fixture<'t>> {
    let is_inner = |it: &Fixture<'_>| {
        it.function
            .ancestors()
            .any(|node| node != it.function && node.is_any(&["function_definition", "class_definition"]))
    };
    fixtures.iter().rfind(|it| it.name == name && !is_inner(it))
}

/// The import of a fixture from another module, and the call that makes its value.
fn imported(source: &FixtureSource, name: &str) -> Option<(String, String)> {
    let fixtures = fixtures(&source.parsed);
    let function = of_module(&fixtures, name).filter(|_| source.shares(name))?.function;
    let own = function.child("name")?.text(source.parsed.text.as_str());
    let import = format!("from {} import {own} as {OWN}_{own}", source.module);
    Some((import, value(function, &format!("{OWN}_{own}"))))
}

/// What ends a statement that is written before another one.
fn line_break(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    if before.trim().is_empty() { format!("\n{before}") } else { "; ".to_owned() }
}
