//! What a server is told about documents.

use std::sync::Arc;

use super::{Documents, MOST_OPEN};
use crate::lsp::convert::Measure;
use crate::text::{AbsPath, Text};

fn path(name: impl std::fmt::Display) -> AbsPath {
    AbsPath::new(std::env::temp_dir().join(name.to_string())).unwrap()
}

fn text(content: &str) -> Arc<Text> {
    Arc::new(Text::new(content))
}

#[test]
fn the_same_text_is_not_told_twice() {
    let (mut documents, measure) = (Documents::default(), Measure::default());
    let a = path("a");
    assert_eq!(documents.open(&a, text("one"), "toy", measure).unwrap().method, "textDocument/didOpen");
    assert_eq!(documents.open(&a, text("one"), "toy", measure), None);
    assert_eq!(documents.open(&a, text("two\n"), "toy", measure).unwrap().params["textDocument"]["version"], 2);
    let change = documents.overlay(&a, text(""), "toy", measure).unwrap().params;
    assert_eq!(change["contentChanges"][0]["range"]["end"]["line"], 1, "the range is that of the old text");
    assert_eq!(documents.open(&a, text("disk"), "toy", measure), None, "an overlay stays");
    assert_eq!(documents.overlay(&a, text("other"), "toy", measure).unwrap().params["textDocument"]["version"], 4);
    assert_eq!(documents.uncover(&a, None, measure).unwrap().method, "textDocument/didClose");
    assert_eq!(documents.close(&a), None, "a closed document is not closed again");
}

#[test]
fn what_was_used_longest_ago_is_closed_first() {
    let (mut documents, measure) = (Documents::default(), Measure::default());
    let overlaid = path("overlaid");
    documents.overlay(&overlaid, text(""), "toy", measure);
    for number in 0..=MOST_OPEN {
        documents.open(&path(number), text(""), "toy", measure);
    }
    documents.open(&path(0), text(""), "toy", measure);
    assert_eq!(documents.shrink().len(), 2);
    assert!(documents.is_open(&path(0)) && documents.is_open(&overlaid));
    assert!(!documents.is_open(&path(1)) && !documents.is_open(&path(2)) && documents.is_open(&path(3)));
    assert!(documents.shrink().is_empty());
}

#[test]
fn the_same_texts_over_the_disk_have_the_same_number() {
    let (mut documents, measure) = (Documents::default(), Measure::default());
    let (a, b) = (path("a"), path("b"));
    let nothing = documents.overlaid();
    documents.open(&a, text("one"), "toy", measure);
    assert_eq!(documents.overlaid(), nothing);
    documents.overlay(&a, text("two"), "toy", measure);
    let two = documents.overlaid();
    documents.overlay(&b, text("new"), "toy", measure);
    let both = documents.overlaid();
    assert!(two != nothing && both != nothing && both != two);
    documents.uncover(&b, None, measure);
    assert_eq!(documents.overlaid(), two);
    documents.uncover(&a, Some(text("one")), measure);
    assert_eq!(documents.overlaid(), nothing);
}
