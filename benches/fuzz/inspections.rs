//! What must hold of inspections, whatever stands in the files.

use lspwright::inspect::{Config, Depth, Request, Watch, analyze, structure};
use lspwright::render::{read_toon, write_toon};
use lspwright::text::AbsPath;
use lspwright::workspace::Disk;

use crate::seeds::Texts;

/// Inspects the files where a user would have them, and reads the answers back.
pub fn check(texts: &Texts) -> Result<(), String> {
    let project = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (path, text) in texts {
        let path = project.path().join(path);
        let into = path.parent().unwrap_or(project.path());
        std::fs::create_dir_all(into).and_then(|()| std::fs::write(&path, text)).map_err(|error| error.to_string())?;
    }
    let root = AbsPath::new(project.path()).map_err(|error| error.to_string())?;
    let disk = Disk::open(&root).map_err(|error| error.to_string())?;
    let watch = Watch::default();
    let seen = structure(&disk, ".", Depth::Method, &watch).map_err(|error| error.to_string())?;
    let request = Request { path: ".".to_owned(), smells: Vec::new(), config: Config::default() };
    let found = analyze(&disk, &request, &watch).map_err(|error| error.to_string())?;
    for answer in [write_toon(&seen), write_toon(&found.answer(usize::MAX))] {
        if read_toon(&answer).is_null() {
            return Err(format!("TOON that cannot be read: {answer}"));
        }
    }
    Ok(())
}
