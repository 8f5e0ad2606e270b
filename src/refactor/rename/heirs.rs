//! The heirs of a class of Python: as its name tells them, where it can have no others, since servers go through the whole
//! project to find them.

use std::collections::BTreeSet;

use super::forward_references::is_python;
use super::hierarchy::{Hierarchy, LocatedClass};
use crate::lsp::{Location, Place};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{AbsPath, Span};
use crate::workspace::locked;

/// Calls that ask for a class and give none on.
const ASKING: [&str; 2] = ["isinstance", "issubclass"];
/// What an expression can stand in without giving its value a name.
const ENDS: [&str; 7] = [
    "expression_statement",
    "assert_statement",
    "raise_statement",
    "if_statement",
    "elif_clause",
    "while_statement",
    "except_clause",
];
/// What gives a value a name, or gives it on.
const NAMING: [&str; 8] = [
    "assignment",
    "augmented_assignment",
    "named_expression",
    "default_parameter",
    "typed_default_parameter",
    "lambda",
    "yield",
    "decorator",
];

/// What the name of a class is used for at a place.
enum Use<'t> {
    /// The class stands among the bases of this one.
    Base(Node<'t>),
    /// No other class can have it as a base for that.
    Harmless,
    /// It may get another name, or be a base by way of a value.
    Anything,
}

impl Hierarchy<'_> {
    /// The heirs of a class that are the project's: as its name tells them, or else as a server does.
    pub(super) async fn heirs(&self, class: &LocatedClass) -> Result<Vec<LocatedClass>, Refusal> {
        let mut found: Vec<LocatedClass> = Vec::new();
        let mut seen = BTreeSet::from([class.place()]);
        let mut open = vec![class.clone()];
        while let Some(base) = open.pop() {
            let Some(next) = self.next_heirs(&base).await? else { return self.heirs_by_server(class).await };
            for heir in next {
                if seen.insert(heir.place()) {
                    open.push(heir.clone());
                    found.push(heir);
                }
            }
        }
        Ok(found)
    }

    /// The classes that have a class among their bases; nothing where its name does not tell them.
    async fn next_heirs(&self, base: &LocatedClass) -> Result<Option<Vec<LocatedClass>>, Refusal> {
        if let Some(known) = locked(&self.next_heirs).get(&base.place()) {
            return Ok(known.clone());
        }
        // Who satisfies a protocol need not say its name.
        let is_told = !base.class.is_protocol && base.path.is_below(self.session.root());
        let declared = (&base.path, base.class.name_span);
        let named = if is_told { direct_heirs(self.session, &base.class.name, declared)? } else { None };
        let mut found = Vec::new();
        for (path, span) in named.iter().flatten().cloned() {
            let Some(heir) = self.class_at(&Location { path, span })? else { continue };
            if self.is_kin(Some(base), Some(&heir)).await? {
                found.push(heir);
            }
        }
        let next = named.map(|_| found);
        locked(&self.next_heirs).insert(base.place(), next.clone());
        Ok(next)
    }

    async fn heirs_by_server(&self, class: &LocatedClass) -> Result<Vec<LocatedClass>, Refusal> {
        let place = Place { path: class.path.clone(), offset: class.class.name_span.start };
        let mut found = Vec::new();
        for location in self.implementations(&place).await? {
            let Some(heir) = self.class_at(&location)?.filter(|_| location.path.is_below(self.session.root())) else {
                continue;
            };
            if self.is_kin(Some(class), Some(&heir)).await? {
                found.push(heir);
            }
        }
        Ok(found)
    }
}

/// Returns the names' places of the classes that have a class among their bases; nothing where there may be others.
pub(crate) fn direct_heirs(
    session: &Session,
    name: &str,
    declared: (&AbsPath, Span),
) -> Result<Option<Vec<(AbsPath, Span)>>, Refusal> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(name) {
        if !is_python(&path) {
            continue;
        }
        // What cannot be read may say anything.
        let Some(parsed) = session.parsed(&path)? else { return Ok(None) };
        let text = parsed.text.as_str();
        for span in parsed.tree.identifiers_named(text, name) {
            if (&path, span) == declared {
                continue;
            }
            match used(parsed.tree.nodes().covering(span), text) {
                Use::Base(class) => found.extend(class.child("name").map(|name| (path.clone(), name.span()))),
                Use::Harmless => {}
                Use::Anything => return Ok(None),
            }
        }
    }
    Ok(Some(found))
}

fn used<'t>(name: Node<'t>, text: &str) -> Use<'t> {
    let Some(parent) = name.parent() else { return Use::Anything };
    let is_child = |of: &str| parent.child(of).is_some_and(|child| child.span() == name.span());
    let harmless = |is_so: bool| if is_so { Use::Harmless } else { Use::Anything };
    match parent.kind() {
        // An object is made, a member is asked for; `module.Name` is the class itself.
        "call" if is_child("function") => Use::Harmless,
        "attribute" if is_child("object") => Use::Harmless,
        "attribute" => used(parent, text),
        "subscript" if is_child("value") => used(parent, text),
        "class_definition" | "function_definition" => harmless(is_child("name")),
        "dotted_name" => {
            let imports = ["import_from_statement", "import_statement"];
            harmless(parent.parent().is_some_and(|outer| outer.is_any(&imports)))
        }
        "type" => harmless(!parent.ancestors().any(|outer| outer.is("type_alias_statement"))),
        "argument_list" => {
            let outer = parent.parent();
            let called = outer.and_then(|call| call.child("function"));
            match outer.filter(|outer| outer.is("class_definition")) {
                Some(class) => Use::Base(class),
                None if called.is_some_and(|called| ASKING.contains(&called.text(text))) => Use::Harmless,
                None => harmless(!is_given_on(parent)),
            }
        }
        _ => harmless(!is_given_on(name)),
    }
}

/// Tells whether the value of an expression around a node may get a name.
fn is_given_on(node: Node<'_>) -> bool {
    let mut around = node.ancestors().skip_while(|outer| outer.span() == node.span() && !outer.is_any(&NAMING));
    around.find_map(|outer| match () {
        () if outer.is_any(&NAMING) => Some(true),
        () if outer.is_any(&ENDS) => Some(false),
        // A class or a function around it, whose head it is in, a loop, a `return`, a `with`, …
        () if outer.kind().ends_with("_statement") || outer.kind().ends_with("_definition") => Some(true),
        () => None,
    }) != Some(false)
}
