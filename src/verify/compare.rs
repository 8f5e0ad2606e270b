//! Which problems are new: two lists of findings, the places of the first followed through a plan.

use std::collections::BTreeMap;

use super::narrowed_edits::narrowed;
use crate::plan::{FileEdit, Plan, Problem, Severity};
use crate::syntax::{Family, Language, Node, Tree, whole_words};
use crate::text::{AbsPath, Position, Span, Text, TextEdit};

/// Returns what `after` has and `before` has not. A finding is the same when code and severity agree and
/// either its place followed through the plan or its message does; the old names in messages count as the
/// new ones.
pub fn compare(plan: &Plan, before: &[Problem], after: &[Problem]) -> Vec<Problem> {
    let is_none = |problem: &Problem| is_missing_helper(problem) || is_of_link(plan, problem);
    let counts = |problem: &Problem| !is_mere_hint(plan, problem) && !is_own_hint(plan, problem) && !is_none(problem);
    new(plan, before, after, counts)
}

/// Returns what the project forbids of what a plan writes for later, and [`compare`] therefore leaves out.
pub(super) fn early(plan: &Plan, before: &[Problem], after: &[Problem]) -> Vec<Problem> {
    new(plan, before, after, |problem| problem.severity == Severity::Error && is_own_hint(plan, problem))
}

/// Returns those of the new findings that count.
fn new(plan: &Plan, before: &[Problem], after: &[Problem], counts: impl Fn(&Problem) -> bool) -> Vec<Problem> {
    let renames = renames(plan);
    let mut by_both: BTreeMap<(PlaceKey, MessageKey), Vec<usize>> = BTreeMap::new();
    let mut by_place: BTreeMap<PlaceKey, Vec<usize>> = BTreeMap::new();
    let mut by_message: BTreeMap<MessageKey, Vec<usize>> = BTreeMap::new();
    for (index, problem) in before.iter().enumerate() {
        let moved = moved(plan, problem);
        by_both.entry((place_key(&moved), message_key(&moved, &renames))).or_default().push(index);
        by_place.entry(place_key(&moved)).or_default().push(index);
        by_message.entry(message_key(&moved, &renames)).or_default().push(index);
    }
    let mut spent = vec![false; before.len()];
    let mut spend = |candidates: Option<&Vec<usize>>| {
        let free = candidates.into_iter().flatten().find(|index| !spent[**index]);
        free.map(|index| spent[*index] = true).is_some()
    };
    // What is written in front of a finding stands where that stood: the words come first.
    let both = |problem: &Problem| (place_key(problem), message_key(problem, &renames));
    let unlike: Vec<&Problem> = after.iter().filter(|problem| !spend(by_both.get(&both(problem)))).collect();
    let worded: Vec<&Problem> =
        unlike.into_iter().filter(|problem| !spend(by_message.get(&message_key(problem, &renames)))).collect();
    let mut unknown: Vec<&Problem> =
        worded.into_iter().filter(|problem| !spend(by_place.get(&place_key(problem)))).collect();
    unknown.retain(|problem| counts(problem));
    if carries_code(plan) {
        let mut anywhere: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for ((_, code, severity, message), indices) in by_message {
            anywhere.entry((code, severity, message)).or_default().extend(indices);
        }
        unknown.retain(|problem| {
            let (_, code, severity, message) = message_key(problem, &renames);
            !spend(anywhere.get(&(code, severity, message))) && !is_missing_here(plan, before, problem)
        });
    }
    unknown.retain(|problem| !is_copied(plan, before, problem));
    unknown.into_iter().cloned().collect()
}

