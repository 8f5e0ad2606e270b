//! Which of the known versions a range of npm's means (node-semver, "Ranges").

use semver::{Version, VersionReq};

/// Words that name whatever is newest.
const NEWEST: [&str; 7] = ["latest", "next", "beta", "rc", "dev", "insiders", "canary"];
/// No release of a minor version has a higher number.
const LAST_PATCH: u64 = 9_999;

/// Returns the newest of `known` (the oldest first) whose minor version the range allows, or else the nearest to the
/// version that it names; nothing where it is no range.
pub(super) fn chosen<'k>(range: &str, known: &'k [Version]) -> Option<&'k Version> {
    // `npm:typescript@~5.4` asks for a package under another name.
    let range = range.strip_prefix("npm:").map_or(range, |alias| alias.rsplit_once('@').map_or("*", |(_, it)| it));
    if NEWEST.contains(&range.trim()) {
        return known.last();
    }
    let alternatives: Vec<VersionReq> = range.split("||").map(requirement).collect::<Option<_>>()?;
    let allows = |version: &Version| alternatives.iter().any(|one| one.matches(version));
    let last = |version: &Version| Version::new(version.major, version.minor, LAST_PATCH);
    let fits = |version: &&Version| allows(version) || allows(&last(version));
    known.iter().rev().find(fits).or_else(|| nearest(named(&alternatives)?, known))
}

/// Returns the newest of `known` (the oldest first) that is not of a later minor version, or else the oldest.
pub(super) fn nearest((major, minor): (u64, u64), known: &[Version]) -> Option<&Version> {
    known.iter().rev().find(|version| (version.major, version.minor) <= (major, minor)).or(known.first())
}

/// Returns a version's major and minor number; nothing where there are none.
pub(super) fn parts(version: &str) -> Option<(u64, u64)> {
    let mut numbers = version.trim_start_matches('v').split(['.', '-', '+']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The highest version that is named.
fn named(alternatives: &[VersionReq]) -> Option<(u64, u64)> {
    let all = alternatives.iter().flat_map(|one| &one.comparators);
    all.map(|one| (one.major, one.minor.unwrap_or(0))).max()
}

/// Reads one alternative, written as Cargo's requirements are.
fn requirement(range: &str) -> Option<VersionReq> {
    if let Some((from, to)) = range.split_once(" - ") {
        return VersionReq::parse(&format!(">={}, <={}", bare(from), bare(to))).ok();
    }
    let mut range = range.trim().to_owned();
    for operator in ["<", ">", "=", "~", "^"] {
        while range.contains(&format!("{operator} ")) {
            range = range.replace(&format!("{operator} "), operator);
        }
    }
    let comparators: Vec<String> = range.split_whitespace().filter_map(comparator).collect();
    VersionReq::parse(if comparators.is_empty() { "*".to_owned() } else { comparators.join(", ") }.as_str()).ok()
}

/// Writes one comparator; nothing for one that allows all.
fn comparator(word: &str) -> Option<String> {
    let (operator, version) = word.split_at(word.find(|character: char| !"<>=~^".contains(character))?);
    let version = bare(version);
    if version.is_empty() {
        return None;
    }
    // Without an operator a part of a version stands for all that begin so.
    let operator = if operator.is_empty() && version.matches('.').count() < 2 { "~" } else { operator };
    let operator = if operator.is_empty() { "=" } else { operator };
    Some(format!("{operator}{version}"))
}

/// Takes a `v` in front and `x` at the end away.
fn bare(version: &str) -> String {
    let version = version.trim().trim_start_matches('v');
    let parts: Vec<&str> = version.split('.').take_while(|part| !matches!(*part, "x" | "X" | "*")).collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use semver::Version;

    use super::{chosen, nearest, parts};

    fn known() -> Vec<Version> {
        ["5.0.4", "5.4.5", "5.8.3", "5.9.3", "6.0.3"].map(|version| Version::parse(version).unwrap()).to_vec()
    }

    #[test]
    fn a_range_means_the_newest_minor_version_that_it_allows() {
        let cases = [
            ("^5.4.0", "5.9.3"),
            ("^5.9.9", "5.9.3"),
            ("~5.4.2", "5.4.5"),
            ("5.4.2", "5.4.5"),
            ("5.4.x", "5.4.5"),
            ("5.4", "5.4.5"),
            ("5", "5.9.3"),
            ("5.x", "5.9.3"),
            ("v5.8.2", "5.8.3"),
            (">=5.0.0", "6.0.3"),
            (">= 5.0.0 < 5.9", "5.8.3"),
            (">=5.0 <6 || ^4", "5.9.3"),
            ("4.8 - 5.4", "5.4.5"),
            ("<5.9", "5.8.3"),
            ("", "6.0.3"),
            ("*", "6.0.3"),
            ("latest", "6.0.3"),
            ("~5.6.1", "5.4.5"),
            ("^7.0.2", "6.0.3"),
            ("^4.2.0", "5.0.4"),
            ("npm:typescript@~5.4", "5.4.5"),
            ("5.9.0-beta", "5.9.3"),
        ];
        for (range, version) in cases {
            let known = known();
            assert_eq!(chosen(range, &known).map(ToString::to_string).as_deref(), Some(version), "{range}");
        }
        for range in ["workspace:*", "catalog:", "file:../typescript", "https://example.org/a.tgz", "main"] {
            assert_eq!(chosen(range, &known()), None, "{range}");
        }
    }

    #[test]
    fn an_unknown_version_has_a_nearest_one() {
        let known = known();
        let near = |version: &str| nearest(parts(version).unwrap(), &known).map(ToString::to_string);
        assert_eq!(near("5.9.1").as_deref(), Some("5.9.3"));
        assert_eq!(near("5.10.0").as_deref(), Some("5.9.3"));
        assert_eq!(near("7.0.2").as_deref(), Some("6.0.3"));
        assert_eq!(near("3.9.10").as_deref(), Some("5.0.4"));
        assert_eq!(parts("next"), None);
    }
}
