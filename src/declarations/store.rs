//! The index as it is kept from run to run, in the state directory.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::id::Id;
use super::module::{DeclarationRow, Gone, Module};
use crate::syntax::{Also, EntryKind, Language};
use crate::text::{AbsPath, ContentHash, Span};
use crate::workspace::{read_text, write_if_changed};

/// Another form, or other rules of what a declaration is, have another number.
const FORM: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Stored {
    form: u32,
    modules: Vec<StoredModule>,
    gone: Vec<(String, String, Vec<String>, String)>,
}

#[derive(Serialize, Deserialize)]
struct StoredModule {
    path: String,
    lines: u32,
    hash: String,
    rows: Vec<StoredRow>,
}

/// Id, kind, other word, public, parent, names.
#[derive(Serialize, Deserialize)]
struct StoredRow(String, String, String, bool, Option<usize>, Vec<String>, [usize; 4], (u32, u32), Fingerprint);

/// What was kept: the modules by their paths, and the declarations that went.
type Kept = (BTreeMap<String, Arc<Module>>, Vec<Gone>);

/// Reads what was kept; nothing where nothing is, or nothing of use.
pub(super) fn load(file: &AbsPath) -> Option<Kept> {
    let stored: Stored = serde_json::from_str(&read_text(file.as_path()).ok()?).ok()?;
    if stored.form != FORM {
        return None;
    }
    let modules = stored.modules.into_iter().filter_map(|module| module.read());
    let modules = modules.map(|module| (module.path.clone(), Arc::new(module))).collect();
    let gone = stored.gone.into_iter().filter_map(|(id, path, names, kind)| {
        Some(Gone { id: Id::parse(&id)?, path, names, kind: EntryKind::named(&kind)? })
    });
    Some((modules, gone.collect()))
}

/// Keeps an index. Where that is not possible, the next run gives the same declarations the same ids unless they were
/// renamed meanwhile: an id is born from names.
pub(super) fn keep<'m>(file: &AbsPath, modules: impl Iterator<Item = &'m Arc<Module>>, gone: &[Gone]) {
    let modules = modules.map(|module| StoredModule::of(module)).collect();
    let one = |it: &Gone| (it.id.to_string(), it.path.clone(), it.names.clone(), it.kind.as_str().to_owned());
    let stored = Stored { form: FORM, modules, gone: gone.iter().map(one).collect() };
    if let Ok(json) = serde_json::to_string(&stored) {
        // What is not kept is found again.
        let _ = write_if_changed(file, &json);
    }
}

impl StoredModule {
    fn of(module: &Module) -> Self {
        let row = |row: &DeclarationRow| {
            let spans = [row.name_span.start, row.name_span.end, row.full_span.start, row.full_span.end];
            let (kind, also) = (row.kind.as_str().to_owned(), row.also.as_str().to_owned());
            let (id, names) = (row.id.to_string(), row.names.clone());
            StoredRow(id, kind, also, row.is_public, row.parent, names, spans, row.lines, row.print)
        };
        let rows = module.rows.iter().map(row).collect();
        Self { path: module.path.clone(), lines: module.lines, hash: module.hash.as_str().to_owned(), rows }
    }

    fn read(self) -> Option<Module> {
        let row = |StoredRow(id, kind, also, is_public, parent, names, spans, lines, print): StoredRow| {
            let [name_start, name_end, start, end] = spans;
            Some(DeclarationRow {
                id: Id::parse(&id)?,
                kind: EntryKind::named(&kind)?,
                is_public,
                also: Also::ALL.into_iter().find(|word| word.as_str() == also)?,
                parent,
                names,
                name_span: Span::new(name_start, name_end),
                full_span: Span::new(start, end),
                lines,
                print,
            })
        };
        let extension = self.path.rsplit('.').next().unwrap_or_default();
        let language = Language::of_extension(extension)?;
        let rows = self.rows.into_iter().map(row).collect::<Option<Vec<DeclarationRow>>>()?;
        Some(Module { path: self.path, language, lines: self.lines, hash: ContentHash::parse(&self.hash)?, rows })
    }
}
