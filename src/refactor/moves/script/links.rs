//! What scripts take from each other.

use super::listing::{Listing, Moved};
use super::project_files::World;
use super::required::{Required, is_unfollowed, required};
use super::resolve::{By, Resolved, is_relative};
use super::respecify::{Sides, Stale, Worlds, dotted};
use super::specifier_endings;
use super::specifiers::{self, Form};
use crate::refactor::moves::Relocation;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, Links, SpelledName};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Sources;
use crate::syntax::Node;
use crate::text::{AbsPath, Span, TextEdit};

/// The files of a project, one that is to come among them.
pub(crate) struct Project {
    listing: Listing,
    root: AbsPath,
}

/// What specifiers mean in it.
pub(crate) struct Modules<'a> {
    worlds: Worlds<'a>,
    root: &'a AbsPath,
}

impl Project {
    /// Lists the files; nothing where the one to come lies outside the project.
    pub(crate) fn with(sources: &Sources, to_come: &AbsPath) -> Option<Self> {
        let root = sources.disk().root().clone();
        let moved = Moved::new(&Relocation::of_file(to_come.clone(), to_come.clone()), &root)?;
        Some(Self { listing: Listing::new(sources, &moved), root })
    }
}

impl<'a> Modules<'a> {
    pub(crate) fn new(project: &'a Project) -> Self {
        let listing = &project.listing;
        Self { worlds: Worlds { before: World::before(listing), after: World::before(listing) }, root: &project.root }
    }

    fn resolved(&self, importer: &AbsPath, specifier: &str) -> Option<Resolved> {
        self.worlds.before.resolve(&importer.relative_to(self.root)?, specifier)
    }

    fn renewed(
        &self,
        sides: (&AbsPath, &AbsPath),
        written: (&str, &Resolved),
        target: &AbsPath,
    ) -> Result<String, String> {
        let relative = |path: &AbsPath| path.relative_to(self.root).ok_or_else(|| format!("`{path}` lies outside"));
        let importer = Sides { before: relative(sides.0)?, after: relative(sides.1)? };
        let stale = Stale { specifier: written.0, before: written.1, importer, target: relative(target)? };
        self.worlds.renew(&stale).map(|renewed| renewed.specifier)
    }

    fn link(&self, code: &Code, (statement, source): (Node<'_>, Node<'_>), item: Node<'_>) -> Link {
        let inside = Span::new(source.start() + 1, source.end() - 1);
        let module = inside.of(code.text()).and_then(|specifier| self.resolved(&code.path, specifier));
        let is_type = |node: Node<'_>| node.children().any(|child| child.kind() == "type" && child.is_leaf());
        let form = match (statement.is("export_statement"), is_type(statement) || item != statement && is_type(item)) {
            (true, true) => LinkForm::TypeExport,
            (true, false) => LinkForm::Export,
            (false, true) => LinkForm::TypeImport,
            (false, false) => LinkForm::Import,
        };
        let module = module.map(|found| self.root.join_rel(&found.file));
        Link {
            statement: statement.span(),
            item: item.span(),
            source: inside,
            taken: LinkedName::Nothing,
            local: None,
            module,
            form,
        }
    }

    /// Returns where a file names a module so that it is loaded, statements included.
    fn named(&self, code: &Code, module: &AbsPath) -> Vec<Span> {
        let text = code.text();
        let is_it = |span: &Span| {
            let found = span.of(text).and_then(|specifier| self.resolved(&code.path, specifier));
            found.is_some_and(|found| self.root.join_rel(&found.file) == *module)
        };
        let sources = specifiers::quoted(text).filter(|span| specifiers::may_load(text, *span)).filter(is_it);
        sources.filter(|span| specifiers::form_at(&code.parsed().tree, text, *span) == Some(Form::Load)).collect()
    }

    /// Returns where a file names a module by its path among what it passes to a function that is not known to load it.
    fn passed(&self, code: &Code, module: &AbsPath) -> Vec<Span> {
        let text = code.text();
        let is_it = |span: &Span| {
            let specifier = span.of(text).filter(|it| is_relative(it));
            let found = specifier.and_then(|specifier| self.resolved(&code.path, specifier));
            found.is_some_and(|found| self.root.join_rel(&found.file) == *module)
        };
        let is_passed = |span: &Span| {
            let mut around = code.covering(*span).ancestors().take_while(|it| !it.kind().ends_with("_statement"));
            let list = around.find(|it| it.is("arguments"));
            // Dots alone are more often a text than a path: `name.split(".")`.
            list.is_some_and(|it| !matches!(span.of(text), Some("." | "..")) || is_given_to_loader(text, *span, it))
        };
        let plain = |span: &Span| specifiers::form_at(&code.parsed().tree, text, *span) == Some(Form::Plain);
        specifiers::quoted(text).filter(is_it).filter(plain).filter(is_passed).collect()
    }

