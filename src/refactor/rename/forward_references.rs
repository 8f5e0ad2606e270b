//! Types that Python programs spell as strings where no annotation stands: `TypeVar("T", bound="Order")`.
//!
//! Seen with basedpyright 1.40: such a string is read as a type when its file is checked. Before, a rename passes over it;
//! after, it is changed like any other use. In annotations it is read with the file.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::StreamExt as _;

use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::{DeclarationKind, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span};

/// So many files are checked at a time.
const AT_ONCE: usize = 4;

/// Has the server check the files that may spell the name in a type outside of annotations, where it may be a type's;
/// returns how many these were.
pub(super) async fn read(
    session: &Session,
    server: &Arc<Server>,
    (name, starts): (&str, &BTreeSet<Place>),
) -> Result<usize, Refusal> {
    let mut spelled: Vec<AbsPath> = Vec::new();
    if may_be_type(session, name, starts)? {
        for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
            let text = session.disk().read(&path)?;
            if spells_quoted(text.as_str(), name)
                && session.parsed(&path)?.is_some_and(|parsed| spells_type(&parsed, name))
            {
                spelled.push(path);
            }
        }
    }
    let count = spelled.len();
    let check = |path: AbsPath| async move { server.diagnostics(&path).await };
    let mut checked = futures::stream::iter(spelled).map(check).buffered(AT_ONCE);
    while let Some(found) = checked.next().await {
        found.map_err(SessionError::from)?;
    }
    Ok(count)
}

pub(super) fn is_python(path: &AbsPath) -> bool {
    matches!(path.extension(), "py" | "pyi")
}

/// Tells whether a class is declared at one of the places, or a variable that is written like one.
fn may_be_type(session: &Session, name: &str, starts: &BTreeSet<Place>) -> Result<bool, Refusal> {
    let is_capital = name.trim_start_matches('_').starts_with(char::is_uppercase);
    for start in starts {
        let Some(parsed) = session.parsed(&start.path)? else { continue };
        let span = Span::new(start.offset, start.offset + name.len());
        let is_type = match site(&parsed.tree, parsed.text.as_str(), span) {
            Site::Declaration(DeclarationKind::Class | DeclarationKind::TypeAlias) => true,
            Site::Declaration(DeclarationKind::Variable | DeclarationKind::Constant) | Site::ImportAlias { .. } => {
                is_capital
            }
            _ => false,
        };
        if is_type {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells by the text alone whether the name stands between quotes with nothing around it that no type has.
fn spells_quoted(text: &str, name: &str) -> bool {
    let is_quote = |character: Option<char>| matches!(character, Some('"' | '\''));
    whole_words(text, name).into_iter().any(|span| {
        let before = text[..span.start].chars().rev().find(|character| !is_of_type(*character));
        let after = text[span.end..].chars().find(|character| !is_of_type(*character));
        is_quote(before) && is_quote(after)
    })
}

/// Tells whether the name stands in a string that reads as a type, given to a call or between brackets.
fn spells_type(parsed: &Parsed, name: &str) -> bool {
    let text = parsed.text.as_str();
    whole_words(text, name).into_iter().any(|span| {
        let within = parsed.tree.nodes().covering(span);
        within.is("string_content")
            && reads_as_type(within.text(text))
            && within.parent().and_then(Node::parent).is_some_and(is_argument)
    })
}

/// Tells whether a string's place is one for a type: an argument, an index, or in a list or pair of these.
fn is_argument(around: Node<'_>) -> bool {
    around.is_any(&["argument_list", "keyword_argument", "subscript", "tuple", "list", "pair", "binary_operator"])
}

fn reads_as_type(content: &str) -> bool {
    content.chars().all(|character| is_of_type(character) || matches!(character, '"' | '\''))
}

fn is_of_type(character: char) -> bool {
    character.is_alphanumeric() || "_.,[]| ".contains(character)
}
