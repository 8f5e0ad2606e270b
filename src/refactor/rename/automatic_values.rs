//! Members of Python's enumerations whose value is made of their name: `RED = auto()` in a `StrEnum` is `"red"`.

use super::hierarchy::{Hierarchy, LocatedClass};
use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::syntax::Node;
use crate::text::{AbsPath, Span, TextEdit};

/// What makes values out of names where an enumeration says nothing else (Python's `enum`).
const STRINGS: &str = "StrEnum";
/// By which an enumeration says it itself.
const MAKING: &str = "_generate_next_value_";

/// Writes the value of a renamed member out where it is known, so that it stays, and tells where it is not.
pub(super) async fn keep(hierarchy: &Hierarchy<'_>, gathered: &mut Gathered) -> Result<(), Refusal> {
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let Some(parsed) = hierarchy.session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let edited = gathered.edits_of(&path).into_iter().map(|edit| edit.span);
        let made: Vec<Span> = edited.filter_map(|span| made(parsed.tree.nodes().covering(span), text)).collect();
        for value in made {
            let around = parsed.tree.nodes().covering(value).ancestors().find(|outer| outer.is("class_definition"));
            let Some(class) = around.map(|it| hierarchy.class_of((&path, it.span()))).transpose()?.flatten() else {
                continue;
            };
            let range = parsed.text.range(value);
            match source(hierarchy, class).await? {
                Some(Source::Name) => {
                    let written = format!("\"{}\"", hierarchy.name.to_lowercase());
                    let message = format!("the value was made of the name, and is written out: {written}");
                    gathered.put(&path, TextEdit::new(value, written));
                    gathered.warnings.push(Warning::at(WarningKind::StringEdited, message, path.clone(), range));
                }
                Some(Source::Own) => {
                    let message = format!("the value may be made of the name `{}` here", hierarchy.name);
                    gathered.warnings.push(Warning::at(WarningKind::RunTime, message, path.clone(), range));
                }
                None => {}
            }
        }
    }
    Ok(())
}

/// What an enumeration makes values of.
enum Source {
    /// The member's name in lower case.
    Name,
    /// Something that it says itself.
    Own,
}

async fn source(hierarchy: &Hierarchy<'_>, class: LocatedClass) -> Result<Option<Source>, Refusal> {
    let above = hierarchy.ancestors(&class).await?;
    let line: Vec<LocatedClass> = std::iter::once(class).chain(above).collect();
    let is_inside = |path: &AbsPath| path.is_below(hierarchy.session.root());
    let own = line.iter().filter(|one| is_inside(&one.path));
    let mut bases =
        own.clone().flat_map(|one| &one.class.bases).map(|base| base.text.rsplit('.').next().unwrap_or_default());
    let is_own = own.clone().any(|one| one.class.methods.iter().any(|method| method.name == MAKING));
    Ok(match () {
        () if is_own || bases.clone().any(|base| base.ends_with("Choices")) => Some(Source::Own),
        () if bases.any(|base| base == STRINGS) => Some(Source::Name),
        () => None,
    })
}

/// Returns the call of `auto` that gives a member its value.
fn made(name: Node<'_>, text: &str) -> Option<Span> {
    let assignment = name.parent().filter(|outer| outer.is("assignment") && outer.child("left") == Some(name))?;
    let value = assignment.child("right").filter(|right| right.is("call"))?;
    let called = value.child("function")?.text(text);
    (called.rsplit('.').next() == Some("auto")).then(|| value.span())
}
