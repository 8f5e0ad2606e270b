//! What holds an object or nothing, followed through all that is done with it.

use std::collections::{BTreeMap, BTreeSet};

use super::checks::{Choice, around, is_nothing};
use super::class_text::{Answer, Answers};
use super::nullable::{Nullable, declared, is_property};
use crate::lsp::Place;
use crate::plan::Warning;
use crate::refactor::analysis::class_identity::check_line;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, MemberKind as Made, Slot};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::fields::listing;
use crate::refactor::analysis::idle_statements::is_idle;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::references::{InFile, Use, UseKind, Uses};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, statement_of};
use crate::refactor::{Refusal, rename};
use crate::session::Session;
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Family, Node, is_any_function, is_async};
use crate::text::{AbsPath, Span, TextEdit};

/// The work on all that may hold nothing.
pub(super) struct Work<'a> {
    session: &'a Session,
    kin: &'a ClassHierarchy<'a>,
    class: &'a Class<'a>,
    /// Of the class.
    uses: &'a Uses,
    name: &'a str,
    pub answers: Answers,
    /// What is yet to be followed.
    waiting: Vec<Place>,
    /// What holds an object or nothing for sure: the places of it that were followed.
    known: BTreeSet<(AbsPath, Span)>,
    files: BTreeMap<AbsPath, File>,
    warnings: Vec<Warning>,
}

/// What becomes of one file.
#[derive(Default)]
struct File {
    edits: Vec<TextEdit>,
    /// Types that are not written any more.
    gone: Vec<Span>,
    /// An object that stands for nothing is made in it.
    makes: bool,
}

/// Tells whether a name is that of a function where it is declared.
fn is_function(name: Node<'_>) -> bool {
    name.parent().is_some_and(|outer| is_any_function(outer) && outer.child("name") == Some(name))
}

