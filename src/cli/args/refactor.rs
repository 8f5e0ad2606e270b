//! The words of `refactor`, and those by which other programs call it.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};

use super::Writing;
use crate::refactor::catalog;
use crate::refactor::params::{Kind, Param, option};

#[derive(Debug, Args)]
pub(in crate::cli) struct Refactor {
    /// Its name in the catalog (`--list` shows them); without it, what could be done at TARGET is listed
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "steps"])]
    pub refactoring: Option<String>,
    /// What to refactor; see below
    pub target: Option<String>,
    /// Several as one plan: a file (- for stdin) with a JSON array of {refactoring, target, params}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["refactoring", "target", "list"])]
    pub steps: Option<String>,
    /// List the catalog: names, parameters, and who can carry them out
    #[arg(long)]
    pub list: bool,
    /// With --list: for this language
    #[arg(long, value_name = "ID", requires = "list")]
    pub language: Option<String>,
    /// With --list: of this category
    #[arg(long, value_name = "NAME", requires = "list")]
    pub category: Option<String>,
    /// List all that stands in its way, and what overrules it; nothing is planned
    #[arg(long, requires = "target", conflicts_with_all = ["steps", "list"])]
    pub explain: bool,
    #[command(flatten)]
    pub params: Params,
    #[command(flatten)]
    pub writing: Writing,
    /// As another program's backend
    #[arg(long, hide = true)]
    pub by_name: bool,
    #[arg(long, hide = true, conflicts_with = "apply")]
    pub dry_run: bool,
}

/// The parameters of all refactorings; which ones fit is for the tool to say.
#[derive(Debug, Default)]
pub(in crate::cli) struct Params(pub Map<String, Value>);

/// Rewrites the calls of catalog clients, `lspwright NAME TARGET …` and `lspwright --list-refactorings`.
pub(in crate::cli) fn spelled_out(mut args: Vec<OsString>) -> Vec<OsString> {
    let first = args.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    if first == "--list-refactorings" {
        args.splice(1..2, ["refactor", "--list"].map(OsString::from));
    } else if first != "rename" && catalog::refactoring(&first).is_some() {
        args.splice(1..2, ["refactor", &first, "--by-name"].map(OsString::from));
    }
    args
}

/// Leaves of the help of `refactor` what bears on the refactoring that it is asked about; all of it where none is named.
pub(in crate::cli) fn narrowed(line: Command, words: &[OsString]) -> Command {
    let mut words = words.iter().skip(1).filter_map(|word| word.to_str());
    if words.next() != Some("refactor") || !words.clone().any(|word| word == "--help" || word == "-h") {
        return line;
    }
    let Some(asked) = words.find_map(catalog::refactoring) else { return line };
    let is_other = |name: &str| {
        let of_catalog = ["refactoring", "list", "language", "category", "steps"].contains(&name);
        let is_param = distinct().iter().any(|param| param.name == name);
        of_catalog || is_param && !asked.params.iter().any(|param| param.name == name)
    };
    let written = asked.params.iter().filter(|param| param.is_required && param.name != "target");
    let required: String = written.map(|param| format!(" --{} …", option(param.name))).collect();
    line.mut_subcommand("refactor", |command| {
        let usage = format!("lspwright refactor {} TARGET{required} [OPTIONS]", asked.name);
        let about = format!("{}. {}.", asked.description, asked.when);
        let command = command.about(&about).long_about(about).override_usage(usage);
        command.mut_args(|arg| match asked.params.iter().find(|param| param.name == arg.get_id().as_str()) {
            Some(param) => arg.help(param.description),
            None if is_other(arg.get_id().as_str()) => arg.hide(true),
            None => arg,
        })
    })
}

/// Returns each parameter of the catalog once.
fn distinct() -> Vec<&'static Param> {
    let mut found: Vec<&'static Param> = Vec::new();
    for param in catalog::catalog().flat_map(|refactoring| refactoring.params) {
        if !found.iter().any(|known| known.name == param.name) {
            found.push(param);
        }
    }
    found
}

impl Args for Params {
    fn augment_args(command: Command) -> Command {
        distinct().into_iter().fold(command, |command, param| {
            let arg = Arg::new(param.name).long(option(param.name)).help(param.description).help_heading("Parameters");
            // As others write it: `--late_import`.
            let other = (option(param.name) != param.name).then_some(param.name);
            let arg = arg.aliases(other).value_name(option(param.name));
            command.arg(match param.kind {
                Kind::Flag => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
                Kind::List => arg.action(ArgAction::Append).value_name("NAME,…"),
                Kind::Name | Kind::Text | Kind::Path | Kind::Target => arg.allow_hyphen_values(true),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Params {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut params = Self::default();
        params.update_from_arg_matches(matches)?;
        Ok(params)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for param in distinct() {
            let Some(given) = matches.get_many::<String>(param.name) else { continue };
            let joined = given.cloned().collect::<Vec<_>>().join(",");
            self.0.insert(param.name.to_owned(), Value::String(joined));
        }
        Ok(())
    }
}
