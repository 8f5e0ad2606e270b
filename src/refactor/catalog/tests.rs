//! The catalog holds what its clients rely on.

use std::collections::BTreeSet;

use super::refactoring::Category;
use super::{catalog, refactoring};

#[test]
fn every_name_is_there_once() {
    let names: BTreeSet<&str> = catalog().map(|one| one.name).collect();
    assert_eq!((catalog().count(), names.len()), (87, 87));
    let count = |category| catalog().filter(|one| one.category == category).count();
    assert_eq!(Category::ALL.map(count), [10, 8, 8, 14, 12, 14, 21]);
    assert_eq!(refactoring("replace-magic-number").map(|one| one.params.len()), Some(3));
}
