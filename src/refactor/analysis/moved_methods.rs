//! A method that another class does the work of: whether it can go there, and the body that it is left with.

use super::indentation::Layout;
use super::members::{MemberDeclarations, own_parameter};
use crate::refactor::Refusal;
use crate::refactor::refusal::each;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node, is_async};
use crate::text::Span;

/// What makes context managers of generators (Python's `contextlib`).
const ENTERED: [&str; 2] = ["contextmanager", "asynccontextmanager"];

/// What an object is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// A call.
    Call,
    /// A value: `@property`, `get`.
    Read,
    /// A call whose result is entered: `@contextmanager`.
    Enter,
}

/// A method that is one function, with marks of which it is known what they do.
#[derive(Clone, Copy)]
pub(crate) struct MovedMethod<'c> {
    pub function: Node<'c>,
    pub access: Access,
}

/// What is asked for what a method did.
pub(crate) struct Successor<'a> {
    /// `object.method`.
    pub asked: &'a str,
    /// The parameter that is not passed on.
    pub left: Option<Span>,
    /// What the method's own object is called, where it is passed: in the place of that parameter, or first of all.
    pub own: Option<&'a str>,
}

impl<'a> Successor<'a> {
    pub(crate) fn of(asked: &'a str) -> Self {
        Self { asked, left: None, own: None }
    }
}

impl<'c> MovedMethod<'c> {
    pub(crate) fn of(group: &MemberDeclarations<'c>) -> Result<Self, Refusal> {
        let code = group.code();
        let [member] = group.members.as_slice() else {
            return Err(group.refuse(format!("`{}` is several declarations: accessors, overloads", group.name)));
        };
        let is_marked = |word: &str| member.node.children().any(|it| it.kind() == word);
        let function = member.function().filter(|it| !is_marked("set") && it.child("body").is_some());
        let function = function.ok_or_else(|| group.refuse(format!("`{}` is not an ordinary method", group.name)))?;
        let mut access = if is_marked("get") { Access::Read } else { Access::Call };
        let marks = member.decorators().map(|mark| {
            access = match mark.text(code.text()) {
                "@staticmethod" | "@classmethod" => access,
                "@property" => Access::Read,
                said if ENTERED.contains(&said.trim_start_matches('@').trim_start_matches("contextlib.")) => {
                    Access::Enter
                }
                said => return Err(code.refuse(mark.start(), format!("what `{said}` does to the method is not known"))),
            };
            Ok(())
        });
        each(marks.collect::<Vec<_>>())?;
        Ok(Self { function, access })
    }

    /// Refuses one that is not called.
    pub(crate) fn called(self, group: &MemberDeclarations<'c>) -> Result<Self, Refusal> {
        match self.access {
            Access::Read => Err(group.refuse(format!("`{}` is read, not called", group.name))),
            Access::Call | Access::Enter => Ok(self),
        }
    }

    /// Writes the body that asks another object for what the method did.
    pub(crate) fn asking(&self, group: &MemberDeclarations<'_>, asked: &Successor<'_>) -> Result<String, Refusal> {
        let (code, function) = (group.code(), self.function);
        let is_python = code.family() == Family::Python;
        let body = function.child("body").ok_or_else(|| group.refuse("it has no body"))?;
        let (end, base) = (code.newline(), code.indent(function.start()).to_owned());
        let said = match self.access {
            Access::Read => asked.asked.to_owned(),
            Access::Call | Access::Enter => format!("{}({})", asked.asked, self.passed(group, asked)?),
        };
        if self.access == Access::Enter {
            return self.entering(group, &said);
        }
        let has = |kind: &str| body.descendants().any(|node| node.is(kind)) || function.child_of_kind(kind).is_some();
        if is_async(function) && (has("yield") || has("yield_expression")) || has("*") {
            return Err(group.refuse("a generator cannot be asked for in its place"));
        }
        let waiting = if is_async(function) && is_python { "await " } else { "" };
        let call = format!("return {waiting}{said}");
        Ok(match is_python {
            true => call,
            false => format!("{{{end}{base}{}{call};{end}{base}}}", Layout::of(code).step()),
        })
    }

    /// Writes the body that enters what is asked for, and hands on what that gives.
    fn entering(&self, group: &MemberDeclarations<'_>, said: &str) -> Result<String, Refusal> {
        let (code, function) = (group.code(), self.function);
        let mut yields = function.descendants().filter(|it| it.is("yield"));
        let (target, value) = match yields.any(|it| it.named_children().next().is_some()) {
            true => {
                let free = ["value", "entered", "yielded"].into_iter().find(|name| !code.mentions(function, name));
                let name = free.ok_or_else(|| group.refuse("`value`, `entered` and `yielded` are in use in it"))?;
                (format!(" as {name}"), format!(" {name}"))
            }
            false => (String::new(), String::new()),
        };
        let word = if is_async(function) { "async with" } else { "with" };
        let (end, base, step) = (code.newline(), code.indent(function.start()), Layout::of(code).step().to_owned());
        Ok(format!("{word} {said}{target}:{end}{base}{step}{step}yield{value}"))
    }

    /// Writes the arguments that pass on what the method takes.
    fn passed(&self, group: &MemberDeclarations<'_>, asked: &Successor<'_>) -> Result<String, Refusal> {
        let code = group.code();
        let own = own_parameter(group, self.function);
        let mut arguments: Vec<String> =
            asked.own.filter(|_| asked.left.is_none()).map(str::to_owned).into_iter().collect();
        let mut is_named = false;
        for node in self.function.child("parameters").into_iter().flat_map(Node::named_children) {
            if Some(node.span()) == asked.left {
                arguments.extend(asked.own.map(str::to_owned));
                continue;
            }
            if Some(node) == own {
                continue;
            }
            arguments.extend(
                argument(code, node, &mut is_named)
                    .ok_or_else(|| code.refuse(node.start(), "the parameter cannot be passed on"))?,
            );
        }
        Ok(arguments.join(", "))
    }
}

/// Returns what passes a parameter on; `Some(None)` for a mark between parameters.
fn argument(code: &Code, node: Node<'_>, is_named: &mut bool) -> Option<Option<String>> {
    let text = code.text();
    let name = match node.kind() {
        "identifier" => node,
        "typed_parameter" => node.named_children().next()?,
        "default_parameter" | "typed_default_parameter" => node.child("name")?,
        "required_parameter" | "optional_parameter" => node.child("pattern")?,
        "keyword_separator" => {
            *is_named = true;
            return Some(None);
        }
        "positional_separator" => return Some(None),
        _ => node,
    };
    let said = name.text(text);
    Some(Some(match name.kind() {
        "identifier" if *is_named => format!("{said}={said}"),
        "identifier" => said.to_owned(),
        "list_splat_pattern" => {
            *is_named = true;
            said.to_owned()
        }
        "dictionary_splat_pattern" | "rest_pattern" => said.to_owned(),
        _ => return None,
    }))
}
