//! The same in scripts: `"rate" in order`, `if (this.rate)`, `order.rate?.()`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::change::{Change, Form, Outcome, Places};
use crate::lsp::{Feature, Location, Place, Server};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::rename::doubts::is_class;
use crate::refactor::rename::script_kin::{ClassPlace, Kin};
use crate::refactor::source_file::{Code, object_of};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span};

/// More places than this are not asked about one by one: each of them may be meant.
const MOST: usize = 200;
/// What asks an object for a key (ECMAScript): its method, and functions whose first argument is the object.
const OWN_KEY: &str = "hasOwnProperty";
const HAVING: [&str; 3] = ["Object.hasOwn", "Reflect.has", "Object.prototype.hasOwnProperty.call"];
/// What stands around a value and leaves it as it is.
const WRAPPING: [&str; 3] = ["parenthesized_expression", "non_null_expression", CAST];
/// `order as Rated`
const CAST: &str = "as_expression";
/// What has a condition.
const CONDITIONAL: [&str; 4] = ["if_statement", "while_statement", "do_statement", "ternary_expression"];
const JOINING: [&str; 3] = ["&&", "||", "??"];
const COMPARING: [&str; 4] = ["===", "!==", "==", "!="];

/// Tells where a program does something else from now on.
pub(super) async fn told(session: &Session, change: &Change) -> Result<Vec<Warning>, Refusal> {
    let places = places(session, &change.name)?;
    let is_private = change.name.starts_with('#');
    let Some((first, _)) = places.first().filter(|_| !is_private) else { return Ok(Vec::new()) };
    let Some(language) = Language::of_path(first) else { return Ok(Vec::new()) };
    let server = session.server(language, Feature::Rename).await?;
    let owners = Owners::of(session, &server, change).await?;
    let Some(outcome) = owners.outcome else { return Ok(Vec::new()) };
    let files: BTreeSet<AbsPath> = places.iter().map(|(path, _)| path.clone()).collect();
    session.cover(&server, &Vec::from_iter(files)).await?;
    let mut kept = Places::new();
    for (at, (path, span)) in places.into_iter().enumerate() {
        if at >= MOST || owners.may_be_asked((&path, span), &change.name).await? {
            kept.entry((path, Form::Asked)).or_default().push(span);
        }
    }
    change.warnings(session, outcome, kept)
}

/// Finds what asks whether there is a member of a name.
fn places(session: &Session, name: &str) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(name) {
        if Language::of_path(&path).map(Language::family) != Some(Family::Script) {
            continue;
        }
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let asking = parsed.tree.nodes().iter().filter(|it| Asking::of(*it, (text, name)).is_some());
        found.extend(asking.map(|it| (path.clone(), it.span())));
    }
    Ok(found)
}

/// An expression that asks an object whether it has a member.
struct Asking<'t> {
    object: Node<'t>,
    /// The member's name, where it is asked for as if it were there.
    member: Option<Node<'t>>,
}

impl<'t> Asking<'t> {
    fn of(node: Node<'t>, (text, name): (&str, &str)) -> Option<Self> {
        let says = |it: Node<'_>| it.is("string") && it.text(text).get(1..it.span().len() - 1) == Some(name);
        let asking = |object, member| Some(Self { object: uncast(object), member });
        match node.kind() {
            "binary_expression" if node.child("operator")?.kind() == "in" => {
                asking(node.child("right").filter(|_| node.child("left").is_some_and(says))?, None)
            }
            "call_expression" => {
                let function = node.child("function")?;
                let mut arguments = node.child("arguments")?.named_children();
                let (first, second) = (arguments.next()?, arguments.next());
                let is_own = function.child("property").is_some_and(|it| it.text(text) == OWN_KEY) && says(first);
                match second {
                    None if is_own => asking(function.child("object")?, None),
                    Some(key) if HAVING.contains(&function.text(text)) && says(key) => asking(first, None),
                    _ => None,
                }
            }
            "member_expression" => {
                let member = node.child("property").filter(|it| it.text(text) == name && is_tested(node))?;
                asking(node.child("object")?, Some(member))
            }
            "subscript_expression" => {
                node.child("index").filter(|it| says(*it) && is_tested(node))?;
                asking(node.child("object")?, None)
            }
            _ => None,
        }
    }

    /// Tells whether the object is taken for another type than the program knows it by.
    fn is_cast(&self) -> bool {
        self.object.parent().is_some_and(|it| it.is(CAST))
    }
}

