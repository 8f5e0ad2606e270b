//! What `smells.toml` can say, and what it cannot.

use super::*;

fn read(text: &str) -> Result<Config, ConfigError> {
    Config::default().with(text)
}

#[test]
fn thresholds_severities_and_switches_are_read() {
    let text = "exclude = ['gen/**']\n[long-method]\nlines = 5\nseverity = 'high'\n[magic-number]\nenabled = false\n";
    let config = read(text).unwrap();
    let long = smell("long-method").unwrap();
    assert_eq!(config.limits(long).get("lines"), 5);
    assert_eq!(config.severity(long), Some(Severity::High));
    assert!(config.excludes("gen/a/b.py") && !config.excludes("src/gen.py"));
    let chosen = config.chosen(&[]).unwrap();
    assert_eq!((chosen.len(), chosen.iter().any(|it| it.name == "magic-number")), (SMELLS.len() - 1, false));
    assert_eq!(config.chosen(&["magic-number".to_owned()]).unwrap().len(), 1, "what is asked for is looked for");
    let later = config.with("[long-method]\nlines = 7\n").unwrap();
    assert_eq!((later.limits(long).get("lines"), later.severity(long)), (7, Some(Severity::High)));
}

#[test]
fn every_smell_names_a_refactoring_and_its_limits_once() {
    let names: Vec<&str> = SMELLS.iter().map(|smell| smell.name).collect();
    assert!(names.is_sorted() && names.len() > 16, "{names:?}");
    for smell in SMELLS {
        assert!(smell.about.ends_with('.') && smell.refactoring.contains('-'), "{}", smell.name);
        let limits = Config::default();
        for limit in smell.limits {
            assert_eq!(limits.limits(smell).get(limit.name), limit.default);
            let text = format!("[{}]\n{} = 1\n", smell.name, limit.name);
            assert_eq!(read(&text).unwrap().limits(smell).get(limit.name), 1);
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    let said = |text: &str| read(text).unwrap_err().to_string();
    assert!(said("[long-methd]\n").starts_with("no smell is called `long-methd`; there are complex-conditional,"));
    assert!(said("long-method = 3\n").contains("`long-method` is to be a table"));
    assert_eq!(
        said("[long-method]\nlins = 3\n"),
        "`long-method` has no setting `lins`; there are enabled, severity, lines"
    );
    assert_eq!(said("[long-method]\nlines = -3\n"), "`long-method.lines` is to be a whole number, not below zero");
    assert!(said("[long-method\n").starts_with("it is not TOML"));
    assert!(said("exclude = 'a'\n").contains("a list of globs"));
}

#[test]
fn the_page_tells_of_every_smell() {
    let page = include_str!("../../../docs/inspections.md");
    for smell in SMELLS {
        let limits: Vec<String> = smell.limits.iter().map(|it| format!("`{}` {}", it.name, it.default)).collect();
        let limits = if limits.is_empty() { "–".to_owned() } else { limits.join(", ") };
        let row = format!("| `{}` | {} | `{}` | {limits} |", smell.name, smell.about, smell.refactoring);
        assert!(page.contains(&row), "docs/inspections.md lacks\n{row}");
    }
}
