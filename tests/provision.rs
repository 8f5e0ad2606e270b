//! Installing servers with the real package managers, alone, together, interrupted and forbidden.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use lspwright::lsp::provision::{self, InstallStep, Progress, Silent};
use lspwright::lsp::{
    Environment, Guard, Host, Install, InstallPolicy, ProvisionError, Provisioned, ServerName, ServerSpec, Trust,
};
use lspwright::text::AbsPath;
use lspwright::workspace::Dirs;

use crate::support;

/// A machine of its own for one test: a cache, a project, and an environment.
struct Machine {
    _base: tempfile::TempDir,
    dirs: Dirs,
    root: AbsPath,
    environment: Environment,
    guard: Guard,
}

impl Machine {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let path = AbsPath::new(base.path()).unwrap();
        let mut machine = Self::at(&path);
        machine._base = base;
        machine
    }

    /// The machine below a directory that another process shares.
    fn at(path: &AbsPath) -> Self {
        let root = path.join("a project").unwrap();
        std::fs::create_dir_all(root.as_path()).unwrap();
        let dirs = Dirs::below(path).unwrap();
        let guard = Guard::at(env!("CARGO_BIN_EXE_lspwright"));
        Self { _base: tempfile::tempdir().unwrap(), dirs, root, environment: Environment::of_process(), guard }
    }

    fn provision(&self, spec: &ServerSpec) -> Result<Provisioned, ProvisionError> {
        self.provision_with(spec, InstallPolicy::OnFirstUse, &Silent)
    }

    fn provision_with(
        &self,
        spec: &ServerSpec,
        policy: InstallPolicy,
        progress: &dyn Progress,
    ) -> Result<Provisioned, ProvisionError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(provision::provision(spec, &self.host(policy, progress)))
    }

    fn host<'a>(&'a self, policy: InstallPolicy, progress: &'a dyn Progress) -> Host<'a> {
        let (dirs, environment, root, guard) = (&self.dirs, &self.environment, &self.root, &self.guard);
        Host { dirs, environment, root, trust: Trust::Nothing, policy, progress, guard, patience: None }
    }

    /// The names of what lies in the directory of the servers, those of locks left out.
    fn installed(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dirs.cache.join("servers").unwrap().as_path());
        let names = entries.into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| !name.ends_with(".lock")).collect();
        names.sort();
        names
    }
}

/// Remembers what it is told, one word per step.
#[derive(Default)]
struct Steps(Mutex<Vec<String>>);

impl Progress for Steps {
    fn step(&self, server: &ServerName, step: InstallStep<'_>) {
        let word = match step {
            InstallStep::Waiting => "waiting".to_owned(),
            InstallStep::Begun { command } => format!("{server} begun {command}"),
            InstallStep::Line(_) | InstallStep::Size { .. } | InstallStep::Counted { .. } => return,
            InstallStep::Done { .. } => "done".to_owned(),
            InstallStep::Failed => "failed".to_owned(),
        };
        self.0.lock().unwrap().push(word);
    }
}

/// A tiny npm package in place of a server.
fn small_npm() -> ServerSpec {
    let mut spec = ServerSpec::named("small");
    spec.command = ["{node}", "{install}/node_modules/is-number/index.js", "--in={root}"].map(str::to_owned).to_vec();
    spec.install = Some(Install::Npm(vec!["is-number@7.0.0".to_owned()]));
    spec.settings = serde_json::json!({ "deep": [{ "path": "{install}/x", "glob": "**/*.{ts,js}" }] });
    spec
}

/// A tiny PyPI package in place of a server.
fn small_pypi() -> ServerSpec {
    let mut spec = ServerSpec::named("small-py");
    spec.command = ["{python}", "-m", "six"].map(str::to_owned).to_vec();
    spec.env = BTreeMap::from([("PYTHONPATH".to_owned(), "{install}".to_owned())]);
    spec.install = Some(Install::Pypi(vec!["six==1.16.0".to_owned()]));
    spec
}

