//! Import statements: taken out, led to another module, written anew. For Python and scripts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::name_order::NameOrder;
use super::placement::{self, NeighbourPosition};
use super::requires;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::removed_statements::with_comment;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, Links};
use crate::refactor::moves::{python, script};
use crate::refactor::source_file::{Code, inner, is_block};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, Text, TextEdit};

/// What the files of a project hold that is not on the disk.
pub(crate) type Texts = BTreeMap<AbsPath, Arc<Text>>;

/// Looks at the links of a project, one file among them that is yet to come.
pub(crate) fn with_links<T>(
    session: &Session,
    family: Family,
    to: &AbsPath,
    work: impl FnOnce(&dyn Links) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    if family == Family::Python {
        let is_new = !to.as_path().exists();
        let texts: Texts = is_new.then(|| (to.clone(), Arc::new(Text::new("")))).into_iter().collect();
        return python::with_modules(session, &texts, |modules| work(modules));
    }
    let outside = || Refusal::NotPossible(format!("`{to}` lies outside the project"));
    let project = script::Project::with(session.sources(), to).ok_or_else(outside)?;
    work(&script::Modules::new(&project))
}

/// Tells which modules a file comes to load.
pub(crate) fn loads(code: &Code, modules: &[&str]) -> Warning {
    let named: Vec<String> = modules.iter().map(|module| format!("`{module}`")).collect();
    let message = format!("loading this module now loads {}, too", named.join(", "));
    Warning::at(WarningKind::FollowUp, message, code.path.clone(), None)
}

/// An import that comes to stand in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WantedImport {
    pub source: String,
    pub form: ImportForm,
    /// The item as it is written: `a as b`, `* as m`.
    pub item: String,
}

/// How an import statement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ImportForm {
    /// `from … import …`, `import { … } from "…"`
    Names,
    TypeNames,
    /// `export { … } from "…"`
    Export,
    TypeExport,
    /// `import a.b as c`, `import c from "…"`, `import * as c from "…"`
    Whole,
    /// `const { … } = require("…")`
    Required,
    /// `const c = require("…")`
    RequiredWhole,
}

impl ImportForm {
    /// Tells how names are imported that a statement declares: an interface and an alias as types.
    pub(crate) fn declared(statement: Node<'_>) -> Self {
        let is_type = inner(statement).is_any(&["interface_declaration", "type_alias_declaration"]);
        if is_type { Self::TypeNames } else { Self::Names }
    }

    pub(crate) fn of(form: LinkForm) -> Self {
        match form {
            LinkForm::Import => Self::Names,
            LinkForm::TypeImport => Self::TypeNames,
            LinkForm::Export => Self::Export,
            LinkForm::TypeExport => Self::TypeExport,
            LinkForm::Require => Self::Required,
        }
    }
}

impl WantedImport {
    /// Writes what a link takes as another file takes it: by `form`, from a module that is called `source` there.
    pub(crate) fn of<E>(
        code: &Code,
        link: &Link,
        form: LinkForm,
        source: impl FnOnce() -> Result<String, E>,
    ) -> Result<Self, E> {
        let is_python = code.family() == Family::Python;
        let item = item(code, link);
        if is_python && link.statement.of(code.text()).unwrap_or_default().starts_with("import") {
            return Ok(Self { source: String::new(), form: ImportForm::Whole, item });
        }
        if form == LinkForm::Require {
            let is_whole = link.taken == LinkedName::Module;
            let form = if is_whole { ImportForm::RequiredWhole } else { ImportForm::Required };
            return Ok(Self { source: source()?, form, item: requires::item(code, link) });
        }
        let shape = match link.taken {
            LinkedName::Module | LinkedName::Default if !is_python && !item.starts_with("default") => ImportForm::Whole,
            _ => ImportForm::of(form),
        };
        let is_type = shape == ImportForm::Whole && form == LinkForm::TypeImport;
        let item = if is_type { format!("type {item}") } else { item };
        Ok(Self { source: source()?, form: shape, item })
    }
}

/// Returns the package that a module of Python is taken out of, by the module's own name: `a.b` for `a.b.c`, `..` for `..c`.
pub(crate) fn package_of(module: &str) -> String {
    let name = module.trim_start_matches('.').rsplit('.').next().unwrap_or_default();
    let package = &module[..module.len() - name.len()];
    match (package.trim_end_matches('.'), package) {
        ("", "") => ".".to_owned(),
        ("", dots) => dots.to_owned(),
        (package, _) => package.to_owned(),
    }
}

