//! What the commands are asked with that show what functions touch and call.

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct Entrypoints {
    /// Files, directories or globs
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// solidity, typescript, javascript or python [default: solidity, or what the files are written in]
    #[arg(long)]
    pub language: Option<String>,
    /// List `view` and `pure` functions and getters, too
    #[arg(long)]
    pub include_view: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct FunctionInsights {
    /// The function: contracts/Vault.sol:Vault.withdraw, src/order.py::Order::total
    pub target: String,
    /// Which of several overloads: `withdraw(uint256)`
    #[arg(long)]
    pub signature: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Callgraph {
    /// Files, directories or globs
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// The function to begin with: Vault.withdraw
    #[arg(long, value_name = "FUNCTION")]
    pub root: Option<String>,
    /// How many calls in a row are followed
    #[arg(long)]
    pub depth: Option<usize>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Views {
    /// Files, directories or globs
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
}
