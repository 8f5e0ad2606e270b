//! Imports that nobody needs any more when code has left its file.

use super::{ScopedNames, home, import_at};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::{Edits, begin_with_text};
use crate::refactor::analysis::imports::statements::without_statement;
use crate::refactor::analysis::imports::typed::{is_for_types, is_unrun};
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::moves::python::is_stdlib;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, whole_words};
use crate::text::{Span, TextEdit};

/// Takes the imports away that only `gone` needed. Those that others may get from here stay, and those of what is written
/// into the file: code may leave one place of it for another.
pub(crate) fn leave(session: &Session, code: &Code, gone: &[Span], edits: &mut Edits) {
    leave_with(session, code, (gone, &[]), edits);
}

/// As [`leave`], where some of what is gone names what is there no more (`lost`): nobody can get that from here either.
pub(crate) fn leave_with(session: &Session, code: &Code, (gone, lost): (&[Span], &[Span]), edits: &mut Edits) {
    let is_kept = |name: Node<'_>| {
        let text = name.text(code.text());
        may_offer(code, name)
            || edits.have(code, text)
            || is_spelled(code, gone, text)
            || is_wanted(session, code, text)
    };
    let mut found = unused(code, (gone, lost), is_kept);
    // A block for type checkers alone goes with the last of its imports, and so may the name that it asks for.
    let emptied: Vec<Span> = emptied(code, &found).iter().map(|it| it.span()).collect();
    if !emptied.is_empty() {
        found = unused(code, (&[gone, &emptied].concat(), lost), is_kept);
    }
    edits.add(code, drop(code, &found));
}

/// Tells whether a package may offer a name that its `__init__` imports, as far as it does not list what it does: not one of the
/// standard library, nor one that type checkers alone see.
pub(crate) fn may_offer(code: &Code, name: Node<'_>) -> bool {
    if code.path.file_stem() != "__init__" || !dunder_all(&code.parsed().tree, code.text()).is_empty() {
        return false;
    }
    let Some(statement) = statement_of(name) else { return true };
    let own = || statement.children_in("name").find(|it| it.span().contains(name.span()));
    let module = statement.child("module_name").or_else(own);
    let top = module.and_then(|it| it.text(code.text()).split([' ', '.']).next());
    !top.is_some_and(is_stdlib) && !is_unrun(code, statement)
}

/// Takes the imports away that only `lost` needed, of what is there no more.
pub(crate) fn lose(code: &Code, lost: &[Span], edits: &mut Edits) {
    edits.add(code, drop(code, &unused(code, (lost, lost), |_| true)));
}

/// Takes the names out that a module of Python imports and nobody uses, here or elsewhere. A statement that would go as a whole
/// stays where loading its module may do something: only the standard library's are known not to.
pub(crate) fn unneeded(session: &Session, code: &Code) -> Vec<TextEdit> {
    if code.family() != Family::Python || code.path.file_stem() == "conftest" || is_taken_whole(session, code) {
        return Vec::new();
    }
    let names = ScopedNames::with_spelled(code);
    let bindings = names.within(code.root().span()).filter(|name| name.is_binding && home(code, *name).is_none());
    let idle: Vec<Node<'_>> = bindings.filter_map(|it| unasked(session, code, it)).collect();
    let stays = |name: &Node<'_>| {
        let Some(statement) = name.ancestors().find(|it| it.parent() == Some(code.root())) else { return true };
        let module = statement.child("module_name").or_else(|| statement.child("name"));
        let module = module.map(|it| it.text(code.text()).split([' ', '.']).next().unwrap_or_default());
        let is_whole = items(statement).iter().all(|item| idle.iter().any(|name| item.span().contains(name.span())));
        is_whole && !module.is_some_and(|it| is_stdlib(it) && !ACTING.contains(&it))
    };
    let gone: Vec<Node<'_>> = idle.iter().copied().filter(|name| !stays(name)).collect();
    let mut edits = drop(code, &gone);
    begin_with_text(code.text(), &mut edits);
    edits
}

/// Tells whether another module takes everything from one of Python: `from shop import *`.
fn is_taken_whole(session: &Session, code: &Code) -> bool {
    let own = code.path.file_stem();
    let others = session.disk().files_mentioning(own).into_iter().filter(|path| *path != code.path);
    others.filter_map(|path| Code::known(session, &path).ok()).any(|other| {
        let statements = other.root().descendants().filter(|it| it.is("import_from_statement"));
        let mut stars = statements.filter(|it| it.child_of_kind("wildcard_import").is_some());
        let names_it = |it: Node<'_>| {
            it.child("module_name").is_some_and(|it| it.text(other.text()).rsplit('.').next() == Some(own))
        };
        stars.any(names_it)
    })
}

/// Modules of Python's library that do something when they are loaded.
const ACTING: &[&str] = &["antigravity", "readline", "rlcompleter", "this", "turtle"];

