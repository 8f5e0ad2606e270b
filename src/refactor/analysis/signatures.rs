//! A function with everything that declares and calls it, for changes of its parameters.

use std::collections::BTreeSet;

use super::call_arity::can_take;
use super::called_objects::{self, CALL};
use super::classes::Class;
use super::edits::Edits;
use super::imports::offers::{Offering, doubt_taken, is_import};
use super::parameters::{list, listed};
use super::references::{Use, UseKind, Uses};
use crate::plan::{Warning, WarningKind};
use crate::refactor::commonjs::{exported_member, is_handed_out, is_passed_on};
use crate::refactor::params::UNTYPED;
use crate::refactor::refusal::{both, each, refuse_all};
use crate::refactor::rename::test_doubles;
use crate::refactor::request::Request;
use crate::refactor::source_file::{Code, definition};
use crate::refactor::{Refusal, rename};
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::syntax::{Family, Node, declarations, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

/// Everything that has to change with the parameters of one function.
pub(crate) struct Callee {
    uses: Uses,
    pub warnings: Vec<Warning>,
}

/// What holds the parameters, or the arguments, in its file.
pub(crate) type ListOwner<'c> = (&'c Code, Node<'c>);

/// The signatures of a function, those that override it included, and its calls.
#[derive(Default)]
pub(crate) struct Places<'c> {
    pub signatures: Vec<ListOwner<'c>>,
    pub calls: Vec<ListOwner<'c>>,
    /// Where the function is handed on, to be called by others.
    pub handed: Vec<ListOwner<'c>>,
    /// Where a test sets it to something that takes whatever is passed.
    pub mocked: Vec<ListOwner<'c>>,
}

impl Places<'_> {
    /// Tells of what stands in the place of the function in tests, for a change of what it takes.
    pub(crate) fn told_mocks(&self, name: &str) -> Vec<Warning> {
        let told = self.mocked.iter().map(|(code, node)| {
            let message = format!("`{name}` is set to a mock here, which takes whatever is passed");
            Warning::at(WarningKind::Unproven, message, code.path.clone(), code.parsed().text.range(node.span()))
        });
        told.collect()
    }
}

/// What a call takes its method from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// From an object, which is no argument; functions are called so, too.
    Bound,
    /// From a class: the object is the first argument.
    Unbound,
    /// By an heir whose constructor keeps so many of the arguments that stand first, and hands on all that follow.
    Forwarded(usize),
}

impl CallForm {
    /// Returns how many arguments stand before those that parameters take.
    pub(crate) fn arguments_ahead(self) -> usize {
        match self {
            Self::Bound => 0,
            Self::Unbound => 1,
            Self::Forwarded(kept) => kept,
        }
    }
}

/// What becomes of calls on objects of unknown type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UntypedCalls {
    Doubted,
    /// Taken for calls of the function.
    Taken,
}

impl UntypedCalls {
    pub(crate) fn of(request: &Request) -> Self {
        if request.params.flag(UNTYPED.name) { Self::Taken } else { Self::Doubted }
    }
}

/// Tells whether a call of Python passes something by its place first, which is the object where the method is taken from a
/// class.
pub(crate) fn passes_object(call: Node<'_>) -> bool {
    let first = call.child("arguments").and_then(|list| list.named_children().next());
    first.is_some_and(|it| !it.is_any(&["dictionary_splat", "keyword_argument", "list_splat"]))
}

/// What is a signature without a body.
const BARE: &[&str] = &["method_signature", "abstract_method_signature", "function_signature"];

impl Callee {
    /// Finds every place of a function. One that nobody can tell, or that no server sees, refuses.
    pub(crate) async fn of(session: &Session, code: &Code, function: Node<'_>) -> Result<Self, Refusal> {
        Self::with_untyped(session, (code, function), UntypedCalls::Doubted).await
    }

