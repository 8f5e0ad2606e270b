//! A function with its parameters and what every call passes for them, in Python and in scripts.

mod argument_lists;
mod bound_calls;
mod decorators;
mod handed_values;

use super::called_objects::CALL;
use super::classes::{Class, receiver};
use super::constructor_calls::Makers;
use super::parameters::all;
use super::signatures::{CallForm, Callee, ListOwner, Places, is_overload, name_of};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::{both, each, refuse_all};
use crate::refactor::rename::is_declaration_file;
use crate::refactor::request::Target;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at, is_class};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};

pub(crate) use super::parameters::{ArgumentSource, Parameter, items, list, listed, takes_anything};
pub(crate) use bound_calls::{call_forms, called_on};

/// Every signature of a function, overriding ones included, and every call. All signatures take the same names.
pub(crate) struct Passing<'c> {
    pub signatures: Vec<Signature<'c>>,
    pub calls: Vec<Call<'c>>,
    /// What calls it in a way that no text tells, where the caller goes on in spite of that.
    pub warnings: Vec<Warning>,
}

/// One signature, most often with a body.
pub(crate) struct Signature<'c> {
    pub code: &'c Code,
    pub function: Node<'c>,
    /// What calls pass something for: the object of a method is none.
    pub parameters: Vec<Parameter<'c>>,
    /// The class that it is a method of.
    pub class: Option<Class<'c>>,
}

/// One call, with what it passes for each parameter.
pub(crate) struct Call<'c> {
    pub code: &'c Code,
    pub node: Node<'c>,
    /// The object that a call through the class passes first; none where it is called on the object.
    pub receiver: Option<Node<'c>>,
    /// What the constructor of an heir keeps for itself, which stands before all others.
    pub kept: Vec<Node<'c>>,
    /// Nothing comes to a parameter by its place here.
    pub is_by_name: bool,
    /// The arguments in the order of the text, but for those.
    pub list: Vec<Node<'c>>,
    /// For each parameter its argument: the value, or `name=value`.
    pub passed: Vec<Option<Node<'c>>>,
}

/// ScopedNames that see all variables, or all arguments.
const ALL_SEEING: &[&str] = &["arguments", "eval", "exec", "locals", "vars"];

impl<'c> Passing<'c> {
    /// Reads signatures that all take the same, and calls that surely come about, each on an object.
    pub(crate) async fn of(session: &Session, callee: &'c Callee) -> Result<Self, Refusal> {
        let passing = Self::bound_or_not(session, callee).await?;
        let unbound = passing.calls.iter().filter(|call| call.receiver.is_some());
        refuse_all(unbound.map(|call| call.refuse("the method is called through its class")))?;
        Ok(passing)
    }

    /// As [`Passing::of`], with calls through the class of the method.
    pub(crate) async fn bound_or_not(session: &Session, callee: &'c Callee) -> Result<Self, Refusal> {
        Self::checked(session, callee.places()?).await
    }

    /// As [`Passing::of`], with the places where the function is handed on as a value.
    pub(crate) async fn and_handed(
        session: &Session,
        callee: &'c Callee,
    ) -> Result<(Self, Vec<ListOwner<'c>>), Refusal> {
        let mut places = callee.places_and_handed()?;
        let handed = std::mem::take(&mut places.handed);
        let mocked =
            places.mocked.iter().map(|(code, node)| code.refuse(node.start(), "a test sets it to a mock here"));
        refuse_all(mocked)?;
        Ok((Self::checked(session, places).await?, handed))
    }

    async fn checked(session: &Session, places: Places<'c>) -> Result<Self, Refusal> {
        let Places { signatures, calls, .. } = places;
        let passing = Self::read(session, Signature::all(signatures)?, (calls, Vec::new())).await?;
        let is_perhaps = |it: Node<'_>| it.children().any(|part| part.is("optional_chain"));
        let open = passing.calls.iter().filter(|it| is_perhaps(it.node) || is_perhaps(it.callee()));
        let open = open.map(|call| Err(call.refuse("whether it is called here depends on its object")));
        let marked = passing.signatures.iter().map(Signature::check_marks);
        each(open.chain(marked).chain([passing.check_names()]))?;
        Ok(passing)
    }

