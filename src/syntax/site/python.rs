//! What an identifier of a Python text stands in.

use crate::syntax::Node;
use crate::syntax::python::decorators;
use crate::text::Span;

use super::{DeclarationKind, Site};

/// Tells what a name stands in; a member that a method assigns is declared there only where the object is its own.
pub(super) fn in_text(node: Node<'_>, text: &str) -> Site {
    let object = node.parent().and_then(|attribute| attribute.child("object"));
    let is_of_another = node.field() == Some("attribute") && object.is_some_and(|object| !is_receiver(object, text));
    match of(node) {
        Site::Declaration(DeclarationKind::Property) if is_of_another => Site::Member,
        site => site,
    }
}

pub(in crate::syntax) fn of(node: Node<'_>) -> Site {
    let Some(parent) = node.parent() else { return Site::Plain };
    match (parent.kind(), node.field()) {
        ("dotted_name", _) => in_dotted_name(node, parent),
        ("aliased_import", Some("alias")) => import_alias(parent),
        ("keyword_argument", Some("name")) => Site::KeywordArgument,
        ("keyword_pattern", _) if parent.named_children().next() == Some(node) => Site::KeywordArgument,
        ("function_definition", Some("name")) if is_member(parent) => Site::Declaration(DeclarationKind::Method),
        ("function_definition", Some("name")) => Site::Declaration(DeclarationKind::Function),
        ("class_definition", Some("name")) => Site::Declaration(DeclarationKind::Class),
        ("named_expression", Some("name")) => Site::Declaration(DeclarationKind::Variable),
        ("attribute", Some("attribute")) if is_own_attribute(parent) => Site::Declaration(DeclarationKind::Property),
        ("attribute", Some("attribute")) => Site::Member,
        ("type", _) => in_type(node, parent),
        ("splat_type", _) => parent.parent().map_or(Site::Plain, |holder| in_type(node, holder)),
        ("case_pattern" | "as_pattern" | "splat_pattern" | "union_pattern", _) if is_capture(node, parent) => {
            Site::Declaration(DeclarationKind::Variable)
        }
        ("default_parameter" | "typed_default_parameter", Some("name")) => {
            Site::Declaration(DeclarationKind::Parameter)
        }
        ("typed_parameter", None) | ("parameters" | "lambda_parameters", _) => {
            Site::Declaration(DeclarationKind::Parameter)
        }
        _ => target(node).map_or(Site::Plain, Site::Declaration),
    }
}

fn in_dotted_name(node: Node<'_>, dotted: Node<'_>) -> Site {
    let Some(outer) = dotted.parent() else { return Site::Plain };
    match (outer.kind(), dotted.field()) {
        ("import_statement" | "relative_import", _) | ("import_from_statement", Some("module_name")) => {
            Site::ModuleSpecifier { whole: outer_module(dotted, outer) }
        }
        ("import_from_statement" | "future_import_statement", _) => Site::ImportSpecifier { module: module_of(outer) },
        ("aliased_import", _) => in_aliased_import(dotted, outer),
        ("class_pattern", _) => member_or(node, dotted, Site::Plain),
        // A single name in a pattern is a capture, a dotted one a value to compare with.
        ("case_pattern" | "as_pattern" | "keyword_pattern" | "tuple_pattern" | "list_pattern" | "union_pattern", _)
            if dotted.named_children().count() == 1 =>
        {
            Site::Declaration(DeclarationKind::Variable)
        }
        _ => member_or(node, dotted, Site::Plain),
    }
}

fn member_or(node: Node<'_>, dotted: Node<'_>, first: Site) -> Site {
    if dotted.named_children().next() == Some(node) { first } else { Site::Member }
}

fn in_aliased_import(dotted: Node<'_>, aliased: Node<'_>) -> Site {
    let statement = aliased.parent();
    let alias = aliased.child("alias").map_or_else(|| dotted.span(), Node::span);
    match statement {
        Some(statement) if statement.is("import_statement") => Site::ModuleSpecifier { whole: dotted.span() },
        Some(statement) => Site::ImportedName { alias, module: module_of(statement) },
        None => Site::Plain,
    }
}

fn import_alias(aliased: Node<'_>) -> Site {
    let imported = aliased.child("name").map_or_else(|| aliased.span(), Node::span);
    Site::ImportAlias { imported, module: aliased.parent().and_then(module_of) }
}

fn module_of(statement: Node<'_>) -> Option<Span> {
    statement.child("module_name").map(Node::span)
}

fn outer_module(dotted: Node<'_>, outer: Node<'_>) -> Span {
    if outer.is("relative_import") { outer.span() } else { dotted.span() }
}

fn in_type(node: Node<'_>, holder: Node<'_>) -> Site {
    let is_first_of = |outer: Node<'_>| outer.named_children().next() == Some(holder);
    match holder.parent() {
        Some(list) if list.is("type_parameter") && is_parameter_list(list) => {
            Site::Declaration(DeclarationKind::TypeParameter)
        }
        Some(bound) if bound.is("constrained_type") && is_first_of(bound) && in_parameter_list(bound) => {
            Site::Declaration(DeclarationKind::TypeParameter)
        }
        Some(alias) if alias.is("type_alias_statement") && holder.field() == Some("left") => {
            Site::Declaration(DeclarationKind::TypeAlias)
        }
        _ => target(node).map_or(Site::Plain, Site::Declaration),
    }
}

