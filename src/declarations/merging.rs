//! What an edited view means for its module, and an edited module for its view.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use super::id::Id;
use super::matching::alike;
use super::module::{DeclarationRow, Module};
use super::parts::{Parts, Rest, read};
use super::placing::{InsertionPlace, Placing};
use super::readable::{Readable, Shown};
use crate::text::{Span, TextEdit, TextEdits};

/// What is otherwise in a view than in its module.
#[derive(Debug, Default)]
pub struct Comparison {
    /// What has another name in the view.
    pub renamed: Vec<(Id, String)>,
    /// What reads otherwise in the view.
    pub edited: Vec<Id>,
    /// What has no id in the view, and is not in the module: numbers of the view's declarations.
    pub added: Vec<usize>,
    /// What the view has no more.
    pub deleted: Vec<Id>,
    /// What was done to the module since the view was written.
    pub outside: Outside,
    /// What is not taken over, and why.
    pub left: Vec<String>,
}

/// What became of a module since its view was written.
#[derive(Debug, Default)]
pub struct Outside {
    pub added: Vec<Id>,
    pub updated: Vec<Id>,
    /// By the names that the view has for them.
    pub deleted: Vec<(Id, String)>,
}

/// A module's text with what was taken over from its view.
#[derive(Debug, Default)]
pub struct Merged {
    pub text: String,
    /// With the parts that changed.
    pub updated: Vec<(Id, String)>,
    /// The names of what is new, outermost first.
    pub added: Vec<Vec<String>>,
    pub deleted: Vec<Id>,
    pub left: Vec<String>,
}

/// Who changed a declaration since the view was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Nobody,
    View,
    Module,
    Both,
}

/// Compares a view with its module as it is now.
pub fn compared(module: &Readable, view: &Readable) -> Comparison {
    let mut found = Comparison::default();
    let own: BTreeMap<Id, usize> = by_id(module);
    let matched = matched(module, view, &own);
    for (number, one) in view.shown.iter().enumerate() {
        let name = dotted(view, one);
        match (matched[number], one.ids.first()) {
            (Some(at), _) if !is_in_place(module, view, &matched, (at, number)) => {
                found.left.push(format!(
                    "`{name}` went to another owner in the view: move_declaration or edit_source moves it"
                ));
            }
            (Some(at), _) => {
                pair(module, view, (at, number), &mut found);
                if view.has_own_rest(one) {
                    found
                        .left
                        .push(format!("the content of `{name}` is not taken from a view: edit_source changes it"));
                }
            }
            (None, Some(id)) if !own.contains_key(id) && base(view, *id).is_some() => {
                match by(view, *id, (None, one)) {
                    By::Module => found.outside.deleted.push((*id, name)),
                    _ => found.left.push(format!("`{name}` is changed in the view, and no longer in the module")),
                }
            }
            (None, _) => {
                if one.owner.is_none_or(|owner| matched[owner].is_some()) {
                    found.added.push(number);
                }
            }
        }
    }
    let seen: BTreeSet<usize> = matched.iter().flatten().copied().collect();
    let is_gone = |at: &usize| !seen.contains(at);
    for one in module.shown.iter().enumerate().filter(|(at, _)| is_gone(at)).map(|(_, one)| one) {
        if one.owner.is_some_and(|owner| is_gone(&owner)) {
            continue;
        }
        let (id, name) = (one.ids[0], dotted(module, one));
        match (view.base().is_some(), base(view, id)) {
            (true, None) => found.outside.added.push(id),
            (true, Some(hash)) if hash == one.hash => found.deleted.extend(&one.ids),
            (true, _) => found.left.push(format!("`{name}` is gone from the view, and changed in the module since")),
            (false, _) => found.left.push(format!(
                "`{name}` is not in the view, whose last line does not say whether it was: delete_declaration deletes it"
            )),
        }
    }
    found
}

