//! Classes whose `super()` may lead to a class that they do not know: a heir joins them with others.

use std::collections::{BTreeMap, BTreeSet};

use crate::declarations::index::Index;
use crate::session::Session;
use crate::syntax::{EntryKind, Language};

/// Returns the names of the classes that a class with several bases is below.
pub(super) fn joined(session: &Session, index: &Index) -> BTreeSet<String> {
    let mut bases: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    for module in index.modules("").filter(|module| module.language == Language::Python) {
        let Ok(path) = session.root().join(&module.path) else { continue };
        let Ok(text) = session.disk().read(&path) else { continue };
        for row in module.rows.iter().filter(|row| row.kind.has_members() && row.kind != EntryKind::Module) {
            let named = named_bases(text.as_str().get(row.name_span.end..).unwrap_or_default());
            if named.len() > 1 {
                open.extend(named.iter().cloned());
            }
            bases.entry(row.name().to_owned()).or_default().extend(named);
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = open.pop() {
        if found.insert(name.clone()) {
            open.extend(bases.get(&name).into_iter().flatten().cloned());
        }
    }
    found
}

/// Reads the last names of the bases behind a class's name.
fn named_bases(behind: &str) -> Vec<String> {
    const PLAIN: &[&str] = &["ABC", "Generic", "Protocol", "object"];
    // Type parameters stand before the bases.
    let head = behind.split(':').next().unwrap_or_default();
    let Some(list) = head.find('(').map(|at| &behind[at + 1..]) else { return Vec::new() };
    let (mut depth, mut parts) = (0_usize, vec![String::new()]);
    for one in list.chars() {
        match one {
            ')' | ']' if depth == 0 => break,
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => parts.push(String::new()),
            _ if depth == 0 => parts.last_mut().into_iter().for_each(|part| part.push(one)),
            _ => {}
        }
    }
    let names = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty() && !part.contains('='));
    let names = names.filter_map(|part| part.rsplit('.').next());
    names.filter(|name| !PLAIN.contains(name)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::named_bases;

    #[test]
    fn bases_are_read_by_their_last_names() {
        assert_eq!(named_bases("(a.Base, Generic[T, U], Mixin[int], metaclass=Meta):"), ["Base", "Mixin"]);
        assert_eq!(named_bases("[T](Base):"), ["Base"]);
        assert!(named_bases(":\n    def f(self): pass").is_empty());
    }
}
