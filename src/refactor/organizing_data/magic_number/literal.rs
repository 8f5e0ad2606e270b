//! What gets a name: a number, a text, or another expression that has one value wherever it is evaluated.

use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::expressions::is_value;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node, Tree};
use crate::text::Span;

const NUMBERS: &[&str] = &["integer", "float", "number"];
const SIGNED: &[&str] = &["unary_operator", "unary_expression"];
const TEXTS: &[&str] = &["string", "concatenated_string", "template_string"];
const TRUTHS: &[&str] = &["true", "false", "none", "null", "undefined"];
/// What has one value if its operands do.
const COMPOSED: &[&str] = &[
    "binary_expression",
    "binary_operator",
    "parenthesized_expression",
    "tuple",
    "unary_expression",
    "unary_operator",
];
/// What is another object each time it is evaluated, which others may change.
const MADE: &[&str] = &["array", "dictionary", "list", "object", "set"];

#[derive(Clone, Copy)]
pub(super) enum Literal<'r> {
    Number(&'r str),
    /// A text, without its quotes.
    Text(&'r str),
    /// Anything else, as it is written.
    Other(&'r str),
}

/// Tells whether a name may be wanted for a node.
pub(super) fn is_any(node: Node<'_>) -> bool {
    node.is_any(NUMBERS) || node.is_any(TEXTS) || node.is_any(MADE) || node.is("regex")
}

impl<'r> Literal<'r> {
    pub(super) fn of(value: &'r str) -> Self {
        let inner = ["\"", "'"].into_iter().find_map(|quote| {
            let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
            let is_one = !inner.replace("\\\\", "").replace(&format!("\\{quote}"), "").contains(quote);
            is_one.then_some(inner)
        });
        let digits = value.trim_start_matches(['-', '+']);
        let is_number = digits.starts_with(|it: char| it.is_ascii_digit() || it == '.')
            && digits.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | '-' | '+'));
        match inner {
            Some(inner) => Self::Text(inner),
            None if is_number => Self::Number(value),
            None => Self::Other(value),
        }
    }

    fn said(self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Text(_) => "text",
            Self::Other(_) => "expression",
        }
    }

    fn value(self) -> &'r str {
        match self {
            Self::Number(value) | Self::Text(value) | Self::Other(value) => value,
        }
    }

    /// Tells whether a node is it; a number with the sign that the value has.
    pub(super) fn is(self, code: &Code, node: Node<'_>) -> bool {
        let text = node.text(code.text());
        match self {
            Self::Number(value) => {
                let is_signed = value.starts_with(['-', '+']);
                (if is_signed { node.is_any(SIGNED) } else { node.is_any(NUMBERS) }) && text == value
            }
            Self::Text(value) => {
                let inner = ["\"", "'"].into_iter().find_map(|it| text.strip_prefix(it)?.strip_suffix(it));
                node.is("string") && inner == Some(value)
            }
            Self::Other(value) => {
                text.chars().next() == value.chars().next() && is_value(node) && says(code, node, value)
            }
        }
    }

    /// Finds it in a stretch.
    ///
    /// # Errors
    /// Where it does not stand there, or nowhere that a name can.
    pub(super) fn within<'c>(self, code: &'c Code, extent: Span, edits: &mut Edits) -> Result<Vec<Node<'c>>, Refusal> {
        let found = self.placed(code, extent, edits)?;
        let standing = || code.root().descendants().find(|it| extent.contains(it.span()) && self.is(code, *it));
        match (found.is_empty(), standing().and_then(|it| Some((it, fixed(code, it)?)))) {
            (false, _) => Ok(found),
            (true, Some((node, reason))) => Err(code.refuse(node.start(), reason)),
            (true, None) => Err(Refusal::NotPossible(format!(
                "no {} `{}` stands in what the target names",
                self.said(),
                self.value()
            ))),
        }
    }

    /// Finds it in a further file.
    pub(super) fn further<'c>(self, code: &'c Code, edits: &mut Edits) -> Result<Vec<Node<'c>>, Refusal> {
        self.placed(code, code.root().span(), edits)
    }

    /// Finds where a name can stand in its place. Where none can, it is left, and told.
    fn placed<'c>(self, code: &'c Code, extent: Span, edits: &mut Edits) -> Result<Vec<Node<'c>>, Refusal> {
        let all = code.root().descendants().filter(|node| extent.contains(node.span()) && self.is(code, *node));
        let is_left = |node: &Node<'c>| fixed(code, *node).is_some() || node.is_any(TEXTS) && is_bare(code, *node);
        let (left, found): (Vec<Node<'c>>, Vec<Node<'c>>) = all.partition(is_left);
        if let Some((node, reason)) = found.iter().find_map(|it| Some((it, varies(code, *it)?))) {
            return Err(code.refuse(node.start(), reason));
        }
        edits.warn(left.first().filter(|_| !found.is_empty() || matches!(self, Self::Text(_))).map(|first| {
            let lines: Vec<String> = left.iter().map(|it| code.line(it.start()).to_string()).collect();
            let message = format!("the {} stays where no name can stand (line {})", self.said(), lines.join(", "));
            let range = code.parsed().text.range(first.span());
            Warning::at(WarningKind::Mentioned, message, code.path.clone(), range).standing_for(left.len())
        }));
        Ok(found)
    }
}

