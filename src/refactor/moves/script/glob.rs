//! The patterns of `include` and `exclude` (TypeScript handbook, tsconfig reference).

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

fn matches(pattern: &[&str], path: &[&str]) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return path.is_empty() };
    if *first == "**" {
        let passable = path.iter().take_while(|part| !part.starts_with('.') && **part != "node_modules").count();
        return (0..=passable).any(|taken| matches(rest, &path[taken..]));
    }
    path.split_first()
        .is_some_and(|(part, others)| component(first.as_bytes(), part.as_bytes()) && matches(rest, others))
}

fn component(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).any(|taken| component(rest, &name[taken..])),
        Some((b'?', rest)) => name.split_first().is_some_and(|(_, others)| component(rest, others)),
        Some((byte, rest)) => {
            name.split_first().is_some_and(|(first, others)| first == byte && component(rest, others))
        }
    }
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
