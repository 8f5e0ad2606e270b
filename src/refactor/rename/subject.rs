//! What is to be renamed: the name at a place, in its language.

use std::sync::Arc;

use super::RenameRequest;
use super::visibility::{Reach, is_inside_function};
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::refusal::At;
use crate::session::{Parsed, Session};
use crate::syntax::python::string_fields;
use crate::syntax::{DeclarationKind, Language, Site, Tree, site};
use crate::text::{Span, Text};

/// The name that stands at the asked place.
pub(super) struct Subject {
    pub place: Place,
    pub name: String,
    pub span: Span,
    pub language: Language,
    pub file: Arc<Parsed>,
    pub site: Site,
}

impl Subject {
    /// Finds the name, refusing places where none stands and names that the caller did not expect.
    pub(super) fn find(session: &Session, request: &RenameRequest) -> Result<Self, Refusal> {
        let place = &request.place;
        let text = session.disk().read(&place.path)?;
        let at = || at(&place.path, &text, place.offset);
        let file = session.parsed(&place.path)?.ok_or_else(|| Refusal::NoName {
            at: at(),
            found: format!("`.{}` files are of no language that is known here", place.path.extension()),
        })?;
        let tree = &file.tree;
        let named = tree.identifier_at(text.as_str(), place.offset);
        let spelled = || string_field(tree, text.as_str(), place.offset);
        let Some(span) = named.or_else(spelled) else {
            return Err(nameless(tree, &text, place));
        };
        let name = span.of(text.as_str()).unwrap_or_default().to_owned();
        if let Some(expected) = request.expect.as_ref().filter(|expected| **expected != name) {
            return Err(Refusal::NotExpected { at: at(), expected: expected.clone(), found: name });
        }
        let site = match named {
            Some(_) => site(tree, text.as_str(), span),
            None => Site::Declaration(DeclarationKind::Property),
        };
        let language = tree.language();
        if matches!(site, Site::ModuleSpecifier { .. }) {
            return Err(Refusal::ModuleName { at: at() });
        }
        let place = Place { path: place.path.clone(), offset: span.start };
        Ok(Self { place, name, span, language, file, site })
    }

    /// Tells whether the name is declared here as something that cannot be seen from outside a function.
    pub(super) fn is_local(&self) -> bool {
        let tree = &self.file.tree;
        match self.site {
            Site::ShorthandPattern => is_inside_function(tree, self.span),
            _ => Reach::of_site(tree, &self.site, self.span).is_some_and(|reach| reach != Reach::Anywhere),
        }
    }
}

/// Returns the field that a string declares at an offset.
fn string_field(tree: &Tree, text: &str, offset: usize) -> Option<Span> {
    let fields = Some(tree).filter(|it| it.language() == Language::Python).map(|it| string_fields(it, text));
    let mut spans = fields.into_iter().flatten().map(|(_, field)| field);
    spans.find(|field| field.start <= offset && offset <= field.end)
}

/// Names a place for a message.
pub(super) fn at(path: &crate::text::AbsPath, text: &Text, offset: usize) -> At {
    let start = crate::text::Position { line: 0, character: 0 };
    At { path: path.clone(), position: text.position(offset).unwrap_or(start) }
}

fn nameless(tree: &Tree, text: &Text, place: &Place) -> Refusal {
    let at = at(&place.path, text, place.offset);
    let token = tree.token_at(text.as_str(), place.offset);
    match token.map(|(_, span)| site(tree, text.as_str(), span)) {
        Some(Site::ModuleSpecifier { .. }) => Refusal::ModuleName { at },
        _ => Refusal::NoName { at, found: stands_there(tree, text, place.offset) },
    }
}

fn stands_there(tree: &Tree, text: &Text, offset: usize) -> String {
    let Some((kind, span)) = tree.token_at(text.as_str(), offset) else {
        return "nothing but white space".to_owned();
    };
    let token: String = span.of(text.as_str()).unwrap_or_default().chars().take(40).collect();
    if token.trim().is_empty() { "nothing but white space".to_owned() } else { format!("`{token}` ({kind})") }
}
