//! Modules named in strings, comments, settings and documents.

use super::listed_packages::{List, Listed};
use super::loaded_names::Use;
use super::moves::Moves;
use super::naming::Naming;
use super::place::Place;
use super::project_modules::{Member, World};
use super::source::Source;
use super::stdlib::is_stdlib;
use super::tree::ModuleTree;
use super::{assembled, document_examples, entry_points, listed_packages, loaded_names};
use crate::plan::{Warning, WarningKind};
use crate::refactor::documents::{is_document, may_be_run};
use crate::syntax::Node;
use crate::syntax::python::finds_names;
use crate::text::{AbsPath, Span, Text, TextEdit};

/// What settings end with that name code by its path: entry points, loggers, plugins.
pub(crate) const SETTINGS: &[&str] = &["toml", "cfg", "ini", "json", "yaml", "yml"];

/// What lists modules as plugins (pytest's documentation).
const PLUGINS: &str = "pytest_plugins";

/// Looks for dotted names of what moves.
pub(super) struct Strings<'a> {
    /// Dotted names before and after; the longest before its own beginnings.
    dotted: Vec<Dotted>,
    before: &'a ModuleTree,
    after: &'a ModuleTree,
}

struct Dotted {
    place: Place,
    after: Place,
    old: String,
    /// The name after the move, if it has one.
    new: Option<String>,
}

impl Dotted {
    /// Returns the name as it is written plainly, and in regular expressions.
    fn written((place, after): (&Place, &Place), old: &str, new: Option<&str>) -> Vec<Self> {
        let one = |dot: &str| {
            let escaped = |name: &str| name.replace('.', dot);
            Self { place: place.clone(), after: after.clone(), old: escaped(old), new: new.map(escaped) }
        };
        let dots = if old.contains('.') { &[".", r"\.", r"\\."][..] } else { &["."] };
        dots.iter().map(|dot| one(dot)).collect()
    }
}

/// A place where a module is named.
struct Hit {
    span: Span,
    new: Option<String>,
    certainty: Certainty,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Sure,
    /// It is meant where the string holds nothing else.
    IfAlone,
}

impl<'a> Strings<'a> {
    pub(super) fn of(moves: &Moves, before: &'a ModuleTree, after: &'a ModuleTree) -> Self {
        let mut dotted = Vec::new();
        for (old, new) in moves.tops() {
            let root = before.root_of(old);
            let new_name = after.dotted(new, &after.root_of(new));
            let reachable =
                new_name.filter(|_| after.is_root(&after.root_of(new)) || after.root_of(new) == moves.after(&root));
            if let Some(name) = before.dotted(old, &root).filter(|_| before.exists(old)) {
                dotted.extend(Dotted::written((old, new), &name, reachable.as_deref()));
            }
        }
        dotted.sort_by_key(|one| std::cmp::Reverse(one.old.len()));
        Self { dotted, before, after }
    }

    /// Returns the dotted names that others can use, before and after.
    pub(super) fn names(&self) -> impl Iterator<Item = (String, String)> {
        let plain = self.dotted.iter().filter(|one| !one.old.contains('\\'));
        plain.filter_map(|one| Some((one.old.clone(), one.new.clone()?)))
    }

    /// Finds what strings of a Python file name; what `taken` edits already is left out.
    pub(super) fn in_python(
        &self,
        source: &Source,
        world: &World<'_>,
        taken: &[TextEdit],
    ) -> (Vec<TextEdit>, Vec<Warning>) {
        let text = source.str();
        let listed = listed_packages::listed(&source.path, text);
        let (mut edits, mut warnings) = self.relisted(&source.path, &source.text, &listed);
        let hits = self.hits((&source.path, &listed), text, world);
        if !hits.is_empty() {
            let strings: Vec<(Span, bool)> = source.strings().collect();
            let comments: Vec<Span> = source.comments().collect();
            for hit in hits {
                let string = strings.iter().find(|(span, _)| span.contains(hit.span));
                let in_comment = comments.iter().any(|span| span.contains(hit.span));
                let is_done = taken.iter().any(|edit| edit.span.overlaps(hit.span) || hit.span.contains(edit.span));
                let content = string.and_then(|(span, _)| span.of(text)).unwrap_or_default();
                let is_meant = hit.certainty == Certainty::Sure || is_alone(content);
                let is_group = || {
                    is_alone(content) && entry_points::is_group_in_code(source.tree().nodes().covering(hit.span), text)
                };
                match (string, &hit.new) {
                    _ if is_done => {}
                    (Some(_), Some(_)) if is_group() => {
                        warnings.push(mentioned(&source.path, &source.text, hit.span));
                    }
                    (Some((_, false)), Some(new)) if is_meant => {
                        warnings.push(edited(&source.path, &source.text, hit.span, new));
                        edits.push(TextEdit::new(hit.span, new.clone()));
                    }
                    (Some(_), _) => warnings.push(mentioned(&source.path, &source.text, hit.span)),
                    (None, _) if in_comment => warnings.push(mentioned(&source.path, &source.text, hit.span)),
                    (None, _) => {}
                }
            }
        }
        (edits, warnings)
    }

