//! MCP clients, and the entry in the configuration of each that starts `lspwright serve`.

use std::path::Path;

use serde_json::{Value, json};

use super::one_file::{changed, created, deleted};
use super::{Context, ErrorKind, Planned, ToolError};
use crate::plan::Plan;
use crate::syntax::json::{Dialect, Edited, Operation, Query, Refusal, edited};
use crate::text::AbsPath;

/// A program that calls MCP servers.
#[derive(Debug)]
pub struct Client {
    pub name: &'static str,
    pub title: &'static str,
    /// Where its configuration is: in a project, relative to the root.
    pub in_project: Option<&'static str>,
    /// Relative to the home directory.
    pub in_home: Option<&'static str>,
    form: Form,
    /// What to do where it has no configuration of the kind that was asked for.
    otherwise: &'static str,
}

/// How an entry is written.
#[derive(Debug)]
enum Form {
    /// A member of the named object.
    Json(&'static str, fn() -> Value),
    /// A table of TOML, `[mcp_servers.lspwright]`.
    Toml,
}

const NAME: &str = "lspwright";
/// A check of a large plan takes longer than clients wait by themselves.
const TIMEOUT: i64 = 300;

/// All clients that are known, in the order in which they are told.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "claude",
        title: "Claude Code",
        in_project: Some(".mcp.json"),
        in_home: None,
        form: Form::Json("mcpServers", || json!({ "command": NAME, "args": ["serve"] })),
        otherwise: "for all projects: `claude mcp add --scope user lspwright -- lspwright serve`",
    },
    Client {
        name: "codex",
        title: "Codex",
        in_project: Some(".codex/config.toml"),
        in_home: Some(".codex/config.toml"),
        form: Form::Toml,
        otherwise: "",
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        in_project: Some(".gemini/settings.json"),
        in_home: Some(".gemini/settings.json"),
        form: Form::Json("mcpServers", || json!({ "command": NAME, "args": ["serve"], "timeout": TIMEOUT * 1000 })),
        otherwise: "",
    },
    Client {
        name: "vscode",
        title: "VS Code",
        in_project: Some(".vscode/mcp.json"),
        in_home: None,
        form: Form::Json(
            "servers",
            || json!({ "type": "stdio", "command": NAME, "args": ["serve", "--project", "${workspaceFolder}"] }),
        ),
        otherwise: "for all projects: the command `MCP: Open User Configuration` opens the file; the entry is the same",
    },
    Client {
        name: "cursor",
        title: "Cursor",
        in_project: Some(".cursor/mcp.json"),
        in_home: Some(".cursor/mcp.json"),
        form: Form::Json("mcpServers", || json!({ "command": NAME, "args": ["serve"] })),
        otherwise: "",
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        in_project: None,
        in_home: Some(".codeium/windsurf/mcp_config.json"),
        form: Form::Json("mcpServers", || json!({ "command": NAME, "args": ["serve"] })),
        otherwise: "Windsurf has one configuration for all projects: give `--user`",
    },
    Client {
        name: "zed",
        title: "Zed",
        in_project: Some(".zed/settings.json"),
        in_home: Some(".config/zed/settings.json"),
        form: Form::Json(
            "context_servers",
            || json!({ "source": "custom", "command": NAME, "args": ["serve"], "env": {} }),
        ),
        otherwise: "",
    },
    Client {
        name: "opencode",
        title: "OpenCode",
        in_project: Some("opencode.json"),
        in_home: Some(".config/opencode/opencode.json"),
        form: Form::Json("mcp", || json!({ "type": "local", "command": [NAME, "serve"], "enabled": true })),
        otherwise: "",
    },
];

/// Whose configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Project,
    User,
}

/// What becomes of the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    Written,
    Removed,
}

/// Finds a client by its name.
pub fn client(name: &str) -> Result<&'static Client, ToolError> {
    CLIENTS.iter().find(|client| client.name == name).ok_or_else(|| {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        ToolError::invalid(format!("no client is called `{name}`"))
            .hint(format!("there are {}", names.join(", ")))
            .hint("any other client takes the command `lspwright` with the argument `serve`")
    })
}

/// Plans what a client's configuration becomes: in `root`, which is the project or the user's home.
pub async fn plan(
    context: &Context,
    client: &Client,
    root: &AbsPath,
    (scope, wish): (Scope, Wish),
) -> Result<Planned, ToolError> {
    let below = match scope {
        Scope::Project => client.in_project,
        Scope::User => client.in_home,
    };
    let Some(below) = below else {
        let whose = if scope == Scope::User { "for a user" } else { "in a project" };
        let error = ToolError::invalid(format!("{} has no configuration {whose} that can be written", client.title));
        return Err(error.hint(client.otherwise));
    };
    let file = root.join(below)?;
    // A home is no project: of it only the client's own directory is looked at.
    let opened = if scope == Scope::User { directory(client, &file)? } else { root.clone() };
    let project = context.project(opened.as_str()).await?;
    let plan = if file.as_path().exists() {
        let text = project.session().disk().read(&file)?;
        match changed_text(client, text.as_str(), wish).map_err(|why| unreadable(&file, &why))? {
            Some(after) => changed(&file, text, &after)?,
            None => deleted(&file, text)?,
        }
    } else if wish == Wish::Written {
        created(&file, &new_text(client))?
    } else {
        Plan::default()
    };
    Planned::made(project, plan)
}

