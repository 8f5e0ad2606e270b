//! What other packages of scripts take by the name of the package that something stays in: its entry goes on to offer it.

use super::{Draft, Fate, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::moves::links::Link;
use crate::refactor::moves::script::is_bare;
use crate::refactor::source_file::Code;
use crate::text::AbsPath;

impl Way<'_> {
    /// Lets the module go on to offer what leaves it for another one of its package, where other packages take it from there.
    pub(super) fn keep_for_packages(&mut self) -> Option<Warning> {
        let is_inside =
            package_directory(&self.from.path).is_some_and(|own| package_directory(&self.to.path) == Some(own));
        if self.is_python() || self.is_commonjs || self.manner.fate != Fate::Stays || !is_inside {
            return None;
        }
        let takes = |path: &AbsPath| {
            let code = Code::known(self.session, path).ok()?;
            let links = self.links.of(&code);
            let mut names = self.leaving.iter().map(|one| one.name);
            names.find(|name| links.iter().any(|link| self.brings(link, name) && self.is_of_other_package(&code, link)))
        };
        let name = self.candidates().iter().filter(|path| !self.is_end(path)).find_map(takes)?;
        self.manner.fate = Fate::Offers;
        let message = format!("`{}` goes on to offer `{name}`: other packages take it from there", self.from.shown);
        let place = self.leaving.iter().find(|one| one.name == name)?.place;
        let range = self.from.parsed().text.range(place);
        Some(Warning::at(WarningKind::FollowUp, message, self.from.path.clone(), range))
    }

    /// Tells of files of scripts that come to lead into another package by a path.
    pub(super) fn crossings(&self, draft: &Draft) -> Vec<Warning> {
        if self.is_python() || package_directory(&self.from.path) == package_directory(&self.to.path) {
            return Vec::new();
        }
        let root = self.session.root();
        let mut told = Vec::new();
        for (path, (text, edits)) in &draft.edits {
            let (Some(dir), own) = (path.parent(), package_directory(path)) else { continue };
            for edit in edits {
                let crosses = |specifier: &&str| {
                    let other = dir.join(specifier).ok().and_then(|file| package_directory(&file));
                    other.filter(|other| Some(other) != own.as_ref())
                };
                let found = relative(&edit.new_text).find_map(|it| Some((it, crosses(&it)?)));
                let Some((specifier, other)) = found else { continue };
                let shown = other.shown_from(root);
                let message = format!("`{specifier}` leads into another package, `{shown}`");
                told.push(Warning::at(WarningKind::FollowUp, message, path.clone(), text.range(edit.span)));
            }
        }
        told
    }

    /// Tells whether a file takes something by the name of a package that is not its own.
    pub(super) fn is_of_other_package(&self, code: &Code, link: &Link) -> bool {
        let is_named = link.source.of(code.text()).is_some_and(is_bare);
        !self.is_python() && is_named && package_directory(&code.path) != package_directory(&self.from.path)
    }
}

/// Returns the paths that lead out of a file's directory, of statements and of what stands in quotes.
fn relative(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\'', '"']).filter(|it| it.starts_with("../"))
}

/// Returns the directory of the package that a file belongs to: the nearest one with a `package.json`.
fn package_directory(path: &AbsPath) -> Option<AbsPath> {
    std::iter::successors(path.parent(), AbsPath::parent)
        .find(|dir| dir.join("package.json").is_ok_and(|file| file.as_path().is_file()))
}
