//! Imports that nobody needs any more.

use super::Way;
use super::attempts::tries_several;
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::statements::{item, taken_out};
use crate::refactor::analysis::imports::typed::is_for_checkers;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::source_file::Code;
use crate::syntax::python::dunder_all;
use crate::syntax::scopes::Name;
use crate::syntax::{Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

impl Way<'_> {
    /// Takes out what only the moved code used, as far as nobody takes it from here; `needed` the moved code does.
    pub(super) fn unused(&self, needed: &[String]) -> Result<Vec<TextEdit>, Refusal> {
        let mut quiet: Vec<Span> = self.leaving.iter().flat_map(|one| &one.statements).map(|one| one.span()).collect();
        let (mut gone, mut blocks) = (Vec::new(), Vec::new());
        loop {
            for whole in self.idle_attempts(&quiet, needed)? {
                gone.extend(self.own.iter().filter(|link| whole.contains(link.statement)).map(|link| link.item));
                quiet.push(whole);
                blocks.push(whole);
            }
            let mut found = self.idle_items(&quiet, &gone)?;
            found.retain(|link| {
                !link.local.and_then(|it| it.of(self.from.text())).is_some_and(|it| needed.iter().any(|one| one == it))
            });
            if found.is_empty() {
                break;
            }
            gone.extend(found.iter().map(|link| link.item));
            for block in self.emptied(&gone) {
                if !quiet.contains(&block) {
                    quiet.push(block);
                    blocks.push(block);
                }
            }
        }
        let is_kept = |item: &Span| !blocks.iter().any(|block| block.contains(*item));
        let single: Vec<Span> = gone.into_iter().filter(is_kept).collect();
        let mut edits = taken_out(self.from, &self.own, &single)?;
        edits.extend(blocks.iter().map(|block| self.without_block(*block)));
        Ok(edits)
    }

    /// Takes a block out, with the empty lines that would be too many.
    fn without_block(&self, block: Span) -> TextEdit {
        let text = self.from.text();
        let (start, end) = (self.from.line_start(block.start), self.from.next_line(block.end));
        let above = text[..start].split('\n').rev().skip(1).take_while(|line| line.trim().is_empty()).count();
        let below = text[end..].split_inclusive('\n').take_while(|line| line.trim().is_empty()).take(above);
        TextEdit::new(Span::new(start, end + below.map(str::len).sum::<usize>()), "")
    }

    /// Returns the statements that import something under a condition for the moved code alone.
    fn idle_attempts(&self, quiet: &[Span], needed: &[String]) -> Result<Vec<Span>, Refusal> {
        let mut found = Vec::new();
        let is_quiet = |span: Span| quiet.iter().any(|one| one.contains(span));
        for whole in self.from.root().named_children().filter(|it| !is_quiet(it.span()) && self.only_binds(*it)) {
            let bound: Vec<Name> = self.names.within(whole.span()).filter(|one| one.is_binding).collect();
            let uses = bound.iter().flat_map(|one| self.names.of_meaning(one.meaning));
            let mut others = uses.filter(|one| !whole.span().contains(one.span)).peekable();
            let mut is_idle = self.is_python() && others.peek().is_some() && others.all(|one| is_quiet(one.span));
            for name in bound.iter().filter_map(|one| one.span.of(self.from.text())) {
                is_idle = is_idle
                    && !needed.iter().any(|one| one == name)
                    && !self.is_named_in_comments(name)
                    && !self.is_taken(self.from, name)?;
            }
            found.extend(is_idle.then_some(whole.span()));
        }
        Ok(found)
    }

    fn idle_items(&self, quiet: &[Span], gone: &[Span]) -> Result<Vec<&Link>, Refusal> {
        let mut found = Vec::new();
        for link in self.own.iter().filter(|link| !gone.contains(&link.item) && !link.form.is_export()) {
            let Some(local) = link.local.and_then(|local| self.names.at(self.from.covering(local))) else { continue };
            let text = local.span.of(self.from.text()).unwrap_or_default();
            let is_own = |span: Span| self.own.iter().any(|other| other.statement.contains(span));
            let uses = self.names.of_meaning(local.meaning).filter(|one| !is_own(one.span));
            let mut uses = uses.filter(|one| self.is_asking(one.span, link)).peekable();
            let was_used = uses.peek().is_some() || self.is_linked_by_leaving(text);
            let is_idle = was_used && uses.all(|one| quiet.iter().any(|span| span.contains(one.span)));
            if is_idle
                && !self.is_named_in_comments(text)
                && (self.can_go(link) || self.is_tried_beside(link, quiet))
                && !self.is_taken(self.from, text)?
            {
                found.push(link);
            }
        }
        Ok(found)
    }

    /// Tells whether an import stands at the top or in a block for type checkers.
    fn can_go(&self, link: &Link) -> bool {
        let block = self.from.covering(link.statement).parent();
        block.is_some_and(|it| it.parent().is_none() || !tries_several(it) && self.checkers(it).is_some())
    }

    /// Tells whether an import is one of several that are tried together, of which others are still needed.
    fn is_tried_beside(&self, link: &Link, quiet: &[Span]) -> bool {
        let block = self.from.covering(link.statement).parent();
        let is_tried =
            |it: &Node<'_>| it.parent().is_some_and(|outer| outer.is("try_statement")) && !tries_several(*it);
        let tried = block.filter(is_tried);
        let is_needed = |other: &Link| {
            let local = other.local.and_then(|local| self.names.at(self.from.covering(local)));
            let uses = local.into_iter().flat_map(|local| self.names.of_meaning(local.meaning));
            let mut uses = uses.filter(|one| !one.is_binding);
            uses.any(|one| !quiet.iter().any(|span| span.contains(one.span)))
        };
        let beside = |block: Node<'_>| {
            let mut all = self.own.iter().filter(|it| block.span().contains(it.statement) && it.item != link.item);
            all.any(is_needed)
        };
        tried.is_some_and(beside)
    }

    /// Returns the `if TYPE_CHECKING` that a block belongs to, if it has nothing else.
    fn checkers<'n>(&self, block: Node<'n>) -> Option<Node<'n>> {
        if let Some(outer) = self.tries(block) {
            return Some(outer);
        }
        let outer = block
            .parent()
            .filter(|outer| outer.is("if_statement") && outer.parent().is_some_and(|it| it.parent().is_none()))?;
        let condition = outer.child("condition")?.text(self.from.text());
        (is_for_checkers(condition) && outer.child("alternative").is_none()).then_some(outer)
    }

    /// Returns the blocks for type checkers that lose all they hold.
    fn emptied(&self, gone: &[Span]) -> Vec<Span> {
        let tried = |outer: Node<'_>| outer.is("try_statement");
        let blocks =
            self.from.root().children().filter_map(|outer| {
                outer.child("consequence").or_else(|| outer.child("body").filter(|_| tried(outer)))
            });
        let is_empty = |block: &Node<'_>| {
            block.named_children().all(|statement| {
                let mut items = self.own.iter().filter(|link| link.statement == statement.span()).peekable();
                items.peek().is_some() && items.all(|link| gone.contains(&link.item))
            })
        };
        blocks.filter(is_empty).filter_map(|block| self.checkers(block)).map(Node::span).collect()
    }

    /// Tells whether somebody may take an imported name from the file that imports it.
    pub(super) fn is_taken(&self, code: &Code, name: &str) -> Result<bool, Refusal> {
        if !self.is_python() {
            // What a script imports nobody takes from it, unless it says so, which is a use.
            return Ok(false);
        }
        let listed = dunder_all(&code.parsed().tree, code.text());
        let links = self.links.of(code);
        let is_local = |link: &&Link| link.local.and_then(|local| local.of(code.text())) == Some(name);
        let own = links.iter().find(is_local);
        // What a package imports it may offer, unless it lists what that is.
        let is_open = match own.and_then(|link| link.local) {
            Some(local) => required::may_offer(code, code.covering(local)),
            None => code.path.file_stem() == "__init__" && listed.is_empty(),
        };
        if is_open || listed.iter().any(|(one, _)| one == name) {
            return Ok(true);
        }
        let mut words = self.session.disk().files_mentioning(name);
        words.extend(self.session.disk().files_mentioning(code.path.file_stem()));
        words.sort();
        words.dedup();
        let by_star = listed.is_empty() && !name.starts_with('_');
        let origin = own.and_then(|link| link.module.clone());
        for path in words {
            let is_other = path != code.path && Language::of_path(&path).map(Language::family) == Some(code.family());
            let Some(other) = is_other.then(|| Code::known(self.session, &path)).transpose()? else { continue };
            let links = self.links.of(&other);
            let is_star =
                |link: &Link, module: &AbsPath| link.taken == LinkedName::Star && link.module.as_ref() == Some(module);
            // Whoever takes all of both modules has it from the one that declares it, too.
            let has_it = origin.as_ref().is_some_and(|origin| links.iter().any(|link| is_star(link, origin)));
            let takes = |link: &Link| {
                is_star(link, &code.path) && by_star && !has_it
                    || link.module.as_ref() == Some(&code.path) && link.taken == LinkedName::Name(name.to_owned())
            };
            // A module that it imports is told apart from what it offers by where it comes from.
            let is_named = links.iter().any(|link| {
                let comes =
                    link.source.of(other.text()).and_then(|it| it.rsplit('.').next()) == Some(code.path.file_stem());
                comes && item(&other, link).split(" as ").next() == Some(name)
            });
            if is_named || links.iter().any(takes) || !self.links.members(&other, &code.path, name).is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
