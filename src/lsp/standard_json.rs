//! Questions to the Solidity compiler, in its standard JSON.

use std::time::Duration;

use serde_json::{Value, json};

use crate::lsp::provision::SolcKind;
use crate::lsp::{Guard, Program, Solc};
use crate::solidity::{CompilationUnit, Project, SourceId};
use crate::text::quoted;

const DRIVER: &str = include_str!("solc.cjs");
/// How long one compilation may take.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// No answer of a compiler is larger.
const MOST_BYTES: usize = 512 << 20;

impl Solc {
    /// Makes the compiler's input of the sources of a unit. Each import that no dot begins is led to its source by a
    /// remapping of its own; `settings` say the rest.
    pub fn input(project: &Project, unit: &CompilationUnit, mut settings: Value) -> Value {
        let text = |id: &SourceId| project.text(id).map(|text| (id.to_string(), json!({"content": text})));
        let sources: serde_json::Map<String, Value> = unit.sources.iter().filter_map(text).collect();
        settings["remappings"] = json!(unit.remappings);
        json!({"language": "Solidity", "sources": sources, "settings": settings})
    }

    /// Runs the compiler once.
    ///
    /// # Errors
    /// Why it could not be run, or what it said instead of an answer.
    pub async fn answer(&self, input: &Value, guard: &Guard) -> Result<Value, String> {
        let program = match &self.kind {
            SolcKind::Native(program) => {
                let words = [program.as_os_str(), "--standard-json".as_ref()];
                Program::new(words).asked(input.to_string())
            }
            SolcKind::Script { node, soljson } => {
                let question = json!({"soljson": soljson, "input": input}).to_string();
                Program::new(node.iter().map(String::as_str).chain(["-e", DRIVER])).asked(question)
            }
        };
        let program = program.within(&self.env).saying(MOST_BYTES);
        let output = program.run(guard, PATIENCE).await.map_err(|error| error.to_string())?;
        let answer = output.stdout.whole().map_err(|bytes| format!("its answer is of {bytes} bytes"))?;
        let said = || output.stderr.text().lines().last().map_or_else(String::new, quoted);
        serde_json::from_slice(answer).map_err(|error| format!("{error}: {}", said()))
    }
}