#[test]
fn npm_installs_once_and_every_placeholder_is_filled_in() {
    let machine = Machine::new();
    let steps = Steps::default();
    let first = machine.provision_with(&small_npm(), InstallPolicy::OnFirstUse, &steps).unwrap();
    assert_eq!(*steps.0.lock().unwrap(), ["small begun npm install --ignore-scripts is-number@7.0.0", "done"]);
    let script = PathBuf::from(&first.launch.args[0]);
    assert!(script.is_file(), "{script:?}");
    assert!(first.launch.program.is_absolute());
    assert_eq!(first.launch.args[1].to_str().unwrap(), format!("--in={}", machine.root));
    let install = script.parent().and_then(Path::parent).and_then(Path::parent).unwrap();
    assert_eq!(first.spec.settings["deep"][0]["path"], format!("{}/x", install.display()));
    assert_eq!(first.spec.settings["deep"][0]["glob"], "**/*.{ts,js}");
    let name = install.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("small-7.0.0-"), "{name}");
    assert_eq!(machine.installed(), [name]);
    let again = machine.provision_with(&small_npm(), InstallPolicy::Never, &Steps::default()).unwrap();
    assert_eq!(again, first, "the second time nothing is installed, so that it may be forbidden");
}

#[test]
fn an_installation_outlives_the_callers_that_give_up() {
    let machine = Machine::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (spec, first, second) = (small_npm(), Steps::default(), Steps::default());
    let impatient = Host { patience: Some(Duration::ZERO), ..machine.host(InstallPolicy::OnFirstUse, &first) };
    let late = runtime.block_on(provision::provision(&spec, &impatient)).unwrap_err();
    assert!(matches!(late, ProvisionError::Installing { .. }), "{late}");
    assert!(late.to_string().starts_with("`small` is being installed"), "{late}");
    let patient = machine.host(InstallPolicy::OnFirstUse, &second);
    runtime.block_on(provision::provision(&spec, &patient)).unwrap();
    assert_eq!(second.0.lock().unwrap().last().map(String::as_str), Some("done"), "the same one, heard to its end");
    let begun = |steps: &Steps| steps.0.lock().unwrap().iter().filter(|step| step.contains("begun")).count();
    assert!(begun(&first) + begun(&second) >= 1);
    assert_eq!(machine.installed().len(), 1);
}

#[test]
fn pip_installs_into_a_directory_of_its_own() {
    let machine = Machine::new();
    let provisioned = machine.provision(&small_pypi()).unwrap();
    let (key, path) = provisioned.launch.env.last().unwrap();
    assert_eq!(key, "PYTHONPATH");
    assert!(Path::new(path).join("six.py").is_file());
}

#[test]
fn another_version_is_another_directory() {
    let machine = Machine::new();
    machine.provision(&small_npm()).unwrap();
    let mut older = small_npm();
    older.install = Some(Install::Npm(vec!["is-number@6.0.0".to_owned()]));
    machine.provision(&older).unwrap();
    assert_eq!(machine.installed().len(), 2);
}

#[test]
fn install_scripts_do_not_run() {
    let machine = Machine::new();
    let package = machine.root.join("scripted").unwrap();
    std::fs::create_dir_all(package.as_path()).unwrap();
    let witness = machine.root.join("ran").unwrap();
    let manifest = serde_json::json!({
        "name": "scripted", "version": "1.0.0",
        "scripts": { "install": format!("touch '{witness}'"), "postinstall": format!("touch '{witness}'") },
    });
    std::fs::write(package.as_path().join("package.json"), manifest.to_string()).unwrap();
    let mut spec = small_npm();
    spec.command = vec!["{node}".to_owned(), "{install}/node_modules/scripted/package.json".to_owned()];
    spec.install = Some(Install::Npm(vec![format!("scripted@file:{package}")]));
    machine.provision(&spec).unwrap();
    assert!(!witness.as_path().exists());
}

