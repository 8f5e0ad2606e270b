//! Extract Subclass: members that only some objects use go to a subclass, which those objects become.
//!
//! ```python
//! class Job:                           class Job:
//!     def price(self): ...                 def price(self): ...
//!     def wage(self): ...
//!                                  →   class LaborJob(Job):
//!                                          def wage(self): ...
//!
//! job = Job(3)                         job = LaborJob(3)
//! print(job.wage())                    print(job.wage())
//! ```

mod construction_sites;

use std::collections::BTreeSet;

use super::push_down::check_private;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::class_identity::{check_line, check_named, wondering};
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind, receiver, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::field_initialization::check_value;
use crate::refactor::analysis::fields::listing;
use crate::refactor::analysis::imports::statements::with_links;
use crate::refactor::analysis::members::{
    Destination, MemberDeclarations, body, check_outermost, check_unused, listed,
};
use crate::refactor::analysis::references::{InFile, Use as ClassUse, UseKind as Use, Uses};
use crate::refactor::analysis::sibling_declarations::{SiblingReplacement, behind, listed_beside};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::Span;
use construction_sites::Making;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What goes down.
struct Moved<'c> {
    class: Class<'c>,
    groups: Vec<MemberDeclarations<'c>>,
    /// Where it stands.
    spans: Vec<Span>,
    /// Where it asks its own object for something.
    asked: BTreeSet<Span>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    let name = request.params.text("name");
    check_unused(&code, name).noted()?;
    check_outermost(&class).noted()?;
    let moved = Moved::of(
        class,
        listed(class, (request.params.needed_list("members")?, Destination::Elsewhere), |_, _| false)?,
    );
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let above = check_line(&kin, &class).await?;
    let along: Vec<&str> = moved.groups.iter().map(|group| group.name).collect();
    for group in &moved.groups {
        check_group(group, &along).noted()?;
        if let Some(other) = above.iter().find(|it| it.class().has(group.name)) {
            return Err(group.refuse(format!("`{}` has a `{}`, too", other.class().name(), group.name)));
        }
    }
    let uses = Uses::of(session, &code, class.name.start()).await?;
    check_named(&uses, class.name()).noted()?;
    let mut edits = Edits::default();
    let mut making = Making::new(session, &uses);
    for (name, offset) in moved.names() {
        moved.follow(name, &Uses::of(session, &code, offset).await?, &mut making).await?;
    }
    moved.check_made(&making).noted()?;
    with_links(session, code.family(), &code.path, |links| {
        let beside = SiblingReplacement { links, home: &code, uses: &uses, class: class.name(), name };
        for file in uses.files.values() {
            let gone = making.chosen_in(&file.code.path);
            let chosen = file.uses.iter().filter(|one| gone.contains(&one.span));
            edits.add(&file.code, chosen.map(|one| beside.instead(&file.code, one)).collect::<Result<Vec<_>, _>>()?);
            if file.code.path != code.path && !gone.is_empty() {
                beside.check_free(&file.code).noted()?;
                edits.add(&file.code, beside.imports(file, &gone)?);
            }
        }
        let is_chosen = |code: &Code, one: &ClassUse| making.chosen_in(&code.path).contains(&one.span);
        let is_bare = |file: &InFile, one: &ClassUse| is_chosen(&file.code, one) && one.member(&file.code).is_none();
        let imports_it = |file: &InFile| file.uses.iter().any(|one| is_bare(file, one));
        for (code, own) in beside.hand_on(&is_chosen, &imports_it)? {
            edits.add(code, own);
        }
        Ok(())
    })?;
    let gone: Vec<Member<'_>> = moved.groups.iter().flat_map(MemberDeclarations::declared).collect();
    edits.add(&code, class.without(&gone)?);
    edits.add(&code, [behind(&code, class.statement(), &moved.written(name)?)]);
    edits.add(&code, listed_beside(&code, class.statement(), name));
    edits.warn(making.warnings);
    edits.warn(moved.doubts(session, name));
    edits.plan()
}

/// Refuses members that would be something else in the subclass.
fn check_group(group: &MemberDeclarations<'_>, along: &[&str]) -> Result<(), Refusal> {
    let is_field = group.members.iter().any(|member| member.kind != MemberKind::Method);
    group.check_kind(if is_field { MemberKind::Field } else { MemberKind::Method }, "it stays with that")?;
    group.check_bound()?;
    group.check_order(&group.class, None)?;
    check_private(group, along)?;
    let mut marks = group.members.iter().flat_map(Member::decorators);
    if let Some(mark) = marks.find(|mark| mark.text(group.code().text()) == "@classmethod") {
        return Err(group.code().refuse(mark.start(), "the class that it is called with would be another one"));
    }
    if is_field { check_value(group) } else { Ok(()) }
}

