//! Floor 7: a project as declarations: an index of them, ids by which they stay known, and who uses them.
//!
//! What a declaration is, `syntax/declarations` says for everybody: `entries` takes those that a module's reader
//! counts, with their kinds, their visibility and their owners. `index` holds them for the whole project: a walk of
//! the disk that found the same files costs nothing, a file with another stamp is read, one with another hash is
//! parsed, on all cores. `store` keeps it in the state directory.
//!
//! An id is born from path, kind and names, so that two runs that know nothing of each other give the same one; from
//! then on it is kept. `matching` finds the declarations of yesterday again: by what plans said of where they put
//! them (`Trail`), by place and names, by owners, by the same text without its name, by a text that is much like it
//! (`fingerprint`, a MinHash of runs of tokens). It takes none of several that could be meant.
//!
//! `placing` puts a source into a text: pure, from the tree and the module's rows. A neighbour that is put in leaves
//! the gap that it found on one side and makes one as large on the other, so that taking it out again leaves no trace.
//! What overloads and accessors make together is not parted (`groups`, and `spacing` for the gaps).
//! `injecting` writes a field into a constructor, too. `indenting` makes a source stand as far in as its place does.
//!
//! `errors` tells what a function can raise: it follows calls as far as a server knows them, and names those it cannot.
//!
//! `readable` writes a module as it reads without bodies (`parts`), and reads such a view back; `merging` tells what was done to
//! the view from what was done to the module, and puts the one into the other.
//!
//! `usages` asks what a rename would change (`refactor/analysis/references`), and says what is done at each place.

mod calls;
mod detail;
mod errors;
mod fingerprint;
mod groups;
mod id;
mod indenting;
mod index;
mod injecting;
mod matching;
mod merging;
mod module;
mod new_field;
mod parts;
mod placing;
mod readable;
mod spacing;
mod store;
mod usages;

pub use calls::{Call, Calls, Direction, calls};
pub use detail::{Detail, Param, detail, written_span};
pub use errors::{ErrorSet, Function, Raised, Unfollowed, Why, error_set, error_set_of_contract};
pub use groups::deleted_all;
pub use id::Id;
pub use index::{Declarations, FoundDeclaration, Index, Trail};
pub use injecting::{declared_field, injected};
pub use merging::{Comparison, Merged, Outside, compared, merged};
pub use module::{DeclarationRow, Gone, Module};
pub use new_field::NewField;
pub use placing::{Changed, InsertionPlace, Misfit, Placing};
pub use readable::{Readable, SUFFIX, has_view, viewed};
pub use usages::{Usage, UsageKind, Usages, usages};
