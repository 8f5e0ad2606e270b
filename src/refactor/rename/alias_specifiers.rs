//! Imports and exports of scripts under another name: `{ old as name }`. Where both come to be the same, one says it.

use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{AbsPath, Span, TextEdit};

/// Writes `{ name }` where the rename would make it `{ name as name }`.
pub(super) fn collapse(session: &Session, gathered: &mut Gathered) -> Result<(), Refusal> {
    let paths: Vec<AbsPath> = gathered.paths().cloned().collect();
    for path in paths {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let edits = gathered.edits_of(&path);
        for edit in &edits {
            let node = parsed.tree.nodes().covering(edit.span);
            let specifier = node.parent().filter(|it| it.is_any(&["import_specifier", "export_specifier"]));
            let Some((name, alias)) = specifier.and_then(|it| it.child("name").zip(it.child("alias"))) else {
                continue;
            };
            let said = |node: Node<'_>| match edits.iter().find(|edit| edit.span == node.span()) {
                Some(edit) => edit.new_text.clone(),
                None => node.text(parsed.text.as_str()).to_owned(),
            };
            if said(name) != said(alias) {
                continue;
            }
            let whole = Span::new(name.start(), alias.end());
            gathered.retain(|other, span| *other != path || !whole.contains(span));
            gathered.put(&path, TextEdit::new(whole, said(name)));
        }
    }
    Ok(())
}
