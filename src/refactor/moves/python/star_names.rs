//! Names that modules of Python have from others by `from module import *`, read from the texts.

use std::collections::BTreeSet;

use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkedName, Links};
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::python::dunder_all;
use crate::syntax::scopes::Name;
use crate::text::{AbsPath, Span};

/// Who has one name from whom.
pub(crate) struct StarNames<'a> {
    pub session: &'a Session,
    pub links: &'a dyn Links,
    pub name: &'a str,
}

/// A name that a star import gives.
pub(crate) struct StarGift {
    pub link: Link,
    /// The module that binds it.
    pub origin: AbsPath,
}

impl StarNames<'_> {
    /// Returns the module of the project that binds what another one gives under the name; nothing where none is known to.
    pub(crate) fn origin(&self, path: &AbsPath, asked: &mut BTreeSet<AbsPath>) -> Result<Option<AbsPath>, Refusal> {
        if !asked.insert(path.clone()) {
            return Ok(None);
        }
        let code = Code::known(self.session, path)?;
        let bound = top(code.parsed(), self.name);
        let Some(last) = bound.last() else { return Ok(self.given(&code, asked)?.map(|gift| gift.origin)) };
        let is_plain = |link: &Link| {
            link.local == Some(*last) && matches!(&link.taken, LinkedName::Name(taken) if taken == self.name)
        };
        let links = self.links.of(&code);
        match links.iter().find(|link| is_plain(link)).and_then(|link| link.module.as_ref()) {
            Some(module) if bound.len() == 1 => self.origin(module, asked),
            _ => Ok(Some(path.clone())),
        }
    }

    /// Returns what gives the name to a module by a star import; the last one that does is it.
    pub(crate) fn given(&self, code: &Code, asked: &mut BTreeSet<AbsPath>) -> Result<Option<StarGift>, Refusal> {
        asked.insert(code.path.clone());
        let stars = self.links.of(code).into_iter().rev().filter(|link| link.taken == LinkedName::Star);
        for link in stars {
            let Some(module) = &link.module else { continue };
            if !self.is_public(module)? {
                continue;
            }
            if let Some(origin) = self.origin(module, asked)? {
                return Ok(Some(StarGift { link, origin }));
            }
        }
        Ok(None)
    }

    /// Tells whether a star import takes the name from a module that has it (Python reference § The import statement).
    pub(crate) fn is_public(&self, module: &AbsPath) -> Result<bool, Refusal> {
        Ok(is_given(Code::known(self.session, module)?.parsed(), self.name))
    }
}

/// Tells whether a module that has a name gives it to those who take all of it.
pub(crate) fn is_given(module: &Parsed, name: &str) -> bool {
    let listed = dunder_all(&module.tree, module.text.as_str());
    match listed.is_empty() {
        true => !name.starts_with('_'),
        false => listed.iter().any(|(entry, _)| entry == name),
    }
}

/// Returns where a module binds a name at its top, in order.
pub(crate) fn top(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    parsed.names().iter().filter(|it| is_top(it) && it.span.of(text) == Some(name)).map(|it| it.span).collect()
}

pub(crate) fn is_top(name: &Name) -> bool {
    name.is_binding && name.scope == 0
}