    /// Reads signatures whose parameters go by their places: they may have other names, or be fewer. Who is handed the
    /// function, decorates it, or spreads what it passes, is a doubt; who is handed a script's is none if only the last parameter
    /// is `removed`, by its number. The one that is asked about stands first.
    pub(crate) async fn by_place(
        session: &Session,
        callee: &'c Callee,
        (code, function): ListOwner<'_>,
        removed: Option<usize>,
    ) -> Result<Self, Refusal> {
        let places = callee.places_and_handed()?;
        let mocked = places.told_mocks(callee.name());
        let Places { mut signatures, calls, handed, .. } = places;
        let beside = definition(function).parent();
        // What carries out overloads speaks for them.
        signatures.sort_by_key(|(other, it)| match other.path == code.path {
            true if definition(*it).parent() == beside && !is_overload((other, *it)) => 0,
            true if it.span() == function.span() => 1,
            _ => 2,
        });
        let (spread, calls): (Vec<_>, Vec<_>) = calls.into_iter().partition(|(_, call)| spread_in(*call).is_some());
        let signatures = Signature::with_overloads(signatures)?;
        let (mut handed, passing) = called_on(session, &signatures[0], handed).await?;
        let mut told = "as a value: its callers pass the arguments that they passed before";
        if removed.is_some_and(|at| signatures.iter().all(|it| it.ignores_behind(at))) {
            handed = handed_values::counted(session, handed).await?;
            told = "to a function outside the project, which may count what it takes";
        }
        let handed = handed.into_iter().map(|(code, node)| {
            let reason = format!("`{}` is passed on here {told}", callee.name());
            doubt(code, node.span(), reason)
        });
        let spread = spread.into_iter().map(|(code, call)| {
            let what = spread_in(call).unwrap_or(call);
            doubt(code, what.span(), "the arguments that are passed here cannot be determined: the call stays as it is")
        });
        let told = each(handed.chain(spread));
        let read = Self::read(session, signatures, (calls, passing)).await;
        let (mut warnings, read) = both(told, read)?;
        warnings.extend(mocked);
        warnings.extend(each(read.signatures.iter().flat_map(Signature::decorated))?);
        Ok(Self { warnings, ..read })
    }

