//! Finds the declarations of a file, with their kinds, by the language's grammar alone.

use tree_sitter::{Language, Node, Parser, Tree};

/// What is renamed, moved or refactored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Class,
    Method,
    Property,
    Function,
    Constant,
    Parameter,
    Local,
    Type,
    EnumMember,
    ImportAlias,
    Module,
    Directory,
    /// By its name in the catalog.
    Refactoring(&'static str),
}

impl Kind {
    pub const RENAMED: [Self; 10] = [
        Self::Class,
        Self::Method,
        Self::Property,
        Self::Function,
        Self::Constant,
        Self::Parameter,
        Self::Local,
        Self::Type,
        Self::EnumMember,
        Self::ImportAlias,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Method => "method",
            Self::Property => "property",
            Self::Function => "function",
            Self::Constant => "constant",
            Self::Parameter => "parameter",
            Self::Local => "local variable",
            Self::Type => "type",
            Self::EnumMember => "enum member",
            Self::ImportAlias => "import alias",
            Self::Module => "module",
            Self::Directory => "directory",
            Self::Refactoring(name) => name,
        }
    }
}

/// A name where it is declared.
#[derive(Clone)]
pub struct Declaration {
    pub kind: Kind,
    pub name: String,
    /// Bytes, 0-based.
    pub offset: usize,
    /// The start of the declaration around: names with the same owner share a scope.
    pub owner: usize,
}

/// Parses a file; nothing where its ending is unknown.
pub fn parse(extension: &str, text: &str) -> Option<Tree> {
    let language: Language = match extension {
        "py" => tree_sitter_python::LANGUAGE.into(),
        "ts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        "tsx" => tree_sitter_typescript::LANGUAGE_TSX.into(),
        "js" => tree_sitter_javascript::LANGUAGE.into(),
        "sol" => tree_sitter_solidity::LANGUAGE.into(),
        _ => return None,
    };
    let mut parser = Parser::new();
    parser.set_language(&language).expect("the grammar fits the library");
    parser.parse(text, None)
}

/// Returns the declarations of a file; none where its ending is unknown.
pub fn declarations(extension: &str, text: &str) -> Vec<Declaration> {
    let Some(tree) = parse(extension, text) else { return Vec::new() };
    let kind_of = match extension {
        "py" => python_kind,
        "sol" => solidity_kind,
        _ => script_kind,
    };
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let is_name = node.child_count() == 0 && node.is_named();
        if let Some(kind) = is_name.then(|| kind_of(node, text)).flatten() {
            let name = text[node.byte_range()].to_owned();
            let owner = owner(node).map_or(0, |owner| owner.start_byte());
            found.push(Declaration { kind, name, offset: node.start_byte(), owner });
        }
        open.extend((0..node.child_count()).rev().filter_map(|at| node.child(at)));
    }
    found.retain(|declaration| !is_fixed(&declaration.name));
    found
}

/// Tells whether the language itself has given the name its meaning.
fn is_fixed(name: &str) -> bool {
    let dunder = name.starts_with("__") && name.ends_with("__");
    dunder || ["self", "cls", "this", "_", "constructor", "arguments", "exports", "require", "module"].contains(&name)
}

