//! How complicated functions are: cyclomatic and cognitive complexity, and how deep they nest.
//!
//! The numbers are those of each language's own tools: cyclomatic complexity as radon counts it for Python, as
//! ESLint's `complexity` for TypeScript and JavaScript, as gocyclo for Go; cognitive complexity as
//! eslint-plugin-sonarjs (G. Ann Campbell, Cognitive Complexity, 2018).

use super::kinds::{
    Role, Roles, is_alternative, is_block_statement, is_else_if, is_function, is_lambda, logical_operator, unwrapped,
};
use super::{Family, Node, Tree};

/// The numbers of one function, without the functions inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measures {
    pub cyclomatic: u32,
    pub cognitive: u32,
    /// How many control statements stand inside each other at the deepest place.
    pub depth: u32,
}

impl Default for Measures {
    fn default() -> Self {
        Self { cyclomatic: 1, cognitive: 0, depth: 0 }
    }
}

/// The numbers of the functions of one text.
#[derive(Debug)]
pub struct Measured(Vec<(usize, Measures)>);

impl Measured {
    /// Returns the numbers of a function; of what is none, those of nothing.
    pub fn of(&self, function: Node<'_>) -> Option<Measures> {
        let at = self.0.binary_search_by_key(&function.index(), |(index, _)| *index).ok()?;
        self.0.get(at).map(|(_, measures)| *measures)
    }

    /// Returns the numbers of all functions in order, each with the [`Node::index`] of its node.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Measures)> {
        self.0.iter().copied()
    }
}

/// Where a node stands: in which function, and how deep.
#[derive(Clone, Copy)]
struct Place {
    /// Its number among the functions.
    function: Option<u32>,
    /// Steps of cognitive nesting.
    nesting: u32,
    /// Control statements around it.
    blocks: u32,
}

const OUTSIDE: Place = Place { function: None, nesting: 0, blocks: 0 };

/// Measures all functions of a text: those with a name, and those that a script writes without one.
pub fn measures(tree: &Tree, text: &str) -> Measured {
    let family = tree.language().family();
    let mut measured: Vec<(usize, Measures)> = Vec::new();
    let mut places: Vec<Place> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes().iter() {
        let outer = node.parent().map_or(OUTSIDE, |parent| places[parent.index()]);
        let place = if node.is_leaf() { outer } else { place(node, outer, (family, &measured)) };
        places.push(place);
        if is_function(node, family) {
            measured.push((node.index(), Measures::default()));
        }
        let Some((_, function)) = place.function.and_then(|at| measured.get_mut(at as usize)) else { continue };
        function.cyclomatic += cyclomatic(node, family, text);
        function.cognitive += cognitive(node, outer.nesting, family);
        function.depth = function.depth.max(place.blocks);
    }
    Measured(measured)
}

fn place(node: Node<'_>, outer: Place, (family, known): (Family, &[(usize, Measures)])) -> Place {
    if is_function(node, family) {
        // Python evaluates defaults and decorators outside of the function.
        let function = (family != Family::Python).then_some(known.len() as u32);
        return Place { function, ..OUTSIDE };
    }
    if node.has(Role::Class) || is_initializer(node) {
        return OUTSIDE;
    }
    let Some(parent) = node.parent() else { return OUTSIDE };
    if family == Family::Python && parent.has(Role::Function) {
        let function = known.binary_search_by_key(&parent.index(), |(index, _)| *index).ok().map(|at| at as u32);
        return Place { function: function.filter(|_| node.field() == Some("body")), ..OUTSIDE };
    }
    Place {
        function: outer.function,
        nesting: outer.nesting + u32::from(is_deeper(node, parent, family)),
        blocks: outer.blocks + u32::from(is_block_statement(node)),
    }
}

/// Tells whether a node is the initial value of a script class's field: a function that nobody wrote.
fn is_initializer(node: Node<'_>) -> bool {
    let is_value = |parent: Node<'_>| parent.is_any(&["public_field_definition", "field_definition"]);
    node.field() == Some("value") && node.parent().is_some_and(is_value) || node.is("class_static_block")
}

