//! One pass over a source's tree: where its declarations and identifiers stand.

use std::collections::HashMap;

use slang_solidity::cst::{
    Cursor, EdgeLabel, NodeId, NodeKind, NonterminalKind, TerminalKind, TerminalKindExtensions, TextRange,
};

use super::model::{Mutability, Visibility};
use crate::text::Span;

/// What one tree declares, by the numbers of its nodes.
#[derive(Default)]
pub(super) struct Shape {
    pub(super) items: Vec<Item>,
    pub(super) by_node: HashMap<NodeId, usize>,
    pub(super) identifiers: HashMap<NodeId, Identifier>,
}

/// A declaration.
pub(super) struct Item {
    pub(super) node: NodeId,
    pub(super) kind: NonterminalKind,
    /// Without the comments and white space around it.
    pub(super) span: Span,
    pub(super) body: Option<Span>,
    pub(super) type_span: Option<Span>,
    pub(super) parent: Option<usize>,
    pub(super) visibility: Option<Visibility>,
    pub(super) mutability: Option<Mutability>,
    pub(super) is_abstract: bool,
    pub(super) is_virtual: bool,
    pub(super) is_override: bool,
    /// A parameter that is returned.
    pub(super) is_returned: bool,
}

/// An identifier, with the innermost declaration around it.
#[derive(Clone, Copy)]
pub(super) struct Identifier {
    pub(super) span: Span,
    pub(super) within: Option<usize>,
    /// In inline assembly.
    pub(super) is_yul: bool,
}

impl Shape {
    pub(super) fn of(mut cursor: Cursor) -> Self {
        let mut walk = Walk::default();
        loop {
            walk.visit(&cursor);
            if !cursor.go_to_next() {
                return walk.shape;
            }
        }
    }

    /// Returns the nodes of the parameters that a declaration takes, named or not.
    pub(super) fn taken_by(&self, item: usize) -> Vec<NodeId> {
        let head = self.items[item].body.map_or(self.items[item].span.end, |body| body.start);
        let inside = self.items[item + 1..].iter().take_while(|one| one.span.start < head);
        let taken = inside.filter(|one| one.parent == Some(item) && is_parameter(one.kind) && !one.is_returned);
        taken.map(|one| one.node).collect()
    }
}

#[derive(Default)]
struct Walk {
    shape: Shape,
    /// Declarations, types and bodies that the walk is inside of.
    open: Vec<Open>,
}

/// A node that the walk is inside of: what its trimmed span belongs to.
struct Open {
    item: usize,
    part: Part,
    /// Where the node ends, trivia included.
    end: usize,
    trimmed: Option<Span>,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    Body,
    Type,
    Returns,
}

impl Walk {
    fn visit(&mut self, cursor: &Cursor) {
        let range = cursor.text_range();
        while self.open.last().is_some_and(|open| open.end <= range.start.utf8 && range.end.utf8 > range.start.utf8) {
            self.open.pop();
        }
        match cursor.node().kind() {
            NodeKind::Nonterminal(kind) => self.enter(cursor, kind, &range),
            NodeKind::Terminal(kind) => self.terminal(cursor, kind, &range),
        }
    }

    fn enter(&mut self, cursor: &Cursor, kind: NonterminalKind, range: &TextRange) {
        if declares(kind) {
            let item = self.begin(cursor.node().id(), kind, range);
            self.open.push(Open { item, part: Part::Whole, end: range.end.utf8, trimmed: None });
            return;
        }
        let Some(item) = self.innermost() else { return };
        let label = cursor.label();
        let part = match kind {
            NonterminalKind::Block if self.is_bodiless_callable(item) => Part::Body,
            NonterminalKind::ReturnsDeclaration => Part::Returns,
            NonterminalKind::OverrideSpecifier => {
                self.shape.items[item].is_override = true;
                return;
            }
            _ if matches!(label, EdgeLabel::TypeName | EdgeLabel::VariableType) => Part::Type,
            _ => return,
        };
        let is_type_of_another = part == Part::Type && self.shape.items[item].type_span.is_some();
        if !is_type_of_another {
            self.open.push(Open { item, part, end: range.end.utf8, trimmed: None });
        }
    }

    fn begin(&mut self, node: NodeId, kind: NonterminalKind, range: &TextRange) -> usize {
        let at = self.shape.items.len();
        self.shape.by_node.insert(node, at);
        self.shape.items.push(Item {
            node,
            kind,
            span: Span::at(range.start.utf8),
            body: None,
            type_span: None,
            parent: self.innermost(),
            visibility: None,
            mutability: None,
            is_abstract: false,
            is_virtual: false,
            is_override: false,
            is_returned: self.open.last().is_some_and(|open| open.part == Part::Returns),
        });
        at
    }

