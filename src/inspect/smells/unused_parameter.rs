//! `unused-parameter`: parameters that a function takes and does not look at.

use std::collections::{HashMap, HashSet};

use super::declarations::{inherits, is_private, only_statement, overrides};
use super::facts::{Facts, Unused};
use super::finding::Severity;
use super::smell::{Find, Judgement, Limits, Smell, SmellContext};
use crate::inspect::outline::Function;
use crate::inspect::params::{Parameter, ParameterKind};
use crate::inspect::view::View;
use crate::syntax::kinds::Role;
use crate::syntax::{Family, Node, scopes};

pub(super) const UNUSED_PARAMETER: Smell = Smell {
    name: "unused-parameter",
    about: "A parameter that the function does not use, where no base class or caller dictates the parameters.",
    refactoring: "remove-parameter",
    limits: &[],
    find: Find::Across { note, judge },
};

fn note(view: &View<'_>, _: &Limits<'_>, facts: &mut Facts) {
    if view.is_test() {
        return;
    }
    let private = view.outline.functions.iter().filter(|it| it.class.is_some() && is_private(it.node, it.name(), view));
    facts.deciding.extend(private.map(|it| it.name().to_owned()));
    let candidates: Vec<&Function<'_>> = view.outline.functions.iter().filter(|it| decides(it, view)).collect();
    if candidates.is_empty() {
        return;
    }
    let used = Used::of(view);
    let values = values(view);
    for function in candidates.into_iter().filter(|function| !values.contains(function.name())) {
        for (name, parameter) in unused(function, view, &used) {
            facts.unused.push(Unused {
                function: function.name().to_owned(),
                is_method: function.class.is_some(),
                spot: view.of_node(parameter),
                name: name.to_owned(),
            });
        }
    }
}

fn judge(world: &SmellContext<'_>, _: &Limits<'_>) -> Judgement {
    let mut declared: HashMap<&str, usize> = HashMap::new();
    for name in world.facts.iter().flat_map(|file| &file.deciding) {
        *declared.entry(name).or_default() += 1;
    }
    // Classes that have a method of one name may have to agree on its parameters.
    let is_shared = |unused: &Unused| unused.is_method && declared.get(unused.function.as_str()) > Some(&1);
    let decides = |unused: &Unused| !is_shared(unused) && !world.may_be_assembled(&unused.function);
    let mut findings = Vec::new();
    for (file, unused) in world.facts.iter().flat_map(|of_file| of_file.unused.iter().map(|it| (&of_file.file, it))) {
        if decides(unused) && !world.hands_on(&unused.function, &file.path) {
            let details = format!("`{}` is not used", unused.name);
            findings.push(unused.spot.clone().finding(Severity::Low, &unused.name, details));
        }
    }
    Judgement { findings, notes: Vec::new() }
}

/// Tells whether a function decides on its own parameters: no class above, no framework, no interface does.
fn decides(function: &Function<'_>, view: &View<'_>) -> bool {
    let node = function.node;
    let is_named = node.child("name").is_some_and(|name| !name.is("string")) && !function.path.is_empty();
    let is_free = function.class.is_none() && !is_member(node);
    let is_decorated = node.parent().is_some_and(|outer| outer.is("decorated_definition"));
    let is_real = function.body().is_some_and(|body| body.named_children().next().is_some())
        && only_statement(function).is_none_or(|only| !is_stub(only, view.text));
    is_named
        && is_real
        && !is_decorated
        && !overrides(node, view.text)
        && (is_free || is_private(node, function.name(), view) && !is_inherited(node, view))
}

/// Tells whether a method stands in a class with another above it, which may ask for its parameters.
fn is_inherited(method: Node<'_>, view: &View<'_>) -> bool {
    let class = method.ancestors().find(|outer| outer.has(Role::Class));
    class.is_some_and(|class| inherits(class, view.text))
}

