//! What one name of a module stands for in turn, as modules of the project give it to each other: `try: from fast import work`,
//! and where that fails `from slow import work`.
//!
//! Read from the text: of a branch that is not taken where it looks, no server says what it imports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::forward_references::is_python;
use super::kept_reexports::Reexport;
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkedName, Links as _};
use crate::refactor::moves::python::with_modules;
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::{Node, scopes};
use crate::text::{AbsPath, Span};
use crate::workspace::locked;

/// Statements of which a program runs one part or the other.
const CONDITIONALS: [&str; 9] = [
    "if_statement",
    "elif_clause",
    "else_clause",
    "try_statement",
    "except_clause",
    "except_group_clause",
    "finally_clause",
    "match_statement",
    "case_clause",
];
const SCOPES: [&str; 3] = ["function_definition", "class_definition", "lambda"];

/// A name of one scope with several bindings, of which one is an import and one is taken as the program runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Choice {
    pub path: AbsPath,
    pub bindings: Vec<Binding>,
    /// Everywhere in its file that the name means this.
    pub spans: Vec<Span>,
    is_top: bool,
    /// It keeps its name: what a library gives or a parameter is among its bindings.
    pub is_fixed: bool,
}

/// What binds the name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// `from module import name`; a library's module is none.
    Taken { imported: Span, local: Span, module: Option<AbsPath> },
    /// `… as name`: of something that goes by another name.
    Alias,
    /// `import name`, and a parameter of that name.
    Fixed(Span),
    /// A definition or an assignment.
    Own(Span),
}

/// What belongs together by one name at the top of modules.
#[derive(Debug, Clone, Default)]
pub(super) struct Component {
    /// The modules that have it of their own.
    pub modules: BTreeSet<AbsPath>,
    /// Where it stands for several of them in turn.
    pub choices: BTreeSet<Choice>,
    /// Where it stands for one of them or for something that keeps its name.
    pub kept: BTreeSet<Choice>,
}

/// Who takes a name from whom.
pub(super) struct Graph {
    name: String,
    files: BTreeMap<AbsPath, Takes>,
    choices: Vec<Choice>,
}

#[derive(Default)]
struct Takes {
    /// Imports that keep the name.
    links: Vec<Link>,
    /// Star imports of modules of the project.
    stars: Vec<AbsPath>,
    /// Where the name is bound at the top.
    tops: BTreeSet<Span>,
}

/// The imports of a project's Python files. Each file's are read once, for the names of a whole family are asked for.
pub(super) struct Imports<'a> {
    session: &'a Session,
    known: Mutex<BTreeMap<AbsPath, Arc<[Link]>>>,
}

impl<'a> Imports<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Self { session, known: Mutex::default() }
    }

    /// Returns where the name at the top of a module stands for something of its own or for a library's.
    pub(super) fn fixed(&self, name: &str) -> Result<Vec<Choice>, Refusal> {
        let choices = self.choosing(name)?.map_or_else(Vec::new, |graph| graph.choices);
        Ok(choices.into_iter().filter(|one| one.is_top && one.is_fixed && one.own().next().is_some()).collect())
    }

    /// Reads who takes the name from whom, if it stands anywhere for several things in turn.
    pub(super) fn choosing(&self, name: &str) -> Result<Option<Graph>, Refusal> {
        let files = self.mentioning(name);
        let disk = self.session.disk();
        let may_choose = |path: &AbsPath| disk.read(path).is_ok_and(|text| has_inner_import(text.as_str()));
        if !files.iter().any(may_choose) {
            return Ok(None);
        }
        Ok(Some(self.graph(files, name)?).filter(|graph| !graph.choices.is_empty()))
    }

    /// Returns the modules that have the name of their own which a module of the project gives.
    pub(super) fn givers(&self, path: &AbsPath, local: Span, name: &str) -> Result<BTreeSet<AbsPath>, Refusal> {
        let graph = self.graph(self.mentioning(name), name)?;
        let links = graph.files.get(path).into_iter().flat_map(|takes| &takes.links);
        let from = links.filter(|link| link.item.contains(local)).filter_map(|link| link.module.clone());
        let mut component = Component::default();
        graph.spread(from.collect(), &mut component, Way::Down);
        Ok(component.modules)
    }

    fn mentioning(&self, name: &str) -> Vec<AbsPath> {
        self.session.disk().files_mentioning(name).into_iter().filter(is_python).collect()
    }

    fn graph(&self, files: Vec<AbsPath>, name: &str) -> Result<Graph, Refusal> {
        self.read(&files)?;
        let known = locked(&self.known);
        let mut graph = Graph { name: name.to_owned(), files: BTreeMap::new(), choices: Vec::new() };
        for path in files {
            let Some(parsed) = self.session.parsed(&path)? else { continue };
            graph.add(&path, &parsed, known.get(&path).map_or(&[], |links| &**links));
        }
        graph.fix();
        Ok(graph)
    }

    fn read(&self, files: &[AbsPath]) -> Result<(), Refusal> {
        let mut known = locked(&self.known);
        let unread = Vec::from_iter(files.iter().filter(|path| !known.contains_key(*path)));
        if unread.is_empty() {
            return Ok(());
        }
        with_modules(self.session, &BTreeMap::new(), |modules| {
            for path in unread {
                known.insert(path.clone(), modules.of(&Code::known(self.session, path)?).into());
            }
            Ok(())
        })
    }
}

