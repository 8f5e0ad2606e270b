//! Functions that a cloud calls with an event and a context.

use super::file::{File, Found, Handler, LAMBDA};
use crate::syntax::FunctionSite;

pub(super) fn script(file: &File<'_>) -> Vec<Found> {
    let is_one = |site: &&FunctionSite| {
        let is_named = matches!(site.name.as_str(), "handler" | "lambdaHandler") && site.owners.is_empty();
        let first = parameters(file, site).first().cloned().unwrap_or_default();
        is_named && (first.contains("event") || parameters(file, site).len() <= 2) && is_exported(file, site)
    };
    file.sites.iter().filter(is_one).map(found).collect()
}

pub(super) fn python(file: &File<'_>) -> Vec<Found> {
    let is_one = |site: &&FunctionSite| {
        let parameters = parameters(file, site);
        let takes = parameters.first().is_some_and(|it| it.contains("event"))
            && parameters.get(1).is_some_and(|it| it.contains("context") || it.starts_with('_'));
        site.owners.is_empty() && parameters.len() == 2 && (takes || site.name == "lambda_handler")
    };
    file.sites.iter().filter(is_one).map(found).collect()
}

fn found(site: &FunctionSite) -> Found {
    Found { kind: LAMBDA, framework: None, trigger: None, handler: Handler::Node(site.node) }
}

/// Returns the parameters as they are written.
fn parameters(file: &File<'_>, site: &FunctionSite) -> Vec<String> {
    let node = file.source.tree().nodes().get(site.node);
    let list = node.and_then(|node| node.child("parameters").or_else(|| node.child("parameter")));
    match list {
        Some(list) if list.is("identifier") => vec![list.text(file.text()).to_owned()],
        Some(list) => list.named_children().map(|it| it.text(file.text()).to_owned()).collect(),
        None => Vec::new(),
    }
}

fn is_exported(file: &File<'_>, site: &FunctionSite) -> bool {
    let Some(node) = file.source.tree().nodes().get(site.node) else { return false };
    let mut around = std::iter::once(node).chain(node.ancestors());
    around.any(|outer| {
        let is_assigned = || outer.child("left").is_some_and(|left| left.text(file.text()).contains("exports"));
        outer.is("export_statement") || outer.is("assignment_expression") && is_assigned()
    })
}