fn uncast(object: Node<'_>) -> Node<'_> {
    let mut inner = object;
    while WRAPPING.contains(&inner.kind()) {
        let Some(next) = inner.named_children().next() else { break };
        inner = next;
    }
    inner
}

/// Tells whether a program looks what a member is before it uses it.
fn is_tested(member: Node<'_>) -> bool {
    let mut value = member;
    while let Some(outer) = value.parent() {
        let is_in = |field| outer.child(field) == Some(value);
        let operator = outer.child("operator").map_or("", Node::kind);
        match outer.kind() {
            kind if WRAPPING.contains(&kind) => {}
            kind if CONDITIONAL.contains(&kind) => return is_in("condition"),
            "unary_expression" => return matches!(operator, "typeof" | "!"),
            "variable_declarator" => return is_in("value"),
            "call_expression" => return is_in("function") && outer.child_of_kind("optional_chain").is_some(),
            "binary_expression" if JOINING.contains(&operator) && is_in("left") => return true,
            "binary_expression" if JOINING.contains(&operator) => {}
            "binary_expression" => return COMPARING.contains(&operator),
            _ => return false,
        }
        value = outer;
    }
    false
}

/// The classes whose objects get a name or lose it.
struct Owners<'s> {
    kin: Kin<'s>,
    own: Vec<ClassPlace>,
    /// With all above them.
    line: BTreeSet<ClassPlace>,
    /// Nothing where all objects have what they had.
    outcome: Option<Outcome>,
}

impl<'s> Owners<'s> {
    async fn of(session: &'s Session, server: &'s Arc<Server>, change: &Change) -> Result<Self, Refusal> {
        let kin = Kin::new(session, server);
        let place = |(path, span): &(AbsPath, Span)| (path.clone(), span.start);
        let (comes, leaves): (Vec<ClassPlace>, Vec<ClassPlace>) =
            (change.comes.iter().map(place).collect(), change.leaves.iter().map(place).collect());
        let mut owners = Self { kin, own: Vec::new(), line: BTreeSet::new(), outcome: None };
        for class in &comes {
            if !owners.has_above(class, |above| owners.kin.has(above, &change.name)).await? {
                owners.outcome = Some(Outcome::New);
                owners.own.push(class.clone());
            }
        }
        for class in &leaves {
            let stays = |above: &ClassPlace| {
                Ok(comes.contains(above) || !leaves.contains(above) && owners.kin.has(above, &change.name)?)
            };
            if !owners.has_above(class, stays).await? {
                owners.outcome.get_or_insert(Outcome::Gone);
                owners.own.push(class.clone());
            }
        }
        if comes.is_empty() && leaves.is_empty() {
            owners.outcome = Some(Outcome::New);
        }
        for class in &owners.own {
            owners.line.extend(owners.kin.above(class.clone()).await?);
        }
        owners.line.extend(owners.own.iter().cloned());
        Ok(owners)
    }

    async fn has_above(
        &self,
        class: &ClassPlace,
        is_it: impl Fn(&ClassPlace) -> Result<bool, Refusal>,
    ) -> Result<bool, Refusal> {
        for above in self.kin.above(class.clone()).await? {
            if is_it(&above)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells whether what is asked at a place may be an object of theirs.
    async fn may_be_asked(&self, (path, span): (&AbsPath, Span), name: &str) -> Result<bool, Refusal> {
        let code = Code::known(self.kin.session, path)?;
        let Some(asking) = Asking::of(code.covering(span), (code.text(), name)) else { return Ok(true) };
        // What is used as if it were there is a use: who takes the name away follows these.
        if asking.member.is_some() && self.outcome == Some(Outcome::Gone) {
            return Ok(false);
        }
        if matches!(asking.object.kind(), "this" | "super") {
            let owner = object_of(asking.object);
            let class = asking.object.ancestors().filter(|_| owner.is_some()).find(is_class);
            let Some(name) = class.and_then(|it| it.child("name")) else { return Ok(false) };
            return self.are_kin((path.clone(), name.start())).await;
        }
        let place = |node: Node<'_>| Place { path: path.clone(), offset: node.start() };
        let server = self.kin.server;
        if let Some(member) = asking.member.filter(|_| !asking.is_cast()) {
            let leads = server.definition(&place(member)).await.map_err(SessionError::from)?;
            let is_itself = |it: &Location| it.path == *path && it.span == member.span();
            if leads.iter().any(|it| !is_itself(it)) {
                return Ok(false);
            }
        }
        let said = asking.object.child("property").unwrap_or(asking.object);
        let types = server.type_definition(&place(said)).await.map_err(SessionError::from)?;
        let is_unknown = types.is_empty();
        for location in types {
            if !self.kin.is_class(&location)? || self.are_kin((location.path, location.span.start)).await? {
                return Ok(true);
            }
        }
        Ok(is_unknown)
    }

    /// Tells whether an object of a class may be one of theirs.
    async fn are_kin(&self, class: ClassPlace) -> Result<bool, Refusal> {
        let is_theirs = self.line.contains(&class);
        Ok(is_theirs || self.kin.above(class).await?.iter().any(|it| self.own.contains(it)))
    }
}
