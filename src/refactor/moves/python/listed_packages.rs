//! Packages and modules that a project lists for setuptools: a new one has to be among them, or it is not installed.

use crate::syntax::Node;
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Span, TextEdit};

/// The list that is meant, by what it is called in a call or a `.cfg` file, and in TOML.
type Key = [&'static str; 2];

const PACKAGES: Key = ["packages", "packages"];
const MODULES: Key = ["py_modules", "py-modules"];

/// Returns the edit that lists a new package behind the one that it lies in, where that is listed.
pub(in crate::refactor::moves) fn enlisted(path: &AbsPath, text: &str, package: &str) -> Option<TextEdit> {
    let (parent, _) = package.rsplit_once('.')?;
    behind(path, text, (PACKAGES, parent, package))
}

/// Returns the edit that lists a new module outside of packages behind another one, where that is listed.
pub(in crate::refactor::moves) fn enlisted_module(
    path: &AbsPath,
    text: &str,
    other: &str,
    module: &str,
) -> Option<TextEdit> {
    behind(path, text, (MODULES, other, module))
}

fn behind(path: &AbsPath, text: &str, ([key, toml], other, new): (Key, &str, &str)) -> Option<TextEdit> {
    match path.file_name() {
        "pyproject.toml" => in_toml(text, toml, (other, new)),
        "setup.cfg" => in_lines(text, key, (other, new)),
        "setup.py" => in_call(text, key, (other, new)),
        _ => None,
    }
}

fn in_toml(text: &str, name: &str, (parent, package): (&str, &str)) -> Option<TextEdit> {
    let table = text.find("[tool.setuptools]\n")?;
    let rest = &text[table + 1..];
    let table = Span::new(table, rest.find("\n[").map_or(text.len(), |end| table + 1 + end));
    let lines = text[table.start..table.end].match_indices('\n').map(|(at, _)| table.start + at + 1);
    let key = |at: &usize| text[*at..].strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='));
    let start = lines.into_iter().find(key)?;
    let end = start + text[start..].find(']')?;
    let listed = ['"', '\''].into_iter().find_map(|quote| {
        let at = start + text[start..end].find(&format!("{quote}{parent}{quote}"))?;
        Some((quote, Span::new(at, at + parent.len() + 2)))
    });
    let (quote, listed) = listed?;
    is_new(&text[start..end], package).then(|| beside(text, listed, &format!("{quote}{package}{quote}")))
}

/// Lists the package in a line of its own, where the other one has one.
fn beside(text: &str, listed: Span, said: &str) -> TextEdit {
    let before = &text[text[..listed.start].rfind('\n').map_or(0, |at| at + 1)..listed.start];
    let gap = if before.trim().is_empty() { format!("\n{before}") } else { " ".to_owned() };
    TextEdit::new(Span::at(listed.end), format!(",{gap}{said}"))
}

fn in_lines(text: &str, name: &str, (parent, package): (&str, &str)) -> Option<TextEdit> {
    let options = text.find("[options]\n")?;
    let rest = &text[options + 1..];
    let end = rest.find("\n[").map_or(text.len(), |end| options + 1 + end);
    let mut at = options;
    let mut is_listing = false;
    for line in text[options..end].split_inclusive('\n') {
        let (key, value) = match line.split_once('=') {
            Some((key, value)) if !line.starts_with([' ', '\t']) => (Some(key.trim()), value),
            _ => (None, line),
        };
        is_listing = key.map_or(is_listing, |key| key == name);
        if is_listing && value.trim() == parent && is_new(&text[options..end], package) {
            let indent = &line[..line.len() - line.trim_start().len()];
            let found = at + line.trim_end().len();
            // One that stands behind the key comes to stand below it, too.
            let glue = if key.is_some() { "    " } else { indent };
            return Some(TextEdit::new(Span::at(found), format!("\n{glue}{package}")));
        }
        at += line.len();
    }
    None
}

fn in_call(text: &str, key: &str, (parent, package): (&str, &str)) -> Option<TextEdit> {
    let tree = Tree::parse(Language::Python, text);
    let is_it =
        |node: &Node<'_>| node.is("keyword_argument") && node.child("name").is_some_and(|name| name.text(text) == key);
    let list = tree.nodes().iter().find(is_it)?.child("value").filter(|list| list.is_any(&["list", "tuple"]))?;
    let listed =
        list.named_children().find(|it| it.is("string") && it.text(text).trim_matches(['"', '\'']) == parent)?;
    let said = listed.text(text).replacen(parent, package, 1);
    is_new(list.text(text), package).then(|| beside(text, listed.span(), &said))
}

fn is_new(listed: &str, package: &str) -> bool {
    !listed.split(['"', '\'', '\n', '=']).any(|one| one.trim() == package)
}
