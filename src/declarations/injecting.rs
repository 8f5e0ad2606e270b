//! A field that its class is handed when an object is made: the field, the constructor's parameter and the assignment.

use super::detail::declared;
use super::module::{DeclarationRow, Module};
use super::new_field::{NewField, ends_without};
use super::placing::{Changed, InsertionPlace, Misfit, Placing};
use crate::session::Parsed;
use crate::syntax::python::with_slot;
use crate::syntax::{EntryKind, Family, Language, Node, Tree, bases, declared_node};
use crate::text::{Span, TextEdit, TextEdits};

/// Decorators and bases by which a class of Python makes its constructor of its fields.
const MAKERS: &[&str] =
    &["dataclass", "define", "mutable", "frozen", "attrs", "NamedTuple", "BaseModel", "Struct", "TypedDict"];
/// Those of them whose heirs do so, too.
const INHERITED_MAKERS: &[&str] = &["BaseModel", "Struct", "TypedDict"];
/// Through so many bases of the same file they are looked for.
const GENERATIONS: usize = 8;

/// A text that is being written, read anew after each step.
struct Written {
    parsed: Parsed,
    module: Module,
}

/// Adds a field that the constructor of a class takes and sets. A class that has none gets one, unless it has another
/// one's.
pub fn injected((parsed, module): (&Parsed, &Module), number: usize, field: NewField<'_>) -> Result<Changed, Misfit> {
    let owner = &module.rows[number];
    let fits = match module.language.family() {
        Family::Python | Family::Script => owner.kind == EntryKind::Class,
        Family::Solidity => owner.kind == EntryKind::Contract,
        _ => false,
    };
    if !fits {
        return Err(Misfit::NoConstructor(owner.name().to_owned()));
    }
    if field.default.is_some() && module.language.family() == Family::Solidity {
        return Err(Misfit::NoDefault(owner.name().to_owned()));
    }
    if let Some(text) = slotted((parsed, module), number, field.name)? {
        let slotted = Written::of(module, text);
        let number = slotted.module.number_of(owner).ok_or(Misfit::Around)?;
        return handed_over((&slotted.parsed, &slotted.module), number, field);
    }
    handed_over((parsed, module), number, field)
}

/// Adds a field that is declared alone: with its slot, where the class lists those that it has.
pub fn declared_field(
    (parsed, module): (&Parsed, &Module),
    number: usize,
    field: NewField<'_>,
) -> Result<Changed, Misfit> {
    let plain = field.declaration((parsed, module), number)?;
    let Some(text) = slotted((parsed, module), number, field.name)? else {
        return Placing::new(parsed, module).added(InsertionPlace::Field(number), &plain);
    };
    let slotted = Written::of(module, text);
    let number = slotted.module.number_of(&module.rows[number]).ok_or(Misfit::Around)?;
    slotted.placing().added(InsertionPlace::Field(number), &plain)
}

/// Lists one more name in the `__slots__` of a class; nothing where it has none, or has that one.
fn slotted((parsed, module): (&Parsed, &Module), number: usize, name: &str) -> Result<Option<String>, Misfit> {
    let Some(row) = module.members(number).find(|row| row.name() == "__slots__") else { return Ok(None) };
    let text = parsed.text.as_str();
    let unknown = || Misfit::Slots(module.rows[number].name().to_owned());
    let declaration = declared(parsed, row).ok_or_else(unknown)?;
    let (whole, _) = declared_node(&parsed.tree, &declaration);
    let mut inside = std::iter::once(whole).chain(whole.descendants());
    let value = inside.find(|it| it.is("assignment")).and_then(|it| it.child("right")).ok_or_else(unknown)?;
    let Some(edit) = with_slot(text, value, name).map_err(|_| unknown())? else { return Ok(None) };
    let edits = TextEdits::new(vec![edit]).map_err(|_| Misfit::Around)?;
    Ok(Some(edits.apply(text)))
}

