//! The laws of texts, positions, edits and paths.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{
    AbsPath, ContentHash, ContentHasher, Encoding, LineBreaks, LineIndex, Overlap, Position, RelPath, Span, Text,
    TextEdit, TextEdits,
};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
const BREAKS: [LineBreaks; 2] = [LineBreaks::Lsp, LineBreaks::EcmaScript];

/// What texts are made of: all line ends, separators that end lines for some, and characters of every width.
const PIECES: &[&str] = &[
    "\r\n",
    "\n",
    "\r",
    "\u{2028}",
    "\u{2029}",
    "a",
    "Z",
    "_",
    "é",
    "ß",
    "日",
    "𝄞",
    "👩‍👧",
    "e\u{301}",
    "\t",
    " ",
    "x = 1",
    "\u{feff}",
    "\u{85}",
];

fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

/// Where each line of a text begins, counted the plain way.
fn line_starts(text: &str, breaks: LineBreaks) -> Vec<usize> {
    let ends_line = |at: usize, character: char| match character {
        '\n' => true,
        '\r' => !text[at + 1..].starts_with('\n'),
        '\u{2028}' | '\u{2029}' => breaks == LineBreaks::EcmaScript,
        _ => false,
    };
    let ends = text.char_indices().filter(|(at, character)| ends_line(*at, *character));
    std::iter::once(0).chain(ends.map(|(at, character)| at + character.len_utf8())).collect()
}

fn units(text: &str, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => text.len(),
        Encoding::Utf16 => text.encode_utf16().count(),
        Encoding::Utf32 => text.chars().count(),
    }
}

fn is_between_cr_and_lf(text: &str, offset: usize) -> bool {
    text.as_bytes()[..offset].ends_with(b"\r") && text.as_bytes()[offset..].starts_with(b"\n")
}

/// Edits of `text` that are disjoint by construction.
fn disjoint_edits() -> impl Strategy<Value = (String, Vec<TextEdit>)> {
    let cuts = proptest::collection::vec((any::<Index>(), any::<bool>(), texts()), 0..12);
    (texts(), cuts).prop_map(|(text, cuts)| {
        let places: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let mut chosen: Vec<(usize, bool, String)> =
            cuts.into_iter().map(|(at, joins, new)| (*at.get(&places), joins, new)).collect();
        chosen.sort_by_key(|(at, ..)| *at);
        let mut edits: Vec<TextEdit> = Vec::new();
        for pair in chosen.windows(2) {
            let [(start, joins, new), (end, ..)] = pair else { continue };
            let span = if *joins { Span::new(*start, *end) } else { Span::at(*start) };
            let is_free = edits.last().is_none_or(|last| last.span.end <= span.start && last.span != span);
            if is_free {
                edits.push(TextEdit::new(span, new.clone()));
            }
        }
        (text, edits)
    })
}

