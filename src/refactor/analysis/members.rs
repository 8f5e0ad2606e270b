//! Members that leave one class for another: whether they mean the same there, and how they are written.

use super::classes::{Class, LocatedClass, Member, MemberKind, Slot, Usage, comments_above, usage};
use super::edits::Edits;
use super::imports::required;
use super::imports::required::{Departures, MovedPieces, home};
use super::indentation::{Layout, in_block};
use crate::refactor::Refusal;
use crate::refactor::refusal::{each, refuse_all};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_class};
use crate::session::Session;
use crate::syntax::python::is_special_name;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

/// Where members go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Destination {
    /// To a superclass, from which their class inherits them.
    Above,
    Elsewhere,
}

/// Every declaration of one member, which goes as a whole.
pub(crate) struct MemberDeclarations<'c> {
    pub class: Class<'c>,
    pub name: &'c str,
    pub members: Vec<Member<'c>>,
}

impl<'c> MemberDeclarations<'c> {
    /// Returns the member that a place names, with all that bears its name in its class.
    pub(crate) fn at(code: &'c Code, offset: Option<usize>, whither: Destination) -> Result<Self, Refusal> {
        let nothing = || Refusal::NotPossible(format!("the target names no member of a class of `{}`", code.shown));
        let offset = offset.ok_or_else(nothing)?;
        let here = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
        let classes = here.ancestors().filter(|outer| is_class(*outer)).filter_map(|node| Class::of(code, node));
        for class in classes {
            let mut members = class.members().into_iter();
            if let Some(member) = members.find(|member| member.name.span().touches(offset)) {
                return Self::named(class, member.name.text(code.text()), whither);
            }
        }
        Err(nothing())
    }

    pub(crate) fn named(class: Class<'c>, name: &'c str, whither: Destination) -> Result<Self, Refusal> {
        let members = class.members_named(name);
        let code = class.code;
        let at = members.first().map_or(class.node.start(), |member| member.name.start());
        if members.is_empty() {
            return Err(code.refuse(at, format!("`{}` has no `{name}`", class.name())));
        }
        if members.iter().any(|member| member.kind == MemberKind::Other) {
            return Err(code.refuse(at, format!("`{name}` is declared together with something else")));
        }
        if is_called_by_the_language(code, name) && !(whither == Destination::Above && is_inherited(&class, name)) {
            return Err(code.refuse(at, format!("`{name}` is called by the language under that very name")));
        }
        Ok(Self { class, name, members })
    }

