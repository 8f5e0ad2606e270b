//! What a script hands out by `module.exports`, and what others take of it by `require` and `await import`.

mod keys;

use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::Span;
use keys::is_whole;
pub(crate) use keys::{
    ExportKeys, exported_assignment, exported_member, mistaken_keys, required_source, says_commonjs,
};

/// Tells whether a name stands where a module hands something out, or takes it, and nothing else is done with it.
pub(crate) fn is_passed_on(code: &Code, name: Node<'_>) -> bool {
    code.family() == Family::Script && (handed_out(code, name).is_some() || taken(code, name).is_some())
}

/// Tells whether a name stands where a module hands something out.
pub(crate) fn is_handed_out(code: &Code, name: Node<'_>) -> bool {
    code.family() == Family::Script && handed_out(code, name).is_some()
}

/// Returns the name that a module hands out by what stands at a name.
pub(crate) fn exported_as<'c>(code: &'c Code, name: Node<'_>) -> Option<&'c str> {
    own_or_handed_out(code, name).filter(|_| code.family() == Family::Script).and_then(|span| span.of(code.text()))
}

/// Returns the key by which a module hands out what a name stands for, the name itself where it is that; nothing where the
/// module is nothing else.
pub(crate) fn export_key(code: &Code, name: Node<'_>) -> Option<Span> {
    let is_all = name.parent().is_some_and(|outer| outer.is("assignment_expression") && is_whole(code, outer));
    own_or_handed_out(code, name).filter(|_| !is_all)
}

/// As [`handed_out`]; the name itself, too, where a function comes into being by it: `exports.rate = () => 1`.
fn own_or_handed_out(code: &Code, name: Node<'_>) -> Option<Span> {
    let own = || name.parent().and_then(|member| exported_member(code, member.parent()?));
    handed_out(code, name).or_else(|| own().filter(|own| *own == name.span()))
}

/// Returns the name whose value a module hands out by a key.
pub(crate) fn exported_value(code: &Code, key: Span) -> Option<Node<'_>> {
    let outer = code.covering(key).parent()?;
    let holder = if outer.is("member_expression") { outer.parent()? } else { outer };
    let value = holder.child("value").or_else(|| holder.child("right"))?;
    let name = value.child("property").filter(|_| value.is("member_expression")).unwrap_or(value);
    name.is_any(&["identifier", "property_identifier"]).then_some(name)
}

/// Returns the member of what `require` returns that a variable takes its value and its name from, the variable's name
/// itself where it is that.
pub(crate) fn required_member(code: &Code, variable: Node<'_>) -> Option<Span> {
    let own = taken(code, variable)?;
    if variable.is("shorthand_property_identifier_pattern") {
        return Some(own);
    }
    let declarator = variable.parent().filter(|outer| outer.is("variable_declarator"))?;
    let member = declarator.child("value")?.child("property")?;
    (member.text(code.text()) == variable.text(code.text())).then(|| member.span())
}

/// Returns the variable that a name is, or is a use of, if it is one by itself that holds what `require` returns, or a member
/// of it: a name of the file's own, whatever that is called elsewhere.
pub(crate) fn required_variable(code: &Code, used: Node<'_>) -> Option<Span> {
    let names = ScopedNames::of(code);
    let mut same = names.of_meaning(names.at(used)?.meaning).map(|one| code.covering(one.span));
    let declares = |one: &Node<'_>| {
        let declarator = one.parent().filter(|outer| outer.is("variable_declarator"));
        declarator.is_some_and(|outer| outer.child("name") == Some(*one)) && taken(code, *one).is_some()
    };
    same.find(declares).map(Node::span)
}

/// Returns where the same thing goes on by the name that it is handed out or taken by.
pub(crate) fn next(code: &Code, name: Node<'_>) -> Option<Span> {
    if code.family() != Family::Script {
        return None;
    }
    // One after another, in a ring.
    let following = || {
        let all = given_names(code, name);
        let at = all.iter().position(|one| *one == name.span())?;
        Some(all[(at + 1) % all.len()]).filter(|next| *next != name.span())
    };
    handed_out(code, name).or_else(|| taken(code, name)).or_else(following)
}

/// Returns the names that one statement gives the value of a name, the outermost first and itself among them: of variables and of
/// what the module hands out (`const rate = exports.rate = …`), and a function's or a class's own name, with that of what it is the
/// value of (`{ rate: function tariff() {} }`). Members of objects besides are others (`this.rate = other.rate = 1`).
pub(crate) fn given_names(code: &Code, name: Node<'_>) -> Vec<Span> {
    let Some(own) = holder_of(name) else { return Vec::new() };
    let mut outermost = own;
    while let Some(outer) = outermost.parent().filter(|outer| held(*outer) == Some(outermost)) {
        outermost = outer;
    }
    let all: Vec<Node<'_>> = std::iter::successors(Some(outermost), |one| held(*one)).collect();
    let is_made = |one: Node<'_>| one.is_any(NAMED_VALUES) || held(one).is_some_and(|value| value.is_any(NAMED_VALUES));
    let joined: Vec<Node<'_>> = all.into_iter().filter(|one| is_made(*one) || is_of_file(code, *one)).collect();
    if !joined.contains(&own) {
        return Vec::new();
    }
    joined.into_iter().filter_map(name_of).map(Node::span).collect()
}

