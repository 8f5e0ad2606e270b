//! Scopes of a Python text: which names they bind, and where names are used.

use std::collections::BTreeMap;

use super::imports::Word;
use super::type_positions::stands_for_type;
use crate::syntax::site::python::bound_from;
use crate::syntax::{Language, Node, Tree};
use crate::text::Span;

/// The scopes and names of one text.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The module's own scope first.
    pub scopes: Vec<Scope>,
    /// Every occurrence of a name outside import statements, in order; bindings included.
    pub uses: Vec<Use>,
}

#[derive(Debug, Clone)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<usize>,
    pub bound: BTreeMap<String, Vec<Binding>>,
    /// Names that `global` (or, as `false`, `nonlocal`) hands to an outer scope.
    outer: BTreeMap<String, bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    Module,
    /// A function or a lambda.
    Function,
    Class,
    Comprehension,
}

/// A place that gives a name to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    pub span: Span,
    /// Whether an import statement does it; the span is then that of the bound word in it.
    pub is_import: bool,
    /// The first place from which the name is bound, in code that runs top down.
    from: usize,
}

/// A name where it stands, with the attributes that follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub name: Word,
    pub members: Vec<Word>,
    pub scope: usize,
    /// Whether the name is bound, rebound or deleted here.
    pub is_store: bool,
}

impl Names {
    /// Finds the scopes and names of a text that was parsed as Python.
    pub fn of(tree: &Tree, text: &str) -> Self {
        let mut walker = Walker { text, names: Self::default(), scope_of: Vec::new(), made: BTreeMap::new() };
        walker.open(ScopeKind::Module, None);
        for node in tree.nodes().iter() {
            walker.visit(node);
        }
        walker.names.uses.sort_by_key(|one| one.name.span);
        walker.names
    }

    /// Returns the scope whose binding a name means where this one is used; nothing for a name that the text does not
    /// bind.
    pub fn resolve(&self, used: &Use, name: &str) -> Option<usize> {
        let mut at = Some(used.scope);
        let mut early = None;
        while let Some(index) = at {
            let one = &self.scopes[index];
            let is_hidden = one.kind == ScopeKind::Class && index != used.scope;
            let is_bound = |binding: &Binding| binding.from <= used.name.span.start;
            // The body of a class that uses a name before it binds it means an outer one, if there is any.
            let runs_down = one.kind == ScopeKind::Class && !is_hidden && !used.is_store;
            if runs_down && one.bound.get(name).is_some_and(|all| !all.iter().any(is_bound)) {
                early = early.or(Some(index));
                at = one.parent;
                continue;
            }
            if !is_hidden && one.outer.get(name) == Some(&true) {
                return Some(0);
            }
            if !is_hidden && one.bound.contains_key(name) && !one.outer.contains_key(name) {
                return Some(index);
            }
            at = one.parent;
        }
        early
    }

    /// Returns the names of the module that are used in annotations written as strings, and in type comments.
    pub fn spelled<'n>(&'n self, tree: &'n Tree) -> impl Iterator<Item = &'n Word> {
        let is_spelled = |one: &&Use| tree.nodes().covering(one.name.span).is_any(&["string_content", "comment"]);
        let of_module = |one: &&Use| self.resolve(one, &one.name.text) == Some(0);
        self.uses.iter().filter(of_module).filter(is_spelled).map(|one| &one.name)
    }

    /// Tells whether `inner` is `outer` or lies in it.
    pub fn lies_in(&self, inner: usize, outer: usize) -> bool {
        std::iter::successors(Some(inner), |index| self.scopes[*index].parent).any(|index| index == outer)
    }
}

struct Walker<'t> {
    text: &'t str,
    names: Names,
    /// Per node the scope that it stands in.
    scope_of: Vec<usize>,
    /// The scopes that nodes opened.
    made: BTreeMap<usize, usize>,
}

enum Role {
    Bound,
    Used,
    /// A name handed to an outer scope.
    Handed {
        globally: bool,
    },
    None,
}

