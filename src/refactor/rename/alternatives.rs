//! Declarations of which a program takes one as it runs: in the branches of a condition, and in modules from which one name
//! is imported in turn. They go by one name, and so do their members and parameters.
//!
//! Seen with basedpyright 1.40: a rename from the one leaves the other, and users that it takes for the other's; nothing that
//! a checker looks at tells of the branch that it does not take.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::alternative_imports::{Binding, Choice, Component, Graph, Imports, are_alternatives};
use super::kept_reexports;
use super::server_edits::Gathered;
use super::subject::at;
use super::visibility::is_inside_function;
use crate::lsp::{Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{Declaration, DeclarationKind, Site, site};
use crate::text::{AbsPath, Span, TextEdit, line_list};
use crate::workspace::locked;

const FROM_LIBRARY: &str = "may come from a library";
const ASSIGNED: &str = "may be something else";

/// Knows what goes by one name, for one rename.
pub(super) struct Alternatives<'a> {
    session: &'a Session,
    name: &'a str,
    imports: Imports<'a>,
    /// By the name.
    graphs: Mutex<BTreeMap<String, Option<Arc<Graph>>>>,
    /// What was found to belong together.
    joined: Mutex<BTreeSet<BTreeSet<Place>>>,
    /// Imports that keep the name for those who take it from there, for it may be a library's.
    kept: Mutex<BTreeSet<(AbsPath, Span)>>,
    /// Where the class or function around may be another one, which is not renamed.
    given: Mutex<BTreeSet<Given>>,
}

