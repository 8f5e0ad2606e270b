//! `dead-code`: what is private to its class, file or package, and named nowhere.

use super::declarations::{inherits, is_private};
use super::facts::{Accessibility, Facts, Unnamed};
use super::finding::Severity;
use super::smell::{Find, Judgement, Limits, Smell, SmellContext};
use crate::inspect::view::View;
use crate::syntax::kinds::Role;
use crate::syntax::{Declaration, DeclarationKind, Family, Node, whole_words};
use crate::text::Span;

pub(super) const DEAD_CODE: Smell = Smell {
    name: "dead-code",
    about: "A private or unexported declaration whose name stands nowhere else in the project.",
    refactoring: "inline-method",
    limits: &[],
    find: Find::Across { note, judge },
};

fn note(view: &View<'_>, _: &Limits<'_>, facts: &mut Facts) {
    if view.is_test() || view.file.name.ends_with(".d.ts") || view.tree.error_count() > 0 {
        return;
    }
    let all = &view.outline.declarations;
    let mut comments: Option<Vec<Span>> = None;
    for declaration in all.iter().filter(|it| is_kind(it.kind)) {
        let Some(reach) = reach(declaration, view) else { continue };
        let same: Vec<Span> = all.iter().filter(|it| it.path == declaration.path).map(|it| it.full_span).collect();
        if same.len() > 1 {
            continue;
        }
        let comments = comments.get_or_insert_with(|| {
            view.tree.nodes().iter().filter(|node| node.has(Role::Comment)).map(Node::span).collect()
        });
        let is_elsewhere = |word: &Span| !same.iter().any(|own| own.contains(*word));
        let in_comment = |word: &Span| {
            let at = comments.partition_point(|comment| comment.end <= word.start);
            comments.get(at).is_some_and(|comment| comment.contains(*word))
        };
        let is_named =
            whole_words(view.text, &declaration.name).iter().any(|word| is_elsewhere(word) && !in_comment(word));
        if !is_named {
            let spot = view.of_declaration(declaration);
            facts.names.unnamed.push(Unnamed { name: declaration.name.clone(), kind: declaration.kind, reach, spot });
        }
    }
}

fn judge(world: &SmellContext<'_>, _: &Limits<'_>) -> Judgement {
    let mut findings = Vec::new();
    for file in world.facts {
        for unnamed in &file.names.unnamed {
            let is_elsewhere =
                || world.disk.files_mentioning(&unnamed.name).iter().any(|other| *other != file.file.path);
            if unnamed.reach == Accessibility::Project && is_elsewhere() || world.may_be_assembled(&unnamed.name) {
                continue;
            }
            let details = format!("nothing else names `{}`; it can be deleted", unnamed.name);
            let severity = if is_function(unnamed.kind) { Severity::Medium } else { Severity::Low };
            let mut finding = unnamed.spot.clone().finding(severity, "", details);
            finding.refactoring = match unnamed.kind {
                DeclarationKind::Function | DeclarationKind::Method | DeclarationKind::Modifier => None,
                DeclarationKind::Constant | DeclarationKind::Variable | DeclarationKind::Property => {
                    Some("inline-temp")
                }
                _ => Some("inline-class"),
            };
            findings.push(finding);
        }
    }
    let rests = "dead-code: a name counts as used wherever its word stands; no language server was asked";
    let notes = if findings.is_empty() { Vec::new() } else { vec![rests.to_owned()] };
    Judgement { findings, notes }
}

fn is_function(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Function | DeclarationKind::Method | DeclarationKind::Class)
}

fn is_kind(kind: DeclarationKind) -> bool {
    use DeclarationKind as Kind;
    is_function(kind)
        || matches!(
            kind,
            Kind::Interface
                | Kind::TypeAlias
                | Kind::Enum
                | Kind::Struct
                | Kind::Trait
                | Kind::Modifier
                | Kind::Constant
                | Kind::Variable
                | Kind::Property
        )
}

/// Returns how far the name of a private declaration reaches; nothing where it is not private, or where others
/// than the program's text may use it.
fn reach(declaration: &Declaration, view: &View<'_>) -> Option<Accessibility> {
    let node = view.tree.nodes().covering(declaration.name_span);
    let (outer, name) = (declaration.path.len() == 1, declaration.name.as_str());
    match view.family() {
        Family::Python => python(declaration, node, view),
        Family::Script if outer => script(declaration, node, view),
        Family::Script => is_private(member(node)?, name, view).then_some(Accessibility::File),
        Family::Java => {
            let is_called_by_name = ["serialVersionUID", "readObject", "writeObject", "readResolve", "writeReplace"];
            let is_private = is_private(member(node)?, name, view) && !is_called_by_name.contains(&name);
            is_private.then_some(Accessibility::File)
        }
        Family::Rust => rust(declaration, node, view),
        Family::Go => {
            let is_special = matches!(name, "main" | "init" | "_");
            let is_value = matches!(declaration.kind, DeclarationKind::Variable | DeclarationKind::Property);
            (name.starts_with(char::is_lowercase) && outer && !is_special && !is_value)
                .then_some(Accessibility::Project)
        }
        Family::Solidity => solidity(node, view),
        _ => None,
    }
}

