//! A function of a module that becomes a method of what it takes first (Python).
//!
//! ```python
//! def area(shape: Shape):              class Shape:
//!     return shape.w * shape.h    →        def area(self):
//!                                              return self.w * self.h
//! area(one)                            one.area()
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Passing, Signature, value};
use crate::refactor::analysis::classes::{ClassHierarchy, LocatedClass, Slot, comments_above};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::forward_references::{annotation, forward_reference};
use crate::refactor::analysis::free_names::check_private;
use crate::refactor::analysis::imports::required::{self, MovedPieces};
use crate::refactor::analysis::indentation::{Layout, changed, without_lines};
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::signatures::{Callee, ListOwner};
use crate::refactor::analysis::substitution::put_member;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::each;
use crate::refactor::request::Request;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// What a method of Python calls its object.
const OWN: &str = "self";
/// Bases of classes whose members say what other classes, or dictionaries, are to have.
const DESCRIBING: &[&str] = &["Protocol", "TypedDict"];

/// The function on its way.
struct Moving<'c> {
    signature: &'c Signature<'c>,
    /// With the comments above.
    extent: Span,
    reads: Vec<Node<'c>>,
    calls: &'c [Call<'c>],
    to: &'c LocatedClass,
}

/// Where one file calls the function, or hands it on.
#[derive(Default)]
struct User<'c> {
    calls: Vec<&'c Call<'c>>,
    handed: Vec<ListOwner<'c>>,
}

/// Finds the function of a module that the target names.
pub(super) fn named<'c>(code: &'c Code, request: &Request) -> Option<ModuleFunction<'c>> {
    let name = request.target.name.filter(|_| code.family() == Family::Python)?;
    ModuleFunction::called(code, name.of(code.text())?).filter(|it| it.name.span() == name)
}

pub(super) async fn plan(
    session: &Session,
    request: &Request,
    (code, found): (&Code, ModuleFunction<'_>),
) -> Result<Plan, Refusal> {
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    if found.statement.is("decorated_definition") {
        return Err(code.refuse(found.function.start(), "it is not an ordinary function of the module"));
    }
    let callee = Callee::of(session, code, found.function).await?;
    let (passing, handed) = Passing::and_handed(session, &callee).await?;
    let signature = passing.only((code, found.function))?;
    let to = taker(&kin, signature, request.params.needed("to")?).await?;
    let moving = Moving::of(&passing, signature, &to)?;
    each([moving.check_free(&kin).await, moving.check_names()])?;
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    let mut users: BTreeMap<&AbsPath, (&Code, User<'_>)> = BTreeMap::new();
    for call in &passing.calls {
        edits.warn(moving.check_object(&kin, call).await?);
        users.entry(&call.code.path).or_insert_with(|| (call.code, User::default())).1.calls.push(call);
    }
    for (user, node) in handed {
        users.entry(&user.path).or_insert_with(|| (user, User::default())).1.handed.push((user, node));
    }
    callee.withdraw(session, code, |path| users.contains_key(path), &mut edits).noted()?;
    let mut inside = moving.changes();
    for (user, uses) in users.values() {
        let is_home = user.path == code.path;
        let own = if is_home { std::mem::take(&mut inside) } else { Vec::new() };
        let mut changes = moving.led(uses, own)?;
        if is_home {
            inside = changes.extract_if(.., |edit| moving.extent.contains(edit.span)).collect();
        }
        edits.add(user, changes);
        moving.see(session, (user, uses), &mut edits)?;
    }
    moving.put(session, inside, &mut edits)?;
    edits.plan()
}

/// Finds the class that the function takes first, which is the one that is asked for.
async fn taker(kin: &ClassHierarchy<'_>, signature: &Signature<'_>, to: &str) -> Result<LocatedClass, Refusal> {
    let code = signature.code;
    let name = last_name(to);
    let path = to.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '#']);
    let other = || {
        let reason = format!("it does not take a `{name}` first, by the type that it says");
        Err(code.refuse(signature.function.start(), reason))
    };
    let Some(first) = signature.parameters.first().filter(|it| it.default.is_none() && !it.is_open()) else {
        return other();
    };
    let said = first.of.map(|of| of.named_children().next().unwrap_or(of));
    // Of a class with parameters, for whatever these are.
    let generic = said.filter(|it| it.is("generic_type") && code.family() == Family::Python);
    let said = generic.and_then(|it| it.named_children().next()).or(said);
    // What stands in quotes means what it means without them.
    let unquoted = |it: Node<'_>| {
        let inner = it.text(code.text()).trim_matches(['"', '\'']);
        let names = ScopedNames::of(code);
        let mut bound = names.outside_classes(inner).filter(|name| name.is_binding);
        bound.next().map(|name| code.covering(name.span))
    };
    let named = match said {
        Some(said) if said.is("string") => unquoted(said),
        other => other.filter(|it| it.is_any(&["identifier", "attribute"])),
    };
    let Some(named) = named else { return other() };
    let found = match kin.classes_of(code, named).await?.as_slice() {
        [one] if one.class().name() == name && one.code.shown.ends_with(path) => Some(one.clone()),
        _ => None,
    };
    match found {
        Some(class) if kin.is_own(&class) && generic.is_some_and(|it| !is_for_all(code, it, &class)) => other(),
        Some(class) if kin.is_own(&class) => Ok(class),
        Some(class) => Err(code.refuse(
            first.node.start(),
            format!("`{name}` is declared outside the project, in `{}`", class.code.shown),
        )),
        None => other(),
    }
}

