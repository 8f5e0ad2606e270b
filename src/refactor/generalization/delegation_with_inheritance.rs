//! Replace Delegation with Inheritance.
//!
//! ```python
//! class Employee:                          class Employee(Person):
//!     def __init__(self, name):                def __init__(self, name):
//!         self._person = Person(name)              super().__init__(name)
//!                                      →
//!     def last_name(self):
//!         return self._person.last_name()
//!
//!     def shown(self):                         def shown(self):
//!         return self._person.name                 return self.name
//! ```
//! The object that is held is made with the one that holds it and by nobody seen for itself: the two become one.

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind, Slot};
use crate::refactor::analysis::delegate_field::{HeldObject, class_name, constructor};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inherited_members::check_remade;
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class).noted()?;
    let named = request.target.name.filter(|name| *name != class.name.span()).and_then(|name| name.of(code.text()));
    let held = HeldObject::find(&class, request.params.given("delegate").or(named))?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let line = held.line(session, &kin).await?;
    line.check_complete().noted()?;
    check_remade(&class).noted()?;
    line.check_kinds(session, &kin).await?;
    let gone = held.forwarders(&line);
    held.check_names(&kin, &line, &gone).await.noted()?;
    let mut edits = Edits::default();
    held.redirect(session, &gone, &mut edits).await?;
    let declared = held.field.members.iter().filter(|it| it.kind == MemberKind::Field);
    let taken: Vec<Member<'_>> = gone.iter().chain(declared).copied().collect();
    edits.add(&code, class.without(&taken)?);
    edits.add(&code, inherits(&held)?);
    edits.warn(held.field.listed(session, &format!("fields of {}", line.base().name())));
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether the types fit";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

/// Lets the class extend the other one, and its constructor begin with that of the other.
fn inherits(held: &HeldObject<'_>) -> Result<Vec<TextEdit>, Refusal> {
    let code = held.class.code;
    let name = class_name(held.made).unwrap_or(held.made).text(code.text());
    if code.family() == Family::Python {
        let list = held.class.node.child("superclasses").map(Node::span);
        let head = TextEdit::new(list.unwrap_or(Span::at(held.class.name.end())), format!("({name})"));
        let arguments = held.made.child("arguments").unwrap_or(held.made);
        let statement = held.statement.unwrap_or(held.made);
        let begun = TextEdit::new(Span::new(statement.start(), arguments.start()), "super().__init__");
        return Ok(vec![head, begun]);
    }
    let behind = held.class.node.child("type_parameters").unwrap_or(held.class.name).end();
    let mut edits = vec![TextEdit::new(Span::at(behind), format!(" extends {name}"))];
    let arguments = held.made.child("arguments").map_or("()", |it| it.text(code.text()));
    let constructor = constructor(&held.class);
    match (held.statement, constructor.and_then(|it| it.child("body"))) {
        (Some(statement), Some(body)) => {
            if body.named_children().next() != Some(statement) {
                return Err(code.refuse(statement.start(), "the constructor would have to begin with this"));
            }
            edits.push(TextEdit::new(Span::new(statement.start(), held.made.end()), format!("super{arguments}")));
        }
        (_, Some(body)) => {
            let (end, base) = (code.newline(), code.indent(body.start()).to_owned());
            let step = Layout::of(code).step().to_owned();
            let tail = if body.named_children().next().is_none() { format!("{end}{base}") } else { String::new() };
            let text = format!("{end}{base}{step}super{arguments};{tail}");
            edits.push(TextEdit::new(Span::at(body.start() + 1), text));
        }
        (_, None) if arguments != "()" => {
            let (end, indent, step) = (code.newline(), held.class.indent(), Layout::of(code).step().to_owned());
            let text = format!("constructor() {{{end}{indent}{step}super{arguments};{end}{indent}}}");
            edits.push(held.class.with(Slot::Constructor, &[text]));
        }
        _ => {}
    }
    Ok(edits)
}
