//! How a script is written.

use std::collections::BTreeSet;

use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, is_any_function};
use crate::text::AbsPath;

/// So many files around one are looked at.
const FILES: usize = 40;

/// Returns the scripts that import something, the nearest to a file first.
pub(super) fn nearest<'s>(session: &'s Session, path: &AbsPath) -> impl Iterator<Item = Code> + use<'s> {
    let shared =
        |other: &AbsPath| other.as_str().bytes().zip(path.as_str().bytes()).take_while(|(a, b)| a == b).count();
    let files = ["import", "require"].into_iter().flat_map(|word| session.disk().files_mentioning(word));
    let is_script = |other: &AbsPath| Language::of_path(other).is_some_and(|it| it.family() == Family::Script);
    let files: BTreeSet<AbsPath> = files.filter(|other| other != path && is_script(other)).collect();
    let mut files: Vec<AbsPath> = files.into_iter().collect();
    files.sort_by_key(|other| std::cmp::Reverse(shared(other)));
    files.into_iter().take(FILES).filter_map(|other| Code::known(session, &other).ok())
}

/// Tells whether most functions of a file that have a name say what they return.
pub(crate) fn says_types(code: &Code) -> bool {
    let has_name = |node: &Node<'_>| {
        is_any_function(*node)
            && (node.child("name").is_some() || node.parent().is_some_and(|outer| outer.is("variable_declarator")))
    };
    let named: Vec<Node<'_>> = code.root().descendants().filter(has_name).collect();
    let says = named.iter().filter(|node| node.child("return_type").is_some()).count();
    code.is_typed_script() && says * 2 > named.len()
}

/// Tells whether a file has statements that import types and nothing else: `import type { Order } from …`.
pub(crate) fn imports_types(code: &Code) -> bool {
    let says_type = |it: Node<'_>| it.is("import_statement") && it.children().any(|child| child.kind() == "type");
    code.root().named_children().any(says_type)
}

/// Tells whether a blank stands between names and lists of parameters, as most functions of the kind have it.
pub(crate) fn is_spaced(code: &Code, kind: &str) -> bool {
    let count = |kinds: &[&str]| {
        let all = code.root().descendants().filter(|node| node.is_any(kinds));
        let lists = all.filter_map(|node| node.child("name").and(node.child("parameters")));
        let (mut with, mut without) = (0, 0);
        for list in lists {
            *(if code.text()[..list.start()].ends_with(' ') { &mut with } else { &mut without }) += 1;
        }
        (with, without)
    };
    let (with, without) = match count(&[kind]) {
        (0, 0) => count(&["function_declaration", "method_definition"]),
        own => own,
    };
    with > without
}

/// Tells whether lists of parameters that take several lines end with a comma.
pub(crate) fn has_last_comma(code: &Code) -> bool {
    let lists = code.root().descendants().filter(|node| node.is("formal_parameters"));
    let long = lists.map(|node| node.text(code.text())).filter(|text| text.contains('\n'));
    let (with, without): (Vec<&str>, Vec<&str>) =
        long.partition(|text| text.trim_end_matches(')').trim_end().ends_with(','));
    with.len() > without.len()
}

/// Returns what Prettier is set to, nothing said of it being its default; nothing where the project has no settings for it.
pub(crate) fn formatter_setting(session: &Session, name: &str) -> Option<String> {
    let files = session.disk().files();
    let is_it = |path: &&AbsPath| {
        path.file_name().starts_with(".prettierrc") || path.file_name().starts_with("prettier.config")
    };
    let path = files.iter().map(|entry| &entry.path).find(is_it)?;
    let text = session.disk().read(path).ok()?;
    let value = text.as_str().split(name).nth(1).unwrap_or_default();
    let value = value.trim_start_matches(['"', '\'', ':', ' ']);
    Some(value.chars().take_while(|it| it.is_alphanumeric()).collect())
}