impl Walker<'_> {
    fn open(&mut self, kind: ScopeKind, parent: Option<usize>) -> usize {
        self.names.scopes.push(Scope { kind, parent, bound: BTreeMap::new(), outer: BTreeMap::new() });
        self.names.scopes.len() - 1
    }

    fn visit(&mut self, node: Node<'_>) {
        let scope = self.scope_for(node);
        self.scope_of.push(scope);
        if let Some(kind) = opened_scope(node) {
            let made = self.open(kind, Some(scope));
            self.made.insert(node.index(), made);
        }
        match node.kind() {
            "identifier" if node.is_named() => self.identifier(node, scope),
            "import_statement" | "import_from_statement" | "future_import_statement" if node.is_named() => {
                self.import(node, scope);
            }
            "string" if stands_for_type(node, self.text) => self.annotation(node, scope),
            "comment" => self.type_comment(node, scope),
            _ => {}
        }
    }

    /// Returns the scope in which a node's names are looked up.
    fn scope_for(&self, node: Node<'_>) -> usize {
        let Some(parent) = node.parent() else { return 0 };
        let outer = self.scope_of[parent.index()];
        let field = node.field();
        match parent.kind() {
            "function_definition" | "lambda" if matches!(field, Some("parameters" | "body" | "type_parameters")) => {
                self.made_by(parent).unwrap_or(outer)
            }
            "class_definition" if matches!(field, Some("body" | "type_parameters")) => {
                self.made_by(parent).unwrap_or(outer)
            }
            "default_parameter" | "typed_default_parameter" | "typed_parameter"
                if matches!(field, Some("value" | "type")) =>
            {
                self.names.scopes[outer].parent.unwrap_or(outer)
            }
            "for_in_clause" if field == Some("right") && is_first_clause(parent) => {
                self.names.scopes[outer].parent.unwrap_or(outer)
            }
            _ => self.made_by(parent).filter(|_| is_comprehension(parent)).unwrap_or(outer),
        }
    }

    fn made_by(&self, node: Node<'_>) -> Option<usize> {
        self.made.get(&node.index()).copied()
    }

    fn identifier(&mut self, node: Node<'_>, scope: usize) {
        let role = role(node);
        if matches!(role, Role::None) {
            return;
        }
        let name = self.word(node);
        match role {
            Role::Bound => {
                let target = if is_walrus(node) { self.outside_comprehensions(scope) } else { scope };
                self.bind(target, &name, (false, bound_from(node)));
            }
            Role::Handed { globally } => {
                self.names.scopes[scope].outer.insert(name.text.clone(), globally);
            }
            Role::Used | Role::None => {}
        }
        let is_store = !matches!(role, Role::Used);
        let members = if is_store { Vec::new() } else { self.members(node) };
        self.names.uses.push(Use { name, members, scope, is_store });
    }

    fn outside_comprehensions(&self, scope: usize) -> usize {
        let mut at = scope;
        while let (ScopeKind::Comprehension, Some(parent)) = (self.names.scopes[at].kind, self.names.scopes[at].parent)
        {
            at = parent;
        }
        at
    }

    fn members(&self, node: Node<'_>) -> Vec<Word> {
        let mut members = Vec::new();
        let mut at = node;
        while let Some(parent) = at.parent() {
            let member = match parent.kind() {
                "attribute" if at.field() == Some("object") => parent.child("attribute"),
                "member_type" | "dotted_name" => {
                    members.extend(parent.named_children().skip(1).map(|child| self.word(child)));
                    None
                }
                // A dotted name in an annotation: `type` around `identifier` around nothing else.
                "type" if parent.parent().is_some_and(|outer| outer.is("member_type")) => {
                    at = parent;
                    continue;
                }
                _ => None,
            };
            let Some(member) = member else { break };
            members.push(self.word(member));
            at = parent;
        }
        members
    }

    fn import(&mut self, node: Node<'_>, scope: usize) {
        for item in node.children_in("name").collect::<Vec<_>>() {
            let bound = match item.kind() {
                "aliased_import" => item.child("alias"),
                _ => item.named_children().next(),
            };
            if let Some(bound) = bound {
                let name = self.word(bound);
                self.bind(scope, &name, (true, bound.end()));
            }
        }
    }

    fn bind(&mut self, scope: usize, name: &Word, (is_import, from): (bool, usize)) {
        let binding = Binding { span: name.span, is_import, from };
        let globally = self.names.scopes[scope].outer.get(&name.text).copied();
        let target = if globally == Some(true) { 0 } else { scope };
        self.names.scopes[target].bound.entry(name.text.clone()).or_default().push(binding);
    }

    /// Reads the names in an annotation that is written as a string.
    fn annotation(&mut self, node: Node<'_>, scope: usize) {
        let mut parts = node.named_children().filter(|child| !child.is_any(&["string_start", "string_end"]));
        let (Some(content), None) = (parts.next(), parts.next()) else { return };
        let written = content.text(self.text);
        if content.is("string_content") && !written.contains(['\\', '\n']) {
            self.expression(written, content.start(), scope);
        }
    }

    /// Reads the names in `# type: …` (PEP 484, "Type comments"), of a signature too: `(A, *B) -> C`.
    fn type_comment(&mut self, node: Node<'_>, scope: usize) {
        let comment = node.text(self.text);
        let Some(written) = comment.strip_prefix('#').and_then(|text| text.trim_start().strip_prefix("type:")) else {
            return;
        };
        let written = written.split('#').next().unwrap_or_default();
        if !written.trim_start().starts_with("ignore") {
            // Stars and the arrow go, and every name stays in its place.
            let plain = written.replace("->", ", ").replace('*', " ");
            let start = plain.len() - plain.trim_start().len();
            let shift = node.start() + comment.find("type:").unwrap_or_default() + "type:".len() + start;
            self.expression(plain.trim(), shift, scope);
        }
    }

    /// Adds the names of a type that is written at a place.
    fn expression(&mut self, written: &str, shift: usize, scope: usize) {
        let tree = Tree::parse(Language::Python, written);
        if tree.error_count() > 0 {
            return;
        }
        let moved = |mut word: Word| {
            word.span = Span::new(word.span.start + shift, word.span.end + shift);
            word
        };
        for one in Self::of_expression(&tree, written) {
            let members = one.members.into_iter().map(moved).collect();
            self.names.uses.push(Use { name: moved(one.name), members, scope, is_store: false });
        }
    }

    fn of_expression(tree: &Tree, written: &str) -> Vec<Use> {
        Names::of(tree, written).uses
    }

    fn word(&self, node: Node<'_>) -> Word {
        Word { text: node.text(self.text).to_owned(), span: node.span() }
    }
}

