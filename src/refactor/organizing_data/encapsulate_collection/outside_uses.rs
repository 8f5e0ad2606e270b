//! What others do with a collection: they read it, or add to it by the methods of its class.

use super::Methods;
use crate::refactor::Refusal;
use crate::refactor::analysis::references::{Use, UseKind};
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// One file of others.
pub(super) struct Outside<'a> {
    pub code: &'a Code,
    pub methods: &'a Methods,
}

/// Functions that only look at what they are passed.
const LOOK: &[&str] = &[
    "all",
    "any",
    "enumerate",
    "filter",
    "frozenset",
    "len",
    "list",
    "map",
    "max",
    "min",
    "print",
    "repr",
    "reversed",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];
/// Methods that only look.
const LOOKS: &[&str] =
    &["copy", "count", "difference", "index", "intersection", "isdisjoint", "issubset", "issuperset", "union"];
const CHANGES: &[&str] =
    &["add", "clear", "copyWithin", "delete", "fill", "pop", "push", "reverse", "shift", "sort", "splice", "unshift"];

impl Outside<'_> {
    /// Returns what becomes of a use; reading stays as it is.
    pub(super) fn edit(&self, one: &Use) -> Result<Option<TextEdit>, Refusal> {
        let refuse = |reason: String| Err(self.code.refuse(one.span.start, reason));
        match one.kind {
            UseKind::Read | UseKind::Call => {}
            UseKind::Pattern if self.code.family() == Family::Script => return Ok(None),
            kind => return refuse(format!("it is {} here, outside its class", kind.said())),
        }
        let Some(member) = one.member(self.code) else { return refuse("it is used in an unknown way".to_owned()) };
        if let Some(edit) = self.called(one, member) {
            return Ok(Some(edit));
        }
        let is_read = match self.code.family() {
            Family::Python => self.is_read(member),
            _ => !self.is_changed(member),
        };
        if is_read {
            Ok(None)
        } else {
            refuse("what is done with it here, outside its class, may change it".to_owned())
        }
    }

    /// `course.students.append(ann)` becomes `course.add_student(ann)`.
    fn called(&self, one: &Use, member: Node<'_>) -> Option<TextEdit> {
        let text = self.code.text();
        let outer = member.parent().filter(|it| it.is_any(&["attribute", "member_expression"]))?;
        let method = outer.child("attribute").or_else(|| outer.child("property"))?;
        let call =
            outer.parent().filter(|it| it.is_any(&["call", "call_expression"]) && outer.field() == Some("function"))?;
        call.parent().filter(|it| it.is("expression_statement"))?;
        let mut arguments = call.child("arguments")?.named_children();
        let only = arguments.next().filter(|_| arguments.next().is_none())?;
        let is_plain = !only.is_any(&["keyword_argument", "list_splat", "dictionary_splat", "spread_element"]);
        let is_optional = call.descendants().any(|it| it.is("optional_chain"));
        let name = self.methods.instead(method.text(text)).filter(|_| is_plain && !is_optional)?;
        Some(TextEdit::new(Span::new(one.span.start, method.end()), name))
    }

    fn is_read(&self, member: Node<'_>) -> bool {
        let Some(outer) = member.parent() else { return false };
        let text = self.code.text();
        let is_called = |names: &[&str], node: Node<'_>| {
            node.child("function").is_some_and(|callee| names.contains(&callee.text(text)))
        };
        match (outer.kind(), member.field()) {
            ("argument_list", _) => outer.parent().is_some_and(|call| is_called(LOOK, call)),
            ("for_statement", Some("right")) => {
                let body = outer.child("body");
                !body.is_some_and(|body| self.code.mentions(body, self.methods.name.as_str()))
            }
            ("for_in_clause", Some("right")) | ("interpolation", _) | ("not_operator", _) => true,
            ("if_statement" | "while_statement" | "elif_clause", Some("condition")) => true,
            ("comparison_operator", _) => !outer.children().any(|it| it.kind().starts_with("is")),
            ("subscript", Some("value")) => !matches!(outer.field(), Some("left")) && !is_deleted(outer),
            ("attribute", Some("object")) => {
                let method = outer.child("attribute").map(|it| it.text(text)).unwrap_or_default();
                outer.field() == Some("function") && LOOKS.contains(&method)
            }
            _ => false,
        }
    }

    fn is_changed(&self, member: Node<'_>) -> bool {
        let Some(outer) = member.parent() else { return true };
        let inner = outer.child("property").map(|it| it.text(self.code.text())).unwrap_or_default();
        match outer.kind() {
            "member_expression" => CHANGES.contains(&inner) || outer.field() == Some("left"),
            "subscript_expression" => {
                outer.field() == Some("left") || outer.parent().is_some_and(|it| it.is("update_expression"))
            }
            _ => false,
        }
    }
}

fn is_deleted(node: Node<'_>) -> bool {
    node.ancestors().take(2).any(|outer| outer.is("delete_statement"))
}
