//! A project that is not trusted: whatever stands in it, nothing of it runs, and what is read of it still counts.
//!
//! Every trap leaves a mark where it runs; each is run once by hand, or by a server that is told to trust, so that a
//! mark that is missing means something.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lspwright::lsp::{Answer, Environment, Feature, LspError, Place, ServerName, Trust};
use lspwright::session::{Session, SessionError};
use lspwright::text::AbsPath;

use crate::faces::{Project, Ran};
use crate::support;

/// A project with traps in it.
struct Trapped {
    project: Project,
}

impl Trapped {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Project::with(&[]);
        std::fs::create_dir_all(project.root()).unwrap();
        let trapped = Self { project };
        for (path, text) in files {
            trapped.write(path, text);
        }
        trapped
    }

    fn root(&self) -> PathBuf {
        self.project.root()
    }

    fn mark(&self) -> PathBuf {
        self.project.outside().join("mark")
    }

    /// Writes a file in which `@ROOT@` and `@MARK@` stand for where the project and the mark are.
    fn write(&self, path: &str, text: &str) {
        self.project.write(path, self.filled(text));
    }

    fn filled(&self, text: &str) -> String {
        let (root, mark) = (self.root(), self.mark());
        text.replace("@ROOT@", root.to_str().unwrap()).replace("@MARK@", mark.to_str().unwrap())
    }

    /// Writes programs that leave a mark, and sees that they do.
    fn programs(&self, paths: &[&str]) {
        for path in paths {
            let file = self.root().join(path);
            support::program(&file, &self.filled("#!/bin/sh\necho \"$0 $*\" >> '@MARK@'\nexit 1\n"));
            Command::new(&file).status().unwrap();
            assert!(self.sprung().contains(path), "`{path}` leaves no mark");
        }
    }

    /// Returns what ran since it was asked last.
    fn sprung(&self) -> String {
        let said = std::fs::read_to_string(self.mark()).unwrap_or_default();
        std::fs::remove_file(self.mark()).ok();
        said
    }

    #[track_caller]
    fn is_calm(&self) {
        assert_eq!(self.sprung(), "", "something of the project ran");
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.project.command(args);
        command.stdin(Stdio::null());
        command
    }

    /// Renames through one server, asks it what it finds, and returns how many places of the file it would change.
    fn visit(&self, server: &str, (file, old): (&str, &str), trust: Trust) -> usize {
        let root = AbsPath::new(self.root()).unwrap();
        support::block_on(async {
            let session = Session::open(&root, support::trusting(trust)).unwrap();
            session.refresh().await;
            let answer = rename(&session, server, (file, old)).await;
            session.close().await;
            answer.unwrap().edits_alone().unwrap().0[&session.root().join(file).unwrap()].len()
        })
    }

    /// Returns why a server is not started.
    fn refusal(&self, server: &str) -> String {
        let root = AbsPath::new(self.root()).unwrap();
        support::block_on(async {
            let session = Session::open(&root, support::trusting(Trust::Nothing)).unwrap();
            session.named_server(&ServerName::new(server)).await.err().unwrap().to_string()
        })
    }
}