    /// As [`Self::of`], with the calls on objects of unknown type where they are wanted.
    pub(crate) async fn with_untyped(
        session: &Session,
        place: ListOwner<'_>,
        untyped: UntypedCalls,
    ) -> Result<Self, Refusal> {
        Self::changed(session, place, untyped, |_, _| false).await
    }

    /// As [`Self::with_untyped`], for a change for which nobody need know what calls mean that it leaves as they are.
    pub(crate) async fn changed(
        session: &Session,
        (code, function): ListOwner<'_>,
        untyped: UntypedCalls,
        stays: impl Fn(&Code, Node<'_>) -> bool,
    ) -> Result<Self, Refusal> {
        let mut callee = Self::known(session, code, function).await?;
        callee.leave(session, stays)?;
        let taken = callee.take(session, untyped).await?;
        let certain = callee.be_certain(session, code, function).await;
        both(certain, callee.be_apart(session).await)?;
        callee.warnings.extend(taken);
        Ok(callee)
    }

    /// Leaves calls of unknown meaning out that stay as they are, whatever they mean.
    pub(crate) fn leave(&mut self, session: &Session, stays: impl Fn(&Code, Node<'_>) -> bool) -> Result<(), Refusal> {
        let staying = self.uses.other_calls(session, stays)?;
        self.uses.leave_out(staying);
        Ok(())
    }

    /// Takes calls on objects of unknown type along where they are wanted, and tells of them.
    pub(crate) async fn take(&mut self, session: &Session, untyped: UntypedCalls) -> Result<Vec<Warning>, Refusal> {
        match untyped {
            UntypedCalls::Taken => self.uses.take_untyped(session).await,
            UntypedCalls::Doubted => Ok(Vec::new()),
        }
    }

    /// Doubts calls that mean the method of another class, too.
    pub(crate) async fn be_apart(&mut self, session: &Session) -> Result<(), Refusal> {
        self.warnings.extend(self.uses.apart(session).await?);
        Ok(())
    }

    /// Finds the places of a function that a server knows; others may call it, too.
    pub(crate) async fn known(session: &Session, code: &Code, function: Node<'_>) -> Result<Self, Refusal> {
        let name = called(code, function)?;
        if name.text(code.text()) == "constructor" {
            return Err(code.refuse(name.start(), "subclasses call its constructor, too"));
        }
        Self::placed(session, Uses::with_twins(session, code, name.start()).await?)
    }

    /// As [`Self::known`], of a function that goes on to take what it took: those of a library that it overrides may stay.
    pub(crate) async fn extended(session: &Session, code: &Code, function: Node<'_>) -> Result<Self, Refusal> {
        let name = called(code, function)?;
        Self::placed(session, Uses::inside(session, code, name.start()).await?)
    }

    fn placed(session: &Session, uses: Uses) -> Result<Self, Refusal> {
        let mut uses = uses.with_takers(session)?;
        check_stubs(session, &uses)?;
        let cannot_be = |code: &Code, call: Node<'_>| {
            let declared = uses.iter().filter(|(_, one)| one.kind == UseKind::Definition);
            let mut signatures = declared.map(|(home, one)| (home, signature(one.node(home))));
            signatures.all(|(home, it)| it.is_some_and(|it| !can_take((home, it), (code, call))))
        };
        if uses.iter().any(|(code, _)| code.family() == Family::Python) {
            let others = uses.other_calls(session, cannot_be)?;
            uses.leave_out(others);
        }
        Ok(Self { uses, warnings: Vec::new() })
    }

    /// Refuses where somebody else may call it, too.
    pub(crate) async fn be_certain(
        &mut self,
        session: &Session,
        code: &Code,
        function: Node<'_>,
    ) -> Result<(), Refusal> {
        let name = called(code, function)?;
        let mut warnings = self.uses.certain(session).await?;
        warnings.extend(self.uses.in_documents(session)?);
        let names: BTreeSet<&str> =
            self.uses.iter().filter_map(|(code, one)| one.span.of(code.text())).filter(|it| is_word(it)).collect();
        let mut doubles = Vec::new();
        for name in names.into_iter().chain([name.text(code.text())]).collect::<BTreeSet<_>>() {
            doubles.extend(test_doubles::told(session, code.family(), name)?);
        }
        let declared = declarations(&code.parsed().tree, code.text()).into_iter();
        let own = declared.filter(|one| one.name_span == name.span()).map(|one| one.path).collect();
        let twins = rename::platform_twins_of(session, &code.path, &own)?;
        self.warnings = warnings.into_iter().chain(doubles).chain(twins).collect();
        if code.family() == Family::Python && self.name() == CALL {
            self.find_called(session, code).await?;
        }
        Ok(())
    }

    /// Finds the calls of the objects whose `__call__` it is.
    async fn find_called(&mut self, session: &Session, code: &Code) -> Result<(), Refusal> {
        let declared = self.uses.iter().filter(|(_, one)| one.kind == UseKind::Definition);
        let classes: Vec<Class<'_>> = declared.filter_map(|(code, one)| Class::around(code, one.node(code))).collect();
        if classes.is_empty() {
            return Ok(());
        }
        let (called, warnings) = called_objects::found(session, (code, &classes)).await?;
        self.uses.add_calls(session, called)?;
        self.warnings.extend(warnings);
        Ok(())
    }

    /// Returns what the function is called.
    pub(crate) fn name(&self) -> &str {
        &self.uses.name
    }

    /// Refuses where a function that goes away is known without being called: handed on, spelled, imported into a
    /// file for which `calls` does not hold.
    pub(crate) fn check_imports(&self, calls: impl Fn(&AbsPath) -> bool) -> Result<(), Refusal> {
        let is_kept = |code: &Code, kind: UseKind| match kind {
            UseKind::Export | UseKind::Text | UseKind::Type => true,
            UseKind::Import => !calls(&code.path),
            _ => false,
        };
        let is_handed_out = |code: &Code, one: &Use| is_handed_out(code, one.node(code));
        let kept = self.uses.iter().filter(|(code, one)| is_kept(code, one.kind) || is_handed_out(code, one));
        let refuse = |(code, one): (&Code, &Use)| {
            let done = if is_handed_out(code, one) { UseKind::Export } else { one.kind };
            self.uncalled(code, one, done)
        };
        refuse_all(kept.map(refuse))
    }

    fn uncalled(&self, code: &Code, one: &Use, done: UseKind) -> Refusal {
        code.refuse(one.span.start, format!("`{}` is {} here, and not called", self.uses.name, done.said()))
    }

    /// Takes out what imports and hands on a function that goes away, from the file that declares it and, in doubt, from others;
    /// of a file that `calls` it, ES imports are left to those who know what else needs them.
    ///
    /// # Errors
    /// Refuses what spells it, and what hands it on in another way.
    pub(crate) fn withdraw(
        &self,
        session: &Session,
        own: &Code,
        calls: impl Fn(&AbsPath) -> bool,
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let name = &self.uses.name;
        let mut kept = Vec::new();
        for (path, file) in &self.uses.files {
            let code = &file.code;
            let (offering, listed) = (Offering::of(code), dunder_all(&code.parsed().tree, code.text()));
            let is_left = |one: &Use| one.kind == UseKind::Import && calls(path);
            let offers = Vec::from_iter(file.uses.iter().filter(|one| offering.has(one) && !is_left(one)));
            let is_listed = |one: &Use| listed.iter().any(|(_, it)| *it == one.span);
            let spelled = file.uses.iter().filter(|one| matches!(one.kind, UseKind::Text | UseKind::Type));
            let spelled = spelled.filter(|one| !offers.contains(one) && !is_listed(one));
            kept.extend(spelled.map(|one| self.uncalled(code, one, one.kind)));
            let mut given_on = offers.iter().filter(|one| !calls(path) || !is_import(code, one));
            if let Some(first) = given_on.next().filter(|_| *path != own.path) {
                edits.warn([doubt_taken(code, first, name)?]);
            }
            edits.add(code, offering.without(session, name, &offers)?);
        }
        refuse_all(kept)
    }

    /// Tells every place apart, and refuses one that is neither a signature nor a plain call.
    pub(crate) fn places(&self) -> Result<Places<'_>, Refusal> {
        let places = self.places_and_handed()?;
        let handed = places.handed.iter().map(|(code, node)| {
            code.refuse(
                node.start(),
                format!("`{}` is passed on here as a value, and called elsewhere", self.uses.name),
            )
        });
        let mocked = places.mocked.iter().map(|(code, node)| self.refuse(code, node.start(), UseKind::Write));
        refuse_all(handed.chain(mocked))?;
        Ok(places)
    }