/// Returns the function, class or enum around a declaration, not counting the one that it names.
fn owner(node: Node<'_>) -> Option<Node<'_>> {
    let mut inner = node;
    let mut outer = node.parent()?;
    loop {
        let kind = outer.kind();
        let is_scope = [
            "function",
            "class",
            "enum",
            "method",
            "interface",
            "lambda",
            "contract",
            "library",
            "struct",
            "event",
            "error",
        ]
        .iter()
        .any(|word| kind.contains(word));
        let is_its_name = outer.child_by_field_name("name") == Some(inner);
        if is_scope && !is_its_name && outer.child_count() > 1 {
            return Some(outer);
        }
        inner = outer;
        outer = outer.parent()?;
    }
}

fn is_field(node: Node<'_>, parent: Node<'_>, field: &str) -> bool {
    parent.child_by_field_name(field) == Some(node)
}

fn python_kind(node: Node<'_>, text: &str) -> Option<Kind> {
    let parent = node.parent()?;
    if node.kind() != "identifier" {
        return None;
    }
    match parent.kind() {
        "class_definition" if is_field(node, parent, "name") => Some(Kind::Class),
        "function_definition" if is_field(node, parent, "name") => Some(python_function(node, parent, text)),
        "parameters" | "lambda_parameters" => Some(Kind::Parameter),
        "default_parameter" | "typed_default_parameter" if is_field(node, parent, "name") => Some(Kind::Parameter),
        "typed_parameter" if parent.child(0) == Some(node) => Some(Kind::Parameter),
        "aliased_import" if is_field(node, parent, "alias") => Some(Kind::ImportAlias),
        "assignment" if is_field(node, parent, "left") => Some(python_variable(node, parent, text)),
        "attribute" if is_field(node, parent, "attribute") => python_attribute(parent, text),
        _ => None,
    }
}

fn python_function(node: Node<'_>, parent: Node<'_>, text: &str) -> Kind {
    let in_class = owner(node).is_some_and(|owner| owner.kind() == "class_definition");
    let decorators = parent.parent().filter(|around| around.kind() == "decorated_definition");
    let is_property = decorators.is_some_and(|around| {
        let before = &text[around.start_byte()..parent.start_byte()];
        before.contains("property") || before.contains(".setter")
    });
    match (in_class, is_property) {
        (true, true) => Kind::Property,
        (true, false) => Kind::Method,
        (false, _) => Kind::Function,
    }
}

fn python_variable(node: Node<'_>, assignment: Node<'_>, text: &str) -> Kind {
    let Some(owner) = owner(node) else {
        let value = assignment.child_by_field_name("right").map_or("", |right| &text[right.byte_range()]);
        let annotation = assignment.child_by_field_name("type").map_or("", |right| &text[right.byte_range()]);
        let is_type =
            ["TypeVar(", "ParamSpec(", "Union[", "Callable[", "NewType("].iter().any(|word| value.contains(word));
        return if is_type || annotation.contains("TypeAlias") { Kind::Type } else { Kind::Constant };
    };
    if owner.kind() != "class_definition" {
        return Kind::Local;
    }
    let bases = owner.child_by_field_name("superclasses").map_or("", |bases| &text[bases.byte_range()]);
    let is_enum = ["Enum", "IntFlag", "Flag", "Choices"].iter().any(|word| bases.contains(word));
    if is_enum { Kind::EnumMember } else { Kind::Property }
}

/// `self.name = …` declares a property.
fn python_attribute(attribute: Node<'_>, text: &str) -> Option<Kind> {
    let object = attribute.child_by_field_name("object")?;
    let assignment = attribute.parent().filter(|around| around.kind() == "assignment")?;
    let is_target = is_field(attribute, assignment, "left");
    (is_target && &text[object.byte_range()] == "self").then_some(Kind::Property)
}

fn script_kind(node: Node<'_>, text: &str) -> Option<Kind> {
    let parent = node.parent()?;
    let names = ["identifier", "type_identifier", "property_identifier", "private_property_identifier"];
    if !names.contains(&node.kind()) {
        return None;
    }
    let is_name = is_field(node, parent, "name");
    match parent.kind() {
        "class_declaration" | "abstract_class_declaration" | "enum_declaration" if is_name => Some(Kind::Class),
        "function_declaration" | "generator_function_declaration" | "function_signature" if is_name => {
            Some(Kind::Function)
        }
        "method_definition" | "method_signature" | "abstract_method_signature" if is_name => {
            let accessor = text[parent.start_byte()..node.start_byte()]
                .split_whitespace()
                .any(|word| word == "get" || word == "set");
            Some(if accessor { Kind::Property } else { Kind::Method })
        }
        "public_field_definition" | "property_signature" if is_name => Some(Kind::Property),
        "field_definition" if is_field(node, parent, "property") => Some(Kind::Property),
        "pair" if is_field(node, parent, "key") => Some(Kind::Property),
        "variable_declarator" if is_name => Some(if owner(node).is_none() { Kind::Constant } else { Kind::Local }),
        "required_parameter" | "optional_parameter" if is_field(node, parent, "pattern") => Some(Kind::Parameter),
        "formal_parameters" => Some(Kind::Parameter),
        "type_alias_declaration" | "interface_declaration" | "type_parameter" if is_name => Some(Kind::Type),
        "enum_body" => Some(Kind::EnumMember),
        "enum_assignment" if is_name => Some(Kind::EnumMember),
        "import_specifier" if is_field(node, parent, "alias") => Some(Kind::ImportAlias),
        "namespace_import" => Some(Kind::ImportAlias),
        _ => None,
    }
}

fn solidity_kind(node: Node<'_>, _text: &str) -> Option<Kind> {
    let parent = node.parent()?;
    if node.kind() == "enum_value" {
        return Some(Kind::EnumMember);
    }
    if node.kind() != "identifier" {
        return None;
    }
    let is_name = is_field(node, parent, "name");
    match parent.kind() {
        "contract_declaration" | "interface_declaration" | "library_declaration" if is_name => Some(Kind::Class),
        "function_definition" if is_name => Some(if owner(node).is_none() { Kind::Function } else { Kind::Method }),
        "modifier_definition" if is_name => Some(Kind::Function),
        "state_variable_declaration" | "struct_member" if is_name => Some(Kind::Property),
        "constant_variable_declaration" if is_name => Some(Kind::Constant),
        "parameter" | "event_parameter" | "error_parameter" if is_name => Some(Kind::Parameter),
        "variable_declaration" if is_name => Some(Kind::Local),
        "struct_declaration" | "enum_declaration" | "event_definition" | "error_declaration" if is_name => {
            Some(Kind::Type)
        }
        "user_defined_type_definition" if is_name => Some(Kind::Type),
        "import_directive" if is_field(node, parent, "alias") => Some(Kind::ImportAlias),
        "yul_variable_declaration" => Some(Kind::Local),
        _ => None,
    }
}
