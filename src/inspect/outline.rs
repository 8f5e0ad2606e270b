//! What a text consists of: its classes and its functions, each with a target that leads to it.

use std::collections::{BTreeSet, HashMap};

use super::params::{Parameter, parameters};
use crate::syntax::kinds::{Role, is_function};
use crate::syntax::{Declaration, DeclarationKind, Family, Language, Naming, Node, Tree, declarations};

/// The classes and functions of one text, in order.
#[derive(Debug)]
pub struct Outline<'t> {
    pub classes: Vec<Class<'t>>,
    pub functions: Vec<Function<'t>>,
    pub declarations: Vec<Declaration>,
    pub lines: u32,
}

/// A class, interface, enum, trait, struct or contract; also a Rust `impl` of a type declared elsewhere.
#[derive(Debug)]
pub struct Class<'t> {
    pub node: Node<'t>,
    /// The names of what it stands in, outermost first, and its own.
    pub path: Vec<String>,
    /// What follows the file's path in a target.
    pub target: String,
    pub line: u32,
    pub lines: u32,
    pub methods: u32,
    pub fields: u32,
}

/// A function or a method; a script's functions without a name are among them.
#[derive(Debug)]
pub struct Function<'t> {
    pub node: Node<'t>,
    /// Empty where no name leads to it.
    pub path: Vec<String>,
    /// What follows the file's path in a target.
    pub target: String,
    /// The path of the class that it is a method of.
    pub class: Option<Vec<String>>,
    /// Stands in no other function.
    pub is_outer: bool,
    pub line: u32,
    pub lines: u32,
    pub parameters: Vec<Parameter<'t>>,
}

impl<'t> Function<'t> {
    pub fn name(&self) -> &str {
        self.path.last().map(String::as_str).unwrap_or_default()
    }

    /// Returns the part that is carried out; nothing where the function is only declared.
    pub fn body(&self) -> Option<Node<'t>> {
        self.node.child("body")
    }
}

/// What is looked up while an outline is made.
struct Reading<'t, 'd> {
    naming: Naming<'d>,
    /// By where their names begin.
    declared: HashMap<usize, &'d Declaration>,
    family: Family,
    text: &'t str,
}

/// Reads the classes and functions of a text.
pub fn outline<'t>(tree: &'t Tree, text: &'t str) -> Outline<'t> {
    let all = declarations(tree, text);
    let family = tree.language().family();
    let reading = Reading {
        naming: Naming::new(&all, text, tree.language()),
        declared: all.iter().map(|declaration| (declaration.name_span.start, declaration)).collect(),
        family,
        text,
    };
    let mut classes: Vec<Class<'t>> = Vec::new();
    let mut functions: Vec<Function<'t>> = Vec::new();
    for node in tree.nodes().iter().filter(|node| node.is_named() && !node.is_leaf()) {
        if node.has(Role::Class) {
            classes.extend(reading.class(node));
        } else if is_function(node, family) {
            functions.push(reading.function(node));
        }
    }
    drop_overloads(&mut functions);
    fill(&mut classes, &functions, &all, tree.language());
    let lines = reading.naming.places().count();
    Outline { classes, functions, declarations: all, lines }
}

