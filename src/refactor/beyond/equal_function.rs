//! Delegate to an equal function: what does the same as another function calls it, or is imported in its place.
//!
//! ```python
//! def slug(title):                         def slug(title):
//!     words = title.lower().split()            words = title.lower().split()
//!     return "-".join(words)                   return "-".join(words)
//!                                      →
//! def anchor(text):                        def anchor(text):
//!     parts = text.lower().split()             return slug(text)
//!     return "-".join(parts)
//! ```

mod comparison;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, is_alone};
use crate::refactor::analysis::call_sites::{ArgumentSource, Parameter, Passing};
use crate::refactor::analysis::classes::{Class, comments_above, receiver};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_private;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::parameters;
use crate::refactor::analysis::signatures::{Callee, name_of};
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at, function_of};
use crate::session::Session;
use crate::syntax::python::decorators;
use crate::syntax::scopes::Name;
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};
use comparison::{Comparison, Side};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What a function of Python or of a script cannot ask another one to do for it, nor be asked for itself.
const GENERATING: &[&str] = &["yield", "yield_expression"];
/// What answers by where it is asked.
const ALL_SEEING: &[&str] =
    &["__class__", "__file__", "__name__", "__package__", "arguments", "eval", "exec", "locals", "super", "vars"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let given = request.params.needed("to")?;
    let elsewhere = named_file(session, given)?.filter(|other| other.path != code.path);
    let other = elsewhere.as_ref().unwrap_or(&code);
    let delegate = delegate(&code, function, (other, last_name(given)))?;
    let pair = Pair {
        own: Side { code: &code, function, names: ScopedNames::of(&code) },
        other: Side { code: other, function: delegate, names: ScopedNames::of(other) },
        name: last_name(given),
    };
    pair.check_plain()?;
    let found = Comparison::of(session, &pair.own, &pair.other)?;
    if let Some(class) = pair.class() {
        let callee = Callee::of(session, other, delegate).await?;
        let passing = Passing::by_place(session, &callee, (other, delegate), None).await?;
        passing.only((class.code, delegate))?;
    }
    let mut edits = Edits::default();
    match pair.twin() {
        Some(twin) => pair.replaced(session, (twin, &found), &mut edits)?,
        None => {
            let call = pair.call(&found)?;
            edits.add(&code, [pair.delegated(&call)?]);
            pair.import(session, &mut edits)?;
            required::leave(session, &code, &[pair.own.body()?.span()], &mut edits);
        }
    }
    edits.plan()
}

/// A function, and the one that does the same.
struct Pair<'c> {
    own: Side<'c>,
    other: Side<'c>,
    /// What the other one is called.
    name: &'c str,
}

