//! A method goes to the class of one of its fields or parameters, and is asked there.

use super::passed_object::{Source, this_parameter};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, MemberKind, Slot, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{MemberDeclarations, check_outermost, own_parameter};
use crate::refactor::analysis::moved_methods::{Access, MovedMethod, Successor};
use crate::refactor::analysis::signatures::removed;
use crate::refactor::analysis::type_parameters::TypeParameters;
use crate::refactor::doubts::in_doubt;
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::target::last_name;
use crate::text::{Span, TextEdit};

/// By what the method reaches the class that it goes to.
enum Way<'c> {
    /// A field of its object: every use of it, and its name.
    Field { name: &'c str, uses: Vec<Node<'c>> },
    /// A parameter.
    Parameter { node: Node<'c>, name: &'c str, uses: Vec<Span> },
}

impl Way<'_> {
    /// Returns the parameter that does not go along.
    fn leaves(&self) -> Option<Span> {
        match self {
            Self::Field { .. } => None,
            Self::Parameter { node, .. } => Some(node.span()),
        }
    }

    /// Returns the object that is asked instead, seen from the method.
    fn object(&self, receiver: &str) -> String {
        match self {
            Self::Field { name, .. } => format!("{receiver}.{name}"),
            Self::Parameter { name, .. } => (*name).to_owned(),
        }
    }
}

pub(super) async fn plan(
    session: &Session,
    (kin, group): (&ClassHierarchy<'_>, &MemberDeclarations<'_>),
    method: &MovedMethod<'_>,
    to: &str,
) -> Result<Plan, Refusal> {
    let (code, function) = (group.code(), method.function);
    if group.members[0].is_static {
        return Err(group.refuse("a static method has no object to ask: move it to module level"));
    }
    if let Some(own) = this_parameter(function) {
        return Err(code.refuse(own.start(), "the method says what its object is, which another class would not be"));
    }
    let (way, goal) = way(kin, group, function, to).await?;
    let class = goal.class();
    Code::read(session, &class.code.path)?;
    let is_beside = class.code.path == code.path;
    let order = if is_beside { group.check_order(&class, way.leaves()) } else { Ok(()) };
    each([check_outermost(&class), order, check_free(kin, group, &class).await])?;
    let mut edits = Edits::default();
    let field = match &way {
        Way::Field { name, .. } => Some(*name),
        Way::Parameter { .. } => None,
    };
    let source = Source::of(session, kin, (group, function), field, &mut edits).await?;
    let source = match source {
        Some(_) if method.access == Access::Read => {
            return Err(
                group.refuse(format!("`{}` asks its object for more, and a property is passed nothing", group.name))
            );
        }
        Some(source) => Some(source.typed(session, (group, function), &class, &mut edits)?),
        None => None,
    };
    let text = written(group, function, (&way, source.as_ref(), &class))?;
    edits.add(class.code, [class.with(Slot::Method, &[text])]);
    let whole = group.members[0].node.span();
    let mut pieces: Vec<Span> = match way.leaves() {
        Some(gone) => vec![Span::new(whole.start, gone.start), Span::new(gone.end, whole.end)],
        None => vec![whole],
    };
    pieces.extend(TypeParameters::of_class(&group.class).constraints());
    let own = match &way {
        Way::Field { .. } => class.name(),
        Way::Parameter { name, .. } => name,
    };
    let carried = required::MovedPieces { from: code, pieces: &pieces, to: class.code, given: &[class.name(), own] };
    required::carry(session, &carried, &mut edits)?;
    let body = function.child("body").ok_or_else(|| group.refuse("it has no body"))?;
    let receiver = own_parameter(group, function).map_or("this", |own| own.text(code.text()));
    let asked = format!("{}.{}", way.object(receiver), group.name);
    let asked = Successor { asked: &asked, left: way.leaves(), own: source.is_some().then_some(receiver) };
    edits.add(code, [TextEdit::new(body.span(), method.asking(group, &asked)?)]);
    required::leave(session, code, &[body.span()], &mut edits);
    edits.plan()
}

/// Finds the field or the parameter that is of the class.
async fn way<'c>(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'c>,
    function: Node<'c>,
    to: &str,
) -> Result<(Way<'c>, LocatedClass), Refusal> {
    let code = group.code();
    let text = code.text();
    let used = usage(code, group.members[0].node);
    let last = last_name(to);
    let is_meant = |found: &[LocatedClass]| matches!(found, [one] if one.class().name() == last && kin.is_own(one));
    let mut fields: Vec<&str> = used.members.iter().map(|it| it.text(text)).collect();
    fields.sort_unstable();
    fields.dedup();
    let mut known = Vec::new();
    for name in fields {
        let uses: Vec<Node<'_>> = used.members.iter().filter(|it| it.text(text) == name).copied().collect();
        let mut found = kin.classes_of(code, uses[0].parent().unwrap_or(uses[0])).await?;
        if is_meant(&found) && !is_set(&uses) {
            let uses = uses.iter().filter_map(|it| it.parent()).collect();
            known.push((Way::Field { name, uses }, found.remove(0)));
        }
    }
    match (known.pop(), known.is_empty()) {
        (Some(one), true) => return Ok(one),
        (Some(_), false) => return Err(group.refuse(format!("it asks several fields that are a `{last}`"))),
        (None, _) => {}
    }
    if let Some(parameter) = parameter_way(kin, group, function, is_meant).await? {
        return Ok(parameter);
    }
    unasked_field(kin, group, is_meant).await?.ok_or_else(|| {
        group
            .refuse(format!("`{}` has neither a field nor a parameter that is a `{last}` and nothing else", group.name))
    })
}

