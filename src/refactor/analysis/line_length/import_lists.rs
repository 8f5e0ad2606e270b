//! How a module of Python writes the imports of names that do not fit on a line, and those that did not.

use super::limit::{Limit, width};
use crate::syntax::{Language, Node, Tree};
use crate::text::Span;

/// Ways to write one, by the names that isort has for them (`multi_line_output`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Each name on a line, the last one with a comma: what is in lines stays so (`Vertical Hanging Indent`).
    Listed,
    /// The same without that comma: what fits on a line comes on one.
    ListedBare,
    /// As many names on a line as fit, the brackets on lines of their own (`Vertical Grid Grouped`).
    Packed,
    /// As many names on a line as fit, behind the bracket and under the first (`Grid`).
    Aligned,
}

const ALL: [Style; 4] = [Style::Listed, Style::ListedBare, Style::Packed, Style::Aligned];

/// A statement that takes names out of a module, with no comment in it.
struct Import<'t> {
    span: Span,
    said: &'t str,
    /// `from shapes import`
    head: &'t str,
    names: Vec<&'t str>,
    indent: &'t str,
}

/// Returns the imports of a text that take names, and have their lines for themselves.
fn imports<'t>(tree: &'t Tree, text: &'t str) -> impl Iterator<Item = Import<'t>> {
    let statements = tree.nodes().iter().filter(|node| node.is("import_from_statement"));
    statements.filter_map(|node| {
        let names: Vec<Node<'t>> = node.children_in("name").collect();
        let said = names.first().map(|first| &text[node.start()..first.start()])?;
        let start = text[..node.start()].rfind('\n').map_or(0, |at| at + 1);
        let indent = &text[start..node.start()];
        let tail = text[node.end()..].lines().next().unwrap_or_default();
        let is_plain = indent.trim().is_empty() && tail.trim().is_empty();
        let has_remark = node.descendants().any(|it| it.is("comment"));
        let head = said.trim_end().trim_end_matches('(').trim_end();
        let names = names.iter().map(|it| it.text(text)).collect();
        (is_plain && !has_remark && !head.contains('\n')).then(|| Import {
            span: node.span(),
            said: node.text(text),
            head,
            names,
            indent,
        })
    })
}

/// Returns a text with the imports that meet one of its stretches written in a style; nothing where all were, or none can be another
/// way. The limit and the style, which take more texts to tell, are asked for as late as they matter.
pub(super) fn rewritten(
    (text, stretches): (&str, &[Span]),
    limit: impl FnOnce() -> Option<Limit>,
    style: impl FnOnce(&Limit) -> Option<Style>,
) -> Option<String> {
    let tree = Tree::parse(Language::Python, text);
    let is_met = |it: &Import<'_>| stretches.iter().any(|one| it.span.contains(*one) || one.contains(it.span));
    let mut met: Vec<Import<'_>> = imports(&tree, text).filter(is_met).collect();
    let limit = if met.is_empty() { None } else { limit() }?;
    met.retain(|it| it.said != it.plain() || !it.fits(&limit));
    let style = if met.is_empty() { None } else { style(&limit) }?;
    let mut after = text.to_owned();
    for import in met.iter().rev() {
        after.replace_range(import.span.start..import.span.end, &style.written(import, &limit));
    }
    (after != text).then_some(after)
}

impl Import<'_> {
    /// Returns it on one line.
    fn plain(&self) -> String {
        format!("{} {}", self.head, self.names.join(", "))
    }

    fn fits(&self, limit: &Limit) -> bool {
        width(self.indent) + width(&self.plain()) <= limit.width
    }
}

impl Style {
    /// Returns the way in which all imports of a text are written that take several lines.
    pub(super) fn of(text: &str, limit: &Limit) -> Option<Self> {
        let tree = Tree::parse(Language::Python, text);
        let all: Vec<Import<'_>> = imports(&tree, text).filter(|it| it.said.contains('\n')).collect();
        let writes = |style: &Self| all.iter().all(|it| style.written(it, limit) == it.said);
        ALL.into_iter().find(writes).filter(|_| !all.is_empty())
    }

