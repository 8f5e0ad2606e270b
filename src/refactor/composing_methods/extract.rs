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

mod answered;
mod data_flow;
mod known_fields;
mod local_imports;
mod types;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::expressions::{candidates_and_tuples, replaced};
use crate::refactor::analysis::extracted_expression::{Idle, Query};
use crate::refactor::analysis::free_names::{check_name, check_private};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::method_receivers::Receiver;
use crate::refactor::analysis::present_values::returns;
use crate::refactor::analysis::repeated_statements::{Extraction, extent, joined, same, wanted};
use crate::refactor::analysis::sibling_declarations::breaks_missing_above;
use crate::refactor::refusal::both;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, function_of, is_class, selected, wanted_lines};
use crate::session::Session;
use crate::syntax::{Language, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};
use data_flow::{Exit, Flow};
use local_imports::LocalImport;
use types::Types;

pub(crate) const FUNCTION: Run = |session, request| Box::pin(plan(session, request, Home::Module));
pub(crate) const METHOD: Run = |session, request| Box::pin(plan(session, request, Home::Class));

pub(crate) const EXPRESSION: Run = |session, request| Box::pin(expression(session, request, Home::Class));

/// Turns an expression into a function that computes it.
async fn expression(session: &Session, request: &Request, home: Home) -> Result<Plan, Refusal> {
    // A way of a server leads here, too, and such a one is not told of changes before.
    session.refresh().await;
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let found = candidates_and_tuples(&code, request)?;
    let idle = if home == Home::Class { Idle::InClass } else { Idle::InModule };
    let query = Query::of(session, (&code, &names), (found[0], idle), request.params.text("name")).await?;
    let all = if request.params.flag("replace_all") { found.as_slice() } else { &found[..1] };
    let mut edits: Vec<TextEdit> = all.iter().map(|one| replaced(&code, *one, &query.call())).collect();
    edits.extend(Query::definitions(&[query]));
    code.plan(edits)
}

/// Where the new function comes to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Module,
    /// The class around the lines; the module, where there is none.
    Class,
}

async fn plan(session: &Session, request: &Request, home: Home) -> Result<Plan, Refusal> {
    if request.params.given("expression").is_some() {
        return expression(session, request, home).await;
    }
    let code = Code::of(session, request)?;
    let statements = selected(&code, wanted_lines(&code, request)?)?;
    let names = ScopedNames::of(&code);
    let mut source = Source { session, code: &code, names: &names, home, name: request.params.text("name") };
    let (model, class, mut edits) = source.extracted(&statements).await?;
    if class.is_none() {
        source.home = Home::Module;
    }
    let mut all = Vec::new();
    for one in wanted(&code, &names, (request, &statements)) {
        let own = source.extracted(&one.statements).await.map(|(own, around, _)| (own, around));
        let own = own.map(|(own, around)| Some(own).filter(|_| class.is_none() || around == class));
        all.push((one, own));
    }
    let all = same(session, &code, model, all);
    // A module has the function where its first call stands.
    let first = all.iter().enumerate().min_by_key(|(_, it)| it.definition[0].span).map_or(0, |(at, _)| at);
    edits.add(&code, joined(all, if class.is_some() { 0 } else { first }));
    edits.plan()
}

/// Where lines become a function.
struct Source<'c, 'n> {
    session: &'n Session,
    code: &'c Code,
    names: &'n ScopedNames<'c>,
    home: Home,
    name: &'n str,
}

impl<'c> Source<'c, '_> {
    /// Returns the function that statements become, the class that has it as a method, and the imports of its types.
    async fn extracted(&self, statements: &[Node<'c>]) -> Result<(Extraction, Option<Node<'c>>, Edits), Refusal> {
        let Self { session, code, names, home, name } = *self;
        let first = statements[0];
        let function = scope_of(code, first)?;
        let method = crate::refactor::source_file::definition(function);
        let class = method.parent().and_then(|body| body.parent()).filter(|outer| is_class(*outer));
        let object = class.and_then(|class| Receiver::of((code, names), function, class).ok());
        let class = class.filter(|_| home == Home::Class);
        let receiver = class.map(|class| Receiver::of((code, names), function, class)).transpose()?;
        let is_open = |name: &str| is_open(session, code, first, name);
        let flow = Flow::of(code, names, function, (statements, &is_open));
        let (mut flow, ()) = both(flow, check_name(session, code, class, name).await)?;
        match &receiver {
            Some(receiver) if flow.outputs.contains(&receiver.name) => {
                return Err(code.refuse(first.start(), format!("the lines reassign `{}`", receiver.name)));
            }
            Some(receiver) => flow.inputs.retain(|input| *input != receiver.name),
            None => {
                check_private(code, statements)?;
                // The object of a method comes first, as in the method.
                flow.inputs.sort_by_key(|input| object.as_ref().is_none_or(|object| *input != object.name));
            }
        }
        let answered = match flow.exit {
            Exit::Answers => Some(answered::checked(session, (code, names), (function, statements)).await?),
            _ => None,
        };
        let local = LocalImport::taken((code, names), (function, statements), &mut flow.inputs);
        let mut types = Types::of(session, (code, names), function, (&flow, statements)).await;
        let mut imports = std::mem::take(&mut types.imports);
        imports.add(code, LocalImport::left(code, &local)?);
        let held =
            receiver.as_ref().map(|it| known_fields::held(code, function, statements, it.name)).unwrap_or_default();
        let layout = Layout::of(code);
        let made = Made { code, layout, name, receiver, flow, statements, local, types, held, answered };
        Ok((made.extraction(function, class.map(|_| method)), class, imports))
    }
}

