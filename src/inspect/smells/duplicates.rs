//! `duplicate-code`: the same steps written twice, white space, comments, literals and names of variables aside.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::facts::{Facts, Start, Token, Tokens};
use super::finding::{Finding, Severity};
use super::smell::{Find, Judgement, Limit, Limits, Smell, SmellContext};
use crate::inspect::view::View;
use crate::syntax::Node;
use crate::syntax::kinds::{Role, is_function};

pub(super) const DUPLICATE_CODE: Smell = Smell {
    name: "duplicate-code",
    about: "Steps inside functions that stand a second time in the project, whatever their variables are called.",
    refactoring: "extract-function",
    limits: &[
        Limit { name: "tokens", default: 100, about: "tokens that are alike" },
        Limit { name: "lines", default: 8, about: "lines that they stand in" },
    ],
    find: Find::Across { note, judge },
};

fn note(view: &View<'_>, limits: &Limits<'_>, facts: &mut Facts) {
    if view.is_test() {
        return;
    }
    let least = limits.get("tokens") as usize;
    let (all, begins) = tokens(view);
    let last_line = 0;
    let mut starts = Vec::new();
    let mut line = last_line;
    for (at, begin) in begins.iter().enumerate() {
        let is_first = all[at].line != line;
        line = all[at].line;
        let (Some(node), Some(window)) = (begin, all.get(at..at + least)) else { continue };
        if is_first && is_code(window) {
            starts.push(Start { hash: fingerprint(window), at, spot: view.of_lines(*node) });
        }
    }
    facts.tokens = Tokens { all, starts };
}

/// Returns the tokens; beside each that stands in a function's body, its node.
fn tokens<'t>(view: &View<'t>) -> (Vec<Token>, Vec<Option<Node<'t>>>) {
    let family = view.family();
    let nodes = view.tree.nodes();
    let mut inside = vec![false; nodes.len()];
    let (mut all, mut begins) = (Vec::new(), Vec::new());
    for node in nodes.iter() {
        let parent = node.parent();
        let is_body = node.field() == Some("body") && parent.is_some_and(|outer| is_function(outer, family));
        inside[node.index()] = is_body || parent.is_some_and(|outer| inside[outer.index()]);
        if !node.is_leaf()
            || node.span().is_empty()
            || node.has(Role::Comment)
            || parent.is_some_and(|outer| outer.has(Role::Comment))
        {
            continue;
        }
        all.push(token(node, view));
        begins.push(inside[node.index()].then_some(node));
    }
    (all, begins)
}

