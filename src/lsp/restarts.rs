//! How often a server that dies is started again.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The restarts of one server: so many in a stretch of time, ever further apart, so that one that cannot live does not
/// keep the machine busy, and one that dies now and then is never given up.
#[derive(Debug, Default)]
pub(super) struct Restarts {
    /// Those of the last [`WINDOW`], the last one last.
    lately: VecDeque<Instant>,
}

/// Whether a server may be started again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// After this pause.
    After(Duration),
    Never(TooOften),
}

/// A server has been started again too often of late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooOften {
    pub restarts: usize,
    /// The time in which there were so many.
    pub within: Duration,
    /// It is not started again before.
    pub again_in: Duration,
}

const WINDOW: Duration = Duration::from_secs(10 * 60);
/// What lies at least between a restart and the one before it; there are no more than these in a [`WINDOW`].
const APART: [Duration; 3] = [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(4)];

impl Restarts {
    /// Tells whether the server may be started again at `now`.
    pub(super) fn turn(&self, now: Instant) -> Turn {
        let age = |restart: &Instant| now.saturating_duration_since(*restart);
        let lately: Vec<Duration> = self.lately.iter().map(age).filter(|age| *age < WINDOW).collect();
        match APART.get(lately.len()) {
            Some(apart) => Turn::After(lately.last().map_or(Duration::ZERO, |age| apart.saturating_sub(*age))),
            None => Turn::Never(TooOften {
                restarts: lately.len(),
                within: WINDOW,
                again_in: WINDOW - lately.first().copied().unwrap_or_default(),
            }),
        }
    }

    /// Notes that the server is started again at `now`.
    pub(super) fn note(&mut self, now: Instant) {
        self.lately.retain(|restart| now.saturating_duration_since(*restart) < WINDOW);
        self.lately.push_back(now);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Restarts, TooOften, Turn, WINDOW};

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_first_restart_waits_for_nothing_and_later_ones_ever_longer() {
        let (mut restarts, start) = (Restarts::default(), Instant::now());
        assert_eq!(restarts.turn(start), Turn::After(Duration::ZERO));
        restarts.note(start);
        assert_eq!(restarts.turn(start), Turn::After(SECOND));
        assert_eq!(restarts.turn(start + SECOND / 4), Turn::After(SECOND * 3 / 4));
        assert_eq!(restarts.turn(start + 2 * SECOND), Turn::After(Duration::ZERO));
        restarts.note(start + SECOND);
        assert_eq!(restarts.turn(start + SECOND), Turn::After(4 * SECOND));
    }

    #[test]
    fn after_too_many_it_is_said_when_there_is_another() {
        let (mut restarts, start) = (Restarts::default(), Instant::now());
        for seconds in [0, 100, 200] {
            restarts.note(start + SECOND * seconds);
        }
        let refused = Turn::Never(TooOften { restarts: 3, within: WINDOW, again_in: WINDOW - 300 * SECOND });
        assert_eq!(restarts.turn(start + 300 * SECOND), refused);
        assert_eq!(restarts.turn(start + WINDOW), Turn::After(Duration::ZERO), "the first one no longer counts");
        restarts.note(start + WINDOW);
        let refused = Turn::Never(TooOften { restarts: 3, within: WINDOW, again_in: 100 * SECOND });
        assert_eq!(restarts.turn(start + WINDOW), refused);
        assert_eq!(restarts.lately.len(), 3);
    }

    #[test]
    fn a_server_that_dies_now_and_then_is_never_given_up() {
        let (mut restarts, start) = (Restarts::default(), Instant::now());
        for hour in 0..1_000 {
            let now = start + SECOND * 3_600 * hour;
            assert_eq!(restarts.turn(now), Turn::After(Duration::ZERO));
            restarts.note(now);
        }
        assert_eq!(restarts.lately.len(), 1);
    }
}