    /// Puts a place where it belongs.
    fn sort<'c>(&'c self, (code, one): (&'c Code, &Use), places: &mut Places<'c>) -> Result<(), Refusal> {
        let node = one.node(code);
        let refuse = |reason: String| Err(code.refuse(one.span.start, reason));
        match one.kind {
            UseKind::Text if subscript(node).is_some() => {
                let called =
                    subscript(node).and_then(|it| it.parent().filter(|call| call.child("function") == Some(it)));
                match called {
                    Some(call) => places.calls.push((code, call)),
                    None => places.handed.push((code, node)),
                }
            }
            UseKind::Import | UseKind::Export | UseKind::Text => {}
            UseKind::Write | UseKind::Key if exported_function(code, node).is_some() => {
                let function =
                    exported_function(code, node).filter(|it| places.signatures.iter().all(|(_, known)| known != it));
                places.signatures.extend(function.map(|function| (code, function)));
            }
            _ if is_passed_on(code, node) => {}
            // `ReturnType<typeof made>` follows by itself, and the checker tells where it does not.
            UseKind::Type if code.is_typed_script() => {}
            UseKind::Definition => match signature(node) {
                // It may have two names: `const rate = function tariff() {}`.
                Some(signature) if places.signatures.iter().any(|(_, it)| *it == signature) => {}
                Some(signature) => places.signatures.push((code, signature)),
                None => return refuse(format!("`{}` is declared in another way here", self.uses.name)),
            },
            UseKind::Call => {
                let call = one.member(code).unwrap_or(node).parent();
                let is_plain = |call: &Node<'_>| {
                    call.child("arguments").is_some_and(|it| it.is_any(&["arguments", "argument_list"]))
                };
                let Some(call) = call.filter(is_plain) else {
                    return refuse("the call passes its arguments in another way".to_owned());
                };
                places.calls.push((code, call));
            }
            UseKind::Read => places.handed.push((code, node)),
            // `{ rate }`
            UseKind::Key if node.is("shorthand_property_identifier") => places.handed.push((code, node)),
            UseKind::Write if test_doubles::is_set_to_mock(code, node) => places.mocked.push((code, node)),
            kind => return Err(self.refuse(code, one.span.start, kind)),
        }
        Ok(())
    }

    fn refuse(&self, code: &Code, at: usize, kind: UseKind) -> Refusal {
        code.refuse(at, format!("`{}` is {} here", self.uses.name, kind.said()))
    }

    /// Tells every place apart, too, and bears that the function is handed on.
    pub(crate) fn places_and_handed(&self) -> Result<Places<'_>, Refusal> {
        let mut places = Places::default();
        each(self.uses.iter().map(|place| self.sort(place, &mut places)))?;
        // What a declaration file says of a function once is its only signature there.
        let is_only = |code: &Code| {
            let there = places.signatures.iter().filter(|(other, _)| other.path == code.path);
            rename::is_declaration_file(&code.path) && there.count() == 1
        };
        let overloaded = places.signatures.iter().find(|(code, one)| {
            one.is("function_signature") && !is_only(code) || {
                let name = name_of(*one).map(|name| name.text(code.text()));
                let beside = one.parent().into_iter().flat_map(Node::named_children).filter(|it| *it != *one);
                name.is_some() && beside.into_iter().any(|other| name_of(other).map(|it| it.text(code.text())) == name)
            }
        });
        match overloaded {
            Some((code, one)) => Err(code.refuse(one.start(), "the function has several signatures")),
            None => Ok(places),
        }
    }
}

