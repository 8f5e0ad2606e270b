//! The catalog holds what its clients rely on.

use std::collections::BTreeSet;

use super::refactoring::Category;
use super::{catalog, refactoring};

#[test]
fn every_name_is_there_once() {
    let names: BTreeSet<&str> = catalog().map(|one| one.name).collect();
    assert_eq!((catalog().count(), names.len()), (96, 96));
    let count = |category| catalog().filter(|one| one.category == category).count();
    assert_eq!(Category::ALL.map(count), [10, 8, 8, 14, 12, 14, 30]);
    assert_eq!(refactoring("replace-magic-number").map(|one| one.params.len()), Some(3));
}

#[test]
fn another_name_leads_to_an_entry_that_has_none_of_that_name() {
    for (alias, name) in super::ALIASES {
        assert!(super::catalog().any(|one| one.name == *name), "`{alias}` leads to `{name}`, which is not there");
        assert!(!super::catalog().any(|one| one.name == *alias), "`{alias}` is an entry itself");
    }
    assert!(super::ALIASES.is_sorted());
}
