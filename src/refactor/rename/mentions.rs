//! The places that keep the old name, told rather than passed over.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::edited_spans::{overlaps_any, sorted};
use super::module_members;
use super::proximity::{Nearness, WeighedPlaces};
use super::server_edits::Asked;
use super::subject::Subject;
use super::unresolved_mentions::is_by_protocol;
use super::visibility::{Reach, is_property};
use super::{Aliases, compared_data, examples, jsdoc, possible_uses, vendored};
use crate::plan::{Parts, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::Importers;
use crate::session::{Session, Sources};
use crate::syntax::{DeclarationKind, Family, Node, Site, is_any_function, site, whole_words};
use crate::text::{AbsPath, Span, TextEdit};
use crate::workspace::{Disk, gather};

/// Deeper than so many nodes, servers do not read on: pyright ends at 256, tsserver where its stack does.
const FATHOMED: usize = 250;
/// Calls that say something to a reader.
const TELLERS: [&str; 12] =
    ["print", "log", "debug", "info", "warn", "warning", "error", "exception", "fail", "describe", "it", "test"];
/// What stands before and behind an operand in code and in templates, and hardly in a sentence.
const BEFORE: [&str; 9] = ["=", "+", "!", "&&", "||", "{", "* ", "< ", "> "];
const BEHIND: [&str; 10] = ["=", "+", ";", "&&", "||", "}", "[", " * ", " < ", " > "];
/// What statements are made of.
const STATEMENTS: [&str; 8] = [");", "=>", "&&", "||", "if (", "if(", ") {", "){"];
/// So many warnings are read in whatever order.
const FEW: usize = 10;
/// What runs the text that it is given (ECMAScript, Node's `vm`).
const RUNNING: [&str; 5] = ["eval", "Function", "runInContext", "runInNewContext", "runInThisContext"];

/// Where a name stands, file by file.
pub(super) type Mentions = Vec<(AbsPath, Vec<Span>)>;

/// Finds every place where the name stands; of a name that cannot leave its file, those in that file. To be done while
/// a server looks for what it changes.
pub(super) async fn find(session: &Session, subject: &Subject) -> Mentions {
    let (disk, name) = (session.disk().clone(), subject.name.clone());
    let alone = subject.is_local().then(|| subject.place.path.clone());
    let read = move || places(&disk, alone.map_or_else(|| disk.files_mentioning(&name), |path| vec![path]), &name);
    tokio::task::spawn_blocking(read).await.unwrap_or_default()
}

fn places(disk: &Disk, files: Vec<AbsPath>, name: &str) -> Mentions {
    let of = |path: AbsPath| disk.read(&path).ok().map(|text| (path, whole_words(text.as_str(), name)));
    files.into_iter().filter_map(of).collect()
}

/// Finds what the text shows and no server changes: uses of values that no type is known of, then strings, comments,
/// documentation. A name that stands for itself elsewhere (another variable of that
/// name) is no mention, nor is the member of a value that the server knows to be of another type.
pub(super) async fn left(
    session: &Session,
    (subject, aliases): (&Subject, Aliases),
    parts: &Parts,
    (mut mentions, asked): (Mentions, Asked),
) -> Result<WeighedPlaces, Refusal> {
    let reach = Reach::of_plan(session, &subject.place.path, parts);
    if subject.is_local() && (reach != Reach::Function || parts.edits.len() > 1) {
        mentions = places(session.disk(), session.disk().files_mentioning(&subject.name), &subject.name);
    }
    let mut unknown = Vec::new();
    for (path, spans) in &mut mentions {
        leave_out(spans, parts.edits.get(path).map_or(&[], |(_, edits)| edits));
        spans.retain(|span| !asked.others.contains(&(path.clone(), *span)));
        unknown.push((
            path.clone(),
            spans.extract_if(.., |span| asked.unknown.contains(&(path.clone(), *span))).collect::<Vec<Span>>(),
        ));
    }
    mentions.retain(|(_, spans)| !spans.is_empty());
    let mut found = weighed(session, Sought { reach, ..Sought::of(subject) }, mentions).await;
    for (path, spans) in unknown.into_iter().filter(|(_, spans)| !spans.is_empty()) {
        let all = found.entry((Nearness::Use, path)).or_default();
        all.extend(spans);
        all.sort();
    }
    vendored::leave_out(session, parts, &mut found);
    module_members::leave_out(session, subject.language.family(), parts, &mut found);
    possible_uses::without_others(session, (subject, aliases), parts, found).await
}

/// Tells what was found: one warning for each file and kind; where files are many, those first that what is renamed comes to by
/// the fewest imports, for not all of them are shown.
pub(super) fn told(session: &Session, (subject, parts): (&Subject, &Parts), found: &WeighedPlaces) -> Vec<Warning> {
    let mut all: Vec<_> = found.iter().collect();
    if all.len() > FEW {
        let importers = Importers::of(session);
        let reached = importers.reached(parts.edits.keys());
        let distances: BTreeMap<&AbsPath, usize> = parts.edits.keys().chain(reached).zip(0..).collect();
        let distance = |path: &AbsPath| distances.get(path).copied().unwrap_or(usize::MAX);
        all.sort_by_cached_key(|((nearness, path), _)| (*nearness, distance(path)));
    }
    all.into_iter().filter_map(|one| warning(session, subject, one)).collect()
}

fn leave_out(spans: &mut Vec<Span>, edits: &[TextEdit]) {
    let edited = sorted(edits);
    spans.retain(|span| !overlaps_any(&edited, *span));
}

/// What is looked for in files that a plan leaves.
struct Sought {
    name: String,
    own: AbsPath,
    family: Family,
    /// All that is known of the language is what its server says.
    by_protocol: bool,
    reach: Reach,
    /// It is a member of a script's objects, and may be a key of what they are compared with.
    is_key: bool,
}

impl Sought {
    fn of(subject: &Subject) -> Self {
        let (name, own) = (subject.name.clone(), subject.place.path.clone());
        let family = subject.language.family();
        let is_key = family == Family::Script && is_member(subject);
        Self { name, own, family, by_protocol: is_by_protocol(family), reach: Reach::Anywhere, is_key }
    }

    /// Keeps the places that could mean the renamed thing, and tells what they are.
    fn weigh(&self, sources: &Sources, (path, spans): &(AbsPath, Vec<Span>)) -> Vec<(Nearness, Span)> {
        // Of what cannot leave its function only the names of arguments stand elsewhere.
        let is_beyond = self.reach != Reach::Anywhere && *path != self.own;
        if self.is_key && compared_data::is_compared_with(path) {
            return self.weigh_data(sources.disk(), (path, spans));
        }
        let Ok(Some(file)) = sources.parsed(path) else {
            return self.weigh_document(sources.disk(), (path, spans), is_beyond);
        };
        let (tree, text, family) = (&file.tree, file.text.as_str(), file.tree.language().family());
        let is_near = family == self.family;
        let nearness = if is_near { Nearness::Code } else { Nearness::Prose };
        let of = |span: Span| match site(tree, text, span) {
            Site::KeywordArgument if self.reach != Reach::Function => {
                Some(if is_near { Nearness::Use } else { nearness })
            }
            Site::Member if self.reach == Reach::Anywhere => Some(if is_near { Nearness::Use } else { nearness }),
            // `const { size } = unknown` asks for a member, too.
            Site::ShorthandPattern if self.reach == Reach::Anywhere && is_near => Some(Nearness::Use),
            // What a compiler writes (`../dist/index.js`) is often not there to be asked.
            Site::ImportSpecifier { module } | Site::ImportedName { module, .. }
                if is_near && family == Family::Script && !is_beyond && possible_uses::is_path(module, text) =>
            {
                Some(Nearness::Use)
            }
            Site::ImportSpecifier { module: Some(module) } | Site::ImportedName { module: Some(module), .. }
                if is_near && family == Family::Python && self.reach == Reach::Anywhere =>
            {
                may_be_module_of(&self.own, module.of(text).unwrap_or_default()).then_some(Nearness::Use)
            }
            Site::KeywordArgument | Site::Member => None,
            _ if is_beyond => None,
            Site::String if is_near && is_run_or_read(tree.nodes().covering(span), span, (text, self.is_key)) => {
                Some(Nearness::Spelled)
            }
            Site::String
                if is_near && self.reach != Reach::Function && spells_use(tree.nodes().covering(span), span, text) =>
            {
                Some(Nearness::Spelled)
            }
            // A parameter that is not renamed is documented there.
            Site::Comment if family == Family::Script && jsdoc::is_of_its_function(tree, text, span) => None,
            Site::String | Site::Comment => Some(nearness),
            _ if self.by_protocol && is_near => Some(Nearness::Use),
            _ if family == Family::Data || tree.nodes().covering(span).ancestors().count() > FATHOMED => Some(nearness),
            _ => None,
        };
        // A file that has changed since is not worth a thought: all is asked again.
        let still = spans.iter().filter(|span| span.of(text) == Some(&self.name));
        still.filter_map(|span| Some((of(*span)?, *span))).collect()
    }

    /// The same in what tests compare with.
    fn weigh_data(&self, disk: &Disk, (path, spans): (&AbsPath, &[Span])) -> Vec<(Nearness, Span)> {
        let Ok(text) = disk.read(path) else { return Vec::new() };
        let is_key =
            |span: &Span| span.of(text.as_str()) == Some(&self.name) && compared_data::is_key(text.as_str(), *span);
        let of = |span: &Span| if is_key(span) { Nearness::Compared } else { Nearness::Prose };
        spans.iter().map(|span| (of(span), *span)).collect()
    }

    /// The same in what is no code: prose, examples that tests run, and notebooks.
    fn weigh_document(
        &self,
        disk: &Disk,
        (path, spans): (&AbsPath, &[Span]),
        is_beyond: bool,
    ) -> Vec<(Nearness, Span)> {
        let (run, nearness) = match self.family {
            Family::Python if examples::is_notebook(path) => {
                (examples::in_cells(disk, path, &self.name, self.reach), Nearness::Cell)
            }
            Family::Python => (examples::uses(disk, path, &self.name, self.reach), Nearness::Example),
            _ => (Vec::new(), Nearness::Prose),
        };
        let of = |span: &Span| match () {
            () if run.contains(span) => Some(nearness),
            () => (!is_beyond).then_some(Nearness::Prose),
        };
        spans.iter().filter_map(|span| Some((of(span)?, *span))).collect()
    }
}

/// Tells whether a module may be a file of Python, or a package that it lies in, by its path: a server that does not find
/// the module does not say so.
fn may_be_module_of(file: &AbsPath, module: &str) -> bool {
    let named = format!("/{}", module.replace('.', "/"));
    let packages = file.as_path().with_extension("");
    module.starts_with('.')
        || packages.ancestors().any(|package| package.to_str().is_some_and(|it| it.ends_with(&named)))
}

/// Tells whether a member of an object is renamed, by where it was asked for.
pub(super) fn is_member(subject: &Subject) -> bool {
    let is_property =
        subject.site == Site::Declaration(DeclarationKind::Parameter) && is_property(&subject.file.tree, subject.span);
    is_property
        || matches!(
            subject.site,
            Site::Member
                | Site::ShorthandProperty
                | Site::ShorthandPattern
                | Site::Declaration(DeclarationKind::Property | DeclarationKind::Method)
        )
}

/// Tells whether a string spells a use of the name, as the code does that a program makes and the words by which an object
/// shows itself; what is only said to a reader (documentation, messages) is left aside.
fn spells_use(string: Node<'_>, name: Span, text: &str) -> bool {
    // What a test does is not what it is called: `it("…", () => { build("run()") })`.
    let mut around = string.ancestors().take_while(|outer| !is_any_function(*outer));
    (text[name.end..].starts_with('(')
        || spells_access(string, name, text)
        || shows_object(string, name, text)
        || shows_field(string, name, text))
        && !around.any(|outer| is_said(outer, text))
}

/// Tells whether a string of a script is code that it runs (`eval("total + 1")`), or data that is read into an object:
/// `JSON.parse('{"port": 1}')`.
fn is_run_or_read(string: Node<'_>, name: Span, (text, is_key): (&str, bool)) -> bool {
    let (before, after) = (&text[..name.start], &text[name.end..]);
    let quotes = ["\"", "\\\""];
    let is_json = is_key
        && quotes.iter().any(|quote| {
            let behind = after.strip_prefix(quote).map(|rest| rest.trim_start_matches(' '));
            before.ends_with(quote) && behind.is_some_and(|rest| rest.starts_with(':'))
        });
    let list = || string.ancestors().find(|outer| outer.is("arguments"))?.parent();
    let called = || list().and_then(|call| call.child("function").or_else(|| call.child("constructor")));
    is_json
        || called()
            .is_some_and(|function| RUNNING.contains(&function.text(text).rsplit('.').next().unwrap_or_default()))
}

/// Tells whether a string shows an object of a class, or the class, as Python itself does: `"<Order (3)>"`,
/// `"<shop.orders.Order object at 0x"`, `f"<class '{__name__}.Order'>"`.
fn shows_object(string: Node<'_>, name: Span, text: &str) -> bool {
    let (before, after) = (&text[string.start()..name.start], &text[name.end..]);
    let before = before.trim_start_matches(|one: char| one.is_ascii_alphabetic() || matches!(one, '"' | '\''));
    let path = before.strip_prefix("<class '").or_else(|| before.strip_prefix('<'));
    let is_path = |path: &str| {
        path.is_empty()
            || path.ends_with('.') && path.chars().all(|one| is_word(one) || matches!(one, '.' | '\\' | '{' | '}'))
    };
    let is_class = text[name.start..].starts_with(char::is_uppercase);
    is_class && path.is_some_and(is_path) && after.starts_with([' ', '>', ':', '\'', '.'])
}

/// Tells whether a string shows an object with its fields, as Python's data classes do: `"Order(number=3)"`.
fn shows_field(string: Node<'_>, name: Span, text: &str) -> bool {
    let (before, after) = (&text[string.start()..name.start], &text[name.end..string.end()]);
    let is_named = after.strip_prefix('=').is_some_and(|value| !value.starts_with('='));
    let class = before.rfind('(').map(|at| &before[..at]).filter(|_| before.ends_with(['(', ' ']) && is_named);
    let word = |class: &str| class[class.rfind(|one: char| !is_word(one)).map_or(0, |at| at + 1)..].to_owned();
    class.is_some_and(|class| class.is_ascii() && word(class).starts_with(char::is_uppercase))
}

fn is_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// Tells whether a member is asked for in a string (`if (frame.topLevel) {`) and the rest of it reads as code: a path on its
/// own, the name of a file and a sentence do not.
fn spells_access(string: Node<'_>, name: Span, text: &str) -> bool {
    let (before, after) = (&text[string.start()..name.start], &text[name.end..string.end()]);
    let Some(owner) = before.strip_suffix('.').map(|owner| owner.strip_suffix('?').unwrap_or(owner)) else {
        return false;
    };
    let is_owned = owner.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '$' | ')' | ']'));
    let start = owner.trim_end_matches(|one: char| one.is_alphanumeric() || matches!(one, '_' | '$' | '.' | '?'));
    let is_named = !after.starts_with(['/', '-', '"', '\'', ':']) && !start.ends_with(['/', '-', '@']);
    let is_operand = BEFORE.iter().any(|sign| start.ends_with(sign) || start.trim_end().ends_with(sign))
        || BEHIND.iter().any(|sign| after.starts_with(sign) || after.trim_start().starts_with(sign));
    let is_statement = STATEMENTS.iter().any(|sign| start.contains(sign) || after.contains(sign));
    is_owned && is_named && (is_operand || is_statement || start.trim() == "return")
}

