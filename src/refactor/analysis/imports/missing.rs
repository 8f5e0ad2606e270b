//! Imports that a text lacks, where the project shows one meaning of a name and no other.

use std::collections::BTreeSet;

use super::placement::with_imports;
use super::required::{export, home, leads_to};
use super::statements::{ImportForm, WantedImport, item, named, package_of, with_links, written};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, Links};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, inner};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Language, Node, is_test};
use crate::text::{AbsPath, Text, TextEdit};

/// What is known of the names that a text lacks.
#[derive(Debug, Default)]
pub struct Missing {
    /// The import statements, in the text as it was given.
    pub edits: Vec<TextEdit>,
    /// The same, each as it would stand alone.
    pub lines: Vec<String>,
    /// Why there are none for other names.
    pub open: Vec<String>,
}

/// Through so many modules that hand a name on it is followed.
const STEPS: usize = 8;

/// So many meanings of a name are told.
const TOLD: usize = 4;

/// What a name can mean that a file imports or declares.
struct Meaning {
    origin: Origin,
    /// How a file that uses it writes it.
    wanted: WantedImport,
    /// The module of the project that it comes from.
    module: Option<AbsPath>,
}

/// Where a name comes from in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    File(AbsPath, LinkedName),
    Outside(String, LinkedName),
}

/// The file that lacks something, among the others of the project.
struct Lack<'a> {
    session: &'a Session,
    links: &'a dyn Links,
    to: &'a Code,
    own: &'a [Link],
}

/// Finds the imports for `names`, which a file with this text uses and does not have. In Python and scripts; of other
/// languages nothing is found.
pub fn missing_imports(
    session: &Session,
    (path, text): (&AbsPath, &Text),
    names: &BTreeSet<String>,
) -> Result<Missing, Refusal> {
    let family = Language::of_path(path).map(Language::family);
    let Some(family) = family.filter(|it| !names.is_empty() && matches!(it, Family::Python | Family::Script)) else {
        return Ok(Missing::default());
    };
    let to = code_of(session, (path, text))?;
    with_links(session, family, path, |links| {
        let own = links.of(&to);
        let lack = Lack { session, links, to: &to, own: &own };
        let mut found = Missing::default();
        let mut wanted = Vec::new();
        for name in names {
            match lack.one(name) {
                Ok(one) => wanted.extend(one),
                Err(reason) => found.open.push(reason),
            }
        }
        found.lines = written(&to, &own, &wanted);
        found.edits = with_imports(&to, Vec::new(), &found.lines);
        Ok(found)
    })
}

/// Returns the names that a text uses and that nothing in it or around it binds, as far as the text can tell: built-in
/// ones are among them.
pub fn free_names(session: &Session, (path, text): (&AbsPath, &Text)) -> BTreeSet<String> {
    let Ok(code) = code_of(session, (path, text)) else { return BTreeSet::new() };
    let names = ScopedNames::of(&code);
    names.free().map(str::to_owned).collect()
}

/// Reads a file as if this were its text.
fn code_of(session: &Session, (path, text): (&AbsPath, &Text)) -> Result<Code, Refusal> {
    let empty = Code::empty(session, path)?;
    Ok(empty.with_text(session, text.as_str().to_owned()).unwrap_or(empty))
}

