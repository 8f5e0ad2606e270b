//! What others may notice of a change by hand: the outline of a file before and after, without what its functions do.
//!
//! Whatever is not known to be of no account to others is taken for a change of types.

use std::collections::{BTreeMap, BTreeSet};

use crate::session::Parsed;
use crate::syntax::kinds::Role;
use crate::syntax::{Declaration, DeclarationKind, Family, Node, Tree, body_of, declared_node, is_any_function};
use crate::text::{Span, TextEdit, TextEdits};

/// What a file's edits change for others.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Names that come, go, or mean something else.
    pub(super) names: BTreeSet<String>,
    /// Where the names of declarations begin, before and after, whose types a server can tell.
    pub(super) declared: BTreeSet<(usize, usize)>,
    /// Types may be others that no server describes.
    pub(super) is_open: bool,
}

/// Compares a file before and after its edits, of which only the `wanted` ones are looked at.
pub(super) fn changes(
    [before, after]: [&Parsed; 2],
    edits: &TextEdits,
    is_wanted: impl Fn(&TextEdit) -> bool,
) -> Changes {
    let compared = Compared { before: Side::of(before), after: Side::of(after), edits };
    let mut found = Changes::default();
    let mut loose: Vec<Piece> = Vec::new();
    let mut bodies: Vec<Pair<'_>> = Vec::new();
    for (edit, piece) in edits.into_iter().zip(pieces(edits)) {
        if !is_wanted(edit) || compared.is_blank(piece) {
            continue;
        }
        match compared.around(piece) {
            _ if !compared.has_types() => compared.named(piece, &mut found),
            Some(pair) => {
                let is_inside = compared.is_in_bodies(pair, piece);
                if is_inside && compared.is_same_import(piece) {
                    continue;
                }
                bodies.extend(is_inside.then_some(pair));
                compared.change(pair, piece, &mut found);
            }
            None => loose.push(piece),
        }
    }
    compared.attributes(&bodies, &mut found);
    compared.loose(&loose, &mut found);
    found
}

/// Tells whether a declaration stands in a function, where no other file sees it.
pub(super) fn is_in_function(tree: &Tree, one: &Declaration) -> bool {
    let around = tree.nodes().covering(one.name_span).ancestors();
    let mut owners = around.filter(|node| is_any_function(*node) || node.has(Role::Class));
    owners.find(|node| node.child("name").is_none_or(|name| name.span() != one.name_span)).is_some_and(is_any_function)
}

/// A replaced stretch: where it stood, and where what is in its place stands.
#[derive(Debug, Clone, Copy)]
struct Piece {
    before: Span,
    after: Span,
}

fn pieces(edits: &TextEdits) -> impl Iterator<Item = Piece> {
    let mut moved = 0_isize;
    edits.into_iter().map(move |edit| {
        let start = edit.span.start.saturating_add_signed(moved);
        moved += edit.new_text.len().cast_signed() - edit.span.len().cast_signed();
        Piece { before: edit.span, after: Span::new(start, start + edit.new_text.len()) }
    })
}

/// A file at one of the two times.
struct Side<'p> {
    parsed: &'p Parsed,
    /// What others can see.
    visible: Vec<Declaration>,
    imports: Vec<Declaration>,
}

/// Where attributes are set, by the path of their class and their name.
type Attributes = BTreeMap<(Vec<String>, String), Vec<usize>>;

/// A declaration before and after.
type Pair<'s> = (&'s Declaration, &'s Declaration);

struct Compared<'p> {
    before: Side<'p>,
    after: Side<'p>,
    edits: &'p TextEdits,
}

