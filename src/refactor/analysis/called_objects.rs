//! Calls of objects of Python: `scorer(1)`, where the class of `scorer` has a `__call__`. No server leads from the one to the other.

use std::collections::BTreeSet;

use super::classes::{Class, ClassHierarchy, LocatedClass};
use super::inferred_types::shown_type;
use super::probed_types::{ProbeSide, Question, probed};
use crate::lsp::{Feature, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::doubts::in_doubt;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class, statement_of};
use crate::session::{Session, SessionError};
use crate::syntax::python::decorators;
use crate::syntax::{Language, Node, is_any_function};
use crate::text::{AbsPath, Span};
use crate::workspace::ReadError;

/// What objects are called by.
pub(crate) const CALL: &str = "__call__";

/// More calls than this are not asked about.
const MOST: usize = 500;

/// What is called, in its file.
type Callee = (AbsPath, Span);

/// Finds the calls of objects of some classes, and tells of those whose objects are of no known type.
pub(crate) async fn found(
    session: &Session,
    (home, classes): (&Code, &[Class<'_>]),
) -> Result<(Vec<Callee>, Vec<Warning>), Refusal> {
    let (files, unreadable) = files(session)?;
    let variables: BTreeSet<String> = files.iter().flat_map(variables).collect();
    let open: Vec<(&Code, Node<'_>)> = files.iter().flat_map(|code| open(code, &variables)).collect();
    if open.len() > MOST {
        let reason = format!(
            "{} calls of variables are more than are asked about: which of them call an object of the class is not known",
            open.len()
        );
        in_doubt(home, classes[0].name.span(), &reason)?;
    }
    let kin = ClassHierarchy::new(session, Language::Python).await?;
    let mut own = BTreeSet::new();
    let mut names = Vec::new();
    for class in classes {
        for one in kin.heirs(class).await?.into_iter().chain([kin.itself(class)?]) {
            names.push(one.class().name().to_owned());
            own.insert(one.place());
        }
    }
    let mut warnings = left_out(session, &unreadable, &names)?;
    let server = session.server(Language::Python, Feature::References).await?;
    session.cover(&server, &files.iter().map(|it| it.path.clone()).collect::<Vec<_>>()).await?;
    let mut found = Vec::new();
    for code in &files {
        let mut untyped = Vec::new();
        for (_, callee) in open.iter().take(MOST).filter(|(other, _)| other.path == code.path) {
            match called(session, &kin, (code, *callee), (&own, &names)).await? {
                Called::Own => found.push((code.path.clone(), name_of(*callee).unwrap_or(*callee).span())),
                Called::Unknown => untyped.push(callee.span()),
                Called::Other => {}
            }
        }
        if !untyped.is_empty() {
            let message = format!(
                "what is called here is of no known type: it may be a `{}`, and the call stays",
                classes[0].name()
            );
            let range = (&*code.parsed().text, untyped.as_slice());
            warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, code.path.clone(), range));
        }
    }
    Ok((found, warnings))
}

/// What a call calls.
enum Called {
    Own,
    Other,
    Unknown,
}

async fn called(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    (code, callee): (&Code, Node<'_>),
    (own, names): (&BTreeSet<Place>, &[String]),
) -> Result<Called, Refusal> {
    // What is taken out of a list is no list.
    let classes = if callee.is("subscript") { Vec::new() } else { kin.classes_of(code, callee).await? };
    let is_own = |it: &LocatedClass| own.contains(&it.place());
    let Some(name) = name_of(callee) else {
        if !classes.is_empty() {
            return Ok(if classes.iter().any(is_own) { Called::Own } else { Called::Other });
        }
        let Some(statement) = statement_of(callee) else { return Ok(Called::Unknown) };
        let question = Question { statement, side: ProbeSide::Before, expression: callee.text(code.text()) };
        return Ok(match probed(session, code, &[question]).await.pop().flatten() {
            None => Called::Unknown,
            Some(known) if known == "Any" => Called::Unknown,
            Some(known) if known.split([' ', '|', '[', ']', ',']).any(|word| names.iter().any(|it| it == word)) => {
                Called::Own
            }
            Some(_) => Called::Other,
        });
    };
    // The name of a class makes an object, and calls none.
    let place = Place { path: code.path.clone(), offset: name.start() };
    if kin.declared(&place).await?.is_some() {
        return Ok(Called::Other);
    }
    if !classes.is_empty() {
        return Ok(if classes.iter().any(is_own) { Called::Own } else { Called::Other });
    }
    let server = session.server(Language::Python, Feature::References).await?;
    let shown = {
        let _turn = session.shared().await;
        server.hover(&place).await.map_err(SessionError::from)?.unwrap_or_default()
    };
    let is_value = ["(variable)", "(parameter)", "(property)", "(constant)"].iter().any(|kind| shown.contains(kind));
    let known = shown_type(&shown, name.text(code.text()));
    Ok(if is_value && known.is_none_or(|it| it == "Any") { Called::Unknown } else { Called::Other })
}

/// Reads the files of Python, those left out that are not UTF-8.
fn files(session: &Session) -> Result<(Vec<Code>, Vec<AbsPath>), Refusal> {
    let files = session.disk().files();
    let (mut read, mut unreadable) = (Vec::new(), Vec::new());
    for path in files.iter().map(|entry| &entry.path).filter(|path| path.extension() == "py") {
        match session.disk().read_named(path) {
            Err(ReadError::NotUtf8 { .. }) => unreadable.push(path.clone()),
            _ => read.push(Code::known(session, path)?),
        }
    }
    Ok((read, unreadable))
}

/// Tells of files that cannot be read, and refuses where one of them names a class.
fn left_out(session: &Session, files: &[AbsPath], names: &[String]) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for path in files {
        if names.iter().any(|name| session.disk().files_mentioning(name).contains(path)) {
            session.disk().read_named(path)?;
        }
        let message = format!("`{}` is not UTF-8: its calls are left as they are", path.shown_from(session.root()));
        warnings.push(Warning::at(WarningKind::Unreadable, message, path.clone(), None));
    }
    Ok(warnings)
}

/// Returns the calls in a file of what may hold an object, each by what it calls.
fn open<'c>(code: &'c Code, variables: &BTreeSet<String>) -> Vec<(&'c Code, Node<'c>)> {
    let callees = code.root().descendants().filter(|it| it.is("call")).filter_map(|it| it.child("function"));
    let may_be = |callee: &Node<'c>| match name_of(*callee) {
        Some(name) => variables.contains(name.text(code.text())) && !matches!(name.text(code.text()), "self" | "cls"),
        None => callee.is_any(&["call", "subscript"]),
    };
    callees.filter(may_be).map(|callee| (code, callee)).collect()
}

