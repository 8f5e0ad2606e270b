//! What a constructor begins with: fields that get values made of parameters.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, MemberKind, receiver, usage};
use crate::refactor::analysis::equal_code::differing_name;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node, is_parameter_property};
use crate::text::Span;

/// The first statements of a constructor.
pub(super) struct Opening<'c> {
    pub code: &'c Code,
    pub function: Node<'c>,
    pub receiver: &'c str,
    /// `super().__init__()`, `super()`, without arguments, before the statements.
    pub super_call: Option<Node<'c>>,
    pub statements: Vec<Node<'c>>,
    /// Those that the statements use.
    pub parameters: Vec<Parameter<'c>>,
}

/// A parameter as the superclass takes it.
#[derive(Clone)]
pub(super) struct Parameter<'c> {
    pub name: &'c str,
    /// With its type, without its default.
    pub written: String,
    node: Node<'c>,
}

impl<'c> Opening<'c> {
    /// Reads the constructor of a class; nothing where it has none.
    pub(super) fn of(class: &Class<'c>) -> Result<Option<Self>, Refusal> {
        let code = class.code;
        let all = class.members();
        let built: Vec<Node<'c>> =
            all.iter().filter(|it| it.kind == MemberKind::Constructor).filter_map(|it| it.function()).collect();
        let function = match built.as_slice() {
            [] => return Ok(None),
            [one] if one.child("body").is_some() => *one,
            [one, ..] => return Err(code.refuse(one.start(), "the constructor is several declarations")),
        };
        let none = || code.refuse(function.start(), "the constructor has no object");
        let body = function.child("body").ok_or_else(none)?;
        let receiver = receiver(code, function).ok_or_else(none)?;
        let is_docstring = |node: &Node<'c>| node.named_children().next().is_some_and(|it| it.is("string"));
        let mut rest = body.named_children().skip_while(is_docstring).peekable();
        let super_call = rest.next_if(|node| is_super_call(code, *node));
        let mut opening = Self { code, function, receiver, super_call, statements: Vec::new(), parameters: Vec::new() };
        let parameters = opening.all_parameters();
        opening.statements = rest.take_while(|node| opening.is_plain(*node, &parameters)).collect();
        opening.parameters = parameters;
        let count = opening.count();
        Ok(Some(opening.first(count)))
    }

    pub(super) fn count(&self) -> usize {
        self.statements.len()
    }

