//! An `interface` of TypeScript: what its members look like, and where the class says that it keeps to it.
//!
//! What the class does not write down (what a method returns, the type of a field, of an accessor, of a parameter with a
//! default) is written as the server knows it.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_own_name;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::members::{MemberDeclarations, put_above_class};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::type_arguments;
use crate::session::Session;
use crate::syntax::{Node, is_async};
use crate::text::{Span, TextEdit};

/// Writes members of a class as an interface declares them.
pub(super) struct Writer<'a, 'c> {
    session: &'a Session,
    class: Class<'c>,
    names: ScopedNames<'c>,
}

impl<'a, 'c> Writer<'a, 'c> {
    pub(super) fn new(session: &'a Session, class: Class<'c>) -> Self {
        Self { session, class, names: ScopedNames::of(class.code) }
    }

    /// Writes a member as an interface declares it, by a line or more.
    pub(super) async fn lines(&self, group: &MemberDeclarations<'c>) -> Result<Vec<String>, Refusal> {
        let code = self.class.code;
        for member in &group.members {
            let node = member.node;
            if member.decorators().next().is_some() {
                return Err(code.refuse(node.start(), "what its decorator makes of it is not known: leave it out"));
            }
            if member.is_closed(code) || group.name.starts_with('#') || member.is_static {
                return Err(group.refuse(format!("`{}` is not for all who have an object", group.name)));
            }
        }
        let accessors: Vec<&Member<'c>> =
            group.members.iter().filter(|it| accessor(it.node, "get") || accessor(it.node, "set")).collect();
        if !accessors.is_empty() {
            return Ok(vec![self.property(group, &accessors).await?]);
        }
        if !group.is_all(MemberKind::Method) {
            return Ok(vec![self.field(group).await?]);
        }
        let mut lines = Vec::new();
        for member in group.signatures() {
            lines.push(self.method(&member).await?);
        }
        Ok(lines)
    }