/// Returns the function around some lines, or the module.
fn scope_of<'c>(code: &'c Code, first: Node<'c>) -> Result<Node<'c>, Refusal> {
    match function_of(first) {
        Some(function) if function.is("function_definition") => Ok(function),
        Some(_) => Err(code.refuse(first.start(), "the lines stand in no function")),
        None if first.ancestors().any(is_class) => {
            Err(code.refuse(first.start(), "the lines declare a class's members"))
        }
        None => Ok(code.root()),
    }
}

/// Tells whether others than its module may use a variable: other modules, or whoever takes what it exports. What is set only
/// where the module is the program is nobody else's.
fn is_open(session: &Session, code: &Code, first: Node<'_>, name: &str) -> bool {
    let is_main =
        |it: Node<'_>| it.is("if_statement") && it.child("condition").is_some_and(|it| code.mentions(it, "__name__"));
    let is_exported = ["\"", "'"].iter().any(|quote| code.text().contains(&format!("{quote}{name}{quote}")));
    let is_kin = |path: &AbsPath| Language::of_path(path).is_some_and(|other| other.family() == code.family());
    let is_other = |path: &AbsPath| *path != code.path && is_kin(path);
    !first.ancestors().any(is_main) && (is_exported || session.disk().files_mentioning(name).iter().any(is_other))
}

/// The function that comes into being.
struct Made<'c> {
    code: &'c Code,
    layout: Layout<'c>,
    name: &'c str,
    receiver: Option<Receiver<'c>>,
    flow: Flow<'c>,
    statements: &'c [Node<'c>],
    local: Vec<LocalImport<'c>>,
    types: Types,
    /// Fields that are something where the lines stand.
    held: Vec<String>,
    /// The variable that what is returned gets, where the lines may go on, too.
    answered: Option<String>,
}

