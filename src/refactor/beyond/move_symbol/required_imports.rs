//! What the moved code needs where it goes.

use std::collections::{BTreeMap, BTreeSet};

use super::Way;
use super::attempts::{Attempts, tries_several};
use super::moved_code::{CHECKING, is_own_logger};
use super::opened_exports::Opened;
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::statements::{ImportForm, WantedImport, package_of};
use crate::refactor::analysis::imports::typed::is_for_checkers;
use crate::refactor::analysis::script_style::imports_types;
use crate::refactor::analysis::signatures::is_overload;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::moves::python::is_stdlib;
use crate::refactor::moves::python::star_names::StarNames;
use crate::refactor::moves::script::is_bare;
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{definition, function_of, is_module_level};
use crate::syntax::scopes::Name;
use crate::syntax::target::last_name;
use crate::syntax::{Node, is_any_function};
use crate::text::{AbsPath, Span};

/// Names that Python has without an import, those that programs use most.
const BUILT_IN: &[&str] = &[
    "AssertionError",
    "AttributeError",
    "BaseException",
    "Exception",
    "False",
    "FileNotFoundError",
    "IndexError",
    "KeyError",
    "NotImplemented",
    "NotImplementedError",
    "None",
    "OSError",
    "RuntimeError",
    "StopIteration",
    "True",
    "TypeError",
    "ValueError",
    "__name__",
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "callable",
    "classmethod",
    "dict",
    "enumerate",
    "filter",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "id",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "open",
    "print",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
];

/// Decorators of Python that read no annotations.
const PLAIN_DECORATORS: &[&str] = &[
    "abstractmethod",
    "asynccontextmanager",
    "cache",
    "classmethod",
    "contextmanager",
    "lru_cache",
    "override",
    "property",
    "staticmethod",
    "wraps",
];

/// Imports for the other module.
#[derive(Default)]
pub(super) struct Needs {
    pub wanted: Vec<WantedImport>,
    /// Those that only type checkers see, and the condition that says so.
    pub typed: Vec<WantedImport>,
    pub condition: Option<String>,
    /// Modules of the project that it comes to import when it runs.
    pub modules: BTreeSet<AbsPath>,
    /// Whether names of the other module itself are used.
    pub uses_own: bool,
    /// What it needs of the module that it leaves.
    pub own: Vec<String>,
    /// A statement of its own that says what is true for type checkers alone.
    pub idiom: Option<String>,
    /// What is imported if it can be.
    pub attempts: Attempts,
    /// Statements that each module has for itself: its logger.
    pub made: Vec<String>,
    /// What the module that it leaves comes to export.
    pub opened: Vec<Opened>,
}

