//! A file as the frameworks look at it, and what they find in it.

use std::collections::BTreeMap;

use crate::audit::entrypoints::rows::ProgramRow;
use crate::audit::program::Bound;
use crate::audit::sources::Source;
use crate::audit::written::{code_of, one_line};
use crate::syntax::{FunctionSite, Node};

/// A file as the frameworks look at it.
pub(in crate::audit::entrypoints) struct File<'s> {
    pub source: &'s Source,
    pub sites: Vec<FunctionSite>,
    pub imports: BTreeMap<String, Bound>,
}

/// One function that something outside calls.
pub(in crate::audit::entrypoints) struct Found {
    pub kind: &'static str,
    pub framework: Option<&'static str>,
    pub trigger: Option<String>,
    pub handler: Handler,
}

/// The function that answers.
pub(in crate::audit::entrypoints) enum Handler {
    /// The number of its node.
    Node(usize),
    /// Its name as it is written, and where.
    Named(String, usize),
}

pub(in crate::audit::entrypoints) const ROUTE: &str = "http_route";

pub(in crate::audit::entrypoints) const COMMAND: &str = "cli_command";

pub(in crate::audit::entrypoints) const EVENT: &str = "event_handler";

pub(in crate::audit::entrypoints) const LAMBDA: &str = "lambda";

pub(in crate::audit::entrypoints) const EXPORT: &str = "export";

impl<'s> File<'s> {
    pub(in crate::audit::entrypoints) fn of(source: &'s Source) -> Self {
        let sites = crate::syntax::functions(source.tree(), source.text());
        Self { source, sites, imports: crate::audit::program::bound_names(source) }
    }