    async fn read(
        session: &Session,
        signatures: Vec<Signature<'c>>,
        (calls, passing): (Vec<ListOwner<'c>>, Vec<(ListOwner<'c>, CallForm)>),
    ) -> Result<Self, Refusal> {
        let forms = call_forms(session, &signatures[0], &calls).await?;
        let passing = passing.into_iter().map(|(place, form)| (place, Ok(form)));
        let calls = calls.into_iter().zip(forms).chain(passing);
        let calls = each(calls.map(|(place, form)| Call::of(place, &signatures[0], form?)))?;
        Ok(Self { signatures, calls, warnings: Vec::new() })
    }

    /// Reads a constructor with those who call it, each without passing an object.
    pub(crate) fn of_constructor(place: ListOwner<'c>, makers: &'c Makers) -> Result<Self, Refusal> {
        let passing = Self::of_constructor_by_name_or_not(place, makers)?;
        let by_name = passing.calls.iter().filter(|call| call.receiver.is_some());
        refuse_all(by_name.map(|call| call.refuse("the constructor is called by the name of its class")))?;
        Ok(passing)
    }

    /// As [`Passing::of_constructor`], with calls by the name of the class: `Shape.__init__(self, name)`.
    pub(crate) fn of_constructor_by_name_or_not(place: ListOwner<'c>, makers: &'c Makers) -> Result<Self, Refusal> {
        let signatures = Signature::constructors(place)?;
        let calls = makers.calls()?.into_iter().map(|(place, form)| Call::of(place, &signatures[0], form));
        let calls = each(calls)?;
        Ok(Self { signatures, calls, warnings: Vec::new() })
    }

    /// Refuses signatures that take more than the first one, or something else at one of its places: in a script they go by
    /// these, whatever they are called. In Python they have names, too.
    pub(crate) fn check_places(&self) -> Result<(), Refusal> {
        let first = &self.signatures[0];
        if first.code.family() == Family::Python {
            return self.check_names();
        }
        let ways = |it: &Signature<'_>| it.parameters.iter().map(|it| it.way == ArgumentSource::Rest).collect();
        let known: Vec<bool> = ways(first);
        let others = self.signatures.iter().filter(|other| !known.starts_with(&ways(other)));
        let refuse = |it: &Signature<'_>| {
            it.code.refuse(it.function.start(), "another signature takes more, or other, parameters: name that one")
        };
        refuse_all(others.map(refuse))
    }

    /// Refuses signatures that take something else than the first one.
    pub(crate) fn check_names(&self) -> Result<(), Refusal> {
        let first = &self.signatures[0];
        refuse_others(self.signatures.iter().filter(|other| other.said() != first.said()))
    }

    /// Refuses signatures that take something else than the first one at a place, or before it; one that takes less has
    /// nothing there.
    pub(crate) fn check_names_to(&self, at: usize) -> Result<(), Refusal> {
        let known = self.signatures[0].said();
        let differs =
            |other: &&Signature<'_>| !other.said().iter().zip(&known).take(at + 1).all(|(one, own)| one == own);
        refuse_others(self.signatures.iter().filter(differs))
    }

    /// Returns the only signature; a function that overrides others, or is overridden, has more.
    pub(crate) fn only(&self, (code, function): ListOwner<'_>) -> Result<&Signature<'c>, Refusal> {
        let is_apart = |it: &&Signature<'_>| it.code.path.extension() == "pyi" || is_declaration_file(&it.code.path);
        match (self.signatures.as_slice(), self.signatures.iter().find(is_apart)) {
            ([signature], _) => Ok(signature),
            (_, Some(other)) => {
                let reason = "it is declared here, too, which would have to change with it";
                Err(other.code.refuse(other.function.start(), reason))
            }
            _ => Err(code.refuse(function.start(), "it overrides a method of the same name, or is overridden by one")),
        }
    }

    /// As [`Self::only`], with what stubs of Python say of the same function.
    pub(crate) fn only_with_stubs(
        &self,
        place: ListOwner<'_>,
    ) -> Result<(&Signature<'c>, Vec<&Signature<'c>>), Refusal> {
        let (stubs, own): (Vec<_>, Vec<_>) = self.signatures.iter().partition(|it| it.code.path.extension() == "pyi");
        match own.as_slice() {
            [signature] => Ok((signature, stubs)),
            _ => self.only(place).map(|signature| (signature, Vec::new())),
        }
    }

    /// Returns the number of a parameter.
    pub(crate) fn at(&self, name: &str) -> Result<usize, Refusal> {
        let first = &self.signatures[0];
        let at = first.parameters.iter().position(|one| one.name.text(first.code.text()) == name);
        at.ok_or_else(|| first.code.refuse(first.function.start(), format!("the function has no parameter `{name}`")))
    }
}

fn refuse_others<'a, 'c: 'a>(others: impl Iterator<Item = &'a Signature<'c>>) -> Result<(), Refusal> {
    refuse_all(others.map(|it| it.code.refuse(it.function.start(), "another signature takes other parameters")))
}

/// Refuses a function that takes fewer parameters than there have to be, its object left aside.
pub(crate) fn check_takes(code: &Code, function: Node<'_>, count: usize) -> Result<(), Refusal> {
    let is_mark = |it: &Node<'_>| it.is_any(&["keyword_separator", "positional_separator"]);
    let is_receiver = |it: &Node<'_>| matches!(it.text(code.text()), "self" | "cls");
    if listed(function).filter(|it| !is_mark(it) && !is_receiver(it)).count() >= count {
        return Ok(());
    }
    let few = if count == 1 {
        "the function takes nothing".to_owned()
    } else {
        format!("it takes fewer than {count} values")
    };
    Err(code.refuse(function.start(), few))
}

