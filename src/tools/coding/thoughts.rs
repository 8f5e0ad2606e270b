//! Numbered thoughts, with revisions and branches; only their order is kept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::quoted;
use crate::tools::ToolError;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ThoughtArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    _project_root: Option<String>,
    thought: String,
    /// 1-based.
    thought_number: i64,
    /// An estimate.
    total_thoughts: i64,
    next_thought_needed: bool,
    #[serde(default)]
    is_revision: bool,
    /// The number of the thought that is revised.
    revises_thought: Option<i64>,
    /// The number of the thought that the branch begins at.
    branch_from_thought: Option<i64>,
    branch_id: Option<String>,
    #[serde(default)]
    needs_more_thoughts: bool,
}

/// Where the chain stands.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "Thoughts")]
pub(super) struct ThoughtsJson {
    thought_number: i64,
    total_thoughts: i64,
    next_thought_needed: bool,
    branches: Vec<String>,
    thought_history_length: usize,
}

/// The thoughts of one connection, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    /// Of each branch the highest number; the trunk has no name.
    highest: BTreeMap<Option<String>, i64>,
    noted: usize,
}

impl Thoughts {
    pub(super) fn take(&mut self, args: ThoughtArgs) -> Result<ThoughtsJson, ToolError> {
        self.refuse_bad_numbers(&args)?;
        let number = args.thought_number;
        let highest = self.highest.entry(args.branch_id.clone()).or_default();
        *highest = number.max(*highest);
        self.noted += 1;
        let more = args.needs_more_thoughts && args.next_thought_needed;
        Ok(ThoughtsJson {
            thought_number: number,
            total_thoughts: args.total_thoughts.max(number + i64::from(more && number >= args.total_thoughts)),
            next_thought_needed: args.next_thought_needed,
            branches: self.highest.keys().flatten().cloned().collect(),
            thought_history_length: self.noted,
        })
    }

    fn refuse_bad_numbers(&self, args: &ThoughtArgs) -> Result<(), ToolError> {
        let numbers = [
            ("thought_number", Some(args.thought_number)),
            ("total_thoughts", Some(args.total_thoughts)),
            ("revises_thought", args.revises_thought),
            ("branch_from_thought", args.branch_from_thought),
        ];
        for (name, number) in numbers {
            if let Some(number) = number.filter(|number| !(1..=MOST).contains(number)) {
                return Err(ToolError::invalid(format!("`{name}` is {number}; it is a number from 1 to {MOST}")));
            }
        }
        if args.thought.trim().is_empty() {
            return Err(ToolError::invalid("`thought` is empty"));
        }
        match (args.is_revision, args.revises_thought) {
            (true, None) => return Err(needs("is_revision", "revises_thought")),
            (false, Some(_)) => return Err(needs("revises_thought", "is_revision: true")),
            (_, Some(revised)) => self.refuse_unknown("revises_thought", revised)?,
            (false, None) => {}
        }
        match (args.branch_from_thought, &args.branch_id) {
            (Some(_), None) => Err(needs("branch_from_thought", "branch_id")),
            (None, Some(id)) if !self.highest.contains_key(&Some(id.clone())) => {
                Err(ToolError::invalid(format!("no branch {} was begun", quoted(id)))
                    .hint("begin it with `branch_from_thought`, the number of the thought that it begins at"))
            }
            (Some(from), Some(_)) => self.refuse_unknown("branch_from_thought", from),
            (None, _) => Ok(()),
        }
    }

    fn refuse_unknown(&self, name: &str, number: i64) -> Result<(), ToolError> {
        let last = self.highest.values().max().copied().unwrap_or_default();
        if number <= last {
            return Ok(());
        }
        let last = if last == 0 { "none was noted yet".to_owned() } else { format!("the last one is {last}") };
        Err(ToolError::invalid(format!("`{name}` is {number}, and there is no such thought: {last}")))
    }
}

/// Nobody thinks further.
const MOST: i64 = 100_000;

fn needs(given: &str, missing: &str) -> ToolError {
    ToolError::invalid(format!("`{given}` goes with `{missing}`"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ThoughtArgs, Thoughts, ThoughtsJson};

    fn take(thoughts: &mut Thoughts, number: i64, total: i64, more: Value) -> Result<ThoughtsJson, String> {
        let mut args =
            json!({"thought": "so", "thought_number": number, "total_thoughts": total, "next_thought_needed": true});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let args: ThoughtArgs = serde_json::from_value(args).unwrap();
        thoughts.take(args).map_err(|error| error.message)
    }

    #[test]
    fn thoughts_are_counted_with_their_branches() {
        let mut thoughts = Thoughts::default();
        assert_eq!(take(&mut thoughts, 1, 3, json!({})).unwrap().thought_history_length, 1);
        take(&mut thoughts, 2, 3, json!({})).unwrap();
        take(&mut thoughts, 2, 3, json!({"is_revision": true, "revises_thought": 1})).unwrap();
        take(&mut thoughts, 3, 3, json!({"branch_from_thought": 2, "branch_id": "other"})).unwrap();
        let last = take(&mut thoughts, 5, 3, json!({"branch_id": "other", "needs_more_thoughts": true})).unwrap();
        let expected = ThoughtsJson {
            thought_number: 5,
            total_thoughts: 6,
            next_thought_needed: true,
            branches: vec!["other".to_owned()],
            thought_history_length: 5,
        };
        assert_eq!(last, expected);
    }

    #[test]
    fn bad_numbers_are_refused_with_the_reason() {
        let mut thoughts = Thoughts::default();
        let mut refused = |number, total, more| take(&mut thoughts, number, total, more).unwrap_err();
        assert_eq!(refused(0, 1, json!({})), "`thought_number` is 0; it is a number from 1 to 100000");
        assert_eq!(refused(1, -2, json!({})), "`total_thoughts` is -2; it is a number from 1 to 100000");
        assert_eq!(refused(1, 1, json!({"is_revision": true})), "`is_revision` goes with `revises_thought`");
        assert_eq!(refused(1, 1, json!({"revises_thought": 1})), "`revises_thought` goes with `is_revision: true`");
        assert_eq!(refused(1, 1, json!({"branch_from_thought": 1})), "`branch_from_thought` goes with `branch_id`");
        assert_eq!(refused(1, 1, json!({"branch_id": "b"})), "no branch `b` was begun");
        let unknown = refused(1, 1, json!({"is_revision": true, "revises_thought": 1}));
        assert_eq!(unknown, "`revises_thought` is 1, and there is no such thought: none was noted yet");
        assert_eq!(refused(1, 1, json!({"thought": " "})), "`thought` is empty");
        assert_eq!(take(&mut thoughts, 1, 1, json!({})).unwrap().thought_history_length, 1, "nothing refused is kept");
        let unknown = take(&mut thoughts, 3, 3, json!({"branch_from_thought": 2, "branch_id": "b"})).unwrap_err();
        assert_eq!(unknown, "`branch_from_thought` is 2, and there is no such thought: the last one is 1");
    }
}
