//! Renaming a symbol: the declaration, and every use of it that a server or the text can show.
//!
//! 1. `subject` finds the identifier at the place by the grammar, not by the server: a keyword, white space, a string
//!    or another name than the caller expects is refused here.
//! 2. The session gives the server that the routes in `servers.toml` name first, started and *ready* (a readiness by
//!    name for each server: a log line, the end of progress, or none because its requests wait).
//! 3. What nobody opened is loaded: files whose text mentions the name come from an index of word hashes; a tsserver
//!    is asked which files its projects hold, and only files outside them are opened (`session/coverage.rs`).
//! 4. The language's way is walked:
//!    - `python`: to the declaration; then every member that overrides or is overridden, protocols and their
//!      implementers, by what they inherit too (`hierarchy`; what else might be taken for a protocol is left to a
//!      check), the stub beside the module, the strings of `__slots__`, members of other classes to which one of the uses
//!      leads, too (`unions`), and declarations of which a program takes one, in branches or in modules that are imported in
//!      turn (`alternatives`); one rename for each, joined. Files that spell a class in a string outside of annotations are checked by the server first (`forward`): before that it does
//!      not read such a string as a type. What no server follows and every server could tell is asked for with texts
//!      laid over (`probes`): `replace(point, x=2)` with `(point, (point).x)[0]` in the place of `point`, examples of
//!      docstrings as functions behind their module, so that `definition` answers. What the server
//!      leaves of a constructor's arguments is added (`constructors`, `given`), or told (`heir_constructors`), and so is
//!      what functions hand on that take any name (`forwarded_arguments`).
//!      Entries of docstrings belong to their declaration by syntax (`documented`); fields that a string declares are
//!      found from their uses (`spelled`). What a program does with names as it runs (`reflected`) is renamed where it is certain, and told
//!      where it is not: strings that say a name (`syntax/python/spoken`), options of a command line (`options`),
//!      objects and calls that get names from elsewhere (`dynamic`), if their type leads to what is renamed
//!      (`run_time`; `lazy_exports` for modules that find names themselves, whose tables are followed; `self_named` for functions and classes that go
//!      by their own names): it is asked for in the text as it is, since a text laid over costs the server the types of
//!      the whole program.
//!    - `script`: tsserver's own `rename`, from the declaration through each re-export, and across the pairs of a
//!      script and its declaration file (`published`), to a fixed point. Members that types alone hold together
//!      (`related`) are asked of a plugin of ours in tsserver (`lsp/provision/tsserver_plugin`): it notes each pair
//!      of types of which one is taken for the other (`flows`), file by file, as long as the program stands, and
//!      answers which declarations of a name are joined by them. Two types can meet only in a file that imports lead
//!      to both (`reach`): no other is looked at. It tells where objects are asked by keys that the program makes
//!      (`computed`), where the type of a value is lost (`untyped.js`), and which types a test alone holds together by
//!      comparing their values (`tested.js`). A script and its published declaration file are one such pair (`twins`),
//!      and strings that spell a key belong to the type whose key it is (`keys`). The relation has no
//!      direction, so that the family is the same from each of its members. A declaration in another project than
//!      those that were searched is asked about once more. What modules of CommonJS hand out and take goes on as exports
//!      and imports do (`commonjs_exports`), and so do the several declarations of a member in JavaScript
//!      (`instance_members`). Where a server leads nowhere, the resolver of `moves` does: to
//!      what the own package is compiled from (`own_imports`). Files for other platforms are told (`platform_twins`).
//!    - `plain`: one `textDocument/rename`, for any server that keeps to the protocol, and one for each thing that by
//!      the server's own words belongs to it (`leads`). The Solidity server lets a
//!      function join others of its new name that take something else, where all binds anew as it did
//!      (`solidity::confirm`). What is called on a cast may be an unrelated contract's (`contract_casts`).
//! 5. `gathered` joins the answers: one replacement for each place; anything outside the project refuses the whole.
//! 6. `clashes`: renaming must preserve resolution. The lexical scopes of each edited file are built with the old and
//!    the new names, and every name must still mean the same; members are compared along the class hierarchy. A
//!    property of TypeScript whose two names become one is a shorthand again (`shorthand`), so that the way back
//!    leads back.
//!    Who asks whether there is a member of the new name, and does something else where there is none, is told
//!    (`existence_checks`, for what other plans add or take away, too).
//! 7. `prose` adds strings and comments on request; `mentions` lists what keeps the old name, `assembled` the
//!    ends of names that a Python program puts together as it runs, where whoever is asked by them may have the member
//!    (`receivers`).
//!
//! What does not hang on a server's answer is done while it thinks: where the name stands is searched then, and
//! questions that do not hang on each other go out together. The tree is looked through meanwhile, too
//! (`Session::steady`); where a file changed since they last heard of it, they are told and asked again. In the usual
//! case the look costs no time: as long as every file, directory and ignore file stands as the last walk saw it
//! (`workspace/marks.rs`), nothing is walked. Trees are kept as long as their texts stay the same
//! (`session/sources.rs`), so that what a rename reads of the files that mention a name is parsed once.
//! `LSPWRIGHT_LOG=lspwright=debug` tells how long each answer of a server took.

