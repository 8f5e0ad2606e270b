//! Names of modules that a program puts together as it runs: `import_module("pkg." + name)`, `sys.modules[f"pkg.{name}"]`.

use super::source::Source;
use crate::plan::{Warning, WarningKind};
use crate::syntax::Node;

/// What takes the name of a module.
const TAKING: [&str; 4] = ["import_module", "__import__", "find_spec", "reload"];

/// Tells where a file puts names of a package's modules together, and a module that moves may be one of them; `old` is its
/// dotted name before the move.
pub(super) fn tell(source: &Source, old: &str) -> Option<Warning> {
    let (package, _) = old.rsplit_once('.')?;
    let text = source.str();
    let prefix = format!("{package}.");
    if !text.contains(&prefix) {
        return None;
    }
    let begins =
        |node: &Node<'_>| node.is("string_content") && node.text(text).split(['%', '{']).next() == Some(&prefix);
    let nodes = source.tree().nodes();
    let found = nodes.iter().filter(begins).find(|content| goes_on(*content, text) && is_module(*content, text))?;
    let message = format!("names that begin with `{prefix}` are put together here, and `{old}` may be one of them");
    let range = source.text.range(found.span());
    Some(Warning::at(WarningKind::RunTime, message, source.path.clone(), range))
}

/// Tells whether something follows the beginning: in its string, or behind it.
fn goes_on(content: Node<'_>, text: &str) -> bool {
    let is_format = content.text(text).contains(['%', '{']);
    let Some(string) = content.parent() else { return false };
    let is_filled = string.children().any(|child| child.is("interpolation"));
    let is_joined =
        string.parent().is_some_and(|outer| outer.is("binary_operator") && outer.child("left") == Some(string));
    is_format || is_filled || is_joined
}

/// Tells whether a module is asked for by the string.
fn is_module(content: Node<'_>, text: &str) -> bool {
    content.ancestors().any(|outer| {
        let taken_by = |field| outer.child(field).map_or("", |taking: Node<'_>| last(taking.text(text)));
        let is_behind = |field| outer.child(field).is_some_and(|it: Node<'_>| !it.span().contains(content.span()));
        outer.is("call") && TAKING.contains(&taken_by("function")) && is_behind("function")
            || outer.is("subscript") && taken_by("value") == "modules" && is_behind("value")
    })
}

fn last(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}
