//! How a module of CommonJS hands out what it declares, key by key: `module.exports = { total }`, `exports.total = total`.

use std::collections::BTreeSet;

use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, VARIABLES};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span};

/// One thing that a module hands out under a name.
pub(crate) struct ExportKey<'c> {
    /// The item of a literal, or the statement.
    pub node: Node<'c>,
    pub key: &'c str,
    /// What it is the value of, where that is a name of the file and nothing more.
    pub value: Option<Node<'c>>,
}

/// All that a module hands out, as statements at its top say it.
#[derive(Default)]
pub(crate) struct ExportKeys<'c> {
    pub keys: Vec<ExportKey<'c>>,
    /// The object that holds keys, and the statement that hands it out.
    pub literal: Option<(Node<'c>, Node<'c>)>,
    /// The variable that stands for the object, where one does.
    pub variable: Option<&'c str>,
    /// What is handed out in place of an object of names.
    pub whole: Option<Node<'c>>,
    /// What names are assigned to, the first time that one is: `exports`, `module.exports`.
    pub object: Option<&'c str>,
}

impl<'c> ExportKeys<'c> {
    pub(crate) fn of(code: &'c Code) -> Self {
        let mut found = Self::default();
        if code.family() != Family::Script {
            return found;
        }
        for statement in code.root().named_children().filter(|it| it.is("expression_statement")) {
            let assignment = statement.named_children().next().filter(|it| it.is("assignment_expression"));
            if let Some(assignment) = assignment {
                found.read(code, (statement, assignment));
            }
        }
        found
    }

    /// Returns the key by which a name of the file is handed out that stands at a place.
    pub(crate) fn at(&self, name: Span) -> Option<&ExportKey<'c>> {
        self.keys.iter().find(|one| one.value.is_some_and(|value| value.span() == name))
    }

    /// Writes what the module itself says for what it hands out by a key: the name that it has for it, or `exports.total`.
    pub(crate) fn said_inside(&self, code: &Code, key: &str) -> Option<String> {
        let one = self.keys.iter().find(|one| one.key == key)?;
        if let Some(value) = one.value {
            return Some(value.text(code.text()).to_owned());
        }
        let is_listed = self.literal.is_some_and(|(object, _)| object.holds(one.node));
        let object =
            if is_listed { self.variable.unwrap_or("module.exports") } else { self.object.unwrap_or("exports") };
        Some(format!("{object}.{key}"))
    }

    /// Tells whether nothing but names of the file is handed out by a statement.
    pub(crate) fn is_plain(&self, statement: Node<'_>) -> bool {
        match self.literal.filter(|(_, outer)| *outer == statement) {
            Some((object, _)) => object
                .named_children()
                .all(|item| item.is("comment") || self.keys.iter().any(|one| one.node == item && one.value.is_some())),
            None => self.keys.iter().any(|one| one.node == statement && one.value.is_some()),
        }
    }

    /// Tells whether a variable stands for the object, and does nothing but hand it out.
    pub(crate) fn is_object_alone(&self, code: &Code) -> bool {
        self.variable.zip(self.literal).is_some_and(|(name, (_, statement))| {
            code.parsed().tree.identifiers_named(code.text(), name).len() == 2 && self.is_plain(statement)
        })
    }

    fn read(&mut self, code: &'c Code, (statement, assignment): (Node<'c>, Node<'c>)) {
        let text = code.text();
        let mut value = assignment.child("right");
        let mut is_whole = is_whole(code, assignment);
        while let Some(inner) = value.filter(|it| it.is("assignment_expression")) {
            is_whole |= self::is_whole(code, inner);
            value = inner.child("right");
        }
        let Some(value) = value else { return };
        if !is_whole {
            let Some(own) = exported_member(code, assignment) else { return };
            let is_name = value.is("identifier") && assignment.child("right") == Some(value);
            self.object =
                self.object.or(assignment.child("left").and_then(|it| it.child("object")).map(|it| it.text(text)));
            let key = own.of(text).unwrap_or_default();
            self.keys.push(ExportKey { node: statement, key, value: Some(value).filter(|_| is_name) });
            return;
        }
        let named = || declared_object(code, value.text(text)).filter(|_| value.is("identifier"));
        match Some(value).filter(|it| it.is("object")).or_else(named) {
            Some(object) => {
                self.variable = value.is("identifier").then(|| value.text(text));
                self.literal = Some((object, statement));
                self.keys.extend(object.named_children().filter_map(|item| read_item(code, item)));
            }
            None => self.whole = Some(value),
        }
    }
}

/// Returns the name by which a statement makes something and hands it out at once, and what it assigns to:
/// `exports.total = function (order) { … }`.
pub(crate) fn exported_assignment<'c>(code: &Code, statement: Node<'c>) -> Option<(Node<'c>, Node<'c>)> {
    const TAKEN: &[&str] = &["identifier", "assignment_expression", "member_expression"];
    let assignment = statement.named_children().next().filter(|it| it.is("assignment_expression"))?;
    exported_member(code, assignment).filter(|_| statement.is("expression_statement"))?;
    let (left, value) = (assignment.child("left")?, assignment.child("right")?);
    let requires = value.child("function").is_some_and(|it| it.text(code.text()) == "require");
    (!value.is_any(TAKEN) && !requires).then_some((left.child("property")?, left))
}

