//! What the strings of an expression add up to, as far as it can be read off the text: `"visit_" + "name"`,
//! `f"{PREFIX}name"`, `"%s_%s" % (kind, "name")`.

use std::collections::BTreeMap;

use super::loops::loops_around;
use crate::syntax::Node;
use crate::syntax::site::python::is_target;

/// A text of which some parts are known.
// Invariant: at least one part; between two of them stands what is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded(Vec<String>);

/// The names at the top of a module that are assigned a string, and nothing else.
type Constants<'t> = BTreeMap<&'t str, Node<'t>>;

/// Pieces in order, the unknown ones as nothing.
type Pieces = Vec<Option<String>>;

/// Constants that name each other are followed so far.
const DEEPEST: usize = 8;

impl Folded {
    /// Returns the text where all of it is known.
    pub fn whole(&self) -> Option<&str> {
        self.0.first().filter(|_| self.0.len() == 1).map(String::as_str)
    }

    /// Tells whether the text may be `name`.
    pub fn fits(&self, name: &str) -> bool {
        let [begins, between @ .., ends] = self.0.as_slice() else { return self.whole() == Some(name) };
        let rest = name.strip_prefix(begins.as_str()).and_then(|rest| rest.strip_suffix(ends.as_str()));
        let Some(mut rest) = rest else { return false };
        between.iter().all(|part| {
            let found = rest.find(part.as_str());
            rest = found.map_or("", |at| &rest[at + part.len()..]);
            found.is_some()
        })
    }

    /// Tells whether a part of it is known, and not all.
    pub fn says_a_part(&self) -> bool {
        self.whole().is_none() && self.0.iter().any(|part| !part.trim_matches('_').is_empty())
    }

    fn of(pieces: Pieces) -> Self {
        let mut parts = vec![String::new()];
        for piece in pieces {
            match (piece, parts.last_mut()) {
                (Some(known), Some(last)) => last.push_str(&known),
                _ => parts.push(String::new()),
            }
        }
        Self(parts)
    }
}

/// Reads what an expression adds up to; nothing where it is made of no string that stands there.
pub fn folded(expression: Node<'_>, text: &str) -> Option<Folded> {
    if !expression.walk_until(|_| false).any(|inner| inner.is("string")) {
        return None;
    }
    let module = expression.ancestors().last().unwrap_or(expression);
    let reader = Reader { text, constants: constants(module, text) };
    Some(Folded::of(reader.pieces(expression, DEEPEST)))
}

/// Tells whether an expression may add up to a name: a variable of a loop over strings that stand there is one of these.
pub fn may_add_up_to(expression: Node<'_>, text: &str, name: &str) -> bool {
    let module = expression.ancestors().last().unwrap_or(expression);
    let mut reader = Reader { text, constants: constants(module, text) };
    let fits = |reader: &Reader<'_>| Folded::of(reader.pieces(expression, DEEPEST)).fits(name);
    let inner = expression.walk_until(|_| false).filter(|inner| inner.is("identifier"));
    let Some((variable, values)) = inner.into_iter().find_map(|variable| looped(variable, text)) else {
        return fits(&reader);
    };
    values.into_iter().any(|value| {
        reader.constants.insert(variable, value);
        fits(&reader)
    })
}

/// Returns a variable and what it is one by one, where a loop around it gives it all its values.
fn looped<'t>(variable: Node<'t>, text: &'t str) -> Option<(&'t str, Vec<Node<'t>>)> {
    let name = variable.text(text);
    let function = |outer: &Node<'_>| outer.is_any(&["function_definition", "lambda", "module"]);
    let scope = variable.ancestors().find(function)?;
    let is_own = |around: &Node<'t>| around.child("left").is_some_and(|left| left.text(text) == name);
    let mut around = loops_around(variable).take_while(|around| scope.holds(*around));
    let given = around.find(is_own)?.child("right")?;
    let values: Vec<Node<'t>> = given.named_children().filter(|value| !value.is("comment")).collect();
    let is_listed = given.is_any(&["tuple", "list", "set", "expression_list"]);
    let is_set = |node: &Node<'_>| node.is("identifier") && node.text(text) == name && is_target(*node);
    let is_set_once = scope.descendants().filter(is_set).nth(1).is_none();
    (is_listed && is_set_once && values.iter().all(|value| value.is("string"))).then_some((name, values))
}

