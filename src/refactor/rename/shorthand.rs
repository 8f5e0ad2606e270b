//! Properties whose two names become one: `{ size: width }` collapses to `{ size }` where `width` becomes `size`.
//!
//! tsserver writes a shorthand property out where only one of its two names changes, and leaves `{ size: size }` on the
//! way back (seen with 6.0).

use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// Returns the edits of a file, those that make the two names of a property the same as the shorthand form.
pub(super) fn edits(session: &Session, path: &AbsPath, gathered: &Gathered) -> Result<Vec<TextEdit>, Refusal> {
    let edits = gathered.edits_of(path);
    if Language::of_path(path).is_none_or(|language| language.family() != Family::Script) {
        return Ok(edits);
    }
    let text = session.disk().read(path)?;
    if !edits.iter().any(|edit| stands_by_itself(text.as_str(), edit)) {
        return Ok(edits);
    }
    let Some(parsed) = session.parsed(path)? else { return Ok(edits) };
    let text = parsed.text.as_str();
    let collapse = |edit: TextEdit| {
        let whole = property(parsed.tree.nodes().covering(edit.span), text, &edit.new_text);
        // Where both names are renamed, both were written out before.
        let whole = whole.filter(|whole| {
            !gathered.edits_of(path).iter().any(|one| one.span != edit.span && one.span.overlaps(*whole))
        });
        whole.map_or(edit.clone(), |whole| TextEdit::new(whole, edit.new_text))
    };
    Ok(edits.into_iter().map(collapse).collect())
}

/// Tells by the text alone whether an edit may make the names on both sides of a colon the same.
fn stands_by_itself(text: &str, edit: &TextEdit) -> bool {
    let (before, after) = (text[..edit.span.start].trim_end(), text[edit.span.end..].trim_start());
    let is_key = after.strip_prefix(':').is_some_and(|value| value.trim_start().starts_with(&edit.new_text));
    let is_value = before.strip_suffix(':').is_some_and(|key| key.trim_end().ends_with(&edit.new_text));
    is_key || is_value
}

/// The key and the value of the property that a name is one side of, where the other side is called `other`.
fn property(name: Node<'_>, text: &str, other: &str) -> Option<Span> {
    let side = name.parent().filter(|parent| is_field(*parent, "left", name) && parent.is("assignment_pattern"));
    let side = side.unwrap_or(name);
    let pair = side.parent().filter(|parent| parent.is_any(&["pair", "pair_pattern"]))?;
    let key = pair.child("key").filter(|key| key.is("property_identifier"))?;
    let value = pair.child("value")?;
    let value = if value.is("assignment_pattern") { value.child("left")? } else { value };
    let left = if key.span() == name.span() { value } else { key };
    let between = Span::new(key.end(), value.start());
    let is_plain = between.of(text).is_some_and(|between| between.trim() == ":");
    // `{ __proto__: x }` sets the prototype, `{ __proto__ }` does not.
    let is_same = value.is("identifier") && left.text(text) == other && other != "__proto__";
    (is_plain && is_same).then(|| Span::new(key.start(), value.end()))
}

fn is_field(parent: Node<'_>, field: &str, child: Node<'_>) -> bool {
    parent.child(field).is_some_and(|own| own.span() == child.span())
}
