//! Change Unidirectional Association to Bidirectional.
//!
//! ```python
//! class Order:                            class Order:
//!     def __init__(self, customer):           def __init__(self, customer):
//!         self.customer = customer                self.customer = customer
//!
//!                                             @property
//!                                             def customer(self):
//!                                                 return self._customer
//!
//!                                             @customer.setter
//!                                             def customer(self, value):
//!                                                 before = getattr(self, "_customer", None)
//!                                                 if before is not None:
//!                                                     before.orders.remove(self)
//!                                                 self._customer = value
//!                                                 value.orders.append(self)
//!
//! class Customer:                         class Customer:
//!     def __init__(self, name):               def __init__(self, name):
//!         self.name = name                        self.orders = []
//!                                                 self.name = name
//! ```
//! Whoever sets the one way sets the other one with it.

mod back;

use super::stored_field::Stored;
use crate::lsp::Place;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_member_name;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let stored = Stored::of(session, &code, &request.target).await?;
    let name = request.params.text("name");
    if stored.field.class.has("__eq__") {
        let reason = "its `__eq__` takes other objects for this one: the wrong one might be taken out";
        return Err(code.refuse(stored.field.class.name.start(), reason));
    }
    let other = other(session, &stored).await?;
    let mut edits = Edits::default();
    let class = other.class();
    back::check(&class).noted()?;
    check_member_name(session, &class, name).await.noted()?;
    let is_open = stored.is_open();
    edits.add(class.code, back::declared(&class, (&stored, name))?);
    back::import(session, (&stored, &class), &mut edits)?;
    edits.add(&code, stored.edits(&accessors(&stored, name, is_open))?);
    edits.warn(stored.warnings(session));
    let told = format!(
        "what is set has to have `{name}`: what only stands in for a `{}`, as a mock does, has none",
        class.name()
    );
    edits.warn([Warning::of_plan(WarningKind::Unproven, told)]);
    edits.plan()
}

/// Finds the class of the objects that the field holds.
async fn other(session: &Session, stored: &Stored<'_>) -> Result<LocatedClass, Refusal> {
    let (code, field) = (stored.field.class.code, &stored.field);
    let at = field.members[0].name;
    let refuse = |reason: String| code.refuse(at.start(), reason);
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let mut found = kin.classes_of(code, at).await?;
    // What the type says by its words, where the server tells nothing of the name.
    let words = field.type_node().into_iter().flat_map(Node::descendants);
    for word in words.filter(|it| it.is_any(&["identifier", "type_identifier"])) {
        let place = Place { path: code.path.clone(), offset: word.start() };
        found.extend(kin.declared(&place).await?);
    }
    let mut own: Vec<LocatedClass> = Vec::new();
    for one in found.into_iter().filter(|it| kin.is_own(it)) {
        if !own.iter().any(|it| it.place() == one.place()) {
            own.push(one);
        }
    }
    match (own.pop(), own.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => Err(refuse(format!("`{}` holds objects of several classes", field.name))),
        (None, _) => {
            Err(refuse(format!("the class of the object that `{}` holds is not known: write its type", field.name)))
        }
    }
}

/// Writes the accessors that keep both ways.
fn accessors(stored: &Stored<'_>, name: &str, is_open: bool) -> [String; 2] {
    let class: Class<'_> = stored.field.class;
    let code = class.code;
    let (end, indent, step) = (code.newline(), class.indent(), Layout::of(code).step().to_owned());
    let (base, inner) = (format!("{indent}{step}"), format!("{indent}{step}{step}"));
    let (field, storage) = (stored.field.name, &stored.storage);
    let typed = stored.typed.as_deref();
    if code.family() == Family::Python {
        let answer = typed.map(|it| format!(" -> {it}")).unwrap_or_default();
        let value = typed.map_or_else(|| "value".to_owned(), |it| format!("value: {it}"));
        let nothing = if typed.is_some() { " -> None" } else { "" };
        let put = match is_open {
            true => format!("if value is not None:{end}{inner}value.{name}.append(self)"),
            false => format!("value.{name}.append(self)"),
        };
        return [
            format!("@property{end}{indent}def {field}(self){answer}:{end}{base}return self.{storage}"),
            format!(
                "@{field}.setter{end}{indent}def {field}(self, {value}){nothing}:{end}{base}before = getattr(self, \"{storage}\", None){end}{base}if before is not None:{end}{inner}before.{name}.remove(self){end}{base}self.{storage} = value{end}{base}{put}"
            ),
        ];
    }
    let close = code.semicolon();
    let of = typed.map(|it| format!(": {it}")).unwrap_or_default();
    let mark = if is_open { "?" } else { "" };
    let words = stored.words();
    [
        format!("{words}get {field}(){of} {{{end}{base}return this.{storage}{close}{end}{indent}}}"),
        format!(
            "{words}set {field}(value{of}) {{{end}{base}this.{storage}?.{name}.delete(this){close}{end}{base}this.{storage} = value{close}{end}{base}value{mark}.{name}.add(this){close}{end}{indent}}}"
        ),
    ]
}
