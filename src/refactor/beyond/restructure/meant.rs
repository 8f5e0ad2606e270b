//! Which code of a form is meant: its names mean what they mean in the target's file, and what stands in its holes is of the
//! classes that are asked for.

use std::collections::BTreeSet;

use super::goal::Goal;
use crate::lsp::Place;
use crate::plan::WarningKind;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, class_of_own, given_class};
use crate::refactor::analysis::imports::required::{self, home};
use crate::refactor::request::Request;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{CodePattern, Occurrence, is_any_function, whole_words};
use crate::text::{AbsPath, Span};

/// The form that code is to have.
pub(crate) struct Form<'a> {
    session: &'a Session,
    kin: &'a ClassHierarchy<'a>,
    /// The target's file, in which names mean what they say.
    pub home: &'a Code,
    pub written: String,
    pub pattern: CodePattern,
    /// Classes that what stands in holes is to be of, by the holes' names.
    pub types: Vec<(String, LocatedClass)>,
}

/// What becomes of code that has the form.
pub(crate) enum Verdict {
    Meant,
    /// The goal comes from it.
    Itself,
    /// It is something else that is written alike.
    Other,
    /// It stays, and is told with the reason.
    Left(WarningKind, String),
}

/// What is of a class of the language.
const LITERALS: &[&str] = &[
    "array",
    "concatenated_string",
    "dictionary",
    "false",
    "float",
    "integer",
    "list",
    "none",
    "null",
    "number",
    "object",
    "set",
    "string",
    "template_string",
    "true",
    "tuple",
];

