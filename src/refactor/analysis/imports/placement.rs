//! Where imports that are added come to stand: in a statement of their module, else in their group, in its order.

use std::collections::BTreeMap;

use super::added_names::with_items;
use super::joined_lines::joined;
use super::module_order::{Blocks, Order};
use super::name_order::NameOrder;
use super::remarks::Remarks;
use super::requires::{self, is_require};
use super::source_order::{SourceOrder, group, source_of, sources};
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::commonjs::required_source;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// An import statement that stands at the top of a file.
struct PresentImport<'c> {
    node: Node<'c>,
    order: Order,
}

/// Returns the edits that add import statements to a file, each of one module, beside other edits of it.
fn import_edits(code: &Code, lines: &[String], others: &[TextEdit]) -> Vec<TextEdit> {
    let remarks = Remarks::of(lines);
    let mut lines: Vec<String> = lines.iter().map(|line| Remarks::bare(line).to_owned()).collect();
    lines.sort_by_key(|line| (line.starts_with("from"), line.clone()));
    lines.dedup();
    let standing = standing(code);
    let is_single = is_single(code, &standing);
    let folded = match code.family() {
        Family::Script => folded_in_script(lines),
        _ => folded(code, lines),
    };
    let mut lines: Vec<String> = folded.iter().flat_map(|line| each(line, is_single)).collect();
    let first = |line: &str| &standing[..before_use(code, &standing, line)];
    let guarded = guarded(code);
    let mut joined: BTreeMap<usize, (Node<'_>, Vec<String>)> = BTreeMap::new();
    lines.retain(|line| {
        let plain = first(line).iter().map(|it| it.node).filter(|_| !is_single);
        let tried = guarded.iter().copied().filter(|it| is_before_use(code, *it, line));
        let Some(statement) = plain.chain(tried).find(|it| takes(code, *it, line)) else { return true };
        let names = &mut joined.entry(statement.start()).or_insert((statement, Vec::new())).1;
        names.extend(items_for(code, statement, line));
        false
    });
    let joined = joined.into_values();
    let mut edits: Vec<TextEdit> =
        joined.flat_map(|(statement, names)| with_names(code, statement, &names, others)).collect();
    let mut places: BTreeMap<usize, (usize, Vec<(Order, String)>)> = BTreeMap::new();
    for line in lines {
        let (order, standing) = (Order::of(code, &line), first(&line));
        let at = match code.family() {
            Family::Script => place_in_script(code, standing, &line),
            _ => place_of(code, standing, &order),
        };
        let (count, all) = places.entry(at).or_default();
        *count = (*count).max(standing.len());
        all.push((order, remarks.with(line)));
    }
    for (at, (count, mut all)) in places {
        all.sort();
        let standing = &standing[..count];
        edits.push(written(code, (standing, &blocks(code, &[standing])), at, &all));
    }
    edits
}

/// Returns the edits that add import statements to those of a block of Python, in their order.
pub(super) fn in_block(code: &Code, imports: &[Node<'_>], lines: Vec<String>) -> Vec<TextEdit> {
    let present = present(code, imports.iter().copied());
    // What the block leaves open the imports at the top show.
    let blocks = blocks(code, &[&present, &standing(code)]);
    let indent = imports.first().map_or("", |first| code.indent(first.start()));
    let mut places: BTreeMap<usize, Vec<(Order, String)>> = BTreeMap::new();
    for line in lines {
        let order = Order::of(code, &line);
        let at = place_of(code, &present, &order);
        places.entry(at).or_default().push((order, format!("{indent}{line}")));
    }
    let all = places.into_iter().map(|(at, mut all)| {
        all.sort();
        written(code, (&present, &blocks), at, &all)
    });
    all.collect()
}

/// Returns how many of the imports of a module of Python stand in front of what uses a name of a new one as the module is loaded.
fn before_use(code: &Code, standing: &[PresentImport<'_>], line: &str) -> usize {
    let end = standing.last().filter(|_| code.family() == Family::Python).map_or(0, |it| it.node.start());
    let first = first_use(code, line, end);
    first.map_or(standing.len(), |it| standing.iter().take_while(|one| one.node.start() < it.start()).count())
}

/// Returns the first statement of a module of Python, before `end`, that uses a name of a new import.
fn first_use<'c>(code: &'c Code, line: &str, end: usize) -> Option<Node<'c>> {
    let bound: Vec<&str> = match items(line) {
        names if line.starts_with("from") => names.iter().filter_map(|it| it.rsplit(' ').next()).collect(),
        _ => line.split(' ').next_back().and_then(|it| it.split('.').next()).into_iter().collect(),
    };
    let uses = |node: &Node<'_>| {
        let is_use = |it: Node<'_>| it.is("identifier") && bound.contains(&it.text(code.text()));
        !node.kind().contains("import") && node.descendants().any(is_use)
    };
    code.root().named_children().take_while(|node| node.start() < end).find(uses)
}

