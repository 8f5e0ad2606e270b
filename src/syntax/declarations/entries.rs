//! The declarations that a module consists of, as its readers count them: no parameters, no imports, no locals.

use std::collections::{BTreeMap, BTreeSet};

use super::{Declaration, declarations};
use crate::syntax::kinds::Role;
use crate::syntax::{DeclarationKind, Family, Language, Node, Tree, is_any_function};
use crate::text::Span;

/// One declaration of a module, nested ones included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub declaration: Declaration,
    pub kind: EntryKind,
    /// Meant for others than its own module or class, as the language says it.
    pub is_public: bool,
    /// What it is beside its kind, in the words of other languages.
    pub also: Also,
    /// The number of the entry that it is a member of.
    pub parent: Option<usize>,
}

/// What an entry is, in the word that its language has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    Function,
    Method,
    Class,
    Interface,
    Trait,
    Struct,
    Enum,
    Variant,
    Type,
    Constant,
    Variable,
    Field,
    Contract,
    Library,
    Event,
    Error,
    Modifier,
    Module,
}

/// General words for what languages have words of their own for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Also {
    Nothing,
    /// What others promise to have: an interface, a trait, a protocol.
    Trait,
    /// What is thrown or raised.
    Error,
    /// Where a program begins.
    App,
}

impl EntryKind {
    pub const ALL: [Self; 18] = [
        Self::Function,
        Self::Method,
        Self::Class,
        Self::Interface,
        Self::Trait,
        Self::Struct,
        Self::Enum,
        Self::Variant,
        Self::Type,
        Self::Constant,
        Self::Variable,
        Self::Field,
        Self::Contract,
        Self::Library,
        Self::Event,
        Self::Error,
        Self::Modifier,
        Self::Module,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Field => "field",
            Self::Contract => "contract",
            Self::Library => "library",
            Self::Event => "event",
            Self::Error => "error",
            Self::Modifier => "modifier",
            Self::Module => "module",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Tells whether it is called or run.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Modifier)
    }

    /// Tells whether it has members.
    pub fn has_members(self) -> bool {
        use EntryKind::{Class, Contract, Enum, Interface, Library, Module, Struct, Trait};
        matches!(self, Class | Interface | Trait | Struct | Enum | Contract | Library | Module)
    }
}

impl Also {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Trait, Self::Error, Self::App];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Trait => "trait",
            Self::Error => "error",
            Self::App => "app",
        }
    }
}

/// Returns the declarations of a module in the order of their names, an outer one before its members.
pub fn entries(tree: &Tree, text: &str) -> Vec<Entry> {
    let mut all = declarations(tree, text);
    all.extend(without_identifiers(tree, text, &all));
    all.sort_by_key(|it| it.name_span);
    let module = Module { tree, text, exported: exported(tree, text) };
    let mut entries: Vec<Entry> = all.into_iter().filter_map(|declaration| module.entry(declaration)).collect();
    let parents = parents(&entries);
    for (entry, parent) in entries.iter_mut().zip(parents) {
        entry.parent = parent;
    }
    entries
}

/// Finds the entry that each is a member of.
fn parents(entries: &[Entry]) -> Vec<Option<usize>> {
    let mut by_path: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (number, entry) in entries.iter().enumerate() {
        by_path.entry(&entry.declaration.path).or_default().push(number);
    }
    let parent = |entry: &Entry| {
        let (_, outer) = entry.declaration.path.split_last()?;
        let around = by_path.get(outer)?;
        let holds = |number: &&usize| entries[**number].declaration.full_span.contains(entry.declaration.full_span);
        // Rust's methods stand in an `impl`, Go's beside their type.
        let owner = |number: &&usize| entries[**number].kind.has_members();
        around.iter().rfind(holds).or_else(|| around.iter().find(owner)).copied()
    };
    entries.iter().map(parent).collect()
}

