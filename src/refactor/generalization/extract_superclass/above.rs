//! What the constructor above takes, which the new one passes on.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, MemberKind};
use crate::refactor::analysis::inferred_types::is_writable;
use crate::refactor::generalization::superclass_fields::{AboveParameter, SetFields};
use crate::refactor::scopes::ScopedNames;
use crate::syntax::{Family, Node};

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
    // What is passed by name may be any of them.
    let passed = |it: Node<'_>| match it.child_of_kind("keyword_argument") {
        Some(_) => usize::MAX,
        None => it.named_children().count(),
    };
    let Some(most) = asked.map(passed).max() else { return Ok(Vec::new()) };
    if most == 0 {
        return Ok(Vec::new());
    }
    let code = class.code;
    let (above, _) = kin.ancestors(class).await?;
    let names = ScopedNames::of(code);
    for standing in above.iter().filter(|it| kin.is_own(it)) {
        let above = standing.class();
        let members = above.members();
        let mut constructors = members.iter().filter(|it| it.kind == MemberKind::Constructor);
        let constructor = constructors.find_map(|it| it.function().filter(|it| it.child("body").is_some()));
        let Some(list) = constructor.and_then(|it| it.child("parameters")) else { continue };
        let is_python = code.family() == Family::Python;
        let is_known = |it: &Node<'_>| {
            let of = it.child("type").and_then(|it| it.named_children().next());
            of.map(|of| of.text(above.code.text())).is_none_or(|of| match is_python {
                true => above.code.path == code.path || is_said(&names, of),
                false => is_writable(code, &names, of),
            })
        };
        let all = list.named_children().filter(|it| !it.is("comment")).skip(usize::from(is_python)).take(most);
        let read = all.map(|it| AboveParameter::of(above.code, it).filter(|_| is_known(&it)));
        return read.collect::<Option<Vec<_>>>().ok_or_else(|| unknown(class));
    }
    let top = above.iter().rfind(|it| kin.is_own(it)).map(|it| it.class());
    let top = top.as_ref().unwrap_or(class);
    let bases = top.bases();
    match bases.as_slice() {
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

/// Tells whether the file knows every name in a type of Python.
fn is_said(names: &ScopedNames<'_>, of: &str) -> bool {
    const BUILT_IN: &[&str] =
        &["bool", "bytes", "dict", "float", "int", "list", "None", "object", "set", "str", "tuple"];
    let mut words = of.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty());
    words.all(|word| BUILT_IN.contains(&word) || names.named(word).any(|it| it.is_binding && it.scope == 0))
}

fn unknown(class: &Class<'_>) -> Refusal {
    class.code.refuse(class.name.start(), "what the constructor above takes cannot be written here")
}
