//! Move Symbol, in Solidity: what stands at the level of a file goes to another one, and its importers follow.
//!
//! ```solidity
//! import {Vault} from "./all.sol";   →   import {Vault} from "./vault.sol";
//! ```
//! Files may import each other in circles. All is bound again as it will be: every name has to mean what it meant.

mod importers;

use std::collections::{BTreeMap, BTreeSet};

use super::calls::meant;
use super::extract_interface::above;
use super::project::Ground;
use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{DefinitionId, DefinitionKind, Model, SourceId, Target, TokenKind, import_path, tokens};
use crate::syntax::Node;
use crate::text::{Span, Text, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

const KINDS: &[DefinitionKind] = &[
    DefinitionKind::Contract,
    DefinitionKind::Interface,
    DefinitionKind::Library,
    DefinitionKind::Function,
    DefinitionKind::Struct,
    DefinitionKind::Enum,
    DefinitionKind::Error,
    DefinitionKind::Event,
    DefinitionKind::UserType,
    DefinitionKind::Constant,
];

/// Names to import, each with its alias, by the paths of their files.
type Needs = BTreeMap<String, BTreeSet<String>>;

/// What moves, and where to.
struct Way<'s> {
    session: &'s Session,
    ground: Ground,
    from: Code,
    to: Code,
    /// With the lines of each, comments above included.
    moved: BTreeMap<DefinitionId, Span>,
    edits: BTreeMap<SourceId, Vec<TextEdit>>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let from = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    ground.target(&from, &request.target, KINDS)?;
    let to = other(session, &ground, &from, request.params.needed("to")?)?;
    if request.params.flag("reexport") {
        return Err(Refusal::NotPossible(
            "files that import this one would see it twice: leave `reexport` out".to_owned(),
        ));
    }
    let mut way = Way { session, from, to, moved: BTreeMap::new(), edits: BTreeMap::new(), ground };
    let first = way.ground.target(&way.from, &request.target, KINDS)?;
    way.take(first)?;
    for name in request.params.list("also") {
        way.take(way.named(name)?)?;
    }
    way.check_using().noted()?;
    way.check_taken().noted()?;
    let needs = way.needs()?;
    way.lead_importers()?;
    let created = way.arrive(&needs);
    let plan = way.planned(created)?;
    let (Way { mut ground, .. }, after) = (way, plan.clone());
    let lost = tokio::task::spawn_blocking(move || lost(&mut ground, &after)).await;
    let root = format!("{}/", session.root());
    let shown = |file: &SourceId| file.as_str().strip_prefix(&root).unwrap_or(file.as_str()).to_owned();
    let reason = match lost.map_err(|error| Refusal::NotPossible(error.to_string()))? {
        None => return Ok(plan),
        Some(Lost::Name(file, name)) => format!("`{}` would not see `{name}` any more", shown(&file)),
        Some(Lost::Order { heir, base }) => format!(
            "`{}` and `{}` would import each other, and the compiler needs a base before what derives from it: move what it needs, too (`also`)",
            shown(&heir),
            shown(&base)
        ),
    };
    Err(Refusal::NotPossible(reason))
}

/// What would not be right after a move.
enum Lost {
    /// A name that would mean nothing in a file.
    Name(SourceId, String),
    /// Files that import each other, of which one declares an heir and the other its base.
    Order { heir: SourceId, base: SourceId },
}

/// Reads the file that something comes to; one that is not there is empty.
fn other(session: &Session, ground: &Ground, from: &Code, to: &str) -> Result<Code, Refusal> {
    let refuse = |reason: &str| Err(Refusal::NotPossible(format!("`{to}` {reason}")));
    let path = session.root().join(to).map_err(|error| Refusal::NotPossible(error.to_string()))?;
    let path = session.disk().contain_entry(&path)?;
    match () {
        () if path.extension() != "sol" => refuse("is no Solidity file"),
        () if path == from.path => refuse("is the file that it stands in"),
        () if ground.layout.is_library(path.as_str()) => refuse("lies in a dependency"),
        () if path.as_path().is_file() => Code::read(session, &path),
        () => Code::empty(session, &path),
    }
}

