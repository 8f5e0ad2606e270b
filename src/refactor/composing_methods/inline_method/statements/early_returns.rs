//! Bodies that return before their end, as they can go into a call.

use super::Coming;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Call;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::tail_returns::{Place, settled};
use crate::refactor::composing_methods::inline_method::call_site::{Form, Site};
use crate::refactor::composing_methods::inline_method::inlined_function::Inlined;
use crate::syntax::{Family, Node};
use crate::text::Span;

impl<'c> Inlined<'c> {
    /// Tells whether the body can stand there: one that returns early, where all of it is returned, dropped, or assigned at once.
    pub(super) fn may_return_early(&self, site: &Site<'c>) -> bool {
        let is_python = site.code.family() == Family::Python;
        let is_plain = match site.form {
            Form::Given(target) => {
                let is_one = is_python || target.is_any(&["identifier", "member_expression"]);
                is_one && !site.statement.is("export_statement")
            }
            _ => true,
        };
        let is_settled = is_plain && (is_python || !self.is_async);
        self.body.early.is_none() || site.form == Form::Answered || is_settled
    }

    pub(super) fn early(&self, call: &Call<'c>) -> Refusal {
        let place = self.body.early.unwrap_or(self.signature.function);
        let reason =
            format!("it returns here, too: that is only possible where its call is returned ({})", call.line());
        self.signature.code.refuse(place.start(), reason)
    }
}

impl<'c> Coming<'_, 'c> {
    /// Lets each answer of a body that returns early be what the call gives; before it stands what declares that, with the place
    /// of a type that it takes along. A larger expression takes it from a variable, `held`.
    pub(super) fn settled(&self, said: &str, held: Option<&str>) -> Result<(Vec<String>, Option<Span>), Refusal> {
        let (code, statement) = (self.site.code, self.site.statement);
        let given = match self.site.form {
            Form::Given(target) => Some(target),
            _ => None,
        };
        let layout = Layout::of(code);
        let place = Place {
            language: code.parsed().tree.language(),
            indent: code.indent(statement.start()),
            step: layout.step(),
            newline: code.newline(),
        };
        let written = settled(said, given.map(|it| it.text(code.text())).or(held), &place);
        let written = written.ok_or_else(|| self.inlined.early(self.call))?;
        let (declared, of) = match (given, held) {
            (Some(target), _) => self.declared(target)?,
            (None, Some(name)) if !self.is_python() => self.declared_as(name, None)?,
            _ => (None, None),
        };
        Ok((declared.into_iter().chain([written]).collect(), of))
    }

    /// Declares what is assigned in several places now.
    fn declared(&self, target: Node<'c>) -> Result<(Option<String>, Option<Span>), Refusal> {
        let code = self.site.code;
        let holder = target.parent().unwrap_or(target);
        let own = holder.child("type");
        let name = target.text(code.text());
        if self.is_python() {
            return Ok((own.map(|it| format!("{name}: {}", it.text(code.text()))), None));
        }
        if !holder.is("variable_declarator") {
            return Ok((None, None));
        }
        self.declared_as(name, own)
    }

    /// Declares a variable of a script, of a type that is written at the call, or that the function returns.
    fn declared_as(&self, name: &str, own: Option<Node<'c>>) -> Result<(Option<String>, Option<Span>), Refusal> {
        let code = self.site.code;
        let returned = self.inlined.signature.function.child("return_type").filter(|_| own.is_none());
        if let Some(returned) = returned {
            self.inlined.check_names(self.call, returned.span())?;
        }
        let own = own.map(|it| it.text(code.text()));
        let of = own.or_else(|| returned.map(|it| it.text(self.inlined.signature.code.text()))).unwrap_or_default();
        Ok((Some(format!("let {name}{of}{}", self.end())), returned.map(Node::span)))
    }
}
