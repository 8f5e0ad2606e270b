//! `feature-envy`: methods that are more interested in another object than in their own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::facts::{Envy, Facts};
use super::finding::Severity;
use super::smell::{Find, Judgement, Limit, Limits, Smell, SmellContext};
use crate::inspect::outline::Function;
use crate::inspect::params::{Parameter, ParameterKind};
use crate::inspect::view::View;
use crate::syntax::{Family, Node};

pub(super) const FEATURE_ENVY: Smell = Smell {
    name: "feature-envy",
    about: "A method that uses many members of a parameter, whose class the project declares, and hardly any of its own.",
    refactoring: "move-method",
    limits: &[
        Limit { name: "members", default: 4, about: "different members of one parameter" },
        Limit { name: "times", default: 3, about: "how many times as often as its own object's" },
    ],
    find: Find::Across { note, judge },
};

fn note(view: &View<'_>, limits: &Limits<'_>, facts: &mut Facts) {
    if view.is_test() {
        return;
    }
    for method in view.outline.functions.iter().filter(|it| it.class.is_some() && has_object(it, view)) {
        let (own, foreign) = members(method, view);
        for parameter in
            method.parameters.iter().filter(|it| matches!(it.kind, ParameterKind::Plain | ParameterKind::Named))
        {
            let Some(name) = parameter.name.map(|name| name.text(view.text)) else { continue };
            let Some((used, count)) = foreign.get(name).map(|it| (&it.0, it.1)) else { continue };
            if used.len() as u32 <= limits.get("members") || count as u32 <= own as u32 * limits.get("times") {
                continue;
            }
            let Some(class) = parameter.annotation.and_then(|it| type_name(it, view.text)) else {
                facts.envies.push(Envy::Untyped);
                continue;
            };
            let members: Vec<&str> = used.iter().copied().take(6).collect();
            let details = format!(
                "uses {} members of `{name}: {class}` ({}), {own} of its own object",
                used.len(),
                members.join(", ")
            );
            let own = method.class.as_ref().and_then(|path| path.last()).cloned().unwrap_or_default();
            facts.envies.push(Envy::Of { class, own, spot: view.of_function(method), details });
        }
    }
}

fn judge(world: &SmellContext<'_>, _: &Limits<'_>) -> Judgement {
    let mut declared: HashMap<&str, usize> = HashMap::new();
    for name in world.facts.iter().flat_map(|file| &file.class_names) {
        *declared.entry(name).or_default() += 1;
    }
    let mut judgement = Judgement::default();
    let mut untyped = 0;
    for envy in world.facts.iter().flat_map(|file| &file.envies) {
        match envy {
            Envy::Of { class, own, spot, details } if class != own && declared.get(class.as_str()) == Some(&1) => {
                judgement.findings.push(spot.clone().finding(Severity::Medium, class, details.clone()));
            }
            Envy::Of { .. } => {}
            Envy::Untyped => untyped += 1,
        }
    }
    if untyped > 0 {
        judgement.notes.push(format!(
            "feature-envy: {untyped} methods were skipped, for the types of their parameters are not written and no \
             language server was asked"
        ));
    }
    judgement
}

/// Tells whether a method is called on an object: what makes one out of another looks at nothing but the other.
fn has_object(method: &Function<'_>, view: &View<'_>) -> bool {
    let receiver = method.parameters.first().filter(|it| it.kind == ParameterKind::Receiver);
    let is_own = |it: &Parameter<'_>| it.name.is_none_or(|name| name.text(view.text) == "self");
    match view.family() {
        Family::Python => receiver.is_some_and(is_own) && !matches!(method.name(), "__init__" | "__new__"),
        Family::Rust => receiver.is_some(),
        _ => {
            !method.node.is_any(&["constructor_declaration", "constructor_definition"])
                && method.name() != "constructor"
        }
    }
}

/// The different members of one object that are used, and how often in all.
type Used<'t> = (BTreeSet<&'t str>, usize);

/// Returns how often a method uses its own object, and by their names what it uses of other variables.
fn members<'t>(method: &Function<'t>, view: &View<'t>) -> (usize, BTreeMap<&'t str, Used<'t>>) {
    let receiver = method.node.child("receiver").into_iter().flat_map(Node::descendants);
    let receiver = receiver.filter(|it| it.is("identifier")).map(|it| it.text(view.text)).next();
    let mut own = 0;
    let mut foreign: BTreeMap<&str, Used<'_>> = BTreeMap::new();
    for node in view.within_all(method) {
        let object = ["object", "value", "operand"].into_iter().find_map(|field| node.child(field));
        let name = ["attribute", "property", "field", "name"].into_iter().find_map(|field| node.child(field));
        let (Some(object), Some(name)) = (object, name) else {
            own += usize::from(is_implicit(node, view));
            continue;
        };
        let word = object.text(view.text);
        if object.is_any(&["this", "self", "super"]) || word == "self" || word == "cls" || Some(word) == receiver {
            own += 1;
        } else if object.is("identifier") {
            let used = foreign.entry(word).or_default();
            used.0.insert(name.text(view.text));
            used.1 += 1;
        }
    }
    (own, foreign)
}

/// Java and Solidity name the members of the own object by themselves: a call without an object is one.
fn is_implicit(node: Node<'_>, view: &View<'_>) -> bool {
    matches!(view.family(), Family::Java | Family::Solidity)
        && (node.is("method_invocation") && node.child("object").is_none()
            || node.is("assignment_expression") && node.child("left").is_some_and(|left| left.is("identifier")))
}

/// Returns the name of a type that is written as a name, behind references and pointers.
fn type_name(annotation: Node<'_>, text: &str) -> Option<String> {
    let written = annotation.text(text).trim_matches(['"', '\'']).trim_start_matches(['&', '*']).trim();
    let written = written.strip_prefix("mut ").unwrap_or(written);
    let is_name =
        |it: &str| !it.is_empty() && it.chars().all(|character| character.is_alphanumeric() || character == '_');
    is_name(written).then(|| written.to_owned())
}
