//! The version of a package that the project chooses for a server: by its lock file, what it has installed, or the range
//! in its `package.json`. Everything is read; nothing of the project is run, unless it is trusted.

mod lock_files;
mod manifests;
mod range;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use semver::Version;

use self::lock_files::{Asker, LockFile};
use self::manifests::Manifest;
use super::super::spec::{Chosen, Install, Quirk, ServerSpec, Trust, Versions};
use crate::text::{AbsPath, quoted};
use crate::workspace::read_text_of_project;

/// Returns the entry with the version that the project at `root` chooses; the same where its version is nobody's choice.
pub fn settled(spec: &ServerSpec, root: &AbsPath, trust: Trust) -> ServerSpec {
    let mut settled = spec.clone();
    let (Some(versions), Some(Install::Npm(packages))) = (&spec.versions, &mut settled.install) else { return settled };
    if spec.chosen.is_some() {
        return settled;
    }
    let mark = format!("{}@", versions.package);
    let Some(pinned) = packages.iter_mut().find(|package| package.starts_with(&mark)) else { return settled };
    let known = known(versions, &pinned[mark.len()..]);
    let chosen = match own(versions, &known, root).filter(|_| trust == Trust::Project) {
        Some(own) => own,
        None => chosen(versions, &known, root).unwrap_or_else(|| Chosen {
            package: versions.package.clone(),
            version: pinned[mark.len()..].to_owned(),
            why: None,
            own: None,
        }),
    };
    let is_told = |from: &String| Version::parse(&chosen.version).ok() >= Version::parse(from).ok();
    if versions.told_from.as_ref().is_some_and(is_told) {
        settled.quirks.remove(&Quirk::WatchesDisk);
    }
    if chosen.own.is_none() {
        *pinned = format!("{mark}{}", chosen.version);
    }
    settled.chosen = Some(chosen);
    settled
}

/// All versions that can be installed by their hashes, the oldest first.
fn known(versions: &Versions, pinned: &str) -> Vec<Version> {
    let all = versions.known.iter().map(String::as_str).chain([pinned]);
    let mut known: Vec<Version> = all.filter_map(|version| Version::parse(version).ok()).collect();
    known.sort();
    known.dedup();
    known
}

/// The package in the project itself, unless it is of a major version that the server does not know.
fn own(versions: &Versions, known: &[Version], root: &AbsPath) -> Option<Chosen> {
    let place = format!("node_modules/{}", versions.package);
    let version = installed(root, "", &versions.package)?;
    let (major, _) = range::parts(&version)?;
    (major <= known.last()?.major).then_some(())?;
    let own = Some(root.join(&place).ok()?);
    let why = format!("the project is trusted, and has it in `{place}`");
    Some(Chosen { package: versions.package.clone(), version, why: Some(why), own })
}

/// What one package of the project asks for.
struct Answer {
    version: Version,
    why: String,
    dir: String,
}

/// Lets every package that asks for one speak for itself, and takes the version that most of them want, the newer of two.
fn chosen(versions: &Versions, known: &[Version], root: &AbsPath) -> Option<Chosen> {
    let package = &versions.package;
    let manifests = manifests::of(root);
    let lock = lock_of(root);
    let mut answers: Vec<Answer> =
        manifests.iter().filter_map(|manifest| answer(package, manifest, (root, lock.as_ref()), known)).collect();
    if answers.is_empty() {
        answers.extend(unasked(package, (root, lock.as_ref()), known));
    }
    let mut votes: BTreeMap<&Version, Vec<&Answer>> = BTreeMap::new();
    for answer in &answers {
        votes.entry(&answer.version).or_default().push(answer);
    }
    let (version, voters) = votes.iter().max_by_key(|(version, voters)| (voters.len(), **version))?;
    let first = voters.first()?;
    let more = voters.len() - 1;
    let rest = if more > 0 { format!(", and so for {more} more") } else { String::new() };
    let others = votes.iter().filter(|(other, _)| other != &version).map(|(other, voters)| {
        let dir = voters.first().map_or("", |one| one.dir.as_str());
        format!("; {} is for {other}", if dir.is_empty() { "the root".to_owned() } else { quoted(dir) })
    });
    let why = format!("{}{rest}{}", first.why, others.collect::<String>());
    Some(Chosen { package: package.clone(), version: version.to_string(), why: Some(why), own: None })
}

