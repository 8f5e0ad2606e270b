//! Blanks inside the braces that a plan writes into scripts, `{a}` or `{ a }`: as the file has them, or the files around it.

use super::plan_texts::rewritten;
use super::script_style::nearest;
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Tree};
use crate::text::{AbsPath, Span, TextEdit, TextEdits};

/// Lists of names of another module.
const LISTS: &[&str] = &["named_imports", "export_clause"];
/// What else stands in braces on one line.
const VALUES: &[&str] = &["object", "object_pattern", "object_type"];

/// Whether blanks stand inside braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spacing {
    Spaced,
    Tight,
}

/// Writes the braces that a plan adds as those around them.
pub(crate) fn spaced(session: &Session, plan: Plan) -> Plan {
    rewritten(plan, |path, texts, new| respaced(session, path, texts, new))
}

/// Returns a text with its `new` braces as those before; nothing where they are so.
fn respaced(session: &Session, path: &AbsPath, (before, after): (&str, &str), new: &[Span]) -> Option<String> {
    let language = Language::of_path(path).filter(|it| it.family() == Family::Script)?;
    let tree = Tree::parse(language, after);
    let is_new = |node: &Node<'_>| new.iter().any(|stretch| stretch.contains(node.span()));
    let added: Vec<Node<'_>> =
        tree.nodes().iter().filter(|node| spacing(*node, after).is_some() && is_new(node)).collect();
    if added.is_empty() {
        return None;
    }
    let was = Tree::parse(language, before);
    let lists = in_lists(session, path, (&was, before));
    // What is moved comes as it is written where others do as they like.
    let values = habit(&was, before, VALUES).filter(|one| all(&was, before, VALUES).all(|it| it == *one));
    let mut edits = Vec::new();
    for node in added {
        let wanted = if node.is_any(LISTS) { lists } else { values };
        if let Some(wanted) = wanted.filter(|wanted| spacing(node, after) != Some(*wanted)) {
            edits.extend(blanks(node, after).map(|span| TextEdit::new(span, wanted.blank())));
        }
    }
    let edits = TextEdits::new(edits).ok().filter(|edits| !edits.is_empty())?;
    Some(edits.apply(after))
}

/// Returns what stands inside the braces of lists of names, as a script has them, or the scripts around it.
pub(super) fn blank_in_lists(session: &Session, path: &AbsPath, (tree, text): (&Tree, &str)) -> &'static str {
    in_lists(session, path, (tree, text)).unwrap_or(Spacing::Spaced).blank()
}

fn in_lists(session: &Session, path: &AbsPath, (tree, text): (&Tree, &str)) -> Option<Spacing> {
    habit(tree, text, LISTS)
        .or_else(|| habit(tree, text, VALUES))
        .or_else(|| nearest(session, path).find_map(|code| habit(&code.parsed().tree, code.text(), LISTS)))
}

impl Spacing {
    fn blank(self) -> &'static str {
        match self {
            Self::Spaced => " ",
            Self::Tight => "",
        }
    }
}

/// Where the blanks stand inside two braces.
fn blanks(node: Node<'_>, text: &str) -> [Span; 2] {
    let (open, close) = (node.start() + 1, node.end() - 1);
    let inner = &text[open..close];
    let (before, after) = (inner.len() - inner.trim_start().len(), inner.len() - inner.trim_end().len());
    [Span::new(open, open + before), Span::new(close - after, close)]
}

/// What most of the braces of some kinds have.
fn habit(tree: &Tree, text: &str, kinds: &[&str]) -> Option<Spacing> {
    let (spaced, tight): (Vec<Spacing>, Vec<Spacing>) = all(tree, text, kinds).partition(|it| *it == Spacing::Spaced);
    match spaced.len().cmp(&tight.len()) {
        std::cmp::Ordering::Greater => Some(Spacing::Spaced),
        std::cmp::Ordering::Less => Some(Spacing::Tight),
        std::cmp::Ordering::Equal => None,
    }
}

fn all<'t>(tree: &'t Tree, text: &'t str, kinds: &'t [&str]) -> impl Iterator<Item = Spacing> {
    tree.nodes().iter().filter(|node| node.is_any(kinds)).filter_map(|node| spacing(node, text))
}

/// What stands inside the braces of one line that hold something.
fn spacing(node: Node<'_>, text: &str) -> Option<Spacing> {
    let written = node.text(text);
    let inner = written.strip_prefix('{')?.strip_suffix('}')?;
    if !node.is_any(LISTS) && !node.is_any(VALUES) || inner.trim().is_empty() || inner.contains('\n') {
        return None;
    }
    let is_spaced = inner.starts_with(' ') && inner.ends_with(' ');
    let is_tight = !inner.starts_with(' ') && !inner.ends_with(' ');
    match (is_spaced, is_tight) {
        (true, _) => Some(Spacing::Spaced),
        (_, true) => Some(Spacing::Tight),
        _ => None,
    }
}
