//! Methods that one function overrides of another one, as JavaScript had it before classes: `util.inherits(Child, Base)`,
//! `Child.prototype = Object.create(Base.prototype)`, `Object.setPrototypeOf(Child.prototype, Base.prototype)`.
//!
//! tsserver takes no two of them for one method (seen with 6.0).

use std::collections::BTreeSet;

use super::definition_queries;
use super::instance_members::members;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::refactor::tsserver::is_outside;
use crate::session::Session;
use crate::syntax::{Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

/// So many steps are gone up from one function to another.
const HIGHEST: usize = 8;
/// What a file says that links prototypes.
const WAYS: &[&str] = &["inherits", "setPrototypeOf", "create prototype", "__proto__ prototype", "new prototype"];

/// One function below another one.
pub(super) struct Link<'c> {
    pub child: &'c str,
    pub base: Node<'c>,
}

/// Returns where members of a name are declared that override renamed ones, or that these override.
///
/// # Errors
/// Where a library declares what is overridden.
pub(super) async fn overrides(
    session: &Session,
    server: &Server,
    name: &str,
    gathered: &Gathered,
) -> Result<Vec<Place>, Refusal> {
    let linking: BTreeSet<AbsPath> =
        WAYS.iter().flat_map(|way| session.disk().files_mentioning(&format!("{way} {name}"))).collect();
    let mut found = Vec::new();
    for path in linking.into_iter().filter(|path| Language::of_path(path) == Some(Language::JavaScript)) {
        let code = Code::known(session, &path)?;
        let own = members(code.parsed(), name);
        for Link { child, base } in links(&code) {
            let Some(spans) = own.get(child) else { continue };
            let declared: Vec<Place> = spans.iter().map(|span| place(&path, *span)).collect();
            let is_renamed = spans.iter().any(|span| gathered.has(&path, *span));
            let above = above((session, server), (name, is_renamed), place(&path, base.span())).await?;
            let is_above = above.iter().any(|it| gathered.has(&it.path, named(it, name)));
            if is_renamed || is_above {
                let all = declared.into_iter().chain(above);
                found.extend(all.filter(|it| !gathered.has(&it.path, named(it, name))));
            }
        }
    }
    Ok(found)
}

/// Renames where the prototype of a function is asked for a renamed member, of which tsserver knows no type:
/// `Base.prototype.write.call(this, text)`.
///
/// # Errors
/// Fails where a file cannot be read, or the server does not answer.
pub(super) async fn asked(
    session: &Session,
    server: &Server,
    (name, new_name): (&str, &str),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let asking = session.disk().files_mentioning(&format!("prototype {name}"));
    for path in asking.into_iter().filter(|path| Language::of_path(path) == Some(Language::JavaScript)) {
        let code = Code::known(session, &path)?;
        for (class, member) in asked_prototypes(&code, name) {
            if gathered.has(&path, member) {
                continue;
            }
            let declared = above((session, server), (name, false), place(&path, class)).await?;
            if declared.iter().any(|it| gathered.has(&it.path, named(it, name))) {
                gathered.put(&path, TextEdit::new(member, new_name));
            }
        }
    }
    Ok(())
}

/// Returns where the member is declared that a prototype is asked for.
pub(super) async fn declared(session: &Session, server: &Server, subject: &Subject) -> Result<Option<Place>, Refusal> {
    let path = &subject.place.path;
    if Language::of_path(path) != Some(Language::JavaScript) {
        return Ok(None);
    }
    let code = Code::known(session, path)?;
    let member = code.covering(subject.span).parent();
    let asked = member.and_then(|member| asked_prototype(&code, member, &subject.name));
    let Some((class, _)) = asked.filter(|(_, own)| *own == subject.span) else { return Ok(None) };
    let declared = above((session, server), (&subject.name, false), place(path, class)).await?;
    Ok(declared.into_iter().next())
}

/// Returns the functions whose prototypes a file asks for a member, each with where that is named.
fn asked_prototypes(code: &Code, name: &str) -> Vec<(Span, Span)> {
    code.root().descendants().filter_map(|it| asked_prototype(code, it, name)).collect()
}

/// As [`asked_prototypes`], of one expression.
fn asked_prototype(code: &Code, member: Node<'_>, name: &str) -> Option<(Span, Span)> {
    if !member.is("member_expression") || member.field() == Some("left") {
        return None;
    }
    let own = member.child("property").filter(|it| it.text(code.text()) == name)?;
    let class = owner(code, member.child("object").filter(|it| it.is("member_expression"))?)?;
    Some((class.child("property").unwrap_or(class).span(), own.span()))
}

