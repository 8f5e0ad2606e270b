//! Move Function, beyond the first edition: functions, classes and constants go to another module, whether it is
//! there or not. What they need is imported there, and whoever imported them asks there.
//!
//! ```python
//! # shapes.py                          # shapes.py
//! import math                          import math
//! def area(r): return math.pi * r   →
//! # main.py                            # main.py
//! from shapes import area              from areas import area
//! ```

mod already_there;
mod annotations;
mod arrival;
mod attempts;
mod circle;
mod commonjs;
mod departure;
mod examples;
mod export_list;
mod handed_on;
mod importers;
mod joined_imports;
mod late;
mod load_order;
mod loading;
mod moved_code;
mod opened_exports;
mod own_examples;
mod own_statements;
mod package_entries;
mod required_imports;
mod spelled;
mod spelled_scripts;
mod stubbed;
mod stubs;
mod tables;
mod type_comments;
mod unqualified;
mod unused_imports;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::{companions, declared};
use crate::refactor::analysis::imports::offers::export_list;
use crate::refactor::analysis::imports::statements::{ImportForm, WantedImport, named, with_links};
use crate::refactor::analysis::indentation::closed_up;
use crate::refactor::analysis::module_system::{are_commonjs, is_commonjs};
use crate::refactor::analysis::page_scripts::pages;
use crate::refactor::analysis::references::Uses;
use crate::refactor::commonjs::ExportKeys;
use crate::refactor::doubts::tell;
use crate::refactor::moves::documented::{self, Respelled};
use crate::refactor::moves::links::{Link, LinkedName, Links};
use crate::refactor::moves::python::is_stdlib;
use crate::refactor::moves::{Documents, Relocation, still_written};
use crate::refactor::refusal::{both, each};
use crate::refactor::rename::platform_twins_of;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, check_name};
use crate::text::{AbsPath, Text, TextEdit};
use moved_code::{Extent, Leaving};
use stubs::Stubs;

pub(crate) const RUN: Run = |session, request| Box::pin(move_symbols(session, request));

/// Moves one declaration to a module of its own, beside the one that it leaves.
pub(crate) const NEW_FILE: Run = |session, request| Box::pin(to_new_file(session, request));

/// Merges all of a module into another one, which is gone afterwards.
pub(crate) const MERGE: Run = |session, request| Box::pin(merge(session, request));

/// What becomes of the module that something leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    /// It goes on to offer what left.
    Offers,
    /// It is empty then, and deleted.
    Goes,
}

/// What may be imported as late as it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PutOff {
    Nothing,
    /// What would close a circle.
    Circles,
}

/// How something moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Manner {
    fate: Fate,
    put_off: PutOff,
    documents: Documents,
}

/// The two modules, and what goes from one to the other.
struct Way<'a> {
    session: &'a Session,
    links: &'a dyn Links,
    from: &'a Code,
    to: &'a Code,
    names: &'a ScopedNames<'a>,
    leaving: &'a [Leaving<'a>],
    /// What the one takes from others, and what the other does.
    own: Vec<Link>,
    theirs: Vec<Link>,
    /// Whether the modules are of CommonJS: one of them is, and a new one comes to be.
    is_commonjs: bool,
    /// What the one hands out by `module.exports`, and what the other does.
    keys_here: ExportKeys<'a>,
    keys_there: ExportKeys<'a>,
    /// The list by which the other one exports what it declares.
    list_there: Option<Node<'a>>,
    /// A file that shows how modules are named here.
    model: Option<(Code, Vec<Link>)>,
    manner: Manner,
}

/// What is changed so far.
#[derive(Clone, Default)]
struct Draft {
    edits: BTreeMap<AbsPath, (Arc<Text>, Vec<TextEdit>)>,
    /// Whole texts of new files.
    created: BTreeMap<AbsPath, String>,
    deleted: BTreeMap<AbsPath, Arc<Text>>,
    warnings: Vec<Warning>,
    /// Files that come to import the other module.
    importers: BTreeSet<AbsPath>,
    /// Files that the other module comes to import.
    imported: BTreeSet<AbsPath>,
    /// What the other module comes to need of the one.
    needed: Vec<String>,
    /// What the one comes to export by its list.
    listed: Vec<String>,
}

