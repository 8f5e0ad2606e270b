//! What the edits of a fix do: import a name, declare it, stand in for others.

use crate::lsp::{Action, Answer};
use crate::syntax::{Family, Language, python, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit};

/// Moves imports of Python that would come to stand before those from `__future__`, which have to be first, behind them: pyrefly
/// (1.4.1) writes them into the first line.
pub(super) fn behind_future(path: &AbsPath, text: &str, edits: Vec<TextEdit>) -> Vec<TextEdit> {
    if Language::of_path(path).map(Language::family) != Some(Family::Python) || !text.contains("__future__") {
        return edits;
    }
    let all = python::imports(text, &python::lex(text));
    let Some(last) = all.iter().rfind(|import| import.is_future()) else { return edits };
    let Some(behind) = text[last.span.end..].find('\n').map(|at| last.span.end + at + 1) else { return edits };
    let moved = |edit: TextEdit| {
        let is_import = ["import ", "from "].iter().any(|word| edit.new_text.starts_with(word));
        let is_early = edit.span.is_empty() && edit.span.start < last.span.end && edit.new_text.ends_with('\n');
        if is_import && is_early { TextEdit::new(Span::at(behind), edit.new_text) } else { edit }
    };
    edits.into_iter().map(moved).collect()
}

/// Returns the name that a finding itself suggests: pyrefly (1.4.1) offers nothing that would put it there.
pub(super) fn suggested(message: &str, span: Span, name: &str) -> Option<TextEdit> {
    let (meant, rest) = message.rsplit_once("Did you mean `")?.1.split_once('`')?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let is_other = is_name(meant) && is_name(name) && meant != name;
    (is_other && rest.starts_with('?')).then(|| TextEdit::new(span, meant))
}

/// Tells whether edits declare a name: what is misspelt is not mended by that, only hidden.
pub(super) fn declares(edits: &[TextEdit], name: &str) -> bool {
    const KEYWORDS: &[&str] = &["class", "const", "def", "enum", "function", "interface", "let", "type", "var"];
    edits.iter().any(|edit| {
        let text = edit.new_text.as_str();
        whole_words(text, name).into_iter().any(|span| {
            let (before, after) = (text[..span.start].trim_end(), text[span.end..].trim_start());
            let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            let is_set = before.is_empty() || text[..span.start].trim_end_matches([' ', '\t']).ends_with('\n');
            KEYWORDS.contains(&word) || is_set && after.starts_with('=') && !after.starts_with("==")
        })
    })
}

/// Modules that only checkers know: nothing can be imported from them as a program runs.
const STUBS_ONLY: &[&str] = &["_typeshed"];
/// Modules that hold what others hold, which need no installation.
const BACKPORTS: &[(&str, &str)] = &[("typing_extensions", "typing"), ("importlib_metadata", "importlib.metadata")];

/// Takes out the imports that are not meant where others give the same.
pub(super) fn without_stand_ins(candidates: &mut Vec<(Action, Vec<TextEdit>)>) {
    // Of a name that joins a list, only the title says from where it is.
    let is_from = |(action, edits): &(Action, Vec<TextEdit>), module: &str| {
        let written = format!("from {module} import ");
        action.title.contains(&written) || edits.iter().any(|edit| edit.new_text.contains(&written))
    };
    candidates.retain(|one| !STUBS_ONLY.iter().any(|module| is_from(one, module)));
    for (backport, original) in BACKPORTS {
        if candidates.iter().any(|one| is_from(one, original)) {
            candidates.retain(|one| !is_from(one, backport));
        }
    }
}

/// Tells whether a text imports a name, by a statement of its own or in the list of another one.
pub(super) fn imports(text: &str, name: &str) -> bool {
    let is_statement = ["import ", "require("].iter().any(|word| text.contains(word));
    let is_listed = |character: char| character.is_alphanumeric() || "_$,{}* \t\r\n".contains(character);
    let is_list = text.contains([',', '{']) && text.chars().all(is_listed);
    (is_statement || is_list) && !whole_words(text, name).is_empty()
}

/// Returns the edits of an answer that changes this file and nothing else.
pub(super) fn alone(answer: Answer, path: &AbsPath) -> Option<Vec<TextEdit>> {
    let (mut edits, _) = answer.edits_alone().ok()?;
    let own = edits.remove(path)?;
    edits.is_empty().then_some(own)
}

pub(super) fn changes(edits: &[TextEdit], text: &Text) -> bool {
    edits.iter().any(|edit| edit.span.of(text.as_str()) != Some(edit.new_text.as_str()))
}

/// Tells whether edits can be made in the same go as others: nothing of theirs touches.
pub(super) fn fits(taken: &[TextEdit], edits: &[TextEdit]) -> bool {
    let touch = |one: &Span, other: &Span| one.start <= other.end && other.start <= one.end;
    !edits.iter().any(|edit| taken.iter().any(|known| touch(&edit.span, &known.span)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_names_what_is_missed() {
        assert!(imports("from util import Order\n", "Order"));
        assert!(imports("import { helper } from \"./util\";\n", "helper"));
        assert!(imports("const { helper } = require(\"./util\");\n", "helper"));
        assert!(imports(", helper", "helper"));
        assert!(imports("{ helper, Order }", "helper"));
        assert!(!imports("from util import Order\n", "helper"));
        assert!(!imports("helpers", "helpers"), "another spelling is not an import");
        assert!(!imports("function helper(one, two) {}\n", "helper"));
    }

    #[test]
    fn a_finding_may_say_which_name_is_meant() {
        let span = Span::new(3, 9);
        let said = |message: &str| suggested(message, span, "amuont");
        assert_eq!(said("Could not find name `amuont` Did you mean `amount`?"), Some(TextEdit::new(span, "amount")));
        assert_eq!(said("Could not find name `amuont`"), None);
        assert_eq!(said("Did you mean `await amount`?"), None);
    }

    #[test]
    fn imports_from_the_future_stay_first() {
        let text = "\"\"\"Says.\"\"\"\nfrom __future__ import annotations\n\nimport os\n";
        let path = AbsPath::new("/p/a.py").unwrap();
        let moved = |at: usize, new: &str| behind_future(&path, text, vec![TextEdit::new(Span::at(at), new)]);
        let behind = text.find("\nimport os").unwrap();
        assert_eq!(moved(0, "import re\n"), [TextEdit::new(Span::at(behind), "import re\n")]);
        let below = text.find("import os").unwrap();
        assert_eq!(moved(below, "import re\n"), [TextEdit::new(Span::at(below), "import re\n")]);
        assert_eq!(moved(0, "# noqa\n"), [TextEdit::new(Span::at(0), "# noqa\n")]);
    }

    #[test]
    fn a_declaration_of_what_is_missed_is_no_mend() {
        let inserted = |text: &str| [TextEdit::new(Span::at(0), text)];
        for text in
            ["\nfunction helper() {\n}\n", "def helper(one):\n    pass\n", "helper = None\n", "const helper = 1;\n"]
        {
            assert!(declares(&inserted(text), "helper"), "{text}");
        }
        for text in ["from util import helper\n", "helper", "import { helper } from \"./util\";\n", "if helper == 1"] {
            assert!(!declares(&inserted(text), "helper"), "{text}");
        }
    }
}
