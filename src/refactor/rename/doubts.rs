//! What a server cannot know to belong together, so that a check has to tell whether a rename is whole.

use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::AbsPath;

/// Where in TypeScript and JavaScript more may bear a member's name than tsserver says: it is spelled in strings
/// (`Pick<T, "name">`, `o["name"]`).
pub(super) fn of_script(session: &Session, name: &str) -> Vec<String> {
    let spelled = spelled_in(session, name).and_then(|path| path.relative_to(session.root()));
    spelled.map(|path| format!("`{name}` is spelled as a string in `{path}`")).into_iter().collect()
}

/// Returns a file of these languages in which a string is just the name.
fn spelled_in(session: &Session, name: &str) -> Option<AbsPath> {
    let forms = ["\"", "'", "`"].map(|quote| format!("{quote}{name}{quote}"));
    session.disk().files_mentioning(name).into_iter().find(|path| {
        Language::of_path(path).is_some_and(|language| language.family() == Family::Script)
            && session.disk().read(path).is_ok_and(|text| forms.iter().any(|form| text.as_str().contains(form)))
    })
}
