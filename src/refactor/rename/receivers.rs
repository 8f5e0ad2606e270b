//! Whom a Python program asks for a name that it puts together: `getattr(self, "visit_" + kind)` means a member of this class,
//! of those above it, and of its heirs; `getattr(module, "visit_" + kind)` a name of this module.

use std::collections::BTreeSet;

use super::dynamic_attributes;
use super::hierarchy::{Hierarchy, LocatedClass, Standpoint};
use super::python_changes::{Renamed, Standpoints};
use super::run_time::hands_on;
use crate::lsp::{Location, Place};
use crate::refactor::Refusal;
use crate::session::{Parsed, SessionError};
use crate::syntax::python::{ANSWERING, is_of_one_text, is_target};
use crate::syntax::target::last_name;
use crate::syntax::{DeclarationKind, Node, Site, site};
use crate::text::{AbsPath, Span};

/// Who has a member: classes with all that an object of theirs may have beside it, and modules.
#[derive(Debug, Default)]
pub(super) struct Owners {
    classes: BTreeSet<Standpoint>,
    modules: BTreeSet<AbsPath>,
    module_names: BTreeSet<String>,
}

impl Owners {
    /// Those of what is renamed.
    pub(super) async fn of_renamed(hierarchy: &Hierarchy<'_>, renamed: &Renamed) -> Result<Self, Refusal> {
        Self::of(hierarchy, &renamed.classes, renamed.modules.clone()).await
    }

    /// Those of every member and global of that name.
    pub(super) async fn named(hierarchy: &Hierarchy<'_>, name: &str) -> Result<Self, Refusal> {
        let (mut owning, mut modules) = (Standpoints::new(), BTreeSet::new());
        for path in hierarchy.session.disk().files_mentioning(name) {
            let Some(parsed) = hierarchy.session.parsed(&path)? else { continue };
            for class in parsed.classes() {
                if class.member(name).is_some() {
                    owning.insert((path.clone(), class.full_span));
                }
            }
            let declared = parsed.declarations();
            let imported = || {
                parsed.tree.identifiers_named(parsed.text.as_str(), name).into_iter().any(|span| {
                    let is_import = |outer: Node<'_>| outer.is("import_from_statement");
                    parsed.tree.nodes().covering(span).ancestors().any(is_import)
                })
            };
            if declared.iter().any(|one| one.name == name) || imported() {
                modules.insert(path.clone());
            }
        }
        Self::of(hierarchy, &owning, modules).await
    }

    /// Those of members of classes, by their definitions, and of globals of modules.
    pub(super) async fn of(
        hierarchy: &Hierarchy<'_>,
        owning: &Standpoints,
        modules: BTreeSet<AbsPath>,
    ) -> Result<Self, Refusal> {
        let mut owners = Self { module_names: super::python_changes::names_of(&modules), modules, ..Self::default() };
        for (path, span) in owning {
            let Some(own) = hierarchy.class_of((path, *span))? else { continue };
            let mut around = hierarchy.heirs(&own).await?;
            around.push(own);
            for one in around {
                owners.classes.extend(hierarchy.ancestors(&one).await?.iter().map(LocatedClass::place));
                owners.classes.insert(one.place());
            }
        }
        Ok(owners)
    }

    /// Tells whether the name that the string at a place is a part of may be one of theirs: whoever is asked by it is one of
    /// them, or nobody knows who that is.
    pub(super) async fn may_be_asked(
        &self,
        hierarchy: &Hierarchy<'_>,
        (path, span): (&AbsPath, Span),
    ) -> Result<bool, Refusal> {
        // Nobody knows who has what is no member and no global.
        let is_unowned = self.classes.is_empty() && self.modules.is_empty();
        let Some(parsed) = hierarchy.session.parsed(path)?.filter(|_| !is_unowned) else { return Ok(true) };
        let asked = asked(parsed.tree.nodes().covering(span), parsed.text.as_str());
        for object in &asked {
            if self.may_be(hierarchy, (path, &parsed), *object).await? {
                return Ok(true);
            }
        }
        Ok(asked.is_empty())
    }

