//! Mentions of a name whose declaration a server takes away, which it left where they are: in macros, and in code that it did
//! not read.

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::doubts::in_doubt;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Language, Node, Site, Tree, site, whole_words};
use crate::text::{AbsPath, Span, quoted};

/// Where a name can be used.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// In the function around it.
    Function,
    Project,
}

/// Refuses a plan that leaves the name at a place somewhere, comments apart: what is left may mean what went.
pub(super) fn check(session: &Session, (code, place): (&Code, Span), plan: &Plan, reach: Reach) -> Result<(), Refusal> {
    let name = place.of(code.text()).unwrap_or_default();
    match reach {
        Reach::Function => {
            let around = function_of(code.covering(place));
            refuse((code, place), line_of(name, &After::of(code, plan, around)))
        }
        Reach::Project => {
            let is_alike = |path: &AbsPath| Language::of_path(path).is_some_and(|it| it.family() == code.family());
            for path in session.disk().files_mentioning(name).into_iter().filter(is_alike) {
                let other = Code::known(session, &path)?;
                let first = whole_words(other.text(), name).first().copied().unwrap_or(place);
                let here = if path == code.path { place } else { first };
                refuse((&other, here), line_of(name, &After::of(&other, plan, None)))?;
            }
            Ok(())
        }
    }
}

fn refuse((code, place): (&Code, Span), line: Option<String>) -> Result<(), Refusal> {
    let Some(line) = line else { return Ok(()) };
    let name = place.of(code.text()).unwrap_or_default();
    let reason = format!("`{name}` stays in {}, where the server did not put what it stands for", quoted(&line));
    in_doubt(code, place, reason)?;
    Ok(())
}

/// A text behind a plan, and the stretch of it that counts.
struct After {
    text: String,
    tree: Tree,
    within: Span,
}

impl After {
    /// Lays a plan over a file; of a function that begins before all that changes, only that counts.
    fn of(code: &Code, plan: &Plan, function: Option<Node<'_>>) -> Self {
        let file = plan.edits().get(&code.path);
        let text = file.map_or_else(|| code.text().to_owned(), |file| file.after().as_str().to_owned());
        let tree = Tree::parse(code.parsed().tree.language(), &text);
        let within = function.and_then(|function| {
            let start = file.map_or(function.start(), |file| file.edits.map_offset(function.start()));
            tree.nodes().iter().find(|it| it.start() == start && it.kind() == function.kind()).map(Node::span)
        });
        Self { within: within.unwrap_or(Span::new(0, text.len())), text, tree }
    }
}

/// Returns a line of code that says a name.
fn line_of(name: &str, after: &After) -> Option<String> {
    let is_code = |span: &Span| after.within.contains(*span) && site(&after.tree, &after.text, *span) != Site::Comment;
    let place = whole_words(&after.text, name).into_iter().find(is_code)?;
    let start = after.text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    after.text[start..].lines().next().map(|line| line.trim().to_owned())
}
