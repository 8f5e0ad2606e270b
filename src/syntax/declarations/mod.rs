//! Where a text declares what.

mod generic;

pub(super) use generic::site_of;
