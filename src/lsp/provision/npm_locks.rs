//! The lock files of the npm servers that `servers.toml` names: every transitive version and its hash.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

const LOCKS: [&str; 6] = [
    include_str!("locks/basedpyright.json"),
    include_str!("locks/bash-language-server.json"),
    include_str!("locks/nomicfoundation-solidity.json"),
    include_str!("locks/pyright.json"),
    include_str!("locks/typescript-language-server.json"),
    include_str!("locks/vtsls.json"),
];

/// The hashes of packages that need no others, by version: those that projects choose between.
const CHOICES: [(&str, &str); 1] = [("typescript", include_str!("locks/typescript.json"))];

#[derive(Deserialize)]
struct Lock {
    packages: Packages,
}

#[derive(Deserialize)]
struct Packages {
    #[serde(rename = "")]
    root: Root,
}

#[derive(Deserialize)]
struct Root {
    dependencies: BTreeMap<String, String>,
}

/// Finds the lock file that was made for exactly these packages (`name@version`), or makes it of one in which others of
/// the choices stand.
pub(super) fn find(packages: &[String]) -> Option<Cow<'static, str>> {
    let wanted = dependencies(packages);
    let locks = || LOCKS.into_iter().filter_map(|text| Some((text, serde_json::from_str::<Lock>(text).ok()?)));
    let of = |lock: Lock| lock.packages.root.dependencies;
    let exact = locks().find(|(_, lock)| lock.packages.root.dependencies == wanted);
    exact.map(|(text, _)| Cow::Borrowed(text)).or_else(|| {
        let made = locks().find_map(|(text, lock)| with_choices(text, &of(lock), &wanted));
        made.map(Cow::Owned)
    })
}

/// Puts other versions of the choices into a lock file; nothing where more than these differ.
fn with_choices(text: &str, has: &BTreeMap<String, String>, wanted: &BTreeMap<String, String>) -> Option<String> {
    has.keys().eq(wanted.keys()).then_some(())?;
    let mut lock: Value = serde_json::from_str(text).ok()?;
    for (name, version) in wanted.iter().filter(|(name, version)| has.get(*name) != Some(version)) {
        let (_, hashes) = CHOICES.iter().find(|(package, _)| package == name)?;
        let hashes: BTreeMap<String, String> = serde_json::from_str(hashes).ok()?;
        let (packages, integrity) = (lock.get_mut("packages")?, hashes.get(version)?);
        packages[""]["dependencies"][name] = version.as_str().into();
        packages[format!("node_modules/{name}")] = serde_json::json!({ "version": version, "integrity": integrity });
    }
    Some(lock.to_string())
}

/// Splits `name@version` packages into what stands under `dependencies` of a `package.json`.
pub(super) fn dependencies(packages: &[String]) -> BTreeMap<String, String> {
    let pairs = packages.iter().filter_map(|package| package.rsplit_once('@'));
    pairs.map(|(name, version)| (name.to_owned(), version.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::{LOCKS, find};
    use crate::lsp::config::{Config, ConfigSources};
    use crate::lsp::spec::Install;

    #[test]
    fn every_npm_server_of_the_default_is_locked_with_hashes_and_without_hosts() {
        let config = Config::load(&ConfigSources::default()).unwrap();
        let installs = config.servers().filter_map(|spec| match &spec.install {
            Some(Install::Npm(packages)) => Some((&spec.name, packages)),
            _ => None,
        });
        let mut count = 0;
        for (name, packages) in installs {
            assert!(find(packages).is_some(), "`{name}` has no lock file for {packages:?}");
            count += 1;
        }
        assert_eq!(count, LOCKS.len(), "a lock file that no server uses");
        for lock in LOCKS {
            let lock: serde_json::Value = serde_json::from_str(lock).unwrap();
            for (path, package) in lock["packages"].as_object().unwrap().iter().filter(|(path, _)| !path.is_empty()) {
                assert!(package["integrity"].is_string(), "{path}");
                assert!(package.get("resolved").is_none(), "{path}");
            }
        }
        assert_eq!(find(&["pyright@1.0.0".to_owned()]), None);
    }
}
