//! Pull Up Constructor Body.
//!
//! ```python
//! class Party: ...                     class Party:
//!                                          def __init__(self, name):
//! class Person(Party):                         self.name = name
//!     def __init__(self, name, age):
//!         self.name = name         →   class Person(Party):
//!         self.age = age                   def __init__(self, name, age):
//!                                              super().__init__(name)
//!                                              self.age = age
//! ```

mod existing_constructor;
mod initial_fields;

use super::chosen_superclass::superclass;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind, Slot};
use crate::refactor::analysis::constructor_calls::check_unmade;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::Departures;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{MemberDeclarations, check_outermost};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{Span, TextEdit};
use existing_constructor::Ground;
use initial_fields::Opening;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    class.check_extends()?;
    let own = Opening::of(&class)?.filter(|own| own.count() > 0);
    let own = own.ok_or_else(|| {
        let reason = format!("the constructor of `{}` does not begin with fields that get parameters", class.name());
        code.refuse(class.name.start(), reason)
    })?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let base = superclass(session, &kin, &class, request.params.text("to")).await?;
    let to = base.class();
    check_outermost(&class).noted()?;
    check_outermost(&to).noted()?;
    check_base(session, &kin, &to).await.noted()?;
    let heirs = kin.below(&to).await?;
    let mut sharers = Vec::new();
    let mut count = own.count();
    for heir in heirs.iter().filter(|heir| heir.place() != class.place()) {
        if let Some(common) = shared(session, &own, heir)? {
            count = count.min(common);
            sharers.push(heir);
        }
    }
    check_lines(&kin, &to).await.noted()?;
    let taken = own.first(count);
    let mut edits = Edits::default();
    let fields = taken.fields(&class, &to)?;
    let there = Ground::of(&to)?;
    taken.check_order(there.as_ref()).noted()?;
    put_into(&to, (&taken, there.as_ref()), fields, &mut edits)?;
    let given: Vec<&str> = taken.parameters.iter().map(|it| it.name).chain([taken.receiver]).collect();
    let mut pieces: Vec<Span> = taken.statements.iter().map(|it| it.span()).chain(taken.types()).collect();
    for name in taken.names() {
        pieces.extend(taken.declared(&class, name)?.iter().map(|member| member.node.span()));
    }
    let carried = required::MovedPieces { from: &code, pieces: &pieces, to: to.code, given: &given };
    required::carry(session, &carried, &mut edits)?;
    edits.add(&code, taken.rest(&class)?);
    let mut gone = Departures::default();
    gone.add(&code, pieces);
    for heir in sharers {
        let other = heir.class();
        let opening = Opening::of(&other)?.map(|it| it.first(count));
        let opening = opening.ok_or_else(|| other.code.refuse(other.name.start(), "its constructor changed"))?;
        opening.check_order(there.as_ref()).noted()?;
        edits.add(other.code, opening.rest(&other)?);
        gone.add(&heir.code, opening.statements.iter().map(|it| it.span()));
    }
    gone.leave(session, &mut edits);
    edits.plan()
}

/// Gives the superclass the fields, and the statements to the constructor that it has or comes to have.
fn put_into(
    to: &Class<'_>,
    (taken, there): (&Opening<'_>, Option<&Ground<'_>>),
    fields: Vec<String>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let (end, indent) = (to.code.newline(), to.indent());
    let slot = if fields.is_empty() { Slot::Constructor } else { Slot::Field };
    let mut new = fields.join(&format!("{end}{indent}"));
    match there {
        Some(there) => edits.add(to.code, there.with(taken)?),
        None => {
            let gap = if new.is_empty() { String::new() } else { format!("{end}{end}{indent}") };
            new.push_str(&format!("{gap}{}", taken.constructor(to)?));
        }
    }
    if !new.is_empty() {
        edits.add(to.code, [to.with(slot, &[new])]);
    }
    Ok(())
}

/// Refuses a superclass that has a constructor from somewhere, or of which somebody makes objects.
async fn check_base(session: &Session, kin: &ClassHierarchy<'_>, base: &Class<'_>) -> Result<(), Refusal> {
    let (above, unknown) = kin.ancestors(base).await?;
    if let Some(unknown) = unknown.first() {
        let reason = format!("`{unknown}`, from which `{}` inherits, cannot be resolved", base.name());
        return Err(base.code.refuse(base.name.start(), reason));
    }
    let builds = |class: &Class<'_>| class.members().iter().any(|it| it.kind == MemberKind::Constructor);
    let is_plain =
        |one: &LocatedClass| !kin.is_own(one) && ["object", "ABC", "Generic", "Protocol"].contains(&one.class().name());
    if let Some(one) = above.iter().find(|one| !is_plain(one) && builds(&one.class())) {
        let reason = format!("`{}` has a constructor of its own", one.class().name());
        return Err(base.code.refuse(base.name.start(), reason));
    }
    if let Some(mark) = base.changing_decorators().next() {
        return Err(base.code.refuse(mark.start(), "what this does to the constructor is not known"));
    }
    check_unmade(session, base).await
}