impl<'c> Pair<'c> {
    /// Refuses what another function cannot do in its place.
    fn check_plain(&self) -> Result<(), Refusal> {
        let Side { code, function, .. } = self.own;
        if function.descendants().any(|it| it.is_any(GENERATING)) {
            return Err(code.refuse(function.start(), "it is a generator"));
        }
        if let Some(word) = code.looks_around(function, ALL_SEEING) {
            let reason = format!("`{word}` in it would mean something else in another function");
            return Err(code.refuse(function.start(), reason));
        }
        if self.class().is_none() {
            if let Some(object) = function.descendants().find(|it| it.is_any(&["super", "this"])) {
                return Err(
                    code.refuse(object.start(), "it asks for its object, which the other function does not have")
                );
            }
            if Class::around(code, function).is_some() {
                check_private(code, &[self.own.body()?])?;
            }
        }
        let is_unknown = |mark: &Node<'_>| {
            self.class().is_none() || !matches!(mark.text(code.text()), "@classmethod" | "@staticmethod")
        };
        match decorators(self.other.function).find(is_unknown) {
            Some(mark) => {
                Err(self.other.code.refuse(mark.start(), "something decorates the function that is to be called"))
            }
            None => Ok(()),
        }
    }

    /// Returns the class that the other function is a method of: the own one's, too.
    fn class(&self) -> Option<Class<'c>> {
        let is_method = ModuleFunction::holding(self.other.function).is_none();
        is_method.then(|| Class::around(self.other.code, self.other.function)).flatten()
    }

    /// Returns the own function where it is one of a module, and bears the other one's name: an import can take its place.
    fn twin(&self) -> Option<ModuleFunction<'c>> {
        let own = ModuleFunction::holding(self.own.function)?;
        (own.name.text(self.own.code.text()) == self.name).then_some(own)
    }

    /// Writes the call.
    fn call(&self, found: &Comparison) -> Result<String, Refusal> {
        let Side { code, function, names } = &self.own;
        let own: Vec<Parameter<'_>> = parameters::all(code, *function);
        let mut others = parameters::all(self.other.code, self.other.function).into_iter();
        let (callee, is_bound) = self.callee();
        if is_bound && self.other.code.family() == Family::Python {
            others.next();
        }
        let mut passed = Vec::new();
        let mut is_by_name = false;
        for one in others {
            let written = one.bound();
            let text = written.text(self.other.code.text());
            let refuse = |reason: &str| Err(self.other.code.refuse(one.node.start(), format!("`{text}` {reason}")));
            let meaning = self.other.names.at(written).map(|it| it.meaning);
            let Some(meaning) = meaning.and_then(|it| found.own_meaning(it)) else {
                if one.is_open() {
                    is_by_name = true;
                    continue;
                }
                return refuse("is taken and not used, and nothing can be passed for it");
            };
            let is_it = |it: &&Parameter<'_>| names.at(it.bound()).is_some_and(|it| it.meaning == meaning);
            let Some(given) = own.iter().find(is_it) else { return refuse("is a variable there, and no parameter") };
            let is_rest = |it: &Parameter<'_>| it.way == ArgumentSource::Rest;
            let is_in_place = is_by_name && !one.name.is("dictionary_splat_pattern");
            if is_rest(&one) && (!is_rest(given) || one.name.kind() != given.name.kind() || is_in_place) {
                return refuse("takes all that is left");
            }
            let said = given.bound().text(code.text());
            passed.push(match one.way {
                ArgumentSource::Rest => given.name.text(code.text()).to_owned(),
                _ if !one.is_named() && !is_by_name => said.to_owned(),
                _ if code.family() == Family::Python => format!("{text}={said}"),
                _ => return refuse("stands behind one for which nothing can be passed"),
            });
        }
        Ok(format!("{callee}({})", passed.join(", ")))
    }

    /// Returns what is called, and whether it has its object by that.
    fn callee(&self) -> (String, bool) {
        let Some(class) = self.class() else { return (self.name.to_owned(), false) };
        let is_static = self.own.function.children().any(|it| it.kind() == "static");
        match receiver(self.own.code, self.own.function).filter(|_| !is_static) {
            Some(object) => (format!("{object}.{}", self.name), true),
            None => (format!("{}.{}", class.name(), self.name), false),
        }
    }

    /// Puts the call in the place of the body.
    fn delegated(&self, call: &str) -> Result<TextEdit, Refusal> {
        let Side { code, function, .. } = self.own;
        let body = self.own.body()?;
        let call = if self.own.is_async() { format!("await {call}") } else { call.to_owned() };
        if !body.is_any(&["block", "statement_block"]) {
            return Ok(TextEdit::new(body.span(), call));
        }
        let first = first_statement(body).ok_or_else(|| code.refuse(function.start(), "it does nothing"))?;
        let last = body.named_children().last().unwrap_or(first);
        let above = body.named_children().take_while(|it| *it != first).filter(|it| it.kind().ends_with("comment"));
        let start = above.map(Node::start).next().unwrap_or(first.start());
        let returns = |it: &Node<'_>| it.is("return_statement") && it.named_children().next().is_some();
        let is_own = |it: &Node<'_>| function_of(*it) == Some(function);
        let word = if body.descendants().filter(returns).any(|it| is_own(&it)) { "return " } else { "" };
        Ok(TextEdit::new(Span::new(start, last.end()), format!("{word}{call}{}", ending(code))))
    }

    /// Makes the other function known where it is called.
    fn import(&self, session: &Session, edits: &mut Edits) -> Result<(), Refusal> {
        let (code, other) = (self.own.code, self.other.code);
        let names = &self.own.names;
        let body = self.own.body()?;
        if self.class().is_some() {
            return Ok(());
        }
        let is_hidden = names.named(self.name).any(|it| {
            it.is_binding && names.function_of_meaning(it.meaning).is_some_and(|of| of.span().contains(body.span()))
        });
        let known: Vec<Name> =
            names.named(self.name).filter(|it| it.is_binding && required::home(code, *it).is_none()).collect();
        let is_it = |it: &Name| other.path == code.path || required::imports(session, code, *it, other);
        if is_hidden || !known.iter().all(is_it) {
            return Err(Refusal::NotPossible(format!("`{}` refers to something else in `{}`", self.name, code.shown)));
        }
        if other.path == code.path || !known.is_empty() {
            return Ok(());
        }
        self.reach(session, edits)
    }

    /// Imports the other function.
    fn reach(&self, session: &Session, edits: &mut Edits) -> Result<(), Refusal> {
        let (code, other) = (self.own.code, self.other.code);
        let line = required::of_module(session, (other, code), self.name, required::ImportReader::Run)?;
        edits.import(code, line.map(|(line, _)| line));
        if code.family() == Family::Python {
            return Ok(());
        }
        edits.add(other, required::export(other, self.name)?);
        Ok(())
    }

    /// Lets an import take the place of the own function.
    fn replaced(
        &self,
        session: &Session,
        (twin, found): (ModuleFunction<'c>, &Comparison),
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let code = self.own.code;
        let refuse = |reason: &str| Err(code.refuse(twin.name.start(), reason));
        if !found.takes_alike(&self.own, &self.other) {
            return refuse("the other one has its name, and takes something else: give one of them another name first");
        }
        if decorators(self.own.function).next().is_some() {
            return refuse("the other one has its name, and this one is decorated");
        }
        let definition = if twin.statement == self.own.function { definition(twin.statement) } else { twin.statement };
        if !is_alone(code, definition) {
            return refuse("its declaration shares its lines with something else");
        }
        let is_exported = definition.is("export_statement");
        let is_default = definition.children().any(|it| it.kind() == "default");
        let span = Span::new(comments_above(code, definition.start()), definition.end());
        let end = ending(code);
        edits.add(
            code,
            [match (is_exported, is_default) {
                (false, _) => without_lines(code, span),
                (true, false) => TextEdit::new(span, format!("export {{ {} }}{end}", self.name)),
                (true, true) => TextEdit::new(span, format!("export default {}{end}", self.name)),
            }],
        );
        self.reach(session, edits)?;
        required::leave(session, code, &[span], edits);
        Ok(())
    }
}

