//! Lists of parameters and of arguments, from which some are taken out.

use super::{Call, Signature, items};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

impl<'c> Signature<'c> {
    /// Takes parameters out of the list; the first one makes room for `new`.
    pub(crate) fn without(&self, gone: &[usize], new: Option<&str>) -> Result<Vec<TextEdit>, Refusal> {
        let mut nodes: Vec<Node<'c>> = gone.iter().map(|at| self.parameters[*at].node).collect();
        if let Some(bare) = self.function.child("parameter").filter(|_| !gone.is_empty()) {
            return Ok(vec![TextEdit::new(bare.span(), format!("({})", new.unwrap_or_default()))]);
        }
        let list = self.function.child("parameters").unwrap_or(self.function);
        let first = nodes.iter().map(|it| it.start()).min().filter(|_| new.is_some());
        let is_left = |it: &Node<'_>| !nodes.contains(it) || Some(it.start()) == first;
        let text = self.code.text();
        // `*` and `/` are nothing without what they are about.
        let is_idle = |mark: &Node<'_>| match mark.kind() {
            "keyword_separator" => {
                let named = |it: &Node<'_>| it.start() > mark.start() && !it.text(text).starts_with("**");
                !items(list).filter(is_left).any(|it| named(&it))
            }
            "positional_separator" => !items(list).filter(is_left).any(|it| it.start() < mark.start()),
            _ => false,
        };
        let idle: Vec<Node<'c>> = items(list).filter(is_idle).collect();
        nodes.extend(idle);
        exchanged(self.code, list, &nodes, new)
    }
}

impl<'c> Call<'c> {
    /// Takes arguments out; the first one makes room for `new`.
    pub(crate) fn without(&self, gone: &[Node<'c>], new: Option<&str>) -> Result<Vec<TextEdit>, Refusal> {
        let list = self.node.child("arguments").unwrap_or(self.node);
        exchanged(self.code, list, gone, new)
    }
}

/// Takes items out of a list in parentheses; `new` comes in the place of the first one.
fn exchanged<'c>(code: &Code, list: Node<'c>, gone: &[Node<'c>], new: Option<&str>) -> Result<Vec<TextEdit>, Refusal> {
    let all: Vec<Node<'c>> = items(list).collect();
    let is_gone = |at: usize| all.get(at).is_some_and(|item| gone.contains(item));
    let first = (0..all.len()).find(|at| is_gone(*at));
    let mut edits = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let start = at;
        while is_gone(at) && !(at > start && new.is_some() && Some(start) == first) {
            at += 1;
        }
        if at == start {
            at += 1;
            continue;
        }
        let span = match (new.filter(|_| Some(start) == first), all.get(at), start) {
            (Some(_), ..) => all[start].span(),
            (None, _, 1..) if new.is_some() || at == all.len() => Span::new(all[start - 1].end(), all[at - 1].end()),
            (None, Some(next), _) => Span::new(all[start].start(), next.start()),
            (None, None, _) => Span::new(list.start() + 1, list.end() - 1),
        };
        edits.push(TextEdit::new(span, new.filter(|_| Some(start) == first).unwrap_or_default()));
    }
    let is_lost =
        |node: &Node<'_>| node.kind().ends_with("comment") && edits.iter().any(|it| it.span.contains(node.span()));
    match list.named_children().find(is_lost) {
        Some(comment) => Err(code.refuse(comment.start(), "the comment would be lost")),
        None => Ok(edits),
    }
}
