//! `large-class`: classes that do too much.

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;

pub(super) const LARGE_CLASS: Smell = Smell {
    name: "large-class",
    about: "A class with so many methods, fields or lines that it must have several tasks.",
    refactoring: "extract-class",
    limits: &[
        Limit { name: "methods", default: 30, about: "methods" },
        Limit { name: "fields", default: 30, about: "fields; enums are left out" },
        Limit { name: "lines", default: 600, about: "lines of code" },
    ],
    find: Find::InFile(find),
};

fn find(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for class in &view.outline.classes {
        let is_enum = class.node.kind().starts_with("enum");
        let fields = if is_enum || class.methods == 0 { 0 } else { class.fields };
        let sizes = [("methods", class.methods), ("fields", fields), ("lines", view.code_lines(class.node.span()))];
        let too_many: Vec<(&str, u32, u32)> = sizes
            .into_iter()
            .map(|(what, size)| (what, size, limits.get(what)))
            .filter(|(_, size, limit)| size > limit)
            .collect();
        let Some(severity) = too_many.iter().map(|(_, size, limit)| Severity::graded(*size, *limit)).max() else {
            continue;
        };
        let told: Vec<String> =
            too_many.iter().map(|(what, size, limit)| format!("{size} {what}, at most {limit}")).collect();
        found.push(view.of_class(class).finding(severity, "", told.join("; ")));
    }
    found
}