/// Returns where the nearest function above declares the member, by the place that names the first one.
async fn above(
    (session, server): (&Session, &Server),
    (name, is_renamed): (&str, bool),
    mut base: Place,
) -> Result<Vec<Place>, Refusal> {
    for _ in 0..HIGHEST {
        let leads = definition_queries::meanings(server, "", vec![base.clone()]).await?.pop().unwrap_or_default();
        let Some(lead) = leads.into_iter().next() else { return Ok(Vec::new()) };
        if is_outside(session.root(), &lead.path) {
            return match is_renamed && declares(session, &lead.path, name)? {
                true => Err(Refusal::DeclaredOutside { name: name.to_owned(), path: lead.path.to_string() }),
                false => Ok(Vec::new()),
            };
        }
        if Language::of_path(&lead.path) != Some(Language::JavaScript) {
            return Ok(Vec::new());
        }
        let code = Code::known(session, &lead.path)?;
        let Some(class) = lead.span.of(code.text()) else { return Ok(Vec::new()) };
        if let Some(spans) = members(code.parsed(), name).get(class) {
            return Ok(spans.iter().map(|span| place(&lead.path, *span)).collect());
        }
        let Some(next) = links(&code).into_iter().find(|link| link.child == class) else { return Ok(Vec::new()) };
        base = place(&lead.path, next.base.span());
    }
    Ok(Vec::new())
}

/// Tells whether a file of a library declares a member of a name.
fn declares(session: &Session, path: &AbsPath, name: &str) -> Result<bool, Refusal> {
    const DECLARING: &[&str] =
        &["method_signature", "method_definition", "property_signature", "public_field_definition"];
    let Some(file) = session.parsed(path)? else { return Ok(false) };
    let text = file.text.as_str();
    let is_it = |node: Node<'_>| node.text(text) == name && node.parent().is_some_and(|outer| outer.is_any(DECLARING));
    Ok(file.tree.nodes().iter().filter(|node| node.is_leaf()).any(is_it))
}

/// Returns the functions of a file that are put below others.
pub(super) fn links(code: &Code) -> Vec<Link<'_>> {
    let text = code.text();
    let mut found = Vec::new();
    for node in code.root().descendants() {
        let ends = match node.kind() {
            "call_expression" => called(code, node),
            "assignment_expression" => {
                let is_prototype = |it: &Node<'_>| it.text(text).trim_end_matches(".__proto__").ends_with(".prototype");
                node.child("left").filter(is_prototype).zip(node.child("right").and_then(|it| made_of(code, it)))
            }
            _ => None,
        };
        let Some((child, base)) = ends else { continue };
        let said = child.text(text).trim_end_matches(".__proto__");
        let child = said.strip_suffix(".prototype").unwrap_or(said);
        let base = if said.ends_with(".prototype") { owner(code, base) } else { Some(base) };
        let base = base.map(|base| base.child("property").unwrap_or(base));
        found.extend(base.map(|base| Link { child, base }));
    }
    found
}

/// `util.inherits(Child, Base)`, `Object.setPrototypeOf(Child.prototype, Base.prototype)`
fn called<'c>(code: &Code, call: Node<'c>) -> Option<(Node<'c>, Node<'c>)> {
    let function = call.child("function")?.text(code.text());
    let mut given = call.child("arguments")?.named_children();
    let ends = given.next().zip(given.next())?;
    let is_prototype = |it: Node<'_>| it.text(code.text()).ends_with(".prototype");
    match function.rsplit('.').next() {
        Some("inherits") => Some(ends),
        Some("setPrototypeOf") => Some(ends).filter(|(child, base)| is_prototype(*child) && is_prototype(*base)),
        _ => None,
    }
}

/// What a prototype is made of: `Object.create(Base.prototype)`, `new Base()`, `Base.prototype`.
fn made_of<'c>(code: &Code, value: Node<'c>) -> Option<Node<'c>> {
    match value.kind() {
        "call_expression" if value.child("function")?.text(code.text()) == "Object.create" => {
            value.child("arguments")?.named_children().next()
        }
        "new_expression" => Some(value),
        "member_expression" => Some(value),
        _ => None,
    }
}

/// The function whose prototype an expression is.
fn owner<'c>(code: &Code, prototype: Node<'c>) -> Option<Node<'c>> {
    if prototype.is("new_expression") {
        return prototype.child("constructor");
    }
    let is_prototype = prototype.child("property").is_some_and(|it| it.text(code.text()) == "prototype");
    prototype.child("object").filter(|_| is_prototype)
}

fn place(path: &AbsPath, span: Span) -> Place {
    Place { path: path.clone(), offset: span.start }
}

fn named(place: &Place, name: &str) -> Span {
    Span::new(place.offset, place.offset + name.len())
}