impl Draft {
    fn edit(&mut self, code: &Code, edits: Vec<TextEdit>) {
        let text = &code.parsed().text;
        let entry = self.edits.entry(code.path.clone()).or_insert_with(|| (Arc::clone(text), Vec::new()));
        entry.1.extend(edits);
    }
}

async fn move_symbols(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let mut wished: Vec<&str> = request.params.list("also").iter().map(String::as_str).collect();
    let is_file = request.target.place().is_none() && request.target.lines.is_none();
    if !is_file {
        wished.push(wished_first(&code, request)?);
    } else if wished.is_empty() {
        let reason = format!("name what goes: `{}::name`, or list the names", code.shown);
        return Err(Refusal::Missing { param: "also", reason });
    }
    let to = other(session, &code, request.params.needed("to")?)?;
    wished.sort_unstable();
    wished.dedup();
    wished.extend(needed_along(session, &code, &wished).await?);
    let fate = if request.params.flag("reexport") { Fate::Offers } else { Fate::Stays };
    plan(session, (&code, &to), &wished, Manner::asked(&code, request, fate)?).await
}

/// Returns what the module keeps for itself and only the others need: it goes along.
async fn needed_along<'c>(session: &Session, code: &'c Code, wished: &[&str]) -> Result<Vec<&'c str>, Refusal> {
    let names = ScopedNames::with_spelled(code);
    let leaving = wished.iter().filter_map(|name| Leaving::read(code, &names, name).ok());
    let statements: Vec<Node<'_>> = leaving.flat_map(|one| one.statements).collect();
    let companions = companions(session, code, &statements).await?.into_iter();
    let named = companions.filter_map(|it| Some((it, declared(code, it)?.text(code.text()))));
    let named: Vec<(Node<'_>, &str)> = named.collect();
    let together: Vec<&str> = wished.iter().copied().chain(named.iter().map(|(_, name)| *name)).collect();
    let mut along = Vec::new();
    for (statement, name) in named {
        if Leaving::find(code, &names, (name, Extent::Part(&together))).is_err() {
            continue;
        }
        let message = format!("`{name}` goes along: nothing else needs it");
        let range = code.parsed().text.range(statement.span());
        tell(Warning::at(WarningKind::Along, message, code.path.clone(), range));
        along.push(name);
    }
    Ok(along)
}

impl Manner {
    const PLAIN: Self = Self { fate: Fate::Stays, put_off: PutOff::Nothing, documents: Documents::Told };

    /// Reads what was asked for; `late_import` is refused for a script.
    fn asked(code: &Code, request: &Request, fate: Fate) -> Result<Self, Refusal> {
        let put_off = match (request.params.flag("late_import"), code.family()) {
            (false, _) => PutOff::Nothing,
            (true, Family::Python) => PutOff::Circles,
            (true, _) => {
                let reason = "`late_import` is for Python: imports of a script stand at its top";
                return Err(Refusal::NotPossible(reason.to_owned()));
            }
        };
        Ok(Self { fate, put_off, documents: Documents::edited_if(request.params.flag("in_docs")) })
    }
}

/// Returns the name of what the target names.
fn wished_first<'c>(code: &'c Code, request: &Request) -> Result<&'c str, Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no one thing in `{}`", code.shown));
    let first = request.target.name.and_then(|name| name.of(code.text())).ok_or_else(unnamed)?;
    Leaving::read(code, &ScopedNames::of(code), first)?;
    Ok(first)
}

async fn to_new_file(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let name = wished_first(&code, request)?;
    if code.family() == Family::Script {
        return to_new_script(session, (&code, name)).await;
    }
    let module = lowered(name);
    let not_possible = |why: String| Err(Refusal::NotPossible(why));
    if is_stdlib(&module) && !is_in_package(&code.path) {
        let why = format!("`{module}` is a module of the standard library, which the new one would hide");
        return not_possible(format!("{why}: `move-symbol` takes the path of another"));
    }
    if module.trim_matches('_').is_empty() || check_name(Language::Python, &module).is_err() {
        return not_possible(format!("`{name}` cannot be the name of a module: `move-symbol` takes the path of one"));
    }
    let beside = code.path.parent().and_then(|above| above.join(format!("{module}.py")).ok());
    let Some(path) = beside.filter(|path| !is_taken(path)) else {
        return not_possible(format!("there is a `{module}` beside `{}` already", code.shown));
    };
    let to = path.shown_from(session.root());
    let to = other(session, &code, &to)?;
    let mut wished = vec![name];
    wished.extend(needed_along(session, &code, &wished).await?);
    plan(session, (&code, &to), &wished, Manner::PLAIN).await
}

