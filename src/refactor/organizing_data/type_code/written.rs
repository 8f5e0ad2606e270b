//! The class that stands for a type code, written in the place of the constants.

use super::constants::{Constant, Constants};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::members::put_above_class;
use crate::refactor::analysis::sibling_declarations::breaks_missing_above;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::{Span, TextEdit};

/// Puts the class where the first constant stood, or above the class that had them, and takes the constants out.
pub(super) fn class(session: &Session, constants: &Constants<'_>, name: &str) -> Result<Vec<TextEdit>, Refusal> {
    let Constants { code, class, all } = constants;
    let text = declared(session, constants, name);
    if let Some(class) = class {
        let end = code.newline();
        let gap = if code.family() == Family::Python { end.repeat(2) } else { end.to_owned() };
        let members = all.iter().flat_map(|one| class.members_named(one.name.text(code.text()))).collect::<Vec<_>>();
        let mut edits = class.without(&members)?;
        edits.push(put_above_class(class, format!("{text}{end}{gap}")));
        return Ok(edits);
    }
    let start = all[0].whole().start();
    let mut end = constants.extent(&all[0]).end;
    let mut edits = Vec::new();
    for one in &all[1..] {
        let extent = constants.extent(one);
        // Those right behind each other go as one.
        if code.text()[end..extent.start].trim().is_empty() && edits.is_empty() {
            end = extent.end;
        } else {
            edits.push(without_lines(code, extent));
        }
    }
    let mut said = apart(code, Span::new(start, end), &text);
    match parted(code, start) {
        Some(gap) if gap.span.start == start => said.insert_str(0, &gap.new_text),
        gap => edits.extend(gap),
    }
    edits.push(TextEdit::new(Span::new(start, end), said));
    Ok(edits)
}

/// Lets two empty lines stand below a class of Python.
fn apart(code: &Code, gone: Span, text: &str) -> String {
    if code.family() != Family::Python {
        return text.to_owned();
    }
    let newline = code.newline();
    let behind = &code.text()[gone.end..];
    let rest = behind.trim_start();
    let breaks = behind[..behind.len() - rest.len()].matches('\n').count();
    let below = if rest.is_empty() { 0 } else { 3_usize.saturating_sub(breaks) };
    format!("{text}{}", newline.repeat(below))
}

/// Puts the empty lines above a class of Python, and the comments that it has, that are missing there.
fn parted(code: &Code, start: usize) -> Option<TextEdit> {
    let top = comments_above(code, start);
    // Where a file begins with it, the import comes above, with one empty line.
    let missing = breaks_missing_above(code, top).unwrap_or(1);
    let is_needed = code.family() == Family::Python && missing > 0;
    is_needed.then(|| TextEdit::new(Span::at(top), code.newline().repeat(missing)))
}

fn declared(session: &Session, constants: &Constants<'_>, name: &str) -> String {
    let code = constants.code;
    let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
    let lines: Vec<String> =
        constants.all.iter().enumerate().map(|(at, one)| member(constants, (at, one), &step)).collect();
    let body = lines.join("");
    let export = match constants.class {
        Some(class) => class.statement().is("export_statement"),
        None => constants.all.iter().any(|it| it.whole().is("export_statement")),
    };
    let export = if export { "export " } else { "" };
    match code.parsed().tree.language() {
        Language::Python => {
            let is_late = is_late(session);
            let (base, shown) = match (constants.are_numbers(), is_late) {
                (true, true) => ("IntEnum", None),
                (false, true) => ("StrEnum", None),
                (true, false) => ("IntEnum", Some("int.__repr__")),
                (false, false) => ("str, Enum", Some("str.__str__")),
            };
            let shown = shown.map(|it| format!("{end}{step}__str__ = {it}{end}")).unwrap_or_default();
            format!("class {name}({base}):{end}{body}{shown}").trim_end().to_owned()
        }
        Language::JavaScript => {
            let word = code.constant_word();
            format!("{export}{word} {name} = Object.freeze({{{end}{body}}}){}", code.semicolon())
        }
        _ if constants.are_numbers() => format!("{export}enum {name} {{{end}{body}}}"),
        // What says a text of its own by its type takes no member of an enum for it.
        _ => {
            let close = code.semicolon();
            let listed = format!("{export}const {name} = {{{end}{body}}} as const{close}");
            format!("{listed}{end}{export}type {name} = (typeof {name})[keyof typeof {name}]{close}")
        }
    }
}

/// Writes a member with the comments of its constant; those above the first one stay above the class.
fn member(constants: &Constants<'_>, (at, one): (usize, &Constant<'_>), step: &str) -> String {
    let code = constants.code;
    let (text, end) = (code.text(), code.newline());
    let extent = constants.extent(one);
    let whole = one.whole();
    let above = if at == 0 && constants.class.is_none() { "" } else { text[extent.start..whole.start()].trim() };
    let above: String = above.lines().map(|line| format!("{step}{}{end}", line.trim())).collect();
    let behind = text[whole.end()..extent.end].trim_start_matches(';').trim_end();
    let behind =
        behind.replace(end, &format!("{end}{step}")).replace(&format!("{end}{step}{end}"), &format!("{end}{end}"));
    let value = one.value.text(text);
    let (mark, close) = match code.parsed().tree.language() {
        Language::Python => (" = ", ""),
        Language::JavaScript => (": ", ","),
        _ if constants.are_numbers() => (" = ", ","),
        _ => (": ", ","),
    };
    format!("{above}{step}{}{mark}{value}{close}{behind}{end}", one.member)
}

/// Returns the import that the class needs.
pub(super) fn needs(session: &Session, constants: &Constants<'_>) -> Option<&'static str> {
    let wanted = match (constants.are_numbers(), is_late(session)) {
        (true, _) => ("IntEnum", "from enum import IntEnum"),
        (false, true) => ("StrEnum", "from enum import StrEnum"),
        (false, false) => ("Enum", "from enum import Enum"),
    };
    let names = crate::refactor::scopes::ScopedNames::of(constants.code);
    let is_known = names.named(wanted.0).any(|it| it.is_binding);
    (!is_known).then_some(wanted.1)
}

/// Tells whether the project says that it needs Python 3.11 or later, whose codes print as their values.
fn is_late(session: &Session) -> bool {
    let Ok(path) = session.root().join("pyproject.toml") else { return false };
    let Ok(text) = session.disk().read(&path) else { return false };
    let line = text.as_str().lines().find(|line| line.trim_start().starts_with("requires-python"));
    let least = line.and_then(|line| line.split(">=3.").nth(1).or_else(|| line.split(">= 3.").nth(1)));
    let digits: Option<String> = least.map(|it| it.chars().take_while(char::is_ascii_digit).collect());
    digits.and_then(|it| it.parse::<u32>().ok()).is_some_and(|minor| minor >= 11)
}
