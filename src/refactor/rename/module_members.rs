//! Whether what a module declares at its top can be a member that somebody asks an unknown object for: of Python, where the
//! module itself is passed around as an object, or may be; of scripts, where it is handed out.

use std::collections::{BTreeMap, BTreeSet};

use super::edited_spans::sorted;
use super::proximity::{Nearness, WeighedPlaces};
use crate::plan::Parts;
use crate::refactor::commonjs::says_commonjs;
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::{DeclarationKind, Family, Node, Site, Tree, site};
use crate::text::{AbsPath, Span};

/// By these a program of Python gets a module, or all that it has, as an object.
const GETTING: &[&str] = &["import_module", "__import__", "sys.modules", "load_source", "exec_module"];

/// Leaves out the members of unknown objects where none of them can be what is renamed.
pub(super) fn leave_out(session: &Session, family: Family, parts: &Parts, found: &mut WeighedPlaces) {
    let is_use = |nearness: &Nearness| *nearness == Nearness::Use;
    if !found.keys().any(|(nearness, _)| is_use(nearness)) {
        return;
    }
    let places = parts.edits.iter().map(|(path, (_, edits))| (path, sorted(edits))).collect();
    if !is_no_member(session, family, &places) {
        return;
    }
    for ((_, path), spans) in found.iter_mut().filter(|((nearness, _), _)| is_use(nearness)) {
        let Ok(Some(parsed)) = session.parsed(path) else { continue };
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        spans.retain(|span| site(tree, text, *span) != Site::Member || asks_import(tree, text, *span));
    }
    found.retain(|_, spans| !spans.is_empty());
}

/// Tells whether a member is asked of what a file of Python imports, be it that nobody finds it.
pub(crate) fn asks_import(tree: &Tree, text: &str, member: Span) -> bool {
    let Some(asked) = tree.nodes().covering(member).parent() else { return false };
    let root = std::iter::successors(asked.child("object"), |it| it.child("object")).last();
    let Some(root) = root.filter(|it| it.is("identifier")).map(|it| it.text(text)) else { return false };
    imported(tree, text).any(|one| one.local() == root) && !is_module_path(tree, text, member)
}

/// Tells whether a member is a module that the file imports by its whole path, and that is asked for more:
/// `import shop.main; shop.main.run()`.
pub(crate) fn is_module_path(tree: &Tree, text: &str, member: Span) -> bool {
    let is_attribute = |it: &Node<'_>| it.is("attribute");
    let Some(path) = tree.nodes().covering(member).parent().filter(is_attribute) else { return false };
    if !path.parent().filter(is_attribute).is_some_and(|it| it.child("object") == Some(path)) {
        return false;
    }
    imported(tree, text).filter(|one| one.alias.is_none()).any(|one| {
        let behind = one.of.strip_prefix(path.text(text));
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with('.'))
    })
}

/// A name that a statement of Python imports.
struct Imported<'t> {
    statement: Node<'t>,
    /// `a.b` of `import a.b` and of `import a.b as c`, `b` of `from a import b`.
    of: &'t str,
    alias: Option<&'t str>,
}

impl<'t> Imported<'t> {
    /// Returns what the file comes to know: `a`, `c`, `b`.
    fn local(&self) -> &'t str {
        self.alias.unwrap_or_else(|| self.of.split('.').next().unwrap_or(self.of))
    }

    /// Tells whether that may be a module of some name: what a module has may be called like the module.
    fn may_be(&self, text: &str, module: &str) -> bool {
        let is_last = self.of.rsplit('.').next() == Some(module);
        is_last && (self.alias.is_some() || !self.of.contains('.')) && module_of(self.statement, text) != module
    }
}

fn imported<'t>(tree: &'t Tree, text: &'t str) -> impl Iterator<Item = Imported<'t>> {
    let statements = tree.nodes().iter().filter(|node| node.is_any(&["import_statement", "import_from_statement"]));
    statements.flat_map(move |statement| {
        statement.children_in("name").map(move |item| {
            let of = item.child("name").unwrap_or(item).text(text);
            Imported { statement, of, alias: item.child("alias").map(|alias| alias.text(text)) }
        })
    })
}

/// The places of a name, file by file.
type Places<'p> = BTreeMap<&'p AbsPath, Vec<Span>>;

/// Tells whether what is declared and used at some places stands at the top of modules that nobody can have as objects.
pub(crate) fn is_no_member(session: &Session, family: Family, places: &Places<'_>) -> bool {
    let sealed = || {
        let modules = at_top(session, places)?;
        match family {
            Family::Python => Some(!modules.is_empty() && !is_passed_around(session, &modules)?),
            Family::Script => Some(!modules.is_empty() && is_kept(session, places)?),
            _ => None,
        }
    };
    sealed().unwrap_or_default()
}

/// Returns the modules that declare or import it at their top; nothing where it is declared elsewhere, or a file cannot be read.
fn at_top<'p>(session: &Session, places: &Places<'p>) -> Option<BTreeSet<&'p AbsPath>> {
    let (mut modules, mut is_declared) = (BTreeSet::new(), false);
    for (path, spans) in places {
        let Some(parsed) = session.parsed(path).ok()? else { continue };
        for span in spans {
            let node = parsed.tree.nodes().covering(*span);
            match site(&parsed.tree, parsed.text.as_str(), *span) {
                Site::Declaration(kind) if is_at_top(node, kind) => is_declared = true,
                Site::Declaration(_) => return None,
                Site::ImportedName { .. } | Site::ImportSpecifier { .. } => {}
                _ => continue,
            }
            modules.insert(*path);
        }
    }
    is_declared.then_some(modules)
}

