//! Replace Method with Method Object.
//!
//! ```python
//!                                          class PriceOf:
//!                                              def __init__(self, order: "Order", amount: int):
//!                                                  self.order = order
//!                                                  self.amount = amount
//!
//!                                              def compute(self) -> int:
//!                                      →           base = self.amount * self.order.rate
//!                                                  return base if base > 0 else 0
//!
//! class Order:                             class Order:
//!     def price(self, amount: int) -> int:     def price(self, amount: int) -> int:
//!         base = amount * self.rate                return PriceOf(self, amount).compute()
//!         return base if base > 0 else 0
//! ```
//! The class stands before whatever could call it. Parameters and the method's own object become its fields; variables
//! stay what they are.

mod body;
mod class_text;
mod used_members;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, comments_above};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::free_names::{check_module_name, check_own_name};
use crate::refactor::analysis::imports::required::home;
use crate::refactor::analysis::{blocks, inferred_types};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, is_block, is_class};
use crate::session::Session;
use crate::syntax::{Family, Language, Node, is_any_function, is_async};
use crate::text::{Span, TextEdit};
use body::Body;
use used_members::open_used;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The function, on its way to a class.
struct Method<'c> {
    code: &'c Code,
    function: Node<'c>,
    class: Option<Class<'c>>,
    /// What the new class is called.
    name: &'c str,
    body: Body<'c>,
    fields: Vec<Field>,
    is_async: bool,
}

/// What the new class holds.
struct Field {
    name: String,
    /// What is passed for it.
    passed: String,
    /// Its type as a script, or Python, writes it behind a name; nothing where none is known.
    of: String,
    is_set: bool,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let (function, block) = blocks::function(&code, &request.target)?;
    let name = request.params.text("name");
    check_module_name(&code, name).noted()?;
    let statement = statement(&code, function)?;
    let class = Class::around(&code, function).filter(|it| it.node.holds(function));
    check_whole(&code, function).noted()?;
    let names = ScopedNames::of(&code);
    let body = Body::of((&code, &names), (function, block), class.as_ref())?;
    if let Some(class) = class.as_ref().filter(|_| code.family() == Family::Script) {
        check_own_name(class, function)?;
    }
    let is_async = is_async(function);
    let mut method = Method { code: &code, function, class, name, body, fields: Vec::new(), is_async };
    method.fields = fields(session, &method, &names).await?;
    if let Some(field) = method.fields.iter().find(|it| it.name == "compute" || it.name == "constructor") {
        return Err(code.refuse(function.start(), format!("`{}` cannot be a field of the new class", field.name)));
    }
    let at = above(&code, &names, statement);
    let mut edits = Edits::default();
    if let Some(class) = method.class.as_ref().filter(|_| code.family() == Family::Script) {
        open_used(session, class, &method.body, &mut edits).await.noted()?;
    }
    edits.add(&code, [TextEdit::new(Span::at(at), method.made()?), method.asking()]);
    edits.plan()
}

/// Returns the statement of the module that a function is, or that its class is.
fn statement<'c>(code: &'c Code, function: Node<'c>) -> Result<Node<'c>, Refusal> {
    let outer = function.ancestors().find(|it| is_any_function(*it) || is_class(*it));
    let holder = match outer {
        Some(class) if is_class(class) => class,
        Some(_) => return Err(code.refuse(function.start(), "a function inside another one uses what is around it")),
        None => function,
    };
    let chain = std::iter::once(holder).chain(holder.ancestors());
    let statement = chain.take_while(|it| it.parent().is_some()).last().unwrap_or(holder);
    let is_outermost = std::iter::once(holder).chain(holder.ancestors()).find(|it| it.parent().is_some_and(is_block));
    match is_outermost == Some(statement) {
        true => Ok(statement),
        false => {
            Err(code.refuse(holder.start(), "it is declared in a place of its own: what is around it may be needed"))
        }
    }
}

/// Refuses functions whose calls give more than they answer.
fn check_whole(code: &Code, function: Node<'_>) -> Result<(), Refusal> {
    let text = code.text();
    let name = function.child("name").map(|it| it.text(text)).unwrap_or_default();
    let own = function.walk_until(|it| is_any_function(it) && it != function);
    let yields = own.into_iter().any(|it| it.is_any(&["yield", "yield_expression"]));
    let is_guard =
        function.child("return_type").is_some_and(|it| it.is_any(&["type_predicate_annotation", "asserts_annotation"]));
    let reason = match name {
        "__init__" | "__new__" | "constructor" => "it makes the object itself",
        _ if yields || function.children().any(|it| it.kind() == "*") => "it goes on after it has answered",
        _ if is_guard => "what it answers says what its argument is",
        _ => return Ok(()),
    };
    Err(code.refuse(definition(function).start(), reason))
}