/// A place, the class or function that may be another one there, and how that is said.
type Given = (AbsPath, Span, String, &'static str);

impl<'a> Alternatives<'a> {
    pub(super) fn new(session: &'a Session, name: &'a str) -> Self {
        Self {
            session,
            name,
            imports: Imports::new(session),
            graphs: Mutex::default(),
            joined: Mutex::default(),
            kept: Mutex::default(),
            given: Mutex::default(),
        }
    }

    /// Finds the declarations that stand for the same in turn as the one at a place.
    pub(super) fn of(&self, place: &Place) -> Result<BTreeSet<Place>, Refusal> {
        let Some(parsed) = self.session.parsed(&place.path)? else { return Ok(BTreeSet::new()) };
        let declared = parsed.declarations();
        let Some(mine) = declared.iter().find(|one| one.name_span.start == place.offset) else {
            return Ok(BTreeSet::new());
        };
        if is_local(&parsed, mine) {
            return Ok(BTreeSet::new());
        }
        let mut found = beside(&parsed, (&place.path, mine), declared);
        let assigned = assigned_beside(&parsed, mine);
        let given = assigned.map(|one| (place.path.clone(), one.name_span, one.name.clone(), ASSIGNED));
        locked(&self.given).extend(given);
        found.extend(self.elsewhere(&place.path, mine)?);
        found.remove(place);
        // What a server takes for one thing itself needs no word.
        let is_one = !is_part(mine.kind) && found.iter().all(|other| other.path == place.path);
        if !found.is_empty() && !is_one {
            let all = found.iter().chain([place]).cloned().collect();
            locked(&self.joined).insert(all);
        }
        Ok(found)
    }

    /// Finds those in other modules that give the same name.
    fn elsewhere(&self, path: &AbsPath, mine: &Declaration) -> Result<BTreeSet<Place>, Refusal> {
        let mut found = BTreeSet::new();
        let Some(outer) = mine.path.first() else { return Ok(found) };
        let component = self.component(path, outer)?;
        for module in &component.modules {
            let Some(parsed) = self.session.parsed(module)? else { continue };
            let declared = parsed.declarations();
            let same = declared.iter().filter(|one| one.path == mine.path && !is_import(one));
            found.extend(same.map(|one| Place { path: module.clone(), offset: one.name_span.start }));
        }
        for choice in component.choices.iter().filter(|choice| !choice.is_fixed) {
            let Some(parsed) = self.session.parsed(&choice.path)? else { continue };
            if mine.path.len() == 1 {
                found.extend(choice.own().map(|span| Place { path: choice.path.clone(), offset: span.start }));
            } else {
                let declared = parsed.declarations();
                let same = declared.iter().filter(|one| one.path == mine.path);
                found.extend(same.map(|one| Place { path: choice.path.clone(), offset: one.name_span.start }));
            }
        }
        if mine.path.len() > 1 {
            let by_others = component
                .kept
                .iter()
                .filter_map(|choice| Some((choice.path.clone(), *choice.spans.first()?, outer.clone(), FROM_LIBRARY)));
            locked(&self.given).extend(by_others);
        }
        Ok(found)
    }

    fn component(&self, path: &AbsPath, outer: &str) -> Result<Component, Refusal> {
        let known = locked(&self.graphs).get(outer).cloned();
        let graph = match known {
            Some(known) => known,
            None => {
                let read = self.imports.choosing(outer)?.map(Arc::new);
                locked(&self.graphs).insert(outer.to_owned(), read.clone());
                read
            }
        };
        Ok(graph.map_or_else(Component::default, |graph| graph.component(path)))
    }

    /// Returns where what an import takes is declared in the project, of which no server says anything: in a branch that is
    /// not taken where it looks.
    pub(super) fn imported(&self, place: &Place, span: Span) -> Result<BTreeSet<Place>, Refusal> {
        let mut found = BTreeSet::new();
        for module in self.imports.givers(&place.path, span, self.name)? {
            let Some(parsed) = self.session.parsed(&module)? else { continue };
            let declared = parsed.declarations();
            let own = declared.iter().filter(|one| one.path.len() == 1 && one.name == self.name);
            found.extend(own.map(|one| Place { path: module.clone(), offset: one.name_span.start }));
        }
        Ok(found)
    }

    /// Renames where modules take the name in turn. What may also be a library's keeps its name there: `from slow import new
    /// as old`.
    pub(super) async fn follow(
        &self,
        server: &Arc<Server>,
        new_name: &str,
        places: &BTreeSet<Place>,
        gathered: &mut Gathered,
    ) -> Result<(), Refusal> {
        let mut kept = BTreeSet::new();
        let (mut modules, mut choices) = (BTreeSet::new(), BTreeSet::new());
        for place in places {
            if self.is_at_top(place)? {
                let component = self.component(&place.path, self.name)?;
                kept.extend(component.kept.iter().cloned());
                choices.extend(component.choices.iter().cloned());
                modules.extend(component.modules.iter().cloned());
            }
        }
        let is_taken = |module: Option<&AbsPath>| module.is_some_and(|module| modules.contains(module));
        for choice in &kept {
            let reexports = Vec::from_iter(choice.reexports(is_taken));
            kept_reexports::stop(self.session, server, (self.name, new_name), &reexports, gathered).await?;
            locked(&self.kept).extend(reexports.first().map(|one| (one.path.clone(), one.imported)));
        }
        for choice in &choices {
            self.rename(choice, new_name, gathered);
            for (path, span) in self.used(server, choice).await? {
                gathered.put(&path, TextEdit::new(span, new_name));
            }
        }
        Ok(())
    }

    /// Returns where other files use what a module defines for itself in the place of a library's.
    async fn used(&self, server: &Arc<Server>, choice: &Choice) -> Result<Vec<(AbsPath, Span)>, Refusal> {
        let Some(own) = choice.own().next().filter(|_| choice.is_fixed) else { return Ok(Vec::new()) };
        let bound = choice.bindings.iter().filter_map(|one| match one {
            Binding::Fixed(span) | Binding::Taken { local: span, .. } => Some(*span),
            Binding::Alias | Binding::Own(_) => None,
        });
        let imports = Vec::from_iter(bound);
        let used = kept_reexports::used_without(self.session, server, (&choice.path, own), &imports).await;
        server.drop_overlays().await;
        used
    }

    /// Returns where a module of the project defines what a server takes for a library's at a place.
    pub(super) async fn instead(&self, server: &Arc<Server>, place: &Place) -> Result<BTreeSet<Place>, Refusal> {
        let asked = |(path, span): &(AbsPath, Span)| *path == place.path && span.start == place.offset;
        let mut found = BTreeSet::new();
        for choice in self.imports.fixed(self.name)? {
            if self.used(server, &choice).await?.iter().any(asked) {
                found.extend(choice.own().map(|span| Place { path: choice.path.clone(), offset: span.start }));
            }
        }
        Ok(found)
    }

    /// Says why the name stays at a place from which it was asked for, where it comes through such an import.
    pub(super) fn why_kept(&self) -> Result<Option<Refusal>, Refusal> {
        let Some((path, span)) = locked(&self.kept).first().cloned() else { return Ok(None) };
        let text = self.session.disk().read(&path)?;
        let at = at(&path, &text, span.start).below(self.session.root());
        let why = format!(
            "`{}` may come from a library here: {at} is one of two imports of it; ask there, or at the declaration, to rename \
             the project's own",
            self.name
        );
        Ok(Some(Refusal::NotPossible(why)))
    }

    fn is_at_top(&self, place: &Place) -> Result<bool, Refusal> {
        let Some(parsed) = self.session.parsed(&place.path)? else { return Ok(false) };
        let declared = parsed.declarations();
        Ok(declared.iter().any(|one| one.name_span.start == place.offset && one.path.len() == 1))
    }

    /// Renames a name that stands for several things in its file; what is not the project's is imported under the new name.
    fn rename(&self, choice: &Choice, new_name: &str, gathered: &mut Gathered) {
        let under = format!("{} as {new_name}", self.name);
        for span in &choice.spans {
            let is_others = choice.is_fixed
                && choice.bindings.iter().any(|one| match one {
                    Binding::Fixed(fixed) => fixed == span,
                    Binding::Taken { imported, local, .. } => imported == span && local == span,
                    Binding::Alias | Binding::Own(_) => false,
                });
            let text = if is_others { under.as_str() } else { new_name };
            gathered.put(&choice.path, TextEdit::new(*span, text));
        }
        // `from fast import work as work`
        for binding in choice.bindings.iter().filter(|_| !choice.is_fixed) {
            if let Binding::Taken { imported, .. } = binding {
                gathered.put(&choice.path, TextEdit::new(*imported, new_name));
            }
        }
    }

    /// Tells what goes by one name, and where a library has a part in it.
    pub(super) fn tell(&self, gathered: &mut Gathered) -> Result<(), Refusal> {
        let root = self.session.root();
        let shown = |place: &Place| {
            let text = self.session.disk().read(&place.path)?;
            Ok::<_, Refusal>(at(&place.path, &text, place.offset).below(root))
        };
        for group in locked(&self.joined).iter() {
            let Some(first) = group.first() else { continue };
            let places = group.iter().map(shown).collect::<Result<Vec<_>, _>>()?;
            let message = format!(
                "only one of these definitions of `{}` is used at run time; all are renamed: {}",
                self.name,
                places.join(", ")
            );
            let text = self.session.disk().read(&first.path)?;
            let range = text.range(Span::new(first.offset, first.offset + self.name.len()));
            gathered.warnings.push(Warning::at(WarningKind::Joined, message, first.path.clone(), range));
        }
        for (path, span, outer, said) in locked(&self.given).iter() {
            let text = self.session.disk().read(path)?;
            let lines = line_list(&text, &[*span]);
            let message = format!("`{outer}` {said} here, where `{}` keeps its name ({lines})", self.name);
            gathered.warnings.push(Warning::at(WarningKind::RunTime, message, path.clone(), text.range(*span)));
        }
        Ok(())
    }
}

/// Finds where another branch of the same file gives the name of the class or function around to something else.
fn assigned_beside<'p>(parsed: &'p Parsed, mine: &'p Declaration) -> impl Iterator<Item = &'p Declaration> {
    let declared = parsed.declarations().iter();
    let around = declared.clone().find(|one| mine.path.len() > 1 && one.path == mine.path[..1] && !is_import(one));
    let node = |one: &Declaration| parsed.tree.nodes().covering(one.name_span);
    declared.filter(move |one| {
        let is_variable = matches!(one.kind, DeclarationKind::Variable | DeclarationKind::Constant);
        is_variable && around.is_some_and(|it| it.path == one.path && are_alternatives(node(it), node(one)))
    })
}

/// Finds the declarations of the same file in another branch.
fn beside(parsed: &Parsed, (path, mine): (&AbsPath, &Declaration), declared: &[Declaration]) -> BTreeSet<Place> {
    let node = |one: &Declaration| parsed.tree.nodes().covering(one.name_span);
    if is_import(mine) {
        return BTreeSet::new();
    }
    let same = declared.iter().filter(|one| {
        one.path == mine.path && one.name_span != mine.name_span && !is_import(one) && !is_local(parsed, one)
    });
    let others = same.filter(|one| are_alternatives(node(mine), node(one)));
    others.map(|one| Place { path: path.clone(), offset: one.name_span.start }).collect()
}

/// Tells whether what is declared belongs to a class or a function.
fn is_part(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Parameter | DeclarationKind::Method | DeclarationKind::Property)
}

