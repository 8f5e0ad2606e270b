//! What a Python rename changes, as far as it matters to a program that runs.

use std::collections::BTreeSet;

use super::fixtures::function_of_parameter;
use super::hierarchy::CONSTRUCTORS;
use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::AttributeKind;
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{AbsPath, Span};

/// Bases of what command lines are read into (Python's `argparse` and `optparse`).
const READ_INTO: [&str; 2] = ["Namespace", "Values"];

/// What the bases of a class are called that lists its members (Python's `enum`, Django's `Choices`).
const ENUMERATIONS: [&str; 3] = ["Enum", "Flag", "Choices"];

/// A definition, by its file and its span.
pub(super) type Standpoints = BTreeSet<(AbsPath, Span)>;

/// The definitions of which something is renamed.
#[derive(Debug, Default)]
pub(super) struct Renamed {
    /// Functions with a renamed parameter.
    pub functions: Standpoints,
    /// Classes with a renamed member.
    pub classes: Standpoints,
    /// Those of which a field or a parameter of the constructor is renamed.
    pub built: Standpoints,
    /// The names of all, by which others ask for them.
    pub owners: BTreeSet<String>,
    /// Command lines are read into one of the classes.
    pub is_read_into: bool,
    /// A member of an enumeration is renamed, which knows its own name.
    pub is_enumerated: bool,
    /// An attribute is renamed, which objects have as a key.
    pub is_field: bool,
    /// Modules with a renamed name at the top: those that declare it, and those that import it.
    pub modules: BTreeSet<AbsPath>,
}

impl Renamed {
    pub(super) fn of(session: &Session, gathered: &Gathered) -> Result<Self, Refusal> {
        let mut renamed = Self::default();
        for path in gathered.paths() {
            let Some(parsed) = session.parsed(path)? else { continue };
            let edited: BTreeSet<Span> = gathered.edits_of(path).into_iter().map(|edit| edit.span).collect();
            for span in &edited {
                renamed.declared(path, &parsed, *span);
            }
            renamed.members(path, &parsed, &edited);
        }
        Ok(renamed)
    }

    /// Returns the names of the functions with a renamed parameter.
    pub(super) fn function_names(&self, session: &Session) -> Result<BTreeSet<String>, Refusal> {
        let mut names = BTreeSet::new();
        for (path, span) in &self.functions {
            let Some(parsed) = session.parsed(path)? else { continue };
            let name = parsed.tree.nodes().covering(*span).child("name");
            names.extend(name.map(|name| name.text(parsed.text.as_str()).to_owned()));
        }
        Ok(names)
    }

    fn declared(&mut self, path: &AbsPath, parsed: &Parsed, span: Span) {
        let text = parsed.text.as_str();
        let node = parsed.tree.nodes().covering(span);
        let Site::Declaration(kind) = site(&parsed.tree, text, span) else {
            if node.ancestors().any(|outer| outer.is("import_from_statement")) {
                self.modules.insert(path.clone());
            }
            return;
        };
        let around = |kind: &str| node.ancestors().find(|outer| outer.is(kind));
        let Some(function) = function_of_parameter(node).filter(|_| kind == DeclarationKind::Parameter) else {
            let is_inside = around("class_definition").or_else(|| around("function_definition"));
            if is_inside.is_none_or(|outer| outer.child("name").is_some_and(|own| own.span() == span)) {
                self.modules.insert(path.clone());
            }
            return;
        };
        self.functions.insert((path.clone(), function.span()));
        let named = |node: Node<'_>| node.child("name").map(|own| own.text(text).to_owned());
        let own = named(function).filter(|own| !CONSTRUCTORS.contains(&own.as_str()));
        let class = function.ancestors().find(|outer| outer.is("class_definition")).filter(|_| own.is_none());
        self.built.extend(class.map(|class| (path.clone(), class.span())));
        self.owners.extend(own.or_else(|| named(class?)));
    }

    fn members(&mut self, path: &AbsPath, parsed: &Parsed, edited: &BTreeSet<Span>) {
        for class in parsed.classes() {
            let places = || class.attributes.iter().flat_map(|attribute| &attribute.places);
            let is_written = class.methods.iter().any(|method| CONSTRUCTORS.contains(&method.name.as_str()));
            let is_field =
                |(kind, span): &(AttributeKind, Span)| *kind == AttributeKind::Class && edited.contains(span);
            if !is_written && places().any(is_field) {
                self.built.insert((path.clone(), class.full_span));
            }
            self.is_field |= places().any(|(_, span)| edited.contains(span));
            self.is_enumerated |= places().any(is_field) && class.bases.iter().any(|base| is_enumeration(&base.text));
            let others = class.methods.iter().map(|method| method.name_span);
            let others = others.chain(class.inner.iter().map(|inner| inner.name_span));
            if places().map(|(_, span)| *span).chain(others).any(|span| edited.contains(&span)) {
                let last = |base: &str| base.rsplit('.').next().unwrap_or_default().to_owned();
                self.is_read_into |= class.bases.iter().any(|base| READ_INTO.contains(&last(&base.text).as_str()));
                self.owners.insert(class.name.clone());
                self.classes.insert((path.clone(), class.full_span));
            }
        }
    }

    /// Returns the names by which programs ask for the modules, and for the packages around them, which may hand on all
    /// that a module has.
    pub(super) fn module_names(&self) -> BTreeSet<String> {
        names_of(&self.modules)
    }
}

/// Returns the names of modules and of the packages around them.
pub(super) fn names_of(modules: &BTreeSet<AbsPath>) -> BTreeSet<String> {
    let of = |path: &AbsPath| {
        let around = path.parent().map(|parent| parent.file_name().to_owned());
        let own = Some(path.file_stem().to_owned()).filter(|stem| stem != "__init__");
        [own, around]
    };
    modules.iter().flat_map(of).flatten().collect()
}

/// Tells whether what a class extends makes it an enumeration, by name.
pub(super) fn is_enumeration(bases: &str) -> bool {
    ENUMERATIONS.iter().any(|kind| bases.contains(kind))
}
