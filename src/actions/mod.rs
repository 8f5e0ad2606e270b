//! Floor 5: what servers find in code, and what they can do about it, as plans.
//!
//! `findings` asks the server that judges plans, and beside it those that mend findings of their own (all of the
//! route `codeAction` but those with the quirk `second-opinion`). `offers` asks all of that route at once; one that
//! fails is `Missing`, and is named in every answer. What is wrong at a place is handed to a server as it said it
//! itself (`lsp/actions.rs`: pulled, or the last push), since `data` has to come back and codes choose the fixes. An
//! action is known again by server, kind and title. Its edit is in the action, comes by `codeAction/resolve`, or is
//! what a command sends by `workspace/applyEdit`; a command is used only as `commands` in `servers.toml` says.
//! typescript-language-server's `_typescript.applyRefactoring` creates files on the disk before it sends its edits,
//! so tsserver is asked for them itself. `planned` takes an answer whole, or refuses. `fixes` mends many places: in
//! rounds, edits that do not touch each other together, the text after each round laid over the documents of all
//! servers, until a round changes nothing. A fix is taken where it is certain (preferred, or the only one; an import
//! only where one alone gives the name, or where all lead to one declaration: then the one of the module that declares it,
//! `declaring`); what stays is a warning.

mod declaring;
mod error;
mod findings;
mod fix;
mod fix_edits;
mod fixes;
mod import_order;
mod missing;
mod offers;
mod planned;
mod suppression;
mod unused;

pub use error::ActionError;
pub use findings::{Findings, files_below, find};
pub use fix::Fix;
pub use fixes::{Left, Mended, mend};
pub use missing::{Missing, WhyMissing};
pub use offers::{Aim, Offer, Offers, offers};
pub use planned::{carry_out, plan};
