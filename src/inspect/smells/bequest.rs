//! `refused-bequest`: subclasses that take back what they inherit.

use std::collections::HashMap;

use super::declarations::{bases, only_statement};
use super::facts::{ClassFacts, Facts, Refusal};
use super::finding::Severity;
use super::smell::{Find, Judgement, Limits, Smell, SmellContext};
use crate::inspect::outline::Function;
use crate::inspect::view::View;

pub(super) const REFUSED_BEQUEST: Smell = Smell {
    name: "refused-bequest",
    about: "A method that a class inherits with a body, and overrides only to refuse it.",
    refactoring: "replace-inheritance-with-delegation",
    limits: &[],
    find: Find::Across { note, judge },
};

fn note(view: &View<'_>, _: &Limits<'_>, facts: &mut Facts) {
    for class in &view.outline.classes {
        let Some(name) = class.path.last() else { continue };
        let own = || view.outline.functions.iter().filter(|it| it.class.as_ref() == Some(&class.path));
        let is_refused = |it: &&Function<'_>| refuses(it, view);
        let refusal = |it: &Function<'_>| Refusal {
            method: it.name().to_owned(),
            severity: Severity::Medium,
            spot: view.of_function(it),
        };
        facts.classes.push(ClassFacts {
            name: name.clone(),
            bases: bases(class.node, view.text),
            works: own().filter(|it| works(it, view)).map(|it| it.name().to_owned()).collect(),
            refuses: own().filter(is_refused).map(refusal).collect(),
        });
    }
}

fn judge(world: &SmellContext<'_>, _: &Limits<'_>) -> Judgement {
    let mut classes: HashMap<&str, Vec<&ClassFacts>> = HashMap::new();
    for class in world.facts.iter().flat_map(|file| &file.classes) {
        classes.entry(&class.name).or_default().push(class);
    }
    let mut heirs: HashMap<&str, Vec<&ClassFacts>> = HashMap::new();
    for class in world.facts.iter().flat_map(|file| &file.classes) {
        for base in &class.bases {
            heirs.entry(base).or_default().push(class);
        }
    }
    // What a subclass brings, its base leaves to it instead of refusing it.
    let is_left = |class: &ClassFacts, method: &String| {
        heirs.get(class.name.as_str()).into_iter().flatten().any(|heir| heir.works.contains(method))
    };
    let mut findings = Vec::new();
    for class in world.facts.iter().flat_map(|file| &file.classes) {
        for refusal in class.refuses.iter().filter(|refusal| !is_left(class, &refusal.method)) {
            let Some(base) = giver(class, &refusal.method, &classes, 0) else { continue };
            let details = format!("`{}` of `{base}` works; this one only refuses", refusal.method);
            findings.push(refusal.spot.clone().finding(refusal.severity, "", details));
        }
    }
    Judgement { findings, notes: Vec::new() }
}

/// How far up a class is followed.
const HIGHEST: usize = 8;

/// Returns the nearest class above whose method of that name does something. A name that two classes share
/// leads nowhere.
fn giver<'f>(
    class: &'f ClassFacts,
    method: &str,
    all: &HashMap<&str, Vec<&'f ClassFacts>>,
    height: usize,
) -> Option<&'f str> {
    class.bases.iter().filter(|_| height < HIGHEST).find_map(|base| {
        let [only] = all.get(base.as_str())?.as_slice() else { return None };
        if only.works.iter().any(|it| it == method) {
            return Some(only.name.as_str());
        }
        if only.refuses.iter().any(|it| it.method == method) {
            return None;
        }
        giver(only, method, all, height + 1)
    })
}

/// Tells whether all that a method does is to say that it cannot be called.
fn refuses(method: &Function<'_>, view: &View<'_>) -> bool {
    let Some(only) = only_statement(method) else { return false };
    let said = only.text(view.text);
    let is_thrown = only.is_any(&["raise_statement", "throw_statement"]);
    let is_refusal = ["NotImplemented", "Unsupported", "TypeError", "not supported", "unsupported", "not implemented"];
    is_thrown && is_refusal.iter().any(|word| said.contains(word))
}

/// Tells whether a method has a body that neither refuses nor waits for a subclass.
fn works(method: &Function<'_>, view: &View<'_>) -> bool {
    let Some(body) = method.body() else { return false };
    let says_nothing = only_statement(method).is_some_and(|only| {
        only.is_any(&["pass_statement", "raise_statement", "throw_statement"]) || only.text(view.text) == "..."
    });
    let is_abstract = method.node.parent().is_some_and(|outer| {
        outer.is("decorated_definition")
            && outer.text(view.text).lines().next().is_some_and(|it| it.contains("abstract"))
    });
    body.named_children().next().is_some() && !says_nothing && !is_abstract
}
