//! What trees, names, prose and sites say of small texts.

use super::*;
use crate::text::{AbsPath, Span};

/// Parses a text in which `$0` marks one place; returns it without the mark, and the mark's offset.
fn marked(source: &str) -> (String, usize) {
    let at = source.find("$0").unwrap();
    (source.replacen("$0", "", 1), at)
}

fn site_in(language: Language, source: &str) -> Site {
    let (text, at) = marked(source);
    let tree = Tree::parse(language, &text);
    let span = tree.identifier_at(&text, at).or_else(|| tree.token_at(&text, at).map(|(_, span)| span));
    site(&tree, &text, span.unwrap())
}

fn prose_in(language: Language, text: &str) -> Vec<(Prose, String)> {
    let tree = Tree::parse(language, text);
    tree.prose().into_iter().map(|(prose, span)| (prose, span.of(text).unwrap().to_owned())).collect()
}

const SAMPLES: [(Language, &str); 13] = [
    (Language::Python, "def f(x):\n    return x\n"),
    (Language::TypeScript, "export const f = (x: number): number => x;\n"),
    (Language::Tsx, "const a = <B c={d}>e</B>;\n"),
    (Language::JavaScript, "const f = x => <a>{x}</a>;\n"),
    (Language::Solidity, "contract V { uint total; function f(uint x) public { total = x; } }\n"),
    (Language::Rust, "fn f(x: u32) -> u32 { x }\n"),
    (Language::Go, "package p\nfunc f(x int) int { return x }\n"),
    (Language::Java, "class A { int f(int x) { return x; } }\n"),
    (Language::C, "int f(int x) { return x; }\n"),
    (Language::Cpp, "class A { int f(int x) { return x; } };\n"),
    (Language::Bash, "f() { local x=1; echo \"$x\"; }\n"),
    (Language::Lua, "local function f(x) return x end\n"),
    (Language::Json, "{\"a\": [1]}\n"),
];

#[test]
fn every_grammar_loads_and_takes_its_language() {
    for (language, text) in SAMPLES {
        assert_eq!(Tree::parse(language, text).error_count(), 0, "{language:?}");
        assert_eq!(Language::of_id(language.id()), Some(language));
    }
    assert_eq!(Language::of_path(&AbsPath::new("/a/b.d.ts").unwrap()), Some(Language::TypeScript));
    assert_eq!(Language::of_path(&AbsPath::new("/a/b.pyi").unwrap()), Some(Language::Python));
    assert_eq!(Language::of_path(&AbsPath::new("/a/b.md").unwrap()), None);
    assert_eq!(Language::of_id("javascriptreact"), Some(Language::JavaScript));
}

#[test]
fn variance_annotations_are_no_errors_and_move_nothing() {
    let text = "// <in it>\ninterface A<in out T, out\n  Üb = unknown> { at: T }\ninterface B<\n  /** Cast. */ out T,\n> {}\nconst s = `<out x`; for (const k in {}) s.at(1);\n";
    for language in [Language::TypeScript, Language::Tsx] {
        let tree = Tree::parse(language, text);
        assert_eq!(tree.error_count(), 0);
        let at = text.find("Üb").unwrap();
        assert_eq!(tree.identifier_at(text, at).and_then(|span| span.of(text)), Some("Üb"));
    }
    assert!(Tree::parse(Language::TypeScript, "interface A<in out> {").error_count() > 0);
}

#[test]
fn a_variable_may_be_called_using() {
    let text = "let using = '';\nif (a) {\n  using += (using ? ',' : 'using ') + a;\n}\nfunction f() {}\n";
    for language in [Language::JavaScript, Language::TypeScript] {
        let tree = Tree::parse(language, text);
        assert!(!tree.root().has_error(), "{language:?}");
        assert_eq!(tree.identifiers_named(text, "using").len(), 3, "{language:?}");
    }
}

#[test]
fn an_identifier_is_found_at_both_of_its_ends_and_beside_others() {
    let text = "é.abc+d, #";
    let tree = Tree::parse(Language::JavaScript, "é.abc+d");
    let at = |offset| tree.identifier_at("é.abc+d", offset).and_then(|span| span.of(text));
    assert_eq!(
        [at(0), at(2), at(3), at(6), at(7), at(8)],
        [Some("é"), Some("é"), Some("abc"), Some("abc"), Some("d"), Some("d")]
    );
    let text = "class A { #p = 1; f() { return this.#p } }";
    let tree = Tree::parse(Language::TypeScript, text);
    assert_eq!(tree.identifier_at(text, 10), Some(Span::new(10, 12)), "the mark belongs to the name");
    assert_eq!(tree.identifier_at(text, 0), None, "a keyword is not an identifier");
    assert_eq!(tree.token_at(text, 0), Some(("class".to_owned(), Span::new(0, 5))));
    assert_eq!(tree.identifiers_named(text, "#p").len(), 2);
    assert_eq!(tree.identifiers_named(text, "p"), []);
}

