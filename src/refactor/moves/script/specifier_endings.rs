//! How a module specifier ends, beside the file that it names.

use crate::text::RelPath;

/// Endings that a specifier may leave out or write differently, longest first.
const SCRIPT: [&str; 11] = [".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/// Tells whether a path is that of a file of declarations, which no import of a script ends by.
pub(super) fn declares(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// What a specifier writes of its file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// All of it.
    Whole,
    /// The name that the compiled file has: `./a.js` for `a.ts`.
    Compiled,
    /// No extension.
    Bare,
    /// Only the directory of an `index` file or of a package.
    Directory,
}

impl Ending {
    /// Tells how `specifier`, without a query, names `file`.
    pub(super) fn of(specifier: &str, file: &RelPath) -> Self {
        let last = specifier.rsplit('/').next().unwrap_or(specifier);
        let (file_stem, _) = split(file.file_name());
        let (stem, ending) = split(last);
        match () {
            () if matches!(last, "" | "." | "..") => Self::Directory,
            () if last == file.file_name() => Self::Whole,
            () if last == file_stem => Self::Bare,
            () if !ending.is_empty() && stem == file_stem => Self::Compiled,
            // Endings that bundlers leave out too, such as `.vue` and `.json`.
            () if file.file_name().strip_prefix(last).is_some_and(|rest| rest.starts_with('.')) => Self::Bare,
            () => Self::Directory,
        }
    }

    /// Writes `file`'s path with this ending, in the order of preference; the first one that names it is right.
    pub(super) fn write(self, file: &str, old: &str) -> Vec<String> {
        let (stem, ending) = split(file);
        let stem = if ending.is_empty() { without_last_ending(stem) } else { stem };
        let dir = || match stem.rsplit_once('/') {
            Some((dir, "index")) => Some(dir.to_owned()),
            None if stem == "index" => Some(String::new()),
            _ => None,
        };
        let compiled = compiled_endings(ending, split(old).1).into_iter().map(|ending| format!("{stem}{ending}"));
        let was_index = split(old).0.rsplit('/').next() == Some("index");
        let mut written: Vec<String> = Vec::new();
        match self {
            Self::Whole => written.push(file.to_owned()),
            Self::Compiled => written.extend(compiled.clone()),
            Self::Bare if was_index => written.push(stem.to_owned()),
            Self::Bare | Self::Directory => written.extend(dir().into_iter().chain([stem.to_owned()])),
        }
        written.extend(compiled.chain([file.to_owned()]));
        written
    }
}

/// Splits a path into what stands before a script's ending and the ending; empty where it has none.
pub(super) fn split(path: &str) -> (&str, &str) {
    let found = SCRIPT.iter().find_map(|ending| Some((path.strip_suffix(ending)?, *ending)));
    found.filter(|(stem, _)| !stem.is_empty() && !stem.ends_with('/')).unwrap_or((path, ""))
}

fn without_last_ending(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    path[name..].rfind('.').filter(|dot| *dot > 0).map_or(path, |dot| &path[..name + dot])
}

fn compiled_endings(source: &str, old: &str) -> Vec<&'static str> {
    match source {
        ".ts" | ".d.ts" | ".js" => vec![".js"],
        ".tsx" if old == ".jsx" => vec![".jsx", ".js"],
        ".tsx" => vec![".js", ".jsx"],
        ".jsx" => vec![".jsx"],
        ".mts" | ".d.mts" | ".mjs" => vec![".mjs"],
        ".cts" | ".d.cts" | ".cjs" => vec![".cjs"],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(specifier: &str, file: &str) -> Ending {
        Ending::of(specifier, &RelPath::root().join(file).unwrap())
    }

    #[test]
    fn the_ending_is_read_off_the_file() {
        assert_eq!(ending("./user", "src/user.ts"), Ending::Bare);
        assert_eq!(ending("./user.js", "src/user.ts"), Ending::Compiled);
        assert_eq!(ending("./user.js", "src/user.js"), Ending::Whole);
        assert_eq!(ending("./data.json", "src/data.json"), Ending::Whole);
        assert_eq!(ending("./models", "src/models/index.ts"), Ending::Directory);
        assert_eq!(ending("./models/index", "src/models/index.ts"), Ending::Bare);
        assert_eq!(ending("..", "src/index.ts"), Ending::Directory);
        assert_eq!(ending("./user.service", "src/user.service.ts"), Ending::Bare);
        assert_eq!(ending("./Comp", "src/Comp.vue"), Ending::Bare);
    }

    #[test]
    fn the_ending_is_kept() {
        assert_eq!(Ending::Bare.write("a/b.ts", "./b")[0], "a/b");
        assert_eq!(Ending::Compiled.write("a/b.tsx", "./b.js")[0], "a/b.js");
        assert_eq!(Ending::Compiled.write("a/b.mts", "./b.js")[0], "a/b.mjs");
        assert_eq!(Ending::Directory.write("a/index.ts", "./b")[0], "a");
        assert_eq!(Ending::Directory.write("a/all.ts", "./a")[0], "a/all");
        assert_eq!(Ending::Bare.write("a/index.ts", "./b")[0], "a");
        assert_eq!(Ending::Bare.write("a/index.ts", "./b/index")[0], "a/index");
        assert_eq!(Ending::Whole.write("a/b.css", "./c.css")[0], "a/b.css");
    }
}
