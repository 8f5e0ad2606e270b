//! What files import and what they use, by the language's grammar alone.

use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

use crate::subjects::Language;

/// A name that a statement at the top of a file imports.
#[derive(Clone)]
pub struct Import {
    /// As the file calls it.
    pub name: String,
    /// The module and what is taken from it.
    pub source: String,
    /// What is cut out when the import goes.
    pub cut: Range<usize>,
}

/// A place where a name is used that something else declares.
pub struct Use {
    pub name: String,
    pub place: Range<usize>,
}

pub fn parse(language: Language, text: &str) -> Tree {
    let grammar = match language {
        Language::Python => tree_sitter_python::LANGUAGE.into(),
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Language::Rust => tree_sitter_rust::LANGUAGE.into(),
    };
    let mut parser = Parser::new();
    parser.set_language(&grammar).expect("the grammar fits the library");
    parser.parse(text, None).expect("nothing stops it")
}

/// Returns what a file imports at its top; what is exported again, or taken as a whole, is left out.
pub fn imports(language: Language, text: &str) -> Vec<Import> {
    let tree = parse(language, text);
    let mut found = Vec::new();
    for statement in children(tree.root_node()) {
        let names = match (language, statement.kind()) {
            (Language::Python, "import_from_statement" | "import_statement") => python(statement, text),
            (Language::TypeScript, "import_statement") => script(statement, text),
            (Language::Rust, "use_declaration") => rust(statement, text),
            _ => continue,
        };
        let is_only = names.len() == 1;
        let named = names.into_iter().map(|(name, source, node)| Import {
            name,
            source,
            cut: if is_only { line(statement, text) } else { listed(node, text) },
        });
        found.extend(named);
    }
    found
}

type Names<'a> = Vec<(String, String, Node<'a>)>;

fn python<'a>(statement: Node<'a>, text: &str) -> Names<'a> {
    let module = statement.child_by_field_name("module_name").map_or("", |it| &text[it.byte_range()]);
    let mut cursor = statement.walk();
    let names: Vec<Node<'a>> = statement.children_by_field_name("name", &mut cursor).collect();
    let named = |node: Node<'a>| {
        let whole = node.child_by_field_name("name").unwrap_or(node);
        let whole = &text[whole.byte_range()];
        let first = whole.split('.').next().unwrap_or(whole);
        let name = node.child_by_field_name("alias").map_or(first, |it| &text[it.byte_range()]);
        (name.to_owned(), format!("{module}::{whole}"), node)
    };
    names.into_iter().map(named).collect()
}

fn script<'a>(statement: Node<'a>, text: &str) -> Names<'a> {
    let module = statement.child_by_field_name("source").map_or("", |it| &text[it.byte_range()]);
    let module = module.trim_matches(['"', '\'']);
    let clause = children(statement).into_iter().find(|it| it.kind() == "import_clause");
    let mut names = Vec::new();
    for part in clause.map(children).unwrap_or_default() {
        let words = &text[part.byte_range()];
        match part.kind() {
            "identifier" => names.push((words.to_owned(), format!("{module}::default"), part)),
            "namespace_import" => {
                let name = words.trim_start_matches('*').trim_start().trim_start_matches("as").trim_start();
                names.push((name.to_owned(), format!("{module}::*"), part));
            }
            "named_imports" => {
                for one in children(part).into_iter().filter(|it| it.kind() == "import_specifier") {
                    let name = one.child_by_field_name("name").map_or("", |it| &text[it.byte_range()]);
                    let alias = one.child_by_field_name("alias").map_or(name, |it| &text[it.byte_range()]);
                    names.push((alias.to_owned(), format!("{module}::{name}"), one));
                }
            }
            _ => {}
        }
    }
    names
}

fn rust<'a>(statement: Node<'a>, text: &str) -> Names<'a> {
    let is_public = children(statement).iter().any(|it| it.kind() == "visibility_modifier");
    let mut names = Vec::new();
    if let Some(argument) = statement.child_by_field_name("argument").filter(|_| !is_public) {
        used(argument, text, String::new(), &mut names);
    }
    names
}

fn used<'a>(node: Node<'a>, text: &str, above: String, names: &mut Names<'a>) {
    let words = |node: Node<'_>| text[node.byte_range()].to_owned();
    let path = node.child_by_field_name("path").map(words);
    let path = |above: String| match (above.as_str(), path) {
        (_, None) => above,
        ("", Some(path)) => path,
        (_, Some(path)) => format!("{above}::{path}"),
    };
    match node.kind() {
        "scoped_use_list" => {
            let above = path(above);
            for one in node.child_by_field_name("list").map(children).unwrap_or_default() {
                used(one, text, above.clone(), names);
            }
        }
        "use_as_clause" => {
            let alias = node.child_by_field_name("alias").map(words).unwrap_or_default();
            names.push((alias, path(above), node));
        }
        "scoped_identifier" => {
            let name = node.child_by_field_name("name").map(words).unwrap_or_default();
            names.push((name.clone(), format!("{}::{name}", path(above)), node));
        }
        "identifier" => names.push((words(node), format!("{above}::{}", words(node)), node)),
        _ => {}
    }
}

/// Returns the places where names are used, apart from imports and declarations.
pub fn uses(language: Language, text: &str) -> Vec<Use> {
    let tree = parse(language, text);
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if matches!(node.kind(), "import_from_statement" | "import_statement" | "use_declaration" | "export_clause") {
            continue;
        }
        if matches!(node.kind(), "identifier" | "type_identifier") && !is_declared(node) {
            found.push(Use { name: text[node.byte_range()].to_owned(), place: node.byte_range() });
        }
        open.extend(children(node).into_iter().rev());
    }
    found
}

/// Tells whether a name stands where it gets its meaning, or belongs to a value.
fn is_declared(node: Node<'_>) -> bool {
    const FIELDS: [&str; 7] = ["name", "left", "alias", "pattern", "attribute", "parameter", "label"];
    let Some(parent) = node.parent() else { return true };
    let is = |field: &str| parent.child_by_field_name(field) == Some(node);
    let is_around = |kind: &str| matches!(kind, "parameters" | "formal_parameters" | "type_parameters" | "token_tree");
    let is_path = parent.kind() == "scoped_identifier" || parent.kind() == "scoped_type_identifier";
    FIELDS.iter().any(|field| is(field)) || is_around(parent.kind()) || parent.kind().ends_with("_pattern") || is_path
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    (0..node.named_child_count()).filter_map(|at| node.named_child(at as _)).collect()
}

/// The lines of a statement.
fn line(statement: Node<'_>, text: &str) -> Range<usize> {
    let end = text[statement.end_byte()..].find('\n').map_or(text.len(), |at| statement.end_byte() + at + 1);
    statement.start_byte()..end
}

/// A member of a list, with the comma that goes with it.
fn listed(node: Node<'_>, text: &str) -> Range<usize> {
    let after = &text[node.end_byte()..];
    if let Some(rest) = after.trim_start().strip_prefix(',') {
        return node.start_byte()..text.len() - rest.trim_start_matches([' ', '\t']).len();
    }
    let before = text[..node.start_byte()].trim_end();
    before.strip_suffix(',').map_or(node.start_byte(), str::len)..node.end_byte()
}
