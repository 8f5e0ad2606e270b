//! A text's scopes and the names in them, apart from what the names are.

use crate::syntax::DeclarationKind;
use crate::text::Span;

/// The scopes of one text, and every identifier that is looked up or bound in them, in order.
/// Members (`object.name`) are none: no scope decides what they mean.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) scopes: Vec<Scope>,
    pub(super) occurrences: Vec<Occurrence>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// Where a name is looked up that this scope does not bind; the first scope has none.
    pub(super) parent: Option<usize>,
    /// The scope of the parameters, where this is the body of a function: a body cannot bind a parameter's
    /// name anew, but a parameter's default does not see what the body binds.
    pub(super) head: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    Class,
    Function,
    /// A comprehension: a function for look-ups, but `:=` binds outside.
    Comprehension,
    /// Holds type parameters, or the own name of a function or class expression.
    Annotation,
    Block,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Occurrence {
    pub(super) span: Span,
    pub(super) scope: usize,
    pub(super) role: Role,
    pub(super) meanings: Meanings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Binding {
        kind: DeclarationKind,
        /// From where on the name is bound, in code that runs top down: a byte offset.
        from: usize,
    },
    Reference,
    /// `global name`.
    Global,
    /// `nonlocal name`.
    Nonlocal,
}

/// The name spaces that TypeScript keeps apart; a name of every other language is a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meanings(u8);

impl Meanings {
    pub(super) const VALUE: Self = Self(1);
    pub(super) const TYPE: Self = Self(2);
    pub(super) const NAMESPACE: Self = Self(4);
    pub(super) const ALL: Self = Self(7);

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns one bit for each name space.
    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}

impl Graph {
    pub(super) fn open(&mut self, kind: ScopeKind, parent: Option<usize>) -> usize {
        self.scopes.push(Scope { kind, parent, head: None });
        self.scopes.len() - 1
    }

    /// Opens the scope of a function's body inside that of its parameters.
    pub(super) fn open_body(&mut self, head: usize) -> usize {
        self.scopes.push(Scope { kind: ScopeKind::Function, parent: Some(head), head: Some(head) });
        self.scopes.len() - 1
    }

    /// Returns a scope and those around it, the innermost first.
    pub(super) fn outward(&self, scope: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(scope), |scope| self.scopes[*scope].parent)
    }

    pub(super) fn kind(&self, scope: usize) -> ScopeKind {
        self.scopes[scope].kind
    }
}

impl Occurrence {
    pub(super) fn is_binding(&self) -> bool {
        matches!(self.role, Role::Binding { .. })
    }
}