/// Compares one declaration of a view with what it is in the module.
fn pair(module: &Readable, view: &Readable, (at, number): (usize, usize), found: &mut Comparison) {
    let (now, one) = (&module.shown[at], &view.shown[number]);
    let (id, name) = (now.ids[0], dotted(module, now));
    match by(view, id, (Some(now.hash), one)) {
        By::Nobody => {}
        By::Module => found.outside.updated.push(id),
        By::Both => {
            found.left.push(format!("`{name}` changed in the view and in the module since the view was written"));
        }
        By::View if now.numbers.len() != one.numbers.len() => {
            found
                .left
                .push(format!("the line of `{name}` no longer declares as many as before: edit_source changes it"));
        }
        By::View => {
            let pairs = now.ids.iter().zip(&now.numbers).zip(&one.numbers);
            for ((id, was), is) in pairs {
                let (was, is) = (module.row(*was), view.row(*is));
                if was.name() != is.name() {
                    found.renamed.push((*id, is.name().to_owned()));
                }
            }
            found.edited.push(id);
        }
    }
}

fn by_id(readable: &Readable) -> BTreeMap<Id, usize> {
    let all = readable.shown.iter().enumerate();
    all.flat_map(|(at, one)| one.ids.iter().map(move |id| (*id, at))).collect()
}

fn base(view: &Readable, id: Id) -> Option<u32> {
    view.base()?.get(&id).copied()
}

fn by(view: &Readable, id: Id, (now, one): (Option<u32>, &Shown)) -> By {
    match base(view, id) {
        _ if now == Some(one.hash) => By::Nobody,
        Some(base) if base == one.hash => By::Module,
        Some(base) if now.is_none_or(|now| now != base) => By::Both,
        _ => By::View,
    }
}

/// Finds for each declaration of a view which one of the module it is: by its id, else by its names.
fn matched(module: &Readable, view: &Readable, own: &BTreeMap<Id, usize>) -> Vec<Option<usize>> {
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut matched: Vec<Option<usize>> = vec![None; view.shown.len()];
    // Where an id stands twice, one is a copy: that with another name.
    for is_copy in [false, true] {
        for (number, one) in view.shown.iter().enumerate().filter(|(_, one)| !one.ids.is_empty()) {
            let at = one.ids.iter().find_map(|id| own.get(id)).copied();
            let is_wanted = |at: &usize| is_copy || module.named(&module.shown[*at]) == view.named(one);
            if matched[number].is_none() {
                matched[number] = at.filter(|at| is_wanted(at) && taken.insert(*at));
            }
        }
    }
    for (number, one) in view.shown.iter().enumerate() {
        if matched[number].is_none() && one.ids.is_empty() {
            let named = view.named(one);
            let same = |at: &usize| !taken.contains(at) && module.named(&module.shown[*at]) == named;
            let found = (0..module.shown.len()).find(same);
            taken.extend(found);
            matched[number] = found;
        }
    }
    matched
}

/// Tells whether a declaration is a member of the same in the view and in the module.
fn is_in_place(module: &Readable, view: &Readable, matched: &[Option<usize>], (at, number): (usize, usize)) -> bool {
    match view.shown[number].owner.map(|owner| matched[owner]) {
        None => module.shown[at].owner.is_none(),
        Some(outer) => outer.is_some() && module.shown[at].owner == outer,
    }
}

