//! The patterns of `include` and `exclude` (TypeScript handbook, tsconfig reference).
//!
//! `globset` knows no `**` that passes some directories by, and takes braces and brackets for more than characters.

use std::collections::BTreeSet;
use std::ops::Range;

/// Tells whether a pattern of `include` takes a file; a directory's name takes all that is below it.
pub(super) fn includes(pattern: &str, file: &str) -> bool {
    let file: Vec<&str> = file.split('/').collect();
    let mut parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    if parts.last().is_none_or(|last| !last.contains(['.', '*', '?'])) {
        parts.extend(["**", "*"]);
    }
    matches(&parts, &file)
}

/// Tells whether a pattern of `exclude` takes a file or a directory above it.
pub(super) fn excludes(pattern: &str, file: &str) -> bool {
    let file: Vec<&str> = file.split('/').collect();
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    (1..=file.len()).any(|length| matches(&parts, &file[..length]))
}

/// Returns the part of a pattern in front of its first wildcard, whole components only.
pub(super) fn literal(pattern: &str) -> &str {
    pattern
        .find(['*', '?', '{'])
        .map_or(pattern, |wild| &pattern[..pattern[..wild].rfind('/').map_or(0, |slash| slash + 1)])
}

/// Returns the patterns that one with braces stands for: `{src,test}/*.js`.
pub(super) fn alternatives(pattern: &str) -> Vec<String> {
    let inside = pattern.find('{').and_then(|open| Some((open, open + pattern[open..].find('}')?)));
    let Some((open, close)) = inside else { return vec![pattern.to_owned()] };
    let each = pattern[open + 1..close].split(',');
    each.flat_map(|one| alternatives(&format!("{}{one}{}", &pattern[..open], &pattern[close + 1..]))).collect()
}

/// Tells whether parts of a pattern take a path; `**` passes hidden directories and installed packages by.
fn matches(pattern: &[&str], path: &[&str]) -> bool {
    let is_passed = |part: &&&str| !part.starts_with('.') && **part != "node_modules";
    leads(pattern, path.len(), |part, at| match *part {
        "**" => at..at + path[at..].iter().take_while(is_passed).count() + 1,
        name => behind_if(path.get(at).is_some_and(|part| component(name, part)), at),
    })
}

/// Tells whether a part of a pattern takes a name.
fn component(pattern: &str, name: &str) -> bool {
    let name = name.as_bytes();
    leads(pattern.as_bytes(), name.len(), |byte, at| match *byte {
        b'*' => at..name.len() + 1,
        b'?' => behind_if(at < name.len(), at),
        byte => behind_if(name.get(at) == Some(&byte), at),
    })
}

/// Returns the place behind `at` as the only one, or none.
fn behind_if(fits: bool, at: usize) -> Range<usize> {
    if fits { at + 1..at + 2 } else { 0..0 }
}

/// Tells whether steps that lead from one place to others lead from the beginning to `end`. All places are followed at once:
/// a pattern full of stars takes no longer than another.
fn leads<S>(steps: &[S], end: usize, next: impl Fn(&S, usize) -> Range<usize>) -> bool {
    let mut reached = BTreeSet::from([0]);
    for step in steps {
        reached = reached.into_iter().flat_map(|at| next(step, at)).collect();
    }
    reached.contains(&end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_takes_all_below() {
        assert!(includes("src", "src/a/b.ts"));
        assert!(includes("", "src/a.ts"));
        assert!(!includes("src", "srcs/a.ts"));
        assert!(includes("src/**/*", "src/a.ts"));
        assert!(includes("src/*", "src/a.ts"));
        assert!(!includes("src/*", "src/a/b.ts"));
        assert!(includes("**/*.spec.ts", "x/y.spec.ts"));
    }

    #[test]
    fn hidden_directories_are_passed_by() {
        assert!(!includes("**/*", ".cache/a.ts"));
        assert!(!includes("**/*", "node_modules/a/b.ts"));
        assert!(includes(".cache/**/*", ".cache/x/a.ts"));
    }

    #[test]
    fn a_pattern_full_of_stars_comes_to_an_end() {
        let (stars, name) = ("*a".repeat(40) + "b", "a".repeat(200));
        assert!(!includes(&stars, &name));
        assert!(!includes(&("**/".repeat(40) + "b.ts"), &"a/".repeat(200)));
    }

    #[test]
    fn an_excluded_directory_takes_all_below() {
        assert!(excludes("**/dist", "a/dist/b.ts"));
        assert!(excludes("a/b.ts", "a/b.ts"));
        assert!(!excludes("a/b", "a/bc/d.ts"));
    }

    #[test]
    fn the_literal_part_ends_before_the_wildcard() {
        assert_eq!(literal("src/**/*.ts"), "src/");
        assert_eq!(literal("./src/feat-*.ts"), "./src/");
        assert_eq!(literal("src/a.ts"), "src/a.ts");
        assert_eq!(literal("*.ts"), "");
    }
}