/// Tells whether a finding is about code that a plan writes in several places, and takes away where the same was found: the body
/// of a function that is inlined.
fn is_copied(plan: &Plan, before: &[Problem], problem: &Problem) -> bool {
    let Some(text) = text_after(plan, &problem.path) else { return false };
    let words = said_at(&text, problem);
    let is_it = |known: &Problem| {
        let agrees = known.code == problem.code
            && known.severity == problem.severity
            && known.plain_message() == problem.plain_message();
        let file = plan.edits().get(&known.path).filter(|_| agrees);
        file.is_some_and(|file| is_taken_away(file, known) && said_at(&file.before, known) == words)
    };
    words.is_some() && is_written(plan, problem) && before.iter().any(is_it)
}

/// Tells whether a plan takes the code away that a finding is about.
fn is_taken_away(file: &FileEdit, problem: &Problem) -> bool {
    let at = problem.range.and_then(|range| file.before.offset(range.start));
    at.is_some_and(|at| file.edits.into_iter().any(|edit| edit.span.start <= at && at < edit.span.end))
}

/// Returns the code that a finding is about, in the text that it was made of.
fn said_at(text: &Text, problem: &Problem) -> Option<String> {
    let range = problem.range?;
    let span = Span::new(text.offset(range.start)?, text.offset(range.end)?);
    span.of(text.as_str()).filter(|said| !said.is_empty()).map(str::to_owned)
}

/// Returns the text that a plan gives a file.
fn text_after(plan: &Plan, path: &AbsPath) -> Option<Text> {
    match plan.edits().get(path) {
        Some(file) => Some(file.after()),
        None => plan.creates().get(path).cloned(),
    }
}

/// Tells whether a finding is that an import of the plan leads nowhere because what it names is not installed: it led nowhere
/// before, too, where the plan has it from.
fn is_missing_here(plan: &Plan, before: &[Problem], problem: &Problem) -> bool {
    const UNRESOLVED: &[&str] = &["reportMissingImports", "reportMissingModuleSource", "TS2307"];
    let is_unresolved = problem.plain_code().is_some_and(|code| UNRESOLVED.contains(&code));
    let is_relative = problem.message.split(['"', '\'']).nth(1).is_some_and(|module| module.starts_with('.'));
    let is_it = |known: &Problem| known.code == problem.code && known.plain_message() == problem.plain_message();
    is_unresolved && !is_relative && before.iter().any(is_it) && is_written(plan, problem)
}

/// Tells whether a finding begins in what the plan writes, a name that merely became another one left aside.
fn is_written(plan: &Plan, problem: &Problem) -> bool {
    let Some(file) = plan.edits().get(&problem.path) else { return plan.creates().contains_key(&problem.path) };
    let at = problem.range.and_then(|range| file.after().offset(range.start));
    let mut grown = 0_isize;
    let written = file.edits.iter().map(|edit| {
        let start = edit.span.start.saturating_add_signed(grown);
        grown += edit.new_text.len() as isize - edit.span.len() as isize;
        (start..start + edit.new_text.len(), edit.new_text.chars().all(is_word))
    });
    let mut written = written.filter(|(_, is_name)| !is_name);
    at.is_some_and(|at| written.any(|(range, _)| range.contains(&at)))
}

/// Tells whether a finding is the hint that code is never reached, or asks for what is deprecated: nothing is lost by that.
/// What is put in the place of a call can be known beforehand; of what nothing was known, an import tells that it is old.
/// What a package of Python imports, it offers to others, and so does a module from which the plan lets another one take it.
fn is_mere_hint(plan: &Plan, problem: &Problem) -> bool {
    let message = problem.message.to_ascii_lowercase();
    let imported = || problem.message.split('"').nth(1).unwrap_or_default();
    let is_offered = message.starts_with("import ")
        && (problem.path.file_name() == "__init__.py" || is_taken_over(plan, &problem.path, imported()));
    let is_mere = is_offered || ["unreachable", "deprecated"].iter().any(|word| message.contains(word));
    problem.severity == Severity::Hint && is_mere
}

