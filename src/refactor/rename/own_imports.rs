//! Imports of a script that a server leads nowhere and the files of the project lead on: examples and tests that name their
//! own package (`import { total } from "shop"`), of which only what it is compiled to is named in `package.json`.
//!
//! What comes by such an import is renamed with what it means; where nothing tells which file is meant, it is told.

use std::collections::BTreeSet;

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, Links};
use crate::refactor::moves::script::{Modules, Project};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// Re-exports are followed so far.
const DEEPEST: usize = 8;

/// Renames what files take from their own package by its name, and notes what cannot be told.
pub(super) fn follow(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    if subject.is_local() {
        return Ok(());
    }
    let name = subject.name.as_str();
    let mut found = Vec::new();
    each_user(session, name, |modules, (path, code), packages| {
        let mut open = required(code, name, packages);
        for link in modules.of(code).iter().filter(|link| is_of(code, link, packages)) {
            let offered = match &link.module {
                Some(module) => Exports { session, modules, name }.offered(module, DEEPEST)?,
                None => None,
            };
            let is_renamed = offered.as_ref().is_some_and(|place| is_renamed(gathered, place, request));
            let mut spans = taken((code, link), modules, name);
            spans.retain(|span| !gathered.has(path, *span));
            if is_renamed {
                found.extend(spans.into_iter().map(|span| (path.clone(), span)));
            } else if link.module.is_none() {
                open.extend(spans);
            }
        }
        open.retain(|span| !gathered.has(path, *span));
        // Told here, and not again as what no type is known of.
        gathered.asked.others.extend(open.iter().map(|span| (path.clone(), *span)));
        gathered.warnings.extend(unknown(code, name, open));
        Ok(())
    })?;
    for (path, span) in found {
        gathered.add(path, TextEdit::new(span, request.new_name.as_str()), &request.new_name);
    }
    Ok(())
}

