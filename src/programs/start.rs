//! How a file of the project is run as a program.

use std::path::PathBuf;

use super::ground::{NotRun, ProgramTree, before, has};
use super::python::{self, Python};
use super::{cargo, script};
use crate::lsp::{Program, Ran};
use crate::syntax::Language;
use crate::text::AbsPath;

/// A program on its way.
pub struct Start {
    program: Program,
    /// Where it runs.
    pub dir: AbsPath,
    /// As a user would type it.
    pub command: String,
}

/// What runs TypeScript, the likeliest first.
const RUNNERS: [&str; 5] = ["tsx", "ts-node", "vite-node", "jiti", "esno"];
/// The first release of Node that runs TypeScript unasked.
const NODE: (u32, u32) = (22, 18);

impl Start {
    /// Runs it to its end, or to that of its time.
    pub async fn run(self, ground: &ProgramTree<'_>, stdin: Vec<u8>) -> Result<Ran, NotRun> {
        ground.run(self.program.asked(stdin), &self.dir).await
    }
}

/// Finds out how a file, or the program in a directory, is run.
pub async fn start(ground: &ProgramTree<'_>, path: &AbsPath, args: &[String]) -> Result<Start, NotRun> {
    if path.as_path().is_dir() {
        return of_directory(ground, path, args);
    }
    let shown = ground.shown(path);
    match Language::of_path(path) {
        Some(Language::Python) => of_python(ground, path, args),
        Some(Language::JavaScript) => Ok(of_node(ground, path, ("node", &[]), args)),
        Some(Language::TypeScript | Language::Tsx) => of_typescript(ground, path, args).await,
        Some(Language::Rust) => of_rust(ground, path, args),
        Some(Language::Bash) => Ok(plain(ground.root.clone(), &["bash", path.as_str()], args, format!("bash {shown}"))),
        Some(Language::Go) => {
            let dir = ground.above(path).find(|dir| has(dir, "go.mod")).unwrap_or_else(|| ground.root.clone());
            Ok(plain(dir, &["go", "run", path.as_str()], args, format!("go run {shown}")))
        }
        Some(Language::Java) => Ok(plain(ground.root.clone(), &["java", path.as_str()], args, format!("java {shown}"))),
        _ => Err(NotRun::new(
            format!("no program is known that runs `{shown}`"),
            "Python, JavaScript, TypeScript, Rust, Go, Java and shell scripts are run; try it in a shell",
        )),
    }
}

fn of_directory(ground: &ProgramTree<'_>, dir: &AbsPath, args: &[String]) -> Result<Start, NotRun> {
    if has(dir, "__main__.py") {
        return of_python(ground, &dir.join("__main__.py").unwrap_or_else(|_| dir.clone()), args);
    }
    if has(dir, cargo::MANIFEST) {
        return Ok(plain(dir.clone(), &["cargo", "run", "--quiet", "--"], args, "cargo run".to_owned()));
    }
    if has(dir, "go.mod") {
        return Ok(plain(dir.clone(), &["go", "run", "."], args, "go run .".to_owned()));
    }
    Err(NotRun::new(
        format!("`{}` is a directory without a program of its own", ground.shown(dir)),
        "name the file that begins the program; a directory is run by its `__main__.py`, `Cargo.toml` or `go.mod`",
    ))
}

/// A module of a package is run as one, so that it finds its neighbours.
fn of_python(ground: &ProgramTree<'_>, path: &AbsPath, args: &[String]) -> Result<Start, NotRun> {
    let python = Python::of(ground, path)?;
    let is_project = |dir: &AbsPath| python::MANIFESTS.iter().any(|name| has(dir, name));
    let dir = ground.above(path).skip(1).find(is_project).unwrap_or_else(|| ground.root.clone());
    let is_package = |dir: &AbsPath| has(dir, "__init__.py");
    let top = ground.above(path).skip(1).find(|dir| !is_package(dir)).unwrap_or_else(|| ground.root.clone());
    let inside = path.relative_to(&top).map(|path| path.to_string()).unwrap_or_default();
    let module = inside.strip_suffix(".py").filter(|inside| inside.contains('/')).map(|inside| {
        let inside = inside.strip_suffix("/__main__").unwrap_or(inside);
        inside.replace('/', ".")
    });
    let words: Vec<&str> = match &module {
        Some(module) => vec!["-m", module],
        None => vec![path.as_str()],
    };
    let shown = module.as_ref().map_or_else(|| ground.shown(path), |module| format!("-m {module}"));
    let command = format!("{} {shown}", python.program);
    let words: Vec<&str> = words.into_iter().chain(args.iter().map(String::as_str)).collect();
    // What is run as a module is looked for from where its package begins.
    let program = python.program_from(ground, module.is_some().then_some(&top), &words);
    Ok(Start { program, dir, command })
}

