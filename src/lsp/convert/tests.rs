//! Tests of convert.
