//! What a plan takes to other files: the names that they may ask for, and the types that may come to them.
//!
//! Where nothing but a name becomes another one, every type stays what it was: only who says one of the two names can miss
//! it, or find another thing under it. A member's name is also asked for by whoever compares types by their members, without
//! a word. And where a declaration itself changes, its type may go wherever imports lead.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::local_functions::changed_alone;
use super::narrowed_edits::narrowed;
use super::outline::{changes, is_in_function};
use super::texts::read_after;
use crate::plan::{FileEdit, Plan};
use crate::session::{Parsed, Session};
use crate::syntax::kinds::Role;
use crate::syntax::scopes::Name;
use crate::syntax::{
    Declaration, DeclarationKind, Family, Language, Node, Site, Tree, is_any_function, is_parameter_property, site,
    whole_words,
};
use crate::text::{AbsPath, Span, TextEdit, TextEdits};

/// What others may notice of a plan, by the file that it stands in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VisibleChanges {
    /// Names that come or go.
    pub names: BTreeMap<AbsPath, BTreeSet<String>>,
    /// Names that a module of Python only imported, and no longer does.
    pub imported: BTreeMap<AbsPath, BTreeSet<String>>,
    /// Names that come or go among the members of classes of Python alone.
    pub members: BTreeMap<AbsPath, BTreeSet<String>>,
    /// Files whose types may be others.
    pub types: BTreeSet<AbsPath>,
    /// Declarations that change in themselves: where their names begin, before and after. What the server says of them
    /// tells whether their types do.
    pub declared: Vec<(AbsPath, (usize, usize))>,
    /// Names that something loses: of the words that the edits replace, those that stand for the same thing afterwards.
    pub given_up: BTreeSet<String>,
}

/// Reads it off a plan's edits and moves.
pub(super) fn carried(session: &Session, plan: &Plan) -> VisibleChanges {
    let mut found = VisibleChanges::default();
    let parsed = |(path, file): (_, &FileEdit)| session.sources().parse(path, &file.before);
    let parts = plan.edits().iter().filter_map(|entry| Some((parsed(entry)?, &entry.1.edits)));
    let gone = Gone { names: parts.flat_map(given_up).collect(), is_moved: !plan.moves().is_empty() };
    for (path, file) in plan.edits() {
        let Some(before) = parsed((path, file)) else { continue };
        let after = || session.sources().parse(path, &Arc::new(file.after()));
        let mut told = of_file(&before, after, &file.edits, &gone);
        let alone = |told: &Told| changed_alone(session, plan, (&before, &file.edits), (&told.names, &told.parameters));
        if let Some(function) = told.members.is_empty().then(|| alone(&told)).flatten() {
            told = Told { names: vec![function], declared: told.declared, is_open: told.is_open, ..Told::default() };
        }
        let (imported, names) = told.names.into_iter().partition::<BTreeSet<_>, _>(|it| told.imported.contains(it));
        let family = before.tree.language().family();
        let by_members = match family {
            Family::Script => !told.members.is_empty(),
            Family::Python => {
                told.members.iter().any(|name| may_be_asked_for(session, plan, name))
                    || told.parameters.iter().any(|name| is_asked_by_protocol(session, plan, name))
            }
            _ => false,
        };
        if told.is_open || by_members {
            found.types.insert(path.clone());
        }
        found.declared.extend(told.declared.into_iter().map(|places| (path.clone(), places)));
        if !names.is_empty() {
            let of_kind = if told.is_of_members { &mut found.members } else { &mut found.names };
            of_kind.insert(path.clone(), names);
        }
        if !imported.is_empty() {
            found.imported.insert(path.clone(), imported);
        }
    }
    found.given_up = gone.names;
    found
}

/// Members that the protocols of Python's own library ask for, beside those between two underscores.
const ASKED_FOR: &[&str] = &[
    "acquire",
    "append",
    "close",
    "fileno",
    "flush",
    "get",
    "items",
    "keys",
    "pop",
    "read",
    "readable",
    "readinto",
    "readline",
    "readlines",
    "release",
    "seek",
    "send",
    "tell",
    "throw",
    "update",
    "values",
    "writable",
    "write",
    "writelines",
];

