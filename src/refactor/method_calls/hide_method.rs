//! Hide Method.
//!
//! ```python
//! class Order:                         class Order:
//!     def total(self):                     def total(self):
//!         return self.sum()        →           return self._sum()
//!
//!     def sum(self): ...                   def _sum(self): ...
//! ```

use crate::lsp::Place;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::analysis::references::{Use, Uses};
use crate::refactor::rename::RenameRequest;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_at, is_class};
use crate::refactor::{Refusal, rename};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, Text, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let method = function_at(&code, &request.target)?;
    let class = method.ancestors().find(|outer| is_class(*outer)).ok_or_else(|| no_method(&code, method))?;
    let name = method.child("name").ok_or_else(|| no_method(&code, method))?;
    match code.family() {
        Family::Python => in_python(session, &code, class, name).await,
        _ => in_script(session, &code, (class, method), name).await,
    }
}

fn no_method(code: &Code, node: Node<'_>) -> Refusal {
    code.refuse(node.start(), "what is named there is no method of a class")
}

/// In Python an underscore says it: a rename that nothing outside the class takes part in.
async fn in_python(session: &Session, code: &Code, class: Node<'_>, name: Node<'_>) -> Result<Plan, Refusal> {
    let text = name.text(code.text());
    if text.starts_with('_') {
        return Err(code.refuse(name.start(), format!("`{text}` is private, or called by the language")));
    }
    let place = Place { path: code.path.clone(), offset: name.start() };
    let plan = rename::plan(session, &RenameRequest::new(place, format!("_{text}"))).await?;
    for (path, file) in plan.edits() {
        let outside = file.edits.iter().find(|edit| *path != code.path || !class.span().contains(edit.span));
        if let Some(edit) = outside {
            return Err(outside_of(session, text, (path, &file.before), edit.span));
        }
    }
    let stands = |kind| matches!(kind, WarningKind::Mentioned | WarningKind::PossibleUse);
    let mentioned = plan.warnings().iter().find(|warning| stands(warning.kind));
    match mentioned {
        Some(warning) => {
            Err(Refusal::NotPossible(format!("`{text}` may be used outside its class: {}", told(session, warning))))
        }
        None => Ok(plan),
    }
}

fn outside_of(session: &Session, name: &str, (path, text): (&AbsPath, &Text), span: Span) -> Refusal {
    let line = text.position(span.start).map_or(0, |position| position.line + 1);
    let path = path.shown_from(session.root());
    Refusal::NotPossible(format!("`{name}` is used outside its class: {path}:{line}"))
}

fn told(session: &Session, warning: &Warning) -> String {
    let shown = |path: &AbsPath| path.shown_from(session.root());
    let path = warning.path.as_ref().map(|path| format!("{}: ", shown(path))).unwrap_or_default();
    format!("{path}{}", warning.message)
}

/// In JavaScript the name says it, and the language holds everybody to it.
async fn in_javascript(session: &Session, code: &Code, name: Node<'_>) -> Result<Plan, Refusal> {
    let text = name.text(code.text());
    if text.starts_with('#') {
        return Err(code.refuse(name.start(), format!("`{text}` is private")));
    }
    let place = Place { path: code.path.clone(), offset: name.start() };
    rename::plan(session, &RenameRequest::new(place, format!("#{}", text.trim_start_matches('_')))).await
}

/// In TypeScript a word says it, and the compiler holds everybody to it.
async fn in_script(
    session: &Session,
    code: &Code,
    (class, method): (Node<'_>, Node<'_>),
    name: Node<'_>,
) -> Result<Plan, Refusal> {
    let text = name.text(code.text());
    if !code.is_typed_script() {
        return in_javascript(session, code, name).await;
    }
    let modifier = method.children().find(|child| child.is("accessibility_modifier"));
    let uses = Uses::of(session, code, name.start()).await?;
    let is_outside = |(file, one): &(&Code, &Use)| file.path != code.path || !class.span().contains(one.span);
    if let Some((file, one)) = uses.iter().find(is_outside) {
        return Err(outside_of(session, text, (&file.path, &file.parsed().text), one.span));
    }
    let edit = match modifier {
        Some(word) if word.text(code.text()) == "private" => {
            return Err(code.refuse(name.start(), format!("`{text}` is private")));
        }
        Some(word) => TextEdit::new(word.span(), "private"),
        None => TextEdit::new(Span::at(method.start()), "private "),
    };
    let plan = code.plan(vec![edit])?;
    // An interface, a base class or a subclass may ask for it: the compiler knows.
    let doubt = Warning::of_plan(WarningKind::Unproven, format!("whether `{text}` has to be public"));
    Ok(plan.with_warnings(vec![doubt]))
}
