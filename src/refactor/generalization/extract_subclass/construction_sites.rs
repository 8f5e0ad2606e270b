//! Where the objects are made that somebody uses: followed from the variable or the field that holds them.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::kinds::unwrapped;
use crate::text::{AbsPath, Span};

/// The places that name the class to make an object of it, or to say that something holds one, and that are to name
/// the subclass.
pub(super) struct Making<'a> {
    session: &'a Session,
    /// Of the class.
    uses: &'a Uses,
    chosen: BTreeMap<AbsPath, BTreeSet<Span>>,
    /// Places of variables and fields that are known to hold such objects alone.
    known: BTreeSet<(AbsPath, Span)>,
    pub warnings: Vec<Warning>,
}

impl<'a> Making<'a> {
    pub(super) fn new(session: &'a Session, uses: &'a Uses) -> Self {
        Self { session, uses, chosen: BTreeMap::new(), known: BTreeSet::new(), warnings: Vec::new() }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.chosen.is_empty()
    }

    pub(super) fn chosen_in(&self, path: &AbsPath) -> Vec<Span> {
        self.chosen.get(path).into_iter().flatten().copied().collect()
    }

    /// Refuses places that could mean what nobody found, and what asks for a member by its spelled name.
    pub(super) async fn look(&mut self, uses: &Uses) -> Result<(), Refusal> {
        for warning in uses.certain(self.session).await? {
            let code = warning.path.as_ref().map(|path| Code::known(self.session, path)).transpose()?;
            let span = warning.range.zip(code.as_ref()).and_then(|(range, code)| code.parsed().text.span(range));
            if let Some((code, span)) = code.as_ref().zip(span)
                && is_asked_by_name(code, span)
            {
                return Err(code.refuse(span.start, format!("`{}` is asked for by its name in a text", uses.name)));
            }
            self.warnings.push(warning);
        }
        Ok(())
    }

    /// Chooses where an object is made that is used, or refuses where anything else could be the object.
    pub(super) async fn choose(&mut self, code: &Code, object: Node<'_>) -> Result<(), Refusal> {
        let object = unwrapped(object);
        if let Some(span) = self.made(code, object) {
            self.put(code, span);
            return Ok(());
        }
        let name = match object.kind() {
            "identifier" => Some(object),
            "attribute" => object.child("attribute"),
            "member_expression" => object.child("property"),
            _ => None,
        };
        let unknown = || code.refuse(object.start(), "the objects that are used here cannot be determined");
        let name = name.ok_or_else(unknown)?;
        if self.known.contains(&(code.path.clone(), name.span())) {
            return Ok(());
        }
        let held = Uses::of(self.session, code, name.start()).await?;
        let is_field = held.iter().any(|(user, one)| one.member(user).is_some());
        if is_field {
            self.warnings.extend(held.certain(self.session).await?);
        }
        let mut is_made = false;
        for (user, one) in held.iter() {
            is_made |= self.value(user, one, (code, object))?;
            self.known.insert((user.path.clone(), one.span));
        }
        if is_made { Ok(()) } else { Err(unknown()) }
    }

    /// Looks at one use of what holds an object; tells whether it is given a new one there.
    fn value(&mut self, user: &Code, one: &Use, (code, object): (&Code, Node<'_>)) -> Result<bool, Refusal> {
        let other = || {
            let reason = format!(
                "what is used in {}:{} may be another object, which comes from here",
                code.shown,
                code.line(object.start())
            );
            Err(user.refuse(one.span.start, reason))
        };
        let node = one.node(user);
        let (declared, value) = match one.kind {
            UseKind::Read | UseKind::Call | UseKind::Import | UseKind::Export | UseKind::Type | UseKind::Text => {
                return Ok(false);
            }
            UseKind::Write => match one.assignment(user) {
                Some((assignment, value)) => (assignment, Some(value)),
                None => return other(),
            },
            UseKind::Definition => match node.parent().filter(|it| declares(*it, node)) {
                Some(declared) => (declared, declared.child("value").or_else(|| declared.child("right"))),
                None => return other(),
            },
            _ => return other(),
        };
        if declared.child("type").is_some_and(|written| !self.retyped(user, written)) {
            return other();
        }
        let Some(value) = value else { return Ok(false) };
        match self.made(user, unwrapped(value)) {
            Some(span) => {
                self.put(user, span);
                Ok(true)
            }
            None => other(),
        }
    }

    /// Lets an annotation that names the class, and nothing else, name the subclass.
    fn retyped(&mut self, user: &Code, written: Node<'_>) -> bool {
        let said = written.text(user.text()).trim_start_matches(':').trim();
        let mut uses = self.uses.files.get(&user.path).into_iter().flat_map(|file| &file.uses);
        let shown = |one: &Use| one.member(user).unwrap_or_else(|| one.node(user)).text(user.text());
        let named = uses.find(|one| written.span().contains(one.span) && shown(one) == said);
        if let Some(one) = named {
            self.put(user, one.span);
        }
        named.is_some()
    }

    /// Returns where the class is named in an expression that makes an object of it.
    fn made(&self, code: &Code, node: Node<'_>) -> Option<Span> {
        let made = node.child("function").filter(|_| node.is("call"));
        let callee = made.or_else(|| node.child("constructor").filter(|_| node.is("new_expression")))?;
        let name = callee.child("attribute").or_else(|| callee.child("property")).unwrap_or(callee);
        let mut uses = self.uses.files.get(&code.path)?.uses.iter();
        uses.any(|one| one.span == name.span()).then(|| name.span())
    }

    fn put(&mut self, code: &Code, span: Span) {
        self.chosen.entry(code.path.clone()).or_default().insert(span);
    }
}

/// Tells whether a node declares a variable or a field of a name, and nothing besides.
fn declares(node: Node<'_>, name: Node<'_>) -> bool {
    match node.kind() {
        "assignment" => node.child("left") == Some(name),
        "variable_declarator" | "public_field_definition" | "field_definition" => {
            [node.child("name"), node.child("property")].contains(&Some(name)) && !is_head(node)
        }
        _ => false,
    }
}

/// Tells whether a variable is declared in the head of a loop.
fn is_head(declarator: Node<'_>) -> bool {
    declarator.ancestors().nth(1).is_some_and(|outer| outer.is_any(&["for_statement", "for_in_statement"]))
}

/// Tells whether a spelled name is handed to what asks objects for their members, or asked for in brackets.
fn is_asked_by_name(code: &Code, span: Span) -> bool {
    const ASK: &[&str] = &["getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"];
    let string = code.covering(span).ancestors().find(|it| !it.is_any(&["string", "string_content"]));
    let Some(outer) = string else { return false };
    let callee = outer.parent().and_then(|call| call.child("function")).map(|it| it.text(code.text()));
    let is_handed = callee.is_some_and(|it| ASK.contains(&it.rsplit('.').next().unwrap_or(it)));
    is_handed || outer.is("subscript_expression")
}