/// Returns the node of a declaration with all that belongs to it, and the innermost one that has the name.
pub fn declared_node<'t>(tree: &'t Tree, declaration: &Declaration) -> (Node<'t>, Node<'t>) {
    let name = tree.nodes().covering(declaration.name_span);
    // What a declaration stands in by itself is no part of it.
    const LISTS: &[&str] = &["block", "module", "program", "source_file"];
    let around = name.ancestors().take_while(|outer| declaration.full_span.contains(outer.span()));
    let whole = around.filter(|outer| !outer.is_any(LISTS)).last();
    (whole.unwrap_or(name), name)
}

/// Returns what is carried out, or holds the members: nothing where a declaration has neither.
pub fn body_of<'t>(tree: &'t Tree, declaration: &Declaration) -> Option<Node<'t>> {
    let (_, name) = declared_node(tree, declaration);
    let inside = name.ancestors().take_while(|outer| declaration.full_span.contains(outer.span()));
    let value = |node: Node<'t>| node.child("value").filter(|value| is_any_function(*value) || value.has(Role::Class));
    let typed = |node: Node<'t>| node.child("type").filter(|of| of.is_any(&["struct_type", "interface_type"]));
    let body = |node: Node<'t>| node.child("body").or_else(|| typed(node)?.named_children().next());
    inside.into_iter().find_map(|node| body(node).or_else(|| body(value(node)?)))
}

/// Returns the head of a declaration on one line: decorators and the body are left out, and what is too long.
pub fn head(tree: &Tree, text: &str, declaration: &Declaration, most: usize) -> String {
    let (whole, _) = declared_node(tree, declaration);
    let inner = if whole.is("decorated_definition") { whole.child("definition").unwrap_or(whole) } else { whole };
    let is_mark = |node: &Node<'_>| node.is_any(&["decorator", "marker_annotation", "annotation", "attribute_item"]);
    let first = inner.children().find(|child| !is_mark(child)).unwrap_or(inner);
    let start = first.start().max(declaration.full_span.start);
    let end = body_of(tree, declaration).map_or(declaration.full_span.end, Node::start);
    let written = text.get(start..end.max(start)).unwrap_or_default();
    let line = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches(['{', '(', ':', ';', '=', ' ']);
    match line.len() > most {
        true => format!("{}…", &line[..line.floor_char_boundary(most)]),
        false => line.to_owned(),
    }
}

/// Returns the classes, interfaces and contracts that a class names in its head, as they are written.
pub fn bases(tree: &Tree, text: &str, declaration: &Declaration) -> Vec<String> {
    let (_, name) = declared_node(tree, declaration);
    let mut inside = name.ancestors().take_while(|outer| declaration.full_span.contains(outer.span()));
    let Some(class) = inside.find(|node| node.has(Role::Class)) else { return Vec::new() };
    let mut found = Vec::new();
    for part in class.children() {
        match part.kind() {
            "argument_list" => found.extend(part.named_children().filter(|base| !base.is("keyword_argument"))),
            "class_heritage" => found.extend(part.named_children().flat_map(heirs)),
            "extends_type_clause" | "extends_interfaces" | "super_interfaces" | "superclass" => {
                found.extend(part.named_children().flat_map(listed));
            }
            "inheritance_specifier" => found.extend(part.child("ancestor")),
            _ => {}
        }
    }
    found.into_iter().map(|base| base.text(text).to_owned()).collect()
}