/// Puts into the module's text what its view says otherwise. Names have to be the same already.
pub fn merged(module: &Readable, view: &Readable, wanted: &Comparison) -> Merged {
    let mut done = Merged { text: module.text().to_owned(), ..Merged::default() };
    let own = by_id(module);
    let theirs = by_id(view);
    let mut edits: Vec<TextEdit> = Vec::new();
    for id in &wanted.edited {
        let Some(now) = own.get(id).map(|at| &module.shown[*at]) else { continue };
        let named = || view.shown.iter().position(|one| one.ids.is_empty() && view.named(one) == module.named(now));
        let Some(one) = theirs.get(id).copied().or_else(named).map(|at| &view.shown[at]) else { continue };
        let name = dotted(module, now);
        match edited((module, now), (view, one)) {
            Ok((_, parts)) if parts.is_empty() => {}
            Ok((own, parts)) => {
                edits.extend(own);
                done.updated.push((*id, parts.join(", ")));
            }
            Err(why) => done.left.push(format!("`{name}` {why}")),
        }
    }
    match TextEdits::new(edits) {
        Ok(edits) => done.text = edits.apply(&done.text),
        Err(_) => {
            done.left.push("edits of the view touch each other: edit_source makes them one by one".to_owned());
            done.updated.clear();
        }
    }
    for id in &wanted.deleted {
        delete(module, *id, &mut done);
    }
    for number in &wanted.added {
        add((module, view), *number, &mut done);
    }
    done
}

/// Returns the edits of one declaration, and the names of the parts that they are of.
fn edited(
    (module, now): (&Readable, &Shown),
    (view, one): (&Readable, &Shown),
) -> Result<(Vec<TextEdit>, Vec<&'static str>), String> {
    let names = |readable: &Readable, shown: &Shown| -> Vec<String> {
        shown.numbers.iter().map(|number| readable.row(*number).name().to_owned()).collect()
    };
    if names(module, now) != names(view, one) {
        return Err("has another name in the view, which it could not be given".to_owned());
    }
    if discriminant(&now.parts.rest) != discriminant(&one.parts.rest) {
        return Err("has a body or a value on one side alone: replace_declaration changes it".to_owned());
    }
    let (mut edits, mut parts) = (Vec::new(), Vec::new());
    for (part, edit) in [
        ("comment", comment(module, &now.parts, &one.parts)?),
        ("signature", head(&now.parts, &one.parts)?),
        ("documentation", documentation((module, now), &one.parts)?),
    ] {
        parts.extend(edit.iter().map(|_| part));
        edits.extend(edit);
    }
    let placing = Placing::new(module.parsed(), module.module());
    for edit in &mut edits {
        edit.new_text = placing.with_breaks(&edit.new_text);
    }
    check((module, now), &edits)?;
    Ok((edits, parts))
}

const SPACES: &str = "is indented in a way that an edit would not keep: edit_source changes it";

fn head(now: &Parts, one: &Parts) -> Result<Option<TextEdit>, String> {
    let (old, new) = (&now.head, &one.head);
    if old.text == new.text {
        return Ok(None);
    }
    old.replaced(&new.text).map(Some).ok_or_else(|| SPACES.to_owned())
}

