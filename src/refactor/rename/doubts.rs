//! What a server cannot know to belong together, so that a check has to tell whether a rename is whole.

use super::gathered::Gathered;
use super::subject::Subject;
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::Span;

/// Where in TypeScript and JavaScript more may bear the name than tsserver says: keys of object literals are
/// joined to other types by their shape, and members are spelled in strings (`Pick<T, "name">`, `o["name"]`).
pub(super) fn of_script(
    session: &Session,
    subject: &Subject,
    start: &Place,
    gathered: &Gathered,
) -> Result<Vec<String>, Refusal> {
    let mut doubts = Vec::new();
    let mut members = Members::default();
    let Some(parsed) = session.parsed(&start.path)? else { return Ok(doubts) };
    members.note(parsed.tree.nodes().covering(Span::new(start.offset, start.offset + subject.name.len())));
    // Only what begins at a key is looked for elsewhere: to parse every changed file takes its time.
    let files = if members.keys { gathered.paths().collect() } else { Vec::new() };
    for path in files {
        let Some(parsed) = session.parsed(path)? else { continue };
        let mut here = Members::default();
        for edit in gathered.edits_of(path) {
            here.note(parsed.tree.nodes().covering(edit.span));
        }
        members.declared |= here.declared;
    }
    if members.keys && !members.declared {
        doubts.push(format!(
            "`{}` is the key of an object literal, joined to other types by its shape alone",
            subject.name
        ));
    }
    if members.keys || members.declared {
        let spelled = spelled_in(session, &subject.name).and_then(|path| path.relative_to(session.root()));
        doubts.extend(spelled.map(|path| format!("`{}` is spelled as a string in `{path}`", subject.name)));
    }
    Ok(doubts)
}

/// Which kinds of members a rename changes.
#[derive(Default)]
struct Members {
    /// In an object literal.
    keys: bool,
    /// In a class, an interface, a type or an enum.
    declared: bool,
}

impl Members {
    fn note(&mut self, name: Node<'_>) {
        let Some(parent) = name.parent() else { return };
        if parent.child("name").or_else(|| parent.child("key")).is_none_or(|own| own.span() != name.span()) {
            return;
        }
        match parent.kind() {
            "pair" => self.keys = true,
            "method_definition" if parent.parent().is_some_and(|owner| owner.is("object")) => self.keys = true,
            "property_signature"
            | "method_signature"
            | "public_field_definition"
            | "field_definition"
            | "method_definition"
            | "abstract_method_signature" => self.declared = true,
            _ => {}
        }
    }
}

/// Returns a file of these languages in which a string is just the name.
fn spelled_in(session: &Session, name: &str) -> Option<crate::text::AbsPath> {
    let forms = ["\"", "'", "`"].map(|quote| format!("{quote}{name}{quote}"));
    session.disk().files_mentioning(name).into_iter().find(|path| {
        Language::of_path(path).is_some_and(|language| language.family() == Family::Script)
            && session.disk().read(path).is_ok_and(|text| forms.iter().any(|form| text.as_str().contains(form)))
    })
}