fn heirs(part: Node<'_>) -> Vec<Node<'_>> {
    match part.kind() {
        "extends_clause" => part.children_in("value").collect(),
        "implements_clause" => part.named_children().collect(),
        _ => vec![part],
    }
}

fn listed(part: Node<'_>) -> Vec<Node<'_>> {
    if part.is_any(&["type_list", "interface_type_list"]) { part.named_children().collect() } else { vec![part] }
}

/// One module while it is read.
struct Module<'t> {
    tree: &'t Tree,
    text: &'t str,
    exported: Exported,
}

/// What a script hands out by name.
enum Exported {
    /// It is no module: everybody sees all of it.
    All,
    Named(BTreeSet<String>),
}

impl Module<'_> {
    fn entry(&self, declaration: Declaration) -> Option<Entry> {
        let (whole, name) = declared_node(self.tree, &declaration);
        let kind = kind(&declaration, whole, name)?;
        if !is_listed(&declaration, kind, name) {
            return None;
        }
        let is_public = self.is_public(&declaration, whole, name);
        let also = self.also(&declaration, kind);
        Some(Entry { declaration, kind, is_public, also, parent: None })
    }

    fn also(&self, declaration: &Declaration, kind: EntryKind) -> Also {
        let bases = || bases(self.tree, self.text, declaration);
        let is_thrown = |base: &String| ["Error", "Exception", "Warning"].iter().any(|end| base.ends_with(end));
        let is_promise = |base: &String| matches!(base.split('[').next(), Some("Protocol" | "typing.Protocol" | "ABC"));
        match kind {
            EntryKind::Interface | EntryKind::Trait => Also::Trait,
            EntryKind::Error => Also::Error,
            EntryKind::Class if bases().iter().any(is_thrown) => Also::Error,
            EntryKind::Class if bases().iter().any(is_promise) => Also::Trait,
            EntryKind::Function if declaration.path.len() == 1 && declaration.name == "main" => Also::App,
            _ => Also::Nothing,
        }
    }

    fn is_public(&self, declaration: &Declaration, whole: Node<'_>, name: Node<'_>) -> bool {
        let said = |kind: &str| name.ancestors().take(4).find_map(|outer| outer.child_of_kind(kind));
        let inside = |kinds: &[&str]| name.ancestors().any(|outer| outer.is_any(kinds));
        match self.tree.language().family() {
            Family::Python => declaration.path.iter().all(|name| !is_python_private(name)),
            Family::Script => self.is_public_in_script(declaration, whole, name),
            Family::Solidity => match said("visibility").map(|it| it.text(self.text)) {
                Some(word) => matches!(word, "public" | "external"),
                None => !inside(&["state_variable_declaration"]),
            },
            Family::Rust => {
                let is_shared = name
                    .ancestors()
                    .any(|outer| outer.is("trait_item") || outer.is("impl_item") && outer.child("trait").is_some());
                is_shared || inside(&["enum_variant"]) || whole.child_of_kind("visibility_modifier").is_some()
            }
            Family::Go => declaration.name.chars().next().is_some_and(char::is_uppercase),
            Family::Java => {
                let modifiers = whole.child_of_kind("modifiers").map(|it| it.text(self.text)).unwrap_or_default();
                modifiers.contains("public") || inside(&["interface_body", "enum_constant"])
            }
            Family::C => whole.child_of_kind("storage_class_specifier").is_none_or(|it| it.text(self.text) != "static"),
            Family::Lua => !whole.text(self.text).starts_with("local"),
            Family::Shell | Family::Data => true,
        }
    }

    fn is_public_in_script(&self, declaration: &Declaration, whole: Node<'_>, name: Node<'_>) -> bool {
        let is_outermost = declaration.path.len() == 1;
        if !is_outermost {
            let hidden = |node: Node<'_>| {
                let word = node.child_of_kind("accessibility_modifier").map(|it| it.text(self.text));
                matches!(word, Some("private" | "protected"))
            };
            let is_in_function = enclosing_function(declaration, name).is_some_and(|it| !it.is("method_definition"));
            return !declaration.name.starts_with('#') && !hidden(whole) && !is_in_function;
        }
        let is_marked = whole.is("export_statement") || whole.ancestors().any(|outer| outer.is("export_statement"));
        is_marked
            || match &self.exported {
                Exported::All => true,
                Exported::Named(names) => names.contains(&declaration.name),
            }
    }
}

fn is_python_private(name: &str) -> bool {
    name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__"))
}

