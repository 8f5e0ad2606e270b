//! Whose parameter a text speaks of: another function has one of the same name.

use std::collections::BTreeSet;

use super::fixtures::function_of_parameter;
use super::hierarchy::CONSTRUCTORS;
use crate::plan::Parts;
use crate::session::{Parsed, Session};
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{AbsPath, Span};

/// How far before an argument the call is looked for that passes it, in bytes.
const FARTHEST: usize = 400;

/// The functions of Python of which a parameter is renamed, with the classes that they make objects of.
pub(super) struct ParameterOwners {
    definitions: BTreeSet<(AbsPath, Span)>,
    names: BTreeSet<String>,
}

impl ParameterOwners {
    /// Reads them off a plan; nothing where no parameter is renamed.
    pub(super) fn of(session: &Session, parts: &Parts) -> Option<Self> {
        let mut owners = Self { definitions: BTreeSet::new(), names: BTreeSet::new() };
        for (path, (_, edits)) in parts.edits.iter().filter(|(path, _)| path.extension() == "py") {
            let Ok(Some(parsed)) = session.parsed(path) else { continue };
            for edit in edits {
                owners.note(path, &parsed, edit.span);
            }
        }
        (!owners.definitions.is_empty()).then_some(owners)
    }

    fn note(&mut self, path: &AbsPath, parsed: &Parsed, span: Span) {
        let text = parsed.text.as_str();
        let is_parameter = site(&parsed.tree, text, span) == Site::Declaration(DeclarationKind::Parameter);
        let function = function_of_parameter(parsed.tree.nodes().covering(span)).filter(|_| is_parameter);
        let Some(function) = function else { return };
        let name = |node: Node<'_>| node.child("name").map(|name| name.text(text).to_owned());
        let class = function.ancestors().find(|outer| outer.is("class_definition"));
        let made = class.filter(|_| name(function).is_some_and(|name| CONSTRUCTORS.contains(&name.as_str())));
        for owner in [Some(function), made].into_iter().flatten() {
            self.definitions.insert((path.clone(), owner.span()));
            self.names.extend(name(owner));
        }
    }

    /// Tells whether a docstring may speak of the parameter: that of no other function or class.
    pub(super) fn may_document(&self, path: &AbsPath, parsed: &Parsed, string: Span) -> bool {
        let around = parsed.tree.nodes().covering(string).ancestors();
        let mut definitions = around.filter(|outer| outer.is_any(&["function_definition", "class_definition"]));
        let own = |definition: Node<'_>| self.definitions.contains(&(path.clone(), definition.span()));
        definitions.next().is_none_or(own)
    }

    /// Tells whether a word may be an argument of theirs: where it is one, no other function is called.
    pub(super) fn may_be_passed(&self, text: &str, word: Span) -> bool {
        let behind = text[word.end..].trim_start_matches(' ');
        if !behind.starts_with('=') || behind.starts_with("==") {
            return true;
        }
        let called = called_before(&text[..word.start]);
        called.is_none_or(|called| self.names.contains(called))
    }
}

/// Returns the name of what is called where a text breaks off among the arguments.
fn called_before(text: &str) -> Option<&str> {
    let from = (text.len().saturating_sub(FARTHEST)..).find(|at| text.is_char_boundary(*at))?;
    let mut open = 0_usize;
    let at = text[from..].char_indices().rev().find(|(_, letter)| {
        match letter {
            ')' => open += 1,
            '(' if open > 0 => open -= 1,
            '(' => return true,
            _ => {}
        }
        false
    });
    let before = &text[from..from + at?.0];
    let start = before.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |last| last + 1);
    let start = (start..=before.len()).find(|at| before.is_char_boundary(*at))?;
    Some(&before[start..]).filter(|name| !name.is_empty())
}
