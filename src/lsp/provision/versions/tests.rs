//! Which version projects of every kind choose.

use super::settled;
use crate::lsp::spec::{Install, ServerName, ServerSpec, Trust};
use crate::lsp::{Config, ConfigSources};
use crate::text::AbsPath;

const LOCK: &str = r#"{"packages": {"node_modules/typescript": {"version": "5.4.3"}}}"#;

/// The entry of typescript-language-server as a project of these files settles it.
fn of(files: &[(&str, &str)], trust: Trust) -> ServerSpec {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let config = Config::load(&ConfigSources::default()).unwrap();
    let spec = config.server(&ServerName::new("typescript-language-server")).unwrap();
    settled(spec, &AbsPath::new(dir.path()).unwrap(), trust)
}

/// The version, and why it is that one.
fn chosen(files: &[(&str, &str)]) -> String {
    let spec = of(files, Trust::Nothing);
    let chosen = spec.chosen.unwrap();
    let Some(Install::Npm(packages)) = spec.install else { panic!("it is installed from npm") };
    assert!(packages.contains(&format!("typescript@{}", chosen.version)), "{packages:?}");
    assert!(super::super::npm_locks::find(&packages).is_some(), "no hashes for {packages:?}");
    chosen.to_string()
}

fn asks(range: &str) -> String {
    format!(r#"{{"devDependencies": {{"typescript": "{range}"}}}}"#)
}

#[test]
fn the_lock_file_is_believed_before_what_is_installed_and_that_before_a_range() {
    let installed = ("node_modules/typescript/package.json", r#"{"version": "5.6.2"}"#);
    let manifest = asks("^5.0.0");
    let manifest = ("package.json", manifest.as_str());
    let cases: [(&[(&str, &str)], &str); 6] = [
        (&[], "typescript 6.0.3: the project asks for none"),
        (&[manifest], "typescript 5.9.3: `package.json` asks for `^5.0.0`"),
        (&[manifest, installed], "typescript 5.6.3: `node_modules/typescript` is 5.6.2"),
        (&[manifest, installed, ("package-lock.json", LOCK)], "typescript 5.4.5: `package-lock.json` has 5.4.3"),
        (&[("package.json", "{}"), ("package-lock.json", LOCK)], "typescript 5.4.5: `package-lock.json` has 5.4.3"),
        (&[("package.json", "{}"), installed], "typescript 5.6.3: `node_modules/typescript` is 5.6.2"),
    ];
    for (files, said) in cases {
        assert_eq!(chosen(files), said);
    }
}

#[cfg(unix)]
#[test]
fn what_is_installed_is_found_as_a_link_and_above_the_project() {
    let dir = tempfile::tempdir().unwrap();
    let (store, member) = (dir.path().join("store/typescript"), dir.path().join("members/shop"));
    for made in [&store, &member, &dir.path().join("node_modules"), &dir.path().join(".git")] {
        std::fs::create_dir_all(made).unwrap();
    }
    std::fs::write(store.join("package.json"), r#"{"version": "5.6.2"}"#).unwrap();
    std::fs::write(member.join("package.json"), "{}").unwrap();
    std::os::unix::fs::symlink(&store, dir.path().join("node_modules/typescript")).unwrap();
    let config = Config::load(&ConfigSources::default()).unwrap();
    let spec = config.server(&ServerName::new("typescript-language-server")).unwrap();
    let settled = settled(spec, &AbsPath::new(&member).unwrap(), Trust::Nothing);
    assert_eq!(settled.chosen.unwrap().to_string(), "typescript 5.6.3: `node_modules/typescript` is 5.6.2");
}

#[test]
fn typescript_7_and_what_is_older_than_all_get_the_nearest() {
    let lock = LOCK.replace("5.4.3", "7.0.2");
    let manifest = asks("^7.0.0");
    let said = chosen(&[("package.json", &manifest), ("package-lock.json", &lock)]);
    assert_eq!(said, "typescript 6.0.3: `package-lock.json` has 7.0.2, and this is the nearest one known");
    assert_eq!(chosen(&[("package.json", &manifest)]), "typescript 6.0.3: `package.json` asks for `^7.0.0`");
    assert_eq!(chosen(&[("package.json", &asks("~3.9.2"))]), "typescript 4.9.5: `package.json` asks for `~3.9.2`");
}

#[test]
fn packages_of_a_workspace_answer_before_its_root() {
    let root = r#"{"workspaces": ["packages/*"], "devDependencies": {"typescript": "^6.0.0"}}"#;
    let (older, newer) = (asks("~5.4.0"), asks("~5.8.0"));
    let all = [
        ("package.json", root),
        ("packages/a/package.json", older.as_str()),
        ("packages/b/package.json", older.as_str()),
        ("packages/c/package.json", newer.as_str()),
        ("packages/d/package.json", "{}"),
        ("node_modules/e/package.json", newer.as_str()),
    ];
    assert_eq!(
        chosen(&all),
        "typescript 5.4.5: `packages/a/package.json` asks for `~5.4.0`, and so for 1 more; `packages/c` is for 5.8.3; the \
         root is for 6.0.3"
    );
    let pnpm = [
        ("package.json", "{}"),
        ("pnpm-workspace.yaml", "packages:\n  - 'libs/**' # all\n  - '!libs/old'\ncatalog:\n  - x\n"),
        ("libs/deep/a/package.json", r#"{"devDependencies": {"typescript": "catalog:"}}"#),
        (
            "pnpm-lock.yaml",
            "importers:\n  libs/deep/a:\n    devDependencies:\n      typescript:\n        version: 5.7.2\n",
        ),
    ];
    assert_eq!(chosen(&pnpm), "typescript 5.7.3: `pnpm-lock.yaml` has 5.7.2 for `libs/deep/a`");
    let below = asks("5.5.x");
    assert_eq!(
        chosen(&[("web/app/package.json", below.as_str())]),
        "typescript 5.5.4: `web/app/package.json` asks for `5.5.x`",
        "a repository of several languages"
    );
}

#[test]
fn the_projects_own_is_taken_where_it_is_trusted() {
    let installed = |version: &str| {
        let manifest = format!(r#"{{"version": "{version}"}}"#);
        let files = [("node_modules/typescript/package.json", manifest.as_str())];
        (of(&files, Trust::Nothing).chosen.unwrap(), of(&files, Trust::Project).chosen.unwrap())
    };
    let (strange, trusted) = installed("5.8.2");
    assert_eq!((strange.own, strange.version.as_str()), (None, "5.8.3"));
    assert_eq!(trusted.version, "5.8.2");
    assert!(trusted.own.unwrap().as_str().ends_with("typescript"));
    let (_, seven) = installed("7.0.2");
    assert_eq!((seven.own, seven.version.as_str()), (None, "6.0.3"), "it has no tsserver");
}

#[test]
fn what_a_stranger_writes_is_no_version() {
    let strange = r#"{"packages": {"node_modules/typescript": {"version": "5.4.\u001b[31m"}}}"#;
    assert_eq!(chosen(&[("package-lock.json", strange)]), "typescript 6.0.3: the project asks for none");
    assert_eq!(chosen(&[("package.json", "[1")]), "typescript 6.0.3: the project asks for none");
    let other = ServerSpec::named("other");
    let root = AbsPath::new(std::env::temp_dir()).unwrap();
    assert_eq!(settled(&other, &root, Trust::Nothing), other);
}