mod alias_specifiers;
mod alternative_imports;
mod alternatives;
mod argument_comments;
mod asked_as_bases;
mod assembled_names;
mod automatic_values;
mod called_protocols;
mod calling_functions;
mod clashes;
mod class_arguments;
mod class_reflection;
mod class_variables;
mod command_line_options;
mod commonjs_exports;
mod compared_data;
mod computed_keys;
mod computed_names;
mod constructors;
mod contract_casts;
mod declaration_files;
mod declarers;
mod definition_queries;
mod descriptor_names;
mod dispatched;
mod doc_links;
mod documented;
mod doubts;
mod dynamic_attributes;
mod edited_spans;
mod escaping_callables;
mod examples;
pub(crate) mod existence_checks;
mod file_bindings;
mod file_renames;
mod filled_collections;
mod fixture_sources;
mod fixture_values;
mod fixtures;
mod forward_references;
mod forwarded_arguments;
mod handing_decorators;
mod heir_constructors;
mod heirs;
mod hierarchy;
mod indirect_arguments;
mod indirect_references;
mod insertions;
mod instance_members;
mod jsdoc;
mod kept_reexports;
mod keyword_dictionaries;
mod lazy_exports;
mod mangled;
mod mentions;
mod merged_dictionaries;
mod module_members;
mod name_conventions;
mod namespace_members;
mod own_imports;
pub(crate) mod own_lookups;
mod parameter_owners;
mod passed_names;
mod plain;
mod platform_twins;
mod possible_uses;
mod private_names;
mod probed_uses;
mod probes;
mod prose;
mod prototype_chains;
mod proxies;
mod proximity;
mod public;
mod python;
mod python_changes;
mod qualified_strings;
mod receivers;
mod reflection;
mod repeated_names;
mod request;
mod run_time;
mod script;
mod script_kin;
mod self_named;
mod server_edits;
mod shorthand;
mod slots;
mod spelled_dictionaries;
mod star_imports;
mod string_declared_fields;
mod structural_types;
mod stubs;
mod subject;
pub(crate) mod test_doubles;
mod unions;
mod unknown_bases;
mod unpacked_arguments;
mod unresolved_bases;
mod unresolved_mentions;
mod untyped_uses;
mod vendored;
mod version_settings;
mod visibility;

use std::collections::BTreeSet;

use crate::lsp::{Feature, Place};
use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::commonjs::mistaken_keys;
use crate::refactor::refusal::Clash;
use crate::refactor::{Refusal, interface, observed_variables, tsserver};
use crate::session::Session;
use crate::syntax::{Family, Language, check_name};
use crate::text::AbsPath;
use server_edits::Gathered;
use subject::Subject;

pub(crate) use assembled_names::called_unseen;
pub(crate) use calling_functions::called_with_all;
pub(crate) use computed_names::called_by_part;
pub(crate) use declaration_files::is_declaration_file;
pub(crate) use declarers::Declarers;
pub(crate) use definition_queries::meanings;
pub(crate) use dynamic_attributes::{asked_by_name, object as asked_object};
pub(crate) use examples::told as told_in_examples;
pub(crate) use file_bindings::files_that_may_mean;
pub(crate) use fixtures::askers;
pub(crate) use heirs::direct_heirs;
pub(crate) use hierarchy::{Beyond, kin};
pub(crate) use lazy_exports::{finds as finds_names, lazily_taken};
pub(crate) use module_members::{asks_import, is_module_path, is_no_member};
pub(crate) use namespace_members::left_out as namespace_members;
pub(crate) use own_imports::{taken_by_package_name, untold_by_package_name};
pub(crate) use platform_twins::of_names as platform_twins_of;
pub(crate) use probed_uses::{ThroughFixtures, through_fixtures};
pub use request::{Aliases, Conflicts, Prose, RenameRequest};

/// Finds where the stub of a module of Python declares the same thing once more; or, of a stub, what the program runs.
///
/// # Errors
/// Those of reading.
pub(crate) fn stub_twins(session: &Session, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
    stubs::twin(session, place, name)
}

/// The same between a script and the declaration file that is published for it, where the one declares the thing or hands it
/// out at one of some places (offsets).
///
/// # Errors
/// Those of reading.
pub(crate) fn published_twins(
    session: &Session,
    places: (&AbsPath, &BTreeSet<usize>),
    name: &str,
) -> Result<Vec<Place>, Refusal> {
    declaration_files::twins_of(session, places, name)
}

/// Plans a rename. The project is looked through again while the servers answer; where a file has changed
/// since they last heard of it, they are told and asked once more.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn plan(session: &Session, request: &RenameRequest) -> Result<Plan, Refusal> {
    let language = Language::of_path(&request.place.path);
    let plan = if language.is_some_and(|language| language.family() == Family::Python) {
        // What no server follows is asked for with texts laid over.
        let _turn = session.alone().await;
        session.steady(|| attempt(session, request)).await
    } else {
        let _turn = session.shared().await;
        session.steady(|| attempt(session, request)).await
    };
    Ok(interface::told(session, observed_variables::told(session, plan?)).await)
}

