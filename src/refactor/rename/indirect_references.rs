//! What means a renamed thing in Python without being a name of it that a server changes, where its type is known.

use std::sync::Arc;

use super::fixtures::is_decorated;
use super::probes::{Form, Meant, Wanted};
use super::python_changes::is_enumeration;
use super::server_edits::Gathered;
use super::subject::Subject;
use super::{Aliases, RenameRequest, probes};
use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{AbsPath, Span, TextEdit};

/// Decorators and bases that give a class its representation: `Name(field=value)`.
const SHOWING: [&str; 8] = ["dataclass", "define", "frozen", "mutable", "attrs", "attributes", "s", "NamedTuple"];

/// Renames the places that lead to what is renamed, and notes the keys of which nobody can tell.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let forms = forms(session, (subject, request), gathered)?;
    if forms.is_empty() {
        return Ok(());
    }
    let mut renamed = Vec::new();
    let is_known = |path: &AbsPath, span: Span| gathered.has(path, span);
    let wanted = Wanted { name: &subject.name, forms: &forms, is_known: &is_known };
    for meant in probes::all(session, server, &wanted).await? {
        let declared = probes::declarations(session, &meant, &subject.name);
        let name = |place: &Place| Span::new(place.offset, place.offset + subject.name.len());
        let is_renamed = |place: &Place| gathered.has(&place.path, name(place));
        let Some(place) = declared.iter().find(|place| is_renamed(place)) else {
            let place = (meant.path, meant.span);
            if !meant.declared.is_empty() {
                gathered.asked.others.insert(place);
            } else if matches!(meant.form, Form::Key | Form::Splat | Form::Member) {
                gathered.asked.unknown.insert(place);
            }
            continue;
        };
        if !meant.is_output || shows_itself(session, place, name(place))? {
            renamed.push(meant);
        }
    }
    for Meant { path, span, .. } in renamed {
        gathered.add(path, TextEdit::new(span, request.new_name.clone()), &request.new_name);
    }
    Ok(())
}

/// What is worth looking for, by what is renamed.
fn forms(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &Gathered,
) -> Result<Vec<Form>, Refusal> {
    let (mut is_outer, mut is_key, mut is_listed) = (!subject.is_local(), false, false);
    let (mut is_parameter, mut is_more) = (false, false);
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        for edit in gathered.edits_of(path) {
            let place = site(&parsed.tree, parsed.text.as_str(), edit.span);
            let is_declared = place == Site::Declaration(DeclarationKind::Parameter);
            is_outer |= !subject.is_local() || is_declared;
            is_parameter |= is_declared;
            is_more |= !is_declared && !matches!(place, Site::Plain | Site::KeywordArgument | Site::Comment);
            is_key |= is_key_of(session, (&parsed, edit.span), &place);
            is_listed |= is_of_enumeration(&parsed, edit.span);
        }
    }
    let mut forms = Vec::new();
    // Examples may come by a re-export that keeps the name.
    forms.extend(is_outer.then_some(Form::Splat));
    forms.extend((is_outer && request.aliases == Aliases::Through).then_some(Form::Example));
    // No object has a parameter.
    if !subject.is_local() && (is_more || !is_parameter) {
        forms.extend([Form::Member, Form::Copied]);
    }
    forms.extend(is_key.then_some(Form::Key));
    forms.extend(is_listed.then_some(Form::Listed));
    Ok(forms)
}

/// Tells whether a name stands in the body of a class that extends an enumeration, by the base's name.
fn is_of_enumeration(parsed: &Parsed, span: Span) -> bool {
    let around = parsed.tree.nodes().covering(span).ancestors();
    let mut around = around.filter(|outer| outer.is_any(&["class_definition", "function_definition"]));
    let class = around.next().filter(|outer| outer.is("class_definition"));
    let bases =
        class.and_then(|class| class.child("superclasses")).map_or("", |bases| bases.text(parsed.text.as_str()));
    is_enumeration(bases)
}

/// A key of a `TypedDict` is declared in the body of a class that extends it, or one that may do so, or in a string.
fn is_key_of(session: &Session, (parsed, span): (&Parsed, Span), place: &Site) -> bool {
    let node = parsed.tree.nodes().covering(span);
    if node.is("string_content") {
        return true;
    }
    let around = node.ancestors().find(|outer| outer.is_any(&["class_definition", "function_definition"]));
    let bases = around.filter(|outer| outer.is("class_definition")).and_then(|class| class.child("superclasses"));
    let is_dictionary = |base: Node<'_>| {
        let name = base.text(parsed.text.as_str());
        name == "TypedDict" || !session.disk().files_mentioning(&format!("TypedDict {name}")).is_empty()
    };
    let named = bases.into_iter().flat_map(Node::descendants).filter(|node| node.is("identifier"));
    *place == Site::Declaration(DeclarationKind::Property) && named.into_iter().any(is_dictionary)
}

/// Tells whether what is declared at a place stands in representations of its class by its name: where they are generated.
fn shows_itself(session: &Session, place: &Place, span: Span) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    let text = parsed.text.as_str();
    let node = parsed.tree.nodes().covering(span);
    if node.is("string_content") {
        return Ok(true);
    }
    let around = node.ancestors().find(|outer| outer.is_any(&["class_definition", "function_definition"]));
    let Some(class) = around.filter(|outer| outer.is("class_definition")) else { return Ok(false) };
    let is_own = |inner: Node<'_>| {
        inner.is("function_definition") && inner.child("name").is_some_and(|own| own.text(text) == "__repr__")
    };
    let bases = class.child("superclasses").map_or("", |bases| bases.text(text));
    let whole = class.parent().map_or("", |outer| outer.text(text));
    let is_generated = SHOWING.iter().any(|one| is_decorated(class, one, text)) || bases.contains("NamedTuple");
    let is_written = class.descendants().any(is_own) || whole.contains("repr=False");
    Ok(is_generated && !is_written)
}
