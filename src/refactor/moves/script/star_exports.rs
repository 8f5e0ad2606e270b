//! Names that modules of scripts hand on by `export * from`: of two that say the same, neither comes through (ECMA-262, § 16.2.1.7.2,
//! ResolveExport), and what such a module exports itself goes before both.

use std::collections::BTreeSet;

use super::links::{Modules, Project};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{LinkedName, Links, NewName};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span};

/// Who exports a name, by what the texts say.
struct Exports<'a> {
    session: &'a Session,
    links: Modules<'a>,
    new: &'a NewName<'a>,
}

/// Finds a module that hands on all of the home, and exports something else by that name.
pub(crate) fn hidden(session: &Session, new: &NewName<'_>) -> Result<Option<(AbsPath, Span)>, Refusal> {
    if naming(session, new.home).is_empty() {
        return Ok(None);
    }
    let Some(project) = Project::with(session.sources(), new.home) else { return Ok(None) };
    let exports = Exports { session, links: Modules::new(&project), new };
    let mut handing = BTreeSet::from([new.home.clone()]);
    let mut open = vec![new.home.clone()];
    while let Some(module) = open.pop() {
        for barrel in exports.barrels(&module)? {
            if handing.insert(barrel.path.clone()) {
                if let Some(span) = exports.other(&barrel, &handing)? {
                    return Ok(Some((barrel.path, span)));
                }
                open.push(barrel.path);
            }
        }
    }
    Ok(None)
}

impl Exports<'_> {
    /// Returns the modules that hand on all of one.
    fn barrels(&self, module: &AbsPath) -> Result<Vec<Code>, Refusal> {
        let mut found = Vec::new();
        for path in naming(self.session, module) {
            let code = Code::known(self.session, &path)?;
            if self.handed(&code).any(|(_, it)| it == *module) {
                found.push(code);
            }
        }
        Ok(found)
    }

    /// Returns the modules of the project whose exports a module hands on, and where it says so.
    fn handed(&self, code: &Code) -> impl Iterator<Item = (Span, AbsPath)> {
        let stars = self.links.of(code).into_iter().filter(|it| it.taken == LinkedName::Star && it.form.is_export());
        stars.filter_map(|it| Some((it.item, it.module?)))
    }

    /// Returns where a module has the name from anybody but those that hand on the new one.
    fn other(&self, code: &Code, handing: &BTreeSet<AbsPath>) -> Result<Option<Span>, Refusal> {
        if let Some(own) = exported(code.root()).find(|it| it.of(code.text()) == Some(self.new.name)) {
            return Ok(Some(own));
        }
        for (item, module) in self.handed(code) {
            if !handing.contains(&module) && self.gives(&module, &mut handing.clone())? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn gives(&self, module: &AbsPath, asked: &mut BTreeSet<AbsPath>) -> Result<bool, Refusal> {
        if !asked.insert(module.clone()) {
            return Ok(false);
        }
        let code = Code::known(self.session, module)?;
        let is_it = |it: Span| it.of(code.text()) == Some(self.new.name);
        if exported(code.root()).any(is_it) {
            return Ok(!(self.new.leaves)(module));
        }
        for (_, next) in self.handed(&code) {
            if self.gives(&next, asked)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the scripts with an `export *` that say the name of a module, or that of its directory; by their words: most are not parsed
/// for that.
fn naming(session: &Session, module: &AbsPath) -> BTreeSet<AbsPath> {
    let disk = session.disk();
    let mut said = BTreeSet::from_iter(disk.files_mentioning(module.file_stem()));
    said.extend(module.parent().into_iter().flat_map(|it| disk.files_mentioning(it.file_stem())));
    said.retain(|path| {
        let is_script = Language::of_path(path).is_some_and(|it| it.family() == Family::Script);
        is_script && disk.read(path).is_ok_and(|text| text.as_str().contains("export *"))
    });
    said
}

/// Returns where a module says the names that it exports, `export *` apart.
pub(crate) fn exported(root: Node<'_>) -> impl Iterator<Item = Span> {
    let statements = root.children().filter(|it| it.is("export_statement"));
    statements.flat_map(|statement| {
        let is_default = statement.children().any(|it| it.kind() == "default");
        let declaration = statement.child("declaration").filter(|_| !is_default);
        let declared = declaration.into_iter().flat_map(names);
        let items = statement.descendants().filter(|it| it.is("export_specifier"));
        let said = items.filter_map(|it| it.child("alias").or_else(|| it.child("name"))).map(Node::span);
        declared.chain(said).collect::<Vec<_>>()
    })
}

/// Returns the names that a declaration binds.
fn names(declaration: Node<'_>) -> Vec<Span> {
    if let Some(name) = declaration.child("name") {
        return vec![name.span()];
    }
    let declarators = declaration.named_children().filter(|it| it.is("variable_declarator"));
    let bound = declarators.filter_map(|it| it.child("name"));
    let is_name = |it: &Node<'_>| it.is_any(&["identifier", "shorthand_property_identifier_pattern"]);
    let all = bound.flat_map(|it| std::iter::once(it).chain(it.descendants()).collect::<Vec<_>>());
    all.filter(is_name).map(Node::span).collect()
}