impl<'a> Work<'a> {
    pub(super) fn new(
        (session, kin): (&'a Session, &'a ClassHierarchy<'a>),
        (class, uses): (&'a Class<'a>, &'a Uses),
        name: &'a str,
    ) -> Self {
        let (answers, known, files) = (Answers::new(), BTreeSet::new(), BTreeMap::new());
        Self { session, kin, class, uses, name, answers, waiting: Vec::new(), known, files, warnings: Vec::new() }
    }

    pub(super) fn open(&mut self, place: Place) {
        self.waiting.push(place);
    }

    /// Follows what was opened, and the variables that it is kept in.
    pub(super) async fn finish(&mut self) -> Result<(), Refusal> {
        while let Some(place) = self.waiting.pop() {
            let code = Code::read(self.session, &place.path)?;
            let held = Uses::of(self.session, &code, place.offset).await?;
            if held.iter().any(|(user, one)| one.member(user).is_some()) {
                self.warnings.extend(held.certain(self.session).await?);
            }
            let new = held.iter().map(|(user, one)| (user.path.clone(), one.span)).collect::<Vec<_>>();
            if new.first().is_some_and(|first| self.known.contains(first)) {
                continue;
            }
            self.known.extend(new);
            let functions = held.iter().filter(|(user, one)| is_function(one.node(user))).count();
            if functions > 0
                && code.family() == Family::Python
                && let Some(unseen) = rename::called_unseen(self.session, &held.name).await?
            {
                return Err(code.refuse(place.offset, unseen));
            }
            for (user, one) in held.iter() {
                self.check_class(user, one).await?;
            }
            let asks = if functions > 0 { UseKind::Call } else { UseKind::Read };
            for file in held.files.values() {
                self.follow(file, asks)?;
            }
        }
        Ok(())
    }

    /// Refuses fields of classes whose constructors are made for them, or that libraries know.
    async fn check_class(&self, code: &Code, one: &Use) -> Result<(), Refusal> {
        let node = one.node(code);
        let is_declared = matches!(one.kind, UseKind::Definition | UseKind::Write);
        let class = Class::around(code, node).filter(|_| is_declared && !is_function(node));
        match class.filter(|_| one.member(code).is_some() || function_of(node).is_none()) {
            Some(class) => check_line(self.kin, &class).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// Follows the places in one file; `asks` is what gives the object.
    fn follow(&mut self, file: &InFile, asks: UseKind) -> Result<(), Refusal> {
        let code = &file.code;
        let mut seen: Vec<Node<'_>> = Vec::new();
        for one in &file.uses {
            let node = one.node(code);
            let said = one.member(code).unwrap_or(node);
            match one.kind {
                UseKind::Import | UseKind::Export | UseKind::Text => {}
                UseKind::Definition if is_function(node) => self.function(code, node)?,
                UseKind::Definition => self.variable(code, node)?,
                UseKind::Write => self.assigned(code, one)?,
                UseKind::Read if seen.contains(&said) => {}
                UseKind::Read if asks == UseKind::Read => seen.extend(self.read(code, said)?),
                UseKind::Call if asks == UseKind::Call => seen.extend(self.read(code, said.parent().unwrap_or(said))?),
                kind => return Err(code.refuse(one.span.start, format!("it is {} here", kind.said()))),
            }
        }
        Ok(())
    }

    /// A function returns something always.
    fn function(&mut self, code: &Code, name: Node<'_>) -> Result<(), Refusal> {
        let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
        let Some(function) = name.parent() else { return Ok(()) };
        let Some(body) = function.child("body") else { return refuse(name, "it is declared without a body") };
        let own: Vec<Node<'_>> = body.walk_until(is_any_function).collect();
        let is_waiting = is_async(function) || own.iter().any(|it| it.kind().starts_with("yield"));
        let is_marked = function.parent().is_some_and(|it| it.is("decorated_definition"));
        if is_waiting || is_marked {
            return refuse(name, "what it gives is more than what it returns");
        }
        let last = body.named_children().last();
        if !last.is_some_and(|it| it.is_any(&["return_statement", "raise_statement", "throw_statement"])) {
            return refuse(name, "it may end without a `return`");
        }
        self.typed(code, name)?;
        for statement in own.into_iter().filter(|it| it.is("return_statement")) {
            match statement.named_children().next() {
                Some(value) => self.given(code, value)?,
                None => return refuse(statement, "it returns nothing here without saying so"),
            }
        }
        Ok(())
    }

    /// A variable or a field is declared, with a value or without one.
    fn variable(&mut self, code: &Code, name: Node<'_>) -> Result<(), Refusal> {
        let outer = name.parent();
        if let Some(parameter) = outer.filter(|it| is_property(*it)) {
            return self.parameter_property(code, parameter, name);
        }
        let declaration = outer.filter(|it| {
            it.is_any(&["assignment", "variable_declarator", "public_field_definition", "field_definition"])
                && [it.child("left"), it.child("name"), it.child("property")].contains(&Some(name))
        });
        let Some(declaration) = declaration else {
            return Err(code.refuse(name.start(), "its value cannot be followed here"));
        };
        self.typed(code, name)?;
        let value = declaration.child("value").or_else(|| declaration.child("right"));
        match value {
            Some(value) => self.given(code, value),
            None => self.begun(code, declaration, name),
        }
    }

    /// A field that is declared as a parameter becomes one that the constructor sets: what is passed may be nothing still.
    fn parameter_property(&mut self, code: &Code, parameter: Node<'_>, name: Node<'_>) -> Result<(), Refusal> {
        let (text, field) = (code.text(), name.text(code.text()));
        let (class, body) = (Class::around(code, name), function_of(name).and_then(|it| it.child("body")));
        let (Some(class), Some(body)) = (class, body) else {
            return Err(code.refuse(name.start(), "its value cannot be followed here"));
        };
        let names = ScopedNames::of(code);
        let meaning = names.at(name).map(|it| it.meaning);
        let read = meaning.and_then(|it| names.of_meaning(it).find(|it| body.span().contains(it.span)));
        let written = parameter.child("type").and_then(|it| Nullable::of(code, it));
        let known = written.as_ref().filter(|it| self.named_in(code, it.class.span()).is_some());
        let (None, None, None, Some(known)) = (read, parameter.child("value"), class.bases().first(), known) else {
            return Err(code.refuse(name.start(), "the field cannot be set apart from its parameter"));
        };
        let made = self.made(code, body)?;
        let semicolon = code.semicolon();
        let marks = &text[parameter.start()..name.start()];
        let declared = format!("{marks}{field}: {}{semicolon}", known.said(code));
        let set = format!("this.{field} = {field} ?? {made}{semicolon}");
        let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
        let (base, first) = (class.indent(), body.named_children().next());
        let set = match first {
            Some(first) => TextEdit::new(Span::at(first.start()), format!("{set}{end}{base}{step}")),
            None => TextEdit::new(body.span(), format!("{{{end}{base}{step}{set}{end}{base}}}")),
        };
        self.edit(code, class.with(Slot::Field, &[declared]));
        self.edit(code, TextEdit::new(Span::new(parameter.start(), name.start()), ""));
        self.edit(code, set);
        Ok(())
    }

    /// A field of a script that gets no value at once has none until it is set.
    fn begun(&mut self, code: &Code, declaration: Node<'_>, name: Node<'_>) -> Result<(), Refusal> {
        if code.family() == Family::Python {
            return Ok(());
        }
        let class = Class::around(code, name).filter(|_| declaration.kind().ends_with("definition"));
        let Some(class) = class else { return Err(code.refuse(name.start(), "it has no value to begin with")) };
        let constructor = class.members().into_iter().find(|it| it.kind == Made::Constructor);
        let body = constructor.and_then(|it| it.node.child("body"));
        let is_set = class.members_named(name.text(code.text())).iter().any(|it| {
            it.kind == Made::Assigned && body.is_some() && statement_of(it.node).and_then(Node::parent) == body
        });
        if let Some(mark) = declaration.children().find(|it| it.kind() == "?") {
            self.edit(code, TextEdit::new(mark.span(), ""));
        }
        if !is_set {
            let made = self.made(code, declaration)?;
            let end = declaration.child("type").map_or(name.end(), Node::end);
            self.edit(code, TextEdit::new(Span::at(end), format!(" = {made}")));
        }
        Ok(())
    }

    fn assigned(&mut self, code: &Code, one: &Use) -> Result<(), Refusal> {
        let Some((_, value)) = one.assignment(code) else {
            return Err(code.refuse(one.span.start, "it is set in another way here"));
        };
        self.typed(code, one.node(code))?;
        self.given(code, value)
    }

    /// Takes nothing out of a written type.
    fn typed(&mut self, code: &Code, name: Node<'_>) -> Result<(), Refusal> {
        let Some(written) = declared(name) else { return Ok(()) };
        let said = written.text(code.text()).trim_start_matches(':').trim();
        let is_settled = self.named_in(code, written.span()).is_some_and(|it| it.text(code.text()) == said);
        match Nullable::of(code, written).filter(|it| self.named_in(code, it.class.span()).is_some()) {
            Some(found) => {
                let gone = found.gone();
                let file = self.file(code);
                file.edits.extend(gone.iter().map(|span| TextEdit::new(*span, "")));
                file.gone.extend(gone);
                Ok(())
            }
            None if is_settled => Ok(()),
            None => {
                Err(code.refuse(written.start(), format!("`{said}` is more than a `{}` or nothing", self.class.name())))
            }
        }
    }

    /// Lets an object stand for nothing where something is given.
    fn given(&mut self, code: &Code, value: Node<'_>) -> Result<(), Refusal> {
        let value = unwrapped(value);
        let text = value.text(code.text());
        let callee = value.child("function").filter(|_| value.is_any(&["call", "call_expression"])).unwrap_or(value);
        let last = callee.child("attribute").or_else(|| callee.child("property")).unwrap_or(callee);
        let is_known = self.known.contains(&(code.path.clone(), last.span()));
        if is_known || self.is_new(code, value) || self.is_certain(code, value) {
            return Ok(());
        }
        let made = self.made(code, value)?;
        if is_nothing(code, value) {
            self.edit(code, TextEdit::new(value.span(), made));
            return Ok(());
        }
        let is_name = value.is_any(&["identifier", "attribute"])
            && !value.descendants().any(|it| it.is_any(&["call", "subscript"]));
        match code.family() {
            Family::Python if is_name => {
                self.edit(code, TextEdit::new(Span::at(value.end()), format!(" if {text} is not None else {made}")));
            }
            Family::Script
                if value.is_any(&["identifier", "member_expression", "call_expression", "subscript_expression"]) =>
            {
                self.edit(code, TextEdit::new(Span::at(value.end()), format!(" ?? {made}")));
            }
            _ => return Err(code.refuse(value.start(), "whether this is nothing can only be asked by a name")),
        }
        Ok(())
    }

    /// Tells whether an object is made: in Python, where a call says nothing of it, one of the class.
    fn is_new(&self, code: &Code, value: Node<'_>) -> bool {
        let callee = value.child("function").filter(|_| value.is("call"));
        let is_named = callee.is_some_and(|it| {
            let last = it.child("attribute").unwrap_or(it);
            self.named_in(code, last.span()) == Some(last)
        });
        is_named || value.is("new_expression")
    }

    /// Tells whether a variable holds an object always: its type says so, or it is given a new one, once.
    fn is_certain(&self, code: &Code, value: Node<'_>) -> bool {
        let names = ScopedNames::of(code);
        let Some(name) = names.at(value) else { return false };
        let mut writes = names.writes(name.meaning).map(|it| code.covering(it.span));
        let Some(only) = writes.next().filter(|_| writes.next().is_none()) else { return false };
        let outer = only.parent();
        let given = outer.and_then(|it| it.child("value").or_else(|| it.child("right")));
        let said = declared(only).map(|it| it.text(code.text()).trim_start_matches(':').trim());
        let is_said = said == Some(self.class.name()) && !given.is_some_and(|it| is_nothing(code, it));
        is_said || given.is_some_and(|it| self.is_new(code, it))
    }

    /// Looks at a place where the object is read; returns the places that it takes with it.
    fn read<'c>(&mut self, code: &'c Code, subject: Node<'c>) -> Result<Vec<Node<'c>>, Refusal> {
        if let Some(choice) = around(code, subject) {
            self.answer(code, &choice)?;
            self.edit(code, TextEdit::new(choice.replaced, choice.text.as_str()));
            return Ok(choice.subjects);
        }
        let outer = subject.parent();
        let kept = outer.filter(|it| it.is_any(&["assignment", "variable_declarator"])).and_then(|it| {
            let is_value = [it.child("right"), it.child("value")].contains(&Some(subject));
            it.child("left").or_else(|| it.child("name")).filter(|name| is_value && name.is("identifier"))
        });
        match kept {
            Some(name) => {
                self.open(Place { path: code.path.clone(), offset: name.start() });
                Ok(Vec::new())
            }
            None => {
                let reason = "it is not asked here whether there is one, with a constant for where there is none";
                Err(code.refuse(subject.start(), reason))
            }
        }
    }

    fn answer(&mut self, code: &Code, choice: &Choice<'_>) -> Result<(), Refusal> {
        let text = code.text();
        let asked = choice.member.text(text);
        if choice.arguments.is_some_and(|it| reach(&ScopedNames::of(code), code, it) == ExpressionReach::Acts) {
            return Err(code.refuse(choice.member.start(), "what is passed would be evaluated for nothing, too"));
        }
        let new = Answer {
            default: choice.default.text(text).to_owned(),
            is_called: choice.arguments.is_some(),
            is_loose: choice.is_loose,
        };
        let known = self.answers.entry(asked.to_owned()).or_insert_with(|| new.clone());
        known.is_loose |= new.is_loose;
        match (known.default == new.default, known.is_called == new.is_called) {
            (true, true) => Ok(()),
            _ => {
                let reason =
                    format!("for nothing, `{asked}` is `{}` here, and `{}` elsewhere", new.default, known.default);
                Err(code.refuse(choice.member.start(), reason))
            }
        }
    }

    /// Writes what makes an object that stands for nothing.
    fn made(&mut self, code: &Code, at: Node<'_>) -> Result<String, Refusal> {
        if code.path == self.class.code.path && self.is_early(code, at) {
            let reason = format!("`{}` would not be there yet", self.name);
            return Err(code.refuse(at.start(), reason));
        }
        self.file(code).makes = true;
        Ok(if code.family() == Family::Python { format!("{}()", self.name) } else { format!("new {}()", self.name) })
    }

    /// Tells whether a place of the class's file is evaluated before what stands behind the class: the field of a script is
    /// when an object is made, which no statement between them does.
    fn is_early(&self, code: &Code, at: Node<'_>) -> bool {
        let there = self.class.statement().end();
        if function_of(at).is_some() || at.start() >= there {
            return false;
        }
        let field = std::iter::once(at).chain(at.ancestors()).find(|it| it.is("public_field_definition"));
        let field = field.filter(|it| !it.children().any(|child| child.kind() == "static"));
        let names = ScopedNames::of(code);
        let mut between = code.root().named_children().filter(|it| it.end() > at.start() && it.end() <= there);
        field.is_none() || between.any(|statement| !is_idle(&names, code, statement))
    }

    /// Returns where the class is named in a stretch.
    fn named_in<'c>(&self, code: &'c Code, span: Span) -> Option<Node<'c>> {
        let mut uses = self.uses.files.get(&code.path)?.uses.iter();
        uses.find(|one| span.contains(one.span)).map(|one| one.node(code))
    }

    fn file(&mut self, code: &Code) -> &mut File {
        self.files.entry(code.path.clone()).or_default()
    }

    fn edit(&mut self, code: &Code, edit: TextEdit) {
        self.file(code).edits.push(edit);
    }

    /// Returns what becomes of the files, with the imports that come and go.
    pub(super) fn edits(self) -> Result<Edits, Refusal> {
        let mut edits = Edits::default();
        let home = self.class.code;
        for (path, file) in self.files {
            let code = Code::read(self.session, &path)?;
            required::leave(self.session, &code, &file.gone, &mut edits);
            if file.makes && path != home.path {
                if code.mentions(code.root(), self.name) {
                    return Err(Refusal::NotPossible(format!(
                        "`{}` refers to something else in `{}`",
                        self.name, code.shown
                    )));
                }
                required::check_apart(self.session, home, &code)?;
                edits.import(&code, required::line(self.session, home, &code, self.name));
                if code.family() != Family::Python && !self.class.statement().is("export_statement") {
                    return Err(home.refuse(self.class.name.start(), "the class is not exported where others need it"));
                }
            }
            edits.add(&code, file.edits);
        }
        let said = |word: &str| format!("what `{word}` shows may hold a `{}` where it held nothing", self.name);
        edits.warn(listing(self.session, self.class, said));
        edits.warn(self.warnings);
        Ok(edits)
    }
}
