//! What becomes of the names and dotted names that reach modules: `pkg.mod.f()`, `mod.f()`.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Refused;
use super::naming::{Naming, Style};
use super::place::Place;
use super::project_modules::{Member, Named, World};
use super::scopes::{between, would_clash};
use super::source::{Bound, Source};
use super::statements::Rewritten;
use crate::syntax::python::{Import, ImportKind, ModuleItem, Names, Token, TokenKind, Use, Word};

/// Rewrites the uses of imported modules.
pub(super) struct Chains<'a> {
    pub(super) before: &'a World<'a>,
    pub(super) after: &'a World<'a>,
    pub(super) naming: &'a Naming<'a>,
    pub(super) stems: &'a BTreeSet<String>,
}

/// One file under work.
struct File<'s> {
    source: &'s Source,
    names: &'s Names,
    done: Rewritten,
    /// Dotted names that have to be importable as such, by scope, with the statement to add them before.
    needs: BTreeMap<(usize, Vec<String>), Need<'s>>,
}

struct Need<'s> {
    anchor: &'s Import,
    /// Whether an import of that very module (or below) stood there before.
    was_covered: bool,
}

/// What a name is bound to.
enum Root<'s> {
    /// The first part of `import a.b.c`.
    Dotted { node: Place, anchor: &'s Import, scope: usize },
    /// An alias or a name of a `from` import.
    Named { node: Place, anchor: &'s Import, scope: usize, offset: usize, style: Style },
    /// A submodule that is a name of its package without being bound, or that a star import brings.
    Loose { node: Place },
}

impl Chains<'_> {
    pub(super) fn rewrite(&self, source: &Source, done: Rewritten) -> Result<Rewritten, Refused> {
        if !self.is_concerned(source, &done) {
            return Ok(done);
        }
        let mut file = File { source, names: source.names(), done, needs: BTreeMap::new() };
        let tops = self.changed_tops(source);
        for one in &source.names().uses {
            let is_near = self.stems.contains(&one.name.text)
                || one.members.iter().any(|member| self.stems.contains(&member.text))
                || tops.contains(&one.name.text);
            if is_near {
                self.use_of(&mut file, one)?;
            }
        }
        self.meet_needs(&mut file)?;
        Ok(file.done)
    }

    /// Tells, without a syntax tree, whether a name in the file could reach a module that moves.
    fn is_concerned(&self, source: &Source, done: &Rewritten) -> bool {
        if !done.local.is_empty() || !self.changed_tops(source).is_empty() {
            return true;
        }
        let text = source.str();
        let mut roots = BTreeSet::new();
        for (at, token) in source.tokens.iter().enumerate() {
            let content = token.span.of(text).unwrap_or_default();
            match token.kind {
                TokenKind::Name if self.stems.contains(content) => {
                    roots.extend(chain_root(&source.tokens[..=at]).and_then(|root| root.span.of(text)));
                }
                TokenKind::String | TokenKind::Comment if content.len() < 200 => {
                    roots.extend(self.stems.iter().filter_map(|stem| written_root(content, stem)));
                }
                _ => {}
            }
        }
        roots.into_iter().any(|root| self.may_reach(source, root))
    }

    /// Tells whether a name that a chain begins with is a module, as far as imports say.
    fn may_reach(&self, source: &Source, root: &str) -> bool {
        let mut is_bound = false;
        for (_, bound) in source.bounds().filter(|(_, bound)| bound.word().text == root) {
            is_bound = true;
            if matches!(self.before.bound(source, bound), Member::Module(_)) {
                return true;
            }
        }
        let is_loose = source.is_init() || source.stars().next().is_some();
        is_loose && !is_bound && matches!(self.before.member(&source.place, root), Member::Module(_))
    }

    /// Returns the names bound by `import a.b.c` statements that change.
    fn changed_tops(&self, source: &Source) -> BTreeSet<String> {
        let changed = |item: &&ModuleItem| {
            let names = item.path.texts();
            let named = self.before.absolute(&source.directory, &names);
            item.alias.is_none() && named.is_some_and(|named| !self.naming.still_means(source, &named, &names))
        };
        modules(source).map(|(_, item)| item).filter(changed).map(|item| item.bound().text.clone()).collect()
    }

    fn use_of(&self, file: &mut File<'_>, one: &Use) -> Result<(), Refused> {
        match self.root_of(file, one) {
            Some(Root::Dotted { node, anchor, scope }) => self.dotted_use(file, one, (node, anchor, scope)),
            Some(Root::Named { node, anchor, scope, offset, style }) => {
                let local = file.done.local.get(&offset).cloned();
                self.named_use(file, one, &NamedRoot { node, anchor: Some(anchor), scope, local, style })
            }
            Some(Root::Loose { node }) => self.loose_use(file, one, node),
            None => Ok(()),
        }
    }

    /// Finds what a used name is bound to, where it is bound to a module.
    fn root_of<'s>(&self, file: &File<'s>, one: &Use) -> Option<Root<'s>> {
        let name = &one.name.text;
        let Some(scope) = file.names.resolve(one, name) else { return self.loose_root(file, name) };
        let bindings = &file.names.scopes[scope].bound[name];
        let mut best: Option<(usize, Root<'s>)> = None;
        for binding in bindings.iter().filter(|binding| binding.is_import) {
            let Some((anchor, bound)) = file.source.bound_at(binding.span.start) else { continue };
            let Member::Module(node) = self.before.bound(file.source, bound) else { continue };
            let reach = self.before.walk(&node, &one.members).len();
            let root = match bound {
                Bound::Module(item) if item.alias.is_none() => Root::Dotted { node, anchor, scope },
                Bound::Module(_) => {
                    Root::Named { node, anchor, scope, offset: binding.span.start, style: Style::Absolute }
                }
                Bound::Name(from, _) => {
                    Root::Named { node, anchor, scope, offset: binding.span.start, style: Style::of(from) }
                }
            };
            if best.as_ref().is_none_or(|(before, _)| reach > *before) {
                best = Some((reach, root));
            }
        }
        let is_implicit = scope == 0 && bindings.iter().all(|binding| !binding.is_import);
        best.map(|(_, root)| root)
            .or_else(|| if is_implicit && one.is_store { self.loose_root(file, name) } else { None })
    }

    fn loose_root<'s>(&self, file: &File<'s>, name: &str) -> Option<Root<'s>> {
        let child = file.source.place.join(name);
        if file.source.is_init() && self.before.tree.exists(&child) {
            return Some(Root::Loose { node: child });
        }
        file.source.stars().next()?;
        match self.before.member(&file.source.place, name) {
            Member::Module(node) => Some(Root::Loose { node }),
            _ => None,
        }
    }

    fn dotted_use<'s>(
        &self,
        file: &mut File<'s>,
        one: &Use,
        (node, anchor, scope): (Place, &'s Import, usize),
    ) -> Result<(), Refused> {
        let nodes = self.before.walk(&node, &one.members);
        let target = nodes.last().unwrap_or(&node).clone();
        let members = &one.members[..nodes.len() - 1];
        let words: Vec<&Word> = [&one.name].into_iter().chain(members).collect();
        let old: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let is_pure = node.join_all(members.iter().map(|word| word.text.as_str())) == target;
        let was_covered = is_pure && self.is_covered(file, scope, &target);
        let root = node.parent();
        let named = Named { place: target.clone(), root, found: 0 };
        let is_same = is_pure && self.naming.still_means(file.source, &named, &texts(&old));
        let walked = if is_same || was_covered { None } else { self.walked_name(&nodes, (&old, &target)) };
        let is_walked = walked.is_some();
        let new = match walked {
            _ if is_same => old,
            Some(walked) => walked,
            None => {
                self.naming.absolute(file.source, &Named { root: named.root.clone().filter(|_| is_pure), ..named })?
            }
        };
        let must_import = was_covered || !is_same && !is_walked;
        self.check_top(file, one, (scope, &new))?;
        file.done.edits.rename_dotted(&words, &new);
        let need = file.needs.entry((scope, new)).or_insert(Need { anchor, was_covered: false });
        need.was_covered |= must_import;
        Ok(())
    }

    /// Returns the dotted name by which a module is still reached through its packages: the old one where a
    /// package goes on binding it (checkers see no submodule that is merely loaded), else the new one;
    /// nothing where it left them.
    fn walked_name(&self, nodes: &[Place], (old, target): (&[String], &Place)) -> Option<Vec<String>> {
        let target_after = self.naming.moves.after(target);
        let renamed = nodes.iter().zip(old).map(|(node, name)| {
            let after = self.naming.moves.after(node);
            if node.name() == name { after.name().to_owned() } else { name.clone() }
        });
        let root = nodes[0].parent().unwrap_or_default();
        [old.to_vec(), renamed.collect()].into_iter().find(|names: &Vec<String>| {
            let top = self.naming.moves.after(&nodes[0]);
            let is_there = top == self.naming.moves.after(&root).join(&names[0]);
            is_there && self.after.walk_texts(&top, &texts(&names[1..])) == target_after
        })
    }

    fn is_covered(&self, file: &File<'_>, scope: usize, target: &Place) -> bool {
        modules(file.source).any(|(_, item)| {
            let binds_here = item.alias.is_none() && binding_scope(file.names, item.bound()) == Some(scope);
            binds_here
                && self
                    .before
                    .absolute(&file.source.directory, &item.path.texts())
                    .is_some_and(|named| named.place.is_below(target))
        })
    }

    /// Makes sure that the first name of a dotted name can be bound where it is used.
    fn check_top(&self, file: &File<'_>, one: &Use, (scope, new): (usize, &[String])) -> Result<(), Refused> {
        let Some(top) = new.first().filter(|top| **top != one.name.text) else { return Ok(()) };
        let clash = || Err(Refused::NameClash { path: file.source.path.clone(), name: top.clone() });
        if one.is_store && new.len() > 1 || between(file.names, (one.scope, scope), top) {
            return clash();
        }
        let is_bound_well = file.names.scopes[scope].bound.get(top).is_some_and(|all| {
            all.iter().all(|binding| {
                let bound = file.source.bound_at(binding.span.start);
                matches!(bound, Some((_, Bound::Module(item))) if item.alias.is_none())
            })
        });
        if !is_bound_well && would_clash(file.names, scope, &one.name.text, top) {
            return clash();
        }
        Ok(())
    }

    fn named_use(&self, file: &mut File<'_>, one: &Use, root: &NamedRoot<'_>) -> Result<(), Refused> {
        let nodes = self.before.walk(&root.node, &one.members);
        let target = nodes.last().unwrap_or(&root.node);
        let members = &one.members[..nodes.len() - 1];
        let renamed = |file: &mut File<'_>| {
            if let Some(local) = &root.local {
                file.done.edits.replace(one.name.span, local.clone());
            }
        };
        let target_after = self.naming.moves.after(target);
        let start = self.naming.moves.after(&root.node);
        for new in [members.iter().map(|word| word.text.clone()).collect(), self.stepwise(&nodes, members)] {
            if self.after.walk_texts(&start, &texts(&new)) == target_after {
                renamed(file);
                let words: Vec<&Word> = members.iter().collect();
                if !words.is_empty() {
                    file.done.edits.rename_dotted(&words, &new);
                }
                return Ok(());
            }
        }
        let Some(anchor) = root.anchor else { return Ok(()) };
        let named = Named { place: target.clone(), root: None, found: 0 };
        let local = self.add_import(file, (anchor, root.scope), (&named, root.style))?;
        let end = members.last().map_or(one.name.span.end, |word| word.span.end);
        file.done.edits.replace(crate::text::Span::new(one.name.span.start, end), local);
        Ok(())
    }

    /// Returns the members with every module that was renamed in its package under its new name.
    fn stepwise(&self, nodes: &[Place], members: &[Word]) -> Vec<String> {
        let step = |(pair, word): (&[Place], &Word)| {
            let after = self.naming.moves.after(&pair[1]);
            let stays =
                after.parent() == Some(self.naming.moves.after(&pair[0])) && pair[1] == pair[0].join(&word.text);
            if stays { after.name().to_owned() } else { word.text.clone() }
        };
        nodes.windows(2).zip(members).map(step).collect()
    }

    /// Adds an import of a module, and returns the name that it gets.
    fn add_import(
        &self,
        file: &mut File<'_>,
        (anchor, scope): (&Import, usize),
        (named, style): (&Named, Style),
    ) -> Result<String, Refused> {
        let after = self.naming.moves.after(&named.place);
        let stem = after.name().to_owned();
        let free = |name: &String| !would_clash(file.names, scope, "", name);
        let local = [stem.clone(), format!("_{stem}")].into_iter().find(free);
        let local = local.ok_or_else(|| Refused::NameClash { path: file.source.path.clone(), name: stem.clone() })?;
        let origin = self.naming.parent_origin(file.source, named, style)?;
        file.done.edits.add_before(anchor, origin.statement(&stem, Some(&local)));
        Ok(local)
    }

    fn loose_use(&self, file: &mut File<'_>, one: &Use, node: Place) -> Result<(), Refused> {
        let after = self.naming.moves.after(&node);
        let here = self.naming.place_after(file.source);
        let gives = |name: &str| self.after.member(&here, name) == Member::Module(after.clone());
        let mut local = None;
        if !gives(&one.name.text) {
            if gives(after.name()) && !would_clash(file.names, 0, &one.name.text, after.name()) {
                local = Some(after.name().to_owned());
            } else {
                let anchor = file.source.imports.iter().find(|import| !import.is_future());
                let Some(anchor) = anchor else { return Ok(()) };
                let named = Named { place: node.clone(), root: None, found: 0 };
                let style = if file.source.is_init() { Style::Relative { level: 1 } } else { Style::Absolute };
                let origin = self.naming.parent_origin(file.source, &named, style)?;
                file.done.edits.add_before(anchor, origin.statement(after.name(), Some(&one.name.text)));
            }
        }
        let root = NamedRoot { node, anchor: None, scope: 0, local, style: Style::Absolute };
        self.named_use(file, one, &root)
    }

    /// Adds the imports without which a dotted name would no longer reach its module.
    fn meet_needs(&self, file: &mut File<'_>) -> Result<(), Refused> {
        let mut given: Vec<(usize, Vec<String>)> = Vec::new();
        for (_, item) in modules(file.source).filter(|(_, item)| item.alias.is_none()) {
            let Some(scope) = binding_scope(file.names, item.bound()) else { continue };
            let names = item.path.texts();
            let named = self.before.absolute(&file.source.directory, &names);
            let new = match named {
                Some(named) if !self.naming.still_means(file.source, &named, &names) => {
                    self.naming.absolute(file.source, &named)?
                }
                _ => names.into_iter().map(str::to_owned).collect(),
            };
            given.push((scope, new));
        }
        let mut needs: Vec<_> = std::mem::take(&mut file.needs).into_iter().collect();
        needs.sort_by_key(|((_, names), _)| std::cmp::Reverse(names.len()));
        for ((scope, names), need) in needs {
            let mut here = given.iter().filter(|(other, _)| *other == scope).map(|(_, names)| names);
            let is_met = if need.was_covered {
                here.any(|one| one.starts_with(&names))
            } else {
                here.any(|one| one[0] == names[0])
            };
            if !is_met {
                file.done.edits.add_before(need.anchor, format!("import {}", names.join(".")));
                given.push((scope, names));
            }
        }
        Ok(())
    }
}

