//! Every dependency's licence is one that `deny.toml` accepts, also where cargo-deny is not at hand.

use std::process::Command;

use serde_json::Value;

/// Tells whether an SPDX expression can be met with the `accepted` licences.
fn is_met(expression: &str, accepted: &[String]) -> bool {
    let expression = expression.trim();
    let inner = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match (split(expression, " OR "), split(expression, " AND "), inner) {
        (Some((one, other)), ..) => is_met(one, accepted) || is_met(other, accepted),
        (None, Some((one, other)), _) => is_met(one, accepted) && is_met(other, accepted),
        (None, None, Some(inner)) => is_met(inner, accepted),
        (None, None, None) => accepted.iter().any(|known| known == expression),
    }
}

/// Splits at the first `operator` outside all parentheses.
fn split<'a>(expression: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    let is_outside = |at: &usize| expression[..*at].matches('(').count() == expression[..*at].matches(')').count();
    let at = expression.match_indices(operator).map(|(at, _)| at).find(is_outside)?;
    Some((&expression[..at], &expression[at + operator.len()..]))
}

fn run(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_dependency_may_be_used() {
    let rules: toml::Value = toml::from_str(include_str!("../deny.toml")).unwrap();
    let accepted = rules["licenses"]["allow"].as_array().unwrap().iter();
    let accepted: Vec<String> = accepted.map(|name| name.as_str().unwrap().to_owned()).collect();
    let version = run("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = run(env!("CARGO"), &["metadata", "--format-version", "1", "--offline", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "only {} packages", packages.len());
    let licence = |package: &Value| package["license"].as_str().unwrap_or_default().replace('/', " OR ");
    let refused = packages.iter().filter(|package| !is_met(&licence(package), &accepted));
    let named: Vec<String> = refused.map(|package| format!("{} ({})", package["name"], package["license"])).collect();
    assert!(named.is_empty(), "deny.toml accepts none of the licences of: {}", named.join(", "));
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    let accepted = ["MIT".to_owned(), "Zlib".to_owned()];
    for met in ["MIT", "GPL-3.0 OR MIT", "(GPL-3.0 OR MIT) AND Zlib", "GPL-3.0 AND BSD OR MIT", "(MIT)"] {
        assert!(is_met(met, &accepted), "{met}");
    }
    for unmet in ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT WITH exception", "(GPL-3.0 OR BSD) AND MIT"] {
        assert!(!is_met(unmet, &accepted), "{unmet}");
    }
}
