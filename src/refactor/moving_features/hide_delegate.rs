//! Hide Delegate.
//!
//! ```python
//! boss = ann.department.manager    →   boss = ann.manager
//!
//!                                      class Person:
//!                                          @property
//!                                          def manager(self):
//!                                              return self.department.manager
//! ```

use crate::refactor::analysis::delegated_access::{DelegateAccess, asked};
use crate::refactor::obstacles::Noted;
use std::collections::BTreeMap;

use crate::lsp::Place;
use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Slot};
pub(crate) use crate::refactor::analysis::delegation::Delegated;
use crate::refactor::analysis::delegation::delegated;
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::references::{UseKind, Uses, kind};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::TextEdit;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    class.check_fields()?;
    let field = field(&class, request.params.needed("delegate")?)?;
    let around = field.around(session).await?;
    let uses = Uses::of(session, &code, field.members[0].name.start()).await?;
    let mut parts = Parts { warnings: uses.apart(session).await?, ..Parts::default() };
    let mut wanted: BTreeMap<String, Place> = BTreeMap::new();
    for file in uses.files.values() {
        let mut edits = Vec::new();
        for one in &file.uses {
            if let Some(reason) = around.unserved(&field, (&file.code, one)) {
                return Err(file.code.refuse(one.span.start, reason));
            }
            let is_own = file.code.path == code.path && class.node.span().contains(one.span);
            let Some(asked) = asked(&file.code, one).filter(|_| !is_own) else { continue };
            let name = asked.member.text(file.code.text());
            check(&file.code, &asked).noted()?;
            let holder = one.member(&file.code).and_then(|it| it.child("object"));
            if holder.is_some_and(|it| around.is_class(&class, &file.code, it)) {
                return Err(file.code.refuse(one.span.start, "the class itself is asked here, not one of its objects"));
            }
            let place = Place { path: file.code.path.clone(), offset: asked.member.start() };
            wanted.entry(name.to_owned()).or_insert(place);
            edits.push(TextEdit::new(asked.between, ""));
        }
        let text = std::sync::Arc::clone(&file.code.parsed().text);
        parts.edits.insert(file.code.path.clone(), (text, edits));
    }
    if wanted.is_empty() {
        return Err(code.refuse(field.members[0].name.start(), format!("`{}` is never used", field.name)));
    }
    let mut written = Vec::new();
    for (name, place) in &wanted {
        if let Some(other) = around.having(&class, name) {
            return Err(code.refuse(class.name.start(), format!("`{}` has a `{name}` already", other.name())));
        }
        let delegated: Delegated = delegated(session, &code, place).await?;
        written.push(delegated.written(&class, field.name, name));
    }
    let edits = parts.edits.entry(code.path.clone()).or_insert_with(|| (code.parsed().text.clone(), Vec::new()));
    edits.1.push(class.with(Slot::Method, &written));
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether the delegate is always there, and all its types are known";
        parts.warnings.push(Warning::of_plan(WarningKind::Unproven, doubt));
    }
    Ok(Plan::new(parts)?)
}

/// Finds the delegate among the members of the class.
fn field<'c>(class: &Class<'c>, name: &str) -> Result<Field<'c>, Refusal> {
    let members = class.members_named(name);
    let first = members
        .first()
        .ok_or_else(|| class.code.refuse(class.name.start(), format!("`{}` has no field `{name}`", class.name())))?;
    if members.iter().any(|it| it.function().is_some()) {
        return Err(class.code.refuse(first.name.start(), format!("`{name}` is not a field")));
    }
    Ok(Field { class: *class, name: first.name.text(class.code.text()), members })
}

/// Refuses what cannot be asked by way of the class.
fn check(code: &Code, asked: &DelegateAccess<'_>) -> Result<(), Refusal> {
    let outer = asked.member.parent().unwrap_or(asked.member);
    let is_optional = std::iter::once(outer).chain(outer.descendants()).any(|it| it.is("optional_chain"));
    let is_private = asked.member.is("private_property_identifier");
    let done = kind(code, asked.member.span());
    let reason = match done {
        _ if is_optional || is_private => "it is not asked in a way that a method could take over".to_owned(),
        UseKind::Read | UseKind::Call => return Ok(()),
        done => format!("a member of the delegate is {} here", done.said()),
    };
    Err(code.refuse(asked.member.start(), reason))
}
