//! Replace Conditional with Polymorphism.
//!
//! ```python
//! class Bird:                          class Bird:
//!     def speed(self):                     def speed(self):
//!         if isinstance(self, Parrot):  →      return 10
//!             return 24
//!         return 10                    class Parrot(Bird):
//!                                          def speed(self):
//! class Parrot(Bird): ...                      return 24
//! ```
//! The conditional asks what class its own object is of; each subclass it asks for stands in the same file.

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind as Made, Slot, receiver, usage};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{Destination, MemberDeclarations};
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A method that asks what its object is.
struct Asking<'c> {
    code: &'c Code,
    class: Class<'c>,
    member: Member<'c>,
    function: Node<'c>,
    /// What is done for objects of each class.
    legs: Vec<Leg<'c>>,
    /// What is done for all others.
    rest: Vec<Node<'c>>,
    /// From the first question to the end.
    span: Span,
}

/// One answer.
#[derive(Clone, Copy)]
struct Leg<'c> {
    class: Class<'c>,
    block: Node<'c>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let asking = find(&code, request)?;
    asking.check()?;
    asking.check_classes(session).await.noted()?;
    asking.check_uses(session).await.noted()?;
    let layout = Layout::of(&code);
    let mut edits = vec![asking.kept(&layout)];
    for leg in &asking.legs {
        edits.push(leg.class.with(Slot::Method, &[asking.moved(&layout, leg)]));
    }
    code.plan(edits)
}

fn find<'c>(code: &'c Code, request: &Request) -> Result<Asking<'c>, Refusal> {
    let function = crate::refactor::source_file::function_at(code, &request.target)?;
    let none = || code.refuse(function.start(), "what is named there is no method of a class");
    let class = Class::around(code, function).ok_or_else(none)?;
    let members = class.members();
    let own = members.iter().find(|it| it.kind == Made::Method && it.function() == Some(function));
    let member = *own.ok_or_else(none)?;
    let statements: Vec<Node<'c>> = function.child("body").into_iter().flat_map(Node::named_children).collect();
    let is_text = |node: &Node<'c>| node.named_children().next().is_some_and(|it| it.is("string"));
    let statements: Vec<Node<'c>> = statements.into_iter().skip_while(is_text).collect();
    let names = ScopedNames::of(code);
    let (mut legs, mut rest) = (Vec::new(), Vec::new());
    for (at, statement) in statements.iter().enumerate() {
        let is_last = at + 1 == statements.len();
        let Some((own, other)) = asked(code, &names, *statement, function).filter(|_| rest.is_empty()) else {
            rest.push(*statement);
            continue;
        };
        if !is_last && (other.is_some() || own.iter().any(|leg| !leaves(leg.block))) {
            return Err(code.refuse(statement.start(), "more is done behind this conditional, whatever it finds"));
        }
        legs.extend(own);
        rest.extend(other.into_iter().flat_map(held));
    }
    let (Some(first), Some(last)) = (statements.first(), statements.last()) else { return Err(none()) };
    if legs.is_empty() {
        let reason = "it does not begin with a conditional that asks what class of this file its object is of";
        return Err(code.refuse(first.start(), reason));
    }
    let span = Span::new(first.start(), last.end());
    Ok(Asking { code, class, member, function, legs, rest, span })
}

/// Reads `if isinstance(self, A): … elif isinstance(self, B): … else: …`; nothing for another statement.
fn asked<'c>(
    code: &'c Code,
    names: &ScopedNames<'c>,
    statement: Node<'c>,
    function: Node<'c>,
) -> Option<(Vec<Leg<'c>>, Option<Node<'c>>)> {
    let mut legs = Vec::new();
    let mut open = Some(statement).filter(|it| it.is("if_statement"));
    let mut other = None;
    while let Some(tree) = open.take() {
        let class = class_asked(code, names, tree.child("condition")?, function)?;
        legs.push(Leg { class, block: tree.child("consequence")? });
        for next in tree.children_in("alternative") {
            if next.is("elif_clause") {
                let class = class_asked(code, names, next.child("condition")?, function)?;
                legs.push(Leg { class, block: next.child("consequence")? });
                continue;
            }
            let body = next.child("body").or_else(|| next.named_children().last())?;
            if body.is("if_statement") { open = Some(body) } else { other = Some(body) }
        }
    }
    (!legs.is_empty()).then_some((legs, other))
}

