//! The scopes of a Python text (Python reference § 4.2, PEP 572, PEP 695).

use crate::syntax::{DeclarationKind, Node, Site, Tree, site};

use super::graph::{Graph, Meanings, Occurrence, Role, ScopeKind};

pub(super) fn build(tree: &Tree) -> Graph {
    let nodes = tree.nodes();
    let mut build = Build { graph: Graph::default(), scope_of: vec![0; nodes.len()], opened: vec![None; nodes.len()] };
    build.graph.open(ScopeKind::Module, None);
    for node in nodes.iter() {
        build.visit(node);
    }
    build.graph
}

struct Build {
    graph: Graph,
    /// The scope that each node is evaluated in.
    scope_of: Vec<usize>,
    opened: Vec<Option<Opened>>,
}

/// The scopes that one node makes.
#[derive(Debug, Clone, Copy)]
struct Opened {
    /// Where the node itself stands.
    outside: usize,
    /// Where its annotations and type parameters are.
    head: usize,
    body: usize,
}

impl Build {
    fn visit(&mut self, node: Node<'_>) {
        if let Some(parent) = node.parent() {
            self.scope_of[node.index()] = self.scope_in(parent, node);
        }
        if let Some((kind, has_head)) = opens(node) {
            let outside = self.scope_of[node.index()];
            let head = if has_head { self.graph.open(ScopeKind::Annotation, Some(outside)) } else { outside };
            let body = self.graph.open(kind, Some(head));
            self.opened[node.index()] = Some(Opened { outside, head, body });
        }
        if node.is("identifier") && !node.span().is_empty() {
            self.name(node);
        }
    }

    /// Returns the scope that `parent` gives its child.
    fn scope_in(&self, parent: Node<'_>, child: Node<'_>) -> usize {
        let around = self.scope_of[parent.index()];
        let Some(opened) = self.opened[parent.index()] else { return self.scope_in_parts(parent, child, around) };
        match (parent.kind(), child.field()) {
            (_, Some("name")) => opened.outside,
            (_, Some("type_parameters" | "superclasses" | "return_type")) => opened.head,
            ("type_alias_statement", Some("left")) => opened.head,
            _ => opened.body,
        }
    }

    /// Parameters belong to the function, their defaults and annotations to what is around it; so does
    /// the first iterable of a comprehension.
    fn scope_in_parts(&self, parent: Node<'_>, child: Node<'_>, around: usize) -> usize {
        let owner = || parent.ancestors().take(2).find_map(|node| self.opened[node.index()]);
        match (parent.kind(), child.field()) {
            ("default_parameter" | "typed_default_parameter", Some("value")) => {
                owner().map_or(around, |opened| opened.outside)
            }
            ("typed_parameter" | "typed_default_parameter", Some("type")) => {
                owner().map_or(around, |opened| opened.head)
            }
            ("for_in_clause", Some("right")) if is_first_clause(parent) => {
                owner().map_or(around, |opened| opened.outside)
            }
            _ => around,
        }
    }

    fn name(&mut self, node: Node<'_>) {
        let scope = self.scope_of[node.index()];
        let is_attribute = node.field() == Some("attribute");
        let role = match site::python::of(node) {
            Site::Declaration(_) if is_attribute => return,
            Site::Declaration(kind) => bind(kind, node),
            Site::ImportSpecifier { module: None } => return,
            Site::ImportSpecifier { .. } => bind(DeclarationKind::Import, node),
            Site::ImportAlias { .. } => bind(DeclarationKind::ImportAlias, node),
            Site::ModuleSpecifier { .. } if is_package_name(node) => bind(DeclarationKind::Import, node),
            Site::Plain => plain(node),
            _ => return,
        };
        let scope = if is_alias_name(node) { self.outside_of_alias(node) } else { self.bound_in(scope, node) };
        self.graph.occurrences.push(Occurrence { span: node.span(), scope, role, meanings: Meanings::VALUE });
    }

    /// `:=` binds outside of the comprehensions around it (PEP 572).
    fn bound_in(&self, scope: usize, node: Node<'_>) -> usize {
        let is_walrus =
            node.field() == Some("name") && node.parent().is_some_and(|parent| parent.is("named_expression"));
        if !is_walrus {
            return scope;
        }
        self.graph.outward(scope).find(|scope| self.graph.kind(*scope) != ScopeKind::Comprehension).unwrap_or(scope)
    }

    fn outside_of_alias(&self, name: Node<'_>) -> usize {
        name.ancestors().take(4).find_map(|node| self.opened[node.index()]).map_or(0, |opened| opened.outside)
    }
}

/// Returns the kind of scope that a node makes, and whether its type parameters have one of their own.
fn opens(node: Node<'_>) -> Option<(ScopeKind, bool)> {
    match node.kind() {
        "function_definition" => Some((ScopeKind::Function, node.child("type_parameters").is_some())),
        "class_definition" => Some((ScopeKind::Class, node.child("type_parameters").is_some())),
        "lambda" if node.is_named() && !node.is_leaf() => Some((ScopeKind::Function, false)),
        "list_comprehension" | "set_comprehension" | "dictionary_comprehension" | "generator_expression" => {
            Some((ScopeKind::Comprehension, false))
        }
        "type_alias_statement" => Some((ScopeKind::Annotation, false)),
        _ => None,
    }
}

fn is_first_clause(clause: Node<'_>) -> bool {
    let first = clause.parent().and_then(|outer| outer.child_of_kind("for_in_clause"));
    first == Some(clause)
}

/// `import a.b` binds `a`.
fn is_package_name(node: Node<'_>) -> bool {
    let dotted = node.parent().filter(|dotted| dotted.named_children().next() == Some(node));
    dotted.and_then(Node::parent).is_some_and(|outer| outer.is("import_statement"))
}

/// The name in `type Name[T] = …` is bound around the alias, its parameters inside.
fn is_alias_name(node: Node<'_>) -> bool {
    matches!(site::python::of(node), Site::Declaration(DeclarationKind::TypeAlias))
}

fn plain(node: Node<'_>) -> Role {
    let holder =
        node.ancestors().find(|outer| !outer.is_any(&["expression_list", "tuple", "parenthesized_expression"]));
    match (holder.map(Node::kind), node.parent().map(Node::kind)) {
        (_, Some("global_statement")) => Role::Global,
        (_, Some("nonlocal_statement")) => Role::Nonlocal,
        // `del name` makes the name local, as an assignment does.
        (Some("delete_statement"), _) => Role::Binding { kind: DeclarationKind::Variable, from: node.end() },
        _ => Role::Reference,
    }
}

fn bind(kind: DeclarationKind, node: Node<'_>) -> Role {
    Role::Binding { kind, from: site::python::bound_from(node) }
}