/// Returns how many statements another heir begins with, too; nothing where it may stay as it is.
fn shared(session: &Session, own: &Opening<'_>, heir: &LocatedClass) -> Result<Option<usize>, Refusal> {
    let other = heir.class();
    let refuse = |reason: String| Err(other.code.refuse(other.name.start(), reason));
    let Some(opening) = Opening::of(&other)? else {
        return refuse(format!("`{}` has no constructor: it would be given this one", other.name()));
    };
    match own.common(&opening) {
        0 if opening.calls_super() => refuse(format!("the constructor of `{}` begins otherwise", other.name())),
        0 => Ok(None),
        count => match own.first(count).differing(session, &opening.first(count)) {
            Some(node) => {
                let (said, file) = (node.text(own.code.text()), &other.code.shown);
                Err(own.code.refuse(node.start(), format!("`{said}` means something else in `{file}`")))
            }
            None => Ok(Some(count)),
        },
    }
}

/// Refuses heirs with several lines: whose constructor comes next is told by the order of their bases.
async fn check_lines(kin: &ClassHierarchy<'_>, base: &Class<'_>) -> Result<(), Refusal> {
    for heir in kin.heirs(base).await? {
        let class = heir.class();
        if class.bases().len() > 1 {
            return Err(class.code.refuse(class.name.start(), format!("`{}` has several superclasses", class.name())));
        }
    }
    Ok(())
}

impl Opening<'_> {
    /// Writes the declarations of the fields for the superclass.
    fn fields(&self, class: &Class<'_>, to: &Class<'_>) -> Result<Vec<String>, Refusal> {
        let mut written = Vec::new();
        for name in self.names() {
            let members = self.declared(class, name)?;
            let is_field =
                |it: &Member<'_>| matches!(it.kind, MemberKind::Field | MemberKind::Assigned) && !it.is_static;
            match to.members_named(name) {
                there if there.is_empty() => {}
                there if there.iter().all(is_field) => continue,
                _ => return Err(to.code.refuse(to.name.start(), format!("`{}` has a `{name}` already", to.name()))),
            }
            let group = MemberDeclarations { class: *class, name, members };
            written.extend(group.written(&to.indent())?);
        }
        Ok(written)
    }

    /// Returns the declarations of a field in the class body, which give it no value.
    fn declared<'c>(&self, class: &Class<'c>, name: &str) -> Result<Vec<Member<'c>>, Refusal> {
        let code = class.code;
        let members =
            class.members_named(name).into_iter().filter(|it| it.kind == MemberKind::Field).collect::<Vec<_>>();
        let has_value = |member: &Member<'c>| {
            let inner = member.node.named_children().next().filter(|it| it.is("assignment")).unwrap_or(member.node);
            inner.child("value").is_some() || inner.child("right").is_some()
        };
        match members.iter().find(|it| has_value(it)) {
            Some(member) => Err(code.refuse(member.name.start(), format!("`{name}` gets a value here, too"))),
            None => Ok(members),
        }
    }

    /// Writes the constructor of the superclass.
    fn constructor(&self, to: &Class<'_>) -> Result<String, Refusal> {
        let (end, indent) = (to.code.newline(), to.indent());
        let step = Layout::of(to.code).step().to_owned();
        let base = format!("{indent}{step}");
        let layout = Layout::of(self.code);
        let said: Vec<String> = self.statements.iter().map(|it| layout.moved(it.span(), &base)).collect();
        let body = said.iter().map(|it| format!("{end}{base}{it}")).collect::<String>();
        let parameters: Vec<String> = self.parameters.iter().map(|it| it.written.clone()).collect();
        Ok(match self.code.family() {
            Family::Python => {
                let list = [vec![self.receiver.to_owned()], parameters].concat().join(", ");
                let result = if self.function.child("return_type").is_some() { " -> None" } else { "" };
                format!("def __init__({list}){result}:{body}")
            }
            _ => {
                let above = if to.bases().is_empty() { String::new() } else { format!("{end}{base}super();") };
                format!("constructor({}) {{{above}{body}{end}{indent}}}", parameters.join(", "))
            }
        })
    }

    /// Takes the statements away and gives the superclass its arguments.
    fn rest(&self, class: &Class<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let code = class.code;
        let last = self.statements[self.statements.len() - 1];
        let start = self.super_call.unwrap_or(self.statements[0]).start();
        let names: Vec<&str> = self.parameters.iter().map(|it| it.name).collect();
        let call = match code.family() {
            Family::Python => format!("super().__init__({})", names.join(", ")),
            _ => format!("super({});", names.join(", ")),
        };
        let mut gone = Vec::new();
        for name in self.names() {
            gone.extend(self.declared(class, name)?);
        }
        let mut edits = class.without(&gone)?;
        let between = Span::new(start, last.end());
        let comment = class.body.descendants().find(|it| it.kind().ends_with("comment") && between.contains(it.span()));
        if let Some(comment) = comment {
            return Err(code.refuse(comment.start(), "the comment would be lost"));
        }
        edits.push(TextEdit::new(between, call));
        Ok(edits)
    }
}
