//! How a member of another object is asked for, and how a method hands its parameters on to it.

use super::classes::{Class, Member, MemberKind};
use super::indentation::Layout;
use super::literal_types::literal_type;
use super::parameters::listed;
use super::script_style::says_types;
use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::refactor::source_file::{Code, function_of, is_class};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Language, Node, is_async, whole_words};
use crate::text::Span;

/// How a member of the delegate is asked for.
pub(crate) enum Delegated {
    /// With what stands behind the parameters of an accessor.
    Value { answer: String },
    /// With the parameters as they are declared, and as they are handed on.
    Call { declared: Vec<String>, passed: Vec<String>, answer: String },
}

pub(crate) const BUILT_IN: &[&str] = &[
    "bool",
    "boolean",
    "bytes",
    "dict",
    "float",
    "int",
    "list",
    "None",
    "null",
    "number",
    "set",
    "str",
    "string",
    "tuple",
    "undefined",
    "unknown",
    "void",
];

/// Looks at the declaration that a place asks for.
pub(crate) async fn delegated(session: &Session, code: &Code, place: &Place) -> Result<Delegated, Refusal> {
    let server = session.server(code.parsed().tree.language(), Feature::Definition).await?;
    let locations = {
        let _turn = session.shared().await;
        server.definition(place).await.map_err(SessionError::from)?
    };
    let asking = Code::known(session, &place.path)?;
    let unknown = || asking.refuse(place.offset, "what the delegate is asked for here cannot be determined");
    let location = locations.first().ok_or_else(unknown)?;
    let there = Code::known(session, &location.path)?;
    let name = there.covering(Span::new(location.span.start, location.span.start + 1));
    let members = Class::around(&there, name).map(|class| class.members_named(name.text(there.text())));
    let members = members.unwrap_or_default();
    let Some(member) = members.iter().find(|it| it.kind == MemberKind::Method) else {
        return match members.is_empty() && !is_signature(name) {
            true => Err(unknown()),
            false => Ok(Delegated::Value { answer: answer_of(code, &there, &members) }),
        };
    };
    let is_value = member.node.children().any(|it| it.end() <= member.name.start() && it.kind() == "get")
        || member
            .decorators()
            .any(|it| it.text(there.text()).contains("property") || it.text(there.text()).ends_with(".setter"));
    match (is_value, members.len()) {
        (true, _) => Ok(Delegated::Value { answer: answer_of(code, &there, &members) }),
        (false, 1) => called(code, &there, member),
        _ => Err(there.refuse(member.name.start(), "it is declared more than once")),
    }
}

/// A property of an interface or of a type.
pub(crate) fn is_signature(name: Node<'_>) -> bool {
    name.parent().is_some_and(|outer| outer.is("property_signature"))
}

/// Tells how a method is called, whose parameters are all handed on.
pub(crate) fn called(code: &Code, there: &Code, member: &Member<'_>) -> Result<Delegated, Refusal> {
    let refuse = |node: Node<'_>, reason: &str| Err(there.refuse(node.start(), reason));
    let Some(function) = member.function() else { return refuse(member.name, "it is not an ordinary method") };
    if let Some(types) = function.child("type_parameters") {
        return refuse(types, "its type parameters would have to be passed on");
    }
    let is_same = code.path == there.path;
    let skipped = usize::from(code.family() == Family::Python && !is_static(there, member));
    let list = listed(function).skip(skipped);
    let (mut declared, mut passed, mut by_name) = (Vec::new(), Vec::new(), false);
    for parameter in list {
        let Some(one) = Parameter::of(there, parameter, is_same) else {
            return refuse(parameter, "this parameter cannot be passed on as it is declared");
        };
        by_name |= one.begins_names;
        declared.push(one.declared);
        passed.extend(one.passed.map(|it| if by_name && !it.starts_with('*') { format!("{it}={it}") } else { it }));
    }
    let is_async = is_async(function) && code.family() == Family::Python;
    let answer = function.child("return_type").filter(|_| !is_async);
    let answer = answer.and_then(|it| known_type(code, there, it)).map(|it| answering(code, &it)).unwrap_or_default();
    Ok(Delegated::Call { declared, passed, answer })
}

/// Writes what stands behind the parameters of an accessor for a value, where its declaration says the type.
pub(crate) fn answer_of(code: &Code, there: &Code, members: &[Member<'_>]) -> String {
    let typed = members.iter().find_map(|it| value_type(code, there, it));
    typed.map(|it| answering(code, &it)).unwrap_or_default()
}

/// Returns the type of a value that a declaration says, as another file can say it, too.
pub(crate) fn value_type(code: &Code, there: &Code, member: &Member<'_>) -> Option<String> {
    let text = there.text();
    let holder = match member.kind {
        MemberKind::Assigned => member.node.parent()?,
        _ => member.node.named_children().next().filter(|it| it.is("assignment")).unwrap_or(member.node),
    };
    let function = member.function().filter(|_| member.kind == MemberKind::Method);
    if let Some(typed) = holder.child("type").or_else(|| function.and_then(|it| it.child("return_type"))) {
        return known_type(code, there, typed);
    }
    let value = holder.child("right").or_else(|| holder.child("value"))?;
    if !value.is("identifier") {
        let is_fixed = member.is_marked(there, "readonly");
        return literal_type(there.family(), value, text).filter(|_| !is_fixed).map(str::to_owned);
    }
    let function = function_of(member.node).filter(|_| member.kind == MemberKind::Assigned)?;
    let is_it = |it: &Node<'_>| {
        let name = it.child("pattern").or_else(|| it.named_children().next());
        name.is_some_and(|name| name.is("identifier") && name.text(text) == value.text(text))
    };
    known_type(code, there, listed(function).find(is_it)?.child("type")?)
}

