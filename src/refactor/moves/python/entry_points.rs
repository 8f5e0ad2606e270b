//! Entry points: groups of them, which are a contract with others and called as modules only by custom, and their values.

use crate::plan::{Warning, WarningKind};
use crate::syntax::Node;
use crate::text::{AbsPath, Span, Text};

/// What asks for a group (`importlib.metadata`, `pkg_resources`, `stevedore`).
const ASKING: [&str; 4] = ["entry_points", "iter_entry_points", "select", "get_entry_map"];

/// Tells whether a name in settings is that of a group: `[project.entry-points."shop.plugins"]`, a key of `entry_points`.
pub(super) fn is_group(path: &AbsPath, text: &str, name: Span) -> bool {
    let start = text[..name.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let named_by = |words: &[&str]| words.iter().any(|word| line.contains(word));
    if line.trim_start().starts_with('[') && path.extension() == "toml" {
        return named_by(&["entry-points", "entrypoints", "poetry.plugins"]);
    }
    let is_key = name.start == start && line[name.len()..].trim_start().starts_with('=');
    match path.extension() {
        "cfg" => is_key && section(text, name.start).starts_with("[options.entry_points"),
        "txt" => path.file_name() == "entry_points.txt" && line.starts_with('['),
        _ => false,
    }
}

/// Tells whether settings name what is imported for an entry point at a place.
pub(super) fn is_value(text: &str, name: Span) -> bool {
    let section = section(text, name.start);
    let sections = ["scripts", "entry-points", "entry_points", "entrypoints", "poetry.plugins"];
    sections.iter().any(|one| section.contains(one))
}

/// Tells what has to be done where entry points change.
pub(super) fn install_again(path: &AbsPath, text: &Text, name: Span) -> Warning {
    let message = "entry points change: what is installed knows the old ones until the project is installed again";
    Warning::at(WarningKind::FollowUp, message, path.clone(), text.range(name))
}

/// Returns the line that begins the section around an offset.
fn section(text: &str, offset: usize) -> &str {
    text[..offset].lines().rev().find(|line| line.starts_with('[')).unwrap_or_default()
}

/// Tells whether a string of Python is the name of a group: `entry_points(group="shop.plugins")`, a key of `entry_points={…}`.
pub(super) fn is_group_in_code(content: Node<'_>, text: &str) -> bool {
    let Some(string) = content.parent() else { return false };
    let Some(outer) = string.parent() else { return false };
    let argument = |node: Node<'_>, names: &[&str]| {
        node.is("keyword_argument") && node.child("name").is_some_and(|name| names.contains(&name.text(text)))
    };
    let call = string.ancestors().find(|it| it.is("call"));
    let function = call.and_then(|it| it.child("function")).map_or("", |it| it.text(text));
    let function = function.rsplit('.').next().unwrap_or_default();
    let is_given = outer.is("argument_list") || outer.is("keyword_argument");
    argument(outer, &["group", "namespace"])
        || is_given && ASKING.contains(&function)
        || is_given && function == "get" && call.is_some_and(|it| it.text(text).contains("entry_points()"))
        || outer.is("pair")
            && outer.child("key") == Some(string)
            && outer.ancestors().any(|around| argument(around, &["entry_points"]))
}
