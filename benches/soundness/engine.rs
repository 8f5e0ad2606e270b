//! Who answers the trials: the library, or one of two stand-ins that show whether the benchmark can see.

use std::collections::BTreeMap;

use lspwright::plan::{Move, Parts, Plan};
use lspwright::text::{AbsPath, ContentHash, Span, Text, TextEdit};

use crate::trials::Trial;
use crate::{Engine, Options};

/// What was answered.
pub enum Answer {
    Plan(Box<Plan>),
    Refused(String),
    /// A plan, and what the library's own verification found wrong with it.
    Flagged(Box<Plan>, Vec<String>),
    /// Not an answer: the engine itself failed.
    Failed(String),
}

/// Renames only the place that was asked for, moves only the files: nearly every plan is unsound, and the
/// benchmark has to say so.
pub fn careless(trial: &Trial) -> Result<Plan, String> {
    let mut parts = Parts::default();
    match trial {
        Trial::Rename { path, offset, old, new, .. } => {
            let path = AbsPath::new(path).map_err(|error| error.to_string())?;
            let bytes = std::fs::read(path.as_path()).map_err(|error| error.to_string())?;
            let text = Text::decode(bytes).map_err(|error| error.to_string())?;
            let edit = TextEdit::new(Span::new(*offset, offset + old.len()), new.clone());
            parts.edits = BTreeMap::from([(path, (text.into(), vec![edit]))]);
        }
        Trial::Move { from, to, .. } => {
            let files = if from.is_dir() {
                crate::tree::files_below(from, &["py", "ts", "tsx", "js"])
            } else {
                vec![from.clone()]
            };
            for file in files {
                let target =
                    if from.is_dir() { to.join(file.strip_prefix(from).expect("it lies below")) } else { to.clone() };
                let before = ContentHash::of(&std::fs::read(&file).map_err(|error| error.to_string())?);
                let absolute = |path| AbsPath::new(path).map_err(|error| error.to_string());
                parts.moves.insert(absolute(file)?, Move { to: absolute(target)?, before });
            }
        }
    }
    Plan::new(parts).map_err(|error| error.to_string())
}

/// The engine of one package's trials.
pub enum Planner {
    Nothing,
    Careless,
}

impl Planner {
    pub fn open(options: &Options, _root: &AbsPath) -> Result<Self, String> {
        match options.engine {
            Engine::Nothing => Ok(Self::Nothing),
            Engine::Careless => Ok(Self::Careless),
            Engine::Library => Err("the library cannot plan yet".to_owned()),
        }
    }

    /// Tells whether the answers are meant to do what was asked.
    pub fn is_real(&self) -> bool {
        false
    }

    pub fn plan(&self, trial: &Trial) -> Answer {
        let plan = match self {
            Self::Nothing => Ok(Plan::default()),
            Self::Careless => careless(trial),
        };
        plan.map_or_else(Answer::Failed, |plan| Answer::Plan(Box::new(plan)))
    }
}
