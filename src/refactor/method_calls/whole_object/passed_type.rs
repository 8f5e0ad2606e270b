//! The type of the objects that calls pass, as a function's signature names it.

use crate::refactor::analysis::imports::types::see;
use std::collections::BTreeSet;

use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Passing, Signature};
use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::forward_references::forward_reference;
use crate::refactor::source_file::Code;
use crate::session::{Session, SessionError};
use crate::syntax::Node;

/// Declarations whose name is a type.
const TYPES: &[&str] = &[
    "abstract_class_declaration",
    "class_declaration",
    "class_definition",
    "enum_declaration",
    "interface_declaration",
    "type_alias_declaration",
];

/// Returns what stands behind the new parameter's name in each signature, and adds the imports that it needs; nothing where
/// no parameter that goes has a type.
pub(super) async fn annotation(
    session: &Session,
    passing: &Passing<'_>,
    taken: &TakenParameters<'_>,
    edits: &mut Edits,
) -> Result<Vec<String>, Refusal> {
    let (at, objects) = (taken.at(), &taken.objects);
    let is_typed = |one: &Signature<'_>| at.iter().any(|at| one.parameters[*at].of.is_some());
    if !passing.signatures.iter().any(is_typed) {
        return Ok(vec![String::new(); passing.signatures.len()]);
    }
    let mut places = BTreeSet::new();
    for (call, object) in passing.calls.iter().zip(objects) {
        places.insert(declared(session, call, *object).await?);
    }
    let call = &passing.calls[0];
    let refuse = |reason: &str| call.code.refuse(objects[0].start(), reason);
    let [place] = places.iter().collect::<Vec<_>>()[..] else {
        return Err(refuse("the objects of its calls are not all of one type"));
    };
    if !place.path.is_below(session.root()) {
        return Err(refuse("its type is declared outside the project"));
    }
    let home = Code::read(session, &place.path)?;
    let name = home.covering(place.span);
    let node = name.parent().filter(|it| it.is_any(TYPES) && it.child("name") == Some(name));
    let node = node.ok_or_else(|| refuse("its type has no name of its own"))?;
    let outer = node.parent().filter(|it| it.is_any(&["decorated_definition", "export_statement"])).unwrap_or(node);
    if outer.parent() != Some(home.root()) || node.child("type_parameters").is_some() {
        return Err(refuse("its type cannot be named elsewhere without further changes"));
    }
    let class = Class::of(&home, node);
    for (_, attribute) in &taken.parameters {
        let members = class.map(|class| class.members_named(attribute)).unwrap_or_default();
        if let Some(hidden) = members.iter().find(|it| it.is_closed(&home)) {
            return Err(home.refuse(hidden.name.start(), format!("`{attribute}` is not public")));
        }
    }
    let name = name.text(home.text());
    let said = passing.signatures.iter().map(|signature| {
        see(session, signature.code, (&home, name), edits)?;
        let is_there = signature.code.path != home.path || outer.end() <= signature.function.start();
        let said = if is_there { name.to_owned() } else { forward_reference(&home, name) };
        Ok(format!(": {said}"))
    });
    said.collect()
}

/// Returns where the type of an object is declared.
async fn declared(session: &Session, call: &Call<'_>, object: Node<'_>) -> Result<Location, Refusal> {
    let code = call.code;
    let unknown = || code.refuse(object.start(), "the type of the object is not known");
    let is_itself = object.is("this") || object.text(code.text()) == "self";
    if let Some(class) = Class::around(code, object).filter(|_| is_itself) {
        return Ok(Location { path: code.path.clone(), span: class.name.span() });
    }
    let server = session.server(code.parsed().tree.language(), Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let name = object.child("attribute").or_else(|| object.child("property")).unwrap_or(object);
    let place = Place { path: code.path.clone(), offset: name.start() };
    let _turn = session.shared().await;
    let mut found = server.type_definition(&place).await.map_err(SessionError::from)?;
    let one = found.pop().filter(|_| found.is_empty());
    one.ok_or_else(unknown)
}

/// Parameters that every call takes out of one object.
pub(crate) struct TakenParameters<'c> {
    /// The numbers of the parameters, and the attributes that are passed for them.
    pub parameters: Vec<(usize, &'c str)>,
    /// For each call its object.
    pub objects: Vec<Node<'c>>,
}

impl TakenParameters<'_> {
    pub(super) fn at(&self) -> Vec<usize> {
        self.parameters.iter().map(|(at, _)| *at).collect()
    }
}
