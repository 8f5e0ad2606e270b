//! The same work on many things at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::locked;

/// Returns how many threads have something to compute.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get).min(8)
}

/// Works on every item; each of `threads` threads takes the next one that nobody has taken. After a
/// failure nothing new is begun, and the first failure is returned.
pub(super) fn for_each<T: Sync, E: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let run = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(failed) = work(item) {
                locked(&failure).get_or_insert(failed);
                next.store(items.len(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(run);
        }
        run();
    });
    failure.into_inner().unwrap_or_default().map_or(Ok(()), Err)
}

/// Works on every item, on all cores, and returns the results in the items' order; nothing where `stopped`
/// was raised meanwhile.
pub fn gather<T: Sync, R: Send>(items: &[T], stopped: &AtomicBool, work: impl Fn(&T) -> R + Sync) -> Option<Vec<R>> {
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let pairs: Vec<(&T, &Mutex<Option<R>>)> = items.iter().zip(&results).collect();
    let one = |(item, result): &(&T, &Mutex<Option<R>>)| {
        if stopped.load(Ordering::Relaxed) {
            return Err(());
        }
        *locked(result) = Some(work(item));
        Ok(())
    };
    for_each(&pairs, cores(), one).ok()?;
    results.into_iter().map(|result| result.into_inner().unwrap_or_default()).collect()
}
