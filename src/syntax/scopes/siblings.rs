//! Whether edits give two declarations that stand beside each other the same name, in languages whose scopes are not read.

use crate::syntax::{Declaration, DeclarationKind, Family, Language, Tree, declarations, declared_node};
use crate::text::{Span, TextEdit};

use super::conflict::{Conflict, line_of};

/// Names of the same space cannot be given twice where they stand side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    Types,
    Values,
    Macros,
    /// An import may bring in any.
    Any,
}

/// Returns the declarations whose name edits give to one beside them. Overloads, the parts of a type that stand in several
/// places, and what shadows an outer name share their names by right.
pub fn sibling_conflicts(tree: &Tree, text: &str, edits: &[TextEdit]) -> Vec<Conflict> {
    let (language, all) = (tree.language(), declarations(tree, text));
    let given = |one: &Declaration| edits.iter().find(|edit| edit.span == one.name_span).map(|edit| &edit.new_text);
    let mut found = Vec::new();
    for came in &all {
        let Some(new) = given(came).filter(|new| **new != came.name) else { continue };
        let stays = |kept: &&Declaration| kept.name == *new && given(kept).is_none();
        let meets = |kept: &&Declaration| are_beside(tree, [came, kept]) && share_space(language, [came, kept]);
        found
            .extend(all.iter().filter(stays).find(meets).map(|kept| conflict(text, kept.name_span, [&came.name, new])));
    }
    found
}

fn conflict(text: &str, at: Span, [old, new]: [&String; 2]) -> Conflict {
    let line = line_of(text, at.start);
    Conflict { span: at, message: format!("`{new}` is already declared beside `{old}` (line {line})") }
}

/// Tells whether two declarations stand in the same list, and belong to the same thing.
fn are_beside(tree: &Tree, [one, other]: [&Declaration; 2]) -> bool {
    let around = |it: &Declaration| declared_node(tree, it).0.parent().map(|outer| outer.span());
    let owner = |it: &Declaration| it.path.len().checked_sub(1).map(|last| it.path[..last].to_vec());
    around(one) == around(other) && owner(one) == owner(other)
}

fn share_space(language: Language, pair: [&Declaration; 2]) -> bool {
    let [one, other] = pair.map(|it| space(language.family(), it.kind));
    let is_function = |it: &Declaration| {
        use DeclarationKind::{Constructor, Function, Method};
        matches!(it.kind, Function | Method | Constructor)
    };
    let is_overload = language.overloads() && pair.into_iter().any(is_function);
    let is_same = one == other || one == Some(Space::Any) || other == Some(Space::Any);
    one.is_some() && other.is_some() && is_same && !is_overload
}

fn space(family: Family, kind: DeclarationKind) -> Option<Space> {
    use DeclarationKind::{
        Class, Constant, Enum, EnumMember, Function, Import, ImportAlias, Interface, Macro, Method, Module, Namespace,
        Parameter, Property, Struct, Trait, TypeAlias, TypeParameter, Variable,
    };
    Some(match kind {
        Function | Method | Property | Parameter | Variable | Constant | EnumMember => Space::Values,
        // Go has one space for all.
        Class | Interface | Enum | Struct | Trait | TypeAlias if family == Family::Go => Space::Values,
        Class | Interface | Enum | Struct | Trait | TypeAlias | TypeParameter | Namespace | Module => Space::Types,
        Macro => Space::Macros,
        Import | ImportAlias => Space::Any,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renames what stands between `‹` and `›`.
    fn met(language: Language, source: &str, new: &str) -> Vec<String> {
        let (start, end) = (source.find('‹').unwrap(), source.find('›').unwrap() - '‹'.len_utf8());
        let text = source.replace(['‹', '›'], "");
        let edits = [TextEdit::new(Span::new(start, end), new)];
        let tree = Tree::parse(language, &text);
        sibling_conflicts(&tree, &text, &edits).into_iter().map(|conflict| conflict.message).collect()
    }

    #[test]
    fn what_stands_beside_it_keeps_its_name() {
        let rust = |source: &str, new| met(Language::Rust, source, new);
        assert_eq!(
            rust("fn ‹twice›() {}\nfn four() {}\n", "four"),
            ["`four` is already declared beside `twice` (line 2)"]
        );
        assert_eq!(rust("struct S { ‹a›: u8, b: u8 }\n", "b"), ["`b` is already declared beside `a` (line 1)"]);
        assert_eq!(rust("enum E { ‹A›, B }\n", "B").len(), 1);
        assert_eq!(rust("struct S;\nimpl S { fn ‹a›(&self) {} fn b(&self) {} }\n", "b").len(), 1);
        assert_eq!(rust("fn f(‹a›: u8, b: u8) {}\n", "b").len(), 1);
        assert_eq!(met(Language::Go, "package p\n\nfunc ‹a›() {}\n\ntype b int\n", "b").len(), 1);
        assert_eq!(met(Language::Java, "class A { int ‹a›; int b; }\n", "b").len(), 1);
    }

    #[test]
    fn what_shares_its_name_by_right_does() {
        let rust = |source: &str, new| met(Language::Rust, source, new);
        assert!(rust("fn ‹a›() {}\nstruct b;\nmod inner { fn c() {} }\n", "c").is_empty());
        assert!(rust("fn ‹a›() {}\nstruct B {}\n", "B").is_empty());
        let traits = "struct S;\nimpl T for S { fn ‹a›(&self) {} }\nimpl U for S { fn b(&self) {} }\n";
        assert!(rust(traits, "b").is_empty());
        assert!(met(Language::Java, "class A { void ‹a›() {} void b(int c) {} }\n", "b").is_empty());
        assert!(met(Language::Go, "package p\n\nfunc (a A) ‹x›() {}\n\nfunc (b B) y() {}\n", "y").is_empty());
    }
}