/// `type_parameter` is also what the grammar calls the subscripts of a generic type.
fn is_parameter_list(list: Node<'_>) -> bool {
    list.field() == Some("type_parameters") || list.parent().is_some_and(is_alias_head)
}

fn in_parameter_list(bound: Node<'_>) -> bool {
    let list = bound.ancestors().take(2).find(|node| node.is("type_parameter"));
    list.is_some_and(is_parameter_list)
}

/// The left side of `type Name[T] = …`.
fn is_alias_head(generic: Node<'_>) -> bool {
    let holder = generic.parent();
    generic.is("generic_type") && holder.is_some_and(|holder| holder.is("type") && holder.field() == Some("left"))
}

fn is_capture(node: Node<'_>, parent: Node<'_>) -> bool {
    match parent.kind() {
        "as_pattern" => parent.named_children().last() == Some(node),
        _ => true,
    }
}

/// Tells whether a name, or an attribute of an object, is what an assignment, a loop or the like gives a value.
pub fn is_target(node: Node<'_>) -> bool {
    target(node).is_some_and(|kind| kind != DeclarationKind::Parameter)
}

/// Tells what an identifier declares that stands in the target of an assignment, a loop or the like.
fn target(node: Node<'_>) -> Option<DeclarationKind> {
    let mut inner = node;
    for outer in node.ancestors() {
        match (outer.kind(), inner.field()) {
            ("generic_type", _) if is_alias_head(outer) && outer.named_children().next() == Some(inner) => {
                return Some(DeclarationKind::TypeAlias);
            }
            (
                "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" | "dictionary_splat_pattern",
                _,
            )
            | (
                "as_pattern_target" | "parenthesized_expression" | "tuple" | "list" | "list_splat" | "expression_list",
                _,
            ) => {
                inner = outer;
            }
            ("parameters" | "lambda_parameters" | "typed_parameter", _) if inner.field() != Some("type") => {
                return Some(DeclarationKind::Parameter);
            }
            ("assignment" | "augmented_assignment", Some("left")) => return Some(assigned(outer)),
            ("for_statement" | "for_in_clause", Some("left")) => return Some(DeclarationKind::Variable),
            ("as_pattern", Some("alias")) | ("except_clause", Some("alias")) => return Some(DeclarationKind::Variable),
            _ => return None,
        }
    }
    None
}

fn assigned(assignment: Node<'_>) -> DeclarationKind {
    if is_member(assignment) { DeclarationKind::Property } else { DeclarationKind::Variable }
}

/// Tells whether a statement (or what is decorated) stands directly in a class, `if` and `try` looked through.
fn is_member(statement: Node<'_>) -> bool {
    let holder = statement.ancestors().find(|node| {
        node.is_any(&["class_definition", "function_definition", "lambda", "module"])
            || node.kind().ends_with("comprehension")
    });
    holder.is_some_and(|holder| holder.is("class_definition"))
}

/// `self.x = …`, `self.x: int`: the attribute is what is assigned, not only walked through.
fn is_own_attribute(attribute: Node<'_>) -> bool {
    attribute.child("object").is_some_and(|object| object.is("identifier")) && target(attribute).is_some()
}

/// Tells whether a name is that of the first parameter of a method around it.
fn is_receiver(object: Node<'_>, text: &str) -> bool {
    let mut functions = object.ancestors().filter(|outer| outer.is("function_definition"));
    let Some(method) = functions.find(|function| is_member(*function)) else { return false };
    let first = method.child("parameters").and_then(|all| all.named_children().next());
    let is_own = first.is_some_and(|first| {
        let mut inner = std::iter::once(first).chain(first.descendants());
        inner.find(|one| one.is("identifier")).is_some_and(|own| own.text(text) == object.text(text))
    });
    is_own && !decorators(method).any(|decorator| decorator.text(text).ends_with("staticmethod"))
}

/// Returns from where on a name is bound: behind the value that it is given. An annotation alone gives none (PEP 526).
pub(in crate::syntax) fn bound_from(node: Node<'_>) -> usize {
    let statement = node.ancestors().take(8).find(|outer| {
        let is_target = outer.is_any(&["assignment", "augmented_assignment", "named_expression", "for_statement"]);
        is_target || outer.is_any(&["function_definition", "class_definition"])
    });
    match statement {
        Some(outer) if outer.is("for_statement") => outer.child("right").map_or(node.end(), Node::end),
        Some(outer) if outer.is_any(&["function_definition", "class_definition"]) && node.parent() != Some(outer) => {
            node.end()
        }
        Some(outer) if outer.child("right").is_some_and(|right| right.holds(node)) => node.end(),
        Some(outer) if outer.is("assignment") && outer.child("right").is_none() => usize::MAX,
        Some(outer) => outer.end(),
        None => node.end(),
    }
}
