//! What an outline names leads back to what it named, in every language.

use super::*;
use crate::syntax::target::{Resolved, Target, resolve};

/// One text in every language, as a project would have it.
pub(in crate::inspect) const SAMPLES: &[(Language, &str, &str)] = &[
    (Language::Python, "shop.py", include_str!("samples/shop.py")),
    (Language::TypeScript, "shop.ts", include_str!("samples/shop.ts")),
    (Language::JavaScript, "shop.jsx", include_str!("samples/shop.jsx")),
    (Language::Solidity, "Vault.sol", include_str!("samples/Vault.sol")),
    (Language::Rust, "shop.rs", include_str!("samples/shop.rs.txt")),
    (Language::Go, "shop.go", include_str!("samples/shop.go")),
    (Language::Java, "Shop.java", include_str!("samples/Shop.java")),
];

/// Reads a target back: the offset that it leads to.
pub(in crate::inspect) fn led_to(tree: &Tree, text: &str, target: &str) -> Result<usize, String> {
    let index = crate::text::LineIndex::new(text, crate::text::LineBreaks::Lsp);
    match Target::parse(target).map_err(|error| error.to_string())? {
        Target::Position { line, column, .. } => {
            let position = crate::text::Position { line: line - 1, character: column - 1 };
            let offset = index.offset(text, position, crate::text::Encoding::Utf32);
            offset.ok_or_else(|| format!("{target}: no such place"))
        }
        Target::Symbol { names, lines, .. } => match resolve(tree, text, &names, lines) {
            Resolved::Found(span) => Ok(span.start),
            other => Err(format!("{target}: {other:?}")),
        },
        Target::Lines { first, last, .. } if last as usize <= index.line_count() => {
            Ok(index.line(text, first - 1).map_or(0, |line| line.start))
        }
        Target::File { .. } => Ok(0),
        Target::Range { .. } => Err(format!("{target}: of no name")),
        Target::Lines { .. } => Err(format!("{target}: no such lines")),
    }
}

#[test]
fn every_name_leads_back_to_its_declaration() {
    for (language, file, text) in SAMPLES {
        let tree = Tree::parse(*language, text);
        let outline = outline(&tree, text);
        assert_eq!(tree.error_count(), 0, "{file}");
        assert!(outline.classes.len() > 1 && outline.functions.len() > 3, "{file}: {outline:?}");
        let classes = outline.classes.iter().map(|class| (&class.target, class.node));
        for (target, node) in classes.chain(outline.functions.iter().map(|it| (&it.target, it.node))) {
            let offset = led_to(&tree, text, &format!("{file}{target}")).unwrap();
            let is_declared_beside = node.parent().is_some_and(|outer| outer.span().contains((offset..offset).into()));
            assert!(node.span().contains((offset..offset).into()) || is_declared_beside, "{file}{target}: {offset}");
        }
    }
}

#[test]
fn what_is_called_the_same_is_told_apart() {
    let text = "class A:\n    def f(self): pass\n    def f(self): pass\nclass A:\n    def f(self): pass\n";
    let tree = Tree::parse(Language::Python, text);
    let targets: Vec<String> = outline(&tree, text).functions.into_iter().map(|it| it.target).collect();
    assert_eq!(targets, ["::A::f#L2-L2", "::A::f#L3-L3", "::A::f#L5-L5"]);
    let text = "if (a) { function f() {} } else { function f() {} }\n";
    let tree = Tree::parse(Language::JavaScript, text);
    let targets: Vec<String> = outline(&tree, text).functions.into_iter().map(|it| it.target).collect();
    assert_eq!(targets, [":1:19", ":1:44"]);
}
