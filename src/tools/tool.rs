//! One tool, as the table has it.

use futures::future::BoxFuture;
use serde_json::{Value, json};

use super::answer::{Answer, Form, PAGE};
use super::context::Context;
use super::error::ToolError;

/// One tool.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// For agents, who pay for every word of it.
    pub description: &'static str,
    pub toolset: Toolset,
    pub effect: Effect,
    pub input: fn() -> Value,
    pub form: Form,
    pub run: Run,
}

impl Tool {
    /// Tells whether its answers can be asked for in parts: those of the coding tools keep to a size of their own.
    pub fn is_paged(&self) -> bool {
        self.effect == Effect::Reads && self.toolset != Toolset::Coding
    }

    /// Returns the schema of the arguments, those of all tools included whose answers can be asked for in parts.
    pub fn arguments(&self) -> Value {
        let mut schema = (self.input)();
        if self.is_paged() {
            for (name, kind) in PAGE {
                schema["properties"][name] = json!({ "type": kind });
            }
        }
        schema
    }
}

/// Arguments in, the answer out.
pub(super) type Run = for<'a> fn(&'a Context, Value) -> BoxFuture<'a, Result<Answer, ToolError>>;

/// What a call does to the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// Writes to files of the project; what it does can be undone.
    Writes,
    /// Runs what the caller says: it may do anything, anywhere, and nothing of it can be undone.
    Runs,
}

/// A group of tools that is switched on and off as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolset {
    Inspect,
    Plan,
    Audit,
    Build,
    Refactor,
    Coding,
    Explore,
    Write,
}

impl Toolset {
    pub const ALL: [Self; 8] =
        [Self::Audit, Self::Build, Self::Coding, Self::Explore, Self::Inspect, Self::Plan, Self::Refactor, Self::Write];
    /// Those that are on unless others are asked for.
    /// The audit tools join them where there is Solidity.
    pub const DEFAULT: [Self; 3] = [Self::Inspect, Self::Plan, Self::Refactor];
    /// Those that can be called without being asked for: what runs commands is not among them, nor what an agent that plans
    /// has no need of.
    pub const UNASKED: [Self; 4] = [Self::Audit, Self::Inspect, Self::Plan, Self::Refactor];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::Plan => "plan",
            Self::Audit => "audit",
            Self::Build => "build",
            Self::Refactor => "refactor",
            Self::Coding => "coding",
            Self::Explore => "explore",
            Self::Write => "write",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|toolset| toolset.as_str() == name)
    }
}