/// Returns what gives a value a name: the declaration of a variable, an assignment, a property, a function itself.
fn holder_of(name: Node<'_>) -> Option<Node<'_>> {
    let outer = name.parent()?;
    let holder = if outer.is("member_expression") { outer.parent()? } else { outer };
    Some(holder).filter(|holder| name_of(*holder) == Some(name))
}

fn name_of(holder: Node<'_>) -> Option<Node<'_>> {
    match holder.kind() {
        "variable_declarator" => holder.child("name").filter(|name| name.is("identifier")),
        "pair" => holder.child("key").filter(|key| key.is("property_identifier")),
        "assignment_expression" => {
            let left = holder.child("left")?;
            left.child("property").or(Some(left).filter(|left| left.is("identifier")))
        }
        kind if NAMED_VALUES.contains(&kind) => holder.child("name"),
        _ => None,
    }
}

/// Returns what a holder gives its name to, where that is another one.
fn held(holder: Node<'_>) -> Option<Node<'_>> {
    let value = match holder.kind() {
        "variable_declarator" | "pair" => holder.child("value"),
        "assignment_expression" => holder.child("right"),
        _ => None,
    };
    value.filter(|value| value.is("assignment_expression") || value.is_any(NAMED_VALUES))
}

/// Tells whether a name is a variable's or one that the module hands out.
fn is_of_file(code: &Code, holder: Node<'_>) -> bool {
    match holder.kind() {
        "variable_declarator" => true,
        "assignment_expression" => name_of(holder).is_some_and(|name| {
            name.is("identifier") || exported_member(code, holder).is_some_and(|own| own == name.span())
        }),
        "pair" => holder.parent().is_some_and(|object| is_exported(code, object)),
        _ => false,
    }
}

const NAMED_VALUES: &[&str] = &["class", "function_expression", "generator_function"];

/// The key of `module.exports = { rate }` and `{ rate: tariff }`, the member of `exports.rate = tariff`, the value of
/// `module.exports = rate`.
fn handed_out(code: &Code, name: Node<'_>) -> Option<Span> {
    let outer = name.parent()?;
    match outer.kind() {
        "object" => is_exported(code, outer).then(|| name.span()),
        "pair" => {
            let object = outer.parent().filter(|object| object.is("object"))?;
            outer.child("key").filter(|_| is_exported(code, object)).map(Node::span)
        }
        "assignment_expression" => exported_member(code, outer).or_else(|| is_whole(code, outer).then(|| name.span())),
        "member_expression" if name.field() == Some("property") => {
            let is_own = |own: &Span| *own == name.span();
            let assignment = outer.parent().filter(|it| it.is("assignment_expression"));
            match assignment.and_then(|it| exported_member(code, it).filter(is_own).map(|own| (it, own))) {
                Some((assignment, own)) => Some(own).filter(|_| !declares(assignment)),
                None => member_onward(code, outer),
            }
        }
        _ => None,
    }
}

/// The name that a member of a module is handed out by: `exports.rate = require("./tax").rate`.
fn member_onward(code: &Code, member: Node<'_>) -> Option<Span> {
    match onward(code, member) {
        Onward::Named(name) if is_required(code, member) && !is_bound(member) => Some(name),
        _ => None,
    }
}

fn is_bound(value: Node<'_>) -> bool {
    value.parent().is_some_and(|outer| outer.is("variable_declarator"))
}

/// Where a value goes.
pub(crate) enum Onward {
    /// Nothing is done with it as a whole.
    Nowhere,
    /// To a variable, or to a member of what the module hands out.
    Named(Span),
    /// It is all that the module hands out, and has these names, too.
    Whole(Vec<Span>),
    /// Somewhere else.
    Unnamed,
}

/// Tells where the value of an expression goes.
pub(crate) fn onward(code: &Code, value: Node<'_>) -> Onward {
    let Some(outer) = value.parent() else { return Onward::Nowhere };
    match outer.kind() {
        "parenthesized_expression" | "as_expression" | "satisfies_expression" => onward(code, outer),
        "variable_declarator" => match outer.child("name").filter(|name| name.is("identifier")) {
            Some(name) => Onward::Named(name.span()),
            None => Onward::Nowhere,
        },
        "pair" => match outer.child("key").zip(outer.parent()) {
            Some((key, object)) if is_exported(code, object) => Onward::Named(key.span()),
            _ => Onward::Unnamed,
        },
        "assignment_expression" => assigned(code, outer),
        "member_expression" if passes_on(code, outer) => Onward::Unnamed,
        "expression_statement" | "spread_element" | "member_expression" => Onward::Nowhere,
        _ => Onward::Unnamed,
    }
}

/// Tells whether a member of a function calls it, or makes another one of it.
fn passes_on(code: &Code, member: Node<'_>) -> bool {
    member.child("property").is_some_and(|it| matches!(it.text(code.text()), "apply" | "bind" | "call"))
}

/// Tells where a value goes that is assigned, to several at once perhaps: `exports = module.exports = …`.
fn assigned(code: &Code, assignment: Node<'_>) -> Onward {
    let outer = assignment.parent().filter(|outer| outer.is_any(&["assignment_expression", "variable_declarator"]));
    let rest = outer.map_or(Onward::Nowhere, |_| onward(code, assignment));
    let own = exported_member(code, assignment);
    match (rest, own) {
        (Onward::Unnamed, _) => Onward::Unnamed,
        (Onward::Whole(names), own) => Onward::Whole(names.into_iter().chain(own).collect()),
        (Onward::Named(name), _) if is_whole(code, assignment) => Onward::Whole(vec![name]),
        (Onward::Named(_), _) => Onward::Unnamed,
        (Onward::Nowhere, Some(own)) => Onward::Named(own),
        (Onward::Nowhere, None) if is_whole(code, assignment) => Onward::Whole(Vec::new()),
        (Onward::Nowhere, None) => Onward::Unnamed,
    }
}

/// Tells whether an expression is all that a module hands out.
pub(crate) fn is_whole_export(code: &Code, value: Node<'_>) -> bool {
    let assignments = value.ancestors().take_while(|outer| outer.is("assignment_expression"));
    value.field() == Some("right") && assignments.into_iter().any(|it| is_whole(code, it))
}

/// Tells whether an assignment is where a function comes into being.
fn declares(assignment: Node<'_>) -> bool {
    assignment.child("right").is_some_and(crate::syntax::is_any_function)
}

/// Tells whether an object literal is all that a module hands out, by a name of the file's own perhaps:
/// `const api = { rate }; module.exports = api`.
fn is_exported(code: &Code, object: Node<'_>) -> bool {
    let Some(outer) = object.parent() else { return false };
    match outer.kind() {
        "assignment_expression" => is_whole(code, outer),
        "variable_declarator" => {
            let is_top = outer.parent().and_then(Node::parent).is_some_and(|it| it == code.root());
            is_top && outer.child("name").is_some_and(|name| is_handed_out_whole(code, name.text(code.text())))
        }
        _ => false,
    }
}

/// Tells whether a statement at the top of the file hands out all that a name stands for.
fn is_handed_out_whole(code: &Code, name: &str) -> bool {
    let assignments = code.root().named_children().filter_map(|statement| statement.named_children().next());
    let mut whole = assignments.filter(|it| it.is("assignment_expression") && is_whole(code, *it));
    whole.any(|it| it.child("right").is_some_and(|value| value.text(code.text()) == name))
}

/// The name that a variable gives to what `require` returns, or to a member of it: of the variable, where the name is that or
/// the member's.
pub(crate) fn taken(code: &Code, name: Node<'_>) -> Option<Span> {
    let declarator = name.ancestors().find(|outer| outer.is("variable_declarator"))?;
    let (pattern, value) = (declarator.child("name")?, declarator.child("value")?);
    if !is_required(code, value) {
        return None;
    }
    if value.child("property") == Some(name) {
        return Some(pattern.span()).filter(|_| pattern.is("identifier"));
    }
    let outer = name.parent().filter(|_| pattern.span().contains(name.span()))?;
    match outer.kind() {
        "pair_pattern" => outer.child("value").filter(|it| it.is("identifier")).map(Node::span),
        _ if pattern == name || outer.is("object_pattern") => Some(name.span()),
        _ => None,
    }
}

/// Tells whether a value is what `require` returns, a member of it, or what a variable of the file was given so.
fn is_required(code: &Code, value: Node<'_>) -> bool {
    if !["require", "import"].iter().any(|word| code.text().contains(word)) {
        return false;
    }
    let mut root = value;
    while let Some(object) = root.child("object").filter(|_| root.is("member_expression")) {
        root = object;
    }
    let calls = |one: Node<'_>| {
        let call = if one.is("await_expression") { one.named_children().next().unwrap_or(one) } else { one };
        call.child("function").is_some_and(|function| matches!(function.text(code.text()), "require" | "import"))
    };
    if !root.is("identifier") {
        return calls(root);
    }
    let is_it = |declarator: &Node<'_>| {
        declarator.is("variable_declarator")
            && declarator.child("name").is_some_and(|own| own.text(code.text()) == root.text(code.text()))
    };
    code.root().descendants().filter(is_it).any(|declarator| declarator.child("value").is_some_and(calls))
}
