//! Names that a Python program puts together as it runs (`getattr(self, f"visit_{kind}")`), told where the renamed one
//! may be among them: no server knows, and no checker sees.

use std::collections::BTreeMap;

use crate::plan::{Warning, WarningKind};
use crate::session::Session;
use crate::syntax::{self, Family};
use crate::text::{AbsPath, Span};
use crate::workspace::Disk;

use super::subject::Subject;

/// The beginnings of such names, each with the first place where it stands.
pub(super) type Stems = BTreeMap<String, (AbsPath, Span)>;

/// Finds the beginnings in the files that ask for attributes by name. To be done while a server thinks.
pub(super) async fn find(session: &Session, subject: &Subject) -> Stems {
    if subject.language.family() != Family::Python || subject.is_local() {
        return Stems::new();
    }
    let disk = session.disk().clone();
    tokio::task::spawn_blocking(move || stems(&disk)).await.unwrap_or_default()
}

/// Tells of the beginnings that the renamed name has, and of the names that it stands at the end of.
pub(super) fn warnings(session: &Session, subject: &Subject, stems: Stems) -> Vec<Warning> {
    let (disk, name) = (session.disk(), &subject.name);
    let mut warnings = Vec::new();
    for (stem, (path, span)) in stems {
        let Ok(text) = disk.read(&path) else { continue };
        let mut tell = |member: &str| {
            let message =
                format!("names that begin with `{stem}` are put together here, and `{member}` may be one of them");
            warnings.push(Warning::at(WarningKind::RunTime, message, path.clone(), text.range(span)));
        };
        if name.len() > stem.len() && name.starts_with(&stem) {
            tell(name);
        }
        let carrier = format!("{stem}{name}");
        if !disk.files_mentioning(&carrier).is_empty() {
            tell(&carrier);
        }
    }
    warnings
}

fn stems(disk: &Disk) -> Stems {
    let mut found = Stems::new();
    for path in disk.files_mentioning("getattr") {
        let Ok(text) = disk.read(&path) else { continue };
        for span in syntax::stems(text.as_str()) {
            let stem = span.of(text.as_str()).unwrap_or_default().to_owned();
            found.entry(stem).or_insert_with(|| (path.clone(), span));
        }
    }
    found
}
