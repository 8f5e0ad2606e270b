//! What a Solidity text declares: its contracts with their bases and members, by the grammar alone.

mod read;
#[cfg(test)]
mod tests;

pub use read::read_type;

use crate::text::Span;

/// One source file.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    pub imports: Vec<Import>,
    pub contracts: Vec<Contract>,
    /// What stands outside of all contracts.
    pub free: Members,
}

/// One import directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The path as it is written.
    pub source: String,
    pub at: usize,
    pub names: ImportedNames,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportedNames {
    /// `import "a.sol"`
    All,
    /// `import "a.sol" as M`, `import * as M from "a.sol"`
    Module(String),
    /// `import {A as B} from "a.sol"`: the name there, the name here.
    Some(Vec<(String, String)>),
}

/// A contract, an interface or a library.
#[derive(Debug, Clone)]
pub struct Contract {
    pub name: String,
    /// Where its name stands.
    pub at: usize,
    pub span: Span,
    pub kind: ContractKind,
    /// The paths of its bases as they are written, in order.
    pub bases: Vec<Vec<String>>,
    pub members: Members,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContractKind {
    Contract,
    Abstract,
    Interface,
    Library,
}

/// What a contract or a file declares.
#[derive(Debug, Clone, Default)]
pub struct Members {
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    pub types: Vec<TypeDefinition>,
    pub events: Vec<Signed>,
    pub errors: Vec<Signed>,
    pub usings: Vec<Using>,
}

/// A function, or what is written like one.
#[derive(Debug, Clone)]
pub struct Function {
    pub kind: FunctionKind,
    /// `constructor`, `receive` and `fallback` are called by their keyword.
    pub name: String,
    /// Where the name or the keyword stands.
    pub at: usize,
    pub span: Span,
    /// Everything before the body.
    pub head: Span,
    /// The number of the body's node, where there is one.
    pub body: Option<usize>,
    /// The number of the definition's own node.
    pub node: usize,
    pub params: Vec<Param>,
    pub returns: Vec<Param>,
    pub visibility: Visibility,
    pub mutability: Mutability,
    pub modifiers: Vec<Invocation>,
    pub is_virtual: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FunctionKind {
    Function,
    Constructor,
    Receive,
    Fallback,
    Modifier,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    External,
    Public,
    Internal,
    Private,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutability {
    Pure,
    View,
    Nonpayable,
    Payable,
}

/// A modifier, or a base's constructor, in the head of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    pub path: Vec<String>,
    /// With its arguments.
    pub text: String,
    pub at: usize,
    pub node: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    pub name: Option<String>,
    pub of: TypeName,
    /// `memory`, `storage` or `calldata`.
    pub location: Option<String>,
}

/// A state variable, or a constant of a file.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub at: usize,
    pub span: Span,
    pub of: TypeName,
    pub visibility: Visibility,
    pub storage: Storage,
    /// The number of the node of its first value.
    pub value: Option<usize>,
    /// Everything before the value.
    pub head: Span,
}

/// Where a variable of a contract is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    State,
    Transient,
    Immutable,
    Constant,
}

/// A struct, an enum or a user-defined value type.
#[derive(Debug, Clone)]
pub struct TypeDefinition {
    pub name: String,
    pub at: usize,
    pub span: Span,
    pub shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Struct(Vec<Param>),
    Enum(Vec<String>),
    Value(TypeName),
}

/// An event or an error.
#[derive(Debug, Clone)]
pub struct Signed {
    pub name: String,
    pub at: usize,
    pub span: Span,
    pub params: Vec<Param>,
}

/// `using A for T`, `using {f, A.g} for T global`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Using {
    pub names: Vec<Vec<String>>,
    pub is_list: bool,
    /// Nothing is `*`.
    pub of: Option<TypeName>,
}

/// A type as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeName {
    /// `uint` is `uint256`, `address payable` is `address`.
    Elementary(String),
    Named(Vec<String>),
    Mapping(Box<TypeName>, Box<TypeName>),
    /// With the length as it is written, where it is fixed.
    Array(Box<TypeName>, Option<String>),
    /// A function's type, with the types of what it returns.
    Function(Vec<TypeName>),
    /// What the grammar could not read, or what nests without end.
    Unknown,
}

impl Unit {
    /// Returns the members of every contract, and then what stands outside of all.
    pub fn members(&self) -> impl Iterator<Item = &Members> {
        self.contracts.iter().map(|contract| &contract.members).chain([&self.free])
    }
}

impl Contract {
    pub fn constructor(&self) -> Option<&Function> {
        self.members.functions.iter().find(|function| function.kind == FunctionKind::Constructor)
    }
}

impl ContractKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Abstract => "abstract",
            Self::Interface => "interface",
            Self::Library => "library",
        }
    }
}

impl FunctionKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Constructor => "constructor",
            Self::Receive => "receive",
            Self::Fallback => "fallback",
            Self::Modifier => "modifier",
        }
    }
}

impl Visibility {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Private => "private",
        }
    }
}

impl Mutability {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::View => "view",
            Self::Nonpayable => "nonpayable",
            Self::Payable => "payable",
        }
    }

    /// Tells whether the state may change.
    pub fn is_changing(self) -> bool {
        matches!(self, Self::Nonpayable | Self::Payable)
    }
}

impl TypeName {
    /// Writes the type without spaces, as signatures do.
    pub fn written(&self) -> String {
        match self {
            Self::Elementary(name) => name.clone(),
            Self::Named(path) => path.join("."),
            Self::Mapping(key, value) => format!("mapping({} => {})", key.written(), value.written()),
            Self::Array(of, length) => format!("{}[{}]", of.written(), length.as_deref().unwrap_or_default()),
            Self::Function(_) => "function".to_owned(),
            Self::Unknown => "?".to_owned(),
        }
    }
}
