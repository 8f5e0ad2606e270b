//! Types of libraries that scripts extend and that are no classes: `interface Error`, of which a variable makes objects.

use std::collections::BTreeSet;

use super::hierarchy::ClassHierarchy;
use crate::lsp::{Location, Place};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::Span;

/// So many interfaces are looked at, each with those that it extends.
const MOST: usize = 32;
/// What declares a member of an interface.
const MEMBERS: &[&str] = &["property_signature", "method_signature"];

impl ClassHierarchy<'_> {
    /// Tells whether what stands at a place is known to have no member of a name: all that the server finds for it is
    /// declared by a library, and at least one interface is among that.
    pub(super) async fn is_type_without(&self, place: &Place, name: &str) -> Result<bool, Refusal> {
        let (mut open, mut seen, mut is_known) = (vec![place.clone()], BTreeSet::new(), false);
        while let Some(place) = open.pop() {
            if !seen.insert(place.clone()) {
                continue;
            }
            let locations = self.definition(&place).await?;
            if locations.is_empty() || seen.len() > MOST {
                return Ok(false);
            }
            for location in locations {
                match self.declared_by_library(&location, name)? {
                    Declared::Interface(extended) => {
                        is_known = true;
                        open.extend(extended);
                    }
                    Declared::Variable => {}
                    Declared::Other => return Ok(false),
                }
            }
        }
        Ok(is_known)
    }

    fn declared_by_library(&self, location: &Location, name: &str) -> Result<Declared, Refusal> {
        let code = Code::known(self.session, &location.path)?;
        if code.family() != Family::Script || !location.path.as_str().ends_with(".d.ts") {
            return Ok(Declared::Other);
        }
        let Some(declared) = code.covering(Span::at(location.span.start)).parent() else { return Ok(Declared::Other) };
        let place = |of: Node<'_>| Place { path: location.path.clone(), offset: of.start() };
        Ok(match declared.kind() {
            "interface_declaration" if !declares(&code, declared, name) => {
                Declared::Interface(extended(declared).map(place).collect())
            }
            "variable_declarator" => Declared::Variable,
            _ => Declared::Other,
        })
    }
}

/// What a library declares.
enum Declared {
    /// One that has no member of the name that is asked about, with those that it extends.
    Interface(Vec<Place>),
    /// What makes the objects.
    Variable,
    /// Something that may have such a member.
    Other,
}

fn declares(code: &Code, interface: Node<'_>, name: &str) -> bool {
    let members = interface.child("body").into_iter().flat_map(Node::named_children);
    let is_it = |member: Node<'_>| {
        let named = member.child("name").is_some_and(|own| own.text(code.text()).trim_matches(['"', '\'']) == name);
        // `[key: string]: any` has them all.
        member.is("index_signature") || member.is_any(MEMBERS) && named
    };
    members.into_iter().any(is_it)
}

/// The names of the interfaces that one extends.
fn extended(interface: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let clauses = interface.children().filter(|it| it.is("extends_type_clause"));
    let types = clauses.flat_map(Node::named_children);
    types.filter_map(|it| if it.is("generic_type") { it.child("name") } else { Some(it) })
}