fn opened_scope(node: Node<'_>) -> Option<ScopeKind> {
    match node.kind() {
        _ if !node.is_named() => None,
        "function_definition" | "lambda" => Some(ScopeKind::Function),
        "class_definition" => Some(ScopeKind::Class),
        _ => is_comprehension(node).then_some(ScopeKind::Comprehension),
    }
}

fn is_comprehension(node: Node<'_>) -> bool {
    node.is_any(&["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"])
}

fn is_first_clause(clause: Node<'_>) -> bool {
    let first = clause.parent().and_then(|outer| outer.child_of_kind("for_in_clause"));
    first == Some(clause)
}

fn is_walrus(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.is("named_expression"))
}

fn role(node: Node<'_>) -> Role {
    let Some(parent) = node.parent() else { return Role::Used };
    let field = node.field();
    match parent.kind() {
        "attribute" if field == Some("attribute") => Role::None,
        "keyword_argument" if field == Some("name") => Role::None,
        "aliased_import" | "import_statement" | "import_from_statement" => Role::None,
        "dotted_name" => dotted_role(node, parent),
        "global_statement" => Role::Handed { globally: true },
        "nonlocal_statement" => Role::Handed { globally: false },
        "keyword_pattern" | "member_type" if parent.named_children().next() != Some(node) => Role::None,
        "keyword_pattern" => Role::None,
        "function_definition" | "class_definition" if field == Some("name") => Role::Bound,
        "parameters" | "lambda_parameters" | "splat_pattern" | "type_parameter" => {
            if parent.is("type_parameter") && !is_definition(parent) { Role::Used } else { Role::Bound }
        }
        "default_parameter" | "typed_default_parameter" | "named_expression" if field == Some("name") => Role::Bound,
        "typed_parameter" if field.is_none() => Role::Bound,
        "dictionary_splat_pattern" => Role::Bound,
        "as_pattern" if parent.named_children().next() != Some(node) => Role::Bound,
        _ if is_target(node) => Role::Bound,
        _ => Role::Used,
    }
}

/// Tells whether type parameters are those of a definition (`def f[T]`), not of a generic type.
fn is_definition(parameters: Node<'_>) -> bool {
    parameters.parent().is_some_and(|outer| outer.is_any(&["function_definition", "class_definition"]))
}

/// A dotted name outside imports stands in a `case`: a single name there binds.
fn dotted_role(node: Node<'_>, dotted: Node<'_>) -> Role {
    let is_case = dotted.parent().is_some_and(|outer| {
        outer.is_any(&["case_pattern", "class_pattern", "union_pattern", "as_pattern", "keyword_pattern"])
    });
    if !is_case || dotted.named_children().next() != Some(node) {
        return Role::None;
    }
    let is_value =
        dotted.parent().is_some_and(|outer| outer.is("class_pattern")) || dotted.named_children().count() > 1;
    if is_value { Role::Used } else { Role::Bound }
}

/// Tells whether a name is assigned to: directly, or as a part of a pattern.
fn is_target(node: Node<'_>) -> bool {
    const PATTERNS: [&str; 9] = [
        "pattern_list",
        "tuple_pattern",
        "list_pattern",
        "list_splat_pattern",
        "tuple",
        "list",
        "parenthesized_expression",
        "expression_list",
        "list_splat",
    ];
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" | "type_alias_statement" => {
                return at.field() == Some("left");
            }
            "as_pattern_target" | "delete_statement" => return true,
            "parameters" | "lambda_parameters" | "typed_parameter" => return parent.kind() != "tuple",
            _ if parent.is_any(&PATTERNS) => at = parent,
            _ => return false,
        }
    }
    false
}
