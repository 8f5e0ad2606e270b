//! The order in which a module of Python imports others, and what it has empty lines between.

use std::iter::successors;

use crate::refactor::moves::python::is_stdlib;
use crate::refactor::source_file::Code;
use crate::syntax::Family;
use crate::text::AbsPath;

/// What imports of Python are sorted by: the group, whole modules before names of one, the module. Relative ones begin
/// with those from furthest away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    pub group: u8,
    pub is_from: bool,
    away: usize,
    module: String,
}

/// What stands apart from each other in a file.
pub(super) struct Blocks {
    has_groups: bool,
    /// Whole modules of a group, and names of such (isort's `lines_between_types`).
    has_kinds: bool,
}

impl Order {
    /// Reads what an import statement is sorted by.
    pub(super) fn of(code: &Code, statement: &str) -> Self {
        let is_from = statement.starts_with("from") || statement.starts_with("export");
        let rest = statement.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
        let module = rest.split(|it: char| it.is_whitespace() || it == ',').next().unwrap_or_default();
        let top = module.split('.').next().unwrap_or_default();
        let group = match top {
            _ if code.family() != Family::Python => 0,
            "" => 4,
            "__future__" => 0,
            _ if is_stdlib(top) => 1,
            _ if is_own(code, top) => 3,
            _ => 2,
        };
        let dots = dots(module);
        let away = if dots > 0 && has_near_first(code) { dots } else { usize::MAX - dots };
        Self { group, is_from, away, module: module.to_lowercase() }
    }
}

impl Blocks {
    /// Reads what stands apart, of the imports that follow each other in a file, each pair with the line breaks between: settings
    /// can draw groups otherwise, so most of them count.
    pub(super) fn of<'o>(pairs: impl Iterator<Item = (&'o Order, &'o Order, usize)>) -> Self {
        let (mut groups, mut kinds, mut alike) = (Vec::new(), Vec::new(), Vec::new());
        for (one, next, breaks) in pairs {
            let of_pair = match () {
                () if one.group != next.group => &mut groups,
                () if one.is_from != next.is_from => &mut kinds,
                () => &mut alike,
            };
            of_pair.push(breaks > 1);
        }
        let apart = groups.iter().filter(|is_apart| **is_apart).count();
        Self {
            has_groups: apart == groups.len() || 2 * apart > groups.len(),
            has_kinds: !kinds.is_empty() && kinds.iter().all(|is_apart| *is_apart) && !alike.contains(&true),
        }
    }

    /// Tells whether an empty line stands between two imports that follow each other.
    pub(super) fn parts(&self, one: &Order, next: &Order) -> bool {
        match one.group == next.group {
            true => self.has_kinds && one.is_from != next.is_from,
            false => self.has_groups,
        }
    }
}

/// Tells whether a module is of a package of the project: one that lies in a folder around, up to the project's, or in `src` of
/// one.
fn is_own(code: &Code, top: &str) -> bool {
    let depth = code.shown.split('/').count();
    let mut dirs = successors(code.path.parent(), AbsPath::parent).take(depth);
    let has = |dir: AbsPath| ["", "src"].iter().any(|within| dir.as_path().join(within).join(top).is_dir());
    code.path.as_str().split('/').any(|part| part == top) || dirs.any(has)
}

/// Returns how far away a relative module of Python is.
fn dots(module: &str) -> usize {
    module.len() - module.trim_start_matches('.').len()
}

/// Tells whether relative imports of a file begin with the nearest modules (isort's `reverse_relative`).
fn has_near_first(code: &Code) -> bool {
    let statements = code.root().named_children().filter(|it| it.is("import_from_statement"));
    let modules = statements.filter_map(|it| it.child("module_name")).map(|it| dots(it.text(code.text())));
    let away: Vec<usize> = modules.filter(|dots| *dots > 0).collect();
    away.is_sorted() && away.first() < away.last()
}