#[test]
fn prose_is_what_stands_between_quotes_and_in_comments() {
    use Prose::{Comment, String};
    let found = |language, text| prose_in(language, text);
    let own = |prose, text: &str| (prose, text.to_owned());
    assert_eq!(
        found(Language::Python, "\"\"\"doc\"\"\"\nx = f'a {b!r:>{w}} c' rb'd' ''  # e\n"),
        [own(String, "doc"), own(String, "a "), own(String, " c"), own(String, "d"), own(Comment, "# e")]
    );
    assert_eq!(
        found(Language::TypeScript, "const s = `a ${f(\"b\")} c`; // d\ntype T = 'e\\n';"),
        [own(String, "a "), own(String, "b"), own(String, " c"), own(Comment, "// d"), own(String, "e\\n")]
    );
    assert_eq!(found(Language::Tsx, "x = <a b=\"c\">d {e}</a>"), [own(String, "c"), own(String, "d "),]);
    assert_eq!(found(Language::Rust, "f(r#\"a\"#, \"b\");"), [own(String, "a"), own(String, "b")]);
    assert_eq!(found(Language::Go, "package p\nvar s = \"a\" + `b`\n"), [own(String, "a"), own(String, "b")]);
    assert_eq!(
        found(Language::Bash, "echo 'a' \"b $c\" # d\n"),
        [own(String, "a"), own(String, "b "), own(Comment, "# d")]
    );
    assert_eq!(found(Language::Cpp, "auto s = R\"(a)\"; /* b */"), [own(String, "a"), own(Comment, "/* b */")]);
    assert_eq!(found(Language::Lua, "x = [[a]] -- b"), [own(String, "a"), own(Comment, "-- b")]);
    assert_eq!(
        found(Language::Solidity, "contract A { string s = \"a\"; } // b"),
        [own(String, "a"), own(Comment, "// b")]
    );
}

#[test]
fn whole_words_know_letters_of_every_script() {
    let text = "total totals $total total_ (total) untotal gesamttotal totalé";
    let starts: Vec<usize> = whole_words(text, "total").into_iter().map(|span| span.start).collect();
    assert_eq!(starts, [0, text.find("(total").unwrap() + 1]);
    assert_eq!(whole_words("größe größer", "größe").len(), 1);
    assert_eq!(whole_words("e\u{301}", "e"), [], "a combining mark continues the word");
    assert_eq!(whole_words("this.#p, #pq", "#p").len(), 1);
    assert_eq!(whole_words("a", ""), []);
}

#[test]
fn names_are_checked_by_their_language_s_rules() {
    use Language::{Bash, Go, Java, Json, Lua, Python, Rust, Solidity, TypeScript};
    for (language, good) in [
        (Python, "match type case _ größe __x async_ x1"),
        (TypeScript, "$a #priv type of async get as from número declare namespace abstract"),
        (Solidity, "$a total emits uint7 bytes33"),
        (Rust, "r#type x größe union"),
        (Go, "x größe nil"),
        (Java, "x $y record"),
        (Lua, "x self"),
        (Bash, "x my-function"),
    ] {
        for name in good.split(' ') {
            assert_eq!(check_name(language, name), Ok(()), "{language:?} {name}");
        }
    }
    for (language, bad) in [
        (Python, "class None True async await 1x a-b a.b $x #x a\u{200b}b"),
        (TypeScript, "class await yield let static implements enum 1x a-b # #1 arguments eval"),
        (Solidity, "uint uint256 bytes32 after let größe address"),
        (Rust, "type self r#self _ 1x"),
        (Go, "func _ a$"),
        (Java, "class _ true"),
        (Lua, "end größe"),
        (Bash, "fi 1x"),
        (Json, "x"),
    ] {
        for name in bad.split(' ') {
            assert!(check_name(language, name).is_err(), "{language:?} {name}");
        }
    }
    assert_eq!(check_name(Python, ""), Err(BadName::Empty));
    let error = check_name(TypeScript, "a b").unwrap_err();
    assert_eq!(error.to_string(), "`a b` is not an identifier: ` ` cannot stand at character 2 of a name");
    assert_eq!(
        check_name(Python, "ｘ").unwrap_err().to_string(),
        "`ｘ` reads as `x` to Python, which compares names in their NFKC form"
    );
}

