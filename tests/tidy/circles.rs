//! No file of the crate names another that leads back to it.
//!
//! Names are followed to the file that declares them, through imports and re-exports, so that a room's `mod.rs` may hand
//! out what its files hold. What a macro or a method's receiver hides is not seen.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Source, accept, sources};

/// The names from the crate's root to a module: empty for `lib.rs`.
type Module = Vec<String>;

/// What one file declares, imports and names.
#[derive(Default)]
struct Facts {
    items: BTreeSet<String>,
    imports: BTreeMap<String, Vec<String>>,
    /// Whole modules taken in by `*`.
    globs: Vec<Vec<String>>,
    /// Names of other files, each as it is written: those of imports that are not handed on, and paths in the code.
    named: Vec<Vec<String>>,
}

#[test]
fn no_file_leads_back_to_itself() {
    let files: BTreeMap<Module, Facts> =
        sources().iter().filter_map(|source| Some((module(source)?, facts(source)))).collect();
    let named = |(module, facts): (&Module, &Facts)| {
        let found = facts.named.iter().filter_map(|path| declared(&files, module, path, 0));
        (module.clone(), found.filter(|other| other != module).collect::<BTreeSet<Module>>())
    };
    let edges: BTreeMap<Module, BTreeSet<Module>> = files.iter().map(named).collect();
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > files.len(), "hardly any name was followed");
    let circles: BTreeSet<Vec<String>> = edges.keys().filter_map(|module| circle(&edges, module)).map(told).collect();
    let complaint = |circle: &Vec<String>| {
        format!("src: {}: what two of these files need belongs to a file below both.", circle.join(" → "))
    };
    accept(&circles.iter().map(complaint).collect::<Vec<_>>());
}

/// Returns a file's module; nothing for tests and for the binary.
fn module(source: &Source) -> Option<Module> {
    let mut names: Module = source.path.with_extension("").iter().map(|part| part.to_string_lossy().into()).collect();
    if names.last().is_some_and(|last| last == "mod") {
        names.pop();
    }
    match names.as_slice() {
        [only] if only == "lib" => Some(Module::new()),
        [only] if only == "main" => None,
        _ => (!source.is_test()).then_some(names),
    }
}

fn facts(source: &Source) -> Facts {
    let lines: Vec<&str> = source.text.lines().collect();
    let lines = lines[..source.code().count()].join("\n");
    // `pub(in crate::room)` says who may look, not what is looked at.
    let code = without_texts(&lines).replace("pub(in crate::", "pub(in ");
    let mut facts = Facts::default();
    let mut rest = code.as_str();
    let mut body = String::new();
    while let Some(at) = next_import(rest) {
        let end = rest[at..].find(';').map_or(rest.len(), |end| at + end);
        let is_handed_on = line_before(rest, at).starts_with("pub");
        for (path, alias) in leaves(rest[at + "use ".len()..end].trim(), &[]) {
            if path.last().is_some_and(|last| last == "*") {
                facts.globs.push(path[..path.len() - 1].to_vec());
                continue;
            }
            if !is_handed_on {
                facts.named.push(path.clone());
            }
            facts.imports.insert(alias, path);
        }
        body.push_str(&rest[..at]);
        rest = &rest[end..];
    }
    body.push_str(rest);
    facts.items = items(&body);
    facts.named.extend(paths(&body));
    facts
}

/// Returns where the next `use` stands at the beginning of a statement.
fn next_import(code: &str) -> Option<usize> {
    let begins = |at: &usize| {
        let before = line_before(code, *at);
        before.is_empty() || before.starts_with("pub")
    };
    code.match_indices("use ").map(|(at, _)| at).find(begins)
}

/// Returns what stands before `at` on its line.
fn line_before(code: &str, at: usize) -> &str {
    code[..at].rsplit('\n').next().unwrap_or_default().trim_start()
}

/// Takes out strings, characters and comments: braces and colons in them are no code.
fn without_texts(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        kept.push_str(&rest[..at]);
        let raw = rest[..at].bytes().rev().take_while(|byte| *byte == b'#').count();
        let is_raw = rest[..at - raw].ends_with('r');
        let from = &rest[at + 1..];
        let length = match rest.as_bytes()[at] {
            b'/' if from.starts_with('/') => from.find('\n'),
            b'/' => Some(0),
            b'"' if is_raw => from.find(&format!("\"{}", "#".repeat(raw))).map(|end| end + 1 + raw),
            b'"' => closed(from, b'"'),
            // A lifetime is no character.
            _ if from.starts_with('\\') || from.chars().nth(1) == Some('\'') => closed(from, b'\''),
            _ => Some(0),
        };
        rest = &from[length.unwrap_or(from.len()).min(from.len())..];
    }
    kept + rest
}

