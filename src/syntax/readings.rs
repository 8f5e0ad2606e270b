//! Texts of the same length for what TypeScript and JavaScript know and their grammars here do not. A tree says only where
//! things are, so that the tree of such a text is one of the text itself.

use std::borrow::Cow;

use super::words::{changed, is_word};
use super::{Family, Language, Node, Nodes, module_types, variance, whole_words};
use crate::text::Span;

/// Reads a text as another one; none where there is nothing of the kind.
type Reading = fn(Language, &str) -> Option<String>;

/// What is tried one after the other, each upon the one before, until the text is without errors.
const READINGS: &[Reading] = &[
    named_using,
    module_types::generic,
    module_types::indexed,
    of_types,
    variance::blanked,
    without_attributes,
    with_reserved_names,
    without_ampersands,
];

/// Parses a text, or one that has everything at the same place, and returns that one, too.
pub(super) fn read(language: Language, text: &str) -> (tree_sitter::Tree, Cow<'_, str>) {
    let mut text = module_types::called(language, text).map_or(Cow::Borrowed(text), Cow::Owned);
    let mut tree = parsed(language, &text);
    for reading in READINGS {
        if !tree.root_node().has_error() {
            break;
        }
        if let Some(read) = reading(language, &text) {
            tree = parsed(language, &read);
            text = Cow::Owned(read);
        }
    }
    // Of all it alone may break what it does not mend: `a` and `< b` below it are one comparison.
    if tree.root_node().has_error()
        && let Some(read) = parted(language, &text)
    {
        let other = parsed(language, &read);
        if !other.root_node().has_error() {
            return (other, Cow::Owned(read));
        }
    }
    (tree, text)
}

/// Parses a text as it stands.
fn parsed(language: Language, text: &str) -> tree_sitter::Tree {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language.grammar()).expect("every compiled-in grammar fits the compiled-in tree-sitter");
    parser.parse(text, None).expect("a parser with a language and without a callback always answers")
}

/// A text in which `export type * from` (TypeScript 5.0) reads `export * from`, `import type A = B.C` reads `import A = B.C`, and
/// `import defer * as` (a proposal for ECMAScript) `import * as`.
fn of_types(language: Language, text: &str) -> Option<String> {
    if language.family() != Family::Script {
        return None;
    }
    let mut read = text.to_owned();
    for (statement, word) in [("export", "type"), ("import", "type"), ("import", "defer")] {
        for (at, _) in text.match_indices(statement) {
            let behind = text[at + statement.len()..].trim_start();
            let rest = behind.strip_prefix(word).map(str::trim_start).unwrap_or_default();
            let name = rest.trim_start_matches(is_word);
            let is_alias = statement == "import" && name.len() < rest.len() && name.trim_start().starts_with('=');
            if rest.starts_with('*') || is_alias {
                let start = text.len() - behind.len();
                read.replace_range(start..start + word.len(), &" ".repeat(word.len()));
            }
        }
    }
    (read != text).then_some(read)
}

/// A text in which a variable that is called `using` has another name: the grammar here takes `using += (using ? "," : "")` for
/// a declaration (ECMAScript's explicit resource management).
fn named_using(language: Language, text: &str) -> Option<String> {
    const WORD: &str = "using";
    if language.family() != Family::Script {
        return None;
    }
    let mut named = text.to_owned();
    for word in whole_words(text, WORD) {
        let behind = &text[word.end..];
        let next = behind.trim_start_matches([' ', '\t']);
        let is_declaring = next.len() < behind.len() && next.starts_with(|it: char| it.is_alphabetic() || it == '_');
        if !is_declaring {
            rename(&mut named, word);
        }
    }
    (named != text).then_some(named)
}

