//! What a server cannot know to belong together, so that a check has to tell whether a rename is whole.

use std::collections::BTreeSet;

use super::gathered::Gathered;
use crate::refactor::moves::Importers;
use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::{AbsPath, Span};

/// Members that JavaScript itself asks for, or a browser, whatever the types say.
const ASKED_FOR: [&str; 10] = [
    "toString",
    "toLocaleString",
    "valueOf",
    "toJSON",
    "handleEvent",
    "connectedCallback",
    "disconnectedCallback",
    "adoptedCallback",
    "attributeChangedCallback",
    "observedAttributes",
];

/// Tells whether the language or its runtime may ask for a member of that name itself.
pub(super) fn is_asked_for(name: &str) -> bool {
    ASKED_FOR.contains(&name)
}

/// Where in TypeScript and JavaScript more may bear a member's name than tsserver says: it is spelled in strings that no
/// type explains, in a file that the changed ones may come to.
pub(super) fn of_script(session: &Session, name: &str, gathered: &Gathered) -> Vec<String> {
    let importers = Importers::of(session);
    let near: BTreeSet<&AbsPath> = gathered.paths().chain(importers.reached(gathered.paths())).collect();
    let spelled = session.disk().files_mentioning(name).into_iter().find(|path| {
        near.contains(path)
            && Language::of_path(path).is_some_and(|language| language.family() == Family::Script)
            && session.disk().read(path).is_ok_and(|text| is_spelled(text.as_str(), name, path, gathered))
    });
    let spelled = spelled.and_then(|path| path.relative_to(session.root()));
    spelled.map(|path| format!("`{name}` is spelled as a string in `{path}`")).into_iter().collect()
}

/// Tells whether a string is just the name, and stays.
fn is_spelled(text: &str, name: &str, path: &AbsPath, gathered: &Gathered) -> bool {
    let forms = ["\"", "'", "`"].map(|quote| format!("{quote}{name}{quote}"));
    let places = forms.iter().flat_map(|form| text.match_indices(form.as_str()));
    places.map(|(at, _)| Span::new(at + 1, at + 1 + name.len())).any(|span| !gathered.has(path, span))
}