#[test]
fn python_sites() {
    let python = |source| site_in(Language::Python, source);
    assert!(matches!(python("from .m import $0a"), Site::ImportSpecifier { module: Some(_) }));
    assert!(matches!(python("from m import $0a as b"), Site::ImportedName { .. }));
    assert!(matches!(python("from m import a as $0b"), Site::ImportAlias { .. }));
    assert_eq!(python("import a.$0b"), Site::ModuleSpecifier { whole: Span::new(7, 10) });
    assert_eq!(python("from ..a.$0b import c"), Site::ModuleSpecifier { whole: Span::new(5, 10) });
    assert!(matches!(python("import a.b as $0c"), Site::ImportAlias { .. }));
    assert_eq!(python("f($0x=1)"), Site::KeywordArgument);
    assert_eq!(python("f(x=$0y)"), Site::Plain);
    assert_eq!(python("a.$0b"), Site::Member);
    assert_eq!(
        python("class A:\n    def f(self):\n        self.$0b = 1"),
        Site::Declaration(DeclarationKind::Property)
    );
    assert_eq!(python("other.$0b = 1"), Site::Member);
    assert_eq!(python("class A:\n    def $0f(self): ..."), Site::Declaration(DeclarationKind::Method));
    assert_eq!(python("class A:\n    $0x: int"), Site::Declaration(DeclarationKind::Property));
    assert_eq!(python("def $0f(): ..."), Site::Declaration(DeclarationKind::Function));
    assert_eq!(python("def f(*, $0a=1): ..."), Site::Declaration(DeclarationKind::Parameter));
    assert_eq!(python("x = 'a$0b'"), Site::String);
    assert_eq!(python("x = f'{$0b}'"), Site::Plain);
    assert_eq!(python("# a$0b"), Site::Comment);
    assert_eq!(python("re$0turn"), Site::Keyword);
}

#[test]
fn script_sites() {
    let script = |source| site_in(Language::TypeScript, source);
    assert!(matches!(script("import { $0a } from 'm'"), Site::ImportSpecifier { .. }));
    assert!(matches!(script("import { $0a as b } from 'm'"), Site::ImportedName { .. }));
    assert!(matches!(script("import { a as $0b } from 'm'"), Site::ImportAlias { .. }));
    assert!(matches!(script("import $0a from 'm'"), Site::DefaultImport { .. }));
    assert!(matches!(script("import * as $0a from 'm'"), Site::NamespaceImport { .. }));
    assert!(matches!(script("export { $0a }"), Site::ExportSpecifier { module: None }));
    assert!(matches!(script("export { $0a } from 'm'"), Site::ExportSpecifier { module: Some(_) }));
    assert!(matches!(script("export { a as $0b } from 'm'"), Site::ExportAlias { .. }));
    assert_eq!(script("import a from './m$0'"), Site::ModuleSpecifier { whole: Span::new(15, 18) });
    assert!(matches!(script("const a = require('./m$0')"), Site::ModuleSpecifier { .. }));
    assert!(matches!(script("import('./m$0')"), Site::ModuleSpecifier { .. }));
    assert_eq!(script("const x = { $0a }"), Site::ShorthandProperty);
    assert_eq!(script("const { $0a } = x"), Site::ShorthandPattern);
    assert_eq!(script("const { a: $0b } = x"), Site::Declaration(DeclarationKind::Constant));
    assert_eq!(script("const { $0a: b } = x"), Site::Member);
    assert_eq!(script("interface I { $0a: string }"), Site::Declaration(DeclarationKind::Property));
    assert_eq!(script("enum E { $0A }"), Site::Declaration(DeclarationKind::EnumMember));
    assert_eq!(script("type $0T = 1"), Site::Declaration(DeclarationKind::TypeAlias));
    assert_eq!(script("let x: stri$0ng"), Site::Keyword);
    assert_eq!(script("a.$0b()"), Site::Member);
    assert_eq!(script("x = `${$0b}`"), Site::Plain);
}