    pub(crate) fn code(&self) -> &'c Code {
        self.class.code
    }

    /// Tells whether all of it stands in the class body as declarations of one kind.
    pub(crate) fn is_all(&self, kind: MemberKind) -> bool {
        self.members.iter().all(|member| member.kind == kind)
    }

    /// Tells whether one of its declarations is a field of the class body.
    pub(crate) fn is_field(&self) -> bool {
        self.members.iter().any(|member| member.kind == MemberKind::Field)
    }

    pub(crate) fn start(&self) -> usize {
        self.members[0].name.start()
    }

    /// Returns the declarations that tell the types of a method: its overloads without what carries them out.
    pub(crate) fn signatures(&self) -> Vec<Member<'c>> {
        let overloads: Vec<Member<'c>> =
            self.members.iter().filter(|it| it.node.is("method_signature")).copied().collect();
        if overloads.is_empty() { self.members.clone() } else { overloads }
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.members.iter().map(|member| member.node.span()).collect()
    }

    /// Takes the member out of its class and of those that have the very same one; returns where it stood.
    pub(crate) fn take_out<'t>(
        &'t self,
        twins: &[&'t LocatedClass],
        edits: &mut Edits,
    ) -> Result<Departures<'t>, Refusal> {
        let mut gone = Departures::default();
        gone.add(self.code(), self.spans());
        edits.add(self.code(), self.class.without(&self.members)?);
        for twin in twins {
            let class = twin.class();
            let members = class.members_named(self.name);
            gone.add(&twin.code, members.iter().map(|member| member.node.span()));
            edits.add(class.code, class.without(&members)?);
        }
        Ok(gone)
    }

    pub(crate) fn refuse(&self, reason: impl std::fmt::Display) -> Refusal {
        self.code().refuse(self.start(), reason)
    }

    pub(crate) fn usages(&self) -> Vec<Usage<'c>> {
        self.members.iter().map(|member| usage(self.code(), member.node)).collect()
    }

    /// Refuses abstract members, and those that are not declared as `kind`; `set` says what to do with fields that
    /// only methods set.
    pub(crate) fn check_kind(&self, kind: MemberKind, set: &str) -> Result<(), Refusal> {
        let name = self.name;
        match kind {
            _ if self.is_abstract() => Err(self.refuse(format!("`{name}` is abstract: what is below has to have it"))),
            MemberKind::Method if self.is_all(MemberKind::Method) => Ok(()),
            MemberKind::Method => Err(self.refuse(format!("`{name}` is not a method"))),
            _ if self.is_all(MemberKind::Field) => Ok(()),
            _ if self.is_all(MemberKind::Method) => Err(self.refuse(format!("`{name}` is not a field"))),
            _ => Err(self.refuse(format!("`{name}` gets its value in a method: {set}"))),
        }
    }

    /// Returns the names that the member asks its own object for, its own name left out.
    pub(crate) fn asked(&self) -> Vec<Node<'c>> {
        let own = |node: &Node<'c>| node.text(self.code().text()) != self.name;
        let names = |usage: Usage<'c>| [usage.taken_apart(), usage.members].concat();
        self.usages().into_iter().flat_map(names).filter(own).collect()
    }

    /// Refuses what a class right above it, or beside it in the same file, could not know.
    pub(crate) fn check_bound_names(&self, first: &Class<'_>) -> Result<(), Refusal> {
        let code = self.code();
        for usage in self.usages() {
            if let Some(node) = usage.private.first() {
                let said = node.text(code.text());
                return Err(code.refuse(node.start(), format!("`{said}` refers to something else in another class")));
            }
        }
        self.check_type_parameters()?;
        self.check_undescribed()?;
        self.check_order(first, None)
    }

    /// Refuses a member of a script that is described apart from its class, which would make another one there:
    /// `Object.defineProperty(Order.prototype, "total", { enumerable: true })`.
    fn check_undescribed(&self) -> Result<(), Refusal> {
        const DESCRIBING: &[&str] = &["Object.defineProperty", "Object.defineProperties", "Reflect.defineProperty"];
        let (code, text) = (self.code(), self.code().text());
        if code.family() != Family::Script {
            return Ok(());
        }
        let prototype = format!("{}.prototype", self.class.name());
        let described = |call: &Node<'c>| {
            let list = call.child("arguments").into_iter().flat_map(Node::named_children).collect::<Vec<_>>();
            let [object, named, ..] = list.as_slice() else { return false };
            let object = object.text(text);
            let key = |it: Node<'_>| it.text(text).trim_matches(['"', '\'', '`']) == self.name;
            let mut keys = named.named_children().filter_map(|it| it.child("key"));
            (object == prototype || object == self.class.name())
                && (named.is("string") && key(*named) || named.is("object") && keys.any(key))
        };
        let is_it =
            |it: &Node<'c>| it.child("function").is_some_and(|it| DESCRIBING.contains(&it.text(text))) && described(it);
        let calls = code.root().descendants().filter(|it| it.is("call_expression"));
        match calls.into_iter().find(is_it) {
            Some(call) => Err(code.refuse(call.start(), format!("`{}` is described here, for this class", self.name))),
            None => Ok(()),
        }
    }

    /// Tells whether one of the declarations is abstract.
    pub(crate) fn is_abstract(&self) -> bool {
        let code = self.code();
        self.members.iter().any(|member| {
            let mut marks = member.decorators();
            member.is_marked(code, "abstract") || marks.any(|mark| mark.text(code.text()).contains("abstract"))
        })
    }

    /// Returns what stands in the class body: not the places in methods that set a field.
    pub(crate) fn declared(&self) -> Vec<Member<'c>> {
        self.members
            .iter()
            .filter(|it| !matches!(it.kind, MemberKind::Assigned | MemberKind::Parameter))
            .copied()
            .collect()
    }

    /// Returns the names of the methods that set it.
    fn setters(&self) -> impl Iterator<Item = &'c str> {
        let text = self.code().text();
        let functions = self.members.iter().filter_map(|it| function_of(it.node));
        functions.filter_map(move |it| it.child("name").map(|name| name.text(text)))
    }

    /// Refuses what would mean something else in another class of the same or another file.
    pub(crate) fn check_bound(&self) -> Result<(), Refusal> {
        each([self.check_bound_as(self.name), self.check_type_parameters()]).map(drop)
    }

    /// Does the same where it gets another name there, and what it is made for is passed on.
    pub(crate) fn check_bound_as(&self, name: &str) -> Result<(), Refusal> {
        let code = self.code();
        if name.starts_with('#') || self.name.starts_with("__") && !is_special_name(self.name) {
            return Err(self.refuse(format!("`{}` cannot be used in another class", self.name)));
        }
        let usages = self.usages();
        let is_renamed = |node: &&Node<'_>| name != self.name && node.text(code.text()) == self.name;
        let private = usages.iter().flat_map(|usage| &usage.private).filter(|node| !is_renamed(node));
        let bound = private.chain(usages.iter().flat_map(|usage| &usage.bound)).map(|node| {
            let said = node.text(code.text());
            Err(code.refuse(node.start(), format!("`{said}` refers to something else in another class")))
        });
        each(bound.chain([self.check_undescribed()])).map(drop)
    }

    /// Refuses a member that says what its class is made for.
    pub(crate) fn check_type_parameters(&self) -> Result<(), Refusal> {
        let code = self.code();
        let list = self.class.node.child("type_parameters");
        let own = list.into_iter().flat_map(Node::descendants).filter(|node| node.field() == Some("name"));
        let own: Vec<&str> = own.map(|node| node.text(code.text())).collect();
        let nodes = self.members.iter().flat_map(|member| member.node.descendants());
        let named = nodes.filter(|node| node.is_any(&["type_identifier", "identifier"]));
        let own = named.filter(|node| own.contains(&node.text(code.text())));
        let refuse = |node: Node<'_>| {
            let said = node.text(code.text());
            code.refuse(node.start(), format!("`{said}` is a type parameter of `{}`", self.class.name()))
        };
        refuse_all(own.map(refuse))
    }

    /// Refuses what is not known yet, or not known at all, where `to` stands in the same file; what is `left` out
    /// does not count.
    pub(crate) fn check_order(&self, to: &Class<'_>, left: Option<Span>) -> Result<(), Refusal> {
        let names = ScopedNames::of(self.code());
        let counts = |name: &Name| !name.is_free && !left.is_some_and(|left| left.contains(name.span));
        let checks = self.members.iter().flat_map(|member| {
            let within: Vec<Name> = names.within(member.node.span()).filter(counts).collect();
            within.into_iter().map(|name| self.check_known(&names, (name, member), to)).collect::<Vec<_>>()
        });
        each(checks).map(drop)
    }

    /// Refuses a name in a member that another class of the file does not know, or not yet.
    fn check_known(
        &self,
        names: &ScopedNames<'_>,
        (name, member): (Name, &Member<'c>),
        to: &Class<'_>,
    ) -> Result<(), Refusal> {
        let code = self.code();
        let is_lazy = code.postpones_annotations();
        let node = code.covering(name.span);
        let homes: Vec<Option<Node<'c>>> =
            names.of_meaning(name.meaning).filter(|it| it.is_binding).map(|it| home(code, it)).collect();
        let said = node.text(code.text());
        let is_parameter = self.class.node.child("type_parameters").is_some_and(|list| {
            names.of_meaning(name.meaning).any(|it| it.is_binding && list.span().contains(it.span))
        });
        if is_parameter {
            return Ok(());
        }
        if homes.contains(&Some(self.class.node)) && !self.has(names, name) {
            let reason = format!("`{said}` is known only in the body of `{}`", self.class.name());
            return Err(code.refuse(node.start(), reason));
        }
        let is_module = homes.iter().all(Option::is_none);
        if !is_module || !is_early(node, member.node, is_lazy) {
            return Ok(());
        }
        let mut known = names.of_meaning(name.meaning).filter(|it| it.is_binding && home(code, *it).is_none());
        if known.any(|it| it.span.start > to.statement().start()) {
            let reason = format!("`{said}` is not known yet where `{}` is made", to.name());
            return Err(code.refuse(node.start(), reason));
        }
        Ok(())
    }

    fn has(&self, names: &ScopedNames<'_>, name: Name) -> bool {
        let mut bindings = names.of_meaning(name.meaning).filter(|it| it.is_binding);
        bindings.all(|it| self.members.iter().any(|member| member.node.span().contains(it.span)))
    }

    /// Writes the declarations for another class; what is private becomes `protected`.
    pub(crate) fn written(&self, base: &str) -> Result<Vec<String>, Refusal> {
        self.written_with(base, &[])
    }

    fn written_with(&self, base: &str, changes: &[TextEdit]) -> Result<Vec<String>, Refusal> {
        let layout = Layout::of(self.code());
        let mut written = Vec::new();
        for member in &self.declared() {
            let extent = self.class.extent(member)?;
            let modifier = member.node.children().find(|child| child.is("accessibility_modifier"));
            let opened = modifier.filter(|word| word.text(self.code().text()) == "private");
            let opened = opened.map(|word| TextEdit::new(word.span(), "protected"));
            let own = changes.iter().filter(|it| extent.contains(it.span)).cloned();
            let edits: Vec<TextEdit> = opened.into_iter().chain(own).collect();
            written.push(layout.moved_with(extent, base, &edits));
        }
        Ok(written)
    }

    /// Writes the declarations as they are, for a class of the same file.
    pub(crate) fn kept(&self, base: &str) -> Result<Vec<String>, Refusal> {
        let layout = Layout::of(self.code());
        self.declared().iter().map(|member| Ok(layout.moved(self.class.extent(member)?, base))).collect()
    }

    /// Adds the imports that the member needs where it comes to stand.
    pub(crate) fn carry(&self, session: &Session, to: &Class<'_>, edits: &mut Edits) -> Result<(), Refusal> {
        let carried = MovedPieces { from: self.code(), pieces: &self.spans(), to: to.code, given: &[] };
        required::carry(session, &carried, edits)
    }

    /// Returns the edit that puts the member into another class.
    pub(crate) fn put_into(&self, to: &Class<'_>) -> Result<TextEdit, Refusal> {
        self.put_changed(to, &[])
    }

    /// Does the same with edits inside the member, behind the words that stand before its name.
    pub(crate) fn put_changed(&self, to: &Class<'_>, changes: &[TextEdit]) -> Result<TextEdit, Refusal> {
        let slot = if self.is_all(MemberKind::Field) { Slot::Field } else { Slot::Method };
        Ok(to.with(slot, &self.written_for(to, changes)?))
    }

    /// Puts them ahead of the fields that a class has.
    pub(crate) fn put_ahead(&self, to: &Class<'_>) -> Result<TextEdit, Refusal> {
        let Some(first) = to.members().into_iter().find(|it| it.kind == MemberKind::Field) else {
            return self.put_into(to);
        };
        let at = to.code.line_start(to.extent(&first)?.start);
        let lines = self.written_for(to, &[])?;
        let lines: String = lines.iter().map(|line| format!("{}{line}{}", to.indent(), to.code.newline())).collect();
        Ok(TextEdit::new(Span::at(at), lines))
    }

    fn written_for(&self, to: &Class<'_>, changes: &[TextEdit]) -> Result<Vec<String>, Refusal> {
        let (from, newline) = (self.code().newline(), to.code.newline());
        let texts = self.written_with(&to.indent(), changes)?;
        Ok(texts.into_iter().map(|text| text.replace(from, newline)).collect())
    }
}

