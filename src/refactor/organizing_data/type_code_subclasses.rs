//! Replace Type Code with Subclasses.
//!
//! ```python
//! class Employee:                              class Employee:
//!     def __init__(self, name, kind):              def __init__(self, name):
//!         self.name = name                             self.name = name
//!         self.kind = kind
//!                                                  @property
//!                                          →       def kind(self):
//!                                                      raise NotImplementedError
//!
//!                                              class Engineer(Employee):
//!                                                  @property
//!                                                  def kind(self):
//!                                                      return ENGINEER
//!
//! ann = Employee("Ann", ENGINEER)              ann = Engineer("Ann")
//! ```
//! Where the code is not known before the program runs, a function of the class chooses the subclass.

mod coded;
mod made;
mod written;

use super::kinds::given;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Passing, Signature};
use crate::refactor::analysis::class_identity::{check_line, check_named};
use crate::refactor::analysis::classes::{ClassHierarchy, Member, MemberKind as Made};
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::analysis::references::Uses;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use coded::Coded;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let field = Field::of(&code, &request.target)?;
    let class = field.class;
    check_outermost(&class).noted()?;
    let constructor = class.constructor();
    let constructor =
        constructor.ok_or_else(|| code.refuse(class.name.start(), "it has no constructor that takes the code"))?;
    if class.allocates() {
        return Err(code.refuse(constructor.start(), "`__new__` takes the code, too"));
    }
    let signature = Signature::of_constructor((&code, constructor))?;
    let (at, statement) = passed(&field, &signature)?;
    let typed = field.written_type();
    let kinds = given(&class, request)?;
    let factory = request.params.given("factory").unwrap_or("create");
    if class.has(factory) {
        return Err(code.refuse(
            class.name.start(),
            format!("`{}` has a `{factory}` already: name another `factory`", class.name()),
        ));
    }
    let coded = Coded { field, signature: &signature, at, statement, kinds, factory, typed };
    coded.check_constructor()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    check_line(&kin, &class).await?;
    if let Some(heir) = kin.heirs(&class).await?.first() {
        let reason = format!(
            "`{}` extends `{}` already: the code of its objects is not known",
            heir.class().name(),
            class.name()
        );
        return Err(heir.code.refuse(heir.class().name.start(), reason));
    }
    let around = coded.field.around(session).await?;
    coded.field.check_plain(&around).noted()?;
    let uses = Uses::of(session, &code, coded.field.members[0].name.start()).await?;
    coded.check_fixed(&uses)?;
    check_named(&Uses::of(session, &code, class.name.start()).await?, class.name()).noted()?;
    let makers = Makers::by_name(session, &class).await?;
    let passing = Passing::of_constructor((&code, constructor), &makers)?;
    let mut edits = Edits::default();
    edits.warn(uses.certain(session).await?);
    edits.warn(makers.warnings.iter().cloned());
    let needs = made::changed(session, &coded, &passing, &mut edits)?;
    edits.add(&code, written::edits(&coded, needs)?);
    edits.warn(coded.told(session));
    edits.plan()
}

/// Returns the parameter that the field is set from, with the statement that sets it.
fn passed<'c>(field: &Field<'c>, signature: &Signature<'c>) -> Result<(usize, Option<Node<'c>>), Refusal> {
    let code = field.class.code;
    let refuse = || {
        code.refuse(
            field.members[0].name.start(),
            "it is not set once, from what the constructor takes, by a statement of it",
        )
    };
    if let Some(member) = field.members.iter().find(|it| it.kind == Made::Parameter) {
        let at = signature.parameters.iter().position(|it| it.node == member.node).filter(|_| field.members.len() == 1);
        return at.map(|at| (at, None)).ok_or_else(refuse);
    }
    let set: Vec<&Member<'c>> = field.members.iter().filter(|it| it.kind == Made::Assigned).collect();
    let [only] = set.as_slice() else { return Err(refuse()) };
    let assignment = only.node.parent().filter(|it| it.child("left") == Some(only.node)).ok_or_else(refuse)?;
    let statement = assignment.parent().filter(|it| it.is("expression_statement")).ok_or_else(refuse)?;
    let is_of_constructor = statement.parent() == signature.function.child("body");
    let value = assignment.child("right").map(|it| it.text(code.text()));
    let at = signature
        .parameters
        .iter()
        .position(|it| Some(it.name.text(code.text())) == value && it.way != ArgumentSource::Rest);
    at.filter(|_| is_of_constructor).map(|at| (at, Some(statement))).ok_or_else(refuse)
}
