//! The `package.json` files of a project: its root's, and those of its workspace's packages.

use serde_json::Value;

use crate::text::AbsPath;
use crate::workspace::read_text_of_project;

/// One `package.json`.
pub(super) struct Manifest {
    /// Its directory, relative to the project's root; empty for the root.
    pub dir: String,
    json: Value,
}

/// Where a package is asked for, what is installed for work on the project first.
const LISTS: [&str; 4] = ["devDependencies", "dependencies", "optionalDependencies", "peerDependencies"];
/// Where a workspace has more packages than this, the first of them speak for all.
const MOST: usize = 200;
/// `**` in a pattern reaches so many directories down.
const DEPTH: usize = 4;

impl Manifest {
    fn of(root: &AbsPath, dir: &str) -> Option<Self> {
        let file = root.join(dir).ok()?.join("package.json").ok()?;
        let json = serde_json::from_str(&read_text_of_project(root, &file).ok()?).ok()?;
        Some(Self { dir: dir.to_owned(), json })
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.json.get("name").and_then(Value::as_str)
    }

    /// Returns the range in which it asks for a package.
    pub(super) fn range(&self, package: &str) -> Option<&str> {
        LISTS.iter().find_map(|list| self.json.get(list)?.get(package)?.as_str())
    }

    /// Returns the patterns of its workspace's packages.
    fn workspaces(&self) -> Vec<String> {
        let listed = self.json.get("workspaces").map(|all| all.get("packages").unwrap_or(all));
        let patterns = listed.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        patterns.map(str::to_owned).collect()
    }
}

/// Returns the manifests of a project, the root's first. Where it has none, those one or two directories below count.
pub(super) fn of(root: &AbsPath) -> Vec<Manifest> {
    let own = Manifest::of(root, "");
    let mut patterns = match &own {
        Some(own) => own.workspaces(),
        None => vec!["*".to_owned(), "*/*".to_owned()],
    };
    patterns.extend(pnpm_workspaces(root));
    let mut dirs = Vec::new();
    for pattern in patterns.iter().filter(|pattern| !pattern.starts_with('!')) {
        let segments: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        expand(root, String::new(), &segments, &mut dirs);
    }
    dirs.sort();
    dirs.dedup();
    own.into_iter().chain(dirs.iter().filter(|dir| !dir.is_empty()).filter_map(|dir| Manifest::of(root, dir))).collect()
}

/// Reads the list below `packages:` in `pnpm-workspace.yaml`.
fn pnpm_workspaces(root: &AbsPath) -> Vec<String> {
    let file = root.join("pnpm-workspace.yaml").ok();
    let text = file.and_then(|file| read_text_of_project(root, &file).ok()).unwrap_or_default();
    let listed = text.lines().skip_while(|line| line.trim_end() != "packages:").skip(1);
    let items = listed.take_while(|line| line.starts_with([' ', '-', '#']) || line.is_empty());
    let patterns = items.filter_map(|line| line.trim().strip_prefix("- "));
    patterns
        .map(|pattern| pattern.split(" #").next().unwrap_or_default().trim().trim_matches(['\'', '"']).to_owned())
        .collect()
}

/// Adds the directories that a pattern matches, without those of dependencies and hidden ones.
fn expand(root: &AbsPath, dir: String, pattern: &[&str], into: &mut Vec<String>) {
    if into.len() >= MOST {
        return;
    }
    let Some((first, rest)) = pattern.split_first() else {
        into.push(dir);
        return;
    };
    let below = |name: &str| if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") };
    if !first.contains('*') {
        return expand(root, below(first), rest, into);
    }
    if *first == "**" {
        expand(root, dir.clone(), rest, into);
    }
    let is_deepest = dir.split('/').count() >= DEPTH;
    for name in directories(root, &dir).iter().filter(|name| matches(first, name)) {
        match *first {
            "**" if is_deepest => {}
            "**" => expand(root, below(name), pattern, into),
            _ => expand(root, below(name), rest, into),
        }
    }
}

fn directories(root: &AbsPath, dir: &str) -> Vec<String> {
    let entries = root.join(dir).ok().and_then(|dir| std::fs::read_dir(dir.as_path()).ok());
    let is_dir = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let names = entries.into_iter().flatten().filter_map(Result::ok).filter(is_dir);
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name != "node_modules" && !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Matches a name with a pattern of at most one star; `**` matches all.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let after = after.trim_start_matches('*');
    name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
}
