//! Packages that a project lists for setuptools: a new one has to be among them, or it is not installed.

use crate::syntax::Node;
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Span, TextEdit};

/// Returns the edit that lists a new package behind the one that it lies in, where that is listed.
pub(super) fn enlisted(path: &AbsPath, text: &str, package: &str) -> Option<TextEdit> {
    let (parent, _) = package.rsplit_once('.')?;
    match path.file_name() {
        "pyproject.toml" => in_toml(text, parent, package),
        "setup.cfg" => in_lines(text, parent, package),
        "setup.py" => in_call(text, parent, package),
        _ => None,
    }
}

fn in_toml(text: &str, parent: &str, package: &str) -> Option<TextEdit> {
    let table = text.find("[tool.setuptools]\n")?;
    let rest = &text[table + 1..];
    let table = Span::new(table, rest.find("\n[").map_or(text.len(), |end| table + 1 + end));
    let lines = text[table.start..table.end].match_indices('\n').map(|(at, _)| table.start + at + 1);
    let key = |at: &usize| text[*at..].strip_prefix("packages").is_some_and(|rest| rest.trim_start().starts_with('='));
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

fn in_lines(text: &str, parent: &str, package: &str) -> Option<TextEdit> {
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
        is_listing = key.map_or(is_listing, |key| key == "packages");
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

fn in_call(text: &str, parent: &str, package: &str) -> Option<TextEdit> {
    let tree = Tree::parse(Language::Python, text);
    let is_it = |node: &Node<'_>| {
        node.is("keyword_argument") && node.child("name").is_some_and(|name| name.text(text) == "packages")
    };
    let list = tree.nodes().iter().find(is_it)?.child("value").filter(|list| list.is_any(&["list", "tuple"]))?;
    let listed =
        list.named_children().find(|it| it.is("string") && it.text(text).trim_matches(['"', '\'']) == parent)?;
    let said = listed.text(text).replacen(parent, package, 1);
    is_new(list.text(text), package).then(|| beside(text, listed.span(), &said))
}

fn is_new(listed: &str, package: &str) -> bool {
    !listed.split(['"', '\'', '\n', '=']).any(|one| one.trim() == package)
}