/// Returns a type as the other class can say it, too: not one of the object itself, nor of its class's type parameters.
fn known_type(code: &Code, there: &Code, typed: Node<'_>) -> Option<String> {
    let said = typed.text(there.text()).trim_start_matches(':').trim();
    let classes = typed.ancestors().filter(|it| is_class(*it));
    let is_generic = |class: Node<'_>| {
        let bases = class.child("superclasses").into_iter().flat_map(Node::descendants);
        class.child("type_parameters").is_some() || bases.into_iter().any(|it| it.is("subscript"))
    };
    let is_own =
        ["Self", "this"].iter().any(|word| !whole_words(said, word).is_empty()) || classes.into_iter().any(is_generic);
    (is_built_in(said) || code.path == there.path && !is_own).then(|| said.to_owned())
}

/// Writes a type behind a list of parameters, where the functions of a script say theirs.
fn answering(code: &Code, typed: &str) -> String {
    match code.family() {
        Family::Python => format!(" -> {typed}"),
        _ if says_types(code) => format!(": {typed}"),
        _ => String::new(),
    }
}

pub(crate) fn is_static(code: &Code, member: &Member<'_>) -> bool {
    member.decorators().any(|it| it.text(code.text()).ends_with("staticmethod"))
}

/// One parameter: how it is declared, what is handed on, and whether those behind it go by their names.
pub(crate) struct Parameter {
    declared: String,
    passed: Option<String>,
    begins_names: bool,
}

impl Parameter {
    fn of(code: &Code, node: Node<'_>, is_same: bool) -> Option<Self> {
        let text = node.text(code.text());
        let plain = |declared: &str, passed: &str| Self {
            declared: declared.to_owned(),
            passed: Some(passed.to_owned()),
            begins_names: false,
        };
        let own_type = node.child("type").map(|it| it.text(code.text()));
        let is_kept = own_type.is_none_or(|it| is_same || is_built_in(it));
        let value = node.child("value");
        let is_literal = value
            .is_none_or(|it| it.is_any(&["integer", "float", "string", "none", "true", "false", "number", "null"]));
        match node.kind() {
            "identifier" => Some(plain(text, text)),
            "keyword_separator" => Some(Self { declared: text.to_owned(), passed: None, begins_names: true }),
            "positional_separator" => Some(Self { declared: text.to_owned(), passed: None, begins_names: false }),
            "list_splat_pattern" => Some(Self { begins_names: true, ..plain(text, text) }),
            "dictionary_splat_pattern" => Some(plain(text, text)),
            "typed_parameter" => {
                let name = node.named_children().next()?;
                let written = name.text(code.text());
                let begins_names = name.is("list_splat_pattern");
                Some(Self { begins_names, ..plain(if is_kept { text } else { written }, written) })
            }
            "default_parameter" | "typed_default_parameter" if is_literal => {
                let name = node.child("name")?.text(code.text());
                let bare = format!("{name}={}", value?.text(code.text()));
                Some(plain(if is_kept { text } else { &bare }, name))
            }
            "required_parameter" | "optional_parameter" if is_literal && is_kept => {
                let name = node.child("pattern")?;
                let rest = name.is("rest_pattern");
                let is_plain = name.is("identifier") || rest && name.named_children().all(|it| it.is("identifier"));
                is_plain.then(|| plain(text, name.text(code.text())))
            }
            _ => None,
        }
    }
}

pub(crate) fn is_built_in(written: &str) -> bool {
    let mut words =
        written.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|it| !it.is_empty());
    words.all(|word| BUILT_IN.contains(&word))
}

impl Delegated {
    /// Writes the member of a class that asks its delegate.
    pub(crate) fn written(&self, class: &Class<'_>, delegate: &str, name: &str) -> String {
        let code = class.code;
        let (end, indent, close) = (code.newline(), class.indent(), code.semicolon());
        let deeper = format!("{end}{indent}{}", Layout::of(code).step());
        let is_python = matches!(code.parsed().tree.language(), Language::Python);
        match self {
            Self::Value { answer } if is_python => {
                format!("@property{end}{indent}def {name}(self){answer}:{deeper}return self.{delegate}.{name}")
            }
            Self::Value { answer } => {
                format!("get {name}(){answer} {{{deeper}return this.{delegate}.{name}{close}{end}{indent}}}")
            }
            Self::Call { declared, passed, answer } if is_python => {
                let all: Vec<&str> = std::iter::once("self").chain(declared.iter().map(String::as_str)).collect();
                let (all, passed) = (all.join(", "), passed.join(", "));
                format!("def {name}({all}){answer}:{deeper}return self.{delegate}.{name}({passed})")
            }
            Self::Call { declared, passed, answer } => {
                let (all, passed) = (declared.join(", "), passed.join(", "));
                format!("{name}({all}){answer} {{{deeper}return this.{delegate}.{name}({passed}){close}{end}{indent}}}")
            }
        }
    }
}
