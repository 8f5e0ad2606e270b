//! The order in which import statements name things: as those that stand there do, else as the project's settings say.

use super::configured_order::{SortedNames, configured};
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};

/// What names are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameOrder {
    /// As their bytes are: `Z` before `a`.
    Exact,
    Lowercase,
    /// Constants, classes, the rest, as isort has them (`order_by_type`).
    ByType,
}

const ALL: [NameOrder; 3] = [NameOrder::Exact, NameOrder::Lowercase, NameOrder::ByType];

impl NameOrder {
    /// Returns the order of the names of one statement; nothing where they have none. What the statement leaves open the
    /// others of the file say, then the project's settings.
    pub(super) fn of(code: &Code, names: &[&str]) -> Option<Self> {
        let mut fit: Vec<Self> = ALL.into_iter().filter(|it| it.sorts(names)).collect();
        for names in others(code) {
            let closer: Vec<Self> = fit.iter().copied().filter(|it| it.sorts(&names)).collect();
            fit = if closer.is_empty() { fit } else { closer };
        }
        let wished = || match configured(code)? {
            SortedNames::ByType => Some(Self::ByType),
            SortedNames::Plainly => Some(Self::Lowercase),
        };
        match fit.as_slice() {
            [] | [_] => fit.first().copied(),
            [first, ..] => Some(wished().filter(|it| fit.contains(it)).unwrap_or(*first)),
        }
    }

    /// Sorts the names of a statement that is new in a file.
    pub(super) fn sort_new<N: AsRef<str>>(code: &Code, names: &mut [N]) {
        let order = Self::of(code, &[]).unwrap_or(Self::Exact);
        names.sort_by_key(|name| order.key(name.as_ref()));
    }

    pub(super) fn key(self, name: &str) -> (u8, String) {
        match self {
            Self::Exact => (0, name.to_owned()),
            Self::Lowercase => (0, name.to_lowercase()),
            Self::ByType => (rank(name), name.to_lowercase()),
        }
    }

    fn sorts(self, names: &[&str]) -> bool {
        names.iter().map(|name| self.key(name)).is_sorted()
    }
}

/// Returns what the import statements of a file name, each by itself.
fn others(code: &Code) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for statement in code.root().named_children() {
        let names: Vec<Node<'_>> = match statement.kind() {
            "import_from_statement" => statement.children_in("name").collect(),
            "import_statement" if code.family() == Family::Script => {
                statement.descendants().filter(|it| it.is("import_specifier")).collect()
            }
            _ => continue,
        };
        found.push(names.into_iter().map(|name| name.text(code.text())).collect());
    }
    found
}

/// Returns where a name stands among those of a statement as isort has them: constants, classes, the rest.
fn rank(name: &str) -> u8 {
    let name = name.split_whitespace().next().unwrap_or_default();
    let is_constant = name.len() > 1 && name.chars().any(char::is_alphabetic) && !name.chars().any(char::is_lowercase);
    match () {
        () if is_constant => 0,
        () if name.starts_with(char::is_uppercase) => 1,
        () => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::NameOrder;
    use crate::refactor::source_file::Code;
    use crate::syntax::Language;

    fn order(text: &str, names: &[&str]) -> Option<NameOrder> {
        NameOrder::of(&Code::of_text(Language::Python, text), names)
    }

    #[test]
    fn the_order_is_the_one_that_the_names_have() {
        assert_eq!(order("", &["TIMEOUT_MAX", "Event", "Thread"]), Some(NameOrder::ByType));
        assert_eq!(order("", &["Event", "TIMEOUT_MAX", "Thread"]), Some(NameOrder::Exact));
        assert_eq!(order("", &["b", "a"]), None);
        let other = "from typing import TYPE_CHECKING, NamedTuple\n";
        assert_eq!(order(other, &["Event", "Thread"]), Some(NameOrder::ByType), "the other statement says so");
    }
}
