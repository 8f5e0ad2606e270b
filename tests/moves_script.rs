//! Moves of TypeScript and JavaScript files, planned with the real server and checked with the compiler.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lspwright::lsp::ServerName;
use lspwright::plan::{Plan, WarningKind};
use lspwright::refactor::Refusal;
use lspwright::refactor::moves::{Documents, plan_move};
use lspwright::session::Session;
use lspwright::text::AbsPath;

use crate::support::{block_on, session};

/// A copy of a sample project, in a directory with a space and letters beyond ASCII in its name.
struct Sample {
    _dir: tempfile::TempDir,
    root: PathBuf,
    session: Session,
}

impl Sample {
    fn copy(name: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("mein próject");
        copy_tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name), &root);
        Self::open(dir, root)
    }

    fn open(dir: tempfile::TempDir, root: PathBuf) -> Self {
        let root = root.canonicalize().unwrap();
        let session = session(&root);
        Self { _dir: dir, root, session }
    }

    fn path(&self, path: &str) -> AbsPath {
        AbsPath::new(self.root.join(path)).unwrap()
    }

    async fn plan(&self, from: &str, to: &str) -> Result<Plan, Refusal> {
        self.plan_with(from, to, Documents::Told).await
    }

    async fn plan_with(&self, from: &str, to: &str, documents: Documents) -> Result<Plan, Refusal> {
        plan_move(&self.session, (&self.path(from), &self.path(to)), documents).await
    }

    /// The edits as lines: path, old text, new text.
    fn lines(&self, plan: &Plan) -> Vec<String> {
        let mut lines = Vec::new();
        for (path, edit) in plan.edits() {
            for one in &edit.edits {
                let old = one.span.of(edit.before.as_str()).unwrap();
                lines.push(format!("{}: {old} -> {}", self.shown(path), one.new_text));
            }
        }
        lines
    }

    fn shown(&self, path: &AbsPath) -> String {
        path.as_path().strip_prefix(&self.root).unwrap().display().to_string()
    }

    fn mentions(&self, plan: &Plan) -> Vec<String> {
        let mentioned = plan.warnings().iter().filter(|warning| warning.kind == WarningKind::Mentioned);
        mentioned.filter_map(|warning| warning.path.as_ref()).map(|path| self.shown(path)).collect()
    }

    async fn refusal(&self, from: &str, to: &str) -> String {
        let refusal = self.plan(from, to).await.expect_err("the move is refused").to_string();
        refusal.replace(&format!("{}/", self.root.display()), "")
    }

    /// Applies a plan to a copy and lists what the compiler says of the project in `project` there.
    async fn problems_after(&self, plan: &Plan, project: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        copy_tree(&self.root, dir.path());
        let place = |path: &AbsPath| dir.path().join(self.shown(path));
        for (path, edit) in plan.edits() {
            std::fs::write(place(path), edit.after().encode()).unwrap();
        }
        for (from, step) in plan.moves() {
            std::fs::create_dir_all(place(&step.to).parent().unwrap()).unwrap();
            std::fs::rename(place(from), place(&step.to)).unwrap();
        }
        self.problems(&dir.path().join(project)).await
    }

    async fn problems(&self, project: &Path) -> Vec<String> {
        let name = ServerName::new("typescript-language-server");
        let checker = self.session.checker(&name, self.session.root()).await.unwrap().unwrap();
        let mut command = std::process::Command::new(&checker.launch.program);
        let output = command.args(&checker.launch.args).envs(checker.launch.env).current_dir(project).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&source, &target);
        } else {
            std::fs::copy(&source, &target).unwrap();
        }
    }
}

/// Every sample's own check must be clean before anything is said about after.
const APP_BEFORE: &str = "the sample compiles";

#[test]
fn moves_in_an_application() {
    block_on(async {
        let app = Sample::copy("ts-app");
        assert_eq!(app.problems(&app.root).await, Vec::<String>::new(), "{APP_BEFORE}");
        a_file_with_every_kind_of_importer(&app).await;
        a_directory_as_one(&app).await;
        barrels_data_and_sources(&app).await;
        what_cannot_be_moved(&app).await;
        changes_on_the_disk_are_seen(&app).await;
        app.session.close().await;
    });
}