fn name_of(callee: Node<'_>) -> Option<Node<'_>> {
    match callee.kind() {
        "identifier" => Some(callee),
        "attribute" => callee.child("attribute"),
        _ => None,
    }
}

/// Returns the names that a file gives to values: what it declares as a function or a class holds no object, a property does.
fn variables(code: &Code) -> Vec<String> {
    let text = code.text();
    let names = ScopedNames::of(code);
    let is_value = |node: Node<'_>| {
        let holder = node.parent();
        let declares = holder.is_some_and(|it| (is_any_function(it) || is_class(it)) && it.child("name") == Some(node));
        let is_import = node.ancestors().any(|it| it.kind().starts_with("import"));
        let is_renamed = holder.is_some_and(|it| it.is("aliased_import"));
        let is_property = holder.is_some_and(|it| decorators(it).any(|mark| mark.text(text).contains("property")));
        if declares { is_property } else { !is_import || is_renamed }
    };
    let bound = names.within(code.root().span()).filter(|it| it.is_binding).map(|it| code.covering(it.span));
    let set = code.root().descendants().filter(|it| it.is("attribute")).filter(|it| {
        let mut around = it.ancestors().take_while(|outer| outer.kind().contains("pattern") || outer.is("assignment"));
        it.field() == Some("left") || around.any(|outer| outer.field() == Some("left"))
    });
    let fields = set.filter_map(|it| it.child("attribute"));
    bound.filter(|it| is_value(*it)).chain(fields).map(|it| it.text(text).to_owned()).collect()
}
