//! The class whose objects stand for nothing, as it is written beside the one whose objects are something.

use std::collections::BTreeMap;

use super::checks::constant;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::signatures::{parameters, pattern};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node, is_async};
use crate::text::Span;

/// What nothing answers when it is asked for a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub default: String,
    /// A method is called, not a value read.
    pub is_called: bool,
    /// Somewhere an object that answers with nothing itself would be taken for none.
    pub is_loose: bool,
}

pub(super) type Answers = BTreeMap<String, Answer>;

/// Writes the class, or refuses members that nothing could answer for, and constructors that cannot run for it.
pub(super) fn written(class: &Class<'_>, name: &str, answers: &Answers) -> Result<String, Refusal> {
    let code = class.code;
    let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
    let (mut fields, mut methods) = (Vec::new(), Vec::new());
    for (asked, answer) in answers {
        let member = own(class, asked, answer)?;
        check_type(class, &member, answer)?;
        match member.kind {
            MemberKind::Method => methods.push(method(code, &member, answer, &step)),
            _ => fields.push((asked.as_str(), answer.default.as_str())),
        }
    }
    let mut members = match code.family() {
        Family::Python => initialized(class, &fields, &step),
        _ => constructed(class, fields, &step)?,
    };
    members.extend(methods);
    let body = members.join(&end.repeat(2));
    let base = class.name();
    Ok(match code.family() {
        Family::Python => format!("class {name}({base}):{end}{body}"),
        _ => format!("class {name} extends {base} {{{end}{body}{end}}}"),
    })
}

/// Returns the one declaration of a member in the class itself.
fn own<'c>(class: &Class<'c>, name: &str, answer: &Answer) -> Result<Member<'c>, Refusal> {
    let refuse = |reason: String| Err(class.code.refuse(class.name.start(), reason));
    let all = class.members_named(name);
    let [first, rest @ ..] = all.as_slice() else {
        return refuse(format!("`{}` does not declare `{name}` itself", class.name()));
    };
    let marks: Vec<&str> = first.decorators().map(|mark| mark.text(class.code.text())).collect();
    let is_value = first.kind != MemberKind::Method
        || marks == ["@property"]
        || first.node.children().any(|it| it.kind() == "get" && it.end() <= first.name.start());
    let is_plain = marks.is_empty() || marks == ["@property"];
    let is_hidden = ["private", "protected", "async"].iter().any(|mark| first.is_marked(class.code, mark));
    let waits = first.function().is_some_and(is_async);
    let is_static = first.is_static && first.kind == MemberKind::Method;
    if first.kind == MemberKind::Method && !rest.is_empty() || first.kind == MemberKind::Other {
        return refuse(format!("`{name}` is declared more than once"));
    }
    match is_plain && !is_hidden && !waits && !is_static && is_value != answer.is_called {
        true => Ok(*first),
        false => refuse(format!("`{name}` is not an ordinary member that nothing could have, too")),
    }
}

/// Refuses a constant that is of another type than the member, where the program says of what type that is.
fn check_type(class: &Class<'_>, member: &Member<'_>, answer: &Answer) -> Result<(), Refusal> {
    let code = class.code;
    let name = member.name.text(code.text());
    let result = member.function().and_then(|it| it.child("return_type")).map(|it| it.text(code.text()));
    let written = match member.kind {
        MemberKind::Method => result.map(|it| it.trim_start_matches(':').trim()),
        _ => Field::named(*class, name)?.and_then(|field| field.written_type()),
    };
    let of: &[&str] = match answer.default.chars().next() {
        Some('"' | '\'') => &["str", "string"],
        Some('t' | 'f' | 'T' | 'F') => &["bool", "boolean"],
        _ if answer.default.contains('.') => &["float", "number"],
        _ => &["int", "float", "number"],
    };
    let refuse = |reason: String| Err(code.refuse(member.name.start(), reason));
    // The type is then that of the literal.
    let is_begun =
        code.is_typed_script() && member.kind == MemberKind::Field && member.node.child("value").is_some_and(constant);
    let is_optional = member.node.children().any(|it| it.kind() == "?");
    match written {
        Some(written) if !of.contains(&written) || is_optional => {
            refuse(format!("whether `{}` is a `{written}` is not known", answer.default))
        }
        None if answer.is_loose && !is_begun => refuse(format!("`{name}` may be nothing itself: it says no type")),
        _ => Ok(()),
    }
}