    pub(in crate::audit::entrypoints) fn text(&self) -> &'s str {
        self.source.text()
    }

    pub(in crate::audit::entrypoints) fn nodes(&self) -> impl Iterator<Item = Node<'s>> {
        self.source.tree().nodes().iter()
    }

    /// Tells whether the file imports a package, or something below it.
    pub(in crate::audit::entrypoints) fn imports_from(&self, package: &str) -> bool {
        self.imports.values().any(|bound| {
            let rest = bound.module.strip_prefix(package);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        })
    }

    /// Returns the handler that an expression is: a function, or the name of one.
    pub(in crate::audit::entrypoints) fn handler(&self, node: Node<'_>) -> Option<Handler> {
        match node.kind() {
            _ if crate::syntax::is_any_function(node) => Some(Handler::Node(node.index())),
            "identifier" | "member_expression" | "attribute" => {
                Some(Handler::Named(node.text(self.text()).to_owned(), node.start()))
            }
            // What wraps a handler: `asyncHandler(f)`, `f.bind(this)`, `View.as_view()`.
            "call_expression" | "call" => {
                let inner = node.child("arguments").into_iter().flat_map(Node::named_children);
                let function = inner.filter(|argument| crate::syntax::is_any_function(*argument)).last();
                function
                    .map(|function| Handler::Node(function.index()))
                    .or_else(|| self.handler(node.child("function")?))
            }
            _ => None,
        }
    }

    /// Makes the row of what was found.
    pub(in crate::audit::entrypoints) fn row(&self, found: Found) -> ProgramRow {
        let site = match &found.handler {
            Handler::Node(node) => self.sites.iter().find(|site| site.node == *node),
            Handler::Named(name, _) => self.sites.iter().find(|site| site.owners.is_empty() && site.name == *name),
        };
        let at = match (&found.handler, site) {
            (_, Some(site)) => site.at,
            (Handler::Named(_, at), None) => *at,
            (Handler::Node(node), None) => self.source.tree().nodes().get(*node).map_or(0, Node::start),
        };
        let name = match (&found.handler, site) {
            (_, Some(site)) => site.name.clone(),
            (Handler::Named(name, _), None) => name.clone(),
            (Handler::Node(_), None) => "<anonymous>".to_owned(),
        };
        ProgramRow {
            file: self.source.name().to_owned(),
            kind: found.kind,
            framework: found.framework,
            trigger: found.trigger,
            class: site.filter(|site| !site.owners.is_empty()).map(|site| site.owners.join(".")),
            name,
            signature: self.signature(&found.handler, site),
            decorators: site.map(|site| self.decorators(site)).unwrap_or_default(),
            location: self.source.location(at),
        }
    }

    fn signature(&self, handler: &Handler, site: Option<&FunctionSite>) -> String {
        let node = match (handler, site) {
            (_, Some(site)) => Some(site.node),
            (Handler::Node(node), None) => Some(*node),
            (Handler::Named(..), None) => None,
        };
        let node = node.and_then(|node| self.source.tree().nodes().get(node));
        let parameters = node.and_then(|node| node.child("parameters").or_else(|| node.child("parameter")));
        let written = parameters.map(|it| code_of(it, self.text())).unwrap_or_default();
        let written = if written.starts_with('(') || written.is_empty() { written } else { format!("({written})") };
        match (handler, site) {
            (_, Some(site)) => format!("{}{written}", site.name),
            (Handler::Named(name, _), None) => name.clone(),
            (Handler::Node(_), None) => written,
        }
    }

    fn decorators(&self, site: &FunctionSite) -> String {
        let Some(node) = self.source.tree().nodes().get(site.node) else { return String::new() };
        decorators(node).map(|it| code_of(it, self.text())).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the decorators of a class, a method or a function.
pub(in crate::audit) fn decorators(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    // Python wraps what is decorated; TypeScript writes a method's decorators before it in the class's body.
    let wrapper = node.parent().filter(|outer| outer.is_any(&["decorated_definition", "export_statement"]));
    let wrapped = wrapper.into_iter().flat_map(Node::children).filter(|child| child.is("decorator"));
    let own = node.children().filter(|child| child.is("decorator"));
    let mut before: Vec<Node<'_>> = Vec::new();
    if let Some(body) = node.parent().filter(|outer| outer.is("class_body")) {
        for child in body.named_children().take_while(|child| *child != node) {
            if child.is("decorator") { before.push(child) } else { before.clear() }
        }
    }
    wrapped.chain(own).chain(before)
}

/// Returns a call's function and arguments, whatever the grammar calls it.
pub(in crate::audit::entrypoints) fn call<'t>(node: Node<'t>) -> Option<(Node<'t>, Vec<Node<'t>>)> {
    if !node.is_any(&["call_expression", "call"]) {
        return None;
    }
    let arguments = node.child("arguments")?;
    Some((node.child("function")?, arguments.named_children().collect()))
}

/// Splits `object.name`.
pub(in crate::audit::entrypoints) fn member<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let object = node.child("object")?;
    Some((object, node.child("property").or_else(|| node.child("attribute"))?))
}

/// Returns the content of a string literal, or a pattern as it is written; nothing for other expressions.
pub(in crate::audit::entrypoints) fn literal(node: Node<'_>, text: &str) -> Option<String> {
    match node.kind() {
        "string" | "template_string" => {
            let written = node.text(text).trim_start_matches(['r', 'R', 'b', 'f', 'u']);
            Some(written.trim_matches(['"', '\'', '`']).to_owned())
        }
        "regex" => Some(node.text(text).to_owned()),
        "array" => Some(one_line(node.text(text))),
        _ => None,
    }
}

/// Returns the value of a keyword argument, or of a key of an object.
pub(in crate::audit::entrypoints) fn keyword<'t>(arguments: &[Node<'t>], name: &str, text: &str) -> Option<Node<'t>> {
    let of_python = arguments
        .iter()
        .find(|it| it.is("keyword_argument") && it.child("name").is_some_and(|it| it.text(text) == name));
    of_python.and_then(|it| it.child("value"))
}