/// Adds a field with the constructor's parameter for it, slots apart.
fn handed_over((parsed, module): (&Parsed, &Module), number: usize, field: NewField<'_>) -> Result<Changed, Misfit> {
    let owner = &module.rows[number];
    let placing = Placing::new(parsed, module);
    if is_made_of_fields((parsed, module), owner) {
        let place = match field.default {
            Some(_) => InsertionPlace::Field(number),
            None => before_defaults(parsed, module, number),
        };
        return placing.added(place, &field.declaration((parsed, module), number)?);
    }
    // The default is the parameter's.
    let plain = NewField { default: None, ..field }.declaration((parsed, module), number)?;
    let is_declared = module.language.family() != Family::Python && property(parsed, module, number).is_none();
    let text = match is_declared {
        true => placing.added(InsertionPlace::Field(number), &plain)?.text,
        false => parsed.text.as_str().to_owned(),
    };
    let mut written = Written::of(module, text);
    let number = written.module.number_of(owner).ok_or(Misfit::Around)?;
    let text = match written.constructor(number) {
        Some(constructor) => written.handed((number, constructor), field)?,
        None => written.with_constructor(number, field)?,
    };
    written = Written::of(module, text);
    let name_start = written.module.number_of(owner).and_then(|number| written.field(number, field));
    Ok(Changed { text: written.parsed.text.as_str().to_owned(), name_start })
}

/// Tells whether the annotated fields of a class of Python are what its constructor takes.
fn is_made_of_fields((parsed, module): (&Parsed, &Module), row: &DeclarationRow) -> bool {
    let Some(declaration) = declared(parsed, row).filter(|_| parsed.tree.language().family() == Family::Python) else {
        return false;
    };
    let text = parsed.text.as_str();
    let (whole, _) = declared_node(&parsed.tree, &declaration);
    let decorated = whole.parent().filter(|outer| outer.is("decorated_definition")).unwrap_or(whole);
    let decorators = decorated.named_children().filter(|it| it.is("decorator")).map(|it| it.text(text).to_owned());
    let is_maker = |said: String| {
        let said = said.split('(').next().unwrap_or_default();
        said.rsplit(['.', '@']).next().is_some_and(|name| MAKERS.contains(&name.trim()))
    };
    let own = decorators.chain(bases(&parsed.tree, text, &declaration)).any(is_maker);
    own || inherits_maker((parsed, module), row, GENERATIONS)
}

/// Tells whether the heirs of a class are made of their fields.
fn inherits_maker((parsed, module): (&Parsed, &Module), row: &DeclarationRow, generations: usize) -> bool {
    let Some(declaration) = declared(parsed, row) else { return false };
    bases(&parsed.tree, parsed.text.as_str(), &declaration).iter().any(|base| {
        let name = base.rsplit('.').next().unwrap_or_default();
        let above = module.rows.iter().find(|it| it.parent.is_none() && it.name() == name && it.names != row.names);
        INHERITED_MAKERS.contains(&name)
            || generations > 0 && above.is_some_and(|it| inherits_maker((parsed, module), it, generations - 1))
    })
}

/// Returns the place behind the last field that has no default.
fn before_defaults(parsed: &Parsed, module: &Module, number: usize) -> InsertionPlace {
    let fields = module.rows.iter().enumerate().filter(|(_, row)| row.parent == Some(number));
    let text = |row: &DeclarationRow| row.full_span.of(parsed.text.as_str()).unwrap_or_default();
    let mut fields = fields.filter(|(_, row)| row.kind == EntryKind::Field);
    match fields.find(|(_, row)| text(row).contains('=')) {
        Some((first, _)) => InsertionPlace::Before(first),
        None => InsertionPlace::Field(number),
    }
}

/// Returns the words before the last parameter of a script's constructor that is a field by itself: `private readonly`.
fn property<'p>(parsed: &'p Parsed, module: &Module, number: usize) -> Option<&'p str> {
    let row = constructor(module, number)?;
    let node = callable(parsed, row)?;
    let is_word =
        |it: &Node<'_>| it.is_any(&["accessibility_modifier", "override_modifier"]) || it.kind() == "readonly";
    let all = node.child("parameters")?.named_children();
    let last = all.into_iter().filter(|it| it.children().any(|word| is_word(&word))).last()?;
    let pattern = last.child("pattern")?;
    parsed.text.as_str().get(last.start()..pattern.start())
}

fn constructor(module: &Module, number: usize) -> Option<&DeclarationRow> {
    let name = constructor_name(module.language.family());
    module.members(number).find(|row| row.name() == name)
}

fn constructor_name(family: Family) -> &'static str {
    if family == Family::Python { "__init__" } else { "constructor" }
}

fn callable<'p>(parsed: &'p Parsed, row: &DeclarationRow) -> Option<Node<'p>> {
    let declaration = declared(parsed, row)?;
    let (whole, _) = declared_node(&parsed.tree, &declaration);
    let is_callable =
        |it: &Node<'_>| it.is_any(&["function_definition", "method_definition", "constructor_definition"]);
    std::iter::once(whole).chain(whole.named_children()).find(is_callable)
}

