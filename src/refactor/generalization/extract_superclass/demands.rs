//! What the classes keep, each in its own way, and the members of the new class ask for: it says that they have it.
//!
//! ```python
//! class Missing(Failure):              class Reported(Failure):
//!     message = "{} is missing"            message: str
//!
//!     def __str__(self): …         →       def __str__(self): …
//!
//!                                      class Missing(Reported):
//!                                          message = "{} is missing"
//! ```

use super::shared::shares;
use crate::refactor::analysis::classes::{Class, Member, MemberKind};
use crate::refactor::analysis::data_classes;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::literal_types::literal_type;
use crate::refactor::analysis::members::{Destination, MemberDeclarations};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::Span;

/// What the new class says of a member that it leaves to the others.
pub(super) struct Demand {
    pub name: String,
    /// As it stands in a class at the top of a file, but for the indentation of its first line; empty where the language needs
    /// no declaration.
    pub declared: String,
    pub kind: MemberKind,
    /// Whether only subclasses have what it declares, which they carry out (TypeScript's `abstract`).
    pub is_abstract: bool,
}

impl Demand {
    /// Returns what to say of a member that one class has, and all others, each another one; nothing where it does not look
    /// the same to those who ask for it.
    pub(super) fn of(session: &Session, (class, all): (&Class<'_>, &[Class<'_>]), name: &str) -> Option<Self> {
        let mut others = all.iter().filter(|it| it.place() != class.place()).peekable();
        let is_single = others.peek().is_none();
        if is_single || others.all(|other| shares(session, class, other, name)) {
            return None;
        }
        MemberDeclarations::named(*class, name, Destination::Above).ok()?.check_bound_names(&all[0]).ok()?;
        let all = all.iter().map(|class| declared(class, name)).collect::<Option<Vec<_>>>()?;
        let (declared, kind) = all.first().filter(|one| all.iter().all(|it| it == *one))?.clone();
        Some(Self { name: name.to_owned(), declared, kind, is_abstract: class.code.is_typed_script() })
    }

    /// Writes those of fields, or all others, as members of a class; nothing where there are none.
    pub(super) fn written(demands: &[Self], of_fields: bool, (code, step): (&Code, &str)) -> Option<String> {
        let end = code.newline();
        let those = demands.iter().filter(|it| (it.kind == MemberKind::Field) == of_fields && !it.declared.is_empty());
        let said = those.map(|it| format!("{step}{}{end}", it.declared));
        let gap = if of_fields || code.is_typed_script() { "" } else { end };
        Some(said.collect::<Vec<_>>().join(gap)).filter(|it| !it.is_empty())
    }
}

/// Returns what a class's own declaration of a member says to those who ask for it.
fn declared(class: &Class<'_>, name: &str) -> Option<(String, MemberKind)> {
    let members = class.members_named(name);
    let mut apart = members.iter().filter(|it| it.kind != MemberKind::Assigned);
    let member = apart.next().filter(|it| apart.next().is_none() && it.decorators().next().is_none())?;
    let said = match (member.kind, class.code.family()) {
        (MemberKind::Field | MemberKind::Method, Family::Script) if !class.code.is_typed_script() => String::new(),
        (MemberKind::Field, Family::Python) => format!("{name}: {}", python_type(class, member)?),
        (MemberKind::Method, Family::Python) if !member.is_static => python_method(class, member)?,
        (MemberKind::Field | MemberKind::Method, Family::Script) => script(class, member)?,
        _ => return None,
    };
    Some((said, member.kind))
}

/// Returns the type of a field of the class body; a dataclass would take what declares it for a field of the new class.
fn python_type(class: &Class<'_>, member: &Member<'_>) -> Option<String> {
    let code = class.code;
    if data_classes::mark(class).is_some() {
        return None;
    }
    let value = member.name.parent()?.child("right");
    match member.declared_type(code) {
        Some(written) => Some(written.text(code.text()).to_owned()),
        None => literal_type(code.family(), value?, code.text()).map(str::to_owned),
    }
}

fn python_method(class: &Class<'_>, member: &Member<'_>) -> Option<String> {
    let code = class.code;
    let function = member.function()?;
    let head = Span::new(function.start(), function.child("body")?.start()).of(code.text())?.trim_end();
    let head = head.strip_suffix(':').filter(|it| !it.contains(['\n', '#']))?;
    let deeper = Layout::of(code).step().repeat(2);
    Some(format!("{head}:{}{deeper}raise NotImplementedError", code.newline()))
}

fn script(class: &Class<'_>, member: &Member<'_>) -> Option<String> {
    let (code, text) = (class.code, class.code.text());
    let marks = ["static", "private", "accessor", "declare", "get", "set", "*", "async"];
    let name = member.name.text(text);
    if marks.iter().any(|mark| member.is_marked(code, mark)) || name.starts_with('#') {
        return None;
    }
    let seen = if member.is_marked(code, "protected") { "protected " } else { "" };
    let fixed = if member.is_marked(code, "readonly") { "readonly " } else { "" };
    let typed = match member.kind {
        MemberKind::Method => {
            let function = member.function()?;
            function.child("return_type")?;
            Span::new(member.name.end(), function.child("body")?.start()).of(text)?.trim_end().to_owned()
        }
        _ => match member.declared_type(code) {
            Some(written) => written.text(text).to_owned(),
            None => format!(": {}", literal_type(code.family(), member.node.child("value")?, text)?),
        },
    };
    Some(format!("{seen}abstract {fixed}{name}{typed};")).filter(|it| !it.contains('\n'))
}