    /// Tells where a Python file puts the names of modules together.
    pub(super) fn assembled(&self, source: &Source, tree: &ModuleTree) -> Vec<Warning> {
        self.dotted
            .iter()
            .filter(|one| !one.old.contains('\\'))
            .filter_map(|one| assembled::tell(source, tree, &one.old))
            .collect()
    }

    /// Finds the relative names that `import_module` is given, and bare names that may be submodules'.
    pub(super) fn dynamic(&self, source: &Source, naming: &Naming<'_>) -> (Vec<TextEdit>, Vec<Warning>) {
        let (mut edits, mut warnings) = in_tables(source, naming);
        let (plugins, named) = self.in_plugins(source);
        edits.extend(plugins);
        warnings.extend(named);
        let (loaded, told) = self.loaded(source);
        edits.extend(loaded);
        warnings.extend(told);
        if !source.str().contains("import_module") && !source.str().contains("__import__") {
            return (edits, warnings);
        }
        for (span, is_docstring) in source.strings().filter(|(span, _)| span.len() < 200) {
            let content = span.of(source.str()).unwrap_or_default();
            if is_docstring || edits.iter().any(|edit| edit.span == span) {
                continue;
            }
            let is_bare =
                self.dotted.iter().any(|one| one.place.name() == content && one.place == source.place.join(content));
            if is_bare && source.is_init() {
                warnings.push(mentioned(&source.path, &source.text, span));
            }
            if let Some(new) = naming.relative_text(source, content) {
                warnings.push(edited(&source.path, &source.text, span, &new));
                edits.push(TextEdit::new(span, new));
            }
        }
        (edits, warnings)
    }

    /// Finds the modules of one name that the file loads by it.
    fn loaded(&self, source: &Source) -> (Vec<TextEdit>, Vec<Warning>) {
        let (mut edits, mut warnings) = (Vec::new(), Vec::new());
        let text = source.str();
        if !loaded_names::may_load(text) {
            return (edits, warnings);
        }
        for (span, _) in source.strings().filter(|(_, is_docstring)| !is_docstring) {
            let content = span.of(text).unwrap_or_default();
            let is_it = |one: &&Dotted| one.old == content && !content.contains('.') && !is_stdlib(content);
            let Some(one) = self.dotted.iter().find(is_it) else { continue };
            let is_reached = self.before.reaches(&source.directory, &self.before.root_of(&one.place));
            let Some(used) = loaded_names::used(source, span).filter(|_| is_reached) else { continue };
            let range = source.text.range(span);
            let told = |message| Warning::at(WarningKind::RunTime, message, source.path.clone(), range);
            warnings.push(match (used, &one.new) {
                (Use::LoadingTop, Some(new)) if new.contains('.') => {
                    told(format!("`__import__` loads `{content}` here, and gives the package of `{new}`"))
                }
                (Use::Loading | Use::LoadingTop, Some(new)) => {
                    edits.push(TextEdit::new(span, new.clone()));
                    edited(&source.path, &source.text, span, new)
                }
                (Use::Loading | Use::LoadingTop, None) => {
                    told(format!("`{content}` is loaded by its name here, and is not found by that name then"))
                }
                (Use::Kept, _) => {
                    told(format!("modules are loaded by their names here, and `{content}` may be one of them"))
                }
            });
        }
        (edits, warnings)
    }

