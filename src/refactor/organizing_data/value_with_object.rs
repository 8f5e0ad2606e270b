//! Replace Data Value with Object.
//!
//! ```python
//! class Order:                             class Customer:
//!     def __init__(self, customer):            def __init__(self, name):
//!         self.customer = customer                 self.name = name
//!                                      →
//! order.customer = "Ann"                   class Order:
//! print(order.customer)                        def __init__(self, customer):
//!                                                  self.customer = Customer(customer)
//!
//!                                          order.customer = Customer("Ann")
//!                                          print(order.customer.name)
//! ```
//! Each place that sets the field makes an object of its own, so that none is ever shared.

mod parameter;

use std::collections::BTreeMap;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind as Made};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::members::{check_outermost, check_unused, put_above_class};
use crate::refactor::analysis::references::{InFile, Use, UseKind, Uses};
use crate::refactor::analysis::type_parameters::{TypeParameters, check_variables};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, check_name, whole_words};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A value that becomes an object of a class.
struct Wrap<'c> {
    field: Field<'c>,
    /// The class.
    name: &'c str,
    /// What the value is called in it.
    value: &'c str,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let wrap = Wrap {
        field: Field::of(&code, &request.target)?,
        name: request.params.text("name"),
        value: request.params.given("field").unwrap_or("value"),
    };
    check_name(code.parsed().tree.language(), wrap.value).map_err(|bad| Refusal::BadName(bad.to_string()))?;
    wrap.check().noted()?;
    let around = wrap.field.around(session).await?;
    wrap.field.check_plain(&around).noted()?;
    let uses = Uses::of(session, &code, wrap.field.members[0].name.start()).await?;
    let mut edits = Edits::default();
    edits.warn(uses.its_own(session).await?);
    edits.warn(wrap.field.listed(session, &format!("{}.{}", wrap.field.name, wrap.value)));
    for file in uses.files.values() {
        if wrap.redirect(file, &mut edits)? && file.code.path != code.path {
            wrap.introduce(session, &file.code, &mut edits)?;
        }
    }
    let typed = wrap.typed(session).await?;
    check_variables(&wrap.field.class, |name| !whole_words(&typed, name).is_empty())?;
    let (listed, passed) = TypeParameters::of_class(&wrap.field.class).passed(&[], &[&typed]);
    let is_updated = uses.iter().any(|(_, one)| one.kind == UseKind::Update);
    edits.add(&code, [put_above_class(&wrap.field.class, wrap.class((&listed, &typed), is_updated))]);
    match wrap.parameter() {
        Some(parameter) => edits.add(&code, wrap.set_apart(parameter, &passed)?),
        None => edits.add(&code, wrap.declared(&passed)),
    }
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether objects of the class are passed for what has the bare value";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

