//! What the servers say of declarations that a plan changes, before it and after: where that is the same, so are their types.

use super::compare::{in_new_words, renames};
use super::local_functions::{gives_the_same, only_called};
use super::propagation::VisibleChanges;
use crate::lsp::{Feature, Place};
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::Language;
use crate::text::AbsPath;

impl VisibleChanges {
    /// Notes which declarations have other types, by what was said of each before and after.
    pub(super) fn describe(&mut self, session: &Session, plan: &Plan, (before, after): (&[Said], &[Said])) {
        let mut renames = renames(plan);
        renames.retain(|old, _| self.given_up.contains(old));
        for ((path, (_, at)), (old, new)) in self.declared.iter().zip(before.iter().zip(after)) {
            let old = old.as_ref().map(|old| in_new_words(old, &renames));
            let is_same = old.is_some() && old == *new;
            let gives_the_same = old.zip(new.as_ref()).is_some_and(|(old, new)| gives_the_same(&old, new));
            if is_same {
                continue;
            }
            let called = gives_the_same.then(|| only_called(session, plan, (path, *at))).flatten();
            match called {
                Some(name) => drop(self.names.entry(path.clone()).or_default().insert(name)),
                None => drop(self.types.insert(path.clone())),
            }
        }
    }
}

/// What a server says of a declaration; nothing where it says nothing.
pub(super) type Said = Option<String>;

/// Asks what the servers say of declarations: their types.
pub(super) async fn described(session: &Session, declared: impl Iterator<Item = (AbsPath, usize)>) -> Vec<Said> {
    let mut found = Vec::new();
    for (path, offset) in declared {
        found.push(description(session, Place { path, offset }).await);
    }
    found
}

async fn description(session: &Session, place: Place) -> Said {
    let server = session.server(checked_language(&place.path)?, Feature::Diagnostics).await.ok()?;
    if !server.offers(Feature::Hover) {
        return None;
    }
    let told = server.hover(&place).await.ok()??;
    // Behind the first block of code, or an empty line, stands what its author wrote.
    let plain = || told.split("\n\n").next().unwrap_or_default();
    let code = told.split("```").nth(1).unwrap_or_else(plain).trim().to_owned();
    // Of a class only its name is told, be it made by a call.
    (!is_cut(&code) && !code.contains("(class)")).then_some(code)
}

/// Tells whether a server left something out: dots that are no part of a type (`(...) -> int`, `tuple[int, ...]`, the default
/// value of a stub, `...rest`).
fn is_cut(code: &str) -> bool {
    code.match_indices("...").any(|(at, dots)| {
        let (before, behind) = (&code[..at], &code[at + dots.len()..]);
        let of_tuple = || {
            let item = before.strip_suffix(", ").and_then(|item| item.rsplit_once("tuple["));
            behind.starts_with(']') && item.is_some_and(|(_, item)| is_balanced(item))
        };
        let is_rest = behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '[' | '{' | '('));
        let is_any = before.ends_with('(') && behind.starts_with(')');
        !(is_rest || is_any || before.ends_with("= ") || of_tuple())
    })
}

/// Tells whether every bracket that is opened is closed, and none other, so that a comma is none of the list around.
fn is_balanced(item: &str) -> bool {
    let mut open = 0_usize;
    item.chars().all(|c| {
        match c {
            '[' | '(' => open += 1,
            ']' | ')' if open == 0 => return false,
            ']' | ')' => open -= 1,
            ',' if open == 0 => return false,
            _ => {}
        }
        true
    }) && open == 0
}

/// Returns the language of a file that some checker reads.
pub(super) fn checked_language(path: &AbsPath) -> Option<Language> {
    Language::of_path(path).filter(|language| *language != Language::Json)
}

#[cfg(test)]
mod tests {
    use super::is_cut;

    #[test]
    fn dots_that_a_type_is_written_with_are_nothing_left_out() {
        for whole in [
            "(variable) f: (...) -> int",
            "(variable) a: tuple[list[dict[str, int]], ...]",
            "(function) def f(a: int = ...) -> str",
            "function f(...rest: string[]): [...string[], number]",
        ] {
            assert!(!is_cut(whole), "{whole}");
        }
        for cut in ["const a: { b: string; ... 5 more ...; }", "(variable) a: dict[str, ...]", "let a: string | ...;"] {
            assert!(is_cut(cut), "{cut}");
        }
    }
}
