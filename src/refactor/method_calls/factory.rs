//! Replace Constructor with Factory Function.
//!
//! ```ts
//! class Order { constructor(count: number) {…} }      function createOrder(count: number): Order {
//! new Order(2);                                   →       return new Order(count);
//!                                                     }
//!                                                     createOrder(2);
//! ```

mod python;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::statements::with_links;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::references::{InFile, Use, UseKind, Uses};
use crate::refactor::analysis::sibling_declarations::{SiblingReplacement, behind, listed_beside};
use crate::refactor::analysis::signatures::{parameters, pattern};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, definition, is_class, type_arguments};
use crate::session::Session;
use crate::syntax::{Family, Node, without_variance};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let name = request.params.text("name");
    let class = Some(code.declared(&request.target)).filter(|node| is_class(*node) && request.target.name.is_some());
    let class = class.ok_or_else(|| Refusal::NotPossible(format!("the target names no class of `{}`", code.shown)))?;
    let own = class.child("name").ok_or_else(|| code.refuse(class.start(), "the class has no name"))?;
    let outer = definition(class);
    let statement = outer.parent().filter(|outer| outer.is("export_statement")).unwrap_or(outer);
    if statement.parent() != Some(code.root()) {
        return Err(code.refuse(class.start(), "the class does not stand at the top of its module"));
    }
    if class.is("abstract_class_declaration") || python::is_abstract(&code, class) {
        return Err(code.refuse(class.start(), "an abstract class cannot be instantiated"));
    }
    if let Some(member) = Class::of(&code, class).and_then(|it| it.members_named(name).first().copied()) {
        return Err(code.refuse(member.name.start(), format!("the class has a `{name}` itself")));
    }
    let step = Layout::of(&code).step().to_owned();
    let factory = match code.family() {
        Family::Python => python::written(&code, class, (own.text(code.text()), name), &step),
        _ => function(&code, class, name, &step)?,
    };
    let uses = Uses::of(session, &code, own.start()).await?;
    with_links(session, code.family(), &code.path, |links| {
        let beside = SiblingReplacement { links, home: &code, uses: &uses, name, class: own.text(code.text()) };
        let mut edits = Edits::default();
        for file in uses.files.values() {
            let mut own = calls(&beside, file)?;
            if file.code.path == code.path {
                own.push(behind(&code, statement, &factory));
                own.extend(listed_beside(&code, statement, name));
            } else if !own.is_empty() {
                let made = file.uses.iter().filter(|one| makes(&file.code, one));
                let gone: Vec<Span> = made.map(|one| one.span).collect();
                own.extend(beside.imports(file, &gone)?);
            }
            edits.add(&file.code, own);
        }
        let imports_it = |file: &InFile| file.uses.iter().any(|one| is_bare_call(&file.code, one));
        for (code, own) in beside.hand_on(&makes, &imports_it)? {
            edits.add(code, own);
        }
        edits.plan()
    })
}

/// Writes the function that makes objects of the class, in scripts.
fn function(code: &Code, class: Node<'_>, name: &str, step: &str) -> Result<String, Refusal> {
    let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
    let text = code.text();
    let body = class.child("body").into_iter().flat_map(Node::named_children);
    let makers: Vec<Node<'_>> =
        body.filter(|it| it.child("name").is_some_and(|own| own.text(text) == "constructor")).collect();
    let mut taken = (Vec::new(), Vec::new());
    match makers.as_slice() {
        [] if class.children().any(|child| child.is("class_heritage")) => {
            return refuse(class, "its constructor is that of the class that it extends");
        }
        [] => {}
        [maker] => {
            if maker.child_of_kind("accessibility_modifier").is_some_and(|word| word.text(text) != "public") {
                return refuse(*maker, "its constructor is not public");
            }
            for parameter in parameters((code, *maker)) {
                let bound = pattern(parameter);
                taken.1.push(match bound.kind() {
                    "identifier" => bound.text(text).to_owned(),
                    "rest_pattern" => bound.text(text).to_owned(),
                    _ => return refuse(parameter, "the parameter is a pattern"),
                });
                // Without the words that make it a field.
                taken.0.push(text[bound.start()..parameter.end()].to_owned());
            }
        }
        _ => return refuse(makers[0], "its constructor has several signatures"),
    }
    let own = class.child("name").map(|own| own.text(text)).unwrap_or_default();
    let generic = class.child("type_parameters");
    let of = type_arguments(class, text);
    let result = if code.is_typed_script() { format!(": {own}{of}") } else { String::new() };
    let end = code.newline();
    // Only types can be annotated so.
    let generic = generic.map(|it| without_variance(it.text(text))).unwrap_or_default();
    let semicolon = code.semicolon();
    Ok(format!(
        "function {name}{generic}({}){result} {{{end}{step}return new {own}{of}({}){semicolon}{end}}}",
        taken.0.join(", "),
        taken.1.join(", ")
    ))
}

/// Lets a file call the function where it made an object.
fn calls(beside: &SiblingReplacement<'_>, file: &InFile) -> Result<Vec<TextEdit>, Refusal> {
    let code = &file.code;
    let mut edits = Vec::new();
    beside.check_free(code)?;
    for one in file.uses.iter().filter(|one| makes(code, one)) {
        let named = beside.instead(code, one)?;
        if code.family() == Family::Python {
            edits.push(named);
            continue;
        }
        let called = one.member(code).unwrap_or(one.node(code));
        let made = called.parent().filter(|made| made.is("new_expression"));
        let made = made.ok_or_else(|| code.refuse(one.span.start, "an object is made in another way here"))?;
        let is_bare = made.child("arguments").is_none();
        let called = format!("{}{}", &code.text()[called.start()..one.span.start], named.new_text);
        edits.push(TextEdit::new(Span::new(made.start(), one.span.end), called));
        edits.extend(is_bare.then(|| TextEdit::new(Span::at(made.end()), "()")));
    }
    Ok(edits)
}

/// Tells whether an object of the class is made at a place; `new this()` may make one of a subclass.
fn makes(code: &Code, one: &Use) -> bool {
    match code.family() {
        Family::Python => one.kind == UseKind::Call,
        _ => one.kind == UseKind::New && !one.node(code).is("this"),
    }
}

/// Tells whether an object is made by the name of its class alone.
fn is_bare_call(code: &Code, one: &Use) -> bool {
    makes(code, one) && one.member(code).is_none()
}
