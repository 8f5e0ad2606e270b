//! The modules whose fixtures a test sees: every `conftest.py` beside and above it, and what these, or its own module, import
//! fixtures from, or name as plugins of pytest.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::Node;
use crate::text::AbsPath;
use crate::workspace::Files;

/// A module that shares its fixtures with a test.
pub(super) struct FixtureSource {
    pub path: AbsPath,
    pub parsed: Arc<Parsed>,
    /// As the test's module imports it: `..conftest`.
    pub module: String,
    /// Those that are imported by name; nothing where it shares them all.
    names: Option<BTreeSet<String>>,
}

/// Where fixtures are found that no module declares or imports itself.
const SHARED: &str = "conftest.py";
/// What names modules whose fixtures are shared (pytest's documentation, § Requiring/Loading plugins).
const PLUGINS: &str = "pytest_plugins";

impl FixtureSource {
    /// Those of a module, the nearest first; its own are not among them.
    pub(super) fn of(session: &Session, path: &AbsPath, parsed: &Parsed) -> Result<Vec<Self>, Refusal> {
        let looking = Looking { session, files: session.disk().files(), test: path };
        let mut found = looking.imported(path, parsed)?;
        let mut dir = path.parent();
        while let Some(here) = dir.filter(|dir| dir.is_below(session.root())) {
            let shared = here.join(SHARED).ok().filter(|file| file != path);
            if let Some(source) = shared.map(|file| looking.source(file, None)).transpose()?.flatten() {
                let imported = looking.imported(&source.path, &source.parsed)?;
                found.push(source);
                found.extend(imported);
            }
            dir = here.parent();
        }
        Ok(found)
    }

    /// Tells whether a test sees the fixture of a name, where the module has it.
    pub(super) fn shares(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(name))
    }
}

/// Returns where tests see a fixture of a module: in the module, or below a `conftest.py`, and in what imports it from there, or
/// names the module as a plugin.
pub(super) fn regions(session: &Session, path: &AbsPath, name: &str) -> Result<Vec<AbsPath>, Refusal> {
    let (mut open, mut seen, mut regions) = (vec![path.clone()], BTreeSet::from([path.clone()]), Vec::new());
    while let Some(module) = open.pop() {
        let own = module.parent().filter(|_| module.file_name() == SHARED);
        regions.push(own.unwrap_or_else(|| module.clone()));
        let package = module.parent().filter(|_| module.file_stem() == "__init__");
        let called = package.as_ref().unwrap_or(&module).file_stem().to_owned();
        for importer in session.disk().files_mentioning(&called).into_iter().filter(|file| file.extension() == "py") {
            let Some(parsed) = session.parsed(&importer)? else { continue };
            let looking = Looking { session, files: session.disk().files(), test: &importer };
            let takes = |(from, names): &Taken<'_>| {
                let has_name = names.as_ref().is_none_or(|names| names.contains(name));
                has_name && looking.file(&importer, from).is_some_and(|file| file == module)
            };
            if taken(&parsed).iter().any(takes) && seen.insert(importer.clone()) {
                open.push(importer);
            }
        }
    }
    Ok(regions)
}

/// What the statements of a module take from others.
fn taken(parsed: &Parsed) -> Vec<Taken<'_>> {
    let text = parsed.text.as_str();
    let of = |statement: Node<'_>| match statement.kind() {
        "import_from_statement" => imported_names(statement, text).map(|taken| vec![taken]),
        "expression_statement" => plugins(statement, text),
        _ => None,
    };
    parsed.tree.nodes().root().named_children().filter_map(of).flatten().collect()
}

/// One search, for a test's module.
struct Looking<'a> {
    session: &'a Session,
    files: Files,
    test: &'a AbsPath,
}

impl Looking<'_> {
    /// The modules that a module takes fixtures from.
    fn imported(&self, path: &AbsPath, parsed: &Parsed) -> Result<Vec<FixtureSource>, Refusal> {
        let mut found = Vec::new();
        for (module, names) in taken(parsed) {
            let Some(file) = self.file(path, module) else { continue };
            found.extend(self.source(file, names)?.filter(|it| it.parsed.text.as_str().contains("fixture")));
        }
        Ok(found)
    }

    fn source(&self, path: AbsPath, names: Option<BTreeSet<String>>) -> Result<Option<FixtureSource>, Refusal> {
        let Some(module) = relative(self.test, &path).filter(|_| self.is_there(&path)) else { return Ok(None) };
        let parsed = self.session.parsed(&path)?;
        Ok(parsed.map(|parsed| FixtureSource { path, parsed, module, names }))
    }

    /// The file that a module is, as another one names it: from its own directory, or from one above.
    fn file(&self, from: &AbsPath, module: &str) -> Option<AbsPath> {
        let rest = module.trim_start_matches('.');
        let dots = module.len() - rest.len();
        let below = |dir: &AbsPath| {
            let path = rest.replace('.', "/");
            let module = dir.join(format!("{path}.py")).ok().filter(|file| self.is_there(file));
            module.or_else(|| dir.join(format!("{path}/__init__.py")).ok().filter(|file| self.is_there(file)))
        };
        let mut dirs = std::iter::successors(from.parent(), AbsPath::parent);
        match dots {
            0 => dirs.take_while(|dir| dir.is_below(self.session.root())).find_map(|dir| below(&dir)),
            dots => below(&dirs.nth(dots - 1)?),
        }
    }

    fn is_there(&self, file: &AbsPath) -> bool {
        self.files.holds(file)
    }
}

/// A module as it is named, and the names that are taken from it; nothing of these where all are.
type Taken<'t> = (&'t str, Option<BTreeSet<String>>);

/// The module that a statement imports from, and the names that it takes; nothing of these where it takes all.
fn imported_names<'t>(statement: Node<'_>, text: &'t str) -> Option<Taken<'t>> {
    let module = statement.child("module_name")?.text(text);
    if statement.child_of_kind("wildcard_import").is_some() {
        return Some((module, None));
    }
    let names =
        statement.children_in("name").filter(|name| name.is("dotted_name")).map(|name| name.text(text).to_owned());
    Some((module, Some(names.collect())))
}

/// The modules that a statement names as plugins.
fn plugins<'t>(statement: Node<'_>, text: &'t str) -> Option<Vec<Taken<'t>>> {
    let assignment = statement.named_children().next().filter(|it| it.is("assignment"))?;
    assignment.child("left").filter(|left| left.text(text) == PLUGINS)?;
    let strings = assignment.child("right")?.descendants().filter(|node| node.is("string_content"));
    Some(strings.map(|string| (string.text(text), None)).collect())
}

/// How one module imports another one by their places.
fn relative(from: &AbsPath, to: &AbsPath) -> Option<String> {
    let (mut dots, mut dir) = (String::new(), from.parent());
    while let Some(here) = dir {
        dots.push('.');
        if let Some(below) = to.relative_to(&here) {
            let module = below.as_str().trim_end_matches(".py").trim_end_matches("/__init__").replace('/', ".");
            return Some(format!("{dots}{module}"));
        }
        dir = here.parent();
    }
    None
}
