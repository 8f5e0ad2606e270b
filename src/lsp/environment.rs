//! The environment variables that lspwright reads, as data: the programs that they lead to, and what of them the
//! programs that lspwright starts are given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::spec::Trust;
use crate::text::AbsPath;

/// Environment variables by name; those that are not UTF-8 are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment(pub BTreeMap<String, String>);

/// What any program may need to know of the user, the machine and the network.
const USUAL: &[&str] = &[
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "PATH",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
    "ALL_PROXY",
    "FTP_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NIX_SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "NIX_LD",
    "NIX_LD_LIBRARY_PATH",
];

/// Where languages are at home on this machine, and where they get packages from.
const LANGUAGES: &[&str] = &[
    "ASDF_DATA_DIR",
    "ASDF_DIR",
    "CARGO_HOME",
    "CONDA_PREFIX",
    "DEVELOPER_DIR",
    "FNM_DIR",
    "FNM_MULTISHELL_PATH",
    "GOARCH",
    "GOCACHE",
    "GOENV",
    "GOMODCACHE",
    "GONOPROXY",
    "GONOSUMDB",
    "GOOS",
    "GOPATH",
    "GOPRIVATE",
    "GOPROXY",
    "GOROOT",
    "GOSUMDB",
    "JAVA_HOME",
    "JDK_HOME",
    "MISE_DATA_DIR",
    "NVM_BIN",
    "NVM_DIR",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RUSTUP_DIST_SERVER",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "RUSTUP_UPDATE_ROOT",
    "SDKROOT",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
];

/// Families of variables that go through to every program, by how their names begin.
const FAMILIES: &[&str] = &["LC_", "LSPWRIGHT_", "XDG_"];

/// What package managers read beside: the user's registries, and how to build what is built from source.
const INSTALLERS: &[&str] =
    &["AR", "CC", "CFLAGS", "CPPFLAGS", "CXX", "CXXFLAGS", "LDFLAGS", "NETRC", "OPENSSL_DIR", "PKG_CONFIG_PATH"];
const INSTALLER_FAMILIES: &[&str] = &["CARGO_", "NPM_CONFIG_", "PIP_", "RUSTUP_"];

/// What a shell notes for itself; nothing is different for it.
const PASSING: &[&str] = &["_", "OLDPWD", "PWD", "SHLVL", "LSPWRIGHT_DAEMON", "LSPWRIGHT_GROUP", "LSPWRIGHT_LOG"];

/// Lists of directories that programs or libraries are looked for in.
const SEARCHED: &[&str] = &["PATH", "DYLD_FALLBACK_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH"];
/// Environments of Python that are active.
pub(super) const ACTIVE: [&str; 2] = ["VIRTUAL_ENV", "CONDA_PREFIX"];
/// Under this name an active environment is kept that lies inside the project: it is read, and nobody runs it.
pub(super) const IN_PROJECT: &str = "LSPWRIGHT_ENVIRONMENT_IN_PROJECT";

impl Environment {
    /// Takes the variables of this process.
    pub fn of_process() -> Self {
        Self(
            std::env::vars_os()
                .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        )
    }

