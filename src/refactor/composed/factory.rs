//! Replace Constructor with Factory Function.
//!
//! ```ts
//! class Order { constructor(count: number) {…} }      function createOrder(count: number): Order {
//! new Order(2);                                   →       return new Order(count);
//!                                                     }
//!                                                     createOrder(2);
//! ```

mod python;

use super::code::{Code, definition, is_class, type_arguments};
use super::imports::{Shape, Wanted, place, taken_out, with_links, written};
use super::layout::Layout;
use super::names::Names;
use super::signature::{parameters, pattern};
use super::uses::{InFile, Kind, Use, Uses};
use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::refactor::moves::links::{Link, Links, Taken};
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let name = request.params.text("name");
    let class = Some(code.declared(&request.target)).filter(|node| is_class(*node) && request.target.name.is_some());
    let class = class.ok_or_else(|| Refusal::NotPossible(format!("the target names no class of `{}`", code.shown)))?;
    let own = class.child("name").ok_or_else(|| code.refuse(class.start(), "the class has no name"))?;
    let outer = definition(class);
    let statement = outer.parent().filter(|outer| outer.is("export_statement")).unwrap_or(outer);
    if statement.parent() != Some(code.root()) || statement.children().any(|child| child.kind() == "default") {
        return Err(code.refuse(class.start(), "the class does not stand at the top of its module by its name"));
    }
    let step = Layout::of(&code).step().to_owned();
    let factory = match code.family() {
        Family::Python => python::written(&code, class, (own.text(code.text()), name), &step),
        _ => function(&code, class, name, &step)?,
    };
    let uses = Uses::of(session, &code, own.start()).await?;
    with_links(session, code.family(), &code.path, |links| {
        let way = Way { links, home: &code, name, class: own.text(code.text()) };
        let mut parts = Parts::default();
        for file in uses.files.values() {
            let mut edits = way.calls(file)?;
            if file.code.path == code.path {
                edits.push(behind(&code, statement, &factory));
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

/// Puts the function behind the class.
fn behind(code: &Code, statement: Node<'_>, factory: &str) -> TextEdit {
    let end = code.newline();
    if code.family() != Family::Python {
        let exported = if statement.is("export_statement") { "export " } else { "" };
        return TextEdit::new(Span::at(statement.end()), format!("{end}{end}{exported}{factory}"));
    }
    // Two empty lines stand around what a module defines.
    let next = code.root().children().find(|node| node.start() >= statement.end());
    let gap = next.map_or(3, |next| code.text()[statement.end()..next.start()].matches('\n').count());
    let below = end.repeat(3_usize.saturating_sub(gap));
    TextEdit::new(Span::at(statement.end()), format!("{}{factory}{below}", end.repeat(3)))
}

/// Writes the function that makes objects of the class, in scripts.
fn function(code: &Code, class: Node<'_>, name: &str, step: &str) -> Result<String, Refusal> {
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
    let end = code.newline();
    let generic = generic.map(|it| it.text(text)).unwrap_or_default();
    let semicolon = if text.contains(";\n") || text.contains(";\r") { ";" } else { "" };
    Ok(format!(
        "function {name}{generic}({}){result} {{{end}{step}return new {own}{of}({}){semicolon}{end}}}",
        taken.0.join(", "),
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
        for one in file.uses.iter().filter(|one| makes(code, one)) {
            let callee = one.member(code).unwrap_or(one.node(code));
            if code.family() == Family::Python {
                edits.push(self.python_call(code, one)?);
                continue;
            }
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

    /// The module that has the class has the function, too; others that offer the class do not.
    fn python_call(&self, code: &Code, one: &Use) -> Result<TextEdit, Refusal> {
        let is_known =
            |callee: Node<'_>| self.links.members(code, &self.home.path, self.class).contains(&callee.span());
        match one.member(code) {
            Some(callee) if !is_known(callee) => {
                Err(code.refuse(one.span.start, "the class is reached through another module than its own here"))
            }
            _ => Ok(TextEdit::new(one.span, self.name)),
        }
    }

    /// Imports the function where the class was imported, and instead of it where nothing else uses that.
    fn imports(&self, file: &InFile) -> Result<Vec<TextEdit>, Refusal> {
        let code = &file.code;
        let is_named = |one: &&Use| makes(code, one) && one.member(code).is_none();
        if !file.uses.iter().any(|one| is_named(&one)) {
            return Ok(Vec::new());
        }
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
            let is_used = |one: &&Use| !matches!(one.kind, Kind::Import | Kind::Text);
            let mut uses = file.uses.iter().filter(is_used).filter(|one| one.span.of(code.text()) == local);
            uses.all(|one| makes(code, one)) && !is_offered(code, link)
        };
        if let ([first, ..], Family::Python) = (all.as_slice(), code.family())
            && (all.len() > 1 || code.covering(first.statement).parent() != Some(code.root()))
        {
            return Err(
                code.refuse(first.statement.start, "the class is imported more than once, or not for the whole file")
            );
        }
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

/// Tells whether an object is made at a place.
fn makes(code: &Code, one: &Use) -> bool {
    match code.family() {
        Family::Python => one.kind == Kind::Call,
        _ => one.kind == Kind::New,
    }
}

/// Tells whether what a Python file imports may be there for others to import.
fn is_offered(code: &Code, link: &Link) -> bool {
    let local = link.local.and_then(|local| local.of(code.text())).unwrap_or_default();
    let is_same = |item: &str| item.split_once(" as ").is_some_and(|(name, alias)| name.trim() == alias.trim());
    let listed = dunder_all(&code.parsed().tree, code.text());
    code.family() == Family::Python
        && (code.path.file_stem() == "__init__"
            || link.item.of(code.text()).is_some_and(is_same)
            || listed.iter().any(|(name, _)| name == local))
}