/// Tells whether a file that a plan makes imports a name of the module in a file: `from shop.order import rate`.
fn is_taken_over(plan: &Plan, path: &AbsPath, name: &str) -> bool {
    let module = path.file_stem();
    let takes = |line: &str| {
        let said = line.trim_start().strip_prefix("from ").and_then(|rest| rest.split_once(" import "));
        said.is_some_and(|(from, names)| {
            from.trim().rsplit('.').next() == Some(module) && !whole_words(names, name).is_empty()
        })
    };
    plan.creates().iter().any(|(made, text)| made != path && text.as_str().lines().any(takes))
}

/// Tells whether a finding is that the compiler's helpers are not installed (`tslib`, with `importHelpers`). TypeScript says it
/// once per program, at the first place that it comes to, which is another one each time.
fn is_missing_helper(problem: &Problem) -> bool {
    problem.code.as_deref() == Some("TS2354")
}

/// Tells whether a finding is about what a comment of TypeScript refers to (`{@link LockOptions.table}`): it is none of the
/// compiler's, which reports nothing in `/** … */` there. Seen with tsserver 6.0.3, once something has asked it about the
/// declaration below: it names the link, or that declaration.
fn is_of_link(plan: &Plan, problem: &Problem) -> bool {
    let is_typed = Language::of_path(&problem.path).is_some_and(Language::is_typed_script);
    let Some(file) = plan.edits().get(&problem.path).filter(|_| is_typed) else { return false };
    let after = file.after();
    let Some(at) = problem.range.and_then(|range| after.offset(range.start)) else { return false };
    let is_of_names = matches!(problem.code.as_deref(), Some("TS2693" | "TS2702" | "TS2713"));
    let named = problem.message.split('\'').nth(1).unwrap_or_default();
    stands_in_documentation(&problem.path, &after, at) || is_of_names && !after.as_str()[at..].starts_with(named)
}

/// Tells whether what begins at an offset stands in `/** … */`.
fn stands_in_documentation(path: &AbsPath, text: &Text, at: usize) -> bool {
    let is_documentation = |node: Node<'_>| node.is("comment") && node.text(text.as_str()).starts_with("/**");
    text.as_str()[..at].contains("/**") && is_around((path, text), at, is_documentation)
}

/// Tells whether a finding is but a hint about code that the plan itself writes: a new parameter is not used
/// yet, which a project may want to be an error. A name that merely became another one is not such code: there a hint tells
/// of uses that were lost. A script's import that is not used is the plan's fault, whatever it is called.
fn is_own_hint(plan: &Plan, problem: &Problem) -> bool {
    let is_unused = problem.code.as_deref() == Some("TS6133");
    if problem.severity != Severity::Hint && !is_unused {
        return false;
    }
    let Some(after) = text_after(plan, &problem.path) else { return false };
    let at = problem.range.and_then(|range| after.offset(range.start));
    let stands_in = |kinds: &[&str]| stands_in(&problem.path, &after, at, kinds);
    // Python hands on what a module imports, so that there it is but a hint; where it is more, the project forbids it.
    let is_script = Language::of_path(&problem.path).is_some_and(|language| language.family() == Family::Script);
    if is_script && stands_in(IMPORTS) || problem.severity != Severity::Hint && !stands_in(PARAMETERS) {
        return false;
    }
    let Some(file) = plan.edits().get(&problem.path) else { return true };
    if at.is_some_and(|at| has_taken_reads(file, (&after, at))) && !stands_in(PYTHON_IMPORTS) {
        return true;
    }
    is_written(plan, problem)
}

/// Tells whether the plan itself takes uses of the name at an offset out of the file, with more around it: `owner.` goes
/// from `owner.name()`. A name that merely became another one lost its uses.
fn has_taken_reads(file: &FileEdit, (after, at): (&Text, usize)) -> bool {
    let rest = &after.as_str()[at..];
    let name = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
    let takes = |edit: &TextEdit| {
        let gone = edit.span.of(file.before.as_str()).unwrap_or_default();
        gone != name && !whole_words(gone, name).is_empty() && whole_words(&edit.new_text, name).is_empty()
    };
    !name.is_empty() && file.edits.iter().any(takes)
}