/// Tells whether a statement lies in a part that a program may pass over.
pub(super) fn is_conditional(node: Node<'_>) -> bool {
    let around = node.ancestors().skip_while(|outer| outer.span() == node.span());
    around.take_while(|outer| !outer.is_any(&SCOPES)).any(is_part)
}

/// Tells whether two declarations of one name stand in parts of which a program runs one or the other.
pub(super) fn are_alternatives(one: Node<'_>, other: Node<'_>) -> bool {
    let Some(common) = one.ancestors().find(|outer| outer.holds(other)) else { return false };
    let below = |node: Node<'_>| node.ancestors().take_while(move |outer| *outer != common).any(is_part);
    is_part(common) || below(one) || below(other)
}

fn is_part(node: Node<'_>) -> bool {
    node.is_any(&CONDITIONALS)
}

fn has_inner_import(text: &str) -> bool {
    let is_inner = |line: &str| {
        line.contains(": from ") || line.starts_with([' ', '\t']) && line.trim_start().starts_with("from ")
    };
    text.lines().any(is_inner)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To those that give the name.
    Down,
    /// To those that take it, too.
    Both,
}

impl Graph {
    fn add(&mut self, path: &AbsPath, parsed: &Parsed, links: &[Link]) {
        let text = parsed.text.as_str();
        let named = parsed.names();
        let own = named.iter().filter(|one| !one.is_free && one.span.of(text) == Some(self.name.as_str()));
        let mut meanings: BTreeMap<usize, Vec<&scopes::Name>> = BTreeMap::new();
        for one in own {
            meanings.entry(one.meaning).or_default().push(one);
        }
        let mut takes = Takes::default();
        for same in meanings.values() {
            let bound: Vec<Span> = same.iter().filter(|one| one.is_binding).map(|one| one.span).collect();
            let node = |span: &Span| parsed.tree.nodes().covering(*span);
            let is_top = bound.iter().any(|span| is_at_top(node(span)));
            takes.tops.extend(bound.iter().filter(|_| is_top));
            if bound.len() < 2 || !bound.iter().any(|span| is_conditional(node(span))) {
                continue;
            }
            let bindings: Vec<Binding> = bound.iter().map(|span| binding((parsed, &self.name), *span, links)).collect();
            if bindings.iter().any(|one| matches!(one, Binding::Taken { .. })) {
                let spans = same.iter().map(|one| one.span).collect();
                self.choices.push(Choice { path: path.clone(), bindings, spans, is_top, is_fixed: false });
            }
        }
        takes.stars =
            links.iter().filter(|link| link.taken == LinkedName::Star).filter_map(|link| link.module.clone()).collect();
        let keeps = |link: &Link| {
            link.taken == LinkedName::Name(self.name.clone())
                && link.local.is_some_and(|local| local.of(text) == Some(self.name.as_str()))
        };
        takes.links = links.iter().filter(|link| keeps(link)).cloned().collect();
        self.files.insert(path.clone(), takes);
    }

    /// Finds the choices that keep their name, and those that what these give is one of.
    fn fix(&mut self) {
        loop {
            let is_kept = |choice: &Choice| choice.bindings.iter().any(|one| self.is_fixed(one));
            let fixed: Vec<usize> = (0..self.choices.len())
                .filter(|at| !self.choices[*at].is_fixed && is_kept(&self.choices[*at]))
                .collect();
            if fixed.is_empty() {
                return;
            }
            for at in fixed {
                self.choices[at].is_fixed = true;
            }
        }
    }

    fn is_fixed(&self, binding: &Binding) -> bool {
        match binding {
            Binding::Fixed(_) => true,
            Binding::Taken { module, .. } => self.is_given_by_others(module.as_ref(), &mut BTreeSet::new()),
            Binding::Alias | Binding::Own(_) => false,
        }
    }

    /// Tells whether what a module gives under the name comes from a library.
    fn is_given_by_others(&self, module: Option<&AbsPath>, asked: &mut BTreeSet<AbsPath>) -> bool {
        let Some(module) = module else { return true };
        if !asked.insert(module.clone()) {
            return false;
        }
        if let Some(choice) = self.top_choice(module) {
            return choice.is_fixed;
        }
        let Some(takes) = self.files.get(module) else { return false };
        takes.tops.len() == 1 && takes.at_top().any(|link| self.is_given_by_others(link.module.as_ref(), asked))
    }

