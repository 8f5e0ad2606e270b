//! Commands of click, typer and argparse, and what a script calls when it is run.

use super::file::{COMMAND, File, Found, Handler, call, decorators, keyword, literal, member};
use crate::syntax::{FunctionSite, Node};

pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    let mut all: Vec<Found> = file.sites.iter().filter_map(|site| decorated(file, site)).collect();
    all.extend(file.nodes().filter_map(|node| set_default(file, node)));
    all.extend(file.nodes().filter(|node| is_main(file, *node)).flat_map(|node| called(file, node)));
    all
}

/// `@click.command()`, `@cli.command("name")`, `@app.command()`
fn decorated(file: &File<'_>, site: &FunctionSite) -> Option<Found> {
    let framework = ["click", "typer", "cyclopts", "flask"].into_iter().find(|package| file.imports_from(package))?;
    let node = file.source.tree().nodes().get(site.node)?;
    for decorator in decorators(node) {
        let Some(inner) = decorator.named_children().next() else { continue };
        let (function, arguments) = call(inner).unwrap_or((inner, Vec::new()));
        let last = function.text(file.text()).rsplit('.').next().unwrap_or_default();
        if !matches!(last, "command" | "group" | "callback")
            || member(function).is_none() && !file.imports.contains_key(last)
        {
            continue;
        }
        let named = keyword(&arguments, "name", file.text()).or_else(|| arguments.first().copied());
        let name = named.and_then(|name| literal(name, file.text())).unwrap_or_else(|| site.name.replace('_', "-"));
        let handler = Handler::Node(site.node);
        return Some(Found { kind: COMMAND, framework: Some(framework), trigger: Some(name), handler });
    }
    None
}

/// `parser.set_defaults(func=handler)`
fn set_default(file: &File<'_>, node: Node<'_>) -> Option<Found> {
    let (function, arguments) = call(node)?;
    member(function).filter(|(_, method)| method.text(file.text()) == "set_defaults")?;
    let handler = ["func", "handler", "run", "command", "callback", "fn"]
        .into_iter()
        .find_map(|name| keyword(&arguments, name, file.text()))?;
    Some(Found { kind: COMMAND, framework: Some("argparse"), trigger: None, handler: file.handler(handler)? })
}

/// `if __name__ == "__main__":`
fn is_main(file: &File<'_>, node: Node<'_>) -> bool {
    let condition = node.child("condition").filter(|_| node.is("if_statement"));
    condition.is_some_and(|it| it.text(file.text()).contains("__name__") && it.text(file.text()).contains("__main__"))
}

/// Returns the functions of this file that the script calls.
fn called(file: &File<'_>, main: Node<'_>) -> Vec<Found> {
    let calls = main.child("consequence").into_iter().flat_map(Node::descendants).filter_map(call);
    let names = calls.map(|(function, _)| function).filter(|it| it.is("identifier"));
    let own =
        names.filter(|it| file.sites.iter().any(|site| site.owners.is_empty() && site.name == it.text(file.text())));
    let found = |name: Node<'_>| Found {
        kind: COMMAND,
        framework: None,
        trigger: Some(format!("python {}", file.source.name())),
        handler: Handler::Named(name.text(file.text()).to_owned(), name.start()),
    };
    own.map(found).collect()
}
