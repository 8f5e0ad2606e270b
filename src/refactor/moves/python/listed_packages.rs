//! Where a project lists its packages and modules by their names: for what builds it, checks it and measures it. What is not
//! among them by its name is not installed, or not looked at.

use toml_edit::{Document, Item, Value};

use crate::syntax::{Language, Node, Tree};
use crate::text::{AbsPath, Span, TextEdit};

/// A list of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::refactor::moves) enum List {
    /// setuptools' `packages`.
    Packages,
    /// setuptools' `py_modules`.
    Modules,
    /// Any other that means modules and packages by their names.
    Names,
    /// One that means them by their paths.
    Paths,
}

/// One name in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::refactor::moves) struct Listed {
    pub(in crate::refactor::moves) list: List,
    /// Without quotes, and without the `*` of a pattern.
    pub(in crate::refactor::moves) name: Span,
    /// With its quotes.
    item: Span,
    /// What the list is called, where it is written beside it.
    pub(in crate::refactor::moves) key: Option<Span>,
}

/// Keys of a `pyproject.toml` whose values are names, by the path of tables to them.
const IN_TOML: [(&str, List); 22] = [
    ("tool.setuptools.packages", List::Packages),
    ("tool.setuptools.py-modules", List::Modules),
    ("tool.setuptools.packages.find.include", List::Names),
    ("tool.setuptools.packages.find.exclude", List::Names),
    ("tool.poetry.packages.include", List::Paths),
    ("tool.flit.module.name", List::Names),
    ("tool.uv.build-backend.module-name", List::Names),
    ("tool.hatch.build.packages", List::Paths),
    ("tool.hatch.build.only-include", List::Paths),
    ("tool.hatch.build.targets.wheel.packages", List::Paths),
    ("tool.hatch.build.targets.wheel.only-include", List::Paths),
    ("tool.hatch.build.targets.sdist.packages", List::Paths),
    ("tool.hatch.build.targets.sdist.only-include", List::Paths),
    ("tool.pdm.build.includes", List::Paths),
    ("tool.coverage.run.source", List::Names),
    ("tool.coverage.run.source_pkgs", List::Names),
    ("tool.isort.known_first_party", List::Names),
    ("tool.ruff.isort.known-first-party", List::Names),
    ("tool.ruff.lint.isort.known-first-party", List::Names),
    ("tool.mypy.packages", List::Names),
    ("tool.mypy.modules", List::Names),
    ("tool.mypy.overrides.module", List::Names),
];
/// Tables of a `pyproject.toml` whose keys are names.
const KEYED: [&str; 3] = ["tool.setuptools.package-data", "tool.setuptools.exclude-package-data", DIRECTORIES];
/// The table that says where packages lie.
const DIRECTORIES: &str = "tool.setuptools.package-dir";
/// Keys of files in sections, with the end of what their section is called.
const IN_SECTIONS: [(&str, &str, List); 9] = [
    ("options", "packages", List::Packages),
    ("options", "py_modules", List::Modules),
    ("options.packages.find", "include", List::Names),
    ("options.packages.find", "exclude", List::Names),
    ("isort", "known_first_party", List::Names),
    ("run", "source", List::Names),
    ("run", "source_pkgs", List::Names),
    ("mypy", "packages", List::Names),
    ("mypy", "modules", List::Names),
];
/// Sections whose keys are names.
const KEYED_SECTIONS: [&str; 2] = ["options.package_data", "options.exclude_package_data"];
/// Arguments in a `setup.py`.
const ARGUMENTS: [(&str, List); 4] =
    [("packages", List::Packages), ("py_modules", List::Modules), ("include", List::Names), ("exclude", List::Names)];
/// Arguments in a `setup.py` whose keys are names.
const KEYED_ARGUMENTS: [&str; 3] = ["package_data", "exclude_package_data", "package_dir"];
/// What measures a package that it is given the name of (pytest-cov).
const MEASURED: &str = "--cov=";

/// Returns the names that the settings of a project list, in order; none of a file that is no such settings.
pub(in crate::refactor::moves) fn listed(path: &AbsPath, text: &str) -> Vec<Listed> {
    let mut found = match path.file_name() {
        "pyproject.toml" => in_toml(text),
        "setup.cfg" | ".coveragerc" | "tox.ini" | "pytest.ini" | "mypy.ini" | ".mypy.ini" | ".isort.cfg" => {
            in_sections(text)
        }
        "setup.py" => return in_call(text),
        _ => return Vec::new(),
    };
    found.extend(text.match_indices(MEASURED).map(|(at, it)| {
        let start = at + it.len();
        let len = text[start..].find(|one: char| !is_of_name(one)).unwrap_or(text.len() - start);
        Listed::of(List::Names, text, Span::new(start, start + len))
    }));
    found.sort_by_key(|it| it.name.start);
    found
}

/// Returns the edit that lists a new package behind the one that it lies in, where that is listed.
pub(in crate::refactor::moves) fn enlisted(path: &AbsPath, text: &str, package: &str) -> Option<TextEdit> {
    let (parent, _) = package.rsplit_once('.')?;
    behind(&listed(path, text), text, (List::Packages, parent, package))
}

