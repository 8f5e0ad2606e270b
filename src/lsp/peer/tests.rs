//! Tests of peer.
