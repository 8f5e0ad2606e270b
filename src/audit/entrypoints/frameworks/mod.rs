//! How frameworks are told which function answers what: one file for each kind, one table.

mod decorated;
mod django;
mod events;
mod exports;
mod file;
mod lambda;
mod nest;
mod python_cli;
mod routers;
mod script_cli;

use crate::syntax::Family;

pub(in crate::audit) use file::decorators;
pub(super) use file::{EXPORT, File, Found, Handler};

/// One way to be entered.
pub(super) struct Framework {
    pub family: Family,
    pub find: fn(&File<'_>) -> Vec<Found>,
}

/// All that are known, the more telling first: a function is listed as an export only where no other fits.
pub(super) const FRAMEWORKS: &[Framework] = &[
    Framework { family: Family::Script, find: routers::find },
    Framework { family: Family::Script, find: nest::find },
    Framework { family: Family::Script, find: script_cli::find },
    Framework { family: Family::Script, find: lambda::script },
    Framework { family: Family::Script, find: events::script },
    Framework { family: Family::Script, find: exports::script },
    Framework { family: Family::Python, find: decorated::find },
    Framework { family: Family::Python, find: django::find },
    Framework { family: Family::Python, find: python_cli::find },
    Framework { family: Family::Python, find: lambda::python },
    Framework { family: Family::Python, find: events::python },
    Framework { family: Family::Python, find: exports::python },
];
