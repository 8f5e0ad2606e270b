//! Fields that a constructor sets and that go up: the superclass gets a constructor for them, and the class calls it.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, MemberKind};
use crate::refactor::analysis::equal_code::differing_name;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap, reach, reach_of};
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::parameters::put_first;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Family, Node, is_parameter_property};
use crate::text::{Span, TextEdit};

/// What goes from one constructor into another.
pub(super) struct SetFields<'c> {
    class: Class<'c>,
    constructor: Node<'c>,
    /// `self.a = …`, in their order, each with its value.
    statements: Vec<(Node<'c>, Node<'c>)>,
    /// The parameters of the constructor that the values need.
    parameters: Vec<Node<'c>>,
    /// What the constructor passes to the one above, by its first statement.
    asked: Option<Node<'c>>,
}

/// A parameter of the constructor above.
pub(super) struct AboveParameter {
    pub name: String,
    pub written: String,
    /// Whether it may be left out.
    pub is_open: bool,
}

impl AboveParameter {
    /// Reads one of a class of the project; nothing where it is more than a name with a type.
    pub(super) fn of(code: &Code, parameter: Node<'_>) -> Option<Self> {
        let typed = parameter.named_children().next().filter(|_| parameter.is("typed_parameter"));
        let pattern = parameter.child("pattern").or(typed).unwrap_or(parameter);
        let is_bare = is_plain(code, parameter) && parameter.child("value").is_none();
        is_bare.then(|| Self {
            name: pattern.text(code.text()).to_owned(),
            written: parameter.text(code.text()).to_owned(),
            is_open: parameter.is("optional_parameter"),
        })
    }
}

