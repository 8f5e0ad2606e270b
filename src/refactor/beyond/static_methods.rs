//! Functions of a module become static methods of a class, of a new one or of one that is there.
//!
//! ```python
//! def left(text):                          class Trim:
//!     return text.lstrip()                     @staticmethod
//!                                              def left(text):
//! def both(text):                      →           return text.lstrip()
//!     return left(text).rstrip()
//!                                              @staticmethod
//! both(" a ")                                  def both(text):
//!                                                  return Trim.left(text).rstrip()
//!
//!                                          Trim.both(" a ")
//! ```

mod access;
mod doubles;
mod early;
mod importers;

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Slot, comments_above};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::forward_references::{annotation, quoted};
use crate::refactor::analysis::free_names::check_member_name;
use crate::refactor::analysis::imports::statements::with_links;
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::analysis::substitution::put_member;
use crate::refactor::doubts::doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};
use access::Access;
use doubles::Doubles;
use importers::Importer;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// One function on its way.
struct Moving<'c> {
    name: &'c str,
    found: ModuleFunction<'c>,
    /// With the comments above.
    extent: Span,
    access: Access,
}

/// A file, with what it does with the functions.
type InFile<'u> = (&'u Code, Vec<(&'u str, &'u Use)>);

/// The class that takes the functions.
struct Home<'c> {
    code: &'c Code,
    name: &'c str,
    /// Nothing where it comes into being.
    class: Option<Class<'c>>,
    moving: Vec<Moving<'c>>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let pointed = request.target.name.and_then(|name| name.of(code.text()));
    let mut moving: Vec<Moving<'_>> =
        pointed.into_iter().map(|name| Moving::find(&code, name)).collect::<Result<_, _>>()?;
    let class = request.params.needed("class")?;
    // Where nothing is pointed at, the list says all.
    let listed = match pointed {
        Some(_) => request.params.list("functions"),
        None => request.params.needed_list("functions")?,
    };
    for name in listed.iter().filter(|name| pointed != Some(name.as_str())) {
        moving.push(Moving::find(&code, name)?);
    }
    moving.sort_by_key(|one| one.extent);
    let mut home = Home { code: &code, name: class, class: Class::called(&code, class), moving };
    home.check().noted()?;
    home.check_members(session).await.noted()?;
    home.check_early(session).noted()?;
    let mut uses = Vec::new();
    for one in &home.moving {
        uses.push(Uses::of(session, &code, one.found.name.start()).await?);
    }
    for (at, uses) in uses.iter().enumerate() {
        home.moving[at].access = home.access(&home.moving[at], uses);
    }
    let mut edits = Edits::default();
    let mut files: BTreeMap<&AbsPath, InFile<'_>> = BTreeMap::new();
    for (one, uses) in home.moving.iter().zip(&uses) {
        edits.warn(uses.certain(session).await?);
        edits.warn(uses.in_examples(session, None)?);
        for (user, place) in uses.iter() {
            files.entry(&user.path).or_insert((user, Vec::new())).1.push((one.name, place));
        }
    }
    let modules = files.values().map(|(user, _)| user.path.clone()).chain([code.path.clone()]).collect();
    let names = home.moving.iter().map(|one| one.name).collect();
    let doubled = with_links(session, code.family(), &code.path, |links| {
        Doubles { session, links, class, names, modules }.all(&code)
    })?;
    let mut own = Vec::new();
    for (user, found) in &doubled {
        edits.add(user, found.edits.iter().cloned());
    }
    for (user, places) in files.values() {
        let is_home = user.path == code.path;
        let led = doubled.iter().find(|(other, _)| other.path == user.path);
        let asked = home.asked(user, (places, led.map_or(&[], |(_, found)| &found.strings)))?;
        if is_home {
            home.check_loaded(places)?;
        }
        let importer = Importer { session, home: &code, user, class };
        importer.lead(places, (&asked, home.class.is_some()), &mut edits)?;
        if is_home { own = asked } else { edits.add(user, asked) }
    }
    edits.add(&code, home.taken_in(own));
    edits.plan()
}

impl<'c> Moving<'c> {
    fn find(code: &'c Code, name: &str) -> Result<Self, Refusal> {
        let missing =
            || Refusal::NotPossible(format!("`{}` has no plain function `{name}` at module level", code.shown));
        let found = ModuleFunction::called(code, name).ok_or_else(missing)?;
        let ModuleFunction { function, statement, .. } = found;
        if statement.is("decorated_definition") {
            return Err(code.refuse(statement.start(), "it is not a plain function"));
        }
        if statement.children().any(|it| it.kind() == "default") {
            return Err(
                code.refuse(statement.start(), "it is the default of its module: `convert-export` names it first")
            );
        }
        let is_mangled = |text: &str| text.starts_with("__") && !text.ends_with("__");
        for node in function.descendants() {
            let text = node.text(code.text());
            if code.family() == Family::Python && node.is("identifier") && is_mangled(text) {
                return Err(code.refuse(node.start(), format!("`{text}` would be another name inside a class")));
            }
            if node.is_any(&["this", "meta_property"]) {
                return Err(code.refuse(node.start(), format!("`{text}` would mean something else in a class")));
            }
        }
        let extent = Span::new(comments_above(code, statement.start()), statement.end());
        let rest = code.text()[statement.end()..code.next_line(statement.end())].trim();
        if code.line_start(statement.start()) != statement.start() || !(rest.is_empty() || rest.starts_with(['#', '/']))
        {
            return Err(code.refuse(statement.start(), "its declaration shares its lines with something else"));
        }
        let name = found.name.text(code.text());
        Ok(Self { name, found, extent, access: Access::Public })
    }
}

