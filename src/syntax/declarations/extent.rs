//! How far a declaration reaches, and what it is called from outside.

use crate::syntax::{DeclarationKind, Node};

/// Kinds that only lead from a name to the declaration around it.
const WRAPPERS: &[&str] = &[
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "array_pattern",
    "object_pattern",
    "rest_pattern",
    "pair_pattern",
    "assignment_pattern",
    "object_assignment_pattern",
    "attribute",
    "dotted_name",
    "type",
    "generic_type",
    "splat_type",
    "constrained_type",
    "nested_identifier",
    "pointer_declarator",
    "function_declarator",
    "init_declarator",
    "array_declarator",
    "reference_declarator",
    "parenthesized_declarator",
    "qualified_identifier",
    "expression_list",
    "variable_list",
    "dot_index_expression",
    "method_index_expression",
];

/// Kinds that hold other code beside the name: a name in one of these is its own extent.
const HOLDERS: &[&str] = &[
    "for_statement",
    "for_in_clause",
    "for_in_statement",
    "as_pattern",
    "as_pattern_target",
    "except_clause",
    "catch_clause",
    "named_expression",
    "case_pattern",
    "keyword_pattern",
    "splat_pattern",
    "class_pattern",
    "union_pattern",
    "dict_pattern",
    "enum_body",
    "parameters",
    "lambda_parameters",
    "formal_parameters",
    "closure_parameters",
    "inferred_parameters",
    "type_parameter",
    "type_parameters",
    "arrow_function",
    "infer_type",
    "mapped_type_clause",
    "labeled_statement",
    "enhanced_for_statement",
    "range_clause",
    "for_generic_clause",
    "for_numeric_clause",
    "import_from_statement",
    "import_clause",
    "lambda",
];

/// Returns the node that declares `name` and nothing beside it but what belongs to it.
pub(super) fn full(name: Node<'_>) -> Node<'_> {
    let mut inner = name;
    for outer in name.ancestors() {
        if outer.is_any(HOLDERS) {
            return if outer.is("type_parameter") && inner.field() == Some("name") { outer } else { name };
        }
        if !outer.is_any(WRAPPERS) {
            return outer;
        }
        inner = outer;
    }
    name
}

/// Returns the declaration with the decorators, modifiers and keywords around it.
pub(super) fn widened(full: Node<'_>) -> Node<'_> {
    let mut widest = full;
    for outer in full.ancestors() {
        let is_around = match outer.kind() {
            "decorated_definition" | "export_statement" | "ambient_declaration" => true,
            "expression_statement" => widest.is_any(&["assignment", "internal_module"]),
            "lexical_declaration" | "variable_declaration" | "field_declaration" | "local_variable_declaration" => {
                outer.named_children().filter(|child| child.is("variable_declarator")).count() == 1
            }
            "type_declaration" | "const_declaration" | "var_declaration" => outer.named_children().count() == 1,
            "assignment_statement" | "template_declaration" => true,
            _ => false,
        };
        if !is_around {
            return widest;
        }
        widest = outer;
    }
    widest
}

/// Tells whether what stands inside `full` is named after `name`.
pub(super) fn is_container(full: Node<'_>, name: Node<'_>) -> bool {
    let is_name = match full.kind() {
        "assignment" | "augmented_assignment" => false,
        "type_alias_statement" | "function_definition" | "declaration" | "type_definition" => true,
        _ => {
            matches!(name.field(), Some("name" | "property" | "key"))
                || name.parent().is_some_and(|outer| outer.is_any(WRAPPERS))
        }
    };
    let is_leaf = full == name
        || full.is_any(&["aliased_import", "import_specifier", "required_parameter", "optional_parameter"]);
    let is_pattern = name.ancestors().take_while(|outer| *outer != full).any(|outer| {
        outer.is_any(&["object_pattern", "array_pattern", "pattern_list", "tuple_pattern", "expression_list"])
    });
    is_name && !is_leaf && !is_pattern
}

/// Returns the name of a declaration, after that of its owner where the owner is written beside it: Go's
/// receivers, C++'s and Lua's qualified names, TypeScript's dotted namespaces, Python's `self.x`.
pub(super) fn own_path(name: Node<'_>, full: Node<'_>, text: &str) -> Vec<String> {
    let mut path: Vec<String> = owners(name, full).map(|owner| owner.text(text).to_owned()).collect();
    path.push(name.text(text).to_owned());
    path
}

fn owners<'t>(name: Node<'t>, full: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let receiver =
        full.child("receiver").into_iter().flat_map(Node::descendants).find(|node| node.is("type_identifier"));
    let qualified = name
        .ancestors()
        .take_while(move |outer| *outer != full)
        .filter(|outer| {
            outer.is_any(&[
                "qualified_identifier",
                "dot_index_expression",
                "method_index_expression",
                "nested_identifier",
            ])
        })
        .last();
    let parts = qualified.into_iter().flat_map(Node::descendants).take_while(move |node| *node != name);
    receiver.into_iter().chain(parts.filter(|node| node.is_leaf() && node.is_named()))
}

/// Returns the name of the type that a Rust `impl` adds to.
pub(super) fn implemented(block: Node<'_>) -> Option<Node<'_>> {
    let named = block.child("type")?;
    if named.is("type_identifier") {
        return Some(named);
    }
    named.descendants().find(|node| node.is("type_identifier"))
}

/// Tells functions of a class from free ones, fields from variables, and what Python knows by base class or
/// by spelling only.
pub(super) fn refined(kind: DeclarationKind, full: Node<'_>, owner: Option<Node<'_>>, text: &str) -> DeclarationKind {
    let in_class = owner.is_some_and(|owner| owner.is_any(CLASSES));
    match kind {
        DeclarationKind::Function if in_class || full.child("receiver").is_some() => DeclarationKind::Method,
        DeclarationKind::Variable if full.parent().is_some_and(|outer| outer.is("field_declaration")) => {
            DeclarationKind::Property
        }
        DeclarationKind::Variable if full.is("assignment") && owner.is_none() && is_constant(full, text) => {
            DeclarationKind::Constant
        }
        DeclarationKind::Property if full.is("assignment") && owner.is_some_and(|owner| is_enum(owner, text)) => {
            DeclarationKind::EnumMember
        }
        _ => kind,
    }
}

const CLASSES: &[&str] = &[
    "contract_declaration",
    "interface_declaration",
    "library_declaration",
    "impl_item",
    "trait_item",
    "class_specifier",
    "struct_specifier",
];

fn is_constant(assignment: Node<'_>, text: &str) -> bool {
    let name = assignment.child("left").map(|left| left.text(text)).unwrap_or_default();
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

fn is_enum(class: Node<'_>, text: &str) -> bool {
    let mut bases = class.child("superclasses").into_iter().flat_map(Node::named_children);
    bases.any(|base| base.text(text).ends_with("Enum") || base.text(text).ends_with("Flag"))
}
