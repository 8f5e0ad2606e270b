//! The export itself: which one is meant, and how its own module hands it out afterwards.

use super::turn::Turn;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::request::Target;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Node, is_any_function};
use crate::text::{Span, TextEdit};

/// How something is handed out.
#[derive(Debug, Clone, Copy)]
enum Shape<'c> {
    /// `export function f() {}`: the declaration.
    Declared(Node<'c>),
    /// `export default value`
    Value(Node<'c>),
    /// `export { f as g }`: the item.
    Item(Node<'c>),
}

/// One export of a module.
pub(super) struct Exported<'c> {
    code: &'c Code,
    statement: Node<'c>,
    shape: Shape<'c>,
    pub turn: Turn,
    /// The name that a named export has, or will have; nothing for a default that is called nothing.
    pub name: Option<&'c str>,
}

/// Declarations that stand behind `export default` as they are.
const DEFAULTS: &[&str] = &[
    "abstract_class_declaration",
    "class_declaration",
    "function_declaration",
    "function_signature",
    "generator_function_declaration",
    "interface_declaration",
];

impl<'c> Exported<'c> {
    /// Finds the export that a target means: at its place, in its lines, of its name; of a whole file the default.
    pub(super) fn find(code: &'c Code, target: &Target) -> Result<Self, Refusal> {
        let exports = || code.root().named_children().filter(|it| it.is("export_statement"));
        if let Some(handed) = code.hands_out().filter(|_| exports().next().is_none()) {
            return Err(code.refuse(handed.start(), "`module.exports` is no export of ECMAScript"));
        }
        let none = |at: usize| code.refuse(at, "no export stands here");
        let place = target.place();
        let (statement, at) = match (place, target.lines) {
            (Some(place), _) => {
                let here = code.covering(Span::new(place, (place + 1).min(code.text().len())));
                let chain = || std::iter::once(here).chain(here.ancestors());
                let statement = chain().find(|it| it.is("export_statement"));
                match statement.map(|it| (it, here)).or_else(|| named_apart(code, here.text(code.text()))) {
                    Some(found) => found,
                    None => return Err(none(place)),
                }
            }
            (None, Some(lines)) => {
                let span = code.lines(lines);
                let found = exports().find(|it| it.span().overlaps(span)).ok_or_else(|| none(span.start))?;
                (found, found)
            }
            (None, None) => {
                let defaults = exports().find_map(|it| default_of(code, it).map(|at| (it, at)));
                defaults.ok_or_else(|| none(0))?
            }
        };
        Self::at(code, statement, at)
    }

    fn at(code: &'c Code, statement: Node<'c>, at: Node<'c>) -> Result<Self, Refusal> {
        let refuse = |reason: &str| Err(code.refuse(statement.start(), reason));
        let text = |node: Node<'c>| node.text(code.text());
        let is_default = statement.children().any(|it| it.kind() == "default");
        let of_declaration = |it: Node<'c>| it.child("name").or_else(|| it.descendants().find(is_declared));
        if let Some(clause) = statement.child_of_kind("export_clause") {
            let items: Vec<Node<'c>> = clause.named_children().filter(|it| it.is("export_specifier")).collect();
            let item = items.iter().find(|it| it.span().contains(at.span())).or(match items.as_slice() {
                [only] => Some(only),
                all => all.iter().find(|it| default_item(code, **it).is_some()),
            });
            let Some(item) = item else { return refuse("several names are exported here: aim at one of them") };
            let local = item.child("name").map(text);
            let alias = item.child("alias").map(text).or(local);
            let turn = if alias == Some("default") { Turn::Named } else { Turn::Default };
            let name = if turn == Turn::Named { local.filter(|it| *it != "default") } else { alias };
            return Ok(Self { code, statement, shape: Shape::Item(*item), turn, name });
        }
        if let Some(value) = statement.child("value") {
            let name = value.is("identifier").then(|| text(value));
            return Ok(Self { code, statement, shape: Shape::Value(value), turn: Turn::Named, name });
        }
        let Some(declaration) = statement.child("declaration") else {
            return refuse("what is exported here cannot be turned");
        };
        let name = of_declaration(declaration).map(text);
        let turn = if is_default { Turn::Named } else { Turn::Default };
        Ok(Self { code, statement, shape: Shape::Declared(declaration), turn, name })
    }

    /// Refuses what the language does not allow, or what would mean something else.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let Self { code, statement, .. } = self;
        let refuse = |at: usize, reason: &str| Err(code.refuse(at, reason));
        let stem = code.path.file_stem();
        if stem.ends_with(".config") || stem.ends_with(".stories") {
            return refuse(statement.start(), "a tool looks the default of this file up by the file's name");
        }
        let others = || code.root().named_children().filter(|it| it.is("export_statement") && it != statement);
        if self.turn == Turn::Default {
            let own = default_of(code, *statement).map(|_| *statement);
            if let Some(other) = others().find(|it| default_of(code, *it).is_some()).or(own) {
                return refuse(other.start(), "the module has a default already");
            }
        }
        if let Shape::Declared(declaration) = self.shape {
            let declarators = declaration.named_children().filter(|it| it.is("variable_declarator")).count();
            if declarators > 1 {
                return refuse(declaration.start(), "the statement exports other variables, too");
            }
            if declaration.is("ambient_declaration") {
                return refuse(declaration.start(), "what is only declared here has its value elsewhere");
            }
            let named = |it: &Node<'_>| {
                let inner = it.child("declaration").unwrap_or(*it);
                inner.child("name").map(|it| it.text(code.text())) == self.name && self.name.is_some()
            };
            let parts: Vec<Node<'_>> = code.root().named_children().filter(named).collect();
            if parts.len() > 1 && !parts.iter().all(|it| is_signature(*it)) {
                return refuse(declaration.start(), "several declarations share this name");
            }
        }
        self.check_once()
    }

    /// Refuses a variable that gets another value: a default is what it was when the module was loaded.
    fn check_once(&self) -> Result<(), Refusal> {
        let Some(name) = self.local() else { return Ok(()) };
        let names = ScopedNames::of(self.code);
        let meaning = names.at(name).map(|it| it.meaning);
        let declares = |it: Node<'_>| it.field() == Some("name") && it.parent().is_some_and(|it| it.is_any(DEFAULTS));
        let writes = meaning.into_iter().flat_map(|it| names.writes(it));
        let set = writes.map(|it| self.code.covering(it.span)).filter(|it| !declares(*it)).nth(1);
        match set {
            Some(set) => {
                Err(self.code.refuse(set.start(), "it is reassigned here, and a default keeps its first value"))
            }
            None => Ok(()),
        }
    }

    /// Returns the name by which its module knows it, where that stands in the export.
    fn local(&self) -> Option<Node<'c>> {
        match self.shape {
            Shape::Item(item) if self.statement.child("source").is_none() => item.child("name"),
            Shape::Item(_) => None,
            Shape::Value(value) => Some(value).filter(|it| it.is("identifier")),
            Shape::Declared(declaration) => {
                declaration.child("name").or_else(|| declaration.descendants().find(is_declared))
            }
        }
    }

    /// Returns the name that a server can be asked about.
    pub(super) fn declared(&self) -> Option<Node<'c>> {
        self.local()
    }

    /// Writes the export in the other way.
    pub(super) fn turned(&self, name: &str) -> Result<Vec<TextEdit>, Refusal> {
        match self.turn {
            Turn::Named => self.named(name),
            Turn::Default => self.as_default(name),
        }
    }

    fn named(&self, name: &str) -> Result<Vec<TextEdit>, Refusal> {
        let Self { code, statement, .. } = self;
        let word = || statement.children().find(|it| it.kind() == "default");
        let without_word = || word().map(|it| TextEdit::new(Span::new(it.start(), code.next_word(it.end())), ""));
        let others = exports_of(code, name).into_iter().filter(|it| it != statement).count();
        match self.shape {
            Shape::Declared(_) => Ok(without_word().into_iter().collect()),
            Shape::Item(item) if others > 0 => {
                let items: Vec<Node<'_>> = item.parent().into_iter().flat_map(Node::named_children).collect();
                let spans: Vec<Span> = items.iter().map(|it| it.span()).collect();
                let gone = crate::refactor::analysis::imports::statements::without_items(code, &spans, &[item.span()])
                    .into_iter();
                Ok(match items.len() {
                    1 => vec![without_lines(code, statement.span())],
                    _ => gone.map(|span| TextEdit::new(span, "")).collect(),
                })
            }
            Shape::Item(item) => {
                let local = item.child("name").map_or("", |it| it.text(code.text()));
                let written = if local == name { name.to_owned() } else { format!("{local} as {name}") };
                Ok(vec![TextEdit::new(item.span(), written)])
            }
            Shape::Value(value) if value.is("identifier") => {
                if others > 0 {
                    return Ok(vec![without_lines(code, statement.span())]);
                }
                match declaration_of(code, name) {
                    Some(declared) => Ok(vec![
                        TextEdit::new(Span::at(declared.start()), "export "),
                        without_lines(code, statement.span()),
                    ]),
                    None => {
                        let span = word().map_or(value.span(), |it| Span::new(it.start(), value.end()));
                        Ok(vec![TextEdit::new(span, format!("{{ {name} }}"))])
                    }
                }
            }
            Shape::Value(_) if others > 0 || code.mentions(code.root(), name) => {
                Err(code.refuse(statement.start(), format!("`{name}` is already in use here")))
            }
            Shape::Value(value) => Ok(named_value(code, (*statement, value), name)
                .into_iter()
                .chain(without_word().filter(|_| is_bodied(value)))
                .collect()),
        }
    }

    fn as_default(&self, name: &str) -> Result<Vec<TextEdit>, Refusal> {
        let Self { code, statement, .. } = self;
        let end = code.newline();
        match self.shape {
            Shape::Declared(declaration) if declaration.is_any(DEFAULTS) => {
                let all = exports_of(code, name).into_iter();
                Ok(all
                    .map(|it| TextEdit::new(Span::at(code.next_word(it.start() + "export".len())), "default "))
                    .collect())
            }
            Shape::Declared(declaration) => Ok(vec![
                TextEdit::new(Span::new(statement.start(), declaration.start()), ""),
                TextEdit::new(
                    Span::at(code.line_end(statement.end())),
                    format!("{end}{end}export default {name}{}", code.semicolon()),
                ),
            ]),
            Shape::Item(item) => {
                let local = item.child("name").map_or("", |it| it.text(code.text()));
                let is_only = item.parent().is_some_and(|it| it.named_children().count() == 1);
                let is_plain =
                    statement.child("source").is_none() && !statement.text(code.text()).starts_with("export type");
                Ok(match item.parent().filter(|_| is_only && is_plain) {
                    Some(clause) => vec![TextEdit::new(clause.span(), format!("default {local}"))],
                    None => vec![TextEdit::new(
                        item.span(),
                        if local == "default" { local.to_owned() } else { format!("{local} as default") },
                    )],
                })
            }
            Shape::Value(value) => Err(code.refuse(value.start(), "no export stands here")),
        }
    }
}

