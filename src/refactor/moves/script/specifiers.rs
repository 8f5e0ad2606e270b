//! The strings of a script by which it names other files.

use crate::syntax::{Family, Language, Tree};
use crate::text::{RelPath, Span};

/// What the language does with a string that names a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It loads the file: `import`, `export … from`, `require`, `require.resolve`, `import()`, `new URL("…", import.meta.url)`, `declare module`, `/// <reference>`, and what a
    /// test puts a double in the place of: `vi.mock`, `jest.mock`.
    Load,
    /// It is a string to the language; a tool may know it.
    Plain,
    /// It stands in a comment that no tool reads.
    Prose,
}

/// Methods of Jest and Vitest that take a module's path.
const OF_DOUBLES: [&str; 12] = [
    "mock",
    "doMock",
    "unmock",
    "doUnmock",
    "dontMock",
    "deepUnmock",
    "setMock",
    "requireActual",
    "requireMock",
    "importActual",
    "importMock",
    "unstable_mockModule",
];

/// Returns the content of everything between two like quotes on one line: a superset of the text's
/// string literals, found without parsing.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = Span> {
    const LONGEST: usize = 500;
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'\'', b'"', b'`', bytes).filter_map(move |open| {
        let rest = &bytes[open + 1..bytes.len().min(open + LONGEST)];
        let length = memchr::memchr3(bytes[open], b'\n', b'\\', rest)?;
        (length > 0 && rest[length] == bytes[open]).then(|| Span::new(open + 1, open + 1 + length))
    })
}

/// Tells what the string with this content is to the language; nothing where no string begins and ends there.
pub(super) fn form_at(tree: &Tree, text: &str, content: Span) -> Option<Form> {
    let outer = Span::new(content.start - 1, content.end + 1);
    let mut node = tree.root().descendant_for_byte_range(outer.start, outer.end)?;
    if matches!(node.kind(), "string_fragment" | "\"" | "'" | "`") {
        node = node.parent()?;
    }
    match node.kind() {
        "comment" | "html_comment" => Some(form_in_comment(text, outer, Span::from(node.byte_range()))),
        "string" | "template_string" if Span::from(node.byte_range()) == outer => Some(form_in_code(text, outer)),
        // An import type with attributes and other new syntax can break the grammar; its strings stand all the same.
        "ERROR" => Some(form_in_code(text, outer)),
        _ => None,
    }
}

/// Tells whether a string may name a file that the text loads: without a tree, so that some more than those do.
pub(super) fn may_load(text: &str, content: Span) -> bool {
    let before = skip_back(&text[..content.start - 1]);
    form_in_code(text, Span::new(content.start - 1, content.end + 1)) == Form::Load
        || before.strip_suffix('=').is_some_and(|rest| ends_with_word(rest.trim_end(), "path"))
}

/// Tells whether a function that asks for paths is passed the string with this content: `path.join(here, "..")`.
pub(super) fn is_taken_for_path(tree: &Tree, text: &str, content: Span) -> bool {
    const OF_PATHS: [&str; 3] = ["path", "posix", "win32"];
    const ALONE: [&str; 4] = ["dirname", "join", "normalize", "relative"];
    const ALWAYS: [&str; 4] = ["URL", "createRequire", "require", "resolve"];
    let string = tree.nodes().covering(Span::new(content.start - 1, content.end + 1));
    let call = string.parent().filter(|it| it.is("arguments")).and_then(|it| it.parent());
    let callee = call.and_then(|it| it.child("function").or_else(|| it.child("constructor")));
    let Some(callee) = callee else { return false };
    let name = callee.child("property").unwrap_or(callee).text(text);
    let object = callee.child("object").map(|it| it.child("property").unwrap_or(it).text(text));
    ALWAYS.contains(&name) || object.map_or(ALONE.contains(&name), |object| OF_PATHS.contains(&object))
}

fn form_in_code(text: &str, outer: Span) -> Form {
    let has_substitution = text[outer.start..outer.end].contains("${");
    let before = skip_back(&text[..outer.start]);
    let is_url =
        || before.strip_suffix('(').is_some_and(|it| ends_with_word(it, "URL")) && is_by_module(&text[outer.end..]);
    let loads = ends_with_word(before, "from")
        || ends_with_word(before, "import")
        || before.strip_suffix('(').map(skip_back).is_some_and(calls_a_loader)
        || before.strip_suffix("module").map(skip_back).is_some_and(|rest| ends_with_word(rest, "declare"))
        || is_url();
    if loads && !has_substitution { Form::Load } else { Form::Plain }
}