impl Compared<'_> {
    /// Tells whether imports are followed, and types looked for, in this language.
    fn has_types(&self) -> bool {
        matches!(self.before.family(), Family::Python | Family::Script)
    }

    /// Tells whether only white space and comments differ.
    fn is_blank(&self, piece: Piece) -> bool {
        let is_indented_alike = || self.before.indent(piece.before) == self.after.indent(piece.after);
        self.before.is_blank(piece.before)
            && self.after.is_blank(piece.after)
            && (self.before.family() != Family::Python || is_indented_alike())
    }

    /// Returns the innermost declaration that has a piece in it at both times, if the piece is not among its members.
    fn around(&self, piece: Piece) -> Option<Pair<'_>> {
        let mut outer: Vec<&Declaration> =
            self.before.visible.iter().filter(|one| one.full_span.contains(piece.before)).collect();
        outer.sort_by_key(|one| one.full_span.len());
        let pair = outer.into_iter().find_map(|one| Some((one, self.again(one, piece)?)))?;
        (!self.before.is_member(pair.0, piece.before)).then_some(pair)
    }

    fn again(&self, one: &Declaration, piece: Piece) -> Option<&Declaration> {
        let start = self.edits.map_offset(one.name_span.start);
        let is_it = |it: &&Declaration| {
            it.name_span.start == start && it.kind == one.kind && it.full_span.contains(piece.after)
        };
        self.after.visible.iter().find(is_it)
    }

    fn is_in_bodies(&self, (one, again): Pair<'_>, piece: Piece) -> bool {
        self.before.is_in_function_body(one, piece.before) && self.after.is_in_function_body(again, piece.after)
    }

    /// Tells whether a piece only says of another module that it is the one to take some names from.
    fn is_same_import(&self, piece: Piece) -> bool {
        let (before, after) = (self.before.taken(piece.before), self.after.taken(piece.after));
        before.is_some() && before == after
    }

    /// Notes what a piece changes in a declaration.
    fn change(&self, (one, again): Pair<'_>, piece: Piece, found: &mut Changes) {
        use DeclarationKind::{Class, Constant, Enum, Interface, Property, TypeAlias, Variable};
        let is_told = match one.kind {
            Class | Interface | TypeAlias | Enum => false,
            // A server describes the value that a variable gets there, be its declared type another.
            Variable | Constant | Property => {
                self.before.is_in_value(one, piece.before) && self.after.is_in_value(again, piece.after)
            }
            _ if self.is_in_bodies((one, again), piece) => true,
            // What stands before the name (`@property`, `async`) is not in every description, nor are overloads.
            _ => {
                let is_one = |side: &Side<'_>| side.visible.iter().filter(|it| it.path == one.path).count() == 1;
                piece.before.start >= one.name_span.start && is_one(&self.before)
            }
        };
        if is_told {
            found.declared.insert((one.name_span.start, again.name_span.start));
        } else {
            found.is_open = true;
        }
    }

    /// Notes which declarations have a piece in them that is not of their functions alone: where imports are not followed,
    /// whoever says one of their names is looked at.
    fn named(&self, piece: Piece, found: &mut Changes) {
        if self.around(piece).is_some_and(|pair| self.is_in_bodies(pair, piece)) {
            return;
        }
        for (side, span) in [(&self.before, piece.before), (&self.after, piece.after)] {
            let touched =
                side.visible.iter().filter(|one| one.full_span.contains(span) || span.contains(one.full_span));
            found.names.extend(touched.flat_map(|one| one.path.iter().cloned()));
        }
    }

    /// Notes the attributes that functions give their objects whose bodies change: they may be of other types.
    fn attributes(&self, bodies: &[Pair<'_>], found: &mut Changes) {
        if bodies.is_empty() {
            return;
        }
        let (mut before, mut after) = (self.before.attributes(), self.after.attributes());
        let given: BTreeSet<_> = given_in(&before, &|at| bodies.iter().any(|(one, _)| one.full_span.touches(at)))
            .chain(given_in(&after, &|at| bodies.iter().any(|(_, again)| again.full_span.touches(at))))
            .cloned()
            .collect();
        before.retain(|name, _| given.contains(name));
        after.retain(|name, _| given.contains(name));
        for (name, places) in &before {
            match after.get(name) {
                Some(again) if again.len() == places.len() => {
                    found.declared.extend(places.iter().copied().zip(again.iter().copied()));
                }
                Some(_) => found.is_open = true,
                None => drop(found.names.insert(name.1.clone())),
            }
        }
        found.names.extend(after.into_keys().filter(|name| !before.contains_key(name)).map(|(_, name)| name));
    }

    /// Notes what pieces change that are in no declaration: whole ones that come and go, and other statements.
    fn loose(&self, pieces: &[Piece], found: &mut Changes) {
        if !self.has_types() || pieces.is_empty() {
            return;
        }
        let (gone, come) = (self.before.within(pieces, |it| it.before), self.after.within(pieces, |it| it.after));
        let is_same = |one: &Declaration, other: &Declaration| {
            one.path == other.path && self.before.text(one.full_span) == self.after.text(other.full_span)
        };
        for one in come.iter().filter(|one| !gone.iter().any(|other| is_same(other, one))) {
            match self.before.visible.iter().any(|other| other.path == one.path) {
                true => found.is_open = true,
                false => self.after.noted(one, found),
            }
        }
        for one in gone.iter().filter(|one| !come.iter().any(|other| is_same(one, other))) {
            match self.after.visible.iter().any(|other| other.path == one.path) {
                true => found.is_open = true,
                false => {
                    self.before.noted(one, found);
                    found.names.insert(one.name.clone());
                }
            }
        }
        let mut imports = [BTreeSet::new(), BTreeSet::new()];
        for piece in pieces {
            found.is_open |= !self.before.is_of_no_account(piece.before, &gone, &mut imports[0]);
            found.is_open |= !self.after.is_of_no_account(piece.after, &come, &mut imports[1]);
        }
        let (before, after) = (self.before.imported(&imports[0]), self.after.imported(&imports[1]));
        let is_other = |(name, from): &(&String, &BTreeSet<_>)| after.get(*name).is_some_and(|it| it != *from);
        found.names.extend(before.iter().filter(is_other).map(|(name, _)| name.clone()));
    }
}

