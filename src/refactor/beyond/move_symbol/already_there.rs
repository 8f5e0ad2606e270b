//! What the module that something comes to has already: the same import, whoever hands it on, and the same constant.

use std::collections::BTreeSet;

use super::Way;
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::equal_code::differing_name;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName};
use crate::refactor::moves::python::star_names::StarNames;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, inner, squeezed};
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::{AbsPath, Span};

impl Way<'_> {
    /// Tells whether the other module has the same import; refuses a name that it uses for something else.
    pub(super) fn check_known(&self, local: &str, link: Option<&Link>) -> Result<bool, Refusal> {
        let names = ScopedNames::of(self.to);
        let source = |text: &str, span: Span| span.of(text).unwrap_or_default().to_owned();
        let is_same = |other: &&Link| {
            let has_name = other.local.and_then(|span| span.of(self.to.text())) == Some(local);
            // Who makes what an import takes is asked in other files.
            let is_it = || match link {
                None => self.is_from(other, local),
                Some(link) => {
                    let is_module = match (&other.module, &link.module) {
                        (None, None) => source(self.to.text(), other.source) == source(self.from.text(), link.source),
                        (one, two) => one == two,
                    };
                    other.taken == link.taken && is_module
                        || self.is_python() && self.origin(link).is_some_and(|it| self.origin(other) == Some(it))
                }
            };
            has_name && is_it()
        };
        let is_type = link.is_some_and(|link| link.form.is_type()) || self.asks_for_type(local);
        let is_enough = |other: &Link| is_type || !other.form.is_type();
        if let Some(same) = self.theirs.iter().find(is_same) {
            let reason = format!("it needs `{local}` when it runs, which is imported as a type alone here");
            return if is_enough(same) { Ok(true) } else { Err(self.to.refuse(same.item.start, reason)) };
        }
        // Others may hand on what the other module declares itself.
        let is_own = || {
            let origin = link.and_then(|link| self.origin(link));
            origin.is_some_and(|(module, name)| module == self.to.path && name == local)
        };
        let is_outer = |name: &Name| name.is_free || names.function_of_meaning(name.meaning).is_none();
        match names.named(local).find(is_outer) {
            Some(_) if is_own() => Ok(true),
            Some(_) if link.is_some_and(|link| self.shares_package(link, local)) => Ok(false),
            Some(name) => {
                let reason = format!("it needs `{local}` of `{}`, and the name means something here", self.from.shown);
                Err(self.to.refuse(name.span.start, reason))
            }
            None => Ok(false),
        }
    }

    /// Returns the module that makes what an import takes by a name, and its name there: others may hand it on.
    pub(super) fn origin(&self, link: &Link) -> Option<(AbsPath, String)> {
        let LinkedName::Name(name) = &link.taken else { return None };
        let (mut module, mut name, mut seen) = (link.module.clone()?, name.clone(), BTreeSet::new());
        while seen.insert((module.clone(), name.clone())) {
            let code = Code::known(self.session, &module).ok()?;
            let bound = ScopedNames::of(&code).named(&name).filter(|it| it.is_binding && it.scope == 0).count();
            let links = self.links.of(&code);
            let taking = links.iter().find(|it| it.local.and_then(|it| it.of(code.text())) == Some(name.as_str()));
            match taking.and_then(|it| Some((&it.taken, it.module.as_ref()?))).filter(|_| bound == 1) {
                Some((LinkedName::Name(next), from)) => (module, name) = (from.clone(), next.clone()),
                None if bound == 0 && self.is_python() => {
                    let names = StarNames { session: self.session, links: self.links, name: &name };
                    match names.given(&code, &mut BTreeSet::new()) {
                        Ok(Some(gift)) => return Some((gift.origin, name)),
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        Some((module, name))
    }

    fn is_from(&self, other: &Link, name: &str) -> bool {
        let is_plain =
            other.module.as_ref() == Some(&self.from.path) && other.taken == LinkedName::Name(name.to_owned());
        is_plain
            || self.is_python()
                && self.origin(other).is_some_and(|(module, own)| module == self.from.path && own == name)
    }

    /// Tells whether an import of the other module brings a name that leaves, itself or by way of a package of Python that hands
    /// it on.
    pub(super) fn is_brought_there(&self, link: &Link, name: &str) -> bool {
        let is_handed_on = || {
            let is_local = link.local.and_then(|local| local.of(self.to.text())) == Some(name);
            self.is_python() && is_local && link.form == LinkForm::Import && self.is_from(link, name)
        };
        self.brings(link, name) || is_handed_on()
    }

    /// Tells whether the other module has a name of this one by way of another, and from nowhere else.
    pub(super) fn is_handed_on_there(&self, name: &str) -> bool {
        let has_name = |link: &&Link| link.local.and_then(|local| local.of(self.to.text())) == Some(name);
        let mut links = self.theirs.iter().filter(has_name).peekable();
        links.peek().is_some() && links.all(|link| link.module.as_ref() != Some(&self.from.path))
    }

    /// Tells whether the other module makes a name of the same plain value by the same words: `WINDOWS = os.name == "nt"`.
    pub(super) fn has_same(&self, name: &str) -> bool {
        let (Some(own), Some(other)) = (plain_value(self.from, name), plain_value(self.to, name)) else { return false };
        // Spaces, and which quotes there are, say nothing.
        let said = |code: &Code, node: Node<'_>| match squeezed(node.text(code.text())) {
            text if text.contains('"') => text,
            text => text.replace('\'', "\""),
        };
        let (here, there) = ((self.from, &[own.span()][..]), (self.to, &[other.span()][..]));
        said(self.from, own) == said(self.to, other) && differing_name(self.session, here, there).is_none()
    }

    /// Tells whether a name is that of one package of Python in both modules, of which each imports its own modules:
    /// `import http.client`, `import http.cookies`.
    fn shares_package(&self, link: &Link, local: &str) -> bool {
        let is_whole = |code: &Code, link: &Link| package_name(code, link).is_some_and(|name| name == local);
        let names = ScopedNames::of(self.to);
        let mut bound = names.named(local).filter(|it| it.is_binding && it.scope == 0);
        let is_theirs = |span: Span| self.theirs.iter().any(|it| it.local == Some(span) && is_whole(self.to, it));
        self.is_python() && is_whole(self.from, link) && bound.all(|it| is_theirs(it.span))
    }

    /// Leaves those of the imports of one package that what leaves asks for: `http.client.OK` asks for `import http.client` alone.
    pub(super) fn asked<'l>(&self, links: Vec<&'l Link>) -> Vec<&'l Link> {
        let local = links.first().and_then(|link| link.local);
        let Some(local) = local.and_then(|local| self.names.at(self.from.covering(local))) else { return links };
        let leaves = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        let uses: Vec<Span> =
            self.names.of_meaning(local.meaning).map(|it| it.span).filter(|span| leaves(*span)).collect();
        let is_asked = |link: &&Link| uses.is_empty() || uses.iter().any(|span| self.is_asking(*span, link));
        links.into_iter().filter(is_asked).collect()
    }

    /// Tells whether a use of a name asks for what an import brings under it: several of one package bring a module each.
    pub(super) fn is_asking(&self, name: Span, link: &Link) -> bool {
        let text = self.from.text();
        let Some(package) = package_name(self.from, link) else { return true };
        let node = self.from.covering(name);
        let chain = node.ancestors().take_while(|it| it.is("attribute")).last().unwrap_or(node).text(text);
        let is_named = |other: &&Link| {
            let rest = other.item.of(text).and_then(|path| chain.strip_prefix(path));
            package_name(self.from, other) == Some(package)
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let longest = self.own.iter().filter(is_named).max_by_key(|other| other.item.len());
        longest.is_none_or(|longest| longest.item == link.item)
    }
}

/// Returns the name of the package by which an import of Python without another name binds a module: `http` of `http.client`.
fn package_name<'c>(code: &'c Code, link: &Link) -> Option<&'c str> {
    let (item, local) = (link.item.of(code.text())?, link.local?.of(code.text())?);
    let is_whole =
        link.taken == LinkedName::Module && link.form == LinkForm::Import && !item.contains(char::is_whitespace);
    (is_whole && item.split('.').next() == Some(local)).then_some(local)
}

