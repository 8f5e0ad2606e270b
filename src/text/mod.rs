//! Floor 0: texts, the places in them, and what can be done to them. Pure.

mod edit;
mod hash;
mod line_list;
mod patchwork;
mod path;
mod position;
mod shown;
mod span;
mod whole;

pub use edit::{Overlap, TextEdit, TextEdits};
pub use hash::{ContentHash, ContentHasher};
pub use line_list::line_list;
pub use patchwork::Patchwork;
pub use path::{AbsPath, PathError, RelPath};
pub use position::{Encoding, LineBreaks, LineIndex, Position, Range};
pub use shown::{counted, is_hidden, one_line, quoted, quoted_end, visible};
pub use span::Span;
pub use whole::{NotUtf8, Text};

#[cfg(test)]
mod tests;
