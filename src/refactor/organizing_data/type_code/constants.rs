//! The constants of a type code: those of the module, or of a class, that stand together.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, comments_above, documented_end};
use crate::refactor::request::Target;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, inner};
use crate::syntax::{Family, Node};
use crate::text::Span;

pub(super) struct Constants<'c> {
    pub code: &'c Code,
    /// The class that has them.
    pub class: Option<Class<'c>>,
    /// In the order of the text.
    pub all: Vec<Constant<'c>>,
}

pub(super) struct Constant<'c> {
    pub name: Node<'c>,
    pub value: Node<'c>,
    /// Without `export`, it is the assignment or the declaration.
    pub statement: Node<'c>,
    /// What it is called in the new class.
    pub member: String,
}

impl<'c> Constants<'c> {
    /// Finds the constant that the target names, with those that are listed, or that stand right beside it.
    pub(super) fn of(code: &'c Code, target: &Target, listed: &[String]) -> Result<Self, Refusal> {
        let unnamed = || Refusal::NotPossible(format!("the target names no constant of `{}`", code.shown));
        let at = target.place().ok_or_else(unnamed)?;
        let name = code.covering(Span::new(at, (at + 1).min(code.text().len())));
        let class = Class::around(code, name);
        let block = class.map_or(code.root(), |it| it.body);
        let is_said = |it: &Node<'c>| it.kind().ends_with("comment") || is_text(*it);
        let statements: Vec<Node<'c>> = block.named_children().filter(|it| !is_said(it)).collect();
        let own = statements.iter().position(|it| constant(code, *it).is_some_and(|(found, _)| found == name));
        let own = own.ok_or_else(|| {
            code.refuse(at, "it is not a constant with a number or a text for its value, by itself in a statement")
        })?;
        let found: Vec<(Node<'c>, (Node<'c>, Node<'c>))> = match listed.is_empty() {
            true => beside(code, &statements, own),
            false => {
                let is_meant = |it: Node<'c>| it == name || listed.iter().any(|one| one == it.text(code.text()));
                let all = statements.iter().filter_map(|it| Some((*it, constant(code, *it)?)));
                all.filter(|(_, (found, _))| is_meant(*found)).collect()
            }
        };
        if let Some(missing) = listed.iter().find(|one| !found.iter().any(|(_, (it, _))| it.text(code.text()) == **one))
        {
            return Err(code.refuse(at, format!("`{missing}` is not a constant beside it")));
        }
        if found.len() < 2 {
            let reason = "no other constant of the kind stands beside it: name the others as `constants`".to_owned();
            return Err(Refusal::Missing { param: "constants", reason });
        }
        let names: Vec<&str> = found.iter().map(|(_, (it, _))| it.text(code.text())).collect();
        let short = members(&names);
        let all = found.into_iter().zip(short);
        let all = all.map(|((statement, (name, value)), member)| Constant { name, value, statement, member }).collect();
        Ok(Self { code, class, all })
    }

    /// Refuses constants that are not constant, or are one and the same.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let (code, text) = (self.code, self.code.text());
        let names = ScopedNames::of(code);
        for (at, one) in self.all.iter().enumerate() {
            let refuse = |reason: String| Err(code.refuse(one.name.start(), reason));
            let meaning = names.at(one.name).map(|it| it.meaning);
            if meaning.is_some_and(|it| names.writes(it).count() > 1) {
                return refuse(format!("`{}` is assigned more than once", one.name.text(text)));
            }
            let twin = self.all[..at].iter().find(|it| it.value.text(text) == one.value.text(text));
            if let Some(twin) = twin {
                let twin = twin.name.text(text);
                return refuse(format!(
                    "`{}` and `{twin}` have one value, and would be one member",
                    one.name.text(text)
                ));
            }
            if is_number(one.value) != is_number(self.all[0].value) {
                return refuse("the constants are not all numbers, and not all texts".to_owned());
            }
        }
        Ok(())
    }

    pub(super) fn are_numbers(&self) -> bool {
        is_number(self.all[0].value)
    }

    /// Returns a constant's lines, the comments above and behind it included, and the text that documents it.
    pub(super) fn extent(&self, one: &Constant<'c>) -> Span {
        let whole = one.whole();
        Span::new(comments_above(self.code, whole.start()), documented_end(self.code, whole))
    }
}

impl<'c> Constant<'c> {
    /// Returns the statement with its `export`.
    pub(super) fn whole(&self) -> Node<'c> {
        self.statement.parent().filter(|it| it.is("export_statement")).unwrap_or(self.statement)
    }
}

