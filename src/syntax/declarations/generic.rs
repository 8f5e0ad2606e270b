//! Declarations of the languages that have no rules of their own here, by one table.

use crate::syntax::{DeclarationKind, Node, Site, Tree};

pub(in crate::syntax) fn site_of(tree: &Tree, node: Node<'_>) -> Site {
    let Some(parent) = node.parent() else { return Site::Plain };
    match declared(node, parent) {
        Some(kind) => Site::Declaration(kind),
        None if is_member(node, parent) => Site::Member,
        None if tree.language() == crate::syntax::Language::Bash && node.is("word") && !parent.is("command_name") => {
            Site::Other
        }
        None => Site::Plain,
    }
}

fn is_member(node: Node<'_>, parent: Node<'_>) -> bool {
    matches!(
        (parent.kind(), node.field()),
        (
            "field_expression" | "field_access" | "selector_expression" | "dot_index_expression" | "member_expression",
            Some("field" | "property")
        ) | ("method_invocation", Some("name"))
            | ("method_index_expression", Some("method"))
    ) && parent.children().next() != Some(node)
}

pub(super) fn declared(node: Node<'_>, parent: Node<'_>) -> Option<DeclarationKind> {
    let field = node.field().unwrap_or_default();
    if let Some((_, _, kind)) =
        TABLE.iter().find(|(kind, fields, _)| *kind == parent.kind() && (*fields).contains(&field))
    {
        return Some(*kind);
    }
    declarator(node)
}

/// C's declarators wrap the name in what the type adds to it; patterns and lists, in what stands beside it.
fn declarator(node: Node<'_>) -> Option<DeclarationKind> {
    let mut inner = node;
    let mut is_function = false;
    for outer in node.ancestors() {
        match (outer.kind(), inner.field()) {
            ("function_declarator", Some("declarator")) => is_function = true,
            ("pointer_declarator" | "array_declarator" | "init_declarator", Some("declarator")) => {}
            ("reference_declarator" | "parenthesized_declarator" | "attributed_declarator", _) => {}
            ("qualified_identifier", Some("name")) => {}
            ("dot_index_expression", Some("field")) | ("method_index_expression", Some("method")) => {}
            ("expression_list" | "tuple_pattern" | "mut_pattern" | "ref_pattern", _) => {}
            ("short_var_declaration" | "range_clause", Some("left")) | ("let_declaration", Some("pattern")) => {
                return Some(DeclarationKind::Variable);
            }
            ("function_declaration", Some("name")) => return Some(DeclarationKind::Function),
            ("function_definition" | "declaration" | "field_declaration", Some("declarator" | "default_value")) => {
                return Some(declared_as(outer, is_function));
            }
            ("parameter_declaration" | "optional_parameter_declaration", Some("declarator")) => {
                return Some(DeclarationKind::Parameter);
            }
            ("type_definition", Some("declarator")) => return Some(DeclarationKind::TypeAlias),
            _ => return None,
        }
        inner = outer;
    }
    None
}

fn declared_as(declaration: Node<'_>, is_function: bool) -> DeclarationKind {
    let is_member = declaration.ancestors().take(2).any(|node| node.is("field_declaration_list"));
    match (is_member, is_function) {
        (true, true) => DeclarationKind::Method,
        (true, false) => DeclarationKind::Property,
        (false, true) => DeclarationKind::Function,
        (false, false) => DeclarationKind::Variable,
    }
}

