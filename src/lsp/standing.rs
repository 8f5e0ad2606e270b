//! Answers that stand while neither side has said anything that could change them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::locked;

/// As of when an answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AsOf {
    /// How many notifications the server had been sent.
    pub(super) told: u64,
    /// The number of what the server itself had said last that such an answer hangs on; 0 where nothing does.
    pub(super) said: u64,
}

impl AsOf {
    /// The same of an answer that hangs on nothing that the server says.
    pub(super) fn whatever_is_said(self) -> Self {
        Self { said: 0, ..self }
    }
}

/// A question, and the texts in which it was asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asked {
    /// Which texts were laid over the disk's (see `Documents::overlaid`); 0 where the notifications say it.
    pub(super) overlaid: u64,
    /// The method with its params.
    pub(super) question: String,
}

/// The answers to questions of one kind.
pub(super) struct Standing<K, V> {
    known: Mutex<Known<K, V>>,
    most: usize,
}

/// Answers that were right as of the same notification.
struct Known<K, V> {
    told: u64,
    /// With what the server had said last.
    answers: BTreeMap<K, (u64, V)>,
}

impl<K: Ord, V: Clone> Standing<K, V> {
    /// Keeps no more than `most` answers.
    pub(super) fn new(most: usize) -> Self {
        Self { known: Mutex::new(Known { told: 0, answers: BTreeMap::new() }), most }
    }

    /// Returns the answer to a question, where it still stands.
    pub(super) fn get(&self, question: &K, now: AsOf) -> Option<V> {
        let known = locked(&self.known);
        let (said, answer) = known.answers.get(question).filter(|_| known.told == now.told)?;
        (*said == now.said).then(|| answer.clone())
    }

    /// Keeps an answer. Those of before the last notification are of no use any more.
    pub(super) fn put(&self, question: K, as_of: AsOf, answer: V) {
        let mut known = locked(&self.known);
        if known.told != as_of.told || known.answers.len() >= self.most {
            known.answers.clear();
        }
        known.told = as_of.told;
        known.answers.insert(question, (as_of.said, answer));
    }
}

#[cfg(test)]
mod tests {
    use super::{AsOf, Standing};

    fn as_of(told: u64, said: u64) -> AsOf {
        AsOf { told, said }
    }

    #[test]
    fn an_answer_stands_until_either_side_says_something() {
        let answers = Standing::new(2);
        answers.put("a", as_of(1, 1), 'x');
        assert_eq!(answers.get(&"a", as_of(1, 1)), Some('x'));
        assert_eq!(answers.get(&"a", as_of(2, 1)), None);
        assert_eq!(answers.get(&"a", as_of(1, 2)), None);
        assert_eq!(answers.get(&"b", as_of(1, 1)), None);
    }

    #[test]
    fn no_more_are_kept_than_are_of_use() {
        let answers = Standing::new(2);
        let is_kept = |question| answers.get(&question, as_of(1, 0)).is_some();
        for question in ["a", "b"] {
            answers.put(question, as_of(1, 0), 'x');
        }
        assert!(is_kept("a") && is_kept("b"));
        answers.put("c", as_of(1, 0), 'x');
        assert!(!is_kept("a") && is_kept("c"));
        answers.put("d", as_of(2, 0), 'x');
        assert!(!is_kept("c"));
    }
}
