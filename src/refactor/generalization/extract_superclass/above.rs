//! What the constructor above takes, which the new one passes on.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, MemberKind};
use crate::refactor::analysis::inferred_types::is_writable;
use crate::refactor::generalization::superclass_fields::{AboveParameter, SetFields};
use crate::refactor::scopes::ScopedNames;
use crate::syntax::Node;

/// Classes of the language whose constructors take a message and options.
const ERRORS: &[&str] = &["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"];
const OF_ERRORS: [(&str, &str); 2] = [("message", "string"), ("options", "ErrorOptions")];

/// Returns the parameters of the constructor above a class that some classes pass something; refuses one that is not known.
pub(super) async fn parameters(
    kin: &ClassHierarchy<'_>,
    class: &Class<'_>,
    sets: &[Option<SetFields<'_>>],
) -> Result<Vec<AboveParameter>, Refusal> {
    let asked = sets.iter().flatten().filter_map(SetFields::asked);
    let Some(most) = asked.map(|it| it.named_children().count()).max() else { return Ok(Vec::new()) };
    let code = class.code;
    let (above, _) = kin.ancestors(class).await?;
    let names = ScopedNames::of(code);
    for standing in above.iter().filter(|it| kin.is_own(it)) {
        let above = standing.class();
        let members = above.members();
        let constructor =
            members.iter().find(|it| it.kind == MemberKind::Constructor && it.node.child("body").is_some());
        let Some(list) = constructor.and_then(|it| it.node.child("parameters")) else { continue };
        let is_known = |it: &Node<'_>| {
            let of = it.child("type").and_then(|it| it.named_children().next());
            of.is_none_or(|of| is_writable(code, &names, of.text(above.code.text())))
        };
        let all = list.named_children().filter(|it| !it.is("comment")).take(most);
        let read = all.map(|it| AboveParameter::of(above.code, it).filter(|_| is_known(&it)));
        return read.collect::<Option<Vec<_>>>().ok_or_else(|| unknown(class));
    }
    let top = above.iter().rfind(|it| kin.is_own(it)).map(|it| it.class());
    let top = top.as_ref().unwrap_or(class);
    let bases = top.bases();
    match bases.as_slice() {
        [] if most == 0 => Ok(Vec::new()),
        [base] if ERRORS.contains(&base.text(top.code.text())) && most <= OF_ERRORS.len() => {
            let written = |(name, of): (&str, &str)| match code.is_typed_script() {
                true => format!("{name}?: {of}"),
                false => name.to_owned(),
            };
            let one = |it: (&str, &str)| AboveParameter { name: it.0.to_owned(), written: written(it), is_open: true };
            Ok(OF_ERRORS.into_iter().take(most).map(one).collect())
        }
        _ => Err(unknown(class)),
    }
}

fn unknown(class: &Class<'_>) -> Refusal {
    class.code.refuse(class.name.start(), "what the constructor above takes cannot be written here")
}
