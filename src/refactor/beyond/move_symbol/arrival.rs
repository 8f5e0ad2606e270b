//! What becomes of the module that something comes to.

use super::handed_on::specifier;
use super::moved_code::CHECKING;
use super::own_statements::completed;
use super::required_imports::Needs;
use super::{Draft, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::imports::listed::enlisted;
use crate::refactor::analysis::imports::placement::{begun, folded_in_script, place};
use crate::refactor::analysis::imports::remarks::with_remark;
use crate::refactor::analysis::imports::required::with_imports;
use crate::refactor::analysis::imports::statements::{
    ImportForm, loads, taken_out, without_statement, written, written_like,
};
use crate::refactor::analysis::imports::typed::{below_typed, typed_edits};
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::moves::links::{Link, LinkForm, LinkedName};
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, inner, is_class};
use crate::syntax::Node;
use crate::syntax::python::dunder_all;
use crate::text::{AbsPath, Span, TextEdit};

/// What comes to be imported.
struct Imports {
    lines: Vec<String>,
    /// What only type checkers see, with the empty line above.
    block: String,
}

/// Where what comes stands in a module that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Behind the imports: the module uses it while it is loaded.
    AtOnce,
    Last,
}

impl Way<'_> {
    pub(super) fn arrive(&self, mut needs: Needs, draft: &mut Draft) -> Result<(), Refusal> {
        let known: Vec<&Link> = self
            .theirs
            .iter()
            .filter(|link| self.leaving.iter().any(|one| self.is_brought_there(link, one.name)))
            .collect();
        let renamed = each(known.iter().map(|link| self.without_alias(link)))?;
        each(known.iter().map(|link| self.check_kept(link)))?;
        let late = known.iter().find(|link| function_of(self.to.covering(link.statement)).is_some());
        draft.warnings.extend(late.map(|link| {
            let message = "what was loaded late here, when it was asked for, is loaded with the module now";
            let range = self.to.parsed().text.range(link.statement);
            Warning::at(WarningKind::FollowUp, message, self.to.path.clone(), range)
        }));
        draft.warnings.extend(self.loaded(&needs));
        let asked = |one: &super::Leaving<'_>| self.links.members(self.to, &self.from.path, one.key);
        let is_early = known.iter().any(|link| self.is_used_at_once(link))
            || self.leaving.iter().flat_map(asked).any(|span| is_at_once(self.to.covering(span)));
        if is_early && needs.uses_own {
            return Err(self.to.refuse(0, "it is used here before what it needs of this module is made"));
        }
        let mut gone: Vec<Span> = known.iter().filter(|link| link.local.is_some()).map(|link| link.item).collect();
        gone.extend(self.whole_gone(&known)?);
        gone.extend(self.handed_on(&known)?);
        let mut edits = taken_out(self.to, &self.theirs, &gone)?;
        edits.extend(self.without_clauses(&known)?);
        edits.extend(renamed.into_iter().flatten());
        for one in self.leaving {
            let members = self.links.members(self.to, &self.from.path, one.key);
            edits.extend(members.into_iter().map(|span| TextEdit::new(span, one.name)));
            let asked = known.iter().filter(|link| link.form == LinkForm::Require && link.local.is_none());
            let asked = asked.filter(|link| self.brings(link, one.name));
            edits.extend(asked.map(|link| TextEdit::new(link.item, one.name)));
        }
        edits.extend(enlisted(self.to, &self.listed()));
        edits.extend(self.typed(&mut needs));
        let needs_nothing = !needs.uses_own;
        let (imports, body) = (self.imports(needs)?, self.body()?);
        let text = self.to.text();
        if text.trim().is_empty() {
            let whole = self.begun(&imports, &body);
            match self.to.path.as_path().is_file() {
                true => draft.edit(self.to, vec![TextEdit::new(Span::new(0, text.len()), whole)]),
                false => drop(draft.created.insert(self.to.path.clone(), whole)),
            }
            return Ok(());
        }
        let is_above = is_early || needs_nothing && self.is_python() && loads_below(self.to);
        let edits = self.grown(edits, imports, &body, if is_above { Stands::AtOnce } else { Stands::Last });
        draft.edit(self.to, edits);
        Ok(())
    }

    /// Refuses a variable that functions set and that was imported here by name, with the value of the load: its uses would see what
    /// is set.
    fn check_kept(&self, link: &Link) -> Result<(), Refusal> {
        let set = self.leaving.iter().find(|one| one.is_set && self.is_brought_there(link, one.name));
        let keeps = (self.is_python() || self.is_commonjs)
            && link.local.is_some()
            && function_of(self.to.covering(link.statement)).is_none();
        match set.filter(|_| keeps) {
            Some(one) => {
                let reason =
                    format!("`{}`, which is set as the program runs, keeps here the value of the load", one.name);
                Err(self.to.refuse(link.item.start, reason))
            }
            None => Ok(()),
        }
    }

    /// Gives the uses of what is imported under another name its own; refuses where others may ask for that.
    fn without_alias(&self, link: &Link) -> Result<Vec<TextEdit>, Refusal> {
        let text = self.to.text();
        let says_other = |local: Span| match (&link.taken, link.form) {
            (LinkedName::Name(name), LinkForm::Require) => local.of(text) != Some(name),
            _ => local != link.item && link.item.of(text).is_some_and(|it| it.contains(" as ")),
        };
        let aliased = link.local.filter(|local| says_other(*local));
        let (Some(local), LinkedName::Name(own)) = (aliased, &link.taken) else { return Ok(Vec::new()) };
        let alias = local.of(text).unwrap_or_default();
        let disk = self.session.disk();
        let others =
            disk.files_mentioning(alias).into_iter().filter(|path| *path != self.to.path && *path != self.from.path);
        let asks = |path: &AbsPath| disk.read(path).is_ok_and(|it| it.as_str().contains(self.to.path.file_stem()));
        let names = ScopedNames::with_spelled(self.to);
        let meaning = names.at(self.to.covering(local)).map(|it| it.meaning);
        let is_listed = dunder_all(&self.to.parsed().tree, text).iter().any(|(one, _)| one == alias);
        let Some(meaning) =
            meaning.filter(|_| self.is_python() && !is_listed && !others.into_iter().any(|it| asks(&it)))
        else {
            return Err(self.to.refuse(link.item.start, "it is imported under another name here"));
        };
        let uses = names.of_meaning(meaning).map(|it| it.span).filter(|span| *span != local);
        Ok(uses.map(|span| TextEdit::new(span, own.as_str())).collect())
    }

    /// Returns the names that the module which they leave lists.
    fn listed(&self) -> Vec<&str> {
        let listed = dunder_all(&self.from.parsed().tree, self.from.text());
        let is_listed = |name: &&str| self.is_python() && listed.iter().any(|(one, _)| one == name);
        self.leaving.iter().map(|one| one.name).filter(is_listed).collect()
    }

    /// Tells whether who takes all of the module comes to have a name that it does not make yet.
    pub(super) fn is_offered(&self, name: &str) -> bool {
        let lists = !dunder_all(&self.to.parsed().tree, self.to.text()).is_empty();
        if lists { self.listed().contains(&name) } else { !name.starts_with('_') }
    }

    /// Writes a new module.
    fn begun(&self, imports: &Imports, body: &str) -> String {
        let end = self.to.newline();
        let lines: String = match self.is_python() {
            true => begun(self.to, self.from, &imports.lines),
            false => folded_in_script(imports.lines.clone()).iter().map(|line| format!("{line}{end}")).collect(),
        };
        let gap = match lines.is_empty() && imports.block.is_empty() {
            true => "",
            false if self.is_python() => &end.repeat(2),
            false => end,
        };
        let lines = format!("{}{lines}", self.directive());
        let mut licence = self.licence();
        if !licence.is_empty() && lines.is_empty() && imports.block.is_empty() {
            // What follows at once would have it for its own comment.
            licence = format!("{}{}", licence.trim_end(), end.repeat(if self.is_python() { 3 } else { 2 }));
        }
        let exports = if self.is_commonjs { self.exports() } else { String::new() };
        let body = if exports.is_empty() { body.to_owned() } else { format!("{body}{end}{exports}") };
        let block = match licence.is_empty() && lines.is_empty() {
            true => imports.block.trim_start_matches(['\r', '\n']),
            false => &imports.block,
        };
        format!("{licence}{lines}{block}{gap}{body}{end}")
    }

    /// Returns the comment by which the module that is left begins, if it says whose it is.
    fn licence(&self) -> String {
        const SAYS: &[&str] = &["copyright", "license", "licence", "spdx"];
        let text = self.from.text();
        let first = |node: &Node<'_>| node.is("comment") && !node.text(text).starts_with("#!");
        let mut comments = self.from.root().children().skip_while(|node| node.is("hash_bang_line")).peekable();
        let Some(start) = comments.peek().filter(|node| first(node)).map(|node| node.start()) else {
            return String::new();
        };
        let mut end = start;
        for comment in comments.take_while(first) {
            if end > start && text[end..comment.start()].matches('\n').count() > 1 {
                break;
            }
            end = comment.end();
        }
        let said = &text[start..end];
        let is_licence = SAYS.iter().any(|word| said.to_lowercase().contains(word));
        let goes = self.leaving.iter().flat_map(|one| &one.lines).any(|lines| lines.overlaps(Span::new(start, end)));
        match is_licence && !goes {
            true => format!("{said}{}", self.to.newline().repeat(if text[end..].starts_with("\n\n") { 2 } else { 1 })),
            false => String::new(),
        }
    }

    /// Adds what comes to a module that is there.
    fn grown(&self, mut edits: Vec<TextEdit>, imports: Imports, body: &str, stands: Stands) -> Vec<TextEdit> {
        let Imports { lines, block } = imports;
        if self.is_commonjs {
            let early = (stands == Stands::AtOnce).then(|| self.early((place(self.to), &edits), &block, body));
            return self.grown_in_commonjs(edits, &lines, early.ok_or(body));
        }
        let (text, end) = (self.to.text(), self.to.newline());
        if block.is_empty()
            && stands == Stands::Last
            && let Some(grown) = self.grown_above_list(&edits, &lines, body)
        {
            return grown;
        }
        edits.extend(self.listed_there(&edits));
        let gap = end.repeat(self.lines_between());
        let at = place(self.to);
        // The last statement may go, with its line.
        let gone = edits.iter().map(|it| it.span.end).max().unwrap_or_default();
        let tail = gone.max(text.trim_end().len());
        let begin = if gone == tail && text[..tail].ends_with('\n') { "" } else { end };
        if stands == Stands::AtOnce {
            edits.push(self.early((below_typed(self.to, at), &edits), &block, body));
        } else if at >= tail {
            let glue = if tail > 0 { begin } else { "" };
            let lines: String = lines.iter().map(|line| format!("{line}{end}")).collect();
            let below = format!("{glue}{lines}{block}{gap}{body}{end}");
            edits.push(TextEdit::new(Span::new(tail, text.len()), below));
            return edits;
        } else {
            edits.extend((!block.is_empty()).then(|| TextEdit::new(Span::at(at), block)));
            edits.push(TextEdit::new(Span::new(tail, text.len()), format!("{begin}{gap}{body}{end}")));
        }
        with_imports(self.to, edits, &lines)
    }

    /// Returns how many empty lines stand between declarations: in stubs, functions stand one below the other.
    fn lines_between(&self) -> usize {
        let mut statements = self.leaving.iter().flat_map(|one| &one.statements);
        match (self.is_python(), self.to.path.extension()) {
            (true, "pyi") => usize::from(statements.any(|one| is_class(inner(*one)))),
            (true, _) => 2,
            (false, _) => 1,
        }
    }

    /// Puts what is used at once behind the imports; what goes may be all that the file begins with.
    fn early(&self, (at, edits): (usize, &[TextEdit]), imports: &str, body: &str) -> TextEdit {
        let (text, end) = (self.to.text(), self.to.newline());
        let gap = if self.is_python() { end.repeat(2) } else { end.to_owned() };
        let mut spans = edits.iter().map(|edit| edit.span);
        let taken = spans.find(|span| !span.is_empty() && span.start <= at && at <= span.end);
        let (at, is_begun) = taken.map_or((at, true), |span| (span.end, span.start > 0));
        // Empty lines above what goes stay.
        let start = taken.filter(|_| imports.is_empty()).map_or(0, |span| span.start);
        let above = text[..start].len() - text[..start].trim_end_matches(['\r', '\n']).len();
        let above = text[start - above..start].matches('\n').count().saturating_sub(1);
        let gap = end.repeat(gap.matches('\n').count().saturating_sub(above));
        let head = if is_begun || !imports.is_empty() { format!("{imports}{gap}") } else { String::new() };
        let is_apart = text[at..].starts_with(['\r', '\n']);
        let behind = if is_begun || is_apart { "" } else { end };
        // Two empty lines stand behind what a module of Python defines.
        let last = self.leaving.iter().rev().find_map(|one| one.statements.last());
        let defines = self.is_python() && last.is_some_and(|it| !it.is("expression_statement"));
        let rest = text[at..].trim_start_matches(['\r', '\n']);
        let blank = text[at..text.len() - rest.len()].matches('\n').count();
        let more = if defines && is_apart && !rest.is_empty() {
            end.repeat(2_usize.saturating_sub(blank))
        } else {
            String::new()
        };
        TextEdit::new(Span::at(at), format!("{head}{body}{end}{behind}{more}"))
    }

    /// Adds what only type checkers see to what the module has for them.
    fn typed(&self, needs: &mut Needs) -> Vec<TextEdit> {
        let lines = written(self.to, &self.theirs, &needs.typed);
        let edits = typed_edits(self.to, &lines).filter(|_| self.is_python() && !lines.is_empty());
        if edits.is_some() {
            needs.condition = None;
        }
        edits.unwrap_or_default()
    }

    /// Tells which modules a module that is there comes to load.
    fn loaded(&self, needs: &Needs) -> Option<Warning> {
        let known: Vec<&str> = self.theirs.iter().filter_map(|link| link.source.of(self.to.text())).collect();
        let modules = needs.wanted.iter().map(|one| match one.form {
            ImportForm::Whole => one.item.split(" as ").next().unwrap_or_default(),
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

    /// Writes the imports.
    fn imports(&self, mut needs: Needs) -> Result<Imports, Refusal> {
        let condition = self.condition(&mut needs);
        let end = self.to.newline();
        let is_new = self.to.text().trim().is_empty();
        let mut lines = Vec::new();
        if is_new && self.is_python() && self.from.postpones_annotations() {
            lines.push("from __future__ import annotations".to_owned());
        }
        let models = if self.theirs.is_empty() { (self.from, &self.own) } else { (self.to, &self.theirs) };
        let like = if self.theirs.iter().any(|link| link.form.is_type()) { self.to } else { self.from };
        let wanted = written_like(models.0, models.1, &needs.wanted, like);
        lines.extend(wanted.into_iter().map(|line| with_remark(self.from, line)));
        let mut block = String::new();
        if let Some(condition) = condition {
            let idiom = needs.idiom.map(|it| format!("{it}{end}")).unwrap_or_default();
            let typed = begun(self.to, models.0, &written(models.0, models.1, &needs.typed));
            let typed = Layout::of(self.from).inside(&typed);
            block = format!("{end}{idiom}if {condition}:{end}{typed}");
        }
        block += &self.attempted(&needs.attempts)?;
        block.extend(needs.made.iter().map(|statement| format!("{end}{statement}{end}")));
        Ok(Imports { lines, block })
    }

    /// Returns what is true for type checkers alone, as a module says it that imports `typing` as a whole anyway.
    fn condition(&self, needs: &mut Needs) -> Option<String> {
        let condition = needs.condition.take()?;
        let mut statements = self.leaving.iter().flat_map(|one| &one.statements);
        let is_named = statements.any(|one| one.text(self.from.text()).contains(CHECKING));
        let typing =
            needs.wanted.iter().filter(|one| one.form == ImportForm::Whole).find_map(|one| match one.item.as_str() {
                "typing" => Some("typing"),
                item => item.strip_prefix("typing as "),
            });
        let is_short = condition == CHECKING && needs.idiom.is_none() && !is_named;
        let Some(whole) = typing.filter(|_| is_short).map(|typing| format!("{typing}.{CHECKING}")) else {
            return Some(condition);
        };
        needs.wanted.retain(|one| one.item != CHECKING);
        Some(whole)
    }

    /// Tells whether the module uses an import while it is loaded.
    fn is_used_at_once(&self, link: &Link) -> bool {
        let names = ScopedNames::of(self.to);
        if link.form == LinkForm::Require && link.local.is_none() {
            return function_of(self.to.covering(link.item)).is_none();
        }
        let local = link.local.and_then(|local| names.at(self.to.covering(local)));
        let uses = local.into_iter().flat_map(|local| names.of_meaning(local.meaning));
        let is_use = |span: Span| Some(span) != link.local && specifier(self.to, span).is_none();
        uses.filter(|one| is_use(one.span)).any(|one| is_at_once(self.to.covering(one.span)))
    }

    /// Writes what comes, each thing apart from the next.
    fn body(&self) -> Result<String, Refusal> {
        let end = self.from.newline();
        let (mut body, mut was_line, mut above) = (String::new(), true, None);
        for one in self.leaving.iter().filter(|one| !one.is_there) {
            for (at, (lines, statement)) in one.lines.iter().zip(&one.statements).enumerate() {
                let is_line = self.is_python() && statement.is("expression_statement");
                let is_more = completed(self.from, *statement).is_some();
                let is_apart = self.from.text()[..lines.start].trim_end_matches([' ', '\t']).ends_with(&end.repeat(2));
                let gap = match (at, is_line && was_line, self.is_python()) {
                    _ if body.is_empty() => 0,
                    (1.., ..) if is_more && is_apart && !self.is_python() => 2,
                    (1.., _, true) if is_apart => 3,
                    (_, true, _) if is_apart => 2,
                    (1.., ..) | (_, true, _) => 1,
                    (.., false) if above == Some(lines.start) => 1,
                    _ => self.lines_between() + 1,
                };
                (was_line, above) = (is_line, Some(lines.end));
                let is_open =
                    self.exported_name(one) == Some(one.name) && !is_more && !statement.is("export_statement");
                let export = if is_open && !self.is_listed_there(one) { "export " } else { "" };
                let comments = self.led_inside(Span::new(lines.start, statement.start()))?;
                let rest = self.led_inside(Span::new(statement.start(), lines.end))?;
                let rest = if is_more { rest } else { self.declared_there(one, rest) };
                let rest = self.unmarked(*statement, rest.trim_end());
                body += &format!("{}{comments}{export}{rest}", end.repeat(gap));
            }
        }
        let others = self.leaving.iter().filter(|one| !one.is_there && self.exported_name(one) == Some(one.key));
        let others = others.filter(|one| one.key != one.name && !self.is_listed_there(one));
        let others = others.map(|one| format!("{} as {}", one.name, one.key));
        let others: Vec<String> = others.collect();
        if !others.is_empty() {
            body += &format!("{end}{end}export {{ {} }}{}", others.join(", "), self.from.semicolon());
        }
        for comment in self.comments_along() {
            body += &format!("{end}{end}{}", self.led_inside(comment)?.trim_end());
        }
        let is_alike = self.to.newline() == end || self.to.text().is_empty();
        Ok(if is_alike { body } else { body.replace("\r\n", "\n").replace('\n', self.to.newline()) })
    }

    /// Returns a stretch with the imports inside it as they are written in the other module, those of examples included.
    fn led_inside(&self, span: Span) -> Result<String, Refusal> {
        let mut inside: Vec<&Link> = self.own.iter().filter(|link| span.contains(link.statement)).collect();
        inside.dedup_by_key(|link| link.source);
        let mut edits = Vec::new();
        for link in inside {
            if link.module.as_ref() == Some(&self.to.path) {
                edits.push(self.without_own_import(link.statement)?);
                continue;
            }
            edits.push(TextEdit::new(link.source, self.source_there(link)?));
        }
        let examples = self.examples().map(|it| it.in_code(self.from)).unwrap_or_default();
        edits.extend(examples.into_iter().filter(|edit| span.contains(edit.span)));
        edits.extend(self.respelled_comments(span)?);
        edits.extend(self.unqualified(span)?);
        edits.extend(self.quoted_annotations(span)?);
        Ok(changed(self.from.text(), span, &edits))
    }

    /// Takes an import out of a function of Python that comes to the very module which it imports from: that has the names.
    fn without_own_import(&self, statement: Span) -> Result<TextEdit, Refusal> {
        let (text, theirs) = (self.from.text(), ScopedNames::of(self.to));
        let is_theirs = |name: &str| theirs.named(name).any(|it| it.is_binding && it.scope == 0);
        let is_plain = |link: &Link| match &link.taken {
            LinkedName::Name(name) => link.local.and_then(|it| it.of(text)) == Some(name) && is_theirs(name),
            _ => false,
        };
        if !self.is_python() || !self.own.iter().filter(|link| link.statement == statement).all(is_plain) {
            return Err(self.from.refuse(statement.start, "it imports the module that it goes to"));
        }
        let gone = without_statement(self.from, statement)?;
        if !gone.new_text.is_empty() {
            return Ok(gone);
        }
        // What a comment above says is about the import, and an empty line below sets the imports apart.
        let start = self.from.line_start(comments_above(self.from, statement.start));
        let is_first = text[..start].trim_end().ends_with([':', '"', '\'']);
        let rest = &text[gone.span.end..];
        let empty =
            rest.find(|it: char| !it.is_whitespace()).map_or(0, |at| rest[..at].rfind('\n').map_or(0, |it| it + 1));
        Ok(TextEdit::new(Span::new(start, gone.span.end + if is_first { empty } else { 0 }), ""))
    }

    /// Returns the name by which an ES module that something comes to has to export it; nothing where nobody asks for it.
    pub(super) fn exported_name<'o>(&self, one: &super::Leaving<'o>) -> Option<&'o str> {
        let is_es = !self.is_python() && !self.is_commonjs;
        (is_es && self.is_asked(one)).then_some(one.key)
    }

    /// Tells whether others than what comes along use something.
    pub(super) fn is_asked(&self, one: &super::Leaving<'_>) -> bool {
        let goes_along = |span: Span| self.leaving.iter().any(|other| other.holds(span));
        self.listed_here_as(one.name).is_some()
            || one.meanings.iter().flat_map(|meaning| self.names.of_meaning(*meaning)).any(|it| !goes_along(it.span))
    }
}

/// Tells whether a module of Python loads others below what it defines, which may ask for that then.
fn loads_below(to: &Code) -> bool {
    let mut below = to.root().named_children().skip_while(|it| !it.kind().ends_with("definition"));
    below.any(|it| it.is_any(&["import_from_statement", "import_statement"]))
}

/// Tells whether something is evaluated while its module is loaded: outside of functions, or in what makes one.
fn is_at_once(node: Node<'_>) -> bool {
    function_of(node).is_none() || node.ancestors().any(|outer| outer.is_any(&["parameters", "decorator"]))
}
