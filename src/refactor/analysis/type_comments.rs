//! The types that comments of scripts name (JSDoc): what stands in the braces of a tag, and what tags declare.

use std::ops::Range;

use crate::refactor::source_file::Code;
use crate::text::Span;

/// Tags with a type in braces (TypeScript's "JSDoc Reference").
const TYPED: &[&str] = &[
    "arg",
    "argument",
    "augments",
    "const",
    "constant",
    "enum",
    "exception",
    "extends",
    "implements",
    "member",
    "param",
    "prop",
    "property",
    "return",
    "returns",
    "satisfies",
    "template",
    "this",
    "throws",
    "type",
    "typedef",
    "var",
    "yield",
    "yields",
];

/// Tags that name a class, which is in scope, and may give it types without braces: `@extends Event<Text>`.
const EXTENDING: &[&str] = &["augments", "extends", "implements"];

/// Returns where comments in a stretch name a type by a word of its own: no member of another name, and no name of a property
/// or of a parameter. What a tag of the same comments declares as a type parameter is none.
pub(crate) fn named_types(code: &Code, within: Span) -> Vec<Span> {
    let text = code.text();
    let comments: Vec<Span> = comments(code).filter(|comment| within.contains(*comment)).collect();
    let parameters: Vec<&str> =
        comments.iter().flat_map(|comment| type_parameters(&text[comment.start..comment.end])).collect();
    let mut found = Vec::new();
    for comment in comments {
        for (_, braces) in tags(&text[comment.start..comment.end]) {
            let Some(braces) = braces else { continue };
            let offset = comment.start + braces.start;
            let names = words(&text[offset..comment.start + braces.end]);
            found.extend(names.map(|name| Span::new(offset + name.start, offset + name.end)));
        }
    }
    found.retain(|name| name.of(text).is_some_and(|name| !parameters.contains(&name)));
    found
}

/// Returns the types that comments declare by a tag (`@typedef {…} Name`, `@callback Name`), each with its comment.
pub(crate) fn declared_types(code: &Code) -> Vec<(&str, Span)> {
    let text = code.text();
    let declared = |comment: Span| {
        let said = &text[comment.start..comment.end];
        tags(said).filter_map(move |(tag, braces)| {
            let name = match &said[tag.clone()] {
                "typedef" => word_at(said, braces.map_or(tag.end, |braces| braces.end + 1)),
                "callback" => word_at(said, tag.end),
                _ => None,
            };
            Some((name?, comment))
        })
    };
    comments(code).flat_map(declared).collect()
}

/// Returns the type that a comment gives a parameter, as one that a variable has: `@param {number=} rate`.
pub(crate) fn parameter_type(comment: &str, name: &str) -> Option<String> {
    tags(comment).filter(|(tag, _)| matches!(&comment[tag.clone()], "param" | "arg" | "argument")).find_map(
        |(_, braces)| {
            let braces = braces?;
            let behind = comment[braces.end + 1..].trim_start();
            let bare = behind.trim_start_matches('[');
            let is_it = word_at(bare, 0) == Some(name) && !bare[name.len()..].starts_with('.');
            let of = comment[braces].trim();
            let plain = of.trim_end_matches('=');
            let is_optional = (bare.len() < behind.len() || plain.len() < of.len()) && !plain.contains("undefined");
            let plain = if is_optional && plain.contains("=>") { format!("({plain})") } else { plain.to_owned() };
            is_it.then(|| if is_optional { format!("{plain} | undefined") } else { plain })
        },
    )
}

/// Returns the type that a comment gives what its function returns: `@returns {number}`.
pub(crate) fn result_type(comment: &str) -> Option<&str> {
    let mut tags = tags(comment).filter(|(tag, _)| matches!(&comment[tag.clone()], "return" | "returns"));
    tags.find_map(|(_, braces)| Some(comment[braces?].trim()))
}

/// What a comment imports (`@import {Code as Own} from "./types.js"`, TypeScript 5.5).
pub(crate) struct CommentImport<'c> {
    pub comment: Span,
    /// The module, without quotes.
    pub source: Span,
    /// What is imported; the module itself is nothing.
    pub name: Option<&'c str>,
    pub local: &'c str,
}

/// Returns what comments import.
pub(crate) fn imports_in_comments(code: &Code) -> Vec<CommentImport<'_>> {
    let mut found = Vec::new();
    for comment in comments(code) {
        let said = &code.text()[comment.start..comment.end];
        for (at, tag) in said.match_indices("@import") {
            let rest = &said[at + tag.len()..];
            let rest = &rest[..rest.find('@').filter(|end| !rest[..*end].contains(['"', '\''])).unwrap_or(rest.len())];
            let Some((clause, behind)) = rest.split_once("from") else { continue };
            let Some(quote) = behind.trim_start().chars().next().filter(|it| matches!(it, '"' | '\'')) else {
                continue;
            };
            let Some((before, quoted)) = behind.split_once(quote) else { continue };
            let source = quoted.split(quote).next().unwrap_or_default();
            let start = comment.start + at + tag.len() + clause.len() + "from".len() + before.len() + 1;
            let source = Span::new(start, start + source.len());
            let items = clause_items(clause).into_iter();
            found.extend(items.map(|(name, local)| CommentImport { comment, source, name, local }));
        }
    }
    found
}