/// Tells whether a node is the name that a variable is declared by.
fn is_declared(node: &Node<'_>) -> bool {
    node.is("identifier")
        && node.field() == Some("name")
        && node.parent().is_some_and(|it| it.is("variable_declarator"))
}

fn is_signature(statement: Node<'_>) -> bool {
    let inner = statement.child("declaration").unwrap_or(statement);
    inner.is_any(&["function_signature", "function_declaration", "generator_function_declaration"])
}

/// Tells whether a value has a body of its own, and ends without a semicolon.
fn is_bodied(value: Node<'_>) -> bool {
    value.is_any(&["class", "function_expression", "generator_function"])
}

/// Gives a value that has no name one.
fn named_value(code: &Code, (statement, value): (Node<'_>, Node<'_>), name: &str) -> Vec<TextEdit> {
    if !is_bodied(value) {
        let word = statement.children().find(|it| it.kind() == "default").map_or(value.span(), Node::span);
        return vec![TextEdit::new(word, format!("const {name} ="))];
    }
    let is_head = |it: &Node<'_>| matches!(it.kind(), "function" | "*" | "class");
    let at = value.children().filter(is_head).last().map_or(value.start(), Node::end);
    vec![TextEdit::new(Span::new(at, at), format!(" {name}"))]
        .into_iter()
        .map(|edit| match is_any_function(value) {
            // `function () {}` loses the blank before its parentheses.
            true => TextEdit::new(Span::new(at, code.next_word(at)), edit.new_text),
            false => edit,
        })
        .collect()
}

