//! Members of classes of a script that would override each other by accident: a class above or below the one whose member gets
//! another name has a member of that name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::doubts::{base, is_class};
use super::private_names::field_name;
use super::python_changes::Standpoints;
use super::server_edits::Gathered;
use super::subject::{Subject, at};
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::refusal::Clash;
use crate::refactor::source_file::{Code, has_own_object};
use crate::session::{Session, SessionError};
use crate::syntax::{Node, is_parameter_property};
use crate::text::{AbsPath, Span};

/// So many classes and interfaces above a class are looked at.
const MOST_ABOVE: usize = 60;
/// Libraries declare classes as interfaces, in several pieces.
const INTERFACE: &str = "interface_declaration";

/// A class, by the place of its name.
pub(super) type ClassPlace = (AbsPath, usize);

/// A class of a file, or an interface that describes one, with the names of its members.
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

/// A class whose member gets another name.
struct Owner {
    place: ClassPlace,
    name: String,
    is_static: bool,
}

/// Finds the classes above and below a renamed member's own that have a member of the new name.
pub(super) async fn taken_members(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &Gathered,
) -> Result<Vec<Clash>, Refusal> {
    let (new, disk) = (request.new_name.as_str(), session.disk());
    // What is private is each class's own.
    if new.starts_with('#') {
        return Ok(Vec::new());
    }
    let server = session.server(subject.language, Feature::Rename).await?;
    let kin = Kin::new(session, &server);
    let mut owners: Vec<Owner> = Vec::new();
    let mut clashes = Vec::new();
    for path in gathered.paths() {
        let code = Code::known(session, path)?;
        for class in classes(&code) {
            let renamed = class.members(None).into_iter().find(|it| gathered.has(path, it.span));
            let Some((member, name)) = renamed.zip(class.name) else { continue };
            let place = (path.clone(), name.start());
            for above in kin.above(place.clone()).await? {
                let code = Code::known(session, &above.0)?;
                let clash = class_at(&code, above.1).and_then(|it| it.taken(new, member.is_static, gathered));
                clashes.extend(clash.filter(|it| !clashes.contains(it)));
            }
            owners.push(Owner { place, name: name.text(code.text()).to_owned(), is_static: member.is_static });
        }
    }
    if owners.is_empty() || disk.files_mentioning(new).is_empty() {
        return Ok(clashes);
    }
    for path in disk.files_mentioning(&format!("{new} extends")) {
        let Ok(code) = Code::known(session, &path) else { continue };
        for class in classes(&code) {
            for owner in &owners {
                let Some(clash) = class.taken(new, owner.is_static, gathered) else { continue };
                if kin.is_below(&class, owner).await? && !clashes.contains(&clash) {
                    clashes.push(clash);
                }
            }
        }
    }
    Ok(clashes)
}

/// Returns the classes with a member that gets another name, by the places of their names.
pub(super) fn renamed_classes(session: &Session, gathered: &Gathered) -> Result<Standpoints, Refusal> {
    let mut found = Standpoints::new();
    for path in gathered.paths() {
        let code = Code::known(session, path)?;
        let of = |class: &Class<'_>| class.members(None).iter().any(|it| gathered.has(path, it.span));
        let renamed = classes(&code).into_iter().filter(of).filter_map(|it| it.name);
        found.extend(renamed.map(|name| (path.clone(), name.span())));
    }
    Ok(found)
}

/// What classes are to each other.
pub(super) struct Kin<'s> {
    pub session: &'s Session,
    pub server: &'s Arc<Server>,
}

impl<'s> Kin<'s> {
    pub(super) fn new(session: &'s Session, server: &'s Arc<Server>) -> Self {
        Self { session, server }
    }

    /// Tells whether a class, or an interface that describes one, has a member of a name.
    pub(super) fn has(&self, (path, offset): &ClassPlace, name: &str) -> Result<bool, Refusal> {
        let code = Code::known(self.session, path)?;
        Ok(class_at(&code, *offset).is_some_and(|it| !it.members(Some(name)).is_empty()))
    }

    /// Tells whether a class is declared at a place.
    pub(super) fn is_class(&self, location: &Location) -> Result<bool, Refusal> {
        let code = Code::known(self.session, &location.path)?;
        Ok(class_at(&code, location.span.start).is_some_and(|it| !it.node.is(INTERFACE)))
    }

    /// Tells whether a class is an heir of another one. Names alone tell most that they are strangers.
    async fn is_below(&self, class: &Class<'_>, owner: &Owner) -> Result<bool, Refusal> {
        let Some(name) = class.name else { return Ok(false) };
        let own = (class.code.path.clone(), name.start());
        Ok(self.may_reach(class, &owner.name) && self.above(own).await?.contains(&owner.place))
    }

