//! Where a path of a call leads: to a project, and a place in it.

use std::sync::Arc;

use crate::text::AbsPath;
use crate::tools::{Context, Project, ToolError};
use crate::workspace::named_root;

/// A place inside a project; links are followed.
pub(super) struct Place {
    pub(super) project: Arc<Project>,
    pub(super) path: AbsPath,
}

impl Place {
    /// Finds a path that is absolute, or relative to the root that was named, or else to where the user works. It has to lie
    /// inside the project.
    pub(super) async fn find(context: &Context, root: Option<&str>, path: &str) -> Result<Self, ToolError> {
        let base = base(context, root)?;
        let wanted = base.join(path)?;
        let root = if root.is_some() { base } else { context.root_of(&wanted) };
        let project = context.project(root.as_str()).await?;
        let disk = project.session().disk();
        let path = disk.contain(&disk.as_real(&wanted))?;
        Ok(Self { project, path })
    }

    /// Returns the path as an agent can pass it back: relative to the project's root.
    pub(super) fn name(&self) -> String {
        let name = self.path.relative_to(self.project.root()).map(|path| path.to_string());
        name.map_or_else(|| self.path.to_string(), |name| if name.is_empty() { ".".to_owned() } else { name })
    }
}

/// Returns the directory that was named, or else the one that the user works in.
pub(super) fn base(context: &Context, root: Option<&str>) -> Result<AbsPath, ToolError> {
    if let Some(root) = root {
        return Ok(named_root(root, context.around.first())?);
    }
    match context.around.first() {
        Some(around) => Ok(around.clone()),
        None => Ok(AbsPath::new(std::env::current_dir().map_err(|error| {
            ToolError::invalid(format!("the current directory is not known: {error}")).hint("give an absolute path")
        })?)?),
    }
}
