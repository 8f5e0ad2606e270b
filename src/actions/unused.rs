//! What nobody uses, as a tsserver finds it. What is decorated stays: its decorator may hand it to others.

use crate::lsp::{LspError, Quirk, Server};
use crate::plan::Problem;
use crate::syntax::{Family, Language, Tree};
use crate::text::{AbsPath, Span, TextEdit};

pub(super) const DECORATED: &str = "a decorator may hand it to others";

/// What TypeScript 5 and 6 call declarations, imports and parameters that nobody uses.
const UNUSED_IN_SCRIPTS: &[&str] = &["6133", "6138", "6192", "6196", "6198", "6199", "6205"];

/// Returns what a tsserver finds that nobody uses; nothing of other servers.
pub(super) async fn unused(server: &Server, path: &AbsPath) -> Result<Vec<Problem>, LspError> {
    if !server.spec().has(Quirk::TsserverDiagnostics) {
        return Ok(Vec::new());
    }
    let mut found = server.suggestions(path).await?;
    found.retain(|problem| problem.code.as_deref().is_some_and(is_unused));
    Ok(found)
}

/// Tells whether a finding is that nobody uses something.
pub(super) fn is_unused(code: &str) -> bool {
    UNUSED_IN_SCRIPTS.contains(&code.trim_start_matches("TS"))
}

/// Takes out the edits by which something decorated would go, and returns what they would have replaced.
pub(super) fn without_decorated(path: &AbsPath, text: &str, edits: Vec<TextEdit>) -> (Vec<TextEdit>, Vec<Span>) {
    let language = Language::of_path(path).filter(|language| language.family() == Family::Script);
    let Some(language) = language.filter(|_| text.contains('@')) else { return (edits, Vec::new()) };
    let tree = Tree::parse(language, text);
    let all = tree.nodes().root().descendants().filter(|node| node.is("decorator"));
    let decorators: Vec<Span> = all.map(|node| node.span()).collect();
    let stays = |edit: &TextEdit, at: &Span| at.of(text).is_some_and(|it| edit.new_text.contains(it));
    let (gone, edits): (Vec<TextEdit>, Vec<TextEdit>) =
        edits.into_iter().partition(|edit| decorators.iter().any(|at| edit.span.overlaps(*at) && !stays(edit, at)));
    (edits, gone.into_iter().map(|edit| edit.span).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decorated_stays() {
        let text = "class A {\n  @get(1)\n  private a() {}\n  private b() {}\n}\n";
        let path = AbsPath::new("/p/a.ts").unwrap();
        let line = |word: &str, end: &str| {
            let start = text.find(word).unwrap();
            TextEdit::new(Span::new(start, text[start..].find(end).unwrap() + start + end.len()), "")
        };
        let (decorated, bare) = (line("@get", "{}\n"), line("private b", "{}\n"));
        let (left, spared) = without_decorated(&path, text, vec![decorated.clone(), bare.clone()]);
        assert_eq!((left, spared), (vec![bare], vec![decorated.span]));
    }
}