#[test]
fn declarations_carry_the_path_that_a_target_names() {
    let paths = |language, text: &str| -> Vec<String> {
        let all = declarations(&Tree::parse(language, text), text);
        all.iter().map(|it| format!("{:?} {}", it.kind, it.path.join("."))).collect()
    };
    let text = "class A(Enum):\n    X = 1\n    def f(self, p):\n        self.q = p\n        v = 1\n        v = 2\n";
    let expected = [
        "Class A",
        "EnumMember A.X",
        "Method A.f",
        "Parameter A.f.self",
        "Parameter A.f.p",
        "Property A.q",
        "Variable A.f.v",
    ];
    assert_eq!(paths(Language::Python, text), expected);
    let text = "package p\nfunc (o *Order) Total(x int) int { y := x; return y }\n";
    let expected = [
        "Module p",
        "Parameter Order.Total.o",
        "Method Order.Total",
        "Parameter Order.Total.x",
        "Variable Order.Total.y",
    ];
    assert_eq!(paths(Language::Go, text), expected);
    let text = "impl Tr for S { fn f(&self) { let (a, b) = x; } }";
    assert_eq!(paths(Language::Rust, text), ["Method S.f", "Variable S.f.a", "Variable S.f.b"]);
    let text = "contract V { uint total; function f(uint x) public { uint y = x; } }";
    assert_eq!(
        paths(Language::Solidity, text),
        ["Class V", "Property V.total", "Method V.f", "Parameter V.f.x", "Variable V.f.y"]
    );
    let text = "export const o = { m() {}, p: 1 };\nconst f = (x) => x;";
    assert_eq!(
        paths(Language::TypeScript, text),
        ["Constant o", "Method o.m", "Property o.p", "Constant f", "Parameter f.x"]
    );
}

#[test]
fn a_declaration_reaches_from_its_decorators_to_its_end() {
    let text = "@a\n@b(1)\ndef f(): ...\n";
    let all = declarations(&Tree::parse(Language::Python, text), text);
    assert_eq!(all[0].full_span.of(text), Some("@a\n@b(1)\ndef f(): ..."));
    let text = "export default class A {}";
    let all = declarations(&Tree::parse(Language::TypeScript, text), text);
    assert_eq!(all[0].full_span.of(text), Some(text));
}

#[test]
fn the_class_model_knows_bases_members_and_receivers() {
    let text = "class A(m.Base[T], Protocol, metaclass=M):\n    x: int\n    @classmethod\n    def make(cls, a, *, b=1): cls.n = 1\n    \
        @property\n    def p(self): self.y = self.x = 1\n    class In:\n        def g(self): self.z = 1\n";
    let found = python::classes(&Tree::parse(Language::Python, text), text);
    let [outer, inner] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(outer.bases.iter().map(|base| base.text.as_str()).collect::<Vec<_>>(), ["m.Base", "Protocol"]);
    assert_eq!(outer.bases[0].name_span.of(text), Some("Base"));
    assert!(outer.is_protocol && !inner.is_protocol);
    assert_eq!(inner.path, ["A", "In"]);
    let methods: Vec<_> = outer.methods.iter().map(|it| (it.name.as_str(), it.receiver, it.is_property)).collect();
    assert_eq!(methods, [("make", python::Receiver::Class, false), ("p", python::Receiver::Instance, true)]);
    assert_eq!(outer.methods[0].params.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["cls", "a", "b"]);
    let attributes: Vec<_> = outer.attributes.iter().map(|it| (it.name.as_str(), it.places.len())).collect();
    assert_eq!(attributes, [("x", 2), ("n", 1), ("y", 1)]);
}

#[test]
fn dunder_all_is_read_in_every_form() {
    let text = "__all__: list[str] = ['a', \"b\"] + ['c']\n__all__ += ('d',)\n__all__.extend(['e'])\n__all__.append('f')\nx = ['g']\n";
    let found = python::dunder_all(&Tree::parse(Language::Python, text), text);
    assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<String>(), "abcdef");
    assert!(found.iter().all(|(name, span)| span.of(text) == Some(name)));
}

#[test]
fn a_line_end_outside_of_brackets_is_a_fault_of_python() {
    let faults = |text: &str| Tree::parse(Language::Python, text).fault_count(text);
    for sound in [
        "x = (1 +\n1)\n",
        "x = 1 + \\\n    1\n",
        "if x:\n    a()\n    # no\nelif y: b()\nelse:\n    c(\n    )\n\nd()",
        "@a\n@b\n# c\ndef f(): pass\n",
        "x = \"\"\"\n a\n\"\"\"\ny = f\"\"\"{\n a}\n\"\"\"\n",
        "try:\n    a\nexcept* E:\n    b\nfinally:\n    c\nwith a as b:\n    pass\nfor a in b:\n    pass\nelse:\n    a; b\n",
        "match a:\n    case 1:\n        b\n    case _: c\nclass A:\n    x = 1\n\n    def f(self):\n        pass\n",
    ] {
        assert_eq!(faults(sound), 0, "{sound}");
    }
    for broken in ["x = 1 +\n1\n", "def f():\n    return a.\n    b\n", "print(a) if\n b else c\n"] {
        assert!(faults(broken) > 0, "{broken}");
    }
}

