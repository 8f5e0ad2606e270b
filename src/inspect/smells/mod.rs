//! The smells of code: one file each, and the one table that the tools, the command line and the tests walk.

mod assembled;
mod bequest;
mod clumps;
mod conditional;
mod dead;
mod duplicates;
mod envy;
mod large_class;
mod long_method;
mod magic_number;
mod message_chain;
mod middle_man;
mod module;
mod nesting;
mod parameters;
mod temporary_field;
mod type_switch;
mod unused_parameter;

use std::collections::BTreeSet;

use super::outline::Class;
use super::survey::SourceFile;
use super::view::View;
use crate::syntax::{Family, whole_words};
use crate::text::AbsPath;
use crate::workspace::Disk;

/// One kind of smell.
pub struct Smell {
    pub name: &'static str,
    /// One sentence for people.
    pub about: &'static str,
    /// The refactoring of the catalog that mends it.
    pub refactoring: &'static str,
    pub limits: &'static [Limit],
    pub find: Find,
}

/// A threshold that the configuration can change.
pub struct Limit {
    pub name: &'static str,
    pub default: u32,
    pub about: &'static str,
}

/// How a smell is found.
pub enum Find {
    /// In each file by itself.
    InFile(fn(&View<'_>, &Limits<'_>) -> Vec<Finding>),
    /// Over all files: first each leaves its facts, then these are judged together.
    Across { note: fn(&View<'_>, &Limits<'_>, &mut Facts), judge: fn(&World<'_>, &Limits<'_>) -> Judgement },
}

/// All that is looked into, for those who judge.
pub struct World<'w> {
    pub disk: &'w Disk,
    pub facts: &'w [Facts],
}

impl World<'_> {
    /// Tells whether another file hands a function on by its name instead of calling it.
    fn hands_on(&self, function: &str, own: &AbsPath) -> bool {
        let others = self.disk.files_mentioning(function);
        others.iter().filter(|other| *other != own).any(|other| {
            let Ok(text) = self.disk.read(other) else { return true };
            let text = text.as_str();
            whole_words(text, function).into_iter().any(|word| {
                let line = text[..word.start].rsplit('\n').next().unwrap_or_default().trim_start();
                let is_called = text[word.end..].trim_start().starts_with('(');
                let is_import = ["from ", "import ", "export "].iter().any(|it| line.starts_with(it));
                !is_called && !is_import
            })
        })
    }
}

/// What is known of one file once its tree is gone.
pub struct Facts {
    pub file: SourceFile,
    /// The names of the classes that it declares.
    pub class_names: Vec<String>,
    pub signatures: Vec<clumps::Signature>,
    pub classes: Vec<bequest::ClassFacts>,
    pub tokens: duplicates::Tokens,
    pub names: dead::Names,
    pub envies: Vec<envy::Envy>,
    pub unused: Vec<unused_parameter::Unused>,
    /// The names of methods that might decide on their parameters, each as often as it is declared.
    pub deciding: Vec<String>,
    pub stems: BTreeSet<String>,
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
            tokens: duplicates::Tokens::default(),
            names: dead::Names::default(),
            envies: Vec::new(),
            unused: Vec::new(),
            deciding: Vec::new(),
            stems: assembled::stems(view),
        }
    }
}

/// What was found over all files, and what could not be told.
#[derive(Default)]
pub struct Judgement {
    pub findings: Vec<Finding>,
    pub notes: Vec<String>,
}

/// One place that smells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A target that leads to it.
    pub location: String,
    pub line: u32,
    /// The same as long as the code is: paths and names, but no lines.
    pub anchor: String,
    pub severity: Severity,
    pub details: String,
    /// Where another refactoring mends it than the smell's own.
    pub refactoring: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Low,
    Medium,
    High,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name)
    }

    /// A number far above its limit is worse than one just above it.
    fn graded(value: u32, limit: u32) -> Self {
        if value > limit.saturating_mul(2) { Self::High } else { Self::Medium }
    }
}

/// The thresholds of one smell, as configured.
pub struct Limits<'c> {
    pub smell: &'static Smell,
    pub values: &'c [(String, u32)],
}

impl Limits<'_> {
    /// Returns a threshold that the smell declares.
    pub fn get(&self, name: &str) -> u32 {
        let set = self.values.iter().find(|(limit, _)| limit == name).map(|(_, value)| *value);
        let default = || self.smell.limits.iter().find(|limit| limit.name == name).map(|limit| limit.default);
        set.or_else(default).expect("a smell asks for limits that it declares")
    }
}

/// All smells, by name.
pub const SMELLS: &[Smell] = &[
    conditional::COMPLEX_CONDITIONAL,
    long_method::COMPLEX_METHOD,
    clumps::DATA_CLUMP,
    dead::DEAD_CODE,
    nesting::DEEP_NESTING,
    duplicates::DUPLICATE_CODE,
    envy::FEATURE_ENVY,
    module::GOD_MODULE,
    large_class::LARGE_CLASS,
    long_method::LONG_METHOD,
    parameters::LONG_PARAMETER_LIST,
    magic_number::MAGIC_NUMBER,
    message_chain::MESSAGE_CHAIN,
    middle_man::MIDDLE_MAN,
    bequest::REFUSED_BEQUEST,
    type_switch::SWITCH_ON_TYPE,
    temporary_field::TEMPORARY_FIELD,
    unused_parameter::UNUSED_PARAMETER,
];

/// The smells that need what only some languages have, with these.
const ONLY: &[(&Smell, &[Family])] = &[
    (&bequest::REFUSED_BEQUEST, &[Family::Python, Family::Script, Family::Java]),
    (&temporary_field::TEMPORARY_FIELD, &[Family::Python, Family::Script, Family::Java]),
];

impl Smell {
    /// Tells whether the smell is looked for in a language.
    pub fn knows(&self, family: Family) -> bool {
        let only = ONLY.iter().find(|(smell, _)| smell.name == self.name);
        only.is_none_or(|(_, families)| families.contains(&family))
    }
}

/// Finds a smell by its name.
pub(super) fn smell(name: &str) -> Option<&'static Smell> {
    SMELLS.iter().find(|smell| smell.name == name)
}
