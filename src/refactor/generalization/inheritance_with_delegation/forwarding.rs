//! What the class hands on to the object that it holds.

use super::Swap;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member};
use crate::refactor::analysis::delegation::{Delegated, answer_of, called, value_type};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inherited_members::Inherited;
use crate::syntax::Family;

impl Swap<'_> {
    /// Writes a method or accessors for all that others could ask the class for.
    pub(super) fn forwarding(&self) -> Result<Vec<String>, Refusal> {
        let mut written = Vec::new();
        for above in self.inherited.iter().filter(|it| !it.is_private && self.above(&it.name).is_some()) {
            let Some((class, members)) = self.line.members_named(&above.name) else { continue };
            let is_value = above.is_field || members.iter().any(|it| is_accessor(&class, it));
            let delegated = match (is_value, members.as_slice()) {
                (true, _) => Delegated::Value { answer: answer_of(self.code(), class.code, &members) },
                (false, [only]) => called(self.code(), class.code, only)?,
                (false, _) => return Err(class.code.refuse(above.place.offset, "it is declared more than once")),
            };
            let mut text = delegated.written(&self.class, &self.delegate, &above.name);
            if is_value && is_settable(&class, &members, above) {
                text += &self.setter(above, &class, &members);
            }
            written.push(text);
        }
        Ok(written)
    }

    fn setter(&self, above: &Inherited, class: &Class<'_>, members: &[Member<'_>]) -> String {
        let code = self.code();
        let (end, indent, name) = (code.newline(), self.class.indent(), &above.name);
        let deeper = format!("{end}{indent}{}", Layout::of(code).step());
        if code.family() == Family::Python {
            let field = Field { class: *class, name, members: members.to_vec() };
            let typed = field.written_type().filter(|_| class.code.path == code.path);
            let answer = if typed.is_some() { " -> None" } else { "" };
            let typed = typed.map(|it| format!(": {it}")).unwrap_or_default();
            let head = format!("def {name}(self, value{typed}){answer}:");
            return format!(
                "{end}{end}{indent}@{name}.setter{end}{indent}{head}{deeper}self.{}.{name} = value",
                self.delegate
            );
        }
        let base = self.class.bases()[0].text(code.text());
        let known = members.iter().find_map(|it| value_type(code, class.code, it));
        let typed = known.unwrap_or_else(|| format!("{base}[\"{name}\"]"));
        let typed = if code.is_typed_script() { format!(": {typed}") } else { String::new() };
        format!(
            "{end}{end}{indent}set {name}(value{typed}) {{{deeper}this.{}.{name} = value;{end}{indent}}}",
            self.delegate
        )
    }
}

fn is_accessor(class: &Class<'_>, member: &Member<'_>) -> bool {
    let is_marked = member.is_marked(class.code, "get") || member.is_marked(class.code, "set");
    let mut marks = member.decorators().map(|it| it.text(class.code.text()));
    is_marked || marks.any(|mark| mark == "@property" || mark.ends_with(".setter"))
}

/// Tells whether others may give it another value.
fn is_settable(class: &Class<'_>, members: &[Member<'_>], above: &Inherited) -> bool {
    let is_setter = |it: &Member<'_>| {
        let mut marks = it.decorators().map(|mark| mark.text(class.code.text()));
        it.is_marked(class.code, "set") || marks.any(|mark| mark.ends_with(".setter"))
    };
    match above.is_field {
        true => !members.iter().any(|it| it.is_marked(class.code, "readonly")),
        false => members.iter().any(is_setter),
    }
}
