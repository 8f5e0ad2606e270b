//! What modules of CommonJS hand out and take, which tsserver leaves aside (seen with 6.0).
//!
//! `module.exports = { write }` and `exports.write = write` hand a name on as `export { write }` does: the key, what it
//! stands for and the importers have one name. tsserver takes the key for a property of its own, finds few of those who
//! ask the module for it, and writes `write: new` for either side.

use std::collections::{BTreeMap, BTreeSet};

use super::server_edits::Gathered;
use super::subject::Subject;
use super::{Aliases, RenameRequest, definition_queries};
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::commonjs::{export_key, exported_value, given_names, required_member, required_variable, taken};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

/// What one rename asks about modules, and was told.
pub(super) struct Exports<'a> {
    session: &'a Session,
    server: &'a Server,
    /// The old name.
    name: &'a str,
    request: &'a RenameRequest,
    meanings: BTreeMap<Location, Vec<Location>>,
}

/// For each file with a renamed key, where else the values of such keys are declared.
type Values = BTreeMap<AbsPath, BTreeSet<Span>>;

impl<'a> Exports<'a> {
    pub(super) fn new(session: &'a Session, server: &'a Server, name: &'a str, request: &'a RenameRequest) -> Self {
        Self { session, server, name, request, meanings: BTreeMap::new() }
    }

    /// Gives the keys that hand out what is renamed the new name. Returns those who ask for them.
    pub(super) async fn asked(&mut self, gathered: &mut Gathered) -> Result<Vec<Location>, Refusal> {
        let values = self.rename_keys(gathered)?;
        let open = self.open(gathered, &values)?;
        if open.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(&open).await?;
        let renamed = self.renamed(gathered);
        let is_among = |all: &Values, to: &Location| all.get(&to.path).is_some_and(|spans| spans.contains(&to.span));
        let is_meant = |to: &Location| is_among(&renamed, to) || is_among(&values, to);
        let asks = |place: &Location| {
            self.meanings.get(place).is_some_and(|leads| !leads.is_empty() && leads.iter().all(is_meant))
        };
        Ok(open.into_iter().filter(asks).collect())
    }

    /// Returns the other names of what has several that are the old one: of a value that one statement gives them
    /// (`exports.load = function load() {}`: tsserver takes a call for one of the function's own name), of variables
    /// (`const load = require("./store").load`).
    pub(super) fn other_names(&self, gathered: &Gathered) -> Result<Vec<Place>, Refusal> {
        let mut found = Vec::new();
        if self.request.aliases == Aliases::Keep {
            return Ok(found);
        }
        for path in gathered.paths().filter(|path| is_script(path)) {
            let code = Code::known(self.session, path)?;
            let names = gathered.edits_of(path).into_iter().map(|edit| code.covering(edit.span));
            let others = names.flat_map(|name| given_names(&code, name).into_iter().chain(taken(&code, name)));
            let same = others.filter(|it| it.of(code.text()) == Some(self.name) && !gathered.has(path, *it));
            found.extend(same.map(|span| Place { path: path.clone(), offset: span.start }));
        }
        Ok(found)
    }

    /// Asks what places mean that were not asked about before.
    async fn ask(&mut self, open: &[Location]) -> Result<(), Refusal> {
        let new: Vec<&Location> = open.iter().filter(|place| !self.meanings.contains_key(place)).collect();
        let places = new.iter().map(|it| Place { path: it.path.clone(), offset: it.span.start }).collect();
        let meanings = definition_queries::meanings(self.server, "", places).await?;
        self.meanings.extend(new.into_iter().cloned().zip(meanings));
        Ok(())
    }

    /// Renames the keys of what is renamed in their files, unless they are kept.
    fn rename_keys(&self, gathered: &mut Gathered) -> Result<Values, Refusal> {
        let mut found = BTreeMap::new();
        if self.request.aliases == Aliases::Keep {
            return Ok(found);
        }
        let handing_out = self.session.disk().files_mentioning(&format!("exports {}", self.name));
        let files: Vec<AbsPath> =
            gathered.paths().filter(|path| is_script(path) && handing_out.contains(path)).cloned().collect();
        for path in files {
            let code = Code::known(self.session, &path)?;
            for edit in gathered.edits_of(&path) {
                let name = code.covering(edit.span);
                let key = export_key(&code, name).filter(|key| key.of(code.text()) == Some(self.name));
                let Some(key) = key else { continue };
                gathered.put(&path, TextEdit::new(key, self.request.new_name.clone()));
                let values: &mut BTreeSet<Span> = found.entry(path.clone()).or_default();
                values.extend(exported_value(&code, key).and_then(|value| declared(&code, value)));
            }
        }
        Ok(found)
    }