    /// Returns the opening with so many statements, and the parameters that these use.
    pub(super) fn first(&self, count: usize) -> Self {
        let statements: Vec<Node<'c>> = self.statements.iter().take(count).copied().collect();
        let is_used = |parameter: &&Parameter<'c>| {
            let mut nodes = statements
                .iter()
                .filter_map(|it| value(*it))
                .flat_map(|it| std::iter::once(it).chain(it.descendants()));
            nodes.any(|node| node.is_leaf() && node.text(self.code.text()) == parameter.name)
        };
        let parameters = self.parameters.iter().filter(is_used).cloned().collect();
        Self { statements, parameters, ..*self }
    }

    /// Returns how many statements two constructors begin with alike, of parameters that are alike.
    pub(super) fn common(&self, other: &Opening<'_>) -> usize {
        let alike = |count: &usize| {
            let (own, its) = (self.first(*count), other.first(*count));
            let written =
                |opening: &Opening<'_>| opening.parameters.iter().map(|it| it.written.clone()).collect::<Vec<_>>();
            let said = |opening: &Opening<'_>| {
                opening.statements.iter().map(|it| it.text(opening.code.text()).to_owned()).collect::<Vec<_>>()
            };
            written(&own) == written(&its) && said(&own) == said(&its) && own.receiver == its.receiver
        };
        (0..=self.count().min(other.count())).rev().find(alike).unwrap_or_default()
    }

    /// Returns a name in it that means something else in another one that is alike.
    pub(super) fn differing(&self, session: &Session, other: &Opening<'_>) -> Option<Node<'c>> {
        let pieces = |of: &Opening<'_>| of.statements.iter().map(|it| it.span()).chain(of.types()).collect::<Vec<_>>();
        differing_name(session, (self.code, &pieces(self)), (other.code, &pieces(other)))
    }

    /// Tells whether the constructor asks the one above for anything.
    pub(super) fn calls_super(&self) -> bool {
        self.code.family() != Family::Python || self.asks_above()
    }

    /// Tells whether `super` stands in the constructor.
    pub(super) fn asks_above(&self) -> bool {
        !usage(self.code, self.function).bound.is_empty()
    }

    /// Returns the names of the fields that are set.
    pub(super) fn names(&self) -> Vec<&'c str> {
        let targets = self.statements.iter().filter_map(|it| target(*it));
        targets
            .filter_map(|it| it.child("attribute").or_else(|| it.child("property")))
            .map(|it| it.text(self.code.text()))
            .collect()
    }

    /// Returns where the types of the parameters stand.
    pub(super) fn types(&self) -> Vec<Span> {
        self.parameters.iter().filter_map(|it| it.node.child("type")).map(Node::span).collect()
    }

    fn all_parameters(&self) -> Vec<Parameter<'c>> {
        let text = self.code.text();
        let list = self.function.child("parameters").into_iter().flat_map(Node::named_children);
        let read = |node: Node<'c>| {
            let name = match node.kind() {
                "identifier" => node,
                "typed_parameter" => node.named_children().next()?,
                "default_parameter" | "typed_default_parameter" => node.child("name")?,
                "required_parameter" if !is_parameter_property(node) => node.child("pattern")?,
                _ => return None,
            };
            let kind = node.child("type").map(|it| it.text(text));
            let is_script = self.code.family() != Family::Python;
            let written = match kind {
                Some(kind) if is_script => format!("{}{kind}", name.text(text)),
                Some(kind) => format!("{}: {kind}", name.text(text)),
                None if node.is("required_parameter") && self.code.is_typed_script() => return None,
                None => name.text(text).to_owned(),
            };
            name.is("identifier").then(|| Parameter { name: name.text(text), written, node })
        };
        list.filter_map(read).filter(|it| it.name != self.receiver).collect()
    }

    /// Tells whether a statement sets a field to what parameters and the module say.
    fn is_plain(&self, statement: Node<'c>, parameters: &[Parameter<'c>]) -> bool {
        let text = self.code.text();
        let (Some(target), Some(value)) = (target(statement), value(statement)) else { return false };
        let is_own = target.child("object").is_some_and(|it| it.text(text) == self.receiver);
        let names = ScopedNames::of(self.code);
        let is_known = names.within(value.span()).all(|name| {
            let said = name.span.of(text).unwrap_or_default();
            let is_outer = names
                .of_meaning(name.meaning)
                .filter(|it| it.is_binding)
                .all(|it| !self.function.span().contains(it.span));
            is_outer || parameters.iter().any(|it| it.name == said)
        });
        let used = usage(self.code, value);
        let is_bare = !value
            .descendants()
            .any(|it| it.is_any(&["lambda", "arrow_function", "named_expression", "await", "yield"]));
        is_own && is_known && used.is_none() && is_bare
    }
}

fn assignment(statement: Node<'_>) -> Option<Node<'_>> {
    let inner = statement.named_children().next().filter(|_| statement.is("expression_statement"))?;
    inner.is_any(&["assignment", "assignment_expression"]).then_some(inner)
}

fn target(statement: Node<'_>) -> Option<Node<'_>> {
    assignment(statement)?.child("left").filter(|it| it.is_any(&["attribute", "member_expression"]))
}

fn value(statement: Node<'_>) -> Option<Node<'_>> {
    assignment(statement)?.child("right")
}

fn is_super_call(code: &Code, statement: Node<'_>) -> bool {
    let said = statement.text(code.text()).trim_end_matches(';');
    matches!(said, "super().__init__()" | "super()")
}
