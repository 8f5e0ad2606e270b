//! Finds the places that refactorings can be asked for, by the language's grammar alone.

use std::path::Path;

use tree_sitter::Node;

use crate::declarations::parse;

/// What stands at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The name of a function of the module.
    Function,
    Method,
    Class,
    /// Where a method gives a field of its object a value.
    Field,
    /// The same, a list, a map or a set.
    Collection,
    /// A field in the body of a class.
    ClassField,
    /// Where a variable of a function is assigned.
    Local,
    If,
    Number,
    /// An operation or a call inside a statement.
    Expression,
    /// Two or three statements of a function, alone on their lines.
    Lines,
    /// The same in a method.
    MethodLines,
    /// A whole file.
    Module,
}

/// One place, and what is known of it.
#[derive(Clone)]
pub struct Spot {
    pub place: Place,
    /// Relative to the root, as targets are written.
    pub target: String,
    /// The name, the number or the expression that stands there.
    pub text: String,
    /// Of a function: its parameters.
    pub parameters: Vec<String>,
    /// The names of the file's classes.
    pub classes: Vec<String>,
    /// Of a class and what stands in it: the names of its methods, of its fields, and of its subclasses in the file.
    pub methods: Vec<String>,
    pub fields: Vec<String>,
    pub heirs: Vec<String>,
    /// Of a function of the module: those that have the same first parameter, itself among them.
    pub kin: Vec<String>,
}

/// Returns the places of a file.
pub fn spots(relative: &Path, text: &str) -> Vec<Spot> {
    let extension = relative.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let Some(tree) = parse(extension, text) else { return Vec::new() };
    let mut nodes = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        nodes.push(node);
        open.extend(children(node));
    }
    let classes: Vec<Class> = nodes.iter().filter(|node| is_class(**node)).filter_map(|it| class(*it, text)).collect();
    let finder = Finder { file: relative.to_string_lossy().into_owned(), text, classes };
    let mut found = vec![finder.spot(Place::Module, finder.file.clone(), String::new())];
    for node in nodes {
        finder.find(node, &mut found);
    }
    let functions: Vec<Spot> = found.iter().filter(|spot| spot.place == Place::Function).cloned().collect();
    for spot in found.iter_mut().filter(|spot| spot.place == Place::Function && !spot.parameters.is_empty()) {
        let is_kin = |other: &&Spot| other.parameters.first() == spot.parameters.first();
        spot.kin = functions.iter().filter(is_kin).map(|other| other.text.clone()).collect();
    }
    found
}

struct Finder<'t> {
    file: String,
    text: &'t str,
    classes: Vec<Class>,
}

/// A class of the file.
struct Class {
    name: String,
    span: std::ops::Range<usize>,
    /// What stands between its name and its body.
    head: String,
    methods: Vec<String>,
    fields: Vec<String>,
}

fn class(node: Node<'_>, text: &str) -> Option<Class> {
    let (name, body) = (node.child_by_field_name("name")?, node.child_by_field_name("body")?);
    let (mut methods, mut fields) = (Vec::new(), Vec::new());
    let mut open = vec![body];
    while let Some(inner) = open.pop() {
        open.extend(children(inner).into_iter().filter(|child| !is_class(*child)));
        if is_function(inner) && method_around(inner) {
            methods.extend(inner.child_by_field_name("name").map(|name| text_of(name, text)));
        }
        if matches!(assigned(inner, text), Some(Place::Field | Place::Collection)) || is_class_field(inner) {
            fields.push(text_of(inner, text));
        }
    }
    fields.sort_unstable();
    fields.dedup();
    methods.retain(|name| !name.starts_with("__") && name != "constructor");
    let head = text[name.end_byte()..body.start_byte()].to_owned();
    Some(Class { name: text_of(name, text), span: node.byte_range(), head, methods, fields })
}