/// Tells whether a node says something to a reader: a call of `print` and its like, an error that is raised, documentation.
pub(super) fn is_said(outer: Node<'_>, text: &str) -> bool {
    let called = match outer.kind() {
        "raise_statement" | "throw_statement" => return true,
        "expression_statement" => return outer.named_children().next().is_some_and(|only| only.is("string")),
        "call" | "call_expression" => outer.child("function"),
        "new_expression" => outer.child("constructor"),
        _ => None,
    };
    let said_by = called.map_or("", |called| called.text(text)).rsplit('.').next().unwrap_or_default();
    TELLERS.contains(&said_by) || ["Error", "Exception", "Warning"].iter().any(|end| said_by.ends_with(end))
}

/// Weighs the places in all files, on all cores and off the threads that wait for servers: none is left out for its
/// number, or a plan would pass for whole because of what nobody has looked at.
async fn weighed(session: &Session, sought: Sought, mentions: Mentions) -> WeighedPlaces {
    let sources = session.sources().clone();
    let work = move || {
        let of_files = gather(&mentions, &AtomicBool::new(false), |file| sought.weigh(&sources, file));
        let mut found = WeighedPlaces::new();
        for ((path, _), places) in mentions.iter().zip(of_files.into_iter().flatten()) {
            for (nearness, span) in places {
                found.entry((nearness, path.clone())).or_default().push(span);
            }
        }
        found
    };
    tokio::task::spawn_blocking(work).await.expect("weighing does not panic, and nobody cancels it")
}

