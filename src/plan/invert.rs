//! The plan that takes another one back.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{FileEdit, Move, Plan};
use crate::text::Text;

impl Plan {
    /// Returns the plan that leads from the state after this plan back to the one before; its paths and
    /// offsets are those after this plan.
    pub fn invert(&self) -> Plan {
        let mut edits = BTreeMap::new();
        for (path, edit) in &self.edits {
            let after = Arc::new(edit.after());
            let inverse = edit.edits.invert(edit.before.as_str());
            let path = self.path_after(path).expect("an edited file is not deleted");
            edits.insert(path, FileEdit { before: after, edits: inverse });
        }
        let moves = self.moves.iter().map(|(from, step)| {
            let before = self.edits.get(from).map_or_else(|| step.before.clone(), |edit| edit.after().hash().clone());
            (step.to.clone(), Move { to: from.clone(), before })
        });
        let deletes = self.creates.iter().map(|(path, text)| (path.clone(), Arc::new(text.clone())));
        let creates = self.deletes.iter().map(|(path, text)| (path.clone(), Text::clone(text)));
        Plan {
            edits,
            moves: moves.collect(),
            creates: creates.collect(),
            deletes: deletes.collect(),
            warnings: Vec::new(),
        }
    }
}