#[test]
fn errors_are_counted_and_broken_text_is_borne() {
    assert_eq!(Tree::parse(Language::Python, "x = 1\n").error_count(), 0);
    assert!(Tree::parse(Language::Python, "def f(:\n").error_count() > 0);
    assert!(Tree::parse(Language::TypeScript, "const x = ;").error_count() > 0);
    for (language, text) in SAMPLES {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            bear(language, &text[..end]);
            bear(language, &text[end..]);
        }
    }
}

#[test]
fn ten_thousand_levels_do_not_fill_the_stack() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(10_000), close.repeat(10_000));
    for (language, text) in [
        (Language::Python, deep("(", ")")),
        (Language::Python, deep("f(", "")),
        (Language::JavaScript, deep("{", "}")),
        (Language::TypeScript, format!("x = {}", deep("[", "]"))),
        (Language::Json, deep("[", "]")),
        (Language::Rust, deep("{", "}")),
    ] {
        bear(language, &text);
    }
}

/// Asks everything of a text; what is given back has to lie in it.
fn bear(language: Language, text: &str) {
    let tree = Tree::parse(language, text);
    tree.error_count();
    assert!(tree.prose().iter().all(|(_, span)| span.of(text).is_some()));
    for declaration in declarations(&tree, text) {
        assert_eq!(declaration.name_span.of(text), Some(declaration.name.as_str()));
    }
    for offset in [0, text.len() / 2, text.len(), text.len() + 1] {
        tree.identifier_at(text, offset);
        tree.token_at(text, offset);
        site(&tree, text, Span::at(offset));
    }
    scopes::names(&tree, text);
    python::classes(&tree, text);
    python::dunder_all(&tree, text);
}

/// What tree-sitter itself says, which takes a long time in a long list.
#[test]
fn fields_and_smallest_nodes_are_those_of_the_grammar() {
    for (language, text) in [
        (
            Language::Python,
            "@d\ndef f(a, *b, c: int = 1) -> x:\n    'doc'\n    return [a, {c: b}, *b][0:1]\nfor i in x:\n  pass\n",
        ),
        (
            Language::TypeScript,
            "@D() class A<T> extends B { x?: T = 1; get y() { return [1, 2, this.x] } }\nexport { A as C };",
        ),
        (Language::Tsx, "const a = <b c={d}>e {f}</b>;"),
        (Language::JavaScript, "switch (a) { case 1: f({ b, c: 2 }); break; default: }"),
        (
            Language::Solidity,
            "contract A is B { uint x = 1; function f(uint a) public returns (uint) { return g{value: 1}(a); } }",
        ),
        (Language::Rust, "impl<T> A for B { fn f(&self, x: u8) -> u8 { match x { 1 => 2, _ => a.b[c] } } }"),
        (Language::Go, "package p\nfunc (r *R) f(a, b int) (c int) { switch a { case 1: return b } }\n"),
        (Language::Java, "class A { int x = 1; void f(int a) { if (a > 1) { g(a, x); } else { } } }"),
        (Language::C, "struct s { int a, b; }; int f(int x) { return x ? a[1] : g(2); }"),
        (Language::Cpp, "template <class T> struct A : B { int f(T t) const { return t.x; } };"),
        (Language::Bash, "f() { if a; then b \"$c\"; fi; }; case x in y) z ;; esac\n"),
        (Language::Lua, "local function f(a, ...) return a.b, { c = 1 } end"),
        (Language::Json, "{\"a\": [1, {\"b\": null}]}"),
        (Language::Python, "def f(:\n  x = [1, 2\nclass (\n"),
    ] {
        let tree = Tree::parse(language, text);
        let mut cursor = tree.root().walk();
        for node in tree.nodes().iter() {
            cursor.goto_descendant(node.index());
            assert_eq!((node.kind(), node.field()), (cursor.node().kind(), cursor.field_name()), "{node:?} of {text}");
        }
        for at in 0..text.len() {
            let smallest = tree.root().descendant_for_byte_range(at, at + 1).unwrap();
            let covering = tree.nodes().covering(Span::new(at, at + 1));
            assert_eq!(covering.span(), Span::from(smallest.byte_range()), "{at} of {text}");
            let touching = tree.nodes().covering(Span::at(at));
            assert!(touching.span().contains(Span::at(at)), "{at} of {text}");
            assert!(
                touching.children().all(|it| it.span().is_empty() || !it.span().contains(Span::at(at))),
                "{at} of {text}"
            );
        }
    }
}