impl<'c> SetFields<'c> {
    /// Finds what sets the fields that are wanted; nothing where the constructor sets none of them, or goes up itself.
    pub(super) fn of(class: Class<'c>, wanted: &[String]) -> Result<Option<Self>, Refusal> {
        let code = class.code;
        let members = class.members();
        let has = |name: &str| wanted.iter().any(|it| it == name);
        let constructor =
            members.iter().find(|it| it.kind == MemberKind::Constructor && !has(it.name.text(code.text())));
        let Some(constructor) = constructor.and_then(|it| it.function()).filter(|it| it.child("body").is_some()) else {
            return Ok(None);
        };
        let is_set = |name: &str| {
            let own: Vec<_> = members.iter().filter(|it| it.name.text(code.text()) == name).collect();
            let open = |node: Node<'_>| {
                node.child("value").is_none() && !node.children().any(|it| matches!(it.kind(), "?" | "!"))
            };
            own.iter().all(|it| it.kind == MemberKind::Assigned || it.kind == MemberKind::Field && open(it.node))
                && own.iter().any(|it| it.kind == MemberKind::Assigned && function_of(it.node) == Some(constructor))
        };
        let mut statements = Vec::new();
        for name in wanted.iter().filter(|name| is_set(name)) {
            statements.push(assignment(class, constructor, name)?);
        }
        statements.sort_by_key(|(statement, _)| statement.start());
        let mut found = Self { class, constructor, statements, parameters: Vec::new(), asked: None };
        if found.statements.is_empty() {
            return Ok(None);
        }
        let names = ScopedNames::of(code);
        found.asked = found.asked_above()?;
        found.check(&names)?;
        found.parameters = found.needed(&names)?;
        Ok(Some(found))
    }

    /// Tells whether it sets a field.
    pub(super) fn has(&self, name: &str) -> bool {
        let text = self.class.code.text();
        let target = |statement: Node<'c>| statement.named_children().next()?.child("left");
        let own = |target: Node<'c>| target.child("attribute").or_else(|| target.child("property"));
        let mut names = self.statements.iter().filter_map(|(statement, _)| own(target(*statement)?));
        names.any(|it| it.text(text) == name)
    }

    /// Refuses values that could be others when they are made earlier.
    fn check(&self, names: &ScopedNames<'_>) -> Result<(), Refusal> {
        let code = self.class.code;
        let body = self.constructor.child("body").unwrap_or(self.constructor);
        let start = match (self.asked, code.family()) {
            (Some(asked), _) => asked.end(),
            (None, Family::Python) => self.statements[0].0.start(),
            (None, _) => body.start() + 1,
        };
        for (statement, value) in &self.statements {
            let between = Span::new(start, statement.start());
            let is_changed = names
                .within(value.span())
                .any(|name| names.writes(name.meaning).any(|write| between.contains(write.span)));
            let own = reach(names, code, *value);
            let others = if between.is_empty() { ExpressionReach::Local } else { reach_of(names, code, body, between) };
            if is_changed || !can_swap(others, own) {
                return Err(code.refuse(value.start(), "the value may be another one when it is made earlier"));
            }
        }
        Ok(())
    }

    /// Returns what the constructor passes to the one above. Refuses any other way to ask that, which would be the new one; a
    /// constructor that does not may have any superclass: the new one asks nobody either.
    fn asked_above(&self) -> Result<Option<Node<'c>>, Refusal> {
        const SPREAD: &[&str] = &["spread_element", "list_splat", "dictionary_splat"];
        let code = self.class.code;
        let asks = |node: &Node<'_>| match code.family() {
            Family::Python => {
                let member = node.child("attribute").filter(|it| it.text(code.text()) == "__init__");
                let object = node.child("object").map_or("", |it| it.text(code.text()));
                node.is("attribute") && member.is_some() && object.starts_with("super(")
            }
            _ => node.is("super") && node.field() == Some("function"),
        };
        let Some(callee) = self.constructor.descendants().find(asks) else { return Ok(None) };
        let call = callee.parent().filter(|it| it.child("function") == Some(callee));
        let is_text = |it: &Node<'_>| it.named_children().next().is_some_and(|it| it.is("string"));
        let mut statements = self.constructor.child("body").into_iter().flat_map(Node::named_children);
        let first = statements.find(|it| !it.is("comment") && !is_text(it));
        let is_first = |it: &Node<'c>| it.parent().is_some_and(|it| it.is("expression_statement") && Some(it) == first);
        let plain = |it: &Node<'c>| !it.named_children().any(|it| it.is_any(SPREAD));
        match call.filter(is_first).and_then(|it| it.child("arguments")).filter(plain) {
            Some(arguments) => Ok(Some(arguments)),
            None => Err(code.refuse(
                callee.start(),
                "the constructor asks that of the superclass, and would ask the new one in its place",
            )),
        }
    }

    /// Returns what the constructor passes to the one above.
    pub(super) fn asked(&self) -> Option<Node<'c>> {
        self.asked
    }

    /// Tells whether another class sets the same fields by the same values.
    pub(super) fn is_like(&self, session: &Session, other: &Self) -> bool {
        let pieces = |one: &Self| -> Vec<Span> {
            let all = one.statements.iter().map(|(it, _)| *it).chain(one.parameters.iter().copied());
            all.map(Node::span).collect()
        };
        let (own, its) = (pieces(self), pieces(other));
        let (code, other_code) = (self.class.code, other.class.code);
        let said = |code: &'c Code, pieces: &[Span]| -> Vec<_> { pieces.iter().map(|it| it.of(code.text())).collect() };
        said(code, &own) == said(other_code, &its)
            && self.asked.is_some() == other.asked.is_some()
            && differing_name(session, (code, &own), (other_code, &its)).is_none()
    }

    /// Refuses parameters that the constructor above has by the same name, or that could not stand in front of its own.
    pub(super) fn check_beside(&self, above: &[AboveParameter]) -> Result<(), Refusal> {
        let code = self.class.code;
        let is_open = |it: &Node<'c>| it.is("optional_parameter") || it.child("value").is_some();
        for parameter in &self.parameters {
            let said = parameter.text(code.text());
            let named = self.passed_names();
            if let Some(known) = above.iter().find(|it| named.contains(&it.name)) {
                let reason = format!("the constructor above has a `{}`, too", known.name);
                return Err(code.refuse(parameter.start(), reason));
            }
            if is_open(parameter) && above.iter().any(|it| !it.is_open) {
                let reason = format!("`{said}` may be left out, and what is passed to the constructor above may not");
                return Err(code.refuse(parameter.start(), reason));
            }
        }
        Ok(())
    }

    /// Returns the parameters that the values need.
    fn needed(&self, names: &ScopedNames<'_>) -> Result<Vec<Node<'c>>, Refusal> {
        let code = self.class.code;
        let list = self.constructor.child("parameters");
        let list: Vec<Node<'c>> = list.into_iter().flat_map(Node::named_children).collect();
        let mut found: Vec<Node<'c>> = Vec::new();
        for (_, value) in &self.statements {
            for name in names.within(value.span()) {
                let node = code.covering(name.span);
                let bindings: Vec<Span> =
                    names.of_meaning(name.meaning).filter(|it| it.is_binding).map(|it| it.span).collect();
                if bindings.iter().all(|span| value.span().contains(*span))
                    || names.function_of_meaning(name.meaning).is_none()
                {
                    continue;
                }
                let said = node.text(code.text());
                let parameter = list.iter().find(|it| bindings.iter().any(|span| it.span().contains(*span)));
                let Some(parameter) = parameter.filter(|it| is_plain(code, **it)) else {
                    return Err(
                        code.refuse(node.start(), format!("`{said}` is not an ordinary parameter of the constructor"))
                    );
                };
                if list.first() == Some(parameter) && code.family() == Family::Python {
                    return Err(code.refuse(node.start(), "the value needs the object itself"));
                }
                if !found.contains(parameter) {
                    found.push(*parameter);
                }
            }
            let own = value.descendants().find(|it| it.is_any(&["this", "super", "await", "yield"]));
            if let Some(own) = own {
                return Err(code.refuse(own.start(), "the value needs the object itself"));
            }
        }
        found.sort_by_key(|it| it.start());
        Ok(found)
    }

    /// Writes the constructor of the superclass, its first line without indentation; what the one above takes is passed on.
    pub(super) fn constructor(&self, above: &[AboveParameter]) -> String {
        let (code, layout) = (self.class.code, Layout::of(self.class.code));
        let (text, end, step) = (code.text(), code.newline(), layout.step());
        let list = self.constructor.child("parameters").into_iter().flat_map(Node::named_children);
        let parameters = self.parameters.iter().map(|it| match it.kind() {
            "default_parameter" => it.child("name").unwrap_or(*it).text(text).to_owned(),
            "typed_default_parameter" => {
                let part = |field: &str| it.child(field).map_or("", |it| it.text(text));
                format!("{}: {}", part("name"), part("type"))
            }
            _ => it.text(text).to_owned(),
        });
        let statements: String = self
            .statements
            .iter()
            .map(|(statement, _)| {
                format!("{step}{step}{}{end}", layout.moved(statement.span(), &format!("{step}{step}")))
            })
            .collect();
        if code.family() == Family::Python {
            let receiver = list.into_iter().next().map_or("self", |it| it.text(text));
            let passed: Vec<&str> = above.iter().map(|it| it.name.as_str()).collect();
            let asked = self.asked.map(|_| format!("{step}{step}super().__init__({}){end}", passed.join(", ")));
            let taken = parameters.chain(above.iter().map(|it| it.written.clone()));
            let all: Vec<String> = std::iter::once(receiver.to_owned()).chain(taken).collect();
            let answer =
                self.constructor.child("return_type").map_or(String::new(), |it| format!(" -> {}", it.text(text)));
            let asked = asked.unwrap_or_default();
            return format!("def __init__({}){answer}:{end}{asked}{statements}", all.join(", "));
        }
        let all: Vec<String> = parameters.chain(above.iter().map(|it| it.written.clone())).collect();
        let given: Vec<&str> = above.iter().map(|it| it.name.as_str()).collect();
        let close = code.semicolon();
        let asked = self.asked.map(|_| format!("{step}{step}super({}){close}{end}", given.join(", ")));
        format!("constructor({}) {{{end}{}{statements}{step}}}{end}", all.join(", "), asked.unwrap_or_default())
    }

    /// Returns what the class passes to the constructor above.
    pub(super) fn passed(&self) -> String {
        self.passed_names().join(", ")
    }

    fn passed_names(&self) -> Vec<String> {
        let text = self.class.code.text();
        let name = |it: &Node<'c>| {
            let own = it.child("name").or_else(|| it.child("pattern"));
            own.or_else(|| it.named_children().next()).unwrap_or(*it).text(text).to_owned()
        };
        self.parameters.iter().map(name).collect()
    }

    /// Passes them in front of what the constructor passes to the one above today.
    pub(super) fn passed_ahead(&self) -> Option<TextEdit> {
        let asked = self.asked.filter(|_| !self.parameters.is_empty())?;
        Some(put_first(self.class.code, asked, &self.passed()))
    }

    /// Takes the statements out of the constructor; in Python, a call stands in the place of the first where there was none.
    pub(super) fn left(&self) -> Vec<TextEdit> {
        let code = self.class.code;
        let mut edits: Vec<TextEdit> = Vec::new();
        for (at, (statement, _)) in self.statements.iter().enumerate() {
            edits.push(match code.family() {
                Family::Python if at == 0 && self.asked.is_none() => {
                    TextEdit::new(statement.span(), format!("super().__init__({})", self.passed()))
                }
                _ => without_lines(code, statement.span()),
            });
        }
        edits
    }
}

