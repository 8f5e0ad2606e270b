//! All that stands in a refactoring's way, not only what comes first.
//!
//! A check that nothing later hangs on is `noted`: planning goes on, and in the end everything that was noted refuses
//! together. A check that later code relies on ends the planning as ever.

use std::cell::RefCell;

use crate::refactor::Refusal;
use crate::refactor::refusal::{Obstacle, refuse_all};

tokio::task_local! {
    /// What the refactoring that is being planned has run into so far.
    static NOTED: RefCell<Vec<Refusal>>;
}

/// Plans, and refuses for all that was noted meanwhile and for what ended it.
///
/// # Errors
/// Every obstacle; where there is none, whatever kept the plan from being made.
pub(super) async fn gathered<T>(work: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
    let work = async {
        let outcome = work.await;
        let mut noted = NOTED.with(RefCell::take);
        match outcome.map_err(Refusal::single) {
            Ok(value) => refuse_all(noted).map(|()| value),
            Err(Err(hindrance)) => refuse_all(noted).and(Err(hindrance)),
            Err(Ok(last)) => {
                noted.extend(last);
                Err(refuse_all(noted).expect_err("a refusal has a reason"))
            }
        }
    };
    NOTED.scope(RefCell::default(), work).await
}

/// Outcomes of checks that planning goes on behind.
pub(super) trait Noted: Sized {
    /// Notes why the check refuses, and goes on.
    ///
    /// # Errors
    /// What kept the check from being made, and every refusal where nobody gathers them.
    fn noted(self) -> Result<(), Refusal>;
}

impl Noted for Result<(), Refusal> {
    fn noted(self) -> Self {
        let Err(refusal) = self else { return Ok(()) };
        let mut reasons = Some(refusal.single()?);
        let gathered = NOTED.try_with(|noted| noted.borrow_mut().extend(reasons.take().into_iter().flatten()));
        gathered.or_else(|_| refuse_all(reasons.into_iter().flatten()))
    }
}
