//! Reads the declarations of a Solidity text from its tree.

use super::{
    Contract, ContractKind, Function, FunctionKind, Import, ImportedNames, Invocation, Members, Mutability, Param,
    Shape, Signed, Storage, TypeDefinition, TypeName, Unit, Using, Variable, Visibility,
};
use crate::syntax::{Node, Tree};
use crate::text::Span;

/// Types that nest deeper are not read.
const DEEPEST_TYPE: usize = 32;

const CONTRACTS: &[&str] = &["contract_declaration", "interface_declaration", "library_declaration"];

/// Said `view` before 0.5; the grammar takes it for a modifier's name.
const OLD_VIEW: &str = "constant";

/// What holds statements: declarations are not looked for inside.
const BODIES: &[&str] = &["function_body", "struct_body", "enum_body"];

impl Unit {
    /// Reads what a text declares. Where it breaks the grammar, what stands around is still found.
    pub fn of(tree: &Tree, text: &str) -> Self {
        let reader = Reader { text };
        let mut unit = Self::default();
        let root = tree.nodes().root();
        for node in root.walk_until(|node| node.is_any(CONTRACTS) || node.is_any(BODIES)) {
            if node.is("import_directive") {
                unit.imports.extend(reader.import(node));
            } else if node.is_any(CONTRACTS) {
                unit.contracts.extend(reader.contract(node));
            } else {
                reader.member(node, Place::File, &mut unit.free);
            }
        }
        unit
    }
}

/// Reads a type that stands in a body.
pub fn read_type(node: Node<'_>, text: &str) -> TypeName {
    type_name(node, text, 0)
}

struct Reader<'t> {
    text: &'t str,
}

/// Where a member is declared.
#[derive(Clone, Copy, PartialEq)]
enum Place<'t> {
    File,
    In(&'t str, ContractKind),
}