/// Returns the imports of names that a module of Python tries: what else it takes from there is as likely to be missing.
fn guarded(code: &Code) -> Vec<Node<'_>> {
    let tried = code.root().named_children().filter(|it| it.is("try_statement")).filter_map(|it| it.child("body"));
    tried.flat_map(Node::named_children).filter(|it| it.is("import_from_statement")).collect()
}

fn is_before_use(code: &Code, guarded: Node<'_>, line: &str) -> bool {
    let tried = guarded.ancestors().find(|it| it.is("try_statement"));
    tried.is_some_and(|it| first_use(code, line, it.start()).is_none())
}

/// Where an import would stand by a statement that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NeighbourPosition {
    /// In its place.
    Instead,
    /// Right behind it.
    Behind,
}

/// Tells whether an import by a statement belongs elsewhere: it can go into another one, or would break the order that the
/// imports have.
pub(crate) fn is_elsewhere(code: &Code, statement: Span, line: &str, beside: NeighbourPosition) -> bool {
    let standing = standing(code);
    if standing.iter().any(|it| it.node.span() != statement && takes(code, it.node, line)) {
        return true;
    }
    let Some(at) = standing.iter().position(|it| it.node.span() == statement) else { return false };
    if code.family() == Family::Script {
        return is_out_of_order(code, (&standing, at), (line, beside));
    }
    let mut orders: Vec<Order> = standing.into_iter().map(|it| it.order).collect();
    let was_sorted = orders.is_sorted();
    match beside {
        NeighbourPosition::Instead => orders[at] = Order::of(code, line),
        NeighbourPosition::Behind => orders.insert(at + 1, Order::of(code, line)),
    }
    was_sorted && !orders.is_sorted()
}