/// A text in which `;` stands before what begins a line with `<`, `in:` or `type:`: a signature that takes type parameters, or a
/// property of that name, ends the one above it.
fn parted(language: Language, text: &str) -> Option<String> {
    if !language.is_typed_script() {
        return None;
    }
    let begins = |line: &str| ["<", "in:", "in?:", "type:", "type?:"].iter().any(|it| line.starts_with(it));
    let is_comment = |line: &str| ["//", "/*", "*"].iter().any(|it| line.starts_with(it));
    let mut parted = text.as_bytes().to_vec();
    let (mut start, mut before) = (0, None);
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let ends = |last: u8| last.is_ascii_alphanumeric() || b">])}'\"`_$".contains(&last);
        // The blank before it gives way, so that no line becomes part of another.
        if begins(&line[indent..]) && line[..indent].ends_with([' ', '\t']) && before.is_some_and(ends) {
            parted[start + indent - 1] = b';';
        }
        before = line.trim_end().bytes().last().filter(|_| !is_comment(&line[indent..])).or(before);
        start += line.len();
    }
    changed(text, parted)
}

/// A text of JavaScript in which reserved words are names where they stand for such: attributes of elements (`<div class="a">`),
/// and what lists import and export (`if_block as if`, `class as style`).
fn with_reserved_names(language: Language, text: &str) -> Option<String> {
    const RESERVED: &[&str] = &[
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "delete",
        "do",
        "else",
        "enum",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "import",
        "in",
        "instanceof",
        "new",
        "null",
        "return",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "var",
        "void",
        "while",
        "with",
    ];
    const NAMED: &[&str] = &["jsx_attribute", "export_specifier", "import_specifier", "namespace_export"];
    if language != Language::JavaScript {
        return None;
    }
    let may_be = |word: &Span| {
        let (before, behind) = (text[..word.start].trim_end(), text[word.end..].trim_start());
        behind.starts_with('=') || behind.starts_with("as") || before.ends_with("as")
    };
    let words: Vec<Span> = RESERVED.iter().flat_map(|it| whole_words(text, it)).filter(may_be).collect();
    only_where((language, text), words, rename, |it| it.parent().is_some_and(|it| it.is_any(NAMED)))
}

/// A text in which the attributes of a module (`export * from "./a.json" with { type: "json" }`, `assert { … }` of older
/// programs) are blank; a `;` for their last character keeps them in their statement.
fn without_attributes(language: Language, text: &str) -> Option<String> {
    if language.family() != Family::Script {
        return None;
    }
    let mut read = text.as_bytes().to_vec();
    for word in ["with", "assert"].iter().flat_map(|it| whole_words(text, it)) {
        let behind = &text[word.end..];
        let list = behind.trim_start().strip_prefix('{').and_then(|it| it.split_once('}'));
        let Some((_, rest)) = list.filter(|_| text[..word.start].trim_end().ends_with(['"', '\''])) else { continue };
        let end = text.len() - rest.len();
        read[word.start..end].iter_mut().filter(|it| !it.is_ascii_whitespace()).for_each(|it| *it = b' ');
        if !rest.trim_start().starts_with(';') {
            read[end - 1] = b';';
        }
    }
    changed(text, read)
}

/// A text in which the texts and strings of elements (JSX) have no `&` but in entities: `href="/?a=1&b=2"`, `Terms & Rules`.
fn without_ampersands(language: Language, text: &str) -> Option<String> {
    const TEXTS: &[&str] = &["jsx_text", "string", "string_fragment"];
    if !matches!(language, Language::JavaScript | Language::Tsx) {
        return None;
    }
    let all = memchr::memchr_iter(b'&', text.as_bytes()).filter(|at| !is_entity(&text[*at..]));
    // As an operator it may be this one, too, so that nothing else breaks where it is tried everywhere.
    let with_bar = |read: &mut String, place: Span| read.replace_range(place.start..place.end, "|");
    only_where((language, text), all.map(|at| Span::new(at, at + 1)).collect(), with_bar, |it| it.is_any(TEXTS))
}