/// Tells whether a statement is nothing but a text, as those are that document a constant of Python.
fn is_text(statement: Node<'_>) -> bool {
    let mut inside = statement.named_children();
    statement.is("expression_statement") && inside.next().is_some_and(|it| it.is("string")) && inside.next().is_none()
}

/// Reads a statement that does nothing but declare one constant: its name, and its value.
fn constant<'c>(code: &Code, statement: Node<'c>) -> Option<(Node<'c>, Node<'c>)> {
    let is_literal = |it: &Node<'c>| {
        let signed = it.is_any(&["unary_operator", "unary_expression"]);
        let bare = if signed { it.child("argument").unwrap_or(*it) } else { *it };
        bare.is_any(&["integer", "number"])
            || it.is("string") && it.named_children().all(|part| !part.is("interpolation"))
    };
    if code.family() == Family::Python {
        let assignment = statement.named_children().next().filter(|it| it.is("assignment"))?;
        let name = assignment.child("left").filter(|it| it.is("identifier"))?;
        return Some((name, assignment.child("right").filter(is_literal)?));
    }
    if statement.kind().ends_with("field_definition") {
        let is_fixed = statement.child_of_kind("static").is_some();
        let name = statement.child("name").or_else(|| statement.child("property"))?;
        return is_fixed.then_some((name, statement.child("value").filter(is_literal)?));
    }
    let declaration = inner(statement);
    let is_const = declaration.child("kind").is_some_and(|it| it.text(code.text()) == "const")
        || declaration.is("variable_declaration") && code.constant_word() == "var";
    let mut declarators = declaration.named_children();
    let (only, None) = (declarators.next()?, declarators.next()) else { return None };
    let name = only.child("name").filter(|it| it.is("identifier") && is_const)?;
    Some((name, only.child("value").filter(is_literal)?))
}

/// Returns the constants of one kind without anything else between them; those that share the beginning of the name.
fn beside<'c>(code: &Code, statements: &[Node<'c>], own: usize) -> Vec<(Node<'c>, (Node<'c>, Node<'c>))> {
    let read = |at: usize| Some((statements[at], constant(code, statements[at])?));
    let Some(first) = read(own) else { return Vec::new() };
    let is_alike = |it: &(Node<'c>, (Node<'c>, Node<'c>))| is_number(it.1.1) == is_number(first.1.1);
    let before = (0..own).rev().map_while(read).take_while(is_alike);
    let behind = (own + 1..statements.len()).map_while(read).take_while(is_alike);
    let mut all: Vec<(Node<'c>, (Node<'c>, Node<'c>))> = before.chain([first]).chain(behind).collect();
    all.sort_by_key(|(statement, _)| statement.start());
    let word = |it: &(Node<'c>, (Node<'c>, Node<'c>))| {
        it.1.0.text(code.text()).split('_').find(|it| !it.is_empty()).unwrap_or_default().to_owned()
    };
    let is_kin =
        |it: &(Node<'c>, (Node<'c>, Node<'c>))| word(it) == word(&first) && it.1.0.text(code.text()).contains('_');
    if all.iter().filter(|it| is_kin(it)).count() > 1 {
        return all.into_iter().filter(is_kin).collect();
    }
    // Without a word of their own, those belong together that no empty line parts.
    let is_next = |pair: [usize; 2]| !code.text()[pair[0]..pair[1]].contains("\n\n");
    let own = all.iter().position(|it| it.0 == first.0).unwrap_or_default();
    let joins = |at: usize| is_next([all[at].0.end(), all[at + 1].0.start()]);
    let begin = (0..own).rev().take_while(|at| joins(*at)).last().unwrap_or(own);
    let end = (own..all.len() - 1).take_while(|at| joins(*at)).last().map_or(own, |at| at + 1);
    all[begin..=end].to_vec()
}

/// Returns names without the words that all of them begin with.
fn members(names: &[&str]) -> Vec<String> {
    let whole = || names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let first = names[0];
    let shared = first
        .char_indices()
        .take_while(|(at, sign)| names.iter().all(|it| it[..].get(*at..).is_some_and(|it| it.starts_with(*sign))))
        .count();
    let cut = first[..shared.min(first.len())].rfind('_').map_or(0, |at| at + 1);
    let short: Vec<String> = names.iter().map(|it| it[cut..].to_owned()).collect();
    let is_name = |it: &String| {
        !it.is_empty() && !it.starts_with(|sign: char| sign.is_ascii_digit() || sign == '_') && it != "mro"
    };
    if short.iter().all(is_name) { short } else { whole() }
}

fn is_number(value: Node<'_>) -> bool {
    !value.is("string")
}
