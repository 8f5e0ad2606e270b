//! Extract Function and Extract Method, in Python.
//!
//! ```python
//! def bill(items):                     def summed(items):
//!     total = 0                            total = 0
//!     for item in items:                   for item in items:
//!         total += item.price      →           total += item.price
//!     print(total)                         return total
//!
//!                                      def bill(items):
//!                                          total = summed(items)
//!                                          print(total)
//! ```

mod flow;

use super::classes::Class;
use super::code::{Code, function_of, is_class, selected};
use super::layout::Layout;
use super::names::Names;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::refactor::refusal::both;
use crate::session::Session;
use crate::syntax::{Language, Node, is_any_function};
use crate::text::{Span, TextEdit};
use flow::{Exit, Flow};

pub(in crate::refactor) const FUNCTION: Run =
    |session, request| Box::pin(async { plan(session, request, Home::Module) });
pub(in crate::refactor) const METHOD: Run = |session, request| Box::pin(async { plan(session, request, Home::Class) });

/// Where the new function comes to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Module,
    /// The class around the lines; the module, where there is none.
    Class,
}

/// What a method is called on.
struct Receiver<'c> {
    /// `self` or `cls`, as the method calls it.
    name: &'c str,
    decorator: &'static str,
}

fn plan(session: &Session, request: &Request, home: Home) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let lines = request.target.lines;
    let lines = lines.ok_or_else(|| Refusal::NotPossible("name the lines: `path#L10-L15`".to_owned()))?;
    let statements = selected(&code, lines)?;
    let first = statements[0];
    let function = function_of(first).filter(|function| function.is("function_definition"));
    let function = function.ok_or_else(|| code.refuse(first.start(), "the lines stand in no function"))?;
    let name = request.params.text("name");
    let method = super::code::definition(function);
    let class = method.parent().and_then(|body| body.parent()).filter(|outer| is_class(*outer));
    let class = class.filter(|_| home == Home::Class);
    let receiver = class.map(|_| receiver(&code, function)).transpose()?;
    let names = Names::of(&code);
    let flow = Flow::of(&code, &names, function, &statements);
    let (mut flow, ()) = both(flow, check_name(session, &code, class, name))?;
    match &receiver {
        Some(receiver) if flow.outputs.contains(&receiver.name) => {
            return Err(code.refuse(first.start(), format!("the lines give `{}` another value", receiver.name)));
        }
        Some(receiver) => flow.inputs.retain(|input| *input != receiver.name),
        None => check_private(&code, &statements)?,
    }
    let made = Made { code: &code, layout: Layout::of(&code), name, receiver, flow, statements: &statements };
    let (at, indent) = match class {
        Some(_) => (method.end(), code.indent(method.start())),
        None => (above(&code, function), ""),
    };
    let definition = made.definition(function, indent);
    let (end, gap) = (code.newline(), code.newline().repeat(2));
    let definition = match class {
        Some(_) => format!("{gap}{indent}{definition}"),
        None => format!("{definition}{end}{gap}"),
    };
    let last = statements[statements.len() - 1];
    code.plan(vec![
        TextEdit::new(Span::at(at), definition),
        TextEdit::new(Span::new(first.start(), last.end()), made.call()),
    ])
}

/// Returns what the new method is called on, as the old one is.
fn receiver<'c>(code: &'c Code, function: Node<'c>) -> Result<Receiver<'c>, Refusal> {
    let decorators = function.parent().filter(|outer| outer.is("decorated_definition"));
    let decorators: Vec<&str> = decorators
        .iter()
        .flat_map(|outer| outer.children().filter(|child| child.is("decorator")))
        .map(|decorator| decorator.text(code.text()))
        .collect();
    let first = function.child("parameters").and_then(|list| list.named_children().next());
    let first = first.filter(|first| first.is("identifier")).map(|first| first.text(code.text()));
    match (first, decorators.contains(&"@staticmethod"), decorators.contains(&"@classmethod")) {
        (_, true, _) | (None, ..) => {
            Err(code.refuse(function.start(), "a static method has no object to call on: `extract-function` will do"))
        }
        (Some(name), _, true) => Ok(Receiver { name, decorator: "@classmethod" }),
        (Some(name), ..) => Ok(Receiver { name, decorator: "" }),
    }
}

/// Refuses a name that means something already: in the file, or where the class is known. A variable of a function is
/// no member of a class.
pub(in crate::refactor) fn check_name(
    session: &Session,
    code: &Code,
    class: Option<Node<'_>>,
    name: &str,
) -> Result<(), Refusal> {
    let is_taken = match class.and_then(|class| Class::of(code, class)) {
        Some(class) => class.has(name) || is_member(code, name),
        None => code.mentions(code.root(), name),
    };
    if is_taken {
        return Err(Refusal::NotPossible(format!("`{name}` already means something in `{}`", code.shown)));
    }
    let class = class.and_then(|class| class.child("name")).map(|class| class.text(code.text()));
    let Some(class) = class else { return Ok(()) };
    let heirs = session.disk().files_mentioning(class);
    for path in session.disk().files_mentioning(name) {
        if path == code.path || !heirs.contains(&path) || Language::of_path(&path).is_none() {
            continue;
        }
        if is_member(&Code::known(session, &path)?, name) {
            let message = format!("`{path}` knows `{class}` and uses the name `{name}`, too");
            return Err(Refusal::NotPossible(message));
        }
    }
    Ok(())
}