/// Returns the class of the file that a condition asks for, and nothing else.
fn class_asked<'c>(
    code: &'c Code,
    names: &ScopedNames<'c>,
    condition: Node<'c>,
    function: Node<'c>,
) -> Option<Class<'c>> {
    let text = code.text();
    let condition = unwrapped(condition);
    let (object, class) = match code.family() {
        Family::Python => {
            condition.child("function").filter(|it| it.text(text) == "isinstance")?;
            let mut arguments = condition.child("arguments")?.named_children();
            (arguments.next()?, arguments.next()?)
        }
        _ => {
            condition.children().find(|it| it.kind() == "instanceof")?;
            (condition.child("left")?, condition.child("right")?)
        }
    };
    let is_own = object.text(text) == receiver(code, function)?;
    let meaning = names.at(class).filter(|_| is_own && class.is("identifier"))?.meaning;
    let found = Class::called(code, class.text(text))?;
    let is_meant = names.of_meaning(meaning).any(|it| it.span == found.name.span());
    (is_meant && names.writes(meaning).count() == 1).then_some(found)
}

/// Returns the statements and comments of a branch.
fn held(block: Node<'_>) -> Vec<Node<'_>> {
    match block.is_any(&["block", "statement_block"]) {
        true => block.children().filter(|it| it.is_named()).collect(),
        false => vec![block],
    }
}

fn leaves(block: Node<'_>) -> bool {
    let last = held(block).into_iter().rfind(|it| !it.kind().ends_with("comment"));
    last.is_some_and(|it| it.is_any(&["return_statement", "raise_statement", "throw_statement"]))
}

impl<'c> Asking<'c> {
    /// Refuses methods that cannot be written again in another class.
    fn check(&self) -> Result<(), Refusal> {
        let refuse = |node: Node<'_>, reason: &str| Err(self.code.refuse(node.start(), reason));
        let marks: Vec<&str> = self.member.decorators().map(|it| it.text(self.code.text())).collect();
        let is_hidden = self.member.name.is("private_property_identifier")
            || self.member.name.text(self.code.text()).starts_with("__")
            || self.member.is_marked(self.code, "private");
        if is_hidden || self.member.is_static || marks.iter().any(|it| *it != "@property") {
            return refuse(self.member.name, "no subclass can have this method of its own, or it is decorated");
        }
        let params = self.function.child("parameters").into_iter().flat_map(Node::descendants);
        const SHARED: &[&str] =
            &["list", "dictionary", "set", "call", "array", "object", "call_expression", "new_expression"];
        if let Some(value) = params.into_iter().find(|it| it.field() == Some("value") && it.is_any(SHARED)) {
            return refuse(value, "each method would have a default of its own");
        }
        let own = self.function.walk_until(|it| is_any_function(it) && it != self.function);
        if let Some(node) = own.into_iter().find(|it| it.is_any(&["yield", "yield_expression"])) {
            return refuse(node, "it is a generator");
        }
        let group =
            MemberDeclarations::named(self.class, self.member.name.text(self.code.text()), Destination::Elsewhere)?;
        for leg in &self.legs {
            let usage = usage(self.code, leg.block);
            let is_closed = |it: &&Node<'c>| {
                let members = self.class.members_named(it.text(self.code.text()));
                members.iter().any(|member| member.is_marked(self.code, "private"))
            };
            let closed = usage.members.iter().find(is_closed);
            if let Some(node) = usage.bound.first().or(usage.private.first()).or(closed) {
                return refuse(*node, "it only means something in this class");
            }
            group.check_order(&leg.class, None)?;
        }
        let inside = |node: &Node<'c>| {
            let in_leg = self.legs.iter().any(|leg| leg.block.holds(*node) || leg.block == *node);
            in_leg || self.rest.iter().any(|it| it.holds(*node) || it == node)
        };
        let comments =
            self.function.descendants().filter(|it| it.kind().ends_with("comment") && self.span.contains(it.span()));
        match comments.into_iter().find(|it| !inside(it)) {
            Some(comment) => refuse(comment, "the comment would be lost"),
            None => Ok(()),
        }
    }

    /// Refuses where the subclasses would not decide as the conditional does.
    async fn check_classes(&self, session: &Session) -> Result<(), Refusal> {
        let name = self.member.name.text(self.code.text());
        let kin = ClassHierarchy::new(session, self.code.parsed().tree.language()).await?;
        let heirs = kin.heirs(&self.class).await?;
        if let Some(other) = heirs.iter().find(|it| it.class().has(name)) {
            let reason = format!("`{}` has a `{name}` of its own", other.class().name());
            return Err(other.code.refuse(other.class().name.start(), reason));
        }
        let mut seen = Vec::new();
        for leg in &self.legs {
            let class = leg.class;
            if !heirs.iter().any(|it| it.place() == class.place()) {
                return Err(self.code.refuse(class.name.start(), format!("`{}` is not a subclass", class.name())));
            }
            let mut own: Vec<_> = kin.heirs(&class).await?.iter().map(|it| it.place()).collect();
            own.push(class.place());
            if own.iter().any(|place| seen.contains(place)) {
                let reason = format!("an object can be a `{}` and of another class that is asked for", class.name());
                return Err(self.code.refuse(class.name.start(), reason));
            }
            seen.extend(own);
            self.check_line(&kin, &class).await?;
        }
        Ok(())
    }

    /// Refuses a subclass that has the method from elsewhere, too.
    async fn check_line(&self, kin: &ClassHierarchy<'_>, class: &Class<'_>) -> Result<(), Refusal> {
        let name = self.member.name.text(self.code.text());
        let refuse = |reason: String| Err(self.code.refuse(class.name.start(), reason));
        let (own, _) = kin.ancestors(&self.class).await?;
        let (above, unknown) = kin.ancestors(class).await?;
        if let Some(base) = unknown.first() {
            return refuse(format!("`{base}`, from which `{}` inherits, cannot be resolved", class.name()));
        }
        let is_own =
            |place: &crate::lsp::Place| *place == self.class.place() || own.iter().any(|it| it.place() == *place);
        match above.iter().find(|it| !is_own(&it.place()) && it.class().has(name)) {
            Some(other) => refuse(format!("`{}` has a `{name}`, too", other.class().name())),
            None => Ok(()),
        }
    }

    /// Refuses callers that do not leave it to the object which method is meant.
    async fn check_uses(&self, session: &Session) -> Result<(), Refusal> {
        let uses = Uses::of(session, self.code, self.member.name.start()).await?;
        for (file, one) in uses.iter() {
            let object = one.member(file).and_then(|it| it.child("object"));
            let object = object.map(|it| it.text(file.text())).unwrap_or_default();
            let is_own = file.path == self.code.path && one.span == self.member.name.span();
            let is_bound = object.starts_with("super") || object == self.class.name() || object.ends_with(".prototype");
            if is_bound || one.kind == UseKind::Definition && !is_own {
                let reason = format!("this means the method of `{}`, whatever the object is", self.class.name());
                return Err(file.refuse(one.span.start, reason));
            }
        }
        Ok(())
    }

    /// Leaves the method with what it does for all others.
    fn kept(&self, layout: &Layout<'_>) -> TextEdit {
        let base = self.code.indent(self.span.start);
        let nothing = if self.code.family() == Family::Python { "pass" } else { "" };
        let kept = match (self.rest.first(), self.rest.last()) {
            (Some(first), Some(last)) => layout.moved(Span::new(first.start(), last.end()), base),
            _ => nothing.to_owned(),
        };
        TextEdit::new(self.span, kept)
    }

    /// Writes the method of a subclass.
    fn moved(&self, layout: &Layout<'_>, leg: &Leg<'c>) -> String {
        let (code, indent) = (self.code, leg.class.indent());
        let (end, deeper) = (code.newline(), format!("{indent}{}", layout.step()));
        let statements = held(leg.block);
        let body = match (statements.first(), statements.last()) {
            (Some(first), Some(last)) => layout.moved(Span::new(first.start(), last.end()), &deeper),
            _ => String::new(),
        };
        let start = self.member.node.start();
        let until = self.function.child("body").map_or(self.function.end(), Node::start);
        let head = layout.moved(Span::new(start, until), &indent);
        let head = head.trim_end();
        match code.family() {
            Family::Python => format!("{head}{end}{deeper}{body}"),
            _ => format!("{head} {{{end}{deeper}{body}{end}{indent}}}"),
        }
    }
}
