//! Replacing stretches of a text by others.

use super::Span;

/// One replacement: `span` of the old text becomes `new_text`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    pub span: Span,
    pub new_text: String,
}

impl TextEdit {
    pub fn new(span: impl Into<Span>, new_text: impl Into<String>) -> Self {
        Self { span: span.into(), new_text: new_text.into() }
    }
}

/// Replacements in one text, all addressed to the text before any of them.
// Invariant: sorted by span; disjoint; at most one insertion at a place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextEdits(Vec<TextEdit>);

/// Two replacements that want the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two edits of the same place: bytes {}..{} become `{}`, bytes {}..{} become `{}`", first.span.start, first.span.end, first.new_text, second.span.start, second.span.end, second.new_text)]
pub struct Overlap {
    pub first: TextEdit,
    pub second: TextEdit,
}

impl TextEdits {
    /// Sorts the edits, folds exact duplicates into one, and refuses overlaps. Two insertions at one
    /// place overlap (their order would be a guess); an insertion at the edge of a replacement does not.
    pub fn new(mut edits: Vec<TextEdit>) -> Result<Self, Overlap> {
        edits.sort();
        edits.dedup();
        for pair in edits.windows(2) {
            let [first, second] = pair else { continue };
            let same_insertion = first.span == second.span;
            if same_insertion || second.span.start < first.span.end {
                return Err(Overlap { first: first.clone(), second: second.clone() });
            }
        }
        Ok(Self(edits))
    }

    pub fn iter(&self) -> std::slice::Iter<'_, TextEdit> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_vec(self) -> Vec<TextEdit> {
        self.0
    }

    /// Tells whether every edit lies inside `text` and cuts no character.
    pub fn fits(&self, text: &str) -> bool {
        self.0.iter().all(|edit| edit.span.of(text).is_some())
    }

    /// Tells whether an edit replaces exactly `span`, or shares a byte with it.
    pub fn touch(&self, span: Span) -> bool {
        let from = self.0.partition_point(|edit| edit.span.end < span.start);
        let near = self.0[from..].iter().take_while(|edit| edit.span.start <= span.end);
        near.into_iter().any(|edit| edit.span == span || edit.span.overlaps(span))
    }

    /// Returns the text after all edits.
    ///
    /// # Panics
    /// Where an edit does not lie inside `text`; ask [`TextEdits::fits`] about a text of unknown origin.
    pub fn apply(&self, text: &str) -> String {
        let grown: usize = self.0.iter().map(|edit| edit.new_text.len()).sum();
        let mut after = String::with_capacity(text.len() + grown);
        let mut at = 0;
        for edit in &self.0 {
            after.push_str(&text[at..edit.span.start]);
            after.push_str(&edit.new_text);
            at = edit.span.end;
        }
        after.push_str(&text[at..]);
        after
    }

    /// Returns the edits that lead from the text after these edits back to `text`.
    pub fn invert(&self, text: &str) -> Self {
        let mut moved = 0_isize;
        let mut inverse: Vec<TextEdit> = Vec::with_capacity(self.0.len());
        for edit in &self.0 {
            let start = edit.span.start.saturating_add_signed(moved);
            let span = Span::new(start, start + edit.new_text.len());
            let old = &text[edit.span.start..edit.span.end];
            match inverse.last_mut() {
                // Neighbours that touch become one: apart, two of them could be insertions at one place.
                Some(last) if last.span.end == span.start => {
                    last.span.end = span.end;
                    last.new_text.push_str(old);
                }
                _ => inverse.push(TextEdit::new(span, old)),
            }
            moved += edit.new_text.len().cast_signed() - edit.span.len().cast_signed();
        }
        Self(inverse)
    }

    /// Returns where an offset of the old text lies in the new one; inside a replaced stretch, at its end.
    pub fn map_offset(&self, offset: usize) -> usize {
        let mut moved = 0_isize;
        for edit in &self.0 {
            if edit.span.start >= offset {
                break;
            }
            if edit.span.end > offset {
                return edit.span.start.saturating_add_signed(moved) + edit.new_text.len();
            }
            moved += edit.new_text.len().cast_signed() - edit.span.len().cast_signed();
        }
        offset.saturating_add_signed(moved)
    }

    /// Returns where a name that begins at an offset before the edits begins after them: what is put in front of it there
    /// pushes it on, unless the two are one word then.
    pub fn map_name_start(&self, offset: usize) -> usize {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let pushes = |edit: &&TextEdit| edit.span == Span::at(offset) && !edit.new_text.ends_with(is_word);
        self.map_offset(offset) + self.0.iter().filter(pushes).map(|edit| edit.new_text.len()).sum::<usize>()
    }
}

impl<'a> IntoIterator for &'a TextEdits {
    type Item = &'a TextEdit;
    type IntoIter = std::slice::Iter<'a, TextEdit>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