type Row = (&'static str, &'static [&'static str], DeclarationKind);

const TABLE: &[Row] = &[
    // Rust
    ("function_item", &["name"], DeclarationKind::Function),
    ("function_signature_item", &["name"], DeclarationKind::Function),
    ("struct_item", &["name"], DeclarationKind::Struct),
    ("union_item", &["name"], DeclarationKind::Struct),
    ("enum_item", &["name"], DeclarationKind::Enum),
    ("enum_variant", &["name"], DeclarationKind::EnumMember),
    ("trait_item", &["name"], DeclarationKind::Trait),
    ("type_item", &["name"], DeclarationKind::TypeAlias),
    ("associated_type", &["name"], DeclarationKind::TypeAlias),
    ("mod_item", &["name"], DeclarationKind::Module),
    ("const_item", &["name"], DeclarationKind::Constant),
    ("static_item", &["name"], DeclarationKind::Constant),
    ("macro_definition", &["name"], DeclarationKind::Macro),
    ("field_declaration", &["name"], DeclarationKind::Property),
    ("parameter", &["pattern", "name"], DeclarationKind::Parameter),
    ("let_declaration", &["pattern"], DeclarationKind::Variable),
    ("type_parameter", &["name"], DeclarationKind::TypeParameter),
    ("const_parameter", &["name"], DeclarationKind::Parameter),
    ("closure_parameters", &[""], DeclarationKind::Parameter),
    ("use_as_clause", &["alias"], DeclarationKind::ImportAlias),
    // Go
    ("function_declaration", &["name"], DeclarationKind::Function),
    ("method_declaration", &["name"], DeclarationKind::Method),
    ("method_elem", &["name"], DeclarationKind::Method),
    ("type_spec", &["name"], DeclarationKind::Struct),
    ("type_alias", &["name"], DeclarationKind::TypeAlias),
    ("const_spec", &["name"], DeclarationKind::Constant),
    ("var_spec", &["name"], DeclarationKind::Variable),
    ("parameter_declaration", &["name"], DeclarationKind::Parameter),
    ("variadic_parameter_declaration", &["name"], DeclarationKind::Parameter),
    ("type_parameter_declaration", &["name"], DeclarationKind::TypeParameter),
    ("import_spec", &["name"], DeclarationKind::ImportAlias),
    ("package_clause", &[""], DeclarationKind::Module),
    // Java
    ("class_declaration", &["name"], DeclarationKind::Class),
    ("record_declaration", &["name"], DeclarationKind::Class),
    ("interface_declaration", &["name"], DeclarationKind::Interface),
    ("annotation_type_declaration", &["name"], DeclarationKind::Interface),
    ("enum_declaration", &["name"], DeclarationKind::Enum),
    ("enum_constant", &["name"], DeclarationKind::EnumMember),
    ("constructor_declaration", &["name"], DeclarationKind::Constructor),
    ("compact_constructor_declaration", &["name"], DeclarationKind::Constructor),
    ("formal_parameter", &["name"], DeclarationKind::Parameter),
    ("catch_formal_parameter", &["name"], DeclarationKind::Parameter),
    ("resource", &["name"], DeclarationKind::Variable),
    ("enhanced_for_statement", &["name"], DeclarationKind::Variable),
    ("inferred_parameters", &[""], DeclarationKind::Parameter),
    ("variable_declarator", &["name"], DeclarationKind::Variable),
    ("annotation_type_element_declaration", &["name"], DeclarationKind::Method),
    // Solidity
    ("contract_declaration", &["name"], DeclarationKind::Class),
    ("library_declaration", &["name"], DeclarationKind::Class),
    ("struct_declaration", &["name"], DeclarationKind::Struct),
    ("struct_member", &["name"], DeclarationKind::Property),
    ("enum_value", &[""], DeclarationKind::EnumMember),
    ("state_variable_declaration", &["name"], DeclarationKind::Property),
    ("constant_variable_declaration", &["name"], DeclarationKind::Constant),
    ("event_definition", &["name"], DeclarationKind::Event),
    ("event_parameter", &["name"], DeclarationKind::Parameter),
    ("error_declaration", &["name"], DeclarationKind::Error),
    ("error_parameter", &["name"], DeclarationKind::Parameter),
    ("modifier_definition", &["name"], DeclarationKind::Modifier),
    ("function_definition", &["name"], DeclarationKind::Function),
    ("variable_declaration", &["name"], DeclarationKind::Variable),
    ("user_defined_type_definition", &["name"], DeclarationKind::TypeAlias),
    // C and C++
    ("struct_specifier", &["name"], DeclarationKind::Struct),
    ("union_specifier", &["name"], DeclarationKind::Struct),
    ("class_specifier", &["name"], DeclarationKind::Class),
    ("enum_specifier", &["name"], DeclarationKind::Enum),
    ("enumerator", &["name"], DeclarationKind::EnumMember),
    ("namespace_definition", &["name"], DeclarationKind::Namespace),
    ("alias_declaration", &["name"], DeclarationKind::TypeAlias),
    ("preproc_def", &["name"], DeclarationKind::Macro),
    ("preproc_function_def", &["name"], DeclarationKind::Macro),
    ("type_parameter_declaration", &[""], DeclarationKind::TypeParameter),
    ("concept_definition", &["name"], DeclarationKind::TypeAlias),
    // Bash
    ("variable_assignment", &["name"], DeclarationKind::Variable),
    ("for_statement", &["variable"], DeclarationKind::Variable),
    // Lua
    ("variable_list", &["name"], DeclarationKind::Variable),
    ("parameters", &["name"], DeclarationKind::Parameter),
];
