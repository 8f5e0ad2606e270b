//! From the files that a request names to their texts.

use std::collections::BTreeSet;

use super::args::FileArg;
use crate::audit::{AuditError, Sources};
use crate::syntax::Family;
use crate::tools::{Context, ErrorKind, ToolError};

/// The languages whose functions can be looked into, by the names that a request may give them.
const LANGUAGES: &[(&str, Family)] = &[
    ("solidity", Family::Solidity),
    ("python", Family::Python),
    ("typescript", Family::Script),
    ("javascript", Family::Script),
    ("typescriptreact", Family::Script),
    ("javascriptreact", Family::Script),
];

/// Reads what a request names: texts that it hands in, or files of a project.
pub(super) async fn sources(
    context: &Context,
    root: Option<&str>,
    files: Option<Vec<FileArg>>,
    paths: Option<Vec<String>>,
) -> Result<Sources, ToolError> {
    let paths = paths.unwrap_or_default();
    match files {
        Some(files) if paths.is_empty() => {
            Ok(Sources::given(files.into_iter().map(|file| (file.path, file.content)).collect())?)
        }
        None if !paths.is_empty() => {
            let project = context.project(&self::root(context, root, &paths)?).await?;
            let (disk, kept) = (project.session().disk().clone(), project.kept());
            let read = move || {
                disk.scan();
                Ok(Sources::below(&kept, &paths)?)
            };
            context.computed(read).await
        }
        _ => Err(ToolError::invalid("either `files` or `paths` has to be given").hint("paths: [\"src/**\"]")),
    }
}

/// Returns the root that was named, or that of the project around the first path.
fn root(context: &Context, root: Option<&str>, paths: &[String]) -> Result<String, ToolError> {
    if let Some(root) = root {
        return Ok(root.to_owned());
    }
    let fixed = |path: &String| path.split(['*', '?', '[', '{']).next().unwrap_or_default().to_owned();
    let first = paths.first().map(fixed).filter(|path| !path.is_empty());
    Ok(context.root_around(first.as_deref().unwrap_or("."))?.as_str().to_owned())
}

/// Returns the families of languages among the files that can be looked into; there is one at least.
pub(super) fn all_families(sources: &Sources) -> Result<Vec<Family>, ToolError> {
    let is_known = |family: &Family| LANGUAGES.iter().any(|(_, it)| it == family);
    let families: BTreeSet<Family> =
        sources.files.iter().map(|source| source.language.family()).filter(is_known).collect();
    match sources.files.first() {
        Some(first) if families.is_empty() => Err(AuditError::Language(first.language.id().to_owned()).into()),
        _ => Ok(families.into_iter().collect()),
    }
}

/// Finds the families of the language that is asked for. Without one it is Solidity where there is any, or else all
/// programs.
pub(super) fn families(language: Option<&str>, sources: &Sources) -> Result<Vec<Family>, ToolError> {
    let there: BTreeSet<Family> = sources.files.iter().map(|source| source.language.family()).collect();
    let Some(language) = language else {
        let all = all_families(sources)?;
        return Ok(if all.is_empty() || all.contains(&Family::Solidity) { vec![Family::Solidity] } else { all });
    };
    let known = LANGUAGES.iter().find(|(name, _)| *name == language.to_ascii_lowercase());
    let Some((_, family)) = known else { return Err(AuditError::Language(language.to_owned()).into()) };
    if !there.is_empty() && !there.contains(family) {
        let files: Vec<&str> = sources.files.iter().take(3).map(|source| source.name()).collect();
        let message = format!("none of the files is written in {language}: {}", files.join(", "));
        return Err(ToolError::invalid(message).hint("leave `language` out"));
    }
    Ok(vec![*family])
}

impl From<AuditError> for ToolError {
    fn from(error: AuditError) -> Self {
        let message = error.to_string();
        match error {
            AuditError::Outside(error) => error.into(),
            AuditError::Path(_) => Self::invalid(message),
            AuditError::NoFile(_) => Self::invalid(message).hint("paths are absolute, or relative to the project root"),
            AuditError::Skipped { .. } => Self::new(ErrorKind::Refused, message),
            AuditError::Language(_) => Self::new(ErrorKind::LanguageNotSupported, message)
                .hint("languages: solidity, typescript, javascript, python"),
            AuditError::FunctionNotFound { candidates, .. } => Self {
                hints: candidates.into_iter().map(|candidate| format!("did you mean `{candidate}`?")).collect(),
                ..Self::new(ErrorKind::FunctionNotFound, message)
            },
            AuditError::FunctionAmbiguous { candidates, .. } => Self {
                hints: candidates.into_iter().map(|candidate| format!("name it by `{candidate}`")).collect(),
                ..Self::new(ErrorKind::FunctionAmbiguous, message)
            },
        }
    }
}
