//! What a smell leaves of one file once its tree is gone, for those who judge over all files.

use std::collections::BTreeSet;

use super::finding::Severity;
use crate::inspect::outline::Class;
use crate::inspect::source_file::SourceFile;
use crate::inspect::view::{FindingLocation, View};
use crate::syntax::{DeclarationKind, Stem};

/// What is known of one file once its tree is gone.
pub struct Facts {
    pub file: SourceFile,
    /// The names of the classes that it declares.
    pub class_names: Vec<String>,
    pub signatures: Vec<Signature>,
    pub classes: Vec<ClassFacts>,
    pub tokens: Tokens,
    pub names: DeclaredNames,
    pub envies: Vec<Envy>,
    pub unused: Vec<Unused>,
    /// The names of methods that might decide on their parameters, each as often as it is declared.
    pub deciding: Vec<String>,
    pub stems: BTreeSet<Stem>,
}

impl Facts {
    pub fn of(view: &View<'_>) -> Self {
        // Nothing can be moved into a struct of Solidity.
        let is_class = |class: &&Class<'_>| !class.node.is_any(&["impl_item", "struct_declaration"]);
        let named = view.outline.classes.iter().filter(is_class);
        Self {
            file: view.file.clone(),
            class_names: named.filter_map(|class| class.path.last().cloned()).collect(),
            signatures: Vec::new(),
            classes: Vec::new(),
            tokens: Tokens::default(),
            names: DeclaredNames::default(),
            envies: Vec::new(),
            unused: Vec::new(),
            deciding: Vec::new(),
            stems: stems(view),
        }
    }
}

/// Returns the ends of names that stand in strings beside what is only known later.
fn stems(view: &View<'_>) -> BTreeSet<Stem> {
    crate::syntax::stems(view.text).into_iter().map(|(stem, _)| stem).collect()
}

/// A function with many parameters.
pub struct Signature {
    pub name: String,
    /// Name and type, as they are written.
    pub parameters: BTreeSet<String>,
    pub spot: FindingLocation,
}

/// What a class has and does not want.
pub struct ClassFacts {
    pub name: String,
    pub bases: Vec<String>,
    /// Methods that do something.
    pub works: Vec<String>,
    pub refuses: Vec<Refusal>,
}

pub struct Refusal {
    pub method: String,
    pub severity: Severity,
    pub spot: FindingLocation,
}

/// The tokens of one file, and where a copy can begin.
#[derive(Default)]
pub struct Tokens {
    pub all: Vec<Token>,
    /// The first tokens of lines inside functions, with the hash of as many tokens as a copy has at least.
    pub starts: Vec<Start>,
}

#[derive(Clone, Copy)]
pub struct Token {
    /// What the token says; of a literal, what kind it is.
    pub word: u32,
    pub line: u32,
    pub is_variable: bool,
}

pub struct Start {
    pub hash: u64,
    pub at: usize,
    /// For the finding, should this be the first of the copies.
    pub spot: FindingLocation,
}

/// What one file declares for itself and does not name again.
#[derive(Default)]
pub struct DeclaredNames {
    pub unnamed: Vec<Unnamed>,
}

pub struct Unnamed {
    pub name: String,
    pub kind: DeclarationKind,
    pub reach: Accessibility,
    pub spot: FindingLocation,
}

/// From where a declaration can be named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Accessibility {
    File,
    Project,
}

/// A method that envies the type of a parameter, if the project declares that type.
pub enum Envy {
    Of {
        class: String,
        own: String,
        spot: FindingLocation,
        details: String,
    },
    /// A method that seems to envy a parameter whose type is not written.
    Untyped,
}

/// A parameter that its function does not use.
pub struct Unused {
    pub function: String,
    pub is_method: bool,
    pub spot: FindingLocation,
    pub name: String,
}
