//! The errors of the floors below, by what the caller can do about them.

use std::collections::BTreeSet;
use std::io;

use super::{ErrorKind, ToolError};
use crate::actions::ActionError;
use crate::inspect::{InspectError, LANGUAGES, language_name};
use crate::lsp::provision::ProvisionError;
use crate::lsp::{ConfigError, LspError};
use crate::plan::PlanError;
use crate::refactor::Refusal;
use crate::refactor::params::option;
use crate::refactor::refusal::Overruled;
use crate::render::ReadPlanError;
use crate::session::SessionError;
use crate::text::PathError;
use crate::workspace::apply::ApplyError;
use crate::workspace::{DirsError, NamedRootError, OpenError, OutsideRoot, ReadError, TooLarge};

const UNTYPED: &str = "`untyped` (`--untyped`) takes calls of unknown type along, in refactorings that have it";
const FORCE: &str = "`force` (`--force`) goes on in spite of it, with a warning";
const JOURNAL: &str = "compare the named files with their saved content before anything else is applied";
const NOT_UTF8: &str = "convert the file to UTF-8, then ask again";
const NETWORK: &str = "check the network and the proxy settings of the installer that is named, then ask again";
const PROJECT: &str = "give a project's directory as projectRoot (`--project`)";
const DOCTOR: &str = "run `lspwright doctor` to see which servers are there and how to fix them";

impl From<PathError> for ToolError {
    fn from(error: PathError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<NamedRootError> for ToolError {
    fn from(error: NamedRootError) -> Self {
        Self::invalid(error.to_string()).hint(
            "name the root by an absolute path, `~/…`, or a `file:` URI; relative ones count from the client's root",
        )
    }
}

impl From<OpenError> for ToolError {
    fn from(error: OpenError) -> Self {
        let message = error.to_string();
        match error {
            OpenError::TooLarge(error) => error.into(),
            OpenError::FileSystem { .. } => Self::invalid(message).hint(PROJECT),
            OpenError::Home { .. } => Self::invalid(message)
                .hint(PROJECT)
                .hint("a home folder is a project only where it holds the file of one, such as `pyproject.toml`"),
            OpenError::Io { .. } | OpenError::NotADirectory { .. } | OpenError::Path(_) => {
                Self::invalid(message).hint("projectRoot (`--project`) is the absolute path of an existing directory")
            }
        }
    }
}

impl From<TooLarge> for ToolError {
    fn from(error: TooLarge) -> Self {
        Self::new(ErrorKind::Refused, error.to_string())
            .hint(PROJECT)
            .hint("list what is not the project's own in `.gitignore`: it is left out then")
    }
}

impl From<OutsideRoot> for ToolError {
    fn from(error: OutsideRoot) -> Self {
        let hint = match &error {
            OutsideRoot::Leaves { .. } => "name a projectRoot (`--project`) that holds the file",
            OutsideRoot::Unknown { .. } => "check that the path exists and can be read",
        };
        Self::new(ErrorKind::OutsideRoot, error.to_string()).hint(hint)
    }
}

impl From<ReadError> for ToolError {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        match error {
            ReadError::Outside(outside) => outside.into(),
            ReadError::Missing { .. } => {
                Self::invalid(message).hint("paths are absolute, or relative to the project root")
            }
            ReadError::NotUtf8 { .. } => Self::new(ErrorKind::Refused, message).hint(NOT_UTF8),
            ReadError::Io { source, .. } if is_no_text(&source) => {
                Self::new(ErrorKind::Refused, message).hint("only regular files of at most 64 MiB are read")
            }
            ReadError::Io { .. } => Self::new(ErrorKind::Environment, message),
        }
    }
}

/// Tells whether what stands there is no text that could be read: a pipe, a device, or huge.
fn is_no_text(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge)
}

impl From<InspectError> for ToolError {
    fn from(error: InspectError) -> Self {
        let message = error.to_string();
        match error {
            InspectError::Outside(error) => error.into(),
            InspectError::Read(error) => error.into(),
            InspectError::Path(error) => error.into(),
            InspectError::TreeTooLarge(error) => error.into(),
            InspectError::Stopped => Self::cancelled(),
            InspectError::Config { .. } => Self::invalid(message),
            InspectError::NoFile { .. } => Self::invalid(message).hint("name a file or a directory"),
            InspectError::TooLarge { .. } => Self::new(ErrorKind::Refused, message)
                .hint("files of this size are left out; name a directory or another file"),
            InspectError::UnknownLanguage { .. } => {
                let known: BTreeSet<&str> = LANGUAGES.into_iter().map(language_name).collect();
                let known: Vec<&str> = known.into_iter().collect();
                Self::new(ErrorKind::LanguageNotSupported, message)
                    .hint(format!("these are: {}", known.join(", ")))
                    .hint("name a directory, and the files in these languages are looked into")
            }
        }
    }
}