impl Reader<'_> {
    fn import(&self, node: Node<'_>) -> Option<Import> {
        let source = node.child("source")?;
        let mut names: Vec<(String, String)> = Vec::new();
        let mut module = None;
        for child in node.children() {
            match child.field() {
                Some("import_name") => names.push((self.string(child), self.string(child))),
                Some("alias") => match names.last_mut() {
                    Some((_, here)) => *here = self.string(child),
                    None => module = Some(self.string(child)),
                },
                _ => {}
            }
        }
        let is_listed = node.child_of_kind("{").is_some();
        let names = match module {
            Some(module) => ImportedNames::Module(module),
            None if is_listed || !names.is_empty() => ImportedNames::Some(names),
            None => ImportedNames::All,
        };
        let source = source.text(self.text).trim_matches(['"', '\'']).to_owned();
        Some(Import { source, at: node.start(), names })
    }

    fn contract(&self, node: Node<'_>) -> Option<Contract> {
        let name = node.child("name").filter(|name| !name.span().is_empty())?;
        let kind = match node.kind() {
            "interface_declaration" => ContractKind::Interface,
            "library_declaration" => ContractKind::Library,
            _ if node.child_of_kind("abstract").is_some() => ContractKind::Abstract,
            _ => ContractKind::Contract,
        };
        let bases = node.children().filter(|child| child.is("inheritance_specifier"));
        let bases = bases.filter_map(|base| base.child("ancestor")).map(|base| self.path(base)).collect();
        let mut members = Members::default();
        let place = Place::In(name.text(self.text), kind);
        if let Some(body) = node.child("body") {
            for member in body.walk_until(|inner| inner.is_any(BODIES) || inner.is_any(CONTRACTS)).skip(1) {
                self.member(member, place, &mut members);
            }
        }
        Some(Contract { name: self.string(name), at: name.start(), span: node.span(), kind, bases, members })
    }

    fn member(&self, node: Node<'_>, place: Place<'_>, members: &mut Members) {
        match node.kind() {
            "function_definition"
            | "constructor_definition"
            | "fallback_receive_definition"
            | "modifier_definition" => members.functions.extend(self.function(node, place)),
            "state_variable_declaration" | "constant_variable_declaration" => {
                members.variables.extend(self.variable(node));
            }
            "struct_declaration" | "enum_declaration" | "user_defined_type_definition" => {
                members.types.extend(self.type_definition(node));
            }
            "event_definition" => members.events.extend(self.signed(node, "event_parameter")),
            "error_declaration" => members.errors.extend(self.signed(node, "error_parameter")),
            "using_directive" => members.usings.push(self.using(node)),
            _ => {}
        }
    }

    fn function(&self, node: Node<'_>, place: Place<'_>) -> Option<Function> {
        let (kind, name, at) = self.named(node, place)?;
        let body = node.child("body");
        let end = body.map_or_else(|| node.end(), Node::start);
        let head = Span::new(node.start(), end.max(node.start()));
        let is_invocation = |child: &Node<'_>| child.is("modifier_invocation") && child.text(self.text) != OLD_VIEW;
        let invocations = node.children().filter(is_invocation);
        let returns = node.child("return_type").unwrap_or(node);
        let returned =
            if node.is("function_definition") && returns != node { self.params(returns) } else { Vec::new() };
        Some(Function {
            kind,
            name,
            at,
            span: node.span(),
            head,
            body: body.map(Node::index),
            node: node.index(),
            params: self.params_before(node, "returns"),
            returns: returned,
            visibility: self.visibility(node).unwrap_or(default_visibility(kind, place)),
            mutability: self.mutability(node),
            modifiers: invocations.map(|invocation| self.invocation(invocation)).collect(),
            is_virtual: node.child_of_kind("virtual").is_some()
                || matches!(place, Place::In(_, ContractKind::Interface)),
        })
    }

    /// Tells what a definition is; before 0.5 a constructor has its contract's name, before 0.6 a fallback none.
    fn named(&self, node: Node<'_>, place: Place<'_>) -> Option<(FunctionKind, String, usize)> {
        let keyword = |kind: FunctionKind| Some((kind, kind.as_str().to_owned(), node.start()));
        match node.kind() {
            "constructor_definition" => return keyword(FunctionKind::Constructor),
            "fallback_receive_definition" if node.child_of_kind("receive").is_some() => {
                return keyword(FunctionKind::Receive);
            }
            "fallback_receive_definition" => return keyword(FunctionKind::Fallback),
            _ => {}
        }
        let name = node.child("name").filter(|name| !name.span().is_empty())?;
        let kind = match place {
            _ if node.is("modifier_definition") => FunctionKind::Modifier,
            Place::In(contract, ContractKind::Contract) if contract == name.text(self.text) => {
                return Some((FunctionKind::Constructor, "constructor".to_owned(), name.start()));
            }
            _ => FunctionKind::Function,
        };
        Some((kind, self.string(name), name.start()))
    }

    fn visibility(&self, node: Node<'_>) -> Option<Visibility> {
        // A constructor's visibility is a mere token.
        let words = node.children().filter(|child| child.is("visibility") || child.is_leaf());
        words.map(|word| word.text(self.text)).find_map(|word| match word {
            "external" => Some(Visibility::External),
            "public" => Some(Visibility::Public),
            "internal" => Some(Visibility::Internal),
            "private" => Some(Visibility::Private),
            _ => None,
        })
    }

    fn mutability(&self, node: Node<'_>) -> Mutability {
        let words = node
            .children()
            .filter(|child| child.is_any(&["state_mutability", "modifier_invocation"]) || child.is_leaf());
        let stated = words.map(|word| word.text(self.text)).find_map(|word| match word {
            "pure" => Some(Mutability::Pure),
            "view" | OLD_VIEW => Some(Mutability::View),
            "payable" => Some(Mutability::Payable),
            _ => None,
        });
        stated.unwrap_or(Mutability::Nonpayable)
    }

    fn invocation(&self, node: Node<'_>) -> Invocation {
        let names = node.children().take_while(|child| child.kind() != "(").filter(|child| child.is("identifier"));
        Invocation {
            path: names.map(|name| self.string(name)).collect(),
            text: one_line(node.text(self.text)),
            at: node.start(),
            node: node.index(),
        }
    }

    fn params(&self, node: Node<'_>) -> Vec<Param> {
        self.params_before(node, "")
    }

    fn params_before(&self, node: Node<'_>, end: &str) -> Vec<Param> {
        let before = node.children().take_while(|child| child.kind() != end || child.is_named());
        before.filter(|child| child.is("parameter")).map(|param| self.param(param)).collect()
    }

    fn param(&self, node: Node<'_>) -> Param {
        Param {
            name: node.child("name").map(|name| self.string(name)),
            of: self.type_in(node),
            location: node.child("location").map(|location| self.string(location)),
        }
    }

    fn variable(&self, node: Node<'_>) -> Option<Variable> {
        let name = node.child("name").filter(|name| !name.span().is_empty())?;
        let storage = match () {
            () if node.is("constant_variable_declaration") || node.child_of_kind("constant").is_some() => {
                Storage::Constant
            }
            () if node.child_of_kind("immutable").is_some() => Storage::Immutable,
            () if node.child("location").is_some() => Storage::Transient,
            () => Storage::State,
        };
        let value = node.child("value");
        let end = node.child_of_kind("=").map_or_else(|| node.end(), Node::start);
        Some(Variable {
            name: self.string(name),
            at: name.start(),
            span: node.span(),
            of: self.type_in(node),
            visibility: self.visibility(node).unwrap_or(Visibility::Internal),
            storage,
            value: value.map(Node::index),
            head: Span::new(node.start(), end),
        })
    }

    fn type_definition(&self, node: Node<'_>) -> Option<TypeDefinition> {
        let name = node.child("name").filter(|name| !name.span().is_empty())?;
        let members = |body: Node<'_>| {
            body.children().filter(|child| child.is("struct_member")).map(|member| self.param(member)).collect()
        };
        let values = |body: Node<'_>| {
            body.children().filter(|child| child.is("enum_value")).map(|value| self.string(value)).collect()
        };
        let shape = match node.kind() {
            "struct_declaration" => Shape::Struct(node.child("body").map(members).unwrap_or_default()),
            "enum_declaration" => Shape::Enum(node.child("body").map(values).unwrap_or_default()),
            _ => Shape::Value(node.child_of_kind("primitive_type").map_or(TypeName::Unknown, |it| self.elementary(it))),
        };
        Some(TypeDefinition { name: self.string(name), at: name.start(), span: node.span(), shape })
    }

    fn signed(&self, node: Node<'_>, parameter: &str) -> Option<Signed> {
        let name = node.child("name").filter(|name| !name.span().is_empty())?;
        let params = node.children().filter(|child| child.is(parameter)).map(|param| self.param(param)).collect();
        Some(Signed { name: self.string(name), at: name.start(), span: node.span(), params })
    }

    fn using(&self, node: Node<'_>) -> Using {
        let listed = node.children().filter(|child| child.is_any(&["type_alias", "using_alias"]));
        let names = listed.map(|child| self.path(child)).collect();
        let of = node.child("source").filter(|source| source.is("type_name"));
        Using { names, is_list: node.child_of_kind("{").is_some(), of: of.map(|of| self.type_name(of, 0)) }
    }

    fn type_in(&self, node: Node<'_>) -> TypeName {
        node.child("type").map_or(TypeName::Unknown, |of| self.type_name(of, 0))
    }

    fn type_name(&self, node: Node<'_>, depth: usize) -> TypeName {
        type_name(node, self.text, depth)
    }

    fn elementary(&self, node: Node<'_>) -> TypeName {
        elementary(node, self.text)
    }

    /// Returns the identifiers of `A.B.C`.
    fn path(&self, node: Node<'_>) -> Vec<String> {
        path(node, self.text)
    }

    fn string(&self, node: Node<'_>) -> String {
        node.text(self.text).to_owned()
    }
}

