//! `god-module`: files that hold everything.

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;

pub(super) const GOD_MODULE: Smell = Smell {
    name: "god-module",
    about: "A file so long, and with so many classes and functions, that it can no longer be taken in at once.",
    refactoring: "extract-class",
    limits: &[
        Limit { name: "lines", default: 1000, about: "lines of code" },
        Limit { name: "members", default: 40, about: "classes and functions outside of classes" },
    ],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    if view.is_test() {
        return Vec::new();
    }
    let lines = view.code_lines(view.tree.nodes().root().span());
    let functions = view.outline.functions.iter().filter(|it| it.is_outer && it.class.is_none()).count();
    let members = (functions + view.outline.classes.len()) as u32;
    let (most_lines, most_members) = (limits.get("lines"), limits.get("members"));
    if lines <= most_lines || members <= most_members {
        return Vec::new();
    }
    let details = format!(
        "{lines} lines of code (at most {most_lines}) with {members} classes and functions (at most {most_members})"
    );
    vec![view.of_file().finding(Severity::graded(lines, most_lines), "", details)]
}
