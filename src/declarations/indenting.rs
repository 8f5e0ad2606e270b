//! A source that comes to stand further in or out than it was given.

use crate::syntax::{Family, Language, Tree};

/// Ends every line as most do.
pub(super) fn unbroken(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Returns the smallest indentation that a text adds to its first line.
pub(super) fn unit(text: &str) -> Option<String> {
    let indent = |line: &str| line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('*'));
    let mut indents: Vec<String> = lines.map(indent).filter(|indent| !indent.is_empty()).collect();
    indents.sort_by_key(String::len);
    let smallest = indents.first()?;
    if smallest.starts_with('\t') {
        return Some("\t".to_owned());
    }
    // A declaration that is indented itself tells by the difference.
    let larger = indents.iter().find(|it| it.len() > smallest.len());
    let step = larger.map_or(smallest.len(), |it| (it.len() - smallest.len()).min(smallest.len()));
    Some(" ".repeat(step.clamp(1, 8)))
}

/// How a file indents, and whether a source that does otherwise is to follow.
#[derive(Clone, Copy)]
pub(super) struct Steps<'s> {
    /// Nothing where the file does not show it.
    pub(super) file: Option<&'s str>,
    pub(super) follow: Follow,
}

/// When the steps of a source become those of its file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    Always,
    /// Where one has tabs and the other blanks.
    Kinds,
}

/// Indents a source as its place is. What stands in strings over several lines stays.
pub(super) fn reindented(source: &str, indent: &str, (steps, language): (Steps<'_>, Language)) -> String {
    let source = unbroken(source);
    let source = source.trim_end();
    let first = source.len() - source.trim_start_matches(['\n', ' ', '\t']).len();
    let begin = source[..first].rfind('\n').map_or(0, |at| at + 1);
    let (source, own) = (&source[begin..], source[begin..first].to_owned());
    let content = content_lines(source, &own, language);
    let lines: Vec<&str> = source.split('\n').collect();
    let counted: Vec<&str> = (1..lines.len())
        .filter(|at| !content.contains(at) && !lines[*at].trim().is_empty())
        .map(|at| lines[at])
        .collect();
    let is_in_place = own.is_empty() && is_in_place(&counted, indent, steps.file.map_or(1, str::len));
    let step = own_step(&counted, &own, steps);
    let mut written: Vec<String> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let stays = at > 0 && (content.contains(&at) || is_in_place || line.trim().is_empty());
        written.push(match line.strip_prefix(own.as_str()) {
            Some(rest) if !stays => format!("{indent}{}", restepped(rest, step, steps.file)),
            _ => (*line).to_owned(),
        });
    }
    written.join("\n")
}

fn lead(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Tells whether only the first line was cut out of its place, and the others stand as they stood there.
fn is_in_place(counted: &[&str], indent: &str, step: usize) -> bool {
    if indent.is_empty() || !counted.iter().all(|line| line.starts_with(indent)) {
        return false;
    }
    let closes = |line: &&str| lead(line) == indent.len() && line.trim().starts_with(['}', ')', ']']);
    let least = counted.iter().map(|line| lead(line)).min();
    counted.last().is_some_and(closes) || least.is_some_and(|least| least >= indent.len() + step)
}

/// Returns the step of a source, in bytes, where it is to become that of the file.
fn own_step(counted: &[&str], own: &str, steps: Steps<'_>) -> Option<usize> {
    let file = steps.file?;
    // The stars of a comment stand a blank further in.
    let code = counted.iter().filter(|line| !line.trim_start().starts_with('*'));
    let leads: Vec<&str> = code.filter_map(|line| line.strip_prefix(own)).map(|rest| &rest[..lead(rest)]).collect();
    let step = leads.iter().map(|lead| lead.len()).filter(|lead| *lead > 0).min()?;
    let has_tabs = leads.iter().any(|lead| lead.contains('\t'));
    if has_tabs != file.contains('\t') {
        return Some(step);
    }
    let is_even = leads.iter().all(|lead| lead.len().is_multiple_of(step));
    (steps.follow == Follow::Always && !has_tabs && is_even && step != file.len()).then_some(step)
}

/// Writes the indentation of a line in the steps of its file; `own` is that of the source, nothing where it stays.
fn restepped(line: &str, own: Option<usize>, file: Option<&str>) -> String {
    let (Some(own), Some(file)) = (own, file) else { return line.to_owned() };
    let white = &line[..lead(line)];
    let tabs = white.matches('\t').count();
    let (levels, rest) = if tabs > 0 { (tabs, white.len() - tabs) } else { (white.len() / own, white.len() % own) };
    format!("{}{}{}", file.repeat(levels), " ".repeat(rest), &line[white.len()..])
}

/// Returns the lines that begin in a string.
fn content_lines(source: &str, own: &str, language: Language) -> Vec<usize> {
    let (open, close) = match language.family() {
        Family::Python if !own.is_empty() => ("if 1:\n", ""),
        Family::Python => ("\n", ""),
        Family::Script | Family::Java => ("class X {\n", "\n}\n"),
        _ => ("\n", ""),
    };
    let mut found = Vec::new();
    for open in [open, "\n"] {
        let text = format!("{open}{source}{}", if open == "\n" { "" } else { close });
        let tree = Tree::parse(language, &text);
        if open != "\n" && tree.error_count() > 0 {
            continue;
        }
        let strings = tree.nodes().iter().filter(|node| {
            node.is_any(&[
                "string",
                "template_string",
                "string_literal",
                "raw_string_literal",
                "raw_string",
                "heredoc_body",
                "text_block",
            ])
        });
        for string in strings {
            let first = text[..string.start()].matches('\n').count();
            let last = text[..string.end()].matches('\n').count();
            found.extend((first + 1..=last).map(|line| line - 1));
        }
        break;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Follow, Steps, reindented};
    use crate::syntax::Language;

    #[test]
    fn the_stars_of_a_comment_are_no_step() {
        let steps = Steps { file: Some("    "), follow: Follow::Always };
        let source = "/**\n * Two.\n */\ntwo(): number {\n  return 2;\n}";
        let written = "    /**\n     * Two.\n     */\n    two(): number {\n        return 2;\n    }";
        assert_eq!(reindented(source, "    ", (steps, Language::TypeScript)), written);
        let source = "/**\n * Two.\n */\ntwo(): number {\n    return 2;\n}";
        assert_eq!(reindented(source, "    ", (steps, Language::TypeScript)), written);
    }
}