async fn to_new_script(session: &Session, (code, name): (&Code, &str)) -> Result<Plan, Refusal> {
    let file = format!("{name}.{}", code.path.extension());
    let beside = code.path.parent().and_then(|above| above.join(&file).ok());
    let Some(path) = beside.filter(|path| path.as_path().symlink_metadata().is_err()) else {
        return Err(Refusal::NotPossible(format!("there is a `{file}` beside `{}` already", code.shown)));
    };
    let to = path.shown_from(session.root());
    let to = other(session, code, &to)?;
    plan(session, (code, &to), &[name], Manner::PLAIN).await
}

/// Tells whether a module of this path, or a package of its name, is there.
fn is_taken(module: &AbsPath) -> bool {
    let path = module.as_path();
    [path.to_path_buf(), path.with_extension(""), path.with_extension("pyi")]
        .iter()
        .any(|it| it.symlink_metadata().is_ok())
}

/// Tells whether a file of Python lies in a package, whose modules are called by its name: they hide no others.
fn is_in_package(path: &AbsPath) -> bool {
    let init = path.parent().and_then(|above| above.join("__init__.py").ok());
    init.is_some_and(|init| init.as_path().is_file())
}

/// Returns the first modules of directories inside a package of Python that come to be with a file in them.
fn new_packages(path: &AbsPath) -> impl Iterator<Item = AbsPath> + use<> {
    let folders = std::iter::successors(path.parent(), AbsPath::parent).take_while(|it| !it.as_path().exists());
    let mut folders: Vec<AbsPath> = folders.collect();
    if !folders.last().is_some_and(is_in_package) {
        folders.clear();
    }
    folders.into_iter().filter_map(|it| it.join("__init__.py").ok())
}

/// Writes a name as modules of Python are called: `OrderLine` is `order_line`.
fn lowered(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut module = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let follows = at.checked_sub(1).map(|before| letters[before]);
        let begins_word = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let is_new =
            follows.is_some_and(|it| it.is_lowercase() || it.is_ascii_digit() || it.is_uppercase() && begins_word);
        if letter.is_uppercase() && is_new {
            module.push('_');
        }
        module.extend(letter.to_lowercase());
    }
    module
}

async fn merge(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let target = &request.target;
    if target.name.is_some() || target.lines.is_some() || target.offset.is_some() {
        return Err(Refusal::NotPossible(format!("the target names a part of `{}`, not the module", code.shown)));
    }
    let into = request.params.needed("into")?;
    let to = other(session, &code, into)?;
    if !to.path.as_path().is_file() {
        return Err(Refusal::NotPossible(format!("`{into}` is not there: move the file")));
    }
    if matches!(code.path.file_stem(), "__init__" | "index" | "conftest" | "__main__") {
        return Err(Refusal::NotPossible(format!("`{}` is found by its name", code.shown)));
    }
    let wished = moved_code::all(&code)?;
    plan(session, (&code, &to), &wished, Manner::asked(&code, request, Fate::Goes)?).await
}

