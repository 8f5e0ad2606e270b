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

/// How many rows a directory's tables have at most: those of the largest.
const FILES: usize = 100;
const CLASSES: usize = 200;
const METHODS: usize = 300;
/// How many rows a single file's tables have at most.
const OF_ONE_FILE: usize = 2000;

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
    let most = |of_directory| if is_directory { of_directory } else { OF_ONE_FILE };
    let (mut classes, mut methods, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for one in seen {
        classes.extend(one.classes);
        methods.extend(one.methods);
        files.push(one.file);
    }
    let mut notes = Vec::new();
    largest(&mut files, most(FILES), |it| it.lines, ("files", &mut notes));
    largest(&mut classes, most(CLASSES), |it| it.methods + it.fields, ("classes", &mut notes));
    largest(&mut methods, most(METHODS), |it| it.lines, ("methods", &mut notes));
    let mut left_out = survey.left_out;
    largest(&mut left_out, FILES, |_| 0, ("files that could not be looked into", &mut notes));
    StructureAnswer {
        structure: head,
        classes: (depth >= Depth::Class).then_some(classes),
        methods: (depth >= Depth::Method).then_some(methods),
        files: (is_directory || depth == Depth::File).then_some(files),
        left_out,
        notes,
    }
}

/// Keeps the `most` largest in their order, and notes how many were left out.
fn largest<T>(rows: &mut Vec<T>, most: usize, size: impl Fn(&T) -> u32, (what, notes): (&str, &mut Vec<String>)) {
    let all = rows.len();
    if all <= most {
        return;
    }
    let mut sizes: Vec<(u32, usize)> = rows.iter().enumerate().map(|(at, row)| (u32::MAX - size(row), at)).collect();
    sizes.sort_unstable();
    let mut kept: Vec<usize> = sizes.into_iter().take(most).map(|(_, at)| at).collect();
    kept.sort_unstable();
    let mut at = 0;
    rows.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
    notes.push(format!(
        "the {most} largest of {all} {what} are listed; ask for a directory or a file below for the rest"
    ));
}

#[cfg(test)]
mod tests;