proptest! {
    #[test]
    fn positions_are_those_of_a_plain_count(text in texts()) {
        for breaks in BREAKS {
            let index = LineIndex::new(&text, breaks);
            let starts = line_starts(&text, breaks);
            prop_assert_eq!(index.line_count(), starts.len());
            for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let line = starts.iter().rposition(|start| *start <= offset).unwrap();
                for encoding in ENCODINGS {
                    let character = units(&text[starts[line]..offset], encoding);
                    let wanted = Position { line: line as u32, character: character as u32 };
                    let wanted = (!is_between_cr_and_lf(&text, offset)).then_some(wanted);
                    prop_assert_eq!(index.position(&text, offset, encoding), wanted, "{:?} {:?}", breaks, encoding);
                }
            }
        }
    }

    #[test]
    fn offsets_become_positions_and_come_back(text in texts()) {
        for (breaks, encoding) in BREAKS.into_iter().flat_map(|breaks| ENCODINGS.map(|encoding| (breaks, encoding))) {
            let index = LineIndex::new(&text, breaks);
            for offset in 0..=text.len() + 2 {
                if let Some(position) = index.position(&text, offset, encoding) {
                    prop_assert_eq!(index.offset(&text, position, encoding), Some(offset));
                }
            }
        }
    }

    #[test]
    fn a_position_is_either_a_place_or_refused(text in texts(), line in 0_u32..30, character in 0_u32..60) {
        for (breaks, encoding) in BREAKS.into_iter().flat_map(|breaks| ENCODINGS.map(|encoding| (breaks, encoding))) {
            let index = LineIndex::new(&text, breaks);
            let position = Position { line, character };
            match index.offset(&text, position, encoding) {
                Some(offset) => prop_assert_eq!(index.position(&text, offset, encoding), Some(position)),
                None => {
                    let places = (0..=text.len()).filter_map(|offset| index.position(&text, offset, encoding));
                    prop_assert!(places.into_iter().all(|place| place != position));
                }
            }
        }
    }

    #[test]
    fn lines_are_the_whole_text(text in texts()) {
        for breaks in BREAKS {
            let index = LineIndex::new(&text, breaks);
            let lines = (0..index.line_count() as u32).map(|line| &text[index.line(&text, line).unwrap()]);
            prop_assert_eq!(lines.collect::<String>(), text.as_str());
            prop_assert_eq!(index.line(&text, index.line_count() as u32), None);
        }
    }

    #[test]
    fn bytes_are_kept(text in texts(), has_bom in any::<bool>()) {
        let bytes = [if has_bom { "\u{feff}" } else { "" }, text.as_str()].concat().into_bytes();
        let decoded = Text::decode(bytes.clone()).unwrap();
        prop_assert_eq!(decoded.hash(), &ContentHash::of(&bytes));
        prop_assert_eq!(&decoded.with_content(decoded.as_str().to_owned()).encode(), &bytes);
        prop_assert_eq!(decoded.encode(), bytes);
    }

    #[test]
    fn a_span_becomes_a_range_and_comes_back(text in texts(), ends in any::<(Index, Index)>()) {
        let text = Text::new(text);
        let span = Span::new(ends.0.index(text.as_str().len() + 1), ends.1.index(text.as_str().len() + 1));
        if let Some(range) = text.range(span) {
            prop_assert_eq!(text.span(range), Some(span));
        }
    }

    #[test]
    fn edits_and_their_inverse_are_nothing((text, edits) in disjoint_edits()) {
        let edits = TextEdits::new(edits).unwrap();
        let after = edits.apply(&text);
        let inverse = edits.invert(&text);
        prop_assert_eq!(inverse.apply(&after), text.as_str());
        // The inverse keeps the invariant, and can itself be inverted.
        prop_assert_eq!(&TextEdits::new(inverse.clone().into_vec()).unwrap(), &inverse);
        prop_assert_eq!(inverse.invert(&after).apply(&text), after);
    }

    #[test]
    fn edits_do_what_they_do_one_by_one_from_the_end((text, edits) in disjoint_edits()) {
        let mut wanted = text.clone();
        for edit in edits.iter().rev() {
            wanted.replace_range(edit.span.start..edit.span.end, &edit.new_text);
        }
        let edits = TextEdits::new(edits).unwrap();
        prop_assert!(edits.fits(&text));
        prop_assert_eq!(edits.apply(&text), wanted);
    }

    #[test]
    fn order_and_duplicates_do_not_matter(((_, edits), order) in (disjoint_edits(), any::<Vec<Index>>())) {
        let mut mixed = edits.clone();
        if !edits.is_empty() {
            mixed.extend(order.iter().map(|at| at.get(&edits).clone()));
            order.iter().enumerate().for_each(|(at, other)| {
                let (at, other) = (at % mixed.len(), other.index(mixed.len()));
                mixed.swap(at, other);
            });
        }
        prop_assert_eq!(TextEdits::new(mixed).unwrap(), TextEdits::new(edits).unwrap());
    }

    #[test]
    fn every_overlap_is_refused((text, edits) in disjoint_edits(), (one, into) in any::<(Index, Index)>()) {
        prop_assume!(edits.iter().any(|edit| edit.span.len() > 1));
        let wide: Vec<&TextEdit> = edits.iter().filter(|edit| edit.span.len() > 1).collect();
        let victim = one.get(&wide).span;
        let inner = victim.start + 1 + into.index(victim.len() - 1);
        for span in [Span::at(inner), Span::new(victim.start, inner), Span::new(inner, victim.end), victim] {
            let mut more = edits.clone();
            more.push(TextEdit::new(span, "an overlap"));
            prop_assert!(TextEdits::new(more).is_err(), "{:?} in {:?}", span, text);
        }
    }

    #[test]
    fn an_offset_keeps_its_text((text, edits) in disjoint_edits()) {
        let edits = TextEdits::new(edits).unwrap();
        let after = edits.apply(&text);
        let mut last = 0;
        for offset in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let mapped = edits.map_offset(offset);
            prop_assert!(last <= mapped && mapped <= after.len(), "{} then {}", last, mapped);
            last = mapped;
            let replaced = edits.iter().any(|edit| edit.span.start <= offset && offset < edit.span.end);
            let inserted = edits.iter().any(|edit| edit.span == Span::at(offset));
            if !replaced && !inserted && offset < text.len() {
                prop_assert_eq!(after[mapped..].chars().next(), text[offset..].chars().next());
            }
        }
    }

    #[test]
    fn paths_are_ordered_by_components(names in proptest::collection::vec("[a /.~-]{0,6}", 2)) {
        let [a, b] = [&names[0], &names[1]].map(|name| AbsPath::new(format!("/p/{name}")).unwrap());
        prop_assert_eq!(a.cmp(&b), a.as_path().cmp(b.as_path()));
        prop_assert_eq!(a == b, a.as_path() == b.as_path());
        prop_assert_eq!(a.is_below(&b), a.as_path().starts_with(b.as_path()));
    }

    #[test]
    fn paths_join_and_come_apart(parts in proptest::collection::vec(select(&["a", "b b", "ü", "..", "."][..]), 0..6)) {
        let base = AbsPath::new("/p/q").unwrap();
        match RelPath::new(parts.join("/")) {
            Ok(rel) => {
                let path = base.join_rel(&rel);
                prop_assert!(path.is_below(&base));
                prop_assert_eq!(path.relative_to(&base), Some(rel));
                prop_assert_eq!(base.join(parts.join("/")).unwrap(), path);
            }
            Err(_) => prop_assert!(parts.contains(&"..")),
        }
    }
}

