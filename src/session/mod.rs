//! Floor 4: one open project: its disk and its servers.