/// Tells whether a function is the value of an object's key, or belongs to a trait.
fn is_member(node: Node<'_>) -> bool {
    let outer = node.parent().and_then(Node::parent);
    node.parent().is_some_and(|outer| outer.is_any(&["pair", "object"]))
        || outer.is_some_and(|outer| outer.is_any(&["impl_item", "trait_item"]))
}

/// Tells whether a statement does nothing with any parameter, on purpose.
fn is_stub(only: Node<'_>, text: &str) -> bool {
    let said = only.text(text);
    only.is_any(&["pass_statement", "raise_statement", "throw_statement", "macro_invocation"])
        || matches!(said, "..." | "return" | "return;")
        || only.is_any(&["return_statement", "expression_statement"])
            && only.descendants().all(|node| !node.kind().ends_with("identifier"))
}

/// What the parameters of a text are used for.
struct Used {
    /// Where names are bound, with what they mean; and how often each meaning is named. Nothing in languages
    /// whose scopes are not known.
    scopes: Option<(HashMap<usize, usize>, HashMap<usize, usize>)>,
}

impl Used {
    fn of(view: &View<'_>) -> Self {
        if !matches!(view.family(), Family::Python | Family::Script) {
            return Self { scopes: None };
        }
        let names = scopes::names(view.tree, view.text);
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for name in &names {
            *counts.entry(name.meaning).or_default() += 1;
        }
        Self { scopes: Some((names.iter().map(|name| (name.span.start, name.meaning)).collect(), counts)) }
    }

    fn is_used(&self, name: Node<'_>, function: Node<'_>, text: &str) -> bool {
        match &self.scopes {
            Some((meanings, counts)) => meanings.get(&name.start()).is_none_or(|meaning| counts[meaning] > 1),
            None => is_mentioned(name, function, text),
        }
    }
}

/// Tells whether a word stands a second time in a function, in a string too: there it may be formatted.
fn is_mentioned(name: Node<'_>, function: Node<'_>, text: &str) -> bool {
    let word = name.text(text);
    crate::syntax::whole_words(function.text(text), word).len() > 1
}

/// Returns the parameters that are not used; in scripts only those behind which none is used, for the places
/// of the others are taken.
fn unused<'t>(function: &Function<'t>, view: &View<'t>, used: &Used) -> Vec<(&'t str, Node<'t>)> {
    let body = function.body().map(|body| body.text(view.text)).unwrap_or_default();
    let sees_all = ["locals()", "vars()", "arguments", "exec(", "eval("].iter().any(|word| body.contains(word));
    if sees_all {
        return Vec::new();
    }
    let is_unused = |parameter: &Parameter<'t>| {
        let name = parameter.name.filter(|_| matches!(parameter.kind, ParameterKind::Plain | ParameterKind::Named))?;
        let word = name.text(view.text);
        let is_meant = word.starts_with(['_', '@']) || word.starts_with("unused") || word.starts_with("dummy");
        (!is_meant && !used.is_used(name, function.node, view.text)).then_some((word, name))
    };
    if view.family() == Family::Script {
        return function.parameters.iter().rev().map_while(is_unused).collect();
    }
    function.parameters.iter().filter_map(is_unused).collect()
}

/// Returns the names that are handed on without being called: what takes them decides on their parameters.
fn values<'t>(view: &View<'t>) -> HashSet<&'t str> {
    let names = view.tree.nodes().iter().filter(|node| node.is_leaf() && node.kind().ends_with("identifier"));
    let is_value = |node: &Node<'_>| {
        let parent = node.parent();
        let is_called = node.field() == Some("function") || node.field() == Some("name");
        let is_callee = parent
            .and_then(Node::parent)
            .is_some_and(|outer| outer.is_any(&["call", "call_expression"]) && outer.child("function") == parent);
        !is_called && !is_callee
    };
    names.filter(is_value).map(|node| node.text(view.text)).collect()
}
