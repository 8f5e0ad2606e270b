//! Tests of sanitize.
