//! What goes out of several files: each loses the imports that only that needed.

use std::collections::BTreeMap;

use super::leave;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::{AbsPath, Span};

/// Stretches of files that are there no more.
#[derive(Default)]
pub(crate) struct Departures<'a>(BTreeMap<&'a AbsPath, (&'a Code, Vec<Span>)>);

impl<'a> Departures<'a> {
    pub(crate) fn add(&mut self, code: &'a Code, gone: impl IntoIterator<Item = Span>) {
        self.0.entry(&code.path).or_insert((code, Vec::new())).1.extend(gone);
    }

    /// Takes the imports away that nothing needs any more.
    pub(crate) fn leave(&self, session: &Session, edits: &mut Edits) {
        for (code, gone) in self.0.values() {
            leave(session, code, gone, edits);
        }
    }
}