/// Returns those of the attributes that are set at one of some places.
fn given_in<'a>(
    attributes: &'a Attributes,
    is_there: &'a dyn Fn(usize) -> bool,
) -> impl Iterator<Item = &'a (Vec<String>, String)> {
    let is_given = |places: &[usize]| places.iter().any(|at| is_there(*at));
    attributes.iter().filter(move |(_, places)| is_given(places)).map(|(name, _)| name)
}

/// What makes a member of another kind, and asks nothing of the class around.
const PLAIN_DECORATORS: &[&str] =
    &["@cached_property", "@classmethod", "@functools.cached_property", "@property", "@staticmethod"];

/// Statements that bring nothing about which others could read.
const MUTE: &[&str] =
    &["assert_statement", "empty_statement", "pass_statement", "raise_statement", "throw_statement", ";"];

/// What says of an import under which name something is taken.
const SAYING: &[&str] = &["aliased_import", "import_specifier", "namespace_import", "variable_declarator"];
const IMPORTS: &[&str] = &["import_statement", "import_from_statement", "future_import_statement"];

/// Classes whose members are asked for where nobody says their names.
const ABSTRACT: &[&str] = &["ABC", "ABCMeta", "Protocol"];

impl<'p> Side<'p> {
    fn of(parsed: &'p Parsed) -> Self {
        use DeclarationKind::{Import, ImportAlias, Label, Parameter, TypeParameter};
        let all = parsed.declarations().iter().cloned();
        let is_import = |one: &Declaration| {
            let mut around = parsed.tree.nodes().covering(one.name_span).ancestors();
            matches!(one.kind, Import | ImportAlias) || around.any(|outer| is_require(outer, parsed.text.as_str()))
        };
        let (imports, others): (Vec<_>, Vec<_>) = all.partition(is_import);
        let is_visible = |one: &Declaration| {
            !matches!(one.kind, Label | Parameter | TypeParameter) && !is_in_function(&parsed.tree, one)
        };
        Self { parsed, visible: others.into_iter().filter(is_visible).collect(), imports }
    }

    fn family(&self) -> Family {
        self.parsed.tree.language().family()
    }

    fn text(&self, span: Span) -> &str {
        span.of(self.parsed.text.as_str()).unwrap_or_default()
    }