/// Refuses a stub that says what the function takes, and that the server does not take for its own: that of a module which
/// has the function, or hands it on.
fn check_stubs(session: &Session, uses: &Uses) -> Result<(), Refusal> {
    let name = |path: &AbsPath| match path.file_stem() {
        "__init__" => path.parent().map(|package| package.file_name().to_owned()).unwrap_or_default(),
        stem => stem.to_owned(),
    };
    let modules: BTreeSet<String> = uses.files.keys().map(name).collect();
    let is_other =
        |path: &AbsPath| path.extension() == "pyi" && !uses.files.contains_key(path) && modules.contains(&name(path));
    for path in session.disk().files_mentioning(&uses.name).into_iter().filter(is_other) {
        let code = Code::read(session, &path)?;
        let is_it =
            |it: &Node<'_>| is_any_function(*it) && name_of(*it).is_some_and(|it| it.text(code.text()) == uses.name);
        if let Some(twin) = code.root().descendants().find(is_it) {
            let reason = format!("the stub declares a `{}`, too, which would have to change with it", uses.name);
            return Err(code.refuse(twin.start(), reason));
        }
    }
    Ok(())
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|one| one.is_alphanumeric() || one == '_')
}

fn called<'c>(code: &'c Code, function: Node<'c>) -> Result<Node<'c>, Refusal> {
    let exported = || Some(code.covering(exported_member(code, function.parent()?)?));
    name_of(function).or_else(exported).ok_or_else(|| code.refuse(function.start(), "the function has no name"))
}