/// A text that is changed at those of some places that turn out to be what is meant when all of them are.
fn only_where(
    (language, text): (Language, &str),
    mut places: Vec<Span>,
    change: fn(&mut String, Span),
    is_meant: impl Fn(Node<'_>) -> bool,
) -> Option<String> {
    let at = |places: &[Span]| {
        let mut read = text.to_owned();
        for place in places {
            change(&mut read, *place);
        }
        (read != text).then_some(read)
    };
    let nodes = Nodes::of(language, &parsed(language, &at(&places)?));
    places.retain(|place| is_meant(nodes.covering(*place)));
    at(&places)
}

/// Tells whether a text begins with a character's name or number: `&nbsp;`, `&#160;`.
fn is_entity(text: &str) -> bool {
    let name = text[1..].trim_start_matches('#');
    let rest = name.trim_start_matches(|it: char| it.is_ascii_alphanumeric());
    rest.len() < name.len() && rest.starts_with(';')
}

/// Makes another name of a word, as long as it was.
fn rename(text: &mut String, word: Span) {
    let last = text[word.end - 1..word.end].to_ascii_uppercase();
    text.replace_range(word.end - 1..word.end, &last);
}

#[cfg(test)]
mod tests {
    use Language::{JavaScript, Tsx, TypeScript};

    use crate::syntax::{Language, Tree};

    #[test]
    fn what_the_grammars_do_not_know_is_no_error() {
        for (languages, text) in [
            (&[JavaScript, Tsx][..], "const a = <div id=\"b\" class=\"c\"><label for={d}>e</label></div>;\n"),
            (
                &[JavaScript, Tsx],
                "const a = <a href=\"/?b=1&c=2&d\">Talks & Rules && &nbsp; b&c</a>, b = c && d & e;\n",
            ),
            (&[JavaScript, TypeScript], "export { a as if, b as do };\nimport c, { class as d } from './e';\n"),
            (&[JavaScript, TypeScript], "export * as function from './a';\n"),
            (&[JavaScript, TypeScript], "export { a } from './a.json' with { type: 'json' }\nlet b;\n"),
            (&[JavaScript, TypeScript], "export * from './a.json' with { type: 'json' };\n"),
            (&[JavaScript], "import a from './a.json' assert { type: 'json' };\n"),
            (&[JavaScript, TypeScript], "import defer * as a from './a';\n"),
            (&[TypeScript, Tsx], "import type A = B.C;\nexport type * from './a';\nexport type * as d from './d';\n"),
            (&[TypeScript, Tsx], "type A = { b: import('./c').D[], e: P<import('./c').D<F>['g']>[0] };\n"),
            (&[TypeScript, Tsx], "let a: import('./b').C['d'][], e: import('./b').C<[f: G, h: () => void]>;\n"),
            (&[TypeScript, Tsx], "interface A {\n  a?: M<S['I']>\n  in?: M<X>\n  type?: X\n}\n"),
            (&[Tsx], "const a = <a href=\"?b&c\" />;\nconst d = e\n  < f;\n"),
            (&[TypeScript], "interface A {\n  <T>(a: T): A<T>\n\n  /** Other. */\n  <T, U>(a: T): U\n}\n"),
        ] {
            for language in languages {
                let tree = Tree::parse(*language, text);
                assert!(!tree.root().has_error(), "{language:?}: {text}{}", tree.root().to_sexp());
            }
        }
    }

    #[test]
    fn operators_stay_what_they_are() {
        let tree = Tree::parse(Tsx, "const a = <a href=\"?b&c\" />, b = c & d && e;\n");
        let kinds: Vec<&str> =
            tree.nodes().iter().map(|it| it.kind()).filter(|it| it.starts_with(['&', '|'])).collect();
        assert_eq!(kinds, ["&", "&&"]);
    }

    #[test]
    fn attributes_are_of_their_statement() {
        let text = "export * from './a.json' with { type: 'json' }\nlet b;\n";
        let tree = Tree::parse(JavaScript, text);
        let ends: Vec<usize> = tree.nodes().root().named_children().map(|it| it.end()).collect();
        assert_eq!(ends, [text.find('\n').unwrap(), text.len() - 1]);
    }

    #[test]
    fn what_is_broken_stays_broken() {
        for text in ["const a = <div class=>b</div>;", "class = 3;", "export { a as };", "a &;"] {
            assert!(Tree::parse(JavaScript, text).root().has_error(), "{text}");
        }
    }
}