/// What a package asks for: the lock file knows it best, then what is installed, then its range.
fn answer(
    package: &str,
    manifest: &Manifest,
    (root, lock): (&AbsPath, Option<&LockFile>),
    known: &[Version],
) -> Option<Answer> {
    let asked = manifest.range(package)?;
    let dir = manifest.dir.clone();
    let own_lock = if dir.is_empty() { None } else { LockFile::of(root, &root.join(&dir).ok()?) };
    if let Some((version, name)) = own_lock.as_ref().or(lock).and_then(|lock| locked(package, manifest, root, lock)) {
        let by = if dir.is_empty() { String::new() } else { format!(" for {}", quoted(&dir)) };
        return near(&version, known, &format!("`{name}` has {version}{by}"), dir);
    }
    if let Some(version) = installed(root, &dir, package).or_else(|| found_from(root, package)) {
        return near(&version, known, &format!("`node_modules/{package}` is {version}"), dir);
    }
    let version = range::chosen(asked, known)?.clone();
    let file = if dir.is_empty() { "package.json".to_owned() } else { format!("{dir}/package.json") };
    Some(Answer { version, why: format!("{} asks for {}", quoted(&file), quoted(asked)), dir })
}

/// What stands at the root though no package asks for it: another one brought it along.
fn unasked(package: &str, (root, lock): (&AbsPath, Option<&LockFile>), known: &[Version]) -> Option<Answer> {
    let asker = Asker { dir: "", name: None, range: None };
    let locked = lock.and_then(|lock| Some((lock.version(package, &asker)?, lock.name)));
    let (version, place) = match locked {
        Some((version, name)) => (version, format!("`{name}` has")),
        None => (found_from(root, package)?, format!("`node_modules/{package}` is")),
    };
    near(&version, known, &format!("{place} {version}"), String::new())
}

fn locked(package: &str, manifest: &Manifest, root: &AbsPath, lock: &LockFile) -> Option<(String, &'static str)> {
    let dir = root.join(&manifest.dir).ok()?;
    let dir = dir.relative_to(&lock.dir)?;
    let dir = if dir.as_str() == "." { "" } else { dir.as_str() };
    let asker = Asker { dir, name: manifest.name(), range: manifest.range(package) };
    Some((lock.version(package, &asker)?, lock.name))
}

fn near(version: &str, known: &[Version], why: &str, dir: String) -> Option<Answer> {
    let is_plain = version.chars().all(|character| character.is_ascii_alphanumeric() || ".-+".contains(character));
    let wanted = range::parts(version).filter(|_| is_plain)?;
    let near = range::nearest(wanted, known)?.clone();
    let is_far = (near.major, near.minor) != wanted;
    let why = if is_far { format!("{why}, and this is the nearest one known") } else { why.to_owned() };
    Some(Answer { version: near, why, dir })
}

/// The lock file of the project, or of the checkout that it is a part of.
fn lock_of(root: &AbsPath) -> Option<LockFile> {
    checkout(root).iter().find_map(|dir| LockFile::of(dir, dir))
}

/// The project's directory and those above it, up to that of the checkout that it is a part of.
fn checkout(root: &AbsPath) -> Vec<AbsPath> {
    let mut above: Vec<AbsPath> = std::iter::successors(Some(root.clone()), AbsPath::parent).collect();
    let top = above.iter().position(|dir| dir.as_path().join(".git").exists()).unwrap_or(0);
    above.truncate(top + 1);
    above
}

/// The version of a package that is found from the project's directory: there, or above it where workspaces put it.
fn found_from(root: &AbsPath, package: &str) -> Option<String> {
    checkout(root).iter().find_map(|dir| installed(dir, "", package))
}

/// The version of a package that is installed in a directory of the project, as a link to another place perhaps: no more of
/// it is read than that.
fn installed(root: &AbsPath, dir: &str, package: &str) -> Option<String> {
    let place = root.join(dir).ok()?.join(format!("node_modules/{package}")).ok()?;
    let place = AbsPath::new(place.as_path().canonicalize().ok()?).ok()?;
    let manifest = read_text_of_project(&place, &place.join("package.json").ok()?).ok()?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest).ok()?;
    Some(manifest.get("version")?.as_str()?.to_owned())
}
