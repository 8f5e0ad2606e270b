//! A function that stands in another one becomes one of the module, or a method of the class around, and takes what it uses of
//! that.
//!
//! ```python
//! def bill(prices, rate):                      def taxed(rate, price):
//!     def taxed(price):                            return price * rate
//!         return price * rate          →
//!     return [taxed(it) for it in prices]      def bill(prices, rate):
//!                                                  return [taxed(rate, it) for it in prices]
//! ```

mod home;
mod inner;

use self::home::Home;
pub(super) use self::inner::Inner;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::analysis::inferred_types::annotation;
use crate::refactor::analysis::parameters::{all, put_all_first};
use crate::refactor::analysis::signatures::is_literal;
use crate::refactor::doubts::in_doubt;
use crate::refactor::refusal::each;
use crate::refactor::request::Request;
use crate::refactor::scopes::{ScopedNames, function_of_name};
use crate::refactor::source_file::{Code, function_of, is_lone_string};
use crate::session::Session;
use crate::syntax::kinds::Role;
use crate::syntax::scopes::Name;
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

/// What a script can call above its declaration.
const HOISTED: &[&str] = &["function_declaration", "generator_function_declaration"];
/// What calls a function that it is passed, and keeps it no longer.
const CALLING: &[&str] = &[
    // Python's, with those of `functools`, `itertools` and `re`.
    "dropwhile",
    "filter",
    "filterfalse",
    "groupby",
    "map",
    "max",
    "min",
    "reduce",
    "sort",
    "sorted",
    "starmap",
    "sub",
    "subn",
    "takewhile",
    // Scripts'.
    "catch",
    "every",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "from",
    "reduceRight",
    "replace",
    "replaceAll",
    "some",
    "then",
    "toSorted",
];

/// The function on its way.
struct Nested<'c> {
    session: &'c Session,
    code: &'c Code,
    names: &'c ScopedNames<'c>,
    inner: Inner<'c>,
    own: Name,
    home: Home<'c>,
}

/// Something of the function around that it uses.
struct Captured<'c> {
    name: Name,
    text: &'c str,
    /// As it is taken, with its type where that is known.
    parameter: String,
}