impl From<ActionError> for ToolError {
    fn from(error: ActionError) -> Self {
        const OTHERS: &str = "listCodeActions (`lspwright actions TARGET`) tells what there is";
        let message = error.to_string();
        let refused = || Self::new(ErrorKind::Refused, message.clone());
        match error {
            ActionError::NotOffered { offered, .. } => {
                let known: Vec<String> = offered.iter().take(10).map(|title| format!("`{title}`")).collect();
                let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
                Self::invalid(message).hint(format!("there is {known}")).hint(OTHERS)
            }
            ActionError::Ambiguous { ids, .. } => {
                Self::invalid(message).hint(format!("name it by its id: {}", ids.join(", ")))
            }
            ActionError::Disabled { .. } | ActionError::NoEdit { .. } => refused().hint(OTHERS),
            ActionError::EditsOutside { .. } => {
                refused().hint("name a projectRoot (`--project`) that holds every file")
            }
            ActionError::NobodyAsked { .. } => Self::new(ErrorKind::ServerMissing, message).hint(DOCTOR),
            ActionError::NoLanguage(_) => Self::new(ErrorKind::LanguageNotSupported, message)
                .hint("files in the languages of `lspwright servers list` can be asked about"),
            ActionError::List(_) => Self::new(ErrorKind::Environment, message),
            ActionError::Outside(error) => error.into(),
            ActionError::Session(error) => error.into(),
            ActionError::Read(error) => error.into(),
            ActionError::Plan(error) => error.into(),
        }
    }
}

impl From<DirsError> for ToolError {
    fn from(error: DirsError) -> Self {
        Self::new(ErrorKind::Environment, error.to_string())
            .hint("set `HOME`, or `XDG_CACHE_HOME`, `XDG_STATE_HOME` and `XDG_CONFIG_HOME`")
    }
}

impl From<ConfigError> for ToolError {
    fn from(error: ConfigError) -> Self {
        Self::new(ErrorKind::Environment, error.to_string())
            .hint("fix servers.toml or the variable that is named; `lspwright servers list` shows the outcome")
    }
}

impl From<LspError> for ToolError {
    fn from(error: LspError) -> Self {
        let message = error.to_string();
        let failed = |kind| Self::new(kind, message);
        match error {
            LspError::Missing { server, .. } => {
                failed(ErrorKind::ServerMissing).hint(format!("run `lspwright servers install {server}`")).hint(DOCTOR)
            }
            LspError::StartFailed { .. } => failed(ErrorKind::ServerMissing).hint(DOCTOR),
            LspError::Died { too_often: Some(_), .. } => failed(ErrorKind::ServerFailed)
                .hint("fix the cause, then ask again, or start lspwright anew")
                .hint(DOCTOR),
            LspError::ShutDown { .. } => failed(ErrorKind::ServerFailed).hint("start lspwright anew").hint(DOCTOR),
            LspError::Died { .. } => {
                failed(ErrorKind::ServerFailed).hint("ask again: the server is started anew").hint(DOCTOR)
            }
            LspError::NotReady { server, .. }
            | LspError::TimedOut { server, .. }
            | LspError::Unheard { server, .. } => {
                let hint =
                    format!("raise `timeouts` of `servers.{server}` in servers.toml, or exclude generated files");
                failed(ErrorKind::TimedOut).hint("ask again: a warm server answers faster").hint(hint)
            }
            LspError::Cancelled { .. } => failed(ErrorKind::ServerFailed).hint("ask again"),
            LspError::Refused { .. } | LspError::BadAnswer { .. } => failed(ErrorKind::ServerFailed).hint(DOCTOR),
            LspError::NotOffered { .. } => failed(ErrorKind::ServerMissing)
                .hint("route the language to another server in servers.toml")
                .hint(DOCTOR),
            LspError::Unreadable { .. } => failed(ErrorKind::Refused),
            LspError::NotUtf8 { .. } => failed(ErrorKind::Refused).hint(NOT_UTF8),
            LspError::NoPlace { .. } => failed(ErrorKind::InvalidArguments),
        }
    }
}