async fn a_file_with_every_kind_of_importer(app: &Sample) {
    let plan = app.plan("src/models/user.ts", "src/domäne x/user.ts").await.unwrap();
    let wanted = [
        "scripts/seed.ts: ../src/models/user -> ../src/domäne x/user",
        "src/legacy/format.js: ../models/user -> ../domäne x/user",
        "src/legacy/report.cjs: ../models/user -> ../domäne x/user",
        "src/main.ts: ./models/user -> ./domäne x/user",
        "src/main.ts: ./models/user -> ./domäne x/user",
        "src/models/index.ts: ./user -> ../domäne x/user",
        "src/models/index.ts: ./user -> ../domäne x/user",
        "src/models/order.ts: ./user -> ../domäne x/user",
        "src/models/store.ts: ./user -> ../domäne x/user",
        "src/models/user.ts: ./order.js -> ../models/order.js",
        "test/user.test.ts: ../src/models/user -> ../src/domäne x/user",
    ];
    assert_eq!(app.lines(&plan), wanted);
    assert_eq!(app.mentions(&plan), ["README.md"]);
    let plan = app.plan_with("src/models/user.ts", "src/domäne x/user.ts", Documents::Edited).await.unwrap();
    let mut lines = app.lines(&plan);
    assert_eq!(lines.remove(0), "README.md: src/models/user.ts -> src/domäne x/user.ts");
    assert_eq!((lines, app.mentions(&plan)), (wanted.map(str::to_owned).to_vec(), Vec::new()));
}

async fn a_directory_as_one(app: &Sample) {
    let plan = app.plan("src/models", "src/domain/models").await.unwrap();
    let lines = app.lines(&plan);
    let inside: Vec<&String> = lines.iter().filter(|line| line.starts_with("src/models/")).collect();
    assert_eq!(inside, ["src/models/order.ts: ../config/limits.json -> ../../config/limits.json"]);
    assert!(lines.contains(&"src/main.ts: @app/models/order -> @app/domain/models/order".to_owned()));
    let paths = r#"tsconfig.json: "./src/models/index.ts" -> "./src/domain/models/index.ts""#;
    assert!(lines.contains(&paths.to_owned()), "the `./` of `paths` stays: {lines:?}");
    assert_eq!(plan.moves().len(), 4);
    let mocked = "test/user.test.ts: ../src/models/user -> ../src/domain/models/user".to_owned();
    assert!(lines.contains(&mocked), "the path of `jest.mock` follows: {lines:?}");
    assert_eq!(app.problems_after(&plan, "").await, Vec::<String>::new());
}

async fn barrels_data_and_sources(app: &Sample) {
    let moves = [
        ("src/models/index.ts", "src/models/all.ts"),
        ("src/config/limits.json", "src/settings/caps.json"),
        ("src/ui/App.tsx", "src/views/Main.tsx"),
        ("src/legacy/report.cjs", "src/report.cjs"),
        ("src/ui", "src/widgets/ui"),
        ("src", "lib"),
    ];
    for (from, to) in moves {
        let plan = app.plan(from, to).await.unwrap();
        assert!(!plan.edits().is_empty(), "{from} -> {to}");
        // One run of the compiler takes seconds: the move of everything stands for the others.
        if from == "src" || from == "src/models/index.ts" {
            assert_eq!(app.problems_after(&plan, "").await, Vec::<String>::new(), "{from} -> {to}");
        }
    }
}

async fn what_cannot_be_moved(app: &Sample) {
    let reasons = BTreeMap::from([
        (("src/none.ts", "src/b.ts"), "`src/none.ts` does not exist"),
        (("src/main.ts", "src/main.ts"), "`src/main.ts` already lies there"),
        (("src/main.ts", "src/models/user.ts"), "`src/models/user.ts` exists"),
        (("src/models", "src/models/deep"), "`src/models/deep` lies inside `src/models`, which moves"),
        (("src/models/user.ts", "src/main.ts/user.ts"), "`src/main.ts` is a file: nothing can lie below it"),
    ]);
    for ((from, to), reason) in reasons {
        assert_eq!(app.refusal(from, to).await, reason);
    }
    assert!(app.refusal("src/main.ts", "../main.ts").await.contains("outside the project"));
}

