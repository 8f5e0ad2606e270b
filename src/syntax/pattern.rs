//! Code of a form: code of the language itself with holes in it, as ast-grep has them: `$NAME` for any one node, `$$$NAME`
//! for any number of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ast_grep_core::matcher::PatternBuilder;
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc, TSLanguage};
use ast_grep_core::{AstGrep, Language as Matched, Matcher, NodeMatch, Pattern, PatternError};

use super::{Language, readings};
use crate::text::Span;

/// A form that code may have.
pub struct CodePattern {
    language: Language,
    /// The form, and what it is where holes for any number of nodes behind a comma stand for none.
    patterns: Vec<Pattern>,
    holes: Vec<Hole>,
}

/// A hole of a written form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Where it is written, its marks included.
    pub span: Span,
    pub name: String,
    /// Whether it stands for any number of nodes.
    pub is_many: bool,
}

/// Code that has the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    pub span: Span,
    /// What stands in the holes, by their names; nothing for one that stands for no node.
    pub holes: BTreeMap<String, Option<Span>>,
}

impl Hole {
    /// Tells whether two forms mean one hole by it.
    pub fn same_as(&self, other: &Self) -> bool {
        self.name == other.name && self.is_many == other.is_many
    }
}

impl CodePattern {
    /// Reads a form.
    ///
    /// # Errors
    /// What is wrong with it, to be read behind its text: it is empty, no code of the language, or more than one piece.
    pub fn read(language: Language, text: &str) -> Result<Self, &'static str> {
        let holes = holes(text);
        let mut patterns = vec![pattern(language, text)?];
        let shorter = without_many(text, &holes);
        patterns.extend((shorter != text).then(|| pattern(language, &shorter)).and_then(Result::ok));
        Ok(Self { language, patterns, holes })
    }

    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// Finds the code that has the form, in order; what lies inside of other such code comes behind it.
    pub fn occurrences(&self, text: &str) -> Vec<Occurrence> {
        let tree = AstGrep::doc(Grammar(self.language).document(text));
        let root = tree.root();
        let each = self.patterns.iter().flat_map(|pattern| root.find_all(pattern).map(move |found| (pattern, found)));
        let mut all: Vec<Occurrence> = each.map(|(pattern, found)| self.occurrence(pattern, &found)).collect();
        all.sort_by_key(|it| (it.span.start, std::cmp::Reverse(it.span.end)));
        all.dedup_by_key(|it| it.span);
        all
    }

    fn occurrence(&self, pattern: &Pattern, found: &NodeMatch<'_, StrDoc<Grammar>>) -> Occurrence {
        let range = found.range();
        let length = pattern.get_match_len(found.get_node().clone()).unwrap_or(range.len());
        let filled = |hole: &Hole| {
            let nodes = match hole.is_many {
                true => found.get_env().get_multiple_matches(&hole.name),
                false => found.get_env().get_match(&hole.name).cloned().into_iter().collect(),
            };
            let (first, last) = (nodes.first()?, nodes.last()?);
            Some(Span::new(first.range().start, last.range().end))
        };
        let holes = self.holes.iter().map(|hole| (hole.name.clone(), filled(hole))).collect();
        Occurrence { span: Span::new(range.start, range.start + length), holes }
    }
}

fn pattern(language: Language, text: &str) -> Result<Pattern, &'static str> {
    const UNREADABLE: &str = "is no code of this language";
    let pattern = Pattern::try_new(text, Grammar(language)).map_err(|error| match error {
        PatternError::NoContent(_) => "is empty",
        PatternError::MultipleNode(_) => "is more than one piece of code",
        PatternError::RootMultiMetaVar(_) => "stands for any number of nodes: say what holds them",
        _ => UNREADABLE,
    })?;
    if pattern.has_error() { Err(UNREADABLE) } else { Ok(pattern) }
}

/// Writes a form without the holes for any number of nodes that stand behind a comma, which goes with them.
fn without_many(text: &str, holes: &[Hole]) -> String {
    let mut shorter = text.to_owned();
    for hole in holes.iter().rev().filter(|hole| hole.is_many) {
        if let Some(before) = text[..hole.span.start].trim_end().strip_suffix(',') {
            shorter.replace_range(before.len()..hole.span.end, "");
        }
    }
    shorter
}