/// Tells whether something is evaluated when its class is made, not when it is called.
fn is_early(node: Node<'_>, member: Node<'_>, is_lazy: bool) -> bool {
    let mut inner = node;
    for outer in node.ancestors() {
        let is_annotation = inner.is("type") || matches!(inner.field(), Some("return_type"));
        if inner.is_any(&["type_annotation", "type_arguments"]) || is_annotation && is_lazy {
            return false;
        }
        if is_any_function(outer) && inner.field() == Some("body") {
            return false;
        }
        // A field of an object gets its value with the object.
        let is_field = outer.is_any(&["public_field_definition", "field_definition"]);
        if is_field && outer.child_of_kind("static").is_none() && !inner.is("decorator") {
            return false;
        }
        if outer == member {
            return true;
        }
        inner = outer;
    }
    true
}

fn is_called_by_the_language(code: &Code, name: &str) -> bool {
    match code.family() {
        Family::Python => is_special_name(name),
        _ => name == "constructor" || name.starts_with('['),
    }
}

/// Tells whether Python finds a special method that a class inherits as it finds one of its own: it looks special methods up
/// on the type. Decorators such as `dataclass` look at what stands in the class itself; `__init_subclass__` is called for
/// the classes below alone; a class with an `__eq__` of its own and no `__hash__` gets `None` for that (Language Reference
/// § 3.3.1).
fn is_inherited(class: &Class<'_>, name: &str) -> bool {
    let is_method = class.members_named(name).iter().all(|it| it.kind == MemberKind::Method);
    let is_looked_at = class.decorators().next().is_some() || name == "__init_subclass__";
    class.code.family() == Family::Python && is_method && !is_looked_at
}