#[test]
fn forbidden_names_the_command_that_would_install() {
    let machine = Machine::new();
    for (spec, command) in [
        (small_npm(), "`npm install --ignore-scripts is-number@7.0.0`"),
        (small_pypi(), "`pip install --no-deps --only-binary :all: six==1.16.0`"),
    ] {
        let error = machine.provision_with(&spec, InstallPolicy::Never, &Silent).unwrap_err();
        assert!(matches!(error, ProvisionError::Forbidden { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(command), "{said}");
        assert!(said.contains(&format!("`lspwright servers install {}`", spec.name)), "{said}");
    }
    assert!(!machine.dirs.cache.as_path().exists(), "nothing was written");
}

#[test]
fn the_environment_can_forbid_installing() {
    let with = |value: &str| {
        InstallPolicy::of(&Environment(BTreeMap::from([("LSPWRIGHT_INSTALL".to_owned(), value.to_owned())])))
    };
    assert_eq!(with("never"), InstallPolicy::Never);
    assert_eq!(with("auto"), InstallPolicy::OnFirstUse);
    assert_eq!(InstallPolicy::of(&Environment::default()), InstallPolicy::OnFirstUse);
}

#[test]
fn a_missing_package_manager_is_named() {
    let mut machine = Machine::new();
    let empty = machine.root.join("bin").unwrap();
    std::fs::create_dir_all(empty.as_path()).unwrap();
    machine.environment.0.insert("PATH".to_owned(), empty.to_string());
    for (spec, tool) in [(small_npm(), "npm"), (small_pypi(), "pip")] {
        let error = machine.provision(&spec).unwrap_err();
        assert_eq!(error.to_string(), format!("`{}` needs `{tool}`, and that is not on `PATH`", spec.name));
    }
    assert_eq!(machine.installed(), [] as [&str; 0]);
    let mut node = small_npm();
    node.command = vec!["{node}".to_owned(), "x.js".to_owned()];
    node.settings = serde_json::Value::Null;
    let error = machine.provision(&node).unwrap_err();
    assert_eq!(error.to_string(), "`small` needs `node`, and that is not on `PATH`");
}

#[test]
fn a_package_that_does_not_exist_leaves_nothing_and_says_what_npm_said() {
    let machine = Machine::new();
    let mut spec = small_npm();
    spec.install = Some(Install::Npm(vec!["is-number@7.77.777".to_owned()]));
    let steps = Steps::default();
    let error = machine.provision_with(&spec, InstallPolicy::OnFirstUse, &steps).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("`npm install --ignore-scripts is-number@7.77.777` ended with 1"), "{said}");
    assert!(said.contains("7.77.777") && said.contains("npm error"), "{said}");
    assert_eq!(steps.0.lock().unwrap().last().unwrap(), "failed");
    assert_eq!(machine.installed(), [] as [&str; 0]);
}

#[test]
fn a_server_of_the_users_is_found_on_path_and_never_installed() {
    let machine = Machine::new();
    let mut spec = ServerSpec::named("mine");
    spec.command = vec!["node".to_owned(), "server.js".to_owned()];
    spec.install = Some(Install::Hint("ask your administrator".to_owned()));
    let found = machine.provision_with(&spec, InstallPolicy::Never, &Silent).unwrap();
    assert!(found.launch.program.ends_with("node"));
    spec.command = vec!["no-such-server".to_owned()];
    let error = machine.provision(&spec).unwrap_err();
    assert_eq!(error.to_string(), "`mine`: `no-such-server` is not on `PATH`: ask your administrator");
}

#[test]
fn an_unknown_placeholder_is_named_with_those_allowed() {
    let machine = Machine::new();
    let mut spec = ServerSpec::named("mine");
    spec.command = vec!["node".to_owned(), "{instal}".to_owned()];
    let said = machine.provision(&spec).unwrap_err().to_string();
    assert!(said.contains("`{instal}`") && said.contains("`{install}`") && said.contains("`{root}`"), "{said}");
    spec.command = vec!["node".to_owned(), "{install}".to_owned()];
    let said = machine.provision(&spec).unwrap_err().to_string();
    assert_eq!(said, "`servers.mine` uses `{install}` and lacks `install`");
}

#[test]
fn a_directory_without_its_marker_is_installed_again() {
    let machine = Machine::new();
    let whole = machine.provision(&small_npm()).unwrap();
    let dir = machine.dirs.cache.join("servers").unwrap().join(&machine.installed()[0]).unwrap();
    std::fs::remove_file(dir.as_path().join(".lspwright-complete")).unwrap();
    std::fs::remove_dir_all(dir.as_path().join("node_modules")).unwrap();
    assert_eq!(machine.provision(&small_npm()).unwrap(), whole);
    assert!(Path::new(&whole.launch.args[0]).is_file());
}

#[test]
fn processes_in_parallel_install_once() {
    let machine = Machine::new();
    let base = machine.dirs.cache.parent().unwrap();
    let children: Vec<Child> = (0..4).map(|_| child(&base, "npm")).collect();
    let outputs: Vec<String> = children.into_iter().map(finish).collect();
    let begun = outputs.iter().filter(|output| output.contains("begun")).count();
    assert_eq!(begun, 1, "{outputs:#?}");
    assert!(outputs.iter().all(|output| output.contains("ready")), "{outputs:#?}");
    assert_eq!(machine.installed().len(), 1);
}

#[test]
fn a_process_killed_in_the_middle_leaves_no_half_server_and_the_next_one_succeeds() {
    let machine = Machine::new();
    let base = machine.dirs.cache.parent().unwrap();
    let mut victim = child(&base, "slow");
    let servers = machine.dirs.cache.join("servers").unwrap();
    let half = wait_for(|| {
        let names = std::fs::read_dir(servers.as_path()).into_iter().flatten().flatten();
        names.map(|entry| entry.path()).find(|path| path.join("half").is_file())
    });
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(half.is_dir(), "the kill struck in the middle");
    let error = machine.provision_with(&slow_npm(), InstallPolicy::Never, &Silent).unwrap_err();
    assert!(matches!(error, ProvisionError::Forbidden { .. }), "half a server counts as none: {error}");
    std::fs::write(machine.root.as_path().join("go on"), "").unwrap();
    let mut after = Machine::at(&base);
    after.environment = slow_environment(&after);
    after.provision(&slow_npm()).unwrap();
    let names = after.installed();
    assert_eq!(names.len(), 1, "what the victim left is swept away: {names:?}");
    assert!(names[0].starts_with("slow-"), "{names:?}");
}

#[test]
fn a_package_manager_that_ends_well_and_leaves_nothing_has_installed_nothing() {
    let mut machine = Machine::new();
    let bin = machine.root.join("bin").unwrap();
    support::program(&bin.as_path().join("npm"), "#!/bin/sh\nexit 0\n");
    let path = machine.environment.get("PATH").unwrap_or_default().to_owned();
    machine.environment.0.insert("PATH".to_owned(), format!("{bin}:{path}"));
    let error = machine.provision(&small_npm()).unwrap_err().to_string();
    assert!(error.contains("did not install `is-number`"), "{error}");
    assert_eq!(machine.installed(), Vec::<String>::new());
}

/// Starts this test binary as a process that provisions below `base`.
fn child(base: &AbsPath, what: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["provision::runs_in_a_process_of_its_own", "--exact", "--ignored", "--nocapture"])
        .env("PROVISION_BELOW", base.as_path())
        .env("PROVISION_WHAT", what)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn finish(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "started by the tests above as a process of its own"]
fn runs_in_a_process_of_its_own() {
    let Some(base) = std::env::var_os("PROVISION_BELOW") else { return };
    let mut machine = Machine::at(&AbsPath::new(PathBuf::from(base)).unwrap());
    let steps = Steps::default();
    let spec = if std::env::var("PROVISION_WHAT").unwrap() == "slow" {
        machine.environment = slow_environment(&machine);
        slow_npm()
    } else {
        small_npm()
    };
    machine.provision_with(&spec, InstallPolicy::OnFirstUse, &steps).unwrap();
    let mut out = std::io::stdout();
    writeln!(out, "{:?} ready", steps.0.lock().unwrap()).unwrap();
}

fn slow_npm() -> ServerSpec {
    let mut spec = ServerSpec::named("slow");
    spec.command = vec!["node".to_owned(), "{install}/half".to_owned()];
    spec.install = Some(Install::Npm(vec!["slow@1.0.0".to_owned()]));
    spec
}

/// An environment whose `npm` writes half a server, and waits for a file before it ends.
fn slow_environment(machine: &Machine) -> Environment {
    let bin = machine.root.join("bin").unwrap();
    let script = format!(
        "#!/bin/sh\necho half > half\nn=0\nwhile [ ! -e '{}/go on' ] && [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done\n\
         mkdir -p node_modules/slow; echo '{{}}' > node_modules/slow/package.json\n",
        machine.root
    );
    let npm = bin.as_path().join("npm");
    if !npm.exists() {
        support::program(&npm, &script);
    }
    let mut environment = Environment::of_process();
    let path = environment.get("PATH").unwrap_or_default().to_owned();
    environment.0.insert("PATH".to_owned(), format!("{bin}:{path}"));
    environment
}

/// Asks until there is an answer; fails after a deadline.
fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(std::time::Instant::now() < deadline, "waited in vain");
        std::thread::yield_now();
    }
}