fn form_in_comment(text: &str, outer: Span, comment: Span) -> Form {
    let before = &text[comment.start..outer.start];
    let is_reference = before.starts_with("///")
        && before.contains("<reference")
        && before.trim_end().strip_suffix('=').is_some_and(|rest| ends_with_word(rest.trim_end(), "path"));
    let imports = before.starts_with("/**")
        && (before.strip_suffix('(').is_some_and(|rest| ends_with_word(rest, "import"))
            || before.contains("@import") && ends_with_word(before.trim_end(), "from"));
    if is_reference || imports { Form::Load } else { Form::Prose }
}

fn calls_a_loader(before: &str) -> bool {
    let require = || {
        before.strip_suffix("require").is_some_and(|rest| {
            // `...require("./shop")`
            !ends_in_word(rest) && (!rest.ends_with('.') || rest.ends_with("..."))
        })
    };
    let resolves = || {
        before.ends_with("import.meta.resolve")
            || before.strip_suffix("require.resolve").is_some_and(|it| !ends_in_word(it))
    };
    ends_with_word(before, "import") || require() || resolves() || calls_for_a_double(before)
}

/// Tells whether what a URL is relative to is the module that it stands in: `new URL("./a", import.meta.url)`.
fn is_by_module(rest: &str) -> bool {
    rest.trim_start().strip_prefix(',').is_some_and(|rest| rest.trim_start().starts_with("import.meta.url"))
}

/// Tells whether a test's tool is asked for a module, or to put something in its place: `vi.importActual<…>`, `jest.mock`.
fn calls_for_a_double(before: &str) -> bool {
    let called = before.strip_suffix('>').and_then(without_type_arguments).unwrap_or(before);
    let Some((tool, method)) = called.rsplit_once('.') else { return false };
    let is_of_tool = ends_with_word(tool, "jest") || ends_with_word(tool, "vi") || ends_with_word(tool, "vitest");
    // Node's own, `t.mock.module` among them.
    let is_mock = tool.strip_suffix("mock").is_some_and(|rest| !ends_in_word(rest));
    is_of_tool && OF_DOUBLES.contains(&method) || is_mock && method == "module"
}

/// Tells whether a test's tool is given a module's path to put something in its place.
pub(super) fn is_double(text: &str, content: Span) -> bool {
    let before = skip_back(&text[..content.start - 1]);
    before.strip_suffix('(').map(skip_back).is_some_and(calls_for_a_double)
}

/// Returns where the name stands that is asked of a module at once: `import("./a").T`, `(await import("./a")).t`.
pub(super) fn imported_member(text: &str, content: Span) -> Option<Span> {
    let before = skip_back(&text[..content.start - 1]);
    before.strip_suffix('(').map(skip_back).filter(|before| ends_with_word(before, "import"))?;
    let behind = text[content.end + 1..].trim_start_matches(|one: char| one == ')' || one.is_whitespace());
    let name = behind.strip_prefix('.').map(str::trim_start)?;
    let start = text.len() - name.len();
    let end = name.find(|one: char| !(one.is_alphanumeric() || matches!(one, '_' | '$'))).unwrap_or(name.len());
    (end > 0).then(|| Span::new(start, start + end))
}

/// Cuts type arguments off the end, of which the last bracket is cut off already.
fn without_type_arguments(text: &str) -> Option<&str> {
    let mut depth = 1;
    for (at, character) in text.char_indices().rev() {
        match character {
            '>' => depth += 1,
            '<' => depth -= 1,
            ';' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[..at]);
        }
    }
    None
}

/// Cuts white space and block comments off the end.
fn skip_back(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some(inner) = text.strip_suffix("*/") {
        let Some(start) = inner.rfind("/*") else { break };
        text = text[..start].trim_end();
    }
    text
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|rest| !ends_in_word(rest) && !rest.ends_with('.'))
}

fn ends_in_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| last.is_alphanumeric() || matches!(last, '_' | '$'))
}

