//! What an identifier of a TypeScript or JavaScript text stands in.

use crate::syntax::Node;
use crate::text::Span;

use super::{DeclarationKind, Site};

pub(in crate::syntax) fn of(node: Node<'_>, text: &str) -> Site {
    let Some(parent) = node.parent() else { return Site::Plain };
    match (parent.kind(), node.field()) {
        ("import_specifier", field) => import_specifier(parent, field),
        ("export_specifier", field) => export_specifier(parent, field),
        ("import_clause" | "import_require_clause", _) => Site::DefaultImport { module: source(parent) },
        ("namespace_import", _) => Site::NamespaceImport { module: source(parent) },
        ("namespace_export", _) => Site::ExportAlias { exported: None, module: source(parent) },
        ("nested_identifier", Some("property" | "object")) if nested_name(parent) != Site::Member => {
            nested_name(parent)
        }
        ("nested_identifier", Some("property")) => Site::Member,
        ("export_statement", _) if parent.child_of_kind("namespace").is_some() => {
            Site::ExportAlias { exported: None, module: None }
        }
        ("member_expression", Some("property")) | ("nested_type_identifier", Some("name")) => Site::Member,
        ("jsx_attribute" | "jsx_namespace_name" | "pair_pattern" | "meta_property", _)
            if node.is_any(&["property_identifier", "identifier"]) && node.field() != Some("value") =>
        {
            Site::Member
        }
        _ if node.is("shorthand_property_identifier") => Site::ShorthandProperty,
        _ if node.is("shorthand_property_identifier_pattern") => Site::ShorthandPattern,
        _ => declared(node, parent, text).map_or(Site::Plain, Site::Declaration),
    }
}

/// `namespace a.b.c`: each part names a namespace.
fn nested_name(nested: Node<'_>) -> Site {
    let top = std::iter::once(nested).chain(nested.ancestors()).find(|node| !node.is("nested_identifier"));
    match top {
        Some(holder) if holder.is_any(&["internal_module", "module"]) => Site::Declaration(DeclarationKind::Namespace),
        _ => Site::Member,
    }
}

fn import_specifier(specifier: Node<'_>, field: Option<&str>) -> Site {
    let module = source(specifier);
    match (field, specifier.child("name"), specifier.child("alias")) {
        (Some("alias"), Some(name), _) => Site::ImportAlias { imported: name.span(), module },
        (Some("name"), _, Some(alias)) => Site::ImportedName { alias: alias.span(), module },
        _ => Site::ImportSpecifier { module },
    }
}

fn export_specifier(specifier: Node<'_>, field: Option<&str>) -> Site {
    let module = source(specifier);
    match (field, specifier.child("name"), specifier.child("alias")) {
        (Some("alias"), name, _) => Site::ExportAlias { exported: name.map(Node::span), module },
        (Some("name"), _, Some(alias)) => Site::ExportedName { alias: alias.span(), module },
        _ => Site::ExportSpecifier { module },
    }
}

/// Returns the content of the module specifier of the import or export around `node`.
fn source(node: Node<'_>) -> Option<Span> {
    let statement = std::iter::once(node)
        .chain(node.ancestors())
        .find(|node| node.is_any(&["import_statement", "export_statement", "import_require_clause"]))?;
    statement.child("source").map(content)
}

fn content(literal: Node<'_>) -> Span {
    let Span { start, end } = literal.span();
    if end >= start + 2 { Span::new(start + 1, end - 1) } else { literal.span() }
}

/// Returns the content of a string literal that names a module: in an import, an export, `import()`,
/// `require()` and the calls that testing tools take module names in.
pub(in crate::syntax) fn module_specifier(literal: Node<'_>, text: &str) -> Option<Span> {
    let parent = literal.parent()?;
    let is_source = literal.field() == Some("source");
    let is_module_name = parent.is("module") && literal.field() == Some("name");
    let is_argument =
        parent.is("arguments") && parent.named_children().next() == Some(literal) && takes_module(parent, text);
    (is_source || is_module_name || is_argument).then(|| content(literal))
}

fn takes_module(arguments: Node<'_>, text: &str) -> bool {
    let called = arguments.parent().and_then(|call| call.child("function"));
    called.is_some_and(|called| {
        called.is("import")
            || match called.text(text) {
                "import" | "require" | "require.resolve" | "import.meta.resolve" => true,
                name => name.starts_with("jest.") || name.starts_with("vi."),
            }
    })
}

