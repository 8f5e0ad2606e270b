//! The places that mention a name and that no server tells the meaning of.

use std::collections::{BTreeMap, BTreeSet};

use super::{Use, UseKind, Uses, kinds};
use crate::lsp::{Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::documents::{is_history, is_prose};
use crate::refactor::doubts::{doubt, untyped};
use crate::refactor::refusal::{both, each};
use crate::refactor::rename::{Conflicts, RenameRequest};
use crate::refactor::source_file::Code;
use crate::refactor::{Refusal, rename};
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Site, is_any_function, site, whole_words};
use crate::text::{AbsPath, Span};

/// More places of other things than this are not asked about one by one.
const MOST: usize = 400;

impl Uses {
    /// Refuses where a member of an object of unknown type could be this one, and returns a warning for each
    /// string that spells the name.
    pub(crate) async fn certain(&self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        self.certain_of(session, |_| true).await
    }

    /// Tells the examples of Python that use it, those apart that go with a stretch of a file.
    pub(crate) fn in_examples(
        &self,
        session: &Session,
        gone: Option<(&AbsPath, Span)>,
    ) -> Result<Vec<Warning>, Refusal> {
        let is_python = self.iter().any(|(code, _)| code.family() == Family::Python);
        if is_python { rename::told_in_examples(session, &self.name, gone) } else { Ok(Vec::new()) }
    }

    /// Tells the examples that use it, and the documents in which it is called; they are not changed.
    pub(crate) fn in_documents(&self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        let mut warnings = self.in_examples(session, None)?;
        for path in session.disk().files_mentioning(&self.name) {
            let is_told = warnings.iter().any(|it| it.path.as_ref() == Some(&path));
            if is_told || !is_prose(&path) || is_history(&path) {
                continue;
            }
            let text = session.disk().read(&path)?;
            let mut spans = whole_words(text.as_str(), &self.name);
            spans.retain(|span| text.as_str()[span.end..].starts_with('('));
            if !spans.is_empty() {
                let message = format!("`{}` is called in this document, which is not changed", self.name);
                warnings.push(Warning::at_lines(WarningKind::Mentioned, message, path, (&text, &spans)));
            }
        }
        Ok(warnings)
    }

    /// As [`Self::certain`], where only some of the things matter that can be done with it.
    pub(crate) async fn certain_of(
        &self,
        session: &Session,
        matters: impl Fn(UseKind) -> bool,
    ) -> Result<Vec<Warning>, Refusal> {
        let (mut open, mut warnings) = (Vec::new(), Vec::new());
        let is_field = self.iter().any(|(_, one)| one.kind == UseKind::Write);
        let may_be_member = self.may_be_member();
        for path in self.mentioning(session) {
            let code = Code::saying(session, &path, &[self.name.as_str()])?;
            for span in self.others(&code) {
                match site(&code.parsed().tree, code.text(), span) {
                    Site::String if is_whole(&code, span) => warnings.push(self.spelled(&code, span)),
                    // As in `update(size=3)`, which sets what its arguments are called.
                    Site::KeywordArgument if is_field && !is_open(&code, span) => {
                        warnings.push(self.spelled(&code, span));
                    }
                    _ if may_be_member && is_open(&code, span) && matters(kinds::kind(&code, span)) => {
                        open.push((path.clone(), span));
                    }
                    _ => {}
                }
            }
        }
        let used = |Location { path, span }: &Location| {
            let reason = format!("the module is `{}`, and is used here without a name", self.name);
            doubt(&Code::read(session, path)?, *span, reason)
        };
        warnings.extend(each(self.unnamed.iter().map(used))?);
        self.leave_out_known(session, &mut open)?;
        let asked = both(self.unseen(session).await, self.ask(session, open).await);
        let ((unseen, asked), taken) = both(asked, self.by_package_name(session))?;
        warnings.extend(unseen.into_iter().chain(asked).chain(taken));
        warnings.extend(self.at_run_time(session).await);
        Ok(warnings)
    }

    /// Tells where objects of Python are asked for members of any name, and a method may be one of them: what a rename of it
    /// tells. Where it cannot be renamed, there is nothing to tell.
    async fn at_run_time(&self, session: &Session) -> Vec<Warning> {
        let is_method = |(code, one): &(&Code, &Use)| {
            let declaration = one.node(code).parent().filter(|_| one.kind == UseKind::Definition);
            declaration
                .is_some_and(|it| is_any_function(it) && it.ancestors().any(|outer| outer.is("class_definition")))
        };
        let Some((code, one)) = self.iter().find(is_method) else { return Vec::new() };
        let place = Place { path: code.path.clone(), offset: one.span.start };
        let request =
            RenameRequest { conflicts: Conflicts::Force, ..RenameRequest::new(place, format!("{}_", self.name)) };
        let warnings = rename::plan(session, &request).await.map(|plan| plan.warnings().to_vec()).unwrap_or_default();
        warnings.into_iter().filter(|warning| warning.kind == WarningKind::RunTime).collect()
    }

