//! Which nodes of the grammars are functions, branches, loops and the like.
//!
//! One list for all languages: where two grammars share a word, they mean the same by it.

/// What a node is to those who look at the shape of code; a node can be several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A function with a name of its own.
    Function,
    /// JavaScript's functions without a declaration.
    Expression,
    Lambda,
    Class,
    If,
    /// `elif` and its like: a node of its own behind an `if`.
    ElseIf,
    Else,
    Loop,
    Switch,
    /// One way through a switch.
    Case,
    Catch,
    Ternary,
    /// Holds statements one step deeper, and decides nothing.
    Block,
    /// Only holds another node: parentheses, and the words that Solidity's grammar puts around every statement
    /// and expression.
    Wrapper,
    /// `a && b`, `a or b`, and every other operation on two values.
    Binary,
    Comment,
}

/// The words that the grammars have for each role.
const ROLES: &[(Role, &[&str])] = &[
    (
        Role::Function,
        &[
            "function_definition",
            "function_declaration",
            "generator_function_declaration",
            "method_definition",
            "function_signature",
            "method_signature",
            "abstract_method_signature",
            "constructor_definition",
            "modifier_definition",
            "fallback_receive_definition",
            "function_item",
            "function_signature_item",
            "method_declaration",
            "method_elem",
            "constructor_declaration",
            "compact_constructor_declaration",
            "annotation_type_element_declaration",
        ],
    ),
    (Role::Expression, &["function_expression", "generator_function", "arrow_function"]),
    (Role::Lambda, &["lambda", "closure_expression", "func_literal", "lambda_expression"]),
    (
        Role::Class,
        &[
            "class_definition",
            "class_declaration",
            "abstract_class_declaration",
            "class",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
            "contract_declaration",
            "library_declaration",
            "struct_declaration",
            "struct_item",
            "union_item",
            "enum_item",
            "trait_item",
            "impl_item",
            "type_spec",
            "class_specifier",
            "struct_specifier",
        ],
    ),
    (Role::If, &["if_statement", "if_expression", "yul_if_statement"]),
    (Role::ElseIf, &["elif_clause", "elseif_statement"]),
    (Role::Else, &["else_clause", "else_statement"]),
    (
        Role::Loop,
        &[
            "for_statement",
            "for_in_statement",
            "for_range_loop",
            "c_style_for_statement",
            "enhanced_for_statement",
            "for_expression",
            "while_statement",
            "while_expression",
            "do_statement",
            "do_while_statement",
            "repeat_statement",
            "loop_expression",
            "yul_for_statement",
        ],
    ),
    (
        Role::Switch,
        &[
            "switch_statement",
            "switch_expression",
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
            "match_statement",
            "match_expression",
        ],
    ),
    (
        Role::Case,
        &[
            "switch_case",
            "switch_default",
            "switch_block_statement_group",
            "switch_rule",
            "expression_case",
            "type_case",
            "communication_case",
            "default_case",
            "match_arm",
            "case_clause",
            "case_statement",
            "case_item",
        ],
    ),
    (Role::Catch, &["catch_clause", "except_clause", "except_group_clause"]),
    (Role::Ternary, &["ternary_expression", "conditional_expression"]),
    (Role::Block, &["try_statement", "try_with_resources_statement", "with_statement"]),
    (Role::Wrapper, &["parenthesized_expression", "expression", "statement"]),
    (Role::Binary, &["binary_expression", "boolean_operator"]),
];

/// The roles of one kind of nodes: a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u32);

impl Roles {
    pub const NONE: Self = Self(0);

    /// Returns the roles of the nodes that a grammar has this name for.
    pub(super) fn of(kind: &str) -> Self {
        let mut roles: Self = ROLES.iter().filter(|(_, kinds)| kinds.contains(&kind)).map(|(role, _)| *role).collect();
        if kind.ends_with("comment") {
            roles = roles.with(Role::Comment);
        }
        roles
    }

    pub const fn with(self, role: Role) -> Self {
        Self(self.0 | 1 << role as u32)
    }

    pub const fn has(self, role: Role) -> bool {
        self.0 & 1 << role as u32 != 0
    }

    pub const fn any(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        roles.into_iter().fold(Self::default(), Self::with)
    }
}