async fn changes_on_the_disk_are_seen(app: &Sample) {
    std::fs::write(app.root.join("src/late.ts"), "\n\nexport { total } from './models/order';\n").unwrap();
    let plan = app.plan("src/models/order.ts", "src/order.ts").await.unwrap();
    let late = "src/late.ts: ./models/order -> ./order".to_owned();
    assert!(app.lines(&plan).contains(&late), "{:?}", app.lines(&plan));
}

#[test]
fn moves_in_a_monorepo_with_and_without_a_solution() {
    block_on(async {
        let mut plans = Vec::new();
        for name in ["ts-monorepo", "ts-monorepo-loose"] {
            let mono = Sample::copy(name);
            let plan = mono.plan("packages/core/src/shape.ts", "packages/core/src/geo/shape.ts").await.unwrap();
            plans.push(mono.lines(&plan));
            if name == "ts-monorepo-loose" {
                for package in ["core", "app", "tools"] {
                    let project = format!("packages/{package}");
                    assert_eq!(mono.problems_after(&plan, &project).await, Vec::<String>::new(), "{project}");
                }
                package_directory(&mono).await;
            } else {
                what_would_leave_its_project(&mono).await;
            }
            mono.session.close().await;
        }
        let wanted = [
            "packages/core/src/index.ts: ./shape.js -> ./geo/shape.js",
            "packages/core/src/units.ts: ./shape.js -> ./geo/shape.js",
            "packages/tools/src/index.ts: @mono/core/shape -> @mono/core/geo/shape",
        ];
        assert_eq!(plans[0], wanted);
        assert_eq!(plans[1], wanted);
    });
}

/// Bare specifiers stay; what leads to the directory follows; the install is named.
async fn package_directory(mono: &Sample) {
    let plan = mono.plan("packages/core", "libs/deep/kernel").await.unwrap();
    let wanted = [
        r#"package.json:  -> , "libs/deep/kernel""#,
        r#"packages/core/tsconfig.json: "../../tsconfig.base.json" -> "../../../tsconfig.base.json""#,
        r#"tsconfig.base.json: "./packages/core/src/index.ts" -> "./libs/deep/kernel/src/index.ts""#,
        r#"tsconfig.base.json: "./packages/core/src/*" -> "./libs/deep/kernel/src/*""#,
    ];
    assert_eq!(mono.lines(&plan), wanted);
    assert!(plan.warnings().iter().any(|warning| warning.message.contains("install again")));
    for project in ["libs/deep/kernel", "packages/app", "packages/tools"] {
        assert_eq!(mono.problems_after(&plan, project).await, Vec::<String>::new(), "{project}");
    }
}