async fn attempt(session: &Session, request: &RenameRequest) -> Result<Plan, Refusal> {
    let subject = Subject::find(session, request)?;
    check_new_name(&subject, &request.new_name)?;
    session.may_ask()?;
    let (gathered, mentions, assembled) = tokio::join!(
        gather(session, &subject, request),
        mentions::find(session, &subject),
        assembled_names::find(session, &subject)
    );
    let mut gathered = gathered?;
    gathered.check_inside(session.disk())?;
    if gathered.is_empty() {
        return Err(Refusal::NothingFound { server: gathered.server, name: subject.name });
    }
    let assembled = assembled_names::meant(session, &subject, &gathered, assembled).await?;
    let asked = std::mem::take(&mut gathered.asked);
    let crossing = private_names::crossing(session, &subject, request, &gathered)?;
    let mut parts = parts(session, &subject, request, gathered).await?;
    crossing.add(&subject, &mut parts);
    let named = qualified_strings::add(session, &subject, request, &mut parts)?;
    parts.warnings.extend(named);
    let edited = prose::add(session, &subject, request, &mut parts);
    parts.warnings.extend(edited);
    let mut left = mentions::left(session, (&subject, request.aliases), &parts, (mentions, asked)).await?;
    qualified_strings::spelled(session, (&subject, request), &parts, &mut left)?;
    if request.prose.untyped {
        let taken = untyped_uses::take(session, (&subject, request), &mut left, &mut parts);
        parts.warnings.extend(taken);
    }
    parts.warnings.extend(mentions::told(session, (&subject, &parts), &left));
    parts.warnings.extend(assembled_names::warnings(session, assembled));
    Ok(Plan::new(parts)?)
}

fn check_new_name(subject: &Subject, new_name: &str) -> Result<(), Refusal> {
    if subject.name == new_name {
        return Err(Refusal::SameName(new_name.to_owned()));
    }
    check_name(subject.language, new_name).map_err(|bad| Refusal::BadName(bad.to_string()))
}

async fn gather(session: &Session, subject: &Subject, request: &RenameRequest) -> Result<Gathered, Refusal> {
    let server = session.server(subject.language, Feature::Rename).await?;
    match subject.language.family() {
        Family::Python => python::gather(session, &server, subject, request).await,
        Family::Script if tsserver::speaks_tsserver(&server) => {
            let mut gathered = script::gather(session, &server, subject, request).await?;
            without_mistaken(session, subject, &mut gathered)?;
            Ok(gathered)
        }
        _ => plain::gather(session, &server, subject, request).await,
    }
}

/// Leaves out what tsserver takes for uses of a name that a value is made of which a module hands out by another one.
fn without_mistaken(session: &Session, subject: &Subject, gathered: &mut Gathered) -> Result<(), Refusal> {
    let mistaken = mistaken_keys(session, gathered.paths(), &subject.name)?;
    if !mistaken.is_empty() {
        gathered.retain(|path, span| {
            let text = session.disk().read(path).ok();
            let said = text.as_ref().and_then(|text| span.of(text.as_str())).unwrap_or_default();
            said == subject.name || !mistaken.contains(said)
        });
    }
    Ok(())
}

/// Makes the parts of a plan from what was gathered, where the new name is free.
async fn parts(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: Gathered,
) -> Result<Parts, Refusal> {
    let disk = session.disk();
    let clashes = clashes::find(session, subject, request, &gathered).await?;
    let mut warnings = permit(request, clashes)?;
    let unproven = |doubt: &String| Warning::of_plan(WarningKind::Unproven, doubt.clone());
    warnings.extend(gathered.doubts.iter().map(unproven));
    warnings.extend(gathered.warnings.iter().cloned());
    let asked = existence_checks::of_renamed(session, subject, (&gathered, &request.new_name));
    warnings.extend(Box::pin(asked).await?);
    let mut parts = Parts { warnings, ..Parts::default() };
    for path in gathered.paths() {
        let text = disk.read(path)?;
        gathered.check_names(path, &text)?;
        parts.edits.insert(path.clone(), (text, shorthand::edits(session, path, &gathered)?));
    }
    for (from, to) in file_renames::files(disk, &gathered.moves)? {
        let before = disk.hash(&from)?;
        parts.moves.insert(from, crate::plan::Move { to, before });
    }
    Ok(parts)
}

/// Refuses clashes, or turns them into warnings where the caller wants the rename all the same.
fn permit(request: &RenameRequest, clashes: Vec<Clash>) -> Result<Vec<Warning>, Refusal> {
    if clashes.is_empty() {
        return Ok(Vec::new());
    }
    match request.conflicts {
        Conflicts::Refuse => Err(Refusal::Taken { new_name: request.new_name.clone(), clashes }),
        Conflicts::Force => Ok(clashes.into_iter().map(forced).collect()),
    }
}

fn forced(clash: Clash) -> Warning {
    let range = crate::text::Range { start: clash.at.position, end: clash.at.position };
    Warning::at(WarningKind::Forced, clash.message, clash.at.path, Some(range))
}
