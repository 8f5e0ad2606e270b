//! What loads the module where the program runs: `import("./a")`, `require("./a")`, and doubles of tests.

use super::turn::{Asked, Turn};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::doubts::doubt;
use crate::refactor::moves::links::{Links, SpelledName};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Node, is_any_function};
use crate::text::{Span, TextEdit};

/// Functions that take a module's default from what a function of theirs loads.
const LAZY: &[&str] = &["lazy", "React.lazy", "dynamic", "loadable", "defineAsyncComponent"];

/// A file that may load it.
pub(super) struct Loaded<'a> {
    pub asked: &'a Asked<'a>,
    pub links: &'a dyn Links,
    pub user: &'a Code,
}

type Lead = (Vec<TextEdit>, Vec<Warning>);

impl Loaded<'_> {
    pub(super) fn lead(&self) -> Result<Lead, Refusal> {
        let (mut edits, mut warnings) = (Vec::new(), Vec::new());
        let (old, new) = self.asked.keys();
        let home = &self.asked.home.path;
        let spelled = self.links.spelled(self.user, home);
        for source in self.links.loads(self.user, home) {
            let said = spelled.iter().find(|(at, _)| *at == source).map(|(_, said)| *said);
            let member = match said {
                Some(SpelledName::Member(span)) => Some(span),
                _ => None,
            };
            let call = self.user.covering(source).ancestors().find(|it| it.is("call_expression"));
            let call = call.filter(|it| !self.user.covering(source).is("comment") && is_argument(*it, source));
            if self.is_type_of_double(source, &spelled) {
                continue;
            }
            match (call, member) {
                (Some(call), _) if said == Some(SpelledName::Double) => self.double(call, &mut edits, &mut warnings)?,
                (Some(call), _) => self.call(call, &mut edits, &mut warnings)?,
                (None, Some(span)) if span.of(self.user.text()) == Some(old) => edits.push(TextEdit::new(span, new)),
                (None, Some(_)) => {}
                (None, None) => warnings.push(self.unknown(source)?),
            }
        }
        Ok((edits, warnings))
    }

    /// Tells whether a module is named as the type of what its double takes over:
    /// `vi.mock("./a", async (original) => ({ ...(await original<typeof import("./a")>()) }))`.
    fn is_type_of_double(&self, source: Span, spelled: &[(Span, SpelledName)]) -> bool {
        let node = self.user.covering(source);
        let is_double = |call: Node<'_>| {
            spelled.iter().any(|(at, said)| *said == SpelledName::Double && *at != source && is_argument(call, *at))
        };
        node.ancestors().any(|it| it.is("type_arguments"))
            && node.ancestors().any(|it| it.is("call_expression") && is_double(it))
    }

    fn unknown(&self, at: Span) -> Result<Warning, Refusal> {
        doubt(self.user, at, "the module is loaded here: what is asked of it is not known")
    }

    /// Leads what asks what a call loads: at once, by a pattern, by a variable, or behind `then`.
    fn call(&self, call: Node<'_>, edits: &mut Vec<TextEdit>, warnings: &mut Vec<Warning>) -> Result<(), Refusal> {
        let is_around = |it: &Node<'_>| it.is_any(&["await_expression", "parenthesized_expression", "as_expression"]);
        let held = call.ancestors().take_while(is_around).last().unwrap_or(call);
        let Some(outer) = held.parent() else { return Ok(()) };
        match outer.kind() {
            "expression_statement" => {}
            "member_expression" if outer.child("property").is_some_and(|it| it.text(self.user.text()) == "then") => {
                let passed =
                    outer.parent().and_then(|it| it.child("arguments")).and_then(|it| it.named_children().next());
                let parameter = passed.filter(|it| is_any_function(*it)).and_then(parameter_of);
                match parameter {
                    Some(parameter) => self.bound(parameter, edits, warnings)?,
                    None => warnings.push(self.unknown(call.span())?),
                }
            }
            "member_expression" => edits.extend(self.member(outer)),
            "variable_declarator" => match outer.child("name") {
                Some(name) => self.bound(name, edits, warnings)?,
                None => warnings.push(self.unknown(call.span())?),
            },
            "arrow_function" if self.asked.turn == Turn::Named && self.is_lazy(outer) => {
                let then = format!(".then((module) => ({{ default: module.{} }}))", self.asked.name);
                edits.push(TextEdit::new(Span::at(held.end()), then));
            }
            _ => warnings.push(self.unknown(call.span())?),
        }
        Ok(())
    }

    /// Tells whether a function is passed to what takes the default of the module that it loads.
    fn is_lazy(&self, function: Node<'_>) -> bool {
        let call = function.parent().filter(|it| it.is("arguments")).and_then(Node::parent);
        let called = call.and_then(|it| it.child("function"));
        called.is_some_and(|it| LAZY.contains(&it.text(self.user.text())))
    }

    /// Leads what a name or a pattern that holds the module is asked for.
    fn bound(&self, name: Node<'_>, edits: &mut Vec<TextEdit>, warnings: &mut Vec<Warning>) -> Result<(), Refusal> {
        if name.is("object_pattern") {
            edits.extend(self.pattern(name));
            return Ok(());
        }
        let names = ScopedNames::of(self.user);
        let Some(own) = names.at(name) else {
            warnings.push(self.unknown(name.span())?);
            return Ok(());
        };
        for one in names.of_meaning(own.meaning).filter(|it| it.span != name.span()) {
            let node = self.user.covering(one.span);
            let outer = node.parent().filter(|it| it.is("member_expression") && node.field() == Some("object"));
            match outer {
                Some(outer) => edits.extend(self.member(outer)),
                None => warnings.push(self.unknown(one.span)?),
            }
        }
        Ok(())
    }

    fn member(&self, member: Node<'_>) -> Option<TextEdit> {
        let (old, new) = self.asked.keys();
        let property = member.child("property").filter(|it| it.text(self.user.text()) == old)?;
        Some(TextEdit::new(property.span(), new))
    }

    /// Takes it out of the module under the name that it has there: `{ default: a }`, `{ a }`.
    fn pattern(&self, pattern: Node<'_>) -> Option<TextEdit> {
        let (old, new) = self.asked.keys();
        let text = self.user.text();
        let of = |it: Node<'_>| it.child("key").unwrap_or(it).text(text) == old;
        let part = pattern.named_children().find(|it| of(*it))?;
        let local = part.child("value").unwrap_or(part).text(text);
        let written = if local == new { local.to_owned() } else { format!("{new}: {local}") };
        Some(TextEdit::new(part.span(), written))
    }

    /// Leads what a test hands out in the module's place.
    fn double(&self, call: Node<'_>, edits: &mut Vec<TextEdit>, warnings: &mut Vec<Warning>) -> Result<(), Refusal> {
        let (old, new) = self.asked.keys();
        let text = self.user.text();
        let asks = |it: &Node<'_>| it.is("pair") && it.child("key").is_some_and(|it| it.text(text) == old);
        let short = |it: &Node<'_>| it.is("shorthand_property_identifier") && it.text(text) == old;
        let passed = call.child("arguments").into_iter().flat_map(Node::named_children).count();
        let keys: Vec<Node<'_>> = call.descendants().filter(|it| asks(it) || short(it)).collect();
        match keys.as_slice() {
            [only] if only.is("pair") => {
                edits.extend(only.child("key").map(|key| TextEdit::new(key.span(), new)));
            }
            [only] => edits.push(TextEdit::new(only.span(), format!("{new}: {old}"))),
            _ if passed < 2 => {}
            _ => {
                let reason = format!("a test puts a double in the module's place here: it has to have `{new}` then");
                warnings.push(doubt(self.user, call.span(), reason)?);
            }
        }
        Ok(())
    }
}

fn is_argument(call: Node<'_>, source: Span) -> bool {
    let first = call.child("arguments").and_then(|it| it.named_children().next());
    first.is_some_and(|it| it.span().contains(source))
}

/// Returns the only parameter of a function.
fn parameter_of(function: Node<'_>) -> Option<Node<'_>> {
    if let Some(bare) = function.child("parameter") {
        return Some(bare);
    }
    let mut all = function.child("parameters")?.named_children();
    let only = all.next().filter(|_| all.next().is_none())?;
    Some(only.child("pattern").unwrap_or(only))
}