impl<'c> Signature<'c> {
    /// Reads all signatures of one function, of which there is at least one; refuses overloads.
    pub(crate) fn all(places: Vec<ListOwner<'c>>) -> Result<Vec<Self>, Refusal> {
        Self::apart(each(places.into_iter().map(Self::of))?, |_| false)
    }

    /// Tells whether the function of a script takes nothing behind the first arguments, so many, that it asks for.
    fn ignores_behind(&self, count: usize) -> bool {
        let is_rest = |it: &Parameter<'_>| it.way == ArgumentSource::Rest;
        let is_open = self.parameters.len() > count + 1 || self.parameters.iter().any(is_rest);
        self.code.family() == Family::Script && !is_open && !self.asks_for(count)
    }

    /// Reads all signatures of one function, overloads among them.
    pub(crate) fn with_overloads(places: Vec<ListOwner<'c>>) -> Result<Vec<Self>, Refusal> {
        Self::apart(each(places.into_iter().map(Self::of))?, Self::is_overload)
    }

    /// Tells whether it is an overload of the function that another signature is one of.
    pub(crate) fn is_overload_beside(&self, other: &Self) -> bool {
        let around = |one: &Self| definition(one.function).parent();
        self.is_overload()
            && self.code.path == other.code.path
            && self.function != other.function
            && around(self) == around(other)
    }

    /// Tells whether it is one of several that tell the types of one function, and does not carry them out.
    fn is_overload(&self) -> bool {
        is_overload((self.code, self.function))
    }

    /// Refuses signatures that stand beside another one, but for some.
    fn apart(signatures: Vec<Self>, may_stand: impl Fn(&Self) -> bool) -> Result<Vec<Self>, Refusal> {
        if signatures.is_empty() {
            return Err(Refusal::NotPossible("the function is declared nowhere".to_owned()));
        }
        let home = |one: &Self| (one.code.path.clone(), definition(one.function).parent().map(Node::span));
        let is_same = |one: &Self, other: &Self| home(one) == home(other) && !may_stand(one) && !may_stand(other);
        let is_twin = |at: usize| signatures[..at].iter().any(|it| is_same(it, &signatures[at]));
        match (1..signatures.len()).find(|at| is_twin(*at)).map(|at| &signatures[at]) {
            Some(twin) => Err(twin.code.refuse(twin.function.start(), "the function is declared more than once")),
            None => Ok(signatures),
        }
    }

    fn of(place: ListOwner<'c>) -> Result<Self, Refusal> {
        let (code, function) = place;
        let name = function.child("name").map(|name| name.text(code.text())).unwrap_or_default();
        if name.starts_with("__") && name.ends_with("__") && name != CALL
            || function.children().any(|it| matches!(it.kind(), "get" | "set"))
        {
            return Err(code.refuse(function.start(), "the language itself calls it"));
        }
        Self::bare(place)
    }

    /// Reads the constructor of a class, which has no other.
    pub(crate) fn of_constructor(place: ListOwner<'c>) -> Result<Self, Refusal> {
        let signature = Self::plain(place)?;
        let beside = signature.class.into_iter().flat_map(|class| class.members()).map(|it| it.node);
        let is_other = |it: &Node<'_>| *it != place.1 && is_constructor(place.0, *it);
        match beside.into_iter().find(is_other) {
            Some(other) => Err(place.0.refuse(other.start(), "the constructor has several signatures")),
            None => Ok(signature),
        }
    }

