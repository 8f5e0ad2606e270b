//! Imports of Python that would close a circle, put into the functions that need them.

use std::sync::Arc;

use super::{Draft, Way};
use crate::plan::difference;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, indent};
use crate::refactor::analysis::imports::statements::{Texts, item, taken_out};
use crate::refactor::analysis::indentation::closed_up;
use crate::refactor::moves::links::{Link, LinkedName, Links};
use crate::refactor::moves::python::with_modules;
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;
use crate::text::{AbsPath, Span, Text, TextEdit, TextEdits};

impl Way<'_> {
    /// Lets a file ask a module for names only when they are needed; tells whether there was anything to put off.
    pub(super) fn put_off(&self, path: &AbsPath, module: &AbsPath, draft: &mut Draft) -> Result<bool, Refusal> {
        let Some(text) = self.text_after(path, draft) else { return Ok(false) };
        let code = Code::known(self.session, path).or_else(|_| Code::empty(self.session, path))?;
        let Some(code) = code.with_text(self.session, text) else { return Ok(false) };
        let mut texts: Texts = [(path.clone(), Arc::clone(&code.parsed().text))].into();
        let created = draft.created.iter().filter(|(made, _)| *made != path);
        texts.extend(created.map(|(made, text)| (made.clone(), Arc::new(Text::new(text.as_str())))));
        let edits = with_modules(self.session, &texts, |modules| late(&code, module, modules))?;
        if edits.is_empty() {
            return Ok(false);
        }
        let edits = TextEdits::new(closed_up(code.text(), edits)).map_err(|it| code.refuse(0, it))?;
        let late = edits.apply(code.text());
        match draft.created.get_mut(path) {
            Some(created) => *created = late,
            None => {
                let before = draft.edits.get(path).map(|(before, _)| Arc::clone(before));
                let before = match before {
                    Some(before) => before,
                    None => self.session.disk().read(path)?,
                };
                let edits = difference(before.as_str(), &late);
                draft.edits.insert(path.clone(), (before, edits));
            }
        }
        Ok(true)
    }

    /// Returns a file's text as the draft leaves it so far.
    fn text_after(&self, path: &AbsPath, draft: &Draft) -> Option<String> {
        if let Some(created) = draft.created.get(path) {
            return Some(created.clone());
        }
        match draft.edits.get(path) {
            Some((before, edits)) => {
                let edits = TextEdits::new(closed_up(before.as_str(), edits.clone())).ok()?;
                Some(edits.apply(before.as_str()))
            }
            None => self.session.disk().read(path).ok().map(|text| text.as_str().to_owned()),
        }
    }
}

/// Takes what a module's import brings out of the top of a file, and puts it into the functions that use it.
fn late(code: &Code, module: &AbsPath, modules: &dyn Links) -> Result<Vec<TextEdit>, Refusal> {
    let links = modules.of(code);
    let names = ScopedNames::of(code);
    let is_top = |link: &&Link| code.covering(link.statement).ancestors().all(|it| it.is("module"));
    let early: Vec<&Link> = links.iter().filter(|link| link.module.as_ref() == Some(module)).filter(is_top).collect();
    if let Some(other) = early.iter().find(|link| !matches!(link.taken, LinkedName::Name(_))) {
        return Err(code.refuse(other.item.start, "this import cannot be put off"));
    }
    let mut places: Vec<(Node<'_>, Vec<&Link>)> = Vec::new();
    for link in &early {
        for function in each(uses(code, &names, link).into_iter().map(|node| within(code, node)))? {
            match places.iter_mut().find(|(other, _)| *other == function) {
                Some((_, own)) if own.iter().any(|it| it.item == link.item) => {}
                Some((_, own)) => own.push(link),
                None => places.push((function, vec![link])),
            }
        }
    }
    let gone: Vec<Span> = early.iter().map(|link| link.item).collect();
    let mut edits = if gone.is_empty() { Vec::new() } else { taken_out(code, &links, &gone)? };
    for (function, own) in places {
        edits.push(imported(code, function, &own)?);
    }
    Ok(edits)
}

/// Returns where what an import brings is used; one that brings nothing used is for others.
fn uses<'c>(code: &'c Code, names: &ScopedNames<'_>, link: &Link) -> Vec<Node<'c>> {
    let local = link.local.and_then(|local| names.at(code.covering(local)));
    let all = local.into_iter().flat_map(|local| names.of_meaning(local.meaning));
    let uses: Vec<Node<'c>> =
        all.filter(|one| Some(one.span) != link.local).map(|one| code.covering(one.span)).collect();
    if uses.is_empty() { vec![code.covering(link.item)] } else { uses }
}

/// Returns the outermost function in whose body a place lies.
fn within<'c>(code: &'c Code, node: Node<'c>) -> Result<Node<'c>, Refusal> {
    let outermost = std::iter::successors(function_of(node), |it| function_of(*it)).last();
    let is_run = |function: &Node<'c>| function.child("body").is_some_and(|body| body.holds(node));
    let name = || node.text(code.text());
    outermost.filter(|it| it.is("function_definition") && is_run(it)).ok_or_else(|| {
        let reason = format!("`{}` is needed here while the module is loaded: its import cannot be put off", name());
        code.refuse(node.start(), reason)
    })
}

/// Writes an import as the first thing that a function does.
fn imported(code: &Code, function: Node<'_>, links: &[&Link]) -> Result<TextEdit, Refusal> {
    let body = function.child("body").ok_or_else(|| code.refuse(function.start(), "it has no body"))?;
    let first = first_statement(body).or_else(|| body.named_children().last()).unwrap_or(body);
    let indent = indent(code, first)?;
    let source = links[0].source.of(code.text()).unwrap_or_default();
    let mut items: Vec<String> = links.iter().map(|link| item(code, link)).collect();
    items.sort();
    let end = code.newline();
    let is_import = first.is_any(&["import_statement", "import_from_statement"]);
    let gap = if is_import { "" } else { end };
    let above = first_comment(code, body, first);
    Ok(TextEdit::new(Span::at(above), format!("{indent}from {source} import {}{end}{gap}", items.join(", "))))
}

/// Returns where the line begins that the first statement of a body, or the comments right above it, begin.
fn first_comment(code: &Code, body: Node<'_>, first: Node<'_>) -> usize {
    let owner = body.parent().unwrap_or(body);
    let comments: Vec<Node<'_>> =
        owner.descendants().filter(|it| it.is("comment") && it.end() <= first.start()).collect();
    let mut at = code.line_start(first.start());
    for comment in comments.into_iter().rev() {
        let begins = code.line_start(comment.start());
        if code.next_line(comment.end()) != at || !code.text()[begins..comment.start()].trim().is_empty() {
            break;
        }
        at = begins;
    }
    at
}