/// Splits a bare specifier into the package's name and the rest behind it, without the slash between.
pub(super) fn split_name(specifier: &str) -> Option<(&str, &str)> {
    let scoped = specifier.starts_with('@');
    let mut slashes = specifier.match_indices('/').map(|(at, _)| at);
    let end = if scoped { slashes.next().and(slashes.next()) } else { slashes.next() };
    if specifier.is_empty() || specifier.starts_with(['.', '/', '#']) || (scoped && !specifier.contains('/')) {
        return None;
    }
    Some(end.map_or((specifier, ""), |end| (&specifier[..end], &specifier[end + 1..])))
}

/// Matches `text` with a pattern that holds at most one `*`; returns what the `*` stands for.
pub(super) fn star<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let Some((before, after)) = pattern.split_once('*') else { return (pattern == text).then_some("") };
    let rest = text.strip_prefix(before)?.strip_suffix(after)?;
    (!rest.is_empty()).then_some(rest)
}

/// Tells whether a path names a script.
pub(super) fn is_script(path: &RelPath) -> bool {
    Language::of_extension(extension(path)).is_some_and(|language| language.family() == Family::Script)
}

/// Returns what follows the last dot of a file's name.
pub(super) fn extension(path: &RelPath) -> &str {
    path.file_name().rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    fn forms(language: Language, text: &str) -> Vec<(String, Form)> {
        let tree = Tree::parse(language, text);
        let wanted = quoted(text).filter(|span| text[span.start..span.end].starts_with("./"));
        wanted.filter_map(|span| Some((text[span.start..span.end].to_owned(), form_at(&tree, text, span)?))).collect()
    }

    fn loads(language: Language, text: &str) -> Vec<String> {
        forms(language, text).into_iter().filter(|(_, form)| *form == Form::Load).map(|(name, _)| name).collect()
    }

    #[test]
    fn every_form_that_loads_a_file_is_found() {
        let text = r#"
import a from './a';
import type { B } from "./b.js";
import './side';
import c = require('./c');
export * from './d';
export type { x } from './e';
const m = await import('./f');
const n = await import(/* webpackChunkName: "x" */ `./g`);
let t: import('./h').T<string>;
let u: typeof import("./i");
declare module './j' { interface X {} }
import data from './m.json' with { type: 'json' };
type Z = import('./o', { with: { 'resolution-mode': 'import' } }).Q;
/// <reference path="./p.d.ts" />
"#;
        let found = loads(Language::TypeScript, text);
        let wanted = [
            "./a", "./b.js", "./side", "./c", "./d", "./e", "./f", "./g", "./h", "./i", "./j", "./m.json", "./o",
            "./p.d.ts",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn javascript_loads_with_require_and_in_its_types() {
        let text =
            "const a = require('./a');\n/** @type {import('./b').B} */\nlet b;\n/** @import { C } from './c' */\n";
        assert_eq!(loads(Language::JavaScript, text), ["./a", "./b", "./c"]);
    }

    #[test]
    fn what_a_test_replaces_is_loaded() {
        let text = "jest.mock('./a');\nrequire.resolve('./r');\nnew URL('./u', import.meta.url);\nawait vi.importActual<typeof import('./b')>('./c');\nt.mock.module('./d', {});\nvi.fn('./e');\n";
        assert_eq!(loads(Language::TypeScript, text), ["./a", "./r", "./u", "./b", "./c", "./d"]);
    }

    #[test]
    fn what_only_a_tool_reads_is_plain() {
        let text = "tool.mock('./a');\nnew URL('./b', base);\nx.require('./c');\nimport(`./d/${e}`);\nArray.from('./f');\n// see './g'\n";
        let found = forms(Language::TypeScript, text);
        let plain = [
            ("./a", Form::Plain),
            ("./b", Form::Plain),
            ("./c", Form::Plain),
            ("./d/${e}", Form::Plain),
            ("./f", Form::Plain),
            ("./g", Form::Prose),
        ];
        assert_eq!(found, plain.map(|(name, form)| (name.to_owned(), form)));
    }

    #[test]
    fn an_apostrophe_in_markup_hides_nothing() {
        let text = "const a = <p>don't</p>;\nconst b = import('./b'); // it's\n";
        assert_eq!(loads(Language::Tsx, text), ["./b"]);
    }
}
