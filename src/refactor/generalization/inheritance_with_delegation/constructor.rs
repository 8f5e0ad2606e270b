//! The object that is held comes into being with the one that holds it.

use super::Swap;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind, Slot};
use crate::refactor::analysis::delegation::{Delegated, called};
use crate::refactor::analysis::indentation::Layout;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Members of the class, and where they go.
type Part = (Slot, Vec<String>);

impl<'c> Swap<'c> {
    fn own_constructors(&self) -> Vec<Member<'c>> {
        self.class.members().into_iter().filter(|it| it.kind == MemberKind::Constructor).collect()
    }

    /// Returns the statement of the constructor that calls the superclass's.
    pub(super) fn super_call(&self) -> Option<Node<'c>> {
        let text = self.code().text();
        let constructors = self.own_constructors();
        let body = constructors.iter().find_map(|it| it.function()?.child("body"))?;
        let begins = if self.code().family() == Family::Python { "super().__init__(" } else { "super(" };
        body.named_children().find(|it| it.is("expression_statement") && it.text(text).starts_with(begins))
    }

    /// Returns what changes in the constructor, and what the class gets to make the object and declare the field.
    pub(super) fn constructor(&self, asked: &[TextEdit]) -> Result<(Option<TextEdit>, Option<Part>), Refusal> {
        let code = self.code();
        let base = self.class.bases()[0].text(code.text());
        let own = self.own_constructors();
        let declared = code.is_typed_script().then(|| format!("private readonly {}: {base};", self.delegate));
        if !own.is_empty() {
            let changed = self.in_constructor(&own, base, asked)?;
            return Ok((Some(changed), declared.map(|it| (Slot::Field, vec![it]))));
        }
        let (parameters, passed) = self.parameters()?;
        let (end, indent, step) = (code.newline(), self.class.indent(), Layout::of(code).step().to_owned());
        let (delegate, passed) = (&self.delegate, passed.join(", "));
        if code.family() == Family::Python {
            let is_typed = parameters.is_empty() || parameters.iter().any(|it| it.contains(':'));
            let answer = if is_typed { " -> None" } else { "" };
            let all = std::iter::once("self".to_owned()).chain(parameters).collect::<Vec<_>>().join(", ");
            let text = format!("def __init__({all}){answer}:{end}{indent}{step}self.{delegate} = {base}({passed})");
            return Ok((None, Some((Slot::Constructor, vec![text]))));
        }
        if parameters.is_empty() {
            let word = if code.is_typed_script() { "private readonly " } else { "" };
            return Ok((None, Some((Slot::Field, vec![format!("{word}{delegate} = new {base}();")]))));
        }
        let all = parameters.join(", ");
        let set = format!("{end}{indent}{step}this.{delegate} = new {base}({passed});{end}{indent}");
        let constructor = format!("constructor({all}) {{{set}}}");
        // One edit for both: they would come to stand at the same place.
        let text = declared.map(|it| format!("{it}{end}{end}{indent}{constructor}")).unwrap_or(constructor);
        Ok((None, Some((Slot::Constructor, vec![text]))))
    }

    /// Lets the constructor make the object where it called the superclass's.
    fn in_constructor(&self, own: &[Member<'c>], base: &str, asked: &[TextEdit]) -> Result<TextEdit, Refusal> {
        let code = self.code();
        let refuse = |at: usize, reason: &str| Err(code.refuse(at, reason));
        let at = own[0].name.start();
        let statement = self.super_call().filter(|_| own.len() == 1);
        let call = statement.and_then(|it| it.named_children().next());
        let Some((statement, arguments)) = statement.zip(call.and_then(|it| it.child("arguments"))) else {
            return refuse(at, "the constructor does not call that of the superclass in a statement of its own");
        };
        let body = statement.parent().unwrap_or(statement);
        let early = asked.iter().find(|it| body.span().contains(it.span) && it.span.start < statement.end());
        if let Some(edit) = early {
            return refuse(edit.span.start, "this is asked for before there is an object to ask");
        }
        let again = body.descendants().filter(|it| it.start() > statement.end() && it.is("call"));
        let is_again = |it: &Node<'_>| it.text(code.text()).starts_with("super().__init__(");
        if let Some(node) = again.into_iter().find(is_again) {
            return refuse(node.start(), "the superclass is made twice");
        }
        let receiver = own[0].function().and_then(|it| crate::refactor::analysis::classes::receiver(code, it));
        let new = if code.family() == Family::Python { "" } else { "new " };
        let made = format!("{}.{} = {new}{base}", receiver.unwrap_or("this"), self.delegate);
        Ok(TextEdit::new(Span::new(statement.start(), arguments.start()), made))
    }

    /// Returns the parameters that the superclass's constructor takes, and how they are passed on.
    fn parameters(&self) -> Result<(Vec<String>, Vec<String>), Refusal> {
        let code = self.code();
        let Some((above, members)) = self.line.constructor() else { return Ok(Default::default()) };
        let [member] = members.as_slice() else {
            return Err(above.code.refuse(members[0].name.start(), "its objects are made in more than one way"));
        };
        match called(code, above.code, member)? {
            Delegated::Value { .. } => Ok(Default::default()),
            Delegated::Call { declared, passed, .. } => Ok((declared.iter().map(|it| plain(it)).collect(), passed)),
        }
    }
}

/// Takes the words from a parameter that make it a field.
fn plain(parameter: &str) -> String {
    let mut rest = parameter;
    while let Some(next) =
        ["public ", "private ", "protected ", "readonly ", "override "].iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = next.trim_start();
    }
    rest.to_owned()
}