impl Written {
    fn of(module: &Module, text: String) -> Self {
        let (parsed, module) = module.reread(text);
        Self { parsed, module }
    }

    fn placing(&self) -> Placing<'_> {
        Placing::new(&self.parsed, &self.module)
    }

    fn constructor(&self, number: usize) -> Option<Node<'_>> {
        callable(&self.parsed, constructor(&self.module, number)?)
    }

    /// Returns where the name of the new field stands.
    fn field(&self, number: usize, field: NewField<'_>) -> Option<usize> {
        let declared = self.module.members(number).find(|row| row.name() == field.name);
        declared.map(|row| row.name_span.start)
    }

    fn text(&self) -> &str {
        self.parsed.text.as_str()
    }

    fn family(&self) -> Family {
        self.module.language.family()
    }

    /// Gives a constructor one more parameter, and lets it keep it.
    fn handed(&self, (number, constructor): (usize, Node<'_>), field: NewField<'_>) -> Result<String, Misfit> {
        let words = property(&self.parsed, &self.module, number);
        let parameter = format!("{}{}", words.unwrap_or_default(), self.parameter_text(field));
        let mut edits = vec![self.parameter(constructor, (field, parameter))?];
        if words.is_none() {
            edits.push(self.assignment(constructor, field)?);
        }
        let edits = TextEdits::new(edits).map_err(|_| Misfit::Around)?;
        let text = edits.apply(self.text());
        let errors = Tree::parse(self.module.language, &text).error_count();
        if errors > self.parsed.tree.error_count() { Err(Misfit::Around) } else { Ok(text) }
    }

    /// Returns the edit that adds the parameter: where no call loses its meaning, if there is such a place.
    fn parameter(&self, constructor: Node<'_>, (field, written): (NewField<'_>, String)) -> Result<TextEdit, Misfit> {
        let list = constructor.child("parameters").unwrap_or(constructor);
        let all: Vec<Node<'_>> = match self.family() {
            Family::Solidity => list.named_children().filter(|it| it.is("parameter")).collect(),
            _ => list.named_children().collect(),
        };
        let said = |node: &Node<'_>| node.text(self.text()).to_owned();
        let is_rest = |node: &Node<'_>| said(node).starts_with("**") || said(node).starts_with("...");
        let has_default = |node: &Node<'_>| node.child("value").is_some() || node.is("optional_parameter");
        let is_mark = |node: &Node<'_>| said(node).starts_with('*') && !said(node).starts_with("**");
        let (written, before) = match self.family() {
            Family::Python if field.default.is_some() => (written, all.iter().find(|it| said(it).starts_with("**"))),
            _ if field.default.is_some() => (written, all.iter().find(|it| is_rest(it))),
            Family::Python if all.iter().any(has_default) && !all.iter().any(is_mark) => {
                (format!("*, {written}"), all.iter().find(|it| is_rest(it)))
            }
            Family::Python => (written, all.iter().find(|it| is_rest(it))),
            _ => (written, all.iter().find(|it| is_rest(it) || has_default(it))),
        };
        let gap = |node: &Node<'_>| {
            let line = self.placing().line_start(node.start());
            let lead = &self.text()[line..node.start()];
            if lead.trim().is_empty() { format!("{}{lead}", self.newline()) } else { " ".to_owned() }
        };
        match (before, all.last()) {
            (Some(next), _) => Ok(TextEdit::new(Span::at(next.start()), format!("{written},{}", gap(next)))),
            (None, Some(last)) => Ok(TextEdit::new(Span::at(last.end()), format!(",{}{written}", gap(last)))),
            (None, None) => {
                let open = list.children().find(|it| it.kind() == "(").ok_or(Misfit::Around)?;
                Ok(TextEdit::new(Span::at(open.end()), written))
            }
        }
    }

    fn parameter_text(&self, NewField { name, type_name, default }: NewField<'_>) -> String {
        let value = default.map(|value| format!(" = {value}")).unwrap_or_default();
        match self.family() {
            Family::Solidity => format!("{} {name}_", located(type_name)),
            _ if self.module.language == Language::JavaScript => format!("{name}{value}"),
            _ => format!("{name}: {type_name}{value}"),
        }
    }

    /// Returns the edit that lets the constructor keep what it is handed: behind the last field that it sets, or else at its
    /// end.
    fn assignment(&self, constructor: Node<'_>, field: NewField<'_>) -> Result<TextEdit, Misfit> {
        let body = constructor.child("body").ok_or(Misfit::Around)?;
        let object = self.object(constructor);
        let written = self.assignment_text(&object, field);
        let all: Vec<Node<'_>> = body.named_children().collect();
        let sets = |node: &&Node<'_>| {
            let said = node.text(self.text());
            said.starts_with(&format!("{object}.")) && said.contains('=')
                || self.family() == Family::Solidity
                    && node.walk_until(|_| false).any(|it| it.is("assignment_expression"))
        };
        let is_nothing = |node: &Node<'_>| matches!(node.text(self.text()), "pass" | "...");
        if let [only] = all.as_slice()
            && is_nothing(only)
            && self.is_alone(only.span())
        {
            return Ok(TextEdit::new(only.span(), written));
        }
        let last = all.iter().filter(sets).last().or(all.last());
        match last {
            Some(last) if self.is_alone(last.span()) => {
                let indent = self.placing().indent(last.start());
                let end = self.statement_end(*last);
                Ok(TextEdit::new(Span::at(end), format!("{}{indent}{written}", self.newline())))
            }
            None if self.family() != Family::Python => {
                let (placing, end) = (self.placing(), self.newline());
                let (indent, step) = (placing.indent(constructor.start()), placing.unit());
                Ok(TextEdit::new(body.span(), format!("{{{end}{indent}{step}{written}{end}{indent}}}")))
            }
            _ => Err(Misfit::SharesLine(constructor_name(self.family()).to_owned())),
        }
    }

    /// Adds a constructor that takes the field alone.
    fn with_constructor(&self, number: usize, field: NewField<'_>) -> Result<String, Misfit> {
        let row = &self.module.rows[number];
        let declaration = declared(&self.parsed, row).ok_or(Misfit::Around)?;
        let inherits = bases(&self.parsed.tree, self.text(), &declaration).iter().any(|base| base != "object");
        if inherits && self.family() != Family::Solidity {
            return Err(Misfit::InheritedConstructor(row.name().to_owned()));
        }
        let parameter = self.parameter_text(field);
        let source = match self.family() {
            Family::Python => {
                format!("def __init__(self, {parameter}) -> None:\n    {}", self.assignment_text("self", field))
            }
            _ => format!("constructor({parameter}) {{\n    {}\n}}", self.assignment_text("this", field)),
        };
        let first = self.module.rows.iter().position(|it| it.parent == Some(number) && it.kind.is_callable());
        let place = first.map_or(InsertionPlace::Member(number), InsertionPlace::Before);
        Ok(self.placing().added(place, &source)?.text)
    }

    fn assignment_text(&self, object: &str, NewField { name, .. }: NewField<'_>) -> String {
        match self.family() {
            Family::Python => format!("{object}.{name} = {name}"),
            Family::Solidity => format!("{name} = {name}_;"),
            _ => {
                format!("{object}.{name} = {name}{}", if ends_without(self.text()) { "" } else { ";" })
            }
        }
    }

    /// Returns what a constructor calls its own object.
    fn object(&self, constructor: Node<'_>) -> String {
        match self.family() {
            Family::Python => {
                let first = constructor.child("parameters").and_then(|it| it.named_children().next());
                first.map_or("self", |it| it.text(self.text())).split(':').next().unwrap_or("self").trim().to_owned()
            }
            _ => "this".to_owned(),
        }
    }

    fn newline(&self) -> String {
        self.placing().with_breaks("\n")
    }

    /// Tells whether a statement begins its line.
    fn is_alone(&self, span: Span) -> bool {
        self.text()[self.placing().line_start(span.start)..span.start].trim().is_empty()
    }

    /// Returns the end of a statement with the semicolon that the grammar leaves out.
    fn statement_end(&self, statement: Node<'_>) -> usize {
        let rest = &self.text()[statement.end()..];
        statement.end() + usize::from(rest.starts_with(';'))
    }
}

/// Writes a type of Solidity as a parameter has it: what is no value lies in memory.
fn located(type_name: &str) -> String {
    let is_reference = matches!(type_name, "string" | "bytes") || type_name.ends_with(']');
    if is_reference { format!("{type_name} memory") } else { type_name.to_owned() }
}
