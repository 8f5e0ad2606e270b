//! What strings of a Python project say of what moved: its path (`"shop.cli:main"`), or its name, where the module is asked
//! for it or given something in its place (`patch.object(tax, "rate")`). No import leads there.

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, Fate, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::moves::python::SETTINGS;
use crate::refactor::rename::test_doubles::{called_with, replaces};
use crate::refactor::rename::{asked_by_name, asked_object, finds_names};
use crate::refactor::source_file::{Code, is_module_level};
use crate::syntax::python::folded;
use crate::syntax::{Node, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit};

/// Functions that load a module by its name (Python's `importlib`, pytest).
const LOADING: &[&str] = &["import_module", "__import__", "importorskip"];
/// Functions that ask a module for what a string names.
const ASKING: &[&str] = &["getattr", "hasattr"];

/// The module that something leaves and the one that it goes to, each in dots, with the names that matter.
struct Said {
    old: String,
    new: String,
    /// What the moved code asks of the module that it leaves, its imports among it.
    needed: BTreeSet<String>,
}

/// Why a place is told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Doubt {
    /// The module is asked for the name.
    Asked(String),
    /// It is asked for names that are made as the program runs.
    Made(String),
    /// Something is put in the place of what moved.
    Replaced(String),
    /// The module by which things know where they are declared is compared with the old one.
    Compared(String),
    /// Something is put in the place of what the moved code needs.
    NeededReplaced(String),
}

/// What one file says.
#[derive(Default)]
struct Found {
    edits: Vec<TextEdit>,
    told: BTreeMap<Doubt, Vec<Span>>,
}

impl Found {
    fn tell(&mut self, doubt: Doubt, span: Span) {
        self.told.entry(doubt).or_default().push(span);
    }
}

