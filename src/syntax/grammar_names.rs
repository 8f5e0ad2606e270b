//! How a grammar calls its nodes and fields.

use std::collections::BTreeSet;

use super::roles::Roles;

/// The names that a grammar has for its nodes and fields, by their numbers.
#[derive(Debug)]
pub(super) struct GrammarNames {
    pub(super) kinds: Vec<&'static str>,
    pub(super) roles: Vec<Roles>,
    pub(super) fields: Vec<&'static str>,
    /// Whether a child of a node of that kind can hang in a field.
    pub(super) fielded: Vec<bool>,
}

/// What a grammar says of one kind of its nodes (tree-sitter, "Static Node Types").
#[derive(serde::Deserialize)]
struct NodeType {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    fields: serde_json::Map<String, serde_json::Value>,
}

impl GrammarNames {
    pub(super) fn of(grammar: &'static tree_sitter::Language, node_types: Option<&str>) -> Self {
        let kind = |id| grammar.node_kind_for_id(id as u16).unwrap_or_default();
        let field = |id| grammar.field_name_for_id(id as u16).unwrap_or_default();
        // A keyword can be called like the node that it begins.
        let roles = |id| if grammar.node_kind_is_named(id as u16) { Roles::of(kind(id)) } else { Roles::NONE };
        let fielded = node_types.map(fielded);
        Self {
            kinds: (0..grammar.node_kind_count()).map(kind).collect(),
            roles: (0..grammar.node_kind_count()).map(roles).collect(),
            fields: (0..=grammar.field_count()).map(field).collect(),
            fielded: (0..grammar.node_kind_count())
                .map(|id| fielded.as_ref().is_none_or(|all| all.contains(kind(id))))
                .collect(),
        }
    }

    /// Tells whether a child of a node of this kind can hang in a field; of one that is unknown it may.
    pub(super) fn has_fields(&self, kind: u16) -> bool {
        self.fielded.get(usize::from(kind)).copied().unwrap_or(true)
    }
}

/// The kinds whose nodes have fields.
fn fielded(node_types: &str) -> BTreeSet<String> {
    let types: Vec<NodeType> = serde_json::from_str(node_types).expect("every grammar describes its own nodes");
    types.into_iter().filter(|one| !one.fields.is_empty()).map(|one| one.kind).collect()
}
