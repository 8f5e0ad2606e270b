//! The classes of attributes, as far as a class says them: where it declares them, and where it is constructed.

use super::unit::Unit;
use crate::syntax::Node;

/// Returns the type of an attribute, as it is written.
pub(super) fn type_of(unit: &Unit, class: &str, attribute: &str) -> Option<String> {
    let text = unit.text();
    let class = unit.class(class)?;
    let is_it = |node: Node<'_>, name: &str| node.child(name).is_some_and(|it| it.text(text) == attribute);
    class.descendants().find_map(|node| match node.kind() {
        // `private service: Service`, also among a constructor's parameters
        "public_field_definition" if is_it(node, "name") => stated(node, text),
        "required_parameter" | "optional_parameter"
            if is_it(node, "pattern")
                && ["accessibility_modifier", "readonly"].iter().any(|it| node.child_of_kind(it).is_some()) =>
        {
            stated(node, text)
        }
        // `service: Service` in the class, `self.service = Service()` or `self.service = service` in a method
        "assignment" => {
            let left = node.child("left")?;
            let is_own = left.is("identifier") && left.text(text) == attribute && is_direct(node, class);
            let is_set = left.is("attribute") && is_it(left, "attribute");
            (is_own || is_set).then(|| stated(node, text).or_else(|| handed_over(node, text))).flatten()
        }
        _ => None,
    })
}

/// Returns the annotation of a declaration, or the class that its value is made of.
fn stated(node: Node<'_>, text: &str) -> Option<String> {
    let annotated = node.child("type").map(|it| it.text(text).trim_start_matches([':', ' ']));
    let made = || {
        let value = node.child("value").or_else(|| node.child("right"))?;
        let class = value.child("constructor").or_else(|| value.child("function").filter(|_| value.is("call")))?;
        Some(class.text(text))
    };
    annotated.or_else(made).map(|written| written.split('<').next().unwrap_or(written).trim().to_owned())
}

/// Returns the annotation of the parameter that an attribute is set to.
fn handed_over(assignment: Node<'_>, text: &str) -> Option<String> {
    let value = assignment.child("right").filter(|it| it.is("identifier"))?.text(text);
    let function = assignment.ancestors().find(|outer| outer.is("function_definition"))?;
    let parameters = function.child("parameters")?;
    let parameter = parameters.named_children().find(|one| {
        let name = one.child("name").or_else(|| one.named_children().next());
        one.child("type").is_some() && name.is_some_and(|it| it.text(text) == value)
    });
    stated(parameter?, text)
}

/// Tells whether an assignment stands in the class's own body.
fn is_direct(assignment: Node<'_>, class: Node<'_>) -> bool {
    let function = assignment.ancestors().find(|outer| outer.is_any(&["function_definition", "class_definition"]));
    function.is_some_and(|outer| outer == class)
}