/// Tells whether a type of Python is a class for all that its parameters can be: `Queue[T]`, of `class Queue(Generic[T])`.
fn is_for_all(code: &Code, said: Node<'_>, class: &LocatedClass) -> bool {
    let class_of = class.class();
    let listed = |node: Node<'_>, text: &str| -> Vec<String> {
        let list = node.named_children().find(|it| it.is("type_parameter"));
        list.into_iter().flat_map(Node::named_children).map(|it| it.text(text).to_owned()).collect()
    };
    let text = class.code.text();
    let bases = class_of.node.child("superclasses").into_iter().flat_map(Node::named_children);
    let is_generic =
        |it: &Node<'_>| it.child("value").is_some_and(|it| matches!(last_name(it.text(text)), "Generic" | "Protocol"));
    let marked = bases.into_iter().find(is_generic).map(|base| {
        let all = base.named_children().filter(|it| Some(*it) != base.child("value"));
        all.map(|it| it.text(text).to_owned()).collect::<Vec<_>>()
    });
    let own = class_of
        .node
        .child("type_parameters")
        .map(|it| it.named_children().map(|it| it.text(text).to_owned()).collect());
    marked.or(own).is_some_and(|own: Vec<String>| own == listed(said, code.text()))
}

impl<'c> Moving<'c> {
    fn of(passing: &'c Passing<'c>, signature: &'c Signature<'c>, to: &'c LocatedClass) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        check_private(code, &[function])?;
        if signature.name().starts_with("__") {
            return Err(code.refuse(function.start(), "its name would be mangled with that of the class"));
        }
        if code.mentions(function, OWN) {
            return Err(code.refuse(function.start(), "it has a `self` of its own"));
        }
        let reads = signature.reads(&ScopedNames::of(code), 0)?;
        let start = comments_above(code, function.start());
        let rest = &code.text()[function.end()..code.next_line(function.end())];
        if code.line_start(start) != start || !rest.trim().is_empty() {
            return Err(code.refuse(function.start(), "it shares its lines with something else"));
        }
        let extent = Span::new(start, function.end());
        Ok(Self { signature, extent, reads, calls: &passing.calls, to })
    }

    /// Refuses a name that the class, or one above or below it, has already, and a class that is no ordinary one.
    async fn check_free(&self, kin: &ClassHierarchy<'_>) -> Result<(), Refusal> {
        let (class, name) = (self.to.class(), self.signature.name());
        let (above, unknown) = kin.ancestors(&class).await?;
        let bases = class.bases();
        let describes =
            bases.iter().map(|it| it.text(class.code.text())).find(|it| DESCRIBING.iter().any(|one| it.contains(one)));
        if let Some(base) = describes {
            return Err(class.code.refuse(class.name.start(), format!("a `{base}` has no methods of its own")));
        }
        if let Some(unknown) = unknown.first() {
            return Err(class.code.refuse(class.name.start(), format!("what `{unknown}` has is not known")));
        }
        let all = above.into_iter().chain(kin.heirs(&class).await?).chain([self.to.clone()]);
        each(all.map(|one| match one.class().has(name) {
            true => {
                let other = one.class();
                Err(other.code.refuse(other.name.start(), format!("`{}` has a `{name}` already", other.name())))
            }
            false => Ok(()),
        }))
        .map(drop)
    }

