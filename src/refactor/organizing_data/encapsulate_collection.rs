//! Encapsulate Collection.
//!
//! ```python
//! class Course:                        class Course:
//!     def __init__(self):                  def __init__(self):
//!         self.students = []      →            self._students = []
//!
//! course.students.append(ann)              @property
//!                                          def students(self):
//!                                              return list(self._students)
//!
//!                                          def add_student(self, student): ...
//!                                          def remove_student(self, student): ...
//!
//!                                      course.add_student(ann)
//! ```

mod collection_methods;
mod outside_uses;

use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::{Span, TextEdit};
use collection_methods::Methods;
use outside_uses::Outside;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let field = Field::of(&code, &request.target)?;
    let first = field.members[0].name;
    if field.name.starts_with(['_', '#']) || field.members.iter().any(|it| it.is_marked(&code, "private")) {
        return Err(code.refuse(first.start(), format!("`{}` is private", field.name)));
    }
    let around = field.around(session).await?;
    field.check_open(&around).and_then(|()| field.check_unshared()).noted()?;
    let slot = field.slot()?;
    let typed = match field.written_type() {
        Some(written) => written.to_owned(),
        None => inferred_types::known(session, &code, first).await?,
    };
    let said = said(&field, &typed);
    let methods = Methods::of(&field, &typed, said.as_deref()).ok_or_else(|| {
        code.refuse(first.start(), format!("`{}` is not a list, array or set, but `{typed}`", field.name))
    })?;
    for name in [&methods.storage, &methods.add, &methods.remove] {
        field.check_free(&around, name).noted()?;
    }
    let uses = Uses::of(session, &code, first.start()).await?;
    let mut warnings = doubts(session, &code, &uses).await?;
    if let Some(slot) = slot {
        let range = code.parsed().text.range(slot);
        warnings.retain(|it| it.path.as_ref() != Some(&code.path) || it.range != range);
    }
    warnings.extend(field.listed(session, &methods.storage));
    let mut parts = Parts { warnings, ..Parts::default() };
    for file in uses.files.values() {
        let mut edits: Vec<TextEdit> = Vec::new();
        for one in &file.uses {
            let is_own = file.code.path == code.path && field.class.node.span().contains(one.span);
            let heir = around.below.iter().map(|it| it.class()).find(|it| {
                it.code.path == file.code.path && it.node.span().contains(one.span) && code.family() == Family::Python
            });
            edits.extend(match is_own || heir.is_some() {
                true => own(&file.code, one.span, one.kind, &methods.storage)?,
                false => Outside { code: &file.code, methods: &methods }.edit(one)?,
            });
        }
        if file.code.path == code.path {
            let declared =
                field.members.iter().filter(|it| it.kind != crate::refactor::analysis::classes::MemberKind::Assigned);
            edits.extend(declared.flat_map(|member| super::encapsulate_field::kept(&field, member, &methods.storage)));
            edits.push(methods.inserted(&field));
            edits.extend(slot.map(|slot| TextEdit::new(slot, methods.storage.as_str())));
        }
        edits.sort();
        edits.dedup();
        let text = std::sync::Arc::clone(&file.code.parsed().text);
        parts.edits.insert(file.code.path.clone(), (text, edits));
    }
    Ok(Plan::new(parts)?)
}

/// Doubts uses that the class may not have for itself.
async fn doubts(session: &Session, code: &Code, uses: &Uses) -> Result<Vec<Warning>, Refusal> {
    if code.family() == Family::Python {
        // The object is handed out as a copy: who changes it has to be known.
        return uses.its_own(session).await;
    }
    let unproven = "whether some user needs to do more than read the collection";
    let mut warnings = vec![Warning::of_plan(WarningKind::Unproven, unproven)];
    warnings.extend(uses.apart(session).await?);
    Ok(warnings)
}

/// Returns the collection's type as its class says types; nothing where it says none, or they cannot be written there.
fn said(field: &Field<'_>, typed: &str) -> Option<String> {
    let code = field.class.code;
    match (field.written_type(), code.parsed().tree.language()) {
        (Some(written), _) => Some(written.to_owned()),
        (None, Language::JavaScript) => None,
        (None, Language::Python) => {
            let functions = field.class.node.descendants().filter(|it| it.is("function_definition"));
            let is_typed = functions.into_iter().any(inferred_types::is_typed);
            inferred_types::written(code, &ScopedNames::of(code), typed).filter(|_| is_typed)
        }
        _ => Some(typed.to_owned()),
    }
}

/// The class itself uses what it keeps.
fn own(code: &Code, span: Span, kind: UseKind, storage: &str) -> Result<Option<TextEdit>, Refusal> {
    match kind {
        UseKind::Delete | UseKind::Key | UseKind::Keyword | UseKind::Pattern | UseKind::Text => {
            Err(code.refuse(span.start, format!("it is {} here", kind.said())))
        }
        UseKind::Definition if code.family() == Family::Script => Ok(None),
        _ => Ok(Some(TextEdit::new(span, storage))),
    }
}
