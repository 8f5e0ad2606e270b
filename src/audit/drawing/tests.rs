//! Which function stands in which cluster.

use super::drawing;
use crate::audit::{Callgraph, Edge, Gaps, Lead, Location};

fn edge(caller: &str, callee: &str, kind: &'static str, file: &str, leads: Lead) -> Edge {
    let location = Location { line: 1, column: 1 };
    Edge { caller: caller.to_owned(), callee: callee.to_owned(), kind, file: file.to_owned(), location, leads }
}

#[test]
fn functions_stand_in_their_contracts_and_modules() {
    let inside = |file: &str| Lead::Inside(file.to_owned());
    let calls = vec![
        edge("Vault.take", "Vault._send", "own", "a.sol", inside("a.sol")),
        edge("Vault.take", "Token.move", "typed", "a.sol", Lead::Across("b.sol".to_owned())),
        edge("main", "Shop.open", "package", "shop.py", inside("model.py")),
        edge("main", "print", "builtin", "shop.py", Lead::Away),
        edge("main", "requests.get", "imported", "shop.py", Lead::Away),
        edge("main", "requests.get", "imported", "shop.py", Lead::Away),
    ];
    let graph = drawing(&Callgraph { calls, gaps: Gaps::default() });
    let clusters: Vec<(&str, Vec<&str>, bool)> = graph
        .clusters
        .iter()
        .map(|it| (it.name.as_str(), it.nodes.iter().map(String::as_str).collect(), it.is_outside))
        .collect();
    let expected = [
        ("Vault (a.sol)", vec!["take", "_send"], false),
        ("Token (b.sol)", vec!["move"], false),
        ("shop.py", vec!["main"], false),
        ("model.py", vec!["Shop.open"], false),
        ("outside of these files", vec!["requests.get"], true),
    ];
    assert_eq!(clusters, expected);
    let labels: Vec<Option<&str>> = graph.arrows.iter().map(|it| it.label.as_deref()).collect();
    assert_eq!(labels, [None, Some("typed"), None, Some("imported")]);
    assert_eq!(graph.notes, ["not drawn: 1 call of what the language has by itself"]);
}
