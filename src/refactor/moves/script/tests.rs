//! What a move changes, on small projects written to a temporary directory.

use std::path::Path;

use super::analysis::analyse;
use crate::refactor::moves::Relocation;
use crate::session::Sources;
use crate::text::{AbsPath, TextEdit};
use crate::workspace::Disk;

/// A project, `from`, `to`; the outcome is a line for every edit, obstacle and remark.
fn outcome(files: &[(&str, &str)], from: &str, to: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("mein próject");
    for (path, text) in files {
        write(&root.join(path), text);
    }
    let disk = Disk::open(&AbsPath::new(&root).unwrap()).unwrap();
    let (from, to) = (disk.root().join(from).unwrap(), disk.root().join(to).unwrap());
    let relocation = if from.as_path().is_dir() {
        let below = disk.everything_below(&from).unwrap().into_iter().map(|entry| entry.path);
        Relocation::of_directory(from, to, below)
    } else {
        Relocation::of_file(from, to)
    };
    let analysis = analyse(&Sources::new(disk.clone()), &relocation).unwrap();
    let seen = |path: &AbsPath| path.relative_to(disk.root()).unwrap().as_str().to_owned();
    let mut lines = Vec::new();
    for (path, mut edits) in analysis.changes.edits {
        edits.sort();
        let text = disk.read(&path).unwrap();
        let line =
            |edit: TextEdit| format!("{}: {} -> {}", seen(&path), edit.span.of(text.as_str()).unwrap(), edit.new_text);
        lines.extend(edits.into_iter().map(line));
    }
    lines.extend(analysis.obstacles.iter().map(|one| format!("no: {}: {}: {}", one.file, one.specifier, one.reason)));
    let remarks = analysis.changes.warnings.iter();
    lines.extend(
        remarks.map(|one| format!("{} in {}", one.kind.as_str(), one.path.as_ref().map(seen).unwrap_or_default())),
    );
    lines
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

const NOTHING: &[&str] = &[];

#[test]
fn every_style_of_ending_is_kept() {
    let files = [
        ("src/user.ts", "export const a = 1;"),
        ("src/a.ts", "import './user'; import './user.js'; import './user.ts';"),
        ("src/b.ts", "import '../src/user';"),
    ];
    let wanted = [
        "src/a.ts: ./user -> ./deep/person",
        "src/a.ts: ./user.js -> ./deep/person.js",
        "src/a.ts: ./user.ts -> ./deep/person.ts",
        "src/b.ts: ../src/user -> ./deep/person",
    ];
    assert_eq!(outcome(&files, "src/user.ts", "src/deep/person.ts"), wanted);
}

#[test]
fn the_extension_follows_where_it_is_written() {
    let files = [("a.ts", ""), ("b.ts", "import './a.js'; import './a';"), ("c.mts", "import './a.js';")];
    assert_eq!(outcome(&files, "a.ts", "a.tsx"), NOTHING);
    let wanted = ["b.ts: ./a.js -> ./a.mjs", "c.mts: ./a.js -> ./a.mjs"];
    assert_eq!(outcome(&files, "a.ts", "a.mts"), wanted);
}

#[test]
fn files_that_move_together_keep_their_imports() {
    let files = [
        ("src/models/user.ts", "import './order.js'; import '../log'; import '.';"),
        ("src/models/order.ts", "import '../models/user';"),
        ("src/models/index.ts", "export * from './user';"),
        ("src/log.ts", "import './models'; import './models/';"),
    ];
    let wanted = [
        "src/log.ts: ./models -> ./domain/deep/models",
        "src/log.ts: ./models/ -> ./domain/deep/models/",
        "src/models/user.ts: ../log -> ../../../log",
    ];
    assert_eq!(outcome(&files, "src/models", "src/domain/deep/models"), wanted);
}

#[test]
fn a_barrel_is_found_where_nothing_names_it() {
    let files = [
        ("src/index.ts", "export {};"),
        ("src/a.ts", "import '.'; import './';"),
        ("src/deep/b.ts", "import '..'; import '../index';"),
    ];
    let wanted = [
        "src/a.ts: . -> ./all",
        "src/a.ts: ./ -> ./all",
        "src/deep/b.ts: .. -> ../all",
        "src/deep/b.ts: ../index -> ../all",
    ];
    assert_eq!(outcome(&files, "src/index.ts", "src/all.ts"), wanted);
}

#[test]
fn a_package_is_named_by_its_directory_as_before() {
    let files = [
        ("package.json", r#"{ "name": "lone", "main": "lib/one.js" }"#),
        ("lib/one.js", ""),
        ("test/basic.js", "require('../'); require('..'); require('../lib/one');"),
    ];
    let wanted =
        ["test/basic.js: ../ -> ../../", "test/basic.js: .. -> ../..", "test/basic.js: ../lib/one -> ../../lib/one"];
    assert_eq!(outcome(&files, "test/basic.js", "test/unit/basic.js"), wanted);
}

#[test]
fn a_file_of_another_package_is_named_by_what_that_publishes() {
    fn moved(package: &str) -> Vec<String> {
        let files = [
            ("packages/core/package.json", r#"{ "name": "@shop/core", "dependencies": { "@shop/shared": "1.0.0" } }"#),
            ("packages/core/src/types.ts", "export type Price = number;"),
            ("packages/core/src/order.ts", "import { Price } from './types';"),
            ("packages/shared/package.json", package),
            ("packages/shared/src/index.ts", "export {};"),
        ];
        outcome(&files, "packages/core/src/types.ts", "packages/shared/src/types.ts")
    }
    let bundled = r#"{ "name": "@shop/shared", "module": "dist/shared.esm.js", "main": "a/b.js", "files": ["index.js", "dist"] }"#;
    assert_eq!(moved(bundled)[0], "packages/core/src/order.ts: ./types -> ../../shared/src/types");
    let bare = r#"{ "name": "@shop/shared", "main": "index.js" }"#;
    assert_eq!(moved(bare)[0], "packages/core/src/order.ts: ./types -> @shop/shared/src/types");
}

#[test]
fn a_package_that_is_entered_by_its_index_names_what_it_is_entered_by() {
    let files = [
        ("package.json", "{\n  \"name\": \"lone\",\n  \"files\": [\"index.js\"]\n}"),
        ("index.js", ""),
        ("kit/package.json", r#"{ "name": "kit", "version": "1.0.0" }"#),
        ("kit/index.js", ""),
        ("app/package.json", r#"{ "private": true }"#),
        ("app/index.js", ""),
    ];
    let wanted = ["package.json:  -> ,\n  \"main\": \"lib/lone.js\"", "package.json: \"index.js\" -> \"lib/lone.js\""];
    assert_eq!(outcome(&files, "index.js", "lib/lone.js"), wanted);
    assert_eq!(outcome(&files, "kit/index.js", "kit/kit.js"), ["kit/package.json:  -> , \"main\": \"kit.js\""]);
    assert_eq!(outcome(&files, "kit", "tools/kit"), NOTHING);
    assert_eq!(outcome(&files, "app/index.js", "app/main.js"), NOTHING);
}

#[test]
fn a_file_that_becomes_a_barrel_is_named_by_its_directory() {
    let files = [("src/user.ts", ""), ("src/a.ts", "import './user'; import './user.js';")];
    // `./user` goes on to name it.
    assert_eq!(outcome(&files, "src/user.ts", "src/user/index.ts"), ["src/a.ts: ./user.js -> ./user/index.js"]);
}

#[test]
fn a_neighbour_that_would_hide_the_moved_file_is_seen() {
    let files = [
        ("src/user/index.ts", "export const old = 1;"),
        ("src/a.ts", "import './user';"),
        ("lib/user.ts", "export const other = 1;"),
        ("src/b.ts", "import '../lib/user';"),
    ];
    let wanted = ["src/a.ts: ./user -> ./user/index", "src/b.ts: ../lib/user -> ./user"];
    assert_eq!(outcome(&files, "lib/user.ts", "src/user.ts"), wanted);
}

#[test]
fn aliases_stay_aliases_and_project_files_stay_right() {
    let tsconfig = r#"{
  // comments and trailing commas are borne
  "compilerOptions": { "paths": { "@app/*": ["./src/*"], "@utils": ["./src/utils/index.ts"], }, },
  "include": ["src", "src/utils/**/*.ts"],
}"#;
    let files = [
        ("tsconfig.json", tsconfig),
        ("src/utils/index.ts", ""),
        ("src/utils/text.ts", ""),
        ("src/main.ts", "import '@utils'; import '@app/utils/text'; import '@app/utils';"),
    ];
    let wanted = [
        "src/main.ts: @app/utils/text -> @app/lib/text",
        "src/main.ts: @app/utils -> @app/lib",
        r#"tsconfig.json: "./src/utils/index.ts" -> "./src/lib/index.ts""#,
        r#"tsconfig.json: "src/utils/**/*.ts" -> "src/lib/**/*.ts""#,
    ];
    assert_eq!(outcome(&files, "src/utils", "src/lib"), wanted);
    let wanted = [
        r#"tsconfig.json: "./src/*" -> "./code/ts/*""#,
        r#"tsconfig.json: "./src/utils/index.ts" -> "./code/ts/utils/index.ts""#,
        r#"tsconfig.json: "src" -> "code/ts""#,
        r#"tsconfig.json: "src/utils/**/*.ts" -> "code/ts/utils/**/*.ts""#,
    ];
    assert_eq!(outcome(&files, "src", "code/ts"), wanted);
}

#[test]
fn names_from_the_base_url_go_on_from_there() {
    let files = [
        ("tsconfig.json", r#"{ "compilerOptions": { "baseUrl": "./src" } }"#),
        ("src/models/user.ts", ""),
        ("src/main.ts", "import 'models/user'; import 'react';"),
    ];
    assert_eq!(
        outcome(&files, "src/models/user.ts", "src/domain/user.ts"),
        ["src/main.ts: models/user -> domain/user"]
    );
    assert_eq!(outcome(&files, "src", "lib"), [r#"tsconfig.json: "./src" -> "./lib""#]);
    let outside = ["src/main.ts: models/user -> ../user"];
    assert_eq!(outcome(&files, "src/models/user.ts", "user.ts"), outside);
}

#[test]
fn a_file_that_leaves_the_patterns_is_listed_beside_them() {
    let files = [
        ("tsconfig.json", "{\n  \"include\": [\n    \"./src\"\n  ]\n}"),
        ("src/a.ts", "import './b';"),
        ("src/b.ts", ""),
    ];
    let wanted =
        ["src/a.ts: ./b -> ../lib/b", "tsconfig.json:  -> ,\n    \"./lib/b.ts\"", "follow-up in tsconfig.json"];
    assert_eq!(outcome(&files, "src/b.ts", "lib/b.ts"), wanted);
}

#[test]
fn what_a_project_cannot_take_in_is_refused() {
    let files = [
        ("tsconfig.json", r#"{ "compilerOptions": { "rootDir": "src" }, "include": ["src"] }"#),
        ("src/a.ts", "import './b';"),
        ("src/b.ts", ""),
    ];
    let found = outcome(&files, "src/b.ts", "lib/b.ts");
    assert!(
        found[0].starts_with("no: src/a.ts: ./b: `src/a.ts` would have to import `lib/b.ts`, outside `src`"),
        "{found:?}"
    );
}

#[test]
fn what_is_compiled_beside_the_settings_follows_its_source() {
    let files = [
        ("tsconfig.json", r#"{ "compilerOptions": { "rootDir": "src", "outDir": "." }, "include": ["src"] }"#),
        ("package.json", r#"{ "exports": { "./json": { "import": "./json.mjs", "types": "./json.d.ts" } } }"#),
        ("src/json.ts", "export const json = 1;"),
    ];
    let wanted = ["package.json: \"./json.mjs\" -> \"./text.mjs\"", "package.json: \"./json.d.ts\" -> \"./text.d.ts\""];
    assert_eq!(outcome(&files, "src/json.ts", "src/text.ts"), wanted);
}

#[test]
fn only_imports_change_and_other_strings_are_named() {
    let files = [
        ("src/a.ts", "export const a = './b';"),
        ("src/b.ts", ""),
        ("src/a.test.ts", "jest.mock('./a'); new URL('./a.ts', import.meta.url); // './a'\n"),
        ("src/page.vue", "<script>import a from './a'</script>"),
        ("src/all.ts", "import.meta.glob('./*.ts'); import(`./${x}`);"),
    ];
    let wanted = [
        "src/a.test.ts: ./a -> ../lib/a",
        "src/a.test.ts: ./a.ts -> ../lib/a.ts",
        "mentioned-not-changed in src/a.test.ts",
        "possible-use in src/a.ts",
        "possible-use in src/all.ts",
        "mentioned-not-changed in src/page.vue",
    ];
    assert_eq!(outcome(&files, "src/a.ts", "lib/a.ts"), wanted);
}

/// Long texts are parsed only as far as they must be: a comment or a template that is still open there is neither
/// taken for code nor lost.
#[test]
fn a_long_text_is_judged_as_a_short_one() {
    let filler = "export const filler = 'some text that makes the file long';\n".repeat(100);
    let text =
        format!("import './a';\n/**\n * import './a';\n */\nconst t = `\nimport './a';\n`;\n{filler}import('./a');\n");
    let files = [("src/a.ts", ""), ("src/b.ts", text.as_str())];
    let wanted = ["src/b.ts: ./a -> ./c", "src/b.ts: ./a -> ./c", "mentioned-not-changed in src/b.ts"];
    assert_eq!(outcome(&files, "src/a.ts", "src/c.ts"), wanted);
    let text = format!("/**\n * import './a';\n */\n{filler}");
    let files = [("src/a.ts", ""), ("src/b.ts", text.as_str())];
    assert_eq!(outcome(&files, "src/a.ts", "src/c.ts"), ["mentioned-not-changed in src/b.ts"]);
}

#[test]
fn declarations_references_and_augmentations_follow() {
    let files = [
        ("src/user.ts", "export interface User {}"),
        ("types/env.d.ts", "declare const x: number;"),
        (
            "src/plugin.ts",
            "/// <reference path=\"../types/env.d.ts\" />\nimport './user';\ndeclare module './user' { interface User { a: 1 } }",
        ),
        ("src/js.js", "/** @typedef {import('./user').User} U */\n/** @import { User } from './user' */\n"),
    ];
    let wanted = [
        "src/js.js: ./user -> ../lib/user",
        "src/js.js: ./user -> ../lib/user",
        "src/plugin.ts: ./user -> ../lib/user",
        "src/plugin.ts: ./user -> ../lib/user",
    ];
    assert_eq!(outcome(&files, "src/user.ts", "lib/user.ts"), wanted);
    let wanted = ["src/plugin.ts: ../types/env.d.ts -> ../src/env.d.ts"];
    let moved = outcome(&files, "types/env.d.ts", "src/env.d.ts");
    assert_eq!(moved, wanted.map(|line| line.replace("../src/env", "./env")));
}

#[test]
fn queries_and_assets_are_carried_along() {
    let files = [
        ("src/a.css", ""),
        ("src/logo.svg", ""),
        ("src/data.json", "{}"),
        (
            "src/main.ts",
            "import './a.css?inline'; import logo from './logo.svg'; require('./data'); require('./data.json');",
        ),
    ];
    assert_eq!(outcome(&files, "src/a.css", "style/b.css"), ["src/main.ts: ./a.css?inline -> ../style/b.css?inline"]);
    assert_eq!(outcome(&files, "src/logo.svg", "img/logo.svg"), ["src/main.ts: ./logo.svg -> ../img/logo.svg"]);
    let wanted = ["src/main.ts: ./data -> ./caps", "src/main.ts: ./data.json -> ./caps.json"];
    assert_eq!(outcome(&files, "src/data.json", "src/caps.json"), wanted);
}

#[test]
fn pages_go_on_to_load_what_moves() {
    let files = [
        ("js/shop.js", ""),
        ("js/app.js", ""),
        ("index.html", "<script src=\"js/shop.js?v=2\"></script><script src='./js/app.js'></script>"),
        ("help/index.html", "<script src=\"../js/shop.js\"></script><a href=\"../index.html#top\">Up</a>"),
        ("about.html", "<script data-src=\"js/shop.js\" src=\"https://a.org/js/shop.js\"></script>"),
    ];
    let wanted = [
        "help/index.html: ../js/shop.js -> ../js/lib/shop.js",
        "index.html: js/shop.js -> js/lib/shop.js",
        "mentioned-not-changed in about.html",
    ];
    assert_eq!(outcome(&files, "js/shop.js", "js/lib/shop.js"), wanted);
    let wanted = [
        "help/index.html: ../js/shop.js -> ../site/shop.js",
        "index.html: ./js/app.js -> ./site/app.js",
        "index.html: js/shop.js -> site/shop.js",
        "mentioned-not-changed in about.html",
    ];
    let mut found = outcome(&files, "js", "site");
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn a_moved_file_keeps_its_way_to_what_is_not_listed() {
    let files = [(".gitignore", "gen\n"), ("src/a.ts", "import './gen/api';"), ("src/gen/api.ts", "")];
    assert_eq!(outcome(&files, "src/a.ts", "src/deep/a.ts"), ["src/a.ts: ./gen/api -> ../gen/api"]);
}

const PACKAGE: &str = r##"{
  "name": "@mono/core",
  "main": "./dist/index.js",
  "exports": { ".": "./dist/index.js", "./shape": { "types": "./dist/shape.d.ts", "default": "./dist/shape.js" }, "./geo/*": "./dist/geo/*.js" },
  "imports": { "#log": "./src/log.ts" }
}"##;

fn monorepo() -> Vec<(&'static str, &'static str)> {
    vec![
        ("package.json", r#"{ "workspaces": ["packages/*"] }"#),
        ("packages/core/package.json", PACKAGE),
        (
            "packages/core/tsconfig.json",
            r#"{ "extends": "../../base.json", "compilerOptions": { "composite": true, "outDir": "dist", "rootDir": "src" } }"#,
        ),
        ("base.json", r#"{ "compilerOptions": { "strict": true } }"#),
        ("packages/core/src/index.ts", "export * from './shape.js'; import '#log';"),
        ("packages/core/src/shape.ts", ""),
        ("packages/core/src/log.ts", ""),
        ("packages/core/src/geo/point.ts", ""),
        ("packages/app/package.json", r#"{ "name": "@mono/app", "dependencies": { "@mono/core": "file:../core" } }"#),
        ("packages/app/tsconfig.json", r#"{ "references": [{ "path": "../core" }], "include": ["src"] }"#),
        ("packages/app/src/main.ts", "import '@mono/core'; import '@mono/core/shape'; import '@mono/core/geo/point';"),
    ]
}

#[test]
fn a_packages_entries_follow_so_that_its_users_need_not() {
    let wanted = [
        r#"packages/core/package.json: "./dist/shape.d.ts" -> "./dist/deep/form.d.ts""#,
        r#"packages/core/package.json: "./dist/shape.js" -> "./dist/deep/form.js""#,
        "packages/core/src/index.ts: ./shape.js -> ./deep/form.js",
    ];
    assert_eq!(outcome(&monorepo(), "packages/core/src/shape.ts", "packages/core/src/deep/form.ts"), wanted);
    let wanted = [r##"packages/core/package.json: "./src/log.ts" -> "./src/util/log.ts""##];
    assert_eq!(outcome(&monorepo(), "packages/core/src/log.ts", "packages/core/src/util/log.ts"), wanted);
}

#[test]
fn a_pattern_of_exports_is_used_or_the_move_is_refused() {
    let wanted = ["packages/app/src/main.ts: @mono/core/geo/point -> @mono/core/geo/deep/point"];
    assert_eq!(outcome(&monorepo(), "packages/core/src/geo/point.ts", "packages/core/src/geo/deep/point.ts"), wanted);
    let found = outcome(&monorepo(), "packages/core/src/geo/point.ts", "packages/core/src/point.ts");
    let wanted = "no: packages/app/src/main.ts: @mono/core/geo/point: package `@mono/core` exports no subpath for `packages/core/src/point.ts`";
    assert_eq!(found, [wanted]);
    let wanted = [r#"packages/core/package.json: "./dist/geo/*.js" -> "./dist/space/*.js""#];
    assert_eq!(outcome(&monorepo(), "packages/core/src/geo", "packages/core/src/space"), wanted);
}

#[test]
fn a_package_moves_with_everything_that_leads_to_it() {
    let wanted = [
        r#"package.json:  -> , "libs/kernel/core""#,
        r#"packages/app/package.json: "file:../core" -> "file:../../libs/kernel/core""#,
        r#"packages/app/tsconfig.json: "../core" -> "../../libs/kernel/core""#,
        r#"packages/core/tsconfig.json: "../../base.json" -> "../../../base.json""#,
    ];
    assert_eq!(outcome(&monorepo(), "packages/core", "libs/kernel/core"), wanted);
}

#[test]
fn what_is_compiled_stays_where_all_sources_move() {
    let wanted = [
        r##"packages/core/package.json: "./src/log.ts" -> "./code/log.ts""##,
        r#"packages/core/tsconfig.json: "src" -> "code""#,
    ];
    assert_eq!(outcome(&monorepo(), "packages/core/src", "packages/core/code"), wanted);
}

#[test]
fn an_entry_that_leaves_its_package_is_refused() {
    let found = outcome(&monorepo(), "packages/core/src/shape.ts", "packages/app/src/shape.ts");
    assert!(
        found.iter().any(|line| line.starts_with("no: packages/core/package.json: ./dist/shape.js: it is compiled")),
        "{found:?}"
    );
}

#[test]
fn a_package_installed_from_elsewhere_is_not_the_projects_own() {
    let files = [
        ("fixtures/react/package.json", r#"{ "name": "react", "main": "index.js" }"#),
        ("fixtures/react/index.js", ""),
        ("node_modules/react/package.json", r#"{ "name": "react" }"#),
        ("src/a.ts", "import 'react';"),
    ];
    let wanted = [r#"fixtures/react/package.json: "index.js" -> "main.js""#];
    assert_eq!(outcome(&files, "fixtures/react/index.js", "fixtures/react/main.js"), wanted);
}

#[test]
fn what_a_compiler_writes_follows_its_source() {
    let files = [
        ("tsconfig.json", r#"{ "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"] }"#),
        ("package.json", r#"{ "name": "greek" }"#),
        ("src/alpha.ts", "export const alpha = 1;"),
        ("src/index.ts", "export * from './alpha.js';"),
        ("test/alpha.test.ts", "import { alpha } from '../dist/alpha.js'; import '../dist/index.js';"),
        ("test/main.test.ts", "import { alpha } from '../dist/alpha';"),
    ];
    let wanted = [
        "src/index.ts: ./alpha.js -> ./greek/first.js",
        "test/alpha.test.ts: ../dist/alpha.js -> ../dist/greek/first.js",
        "test/main.test.ts: ../dist/alpha -> ../dist/greek/first",
    ];
    assert_eq!(outcome(&files, "src/alpha.ts", "src/greek/first.ts"), wanted);
}

#[test]
fn dots_are_a_path_where_a_function_of_paths_is_passed_them() {
    let joined = [("app.ts", "export const said = (all: string[]) => all.join('.') + '..'.length;")];
    assert_eq!(outcome(&joined, "app.ts", "lib/app.ts"), NOTHING);
    let named = [("src/app.ts", "import path from 'path'; export const up = path.join(__dirname, '..');")];
    assert_eq!(outcome(&named, "src/app.ts", "src/deep/app.ts"), ["src/app.ts: '..' -> '../..'"]);
}

#[test]
fn paths_that_are_joined_from_pieces_follow() {
    let loads = "const { join } = require('path');\nrequire(join(__dirname, 'lib', 'pad'));\n";
    let files = [
        ("bin/app.js", format!("{loads}exports.at = join(__dirname, 'lib/pad.js');\n")),
        ("bin/lib/pad.js", String::new()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let wanted =
        ["bin/app.js: 'lib', 'pad' -> '..', 'bin', 'lib', 'pad'", "bin/app.js: 'lib/pad.js' -> '../bin/lib/pad.js'"];
    assert_eq!(outcome(&files, "bin/app.js", "src/app.js"), wanted);
    let wanted = ["bin/app.js: 'lib', 'pad' -> '..', 'pads', 'pad'", "bin/app.js: 'lib/pad.js' -> '../pads/pad.js'"];
    assert_eq!(outcome(&files, "bin/lib/pad.js", "pads/pad.js"), wanted);
    let unknown = [("bin/app.js", "const at = require('path').join(__dirname, 'dist', name);")];
    assert_eq!(outcome(&unknown, "bin/app.js", "src/app.js"), ["named-at-run-time in bin/app.js"]);
}

#[test]
fn scripts_of_a_package_run_what_moved() {
    let scripts = r#"{ "scripts": { "seed": "node ./tools/seed.js && cat 'tools/seed.js'|wc", "all": "run tools seed my/tools/seed.js" } }"#;
    let files = [("package.json", scripts), ("tools/seed.js", ""), ("tools/other.js", "")];
    let wanted = [
        r#"package.json: "node ./tools/seed.js && cat 'tools/seed.js'|wc" -> "node ./scripts/seed.js && cat 'scripts/seed.js'|wc""#,
        "string-edited in package.json",
    ];
    assert_eq!(outcome(&files, "tools/seed.js", "scripts/seed.js"), wanted);
    assert_eq!(outcome(&files, "tools", "jobs").len(), 2);
}

#[test]
fn what_node_reads_as_it_is_is_named_with_its_ending() {
    let files = [
        (
            "package.json",
            r##"{ "name": "pads", "type": "module", "imports": { "#util/*": "./src/util/*.js" }, "exports": { "./*": "./src/*.js" } }"##,
        ),
        ("src/util/pad.js", ""),
        ("src/a.js", "import '#util/pad'; import 'pads/util/pad';"),
    ];
    let wanted = ["src/a.js: #util/pad -> ../lib/pad.js", "src/a.js: pads/util/pad -> ../lib/pad.js"];
    assert_eq!(outcome(&files, "src/util/pad.js", "lib/pad.js"), wanted);
}

#[test]
fn entries_that_another_program_builds_are_told() {
    let entries = r#"{ "main": "dist/wrap.js", "exports": "./dist/wrap.js", "scripts": { "build": "rollup -c" } }"#;
    let bundled = [
        ("package.json", entries),
        ("tsconfig.json", r#"{ "compilerOptions": { "outDir": "dist" }, "include": ["src"] }"#),
        ("rollup.config.mjs", "export default { input: 'src/wrap.ts', output: { file: 'dist/wrap.js' } };"),
        ("src/wrap.ts", ""),
    ];
    let told = ["possible-use in rollup.config.mjs", "possible-use in package.json", "possible-use in package.json"];
    assert_eq!(outcome(&bundled, "src/wrap.ts", "src/lib/wrap.ts"), told);
    let unknown = [("package.json", r#"{ "main": "dist/wrap.js" }"#), ("src/wrap.ts", "")];
    assert_eq!(outcome(&unknown, "src/wrap.ts", "src/lib/wrap.ts"), ["possible-use in package.json"]);
    let declared = [
        ("package.json", r#"{ "main": "dist/wrap.js", "types": "dist/wrap.d.ts" }"#),
        ("tsconfig.json", r#"{ "compilerOptions": { "outDir": "dist", "emitDeclarationOnly": true } }"#),
        ("src/wrap.ts", ""),
    ];
    let wanted = [r#"package.json: "dist/wrap.d.ts" -> "dist/lib/wrap.d.ts""#, "possible-use in package.json"];
    assert_eq!(outcome(&declared, "src/wrap.ts", "src/lib/wrap.ts"), wanted);
}

#[test]
fn what_a_pattern_publishes_stays_published() {
    let files = [("package.json", r#"{ "files": ["index.js", "lib/*.js"] }"#), ("index.js", ""), ("lib/area.js", "")];
    let wanted = [r#"package.json:  -> , "src/area.js""#];
    assert_eq!(outcome(&files, "lib/area.js", "src/area.js"), wanted);
    assert_eq!(outcome(&files, "lib/area.js", "lib/space.js"), NOTHING);
}

#[test]
fn a_pattern_that_loses_a_file_is_told() {
    let package = r#"{ "scripts": { "test": "node --test '{test,spec}/*.test.js'" }, "jest": { "testMatch": ["**/test/*.js"] } }"#;
    let files = [("package.json", package), ("test/a.test.js", "")];
    assert_eq!(outcome(&files, "test/a.test.js", "checks/a.test.js"), ["possible-use in package.json"; 2]);
    assert_eq!(outcome(&files, "test/a.test.js", "spec/a.test.js"), ["possible-use in package.json"]);
    assert_eq!(outcome(&files, "test/a.test.js", "test/b.test.js"), NOTHING);
}

#[test]
fn paths_that_tools_read_are_edited_where_their_base_is_known() {
    let package =
        r#"{ "tsup": { "entry": ["src/actors/index.ts"] }, "preconstruct": { "entrypoints": ["./actors/index.ts"] } }"#;
    let files = [
        ("package.json", package),
        ("build.json", r#"{ "entries": ["./actors/index.ts"], "other": "./actors/other.ts" }"#),
        ("esbuild.mjs", "run({ entryPoints: ['src/actors/index.ts'] });"),
        ("src/actors/index.ts", ""),
        ("src/actors/other.ts", ""),
    ];
    let wanted = [
        r#"package.json: "src/actors/index.ts" -> "src/act/main.ts""#,
        "possible-use in build.json",
        "possible-use in esbuild.mjs",
        "possible-use in package.json",
    ];
    let mut found = outcome(&files, "src/actors/index.ts", "src/act/main.ts");
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn what_lies_beside_a_moved_file_is_named_so() {
    let files = [
        ("src/errors/a.ts", "export const a = 1;"),
        ("src/utils/b.ts", "import '../errors/a.js'; import '../utils/../errors/a.js'; f('../errors/a.js');"),
    ];
    let wanted = ["src/utils/b.ts: ../errors/a.js -> ./a.js"];
    assert_eq!(outcome(&files, "src/utils/b.ts", "src/errors/b.ts"), wanted);
}