impl Lack<'_> {
    /// Returns the import of one name: none where nobody in the project knows it, or a reason where it cannot be given.
    fn one(&self, name: &str) -> Result<Option<WantedImport>, String> {
        let mut meanings: Vec<Meaning> = Vec::new();
        for path in self.session.disk().files_mentioning(name) {
            let is_alike = Language::of_path(&path).is_some_and(|it| it.family() == self.to.family());
            if path == self.to.path || !is_alike || self.is_test(&path) && !self.is_test(&self.to.path) {
                continue;
            }
            let Ok(code) = Code::known(self.session, &path) else { continue };
            let names = ScopedNames::of(&code);
            if names.named(name).any(|it| it.is_free) && self.to.parsed().tree.language() == Language::JavaScript {
                return Ok(None);
            }
            for meaning in self.meanings(&code, &names, name) {
                if !meanings.iter().any(|known| known.origin == meaning.origin) {
                    meanings.push(meaning);
                }
            }
        }
        let [meaning] = meanings.as_slice() else {
            return if meanings.is_empty() { Ok(None) } else { Err(self.several(name, &meanings)) };
        };
        let is_type = matches!(meaning.wanted.form, ImportForm::TypeNames) && self.to.family() == Family::Script;
        let circle = meaning.module.as_ref().filter(|it| !is_type && leads_to(self.session, it, &self.to.path));
        match circle {
            Some(module) => {
                Err(format!("`{name}` is not imported: `{}`, which has it, imports this file", self.shown(module)))
            }
            None => Ok(Some(meaning.wanted.clone())),
        }
    }

    /// Returns what a file means by a name at module level: what it imports, or what it declares for others.
    fn meanings(&self, code: &Code, names: &ScopedNames<'_>, name: &str) -> Vec<Meaning> {
        let is_outer = |it: &Name| it.is_binding && home(code, *it).is_none();
        let bindings: Vec<Name> = names.named(name).filter(is_outer).collect();
        if bindings.is_empty() {
            return Vec::new();
        }
        let all = self.links.of(code);
        let imports =
            |link: &&Link| !link.form.is_export() && bindings.iter().any(|binding| link.local == Some(binding.span));
        let imported: Vec<&Link> = all.iter().filter(imports).collect();
        if !imported.is_empty() {
            return imported.into_iter().filter_map(|link| self.taken(code, &all, link)).collect();
        }
        self.declared((code, &all), name).into_iter().collect()
    }

    /// Reads what an import takes, as this file would take it.
    fn taken(&self, code: &Code, all: &[Link], link: &Link) -> Option<Meaning> {
        let is_python = self.to.family() == Family::Python;
        let source = link.source.of(code.text()).unwrap_or_default();
        let origin = match &link.module {
            Some(module) => self.origin(module.clone(), link.taken.clone()),
            None if source.starts_with('.') => return None,
            None => Origin::Outside(source.to_owned(), link.taken.clone()),
        };
        let is_value = link.form.is_type() && !self.is_type_alone(link.local?.of(code.text())?);
        let form = if is_value { LinkForm::Import } else { link.form };
        let is_near = !is_python && code.path.parent() == self.to.path.parent();
        let wanted = WantedImport::of(code, link, form, || match link.module.as_ref().filter(|_| !is_near) {
            None => Ok(source.to_owned()),
            Some(module) => {
                let there = named(self.links, &[(self.to, self.own), (code, all)], &self.to.path, module)?;
                Ok::<_, Refusal>(if is_python && link.taken == LinkedName::Module { package_of(&there) } else { there })
            }
        });
        Some(Meaning { origin, wanted: wanted.ok()?, module: link.module.clone() })
    }

    /// Reads a declaration that others may import.
    fn declared(&self, (code, all): (&Code, &[Link]), name: &str) -> Option<Meaning> {
        let is_open = match self.to.family() {
            Family::Python => !name.starts_with('_'),
            _ => matches!(export(code, name), Ok(None)),
        };
        if !is_open {
            return None;
        }
        let source = named(self.links, &[(self.to, self.own), (code, all)], &self.to.path, &code.path).ok()?;
        let declares = |it: &Node<'_>| inner(*it).child("name").is_some_and(|it| it.text(code.text()) == name);
        let form = code.root().named_children().find(declares).map_or(ImportForm::Names, ImportForm::declared);
        let origin = Origin::File(code.path.clone(), LinkedName::Name(name.to_owned()));
        let wanted = WantedImport { source, form, item: name.to_owned() };
        Some(Meaning { origin, wanted, module: Some(code.path.clone()) })
    }

    /// Follows a name through modules that hand it on, to the one that makes it.
    fn origin(&self, module: AbsPath, taken: LinkedName) -> Origin {
        let (mut module, mut taken) = (module, taken);
        for _ in 0..STEPS {
            let LinkedName::Name(name) = &taken else { break };
            let Ok(code) = Code::known(self.session, &module) else { break };
            let links = self.links.of(&code);
            let hands_on = |link: &&Link| match &link.taken {
                LinkedName::Star | LinkedName::Nothing => false,
                _ if link.form.is_export() => handed_on(&code, link) == *name,
                _ => link.local.and_then(|it| it.of(code.text())) == Some(name),
            };
            let Some(link) = links.iter().find(hands_on) else { break };
            let source = link.source.of(code.text()).unwrap_or_default();
            match &link.module {
                Some(next) => (module, taken) = (next.clone(), link.taken.clone()),
                None => return Origin::Outside(source.to_owned(), link.taken.clone()),
            }
        }
        Origin::File(module, taken)
    }

    /// Tells whether a script uses a name as a type alone.
    fn is_type_alone(&self, name: &str) -> bool {
        let spans = self.to.parsed().tree.identifiers_named(self.to.text(), name);
        spans.into_iter().all(|span| self.to.covering(span).is("type_identifier"))
    }

    fn several(&self, name: &str, meanings: &[Meaning]) -> String {
        let of = |origin: &Origin| match origin {
            Origin::File(path, _) => format!("`{}`", self.shown(path)),
            Origin::Outside(source, _) => format!("`{source}`"),
        };
        let told: Vec<String> = meanings.iter().take(TOLD).map(|it| of(&it.origin)).collect();
        format!("`{name}` is not imported: it can come from {}", told.join(" or "))
    }

    fn is_test(&self, path: &AbsPath) -> bool {
        is_test(&self.shown(path))
    }

    fn shown(&self, path: &AbsPath) -> String {
        path.shown_from(self.session.root())
    }
}

/// Returns the name under which `export … from` offers something.
fn handed_on(code: &Code, link: &Link) -> String {
    let written = item(code, link);
    written.rsplit(' ').next().unwrap_or_default().to_owned()
}
