//! The languages whose grammar is compiled in.

use std::sync::OnceLock;

use super::grammar_names::GrammarNames;
use crate::text::AbsPath;

/// A language that a text can be parsed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Solidity,
    Rust,
    Go,
    Java,
    C,
    Cpp,
    Bash,
    Lua,
    Json,
}

/// Languages that import each other's files and share their rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    Python,
    /// TypeScript, TSX and JavaScript.
    Script,
    Solidity,
    Rust,
    Go,
    Java,
    /// C and C++.
    C,
    Shell,
    Lua,
    /// Texts without names of their own.
    Data,
}

struct Facts {
    id: &'static str,
    family: Family,
    extensions: &'static [&'static str],
}

impl Language {
    pub const ALL: [Self; 13] = [
        Self::Python,
        Self::TypeScript,
        Self::Tsx,
        Self::JavaScript,
        Self::Solidity,
        Self::Rust,
        Self::Go,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::Bash,
        Self::Lua,
        Self::Json,
    ];

    /// Tells whether it is TypeScript, TSX included: a script whose names have types.
    pub fn is_typed_script(self) -> bool {
        matches!(self, Self::TypeScript | Self::Tsx)
    }

    /// Returns the language of a file by its extension.
    pub fn of_path(path: &AbsPath) -> Option<Self> {
        Self::of_extension(path.extension())
    }

    /// Returns the language of an extension without its dot.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        Self::ALL.into_iter().find(|language| language.facts().extensions.contains(&extension.as_str()))
    }

    /// Returns the language of a language identifier (LSP 3.17 § TextDocumentItem).
    pub fn of_id(id: &str) -> Option<Self> {
        match id {
            "javascriptreact" => Some(Self::JavaScript),
            "jsonc" => Some(Self::Json),
            _ => Self::ALL.into_iter().find(|language| language.id() == id),
        }
    }

    /// Returns the language identifier (LSP 3.17 § TextDocumentItem).
    pub fn id(self) -> &'static str {
        self.facts().id
    }

    /// Tells whether functions of one name may stand beside each other, told apart by what they take.
    pub fn overloads(self) -> bool {
        matches!(self, Self::Java | Self::Cpp)
    }

    pub fn family(self) -> Family {
        self.facts().family
    }

    fn facts(self) -> Facts {
        let (id, family, extensions): (_, _, &'static [&'static str]) = match self {
            Self::Python => ("python", Family::Python, &["py", "pyi", "pyw"]),
            Self::TypeScript => ("typescript", Family::Script, &["ts", "mts", "cts"]),
            Self::Tsx => ("typescriptreact", Family::Script, &["tsx"]),
            Self::JavaScript => ("javascript", Family::Script, &["js", "mjs", "cjs", "jsx"]),
            Self::Solidity => ("solidity", Family::Solidity, &["sol"]),
            Self::Rust => ("rust", Family::Rust, &["rs"]),
            Self::Go => ("go", Family::Go, &["go"]),
            Self::Java => ("java", Family::Java, &["java"]),
            Self::C => ("c", Family::C, &["c", "h"]),
            Self::Cpp => ("cpp", Family::C, &["cpp", "cc", "cxx", "hpp", "hh", "hxx"]),
            Self::Bash => ("shellscript", Family::Shell, &["sh", "bash"]),
            Self::Lua => ("lua", Family::Lua, &["lua"]),
            Self::Json => ("json", Family::Data, &["json", "jsonc"]),
        };
        Facts { id, family, extensions }
    }

    /// Returns the grammar; it lives as long as the program, and so do the names in it.
    pub(super) fn grammar(self) -> &'static tree_sitter::Language {
        static GRAMMARS: [OnceLock<tree_sitter::Language>; 13] = [const { OnceLock::new() }; 13];
        GRAMMARS[self as usize].get_or_init(|| match self {
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::Solidity => tree_sitter_solidity::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            Self::C => tree_sitter_c::LANGUAGE.into(),
            Self::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Self::Bash => tree_sitter_bash::LANGUAGE.into(),
            Self::Lua => tree_sitter_lua::LANGUAGE.into(),
            Self::Json => tree_sitter_json::LANGUAGE.into(),
        })
    }

    /// Returns the grammar's names for its nodes and fields.
    pub(super) fn names(self) -> &'static GrammarNames {
        static NAMES: [OnceLock<GrammarNames>; 13] = [const { OnceLock::new() }; 13];
        NAMES[self as usize].get_or_init(|| GrammarNames::of(self.grammar(), self.node_types()))
    }

    /// Returns the grammar's own description of its nodes, as JSON; nothing where that leaves fields out.
    fn node_types(self) -> Option<&'static str> {
        Some(match self {
            Self::Python => tree_sitter_python::NODE_TYPES,
            Self::TypeScript => tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
            Self::Tsx => tree_sitter_typescript::TSX_NODE_TYPES,
            Self::JavaScript => tree_sitter_javascript::NODE_TYPES,
            Self::Solidity => tree_sitter_solidity::NODE_TYPES,
            Self::Rust => tree_sitter_rust::NODE_TYPES,
            Self::Go => tree_sitter_go::NODE_TYPES,
            Self::Java => tree_sitter_java::NODE_TYPES,
            Self::C => tree_sitter_c::NODE_TYPES,
            Self::Cpp => tree_sitter_cpp::NODE_TYPES,
            Self::Bash => tree_sitter_bash::NODE_TYPES,
            // Its statements have a field by what they are a kind of, of which nothing is said.
            Self::Lua => return None,
            Self::Json => tree_sitter_json::NODE_TYPES,
        })
    }
}

/// Tells whether a file holds tests, by its path.
pub fn is_test(name: &str) -> bool {
    let mut parts = name.split('/').rev();
    let file = parts.next().unwrap_or_default();
    let is_named = file.starts_with("test_")
        || matches!(file, "conftest.py" | "tests.rs" | "test.rs")
        || file.ends_with("Test.java")
        || file.ends_with(".t.sol")
        || ["_test.", "_tests.", ".test.", ".spec.", "-test.", ".test-d."].iter().any(|mark| file.contains(mark));
    is_named
        || parts.any(|dir| {
            matches!(dir, "test" | "tests" | "testing" | "__tests__" | "spec" | "benches" | "bench" | "benchmarks")
        })
}
