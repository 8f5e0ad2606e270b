//! Members of classes of a script that would override each other by accident: a class above or below the one whose member gets
//! another name has a member of that name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::{Subject, at};
use crate::lsp::{Feature, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::refusal::Clash;
use crate::refactor::source_file::{Code, is_class};
use crate::session::{Session, SessionError};
use crate::syntax::{Node, is_parameter_property};
use crate::text::{AbsPath, Span};

/// So far up a class is followed.
const DEEPEST: usize = 20;

/// A class, by the place of its name.
type ClassPlace = (AbsPath, usize);

/// A class of a file with the names of its members.
struct Class<'c> {
    code: &'c Code,
    node: Node<'c>,
    name: Option<Node<'c>>,
}

/// The name of a member in its class.
#[derive(Clone, Copy)]
struct Member {
    span: Span,
    is_static: bool,
}

/// Finds the classes above and below a renamed member's own that have a member of the new name.
pub(super) async fn taken_members(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &Gathered,
) -> Result<Vec<Clash>, Refusal> {
    let new = request.new_name.as_str();
    let holders = session.disk().files_mentioning(new);
    // What is private is each class's own.
    if new.starts_with('#') || holders.is_empty() {
        return Ok(Vec::new());
    }
    let mut owners: Vec<(ClassPlace, String, bool)> = Vec::new();
    for path in gathered.paths() {
        let code = Code::known(session, path)?;
        for class in classes(&code) {
            let renamed = class.members(None).into_iter().find(|it| gathered.has(path, it.span));
            if let (Some(member), Some(name)) = (renamed, class.name) {
                owners.push(((path.clone(), name.start()), name.text(code.text()).to_owned(), member.is_static));
            }
        }
    }
    if owners.is_empty() {
        return Ok(Vec::new());
    }
    let server = session.server(subject.language, Feature::Rename).await?;
    let search = Search { session, server: &server };
    let mut clashes = Vec::new();
    for path in &holders {
        let Ok(code) = Code::known(session, path) else { continue };
        for class in classes(&code) {
            let taken = class.members(Some(new)).into_iter().find(|it| !gathered.has(path, it.span));
            let Some(taken) = taken else { continue };
            let alike = owners.iter().filter(|(_, _, is_static)| *is_static == taken.is_static);
            let alike: Vec<_> = alike.collect();
            if search.is_related(&class, &alike).await? {
                let name = class.name.map_or("a class", |it| it.text(code.text()));
                let message = format!("`{name}`, above or below it, already has a member `{new}`");
                clashes.push(Clash { at: at(path, &code.parsed().text, taken.span.start), message });
            }
        }
    }
    Ok(clashes)
}

struct Search<'s> {
    session: &'s Session,
    server: &'s Arc<Server>,
}

