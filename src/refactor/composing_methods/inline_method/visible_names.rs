//! Whether all that a body names is known where it is called, and means the same there.

use super::inlined_function::Inlined;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Call;
use crate::refactor::analysis::classes::{is_class_method, receiver, usage};
use crate::refactor::analysis::imports::required::{hiding, home};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_block, is_class};
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::Span;

/// What Python tells a module about itself.
const OF_MODULE: &[&str] = &["__doc__", "__file__", "__name__", "__package__", "__spec__", "__path__"];

impl<'c> Inlined<'c> {
    /// Returns the names of the body that neither it nor its parameters say what they mean.
    fn outer(&self, part: Span) -> impl Iterator<Item = Name> {
        let names = self.names.within(part);
        names.filter(|it| self.taken_as(*it).is_none() && !self.is_own(*it) && !self.is_inner(*it))
    }

    /// Refuses a call in the same file where names mean something else.
    pub(super) fn check_names(&self, call: &Call<'c>, part: Span) -> Result<(), Refusal> {
        let code = self.signature.code;
        if call.code.path != code.path {
            return Ok(());
        }
        for name in self.outer(part) {
            let said = name.span.of(code.text()).unwrap_or_default();
            if self.is_same_type(call, name) {
                continue;
            }
            if self.names.is_hidden(name, call.node) {
                return Err(call.refuse(format!("`{said}` refers to something else here")));
            }
            let mut bindings = self.names.of_meaning(name.meaning).filter(|it| it.is_binding).peekable();
            let is_unknown = bindings.peek().is_some() && !bindings.any(|it| is_around(code, it, call.node));
            if is_unknown && !name.is_free {
                return Err(call.refuse(format!("`{said}` is not known here")));
            }
        }
        Ok(())
    }

    /// Tells whether a name is that of a type parameter, and of one of the caller's, too: the checker tells whether the call means
    /// another type by it.
    fn is_same_type(&self, call: &Call<'c>, name: Name) -> bool {
        let code = self.signature.code;
        let taken = |function: Node<'c>| {
            let list = function.child("type_parameters").filter(|_| code.is_typed_script());
            list.into_iter().flat_map(Node::named_children).filter_map(|it| it.child("name"))
        };
        let said = name.span.of(code.text());
        let is_it = |it: Node<'c>| self.names.at(it).is_some_and(|it| it.meaning == name.meaning);
        let mut around = call.node.ancestors().filter(|it| is_any_function(*it)).flat_map(taken);
        taken(self.signature.function).any(is_it) && around.any(|it| Some(it.text(code.text())) == said)
    }

    /// Refuses another file in which names of the body mean something else where it is called, or nothing.
    pub(super) fn check_seen_from(&self, user: &Code, calls: &[Span], pieces: &[Span]) -> Result<(), Refusal> {
        let (code, theirs) = (self.signature.code, ScopedNames::of(user));
        for name in pieces.iter().flat_map(|piece| self.outer(*piece)) {
            let said = name.span.of(code.text()).unwrap_or_default();
            if OF_MODULE.contains(&said) || self.names.is_write(name) {
                let reason = format!("`{said}` belongs to this file, and is asked for in `{}`", user.shown);
                return Err(code.refuse(name.span.start, reason));
            }
            if let Some(binding) = hiding(user, &theirs, said, calls) {
                return Err(user.refuse(binding.span.start, format!("`{said}` refers to something else here")));
            }
        }
        let body = self.signature.function.child("body").unwrap_or(self.signature.function);
        match body.descendants().find(|it| is_relative(code, *it)) {
            Some(import) => Err(code.refuse(import.start(), format!("this leads elsewhere from `{}`", user.shown))),
            None => Ok(()),
        }
    }

    /// Refuses a call of a class method that does not say by its name which class it is called on.
    pub(super) fn check_class(&self, call: &Call<'c>) -> Result<(), Refusal> {
        let (Some(class), false) = (&self.signature.class, self.own.is_empty()) else { return Ok(()) };
        if !self.signature.is_marked("classmethod") {
            return Ok(());
        }
        let names = ScopedNames::of(call.code);
        let object = call.callee().child("object").filter(|it| it.is("identifier"));
        if object.is_some_and(|it| is_class_around(call.code, &names, it)) {
            return Ok(());
        }
        let is_class = |binding: Name| {
            let maker = call.code.covering(binding.span).parent();
            let named = class.node.child("name").map(|it| it.text(class.code.text()));
            let is_import = || maker.is_some_and(|it| it.is("dotted_name")) && binding.span.of(names.text()) == named;
            maker.is_some_and(|it| it.is("class_definition")) || is_import()
        };
        let mut bindings = object.and_then(|it| names.at(it)).into_iter().flat_map(|it| names.writes(it.meaning));
        match (bindings.next(), bindings.next()) {
            (Some(only), None) if is_class(only) => Ok(()),
            _ => Err(call.refuse("the class cannot be determined from the call")),
        }
    }

    /// Refuses a call from where the members that the body uses may not be looked at.
    pub(super) fn check_known(&self, call: &Call<'c>) -> Result<(), Refusal> {
        if !self.has_object() {
            return Ok(());
        }
        let code = self.signature.code;
        let object = call.object().ok_or_else(|| call.refuse("it is called on nothing"))?;
        if object.descendants().any(|it| it.text(call.code.text()) == "super") {
            return Err(call.refuse("`super` is not an object that could be asked for the rest"));
        }
        let Some(class) = self.signature.class else { return Ok(()) };
        if call.code.path == code.path && class.node.holds(call.node) {
            return Ok(());
        }
        let used = usage(code, self.signature.function.child("body").unwrap_or(self.signature.function));
        let is_open = |it: &Node<'_>| {
            let members = class.members_named(it.text(code.text()));
            let is_marked = |word: &str| members.iter().any(|member| member.is_marked(code, word));
            code.family() == Family::Python || !members.is_empty() && !is_marked("private") && !is_marked("protected")
        };
        match used.members.iter().find(|it| !is_open(it)).or(used.private.first()) {
            Some(hidden) => {
                Err(call.refuse(format!("`{}` may not be known outside its class", hidden.text(code.text()))))
            }
            None => Ok(()),
        }
    }
}

/// Tells whether a binding is seen from a place.
fn is_around(code: &Code, binding: Name, at: Node<'_>) -> bool {
    let node = code.covering(binding.span);
    if code.family() == Family::Python {
        return home(code, binding).is_none_or(|outer| outer.holds(at));
    }
    let is_named = |outer: &Node<'_>| is_class(*outer) || is_any_function(*outer);
    let own = node.parent().filter(|outer| node.field() == Some("name") && is_named(outer));
    let scope = own.unwrap_or(node).ancestors().find(|outer| is_block(*outer) || is_named(outer));
    scope.is_none_or(|outer| outer.holds(at))
}

/// Tells whether something is found from the place of its file.
fn is_relative(code: &Code, node: Node<'_>) -> bool {
    let text = node.text(code.text());
    let is_called =
        |word: &str| node.is("call_expression") && text.starts_with(word) && text[word.len()..].starts_with('(');
    node.is("relative_import") || is_called("import") || is_called("require")
}

/// Tells whether a name is what a class method around calls its class.
fn is_class_around(code: &Code, names: &ScopedNames<'_>, object: Node<'_>) -> bool {
    let is_it = |function: Node<'_>| {
        is_class_method(code, function) && receiver(code, function) == Some(object.text(code.text()))
    };
    let is_alone = || names.at(object).is_some_and(|name| names.writes(name.meaning).count() == 1);
    function_of(object).is_some_and(is_it) && is_alone()
}
