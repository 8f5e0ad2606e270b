//! Parameters, checked against the catalog.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::refactor::catalog::refactoring::Refactoring;
use crate::refactor::params::{Kind, Param};
use crate::refactor::request::{Given, Params};
use crate::syntax::{Language, check_name};
use crate::tools::ToolError;

/// Takes every parameter as its kind says. Numbers are texts; a list may be a text with commas, and a flag the
/// word for it, as a command line gives them. Hyphens in a parameter's name count as underscores.
pub(super) fn checked(
    refactoring: &Refactoring,
    language: Language,
    params: &Map<String, Value>,
) -> Result<Params, ToolError> {
    let mut checked = BTreeMap::new();
    for (name, value) in params {
        let wanted = name.replace('-', "_");
        let param = refactoring.params.iter().find(|param| param.name == wanted);
        let param = param.ok_or_else(|| described(refactoring, format!("has no parameter `{name}`")))?;
        let given = given(param, value)
            .ok_or_else(|| described(refactoring, format!("cannot take `{value}` for `{}`", param.shown())))?;
        if let (Kind::Name, Given::Text(name)) = (param.kind, &given) {
            check_name(language, name).map_err(|bad| ToolError::invalid(bad.to_string()))?;
        }
        checked.insert(param.name, given);
    }
    match refactoring.params.iter().find(|param| param.is_required && !checked.contains_key(param.name)) {
        Some(missing) => Err(described(refactoring, format!("needs `{}`: {}", missing.name, missing.description))),
        None => Ok(Params::new(checked)),
    }
}

fn given(param: &Param, value: &Value) -> Option<Given> {
    match (param.kind, value) {
        (Kind::Name | Kind::Text | Kind::Path | Kind::Target, Value::String(text)) => Some(Given::Text(text.clone())),
        (Kind::Name | Kind::Text, Value::Number(number)) => Some(Given::Text(number.to_string())),
        (Kind::Flag, Value::Bool(flag)) => Some(Given::Flag(*flag)),
        (Kind::Flag, Value::String(word)) => word.parse().ok().map(Given::Flag),
        (Kind::List, Value::String(words)) => {
            let words = words.split(',').map(|word| word.trim().to_owned());
            Some(Given::List(words.filter(|word| !word.is_empty()).collect()))
        }
        (Kind::List, Value::Array(all)) => {
            let words: Option<Vec<String>> = all.iter().map(|one| one.as_str().map(str::to_owned)).collect();
            words.map(Given::List)
        }
        _ => None,
    }
}

fn described(refactoring: &Refactoring, what: String) -> ToolError {
    let error = ToolError::invalid(format!("`{}` {what}", refactoring.name));
    refactoring.params.iter().fold(error, |error, param| {
        let need = if param.is_required { "needed" } else { "optional" };
        error.hint(format!("{} ({need}): {}", param.shown(), param.description))
    })
}
