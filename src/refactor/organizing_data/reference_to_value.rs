//! Change Reference to Value.
//!
//! ```python
//! class Currency:                      class Currency:
//!     def __init__(self, code):            def __init__(self, code):
//!         self.code = code                     self.code = code
//!                                  →
//!                                          def __eq__(self, other):
//!                                              if not isinstance(other, Currency):
//!                                                  return NotImplemented
//!                                              return self.code == other.code
//!
//!                                          def __hash__(self):
//!                                              return hash(self.code)
//! ```

use super::fixed_fields::{changes, fields, is_changeable};
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, Slot};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types::is_typed;
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::analysis::type_parameters::TypeParameters;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::refuse_all;
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
    let all = fields(&class);
    let chosen = chosen(&class, &all, request.params.list("fields"))?;
    check(&class, &chosen).noted()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    if let Some(heir) = kin.heirs(&class).await?.first() {
        let reason = format!(
            "`{}` extends `{}`, and may have more that makes two objects differ",
            heir.class().name(),
            class.name()
        );
        return Err(heir.code.refuse(heir.class().name.start(), reason));
    }
    let changed = changes(session, &class).await?;
    let changed = changed.iter().map(|it| {
        let reason =
            format!("`{}` is changed here: a value never is (`remove-setting-method`, or make a new object)", it.field);
        it.code.refuse(it.span.start, reason)
    });
    refuse_all(changed)?;
    let mut edits = Edits::default();
    edits.add(&code, written(&class, &all, &chosen)?);
    let told = match code.family() {
        Family::Python => {
            format!("`==`, sets and keys take two `{}` of the same values for one from now on", class.name())
        }
        _ => format!(
            "`===`, sets and keys go on to tell two `{}` apart: ask `equals` where they are compared",
            class.name()
        ),
    };
    edits.warn([Warning::of_plan(WarningKind::FollowUp, told)]);
    edits.warn(compared_whole(&class, &chosen));
    edits.plan()
}

/// Returns the fields that make two objects equal: those that are named, or all.
fn chosen<'c>(class: &Class<'c>, all: &[Member<'c>], named: &[String]) -> Result<Vec<Member<'c>>, Refusal> {
    let (code, text) = (class.code, class.code.text());
    let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
    if let Some(missing) = named.iter().find(|name| !all.iter().any(|it| it.name.text(text) == **name)) {
        return refuse(format!("`{}` has no field `{missing}`", class.name()));
    }
    let is_meant = |it: &&Member<'c>| named.is_empty() || named.iter().any(|name| name == it.name.text(text));
    let chosen: Vec<Member<'c>> = all.iter().filter(is_meant).copied().collect();
    if chosen.is_empty() { refuse(format!("`{}` has no fields", class.name())) } else { Ok(chosen) }
}

/// Refuses classes that are compared already, and fields that nothing is found by.
fn check(class: &Class<'_>, chosen: &[Member<'_>]) -> Result<(), Refusal> {
    let (code, text) = (class.code, class.code.text());
    for name in ["__eq__", "__hash__", "equals"] {
        if class.has(name) {
            return Err(code.refuse(class.name.start(), format!("`{}` has `{name}` already", class.name())));
        }
    }
    for member in chosen {
        let name = member.name.text(text);
        if code.family() == Family::Python && is_changeable(said(class, name)) {
            let reason = format!("`{name}` can be changed, and gives no hash: name the other `fields`");
            return Err(code.refuse(member.name.start(), reason));
        }
    }
    Ok(())
}

fn written(class: &Class<'_>, all: &[Member<'_>], chosen: &[Member<'_>]) -> Result<Vec<TextEdit>, Refusal> {
    if class.code.family() == Family::Script {
        let mut edits = vec![class.with(Slot::Method, &[equals(class, chosen)])];
        if class.code.is_typed_script() {
            edits.extend(all.iter().filter_map(|it| fixed(class.code, it)));
        }
        return Ok(edits);
    }
    let marks: Vec<Node<'_>> = class.decorators().collect();
    match marks.as_slice() {
        [] => Ok(vec![class.with(Slot::Method, &compared(class, chosen))]),
        [mark] => frozen(class, *mark).map(|it| vec![it]),
        _ => Err(class.code.refuse(class.name.start(), "what its decorators make of it is not known")),
    }
}

