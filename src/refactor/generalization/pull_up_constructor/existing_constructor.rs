//! A constructor that the superclass has already: it takes nothing, and does more from now on.

use super::initial_fields::Opening;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Signature;
use crate::refactor::analysis::classes::{Class, MemberKind};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::signatures::appended;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// The constructor of the superclass.
pub(super) struct Ground<'c> {
    code: &'c Code,
    function: Node<'c>,
    /// Its last statement.
    last: Node<'c>,
}

impl<'c> Ground<'c> {
    /// Reads it; nothing where there is none, and a refusal where it is more than a few statements for every object.
    pub(super) fn of(class: &Class<'c>) -> Result<Option<Self>, Refusal> {
        let code = class.code;
        let members = class.members();
        let Some(own) = members.iter().find(|it| it.kind == MemberKind::Constructor) else { return Ok(None) };
        let refuse = |reason: &str| Err(code.refuse(own.node.start(), format!("`{}` {reason}", class.name())));
        let is_other = members.iter().filter(|it| it.kind == MemberKind::Constructor).count() > 1;
        let function = own.function().filter(|_| !is_other && own.name.text(code.text()) != "__new__");
        let Some(function) = function else { return refuse("is made in several ways") };
        if !Signature::plain((code, function))?.parameters.is_empty() {
            return refuse("has a constructor of its own, which takes something");
        }
        let body = function.child("body").filter(|body| !body.descendants().any(|it| it.is("return_statement")));
        let last = body.and_then(|body| body.named_children().last());
        match last {
            Some(last) => Ok(Some(Self { code, function, last })),
            None => refuse("has a constructor behind which nothing can be put"),
        }
    }

    /// Lets it take the parameters and set the fields, after all that it does already.
    pub(super) fn with(&self, taken: &Opening<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let code = self.code;
        let names = ScopedNames::of(code);
        let is_taken = |name: &&str| names.named(name).any(|one| self.function.span().contains(one.span));
        let own = taken.parameters.iter().map(|it| it.name).find(is_taken);
        if let Some(name) = own {
            return Err(code.refuse(self.function.start(), format!("`{name}` is already in use in this function")));
        }
        let list = self.function.child("parameters");
        let list = list.ok_or_else(|| code.refuse(self.function.start(), "it takes nothing"))?;
        let is_python = code.family() == Family::Python;
        let receiver = list.named_children().next().map(|it| it.text(code.text()));
        if is_python && receiver != Some(taken.receiver) {
            return Err(code.refuse(list.start(), format!("its object is not called `{}`", taken.receiver)));
        }
        let indent = code.indent(self.last.start()).to_owned();
        let layout = Layout::of(taken.code);
        let said = taken.statements.iter().map(|it| layout.moved(it.span(), &indent));
        let said: String = said.map(|it| format!("{}{indent}{it}", code.newline())).collect();
        let (last, line_end) = (self.last.end(), code.line_end(self.last.end()));
        // A comment that ends the line stays on it.
        let is_kept = is_python || code.text()[last..line_end].trim_start().starts_with("//");
        let end = if is_kept { line_end } else { last };
        let parameters: Vec<String> = taken.parameters.iter().map(|it| it.written.clone()).collect();
        let mut edits = vec![TextEdit::new(Span::at(end), said)];
        if !parameters.is_empty() {
            edits.push(appended(code, list, &parameters.join(", ")));
        }
        Ok(edits)
    }
}

impl Opening<'_> {
    /// Refuses a constructor that asks the one above later than first of all, or not at all where there is one.
    pub(super) fn check_order(&self, there: Option<&Ground<'_>>) -> Result<(), Refusal> {
        let is_late = self.super_call.is_none() && (there.is_some() || self.asks_above());
        match is_late {
            true => Err(self.code.refuse(
                self.function.start(),
                "it does not begin with the constructor of its superclass, which would come to run first",
            )),
            false => Ok(()),
        }
    }
}