/// Collects the names in `export { … }`, `export default name`, `module.exports = { … }` and `exports.name = …`.
fn exported(tree: &Tree, text: &str) -> Exported {
    let (mut names, mut is_module) = (BTreeSet::new(), false);
    if tree.language().family() != Family::Script {
        return Exported::All;
    }
    let mut note = |node: Node<'_>| names.extend([node.text(text).to_owned()]);
    for node in tree.nodes().iter().filter(|node| node.is_named()) {
        match node.kind() {
            "import_statement" => is_module = true,
            "export_statement" => {
                is_module = true;
                node.child("value").filter(|value| value.is("identifier")).into_iter().for_each(&mut note);
            }
            "export_specifier" => node.child("name").into_iter().for_each(&mut note),
            "assignment_expression" => {
                let left = node.child("left").map(|left| left.text(text)).unwrap_or_default();
                if left.starts_with("module.exports") || left.starts_with("exports.") {
                    is_module = true;
                    let value = node.child("right").into_iter().flat_map(Node::descendants);
                    let own = node.child("right").into_iter().chain(value.take(400));
                    own.filter(|it| it.is_any(&["identifier", "shorthand_property_identifier"])).for_each(&mut note);
                }
            }
            _ => {}
        }
    }
    if is_module { Exported::Named(names) } else { Exported::All }
}

/// Solidity has functions that are called by a keyword, and enums whose members are no identifiers.
fn without_identifiers(tree: &Tree, text: &str, all: &[Declaration]) -> Vec<Declaration> {
    if tree.language().family() != Family::Solidity {
        return Vec::new();
    }
    let declared = |node: Node<'_>| {
        let (kind, name) = match node.kind() {
            "constructor_definition" | "fallback_receive_definition" => {
                (DeclarationKind::Constructor, node.children().next()?)
            }
            "enum_value" if node.is_leaf() => (DeclarationKind::EnumMember, node),
            _ => return None,
        };
        let owner = node.ancestors().find(|outer| outer.has(Role::Class))?.child("name")?;
        let owner = all.iter().find(|it| it.name_span == owner.span())?;
        let path = owner.path.iter().cloned().chain([name.text(text).to_owned()]).collect();
        let (name_span, full_span) = (name.span(), node.span());
        Some(Declaration { name: name.text(text).to_owned(), kind, name_span, full_span, path })
    };
    let known = |it: &Declaration| all.iter().any(|other| other.name_span == it.name_span);
    tree.nodes().iter().filter_map(declared).filter(|it| !known(it)).collect()
}

fn kind(declaration: &Declaration, whole: Node<'_>, name: Node<'_>) -> Option<EntryKind> {
    use DeclarationKind as From;
    let value = name.parent().and_then(|outer| outer.child("value")).filter(|value| name.span() != value.span());
    let is_function = value.is_some_and(|value| !value.is("lambda") && is_any_function(value));
    let is_class = value.is_some_and(|value| value.has(Role::Class));
    Some(match declaration.kind {
        From::Function | From::Macro => EntryKind::Function,
        From::Method | From::Constructor => EntryKind::Method,
        From::Class if whole.is("library_declaration") => EntryKind::Library,
        From::Class if whole.is("contract_declaration") => EntryKind::Contract,
        From::Class => EntryKind::Class,
        From::Interface => EntryKind::Interface,
        From::Trait => EntryKind::Trait,
        From::Struct => match name.parent().and_then(|outer| outer.child("type")).map(Node::kind) {
            Some("interface_type") => EntryKind::Interface,
            Some("struct_type") | None => EntryKind::Struct,
            Some(_) if name.parent().is_some_and(|outer| outer.is("type_spec")) => EntryKind::Type,
            Some(_) => EntryKind::Struct,
        },
        From::Enum => EntryKind::Enum,
        From::EnumMember => EntryKind::Variant,
        From::TypeAlias => EntryKind::Type,
        From::Namespace => EntryKind::Module,
        From::Module if name.parent().is_some_and(|outer| outer.is("mod_item")) => EntryKind::Module,
        From::Property if is_function => EntryKind::Method,
        From::Property => EntryKind::Field,
        From::Variable | From::Constant if is_function => EntryKind::Function,
        From::Variable | From::Constant if is_class => EntryKind::Class,
        From::Variable => EntryKind::Variable,
        From::Constant => EntryKind::Constant,
        From::Event => EntryKind::Event,
        From::Error => EntryKind::Error,
        From::Modifier => EntryKind::Modifier,
        _ => return None,
    })
}