/// Returns the edit that lists a new module outside of packages behind another one, where that is listed.
pub(in crate::refactor::moves) fn enlisted_module(
    path: &AbsPath,
    text: &str,
    other: &str,
    module: &str,
) -> Option<TextEdit> {
    behind(&listed(path, text), text, (List::Modules, other, module))
}

fn behind(all: &[Listed], text: &str, (list, other, new): (List, &str, &str)) -> Option<TextEdit> {
    let is = |one: &&Listed, name: &str| one.list == list && one.name.of(text) == Some(name);
    let known = all.iter().find(|one| is(one, other))?;
    if all.iter().any(|one| is(&one, new)) {
        return None;
    }
    let said = known.item.of(text)?.replacen(other, new, 1);
    let before = &text[text[..known.item.start].rfind('\n').map_or(0, |at| at + 1)..known.item.start];
    let is_alone = before.trim().is_empty();
    let gap = match (known.item == known.name, is_alone) {
        // Lines without commas; one that stands behind the key comes to stand below it, too.
        (true, true) => format!("\n{before}"),
        (true, false) => "\n    ".to_owned(),
        (false, true) => format!(",\n{before}"),
        (false, false) => ", ".to_owned(),
    };
    Some(TextEdit::new(Span::at(known.item.end), format!("{gap}{said}")))
}

impl Listed {
    /// Of an item without quotes.
    fn of(list: List, text: &str, item: Span) -> Self {
        let said = item.of(text).unwrap_or_default();
        let end = said.find(|one: char| !is_of_name(one)).unwrap_or(said.len());
        let name = said[..end].trim_end_matches('.');
        Self { list, name: Span::new(item.start, item.start + name.len()), item, key: None }
    }

    /// Of an item in quotes.
    fn quoted(list: List, text: &str, item: Span) -> Self {
        let inside = Span::new(item.start + 1, (item.end - 1).max(item.start + 1));
        Self { item, ..Self::of(list, text, inside) }
    }
}

fn is_of_name(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '.' | '/' | '-')
}

fn in_toml(text: &str) -> Vec<Listed> {
    let mut found = Vec::new();
    if let Ok(document) = Document::parse(text) {
        for (key, item) in document.iter() {
            let key_span = document.key(key).and_then(toml_edit::Key::span).map(Span::from);
            of_item(text, (key, key_span), item, &mut found);
        }
    }
    found
}

/// Looks at what stands at a path of keys.
fn of_item(text: &str, (path, key): (&str, Option<Span>), item: &Item, found: &mut Vec<Listed>) {
    let values = IN_TOML.iter().find(|(known, _)| *known == path);
    if let (Some((_, list)), Some(value)) = (values, item.as_value()) {
        let all = value.as_array().map_or_else(|| vec![value], |array| array.iter().collect());
        let spans = all.into_iter().filter(|value| value.is_str()).filter_map(Value::span);
        found.extend(spans.map(|span| Listed { key, ..Listed::quoted(*list, text, span.into()) }));
    }
    if let Some(tables) = item.as_array_of_tables() {
        tables.iter().for_each(|table| of_table(text, path, table, found));
    }
    let inline = item.as_array().into_iter().flat_map(|array| array.iter().filter_map(Value::as_inline_table));
    inline.for_each(|table| of_table(text, path, table, found));
    if let Some(table) = item.as_table_like() {
        of_table(text, path, table, found);
    }
}

fn of_table(text: &str, path: &str, table: &dyn toml_edit::TableLike, found: &mut Vec<Listed>) {
    for (name, item) in table.iter() {
        let span = table.key(name).and_then(toml_edit::Key::span).map(Span::from);
        if let Some(span) = span.filter(|_| KEYED.contains(&path)) {
            let is_quoted = text[span.start..].starts_with(['"', '\'']);
            let listed = if is_quoted { Listed::quoted } else { Listed::of };
            found.push(listed(List::Names, text, span));
        }
        let directory = item.as_value().filter(|it| path == DIRECTORIES && it.is_str()).and_then(Value::span);
        found.extend(directory.map(|span| Listed::quoted(List::Paths, text, span.into())));
        of_item(text, (&format!("{path}.{name}"), span), item, found);
    }
}

fn in_sections(text: &str) -> Vec<Listed> {
    let mut found = Vec::new();
    let (mut section, mut list, mut at) = ("", None, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some(head) = line.strip_prefix('[') {
            section = head.split(']').next().unwrap_or_default();
            section = section.rsplit(':').next().unwrap_or_default();
            list = None;
            continue;
        }
        let key = line.split_once(['=', ':']).filter(|_| !line.starts_with([' ', '\t', '#', ';']));
        let value = match key {
            Some((key, value)) => {
                let span = Span::new(start, start + key.trim_end().len());
                if KEYED_SECTIONS.contains(&section) {
                    found.push(Listed::of(List::Names, text, span));
                }
                let is_it = |known: &&(&str, &str, List)| (known.0, known.1) == (section, key.trim());
                list = IN_SECTIONS.iter().find(is_it).map(|known| (known.2, span));
                value
            }
            None => line,
        };
        let Some((list, key)) = list else { continue };
        let mut begins = at - value.len();
        for item in value.split_inclusive([',', '\n', ' ']) {
            let said = item.trim_matches([',', '\n', '\r', ' ', '\t']);
            if !said.is_empty() {
                let start = begins + item.find(said).unwrap_or_default();
                found.push(Listed { key: Some(key), ..Listed::of(list, text, Span::new(start, start + said.len())) });
            }
            begins += item.len();
        }
    }
    found
}

