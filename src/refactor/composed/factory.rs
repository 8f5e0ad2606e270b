//! Replace Constructor with Factory Function, in scripts.
//!
//! ```ts
//! class Order { constructor(count: number) {…} }      function createOrder(count: number): Order {
//! new Order(2);                                   →       return new Order(count);
//!                                                     }
//!                                                     createOrder(2);
//! ```

use super::code::{Code, is_class, type_arguments};
use super::imports::{Shape, Wanted, place, taken_out, with_links, written};
use super::layout::Layout;
use super::names::Names;
use super::signature::{parameters, pattern};
use super::uses::{InFile, Kind, Uses};
use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::refactor::moves::links::{Link, Links, Taken};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let name = request.params.text("name");
    let class = Some(code.declared(&request.target)).filter(|node| is_class(*node) && request.target.name.is_some());
    let class = class.ok_or_else(|| Refusal::NotPossible(format!("the target names no class of `{}`", code.shown)))?;
    let own = class.child("name").ok_or_else(|| code.refuse(class.start(), "the class has no name"))?;
    let statement = class.parent().filter(|outer| outer.is("export_statement")).unwrap_or(class);
    if statement.parent() != Some(code.root()) || statement.children().any(|child| child.kind() == "default") {
        return Err(code.refuse(class.start(), "the class does not stand at the top of its module by its name"));
    }
    let factory = written_factory(&code, class, name)?;
    let uses = Uses::of(session, &code, own.start()).await?;
    with_links(session, code.family(), &code.path, |links| {
        let way = Way { links, home: &code, name, class: own.text(code.text()) };
        let mut parts = Parts::default();
        for file in uses.files.values() {
            let mut edits = way.calls(file)?;
            if file.code.path == code.path {
                let exported = if statement == class { "" } else { "export " };
                let end = code.newline();
                edits.push(TextEdit::new(Span::at(statement.end()), format!("{end}{end}{exported}{factory}")));
            } else if !edits.is_empty() {
                edits.extend(way.imports(file)?);
            }
            if !edits.is_empty() {
                let text = std::sync::Arc::clone(&file.code.parsed().text);
                parts.edits.insert(file.code.path.clone(), (text, edits));
            }
        }
        Ok(Plan::new(parts)?)
    })
}

/// Writes the function that makes objects of the class.
fn written_factory(code: &Code, class: Node<'_>, name: &str) -> Result<String, Refusal> {
    let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
    let text = code.text();
    if class.is("abstract_class_declaration") {
        return refuse(class, "nobody can make an object of an abstract class");
    }
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
    let (end, layout) = (code.newline(), Layout::of(code));
    let generic = generic.map(|it| it.text(text)).unwrap_or_default();
    let semicolon = if text.contains(";\n") || text.contains(";\r") { ";" } else { "" };
    Ok(format!(
        "function {name}{generic}({}){result} {{{end}{}return new {own}{of}({}){semicolon}{end}}}",
        taken.0.join(", "),
        layout.step(),
        taken.1.join(", ")
    ))
}

/// Whether a file goes on to use the class itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Needed,
    Idle,
}

struct Way<'a> {
    links: &'a dyn Links,
    home: &'a Code,
    name: &'a str,
    class: &'a str,
}

impl Way<'_> {
    /// Lets a file call the function where it made an object.
    fn calls(&self, file: &InFile) -> Result<Vec<TextEdit>, Refusal> {
        let code = &file.code;
        let mut edits = Vec::new();
        if let Some(other) = Names::of(code).named(self.name).next() {
            return Err(code.refuse(other.span.start, format!("`{}` already means something here", self.name)));
        }
        for one in file.uses.iter().filter(|one| one.kind == Kind::New) {
            let callee = one.member(code).unwrap_or(one.node(code));
            let made = callee.parent().filter(|made| made.is("new_expression"));
            let made = made.ok_or_else(|| code.refuse(one.span.start, "an object is made in another way here"))?;
            if callee.is("member_expression") {
                return Err(code.refuse(one.span.start, "the class is reached through its module here"));
            }
            let is_bare = made.child("arguments").is_none();
            edits.push(TextEdit::new(Span::new(made.start(), callee.end()), self.name));
            edits.extend(is_bare.then(|| TextEdit::new(Span::at(made.end()), "()")));
        }
        Ok(edits)
    }

    /// Imports the function where the class was imported, and instead of it where nothing else uses that.
    fn imports(&self, file: &InFile) -> Result<Vec<TextEdit>, Refusal> {
        let code = &file.code;
        let links = self.links.of(code);
        let wanted = |link: &&Link| match &link.taken {
            Taken::Name(name) => name == self.class,
            Taken::Default => true,
            _ => false,
        };
        let imported = |link: &&Link| {
            link.local.is_some_and(|local| {
                file.uses.iter().any(|one| local.contains(one.span) || link.item.contains(one.span))
            })
        };
        let all: Vec<&Link> = links.iter().filter(wanted).filter(imported).collect();
        let idle = |link: &&&Link| {
            let local = link.local.and_then(|local| local.of(code.text()));
            let is_used = |one: &&super::uses::Use| !matches!(one.kind, Kind::Import | Kind::Text);
            let mut uses = file.uses.iter().filter(is_used).filter(|one| one.span.of(code.text()) == local);
            uses.all(|one| one.kind == Kind::New)
        };
        let link = all.iter().find(|link| !idle(link)).or(all.first()).copied();
        let link = link.ok_or_else(|| code.refuse(0, "how the class comes into this file is not known"))?;
        let others: Vec<Span> = all.iter().filter(idle).filter(|it| it.item != link.item).map(|it| it.item).collect();
        let mut edits = taken_out(code, &links, &others)?;
        edits.extend(self.import(code, (&links, link), if idle(&&link) { Class::Idle } else { Class::Needed })?);
        Ok(edits)
    }

    fn import(&self, code: &Code, (links, link): (&[Link], &Link), class: Class) -> Result<Vec<TextEdit>, Refusal> {
        let source = self.links.source((code, link), &code.path, &self.home.path);
        let source = source.map_err(|reason| code.refuse(link.item.start, reason))?;
        let import = Wanted { source: source.clone(), form: Shape::Names, item: self.name.to_owned() };
        let line = written(code, links, &[import]).join("");
        let is_alone = links.iter().filter(|other| other.statement == link.statement).count() == 1;
        match (class == Class::Idle, matches!(link.taken, Taken::Name(_))) {
            (true, true) if link.module.as_ref() == Some(&self.home.path) => {
                Ok(vec![TextEdit::new(link.item, self.name)])
            }
            (true, true) if is_alone => {
                Ok(vec![TextEdit::new(link.item, self.name), TextEdit::new(link.source, source)])
            }
            (true, false) if is_alone => Ok(vec![TextEdit::new(link.statement, line)]),
            (true, _) => {
                let mut edits = taken_out(code, links, &[link.item])?;
                edits.push(TextEdit::new(Span::at(place(code)), format!("{line}{}", code.newline())));
                Ok(edits)
            }
            (false, true) if link.module.as_ref() == Some(&self.home.path) && !link.form.is_type() => {
                Ok(vec![TextEdit::new(Span::at(link.item.end), format!(", {}", self.name))])
            }
            (false, _) => Ok(vec![TextEdit::new(Span::at(link.statement.end), format!("{}{line}", code.newline()))]),
        }
    }
}