const PYTHON_IMPORTS: &[&str] = &["import_statement", "import_from_statement"];
const IMPORTS: &[&str] = &["import_statement"];
const PARAMETERS: &[&str] = &["formal_parameters", "parameters", "lambda_parameters"];

/// Tells whether what begins at an offset stands in one of these kinds of nodes.
fn stands_in(path: &AbsPath, text: &Text, at: Option<usize>, kinds: &[&str]) -> bool {
    at.is_some_and(|at| is_around((path, text), at, |node| node.is_any(kinds)))
}

/// Tells whether what begins at an offset is such a node, or stands in one.
fn is_around((path, text): (&AbsPath, &Text), at: usize, is_it: impl Fn(Node<'_>) -> bool) -> bool {
    let Some(language) = Language::of_path(path) else { return false };
    let tree = Tree::parse(language, text.as_str());
    let node = tree.nodes().covering(Span::new(at, at + 1));
    is_it(node) || node.ancestors().any(is_it)
}

type PlaceKey = (AbsPath, Option<String>, Severity, Option<Position>);
type MessageKey = (AbsPath, Option<String>, Severity, String);

fn place_key(problem: &Problem) -> PlaceKey {
    let code = problem.plain_code().map(str::to_owned);
    (problem.path.clone(), code, problem.severity, problem.range.map(|range| range.start))
}

fn message_key(problem: &Problem, renames: &BTreeMap<String, String>) -> MessageKey {
    let code = problem.plain_code().map(str::to_owned);
    (problem.path.clone(), code, problem.severity, in_new_words(problem.plain_message(), renames))
}

/// Puts the new names in the place of the old ones.
pub(super) fn in_new_words(text: &str, renames: &BTreeMap<String, String>) -> String {
    let mut renewed = String::with_capacity(text.len());
    for part in text.split_inclusive(|c: char| !is_word(c)) {
        let word = part.trim_end_matches(|c: char| !is_word(c));
        renewed.push_str(renames.get(word).map_or(word, String::as_str));
        renewed.push_str(&part[word.len()..]);
    }
    renewed
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The identifiers that the plan's edits turn into others; an edit of whole lines is looked at word by word.
pub(super) fn renames(plan: &Plan) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for file in plan.edits().values() {
        for edit in &narrowed(file.before.as_str(), &file.edits, |_| true) {
            let old = edit.span.of(file.before.as_str()).unwrap_or_default();
            let both_names = !old.is_empty() && !edit.new_text.is_empty();
            if both_names && old.chars().all(is_word) && edit.new_text.chars().all(is_word) {
                found.insert(old.to_owned(), edit.new_text.clone());
            }
        }
    }
    found
}

/// The same finding where the plan leaves it.
fn moved(plan: &Plan, problem: &Problem) -> Problem {
    let mut moved = problem.clone();
    if let Some(path) = plan.path_after(&problem.path) {
        moved.path = path;
    }
    let Some(file) = plan.edits().get(&problem.path) else { return moved };
    let after = file.after();
    let follow = |position: Position| {
        let offset = file.before.offset(position)?;
        after.position(file.edits.map_offset(offset))
    };
    moved.range = problem.range.map(|range| crate::text::Range {
        start: follow(range.start).unwrap_or(range.start),
        end: follow(range.end).unwrap_or(range.end),
    });
    moved
}

/// Tells whether lines may come to stand in another file.
pub(super) fn carries_code(plan: &Plan) -> bool {
    let files = plan.edits().len() + plan.creates().len() + plan.deletes().len();
    let adds_lines =
        || plan.edits().values().any(|file| file.edits.into_iter().any(|edit| edit.new_text.contains('\n')));
    files > 1 && (!plan.creates().is_empty() || adds_lines())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::plan::Parts;
    use crate::text::{Range, TextEdit};

    fn path() -> AbsPath {
        AbsPath::new("/p/a.py").unwrap()
    }

    /// A hint in the first line of the text after the plan.
    fn hint(message: &str, character: u32) -> Problem {
        let start = Position { line: 0, character };
        let range = Some(Range { start, end: start });
        Problem { path: path(), range, code: None, severity: Severity::Hint, message: message.to_owned(), source: None }
    }

    /// A plan that makes the file.
    fn creation(text: &str) -> Plan {
        let creates = BTreeMap::from([(path(), Text::new(text))]);
        Plan::new(Parts { creates, ..Parts::default() }).unwrap()
    }

    /// Puts `new` in the place of the first `old` of a text.
    fn plan(text: &str, old: &str, new: &str) -> Plan {
        let at = text.find(old).unwrap();
        let edit = TextEdit::new(Span::new(at, at + old.len()), new.to_owned());
        let text = Arc::new(Text::decode(text.as_bytes().to_vec()).unwrap());
        Plan::new(Parts { edits: BTreeMap::from([(path(), (text, vec![edit]))]), ..Parts::default() }).unwrap()
    }

    #[test]
    fn a_finding_behind_what_is_written_is_the_one_that_was_there() {
        let added = plan("def f(to): pass\n", "to", "extra, to");
        let before = [hint("\"to\" is not accessed", 6)];
        let after = [hint("\"extra\" is not accessed", 6), hint("\"to\" is not accessed", 13)];
        assert_eq!(compare(&added, &before, &after), []);
    }

    #[test]
    fn hints_about_what_the_plan_writes_do_not_count() {
        let added = plan("def f(): pass\n", "()", "(extra=None)");
        assert_eq!(compare(&added, &[], &[hint("\"extra\" is not accessed", 6)]), []);
        let renamed = plan("def f(a): pass\n", "a)", "b)");
        assert_eq!(compare(&renamed, &[], &[hint("\"b\" is not accessed", 6)]), []);
        assert_eq!(compare(&creation("def _f(): pass\n"), &[], &[hint("\"_f\" is not accessed", 4)]), []);
    }

    #[test]
    fn what_is_not_installed_is_missing_wherever_it_is_imported() {
        let text = |text: &str| Arc::new(Text::decode(text.as_bytes().to_vec()).unwrap());
        let edits = BTreeMap::from([
            (
                path(),
                (text("x = 1\n"), vec![TextEdit::new(Span::at(0), "import yaml\nimport shop.prices\n".to_owned())]),
            ),
            (
                AbsPath::new("/p/b.py").unwrap(),
                (text("import yaml\ny = 1\n"), vec![TextEdit::new(Span::new(12, 18), "")]),
            ),
        ]);
        let carried = Plan::new(Parts { edits, ..Parts::default() }).unwrap();
        let missing = |file: &str, line, name: &str| {
            let start = Position { line, character: 7 };
            let range = Some(Range { start, end: start });
            let message = format!("Import \"{name}\" could not be resolved");
            let code = Some("reportMissingImports".to_owned());
            Problem { path: AbsPath::new(file).unwrap(), range, code, severity: Severity::Error, ..hint(&message, 0) }
        };
        let (here, there) = (missing("/p/a.py", 0, "yaml"), missing("/p/b.py", 0, "yaml"));
        let own = missing("/p/a.py", 1, "shop.prices");
        assert_eq!(compare(&carried, std::slice::from_ref(&there), &[here, there.clone(), own.clone()]), [own]);
    }

    #[test]
    fn hints_that_tell_of_no_loss_do_not_count() {
        let imported = plan("\nf()\n", "\n", "import f\n");
        for message in ["Code is unreachable", "The function \"f\" is deprecated"] {
            assert_eq!(compare(&imported, &[], &[hint(message, 0)]), []);
            let warning = Problem { severity: Severity::Warning, ..hint(message, 0) };
            assert_eq!(compare(&imported, &[], std::slice::from_ref(&warning)), [warning]);
        }
    }

    #[test]
    fn a_helper_that_is_not_installed_is_told_at_any_place() {
        let message = "This syntax requires an imported helper but module 'tslib' cannot be found.";
        let (severity, code) = (Severity::Error, Some("TS2354".to_owned()));
        let missing = Problem { severity, code, ..hint(message, 0) };
        assert_eq!(compare(&plan("\nf()\n", "\n", "g()\n"), &[], &[missing]), []);
    }

    #[test]
    fn what_a_comment_refers_to_is_no_error() {
        let text = "interface A {\n  /** See {@link Lock.id}. */\n  take(): void\n}\nconst lock = Lock\n";
        let at = text.find("take()").unwrap() + 5;
        let edit = TextEdit::new(Span::at(at), "extra: number".to_owned());
        let file = (AbsPath::new("/p/a.ts").unwrap(), (Arc::new(Text::new(text)), vec![edit]));
        let added = Plan::new(Parts { edits: BTreeMap::from([file]), ..Parts::default() }).unwrap();
        let found = |line, character| {
            let start = Position { line, character };
            let range = Range { start, end: start };
            let message = "'Lock' only refers to a type, but is being used as a value here.";
            let (severity, code) = (Severity::Error, Some("TS2693".to_owned()));
            let path = AbsPath::new("/p/a.ts").unwrap();
            Problem { path, severity, code, range: Some(range), ..hint(message, 0) }
        };
        assert_eq!(compare(&added, &[], &[found(1, 17), found(2, 2)]), []);
        let missing = Problem { code: Some("TS2339".to_owned()), ..found(1, 22) };
        assert_eq!(compare(&added, &[], &[missing]), []);
        assert_eq!(compare(&added, &[], &[found(4, 13)]), [found(4, 13)]);
    }

    #[test]
    fn what_is_renamed_by_an_edit_of_whole_lines_is_the_same_finding() {
        let lines = plan("import b\nold(1)\n", "old(1)\n", "new(1)\nlast(2)\n");
        let mut before = hint("no value for \"x\" of \"old\"", 0);
        let mut after = hint("no value for \"x\" of \"new\"", 4);
        (before.severity, after.severity) = (Severity::Error, Severity::Error);
        assert_eq!(compare(&lines, &[before], &[after]), []);
    }

    #[test]
    fn a_finding_that_comes_to_suggest_a_spelling_is_no_new_one() {
        let found = |code: &str, message: &str, character| Problem {
            severity: Severity::Error,
            code: Some(code.to_owned()),
            ..hint(message, character)
        };
        let fixed = plan("aciton; reudcer\n", "aciton", "action");
        let before = [found("TS2304", "Cannot find name 'reudcer'.", 8)];
        let after = found("TS2552", "Cannot find name 'reudcer'. Did you mean 'reducer'?", 8);
        assert_eq!(compare(&fixed, &before, std::slice::from_ref(&after)), []);
        let elsewhere = found("TS2552", "Cannot find name 'reudcer'. Did you mean 'reducer'?", 3);
        assert_eq!(compare(&fixed, &before, std::slice::from_ref(&elsewhere)), []);
        assert_eq!(compare(&fixed, &before, &[after, elsewhere.clone()]), [elsewhere]);
    }

    #[test]
    fn a_parameter_that_is_not_used_yet_is_no_error_and_an_import_is_one() {
        let unused = |severity, character| Problem {
            path: AbsPath::new("/p/a.ts").unwrap(),
            severity,
            code: Some("TS6133".to_owned()),
            ..hint("'extra' is declared but its value is never read.", character)
        };
        let in_script = |text: &str, old: &str, new: &str| {
            let at = text.find(old).unwrap();
            let edit = TextEdit::new(Span::new(at, at + old.len()), new.to_owned());
            let file = (AbsPath::new("/p/a.ts").unwrap(), (Arc::new(Text::new(text)), vec![edit]));
            Plan::new(Parts { edits: BTreeMap::from([file]), ..Parts::default() }).unwrap()
        };
        let added = in_script("function f() {}\n", "()", "(extra: number)");
        let found = unused(Severity::Error, 11);
        assert_eq!(compare(&added, &[], std::slice::from_ref(&found)), []);
        assert_eq!(early(&added, &[], std::slice::from_ref(&found)), [found]);
        for severity in [Severity::Error, Severity::Hint] {
            let imported = in_script("\nf();\n", "\n", "import { extra } from './b';\n");
            let found = unused(severity, 9);
            assert_eq!(compare(&imported, &[], std::slice::from_ref(&found)), [found]);
        }
        let local = in_script("function f() {}\n", "{}", "{ const extra = 1; }");
        let found = unused(Severity::Error, 21);
        assert_eq!(compare(&local, &[], std::slice::from_ref(&found)), [found]);
    }

    #[test]
    fn findings_go_along_with_code_into_several_places() {
        let text = "def old():\n    gone()\n\nold()\nold()\n";
        let edit = |from: usize, len: usize, new: &str| TextEdit::new(Span::new(from, from + len), new.to_owned());
        let edits = vec![edit(0, 23, ""), edit(23, 5, "gone()"), edit(29, 5, "gone()")];
        let file = (Arc::new(Text::new(text)), edits);
        let plan = Plan::new(Parts { edits: BTreeMap::from([(path(), file)]), ..Parts::default() }).unwrap();
        let at = |message: &str, line: u32, start: u32| {
            let place = |character| Position { line, character };
            let range = Some(Range { start: place(start), end: place(start + 4) });
            Problem { severity: Severity::Error, range, ..hint(message, 0) }
        };
        let (before, after) = (at("no `gone`", 1, 4), [at("no `gone`", 0, 0), at("no `gone`", 1, 0)]);
        assert_eq!(compare(&plan, std::slice::from_ref(&before), &after), []);
        let other = at("no `other`", 1, 4);
        assert_eq!(compare(&plan, &[other], &after), [after[1].clone()]);
        let elsewhere = at("no `gone`", 3, 0);
        assert_eq!(compare(&plan, &[elsewhere], &after).len(), 1);
    }

    #[test]
    fn findings_go_along_with_code() {
        let there = AbsPath::new("/p/b.py").unwrap();
        let error = Problem { severity: Severity::Error, ..hint("no such thing", 0) };
        let moved = Problem { path: there.clone(), ..error.clone() };
        let edit = |path: &AbsPath, old: &str, new: &str| {
            let text = Arc::new(Text::new(old));
            (path.clone(), (text, vec![TextEdit::new(Span::new(0, old.len()), new.to_owned())]))
        };
        let parts = Parts {
            edits: BTreeMap::from([edit(&path(), "thing()\n", "\n"), edit(&there, "\n", "thing()\n")]),
            ..Parts::default()
        };
        let plan = Plan::new(parts).unwrap();
        assert_eq!(compare(&plan, std::slice::from_ref(&error), std::slice::from_ref(&moved)), []);
        assert_eq!(compare(&plan, &[], std::slice::from_ref(&moved)), std::slice::from_ref(&moved));
        assert_eq!(compare(&plan, std::slice::from_ref(&error), &[error.clone(), moved.clone()]), [moved]);
    }

    #[test]
    fn a_hint_that_a_renamed_name_lost_its_uses_counts() {
        let renamed = plan("def f(a): pass\n", "a", "b");
        let lost = hint("\"b\" is not accessed", 6);
        assert_eq!(compare(&renamed, &[], std::slice::from_ref(&lost)), std::slice::from_ref(&lost));
        assert_eq!(compare(&renamed, &[], &[hint("Code is unreachable", 10)]), []);
        let error = Problem { severity: Severity::Error, ..lost };
        let added = plan("def f(): pass\n", "()", "(extra=None)");
        assert_eq!(compare(&added, &[], std::slice::from_ref(&error)), std::slice::from_ref(&error));
    }
}
