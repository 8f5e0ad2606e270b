//! Scripts that hand on all that another one has: `export * from "./shop"`, `export * as shop from "./shop"`.

use super::statements::with_links;
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::doubts::doubt;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span};

/// Finds the statements of other scripts that hand on all that a script has.
pub(crate) fn whole_exports(session: &Session, code: &Code) -> Result<Vec<(Code, Span)>, Refusal> {
    if code.family() != Family::Script {
        return Ok(Vec::new());
    }
    // Others name an index by its directory.
    let stem = Some(code.path.file_stem()).filter(|stem| *stem != "index").unwrap_or_default();
    let mut handing = session.disk().files_mentioning(&format!("export from {stem}"));
    let is_script = |path: &AbsPath| Language::of_path(path).map(Language::family) == Some(Family::Script);
    handing.retain(|path| *path != code.path && is_script(path));
    with_links(session, code.family(), &code.path, |links| {
        let mut found = Vec::new();
        for path in handing {
            let other = Code::known(session, &path)?;
            let is_it = |link: &Link| {
                matches!(link.taken, LinkedName::Star | LinkedName::Module)
                    && link.form.is_export()
                    && link.module.as_ref() == Some(&code.path)
            };
            let link = links.of(&other).into_iter().find(is_it);
            found.extend(link.map(|link| (other, link.statement)));
        }
        Ok(found)
    })
}

/// Doubts that a declaration may go away which a script exports by name, and others hand on with all that it has.
pub(crate) fn doubt_offered(
    session: &Session,
    (code, declaration): (&Code, Node<'_>),
    name: &str,
) -> Result<Vec<Warning>, Refusal> {
    if !is_exported(code, declaration, name) {
        return Ok(Vec::new());
    }
    let offered = whole_exports(session, code)?.into_iter();
    let told = |(other, span): (Code, Span)| {
        let reason = format!("`{name}` is handed on here with all that `{}` has, and others may take it", code.shown);
        doubt(&other, span, reason)
    };
    offered.map(told).collect()
}

/// Tells whether a script exports a declaration at its top by its name.
fn is_exported(code: &Code, declaration: Node<'_>, name: &str) -> bool {
    let text = code.text();
    let chain = std::iter::once(declaration).chain(declaration.ancestors());
    let Some(statement) = chain.into_iter().find(|it| it.parent().is_some_and(|outer| outer.parent().is_none())) else {
        return false;
    };
    let is_default = statement.children().any(|it| it.kind() == "default");
    let is_inner = declaration.ancestors().any(|it| it.is_any(&["class_body", "statement_block"]));
    let says = |it: Node<'_>| it.is("export_specifier") && it.child("name").is_some_and(|it| it.text(text) == name);
    !is_inner && (statement.is("export_statement") && !is_default || code.root().descendants().any(says))
}