fn read_item<'c>(code: &'c Code, item: Node<'c>) -> Option<ExportKey<'c>> {
    let text = code.text();
    match item.kind() {
        "shorthand_property_identifier" => Some(ExportKey { node: item, key: item.text(text), value: Some(item) }),
        "pair" | "method_definition" => {
            let key = item.child("key").or_else(|| item.child("name"))?.text(text).trim_matches(['"', '\'']);
            Some(ExportKey { node: item, key, value: item.child("value").filter(|it| it.is("identifier")) })
        }
        _ => None,
    }
}

/// Returns the literal that a variable at the top of the file is given: `const api = { total }`.
fn declared_object<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    let declarations = code.root().named_children().filter(|it| it.kind().ends_with("_declaration"));
    let mut all = declarations.flat_map(Node::named_children).filter(|it| it.is("variable_declarator"));
    let declarator = all.find(|it| it.child("name").is_some_and(|own| own.text(code.text()) == name))?;
    declarator.child("value").filter(|it| it.is("object"))
}

/// Tells whether a script says that it is a module of CommonJS, as it is called, or hands something out, or takes something;
/// nothing of one that says neither that nor that it is an ES module.
pub(crate) fn says_commonjs(code: &Code) -> Option<bool> {
    const OTHER: &[&str] = &["import_statement", "export_statement"];
    let top = || code.root().named_children();
    if code.family() != Family::Script || code.path.extension() == "mjs" || top().any(|it| it.is_any(OTHER)) {
        return Some(false);
    }
    let is_one = || match code.is_typed_script() {
        true => top().any(|it| is_export(code, it) || required_source(code, it).is_some()),
        false => hands_out_within(code) || takes_within(code),
    };
    (code.path.extension() == "cjs" || is_one()).then_some(true)
}

/// Tells whether something is handed out anywhere: `if (typeof module !== "undefined") module.exports = total`.
fn hands_out_within(code: &Code) -> bool {
    let mut assignments = code.root().descendants().filter(|it| it.is("assignment_expression"));
    assignments.any(|it| is_whole(code, it) || exported_member(code, it).is_some())
}

/// Tells whether something is required anywhere.
fn takes_within(code: &Code) -> bool {
    let mut calls = code.root().descendants().filter(|it| it.is("call_expression"));
    calls.any(|call| call.child("function").is_some_and(|it| it.text(code.text()) == "require"))
}

/// Tells whether a statement hands something out.
fn is_export(code: &Code, statement: Node<'_>) -> bool {
    let assignment = statement.named_children().next().filter(|it| it.is("assignment_expression"));
    statement.is("expression_statement")
        && assignment.is_some_and(|it| is_whole(code, it) || exported_member(code, it).is_some())
}

/// Returns the module that a statement takes something from, and does nothing else: `const { total } = require("./shop")`.
pub(crate) fn required_source<'c>(code: &Code, statement: Node<'c>) -> Option<Node<'c>> {
    if !statement.is_any(VARIABLES) {
        return None;
    }
    let mut declarators = statement.named_children().filter(|it| it.is("variable_declarator"));
    let mut value = declarators.next()?.child("value")?;
    if value.is("member_expression") {
        value = value.child("object")?;
    }
    let is_require = value.child("function").is_some_and(|it| it.text(code.text()) == "require");
    let source = value.child("arguments")?.named_children().next().filter(|it| it.is("string"))?;
    (is_require && declarators.next().is_none()).then_some(source)
}

/// Returns the name that an assignment hands something out by: `exports.rate = …`.
pub(crate) fn exported_member(code: &Code, assignment: Node<'_>) -> Option<Span> {
    let left = assignment.child("left").filter(|left| left.is("member_expression"))?;
    let is_exports = matches!(left.child("object")?.text(code.text()), "exports" | "module.exports");
    left.child("property").filter(|_| is_exports && left.text(code.text()) != "module.exports").map(Node::span)
}

pub(super) fn is_whole(code: &Code, assignment: Node<'_>) -> bool {
    assignment.child("left").is_some_and(|left| matches!(left.text(code.text()), "exports" | "module.exports"))
}

/// Returns the keys by which modules hand out what tsserver 6.0 takes for a name, and is another value that is made of it:
/// `low` of `exports.low = rate(LOW)`, where it finds whoever takes that for users of `LOW`.
///
/// # Errors
/// Those of reading.
pub(crate) fn mistaken_keys<'p>(
    session: &Session,
    modules: impl Iterator<Item = &'p AbsPath>,
    name: &str,
) -> Result<BTreeSet<String>, Refusal> {
    let mut keys = BTreeSet::new();
    for path in modules.collect::<BTreeSet<_>>() {
        let code = Code::known(session, path)?;
        keys.extend(made_of(&code, name).into_iter().map(str::to_owned));
    }
    Ok(keys)
}

fn made_of<'c>(code: &'c Code, name: &str) -> BTreeSet<&'c str> {
    let mut keys = BTreeSet::new();
    if !code.text().contains("exports") {
        return keys;
    }
    for span in code.parsed().tree.identifiers_named(code.text(), name) {
        let node = code.covering(span);
        let Some((value, assignment)) = node.parent().and_then(|value| Some((value, value.parent()?))) else {
            continue;
        };
        let is_value = assignment.is("assignment_expression") && assignment.child("right") == Some(value);
        let is_member = value.is("member_expression") && node.field() == Some("property");
        let holder = value.is("arguments").then(|| assignment.parent()).flatten();
        let assignment = match holder.filter(|it| it.is("assignment_expression")) {
            Some(outer) if outer.child("right") == Some(assignment) => outer,
            _ if is_value && !is_member => assignment,
            _ => continue,
        };
        keys.extend(exported_member(code, assignment).and_then(|key| key.of(code.text())).filter(|key| *key != name));
    }
    keys
}