/// Writes statements for imports, those of one module together.
pub(crate) fn written(code: &Code, links: &[Link], wanted: &[WantedImport]) -> Vec<String> {
    written_like(code, links, wanted, code)
}

/// As [`written`], types as another file takes them.
pub(crate) fn written_like(code: &Code, links: &[Link], wanted: &[WantedImport], like: &Code) -> Vec<String> {
    let mut wanted = wanted.to_vec();
    wanted.sort();
    wanted.dedup();
    let mut grouped: Vec<(WantedImport, Vec<String>)> = Vec::new();
    for one in wanted {
        match grouped.last_mut() {
            Some((first, items))
                if (&first.source, first.form) == (&one.source, one.form)
                    && !matches!(one.form, ImportForm::Whole | ImportForm::RequiredWhole) =>
            {
                items.push(one.item);
            }
            _ => grouped.push((one.clone(), vec![one.item])),
        }
    }
    if code.family() == Family::Python {
        for (_, items) in &mut grouped {
            NameOrder::sort_new(code, items);
        }
    }
    if placement::has_inline_types(like) {
        grouped = with_inline_types(grouped);
    }
    grouped.into_iter().map(|(first, items)| statement(code, links, &first, &items.join(", "))).collect()
}

/// Takes types by the statement that takes other names of their module: `import { type Order, total }`.
fn with_inline_types(grouped: Vec<(WantedImport, Vec<String>)>) -> Vec<(WantedImport, Vec<String>)> {
    let mut joined: Vec<(WantedImport, Vec<String>)> = Vec::new();
    for (first, items) in grouped {
        let takes = |known: &WantedImport| known.form == ImportForm::Names && known.source == first.source;
        match joined.iter_mut().find(|(known, _)| first.form == ImportForm::TypeNames && takes(known)) {
            Some((_, all)) => {
                all.extend(items.into_iter().map(|item| format!("type {item}")));
                all.sort_by_key(|item| item.trim_start_matches("type ").to_owned());
            }
            None => joined.push((first, items)),
        }
    }
    joined
}

fn statement(code: &Code, links: &[Link], first: &WantedImport, items: &str) -> String {
    let WantedImport { source, form, .. } = first;
    if code.family() == Family::Python {
        return if *form == ImportForm::Whole {
            format!("import {items}")
        } else {
            format!("from {source} import {items}")
        };
    }
    let model = links.first().map(|link| (&code.text()[link.source.end..], link.statement.of(code.text())));
    let string = || code.root().descendants().find(|it| it.is("string"))?.text(code.text()).chars().next();
    let quote = model.and_then(|(rest, _)| rest.chars().next()).or_else(string).unwrap_or('"');
    let end = match model {
        Some((_, whole)) => {
            if whole.is_some_and(|whole| whole.ends_with(';')) {
                ";"
            } else {
                ""
            }
        }
        None => code.semicolon(),
    };
    if matches!(form, ImportForm::Required | ImportForm::RequiredWhole) {
        let bound = if *form == ImportForm::Required { format!("{{ {items} }}") } else { items.to_owned() };
        let word = requires::keyword(code, links);
        return format!("{word} {bound} = require({quote}{source}{quote}){}", code.semicolon());
    }
    let head = match form {
        ImportForm::Names => format!("import {{ {items} }}"),
        ImportForm::TypeNames => format!("import type {{ {items} }}"),
        ImportForm::Export => format!("export {{ {items} }}"),
        ImportForm::TypeExport => format!("export type {{ {items} }}"),
        _ => format!("import {items}"),
    };
    format!("{head} from {quote}{source}{quote}{end}")
}

/// Takes items out of their statements, and statements out that lose all of them.
pub(crate) fn taken_out(code: &Code, links: &[Link], gone: &[Span]) -> Result<Vec<TextEdit>, Refusal> {
    let mut edits = Vec::new();
    let mut statements: Vec<Span> =
        links.iter().filter(|link| gone.contains(&link.item)).map(|link| link.statement).collect();
    statements.dedup();
    for statement in statements {
        let items: Vec<Span> = links.iter().filter(|link| link.statement == statement).map(|link| link.item).collect();
        if items.iter().all(|item| gone.contains(item)) && !requires::is_apart(code, statement) {
            return Err(code.refuse(statement.start, "the import cannot be taken out"));
        }
        if items.iter().all(|item| gone.contains(item)) {
            let mut edit = without_statement(code, statement)?;
            if edit.new_text.is_empty() {
                edit.span = with_comment(code, edit.span);
            }
            edits.push(edit);
        } else {
            edits.extend(without(code, &items, gone));
        }
    }
    Ok(edits)
}

