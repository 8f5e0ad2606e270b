//! Types of TypeScript that name a module (`import("./shop").Order`), where its grammar here does not know them.

use super::Language;
use super::words::changed;

/// Returns a text of the same length in which `load<typeof import("./shop")>()` reads `load<  void|import("./shop")>()`: the
/// grammar here takes the first for a comparison. None where there is nothing of the kind.
pub(super) fn called(language: Language, text: &str) -> Option<String> {
    const WORDS: &str = "typeof import(";
    const READ: &str = "  void|import(";
    if !language.is_typed_script() {
        return None;
    }
    let mut given = text.to_owned();
    for (at, _) in text.match_indices(WORDS) {
        let behind = text[at + WORDS.len()..].split_once(')').map(|(_, rest)| rest.trim_start());
        let is_called = |rest: &str| rest.strip_prefix('>').is_some_and(|rest| rest.trim_start().starts_with('('));
        if text[..at].trim_end().ends_with('<') && behind.is_some_and(is_called) {
            given.replace_range(at..at + WORDS.len(), READ);
        }
    }
    (given != text).then_some(given)
}

/// Returns a text of the same length in which `import("./shop").Order<Line, Tax>` reads `import("./shop").Order|Line| Tax `: the
/// grammar here knows no such type that takes others. None where there is nothing of the kind.
pub(super) fn generic(language: Language, text: &str) -> Option<String> {
    if !language.is_typed_script() {
        return None;
    }
    let mut given = text.as_bytes().to_vec();
    for open in behind_types(text) {
        let named = &text[open..];
        let Some(list) = list_of(named).filter(|_| named.starts_with('<')) else { continue };
        // `import("./shop").then<Order>(…)` loads the module.
        if named[list.end..].trim_start().starts_with('(') {
            continue;
        }
        given[open] = b'|';
        given[open + list.end - 1] = b' ';
        for comma in list.commas {
            let is_last = text[open + comma + 1..open + list.end - 1].trim().is_empty();
            given[open + comma] = if is_last { b' ' } else { b'|' };
        }
    }
    changed(text, given)
}

/// Returns a text of the same length in which `import("./shop").Order["lines"][]` reads `import("./shop").Order|"lines"   `: the
/// grammar here knows no such type that is looked into, nor lists of it. None where there is nothing of the kind.
pub(super) fn indexed(language: Language, text: &str) -> Option<String> {
    if !language.is_typed_script() {
        return None;
    }
    let mut given = text.as_bytes().to_vec();
    for mut open in behind_types(text) {
        while let Some(list) = list_of(&text[open..]).filter(|_| text[open..].starts_with('[')) {
            let inner = open + 1..open + list.end - 1;
            given[open] = if text[inner.clone()].trim().is_empty() { b' ' } else { b'|' };
            given[inner.end] = b' ';
            open = inner.end + 1;
        }
    }
    changed(text, given)
}

/// Returns the places right behind `import("./shop").Order`, in bytes.
fn behind_types(text: &str) -> impl Iterator<Item = usize> {
    const WORD: &str = "import(";
    text.match_indices(WORD).filter_map(|(at, _)| {
        let start = at + WORD.len();
        let behind = &text[start + text[start..].find(')')? + 1..];
        let rest = behind.trim_start_matches(|it: char| it.is_alphanumeric() || matches!(it, '.' | '_' | '$'));
        behind.starts_with('.').then_some(text.len() - rest.len())
    })
}

/// A list of types, by bytes from its `<` on.
struct List {
    end: usize,
    commas: Vec<usize>,
}

/// Reads the list that a text begins with.
fn list_of(text: &str) -> Option<List> {
    let (mut depth, mut quote, mut before) = (0_usize, None, b' ');
    let mut commas = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'<' | b'(' | b'[' | b'{') => depth += 1,
            (None, b'>') if before == b'=' => {}
            (None, b'>' | b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, b',') if depth == 1 => commas.push(at),
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (Some(mark), _) if mark == byte => quote = None,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(List { end: at + 1, commas });
        }
        before = byte;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::generic;
    use crate::syntax::{Language, Tree};

    #[test]
    fn types_of_modules_that_take_others() {
        for (text, read) in [
            ("type A = import('./a').B<X>;", "type A = import('./a').B|X ;"),
            ("type A<T> = import('./a').N.B<T, C<D>>[];", "type A<T> = import('./a').N.B|T| C<D> [];"),
            ("let a: import('./a').B<() => void, 'x,y'>;", "let a: import('./a').B|() => void| 'x,y' ;"),
            ("let a: import('./a').B<\n  X,\n>;", "let a: import('./a').B|\n  X \n ;"),
            ("type A = Pick<import('./a').B<X>, 'b'>;", "type A = Pick<import('./a').B|X , 'b'>;"),
        ] {
            assert_eq!(generic(Language::TypeScript, text).as_deref(), Some(read));
            assert_eq!(Tree::parse(Language::TypeScript, text).error_count(), 0, "{text}");
        }
    }

    #[test]
    fn what_loads_a_module_is_left() {
        for text in ["import('./a').then<X>((it) => it);", "type A = import('./a').B;", "import('./a').b < 3"] {
            assert_eq!(generic(Language::TypeScript, text), None, "{text}");
        }
    }
}
