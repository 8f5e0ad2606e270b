//! Classes of errors, and which handlers take them.

use std::collections::BTreeSet;

use crate::lsp::Place;
use crate::text::AbsPath;

/// A class of errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorClass {
    pub name: String,
    pub key: Key,
    /// The classes above it.
    pub above: BTreeSet<Key>,
    /// There may be others above it.
    pub is_open: bool,
}

/// What a class is known by, wherever it is named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    BuiltIn(String),
    At(AbsPath, usize),
    /// A value that is no object of a class, by its type.
    Type(String),
}

/// Whether a handler takes an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    No,
    Perhaps,
}

/// A handler with what its classes mean.
#[derive(Debug)]
pub(super) struct Handler {
    /// Nothing takes all there is.
    pub takes: Option<Vec<Option<ErrorClass>>>,
    pub passes_on: bool,
}

impl Key {
    pub(super) fn of(place: &Place, name: &str) -> Self {
        match place.path.file_name() {
            "builtins.pyi" => Self::BuiltIn(name.to_owned()),
            _ => Self::At(place.path.clone(), place.offset),
        }
    }
}

impl ErrorClass {
    /// A class that the language raises by itself.
    pub(super) fn built_in(name: &str) -> Self {
        let ordinary = (name != "SystemExit").then_some("Exception");
        let above = ["BaseException"].into_iter().chain(ordinary).map(|it| Key::BuiltIn(it.to_owned()));
        Self { name: name.to_owned(), key: Key::BuiltIn(name.to_owned()), above: above.collect(), is_open: false }
    }

    /// A value of a type of which no more is known.
    pub(super) fn of_type(name: &str) -> Self {
        Self { name: name.to_owned(), key: Key::Type(name.to_owned()), above: BTreeSet::new(), is_open: true }
    }

    fn is(&self, word: &str) -> bool {
        matches!(&self.key, Key::BuiltIn(name) if name == word)
    }

    fn fit(&self, handler: &Self) -> Fit {
        if self.key == handler.key || self.above.contains(&handler.key) || handler.is("BaseException") {
            return Fit::Yes;
        }
        // What is raised may be of a class below the one that is known.
        if self.is_open || handler.is_open || handler.above.contains(&self.key) { Fit::Perhaps } else { Fit::No }
    }
}

/// What goes through handlers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'e> {
    Error(&'e ErrorClass),
    /// Whatever an unknown call raises.
    Anything,
    /// Whatever the language raises by itself: no exit, no interrupt.
    Ordinary,
}

impl Item<'_> {
    fn fit(self, handler: &Handler) -> Fit {
        let Some(classes) = &handler.takes else { return Fit::Yes };
        let fits = |class: &Option<ErrorClass>| match (self, class) {
            (_, None) => Fit::Perhaps,
            (Self::Error(error), Some(class)) => error.fit(class),
            (Self::Anything, Some(class)) if class.is("BaseException") => Fit::Yes,
            (Self::Ordinary, Some(class)) if class.is("BaseException") || class.is("Exception") => Fit::Yes,
            _ => Fit::Perhaps,
        };
        classes.iter().map(fits).fold(Fit::No, |all, one| match (all, one) {
            (Fit::Yes, _) | (_, Fit::Yes) => Fit::Yes,
            (Fit::Perhaps, _) | (_, Fit::Perhaps) => Fit::Perhaps,
            _ => Fit::No,
        })
    }

    /// Tells whether the handlers of one `try` let it out.
    pub(super) fn leaves(self, handlers: &[Handler]) -> bool {
        let mut is_passed_on = false;
        for handler in handlers {
            match self.fit(handler) {
                Fit::Yes => return is_passed_on || handler.passes_on,
                Fit::Perhaps => is_passed_on |= handler.passes_on,
                Fit::No => {}
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, above: &[&str]) -> ErrorClass {
        let above = above.iter().map(|it| Key::BuiltIn((*it).to_owned())).collect();
        ErrorClass { name: name.to_owned(), key: Key::BuiltIn(name.to_owned()), above, is_open: false }
    }

    fn handler(classes: &[&ErrorClass], passes_on: bool) -> Handler {
        Handler { takes: Some(classes.iter().map(|it| Some((*it).clone())).collect()), passes_on }
    }

    #[test]
    fn a_handler_takes_what_is_below_its_class_and_no_more() {
        let value = class("ValueError", &["Exception", "BaseException"]);
        let unicode = class("UnicodeDecodeError", &["UnicodeError", "ValueError", "Exception", "BaseException"]);
        let key = class("KeyError", &["LookupError", "Exception", "BaseException"]);
        assert!(!Item::Error(&unicode).leaves(&[handler(&[&value], false)]));
        assert!(Item::Error(&value).leaves(&[handler(&[&unicode], false)]));
        assert!(Item::Error(&key).leaves(&[handler(&[&value, &unicode], false)]));
        assert!(Item::Error(&value).leaves(&[handler(&[&value], true)]));
        assert!(Item::Error(&value).leaves(&[Handler { takes: Some(vec![None]), passes_on: false }]));
        assert!(!Item::Error(&value).leaves(&[Handler { takes: None, passes_on: false }]));
    }

    #[test]
    fn the_unknown_is_taken_by_what_takes_all_unless_an_earlier_handler_raises_again() {
        let (all, value) = (class("BaseException", &[]), class("ValueError", &["Exception", "BaseException"]));
        let ordinary = class("Exception", &["BaseException"]);
        assert!(!Item::Anything.leaves(&[handler(&[&all], false)]));
        assert!(Item::Anything.leaves(&[handler(&[&value], true), handler(&[&all], false)]));
        assert!(Item::Anything.leaves(&[handler(&[&ordinary], false)]));
        assert!(!Item::Ordinary.leaves(&[handler(&[&ordinary], false)]));
        assert!(!Item::Error(&ErrorClass::built_in("AssertionError")).leaves(&[handler(&[&ordinary], false)]));
        assert!(Item::Error(&ErrorClass::built_in("SystemExit")).leaves(&[handler(&[&ordinary], false)]));
    }
}