/// Takes a statement out that has its lines for itself; where it is all that its block of Python has, `pass` comes in its place.
///
/// # Errors
/// Those of [`whole_line`].
pub(crate) fn without_statement(code: &Code, statement: Span) -> Result<TextEdit, Refusal> {
    let block = block_of(code, statement).filter(|it| it.is("block") && code.family() == Family::Python);
    if block.is_some_and(|it| it.named_children().filter(|it| !it.is("comment")).count() == 1) {
        return Ok(TextEdit::new(statement, "pass"));
    }
    Ok(TextEdit::new(whole_line(code, statement)?, ""))
}

/// Returns the block that a statement stands in: one of one statement spans no more than that.
fn block_of(code: &Code, statement: Span) -> Option<Node<'_>> {
    let node = code.covering(statement);
    std::iter::once(node).chain(node.ancestors()).find(|it| is_block(*it))
}

/// Returns the lines of a statement that has them for itself, in a block that can do without it.
pub(crate) fn whole_line(code: &Code, statement: Span) -> Result<Span, Refusal> {
    let lines = Span::new(code.line_start(statement.start), code.next_line(statement.end));
    let rest = code.text()[statement.end..lines.end].trim().trim_start_matches(';').trim_start();
    // A comment on its line is about the import.
    let is_end = rest.is_empty() || rest.starts_with('#') || rest.starts_with("//");
    let is_alone = is_end && code.text()[lines.start..statement.start].trim().is_empty();
    let block = block_of(code, statement).filter(|block| block.parent().is_some());
    let rest = &code.text()[lines.end..];
    let blank = if lines.start == 0 { rest.len() - rest.trim_start_matches(['\n', '\r']).len() } else { 0 };
    let is_needed = block.is_some_and(|block| block.named_children().count() < 2);
    if is_alone && !is_needed {
        Ok(Span::new(lines.start, lines.end + blank))
    } else {
        Err(code.refuse(statement.start, "the import cannot be taken out"))
    }
}

/// Takes some of the items of a statement out, which keeps others.
fn without(code: &Code, items: &[Span], gone: &[Span]) -> Vec<TextEdit> {
    let braces = |item: Span| {
        code.covering(item).ancestors().find(|it| it.is_any(&["named_imports", "export_clause"])).map(Node::span)
    };
    let fitted = |span: Span| {
        let first = items.iter().position(|item| span.contains(*item))?;
        let (is_last, next) = (span.contains(items[items.len() - 1]), items.iter().find(|item| item.start == span.end));
        match (braces(items[first]), next.and_then(|next| braces(*next))) {
            // Braces that hold nothing go, too; those behind a default that goes stay.
            (Some(own), _) if first > 0 && is_last && !own.contains(items[first - 1]) => {
                Some(Span::new(items[first - 1].end, own.end))
            }
            (None, Some(next)) => Some(Span::new(span.start, next.start)),
            _ => None,
        }
    };
    let spans: Vec<Span> =
        without_items(code, items, gone).into_iter().map(|span| fitted(span).unwrap_or(span)).collect();
    let is_outer = |span: &&Span| !spans.iter().any(|other| other != *span && other.contains(**span));
    spans.iter().filter(is_outer).map(|span| TextEdit::new(*span, "")).collect()
}

/// Returns what has to go for some items of a list to go, with the commas between them, and the comments behind them.
pub(crate) fn without_items(code: &Code, items: &[Span], gone: &[Span]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < items.len() {
        if !gone.contains(&items[at]) {
            at += 1;
            continue;
        }
        let first = at;
        while at < items.len() && gone.contains(&items[at]) {
            at += 1;
        }
        match own_lines(code, items, (first, at)).filter(|_| at - first < items.len()) {
            Some(lines) => spans.extend(lines),
            None => spans.push(match (items.get(at), first) {
                (Some(next), 0) => Span::new(items[0].start, next.start),
                (Some(next), _) if code.line_start(next.start) == code.line_start(items[at - 1].start) => {
                    Span::new(items[first].start, next.start)
                }
                (_, 1..) => Span::new(items[first - 1].end, items[at - 1].end),
                (None, 0) => Span::new(items[0].start, items[at - 1].end),
            }),
        }
    }
    spans
}