    /// As [`Self::of_constructor`], with the one that is given the same arguments: Python's `__new__` beside `__init__`.
    pub(crate) fn constructors(place: ListOwner<'c>) -> Result<Vec<Self>, Refusal> {
        let first = Self::of_constructor(place)?;
        let (code, function) = place;
        let beside = first.class.into_iter().flat_map(|class| class.members_named("__new__"));
        let other = beside.filter_map(|it| it.function()).find(|it| *it != function && !takes_anything(code, *it));
        let Some(other) = other else { return Ok(vec![first]) };
        let other = Self::plain((code, other))?;
        if other.said() != first.said() {
            let reason = "`__new__` is given the same arguments, and takes other parameters";
            return Err(code.refuse(other.function.start(), reason));
        }
        Ok(vec![first, other])
    }

    /// Reads one signature, be it one that the language calls; refuses one that something decorates.
    pub(crate) fn plain(place: ListOwner<'c>) -> Result<Self, Refusal> {
        let one = Self::bare(place)?;
        one.check_marks().map(|()| one)
    }

    /// Reads one signature, whatever calls it and decorates it.
    pub(crate) fn bare((code, function): ListOwner<'c>) -> Result<Self, Refusal> {
        let outer = definition(function);
        let body = outer.parent().filter(|it| it.is_any(&["block", "class_body"]));
        let holder = body.or_else(|| function.parent().filter(|it| it.kind().ends_with("field_definition"))?.parent());
        let class = holder.and_then(Node::parent).filter(|it| is_class(*it)).and_then(|it| Class::of(code, it));
        let is_inner = function.ancestors().take_while(|it| !is_any_function(*it)).any(is_class);
        if class.is_none() && is_inner {
            return Err(code.refuse(function.start(), "its class declares it in another way than by a statement"));
        }
        let mut one = Self { code, function, parameters: Vec::new(), class };
        let own = one.receiver().is_some() && code.family() == Family::Python;
        let mut parameters = all(code, function);
        if own {
            parameters.remove(0);
        }
        one.parameters = parameters;
        Ok(one)
    }

