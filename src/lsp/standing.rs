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

/// The answers to questions of one kind.
pub(super) struct Standing<K, V> {
    known: Mutex<BTreeMap<K, (AsOf, V)>>,
    most: usize,
}

impl<K: Ord, V: Clone> Standing<K, V> {
    /// Keeps no more than `most` answers.
    pub(super) fn new(most: usize) -> Self {
        Self { known: Mutex::default(), most }
    }

    /// Returns the answer to a question, where it still stands.
    pub(super) fn get(&self, question: &K, now: AsOf) -> Option<V> {
        let known = locked(&self.known);
        known.get(question).filter(|(as_of, _)| *as_of == now).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer. Those of before the last notification are of no use any more.
    pub(super) fn put(&self, question: K, as_of: AsOf, answer: V) {
        let mut known = locked(&self.known);
        known.retain(|_, (other, _)| other.told == as_of.told);
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(question, (as_of, answer));
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
