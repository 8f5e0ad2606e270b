//! A function's body as expressions, in the order in which they are evaluated.
//!
//! The grammar binds `.`, `[…]` and `(…)` behind an operator to the whole of what stands before it
//! (tree-sitter-solidity 1.2: `a == b.c.d` is read as `(a == b.c).d`); here they are bound to the last operand.

use crate::syntax::Node;
use crate::syntax::contracts::{TypeName, read_type};
use crate::text::Span;

/// The number of an expression.
pub(super) type ExprId = usize;

/// What a function or a modifier does.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub exprs: Vec<Expr>,
    pub steps: Vec<Step>,
    pub assembly: Vec<Assembly>,
    pub locals: Vec<Local>,
    /// What runs more than once.
    pub loops: Vec<Span>,
}

#[derive(Debug)]
pub(super) struct Expr {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum Kind {
    Name(String),
    Member(ExprId, String),
    Index(ExprId, Vec<ExprId>),
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    /// `{value: …}` behind a function.
    Options(ExprId, Vec<ExprId>),
    New,
    /// A type where a value could stand: `uint256(…)`, `type(T)`.
    Type,
    Assign {
        left: ExprId,
        right: ExprId,
        reads: Reads,
    },
    /// `++`, `--`
    Update(ExprId),
    Delete(ExprId),
    Tuple(Vec<ExprId>),
    Ternary([ExprId; 3]),
    /// An operator with its operands.
    Operation(Vec<ExprId>),
    List(Vec<ExprId>),
    Literal,
    /// What is left out of a tuple, and what could not be read.
    Unknown,
}

/// Whether an assignment reads what it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    Not,
    Before,
}

/// One thing that is evaluated as a whole.
#[derive(Debug)]
pub(super) enum Step {
    Expr(Role, ExprId),
    /// `revert("…")`, with all that stands in it.
    Revert(Span),
    /// Its place in [`Code::assembly`].
    Assembly(usize),
}

/// A name or a call in inline assembly.
#[derive(Debug)]
pub(super) enum Assembly {
    /// A name with what its value is used for.
    Name { name: String, span: Span, used: Used },
    /// A built-in function with its arguments.
    Call { name: String, span: Span, args: Vec<Span> },
    /// `name.slot := …`
    Slot { name: String, at: usize, value: Span },
}

/// What a name in assembly is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Used {
    Value,
    /// It is where `sstore` writes.
    Written,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Emit,
    Revert,
    Try,
    Return,
    /// A modifier's or a base constructor's name in the head.
    Invocation,
    /// `_` in a modifier.
    Body,
}

/// A variable of the body, a parameter or a named result.
#[derive(Debug)]
pub(super) struct Local {
    pub of: Option<TypeName>,
    pub is_storage: bool,
    pub has_no_location: bool,
    /// Where its type stands.
    pub type_at: usize,
    /// Which parameter it is.
    pub param: Option<usize>,
    pub from: usize,
    /// What it is first given, and which part of it.
    pub value: Option<(ExprId, Option<usize>)>,
}

/// Expressions that nest deeper are not read.
const DEEPEST: usize = 150;

impl Code {
    /// Reads the code below a node: a function with its head, or the value of a variable.
    pub(super) fn of(node: Node<'_>, text: &str) -> Self {
        let mut reader = Reader { code: Self::default(), text };
        let is_root =
            |node: Node<'_>| node.is_any(&["expression", "modifier_invocation"]) || node.is("override_specifier");
        for inner in node.walk_until(is_root) {
            reader.visit(inner, node);
        }
        reader.code
    }

    pub(super) fn text<'t>(&self, expr: ExprId, text: &'t str) -> &'t str {
        self.exprs[expr].span.of(text).unwrap_or_default()
    }
}

struct Reader<'t> {
    code: Code,
    text: &'t str,
}