    /// Returns what a method calls its object, or its class.
    pub(crate) fn receiver(&self) -> Option<&'c str> {
        self.class.and_then(|_| receiver(self.code, self.function))
    }

    /// Returns the name that it is called by; an empty one where it has none.
    pub(crate) fn name(&self) -> &'c str {
        self.name_node().map(|name| name.text(self.code.text())).unwrap_or_default()
    }

    pub(crate) fn name_node(&self) -> Option<Node<'c>> {
        name_of(self.function)
    }

    /// Tells whether a decorator, or a word before the name, says something.
    pub(crate) fn is_marked(&self, word: &str) -> bool {
        let marks = definition(self.function).children().filter(|it| it.is("decorator"));
        let text = self.code.text();
        marks.into_iter().any(|it| it.text(text).ends_with(word))
            || self.function.children().any(|it| it.kind() == word)
    }

    pub(crate) fn place(&self) -> ListOwner<'c> {
        (self.code, definition(self.function))
    }

    /// Tells whether it says a type of what it takes or returns.
    pub(crate) fn is_typed(&self) -> bool {
        self.parameters.iter().any(|it| it.of.is_some()) || self.function.child("return_type").is_some()
    }

    /// Tells whether its body runs as soon as it is called, and until it is over.
    pub(crate) fn runs_at_once(&self) -> bool {
        let inside = self.function.walk_until(|node| is_any_function(node) && node != self.function);
        let mut inside = inside.filter(|node| node.is_any(&["yield", "yield_expression"]));
        !self.is_marked("async") && !self.is_marked("*") && inside.next().is_none()
    }

    fn said(&self) -> Vec<(&'c str, bool)> {
        self.parameters.iter().map(|it| (it.name.text(self.code.text()), it.way == ArgumentSource::Keyword)).collect()
    }

    /// Returns the places in its body where a parameter is read, which has one value there from first to last.
    pub(crate) fn reads(&self, names: &ScopedNames<'c>, at: usize) -> Result<Vec<Node<'c>>, Refusal> {
        let (code, name) = (self.code, self.parameters[at].name);
        let refuse = |offset: usize, reason: String| Err(code.refuse(offset, reason));
        let text = name.text(code.text());
        if !name.is("identifier") || names.at(name).is_none() {
            return refuse(name.start(), format!("`{text}` is not an ordinary parameter"));
        }
        self.check_seen()?;
        if let Some(write) = self.assigned(names, at) {
            return refuse(write.span.start, format!("`{text}` gets another value"));
        }
        self.uses_inside(names, at)
    }

    /// Returns where a parameter gets another value than the one that is passed.
    pub(crate) fn assigned(&self, names: &ScopedNames<'c>, at: usize) -> Option<Name> {
        let name = self.parameters[at].name;
        let meaning = names.at(name)?.meaning;
        names.writes(meaning).find(|write| write.span != name.span())
    }

    /// Tells whether a parameter is used; a signature that takes fewer has none to use.
    pub(crate) fn asks_for(&self, at: usize) -> bool {
        let uses = || self.uses_inside(&ScopedNames::of(self.code), at);
        at < self.parameters.len() && uses().map_or(true, |uses| !uses.is_empty())
    }

    /// Returns the places in its body where a parameter stands; refuses one that another one's default uses.
    pub(crate) fn uses_inside(&self, names: &ScopedNames<'c>, at: usize) -> Result<Vec<Node<'c>>, Refusal> {
        let (code, name) = (self.code, self.parameters[at].name);
        let meaning = names.at(name).map(|it| it.meaning);
        let all = meaning.into_iter().flat_map(|meaning| names.of_meaning(meaning));
        let uses: Vec<Node<'c>> = all.filter(|it| it.span != name.span()).map(|it| code.covering(it.span)).collect();
        let body = self.function.child("body").map(Node::span);
        match uses.iter().find(|node| !body.is_some_and(|body| body.contains(node.span()))) {
            Some(node) => {
                Err(code.refuse(node.start(), format!("`{}` is used before the body begins", name.text(code.text()))))
            }
            None => Ok(uses),
        }
    }

    /// Refuses a parameter of a script whose default stands in where nothing is passed for it, `undefined` included.
    pub(crate) fn check_passed(&self, at: usize) -> Result<(), Refusal> {
        match self.parameters[at].default.filter(|_| self.code.family() == Family::Script) {
            Some(default) => {
                Err(self.code.refuse(default.start(), "the default may be used instead of what is passed"))
            }
            None => Ok(()),
        }
    }

    /// Refuses functions that see their arguments, or their variables, without naming them.
    pub(crate) fn check_seen(&self) -> Result<(), Refusal> {
        match self.code.looks_around(self.function, ALL_SEEING) {
            Some(name) => {
                Err(self.code.refuse(self.function.start(), format!("`{name}` may see what the function takes")))
            }
            None => Ok(()),
        }
    }

    /// Refuses a name that means something in the function.
    pub(crate) fn check_free(&self, name: &str) -> Result<(), Refusal> {
        let names = ScopedNames::of(self.code);
        let is_taken = names.named(name).any(|one| self.function.span().contains(one.span));
        match is_taken {
            true => {
                let reason = format!("`{name}` is already in use in this function");
                Err(self.code.refuse(self.function.start(), reason))
            }
            false => Ok(()),
        }
    }
}

/// Returns the function whose parameters a target means: a class is called as its constructor.
pub(crate) fn called_at<'c>(code: &'c Code, target: &Target) -> Result<Node<'c>, Refusal> {
    let Some(class) = Class::of(code, code.declared(target)) else {
        return Ok(init_of(code, function_at(code, target)?));
    };
    let none = || code.refuse(class.name.start(), format!("`{}` has no constructor of its own", class.name()));
    class.constructor().ok_or_else(none)
}

