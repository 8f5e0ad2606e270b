//! How a grammar calls its nodes and fields.

use super::roles::Roles;

/// The names that a grammar has for its nodes and fields, by their numbers.
#[derive(Debug)]
pub(super) struct GrammarNames {
    pub(super) kinds: Vec<&'static str>,
    pub(super) roles: Vec<Roles>,
    pub(super) fields: Vec<&'static str>,
}

impl GrammarNames {
    pub(super) fn of(grammar: &'static tree_sitter::Language) -> Self {
        let kind = |id| grammar.node_kind_for_id(id as u16).unwrap_or_default();
        let field = |id| grammar.field_name_for_id(id as u16).unwrap_or_default();
        // A keyword can be called like the node that it begins.
        let roles = |id| if grammar.node_kind_is_named(id as u16) { Roles::of(kind(id)) } else { Roles::NONE };
        Self {
            kinds: (0..grammar.node_kind_count()).map(kind).collect(),
            roles: (0..grammar.node_kind_count()).map(roles).collect(),
            fields: (0..=grammar.field_count()).map(field).collect(),
        }
    }
}
