//! One expression in the place of a call, wherever that stands.

use super::call_site::awaited;
use super::inlined_function::{Argument, Inlined, Placed, is_plain, is_single, is_steady};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Call;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap, evaluated_once, reach, reach_before};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::substitution::{check_callee, fitted, in_place};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class, squeezed};
use crate::syntax::python::needs_brackets;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

impl<'c> Inlined<'c> {
    pub(super) fn put_expression(&self, call: &Call<'c>, value: Node<'c>) -> Result<Placed, Refusal> {
        let node = awaited(call, self.is_async)?;
        let names = ScopedNames::of(call.code);
        self.check_passed(call)?;
        self.check_bindings(call, value)?;
        let mut edits = self.own_object(call, &names)?;
        let mut arguments: Vec<(usize, Argument<'c>)> =
            (0..self.taken.len()).map(|at| Ok((at, self.argument(call, at)?))).collect::<Result<_, Refusal>>()?;
        arguments.sort_by_key(|(_, it)| (it.is_default, it.node.start()));
        let mut last = value.start();
        let mut gone = Vec::new();
        for (at, argument) in arguments {
            self.check_argument((call, &names), value, (at, argument), &mut last)?;
            if self.taken[at].places.is_empty() {
                gone.push(argument.node.span());
            }
            for place in &self.taken[at].places {
                edits.push(self.stand_in(argument, *place)?);
            }
        }
        let said = self.written(value.span(), &mut edits, (call.code, call.node));
        let said = fitted(call.code, &said, call.node)?;
        let parent = node.parent().unwrap_or(node);
        let is_statement = parent.is("expression_statement");
        if is_statement && call.code.family() == Family::Script && !said.starts_with(|it: char| it.is_alphabetic()) {
            return Err(call.refuse("its result is not used here, and its expression cannot be a statement"));
        }
        let said = self.awaiting(value, said);
        let is_bare = is_statement && !(call.code.family() == Family::Python && needs_brackets(&said));
        let said = if is_bare { said } else { in_place(call.code, value, said, node) };
        Ok(Placed { edits: vec![TextEdit::new(node.span(), said)], gone, types: Vec::new() })
    }

    /// Writes a part of the body as it reads where something stands: the call, or its statement.
    pub(super) fn written(&self, part: Span, edits: &mut [TextEdit], (user, place): (&Code, Node<'_>)) -> String {
        let code = self.signature.code;
        edits.sort_by_key(|edit| edit.span);
        let inside: Vec<TextEdit> = edits.iter().filter(|edit| part.contains(edit.span)).cloned().collect();
        let said = Layout::of(code).moved_with(part, user.indent(place.start()), &inside);
        if code.newline() == user.newline() {
            return said;
        }
        said.replace("\r\n", "\n").replace('\n', user.newline())
    }

    /// A script waits for what an async function returns.
    pub(super) fn awaiting(&self, value: Node<'c>, said: String) -> String {
        let is_atom = value.is_any(&["call_expression", "identifier", "member_expression", "parenthesized_expression"]);
        match self.is_async && self.signature.code.family() == Family::Script && !value.is("await_expression") {
            true if is_atom => format!("await {said}"),
            true => format!("await ({said})"),
            false => said,
        }
    }

    /// Refuses names of the expression that would belong to what is around the call, or be looked up in a class.
    fn check_bindings(&self, call: &Call<'c>, value: Node<'c>) -> Result<(), Refusal> {
        if let Some(bound) = value.walk_until(is_any_function).find(|it| it.is("named_expression")) {
            return Err(self.signature.code.refuse(bound.start(), "the variable would be one of the function around"));
        }
        let is_inner = |it: &Node<'c>| is_any_function(*it) || it.kind().ends_with("comprehension");
        let around = call.node.ancestors().find(|it| is_any_function(*it) || is_class(*it));
        let is_in_class = call.code.family() == Family::Python && around.is_some_and(is_class);
        let has_inner = value.descendants().any(|it| is_inner(&it) || it.is("generator_expression"));
        match is_in_class && has_inner {
            true => Err(call.refuse("names of a class are not known in what is inside it")),
            false => Ok(()),
        }
    }

    /// Puts the object of a call in the place of the method's own one.
    fn own_object(&self, call: &Call<'c>, names: &ScopedNames<'c>) -> Result<Vec<TextEdit>, Refusal> {
        let Some(object) = call.object().filter(|_| self.has_object()) else {
            return Ok(Vec::new());
        };
        if !object.is_any(&["identifier", "this"]) && !self.is_unasked(object) {
            return Err(
                call.refuse("the object is not an ordinary name: it would come to be evaluated at another time")
            );
        }
        if self.own.iter().any(|it| self.is_kept(*it)) && !is_single(names, call.code, object) {
            return Err(call.refuse("a function inside it keeps the object"));
        }
        if !self.own.is_empty() && self.captures(names, object) {
            return Err(call.refuse("what it is called on refers to something else inside it"));
        }
        let said = object.text(call.code.text());
        Ok(self.own.iter().map(|it| TextEdit::new(it.span(), said)).collect())
    }

    /// Tells whether what a method is called on is a class by its full name, which nothing asks for.
    pub(super) fn is_unasked(&self, object: Node<'c>) -> bool {
        let is_member = |it: &Node<'c>| it.is_any(&["attribute", "member_expression"]);
        let root = std::iter::successors(Some(object), |it| it.child("object").filter(|_| is_member(it))).last();
        let is_of_class = ["static", "staticmethod", "classmethod"].iter().any(|it| self.signature.is_marked(it));
        self.own.is_empty() && is_of_class && root.is_some_and(|it| it.is("identifier"))
    }

    /// Refuses an argument that would not be evaluated once, in its order, and before all else.
    fn check_argument(
        &self,
        (call, names): (&Call<'c>, &ScopedNames<'c>),
        value: Node<'c>,
        (at, argument): (usize, Argument<'c>),
        last: &mut usize,
    ) -> Result<(), Refusal> {
        let (code, taken, node) = (self.signature.code, &self.taken[at], argument.node);
        let refuse = |reason: &str| Err(argument.code.refuse(node.start(), reason));
        if taken.is_set {
            return refuse("the parameter is reassigned");
        }
        if is_plain(node) {
            return Ok(());
        }
        let far = reach(names, call.code, node);
        let is_kept = taken.places.iter().any(|it| self.is_kept(*it));
        if self.captures(names, node) {
            return refuse("a name in it means something else inside");
        }
        match taken.places.as_slice() {
            _ if is_steady(names, call, node) && (!is_kept || self.may_keep(names, call, (node, taken))) => Ok(()),
            _ if is_kept => refuse("a function inside it would keep what is passed"),
            _ if is_field(names, call, node) && self.is_calm((call, names), value) => Ok(()),
            [] if far != ExpressionReach::Acts => Ok(()),
            [one] if *one == value => Ok(()),
            [one] => {
                if let Err(reason) = evaluated_once(code, value, *one) {
                    return refuse(reason);
                }
                let before = reach_before(&self.names, code, value, *one);
                if one.start() < *last || !can_swap(before, far) {
                    return refuse("it would come to be evaluated after what can change it");
                }
                *last = one.start();
                Ok(())
            }
            _ => refuse(&self.repeated(at, argument)),
        }
    }

    /// Tells whether neither the expression nor what is passed to it changes anything: fields that it asks for are the same
    /// whenever, and however often, it does so.
    fn is_calm(&self, (call, names): (&Call<'c>, &ScopedNames<'c>), value: Node<'c>) -> bool {
        let acts = |names: &ScopedNames<'c>, code, node| reach(names, code, node) == ExpressionReach::Acts;
        !acts(&self.names, self.signature.code, value) && !call.list.iter().any(|it| acts(names, call.code, *it))
    }

    /// Says why an argument would not be evaluated once.
    fn repeated(&self, at: usize, argument: Argument<'c>) -> String {
        let said = squeezed(argument.node.text(argument.code.text()));
        let taken = self.signature.parameters[at].name.text(self.signature.code.text());
        let how = match self.taken[at].places.len() {
            0 => "would not be evaluated any more, and may act: take it out of the call first".to_owned(),
            times => format!("would be evaluated {times} times: put it into a variable first"),
        };
        format!("`{said}`, which this call passes for `{taken}`, {how}")
    }

    /// Tells whether a name of an expression of the caller's is bound in the body by what keeps its name.
    pub(super) fn captures(&self, names: &ScopedNames<'c>, node: Node<'c>) -> bool {
        let code = self.signature.code;
        let bound = |text: &str| {
            let mut all = self.names.within(self.body.extent).filter(|it| it.is_binding);
            all.any(|it| it.span.of(code.text()) == Some(text) && !self.is_local(it))
        };
        let text = names.text();
        names.within(node.span()).any(|it| it.span.of(text).is_some_and(bound))
    }

    /// Puts what is passed where it is taken.
    pub(super) fn stand_in(&self, argument: Argument<'c>, place: Node<'c>) -> Result<TextEdit, Refusal> {
        const MEMBERS: &[&str] =
            &["member_expression", "non_null_expression", "parenthesized_expression", "subscript_expression"];
        let (code, node) = (self.signature.code, argument.node);
        let parent = place.parent().unwrap_or(place);
        let said = node.text(argument.code.text());
        if node.is_any(MEMBERS) {
            check_callee(code, place)?;
        }
        let is_same = parent.is("comparison_operator") && parent.children().any(|it| it.kind().starts_with("is"));
        if is_same && is_plain(node) && !node.is_any(&["none", "true", "false"]) {
            return Err(code.refuse(place.start(), "no value is the same as one that is written out"));
        }
        let moved = lines_moved(argument);
        let said = in_place(code, node, fitted(code, moved.as_deref().unwrap_or(said), place)?, place);
        let is_short = place.is("shorthand_property_identifier");
        let said = if is_short { format!("{}: {said}", place.text(code.text())) } else { said };
        Ok(TextEdit::new(place.span(), said))
    }
}

/// Returns an argument that begins a line and takes several as it reads where its call begins; nothing for another one.
fn lines_moved(argument: Argument<'_>) -> Option<String> {
    let (code, node) = (argument.code, argument.node);
    let call = node.ancestors().find(|it| it.is_any(&["call", "call_expression"]) && !argument.is_default)?;
    let begins = code.text()[code.line_start(node.start())..node.start()].trim().is_empty();
    (begins && node.text(code.text()).contains('\n'))
        .then(|| Layout::of(code).moved(node.span(), code.indent(call.start())))
}

/// Tells whether an expression asks a variable, or the object itself, for a field, and that for another one.
fn is_field<'c>(names: &ScopedNames<'c>, call: &Call<'c>, node: Node<'c>) -> bool {
    let is_member = |it: &Node<'c>| {
        it.is_any(&["attribute", "member_expression"]) && !it.children().any(|it| it.is("optional_chain"))
    };
    let root = std::iter::successors(Some(node), |it| it.child("object").filter(|_| is_member(it))).last();
    is_member(&node) && root.is_some_and(|root| !is_member(&root) && is_steady(names, call, root))
}
