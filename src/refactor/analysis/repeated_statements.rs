//! Statements that stand again in their file, whatever their variables are called there.

use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::doubts::tell;
use crate::refactor::request::Request;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_block};
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::{Span, TextEdit};

/// What holds statements beside blocks: in scripts, and in contracts.
const BODIES: &[&str] = &["switch_case", "switch_default", "block_statement", "function_body"];
/// What is one word, although it has parts.
const ATOMS: &[&str] = &["string_content", "string_fragment", "regex_pattern"];

/// Statements of a function that are to become one of their own.
pub(crate) struct Extraction {
    /// The function, with the imports that it needs.
    pub definition: Vec<TextEdit>,
    /// What is left of the statements.
    pub call: TextEdit,
}

impl Extraction {
    fn into_edits(self) -> Vec<TextEdit> {
        let Self { mut definition, call } = self;
        definition.push(call);
        definition
    }

    /// Tells the edit that lies where the statements stand from the others; nothing where there is no such one.
    pub(crate) fn of(statements: Span, edits: Vec<TextEdit>) -> Option<Self> {
        let (mut calls, definition): (Vec<TextEdit>, Vec<TextEdit>) =
            edits.into_iter().partition(|it| !it.span.is_empty() && statements.contains(it.span));
        calls.pop().filter(|_| calls.is_empty()).map(|call| Self { definition, call })
    }
}

/// Statements that are the same as others, but for the names of variables.
pub(crate) struct Repeated<'c> {
    pub statements: Vec<Node<'c>>,
    /// Each name of the others that is another one here, and that.
    renamed: Vec<(&'c str, &'c str)>,
}

impl<'c> Repeated<'c> {
    pub(crate) fn span(&self) -> Span {
        extent(&self.statements)
    }
}

/// Finds where statements stand again that are to become a function, if they are to be called there, too; tells of that where
/// nobody asked for it.
pub(crate) fn wanted<'c>(
    code: &'c Code,
    names: &ScopedNames<'c>,
    (request, statements): (&Request, &[Node<'c>]),
) -> Vec<Repeated<'c>> {
    let found = repeated(code, names, statements);
    if request.params.flag("replace_all") {
        return found;
    }
    let lines = Vec::from_iter(found.iter().map(|it| code.line(it.span().start).to_string()));
    if !lines.is_empty() {
        let message = format!("the same statements begin at {}: `replace_all` makes them calls, too", lines.join(", "));
        told(code, extent(statements), &message);
    }
    Vec::new()
}

/// Finds the statements of a file that are the same as others, which they share nothing with; one after the other.
fn repeated<'c>(code: &'c Code, names: &ScopedNames<'c>, statements: &[Node<'c>]) -> Vec<Repeated<'c>> {
    let wanted = Vec::from_iter(statements.iter().copied().filter(|it| !is_comment(*it)));
    let Some(first) = wanted.first() else { return Vec::new() };
    let mut taken = vec![extent(statements)];
    let mut found = Vec::new();
    for block in code.root().descendants().filter(|it| is_block(*it) || it.is_any(BODIES)) {
        let all = Vec::from_iter(block.named_children());
        let own = Vec::from_iter(all.iter().copied().filter(|it| !is_comment(*it)));
        for window in own.windows(wanted.len()).filter(|it| it[0].kind() == first.kind()) {
            let span = extent(window);
            if taken.iter().any(|it| it.overlaps(span)) {
                continue;
            }
            let mut pairs = Pairs { code, names, pieces: (extent(&wanted), span), met: Vec::new() };
            if wanted.iter().zip(window).all(|(one, other)| pairs.are_same(*one, *other)) {
                taken.push(span);
                let statements = all.iter().copied().filter(|it| span.contains(it.span())).collect();
                found.push(Repeated { statements, renamed: pairs.renamed() });
            }
        }
    }
    found
}