impl Search<'_> {
    /// Tells whether a class is an heir of one of the owners, or one of them is its heir.
    async fn is_related(&self, class: &Class<'_>, owners: &[&(ClassPlace, String, bool)]) -> Result<bool, Refusal> {
        let Some(name) = class.name else { return Ok(false) };
        let own = (class.code.path.clone(), name.start());
        for (owner, owner_name, _) in owners {
            let said = name.text(class.code.text());
            if *owner == own {
                continue;
            }
            // Names alone tell most that they are strangers.
            let is_below = self.may_reach(class.code, class.node, owner_name)?;
            if is_below && self.above(own.clone()).await?.contains(owner) {
                return Ok(true);
            }
            let code = Code::known(self.session, &owner.0)?;
            let node = classes(&code).into_iter().find(|it| it.name.is_some_and(|it| it.start() == owner.1));
            let is_above = node.map_or(Ok(false), |it| self.may_reach(&code, it.node, said))?;
            if is_above && self.above(owner.clone()).await?.contains(&own) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells whether a class may have one of a name above it, by what classes of the project say of their bases.
    fn may_reach(&self, code: &Code, class: Node<'_>, wanted: &str) -> Result<bool, Refusal> {
        let mut open: Vec<String> = base_names(code, class);
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if name == wanted {
                return Ok(true);
            }
            if !seen.insert(name.clone()) || seen.len() > DEEPEST {
                continue;
            }
            for path in self.session.disk().files_mentioning(&format!("class {name} extends")) {
                let Ok(other) = Code::known(self.session, &path) else { continue };
                let is_it = |it: &Class<'_>| it.name.is_some_and(|own| own.text(other.text()) == name);
                open.extend(classes(&other).into_iter().filter(is_it).flat_map(|it| base_names(&other, it.node)));
            }
        }
        Ok(false)
    }

    /// Returns the classes above one, as the server knows them.
    async fn above(&self, class: ClassPlace) -> Result<Vec<ClassPlace>, Refusal> {
        let (mut found, mut here) = (Vec::new(), class);
        while found.len() < DEEPEST {
            let code = Code::known(self.session, &here.0)?;
            let own = classes(&code).into_iter().find(|it| it.name.is_some_and(|it| it.start() == here.1));
            let Some(base) = own.and_then(|it| base(it.node)) else { break };
            self.session.cover(self.server, std::slice::from_ref(&code.path)).await?;
            let place = Place { path: code.path.clone(), offset: base.start() };
            let leads = self.server.definition(&place).await.map_err(SessionError::from)?;
            let Some(next) = leads.into_iter().next().filter(|it| it.path.is_below(self.session.root())) else { break };
            here = (next.path, next.span.start);
            found.push(here.clone());
        }
        Ok(found)
    }
}

impl Class<'_> {
    /// Returns its members, or those of a name: what its body declares, and what a constructor's parameters do.
    fn members(&self, name: Option<&str>) -> Vec<Member> {
        let text = self.code.text();
        let body = self.node.child("body").into_iter().flat_map(Node::named_children);
        let mut all = Vec::new();
        for it in body {
            let is_static = it.children().any(|word| word.kind() == "static");
            all.extend(it.child("name").or_else(|| it.child("property")).map(|name| (name, is_static)));
            let parameters = it.child("parameters").into_iter().flat_map(Node::named_children);
            let properties = parameters.filter(|it| is_parameter_property(*it)).filter_map(|it| it.child("pattern"));
            all.extend(properties.map(|name| (name, false)));
        }
        let is_meant = |it: &(Node<'_>, bool)| name.is_none_or(|name| it.0.text(text) == name);
        all.into_iter().filter(is_meant).map(|(it, is_static)| Member { span: it.span(), is_static }).collect()
    }
}

fn classes(code: &Code) -> Vec<Class<'_>> {
    let all = code.root().descendants().filter(|it| is_class(*it));
    all.map(|node| Class { code, node, name: node.child("name") }).collect()
}

/// Returns the name of the class that a class extends.
fn base(class: Node<'_>) -> Option<Node<'_>> {
    let heritage = class.child_of_kind("class_heritage")?;
    let clause = heritage.child_of_kind("extends_clause").unwrap_or(heritage);
    let value = clause.child("value").or_else(|| clause.named_children().next())?;
    value.child("property").or(Some(value)).filter(|it| it.is_any(&["identifier", "property_identifier"]))
}

/// Returns what a class may call the one that it extends: its own name, and the one by which it is imported.
fn base_names(code: &Code, class: Node<'_>) -> Vec<String> {
    let text = code.text();
    let Some(said) = base(class).map(|it| it.text(text)) else { return Vec::new() };
    let specifiers = code.root().descendants().filter(|it| it.is("import_specifier"));
    let aliased = specifiers.filter(|it| it.child("alias").is_some_and(|alias| alias.text(text) == said));
    let own = aliased.filter_map(|it| it.child("name")).map(|it| it.text(text).to_owned());
    own.chain([said.to_owned()]).collect()
}
