//! Functions and classes that somebody outside of the project finds by how their names begin: tests, hooks, commands,
//! visitors' methods. No server knows: told.

use super::dynamic_attributes;
use super::fixtures::is_decorated;
use super::hierarchy::{Hierarchy, LocatedClass};
use super::keyword_dictionaries::class_definition_around;
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Parsed;
use crate::syntax::Node;
use crate::syntax::python::classes;
use crate::text::{AbsPath, Span};

/// Classes that call the methods of their heirs by names of which the end is asked for, with how these begin (Python's `cmd`,
/// `http.server` and `ast`, libcst).
const CALLING: [(&str, &[&str]); 8] = [
    ("Cmd", &["do_", "help_", "complete_"]),
    ("BaseHTTPRequestHandler", &["do_"]),
    ("SimpleHTTPRequestHandler", &["do_"]),
    ("CGIHTTPRequestHandler", &["do_"]),
    ("NodeVisitor", &["visit_"]),
    ("NodeTransformer", &["visit_"]),
    ("CSTVisitor", &["visit_", "leave_"]),
    ("CSTTransformer", &["visit_", "leave_"]),
];
/// How the names of tests begin, and those of pytest's classes of tests.
const TEST: &str = "test";
const TEST_CLASS: &str = "Test";
/// How the name of a class ends whose methods are tests wherever they stand (`unittest`).
const TEST_CASE: &str = "TestCase";
/// How the names of pytest's hooks begin.
const HOOK: &str = "pytest_";
/// What is called around tests by its name (pytest, `unittest`).
const AROUND: [&str; 11] = [
    "setup_module",
    "teardown_module",
    "setup_class",
    "teardown_class",
    "setup_method",
    "teardown_method",
    "setup_function",
    "teardown_function",
    "setUpModule",
    "tearDownModule",
    "load_tests",
];

/// Tells of those that are renamed; of tests, where the new name is none of a test.
pub(super) async fn told(
    hierarchy: &Hierarchy<'_>,
    (name, new_name): (&str, &str),
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for path in gathered.paths().filter(|path| path.extension() == "py") {
        let Some(parsed) = hierarchy.session.parsed(path)? else { continue };
        for edit in gathered.edits_of(path) {
            let node = parsed.tree.nodes().covering(edit.span);
            let is_definition = |outer: &Node<'_>| {
                outer.is_any(&["function_definition", "class_definition"]) && outer.child("name") == Some(node)
            };
            let Some(definition) = node.parent().filter(is_definition) else { continue };
            let found = Found { path, parsed: &parsed, definition };
            let why = match found.as_test((name, new_name), hierarchy).await? {
                Some(why) => Some(why),
                None => found.as_method(name, hierarchy).await?,
            };
            let range = parsed.text.range(edit.span);
            warnings.extend(why.map(|why| Warning::at(WarningKind::RunTime, why, path.clone(), range)));
        }
    }
    Ok(warnings)
}

/// A definition that is renamed.
struct Found<'a> {
    path: &'a AbsPath,
    parsed: &'a Parsed,
    definition: Node<'a>,
}

impl Found<'_> {
    /// Says why a test or a hook is not found by its new name.
    async fn as_test(
        &self,
        (name, new_name): (&str, &str),
        hierarchy: &Hierarchy<'_>,
    ) -> Result<Option<String>, Refusal> {
        let is_function = self.definition.is("function_definition");
        let around = self.definition.ancestors().find(|it| it.is_any(&["function_definition", "class_definition"]));
        if around.is_some_and(|around| around.is("function_definition")) {
            return Ok(None);
        }
        if is_function && name.starts_with(HOOK) {
            return Ok(Some(format!("pytest calls `{name}` by its name")));
        }
        let is_collected = is_test_file(self.path);
        if is_function && is_collected && AROUND.contains(&name) {
            return Ok(Some(format!("`{name}` is called around tests by its name")));
        }
        let begins = if is_function { TEST } else { TEST_CLASS };
        let is_lost = name.starts_with(begins) && !new_name.starts_with(begins);
        if !is_lost || is_decorated(self.definition, "fixture", self.parsed.text.as_str()) {
            return Ok(None);
        }
        let is_run = match self.class() {
            Some(class) if is_function => {
                let above = hierarchy.ancestors(&class).await?;
                let is_case = names_of_bases(&class, &above).any(|base| base.ends_with(TEST_CASE));
                is_case || is_collected && class.class.name.starts_with(TEST_CLASS)
            }
            _ => is_collected,
        };
        Ok(is_run.then(|| format!("tests are found by names that begin with `{begins}`: `{new_name}` is not run")))
    }

    /// Says who outside of the project calls a method by a name that is put together.
    async fn as_method(&self, name: &str, hierarchy: &Hierarchy<'_>) -> Result<Option<String>, Refusal> {
        let Some(class) = self.class().filter(|_| self.definition.is("function_definition")) else { return Ok(None) };
        let told =
            |who: &str| Some(format!("`{who}` calls methods by names that it puts together, and `{name}` may be one"));
        let all = hierarchy.ancestors(&class).await?;
        for base in names_of_bases(&class, &all) {
            let begun = CALLING.iter().filter(|(who, _)| *who == base).flat_map(|(_, begins)| *begins);
            if begun.into_iter().any(|begins| name.starts_with(begins)) {
                return Ok(told(base));
            }
        }
        for above in all {
            if !above.path.is_below(hierarchy.session.root()) && puts_together(hierarchy, &above, name)? {
                return Ok(told(&above.class.name));
            }
        }
        Ok(None)
    }

    /// The class in whose body it stands.
    fn class(&self) -> Option<LocatedClass> {
        let name: Span = class_definition_around(self.definition)?.child("name")?.span();
        let all = classes(&self.parsed.tree, self.parsed.text.as_str());
        let class = all.into_iter().find(|class| class.name_span == name)?;
        Some(LocatedClass::new(self.path, &class))
    }
}

/// What the classes above a class are called, those of which no more is known too.
fn names_of_bases<'a>(class: &'a LocatedClass, above: &'a [LocatedClass]) -> impl Iterator<Item = &'a str> {
    let bases = above.iter().chain([class]).flat_map(|one| &one.class.bases);
    bases.map(|base| base.text.rsplit('.').next().unwrap_or_default())
}

/// Tells whether a class asks its objects for members by names of which it says a part that this one has.
fn puts_together(hierarchy: &Hierarchy<'_>, class: &LocatedClass, name: &str) -> Result<bool, Refusal> {
    let Some(parsed) = hierarchy.session.parsed(&class.path)? else { return Ok(false) };
    let text = parsed.text.as_str();
    let mut inside = parsed.tree.nodes().within(class.class.full_span);
    Ok(inside.any(|node| dynamic_attributes::is_partly_said(node, text, name)))
}

/// Tells whether pytest looks for tests in a file.
pub(super) fn is_test_file(path: &AbsPath) -> bool {
    let stem = path.file_stem();
    stem.starts_with("test_") || stem.ends_with("_test")
}
