//! A type that says that there may be nothing: `Customer | None`, `Optional[Customer]`, `Customer | null`.

use crate::refactor::analysis::references::Use;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node, is_any_function, is_parameter_property};
use crate::text::Span;

/// Such a type, where it is written.
pub(super) struct Nullable<'c> {
    /// Without the colon before it.
    span: Span,
    /// The class as it is written, in the type.
    kept: Span,
    /// The name of the class in it.
    pub class: Node<'c>,
    node: Node<'c>,
}

const NOTHING: &[&str] = &["None", "null", "undefined"];

impl<'c> Nullable<'c> {
    /// Reads a written type; nothing where it says another thing.
    pub(super) fn of(code: &'c Code, node: Node<'c>) -> Option<Self> {
        let said = node.text(code.text());
        let rest = said.trim_start_matches(':').trim_start();
        let start = node.start() + said.len() - rest.len();
        let span = Span::new(start, start + rest.trim_end().len());
        // `customer?: Customer`
        let is_marked = || node.parent().is_some_and(|it| it.children().any(|mark| mark.kind() == "?"));
        let name = optional(rest).or_else(|| united(rest)).or_else(|| is_marked().then_some(rest.trim_end()))?;
        // `Box[int]`, `Box<number>`
        let bare = name.split(['[', '<']).next().unwrap_or(name);
        let is_name = bare.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'));
        let at = start + rest.find(name).filter(|_| is_name)?;
        let kept = Span::new(at, at + name.len());
        let class = code.covering(Span::new(at + bare.rfind('.').map_or(0, |dot| dot + 1), at + bare.len()));
        Some(Self { span, kept, class, node })
    }

    /// Reads the type that the name of a class stands in.
    pub(super) fn around(code: &'c Code, name: Node<'c>) -> Option<Self> {
        let mut types = name.ancestors().filter(|outer| matches!(outer.field(), Some("type" | "return_type")));
        types.find_map(|outer| Self::of(code, outer)).filter(|it| it.class == name)
    }

    /// Returns the name of the field or of the function that is of the type.
    pub(super) fn holder(&self, code: &'c Code) -> Option<Node<'c>> {
        let declaration = self.node.parent()?;
        if is_any_function(declaration) {
            return declaration.child("name").filter(|_| self.node.field() == Some("return_type"));
        }
        if is_property(declaration) {
            return declaration.child("pattern");
        }
        let left = declaration.child("left").or_else(|| declaration.child("name"))?;
        let is_in_class = declaration
            .parent()
            .and_then(Node::parent)
            .and_then(Node::parent)
            .is_some_and(|it| code.family() == Family::Python && it.is("class_definition"));
        match declaration.kind() {
            "assignment" => left.child("attribute").or(Some(left).filter(|_| is_in_class)),
            "public_field_definition" => Some(left),
            _ => None,
        }
    }

    /// Returns the class as it is written.
    pub(super) fn said(&self, code: &'c Code) -> &'c str {
        self.kept.of(code.text()).unwrap_or_default()
    }

    /// Returns what goes, so that the class alone is left.
    pub(super) fn gone(&self) -> Vec<Span> {
        let around = [Span::new(self.span.start, self.kept.start), Span::new(self.kept.end, self.span.end)];
        around.into_iter().filter(|span| !span.is_empty()).collect()
    }
}

/// Tells whether a parameter of a constructor declares a field.
pub(super) fn is_property(node: Node<'_>) -> bool {
    node.is_any(&["required_parameter", "optional_parameter"]) && is_parameter_property(node)
}

/// Returns the type that is written for what a name declares.
pub(super) fn declared(name: Node<'_>) -> Option<Node<'_>> {
    let outer = name.parent()?;
    let outer = if outer.is_any(&["attribute", "member_expression"]) { outer.parent()? } else { outer };
    outer.child("return_type").filter(|_| is_any_function(outer)).or_else(|| outer.child("type"))
}

/// Returns the type that is written for the variable that something is set to.
pub(super) fn given<'c>(code: &'c Code, one: &Use) -> Option<Node<'c>> {
    let (_, value) = one.assignment(code)?;
    let names = ScopedNames::of(code);
    let meaning = names.at(value)?.meaning;
    names.of_meaning(meaning).filter(|it| it.is_binding).find_map(|it| declared(code.covering(it.span)))
}

/// `Optional[Customer]`
fn optional(said: &str) -> Option<&str> {
    let (head, inner) = said.strip_suffix(']')?.split_once('[')?;
    matches!(head, "Optional" | "typing.Optional" | "t.Optional").then_some(inner.trim())
}

/// `Customer | None`: one name, and at least one word for nothing.
fn united(said: &str) -> Option<&str> {
    let parts: Vec<&str> = said.split('|').map(str::trim).filter(|part| !part.is_empty()).collect();
    let mut named = parts.iter().filter(|part| !NOTHING.contains(part));
    let name = named.next().filter(|_| named.next().is_none() && parts.len() > 1)?;
    Some(name)
}
