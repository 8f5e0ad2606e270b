//! What the functions of a script look like.

use crate::refactor::source_file::Code;
use crate::syntax::{Node, is_any_function};

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
