//! URIs and paths, and the ends of lines.

use std::sync::Arc;

use super::reader::without_line_end;
use super::workspace_edit::before_moves;
use super::{Measure, Reader, path, uri};
use crate::text::{AbsPath, Encoding, LineBreaks, Span, Text};
use crate::workspace::Disk;

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

#[cfg(unix)]
#[test]
fn uris_and_paths_go_both_ways() {
    for (name, encoded) in [
        ("/a b/grüße.ts", "file:///a%20b/gr%C3%BC%C3%9Fe.ts"),
        ("/50%/#1?.py", "file:///50%25/%231%3F.py"),
        ("/folder", "file:///folder"),
    ] {
        assert_eq!(uri(&abs(name)), encoded);
        assert_eq!(path(encoded), Ok(abs(name)));
    }
    // As other encoders write it, and with a way through the parent.
    assert_eq!(path("file:///c%3A/a%20b/./x/../y.ts"), Ok(abs("/c:/a b/y.ts")));
    assert_eq!(path("file:///a b/ü"), Ok(abs("/a b/ü")));
    for bad in ["untitled:x", "relative/x", "", "http://host/x", "file:///%FF"] {
        assert!(path(bad).is_err(), "{bad}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_into_the_project_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    std::fs::create_dir(&real).unwrap();
    std::fs::write(real.join("a.ts"), "").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let disk = Disk::open(&abs(link.to_str().unwrap())).unwrap();
    let seen = |_: &AbsPath| Ok(Arc::new(Text::new("")));
    let reader = Reader::new(&disk, Measure::default(), &seen, &|_| None);
    let inside = disk.root().join("a.ts").unwrap();
    for start in [&real, &link] {
        assert_eq!(reader.path(&uri(&abs(start.join("a.ts").to_str().unwrap()))), Ok(inside.clone()));
        let not_there_yet = uri(&abs(start.join("new/b.ts").to_str().unwrap()));
        assert_eq!(reader.path(&not_there_yet), Ok(disk.root().join("new/b.ts").unwrap()));
    }
}

#[test]
fn later_edits_are_addressed_to_paths_before_the_moves() {
    let moves = [(abs("/p/a"), abs("/p/b")), (abs("/p/b/x"), abs("/p/c"))];
    assert_eq!(before_moves(abs("/p/c"), &moves), abs("/p/a/x"));
    assert_eq!(before_moves(abs("/p/b/y"), &moves), abs("/p/a/y"));
    assert_eq!(before_moves(abs("/p/d"), &moves), abs("/p/d"));
}

#[test]
fn only_ends_may_lie_behind_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::open(&abs(dir.path().to_str().unwrap())).unwrap();
    let text = Arc::new(Text::new("é1\r\n\u{2028}2"));
    let seen = |_: &AbsPath| Ok(Arc::clone(&text));
    let span = |measure, from: (u32, u32), to: (u32, u32)| {
        let position = |(line, character)| lsp_types::Position { line, character };
        let range = lsp_types::Range::new(position(from), position(to));
        Reader::new(&disk, measure, &seen, &|_| None).span(&abs("/x"), range).ok()
    };
    let utf16 = Measure::default();
    assert_eq!(span(utf16, (0, 0), (0, 9)), Some(Span::new(0, 3)), "the line end stays");
    assert_eq!(span(utf16, (0, 9), (0, 9)), None);
    assert_eq!(span(utf16, (0, 0), (2, 0)), Some(Span::new(0, text.as_str().len())));
    assert_eq!(span(utf16, (0, 0), (2, 1)), None);
    assert_eq!(span(utf16, (0, 0), (3, 0)), None);
    let utf8 = Measure { encoding: Encoding::Utf8, ..Measure::default() };
    assert_eq!(span(utf8, (0, 0), (0, 1)), None, "cuts the character");
    assert_eq!(span(utf8, (0, 0), (0, 3)), Some(Span::new(0, 3)));
    let script = Measure { breaks: LineBreaks::EcmaScript, ..Measure::default() };
    assert_eq!(span(script, (1, 0), (1, 5)), Some(Span::at(5)), "the separator ends a line of its own");
    assert_eq!(without_line_end("a\u{2029}"), "a");
}

#[test]
fn a_byte_order_mark_that_a_server_counts_is_no_part_of_the_text() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::open(&abs(dir.path().to_str().unwrap())).unwrap();
    let text = Arc::new(Text::decode("\u{feff}from a import one\none()\n".as_bytes().to_vec()).unwrap());
    let seen = |_: &AbsPath| Ok(Arc::clone(&text));
    let measure = Measure { counts_mark: true, ..Measure::default() };
    let read = |sent: &dyn Fn(&AbsPath) -> Option<i32>, (line, from, to): (u32, u32, u32)| {
        let range = lsp_types::Range::new(lsp_types::Position::new(line, from), lsp_types::Position::new(line, to));
        let span = Reader::new(&disk, measure, &seen, sent).span(&abs("/x"), range).unwrap();
        span.of(text.as_str()).unwrap().to_owned()
    };
    assert_eq!(read(&|_| None, (0, 15, 18)), "one");
    assert_eq!(read(&|_| None, (1, 0, 3)), "one");
    assert_eq!(read(&|_| Some(1), (0, 14, 17)), "one", "what it is shown has no mark");
}