    /// Returns a variable that is set and not empty; on Windows, where `PATH` is `Path`, whatever its case.
    pub fn get(&self, name: &str) -> Option<&str> {
        let spelt = || self.0.iter().find(|(key, _)| cfg!(windows) && key.eq_ignore_ascii_case(name));
        let value = self.0.get(name).or_else(|| spelt().map(|(_, value)| value));
        value.map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Takes out what leads into the project at `root`: relative, empty and project-internal entries of `PATH` and its
    /// like, an active environment inside the project, and the settings that npm hands on when it runs a script there.
    #[must_use]
    pub fn away_from(&self, root: &AbsPath) -> Self {
        let ground = Ground::of(root, self);
        let mut away = self.clone();
        for (name, value) in &mut away.0 {
            if is_among(SEARCHED, name) {
                *value = ground.without_own(value);
            }
        }
        for name in ACTIVE {
            if away.get(name).is_some_and(|dir| ground.holds(Path::new(dir))) {
                away.0.remove(name).map(|dir| away.0.insert(IN_PROJECT.to_owned(), dir));
            }
        }
        if away.get("npm_lifecycle_event").is_some() {
            away.0.retain(|name, _| !name.starts_with("npm_config_"));
        }
        away
    }

    /// Returns the whole environment of a server, or of any other program that reads the project: a list of variables,
    /// not all of them. A trusted project's get all.
    pub fn for_servers(&self, trust: Trust) -> Self {
        self.chosen(|name| trust == Trust::Project || goes_to_all(name) || is_among(LANGUAGES, name))
    }

    /// Returns the whole environment of a package manager, which runs outside of every project.
    pub fn for_installers(&self) -> Self {
        self.chosen(|name| {
            goes_to_all(name)
                || is_among(LANGUAGES, name)
                || is_among(INSTALLERS, name)
                || begins_with(INSTALLER_FAMILIES, name)
        })
    }

    /// Returns what differs between two callers who may not share what was started for one of them: all that servers and
    /// package managers are given.
    pub fn that_counts(&self, trust: Trust) -> Self {
        let mut counts = self.for_servers(trust);
        counts.0.extend(self.for_installers().0);
        counts.0.retain(|name, _| !is_among(PASSING, name));
        counts
    }

    fn chosen(&self, goes: impl Fn(&str) -> bool) -> Self {
        let chosen = self.0.iter().filter(|(name, _)| goes(name));
        Self(chosen.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// Finds a program: an absolute path as it stands, a bare name on `PATH`. What is relative, in a name or in `PATH`,
    /// depends on where one stands, and leads nowhere.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        if path.is_absolute() {
            return self.with_suffixes(path).find(|file| is_program(file));
        }
        if path.components().count() > 1 {
            return None;
        }
        let directories = self.get("PATH").unwrap_or_default();
        std::env::split_paths(directories)
            .filter(|directory| directory.is_absolute())
            .find_map(|directory| self.with_suffixes(&directory.join(name)).find(|file| is_program(file)))
    }

    /// Returns the file names under which Windows runs a program (`PATHEXT`), elsewhere the name itself.
    fn with_suffixes(&self, path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
        let mut candidates = vec![path.to_owned()];
        if cfg!(windows) {
            let suffixes = self.get("PATHEXT").unwrap_or(".COM;.EXE;.BAT;.CMD");
            candidates.extend(suffixes.split(';').map(|suffix| {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                PathBuf::from(name)
            }));
        }
        candidates.into_iter()
    }
}

/// What belongs to a project: its root, with the whole checkout that it lies in, links resolved.
struct Ground(Vec<PathBuf>);

impl Ground {
    fn of(root: &AbsPath, environment: &Environment) -> Self {
        let home = environment.get("HOME").or_else(|| environment.get("USERPROFILE")).map(real);
        let root = real(root.as_path());
        let versioned = |dir: &&Path| [".git", ".hg", ".jj", ".svn"].iter().any(|name| dir.join(name).exists());
        // A home folder under version control holds the user's own programs.
        let checkout = root.ancestors().find(versioned).filter(|dir| home.as_deref() != Some(*dir));
        let checkout = checkout.filter(|dir| dir.parent().is_some()).map(Path::to_owned);
        Self(checkout.into_iter().chain([root]).collect())
    }

    fn holds(&self, path: &Path) -> bool {
        let (path, resolved) = (path.to_owned(), real(path));
        self.0.iter().any(|ground| path.starts_with(ground) || resolved.starts_with(ground))
    }

    fn without_own(&self, list: &str) -> String {
        let kept = std::env::split_paths(list).filter(|dir| dir.is_absolute() && !self.holds(dir));
        std::env::join_paths(kept).ok().and_then(|kept| kept.into_string().ok()).unwrap_or_default()
    }
}

fn real(path: impl AsRef<Path>) -> PathBuf {
    path.as_ref().canonicalize().unwrap_or_else(|_| path.as_ref().to_owned())
}

fn goes_to_all(name: &str) -> bool {
    is_among(USUAL, name) || begins_with(FAMILIES, name)
}

/// Proxies are spelt in lower case too, and Windows knows no case.
fn is_among(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn begins_with(families: &[&str], name: &str) -> bool {
    families.iter().any(|family| {
        name.as_bytes().get(..family.len()).is_some_and(|start| start.eq_ignore_ascii_case(family.as_bytes()))
    })
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}