/// What can make the nodes in it stand one step deeper.
const DEEPENING: Roles = Roles::NONE
    .with(Role::If)
    .with(Role::ElseIf)
    .with(Role::Else)
    .with(Role::Loop)
    .with(Role::Catch)
    .with(Role::Ternary);

/// Tells whether what stands in `node` is one step deeper than what stands beside it.
fn is_deeper(node: Node<'_>, parent: Node<'_>, family: Family) -> bool {
    if is_lambda(node, family) || node.has(Role::Case) {
        return true;
    }
    if !parent.roles().any(DEEPENING)
        || !node.is_named()
        || is_else_if(unwrapped(node))
        || node.has(Role::Else)
        || node.has(Role::ElseIf)
    {
        return false;
    }
    let field = node.field().unwrap_or_default();
    if parent.has(Role::Ternary) {
        // Where the grammar names no fields, the condition is told by its place.
        let condition = usize::from(parent.is("conditional_expression"));
        let is_condition = parent.named_children().nth(condition) == Some(node);
        return if field.is_empty() { !is_condition } else { field != "condition" };
    }
    match () {
        () if parent.has(Role::If) || parent.has(Role::ElseIf) => {
            matches!(field, "consequence" | "alternative" | "body" | "else")
        }
        () if parent.has(Role::Loop) => field == "body",
        () if parent.has(Role::Catch) => field == "body" || node.is("block"),
        () => true,
    }
}

/// What is one more way through a function, wherever it stands.
const BRANCHES: Roles =
    Roles::NONE.with(Role::If).with(Role::ElseIf).with(Role::Loop).with(Role::Catch).with(Role::Ternary);

/// Returns how many ways through the function a node adds.
fn cyclomatic(node: Node<'_>, family: Family, text: &str) -> u32 {
    if family == Family::Python {
        return python(node, text);
    }
    if node.roles().any(BRANCHES) || is_label(node) || logical_operator(node).is_some() {
        return 1;
    }
    match family {
        Family::Script => u32::from(script(node)),
        Family::Rust if node.is("match_block") => arms(node, "match_arm").saturating_sub(1),
        _ => 0,
    }
}

/// Tells whether a node is a case that can be told from the others; a default is none.
fn is_label(node: Node<'_>) -> bool {
    match node.kind() {
        "switch_case" | "expression_case" | "type_case" | "communication_case" | "case_item" => true,
        "switch_label" | "case_statement" => node.children().next().is_some_and(|word| word.kind() == "case"),
        "case" => !node.is_named() && node.parent().is_some_and(|parent| parent.is("yul_switch_statement")),
        _ => false,
    }
}

/// As radon counts: its `else` of loops and `try`, its assertions, its comprehensions with their conditions.
fn python(node: Node<'_>, text: &str) -> u32 {
    let parent = node.parent();
    let below = |kinds: &[&str]| parent.is_some_and(|parent| parent.is_any(kinds));
    let counts = match node.kind() {
        "if_statement"
        | "elif_clause"
        | "conditional_expression"
        | "for_statement"
        | "while_statement"
        | "assert_statement"
        | "boolean_operator"
        | "for_in_clause" => node.is_named(),
        "if_clause" => !below(&["case_clause"]),
        "except_clause" => !is_grouped(node, text),
        "else_clause" => {
            let is_plain = |outer: Node<'_>| outer.children().any(|it| it.is("except_clause") && !is_grouped(it, text));
            below(&["for_statement", "while_statement"]) || parent.is_some_and(is_plain)
        }
        "match_statement" => return cases(node, text),
        _ => false,
    };
    u32::from(counts)
}

/// Tells whether a clause is `except*`, which radon does not know.
fn is_grouped(clause: Node<'_>, text: &str) -> bool {
    clause.text(text).trim_start_matches("except").trim_start().starts_with('*')
}

