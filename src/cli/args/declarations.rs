//! What the commands are asked with that see a project as declarations.

use clap::{Args, ValueEnum};

use crate::tools::explore;

#[derive(Debug, Args)]
pub(in crate::cli) struct Outline {
    /// The file or directory
    #[arg(default_value = ".")]
    pub path: String,
    /// Only this kind: function, class, field, …; in every language: trait, error, app
    #[arg(long)]
    pub kind: Option<String>,
    /// Only what is meant for others
    #[arg(long)]
    pub public: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Find {
    /// `total`, or with what it stands in: `Order.total`
    pub name: String,
    /// Only this kind: function, class, field, …; in every language: trait, error, app
    #[arg(long)]
    pub kind: Option<String>,
    /// How the name is compared
    #[arg(long = "match", value_enum, default_value = "exact")]
    pub matching: Match,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Match {
    Exact,
    Prefix,
    Substring,
}

impl From<Match> for explore::Match {
    fn from(matching: Match) -> Self {
        match matching {
            Match::Exact => Self::Exact,
            Match::Prefix => Self::Prefix,
            Match::Substring => Self::Substring,
        }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Declared {
    /// A target, an id, or a name that is declared once
    pub target: String,
}