    /// Writes accessors: a property, which is `readonly` where only its getter is there.
    async fn property(&self, group: &MemberDeclarations<'c>, accessors: &[&Member<'c>]) -> Result<String, Refusal> {
        let getter = accessors.iter().find(|it| accessor(it.node, "get"));
        let setter = accessors.iter().find(|it| accessor(it.node, "set"));
        let taken = setter.and_then(|it| it.node.child("parameters")?.named_children().next()?.child("type"));
        let typed = match getter.map_or(taken, |it| it.node.child("return_type")) {
            Some(typed) => self.said(typed)?,
            None => self.inferred(group.members[0].name).await?,
        };
        let is_fixed = if setter.is_none() { "readonly " } else { "" };
        Ok(format!("{is_fixed}{}{typed}{}", group.name, self.class.code.semicolon()))
    }

    /// Writes a field.
    async fn field(&self, group: &MemberDeclarations<'c>) -> Result<String, Refusal> {
        let code = self.class.code;
        let member =
            group.members.iter().find(|it| matches!(it.kind, MemberKind::Field | MemberKind::Parameter)).copied();
        let member = member.ok_or_else(|| group.refuse(format!("`{}` is neither a method nor a field", group.name)))?;
        let typed = match member.declared_type(code) {
            Some(typed) => self.said(typed)?,
            None => self.inferred(member.name).await?,
        };
        let is_fixed = if member.is_marked(code, "readonly") { "readonly " } else { "" };
        let holder = if member.kind == MemberKind::Parameter { member.name.parent() } else { Some(member.node) };
        let is_optional =
            holder.is_some_and(|it| it.is("optional_parameter") || it.children().any(|it| it.kind() == "?"));
        let optional = if is_optional { "?" } else { "" };
        Ok(format!("{is_fixed}{}{optional}{typed}{}", group.name, code.semicolon()))
    }

    /// Writes a method: its head.
    async fn method(&self, member: &Member<'c>) -> Result<String, Refusal> {
        let code = self.class.code;
        let (text, node) = (code.text(), member.node);
        let list = node.child("parameters").ok_or_else(|| code.refuse(node.start(), "it takes nothing"))?;
        for said in node.child("return_type").into_iter().chain([list]) {
            check_own_name(&self.class, said)?;
        }
        let mut edits = Vec::new();
        for parameter in list.named_children().filter(|it| !it.is("comment")) {
            let pattern = parameter.child("pattern").unwrap_or(parameter);
            let value = parameter.child("value");
            let typed = parameter.child("type");
            let end = typed.map_or(pattern.end(), Node::end);
            if value.is_some() {
                edits.push(TextEdit::new(Span::at(pattern.end()), "?"));
            }
            if typed.is_none() {
                if !pattern.is("identifier") {
                    return Err(code.refuse(parameter.start(), "the parameter says no type"));
                }
                edits.push(TextEdit::new(Span::at(end), self.inferred(pattern).await?));
            }
            edits.extend(value.map(|value| TextEdit::new(Span::new(end, value.end()), "")));
        }
        let end = node.child("body").map_or(node.end(), |body| body.start());
        let end = text[..end].trim_end().len();
        let head = Layout::of(code).moved_with(Span::new(member.name.start(), end), Layout::of(code).step(), &edits);
        let result = match (node.child("return_type"), node.child("body")) {
            (Some(_), _) => String::new(),
            (None, Some(body)) if is_void(body) => if is_async(node) { ": Promise<void>" } else { ": void" }.to_owned(),
            _ => self.result(member).await?,
        };
        let optional = if node.children().any(|it| it.kind() == "?") && !head.contains("?(") { "?" } else { "" };
        Ok(format!("{head}{optional}{result}{}", code.semicolon()))
    }

    /// Writes a type as the class does.
    fn said(&self, typed: Node<'_>) -> Result<String, Refusal> {
        check_own_name(&self.class, typed)?;
        Ok(typed.text(self.class.code.text()).to_owned())
    }

    /// Writes the type of a name as the server knows it.
    async fn inferred(&self, name: Node<'c>) -> Result<String, Refusal> {
        let known = self.known(name);
        inferred_types::annotation_among(self.session, (self.class.code, &self.names), name, &known).await
    }

    /// Writes what a method returns as the server knows it.
    async fn result(&self, member: &Member<'c>) -> Result<String, Refusal> {
        let code = self.class.code;
        let known = self.known(member.name);
        match inferred_types::result(self.session, (code, &self.names), member.name, &known).await? {
            Some(result) => Ok(format!(": {result}")),
            None => Err(code.refuse(
                member.name.start(),
                "what the method returns cannot be written here: write it down in the method",
            )),
        }
    }

    /// Returns the type parameters that are known where a name of the class stands.
    fn known(&self, name: Node<'c>) -> Vec<&'c str> {
        let code = self.class.code;
        let holders = name.ancestors().take_while(|it| it.span() != self.class.node.span());
        let lists = holders.chain([self.class.node]).filter_map(|it| it.child("type_parameters"));
        let all = lists.flat_map(|list| list.named_children().collect::<Vec<_>>());
        all.filter_map(|it| it.child("name")).map(|it| it.text(code.text())).collect()
    }
}

/// Tells whether a method is an accessor of a kind: `get`, `set`.
fn accessor(node: Node<'_>, kind: &str) -> bool {
    node.children().any(|it| it.kind() == kind)
}

fn is_void(body: Node<'_>) -> bool {
    let gives = |node: Node<'_>| {
        node.is("return_statement") && node.named_children().next().is_some() || node.is_any(&["yield_expression"])
    };
    !body.descendants().any(gives)
}

/// Writes the interface, and that the class keeps to it.
pub(super) fn interface(class: &Class<'_>, name: &str, written: &[String], edits: &mut Edits) -> Result<(), Refusal> {
    let code = class.code;
    if !code.is_typed_script() {
        return Err(code.refuse(class.name.start(), "JavaScript has no interfaces"));
    }
    let (end, step, text) = (code.newline(), Layout::of(code).step().to_owned(), code.text());
    let own = class.node.child("type_parameters");
    let generic = own.map_or("", |list| list.text(text));
    let given = type_arguments(class.node, text);
    let export = if class.statement().is("export_statement") { "export " } else { "" };
    let members: Vec<String> = written.iter().map(|it| format!("{step}{it}{end}")).collect();
    let said = format!("{export}interface {name}{generic} {{{end}{}}}{end}{end}", members.concat());
    edits.add(code, [put_above_class(class, said)]);
    let heritage = class.node.child_of_kind("class_heritage");
    let clause = heritage.and_then(|it| it.child_of_kind("implements_clause"));
    let head = heritage.or(own).unwrap_or(class.name).end();
    edits.add(
        code,
        [match clause {
            Some(clause) => TextEdit::new(Span::at(clause.end()), format!(", {name}{given}")),
            None => TextEdit::new(Span::at(head), format!(" implements {name}{given}")),
        }],
    );
    Ok(())
}
