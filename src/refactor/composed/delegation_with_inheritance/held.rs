//! The field that holds an object of another class, and the place where that is made.

use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::composed::classes::{Class, Kin, Kind, Slot, usage};
use crate::refactor::composed::code::Code;
use crate::refactor::composed::fields::Field;
use crate::refactor::composed::heritage::Line;
use crate::refactor::composed::layout::Layout;
use crate::refactor::composed::names::Names;
use crate::refactor::composed::needs;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// A field that is given a new object once, when the one that has it is made.
pub(super) struct Held<'c> {
    pub class: Class<'c>,
    pub field: Field<'c>,
    /// `Person(name)`, `new Person(name)`.
    made: Node<'c>,
    /// The statement of the constructor; nothing where the field has its value by its declaration.
    statement: Option<Node<'c>>,
}

impl<'c> Held<'c> {
    /// Finds the field by its name, or the only one that there is.
    pub(super) fn find(class: &Class<'c>, name: Option<&str>) -> Result<Self, Refusal> {
        let code = class.code;
        let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
        if !class.bases().is_empty()
            || class.node.child("superclasses").is_some_and(|it| it.named_children().count() > 0)
        {
            return refuse(format!("`{}` extends something already", class.name()));
        }
        if class.decorators().next().is_some() || class.has("__slots__") {
            return refuse("what makes the class something else is not known".to_owned());
        }
        if let Some(name) = name {
            let missing = || code.refuse(class.name.start(), format!("`{}` has no field `{name}`", class.name()));
            return Self::of(class, Field::named(*class, name)?.ok_or_else(missing)?);
        }
        let mut names: Vec<&str> = class.members().iter().map(|it| it.name.text(code.text())).collect();
        names.sort_unstable();
        names.dedup();
        let fields = names.iter().filter_map(|name| Field::named(*class, name).ok().flatten());
        let mut found: Vec<Self> = fields.filter_map(|field| Self::of(class, field).ok()).collect();
        match found.len() {
            1 => Ok(found.remove(0)),
            count => refuse(format!("{count} fields hold an object that is made with its own: name one, `--delegate`")),
        }
    }

    fn of(class: &Class<'c>, field: Field<'c>) -> Result<Self, Refusal> {
        let code = class.code;
        let at = field.members[0].name.start();
        let refuse = |reason: &str| Err(code.refuse(at, reason));
        let assigned: Vec<Node<'c>> =
            field.members.iter().filter(|it| it.kind == Kind::Assigned).map(|it| it.node).collect();
        let valued = field.members.iter().find_map(|it| it.node.child("value").filter(|_| it.kind == Kind::Field));
        let (value, statement) = match (assigned.as_slice(), valued) {
            ([], Some(value)) if code.family() == Family::Script => (Some(value), None),
            ([one], None) => {
                let assignment = one.parent();
                (assignment.and_then(|it| it.child("right")), assignment.and_then(Node::parent))
            }
            _ => return refuse("the field is not given its value at one place"),
        };
        let made = value.filter(|it| it.is_any(&["call", "new_expression"]) && class_name(*it).is_some());
        let Some(made) = made else { return refuse("the field is not given a new object of a class") };
        if statement.is_some_and(|it| !is_of_constructor(class, it)) {
            return refuse("the object that it holds is not made by a statement of the constructor");
        }
        if field.members.iter().any(|it| it.is_static || it.decorators().next().is_some())
            && code.family() == Family::Script
        {
            return refuse("it is no plain field of an object");
        }
        Ok(Self { class: *class, field, made, statement })
    }

