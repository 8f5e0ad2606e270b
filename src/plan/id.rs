//! The name of a plan: the same changes of the same texts have the same one.

use std::fmt::Write as _;

use super::Plan;
use crate::text::ContentHash;

/// Sixteen hexadecimal digits, made from all that the plan changes and its basis; not from its warnings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanId(String);

impl PlanId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Plan {
    /// Names the plan. Lengths stand before contents, so that no two plans are written alike.
    pub fn id(&self) -> PlanId {
        let mut written = String::from("lspwright plan 1\n");
        for (path, hash) in self.basis() {
            line(&mut written, "basis", &[path.as_str(), hash.as_str()]);
        }
        for (path, edit) in &self.edits {
            for one in &edit.edits {
                let (start, end) = (one.span.start.to_string(), one.span.end.to_string());
                line(&mut written, "edit", &[path.as_str(), &start, &end, &one.new_text]);
            }
        }
        for (from, step) in &self.moves {
            line(&mut written, "move", &[from.as_str(), step.to.as_str()]);
        }
        for (path, text) in &self.creates {
            line(&mut written, "create", &[path.as_str(), text.hash().as_str()]);
        }
        for path in self.deletes.keys() {
            line(&mut written, "delete", &[path.as_str()]);
        }
        PlanId(ContentHash::of(written.as_bytes()).as_str()[..16].to_owned())
    }
}

fn line(written: &mut String, kind: &str, fields: &[&str]) {
    written.push_str(kind);
    for field in fields {
        write!(written, " {}:{field}", field.len()).expect("a String takes all that is written");
    }
    written.push('\n');
}
