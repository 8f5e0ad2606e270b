//! The functions as methods, and their calls as calls of these.

use super::{
    Call, Code, Family, Node, Passing, Refusal, ScopedNames, Signature, Span, TextEdit, comments_above, function_of,
    is_literal,
};
use crate::refactor::analysis::blocks::{first_statement, indent};
use crate::refactor::analysis::call_sites::value;
use crate::refactor::analysis::classes::usage;
use crate::refactor::analysis::free_names::check_private;
use crate::refactor::analysis::indentation::{Layout, changed, without_lines};
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::substitution::put;
use crate::refactor::source_file::is_block;
use crate::syntax::scopes::Name;

/// The class that comes into being.
pub(super) struct Made<'c> {
    class: &'c str,
    /// What all functions take first.
    field: &'c str,
    of: Option<&'c str>,
    members: Vec<Method<'c>>,
}

/// One function with what is to change in it for the class.
struct Method<'c> {
    code: &'c Code,
    found: ModuleFunction<'c>,
    /// Its comments and its `export` included.
    extent: Span,
    name: &'c str,
    first: Span,
    reads: Vec<Node<'c>>,
    /// The first parameter, where it gets another value later, with the statement before which it is declared then.
    local: Option<(&'c str, Node<'c>)>,
    /// What takes the first parameter out of what is said of them.
    docs: Vec<TextEdit>,
}

/// What a function takes first; the class has it under the name that the first of them gives it.
#[derive(Clone, Copy)]
struct Shared<'c> {
    function: &'c str,
    field: &'c str,
    of: Option<&'c str>,
}

impl Shared<'_> {
    fn said(&self) -> String {
        match self.of {
            Some(of) => format!("`{}` takes `{}: {of}` first", self.function, self.field),
            None => format!("`{}` takes `{}` first, without a type", self.function, self.field),
        }
    }

    /// Says why another function takes something else, and what helps.
    fn unlike(&self, other: &Self) -> String {
        format!("{}, and {}: give both the same type, or leave one out", self.said(), other.said())
    }
}

impl<'c> Made<'c> {
    pub(super) fn of(all: &[Passing<'c>], class: &'c str) -> Result<Self, Refusal> {
        let mut members: Vec<Method<'c>> = Vec::new();
        let mut shared: Option<Shared<'c>> = None;
        for passing in all {
            let [signature] = passing.signatures.as_slice() else {
                return Err(Refusal::NotPossible("one of the functions is declared more than once".to_owned()));
            };
            let code = signature.code;
            let refuse = |reason: &str| Err(code.refuse(signature.function.start(), reason));
            let Some(first) = signature.parameters.first().filter(|it| it.default.is_none() && !it.is_open()) else {
                return refuse("it does not have the first parameter that the others have");
            };
            let text = |node: Node<'c>| node.text(code.text()).trim_start_matches(':').trim();
            let taken =
                Shared { function: signature.name(), field: first.name.text(code.text()), of: first.of.map(text) };
            let shared = shared.get_or_insert(taken);
            if shared.of != taken.of {
                return refuse(&shared.unlike(&taken));
            }
            members.push(Method::of(signature)?);
        }
        let Some(Shared { field, of, .. }) = shared else {
            return Err(Refusal::NotPossible("there are no functions".to_owned()));
        };
        let made = Self { class, field, of, members };
        let code = made.code();
        if let Some(one) = made.members.iter().find(|it| it.name == field || it.name == "constructor") {
            return Err(
                code.refuse(one.found.function.start(), format!("`{}` cannot be a method beside the field", one.name))
            );
        }
        if of.is_none() && code.is_typed_script() {
            return Err(code.refuse(made.members[0].found.function.start(), "its first parameter has no type"));
        }
        Ok(made)
    }

    pub(super) fn code(&self) -> &'c Code {
        self.members[0].code
    }

    /// Returns where the class comes to stand.
    pub(super) fn place(&self) -> usize {
        self.members[0].extent.start
    }

