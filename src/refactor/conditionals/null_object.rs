//! Introduce Null Object: an object that answers as the checks do stands where there was none.
//!
//! ```python
//! class Site:                                                  class Site:
//!     customer: Customer | None                                    customer: Customer
//!                                                          →
//! site.customer = None                                         site.customer = NullCustomer()
//! print(site.customer.name if site.customer else "nobody")     print(site.customer.name)
//! ```
//! What may hold nothing is a field or what a function returns: the one that is named, or all whose type names the class
//! that is named.

mod checks;
mod class_text;
mod nullable;
mod tracked_values;

use crate::lsp::Place;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::class_identity::check_line;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass};
use crate::refactor::analysis::members::{check_outermost, check_unused};
use crate::refactor::analysis::references::Uses;
use crate::refactor::analysis::sibling_declarations::behind;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::Span;
use nullable::Nullable;
use tracked_values::Work;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let name = request.params.text("name");
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let (standing, seeds) = sought(session, &kin, &code, request).await?;
    let class = standing.class();
    if !kin.is_own(&standing) {
        return Err(Refusal::NotPossible(format!("`{}` is not the project's own class", class.name())));
    }
    let home = Code::read(session, &class.code.path)?;
    check_unused(&home, name).noted()?;
    check_outermost(&class).noted()?;
    let above = check_line(&kin, &class).await?;
    let heirs = kin.heirs(&class).await?;
    for one in std::iter::once(class).chain(above.iter().chain(&heirs).map(LocatedClass::class)) {
        check_always(&one).noted()?;
    }
    let uses = Uses::of(session, class.code, class.name.start()).await?;
    let mut work = Work::new((session, &kin), (&class, &uses), name);
    for seed in seeds {
        work.open(seed);
    }
    work.finish().await?;
    if work.answers.is_empty() {
        return Err(code.refuse(class.name.start(), "no code checks whether there is one before it is used"));
    }
    let said = class_text::written(&class, name, &work.answers)?;
    let mut edits = work.edits()?;
    edits.add(class.code, [behind(class.code, class.statement(), &said)]);
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether nothing else could be there but what its type names";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

/// Refuses classes some of whose objects count as nothing, or that have to be complete before any is made.
fn check_always(class: &Class<'_>) -> Result<(), Refusal> {
    let code = class.code;
    for name in ["__bool__", "__len__", "__del__"] {
        if let Some(member) = class.members_named(name).first() {
            return Err(
                code.refuse(member.name.start(), format!("an object with a `{name}` may count as nothing itself"))
            );
        }
    }
    let members = class.members();
    let is_abstract = |mark: crate::syntax::Node<'_>| mark.text(code.text()).contains("abstract");
    match members.iter().find(|it| it.is_marked(code, "abstract") || it.decorators().any(is_abstract)) {
        Some(member) => Err(code.refuse(member.name.start(), "it is abstract: nothing has to have it, too")),
        None => Ok(()),
    }
}

/// Finds the class, and what may hold an object of it or nothing.
async fn sought(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    code: &Code,
    request: &Request,
) -> Result<(LocatedClass, Vec<Place>), Refusal> {
    let named = request.target.name.filter(|name| Class::named_at(code, name.start).is_some());
    if let Some(class) = named.and_then(|name| Class::named_at(code, name.start)) {
        let uses = Uses::of(session, code, class.name.start()).await?;
        let mut seeds: Vec<Place> = Vec::new();
        for (user, one) in uses.iter() {
            let found = Nullable::around(user, one.node(user)).and_then(|it| it.holder(user));
            seeds.extend(found.map(|node| Place { path: user.path.clone(), offset: node.start() }));
        }
        seeds.sort();
        seeds.dedup();
        return match seeds.is_empty() {
            true => Err(code.refuse(class.name.start(), "no field and no function says that it may have none of them")),
            false => Ok((kin.itself(&class)?, seeds)),
        };
    }
    let none = || Refusal::NotPossible(format!("the target names no class, field or function of `{}`", code.shown));
    let offset = request.target.place().ok_or_else(none)?;
    let here = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    let uses = Uses::of(session, code, here.start()).await?;
    for (user, one) in uses.iter() {
        let node = one.node(user);
        let written = nullable::declared(node).or_else(|| nullable::given(user, one));
        let Some(named) = written.and_then(|it| Nullable::of(user, it)).map(|it| it.class) else {
            continue;
        };
        let place = Place { path: user.path.clone(), offset: named.start() };
        if let Some(class) = kin.declared(&place).await? {
            return Ok((class, vec![Place { path: code.path.clone(), offset: here.start() }]));
        }
    }
    Err(code.refuse(offset, "no type says here that there may be nothing instead of an object of a class"))
}