async fn plan(session: &Session, (code, to): (&Code, &Code), wished: &[&str], manner: Manner) -> Result<Plan, Refusal> {
    each([code, to].map(|it| check_module(session, it)))?;
    let names = ScopedNames::with_spelled(code);
    let mut leaving = Vec::new();
    let mut places = Vec::new();
    let find = |name| match manner.fate {
        Fate::Goes => {
            let moved = || Leaving::find(code, &names, (name, Extent::Whole));
            Leaving::twin(code, &names, (to, name)).map_or_else(moved, Ok)
        }
        // What a module goes on to offer it would have as it was then.
        Fate::Offers => Leaving::find(code, &names, (name, Extent::Part(&[]))),
        Fate::Stays => Leaving::find(code, &names, (name, Extent::Part(wished))),
    };
    let stubs = Stubs::of(session, code, to)?;
    for one in each(wished.iter().copied().map(find))? {
        places.push(match &stubs {
            Some(stubs) => stubs.uses(session, code, one.place.start).await?,
            None => Uses::of(session, code, one.place.start).await?,
        });
        if let Some(key) = one.key_place {
            places.push(Uses::of(session, code, key.start).await?);
        }
        leaving.push(one);
    }
    leaving.sort_by_key(|one| one.place);
    with_links(session, code.family(), &to.path, |links| {
        let mut way = Way::new((session, links), (code, to), (&names, &leaving), manner);
        way.model = way.model();
        let kept = way.keep_for_packages();
        let mut draft = way.drafted(&places)?;
        draft.warnings.extend(kept);
        draft.warnings.extend(way.crossings(&draft));
        if let Some(stubs) = &stubs {
            way.carry_stubs(stubs, &mut draft)?;
        }
        way.plan(draft)
    })
}

/// Reads the module that takes something in; one that is not there is empty.
/// Refuses a script that a page loads as it is: the page has to load what others need of it, too, and in order.
fn check_module(session: &Session, code: &Code) -> Result<(), Refusal> {
    let Some(page) = pages(session, code).into_iter().next() else { return Ok(()) };
    let page = page.shown_from(session.root());
    let reason =
        format!("`{page}` loads `{}` as a script that is no module, which nothing can be imported from", code.shown);
    Err(Refusal::NotPossible(reason))
}

fn other(session: &Session, code: &Code, to: &str) -> Result<Code, Refusal> {
    let refuse = |reason: &str| Refusal::NotPossible(format!("`{to}` {reason}"));
    let path = session.root().join(to).map_err(|error| Refusal::NotPossible(error.to_string()))?;
    let path = session.disk().contain_entry(&path)?;
    let is_alike =
        |language: Language| language.family() == code.family() && language.is_typed_script() == code.is_typed_script();
    if !Language::of_path(&path).is_some_and(is_alike) || path.extension() == "pyi" {
        return Err(refuse("is not a module of the same language"));
    }
    if path == code.path {
        return Err(refuse("is the module that it stands in"));
    }
    if path.as_path().is_file() { Code::read(session, &path) } else { Code::empty(session, &path) }
}

impl<'a> Way<'a> {
    fn new(
        (session, links): (&'a Session, &'a dyn Links),
        (from, to): (&'a Code, &'a Code),
        (names, leaving): (&'a ScopedNames<'a>, &'a [Leaving<'a>]),
        manner: Manner,
    ) -> Self {
        let is_commonjs = are_commonjs(session, from, to);
        let all = |code: &Code| if is_commonjs { links.with_required(code) } else { links.of(code) };
        let (own, theirs) = (all(from), all(to));
        let (keys_here, keys_there) = (ExportKeys::of(from), ExportKeys::of(to));
        let model = None;
        Self {
            session,
            links,
            from,
            to,
            names,
            leaving,
            own,
            theirs,
            is_commonjs,
            keys_here,
            keys_there,
            list_there: export_list(to),
            model,
            manner,
        }
    }
}