/// Counts the cases of a `match`, those that take anything only as the way that was there before.
fn cases(node: Node<'_>, text: &str) -> u32 {
    let Some(body) = node.child("body") else { return 0 };
    let takes_all = |case: Node<'_>| {
        let mut patterns = case.children().filter(|child| child.is("case_pattern"));
        let pattern = patterns.next().map(|pattern| pattern.text(text)).unwrap_or_default();
        let is_name = pattern.chars().all(|character| character == '_' || character.is_alphanumeric());
        patterns.next().is_none()
            && is_name
            && !pattern.starts_with(|first: char| first.is_ascii_digit())
            && !matches!(pattern, "None" | "True" | "False")
    };
    let any = body.children().any(|case| case.is("case_clause") && takes_all(case));
    arms(body, "case_clause").saturating_sub(u32::from(any))
}

fn arms(body: Node<'_>, kind: &str) -> u32 {
    body.children().filter(|child| child.is(kind)).count() as u32
}

/// What ESLint counts beside statements: default values, optional chaining, logical assignments.
fn script(node: Node<'_>) -> bool {
    match node.kind() {
        "assignment_pattern" | "object_assignment_pattern" | "optional_chain" => node.is_named(),
        "required_parameter" | "optional_parameter" => node.child("value").is_some(),
        "?." => !node.is_named() && node.parent().is_none_or(|parent| !parent.is("optional_chain")),
        "&&=" | "||=" | "??=" => true,
        _ => false,
    }
}

/// What breaks the flow of reading, the more the deeper it stands.
const BREAKS: Roles =
    Roles::NONE.with(Role::If).with(Role::Loop).with(Role::Switch).with(Role::Catch).with(Role::Ternary);

/// Returns what a node costs a reader; `nesting` is that of its parent's content.
fn cognitive(node: Node<'_>, nesting: u32, family: Family) -> u32 {
    if !node.is_named() || node.is_leaf() {
        return 0;
    }
    if is_else_if(node) {
        return 1;
    }
    let is_else = node.has(Role::Else) && !node.named_children().any(|inner| inner.has(Role::If))
        || is_alternative(node) && !unwrapped(node).has(Role::If);
    let flat = u32::from(is_else || node.has(Role::ElseIf) || is_labelled_jump(node));
    if node.roles().any(BREAKS) {
        // A ternary or a lambda as the body of another stands as deep as that body.
        let own = node.parent().is_some_and(|parent| is_deeper(node, parent, family));
        return flat + nesting + u32::from(own) + 1;
    }
    flat + sequences(node, family)
}

fn is_labelled_jump(node: Node<'_>) -> bool {
    let is_jump = node.is_any(&["break_statement", "continue_statement", "break_expression", "continue_expression"]);
    is_jump
        && node
            .named_children()
            .any(|child| child.is_any(&["label", "label_name", "statement_identifier"]) || child.is("identifier"))
}

/// Counts the runs of one operator in a logical expression, at its outermost node.
fn sequences(node: Node<'_>, family: Family) -> u32 {
    if logical_operator(node).is_none() {
        return 0;
    }
    let outer = node.ancestors().find(|outer| !outer.has(Role::Wrapper));
    if outer.is_some_and(|outer| logical_operator(outer).is_some() || family == Family::Script && renders(outer, node))
    {
        return 0;
    }
    let mut last = "";
    let mut runs = 0;
    let is_other = |part: Node<'_>| part.is_named() && !is_part(part);
    for part in node.walk_until(|part| part != node && is_other(part)) {
        let is_operator = part.field() == Some("operator") && part.parent().and_then(logical_operator).is_some();
        if !is_operator {
            continue;
        }
        // Of JavaScript's operators only `&&` costs: `||` and `??` are how defaults are written.
        let is_free = family == Family::Script && part.kind() != "&&";
        runs += u32::from(part.kind() != last && !is_free);
        last = part.kind();
    }
    runs
}

fn is_part(node: Node<'_>) -> bool {
    node.has(Role::Wrapper) || logical_operator(node).is_some()
}

/// Tells whether a logical expression only decides what JSX shows.
fn renders(outer: Node<'_>, node: Node<'_>) -> bool {
    let shows = |part: Node<'_>| part.is_any(&["jsx_element", "jsx_self_closing_element", "jsx_fragment"]);
    outer.is("jsx_expression") && node.descendants().any(shows)
}

#[cfg(test)]
mod tests;