impl From<ReadPlanError> for ToolError {
    fn from(error: ReadPlanError) -> Self {
        let message = error.to_string();
        match error {
            ReadPlanError::Summary => {
                Self::invalid(message).hint("apply it by its `planId`, or hand in the file at its `planPath`")
            }
            ReadPlanError::Stale { .. } => {
                Self::new(ErrorKind::Stale, message).hint("nothing was changed; make the plan again")
            }
            ReadPlanError::Refused(_) => Self::new(ErrorKind::Refused, message),
            ReadPlanError::NotAPlan(_) => {
                Self::invalid(message).hint("`lspwright schema plan` prints the JSON Schema of a plan")
            }
            ReadPlanError::NoSuchPlace { .. } => {
                Self::invalid(message).hint("lines and characters are 0-based, characters count UTF-16 units")
            }
            ReadPlanError::Unreadable(_) => Self::invalid(message)
                .hint("a plan names files, never a directory")
                .hint("name the project (`--project`) that the plan was made for"),
            ReadPlanError::NoBasis { .. } => Self::invalid(message)
                .hint("`basis` has the path and the SHA-256 hash of every file that the plan edits, moves or deletes"),
            _ => Self::invalid(message),
        }
    }
}

impl From<SessionError> for ToolError {
    fn from(error: SessionError) -> Self {
        let message = error.to_string();
        match error {
            SessionError::Open(error) => error.into(),
            SessionError::Recover(error) => error.into(),
            SessionError::NoServer { .. } => Self::new(ErrorKind::ServerMissing, message)
                .hint("name a server for the language in servers.toml")
                .hint(DOCTOR),
            SessionError::NotAsked => Self::new(ErrorKind::Internal, message),
            SessionError::Provision(error) => error.into(),
            SessionError::Server(error) => error.into(),
        }
    }
}

impl From<ProvisionError> for ToolError {
    fn from(error: ProvisionError) -> Self {
        let failed = Self::new(ErrorKind::ServerMissing, error.to_string());
        match error {
            ProvisionError::Installing { server, .. } => Self::new(ErrorKind::ServerInstalling, failed.message)
                .hint("ask again in half a minute: the installation goes on")
                .hint(format!("or wait for it in a shell: `lspwright servers install {server}`")),
            ProvisionError::Shared(error) => match &*error {
                ProvisionError::InstallFailed { server, .. } => failed.hint(NETWORK).hint(own_command(server.as_str())),
                _ => failed.hint(DOCTOR),
            },
            ProvisionError::ToolMissing { tool, .. } => failed.hint(tool.hint()),
            ProvisionError::Forbidden { server, .. } => failed
                .hint(format!("run `lspwright servers install {server}` without `--offline` and `LSPWRIGHT_INSTALL`")),
            ProvisionError::NotFound { server, .. } => failed.hint(own_command(server.as_str())).hint(DOCTOR),
            ProvisionError::InstallFailed { server, .. } => failed.hint(NETWORK).hint(own_command(server.as_str())),
            ProvisionError::Untrusted { .. } => {
                failed.hint("start lspwright with `--trust-project` if you trust the project").hint(DOCTOR)
            }
            ProvisionError::Hollow { .. }
            | ProvisionError::Placeholder { .. }
            | ProvisionError::NoInstall { .. }
            | ProvisionError::Disk { .. }
            | ProvisionError::PyrightConfig(_) => failed.hint(DOCTOR),
        }
    }
}

fn own_command(server: &str) -> String {
    let variable = server.to_ascii_uppercase().replace('-', "_");
    format!("or name your own installation: `LSPWRIGHT_{variable}_COMMAND=\"/path/to/server --stdio\"`")
}