/// Returns the `__init__` beside a `__new__`, which is given the same arguments; another function is its own.
fn init_of<'c>(code: &'c Code, function: Node<'c>) -> Node<'c> {
    let is_new = function.child("name").is_some_and(|name| name.text(code.text()) == "__new__");
    let class = Class::around(code, function).filter(|_| is_new);
    let inits = class.into_iter().flat_map(|class| class.members_named("__init__"));
    inits.filter_map(|it| it.function()).next().unwrap_or(function)
}

pub(crate) fn is_constructor(code: &Code, function: Node<'_>) -> bool {
    function.child("name").is_some_and(|name| matches!(name.text(code.text()), "constructor" | "__init__"))
}

impl<'c> Call<'c> {
    /// Reads what a call passes for the parameters of a signature.
    pub(crate) fn of((code, node): ListOwner<'c>, signature: &Signature<'c>, form: CallForm) -> Result<Self, Refusal> {
        let mut list: Vec<Node<'c>> = node.child("arguments").into_iter().flat_map(items).collect();
        let placed = list.iter().take_while(|it| !it.is_any(&["keyword_argument", "dictionary_splat"])).count();
        let ahead: Vec<Node<'c>> = list.drain(..form.arguments_ahead().min(placed)).collect();
        let is_by_name = ahead.len() < form.arguments_ahead();
        let (receiver, kept) = match form {
            CallForm::Forwarded(_) => (None, ahead),
            CallForm::Bound | CallForm::Unbound => (ahead.first().copied(), Vec::new()),
        };
        let passed = vec![None; signature.parameters.len()];
        let mut call = Self { code, node, receiver, kept, is_by_name, list, passed };
        for (number, argument) in call.list.iter().enumerate() {
            if argument.is_any(&["spread_element", "list_splat", "dictionary_splat"]) {
                return Err(code.refuse(argument.start(), "the arguments that are passed here cannot be determined"));
            }
            let text = signature.code.text();
            let named = argument.child("name").filter(|_| argument.is("keyword_argument"));
            let at = match named {
                Some(name) => {
                    let said = name.text(code.text());
                    signature
                        .parameters
                        .iter()
                        .position(|it| it.way != ArgumentSource::Rest && it.name.text(text) == said)
                }
                None => Some(number)
                    .filter(|at| signature.parameters.get(*at).is_some_and(|it| it.way == ArgumentSource::Plain)),
            };
            if let Some(slot) = at.and_then(|at| call.passed.get_mut(at)) {
                *slot = Some(*argument);
            }
        }
        Ok(call)
    }

    pub(crate) fn callee(&self) -> Node<'c> {
        self.node.child("function").unwrap_or(self.node)
    }

    /// Returns what a method is called on, wherever the call says it.
    pub(crate) fn object(&self) -> Option<Node<'c>> {
        self.receiver.or_else(|| self.callee().child("object"))
    }

    /// Returns what is passed for a parameter, without the parameter's name.
    pub(crate) fn value(&self, at: usize) -> Option<Node<'c>> {
        self.passed[at].map(value)
    }

    /// Returns the arguments of some parameters in the order of the text.
    pub(crate) fn arguments(&self, of: &[usize]) -> Vec<Node<'c>> {
        let mut found: Vec<Node<'c>> = of.iter().filter_map(|at| self.passed[*at]).collect();
        found.sort_by_key(|node| node.start());
        found
    }

    pub(crate) fn line(&self) -> u32 {
        self.code.line(self.node.start())
    }

    pub(crate) fn refuse(&self, reason: impl std::fmt::Display) -> Refusal {
        self.code.refuse(self.node.start(), reason)
    }
}

/// Returns the first argument of a call that stands for any number of them.
fn spread_in(call: Node<'_>) -> Option<Node<'_>> {
    let mut all = call.child("arguments").into_iter().flat_map(items);
    all.find(|it| it.is_any(&["spread_element", "list_splat", "dictionary_splat"]))
}

/// Returns an argument without its name.
pub(crate) fn value(argument: Node<'_>) -> Node<'_> {
    argument.child("value").filter(|_| argument.is("keyword_argument")).unwrap_or(argument)
}
