//! Variables of functions that the program asks for by their names as it runs: `"%(rate)s" % locals()`, `eval("rate + 1")`, a
//! script's `with`. Where a plan takes one away from there, that is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::scopes::function_of_name;
use crate::plan::{Plan, Warning, WarningKind};
use crate::session::{Parsed, Session};
use crate::syntax::kinds::Role;
use crate::syntax::{Family, Language, Node, is_any_function, whole_words};
use crate::text::{AbsPath, Span, Text};

/// Words without which no text asks for a variable by its name.
const IN_PYTHON: &[&str] = &["eval(", "exec(", "locals(", "vars("];
const IN_SCRIPTS: &[&str] = &["eval(", "with (", "with("];

/// Methods that fill a text in with all of a dictionary (Python's format strings, and templates).
const FILLING: [&str; 4] = ["format", "format_map", "safe_substitute", "substitute"];

/// What asks for variables by their names: a call, or a script's `with`.
struct Observer<'t> {
    node: Node<'t>,
    /// The text that says which ones; where there is none, it may be any.
    saying: Option<&'t str>,
}

/// Adds what a plan takes away from where it is asked for.
pub(super) fn told(session: &Session, plan: Plan) -> Plan {
    let mut found = Vec::new();
    for (path, edit) in plan.edits() {
        let parse = |text: &Arc<Text>| session.sources().parse(path, text);
        let words = match Language::of_path(path).map(Language::family) {
            Some(Family::Python) => IN_PYTHON,
            Some(Family::Script) => IN_SCRIPTS,
            _ => continue,
        };
        let is_asking = words.iter().any(|word| edit.before.as_str().contains(word));
        let before = is_asking.then(|| parse(&edit.before)).flatten();
        if let Some((before, after)) = before.and_then(|it| Some((it, parse(&Arc::new(edit.after()))?))) {
            found.extend(taken_away(&plan, path, [&before, &after]));
        }
    }
    if found.is_empty() {
        return plan;
    }
    let warnings = plan.warnings().iter().cloned().chain(found).collect();
    plan.with_warnings(warnings)
}

fn taken_away(plan: &Plan, path: &AbsPath, [before, after]: [&Parsed; 2]) -> Vec<Warning> {
    let mut lost = BTreeMap::<&str, Vec<Span>>::new();
    let kept = by_place(after);
    for (place, old) in by_place(before) {
        for (old, new) in old.iter().zip(kept.get(&place).into_iter().flatten()) {
            let left = new.variables(after);
            let gone = old.variables(before).into_iter().filter(|name| !left.contains(name) && new.may_ask(name));
            if !is_told(plan, path, before, old) {
                gone.for_each(|name| lost.entry(name).or_default().push(old.node.span()));
            }
        }
    }
    let warning = |(name, spans): (&str, Vec<Span>)| {
        let message = format!("variables are asked for by their names here, and `{name}` is no longer among them");
        Warning::at_lines(WarningKind::RunTime, message, path.clone(), (&before.text, &spans))
    };
    lost.into_iter().map(warning).collect()
}

/// Tells whether the plan says already that it may have to change something there.
fn is_told(plan: &Plan, path: &AbsPath, before: &Parsed, observer: &Observer<'_>) -> bool {
    let statement = observer.node.ancestors().find(|it| it.kind().ends_with("statement")).unwrap_or(observer.node);
    let Some(whole) = before.text.range(statement.span()) else { return false };
    let is_there = |warning: &Warning| {
        let range = warning.range.filter(|_| warning.path.as_ref() == Some(path));
        range.is_some_and(|range| whole.start <= range.start && range.end <= whole.end)
    };
    plan.warnings().iter().any(|warning| WarningKind::DOUBTS.contains(&warning.kind) && is_there(warning))
}

/// Finds what asks for variables, in order, by the names of the functions and the classes around.
fn by_place(parsed: &Parsed) -> BTreeMap<Vec<&str>, Vec<Observer<'_>>> {
    let mut found = BTreeMap::<Vec<&str>, Vec<Observer<'_>>>::new();
    for observer in parsed.tree.nodes().iter().filter_map(|node| Observer::at(parsed, node)) {
        let around = observer.node.ancestors().filter(|it| is_any_function(*it) || it.has(Role::Class));
        let names = around.map(|it| it.child("name").map_or("", |name| name.text(parsed.text.as_str())));
        found.entry(names.collect()).or_default().push(observer);
    }
    found
}