impl Made<'_> {
    /// Writes the function below the method that the lines stand in, or at the top of the module, and what is left of them.
    fn extraction(&self, function: Node<'_>, method: Option<Node<'_>>) -> Extraction {
        let (code, end) = (self.code, self.code.newline());
        let definition = match method {
            Some(method) => {
                let indent = code.indent(method.start());
                TextEdit::new(Span::at(method.end()), format!("{end}{end}{indent}{}", self.definition(indent)))
            }
            None => {
                let is_module = function.is("module");
                let at = above(code, if is_module { self.statements[0] } else { function });
                let missing = breaks_missing_above(code, at).filter(|_| is_module).unwrap_or_default();
                TextEdit::new(Span::at(at), format!("{}{}{}", end.repeat(missing), self.definition(""), end.repeat(3)))
            }
        };
        Extraction { definition: vec![definition], call: TextEdit::new(extent(self.statements), self.call()) }
    }

    fn definition(&self, indent: &str) -> String {
        let (end, step) = (self.code.newline(), self.layout.step());
        let first = self.receiver.as_ref().and_then(Receiver::parameter);
        let mut params: Vec<String> = first.into_iter().map(str::to_owned).collect();
        params.extend(self.flow.inputs.iter().zip(&self.types.inputs).map(|(input, of)| format!("{input}{of}")));
        let decorator = match &self.receiver {
            Some(receiver) if !receiver.decorator.is_empty() => format!("{}{end}{indent}", receiver.decorator),
            _ => String::new(),
        };
        let (first, last) = (self.statements[0], self.statements[self.statements.len() - 1]);
        let base = format!("{indent}{step}");
        let computed = self.computed().map(|span| {
            // Of a line without an indentation nothing stands before the edit that could be moved.
            let is_bare = span.start > first.start() && self.code.line_start(span.start) == span.start;
            let moved = if is_bare { base.as_str() } else { "" };
            TextEdit::new(span, format!("{moved}return "))
        });
        let result = match (self.flow.exit, self.flow.outputs.as_slice()) {
            (Exit::Returns | Exit::Ends, _) | (Exit::Falls, []) => String::new(),
            (Exit::Leaves, _) => format!("{end}{base}return False"),
            (Exit::Answers, _) => format!("{end}{base}return None"),
            (Exit::Falls, _) if computed.is_some() => String::new(),
            (Exit::Falls, outputs) => format!("{end}{base}return {}", outputs.join(", ")),
        };
        let mut edits: Vec<TextEdit> = computed.into_iter().collect();
        if self.flow.exit == Exit::Leaves {
            edits.extend(returns(self.statements).map(|it| TextEdit::new(it.span(), "return True")));
        }
        let body = self.layout.moved_with(Span::new(first.start(), last.end()), &base, &edits);
        let keyword = if self.flow.awaits { "async def" } else { "def" };
        let head = self.head(&format!("{indent}{keyword} {}", self.name), &params);
        let imports: Vec<&str> = self.local.iter().map(|it| it.text.as_str()).collect();
        let joined = || format!("{}{end}{end}{base}", imports.join(&format!("{end}{base}")));
        let local = if imports.is_empty() { String::new() } else { joined() };
        let held: String = self.held.iter().map(|it| format!("assert {it} is not None{end}{base}")).collect();
        format!("{decorator}{}{end}{base}{local}{held}{body}{result}", head.trim_start())
    }

    /// Returns where the last of the lines gives the only result its name, which nothing there needs.
    fn computed(&self) -> Option<Span> {
        let [only] = self.flow.outputs.as_slice() else { return None };
        let text = self.code.text();
        let assignment = self.statements.last()?.named_children().next().filter(|it| it.is("assignment"))?;
        let (left, right) = (assignment.child("left")?, assignment.child("right")?);
        let is_bare = assignment.child("type").is_none() && left.is("identifier") && !right.is("assignment");
        let is_seen = |node: Node<'_>| node.is("identifier") && node.text(text) == *only;
        let mut functions = self.statements.iter().flat_map(|one| one.descendants()).filter(|it| is_any_function(*it));
        let is_captured = functions.any(|function| function.descendants().any(is_seen));
        let is_it = is_bare && left.text(text) == *only && self.flow.exit == Exit::Falls && !is_captured;
        is_it.then(|| Span::new(assignment.start(), right.start()))
    }

    /// Writes the head, in several lines where it is longer than the others of the file.
    fn head(&self, start: &str, params: &[String]) -> String {
        let answer = &self.types.answer;
        let short = format!("{start}({}){answer}:", params.join(", "));
        if short.len() <= self.layout.longest() || params.is_empty() {
            return short;
        }
        let (end, indent) = (self.code.newline(), &start[..start.len() - start.trim_start().len()]);
        let lines: String = params.iter().map(|it| format!("{indent}{}{it},{end}", self.layout.step())).collect();
        format!("{start}({end}{lines}{indent}){answer}:")
    }

    fn call(&self) -> String {
        let receiver = self.receiver.as_ref().map(|receiver| format!("{}.", receiver.name)).unwrap_or_default();
        let waiting = if self.flow.awaits { "await " } else { "" };
        let call = format!("{waiting}{receiver}{}({})", self.name, self.flow.inputs.join(", "));
        match (self.flow.exit, self.flow.outputs.as_slice()) {
            (Exit::Returns, _) => format!("return {call}"),
            (Exit::Ends, _) | (Exit::Falls, []) => call,
            (Exit::Leaves, _) => {
                let given = returns(self.statements).next().map_or("return", |it| it.text(self.code.text()));
                format!("if {call}:{}{given}", self.inner_line())
            }
            (Exit::Answers, _) => {
                let (end, indent) = (self.code.newline(), self.code.indent(self.statements[0].start()));
                let answered = self.answered.as_deref().unwrap_or_default();
                let inner = self.inner_line();
                format!("{answered} = {call}{end}{indent}if {answered} is not None:{inner}return {answered}")
            }
            (Exit::Falls, outputs) => format!("{} = {call}", outputs.join(", ")),
        }
    }
    /// Begins a line below an `if` that stands where the lines stood.
    fn inner_line(&self) -> String {
        let (end, indent) = (self.code.newline(), self.code.indent(self.statements[0].start()));
        format!("{end}{indent}{}", self.layout.step())
    }
}
