//! A function about an object of a library's class, which becomes a method of the subclass.

use super::extension::{Extension, declared};
use crate::lsp::Location;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::items;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::signatures::{Callee, parameters, pattern};
use crate::refactor::refusal::each;
use crate::refactor::source_file::{Code, definition};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(super) struct Method<'c> {
    code: &'c Code,
    name: &'c str,
    function: Node<'c>,
    pub statement: Node<'c>,
    /// The parameter that is the object.
    first: Node<'c>,
    /// Where the function means it.
    places: Vec<Node<'c>>,
}

impl<'c> Method<'c> {
    /// Finds a function of the module by its name; refuses one that cannot have its first parameter for its object.
    pub(super) fn of(extension: &Extension<'c>, name: &str) -> Result<Self, Refusal> {
        let code = extension.code;
        let is_it = |it: &Node<'c>| {
            let is_function = it.is_any(&["function_definition", "function_declaration"]);
            is_function && it.child("name").is_some_and(|it| it.text(code.text()) == name)
        };
        let outermost = |it: &Node<'c>| {
            let outer = definition(*it);
            let whole = outer.parent().filter(|it| it.is("export_statement")).unwrap_or(outer);
            whole.parent() == Some(code.root())
        };
        let function = code.root().descendants().find(|it| is_it(it) && outermost(it));
        let function = function.ok_or_else(|| {
            Refusal::NotPossible(format!("`{name}` is not a function of `{}`, by itself in a statement", code.shown))
        })?;
        let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
        let statement = function.parent().filter(|it| it.is("export_statement")).unwrap_or(function);
        if definition(function) != function {
            return refuse(function, "what decorates it would see another function");
        }
        let Some(first) = parameters((code, function)).first().copied() else {
            return refuse(function, "it takes nothing that could be its object");
        };
        let bound = bound(first);
        if !bound.is("identifier") || first.child("value").is_some() {
            return refuse(first, "its first parameter is not an ordinary one that is always passed");
        }
        let meaning = extension.names.at(bound).map(|it| it.meaning);
        let meaning = meaning.ok_or_else(|| code.refuse(first.start(), "what it takes first is not known"))?;
        if let Some(write) = extension.names.writes(meaning).find(|it| it.span != bound.span()) {
            return Err(code.refuse(write.span.start, "it gives its object another value"));
        }
        let uses = extension.names.of_meaning(meaning).filter(|it| it.span != bound.span());
        let places: Vec<Node<'c>> = uses.map(|it| code.covering(it.span)).collect();
        let own = if code.family() == Family::Python { "self" } else { "this" };
        let is_own = |it: &Node<'_>| it.is_leaf() && it.text(code.text()) == own;
        if let Some(own) = function.descendants().find(is_own) {
            return refuse(own, "it has an object of its own already");
        }
        const OTHERS: &[&str] = &["function_declaration", "function_expression", "method_definition", "class_body"];
        let is_inner = |it: &&Node<'c>| {
            code.family() == Family::Script
                && it.ancestors().take_while(|it| *it != function).any(|it| it.is_any(OTHERS))
        };
        if let Some(inner) = places.iter().find(is_inner) {
            return refuse(*inner, "a function inside it would have another object here");
        }
        let name = function.child("name").map_or("", |it| it.text(code.text()));
        Ok(Self { code, name, function, statement, first, places })
    }

    /// Refuses a name that the class has already.
    pub(super) fn check_free(&self, session: &Session, found: &[Location]) -> Result<(), Refusal> {
        for location in found {
            let there = Code::known(session, &location.path)?;
            let body = declared(&there, location).and_then(|it| it.child("body"));
            let members =
                body.into_iter().flat_map(Node::named_children).map(|it| it.child("definition").unwrap_or(it));
            let has = |it: Node<'_>| it.child("name").is_some_and(|it| it.text(there.text()) == self.name);
            if members.into_iter().any(has) {
                let reason = format!("the class has a `{}`, which it would override", self.name);
                return Err(self.code.refuse(self.function.start(), reason));
            }
        }
        Ok(())
    }

    /// Lets every call ask its first argument.
    pub(super) async fn calls(&self, session: &Session, extension: &Extension<'c>) -> Result<Vec<TextEdit>, Refusal> {
        let callee = Callee::of(session, self.code, self.function).await?;
        callee.check_imports(|_| false)?;
        let places = callee.places()?;
        let calls = places.calls.iter().map(|(user, call)| self.asked(extension, (user, *call)));
        Ok(each(calls)?.into_iter().flatten().collect())
    }

    fn asked(&self, extension: &Extension<'c>, (user, call): (&Code, Node<'_>)) -> Result<Vec<TextEdit>, Refusal> {
        let list = call.child("arguments").unwrap_or(call);
        let is_inside = user.path == self.code.path && extension.moved.iter().any(|it| it.contains(call.span()));
        if is_inside {
            return Err(user.refuse(call.start(), "it is called by a function that becomes a method, too"));
        }
        let arguments: Vec<Node<'_>> = items(list).collect();
        let refuse = |reason: String| Err(user.refuse(call.start(), reason));
        let Some(object) =
            arguments.first().filter(|it| !it.is_any(&["keyword_argument", "list_splat", "spread_element"]))
        else {
            return refuse("what it takes first is not passed first here".to_owned());
        };
        // The trees of two readings of one file are alike.
        let here = self.code.covering(object.span());
        if user.path != self.code.path || !is_made(extension, here) {
            let said = object.text(user.text());
            return refuse(format!(
                "`{said}` may be a plain `{}` here: make it a `{}` first (`replace_all` does where it is made)",
                extension.text(),
                extension.name
            ));
        }
        let callee = call.child("function").unwrap_or(call);
        let behind = arguments.get(1).map_or(list.end() - 1, |it| it.start());
        // What the object is may change within itself: only what stands around it is put anew.
        Ok(vec![
            TextEdit::new(Span::new(callee.start(), object.start()), ""),
            TextEdit::new(Span::new(object.end(), behind), format!(".{}(", self.name)),
        ])
    }

    /// Writes the function as a method.
    pub(super) fn written(&self, base: &str) -> String {
        let (code, is_python) = (self.code, self.code.family() == Family::Python);
        let start = comments_above(code, self.statement.start());
        let own = if is_python { "self" } else { "this" };
        let mut edits: Vec<TextEdit> = self.places.iter().map(|it| TextEdit::new(it.span(), own)).collect();
        let list = self.function.child("parameters");
        let next = list.into_iter().flat_map(Node::named_children).find(|it| it.start() >= self.first.end());
        edits.push(match (is_python, next) {
            (true, _) => TextEdit::new(self.first.span(), "self"),
            (false, Some(next)) => TextEdit::new(Span::new(self.first.start(), next.start()), ""),
            (false, None) => TextEdit::new(self.first.span(), ""),
        });
        if !is_python {
            let word = self.function.children().find(|it| it.kind() == "function");
            let end = word.map_or(self.function.start(), |it| code.next_word(it.end()));
            let word = word.map_or(self.function.start(), Node::start);
            edits.push(TextEdit::new(Span::new(word, end), ""));
            if self.statement != self.function {
                edits.push(TextEdit::new(Span::new(self.statement.start(), self.function.start()), ""));
            }
        }
        edits.sort();
        Layout::of(code).moved_with(Span::new(start, self.statement.end()), base, &edits)
    }
}

