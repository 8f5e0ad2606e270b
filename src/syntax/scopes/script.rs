//! The scopes of a TypeScript or JavaScript text (ECMA-262 § 9.1, and TypeScript's three name spaces).

use crate::syntax::{DeclarationKind, Node, Site, Tree, site, tree::is_identifier_kind};

use super::graph::{Graph, Meanings, Occurrence, Role, ScopeKind};

pub(super) fn build(tree: &Tree, text: &str) -> Graph {
    let nodes = tree.nodes();
    let opened = vec![None; nodes.len()];
    let mut build = Build { graph: Graph::default(), scope_of: vec![0; nodes.len()], opened, text };
    build.graph.open(ScopeKind::Module, None);
    for node in nodes.iter() {
        build.visit(node);
        if node.is_named() && node.is_leaf() && is_identifier_kind(node.kind(), tree.language()) {
            build.name(node);
        }
    }
    build.graph
}

struct Build<'t> {
    graph: Graph,
    /// The scope that each node is evaluated in.
    scope_of: Vec<usize>,
    opened: Vec<Option<Opened>>,
    text: &'t str,
}

/// The scopes that one node makes.
#[derive(Debug, Clone, Copy)]
struct Opened {
    /// Where the node itself stands.
    outside: usize,
    /// Where the own name of a function or class expression is bound.
    name: usize,
    /// Where parameters and type parameters are bound.
    head: usize,
    body: usize,
}

const VALUE: Meanings = Meanings::VALUE;
const TYPE: Meanings = Meanings::TYPE;

impl Build<'_> {
    fn visit(&mut self, node: Node<'_>) {
        if let Some(parent) = node.parent() {
            self.scope_of[node.index()] = self.scope_in(parent, node);
        }
        let Some(kind) = opens(node) else { return };
        let outside = self.scope_of[node.index()];
        let is_expression = node.is_any(&["function_expression", "generator_function", "class"]);
        let has_own_name = is_expression && node.child("name").is_some();
        let name = if has_own_name { self.graph.open(ScopeKind::Annotation, Some(outside)) } else { outside };
        let has_body = kind == ScopeKind::Function && node.child("body").is_some() && !is_namespace(node);
        let head_kind = if has_body { ScopeKind::Annotation } else { kind };
        let head = self.graph.open(head_kind, Some(name));
        let body = if has_body { self.graph.open_body(head) } else { head };
        self.opened[node.index()] = Some(Opened { outside, name, head, body });
    }

    /// Returns the scope that `parent` gives its child.
    fn scope_in(&self, parent: Node<'_>, child: Node<'_>) -> usize {
        let Some(opened) = self.opened[parent.index()] else { return self.scope_of[parent.index()] };
        match (parent.kind(), child.field()) {
            ("index_signature", _) => opened.head,
            ("conditional_type", Some("left" | "alternative")) => opened.outside,
            ("function_expression" | "generator_function" | "class", Some("name")) => opened.name,
            (_, Some("name")) => opened.outside,
            (_, Some("decorator")) => opened.outside,
            (_, Some("body")) => opened.body,
            _ => opened.head,
        }
    }

    fn name(&mut self, node: Node<'_>) {
        if node.span().is_empty() {
            return;
        }
        let (role, meanings) = match site::script::of(node, self.text) {
            Site::Declaration(kind) => match bound_meanings(kind, node) {
                Some(meanings) => (bind(kind, node), meanings),
                None => return,
            },
            Site::ShorthandPattern => match site::script::pattern(node) {
                Some(kind) => (bind(kind, node), VALUE),
                None => (Role::Reference, VALUE),
            },
            Site::ImportSpecifier { .. } => (bind(DeclarationKind::Import, node), Meanings::ALL),
            Site::ImportAlias { .. } | Site::DefaultImport { .. } | Site::NamespaceImport { .. } => {
                (bind(DeclarationKind::ImportAlias, node), Meanings::ALL)
            }
            Site::ExportSpecifier { module: None } | Site::ExportedName { module: None, .. } => {
                (Role::Reference, Meanings::ALL)
            }
            Site::ShorthandProperty => (Role::Reference, VALUE),
            Site::Plain => match used_meanings(node, self.text) {
                Some(meanings) => (Role::Reference, meanings),
                None => return,
            },
            _ => return,
        };
        let scope = match self.scope_of[node.index()] {
            scope if is_hoisted(node, role) => self.hoisted(scope),
            scope if is_inferred(node) => self.condition(node).unwrap_or(scope),
            scope => scope,
        };
        self.graph.occurrences.push(Occurrence { span: node.span(), scope, role, meanings });
    }

    fn condition(&self, inferred: Node<'_>) -> Option<usize> {
        let mut inner = inferred;
        for outer in inferred.ancestors() {
            if outer.is("conditional_type") && inner.field() == Some("right") {
                return self.opened[outer.index()].map(|opened| opened.head);
            }
            inner = outer;
        }
        None
    }

    fn hoisted(&self, scope: usize) -> usize {
        let is_home = |scope: &usize| matches!(self.graph.kind(*scope), ScopeKind::Function | ScopeKind::Module);
        self.graph.outward(scope).find(is_home).unwrap_or(0)
    }
}

/// `infer Name` binds in the conditional type around it, however deep it stands behind `extends`.
fn is_inferred(node: Node<'_>) -> bool {
    node.parent().is_some_and(|outer| outer.is("infer_type") && outer.named_children().next() == Some(node))
}