    /// Returns the names that are asked for when the function is made: those of defaults and types.
    fn head(&self) -> Vec<Name> {
        let Signature { code, function, .. } = self.signature;
        let names = ScopedNames::of(code);
        let Some(body) = function.child("body") else { return Vec::new() };
        let first = self.signature.parameters[0].node.span();
        let own = self.signature.name_node().map(Node::span);
        let parameters: BTreeSet<usize> =
            self.signature.parameters.iter().filter_map(|it| names.at(it.name)).map(|it| it.meaning).collect();
        let all = names.within(Span::new(function.start(), body.start()));
        all.filter(|it| Some(it.span) != own && !first.contains(it.span) && !parameters.contains(&it.meaning)).collect()
    }

    /// Tells whether a name is not there yet when the class is made.
    fn is_late(&self, name: &str) -> bool {
        let class = self.to.class();
        let names = ScopedNames::of(class.code);
        let mut bound =
            names.outside_classes(name).filter(|it| it.is_binding && names.function_of_meaning(it.meaning).is_none());
        name == class.name() || bound.any(|it| it.span.start > class.node.start())
    }

    /// Refuses names of the head that mean something else in the class, or are not there yet.
    fn check_names(&self) -> Result<(), Refusal> {
        let (code, class) = (self.signature.code, self.to.class());
        each(self.head().into_iter().map(|name| {
            let said = name.span.of(code.text()).unwrap_or_default();
            let cannot = class.has(said) || self.is_late(said) && annotation(code, name.span).is_none();
            match cannot {
                true => {
                    let reason = format!("`{said}` refers to something else where the class stands");
                    Err(code.refuse(name.span.start, reason))
                }
                false => Ok(()),
            }
        }))
        .map(drop)
    }

    /// Tells, or refuses, an object that may be of another class.
    async fn check_object(&self, kin: &ClassHierarchy<'_>, call: &Call<'c>) -> Result<Option<Warning>, Refusal> {
        let Some(object) = call.value(0) else {
            return Err(call.refuse("what it is to be called on is not passed here"));
        };
        let is_own =
            call.code.path == self.signature.code.path && self.reads.iter().any(|it| it.span() == object.span());
        let is_first = call.list.first().map(|it| value(*it)) == Some(object);
        if !is_first && !object.is("identifier") {
            return Err(call.refuse("what it is to be called on would be worked out before the other arguments"));
        }
        let known = match is_own || self.makes(object) {
            true => vec![self.to.clone()],
            false => kin.classes_of(call.code, object).await?,
        };
        let mut family = vec![self.to.place()];
        family.extend(kin.heirs(&self.to.class()).await?.iter().map(LocatedClass::place));
        let said = object.text(call.code.text());
        if let Some(other) = known.iter().find(|one| !family.contains(&one.place())) {
            return Err(call.refuse(format!("`{said}` is a `{}`", other.class().name())));
        }
        let message = format!("nothing tells that `{said}` is a `{}`, which has the method", self.to.class().name());
        let range = call.code.parsed().text.range(object.span());
        Ok(known.is_empty().then(|| Warning::at(WarningKind::PossibleUse, message, call.code.path.clone(), range)))
    }

    /// Tells whether an expression calls the function itself, which answers one of the class.
    fn makes(&self, object: Node<'_>) -> bool {
        let result = self.signature.function.child("return_type").map(|it| it.text(self.signature.code.text()));
        result.is_some_and(|it| it.trim_matches(['"', '\'']) == self.to.class().name())
            && self.calls.iter().any(|call| call.node == object)
    }

