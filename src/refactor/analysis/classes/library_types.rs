//! Types of libraries that scripts extend and that are no classes: `interface Error`, of which a variable makes objects.

use std::collections::BTreeSet;

use super::hierarchy::ClassHierarchy;
use crate::lsp::Place;
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
                let code = Code::known(self.session, &location.path)?;
                if code.family() != Family::Script || !location.path.as_str().ends_with(".d.ts") {
                    return Ok(false);
                }
                let declared = code.covering(Span::at(location.span.start)).parent();
                match declared.filter(|it| it.is_any(&["interface_declaration", "variable_declarator"])) {
                    Some(interface) if interface.is("interface_declaration") => {
                        if declares(&code, interface, name) {
                            return Ok(false);
                        }
                        is_known = true;
                        let path = || location.path.clone();
                        open.extend(extended(interface).map(|it| Place { path: path(), offset: it.start() }));
                    }
                    Some(_) => {}
                    None => return Ok(false),
                }
            }
        }
        Ok(is_known)
    }
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
