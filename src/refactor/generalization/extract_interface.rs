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

mod type_variables;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_own_name;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{
    Destination, MemberDeclarations, check_outermost, check_unused, listed, put_above_class,
};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, type_arguments};
use crate::session::Session;
use crate::syntax::{Family, Node, is_async};
use crate::text::{Span, TextEdit};
use type_variables::TypeVariables;

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

const HARMLESS: &[&str] = &["@property", "@staticmethod", "@classmethod"];

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class).noted()?;
    let name = request.params.text("name");
    check_unused(&code, name).noted()?;
    let groups = listed(class, (request.params.list("methods"), Destination::Above), is_public)?;
    if groups.is_empty() {
        return Err(code.refuse(class.name.start(), format!("`{}` has no public methods", class.name())));
    }
    let methods: Vec<Member<'_>> = groups.iter().flat_map(signatures).collect();
    let variables = match code.family() {
        Family::Python => Some(TypeVariables::of(class, &methods)?),
        _ => None,
    };
    let mut written = Vec::new();
    for group in &groups {
        group.check_order(&class, None).noted()?;
        if !group.is_all(MemberKind::Method) {
            return Err(group.refuse(format!("`{}` is not a method", group.name)));
        }
        for member in signatures(group) {
            written.push(match &variables {
                Some(variables) => in_python(&class, &member, variables)?,
                None => in_script(&class, &member)?,
            });
        }
    }
    let mut edits = Edits::default();
    match &variables {
        Some(variables) => protocol((&class, variables), name, &written, &mut edits),
        None => interface(&class, name, &written, &mut edits)?,
    }
    edits.plan()
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

/// Returns the declarations that tell the types of a method: its overloads without what carries them out.
fn signatures<'c>(group: &MemberDeclarations<'c>) -> Vec<Member<'c>> {
    let overloads: Vec<Member<'c>> =
        group.members.iter().filter(|it| it.node.is("method_signature")).copied().collect();
    if overloads.is_empty() { group.members.clone() } else { overloads }
}

fn in_python(class: &Class<'_>, member: &Member<'_>, variables: &TypeVariables<'_>) -> Result<String, Refusal> {
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

fn in_script(class: &Class<'_>, member: &Member<'_>) -> Result<String, Refusal> {
    let code = class.code;
    let text = code.text();
    let node = member.node;
    if node.children().any(|it| matches!(it.kind(), "get" | "set")) || member.decorators().next().is_some() {
        return Err(
            code.refuse(node.start(), "an accessor, or what is decorated, is not an ordinary method: leave it out")
        );
    }
    let list = node.child("parameters").ok_or_else(|| code.refuse(node.start(), "it takes nothing"))?;
    for said in node.child("return_type").into_iter().chain([list]) {
        check_own_name(class, said)?;
    }
    let mut edits = Vec::new();
    for parameter in list.named_children() {
        let kind = parameter.child("type");
        let kind = kind.ok_or_else(|| code.refuse(parameter.start(), "the parameter says no type"))?;
        if let Some(value) = parameter.child("value") {
            let name = parameter.child("pattern").unwrap_or(parameter);
            edits.push(TextEdit::new(Span::at(name.end()), "?"));
            edits.push(TextEdit::new(Span::new(kind.end(), value.end()), ""));
        }
    }
    let end = node.child("body").map_or(node.end(), |body| body.start());
    let end = text[..end].trim_end().len();
    let head = Layout::of(code).moved_with(Span::new(member.name.start(), end), Layout::of(code).step(), &edits);
    let result = match (node.child("return_type"), node.child("body")) {
        (Some(_), _) => "",
        (None, Some(body)) if is_void(body) => {
            if is_async(node) {
                ": Promise<void>"
            } else {
                ": void"
            }
        }
        _ => {
            return Err(code
                .refuse(node.start(), "the method does not say what it returns: `infer-return-type` writes it down"));
        }
    };
    let optional = if node.children().any(|it| it.kind() == "?") && !head.contains("?(") { "?" } else { "" };
    Ok(format!("{head}{optional}{result}{}", code.semicolon()))
}

fn is_void(body: Node<'_>) -> bool {
    let gives = |node: Node<'_>| {
        node.is("return_statement") && node.named_children().next().is_some() || node.is_any(&["yield_expression"])
    };
    !body.descendants().any(gives)
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

fn interface(class: &Class<'_>, name: &str, written: &[String], edits: &mut Edits) -> Result<(), Refusal> {
    let code = class.code;
    if !code.is_typed_script() {
        return Err(code.refuse(class.name.start(), "JavaScript has no interfaces"));
    }
    let (end, step, text) = (code.newline(), Layout::of(code).step().to_owned(), code.text());
    let own = class.node.child("type_parameters");
    let generic = own.map_or("", |list| list.text(text));
    let given = type_arguments(class.node, text);
    let export = if class.statement().is("export_statement") { "export " } else { "" };
    let members: Vec<String> = written.iter().map(|it| format!("{step}{it}{end}")).collect();
    let said = format!("{export}interface {name}{generic} {{{end}{}}}{end}{end}", members.concat());
    edits.add(code, [put_above_class(class, said)]);
    let heritage = class.node.child_of_kind("class_heritage");
    let clause = heritage.and_then(|it| it.child_of_kind("implements_clause"));
    let head = heritage.or(own).unwrap_or(class.name).end();
    edits.add(
        code,
        [match clause {
            Some(clause) => TextEdit::new(Span::at(clause.end()), format!(", {name}{given}")),
            None => TextEdit::new(Span::at(head), format!(" implements {name}{given}")),
        }],
    );
    Ok(())
}
