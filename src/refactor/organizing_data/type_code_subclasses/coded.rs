//! A field that keeps a code, with the constructor that sets it.

use super::super::kinds::Kind;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Signature;
use crate::refactor::analysis::class_identity::wondering;
use crate::refactor::analysis::classes::{Class, MemberKind as Made};
use crate::refactor::analysis::fields::{Field, listing};
use crate::refactor::analysis::references::{UseKind as Done, Uses};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::Span;

/// A code that becomes the class of its object.
pub(super) struct Coded<'c> {
    pub field: Field<'c>,
    pub signature: &'c Signature<'c>,
    /// The number of the parameter that it is set from.
    pub at: usize,
    /// The statement that sets it; nothing where the parameter is the field.
    pub statement: Option<Node<'c>>,
    pub kinds: Vec<Kind>,
    /// What chooses the subclass.
    pub factory: &'c str,
    /// The type of a code, where one is said.
    pub typed: Option<&'c str>,
}

impl<'c> Coded<'c> {
    pub(super) fn class(&self) -> Class<'c> {
        self.field.class
    }

    pub(super) fn code(&self) -> &'c Code {
        self.field.class.code
    }

    /// Refuses a constructor that needs the code for more than to keep it.
    pub(super) fn check_constructor(&self) -> Result<(), Refusal> {
        let (code, function) = (self.code(), self.signature.function);
        let names = ScopedNames::of(code);
        let parameter = self.signature.parameters[self.at].name;
        let meaning = names.at(parameter).map(|it| it.meaning);
        let is_set = |span: Span| self.statement.is_some_and(|it| it.span().contains(span));
        let uses = meaning.into_iter().flat_map(|it| names.of_meaning(it).collect::<Vec<_>>());
        let used = uses.into_iter().find(|it| it.span != parameter.span() && !is_set(it.span));
        if let Some(used) = used {
            return Err(code.refuse(used.span.start, "the constructor uses the code for something else, too"));
        }
        let is_read = |it: &Node<'_>| {
            let is_member = matches!(it.field(), Some("attribute" | "property"));
            is_member && it.text(code.text()) == self.field.name && !is_set(it.span())
        };
        match function.descendants().find(is_read) {
            Some(read) => Err(code.refuse(read.start(), "the constructor asks for the code, which it no longer has")),
            None => Ok(()),
        }
    }

    /// Refuses a code that changes: an object keeps its class.
    pub(super) fn check_fixed(&self, uses: &Uses) -> Result<(), Refusal> {
        for (code, one) in uses.iter() {
            let is_own = code.path == self.code().path
                && (self.statement.is_some_and(|it| it.span().contains(one.span))
                    || self.signature.function.span().contains(one.span)
                    || self.field.members.iter().any(|it| it.kind != Made::Assigned && it.name.span() == one.span));
            let is_read = matches!(one.kind, Done::Read | Done::Call | Done::Text | Done::Pattern);
            if !is_own && !is_read {
                let reason = format!(
                    "`{}` is {} here, and an object keeps its class: `replace-type-code-with-state-strategy`",
                    self.field.name,
                    one.kind.said()
                );
                return Err(code.refuse(one.span.start, reason));
            }
        }
        Ok(())
    }

    pub(super) fn told(&self, session: &Session) -> Vec<Warning> {
        let first = self.kinds.first().map_or("", |it| it.class.as_str());
        let mut all = wondering(session, &self.class(), first);
        all.extend(listing(session, &self.class(), |word| {
            format!("what `{word}` lists no longer has `{}`", self.field.name)
        }));
        let told = format!("an object of none of the {} codes cannot be made from now on", self.kinds.len());
        all.push(Warning::of_plan(WarningKind::FollowUp, told));
        all
    }

    pub(super) fn is_python(&self) -> bool {
        self.code().family() == Family::Python
    }
}
