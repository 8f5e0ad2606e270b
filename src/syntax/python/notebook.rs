//! The code of notebooks (Jupyter's format: JSON, a list of cells), as one program.

use crate::syntax::{Language, Node, Tree};
use crate::text::{Patchwork, Span};

/// Puts the cells of code into one program, in their order: they share their names. Outputs and prose are left out.
pub fn cells_of(notebook: &str) -> Patchwork {
    let tree = Tree::parse(Language::Json, notebook);
    let mut made = Patchwork::default();
    for cell in tree.nodes().iter().filter(|node| node.is("object")) {
        let is_code = value(cell, notebook, "cell_type").is_some_and(|kind| kind.text(notebook) == "\"code\"");
        if let Some(source) = value(cell, notebook, "source").filter(|_| is_code) {
            // One string, or one for each line.
            let strings = std::iter::once(source).chain(source.descendants()).filter(|node| node.is("string"));
            strings.for_each(|line| unescape(notebook, line.span(), &mut made));
            made.write("\n");
        }
    }
    made
}

fn value<'t>(object: Node<'t>, text: &str, key: &str) -> Option<Node<'t>> {
    let is_own = |pair: &Node<'_>| pair.child("key").is_some_and(|own| own.text(text).trim_matches('"') == key);
    object.named_children().filter(|node| node.is("pair")).find(is_own)?.child("value")
}

/// Copies what a string holds, with its quotes around it in the text.
fn unescape(text: &str, quoted: Span, made: &mut Patchwork) {
    let (mut at, end) = (quoted.start + 1, quoted.end.saturating_sub(1));
    while let Some(rest) = text.get(at..end).filter(|rest| !rest.is_empty()) {
        let plain = rest.find('\\').unwrap_or(rest.len());
        made.copy(text, Span::new(at, at + plain));
        let mut behind = rest[plain..].chars().skip(1);
        match behind.next() {
            Some('n') => made.write("\n"),
            Some('t') => made.write("\t"),
            Some('r') => made.write("\r"),
            Some(other) => made.write(other.encode_utf8(&mut [0; 4])),
            None => {}
        }
        let escape = rest[plain..].chars().take(2).map(char::len_utf8).sum::<usize>();
        at += plain + escape;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_cells_without_their_outputs() {
        let notebook = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# total"]},
            {"cell_type": "code", "outputs": [{"text": ["total"]}], "source": ["a = \"total\"\n", "b = total(a)"]},
            {"cell_type": "code", "source": "\ttotal\\n"}
        ]}"##;
        let made = cells_of(notebook);
        assert_eq!(made.text(), "a = \"total\"\nb = total(a)\n\ttotal\\n\n");
        let at = made.text().find("total(").unwrap();
        let origin = made.origin(Span::new(at, at + 5)).unwrap();
        assert_eq!(&notebook[origin.start - 4..origin.end + 3], "b = total(a)");
    }
}
