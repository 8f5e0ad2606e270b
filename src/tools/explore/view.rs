//! A project as its declarations stand now, and the way from an id or a target to one of them.

use std::sync::Arc;

use crate::declarations::{DeclarationRow, FoundDeclaration, Id, Index, Module};
use crate::syntax::EntryKind;
use crate::syntax::shown;
use crate::syntax::target::{Target, distance};
use crate::tools::{Context, ErrorKind, Project, ToolError, target};

/// One project with its declarations.
pub(in crate::tools) struct View {
    pub(in crate::tools) project: Arc<Project>,
    pub(in crate::tools) index: Arc<Index>,
}

/// What a filter by kind lets through.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    All,
    Kind(EntryKind),
    /// A word of other languages for it.
    Also(crate::syntax::Also),
}

const NEAREST: usize = 5;

impl View {
    /// Looks at the project that was named, or else at the one that `place` belongs to: a path, an id or a target.
    pub(in crate::tools) async fn of(context: &Context, root: Option<&str>, place: &str) -> Result<Self, ToolError> {
        let path = match (Id::parse(place), Target::parse(place)) {
            (None, Ok(target)) => target.path().to_owned(),
            _ => ".".to_owned(),
        };
        let project = context.project_of(root, &path).await?;
        project.session().refresh().await;
        project.session().disk().is_whole()?;
        let reading = Arc::clone(&project);
        let index = tokio::task::spawn_blocking(move || reading.index()).await;
        let index = index.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
        Ok(Self { project, index })
    }

    /// Finds the declaration that an id or a target means.
    pub(in crate::tools) fn find(&self, written: &str) -> Result<FoundDeclaration, ToolError> {
        let written = written.trim();
        if let Some(id) = Id::parse(written) {
            return self.index.get(id).ok_or_else(|| self.lost(id));
        }
        let place = target::named(self.project.session(), written)?;
        let path = self.name_of(&place.path);
        let module = self.index.module(&path).ok_or_else(|| {
            ToolError::invalid(format!("the declarations of `{path}` are not known"))
                .hint("list_modules lists the files that are read")
        })?;
        let number = module.rows.iter().position(|row| row.name_span.touches(place.offset));
        let number = number.ok_or_else(|| {
            ToolError::invalid(format!(
                "`{written}` is not a declaration of its own: a local variable, a parameter or an import"
            ))
            .hint(format!("list_declarations with path `{path}` lists what has an id"))
        })?;
        Ok(FoundDeclaration { module: Arc::clone(module), number })
    }

    /// Returns a path as an agent passes it back: relative to the project's root.
    pub(in crate::tools) fn name_of(&self, path: &crate::text::AbsPath) -> String {
        let name = path.relative_to(self.project.root()).map(|path| path.to_string());
        name.unwrap_or_else(|| path.to_string())
    }

    /// Returns the path below the root that a caller means, which has to be there.
    pub(in crate::tools) fn path(&self, written: &str) -> Result<String, ToolError> {
        let disk = self.project.session().disk();
        let path = disk.contain(&disk.as_real(&self.project.root().join(written)?))?;
        let name = self.name_of(&path);
        if !path.as_path().exists() && self.index.module(&name).is_none() {
            return Err(ToolError::invalid(format!("`{name}` does not exist"))
                .hint("paths are absolute, or relative to the project root; list_modules lists the files"));
        }
        Ok(name)
    }

    fn lost(&self, id: Id) -> ToolError {
        let Some(gone) = self.index.gone(id) else {
            return ToolError::invalid(format!("no declaration of `{}` has the id `{id}`", self.project.root()))
                .hint("find_declaration finds one by its name");
        };
        let was = gone.names.join(".");
        let error =
            ToolError::new(ErrorKind::Stale, format!("`{id}` was `{was}` of `{}`, which no longer exists", gone.path));
        let name = gone.names.last().map(String::as_str).unwrap_or_default();
        let all = self.index.modules("").flat_map(|module| module.rows.iter().map(move |row| (module, row)));
        let mut near: Vec<(bool, usize, String)> = all
            .map(|(module, row)| (module.path != gone.path, distance(row.name(), name), described(module, row)))
            .filter(|(_, distance, _)| *distance <= name.chars().count().div_ceil(2))
            .collect();
        near.sort();
        near.into_iter().take(NEAREST).fold(error, |error, (_, _, near)| error.hint(format!("did you mean {near}?")))
    }
}

/// Returns the rows that an id or a target means, in the order of the text: an id one, a target all overloads of a
/// function and all accessors of a property.
pub(in crate::tools) fn meant(found: &FoundDeclaration, written: &str, text: &str) -> Vec<usize> {
    match Id::parse(written.trim()) {
        Some(_) => vec![found.number],
        None => found.module.group(found.number, text),
    }
}

fn described(module: &Module, row: &DeclarationRow) -> String {
    format!("`{}` ({} {})", row.id, row.kind.as_str(), target_of(module, row))
}

/// Writes a declaration as a target.
pub(in crate::tools) fn target_of(module: &Module, row: &DeclarationRow) -> String {
    format!("{}{}", module.path, shown(&row.names, module.language))
}

impl Wanted {
    pub(super) fn of(kind: Option<&str>) -> Result<Self, ToolError> {
        use crate::syntax::Also;
        let Some(word) = kind else { return Ok(Self::All) };
        if let Some(also) = Also::ALL.into_iter().find(|also| also.as_str() == word && *also != Also::Nothing) {
            return Ok(Self::Also(also));
        }
        EntryKind::named(word).map(Self::Kind).ok_or_else(|| {
            let words = EntryKind::ALL.map(EntryKind::as_str).join(", ");
            ToolError::invalid(format!("no kind is called `{word}`")).hint(format!("there are {words}, app"))
        })
    }

    pub(super) fn takes(self, row: &DeclarationRow) -> bool {
        match self {
            Self::All => true,
            Self::Kind(kind) => row.kind == kind,
            Self::Also(also) => row.also == also || row.kind.as_str() == also.as_str(),
        }
    }
}