/// Returns the name that an import binds at the top of its module, where nobody asks for it and nothing says that it is meant.
fn unasked<'c>(session: &Session, code: &'c Code, binding: Name) -> Option<Node<'c>> {
    const STATEMENTS: &[&str] = &["import_statement", "import_from_statement"];
    let (node, text) = (code.covering(binding.span), binding.span.of(code.text())?);
    let statement = node.ancestors().find(|it| it.is_any(STATEMENTS) && it.parent() == Some(code.root()))?;
    let lines = Span::new(code.line_start(statement.start()), code.next_line(statement.end()));
    let is_meant = lines.of(code.text()).is_some_and(|it| it.contains('#'));
    let spans = code.parsed().tree.identifiers_named(code.text(), text);
    let is_alone = spans.iter().filter(|it| !statement.span().contains(**it)).count() == 0;
    let alias = node.parent().filter(|it| it.is("aliased_import")).and_then(|it| it.child("name"));
    let is_offered = alias.is_some_and(|it| it.text(code.text()) == text) || may_offer(code, node);
    let is_kept = is_meant || is_offered || !is_alone || is_spelled(code, &[], text) || is_wanted(session, code, text);
    (!is_kept).then_some(node)
}

/// Takes names out of the statements that import them, or hand them on.
///
/// # Errors
/// Refuses a statement that shares its line, and would go.
pub(crate) fn without(code: &Code, names: &[Node<'_>]) -> Result<Vec<TextEdit>, Refusal> {
    let edits = drop(code, names);
    let is_left = |name: &&Node<'_>| !edits.iter().any(|edit| edit.span.contains(name.span()));
    match names.iter().find(is_left) {
        Some(name) => Err(code.refuse(name.start(), "the statement gives more than this name")),
        None => Ok(edits),
    }
}

fn unused<'c>(code: &'c Code, (gone, lost): (&[Span], &[Span]), is_kept: impl Fn(Node<'c>) -> bool) -> Vec<Node<'c>> {
    let names = ScopedNames::with_spelled(code);
    let all: Vec<Name> = names.within(code.root().span()).collect();
    let is_gone = |name: &Name| gone.iter().any(|span| span.contains(name.span));
    let mut unused: Vec<Node<'_>> = Vec::new();
    for binding in all.iter().filter(|name| name.is_binding && home(code, **name).is_none()) {
        let node = code.covering(binding.span);
        let uses: Vec<Name> = names.of_meaning(binding.meaning).filter(|it| it.span != binding.span).collect();
        if uses.is_empty() || !uses.iter().all(is_gone) {
            continue;
        }
        // What is lost is imported in vain, whatever its import hangs on.
        let is_imported = || statement_of(node).is_some_and(|it| !it.is("export_statement"));
        let is_lost = uses.iter().any(|it| lost.contains(&it.span)) && is_imported();
        if is_lost || import_at(code, *binding).is_some() && !is_kept(node) {
            unused.push(node);
        }
    }
    unused
}

/// Returns the statement that imports or hands on a name.
fn statement_of(name: Node<'_>) -> Option<Node<'_>> {
    let is_import = |it: &Node<'_>| it.kind().starts_with("import") && it.kind().ends_with("statement");
    name.ancestors().find(|it| it.is("export_statement") || is_import(it))
}

/// Tells whether a string of the file that stays, an import's own left aside, may mean the name: `__all__` does, an annotation or
/// an example, and no prose, unless the file asks for names as it runs.
fn is_spelled(code: &Code, gone: &[Span], name: &str) -> bool {
    let is_source = |node: &Node<'_>| {
        node.ancestors().any(|outer| outer.is("import_statement")) || gone.iter().any(|it| it.contains(node.span()))
    };
    let strings = code.root().descendants().filter(|node| node.is_any(&["string_content", "string_fragment"]));
    let asks = ["eval", "exec", "globals", "locals"].iter().any(|it| code.mentions(code.root(), it));
    strings.filter(|node| !is_source(node)).any(|it| {
        let text = it.text(code.text());
        !whole_words(text, name).is_empty() && (asks || !is_prose(text))
    })
}

/// Tells whether words of a text follow each other with nothing but space between.
fn is_prose(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let follow = |pair: &[&str]| is_word(pair[0].chars().next_back()) && is_word(pair[1].chars().next());
    !text.contains(">>>") && words.windows(2).any(follow)
}

/// Tells whether another module of Python may get an imported name from this one.
fn is_wanted(session: &Session, code: &Code, name: &str) -> bool {
    if code.family() != Family::Python {
        return false;
    }
    let own = code.path.file_stem();
    let others = session.disk().files_mentioning(name).into_iter().filter(|path| *path != code.path);
    others.filter_map(|path| Code::known(session, &path).ok()).any(|other| {
        let text = other.text();
        // `mock.patch("shop.prices.json")`
        if text.contains(&format!("{own}.{name}")) {
            return true;
        }
        let spans = other.parsed().tree.identifiers_named(text, name);
        // What it is called there is no name of this module.
        let nodes = spans.into_iter().map(|span| other.covering(span)).filter(|it| it.field() != Some("alias"));
        nodes.into_iter().any(|node| {
            let statement = node.ancestors().find(|it| it.is("import_from_statement"));
            let source = statement.and_then(|it| it.child("module_name")).map(|it| it.text(text));
            let object = node.parent().and_then(|it| it.child("object")).map(|it| it.text(text));
            [source, object].into_iter().flatten().any(|from| from.rsplit('.').next() == Some(own))
        })
    })
}

/// Takes names out of import statements; a statement that loses all of them goes.
fn drop(code: &Code, names: &[Node<'_>]) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let blocks = emptied(code, names);
    edits.extend(blocks.iter().map(|block| without_lines(code, block.span())));
    for statement in statements(names) {
        if is_whole(statement, names) {
            if !blocks.iter().any(|block| block.holds(statement)) {
                edits.extend(without_statement(code, statement.span()).ok());
            }
            continue;
        }
        let is_dropped = |item: &Node<'_>| names.iter().any(|name| item.span().contains(name.span()));
        let is_part_dropped = |part: &ImportPart<'_>| part.items.iter().all(is_dropped);
        let parts = parts(statement);
        let wholes: Vec<Span> = parts.iter().map(|part| part.span).collect();
        edits.extend(cut(&wholes, |at| is_part_dropped(&parts[at])));
        for part in parts.iter().filter(|part| !is_part_dropped(part)) {
            let items: Vec<Span> = part.items.iter().map(|item| item.span()).collect();
            edits.extend(cut(&items, |at| is_dropped(&part.items[at])));
        }
    }
    edits
}

/// Returns the statements that import names, or hand them on.
fn statements<'t>(names: &[Node<'t>]) -> Vec<Node<'t>> {
    let mut found: Vec<Node<'t>> = Vec::new();
    for name in names {
        found.extend(statement_of(*name).filter(|it| !found.contains(it)));
    }
    found.retain(|it| parts(*it).iter().any(|part| !part.items.is_empty()));
    found
}

