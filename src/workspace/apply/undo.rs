//! Takes an applied plan back, by the plan that the journal keeps for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::ApplyError;
use super::hands::Hands;
use super::job::Job;
use super::journal::Found;
use super::places::file;
use super::record::{Inverse, Record};
use super::{Applied, Project};
use crate::plan::{Move, Parts, Plan};
use crate::text::{AbsPath, ContentHash, Text, TextEdit};
use crate::workspace::open::read;

impl Project {
    pub(super) fn undo(&self, plan: Option<&str>, hands: &Hands<'_>) -> Result<Applied, ApplyError> {
        let _lock = self.journal.lock()?;
        let mut recovered = self.recover(hands)?;
        let Found { records, set_aside } = self.journal.read(self.journal.finished()?);
        recovered.extend(set_aside);
        let record = last_applied(records, plan)?;
        let inverse = &record.intent.inverse;
        let plan = self.plan(&record)?;
        let modes = inverse.creates.iter().filter_map(|(path, _, mode)| Some((AbsPath::new(path).ok()?, (*mode)?)));
        let modes: Vec<(AbsPath, u32)> = modes.collect();
        let job = Job { plan: &plan, undoes: Some(record.number), modes: &modes };
        self.carry_out_locked(&job, hands).map(|applied| Applied { recovered, ..applied })
    }

    /// Builds the inverse plan on the texts that the files hold now, which must be those that the plan left.
    fn plan(&self, record: &Record) -> Result<Plan, ApplyError> {
        let Inverse { edits, moves, creates, deletes } = &record.intent.inverse;
        let mut texts = Texts { root: &self.root, changed: Vec::new() };
        let mut parts = Parts::default();
        for (path, hash, edits) in edits {
            let path = AbsPath::new(path)?;
            let edits = edits.iter().map(|(start, end, text)| TextEdit::new(*start..*end, text)).collect();
            parts.edits.extend(texts.read(&path, hash)?.map(|text| (path, (text, edits))));
        }
        for (path, hash) in deletes {
            let path = AbsPath::new(path)?;
            parts.deletes.extend(texts.read(&path, hash)?.map(|text| (path, text)));
        }
        for (from, to, hash) in moves {
            let before = ContentHash::parse(hash).ok_or_else(|| broken(record, "a hash is none"))?;
            parts.moves.insert(AbsPath::new(from)?, Move { to: AbsPath::new(to)?, before });
        }
        for (path, content, _) in creates {
            let text = Text::decode(content.clone().into_bytes()).map_err(|_| broken(record, "a text is none"))?;
            parts.creates.insert(AbsPath::new(path)?, text);
        }
        if !texts.changed.is_empty() {
            return Err(ApplyError::Stale { changed: texts.changed });
        }
        Ok(Plan::new(parts)?)
    }
}

/// Finds the last transaction, of a plan where one is named, that is not taken back and takes none back itself.
fn last_applied(mut records: Vec<Record>, plan: Option<&str>) -> Result<Record, ApplyError> {
    let undone: BTreeSet<u64> = records.iter().filter_map(|record| record.intent.undoes).collect();
    records.retain(|record| record.intent.undoes.is_none() && !undone.contains(&record.number));
    records.retain(|record| plan.is_none_or(|plan| record.intent.plan == plan));
    records.pop().ok_or_else(|| match plan {
        Some(plan) => ApplyError::NotApplied { plan: plan.to_owned() },
        None => ApplyError::NothingToUndo,
    })
}

struct Texts<'a> {
    root: &'a AbsPath,
    changed: Vec<AbsPath>,
}

impl Texts<'_> {
    /// Reads a text, or notes that it is another one now.
    fn read(&mut self, path: &AbsPath, hash: &str) -> Result<Option<Arc<Text>>, ApplyError> {
        let real = file(self.root, path)?;
        let text = read(&real).ok().and_then(|bytes| Text::decode(bytes).ok());
        let text = text.filter(|text| text.hash().as_str() == hash);
        if text.is_none() {
            self.changed.push(path.clone());
        }
        Ok(text.map(Arc::new))
    }
}

fn broken(record: &Record, reason: &str) -> ApplyError {
    ApplyError::Journal { path: record.dir.clone(), reason: reason.to_owned() }
}