pub(super) async fn plan(
    session: &Session,
    request: &Request,
    (code, inner): (&Code, Inner<'_>),
) -> Result<Plan, Refusal> {
    let names = &ScopedNames::of(code);
    inner.check(code)?;
    let own = names.at(inner.name).filter(|it| names.writes(it.meaning).count() == 1);
    let own = own.ok_or_else(|| code.refuse(inner.name.start(), "it is declared more than once"))?;
    let old = own.span.of(code.text()).unwrap_or_default();
    let new = Some(request.params.text("name")).filter(|it| !it.is_empty()).unwrap_or(old);
    let home = Home::of((code, names), &inner, own, request.params.needed("to")?)?;
    let nested = Nested { session, code, names, inner, own, home };
    nested.check_free(new).await?;
    let captured = nested.captured().await?;
    nested.check_early()?;
    let taken: Vec<&str> = captured.iter().map(|it| it.parameter.as_str()).collect();
    let mut inside = nested.home.head(code, &inner, (new, &taken));
    let mut edits = Edits::default();
    for edit in nested.used(new, &captured)? {
        match inner.statement.span().contains(edit.span) {
            true => inside.push(edit),
            false => edits.add(code, [edit]),
        }
    }
    inside.sort_by_key(|it| it.span);
    let lines = Span::new(comments_above(code, inner.statement.start()), inner.statement.end());
    edits.add(code, [nested.home.put(code, &inner, (lines, &inside)), nested.left(lines)]);
    edits.plan()
}

impl<'c> Nested<'c> {
    /// Refuses a name that means something else in the class, or in the module or a function around.
    async fn check_free(&self, new: &str) -> Result<(), Refusal> {
        let Self { session, code, names, own, .. } = *self;
        let function = self.inner.function;
        if let Home::Class(home) = &self.home {
            return home.check_free(session, new).await;
        }
        let is_around = |scope: Node<'_>| scope.span().contains(function.span());
        let is_seen = |it: &Name| it.is_free || names.function_of_meaning(it.meaning).is_none_or(is_around);
        let mut others = names.outside_classes(new).filter(|it| it.meaning != own.meaning);
        match others.find(is_seen) {
            Some(it) => Err(code.refuse(it.span.start, format!("`{new}` is already in use: give another `name`"))),
            None => Ok(()),
        }
    }

    /// Takes its lines out, with the empty ones that set it apart.
    fn left(&self, lines: Span) -> TextEdit {
        let (code, start) = (self.code, self.code.line_start(lines.start));
        let is_comment = |it: &Node<'_>| it.kind().ends_with("comment");
        let statement = self.inner.statement;
        let first = statement.parent().and_then(|it| it.named_children().find(|it| !is_comment(it)));
        let docstring = first.filter(|it| code.family() == Family::Python && is_lone_string(*it));
        let is_next = |it: Node<'_>| code.text()[it.end()..start].trim().is_empty();
        let before = code.text()[..start].trim_end();
        if first == Some(statement) && before.ends_with([':', '{']) {
            return TextEdit::new(Span::new(start, code.line_start(code.next_word(lines.end))), "");
        }
        if docstring.is_some_and(is_next) {
            let end = code.line_start(code.next_word(lines.end));
            return TextEdit::new(Span::new(code.next_line(before.len()), end), "");
        }
        without_lines(code, lines)
    }

    /// Returns what it uses of functions around, in the order of its first uses.
    async fn captured(&self) -> Result<Vec<Captured<'c>>, Refusal> {
        let mut captured: Vec<Captured<'c>> = Vec::new();
        let span = self.inner.statement.span();
        for name in self.names.within(span) {
            let is_known = name.meaning == self.own.meaning
                || self.home.has(name.meaning)
                || captured.iter().any(|it| it.name.meaning == name.meaning);
            let scope = self.names.function_of_meaning(name.meaning).filter(|it| !span.contains(it.span()));
            if let Some(scope) = scope.filter(|_| !name.is_free && !is_known) {
                captured.push(self.passed(name, scope).await?);
            }
        }
        Ok(captured)
    }

    /// Tells how something of a function around comes to be passed: its value when this one is called has to be the one that is
    /// used.
    async fn passed(&self, name: Name, scope: Node<'_>) -> Result<Captured<'c>, Refusal> {
        let Self { code, names, .. } = *self;
        let function = self.inner.function;
        let text = name.span.of(code.text()).unwrap_or_default();
        let refuse = |reason: String| Err(code.refuse(name.span.start, reason));
        if names.writes(name.meaning).any(|it| function.span().contains(it.span)) {
            return refuse(format!("it sets `{text}` of the function around"));
        }
        let is_later = function.child_of_kind("async").is_some()
            || function.descendants().any(|it| is_any_function(it) || it.kind().starts_with("yield"));
        let is_repeated = |it: Name| code.covering(it.span).ancestors().any(|it| it.has(Role::Loop));
        let varies = names.writes(name.meaning).count() > 1 || names.writes(name.meaning).any(is_repeated);
        let is_set_there = |it: Name| function_of_name(code.covering(it.span)) == Some(scope);
        if !names.writes(name.meaning).all(is_set_there) || is_later && varies {
            return refuse(format!("`{text}` may be another one when it is used than when this is called"));
        }
        let used = code.covering(name.span);
        if !used.is("identifier") {
            return refuse(format!("`{text}` is a type of the function around"));
        }
        let typed = annotation(self.session, code, names, used).await?;
        // What is a type of the function around, too, is unknown outside of it.
        let of = names.writes(name.meaning).next().map(|it| code.covering(it.span)).and_then(Node::parent);
        let is_inner = |it: Name| !it.is_free && names.function_of_meaning(it.meaning).is_some();
        let is_inner_type = |of: Node<'_>| of.child("type").is_some_and(|it| names.within(it.span()).any(is_inner));
        let typed = if of.is_some_and(is_inner_type) { String::new() } else { typed };
        let parameter = format!("{text}{typed}");
        Ok(Captured { name, text, parameter })
    }

    /// Refuses what would be worked out once, while the module is loaded.
    fn check_early(&self) -> Result<(), Refusal> {
        let Self { code, names, .. } = *self;
        let (function, at) = (self.inner.function, self.home.types_end(code, &self.inner));
        if code.family() != Family::Python {
            return self.check_called_early(at);
        }
        let parameters = all(code, function);
        let default = parameters.iter().filter_map(|it| it.default).find(|it| !is_literal(*it));
        if let Some(default) = default {
            return Err(
                code.refuse(default.start(), "the default is worked out each time that the function around is called")
            );
        }
        let types = parameters.iter().filter_map(|it| it.of).chain(function.child("return_type"));
        let is_below = |it: &Name| !it.is_free && names.writes(it.meaning).all(|write| write.span.start > at);
        let below = types.flat_map(|it| names.within(it.span()).collect::<Vec<_>>()).find(is_below);
        match below.filter(|_| !code.postpones_annotations()) {
            Some(it) => Err(code.refuse(it.span.start, "the type is declared below the function around")),
            None => Ok(()),
        }
    }

    /// Refuses a variable of the module that may be asked for before it is there: what is declared below can be called above.
    fn check_called_early(&self, at: usize) -> Result<(), Refusal> {
        let Self { code, names, .. } = *self;
        let is_hoisted = |it: Name| {
            let mut bound = names.writes(it.meaning).map(|it| code.covering(it.span));
            bound.any(|it| it.parent().is_some_and(|it| it.is_any(HOISTED) && it.child("name").is_some()))
        };
        let asks = |it: &Name| {
            !it.is_binding && !it.is_free && function_of(code.covering(it.span)).is_none() && is_hoisted(*it)
        };
        let is_value = self.inner.is_value() && matches!(self.home, Home::Module);
        match names.within(Span::new(0, at)).find(asks).filter(|_| is_value) {
            Some(it) => in_doubt(code, it.span, "a function is called here that may need it before it is there"),
            None => Ok(()),
        }
    }

    /// Changes its uses: all of them are calls, where something has to be passed.
    fn used(&self, new: &str, captured: &[Captured<'_>]) -> Result<Vec<TextEdit>, Refusal> {
        let Self { code, names, own, .. } = *self;
        let passed: Vec<&str> = captured.iter().map(|it| it.text).collect();
        let mut edits = Vec::new();
        let mut used = Vec::new();
        for one in names.of_meaning(own.meaning).filter(|it| it.span != own.span) {
            let (node, old) = (code.covering(one.span), one.span.of(code.text()).unwrap_or_default());
            let is_key = node.is("shorthand_property_identifier");
            let said = self.home.said(code, (&self.inner, node), new)?;
            let text = if is_key { format!("{old}: {said}") } else { said.clone() };
            edits.extend((old != said).then(|| TextEdit::new(one.span, text)));
            let call = node
                .parent()
                .filter(|it| it.is_any(&["call", "call_expression"]) && it.child("function") == Some(node));
            let arguments = call.and_then(|it| it.child("arguments"));
            used.push(match (arguments, captured.first()) {
                (Some(arguments), _) => {
                    edits.extend(put_all_first(code, arguments, &passed));
                    let is_other = |it: &&Captured<'_>| names.is_hidden(it.name, node) || self.is_set_below(it, node);
                    let other = captured.iter().find(is_other);
                    other
                        .map_or(Ok(()), |it| Err(code.refuse(node.start(), format!("`{}` is not known here", it.text))))
                }
                (None, Some(it)) => {
                    Err(code.refuse(node.start(), format!("it is handed on here, and uses `{}`", it.text)))
                }
                (None, None) if is_called_there(code, node) => Ok(()),
                (None, None) => {
                    in_doubt(code, one.span, "it is handed on here: one function for all calls of the one around")
                }
            });
        }
        each(used)?;
        Ok(edits)
    }

    /// Tells whether a call outside stands above all that gives something its value.
    fn is_set_below(&self, captured: &Captured<'_>, call: Node<'_>) -> bool {
        let is_below = |write: Name| write.span.start > call.start();
        !self.inner.function.span().contains(call.span()) && self.names.writes(captured.name.meaning).all(is_below)
    }
}

/// Tells whether a function is passed to what only calls it.
fn is_called_there(code: &Code, node: Node<'_>) -> bool {
    let passed =
        node.parent().filter(|it| it.is("keyword_argument") && it.child("value") == Some(node)).unwrap_or(node);
    let call = passed.parent().filter(|it| it.is_any(&["argument_list", "arguments"])).and_then(Node::parent);
    let called = call.and_then(|it| it.child("function")).map(|it| last_name(it.text(code.text())));
    called.is_some_and(|it| CALLING.contains(&it))
}