/// Returns the one statement of a constructor that sets a field, and its value.
fn assignment<'c>(class: Class<'c>, constructor: Node<'c>, name: &str) -> Result<(Node<'c>, Node<'c>), Refusal> {
    let code = class.code;
    let members = class.members_named(name);
    let own: Vec<Node<'c>> = members
        .iter()
        .filter(|it| it.kind == MemberKind::Assigned && function_of(it.node) == Some(constructor))
        .map(|it| it.node)
        .collect();
    let refuse = |at: usize, reason: &str| Err(code.refuse(at, format!("`{name}` {reason}")));
    let &[target] = own.as_slice() else {
        return refuse(
            own.first().map_or(class.name.start(), |it| it.start()),
            "is set several times in the constructor",
        );
    };
    let assignment = target.parent().filter(|it| it.is_any(&["assignment", "assignment_expression"]));
    let statement = assignment.and_then(Node::parent).filter(|it| it.is("expression_statement"));
    let (Some(assignment), Some(statement)) = (assignment, statement) else {
        return refuse(target.start(), "is set together with something else");
    };
    if statement.parent() != constructor.child("body") {
        return refuse(target.start(), "is not set in every case");
    }
    let lines = &code.text()[code.line_start(statement.start())..code.line_end(statement.end())];
    if lines.trim() != statement.text(code.text()) {
        return refuse(target.start(), "shares its lines with something else");
    }
    match assignment.child("right").filter(|it| !it.is_any(&["assignment", "assignment_expression"])) {
        Some(value) => Ok((statement, value)),
        None => refuse(target.start(), "is set together with something else"),
    }
}

/// Tells whether a parameter takes one value under a name.
fn is_plain(code: &Code, parameter: Node<'_>) -> bool {
    match code.family() {
        Family::Python => {
            let inner = parameter.named_children().next().unwrap_or(parameter);
            parameter.is_any(&["identifier", "default_parameter", "typed_default_parameter"])
                || parameter.is("typed_parameter") && inner.is("identifier")
        }
        _ => {
            let pattern = parameter.child("pattern").unwrap_or(parameter);
            !is_parameter_property(parameter) && pattern.is("identifier")
        }
    }
}
