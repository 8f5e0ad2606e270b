//! Calls of a class by its own methods: `cls(name=…)` names a parameter of the constructor.
//!
//! Seen with basedpyright 1.40: a rename of the parameter leaves them, and no warning tells.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::forward_references::is_python;
use super::hierarchy::{CONSTRUCTORS, Hierarchy, LocatedClass};
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Location, Place, Server};
use crate::plan::Parts;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::python::Method;
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{Span, TextEdit};

/// How a method names the class that it belongs to.
pub(super) const OWN_CLASS: [&str; 3] = ["cls", "type(self)", "self.__class__"];

/// Renames the arguments by which a class and its heirs call a constructor whose parameters are renamed.
pub(super) async fn follow(
    hierarchy: &Hierarchy<'_>,
    new_name: &str,
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    for place in places {
        for class in hierarchy.built_by(place).await? {
            let Some(parsed) = hierarchy.session.parsed(&class.path)? else { continue };
            for span in arguments(&parsed, &class, hierarchy.name) {
                gathered.add(class.path.clone(), TextEdit::new(span, new_name), new_name);
            }
        }
    }
    Ok(())
}

/// Returns the parameters of that name that are given the same arguments as the one at a place: those of `__new__` where
/// that is one of `__init__`, and the other way round, for every class that is built by it.
pub(super) async fn twins(hierarchy: &Hierarchy<'_>, place: &Place) -> Result<Vec<Place>, Refusal> {
    let Some(owner) = hierarchy.constructed_with(place)? else { return Ok(Vec::new()) };
    let takes = |method: &&Method| method.params.iter().any(|it| it.span.start == place.offset);
    let Some(own) = owner.class.methods.iter().find(takes).map(|it| it.name.clone()) else { return Ok(Vec::new()) };
    let has = |class: &LocatedClass, name: &str| class.class.methods.iter().any(|it| it.name == name);
    let mut found = Vec::new();
    for class in hierarchy.heirs(&owner).await?.into_iter().chain([owner.clone()]) {
        let above = hierarchy.ancestors(&class).await?;
        let line = || std::iter::once(&class).chain(&above);
        if line().find(|it| has(it, &own)).is_none_or(|it| it.place() != owner.place()) {
            continue;
        }
        let Some(other) = CONSTRUCTORS.iter().find(|name| **name != own) else { continue };
        let Some(taking) = line().find(|it| has(it, other)) else { continue };
        let parameters = taking.class.methods.iter().filter(|it| it.name == *other).flat_map(|it| &it.params);
        let named = parameters.filter(|it| it.name == hierarchy.name && taking.path.is_below(hierarchy.session.root()));
        found.extend(named.map(|it| Place { path: taking.path.clone(), offset: it.span.start }));
    }
    Ok(found)
}

