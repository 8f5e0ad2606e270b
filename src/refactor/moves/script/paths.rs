//! Paths written in a configuration, rewritten in their own style.

use super::listing::Moved;
use super::project_files::World;
use super::respecify::dotted;
use super::{glob, specifier_endings};
use crate::text::RelPath;

/// The directory that a configuration's paths are relative to, before the move and after it.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub before: RelPath,
    pub after: RelPath,
}

impl Base {
    pub(super) fn new(before: RelPath, moved: &Moved) -> Self {
        Self { after: moved.after(&before), before }
    }
}

/// Returns what a path or pattern has to be after the move; nothing where it stays right as it is.
pub(super) fn rewritten(written: &str, base: &Base, moved: &Moved, before: &World<'_>) -> Option<String> {
    let (mark, path) = written.strip_prefix('!').map_or(("", written), |rest| ("!", rest));
    if path.starts_with('/') || path.contains("${") || path.contains(':') {
        return None;
    }
    let literal = glob::literal(path);
    let rest = &path[literal.len()..];
    let named = base.before.join(literal)?;
    let target = target_after(&named, rest.is_empty(), moved, before);
    let seen = target.seen_from(&base.after);
    if seen == named.seen_from(&base.before) {
        return None;
    }
    Some(format!("{mark}{}{rest}", in_style(&seen, literal)))
}

/// Returns where the file or directory comes to lie that a path names, with or without its ending.
fn target_after(named: &RelPath, is_whole: bool, moved: &Moved, before: &World<'_>) -> RelPath {
    if moved.takes(named) || before.is_file(named) || before.is_dir(named) || !is_whole {
        return moved.after(named);
    }
    let endings = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".json", ".mjs", ".cjs", ".mts", ".cts"];
    let found = endings.iter().map(|ending| (named.with_suffix(ending), *ending));
    let Some((file, old)) = found.into_iter().find(|(file, _)| moved.takes(file)) else { return named.clone() };
    let after = moved.after(&file);
    let stem = if old == ".json" {
        after.as_str().strip_suffix(".json")
    } else {
        Some(specifier_endings::split(after.as_str()).0)
    };
    stem.and_then(|stem| RelPath::root().join(stem)).unwrap_or(after)
}

fn in_style(seen: &str, old: &str) -> String {
    let has_dot = old.starts_with("./") || old.starts_with("../") || old == ".";
    let slash = if old.ends_with('/') { "/" } else { "" };
    match seen {
        "" if has_dot || slash.is_empty() => format!(".{slash}"),
        "" => String::new(),
        _ if has_dot => format!("{}{slash}", dotted(seen)),
        _ => format!("{seen}{slash}"),
    }
}

/// What becomes of a path of compiled files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Follows {
    /// It may be made from this file, which moves: another program than the TypeScript compiler makes it.
    Perhaps(RelPath),
    /// Its source stays, or it has none.
    Stays,
    To(String),
    /// Its source, this file, goes where the package compiles nothing from.
    Lost(RelPath),
}

/// As [`rewritten`], for a path of compiled files: it follows the source that it is made from.
pub(super) fn follow_source(written: &str, dir: &RelPath, moved: &Moved, before: &World<'_>) -> Follows {
    let literal = glob::literal(written);
    let Some((compiled, source)) = source_of(written, literal, dir, before).filter(|_| !moved.takes(dir)) else {
        return Follows::Stays;
    };
    if !moved.takes(&source) {
        return Follows::Stays;
    }
    if !before.package(dir).is_some_and(|package| before.is_compiled(&package, &compiled)) {
        return Follows::Perhaps(source);
    }
    match compiled_after(&compiled, &source, moved).filter(|_| moved.after(&source).is_below(dir)) {
        Some(new) if new == compiled => Follows::Stays,
        Some(new) => Follows::To(format!("{}{}", in_style(&new.seen_from(dir), literal), &written[literal.len()..])),
        None => Follows::Lost(source),
    }
}

fn source_of(written: &str, literal: &str, dir: &RelPath, before: &World<'_>) -> Option<(RelPath, RelPath)> {
    let compiled = dir.join(literal).filter(|compiled| !before.is_file(compiled))?;
    let source = if literal.len() < written.len() {
        source_dir(&compiled, dir, before)?
    } else {
        before.sources_of(before.package(dir)?.as_ref(), &compiled).into_iter().next()?
    };
    Some((compiled, source))
}

/// Where the root of the sources moves as a whole, what is compiled from them stays.
fn compiled_after(compiled: &RelPath, source: &RelPath, moved: &Moved) -> Option<RelPath> {
    let (compiled_stem, compiled_ending) = specifier_endings::split(compiled.as_str());
    let (source_stem, _) = specifier_endings::split(source.as_str());
    let (compiled_root, source_root) = roots(compiled_stem, source_stem)?;
    let source_root = moved.after(&RelPath::root().join(source_root)?);
    let after = moved.after(source);
    let rest = specifier_endings::split(after.below(&source_root)?).0;
    RelPath::root().join(&format!("{compiled_root}{rest}{compiled_ending}"))
}

/// Cuts the components off that two paths end with alike.
fn roots<'p>(compiled: &'p str, source: &'p str) -> Option<(&'p str, &'p str)> {
    let pairs = compiled.rsplit('/').zip(source.rsplit('/'));
    let shared: usize = pairs.take_while(|(a, b)| a == b).map(|(part, _)| part.len() + 1).sum();
    // One that lies at the root has no slash in front of what is shared.
    Some((
        compiled.get(..(compiled.len() + 1).checked_sub(shared)?)?,
        source.get(..(source.len() + 1).checked_sub(shared)?)?,
    ))
    .filter(|_| shared > 0)
}

fn source_dir(compiled: &RelPath, dir: &RelPath, before: &World<'_>) -> Option<RelPath> {
    if before.is_dir(compiled) {
        return None;
    }
    let rest = compiled.below(dir)?;
    let tails = rest.match_indices('/').map(|(at, _)| &rest[at + 1..]);
    let mut dirs = tails.flat_map(|tail| [dir.join(&format!("src/{tail}")), dir.join(tail)]).flatten();
    dirs.find(|found| before.is_dir(found) && found != dir)
}