fn comment(module: &Readable, now: &Parts, one: &Parts) -> Result<Option<TextEdit>, String> {
    let start = now.head.span.start;
    let line = module.text()[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &module.text()[line..start];
    match (&now.lead, &one.lead) {
        (None, None) => Ok(None),
        (Some(old), Some(new)) if old.text == new.text => Ok(None),
        (Some(old), Some(new)) => old.replaced(&new.text).map(Some).ok_or_else(|| SPACES.to_owned()),
        (Some(old), None) => Ok(Some(TextEdit::new(Span::new(old.span.start, start), ""))),
        (None, Some(_)) if !indent.trim().is_empty() => Err("shares its line with other code".to_owned()),
        (None, Some(new)) => {
            let written = super::parts::indented(&new.text, indent);
            Ok(Some(TextEdit::new(Span::at(start), format!("{written}\n{indent}"))))
        }
    }
}

fn documentation((module, now): (&Readable, &Shown), one: &Parts) -> Result<Option<TextEdit>, String> {
    let (Rest::Body(body) | Rest::Members(body)) = now.parts.rest else { return Ok(None) };
    let text = module.text();
    let line = text[..body.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[line..body.start];
    match (&now.parts.doc, &one.doc) {
        (None, None) => Ok(None),
        (Some(old), Some(new)) if old.text == new.text => Ok(None),
        (Some(old), Some(new)) => old.replaced(&new.text).map(Some).ok_or_else(|| SPACES.to_owned()),
        (None, Some(_)) if !indent.trim().is_empty() => {
            Err("has its body in the line of its head: edit_source documents it".to_owned())
        }
        (None, Some(new)) => {
            let written = super::parts::indented(&new.text, indent);
            Ok(Some(TextEdit::new(Span::at(body.start), format!("{written}\n{indent}"))))
        }
        (Some(old), None) => {
            let rest = &text[old.span.end..body.end];
            let next = rest.len() - rest.trim_start().len();
            if rest.trim().is_empty() {
                return Err("would have an empty body without its documentation".to_owned());
            }
            Ok(Some(TextEdit::new(Span::new(old.span.start, old.span.end + next), "")))
        }
    }
}

/// Refuses edits after which a declaration is no more what it was.
fn check((module, now): (&Readable, &Shown), edits: &[TextEdit]) -> Result<(), String> {
    let edits = TextEdits::new(edits.to_vec()).map_err(|_| "cannot be edited in that way".to_owned())?;
    let text = edits.apply(module.text());
    let (parsed, after) = reread(module, &text);
    if parsed.tree.error_count() > module.parsed().tree.error_count() {
        return Err("would not parse as the view has it".to_owned());
    }
    let is_there = |number: &usize| {
        let row = module.row(*number);
        after.rows.iter().any(|it| it.names == row.names && alike(it.kind, row.kind))
    };
    if now.numbers.iter().all(is_there) {
        Ok(())
    } else {
        Err("would be another kind of declaration, or another's member".to_owned())
    }
}

fn reread(module: &Readable, text: &str) -> (crate::session::Parsed, Module) {
    read(&module.module().path, module.module().language, text)
}

fn delete(module: &Readable, id: Id, done: &mut Merged) {
    let Some(row) = module.module().rows.iter().find(|row| row.id == id) else { return };
    let (parsed, now) = reread(module, &done.text);
    // Its owner may be gone already, with all that was in it.
    let Some(number) = now.number_of(row) else { return };
    match Placing::new(&parsed, &now).deleted(number) {
        Ok(changed) => {
            done.text = changed.text;
            done.deleted.push(id);
        }
        Err(why) => done.left.push(format!("`{}` is not deleted: {why}", row.names.join("."))),
    }
}

fn add((module, view): (&Readable, &Readable), number: usize, done: &mut Merged) {
    let one = &view.shown[number];
    let name = dotted(view, one);
    let source = view.source(one);
    let (parsed, now) = reread(module, &done.text);
    let Some(place) = place(view, number, &now) else {
        done.left.push(format!("`{name}` is not added: what it would be a member of is not in the module"));
        return;
    };
    match Placing::new(&parsed, &now).added(place, &source) {
        Ok(changed) => {
            done.text = changed.text;
            done.added.extend(one.numbers.first().map(|number| view.row(*number).names.clone()));
        }
        Err(why) => done.left.push(format!("`{name}` is not added: {why}")),
    }
}

/// Returns where an addition goes: beside its neighbour in the view.
fn place(view: &Readable, number: usize, now: &Module) -> Option<InsertionPlace> {
    let owner = view.shown[number].owner;
    let is_sibling = |at: &usize| view.shown[*at].owner == owner;
    let row = |at: usize| -> Option<&DeclarationRow> { Some(view.row(*view.shown[at].numbers.last()?)) };
    let there = |at: usize| row(at).and_then(|row| now.number_of(row));
    let before = (0..number).rev().filter(is_sibling).find_map(there);
    let behind = || (number + 1..view.shown.len()).filter(is_sibling).find_map(there);
    let inside = || match owner {
        None => Some(InsertionPlace::End),
        Some(owner) => there(owner).map(InsertionPlace::Member),
    };
    before.map(InsertionPlace::After).or_else(|| behind().map(InsertionPlace::Before)).or_else(inside)
}

fn dotted(readable: &Readable, one: &Shown) -> String {
    one.numbers.first().map(|number| readable.row(*number).names.join(".")).unwrap_or_default()
}
