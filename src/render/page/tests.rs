//! What the page shows, and what no text of a project can make of it.

use std::sync::Arc;

use super::{Review, page};
use crate::plan::{Count, Move, Parts, Plan, Warning, WarningKind};
use crate::text::{AbsPath, ContentHash, Position, Range, Span, Text, TextEdit};

const EVIL: &str = "<img src=x onerror=alert(1)>";

fn path(name: &str) -> AbsPath {
    AbsPath::new(format!("/project/{name}")).unwrap()
}

fn shown(parts: Parts) -> String {
    let plan = Plan::new(parts).unwrap();
    let root = AbsPath::new("/project").unwrap();
    page(&Review {
        plan: &plan,
        verification: None,
        root: &root,
        summary: "one edit",
        apply: "lspwright apply plan.json",
    })
}

fn edit(start: usize, end: usize, text: &str) -> TextEdit {
    TextEdit::new(Span::new(start, end), text)
}

#[test]
fn lines_stand_beside_each_other_with_what_differs() {
    let text = Arc::new(Text::new("def total():\n    return 'x'  # one\n"));
    let edits = [(path("a.py"), (text, vec![edit(4, 9, "amount")]))].into();
    let page = shown(Parts { edits, ..Parts::default() });
    assert!(page.contains("<span class=\"k\">def</span> <span class=\"x\">total</span>():"), "{page}");
    assert!(page.contains("<span class=\"x\">amount</span>():"), "{page}");
    assert!(page.contains("<span class=\"c\"># one</span>"), "{page}");
    assert!(page.contains("<strong>unchecked</strong>"), "{page}");
}

#[test]
fn nothing_of_the_project_is_markup() {
    let text = Arc::new(Text::new(format!("{EVIL}\nx = 1\n")));
    let file = path(&format!("{EVIL}.py"));
    let at = Position { line: 0, character: 0 };
    let warning = Warning {
        kind: WarningKind::PossibleUse,
        message: EVIL.to_owned(),
        path: Some(file.clone()),
        range: Some(Range { start: at, end: at }),
        count: Count::default(),
    };
    let elsewhere = Warning { path: Some(path(&format!("other{EVIL}"))), ..warning.clone() };
    let before = ContentHash::of(b"");
    let step = Move { to: path(&format!("moved/{EVIL}.py")), before };
    let page = shown(Parts {
        edits: [(file.clone(), (text, vec![edit(0, 0, EVIL)]))].into(),
        moves: [(file, step)].into(),
        creates: [(path(&format!("new{EVIL}.py")), Text::new(EVIL))].into(),
        warnings: vec![warning, elsewhere],
        ..Parts::default()
    });
    assert!(!page.contains("<img"), "{page}");
    assert!(page.matches("&lt;img src=x onerror=alert(1)&gt;").count() >= 6, "{page}");
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let page = shown(Parts { creates: [(path("a.py"), Text::new("x = 1\n"))].into(), ..Parts::default() });
    assert!(page.contains("default-src 'none'"));
    for word in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
}
