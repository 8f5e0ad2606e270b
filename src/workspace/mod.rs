//! Floor 2: the disk below one root: its files, its words, and how a plan is written to it.