    fn covering(&self, span: Span) -> Node<'_> {
        self.parsed.tree.nodes().covering(span)
    }

    /// Returns the leaves that a stretch has a part of.
    fn leaves(&self, span: Span) -> impl Iterator<Item = Node<'_>> {
        let outer = self.covering(span);
        let inner = outer.descendants().filter(move |node| node.is_leaf() && node.span().overlaps(span));
        std::iter::once(outer).filter(move |node| node.is_leaf() && node.span().overlaps(span)).chain(inner)
    }

    fn is_blank(&self, span: Span) -> bool {
        self.text(span).trim().is_empty() || self.leaves(span).all(is_comment)
    }

    /// Returns the white space before the line in which a stretch ends, if the stretch ends there.
    fn indent(&self, span: Span) -> Option<&str> {
        let text = self.parsed.text.as_str();
        let start = text[..span.end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let indent = &line[..line.len() - line.trim_start().len()];
        (span.end <= start + indent.len() && !line.trim().is_empty()).then_some(indent)
    }

    /// Tells whether a stretch stands among the members of a declaration.
    fn is_member(&self, one: &Declaration, span: Span) -> bool {
        use DeclarationKind::{Class, Module, Namespace};
        match one.kind {
            Module | Namespace => true,
            Class => body_of(&self.parsed.tree, one).is_some_and(|body| body.span().contains(span)),
            _ => false,
        }
    }

    /// Returns the names that an import takes, and as what, where a stretch stands in what it says of the module.
    fn taken(&self, span: Span) -> Option<Vec<&str>> {
        let at = self.covering(span);
        let import = std::iter::once(at).chain(at.ancestors()).find(|it| it.is("import_from_statement"))?;
        let module = import.child("module_name").filter(|module| module.span().contains(span))?;
        let names = import.named_children().filter(|it| *it != module && !is_comment(*it));
        Some(names.map(|it| self.text(it.span())).collect())
    }

    fn is_in_function_body(&self, one: &Declaration, span: Span) -> bool {
        let (whole, name) = declared_node(&self.parsed.tree, one);
        let inside = || name.ancestors().take_while(|outer| whole.span().contains(outer.span()));
        let is_function = || inside().any(is_any_function);
        body_of(&self.parsed.tree, one).is_some_and(|body| body.span().contains(span)) && is_function()
    }

    fn is_in_value(&self, one: &Declaration, span: Span) -> bool {
        let around = self.covering(one.name_span).ancestors();
        let value = around.take(3).find_map(|node| node.child("value").or_else(|| node.child("right")));
        value.is_some_and(|value| value.span().contains(span) && !value.has(Role::Class))
    }

    /// Returns where objects are given attributes, by class and name.
    fn attributes(&self) -> Attributes {
        let mut found: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let nodes = self.parsed.tree.nodes();
        for object in nodes.iter().filter(|node| matches!(self.text(node.span()), "self" | "cls" | "this")) {
            let Some(access) = object.parent().filter(|it| it.is_any(&["attribute", "member_expression"])) else {
                continue;
            };
            let Some(name) = access.child("attribute").or_else(|| access.child("property")) else { continue };
            let is_given =
                |outer: Node<'_>| outer.child("left").is_some_and(|left| left.span().contains(access.span()));
            if access.ancestors().take(4).any(is_given) {
                let class = self.class_around(access.span());
                let class = class.map(|class| class.path.clone()).unwrap_or_default();
                found.entry((class, self.text(name.span()).to_owned())).or_default().push(name.start());
            }
        }
        found
    }

    fn class_around(&self, span: Span) -> Option<&Declaration> {
        let is_around = |one: &&Declaration| {
            one.kind == DeclarationKind::Class && one.full_span.contains(span) && one.full_span != span
        };
        self.visible.iter().filter(is_around).min_by_key(|one| one.full_span.len())
    }

    /// Returns the outermost declarations that stand in pieces as a whole.
    fn within(&self, pieces: &[Piece], side: impl Fn(&Piece) -> Span) -> Vec<&Declaration> {
        let spans: Vec<Span> = pieces.iter().map(side).collect();
        let whole: Vec<&Declaration> =
            self.visible.iter().filter(|one| spans.iter().any(|span| span.contains(one.full_span))).collect();
        let is_inner = |one: &Declaration| {
            whole.iter().any(|outer| outer.full_span != one.full_span && outer.full_span.contains(one.full_span))
        };
        whole.iter().copied().filter(|one| !is_inner(one)).collect()
    }

    /// Notes a member that comes or goes: who inherits it says its name, unless the class is asked for its members, or
    /// makes a constructor of them.
    fn noted(&self, one: &Declaration, found: &mut Changes) {
        let Some(class) = self.class_around(one.full_span) else { return };
        let (whole, _) = declared_node(&self.parsed.tree, one);
        let of_class = declared_node(&self.parsed.tree, class).0;
        let head = class.full_span.start..body_of(&self.parsed.tree, class).map_or(class.full_span.end, Node::start);
        let head = self.text(head.into());
        let is_told = match one.kind {
            _ if self.family() != Family::Python => false,
            DeclarationKind::Method | DeclarationKind::Function | DeclarationKind::Constructor => {
                let is_of_the_language = one.name.starts_with("__") && one.name.ends_with("__");
                let is_asked_for = is_of_the_language || ABSTRACT.iter().any(|base| head.contains(base));
                let mut marks = whole.children().filter(|it| it.is("decorator"));
                !is_asked_for && marks.all(|it| PLAIN_DECORATORS.contains(&self.text(it.span())))
            }
            _ => !head.contains('(') && !of_class.is("decorated_definition"),
        };
        if is_told {
            found.names.insert(one.name.clone());
        } else {
            found.is_open = true;
        }
    }

    /// Tells whether what stands in a stretch, beside whole declarations, is of no account to others; imports are gathered.
    fn is_of_no_account(&self, span: Span, whole: &[&Declaration], imports: &mut BTreeSet<usize>) -> bool {
        let mut leaves = self.leaves(span).filter(|leaf| !whole.iter().any(|one| one.full_span.contains(leaf.span())));
        leaves.all(|leaf| {
            let text = self.parsed.text.as_str();
            let is_import = |outer: &Node<'_>| outer.is_any(IMPORTS) || is_require(*outer, text);
            if let Some(import) = leaf.ancestors().find(is_import) {
                imports.insert(import.index());
                return !import.descendants().any(|node| node.is("wildcard_import"));
            }
            is_comment(leaf) || is_mute(leaf) || leaf.ancestors().any(is_mute)
        })
    }

    /// Returns from where names are imported by some statements: module and words.
    fn imported(&self, statements: &BTreeSet<usize>) -> BTreeMap<String, BTreeSet<(&str, &str)>> {
        let mut found: BTreeMap<String, BTreeSet<(&str, &str)>> = BTreeMap::new();
        for statement in statements.iter().filter_map(|index| self.parsed.tree.nodes().get(*index)) {
            let required = || statement.descendants().find(|node| node.is("arguments"));
            let module = statement.child("module_name").or_else(|| statement.child("source")).or_else(required);
            for one in self.imports.iter().filter(|one| statement.span().contains(one.name_span)) {
                let mut around = self.covering(one.name_span).ancestors();
                let said = around.find(|node| node.is_any(SAYING));
                let said = said.map_or(one.name_span, |said| said.span());
                let from = (module.map_or("", |module| self.text(module.span())), self.text(said));
                found.entry(one.name.clone()).or_default().insert(from);
            }
        }
        found
    }
}

