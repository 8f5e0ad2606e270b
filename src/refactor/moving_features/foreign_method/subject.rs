//! The object that a foreign method is about.

use crate::lsp::Feature;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::extracted_expression::Subject;
use crate::refactor::analysis::forward_references::known_at;
use crate::refactor::analysis::inferred_types;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, squeezed};
use crate::session::Session;
use crate::syntax::{Family, Node};

const MEMBERS: &[&str] = &["attribute", "member_expression"];
const PARTS: &[&str] = &["attribute", "member_expression", "subscript", "subscript_expression"];

/// Returns where an expression means the object that it is about: the one that is named, or the only one that it asks
/// for anything.
pub(super) fn places<'c>(
    (code, names): (&'c Code, &ScopedNames<'c>),
    piece: Node<'c>,
    receiver: Option<&str>,
) -> Result<Vec<Node<'c>>, Refusal> {
    let text = |node: Node<'_>| squeezed(node.text(code.text()));
    let wanted = match receiver {
        Some(said) => squeezed(said),
        None => {
            let asked = piece.descendants().chain([piece]).filter(|it| it.is_any(PARTS));
            let mut objects: Vec<String> = asked.filter_map(|it| object(code, names, it)).map(text).collect();
            objects.sort();
            objects.dedup();
            match objects.as_slice() {
                [only] => only.clone(),
                [] => return Err(code.refuse(piece.start(), "it asks no object for anything")),
                several => {
                    let reason = format!("it asks several objects: `{}`: name one as `receiver`", several.join("`, `"));
                    return Err(Refusal::Missing { param: "receiver", reason });
                }
            }
        }
    };
    let is_name = |it: &Node<'_>| matches!(it.field(), Some("attribute" | "property" | "name" | "key"));
    let inside = piece.descendants().filter(|it| it.is_named() && *it != piece && !is_name(it));
    let mut found: Vec<Node<'c>> = inside.filter(|it| text(*it) == wanted).collect();
    found.dedup_by(|inner, outer| outer.span().contains(inner.span()));
    match found.is_empty() {
        true => Err(code.refuse(piece.start(), format!("`{wanted}` does not stand in it as an object"))),
        false => Ok(found),
    }
}

/// Returns the object that an expression asks: a variable, or what its own object holds.
fn object<'c>(code: &Code, names: &ScopedNames<'c>, asking: Node<'c>) -> Option<Node<'c>> {
    let object = asking.child("object").or_else(|| asking.child("value"))?;
    let is_own = |it: Node<'_>| matches!(it.text(code.text()), "self" | "this");
    let is_held = object.is_any(MEMBERS) && object.child("object").is_some_and(is_own);
    let is_variable = object.is("identifier") && !is_own(object) && holds_a_value(code, names, object);
    (is_held || is_variable).then_some(object)
}

/// Tells whether a name is a variable: no module, class or function.
fn holds_a_value(code: &Code, names: &ScopedNames<'_>, name: Node<'_>) -> bool {
    const OTHERS: &[&str] = &[
        "aliased_import",
        "class_declaration",
        "class_definition",
        "function_declaration",
        "function_definition",
        "import_clause",
        "import_specifier",
        "namespace_import",
    ];
    let Some(meaning) = names.at(name).filter(|it| !it.is_free).map(|it| it.meaning) else { return false };
    let is_other = |node: Node<'_>| {
        let declares = node.parent().is_some_and(|it| it.is_any(OTHERS));
        declares || node.ancestors().any(|it| it.kind().starts_with("import"))
    };
    let mut bindings = names.of_meaning(meaning).filter(|it| it.is_binding).map(|it| code.covering(it.span));
    bindings.all(|it| !is_other(it))
}

/// Looks at what the object is, and finds what the function calls it.
pub(super) async fn named<'c>(
    session: &Session,
    (code, names): (&'c Code, &ScopedNames<'c>),
    (piece, places): (Node<'c>, Vec<Node<'c>>),
) -> Result<Subject<'c>, Refusal> {
    let object = places[0];
    let last = object.child("attribute").or_else(|| object.child("property")).unwrap_or(object);
    let server = session.server(code.parsed().tree.language(), Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    if let Some(own) = kin.classes_of(code, object).await?.iter().find(|it| kin.is_own(it)) {
        let reason = format!(
            "`{}` is of the class `{}`, which the project can change: `extract-method`, then `move-method`",
            object.text(code.text()),
            own.class().name()
        );
        return Err(code.refuse(object.start(), reason));
    }
    let bare = last.text(code.text()).trim_start_matches(['_', '#']);
    let is_name = last.is_any(&["identifier", "property_identifier", "private_property_identifier"]);
    let bare = if is_name && !bare.is_empty() { bare } else { "value" };
    let is_subject = |at: usize| places.iter().any(|it| it.span().start <= at && at < it.span().end);
    let is_taken = |name: &&str| {
        let spans = code.parsed().tree.identifiers_named(code.text(), name);
        spans
            .iter()
            .any(|it| piece.span().contains(*it) && !is_subject(it.start) && names.at(code.covering(*it)).is_some())
    };
    let name = [bare, "value", "subject"].into_iter().find(|it| !is_taken(it));
    let name = name.ok_or_else(|| code.refuse(object.start(), "what the function could call it is taken"))?.to_owned();
    let annotation = match code.family() {
        Family::Python if !function_of(piece).is_some_and(inferred_types::is_typed) => String::new(),
        Family::Python => {
            let known = inferred_types::annotated(session, code, names, last).await;
            known.map_or_else(String::new, |of| format!(": {}", known_at(code, names, piece.start(), of)))
        }
        _ => inferred_types::annotation(session, code, names, last).await?,
    };
    Ok(Subject { places, name, annotation })
}
