//! What becomes of the module that something comes to.

use super::needs::Needs;
use super::{Draft, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::placement::{begun, place};
use crate::refactor::analysis::imports::required::{self, with_imports};
use crate::refactor::analysis::imports::statements::{Shape, loads, taken_out, written};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::moves::links::Link;
use crate::refactor::scopes::Names;
use crate::refactor::source_file::function_of;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

impl Way<'_> {
    pub(super) fn arrive(&self, mut needs: Needs, draft: &mut Draft) -> Result<(), Refusal> {
        let known: Vec<&Link> =
            self.theirs.iter().filter(|link| self.leaving.iter().any(|one| self.brings(link, one.name))).collect();
        for link in &known {
            let is_plain = link.local.is_none_or(|local| {
                local == link.item || link.item.of(self.to.text()).is_some_and(|it| !it.contains(" as "))
            });
            if !is_plain {
                return Err(self.to.refuse(link.item.start, "it is imported under another name here"));
            }
        }
        let late = known.iter().find(|link| function_of(self.to.covering(link.statement)).is_some());
        draft.warnings.extend(late.map(|link| {
            let message = "what was loaded late here, when it was asked for, is loaded with the module now";
            let range = self.to.parsed().text.range(link.statement);
            Warning::at(WarningKind::FollowUp, message, self.to.path.clone(), range)
        }));
        draft.warnings.extend(self.loaded(&needs));
        let is_early = known.iter().any(|link| self.is_used_at_once(link));
        if is_early && needs.uses_own {
            return Err(self.to.refuse(0, "it is used here before what it needs of this module is made"));
        }
        let gone: Vec<Span> = known.iter().map(|link| link.item).collect();
        let mut edits = taken_out(self.to, &self.theirs, &gone)?;
        for one in self.leaving {
            let members = self.links.members(self.to, &self.from.path, one.name);
            edits.extend(members.into_iter().map(|span| TextEdit::new(span, one.name)));
        }
        edits.extend(self.typed(&mut needs));
        let imports = self.imports(needs)?;
        let (text, body, end) = (self.to.text(), self.body()?, self.to.newline());
        let gap = if self.is_python() { end.repeat(2) } else { end.to_owned() };
        if text.trim().is_empty() {
            let head = if imports.is_empty() { String::new() } else { format!("{imports}{gap}") };
            draft.created.insert(self.to.path.clone(), format!("{head}{body}{end}"));
            if self.to.path.as_path().is_file() {
                let whole = draft.created.remove(&self.to.path).unwrap_or_default();
                draft.edit(self.to, vec![TextEdit::new(Span::new(0, text.len()), whole)]);
            }
            return Ok(());
        }
        let (at, tail) = (place(self.to), text.trim_end().len());
        let lines: Vec<String> = imports.lines().map(str::to_owned).collect();
        let are_plain = lines.iter().all(|line| line.starts_with("import") || line.starts_with("from"));
        if is_early {
            let own = if are_plain { "" } else { imports.as_str() };
            edits.push(self.early((at, &edits), own, &body));
            edits = if are_plain { with_imports(self.to, edits, &lines) } else { edits };
        } else if at >= tail {
            let glue = if tail > 0 { end } else { "" };
            edits.push(TextEdit::new(Span::new(tail, text.len()), format!("{glue}{imports}{gap}{body}{end}")));
        } else {
            if are_plain {
                edits = with_imports(self.to, edits, &lines);
            } else {
                edits.push(TextEdit::new(Span::at(at), imports));
            }
            edits.push(TextEdit::new(Span::new(tail, text.len()), format!("{end}{gap}{body}{end}")));
        }
        draft.edit(self.to, edits);
        Ok(())
    }

    /// Puts what is used at once behind the imports; what goes may be all that the file begins with.
    fn early(&self, (at, edits): (usize, &[TextEdit]), imports: &str, body: &str) -> TextEdit {
        let (text, end) = (self.to.text(), self.to.newline());
        let gap = if self.is_python() { end.repeat(2) } else { end.to_owned() };
        let mut spans = edits.iter().map(|edit| edit.span);
        let taken = spans.find(|span| !span.is_empty() && span.start <= at && at <= span.end);
        let (at, is_begun) = taken.map_or((at, true), |span| (span.end, span.start > 0));
        let head = if is_begun || !imports.is_empty() { format!("{imports}{gap}") } else { String::new() };
        let behind = if is_begun || text[at..].starts_with(['\r', '\n']) { "" } else { end };
        TextEdit::new(Span::at(at), format!("{head}{body}{end}{behind}"))
    }

    /// Adds what only type checkers see to what the module has for them.
    fn typed(&self, needs: &mut Needs) -> Option<TextEdit> {
        let lines = written(self.to, &self.theirs, &needs.typed);
        let edit = required::typed_edit(self.to, &lines).filter(|_| self.is_python() && !lines.is_empty())?;
        needs.condition = None;
        Some(edit)
    }

    /// Tells which modules a module that is there comes to load.
    fn loaded(&self, needs: &Needs) -> Option<Warning> {
        let known: Vec<&str> = self.theirs.iter().filter_map(|link| link.source.of(self.to.text())).collect();
        let modules = needs.wanted.iter().map(|one| match one.form {
            Shape::Whole => one.item.split(" as ").next().unwrap_or_default(),
            _ => one.source.as_str(),
        });
        let mut loaded: Vec<&str> = modules.collect();
        loaded.retain(|module| *module != "__future__" && !known.contains(module));
        loaded.sort_unstable();
        loaded.dedup();
        if !self.is_python() || self.to.text().trim().is_empty() || loaded.is_empty() {
            return None;
        }
        Some(loads(self.to, &loaded))
    }

    /// Writes the imports, each with the end of its line.
    fn imports(&self, needs: Needs) -> Result<String, Refusal> {
        let end = self.to.newline();
        let is_future = |text: &str| text.contains("from __future__ import annotations");
        let is_new = self.to.text().trim().is_empty();
        let mut lines = Vec::new();
        if self.is_python() && is_future(self.from.text()) && !is_future(self.to.text()) {
            let is_annotated = |statement: &Node<'_>| statement.descendants().any(|node| node.is("type"));
            if is_new {
                lines.push("from __future__ import annotations".to_owned());
            } else if self.leaving.iter().any(|one| one.statements.iter().any(is_annotated)) {
                return Err(self.to.refuse(0, "annotations are evaluated here, and were not where it stood"));
            }
        }
        let is_begun = is_new && self.is_python();
        let models = if self.theirs.is_empty() { (self.from, &self.own) } else { (self.to, &self.theirs) };
        lines.extend(written(models.0, models.1, &needs.wanted));
        let head = if is_begun { begun(self.to, self.from, &lines) } else { String::new() };
        if is_begun {
            lines.clear();
        }
        if let Some(condition) = needs.condition {
            let idiom = needs.idiom.map(|it| format!("{it}{end}")).unwrap_or_default();
            lines.push(format!("{end}{idiom}if {condition}:"));
            let layout = Layout::of(self.from);
            let typed = written(models.0, models.1, &needs.typed);
            lines.extend(typed.into_iter().map(|line| format!("{}{line}", layout.step())));
        }
        Ok(lines.iter().fold(head, |text, line| text + line + end))
    }

    /// Tells whether the module uses an import while it is loaded.
    fn is_used_at_once(&self, link: &Link) -> bool {
        let names = Names::of(self.to);
        let local = link.local.and_then(|local| names.at(self.to.covering(local)));
        let uses = local.into_iter().flat_map(|local| names.of_meaning(local.meaning));
        uses.filter(|one| Some(one.span) != link.local).any(|one| {
            let node = self.to.covering(one.span);
            function_of(node).is_none() || node.ancestors().any(|outer| outer.is_any(&["parameters", "decorator"]))
        })
    }

    /// Writes what comes, each thing apart from the next.
    fn body(&self) -> Result<String, Refusal> {
        let end = self.from.newline();
        let (mut body, mut was_line) = (String::new(), true);
        for one in self.leaving.iter().filter(|one| !one.is_there) {
            for (at, (lines, statement)) in one.lines.iter().zip(&one.statements).enumerate() {
                let is_line = self.is_python() && statement.is("expression_statement");
                let is_apart = self.from.text()[..lines.start].trim_end_matches([' ', '\t']).ends_with(&end.repeat(2));
                let gap = match (at, is_line && was_line, self.is_python()) {
                    _ if body.is_empty() => 0,
                    (1.., _, true) if is_apart => 3,
                    (_, true, _) if is_apart => 2,
                    (1.., ..) | (_, true, _) => 1,
                    (_, _, true) => 3,
                    _ => 2,
                };
                was_line = is_line;
                let is_open = !self.is_python() && !statement.is("export_statement") && self.is_asked(one);
                let export = if is_open { "export " } else { "" };
                let comments = &self.from.text()[lines.start..statement.start()];
                let rest = self.led_inside(Span::new(statement.start(), lines.end))?;
                body += &format!("{}{comments}{export}{}", end.repeat(gap), rest.trim_end());
            }
        }
        let is_alike = self.to.newline() == end || self.to.text().is_empty();
        Ok(if is_alike { body } else { body.replace("\r\n", "\n").replace('\n', self.to.newline()) })
    }

    /// Returns a stretch with the imports inside it as they are written in the other module.
    fn led_inside(&self, span: Span) -> Result<String, Refusal> {
        let text = self.from.text();
        let (mut written, mut at) = (String::new(), span.start);
        let mut inside: Vec<&Link> = self.own.iter().filter(|link| span.contains(link.statement)).collect();
        inside.dedup_by_key(|link| link.source);
        for link in inside {
            if link.module.as_ref() == Some(&self.to.path) {
                return Err(self.from.refuse(link.statement.start, "it imports the module that it goes to"));
            }
            written += &text[at..link.source.start];
            written += &self.source_there(link)?;
            at = link.source.end;
        }
        written += &text[at..span.end];
        Ok(written)
    }

    /// Tells whether others than what comes along use something.
    pub(super) fn is_asked(&self, one: &super::Leaving<'_>) -> bool {
        let goes_along = |span: Span| self.leaving.iter().any(|other| other.holds(span));
        let exported = self.from.root().descendants().filter(|node| node.is("export_specifier"));
        let is_listed =
            exported.filter_map(|node| node.child("name")).any(|name| name.text(self.from.text()) == one.name);
        is_listed
            || one.meanings.iter().flat_map(|meaning| self.names.of_meaning(*meaning)).any(|it| !goes_along(it.span))
    }
}
