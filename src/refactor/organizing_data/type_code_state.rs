//! Replace Type Code with State/Strategy.
//!
//! ```python
//! class Employee:                          class Employee:
//!     def __init__(self, kind):                def __init__(self, kind):
//!         self.kind = kind                         self.kind = kind
//!
//!                                      →       @property
//!                                              def kind(self):
//!                                                  return self._kind.code
//!
//!                                              @kind.setter
//!                                              def kind(self, value):
//!                                                  self._kind = EmployeeKind.of(value)
//!
//!
//!                                          class EmployeeKind: ...
//!
//!
//!                                          class Engineer(EmployeeKind):
//!                                              code = ENGINEER
//! ```
//! Who reads and sets the code goes on to do so; what is done by it can move to the classes, one after the other.

use super::kinds::{Kind, check_given, given, unknown};
use super::stored_field::Stored;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::members::{check_outermost, check_unused};
use crate::refactor::analysis::references::Uses;
use crate::refactor::analysis::sibling_declarations::{behind, in_order};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A code that becomes an object.
struct State<'c> {
    stored: Stored<'c>,
    name: &'c str,
    kinds: Vec<Kind>,
    /// The type of a code, where one can be said.
    typed: Option<String>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let stored = Stored::of(session, &code, &request.target).await?;
    let class = stored.field.class;
    let name = request.params.text("name");
    check_outermost(&class).noted()?;
    check_unused(&code, name).noted()?;
    let kinds = given(&class, request)?;
    let first = stored.field.members[0].name;
    if stored.typed.is_some() && stored.is_open() {
        return Err(code.refuse(first.start(), "it may hold nothing, which is none of the codes"));
    }
    check_given(&kinds, &Uses::of(session, &code, first.start()).await?).noted()?;
    let typed = match (&stored.typed, code.family()) {
        (Some(typed), _) => Some(typed.clone()),
        (None, Family::Python) => inferred_types::built_in(session, &code, first).await,
        _ => None,
    };
    let state = State { stored, name, kinds, typed };
    let mut edits = Edits::default();
    let mut changed = state.stored.edits_as(&state.accessors(), Some(name))?;
    changed.push(behind(&code, class.statement(), &state.declared()));
    edits.add(&code, in_order(changed));
    edits.warn(state.stored.warnings(session));
    let told = format!("a value that is none of the {} codes is refused from now on", state.kinds.len());
    edits.warn([Warning::of_plan(WarningKind::FollowUp, told)]);
    edits.plan()
}

impl State<'_> {
    fn code(&self) -> &Code {
        self.stored.field.class.code
    }

    fn accessors(&self) -> [String; 2] {
        let (code, class) = (self.code(), self.stored.field.class);
        let (end, indent, step) = (code.newline(), class.indent(), Layout::of(code).step().to_owned());
        let base = format!("{indent}{step}");
        let (field, storage, name) = (self.stored.field.name, &self.stored.storage, self.name);
        let typed = self.stored.typed.as_deref();
        if code.family() == Family::Python {
            let answer = typed.map(|it| format!(" -> {it}")).unwrap_or_default();
            let value = typed.map_or_else(|| "value".to_owned(), |it| format!("value: {it}"));
            let nothing = if typed.is_some() { " -> None" } else { "" };
            return [
                format!("@property{end}{indent}def {field}(self){answer}:{end}{base}return self.{storage}.code"),
                format!(
                    "@{field}.setter{end}{indent}def {field}(self, {value}){nothing}:{end}{base}self.{storage} = {name}.of(value)"
                ),
            ];
        }
        let (close, words) = (code.semicolon(), self.stored.words());
        let of = typed.map(|it| format!(": {it}")).unwrap_or_default();
        [
            format!("{words}get {field}(){of} {{{end}{base}return this.{storage}.code{close}{end}{indent}}}"),
            format!(
                "{words}set {field}(value{of}) {{{end}{base}this.{storage} = {name}.of(value){close}{end}{indent}}}"
            ),
        ]
    }

    /// Writes the classes, one below the other.
    fn declared(&self) -> String {
        match self.code().parsed().tree.language() {
            Language::Python => self.in_python(),
            language => self.in_script(language != Language::JavaScript),
        }
    }

    fn in_python(&self) -> String {
        let (code, name) = (self.code(), self.name);
        let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
        let (two, three) = (step.repeat(2), step.repeat(3));
        let classes: Vec<&str> = self.kinds.iter().map(|it| it.class.as_str()).collect();
        let comma = if classes.len() == 1 { "," } else { "" };
        let is_typed = self.stored.typed.is_some();
        let of = self.typed.as_deref().unwrap_or("object");
        let (value, answer) = match is_typed {
            true => (format!("code: {of}"), format!(" -> \"{name}\"")),
            false => ("code".to_owned(), String::new()),
        };
        let mut said = format!(
            "class {name}:{end}{step}code: {of}{end}{end}{step}@staticmethod{end}{step}def of({value}){answer}:{end}{two}for kind in ({}{comma}):{end}{three}if kind.code == code:{end}{three}{step}return kind(){end}{two}{}",
            classes.join(", "),
            unknown(Family::Python, "code", '"')
        );
        for kind in &self.kinds {
            said.push_str(&format!("{end}{end}{end}class {}({name}):{end}{step}code = {}", kind.class, kind.code));
        }
        said
    }

    fn in_script(&self, is_typed: bool) -> String {
        let (code, name) = (self.code(), self.name);
        let (end, step, close) = (code.newline(), Layout::of(code).step().to_owned(), code.semicolon());
        let (two, three) = (step.repeat(2), step.repeat(3));
        let of = self.typed.as_deref().filter(|_| is_typed).map(|it| format!(": {it}")).unwrap_or_default();
        let (head, answer) = match is_typed {
            true => (
                format!("abstract class {name} {{{end}{step}abstract readonly code{of}{close}{end}{end}"),
                format!(": {name}"),
            ),
            false => (format!("class {name} {{{end}"), String::new()),
        };
        let cases: String = self
            .kinds
            .iter()
            .map(|it| format!("{two}{step}case {}:{end}{three}{step}return new {}(){close}{end}", it.code, it.class))
            .collect();
        let unknown = unknown(Family::Script, "code", '`');
        let mut said = format!(
            "{head}{step}static of(code{of}){answer} {{{end}{two}switch (code) {{{end}{cases}{two}{step}default:{end}{three}{step}{unknown}{close}{end}{two}}}{end}{step}}}{end}}}"
        );
        let word = if is_typed { "readonly " } else { "" };
        for kind in &self.kinds {
            said.push_str(&format!(
                "{end}{end}class {} extends {name} {{{end}{step}{word}code = {}{close}{end}}}",
                kind.class, kind.code
            ));
        }
        said
    }
}
