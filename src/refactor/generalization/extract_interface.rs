//! Extract Interface: a `Protocol` in Python, an `interface` in TypeScript.
//!
//! ```ts
//!                                      interface Billable {
//!                                          rate(): number;
//!                                      }
//!                                  →
//! class Employee {                     class Employee implements Billable {
//!     rate(): number { … }                 rate(): number { … }
//! }                                    }
//! ```
//! A class of Python need not name the protocols that it keeps to: it stays as it is.

mod script;
mod type_variables;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{
    Destination, MemberDeclarations, check_outermost, check_unused, chosen, put_above_class,
};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::Span;
use type_variables::TypeVariables;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

const HARMLESS: &[&str] = &["@property", "@staticmethod", "@classmethod"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class).noted()?;
    let name = request.params.text("name");
    check_unused(&code, name).noted()?;
    let groups = chosen(class, (request.params.list("methods"), Destination::Above), is_public)?;
    if groups.is_empty() {
        return Err(code.refuse(class.name.start(), format!("`{}` has no public methods", class.name())));
    }
    for group in &groups {
        group.check_order(&class, None).noted()?;
    }
    let mut edits = Edits::default();
    if code.family() == Family::Python {
        in_python(&class, name, &groups, &mut edits)?;
        return edits.plan();
    }
    let writer = script::Writer::new(session, class);
    let mut written = Vec::new();
    for group in &groups {
        written.extend(writer.lines(group).await?);
    }
    script::interface(&class, name, &written, &mut edits)?;
    edits.plan()
}

fn in_python(
    class: &Class<'_>,
    name: &str,
    groups: &[MemberDeclarations<'_>],
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let methods: Vec<Member<'_>> = groups.iter().flat_map(MemberDeclarations::signatures).collect();
    let variables = TypeVariables::of(*class, &methods)?;
    let mut written = Vec::new();
    for group in groups {
        if !group.is_all(MemberKind::Method) {
            return Err(group.refuse(format!("`{}` is not a method", group.name)));
        }
        for member in group.signatures() {
            written.push(method(class, &member, &variables)?);
        }
    }
    protocol((class, &variables), name, &written, edits);
    Ok(())
}

/// Tells whether a method is for everybody.
fn is_public(class: &Class<'_>, member: &Member<'_>) -> bool {
    let code = class.code;
    let name = member.name.text(code.text());
    let is_hidden = name.starts_with(['_', '#', '['])
        || member.is_closed(code)
        || code.family() != Family::Python && member.is_static;
    member.kind == MemberKind::Method && !is_hidden
}

fn method(class: &Class<'_>, member: &Member<'_>, variables: &TypeVariables<'_>) -> Result<String, Refusal> {
    let code = class.code;
    let text = code.text();
    for mark in member.decorators() {
        let said = mark.text(text);
        if !HARMLESS.contains(&said) && !said.ends_with(".setter") {
            return Err(
                code.refuse(mark.start(), format!("what `{said}` does to the method is not known: leave it out"))
            );
        }
    }
    let none = || code.refuse(member.node.start(), "it has no body");
    let function = member.function().ok_or_else(none)?;
    let colon = function.children().take_while(|it| it.field() != Some("body")).filter(|it| it.kind() == ":").last();
    let end = colon.ok_or_else(none)?.end();
    let span = Span::new(member.node.start(), end);
    let head = Layout::of(code).moved_with(span, Layout::of(code).step(), &variables.renamed(span));
    Ok(format!("{head} ..."))
}

fn protocol((class, variables): (&Class<'_>, &TypeVariables<'_>), name: &str, written: &[String], edits: &mut Edits) {
    let code = class.code;
    let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
    let members: Vec<String> = written.iter().map(|it| format!("{step}{it}")).collect();
    let body = members.join(&format!("{end}{end}"));
    let mut declared: String = variables.declared().map(|it| format!("{it}{end}")).collect();
    if !declared.is_empty() {
        declared += &end.repeat(2);
    }
    let said = format!("{declared}{}{end}{body}{}", variables.head(name), end.repeat(3));
    edits.add(code, [put_above_class(class, said)]);
    let names = ScopedNames::of(code);
    let spans = code.parsed().tree.identifiers_named(code.text(), "Protocol");
    // `te.Protocol` is another name's member.
    let mut known = spans.into_iter().filter_map(|span| names.at(code.covering(span)));
    if !known.any(|name| name.is_binding) {
        edits.import(code, ["from typing import Protocol".to_owned()]);
    }
}