/// Tells whether a node says the same as a text, blanks and a comma at the end left aside.
fn says(code: &Code, node: Node<'_>, value: &str) -> bool {
    let tree = Tree::parse(code.parsed().tree.language(), value);
    words(tree.nodes().root(), value) == words(node, code.text())
}

fn words<'t>(node: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let said = node.descendants().filter(|it| it.is_leaf() && !it.kind().ends_with("comment") && !it.span().is_empty());
    let mut words: Vec<&str> = said.filter_map(|it| it.span().of(text)).collect();
    let is_last = |at: usize| words[at] == "," && matches!(words.get(at + 1), Some(&(")" | "]" | "}")));
    let gone: Vec<usize> = (0..words.len()).filter(|at| is_last(*at)).collect();
    // The comma of a tuple of one makes it one.
    let is_one = words.iter().filter(|it| **it == ",").count() == 1;
    for at in gone.into_iter().rev().filter(|_| !is_one) {
        words.remove(at);
    }
    words
}

/// Tells why an expression may have another value where the module begins.
fn varies(code: &Code, node: Node<'_>) -> Option<&'static str> {
    if node.is_any(MADE) {
        return Some("it is made anew each time that it is evaluated, and others may change it");
    }
    if node.is("regex") {
        return keeps_place(code, node)
            .then_some("a regular expression with this flag keeps where it found something, and would be one for all");
    }
    match node.is_any(NUMBERS) || node.is_any(TRUTHS) || is_plain_text(node) || is_compiled(code, node) {
        true => None,
        false if node.is_any(COMPOSED) => {
            let operands = node.named_children();
            operands.into_iter().find_map(|it| varies(code, it))
        }
        false => Some("it is no literal: it may have another value where the module begins"),
    }
}

fn is_plain_text(node: Node<'_>) -> bool {
    node.is_any(TEXTS) && !node.descendants().any(|it| it.is_any(&["interpolation", "template_substitution"]))
}

/// Tells whether it is a regular expression of Python: `re.compile("…", re.MULTILINE)`.
fn is_compiled(code: &Code, node: Node<'_>) -> bool {
    let is_flag = |it: Node<'_>| {
        it.is("attribute") && it.text(code.text()).starts_with("re.")
            || it.is("binary_operator") && it.named_children().all(|one| one.text(code.text()).starts_with("re."))
    };
    let mut passed = node.child("arguments").into_iter().flat_map(Node::named_children);
    node.is("call")
        && node.child("function").is_some_and(|it| it.text(code.text()) == "re.compile")
        && passed.all(|it| is_plain_text(it) || is_flag(it))
}