/// Tells whether an import of a script by a statement would break the order that the others have.
fn is_out_of_order(
    code: &Code,
    (standing, at): (&[PresentImport<'_>], usize),
    (line, beside): (&str, NeighbourPosition),
) -> bool {
    let nodes: Vec<Node<'_>> = standing.iter().map(|it| it.node).collect();
    let Some(mut all) = sources(code, &nodes).filter(|_| line.starts_with("import")) else { return false };
    let Some(order) = SourceOrder::of(code, &all) else { return false };
    match beside {
        NeighbourPosition::Instead => all[at] = source_of(line),
        NeighbourPosition::Behind => all.insert(at + 1, source_of(line)),
    }
    !order.sorts(&all)
}

/// Writes the import statements of a new module of Python as another one of the project has them: in groups, in their order,
/// and one for each name where it does so.
pub(crate) fn begun(to: &Code, model: &Code, lines: &[String]) -> String {
    let theirs = standing(model);
    let is_single = is_single(model, &theirs);
    let blocks = blocks(model, &[&theirs]);
    let remarks = Remarks::of(lines);
    let lines = lines.iter().flat_map(|line| each(Remarks::bare(line), is_single));
    let mut all: Vec<(Order, String)> = lines.map(|line| (Order::of(to, &line), remarks.with(line))).collect();
    all.sort();
    let end = to.newline();
    let mut text = String::new();
    for (at, (order, line)) in all.iter().enumerate() {
        if at > 0 && blocks.parts(&all[at - 1].0, order) {
            text += end;
        }
        text += &format!("{line}{end}");
    }
    text
}

/// Modules that formatters let such files take several names of at once (isort's `single_line_exclusions`).
const TYPING: &[&str] = &["from collections.abc", "from typing", "from typing_extensions"];

/// Tells whether a file of Python has a statement for each name, two of one module among them.
fn is_single(code: &Code, standing: &[PresentImport<'_>]) -> bool {
    let said: Vec<&str> = standing.iter().map(|it| it.node.text(code.text())).collect();
    let is_alone = said.iter().all(|said| items(said).len() < 2 || TYPING.contains(&head(said).as_str()));
    code.family() == Family::Python
        && is_alone
        && said.windows(2).any(|pair| pair[0].starts_with("from") && head(pair[0]) == head(pair[1]))
}

/// Makes one import of those that take names out of the same module of Python.
fn folded(code: &Code, lines: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let is_open = |text: &str| text.starts_with("from") && !text.contains(['*', '(', '#']);
        match found.iter_mut().find(|one| is_open(one) && is_open(&line) && head(one) == head(&line)) {
            Some(one) => {
                let mut names: Vec<&str> = items(one).into_iter().chain(items(&line)).collect();
                NameOrder::sort_new(code, &mut names);
                names.dedup();
                *one = format!("{} import {}", head(&line), names.join(", "));
            }
            None => found.push(line),
        }
    }
    found
}

/// Makes one import of what new statements of a script take out of one module: a default and names.
pub(crate) fn folded_in_script(lines: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let joined = found.iter().enumerate().find_map(|(at, one)| Some((at, joined_in_script(one, &line)?)));
        match joined {
            Some((at, joined)) => found[at] = joined,
            None => found.push(line),
        }
    }
    found
}

fn joined_in_script(one: &str, other: &str) -> Option<String> {
    let (ones, others) = (ScriptImport::read(one)?, ScriptImport::read(other)?);
    let default = match (ones.default, others.default) {
        (Some(_), Some(_)) => return None,
        (default, None) | (None, default) => default.map(str::to_owned),
    };
    let names: Vec<&str> = ones.names.into_iter().chain(others.names).collect();
    let names = (!names.is_empty()).then(|| format!("{{ {} }}", names.join(", ")));
    let what: Vec<String> = default.into_iter().chain(names).collect();
    (ones.module == others.module).then(|| format!("import {} from {}", what.join(", "), ones.module))
}

/// An import of a script on one line: `import size, { area } from "./shapes";`.
struct ScriptImport<'l> {
    default: Option<&'l str>,
    names: Vec<&'l str>,
    /// With all that stands behind.
    module: &'l str,
}

impl<'l> ScriptImport<'l> {
    fn read(line: &'l str) -> Option<Self> {
        let (what, module) = line.strip_prefix("import ")?.split_once(" from ")?;
        if what.starts_with("type ") || what.contains('*') {
            return None;
        }
        let (default, names) = what.split_once('{').unwrap_or((what, ""));
        let default = Some(default.trim().trim_end_matches(',')).filter(|it| !it.is_empty());
        let names = names.trim_end().trim_end_matches('}').split(',').map(str::trim).filter(|it| !it.is_empty());
        Some(Self { default, names: names.collect(), module })
    }
}

/// Takes an import of several names apart, where each has one of its own.
fn each(line: &str, is_single: bool) -> Vec<String> {
    match items(line).as_slice() {
        [_, _, ..] if is_single && line.starts_with("from") => {
            items(line).into_iter().map(|item| format!("{} import {item}", head(line))).collect()
        }
        _ => vec![line.to_owned()],
    }
}

