//! Floor 3: language servers: which there are, how they are started, asked and ended.