/// Takes the clause of an import apart: `Own, { Code as Other }`, `* as all`.
fn clause_items(clause: &str) -> Vec<(Option<&str>, &str)> {
    let (outer, inner) = match clause.split_once('{') {
        Some((outer, rest)) => (outer, rest.split('}').next().unwrap_or_default()),
        None => (clause, ""),
    };
    let whole = outer.split(',').filter_map(|one| {
        let words: Vec<&str> = one.split_whitespace().collect();
        match words.as_slice() {
            ["*", "as", local] => Some((None, *local)),
            [local] if local.chars().all(is_word) => Some((Some("default"), *local)),
            _ => None,
        }
    });
    let items = inner.split(',').filter_map(|one| {
        let words: Vec<&str> = one.split_whitespace().filter(|word| *word != "*" && *word != "type").collect();
        match words.as_slice() {
            [name, "as", local] => Some((Some(*name), *local)),
            [name] => Some((Some(*name), *name)),
            _ => None,
        }
    });
    whole.chain(items).collect()
}

fn comments(code: &Code) -> impl Iterator<Item = Span> {
    let all = code.root().descendants().filter(|node| node.is("comment"));
    all.map(|node| node.span()).filter(|span| span.of(code.text()).is_some_and(|text| text.starts_with("/**")))
}

/// Returns the tags of a comment, each with what stands in the braces behind it, or between those of the types that it gives.
fn tags(comment: &str) -> impl Iterator<Item = (Range<usize>, Option<Range<usize>>)> {
    comment.match_indices('@').filter_map(|(at, _)| {
        let tag = word_at(comment, at + 1).filter(|_| !comment[..at].ends_with('{'))?;
        let tag = at + 1..at + 1 + tag.len();
        let behind = &comment[tag.end..];
        let open = tag.end + (behind.len() - behind.trim_start().len());
        let is_typed = TYPED.contains(&&comment[tag.clone()]) && comment[open..].starts_with('{');
        let name =
            comment[open..].find(|letter| !is_word(letter) && letter != '.').map_or(comment.len(), |it| open + it);
        let is_given = EXTENDING.contains(&&comment[tag.clone()]) && comment[name..].starts_with('<');
        let braces = match () {
            () if is_typed => closing(&comment[open..], ('{', '}')).map(|end| open + 1..open + end),
            () if is_given => closing(&comment[name..], ('<', '>')).map(|end| name + 1..name + end),
            () => None,
        };
        Some((tag, braces))
    })
}

/// Returns where the brace that a text begins with is closed.
fn closing(text: &str, (open, close): (char, char)) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            _ if letter == open => depth += 1,
            _ if letter == close => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Returns the names that `@template` declares: `@template T`, `@template {string} [K="a"], V`.
fn type_parameters(comment: &str) -> Vec<&str> {
    let of_template = tags(comment).filter(|(tag, _)| &comment[tag.clone()] == "template");
    let rest = of_template.map(|(tag, braces)| &comment[braces.map_or(tag.end, |it| it.end + 1)..]);
    rest.flat_map(|rest| rest.lines().next().unwrap_or_default().split(','))
        .filter_map(|one| word_at(one, one.len() - one.trim_start_matches([' ', '\t', '[']).len()))
        .collect()
}

/// Returns the word that follows an offset, behind blanks.
fn word_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?.trim_start_matches([' ', '\t']);
    let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|word| !word.is_empty())
}

/// Returns the words of a type that stand for something in the file.
fn words(type_text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut found = Vec::new();
    let (mut quote, mut at) = (None, 0);
    while let Some(letter) = type_text[at..].chars().next() {
        let end = at + letter.len_utf8();
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, _) if is_word(letter) => {
                let length = type_text[at..].find(|letter| !is_word(letter)).unwrap_or(type_text.len() - at);
                let behind = type_text[at + length..].trim_start();
                let is_label = behind.starts_with(':') || behind.starts_with("?:");
                let is_member =
                    type_text[..at].trim_end().ends_with('.') && !type_text[..at].trim_end().ends_with("...");
                if !letter.is_ascii_digit() && !is_label && !is_member {
                    found.push(at..at + length);
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at = end;
    }
    found.into_iter()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_types_are_found() {
        let found = |text: &str| words(text).map(|word| text[word].to_owned()).collect::<Vec<_>>();
        assert_eq!(found("Opt"), ["Opt"]);
        assert_eq!(found("{ kind: 'Opt', made?: Made[] }"), ["Made"]);
        assert_eq!(found("(one: Map<string, ns.Opt>, ...rest: Opt[]) => void"), ["Map", "string", "ns", "Opt", "void"]);
        assert_eq!(found("...Opt"), ["Opt"]);
        assert_eq!(found("import(\"./a\").Opt"), ["import"]);
    }

    #[test]
    fn types_of_parameters_are_those_of_variables() {
        let comment = "/**\n * @param {{ a: () => void }} of what\n * @param {string=} by\n * @param {() => void} [done=null]\n * @param {number} of.rate\n * @returns {Map<string, Opt>} all\n */";
        let of = |name| parameter_type(comment, name);
        assert_eq!(of("of").as_deref(), Some("{ a: () => void }"));
        assert_eq!(of("by").as_deref(), Some("string | undefined"));
        assert_eq!(of("done").as_deref(), Some("(() => void) | undefined"));
        assert_eq!(of("rate"), None);
        assert_eq!(result_type(comment), Some("Map<string, Opt>"));
    }

    #[test]
    fn tags_are_read_with_their_types() {
        let comment = "/** {@link Opt} a@b.c\n * @param {{ x: Opt }} o  @template {string} [K=\"a\"], V */";
        let read: Vec<(&str, Option<&str>)> =
            tags(comment).map(|(tag, braces)| (&comment[tag], braces.map(|braces| &comment[braces]))).collect();
        assert_eq!(read, [("b", None), ("param", Some("{ x: Opt }")), ("template", Some("string"))]);
        assert_eq!(type_parameters(comment), ["K", "V"]);
    }
}
