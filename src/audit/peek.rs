//! What a file declares, without any of the bodies.

use serde::Serialize;

use super::gaps::Gaps;
use super::sources::{Source, Sources, in_parallel};
use crate::syntax::contracts::{Contract, Members, Unit};
use crate::syntax::{Declaration, DeclarationKind, Family, declarations, functions};
use crate::text::Span;

/// What some files declare.
#[derive(Debug, Serialize)]
pub struct Signatures {
    files: Vec<Peeked>,
    #[serde(flatten)]
    gaps: Gaps,
}

#[derive(Debug, Serialize)]
struct Peeked {
    file: String,
    signatures: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    line: u32,
    /// The class or contract around.
    r#in: Option<String>,
    signature: String,
}

/// Longer signatures are cut.
const MOST_CHARACTERS: usize = 400;

/// Lists the signatures of the files of a request.
pub fn peek(sources: &Sources) -> Signatures {
    let files =
        in_parallel(&sources.files, |source| Peeked { file: source.name().to_owned(), signatures: rows(source) });
    Signatures { files, gaps: Gaps::of(sources) }
}

fn rows(source: &Source) -> Vec<Row> {
    let mut found = match source.language.family() {
        Family::Solidity => contracts(source),
        _ => declared(source),
    };
    found.sort_by_key(|(span, _)| *span);
    let row = |(span, owner): (Span, Option<String>)| Row {
        line: source.location(span.start).line,
        r#in: owner,
        signature: one_line(span.of(source.text()).unwrap_or_default()),
    };
    found.into_iter().map(row).collect()
}

type Found = (Span, Option<String>);

fn contracts(source: &Source) -> Vec<Found> {
    let unit = Unit::of(source.tree(), source.text());
    let mut found = members(&unit.free, None);
    for contract in &unit.contracts {
        found.push((head(contract, source), None));
        found.extend(members(&contract.members, Some(&contract.name)));
    }
    found
}

fn head(contract: &Contract, source: &Source) -> Span {
    let text = contract.span.of(source.text()).unwrap_or_default();
    Span::new(contract.span.start, contract.span.start + text.find('{').unwrap_or(text.len()))
}

fn members(members: &Members, owner: Option<&str>) -> Vec<Found> {
    let functions = members.functions.iter().map(|it| it.head);
    let variables = members.variables.iter().map(|it| it.head);
    let whole = members.types.iter().map(|it| it.span);
    let signed = members.events.iter().chain(&members.errors).map(|it| it.span);
    let all = functions.chain(variables).chain(whole).chain(signed);
    all.map(|span| (span, owner.map(str::to_owned))).collect()
}

/// Functions by their heads; classes and other types by theirs.
fn declared(source: &Source) -> Vec<Found> {
    let (tree, text) = (source.tree(), source.text());
    let sites = functions(tree, text);
    let outermost = outermost(sites.iter().map(|site| site.span));
    let is_local = |span: Span| {
        let before = outermost.partition_point(|outer| outer.start <= span.start);
        before > 0 && outermost[before - 1].contains(span) && outermost[before - 1] != span
    };
    let owner = |names: &[String]| (!names.is_empty()).then(|| names.join("."));
    let of_functions = sites.iter().filter(|site| !is_local(site.span)).map(|site| (site.head, owner(&site.owners)));
    let mut found: Vec<Found> = of_functions.collect();
    for one in declarations(tree, text).iter().filter(|one| is_type(one.kind) && !is_local(one.full_span)) {
        found.push((type_head(one, source), owner(&one.path[..one.path.len() - 1])));
    }
    found
}

/// Leaves out what lies inside of another, of stretches in order.
fn outermost(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut outermost: Vec<Span> = Vec::new();
    for span in spans {
        if outermost.last().is_none_or(|last| !last.contains(span)) {
            outermost.push(span);
        }
    }
    outermost
}

fn is_type(kind: DeclarationKind) -> bool {
    use DeclarationKind as Kind;
    matches!(
        kind,
        Kind::Class | Kind::Interface | Kind::Struct | Kind::Enum | Kind::Trait | Kind::TypeAlias | Kind::Namespace
    )
}

/// Everything up to the body; what is only a line long, whole.
fn type_head(one: &Declaration, source: &Source) -> Span {
    let nodes = source.tree().nodes();
    let bodies = nodes.covering(one.full_span).descendants();
    let body = bodies.into_iter().find(|node| node.field() == Some("body") && node.start() > one.name_span.end);
    let end = body.map_or(one.full_span.end, |body| body.start());
    let text = Span::new(one.name_span.start, end.max(one.name_span.end)).of(source.text()).unwrap_or_default();
    let line = source.text()[..one.name_span.start].rfind('\n').map_or(0, |at| at + 1);
    let start = line.max(one.full_span.start);
    Span::new(start, one.name_span.start + text.len())
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches(['{', ':', ' ', ';', '=']).trim_end_matches("=>").trim_end();
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
