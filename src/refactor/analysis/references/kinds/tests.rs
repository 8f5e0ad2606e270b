//! Names are told apart by what is done with them.

use super::{UseKind, kind};
use crate::refactor::source_file::Code;
use crate::syntax::Language;
use crate::text::Span;

/// Returns what is done with every `x` of a text.
fn kinds(language: Language, text: &str) -> Vec<UseKind> {
    let code = Code::of_text(language, text);
    let places = code.parsed().tree.identifiers_named(text, "x");
    places.into_iter().map(|span: Span| kind(&code, span)).collect()
}

#[test]
fn python_names() {
    use UseKind::{Base, Bind, Call, Decorator, Definition, Delete, Import, Keyword, Read, Type, Update, Write};
    let of = |text| kinds(Language::Python, text);
    assert_eq!(of("from m import x\nimport x as y\n"), [Import; 2]);
    assert_eq!(of("class A(x):\n    x: int = 1\n"), [Base, Definition]);
    assert_eq!(of("a.x = 1\na.x += 1\ndel a.x\n"), [Write, Update, Delete]);
    assert_eq!(of("a.x, b = 1, 2\nfor a.x in b:\n    pass\nwith b as a.x:\n    pass\n"), [Bind; 3]);
    assert_eq!(of("a.x(1)\nprint(a.x)\nf(x=a.x.y)\na[b.x] = 1\n"), [Call, Read, Keyword, Read, Read]);
    assert_eq!(of("@x\ndef f(a: x) -> None: ...\n"), [Decorator, Type]);
    assert_eq!(of("from typing import Callable\nA = Callable[[int, x], None]\nB = dict[str, x]\n"), [Type; 2]);
    assert_eq!(
        of("A: TypeAlias = x | None\nclass B(Base[x]): ...\nc = known[x]\nd: int = x\n"),
        [Type, Type, Read, Read]
    );
}

#[test]
fn script_names() {
    use UseKind::{Base, Bind, Call, Definition, Delete, Export, Import, Key, New, Pattern, Read, Type, Update, Write};
    let of = |text| kinds(Language::TypeScript, text);
    assert_eq!(of("import { x } from 'm';\nexport { x };\n"), [Import, Export]);
    assert_eq!(of("class A extends x { x = 1; get x() { return 1; } }\n"), [Base, Definition, Definition]);
    assert_eq!(of("a.x = 1; a.x += 1; a.x++; delete a.x;\n"), [Write, Update, Update, Delete]);
    assert_eq!(of("[a.x] = b; ({ y: a.x } = b); for (a.x of b) {}\n"), [Bind; 3]);
    assert_eq!(of("a.x(1); new x(); f(a.x); a[b.x] = 1;\n"), [Call, New, Read, Read]);
    assert_eq!(
        of("const { x } = a; const { x: y } = a; const o = { x: 1 }; f({ x });\n"),
        [Pattern, Pattern, Key, Key]
    );
    assert_eq!(of("let a: x; let b: typeof x;\n"), [Type, Type]);
    assert_eq!(of("export default x;\n"), [Export]);
}
