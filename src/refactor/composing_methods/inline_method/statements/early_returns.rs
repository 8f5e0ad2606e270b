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
    /// Tells whether a body that returns early can stand there: where all of it is returned, dropped, or assigned at once.
    pub(super) fn may_return_early(&self, site: &Site<'c>) -> bool {
        let is_script = site.code.family() != Family::Python;
        match site.form {
            Form::Answered => true,
            Form::Nothing | Form::Part => !self.is_async || !is_script,
            Form::Given(target) => {
                let is_plain = target.is_any(&["identifier", "member_expression"]) || !is_script;
                is_plain && !site.statement.is("export_statement") && (!self.is_async || !is_script)
            }
        }
    }

    pub(super) fn early(&self, call: &Call<'c>, early: Node<'c>) -> Refusal {
        let reason =
            format!("it returns here, too: that is only possible where its call is returned ({})", call.line());
        self.signature.code.refuse(early.start(), reason)
    }
}

impl<'c> Coming<'_, 'c> {
    /// Lets each answer of a body that returns early be what the call gives; before it stands what declares that, with the place
    /// of a type that it takes along. A larger expression takes it from a variable, `held`.
    pub(super) fn settled(&self, said: String, held: Option<&str>) -> Result<(Vec<String>, Option<Span>), Refusal> {
        let (inlined, site) = (self.inlined, &self.site);
        let (code, statement) = (site.code, site.statement);
        if site.form == Form::Answered {
            return Ok((vec![said], None));
        }
        let given = match site.form {
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
        let written = settled(&said, given.map(|it| it.text(code.text())).or(held), &place);
        let early = || {
            inlined.body.early.map_or_else(|| self.call.refuse("it returns early"), |it| inlined.early(self.call, it))
        };
        let written = written.ok_or_else(early)?;
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
