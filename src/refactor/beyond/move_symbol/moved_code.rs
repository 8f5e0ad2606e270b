//! What leaves its module.

use super::own_statements::{completed, completing};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{attribute_docstring, comments_above};
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::equal_code::OF_FILE;
use crate::refactor::analysis::imports::{required, typed};
use crate::refactor::commonjs::{ExportKeys, exported_assignment, required_source, says_commonjs};
use crate::refactor::doubts::tell;
use crate::refactor::moves::script::is_bare;
use crate::refactor::refusal::refuse_all;
use crate::refactor::scopes::{ScopedNames, function_of_name};
use crate::refactor::source_file::{Code, EVALUATING, function_of, inner};
use crate::syntax::scopes::Name;
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node};
use crate::text::Span;

/// One name that moves, with all the statements that make it.
pub(super) struct Leaving<'c> {
    pub name: &'c str,
    /// What others ask for it by, and where a module of CommonJS says so: `sum` of `exports.sum = total`.
    pub key: &'c str,
    pub key_place: Option<Span>,
    /// Where it is declared first.
    pub place: Span,
    pub meanings: Vec<usize>,
    /// Whole lines, with the comments right above.
    pub lines: Vec<Span>,
    /// What declares it, and what says more of it: `total.cache = {}`.
    pub statements: Vec<Node<'c>>,
    /// Whether nothing of it is there when the program runs.
    pub is_type: bool,
    pub is_exported: bool,
    /// Whether functions set it as the program runs: who imports it by name may have an old value.
    pub is_set: bool,
    /// Whether the other module makes the same: nothing has to be written there.
    pub is_there: bool,
    /// What it is assigned to where it is made and handed out at once: `exports.total = function () { … }`.
    pub assigned: Option<Span>,
}

/// How much of a module goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent<'w> {
    /// These names, as far as they go together.
    Part(&'w [&'w str]),
    Whole,
}

impl Extent<'_> {
    fn holds(self, name: &str) -> bool {
        match self {
            Self::Part(names) => names.contains(&name),
            Self::Whole => true,
        }
    }
}

/// Returns the only name by which a module hands something out, where that is another one.
fn other_key<'c>(code: &'c Code, name: &str) -> Option<(&'c str, Span)> {
    let text = code.text();
    let is_own = |node: &Node<'c>| {
        let statement = node.ancestors().find(|it| it.is("export_statement"));
        node.is("export_specifier")
            && node.child("name").is_some_and(|it| it.text(text) == name)
            && statement.is_some_and(|it| it.child("source").is_none())
    };
    let specifiers: Vec<Node<'c>> = match code.family() {
        Family::Script => code.root().descendants().filter(is_own).collect(),
        _ => Vec::new(),
    };
    if let [one] = specifiers.as_slice() {
        let alias = one.child("alias").filter(|it| it.is("identifier") && it.text(text) != "default");
        return alias.map(|it| (it.text(text), it.span())).filter(|(key, _)| *key != name);
    }
    let keys = ExportKeys::of(code).keys;
    let mut own = keys.iter().filter(|one| one.value.is_some_and(|it| it.text(text) == name));
    let only = own.next().filter(|one| one.key != name && own.next().is_none())?;
    let place = only.node.descendants().find(|it| it.is("property_identifier") && it.text(text) == only.key)?;
    Some((only.key, place.span()))
}

/// Decorators that keep what they decorate to themselves.
const HARMLESS: &[&str] = &[
    "cache",
    "contextlib",
    "contextmanager",
    "dataclass",
    "dataclasses",
    "final",
    "functools",
    "lru_cache",
    "overload",
    "runtime_checkable",
    "t",
    "total_ordering",
    "typing",
];

/// What is true for type checkers alone.
pub(super) const CHECKING: &str = "TYPE_CHECKING";

impl<'c> Leaving<'c> {
    /// Finds the statements at the top of a file that make a name.
    pub(super) fn find(
        code: &'c Code,
        names: &ScopedNames<'_>,
        (name, extent): (&'c str, Extent<'_>),
    ) -> Result<Self, Refusal> {
        let found = Self::read(code, names, name)?;
        found.check(code, names, extent)?;
        Ok(found)
    }