/// Tells whether a Python class may have to have a member of this name without anybody naming it where that is found
/// wrong: a protocol or an abstract class asks for it, and keeps the name.
fn may_be_asked_for(session: &Session, plan: &Plan, name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
        || ASKED_FOR.contains(&name)
        || has_one_in(session, plan, name, |node, text| declares(node) && is_asked_for(node, text))
}

/// Tells whether a name is that of a method or a variable that comes into being.
fn declares(name: Node<'_>) -> bool {
    let declared = name.parent().filter(|outer| outer.is_any(&["function_definition", "assignment"]));
    declared.is_some_and(|outer| outer.child("name").or_else(|| outer.child("left")) == Some(name))
}

/// Tells whether a class around a place is a protocol or an abstract one, or an abstract method is declared there.
fn is_asked_for(name: Node<'_>, text: &str) -> bool {
    let is_abstract = |mark: Node<'_>| mark.is("decorator") && mark.text(text).contains("abstract");
    let mut definitions = name.ancestors().filter(|it| it.is("decorated_definition"));
    is_below((name, text), &["Protocol", "ABC"]) || definitions.any(|it| it.children().any(is_abstract))
}

/// Tells whether a place stands in a class whose superclasses say one of some words.
fn is_below((name, text): (Node<'_>, &str), words: &[&str]) -> bool {
    let mut classes = name.ancestors().filter(|it| it.is("class_definition"));
    classes.any(|class| {
        let bases = class.child("superclasses").map_or("", |it| it.text(text));
        words.iter().any(|word| bases.contains(word))
    })
}

/// Tells whether a Python file has a name, after the plan, at a place of some kind.
fn has_one_in(session: &Session, plan: &Plan, name: &str, is_one: impl Fn(Node<'_>, &str) -> bool) -> bool {
    let has = |path: &AbsPath| {
        const WORDS: &[&str] = &["Protocol", "ABC", "abstract"];
        let is_python = Language::of_path(path) == Some(Language::Python);
        let Some(text) = is_python.then(|| read_after(session, plan, path)).flatten() else { return false };
        let text = text.as_str();
        if !WORDS.iter().any(|word| text.contains(word)) {
            return false;
        }
        let tree = Tree::parse(Language::Python, text);
        tree.identifiers_named(text, name).into_iter().any(|span| is_one(tree.nodes().covering(span), text))
    };
    session.disk().files_mentioning(name).iter().chain(plan.edits().keys()).any(has)
}

/// Tells whether a protocol of the project, after the plan, says a name of its own: `class Sink(Protocol): …`. In a project that
/// has a class of that name itself, protocols are those of modules that take `Protocol` of `typing`.
fn is_asked_by_protocol(session: &Session, plan: &Plan, name: &str) -> bool {
    let has_its_own = LazyCell::new(|| declares_protocol(session));
    has_one_in(session, plan, name, |node, text| {
        is_below((node, text), &["Protocol"]) && (takes_protocol(text) || !*has_its_own)
    })
}

/// Tells whether a text of Python takes `Protocol` of `typing`.
fn takes_protocol(text: &str) -> bool {
    let text = text.replace("\\\n", " ");
    let items = |rest: &str| {
        let line = rest.split('\n').next().unwrap_or_default();
        let end = if line.contains('(') { rest.find(')') } else { rest.find('\n') };
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    let takes = |rest: &str| !whole_words(&items(rest), "Protocol").is_empty();
    ["typing.Protocol", "typing_extensions.Protocol"].iter().any(|it| text.contains(it))
        || text.split("from typing").skip(1).any(takes)
        || ["import typing as", "import typing_extensions as"].iter().any(|it| text.contains(it))
}

/// Tells whether the project has a class `Protocol` of its own, as libraries for networks do.
fn declares_protocol(session: &Session) -> bool {
    let declares = |path: &AbsPath| {
        let text = session.disk().read(path).ok().filter(|_| Language::of_path(path) == Some(Language::Python));
        text.is_some_and(|text| ["class Protocol:", "class Protocol("].iter().any(|it| text.as_str().contains(it)))
    };
    session.disk().files_mentioning("Protocol").iter().any(declares)
}

/// What others may notice of one file's edits.
#[derive(Debug, Default)]
struct Told {
    names: Vec<String>,
    /// Those of the names that belong to classes and other types.
    members: Vec<String>,
    /// Those that belong to parameters: a protocol holds functions and methods to them, wherever one is passed.
    parameters: Vec<String>,
    /// Those that the file has from an import alone.
    imported: BTreeSet<String>,
    /// All of them are names of members alone, in a file of Python.
    is_of_members: bool,
    declared: Vec<(usize, usize)>,
    /// A type's own head, or something that no server describes, is another.
    is_open: bool,
}

/// What a plan gives another name.
#[derive(Debug, Default)]
struct Gone {
    names: BTreeSet<String>,
    /// Files are among it: another word for a module is no other module.
    is_moved: bool,
}

/// Returns the names that something in a file has and loses, if only to another name.
fn given_up((before, edits): (Arc<Parsed>, &TextEdits)) -> Vec<String> {
    let text = before.text.as_str();
    let gives_name = |edit: &&TextEdit| {
        let is_use = |site| matches!(site, Site::Plain | Site::KeywordArgument | Site::Keyword | Site::Other);
        is_word(edit.span.of(text).unwrap_or_default()) && !is_use(site(&before.tree, text, edit.span))
    };
    let single = edits.into_iter().filter(gives_name).filter_map(|edit| edit.span.of(text)).map(str::to_owned);
    let whole = before.declarations().iter();
    let whole = whole.filter(|one| edits.into_iter().any(|edit| edit.span.contains(one.full_span)));
    single.chain(whole.map(|one| one.name.clone())).collect()
}

fn of_file(before: &Parsed, after: impl FnOnce() -> Option<Arc<Parsed>>, edits: &TextEdits, gone: &Gone) -> Told {
    let text = before.text.as_str();
    let renaming: BTreeSet<Span> =
        edits.into_iter().filter(|edit| is_rename(before, edit, gone)).map(|edit| edit.span).collect();
    let is_plain = |edit: &TextEdit| !renaming.contains(&edit.span);
    let edits = narrowed(text, edits, is_plain);
    let all = before.declarations();
    let names = before.names();
    let seen = FileFacts { before, edits: &edits, renaming: &renaming, all, names };
    let mut told = Told { names: seen.words(), ..Told::default() };
    let is_alike = before.tree.language().family() == Family::Data || !edits.into_iter().any(is_plain);
    told.imported = told.names.iter().filter(|word| seen.is_import_alone(word)).cloned().collect();
    if let Some(after) = (!is_alike).then(after).flatten() {
        let changes = changes([before, &after], &edits, is_plain);
        told.imported.retain(|word| !changes.names.contains(word));
        told.names.extend(changes.names);
        told.names.sort();
        told.names.dedup();
        told.declared = changes.declared.into_iter().collect();
        told.is_open = changes.is_open;
    }
    told.members = told.names.iter().filter(|word| seen.is_member(word)).cloned().collect();
    told.is_of_members = told.names.iter().all(|word| seen.is_member_alone(word));
    told.parameters = told.names.iter().filter(|word| seen.is_parameter(word)).cloned().collect();
    told
}

/// Tells whether an edit puts one name, or one name and another, in the place of one that something gives up in the plan; or
/// changes prose. To say `str` where `int` stood is no rename.
fn is_rename(before: &Parsed, edit: &TextEdit, gone: &Gone) -> bool {
    let text = before.text.as_str();
    let old = edit.span.of(text).unwrap_or_default();
    let is_name = |text: &str| text.split([' ', ':', '=']).filter(|word| !word.is_empty()).all(is_word);
    let is_gone = || {
        let mut parts = old.split(['#', '.']).chain([old]);
        gone.is_moved && old.contains('.') || parts.any(|part| gone.names.contains(part))
    };
    let string = before.tree.nodes().covering(edit.span);
    let is_alone = || string.ancestors().take(2).any(|outer| outer.is("expression_statement"));
    let is_prose = || match site(&before.tree, text, edit.span) {
        Site::Comment => true,
        Site::ModuleSpecifier { .. } => gone.is_moved,
        // Any other string may be a type.
        Site::String => is_alone(),
        _ => false,
    };
    is_word(old) && is_name(&edit.new_text) && !edit.new_text.is_empty() && is_gone()
        || is_prose() && !edit.new_text.contains('\n')
}

/// Tells whether a text is a name, or several with dots between.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '.'))
}

/// Counts what the texts after a plan no longer say, and what they say now and did not.
fn differing<'a>(text: &'a str, edits: &'a TextEdits, is_inner: impl Fn(Span) -> bool) -> BTreeMap<&'a str, isize> {
    let mut counts: BTreeMap<&str, isize> = BTreeMap::new();
    for edit in edits {
        let old = edit.span.of(text).unwrap_or_default();
        for word in split(old) {
            let at = edit.span.start + (word.as_ptr() as usize - old.as_ptr() as usize);
            if !is_inner(Span::new(at, at + word.len())) {
                *counts.entry(word).or_default() += 1;
            }
        }
        for word in split(&edit.new_text) {
            *counts.entry(word).or_default() -= 1;
        }
    }
    counts.retain(|_, count| *count != 0);
    counts
}

/// What other files could know of a file.
struct FileFacts<'p> {
    before: &'p Parsed,
    edits: &'p TextEdits,
    /// Where an edit gives something another name.
    renaming: &'p BTreeSet<Span>,
    all: &'p [Declaration],
    names: &'p [Name],
}

impl FileFacts<'_> {
    /// The names that a file's edits take from others or give to them. Code that only goes elsewhere in its file takes none,
    /// nor does a variable of a function, which no other file can see. What stands in a declaration that goes as a whole
    /// goes with it.
    fn words(&self) -> Vec<String> {
        let text = self.before.text.as_str();
        let counts = differing(text, self.edits, |span| self.is_inner(span));
        let lost = counts.iter().filter(|(word, count)| **count > 0 && self.is_seen_outside(word));
        let lost: Vec<String> = lost.map(|(word, _)| (*word).to_owned()).collect();
        if lost.is_empty() {
            return lost;
        }
        let renamed = self.edits.into_iter().filter(|edit| self.renaming.contains(&edit.span));
        let new =
            renamed.flat_map(|edit| split(&edit.new_text)).filter(|word| counts.get(word).is_some_and(|it| *it < 0));
        let mut all: BTreeSet<String> = new.map(str::to_owned).collect();
        all.extend(lost);
        all.into_iter().collect()
    }

    /// Tells whether a place stands in a declaration that goes as a whole, and is not its name.
    fn is_inner(&self, span: Span) -> bool {
        self.outer_of_whole(span).is_some_and(|outer| outer.name_span != span)
    }

    /// Returns the outermost declaration around a place that an edit replaces as a whole.
    fn outer_of_whole(&self, span: Span) -> Option<&Declaration> {
        let edit = self.edits.into_iter().find(|edit| edit.span.contains(span))?;
        let is_whole = |one: &&Declaration| edit.span.contains(one.full_span) && one.full_span.contains(span);
        self.all.iter().filter(is_whole).max_by_key(|one| one.full_span.len())
    }

    /// Tells whether a name of this file stands for a member of a type somewhere in it.
    fn is_member(&self, word: &str) -> bool {
        use DeclarationKind::{EnumMember, Method, Property};
        let is_one = |one: &Declaration| matches!(one.kind, Method | Property | EnumMember);
        let declared = || self.all.iter().any(|one| one.name == word && is_one(one) && self.is_touched(one.name_span));
        let text = self.before.text.as_str();
        let is_kept = |span: Span| matches!(site(&self.before.tree, text, span), Site::Member);
        let in_class = |one: &Declaration| one.name == word && one.path.len() > 1 && self.is_touched(one.name_span);
        declared()
            || self.all.iter().any(|one| in_class(one) && !is_in_function(&self.before.tree, one))
            || self.offered(word).any(is_kept)
            || self.before.tree.language().family() == Family::Script && self.is_key(word)
    }

    /// Tells whether a name is, or becomes, that of members of classes of Python, and of nothing else that a file offers.
    fn is_member_alone(&self, word: &str) -> bool {
        let text = self.before.text.as_str();
        let is_one = |span: Span| {
            let of_class = |one: &Declaration| one.path.len() > 1 && !is_in_function(&self.before.tree, one);
            site(&self.before.tree, text, span) == Site::Member
                || self.all.iter().any(|one| one.name_span == span && of_class(one))
        };
        let is_given =
            |edit: &TextEdit| self.renaming.contains(&edit.span) && split(&edit.new_text).any(|it| it == word);
        let mut places = self.offered(word).peekable();
        self.before.tree.language().family() == Family::Python
            && if places.peek().is_some() { places.all(is_one) } else { self.edits.into_iter().any(is_given) }
    }

    /// Tells whether a name is, or becomes, that of a parameter.
    fn is_parameter(&self, word: &str) -> bool {
        let (tree, text) = (&self.before.tree, self.before.text.as_str());
        let names_one = |edit: &TextEdit| {
            let is_one = site(tree, text, edit.span) == Site::Declaration(DeclarationKind::Parameter);
            is_one && (edit.span.of(text) == Some(word) || edit.new_text == word)
        };
        self.edits.into_iter().any(names_one)
    }

    /// Tells whether a word is a key of an object that is written out, or of a type.
    fn is_key(&self, word: &str) -> bool {
        let text = self.before.text.as_str();
        let mut spans = whole_words(text, word).into_iter().filter(|span| self.is_touched(*span));
        spans.any(|span| self.before.tree.nodes().covering(span).kind().contains("property"))
    }

    fn is_touched(&self, span: Span) -> bool {
        self.edits.into_iter().any(|edit| edit.span.contains(span))
    }

    /// Tells whether a word stands in a replaced stretch where a file offers it to others: where something gets that name.
    /// A use that goes takes nothing from anybody.
    fn is_seen_outside(&self, word: &str) -> bool {
        self.offered(word).next().is_some()
    }

    /// Tells whether all the places at which a file offers a word that it loses are imports of Python.
    fn is_import_alone(&self, word: &str) -> bool {
        let is_import = |span| {
            let around = self.before.tree.nodes().covering(span).ancestors().take(4);
            around.into_iter().any(|outer| outer.is_any(&["import_statement", "import_from_statement"]))
        };
        let is_python = self.before.tree.language().family() == Family::Python;
        let mut places = self.offered(word).peekable();
        is_python && places.peek().is_some() && places.all(is_import)
    }

    /// Returns where a word stands in a replaced stretch, and the file offers it to others.
    fn offered<'s>(&'s self, word: &str) -> impl Iterator<Item = Span> + use<'s> {
        let places = whole_words(self.before.text.as_str(), word);
        let is_lost = |span: &Span| self.is_touched(*span) && !self.is_inner(*span) && self.is_offered(*span);
        places.into_iter().filter(is_lost)
    }

    fn is_offered(&self, span: Span) -> bool {
        let (tree, text) = (&self.before.tree, self.before.text.as_str());
        let node = tree.nodes().covering(span);
        let family = tree.language().family();
        if !matches!(family, Family::Python | Family::Script) {
            return node.is_named();
        }
        let is_python = family == Family::Python;
        match site(tree, text, span) {
            Site::Plain | Site::KeywordArgument | Site::Keyword | Site::Comment | Site::Other => false,
            Site::Declaration(DeclarationKind::TypeParameter | DeclarationKind::Label) => false,
            // What a module takes from another one, and how that is called there.
            Site::ImportedName { .. } => false,
            Site::ModuleSpecifier { .. } => {
                is_python && !node.ancestors().any(|outer| outer.is("import_from_statement"))
            }
            // What a script imports is its own, unless it says that it exports it.
            Site::ImportSpecifier { .. }
            | Site::ImportAlias { .. }
            | Site::DefaultImport { .. }
            | Site::NamespaceImport { .. } => is_python || node.ancestors().any(|outer| outer.is("export_statement")),
            // As in `__all__`, or for a key.
            Site::String => node.parent().is_some_and(|string| string.span().len() == span.len() + 2),
            Site::Member => {
                node.ancestors().any(|outer| outer.child("left").is_some_and(|to| to.span().contains(span)))
            }
            _ => !self.is_own_to_a_function(span),
        }
    }

    fn is_own_to_a_function(&self, span: Span) -> bool {
        let Some(name) = self.names.iter().find(|name| name.span == span && !name.is_free) else { return false };
        let mut all = self.names.iter().filter(|it| it.meaning == name.meaning);
        let at = |it: &Name| self.before.tree.nodes().covering(it.span);
        let is_global = |it: &Name| at(it).parent().is_some_and(|outer| outer.is("global_statement"));
        all.all(|it| !is_global(it) && (!it.is_binding || is_variable(self.before, it.span)))
    }
}

