//! Types in the comments of scripts (JSDoc), which no statement imports: those that moved code names are spelled out where it
//! goes, and so are those that left where something else names them.

use super::moved_code::Leaving;
use super::{Fate, Way};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::type_comments::{CommentImport, declared_types, imports_in_comments, named_types};
use crate::refactor::moves::links::{Link, LinkedName};
use crate::syntax::{Language, doc_links};
use crate::text::{Span, TextEdit};

impl Way<'_> {
    /// Returns how what comments in a stretch that moves say of types and modules is written in the other module.
    pub(super) fn respelled_comments(&self, span: Span) -> Result<Vec<TextEdit>, Refusal> {
        let refuse = |(at, reason): (usize, String)| self.from.refuse(at, reason);
        let mut edits = self.links.carried(self.from, span, &self.to.path).map_err(refuse)?;
        for place in self.named_in_comments(span) {
            if let Some(spelled) = self.spelled_there(place)? {
                edits.push(TextEdit::new(place, spelled));
            }
        }
        Ok(edits)
    }

    /// Returns the comments of a module that goes which declare types and stand by themselves: they go along.
    pub(super) fn comments_along(&self) -> Vec<Span> {
        if self.is_python() || self.manner.fate != Fate::Goes {
            return Vec::new();
        }
        let mut found: Vec<Span> = declared_types(self.from).into_iter().map(|(_, comment)| comment).collect();
        found.retain(|comment| !self.lies_in_leaving(*comment));
        found.dedup();
        found
    }

    /// Tells whether a stretch lies in what leaves.
    fn lies_in_leaving(&self, span: Span) -> bool {
        self.leaving.iter().any(|one| one.lines.iter().any(|lines| lines.contains(span)))
    }

    /// Spells out what left where comments that stay name it, and nothing imports it.
    pub(super) fn respell_left(&self, one: &Leaving<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let whole = Span::new(0, self.from.text().len());
        let stays = |place: &Span| !self.lies_in_leaving(*place);
        let is_it = |place: &Span| place.of(self.from.text()) == Some(one.name);
        let places: Vec<Span> = self.named_in_comments(whole).into_iter().filter(stays).filter(is_it).collect();
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let source = self.named((self.from, &self.own), &self.to.path)?;
        let spelled = format!("import({}).{}", self.quoted(&source), one.name);
        Ok(places.into_iter().map(|place| TextEdit::new(place, spelled.clone())).collect())
    }

    /// Tells whether a comment that stays names something as a type.
    pub(super) fn is_named_in_comments(&self, name: &str) -> bool {
        let stays = |place: &Span| !self.lies_in_leaving(*place);
        let named = self.named_in_comments(Span::new(0, self.from.text().len())).into_iter();
        let mut all = named.chain(self.linked()).filter(stays);
        all.any(|place| place.of(self.from.text()) == Some(name))
    }

    /// Tells whether comments that leave link to a name.
    pub(super) fn is_linked_by_leaving(&self, name: &str) -> bool {
        self.linked()
            .into_iter()
            .filter(|place| self.lies_in_leaving(*place))
            .any(|place| place.of(self.from.text()) == Some(name))
    }

    /// Returns the names that comments of a script link to: `{@link Order}`.
    fn linked(&self) -> Vec<Span> {
        if self.is_python() {
            return Vec::new();
        }
        let links = doc_links(self.from.parsed().tree.nodes(), self.from.text());
        links.iter().filter_map(|link| link.words.first().copied()).collect()
    }

    /// Returns where comments name types; in TypeScript they mean nothing.
    fn named_in_comments(&self, span: Span) -> Vec<Span> {
        let is_read = Language::of_path(&self.from.path).is_some_and(|language| !language.is_typed_script());
        if self.is_python() || !is_read { Vec::new() } else { named_types(self.from, span) }
    }

    /// Writes a type that a comment names so that it means the same in the other module; nothing where it does as it is.
    fn spelled_there(&self, place: Span) -> Result<Option<String>, Refusal> {
        let text = self.from.text();
        let name = place.of(text).unwrap_or_default();
        let (goes_along, statements) = (
            self.leaving.iter().any(|one| one.name == name),
            self.leaving.iter().filter(|one| !one.is_there).flat_map(|one| &one.statements),
        );
        // What code needs is imported.
        let is_imported =
            statements.clone().flat_map(|one| self.names.within(one.span())).any(|it| it.span.of(text) == Some(name));
        if goes_along || is_imported {
            return Ok(None);
        }
        let comment =
            declared_types(self.from).into_iter().find(|(declared, _)| *declared == name).map(|(_, comment)| comment);
        let is_exported = self.from.root().named_children().any(|one| {
            one.is("export_statement") && declared(self.from, one).is_some_and(|own| own.text(text) == name)
        });
        if let Some(comment) = comment {
            // Those of a module that goes all go along.
            let moves = self.lies_in_leaving(comment) || self.manner.fate == Fate::Goes;
            return if moves { Ok(None) } else { self.spelled_of(name).map(Some) };
        }
        if let Some(import) = imports_in_comments(self.from).into_iter().find(|import| import.local == name) {
            return self.spelled_import(&import);
        }
        let link = self.own.iter().find(|link| link.local.and_then(|local| local.of(text)) == Some(name));
        match link {
            Some(link) if self.is_known_there(link, name) => Ok(None),
            Some(link) => self.spelled_link(link).map(Some),
            None if is_exported => self.spelled_of(name).map(Some),
            None => Ok(None),
        }
    }

    /// Writes a type that a comment imports; nothing where that comment goes along, or one there imports the same.
    fn spelled_import(&self, import: &CommentImport<'_>) -> Result<Option<String>, Refusal> {
        let CommentImport { comment, source, name, local } = import;
        let refuse = |(at, reason): (usize, String)| self.from.refuse(at, reason);
        let carried = self.links.carried(self.from, *comment, &self.to.path).map_err(refuse)?;
        let renewed = carried.into_iter().find(|edit| edit.span == *source).map(|edit| edit.new_text);
        let module = renewed.unwrap_or_else(|| source.of(self.from.text()).unwrap_or_default().to_owned());
        let is_same = |other: &CommentImport<'_>| {
            (other.local, other.name) == (*local, *name) && other.source.of(self.to.text()) == Some(&*module)
        };
        if self.lies_in_leaving(*comment) || imports_in_comments(self.to).iter().any(is_same) {
            return Ok(None);
        }
        let member = name.map(|name| format!(".{name}")).unwrap_or_default();
        Ok(Some(format!("import({}){member}", self.quoted(&module))))
    }

    /// Tells whether the other module imports the same under the same name.
    fn is_known_there(&self, link: &Link, name: &str) -> bool {
        let is_same = |other: &Link| {
            other.local.and_then(|local| local.of(self.to.text())) == Some(name)
                && (&other.module, &other.taken) == (&link.module, &link.taken)
                && (link.module.is_some() || other.source.of(self.to.text()) == link.source.of(self.from.text()))
        };
        self.theirs.iter().any(is_same)
    }

    fn spelled_of(&self, name: &str) -> Result<String, Refusal> {
        let source = self.named((self.to, &self.theirs), &self.from.path)?;
        Ok(format!("import({}).{name}", self.quoted(&source)))
    }

    fn spelled_link(&self, link: &Link) -> Result<String, Refusal> {
        let module = format!("import({})", self.quoted(&self.source_there(link)?));
        Ok(match &link.taken {
            LinkedName::Name(name) => format!("{module}.{name}"),
            LinkedName::Default => format!("{module}.default"),
            LinkedName::Module | LinkedName::Star | LinkedName::Nothing => module,
        })
    }

    /// Quotes a module as the file does.
    fn quoted(&self, source: &str) -> String {
        let quote = self.own.iter().chain(&self.theirs).find_map(|link| {
            let text =
                if self.own.iter().any(|own| std::ptr::eq(own, link)) { self.from.text() } else { self.to.text() };
            text[..link.source.start].chars().next_back()
        });
        let quote = quote.filter(|quote| matches!(quote, '\'' | '"')).unwrap_or('"');
        format!("{quote}{source}{quote}")
    }
}