fn is_at_top(name: Node<'_>, kind: DeclarationKind) -> bool {
    const INSIDE: &[&str] =
        &["class_definition", "class_body", "object", "internal_module", "module_block", "parameters"];
    let plain = matches!(
        kind,
        DeclarationKind::Function | DeclarationKind::Class | DeclarationKind::Variable | DeclarationKind::Constant
    );
    let declared = name.parent().filter(|it| it.child("name") == Some(name));
    let mut around = name.ancestors().skip_while(|it| Some(*it) == declared);
    plain && around.all(|it| !it.is_any(INSIDE) && !crate::syntax::is_any_function(it))
}

/// Tells whether modules of Python are used for more than to ask them for what they have, or may be.
fn is_passed_around(session: &Session, modules: &BTreeSet<&AbsPath>) -> Option<bool> {
    let python = |path: &AbsPath| path.extension() == "py";
    let says = |path: &AbsPath, word: &str| session.disk().read(path).is_ok_and(|text| text.as_str().contains(word));
    let gets = |word: &&str| session.disk().files_mentioning(word).iter().any(|path| python(path) && says(path, word));
    if GETTING.iter().any(gets) {
        return Some(true);
    }
    for module in modules {
        let stem = module.file_stem();
        let around = module.parent();
        let name = if stem == "__init__" { around.as_ref().map_or("", |it| it.file_name()) } else { stem };
        for path in session.disk().files_mentioning(name).into_iter().filter(python) {
            let parsed = session.parsed(&path).ok()??;
            if is_value(&parsed, name) {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Tells whether a file uses a module as an object, under its own name or another one, or spells it, as mocks do.
fn is_value(parsed: &Parsed, name: &str) -> bool {
    const BY_NAME: &[&str] = &["attrgetter", "delattr", "getattr", "hasattr", "object", "patch", "setattr"];
    let text = parsed.text.as_str();
    let modules = imported(&parsed.tree, text).filter(|one| one.may_be(text, name));
    let bound: BTreeSet<&str> = modules.map(|one| one.local()).collect();
    parsed.tree.nodes().iter().any(|node| match node.kind() {
        "identifier" if node.field() == Some("attribute") => node.text(text) == name && is_whole(node),
        "identifier" => bound.contains(node.text(text)) && is_whole(node),
        // Whoever takes all of it offers all of it.
        "wildcard_import" => node.parent().is_some_and(|it| module_of(it, text) == name),
        "string_content" => {
            let said = node.text(text);
            let call = node.ancestors().nth(2).filter(|call| call.is("call"));
            let called = call.and_then(|call| call.child("function")).map_or("", |it| it.text(text));
            let is_asked = BY_NAME.contains(&called.rsplit('.').next().unwrap_or_default());
            said == name && is_asked || said.strip_suffix(name).is_some_and(|before| before.ends_with('.'))
        }
        _ => false,
    })
}

/// Returns the last part of the module that a statement imports from.
fn module_of<'t>(statement: Node<'_>, text: &'t str) -> &'t str {
    let module = statement.child("module_name").map_or("", |it| it.text(text));
    module.rsplit('.').next().unwrap_or_default()
}

/// Tells whether a name stands for the object itself: not where it is imported, asked for something, called, set, or names an
/// argument.
fn is_whole(name: Node<'_>) -> bool {
    const IMPORTS: &[&str] = &["dotted_name", "aliased_import", "import_statement", "import_from_statement"];
    let Some(outer) = name.parent() else { return true };
    let whole = if outer.is("attribute") && name.field() == Some("attribute") { outer } else { name };
    let around = whole.parent();
    let is_asked = around.is_some_and(|it| it.is("attribute") && whole.field() == Some("object"));
    let is_called = around.is_some_and(|it| it.is("call") && whole.field() == Some("function"));
    let is_set = around.is_some_and(|it| it.is("assignment") && whole.field() == Some("left"));
    let is_argument = outer.is("keyword_argument") && name.field() == Some("name");
    !is_asked && !is_called && !is_set && !is_argument && !outer.is_any(IMPORTS)
}

/// Tells whether it stands in one file alone, a module that hands nothing of it out.
fn is_kept(session: &Session, places: &Places<'_>) -> Option<bool> {
    let (path, spans) = places.first_key_value().filter(|_| places.len() == 1)?;
    let parsed = session.parsed(path).ok()??;
    let text = parsed.text.as_str();
    let handed = |span: &Span| {
        let node = parsed.tree.nodes().covering(*span);
        node.ancestors().any(|it| {
            let target = it.child("left").filter(|_| it.is("assignment_expression")).map_or("", |it| it.text(text));
            it.is("export_statement") || target.starts_with("exports") || target.starts_with("module.exports")
        })
    };
    let is_module = says_commonjs(&Code::known(session, path).ok()?).is_some();
    Some(is_module && !spans.iter().any(handed))
}
