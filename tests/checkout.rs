//! A checkout beneath a warm session: files are deleted and written again, and asked about at once.

use std::fs;
use std::time::Duration;

use serde_json::json;

use crate::faces::Project;
use crate::mcp::Client;

const FILES: &[(&str, &str)] = &[
    (
        "tsconfig.json",
        "{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\"}}\n",
    ),
    ("src/core/server.ts", "export interface Options {\n  host: string;\n}\n"),
    ("src/core/index.ts", "export * from './server';\n"),
    ("src/app/main.ts", "import type { Options } from '../core';\nexport const host = (it: Options) => it.host;\n"),
    ("src/app/made.ts", "import type { Options } from '../core';\nexport const made: Options = { host: 'a' };\n"),
];

/// A project with a warm client.
struct Warm {
    project: Project,
    client: Client,
}

impl Warm {
    fn with(files: &[(&str, &str)], root: &str) -> Self {
        let project = Project::with(files);
        let mut client = Client::start(project.command(&["serve", "--project", root]));
        client.initialize("2025-11-25");
        Self { project, client }
    }

    /// The files that a rename edits.
    fn edited(&mut self, target: &str) -> Vec<String> {
        let answer = self.client.call("planRenameSymbol", json!({"target": target, "newName": "address"}));
        let files = answer["structuredContent"]["edits"].as_array().cloned().unwrap_or_default();
        files.iter().map(|file| file["filePath"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// What is found wrong with a file.
    fn problems(&mut self, path: &str) -> u64 {
        let answer = self.client.call("listProblems", json!({"paths": [path], "severity": "error"}));
        let summary = answer["structuredContent"]["summary"].as_str().unwrap().to_owned();
        summary.split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{answer}"))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.project.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn write_again(&self, below: &str) {
        for (path, text) in FILES.iter().filter(|(path, _)| path.starts_with(below)) {
            self.write(path, text);
        }
    }
}

const OPTION: &str = "src/core/server.ts#Options.host";

#[test]
fn a_plan_right_after_a_checkout_is_whole() {
    let mut warm = Warm::with(FILES, ".");
    let whole = warm.edited(OPTION);
    assert_eq!(whole.len(), 3, "{whole:?}");
    for _ in 0..3 {
        fs::remove_dir_all(warm.project.root().join("src")).unwrap();
        warm.write_again("src/");
        assert_eq!(warm.edited(OPTION), whole);
    }
}

#[test]
fn what_went_and_came_again_is_seen() {
    let mut warm = Warm::with(FILES, ".");
    let whole = warm.edited(OPTION);
    for round in 0..3 {
        for gone in ["src/core/index.ts", "src/app/made.ts", "tsconfig.json"] {
            fs::remove_file(warm.project.root().join(gone)).unwrap();
            // The server may look in between, or not.
            std::thread::sleep(Duration::from_millis(200 * round));
            if round == 1 {
                warm.edited(OPTION);
            }
            warm.write_again(gone);
            assert_eq!(warm.edited(OPTION), whole, "{gone} in round {round}");
        }
    }
}

#[test]
fn what_a_plan_moved_and_was_taken_back_is_seen_by_an_old_compiler() {
    let package = "{\"private\": true, \"devDependencies\": {\"typescript\": \"~4.9.5\"}}\n";
    let files: Vec<_> = FILES.iter().copied().chain([("package.json", package)]).collect();
    let options = FILES[0].1.replace("bundler", "node");
    let mut warm = Warm::with(&files, ".");
    warm.write("tsconfig.json", &options);
    let whole = warm.edited(OPTION);
    assert_eq!(whole.len(), 3, "{whole:?}");
    let moved = json!({"oldPath": "src/core/server.ts", "newPath": "src/core/host.ts"});
    let moved = warm.client.call("planFileMove", moved);
    let applied = warm.client.call("applyPlan", json!({"planId": moved["structuredContent"]["planId"]}));
    assert_ne!(applied["isError"], true, "{applied}");
    // Until the server has seen by itself that the file went.
    std::thread::sleep(Duration::from_secs(6));
    let undone = warm.client.call("undoPlan", json!({"planId": moved["structuredContent"]["planId"]}));
    assert_ne!(undone["isError"], true, "{undone}");
    assert_eq!(warm.edited(OPTION), whole);
}

#[test]
fn what_a_build_writes_is_seen_though_it_is_ignored() {
    let mut warm = Warm::with(
        &[
            ("tsconfig.json", FILES[0].1),
            (".gitignore", "dist\n"),
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("dist/made.d.ts", "export declare const made: number;\n"),
            ("src/main.ts", "import { made } from '../dist/made';\nexport const twice: number = made * 2;\n"),
            ("src/late.ts", "import { late } from '../dist/late';\nexport const length: number = late.length;\n"),
        ],
        ".",
    );
    assert_eq!((warm.problems("src/main.ts"), warm.problems("src/late.ts")), (0, 1));
    warm.write("dist/made.d.ts", "export declare const made: string;\n");
    assert_eq!(warm.problems("src/main.ts"), 1);
    warm.write("dist/late.d.ts", "export declare const late: string;\n");
    warm.write("dist/made.d.ts", "export declare const made: number;\n");
    assert_eq!((warm.problems("src/main.ts"), warm.problems("src/late.ts")), (0, 0));
}

#[test]
fn what_lies_outside_and_what_is_installed_is_seen() {
    let mut warm = Warm::with(
        &[
            ("base.json", FILES[0].1),
            ("shared/made.ts", "export const made: number = 1;\n"),
            ("app/tsconfig.json", "{\"extends\": \"../base.json\", \"include\": [\"src\"]}\n"),
            ("app/src/main.ts", "import { made } from '../../shared/made';\nexport const twice: number = made * 2;\n"),
            ("app/src/deep/uses.ts", "import { late } from 'late';\nexport const length: number = late.length;\n"),
        ],
        "app",
    );
    assert_eq!((warm.problems("src/main.ts"), warm.problems("src/deep/uses.ts")), (0, 1));
    warm.write("shared/made.ts", "export const made: string = '';\n");
    assert_eq!(warm.problems("src/main.ts"), 1);
    warm.write("shared/made.ts", "export const made: number = 2;\n");
    warm.write("app/src/deep/node_modules/late/package.json", "{\"name\": \"late\", \"types\": \"index.d.ts\"}\n");
    warm.write("app/src/deep/node_modules/late/index.d.ts", "export declare const late: string;\n");
    assert_eq!((warm.problems("src/main.ts"), warm.problems("src/deep/uses.ts")), (0, 0));
    // The compiler's options are another file's.
    warm.write(
        "base.json",
        "{\"compilerOptions\": {\"strict\": true, \"noImplicitAny\": false, \"noUnusedLocals\": true}}\n",
    );
    warm.write("app/src/main.ts", "const spare = 1;\nexport {};\n");
    assert_eq!(warm.problems("src/main.ts"), 1);
}

#[test]
fn a_module_that_comes_after_those_who_import_it_is_known_to_them() {
    let mut warm = Warm::with(
        &[
            FILES[0],
            ("src/main.ts", "import { made } from './made';\nexport const twice: number = made() * 2;\n"),
            ("src/other.ts", "export const other = 1;\n"),
        ],
        ".",
    );
    assert_eq!(warm.edited("src/other.ts#other").len(), 1);
    warm.write("src/made.ts", "export function made(): number {\n  return 1;\n}\n");
    assert_eq!(warm.edited("src/made.ts#made").len(), 2);
}

#[test]
fn a_configuration_that_comes_late_counts() {
    let mut warm = Warm::with(
        &[
            ("src/made.ts", "export function made(): number {\n  return 1;\n}\n"),
            ("src/main.ts", "import { made } from '@/made';\nexport const twice: number = made() * 2;\n"),
        ],
        ".",
    );
    assert_eq!(warm.edited("src/made.ts#made").len(), 1);
    let paths = "{\"compilerOptions\": {\"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"paths\": {\"@/*\": [\"./src/*\"]}}}\n";
    warm.write("tsconfig.json", paths);
    assert_eq!(warm.edited("src/made.ts#made").len(), 2);
}