    /// Refuses a function, or a class, that a program may find by a name that it puts together.
    async fn unseen(&self, session: &Session) -> Result<Option<Warning>, Refusal> {
        let declares = |(code, one): &(&Code, &Use)| {
            let declaration = one.node(code).parent().filter(|_| one.kind == UseKind::Definition);
            declaration.is_some_and(|it| it.is("class_definition") || is_any_function(it))
        };
        let Some((code, one)) = self.iter().find(declares) else { return Ok(None) };
        let unseen = match code.family() {
            Family::Python => rename::called_unseen(session, &self.name).await?,
            _ => rename::called_by_part(session, &self.name),
        };
        unseen.map(|unseen| doubt(code, one.span, format!("it {unseen}"))).transpose()
    }

    /// Refuses where an example takes the name from its own package, and no file is known that is meant.
    fn by_package_name(&self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        let is_script = self.iter().any(|(code, _)| code.family() == Family::Script);
        if !is_script || !self.iter().any(|(_, one)| one.kind == UseKind::Definition) {
            return Ok(Vec::new());
        }
        let mut unknown = Vec::new();
        for (path, span) in rename::untold_by_package_name(session, &self.name)? {
            let reason = format!("`{}` is taken from the own package here, and no file is known for it", self.name);
            unknown.push(doubt(&Code::read(session, &path)?, span, reason));
        }
        each(unknown)
    }

    /// Returns the places that nobody can tell: members of objects of unknown type that bear the name. Files that do not
    /// parse are looked into as far as they do.
    pub(crate) async fn possible(&self, session: &Session) -> Result<Vec<(AbsPath, Span)>, Refusal> {
        let mut open = Vec::new();
        let files = if self.may_be_member() { self.mentioning(session) } else { Vec::new() };
        for path in files {
            let code = Code::known(session, &path)?;
            let others = self.others(&code).into_iter().filter(|span| is_open(&code, *span));
            open.extend(others.map(|span| (path.clone(), span)));
        }
        self.leave_out_known(session, &mut open)?;
        self.untold(session, open).await
    }

    /// Leaves out what cannot be something at the top of a module of Python that nobody has as an object.
    fn leave_out_known(&self, session: &Session, open: &mut Vec<(AbsPath, Span)>) -> Result<(), Refusal> {
        let is_held = |(code, one): (&Code, &Use)| {
            let node = one.node(code);
            one.kind == UseKind::Read && node.parent().is_some_and(|it| self.names_so(code, it, node))
        };
        if open.is_empty() || self.iter().any(is_held) {
            return Ok(());
        }
        let mut places: BTreeMap<&AbsPath, Vec<Span>> = BTreeMap::new();
        for (code, one) in self.iter().filter(|(code, _)| code.family() == Family::Python) {
            places.entry(&code.path).or_default().push(one.span);
        }
        if !rename::is_no_member(session, Family::Python, &places) {
            return Ok(());
        }
        let mut kept = Vec::new();
        for (path, span) in std::mem::take(open) {
            let code = Code::known(session, &path)?;
            // What a file imports may be the module, found or not.
            let is_imported = rename::asks_import(&code.parsed().tree, code.text(), span);
            kept.extend(is_imported.then_some((path, span)));
        }
        *open = kept;
        Ok(())
    }

    /// Tells whether objects may have it under its name: a script's function, class or variable that is exported by default at
    /// most is in no object, unless somebody puts it there.
    fn may_be_member(&self) -> bool {
        let is_bare = |(code, one): (&Code, &Use)| {
            let node = one.node(code);
            let outer = node.parent();
            match one.kind {
                UseKind::Definition => code.family() == Family::Script && outer.is_some_and(|it| is_kept(it)),
                UseKind::Import | UseKind::Call | UseKind::New | UseKind::Base | UseKind::Type => true,
                UseKind::Read => !outer.is_some_and(|it| self.names_so(code, it, node)),
                _ => false,
            }
        };
        !self.iter().all(is_bare)
    }

    /// Tells whether what holds a value gives it the name of the declaration: `{ name: name }`, `object.name = name`.
    fn names_so(&self, code: &Code, outer: Node<'_>, value: Node<'_>) -> bool {
        let holders = ["left", "key", "name"].into_iter().filter_map(|field| outer.child(field));
        holders.filter(|it| *it != value).any(|it| code.mentions(it, &self.name) || it.is("string"))
    }

