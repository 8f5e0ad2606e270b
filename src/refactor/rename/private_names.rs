//! Members of a class of JavaScript that become private, or cease to be: `_total` becomes `#total`, a name that nothing outside
//! the body of its class can say (ECMAScript 2025, 15.7 "Class Definitions": `PrivateIdentifier`).

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::plan::{Parts, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

const FIELDS: &[&str] = &["field_definition", "public_field_definition"];
/// What no private member can be.
const MARKS: &[&str] = &["abstract", "declare", "decorator", "override_modifier"];

/// Tells whether one of two names is private, and the other is not.
fn is_crossing(old: &str, new: &str) -> bool {
    old.starts_with('#') != new.starts_with('#')
}

/// What the step between a name that anybody can say and a private one takes besides the names themselves.
#[derive(Default)]
pub(super) struct Crossing {
    /// In the file that declares the member: the field's declaration, which a private one has to have, and the words that it
    /// cannot have.
    edits: Vec<TextEdit>,
    warning: Option<Warning>,
}

/// Finds what else such a step takes; nothing for all other renames.
///
/// # Errors
/// Refuses what stands outside the class, and what cannot be said of the other kind.
pub(super) fn crossing(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: &Gathered,
) -> Result<Crossing, Refusal> {
    if !is_crossing(&subject.name, &request.new_name) {
        return Ok(Crossing::default());
    }
    let code = Code::known(session, &subject.place.path)?;
    let names = Vec::from_iter(gathered.edits_of(&code.path).iter().map(|edit| code.covering(edit.span)));
    let class = Class::of(&code, subject, &names)?;
    for path in gathered.paths() {
        let other = Code::known(session, path)?;
        let is_outside = |edit: &TextEdit| *path != code.path || !class.body.span().contains(edit.span);
        if let Some(edit) = gathered.edits_of(path).into_iter().find(is_outside) {
            return Err(other.refuse(edit.span.start, format!("`{}` is used here, outside its class", subject.name)));
        }
    }
    let becomes_private = request.new_name.starts_with('#');
    if let Some(name) = names.iter().find(|name| !can_be_said(&code, **name)) {
        let other = if becomes_private { "no" } else { "only a" };
        let reason = format!("`{}` stands here where {other} private name can", subject.name);
        return Err(code.refuse(name.start(), reason));
    }
    if !becomes_private {
        return Ok(Crossing::default());
    }
    Ok(Crossing { edits: class.hidden(&request.new_name)?, warning: class.doubt(&names, &request.new_name) })
}

impl Crossing {
    /// Adds it to the parts of the plan.
    pub(super) fn add(self, subject: &Subject, parts: &mut Parts) {
        parts.warnings.extend(self.warning);
        if let Some((_, edits)) = parts.edits.get_mut(&subject.place.path) {
            edits.extend(self.edits);
        }
    }
}

/// The class that has the member.
struct Class<'c> {
    code: &'c Code,
    body: Node<'c>,
    /// What declares it in the body: a field, a method, two accessors; nothing where a method assigns it.
    declarations: Vec<Node<'c>>,
}