/// Tells whether what stands around a text is only a larger part of the same text.
pub fn is_of_one_text(outer: Node<'_>, inner: Node<'_>) -> bool {
    match outer.kind() {
        "string" | "binary_operator" | "parenthesized_expression" | "concatenated_string" => true,
        "attribute" => outer.child("object") == Some(inner),
        "call" => outer.child("function") == Some(inner) && inner.is("attribute"),
        _ => false,
    }
}

fn constants<'t>(module: Node<'t>, text: &'t str) -> Constants<'t> {
    let statements = module.named_children().filter_map(|statement| statement.named_children().next());
    let mut found: BTreeMap<&str, Option<Node<'_>>> = BTreeMap::new();
    for assigned in statements.filter(|one| one.is_any(&["assignment", "augmented_assignment"])) {
        let (Some(left), Some(right)) = (assigned.child("left"), assigned.child("right")) else { continue };
        let is_text = assigned.is("assignment") && right.is_any(&["string", "concatenated_string", "binary_operator"]);
        let value = Some(right).filter(|_| is_text);
        found.entry(left.text(text)).and_modify(|known| *known = None).or_insert(value);
    }
    found.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

struct Reader<'t> {
    text: &'t str,
    constants: Constants<'t>,
}

impl<'t> Reader<'t> {
    fn pieces(&self, node: Node<'t>, depth: usize) -> Pieces {
        let unknown = || vec![None];
        let Some(depth) = depth.checked_sub(1) else { return unknown() };
        match node.kind() {
            "string" => self.of_string(node, depth),
            "concatenated_string" | "parenthesized_expression" => node
                .named_children()
                .filter(|child| !child.is("comment"))
                .flat_map(|child| self.pieces(child, depth))
                .collect(),
            "binary_operator" => self.of_operator(node, depth).unwrap_or_else(unknown),
            "call" => self.of_call(node, depth).unwrap_or_else(unknown),
            "identifier" => match self.constants.get(node.text(self.text)) {
                Some(value) => self.pieces(*value, depth),
                None => unknown(),
            },
            _ => unknown(),
        }
    }

