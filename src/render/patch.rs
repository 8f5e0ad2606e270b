//! A plan as a patch that `git apply` takes, run in the project's root.

use std::fmt::Write as _;

use super::hunks;
use crate::plan::{FileEdit, Move, Plan};
use crate::text::AbsPath;

/// Writes a plan in git's extended diff format (git-diff(1), "Generating patch text with -p"). Files that
/// only move need no content, so binary ones and links move too.
pub fn patch(plan: &Plan, root: &AbsPath) -> String {
    let mut patch = String::new();
    for (path, edit) in plan.edits() {
        if !plan.moves().contains_key(path) {
            let name = relative(path, root);
            head(&mut patch, &name, &name);
            body(&mut patch, &name, &name, &hunks::of_edit(edit, hunks::CONTEXT));
        }
    }
    for (from, step) in plan.moves() {
        moved(&mut patch, (from, step), plan.edits().get(from), root);
    }
    for (path, text) in plan.creates() {
        let name = relative(path, root);
        head(&mut patch, &name, &name);
        patch.push_str("new file mode 100644\n");
        one_sided(&mut patch, Side::New, &name, &hunks::of_creation(text));
    }
    for (path, text) in plan.deletes() {
        let name = relative(path, root);
        head(&mut patch, &name, &name);
        line(&mut patch, &["deleted file mode ", mode(path)]);
        one_sided(&mut patch, Side::Old, &name, &hunks::of_deletion(text));
    }
    patch
}

fn moved(patch: &mut String, (from, step): (&AbsPath, &Move), edit: Option<&FileEdit>, root: &AbsPath) {
    let (old, new) = (relative(from, root), relative(&step.to, root));
    head(patch, &old, &new);
    line(patch, &["similarity index ", &edit.map_or(100, similarity).to_string(), "%"]);
    line(patch, &["rename from ", &quoted("", &old)]);
    line(patch, &["rename to ", &quoted("", &new)]);
    if let Some(edit) = edit {
        body(patch, &old, &new, &hunks::of_edit(edit, hunks::CONTEXT));
    }
}

#[derive(PartialEq)]
enum Side {
    Old,
    New,
}

fn head(patch: &mut String, old: &str, new: &str) {
    line(patch, &["diff --git ", &quoted("a/", old), " ", &quoted("b/", new)]);
}

fn body(patch: &mut String, old: &str, new: &str, hunks: &str) {
    line(patch, &["--- ", &ended(&quoted("a/", old))]);
    line(patch, &["+++ ", &ended(&quoted("b/", new))]);
    patch.push_str(hunks);
}

/// An empty file has no hunk, and then no names either.
fn one_sided(patch: &mut String, side: Side, name: &str, hunks: &str) {
    if hunks.is_empty() {
        return;
    }
    let (old, new) = match side {
        Side::Old => (ended(&quoted("a/", name)), "/dev/null".to_owned()),
        Side::New => ("/dev/null".to_owned(), ended(&quoted("b/", name))),
    };
    line(patch, &["--- ", &old]);
    line(patch, &["+++ ", &new]);
    patch.push_str(hunks);
}

fn line(patch: &mut String, parts: &[&str]) {
    patch.push_str(&parts.concat());
    patch.push('\n');
}

pub(super) fn relative(path: &AbsPath, root: &AbsPath) -> String {
    path.relative_to(root).map_or_else(|| path.as_str().to_owned(), |path| path.as_str().to_owned())
}

/// Quotes a name as git does with `core.quotePath`: in C style where a byte of it could be misread.
pub(super) fn quoted(prefix: &str, name: &str) -> String {
    let plain = |byte: u8| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    if name.bytes().all(plain) {
        return format!("{prefix}{name}");
    }
    let mut quoted = format!("\"{prefix}");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            _ if plain(byte) => quoted.push(char::from(byte)),
            _ => write!(quoted, "\\{byte:03o}").expect("a String takes all that is written"),
        }
    }
    quoted.push('"');
    quoted
}

/// Ends a name with spaces by a tab, as git and GNU diff do, lest the rest be taken for a date.
fn ended(name: &str) -> String {
    if name.contains(' ') && !name.starts_with('"') { format!("{name}\t") } else { name.to_owned() }
}

/// How much of a file stays, in percent of the longer text.
fn similarity(edit: &FileEdit) -> usize {
    let before = edit.before.as_str().len();
    let replaced: usize = edit.edits.iter().map(|edit| edit.span.len()).sum();
    let written: usize = edit.edits.iter().map(|edit| edit.new_text.len()).sum();
    let after = before - replaced + written;
    // An edited file is never called identical.
    ((before - replaced) * 100 / before.max(after).max(1)).min(99)
}

#[cfg(unix)]
fn mode(path: &AbsPath) -> &'static str {
    use std::os::unix::fs::PermissionsExt;
    let executable = |found: std::fs::Metadata| found.permissions().mode() & 0o100 != 0;
    if std::fs::metadata(path.as_path()).is_ok_and(executable) { "100755" } else { "100644" }
}

#[cfg(not(unix))]
fn mode(_path: &AbsPath) -> &'static str {
    "100644"
}

#[cfg(test)]
mod tests;