    /// Tells whether a class may have one of a name above it, by what classes of the project say of their bases.
    fn may_reach(&self, class: &Class<'_>, wanted: &str) -> bool {
        let mut open = class.base_names();
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if name == wanted {
                return true;
            }
            if !seen.insert(name.clone()) || seen.len() > MOST_ABOVE {
                continue;
            }
            for path in self.session.disk().files_mentioning(&format!("class {name} extends")) {
                let Ok(other) = Code::known(self.session, &path) else { continue };
                let is_it = |it: &Class<'_>| it.name.is_some_and(|own| own.text(other.text()) == name);
                open.extend(classes(&other).into_iter().filter(is_it).flat_map(|it| it.base_names()));
            }
        }
        false
    }

    /// Returns the classes above one, as the server knows them, with the interfaces by which libraries declare such.
    pub(super) async fn above(&self, class: ClassPlace) -> Result<Vec<ClassPlace>, Refusal> {
        let (mut found, mut open) = (Vec::new(), vec![class]);
        while let Some(here) = open.pop().filter(|_| found.len() < MOST_ABOVE) {
            let Ok(code) = Code::known(self.session, &here.0) else { continue };
            let bases = class_at(&code, here.1).map(|it| bases(it.node)).unwrap_or_default();
            for base in bases {
                self.session.cover(self.server, std::slice::from_ref(&code.path)).await?;
                let place = Place { path: code.path.clone(), offset: base.start() };
                let leads = self.server.definition(&place).await.map_err(SessionError::from)?;
                let mut leads: Vec<ClassPlace> = leads.into_iter().map(|it| (it.path, it.span.start)).collect();
                leads.retain(|it| !found.contains(it));
                found.extend(leads.iter().cloned());
                open.extend(leads);
            }
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
            all.extend(field_name(it).map(|name| (name, is_static)));
            let parameters = it.child("parameters").into_iter().flat_map(Node::named_children);
            let properties = parameters.filter(|it| is_parameter_property(*it)).filter_map(|it| it.child("pattern"));
            all.extend(properties.map(|name| (name, false)));
        }
        all.extend(self.assigned().map(|name| (name, false)));
        let is_meant = |it: &(Node<'_>, bool)| name.is_none_or(|name| it.0.text(text) == name);
        all.into_iter().filter(is_meant).map(|(it, is_static)| Member { span: it.span(), is_static }).collect()
    }

    /// Returns the members that its own functions set: `this.rate = …`.
    fn assigned(&self) -> impl Iterator<Item = Node<'_>> {
        let is_own = |this: Node<'_>| this.ancestors().filter(|it| has_own_object(*it)).nth(1) == Some(self.node);
        let set = self.node.descendants().filter(|it| it.is("assignment_expression"));
        let members = set.filter_map(|it| it.child("left")).filter(move |it| {
            let object = it.child("object");
            it.is("member_expression") && object.is_some_and(|it| it.is("this") && is_own(it))
        });
        members.filter_map(|it| it.child("property"))
    }

    /// Returns its member of the new name that stands beside renamed ones: of the class itself, or of its objects.
    fn taken(&self, new: &str, is_static: bool, gathered: &Gathered) -> Option<Clash> {
        let code = self.code;
        let is_it = |it: &Member| it.is_static == is_static && !gathered.has(&code.path, it.span);
        let taken = self.members(Some(new)).into_iter().find(is_it)?;
        let name = self.name.map_or("a class", |it| it.text(code.text()));
        let message = format!("`{name}`, above or below it, already has a member `{new}`");
        Some(Clash { at: at(&code.path, &code.parsed().text, taken.span.start), message })
    }

    /// Returns what it may call the class that it extends: its own name, and the one by which it is imported.
    fn base_names(&self) -> Vec<String> {
        let text = self.code.text();
        let Some(said) = base_name(self.node).map(|it| it.text(text)) else { return Vec::new() };
        let specifiers = self.code.root().descendants().filter(|it| it.is("import_specifier"));
        let aliased = specifiers.filter(|it| it.child("alias").is_some_and(|alias| alias.text(text) == said));
        let own = aliased.filter_map(|it| it.child("name")).map(|it| it.text(text).to_owned());
        own.chain([said.to_owned()]).collect()
    }
}

fn classes(code: &Code) -> Vec<Class<'_>> {
    let all = code.root().descendants().filter(is_class);
    all.map(|node| Class { code, node, name: node.child("name") }).collect()
}

/// Returns the class whose name stands at an offset, or the interface.
fn class_at(code: &Code, name: usize) -> Option<Class<'_>> {
    let name = code.covering(Span::new(name, (name + 1).min(code.text().len())));
    let node = name.parent().filter(|it| (is_class(it) || it.is(INTERFACE)) && it.child("name") == Some(name))?;
    Some(Class { code, node, name: Some(name) })
}

/// Returns the names of what a class or an interface extends.
fn bases(node: Node<'_>) -> Vec<Node<'_>> {
    if !node.is(INTERFACE) {
        return base_name(node).into_iter().collect();
    }
    let listed = node.children().filter(|it| it.is("extends_type_clause")).flat_map(Node::named_children);
    listed.map(|it| it.child("name").filter(|_| it.is("generic_type")).unwrap_or(it)).collect()
}

/// Returns the name of the class that a class extends.
fn base_name(class: Node<'_>) -> Option<Node<'_>> {
    let base = base(class)?;
    base.child("property").or(Some(base)).filter(|it| it.is_any(&["identifier", "property_identifier"]))
}