impl Finder<'_> {
    fn find(&self, node: Node<'_>, found: &mut Vec<Spot>) {
        let kind = node.kind();
        if is_function(node) {
            found.extend(self.function(node));
            let place = if method_around(node) { Place::MethodLines } else { Place::Lines };
            found.extend(node.child_by_field_name("body").map(|body| self.lines(body, place)).into_iter().flatten());
        } else if is_class(node) {
            found.extend(self.named(Place::Class, node));
        } else if kind == "if_statement" && function_around(node).is_some() {
            found.push(self.at(Place::If, node));
        } else if matches!(kind, "integer" | "float" | "number") && !matches!(self.of(node).as_str(), "0" | "1" | "2") {
            found.push(self.at(Place::Number, node));
        } else if is_operation(node) && function_around(node).is_some() {
            let is_short = (10..70).contains(&node.byte_range().len()) && !self.of(node).contains('\n');
            found.extend(is_short.then(|| self.at(Place::Expression, node)));
        } else if let Some(place) = assigned(node, self.text) {
            found.push(self.at(place, node));
        } else if is_class_field(node) {
            found.push(self.at(Place::ClassField, node));
        }
    }

    fn function(&self, node: Node<'_>) -> Option<Spot> {
        let place = if method_around(node) { Place::Method } else { Place::Function };
        let is_local = node.parent().and_then(function_around).is_some() && place == Place::Function;
        let parameters = node.child_by_field_name("parameters").map(children).unwrap_or_default();
        let parameters = parameters.into_iter().filter_map(|one| self.parameter(one)).collect();
        (!is_local).then(|| self.named(place, node)).flatten().map(|spot| Spot { parameters, ..spot })
    }

    fn parameter(&self, node: Node<'_>) -> Option<String> {
        let fields = ["name", "pattern"].into_iter().find_map(|field| node.child_by_field_name(field));
        let name = if node.kind() == "identifier" { Some(node) } else { fields.or_else(|| node.child(0)) };
        let name = name.filter(|name| name.kind() == "identifier").map(|name| self.of(name));
        name.filter(|name| !matches!(name.as_str(), "self" | "cls" | "this"))
    }

    fn lines(&self, body: Node<'_>, place: Place) -> Vec<Spot> {
        let statements: Vec<Node<'_>> = children(body).into_iter().filter(|child| child.is_named()).collect();
        let rows =
            |from: usize, to: usize| (statements[from].start_position().row + 1, statements[to].end_position().row + 1);
        let sizes = (0..statements.len()).flat_map(|from| [(from, from + 1), (from, from + 2)]);
        let within = sizes.filter(|(_, to)| *to < statements.len()).map(|(from, to)| rows(from, to));
        within.map(|(first, last)| self.spot(place, format!("{}#L{first}-L{last}", self.file), String::new())).collect()
    }

    fn named(&self, place: Place, node: Node<'_>) -> Option<Spot> {
        node.child_by_field_name("name").filter(|name| name.child_count() == 0).map(|name| self.at(place, name))
    }

    fn at(&self, place: Place, node: Node<'_>) -> Spot {
        let before = &self.text[..node.start_byte()];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let spot = self.spot(place, format!("{}:{line}:{column}", self.file), self.of(node));
        let around = self.classes.iter().filter(|class| class.span.contains(&node.start_byte()));
        let Some(own) = around.min_by_key(|class| class.span.len()) else { return spot };
        let names_it =
            |class: &&Class| class.head.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == own.name);
        let heirs = self.classes.iter().filter(names_it).map(|class| class.name.clone()).collect();
        Spot { methods: own.methods.clone(), fields: own.fields.clone(), heirs, ..spot }
    }

    fn spot(&self, place: Place, target: String, text: String) -> Spot {
        let classes = self.classes.iter().map(|class| class.name.clone()).collect();
        let (parameters, methods, fields, heirs, kin) = Default::default();
        Spot { place, target, text, parameters, classes, methods, fields, heirs, kin }
    }

    fn of(&self, node: Node<'_>) -> String {
        text_of(node, self.text)
    }
}

fn text_of(node: Node<'_>, text: &str) -> String {
    text[node.byte_range()].to_owned()
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    (0..node.child_count()).filter_map(|at| node.child(at)).collect()
}

fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "function_definition" | "function_declaration" | "method_definition")
}

fn is_class(node: Node<'_>) -> bool {
    matches!(node.kind(), "class_definition" | "class_declaration" | "abstract_class_declaration")
}

fn is_operation(node: Node<'_>) -> bool {
    let is_one = matches!(
        node.kind(),
        "binary_operator"
            | "boolean_operator"
            | "comparison_operator"
            | "binary_expression"
            | "call"
            | "call_expression"
    );
    is_one && node.parent().is_some_and(|outer| outer.kind() != "expression_statement")
}

fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(Some(node), Node::parent).find(|outer| is_function(*outer))
}

/// Tells whether a function stands in a class, and in no other function.
fn method_around(function: Node<'_>) -> bool {
    let mut outer = std::iter::successors(function.parent(), Node::parent);
    outer.find(|outer| is_function(*outer) || is_class(*outer)).is_some_and(is_class)
}

/// Tells whether a name is what an assignment in a function gives a value: a field of the object, or a variable.
fn assigned(node: Node<'_>, text: &str) -> Option<Place> {
    let parent = node.parent()?;
    function_around(parent)?;
    let is_left = parent.child_by_field_name("left") == Some(node);
    match (parent.kind(), node.kind()) {
        ("assignment", "identifier") if is_left => Some(Place::Local),
        ("variable_declarator", "identifier") if parent.child_by_field_name("name") == Some(node) => Some(Place::Local),
        ("attribute" | "member_expression", "identifier" | "property_identifier") => {
            let object = parent.child_by_field_name("object")?;
            let outer = parent.parent()?;
            let is_own = object != node && matches!(&text[object.byte_range()], "self" | "this");
            let value = outer.child_by_field_name("right").map(|value| value.kind()).unwrap_or_default();
            let is_collection = matches!(value, "list" | "dictionary" | "set" | "array");
            let place = if is_collection { Place::Collection } else { Place::Field };
            (is_own && outer.child_by_field_name("left") == Some(parent)).then_some(place)
        }
        _ => None,
    }
}

/// Tells whether a name is that of a field in the body of a class.
fn is_class_field(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is_in_body = |node: Node<'_>| node.parent().and_then(|body| body.parent()).is_some_and(is_class);
    match (parent.kind(), node.kind()) {
        ("assignment", "identifier") => {
            parent.child_by_field_name("left") == Some(node) && parent.parent().is_some_and(is_in_body)
        }
        ("public_field_definition", "property_identifier") => parent.child_by_field_name("name") == Some(node),
        _ => false,
    }
}