impl<'c> Home<'c> {
    /// Returns where the class stands, or comes to stand.
    fn place(&self) -> Span {
        self.class.as_ref().map_or(Span::at(self.moving[0].extent.start), |it| it.node.span())
    }

    /// Refuses names that are taken, and a class that comes too late, or too early for what the functions need at once.
    fn check(&self) -> Result<(), Refusal> {
        let code = self.code;
        let names = ScopedNames::of(code);
        match &self.class {
            None => {
                self.check_elsewhere(&names)?;
                check_unused(code, self.name)?;
            }
            Some(class) => {
                if class.statement().children().any(|it| it.kind() == "default") {
                    let reason = "the class is the default of its module: `convert-export` gives it a name first";
                    return Err(code.refuse(class.node.start(), reason));
                }
            }
        }
        each(self.moving.iter().map(|one| self.check_head(one, &names))).map(drop)
    }

    /// Refuses functions that would take the place of members.
    async fn check_members(&self, session: &Session) -> Result<(), Refusal> {
        let Some(class) = &self.class else { return Ok(()) };
        for one in &self.moving {
            check_member_name(session, class, one.name).await?;
        }
        Ok(())
    }

    /// Refuses a class of another file.
    fn check_elsewhere(&self, names: &ScopedNames<'_>) -> Result<(), Refusal> {
        let is_import = |outer: Node<'_>| outer.is_any(&["import_from_statement", "import_statement"]);
        match names.named(self.name).find(|it| self.code.covering(it.span).ancestors().any(is_import)) {
            Some(imported) => {
                let reason = format!("`{}` is another file's: `move-symbol` moves functions there first", self.name);
                Err(self.code.refuse(imported.span.start, reason))
            }
            None => Ok(()),
        }
    }

    /// Refuses a head that means something else in the class, or that names what comes later.
    fn check_head(&self, one: &Moving<'c>, names: &ScopedNames<'_>) -> Result<(), Refusal> {
        let Some(body) = one.found.function.child("body").filter(|_| self.code.family() == Family::Python) else {
            return Ok(());
        };
        let place = self.place().start;
        let head = Span::new(one.found.function.start(), body.start());
        let others = names.within(head).filter(|it| Some(it.span) != one.found.function.child("name").map(Node::span));
        for name in others {
            let said = name.span.of(self.code.text()).unwrap_or_default();
            let is_later = |span: Span| span.start > place && !one.extent.contains(span);
            if names.of_meaning(name.meaning).any(|it| it.is_binding && one.extent.contains(it.span)) {
                continue;
            }
            let is_late = names.of_meaning(name.meaning).any(|it| it.is_binding && is_later(it.span))
                && annotation(self.code, name.span).is_none();
            let is_member = self.class.as_ref().is_some_and(|class| class.has(said));
            let is_one = self.moving.iter().any(|other| other.name == said);
            if is_late || is_member || is_one {
                let reason = format!("`{said}` refers to something else where the class stands");
                return Err(self.code.refuse(name.span.start, reason));
            }
        }
        Ok(())
    }

    /// Quotes the annotations of a head that name what is not there yet where the class stands.
    fn late_annotations(&self, one: &Moving<'c>) -> Vec<TextEdit> {
        let names = ScopedNames::of(self.code);
        let place = self.place().start;
        let Some(body) = one.found.function.child("body").filter(|_| self.code.family() == Family::Python) else {
            return Vec::new();
        };
        let is_later = |it: &Name| it.is_binding && it.span.start > place && !one.extent.contains(it.span);
        let head = names.within(Span::new(one.found.function.start(), body.start()));
        let late = head.filter(|name| names.of_meaning(name.meaning).any(|it| is_later(&it)));
        let mut late: Vec<Node<'_>> = late.filter_map(|name| annotation(self.code, name.span)).collect();
        late.dedup();
        late.into_iter().filter_map(|it| quoted(self.code, it)).collect()
    }

