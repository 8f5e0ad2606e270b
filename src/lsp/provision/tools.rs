//! The programs that servers and their installers need from the machine.

use std::fmt;
use std::path::PathBuf;

use super::super::environment::Environment;

/// A program that lspwright does not install itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    Node,
    Npm,
    Python,
    Pip,
    Cargo,
    Rustup,
}

impl Tool {
    pub const ALL: [Self; 6] = [Self::Node, Self::Npm, Self::Python, Self::Pip, Self::Cargo, Self::Rustup];

    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Npm => "npm",
            Self::Python => "python3",
            Self::Pip => "pip",
            Self::Cargo => "cargo",
            Self::Rustup => "rustup",
        }
    }

    /// Says how a user gets it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Node => "install Node.js 20 or newer from nodejs.org or your package manager",
            Self::Npm => "install npm; it comes with Node.js, on Debian and Ubuntu as the package `npm`",
            Self::Python => "install Python 3.9 or newer from python.org or your package manager",
            Self::Pip => "install pip: `python3 -m ensurepip`, on Debian and Ubuntu the package `python3-pip`",
            Self::Cargo | Self::Rustup => "install Rust with rustup, see rustup.rs",
        }
    }
}

/// Returns the words that run a tool: usually one program.
pub fn find_tool(tool: Tool, environment: &Environment) -> Option<Vec<String>> {
    let on_path = |name: &str| environment.find_program(name).and_then(word).map(|program| vec![program]);
    match tool {
        Tool::Node | Tool::Cargo | Tool::Rustup => on_path(tool.name()),
        Tool::Npm if cfg!(windows) => npm_beside_node(environment),
        Tool::Npm => on_path("npm"),
        Tool::Python => on_path("python3").or_else(|| on_path("python")),
        Tool::Pip => {
            let mut words = find_tool(Tool::Python, environment)?;
            words.extend(["-m", "pip"].map(str::to_owned));
            Some(words)
        }
    }
}

/// Finds npm's own script, since `npm` is a `.cmd` shim on Windows, which takes no arguments safely.
fn npm_beside_node(environment: &Environment) -> Option<Vec<String>> {
    let node = environment.find_program("node")?;
    let script = node.parent()?.join("node_modules/npm/bin/npm-cli.js");
    script.is_file().then_some(())?;
    Some(vec![word(node)?, word(script)?])
}

fn word(path: PathBuf) -> Option<String> {
    path.into_os_string().into_string().ok()
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