    /// Returns what a method calls its object.
    fn own(&self) -> &'static str {
        if self.code().family() == Family::Python { "self" } else { "this" }
    }

    /// Puts the class in the place of the functions; of `edits`, those inside them go along.
    pub(super) fn moved(&self, mut edits: Vec<TextEdit>) -> Result<Vec<TextEdit>, Refusal> {
        let code = self.code();
        let (end, layout) = (code.newline(), Layout::of(code));
        let is_python = code.family() == Family::Python;
        let step = layout.step();
        let mut texts = vec![self.constructor(step, end)];
        for (at, one) in self.members.iter().enumerate() {
            let mut own: Vec<TextEdit> = edits.extract_if(.., |edit| one.extent.contains(edit.span)).collect();
            let read = format!("{}.{}", self.own(), self.field);
            let is_done = |it: &Node<'_>| own.iter().any(|edit| edit.span.contains(it.span()));
            let reads = one.reads.iter().filter(|it| !is_done(it)).map(|it| put(code, *it, &read));
            let reads: Vec<TextEdit> = reads.collect::<Result<_, _>>()?;
            own.extend(reads);
            own.extend(one.local.map(|local| self.declaration(local, step)));
            own.extend(one.head(step));
            own.sort_by_key(|edit| edit.span);
            texts.push(format!("{step}{}", layout.moved_with(one.extent, step, &own)));
            if at > 0 {
                edits.push(without_lines(code, one.extent));
            }
        }
        let is_seen = self.members.iter().any(|it| it.found.statement.is("export_statement"));
        let export = if is_seen { "export " } else { "" };
        let body = texts.join(&end.repeat(2));
        let text = match is_python {
            true => format!("class {}:{end}{body}", self.class),
            false => format!("{export}class {} {{{end}{body}{end}}}", self.class),
        };
        edits.push(TextEdit::new(self.members[0].extent, text));
        Ok(edits)
    }

    /// Declares a variable of a method that begins with what the field holds.
    fn declaration(&self, (name, first): (&str, Node<'_>), step: &str) -> TextEdit {
        let (code, field) = (self.code(), self.field);
        let line = match code.family() {
            Family::Python => format!("{name} = self.{field}"),
            _ => format!("let {name} = this.{field}{}", code.semicolon()),
        };
        let start = comments_above(code, first.start());
        let indent = &code.text()[code.line_start(start)..start];
        TextEdit::new(Span::at(start), format!("{line}{}{step}{indent}", code.newline()))
    }

    fn constructor(&self, step: &str, end: &str) -> String {
        let field = self.field;
        let of = self.of.map(|of| format!(": {of}")).unwrap_or_default();
        if self.code().family() == Family::Python {
            let result = if self.of.is_some() { " -> None" } else { "" };
            return format!("{step}def __init__(self, {field}{of}){result}:{end}{step}{step}self.{field} = {field}");
        }
        match self.code().is_typed_script() {
            true => format!("{step}constructor(private readonly {field}{of}) {{}}"),
            false => format!("{step}constructor({field}) {{{end}{step}{step}this.{field} = {field};{end}{step}}}"),
        }
    }
}

impl<'c> Method<'c> {
    fn of(signature: &Signature<'c>) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
        let is_python = code.family() == Family::Python;
        let is_plain = |it: &ModuleFunction<'_>| {
            let is_default = it.statement.children().any(|it| it.kind() == "default");
            !is_default && !it.statement.is("decorated_definition")
        };
        let Some(found) = ModuleFunction::holding(function).filter(is_plain) else {
            return refuse(function, "it is not an ordinary function of the module");
        };
        let outer = found.statement;
        if function.child("type_parameters").is_some() || signature.is_marked("*") {
            return refuse(function, "it cannot become a method as it is");
        }
        if let Some(one) =
            signature.parameters.iter().find(|it| it.default.is_some_and(|it| !is_literal(it) && !it.is_leaf()))
        {
            return refuse(one.node, "its default would come to be evaluated at another time");
        }
        check_private(code, &[function])?;
        if !is_python && !usage(code, function).is_none() || is_python && code.mentions(function, "self") {
            return refuse(function, "it has an object of its own");
        }
        let names = ScopedNames::of(code);
        let local = local(signature, &names)?;
        let reads = if local.is_some() { Vec::new() } else { signature.reads(&names, 0)? };
        let others = [
            "function_declaration",
            "function_expression",
            "generator_function",
            "method_definition",
            "class",
            "class_declaration",
        ];
        let is_lost =
            |it: &&Node<'c>| it.ancestors().take_while(|outer| *outer != function).any(|outer| outer.is_any(&others));
        if let Some(lost) = reads.iter().find(is_lost).filter(|_| !is_python) {
            return refuse(*lost, "a function inside it has a `this` of its own");
        }
        let start = comments_above(code, outer.start());
        if code.line_start(start) != start || !code.text()[outer.end()..code.next_line(outer.end())].trim().is_empty() {
            return refuse(function, "it shares its lines with something else");
        }
        let list = function.child("parameters").unwrap_or(function);
        let all: Vec<Node<'c>> = list.named_children().collect();
        let first = signature.parameters[0].node;
        let next = all.iter().skip_while(|it| **it != first).nth(1);
        let first = match next {
            Some(next) if !is_python => Span::new(first.start(), next.start()),
            None if !is_python => Span::new(list.start() + 1, list.end() - 1),
            _ => first.span(),
        };
        let extent = Span::new(start, outer.end());
        let docs = without_docs(signature, &[0]).into_iter().filter(|edit| extent.contains(edit.span)).collect();
        Ok(Self { code, found, extent, name: signature.name(), first, reads, local, docs })
    }

    /// Lets the function begin as a method does.
    fn head(&self, step: &str) -> Vec<TextEdit> {
        if self.code.family() == Family::Python {
            return [TextEdit::new(self.first, "self")].into_iter().chain(self.docs.iter().cloned()).collect();
        }
        // What begins its line is not moved along with it.
        let lead = if self.found.statement.start() == self.extent.start { "" } else { step };
        let mut edits = self.found.as_method(self.code, (lead, ""), (step, step));
        edits.push(TextEdit::new(self.first, ""));
        edits.extend(self.docs.iter().cloned());
        edits
    }
}