    fn terminal(&mut self, cursor: &Cursor, kind: TerminalKind, range: &TextRange) {
        if kind.is_trivia() || range.is_empty() {
            return;
        }
        let span = Span::new(range.start.utf8, range.end.utf8);
        for open in &mut self.open {
            let trimmed = Span::new(open.trimmed.map_or(span.start, |trimmed| trimmed.start), span.end);
            open.trimmed = Some(trimmed);
            let item = &mut self.shape.items[open.item];
            match open.part {
                Part::Whole => item.span = trimmed,
                Part::Body => item.body = Some(trimmed),
                Part::Type => item.type_span = Some(trimmed),
                Part::Returns => {}
            }
        }
        if kind.is_identifier() {
            let is_yul = kind == TerminalKind::YulIdentifier;
            let identifier = Identifier { span, within: self.innermost(), is_yul };
            self.shape.identifiers.insert(cursor.node().id(), identifier);
        } else if let Some(item) = self.innermost() {
            self.attribute(cursor, kind, item);
        }
    }

    /// Notes a keyword that says something about the declaration that it stands in.
    fn attribute(&mut self, cursor: &Cursor, kind: TerminalKind, item: usize) {
        let Some(parent) = cursor.ancestors().next() else { return };
        let item = &mut self.shape.items[item];
        if !carries_attributes(parent.kind) {
            return;
        }
        match kind {
            TerminalKind::PublicKeyword => item.visibility = Some(Visibility::Public),
            TerminalKind::ExternalKeyword => item.visibility = Some(Visibility::External),
            TerminalKind::InternalKeyword => item.visibility = Some(Visibility::Internal),
            TerminalKind::PrivateKeyword => item.visibility = Some(Visibility::Private),
            TerminalKind::PureKeyword => item.mutability = Some(Mutability::Pure),
            TerminalKind::ViewKeyword => item.mutability = Some(Mutability::View),
            TerminalKind::PayableKeyword => item.mutability = Some(Mutability::Payable),
            // Before 0.5 a function could be `constant`, which is `view`.
            TerminalKind::ConstantKeyword if parent.kind != NonterminalKind::StateVariableAttribute => {
                item.mutability = Some(Mutability::View);
            }
            TerminalKind::ConstantKeyword => item.mutability = Some(Mutability::Constant),
            TerminalKind::ImmutableKeyword => item.mutability = Some(Mutability::Immutable),
            TerminalKind::TransientKeyword => item.mutability = Some(Mutability::Transient),
            TerminalKind::VirtualKeyword => item.is_virtual = true,
            TerminalKind::AbstractKeyword => item.is_abstract = true,
            _ => {}
        }
    }

    fn innermost(&self) -> Option<usize> {
        self.open.last().map(|open| open.item)
    }

    fn is_bodiless_callable(&self, item: usize) -> bool {
        let item = &self.shape.items[item];
        item.body.is_none() && is_callable(item.kind)
    }
}

fn is_parameter(kind: NonterminalKind) -> bool {
    matches!(kind, NonterminalKind::Parameter | NonterminalKind::EventParameter | NonterminalKind::ErrorParameter)
}

fn is_callable(kind: NonterminalKind) -> bool {
    matches!(
        kind,
        NonterminalKind::FunctionDefinition
            | NonterminalKind::ModifierDefinition
            | NonterminalKind::ConstructorDefinition
            | NonterminalKind::FallbackFunctionDefinition
            | NonterminalKind::ReceiveFunctionDefinition
            | NonterminalKind::UnnamedFunctionDefinition
    )
}

fn declares(kind: NonterminalKind) -> bool {
    is_callable(kind)
        || matches!(
            kind,
            NonterminalKind::ContractDefinition
                | NonterminalKind::InterfaceDefinition
                | NonterminalKind::LibraryDefinition
                | NonterminalKind::EventDefinition
                | NonterminalKind::ErrorDefinition
                | NonterminalKind::StructDefinition
                | NonterminalKind::StructMember
                | NonterminalKind::EnumDefinition
                | NonterminalKind::UserDefinedValueTypeDefinition
                | NonterminalKind::StateVariableDefinition
                | NonterminalKind::ConstantDefinition
                | NonterminalKind::Parameter
                | NonterminalKind::EventParameter
                | NonterminalKind::ErrorParameter
                | NonterminalKind::VariableDeclarationStatement
                | NonterminalKind::TypedTupleMember
                | NonterminalKind::UntypedTupleMember
                | NonterminalKind::PathImport
                | NonterminalKind::NamedImport
                | NonterminalKind::ImportDeconstructionSymbol
                | NonterminalKind::YulFunctionDefinition
                | NonterminalKind::YulLabel
        )
}

fn carries_attributes(kind: NonterminalKind) -> bool {
    matches!(
        kind,
        NonterminalKind::ContractDefinition
            | NonterminalKind::FunctionAttribute
            | NonterminalKind::ConstructorAttribute
            | NonterminalKind::ModifierAttribute
            | NonterminalKind::FallbackFunctionAttribute
            | NonterminalKind::ReceiveFunctionAttribute
            | NonterminalKind::UnnamedFunctionAttribute
            | NonterminalKind::StateVariableAttribute
    )
}