impl Way<'_> {
    /// Leads the strings that name what moved by its path, and tells the others; returns where they all stand.
    pub(super) fn lead_strings(&self, draft: &mut Draft) -> Result<BTreeSet<(AbsPath, Span)>, Refusal> {
        let mut seen = BTreeSet::new();
        let Some((old, new)) = self.dotted() else { return Ok(seen) };
        let said = Said { old, new, needed: self.needed_names() };
        for path in self.session.disk().files_mentioning(self.stem()) {
            if draft.deleted.contains_key(&path) {
                continue;
            }
            let Ok(text) = self.session.disk().read(&path) else { continue };
            let found = match path.extension() {
                "py" => self.in_code(&Code::known(self.session, &path)?, &said),
                other if SETTINGS.contains(&other) => self.in_settings(text.as_str(), &said),
                _ => continue,
            };
            seen.extend(found.edits.iter().map(|edit| (path.clone(), edit.span)));
            seen.extend(found.told.values().flatten().map(|span| (path.clone(), *span)));
            draft.warnings.extend(self.remarks((&path, &text), &said, &found));
            if !found.edits.is_empty() {
                draft.edits.entry(path).or_insert_with(|| (text, Vec::new())).1.extend(found.edits);
            }
        }
        Ok(seen)
    }

    /// Returns what the moved statements take from the top of their module.
    pub(super) fn needed_names(&self) -> BTreeSet<String> {
        let goes_along = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        let is_left = |meaning: usize| {
            let mut bindings = self.names.of_meaning(meaning).filter(|one| one.is_binding).peekable();
            bindings.peek().is_some()
                && bindings.all(|one| !goes_along(one.span) && is_module_level(self.from, one.span))
        };
        let statements = self.leaving.iter().flat_map(|one| &one.statements);
        let names = statements.flat_map(|statement| self.names.within(statement.span()));
        let needed = names.filter(|name| !name.is_free && is_left(name.meaning));
        needed.filter_map(|name| name.span.of(self.from.text())).map(str::to_owned).collect()
    }

    /// Tells whether the module goes on to have a name that moved.
    pub(super) fn still_has(&self, name: &str) -> bool {
        let moved = self.leaving.iter().find(|one| one.name == name);
        self.manner.fate == Fate::Offers
            || self.manner.fate == Fate::Stays
                && self.is_python()
                && moved.is_some_and(|one| !self.remaining(one.name, &one.meanings).is_empty())
    }

    fn leaves(&self, name: &str) -> bool {
        self.leaving.iter().any(|one| one.name == name)
    }

    fn in_code(&self, code: &Code, said: &Said) -> Found {
        let mut found = Found::default();
        let links = self.links.of(code);
        let is_own = code.path == self.from.path;
        let (edits, listed) = match finds_names(code.parsed()) {
            true => self.in_tables(code, (&said.old, &said.new)),
            false => Default::default(),
        };
        found.edits.extend(edits);
        for node in code.root().descendants() {
            if is_own && self.leaving.iter().any(|one| one.holds(node.span())) {
                continue;
            }
            if listed.contains(&node.span()) {
                continue;
            }
            if node.is("string_content") {
                self.in_string(code, node, (said, &links), &mut found);
                continue;
            }
            let loaded = |object: &Node<'_>| {
                object.text(code.text()).starts_with("sys.modules") && self.is_module(code, *object, (said, &links))
            };
            let asked = node.child("attribute").filter(|_| node.child("object").as_ref().is_some_and(loaded));
            let asked = asked.map(|own| own.text(code.text())).filter(|it| self.leaves(it) && !self.still_has(it));
            if let Some(name) = asked {
                found.tell(Doubt::Asked(name.to_owned()), node.span());
            }
            let made = self.leaving.iter().map(|one| one.name).find(|name| {
                asked_object(node, code.text(), name).is_some_and(|object| self.is_module(code, object, (said, &links)))
            });
            if let Some(name) = made {
                found.tell(Doubt::Made(name.to_owned()), node.span());
            }
        }
        for name in &said.needed {
            for span in self.links.members(code, &self.from.path, name) {
                let node = code.covering(span);
                let is_set =
                    node.parent().is_some_and(|outer| outer.is("assignment") && outer.child("left") == Some(node));
                if is_set {
                    found.tell(Doubt::NeededReplaced(name.clone()), span);
                }
            }
        }
        if !is_own && self.is_loaded_by_name(code, said) {
            self.asked_of_loaded(code, &links, &mut found);
        }
        found.told.values_mut().for_each(|spans| spans.sort());
        found
    }

    /// Tells whether a file loads the module by a name that it says, or puts together: `import_module("shop.orders")`.
    fn is_loaded_by_name(&self, code: &Code, said: &Said) -> bool {
        let text = code.text();
        let is_it = |node: Node<'_>| {
            let function = node.child("function").filter(|_| node.is("call"))?;
            let called = function.text(text).rsplit('.').next()?;
            let first = node.child("arguments")?.named_children().next().filter(|_| LOADING.contains(&called))?;
            let named = folded(first, text)?;
            let named = named.whole()?.trim_start_matches('.').to_owned();
            Some(!named.is_empty() && (said.old == named || said.old.ends_with(&format!(".{named}"))))
        };
        code.root().descendants().any(|node| is_it(node) == Some(true))
    }

    /// Tells where such a file asks something that is no import for a name that moved.
    fn asked_of_loaded(&self, code: &Code, links: &[Link], found: &mut Found) {
        let text = code.text();
        for node in code.root().descendants() {
            let object = node.child("object").filter(|_| node.is("attribute"));
            let own = node.child("attribute").map(|own| own.text(text));
            let is_import = |object: &Node<'_>| {
                links.iter().any(|link| link.local.and_then(|local| local.of(text)) == Some(object.text(text)))
            };
            let name =
                own.filter(|own| object.is_some_and(|it| !is_import(&it)) && self.leaves(own) && !self.still_has(own));
            if let Some(name) = name {
                found.tell(Doubt::Asked(name.to_owned()), node.span());
            }
            let asked = asked_by_name(node, text).and_then(|(_, named)| Some(folded(named, text)?.whole()?.to_owned()));
            if let Some(name) = asked.filter(|name| self.leaves(name) && !self.still_has(name)) {
                found.tell(Doubt::Asked(name), node.span());
            }
        }
    }

    fn in_string(&self, code: &Code, content: Node<'_>, (said, links): (&Said, &[Link]), found: &mut Found) {
        let (text, span) = (content.text(code.text()), content.span());
        let called = called_with(content, code.text());
        let is_replaced = replaces(content, code.text());
        if let Some(rest) = behind(text, &said.old) {
            let name = first_name(rest);
            let is_path = rest.chars().all(|one| is_word(one) || matches!(one, '.' | ':'));
            if self.leaves(name) && is_path {
                if is_replaced {
                    found.tell(Doubt::Replaced(name.to_owned()), span);
                }
                if !is_replaced || !self.still_has(name) {
                    found
                        .edits
                        .push(TextEdit::new(Span::new(span.start, span.start + said.old.len()), said.new.as_str()));
                }
            } else if is_replaced && name == rest && said.needed.contains(name) {
                found.tell(Doubt::NeededReplaced(name.to_owned()), span);
            }
            return;
        }
        if text == said.old && is_compared_with_module(content, code.text()) {
            let moved = self.leaving.first().map_or("", |one| one.name);
            found.tell(Doubt::Compared(moved.to_owned()), span);
            return;
        }
        let is_asked = || asked_module(content).is_some_and(|object| self.is_module(code, object, (said, links)));
        if self.leaves(text) {
            let is_asking = called.is_some_and(|function| ASKING.contains(&function));
            if is_replaced && is_asked() {
                found.tell(Doubt::Replaced(text.to_owned()), span);
            } else if (is_asking || called.is_none()) && is_asked() || finds_names(code.parsed()) {
                found.tell(Doubt::Asked(text.to_owned()), span);
            }
        } else if is_replaced && said.needed.contains(text) && is_asked() {
            found.tell(Doubt::NeededReplaced(text.to_owned()), span);
        }
    }

    /// Tells whether an expression is the module.
    fn is_module(&self, code: &Code, object: Node<'_>, (said, links): (&Said, &[Link])) -> bool {
        let text = object.text(code.text());
        let is_local = |link: &Link| {
            link.taken == LinkedName::Module
                && link.module.as_ref() == Some(&self.from.path)
                && link.local.and_then(|local| local.of(code.text())) == Some(text)
        };
        text == said.old
            || links.iter().any(is_local)
            || text.strip_prefix("sys.modules").is_some_and(|it| it.contains(&said.old))
    }

    fn in_settings(&self, text: &str, said: &Said) -> Found {
        let mut found = Found::default();
        for one in self.leaving {
            for word in whole_words(text, one.name) {
                let Some(before) = text[..word.start].strip_suffix(['.', ':']) else { continue };
                let is_bounded = |rest: &&str| !rest.ends_with(|it: char| is_word(it) || matches!(it, '.' | '/' | '-'));
                if let Some(rest) = before.strip_suffix(said.old.as_str()).filter(is_bounded) {
                    found.edits.push(TextEdit::new(Span::new(rest.len(), before.len()), said.new.as_str()));
                }
            }
        }
        found
    }

    fn remarks(&self, (path, text): (&AbsPath, &Text), said: &Said, found: &Found) -> Vec<Warning> {
        let Said { old, new, .. } = said;
        let at = |kind, message: String, spans: &[Span]| Warning::at_lines(kind, message, path.clone(), (text, spans));
        let mut warnings: Vec<Warning> = found.told.iter().map(|(doubt, spans)| {
            let (kind, message) = match doubt {
                Doubt::Asked(name) => (WarningKind::PossibleUse, format!("`{old}` may be asked for `{name}` here, and no longer has it")),
                Doubt::Made(name) => (WarningKind::RunTime, format!("`{old}` is asked for names that are made as the program runs, and `{name}` may be one of them")),
                Doubt::Replaced(name) => (WarningKind::RunTime, format!("something takes the place of `{name}` here, and not everybody asks the same module for it any more")),
                Doubt::Compared(name) => (WarningKind::RunTime, format!("`{old}` is compared with the module that something is declared in, which is `{new}` for `{name}` now")),
                Doubt::NeededReplaced(name) => (WarningKind::RunTime, format!("something takes the place of `{name}` in `{old}` here, and what moved asks `{new}` for it")),
            };
            at(kind, message, spans)
        }).collect();
        let edited: Vec<Span> = found.edits.iter().map(|edit| edit.span).collect();
        if !edited.is_empty() {
            let message = "edited where strings name it by its path, which no server has confirmed".to_owned();
            warnings.push(at(WarningKind::StringEdited, message, &edited));
        }
        warnings
    }
}

