//! Remove Middle Man.
//!
//! ```python
//! class Person:
//!     @property
//!     def manager(self):
//!         return self.department.manager
//!
//! boss = ann.manager               →   boss = ann.department.manager
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::listed;
use crate::refactor::analysis::classes::{Class, Member, MemberKind as Made, receiver};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required::Departures;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A member that does nothing but to ask a delegate.
struct Man<'c> {
    member: Member<'c>,
    /// `department.manager`.
    asks: String,
    is_value: bool,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    let men = men(&code, &class, request)?;
    let mut edits = Edits::default();
    let gone: Vec<Member<'_>> = men.iter().map(|man| man.member).collect();
    edits.add(&code, class.without(&gone)?);
    let mut departures = Departures::default();
    departures.add(&code, gone.iter().map(|it| it.node.span()));
    departures.leave(session, &mut edits);
    for man in &men {
        let uses = Uses::of(session, &code, man.member.name.start()).await?;
        for (file, one) in uses.iter() {
            let is_here = |it: &Member<'_>| file.path == code.path && it.node.span().contains(one.span);
            if is_here(&man.member) {
                continue;
            }
            if gone.iter().any(is_here) {
                return Err(file.refuse(one.span.start, "another one of them asks this one"));
            }
            edits.add(file, [man.followed(file, one)?]);
        }
        edits.warn(uses.its_own(session).await?);
    }
    edits.plan()
}

/// Finds the members that the target means: the one that it names, or all of the class.
fn men<'c>(code: &'c Code, class: &Class<'c>, request: &Request) -> Result<Vec<Man<'c>>, Refusal> {
    let all = class.members();
    let own = all.iter().filter(|it| it.kind == Made::Method);
    let named = request.target.name.filter(|name| *name != class.name.span());
    let found: Vec<Man<'c>> = match named {
        Some(name) => {
            let own = own.filter(|it| it.name.span() == name);
            own.filter_map(|member| Man::of(code, member)).collect()
        }
        None => own.filter_map(|member| Man::of(code, member)).collect(),
    };
    let what = named.and_then(|name| name.of(code.text())).unwrap_or_else(|| class.name());
    if found.is_empty() {
        let reason = format!("nothing in `{what}` only asks a delegate that its callers could ask themselves");
        return Err(code.refuse(class.name.start(), reason));
    }
    for man in &found {
        let name = man.member.name.text(code.text());
        if class.members_named(name).len() > 1 {
            return Err(code.refuse(man.member.name.start(), format!("`{name}` is declared more than once")));
        }
    }
    Ok(found)
}

impl<'c> Man<'c> {
    fn of(code: &'c Code, member: &Member<'c>) -> Option<Self> {
        let text = code.text();
        let function = member.function()?;
        let marks: Vec<&str> = member.decorators().map(|it| it.text(text)).collect();
        let is_get = member.node.children().any(|it| it.kind() == "get" && it.end() <= member.name.start());
        let is_value = marks == ["@property"] || is_get;
        let is_plain = (marks.is_empty() || marks == ["@property"]) && !member.is_static;
        let mut statements = function.child("body")?.named_children();
        let only = statements.next().filter(|_| statements.next().is_none() && is_plain)?;
        let expression = only.named_children().next()?;
        let asked = if is_value { expression } else { expression.child("function")? };
        let is_answer = only.is("return_statement") || !is_value && only.is("expression_statement");
        let method = asked.child("attribute").or_else(|| asked.child("property"))?;
        let delegate = asked.child("object")?;
        let field = delegate.child("attribute").or_else(|| delegate.child("property"))?;
        let is_own = delegate.child("object")?.text(text) == receiver(code, function)?;
        let is_open = !field.text(text).starts_with(['_', '#']) && !is_private(code, function, field.text(text));
        let is_chained = asked.descendants().any(|it| it.is("optional_chain"));
        let hands_on = is_value || parameters(code, function)? == arguments(code, expression)?;
        let asks = format!("{}.{}", field.text(text), method.text(text));
        (is_answer && is_own && is_open && !is_chained && hands_on).then_some(Self { member: *member, asks, is_value })
    }

    /// Lets a caller ask the delegate.
    fn followed(&self, file: &Code, one: &Use) -> Result<TextEdit, Refusal> {
        let name = self.member.name.text(file.text());
        let refused = |reason: String| Err(file.refuse(one.span.start, reason));
        let is_asked = matches!((one.kind, self.is_value), (UseKind::Call, _) | (UseKind::Read, true));
        let Some(member) = one.member(file).filter(|_| is_asked) else {
            return refused(format!("it is {} here", one.kind.said()));
        };
        let object = member.child("object").map(|it| it.text(file.text())).unwrap_or_default();
        if object.starts_with("super") {
            return refused(format!("`{name}` of the base class is meant here"));
        }
        let by_name = member.parent().and_then(|call| call.child("arguments")).filter(|_| !self.is_value);
        let by_name = by_name.is_some_and(|it| it.named_children().any(|one| one.is("keyword_argument")));
        match by_name {
            true => refused("an argument is passed by its name, which the delegate may call otherwise".to_owned()),
            false => Ok(TextEdit::new(one.span, self.asks.as_str())),
        }
    }
}

fn is_private(code: &Code, function: Node<'_>, field: &str) -> bool {
    let class = Class::around(code, function);
    let members = class.map(|class| class.members_named(field)).unwrap_or_default();
    members.iter().any(|it| it.is_closed(code))
}

/// Returns the names of the parameters; nothing where one has more than a name and a type.
fn parameters<'c>(code: &'c Code, function: Node<'c>) -> Option<Vec<&'c str>> {
    let skipped = usize::from(code.family() == Family::Python);
    let list = listed(function).skip(skipped);
    list.map(|parameter| {
        let name = match parameter.kind() {
            "identifier" | "list_splat_pattern" | "dictionary_splat_pattern" => parameter,
            "typed_parameter" => parameter.named_children().next()?,
            "required_parameter" if parameter.child("value").is_none() => parameter.child("pattern")?,
            _ => return None,
        };
        Some(name.text(code.text()))
    })
    .collect()
}

fn arguments<'c>(code: &'c Code, call: Node<'c>) -> Option<Vec<&'c str>> {
    Some(call.child("arguments")?.named_children().map(|argument| argument.text(code.text())).collect())
}