    fn statement(&self, code: &Code, statement: Node<'_>, found: &mut Vec<Link>) {
        let Some(source) = statement.child("source").filter(|source| source.span().len() > 2) else { return };
        let mut push = |item: Node<'_>, taken: LinkedName, local: Option<Node<'_>>| {
            let link = self.link(code, (statement, source), item);
            found.push(Link { taken, local: local.map(Node::span), ..link });
        };
        let is_item = |node: Node<'_>| node.is_any(ITEMS);
        let mut items = statement.walk_until(is_item).filter(|node| is_item(*node)).peekable();
        if items.peek().is_none() {
            let is_star = statement.children().any(|child| child.kind() == "*");
            let clause = statement.child_of_kind("import_clause");
            let default = clause.and_then(|clause| clause.child_of_kind("identifier"));
            match (is_star, default) {
                (true, _) => push(statement, LinkedName::Star, None),
                (_, Some(name)) => push(name, LinkedName::Default, Some(name)),
                _ => push(statement, LinkedName::Nothing, None),
            }
            return;
        }
        let clause = statement.child_of_kind("import_clause");
        if let Some(name) = clause.and_then(|clause| clause.child_of_kind("identifier")) {
            push(name, LinkedName::Default, Some(name));
        }
        for item in items {
            let name = item.child("name");
            match (item.kind(), name) {
                ("import_specifier" | "export_specifier", Some(name)) => {
                    let local = item.child("alias").unwrap_or(name);
                    let taken = match name.text(code.text()) {
                        "default" => LinkedName::Default,
                        text => LinkedName::Name(text.to_owned()),
                    };
                    push(item, taken, Some(local).filter(|_| item.is("import_specifier")));
                }
                _ => {
                    push(
                        item,
                        LinkedName::Module,
                        item.named_children().next().filter(|_| item.is("namespace_import")),
                    );
                }
            }
        }
    }
}

const ITEMS: &[&str] = &["import_specifier", "export_specifier", "namespace_import", "namespace_export"];