    /// Returns what changes in the function itself.
    fn changes(&self) -> Vec<TextEdit> {
        let code = self.signature.code;
        let mut edits: Vec<TextEdit> = self.reads.iter().map(|it| TextEdit::new(it.span(), OWN)).collect();
        edits.push(TextEdit::new(self.signature.parameters[0].node.span(), OWN));
        edits.extend(without_docs(self.signature, &[0]));
        let late = self.head().into_iter().filter(|it| self.is_late(it.span.of(code.text()).unwrap_or_default()));
        if !self.to.code.postpones_annotations() {
            let types: BTreeSet<Span> = late.filter_map(|it| annotation(code, it.span)).map(Node::span).collect();
            let said = |span: &Span| span.of(code.text()).unwrap_or_default();
            edits.extend(types.iter().map(|span| TextEdit::new(*span, forward_reference(&self.to.code, said(span)))));
        }
        edits
    }

    /// Leads what a file does with the function to the method; `edits` are those that are known already.
    fn led(&self, uses: &User<'c>, mut edits: Vec<TextEdit>) -> Result<Vec<TextEdit>, Refusal> {
        let mut calls = uses.calls.clone();
        // What stands inside comes first.
        calls.sort_by_key(|call| call.node.span().len());
        for call in calls {
            let Some(argument) = call.passed[0] else { continue };
            let object = value(argument);
            let inside: Vec<TextEdit> = edits.extract_if(.., |edit| object.span().contains(edit.span)).collect();
            let said = changed(call.code.text(), object.span(), &inside);
            let is_whole = object.is_any(&["attribute", "call", "identifier", "parenthesized_expression", "subscript"]);
            let said = if is_whole { said } else { format!("({said})") };
            edits.push(TextEdit::new(call.callee().span(), format!("{said}.{}", self.signature.name())));
            edits.extend(call.without(&[argument], None)?);
        }
        for (user, node) in &uses.handed {
            edits.push(put_member(user, *node, self.to.class().name())?);
        }
        Ok(edits)
    }

    /// Lets a file that hands the function on ask the class, and forget the function.
    fn see(&self, session: &Session, (user, uses): (&Code, &User<'_>), edits: &mut Edits) -> Result<(), Refusal> {
        let class = self.to.class();
        let handed = || uses.handed.iter().map(|(_, node)| *node);
        let is_member = |it: &Node<'_>| it.field() == Some("attribute");
        let is_elsewhere = class.code.path != self.signature.code.path;
        if let Some(member) = handed().find(is_member).filter(|_| is_elsewhere) {
            return Err(
                user.refuse(member.start(), "its module, which is asked for it here, does not declare the class")
            );
        }
        let asked = handed().find(|it| !is_member(it));
        if let Some(node) = asked.filter(|_| user.path != class.code.path) {
            let names = ScopedNames::of(user);
            let bound: Vec<Name> = names.outside_classes(class.name()).filter(|it| it.is_binding).collect();
            match bound.first() {
                None => edits.import(user, required::line(session, class.code, user, class.name())),
                Some(_) if bound.iter().all(|it| required::imports(session, user, *it, class.code)) => {}
                Some(_) => {
                    return Err(user.refuse(node.start(), format!("`{}` refers to something else here", class.name())));
                }
            }
        }
        if user.path != self.signature.code.path {
            let all = uses.calls.iter().map(|call| call.callee()).chain(handed());
            let bare: Vec<Span> = all.filter(|it| it.is_leaf() && !is_member(it)).map(Node::span).collect();
            required::lose(user, &bare, edits);
        }
        Ok(())
    }

    /// Puts the method into the class.
    fn put(&self, session: &Session, mut inside: Vec<TextEdit>, edits: &mut Edits) -> Result<(), Refusal> {
        let (code, class) = (self.signature.code, self.to.class());
        inside.sort_by_key(|edit| edit.span);
        let text = Layout::of(code).moved_with(self.extent, &class.indent(), &inside);
        edits.add(class.code, [class.with(Slot::Method, &[text])]);
        edits.add(code, [without_lines(code, self.extent)]);
        if code.path != class.code.path {
            let given = &[class.name(), self.signature.name()];
            required::carry(
                session,
                &MovedPieces { from: code, pieces: &[self.extent], to: class.code, given },
                edits,
            )?;
            required::leave(session, code, &[self.extent], edits);
        }
        Ok(())
    }
}
