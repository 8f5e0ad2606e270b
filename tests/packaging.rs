//! What lspwright is handed out as: manifests that say what the crate says, and packages that install and start.

use std::env::consts::{ARCH, OS};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::faces::Project;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/package.py");
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// What begins a conversation, in one line.
fn initialize() -> String {
    let client = json!({ "name": "packaging", "version": "0" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string()
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn package(args: &[&str]) -> String {
    succeed(Command::new(PYTHON).arg(SCRIPT).args(args))
}

/// The argument that names this machine's platform, with the program that was built for it.
fn built() -> String {
    let target = match (OS, ARCH) {
        ("linux", "x86_64") => "x86_64-unknown-linux-musl",
        ("linux", _) => "aarch64-unknown-linux-musl",
        ("macos", "x86_64") => "x86_64-apple-darwin",
        ("macos", _) => "aarch64-apple-darwin",
        _ => "x86_64-pc-windows-msvc",
    };
    format!("{target}={}", env!("CARGO_BIN_EXE_lspwright"))
}

/// Starts an installed program: it says its version, passes exit codes on, and serves.
fn starts(program: &mut Command) {
    let again = || {
        let mut command = Command::new(program.get_program());
        command.args(program.get_args()).current_dir(program.get_current_dir().unwrap());
        command
    };
    let version = succeed(again().arg("--version"));
    assert_eq!(version.trim(), concat!("lspwright ", env!("CARGO_PKG_VERSION")));
    assert_eq!(again().arg("no-such-command").output().unwrap().status.code(), Some(2));
    let mut serving = again().arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = serving.stdin.take().unwrap();
    writeln!(stdin, "{}", initialize()).unwrap();
    drop(stdin);
    let output = serving.wait_with_output().unwrap();
    let first = String::from_utf8(output.stdout).unwrap();
    let answer: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    assert_eq!(answer["result"]["serverInfo"]["name"], "lspwright");
    assert!(output.status.success(), "the server ends with its client");
}

#[test]
fn manifests_say_what_the_crate_says() {
    package(&["manifests", "--check"]);
    let targets: Vec<String> = serde_json::from_str(&package(&["targets"])).unwrap();
    let cargo: toml::Value = toml::from_str(include_str!("../Cargo.toml")).unwrap();
    let fetched = cargo["package"]["metadata"]["binstall"]["overrides"].as_table().unwrap();
    let workflow = include_str!("../.github/workflows/release.yml");
    for target in &targets {
        assert!(fetched.contains_key(target), "Cargo.toml does not say where {target} is fetched from");
        assert!(workflow.contains(&format!("target: {target},")), "no release is built for {target}");
    }
}

#[test]
fn an_npm_package_installs_and_starts() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("packed");
    let made = package(&["npm", out.to_str().unwrap(), &built()]);
    let home = dir.path().join("home");
    std::fs::create_dir(&home).unwrap();
    std::fs::write(home.join("package.json"), "{}").unwrap();
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut install = Command::new(npm);
    install.args(["install", "--offline", "--no-audit", "--no-fund"]).args(made.lines());
    succeed(install.current_dir(&home).env("HOME", &home));
    starts(Command::new("node").arg("node_modules/lspwright/bin/lspwright.mjs").current_dir(&home));
}

#[test]
fn an_npm_package_without_its_platform_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let launcher = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/npm/lspwright.mjs");
    std::fs::copy(launcher, dir.path().join("lspwright.mjs")).unwrap();
    let output = Command::new("node").arg("lspwright.mjs").current_dir(&dir).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("is not installed") && told.contains("cargo install lspwright"), "{told}");
}

#[test]
fn a_wheel_installs_and_starts() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("packed");
    let made = package(&["wheel", out.to_str().unwrap(), &built()]);
    let home = dir.path().join("home");
    succeed(Command::new(PYTHON).args(["-m", "venv"]).arg(&home));
    let scripts = home.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let mut install = Command::new(scripts.join("pip"));
    succeed(install.args(["install", "--quiet", "--no-index"]).arg(made.trim()));
    starts(Command::new(scripts.join("lspwright")).current_dir(&home));
}