/// Returns the item of an export clause, or what else makes an export the default.
fn default_of<'c>(code: &Code, statement: Node<'c>) -> Option<Node<'c>> {
    let word = statement.children().find(|it| it.kind() == "default");
    let clause = statement.child_of_kind("export_clause").into_iter().flat_map(Node::named_children);
    word.or_else(|| clause.into_iter().find(|it| default_item(code, *it).is_some()))
}

fn default_item<'c>(code: &Code, item: Node<'c>) -> Option<Node<'c>> {
    item.child("alias").or_else(|| item.child("name")).filter(|it| it.text(code.text()) == "default")
}

/// Returns the export statement that hands out a name which is declared apart from it.
fn named_apart<'c>(code: &'c Code, name: &str) -> Option<(Node<'c>, Node<'c>)> {
    let exports = code.root().named_children().filter(|it| it.is("export_statement") && it.child("source").is_none());
    let said = |it: Node<'c>| it.text(code.text()) == name;
    exports.into_iter().find_map(|statement| {
        let value = statement.child("value").filter(|it| said(*it));
        let clause = statement.child_of_kind("export_clause").into_iter().flat_map(Node::named_children);
        let item = clause.into_iter().find(|it| it.child("name").is_some_and(said));
        value.or(item).map(|at| (statement, at))
    })
}

