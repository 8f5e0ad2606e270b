//! What a refactoring is asked with, beside its target.

/// One parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub is_required: bool,
    pub description: &'static str,
}

/// What a parameter's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A new name, by the rules of the target's language.
    Name,
    /// A piece of code, a type, a number, or the name of something that is there.
    Text,
    /// A file, which may be yet to come: seen from the project's root.
    Path,
    /// A declaration that is there: its name, or a target.
    Target,
    Flag,
    List,
}

impl Param {
    pub(super) const fn required(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, kind, is_required: true, description }
    }

    pub(super) const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Self {
        Self { name, kind, is_required: false, description }
    }

    /// Writes the parameter as the list of refactorings has it: `replace_all?:bool`.
    pub fn shown(&self) -> String {
        let mark = if self.is_required { "" } else { "?" };
        let kind = match self.kind {
            Kind::Name | Kind::Text | Kind::Path | Kind::Target => "",
            Kind::Flag => ":bool",
            Kind::List => ":list",
        };
        format!("{}{mark}{kind}", self.name)
    }
}

/// Writes a parameter's name as the option that gives it on a command line: `replace-all`.
pub fn option(name: &str) -> String {
    name.trim_end_matches('_').replace('_', "-")
}

/// The name of what comes into being.
pub(super) const NAME: Param = Param::required("name", Kind::Name, "the name of what comes into being");
pub(super) const NEW_NAME: Param = Param::required("new_name", Kind::Name, "the new name");
pub(super) const TO: Param =
    Param::required("to", Kind::Target, "where it goes: a class of the target's file, or a target");
/// For what goes by calls.
pub(super) const UNTYPED: Param = Param::optional(
    "untyped",
    Kind::Flag,
    "whether calls on values of unknown type are taken along; each file is told",
);
pub(super) const PARAMETER: Param =
    Param::optional("parameter", Kind::Text, "the parameter's name, where the target does not name it");