async fn what_would_leave_its_project(mono: &Sample) {
    let refusal = mono.refusal("packages/core/src/shape.ts", "packages/tools/src/shape.ts").await;
    assert!(refusal.contains("outside `packages/core/src`, which `packages/core/tsconfig.json` binds"), "{refusal}");
    let plan = mono.plan("packages/core", "packages/kernel").await.unwrap();
    let references = mono.lines(&plan).into_iter().filter(|line| line.ends_with(r#"kernel""#)).collect::<Vec<_>>();
    let wanted = [
        r#"packages/app/tsconfig.json: "../core" -> "../kernel""#,
        r#"packages/tools/tsconfig.json: "../core" -> "../kernel""#,
        r#"tsconfig.json: "packages/core" -> "packages/kernel""#,
    ];
    assert_eq!(references, wanted);
}

#[test]
fn moves_of_commonjs_without_a_project() {
    block_on(async {
        let cart = Sample::copy("js-commonjs");
        let plan = cart.plan("lib", "source").await.unwrap();
        let wanted = [
            "bin/cart.js: ../lib -> ../source",
            r#"package.json: "lib/index.js" -> "source/index.js""#,
            "test/cart.test.js: ../lib/cart -> ../source/cart",
            "test/cart.test.js: ../lib -> ../source",
        ];
        assert_eq!(cart.lines(&plan), wanted);
        let plan = cart.plan("lib/money.js", "lib/util/money.js").await.unwrap();
        assert!(cart.lines(&plan).contains(&"lib/cart.js: ./money.js -> ./util/money.js".to_owned()));
        std::fs::write(cart.root.join("lib/money.d.ts"), "export function format(amount: number): string;\n").unwrap();
        let plan = cart.plan("lib/money.js", "lib/util/money.js").await.unwrap();
        assert_eq!(plan.moves().len(), 2, "the declarations come along");
        let asked = cart.plan("lib/money.d.ts", "lib/util/money.d.ts").await.unwrap();
        assert_eq!(asked.id(), plan.id(), "and so does the script, where the declarations are named");
        assert!(cart.lines(&plan).contains(&"lib/cart.js: ./money.js -> ./util/money.js".to_owned()));
        cart.session.close().await;
    });
}

/// A package names, as keys, the files for which browsers take others: whole, or without the ending.
#[test]
fn moves_of_files_that_browsers_replace() {
    block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("replaced");
        let package = r#"{ "main": "lib/main.js", "browser": { "fs": false, "./lib/node.js": "./lib/web.js", "./lib/env": false } }"#;
        let files = [
            ("package.json", package),
            ("lib/main.js", "module.exports = [require('./node'), require('./env')];\n"),
            ("lib/node.js", "module.exports = 1;\n"),
            ("lib/env.js", "module.exports = 2;\n"),
            ("lib/web.js", "module.exports = 3;\n"),
        ];
        for (path, text) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        let replaced = Sample::open(dir, root);
        let plan = replaced.plan("lib/node.js", "lib/deep/node.js").await.unwrap();
        let wanted = ["lib/main.js: ./node -> ./deep/node", r#"package.json: "./lib/node.js" -> "./lib/deep/node.js""#];
        assert_eq!(replaced.lines(&plan), wanted);
        let plan = replaced.plan("lib/env.js", "lib/deep/env.js").await.unwrap();
        let wanted = ["lib/main.js: ./env -> ./deep/env", r#"package.json: "./lib/env" -> "./lib/deep/env""#];
        assert_eq!(replaced.lines(&plan), wanted);
        replaced.session.close().await;
    });
}

/// The only way from one package to the other is a link that an install made.
#[cfg(unix)]
#[test]
fn moves_behind_linked_workspaces() {
    block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("mit links");
        let options = r#"{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }"#;
        let core = r#"{ "name": "@w/core", "type": "module", "exports": { ".": "./src/index.ts", "./shape": "./src/shape.ts", "./geo/*": "./src/geo/*.ts" } }"#;
        let files = [
            ("package.json", r#"{ "workspaces": ["packages/*"] }"#),
            ("packages/core/package.json", core),
            ("packages/core/tsconfig.json", options),
            ("packages/core/src/index.ts", "export * from './shape.js';\n"),
            ("packages/core/src/shape.ts", "export const side = 1;\n"),
            ("packages/core/src/geo/point.ts", "export const x = 1;\n"),
            (
                "packages/app/package.json",
                r#"{ "name": "@w/app", "type": "module", "dependencies": { "@w/core": "*" } }"#,
            ),
            ("packages/app/tsconfig.json", options),
            (
                "packages/app/src/main.ts",
                "import { side } from '@w/core/shape';\nimport { x } from '@w/core/geo/point';\nexport const all = [side, x];\n",
            ),
        ];
        for (path, text) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), text).unwrap();
        }
        std::fs::create_dir_all(root.join("node_modules/@w")).unwrap();
        std::os::unix::fs::symlink("../../packages/core", root.join("node_modules/@w/core")).unwrap();
        let linked = Sample::open(dir, root);
        let plan = linked.plan("packages/core/src/shape.ts", "packages/core/src/deep/shape.ts").await.unwrap();
        let wanted = [
            r#"packages/core/package.json: "./src/shape.ts" -> "./src/deep/shape.ts""#,
            "packages/core/src/index.ts: ./shape.js -> ./deep/shape.js",
        ];
        assert_eq!(linked.lines(&plan), wanted);
        let plan = linked.plan("packages/core/src/geo/point.ts", "packages/core/src/geo/deep/point.ts").await.unwrap();
        assert_eq!(linked.lines(&plan), ["packages/app/src/main.ts: @w/core/geo/point -> @w/core/geo/deep/point"]);
        let refusal = linked.refusal("packages/core/src/geo/point.ts", "packages/core/src/point.ts").await;
        assert!(refusal.contains("package `@w/core` exports no subpath for `packages/core/src/point.ts`"), "{refusal}");
        linked.session.close().await;
    });
}