/// Decides what the new class holds: the object, and every parameter that is used.
async fn fields(session: &Session, method: &Method<'_>, names: &ScopedNames<'_>) -> Result<Vec<Field>, Refusal> {
    let (code, body) = (method.code, &method.body);
    let mut found: Vec<Field> = Vec::new();
    for taken in &body.taken {
        let name = taken.name.text(code.text()).to_owned();
        let of = method.annotation(session, names, taken).await?;
        found.push(Field { passed: name.clone(), name, of, is_set: taken.is_set && taken.is_field });
    }
    let Some(class) = method.class.filter(|_| !body.own.is_empty()) else { return Ok(found) };
    let python = code.family() == Family::Python;
    let passed = if python { body.object.unwrap_or("self") } else { "this" };
    let is_static = method.function.child_of_kind("static").is_some();
    let of = match code.parsed().tree.language() {
        Language::JavaScript => String::new(),
        _ if python && method.is_typed() && !method.is_of_class() => format!(": \"{}\"", class.name()),
        _ if python => String::new(),
        _ if is_static => format!(": typeof {}", class.name()),
        _ => format!(": {}{}", class.name(), crate::refactor::source_file::type_arguments(class.node, code.text())),
    };
    let name = body.field_of_object(&class)?;
    found.insert(0, Field { name, passed: passed.to_owned(), of, is_set: false });
    Ok(found)
}

impl<'c> Method<'c> {
    /// Tells whether its signature says types.
    fn is_typed(&self) -> bool {
        let parameters = self.function.child("parameters").into_iter().flat_map(Node::named_children);
        !self.is_generic()
            && (self.function.child("return_type").is_some()
                || parameters.into_iter().any(|it| it.child("type").is_some()))
    }

    /// Tells whether its object is a class of Python.
    fn is_of_class(&self) -> bool {
        let outer = definition(self.function);
        outer.children().any(|it| it.is("decorator") && it.text(self.code.text()).ends_with("classmethod"))
    }

    /// Tells whether its types in Python hang on what the class or the function is made for.
    fn is_generic(&self) -> bool {
        let text = self.code.text();
        let around = self.class.iter().map(|it| it.node).chain([self.function]);
        let is_of_types = |it: Node<'_>| {
            let bases = it.child("superclasses").map(|it| it.text(text)).unwrap_or_default();
            it.child("type_parameters").is_some() || bases.contains("Generic[") || bases.contains("Protocol[")
        };
        self.code.family() == Family::Python && around.into_iter().any(is_of_types)
    }

    /// Returns the type of a parameter as it is written behind the name of a field.
    async fn annotation(
        &self,
        session: &Session,
        names: &ScopedNames<'_>,
        taken: &body::Taken<'_>,
    ) -> Result<String, Refusal> {
        let code = self.code;
        let written = taken.node.child("type");
        let is_rest = taken.node.descendants().any(|it| it.is_any(&["list_splat_pattern", "dictionary_splat_pattern"]));
        if code.family() == Family::Python {
            let known = written.filter(|it| !is_rest && !self.is_generic() && is_of_module((code, names), *it));
            return Ok(known.map(|it| format!(": {}", it.text(code.text()))).unwrap_or_default());
        }
        let is_open = taken.node.is("optional_parameter") && taken.node.child("value").is_none();
        match written {
            _ if !code.is_typed_script() => Ok(String::new()),
            Some(of) if is_open => Ok(inferred_types::or_undefined(of, code.text())),
            Some(of) => Ok(of.text(code.text()).to_owned()),
            None => inferred_types::annotation(session, code, names, taken.name).await,
        }
    }
}

/// Tells whether all names of a type are those of the module.
fn is_of_module((code, names): (&Code, &ScopedNames<'_>), of: Node<'_>) -> bool {
    let all = names.within(of.span()).flat_map(|it| names.of_meaning(it.meaning));
    all.filter(|it| it.is_binding).all(|it| home(code, it).is_none())
}

/// Returns where the class stands: before the statement, and before what could call it while the module is loaded.
fn above(code: &Code, names: &ScopedNames<'_>, statement: Node<'_>) -> usize {
    let declared = statement.child("declaration").unwrap_or(statement);
    let is_hoisted = declared.is_any(&["function_declaration", "generator_function_declaration"]);
    let acts = |it: &Node<'_>| {
        let inner = it.child("declaration").unwrap_or(*it);
        let is_declared =
            is_any_function(inner) || inner.kind().contains("import") || inner.kind().ends_with("comment");
        !is_declared && (is_class(inner) || reach(names, code, inner) == ExpressionReach::Acts)
    };
    let before = code.root().named_children().take_while(|it| it.start() < statement.start());
    let first = before.filter(|_| is_hoisted).find(acts).unwrap_or(statement);
    // Overloads stand right before what they belong to.
    let earlier: Vec<Node<'_>> = code.root().named_children().take_while(|it| it.start() < first.start()).collect();
    let is_overload = |it: &&Node<'_>| {
        it.child("declaration").unwrap_or(**it).is("function_signature") || it.kind().ends_with("comment")
    };
    let overloads = earlier.iter().rev().take_while(is_overload).filter(|it| !it.kind().ends_with("comment"));
    let first = overloads.last().copied().unwrap_or(first);
    code.line_start(comments_above(code, first.start()))
}
