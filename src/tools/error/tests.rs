//! The words of errors.
use super::*;

#[test]
fn every_kind_has_an_exit_code_and_a_name() {
    let told: Vec<(String, u8)> = ErrorKind::ALL
        .into_iter()
        .map(|kind| (serde_json::to_value(kind).unwrap().as_str().unwrap().to_owned(), kind.exit_code()))
        .collect();
    let told: Vec<(&str, u8)> = told.iter().map(|(name, code)| (name.as_str(), *code)).collect();
    assert_eq!(
        told,
        [
            ("invalid-arguments", 2),
            ("outside-root", 2),
            ("function-not-found", 2),
            ("function-ambiguous", 2),
            ("language-not-supported", 2),
            ("refused", 1),
            ("stale", 1),
            ("regressed", 1),
            ("unverified", 3),
            ("server-missing", 3),
            ("server-installing", 3),
            ("server-failed", 3),
            ("timed-out", 3),
            ("cancelled", 130),
            ("environment", 3),
            ("internal", 3),
        ]
    );
}

#[test]
fn a_hint_speaks_its_readers_language() {
    let hints = [
        ("`force` (`--force`) applies it", "`force` applies it", "`--force` applies it"),
        (
            "name a projectRoot (`--project`) that holds it",
            "name a projectRoot that holds it",
            "name a `--project` that holds it",
        ),
        (
            "planRenameSymbol (`lspwright rename`) goes on with `force` (`--force`)",
            "planRenameSymbol goes on with `force`",
            "`lspwright rename` goes on with `--force`",
        ),
        ("look again (as `a` says)", "look again (as `a` says)", "look again (as `a` says)"),
    ];
    for (hint, agent, shell) in hints {
        let error = |reader| ToolError::invalid("no").hint(hint).for_reader(reader).hints;
        assert_eq!((error(Reader::Agent), error(Reader::Shell)), (vec![agent.to_owned()], vec![shell.to_owned()]));
    }
}