impl Way<'_> {
    fn source(&self) -> SourceId {
        Ground::id(&self.from.path)
    }

    fn goal(&self) -> SourceId {
        Ground::id(&self.to.path)
    }

    fn named(&self, name: &str) -> Result<DefinitionId, Refusal> {
        let file = self.source();
        let own = self.ground.model.definitions_of(&file);
        let mut found = own.filter(|(_, one)| one.container.is_none() && one.name == name && KINDS.contains(&one.kind));
        let found = found.next().map(|(id, _)| id);
        found.ok_or_else(|| Refusal::NotPossible(format!("`{}` declares no `{name}`", self.from.shown)))
    }

    fn take(&mut self, id: DefinitionId) -> Result<(), Refusal> {
        let (file, one) = (self.source(), self.ground.definition(id));
        let refuse = |reason: &str| Err(self.from.refuse(one.name_span.start, reason));
        if one.container.is_some() {
            return refuse("it is a part of something: name what stands at the level of the file");
        }
        let namesake = |other: DefinitionId| other != id && self.ground.definition(other).container.is_none();
        let mut all = self.ground.model.definitions_of(&file).filter(|(_, other)| other.name == one.name);
        if all.any(|(other, _)| namesake(other)) {
            return refuse("the file declares several of this name");
        }
        let (start, end) = (above(&self.from, one), self.from.next_line(one.span.end));
        let rest = &self.from.text()[one.span.end..end];
        let before = &self.from.text()[self.from.line_start(one.span.start)..one.span.start];
        if !rest.trim().trim_start_matches(';').is_empty() || !before.trim().is_empty() {
            return refuse("it shares its lines with something else");
        }
        self.moved.insert(id, Span::new(start, end));
        Ok(())
    }

    fn is_moved(&self, file: &SourceId, span: Span) -> bool {
        *file == self.source() && self.moved.values().any(|moved| moved.contains(span))
    }

    /// Refuses what a `using` of the file says of the code in it, or of types that are declared there.
    fn check_using(&self) -> Result<(), Refusal> {
        for code in [&self.from, &self.to] {
            let mut depth = 0_usize;
            for token in tokens(code.text()) {
                match token.kind {
                    TokenKind::Sign(b'{') => depth += 1,
                    TokenKind::Sign(b'}') => depth = depth.saturating_sub(1),
                    TokenKind::Word if depth == 0 && token.of(code.text()) == "using" => {
                        return Err(code.refuse(token.span.start, "a `using` holds for all of the file"));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Refuses names that mean something where they go, but what moves itself.
    fn check_taken(&self) -> Result<(), Refusal> {
        for seeing in self.ground.seen_from(&self.goal()) {
            let scope = self.ground.scope(&seeing);
            for id in self.moved.keys() {
                let name = &self.ground.definition(*id).name;
                if scope.get(name).is_some_and(|found| found.iter().any(|other| other != id)) {
                    let reason = format!("`{name}` is already in use in what sees the file");
                    return Err(self.ground.refuse(self.session, (&seeing, 0), reason));
                }
            }
        }
        Ok(())
    }

    /// Returns the names that what moves needs where it goes, by the paths that they come from.
    fn needs(&self) -> Result<Needs, Refusal> {
        let (model, goal) = (&self.ground.model, self.goal());
        let seen = self.ground.scope(&goal);
        let mut needs = Needs::new();
        for one in model.references_of(&self.source()).iter().filter(|one| self.is_moved(&one.file, one.span)) {
            let name = model.name_of(one);
            let refuse = |reason: String| Err(self.from.refuse(one.span.start, reason));
            if one.target == Target::Unknown && !one.is_yul {
                return refuse(format!("what `{name}` refers to is not known"));
            }
            if self.ground.is_member(one) {
                continue;
            }
            for id in meant(&self.ground, one).into_iter().filter(|id| !self.moved.contains_key(id)) {
                let it = self.ground.definition(id);
                if it.kind == DefinitionKind::ImportedFile {
                    return refuse(format!("`{name}` stands for a whole file"));
                }
                if it.container.is_some() {
                    continue;
                }
                match seen.get(name) {
                    Some(found) if found.contains(&id) => continue,
                    Some(_) => return refuse(format!("`{name}` refers to something else in `{}`", self.to.shown)),
                    None => {}
                }
                let alias = if name == it.name { String::new() } else { format!(" as {name}") };
                let path = self.path(&goal, &it.file);
                needs.entry(path).or_default().insert(format!("{}{alias}", it.name));
            }
        }
        Ok(needs)
    }

    /// Writes the path of a source for an importer, as the file that is left writes it where it does.
    fn path(&self, importer: &SourceId, target: &SourceId) -> String {
        let imports = self.ground.model.files().get(&self.source()).map(|facts| facts.imports.as_slice());
        let mut written = imports.unwrap_or_default().iter().filter(|(_, leads)| leads.as_ref() == Some(target));
        let like = written.next().map_or("./", |(import, _)| import.path.as_str());
        let there: BTreeSet<SourceId> = self.ground.model.files().keys().cloned().chain([self.goal()]).collect();
        import_path(self.ground.project.imports(), importer, like, target, &there)
    }

    /// Takes what moves out of its file and puts it behind what the other one holds; returns the text of a new one.
    fn arrive(&mut self, needs: &Needs) -> Option<String> {
        let (from, end) = (self.from.text(), self.from.newline());
        let bodies: Vec<&str> = self.moved.values().map(|span| from[span.start..span.end].trim_end()).collect();
        let body = bodies.join(&end.repeat(2));
        let mut gone = Vec::new();
        for span in self.moved.values() {
            let behind = if from[span.end..].starts_with(end) { end.len() } else { 0 };
            let is_last = from[span.end..].trim().is_empty() && from[..span.start].ends_with(&end.repeat(2));
            let before = if is_last { end.len() } else { 0 };
            gone.push(TextEdit::new(Span::new(span.start - before, span.end + behind), ""));
        }
        self.edits.entry(self.source()).or_default().extend(gone);
        let line = |(path, names): (&String, &BTreeSet<String>)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("import {{{}}} from \"{path}\";{end}", names.join(", "))
        };
        let lines: String = needs.iter().map(line).collect();
        if !self.to.path.as_path().is_file() {
            let gap = if lines.is_empty() { "" } else { end };
            return Some(format!("{}{lines}{gap}{body}{end}", self.head()));
        }
        let text = self.to.text();
        let edits = self.edits.entry(Ground::id(&self.to.path)).or_default();
        if !lines.is_empty() {
            edits.push(inserted(&self.to, &lines));
        }
        let gap = if text.ends_with('\n') { end.to_owned() } else { end.repeat(2) };
        edits.push(TextEdit::new(Span::at(text.len()), format!("{gap}{body}{end}")));
        None
    }

    /// Returns the licence and the pragmas that a new file begins with.
    fn head(&self) -> String {
        let (text, end) = (self.from.text(), self.from.newline());
        let lines = text.lines().map(str::trim_end);
        let is_head = |line: &&str| line.contains("SPDX-License-Identifier") || line.starts_with("pragma ");
        let head: String = lines.filter(is_head).map(|line| format!("{line}{end}")).collect();
        if head.is_empty() { head } else { format!("{head}{end}") }
    }

    fn planned(&self, created: Option<String>) -> Result<Plan, Refusal> {
        let mut parts = Parts::default();
        for (file, edits) in self.edits.iter().filter(|(_, edits)| !edits.is_empty()) {
            let code = self.ground.code(self.session, file)?;
            parts.edits.insert(code.path.clone(), (code.parsed().text.clone(), edits.clone()));
        }
        parts.creates.extend(created.map(|text| (self.to.path.clone(), Text::new(text))));
        Ok(Plan::new(parts)?)
    }
}

/// Puts lines of imports behind those of a file, or behind its pragmas.
pub(super) fn inserted(code: &Code, lines: &str) -> TextEdit {
    let is_import = |node: &Node<'_>| node.is("import_directive");
    let heads: Vec<Node<'_>> =
        code.root().children().filter(|node| is_import(node) || node.is("pragma_directive")).collect();
    let at = heads.last().map_or(0, |node| code.next_line(node.end()));
    let gap = if heads.iter().any(is_import) || at == 0 { "" } else { code.newline() };
    TextEdit::new(Span::at(at), format!("{gap}{lines}"))
}

/// Binds all as it will be, and returns what is not right then.
fn lost(ground: &mut Ground, plan: &Plan) -> Option<Lost> {
    let before = ground.model.clone();
    for (path, edited) in plan.edits() {
        ground.project.set(Ground::id(path), edited.after().as_str().into());
    }
    for (path, text) in plan.creates() {
        ground.project.set(Ground::id(path), text.as_str().into());
    }
    let after = ground.project.model();
    let unknown = |model: &Model, file: &SourceId| -> Vec<String> {
        let all = model.references_of(file).iter().filter(|one| one.target == Target::Unknown && !one.is_yul);
        let mut names: Vec<String> = all.map(|one| model.name_of(one).to_owned()).collect();
        names.sort();
        names
    };
    let name = after.files().keys().find_map(|file| {
        let mut old = unknown(&before, file);
        let new = unknown(&after, file).into_iter().find(|name| match old.iter().position(|it| it == name) {
            Some(at) => {
                old.remove(at);
                false
            }
            None => true,
        });
        new.map(|name| Lost::Name(file.clone(), name))
    });
    name.or_else(|| disordered(&before, &after))
}

/// Returns files that come to import each other though the one declares a base of the other's contract. Seen with solc
/// 0.8.30: "Definition of base has to precede definition of derived contract", if it reads the base's file first.
fn disordered(before: &Model, after: &Model) -> Option<Lost> {
    let is_circle = |model: &Model, one: &SourceId, other: &SourceId| {
        reached(model, one).contains(other) && reached(model, other).contains(one)
    };
    let file = |id: DefinitionId| &after.definition(id).file;
    let pairs = after.hierarchies().flat_map(|(heir, bases)| bases.iter().map(move |base| (file(heir), file(*base))));
    let mut apart = pairs.filter(|(heir, base)| heir != base);
    let (heir, base) = apart.find(|(heir, base)| is_circle(after, heir, base) && !is_circle(before, heir, base))?;
    Some(Lost::Order { heir: heir.clone(), base: base.clone() })
}

/// Returns the files that a file imports, directly or by others.
fn reached<'m>(model: &'m Model, file: &'m SourceId) -> BTreeSet<&'m SourceId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(file) = open.pop() {
        let imports = model.files().get(file).map_or(&[][..], |facts| facts.imports.as_slice());
        open.extend(imports.iter().filter_map(|(_, target)| target.as_ref()).filter(|target| found.insert(*target)));
    }
    found
}