/// Finds a parameter that is of the class.
async fn parameter_way<'c>(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'c>,
    function: Node<'c>,
    is_meant: impl Fn(&[LocatedClass]) -> bool,
) -> Result<Option<(Way<'c>, LocatedClass)>, Refusal> {
    let code = group.code();
    let names = ScopedNames::of(code);
    let own = own_parameter(group, function);
    for node in function.child("parameters").into_iter().flat_map(Node::named_children) {
        let Some(name) = parameter(node).filter(|_| Some(node) != own) else { continue };
        let Some(meaning) = names.at(name).map(|it| it.meaning) else { continue };
        let found = kin.classes_of(code, name).await?;
        let uses: Vec<Span> = names.of_meaning(meaning).map(|it| it.span).filter(|it| *it != name.span()).collect();
        if is_meant(&found) && names.writes(meaning).count() == 1 {
            let goal = found.into_iter().next().ok_or_else(|| group.refuse("its class is not known"))?;
            return Ok(Some((Way::Parameter { node, name: name.text(code.text()), uses }, goal)));
        }
    }
    Ok(None)
}

/// Finds the one field of the object that is of the class, where the method itself asks for none.
async fn unasked_field<'c>(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'c>,
    is_meant: impl Fn(&[LocatedClass]) -> bool,
) -> Result<Option<(Way<'c>, LocatedClass)>, Refusal> {
    const FIELDS: [MemberKind; 3] = [MemberKind::Assigned, MemberKind::Field, MemberKind::Parameter];
    let code = group.code();
    let mut known: Vec<(&str, LocatedClass)> = Vec::new();
    for field in group.class.members().into_iter().filter(|it| FIELDS.contains(&it.kind) && !it.is_static) {
        let name = field.name.text(code.text());
        let same = group.class.members_named(name);
        // What a declaration says of a field holds for all that is assigned to it.
        let declared = same.iter().find(|it| it.kind != MemberKind::Assigned);
        let is_one = declared.map_or(same.len() == 1, |it| it.node == field.node);
        if !is_one || same.iter().any(|it| !FIELDS.contains(&it.kind)) {
            continue;
        }
        let mut found = kin.classes_of(code, field.name).await?;
        if is_meant(&found) {
            known.push((name, found.remove(0)));
        }
    }
    let only = known.pop().filter(|_| known.is_empty());
    Ok(only.map(|(name, class)| (Way::Field { name, uses: Vec::new() }, class)))
}

/// Tells whether a field gets another value.
fn is_set(members: &[Node<'_>]) -> bool {
    let targets = members.iter().filter_map(|it| it.parent());
    targets.into_iter().any(|member| {
        member.field() == Some("left")
            || member.parent().is_some_and(|it| it.is_any(&["update_expression", "delete_statement"]))
    })
}

/// Returns the name of a parameter that takes one value and has no default.
fn parameter(node: Node<'_>) -> Option<Node<'_>> {
    let name = match node.kind() {
        "identifier" => Some(node),
        "typed_parameter" => node.named_children().next(),
        "required_parameter" => node.child("pattern").filter(|_| node.child("value").is_none()),
        _ => None,
    };
    name.filter(|name| name.is("identifier"))
}

/// Refuses a class in whose line the name is taken.
async fn check_free(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'_>,
    class: &Class<'_>,
) -> Result<(), Refusal> {
    let (above, unknown) = kin.declaring_member(class, group.name).await?;
    let heirs = kin.heirs(class).await?;
    let own = kin.itself(class)?;
    if let Some(base) = unknown.first() {
        let reason = format!("`{base}`, from which `{}` inherits, cannot be resolved", class.name());
        in_doubt(group.code(), group.members[0].name.span(), reason)?;
    }
    match above.iter().chain(&heirs).chain([&own]).find(|one| one.class().has(group.name)) {
        Some(one) => Err(group.refuse(format!("`{}` has a `{}` already", one.class().name(), group.name))),
        None => Ok(()),
    }
}

/// Writes the method for the other class.
fn written(
    group: &MemberDeclarations<'_>,
    function: Node<'_>,
    (way, source, class): (&Way<'_>, Option<&Source<'_>>, &Class<'_>),
) -> Result<String, Refusal> {
    let code = group.code();
    let receiver = own_parameter(group, function).map_or("this", |own| own.text(code.text()));
    let mut edits: Vec<TextEdit> = match way {
        Way::Field { uses, .. } => uses.iter().map(|it| TextEdit::new(it.span(), receiver)).collect(),
        Way::Parameter { node, uses, .. } => {
            let here = uses.iter().map(|span| TextEdit::new(*span, receiver));
            let list: Vec<Node<'_>> = function.child("parameters").into_iter().flat_map(Node::named_children).collect();
            let at = list.iter().position(|it| it == node).unwrap_or_default();
            let place = source.map(|source| TextEdit::new(node.span(), source.parameter.clone()));
            here.chain([place.unwrap_or_else(|| removed(&list, at))]).collect()
        }
    };
    if let Some(source) = source {
        edits.extend(source.uses.iter().map(|it| TextEdit::new(it.span(), source.name.as_str())));
        edits.extend(source.first(group, function).filter(|_| way.leaves().is_none()));
    }
    let given = source.map_or("", |source| &source.parameter);
    edits.extend(TypeParameters::of_class(&group.class).listed_by(function, &[given])?);
    edits.extend(group.members[0].without_accessibility());
    edits.sort_by_key(|edit| edit.span);
    let is_shorthand = |edit: &TextEdit| code.covering(edit.span).kind().starts_with("shorthand");
    if let Some(edit) = edits.iter().find(|edit| is_shorthand(edit)) {
        return Err(code.refuse(edit.span.start, "the short property would lose its name"));
    }
    Ok(Layout::of(code)
        .moved_with(group.members[0].node.span(), &class.indent(), &edits)
        .replace(code.newline(), class.code.newline()))
}