/// Returns the name that a parameter binds.
fn bound(parameter: Node<'_>) -> Node<'_> {
    let typed = parameter.named_children().next().filter(|_| parameter.is("typed_parameter"));
    typed.unwrap_or_else(|| pattern(parameter))
}

/// Tells whether an object is made by a call that makes one of the subclass from now on: here, or where its variable is set.
fn is_made(extension: &Extension<'_>, object: Node<'_>) -> bool {
    let maker = object.child("function").or_else(|| object.child("constructor"));
    if maker.is_some() {
        return maker.is_some_and(|it| extension.made.iter().any(|made| made.span() == it.span()));
    }
    let names = extension.names;
    let Some(name) = names.at(object).filter(|it| object.is("identifier") && !it.is_free) else { return false };
    let mut writes = names.writes(name.meaning).map(|it| extension.code.covering(it.span)).peekable();
    writes.peek().is_some()
        && writes.all(|write| {
            let holder =
                write.parent().filter(|it| it.is_any(&["assignment", "assignment_expression", "variable_declarator"]));
            let value = holder.and_then(|it| it.child("right").or_else(|| it.child("value")));
            let is_bare = holder.is_some_and(|it| it.child("type").is_none());
            let is_new = |it: Node<'_>| it.is_any(&["call", "new_expression"]) && is_made(extension, it);
            is_bare && value.is_some_and(is_new)
        })
}
