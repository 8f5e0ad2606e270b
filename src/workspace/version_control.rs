//! Version control's own files, under every name by which a file system finds them.

use std::path::{Component, Path};

const DIRS: [&str; 4] = ["git", "hg", "svn", "jj"];

/// Tells whether a part of `path` names a directory of version control. As git protects its own: also in other letters,
/// with what NTFS (dots and spaces at the end, streams, short names) and HFS+ (characters without width) take for nothing.
pub(super) fn is_version_controls(path: &Path) -> bool {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    parts.into_iter().any(|name| name.split('\\').any(names_one))
}

fn names_one(name: &str) -> bool {
    let seen: String = name.chars().filter(|c| !is_ignored(*c)).flat_map(char::to_lowercase).collect();
    let seen = seen.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    DIRS.iter().any(|dir| match (seen.strip_prefix('.'), seen.split_once('~')) {
        (Some(long), _) => long == *dir,
        (None, Some((short, number))) => {
            short == *dir && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
        }
        (None, None) => false,
    })
}

/// The characters that HFS+ passes over when it compares names.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_version_controls_directories_is_known() {
        let own = [
            ".git",
            ".git/config",
            "a/.GIT/hooks/x",
            ".hg/hgrc",
            "b/.svn/x",
            ".jj/repo",
            ".git ",
            ".git. .",
            "git~1/x",
            "GIT~2",
            ".git::$INDEX_ALLOCATION/x",
            ".g\u{200c}it/x",
            "a\\.git\\config",
            ".Hg",
        ];
        for path in own {
            assert!(is_version_controls(Path::new(path)), "{path:?}");
        }
        let other =
            [".gitignore", ".gitattributes", ".github/x", "git/x", "a.git/x", "hg", ".svnignore", "git~", "x/.g"];
        for path in other {
            assert!(!is_version_controls(Path::new(path)), "{path:?}");
        }
    }
}
