//! From where a declared thing can be used.

use super::edited_spans::sorted;
use crate::plan::Parts;
use crate::session::Session;
use crate::syntax::{DeclarationKind, Site, Tree, is_parameter_property, site};
use crate::text::{AbsPath, Span};

/// So many files are looked into for declarations.
const TELLING: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// From its function alone.
    Function,
    /// From its function, and by callers who name an argument.
    Callers,
    Anywhere,
}

impl Reach {
    /// Tells it of a declaration; nothing where the name declares nothing.
    pub(super) fn of_site(tree: &Tree, site: &Site, span: Span) -> Option<Self> {
        let Site::Declaration(kind) = site else { return None };
        Some(match kind {
            DeclarationKind::Parameter if is_property(tree, span) => Self::Anywhere,
            DeclarationKind::Parameter => Self::Callers,
            DeclarationKind::TypeParameter | DeclarationKind::Label => Self::Function,
            DeclarationKind::Variable | DeclarationKind::Constant if is_inside_function(tree, span) => Self::Function,
            _ => Self::Anywhere,
        })
    }

    /// Tells it of what a plan renames, by the first declaration in each file, that of `own` first; a few files tell it.
    pub(super) fn of_plan(session: &Session, own: &AbsPath, parts: &Parts) -> Self {
        let others = parts.edits.keys().filter(|path| *path != own);
        let declared =
            std::iter::once(own).chain(others).take(TELLING).filter_map(|path| in_file(session, parts, path));
        declared.max().unwrap_or(Self::Anywhere)
    }
}

fn in_file(session: &Session, parts: &Parts, path: &AbsPath) -> Option<Reach> {
    let (parsed, edits) = (session.parsed(path).ok()??, &parts.edits.get(path)?.1);
    let (tree, text) = (&parsed.tree, parsed.text.as_str());
    sorted(edits).into_iter().find_map(|span| Reach::of_site(tree, &site(tree, text, span), span))
}

/// Tells whether a parameter's name is a property's, too.
pub(super) fn is_property(tree: &Tree, name: Span) -> bool {
    tree.nodes().covering(name).parent().is_some_and(is_parameter_property)
}

/// Tells whether a span lies in a function.
pub(super) fn is_inside_function(tree: &Tree, span: Span) -> bool {
    const FUNCTIONS: [&str; 4] = ["function", "method", "lambda", "closure"];
    let is_function = |kind: &str| FUNCTIONS.iter().any(|part| kind.contains(part)) && !kind.ends_with("type");
    tree.nodes().covering(span).ancestors().any(|node| is_function(node.kind()))
}
