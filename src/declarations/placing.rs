//! Where the text of a declaration goes in its file, and what goes with it.
//!
//! The text is indented as its new place is, ends its lines as the file does, and stands as far from its neighbours as they
//! stand from each other. Nothing else of the file changes.

use super::indenting::{Follow, Steps, reindented, unbroken, unit};
use super::matching::alike;
use super::module::{DeclarationRow, Module};
use crate::session::Parsed;
use crate::syntax::kinds::Role;
use crate::syntax::{
    Declaration, Entry, EntryKind, Family, Language, Node, Tree, body_of, declared_node, entries, indent_step,
};
use crate::text::{LineBreaks, LineIndex, Span};

use super::detail::{declared, written_span};

/// A file's text after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub text: String,
    /// Where the name of what was written begins in it; nothing where something was taken out.
    pub name_start: Option<usize>,
}

/// Beside what a declaration is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertionPlace {
    Before(usize),
    After(usize),
    /// Behind the last declaration of the file.
    End,
    /// Behind the last member of a class.
    Member(usize),
    /// Behind the last field of a class.
    Field(usize),
}

/// Why a text does not become a declaration there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    #[error("the source does not parse at line {line}, column {column} of it")]
    Syntax { line: u32, column: u32 },
    #[error("the file would no longer parse around the change")]
    Around,
    #[error("the source declares nothing")]
    Nothing,
    #[error("the source declares {}, and one declaration is meant", .0.join(", "))]
    Several(Vec<String>),
    #[error("the source is a {found}, and a {wanted} is meant", found = .found.as_str(), wanted = .wanted.as_str())]
    OtherKind { found: EntryKind, wanted: EntryKind },
    #[error("`{0}` is declared in one statement with others")]
    Shared(String),
    #[error("`{0}` shares its line with other code")]
    SharesLine(String),
    #[error("`{0}` has no body that a member could be put into")]
    NoBody(String),
    #[error("`{0}` is nothing that a constructor of Python, TypeScript, JavaScript or Solidity makes")]
    NoConstructor(String),
    #[error("`{0}` has the constructor of what it is derived from, and none of its own")]
    InheritedConstructor(String),
    #[error("`{0}` is in a language whose classes have no fields")]
    NoFields(String),
    #[error("a field of `{0}` has no default: nothing is set where it is declared")]
    NoDefault(String),
    #[error("the `__slots__` of `{0}` are put together from other values, and what they hold is not known")]
    Slots(String),
}

/// One file that is written into.
pub struct Placing<'p> {
    parsed: &'p Parsed,
    module: &'p Module,
}

/// What is put into a text, and where: a stretch of the old text, and what stands there then.
struct Insertion {
    span: Span,
    before: String,
    source: String,
    after: String,
}

impl<'p> Placing<'p> {
    pub fn new(parsed: &'p Parsed, module: &'p Module) -> Self {
        Self { parsed, module }
    }