impl Links for Modules<'_> {
    fn of(&self, code: &Code) -> Vec<Link> {
        let mut found = Vec::new();
        for statement in code.root().children().filter(|it| it.is_any(&["import_statement", "export_statement"])) {
            self.statement(code, statement, &mut found);
        }
        found
    }

    fn with_required(&self, code: &Code) -> Vec<Link> {
        let mut found = self.of(code);
        for one in required(code) {
            let Required { statement, item, source, taken, local } = one;
            let module = source.of(code.text()).and_then(|specifier| self.resolved(&code.path, specifier));
            let module = module.map(|found| self.root.join_rel(&found.file));
            found.push(Link { statement, item, source, taken, local, module, form: LinkForm::Require });
        }
        found.sort_by_key(|link| (link.statement.start, link.item.start));
        found
    }

    fn source(&self, (code, link): (&Code, &Link), importer: &AbsPath, target: &AbsPath) -> Result<String, String> {
        let specifier = link.source.of(code.text()).unwrap_or_default();
        // Who runs what is compiled names that; who is compiled does not.
        let is_fit = |resolved: &Resolved| resolved.by != By::Compiled || code.path == *importer;
        let Some(resolved) = self.resolved(&code.path, specifier).filter(is_fit) else {
            return self.plain_source(importer, target);
        };
        self.renewed((&code.path, importer), (specifier, &resolved), target)
    }

    fn plain_source(&self, importer: &AbsPath, target: &AbsPath) -> Result<String, String> {
        let file = importer.relative_to(self.root).ok_or_else(|| format!("`{importer}` lies outside"))?;
        let is_said = self.worlds.before.needs_endings(&file);
        // `.mjs` and its like are found by their whole names alone.
        let is_found = |path: &AbsPath| !matches!(path.extension(), "mjs" | "mts" | "cjs" | "cts");
        let needs_endings = is_said || !is_found(importer) || !is_found(target);
        let stem = specifier_endings::split(file.file_name()).0;
        let written = dotted(&if needs_endings { format!("{stem}.js") } else { stem.to_owned() });
        let resolved = Resolved { file, by: By::Relative };
        self.renewed((importer, importer), (&written, &resolved), target)
    }

    fn members(&self, code: &Code, module: &AbsPath, name: &str) -> Vec<Span> {
        let names = ScopedNames::of(code);
        let whole = self.with_required(code).into_iter().filter(|link| link.taken == LinkedName::Module);
        let bound: Vec<Span> =
            whole.filter(|link| link.module.as_ref() == Some(module)).filter_map(|link| link.local).collect();
        let mut spans = Vec::new();
        for local in bound {
            let meaning = names.at(code.covering(local)).map(|name| name.meaning);
            for one in meaning.into_iter().flat_map(|meaning| names.of_meaning(meaning)) {
                let member = code.covering(one.span).parent().filter(|outer| outer.is_any(MEMBERS));
                let last = member.and_then(|member| member.named_children().last());
                let is_it = last.is_some_and(|last| last.text(code.text()) == name && last.span() != one.span);
                spans.extend(member.filter(|_| is_it).map(Node::span));
            }
        }
        spans.sort();
        spans
    }

    fn loads(&self, code: &Code, module: &AbsPath) -> Vec<Span> {
        let own: Vec<Span> = self.of(code).into_iter().map(|link| link.source).collect();
        self.named(code, module).into_iter().filter(|span| !own.contains(span)).collect()
    }

    fn spelled(&self, code: &Code, module: &AbsPath) -> Vec<(Span, SpelledName)> {
        let text = code.text();
        let said =
            self.named(code, module).into_iter().filter_map(|source| match specifiers::imported_member(text, source) {
                Some(member) => Some((source, SpelledName::Member(member))),
                None => specifiers::is_double(text, source).then_some((source, SpelledName::Double)),
            });
        let unfollowed = self.named(code, module).into_iter().filter(|source| is_unfollowed(code, *source));
        let passed =
            self.passed(code, module).into_iter().chain(unfollowed).map(|source| (source, SpelledName::Passed));
        said.chain(passed).collect()
    }

    fn carried(&self, code: &Code, span: Span, there: &AbsPath) -> Result<Vec<TextEdit>, (usize, String)> {
        let (tree, text) = (&code.parsed().tree, code.text());
        let is_comments = |at: &Span| code.covering(*at).is("comment");
        let inside = specifiers::quoted(text).filter(|at| span.contains(*at) && specifiers::may_load(text, *at));
        let mut edits = Vec::new();
        for source in inside.filter(is_comments).filter(|at| specifiers::form_at(tree, text, *at) == Some(Form::Load)) {
            let specifier = source.of(text).unwrap_or_default();
            let Some(resolved) = self.resolved(&code.path, specifier).filter(|_| is_relative(specifier)) else {
                continue;
            };
            let target = self.root.join_rel(&resolved.file);
            let written = self.renewed((&code.path, there), (specifier, &resolved), &target);
            edits.push(TextEdit::new(source, written.map_err(|reason| (source.start, reason))?));
        }
        Ok(edits)
    }

    fn respelled(&self, (code, source): (&Code, Span), target: &AbsPath) -> Result<String, String> {
        let specifier = source.of(code.text()).unwrap_or_default();
        match self.resolved(&code.path, specifier) {
            Some(resolved) => self.renewed((&code.path, &code.path), (specifier, &resolved), target),
            None => self.plain_source(&code.path, target),
        }
    }
}

/// Tells whether a string is an argument itself, of a call of something that loads modules by its name: `proxyquire("..", …)`.
fn is_given_to_loader(text: &str, string: Span, arguments: Node<'_>) -> bool {
    const LOADING: &[&str] = &["quire", "import", "load", "mock", "rewire"];
    let is_direct = arguments.named_children().any(|it| it.is("string") && it.span().contains(string));
    let called = arguments.parent().and_then(|call| call.child("function"));
    let called = called.map(|it| it.text(text).to_lowercase()).unwrap_or_default();
    is_direct && LOADING.iter().any(|part| called.contains(part))
}

const MEMBERS: &[&str] = &["member_expression", "nested_type_identifier", "nested_identifier"];

/// Tells whether a specifier that names no file of the project means the same in every file.
pub(crate) fn is_bare(specifier: &str) -> bool {
    !is_relative(specifier) && !specifier.starts_with('#')
}
