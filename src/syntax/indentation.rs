//! How far a text indents what stands in its blocks.

use std::collections::BTreeMap;

use super::{Node, Tree};

/// What the grammars call blocks, and bodies of what has members.
const BLOCKS: [&str; 10] = [
    "block",
    "class_body",
    "contract_body",
    "declaration_list",
    "enum_body",
    "field_declaration_list",
    "function_body",
    "interface_body",
    "object_type",
    "statement_block",
];

/// Returns what one level is indented by, as most blocks are; nothing where no block shows it. What strings and comments
/// say, and how statements go on in further lines, does not count.
pub fn indent_step(tree: &Tree, text: &str) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for block in tree.nodes().iter().filter(|node| node.is_any(&BLOCKS)) {
        *counts.entry(step_of(block, text).unwrap_or_default()).or_default() += 1;
    }
    counts.remove("");
    // Of steps that are as frequent the smaller one.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(step, _)| step.to_owned())
}

/// How a formatter is told what one level is indented by (LSP 3.17 § textDocument/formatting).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndentWidth {
    /// In characters; of a tab, what it is taken to be.
    pub width: usize,
    pub is_tab: bool,
}

impl IndentWidth {
    /// Four spaces: where no block shows it.
    pub const USUAL: Self = Self { width: 4, is_tab: false };

    /// Reads it off a text, as [`indent_step`] does.
    pub fn of(tree: &Tree, text: &str) -> Option<Self> {
        let step = indent_step(tree, text)?;
        let is_tab = step.starts_with('\t');
        Some(Self { width: if is_tab { Self::USUAL.width } else { step.len() }, is_tab })
    }
}

/// What the first line in a block is indented by, beyond the line in which it begins that the block belongs to.
fn step_of<'t>(block: Node<'_>, text: &'t str) -> Option<&'t str> {
    let first = block.named_children().next()?.start();
    let line = &text[..first][text[..first].rfind('\n')? + 1..];
    let outer = block.parent().map_or(block.start(), Node::start);
    let outer = &text[text[..outer].rfind('\n').map_or(0, |at| at + 1)..];
    let outer = &outer[..outer.len() - outer.trim_start_matches([' ', '\t']).len()];
    line.trim().is_empty().then(|| line.strip_prefix(outer))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    fn step(language: Language, text: &str) -> Option<String> {
        indent_step(&Tree::parse(language, text), text)
    }

    #[test]
    fn blocks_tell_and_not_strings_or_further_lines() {
        let python = "\"\"\"Says:\n\n  a list\n\"\"\"\n\n\ndef f(\n  a,\n):\n    \"\"\"Says.\n\n      more\n    \"\"\"\n    if a:\n        return g(\n          1)\n";
        assert_eq!(step(Language::Python, python).as_deref(), Some("    "));
        assert_eq!(step(Language::Python, "a = 1\n"), None);
        let script = "/*\n x\n */\nfunction f() {\n\treturn g(() => {\n\t\treturn 1;\n\t});\n}\n";
        assert_eq!(step(Language::TypeScript, script).as_deref(), Some("\t"));
    }
}
