//! The subclass of a library's class, and where that is named.

use crate::lsp::Location;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_targets;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::Span;

/// The subclass that comes into being.
pub(super) struct Extension<'c> {
    pub code: &'c Code,
    pub names: &'c ScopedNames<'c>,
    pub name: &'c str,
    /// What it extends, where it is named.
    pub base: Node<'c>,
    /// Where objects of the base are made that are to be of the subclass.
    pub made: Vec<Node<'c>>,
    /// The functions that go into it.
    pub moved: Vec<Span>,
}

impl<'c> Extension<'c> {
    pub(super) fn text(&self) -> &'c str {
        self.base.text(self.code.text())
    }

    /// Returns the name that says which class it is.
    fn last(&self) -> Node<'c> {
        self.base.child("attribute").or_else(|| self.base.child("property")).unwrap_or(self.base)
    }

    /// Finds what declares the class, which is none of the project's.
    pub(super) async fn library(&self, session: &Session) -> Result<Vec<Location>, Refusal> {
        let code = self.code;
        let found = call_targets::declared(session, code, self.last().start()).await?;
        let refuse = |reason: &str| Err(code.refuse(self.base.start(), format!("`{}` {reason}", self.text())));
        if found.is_empty() {
            return refuse("is not known to be a class");
        }
        for location in &found {
            let is_installed = location.path.as_path().components().any(|it| it.as_os_str() == "node_modules");
            if location.path.is_below(session.root()) && !is_installed {
                return refuse("is the project's own: its methods can stand in it (`move-method`)");
            }
            let there = Code::known(session, &location.path)?;
            let Some(declared) = declared(&there, location) else {
                return refuse("is not a class that can be extended");
            };
            let marks = declared.parent().into_iter().flat_map(Node::children).filter(|it| it.is("decorator"));
            if marks.into_iter().any(|it| it.text(there.text()).ends_with("final")) {
                return refuse("is final: nothing extends it");
            }
            if code.is_typed_script() && declared.child("type_parameters").is_some() {
                return refuse("stands for several types: which one is extended nobody says");
            }
        }
        Ok(found)
    }

    /// Returns what names the class in the file to make an object of it; what the functions make is of the class as before.
    pub(super) fn all_made(&self) -> Vec<Node<'c>> {
        let calls = self.code.root().descendants().filter(|it| it.is_any(&["call", "new_expression"]));
        let named = calls.filter_map(|it| it.child("function").or_else(|| it.child("constructor")));
        let is_left = |it: &Node<'c>| !self.moved.iter().any(|moved| moved.contains(it.span()));
        named.filter(|it| self.is_base(*it) && is_left(it)).collect()
    }

    fn is_base(&self, named: Node<'_>) -> bool {
        let root = |node: Node<'c>| std::iter::successors(Some(node), |it| it.child("object")).last().unwrap_or(node);
        let meaning = |node: Node<'_>| self.names.at(node).map(|it| (it.is_free, it.meaning));
        let here = std::iter::successors(Some(named), |it| it.child("object")).last().unwrap_or(named);
        let (own, its) = (meaning(root(self.base)), meaning(here));
        let is_same = own.is_some_and(|own| own.0) && its.is_some_and(|its| its.0) || own == its;
        named.text(self.code.text()) == self.text() && is_same
    }
}

/// Returns what declares a class at a location: a class, an interface, or the variable that makes its objects.
pub(super) fn declared<'c>(code: &'c Code, location: &Location) -> Option<Node<'c>> {
    let name = code.covering(location.span);
    let outer = name.parent()?;
    let is_class = is_class(outer) || outer.is_any(&["interface_declaration", "variable_declarator"]);
    is_class.then_some(outer)
}