/// Returns the statement by which a module makes a name once, of a value that has no identity of its own.
fn plain_value<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    /// What makes a new thing each time.
    const MAKING: &[&str] = &[
        "array",
        "arrow_function",
        "await",
        "class",
        "dictionary",
        "dictionary_comprehension",
        "function_expression",
        "generator_expression",
        "lambda",
        "list",
        "list_comprehension",
        "new_expression",
        "object",
        "set",
        "set_comprehension",
    ];
    /// Functions whose result is as good as another of the same.
    const PLAIN: &[&str] =
        &["NewType", "ParamSpec", "TypeVar", "bool", "float", "frozenset", "int", "re.compile", "str", "tuple"];
    let is_it = |it: &Node<'_>| declared(code, *it).is_some_and(|own| own.text(code.text()) == name);
    let statement = inner(code.root().named_children().find(is_it)?);
    let is_value = statement.is_any(&["expression_statement", "lexical_declaration", "type_alias_declaration"]);
    let is_plain = |it: Node<'_>| match it.is_any(&["call", "call_expression"]) {
        true => it.child("function").is_some_and(|it| PLAIN.contains(&it.text(code.text()))),
        false => !it.is_any(MAKING),
    };
    let names = ScopedNames::of(code);
    let is_once = names.named(name).filter(|it| it.is_binding && it.scope == 0).count() == 1;
    (is_value && is_once && (statement.is("type_alias_declaration") || statement.descendants().all(is_plain)))
        .then_some(statement)
}
