//! Whether a new name can be a name at all.

use super::{Family, Language, words};

/// Why a name was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    #[error("the new name is empty")]
    Empty,
    #[error("`{name}` is not an identifier: `{character}` cannot stand at character {at} of a name")]
    Character {
        name: String,
        character: char,
        /// Counted in characters from 1.
        at: usize,
    },
    #[error("`{name}` is a reserved word of {language}")]
    Reserved { name: String, language: &'static str },
    #[error("{language} has no names of its own to change")]
    NoNames { language: &'static str },
    #[error("`{name}` reads as `{normal}` to Python, which compares names in their NFKC form")]
    NotNormal { name: String, normal: String },
}

/// Checks a new name against a language's rules. Words that are reserved in some places only, and can
/// name things (Python's `match`, TypeScript's `type`), are allowed. A leading `#` is taken in the
/// languages that have private names; whether one is due is for the caller to compare.
pub fn check_name(language: Language, name: &str) -> Result<(), BadName> {
    if language.family() == Family::Data {
        return Err(BadName::NoNames { language: shown(language) });
    }
    let bare = match name.strip_prefix('#') {
        Some(rest) if language.family() == Family::Script => rest,
        _ => name,
    };
    let is_private = bare.len() < name.len();
    let bare = match bare.strip_prefix("r#") {
        Some(rest) if language == Language::Rust && can_be_raw(rest) => return check_characters(language, name, rest),
        _ => bare,
    };
    check_characters(language, name, bare)?;
    if !is_private && is_reserved(language, bare) {
        return Err(BadName::Reserved { name: name.to_owned(), language: shown(language) });
    }
    check_normal(language, bare)
}

fn check_characters(language: Language, name: &str, bare: &str) -> Result<(), BadName> {
    if bare.is_empty() {
        return Err(BadName::Empty);
    }
    let skipped = name.chars().count() - bare.chars().count();
    let wrong = bare.chars().enumerate().find(|(at, character)| !fits(language, *at, *character));
    match wrong {
        Some((at, character)) => Err(BadName::Character { name: name.to_owned(), character, at: at + skipped + 1 }),
        None => Ok(()),
    }
}

fn fits(language: Language, at: usize, character: char) -> bool {
    let has_dollar = matches!(language.family(), Family::Script | Family::Java | Family::Solidity);
    let is_ascii_only = matches!(language.family(), Family::Solidity | Family::Shell | Family::Lua);
    match character {
        '$' => has_dollar,
        '_' => true,
        // Bash's functions may be named with hyphens and dots as well.
        '-' | '.' | ':' => language == Language::Bash && at > 0,
        _ if is_ascii_only && !character.is_ascii() => false,
        _ if at == 0 => character.is_alphabetic(),
        _ => words::is_word(character),
    }
}

/// Full-width and other compatibility letters are read by Python as their plain forms (Python
/// reference § 2.3); only the plain form is what the language server and a search will find.
fn check_normal(language: Language, name: &str) -> Result<(), BadName> {
    if language != Language::Python {
        return Ok(());
    }
    let normal: String = name.chars().map(plain).collect();
    if normal == name {
        return Ok(());
    }
    Err(BadName::NotNormal { name: name.to_owned(), normal })
}

fn plain(character: char) -> char {
    match u32::from(character) {
        code @ 0xFF10..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(character),
        0x017F => 's',
        0x212A => 'K',
        0x00AA => 'a',
        0x00BA => 'o',
        0x00B5 => 'μ',
        0x1D400..=0x1D7FF => plain_math(character),
        _ => character,
    }
}

/// Mathematical letters stand in alphabets of 26 capitals and 26 small letters.
fn plain_math(character: char) -> char {
    let offset = u32::from(character) - 0x1D400;
    let letter = match offset {
        0..=675 => offset % 52,
        _ => return character,
    };
    let base = if letter < 26 { u32::from('A') + letter } else { u32::from('a') + letter - 26 };
    char::from_u32(base).unwrap_or(character)
}

fn can_be_raw(name: &str) -> bool {
    !matches!(name, "crate" | "self" | "super" | "Self" | "_" | "")
}

fn shown(language: Language) -> &'static str {
    match language {
        Language::Python => "Python",
        Language::TypeScript | Language::Tsx => "TypeScript",
        Language::JavaScript => "JavaScript",
        Language::Solidity => "Solidity",
        Language::Rust => "Rust",
        Language::Go => "Go",
        Language::Java => "Java",
        Language::C => "C",
        Language::Cpp => "C++",
        Language::Bash => "Bash",
        Language::Lua => "Lua",
        Language::Json => "JSON",
    }
}

