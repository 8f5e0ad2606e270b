//! Form Template Method.
//!
//! ```python
//! class Sheet: ...                         class Sheet:
//!                                              def head(self):
//! class Plain(Sheet):                              raise NotImplementedError
//!     def head(self): ...
//!     def text(self):                          def text(self):
//!         return self.head() + "."                 return self.head() + "."
//!                                      →
//! class Html(Sheet):                       class Plain(Sheet):
//!     def head(self): ...                      def head(self): ...
//!     def text(self):
//!         return self.head() + "."         class Html(Sheet):
//!                                              def head(self): ...
//! ```
//! The method says the same in several subclasses; the steps that it asks for differ, and stay below.

use super::chosen_superclass::superclass;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, MemberKind, Slot};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::equal_code::differing_name;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_outermost};
use crate::refactor::analysis::moved_methods::MovedMethod;
use crate::refactor::analysis::override_conflicts::Family;
use crate::refactor::analysis::references::{UseKind as Use, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family as Languages, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let group = MemberDeclarations::at(&code, blocks::place(&code, &request.target), Destination::Elsewhere)?;
    check(&group)?;
    group.class.check_extends()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let base = superclass(session, &kin, &group.class, request.params.text("to")).await?;
    let to = base.class();
    check_outermost(&group.class).noted()?;
    check_outermost(&to).noted()?;
    let family = Family::of(&kin, (&group.class, group.name), &to).await?;
    let (twins, _) = family.twins(session, &group)?;
    if twins.is_empty() {
        return Err(group.refuse(format!("no other subclass of `{}` says the same", to.name())));
    }
    if code.is_typed_script() {
        let is_twin = |one: &LocatedClass| twins.iter().any(|it| it.place() == one.place());
        let mut others = kin.below(&to).await?.into_iter().filter(|it| it.place() != group.class.place());
        if let Some(other) = others.find(|it| !is_twin(it)) {
            let class = other.class();
            let reason = format!("`{}` would have to do the steps of `{}`, too", class.name(), group.name);
            return Err(class.code.refuse(class.name.start(), reason));
        }
    }
    let steps = steps(&kin, &group, &to).await?;
    let mut edits = Edits::default();
    let mut written = Vec::new();
    for one in steps.iter().chain([&group]) {
        family.check_pull(one).noted()?;
        if to.code.path == code.path {
            one.check_order(&to, None).noted()?;
        }
    }
    for step in &steps {
        check_alike(session, step, &twins).noted()?;
        let head = head(step);
        written.push(declared(step, &to, head));
        let carried = required::MovedPieces { from: &code, pieces: &[head], to: to.code, given: &[] };
        required::carry(session, &carried, &mut edits)?;
    }
    written.extend(group.written(&to.indent())?.into_iter().map(|it| it.replace(code.newline(), to.code.newline())));
    edits.add(to.code, [to.with(Slot::Method, &written)]);
    if code.family() == Languages::Script {
        edits.add(to.code, made_abstract(session, &to).await?);
    }
    let gone = group.take_out(&twins, &mut edits)?;
    for step in &steps {
        family.say_override(session, (step.name, &[]), &mut edits);
    }
    group.carry(session, &to, &mut edits)?;
    gone.leave(session, &mut edits);
    edits.plan()
}

/// Refuses what is no plain method that could stand in another class.
fn check(group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
    group.check_kind(MemberKind::Method, "it is not a method")?;
    group.check_bound()?;
    MovedMethod::of(group)?.called(group)?;
    let member = group.members[0];
    let is_closed = member.is_static || member.is_marked(group.code(), "private");
    match is_closed || member.decorators().next().is_some() {
        true => Err(group.refuse(format!("`{}` is not an ordinary method for all subclasses", group.name))),
        false => Ok(()),
    }
}