    /// Finds a constant or a function that the other module makes in the very same way: `T = TypeVar("T")`,
    /// `TYPE_CHECKING = False`, a `__dir__` that hands out `__all__`.
    pub(super) fn twin(code: &'c Code, names: &ScopedNames<'_>, (to, name): (&Code, &'c str)) -> Option<Self> {
        let theirs = ScopedNames::of(to);
        let found = Self::read(code, names, name).ok()?;
        if name == CHECKING && code.family() == Family::Python {
            // What needs it brings it along.
            return Some(Self { is_there: true, ..found });
        }
        let other = Leaving::read(to, &theirs, name).ok()?;
        let ([one], [two]) = (found.statements.as_slice(), other.statements.as_slice()) else { return None };
        if one.is("decorated_definition") {
            return None;
        }
        let (one, two) = (inner(*one), inner(*two));
        let is_function = one.is_any(&["function_definition", "function_declaration"]);
        let is_same = (one.is_any(EVALUATING) || is_function)
            && one.text(code.text()) == two.text(to.text())
            && (!found.is_exported || other.is_exported);
        let is_fixed = |names: &ScopedNames<'_>, all: &[usize]| all.iter().all(|it| names.writes(*it).count() == 1);
        let mut asked = names.within(one.span()).zip(theirs.within(two.span()));
        let is_alike = asked.all(|(mine, its)| {
            // What a module lists it goes on to list there.
            let is_list = code.family() == Family::Python && mine.span.of(code.text()) == Some("__all__");
            let is_own =
                |names: &ScopedNames<'_>, name: Name, node: Node<'_>| is_function && names.is_local(name, Some(node));
            let are_own = is_own(names, mine, one) && is_own(&theirs, its, two);
            mine.span == found.place
                || is_list
                || are_own
                || required::are_alike((code, names, mine), (to, &theirs, its))
        });
        let is_twin = is_same && is_alike && is_fixed(names, &found.meanings) && is_fixed(&theirs, &other.meanings);
        is_twin.then_some(Self { is_there: true, ..found })
    }

    /// As [`Self::find`], whether or not they can go.
    pub(super) fn read(code: &'c Code, names: &ScopedNames<'_>, name: &'c str) -> Result<Self, Refusal> {
        let mut found = Self {
            name,
            key: name,
            key_place: None,
            place: Span::at(0),
            meanings: Vec::new(),
            lines: Vec::new(),
            statements: Vec::new(),
            is_type: true,
            is_exported: code.family() == Family::Python,
            is_set: false,
            is_there: false,
            assigned: None,
        };
        for statement in code.root().named_children() {
            let assigned = exported_assignment(code, statement).filter(|_| code.family() == Family::Script);
            let made = declared(code, statement).or(assigned.map(|(name, _)| name));
            let Some(own) = made.filter(|own| own.text(code.text()) == name) else { continue };
            found.assigned = found.assigned.or(assigned.map(|(_, left)| left.span()));
            if found.statements.is_empty() {
                found.place = own.span();
            }
            found.meanings.extend(names.at(own).map(|it| it.meaning));
            found.is_exported |= statement.is("export_statement");
            found.is_type &= inner(statement).is_any(&["interface_declaration", "type_alias_declaration"]);
            found.lines.push(lines(code, statement)?);
            found.statements.push(statement);
        }
        if found.statements.is_empty() {
            let is_default = code.root().named_children().find(|one| exports_by_default(*one, (code, name)));
            if let Some(default) = is_default {
                return Err(code.refuse(
                    default.start(),
                    format!("`{name}` is what the module exports by default: `convert-export` names it first"),
                ));
            }
            let reason = format!("`{name}` is not a function, class or constant at the top of `{}`", code.shown);
            return Err(Refusal::NotPossible(reason));
        }
        found.meanings.sort_unstable();
        found.meanings.dedup();
        let mut writes = found.meanings.iter().flat_map(|meaning| names.writes(*meaning));
        found.is_set = writes.any(|write| function_of_name(code.covering(write.span)).is_some());
        for statement in completing(code, names, (name, &found.meanings, &found.statements)) {
            let at = found.statements.partition_point(|one| one.start() < statement.start());
            found.lines.insert(at, lines(code, statement)?);
            found.statements.insert(at, statement);
        }
        if let Some((key, place)) = other_key(code, name).filter(|_| !found.is_exported) {
            (found.key, found.key_place) = (key, Some(place));
        }
        Ok(found)
    }

    pub(super) fn holds(&self, span: Span) -> bool {
        self.statements.iter().any(|statement| statement.span().contains(span))
    }

    /// Returns a decorator that may tell others of what it decorates.
    pub(super) fn registered(&self, code: &Code) -> Option<Node<'c>> {
        let all = self
            .statements
            .iter()
            .flat_map(|one| std::iter::once(*one).chain(one.children()).chain(inner(*one).children()));
        let mut decorators = all.filter(|child| child.is("decorator"));
        decorators.find(|decorator| {
            let text = decorator.text(code.text()).trim_start_matches('@');
            let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(text.len());
            !HARMLESS.contains(&&text[..end])
        })
    }

