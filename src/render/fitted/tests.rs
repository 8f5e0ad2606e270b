//! Every part of an answer fits, and together they are the whole.

use serde_json::{Value, json};

use super::{AnswerFormat, BadCursor, Continuation, Window, fitted};
use crate::render::tokens;
use crate::render::toon::read_toon;

fn window(room: usize) -> Window {
    Window { room, limit: None, cursor: None, rest: Continuation::Cursor }
}

/// An answer with a long list, a short one, an empty one, and one inside another.
fn answer() -> Value {
    let rows = |count: usize| (0..count).map(|at| json!({"file": format!("src/number{at}.py"), "lines": at}));
    let groups = (0..40).map(|at| json!({"file": format!("f{at}.py"), "signatures": rows(7).collect::<Vec<_>>()}));
    json!({
        "summary": "all of it",
        "files": rows(900).collect::<Vec<_>>(),
        "gaps": {"problems": rows(3).collect::<Vec<_>>(), "unresolved": []},
        "peeked": groups.collect::<Vec<_>>(),
    })
}

fn read(text: &str, shape: AnswerFormat) -> Value {
    match shape {
        AnswerFormat::Json => serde_json::from_str(text).unwrap(),
        AnswerFormat::Toon => read_toon(text),
    }
}

#[test]
fn what_fits_is_handed_out_as_it_is() {
    let small = json!({"summary": "s", "rows": [{"a": 1}, {"a": 2}]});
    assert_eq!(fitted(small.clone(), AnswerFormat::Json, &window(500)).unwrap(), small.to_string());
}

#[test]
fn every_part_fits_and_together_they_are_the_whole() {
    for shape in [AnswerFormat::Json, AnswerFormat::Toon] {
        let whole = answer();
        let (mut files, mut problems, mut signatures) = (Vec::new(), 0, 0);
        let mut asked = window(1_500);
        for page in 0.. {
            assert!(page < 200, "no end");
            let text = fitted(whole.clone(), shape, &asked).unwrap();
            assert!(tokens(&text) <= 1_500, "{text}");
            let part = read(&text, shape);
            assert_eq!(part["summary"], "all of it");
            let of = |list: &Value| list.as_array().cloned().unwrap_or_default();
            files.extend(of(&part["files"]));
            problems += of(&part["gaps"]["problems"]).len();
            signatures += of(&part["peeked"]).iter().map(|group| of(&group["signatures"]).len()).sum::<usize>();
            if page == 0 {
                assert_eq!(problems, 3, "a short list is told whole");
                assert_eq!(part["gaps"]["unresolved"], json!([]));
            }
            let Some(cursor) = part["more"]["cursor"].as_str() else { break };
            assert!(part["more"]["left"].as_object().is_some_and(|left| !left.is_empty()), "{part}");
            asked.cursor = Some(cursor.to_owned());
        }
        assert_eq!(Value::from(files), whole["files"]);
        assert_eq!((problems, signatures), (3, 280));
    }
}

#[test]
fn a_limit_is_of_each_list_and_what_is_left_is_counted() {
    let asked = Window { limit: Some(2), ..window(5_000) };
    let part = read(&fitted(answer(), AnswerFormat::Json, &asked).unwrap(), AnswerFormat::Json);
    assert_eq!(part["files"].as_array().unwrap().len(), 2);
    assert_eq!(part["more"]["left"], json!({"files": 898, "gaps.problems": 1, "peeked": 278}));
}

#[test]
fn a_cursor_of_another_answer_is_refused() {
    let cursor_of = |answer: Value| {
        let part: Value = serde_json::from_str(&fitted(answer, AnswerFormat::Json, &window(500)).unwrap()).unwrap();
        part["more"]["cursor"].as_str().unwrap().to_owned()
    };
    let mut other = answer();
    other["files"][5]["lines"] = json!(7);
    let asked = Window { cursor: Some(cursor_of(other)), ..window(500) };
    assert_eq!(fitted(answer(), AnswerFormat::Json, &asked), Err(BadCursor::Outdated));
    for bad in ["", "page 2", "files=x;0", "files=1"] {
        let asked = Window { cursor: Some(bad.to_owned()), ..window(500) };
        assert_eq!(fitted(answer(), AnswerFormat::Json, &asked), Err(BadCursor::Malformed(bad.to_owned())));
    }
}

#[test]
fn what_is_too_long_for_any_answer_is_cut_visibly() {
    let long = json!({"summary": "s", "rows": [{"text": "word ".repeat(20_000)}, {"text": "b"}]});
    let text = fitted(long, AnswerFormat::Json, &window(3_000)).unwrap();
    assert!(tokens(&text) <= 3_000 && text.contains("more bytes)"), "{text}");
}