/// Tells whether a name declares a variable in a function, or a parameter in a script. Callers of Python may name a parameter,
/// and one of TypeScript may be a field.
fn is_variable(parsed: &Parsed, name: Span) -> bool {
    const TYPES: &[&str] = &["function_type", "constructor_type", "call_signature", "construct_signature"];
    let node = parsed.tree.nodes().covering(name);
    let is_field = || node.parent().is_some_and(is_parameter_property);
    let is_its_own = match site(&parsed.tree, parsed.text.as_str(), name) {
        Site::Declaration(DeclarationKind::Variable | DeclarationKind::Constant) => true,
        Site::Declaration(DeclarationKind::Parameter) => {
            parsed.tree.language().family() == Family::Script && node.is("identifier") && !is_field()
        }
        _ => false,
    };
    let is_function = |node: Node<'_>| is_any_function(node) || node.is_any(TYPES);
    let owner = node.ancestors().find(|node| is_function(*node) || node.has(Role::Class));
    is_its_own && owner.is_some_and(is_function)
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |word: &&str| word.chars().next().is_some_and(|first| !first.is_numeric());
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).filter(is_name)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::syntax::Tree;
    use crate::text::{Text, TextEdit};

    /// The words that a text loses where `old`, in all its places, becomes `new`.
    fn lost(language: Language, text: &str, old: &str, new: &str) -> Vec<String> {
        let before = Parsed::new(Arc::new(Text::new(text)), Tree::parse(language, text));
        let at = |(start, _): (usize, &str)| TextEdit::new(Span::new(start, start + old.len()), new);
        let edits = TextEdits::new(text.match_indices(old).map(at).collect()).unwrap();
        let after = edits.apply(text);
        let tree = Tree::parse(language, &after);
        let after = Arc::new(Parsed::new(Arc::new(Text::new(after)), tree));
        let told = of_file(&before, || Some(after), &edits, &Gone::default());
        told.names.into_iter().filter(|word| !whole_words(new, word).iter().any(|_| true)).collect()
    }

    #[test]
    fn no_other_file_knows_a_variable_of_a_function() {
        let python = "def area(side):\n    square = side * side\n    return square\n\n\nclass Box:\n    height = 1\n";
        let script = "export function area(side: number) {\n    const square = side * side;\n    return square;\n}\n";
        assert!(
            lost(Language::Python, python, "    square = side * side\n    return square", "    return side * side")
                .is_empty()
        );
        assert!(
            lost(Language::TypeScript, script, "const square = side * side;\n    return square", "return side * side")
                .is_empty()
        );
        for (language, text) in [(Language::Python, python), (Language::TypeScript, script)] {
            assert!(lost(language, text, "square", "product").is_empty());
            assert_eq!(lost(language, text, "area", "surface"), ["area"]);
        }
        // Callers of Python may name a parameter.
        assert_eq!(lost(Language::Python, python, "side", "edge"), ["side"]);
        assert!(lost(Language::TypeScript, script, "side", "edge").is_empty());
        let field = "export class Box {\n    constructor(private side: number) {}\n}\n";
        assert_eq!(lost(Language::TypeScript, field, "side", "edge"), ["side"]);
        let generic = "export interface Box<Item> {\n    first: Item;\n    rest: Item[];\n}\n";
        assert!(lost(Language::TypeScript, generic, "Item", "Thing").is_empty());
        assert_eq!(lost(Language::Python, python, "height", "width"), ["height"]);
        // Only what an import brings in can be taken from the module; a script's can't, unless it exports it.
        let import = "from paint.colors import red as blue, green\n";
        assert_eq!(lost(Language::Python, import, import, ""), ["blue", "green"]);
        let import = "import { red, blue } from \"./paint\";\n";
        assert!(lost(Language::TypeScript, import, import, "").is_empty());
        let handed_on = "export { red } from \"./paint\";\n";
        assert_eq!(lost(Language::TypeScript, handed_on, handed_on, ""), ["red"]);
        assert!(lost(Language::Python, python, "side * side", "len(str())").is_empty());
        let member = "class Box:\n    def __init__(self):\n        self.height = self.width = self.depth()\n";
        assert_eq!(lost(Language::Python, member, "height", "high"), ["height"]);
        assert!(lost(Language::Python, member, "depth", "deep").is_empty());
        assert_eq!(lost(Language::Python, "__all__ = [\"area\"]\n", "area", "surface"), ["area"]);
        assert_eq!(lost(Language::TypeScript, "export const box = { height: 1 };\n", "height", "high"), ["height"]);
        let global = "def count():\n    global seen\n    seen = 1\n";
        assert_eq!(lost(Language::Python, global, "seen", "known"), ["seen"]);
    }
}