    /// Returns the places of the name in a file that were not found to mean this declaration.
    pub(super) fn others(&self, code: &Code) -> Vec<Span> {
        let known: BTreeSet<Span> =
            self.files.get(&code.path).into_iter().flat_map(|file| file.uses.iter().map(|one| one.span)).collect();
        let all = whole_words(code.text(), &self.name).into_iter();
        all.filter(|span| !known.contains(span)).collect()
    }

    fn spelled(&self, code: &Code, span: Span) -> Warning {
        let message = format!("`{}` occurs here and is not changed", self.name);
        Warning::at(WarningKind::Mentioned, message, code.path.clone(), code.parsed().text.range(span))
    }

    /// Asks what each place means, and refuses those that nobody can tell.
    async fn ask(&self, session: &Session, open: Vec<(AbsPath, Span)>) -> Result<Vec<Warning>, Refusal> {
        if open.len() > MOST {
            let message = format!("`{}` stands in {} other places: too many to ask about each", self.name, open.len());
            return Err(Refusal::NotPossible(message));
        }
        let mut unknown = Vec::new();
        for (path, span) in self.untold(session, open).await? {
            let reason = format!("this `{}` may be another one: no type is known here", self.name);
            let code = Code::read(session, &path)?;
            unknown.push(match kinds::kind(&code, span) {
                UseKind::Call => untyped(&code, span, reason),
                _ => doubt(&code, span, reason),
            });
        }
        each(unknown)
    }

    /// Returns those of the places whose meaning no server tells, or that it tells to be this declaration.
    async fn untold(&self, session: &Session, mut open: Vec<(AbsPath, Span)>) -> Result<Vec<(AbsPath, Span)>, Refusal> {
        open.retain(|place| !self.others.contains(place));
        let _turn = session.shared().await;
        let places: Vec<Place> =
            open.iter().map(|(path, span)| Place { path: path.clone(), offset: span.start }).collect();
        let meanings = rename::meanings(&self.server, &self.name, places).await?;
        let is_untold = |leads: &[Location]| leads.is_empty() || leads.iter().any(|location| self.has(location));
        Ok(open.into_iter().zip(meanings).filter(|(_, leads)| is_untold(leads)).map(|(place, _)| place).collect())
    }

    /// Returns the files that mention the name and that the server reads.
    pub(super) fn mentioning(&self, session: &Session) -> Vec<AbsPath> {
        let mut files = session.disk().files_mentioning(&self.name);
        files.retain(|path| Language::of_path(path).is_some() && self.server.spec().speaks_of(path));
        files
    }

    /// Tells whether it is declared where an answer leads.
    pub(super) fn has(&self, location: &Location) -> bool {
        let file = self.files.get(&location.path);
        file.is_some_and(|file| {
            let is_here = |one: &&super::Use| one.span == location.span;
            file.uses.iter().find(is_here).is_some_and(|one| matches!(one.kind, UseKind::Definition | UseKind::Write))
        })
    }
}

/// Tells whether a script declares something for itself, or as what it exports by default.
fn is_kept(declaration: Node<'_>) -> bool {
    const DECLARED: &[&str] = &[
        "abstract_class_declaration",
        "class_declaration",
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "variable_declarator",
    ];
    let holds = |it: &Node<'_>| it.is_any(&["internal_module", "module", "ambient_declaration", "class_body"]);
    let export = declaration.ancestors().find(|it| it.is("export_statement"));
    let is_default = |it: Node<'_>| it.children().any(|child| child.kind() == "default");
    declaration.is_any(DECLARED) && !declaration.ancestors().any(|it| holds(&it)) && export.is_none_or(is_default)
}

/// Tells whether what stands at a span takes its meaning from the type of an object.
fn is_open(code: &Code, span: Span) -> bool {
    let node = code.covering(span);
    let is_in = |kinds: &[&str]| node.parent().is_some_and(|outer| outer.is_any(kinds));
    let (tree, text) = (&code.parsed().tree, code.text());
    match site(tree, text, span) {
        Site::Member | Site::ShorthandPattern => {
            !is_in(&["jsx_attribute", "meta_property"]) && !rename::is_module_path(tree, text, span)
        }
        Site::KeywordArgument => is_in(&["keyword_pattern"]),
        Site::Declaration(_) => node.field() == Some("attribute"),
        _ => false,
    }
}

/// Tells whether a string holds nothing but what stands at a span.
fn is_whole(code: &Code, span: Span) -> bool {
    let node = code.covering(span);
    let inner = if node.is_any(&["string_content", "string_fragment"]) { node.span() } else { span };
    inner == span && code.text()[..span.start].ends_with(['"', '\'', '`'])
}
