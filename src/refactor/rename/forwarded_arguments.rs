//! Functions that take arguments of any name and hand them on: `super().__init__(**options)`.
//!
//! Seen with basedpyright 1.40: of an argument that `**options` takes, it knows nothing more.

use std::collections::{BTreeMap, BTreeSet};

use super::constructors::{called, own_class};
use super::fixtures::function_of_parameter;
use super::hierarchy::{CONSTRUCTORS, Hierarchy, LocatedClass};
use super::keyword_dictionaries::dictionary_of;
use super::{definition_queries, handing_decorators};
use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::Span;

/// Follows arguments of one name through the functions that hand them on.
pub(super) struct Forwarding<'a> {
    hierarchy: &'a Hierarchy<'a>,
    /// What was found, by the names of the functions that were called.
    known: BTreeMap<Vec<Location>, BTreeSet<Place>>,
}

/// What a function does with an argument of the name.
enum Taken {
    /// This parameter of its own takes it.
    Own(Place),
    /// It goes on to what these names mean.
    HandedOn(Vec<Place>),
    Unknown,
}

impl<'a> Forwarding<'a> {
    pub(super) fn new(hierarchy: &'a Hierarchy<'a>) -> Self {
        Self { hierarchy, known: BTreeMap::new() }
    }

    /// Returns the parameters that take the argument in the end, where what a server leads to is called with it; none where it may go
    /// elsewhere.
    pub(super) async fn parameters(&mut self, leads: &[Location]) -> Result<BTreeSet<Place>, Refusal> {
        if let Some(known) = self.known.get(leads) {
            return Ok(known.clone());
        }
        let found = self.followed(leads).await?.unwrap_or_default();
        self.known.insert(leads.to_vec(), found.clone());
        Ok(found)
    }

    async fn followed(&self, leads: &[Location]) -> Result<Option<BTreeSet<Place>>, Refusal> {
        let server = self.hierarchy.server;
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), leads.to_vec());
        while let Some(one) = open.pop() {
            if !seen.insert(one.clone()) {
                continue;
            }
            let Some(function) = self.function(one).await? else { return Ok(None) };
            match self.taken(&function).await? {
                Taken::Own(parameter) => {
                    found.insert(parameter);
                }
                Taken::HandedOn(names) => {
                    let meant = definition_queries::locations(server, Feature::Definition, names).await?;
                    if meant.iter().any(Vec::is_empty) {
                        return Ok(None);
                    }
                    open.extend(meant.into_iter().flatten());
                }
                Taken::Unknown => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    /// Returns the function that is called by a name: of a class the constructor, wherever it is inherited from; nothing where a
    /// decorator may make one, or where there are several.
    async fn function(&self, named: Location) -> Result<Option<Location>, Refusal> {
        let Some(class) = self.hierarchy.class_at(&named)? else { return Ok(Some(named)) };
        let above = self.hierarchy.ancestors(&class).await?;
        for LocatedClass { path, class } in std::iter::once(&class).chain(&above) {
            let constructors = class.methods.iter().filter(|it| CONSTRUCTORS.contains(&it.name.as_str()));
            let names: Vec<Span> = constructors.map(|it| it.name_span).collect();
            let parsed = self.hierarchy.session.parsed(path)?;
            let is_decorated = parsed.is_none_or(|it| it.text.as_str()[class.full_span.start..].starts_with('@'));
            match names.as_slice() {
                [only] => return Ok(Some(Location { path: path.clone(), span: *only })),
                [] if !is_decorated => {}
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    async fn taken(&self, function: &Location) -> Result<Taken, Refusal> {
        let (session, name) = (self.hierarchy.session, self.hierarchy.name);
        if !function.path.is_below(session.root()) {
            return Ok(Taken::Unknown);
        }
        let only = std::slice::from_ref(function);
        if !handing_decorators::all_hand_on(session, self.hierarchy.server, (only, name)).await? {
            return Ok(Taken::Unknown);
        }
        let own = parameters(session, only, name)?;
        if let Some(own) = own.into_iter().next() {
            return Ok(Taken::Own(own));
        }
        let Some(parsed) = session.parsed(&function.path)? else { return Ok(Taken::Unknown) };
        let text = parsed.text.as_str();
        let definition = parsed.tree.nodes().covering(function.span).parent();
        let Some(definition) = definition.filter(|it| it.is("function_definition")) else { return Ok(Taken::Unknown) };
        let place = |offset: usize| Place { path: function.path.clone(), offset };
        let names = receivers(definition, name, text);
        Ok(names.map_or(Taken::Unknown, |names| Taken::HandedOn(names.into_iter().map(place).collect())))
    }
}

/// Returns where those are named which a function calls with all that it takes under any name; nothing where it takes no such
/// arguments, does anything else with them than to ask for others, or gives an argument of that name itself.
fn receivers(function: Node<'_>, name: &str, text: &str) -> Option<Vec<usize>> {
    let rest = function.child("parameters")?.descendants().find(|it| it.is("dictionary_splat_pattern"))?;
    let rest = rest.named_children().next()?.text(text);
    let body = function.child("body")?;
    let contents = body.descendants().filter(|it| it.is("string_content") && it.text(text) != name);
    let asked: BTreeSet<Span> = contents.filter_map(dictionary_of).map(Node::span).collect();
    let mut found = Vec::new();
    for used in body.descendants().filter(|it| it.is("identifier") && it.text(text) == rest) {
        if asked.contains(&used.span()) {
            continue;
        }
        let list = used.parent().filter(|it| it.is("dictionary_splat")).and_then(Node::parent);
        let list = list.filter(|it| it.is("argument_list"))?;
        let mut others = list.named_children().filter(|it| it.is("keyword_argument"));
        if others.any(|it| it.child("name").is_some_and(|it| it.text(text) == name)) {
            return None;
        }
        found.push(own_class(used, text).map_or(called(used)?.start(), |class| class.start));
    }
    (!found.is_empty()).then_some(found)
}

/// The parameters of that name of the functions whose names stand where a server leads; none where one has no such parameter.
pub(super) fn parameters(session: &Session, leads: &[Location], name: &str) -> Result<BTreeSet<Place>, Refusal> {
    let mut found = BTreeSet::new();
    for location in leads {
        let Some(parsed) = session.parsed(&location.path)? else { return Ok(BTreeSet::new()) };
        let text = parsed.text.as_str();
        let function = parsed.tree.nodes().covering(location.span).parent();
        let is_named = |function: &Node<'_>| {
            function.is("function_definition") && function.child("name").map(Node::span) == Some(location.span)
        };
        let Some(function) = function.filter(is_named) else { return Ok(BTreeSet::new()) };
        let is_own = |span: &Span| {
            let declared = site(&parsed.tree, text, *span) == Site::Declaration(DeclarationKind::Parameter);
            let of = function_of_parameter(parsed.tree.nodes().covering(*span));
            declared && of == Some(function)
        };
        let Some(own) = parsed.tree.identifiers_named(text, name).into_iter().find(is_own) else {
            return Ok(BTreeSet::new());
        };
        found.insert(Place { path: location.path.clone(), offset: own.start });
    }
    Ok(found)
}
