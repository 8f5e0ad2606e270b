//! What is counted in every function, beside what the tools count.

use std::collections::BTreeMap;

use lspwright::inspect::{Function, count, outline};
use lspwright::syntax::kinds::{Role, unwrapped};
use lspwright::syntax::{Language, Node, Tree, measures};

use crate::Subject;
use crate::packages::Family;
use crate::tools::{Row, Tools};

/// How many functions agree, by language and number; the others are kept.
#[derive(Default)]
pub struct Agreement {
    numbers: BTreeMap<(&'static str, &'static str), Figures>,
    missing: BTreeMap<&'static str, (usize, Vec<String>)>,
}

#[derive(Default)]
struct Figures {
    same: usize,
    /// Differences by the rule that explains them.
    others: BTreeMap<&'static str, Vec<String>>,
}

/// What a rule needs to know of a function.
struct Case<'c> {
    name: &'c str,
    text: &'c str,
    ours: u32,
    theirs: u32,
    /// What the functions inside it count, together.
    inside: u32,
    /// A branch of one of its ternaries is a function.
    chooses_function: bool,
}

type Fits = fn(&Case<'_>) -> bool;

/// The rules that explain differences, each with the number that it is about. The first that fits is named.
const RULES: &[(&str, &str, Fits)] = &[
    ("cyclomatic", "radon does not look into what is asserted", |case| {
        case.text.contains("assert ") && case.theirs < case.ours
    }),
    ("lines", "the body ends with a comment, of which Python's `ast` knows nothing", |case| {
        case.text.lines().last().is_some_and(|line| line.trim_start().starts_with('#')) && case.theirs < case.ours
    }),
    ("cognitive", "the plugin adds what stands in functions inside, or counts them with the outermost", |case| {
        case.inside > 0 || case.theirs == 0 && case.ours > 0
    }),
    ("cognitive", "behind a ternary that chooses a function the plugin stays one level too deep", |case| {
        case.chooses_function && case.theirs > case.ours
    }),
    ("parameters", "ESLint counts `this`, which no caller gives", |case| {
        case.text.contains("this:") && case.theirs == case.ours + 1
    }),
    ("parameters", "ruff leaves out overloads and overrides that a decorator marks", |case| {
        case.theirs == 0 && case.ours > 0
    }),
];

/// Compares the functions of a package.
pub fn compare(subject: &Subject, tools: &Tools, agreement: &mut Agreement) -> Result<(), String> {
    for (name, path) in subject.files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let Some(language) = Language::of_extension(extension).filter(|_| !name.ends_with(".d.ts")) else { continue };
        let theirs = tools.functions.range((name.clone(), 0)..=(name.clone(), usize::MAX));
        let mut theirs: BTreeMap<usize, &Row> = theirs.map(|((_, at), row)| (*at, row)).collect();
        if theirs.is_empty() {
            continue;
        }
        compare_file(subject, (&name, &text, language), &mut theirs, agreement);
        let left = agreement.missing.entry(subject.name).or_default();
        left.1.extend(theirs.values().map(|row| format!("{name}:{}", row.line)));
    }
    Ok(())
}

fn compare_file(
    subject: &Subject,
    (name, text, language): (&str, &str, Language),
    theirs: &mut BTreeMap<usize, &Row>,
    agreement: &mut Agreement,
) {
    let tree = Tree::parse(language, text);
    let outline = outline(&tree, text);
    let measured = measures(&tree, text);
    let numbers = |function: &Function<'_>| measured.of(function.node).unwrap_or_default();
    for function in outline.functions.iter().filter(|function| function.body().is_some()) {
        let Some(row) = key(function, subject.language).and_then(|key| theirs.remove(&key)) else { continue };
        agreement.missing.entry(subject.name).or_default().0 += 1;
        let own = numbers(function);
        let within = outline.functions.iter().filter(|other| function.node.holds(other.node));
        let inside = within.map(|other| numbers(other).cognitive).sum();
        let parameters = count(function, language.family()) as u32;
        let is_function = |node: Node<'_>| node.has(Role::Expression);
        let mut ternaries = function.node.descendants().filter(|node| node.has(Role::Ternary));
        let chooses_function = ternaries.any(|node| node.named_children().any(|it| is_function(unwrapped(it))));
        let label = format!("{name}:{} {}", function.line, function.name());
        let pairs = [
            ("cyclomatic", own.cyclomatic, row.cyclomatic),
            ("cognitive", own.cognitive, row.cognitive),
            ("parameters", parameters, row.params),
            ("lines", function.lines, row.lines),
        ];
        for (number, ours, theirs) in pairs {
            let Some(theirs) = theirs else { continue };
            let text = function.node.text(text);
            agreement.add(subject.name, number, &Case { name: &label, text, ours, theirs, inside, chooses_function });
        }
    }
}

/// Returns the place by which the tools know a function: the line of its `def`, or where its body begins.
fn key(function: &Function<'_>, family: Family) -> Option<usize> {
    if family == Family::Python {
        return Some(function.line as usize);
    }
    let body = function.body()?;
    Some(if body.has(Role::Wrapper) { unwrapped(body).start() } else { body.start() })
}

impl Agreement {
    fn add(&mut self, package: &'static str, number: &'static str, case: &Case<'_>) {
        let figures = self.numbers.entry((number, package)).or_default();
        if case.ours == case.theirs {
            figures.same += 1;
            return;
        }
        let rule = RULES.iter().find(|(about, _, fits)| *about == number && fits(case));
        let rule = rule.map_or("unexplained", |(_, rule, _)| *rule);
        let told = format!("{}: {} here, {} there", case.name, case.ours, case.theirs);
        figures.others.entry(rule).or_default().push(told);
    }

    pub fn print(&self, show: usize) {
        println!("| package | functions found by both | by the tool only |\n|---|---|---|");
        for (package, (both, missing)) in &self.missing {
            println!("| {package} | {both} | {} |", missing.len());
        }
        println!("\n| number | package | functions | the same | of the others explained |\n|---|---|---|---|---|");
        for ((number, package), figures) in &self.numbers {
            let others: usize = figures.others.values().map(Vec::len).sum();
            let unexplained = figures.others.get("unexplained").map_or(0, Vec::len);
            let all = figures.same + others;
            let share = figures.same as f64 / all.max(1) as f64 * 100.0;
            println!("| {number} | {package} | {all} | {share:.2} % | {} of {others} |", others - unexplained);
        }
        println!();
        for (package, (_, missing)) in &self.missing {
            missing.iter().take(show).for_each(|place| println!("{package}: {place} is only found by the tool"));
        }
        for ((number, package), figures) in &self.numbers {
            for (rule, cases) in &figures.others {
                println!("{package}, {number}: {} differ: {rule}", cases.len());
                cases.iter().take(show).for_each(|case| println!("    {case}"));
            }
        }
    }
}