    /// Finds the modules of one name that are listed as plugins of pytest.
    fn in_plugins(&self, source: &Source) -> (Vec<TextEdit>, Vec<Warning>) {
        let (mut edits, mut warnings) = (Vec::new(), Vec::new());
        let text = source.str();
        let is_listed = |node: &Node<'_>| {
            let list = node.ancestors().find(|outer| outer.is("assignment")).and_then(|it| it.child("left"));
            node.is("string_content") && list.is_some_and(|left| left.text(text) == PLUGINS)
        };
        if !text.contains(PLUGINS) {
            return (edits, warnings);
        }
        for content in source.tree().nodes().iter().filter(is_listed) {
            let named = self.dotted.iter().find(|one| one.old == content.text(text) && !one.old.contains('.'));
            let Some(named) = named else { continue };
            if let Some(new) = &named.new {
                warnings.push(edited(&source.path, &source.text, content.span(), new));
                edits.push(TextEdit::new(content.span(), new.clone()));
            } else {
                let message = format!("the plugin `{}` is named here, and is not found by that name then", named.old);
                let range = source.text.range(content.span());
                warnings.push(Warning::at(WarningKind::RunTime, message, source.path.clone(), range));
            }
        }
        (edits, warnings)
    }

    /// Finds what another file names; entry points and values of settings are edited.
    pub(super) fn in_text(&self, path: &AbsPath, text: &Text, world: &World<'_>) -> (Vec<TextEdit>, Vec<Warning>) {
        let listed = listed_packages::listed(path, text.as_str());
        let (mut edits, mut warnings) = self.relisted(path, text, &listed);
        let is_packaging = matches!(
            path.file_name(),
            "pyproject.toml"
                | "setup.cfg"
                | "pytest.ini"
                | "tox.ini"
                | "mypy.ini"
                | ".mypy.ini"
                | ".importlinter"
                | ".coveragerc"
                | ".isort.cfg"
        );
        let is_settings = SETTINGS.contains(&path.extension());
        let is_meant = |hit: &Hit| {
            let is_value = is_settings && hit.certainty == Certainty::Sure && is_value(text.as_str(), hit.span);
            let line = text.as_str()[..hit.span.start].rsplit('\n').next().unwrap_or_default();
            let is_run = !is_document(path) && line.contains("python") && is_run(text.as_str(), hit.span);
            (is_packaging || is_value || is_run)
                && !in_comment(text.as_str(), hit.span.start)
                && !entry_points::is_group(path, text.as_str(), hit.span)
        };
        let examples = self.in_examples(path, text.as_str());
        let is_example = |hit: &Hit| examples.iter().any(|edit| edit.span.overlaps(hit.span));
        let is_installed = matches!(path.file_name(), "pyproject.toml" | "setup.cfg");
        for hit in self.hits((path, &listed), text.as_str(), world).into_iter().filter(|hit| !is_example(hit)) {
            let is_meant = is_meant(&hit);
            match hit.new {
                Some(new) if is_meant => {
                    warnings.push(edited(path, text, hit.span, &new));
                    if is_installed && entry_points::is_value(text.as_str(), hit.span) {
                        warnings.push(entry_points::install_again(path, text, hit.span));
                    }
                    edits.push(TextEdit::new(hit.span, new));
                }
                _ => warnings.push(mentioned(path, text, hit.span)),
            }
        }
        edits.extend(examples);
        (edits, warnings)
    }

    /// Leads the examples of a document that import what moves (Python's `doctest`): `>>> from shop import total`.
    fn in_examples(&self, path: &AbsPath, text: &str) -> Vec<TextEdit> {
        if !may_be_run(path) {
            return Vec::new();
        }
        let led = self.dotted.iter().filter(|one| !one.old.contains('\\'));
        led.filter_map(|one| Some(document_examples::led(text, (&one.old, one.new.as_ref()?)))).flatten().collect()
    }

    fn hits(&self, (path, listed): (&AbsPath, &[Listed]), text: &str, world: &World<'_>) -> Vec<Hit> {
        // Longer paths are led where all settings are (`setting_paths`), but in programs.
        let is_name = |one: &&Listed| path.extension() == "py" || one.name.of(text).is_some_and(|it| !it.contains('/'));
        let mut hits: Vec<Hit> = listed.iter().filter(is_name).filter_map(|one| self.listed(one, text)).collect();
        for one in &self.dotted {
            for start in memchr::memmem::find_iter(text.as_bytes(), one.old.as_bytes()) {
                let span = Span::new(start, start + one.old.len());
                let is_checked = is_section(text, span);
                if !is_bounded(text, span) && !is_checked {
                    continue;
                }
                let certainty = match is_run(text, span) || is_checked {
                    true => Some(Certainty::Sure),
                    false => certainty(one, &text[span.end..], world),
                };
                hits.extend(certainty.map(|certainty| Hit { span, new: one.new.clone(), certainty }));
            }
        }
        // Of names that begin at one place, the longest is meant.
        hits.sort_by_key(|hit| (hit.span.start, std::cmp::Reverse(hit.span.end)));
        hits.dedup_by(|later, kept| later.span.start < kept.span.end);
        // Nothing comes to be another where a module becomes a package.
        hits.retain(|hit| hit.new.as_deref() != hit.span.of(text));
        hits
    }
}

