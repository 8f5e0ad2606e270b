//! Replace Magic Number with Symbolic Constant, and a text likewise: in what the target names, and in further files.
//!
//! ```python
//! def energy(mass, height):            GRAVITY = 9.81
//!     return mass * 9.81 * height  →
//!                                      def energy(mass, height):
//!                                          return mass * GRAVITY * height
//! ```

mod constant;

use globset::GlobSet;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{Span, TextEdit};
use constant::{Seen, constant, defined};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

const NUMBERS: &[&str] = &["integer", "float", "number"];
const SIGNED: &[&str] = &["unary_operator", "unary_expression"];

/// What gets a name.
#[derive(Clone, Copy)]
enum Literal<'r> {
    Number(&'r str),
    /// A text, without its quotes.
    Text(&'r str),
}

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let extent = code.extent(&request.target);
    let is_literal = |it: Node<'_>| it.is_any(NUMBERS) || it.is("string");
    if !code.covering(extent).descendants().any(|it| is_literal(it) && extent.contains(it.span())) {
        return Err(Refusal::NotPossible("no number and no text stands in what the target names".to_owned()));
    }
    let (name, value) = (request.params.text("name"), request.params.needed("value")?.trim());
    let literal = Literal::of(value);
    let mut edits = Edits::default();
    let found = literal.within(&code, extent, &mut edits);
    let others = others(session, &code, request.params.globs("files")?)?;
    if found.is_empty() {
        return Err(Refusal::NotPossible(format!("no {} `{value}` stands in what the target names", literal.said())));
    }
    let own = named(&code, &found, name)?;
    let mut seen = Seen::Here;
    for other in &others {
        let found = literal.within(other, other.root().span(), &mut edits);
        let changed = named(other, &found, name)?;
        if !changed.is_empty() {
            seen = Seen::Elsewhere;
            edits.add(other, changed);
            import(session, (&code, other), name, &mut edits)?;
        }
    }
    if constant(&code, name).is_some_and(|node| literal.is(&code, node)) {
        if seen == Seen::Elsewhere && code.family() == Family::Script {
            edits.add(&code, required::export(&code, name)?);
        }
        edits.add(&code, own);
        return edits.plan();
    }
    if code.mentions(code.root(), name) {
        return Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", code.shown)));
    }
    let (at, definition) = defined(&code, (name, value), seen);
    if let Some(early) = own.iter().find(|edit| edit.span.start < at) {
        return Err(code.refuse(early.span.start, "it is used before a constant could be defined"));
    }
    edits.add(&code, own);
    edits.add(&code, [TextEdit::new(Span::at(at), definition)]);
    edits.plan()
}

/// Reads the further files of the same language.
fn others(session: &Session, code: &Code, wanted: GlobSet) -> Result<Vec<Code>, Refusal> {
    let disk = session.disk();
    let files = disk.files();
    let is_wanted = |path: &&crate::text::AbsPath| {
        let family = Language::of_path(path).map(Language::family);
        let shown = path.relative_to(session.root());
        **path != code.path && family == Some(code.family()) && shown.is_some_and(|it| wanted.is_match(it.as_str()))
    };
    let paths = files.iter().map(|entry| &entry.path).filter(is_wanted);
    each(paths.map(|path| Code::known(session, path)))
}

/// Lets another file know the constant.
fn import(session: &Session, (code, user): (&Code, &Code), name: &str, edits: &mut Edits) -> Result<(), Refusal> {
    let known = ScopedNames::of(user).named(name).find(|it| it.is_binding);
    if known.is_some_and(|it| required::imports(session, user, it, code)) {
        return Ok(());
    }
    if constant(user, name).is_some() || user.mentions(user.root(), name) {
        return Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", user.shown)));
    }
    required::check_apart(session, code, user)?;
    edits.import(user, [required::line(session, code, user, name)]);
    Ok(())
}

