//! How a module is to be named in a file after the move.

use super::edits::Origin;
use super::error::Refused;
use super::moves::Moves;
use super::place::Place;
use super::project_modules::Named;
use super::source::Source;
use super::tree::ModuleTree;
use crate::syntax::python::FromImport;

/// The two trees and the way from one to the other.
pub(super) struct Naming<'a> {
    pub(super) before: &'a ModuleTree,
    pub(super) after: &'a ModuleTree,
    pub(super) moves: &'a Moves,
}

impl Naming<'_> {
    /// Returns the directory that a file lies in after the move.
    pub(super) fn directory_after(&self, source: &Source) -> Place {
        let place = self.place_after(source);
        let is_init = source.is_init() || self.moves.is_packaged(&place) && self.moves.is_moved(&source.place);
        if is_init { place } else { place.parent().unwrap_or_default() }
    }

    pub(super) fn place_after(&self, source: &Source) -> Place {
        self.moves.after(&source.place)
    }

    /// Tells whether an absolute name still means its module.
    pub(super) fn still_means(&self, source: &Source, named: &Named, names: &[&str]) -> bool {
        let Some(root) = &named.root else { return false };
        let root_after = self.moves.after(root);
        let is_there = root_after.join_all(names.iter().copied()) == self.moves.after(&named.place);
        is_there && self.after.reaches(&self.directory_after(source), &root_after)
    }

    /// Returns the absolute dotted name of a module, given as it lay before the move, in a file.
    pub(super) fn absolute(&self, source: &Source, named: &Named) -> Result<Vec<String>, Refused> {
        let place = self.moves.after(&named.place);
        let root = self.root_after(named, &place);
        let refuse = |reason: &str| Refused::Unreachable {
            importer: source.path.clone(),
            module: named.place.to_string(),
            place: place.to_string(),
            reason: reason.to_owned(),
        };
        if !self.after.reaches(&self.directory_after(source), &root) {
            return Err(refuse(&format!("it lies in no package and below no import root, and `{root}` is none")));
        }
        if place == root {
            return Ok(Vec::new());
        }
        let dotted = self.after.dotted(&place, &root);
        let dotted = dotted.ok_or_else(|| refuse("the path to it holds a name that is not an identifier"))?;
        Ok(dotted.split('.').map(str::to_owned).collect())
    }

    fn root_after(&self, named: &Named, place: &Place) -> Place {
        let usual = self.after.root_of(place);
        let Some(root) = &named.root else { return usual };
        let was_usual = self.before.root_of(&named.place);
        let root_after = self.moves.after(root);
        let same_way = *root != was_usual && self.moves.after(&was_usual) == usual && place.is_below(&root_after);
        if same_way { root_after } else { usual }
    }

    /// Returns how `from` has to name the module that it imports from.
    pub(super) fn origin(&self, source: &Source, from: &FromImport, named: &Named) -> Result<Origin, Refused> {
        let written = Origin::written(from);
        let directory = self.directory_after(source);
        if written.level == 0 {
            let names: Vec<&str> = written.names.iter().map(String::as_str).collect();
            if self.still_means(source, named, &names) {
                return Ok(written);
            }
            return Ok(Origin { level: 0, names: self.absolute(source, named)? });
        }
        let target = self.moves.after(&named.place);
        let base = directory.upwards().nth(written.level - 1);
        let names = written.names.iter().map(String::as_str);
        if base.is_some_and(|base| base.join_all(names) == target && self.is_inside(source, &base, written.level)) {
            return Ok(written);
        }
        if let Some(origin) = self.relative(source, &target, written.level) {
            return Ok(origin);
        }
        Ok(Origin { level: 0, names: self.absolute(source, named)? })
    }

    /// Returns how a file can name the package that holds a module, to import the module from there.
    pub(super) fn parent_origin(&self, source: &Source, named: &Named, style: Style) -> Result<Origin, Refused> {
        let target = self.moves.after(&named.place);
        let parent = target.parent().unwrap_or_default();
        if let Style::Relative { level } = style
            && let Some(origin) = self.relative(source, &parent, level)
        {
            return Ok(origin);
        }
        let mut names = self.absolute(source, named)?;
        names.pop();
        Ok(Origin { level: 0, names })
    }

    /// Returns what a relative name in a string (`.mod`) has to become, where it means a module of the
    /// project and has to change.
    pub(super) fn relative_text(&self, source: &Source, content: &str) -> Option<String> {
        let names = content.trim_start_matches('.');
        let level = content.len() - names.len();
        let is_name = level > 0 && names.split('.').all(super::tree::is_identifier);
        let base = source.directory.upwards().nth(level.checked_sub(1)?).filter(|_| is_name)?;
        let place = base.join_all(names.split('.'));
        let target = self.moves.after(&place);
        let base_after = self.directory_after(source).upwards().nth(level - 1)?;
        if !self.before.exists(&place) || base_after.join_all(names.split('.')) == target {
            return None;
        }
        self.relative(source, &target, level).map(|origin| origin.text())
    }

    /// Returns the relative name of a place; nothing where there is none. `level` is that of the import
    /// whose style is kept.
    pub(super) fn relative(&self, source: &Source, target: &Place, level: usize) -> Option<Origin> {
        let directory = self.directory_after(source);
        let common = directory.common(target);
        let names = target.names_below(&common)?;
        let can_be =
            self.is_inside(source, &common, level) && names.iter().all(|name| super::tree::is_identifier(name));
        let level = directory.depth() - common.depth() + 1;
        can_be.then(|| Origin { level, names: names.into_iter().map(str::to_owned).collect() })
    }

    /// Tells whether relative imports of a file may climb as far as `base`: it must lie inside the file's
    /// outermost package. Where a file that stays climbed so far before, it may still.
    fn is_inside(&self, source: &Source, base: &Place, level: usize) -> bool {
        let root = self.after.root_of(&self.module_after(source));
        let climbed = source.directory.upwards().nth(level.saturating_sub(1));
        let as_before =
            || !self.moves.is_moved(&source.place) && climbed.is_some_and(|climbed| base.is_below(&climbed));
        base.is_below(&root) && *base != root || as_before()
    }

    /// A module of the file's directory: what the import root is asked for.
    fn module_after(&self, source: &Source) -> Place {
        self.directory_after(source).join("__init__")
    }
}

/// Whether a file names its neighbours with dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Relative {
        /// How many dots it writes.
        level: usize,
    },
    Absolute,
}

impl Style {
    pub(super) fn of(from: &FromImport) -> Self {
        if from.level > 0 { Self::Relative { level: from.level } } else { Self::Absolute }
    }
}
