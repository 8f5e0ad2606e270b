//! Tests of readiness.
