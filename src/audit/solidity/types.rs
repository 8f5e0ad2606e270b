//! Types as signatures write them.

use super::world::{Home, Meaning, MemberId, World};
use crate::syntax::contracts::{Param, Shape, TypeName};

/// Types that nest deeper are not looked into.
const DEEPEST: usize = 24;

/// Writes a function's signature: as the ABI has it (Solidity's ABI specification, § Function Selector) where
/// it can be called from outside, with the names of its types elsewhere.
pub(crate) fn signature(world: &World, id: MemberId) -> String {
    let function = world.function(id);
    let types: Vec<String> = function.params.iter().map(|param| abi(world, id.home, param, 0)).collect();
    format!("{}({})", function.name, types.join(","))
}

/// Writes a parameter's type. What the ABI has no word for (mappings, storage references) keeps its own.
pub(super) fn abi(world: &World, home: Home, param: &Param, depth: usize) -> String {
    if param.location.as_deref() == Some("storage") {
        return format!("{} storage", param.of.written());
    }
    abi_of(world, home, &param.of, depth)
}

fn abi_of(world: &World, home: Home, written: &TypeName, depth: usize) -> String {
    if depth > DEEPEST {
        return written.written();
    }
    match written {
        TypeName::Named(path) => match world.find(home, path) {
            Some(Meaning::Contract(_)) => "address".to_owned(),
            Some(Meaning::Type(id)) => match &world.type_definition(id).shape {
                Shape::Struct(members) => {
                    let types: Vec<String> =
                        members.iter().map(|member| abi_of(world, id.home, &member.of, depth + 1)).collect();
                    format!("({})", types.join(","))
                }
                Shape::Enum(_) => "uint8".to_owned(),
                Shape::Value(of) => of.written(),
            },
            _ => written.written(),
        },
        TypeName::Array(of, length) => {
            let length = length.as_deref().map(|length| number(world, home, length)).unwrap_or_default();
            format!("{}[{length}]", abi_of(world, home, of, depth + 1))
        }
        _ => written.written(),
    }
}

/// Returns the number that an array's length means, where a constant names it.
fn number(world: &World, home: Home, length: &str) -> String {
    let Some(Meaning::Variable(id)) = world.find(home, &[length.to_owned()]) else { return length.to_owned() };
    let source = world.source(id.home);
    let value = world.variable(id).value.and_then(|node| source.tree().nodes().get(node));
    value.map_or_else(|| length.to_owned(), |value| value.text(source.text()).to_owned())
}

/// Writes the signature of a public state variable's getter, and what it takes.
pub(crate) fn getter_signature(world: &World, id: MemberId) -> String {
    let variable = world.variable(id);
    let mut keys = Vec::new();
    let mut of = &variable.of;
    loop {
        match of {
            TypeName::Mapping(key, value) => {
                keys.push(abi_of(world, id.home, key, 0));
                of = value;
            }
            TypeName::Array(value, _) => {
                keys.push("uint256".to_owned());
                of = value;
            }
            _ => return format!("{}({})", variable.name, keys.join(",")),
        }
    }
}