    /// Tells whether an object that is asked may be one of theirs.
    pub(super) async fn may_be(
        &self,
        hierarchy: &Hierarchy<'_>,
        (path, parsed): (&AbsPath, &Parsed),
        object: Node<'_>,
    ) -> Result<bool, Refusal> {
        let text = parsed.text.as_str();
        if dynamic_attributes::is_own_module(object, text) {
            return Ok(self.modules.contains(path));
        }
        match Standing::of(hierarchy, (path, parsed), object).await? {
            Standing::Objects(classes) => {
                for class in &classes {
                    if self.may_be_of(hierarchy, class).await? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Standing::Modules(modules) => self.may_be_modules(hierarchy, &modules),
            Standing::Unknown => Ok(!self.classes.is_empty() || !is_made(object, text)),
        }
    }

    /// Tells whether an object is known to be one of theirs.
    pub(super) async fn surely_are(
        &self,
        hierarchy: &Hierarchy<'_>,
        (path, parsed): (&AbsPath, &Parsed),
        object: Node<'_>,
    ) -> Result<bool, Refusal> {
        if dynamic_attributes::is_own_module(object, parsed.text.as_str()) {
            return Ok(self.modules.contains(path));
        }
        Ok(match Standing::of(hierarchy, (path, parsed), object).await? {
            Standing::Objects(classes) => classes.iter().any(|it| self.classes.contains(&it.place())),
            Standing::Modules(modules) => modules.iter().any(|it| self.modules.contains(it)),
            Standing::Unknown => false,
        })
    }

    /// Tells whether an object of a class may have a member of theirs. Of a class of others nobody knows all heirs, and what
    /// is not found in a class may come from one above it that nobody knows, or from a method that answers for it.
    async fn may_be_of(&self, hierarchy: &Hierarchy<'_>, class: &LocatedClass) -> Result<bool, Refusal> {
        // Its objects are no modules.
        if self.classes.is_empty() {
            return Ok(false);
        }
        let is_foreign = !class.path.is_below(hierarchy.session.root());
        if is_foreign || class.class.is_protocol || self.classes.contains(&class.place()) {
            return Ok(true);
        }
        let mut line = hierarchy.ancestors(class).await?;
        line.extend(hierarchy.heirs(class).await?);
        line.push(class.clone());
        let answers =
            |one: &LocatedClass| one.class.methods.iter().any(|method| ANSWERING.contains(&method.name.as_str()));
        if line.iter().any(answers) {
            return Ok(true);
        }
        for one in line.iter().filter(|one| one.path.is_below(hierarchy.session.root())) {
            if hierarchy.has_unknown_base(one).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn may_be_modules(&self, hierarchy: &Hierarchy<'_>, modules: &[AbsPath]) -> Result<bool, Refusal> {
        for path in modules {
            let answers = |parsed: &Parsed| {
                let declared = parsed.declarations();
                declared.iter().any(|one| one.name == "__getattr__")
            };
            let answers = hierarchy.session.parsed(path)?.is_some_and(|parsed| answers(&parsed));
            if answers || self.modules.contains(path) || hands_on(hierarchy.session, &self.module_names, path)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tells whether a variable of a function is but an object that a class makes, or that is taken for one of a class
/// (`typing.cast`), be that known or not: it is no module.
fn is_made(object: Node<'_>, text: &str) -> bool {
    let name = object.text(text);
    let Some(function) = object.ancestors().find(|it| it.is("function_definition")) else { return false };
    let targets = function.descendants().filter(|it| it.is("identifier") && it.text(text) == name && is_target(*it));
    let mut values = targets.map(|it| {
        let assignment = it.parent().filter(|outer| outer.is("assignment") && outer.child("left") == Some(it));
        let value = assignment.and_then(|outer| outer.child("right")).filter(|value| value.is("call"));
        let called = value.and_then(|value| value.child("function")).map(|called| last_name(called.text(text)));
        called.is_some_and(|called| called == "cast" || called.starts_with(char::is_uppercase))
    });
    let is_first = values.next() == Some(true);
    object.is("identifier") && is_first && values.all(|it| it)
}

/// What an expression stands for.
pub(super) enum Standing {
    /// Objects of these classes, or of their heirs.
    Objects(Vec<LocatedClass>),
    Modules(Vec<AbsPath>),
    Unknown,
}

impl Standing {
    pub(super) async fn of(
        hierarchy: &Hierarchy<'_>,
        (path, parsed): (&AbsPath, &Parsed),
        object: Node<'_>,
    ) -> Result<Self, Refusal> {
        if dynamic_attributes::is_own(object, parsed.text.as_str()) {
            let around = object.ancestors().find(|outer| outer.is("class_definition"));
            let name = around.and_then(|class| class.child("name")).map(Node::span);
            let class = parsed.classes().iter().find(|class| Some(class.name_span) == name);
            return Ok(class.map_or(Self::Unknown, |class| Self::Objects(vec![LocatedClass::new(path, class)])));
        }
        let name = if object.is("attribute") { object.child("attribute") } else { Some(object) };
        let Some(name) = name.filter(|name| name.is("identifier")) else { return Ok(Self::Unknown) };
        let place = Place { path: path.clone(), offset: name.start() };
        let declared = hierarchy.server.definition(&place).await.map_err(SessionError::from)?;
        if let Some(modules) = modules(&declared) {
            return Ok(Self::Modules(modules));
        }
        if !is_typed(hierarchy, &declared)? {
            return Ok(Self::Unknown);
        }
        let types = hierarchy.server.type_definition(&place).await.map_err(SessionError::from)?;
        let classes =
            types.iter().map(|location| hierarchy.class_at(location)).collect::<Result<Option<Vec<_>>, _>>()?;
        Ok(classes.filter(|classes| !classes.is_empty()).map_or(Self::Unknown, Self::Objects))
    }
}

/// The modules that a name leads to, each as the beginning of its file; nothing where it leads to something else, too.
fn modules(declared: &[Location]) -> Option<Vec<AbsPath>> {
    let paths = declared.iter().map(|location| Some(location.path.clone()).filter(|_| location.span.end == 0));
    paths.collect::<Option<Vec<_>>>().filter(|paths| !paths.is_empty())
}

/// Tells whether all that a name leads to says its type: a class, an annotation, the call of a class.
fn is_typed(hierarchy: &Hierarchy<'_>, declared: &[Location]) -> Result<bool, Refusal> {
    for location in declared {
        let Some(parsed) = hierarchy.session.parsed(&location.path)? else { return Ok(false) };
        let text = parsed.text.as_str();
        // Of a parameter the server names the whole, with its type.
        let name = Span::new(location.span.start, location.span.start + 1);
        if site(&parsed.tree, text, name) == Site::Declaration(DeclarationKind::Class) {
            continue;
        }
        let Some(outer) = parsed.tree.nodes().covering(name).parent() else { return Ok(false) };
        let built = |right: Node<'_>| {
            let called = right.child("function").filter(|_| right.is("call"))?;
            called.text(text).rsplit('.').next()?.chars().find(|letter| *letter != '_')
        };
        let is_built = || outer.child("right").and_then(built).is_some_and(char::is_uppercase);
        let is_annotated = outer.child("type").is_some() || outer.is("typed_parameter");
        if !is_annotated && !is_built() {
            return Ok(false);
        }
    }
    Ok(!declared.is_empty())
}

/// The objects that are asked for the name that a string is a part of, by itself or by the variable that it is assigned to;
/// none where something else may be done with it.
pub(super) fn asked<'t>(string: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let mut whole = string;
    while let Some(outer) = whole.parent().filter(|outer| is_of_one_text(*outer, whole)) {
        whole = outer;
    }
    if let Some(object) = asked_by(whole, text).or_else(|| dynamic_attributes::listed_members(whole, text)) {
        return vec![object];
    }
    let variable = || {
        let assigned = whole.parent().filter(|outer| outer.is("assignment") && outer.child("right") == Some(whole))?;
        let name = assigned.child("left").filter(|left| left.is("identifier"))?;
        let function = assigned.ancestors().find(|outer| outer.is("function_definition"))?;
        Some((name, function))
    };
    let Some((variable, function)) = variable() else { return Vec::new() };
    let is_same = |node: &Node<'_>| node.is("identifier") && node.text(text) == variable.text(text);
    let is_read = |node: &Node<'_>| {
        let is_set = node.parent().is_some_and(|outer| outer.is("assignment") && outer.child("left") == Some(*node));
        !is_set && !node.ancestors().any(|outer| outer.is("raise_statement"))
    };
    let objects = function.descendants().filter(is_same).filter(is_read).map(|node| asked_by(node, text));
    objects.collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// The object that is asked for a name where that is the second argument of a call, or a key of the object's members.
fn asked_by<'t>(named: Node<'t>, text: &str) -> Option<Node<'t>> {
    if let Some(subscript) = named.parent().filter(|outer| outer.is("subscript")) {
        let value = subscript.child("value")?;
        let own = Some(value).filter(|value| dynamic_attributes::is_globals(*value, text));
        return own.or_else(|| dynamic_attributes::keyed_members(value, text));
    }
    let call = named.parent().filter(|outer| outer.is("argument_list"))?.parent()?;
    let (object, asked) = dynamic_attributes::asked_by_name(call, text)?;
    (asked == named).then_some(object)
}