/// What a call with an argument calls: the last name of it.
pub(super) fn called(argument: Node<'_>) -> Option<Node<'_>> {
    let called = argument.ancestors().find(|node| node.is("call"))?.child("function")?;
    let called = called.child("value").filter(|_| called.is("subscript")).unwrap_or(called);
    Some(called.child("attribute").unwrap_or(called))
}

/// Returns the parameter that a class's own call of itself names, where the subject is the name of an argument there.
pub(super) async fn parameter(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
) -> Result<Option<Place>, Refusal> {
    if !matches!(subject.site, Site::KeywordArgument) {
        return Ok(None);
    }
    let argument = subject.file.tree.nodes().covering(subject.span);
    let Some(class) = own_class(argument, subject.file.text.as_str()) else { return Ok(None) };
    let class = Place { path: subject.place.path.clone(), offset: class.start };
    Hierarchy::new(session, server, &subject.name).constructor_parameter(&class).await
}

/// Classes whose constructor is renamed in a parameter, and those above them, each by its file, whether that is the module
/// or its stub, and its name.
#[derive(Debug, Default)]
pub(super) struct Built {
    own: BTreeSet<(String, String)>,
    above: BTreeSet<(String, String)>,
}

/// Finds the classes that are built with a parameter that is renamed.
pub(super) async fn built(hierarchy: &Hierarchy<'_>, parts: &Parts) -> Result<Built, Refusal> {
    let mut built = Built::default();
    for (path, (_, edits)) in parts.edits.iter().filter(|(path, _)| is_python(path)) {
        let Some(parsed) = hierarchy.session.parsed(path)? else { continue };
        let is_parameter = |edit: &&TextEdit| {
            let found = site(&parsed.tree, parsed.text.as_str(), edit.span);
            matches!(found, Site::Declaration(DeclarationKind::Parameter))
        };
        for edit in edits.iter().filter(is_parameter) {
            let place = Place { path: path.clone(), offset: edit.span.start };
            for class in hierarchy.built_by(&place).await? {
                built.above.extend(hierarchy.ancestors(&class).await?.iter().map(known_by));
                built.own.insert(known_by(&class));
            }
        }
    }
    Ok(built)
}

impl Built {
    /// Tells whether no class is built with what is renamed.
    pub(super) fn is_none(&self) -> bool {
        self.own.is_empty()
    }

    /// Tells whether an argument that leads to another constructor may reach a renamed one all the same: where the class
    /// is called by another name (`self.factory(size=1)`, typed as a base), and where a stub tells nothing of the
    /// constructor that its module has.
    pub(super) async fn may_take(
        &self,
        hierarchy: &Hierarchy<'_>,
        argument: &Place,
        leads: &[Location],
    ) -> Result<bool, Refusal> {
        let Some(file) = hierarchy.session.parsed(&argument.path)?.filter(|_| !self.own.is_empty()) else {
            return Ok(false);
        };
        let named = file.tree.nodes().covering(Span::at(argument.offset));
        let Some(called) = called(named) else { return Ok(false) };
        if CONSTRUCTORS.contains(&called.text(file.text.as_str())) {
            return Ok(false);
        }
        let place = Place { path: argument.path.clone(), offset: called.start() };
        for location in hierarchy.server.definition(&place).await.map_err(SessionError::from)? {
            if let Some(class) = hierarchy.class_at(&location)? {
                return Ok(self.own.contains(&known_by(&class)));
            }
            if is_alias(hierarchy.session, &location)? {
                return Ok(false);
            }
        }
        for location in leads {
            let built = Place { path: location.path.clone(), offset: location.span.start };
            if hierarchy.constructed_with(&built)?.is_some_and(|class| self.above.contains(&known_by(&class))) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tells whether a variable at the top of a module is another name of what it is assigned: `regexp = Regexp`.
pub(super) fn is_alias(session: &Session, location: &Location) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&location.path)? else { return Ok(false) };
    let assigned = parsed.tree.nodes().covering(location.span).parent().filter(|outer| outer.is("assignment"));
    let is_name =
        |assigned: Node<'_>| assigned.child("right").is_some_and(|right| right.is_any(&["identifier", "attribute"]));
    Ok(assigned.is_some_and(|assigned| is_name(assigned) && !assigned.ancestors().any(|outer| outer.is("block"))))
}

fn known_by(class: &LocatedClass) -> (String, String) {
    let path = class.path.as_str();
    (path.strip_suffix('i').unwrap_or(path).to_owned(), class.class.name.clone())
}

/// The name of the class around an argument of its call of itself.
pub(super) fn own_class(argument: Node<'_>, text: &str) -> Option<Span> {
    let called = argument.ancestors().find(|node| node.is("call")).and_then(|call| call.child("function"))?;
    let around = argument.ancestors().find(|node| node.is("class_definition")).and_then(|node| node.child("name"))?;
    OWN_CLASS.contains(&called.text(text)).then(|| around.span())
}

/// The names of the arguments that read `name` in the class's calls of itself.
fn arguments(parsed: &Parsed, class: &LocatedClass, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_own = |argument: Node<'_>| own_class(argument, text) == Some(class.class.name_span);
    let arguments = parsed.tree.nodes().iter().filter(|node| node.is("keyword_argument"));
    let named = arguments.filter(|argument| is_own(*argument)).filter_map(|argument| argument.child("name"));
    named.map(Node::span).filter(|span| span.of(text) == Some(name)).collect()
}