impl Way<'_> {
    pub(super) fn needs(&self) -> Result<Needs, Refusal> {
        let mut needs = Needs::default();
        let mut seen = BTreeSet::new();
        let statements = self.leaving.iter().filter(|one| !one.is_there).flat_map(|one| &one.statements);
        let names = statements.flat_map(|statement| self.names.within(statement.span()));
        let names: Vec<Name> = names.filter(|name| seen.insert(name.meaning)).collect();
        let mut known = self.leaving.iter().filter(|one| one.is_there && one.name != CHECKING);
        needs.uses_own = known.any(|one| names.iter().any(|name| one.meanings.contains(&name.meaning)));
        each(names.into_iter().map(|name| self.need(name, &mut needs)))?;
        if self.from.is_typed_script() {
            self.need_linked(&mut needs);
        }
        Ok(needs)
    }

    /// Imports, as a type, what only links in comments ask for (`{@link Order}`), where the one module does.
    fn need_linked(&self, needs: &mut Needs) {
        let theirs = ScopedNames::of(self.to);
        for link in self.own.iter().filter(|link| !link.form.is_export()) {
            let Some(name) = link.local.and_then(|local| local.of(self.from.text())) else { continue };
            let is_known = theirs.named(name).next().is_some() || link.module.as_ref() == Some(&self.to.path);
            let Some(wanted) = (!is_known && self.is_linked_by_leaving(name)).then(|| self.copied(link)) else {
                continue;
            };
            let Ok(wanted) = wanted else { continue };
            if !needs.wanted.iter().any(|one| one.item == wanted.item) {
                let form = if wanted.form == ImportForm::Names { ImportForm::TypeNames } else { wanted.form };
                needs.wanted.push(WantedImport { form, ..wanted });
            }
        }
    }

    fn need(&self, name: Name, needs: &mut Needs) -> Result<(), Refusal> {
        if name.is_free {
            return self.need_free(name, needs);
        }
        if self.is_python() && name.span.of(self.from.text()) == Some(CHECKING) {
            self.need_checking(needs);
            return Ok(());
        }
        let goes_along = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        let bindings: Vec<Span> =
            self.names.of_meaning(name.meaning).filter(|one| one.is_binding).map(|one| one.span).collect();
        if bindings.iter().all(|span| goes_along(*span)) {
            return Ok(());
        }
        let links: Vec<&Link> =
            self.own.iter().filter(|link| link.local.is_some_and(|it| bindings.contains(&it))).collect();
        let has_import = |it: &Node<'_>| self.own.iter().any(|link| it.span().contains(link.statement));
        let tried = self.attempt(&bindings).filter(has_import);
        match links.len() {
            _ if tried.is_some() => self.need_attempt((name, links.first().copied()), tried, needs),
            0 => self.need_local(name, needs),
            _ if self.is_bound_by_every_branch(&bindings) => self.need_branched(name, &links, needs),
            count if count == bindings.len() => {
                self.asked(links).into_iter().try_for_each(|link| self.need_link(link, needs))
            }
            _ => Err(self.from.refuse(name.span.start, "what it needs is imported, or made here")),
        }
    }

    /// A name that nothing binds: it is everybody's, unless it comes by a star import.
    fn need_free(&self, name: Name, needs: &mut Needs) -> Result<(), Refusal> {
        let is_star = |link: &&Link| link.taken == LinkedName::Star && link.local.is_none() && !link.form.is_export();
        let mut stars = self.own.iter().filter(is_star).filter(|star| !self.is_built_in(name, star)).peekable();
        let Some(first) = stars.peek() else { return Ok(()) };
        let at = first.statement.start;
        if !self.is_python() || stars.any(|star| star.module.is_none()) {
            return Err(self.from.refuse(at, "names that it needs may come by this import"));
        }
        let text = name.span.of(self.from.text()).unwrap_or_default();
        let names = StarNames { session: self.session, links: self.links, name: text };
        let Some(gift) = names.given(self.from, &mut BTreeSet::new())? else { return Ok(()) };
        let has_it = |link: &&Link| is_star(link) && link.module == gift.link.module;
        if gift.origin == self.to.path || self.theirs.iter().any(|link| has_it(&link)) {
            needs.uses_own |= gift.origin == self.to.path;
            return Ok(());
        }
        if !self.check_known(text, None)? {
            let (source, item) = (self.source_there(&gift.link)?, text.to_owned());
            needs.wanted.push(WantedImport { source, form: ImportForm::Names, item });
            needs.modules.extend(gift.link.module);
        }
        Ok(())
    }

    /// Something that every branch of one statement imports, or sets: it is taken from the module that is left, unless the other
    /// one imports it in the same way.
    fn need_branched(&self, name: Name, links: &[&Link], needs: &mut Needs) -> Result<(), Refusal> {
        let text = name.span.of(self.from.text()).unwrap_or_default();
        match links.iter().all(|link| self.check_known(text, Some(link)).unwrap_or(false)) {
            true => Ok(()),
            false => self.need_local(name, needs),
        }
    }

    /// Tells whether a name that nothing binds is Python's own, although all of a module of its library is imported, too.
    fn is_built_in(&self, name: Name, star: &Link) -> bool {
        /// Modules that offer another thing by a built-in name.
        const HIDING: &[&str] =
            &["builtins", "bz2", "codecs", "gzip", "io", "lzma", "math", "operator", "os", "reprlib", "tokenize"];
        let source = star.source.of(self.from.text()).unwrap_or_default();
        let text = name.span.of(self.from.text()).unwrap_or_default();
        self.is_python() && is_stdlib(source) && !HIDING.contains(&source) && BUILT_IN.contains(&text)
    }

    /// Something that is imported if it can be.
    fn need_attempt(
        &self,
        (name, link): (Name, Option<&Link>),
        tried: Option<Node<'_>>,
        needs: &mut Needs,
    ) -> Result<(), Refusal> {
        let local = name.span.of(self.from.text()).unwrap_or_default();
        let Some(tried) = tried.filter(|_| !self.check_known(local, link).unwrap_or(false)) else {
            return Ok(());
        };
        self.check_known(local, link)?;
        let body = tried.child("body").filter(|it| tries_several(*it));
        for beside in self.own.iter().filter(|it| body.is_some_and(|body| body.span().contains(it.statement))) {
            let bound = beside.local.and_then(|it| it.of(self.from.text())).unwrap_or_default();
            self.check_known(bound, Some(beside))?;
        }
        needs.attempts.entry(tried.start()).or_default().insert(local.to_owned());
        // What is asked, and what fails, is told by name: `sys.version_info`, `ModuleNotFoundError`.
        let names = self.names.within(tried.span()).filter(|it| !tried.span().contains(self.place_of(*it)));
        let others: Vec<Name> = names.filter(|it| !it.is_free).collect();
        others.into_iter().try_for_each(|other| self.need(other, needs))
    }

    /// Returns where a name is bound first.
    fn place_of(&self, name: Name) -> Span {
        self.names.of_meaning(name.meaning).find(|it| it.is_binding).map_or(name.span, |it| it.span)
    }

    /// Something that stays behind.
    fn need_local(&self, name: Name, needs: &mut Needs) -> Result<(), Refusal> {
        let text = name.span.of(self.from.text()).unwrap_or_default();
        let makers = self.from.root().named_children();
        let maker = makers
            .into_iter()
            .find(|one| declared(self.from, *one).is_some_and(|own| own.text(self.from.text()) == text));
        if let Some(logger) = maker.filter(|it| is_own_logger(self.from, *it))
            && self.names.writes(name.meaning).count() == 1
        {
            return self.need_logger((name, logger), needs);
        }
        if self.has_same(text) {
            needs.uses_own = true;
            return Ok(());
        }
        let required = self.key_of(text);
        let key = required.or_else(|| self.listed_here_as(text));
        let is_exported = maker.is_some_and(|maker| maker.is("export_statement")) || key.is_some();
        if !self.is_python() && !is_exported {
            let reason = format!("it needs `{text}`, which this module keeps for itself: export it, or move it `also`");
            needs.opened.push(self.opened(text)?.ok_or_else(|| self.from.refuse(name.span.start, reason))?);
        }
        let mut bindings = self.names.of_meaning(name.meaning).filter(|one| one.is_binding);
        if !bindings.all(|one| is_module_level(self.from, one.span)) {
            return Err(self.from.refuse(name.span.start, format!("it needs `{text}`, which a function sets")));
        }
        if self.is_reassigned(name) && !self.is_live(name) {
            return Err(self.from.refuse(
                name.span.start,
                format!("it needs `{text}`, which is assigned more than once: move it and what sets it `also`"),
            ));
        }
        let is_known = self.check_known(text, None)?;
        if is_known && self.is_handed_on_there(text) {
            return Ok(());
        }
        let source = self.named((self.to, &self.theirs), &self.from.path)?;
        let mut form = maker.map_or(ImportForm::Names, ImportForm::declared);
        if (required.is_some() || self.is_commonjs) && form == ImportForm::Names {
            form = ImportForm::Required;
        }
        if self.asks_for_type(text) && self.leaving.iter().any(|one| self.is_asked(one)) {
            // A type alone closes no circle.
            form = ImportForm::TypeNames;
        }
        if is_known && (form == ImportForm::TypeNames || self.asks_for_type(text)) {
            // A script takes a type by either form of import, and by one alone.
            needs.own.push(text.to_owned());
            return Ok(());
        }
        let between = if required.is_some() { ": " } else { " as " };
        let item =
            key.filter(|key| *key != text).map_or_else(|| text.to_owned(), |key| format!("{key}{between}{text}"));
        let wanted = WantedImport { source, form, item };
        if self.is_only_annotated(name) {
            self.need_typed(wanted, needs);
            return Ok(());
        }
        needs.wanted.push(wanted);
        needs.own.push(text.to_owned());
        needs.modules.extend((form != ImportForm::TypeNames).then(|| self.from.path.clone()));
        Ok(())
    }

    /// The logger of the module: the other one has its own.
    fn need_logger(&self, (name, logger): (Name, Node<'_>), needs: &mut Needs) -> Result<(), Refusal> {
        let said = logger.text(self.from.text());
        let is_there = self.to.root().named_children().any(|one| one.text(self.to.text()) == said);
        if is_there || self.check_known(name.span.of(self.from.text()).unwrap_or_default(), None)? {
            return Ok(());
        }
        needs.made.push(said.to_owned());
        let others = self.names.within(logger.span()).filter(|one| one.meaning != name.meaning && !one.is_free);
        others.into_iter().try_for_each(|one| self.need(one, needs))
    }

    /// Tells whether one statement of the module sets a name for good, in whichever of its branches: `if TYPE_CHECKING: …`.
    fn is_set_by_one_statement(&self, mut writes: impl Iterator<Item = Span>) -> bool {
        let Some(first) = writes.next() else { return false };
        let around = self.from.root().named_children().find(|one| one.span().contains(first));
        around.is_some_and(|one| {
            one.is_any(&["if_statement", "try_statement"]) && writes.all(|write| one.span().contains(write))
        })
    }

    /// Tells whether a name gets another value later: overloads and the function that carries them out are one.
    fn is_reassigned(&self, name: Name) -> bool {
        let tells_types = |span: &Span| {
            let node = self.from.covering(*span);
            let function = node.parent().filter(|it| is_any_function(*it) && it.child("name") == Some(node));
            function.is_some_and(|it| is_overload((self.from, it)))
        };
        let writes = || self.names.writes(name.meaning).map(|write| write.span).filter(|it| !tells_types(it));
        writes().nth(1).is_some() && !self.is_set_by_one_statement(writes())
    }

    /// Tells whether the other module sees each value of a name that it imports, and sets none: modules of scripts give their
    /// variables themselves (ECMAScript, 9.1.1.5.5 "CreateImportBinding").
    fn is_live(&self, name: Name) -> bool {
        let leaves = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        !self.is_python() && !self.is_commonjs && !self.names.writes(name.meaning).any(|write| leaves(write.span))
    }

    /// Lets the other module know what is true for type checkers alone, as the one says it.
    fn need_checking(&self, needs: &mut Needs) {
        let is_outer = |it: &Name| it.is_binding && function_of(self.to.covering(it.span)).is_none();
        if ScopedNames::of(self.to).named(CHECKING).any(|it| is_outer(&it)) {
            return;
        }
        let made = |it: &Node<'_>| it.is("expression_statement") && it.text(self.from.text()).starts_with(CHECKING);
        match self.from.root().named_children().find(made) {
            Some(statement) => needs.idiom = Some(statement.text(self.from.text()).to_owned()),
            None => {
                let source = "typing".to_owned();
                needs.wanted.push(WantedImport { source, form: ImportForm::Names, item: CHECKING.to_owned() });
            }
        }
    }

    /// Imports something for type checkers alone.
    fn need_typed(&self, wanted: WantedImport, needs: &mut Needs) {
        self.need_checking(needs);
        needs.condition.get_or_insert_with(|| CHECKING.to_owned());
        needs.typed.push(wanted);
    }

    /// Tells whether an import would close a circle for the sake of annotations alone, which nothing evaluates in either module.
    fn closes_for_annotations(&self, link: &Link) -> bool {
        let name = link.local.and_then(|local| self.names.at(self.from.covering(local)));
        let is_lazy = name.is_some_and(|name| self.is_lazy_all_over(name) && self.is_of_plain_functions(name));
        // A new module is given the same statement.
        let is_postponed = self.to.postpones_annotations() || self.to.text().trim().is_empty();
        let Some(module) = link.module.as_ref().filter(|_| self.is_python() && is_lazy && is_postponed) else {
            return false;
        };
        let reached = self.reached([module.clone()].into(), &mut BTreeMap::new());
        reached.contains_key(&self.to.path)
    }

    /// Tells whether all that goes says a name in functions alone whose annotations no decorator reads, and no class.
    fn is_of_plain_functions(&self, name: Name) -> bool {
        let is_plain = |mark: Node<'_>| {
            let called = mark.text(self.from.text()).trim_start_matches('@').split('(').next().unwrap_or_default();
            PLAIN_DECORATORS.contains(&last_name(called))
        };
        let mut said = self.names.of_meaning(name.meaning).map(|one| one.span);
        said.all(|span| {
            let node = self.from.covering(span);
            let function = node.ancestors().find(|it| it.is_any(&["function_definition", "class_definition"]));
            let function = function.filter(|it| it.is("function_definition"));
            let leaves = self.leaving.iter().any(|one| one.holds(span));
            !leaves
                || function.is_some_and(|it| definition(it).children().filter(|it| it.is("decorator")).all(is_plain))
        })
    }

    /// Tells whether a name is needed for annotations alone that nothing evaluates, in a module that this one comes to
    /// import and that does not import it so far.
    fn is_only_annotated(&self, name: Name) -> bool {
        self.is_python()
            && !self.theirs.iter().any(|link| link.module.as_ref() == Some(&self.from.path))
            && self.leaving.iter().any(|one| self.is_asked(one))
            && self.is_lazy_all_over(name)
    }

    /// Tells whether all that goes says a name only in annotations that nothing evaluates.
    fn is_lazy_all_over(&self, name: Name) -> bool {
        let leaves = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        self.names.of_meaning(name.meaning).filter(|one| leaves(one.span)).all(|one| self.is_lazy(one.span))
    }

    /// Tells whether a name stands in an annotation that nothing evaluates.
    pub(super) fn is_lazy(&self, name: Span) -> bool {
        let node = self.from.covering(name);
        let is_postponed = self.from.postpones_annotations();
        !node.is("identifier") && self.is_python() || is_postponed && node.ancestors().any(|outer| outer.is("type"))
    }

    fn need_link(&self, link: &Link, needs: &mut Needs) -> Result<(), Refusal> {
        let local = link.local.and_then(|span| span.of(self.from.text())).unwrap_or_default();
        let refuse = |reason: &str| Err(self.from.refuse(link.item.start, reason));
        if link.module.as_ref() == Some(&self.to.path) {
            let name = link.local.and_then(|local| self.names.at(self.from.covering(local)));
            needs.uses_own |= !name.is_some_and(|name| self.is_lazy_all_over(name));
            let leaving = self.leaving.iter().flat_map(|one| &one.statements);
            return each(leaving.map(|one| self.unqualified(one.span()))).map(drop);
        }
        if link.module.as_ref() == Some(&self.from.path) {
            return refuse("the module imports itself");
        }
        if self.check_known(local, Some(link))? {
            return Ok(());
        }
        let mut wanted = self.copied(link)?;
        if wanted.form == ImportForm::Names && self.tells_types() && self.asks_for_type(local) {
            wanted.form = ImportForm::TypeNames;
        }
        let is_type = wanted.form == ImportForm::TypeNames;
        let block = self.from.covering(link.statement).parent().filter(|outer| outer.parent().is_some());
        // One declarator among others stands where their declaration does.
        let block = block.filter(|it| !it.kind().ends_with("_declaration") || it.parent() != Some(self.from.root()));
        match block {
            None if self.closes_for_annotations(link) => {
                self.need_typed(wanted, needs);
                return Ok(());
            }
            None => needs.wanted.push(wanted),
            Some(block) => {
                let condition =
                    block.parent().filter(|outer| outer.is("if_statement")).and_then(|outer| outer.child("condition"));
                let condition = condition.filter(|it| is_for_checkers(it.text(self.from.text())));
                let Some(condition) = condition else { return refuse("it is imported under a condition") };
                needs.condition = Some(condition.text(self.from.text()).to_owned());
                needs.typed.push(wanted);
                return self.names.within(condition.span()).try_for_each(|name| self.need(name, needs));
            }
        }
        let module = self.declaring_module(link).or_else(|| link.module.clone());
        needs.modules.extend(module.filter(|_| !link.form.is_type() && !is_type));
        Ok(())
    }

    /// Tells whether the module imports as a type what is asked for as one alone; what decorators may ask for as the program
    /// runs is none.
    fn tells_types(&self) -> bool {
        let mut leaving = self.leaving.iter().flat_map(|one| &one.statements);
        self.from.is_typed_script()
            && imports_types(self.from)
            && !leaving.any(|one| one.descendants().any(|it| it.is("decorator")))
    }

    /// Tells whether what leaves asks for a name of the module as a type alone.
    pub(super) fn asks_for_type(&self, local: &str) -> bool {
        let leaves = |it: &Name| self.leaving.iter().any(|one| one.holds(it.span));
        let is_outer = |it: &Name| self.names.function_of_meaning(it.meaning).is_none();
        let asked = self.names.named(local).filter(|it| leaves(it) && is_outer(it));
        !self.is_python() && required::are_types(self.from, asked)
    }

    /// Writes an import of the one module for the other.
    pub(super) fn copied(&self, link: &Link) -> Result<WantedImport, Refusal> {
        WantedImport::of(self.from, link, link.form, || self.source_there(link))
    }

    /// Returns the module that makes what the one takes by way of a package which the other lies in: that may be half loaded.
    fn declaring_module(&self, link: &Link) -> Option<AbsPath> {
        let package = link.module.as_ref().filter(|it| self.is_python() && it.file_name() == "__init__.py")?;
        let lies_in = package.parent().is_some_and(|dir| self.to.path.is_below(&dir));
        let (module, name) = self.origin(link).filter(|_| lies_in)?;
        (module != *package && link.taken == LinkedName::Name(name)).then_some(module)
    }

    pub(super) fn source_there(&self, link: &Link) -> Result<String, Refusal> {
        if let Some(module) = self.declaring_module(link) {
            return self.named((self.to, &self.theirs), &module);
        }
        let source = link.source.of(self.from.text()).unwrap_or_default();
        let is_near = self.from.path.parent() == self.to.path.parent();
        let is_absolute = if self.is_python() { !source.starts_with('.') } else { is_bare(source) };
        if is_near || is_absolute {
            return Ok(source.to_owned());
        }
        let refuse = |reason: String| self.from.refuse(link.source.start, reason);
        let Some(module) = &link.module else {
            return Err(refuse("what is imported here lies nowhere in the project".to_owned()));
        };
        let there = self.links.source((self.from, link), &self.to.path, module).map_err(refuse)?;
        Ok(if self.is_python() && link.taken == LinkedName::Module { package_of(&there) } else { there })
    }
}
