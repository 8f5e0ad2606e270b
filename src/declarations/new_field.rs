//! How a field that is asked for is written in its file.

use super::module::Module;
use super::placing::Misfit;
use crate::session::Parsed;
use crate::syntax::{EntryKind, Family, Language};

/// A field, as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct NewField<'f> {
    pub name: &'f str,
    /// As the language writes it.
    pub type_name: &'f str,
    /// What it is set to where nothing else is said.
    pub default: Option<&'f str>,
}

impl NewField<'_> {
    /// Writes the declaration of the field in a class, struct, interface, object type or contract.
    ///
    /// # Errors
    ///
    /// Where the language has no fields, or the owner's have no defaults.
    pub fn declaration(&self, (parsed, module): (&Parsed, &Module), owner: usize) -> Result<String, Misfit> {
        let Self { name, type_name, default } = *self;
        let row = &module.rows[owner];
        let family = module.language.family();
        let takes_default = match family {
            Family::Script => row.kind == EntryKind::Class,
            other => {
                matches!(other, Family::Python | Family::Java | Family::C)
                    || other == Family::Solidity && row.kind == EntryKind::Contract
            }
        };
        if default.is_some() && !takes_default {
            return Err(Misfit::NoDefault(row.name().to_owned()));
        }
        let value = default.map(|value| format!(" = {value}")).unwrap_or_default();
        match family {
            Family::Python => Ok(format!("{name}: {type_name}{value}")),
            Family::Script => {
                let of = if module.language == Language::JavaScript { String::new() } else { format!(": {type_name}") };
                Ok(format!("{name}{of}{value}{}", end((parsed, module), owner)))
            }
            Family::Rust => Ok(format!("{name}: {type_name},")),
            Family::Go => Ok(format!("{name} {type_name}")),
            Family::Solidity | Family::Java | Family::C => Ok(format!("{type_name} {name}{value};")),
            _ => Err(Misfit::NoFields(module.path.clone())),
        }
    }
}

/// Returns what ends the fields of a script's class or type: what ends its own, or else those of the file.
fn end((parsed, module): (&Parsed, &Module), owner: usize) -> &'static str {
    let fields = |of: Option<usize>| {
        let all = module.rows.iter().filter(|row| row.kind == EntryKind::Field);
        all.filter(|row| of.is_none_or(|of| row.parent == Some(of))).max_by_key(|row| row.full_span.end)
    };
    let text = parsed.text.as_str();
    match fields(Some(owner)).or_else(|| fields(None)) {
        Some(last) if text[..last.full_span.end].ends_with(';') => ";",
        Some(last) => match text[last.full_span.end..].trim_start_matches([' ', '\t']).chars().next() {
            Some(',') => ",",
            Some('\n' | '\r') => "",
            _ => ";",
        },
        None if ends_without(text) => "",
        None => ";",
    }
}

/// Tells whether the statements of a script end without a semicolon.
pub(super) fn ends_without(text: &str) -> bool {
    let is_end = |end: char| end.is_alphanumeric() || matches!(end, ')' | '\'' | '"' | '`');
    let mut lines = text.lines().map(str::trim_end);
    !lines.clone().any(|line| line.ends_with(';')) && lines.any(|line| line.ends_with(is_end))
}