impl Way<'_> {
    fn drafted(&self, places: &[Uses]) -> Result<Draft, Refusal> {
        let mut draft = Draft::default();
        self.check_exports()?;
        let (mut needs, ()) = both(self.needs(), self.check_free())?;
        draft.warnings.extend(self.need_exemplified(&mut needs));
        draft.imported.extend(needs.modules.iter().cloned());
        draft.needed.clone_from(&needs.own);
        self.open_exports(std::mem::take(&mut needs.opened), &mut draft);
        self.depart(places, &mut draft)?;
        draft.warnings.extend(self.lost());
        self.arrive(needs, &mut draft)?;
        draft.created.extend(new_packages(&self.to.path).map(|init| (init, String::new())));
        self.lead_importers(places, &mut draft)?;
        let names = self.leaving.iter().map(|one| vec![one.name.to_owned()]).collect();
        draft.warnings.extend(platform_twins_of(self.session, &self.from.path, &names)?);
        self.check_circle(&mut draft)?;
        Ok(draft)
    }

    fn plan(&self, draft: Draft) -> Result<Plan, Refusal> {
        let Draft { edits, created, deleted: deletes, warnings, .. } = draft;
        let closed = |(path, (text, edits)): (AbsPath, (Arc<Text>, Vec<TextEdit>))| {
            let edits = closed_up(text.as_str(), edits);
            (path, (text, edits))
        };
        let edits = edits.into_iter().map(closed).collect();
        let creates = created.into_iter().map(|(path, text)| (path, Text::new(text))).collect();
        let mut parts = Parts { edits, creates, deletes, warnings, ..Parts::default() };
        let gone = Relocation::of_file(self.from.path.clone(), self.to.path.clone());
        if self.manner.documents == Documents::Edited {
            documented::rewrite(self.session, &self.respelled(&gone), &mut parts);
        }
        if self.manner.fate == Fate::Goes {
            let module = self.dotted().and_then(|(old, new)| Respelled::dotted(&old, &new));
            documented::tell(self.session, module.as_slice(), &mut parts);
            let written = still_written(self.session.disk(), &gone, &parts);
            parts.warnings.extend(written);
        }
        Ok(Plan::new(parts)?)
    }

    /// Returns what documents are to spell in another way.
    fn respelled(&self, gone: &Relocation) -> Vec<Respelled> {
        let mut respelled = Vec::new();
        if let Some((old, new)) = self.dotted() {
            let of = |name: &str| Respelled::dotted(&format!("{old}.{name}"), &format!("{new}.{name}"));
            respelled.extend(self.leaving.iter().filter_map(|one| of(one.name)));
            respelled.extend(Respelled::dotted(&old, &new).filter(|_| self.manner.fate == Fate::Goes));
        }
        if self.manner.fate == Fate::Goes {
            respelled.extend(Respelled::paths(self.session, gone));
        }
        respelled
    }

    /// Refuses names that mean something where they go.
    fn check_free(&self) -> Result<(), Refusal> {
        let names = ScopedNames::of(self.to);
        let check = |one: &Leaving<'_>| {
            let comes =
                |span| self.theirs.iter().any(|link| link.local == Some(span) && self.is_brought_there(link, one.name));
            let mut others = names.outside_classes(one.name).filter(|name| {
                let is_inner = !name.is_free && names.function_of_meaning(name.meaning).is_some();
                !is_inner && !names.of_meaning(name.meaning).any(|it| comes(it.span))
            });
            if let Some(name) = others.next() {
                let reason = format!("`{}` is already in use here", one.name);
                return Err(self.to.refuse(name.span.start, reason));
            }
            Ok(())
        };
        each(self.leaving.iter().filter(|one| !one.is_there).map(check)).map(drop)
    }

    /// Writes the module of a file for another one, as it is done here.
    fn named(&self, first: (&Code, &[Link]), target: &AbsPath) -> Result<String, Refusal> {
        if let Some(written) = self.as_written(first, target) {
            return Ok(written);
        }
        let mut files = vec![first, (self.from, &self.own), (self.to, &self.theirs)];
        files.extend(self.model.as_ref().map(|(code, links)| (code, links.as_slice())));
        named(self.links, &files, &first.0.path, target)
    }

    /// Tells whether a link brings a name that leaves.
    fn brings(&self, link: &Link, name: &str) -> bool {
        let key = self.leaving.iter().find(|one| one.name == name).map_or(name, |one| one.key);
        link.module.as_ref() == Some(&self.from.path) && link.taken == LinkedName::Name(key.to_owned())
    }

    fn is_python(&self) -> bool {
        self.from.family() == Family::Python
    }

    /// Returns the import of a name that left, for a file that names its module so.
    fn wanted(&self, code: &Code, one: &Leaving<'_>, source: String) -> WantedImport {
        let form = match one.is_type && !self.is_python() {
            true => ImportForm::TypeNames,
            false if self.is_commonjs && is_commonjs(self.session, code) => ImportForm::Required,
            false => ImportForm::Names,
        };
        // The module itself goes on to call it as it did.
        let is_other = code.path == self.from.path && one.key != one.name;
        let item = match form {
            _ if !is_other => one.key.to_owned(),
            ImportForm::Required => format!("{}: {}", one.key, one.name),
            _ => format!("{} as {}", one.key, one.name),
        };
        WantedImport { source, form, item }
    }
}
