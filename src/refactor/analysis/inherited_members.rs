//! What comes to a class from one that it extends or holds, and who takes notice of the difference.

use super::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind, PLAIN, usage};
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::python::is_special_name;
use crate::syntax::{Family, Node};

/// A class with all that is above it, which is the project's own and does nothing with who it is.
pub(crate) struct Lineage {
    /// The class itself first.
    pub classes: Vec<LocatedClass>,
}

/// A member that objects have from a line.
pub(crate) struct Inherited {
    pub name: String,
    pub place: Place,
    /// A value that is kept, not a method or an accessor.
    pub is_field: bool,
    /// By its mark, or by its name.
    pub is_private: bool,
}

impl Lineage {
    pub(crate) async fn of(kin: &ClassHierarchy<'_>, first: LocatedClass) -> Result<Self, Refusal> {
        let (above, unknown) = kin.ancestors(&first.class()).await?;
        if let Some(base) = unknown.first() {
            let class = first.class();
            let reason = format!("`{base}`, from which `{}` inherits, cannot be resolved", class.name());
            return Err(class.code.refuse(class.name.start(), reason));
        }
        let above = above.into_iter().filter(|it| !PLAIN.contains(&it.class().name()));
        let line = Self { classes: std::iter::once(first).chain(above).collect() };
        for standing in &line.classes {
            if !kin.is_own(standing) {
                let reason = format!("`{}` is not the project's own class", standing.class().name());
                return Err(Refusal::NotPossible(reason));
            }
            check_class(&standing.class())?;
            for member in standing.class().members() {
                check_member(&standing.class(), &member)?;
            }
        }
        Ok(line)
    }

    pub(crate) fn base(&self) -> Class<'_> {
        self.classes[0].class()
    }

    /// Returns what objects have from the line, each name once.
    pub(crate) fn inherited(&self) -> Vec<Inherited> {
        let mut found: Vec<Inherited> = Vec::new();
        for standing in &self.classes {
            let class = standing.class();
            let is_script = class.code.family() == Family::Script;
            for member in class.members() {
                let name = member.name.text(class.code.text());
                let is_other = member.kind == MemberKind::Constructor || is_script && member.is_static;
                if is_other || found.iter().any(|it| it.name == name) {
                    continue;
                }
                let is_marked = member.is_closed(class.code);
                found.push(Inherited {
                    name: name.to_owned(),
                    place: Place { path: class.code.path.clone(), offset: member.name.start() },
                    is_field: member.kind != MemberKind::Method,
                    is_private: is_marked || name.starts_with(['_', '#']),
                });
            }
        }
        found
    }

    /// Returns the members of a name, where the line has them first.
    pub(crate) fn members_named(&self, name: &str) -> Option<(Class<'_>, Vec<Member<'_>>)> {
        let mut all = self.classes.iter().map(|it| (it.class(), it.class().members_named(name)));
        all.find(|(_, members)| !members.is_empty())
    }

    /// Returns the constructor that makes objects of the class, if one is written.
    pub(crate) fn constructor(&self) -> Option<(Class<'_>, Vec<Member<'_>>)> {
        let built = |class: &Class<'_>| class.members().iter().any(|it| it.kind == MemberKind::Constructor);
        let class = self.classes.iter().map(LocatedClass::class).find(built)?;
        Some((class, class.members().into_iter().filter(|it| it.kind == MemberKind::Constructor).collect()))
    }

    /// Refuses a name by which one of the classes asks its own object for something.
    pub(crate) fn check_unasked(&self, name: &str) -> Result<(), Refusal> {
        for standing in &self.classes {
            let class = standing.class();
            for member in class.members() {
                let used = usage(class.code, member.node);
                if let Some(node) = used.members.iter().find(|it| it.text(class.code.text()) == name) {
                    let reason = format!("`{}` asks its own object for `{name}` here", class.name());
                    return Err(class.code.refuse(node.start(), reason));
                }
            }
        }
        Ok(())
    }

    /// Refuses classes that ask their own object for what only those below have.
    pub(crate) fn check_complete(&self) -> Result<(), Refusal> {
        for standing in &self.classes {
            let class = standing.class();
            for node in class.members().iter().flat_map(|it| usage(class.code, it.node).members) {
                let name = node.text(class.code.text());
                if self.members_named(name).is_none() {
                    let reason = format!("`{}` declares no `{name}` itself: its subclasses do", class.name());
                    return Err(class.code.refuse(node.start(), reason));
                }
            }
        }
        Ok(())
    }

    /// Refuses where the program asks whether something is of one of the classes.
    pub(crate) async fn check_kinds(&self, session: &Session, kin: &ClassHierarchy<'_>) -> Result<(), Refusal> {
        for standing in &self.classes {
            let class = standing.class();
            for location in kin.uses(&class).await? {
                let user = Code::known(session, &location.path)?;
                if asks_kind(&user, user.covering(location.span)) {
                    let reason = format!("`{}` is part of a type check here, whose result would change", class.name());
                    return Err(user.refuse(location.span.start, reason));
                }
            }
        }
        Ok(())
    }
}