    /// Returns why a variable cannot go: somebody sets it who stays, or reads it who would see none of what is set from then on.
    fn kept_up(&self, code: &Code, names: &ScopedNames<'_>, extent: Extent<'_>) -> Vec<Refusal> {
        let all: Vec<Name> = self.meanings.iter().flat_map(|meaning| names.of_meaning(*meaning)).collect();
        let declares = |write: &Name| {
            let is_it = |one: &Node<'_>| declared(code, *one).is_some_and(|own| own.span() == write.span);
            self.statements.iter().any(is_it)
        };
        let goes = |name: &Name| {
            let node = code.covering(name.span);
            let statement = node.ancestors().find(|one| one.parent() == Some(code.root()));
            let of = statement.and_then(|it| declared(code, it)).map(|own| own.text(code.text()));
            function_of(node).is_some() && (extent == Extent::Whole || of.is_some_and(|of| extent.holds(of)))
        };
        let (own, others): (Vec<&Name>, Vec<&Name>) =
            all.iter().filter(|one| names.is_write(**one) && !declares(one)).partition(|one| goes(one));
        let refuse = |one: &Name, said: &str| code.refuse(one.span.start, format!("`{}` is {said}", self.name));
        let mut found: Vec<Refusal> = others.into_iter().map(|one| refuse(one, "reassigned here")).collect();
        // ES modules see what is set of what they import.
        let sees_all = code.family() == Family::Script && says_commonjs(code) != Some(true);
        if !own.is_empty() && !sees_all && extent != Extent::Whole {
            let stays = all.iter().find(|one| !names.is_write(**one) && !declares(one) && !goes(one));
            found.extend(stays.map(|one| refuse(one, "set by what goes along, and used here: take that along, too")));
        }
        found
    }

    fn check(&self, code: &Code, names: &ScopedNames<'_>, extent: Extent<'_>) -> Result<(), Refusal> {
        let mut found = self.kept_up(code, names, extent);
        let declaring = || self.statements.iter().filter(|one| completed(code, **one).is_none());
        if self.assigned.is_some() && declaring().count() > 1 {
            found.push(code.refuse(self.place.start, format!("`{}` is made more than once", self.name)));
        }
        let is_overloaded = declaring().all(|one| !inner(*one).is_any(EVALUATING));
        if code.family() == Family::Python && declaring().count() > 1 && !is_overloaded {
            found.push(code.refuse(self.place.start, format!("`{}` is assigned more than once", self.name)));
        }
        let stays = |one: &&Node<'_>| extent != Extent::Whole || !is_own_logger(code, **one);
        let all = self.statements.iter().filter(stays).flat_map(|one| one.descendants());
        for node in all {
            let text = node.text(code.text());
            let is_loader = node.is("call_expression") && node.child("function").is_some_and(|it| it.is("import"));
            let hangs_on_place = is_loader && !loads_package(code, node) || is_of_module(code, node);
            if self.assigned.is_some_and(|left| left.contains(node.span())) {
                continue;
            }
            // A name that the module gives itself is another thing.
            let is_bound = || OF_FILE.contains(&text) && names.at(node).is_some_and(|it| it.is_free);
            if text == "__name__" && is_bound() && names_logger(code, node) {
                let message =
                    "the logger is called like the new module: what is set up for the old one does not reach it";
                let range = code.parsed().text.range(node.span());
                tell(Warning::at(WarningKind::FollowUp, message, code.path.clone(), range));
                continue;
            }
            if node.is("identifier") && is_bound() || hangs_on_place {
                let said = text.lines().next().unwrap_or_default();
                found.push(code.refuse(node.start(), format!("`{said}` would mean something else there")));
            }
            let sets_its_own = || {
                let is_made = |name: &str| makers(code).any(|own| own.text(code.text()) == name);
                node.named_children().map(|one| one.text(code.text())).all(|name| is_made(name) && extent.holds(name))
            };
            if node.is("global_statement") && !sets_its_own() {
                found.push(code.refuse(node.start(), "the statement means something else in another module"));
            }
        }
        refuse_all(found)
    }
}