/// Returns the statements by which a module exports a name.
fn exports_of<'c>(code: &'c Code, name: &str) -> Vec<Node<'c>> {
    let exports = code.root().named_children().filter(|it| it.is("export_statement"));
    let said = |it: Node<'_>| it.text(code.text()) == name;
    let is_it = |statement: &Node<'c>| {
        let is_default = statement.children().any(|it| it.kind() == "default");
        let declaration = statement.child("declaration").filter(|_| !is_default);
        let declared = declaration.is_some_and(|it| {
            it.child("name").is_some_and(said) || it.descendants().any(|it| is_declared(&it) && said(it))
        });
        let clause = statement.child_of_kind("export_clause").into_iter().flat_map(Node::named_children);
        declared || clause.into_iter().any(|it| it.child("alias").or_else(|| it.child("name")).is_some_and(said))
    };
    exports.filter(is_it).collect()
}

/// Returns the one statement of the module that declares a name and nothing else.
fn declaration_of<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    let said = |it: Node<'_>| it.text(code.text()) == name;
    let declares = |it: &Node<'c>| {
        let declarators: Vec<Node<'_>> = it.named_children().filter(|it| it.is("variable_declarator")).collect();
        match declarators.as_slice() {
            [] => it.kind().ends_with("declaration") && it.child("name").is_some_and(said),
            [only] => only.child("name").is_some_and(said),
            all => all.iter().any(|it| it.child("name").is_some_and(said)),
        }
    };
    let mut all = code.root().named_children().filter(declares);
    let only = all.next().filter(|_| all.next().is_none())?;
    (only.named_children().filter(|it| it.is("variable_declarator")).count() < 2 && !has_signature(code, name))
        .then_some(only)
}

fn has_signature(code: &Code, name: &str) -> bool {
    let mut all = code.root().named_children().filter(|it| it.is("function_signature"));
    all.any(|it| it.child("name").is_some_and(|it| it.text(code.text()) == name))
}
