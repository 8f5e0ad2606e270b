//! Functions of scripts that are only called, in whatever way modules hand them out.

use crate::syntax::{Language, Node, Tree, is_any_function};

/// How a module of CommonJS calls what it hands out.
const EXPORTS: &[&str] = &["exports", "module.exports"];

/// Returns what a description of a function says beside its parameters, `typescript` before it or not: its type parameters,
/// and what it gives.
///
/// `function total<T>(of: T[]): T`, `const total: <T>(of: T[]) => T`
pub(super) fn given(said: &str) -> Option<(String, String)> {
    let code = said.strip_prefix("typescript\n").unwrap_or(said);
    let tree = Tree::parse(Language::TypeScript, code);
    let root = tree.nodes().root();
    let told = root.descendants().find(|it| it.is_any(&["function_signature", "function_type"]))?;
    let text = |field: &str| told.child(field).map(|it| it.text(code).trim_start_matches(':').trim().to_owned());
    (tree.error_count() == 0).then_some(())?;
    Some((text("type_parameters").unwrap_or_default(), text("return_type")?))
}

/// Tells whether a name is that of a function of a module, be it declared or a variable's value.
pub(super) fn is_of_module(name: Node<'_>) -> bool {
    let Some(outer) = name.parent().filter(|it| it.child("name") == Some(name)) else { return false };
    let is_function = match outer.is("variable_declarator") {
        true => outer.child("value").is_some_and(is_any_function),
        false => is_any_function(outer),
    };
    let is_around = |it: &Node<'_>| it.is_any(&["export_statement", "lexical_declaration", "variable_declaration"]);
    is_function && outer.ancestors().find(|it| !is_around(it)).is_some_and(|it| it.is("program"))
}

/// Tells whether a text does no more with a name than declare functions of it, call it, and take it from a module and hand it
/// out by that name.
pub(super) fn is_called_alone(language: Language, text: &str, name: &str) -> bool {
    let tree = Tree::parse(language, text);
    tree.identifiers_named(text, name).into_iter().all(|span| is_plain(tree.nodes().covering(span), text))
}

fn is_plain(node: Node<'_>, text: &str) -> bool {
    let Some(outer) = node.parent() else { return false };
    let is_field = |field: &str| outer.child(field) == Some(node);
    let is_called = |it: Node<'_>| it.parent().is_some_and(|call| call.child("function") == Some(it));
    let is_exports = |it: Node<'_>| EXPORTS.contains(&it.text(text));
    let is_offer = |it: Node<'_>| {
        let left = it.parent().filter(|it| it.is("assignment_expression")).and_then(|it| it.child("left"));
        left.is_some_and(|left| is_exports(left) || left.child("object").is_some_and(is_exports))
    };
    match outer.kind() {
        "call_expression" => is_field("function"),
        "member_expression" => is_field("property") && (is_called(outer) || is_offer(outer)),
        "assignment_expression" => is_field("right") && is_offer(node),
        "object" => node.is("shorthand_property_identifier") && is_offer(outer),
        "object_pattern" => {
            outer.parent().is_some_and(|it| it.child("value").is_some_and(|value| requires(value, text)))
        }
        "variable_declarator" => is_field("name") && outer.child("value").is_some_and(is_any_function),
        "import_specifier" | "export_specifier" => outer.child("alias").is_none(),
        "import_clause" => true,
        "method_definition" => outer.parent().is_some_and(|it| it.is("class_body")),
        "method_signature" | "abstract_method_signature" => false,
        _ => is_field("name") && is_any_function(outer) && !is_default(outer),
    }
}

/// Tells whether a function is what its module exports by default: others give it names of their own.
fn is_default(function: Node<'_>) -> bool {
    function.parent().is_some_and(|it| it.is("export_statement") && it.children().any(|mark| mark.kind() == "default"))
}

/// Tells whether a value is what another module hands out: `require("./totals")`, `await import("./totals")`.
fn requires(value: Node<'_>, text: &str) -> bool {
    let call = if value.is("await_expression") { value.named_children().next().unwrap_or(value) } else { value };
    call.child("function").is_some_and(|function| matches!(function.text(text), "require" | "import"))
}

#[cfg(test)]
mod tests {
    use super::{given, is_called_alone};
    use crate::syntax::Language;

    #[test]
    fn what_a_function_gives_is_read_off_what_is_said_of_it() {
        let of = |said: &str| given(said).map(|(of, result)| format!("{of} {result}"));
        assert_eq!(
            of("function total(of: number[], rate?: { a: () => void; }): string[]").as_deref(),
            Some(" string[]")
        );
        assert_eq!(of("const total: <T>(of: T[]) => (it: T) => T").as_deref(), Some("<T> (it: T) => T"));
        assert_eq!(
            of("typescript\nfunction total(of: string): asserts of is 'a'").as_deref(),
            Some(" asserts of is 'a'")
        );
        assert_eq!(of("const total: number"), None);
        assert_eq!(of("function total(a: string): string (+1 overload)"), None);
    }

    #[test]
    fn a_function_is_only_called_where_no_place_takes_it_as_a_value() {
        let is = |text: &str| is_called_alone(Language::TypeScript, text, "total");
        for called in [
            "export function total(a) { return total(a); }",
            "export const total = (a) => a;\nexport { total };",
            "import { total } from './a';\nuse(...total(1), a.total(2));",
            "const { total } = require('./a');\nmodule.exports = { total, other };",
            "const { total } = await import('./a');",
            "exports.total = total;\nmodule.exports.total = function total(a) {};",
            "class A { total() { return this.total(); } }  // total",
        ] {
            assert!(is(called), "{called}");
        }
        for taken in [
            "list.map(total);",
            "const f = total;",
            "const all = { total };",
            "const all = { total: 1 };",
            "export default function total() {}",
            "export { total as sum };",
            "import { total as sum } from './a';",
            "type A = ReturnType<typeof total>;",
            "interface A { total(): void }",
            "const A = () => <total />;",
            "const { total } = all;",
            "if (a.total) {}",
        ] {
            assert!(!is(taken), "{taken}");
        }
    }
}