async fn rename(session: &Session, server: &str, (file, old): (&str, &str)) -> Result<Answer, SessionError> {
    let server = session.named_server(&ServerName::new(server)).await?;
    let path = session.root().join(file).unwrap();
    session.cover(&server, std::slice::from_ref(&path)).await?;
    let offset = session.disk().read(&path).unwrap().as_str().find(old).unwrap();
    let answer = server.rename(&Place { path: path.clone(), offset }, "renamed").await?;
    if server.offers(Feature::Diagnostics) {
        match server.diagnostics(&path).await {
            Ok(_) | Err(LspError::NotOffered { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(answer.unwrap())
}

/// A virtual environment whose interpreter is a trap, modules in the place of Python's own, and settings that name both.
fn python() -> Trapped {
    let trapped = Trapped::new(&[
        ("main.py", "from installed import deep_of\n\nvalue = deep_of(1)\nprint(value.upper())\n"),
        (".venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.7\n"),
        (".venv/lib/python3.11/site-packages/installed/__init__.py", "def deep_of(x: int) -> str: ...\n"),
        (".venv/lib/python3.11/site-packages/installed/py.typed", ""),
        (
            "pyproject.toml",
            "[tool.pyrefly]\npython-interpreter-path = '.venv/bin/python'\n[tool.ty.environment]\npython = '.venv'\n",
        ),
    ]);
    trapped.programs(&[".venv/bin/python", ".venv/bin/python3", "venv/bin/python", "odd/bin/python"]);
    trapped.write("odd/pyvenv.cfg", "version = 3.11.7\n");
    for module in ["json", "logging", "sitecustomize", "typing", "pip"] {
        trapped.write(&format!("{module}.py"), "open('@MARK@', 'a').write(__file__)\n");
    }
    let imported = Command::new("python3").args(["-c", "import pip"]).current_dir(trapped.root()).status().unwrap();
    assert!(imported.success() && trapped.sprung().contains("pip.py"));
    trapped
}

#[test]
fn no_server_for_python_runs_the_projects_environment() {
    for server in ["basedpyright", "pyright", "ty", "jedi-language-server"] {
        let trapped = python();
        // jedi's edits are differences of texts, letter by letter.
        assert!(trapped.visit(server, ("main.py", "value"), Trust::Nothing) >= 2, "{server}");
        trapped.is_calm();
    }
    let trapped = python();
    let root = AbsPath::new(trapped.root()).unwrap();
    support::block_on(async {
        let session = Session::open(&root, support::trusting(Trust::Nothing)).unwrap();
        let server = session.named_server(&ServerName::new("ruff")).await.unwrap();
        server.open(&[session.root().join("main.py").unwrap()]).await.unwrap();
        session.close().await;
    });
    trapped.is_calm();
    assert!(trapped.refusal("pyrefly").contains("`pyrefly` is not started on a project that is not trusted"));
    trapped.is_calm();
}

#[test]
fn what_is_installed_in_the_projects_environment_is_seen_without_running_it() {
    let trapped = python();
    let root = AbsPath::new(trapped.root()).unwrap();
    for server in ["basedpyright", "pyright", "ty"] {
        support::block_on(async {
            let session = Session::open(&root, support::trusting(Trust::Nothing)).unwrap();
            let server = session.named_server(&ServerName::new(server)).await.unwrap();
            let path = session.root().join("main.py").unwrap();
            server.open(std::slice::from_ref(&path)).await.unwrap();
            let offset = session.disk().read(&path).unwrap().as_str().find("deep_of(1)").unwrap();
            let found = server.definition(&Place { path, offset }).await.unwrap();
            assert!(found[0].path.as_str().ends_with("site-packages/installed/__init__.py"), "{found:?}");
            session.close().await;
        });
        trapped.is_calm();
    }
}

#[test]
fn a_check_of_the_whole_project_runs_nothing_of_it() {
    let trapped = python();
    for off in ["BASEDPYRIGHT", "PYRIGHT"] {
        for level in ["diagnostics", "project"] {
            let mut rename =
                trapped.command(&["rename", "main.py::value", "total", "--verify", level, "--output", "json"]);
            let ran = Ran::of(rename.env(format!("LSPWRIGHT_{off}_ENABLED"), "false").output().unwrap());
            let plan = ran.json();
            assert_eq!(plan["verification"]["status"], "clean", "{ran:?}");
            assert_eq!(plan["edits"][0]["textEdits"].as_array().unwrap().len(), 2, "{plan}");
            trapped.is_calm();
        }
    }
    // With trust it is asked: these traps do spring.
    trapped.command(&["rename", "main.py::value", "total", "--trust-project"]).output().unwrap();
    assert!(trapped.sprung().contains(".venv/bin/python"));
}

#[test]
fn a_check_of_the_whole_project_writes_nothing_that_the_project_names() {
    let trapped = Trapped::new(&[
        ("main.py", "value = 1\nprint(value)\n"),
        ("pyrightconfig.json", r#"{"baselineFile": "@MARK@"}"#),
        ("main.ts", "export const total: number = 1;\n"),
        (
            "tsconfig.json",
            r#"{"compilerOptions": {"composite": true, "tsBuildInfoFile": "@MARK@", "generateTrace": "@MARK@.d"}, "files": ["main.ts"]}"#,
        ),
    ]);
    // What it says is wrong is right by now: a checker would take it out.
    let precious = r#"{"files": {"./main.py": [{"code": "reportAssignmentType", "range": {"startColumn": 0, "endColumn": 5, "lineCount": 1}}]}}"#;
    std::fs::write(trapped.mark(), precious).unwrap();
    for target in ["main.py::value", "main.ts#total"] {
        let mut rename = trapped.command(&["rename", target, "renamed", "--verify", "project", "--output", "json"]);
        let ran = Ran::of(rename.output().unwrap());
        assert_eq!(ran.json()["verification"]["status"], "clean", "{ran:?}");
        assert_eq!(trapped.sprung(), precious, "{target}");
        assert!(!trapped.mark().with_extension("d").exists(), "{target}");
        std::fs::write(trapped.mark(), precious).unwrap();
    }
}

#[test]
fn an_active_environment_inside_the_project_is_read_too() {
    let trapped = Trapped::new(&[
        ("main.py", "from installed import deep_of\n\nvalue = deep_of(1)\n"),
        ("backend/env/pyvenv.cfg", "version = 3.11.7\n"),
        ("backend/env/lib/python3.11/site-packages/installed/__init__.py", "def deep_of(x: int) -> str: ...\n"),
    ]);
    trapped.programs(&["backend/env/bin/python", "backend/env/bin/python3"]);
    let active = trapped.root().join("backend/env");
    let path = format!("{}:{}", active.join("bin").display(), std::env::var("PATH").unwrap());
    for level in ["diagnostics", "project"] {
        let mut rename = trapped.command(&["rename", "main.py::value", "total", "--verify", level, "--output", "json"]);
        let ran = Ran::of(rename.env("VIRTUAL_ENV", &active).env("PATH", &path).output().unwrap());
        assert_eq!(ran.json()["verification"]["status"], "clean", "{ran:?}");
        trapped.is_calm();
    }
}

#[test]
fn rust_analyzer_builds_nothing_and_keeps_to_a_toolchain_of_rustup() {
    let trapped = Trapped::new(&[
        (
            "Cargo.toml",
            "[package]\nname = 'trapped'\nedition = '2021'\nbuild = 'build.rs'\n[dependencies]\nmade = { path = 'made' }\n",
        ),
        (
            "src/lib.rs",
            "made::make!();\npub fn area_of(x: u32) -> u32 {\n    x\n}\npub fn two() -> u32 {\n    area_of(2)\n}\n",
        ),
        ("build.rs", "fn main() {\n    std::fs::write(\"@MARK@\", \"build.rs\").unwrap();\n}\n"),
        ("made/Cargo.toml", "[package]\nname = 'made'\nedition = '2021'\n[lib]\nproc-macro = true\n"),
        (
            "made/src/lib.rs",
            "#[proc_macro]\npub fn make(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n    \
             std::fs::write(\"@MARK@\", \"macro\").unwrap();\n    Default::default()\n}\n",
        ),
    ]);
    assert_eq!(trapped.visit("rust-analyzer", ("src/lib.rs", "area_of"), Trust::Project), 2);
    assert_ne!(trapped.sprung(), "", "trusted, it builds");
    std::fs::remove_file(trapped.root().join("Cargo.lock")).ok();
    trapped.programs(&["wrapper", "toolchain/bin/rustc", "toolchain/bin/cargo", "toolchain/bin/rust-analyzer"]);
    trapped.write("rust-toolchain.toml", "[toolchain]\npath = '@ROOT@/toolchain'\n");
    for named in [
        "rustc-wrapper = '@ROOT@/wrapper'\nrustc-workspace-wrapper = '@ROOT@/wrapper'",
        "rustc = '@ROOT@/toolchain/bin/rustc'\nrustflags = ['-Zcodegen-backend=@ROOT@/evil.so']",
    ] {
        trapped.write(".cargo/config.toml", &format!("[build]\n{named}\n"));
        assert_eq!(trapped.visit("rust-analyzer", ("src/lib.rs", "area_of"), Trust::Nothing), 2);
        trapped.is_calm();
    }
    let lost = "build scripts and procedural macros do not run";
    let ran = Ran::of(
        trapped.command(&["rename", "src/lib.rs::area_of", "size_of_it", "--output", "json"]).output().unwrap(),
    );
    let warnings = ran.json()["warnings"].to_string();
    assert!(warnings.contains("not-trusted") && warnings.contains(lost), "{ran:?}");
    let doctor = Ran::of(trapped.command(&["doctor"]).output().unwrap()).stdout;
    assert!(doctor.contains(lost), "{doctor}");
    trapped.is_calm();
    trapped.write("rust-project.json", "{ \"sysroot\": \"@ROOT@/toolchain\", \"crates\": [] }");
    assert!(trapped.refusal("rust-analyzer").contains("`rust-project.json`"));
    trapped.is_calm();
}

#[test]
fn clangd_runs_no_compiler_that_a_project_names() {
    let trapped = Trapped::new(&[
        ("shapes.c", "int area_of(int x) { return x; }\nint two(void) { return area_of(2); }\n"),
        (
            "compile_commands.json",
            "[{ \"directory\": \"@ROOT@\", \"file\": \"shapes.c\", \"arguments\": [\"@ROOT@/cc\", \"-fplugin=@ROOT@/evil.so\", \"-c\", \"shapes.c\"] }]",
        ),
        (".clangd", "CompileFlags:\n  Compiler: @ROOT@/cc\n"),
    ]);
    trapped.programs(&["cc", "clang", "gcc"]);
    assert_eq!(trapped.visit("clangd", ("shapes.c", "area_of"), Trust::Nothing), 2);
    trapped.is_calm();
}

#[test]
fn the_typescript_of_a_project_and_its_plugins_stay_asleep() {
    const TRAP: &str = "require('fs').appendFileSync('@MARK@', __filename);\nmodule.exports = () => ({ create: (it) => it.languageService });\n";
    let trapped = Trapped::new(&[
        ("src/a.ts", "export function areaOf(x: number) {\n  return x;\n}\nexport const two = areaOf(2);\n"),
        ("package.json", "{ \"name\": \"trapped\" }"),
        (
            "tsconfig.json",
            "{ \"compilerOptions\": { \"plugins\": [{ \"name\": \"evil\" }, { \"name\": \"./evil.js\" }] }, \"include\": [\"src\"] }",
        ),
        (".vscode/settings.json", "{ \"typescript.tsdk\": \"node_modules/typescript/lib\" }"),
        ("evil.js", TRAP),
        ("node_modules/evil/index.js", TRAP),
        ("node_modules/evil/package.json", "{ \"name\": \"evil\", \"version\": \"1.0.0\", \"main\": \"index.js\" }"),
        (
            "node_modules/typescript/package.json",
            "{ \"name\": \"typescript\", \"version\": \"5.9.3\", \"main\": \"lib/typescript.js\" }",
        ),
        ("node_modules/typescript/lib/typescript.js", TRAP),
        ("node_modules/typescript/lib/tsserver.js", TRAP),
        ("node_modules/typescript/lib/tsc.js", TRAP),
        ("node_modules/eslint/lib/api.js", TRAP),
        ("eslint.config.js", TRAP),
    ]);
    let loaded = Command::new("node").args(["-e", "require('evil')"]).current_dir(trapped.root()).status().unwrap();
    assert!(loaded.success() && trapped.sprung().contains("evil"));
    for server in ["typescript-language-server", "vtsls"] {
        assert_eq!(trapped.visit(server, ("src/a.ts", "areaOf"), Trust::Nothing), 2, "{server}");
        trapped.is_calm();
    }
    let words = ["rename", "src/a.ts#areaOf", "sizeOf", "--verify", "project", "--output", "json"];
    // What Node.js would load before anything else is the user's matter, and no server's.
    let mut rename = trapped.command(&words);
    rename.env("NODE_OPTIONS", format!("--require={}", trapped.root().join("evil.js").display()));
    assert_eq!(Ran::of(rename.output().unwrap()).json()["verification"]["status"], "clean");
    trapped.is_calm();
}

#[test]
fn bash_language_server_runs_no_shellcheck() {
    let trapped = Trapped::new(&[
        ("a.sh", "area_of() { echo 1; }\narea_of\n"),
        (".vscode/settings.json", "{ \"bashIde.shellcheckPath\": \"@ROOT@/shellcheck\" }"),
    ]);
    trapped.programs(&["shellcheck", "shfmt"]);
    assert_eq!(trapped.visit("bash-language-server", ("a.sh", "area_of"), Trust::Nothing), 2);
    trapped.is_calm();
}

#[test]
fn servers_that_cannot_be_kept_from_it_are_not_started() {
    let trapped = Trapped::new(&[("contracts/A.sol", "contract A {}\n"), (".emmyrc.lua", "return {}\n")]);
    for (server, why) in [
        ("pyrefly", "interpreter"),
        ("nomicfoundation-solidity", "Hardhat"),
        ("solidity-language-server", "forge"),
        ("solidity-ls", "nobody"),
        ("emmylua_ls", ".emmyrc.lua"),
    ] {
        let said = trapped.refusal(server);
        assert!(said.contains("not trusted") && said.contains(why), "{said}");
    }
    let config = trapped.project.outside().join("servers.toml");
    std::fs::write(&config, "[[routes]]\nlanguages = ['python']\nservers = ['pyrefly']\n").unwrap();
    trapped.write("main.py", "value = 1\n");
    let mut rename = trapped.command(&["rename", "main.py::value", "total"]);
    let ran = Ran::of(rename.env("LSPWRIGHT_CONFIG", &config).output().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("`--trust-project`"), "{ran:?}");
}

#[test]
fn solidity_is_compiled_by_no_compiler_of_the_project() {
    let trapped = Trapped::new(&[
        (
            "src/A.sol",
            "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract A {\n    uint256 kept;\n    function get() external view returns (uint256) {\n        return kept;\n    }\n}\n",
        ),
        ("foundry.toml", "[profile.default]\nsrc = 'src'\nsolc = './solc'\n"),
    ]);
    trapped.programs(&["solc", "forge", "node", "npm"]);
    let path = format!(".::{}:{}", trapped.root().display(), std::env::var("PATH").unwrap());
    let words = ["rename", "src/A.sol:A.kept", "held", "--verify", "project", "--output", "json"];
    let ran = Ran::of(trapped.command(&words).env("PATH", path).output().unwrap());
    assert_eq!(ran.json()["verification"]["status"], "clean", "{ran:?}");
    trapped.is_calm();
}

#[test]
fn a_path_that_leads_into_the_project_finds_nothing_there() {
    let trapped =
        Trapped::new(&[("main.py", "value = 1\nprint(value)\n"), (".git/HEAD", ""), ("sub/main.py", "value = 1\n")]);
    let names =
        ["node", "npm", "python3", "python", "pip", "git", "rustup", "cargo", "rust-analyzer", "go", "gopls", "solc"];
    for dir in ["", "bin/", "sub/bin/"] {
        let paths: Vec<String> = names.iter().map(|name| format!("{dir}{name}")).collect();
        trapped.programs(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let link = trapped.project.outside().join("link");
    std::os::unix::fs::symlink(trapped.root().join("bin"), &link).unwrap();
    let own = std::env::var("PATH").unwrap();
    let path = format!(".::bin:{}:{}:{own}", trapped.root().join("bin").display(), link.display());
    for words in [
        &["rename", "main.py::value", "total", "--verify", "project"] as &[&str],
        // The checkout around the project that is named is not trusted either.
        &["rename", "sub/main.py::value", "total", "--project", "sub"],
        &["doctor"],
        &["servers"],
    ] {
        let ran = Ran::of(trapped.command(words).env("PATH", &path).output().unwrap());
        assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
        trapped.is_calm();
    }
    let mut trusting = trapped.command(&["doctor", "--trust-project"]);
    trusting.env("PATH", format!("{}:{own}", trapped.root().join("bin").display())).output().unwrap();
    assert!(trapped.sprung().contains("bin/node"), "trusted, it is the user's PATH as it stands");
}

#[test]
fn doctor_asks_programs_outside_of_the_project() {
    let trapped = python();
    let doctor = Ran::of(trapped.command(&["doctor"]).output().unwrap()).ok();
    assert!(doctor.contains(".venv"), "{doctor}");
    trapped.is_calm();
}

#[test]
fn programs_get_a_list_of_variables_and_not_all() {
    let variables = [
        ("PATH", "/usr/bin"),
        ("HOME", "/home/u"),
        ("LC_ALL", "C"),
        ("https_proxy", "http://proxy"),
        ("SSL_CERT_FILE", "/ca.pem"),
        ("CARGO_HOME", "/home/u/.cargo"),
        ("LSPWRIGHT_LOG", "debug"),
        ("npm_config_registry", "http://registry"),
        ("PIP_INDEX_URL", "http://index"),
        ("NODE_OPTIONS", "--require=/x.js"),
        ("PYTHONPATH", "/x"),
        ("PYTHONSTARTUP", "/x.py"),
        ("LD_PRELOAD", "/x.so"),
        ("RUSTC_WRAPPER", "/x"),
        ("GOFLAGS", "-toolexec=/x"),
        ("GITHUB_TOKEN", "secret"),
    ];
    let all = Environment(variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    let names = |given: Environment| given.0.into_keys().collect::<Vec<_>>();
    let usual = ["CARGO_HOME", "HOME", "LC_ALL", "LSPWRIGHT_LOG", "PATH", "SSL_CERT_FILE"];
    assert_eq!(names(all.for_servers(Trust::Nothing)), [&usual[..], &["https_proxy"]].concat());
    let installers = names(all.for_installers());
    assert_eq!(
        installers,
        [&usual[..5], &["PIP_INDEX_URL", "SSL_CERT_FILE", "https_proxy", "npm_config_registry"]].concat()
    );
    assert_eq!(all.for_servers(Trust::Project).0.len(), variables.len());
    // Under npm its settings may stem from the project.
    let root = AbsPath::new(Path::new("/project")).unwrap();
    let mut under_npm = all;
    under_npm.0.insert("npm_lifecycle_event".to_owned(), "test".to_owned());
    assert!(!names(under_npm.away_from(&root).for_installers()).contains(&"npm_config_registry".to_owned()));
}