impl<'a> Form<'a> {
    pub(crate) async fn read(
        (session, kin): (&'a Session, &'a ClassHierarchy<'a>),
        home: &'a Code,
        request: &Request,
    ) -> Result<Self, Refusal> {
        let written = request.params.needed("pattern")?.trim().to_owned();
        let mut form = Self::new((session, kin), home, written)?;
        let (pattern, written) = (&form.pattern, &form.written);
        let refuse = |why: &str| Refusal::NotPossible(format!("the pattern `{written}` {why}"));
        if pattern.holes().is_empty() && written.chars().all(|it| it.is_alphanumeric() || it == '_') {
            return Err(refuse("is a name: `rename` changes what a name means"));
        }
        let mut types = Vec::new();
        for asked in request.params.list("types") {
            let parted = asked.split_once('=').map(|(hole, class)| (hole.trim().trim_start_matches('$'), class.trim()));
            let (hole, class) = parted
                .filter(|(hole, _)| pattern.holes().iter().any(|it| it.name == *hole && !it.is_many))
                .ok_or_else(|| {
                    Refusal::NotPossible(format!("`{asked}` is no `HOLE=Class` for a hole of the pattern"))
                })?;
            types.push((hole.to_owned(), given_class(session, kin, home, class).await?));
        }
        form.types = types;
        Ok(form)
    }

    /// Reads a form whose holes may be anything.
    ///
    /// # Errors
    /// Refuses what is no form of the file's language.
    pub(crate) fn new(
        (session, kin): (&'a Session, &'a ClassHierarchy<'a>),
        home: &'a Code,
        written: String,
    ) -> Result<Self, Refusal> {
        let refuse = |why: &str| Refusal::NotPossible(format!("the pattern `{written}` {why}"));
        let pattern = CodePattern::read(home.parsed().tree.language(), &written).map_err(refuse)?;
        Ok(Self { session, kin, home, written, pattern, types: Vec::new() })
    }

    pub(super) async fn verdict(
        &self,
        (code, names): (&Code, &ScopedNames<'_>),
        one: &Occurrence,
        goal: &Goal,
    ) -> Result<Verdict, Refusal> {
        let holes: Vec<Span> = one.holes.values().flatten().copied().collect();
        let is_own = |name: &Name| {
            let binds = |it: Name| it.is_binding && one.span.contains(it.span);
            !holes.iter().any(|hole| hole.contains(name.span)) && !names.of_meaning(name.meaning).any(binds)
        };
        // What fills a hole again has no place of its own.
        let is_said = |name: &Name| name.span.of(code.text()).is_none_or(|text| self.says(text));
        for name in names.within(one.span).filter(is_own).filter(is_said) {
            if !self.is_same((code, names), name).await? {
                return Ok(Verdict::Other);
            }
        }
        for (hole, class) in &self.types {
            let Some(Some(span)) = one.holes.get(hole) else { continue };
            match self.is_of((code, names), *span, class).await? {
                Some(true) => {}
                Some(false) => return Ok(Verdict::Other),
                None => {
                    let reason =
                        format!("nobody knows whether what stands for `${hole}` is of `{}`", class.class().name());
                    return Ok(Verdict::Left(WarningKind::PossibleUse, reason));
                }
            }
        }
        let around = code.covering(one.span).ancestors();
        let named = around.into_iter().filter(|it| is_any_function(*it)).filter_map(|it| it.child("name"));
        let own = named.map(|it| it.text(code.text())).find(|name| goal.says(name));
        if let Some(own) = own {
            return Ok(Verdict::Left(WarningKind::FollowUp, format!("it stands in `{own}`, which the goal asks for")));
        }
        goal.check_effects(code, names, one)?;
        Ok(Verdict::Meant)
    }

    /// Tells whether the form says a name itself.
    fn says(&self, name: &str) -> bool {
        let is_hole = |at: usize| self.pattern.holes().iter().any(|it| it.span.start <= at && at < it.span.end);
        whole_words(&self.written, name).iter().any(|it| !is_hole(it.start))
    }

    /// Tells whether a name means what it means at the top of the target's file.
    pub(super) async fn is_same(&self, (code, names): (&Code, &ScopedNames<'_>), name: Name) -> Result<bool, Refusal> {
        let Some(text) = name.span.of(code.text()) else { return Ok(false) };
        // The object itself, which is a parameter in Python.
        if matches!(text, "self" | "cls") {
            return Ok(true);
        }
        let top = |code: &Code, names: &ScopedNames<'_>| {
            names.named(text).find(|it| it.is_binding && home(code, *it).is_none())
        };
        let own = names.of_meaning(name.meaning).find(|it| it.is_binding && home(code, *it).is_none());
        if code.path == self.home.path {
            return Ok(name.is_free || own.is_some());
        }
        let theirs = ScopedNames::of(self.home);
        let (Some(theirs_top), Some(own)) = (top(self.home, &theirs), own) else {
            // What the target's file does not bind is built in, or a module that others import.
            return Ok(top(self.home, &theirs).is_none() && (name.is_free || own.is_some()));
        };
        if required::imports(self.session, code, own, self.home)
            || required::are_alike((self.home, &theirs, theirs_top), (code, names, own))
        {
            return Ok(true);
        }
        let (here, there) = (self.defined(code, name.span).await?, self.defined(self.home, theirs_top.span).await?);
        Ok(!here.is_empty() && here == there)
    }

    async fn defined(&self, code: &Code, span: Span) -> Result<BTreeSet<(AbsPath, usize)>, Refusal> {
        let place = Place { path: code.path.clone(), offset: span.start };
        let found = self.kin.definition(&place).await?;
        Ok(found.into_iter().map(|it| (it.path, it.span.start)).collect())
    }

    /// Tells whether an object is of a class or of one below it; nothing where nobody can tell.
    async fn is_of(
        &self,
        (code, names): (&Code, &ScopedNames<'_>),
        span: Span,
        wanted: &LocatedClass,
    ) -> Result<Option<bool>, Refusal> {
        let object = code.covering(span);
        let found = match class_of_own(code, names, object).and_then(|it| Class::of(code, it)) {
            Some(class) => vec![self.kin.itself(&class)?],
            None if object.is_any(LITERALS) || self.kin.names_class(code, object).await? => return Ok(Some(false)),
            None => self.kin.classes_of(code, object).await?,
        };
        let (mut yes, mut no) = (0, 0);
        for class in &found {
            let mut above = self.kin.ancestors(&class.class()).await?.0;
            above.push(class.clone());
            let is_it = above.iter().any(|it| it.place() == wanted.place());
            *(if is_it { &mut yes } else { &mut no }) += 1;
        }
        Ok(match (yes, no) {
            (0, 0) => None,
            (_, 0) => Some(true),
            (0, _) => Some(false),
            _ => None,
        })
    }
}