/// Tells whether a string is compared with a `__module__`.
fn is_compared_with_module(content: Node<'_>, text: &str) -> bool {
    let comparison = content.parent().and_then(Node::parent).filter(|outer| outer.is("comparison_operator"));
    comparison.is_some_and(|it| it.named_children().any(|side| side.text(text).ends_with("__module__")))
}

/// Returns what follows a module's name and its dot, or its colon.
fn behind<'t>(text: &'t str, module: &str) -> Option<&'t str> {
    text.strip_prefix(module)?.strip_prefix(['.', ':'])
}

fn first_name(path: &str) -> &str {
    &path[..path.find(|one| !is_word(one)).unwrap_or(path.len())]
}

fn is_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// Returns what may be the module that is asked for the name in a string: `getattr(tax, "rate")`, `vars(tax)["rate"]`,
/// `tax.__dict__["rate"]`.
fn asked_module(content: Node<'_>) -> Option<Node<'_>> {
    let string = content.parent()?;
    let outer = string.parent()?;
    if outer.is("argument_list") {
        return outer.named_children().next().filter(|first| *first != string);
    }
    let value = outer.child("value").filter(|_| outer.is("subscript"))?;
    match value.kind() {
        "attribute" => value.child("object"),
        "call" => value.child("arguments")?.named_children().next(),
        _ => None,
    }
}