    fn top_choice(&self, path: &AbsPath) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.is_top && choice.path == *path)
    }

    fn choice_at(&self, path: &AbsPath, local: Span) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.path == *path && choice.spans.contains(&local))
    }

    /// Finds what belongs together with the name at the top of a module.
    pub(super) fn component(&self, path: &AbsPath) -> Component {
        let mut component = Component::default();
        self.spread(vec![path.clone()], &mut component, Way::Both);
        component
    }

    fn spread(&self, mut open: Vec<AbsPath>, component: &mut Component, way: Way) {
        let mut seen: BTreeSet<AbsPath> = BTreeSet::new();
        while let Some(path) = open.pop() {
            if !seen.insert(path.clone()) {
                continue;
            }
            open.extend(self.below(&path, way, component));
            if way == Way::Both {
                open.extend(self.above(&path, component));
            }
        }
    }

    /// Follows what a module takes under the name; notes it where that is nothing.
    fn below(&self, path: &AbsPath, way: Way, component: &mut Component) -> Vec<AbsPath> {
        let Some(takes) = self.files.get(path) else { return Vec::new() };
        let links: Vec<&Link> = takes.at_top().collect();
        let choice = self.top_choice(path);
        let is_end = links.is_empty() || choice.is_some_and(|choice| choice.is_fixed);
        if is_end && !takes.tops.is_empty() {
            component.modules.insert(path.clone());
        }
        if let Some(choice) = choice.filter(|_| way == Way::Both) {
            component.choices.insert(choice.clone());
            if choice.is_fixed {
                return Vec::new();
            }
        }
        let stars = takes.stars.iter().filter(|_| takes.tops.is_empty()).cloned();
        links.iter().filter_map(|link| link.module.clone()).chain(stars).collect()
    }

    /// Follows those who take the name from a module.
    fn above(&self, path: &AbsPath, component: &mut Component) -> Vec<AbsPath> {
        let mut found = Vec::new();
        for (taker, takes) in &self.files {
            if takes.tops.is_empty() && takes.stars.contains(path) {
                found.push(taker.clone());
            }
            for link in takes.links.iter().filter(|link| link.module.as_ref() == Some(path)) {
                let Some(local) = link.local else { continue };
                match self.choice_at(taker, local) {
                    None => found.extend(takes.tops.contains(&local).then(|| taker.clone())),
                    Some(choice) if choice.is_fixed => drop(component.kept.insert(choice.clone())),
                    Some(choice) => {
                        component.choices.insert(choice.clone());
                        found.extend(choice.modules());
                        found.extend(choice.is_top.then(|| taker.clone()));
                    }
                }
            }
        }
        found
    }
}

impl Takes {
    /// Returns the imports that bind the name at the top.
    fn at_top(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().filter(|link| link.local.is_some_and(|local| self.tops.contains(&local)))
    }
}

impl Choice {
    fn modules(&self) -> impl Iterator<Item = AbsPath> {
        self.bindings.iter().filter_map(|one| match one {
            Binding::Taken { module, .. } => module.clone(),
            Binding::Alias | Binding::Fixed(_) | Binding::Own(_) => None,
        })
    }

    /// Returns the imports of modules that are meant.
    pub(super) fn reexports(&self, is_meant: impl Fn(Option<&AbsPath>) -> bool) -> impl Iterator<Item = Reexport> {
        self.bindings.iter().filter_map(move |one| match one {
            Binding::Taken { imported, local, module } if is_meant(module.as_ref()) => Some(Reexport {
                path: self.path.clone(),
                imported: *imported,
                alias: (local != imported).then_some(*local),
            }),
            _ => None,
        })
    }

    /// Returns where it is defined or assigned in its own file.
    pub(super) fn own(&self) -> impl Iterator<Item = Span> {
        self.bindings.iter().filter_map(|one| match one {
            Binding::Own(span) => Some(*span),
            Binding::Alias | Binding::Fixed(_) | Binding::Taken { .. } => None,
        })
    }
}

fn binding((parsed, name): (&Parsed, &str), span: Span, links: &[Link]) -> Binding {
    let text = parsed.text.as_str();
    let link = links.iter().find(|link| link.local == Some(span));
    match link {
        Some(link) if link.taken == LinkedName::Name(name.to_owned()) => {
            let imported = Span::new(link.item.start, link.item.start + name.len());
            Binding::Taken { imported, local: span, module: link.module.clone() }
        }
        Some(link) if link.taken == LinkedName::Module && link.item.start == span.start => Binding::Fixed(span),
        Some(_) => Binding::Alias,
        None if is_parameter(parsed.tree.nodes().covering(span), text) => Binding::Fixed(span),
        None => Binding::Own(span),
    }
}

fn is_parameter(name: Node<'_>, text: &str) -> bool {
    let is_named = |outer: Node<'_>| outer.child("name").is_none_or(|own| own.text(text) == name.text(text));
    let list = |node: Node<'_>| node.is_any(&["parameters", "lambda_parameters"]);
    name.parent().is_some_and(|outer| list(outer) || outer.parent().is_some_and(list) && is_named(outer))
}

fn is_at_top(node: Node<'_>) -> bool {
    let own = node.parent().filter(|outer| outer.is_any(&SCOPES) && outer.child("name") == Some(node));
    !node.ancestors().any(|outer| outer.is_any(&SCOPES) && Some(outer) != own)
}