    /// Returns the places of the name that may ask a module for it and are not renamed.
    fn open(&self, gathered: &Gathered, values: &Values) -> Result<Vec<Location>, Refusal> {
        let mut files: BTreeSet<AbsPath> = values.keys().cloned().collect();
        let ways: &[&str] = if values.is_empty() { &["require"] } else { &["require", "import"] };
        for taking in ways {
            files.extend(self.session.disk().files_mentioning(&format!("{taking} {}", self.name)));
        }
        let mut open = Vec::new();
        for path in files.into_iter().filter(|path| self.server.spec().speaks_of(path) && is_script(path)) {
            let code = Code::known(self.session, &path)?;
            let asks = |span: &Span| match site(&code.parsed().tree, code.text(), *span) {
                Site::ShorthandPattern => true,
                // Of what no key hands out, tsserver finds these.
                Site::Member | Site::ImportSpecifier { .. } | Site::ImportedName { .. } => !values.is_empty(),
                _ => false,
            };
            let all = whole_words(code.text(), self.name).into_iter().filter(asks);
            let all = all.filter(|span| !gathered.has(&path, *span));
            open.extend(all.map(|span| Location { path: path.clone(), span }));
        }
        Ok(open)
    }

    /// The places that get nothing but the new name, except where modules keep the old one for it.
    fn renamed(&self, gathered: &Gathered) -> Values {
        let handing_out = match self.request.aliases {
            Aliases::Keep => self.session.disk().files_mentioning("exports"),
            Aliases::Through => Vec::new(),
        };
        let spans = |path: &AbsPath| {
            let edits = gathered.edits_of(path).into_iter();
            edits.filter(|edit| edit.new_text == self.request.new_name).map(|edit| edit.span).collect()
        };
        let led = gathered.paths().filter(|path| !handing_out.contains(path));
        led.map(|path| (path.clone(), spans(path))).collect()
    }

    /// Notes that what is asked for at a place is a member of something else.
    pub(super) fn leave(&mut self, asked: &Location) {
        self.meanings.insert(asked.clone(), Vec::new());
    }

    /// Renames where a module is asked for the name. Returns the variable that it goes on by.
    pub(super) fn take(&self, asked: Location, gathered: &mut Gathered) -> Result<Option<Place>, Refusal> {
        let code = Code::known(self.session, &asked.path)?;
        let name = code.covering(asked.span);
        let site = site(&code.parsed().tree, code.text(), asked.span);
        let variable = match site {
            Site::ImportSpecifier { .. } => Some(asked.span),
            _ => taken(&code, name).filter(|span| span.of(code.text()) == Some(self.name)),
        };
        let is_taken_apart = site == Site::ShorthandPattern && variable.is_none();
        let kept = if is_taken_apart { format!(": {}", self.name) } else { String::new() };
        let new_text = format!("{}{kept}", self.request.new_name);
        gathered.put(&asked.path, TextEdit::new(asked.span, new_text));
        Ok(variable.map(|span| Place { path: asked.path, offset: span.start }))
    }
}

/// Refuses what Node.js gives every module. tsserver (6.0) takes `exports` for what is assigned to a member of it.
pub(super) fn check_given(session: &Session, subject: &Subject) -> Result<(), Refusal> {
    let name = subject.name.as_str();
    if !matches!(name, "exports" | "module") {
        return Ok(());
    }
    let code = Code::known(session, &subject.place.path)?;
    let node = code.covering(subject.span);
    let object = node.parent().and_then(|outer| outer.child("object")).filter(|it| *it != node);
    let is_of_module = object.is_some_and(|object| object.text(code.text()) == "module");
    let is_free = ScopedNames::of(&code).at(node).is_some_and(|one| one.is_free);
    match code.family() == Family::Script && (is_free || is_of_module) {
        true => Err(Refusal::NotPossible(format!("`{name}` is what Node.js gives every module, by that very name"))),
        false => Ok(()),
    }
}

/// Returns what was found, or the variable that holds what `require` returns where that is a library's: the file's own name can be
/// another one than what it stands for has.
pub(super) fn own_or(session: &Session, subject: &Subject, found: Result<Place, Refusal>) -> Result<Place, Refusal> {
    let path = &subject.place.path;
    let code = Code::known(session, path)?;
    let is_asked = code.family() == Family::Script && code.text().contains("require");
    let own = Some(code.covering(subject.span)).filter(|_| is_asked).and_then(|name| required_variable(&code, name));
    let Some(own) = own else { return found };
    let member = required_member(&code, code.covering(own)).map(|member| member.start);
    let is_outside = match &found {
        Err(Refusal::DeclaredOutside { .. }) => true,
        found => found.as_ref().is_ok_and(|it| it.path == *path && Some(it.offset) == member),
    };
    if is_outside { Ok(Place { path: path.clone(), offset: own.start }) } else { found }
}

/// Returns where a name of the file's own is declared at its top.
fn declared(code: &Code, value: Node<'_>) -> Option<Span> {
    let name = value.text(code.text());
    code.parsed().declarations().iter().find(|one| one.path.len() == 1 && one.name == name).map(|one| one.name_span)
}

pub(super) fn is_script(path: &AbsPath) -> bool {
    Language::of_path(path).is_some_and(|language| language.family() == Family::Script)
}