impl Strings<'_> {
    /// Finds what moves where a list names it, whatever stands around it.
    fn listed(&self, one: &Listed, text: &str) -> Option<Hit> {
        let said = one.name.of(text)?;
        let new = match one.list == List::Paths || said.contains('/') {
            true => {
                self.dotted.iter().find(|it| it.place.as_str() == said).map(|it| Some(it.after.as_str().to_owned()))
            }
            false => self.dotted.iter().find(|it| it.old == said).map(|it| it.new.clone()),
        };
        Some(Hit { span: one.name, new: new?, certainty: Certainty::Sure })
    }

    /// Finds what is not right where setuptools is told what to install though no name changes: a module that becomes a
    /// package, and what lies below another directory.
    fn relisted(&self, path: &AbsPath, text: &Text, listed: &[Listed]) -> (Vec<TextEdit>, Vec<Warning>) {
        let (before, after) = (self.before, self.after);
        let is_installed = |one: &&Listed| matches!(one.list, List::Packages | List::Modules);
        let is_alone = listed.iter().filter(is_installed).count() == 1;
        let (mut edits, mut warnings) = (Vec::new(), Vec::new());
        for one in listed.iter().filter(is_installed) {
            let said = one.name.of(text.as_str()).unwrap_or_default();
            let stays = self.dotted.iter().find(|it| it.old == said && it.new.as_deref() == Some(said));
            let Some(Dotted { place, after: new, .. }) = stays else { continue };
            let told =
                |message: String| Warning::at(WarningKind::FollowUp, message, path.clone(), text.range(one.name));
            if one.list == List::Modules && after.is_package(new) && !before.is_package(place) {
                match one.key.filter(|_| is_alone) {
                    Some(key) => edits.push(TextEdit::new(key, "packages")),
                    None => warnings.push(told(format!(
                        "`{said}` is listed as a module here, and becomes a package: list it among the packages"
                    ))),
                }
            }
            if after.root_of(new) != before.root_of(place) {
                let root = after.root_of(new);
                warnings.push(told(format!(
                    "`{said}` is listed here, and is looked for in `{}` from then on only where `package_dir` says so",
                    root.as_str()
                )));
            }
        }
        (edits, warnings)
    }
}

/// Leads what tables of a package that finds its names itself say of modules: `{"orders": ["Order"]}`, `submodules=["orders"]`.
fn in_tables(source: &Source, naming: &Naming<'_>) -> (Vec<TextEdit>, Vec<Warning>) {
    let (mut edits, mut warnings) = (Vec::new(), Vec::new());
    let text = source.str();
    let may_find = text.contains("__getattr__") || text.contains("sys.modules[__name__]");
    if !may_find || !finds_names(source.tree().nodes().root(), text) {
        return (edits, warnings);
    }
    for content in source.tree().nodes().iter().filter(|node| node.is("string_content") && names_module(*node, text)) {
        let written = content.text(text);
        let relative = format!(".{}", written.trim_start_matches('.'));
        let Some(new) = naming.relative_text(source, &relative) else { continue };
        let new = if written.starts_with('.') { new } else { new[1..].to_owned() };
        // Where it leaves the package, no such name says it.
        if new.starts_with('.') && !written.starts_with('.') {
            let message = format!("a table names the module `{written}` here, which leaves the package");
            warnings.push(Warning::at(
                WarningKind::RunTime,
                message,
                source.path.clone(),
                source.text.range(content.span()),
            ));
            continue;
        }
        warnings.push(edited(&source.path, &source.text, content.span(), &new));
        edits.push(TextEdit::new(content.span(), new));
    }
    (edits, warnings)
}

/// Tells whether a string is the module of a table: the key of a list, what a key leads to, or one of `submodules`.
fn names_module(content: Node<'_>, text: &str) -> bool {
    let Some(string) = content.parent() else { return false };
    let Some(outer) = string.parent() else { return false };
    let lists = |node: Option<Node<'_>>| node.is_some_and(|node| node.is_any(&["list", "tuple", "set"]));
    match outer.kind() {
        "pair" => outer.child("value") == Some(string) || lists(outer.child("value")),
        "subscript" => outer.child("subscript") == Some(string),
        "list" | "tuple" | "set" => {
            let is_first = outer.named_children().next() == Some(string);
            outer.parent().is_some_and(|around| match around.kind() {
                "pair" => is_first && around.child("key").is_some_and(|key| key.span() != string.span()),
                "keyword_argument" => around.child("name").is_some_and(|name| name.text(text) == "submodules"),
                "argument_list" => around.named_children().next().is_some_and(|first| first.text(text) == "__name__"),
                _ => false,
            })
        }
        _ => false,
    }
}

