//! A class as refactorings take it apart: its members, its bases, what is above and below it.

mod given_class;
mod hierarchy;
mod library_types;
mod positions;
mod self_references;

pub(crate) use given_class::given_class;
pub(crate) use hierarchy::{Above, ClassHierarchy, LocatedClass};
pub(crate) use positions::{Slot, attribute_docstring, comments_above, documented_end, end_of};
pub(crate) use self_references::{Usage, class_of_own, is_class_method, receiver, usage};

use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::request::Target;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::target::last_name;
use crate::syntax::{DeclarationKind, Family, Node, Site, is_any_function, is_parameter_property, site};
use crate::text::{Span, TextEdit};

/// A class with a name, in the text that it stands in.
#[derive(Clone, Copy)]
pub(crate) struct Class<'c> {
    pub code: &'c Code,
    /// The class without its decorators and without `export`.
    pub node: Node<'c>,
    pub name: Node<'c>,
    pub body: Node<'c>,
}

/// One declaration of a member. Overloads, a property's accessors and each `self.x = …` are members of one name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member<'c> {
    pub name: Node<'c>,
    /// The whole declaration with its decorators; of a field that a method sets, the attribute.
    pub node: Node<'c>,
    pub kind: MemberKind,
    /// Of the class, not of its objects: `static`, `@staticmethod`, `@classmethod`, a class variable of Python.
    pub is_static: bool,
}

/// How a member is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemberKind {
    /// An accessor, an overload or an abstract method, too.
    Method,
    Constructor,
    /// In the class body, by a declaration of its own.
    Field,
    /// `self.x = …`, `this.x = …` in a method.
    Assigned,
    /// `constructor(private x)`.
    Parameter,
    /// In the class body in another way: a class, one name of several, inside an `if`.
    Other,
}

impl<'c> Class<'c> {
    /// Reads a class node; one without a name is none that anything can be asked about.
    pub(crate) fn of(code: &'c Code, node: Node<'c>) -> Option<Self> {
        let (name, body) = (node.child("name")?, node.child("body")?);
        is_class(node).then_some(Self { code, node, name, body })
    }

    /// Returns the class whose name stands at an offset.
    pub(crate) fn named_at(code: &'c Code, offset: usize) -> Option<Self> {
        let name = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
        let class = Self::of(code, name.parent()?)?;
        (class.name == name).then_some(class)
    }

    /// Returns the innermost class around a node.
    pub(crate) fn around(code: &'c Code, node: Node<'c>) -> Option<Self> {
        node.ancestors().find(|outer| is_class(*outer)).and_then(|class| Self::of(code, class))
    }

    /// Returns the class that the target names, or the one around its place.
    pub(crate) fn at(code: &'c Code, target: &Target) -> Result<Self, Refusal> {
        let declared = code.declared(target);
        let here = super::blocks::place(code, target).map(|at| code.covering(Span::at(at)));
        let found = Self::of(code, declared).or_else(|| Self::around(code, here?));
        found.ok_or_else(|| Refusal::NotPossible(format!("the target names no class of `{}`", code.shown)))
    }

    /// Returns a class of the file by its name.
    pub(crate) fn called(code: &'c Code, name: &str) -> Option<Self> {
        let mut classes = code.root().descendants().filter_map(|node| Self::of(code, node));
        classes.find(|class| class.name() == name)
    }