fn directory(client: &Client, file: &AbsPath) -> Result<AbsPath, ToolError> {
    let directory = file.as_path().parent().filter(|directory| directory.is_dir());
    let Some(directory) = directory.and_then(Path::to_str) else {
        let error = ToolError::invalid(format!(
            "{} keeps its configuration in `{file}`, and there is no such directory",
            client.title
        ));
        return Err(
            error.hint(format!("start {} once; without `--user` the project's configuration is written", client.title))
        );
    };
    Ok(AbsPath::new(directory)?)
}

fn unreadable(file: &AbsPath, why: &str) -> ToolError {
    ToolError::new(ErrorKind::Refused, format!("`{file}` is not understood: {why}"))
        .hint("fix the file, or write the entry by hand; see docs/agents.md")
}

/// Returns a configuration that holds nothing but the entry.
fn new_text(client: &Client) -> String {
    match &client.form {
        Form::Json(object, entry) => format!("{:#}\n", json!({ *object: { NAME: entry() } })),
        Form::Toml => toml_entry().to_string(),
    }
}

/// Returns a configuration after the wish; `None` where nothing would be left of it.
fn changed_text(client: &Client, text: &str, wish: Wish) -> Result<Option<String>, String> {
    match &client.form {
        Form::Json(object, entry) => json_text(text, object, (wish == Wish::Written).then(entry)),
        Form::Toml => toml_text(text, wish),
    }
}

fn json_text(text: &str, object: &str, entry: Option<Value>) -> Result<Option<String>, String> {
    let whole = format!("$['{object}']");
    let own = format!("{whole}['{NAME}']");
    let told = |refusal: Refusal| refusal.to_string();
    let Some(entry) = entry else {
        let without = attempt(text, &own, &Operation::Remove).map_err(told)?;
        let Some(without) = without else { return Ok(Some(text.to_owned())) };
        // What stood around the entry alone goes with it.
        let read: Value = serde_json::from_str(&without).unwrap_or(Value::Null);
        if read.get(object).is_some_and(|rest| rest == &json!({})) {
            let rest = attempt(&without, &whole, &Operation::Remove).map_err(told)?;
            return Ok(rest.filter(|rest| serde_json::from_str::<Value>(rest).ok() != Some(json!({}))));
        }
        return Ok(Some(without));
    };
    if let Some(set) = attempt(text, &own, &Operation::Set(entry.clone())).map_err(told)? {
        return Ok(Some(set));
    }
    if let Some(added) = attempt(text, &own, &Operation::Add(entry.clone())).map_err(told)? {
        return Ok(Some(added));
    }
    attempt(text, &whole, &Operation::Add(json!({ NAME: entry }))).map_err(told)
}

/// Changes a value; `None` where the path leads nowhere.
fn attempt(text: &str, path: &str, operation: &Operation) -> Result<Option<String>, Refusal> {
    let Ok(query) = Query::parse(path) else { return Ok(None) };
    match edited(text, Dialect::Json, &query, operation) {
        Ok(Edited { text, .. }) => Ok(Some(text)),
        Err(Refusal::Nowhere { .. }) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

const SERVERS: &str = "mcp_servers";

fn toml_entry() -> toml_edit::DocumentMut {
    let mut servers = toml_edit::Table::new();
    servers.set_implicit(true);
    let mut entry = toml_edit::Table::new();
    entry["command"] = toml_edit::value(NAME);
    entry["args"] = toml_edit::value(toml_edit::Array::from_iter(["serve"]));
    entry["tool_timeout_sec"] = toml_edit::value(TIMEOUT);
    servers.insert(NAME, toml_edit::Item::Table(entry));
    let mut document = toml_edit::DocumentMut::new();
    document.insert(SERVERS, toml_edit::Item::Table(servers));
    document
}

fn toml_text(text: &str, wish: Wish) -> Result<Option<String>, String> {
    let mut document: toml_edit::DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let servers = document.get_mut(SERVERS).map(|item| item.as_table_like_mut().ok_or(())).transpose();
    let servers = servers.map_err(|()| format!("`{SERVERS}` is not a table"))?;
    match (wish, servers) {
        (Wish::Removed, None) => {}
        (Wish::Removed, Some(servers)) => {
            servers.remove(NAME);
            if servers.is_empty() {
                document.remove(SERVERS);
            }
            return Ok(Some(document.to_string()).filter(|left| !left.trim().is_empty()));
        }
        (Wish::Written, Some(servers)) => {
            let entry = toml_entry()[SERVERS][NAME].clone();
            servers.insert(NAME, entry);
        }
        (Wish::Written, None) => {
            document.insert(SERVERS, toml_entry()[SERVERS].clone());
        }
    }
    Ok(Some(document.to_string()))
}

#[cfg(test)]
mod tests;
