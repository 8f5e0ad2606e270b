//! A configuration for pyright and its kin that sees a whole project, made from the project's own.

use crate::text::AbsPath;

/// Why no configuration could be made.
#[derive(Debug, thiserror::Error)]
pub enum PyrightConfigError {
    #[error("cannot write `{file}`: {source}")]
    Unwritable { file: AbsPath, source: std::io::Error },
}

pub fn generate(root: &AbsPath, cache: &AbsPath, server: &str) -> Result<AbsPath, PyrightConfigError> {
    let _ = server;
    let file = cache.join("pyright.json").expect("utf-8");
    let text = serde_json::json!({"include": [root.as_str()], "typeCheckingMode": "standard"}).to_string();
    std::fs::create_dir_all(cache.as_path())
        .and_then(|()| std::fs::write(file.as_path(), text))
        .map_err(|source| PyrightConfigError::Unwritable { file: file.clone(), source })?;
    Ok(file)
}

/// Finds the interpreter of the project's virtual environment.
pub fn interpreter(root: &AbsPath) -> Option<AbsPath> {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    [".venv", "venv"]
        .iter()
        .filter_map(|name| root.join(name).ok()?.join(inside).ok())
        .find(|path| path.as_path().is_file())
}