impl<'t> Reading<'t, '_> {
    fn class(&self, node: Node<'t>) -> Option<Class<'t>> {
        let places = self.naming.places();
        let name = if node.is("impl_item") { None } else { Some(class_name(node)?) };
        let declaration = name.and_then(|name| self.declared.get(&name.start()));
        let path = match declaration {
            Some(declaration) => declaration.path.clone(),
            None => {
                let modules =
                    node.ancestors().filter(|outer| outer.is("mod_item")).filter_map(|outer| outer.child("name"));
                let mut path: Vec<String> = modules.map(|name| name.text(self.text).to_owned()).collect();
                path.reverse();
                path.push(implemented(node, self.text)?);
                path
            }
        };
        let target = match declaration {
            Some(declaration) => self.naming.target(declaration),
            None => places.target(node.child("type").map_or(node.start(), Node::start)),
        };
        let (first, last) = places.lines(node.span());
        Some(Class { node, path, target, line: first, lines: last - first + 1, methods: 0, fields: 0 })
    }

    fn function(&self, node: Node<'t>) -> Function<'t> {
        let places = self.naming.places();
        let declaration = function_name(node).and_then(|name| self.declared.get(&name.start()));
        let path = match declaration {
            Some(declaration) => declaration.path.clone(),
            None => self.special(node).unwrap_or_default(),
        };
        let target = match declaration {
            Some(declaration) => self.naming.target(declaration),
            None => places.target(node.start()),
        };
        let outer = node.ancestors().find(|outer| outer.has(Role::Class) || is_function(*outer, self.family));
        let is_method = outer.is_some_and(|outer| outer.has(Role::Class)) || node.child("receiver").is_some();
        let class = path.split_last().filter(|_| is_method);
        let class = class.map(|(_, class)| class.to_vec()).filter(|class| !class.is_empty());
        let is_outer = !node.ancestors().any(|outer| is_function(outer, self.family));
        let (first, last) = places.lines(node.span());
        Function {
            node,
            path,
            target,
            class,
            is_outer,
            line: first,
            lines: last - first + 1,
            parameters: parameters(node, self.family, self.text),
        }
    }
}

impl Reading<'_, '_> {
    /// Returns the path of what Solidity names by a keyword: constructors, `receive`, `fallback`.
    fn special(&self, node: Node<'_>) -> Option<Vec<String>> {
        if !node.is_any(&["constructor_definition", "fallback_receive_definition"]) {
            return None;
        }
        let contract = node.ancestors().find(|outer| outer.has(Role::Class)).and_then(class_name)?;
        let mut path = self.declared.get(&contract.start())?.path.clone();
        path.push(node.children().next()?.text(self.text).to_owned());
        Some(path)
    }
}

/// Returns the name of a class; an expression's is that of the variable that it is the value of.
fn class_name(node: Node<'_>) -> Option<Node<'_>> {
    node.child("name").or_else(|| assigned(node))
}

/// Returns the name by which a function is declared.
fn function_name(node: Node<'_>) -> Option<Node<'_>> {
    assigned(node).or_else(|| node.child("name"))
}

/// Returns the name of the variable, property or field whose value a script's expression is.
fn assigned(node: Node<'_>) -> Option<Node<'_>> {
    let parent = node.parent()?;
    let is_value = node.field() == Some("value");
    match parent.kind() {
        "variable_declarator" | "public_field_definition" | "field_definition" if is_value => {
            parent.child("name").or_else(|| parent.child("property"))
        }
        "pair" if is_value => parent.child("key"),
        _ => None,
    }
}

fn implemented(node: Node<'_>, text: &str) -> Option<String> {
    let named = node.child("type")?;
    let inner = named.descendants().find(|inner| inner.is("type_identifier"));
    let name = if named.is("type_identifier") { Some(named) } else { inner };
    name.map(|name| name.text(text).to_owned())
}

/// Leaves out the signatures of functions that have a body somewhere.
fn drop_overloads(functions: &mut Vec<Function<'_>>) {
    let bodies: BTreeSet<Vec<String>> =
        functions.iter().filter(|it| it.body().is_some()).map(|it| it.path.clone()).collect();
    functions.retain(|it| it.path.is_empty() || it.body().is_some() || !bodies.contains(&it.path));
}

/// Counts the members of classes, and joins a Rust type with its `impl`s.
fn fill(classes: &mut Vec<Class<'_>>, functions: &[Function<'_>], all: &[Declaration], language: Language) {
    let mut methods: HashMap<&[String], u32> = HashMap::new();
    for class in functions.iter().filter_map(|function| function.class.as_deref()) {
        *methods.entry(class).or_default() += 1;
    }
    let mut fields: HashMap<&[String], BTreeSet<&str>> = HashMap::new();
    for field in all.iter().filter(|it| is_field(it.kind)) {
        let Some((name, owner)) = field.path.split_last() else { continue };
        fields.entry(owner).or_default().insert(name);
    }
    let mut seen: BTreeSet<Vec<String>> =
        classes.iter().filter(|it| !it.node.is("impl_item")).map(|it| it.path.clone()).collect();
    classes.retain(|class| !class.node.is("impl_item") || seen.insert(class.path.clone()));
    for class in classes.iter_mut() {
        class.methods = methods.get(class.path.as_slice()).copied().unwrap_or_default();
        // Solidity's grammar gives the members of an enum no identifiers.
        let values = class.node.descendants().filter(|node| node.is("enum_value") && node.is_leaf()).count();
        class.fields = fields.get(class.path.as_slice()).map_or(values, BTreeSet::len) as u32;
    }
    // Go declares other types than structs and interfaces by the same word.
    let is_structure = |class: &Class<'_>| {
        let kind = class.node.child("type").map(Node::kind).unwrap_or_default();
        class.methods > 0 || matches!(kind, "struct_type" | "interface_type")
    };
    if language == Language::Go {
        classes.retain(is_structure);
    }
}

fn is_field(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Property | DeclarationKind::EnumMember | DeclarationKind::Constant)
}

#[cfg(test)]
pub(super) mod tests;