/// Writes a method, or a property, that answers with its constant.
fn method(code: &Code, member: &Member<'_>, answer: &Answer, step: &str) -> String {
    let (end, text) = (code.newline(), code.text());
    let function = member.function().unwrap_or(member.node);
    let default = &answer.default;
    if code.family() == Family::Python {
        let head = Span::new(member.node.start(), function.child("body").map_or(function.end(), Node::start));
        let head = Layout::of(code).moved(head, step);
        return format!("{step}{}{end}{step}{step}return {default}", head.trim_end());
    }
    let result = function.child("return_type").map(|it| it.text(text)).unwrap_or_default();
    let get = if answer.is_called { "" } else { "get " };
    let mark = overriding(code);
    let name = member.name.text(text);
    let semicolon = code.semicolon();
    format!("{step}{mark}{get}{name}(){result} {{{end}{step}{step}return {default}{semicolon}{end}{step}}}")
}

fn overriding(code: &Code) -> &'static str {
    if code.is_typed_script() { "override " } else { "" }
}

/// Writes the constructor of Python: it sets what is asked for, and leaves the rest out, which nobody asks for.
fn initialized(class: &Class<'_>, fields: &[(&str, &str)], step: &str) -> Vec<String> {
    let code = class.code;
    let constructor = class.members().into_iter().find(|it| it.kind == MemberKind::Constructor);
    if fields.is_empty() && constructor.is_none() && class.bases().is_empty() {
        return Vec::new();
    }
    let function = constructor.and_then(|it| it.function());
    let result = if function.is_some_and(|it| it.child("return_type").is_some()) { " -> None" } else { "" };
    let end = code.newline();
    let mut lines: Vec<String> =
        fields.iter().map(|(name, default)| format!("{step}{step}self.{name} = {default}")).collect();
    if lines.is_empty() {
        lines.push(format!("{step}{step}pass"));
    }
    vec![format!("{step}def __init__(self){result}:{end}{}", lines.join(end))]
}

/// Writes the fields of a script, and the constructor, which has to run the one above.
fn constructed(class: &Class<'_>, mut fields: Vec<(&str, &str)>, step: &str) -> Result<Vec<String>, Refusal> {
    let code = class.code;
    let end = code.newline();
    let names = ScopedNames::of(code);
    let refuse = |node: Node<'_>, reason: &str| Err(code.refuse(node.start(), reason));
    if let Some(base) = class.bases().first() {
        return refuse(*base, "what is done here when an object is made would be done for nothing, too");
    }
    let values = class.members().into_iter().filter(|it| it.kind == MemberKind::Field);
    if let Some(value) =
        values.filter_map(|it| it.node.child("value")).find(|it| reach(&names, code, *it) == ExpressionReach::Acts)
    {
        return refuse(value, "this would be done for nothing, too");
    }
    let mut passed = Vec::new();
    let constructors: Vec<Member<'_>> =
        class.members().into_iter().filter(|it| it.kind == MemberKind::Constructor).collect();
    for constructor in &constructors {
        let sets = stored(code, constructor)?;
        for parameter in parameters((code, constructor.node)) {
            let given = pattern(parameter).text(code.text());
            let field = sets.iter().find(|(_, from)| *from == given).map_or(given, |(field, _)| field);
            let known = fields.iter().position(|(name, _)| *name == field);
            match known {
                Some(at) => passed.push(fields.remove(at).1),
                None if parameter.is("optional_parameter") || parameter.child("value").is_some() => break,
                None => return refuse(parameter, "nothing has no value for this parameter"),
            }
        }
    }
    let semicolon = code.semicolon();
    let mark = overriding(code);
    let lines: Vec<String> =
        fields.iter().map(|(name, default)| format!("{step}{mark}{name} = {default}{semicolon}")).collect();
    let mut members = if lines.is_empty() { Vec::new() } else { vec![lines.join(end)] };
    if !passed.is_empty() {
        let call = format!("{step}{step}super({}){semicolon}", passed.join(", "));
        members.push(format!("{step}constructor() {{{end}{call}{end}{step}}}"));
    }
    Ok(members)
}

/// Returns the fields that a constructor sets, each with its parameter; one that does more is refused.
fn stored<'c>(code: &'c Code, constructor: &Member<'c>) -> Result<Vec<(&'c str, &'c str)>, Refusal> {
    let text = code.text();
    let body = constructor.node.child("body").into_iter().flat_map(Node::named_children);
    let mut sets = Vec::new();
    for statement in body.filter(|it| !it.kind().ends_with("comment")) {
        let set = statement.named_children().next().filter(|it| it.is("assignment_expression"));
        let left = set.and_then(|it| it.child("left")).filter(|it| it.child("object").is_some_and(|it| it.is("this")));
        let field = left.and_then(|it| it.child("property"));
        let value = set.and_then(|it| it.child("right")).filter(|it| it.is("identifier"));
        let (Some(field), Some(value)) = (field, value) else {
            return Err(code.refuse(statement.start(), "this would be done for nothing, too"));
        };
        sets.push((field.text(text), value.text(text)));
    }
    Ok(sets)
}