/// Returns the first parameter, where it gets another value, and the statement before which it can be declared.
fn local<'c>(signature: &Signature<'c>, names: &ScopedNames<'c>) -> Result<Option<(&'c str, Node<'c>)>, Refusal> {
    let code = signature.code;
    let is_declared_again = |write: &Name| code.family() == Family::Script && write.is_binding;
    let Some(_) = signature.assigned(names, 0).filter(|write| !is_declared_again(write)) else { return Ok(None) };
    signature.uses_inside(names, 0)?;
    signature.check_seen()?;
    let first = signature.function.child("body").filter(|it| is_block(*it)).and_then(first_statement);
    let Some(first) = first else { return Ok(None) };
    indent(code, first)?;
    Ok(Some((signature.parameters[0].name.text(code.text()), first)))
}

/// Returns the edits of one file's calls, one inside another told together.
pub(super) fn places(made: &Made<'_>, all: &[Passing<'_>], user: &Code) -> Result<Vec<TextEdit>, Refusal> {
    let mut calls: Vec<(&Call<'_>, &str)> = Vec::new();
    for one in all {
        let own = one.calls.iter().filter(|it| it.code.path == user.path);
        calls.extend(own.map(|call| (call, one.signatures[0].name())));
    }
    calls.sort_by_key(|(call, _)| call.node.span().end - call.node.span().start);
    let mut edits: Vec<TextEdit> = Vec::new();
    for (call, name) in calls {
        edits = place(made, (call, name), edits)?;
    }
    Ok(edits)
}

fn place(made: &Made<'_>, (call, name): (&Call<'_>, &str), mut edits: Vec<TextEdit>) -> Result<Vec<TextEdit>, Refusal> {
    let code = call.code;
    let argument = call.passed[0].filter(|it| call.list.first() == Some(it));
    let argument = argument.ok_or_else(|| call.refuse("what the functions share is not passed first"))?;
    let subject = value(argument);
    let method = made.members.iter().find(|one| code.path == one.code.path && one.extent.contains(call.node.span()));
    let reads = method.map(|one| one.reads.as_slice()).unwrap_or_default();
    let object = if reads.iter().any(|it| it.span() == subject.span()) {
        let own = made.own().to_owned();
        let inner = method.is_some_and(|one| function_of(call.node).map(Node::span) == Some(one.found.function.span()));
        if !inner && code.family() == Family::Script && !call.node.ancestors().any(|it| it.is("arrow_function")) {
            return Err(call.refuse("a function around it has a `this` of its own"));
        }
        own
    } else {
        let mut inside: Vec<TextEdit> = edits.extract_if(.., |edit| subject.span().contains(edit.span)).collect();
        let read = format!("{}.{}", made.own(), made.field);
        let is_done = |it: &Node<'_>| inside.iter().any(|edit| edit.span.contains(it.span()));
        let own = reads.iter().filter(|it| subject.span().contains(it.span()) && !is_done(it));
        let own: Vec<TextEdit> = own.map(|it| put(code, *it, &read)).collect::<Result<_, _>>()?;
        inside.extend(own);
        let said = changed(code.text(), subject.span(), &inside);
        let new = if code.family() == Family::Python { "" } else { "new " };
        let module = call.callee().child("object").map(|it| format!("{}.", it.text(code.text()))).unwrap_or_default();
        format!("{new}{module}{}({said})", made.class)
    };
    edits.push(TextEdit::new(call.callee().span(), format!("{object}.{name}")));
    edits.extend(call.without(&[argument], None)?);
    Ok(edits)
}
