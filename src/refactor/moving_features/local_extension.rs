//! Introduce Local Extension.
//!
//! ```python
//! def next_day(day):                        class Day(date):
//!     return day + timedelta(1)                 def next_day(self):
//!                                      →            return self + timedelta(1)
//!
//! due = next_day(date(2024, 1, 31))         due = Day(2024, 1, 31).next_day()
//! ```
//! The class cannot be changed: a subclass of it takes the functions that are about its objects.

mod extension;
mod method;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::check_unused;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, is_lone_string};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};
use extension::Extension;
use method::Method;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let name = request.params.text("name");
    check_unused(&code, name).noted()?;
    let base = named(&code, request)?;
    let mut extension = Extension { code: &code, names: &names, name, base, made: Vec::new(), moved: Vec::new() };
    let found = extension.library(session).await?;
    let functions = request.params.list("functions").iter();
    let methods: Vec<Method<'_>> = functions.map(|it| Method::of(&extension, it)).collect::<Result<_, _>>()?;
    extension.moved = methods.iter().map(|it| it.statement.span()).collect();
    if request.params.flag("replace_all") {
        extension.made = extension.all_made();
    }
    let mut edits = Edits::default();
    for method in &methods {
        method.check_free(session, &found)?;
        edits.add(&code, method.calls(session, &extension).await?);
    }
    edits.add(&code, extension.made.iter().map(|it| TextEdit::new(it.span(), name)));
    edits.add(&code, extension.declared(&methods));
    if !extension.made.is_empty() {
        let told =
            format!("objects that are made here are of `{name}`: whoever asks for their class, or shows it, sees it");
        edits.warn([Warning::of_plan(WarningKind::FollowUp, told)]);
    }
    edits.plan()
}

/// Returns what the target names the class by: `date`, `datetime.date`.
fn named<'c>(code: &'c Code, request: &Request) -> Result<Node<'c>, Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no class of a library in `{}`", code.shown));
    let target = &request.target;
    let at = crate::refactor::analysis::blocks::place(code, target).ok_or_else(unnamed)?;
    let span = code.parsed().tree.identifier_at(code.text(), at).ok_or_else(unnamed)?;
    let node = code.covering(span);
    let is_import = node.ancestors().any(|it| it.kind().starts_with("import") || it.is("future_import_statement"));
    let member = node.parent().filter(|it| !is_import && it.is_any(&["attribute", "member_expression"]));
    Ok(member.filter(|it| it.end() == node.end()).unwrap_or(node))
}

impl<'c> Extension<'c> {
    /// Puts the class where the first of the functions stood, or above what is behind the imports.
    fn declared(&self, methods: &[Method<'c>]) -> Vec<TextEdit> {
        let (code, end) = (self.code, self.code.newline());
        let gap = if code.family() == Family::Python { end.repeat(3) } else { end.repeat(2) };
        let text = self.written(methods);
        let mut order: Vec<&Method<'c>> = methods.iter().collect();
        order.sort_by_key(|it| it.statement.start());
        let Some((first, rest)) = order.split_first() else {
            let is_head =
                |it: &Node<'_>| it.kind().contains("import") || it.kind().ends_with("comment") || is_lone_string(*it);
            let begun = code.root().named_children().find(|it| !is_head(it));
            let at = begun.map_or(code.text().len(), |it| above(code, it));
            return vec![TextEdit::new(Span::at(at), format!("{text}{gap}"))];
        };
        let extent = |it: &Method<'c>| Span::new(comments_above(code, it.statement.start()), it.statement.end());
        let mut edits = vec![TextEdit::new(extent(first), text)];
        edits.extend(rest.iter().map(|it| crate::refactor::analysis::indentation::without_lines(code, extent(it))));
        edits
    }

    fn written(&self, methods: &[Method<'c>]) -> String {
        let (code, end) = (self.code, self.code.newline());
        let step = Layout::of(code).step().to_owned();
        let members: Vec<String> = methods.iter().map(|it| format!("{step}{}", it.written(&step))).collect();
        let body = members.join(&end.repeat(2));
        if code.family() == Family::Python {
            let body = if body.is_empty() { format!("{step}pass") } else { body };
            return format!("class {}({}):{end}{body}", self.name, self.text());
        }
        let is_exported = methods.iter().any(|it| it.statement.is("export_statement"));
        let export = if is_exported { "export " } else { "" };
        let body = if body.is_empty() { String::new() } else { format!("{end}{body}{end}") };
        format!("{export}class {} extends {} {{{body}}}", self.name, self.text())
    }
}