    /// Refuses what the module asks for while it is loaded, before the class is there.
    fn check_loaded(&self, places: &[(&str, &Use)]) -> Result<(), Refusal> {
        let place = self.place();
        let is_early = |one: &Use| {
            let node = one.node(self.code);
            let is_asked = !matches!(one.kind, UseKind::Definition | UseKind::Export | UseKind::Text | UseKind::Import);
            let is_before = one.span.start < place.end && !self.moving.iter().any(|it| it.extent.contains(one.span));
            is_asked && is_before && function_of(node).is_none()
        };
        match places.iter().find(|(_, one)| is_early(one)) {
            Some((name, one)) => Err(self
                .code
                .refuse(one.span.start, format!("`{name}` is {} here before the class is there", one.kind.said()))),
            None => Ok(()),
        }
    }

    /// Says how a function is declared in the class: as its own where the class alone uses it.
    fn access(&self, one: &Moving<'_>, uses: &Uses) -> Access {
        let code = self.code;
        let is_inside = |span| {
            let class = self.class.as_ref().map(|class| class.node.span());
            class.into_iter().chain(self.moving.iter().map(|it| it.extent)).any(|it| it.contains(span))
        };
        let mut asked = uses.iter().filter(|(_, it)| it.kind != UseKind::Definition).peekable();
        let is_own = asked.peek().is_some()
            && !one.found.statement.is("export_statement")
            && asked.all(|(user, it)| user.path == code.path && it.kind != UseKind::Export && is_inside(it.span));
        if is_own { Access::kept((code, self.class.as_ref()), one.name) } else { Access::Public }
    }

    fn access_of(&self, name: &str) -> Access {
        self.moving.iter().find(|one| one.name == name).map_or(Access::Public, |one| one.access)
    }

    /// Writes the class before each name that asks for a function.
    fn asked(&self, user: &Code, (places, doubled): (&[(&str, &Use)], &[Span])) -> Result<Vec<TextEdit>, Refusal> {
        let mut edits = Vec::new();
        for (name, one) in places {
            let refuse = || Err(user.refuse(one.span.start, format!("`{name}` is {} here", one.kind.said())));
            match one.kind {
                UseKind::Definition | UseKind::Import | UseKind::Export => {}
                UseKind::Text if importers::is_listed(user, one) => {}
                UseKind::Text if doubled.iter().any(|string| string.contains(one.span)) => {}
                UseKind::Text => drop(doubt(user, one.span, format!("`{name}` is spelled in a text here"))?),
                UseKind::Call | UseKind::Read | UseKind::Decorator | UseKind::Type | UseKind::Key => {
                    let (node, edit) = (one.node(user), put_member(user, one.node(user), self.name)?);
                    // What a file imports under another name has its own in the class.
                    let said = format!("{}.{}", self.name, node.text(user.text()));
                    let text = edit.new_text.replace(&said, &format!("{}.{name}", self.name));
                    edits.push(self.access_of(name).asked(TextEdit::new(edit.span, text), name));
                }
                _ => return refuse(),
            }
        }
        Ok(edits)
    }

    /// Puts the functions into the class; of the edits, those inside them go along.
    fn taken_in(&self, mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
        let (code, layout) = (self.code, Layout::of(self.code));
        let base = self.class.as_ref().map_or_else(|| layout.step().to_owned(), Class::indent);
        let mut texts = Vec::new();
        for one in &self.moving {
            let mut own: Vec<TextEdit> = edits.extract_if(.., |edit| one.extent.contains(edit.span)).collect();
            own.extend(self.head(one, &base));
            own.extend(self.late_annotations(one));
            own.sort_by_key(|edit| edit.span);
            texts.push(layout.moved_with(one.extent, &base, &own));
        }
        let first = self.moving[0].extent;
        let gone = self.moving.iter().skip(usize::from(self.class.is_none()));
        edits.extend(gone.map(|one| without_lines(code, one.extent)));
        edits.push(match &self.class {
            Some(class) => class.with(Slot::Method, &texts),
            None => TextEdit::new(first, self.made(&base, &texts)),
        });
        edits
    }

    /// Writes a new class.
    fn made(&self, base: &str, texts: &[String]) -> String {
        let end = self.code.newline();
        let body = texts.iter().map(|text| format!("{base}{text}")).collect::<Vec<_>>().join(&end.repeat(2));
        if self.code.family() == Family::Python {
            return format!("class {}:{end}{body}", self.name);
        }
        let is_seen = self.moving.iter().any(|one| one.found.statement.is("export_statement"));
        let export = if is_seen { "export " } else { "" };
        format!("{export}class {} {{{end}{body}{end}}}", self.name)
    }

    /// Makes a static method of a function.
    fn head(&self, one: &Moving<'c>, base: &str) -> Vec<TextEdit> {
        // What begins its line is not moved along with it.
        let lead = if one.found.statement.start() == one.extent.start { "" } else { base };
        if self.code.family() == Family::Python {
            let text = format!("{lead}@staticmethod{}{base}", self.code.newline());
            return vec![TextEdit::new(Span::at(one.found.function.start()), text)];
        }
        let (before, sign) = one.access.written();
        let layout = Layout::of(self.code);
        let words = format!("{lead}{before}static ");
        one.found.as_method(self.code, (&words, sign), (base, layout.step()))
    }
}