/// Tells whether a module's reader counts a declaration: what a function has for itself he does not, but for functions
/// and classes; nor what stands in the value of something.
fn is_listed(declaration: &Declaration, kind: EntryKind, name: Node<'_>) -> bool {
    use EntryKind::{Constant, Field, Variable};
    if matches!(kind, Variable | Constant) && declaration.full_span == declaration.name_span {
        return false;
    }
    let is_literal = |node: Node<'_>| node.is_any(&["object", "dictionary", "composite_literal"]);
    let around = name.ancestors().filter(|outer| !declaration.full_span.contains(outer.span()));
    let function = enclosing_function(declaration, name);
    let mut before = around.take_while(|outer| Some(*outer) != function);
    if before.any(is_literal) {
        return false;
    }
    match kind {
        // `self.x` belongs to the class, and so does a constructor's parameter with a modifier.
        Field => {
            let is_parameter =
                || name.ancestors().take(3).any(|it| it.is_any(&["required_parameter", "optional_parameter"]));
            function.is_none() || name.field() == Some("attribute") || is_parameter()
        }
        Variable | Constant => function.is_none(),
        _ => true,
    }
}

/// Returns the function that a declaration stands in.
fn enclosing_function<'t>(declaration: &Declaration, name: Node<'t>) -> Option<Node<'t>> {
    name.ancestors().find(|outer| is_any_function(*outer) && !declaration.full_span.contains(outer.span()))
}

/// Returns where the comments begin that belong to what begins at `start`: those on the lines right above it, unless
/// they are the head of the file.
pub fn with_comments(tree: &Tree, text: &str, start: usize) -> usize {
    let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let mut first = start;
    loop {
        let begins = line_start(first);
        let is_alone = text[begins..first].trim().is_empty();
        if !is_alone || begins == 0 {
            break;
        }
        let above = text[..begins].trim_end_matches(['\n', '\r']);
        // A blank line parts them.
        let is_next = text[above.len()..begins].matches('\n').count() == 1;
        let Some(last) = above.len().checked_sub(1).filter(|_| is_next && !above.ends_with(char::is_whitespace)) else {
            break;
        };
        let last = text.floor_char_boundary(last);
        let found = tree.nodes().covering(Span::new(last, last + 1));
        // Rust's has another one inside.
        let comment = std::iter::once(found).chain(found.ancestors()).filter(|node| node.has(Role::Comment)).last();
        let is_alone = |it: &Node<'_>| text[line_start(it.start())..it.start()].trim().is_empty();
        // Rust's `//!` and `/*!` document what they stand in.
        let is_inner = |it: &Node<'_>| tree.language() == Language::Rust && it.text(text)[2..].starts_with('!');
        let Some(comment) = comment.filter(|it| is_alone(it) && !is_inner(it)) else { break };
        first = comment.start();
    }
    let is_head = line_start(first) == 0 && first < start && is_file_head(&text[first..start]);
    if is_head { start } else { first }
}

/// What the first comment of a file says belongs to the file, unless it is written as documentation.
fn is_file_head(comments: &str) -> bool {
    let is_documentation = ["///", "/**", "//!"].iter().any(|mark| comments.starts_with(mark));
    let marks = ["SPDX", "opyright", "icense", "eslint", "@ts-", "@file", "@license", "#!", "coding"];
    !is_documentation || marks.iter().any(|mark| comments.contains(mark))
}