    pub(crate) fn name(&self) -> &'c str {
        self.name.text(self.code.text())
    }

    /// Returns where the name stands, the place to ask a server about.
    pub(crate) fn place(&self) -> Place {
        Place { path: self.code.path.clone(), offset: self.name.start() }
    }

    /// Returns the class with its decorators and its `export`: a statement.
    pub(crate) fn statement(&self) -> Node<'c> {
        let outer = self.node.parent().filter(|it| it.is_any(&["decorated_definition", "export_statement"]));
        outer.unwrap_or(self.node)
    }

    pub(crate) fn decorators(&self) -> impl Iterator<Item = Node<'c>> {
        let outer = Some(self.statement()).filter(|outer| *outer != self.node);
        let around = outer.into_iter().flat_map(Node::children).chain(self.node.children());
        around.filter(|child| child.is("decorator"))
    }

    /// Returns the decorators that may make something else of the class. Some of Python only tell checkers about it.
    pub(crate) fn changing_decorators(&self) -> impl Iterator<Item = Node<'c>> {
        const SAYING: &[&str] = &["final", "runtime_checkable"];
        let text = self.code.text();
        let is_python = self.code.family() == Family::Python;
        let says = move |mark: &Node<'c>| {
            is_python && SAYING.contains(&last_name(mark.text(text).trim_start_matches('@').trim()))
        };
        self.decorators().filter(move |mark| !says(mark))
    }

    /// Returns the expressions that name what the class extends; Python's keywords are left out.
    pub(crate) fn bases(&self) -> Vec<Node<'c>> {
        if let Some(list) = self.node.child("superclasses") {
            return list.named_children().filter(|base| !base.is("keyword_argument")).collect();
        }
        let heritage = self.node.child_of_kind("class_heritage");
        let clause = heritage.map(|it| it.child_of_kind("extends_clause").unwrap_or(it));
        let value = clause.and_then(|it| it.child("value").or_else(|| it.named_children().next()));
        value.filter(|it| !it.is("implements_clause")).into_iter().collect()
    }

    /// Refuses a class that extends nothing.
    pub(crate) fn check_extends(&self) -> Result<(), Refusal> {
        match self.bases().is_empty() {
            true => Err(self.code.refuse(self.name.start(), format!("`{}` extends nothing", self.name()))),
            false => Ok(()),
        }
    }

    /// Refuses a class without fields.
    pub(crate) fn check_fields(&self) -> Result<(), Refusal> {
        let is_field =
            |it: &Member<'_>| matches!(it.kind, MemberKind::Field | MemberKind::Assigned | MemberKind::Parameter);
        match self.members().iter().any(is_field) {
            true => Ok(()),
            false => Err(self.code.refuse(self.name.start(), format!("`{}` has no fields", self.name()))),
        }
    }

    /// Returns every declaration of a member, in order; those that methods make are last.
    pub(crate) fn members(&self) -> Vec<Member<'c>> {
        let own: Vec<Member<'c>> = match self.code.family() {
            Family::Python => self.body.named_children().flat_map(|node| self.in_python(node)).collect(),
            _ => self.body.named_children().flat_map(|node| self.in_script(node)).collect(),
        };
        let functions =
            own.iter().filter(|it| matches!(it.kind, MemberKind::Method | MemberKind::Constructor | MemberKind::Other));
        let set: Vec<Member<'c>> = functions.flat_map(|it| self.assigned(it.node)).collect();
        own.into_iter().chain(set).collect()
    }

    pub(crate) fn members_named(&self, name: &str) -> Vec<Member<'c>> {
        self.members().into_iter().filter(|member| member.name.text(self.code.text()) == name).collect()
    }

    /// Returns the function of its constructor: of two in Python the one that gives the object what it has, of several in a script
    /// the one with a body.
    pub(crate) fn constructor(&self) -> Option<Node<'c>> {
        let members = self.members();
        let mut all = members.iter().filter(|it| it.kind == MemberKind::Constructor);
        let first = all.next()?;
        let is_python = self.code.family() == Family::Python;
        let gives = |it: &&Member<'c>| match is_python {
            true => it.name.text(self.code.text()) == "__init__",
            false => it.function().is_some_and(|function| function.child("body").is_some()),
        };
        std::iter::once(first).chain(all).find(gives).unwrap_or(first).function()
    }

    /// Tells whether Python makes its objects by a `__new__` of its own.
    pub(crate) fn allocates(&self) -> bool {
        self.code.family() == Family::Python && self.has("__new__")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        !self.members_named(name).is_empty()
    }

    fn in_python(&self, statement: Node<'c>) -> Vec<Member<'c>> {
        let text = self.code.text();
        let definition = statement.child("definition").unwrap_or(statement);
        let member = |name: Node<'c>, kind, is_static| Member { name, node: statement, kind, is_static };
        if definition.is("function_definition") {
            let name = definition.child("name").unwrap_or(definition);
            let kind = if matches!(name.text(text), "__init__" | "__new__") {
                MemberKind::Constructor
            } else {
                MemberKind::Method
            };
            let mut marks = statement.children().filter(|child| child.is("decorator"));
            return vec![member(name, kind, marks.any(|mark| mark.text(text).ends_with("method")))];
        }
        let assignment = statement.named_children().next().filter(|it| it.is("assignment"));
        let left = assignment.and_then(|it| it.child("left")).filter(|left| left.is("identifier"));
        let is_chain = assignment.and_then(|it| it.child("right")).is_some_and(|right| right.is("assignment"));
        if let Some(name) = left.filter(|_| !is_chain) {
            return vec![member(name, MemberKind::Field, true)];
        }
        let stop = |node: Node<'_>| node.is_any(&["parameters", "lambda", "block"]) && node.parent() != Some(statement);
        let bound = statement.walk_until(stop).filter(|node| node.is("identifier")).filter(|node| {
            matches!(
                site(&self.code.parsed().tree, text, node.span()),
                Site::Declaration(_) | Site::ImportSpecifier { .. } | Site::ImportAlias { .. }
            )
        });
        bound.map(|name| member(name, MemberKind::Other, true)).collect()
    }

    fn in_script(&self, node: Node<'c>) -> Vec<Member<'c>> {
        let Some(name) = node.child("name").or_else(|| node.child("property")) else { return Vec::new() };
        let is_static = node.child_of_kind("static").is_some();
        let member = |kind| Member { name, node, kind, is_static };
        match node.kind() {
            "public_field_definition" | "field_definition" => vec![member(MemberKind::Field)],
            "method_definition" | "method_signature" | "abstract_method_signature"
                if name.text(self.code.text()) != "constructor" =>
            {
                vec![member(MemberKind::Method)]
            }
            "method_definition" | "method_signature" => {
                let params = node.child("parameters").into_iter().flat_map(Node::named_children);
                let fields = params.filter(|param| is_parameter_property(*param)).filter_map(|param| {
                    Some(Member { name: param.child("pattern")?, node: param, kind: MemberKind::Parameter, is_static })
                });
                std::iter::once(member(MemberKind::Constructor)).chain(fields).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the fields that a method sets through its receiver.
    fn assigned(&self, method: Node<'c>) -> Vec<Member<'c>> {
        let text = self.code.text();
        let functions = method.walk_until(is_any_function).filter(|node| is_any_function(*node));
        let mut found = Vec::new();
        for function in functions {
            let Some(receiver) = receiver(self.code, function) else { continue };
            let objects = function.descendants().filter(|node| node.field() == Some("object"));
            for object in objects.filter(|object| object.text(text) == receiver) {
                let node = object.parent().unwrap_or(object);
                let Some(name) = node.child("attribute").or_else(|| node.child("property")) else { continue };
                let is_set = match self.code.family() {
                    Family::Python => {
                        let site = site(&self.code.parsed().tree, text, name.span());
                        matches!(site, Site::Declaration(DeclarationKind::Property))
                    }
                    _ => node.field() == Some("left") && node.parent().is_some_and(|it| it.is("assignment_expression")),
                };
                let is_static = receiver == "cls";
                found.extend(is_set.then_some(Member { name, node, kind: MemberKind::Assigned, is_static }));
            }
        }
        found
    }
}

impl<'c> Member<'c> {
    /// Returns the function of a method, without decorators.
    pub(crate) fn function(&self) -> Option<Node<'c>> {
        let inner = self.node.child("definition").unwrap_or(self.node);
        let value = || inner.child("value").filter(|value| is_any_function(*value));
        Some(inner).filter(|node| is_any_function(*node)).or_else(value)
    }

    pub(crate) fn decorators(&self) -> impl Iterator<Item = Node<'c>> {
        let before = self.node.parent().into_iter().flat_map(Node::children);
        // TypeScript's stand beside the method that they decorate.
        let mut beside: Vec<Node<'c>> = Vec::new();
        for node in before.take_while(|node| *node != self.node) {
            match node.is("decorator") {
                true => beside.push(node),
                false if node.kind().ends_with("comment") => {}
                false => beside.clear(),
            }
        }
        beside.into_iter().chain(self.node.children().filter(|child| child.is("decorator")))
    }

    /// Tells whether a script keeps the member from other classes.
    pub(crate) fn is_closed(&self, code: &Code) -> bool {
        self.is_marked(code, "private") || self.is_marked(code, "protected")
    }

    /// Takes the word away that says who may use the member in a script.
    pub(crate) fn without_accessibility(&self) -> Option<TextEdit> {
        let word = self.node.child_of_kind("accessibility_modifier")?;
        let next = self.node.children().find(|it| it.start() >= word.end())?;
        Some(TextEdit::new(Span::new(word.start(), next.start()), ""))
    }

    /// Returns where the type stands that the declaration of a field writes itself.
    pub(crate) fn declared_type(&self, code: &Code) -> Option<Node<'c>> {
        let holder = match self.kind {
            MemberKind::Assigned => self.node.parent(),
            MemberKind::Field if code.family() == Family::Python => self.name.parent(),
            _ => Some(self.node),
        };
        holder?.child("type")
    }

    /// Tells whether a word (`abstract`, `private`, `readonly`) stands before the member's name.
    pub(crate) fn is_marked(&self, code: &Code, word: &str) -> bool {
        let start = self.name.start();
        self.node.children().take_while(|child| child.start() < start).any(|child| child.text(code.text()) == word)
    }
}

/// Writes the name of a class as that of a variable.
pub(crate) fn variable(class: &str, is_python: bool) -> String {
    let mut said = String::new();
    for (at, letter) in class.trim_start_matches('_').char_indices() {
        if at > 0 && letter.is_uppercase() && is_python {
            said.push('_');
        }
        if at == 0 || is_python { said.extend(letter.to_lowercase()) } else { said.push(letter) }
    }
    said
}

/// Returns the lines of a class with the comments above it and the empty lines before it.
pub(crate) fn lines(class: &Class<'_>) -> Span {
    let code = class.code;
    let start = code.line_start(comments_above(code, class.statement().start()));
    let before = code.text()[..start].trim_end();
    let end = code.next_line(class.statement().end());
    if before.is_empty() { Span::new(start, end) } else { Span::new(code.next_line(before.len()), end) }
}

/// Libraries' classes whose heirs' fields are more than fields.
pub(crate) const PLAIN: &[&str] = &["object", "ABC", "Generic", "Protocol"];
