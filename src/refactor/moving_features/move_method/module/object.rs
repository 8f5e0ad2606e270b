//! The object of a method that becomes a function, which passes it as its first argument.

use super::super::passed_object::{open_asked, this_parameter};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{ClassHierarchy, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::held_as;
use crate::refactor::analysis::inferred_types::is_typed;
use crate::refactor::analysis::members::MemberDeclarations;
use crate::refactor::analysis::references::Uses;
use crate::refactor::analysis::type_parameters::TypeParameters;
use crate::refactor::refusal::refuse_all;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(super) struct Object<'c> {
    code: &'c Code,
    /// What the function calls it.
    name: String,
    /// The class that it is of, where the function says so: `Queue<T>`.
    class: Option<String>,
    /// Where the method means it.
    places: Vec<Node<'c>>,
    /// It is the class, which a class method means by its first parameter.
    is_class: bool,
}

impl<'c> Object<'c> {
    /// Looks for what a method asks its object; nothing where it does without.
    pub(super) async fn of(
        kin: &ClassHierarchy<'_>,
        (group, function): (&MemberDeclarations<'c>, Node<'c>),
        edits: &mut Edits,
    ) -> Result<Option<Self>, Refusal> {
        let code = group.code();
        let used = usage(code, group.members[0].node);
        let objects = used.members.iter().filter_map(|it| it.parent().and_then(|member| member.child("object")));
        let said = this_parameter(function);
        let is_meant = |it: &Node<'c>| !said.is_some_and(|said| said.holds(*it));
        let places: Vec<Node<'c>> = objects.chain(used.whole.iter().copied()).filter(is_meant).collect();
        open_asked(kin, group, &used.members, edits).await?;
        if places.is_empty() {
            return Ok(None);
        }
        let is_of_class = group.members[0].is_static
            || group.members[0].decorators().any(|mark| mark.text(code.text()).ends_with("classmethod"));
        let is_python = code.family() == Family::Python;
        if is_of_class && is_python && kin.heirs(&group.class).await?.is_empty() {
            check_types(code, function)?;
            let name = group.class.name().to_owned();
            return Ok(Some(Self { code, name, class: None, places, is_class: true }));
        }
        if is_of_class {
            let reason = format!("`{}` uses its class: no function of the module has one", group.name);
            return refuse_all(places.iter().map(|node| code.refuse(node.start(), &reason))).map(|()| None);
        }
        check_types(code, function)?;
        let own = held_as(code, group.class.name());
        let candidates = [own.as_str(), "instance", "obj"];
        let name = candidates.into_iter().find(|name| !code.mentions(function, name));
        let name = name.ok_or_else(|| group.refuse(format!("`{own}` is already in use in it")))?;
        let own = own_type(code, function);
        let says_class = if code.family() == Family::Python { is_typed(function) } else { code.is_typed_script() };
        let class = says_class.then(|| TypeParameters::of_class(&group.class).said(group.class.name()));
        let class = own.or(class);
        Ok(Some(Self { code, name: name.to_owned(), class, places, is_class: false }))
    }

    /// Tells whether the function is passed it: it knows a class by its name.
    pub(super) fn is_passed(&self) -> bool {
        !self.is_class
    }

    /// Writes the function's first parameter, where it takes one for it.
    pub(super) fn parameter(&self) -> Option<String> {
        let said = || self.class.as_ref().map_or_else(|| self.name.clone(), |class| format!("{}: {class}", self.name));
        self.is_passed().then(said)
    }

    /// Writes a call of the method, as far as its first argument, as one of the function.
    pub(super) fn passed(
        &self,
        (user, member): (&Code, Node<'_>),
        uses: &Uses,
        name: &str,
    ) -> Result<TextEdit, Refusal> {
        let refuse = |reason: &str| Err(user.refuse(member.start(), reason));
        let (Some(object), Some(call)) = (member.child("object"), member.parent()) else {
            return refuse("it is called on nothing");
        };
        let Some(list) = call.child("arguments").filter(|it| it.is_any(&["argument_list", "arguments"])) else {
            return refuse("its arguments are not written out");
        };
        let own = uses.iter().filter(|(code, _)| code.path == user.path);
        if own.into_iter().any(|(_, one)| object.span().contains(one.span)) {
            return refuse("the object is what another call of it returns: give that a name first");
        }
        let said = self.said(user, object);
        let open = Span::new(member.end(), list.start() + 1);
        let between = open.of(user.text()).unwrap_or_default();
        let first = list.named_children().next().map(Node::start);
        // Arguments in lines of their own go on to be so.
        let (gap, end) = match first {
            Some(first) => {
                let gap = &user.text()[open.end..first];
                (if gap.contains('\n') { gap } else { "" }, open.end)
            }
            None => ("", open.end),
        };
        let comma = match first {
            Some(_) if gap.is_empty() => ", ",
            Some(_) => ",",
            None => "",
        };
        Ok(TextEdit::new(Span::new(member.start(), end), format!("{name}{between}{gap}{said}{comma}")))
    }

    /// Writes what a call's object is in words of the function, where the call stands in it.
    fn said(&self, user: &Code, object: Node<'_>) -> String {
        let inside = self.places.iter().filter(|it| user.path == self.code.path && object.span().contains(it.span()));
        let (mut said, mut at) = (String::new(), object.start());
        for place in inside {
            said.push_str(&user.text()[at..place.start()]);
            said.push_str(&self.name);
            at = place.end();
        }
        said.push_str(&user.text()[at..object.end()]);
        said
    }

    /// Returns the edits by which the method means its parameter, those left out that others hold.
    pub(super) fn renamed(&self, others: &[TextEdit]) -> Vec<TextEdit> {
        let is_held = |it: &Node<'_>| others.iter().any(|edit| edit.span.contains(it.span()));
        let places = self.places.iter().filter(|it| !is_held(it));
        places.map(|it| TextEdit::new(it.span(), self.name.as_str())).collect()
    }
}

/// Refuses types that mean the class that the method is in.
fn check_types(code: &Code, function: Node<'_>) -> Result<(), Refusal> {
    let is_own = |node: &Node<'_>| node.is("this_type") || node.is("identifier") && node.text(code.text()) == "Self";
    match function.descendants().find(is_own) {
        Some(own) => {
            let said = own.text(code.text());
            Err(code.refuse(own.start(), format!("`{said}` means nothing outside of a class")))
        }
        None => Ok(()),
    }
}

/// Returns the type that a method of a script says its object to be of: `this: Parser`.
fn own_type(code: &Code, function: Node<'_>) -> Option<String> {
    let typed = this_parameter(function)?.child("type")?;
    Some(typed.text(code.text()).trim_start_matches(':').trim().to_owned())
}