fn at(line: u32, character: u32) -> Position {
    Position { line, character }
}

#[test]
fn no_position_lies_inside_a_character() {
    let text = "a𝄞b";
    let index = LineIndex::new(text, LineBreaks::Lsp);
    let offset = |character, encoding| index.offset(text, at(0, character), encoding);
    assert_eq!([1, 2, 3, 4].map(|character| offset(character, Encoding::Utf16)), [Some(1), None, Some(5), Some(6)]);
    assert_eq!([1, 2, 3, 4].map(|character| offset(character, Encoding::Utf32)), [Some(1), Some(5), Some(6), None]);
    assert_eq!([1, 2, 4, 5].map(|character| offset(character, Encoding::Utf8)), [Some(1), None, None, Some(5)]);
    assert_eq!([2, 3, 4].map(|offset| index.position(text, offset, Encoding::Utf16)), [None; 3]);
}

#[test]
fn a_line_ends_before_its_line_end() {
    for (text, line_end) in [("ab\r\ncd", 2), ("ab\ncd", 2), ("ab\rcd", 2)] {
        let index = LineIndex::new(text, LineBreaks::Lsp);
        assert_eq!(index.offset(text, at(0, 2), Encoding::Utf16), Some(line_end), "{text:?}");
        assert_eq!(index.offset(text, at(0, 3), Encoding::Utf16), None, "{text:?}");
        assert_eq!(index.offset(text, at(1, 2), Encoding::Utf16), Some(text.len()), "{text:?}");
        assert_eq!(index.offset(text, at(2, 0), Encoding::Utf16), None, "{text:?}");
    }
}

#[test]
fn a_final_line_end_opens_one_more_line() {
    let lines = |text| LineIndex::new(text, LineBreaks::Lsp).line_count();
    assert_eq!([lines(""), lines("a"), lines("a\n"), lines("a\r\n"), lines("\r\r\n\n")], [1, 1, 2, 2, 4]);
}

#[test]
fn a_separator_is_a_character_or_a_line_end() {
    let text = "a\u{2028}b\n";
    let (lsp, script) = (LineIndex::new(text, LineBreaks::Lsp), LineIndex::new(text, LineBreaks::EcmaScript));
    assert_eq!(lsp.position(text, 4, Encoding::Utf16), Some(at(0, 2)));
    assert_eq!(script.position(text, 4, Encoding::Utf16), Some(at(1, 0)));
    assert_eq!(lsp.offset(text, at(0, 3), Encoding::Utf16), Some(5));
    assert_eq!(script.offset(text, at(0, 2), Encoding::Utf16), None);
}

#[test]
fn a_byte_order_mark_is_no_character_of_the_text() {
    let text = Text::decode("\u{feff}name = 1".as_bytes().to_vec()).unwrap();
    assert_eq!((text.as_str(), text.position(0)), ("name = 1", Some(at(0, 0))));
    assert_eq!(text.with_content("other".into()).encode(), "\u{feff}other".as_bytes());
    assert_eq!(text.with_content("other".into()).hash(), &ContentHash::of("\u{feff}other".as_bytes()));
}

#[test]
fn bytes_that_are_no_text_are_refused_by_their_place() {
    assert_eq!(Text::decode(b"ab\xffc".to_vec()).unwrap_err().at, 2);
    assert_eq!(Text::decode(b"\xff\xfea\0".to_vec()).unwrap_err().at, 0);
    assert_eq!(Text::decode(b"ok \xe6\x97".to_vec()).unwrap_err().at, 3);
}

#[test]
fn a_hash_in_parts_is_the_hash_of_the_whole() {
    let mut hasher = ContentHasher::default();
    hasher.update(b"a");
    hasher.update(b"bc");
    let hash = hasher.finish();
    // FIPS 180-2, appendix B.1.
    assert_eq!(hash.as_str(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(ContentHash::parse(&hash.as_str().to_uppercase()), Some(hash));
    assert_eq!(ContentHash::parse("ba78"), None);
}

#[test]
fn an_insertion_may_touch_a_replacement_but_not_another_insertion() {
    let touching = vec![TextEdit::new(3..3, "x"), TextEdit::new(3..5, "y"), TextEdit::new(5..5, "z")];
    assert_eq!(TextEdits::new(touching).unwrap().apply("abcdef"), "abcxyzf");
    let (first, second) = (TextEdit::new(3..3, "x"), TextEdit::new(3..3, "y"));
    let refused = TextEdits::new(vec![second.clone(), first.clone()]);
    assert_eq!(refused, Err(Overlap { first, second }));
}

#[test]
fn edits_outside_a_text_do_not_fit_it() {
    let fits = |span: std::ops::Range<usize>| TextEdits::new(vec![TextEdit::new(span, "x")]).unwrap().fits("aé");
    assert_eq!([fits(0..1), fits(1..2), fits(3..3), fits(3..4)], [true, false, true, false]);
}
