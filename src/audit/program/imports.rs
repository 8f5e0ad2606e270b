//! The names that a file's imports bind, each with the module that it comes from.

use std::collections::BTreeMap;

use crate::audit::sources::Source;
use crate::syntax::python::{ImportKind, Imported, imports, lex};
use crate::syntax::{Family, Node};

/// What an imported name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::audit) struct Bound {
    /// The module as it is written; dots lead where Python's import is relative.
    pub module: String,
    /// What of the module: nothing is the module as a whole.
    pub member: Option<String>,
}

/// Returns the names that the imports of a file bind. `*` stands for all that a module gives.
pub(in crate::audit) fn bound_names(source: &Source) -> BTreeMap<String, Bound> {
    match source.language.family() {
        Family::Python => python(source.text()),
        Family::Script => script(source),
        _ => BTreeMap::new(),
    }
}

fn python(text: &str) -> BTreeMap<String, Bound> {
    let mut names = BTreeMap::new();
    for import in imports(text, &lex(text)) {
        match import.kind {
            ImportKind::Modules(items) => {
                for item in items {
                    let whole = item.path.texts().join(".");
                    // Without an alias only the first part is bound; `a.b.f` then leads through `a`.
                    let module = if item.alias.is_some() { whole } else { item.bound().text.clone() };
                    names.insert(item.bound().text.clone(), Bound { module, member: None });
                }
            }
            ImportKind::From(from) => {
                let dotted = from.module.as_ref().map(|module| module.texts().join(".")).unwrap_or_default();
                let module = format!("{}{dotted}", ".".repeat(from.level));
                match &from.imported {
                    Imported::Star => {
                        names.insert(format!("*{module}"), Bound { module, member: Some("*".to_owned()) });
                    }
                    Imported::Names(items) => names.extend(items.iter().map(|item| {
                        let member = Some(item.name.text.clone());
                        (item.bound().text.clone(), Bound { module: module.clone(), member })
                    })),
                }
            }
        }
    }
    names
}

fn script(source: &Source) -> BTreeMap<String, Bound> {
    let text = source.text();
    let mut names = BTreeMap::new();
    for node in source.tree().nodes().iter() {
        match node.kind() {
            "import_statement" if node.is_named() => statement(node, text, &mut names),
            "variable_declarator" => required(node, text, &mut names),
            _ => {}
        }
    }
    names
}

fn statement(node: Node<'_>, text: &str, names: &mut BTreeMap<String, Bound>) {
    let Some(module) = node.descendants().find(|it| it.field() == Some("source")).map(|it| unquoted(it, text)) else {
        return;
    };
    for inner in node.descendants() {
        let (name, member) = match inner.kind() {
            "import_specifier" => {
                let Some(name) = inner.child("name") else { continue };
                (inner.child("alias").unwrap_or(name), Some(name.text(text).to_owned()))
            }
            "namespace_import" | "import_require_clause" => {
                let Some(name) = inner.child_of_kind("identifier") else { continue };
                (name, None)
            }
            "identifier" if inner.parent().is_some_and(|parent| parent.is("import_clause")) => {
                (inner, Some("default".to_owned()))
            }
            _ => continue,
        };
        names.insert(name.text(text).to_owned(), Bound { module: module.clone(), member });
    }
}

/// `const a = require("m")`, `const { a, b: c } = require("m")`, `const a = require("m").b`.
fn required(declarator: Node<'_>, text: &str, names: &mut BTreeMap<String, Bound>) {
    let (Some(name), Some(value)) = (declarator.child("name"), declarator.child("value")) else { return };
    let property = value.child("property").filter(|_| value.is("member_expression"));
    let call = if property.is_some() { value.child("object").unwrap_or(value) } else { value };
    let is_require = call.is("call_expression") && call.child("function").is_some_and(|it| it.text(text) == "require");
    let argument = call.child("arguments").and_then(|list| list.named_children().next());
    let Some(module) = argument.filter(|it| is_require && it.is("string")).map(|it| unquoted(it, text)) else { return };
    let mut bind = |name: Node<'_>, member: Option<&str>| {
        let member = member.map(str::to_owned);
        names.insert(name.text(text).to_owned(), Bound { module: module.clone(), member });
    };
    if name.is("identifier") {
        return bind(name, property.map(|property| property.text(text)));
    }
    for part in name.named_children() {
        match part.kind() {
            "shorthand_property_identifier_pattern" => bind(part, Some(part.text(text))),
            "pair_pattern" => {
                if let (Some(key), Some(value)) = (part.child("key"), part.child("value")) {
                    bind(value, Some(key.text(text)));
                }
            }
            _ => {}
        }
    }
}

/// Returns the content of a string literal.
fn unquoted(literal: Node<'_>, text: &str) -> String {
    literal.text(text).trim_matches(['"', '\'', '`']).to_owned()
}
