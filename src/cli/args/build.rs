//! What the commands are asked with that say whether a project holds.

use clap::Args;

pub(in crate::cli) const CHECK_CODES: &str = "\
Exit codes: 0 no error, 1 errors, 3 no error was found and not all could be looked at";

#[derive(Debug, Args)]
pub(in crate::cli) struct Check {
    /// The file or directory [default: the project]
    pub path: Option<String>,
}

pub(in crate::cli) const TEST_CODES: &str = "\
Exit codes: 0 all tests passed or were skipped, 1 tests failed, 3 not all could be run";

#[derive(Debug, Args)]
pub(in crate::cli) struct Test {
    /// The file or directory whose tests are run [default: the project]
    pub path: Option<String>,
    /// Only tests with this in their names
    #[arg(long, short, value_name = "NAME")]
    pub filter: Option<String>,
    /// After so many seconds what still runs is ended
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
}

pub(in crate::cli) const RUN_CODES: &str = "\
Exit codes: 0 it ended with 0, 1 it did not, 3 it could not be run. With `--output json` its own code is told.";

#[derive(Debug, Args)]
pub(in crate::cli) struct Run {
    /// The file, or a directory with a `__main__.py` or a `Cargo.toml`
    pub path: String,
    /// What the program is given
    #[arg(last = true, value_name = "ARG")]
    pub args: Vec<String>,
    /// What it reads on its standard input, which is empty otherwise: a file, or `-` for that of this command
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<String>,
    /// After so many seconds it is ended
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
}

pub(in crate::cli) const COMPILE_CODES: &str = "\
Exit codes: 0 all was compiled without an error, 1 there are errors, 3 not all could be compiled";

#[derive(Debug, Args)]
pub(in crate::cli) struct Compile {
    /// The file or directory [default: the project]
    pub path: Option<String>,
    /// Where what comes of it is put [default: nowhere (tsc), where it is usually put (cargo)]
    #[arg(long, value_name = "DIR")]
    pub to: Option<String>,
    /// After so many seconds it is ended
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Pretty {
    /// A file, a target, or an id
    pub target: String,
}