fn is_import(one: &Declaration) -> bool {
    matches!(one.kind, DeclarationKind::Import | DeclarationKind::ImportAlias)
}

/// Tells whether a declaration is a variable of a function, which nobody else sees.
fn is_local(parsed: &Parsed, one: &Declaration) -> bool {
    let is_variable = matches!(one.kind, DeclarationKind::Variable | DeclarationKind::Constant);
    let is_attribute = parsed.tree.nodes().covering(one.name_span).field() == Some("attribute");
    one.kind == DeclarationKind::TypeParameter
        || is_variable && !is_attribute && is_inside_function(&parsed.tree, one.name_span)
}

/// Takes an alias away that says what is said anyway: `from slow import work as work`, where a library may give it instead.
pub(super) fn collapse(session: &Session, new_name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        for edit in gathered.edits_of(&path).into_iter().filter(|edit| edit.new_text == new_name) {
            let whole = match site(&parsed.tree, text, edit.span) {
                Site::ImportedName { alias, .. } if alias.of(text) == Some(new_name) => {
                    Span::new(edit.span.start, alias.end)
                }
                Site::ImportAlias { imported, .. } if imported.of(text) == Some(new_name) => {
                    Span::new(imported.start, edit.span.end)
                }
                _ => continue,
            };
            if is_bound_again(&parsed, Span::new(alias_start(whole, text), whole.end)) {
                gathered.retain(|file, span| *file != path || span != edit.span);
                gathered.put(&path, TextEdit::new(whole, new_name));
            }
        }
    }
    Ok(())
}

/// Where the last word of an import's item begins.
fn alias_start(item: Span, text: &str) -> usize {
    let written = item.of(text).unwrap_or_default();
    item.end - written.rsplit(char::is_whitespace).next().map_or(0, str::len)
}

/// Tells whether another branch binds the name, too.
fn is_bound_again(parsed: &Parsed, local: Span) -> bool {
    let names = parsed.names();
    let own = names.iter().find(|one| one.span == local).map(|one| one.meaning);
    let nodes = parsed.tree.nodes();
    names.iter().any(|one| {
        Some(one.meaning) == own
            && one.is_binding
            && one.span != local
            && are_alternatives(nodes.covering(one.span), nodes.covering(local))
    })
}