/// Returns the length up to the end of a string whose beginning was read.
fn closed(text: &str, quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns what a `use` names, one path for each leaf, with the name that it is known by here.
fn leaves(tree: &str, before: &[String]) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for part in super::outer_parts(tree).into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        if let Some((head, group)) = part.split_once('{') {
            let inside = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
            let path: Vec<String> = before.iter().cloned().chain(names(head)).collect();
            found.extend(leaves(inside, &path));
            continue;
        }
        let (written, alias) = part.split_once(" as ").map_or((part, None), |(path, alias)| (path, Some(alias.trim())));
        let mut path: Vec<String> = before.iter().cloned().chain(names(written)).collect();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(last) = path.last().cloned() else { continue };
        found.push((path, alias.map_or(last, str::to_owned)));
    }
    found
}

fn names(path: &str) -> impl Iterator<Item = String> {
    path.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty())
}

/// Returns the names of what a file declares.
fn items(code: &str) -> BTreeSet<String> {
    const WORDS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
    let words: Vec<&str> =
        code.split(|byte: char| !byte.is_alphanumeric() && byte != '_').filter(|word| !word.is_empty()).collect();
    words.windows(2).filter(|pair| WORDS.contains(&pair[0])).map(|pair| pair[1].to_owned()).collect()
}

/// Returns the paths of at least two names that begin with a module.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_' || character == ':';
    let words = code.split(|character: char| !is_part(character)).filter(|word| word.contains("::"));
    let split = words.map(|word| word.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect());
    split
        .filter(|path: &Vec<String>| path.len() > 1 && path[0].starts_with(|first: char| first.is_lowercase()))
        .collect()
}

/// Returns the file that declares what `path` names in `module`; nothing for other crates' things and for modules.
fn declared(files: &BTreeMap<Module, Facts>, module: &Module, path: &[String], depth: usize) -> Option<Module> {
    match meant(files, module, path, depth)? {
        Meant::Item(module) => Some(module),
        Meant::Module(_) => None,
    }
}

enum Meant {
    Item(Module),
    Module(Module),
}

fn meant(files: &BTreeMap<Module, Facts>, module: &Module, path: &[String], depth: usize) -> Option<Meant> {
    // Deeper than any chain of re-exports: a name that leads to itself.
    if depth > 12 {
        return None;
    }
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" | "lspwright" => below(files, Module::new(), rest, depth),
        "self" => below(files, module.clone(), rest, depth),
        "super" => {
            let ups = path.iter().take_while(|name| *name == "super").count();
            below(files, module[..module.len().checked_sub(ups)?].to_vec(), &path[ups..], depth)
        }
        _ => match files.get(module)?.imports.get(first).filter(|import| import[0] != *first) {
            Some(import) => match meant(files, module, import, depth + 1)? {
                Meant::Module(other) if !rest.is_empty() => below(files, other, rest, depth),
                whole => Some(whole),
            },
            None => below(files, module.clone(), path, depth),
        },
    }
}

/// Follows `path` from inside a module.
fn below(files: &BTreeMap<Module, Facts>, at: Module, path: &[String], depth: usize) -> Option<Meant> {
    let facts = files.get(&at)?;
    let Some((first, rest)) = path.split_first() else { return Some(Meant::Module(at)) };
    let child: Module = at.iter().chain([first]).cloned().collect();
    if files.contains_key(&child) && !(rest.is_empty() && facts.items.contains(first)) {
        return below(files, child, rest, depth);
    }
    if facts.items.contains(first) {
        return Some(Meant::Item(at));
    }
    if let Some(import) = facts.imports.get(first) {
        return match meant(files, &at, import, depth + 1)? {
            Meant::Module(other) => below(files, other, rest, depth + 1),
            item => Some(item),
        };
    }
    facts.globs.iter().find_map(|glob| {
        let whole: Vec<String> = glob.iter().chain(path).cloned().collect();
        meant(files, &at, &whole, depth + 1)
    })
}

/// Returns the shortest way from a file back to itself.
fn circle(edges: &BTreeMap<Module, BTreeSet<Module>>, start: &Module) -> Option<Vec<Module>> {
    let mut came: BTreeMap<&Module, &Module> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for next in edges.get(at).into_iter().flatten() {
            if next == start {
                let back = std::iter::successors(Some(at), |at| came.get(*at).copied());
                let mut way: Vec<Module> = back.cloned().collect();
                way.reverse();
                return Some(way);
            }
            if !came.contains_key(next) {
                came.insert(next, at);
                open.push_back(next);
            }
        }
    }
    None
}

/// Writes a circle so that it begins at its first file, whichever it was found from.
fn told(mut circle: Vec<Module>) -> Vec<String> {
    let first = (0..circle.len()).min_by_key(|at| circle[*at].clone()).unwrap_or_default();
    circle.rotate_left(first);
    circle.iter().map(|module| module.join("/")).collect()
}