/// Tells whether a name may stand anywhere for a member of a class: not where it is a variable's, which scopes tell.
fn is_member(code: &Code, name: &str) -> bool {
    let names = Names::of(code);
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    let is_variable = |at: Node<'_>| {
        let is_scope = |it: &Node<'_>| is_class(*it) || is_any_function(*it);
        // What a function is called stands around it.
        let declared = at.parent().filter(|it| at.field() == Some("name") && is_scope(it));
        let scope = declared.unwrap_or(at).ancestors().find(is_scope);
        let is_field = at.parent().is_some_and(|it| it.children().any(|word| word.is("accessibility_modifier")));
        names.at(at).is_some() && !scope.is_some_and(is_class) && !is_field
    };
    spans.into_iter().any(|span| !is_variable(code.covering(span)))
}

/// Refuses to take out of its class what only means something there.
pub(super) fn check_private(code: &Code, statements: &[Node<'_>]) -> Result<(), Refusal> {
    let all = statements.iter().flat_map(|statement| statement.descendants());
    let bound = all.filter(|node| node.is("identifier")).find(|node| {
        let text = node.text(code.text());
        text == "super" || text == "__class__" || text.starts_with("__") && !text.ends_with("__")
    });
    match bound {
        Some(node) => {
            Err(code
                .refuse(node.start(), format!("`{}` means something else outside the class", node.text(code.text()))))
        }
        None => Ok(()),
    }
}

/// Returns the start of the lines above the outermost definition around a function, its comments included.
pub(super) fn above(code: &Code, function: Node<'_>) -> usize {
    let chain = std::iter::once(function).chain(function.ancestors());
    let outermost = chain.take_while(|node| node.parent().is_some()).last().unwrap_or(function);
    let before: Vec<Node<'_>> = code.root().children().take_while(|node| *node != outermost).collect();
    let mut at = code.line_start(outermost.start());
    for node in before.into_iter().rev() {
        let is_attached =
            node.is("comment") && code.next_line(node.end()) == at && code.line_start(node.start()) == node.start();
        if !is_attached {
            break;
        }
        at = node.start();
    }
    at
}

/// The function that comes into being.
struct Made<'c> {
    code: &'c Code,
    layout: Layout<'c>,
    name: &'c str,
    receiver: Option<Receiver<'c>>,
    flow: Flow<'c>,
    statements: &'c [Node<'c>],
}

impl Made<'_> {
    fn definition(&self, function: Node<'_>, indent: &str) -> String {
        let (end, step) = (self.code.newline(), self.layout.step());
        let mut params: Vec<String> = self.receiver.iter().map(|receiver| receiver.name.to_owned()).collect();
        params.extend(self.flow.inputs.iter().map(|input| self.parameter(function, input)));
        let decorator = match &self.receiver {
            Some(receiver) if !receiver.decorator.is_empty() => format!("{}{end}{indent}", receiver.decorator),
            _ => String::new(),
        };
        let (first, last) = (self.statements[0], self.statements[self.statements.len() - 1]);
        let base = format!("{indent}{step}");
        let body = self.layout.moved(Span::new(first.start(), last.end()), &base);
        let result = match (self.flow.exit, self.flow.outputs.as_slice()) {
            (Exit::Returns, _) | (Exit::Falls, []) => String::new(),
            (Exit::Falls, outputs) => format!("{end}{base}return {}", outputs.join(", ")),
        };
        let keyword = if self.flow.awaits { "async def" } else { "def" };
        format!("{decorator}{keyword} {}({}):{end}{base}{body}{result}", self.name, params.join(", "))
    }

    /// Writes a parameter with the type that it has in the old function.
    fn parameter(&self, function: Node<'_>, name: &str) -> String {
        let params = function.child("parameters").into_iter().flat_map(Node::named_children);
        let typed = params.filter(|param| param.is_any(&["typed_parameter", "typed_default_parameter"]));
        let mut typed = typed.filter(|param| {
            let own = param.child("name").or_else(|| param.named_children().next());
            own.is_some_and(|own| own.is("identifier") && own.text(self.code.text()) == name)
        });
        match typed.next().and_then(|param| param.child("type")) {
            Some(annotation) => format!("{name}: {}", annotation.text(self.code.text())),
            None => name.to_owned(),
        }
    }

    fn call(&self) -> String {
        let receiver = self.receiver.as_ref().map(|receiver| format!("{}.", receiver.name)).unwrap_or_default();
        let waiting = if self.flow.awaits { "await " } else { "" };
        let call = format!("{waiting}{receiver}{}({})", self.name, self.flow.inputs.join(", "));
        match (self.flow.exit, self.flow.outputs.as_slice()) {
            (Exit::Returns, _) => format!("return {call}"),
            (Exit::Falls, []) => call,
            (Exit::Falls, outputs) => format!("{} = {call}", outputs.join(", ")),
        }
    }
}