/// Returns the member that a string asks for in a script: `math["sub"]`.
fn subscript(name: Node<'_>) -> Option<Node<'_>> {
    let around =
        std::iter::once(name).chain(name.ancestors()).find(|node| !node.is_any(&["string_fragment", "string"]));
    around.filter(|outer| {
        outer.is("subscript_expression") && outer.child("index").is_some_and(|it| it.span().contains(name.span()))
    })
}

/// Returns the function that `exports.name = function () {}` hands out by this name, and that of `name: function () {}`.
fn exported_function<'c>(code: &'c Code, name: Node<'c>) -> Option<Node<'c>> {
    if let Some(pair) = name.parent().filter(|pair| pair.is("pair") && pair.child("key") == Some(name)) {
        return pair.child("value").filter(|value| is_any_function(*value));
    }
    let assignment = name.ancestors().find(|outer| outer.is("assignment_expression"))?;
    let function = assignment.child("right").filter(|right| is_any_function(*right))?;
    exported_member(code, assignment).is_some_and(|own| own == name.span()).then_some(function)
}

/// Returns the name that a function is called by.
pub(crate) fn name_of(function: Node<'_>) -> Option<Node<'_>> {
    const HOLDERS: &[&str] = &["field_definition", "pair", "public_field_definition", "variable_declarator"];
    let holder = || function.parent().filter(|outer| outer.is_any(HOLDERS) && function.field() == Some("value"));
    let given = || ["name", "property", "key"].iter().find_map(|field| holder()?.child(field));
    function
        .child("name")
        .or_else(|| given().filter(|name| !name.is_any(&["computed_property_name", "number", "string"])))
}

/// Returns what holds the parameters of the function that a name declares.
fn signature(name: Node<'_>) -> Option<Node<'_>> {
    let declared = name.parent().filter(|_| matches!(name.field(), Some("name" | "property")))?;
    let value = declared.child("value").filter(|value| is_any_function(*value));
    let function = value.or_else(|| (is_any_function(declared) || declared.is_any(BARE)).then_some(declared))?;
    list(function).map(|_| function)
}

/// Returns the parameters of a function, `this` left aside.
pub(crate) fn parameters<'c>((code, function): ListOwner<'c>) -> Vec<Node<'c>> {
    let is_this = |node: &Node<'_>| pattern(*node).text(code.text()) == "this";
    listed(function).filter(|node| !is_this(node)).collect()
}

/// Returns what a parameter binds.
pub(crate) fn pattern(parameter: Node<'_>) -> Node<'_> {
    parameter.child("pattern").or_else(|| parameter.child("left")).unwrap_or(parameter)
}

/// Adds an item at the end of a list in parentheses (which a lone parameter may lack), on a line of its own where the list
/// ends with a comma on one.
pub(crate) fn appended(code: &Code, list: Node<'_>, item: &str) -> TextEdit {
    if list.is("identifier") {
        return TextEdit::new(list.span(), format!("({}, {item})", list.text(code.text())));
    }
    let is_comment = |it: &Node<'_>| it.kind().ends_with("comment");
    let Some(last) = list.named_children().filter(|it| !is_comment(it)).last() else {
        return TextEdit::new(Span::at(list.end() - 1), item);
    };
    let Some(comma) = list.children().find(|it| it.start() >= last.end() && it.kind() == ",") else {
        // Where each has a line of its own, the new one has, too.
        let is_alone = |it: &Node<'_>| code.text()[code.line_start(it.start())..it.start()].trim().is_empty();
        let is_listed = last.start() > list.start() && is_alone(&last) && list.named_children().all(|it| is_alone(&it));
        let gap = if is_listed { format!("{}{}", code.newline(), code.indent(last.start())) } else { " ".to_owned() };
        return TextEdit::new(Span::at(last.end()), format!(",{gap}{item}"));
    };
    // The comma that ends the list goes on to end it.
    if !code.text()[comma.end()..list.end()].contains('\n') {
        return TextEdit::new(Span::at(comma.end()), format!(" {item},"));
    }
    let end = list.children().filter(is_comment).map(Node::end).filter(|end| *end > comma.end()).max();
    let gap = format!("{}{}", code.newline(), code.indent(last.start()));
    TextEdit::new(Span::at(end.unwrap_or(comma.end())), format!("{gap}{item},"))
}

/// Takes one item out of a list in parentheses.
pub(crate) fn removed(items: &[Node<'_>], at: usize) -> TextEdit {
    let span = match (items.get(at + 1), at) {
        (Some(next), _) => Span::new(items[at].start(), next.start()),
        (None, 1..) => Span::new(items[at - 1].end(), items[at].end()),
        (None, _) => items[at].span(),
    };
    TextEdit::new(span, "")
}

/// Tells whether a signature tells types alone, beside others of the same function.
pub(crate) fn is_overload((code, function): ListOwner<'_>) -> bool {
    let mut marks = definition(function).children().filter(|it| it.is("decorator"));
    match code.family() {
        Family::Python => {
            marks.any(|mark| mark.text(code.text()).trim_start_matches('@').rsplit('.').next() == Some("overload"))
        }
        _ => function.is_any(&["function_signature", "method_signature"]),
    }
}

/// Tells whether an expression is said in full: nothing is looked up, nothing is done.
pub(crate) fn is_literal(node: Node<'_>) -> bool {
    const PLAIN: &[&str] =
        &["number", "integer", "float", "true", "false", "null", "none", "undefined", "regex", "ellipsis"];
    let is_number = |it: Node<'_>| it.is_any(&["number", "integer", "float"]);
    let is_signed = node.is_any(&["unary_expression", "unary_operator"]) && node.named_children().all(is_number);
    let is_empty = node.is_any(&["array", "object"]) && node.named_children().all(is_literal);
    let is_text = node.is("string") && node.named_children().all(|it| !it.is("interpolation"));
    node.is_any(PLAIN) || is_text || is_signed || is_empty
}