/// Returns what the imports of a file have empty lines between, in each of some rows of them.
fn blocks(code: &Code, rows: &[&[PresentImport<'_>]]) -> Blocks {
    let gap = |pair: &[PresentImport<'_>]| code.text()[pair[0].node.end()..pair[1].node.start()].matches('\n').count();
    let pairs = rows.iter().flat_map(|row| row.windows(2));
    Blocks::of(pairs.map(|pair| (&pair[0].order, &pair[1].order, gap(pair))))
}

/// Returns the import statements that a file begins with, what stands between them left aside.
fn standing(code: &Code) -> Vec<PresentImport<'_>> {
    let is_definition = |node: &Node<'_>| node.kind().ends_with("definition") || node.kind().ends_with("declaration");
    let head = code.root().named_children().take_while(|node| !is_definition(node) && !node.is("export_statement"));
    present(code, head.filter(|node| node.kind().contains("import")))
}

fn present<'c>(code: &'c Code, imports: impl Iterator<Item = Node<'c>>) -> Vec<PresentImport<'c>> {
    imports.map(|node| PresentImport { node, order: Order::of(code, node.text(code.text())) }).collect()
}

/// Tells whether the names of an import can go into a statement.
pub(super) fn takes(code: &Code, statement: Node<'_>, line: &str) -> bool {
    let said = statement.text(code.text());
    let is_closed = |text: &str| text.contains('*') || items(text).is_empty();
    let is_one = |line: &str| head(said) == head(line) && !head(line).is_empty();
    (is_one(line) || as_inline(code, line).is_some_and(|it| is_one(&it))) && !is_closed(said) && !is_closed(line)
}

/// Returns the names of an import as a statement takes them.
pub(super) fn items_for(code: &Code, statement: Node<'_>, line: &str) -> Vec<String> {
    let is_alike = head(statement.text(code.text())) == head(line);
    let inline = as_inline(code, line).filter(|_| !is_alike);
    items(inline.as_deref().unwrap_or(line)).into_iter().map(str::to_owned).collect()
}

/// Writes `import type { A }` as `import { type A }`, where the script does so.
fn as_inline(code: &Code, line: &str) -> Option<String> {
    let (list, rest) = line.strip_prefix("import type {")?.split_once('}')?;
    let names: Vec<String> =
        list.split(',').map(str::trim).filter(|it| !it.is_empty()).map(|it| format!("type {it}")).collect();
    has_inline_types(code).then(|| format!("import {{ {} }}{rest}", names.join(", ")))
}

/// Tells whether a script says of each name that it is a type: `import { type Order, total }`.
pub(super) fn has_inline_types(code: &Code) -> bool {
    let mut all = code.root().descendants().filter(|it| it.is("import_specifier"));
    code.is_typed_script() && all.any(|it| it.children().any(|child| child.kind() == "type"))
}

/// Returns what an import statement says apart from the names that it takes: what two of them that can be one have alike.
fn head(statement: &str) -> String {
    let squeezed = statement.trim().trim_end_matches(';');
    match statement.starts_with("from") {
        true => squeezed.split(" import").next().unwrap_or_default().trim_end().to_owned(),
        false => match (squeezed.split_once('{'), squeezed.split_once('}')) {
            (Some((before, _)), Some((_, behind))) if !before.contains(',') => {
                format!("{} {}", before.trim(), behind.trim().replace('\'', "\""))
            }
            _ => String::new(),
        },
    }
}

/// Returns the names that an import statement takes.
fn items(statement: &str) -> Vec<&str> {
    let inner = match statement.starts_with("from") {
        true => statement.split_once(" import").map_or("", |(_, rest)| rest),
        false => statement.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(inner, _)| inner),
    };
    let inner = inner.trim().trim_start_matches('(').trim_end_matches(')');
    inner.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// Adds names to those that a statement takes and that no other edit takes out of it, in their order if they have one.
pub(crate) fn with_names(code: &Code, statement: Node<'_>, names: &[String], others: &[TextEdit]) -> Vec<TextEdit> {
    with_items(code, (names_of(code, statement), statement.end()), names, others)
}

/// Returns the names that a statement takes or hands out, each with what it is called here.
fn names_of<'c>(code: &Code, statement: Node<'c>) -> Vec<Node<'c>> {
    match code.family() {
        Family::Python => statement.children_in("name").collect(),
        _ => statement.descendants().filter(|it| it.is_any(&["export_specifier", "import_specifier"])).collect(),
    }
}