/// Looks at each script that says both the name and one of the project's packages.
fn each_user(
    session: &Session,
    name: &str,
    mut look: impl FnMut(&Modules<'_>, (&AbsPath, &Code), &BTreeSet<String>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let packages = packages(session);
    let users = users(session, name, &packages)?;
    let Some(project) = users.first().and_then(|(path, _)| Project::with(session.sources(), path)) else {
        return Ok(());
    };
    let modules = Modules::new(&project);
    users.iter().try_for_each(|(path, code)| look(&modules, (path, code), &packages))
}

/// Returns where files take from their own package, by its name, what is meant by one of its exports.
pub(crate) fn taken_by_package_name(
    session: &Session,
    name: &str,
    is_meant: &dyn Fn(&Place) -> bool,
) -> Result<Vec<Location>, Refusal> {
    let mut found = Vec::new();
    each_user(session, name, |modules, (path, code), packages| {
        for link in modules.of(code).iter().filter(|link| is_of(code, link, packages)) {
            let Some(module) = &link.module else { continue };
            let offered = Exports { session, modules, name }.offered(module, DEEPEST)?;
            if offered.is_some_and(|place| is_meant(&place)) {
                let spans = taken((code, link), modules, name).into_iter();
                found.extend(spans.map(|span| Location { path: path.clone(), span }));
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// Returns where files take the name from their own package by its name, and no file is known that is meant.
pub(crate) fn untold_by_package_name(session: &Session, name: &str) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let mut found = Vec::new();
    each_user(session, name, |modules, (path, code), packages| {
        let links = modules.of(code).into_iter().filter(|link| link.module.is_none() && is_of(code, link, packages));
        let imported = links.filter_map(|link| taken((code, &link), modules, name).into_iter().next());
        let all = imported.chain(required(code, name, packages));
        found.extend(all.map(|span| (path.clone(), span)));
        Ok(())
    })?;
    Ok(found)
}

/// Returns where what an import of the own package takes is declared or exported.
pub(super) fn declared(session: &Session, subject: &Subject, from: &Place) -> Result<Option<Place>, Refusal> {
    let name = subject.name.as_str();
    let packages = packages(session);
    let code = Code::known(session, &from.path)?;
    let Some(project) = Project::with(session.sources(), &from.path) else { return Ok(None) };
    let modules = Modules::new(&project);
    for link in modules.of(&code).iter().filter(|link| is_of(&code, link, &packages)) {
        let is_asked = taken((&code, link), &modules, name).iter().any(|span| span.start == from.offset);
        if let Some(module) = link.module.as_ref().filter(|_| is_asked) {
            return Exports { session, modules: &modules, name }.offered(module, DEEPEST);
        }
    }
    Ok(None)
}

/// Tells of imports of the own package of which nobody knows what they mean.
fn unknown(code: &Code, name: &str, mut spans: Vec<Span>) -> Option<Warning> {
    spans.sort();
    spans.dedup();
    let message = format!("`{name}` is taken from the own package here, and is not changed: no file is known for it");
    let told =
        || Warning::at_lines(WarningKind::PossibleUse, message, code.path.clone(), (&code.parsed().text, &spans));
    (!spans.is_empty()).then(told)
}

/// The names of the project's packages.
fn packages(session: &Session) -> BTreeSet<String> {
    let files = session.disk().files();
    let manifests = files.iter().filter(|entry| entry.path.file_name() == "package.json");
    let named = |path: &AbsPath| {
        let text = session.disk().read(path).ok()?;
        let said: serde_json::Value = serde_json::from_str(text.as_str()).ok()?;
        Some(said.get("name")?.as_str()?.to_owned()).filter(|name| !name.is_empty())
    };
    manifests.filter_map(|entry| named(&entry.path)).collect()
}

/// The scripts that say both the name and one of the packages.
fn users(session: &Session, name: &str, packages: &BTreeSet<String>) -> Result<Vec<(AbsPath, Code)>, Refusal> {
    let mut files: BTreeSet<AbsPath> = BTreeSet::new();
    for package in packages {
        files.extend(session.disk().files_mentioning(&format!("{name} {package}")));
    }
    files.retain(|path| Language::of_path(path).is_some_and(|language| language.family() == Family::Script));
    let mut found = Vec::new();
    for path in files {
        let code = Code::known(session, &path)?;
        found.push((path, code));
    }
    Ok(found)
}

fn is_of(code: &Code, link: &Link, packages: &BTreeSet<String>) -> bool {
    link.source.of(code.text()).is_some_and(|source| is_own(source, packages))
}

fn is_own(source: &str, packages: &BTreeSet<String>) -> bool {
    packages
        .iter()
        .any(|package| source.strip_prefix(package.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/')))
}

/// Where a file takes the name by an import, and all that it means there.
fn taken((code, link): (&Code, &Link), modules: &Modules<'_>, name: &str) -> Vec<Span> {
    match (&link.taken, &link.module) {
        (LinkedName::Name(taken), _) if taken == name => {
            let mut spans = vec![Span::new(link.item.start, link.item.start + name.len())];
            if matches!(link.form, LinkForm::TypeImport | LinkForm::TypeExport) {
                let node = code.covering(link.item);
                spans = node.child("name").map(Node::span).into_iter().collect();
            }
            let local = link.local.filter(|local| local.of(code.text()) == Some(name));
            let names = code.parsed().names();
            let meaning = local.and_then(|local| names.iter().find(|one| one.span == local)).map(|one| one.meaning);
            spans.extend(names.iter().filter(|one| Some(one.meaning) == meaning).map(|one| one.span));
            spans.sort();
            spans.dedup();
            spans
        }
        (LinkedName::Module, Some(module)) => {
            let members = modules.members(code, module, name).into_iter();
            members.map(|span| Span::new(span.end - name.len(), span.end)).collect()
        }
        _ => Vec::new(),
    }
}

/// Where `const { name } = require("shop")` takes the name: no server and no link leads there.
fn required(code: &Code, name: &str, packages: &BTreeSet<String>) -> Vec<Span> {
    let is_required = |node: &Node<'_>| {
        let called = node.child("value").filter(|value| value.is("call_expression"));
        let argument = called.and_then(|call| call.child("arguments")?.named_children().next());
        let source = argument.map(|argument| argument.text(code.text()).trim_matches(['"', '\'']).to_owned());
        let is_call =
            called.and_then(|call| call.child("function")).is_some_and(|it| it.text(code.text()) == "require");
        node.is("variable_declarator") && is_call && source.is_some_and(|source| is_own(&source, packages))
    };
    let patterns = code.root().descendants().filter(is_required).filter_map(|node| node.child("name"));
    let mut found = Vec::new();
    for pattern in patterns {
        if pattern.is("identifier") {
            let is_member = |node: &Node<'_>| {
                node.is("member_expression")
                    && node.child("object").is_some_and(|object| object.text(code.text()) == pattern.text(code.text()))
            };
            let members = code.root().descendants().filter(is_member).filter_map(|node| node.child("property"));
            found.extend(members.filter(|own| own.text(code.text()) == name).map(Node::span));
        } else {
            let keys = pattern.descendants().filter(|node| node.kind().contains("identifier"));
            found.extend(keys.filter(|key| key.text(code.text()) == name).map(Node::span));
        }
    }
    found
}

/// What modules offer under the name.
struct Exports<'a> {
    session: &'a Session,
    modules: &'a Modules<'a>,
    name: &'a str,
}

impl Exports<'_> {
    /// Returns where a module exports or declares the name for others, in itself or in what it hands on as a whole.
    fn offered(&self, module: &AbsPath, depth: usize) -> Result<Option<Place>, Refusal> {
        let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
        let code = Code::known(self.session, module)?;
        let own = code.parsed().tree.identifiers_named(code.text(), self.name);
        if let Some(span) = own.into_iter().find(|span| is_offered(code.covering(*span))) {
            return Ok(Some(Place { path: module.clone(), offset: span.start }));
        }
        for link in self.modules.of(&code).iter().filter(|it| it.taken == LinkedName::Star && it.form.is_export()) {
            let Some(next) = &link.module else { continue };
            if let Some(found) = self.offered(next, depth)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// Tells whether a name is what an `export` of a module offers it by.
fn is_offered(name: Node<'_>) -> bool {
    let Some(outer) = name.parent() else { return false };
    if outer.is("export_specifier") {
        return outer.child("alias").or_else(|| outer.child("name")) == Some(name);
    }
    let is_declared = outer.child("name") == Some(name);
    let mut around = outer
        .ancestors()
        .skip_while(|it| it.is_any(&["lexical_declaration", "variable_declaration", "ambient_declaration"]));
    is_declared && around.next().is_some_and(|it| it.is("export_statement"))
}

/// Tells whether others know what stands at a place by the new name.
fn is_renamed(gathered: &Gathered, place: &Place, request: &RenameRequest) -> bool {
    gathered
        .edits_of(&place.path)
        .iter()
        .any(|edit| edit.span.start == place.offset && edit.new_text == request.new_name)
}