/// Freezes a dataclass, whose objects are compared by their values already.
fn frozen(class: &Class<'_>, mark: Node<'_>) -> Result<TextEdit, Refusal> {
    let said = mark.text(class.code.text());
    let refuse = |reason: &str| Err(class.code.refuse(mark.start(), reason));
    let call = mark.descendants().find(|it| it.is("call"));
    let name = said.trim_start_matches('@').split('(').next().unwrap_or_default();
    if !matches!(name, "dataclass" | "dataclasses.dataclass") {
        return refuse("what this does to the class is not known");
    }
    if ["frozen", "eq", "unsafe_hash"].iter().any(|word| said.contains(&format!("{word}="))) {
        return refuse("it says already how its objects are compared");
    }
    let list = call.and_then(|it| it.child("arguments"));
    Ok(match list {
        Some(list) if list.named_children().next().is_some() => {
            let last = list.named_children().last().unwrap_or(list);
            TextEdit::new(Span::at(last.end()), ", frozen=True")
        }
        Some(list) => TextEdit::new(list.span(), "(frozen=True)"),
        None => TextEdit::new(Span::at(mark.end()), "(frozen=True)"),
    })
}

fn compared(class: &Class<'_>, chosen: &[Member<'_>]) -> [String; 2] {
    let code = class.code;
    let (end, indent, step) = (code.newline(), class.indent(), Layout::of(code).step().to_owned());
    let is_typed = class.constructor().is_some_and(is_typed);
    let (object, truth, number) = if is_typed { (": object", " -> bool", " -> int") } else { ("", "", "") };
    let names: Vec<&str> = chosen.iter().map(|it| it.name.text(code.text())).collect();
    let of = |object: &str| {
        let all: Vec<String> = names.iter().map(|it| format!("{object}.{it}")).collect();
        if let [only] = all.as_slice() { only.clone() } else { format!("({})", all.join(", ")) }
    };
    let (base, inner) = (format!("{indent}{step}"), format!("{indent}{step}{step}"));
    [
        format!(
            "def __eq__(self, other{object}){truth}:{end}{base}if not isinstance(other, {}):{end}{inner}return NotImplemented{end}{base}return {} == {}",
            class.name(),
            of("self"),
            of("other")
        ),
        format!("def __hash__(self){number}:{end}{base}return hash({})", of("self")),
    ]
}

fn equals(class: &Class<'_>, chosen: &[Member<'_>]) -> String {
    let code = class.code;
    let (end, indent, step) = (code.newline(), class.indent(), Layout::of(code).step().to_owned());
    let (of, answer) = match code.is_typed_script() {
        true => (format!(": {}", TypeParameters::of_class(class).said(class.name())), ": boolean"),
        false => (String::new(), ""),
    };
    let part = |name: &str| {
        // Two dates of one time are two objects.
        let time = if said(class, name) == "Date" { ".getTime()" } else { "" };
        format!("this.{name}{time} === other.{name}{time}")
    };
    let parts: Vec<String> = chosen.iter().map(|it| part(it.name.text(code.text()))).collect();
    let value = parts.join(" && ");
    format!("equals(other{of}){answer} {{{end}{indent}{step}return {value}{}{end}{indent}}}", code.semicolon())
}

/// Returns the type that is written for a field.
fn said<'c>(class: &Class<'c>, name: &str) -> &'c str {
    let field = Field::named(*class, name).ok().flatten();
    field.and_then(|it| it.written_type()).unwrap_or_default()
}

/// Tells of fields that are objects themselves, which scripts compare by what they are, not by what they hold.
fn compared_whole(class: &Class<'_>, chosen: &[Member<'_>]) -> Option<Warning> {
    const PLAIN: &[&str] = &["Date", "bigint", "boolean", "number", "string", "symbol"];
    let is_plain = |said: &str| {
        said.split('|')
            .map(str::trim)
            .all(|it| PLAIN.contains(&it) || it.starts_with(['"', '\'']) || matches!(it, "null" | "undefined"))
    };
    let text = class.code.text();
    let names = chosen.iter().map(|it| it.name.text(text)).filter(|name| !is_plain(said(class, name)));
    let names: Vec<&str> = names.collect();
    let told = || format!("`{}` are compared by `===`: two objects of the same values differ", names.join("`, `"));
    let is_script = class.code.family() == Family::Script && !names.is_empty();
    is_script.then(|| Warning::of_plan(WarningKind::FollowUp, told()))
}

/// Lets nobody set a field any more.
fn fixed(code: &Code, member: &Member<'_>) -> Option<TextEdit> {
    let is_declared = !member.is_marked(code, "readonly")
        && !member.node.is_any(&["identifier", "property_identifier", "member_expression"]);
    is_declared.then(|| TextEdit::new(Span::at(member.name.start()), "readonly "))
}