fn is_reserved(language: Language, name: &str) -> bool {
    reserved(language).iter().any(|words| words.split_ascii_whitespace().any(|word| word == name))
        || language == Language::Solidity && is_sized_type(name)
}

/// `uint8` to `uint256`, `int8` to `int256`, `bytes1` to `bytes32`: every one is a keyword.
fn is_sized_type(name: &str) -> bool {
    let sized = |prefix: &str, step: u16, most: u16| {
        let size = name.strip_prefix(prefix).and_then(|digits| digits.parse::<u16>().ok());
        size.is_some_and(|size| size > 0 && size <= most && size.is_multiple_of(step))
    };
    sized("uint", 8, 256) || sized("int", 8, 256) || sized("bytes", 1, 32)
}

fn reserved(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &[PYTHON],
        // Modules and class bodies are strict code, so the words reserved there are reserved here.
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[SCRIPT],
        Language::Solidity => &[SOLIDITY],
        Language::Rust => &[RUST],
        Language::Go => &[GO],
        Language::Java => &[JAVA],
        Language::C => &[C],
        Language::Cpp => &[C, CPP],
        Language::Bash => &[BASH],
        Language::Lua => &[LUA],
        Language::Json => &[],
    }
}

const PYTHON: &str = "False None True and as assert async await break class continue def del elif else except finally \
    for from global if import in is lambda nonlocal not or pass raise return try while with yield __debug__";

const SCRIPT: &str = "break case catch class const continue debugger default delete do else enum export extends false \
    finally for function if import in instanceof new null return super switch this throw true try typeof var void \
    while with await yield let static implements interface package private protected public arguments eval";

const SOLIDITY: &str = "abstract address anonymous as assembly bool break bytes byte calldata case catch constant \
    constructor continue contract days default delete do else emit enum ether event external fallback false final \
    finney fixed for function gwei hex hours if immutable import in indexed inline int interface internal is let \
    library mapping match memory minutes modifier new null of override payable pragma private public pure receive \
    relocatable return returns seconds static storage string struct super switch szabo this throw true try type \
    typedef typeof ufixed uint unchecked using var view virtual weeks wei while years after alias apply auto copyof \
    define implements macro mutable partial promise reference sealed sizeof supports unicode";

const RUST: &str = "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
    match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract \
    become box do final gen macro override priv try typeof unsized virtual yield _";

const GO: &str = "break case chan const continue default defer else fallthrough for func go goto if import interface \
    map package range return select struct switch type var _";

const JAVA: &str = "abstract assert boolean break byte case catch char class const continue default do double else \
    enum extends final finally float for goto if implements import instanceof int interface long native new package \
    private protected public return short static strictfp super switch synchronized this throw throws transient try \
    void volatile while true false null _";

const C: &str = "auto break case char const continue default do double else enum extern float for goto if inline int \
    long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while \
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local alignas \
    alignof bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual";

const CPP: &str = "and and_eq asm bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl \
    concept const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new \
    noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template this \
    throw try typeid typename using virtual wchar_t xor xor_eq";

const BASH: &str = "if then else elif fi case esac for select while until do done in function time coproc";

const LUA: &str = "and break do else elseif end false for function goto if in local nil not or repeat return then true \
    until while";

/// Tells whether a text could be a name in some language.
pub(super) fn is_identifier(name: &str) -> bool {
    let bare = name.strip_prefix('#').unwrap_or(name);
    !bare.is_empty() && !bare.starts_with(|first: char| first.is_ascii_digit()) && bare.chars().all(words::is_word)
}
