//! Floor 1: what a text says, by its language. Pure.