/// Python's privacy is an underscore. Decorators register what they stand before, and a class with a base may
/// have its methods called by it.
fn python(declaration: &Declaration, node: Node<'_>, view: &View<'_>) -> Option<Accessibility> {
    let name = declaration.name.as_str();
    let is_dunder = name.starts_with("__") && name.ends_with("__");
    if !name.starts_with('_') || is_dunder || name.trim_matches('_').is_empty() {
        return None;
    }
    let definition = node.parent()?;
    if !definition.is_any(&["function_definition", "class_definition"]) || is_decorated(definition) {
        let is_constant = declaration.path.len() == 1 && definition.is("assignment");
        return is_constant.then_some(Accessibility::Project);
    }
    let class = definition.ancestors().find(|outer| outer.is_any(&["class_definition", "function_definition"]));
    match class {
        None => Some(Accessibility::Project),
        Some(class) if class.is("function_definition") => None,
        Some(class) => (!inherits(class, view.text) || name.starts_with("__")).then_some(Accessibility::Project),
    }
}

fn is_decorated(definition: Node<'_>) -> bool {
    definition.parent().is_some_and(|outer| outer.is("decorated_definition"))
}

/// What a module does not export nobody else sees; a script without imports and exports shares all it has.
fn script(declaration: &Declaration, node: Node<'_>, view: &View<'_>) -> Option<Accessibility> {
    let top = node.ancestors().take_while(|outer| outer.parent().is_some()).last()?;
    let is_plain = top.is_any(&[
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "lexical_declaration",
    ]);
    let root = view.tree.nodes().root();
    let is_module = root.children().any(|child| child.is_any(&["import_statement", "export_statement"]));
    let is_ignored = declaration.name.starts_with('_');
    (is_plain && is_module && !is_ignored).then_some(Accessibility::File)
}

/// Rust's compiler tells of dead code itself; this is for those who do not build.
fn rust(declaration: &Declaration, node: Node<'_>, view: &View<'_>) -> Option<Accessibility> {
    let item = node
        .parent()
        .filter(|it| it.is_any(&["function_item", "struct_item", "enum_item", "const_item", "static_item"]))?;
    let is_public = item.child_of_kind("visibility_modifier").is_some();
    let has_attribute = |it: Node<'_>| {
        let before = it.parent().into_iter().flat_map(Node::children).take_while(|other| *other != it);
        before.filter(|other| !other.has(Role::Comment)).last().is_some_and(|last| last.is("attribute_item"))
    };
    let around = item.ancestors();
    let is_foreign = around.into_iter().any(|outer| {
        outer.is_any(&["trait_item", "foreign_mod_item", "macro_definition"])
            || outer.is("impl_item") && outer.child("trait").is_some()
            || outer.is("mod_item") && has_attribute(outer)
            || outer.is("function_item")
    });
    let is_entry =
        declaration.name == "main" || view.file.name.ends_with("build.rs") || declaration.name.starts_with('_');
    (!is_public && !is_foreign && !is_entry && !has_attribute(item)).then_some(Accessibility::Project)
}

fn solidity(node: Node<'_>, view: &View<'_>) -> Option<Accessibility> {
    let declared = member(node)?;
    let visibility = declared.children().find(|child| child.is("visibility")).map(|it| it.text(view.text));
    match (declared.kind(), visibility) {
        ("function_definition" | "state_variable_declaration", Some("private")) => Some(Accessibility::File),
        ("function_definition", Some("internal")) | ("modifier_definition", _) => {
            let is_hook = declared.children().any(|child| child.is_any(&["virtual", "override_specifier"]));
            (!is_hook && !is_base(declared) && !view.text.contains("library ")).then_some(Accessibility::Project)
        }
        _ => None,
    }
}

/// Tells whether a contract is written for others to inherit from: what it hands down they may use.
fn is_base(member: Node<'_>) -> bool {
    let Some(contract) = member.ancestors().find(|outer| outer.is("contract_declaration")) else { return false };
    contract.children().any(|word| word.kind() == "abstract") || contract.descendants().any(|node| node.is("virtual"))
}

/// Returns the declaration of a member that a name belongs to.
fn member(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|outer| {
        outer.kind().ends_with("_definition")
            || outer.kind().ends_with("_declaration")
            || outer.kind().ends_with("_signature")
    })
}