/// Tells whether a logger gets a name: `get_logger(__name__, type(self))`.
fn names_logger(code: &Code, name: Node<'_>) -> bool {
    let call = name.parent().and_then(Node::parent).filter(|it| it.is("call"));
    let function = call.and_then(|call| call.child("function"));
    function.is_some_and(|it| last_name(it.text(code.text())).to_lowercase().contains("logger"))
}

/// Tells whether `import()` loads a package, which is the same from everywhere.
fn loads_package(code: &Code, call: Node<'_>) -> bool {
    let loaded = call.child("arguments").and_then(|list| list.named_children().next()).filter(|it| it.is("string"));
    loaded.is_some_and(|it| is_bare(it.text(code.text()).trim_matches(['"', '\''])))
}

/// Tells whether something is what a module knows of itself: `import.meta`, but neither `new.target`, which is a function's, nor
/// `import.meta.env`, by which builders (Vite) say how all is built.
fn is_of_module(code: &Code, node: Node<'_>) -> bool {
    let is_wrapped = |it: &Node<'_>| it.is_any(&["as_expression", "non_null_expression", "parenthesized_expression"]);
    let asked = node.ancestors().find(|it| !is_wrapped(it)).and_then(|it| it.child("property"));
    let is_setting = asked.is_some_and(|it| it.text(code.text()) == "env");
    node.is("meta_property") && node.text(code.text()).starts_with("import") && !is_setting
}

/// Returns the names that the statements at the top of a file declare.
fn makers(code: &Code) -> impl Iterator<Item = Node<'_>> {
    code.root().named_children().filter_map(|statement| declared(code, statement))
}

