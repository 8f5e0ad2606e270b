//! Commands of commander, yargs and cac: `program.command("name").action(handler)`.

use super::file::{COMMAND, File, Found, call, literal, member};
use crate::syntax::Node;

const PACKAGES: &[(&str, &str)] = &[("commander", "commander"), ("yargs", "yargs"), ("cac", "cac"), ("sade", "sade")];

pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    let Some((_, framework)) = PACKAGES.iter().find(|(package, _)| file.imports_from(package)) else {
        return Vec::new();
    };
    file.nodes().filter_map(|node| command(file, node, framework)).collect()
}

fn command(file: &File<'_>, node: Node<'_>, framework: &'static str) -> Option<Found> {
    let (function, arguments) = call(node)?;
    let (object, method) = member(function)?;
    let (name, handler) = match method.text(file.text()) {
        "action" => (named(file, object), *arguments.first()?),
        // yargs takes the handler last, behind a description and a builder.
        "command" if arguments.len() >= 3 => (literal(arguments[0], file.text()), *arguments.last()?),
        _ => return None,
    };
    let handler = file.handler(handler)?;
    Some(Found { kind: COMMAND, framework: Some(framework), trigger: name, handler })
}

/// Follows the chain back to `.command("name …")`; without one it is the program itself.
fn named(file: &File<'_>, object: Node<'_>) -> Option<String> {
    let mut inner = object;
    while let Some((function, arguments)) = call(inner) {
        let (outer, name) = member(function)?;
        if name.text(file.text()) == "command" {
            return arguments.first().and_then(|first| literal(*first, file.text()));
        }
        inner = outer;
    }
    None
}
