//! The imports of TypeScript and JavaScript as a name is bound by them, and as they are written elsewhere.

use super::import::{Import, Module, stem};
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::added_names::with_items;
use crate::refactor::analysis::module_system::is_commonjs;
use crate::refactor::commonjs::{ExportKeys, exported_as, required_source, says_commonjs};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{AbsPath, Span, TextEdit};

const ENDINGS: &[&str] = &[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];

/// In so many files at most the style of imports is looked for.
const FILES: usize = 40;

/// Returns the import that binds a name.
pub(super) fn import_at(code: &Code, node: Node<'_>) -> Option<Import> {
    let text = code.text();
    let Some(statement) = node.ancestors().find(|it| it.is("import_statement")) else { return required_at(code, node) };
    let is_word = |node: Node<'_>| node.children().any(|it| it.kind() == "type");
    let specifier = node.ancestors().find(|it| it.is("import_specifier"));
    let is_type = is_word(statement) || specifier.is_some_and(is_word);
    let item = match (specifier, node.parent().is_some_and(|it| it.is("namespace_import"))) {
        (Some(specifier), _) => Some(specifier.child("name")?.text(text).to_owned()),
        (None, true) => None,
        (None, false) => Some("default".to_owned()),
    };
    let module = module(code, statement.child("source")?)?;
    Some(Import { module, item, bound: node.text(text).to_owned(), is_type })
}

/// Returns the import that binds a name by `require`: the whole of a module is its default export.
fn required_at(code: &Code, node: Node<'_>) -> Option<Import> {
    let text = code.text();
    let statement = node.ancestors().find(|it| it.parent() == Some(code.root()))?;
    let source = required_source(code, statement)?;
    let outer = node.parent()?;
    let member = source.ancestors().find_map(|it| it.child("property"));
    let item = match (outer.kind(), member) {
        ("variable_declarator", None) => "default",
        ("variable_declarator", Some(member)) => member.text(text),
        ("object_pattern", None) => node.text(text),
        ("pair_pattern", None) if outer.child("value") == Some(node) => outer.child("key")?.text(text),
        _ => return None,
    };
    let (item, bound) = (Some(item.to_owned()), node.text(text).to_owned());
    Some(Import { module: module(code, source)?, item, bound, is_type: false })
}

/// Returns what a file names by a string.
fn module(code: &Code, source: Node<'_>) -> Option<Module> {
    let source = source.text(code.text()).trim_matches(['"', '\'']);
    Some(match source.starts_with('.') {
        true => Module::File(without_ending(&code.path.parent()?.join(source).ok()?)),
        false => Module::Named(source.to_owned()),
    })
}

/// Lets an import that brings a name as a type bring what it stands for when the program runs, too: `type` goes.
pub(crate) fn as_value(code: &Code, binding: Span) -> Vec<TextEdit> {
    let node = code.covering(binding);
    let word = |node: Node<'_>| node.children().find(|it| it.kind() == "type").map(Node::start);
    let gone = |start: usize| TextEdit::new(Span::new(start, code.next_word(start + "type".len())), "");
    let specifier = node.ancestors().find(|it| it.is("import_specifier"));
    if let Some(start) = specifier.and_then(word) {
        return vec![gone(start)];
    }
    let Some(statement) = node.ancestors().find(|it| it.is("import_statement")) else { return Vec::new() };
    let others = statement.descendants().filter(|it| it.is("import_specifier") && Some(*it) != specifier);
    let others = others.map(|it| TextEdit::new(Span::at(it.start()), "type "));
    word(statement).map(|start| others.chain([gone(start)]).collect()).unwrap_or_default()
}

fn without_ending(path: &AbsPath) -> AbsPath {
    let has_ending = ENDINGS.iter().any(|ending| path.as_str().ends_with(ending));
    if has_ending { stem(path) } else { path.clone() }
}

/// Writes an import for another file, in its style.
pub(super) fn written(session: &Session, import: &Import, (from, to): (&Code, &Code)) -> String {
    let module = match &import.module {
        Module::Named(module) => module.clone(),
        Module::File(path) => known(path, to).unwrap_or_else(|| specifier(path, &ending(session, from, to), to)),
    };
    let bound = &import.bound;
    let (quote, semicolon) = style(to);
    if is_commonjs(session, to) && !import.is_type {
        let what = match import.item.as_deref() {
            None | Some("default") => bound.clone(),
            Some(item) if item == bound => format!("{{ {bound} }}"),
            Some(item) => format!("{{ {item}: {bound} }}"),
        };
        return format!("{} {what} = require({quote}{module}{quote}){semicolon}", to.constant_word());
    }
    let what = match import.item.as_deref() {
        None => format!("* as {bound}"),
        Some("default") => bound.clone(),
        Some(item) if item == bound => format!("{{ {bound} }}"),
        Some(item) => format!("{{ {item} as {bound} }}"),
    };
    let word = if import.is_type { "import type" } else { "import" };
    format!("{word} {what} from {quote}{module}{quote}{semicolon}")
}

/// Returns how a file names another one already, whose path has no ending.
fn known(path: &AbsPath, to: &Code) -> Option<String> {
    let dir = to.path.parent()?;
    let is_it = |said: &&str| dir.join(said).is_ok_and(|it| without_ending(&it) == *path);
    relative_imports(to).find(is_it).map(str::to_owned)
}

/// Returns how a file would name another one, whose path has no ending.
fn specifier(path: &AbsPath, ending: &str, to: &Code) -> String {
    let mut dir = to.path.parent();
    let mut up = String::new();
    while let Some(here) = dir {
        if let Some(below) = path.relative_to(&here) {
            let lead = if up.is_empty() { "./" } else { &up };
            return format!("{lead}{}{ending}", below.as_str());
        }
        up.push_str("../");
        dir = here.parent();
    }
    path.to_string()
}

