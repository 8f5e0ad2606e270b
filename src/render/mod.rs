//! Floor 2: the shapes that plans have outside: JSON, TOON, diffs and patches.