    pub(super) fn text(&self) -> &'p str {
        self.parsed.text.as_str()
    }

    pub(super) fn tree(&self) -> &'p Tree {
        &self.parsed.tree
    }

    /// Puts a source in the place of a declaration. Comments above it stay unless the source begins with its own.
    /// Several declarations are one text from the first to the last.
    pub fn replaced(&self, numbers: &[usize], source: &str) -> Result<Changed, Misfit> {
        let (row, full) = self.first_to_last(numbers)?;
        let text = self.text();
        let line = self.line_start(full.start);
        let is_alone = text[line..full.start].trim().is_empty();
        let mut start = if is_alone { line } else { full.start };
        if is_alone && begins_with_comment(source) {
            start = written_span(self.parsed, row).start;
        }
        let span = Span::new(start, full.end);
        let existing = &text[full.start..full.end];
        let indent = self.indent(full.start);
        let unit = unit(&text[line..full.end]);
        let steps = Steps { file: unit.as_deref(), follow: Follow::Kinds };
        let place = if is_alone { indent } else { "" };
        let mut written = reindented(source, place, (steps, self.module.language));
        // A field is told without what ends it.
        let next = text[span.end..].trim_start_matches([' ', '\t']).chars().next();
        if let Some(end) =
            next.filter(|next| matches!(next, ';' | ',') && written.ends_with(*next) && !existing.ends_with(*next))
        {
            written.truncate(written.len() - end.len_utf8());
        }
        let insertion =
            Insertion { span, before: String::new(), source: self.with_breaks(&written), after: String::new() };
        let own = self.outermost(full);
        let changed = self.carried_out(&insertion, source, own.len()).map_err(|misfit| match misfit {
            Misfit::Syntax { .. } if self.is_shared(row) => Misfit::Shared(row.name().to_owned()),
            other => other,
        })?;
        let wanted = row.kind;
        let found = self.kind_at(&changed);
        match found.filter(|found| !alike(*found, wanted)) {
            Some(found) => Err(Misfit::OtherKind { found, wanted }),
            None => Ok(changed),
        }
    }

    /// Replaces a text that stands once in a declaration; tells how often it stands there otherwise.
    /// Several declarations are one text from the first to the last.
    pub fn edited(&self, numbers: &[usize], (old, new): (&str, &str)) -> Result<Result<Changed, usize>, Misfit> {
        let (row, full) = self.first_to_last(numbers)?;
        let span = Span::new(written_span(self.parsed, row).start, full.end);
        let own = &self.text()[span.start..span.end];
        let (old, new) = (self.with_breaks(&unbroken(old)), self.with_breaks(&unbroken(new)));
        let places: Vec<usize> = own.match_indices(&old).map(|(at, _)| at).collect();
        let [at] = places.as_slice() else { return Ok(Err(places.len())) };
        let start = span.start + at;
        let span = Span::new(start, start + old.len());
        let insertion = Insertion { span, before: String::new(), source: new.clone(), after: String::new() };
        let text = insertion.put(self.text());
        self.sound(&text, (start, &new), &new)?;
        let name = row.name_span.start;
        let name_start = match () {
            () if name >= span.end => Some(name + new.len() - old.len()),
            () if name < span.start => Some(name),
            () => None,
        };
        Ok(Ok(Changed { text, name_start }))
    }

    fn first_to_last(&self, numbers: &[usize]) -> Result<(&'p DeclarationRow, Span), Misfit> {
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return Err(Misfit::Nothing) };
        let (first, last) = (&self.module.rows[*first], &self.module.rows[*last]);
        Ok((first, Span::new(first.full_span.start, last.full_span.end)))
    }

    /// Puts a source beside what is declared.
    pub fn added(&self, place: InsertionPlace, source: &str) -> Result<Changed, Misfit> {
        if let InsertionPlace::Member(number) | InsertionPlace::Field(number) = place {
            let owner = &self.module.rows[number];
            // Of an object type the fields are declared, and nothing else is.
            let is_object_type = owner.kind == EntryKind::Type && self.module.members(number).next().is_some();
            if !(owner.kind.has_members() || is_object_type) {
                return Err(Misfit::NoBody(owner.name().to_owned()));
            }
        }
        let beyond = self.beyond_group(place);
        let changed = self.put(beyond, source)?;
        let (InsertionPlace::Before(number) | InsertionPlace::After(number)) = place else { return Ok(changed) };
        // One more overload stands among the others, where it is wanted.
        let is_of_group = beyond != place && self.name_at(&changed) == Some(self.module.rows[number].name());
        if is_of_group { self.put(place, source) } else { Ok(changed) }
    }

    /// Parts no overloads and no accessors of a property.
    fn beyond_group(&self, place: InsertionPlace) -> InsertionPlace {
        let group = |number| self.module.group(number, self.text()).into_iter();
        match place {
            InsertionPlace::Before(number) => group(number).min().map_or(place, InsertionPlace::Before),
            InsertionPlace::After(number) => group(number).max().map_or(place, InsertionPlace::After),
            other => other,
        }
    }

    fn put(&self, place: InsertionPlace, source: &str) -> Result<Changed, Misfit> {
        let insertion = match place {
            InsertionPlace::After(number) => self.after(number, source)?,
            InsertionPlace::Before(number) => self.before(number, source)?,
            InsertionPlace::End => match self.last(None, |_| true) {
                Some(last) => self.after(last, source)?,
                None => self.at_end(source),
            },
            InsertionPlace::Member(number) => match self.last_member(number) {
                Some(last) => self.after(last, source)?,
                None => self.inside(number, source)?,
            },
            InsertionPlace::Field(number) => match self.last(Some(number), |row| row.kind == EntryKind::Field) {
                Some(last) => self.after(last, source)?,
                None => self.first_inside(number, source)?,
            },
        };
        self.carried_out(&insertion, source, 1)
    }

    /// Takes a declaration out, with the comments above it and the blank lines that parted it from its neighbours.
    pub fn deleted(&self, number: usize) -> Result<Changed, Misfit> {
        let row = &self.module.rows[number];
        if self.is_shared(row) {
            return Err(Misfit::Shared(row.name().to_owned()));
        }
        let text = self.text();
        let written = written_span(self.parsed, row);
        let end = self.line_rest(row.full_span.end);
        let is_alone = text[self.line_start(written.start)..written.start].trim().is_empty();
        let (Some(end), true) = (end, is_alone) else { return self.deleted_in_line(row) };
        let (has_before, has_after) = self.company(row, Span::new(written.start, end));
        let above = text[..written.start].trim_end().len();
        let above = if above == 0 { 0 } else { self.line_end(above) };
        let below = end + (text[end..].len() - text[end..].trim_start().len());
        let below = if below == text.len() { below } else { self.line_start(below) };
        let blanks = |span: Span| text[span.start..span.end].matches('\n').count().saturating_sub(1);
        let (over, under) = (blanks(Span::new(above, written.start)), blanks(Span::new(end, below)));
        let is_empty = text[above..written.start].chars().all(|it| matches!(it, '\n' | '\r'));
        let whole = self.node(row);
        let is_block = whole.parent().is_some_and(|outer| outer.is("block")) && self.family() == Family::Python;
        let (span, left) = match (has_before, has_after) {
            (false, false) if is_block => {
                let indent = self.indent(row.full_span.start);
                (Span::new(written.start, end), format!("{indent}pass"))
            }
            (true, true) if over < under && self.stands_with_its_like(row, (written.start, over)) => {
                (Span::new(above, end), String::new())
            }
            (true, true) if over < under || over == under && !is_empty => {
                (Span::new(written.start, below), String::new())
            }
            (true, _) => (Span::new(above, end), String::new()),
            (false, _) => (Span::new(written.start, below.max(self.next_line(end))), String::new()),
        };
        let text = Insertion { span, before: left, source: String::new(), after: String::new() }.put(text);
        if errors(self.module.language, &text) > self.tree().error_count() {
            return Err(Misfit::Around);
        }
        Ok(Changed { text, name_start: None })
    }

    /// Takes a declaration out of a line that it shares: `a = 1; b = 2`.
    fn deleted_in_line(&self, row: &DeclarationRow) -> Result<Changed, Misfit> {
        let text = self.text();
        let Span { start, end } = row.full_span;
        let rest = &text[end..self.line_end(end)];
        let behind = end + rest.len() - rest.trim_start_matches([';', ',', ' ', '\t']).len();
        let line = self.line_start(start);
        let before = line + text[line..start].trim_end_matches([';', ',', ' ', '\t']).len();
        let is_last = behind == self.line_end(end) && before > line;
        let span = if is_last { Span::new(before, end) } else { Span::new(start, behind) };
        let text = Insertion { span, before: String::new(), source: String::new(), after: String::new() }.put(text);
        if errors(self.module.language, &text) > self.tree().error_count() {
            return Err(Misfit::SharesLine(row.name().to_owned()));
        }
        Ok(Changed { text, name_start: None })
    }

    fn after(&self, number: usize, source: &str) -> Result<Insertion, Misfit> {
        let row = &self.module.rows[number];
        let end = self.line_rest(row.full_span.end).ok_or_else(|| Misfit::SharesLine(row.name().to_owned()))?;
        let indent = self.indent(row.full_span.start);
        let below = &self.text()[end..];
        let blanks = below[..below.len() - below.trim_start().len()].matches('\n').count().saturating_sub(1);
        let (_, is_followed) = self.company(row, Span::new(row.full_span.start, end));
        let habit = self.habit(row.parent, [self.own(row), source]);
        // What takes one line stands with its like, whatever comes behind.
        let gap =
            if is_followed && [self.own(row), source].into_iter().any(is_long) { habit.max(blanks) } else { habit };
        let before = "\n".repeat(gap + 1);
        Ok(self.insertion(Span::at(end), (before, source, String::new()), indent))
    }

    fn before(&self, number: usize, source: &str) -> Result<Insertion, Misfit> {
        let row = &self.module.rows[number];
        let written = written_span(self.parsed, row);
        if self.line_start(written.start) != written.start {
            return Err(Misfit::SharesLine(row.name().to_owned()));
        }
        if let Some(above) = self.short_above(row, written.start).filter(|_| !is_long(source)) {
            return self.after(above, source);
        }
        let indent = self.indent(row.full_span.start);
        let above = &self.text()[..written.start];
        let blanks = above[above.trim_end().len()..].matches('\n').count().saturating_sub(1);
        let (is_preceded, _) = self.company(row, Span::new(written.start, row.full_span.end));
        let gap = self.habit(row.parent, [self.own(row), source]).max(if is_preceded { blanks } else { 0 });
        let after = "\n".repeat(gap + 1);
        Ok(self.insertion(Span::at(written.start), (String::new(), source, after), indent))
    }

    fn at_end(&self, source: &str) -> Insertion {
        let text = self.text();
        let end = text.trim_end().len();
        let gap = if end == 0 { 0 } else { self.habit(None, [source, source]) + 1 };
        let after = if text[end..].is_empty() { "\n" } else { "" };
        self.insertion(Span::at(end), ("\n".repeat(gap), source, after.to_owned()), "")
    }

    /// Puts a member into a class that has none.
    fn inside(&self, number: usize, source: &str) -> Result<Insertion, Misfit> {
        let row = &self.module.rows[number];
        let indent = self.indent(row.full_span.start).to_owned();
        if matches!(self.family(), Family::Go) {
            return self.after(number, source);
        }
        let step = self.unit();
        let inner = format!("{indent}{step}");
        let text = self.text();
        if self.family() == Family::Rust && matches!(row.kind, EntryKind::Struct | EntryKind::Enum) {
            let end = self.line_rest(row.full_span.end).ok_or_else(|| Misfit::SharesLine(row.name().to_owned()))?;
            let before = format!("\n\n{indent}impl {} {{\n", row.name());
            return Ok(self.insertion(Span::at(end), (before, source, format!("\n{indent}}}")), &inner));
        }
        let declaration = declared(self.parsed, row);
        let body = declaration.and_then(|it| self.body(&it)).ok_or_else(|| Misfit::NoBody(row.name().to_owned()))?;
        if self.family() == Family::Python {
            let is_own_line = text[self.line_start(body.start)..body.start].trim().is_empty();
            if !is_own_line {
                return Ok(self.insertion(
                    Span::new(body.start, body.end),
                    ("\n".to_owned(), source, String::new()),
                    &inner,
                ));
            }
            let end = self.line_rest(body.end).unwrap_or(body.end);
            let indent = self.indent(body.start);
            return Ok(self.insertion(Span::at(end), ("\n\n".to_owned(), source, String::new()), indent));
        }
        let close = body.end - 1;
        let is_own_line = text[self.line_start(close)..close].trim().is_empty();
        if is_own_line {
            let at = self.line_start(close);
            return Ok(self.insertion(Span::at(at), (String::new(), source, "\n".to_owned()), &inner));
        }
        let open = body.start + 1;
        if !text[open..close].trim().is_empty() {
            return Err(Misfit::SharesLine(row.name().to_owned()));
        }
        Ok(self.insertion(Span::new(open, close), ("\n".to_owned(), source, format!("\n{indent}")), &inner))
    }

    /// Puts a field before all members.
    fn first_inside(&self, number: usize, source: &str) -> Result<Insertion, Misfit> {
        let first = self.siblings(Some(number)).min_by_key(|row| row.full_span.start);
        let first = first.and_then(|first| self.number(first));
        match first.filter(|_| !matches!(self.family(), Family::Rust | Family::Go)) {
            Some(first) => self.before(first, source),
            None => self.inside(number, source),
        }
    }

    /// Returns what lies between the braces, or the indented block.
    fn body(&self, declaration: &Declaration) -> Option<Span> {
        body_of(self.tree(), declaration).map(Node::span).or_else(|| {
            let (whole, _) = declared_node(self.tree(), declaration);
            let braces: Vec<Node<'_>> = whole.children().filter(|it| matches!(it.kind(), "{" | "}")).collect();
            let (first, last) = (braces.first()?, braces.last()?);
            Some(Span::new(first.start(), last.end()))
        })
    }

    fn insertion(&self, span: Span, (before, source, after): (String, &str, String), indent: &str) -> Insertion {
        let unit = self.shown_unit();
        let steps = Steps { file: unit.as_deref(), follow: Follow::Always };
        let written = reindented(source, indent, (steps, self.module.language));
        let [before, source, after] = [before, written, after].map(|part| self.with_breaks(&part));
        Insertion { span, before, source, after }
    }

    /// Puts a source in, and looks whether the whole still parses and the source is one declaration.
    fn carried_out(&self, insertion: &Insertion, given: &str, count: usize) -> Result<Changed, Misfit> {
        let text = insertion.put(self.text());
        let start = insertion.span.start + insertion.before.len();
        let tree = self.sound(&text, (start, &insertion.source), given)?;
        let written = Span::new(start, start + insertion.source.len());
        let all = entries(&tree, &text);
        let inside = |entry: &Entry| written.contains(entry.declaration.full_span);
        // A field that a method sets stands in it, and is a member of the class around both.
        let stands_in = |entry: &Entry, other: &Entry| {
            let (own, around) = (entry.declaration.full_span, other.declaration.full_span);
            own != around && around.contains(own) && inside(other)
        };
        let is_outermost = |entry: &&Entry| {
            inside(entry)
                && !entry.parent.is_some_and(|parent| inside(&all[parent]))
                && !all.iter().any(|other| stands_in(entry, other))
        };
        let mut names: Vec<&Entry> = all.iter().filter(is_outermost).collect();
        // Overloads, and a getter with its setter, are one.
        names.dedup_by(|one, other| one.declaration.path == other.declaration.path);
        match names.as_slice() {
            [] => Err(Misfit::Nothing),
            several if several.len() > count.max(1) => {
                let named = |it: &&Entry| format!("{} `{}`", it.kind.as_str(), it.declaration.name);
                Err(Misfit::Several(several.iter().map(named).collect()))
            }
            [first, ..] => {
                let name_start = Some(first.declaration.name_span.start);
                Ok(Changed { text, name_start })
            }
        }
    }

    /// Parses a text; refused where it breaks the grammar more than before.
    fn sound(&self, text: &str, (start, written): (usize, &str), given: &str) -> Result<Tree, Misfit> {
        let tree = Tree::parse(self.module.language, text);
        if tree.error_count() <= self.tree().error_count() {
            return Ok(tree);
        }
        let is_here = |at: usize| start <= at && at <= start + written.len();
        let error = tree.nodes().iter().find(|node| node.is_error() && is_here(node.start()));
        let Some(error) = error.map(Node::start) else { return Err(Misfit::Around) };
        let index = LineIndex::new(text, LineBreaks::Lsp);
        let (first, at) = (index.line_of(start), index.line_of(error));
        let column = error - text[..error].rfind('\n').map_or(0, |it| it + 1);
        let blank = given.lines().take_while(|line| line.trim().is_empty()).count() as u32;
        let indent = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
        let own = given.lines().find(|line| !line.trim().is_empty()).map_or(0, indent);
        let column = (column + own).saturating_sub(indent(written)) as u32;
        Err(Misfit::Syntax { line: at - first + 1 + blank, column: column + 1 })
    }

    fn name_at<'c>(&self, changed: &'c Changed) -> Option<&'c str> {
        let rest = changed.text.get(changed.name_start?..)?;
        let end = rest.find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '$' | '#'))).unwrap_or(rest.len());
        Some(&rest[..end])
    }

    fn kind_at(&self, changed: &Changed) -> Option<EntryKind> {
        let tree = Tree::parse(self.module.language, &changed.text);
        let found = entries(&tree, &changed.text).into_iter();
        found.into_iter().find(|it| Some(it.declaration.name_span.start) == changed.name_start).map(|it| it.kind)
    }

    /// Returns the rows of a stretch that stand in no other of it.
    fn outermost(&self, span: Span) -> Vec<&'p DeclarationRow> {
        let inside = |row: &DeclarationRow| span.contains(row.full_span);
        let rows = self.module.rows.iter();
        let mut found: Vec<&DeclarationRow> =
            rows.filter(|row| inside(row) && !row.parent.is_some_and(|at| inside(&self.module.rows[at]))).collect();
        found.dedup_by(|one, other| one.names == other.names);
        found
    }

    /// Returns the members of an owner that stand in no other of them.
    pub(super) fn siblings(&self, owner: Option<usize>) -> impl Iterator<Item = &'p DeclarationRow> {
        let rows: Vec<&'p DeclarationRow> = self.module.rows.iter().filter(|row| row.parent == owner).collect();
        let is_inside = |row: &DeclarationRow, other: &DeclarationRow| {
            other.name_span != row.name_span
                && other.full_span != row.full_span
                && other.full_span.contains(row.full_span)
        };
        let own: Vec<&'p DeclarationRow> =
            rows.iter().copied().filter(|row| !rows.iter().any(|other| is_inside(row, other))).collect();
        own.into_iter()
    }

    fn last(&self, owner: Option<usize>, fits: impl Fn(&DeclarationRow) -> bool) -> Option<usize> {
        let last = self.siblings(owner).filter(|row| fits(row)).max_by_key(|row| row.full_span.end)?;
        self.number(last)
    }

    pub(super) fn number(&self, row: &DeclarationRow) -> Option<usize> {
        self.module.rows.iter().position(|other| std::ptr::eq(other, row))
    }

    /// Returns the member behind which another is put: of Rust and Go, whose fields stand elsewhere, the last method.
    fn last_member(&self, owner: usize) -> Option<usize> {
        let is_apart = matches!(self.family(), Family::Rust | Family::Go);
        self.last(Some(owner), |row| !is_apart || row.kind.is_callable())
    }

    pub(super) fn node(&self, row: &DeclarationRow) -> Node<'_> {
        declared(self.parsed, row).map_or(self.tree().nodes().root(), |it| declared_node(self.tree(), &it).0)
    }

    pub(super) fn own(&self, row: &DeclarationRow) -> &'p str {
        &self.text()[row.full_span.start..row.full_span.end]
    }

    /// Tells whether a declaration cannot go without others: `a, b = 1, 2`, `const a = 1, b = 2`.
    fn is_shared(&self, row: &DeclarationRow) -> bool {
        let rows = &self.module.rows;
        let same = rows.iter().any(|it| it.full_span == row.full_span && it.name_span != row.name_span);
        let whole = declared(self.parsed, row).map(|it| declared_node(self.tree(), &it).0);
        let declarator = whole.filter(|it| it.is("variable_declarator")).and_then(Node::parent);
        let is_one_of =
            |statement: Node<'_>| statement.named_children().filter(|it| it.is("variable_declarator")).count() > 1;
        same || declarator.is_some_and(is_one_of)
    }

    pub(super) fn family(&self) -> Family {
        self.module.language.family()
    }

    /// Returns what one level is indented by.
    pub(super) fn unit(&self) -> String {
        self.shown_unit().unwrap_or_else(|| "    ".to_owned())
    }

    fn shown_unit(&self) -> Option<String> {
        indent_step(self.tree(), self.text()).or_else(|| unit(self.text()))
    }

    pub(super) fn with_breaks(&self, text: &str) -> String {
        let own = self.text();
        let is_dos = own.find('\n').is_some_and(|at| own[..at].ends_with('\r'));
        if is_dos { text.replace('\n', "\r\n") } else { text.to_owned() }
    }

    pub(super) fn line_start(&self, offset: usize) -> usize {
        self.text()[..offset].rfind('\n').map_or(0, |at| at + 1)
    }

    /// Returns the end of a line, before what ends it.
    fn line_end(&self, offset: usize) -> usize {
        let text = self.text();
        let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
        if text[offset..end].ends_with('\r') { end - 1 } else { end }
    }

    fn next_line(&self, offset: usize) -> usize {
        let text = self.text();
        text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1)
    }

    pub(super) fn indent(&self, offset: usize) -> &'p str {
        let line = &self.text()[self.line_start(offset)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns the end of the line behind a declaration; nothing where other code stands there.
    pub(super) fn line_rest(&self, offset: usize) -> Option<usize> {
        let end = self.line_end(offset);
        let rest = self.text()[offset..end].trim_start_matches([' ', '\t', ';', ',']);
        let at = end - rest.len();
        let is_comment = || {
            let found = self.tree().nodes().covering(Span::new(at, at + 1));
            std::iter::once(found).chain(found.ancestors()).any(|it| it.has(Role::Comment) && it.end() <= end + 1)
        };
        (rest.trim().is_empty() || is_comment()).then_some(end)
    }
}

impl Insertion {
    fn put(&self, text: &str) -> String {
        let parts = [&text[..self.span.start], &self.before, &self.source, &self.after, &text[self.span.end..]];
        parts.concat()
    }
}

pub(super) fn is_long(text: &str) -> bool {
    text.trim().lines().count() > 1
}

fn errors(language: Language, text: &str) -> usize {
    Tree::parse(language, text).error_count()
}

fn begins_with_comment(source: &str) -> bool {
    let start = source.trim_start();
    ["//", "/*", "--"].iter().any(|mark| start.starts_with(mark)) || start.starts_with('#') && !start.starts_with("#[")
}