/// Puts the name where the literals stand, all but the one that the constant is made of.
fn named(code: &Code, found: &[Node<'_>], name: &str) -> Result<Vec<TextEdit>, Refusal> {
    let uses = found.iter().filter(|it| constant(code, name) != Some(**it));
    let edits = uses.map(|it| match fixed(*it) {
        Some(reason) if !it.is("string") => Err(code.refuse(it.start(), reason)),
        _ => Ok(TextEdit::new(it.span(), name)),
    });
    each(edits)
}

impl<'r> Literal<'r> {
    fn of(value: &'r str) -> Self {
        let quoted = ["\"", "'"].into_iter().find_map(|it| value.strip_prefix(it)?.strip_suffix(it));
        quoted.map_or(Self::Number(value), Self::Text)
    }

    fn said(self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Text(_) => "text",
        }
    }

    /// Tells whether a node is it; a number with the sign that the value has.
    fn is(self, code: &Code, node: Node<'_>) -> bool {
        let text = node.text(code.text());
        match self {
            Self::Number(value) => {
                let is_signed = value.starts_with(['-', '+']);
                (if is_signed { node.is_any(SIGNED) } else { node.is_any(NUMBERS) }) && text == value
            }
            Self::Text(value) => {
                let inner = ["\"", "'"].into_iter().find_map(|it| text.strip_prefix(it)?.strip_suffix(it));
                node.is("string") && inner == Some(value)
            }
        }
    }

    /// Finds it in a stretch. Texts where no name can stand are left, and told.
    fn within<'c>(self, code: &'c Code, extent: Span, edits: &mut Edits) -> Vec<Node<'c>> {
        let all = code.root().descendants().filter(|node| extent.contains(node.span()) && self.is(code, *node));
        let (left, found): (Vec<Node<'c>>, Vec<Node<'c>>) =
            all.partition(|node| matches!(self, Self::Text(_)) && (fixed(*node).is_some() || is_bare(code, *node)));
        edits.warn(left.first().map(|first| {
            let lines: Vec<String> = left.iter().map(|it| code.line(it.start()).to_string()).collect();
            let message = format!("the text stays where no name can stand (line {})", lines.join(", "));
            let range = code.parsed().text.range(first.span());
            Warning::at(WarningKind::Mentioned, message, code.path.clone(), range).standing_for(left.len())
        }));
        found
    }
}

/// Tells why a constant cannot stand where this literal does.
fn fixed(literal: Node<'_>) -> Option<&'static str> {
    let parent = literal.parent()?;
    if literal.ancestors().any(|node| node.is_any(&["case_pattern", "match_pattern"])) {
        return Some("in a `case` of Python a name would catch everything");
    }
    if literal.ancestors().any(|node| node.is_any(&["literal_type", "type", "type_annotation"])) {
        return Some("the number stands in a type");
    }
    if parent.is_any(&["pair", "public_field_definition", "method_definition"])
        && literal.field().is_some_and(|field| field == "key" || field == "name")
        && !literal.ancestors().any(|node| node.is("dictionary"))
    {
        return Some("the number is the name of a property");
    }
    if literal.ancestors().any(|node| node.is_any(&["format_specifier", "enum_assignment"])) {
        return Some("the number stands where only a number can");
    }
    None
}

/// Tells whether a text is one by where it stands: a module, documentation, a part of a longer one, a name for others.
fn is_bare(code: &Code, string: Node<'_>) -> bool {
    const OUTER: &[&str] = &[
        "concatenated_string",
        "export_statement",
        "expression_statement",
        "import_statement",
        "jsx_attribute",
        "property_signature",
        "method_signature",
    ];
    let is_dunder = |outer: Node<'_>| {
        outer.is("assignment") && outer.child("left").is_some_and(|it| it.text(code.text()).starts_with("__"))
    };
    let called = string.parent().and_then(Node::parent).and_then(|call| call.child("function"));
    string.parent().is_some_and(|outer| outer.is_any(OUTER))
        || called.is_some_and(|it| matches!(it.text(code.text()), "import" | "require"))
        || string.ancestors().any(is_dunder)
}
