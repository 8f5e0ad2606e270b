//! What the patterns of a `match` statement are matched with.

use crate::syntax::Node;

/// Returns the subject of the statement around a pattern, and how one gets from there to what the pattern is matched with
/// (`["inner"][0].size`); nothing where the text does not say how.
pub fn matched<'t>(pattern: Node<'t>, text: &str) -> Option<(Node<'t>, String)> {
    let (mut inner, mut way) = (pattern, Vec::new());
    while let Some(outer) = inner.parent() {
        match outer.kind() {
            "case_clause" => {
                let statement = outer.ancestors().find(|it| it.is("match_statement"))?;
                let subjects: Vec<Node<'_>> = statement.children_in("subject").collect();
                let is_one = outer.named_children().filter(|it| it.is("case_pattern")).count() == 1;
                let at = position(outer, inner, text)?;
                let (subject, first) = match subjects.as_slice() {
                    [only] if is_one => (*only, None),
                    [only] => (*only, Some(format!("[{at}]"))),
                    several => (*several.get(at)?, None),
                };
                way.extend(first);
                return Some((subject, way.into_iter().rev().collect()));
            }
            "dict_pattern" => {
                let key = outer.children_in("key").take_while(|key| key.end() <= inner.start()).last()?;
                way.push(format!("[{}]", key.text(text)));
            }
            "tuple_pattern" if !outer.children().any(|child| child.kind() == ",") => {}
            "list_pattern" | "tuple_pattern" => way.push(format!("[{}]", position(outer, inner, text)?)),
            "keyword_pattern" => way.push(format!(".{}", outer.named_children().next()?.text(text))),
            "class_pattern" if inner.child_of_kind("keyword_pattern").is_some() => {}
            "case_pattern" | "as_pattern" | "union_pattern" => {}
            _ => return None,
        }
        inner = outer;
    }
    None
}

/// The place of a pattern among others, where none before it takes any number of them.
fn position(around: Node<'_>, pattern: Node<'_>, text: &str) -> Option<usize> {
    let patterns: Vec<Node<'_>> = around.named_children().filter(|it| it.is("case_pattern")).collect();
    let at = patterns.iter().position(|it| *it == pattern)?;
    let is_fixed = patterns[..at].iter().all(|it| !it.text(text).starts_with('*'));
    is_fixed.then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, Tree};

    #[test]
    fn patterns_lead_to_what_they_are_matched_with() {
        let said = [
            ("{'x': 1}", "it"),
            ("{'a': 1} | {'x': 2}", "it"),
            ("{'x': 1} as whole", "it"),
            ("{'a': {'x': 1}}", "it['a']"),
            ("{'a': [_, {'x': 1}]}", "it['a'][1]"),
            ("({'x': 1})", "it"),
            ("({'x': 1}, _)", "it[0]"),
            ("_, {'x': 1}", "it[1]"),
            ("[*_, {'x': 1}]", ""),
            ("Box(inner={'x': 1})", "it.inner"),
            ("Box({'x': 1})", ""),
        ];
        for (pattern, wanted) in said {
            let text = format!("match it:\n    case {pattern}:\n        pass\n");
            let tree = Tree::parse(Language::Python, &text);
            let is_key = |node: &Node<'_>| node.is("string") && node.text(&text) == "'x'";
            let key = tree.nodes().iter().find(is_key).and_then(Node::parent).expect("the pattern has the key");
            let found = matched(key, &text).map(|(subject, way)| format!("{}{way}", subject.text(&text)));
            assert_eq!(found.unwrap_or_default(), wanted, "{pattern}");
        }
    }
}
