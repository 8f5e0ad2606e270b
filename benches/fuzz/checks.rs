//! What must hold for every text, however damaged.

use std::collections::BTreeMap;
use std::sync::Arc;

use lspwright::audit::{self, Entrypoints, Sources, Traversal, Views};
use lspwright::render::{read_toon, write_toon};
use lspwright::solidity::{Directory, Imports, Model, Project, Reference, SourceId, moved, rename};
use lspwright::syntax::Family;

use crate::random::Random;
use crate::seeds::Texts;

const RENAMES: usize = 6;

/// Runs everything on the first texts, and the bindings on the step to the second.
pub fn check(first: &Texts, second: &Texts, random: &mut Random) -> Result<(), String> {
    if first[0].0.ends_with(".sol") {
        bindings(first, second, random)?;
    }
    views(first)
}

fn bindings(first: &Texts, second: &Texts, random: &mut Random) -> Result<(), String> {
    let mut project = project(first);
    let model = project.model();
    in_bounds(&model)?;
    renames(&model, random)?;
    let id = SourceId::new(first[0].0.as_str());
    let moves = BTreeMap::from([(id, SourceId::new("moved/elsewhere/File.sol"))]);
    moved(&model, project.imports(), &moves);
    for (path, text) in second {
        project.set(SourceId::new(path.as_str()), Arc::from(text.as_str()));
    }
    let new = self::project(second).model();
    same(&self::project(second).model(), &new).map_err(|problem| format!("not always the same: {problem}"))?;
    same(&project.model(), &new)
}

fn project(texts: &Texts) -> Project {
    let texts = texts.iter().map(|(path, text)| (SourceId::new(path.as_str()), Arc::from(text.as_str())));
    Project::new(texts, Imports { remappings: Vec::new(), directories: vec![Directory::default()] })
}

/// Every span lies in its text.
fn in_bounds(model: &Model) -> Result<(), String> {
    let whole = |file: &SourceId, span: lspwright::text::Span| model.text(file).is_some_and(|it| span.of(it).is_some());
    let outside = model.references().iter().find(|one| !whole(&one.file, one.span));
    if let Some(one) = outside {
        return Err(format!("a reference outside its text: {one:?}"));
    }
    let outside = model.definitions().find(|(_, one)| !whole(&one.file, one.span) || !whole(&one.file, one.name_span));
    outside.map_or(Ok(()), |(_, one)| Err(format!("a definition outside its text: {one:?}")))
}

/// What a rename replaces is the old name, everywhere.
fn renames(model: &Model, random: &mut Random) -> Result<(), String> {
    let files: Vec<&SourceId> = model.files().keys().collect();
    for _ in 0..RENAMES {
        let Some(file) = random.pick(&files) else { return Ok(()) };
        let at = random.below(model.text(file).map_or(0, str::len) + 1);
        let Ok(renaming) = rename(model, (file, at), "renamedByFuzz", |_| false) else { continue };
        for (file, spans) in &renaming.spans {
            let text = model.text(file).unwrap_or_default();
            if let Some(span) = spans.iter().find(|span| span.of(text) != Some(&renaming.old_name)) {
                return Err(format!("{span:?} of `{file}` is not `{}`", renaming.old_name));
            }
        }
    }
    Ok(())
}

/// A renewed model says what a new one says.
fn same(renewed: &Model, new: &Model) -> Result<(), String> {
    let definitions = |model: &Model| model.definitions().map(|(_, one)| one.clone()).collect::<Vec<_>>();
    if definitions(renewed) != definitions(new) {
        return Err("a renewed model declares other things than a new one".to_owned());
    }
    let told = |model: &Model, one: &Reference| {
        let ids = one
            .target
            .definitions()
            .iter()
            .map(|id| model.place(&model.definition(*id).file, model.definition(*id).span.start));
        format!(
            "{} at {}: {:?} in {:?}",
            model.name_of(one),
            model.place(&one.file, one.span.start),
            ids.collect::<Vec<_>>(),
            one.within
        )
    };
    let pairs = renewed.references().iter().zip(new.references());
    let different = pairs.into_iter().find(|(one, other)| one != other);
    match different {
        Some((one, other)) => Err(format!("renewed: {}; new: {}", told(renewed, one), told(new, other))),
        None if renewed.references().len() != new.references().len() => {
            Err("more or fewer references when renewed".to_owned())
        }
        None => Ok(()),
    }
}

/// Every view answers, in TOON that can be read.
fn views(texts: &Texts) -> Result<(), String> {
    let sources = Sources::given(texts.clone()).map_err(|error| error.to_string())?;
    let family = sources.files.first().map(|source| source.language.family());
    let mut answers = vec![write_toon(&audit::peek(&sources)), write_toon(&audit::metrics(&sources))];
    if let Some(family @ (Family::Solidity | Family::Python | Family::Script)) = family {
        let listed = Entrypoints::of(&sources, family, Views::Include).map_err(|error| error.to_string())?;
        answers.push(write_toon(&listed));
        answers.extend(
            audit::callgraph(&sources, &Traversal { root: None, depth: None }).ok().map(|calls| write_toon(&calls)),
        );
    }
    if family == Some(Family::Solidity) {
        answers.extend(audit::every_insight(&sources).iter().map(write_toon));
    }
    let broken = answers.iter().find(|answer| !answer.trim().is_empty() && read_toon(answer).is_null());
    broken.map_or(Ok(()), |answer| Err(format!("TOON that cannot be read: {answer}")))
}