/// Tells whether a statement of a script takes something from another module: `const { rate } = require("./rates");`.
fn is_require(statement: Node<'_>, text: &str) -> bool {
    let takes = |declarator: Node<'_>| {
        let value = declarator.child("value").map(|value| value.child("object").unwrap_or(value));
        let called = value.filter(|value| value.is("call_expression")).and_then(|call| call.child("function"));
        called.is_some_and(|called| called.text(text) == "require")
    };
    statement.is_any(&["lexical_declaration", "variable_declaration"])
        && statement.parent().is_some_and(|outer| outer.parent().is_none())
        && statement.named_children().all(takes)
}

fn is_comment(node: Node<'_>) -> bool {
    node.has(Role::Comment) || node.ancestors().any(|outer| outer.has(Role::Comment))
}

/// Tells whether a statement gives nothing to anybody: no name, no attribute of something.
fn is_mute(node: Node<'_>) -> bool {
    const GIVES: &[&str] = &[
        "assignment",
        "augmented_assignment",
        "assignment_expression",
        "augmented_assignment_expression",
        "internal_module",
        "named_expression",
        "update_expression",
    ];
    let gives = || node.walk_until(is_any_function).any(|inner| inner.is_any(GIVES));
    node.is_any(MUTE) || node.is("expression_statement") && !gives()
}
