//! The compiler's words for types, as a declaration writes them.

use super::project::Ground;
use crate::solidity::SourceId;

/// Why there is no variable of a type.
const NO_TYPE: &[(&str, &str)] = &[
    ("int_const", "a number alone has no type: `replace-magic-number-with-symbolic-constant` names it"),
    ("rational_const", "a fraction alone has no type"),
    ("tuple(", "it gives no value, or several"),
    ("function ", "the type of a function is not written here"),
    ("type(", "it is a type"),
    ("module ", "it is a module"),
    ("literal_string hex", "its bytes may be no text"),
];
const WORDS: &[&str] = &["contract", "struct", "enum", "library"];

/// Writes the type of an expression as a local variable's, its data location included.
pub(super) fn declared(said: &str) -> Result<String, &'static str> {
    if let Some((_, why)) = NO_TYPE.iter().find(|(start, _)| said.starts_with(start)) {
        return Err(why);
    }
    if matches!(said, "" | "msg" | "tx" | "block" | "abi") || said.contains("super ") {
        return Err("it has no type that can be written");
    }
    if said.starts_with("literal_string") {
        return Ok("string memory".to_owned());
    }
    let of = bare(said);
    let location = if said.starts_with("mapping(") { " storage" } else { location(said) };
    Ok(format!("{of}{location}"))
}

/// Writes a type without its data location.
pub(super) fn bare(said: &str) -> String {
    let mut of = said.to_owned();
    for end in [" storage ref", " storage pointer", " memory", " calldata slice", " calldata pointer", " calldata"] {
        of = of.replace(end, "");
    }
    for word in WORDS {
        of = of.replace(&format!("{word} "), "");
    }
    of
}

fn location(said: &str) -> &'static str {
    match said {
        _ if said.ends_with(" storage ref") || said.ends_with(" storage pointer") => " storage",
        _ if said.ends_with(" memory") => " memory",
        _ if said.ends_with(" calldata")
            || said.ends_with(" calldata slice")
            || said.ends_with(" calldata pointer") =>
        {
            " calldata"
        }
        _ => "",
    }
}

/// Tells whether two types are the same but for how a storage reference came about.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one.replace("storage pointer", "storage ref") == other.replace("storage pointer", "storage ref")
}

/// Tells whether a type is a number's or a truth's of the language, which can be converted to in words.
pub(super) fn is_integer(said: &str) -> bool {
    let digits = said.strip_prefix("uint").or_else(|| said.strip_prefix("int"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns a name in a type that a file does not know, or that means several things there.
pub(super) fn unseen(ground: &Ground, file: &SourceId, of: &str) -> Option<String> {
    let scope = ground.scope(file);
    let words = of.split(|character: char| !(character.is_alphanumeric() || "_$.".contains(character)));
    let names = words.filter(|word| !word.is_empty() && !is_elementary(word));
    let first = |word: &str| word.split('.').next().unwrap_or_default().to_owned();
    let is_seen = |word: &str| scope.get(&first(word)).is_some_and(|found| found.len() == 1);
    names.into_iter().find(|word| !is_seen(word)).map(str::to_owned)
}

fn is_elementary(word: &str) -> bool {
    const PLAIN: &[&str] = &[
        "address", "payable", "bool", "string", "bytes", "byte", "mapping", "memory", "storage", "calldata",
        "function", "external", "internal", "view", "pure", "returns",
    ];
    let sized = word.strip_prefix("bytes").unwrap_or(word);
    PLAIN.contains(&word)
        || word.bytes().all(|byte| byte.is_ascii_digit())
        || is_integer(word)
        || sized != word && sized.bytes().all(|byte| byte.is_ascii_digit())
        || matches!(word, "uint" | "int")
}