impl<'c> Class<'c> {
    fn of(code: &'c Code, subject: &Subject, names: &[Node<'c>]) -> Result<Self, Refusal> {
        let declarations = Vec::from_iter(names.iter().filter_map(|name| declaration(*name)));
        let of_this = |name: &Node<'c>| {
            let member = name.parent().filter(|it| it.child("object").is_some_and(|it| it.is("this")))?;
            member.ancestors().find(|it| it.is("class_body"))
        };
        let body = declarations.first().and_then(|it| it.parent()).or_else(|| names.iter().find_map(of_this));
        let no_member = || {
            let reason = format!("`{}` is no member of a class: only such a one can be private", subject.name);
            code.refuse(subject.span.start, reason)
        };
        Ok(Self { code, body: body.ok_or_else(no_member)?, declarations })
    }

    /// Returns what a private member needs besides its name.
    fn hidden(&self, name: &str) -> Result<Vec<TextEdit>, Refusal> {
        let code = self.code;
        let says = |it: &Node<'_>| it.is("private_property_identifier") && it.text(code.text()) == name;
        if let Some(taken) = self.body.descendants().find(says) {
            return Err(code.refuse(taken.start(), format!("`{name}` stands here already")));
        }
        let mut edits = Vec::new();
        for declaration in &self.declarations {
            if let Some(mark) = declaration.children().find(|it| MARKS.contains(&it.kind())) {
                let said = mark.text(code.text());
                return Err(
                    code.refuse(mark.start(), format!("`{said}` stands here, and no private member can be that"))
                );
            }
            let word = declaration.children().find(|it| it.is("accessibility_modifier"));
            edits.extend(word.map(|word| {
                let rest = &code.text()[word.end()..];
                let gap = rest.len() - rest.trim_start().len();
                TextEdit::new(Span::new(word.start(), word.end() + gap), "")
            }));
        }
        if self.declarations.is_empty() {
            edits.push(self.declared(name)?);
        }
        Ok(edits)
    }

    /// Declares a field, behind the private ones that stand there, else before everything.
    fn declared(&self, name: &str) -> Result<TextEdit, Refusal> {
        let code = self.code;
        let is_private = |it: &Node<'_>| {
            it.is_any(FIELDS) && field_name(*it).is_some_and(|it| it.text(code.text()).starts_with('#'))
        };
        let private = Vec::from_iter(self.body.named_children().filter(is_private));
        let is_apart = |from: usize, to: usize| code.text()[from..to].matches('\n').count() > 1;
        let none = || code.refuse(self.body.start(), format!("`{name}` cannot be declared here"));
        let first = self.body.named_children().next().ok_or_else(none)?;
        // A comment may stand above the first member.
        let top = self.body.children().find(|it| it.kind() != "{").filter(|it| is_first_on_line(code, *it));
        let top = top.ok_or_else(none)?;
        let line = format!("{}{name}{}{}", code.indent(first.start()), code.semicolon(), code.newline());
        let (at, text) = match private.as_slice() {
            [.., last] => {
                let gap = matches!(private.as_slice(), [one, two, ..] if is_apart(one.end(), two.start()));
                let gap = if gap { code.newline() } else { "" };
                (code.next_line(last.end()), format!("{gap}{line}"))
            }
            [] => {
                let second = self.body.named_children().nth(1).filter(|_| first.is_any(FIELDS));
                let is_apart = second.is_none_or(|second| is_apart(first.end(), second.start()));
                let gap = if is_apart { code.newline() } else { "" };
                (code.line_start(top.start()), format!("{line}{gap}"))
            }
        };
        Ok(TextEdit::new(Span::at(at), text))
    }

    /// Tells what nobody can see of a field that becomes private.
    fn doubt(&self, names: &[Node<'_>], name: &str) -> Option<Warning> {
        let is_method = self.declarations.iter().any(|it| it.is("method_definition"));
        let is_static = self.declarations.iter().any(|it| it.children().any(|it| it.kind() == "static"));
        let asks_this =
            |name: &Node<'_>| name.parent().and_then(|it| it.child("object")).is_some_and(|it| it.is("this"));
        let doubt = match (is_method, is_static && names.iter().any(asks_this)) {
            (_, true) => format!("whether a class below it is asked for `{name}`, which it does not have"),
            (false, false) => {
                format!("whether its objects are copied or written as data: `{name}` is not part of that")
            }
            (true, false) => return None,
        };
        Some(Warning::of_plan(WarningKind::Unproven, doubt))
    }
}

/// Returns what declares the member that a name is the name of, in the body of a class.
fn declaration(name: Node<'_>) -> Option<Node<'_>> {
    let outer = name.parent().filter(|it| it.is("method_definition") || it.is_any(FIELDS))?;
    (field_name(outer) == Some(name) && outer.parent().is_some_and(|it| it.is("class_body"))).then_some(outer)
}

/// Returns the name that a member of a class has in its body.
pub(super) fn field_name(declaration: Node<'_>) -> Option<Node<'_>> {
    declaration.child("name").or_else(|| declaration.child("property"))
}

/// Tells whether a member is asked for where a name stands, or declared, in a way that both kinds of names know.
fn can_be_said(code: &Code, name: Node<'_>) -> bool {
    let asked = name.parent().filter(|it| it.is("member_expression") && it.child("property") == Some(name));
    let is_deleted = |member: Node<'_>| {
        member.parent().is_some_and(|it| it.is("unary_expression") && it.text(code.text()).starts_with("delete"))
    };
    let is_asked = |member: Node<'_>| !member.child("object").is_some_and(|it| it.is("super")) && !is_deleted(member);
    declaration(name).is_some() || asked.is_some_and(is_asked)
}

fn is_first_on_line(code: &Code, node: Node<'_>) -> bool {
    code.text()[code.line_start(node.start())..node.start()].trim().is_empty()
}
