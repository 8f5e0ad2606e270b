//! The places that keep the old name, by how near they are to what is renamed.

use std::collections::BTreeMap;

use crate::text::{AbsPath, Span};

/// Where the name was found, the most telling places first: uses of unknown values, those that are too many to be asked
/// about, strings that spell code, keys of what tests compare with, examples in documents that tests run, cells of notebooks, other strings and comments in
/// sources of the name's language, all else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    Use,
    Unasked,
    Spelled,
    Compared,
    Example,
    Cell,
    Code,
    Prose,
}

/// The places by what they are and by file.
pub(crate) type WeighedPlaces = BTreeMap<(Nearness, AbsPath), Vec<Span>>;