/// Refuses a `__hash__` that leaves the class of an `__eq__`.
pub(crate) fn check_hash(groups: &[MemberDeclarations<'_>]) -> Result<(), Refusal> {
    let goes = |name: &str| groups.iter().find(|group| group.name == name);
    match goes("__hash__").filter(|group| group.class.has("__eq__") && goes("__eq__").is_none()) {
        Some(group) => Err(group.refuse("a class with an `__eq__` inherits no `__hash__`: both have to go")),
        None => Ok(()),
    }
}

/// Refuses classes that stand in functions or in other classes: what they see there, others do not.
pub(crate) fn check_outermost(class: &Class<'_>) -> Result<(), Refusal> {
    let is_inner = function_of(class.node).is_some() || class.node.ancestors().any(is_class);
    match is_inner {
        true => Err(class.code.refuse(class.name.start(), format!("`{}` is not at module level", class.name()))),
        false => Ok(()),
    }
}

/// Returns the members that are listed, or else those that `is_meant`, each with all that bears its name.
pub(crate) fn chosen<'c>(
    class: Class<'c>,
    (names, whither): (&[String], Destination),
    is_meant: impl Fn(&Class<'c>, &Member<'c>) -> bool,
) -> Result<Vec<MemberDeclarations<'c>>, Refusal> {
    let mut groups: Vec<MemberDeclarations<'c>> = Vec::new();
    let all = class.members();
    let text = class.code.text();
    if let Some(name) = names.iter().find(|name| !all.iter().any(|it| it.name.text(text) == **name)) {
        return Err(class.code.refuse(class.name.start(), format!("`{}` has no `{name}`", class.name())));
    }
    for member in &all {
        let name = member.name.text(text);
        let is_wanted = match names {
            [] => is_meant(&class, member),
            _ => names.iter().any(|it| it == name),
        };
        if !is_wanted || groups.iter().any(|group| group.name == name) {
            continue;
        }
        let group = match member.kind {
            MemberKind::Constructor => MemberDeclarations {
                class,
                name,
                members: all.iter().filter(|it| it.name == member.name).copied().collect(),
            },
            _ => MemberDeclarations::named(class, name, whither)?,
        };
        groups.push(group);
    }
    Ok(groups)
}