fn in_call(text: &str) -> Vec<Listed> {
    let tree = Tree::parse(Language::Python, text);
    let mut found = Vec::new();
    for argument in tree.nodes().iter().filter(|it| it.is("keyword_argument")) {
        let Some((key, value)) = argument.child("name").zip(argument.child("value")) else { continue };
        let name = key.text(text);
        let is_list = value.is_any(&["list", "tuple"]);
        if let Some((_, list)) = ARGUMENTS.iter().find(|(known, _)| *known == name).filter(|_| is_list) {
            let strings = value.named_children().filter(is_plain);
            found.extend(strings.map(|it| Listed { key: Some(key.span()), ..Listed::quoted(*list, text, it.span()) }));
        }
        if KEYED_ARGUMENTS.contains(&name) && value.is("dictionary") {
            let part = |field| value.named_children().filter_map(move |it| it.child(field)).filter(is_plain);
            found.extend(part("key").map(|it| Listed::quoted(List::Names, text, it.span())));
            let directories = part("value").filter(|_| name == "package_dir");
            found.extend(directories.map(|it| Listed::quoted(List::Paths, text, it.span())));
        }
    }
    found
}

/// Tells whether a string is written between one quote and another, and no more.
fn is_plain(node: &Node<'_>) -> bool {
    node.is("string") && node.named_children().all(|it| it.span().len() == 1 || it.is("string_content"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(file: &str, text: &str) -> Vec<String> {
        let path = AbsPath::new(format!("/p/{file}")).expect("a path from the root");
        listed(&path, text).iter().map(|it| it.name.of(text).unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn tables_of_toml_list_names() {
        let text = "[project]\nname = \"shop\"\n[tool.setuptools]\npackages = [\"a\", 'a.b']\npy-modules = [\"c\"]\n\
                    [tool.setuptools.package-data]\nd = [\"*.txt\"]\n\"e.f\" = []\n[tool.setuptools.package-dir]\n\
                    g = \"src/h\"\n[tool.poetry]\npackages = [{ include = \"i\" }]\n[tool.flit.module]\n\
                    name = \"j\"\n[[tool.mypy.overrides]]\nmodule = \"k.*\"\n[tool.pytest.ini_options]\n\
                    addopts = \"--cov=l -q\"\n";
        assert_eq!(names("pyproject.toml", text).join(" "), "a a.b c d e.f g src/h i j k l");
    }

    #[test]
    fn patterns_begin_with_names() {
        let text = "[tool.setuptools.packages.find]\ninclude = [\"a*\", \"b.*\"]\n";
        assert_eq!(names("pyproject.toml", text).join(" "), "a b");
    }

    #[test]
    fn sections_list_names() {
        let text = "[metadata]\nname = shop\n[options]\npackages =\n    a\n    a.b\npy_modules = c, d\n\
                    [options.package_data]\ne = *.txt\n[tool:isort]\nknown_first_party = f\n[coverage:run]\nsource = g\n";
        assert_eq!(names("setup.cfg", text).join(" "), "a a.b c d e f g");
    }

    #[test]
    fn arguments_of_setup_list_names() {
        let text = "setup(name=\"shop\", packages=[\"a\", 'a.b'], package_data={\"c\": [\"*\"]}, \
                    **{\"x\": find_packages(include=[\"d.*\"])}, version=\"a\")\n";
        assert_eq!(names("setup.py", text).join(" "), "a a.b c d");
    }

    #[test]
    fn a_package_is_listed_behind_the_one_that_it_lies_in() {
        let after = |file: &str, text: &str| {
            let path = AbsPath::new(format!("/p/{file}")).expect("a path from the root");
            let edit = enlisted(&path, text, "a.b").expect("`a` is listed");
            format!("{}{}{}", &text[..edit.span.start], edit.new_text, &text[edit.span.end..])
        };
        assert_eq!(after("setup.py", "setup(packages=['a'])"), "setup(packages=['a', 'a.b'])");
        assert_eq!(after("setup.py", "setup(packages=[\n  'a',\n])"), "setup(packages=[\n  'a',\n  'a.b',\n])");
        assert_eq!(after("setup.cfg", "[options]\npackages = a\n"), "[options]\npackages = a\n    a.b\n");
        assert_eq!(after("setup.cfg", "[options]\npackages =\n  a\n"), "[options]\npackages =\n  a\n  a.b\n");
        let toml = "[tool.setuptools]\npackages = [\"a\"]\n";
        assert_eq!(after("pyproject.toml", toml), "[tool.setuptools]\npackages = [\"a\", \"a.b\"]\n");
    }
}