#[test]
fn an_archive_is_a_gemini_extension() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let made = package(&["archive", out, &built()]);
    succeed(Command::new("tar").args(["-xzf", made.trim(), "-C", out]));
    let manifest = std::fs::read_to_string(dir.path().join("gemini-extension.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let command = manifest["mcpServers"]["lspwright"]["command"].as_str().unwrap();
    let program = command.strip_prefix("${extensionPath}${/}").unwrap();
    starts(Command::new(dir.path().join(program)).current_dir(&dir));
    let context = manifest["contextFileName"].as_str().unwrap();
    let pages = ["man/lspwright-rename.1", "completions/lspwright.bash", "completions/_lspwright"];
    for file in [context, "commands/refactor/rename.toml", "LICENSE"].into_iter().chain(pages) {
        assert!(Path::new(out).join(file).is_file(), "{file}");
    }
}

/// The link by which VS Code installs the server says what `init` writes.
#[test]
fn the_install_link_is_the_entry_of_init() {
    let (_, link) = include_str!("../docs/agents.md").split_once("](vscode:mcp/install?").unwrap();
    let (link, _) = link.split_once(')').unwrap();
    let said = url::form_urlencoded::parse(link.as_bytes()).next().unwrap().0;
    let mut said: Value = serde_json::from_str(&said).unwrap();
    let project = Project::with(&[]);
    std::fs::create_dir_all(project.root()).unwrap();
    assert_eq!(project.run(&["init", "vscode", "--apply"]).code, Some(0));
    let written: Value = serde_json::from_str(&project.text(".vscode/mcp.json")).unwrap();
    assert_eq!(said.as_object_mut().unwrap().remove("name").unwrap(), "lspwright");
    assert_eq!(said, written["servers"]["lspwright"]);
}

/// The hook that the documents suggest for Claude Code tells what an edit has broken, and nothing else.
#[cfg(unix)]
#[test]
fn the_hook_tells_what_an_edit_has_broken() {
    let documents = include_str!("../docs/agents.md");
    let block = documents.split("```json\n").find(|block| block.contains("PostToolUse")).unwrap();
    let hooks: Value = serde_json::from_str(block.split("```").next().unwrap()).unwrap();
    let command = hooks["hooks"]["PostToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    // Not every machine has jq.
    let reading = "jq -r .tool_input.file_path";
    assert!(command.contains(reading), "{command}");
    let command = command
        .replace(reading, "python3 -c 'import json,sys; print(json.load(sys.stdin)[\"tool_input\"][\"file_path\"])'");
    let project =
        Project::with(&[("a.py", "total: int = 'one'\n"), ("b.py", "total: int = 1\n"), ("README.md", "# A\n")]);
    let mut path = std::ffi::OsString::from(Path::new(env!("CARGO_BIN_EXE_lspwright")).parent().unwrap());
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    for (file, code) in [("a.py", 2), ("b.py", 0), ("README.md", 0)] {
        let mut shell = project.program("sh");
        shell.args(["-c", &command]).env("PATH", &path).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut running = shell.spawn().unwrap();
        let said = json!({ "tool_name": "Edit", "tool_input": { "file_path": project.root().join(file) } });
        write!(running.stdin.take().unwrap(), "{said}").unwrap();
        let ended = running.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{file}: {told}");
        assert_eq!(told.contains("a.py:1:"), code == 2, "{file}: {told}");
    }
}

/// What the instructions of clients tell an agent to call can be called.
#[test]
fn instructions_name_tools_that_there_are() {
    let listed = include_str!("golden/tools.json");
    let instructions = [
        include_str!("../packaging/gemini/GEMINI.md"),
        include_str!("../packaging/plugin/skills/rename-and-move/SKILL.md"),
        include_str!("../packaging/plugin/skills/mend-smells/SKILL.md"),
    ];
    let named = instructions.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    let is_tool = |word: &&str| {
        let is_plan =
            word.strip_prefix("plan").is_some_and(|rest| rest.starts_with(char::is_uppercase) && rest != "Id");
        is_plan || word.contains("_refactoring")
    };
    let tools: Vec<&str> = named.filter(is_tool).collect();
    assert!(tools.len() > 6, "{tools:?}");
    for tool in tools {
        assert!(listed.contains(&format!("\"name\": \"{tool}\"")), "{tool}");
    }
}