/// Returns the methods that the algorithm asks its object for and that the superclass does not know.
async fn steps<'c>(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'c>,
    to: &Class<'_>,
) -> Result<Vec<MemberDeclarations<'c>>, Refusal> {
    let (above, _) = kin.ancestors(to).await?;
    let mut steps: Vec<MemberDeclarations<'c>> = Vec::new();
    for node in group.asked() {
        let name = node.text(group.code().text());
        let is_known = to.has(name) || above.iter().any(|it| it.class().has(name));
        if is_known || steps.iter().any(|it| it.name == name) {
            continue;
        }
        let step = MemberDeclarations::named(group.class, name, Destination::Elsewhere)?;
        if !step.is_all(MemberKind::Method) {
            return Err(group.code().refuse(node.start(), format!("`{name}` is not a method: pull it up first")));
        }
        check(&step)?;
        steps.push(step);
    }
    match steps.is_empty() {
        true => Err(group.refuse("its steps are known above: `pull-up-method` does it")),
        false => Ok(steps),
    }
}

/// Returns a step without its body: `def head(self) -> str:`.
fn head(step: &MemberDeclarations<'_>) -> Span {
    let member = step.members[0];
    let body = member.function().and_then(|it| it.child("body")).map_or(member.node.end(), Node::start);
    let text = &step.code().text()[member.node.start()..body];
    Span::new(member.node.start(), member.node.start() + text.trim_end().len())
}

/// Refuses steps that the subclasses declare differently.
fn check_alike(session: &Session, step: &MemberDeclarations<'_>, twins: &[&LocatedClass]) -> Result<(), Refusal> {
    let said = |group: &MemberDeclarations<'_>| head(group).of(group.code().text()).map(str::to_owned);
    for twin in twins {
        let other = MemberDeclarations::named(twin.class(), step.name, Destination::Elsewhere)?;
        check(&other)?;
        let differing = || differing_name(session, (step.code(), &[head(step)]), (other.code(), &[head(&other)]));
        if said(&other) != said(step) || differing().is_some() {
            let reason = format!("`{}` is declared otherwise than in `{}`", step.name, step.class.name());
            return Err(other.refuse(reason));
        }
    }
    let function = step.members[0].function();
    let has_result = function.is_some_and(|it| it.child("return_type").is_some());
    match step.code().is_typed_script() && !has_result {
        true => Err(step.refuse(format!("`{}` does not say what it returns", step.name))),
        false => Ok(()),
    }
}

/// Declares a step in the superclass, which cannot do it itself.
fn declared(step: &MemberDeclarations<'_>, to: &Class<'_>, head: Span) -> String {
    let code = step.code();
    let (end, indent, step) = (to.code.newline(), to.indent(), Layout::of(to.code).step().to_owned());
    let said = Layout::of(code).moved(head, &indent).replace(code.newline(), end);
    let nothing = |what: &str| format!("{end}{indent}{step}{what}");
    match code.family() {
        Languages::Python => format!("{said}{}", nothing("raise NotImplementedError")),
        _ if code.is_typed_script() => {
            let said = said.trim_start_matches("public ").trim_start_matches("override ");
            match said.strip_prefix("protected ") {
                Some(rest) => format!("protected abstract {rest};"),
                None => format!("abstract {said};"),
            }
        }
        _ => format!("{said} {{{}{end}{indent}}}", nothing("throw new Error(\"a subclass does this\");")),
    }
}

/// Marks a class of TypeScript as one that there are no objects of.
async fn made_abstract(session: &Session, to: &Class<'_>) -> Result<Option<TextEdit>, Refusal> {
    let code = to.code;
    if !code.is_typed_script() || to.node.is("abstract_class_declaration") {
        return Ok(None);
    }
    let uses = Uses::of(session, code, to.name.start()).await?;
    let is_free = |kind: Use| matches!(kind, Use::Definition | Use::Import | Use::Export | Use::Base | Use::Type);
    match uses.iter().find(|(_, one)| !is_free(one.kind)) {
        Some((user, one)) => {
            let reason = format!("`{}` is {} here: objects of it could not do the steps", to.name(), one.kind.said());
            Err(user.refuse(one.span.start, reason))
        }
        None => Ok(Some(TextEdit::new(Span::at(to.node.start()), "abstract "))),
    }
}