/// Returns where a statement comes to stand: the start of a line.
fn place_of(code: &Code, standing: &[PresentImport<'_>], wanted: &Order) -> usize {
    let behind = |it: &PresentImport<'_>| code.next_line(it.node.end());
    if standing.is_empty() {
        return first_place(code);
    }
    let group: Vec<&PresentImport<'_>> = standing.iter().filter(|it| it.order.group == wanted.group).collect();
    let is_sorted = group.iter().map(|it| &it.order).is_sorted();
    let next = group.iter().find(|it| is_sorted && it.order > *wanted);
    // Whole modules may stand apart from names of one.
    let is_alike = |it: &&&PresentImport<'_>| it.order < *wanted && it.order.is_from == wanted.is_from;
    let before = group.iter().rfind(is_alike).filter(|_| next.is_some_and(|it| it.order.is_from != wanted.is_from));
    match (next, before.or(group.last())) {
        (Some(_), Some(before)) if before.order < *wanted => behind(before),
        (Some(next), _) => code.line_start(next.node.start()),
        (None, Some(last)) => behind(last),
        (None, None) => {
            let lower = standing.iter().rfind(|it| it.order.group < wanted.group);
            lower.map_or_else(|| code.line_start(standing[0].node.start()), behind)
        }
    }
}

/// Returns where a statement of a script comes to stand: in the order of the others, if they have one, among its like.
fn place_in_script(code: &Code, standing: &[PresentImport<'_>], line: &str) -> usize {
    let behind = |it: &PresentImport<'_>| code.next_line(it.node.end());
    let Some(last) = standing.last() else { return first_place(code) };
    let nodes: Vec<Node<'_>> = standing.iter().map(|it| it.node).collect();
    let Some(all) = sources(code, &nodes).filter(|_| line.starts_with("import")) else { return behind(last) };
    let Some(order) = SourceOrder::of(code, &all) else { return behind(last) };
    let (wanted, own) = (order.key(source_of(line)), group(source_of(line)));
    let at = all.iter().take_while(|source| order.key(source) <= wanted).count();
    let is_alike = |at: usize| all.get(at).is_some_and(|source| group(source) == own);
    match at {
        0 => code.line_start(standing[0].node.start()),
        _ if at < all.len() && !is_alike(at - 1) && is_alike(at) => {
            code.line_start(comments_above(code, standing[at].node.start()))
        }
        _ => behind(&standing[at - 1]),
    }
}

/// Returns where imports stand in a file that has none.
fn first_place(code: &Code) -> usize {
    let is_prologue = |node: &Node<'_>| node.is("hash_bang_line") || is_text(*node);
    // A comment above a docstring, which is no named child, belongs to what the file begins with.
    let head = code.root().named_children().take_while(is_prologue).last().map_or(0, Node::end);
    let first = code.root().named_children().find(|node| node.start() >= head);
    first.map_or(code.text().len(), |first| code.line_start(comments_above(code, first.start())))
}

/// Returns where imports are added: behind those that stand at the top, or below what begins the file.
pub(crate) fn place(code: &Code) -> usize {
    const IMPORTS: &[&str] = &["import_statement", "import_from_statement", "future_import_statement"];
    let mut at = 0;
    let mut has_begun = false;
    for child in code.root().children().filter(|child| child.is_named()) {
        let is_docstring = !has_begun && is_text(child);
        has_begun |= !child.is("comment");
        let is_head =
            child.is("comment") && (at == 0 || child.start() == at) || child.is("hash_bang_line") || is_docstring;
        if child.is_any(IMPORTS) || is_head || required_source(code, child).is_some() {
            at = code.next_line(child.end());
        } else if !child.is("comment") {
            break;
        }
    }
    at
}

fn is_text(statement: Node<'_>) -> bool {
    let mut inside = statement.named_children();
    statement.is("expression_statement") && inside.next().is_some_and(|it| it.is("string"))
}

/// Writes statements where they come to stand, apart from those of other blocks if these are.
fn written(
    code: &Code,
    (standing, blocks): (&[PresentImport<'_>], &Blocks),
    at: usize,
    all: &[(Order, String)],
) -> TextEdit {
    let end = code.newline();
    let mut text = String::new();
    for pair in all.windows(2) {
        let gap = if blocks.parts(&pair[0].0, &pair[1].0) { 2 } else { 1 };
        text += &format!("{}{}", pair[0].1, end.repeat(gap));
    }
    text += &all.last().map(|(_, line)| format!("{line}{end}")).unwrap_or_default();
    if standing.is_empty() {
        return TextEdit::new(Span::at(at), gap_above(code, at).to_owned() + &text + &gap_below(code, at));
    }
    let own = |order: &Order| standing.iter().any(|it| !blocks.parts(&it.order, order));
    let (Some((first, _)), Some((last, _))) = (all.first(), all.last()) else {
        return TextEdit::new(Span::at(at), text);
    };
    let is_before = standing.iter().any(|it| code.next_line(it.node.end()) == at && blocks.parts(&it.order, first));
    let is_behind = standing.iter().any(|it| code.line_start(it.node.start()) == at && blocks.parts(last, &it.order));
    if is_before && !own(first) && code.family() == Family::Python {
        text.insert_str(0, end);
    }
    if is_behind && !own(last) {
        text.push_str(end);
    }
    let is_open = at == code.text().len() && !code.text().ends_with('\n');
    TextEdit::new(Span::at(at), if is_open { format!("{end}{}", text.trim_end()) } else { text })
}

/// Returns the empty line between a docstring that is all that a module of Python has and its first imports.
fn gap_above(code: &Code, at: usize) -> &'static str {
    let is_docstring = code.family() == Family::Python && code.root().named_children().last().is_some_and(is_text);
    if is_docstring && at == code.text().len() && !code.text().ends_with("\n\n") { code.newline() } else { "" }
}

/// Returns the blank lines between the first imports of a file and what follows.
pub(super) fn gap_below(code: &Code, at: usize) -> String {
    let is_definition = |node: &Node<'_>| node.kind().ends_with("definition");
    let next = code.root().named_children().find(|node| node.start() >= at);
    match next {
        None => String::new(),
        // Two empty lines stand before what a module of Python defines.
        Some(next) if code.family() == Family::Python && is_definition(&next) => code.newline().repeat(2),
        Some(_) => code.newline().to_owned(),
    }
}

/// Adds import statements to other edits of a file; below its imports, where a statement that they could go into changes.
pub(crate) fn with_imports(code: &Code, mut edits: Vec<TextEdit>, lines: &[String]) -> Vec<TextEdit> {
    let mut lines = if code.family() == Family::Script { joined(lines) } else { lines.to_vec() };
    exchange(code, &mut edits, &mut lines);
    if lines.is_empty() {
        return edits;
    }
    let meets = |new: &TextEdit, old: &TextEdit| {
        new.span.start < old.span.end && old.span.start < new.span.end
            || new.span.is_empty() && old.span.start < new.span.start && new.span.start < old.span.end
    };
    let (required, lines): (Vec<String>, Vec<String>) = lines.into_iter().partition(|line| is_require(line));
    let mut added = requires::require_edits(code, &required, &edits);
    added.extend(import_edits(code, &lines, &edits));
    if added.iter().any(|new| edits.iter().any(|old| meets(new, old))) {
        let end = code.newline();
        let text: String = required.iter().chain(&lines).map(|line| format!("{line}{end}")).collect();
        let at = if lines.is_empty() { requires::place(code) } else { place(code) };
        // Where all around goes, they come in its place, with the empty lines that it ended with.
        if let Some(old) = edits.iter_mut().find(|old| old.span.start < at && at < old.span.end) {
            let gone = old.span.of(code.text()).unwrap_or_default();
            let is_empty = |line: &&str| line.trim().is_empty();
            let above = if old.span.start == 0 { 0 } else { gone.lines().take_while(is_empty).count() };
            let empty = gone.lines().rev().take_while(is_empty).count();
            old.new_text = format!("{}{text}{}{}", end.repeat(above), end.repeat(empty), old.new_text);
            return edits;
        }
        added = vec![TextEdit::new(Span::at(at), text)];
    }
    for new in added {
        let at = edits.iter().position(|old| old.span.start == new.span.start && new.span.is_empty());
        let empty = at.map_or(0, |at| empty_at_end(code, &edits, at));
        match at.map(|at| &mut edits[at]) {
            // What comes under a condition stands one empty line below.
            Some(old) if old.new_text.trim_start().starts_with("if ") => {
                let line = format!("{}{}", new.new_text.trim_end(), code.newline());
                old.new_text.insert_str(0, &line);
            }
            Some(old) => {
                let own = new.new_text.lines().rev().take_while(|line| line.trim().is_empty()).count();
                let gap = code.newline().repeat(empty.saturating_sub(own));
                old.new_text.insert_str(0, &format!("{}{gap}", new.new_text));
            }
            None => edits.push(new),
        }
    }
    edits
}

/// Writes imports in the place of statements that take something else out of the same module, and go.
fn exchange(code: &Code, edits: &mut [TextEdit], lines: &mut Vec<String>) {
    let standing = standing(code);
    // What a script has alone shows no order.
    if code.family() == Family::Script && standing.len() == 1 {
        return;
    }
    for statement in standing.into_iter().map(|it| it.node).chain(guarded(code)) {
        let names = names_of(code, statement);
        let (Some(first), Some(last)) = (names.first(), names.last()) else { continue };
        let own = Span::new(code.line_start(statement.start()), code.next_line(statement.end()));
        let is_gone = |edit: &&mut TextEdit| match edit.new_text.as_str() {
            "" => {
                let behind = own.end..edit.span.end.max(own.end);
                edit.span.start == own.start && edit.span.contains(own) && code.text()[behind].trim().is_empty()
            }
            "pass" => edit.span == statement.span(),
            _ => false,
        };
        let Some(gone) = edits.iter_mut().find(is_gone) else { continue };
        let (taken, others) = lines.drain(..).partition::<Vec<String>, _>(|line| takes(code, statement, line));
        *lines = others;
        let mut items: Vec<String> = taken.iter().flat_map(|line| items_for(code, statement, line)).collect();
        items.dedup();
        if !items.is_empty() {
            *gone = TextEdit::new(Span::new(first.start(), last.end()), items.join(", "));
        }
    }
}

/// Returns how many empty lines end what goes from the place of an edit on, that of the edits behind it included.
fn empty_at_end(code: &Code, edits: &[TextEdit], at: usize) -> usize {
    let is_gone = |edit: &&TextEdit| !edit.span.is_empty() && edit.new_text.is_empty();
    let mut gone = edits[at].span;
    if !is_gone(&&edits[at]) {
        return 0;
    }
    while let Some(next) = edits.iter().filter(is_gone).find(|edit| edit.span.start == gone.end) {
        gone.end = next.span.end;
    }
    match gone.end == code.text().len() {
        true => 0,
        false => gone.of(code.text()).unwrap_or_default().lines().rev().take_while(|it| it.trim().is_empty()).count(),
    }
}