impl From<PlanError> for ToolError {
    fn from(error: PlanError) -> Self {
        Self::new(ErrorKind::Refused, error.to_string())
    }
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        let refused = || Self::new(ErrorKind::Refused, message.clone());
        match refusal {
            Refusal::Session(error) => error.into(),
            Refusal::Read(error) => error.into(),
            Refusal::Outside(error) => error.into(),
            Refusal::NoSuchPlace { .. } => Self::invalid(message),
            Refusal::Ambiguous { candidates, .. } | Refusal::NotFound { candidates, .. } => candidates
                .into_iter()
                .fold(Self::invalid(message), |error, one| error.hint(format!("did you mean {one}?"))),
            Refusal::NoName { .. } => refused().hint("point at the first character of a name, or name it by `target`"),
            Refusal::NotExpected { .. } => refused().hint("the file may have changed: look at it again"),
            Refusal::BadName(_) => refused().hint("choose another name"),
            Refusal::Reserved { .. } => {
                refused().hint("it keeps its name; move what it does into a method of your own, and call that")
            }
            Refusal::SameName(_) => refused().hint("there is nothing to do"),
            Refusal::ModuleName { .. } => refused().hint("move the file: planFileMove (`lspwright move OLD NEW`)"),
            Refusal::DeclaredOutside { .. }
            | Refusal::OverridesOutside { .. }
            | Refusal::RelatedOutside { .. }
            | Refusal::Unresolved { .. } => refused().hint("only what the project itself declares can be renamed"),
            Refusal::Taken { .. } => {
                let anyway = "where the result is still meant, planRenameSymbol (`lspwright rename`) goes on with `force` \
                              (`--force`)";
                refused().hint("choose another name").hint(anyway)
            }
            Refusal::EditsOutside { .. } => refused().hint("name a projectRoot (`--project`) that holds every use"),
            Refusal::NothingFound { .. } | Refusal::NotCarriedOut { .. } | Refusal::BadAnswer { .. } => {
                refused().hint(DOCTOR)
            }
            Refusal::Several(all) => {
                let doubts = all.iter().filter(|one| one.overruled() == Overruled::Force).count();
                let part = (1..all.len()).contains(&doubts);
                let all: Vec<Self> = all.into_iter().map(Self::from).collect();
                let hints: BTreeSet<String> = all.into_iter().flat_map(|one| one.hints).collect();
                let hints = hints.into_iter().map(|hint| match part && hint == FORCE {
                    true => format!("`force` (`--force`) overrules {doubts} of them; the others stay"),
                    false => hint,
                });
                hints.fold(refused(), Self::hint)
            }
            Refusal::ServerRefused { .. } => {
                refused().hint("the reason is the server's own: name the declaration, or another place")
            }
            Refusal::Plan(_) => refused().hint(DOCTOR),
            Refusal::CannotMove(_) | Refusal::NotPossible(_) | Refusal::Stands { .. } | Refusal::BadResult { .. } => {
                refused()
            }
            Refusal::Missing { param, .. } => refused().hint(format!("give it as `{param}` (`--{}`)", option(param))),
            Refusal::Doubt { .. } => refused().hint(FORCE),
            Refusal::Untyped { .. } => refused().hint(FORCE).hint(UNTYPED),
            Refusal::Unavailable { .. } => {
                refused().hint("list_refactorings (`lspwright refactor --list`) tells what there is")
            }
        }
    }
}

impl From<ApplyError> for ToolError {
    fn from(error: ApplyError) -> Self {
        let message = error.to_string();
        let refused = |kind| Self::new(kind, message.clone()).hint("nothing was changed");
        match error {
            ApplyError::Stale { .. } => refused(ErrorKind::Stale).hint("make the plan again"),
            ApplyError::TargetExists { .. } => {
                refused(ErrorKind::Refused).hint("move what is there away, or choose another target")
            }
            ApplyError::BelowFile { .. } | ApplyError::SameFile { .. } => refused(ErrorKind::Refused),
            ApplyError::VersionControl { .. } => {
                refused(ErrorKind::Refused).hint("leave these files to the version control's own commands")
            }
            ApplyError::Overtaken { .. } => Self::new(ErrorKind::Stale, message)
                .hint("make the plan again when these files are no longer being saved"),
            ApplyError::ReadOnly { .. } => refused(ErrorKind::Refused).hint("make the files writable"),
            ApplyError::Outside(error) => error.into(),
            ApplyError::Busy { .. } => {
                refused(ErrorKind::Environment).hint("wait for the other process, then try again")
            }
            ApplyError::NothingToUndo | ApplyError::NotApplied { .. } => Self::new(ErrorKind::Refused, message),
            ApplyError::Journal { .. } => Self::new(ErrorKind::Environment, message).hint(JOURNAL),
            ApplyError::Failed(_) => {
                Self::new(ErrorKind::Environment, message).hint("free space or change the permissions, then try again")
            }
            ApplyError::Unrestored { .. } => Self::new(ErrorKind::Environment, message).hint(JOURNAL),
            ApplyError::Path(error) => error.into(),
            ApplyError::Plan(error) => error.into(),
        }
    }
}