/// Lists the holes of a written form; nameless ones (`$_`, `$$$`) are none that another form could ask for.
pub fn holes(text: &str) -> Vec<Hole> {
    let is_part = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('$').map(|to| at + to) {
        let marks = text[start..].len() - text[start..].trim_start_matches('$').len();
        let name: String = text[start + marks..].chars().take_while(|it| is_part(*it)).collect();
        at = start + marks + name.len();
        let is_named = name.starts_with(|it: char| it.is_ascii_uppercase());
        if is_named && matches!(marks, 1 | 3) {
            found.push(Hole { span: Span::new(start, at), name, is_many: marks == 3 });
        }
    }
    found
}

/// A grammar in the words of the library that compares trees.
#[derive(Clone, Copy)]
struct Grammar(Language);

/// A letter that names may begin with where `$` cannot.
const EXPANDO: char = 'µ';

impl Matched for Grammar {
    fn pre_process_pattern<'q>(&self, query: &'q str) -> Cow<'q, str> {
        match self.expando_char() {
            '$' => Cow::Borrowed(query),
            expando => Cow::Owned(query.replace('$', &expando.to_string())),
        }
    }

    fn expando_char(&self) -> char {
        match self.0 {
            Language::JavaScript | Language::TypeScript | Language::Tsx | Language::Java => '$',
            _ => EXPANDO,
        }
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.0.grammar().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.0.grammar().field_id_for_name(field).map(std::num::NonZero::get)
    }

    fn build_pattern(&self, builder: &PatternBuilder<'_>) -> Result<Pattern, PatternError> {
        builder.build(|text| Ok(self.document(text)))
    }
}

impl Grammar {
    /// Parses a text as trees do elsewhere; forms and what has them are read alike.
    fn document(self, text: &str) -> StrDoc<Self> {
        let (tree, text) = readings::read(self.0, text);
        StrDoc { src: text.into_owned(), lang: self, tree }
    }
}

impl LanguageExt for Grammar {
    fn get_ts_language(&self) -> TSLanguage {
        self.0.grammar().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(language: Language, pattern: &str, text: &str) -> Vec<String> {
        let pattern = CodePattern::read(language, pattern).expect("a pattern");
        let said = |it: &Occurrence| {
            let said = |span: Span| &text[span.start..span.end];
            let holes = it.holes.iter().map(|(name, span)| format!("{name}={}", span.map_or("", said)));
            format!("{} [{}]", said(it.span), holes.collect::<Vec<_>>().join(" "))
        };
        pattern.occurrences(text).iter().map(said).collect()
    }

    #[test]
    fn holes_stand_for_one_node_or_for_any_number() {
        let text = "log(a)\nlog(b + 1, 2)\nlog()\nx.log(3)\n";
        assert_eq!(found(Language::Python, "log($A)", text), ["log(a) [A=a]"]);
        let all = ["log(a) [ALL=a]", "log(b + 1, 2) [ALL=b + 1, 2]", "log() [ALL=]"];
        assert_eq!(found(Language::Python, "log($$$ALL)", text), all);
        assert_eq!(found(Language::Python, "$X.log($A)", text), ["x.log(3) [A=3 X=x]"]);
        let more = ["log(a) [A=a MORE=]", "log(b + 1, 2) [A=b + 1 MORE=2]"];
        assert_eq!(found(Language::Python, "log($A, $$$MORE)", text), more);
    }

    #[test]
    fn attributes_may_be_called_like_reserved_words() {
        let text = "const a = <b class=\"c\" d={1} />;\n";
        assert_eq!(found(Language::JavaScript, "<b class=\"c\" d={$A} />", text), ["<b class=\"c\" d={1} /> [A=1]"]);
    }

    #[test]
    fn one_name_is_one_code() {
        let text = "a == a; a == b;";
        assert_eq!(found(Language::JavaScript, "$A == $A", text), ["a == a [A=a]"]);
    }

    #[test]
    fn what_lies_inside_is_found_too() {
        let text = "f(f(1))\n";
        assert_eq!(found(Language::Python, "f($A)", text), ["f(f(1)) [A=f(1)]", "f(1) [A=1]"]);
    }

    #[test]
    fn what_is_no_form_is_said() {
        let read = |text: &str| CodePattern::read(Language::Python, text).err();
        assert_eq!(read(""), Some("is empty"));
        assert_eq!(read("a; b"), Some("is more than one piece of code"));
        assert_eq!(read("f($A"), Some("is no code of this language"));
    }
}
