//! The thread that slang runs on: its trees cannot leave it, and its recursion needs a deep stack.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use semver::Version;

use crate::solidity::extract::UnitFacts;
use crate::solidity::source_id::SourceId;
use crate::solidity::unit::{Input, Unit};

/// What each version has to read.
pub(super) type Inputs = BTreeMap<Version, BTreeMap<SourceId, Input>>;

/// A handle on the thread, which ends with it.
pub(super) struct Engine {
    jobs: Sender<Job>,
}

struct Job {
    inputs: Inputs,
    answer: Sender<BTreeMap<Version, Arc<UnitFacts>>>,
}

/// Reserved, not used: enough for everything that `guard::check` lets through.
const STACK: usize = 1 << 29;

impl Engine {
    pub(super) fn start() -> std::io::Result<Self> {
        let (jobs, received) = channel();
        thread::Builder::new().name("solidity".to_owned()).stack_size(STACK).spawn(move || work(&received))?;
        Ok(Self { jobs })
    }

    /// Binds every version's sources anew where they changed; nothing where the thread is gone.
    pub(super) fn renew(&self, inputs: Inputs) -> Option<BTreeMap<Version, Arc<UnitFacts>>> {
        let (answer, answered) = channel();
        self.jobs.send(Job { inputs, answer }).ok()?;
        answered.recv().ok()
    }
}

fn work(jobs: &Receiver<Job>) {
    let mut units: BTreeMap<Version, Unit> = BTreeMap::new();
    for Job { inputs, answer } in jobs {
        units.retain(|version, _| inputs.contains_key(version));
        let mut facts = BTreeMap::new();
        for (version, inputs) in &inputs {
            let unit = units.entry(version.clone()).or_insert_with(|| Unit::new(version));
            facts.insert(version.clone(), unit.renew(inputs));
        }
        // Who asked may have gone.
        let _ = answer.send(facts);
    }
}
