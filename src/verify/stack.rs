//! Whether a plan makes a Solidity function hold more on the stack: parameters, results and variables. The compiler
//! runs out of it only when it generates code.

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::syntax::contracts::Unit;
use crate::syntax::{Language, Tree};

/// Functions by contract, name and place among those of the name, each with how many values it names.
type StackVariables = BTreeMap<(String, String, usize), usize>;

/// Tells whether a function comes to hold more than before, or is new.
pub(super) fn grows(plan: &Plan) -> bool {
    let (mut before, mut after) = (StackVariables::new(), StackVariables::new());
    for (_, edit) in plan.edits().iter().filter(|(path, _)| path.extension() == "sol") {
        // Contracts may go from one file to another: all are counted together.
        count(edit.before.as_str(), &mut before);
        count(edit.after().as_str(), &mut after);
    }
    for (_, text) in plan.creates().iter().filter(|(path, _)| path.extension() == "sol") {
        count(text.as_str(), &mut after);
    }
    // Names may change: what counts is that one holds more than any did that may be the same.
    let mut old: Vec<usize> = before.values().copied().collect();
    let mut new: Vec<usize> = after.values().copied().collect();
    let grown = |(key, count): (&(String, String, usize), &usize)| before.get(key).is_some_and(|it| it < count);
    old.sort_unstable();
    new.sort_unstable();
    after.iter().any(grown) || new.len() > old.len() || new.iter().zip(&old).any(|(new, old)| new > old)
}

fn count(text: &str, held: &mut StackVariables) {
    let tree = Tree::parse(Language::Solidity, text);
    let unit = Unit::of(&tree, text);
    let of_contracts = unit.contracts.iter().map(|contract| (contract.name.as_str(), &contract.members));
    for (contract, members) in of_contracts.chain([("", &unit.free)]) {
        for function in &members.functions {
            let Some(node) = tree.nodes().get(function.node) else { continue };
            let locals = node.descendants().filter(|inner| inner.is("variable_declaration")).count();
            let values = function.params.len() + function.returns.len() + locals;
            let name = (contract.to_owned(), function.name.clone());
            let nth = held.keys().filter(|key| (&key.0, &key.1) == (&name.0, &name.1)).count();
            held.insert((name.0, name.1, nth), values);
        }
    }
}