    fn written(self, import: &Import<'_>, limit: &Limit) -> String {
        let Import { head, names, indent, .. } = import;
        let (step, end) = (&limit.step, limit.newline);
        let inner = format!("{indent}{step}");
        let is_kept = self == Self::Listed && import.said.contains('\n');
        if !is_kept && import.fits(limit) {
            return import.plain();
        }
        match self {
            Self::Listed => format!("{head} ({end}{inner}{},{end}{indent})", names.join(&format!(",{end}{inner}"))),
            Self::ListedBare => format!("{head} ({end}{inner}{}{end}{indent})", names.join(&format!(",{end}{inner}"))),
            Self::Packed => {
                let lines = packed(names, (&inner, &inner), "", limit);
                format!("{head} ({end}{lines}{end}{indent})")
            }
            Self::Aligned => {
                let first = format!("{indent}{head} (");
                let lines = packed(names, (&first, &" ".repeat(width(&first))), ")", limit);
                lines[indent.len()..].to_owned() + ")"
            }
        }
    }
}

/// Writes as many names on each line as fit, the last one with room for what closes the list.
fn packed(names: &[&str], (first, inner): (&str, &str), close: &str, limit: &Limit) -> String {
    let mut text = first.to_owned();
    let mut taken = width(first);
    for (at, name) in names.iter().enumerate() {
        let is_last = at + 1 == names.len();
        let mark = if is_last { close } else { "," };
        let wanted = width(name) + width(mark);
        if at > 0 {
            if taken + 1 + wanted <= limit.width {
                text.push(' ');
                taken += 1;
            } else {
                text += &format!("{}{inner}", limit.newline);
                taken = width(inner);
            }
        }
        text += name;
        text += if is_last { "" } else { "," };
        taken += wanted;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::limit::{Commas, Limit};
    use super::Style;
    use crate::text::Span;

    const LISTED: &str = "from shapes import (\n    area,\n    circumference,\n    perimeter,\n)\n";
    const PACKED: &str = "from shapes import (\n    area, circumference, perimeter,\n    square\n)\n";
    const ALIGNED: &str = "from shapes import (area, circumference,\n                    perimeter, square)\n";

    fn limit() -> Limit {
        Limit { width: 40, step: "    ".to_owned(), commas: Commas::All, newline: "\n", is_said: true }
    }

    fn applied(model: &str, text: &str) -> Option<String> {
        super::rewritten((text, &[Span::new(0, text.len())]), || Some(limit()), |limit| Style::of(model, limit))
    }

    #[test]
    fn a_file_shows_how_it_writes_long_imports() {
        assert_eq!(Style::of(LISTED, &limit()), Some(Style::Listed));
        assert_eq!(Style::of(PACKED, &limit()), Some(Style::Packed));
        assert_eq!(Style::of(ALIGNED, &limit()), Some(Style::Aligned));
        assert_eq!(Style::of(&format!("{PACKED}{ALIGNED}"), &limit()), None, "of several ways none is the file's");
        assert_eq!(Style::of("from shapes import area\n", &limit()), None);
    }

    #[test]
    fn what_fits_comes_on_one_line_unless_a_comma_keeps_it_apart() {
        let packed = "from shapes import (\n    area,\n    square\n)\n";
        assert_eq!(applied(PACKED, packed).as_deref(), Some("from shapes import area, square\n"));
        assert_eq!(applied(LISTED, "from shapes import (\n    area,\n)\n"), None);
    }

    #[test]
    fn what_does_not_fit_is_written_as_the_others_are() {
        let long = "from shapes import area, circumference, perimeter, square\n";
        assert_eq!(applied(PACKED, long).as_deref(), Some(PACKED));
        assert_eq!(applied(ALIGNED, long).as_deref(), Some(ALIGNED));
        let kept = "from shapes import (\n    area,  # of squares\n    square\n)\n";
        assert_eq!(applied(PACKED, kept), None, "what has a remark stays");
    }
}