/// Tells whether an object is that of the method around.
fn is_receiver(code: &Code, object: Node<'_>) -> bool {
    let method = std::iter::successors(function_of(object), |outer| function_of(*outer)).last();
    let is_in_class = Class::around(code, object).is_some();
    is_in_class && method.and_then(|method| receiver(code, method)) == Some(object.text(code.text()))
}

impl<'c> Moved<'c> {
    fn of(class: Class<'c>, groups: Vec<MemberDeclarations<'c>>) -> Self {
        let spans: Vec<Span> =
            groups.iter().flat_map(MemberDeclarations::declared).map(|member| member.node.span()).collect();
        let members = groups.iter().flat_map(MemberDeclarations::declared);
        let asked = members.flat_map(|member| usage(class.code, member.node).members).map(|node| node.span()).collect();
        Self { class, groups, spans, asked }
    }

    fn holds(&self, code: &Code, span: Span) -> bool {
        code.path == self.class.code.path && self.spans.iter().any(|moved| moved.contains(span))
    }

    /// Returns what is looked for, each with a place: what moves, and the fields that only what moves sets.
    fn names(&self) -> Vec<(&'c str, usize)> {
        let code = self.class.code;
        let mut found: Vec<(&str, usize)> = self.groups.iter().map(|group| (group.name, group.start())).collect();
        for member in self.class.members().iter().filter(|it| it.kind == MemberKind::Assigned) {
            let name = member.name.text(code.text());
            let all = self.class.members_named(name);
            let is_known = found.iter().any(|(known, _)| *known == name);
            if !is_known && all.iter().all(|it| self.holds(code, it.node.span())) {
                found.push((name, member.name.start()));
            }
        }
        found
    }

    /// Finds the objects that everybody uses a member of.
    async fn follow(&self, name: &str, uses: &Uses, making: &mut Making<'_>) -> Result<(), Refusal> {
        making.look(uses).await?;
        for (code, one) in uses.iter() {
            let is_own = self.holds(code, one.span);
            let object = one.member(code).and_then(|member| member.child("object"));
            let is_self = is_own && (object.is_none() || self.asked.contains(&one.span));
            if is_self {
                continue;
            }
            let is_plain = matches!(one.kind, Use::Read | Use::Call | Use::Write | Use::Update);
            let Some(object) = object.filter(|_| is_plain) else {
                let said = one.kind.said();
                return Err(code.refuse(one.span.start, format!("`{name}` is {said} here, not used by an object")));
            };
            if is_receiver(code, object) {
                let reason = format!("`{name}` is asked of the own object here, which need not be of the new class");
                return Err(code.refuse(one.span.start, reason));
            }
            making.choose(code, object).await?;
        }
        Ok(())
    }

    /// Refuses where no object would be of the subclass, or one before there is such a class.
    fn check_made(&self, making: &Making<'_>) -> Result<(), Refusal> {
        let code = self.class.code;
        let chosen = making.chosen_in(&code.path);
        if making.is_idle() {
            let reason = "no object in sight uses what would go down: none would be of the new class";
            return Err(code.refuse(self.class.name.start(), reason));
        }
        match chosen.iter().find(|span| self.class.node.span().contains(**span)) {
            Some(span) => {
                Err(code.refuse(span.start, "an object that would be of the new class is made in the old one"))
            }
            None => Ok(()),
        }
    }

    fn written(&self, name: &str) -> Result<String, Refusal> {
        let (code, base) = (self.class.code, self.class.name());
        let step = crate::refactor::analysis::indentation::Layout::of(code).step().to_owned();
        let body = body(&self.groups, code, |group| group.kept(&step))?;
        let end = code.newline();
        Ok(match code.family() {
            Family::Python => format!("class {name}({base}):{end}{}", body.trim_end()),
            _ => format!("class {name} extends {base} {{{end}{body}}}"),
        })
    }

    /// Tells what only a check or a run of the program shows.
    fn doubts(&self, session: &Session, name: &str) -> Vec<Warning> {
        let mut found = wondering(session, &self.class, name);
        if self.class.code.family() == Family::Script {
            let doubt = format!("code that takes a `{}` may need what moved down", self.class.name());
            found.push(Warning::of_plan(WarningKind::Unproven, doubt));
            let is_kept = |group: &&MemberDeclarations<'_>| group.is_all(MemberKind::Field);
            if let Some(group) = self.groups.iter().find(is_kept) {
                let said = |word: &str| format!("what `{word}` lists has no `{}` but of a `{name}`", group.name);
                found.extend(listing(session, &self.class, said));
            }
        }
        found
    }
}
