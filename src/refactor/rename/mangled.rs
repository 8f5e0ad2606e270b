//! Private names of Python as they are from outside their class: `account._Account__balance` (Python's reference, § Private name
//! mangling). No server knows them.

use std::collections::{BTreeMap, BTreeSet};

use super::forward_references::is_python;
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::python::{Class, has_special_form};
use crate::text::{AbsPath, Span, TextEdit};

/// Renames them with their class and with the member, and tells those that another class of that name may have.
pub(super) fn follow(session: &Session, new_name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    let (mut mangled, mut renamed) = (BTreeMap::new(), BTreeSet::new());
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let Some(parsed) = session.parsed(&path)? else { continue };
        for class in parsed.classes() {
            let anew = of_class(class, new_name, &|span| gathered.has(&path, span));
            renamed.extend((!anew.is_empty()).then(|| class.name.clone()));
            mangled.extend(anew);
        }
    }
    for (old, new) in mangled.into_iter().filter(|(old, new)| old != new) {
        let class = renamed.iter().filter(|class| old.starts_with(&prefix(class))).max_by_key(|class| class.len());
        let is_shared = class.map(|class| declared_twice(session, class)).transpose()?.unwrap_or_default();
        for path in session.disk().files_mentioning(&old).into_iter().filter(is_python) {
            let spans = uses(session, &path, &old)?;
            if !is_shared {
                for span in spans {
                    gathered.put(&path, TextEdit::new(span, new.clone()));
                }
            } else if !spans.is_empty() {
                let message = format!("`{old}` may be what is renamed, or of another class of that name");
                let text = session.disk().read(&path)?;
                gathered.warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, path, (&text, &spans)));
            }
        }
    }
    Ok(())
}

/// The names of a class's private members from outside, before and after a rename of the class or of a member.
fn of_class(class: &Class, new_name: &str, is_renamed: &dyn Fn(Span) -> bool) -> BTreeMap<String, String> {
    let own = if is_renamed(class.name_span) { new_name } else { &class.name };
    let attributes = class.attributes.iter().flat_map(|it| it.places.iter().map(|(_, span)| (&it.name, *span)));
    let members = attributes.chain(class.methods.iter().map(|method| (&method.name, method.name_span)));
    let private = members.filter(|(name, _)| name.starts_with("__") && !has_special_form(name));
    let pair = |(name, span): (&String, Span)| {
        let member = if is_renamed(span) { new_name } else { name };
        let is_private = member.starts_with("__") && !has_special_form(member);
        let new = if is_private { outside(own, member) } else { member.to_owned() };
        (outside(&class.name, name), new)
    };
    private.map(pair).filter(|(old, new)| old != new).collect()
}

fn outside(class: &str, member: &str) -> String {
    let class = class.trim_start_matches('_');
    // A class of nothing but underscores mangles nothing.
    if class.is_empty() { member.to_owned() } else { format!("_{class}{member}") }
}

fn prefix(class: &str) -> String {
    outside(class, "__")
}

fn declared_twice(session: &Session, name: &str) -> Result<bool, Refusal> {
    let mut modules = BTreeSet::new();
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        for class in parsed.classes().iter().filter(|class| class.name == name) {
            // A stub declares the same class once more.
            modules.insert((path.file_stem().to_owned(), path.extension() == "pyi", class.name_span));
        }
    }
    Ok(modules.iter().filter(|(_, is_stub, _)| !is_stub).count() > 1)
}

/// Where a file has the name, in code or as a whole string.
fn uses(session: &Session, path: &AbsPath, name: &str) -> Result<Vec<Span>, Refusal> {
    let Some(parsed) = session.parsed(path)? else { return Ok(Vec::new()) };
    let text = parsed.text.as_str();
    let is_it =
        |node: &crate::syntax::Node<'_>| node.is_any(&["identifier", "string_content"]) && node.text(text) == name;
    Ok(parsed.tree.nodes().iter().filter(is_it).map(|node| node.span()).collect())
}