/// Tells whether a statement makes the logger of its module, as each makes its own: `logger = logging.getLogger(__name__)`.
pub(super) fn is_own_logger(code: &Code, statement: Node<'_>) -> bool {
    let assignment = statement.named_children().next().filter(|it| it.is("assignment"));
    let call = assignment.and_then(|it| it.child("right")).filter(|it| it.is("call"));
    let text = |field| call.and_then(|it: Node<'_>| it.child(field)).map_or("", |it| it.text(code.text()));
    let function = text("function").rsplit('.').next().unwrap_or_default();
    statement.is("expression_statement")
        && ["getLogger", "get_logger"].contains(&function)
        && text("arguments") == "(__name__)"
}

/// Returns all that a file declares at its top; refuses what does more than declare.
pub(super) fn all(code: &Code) -> Result<Vec<&str>, Refusal> {
    const SILENT: &[&str] = &["import_statement", "import_from_statement", "future_import_statement"];
    let (mut found, mut more, mut described) = (Vec::new(), Vec::new(), None);
    let keys = ExportKeys::of(code);
    let is_made = |name: Node<'_>| makers(code).any(|own| own.text(code.text()) == name.text(code.text()));
    for (at, statement) in code.root().named_children().enumerate() {
        let text = statement.text(code.text());
        let is_docstring = at == 0 && statement.is("expression_statement") && text.starts_with(['"', '\'', 'r']);
        let is_below = described == Some(statement);
        described = attribute_docstring(code, statement);
        let is_list =
            statement.children().any(|child| child.is("export_clause")) && statement.child("source").is_none();
        match declared(code, statement).map(|own| own.text(code.text())) {
            Some("__all__") => {}
            // It goes with its keys.
            own if own.is_some() && own == keys.variable && keys.is_object_alone(code) => {}
            _ if keys.is_plain(statement) || required_source(code, statement).is_some() => {}
            Some(name) => found.push(name),
            None if exported_assignment(code, statement).is_some() => {
                found.extend(exported_assignment(code, statement).map(|(name, _)| name.text(code.text())));
            }
            None if statement.is_any(SILENT) || is_docstring || is_below || is_list => {}
            None if is_for_checkers(code, statement) => {}
            // It goes with what it is about.
            None if completed(code, statement).is_some_and(is_made) => {}
            None if statement.children().any(|child| child.kind() == "default") => {
                let reason =
                    "what is imported as the module's default has no name: `convert-export` gives it one first";
                more.push(code.refuse(statement.start(), reason));
            }
            None => more.push(code.refuse(statement.start(), "the module does more here than declare one name")),
        }
    }
    refuse_all(more)?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn exports_by_default(statement: Node<'_>, (code, name): (&Code, &str)) -> bool {
    let is_default = statement.is("export_statement") && statement.children().any(|child| child.kind() == "default");
    is_default && inner(statement).child("name").is_some_and(|own| own.text(code.text()) == name)
}

fn is_for_checkers(code: &Code, statement: Node<'_>) -> bool {
    let condition = statement.child("condition").filter(|_| statement.is("if_statement"));
    let body = statement.child("consequence");
    let imports = |body: Node<'_>| body.named_children().all(|one| one.kind().starts_with("import_"));
    condition.is_some_and(|it| typed::is_for_checkers(it.text(code.text())))
        && body.is_some_and(imports)
        && statement.child("alternative").is_none()
}

/// Returns the lines of a statement with the comments right above it.
fn lines(code: &Code, statement: Node<'_>) -> Result<Span, Refusal> {
    let mut start = code.line_start(statement.start());
    let last = attribute_docstring(code, statement).unwrap_or(statement);
    let end = code.next_line(last.end());
    let rest = code.text()[last.end()..end].trim().trim_start_matches(';').trim_start();
    let is_alone = code.text()[start..statement.start()].trim().is_empty();
    if !is_alone || !(rest.is_empty() || rest.starts_with(['#', '/'])) {
        return Err(code.refuse(statement.start(), "the declaration shares its line with something else"));
    }
    let before: Vec<Node<'_>> = code.root().children().take_while(|node| *node != statement).collect();
    for node in before.into_iter().rev() {
        let is_region = region(node.text(code.text())).is_some();
        let is_whole = || end_of_region(code, (node.start(), end)).is_some();
        let is_attached = node.is("comment")
            && (!is_region || is_whole())
            && code.next_line(node.end()) == start
            && code.line_start(node.start()) == node.start()
            && !node.text(code.text()).starts_with("#!");
        if !is_attached {
            break;
        }
        start = node.start();
    }
    let end = end.max(end_of_region(code, (start, end)).unwrap_or(end));
    let documented = comments_above(code, statement.start());
    if start == code.line_start(statement.start()) && code.text()[documented..].starts_with("/**") {
        start = code.line_start(documented);
    }
    Ok(Span::new(start, end))
}

/// Returns the mark that ends what a comment begins for a formatter or a linter: `# fmt: off`, `/* eslint-disable */`.
fn region(comment: &str) -> Option<&'static str> {
    const REGIONS: &[(&str, &str)] = &[
        ("fmt: off", "fmt: on"),
        ("isort: off", "isort: on"),
        ("yapf: disable", "yapf: enable"),
        ("eslint-disable", "eslint-enable"),
    ];
    let said = comment.trim_start_matches(['#', '/', '*', ' ']);
    let begins = |mark: &str| said.strip_prefix(mark).is_some_and(|rest| !rest.starts_with('-'));
    REGIONS.iter().find(|(begin, _)| begins(begin)).map(|(_, end)| *end)
}

/// Returns where the line ends that closes what the comment above a declaration begins, right below it.
fn end_of_region(code: &Code, (start, end): (usize, usize)) -> Option<usize> {
    let closing = region(&code.text()[start..code.line_end(start)])?;
    let below = &code.text()[end..];
    let said = below.trim_start().trim_start_matches(['#', '/', '*', ' ']);
    let at = end + below.len() - below.trim_start().len();
    said.starts_with(closing).then(|| code.next_line(at))
}
