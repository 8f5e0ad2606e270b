//! One file of a program: its functions, its classes, and what the names in it mean.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::imports::{Bound, bound_names};
use crate::audit::sources::Source;
use crate::syntax::scopes::names;
use crate::syntax::{Family, FunctionSite, Node, functions};

/// One file, read once.
pub(in crate::audit) struct Unit {
    pub source: Arc<Source>,
    pub sites: Vec<FunctionSite>,
    pub imports: BTreeMap<String, Bound>,
    /// What stands at the start of each name.
    meanings: BTreeMap<usize, usize>,
    /// Where each meaning is bound first, and in which scope.
    bindings: BTreeMap<usize, (usize, usize)>,
}

/// What a name means where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audit) enum Meaning {
    /// Bound in the module: where.
    Module(usize),
    /// Bound in a function: where.
    Inner(usize),
    /// Not bound in this text.
    Free,
}

impl Unit {
    pub(in crate::audit) fn of(source: Arc<Source>) -> Self {
        let sites = functions(source.tree(), source.text());
        let imports = bound_names(&source);
        let (mut meanings, mut bindings) = (BTreeMap::new(), BTreeMap::new());
        for name in names(source.tree(), source.text()) {
            meanings.insert(name.span.start, name.meaning);
            if name.is_binding {
                let first = bindings.entry(name.meaning).or_insert((name.span.start, name.scope));
                // A name that is declared `global` is bound in the module too.
                first.1 = first.1.min(name.scope);
            }
        }
        Self { source, sites, imports, meanings, bindings }
    }

    pub(in crate::audit) fn family(&self) -> Family {
        self.source.language.family()
    }

    pub(in crate::audit) fn node(&self, index: usize) -> Option<Node<'_>> {
        self.source.tree().nodes().get(index)
    }

    pub(in crate::audit) fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns what the name that begins at an offset means.
    pub(in crate::audit) fn meaning(&self, at: usize) -> Meaning {
        match self.meanings.get(&at).and_then(|meaning| self.bindings.get(meaning)) {
            Some((bound, 0)) => Meaning::Module(*bound),
            Some((bound, _)) => Meaning::Inner(*bound),
            None => Meaning::Free,
        }
    }

    /// Returns a function of the module by its name.
    pub(in crate::audit) fn function(&self, name: &str) -> Option<&FunctionSite> {
        self.sites.iter().find(|site| site.owners.is_empty() && site.name == name)
    }

    /// Returns a method of a class by the class's name.
    pub(in crate::audit) fn method(&self, class: &str, name: &str) -> Option<&FunctionSite> {
        self.sites.iter().find(|site| site.owners.last().is_some_and(|owner| owner == class) && site.name == name)
    }

    /// Returns a class of the module by its name.
    pub(in crate::audit) fn class(&self, name: &str) -> Option<Node<'_>> {
        const CLASSES: &[&str] = &["class_definition", "class_declaration", "abstract_class_declaration", "class"];
        let named = |node: &Node<'_>| node.child("name").is_some_and(|it| it.text(self.text()) == name);
        self.source.tree().nodes().iter().filter(|node| node.is_any(CLASSES)).find(named)
    }

    /// Returns the names of a class's bases as they are written.
    pub(in crate::audit) fn bases(&self, class: Node<'_>) -> Vec<String> {
        let text = |node: Node<'_>| node.text(self.text()).to_owned();
        match self.family() {
            Family::Python => {
                let list = class.child("superclasses").into_iter().flat_map(Node::named_children);
                list.filter(|base| !base.is("keyword_argument")).map(text).collect()
            }
            _ => {
                let heritage = class.children().filter(|child| child.is("class_heritage"));
                let clauses = heritage.flat_map(Node::named_children);
                let values =
                    clauses.filter_map(|it| if it.is("extends_clause") { it.child("value") } else { Some(it) });
                values.filter(|it| it.is_any(&["identifier", "member_expression"])).map(text).collect()
            }
        }
    }
}
