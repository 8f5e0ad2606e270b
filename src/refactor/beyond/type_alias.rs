//! Extract Type Alias: a type of Python that is written out gets a name of its own, at every place that says it.
//!
//! ```python
//! def add(rows: dict[str, list[int]]): ...       Rows = dict[str, list[int]]
//!                                            →
//!                                                def add(rows: Rows): ...
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::place as place_of;
use crate::refactor::analysis::conditions::on_one_line;
use crate::refactor::analysis::free_names::check_module_name;
use crate::refactor::analysis::imports::placement::place;
use crate::refactor::analysis::imports::required::home;
use crate::refactor::analysis::imports::typed::is_only_seen;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, function_of, is_class, squeezed};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let one = asked(&code, request)?;
    let places = alike(&code, &names, one);
    let used = check_names(&code, &names, one)?;
    let name = request.params.needed("name")?;
    check_module_name(&code, name)?;
    let alias = Alias { code: &code, text: on_one_line(&code, one), places: &places, used: &used };
    let mut edits: Vec<TextEdit> = places.iter().map(|it| TextEdit::new(it.span(), name)).collect();
    edits.push(alias.declared(name)?);
    code.plan(edits)
}

/// Finds the type that is meant: the outermost one that begins at the place, else the innermost around it; in lines, the first.
fn asked<'c>(code: &'c Code, request: &Request) -> Result<Node<'c>, Refusal> {
    let none = |at: usize| code.refuse(at, "no type is written out here");
    let is_written_out =
        |it: &Node<'c>| it.is("type") && it.named_children().any(|one| !one.is_any(&["identifier", "none"]));
    if let (Some(lines), None) = (request.target.lines, request.target.offset) {
        let span = code.lines(lines);
        let mut inside = code.root().descendants().filter(|it| span.contains(it.span()) && is_written_out(it));
        return inside.next().ok_or_else(|| none(span.start));
    }
    let at = place_of(code, &request.target).ok_or_else(|| none(0))?;
    let here = code.covering(Span::new(at, (at + 1).min(code.text().len())));
    let around: Vec<Node<'c>> = std::iter::once(here).chain(here.ancestors()).filter(is_written_out).collect();
    let beginning = around.iter().rev().find(|it| it.start() == at);
    let found = beginning.or_else(|| around.first()).copied();
    // The name of a parameter means its type.
    let declared = || here.parent()?.child("type").filter(is_written_out);
    found.or_else(declared).ok_or_else(|| none(at))
}

/// Returns every place of the file that says the same type in the same names.
fn alike<'c>(code: &'c Code, names: &ScopedNames<'_>, one: Node<'c>) -> Vec<Node<'c>> {
    let meanings = |it: Node<'c>| -> Vec<Option<usize>> {
        let named = it.descendants().filter(|it| it.is("identifier"));
        named.map(|it| names.at(it).filter(|it| !it.is_free).map(|it| it.meaning)).collect()
    };
    let said = squeezed(one.text(code.text()));
    let own = meanings(one);
    let is_it = |it: &Node<'c>| it.is("type") && squeezed(it.text(code.text())) == said && meanings(*it) == own;
    let mut found: Vec<Node<'c>> = code.root().descendants().filter(is_it).collect();
    found.dedup_by(|inner, outer| outer.holds(*inner));
    found
}

/// Returns the names in a type, which have to be those of the module.
fn check_names<'c>(code: &'c Code, names: &ScopedNames<'_>, one: Node<'c>) -> Result<Vec<&'c str>, Refusal> {
    let strings = one.descendants().find(|it| it.is("string"));
    if let Some(string) = strings.filter(|it| it.start() == one.start()) {
        return Err(code.refuse(string.start(), "the type is written as a string"));
    }
    let mut used = Vec::new();
    for node in one.descendants().filter(|it| it.is("identifier") && it.field() != Some("attribute")) {
        let text = node.text(code.text());
        let Some(name) = names.at(node).filter(|it| !it.is_free) else { continue };
        let mut bindings = names.of_meaning(name.meaning).filter(|it| it.is_binding);
        if bindings.any(|it| home(code, it).is_some()) {
            return Err(code.refuse(node.start(), format!("`{text}` is known only where it stands")));
        }
        used.push(text);
    }
    Ok(used)
}

/// A type that gets a name.
struct Alias<'a, 'c> {
    code: &'c Code,
    text: String,
    places: &'a [Node<'c>],
    used: &'a [&'c str],
}

