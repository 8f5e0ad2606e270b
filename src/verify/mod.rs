//! Floor 5: whether a plan makes anything worse.