/// Refuses an expression that asks for a module which is not imported yet where the constant comes to stand.
pub(super) fn check_known(code: &Code, node: Node<'_>, at: usize) -> Result<(), Refusal> {
    let imports = |it: Node<'_>| it.is("import_statement") && it.text(code.text()) == "import re";
    let mut before = code.root().named_children().take_while(|it| it.end() <= at);
    match node.descendants().any(|it| is_compiled(code, it)) || is_compiled(code, node) {
        true if !before.any(imports) => Err(code.refuse(node.start(), "`re` is not imported where the module begins")),
        _ => Ok(()),
    }
}

/// Tells whether a regular expression of a script remembers where it found something, and its use shows it: methods of texts begin
/// anew with `g` (ECMAScript, `RegExp.prototype[@@replace]` and its like).
fn keeps_place(code: &Code, regex: Node<'_>) -> bool {
    let flags = regex.child("flags").map_or("", |it| it.text(code.text()));
    let call = regex.parent().filter(|it| it.is("arguments")).and_then(Node::parent);
    let asked = call.and_then(|it| it.child("function")).and_then(|it| it.child("property"));
    let begins_anew = asked.is_some_and(|it| {
        matches!(it.text(code.text()), "match" | "matchAll" | "replace" | "replaceAll" | "search" | "split")
    });
    flags.contains('y') || flags.contains('g') && !begins_anew
}

/// Tells why a constant cannot stand where this literal does.
fn fixed(code: &Code, literal: Node<'_>) -> Option<&'static str> {
    let parent = literal.parent()?;
    if literal.ancestors().any(|node| node.is_any(&["case_pattern", "match_pattern"])) {
        return Some("in a `case` of Python a name would catch everything");
    }
    let names_values = |it: Node<'_>| {
        let of = it.child("value").filter(|_| it.is("subscript"));
        of.is_some_and(|of| of.text(code.text()).rsplit('.').next() == Some("Literal"))
    };
    if literal.ancestors().any(|it| it.is_any(&["literal_type", "type", "type_annotation"]) || names_values(it)) {
        return Some("the literal stands in a type");
    }
    if parent.is_any(&["pair", "public_field_definition", "method_definition"])
        && literal.field().is_some_and(|field| field == "key" || field == "name")
        && !literal.ancestors().any(|node| node.is("dictionary"))
    {
        return Some("the literal is the name of a property");
    }
    if literal.ancestors().any(|node| node.is_any(&["format_specifier", "enum_assignment"])) {
        return Some("the literal stands where only one can");
    }
    let asks_version = |it: Node<'_>| {
        const READ: &[&str] = &["sys.version_info", "sys.platform", "os.name"];
        let mut compared = it.named_children().filter(|_| it.is("comparison_operator"));
        compared.any(|one| READ.iter().any(|read| one.text(code.text()).starts_with(read)))
    };
    if literal.ancestors().any(asks_version) {
        return Some("type checkers read off the literal for which version and platform the code is");
    }
    None
}

/// Tells whether a text is one by where it stands: a module, documentation, a part of a longer one, a name for others.
fn is_bare(code: &Code, string: Node<'_>) -> bool {
    const OUTER: &[&str] = &[
        "call_expression",
        "concatenated_string",
        "export_statement",
        "expression_statement",
        "import_statement",
        "jsx_attribute",
        "method_signature",
        "property_signature",
    ];
    let is_dunder = |outer: Node<'_>| {
        outer.is("assignment") && outer.child("left").is_some_and(|it| it.text(code.text()).starts_with("__"))
    };
    let called = string.parent().and_then(Node::parent).and_then(|call| call.child("function"));
    string.parent().is_some_and(|outer| outer.is_any(OUTER))
        || code.family() == Family::Script
            && called.is_some_and(|it| matches!(it.text(code.text()), "import" | "require"))
        || string.ancestors().any(is_dunder)
}
