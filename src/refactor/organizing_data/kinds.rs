//! The codes that a field can hold, each with the class that is to stand for it.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::given_text::check_value;
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::references::{UseKind as Done, Uses};
use crate::refactor::refusal::each;
use crate::refactor::request::Request;
use crate::refactor::scopes::ScopedNames;
use crate::syntax::{Family, Node, check_name};

/// One code.
pub(super) struct Kind {
    /// As the module writes it.
    pub code: String,
    pub class: String,
    /// The number or the text that it is, where the module says it.
    value: Option<String>,
}

/// Reads `codes`: `ENGINEER`, or `ENGINEER=Engineer`.
pub(super) fn given(class: &Class<'_>, request: &Request) -> Result<Vec<Kind>, Refusal> {
    let code = class.code;
    let mut kinds: Vec<Kind> = Vec::new();
    for one in request.params.needed_list("codes")? {
        let (said, named) = match one.rsplit_once('=') {
            Some((said, named)) => (said.trim(), Some(named.trim().to_owned())),
            None => (one.trim(), None),
        };
        let quoted = text_of(class, said);
        let said = quoted.as_deref().unwrap_or(said);
        check_value(code, said)?;
        let name = named.unwrap_or_else(|| camel(said));
        check_name(code.parsed().tree.language(), &name)
            .map_err(|_| Refusal::BadName(format!("`{said}` gives no name for a class: say it as `{said}=Name`")))?;
        check_unused(code, &name)?;
        if let Some(twin) = kinds.iter().find(|it| it.class == name || it.code == said) {
            return Err(Refusal::BadName(format!("`{}` is given twice", twin.class)));
        }
        let value = literal(said).or_else(|| constant(class, said));
        kinds.push(Kind { code: seen(class, said)?, class: name, value });
    }
    Ok(kinds)
}

/// Returns a code as the module writes it behind the class: what its class has, by the class.
fn seen(class: &Class<'_>, said: &str) -> Result<String, Refusal> {
    let code = class.code;
    let is_name =
        said.chars().all(|it| it.is_alphanumeric() || it == '_') && !said.starts_with(|it: char| it.is_ascii_digit());
    if !is_name || is_above(class, said) {
        return Ok(said.to_owned());
    }
    if class.members_named(said).iter().any(|it| it.is_static) {
        return Ok(format!("{}.{said}", class.name()));
    }
    Err(code.refuse(class.name.start(), format!("`{said}` is not a constant of the class, and none above it")))
}

/// Tells whether a constant stands above the class.
fn is_above(class: &Class<'_>, said: &str) -> bool {
    let code = class.code;
    let at = class.statement().start();
    let is_outer = |it: &crate::syntax::scopes::Name| {
        it.is_binding && crate::refactor::analysis::imports::required::home(code, *it).is_none()
    };
    ScopedNames::of(code).named(said).any(|it| is_outer(&it) && it.span.start < at)
}

/// Returns a code as the file writes it in quotes, where it is no constant: `"retail"` of `Literal["retail"]`.
fn text_of(class: &Class<'_>, said: &str) -> Option<String> {
    let code = class.code;
    let is_value = said.parse::<f64>().is_ok() || matches!(said, "True" | "False" | "None" | "true" | "false" | "null");
    if is_value || is_above(class, said) || class.has(said) {
        return None;
    }
    let mut strings = code.root().descendants().filter(|it| it.is("string"));
    let is_it = |it: &Node<'_>| {
        let text = it.text(code.text());
        text.len() == said.len() + 2 && text.starts_with(['"', '\'']) && &text[1..text.len() - 1] == said
    };
    strings.find(is_it).map(|it| it.text(code.text()).to_owned())
}

/// Tells whether an expression is a code, by the name of its constant or by its value.
pub(super) fn is_code(kind: &Kind, said: &str) -> bool {
    let last = |text: &str| text.rsplit('.').next().unwrap_or(text).trim().to_owned();
    let is_literal = kind.code.starts_with(['"', '\'']) || kind.code.parse::<f64>().is_ok();
    said == kind.code || !is_literal && last(said) == last(&kind.code)
}

/// Refuses a field that is given nothing somewhere, or a value that is none of the codes.
pub(super) fn check_given(kinds: &[Kind], uses: &Uses) -> Result<(), Refusal> {
    let is_nothing = |it: Node<'_>| it.is_any(&["none", "null", "undefined"]);
    let given = uses.iter().filter(|(_, one)| one.kind == Done::Write);
    each(given.map(|(code, one)| {
        let Some((_, value)) = one.assignment(code) else { return Ok(()) };
        let said = value.text(code.text());
        match is_nothing(value) || is_other(kinds, said) {
            true => Err(code.refuse(one.span.start, format!("it is given `{said}` here, which is none of the codes"))),
            false => Ok(()),
        }
    }))
    .map(drop)
}

/// Tells whether an expression is a number or a text that none of the codes is.
pub(super) fn is_other(kinds: &[Kind], said: &str) -> bool {
    let known: Vec<&str> = kinds.iter().filter_map(|it| it.value.as_deref()).collect();
    known.len() == kinds.len() && literal(said).is_some_and(|it| !known.contains(&it.as_str()))
}

/// Returns the number or the text that a literal is, without quotes.
fn literal(said: &str) -> Option<String> {
    let inner = ["\"", "'"].into_iter().find_map(|it| said.strip_prefix(it)?.strip_suffix(it));
    inner.or_else(|| said.parse::<f64>().is_ok().then_some(said)).map(str::to_owned)
}

/// Returns the value of a constant of the module, or of the class.
fn constant(class: &Class<'_>, said: &str) -> Option<String> {
    let (code, name) = (class.code, said.rsplit('.').next().unwrap_or(said));
    let declared = code.root().descendants().filter(|it| {
        let is_field = it.is_any(&["assignment", "variable_declarator"]) || it.kind().ends_with("field_definition");
        let named = it.child("left").or_else(|| it.child("name")).or_else(|| it.child("property"));
        is_field && named.is_some_and(|it| it.text(code.text()) == name)
    });
    let values: Vec<Option<Node<'_>>> = declared.map(|it| it.child("right").or_else(|| it.child("value"))).collect();
    match values.as_slice() {
        [Some(only)] => literal(only.text(code.text())),
        _ => None,
    }
}

/// Writes the name of a constant as that of a class.
fn camel(said: &str) -> String {
    let last = said.rsplit('.').next().unwrap_or(said).trim_matches(['"', '\'']);
    let words = last.split(['_', '-', ' ']).filter(|it| !it.is_empty());
    let word = |it: &str| {
        let mut signs = it.chars();
        let first = signs.next().map(char::to_uppercase).into_iter().flatten();
        first.chain(signs.flat_map(char::to_lowercase)).collect::<String>()
    };
    words.map(word).collect()
}

/// Returns the white space, the comma and the like by which a class of the family says that a code is none of its own.
pub(super) fn unknown(family: Family, value: &str, quote: char) -> String {
    match family {
        Family::Python => format!("raise ValueError(f{quote}no such code: {{{value}}}{quote})"),
        _ => format!("throw new Error(`no such code: ${{{value}}}`)"),
    }
}