/// Returns the lines of items that follow each other and have them for themselves, and the comma in front of them that they
/// leave without anything behind it.
fn own_lines(code: &Code, items: &[Span], (first, end): (usize, usize)) -> Option<Vec<Span>> {
    let (start, last) = (items[first].start, items[end - 1].end);
    let lines = Span::new(code.line_start(start), code.next_line(last));
    let rest = code.text()[last..lines.end].trim_start();
    let (has_comma, rest) = rest.strip_prefix(',').map_or((false, rest), |it| (true, it.trim_start()));
    let is_end = rest.is_empty() || rest.starts_with('#') || rest.starts_with("//");
    if !is_end || !code.text()[lines.start..start].trim().is_empty() || !code.text()[..lines.end].ends_with('\n') {
        return None;
    }
    match (has_comma, items.get(end), first) {
        (true, ..) => Some(vec![lines]),
        (false, None, 1..) => {
            let comma = items[first - 1].end;
            code.text()[comma..].starts_with(',').then(|| vec![Span::new(comma, comma + 1), lines])
        }
        (false, ..) => None,
    }
}

/// Leads items of one statement to another module: the statement as a whole, where it has no others. Returns statements
/// that are to be added at the top of the file, too.
pub(crate) fn led(code: &Code, links: &[Link], items: &[&Link], source: &str) -> (Vec<TextEdit>, Vec<String>) {
    let statement = items[0].statement;
    let all: Vec<Span> = links.iter().filter(|link| link.statement == statement).map(|link| link.item).collect();
    let gone: Vec<Span> = items.iter().map(|link| link.item).collect();
    if items[0].form == LinkForm::Require {
        return led_required(code, links, (items, &all), source);
    }
    if let Some(joined) = joined_export(code, links, (items, &all), source) {
        return (joined, Vec::new());
    }
    let wanted: Vec<WantedImport> = items
        .iter()
        .map(|link| WantedImport { source: source.to_owned(), form: shape(code, link), item: item(code, link) })
        .collect();
    let lines = written(code, links, &wanted);
    let is_top = code.covering(statement).parent().is_none_or(|outer| outer.parent().is_none());
    if all.iter().all(|item| gone.contains(item)) {
        let goes = is_top
            && lines.iter().any(|line| placement::is_elsewhere(code, statement, line, NeighbourPosition::Instead));
        return match whole_line(code, statement) {
            Ok(span) if goes => (vec![TextEdit::new(with_comment(code, span), "")], lines),
            _ => (vec![TextEdit::new(items[0].source, source)], Vec::new()),
        };
    }
    let mut edits = without(code, &all, &gone);
    let is_placed = |line: &String| {
        code.path.file_stem() != "__init__" && code.family() == Family::Python
            || placement::is_elsewhere(code, statement, line, NeighbourPosition::Behind)
    };
    if is_top && lines.iter().all(is_placed) {
        return (edits, lines);
    }
    let glue = format!("{}{}", code.newline(), code.indent(statement.start));
    let added: String = lines.iter().map(|line| format!("{glue}{line}")).collect();
    edits.push(TextEdit::new(Span::at(behind(code, statement)), added));
    (edits, Vec::new())
}

/// As [`led`], for what is taken by `require`.
fn led_required(
    code: &Code,
    links: &[Link],
    (items, all): (&[&Link], &[Span]),
    source: &str,
) -> (Vec<TextEdit>, Vec<String>) {
    let statement = items[0].statement;
    let gone: Vec<Span> = items.iter().map(|link| link.item).collect();
    let is_all = all.iter().all(|item| gone.contains(item));
    let is_top = code.covering(statement).parent().is_some_and(|outer| outer.parent().is_none());
    let is_bound = items.iter().all(|link| link.local.is_some());
    let said: Vec<String> = items.iter().map(|link| requires::item(code, link)).collect();
    let joins = is_top && is_bound && requires::pattern_of(code, source, Some(statement)).is_some();
    let whole = whole_line(code, statement).ok().filter(|_| joins && is_all);
    if is_all && whole.is_none() {
        return (vec![TextEdit::new(items[0].source, source)], Vec::new());
    }
    let mut edits = match whole {
        Some(lines) => vec![TextEdit::new(with_comment(code, lines), "")],
        None => without(code, all, &gone),
    };
    if !joins {
        edits.extend(requires::beside(code, statement, &said, source));
        return (edits, Vec::new());
    }
    let wanted =
        said.into_iter().map(|item| WantedImport { source: source.to_owned(), form: ImportForm::Required, item });
    (edits, written(code, links, &wanted.collect::<Vec<_>>()))
}