/// Returns the first name of the dotted name that ends with the last of these tokens.
fn chain_root(tokens: &[Token]) -> Option<&Token> {
    let mut at = tokens.len() - 1;
    while at >= 1 && tokens[at - 1].is_op(b'.') {
        at = at.checked_sub(2)?;
    }
    tokens.get(at).filter(|token| token.kind == TokenKind::Name)
}

/// Returns the first name of a dotted name in a string that holds `stem`.
fn written_root<'t>(content: &'t str, stem: &str) -> Option<&'t str> {
    let end = memchr::memmem::find(content.as_bytes(), stem.as_bytes())?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let before = &content[..end];
    let start = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    content[start..].split(|c: char| !is_part(c) || c == '.').next().filter(|root| !root.is_empty())
}

struct NamedRoot<'s> {
    node: Place,
    anchor: Option<&'s Import>,
    scope: usize,
    /// The name after the move, if another.
    local: Option<String>,
    style: Style,
}

fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn modules(source: &Source) -> impl Iterator<Item = (&Import, &ModuleItem)> {
    source.imports.iter().flat_map(|import| match &import.kind {
        ImportKind::Modules(items) => items.iter().map(|item| (import, item)).collect(),
        ImportKind::From(_) => Vec::new(),
    })
}

/// Returns the scope in which an import binds a word.
fn binding_scope(names: &Names, word: &Word) -> Option<usize> {
    names.scopes.iter().position(|scope| {
        scope.bound.get(&word.text).is_some_and(|all| all.iter().any(|binding| binding.span == word.span))
    })
}
