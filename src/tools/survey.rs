//! What a session will need, found out as it begins: the languages of the projects that the user works in.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Context, Project, ToolError};
use crate::lsp::{Feature, ServerName};
use crate::syntax::Language;
use crate::workspace::FileEntry;

/// So many files of a language, or this share of all, and it is one that will be worked on.
const FILES: usize = 5;
const SHARE: usize = 20;

/// Opens the projects that the user works in; such as cannot be opened are told when they are asked for.
pub async fn projects_around(context: &Context) -> Vec<Arc<Project>> {
    let mut found = Vec::new();
    for around in &context.around {
        let Ok(root) = context.root_around(around.as_str()) else { continue };
        found.extend(context.projects.open(&root).await);
    }
    found
}

/// Returns the languages of a project's files, the one with the most files first.
pub async fn languages(project: &Arc<Project>) -> Vec<Language> {
    let disk = project.session().disk().clone();
    let counted = tokio::task::spawn_blocking(move || {
        disk.scan();
        ranked(&disk.files())
    });
    counted.await.unwrap_or_default()
}

/// Returns the languages of some files that a project is written in, the one with the most files first.
pub(super) fn ranked(files: &[FileEntry]) -> Vec<Language> {
    let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
    for language in files.iter().filter_map(FileEntry::language) {
        *counts.entry(language).or_default() += 1;
    }
    let mut counts: Vec<(usize, Language)> = counts.into_iter().map(|(language, count)| (count, language)).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let all: usize = counts.iter().map(|(count, _)| count).sum();
    let matters = |(count, _): &(usize, Language)| *count >= FILES || count * SHARE >= all;
    counts.into_iter().filter(matters).map(|(_, language)| language).collect()
}

/// Returns the servers that are asked first about some languages.
fn needed(project: &Arc<Project>, languages: &[Language]) -> Vec<ServerName> {
    let config = &project.session().options().config;
    let mut named = Vec::new();
    for language in languages {
        for feature in [Feature::Rename, Feature::Diagnostics] {
            let first = config.route(language.id(), feature).first();
            named.extend(first.filter(|name| !named.contains(*name)).cloned());
        }
    }
    named
}

/// Installs the servers that a project's languages need, one after the other, and tells nobody of failures: who needs
/// such a server hears of them.
pub async fn fetch_ahead(project: &Arc<Project>, note: &(dyn Fn(&str) + Send + Sync)) {
    for name in needed(project, &languages(project).await) {
        if let Ok(true) = project.session().fetch(&name).await {
            note(&format!("{name} is installed"));
        }
    }
}

/// Installs all that some languages need, and returns the servers' names.
///
/// # Errors
/// Of the first that cannot be installed.
pub async fn set_up(
    context: &Context,
    project: &Arc<Project>,
    languages: &[Language],
) -> Result<Vec<ServerName>, ToolError> {
    let _listening = project.listen(Arc::clone(&context.sink));
    let work = async {
        let names = needed(project, languages);
        for name in &names {
            project.session().fetch(name).await?;
        }
        if languages.contains(&Language::Python) {
            project.session().rope().await?;
        }
        Ok(names)
    };
    context.unless_cancelled(work).await
}