impl Reader<'_> {
    fn visit(&mut self, node: Node<'_>, function: Node<'_>) {
        match node.kind() {
            "expression" => self.root(node),
            "modifier_invocation" => self.invocation(node),
            "for_statement" | "while_statement" | "do_while_statement" => self.code.loops.push(node.span()),
            "yul_for_statement" => self.code.loops.push(node.span()),
            "variable_declaration" => self.declaration(node),
            "parameter" => self.parameter(node, function),
            "revert_statement" if node.child("error").is_none() => self.code.steps.push(Step::Revert(node.span())),
            "yul_function_call" | "yul_path" | "yul_assignment" => self.assembly(node),
            // `var (a, b) = …` of old compilers.
            "identifier" if node.parent().is_some_and(|it| it.is("variable_declaration_tuple")) => {
                self.local(node, node, None);
            }
            _ => {}
        }
    }

    fn assembly(&mut self, node: Node<'_>) {
        let text = |node: Node<'_>| node.text(self.text).to_owned();
        let step = match node.kind() {
            "yul_function_call" => {
                let Some(function) = node.child("function") else { return };
                let args = node.named_children().filter(|child| child.field() != Some("function")).map(Node::span);
                Assembly::Call { name: text(function), span: node.span(), args: args.collect() }
            }
            "yul_path" => {
                let is_written = |call: Node<'_>| {
                    let name = call.child("function").map(|name| name.text(self.text)).unwrap_or_default();
                    let first = call.named_children().find(|child| child.field() != Some("function"));
                    matches!(name, "sstore" | "tstore") && first.is_some_and(|first| first == node || first.holds(node))
                };
                let calls = node.ancestors().take_while(|outer| !outer.is("assembly_statement"));
                let written = calls.into_iter().filter(|outer| outer.is("yul_function_call")).any(is_written);
                let name = node.named_children().next().map(text).unwrap_or_default();
                Assembly::Name { name, span: node.span(), used: if written { Used::Written } else { Used::Value } }
            }
            _ => {
                let parts: Vec<Node<'_>> = node.named_children().collect();
                let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
                let Some((name, "slot")) = first.text(self.text).split_once('.') else { return };
                Assembly::Slot { name: name.to_owned(), at: first.start(), value: last.span() }
            }
        };
        self.code.steps.push(Step::Assembly(self.code.assembly.len()));
        self.code.assembly.push(step);
    }

    fn root(&mut self, node: Node<'_>) {
        let role = match node.parent() {
            Some(parent) if parent.is("emit_statement") && node.field() == Some("name") => Role::Emit,
            Some(parent) if parent.is("revert_statement") => Role::Revert,
            Some(parent) if parent.is("try_statement") => Role::Try,
            Some(parent) if parent.is("return_statement") => Role::Return,
            Some(parent) if parent.is("expression_statement") && node.text(self.text) == "_" => Role::Body,
            _ => Role::Plain,
        };
        let expr = self.expr(node, 0);
        self.code.steps.push(Step::Expr(role, expr));
        if let Some(statement) = node.parent().filter(|parent| parent.is("variable_declaration_statement")) {
            self.give(statement, expr);
        }
    }

    /// Notes what the variables of a declaration are given.
    fn give(&mut self, statement: Node<'_>, expr: ExprId) {
        let tuple = statement.children().find(|child| child.is("variable_declaration_tuple"));
        let Some(tuple) = tuple else {
            let declared = statement.children().find(|child| child.is("variable_declaration"));
            return self.give_to(declared, (expr, None));
        };
        let mut at = 0;
        for part in tuple.children() {
            match part.kind() {
                "," => at += 1,
                _ if part.is_any(&["variable_declaration", "identifier"]) => self.give_to(Some(part), (expr, Some(at))),
                _ => {}
            }
        }
    }

    fn give_to(&mut self, declared: Option<Node<'_>>, value: (ExprId, Option<usize>)) {
        let Some(declared) = declared else { return };
        let name = declared.child("name").unwrap_or(declared);
        if let Some(local) = self.code.locals.iter_mut().rfind(|local| local.from == name.start()) {
            local.value = Some(value);
        }
    }

    fn invocation(&mut self, node: Node<'_>) {
        let names: Vec<Node<'_>> =
            node.children().take_while(|child| child.kind() != "(").filter(|child| child.is("identifier")).collect();
        let Some((first, rest)) = names.split_first() else { return };
        let mut callee = self.push(Kind::Name(first.text(self.text).to_owned()), first.span());
        for name in rest {
            let span = Span::new(first.start(), name.end());
            callee = self.push(Kind::Member(callee, name.text(self.text).to_owned()), span);
        }
        let args = self.arguments(node, 0);
        let expr = self.push(Kind::Call { callee, args }, node.span());
        self.code.steps.push(Step::Expr(Role::Invocation, expr));
    }

    fn declaration(&mut self, node: Node<'_>) {
        if let Some(name) = node.child("name") {
            self.local(node, name, None);
        }
    }

    fn parameter(&mut self, node: Node<'_>, function: Node<'_>) {
        let Some(list) = node.parent() else { return };
        // Parameters of the function itself, of its results, of `try … returns` and of `catch`.
        let index = (list == function)
            .then(|| list.children().filter(|it| it.is("parameter")).take_while(|it| *it != node).count());
        if let Some(name) = node.child("name") {
            self.local(node, name, index);
        }
    }

    fn local(&mut self, node: Node<'_>, name: Node<'_>, param: Option<usize>) {
        let location = node.child("location").map(|it| it.text(self.text));
        self.code.locals.push(Local {
            // `var` of old compilers takes the type of its value.
            of: node.child("type").filter(|of| of.text(self.text) != "var").map(|of| read_type(of, self.text)),
            is_storage: location == Some("storage"),
            has_no_location: location.is_none(),
            type_at: node.start(),
            param,
            from: name.start(),
            value: None,
        });
    }

    fn push(&mut self, kind: Kind, span: Span) -> ExprId {
        self.code.exprs.push(Expr { kind, span });
        self.code.exprs.len() - 1
    }

    fn exprs<'n>(&mut self, nodes: impl Iterator<Item = Node<'n>>, depth: usize) -> Vec<ExprId> {
        let nodes: Vec<Node<'n>> = nodes.collect();
        nodes.into_iter().map(|node| self.expr(node, depth + 1)).collect()
    }

    fn expr(&mut self, node: Node<'_>, depth: usize) -> ExprId {
        let span = node.span();
        if depth > DEEPEST {
            return self.push(Kind::Unknown, span);
        }
        match node.kind() {
            "expression" | "parenthesized_expression" => match node.named_children().next() {
                Some(inner) if node.is("expression") => self.expr(inner, depth + 1),
                Some(inner) => {
                    let inner = self.expr(inner, depth + 1);
                    self.push(Kind::Tuple(vec![inner]), span)
                }
                None => self.push(Kind::Unknown, span),
            },
            "identifier" => self.push(Kind::Name(node.text(self.text).to_owned()), span),
            "member_expression" | "array_access" | "slice_access" | "call_expression" | "struct_expression" => {
                self.postfix(node, depth)
            }
            _ => self.other(node, depth),
        }
    }

    /// Reads what stands behind an operand.
    fn postfix(&mut self, node: Node<'_>, depth: usize) -> ExprId {
        let base = ["object", "base", "function", "type"].into_iter().find_map(|field| node.child(field));
        let Some(base) = base else { return self.push(Kind::Unknown, node.span()) };
        let base = self.expr(base, depth + 1);
        let added: Box<dyn FnOnce(ExprId) -> Kind> = match node.kind() {
            "member_expression" => {
                let name = node.child("property").map(|it| it.text(self.text).to_owned()).unwrap_or_default();
                Box::new(move |base| Kind::Member(base, name))
            }
            "call_expression" => {
                let args = self.arguments(node, depth);
                Box::new(move |callee| Kind::Call { callee, args })
            }
            "struct_expression" => {
                let values =
                    node.children().filter(|it| it.is("struct_field_assignment")).filter_map(|it| it.child("value"));
                let values = self.exprs(values, depth);
                Box::new(move |base| Kind::Options(base, values))
            }
            _ => {
                let indices = ["index", "from", "to"].into_iter().filter_map(|field| node.child(field));
                let indices = self.exprs(indices, depth);
                Box::new(move |base| Kind::Index(base, indices))
            }
        };
        self.attach(base, added, node.end())
    }

    /// Adds what stands behind an operator's last operand to that operand.
    fn attach(&mut self, base: ExprId, added: Box<dyn FnOnce(ExprId) -> Kind>, end: usize) -> ExprId {
        let mut around = Vec::new();
        let mut last = base;
        loop {
            let inner = match &self.code.exprs[last].kind {
                Kind::Operation(operands) => operands.last().copied(),
                Kind::Update(operand) if self.code.exprs[*operand].span.end == self.code.exprs[last].span.end => {
                    Some(*operand)
                }
                Kind::Delete(operand) => Some(*operand),
                Kind::Assign { right, .. } => Some(*right),
                Kind::Ternary([_, _, otherwise]) => Some(*otherwise),
                _ => None,
            };
            let Some(inner) = inner else { break };
            around.push(last);
            last = inner;
        }
        let span = Span::new(self.code.exprs[last].span.start, end);
        let mut new = self.push(added(last), span);
        let mut old = last;
        for outer in around.into_iter().rev() {
            let expr = &mut self.code.exprs[outer];
            expr.span.end = end;
            replace(&mut expr.kind, old, new);
            (old, new) = (outer, outer);
        }
        new
    }

    fn arguments(&mut self, node: Node<'_>, depth: usize) -> Vec<ExprId> {
        let arguments: Vec<Node<'_>> = node.children().filter(|child| child.is("call_argument")).collect();
        let values = arguments.into_iter().flat_map(|argument| {
            let plain = argument.children().filter(|it| it.is("expression"));
            let named =
                argument.children().filter(|it| it.is("call_struct_argument")).filter_map(|it| it.child("value"));
            plain.chain(named).collect::<Vec<_>>()
        });
        let values: Vec<Node<'_>> = values.collect();
        self.exprs(values.into_iter(), depth)
    }

    fn other(&mut self, node: Node<'_>, depth: usize) -> ExprId {
        let span = node.span();
        let kind = match node.kind() {
            "assignment_expression" | "augmented_assignment_expression" => {
                let (Some(left), Some(right)) = (node.child("left"), node.child("right")) else {
                    return self.push(Kind::Unknown, span);
                };
                let reads = if node.is("assignment_expression") { Reads::Not } else { Reads::Before };
                let (left, right) = (self.expr(left, depth + 1), self.expr(right, depth + 1));
                Kind::Assign { left, right, reads }
            }
            "unary_expression" | "update_expression" => return self.unary(node, depth),
            "binary_expression" => Kind::Operation(self.exprs(node.children().filter(|it| it.is("expression")), depth)),
            "ternary_expression" => match self.exprs(node.named_children(), depth).as_slice() {
                [condition, then, otherwise] => Kind::Ternary([*condition, *then, *otherwise]),
                _ => Kind::Unknown,
            },
            "tuple_expression" => Kind::Tuple(self.parts(node, depth)),
            "inline_array_expression" => Kind::List(self.exprs(node.named_children(), depth)),
            "new_expression" => Kind::New,
            "primitive_type" | "meta_type_expression" => Kind::Type,
            "user_defined_type" => return self.path(node),
            "type_cast_expression" | "payable_conversion_expression" => return self.cast(node, depth),
            _ if node.kind().ends_with("_literal") => Kind::Literal,
            _ => Kind::Unknown,
        };
        self.push(kind, span)
    }

    fn unary(&mut self, node: Node<'_>, depth: usize) -> ExprId {
        let Some(argument) = node.child("argument") else { return self.push(Kind::Unknown, node.span()) };
        let argument = self.expr(argument, depth + 1);
        let kind = match node.child("operator").map(|it| it.text(self.text)) {
            Some("++" | "--") => Kind::Update(argument),
            Some("delete") => Kind::Delete(argument),
            _ => Kind::Operation(vec![argument]),
        };
        self.push(kind, node.span())
    }

    /// Reads the parts of a tuple; what is left out is unknown.
    fn parts(&mut self, node: Node<'_>, depth: usize) -> Vec<ExprId> {
        let mut parts = vec![None];
        for child in node.children() {
            match child.kind() {
                "," => parts.push(None),
                _ if child.is_named() => {
                    *parts.last_mut().expect("there is one from the start") = Some(self.expr(child, depth + 1));
                }
                _ => {}
            }
        }
        parts.into_iter().map(|part| part.unwrap_or_else(|| self.push(Kind::Unknown, Span::at(node.start())))).collect()
    }

    fn cast(&mut self, node: Node<'_>, depth: usize) -> ExprId {
        let callee = self.push(Kind::Type, Span::at(node.start()));
        let args = self.arguments(node, depth);
        self.push(Kind::Call { callee, args }, node.span())
    }

    /// Reads `A.B.C`, which the grammar sometimes takes for a type.
    fn path(&mut self, node: Node<'_>) -> ExprId {
        let names: Vec<Node<'_>> = node.descendants().filter(|it| it.is("identifier")).collect();
        let Some((first, rest)) = names.split_first() else { return self.push(Kind::Unknown, node.span()) };
        let mut expr = self.push(Kind::Name(first.text(self.text).to_owned()), first.span());
        for name in rest {
            let span = Span::new(first.start(), name.end());
            expr = self.push(Kind::Member(expr, name.text(self.text).to_owned()), span);
        }
        expr
    }
}

fn replace(kind: &mut Kind, old: ExprId, new: ExprId) {
    let place = match kind {
        Kind::Operation(operands) => operands.last_mut(),
        Kind::Update(operand) | Kind::Delete(operand) => Some(operand),
        Kind::Assign { right, .. } => Some(right),
        Kind::Ternary([_, _, otherwise]) => Some(otherwise),
        _ => None,
    };
    if let Some(place) = place.filter(|place| **place == old) {
        *place = new;
    }
}