/// As [`chosen`]; a field that only such methods set comes with them.
pub(crate) fn listed<'c>(
    class: Class<'c>,
    wanted: (&[String], Destination),
    is_meant: impl Fn(&Class<'c>, &Member<'c>) -> bool,
) -> Result<Vec<MemberDeclarations<'c>>, Refusal> {
    let groups = chosen(class, wanted, is_meant)?;
    let (set, groups): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.declared().is_empty());
    for group in set {
        let name = group.name;
        if let Some(setter) = group.setters().find(|setter| !groups.iter().any(|it| it.name == *setter)) {
            return Err(group.refuse(format!("`{name}` is set by `{setter}`: name that, too")));
        }
    }
    Ok(groups)
}

/// Writes the body of a new class of the file: members in the order in which they stood.
pub(crate) fn body(
    groups: &[MemberDeclarations<'_>],
    code: &Code,
    written: impl Fn(&MemberDeclarations<'_>) -> Result<Vec<String>, Refusal>,
) -> Result<String, Refusal> {
    let (end, layout) = (code.newline(), Layout::of(code));
    let step = layout.step();
    let mut members: Vec<(usize, MemberKind, String)> = Vec::new();
    for group in groups {
        for (member, said) in group.declared().iter().zip(written(group)?) {
            members.push((member.node.start(), member.kind, said));
        }
    }
    members.sort_by_key(|(start, ..)| *start);
    let mut body = String::new();
    let mut before = None;
    for (_, kind, said) in members {
        let is_next = before.is_some_and(|before| before != MemberKind::Field || kind != MemberKind::Field);
        body += &format!("{}{step}{said}{end}", if is_next { end } else { "" });
        before = Some(kind);
    }
    Ok(body)
}

/// Puts a declaration above a class, into the same block.
pub(crate) fn put_above_class(class: &Class<'_>, declared: String) -> TextEdit {
    let code = class.code;
    let start = class.statement().start();
    let said = match code.indent(start) {
        "" => declared,
        base => in_block(code.parsed().tree.language(), &declared, base),
    };
    TextEdit::new(Span::at(code.line_start(comments_above(code, start))), said)
}

/// Refuses a name that means something in the file.
pub(crate) fn check_unused(code: &Code, name: &str) -> Result<(), Refusal> {
    match code.mentions(code.root(), name) {
        true => Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", code.shown))),
        false => Ok(()),
    }
}

/// Returns the receiver among the parameters of a method of Python; nothing for a static one.
pub(crate) fn own_parameter<'c>(group: &MemberDeclarations<'c>, function: Node<'c>) -> Option<Node<'c>> {
    let is_python = group.code().family() == crate::syntax::Family::Python;
    let is_static = group.members[0].decorators().any(|mark| mark.text(group.code().text()) == "@staticmethod");
    function.child("parameters")?.named_children().next().filter(|_| is_python && !is_static)
}