fn is_namespace(node: Node<'_>) -> bool {
    node.is_any(&["internal_module", "module", "class_static_block"])
}

fn opens(node: Node<'_>) -> Option<ScopeKind> {
    if node.is_leaf() || !node.is_named() {
        return None;
    }
    match node.kind() {
        "function_declaration" | "function_expression" | "generator_function" | "generator_function_declaration" => {
            Some(ScopeKind::Function)
        }
        "arrow_function" | "method_definition" | "class_static_block" | "function_signature" => {
            Some(ScopeKind::Function)
        }
        "internal_module" | "module" => Some(ScopeKind::Function),
        "method_signature" | "abstract_method_signature" | "call_signature" | "construct_signature" => {
            Some(ScopeKind::Function)
        }
        "function_type" | "constructor_type" => Some(ScopeKind::Function),
        "class_declaration" | "abstract_class_declaration" | "class" => Some(ScopeKind::Class),
        "interface_declaration" | "type_alias_declaration" | "conditional_type" => Some(ScopeKind::Annotation),
        "index_signature" | "enum_declaration" => Some(ScopeKind::Annotation),
        "for_statement" | "for_in_statement" | "catch_clause" | "switch_body" => Some(ScopeKind::Block),
        // `declare global { … }`
        "statement_block" if node.parent().is_some_and(|outer| outer.is("ambient_declaration")) => {
            Some(ScopeKind::Function)
        }
        "statement_block" if !is_body(node) => Some(ScopeKind::Block),
        _ => None,
    }
}

/// The block of a function, a `catch` or a namespace is no scope beside theirs.
fn is_body(block: Node<'_>) -> bool {
    const OWNERS: &[&str] = &[
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
        "class_static_block",
        "internal_module",
        "module",
        "catch_clause",
    ];
    block.field() == Some("body") && block.parent().is_some_and(|outer| outer.is_any(OWNERS))
}

/// Returns the name spaces that a declaration fills; nothing for what no scope holds.
fn bound_meanings(kind: DeclarationKind, node: Node<'_>) -> Option<Meanings> {
    match kind {
        DeclarationKind::Class | DeclarationKind::Enum => Some(VALUE.and(TYPE).and(Meanings::NAMESPACE)),
        DeclarationKind::Interface | DeclarationKind::TypeAlias | DeclarationKind::TypeParameter => Some(TYPE),
        DeclarationKind::Namespace if is_first_name(node) => Some(VALUE.and(Meanings::NAMESPACE)),
        DeclarationKind::ImportAlias => Some(Meanings::ALL),
        DeclarationKind::Function | DeclarationKind::Variable | DeclarationKind::Constant => Some(VALUE),
        DeclarationKind::Parameter | DeclarationKind::EnumMember => Some(VALUE),
        _ => None,
    }
}

/// Of `namespace a.b.c`, only `a` is bound in the scope around.
fn is_first_name(node: Node<'_>) -> bool {
    let mut inner = node;
    for outer in node.ancestors().take_while(|outer| outer.is("nested_identifier")) {
        if inner.field() == Some("property") {
            return false;
        }
        inner = outer;
    }
    true
}

/// Returns the name spaces in which a use looks its name up; nothing for what no scope holds.
fn used_meanings(node: Node<'_>, text: &str) -> Option<Meanings> {
    let parent = node.parent()?;
    match parent.kind() {
        _ if node.is("statement_identifier") || node.is("private_property_identifier") => None,
        _ if node.is("property_identifier") => None,
        "nested_type_identifier" => Some(Meanings::NAMESPACE),
        "nested_identifier" if in_alias(parent) => Some(Meanings::NAMESPACE),
        "nested_identifier" if parent.ancestors().any(|outer| outer.is("nested_type_identifier")) => {
            Some(Meanings::NAMESPACE)
        }
        "import_alias" | "export_statement" => Some(Meanings::ALL),
        // A lower-case tag is an element of the page, not a name of the program.
        "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element" if is_element(node.text(text)) => {
            None
        }
        // `class A extends B` reads a value, and inherits a type.
        "extends_clause" => Some(VALUE),
        _ if node.is("type_identifier") => Some(TYPE),
        _ => Some(VALUE),
    }
}

fn in_alias(nested: Node<'_>) -> bool {
    let top = nested.ancestors().find(|outer| !outer.is("nested_identifier"));
    top.is_some_and(|top| top.is("import_alias"))
}

fn is_element(name: &str) -> bool {
    name.starts_with(|first: char| first.is_lowercase()) || name.contains('-')
}

fn bind(kind: DeclarationKind, node: Node<'_>) -> Role {
    Role::Binding { kind, from: node.start() }
}

/// `var` is bound in the whole function (ECMA-262 § 14.3.2).
fn is_hoisted(node: Node<'_>, role: Role) -> bool {
    if !matches!(role, Role::Binding { kind: DeclarationKind::Variable, .. }) {
        return false;
    }
    let holder = node.ancestors().find(|outer| {
        outer.is_any(&[
            "variable_declaration",
            "lexical_declaration",
            "for_in_statement",
            "catch_clause",
            "statement_block",
        ])
    });
    match holder {
        Some(head) if head.is("for_in_statement") => head.child("kind").is_some_and(|kind| kind.kind() == "var"),
        Some(holder) => holder.is("variable_declaration"),
        None => false,
    }
}
