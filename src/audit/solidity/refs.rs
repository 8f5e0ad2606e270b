//! Which place of the storage an expression stands for, through pointers and their aliases.

use super::body::Body;
use super::code::{Assembly, ExprId, Kind, Local, Step};
use crate::solidity::{DefinitionId, DefinitionKind, Target};

/// A place of the storage: where it begins, and the way from there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ref {
    pub base: Base,
    /// `[key].field`
    pub rest: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    Variable(DefinitionId),
    /// A parameter that is a storage pointer: its place, and its name.
    Param(usize, String),
    /// A slot that is computed, as it is written.
    Slot(String),
}

/// Pointers that lead through more variables are not followed.
const DEEPEST: usize = 16;

impl Ref {
    pub(super) fn of(base: Base) -> Self {
        Self { base, rest: String::new() }
    }

    pub(super) fn then(&self, more: &str) -> Self {
        let rest = format!("{}{more}", self.rest);
        // A path that grows in a circle ends here.
        Self { base: self.base.clone(), rest: if rest.len() > 200 { self.rest.clone() } else { rest } }
    }
}

impl Body<'_> {
    /// Returns the places of the storage that an expression can stand for.
    pub(super) fn refs(&self, expr: ExprId) -> Vec<Ref> {
        self.refs_within(expr, 0)
    }

    fn refs_within(&self, expr: ExprId, depth: usize) -> Vec<Ref> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let extended = |inner: ExprId, more: &str| -> Vec<Ref> {
            self.refs_within(inner, depth).iter().map(|place| place.then(more)).collect()
        };
        match &self.code.exprs[expr].kind {
            Kind::Name(name) => self.named(name, self.code.exprs[expr].span.start, depth),
            Kind::Member(inner, name) => match self.member_target(expr) {
                Some(Target::Definitions(ids)) => match ids.first().map(|id| (*id, self.model.definition(*id).kind)) {
                    Some((id, DefinitionKind::StateVariable | DefinitionKind::Constant)) if !self.is_value(*inner) => {
                        vec![Ref::of(Base::Variable(id))]
                    }
                    Some((_, DefinitionKind::StructMember)) => extended(*inner, &format!(".{name}")),
                    _ => Vec::new(),
                },
                Some(Target::BuiltIn(built_in)) if built_in == "Length" => extended(*inner, ".length"),
                // A member that is not understood is one of the place that it is taken of.
                None | Some(Target::Unknown) => extended(*inner, &format!(".{name}")),
                _ => Vec::new(),
            },
            Kind::Index(inner, indices) => {
                let written: Vec<&str> = indices.iter().map(|index| self.code.text(*index, self.text)).collect();
                extended(*inner, &format!("[{}]", written.join(":")))
            }
            Kind::Tuple(parts) if parts.len() == 1 => self.refs_within(parts[0], depth),
            Kind::Ternary([_, then, otherwise]) => {
                [self.refs_within(*then, depth), self.refs_within(*otherwise, depth)].concat()
            }
            Kind::Assign { left, .. } => self.refs_within(*left, depth),
            Kind::Call { callee, args } => self.returned(*callee, args, depth),
            _ => Vec::new(),
        }
    }

    fn named(&self, name: &str, at: usize, depth: usize) -> Vec<Ref> {
        let Some(id) = self.defined(at) else { return Vec::new() };
        let definition = self.model.definition(id);
        match definition.kind {
            DefinitionKind::StateVariable | DefinitionKind::Constant => vec![Ref::of(Base::Variable(id))],
            DefinitionKind::Parameter | DefinitionKind::ReturnParameter | DefinitionKind::Variable => {
                let local = self.code.locals.iter().find(|local| local.from == definition.name_span.start);
                local
                    .filter(|local| self.is_pointer(local))
                    .map_or_else(Vec::new, |local| self.aliases(local, name, depth))
            }
            _ => Vec::new(),
        }
    }

    /// Tells whether a variable points into the storage.
    pub(super) fn is_pointer(&self, local: &Local) -> bool {
        use crate::syntax::contracts::TypeName;
        local.is_storage
            || local.has_no_location
                && match &local.of {
                    // Before 0.5 that was the default for all that cannot be held in a word.
                    Some(TypeName::Array(..) | TypeName::Mapping(..)) => local.param.is_none(),
                    Some(TypeName::Named(_)) => local.param.is_none() && self.is_struct_at(local.type_at),
                    None => true,
                    _ => false,
                }
    }

    fn is_struct_at(&self, at: usize) -> bool {
        self.defined(at).is_some_and(|id| self.model.definition(id).kind == DefinitionKind::Struct)
    }

    /// Follows what a pointer is given, everywhere in the body.
    fn aliases(&self, local: &Local, name: &str, depth: usize) -> Vec<Ref> {
        if let Some(param) = local.param {
            return vec![Ref::of(Base::Param(param, name.to_owned()))];
        }
        let mut places = Vec::new();
        if let Some((value, part)) = local.value {
            places.extend(self.part(value, part, depth));
        }
        for step in &self.code.steps {
            match step {
                Step::Expr(_, expr) => places.extend(self.given(*expr, local, depth)),
                Step::Assembly(at) => {
                    if let Assembly::Slot { name: pointer, at, value } = &self.code.assembly[*at]
                        && (pointer == name || self.defined(*at).is_some_and(|id| self.is(id, local)))
                    {
                        places.push(Ref::of(Base::Slot(value.of(self.text).unwrap_or_default().to_owned())));
                    }
                }
                Step::Revert(_) => {}
            }
        }
        places.sort();
        places.dedup();
        if places.is_empty() && local.value.is_some() {
            let value = local.value.map(|(value, _)| self.code.text(value, self.text)).unwrap_or_default();
            places.push(Ref::of(Base::Slot(super::one_line(value))));
        }
        places
    }

    fn is(&self, id: DefinitionId, local: &Local) -> bool {
        self.model.definition(id).name_span.start == local.from
    }

    fn part(&self, value: ExprId, part: Option<usize>, depth: usize) -> Vec<Ref> {
        match (&self.code.exprs[value].kind, part) {
            (_, None) => self.refs_within(value, depth + 1),
            (Kind::Tuple(parts), Some(part)) => {
                parts.get(part).map_or_else(Vec::new, |it| self.refs_within(*it, depth + 1))
            }
            _ => Vec::new(),
        }
    }

    /// Returns what an assignment of the whole pointer gives it.
    fn given(&self, expr: ExprId, local: &Local, depth: usize) -> Vec<Ref> {
        let Kind::Assign { left, right, .. } = &self.code.exprs[expr].kind else { return Vec::new() };
        let is_it = |expr: ExprId| match &self.code.exprs[expr].kind {
            Kind::Name(_) => self.defined(self.code.exprs[expr].span.start).is_some_and(|id| self.is(id, local)),
            _ => false,
        };
        if is_it(*left) {
            return self.refs_within(*right, depth + 1);
        }
        let Kind::Tuple(parts) = &self.code.exprs[*left].kind else { return Vec::new() };
        let at = parts.iter().position(|part| is_it(*part));
        at.map_or_else(Vec::new, |at| self.part(*right, Some(at), depth))
    }

    /// Returns what a call returns a pointer to.
    fn returned(&self, callee: ExprId, args: &[ExprId], depth: usize) -> Vec<Ref> {
        let call = self.callee(callee);
        if call.is_push {
            let Kind::Member(inner, _) = &self.code.exprs[callee].kind else { return Vec::new() };
            return self.refs_within(*inner, depth).iter().map(|place| place.then("[]")).collect();
        }
        let Some(function) = call.internal.first().copied() else { return Vec::new() };
        let returns = self.model.members(function).filter(|(_, it)| it.kind == DefinitionKind::ReturnParameter);
        let is_pointer = returns.into_iter().any(|(_, it)| {
            let written = it.span.of(self.model.text(&it.file).unwrap_or_default()).unwrap_or_default();
            written.split_whitespace().any(|word| word == "storage")
        }) || self.returns_storage(function);
        if !is_pointer {
            return Vec::new();
        }
        let written = super::one_line(self.code.text(callee, self.text));
        let given: Vec<&str> = args.iter().map(|arg| self.code.text(*arg, self.text)).collect();
        vec![Ref::of(Base::Slot(format!("{written}({})", given.join(", "))))]
    }

    /// Unnamed results are no definitions: the head of the function says it.
    fn returns_storage(&self, function: DefinitionId) -> bool {
        let definition = self.model.definition(function);
        let text = self.model.text(&definition.file).unwrap_or_default();
        let head = text.get(definition.span.start..definition.body.map_or(definition.span.end, |body| body.start));
        let returns = head.and_then(|head| head.split_once("returns")).map(|(_, returns)| returns).unwrap_or_default();
        returns.split(|character: char| !character.is_alphanumeric()).any(|word| word == "storage")
    }
}

impl Body<'_> {
    /// Returns the places that a name in assembly stands for.
    pub(super) fn in_assembly(&self, name: &str, at: usize) -> Vec<Ref> {
        self.named(name, at, 0)
    }
}
