//! The compiler's own tree of a source: what every expression is, and of which type.

use std::collections::BTreeSet;

use semver::Version;
use serde_json::{Map, Value, json};

use super::project::Ground;
use crate::lsp::Solc;
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::Span;

/// All nodes of one source in the order of the text, a parent before its children.
pub(super) struct Ast {
    nodes: Vec<Entry>,
}

struct Entry {
    kind: String,
    field: String,
    span: Span,
    parent: Option<usize>,
    /// One past the last descendant.
    end: usize,
    /// What the compiler says of the node itself.
    facts: Map<String, Value>,
}

/// One node; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    ast: &'a Ast,
    index: usize,
}

/// Before it a variable is seen in all of its function.
const OLDEST: Version = Version::new(0, 5, 0);

impl Ast {
    /// Has the compiler read a source with all that it imports. One that it does not take is refused.
    pub(super) async fn of(session: &Session, ground: &Ground, code: &Code) -> Result<Self, Refusal> {
        let id = Ground::id(&code.path);
        let units = ground.project.units(&BTreeSet::from([id.clone()]), ground.layout.compiler().as_ref());
        let no_unit = || Refusal::NotPossible(format!("no release of the compiler reads `{}`", code.shown));
        let (version, unit) = units.into_iter().next().ok_or_else(no_unit)?;
        if version < OLDEST {
            let reason = format!("`{}` is compiled by {version}: types are told from {OLDEST} on", code.shown);
            return Err(Refusal::NotPossible(reason));
        }
        let solc = session.solc(&version.to_string()).await?;
        let wanted = json!({"outputSelection": {id.as_str(): {"": ["ast"]}}});
        let answer = solc.answer(&Solc::input(&ground.project, &unit, wanted), &session.options().guard).await;
        let failed = |reason: &str| Refusal::NotPossible(format!("the compiler could not be asked: {reason}"));
        let mut answer = answer.map_err(|reason| failed(&reason))?;
        let errors = answer["errors"].as_array().into_iter().flatten();
        if let Some(error) = errors.into_iter().find(|error| error["severity"] == "error") {
            let message = error["message"].as_str().unwrap_or_default();
            return Err(Refusal::NotPossible(format!("`{}` does not compile: {message}", code.shown)));
        }
        let root = answer["sources"][id.as_str()]["ast"].take();
        Self::read(root).ok_or_else(|| failed("it gave no tree"))
    }

    fn read(root: Value) -> Option<Self> {
        let mut ast = Self { nodes: Vec::new() };
        ast.put(root, "", None)?;
        Some(ast)
    }

    fn put(&mut self, value: Value, field: &str, parent: Option<usize>) -> Option<()> {
        let Value::Object(all) = value else { return None };
        let is_node = |value: &Value| value.get("nodeType").is_some();
        let index = self.nodes.len();
        let (mut facts, mut children) = (Map::new(), Vec::new());
        for (key, value) in all {
            match value {
                Value::Array(list) if list.iter().any(is_node) => {
                    children.extend(list.into_iter().filter(is_node).map(|value| (key.clone(), value)));
                }
                value if is_node(&value) => children.push((key, value)),
                value => drop(facts.insert(key, value)),
            }
        }
        children.sort_by_key(|(_, value)| span(value["src"].as_str().unwrap_or_default()).map(|span| span.start));
        let kind = facts.get("nodeType")?.as_str()?.to_owned();
        let span = span(facts.get("src")?.as_str()?)?;
        self.nodes.push(Entry { kind, field: field.to_owned(), span, parent, end: index + 1, facts });
        for (key, value) in children {
            self.put(value, &key, Some(index))?;
        }
        self.nodes[index].end = self.nodes.len();
        Some(())
    }

    pub(super) fn root(&self) -> Item<'_> {
        Item { ast: self, index: 0 }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Item<'_>> {
        (0..self.nodes.len()).map(|index| Item { ast: self, index })
    }

    /// Returns the declaration with this number, where it stands in this source.
    pub(super) fn declaration(&self, id: i64) -> Option<Item<'_>> {
        self.iter().find(|item| item.id() == Some(id))
    }

    /// Returns the innermost node of some kinds around a place.
    pub(super) fn around(&self, offset: usize, kinds: &[&str]) -> Option<Item<'_>> {
        self.iter().filter(|item| item.is_any(kinds) && item.span().start <= offset && offset < item.span().end).last()
    }
}

