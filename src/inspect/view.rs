//! One file as the smells see it.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::inspect::outline::{Class, Function, Outline};
use crate::inspect::smells::{Finding, Severity};
use crate::inspect::source_file::SourceFile;
use crate::syntax::kinds::{Role, is_function};
use crate::syntax::shown;
use crate::syntax::{Declaration, Family, Measured, Measures, Naming, Node, Places, Tree, measures};
use crate::text::Span;

/// A file with all that its syntax tells.
pub struct View<'t> {
    pub file: &'t SourceFile,
    pub tree: &'t Tree,
    pub text: &'t str,
    pub outline: &'t Outline<'t>,
    places: Places<'t>,
    /// For each line, how many lines of code stand before it.
    code_before: Vec<u32>,
    measured: OnceCell<Measured>,
    naming: OnceCell<Naming<'t>>,
}

/// Where something was found, and by what it is known again when lines have moved.
#[derive(Debug, Clone)]
pub struct FindingLocation {
    location: String,
    anchor: String,
    line: u32,
}

impl<'t> View<'t> {
    pub fn new(file: &'t SourceFile, tree: &'t Tree, text: &'t str, outline: &'t Outline<'t>) -> Self {
        let places = Places::new(text);
        let code_before = code_before(tree, &places);
        Self { file, tree, text, outline, places, code_before, measured: OnceCell::new(), naming: OnceCell::new() }
    }

    pub fn family(&self) -> Family {
        self.tree.language().family()
    }

    pub fn line(&self, offset: usize) -> u32 {
        self.places.line(offset)
    }

    /// Counts the lines of a span that hold more than comments and documentation.
    pub fn code_lines(&self, span: Span) -> u32 {
        let (first, last) = self.places.lines(span);
        let before = |line: u32| self.code_before.get(line as usize).or(self.code_before.last()).copied();
        before(last + 1).unwrap_or_default() - before(first).unwrap_or_default()
    }

    /// Returns the numbers of a function.
    pub fn measures(&self, function: &Function<'_>) -> Measures {
        let measured = self.measured.get_or_init(|| measures(self.tree, self.text));
        measured.of(function.node).unwrap_or_default()
    }

    /// Tells whether the file holds tests, by its path.
    pub fn is_test(&self) -> bool {
        crate::syntax::is_test(&self.file.name)
    }

    /// Returns everything in the body of a function, with what stands in functions inside it.
    pub fn within_all(&self, function: &Function<'t>) -> impl Iterator<Item = Node<'t>> {
        function.body().into_iter().flat_map(|body| std::iter::once(body).chain(body.descendants()))
    }

    /// Returns the innermost function around a node.
    pub fn function_around(&self, node: Node<'_>) -> Option<&Function<'t>> {
        let around = node.ancestors().find(|outer| is_function(*outer, self.family()))?;
        let at = self.outline.functions.binary_search_by_key(&around.index(), |it| it.node.index()).ok()?;
        self.outline.functions.get(at)
    }

    pub fn of_function(&self, function: &Function<'_>) -> FindingLocation {
        let anchor = if function.path.is_empty() { self.names_around(function.node) } else { function.path.clone() };
        self.spot(&function.target, &anchor, function.line)
    }

    pub fn of_class(&self, class: &Class<'_>) -> FindingLocation {
        self.spot(&class.target, &class.path, class.line)
    }

    pub fn of_declaration(&self, declaration: &Declaration) -> FindingLocation {
        let all = &self.outline.declarations;
        let naming = self.naming.get_or_init(|| Naming::new(all, self.text, self.tree.language()));
        let target = naming.target(declaration);
        self.spot(&target, &declaration.path, self.line(declaration.name_span.start))
    }

    /// A place inside the code.
    pub fn of_node(&self, node: Node<'_>) -> FindingLocation {
        self.spot(&self.places.target(node.start()), &self.names_around(node), self.line(node.start()))
    }

    /// The lines that begin with a node; where they end, the caller knows.
    pub fn of_lines(&self, node: Node<'_>) -> FindingLocation {
        self.spot("", &self.names_around(node), self.line(node.start()))
    }

    pub fn of_file(&self) -> FindingLocation {
        self.spot("", &[], 1)
    }

    fn spot(&self, target: &str, names: &[String], line: u32) -> FindingLocation {
        let name = &self.file.name;
        let anchor = if names.is_empty() { String::new() } else { shown(names, self.tree.language()) };
        FindingLocation { location: format!("{name}{target}"), anchor: format!("{name}{anchor}"), line }
    }

    /// Returns the path of the named function or class around a node.
    pub fn names_around(&self, node: Node<'_>) -> Vec<String> {
        let indices: HashSet<usize> = node.ancestors().map(Node::index).collect();
        let functions = self.outline.functions.iter().map(|it| (it.node.index(), &it.path));
        let classes = self.outline.classes.iter().map(|it| (it.node.index(), &it.path));
        let around = functions.chain(classes).filter(|(index, path)| !path.is_empty() && indices.contains(index));
        around.max_by_key(|(index, _)| *index).map(|(_, path)| path.clone()).unwrap_or_default()
    }
}

impl FindingLocation {
    pub fn location(&self) -> &str {
        &self.location
    }

    /// Makes a finding of this place; `key` tells it from others of its kind in the same function.
    pub fn finding(self, severity: Severity, key: &str, details: String) -> Finding {
        let anchor = if key.is_empty() { self.anchor } else { format!("{} {key}", self.anchor) };
        Finding { location: self.location, line: self.line, anchor, severity, details, refactoring: None }
    }
}

/// Counts, for each line from 0 on, the lines of code before it.
fn code_before(tree: &Tree, places: &Places<'_>) -> Vec<u32> {
    let mut has_code = vec![false; places.count() as usize + 2];
    for node in tree.nodes().iter().filter(|node| node.is_leaf() && !node.span().is_empty()) {
        if node.has(Role::Comment)
            || node.ancestors().take(2).any(|outer| outer.has(Role::Comment) || is_docstring(outer))
        {
            continue;
        }
        let (first, last) = places.lines(node.span());
        for line in first..=last {
            if let Some(has) = has_code.get_mut(line as usize) {
                *has = true;
            }
        }
    }
    let mut count = 0;
    let mut before = Vec::with_capacity(has_code.len() + 1);
    for has in has_code {
        before.push(count);
        count += u32::from(has);
    }
    before.push(count);
    before
}

/// Tells whether a node is a Python string that stands for itself.
fn is_docstring(node: Node<'_>) -> bool {
    node.is("string") && node.parent().is_some_and(|outer| outer.is("expression_statement"))
}