fn of_node(ground: &ProgramTree<'_>, path: &AbsPath, (runner, options): (&str, &[&str]), args: &[String]) -> Start {
    let dir = ground.above(path).find(script::is_package).unwrap_or_else(|| ground.root.clone());
    let modules: Vec<PathBuf> = ground.above(&dir).map(|dir| dir.as_path().join("node_modules/.bin")).collect();
    let own = modules.iter().map(|dir| dir.join(runner)).find(|file| file.exists());
    let program = own.map_or_else(|| runner.to_owned(), |file| file.to_string_lossy().into_owned());
    let words: Vec<&str> =
        std::iter::once(program.as_str()).chain(options.iter().copied()).chain([path.as_str()]).collect();
    let start = plain(dir, &words, args, format!("{runner} {}", ground.shown(path)));
    let path = before(modules, ground.environment.get("PATH"));
    Start { program: start.program.with("PATH", path), ..start }
}

async fn of_typescript(ground: &ProgramTree<'_>, path: &AbsPath, args: &[String]) -> Result<Start, NotRun> {
    let is_installed =
        |name: &&&str| ground.above(path).any(|dir| dir.as_path().join("node_modules/.bin").join(name).exists());
    if let Some(runner) = RUNNERS.iter().find(is_installed) {
        return Ok(of_node(ground, path, (runner, &[]), args));
    }
    let asked = ground.run(Program::new(["node", "--version"]), &ground.root).await?;
    let said = asked.stdout.text();
    let mut numbers = said.trim().trim_start_matches('v').split('.').filter_map(|it| it.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version >= NODE {
        return Ok(of_node(ground, path, ("node", &[]), args));
    }
    Err(NotRun::new(
        format!(
            "nothing that is installed runs TypeScript: there is none of {} in node_modules, and Node is {}",
            RUNNERS.join(", "),
            said.trim()
        ),
        "install one (`npm install --save-dev tsx`), or Node 22.18 or later",
    ))
}

fn of_rust(ground: &ProgramTree<'_>, path: &AbsPath, args: &[String]) -> Result<Start, NotRun> {
    let shown = ground.shown(path);
    let none = || {
        NotRun::new(
            format!("`{shown}` is not a program of a package: no `main.rs`, nothing in `src/bin` or `examples`"),
            "name such a file, or the directory of a `Cargo.toml`",
        )
    };
    let dir = ground.above(path).find(|dir| has(dir, cargo::MANIFEST)).ok_or_else(none)?;
    let inside = path.relative_to(&dir).map(|path| path.to_string()).unwrap_or_default();
    let named = |prefix: &str| {
        let rest = inside.strip_prefix(prefix)?;
        let name = rest.strip_suffix("/main.rs").or_else(|| rest.strip_suffix(".rs"))?;
        (!name.contains('/')).then(|| name.to_owned())
    };
    let target = match (named("src/bin/"), named("examples/")) {
        _ if inside == "src/main.rs" => Vec::new(),
        (Some(name), _) => vec!["--bin".to_owned(), name],
        (_, Some(name)) => vec!["--example".to_owned(), name],
        _ => return Err(none()),
    };
    let words = ["cargo", "run", "--quiet"].into_iter().chain(target.iter().map(String::as_str)).chain(["--"]);
    let command = format!("cargo run {}", target.join(" "));
    Ok(plain(dir, &words.collect::<Vec<_>>(), args, command.trim_end().to_owned()))
}

fn plain(dir: AbsPath, words: &[&str], args: &[String], command: String) -> Start {
    let words = words.iter().copied().chain(args.iter().map(String::as_str));
    Start { program: Program::new(words), dir, command }
}
