//! A plan on its way to the disk.

use crate::plan::Plan;
use crate::text::AbsPath;

/// A plan on its way to the disk.
pub(super) struct Job<'a> {
    pub plan: &'a Plan,
    /// The transaction that the plan takes back.
    pub undoes: Option<u64>,
    /// The modes that created files get, where they had one before.
    pub modes: &'a [(AbsPath, u32)],
}