/// Returns the ending that a file gives others in its imports, or that others of the project give.
fn ending(session: &Session, from: &Code, to: &Code) -> String {
    let of = |code: &Code| {
        let first = relative_imports(code).next()?;
        Some((*ENDINGS.iter().find(|ending| first.ends_with(**ending)).unwrap_or(&"")).to_owned())
    };
    let others = || {
        let files = session.disk().files_mentioning("import");
        let scripts = files.into_iter().filter(|path| ENDINGS.contains(&format!(".{}", path.extension()).as_str()));
        scripts.take(FILES).filter_map(|path| Code::known(session, &path).ok()).find_map(|code| of(&code))
    };
    of(to).or_else(|| of(from)).or_else(others).unwrap_or_default()
}

fn relative_imports(code: &Code) -> impl Iterator<Item = &str> {
    let statements = code.root().named_children().filter(|node| node.is_any(&["import_statement", "export_statement"]));
    let sources = statements.filter_map(|node| node.child("source")).map(|it| it.text(code.text()));
    sources.map(|it| it.trim_matches(['"', '\''])).filter(|it| it.starts_with('.'))
}

/// Returns the quote and the end of the statements of a file.
fn style(code: &Code) -> (char, &'static str) {
    let string = code.root().descendants().find(|node| node.is("string"));
    let quote = string.and_then(|it| it.text(code.text()).chars().next()).unwrap_or('"');
    (quote, code.semicolon())
}

/// Returns the edit that exports what a file declares under a name; none where it does so already.
pub(crate) fn export(code: &Code, name: &str) -> Result<Option<TextEdit>, Refusal> {
    let text = code.text();
    if says_commonjs(code) == Some(true) {
        let mut named = code.parsed().tree.identifiers_named(text, name).into_iter();
        if named.any(|span| exported_as(code, code.covering(span)) == Some(name)) {
            return Ok(None);
        }
        let declared = code.parsed().declarations().iter().find(|one| one.name == name);
        return Ok(handed_out(code, name, declared.map_or(0, |one| one.name_span.start)));
    }
    for statement in code.root().named_children() {
        let inner = statement.child("declaration").unwrap_or(statement);
        let declares = |node: Node<'_>| node.child("name").is_some_and(|it| it.text(text) == name);
        if !declares(inner) && !inner.named_children().any(declares) {
            continue;
        }
        let is_default = statement.children().any(|it| it.kind() == "default");
        return match statement.is("export_statement") {
            true if is_default => Err(code.refuse(statement.start(), format!("`{name}` is the default export"))),
            true => Ok(None),
            false if is_listed(code, name) => Ok(None),
            false => Ok(Some(TextEdit::new(Span::at(statement.start()), "export "))),
        };
    }
    Err(Refusal::NotPossible(format!("`{name}` is not declared in `{}` in a way that can be exported", code.shown)))
}

/// Returns the word before a declaration that a script is to export; in a module of CommonJS, [`handed_out`] does that.
pub(crate) fn export_word(code: &Code) -> &'static str {
    if says_commonjs(code) == Some(true) { "" } else { "export " }
}

/// Lets a module of CommonJS hand out what it comes to declare at a place (an offset; 0 for what is known everywhere), beside
/// what it hands out already; nothing in another script.
pub(crate) fn handed_out(code: &Code, name: &str, place: usize) -> Option<TextEdit> {
    if says_commonjs(code) != Some(true) {
        return None;
    }
    let (keys, end) = (ExportKeys::of(code), code.newline());
    let literal = keys.literal.filter(|(object, _)| object.start() > place);
    if let Some((object, _)) = literal {
        return with_keys(code, object, &[name.to_owned()], &[]).pop();
    }
    let is_export = |it: &Node<'_>| {
        let holds = |node: Node<'_>| it.holds(node);
        keys.keys.iter().any(|one| holds(one.node)) || keys.whole.is_some_and(holds)
    };
    let is_any = keys.literal.is_some() || keys.whole.is_some() || !keys.keys.is_empty();
    let said = match is_any {
        true => format!("{}.{name} = {name}", keys.object.unwrap_or("module.exports")),
        false => format!("module.exports = {{ {name} }}"),
    };
    let line = format!("{said}{}", code.semicolon());
    let last = code.root().named_children().filter(is_export).last().filter(|it| it.start() > place);
    Some(match last {
        Some(last) => TextEdit::new(Span::at(last.end()), format!("{end}{line}")),
        None => {
            let tail = code.text().trim_end().len();
            TextEdit::new(Span::new(tail, code.text().len()), format!("{end}{end}{line}{end}"))
        }
    })
}

/// Adds items to the object of what a module of CommonJS hands out.
pub(crate) fn with_keys(code: &Code, object: Node<'_>, names: &[String], others: &[TextEdit]) -> Vec<TextEdit> {
    let all: Vec<Node<'_>> = object.named_children().filter(|it| !it.is("comment")).collect();
    // One key has no order.
    let [only] = all.as_slice() else { return with_items(code, (all, object.end() - 1), names, others) };
    let is_alone = code.text()[code.line_start(only.start())..only.start()].trim().is_empty();
    let gap = format!("{}{}", code.newline(), code.indent(only.start()));
    let gap = if is_alone { gap.as_str() } else { " " };
    let added: String = names.iter().map(|name| format!(",{gap}{name}")).collect();
    if added.is_empty() { Vec::new() } else { vec![TextEdit::new(Span::at(only.end()), added)] }
}

fn is_listed(code: &Code, name: &str) -> bool {
    let specifiers = code.root().descendants().filter(|node| node.is("export_specifier"));
    specifiers.into_iter().any(|it| it.child("alias").is_none() && it.text(code.text()) == name)
}
