//! A checkout beneath a warm session: files are deleted and written again, and asked about at once.

use std::fs;

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

#[test]
fn a_plan_right_after_a_checkout_is_whole() {
    let project = Project::with(FILES);
    let mut client = Client::start(project.command(&["serve", "--project", "."]));
    client.initialize("2025-11-25");
    let mut edited = || {
        let asked = json!({"target": "src/core/server.ts#Options.host", "newName": "address"});
        let answer = client.call("planRenameSymbol", asked);
        let files = answer["structuredContent"]["edits"].as_array().cloned().unwrap_or_default();
        files.iter().map(|file| file["filePath"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let whole = edited();
    assert_eq!(whole.len(), 3, "{whole:?}");
    for _ in 0..3 {
        fs::remove_dir_all(project.root().join("src")).unwrap();
        for (path, text) in FILES.iter().filter(|(path, _)| path.starts_with("src/")) {
            let path = project.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(edited(), whole);
    }
}
