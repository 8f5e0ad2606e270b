//! Floor 5: what is there to be seen in code: its structure and its smells. Nothing is changed.

mod analysis;
mod baseline;
mod config;
mod error;
mod outline;
mod params;
mod search;
mod smells;
mod source_file;
mod structure;
mod survey;
mod view;

pub use analysis::{Analysis, Found, Request, analyze};
pub use baseline::{BadBaseline, Baseline};
pub use config::{Config, ConfigError};
pub use error::InspectError;
pub use outline::{Class, Function, Outline, outline};
pub use params::{Parameter, ParameterKind};
pub use search::{Match, Matches, Wanted, search};
pub use smells::{Finding, Limit, SMELLS, Severity, Smell};
pub use source_file::SourceFile;
pub use structure::{Depth, count, structure};
pub use survey::{LANGUAGES, Survey, SurveyKind, Watch, language_name};
