//! The classes that declare a member of one name, and the objects of no known type that are called like one of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::{Warning, WarningKind};
use crate::refactor::source_file::is_class;
use crate::session::{Parsed, Session};
use crate::syntax::target::last_name;
use crate::syntax::{DeclarationKind, Family, Site, site, whole_words};
use crate::text::{AbsPath, Span};

#[derive(Default)]
pub(crate) struct Declarers {
    /// Classes whose member is meant, in small letters without underscores.
    own: BTreeSet<String>,
    /// Those that have another one of the name.
    rivals: BTreeSet<String>,
    /// Where these declare it, file by file.
    places: Vec<(AbsPath, Arc<Parsed>, Vec<Span>)>,
}

impl Declarers {
    /// Finds the classes of the project that declare the name; `is_own` tells which declarations are meant.
    pub(crate) fn of(
        session: &Session,
        (name, family): (&str, Family),
        is_own: impl Fn(&AbsPath, Span) -> bool,
    ) -> Self {
        let mut found = Self::default();
        for path in session.disk().files_mentioning(name) {
            let Ok(Some(file)) = session.parsed(&path) else { continue };
            if file.tree.language().family() != family {
                continue;
            }
            let is_member = |span: &Span| {
                let kind = site(&file.tree, file.text.as_str(), *span);
                matches!(kind, Site::Declaration(DeclarationKind::Method | DeclarationKind::Property))
            };
            let declared = whole_words(file.text.as_str(), name).into_iter().filter(is_member);
            let (own, rivals): (Vec<Span>, Vec<Span>) = declared.partition(|span| is_own(&path, *span));
            found.own.extend(own.into_iter().filter_map(|span| class_around(&file, span)));
            found.rivals.extend(rivals.iter().filter_map(|span| class_around(&file, *span)));
            if !rivals.is_empty() {
                found.places.push((path, file, rivals));
            }
        }
        found
    }

    /// Tells of the rivals: what has no type may be theirs.
    pub(crate) fn told(self, message: &str) -> impl Iterator<Item = Warning> {
        self.places.into_iter().map(move |(path, file, spans)| {
            Warning::at_lines(WarningKind::PossibleUse, message, path, (&file.text, &spans))
        })
    }

    /// Tells whether a member is asked of an object that is called like a rival, and not like a class whose member is meant.
    pub(crate) fn is_of_rival(&self, file: &Parsed, member: Span) -> bool {
        let outer = file.tree.nodes().covering(member).parent();
        let object = outer.and_then(|outer| outer.child("object"));
        let Some(object) = object.map(|it| leveled(last_name(it.text(file.text.as_str())))) else { return false };
        self.rivals.contains(&object) && !self.own.contains(&object)
    }
}

/// Returns the name of the class around a place.
fn class_around(file: &Parsed, span: Span) -> Option<String> {
    let class = file.tree.nodes().covering(span).ancestors().find(|outer| is_class(*outer))?;
    Some(leveled(class.child("name")?.text(file.text.as_str())))
}

/// Returns a name as it is compared with others that are written in another case.
fn leveled(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}