/// Tells whether nothing is left of a statement without the names.
fn is_whole(statement: Node<'_>, names: &[Node<'_>]) -> bool {
    let is_dropped = |item: &Node<'_>| names.iter().any(|name| item.span().contains(name.span()));
    items(statement).iter().all(is_dropped)
}

/// Returns the blocks for type checkers alone in which no statement is left without the names.
fn emptied<'c>(code: &'c Code, names: &[Node<'c>]) -> Vec<Node<'c>> {
    let gone: Vec<Node<'c>> = statements(names).into_iter().filter(|it| is_whole(*it, names)).collect();
    let mut blocks = code.root().named_children().filter(|it| is_for_types(code, *it)).collect::<Vec<_>>();
    blocks.retain(|block| {
        let mut left = block.child("consequence").into_iter().flat_map(Node::named_children);
        left.all(|it| gone.contains(&it))
    });
    blocks
}

/// Takes some items out of a list, each with what stands between it and the next one that stays.
fn cut(items: &[Span], is_dropped: impl Fn(usize) -> bool) -> Vec<TextEdit> {
    let kept = (0..items.len()).rposition(|at| !is_dropped(at)).unwrap_or_default();
    let dropped = (0..items.len()).filter(|at| is_dropped(*at));
    let spans = dropped.map(|at| match at < kept {
        true => Span::new(items[at].start, items[at + 1].start),
        false => Span::new(items[at - 1].end, items[at].end),
    });
    spans.map(|span| TextEdit::new(span, "")).collect()
}

/// What an import statement gives in one way: by default, as a namespace, or by names.
struct ImportPart<'t> {
    span: Span,
    /// What binds names.
    items: Vec<Node<'t>>,
}

/// Returns the parts of an import statement that bind names.
fn parts<'t>(statement: Node<'t>) -> Vec<ImportPart<'t>> {
    let list = |items: Vec<Node<'t>>| vec![ImportPart { span: statement.span(), items }];
    if let Some(clause) = statement.child_of_kind("export_clause") {
        return list(clause.named_children().collect());
    }
    // `export default rate`
    if let Some(value) = statement.child("value").filter(|it| it.is("identifier")) {
        return list(vec![value]);
    }
    let Some(clause) = statement.child_of_kind("import_clause") else {
        return list(statement.children_in("name").collect());
    };
    let part = |part: Node<'t>| {
        let items = if part.is("named_imports") { part.named_children().collect() } else { vec![part] };
        ImportPart { span: part.span(), items }
    };
    clause.named_children().map(part).collect()
}

/// Returns the items of an import statement that bind names.
fn items(statement: Node<'_>) -> Vec<Node<'_>> {
    parts(statement).into_iter().flat_map(|part| part.items).collect()
}