/// Methods of Python that put an object together again from what it held.
const REMADE: &[&str] =
    &["__setstate__", "__getstate__", "__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__", "__getnewargs__"];

/// Refuses classes whose objects are made without their constructor.
pub(crate) fn check_remade(class: &Class<'_>) -> Result<(), Refusal> {
    if is_exception(class) {
        // It gives a copy the fields of the first one as they are.
        return Ok(());
    }
    match REMADE.iter().find(|name| class.has(name)) {
        Some(name) => {
            let reason = format!("`{name}` makes objects without running a constructor");
            Err(class.code.refuse(class.name.start(), reason))
        }
        None => Ok(()),
    }
}

/// Tells whether a class is one of Python's own exceptions.
pub(crate) fn is_exception(class: &Class<'_>) -> bool {
    let is_named = ["Exception", "Error", "Warning"].iter().any(|end| class.name().ends_with(end));
    is_named && class.code.path.as_str().ends_with("/stdlib/builtins.pyi")
}

/// Refuses classes that are more than their members.
fn check_class(class: &Class<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
    if let Some(mark) = class.changing_decorators().next() {
        return refuse(mark, "what this does to the class is not known");
    }
    let list = class.node.child("superclasses");
    if let Some(word) = list.into_iter().flat_map(Node::named_children).find(|it| it.is("keyword_argument")) {
        return refuse(word, "what makes the class is not known");
    }
    let is_generic = |base: &Node<'_>| ["Generic", "Protocol"].iter().any(|it| base.text(code.text()).starts_with(it));
    if let Some(node) = class.node.child("type_parameters").or_else(|| class.bases().into_iter().find(is_generic)) {
        return refuse(node, "the class stands for several types");
    }
    match class.node.is("abstract_class_declaration") {
        true => refuse(class.name, "the class is abstract: there are no objects of it"),
        false => Ok(()),
    }
}

/// Refuses members that are called by the language, or that take notice of whose they are.
fn check_member(class: &Class<'_>, member: &Member<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let name = member.name.text(code.text());
    let refuse = |node: Node<'_>, reason: String| Err(code.refuse(node.start(), reason));
    let is_special = is_special_name(name) && name != "__init__" || name.starts_with('[');
    if is_special {
        return refuse(member.name, format!("`{name}` is called by the language under that very name"));
    }
    if member.kind == MemberKind::Other {
        return refuse(member.name, format!("`{name}` is declared together with something else"));
    }
    let marks: Vec<&str> = member.decorators().map(|it| it.text(code.text())).collect();
    let is_known = |mark: &&str| *mark == "@property" || *mark == "@staticmethod" || mark.ends_with(".setter");
    if let Some(mark) = marks.iter().find(|mark| !is_known(mark)) {
        return refuse(member.name, format!("what `{mark}` does to `{name}` is not known"));
    }
    if member.is_marked(code, "abstract") {
        return refuse(member.name, format!("`{name}` is abstract"));
    }
    match usage(code, member.node).whole.first() {
        Some(node) => refuse(*node, format!("`{name}` passes its own object on, which would be another one")),
        None => Ok(()),
    }
}

/// Tells whether a class is named to ask what something is.
fn asks_kind(code: &Code, node: Node<'_>) -> bool {
    let text = code.text();
    for outer in node.ancestors().take_while(|it| !is_block(*it)) {
        match outer.kind() {
            "call" => {
                let function = outer.child("function");
                return function.is_some_and(|it| matches!(it.text(text), "isinstance" | "issubclass"));
            }
            "except_clause" | "case_clause" | "case_pattern" | "comparison_operator" => return true,
            "binary_expression" => {
                let operator = outer.child("operator").map(|it| it.text(text)).unwrap_or_default();
                return operator == "instanceof" || operator.ends_with("==");
            }
            "call_expression" | "new_expression" => return false,
            _ => {}
        }
    }
    false
}