/// Hands items of one `export … from` out by another one of the file that takes them from the same module already.
fn joined_export(
    code: &Code,
    links: &[Link],
    (items, all): (&[&Link], &[Span]),
    source: &str,
) -> Option<Vec<TextEdit>> {
    let first = items.first().filter(|it| it.form.is_export() && it.item != it.statement)?;
    let text = |span: Span| span.of(code.text()).unwrap_or_default();
    let is_type = |link: &Link| text(link.statement).starts_with("export type");
    let is_it = |link: &&Link| {
        link.statement != first.statement
            && link.form.is_export()
            && code.covering(link.item).ancestors().any(|it| it.is("export_clause"))
            && text(link.source) == source
            && is_type(link) == is_type(first)
    };
    let other = links.iter().find(is_it)?;
    let gone: Vec<Span> = items.iter().map(|link| link.item).collect();
    let mut edits = match all.iter().all(|item| gone.contains(item)) {
        true => vec![TextEdit::new(with_comment(code, whole_line(code, first.statement).ok()?), "")],
        false => without(code, all, &gone),
    };
    let names: Vec<String> = items.iter().map(|link| text(link.item).to_owned()).collect();
    edits.extend(placement::with_names(code, code.covering(other.statement), &names, &[]));
    Some(edits)
}

/// Returns where something is added behind a statement: a comment on its line goes on to be about it.
pub(crate) fn behind(code: &Code, statement: Span) -> usize {
    let end = code.line_end(statement.end);
    let rest = code.text()[statement.end..end].trim_start();
    if rest.starts_with('#') || rest.starts_with("//") { end } else { statement.end }
}

/// Returns the form of an item's own statement.
fn shape(code: &Code, link: &Link) -> ImportForm {
    match link.taken {
        LinkedName::Default if code.family() == Family::Script => ImportForm::Whole,
        _ => ImportForm::of(link.form),
    }
}

/// Returns an item as it is written in a statement of its own.
pub(crate) fn item(code: &Code, link: &Link) -> String {
    let text = link.item.of(code.text()).unwrap_or_default();
    match link.form {
        LinkForm::TypeImport | LinkForm::TypeExport => text.strip_prefix("type ").unwrap_or(text).trim().to_owned(),
        _ => text.to_owned(),
    }
}

/// Returns how a file that takes names out of a module already writes it.
pub(crate) fn as_known(code: &Code, all: &[Link], target: &AbsPath) -> Option<String> {
    let takes = |link: &&Link| matches!(link.taken, LinkedName::Name(_) | LinkedName::Star) && !link.form.is_export();
    let known = all.iter().filter(takes).find(|link| link.module.as_ref() == Some(target));
    known.and_then(|link| link.source.of(code.text())).map(str::to_owned)
}

/// Writes a module in full that would take more than two dots, where the file itself names modules of the project so.
pub(crate) fn nearer(links: &dyn Links, (code, all): (&Code, &[Link]), target: &AbsPath, source: String) -> String {
    let is_full =
        |link: &Link| link.module.is_some() && !link.source.of(code.text()).unwrap_or_default().starts_with('.');
    match code.family() == Family::Python && source.starts_with("...") && all.iter().any(is_full) {
        true => links.plain_source(&code.path, target).unwrap_or(source),
        false => source,
    }
}

/// Writes the module of a file as its neighbours are written: as it does itself, or as `other` does.
pub(crate) fn named(
    links: &dyn Links,
    files: &[(&Code, &[Link])],
    importer: &AbsPath,
    target: &AbsPath,
) -> Result<String, Refusal> {
    let is_model = |code: &Code, link: &Link| {
        let source = link.source.of(code.text()).unwrap_or_default();
        link.module.is_some() && source.starts_with('.')
    };
    let own = files.first().filter(|(code, _)| code.path == *importer);
    if let Some(known) = own.and_then(|(code, all)| as_known(code, all, target)) {
        return Ok(known);
    }
    // What names the project's modules in full, and never in dots, goes on to.
    if let Some((first, all)) =
        files.first().filter(|(code, _)| code.family() == Family::Python && code.path == *importer)
    {
        let mut own = all.iter().filter(|link| link.module.is_some()).peekable();
        if own.peek().is_some() && !own.any(|link| is_model(first, link)) {
            return links.plain_source(importer, target).map_err(Refusal::NotPossible);
        }
    }
    // Dots count from the package that a file lies in, if it lies in one.
    let is_packaged = importer.parent().is_some_and(|dir| dir.as_path().join("__init__.py").exists());
    let is_alike = |code: &Code| code.family() != Family::Python || code.path == *importer || is_packaged;
    for (code, all) in files.iter().filter(|(code, _)| is_alike(code)) {
        let Some(model) = all.iter().find(|link| is_model(code, link)) else { continue };
        if let Ok(source) = links.source((code, model), importer, target) {
            return Ok(own.map_or(source.clone(), |own| nearer(links, *own, target, source)));
        }
    }
    links.plain_source(importer, target).map_err(Refusal::NotPossible)
}
