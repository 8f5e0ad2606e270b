//! Members that a script asks for by names of which it says a part: `this["on" + kind]()`, `` handlers[`on${kind}`] ``.

use std::collections::BTreeSet;

use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span, line_list};

/// Shorter parts of a name are words of every file.
const SHORTEST_PART: usize = 2;

/// Tells that a function of a script may be called by a name of which a part is said, for a sentence about it.
pub(crate) fn called_by_part(session: &Session, name: &str) -> Option<String> {
    let cuts = || name.char_indices().map(|(at, _)| at).skip(1);
    let parts = cuts().map(|at| &name[..at]).chain(cuts().map(|at| &name[at..]));
    let said = parts.filter(|part| part.len() >= SHORTEST_PART);
    let files: BTreeSet<AbsPath> = said.flat_map(|part| session.disk().files_mentioning(part)).collect();
    for path in files {
        if Language::of_path(&path).map(Language::family) != Some(Family::Script) {
            continue;
        }
        let Ok(Some(parsed)) = session.parsed(&path) else { continue };
        let text = parsed.text.as_str();
        let asked = parsed.tree.nodes().iter().filter(|node| asks_for(*node, (text, name)));
        let spans: Vec<Span> = asked.map(Node::span).collect();
        if !spans.is_empty() {
            let shown = path.shown_from(session.root());
            let lines = line_list(&parsed.text, &spans);
            return Some(format!("may be called by a name of which a part is said in `{shown}` ({lines})"));
        }
    }
    None
}

/// Tells whether a node asks an object for a member by a name that begins or ends as this one does.
fn asks_for(node: Node<'_>, (text, name): (&str, &str)) -> bool {
    let index = node.child("index").filter(|_| node.is("subscript_expression"));
    let Some(index) = index.filter(|index| index.is_any(&["binary_expression", "template_string"])) else {
        return false;
    };
    let fragments: Vec<Node<'_>> = index.walk_until(|_| false).filter(|inner| inner.is("string_fragment")).collect();
    let (Some(first), Some(last)) = (fragments.first(), fragments.last()) else { return false };
    // A quote stands between the two.
    let begins = Some(first.text(text)).filter(|_| first.start() <= index.start() + 1).unwrap_or_default();
    let ends = Some(last.text(text)).filter(|_| last.end() + 1 >= index.end()).unwrap_or_default();
    let is_whole = fragments.len() == 1 && begins == ends && !begins.is_empty();
    !is_whole
        && begins.len().max(ends.len()) >= SHORTEST_PART
        && name.len() > begins.len() + ends.len()
        && name.starts_with(begins)
        && name.ends_with(ends)
}