fn path(node: Node<'_>, text: &str) -> Vec<String> {
    if node.is("identifier") {
        return vec![node.text(text).to_owned()];
    }
    node.descendants().filter(|leaf| leaf.is("identifier")).map(|leaf| leaf.text(text).to_owned()).collect()
}

fn elementary(node: Node<'_>, text: &str) -> TypeName {
    let name = match node.text(text).split_whitespace().next().unwrap_or_default() {
        "uint" => "uint256",
        "int" => "int256",
        "byte" => "bytes1",
        "fixed" => "fixed128x18",
        "ufixed" => "ufixed128x18",
        name => name,
    };
    TypeName::Elementary(name.to_owned())
}

/// Reads a type from a `type_name`, or from the expression that a type is written as.
fn type_name(node: Node<'_>, text: &str, depth: usize) -> TypeName {
    if depth > DEEPEST_TYPE {
        return TypeName::Unknown;
    }
    let inner = |node: Node<'_>| type_name(node, text, depth + 1);
    match node.kind() {
        "primitive_type" => return elementary(node, text),
        "user_defined_type" | "identifier" => return TypeName::Named(path(node, text)),
        _ => {}
    }
    if let (Some(key), Some(value)) = (node.child("key_type"), node.child("value_type")) {
        return TypeName::Mapping(Box::new(inner(key)), Box::new(inner(value)));
    }
    if node.child_of_kind("function").is_some() {
        let returns = node.children().filter(|child| child.is("return_parameter"));
        let returns = returns.filter_map(|child| child.child("type")).map(inner).collect();
        return TypeName::Function(returns);
    }
    let Some(first) = node.named_children().next() else { return TypeName::Unknown };
    match node.child_of_kind("[") {
        Some(_) => {
            let length = node.named_children().nth(1).map(|length| length.text(text).to_owned());
            TypeName::Array(Box::new(inner(first)), length)
        }
        None => inner(first),
    }
}

fn default_visibility(kind: FunctionKind, place: Place<'_>) -> Visibility {
    match (kind, place) {
        (FunctionKind::Modifier, _) | (_, Place::File) => Visibility::Internal,
        (_, Place::In(_, ContractKind::Interface)) => Visibility::External,
        _ => Visibility::Public,
    }
}

/// Writes a stretch of code on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