/// Returns what ends a statement.
fn ending(code: &Code) -> &'static str {
    if code.family() == Family::Python { "" } else { code.semicolon() }
}

/// Reads the file of a target; a name alone has none.
fn named_file(session: &Session, given: &str) -> Result<Option<Code>, Refusal> {
    let path = given.strip_suffix(last_name(given)).unwrap_or_default().trim_end_matches([':', '#']);
    if path.is_empty() {
        return Ok(None);
    }
    let path = session.root().join(path).map_err(|_| Refusal::NotPossible(format!("there is no file `{path}`")))?;
    Code::read(session, &session.disk().contain(&path)?).map(Some)
}

/// Finds the function that is to be called: a method beside the own one, or one of a module.
fn delegate<'c>(code: &'c Code, function: Node<'c>, (other, name): (&'c Code, &str)) -> Result<Node<'c>, Refusal> {
    let is_named = |it: &Node<'c>| name_of(*it).is_some_and(|it| it.text(other.text()) == name);
    let beside = || {
        let class = Class::around(code, function).filter(|_| other.path == code.path)?;
        let is_method = |it: &Node<'c>| is_any_function(*it) && definition(*it).parent() == Some(class.body);
        class.body.descendants().find(|it| is_method(it) && is_named(it))
    };
    let found = beside().or_else(|| ModuleFunction::called(other, name).map(|it| it.function));
    let none = || {
        Refusal::NotPossible(format!(
            "there is no function `{name}` in `{}`: write one of the file, or `path::name`",
            other.shown
        ))
    };
    match found.ok_or_else(none)? {
        found if found == function && code.path == other.path => {
            Err(code.refuse(found.start(), "it is the function itself"))
        }
        found => Ok(found),
    }
}
