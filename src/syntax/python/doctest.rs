//! The examples in docstrings (Python's `doctest`), as code that everybody who reads Python understands.

use super::docstring::inside;
use crate::syntax::{Language, Node, Tree};
use crate::text::{Patchwork, Span};

const PROMPT: &str = ">>>";
const MORE: &str = "...";
const INDENT: &str = "    ";

/// A text with the examples of its docstrings behind it: each docstring is a function, for its names are its own and it
/// sees those of the module.
#[derive(Debug, Clone)]
pub struct Unfolded {
    pub made: Patchwork,
    /// Where the examples begin in the made text.
    pub from: usize,
    /// What examples are to print and reads like code, in the made text: the representation of a value.
    pub outputs: Vec<Span>,
}

impl Unfolded {
    /// Unfolds a text; nothing where it has no examples.
    pub fn of(tree: &Tree, text: &str) -> Option<Self> {
        if !text.contains(PROMPT) {
            return None;
        }
        let mut made = Patchwork::default();
        made.copy(text, Span::new(0, text.len()));
        let unfolded = Self::behind(made, tree, text);
        (unfolded.made.text().len() > unfolded.from).then_some(unfolded)
    }

    /// Puts the examples of a text behind one that was made from it.
    pub fn behind(made: Patchwork, tree: &Tree, text: &str) -> Self {
        let mut unfolded = Self { from: made.text().len(), made, outputs: Vec::new() };
        if !text.contains(PROMPT) {
            return unfolded;
        }
        let statements = tree.nodes().iter().filter(|node| node.is("expression_statement"));
        let strings = statements.filter_map(|statement| statement.named_children().next()).filter_map(inside);
        let mut number = 0;
        for docstring in strings {
            let examples = examples(text, docstring);
            if !examples.is_empty() {
                number += 1;
                unfolded.made.write(&format!("\n\n\ndef _lspwright_example_{number}():\n"));
                for example in examples {
                    unfolded.add(text, &example);
                }
            }
        }
        unfolded
    }

    fn add(&mut self, text: &str, example: &Example) {
        self.add_lines(text, &example.source);
        if is_representation(text, &example.output) {
            let start = self.made.text().len();
            self.add_lines(text, &example.output);
            self.outputs.push(Span::new(start, self.made.text().len()));
        }
    }

    fn add_lines(&mut self, text: &str, lines: &[Span]) {
        for line in lines {
            self.made.write(INDENT);
            self.made.copy(text, *line);
            self.made.write("\n");
        }
    }

    /// Tells whether a place in the made text lies in what an example is to print.
    pub fn is_output(&self, span: Span) -> bool {
        self.outputs.iter().any(|output| output.contains(span))
    }
}

/// Puts the examples of a document that is no code itself into one program: they share their names.
pub fn examples_of(document: &str) -> Patchwork {
    let mut made = Patchwork::default();
    let all = examples(document, Span::new(0, document.len()));
    for line in all.iter().flat_map(|example| &example.source) {
        made.copy(document, *line);
        made.write("\n");
    }
    made
}

/// One example: the lines behind its prompts, and those that it is to print.
struct Example {
    source: Vec<Span>,
    output: Vec<Span>,
}

fn examples(text: &str, docstring: Span) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut start = docstring.start;
    // The indentation of the prompt, as long as lines belong to its example, and whether its source goes on.
    let mut open: Option<(usize, bool)> = None;
    for whole in docstring.of(text).unwrap_or_default().split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let rest = |skipped: usize| Span::new(start + skipped.min(line.len()), start + line.len());
        let begins = |mark: &str| prompted(&line[indent..], mark);
        if begins(PROMPT) {
            found.push(Example { source: vec![rest(indent + PROMPT.len() + 1)], output: Vec::new() });
            open = Some((indent, true));
        } else if let (Some((prompt, in_source)), Some(example)) = (open, found.last_mut()) {
            match () {
                () if line.trim().is_empty() => open = None,
                () if in_source && indent == prompt && begins(MORE) => {
                    example.source.push(rest(indent + MORE.len() + 1));
                }
                () => {
                    example.output.push(rest(prompt.min(indent)));
                    open = Some((prompt, false));
                }
            }
        }
        start += whole.len();
    }
    found
}

fn prompted(line: &str, mark: &str) -> bool {
    line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Tells whether what is printed is one expression with a call in it, as representations of objects are.
fn is_representation(text: &str, lines: &[Span]) -> bool {
    let written: Vec<&str> = lines.iter().filter_map(|line| line.of(text)).collect();
    let written = written.join("\n");
    if !written.contains('(') {
        return false;
    }
    let tree = Tree::parse(Language::Python, &written);
    let root = tree.nodes().root();
    let only = |node: Node<'_>| {
        let mut children = node.named_children();
        children.next().filter(|_| children.next().is_none()).is_some_and(|child| child.is("expression_statement"))
    };
    tree.error_count() == 0 && only(root)
}

#[cfg(test)]
mod tests {
    use super::Unfolded;
    use crate::syntax::{Language, Tree};
    use crate::text::Span;

    #[test]
    fn examples_become_functions() {
        let text = "def f(x):\n    \"\"\"Says.\n\n    >>> for i in f(1):\n    ...     print(i)\n    Point(x=1)\n    >>> f(2)\n    some words\n\n    no example\n    \"\"\"\n";
        let unfolded = Unfolded::of(&Tree::parse(Language::Python, text), text).unwrap();
        let behind = &unfolded.made.text()[unfolded.from..];
        let wanted =
            "\n\n\ndef _lspwright_example_1():\n    for i in f(1):\n        print(i)\n    Point(x=1)\n    f(2)\n";
        assert_eq!(behind, wanted);
        let at = unfolded.made.text().rfind("f(2)").unwrap();
        let origin = unfolded.made.origin(Span::new(at, at + 4)).unwrap();
        assert_eq!(origin.start, text.find("f(2)").unwrap());
        let printed = unfolded.made.text().find("Point(x=1)\n    f(2)").unwrap();
        assert!(unfolded.is_output(Span::new(printed, printed + 5)) && !unfolded.is_output(Span::new(at, at + 4)));
    }

    #[test]
    fn without_examples_nothing() {
        let text = "x = '>>> f()'\n";
        assert!(Unfolded::of(&Tree::parse(Language::Python, text), text).is_none());
    }
}