impl Alias<'_, '_> {
    /// Declares the name: behind the imports where what it says is known by then, else above the first statement that uses it.
    fn declared(&self, name: &str) -> Result<TextEdit, Refusal> {
        let (code, end) = (self.code, self.code.newline());
        if let Some(seen) = self.used.iter().find(|it| is_only_seen(code, it)) {
            return self.for_types(name, seen);
        }
        let first = self.places.iter().map(|it| it.start()).min().unwrap_or_default();
        let imports = self.below_imports(first);
        let last = self.used.iter().filter_map(|it| self.made(it)).max().unwrap_or_default();
        if let Some(beside) = self.beside_others(first).filter(|at| last <= *at) {
            return Ok(TextEdit::new(Span::at(beside), format!("{end}{}", self.statement(name))));
        }
        if last <= imports && imports <= first {
            let gap = if code.text()[imports..].starts_with(['\r', '\n']) { "" } else { end };
            let before = if imports == 0 { "" } else { end };
            return Ok(TextEdit::new(Span::at(imports), format!("{before}{}{end}{gap}", self.statement(name))));
        }
        let statement = code.root().named_children().find(|it| it.end() >= first);
        let statement = statement.ok_or_else(|| code.refuse(first, "no statement of the module says it"))?;
        let at = above(code, statement);
        if last > at {
            let late =
                self.used.iter().find(|it| self.made(it).is_some_and(|made| made > at)).copied().unwrap_or_default();
            return Err(code.refuse(first, format!("`{late}` is made below: an alias above it would not know it")));
        }
        let is_apart = statement.is_any(&["class_definition", "decorated_definition", "function_definition"]);
        let gap = end.repeat(if is_apart { 3 } else { 1 });
        Ok(TextEdit::new(Span::at(at), format!("{}{gap}", self.statement(name))))
    }

    /// Returns where the imports end, those for type checkers alone among them.
    fn below_imports(&self, first: usize) -> usize {
        let imports = place(self.code);
        let statements = self.code.root().named_children().filter(|it| it.start() >= imports && it.end() <= first);
        let typed = statements.take_while(|it| {
            let condition = it.child("condition").map(|condition| condition.text(self.code.text()));
            condition.is_some_and(|condition| condition.ends_with("TYPE_CHECKING"))
        });
        typed.last().map_or(imports, |it| self.code.next_line(it.end()))
    }

    /// Returns where the last type ends that the file gives a name before a place.
    fn beside_others(&self, first: usize) -> Option<usize> {
        let code = self.code;
        let is_alias = |it: &Node<'_>| it.is("type_alias_statement") || is_marked(code, *it);
        let last = code.root().named_children().take_while(|it| it.end() <= first).filter(is_alias).last()?;
        Some(code.line_end(last.end()))
    }

    /// Declares the name for type checkers alone, beside what they alone see.
    fn for_types(&self, name: &str, seen: &str) -> Result<TextEdit, Refusal> {
        let code = self.code;
        if let Some(run) = self.places.iter().find(|it| !self.is_lazy(**it)) {
            return Err(
                code.refuse(run.start(), format!("`{seen}` is there for type checkers alone, and this is evaluated"))
            );
        }
        let binding = ScopedNames::of(code).named(seen).find(|it| it.is_binding).map(|it| code.covering(it.span));
        let block = binding.and_then(|it| it.ancestors().find(|outer| outer.is("block")));
        let last = block.and_then(|it| it.named_children().last());
        let last = last.ok_or_else(|| code.refuse(0, format!("where `{seen}` comes from is not known")))?;
        let (end, indent) = (code.newline(), code.indent(last.start()));
        let is_import = last.is_any(&["import_statement", "import_from_statement"]);
        let gap = if is_import { end } else { "" };
        Ok(TextEdit::new(Span::at(code.line_end(last.end())), format!("{end}{gap}{indent}{}", self.statement(name))))
    }

    /// Writes the declaration as the file writes others.
    fn statement(&self, name: &str) -> String {
        let says = |kind: &str| self.code.root().descendants().any(|it| it.is(kind));
        match () {
            () if says("type_alias_statement") => format!("type {name} = {}", self.text),
            () if self.code.root().named_children().any(|it| is_marked(self.code, it)) => {
                format!("{name}: TypeAlias = {}", self.text)
            }
            () => format!("{name} = {}", self.text),
        }
    }

    /// Returns where a name of the module has its value: the end of the statement that gives it.
    fn made(&self, name: &str) -> Option<usize> {
        let names = ScopedNames::of(self.code);
        let bound = names.named(name).filter(|it| it.is_binding).map(|it| self.code.covering(it.span));
        bound.filter_map(|it| self.code.root().named_children().find(|outer| outer.holds(it)).map(Node::end)).max()
    }

    /// Tells whether nothing evaluates a type while the program runs.
    fn is_lazy(&self, place: Node<'_>) -> bool {
        let annotated = place.parent().is_some_and(|it| it.is("assignment"));
        let is_local = function_of(place).is_some()
            && place
                .ancestors()
                .find(|it| is_class(*it) || it.is("function_definition"))
                .is_some_and(|it| it.is("function_definition"));
        self.code.postpones_annotations() || self.code.path.extension() == "pyi" || annotated && is_local
    }
}

/// Tells whether a statement gives a type a name by saying so: `Rows: TypeAlias = …`.
fn is_marked(code: &Code, statement: Node<'_>) -> bool {
    let typed = statement.named_children().next().and_then(|it| it.child("type"));
    typed.is_some_and(|it| it.text(code.text()).ends_with("TypeAlias"))
}
