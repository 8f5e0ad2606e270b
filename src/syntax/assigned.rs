//! Members that a JavaScript program declares by assigning them: `Shape.prototype.area = …`, `this.size = …`,
//! `exports.shape = …`.

use super::Node;

/// The path under which an assignment, an export or a literal that is mixed in hands a name out.
pub fn assigned(name: Node<'_>, text: &str) -> Option<Vec<String>> {
    let own = name.text(text).to_owned();
    let parent = name.parent()?;
    match parent.kind() {
        "export_specifier" => {
            let outer = parent.child("alias").or_else(|| parent.child("name"))?;
            (outer.span() == name.span()).then(|| vec![own])
        }
        "member_expression" if name.field() == Some("property") => {
            is_target(parent).then_some(())?;
            let owner = owner(parent.child("object")?, text)?;
            Some(owner.into_iter().chain([own]).collect())
        }
        "pair" if name.field() == Some("key") => Some([literal_of(parent.parent()?, text)?, vec![own]].concat()),
        "method_definition" if parent.parent()?.is("object") => {
            Some([literal_of(parent.parent()?, text)?, vec![own]].concat())
        }
        "object" => Some([literal_of(parent, text)?, vec![own]].concat()),
        _ => None,
    }
}

fn is_target(member: Node<'_>) -> bool {
    member.field() == Some("left") && member.parent().is_some_and(|outer| outer.is("assignment_expression"))
}

/// Whose member is set: the module's (empty), a class's or a function's.
fn owner(object: Node<'_>, text: &str) -> Option<Vec<String>> {
    match object.text(text) {
        "exports" | "module.exports" => Some(Vec::new()),
        "this" => around(object, text).map(|class| vec![class]),
        written => {
            let class = written.strip_suffix(".prototype").unwrap_or(written);
            let is_name = class.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '$');
            is_name.then(|| vec![class.to_owned()])
        }
    }
}

/// The class, or the function used as one, whose object `this` is.
fn around(this: Node<'_>, text: &str) -> Option<String> {
    let outer = this.ancestors().find(|node| {
        node.is_any(&["class_declaration", "class", "function_declaration", "function_expression", "function"])
            || node.is("method_definition") && node.parent().is_some_and(|owner| owner.is("object"))
    })?;
    if outer.is("method_definition") {
        return None;
    }
    if let Some(name) = outer.child("name") {
        return Some(name.text(text).to_owned());
    }
    let left = outer.parent()?.child("left")?.child("object")?.text(text);
    left.strip_suffix(".prototype").map(str::to_owned)
}

/// Whose members an object literal holds: `module.exports = {}`, `X.prototype = {}`, `Object.assign(X.prototype, {})`.
fn literal_of(literal: Node<'_>, text: &str) -> Option<Vec<String>> {
    let parent = literal.parent()?;
    if parent.is("assignment_expression") && literal.field() == Some("right") {
        return owner_of_literal(parent.child("left")?, text);
    }
    if parent.is("export_statement") {
        return Some(Vec::new());
    }
    let first = parent.named_children().next().filter(|first| parent.is("arguments") && first.span() != literal.span());
    owner_of_literal(first?, text)
}

fn owner_of_literal(target: Node<'_>, text: &str) -> Option<Vec<String>> {
    let written = target.text(text);
    let is_module = matches!(written, "module.exports" | "exports");
    (is_module || written.ends_with(".prototype")).then(|| owner(target, text)).flatten()
}
