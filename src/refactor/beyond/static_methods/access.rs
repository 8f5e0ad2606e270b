//! Who may ask the class for a function that becomes its method: what the module kept for itself, the class does.

use super::{Class, Code, Family, TextEdit};

/// How a method is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Public,
    /// `private`
    Word,
    /// `#`
    Sign,
}

impl Access {
    /// Says how a class keeps a method of that name for itself, as far as its language can.
    pub(super) fn kept((code, class): (&Code, Option<&Class<'_>>), name: &str) -> Self {
        let has_sign = class.is_some_and(|class| signs(class) && !class.has(&format!("#{name}")));
        match code.family() {
            Family::Script if has_sign => Self::Sign,
            Family::Script if code.is_typed_script() => Self::Word,
            _ => Self::Public,
        }
    }

    /// Returns what stands before `static`, and what before the name.
    pub(super) fn written(self) -> (&'static str, &'static str) {
        match self {
            Self::Public => ("", ""),
            Self::Word => ("private ", ""),
            Self::Sign => ("", "#"),
        }
    }

    /// Asks the class for a method by the name that it has there.
    pub(super) fn asked(self, edit: TextEdit, name: &str) -> TextEdit {
        let text = format!(".{}{name}", self.written().1);
        TextEdit { new_text: edit.new_text.replace(&format!(".{name}"), &text), ..edit }
    }
}

/// Tells whether a class marks what is private by `#`, and by that alone.
fn signs(class: &Class<'_>) -> bool {
    let members = class.members();
    let is_sign = |text: &str| text.starts_with('#');
    members.iter().any(|it| is_sign(it.name.text(class.code.text())))
        && !members.iter().any(|it| it.is_marked(class.code, "private"))
}