fn token(node: Node<'_>, view: &View<'_>) -> Token {
    let kind = node.kind();
    let is_named =
        node.field().is_some_and(|it| matches!(it, "attribute" | "property" | "field" | "function" | "name"));
    let is_variable = node.is("identifier") && !is_named;
    let is_word = node.is_named() && kind.ends_with("identifier");
    let word = if is_word { hash(node.text(view.text)) } else { hash(kind) } as u32;
    Token { word, line: view.line(node.start()), is_variable }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Tells whether tokens are more than a table of data: enough different words, and calls or assignments.
fn is_code(window: &[Token]) -> bool {
    let mut words: Vec<u32> = window.iter().map(|token| token.word).collect();
    words.sort_unstable();
    words.dedup();
    let variables = window.iter().filter(|token| token.is_variable).count();
    words.len() * 5 > window.len() && variables * 10 > window.len()
}

/// Hashes tokens with each variable as the place where it first stood.
fn fingerprint(window: &[Token]) -> u64 {
    let mut variables: Vec<u32> = Vec::new();
    let mut hasher = DefaultHasher::new();
    for token in window {
        if token.is_variable {
            let known = variables.iter().position(|it| *it == token.word);
            known.unwrap_or(variables.len()).hash(&mut hasher);
            if known.is_none() {
                variables.push(token.word);
            }
        } else {
            token.word.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// A place where a copy begins: the file and the number of the start in it.
type Place = (usize, usize);

/// Stretches that are alike.
struct Copies {
    places: Vec<Place>,
    tokens: usize,
}

fn judge(world: &SmellContext<'_>, limits: &Limits<'_>) -> Judgement {
    let facts = world.facts;
    let mut groups: HashMap<u64, Vec<Place>> = HashMap::new();
    for (file, of_file) in facts.iter().enumerate() {
        for (start, one) in of_file.tokens.starts.iter().enumerate() {
            groups.entry(one.hash).or_default().push((file, start));
        }
    }
    let mut found: Vec<Copies> = groups.into_values().filter_map(|places| copies(places, facts, limits)).collect();
    found.sort_unstable_by(|a, b| (b.tokens, &a.places).cmp(&(a.tokens, &b.places)));
    let mut covered: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    let mut findings = Vec::new();
    for copies in found {
        let span = |place: Place| {
            let at = facts[place.0].tokens.starts[place.1].at;
            (at, at + copies.tokens)
        };
        let is_free = |place: &&Place| {
            let (from, to) = span(**place);
            let taken = covered.get(&place.0).is_some_and(|all| all.iter().any(|(a, b)| *a < to && from < *b));
            !taken
        };
        let free: Vec<Place> = copies.places.iter().filter(is_free).copied().collect();
        if free.len() < 2 {
            continue;
        }
        for place in &free {
            covered.entry(place.0).or_default().push(span(*place));
        }
        findings.push(finding(&free, copies.tokens, facts));
    }
    Judgement { findings, notes: Vec::new() }
}

/// Above this many, what is alike is a custom of the project.
const MOST_COPIES: usize = 40;

/// Makes the longest stretches of places that begin alike; nothing where the lines before are alike as well.
fn copies(places: Vec<Place>, facts: &[Facts], limits: &Limits<'_>) -> Option<Copies> {
    let first = *places.first().filter(|_| (2..=MOST_COPIES).contains(&places.len()))?;
    let before = |place: Place| place.1.checked_sub(1).map(|it| facts[place.0].tokens.starts[it].hash);
    let same: Vec<Place> = places
        .iter()
        .copied()
        .filter(|place| *place == first || before(*place) != before(first) || before(first).is_none())
        .collect();
    let least = limits.get("tokens") as usize;
    let mut tokens = usize::MAX;
    let mut kept = vec![first];
    for place in same.into_iter().skip(1) {
        let at = stretch(place, facts).0;
        let last = *kept.last().expect("the first is kept");
        // What goes on into its own copy is a row of the same, not a copy.
        let room = if place.0 == last.0 { at - stretch(last, facts).0 } else { usize::MAX };
        let alike = alike(stretch(first, facts).1, stretch(place, facts).1).min(room);
        if alike < least {
            continue;
        }
        tokens = tokens.min(alike);
        kept.push(place);
    }
    let (_, from_first) = stretch(first, facts);
    let lines = from_first.get(tokens.saturating_sub(1))?.line + 1 - from_first[0].line;
    (kept.len() > 1 && lines >= limits.get("lines")).then_some(Copies { places: kept, tokens })
}

fn stretch(place: Place, facts: &[Facts]) -> (usize, &[Token]) {
    let of_file = &facts[place.0].tokens;
    let at = of_file.starts[place.1].at;
    (at, &of_file.all[at..])
}

/// Counts how many tokens two stretches share from their beginnings, variables one for one.
fn alike(one: &[Token], other: &[Token]) -> usize {
    let (mut there, mut back): (HashMap<u32, u32>, HashMap<u32, u32>) = (HashMap::new(), HashMap::new());
    let same = |(a, b): &(&Token, &Token)| {
        if a.is_variable && b.is_variable {
            let (to, from) = (*there.entry(a.word).or_insert(b.word), *back.entry(b.word).or_insert(a.word));
            return to == b.word && from == a.word;
        }
        a.is_variable == b.is_variable && a.word == b.word
    };
    one.iter().zip(other).take_while(same).count()
}

/// How many of the other copies are named.
const NAMED: usize = 5;

fn finding(places: &[Place], tokens: usize, facts: &[Facts]) -> Finding {
    let lines = |place: Place| {
        let (_, all) = stretch(place, facts);
        (all[0].line, all[tokens - 1].line)
    };
    let shown = |place: Place| {
        let (first, last) = lines(place);
        format!("{}#L{first}-L{last}", facts[place.0].file.name)
    };
    let others: Vec<String> = places.iter().skip(1).take(NAMED).map(|place| shown(*place)).collect();
    let more = places.len().saturating_sub(NAMED + 1);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (first, last) = lines(places[0]);
    let details = format!("{} lines ({tokens} tokens) again in {}{more}", last + 1 - first, others.join(", "));
    let severity = if last - first >= 30 || places.len() > 3 { Severity::High } else { Severity::Medium };
    let spot = facts[places[0].0].tokens.starts[places[0].1].spot.clone();
    let mut finding = spot.finding(severity, "", details);
    finding.location = shown(places[0]);
    let is_one_file = places.iter().all(|place| place.0 == places[0].0);
    finding.refactoring = is_one_file.then_some("extract-method");
    finding
}