impl<'t> Observer<'t> {
    fn at(parsed: &'t Parsed, node: Node<'t>) -> Option<Self> {
        let text = parsed.text.as_str();
        let is_python = parsed.tree.language().family() == Family::Python;
        if node.is("with_statement") && !is_python {
            return Some(Self { node, saying: node.child("body").map(|body| body.text(text)) });
        }
        let called = node.child("function").filter(|it| it.is("identifier") && is_built_in(parsed, *it))?;
        let mut given = node.child("arguments")?.named_children().filter(|it| !it.is("comment"));
        let saying = match (called.text(text), given.next(), given.next()) {
            ("locals" | "vars", None, None) if is_python => filled_in(node, text),
            ("exec", Some(code), None) if is_python => Some(code),
            // With a namespace that it is given, it asks that one.
            ("eval", Some(code), None) => Some(code),
            _ => return None,
        };
        Some(Self { node, saying: saying.filter(|it| is_written_out(*it)).map(|it| it.text(text)) })
    }

    fn may_ask(&self, name: &str) -> bool {
        // A template marks what it asks for: `$rate`.
        self.saying
            .is_none_or(|said| [said, &said.replace('$', " ")].iter().any(|it| !whole_words(it, name).is_empty()))
    }

    /// Returns the variables that may be asked for. Python sees those of the function around, and what that takes from others
    /// around it; a script sees all around. Of those of the module a script asks where it says so.
    fn variables<'p>(&self, parsed: &'p Parsed) -> BTreeSet<&'p str> {
        let names = parsed.names();
        let functions: Vec<Node<'_>> = self.node.ancestors().filter(|it| is_any_function(*it)).collect();
        let of_module: BTreeSet<usize> =
            names.iter().filter(|it| it.is_binding && it.scope == 0).map(|it| it.meaning).collect();
        let is_python = parsed.tree.language().family() == Family::Python;
        let seen = names.iter().filter(|name| {
            let function = function_of_name(parsed.tree.nodes().covering(name.span));
            match function {
                _ if name.is_free => false,
                Some(function) if is_python => {
                    functions.first() == Some(&function) && !of_module.contains(&name.meaning)
                }
                Some(function) => name.is_binding && functions.contains(&function),
                None => name.is_binding && !is_python && self.saying.is_some(),
            }
        });
        seen.filter_map(|name| name.span.of(parsed.text.as_str())).collect()
    }
}

/// Tells whether a name is that of the language, and of nothing that the text declares.
fn is_built_in(parsed: &Parsed, name: Node<'_>) -> bool {
    let found = parsed.names().binary_search_by_key(&name.start(), |it| it.span.start);
    found.is_ok_and(|at| parsed.names()[at].is_free)
}

/// Returns what says which of all variables are asked for: the text that is filled in with them, or a key.
fn filled_in<'t>(all: Node<'t>, text: &str) -> Option<Node<'t>> {
    let outer = all.parent()?;
    match outer.kind() {
        "binary_operator" => outer.child("left").filter(|_| outer.children().any(|it| it.kind() == "%")),
        "subscript" => outer.child("subscript"),
        "attribute" => outer.parent()?.child("arguments")?.named_children().next(),
        "dictionary_splat" | "argument_list" => {
            let list = if outer.is("argument_list") { outer } else { outer.parent()? };
            let function = list.parent()?.child("function")?;
            let is_filling = function.child("attribute").is_some_and(|own| FILLING.contains(&own.text(text)));
            let filled = function.child("object").filter(|_| is_filling)?;
            // `Template("$rate")`
            filled.child("arguments").map_or(Some(filled), |given| given.named_children().next())
        }
        _ => None,
    }
}

/// Tells whether a text stands there as it is.
fn is_written_out(node: Node<'_>) -> bool {
    let is_part = |it: Node<'_>| it.is_any(&["interpolation", "template_substitution"]);
    let is_text = node.is_any(&["string", "concatenated_string", "template_string"]);
    is_text && !node.descendants().any(is_part)
}