fn warning(session: &Session, subject: &Subject, found: (&(Nearness, AbsPath), &Vec<Span>)) -> Option<Warning> {
    let ((nearness, path), spans) = found;
    let text = session.disk().read(path).ok()?;
    if spans.is_empty() {
        return None;
    }
    let is_typed = matches!(subject.language.family(), Family::Python | Family::Script);
    let (kind, why) = match nearness {
        Nearness::Use if is_typed => {
            (WarningKind::PossibleUse, "may be used here and is not changed: no type is known there")
        }
        Nearness::Use if is_by_protocol(subject.language.family()) => {
            (WarningKind::PossibleUse, "may be used here and is not changed: the server does not know this place")
        }
        Nearness::Unasked if is_typed => {
            (WarningKind::PossibleUse, "may be used here and is not changed: the places are too many to be asked about")
        }
        Nearness::Spelled => (WarningKind::PossibleUse, "is spelled as code in a string here, which is not changed"),
        Nearness::Compared => {
            (WarningKind::PossibleUse, "is a key in data that tests may compare with, which is not changed")
        }
        Nearness::Example => {
            (WarningKind::PossibleUse, "stands in examples here, which tests seem to run, and is not changed")
        }
        Nearness::Cell => {
            (WarningKind::PossibleUse, "may be used in the cells of this notebook, which are not changed")
        }
        _ => (WarningKind::Mentioned, "is mentioned here and not changed"),
    };
    Some(Warning::at_lines(kind, format!("`{}` {why}", subject.name), path.clone(), (&text, spans)))
}
