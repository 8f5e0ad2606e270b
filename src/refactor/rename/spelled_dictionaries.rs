//! Local dictionaries of Python whose keys can all be read off the text, and that calls take apart:
//! `options = {"width": 2}; options["height"] = 3; draw(**options)`.

use crate::syntax::Node;

/// Methods of a dictionary whose first argument is the only key that they look at or add.
const KEYED: &[&str] = &["get", "pop", "setdefault"];

/// What gives a variable of a function its keys, and who takes it apart.
#[derive(Default)]
struct Spelled<'t> {
    /// The contents of the strings that are keys of the name asked for.
    keys: Vec<Node<'t>>,
    calls: Vec<Node<'t>>,
}

/// What stands where a variable is used.
enum Use<'t> {
    /// Nobody sees a key of the name.
    Other,
    Keys(Vec<Node<'t>>),
    /// The call's arguments take it apart.
    Call(Node<'t>),
}

/// Tells whether the keys of what a call takes apart (`**options`) are all written out: none is of this name, or each is a
/// place of its own.
pub(super) fn is_spelled(splat: Node<'_>, text: &str, name: &str) -> bool {
    let variable = splat.named_children().next().filter(|it| it.is("identifier"));
    let spelled = variable.and_then(|it| Spelled::of(it, text, name));
    spelled.is_some_and(|it| it.keys.is_empty() || it.calls.len() == 1)
}

/// Returns the one call that takes the dictionary apart that a string is a key of.
pub(super) fn taking_call<'t>(content: Node<'t>, text: &str) -> Option<Node<'t>> {
    let outer = content.parent()?.parent()?;
    let variable = match outer.kind() {
        "pair" => outer.parent()?.parent().filter(|it| it.is("assignment"))?.child("left")?,
        _ => outer.child("value")?,
    };
    let spelled = Spelled::of(variable, text, content.text(text))?;
    match spelled.calls.as_slice() {
        [only] if spelled.keys.contains(&content) => Some(*only),
        _ => None,
    }
}

impl<'t> Spelled<'t> {
    /// Reads all uses of a function's variable; nothing where a key may come from elsewhere, or be looked for.
    fn of(variable: Node<'t>, text: &str, name: &str) -> Option<Self> {
        let function = variable.ancestors().find(|it| it.is("function_definition"))?;
        let is_it = |node: &Node<'t>| node.is("identifier") && node.text(text) == variable.text(text);
        let is_keyword = |node: &Node<'t>| {
            let is_argument = node.parent().is_some_and(|it| it.is("keyword_argument"));
            node.field() == Some("attribute") || node.field() == Some("name") && is_argument
        };
        let (mut spelled, mut is_made) = (Self::default(), false);
        for node in function.descendants().filter(is_it).filter(|node| !is_keyword(node)) {
            match made_of(node) {
                Some(value) if !is_made => {
                    spelled.keys.extend(written(value, text, name)?);
                    is_made = true;
                }
                Some(_) => return None,
                None => match used(node, text, name)? {
                    Use::Other => {}
                    Use::Keys(keys) => spelled.keys.extend(keys),
                    Use::Call(call) => spelled.calls.push(call),
                },
            }
        }
        is_made.then_some(spelled)
    }
}

/// Returns what a variable is set to, at the place where an assignment names it.
fn made_of(variable: Node<'_>) -> Option<Node<'_>> {
    let assignment = variable.parent().filter(|it| it.is("assignment") && variable.field() == Some("left"))?;
    assignment.child("right")
}

/// Returns the keys of a name in a dictionary that is written out.
fn written<'t>(value: Node<'t>, text: &str, name: &str) -> Option<Vec<Node<'t>>> {
    match value.kind() {
        "dictionary" => {
            let pairs = value.named_children().filter(|it| !it.is("comment"));
            let keys: Vec<Node<'t>> = pairs.map(|pair| key(pair.child("key")?, text)).collect::<Option<_>>()?;
            Some(keys.into_iter().filter(|it| it.text(text) == name).collect())
        }
        "call" if value.child("function")?.text(text) == "dict" => others(value.child("arguments")?, text, name),
        _ => None,
    }
}

/// Returns no key where arguments are all given by name, and by none that is this one.
fn others<'t>(list: Node<'t>, text: &str, name: &str) -> Option<Vec<Node<'t>>> {
    let is_other = |it: Node<'t>| it.child("name").is_some_and(|own| own.text(text) != name);
    (list.is("argument_list") && list.named_children().all(is_other)).then(Vec::new)
}

/// Returns the content of a string as it is written, of which there is one.
fn key<'t>(string: Node<'t>, text: &str) -> Option<Node<'t>> {
    let mut parts = string.named_children().filter(|_| string.is("string"));
    let content = parts.find(|it| it.is("string_content"))?;
    let is_plain =
        parts.all(|it| !it.is_any(&["interpolation", "string_content"])) && !content.text(text).contains('\\');
    is_plain.then_some(content)
}

/// Reads a use of the variable; nothing where somebody else may get the dictionary itself, or look for a key of the name.
fn used<'t>(variable: Node<'t>, text: &str, name: &str) -> Option<Use<'t>> {
    let outer = variable.parent()?;
    let is_other = |it: Node<'t>| key(it, text).is_some_and(|it| it.text(text) != name);
    match outer.kind() {
        "dictionary_splat" => match outer.parent()? {
            list if list.is("argument_list") => list.parent().map(Use::Call),
            _ => None,
        },
        "subscript" => match key(outer.child("subscript")?, text)? {
            found if found.text(text) != name => Some(Use::Other),
            found => made_of(outer).map(|_| Use::Keys(vec![found])),
        },
        "attribute" => {
            let list = outer.parent().filter(|it| it.is("call"))?.child("arguments")?;
            let first = list.named_children().next()?;
            match outer.child("attribute")?.text(text) {
                "update" => {
                    others(list, text, name).or_else(|| written(first, text, name).filter(Vec::is_empty)).map(Use::Keys)
                }
                method => (KEYED.contains(&method) && is_other(first)).then_some(Use::Other),
            }
        }
        _ => None,
    }
}
