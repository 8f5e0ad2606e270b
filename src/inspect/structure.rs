//! `inspect_structure`: the classes, methods and files below a path.

use crate::inspect::error::InspectError;
use crate::inspect::outline::{Function, Outline, outline};
use crate::inspect::params::ParameterKind;
use crate::inspect::source_file::SourceFile;
use crate::inspect::survey::{Survey, SurveyKind, Watch, language_name, parsed};
use crate::render::{ClassRow, FileRow, MethodRow, StructureAnswer, StructureHead};
use crate::syntax::Family;
use crate::workspace::Disk;

/// How far down the answer goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Depth {
    File,
    #[default]
    Class,
    Method,
}

/// A directory's table that has more rows than anybody reads begins with the largest.
const ROWS: usize = 100;

/// What is kept of one file.
struct Seen {
    file: FileRow,
    classes: Vec<ClassRow>,
    methods: Vec<MethodRow>,
    functions: usize,
}

/// Tells what stands in a file, or below a directory.
pub fn structure(disk: &Disk, path: &str, depth: Depth, watch: &Watch) -> Result<StructureAnswer, InspectError> {
    let mut survey = Survey::new(disk, path)?;
    let looked = survey.map(watch, |file, text| {
        let tree = parsed(file, text)?;
        Ok(look(file, &outline(&tree, text.as_str()), depth))
    })?;
    let mut seen = Vec::with_capacity(looked.len());
    for one in looked {
        match one {
            Ok(one) => seen.push(one),
            Err(row) => survey.left_out.push(row),
        }
    }
    let head = StructureHead {
        path: survey.path.clone(),
        language: survey.languages(),
        files: seen.len(),
        lines: seen.iter().map(|one| u64::from(one.file.lines)).sum(),
        classes: seen.iter().map(|one| one.file.classes).sum(),
        functions: seen.iter().map(|one| one.functions).sum(),
    };
    Ok(answer(head, seen, depth, survey))
}

fn look(file: &SourceFile, outline: &Outline<'_>, depth: Depth) -> Seen {
    let name = |target: &str| format!("{}{target}", file.name);
    let listed = || outline.functions.iter().filter(|function| function.is_outer && !function.path.is_empty());
    let class = |it: &super::outline::Class<'_>| ClassRow {
        name: name(&it.target),
        line: it.line,
        methods: it.methods,
        fields: it.fields,
    };
    let method = |it: &Function<'_>| MethodRow {
        class: it.class.as_ref().map(|path| path.join(".")),
        name: name(&it.target),
        line: it.line,
        params: count(it, file.language.family()),
        lines: it.lines,
    };
    let functions = listed().filter(|function| function.class.is_none()).count();
    Seen {
        file: FileRow {
            path: file.name.clone(),
            language: language_name(file.language),
            lines: outline.lines,
            classes: outline.classes.len(),
            functions,
        },
        classes: if depth >= Depth::Class { outline.classes.iter().map(class).collect() } else { Vec::new() },
        methods: if depth >= Depth::Method { listed().map(method).collect() } else { Vec::new() },
        functions,
    }
}

/// Counts parameters as the languages' linters do: what takes the rest of the arguments counts as one, but
/// not in Python.
pub fn count(function: &Function<'_>, family: Family) -> usize {
    let counts = |kind| match kind {
        ParameterKind::Plain | ParameterKind::Named => true,
        ParameterKind::Rest => family != Family::Python,
        ParameterKind::Receiver => false,
    };
    function.parameters.iter().filter(|parameter| counts(parameter.kind)).count()
}

fn answer(head: StructureHead, seen: Vec<Seen>, depth: Depth, survey: Survey) -> StructureAnswer {
    let is_directory = survey.kind == SurveyKind::Directory;
    let (mut classes, mut methods, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for one in seen {
        classes.extend(one.classes);
        methods.extend(one.methods);
        files.push(one.file);
    }
    if is_directory {
        largest_first(&mut files, |it| it.lines);
        largest_first(&mut classes, |it| it.methods + it.fields);
        largest_first(&mut methods, |it| it.lines);
    }
    StructureAnswer {
        structure: head,
        classes: (depth >= Depth::Class).then_some(classes),
        methods: (depth >= Depth::Method).then_some(methods),
        files: (is_directory || depth == Depth::File).then_some(files),
        left_out: survey.left_out,
    }
}

/// Sorts what is too long to be read in the order of its places.
fn largest_first<T>(rows: &mut [T], size: impl Fn(&T) -> u32) {
    if rows.len() > ROWS {
        rows.sort_by_key(|row| u32::MAX - size(row));
    }
}

#[cfg(test)]
mod tests;
