//! Which kind of module a script is, of CommonJS or of ECMAScript.

use serde_json::Value;

use super::script_style::nearest;
use crate::refactor::commonjs::says_commonjs;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::AbsPath;

/// Tells whether a script is a module of CommonJS. One that does not say so is what the nearest of its package is that does, or
/// else what the package says (Node.js, "Determining module system").
pub(crate) fn is_commonjs(session: &Session, code: &Code) -> bool {
    says_commonjs(code).unwrap_or_else(|| !code.is_typed_script() && is_by_package(session, &code.path))
}

/// Tells whether two scripts, one of which may yet have to come, are modules of CommonJS.
pub(crate) fn are_commonjs(session: &Session, one: &Code, other: &Code) -> bool {
    match (says_commonjs(one), says_commonjs(other)) {
        (Some(true), _) | (_, Some(true)) => true,
        (Some(false), _) | (_, Some(false)) => false,
        (None, None) => is_commonjs(session, one),
    }
}

/// Returns the folder of the package whose first module a script is: `index`, in the folder itself or where its sources are.
pub(crate) fn package_begun_by(path: &AbsPath) -> Option<AbsPath> {
    let folder = path.parent()?;
    let root = if matches!(folder.file_name(), "src" | "lib" | "source") { folder.parent()? } else { folder };
    (path.file_stem() == "index" && root.as_path().join("package.json").is_file()).then_some(root)
}

fn is_by_package(session: &Session, path: &AbsPath) -> bool {
    let folders = std::iter::successors(path.parent(), AbsPath::parent);
    let mut found = folders.filter_map(|it| Some((session.disk().read(&it.join("package.json").ok()?).ok()?, it)));
    let Some((text, folder)) = found.next() else { return false };
    let beside = nearest(session, path).filter(|it| it.path.is_below(&folder) && !it.is_typed_script());
    beside.filter_map(|other| says_commonjs(&other)).next().unwrap_or_else(|| {
        let package = serde_json::from_str::<Value>(text.as_str()).unwrap_or_default();
        package.get("type").and_then(Value::as_str) != Some("module")
    })
}