    /// Returns what is known of the class that is held; refuses one that is not there when the other is declared.
    pub(super) async fn line(&self, session: &Session, kin: &Kin<'_>) -> Result<Line, Refusal> {
        let code = self.class.code;
        let refuse = |reason: String| Err(code.refuse(self.made.start(), reason));
        let name = class_name(self.made).unwrap_or(self.made);
        let declared = kin.declared(&Place { path: code.path.clone(), offset: name.start() }).await?;
        let Some(standing) = declared else { return refuse("which class this makes nobody can tell".to_owned()) };
        let names = Names::of(code);
        let meaning = names.at(name).map(|it| it.meaning);
        let bindings: Vec<_> = meaning
            .into_iter()
            .flat_map(|it| names.of_meaning(it).collect::<Vec<_>>())
            .filter(|it| it.is_binding)
            .collect();
        let is_known = |it: &crate::syntax::scopes::Name| {
            needs::home(code, *it).is_none() && it.span.start < self.class.statement().start()
        };
        if !matches!(bindings.as_slice(), [one] if is_known(one)) {
            return refuse(format!("`{}` is not known yet where the class is declared", name.text(code.text())));
        }
        let there = standing.place().path;
        if there != code.path && needs::leads_to(session, &there, &code.path) {
            return refuse(format!("the module of `{}` imports this one", name.text(code.text())));
        }
        let used = usage(code, self.made);
        let is_script = code.family() == Family::Script;
        if let Some(node) = used.whole.first().or(used.members.first().filter(|_| is_script)) {
            return Err(code.refuse(node.start(), "the object is needed to make the one that it holds"));
        }
        Line::of(kin, standing).await
    }

    /// Lets the class extend the other one, and its constructor begin with that of the other.
    pub(super) fn inherits(&self) -> Result<Vec<TextEdit>, Refusal> {
        let code = self.class.code;
        let name = class_name(self.made).unwrap_or(self.made).text(code.text());
        if code.family() == Family::Python {
            let list = self.class.node.child("superclasses").map(Node::span);
            let head = TextEdit::new(list.unwrap_or(Span::at(self.class.name.end())), format!("({name})"));
            let arguments = self.made.child("arguments").unwrap_or(self.made);
            let statement = self.statement.unwrap_or(self.made);
            let begun = TextEdit::new(Span::new(statement.start(), arguments.start()), "super().__init__");
            return Ok(vec![head, begun]);
        }
        let behind = self.class.node.child("type_parameters").unwrap_or(self.class.name).end();
        let mut edits = vec![TextEdit::new(Span::at(behind), format!(" extends {name}"))];
        let arguments = self.made.child("arguments").map_or("()", |it| it.text(code.text()));
        let constructor = constructor(&self.class);
        match (self.statement, constructor.and_then(|it| it.child("body"))) {
            (Some(statement), Some(body)) => {
                if body.named_children().next() != Some(statement) {
                    return Err(code.refuse(statement.start(), "the constructor would have to begin with this"));
                }
                edits.push(TextEdit::new(Span::new(statement.start(), self.made.end()), format!("super{arguments}")));
            }
            (_, Some(body)) => {
                let (end, base) = (code.newline(), code.indent(body.start()).to_owned());
                let step = Layout::of(code).step().to_owned();
                let tail = if body.named_children().next().is_none() { format!("{end}{base}") } else { String::new() };
                let text = format!("{end}{base}{step}super{arguments};{tail}");
                edits.push(TextEdit::new(Span::at(body.start() + 1), text));
            }
            (_, None) if arguments != "()" => {
                let (end, indent, step) = (code.newline(), self.class.indent(), Layout::of(code).step().to_owned());
                let text = format!("constructor() {{{end}{indent}{step}super{arguments};{end}{indent}}}");
                edits.push(self.class.with(Slot::Constructor, &[text]));
            }
            _ => {}
        }
        Ok(edits)
    }
}

/// Returns the name of the class that an expression makes an object of.
fn class_name(made: Node<'_>) -> Option<Node<'_>> {
    let callee = made.child("function").or_else(|| made.child("constructor"))?;
    let is_plain = made.child("type_arguments").is_none() && callee.is("identifier");
    Some(callee).filter(|_| is_plain)
}

fn constructor<'c>(class: &Class<'c>) -> Option<Node<'c>> {
    let all = class.members();
    let built: Vec<Node<'c>> =
        all.iter().filter(|it| it.kind == Kind::Constructor).filter_map(|it| it.function()).collect();
    match built.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn is_of_constructor(class: &Class<'_>, statement: Node<'_>) -> bool {
    let body = constructor(class).and_then(|it| it.child("body"));
    statement.is("expression_statement") && body.is_some() && statement.parent() == body && !is_new(class.code, class)
}

fn is_new(code: &Code, class: &Class<'_>) -> bool {
    class.members().iter().any(|it| it.name.text(code.text()) == "__new__")
}
