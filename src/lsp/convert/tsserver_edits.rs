//! tsserver's own form of edits (its protocol.ts, `FileCodeEdits`): lines and offsets are 1-based.

use lsp_types::Position;
use serde::Deserialize;
use serde_json::Value;

use super::reader::{Reader, Seen};
use super::workspace_edit::{Unusable, ordered};
use crate::lsp::{Answer, Whole};
use crate::text::{AbsPath, Span, Text, TextEdit};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileEdits {
    file_name: String,
    text_changes: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    start: Place,
    end: Place,
    new_text: String,
}

#[derive(Deserialize)]
struct Place {
    line: u32,
    offset: u32,
}

/// Reads all edits; a file that is not there is created.
pub(super) fn read(reader: &Reader<'_>, files: &[Value]) -> Result<Answer, Unusable> {
    let mut whole = Whole::default();
    for file in files {
        let file = FileEdits::deserialize(file).map_err(|error| error.to_string())?;
        let path = AbsPath::new(&file.file_name).map_err(|error| error.to_string())?;
        let path = reader.disk.contain_entry(&path).unwrap_or(path);
        let is_new = path.as_path().symlink_metadata().is_err();
        let text = if is_new { Seen::from(Text::new("")) } else { reader.text(&path)? };
        if is_new {
            whole.creates.push(path.clone());
        }
        for change in file.text_changes {
            let ends = (offset(reader, &text, &change.start), offset(reader, &text, &change.end));
            let (Some(start), Some(end)) = ends else {
                return Err(Unusable::Bad(format!("an edit of `{path}` lies outside the text")));
            };
            let edit = TextEdit::new(Span::new(start, end), change.new_text);
            whole.edits.entry(path.clone()).or_default().push(edit);
        }
    }
    whole.edits.values_mut().for_each(ordered);
    Ok(Answer::new(whole))
}

/// Returns the offset of a place. The end of a text whose last line is empty tsserver counts on the line before it.
fn offset(reader: &Reader<'_>, text: &Seen, at: &Place) -> Option<usize> {
    let position = Position { line: at.line.saturating_sub(1), character: at.offset.saturating_sub(1) };
    let at_end = || {
        let line = reader.offset(text, Position { character: 0, ..position })?;
        let rest = text.as_str()[line..].encode_utf16().count();
        (rest == position.character as usize).then(|| text.as_str().len())
    };
    reader.offset(text, position).or_else(at_end)
}