fn declared(node: Node<'_>, parent: Node<'_>, text: &str) -> Option<DeclarationKind> {
    if matches!(node.field(), Some("name" | "property" | "label" | "key" | "parameter"))
        && let Some(kind) = named(node, parent, text)
    {
        return Some(kind);
    }
    match parent.kind() {
        // The grammar does not know the variance marks of `<out Name>` and takes them for the name.
        "ERROR" if parent.parent().is_some_and(|outer| outer.is("type_parameter")) => {
            Some(DeclarationKind::TypeParameter)
        }
        "infer_type" if parent.named_children().next() == Some(node) => Some(DeclarationKind::TypeParameter),
        "import_alias" if parent.named_children().next() == Some(node) => Some(DeclarationKind::ImportAlias),
        "enum_body" => Some(DeclarationKind::EnumMember),
        "labeled_statement" => Some(DeclarationKind::Label),
        _ => pattern(node),
    }
}

fn named(node: Node<'_>, parent: Node<'_>, text: &str) -> Option<DeclarationKind> {
    Some(match parent.kind() {
        "function_declaration" | "generator_function_declaration" | "function_signature" => DeclarationKind::Function,
        "function_expression" | "generator_function" | "function" => DeclarationKind::Function,
        "class_declaration" | "abstract_class_declaration" | "class" => DeclarationKind::Class,
        "interface_declaration" => DeclarationKind::Interface,
        "type_alias_declaration" => DeclarationKind::TypeAlias,
        "enum_declaration" => DeclarationKind::Enum,
        "enum_body" | "enum_assignment" => DeclarationKind::EnumMember,
        "internal_module" | "module" => DeclarationKind::Namespace,
        "nested_identifier" => {
            return matches!(nested_name(parent), Site::Declaration(_)).then_some(DeclarationKind::Namespace);
        }
        "method_definition" | "method_signature" if node.text(text) == "constructor" => DeclarationKind::Constructor,
        "method_definition" | "method_signature" | "abstract_method_signature" => DeclarationKind::Method,
        "public_field_definition" | "field_definition" | "property_signature" | "pair" => DeclarationKind::Property,
        // Type arguments behind `import("…").Name` are read as parameters by the grammar, in an error.
        "type_parameter" if parent.ancestors().nth(1).is_some_and(Node::is_error) => return None,
        "type_parameter" if parent.children().any(Node::is_error) => return None,
        "type_parameter" | "mapped_type_clause" => DeclarationKind::TypeParameter,
        "index_signature" | "arrow_function" => DeclarationKind::Parameter,
        "labeled_statement" => DeclarationKind::Label,
        _ => return None,
    })
}

/// Tells what an identifier declares that stands, perhaps deep, in a binding pattern.
pub(in crate::syntax) fn pattern(node: Node<'_>) -> Option<DeclarationKind> {
    let mut inner = node;
    for outer in node.ancestors() {
        match (outer.kind(), inner.field()) {
            ("array_pattern" | "object_pattern" | "rest_pattern", _) | ("pair_pattern", Some("value")) => inner = outer,
            ("assignment_pattern" | "object_assignment_pattern", Some("left")) => inner = outer,
            ("variable_declarator", Some("name")) => return Some(variable(outer)),
            // `[name: Type]` labels the element of a tuple.
            ("required_parameter" | "optional_parameter", _)
                if outer.parent().is_some_and(|list| list.is("tuple_type")) =>
            {
                return Some(DeclarationKind::Property);
            }
            ("required_parameter" | "optional_parameter", Some("pattern" | "name")) => {
                return Some(DeclarationKind::Parameter);
            }
            ("formal_parameters", _) => return Some(DeclarationKind::Parameter),
            ("catch_clause", Some("parameter")) => return Some(DeclarationKind::Variable),
            ("for_in_statement", Some("left")) => return loop_variable(outer),
            _ => return None,
        }
    }
    None
}

fn variable(declarator: Node<'_>) -> DeclarationKind {
    let is_const = declarator.parent().is_some_and(|declaration| declaration.child_of_kind("const").is_some());
    if is_const { DeclarationKind::Constant } else { DeclarationKind::Variable }
}

fn loop_variable(head: Node<'_>) -> Option<DeclarationKind> {
    let kind = head.child("kind")?;
    Some(if kind.kind() == "const" { DeclarationKind::Constant } else { DeclarationKind::Variable })
}
