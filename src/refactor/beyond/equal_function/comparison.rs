//! Whether two functions do the same: step by step, whatever their variables are called.

use std::collections::BTreeMap;

use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::parts;
use crate::refactor::analysis::equal_code::mean_the_same;
use crate::refactor::analysis::parameters::listed;
use crate::refactor::analysis::signatures::name_of;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, squeezed};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Node, is_async};

/// One of the two.
pub(super) struct Side<'c> {
    pub code: &'c Code,
    pub function: Node<'c>,
    pub names: ScopedNames<'c>,
}

/// Which variables of the two stand for each other.
pub(super) struct Comparison(BTreeMap<usize, usize>);

impl<'c> Side<'c> {
    pub(super) fn body(&self) -> Result<Node<'c>, Refusal> {
        self.function.child("body").ok_or_else(|| self.code.refuse(self.function.start(), "it has no body"))
    }

    /// Tells whether a name is one of the function's own, or of one in it.
    fn is_own(&self, name: Name) -> bool {
        self.names.function_of_meaning(name.meaning).is_some_and(|it| self.function.span().contains(it.span()))
    }

    /// Tells whether a name stands for the function itself.
    fn is_itself(&self, name: Name) -> bool {
        let declared = name_of(self.function).and_then(|it| self.names.at(it));
        declared.is_some_and(|it| it.meaning == name.meaning)
    }

    pub(super) fn is_async(&self) -> bool {
        is_async(self.function)
    }

    /// Returns what a node consists of, what is said to readers and what only separates left aside.
    fn parts(&self, node: Node<'c>) -> Vec<Node<'c>> {
        parts(self.function, node).into_iter().filter(|it| it.kind() != ";").collect()
    }
}

impl Comparison {
    /// # Errors
    /// For the first place where the other function does something else.
    pub(super) fn of<'c>(session: &Session, own: &Side<'c>, other: &Side<'c>) -> Result<Self, Refusal> {
        let differs = |at: Node<'_>| {
            let place = other.code.place(at.start());
            own.code.refuse(own.function.start(), format!("the two do not do the same: they part at {place}"))
        };
        if own.is_async() != other.is_async() {
            return Err(differs(other.function));
        }
        let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
        let mut open = vec![(own.body()?, other.body()?)];
        while let Some((one, two)) = open.pop() {
            let (ones, twos) = (own.parts(one), other.parts(two));
            if one.kind() != two.kind() && !is_quote(one) || ones.len() != twos.len() {
                return Err(differs(two));
            }
            open.extend(ones.iter().copied().zip(twos.iter().copied()).rev());
            if !ones.is_empty() {
                continue;
            }
            let texts = (one.text(own.code.text()), two.text(other.code.text()));
            let is_alike = match (own.names.at(one), other.names.at(two)) {
                (Some(a), Some(b)) if own.is_own(a) && other.is_own(b) => {
                    let is_pair = *there.entry(a.meaning).or_insert(b.meaning) == b.meaning
                        && *back.entry(b.meaning).or_insert(a.meaning) == a.meaning;
                    is_pair && (texts.0 == texts.1 || !is_told(one))
                }
                (Some(a), Some(b)) => {
                    let is_recursion = own.is_itself(a) && other.is_itself(b);
                    let is_one = own.code.path == other.code.path && a.meaning == b.meaning;
                    !own.is_own(a)
                        && !other.is_own(b)
                        && (is_recursion
                            || is_one
                            || mean_the_same(session, (own.code, &own.names, a), (other.code, &other.names, b)))
                }
                (None, None) if is_quote(one) => quoted(texts.0) == quoted(texts.1),
                (None, None) => texts.0 == texts.1,
                _ => false,
            };
            if !is_alike {
                return Err(differs(two));
            }
        }
        Ok(Self(back))
    }

    /// Returns what a variable of the other function is in the own one.
    pub(super) fn own_meaning(&self, other: usize) -> Option<usize> {
        self.0.get(&other).copied()
    }

    /// Tells whether both take the same, under the same names.
    pub(super) fn takes_alike(&self, own: &Side<'_>, other: &Side<'_>) -> bool {
        let said = |side: &Side<'_>| -> Vec<String> {
            let squeezed = |it: Node<'_>| squeezed(it.text(side.code.text()));
            listed(side.function).map(squeezed).collect()
        };
        said(own) == said(other)
    }
}

/// How strings begin and end.
const QUOTES: &[&str] = &["\"", "'", "string_end", "string_start"];

/// `is_any` knows no signs.
fn is_quote(node: Node<'_>) -> bool {
    QUOTES.contains(&node.kind())
}

/// Returns what stands before a quote and says how a string is read: `rb`.
fn quoted(quote: &str) -> &str {
    quote.trim_end_matches(['"', '\''])
}

/// Tells whether what a variable is called is a part of what is done: the key of `{ width }`, what `{width=}` writes.
fn is_told(name: Node<'_>) -> bool {
    let writes = |outer: Node<'_>| outer.is("interpolation") && outer.children().any(|it| it.kind() == "=");
    name.kind().starts_with("shorthand_property_identifier") || name.ancestors().any(writes)
}