impl<'c> Wrap<'c> {
    fn code(&self) -> &'c Code {
        self.field.class.code
    }

    /// Refuses fields that can be without a value, or get one without being set.
    fn check(&self) -> Result<(), Refusal> {
        let (code, class) = (self.code(), self.field.class);
        check_outermost(&class)?;
        check_unused(code, self.name)?;
        for member in &self.field.members {
            let refuse = |reason: &str| Err(code.refuse(member.name.start(), reason));
            let has = |word: &str| member.node.children().any(|it| it.kind() == word);
            let marks = ["static", "abstract", "declare", "accessor", "override"];
            if member.kind == Made::Parameter && (self.field.members.len() > 1 || !code.is_typed_script()) {
                return refuse("it is a parameter of the constructor, and more than that");
            }
            if marks.iter().any(|mark| member.is_marked(code, mark)) || has("?") || has("!") {
                return refuse("it is more than a field of an object that always has its value");
            }
            let is_unset = member.kind == Made::Field && member.node.child("value").is_none();
            let constructor = self.field.constructor();
            let is_made =
                |it: &Member<'_>| it.kind == Made::Assigned && constructor.is_some_and(|at| at.holds(it.node));
            let is_assigned = self.field.members.iter().any(is_made);
            if code.family() == Family::Script && is_unset && !is_assigned {
                return refuse("the class does not give it a value");
            }
        }
        Ok(())
    }

    /// Lets all in one file ask the object for its value, and make one where the field is set; tells whether one is.
    fn redirect(&self, file: &InFile, edits: &mut Edits) -> Result<bool, Refusal> {
        let code = &file.code;
        // What is put in at one place is put in in this order.
        let mut put: BTreeMap<usize, String> = BTreeMap::new();
        let mut ends: Vec<usize> = Vec::new();
        let is_declared = |one: &Use| {
            let here = code.path == self.code().path;
            let declares = |it: &Member<'_>| it.kind != Made::Assigned && it.name.span() == one.span;
            here && (self.field.members.iter().any(declares) || self.is_passed(one, one.node(code)))
        };
        for one in file.uses.iter().filter(|one| !is_declared(one)) {
            let refuse = |reason: String| Err(code.refuse(one.span.start, reason));
            if one.member(code).is_none() || one.is_printed(code) {
                return refuse(format!("it is {} here in a way that an object cannot stand for", one.kind.said()));
            }
            match one.kind {
                UseKind::Read | UseKind::Update => {
                    put.entry(one.span.end).or_default().push_str(&format!(".{}", self.value));
                }
                UseKind::Write => {
                    let value = self.set(code, one)?;
                    put.entry(value.start).or_default().push_str(&self.begun());
                    ends.push(value.end);
                }
                kind => return refuse(format!("it is {} here", kind.said())),
            }
        }
        let sets = !ends.is_empty();
        for end in ends {
            put.entry(end).or_default().push(')');
        }
        edits.add(code, put.into_iter().map(|(at, text)| TextEdit::new(Span::at(at), text)));
        Ok(sets)
    }

    /// Returns what the field is set to, in a statement that does nothing else.
    fn set(&self, code: &Code, one: &Use) -> Result<Span, Refusal> {
        let refuse = || code.refuse(one.span.start, "it is set here together with something else");
        let (assignment, value) = one.assignment(code).ok_or_else(refuse)?;
        let is_statement = assignment.parent().is_some_and(|it| it.is("expression_statement"));
        let is_bare = value.is_any(&["expression_list", "assignment", "assignment_expression", "yield"]);
        match is_statement && !is_bare {
            true => Ok(value.span()),
            false => Err(refuse()),
        }
    }

    /// `new Name(`
    fn begun(&self) -> String {
        format!("{}{}(", if self.code().family() == Family::Python { "" } else { "new " }, self.name)
    }

    /// Makes the class known in another file.
    fn introduce(&self, session: &Session, user: &Code, edits: &mut Edits) -> Result<(), Refusal> {
        check_unused(user, self.name)?;
        let code = self.code();
        if required::leads_to(session, &code.path, &user.path) {
            let reason = format!("{}: it would have to import `{}`, which imports it", user.shown, code.shown);
            return Err(Refusal::NotPossible(reason));
        }
        edits.import(user, required::line(session, code, user, self.name));
        Ok(())
    }

    /// Returns the types of all that a field of Python is given, as one; nothing where one is not known, or they say nothing.
    async fn given_types(&self, session: &Session) -> Option<String> {
        let mut types: Vec<String> = Vec::new();
        for member in &self.field.members {
            let one = inferred_types::built_in(session, self.code(), member.name).await?;
            for each in one.split(" | ") {
                if !types.iter().any(|known| known == each) {
                    types.push(each.to_owned());
                }
            }
        }
        // Nothing stands at the end, as people write it.
        types.sort_by_key(|it| it == "None");
        (types != ["None"]).then(|| types.join(" | "))
    }

    /// Returns the type of the value as a parameter has it: `: str`.
    async fn typed(&self, session: &Session) -> Result<String, Refusal> {
        let (code, name) = (self.code(), self.field.members[0].name);
        let known = match (self.field.written_type(), code.parsed().tree.language()) {
            (_, Language::JavaScript) => None,
            (Some(written), _) => Some(written.to_owned()),
            (None, Language::Python) => self.given_types(session).await,
            (None, _) => Some(inferred_types::known(session, code, name).await?),
        };
        // The new class stands above: Python asks for the types of its parameters there.
        let names = ScopedNames::of(code);
        let at = self.field.class.statement().start();
        let is_late = |word: &str| {
            code.family() == Family::Python && names.named(word).any(|it| it.is_binding && it.span.start >= at)
        };
        let words = |known: &String| known.split(|it: char| !it.is_alphanumeric() && it != '_').any(is_late);
        Ok(known.filter(|it| !words(it)).map(|it| format!(": {it}")).unwrap_or_default())
    }

    /// Writes the class, with an empty line behind it.
    fn class(&self, (listed, typed): (&str, &str), is_updated: bool) -> String {
        let code = self.code();
        let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
        let Self { name, value, .. } = self;
        let export = if self.field.class.statement().is("export_statement") { "export " } else { "" };
        match code.parsed().tree.language() {
            Language::Python => {
                let answer = if typed.is_empty() { "" } else { " -> None" };
                let set = format!("{step}{step}self.{value} = {value}");
                format!("class {name}:{end}{step}def __init__(self, {value}{typed}){answer}:{end}{set}{end}{end}{end}")
            }
            Language::JavaScript => {
                let set = format!("{step}{step}this.{value} = {value};{end}");
                format!("{export}class {name} {{{end}{step}constructor({value}) {{{end}{set}{step}}}{end}}}{end}{end}")
            }
            _ => {
                let word = if is_updated { "public" } else { "readonly" };
                let constructor = format!("constructor({word} {value}{typed}) {{}}");
                format!("{export}class {name}{listed} {{{end}{step}{constructor}{end}}}{end}{end}")
            }
        }
    }

    /// Declares the field to hold an object that is made for `passed`, and lets its declaration make the first one.
    fn declared(&self, passed: &str) -> Vec<TextEdit> {
        let code = self.code();
        let mut edits = Vec::new();
        for member in &self.field.members {
            if let Some(typed) = member.declared_type(code) {
                let mark = if code.family() == Family::Script { ": " } else { "" };
                edits.push(TextEdit::new(typed.span(), format!("{mark}{}{passed}", self.name)));
            }
            let value = member.node.child("value").filter(|_| member.kind == Made::Field);
            if let Some(value) = value {
                edits.push(TextEdit::new(Span::at(value.start()), self.begun()));
                edits.push(TextEdit::new(Span::at(value.end()), ")"));
            }
        }
        edits
    }
}
