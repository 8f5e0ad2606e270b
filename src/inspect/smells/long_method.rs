//! `long-method` and `complex-method`: functions that are too much to take in.

use super::finding::{Finding, Severity};
use super::smell::{Find, Limit, Limits, Smell};
use crate::inspect::view::View;
use crate::syntax::Measures;

pub(super) const LONG_METHOD: Smell = Smell {
    name: "long-method",
    about: "A function with more lines of code than can be taken in at once.",
    refactoring: "extract-method",
    limits: &[Limit {
        name: "lines",
        default: 80,
        about: "lines of code; blank lines, comments, documentation and inner functions are not counted",
    }],
    find: Find::InFile(long),
};

pub(super) const COMPLEX_METHOD: Smell = Smell {
    name: "complex-method",
    about: "A function with more ways through it than can be kept in mind.",
    refactoring: "extract-method",
    limits: &[
        Limit { name: "cyclomatic", default: 20, about: "cyclomatic complexity" },
        Limit { name: "cognitive", default: 30, about: "cognitive complexity" },
    ],
    find: Find::InFile(complex),
};

fn long(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    // A long test is a long list of what is expected.
    if view.is_test() {
        return Vec::new();
    }
    let limit = limits.get("lines");
    let functions = &view.outline.functions;
    let mut found = Vec::new();
    for (function, lines) in functions.iter().zip(own_lines(view)) {
        if function.body().is_some() && lines > limit {
            let details = format!("{lines} lines of code, at most {limit}");
            found.push(view.of_function(function).finding(Severity::graded(lines, limit), "", details));
        }
    }
    found
}

/// Counts the lines of code of every function without those of functions inside.
fn own_lines(view: &View<'_>) -> Vec<u32> {
    let functions = &view.outline.functions;
    let mut own: Vec<u32> = functions.iter().map(|it| view.code_lines(it.node.span())).collect();
    let all = own.clone();
    let mut open: Vec<usize> = Vec::new();
    for (at, function) in functions.iter().enumerate() {
        while open.pop_if(|outer| !functions[*outer].node.holds(function.node)).is_some() {}
        if let Some(outer) = open.last() {
            own[*outer] = own[*outer].saturating_sub(all[at]);
        }
        open.push(at);
    }
    own
}

fn complex(view: &View<'_>, limits: &Limits<'_>) -> Vec<Finding> {
    let (cyclomatic, cognitive) = (limits.get("cyclomatic"), limits.get("cognitive"));
    let is_complex = |numbers: &Measures| numbers.cyclomatic > cyclomatic || numbers.cognitive > cognitive;
    let all = view.outline.functions.iter().map(|function| (function, view.measures(function)));
    all.filter(|(_, numbers)| is_complex(numbers))
        .map(|(function, numbers)| {
            let severity =
                Severity::graded(numbers.cyclomatic, cyclomatic).max(Severity::graded(numbers.cognitive, cognitive));
            let details = format!(
                "cyclomatic complexity {} (at most {cyclomatic}), cognitive {} (at most {cognitive})",
                numbers.cyclomatic, numbers.cognitive
            );
            view.of_function(function).finding(severity, "", details)
        })
        .collect()
}