/// Returns the extraction of some statements, and those of others that become the very function that they become; tells of
/// those that stay.
pub(crate) fn same(
    session: &Session,
    code: &Code,
    model: Extraction,
    others: Vec<(Repeated<'_>, Result<Option<Extraction>, Refusal>)>,
) -> Vec<Extraction> {
    if others.is_empty() {
        return vec![model];
    }
    let theirs = words(session, code, &model.definition, &[]);
    let mut all = vec![model];
    for (one, own) in others {
        let is_same =
            |own: &Extraction| theirs.is_some() && words(session, code, &own.definition, &one.renamed) == theirs;
        let stay = |reason: &str| told(code, one.span(), &format!("the same statements stay here: {reason}"));
        match own {
            Ok(Some(own)) if is_same(&own) => all.push(own),
            Ok(Some(_)) => stay("their function would take or give something else"),
            Ok(None) => stay("they cannot call the new function"),
            Err(reason) => stay(&reason.to_string()),
        }
    }
    all
}

/// Writes the function of one of several extractions, and the calls of all.
pub(crate) fn joined(all: Vec<Extraction>, home: usize) -> Vec<TextEdit> {
    let edits = |(at, one): (usize, Extraction)| if at == home { one.into_edits() } else { vec![one.call] };
    all.into_iter().enumerate().flat_map(edits).collect()
}

fn told(code: &Code, span: Span, message: &str) {
    let range = code.parsed().text.range(span);
    tell(Warning::at(WarningKind::FollowUp, message, code.path.clone(), range));
}

/// Returns the stretch of statements that stand below each other, of which there is one at least.
pub(crate) fn extent(statements: &[Node<'_>]) -> Span {
    Span::new(statements[0].start(), statements[statements.len() - 1].end())
}

fn is_comment(node: Node<'_>) -> bool {
    node.kind().ends_with("comment")
}

/// Reads the words of what edits write, white space and last commas left aside, with other names for some; nothing where it
/// cannot be read.
fn words(session: &Session, code: &Code, edits: &[TextEdit], renamed: &[(&str, &str)]) -> Option<Vec<String>> {
    let text: String = edits.iter().map(|it| format!("{}\n", it.new_text)).collect();
    let read = code.with_text(session, text)?;
    let leaves = read.root().walk_until(is_atom).filter(|it| is_atom(*it) && !it.span().is_empty());
    let said = without_last_commas(leaves.collect()).into_iter().map(|it| it.text(read.text()));
    let of = |word: &str| renamed.iter().find(|(_, own)| *own == word).map_or(word, |(theirs, _)| theirs).to_owned();
    Some(said.map(of).collect())
}

fn is_atom(node: Node<'_>) -> bool {
    node.is_leaf() || node.is_any(ATOMS)
}

/// Leaves out the commas that stand before what closes a list.
fn without_last_commas(nodes: Vec<Node<'_>>) -> Vec<Node<'_>> {
    let closes = |node: &Node<'_>| matches!(node.kind(), ")" | "]" | "}");
    let is_last = |at: usize| nodes[at].kind() == "," && nodes.get(at + 1).is_some_and(closes);
    (0..nodes.len()).filter(|at| !is_last(*at)).map(|at| nodes[at]).collect()
}

/// Two pieces of a file that are compared, and the variables that were met in both.
struct Pairs<'c, 'n> {
    code: &'c Code,
    names: &'n ScopedNames<'c>,
    pieces: (Span, Span),
    met: Vec<(Name, Name)>,
}

impl<'c> Pairs<'c, '_> {
    fn are_same(&mut self, one: Node<'c>, other: Node<'c>) -> bool {
        if one.kind() != other.kind() {
            return false;
        }
        if is_atom(one) || is_atom(other) {
            return self.are_same_words(one, other);
        }
        let parts = |node: Node<'c>| without_last_commas(node.children().filter(|it| !is_comment(*it)).collect());
        let (own, its) = (parts(one), parts(other));
        own.len() == its.len() && own.into_iter().zip(its).all(|(one, other)| self.are_same(one, other))
    }

    fn are_same_words(&mut self, one: Node<'c>, other: Node<'c>) -> bool {
        let is_same_text = one.text(self.code.text()) == other.text(self.code.text());
        match (self.names.at(one), self.names.at(other)) {
            (Some(name), Some(its)) => self.are_same_names(name, its) && (is_same_text || one.is("identifier")),
            (None, None) => is_same_text,
            _ => false,
        }
    }

    fn are_same_names(&mut self, name: Name, its: Name) -> bool {
        if name.is_free || its.is_free {
            let text = |name: Name| name.span.of(self.code.text());
            return name.is_free && its.is_free && text(name) == text(its);
        }
        let known = self.met.iter().find(|(own, other)| own.meaning == name.meaning || other.meaning == its.meaning);
        if let Some((own, other)) = known {
            return own.meaning == name.meaning && other.meaning == its.meaning;
        }
        let is_own = name.meaning == its.meaning
            || self.is_variable(name, self.pieces.0) && self.is_variable(its, self.pieces.1);
        self.met.extend(is_own.then_some((name, its)));
        is_own
    }

    /// Tells whether a name is that of a variable of a function, or of a piece.
    fn is_variable(&self, name: Name, piece: Span) -> bool {
        let mut bound = self.names.of_meaning(name.meaning).filter(|it| it.is_binding);
        self.names.function_of_meaning(name.meaning).is_some() || bound.all(|it| piece.contains(it.span))
    }

    fn renamed(&self) -> Vec<(&'c str, &'c str)> {
        let text = |name: Name| name.span.of(self.code.text()).unwrap_or_default();
        let all = self.met.iter().map(|(own, other)| (text(*own), text(*other)));
        all.filter(|(own, other)| own != other).collect()
    }
}