/// Tells how surely a module is meant where its dotted name is followed by `rest`; nothing where it is not.
///
/// Two parts that name modules are sure. A single one counts where a known member or a lone dot follows,
/// and where nothing else stands in its string.
fn certainty(one: &Dotted, rest: &str, world: &World<'_>) -> Option<Certainty> {
    if one.old.contains('.') {
        return Some(Certainty::Sure);
    }
    let next = rest.trim_start_matches('\\');
    let after_dot = next.strip_prefix('.');
    let name = after_dot.or_else(|| next.strip_prefix(':'))?;
    let name = &name[..name.find(|c: char| !is_word(c)).unwrap_or(name.len())];
    if name.is_empty() {
        return after_dot.map(|_| Certainty::IfAlone);
    }
    match world.member(&one.place, name) {
        Member::Missing => None,
        Member::Module(place) if after_dot.is_some() && place == one.place.join(name) => Some(Certainty::Sure),
        _ => Some(Certainty::IfAlone),
    }
}

/// Tells whether Python is asked to run what a name names: `python -m shop`, `[sys.executable, "-m", "shop"]`.
fn is_run(text: &str, name: Span) -> bool {
    let before = &text[..name.start];
    let listed = || before.strip_suffix(['"', '\'']).map(str::trim_end).and_then(|it| it.strip_suffix(','));
    before.ends_with("-m ")
        || listed().map(str::trim_end).is_some_and(|it| it.ends_with("\"-m\"") || it.ends_with("'-m'"))
}

/// Tells whether a name begins a pattern in the head of a section of mypy's settings: `[mypy-shop.models.*,shop.tax]`.
fn is_section(text: &str, name: Span) -> bool {
    let line = text[..name.start].rsplit('\n').next().unwrap_or_default();
    let begins = line.strip_prefix("[mypy-").is_some_and(|before| before.is_empty() || before.ends_with([',', ' ']));
    begins && text[name.end..].starts_with(['.', ',', ']'])
}

/// Tells whether a string holds nothing but one dotted name.
fn is_alone(content: &str) -> bool {
    content.chars().all(|c| is_word(c) || matches!(c, '.' | ':' | '\\'))
}

/// Tells whether the settings say nothing but a name in dots where it stands: `class: shop.order.Order`, `["shop.order"]`.
fn is_value(text: &str, name: Span) -> bool {
    let rest = text[name.end..].trim_start_matches(|it: char| is_word(it) || matches!(it, '.' | ':'));
    let (before, rest) = (&text[..name.start], rest.split('\n').next().unwrap_or_default());
    let line = before.rsplit('\n').next().unwrap_or_default();
    match before.chars().next_back() {
        Some(quote @ ('"' | '\'')) => rest.starts_with(quote),
        _ => {
            let begins = line.trim().is_empty() || line.trim_end().ends_with([':', '=', '-', '[', ',']);
            begins && (rest.trim().is_empty() || rest.trim_start().starts_with([',', ']', '#']))
        }
    }
}

/// Tells whether a dotted name is not a part of a longer name, a path or an address.
pub(in crate::refactor::moves) fn is_bounded(text: &str, span: Span) -> bool {
    let before = text[..span.start].chars().next_back();
    let rest = &text[span.end..];
    let joins = |c: char| is_word(c) || matches!(c, '-' | '/' | '@' | '\\');
    let goes_on = rest.trim_start_matches('\\').starts_with('.');
    let is_file = rest.starts_with(".py") && !rest[3..].starts_with(is_word);
    !before.is_some_and(|c| joins(c) || c == '.') && (goes_on || !rest.starts_with(joins)) && !is_file
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn in_comment(text: &str, offset: usize) -> bool {
    let line = text[..offset].rsplit('\n').next().unwrap_or_default();
    line.trim_start().starts_with(['#', ';']) || line.contains(" #")
}

fn edited(path: &AbsPath, text: &Text, span: Span, new: &str) -> Warning {
    let old = span.of(text.as_str()).unwrap_or_default();
    let message = format!("the string names the module `{old}`, and becomes `{new}`");
    Warning::at(WarningKind::StringEdited, message, path.clone(), text.range(span))
}

fn mentioned(path: &AbsPath, text: &Text, span: Span) -> Warning {
    let old = span.of(text.as_str()).unwrap_or_default();
    Warning::at(WarningKind::Mentioned, format!("`{old}` is mentioned here"), path.clone(), text.range(span))
}
