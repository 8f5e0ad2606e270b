//! Names that join those of a list: of an import statement, a pattern, an object, `__all__`.

use std::collections::BTreeMap;

use super::name_order::NameOrder;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Adds names to the items of a list that no other edit takes out of it, in their order if they have one; to an empty list at
/// its end.
pub(crate) fn with_items(
    code: &Code,
    (mut all, end): (Vec<Node<'_>>, usize),
    names: &[String],
    others: &[TextEdit],
) -> Vec<TextEdit> {
    let is_kept = |it: &Node<'_>| !others.iter().any(|edit| edit.new_text.is_empty() && edit.span.contains(it.span()));
    if all.iter().any(is_kept) {
        all.retain(is_kept);
    }
    let bare = |item: &str| item.strip_prefix("type ").unwrap_or(item).trim_matches(['"', '\'']).to_owned();
    let said: Vec<&str> = all.iter().map(|it| it.text(code.text())).collect();
    let names_of: Vec<String> = said.iter().map(|it| bare(it)).collect();
    let by_name = NameOrder::of(code, &names_of.iter().map(String::as_str).collect::<Vec<_>>());
    // The word `type` may count.
    let order = by_name.or_else(|| NameOrder::of(code, &said));
    let sorted_by = |item: &str| if by_name.is_some() { bare(item) } else { item.to_owned() };
    let mut behind: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let is_said = |name: &str| said.contains(&name) || bare(name) != name && said.contains(&bare(name).as_str());
    for name in names.iter().filter(|name| !is_said(name)) {
        let key = |order: NameOrder, item: &str| order.key(&sorted_by(item));
        let before = |order: NameOrder| said.iter().filter(|it| key(order, it) < key(order, name)).count();
        let at = order.map_or(all.len(), before);
        behind.entry(at).or_default().push(name);
    }
    let is_alone = |it: &Node<'_>| code.text()[code.line_start(it.start())..it.start()].trim().is_empty();
    let edits = behind.into_iter().map(|(at, mut added)| {
        added.sort_by_key(|name| order.unwrap_or(NameOrder::Exact).key(&sorted_by(name)));
        // Where several stand on a line, a new one joins them.
        let is_packed = all.windows(2).any(|pair| code.line_start(pair[0].start()) == code.line_start(pair[1].start()));
        let model = all.get(at).or(all.last()).filter(|it| !is_packed && is_alone(it));
        let gap = model.map_or_else(|| " ".to_owned(), |it| format!("{}{}", code.newline(), code.indent(it.start())));
        match all.get(at) {
            Some(next) => TextEdit::new(
                Span::at(next.start()),
                added.iter().map(|name| format!("{name},{gap}")).collect::<String>(),
            ),
            None if all.is_empty() => TextEdit::new(Span::at(end), format!(" {} ", added.join(", "))),
            None => TextEdit::new(
                Span::at(all.last().map_or(end, |it| it.end())),
                added.iter().map(|name| format!(",{gap}{name}")).collect::<String>(),
            ),
        }
    });
    // What is too long then is broken with all other lines.
    edits.collect()
}