/// Reads `start:length:source`, in bytes.
fn span(src: &str) -> Option<Span> {
    let mut parts = src.split(':').map(str::parse::<usize>);
    let (start, length) = (parts.next()?.ok()?, parts.next()?.ok()?);
    Some(Span::new(start, start + length))
}

impl<'a> Item<'a> {
    fn entry(self) -> &'a Entry {
        &self.ast.nodes[self.index]
    }

    pub(super) fn is(self, kind: &str) -> bool {
        self.entry().kind == kind
    }

    pub(super) fn is_any(self, kinds: &[&str]) -> bool {
        kinds.contains(&self.entry().kind.as_str())
    }

    pub(super) fn kind(self) -> &'a str {
        &self.entry().kind
    }

    /// Returns by which word the node hangs in its parent.
    pub(super) fn field(self) -> &'a str {
        &self.entry().field
    }

    pub(super) fn span(self) -> Span {
        self.entry().span
    }

    pub(super) fn start(self) -> usize {
        self.span().start
    }

    pub(super) fn text(self, code: &Code) -> &str {
        self.span().of(code.text()).unwrap_or_default()
    }

    pub(super) fn parent(self) -> Option<Self> {
        self.entry().parent.map(|index| Self { index, ..self })
    }

    pub(super) fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |item| item.parent())
    }

    /// Returns the node and everything below, in the order of the text.
    pub(super) fn all(self) -> impl Iterator<Item = Self> {
        (self.index..self.entry().end).map(move |index| Self { index, ..self })
    }

    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        self.all().filter(move |item| item.entry().parent == Some(self.index))
    }

    pub(super) fn child(self, field: &str) -> Option<Self> {
        self.children().find(|item| item.field() == field)
    }

    pub(super) fn holds(self, other: Self) -> bool {
        self.index <= other.index && other.index < self.entry().end
    }

    /// Returns what the compiler says under a word, where that is a text.
    pub(super) fn said(self, key: &str) -> &'a str {
        self.entry().facts.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn flag(self, key: &str) -> bool {
        self.entry().facts.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(super) fn id(self) -> Option<i64> {
        self.entry().facts.get("id").and_then(Value::as_i64)
    }

    /// Returns the number of what a name refers to; what the language has is negative.
    pub(super) fn referenced(self) -> Option<i64> {
        self.entry().facts.get("referencedDeclaration").and_then(Value::as_i64)
    }

    /// Returns the declaration that a name refers to, where it stands in this source.
    pub(super) fn meant(self) -> Option<Self> {
        self.referenced().filter(|id| *id > 0).and_then(|id| self.ast.declaration(id))
    }

    /// Returns the type as the compiler writes it; nothing for what has none.
    pub(super) fn type_said(self) -> &'a str {
        self.type_in("typeDescriptions")
    }

    /// Returns the type that both sides of an operator are converted to.
    pub(super) fn common_type(self) -> &'a str {
        self.type_in("commonType")
    }

    fn type_in(self, key: &str) -> &'a str {
        let of = self.entry().facts.get(key).and_then(|of| of.get("typeString"));
        of.and_then(Value::as_str).unwrap_or_default()
    }

    /// Tells whether a call names its arguments: `{a: 1}`.
    pub(super) fn is_named_call(self) -> bool {
        self.entry().facts.get("names").and_then(Value::as_array).is_some_and(|names| !names.is_empty())
    }

    /// Tells whether it is an expression, by what the compiler says of every one.
    pub(super) fn is_expression(self) -> bool {
        const LEAVES: &[&str] = &["Identifier", "ElementaryTypeNameExpression"];
        self.entry().facts.contains_key("isPure") || self.is_any(LEAVES)
    }

    /// Returns the names below that refer to a declaration.
    pub(super) fn names_of(self, id: i64) -> impl Iterator<Item = Self> {
        self.all().filter(move |item| item.is("Identifier") && item.referenced() == Some(id))
    }

    /// Tells whether a name is given a value here, or is taken away.
    pub(super) fn is_written(self) -> bool {
        let assigned = |item: Self| {
            let parent = item.parent();
            parent.is_some_and(|parent| {
                parent.is("Assignment") && item.field() == "leftHandSide"
                    || parent.is("UnaryOperation") && matches!(parent.said("operator"), "++" | "--" | "delete")
            })
        };
        let mut item = self;
        while let Some(tuple) = item.parent().filter(|parent| parent.is("TupleExpression")) {
            item = tuple;
        }
        assigned(item)
    }
}

impl PartialEq for Item<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && std::ptr::eq(self.ast, other.ast)
    }
}