    fn of_string(&self, string: Node<'t>, depth: usize) -> Pieces {
        let start = string.text(self.text);
        let prefix = &start[..start.find(['"', '\'']).unwrap_or(0)];
        if prefix.contains(['b', 'B']) {
            return vec![None];
        }
        let piece = |child: Node<'t>| match child.kind() {
            "string_content" if child.text(self.text).contains('\\') => vec![None],
            "string_content" => vec![Some(child.text(self.text).to_owned())],
            "interpolation" => {
                let is_plain = !child.named_children().any(|one| one.is_any(&["format_specifier", "type_conversion"]));
                let inner = child.named_children().next().filter(|_| is_plain);
                inner.map_or_else(|| vec![None], |inner| self.pieces(inner, depth))
            }
            _ => Vec::new(),
        };
        string.named_children().flat_map(piece).collect()
    }

    fn of_operator(&self, node: Node<'t>, depth: usize) -> Option<Pieces> {
        let (left, right) = (node.child("left")?, node.child("right")?);
        match self.text.get(left.end()..right.start())?.trim() {
            "+" => Some([self.pieces(left, depth), self.pieces(right, depth)].concat()),
            "%" => {
                let values = if right.is("tuple") { right.named_children().collect() } else { vec![right] };
                let format = Folded::of(self.pieces(left, depth));
                self.filled(format.whole()?.split("%s"), &values, depth)
            }
            _ => None,
        }
    }

    fn of_call(&self, call: Node<'t>, depth: usize) -> Option<Pieces> {
        let function = call.child("function").filter(|function| function.is("attribute"))?;
        let values: Vec<Node<'t>> = call.child("arguments")?.named_children().collect();
        let format = Folded::of(self.pieces(function.child("object")?, depth));
        match function.child("attribute")?.text(self.text) {
            "format" => self.filled(format.whole()?.split("{}"), &values, depth),
            "join" => {
                let list = values.first().filter(|list| list.is_any(&["list", "tuple"]))?;
                let between = format.whole()?.to_owned();
                let items: Vec<Pieces> = list.named_children().map(|one| self.pieces(one, depth)).collect();
                Some(items.join(&Some(between)))
            }
            _ => None,
        }
    }

    /// Puts values between the parts of a format; what a field says beside `%s` and `{}` may be anything.
    fn filled<'p>(&self, parts: impl Iterator<Item = &'p str>, values: &[Node<'t>], depth: usize) -> Option<Pieces> {
        let parts: Vec<&str> = parts.collect();
        let is_plain = parts.len() == values.len() + 1 && values.iter().all(|value| !value.is("keyword_argument"));
        let known = |part: &&str| Some((*part).to_owned()).filter(|part| !part.contains(['{', '}', '%']));
        let mut pieces = vec![known(parts.first()?)];
        for (at, part) in parts.iter().enumerate().skip(1) {
            match values.get(at - 1).filter(|_| is_plain) {
                Some(value) => pieces.extend(self.pieces(*value, depth)),
                None => pieces.push(None),
            }
            pieces.push(known(part));
        }
        Some(pieces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, Tree};

    fn read(text: &str) -> Option<Folded> {
        let tree = Tree::parse(Language::Python, text);
        let statement = tree.nodes().root().named_children().last().unwrap();
        folded(statement.named_children().next().unwrap(), text)
    }

    #[test]
    fn what_is_known_adds_up() {
        let known = [
            "'read_' + 'book'",
            "'read_' 'book'",
            "f'read_{\"book\"}'",
            "BEGIN = 'read'\nf'{BEGIN}_book'",
            "BEGIN = 'read' + '_'\nBEGIN + 'book'",
            "'%s_%s' % ('read', 'book')",
            "'{}_book'.format('read')",
            "'_'.join(['read', 'book'])",
        ];
        for text in known {
            assert_eq!(read(text).as_ref().and_then(Folded::whole), Some("read_book"), "{text}");
        }
        let unknown =
            ["'read' + kind", "f'{kind}_book'", "B = 'a'\nB = 'b'\nf'read_{B}ook'", "'%s_%s' % (kind, 'book')"];
        for text in unknown {
            let folded = read(text).unwrap();
            assert!(folded.whole().is_none() && folded.fits("read_book") && !folded.fits("write_books"), "{text}");
        }
        assert!(read("kind + other").is_none());
    }

    #[test]
    fn a_loop_over_strings_gives_its_variable_their_values() {
        let read = |text: &str| {
            let tree = Tree::parse(Language::Python, text);
            let strings = tree.nodes().iter().filter(|node| node.is("string") && node.text(text).starts_with('f'));
            strings.map(|node| may_add_up_to(node, text, "get_book")).collect::<Vec<_>>()
        };
        for (text, may_be) in [
            ("for kind in 'book', 'page':\n    f'get_{kind}'", true),
            ("for kind in 'text', 'page':\n    f'get_{kind}'", false),
            ("[f'get_{kind}' for kind in ['text', 'page']]", false),
            ("for kind in ('text', other):\n    f'get_{kind}'", true),
            ("for kind in kinds:\n    f'get_{kind}'", true),
            ("for kind in ('text', 'page'):\n    kind = kind + 's'\n    f'get_{kind}'", true),
            ("for kind in ('text', 'page'):\n    lambda: f'get_{kind}'", true),
        ] {
            assert_eq!(read(text), [may_be], "{text}");
        }
    }
}
