//! A catalog client of others, the PyPI package `mcp-refactoring`, with lspwright as its backend.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::faces::Project;

/// What the client needs: with a later `mcp` it does not start.
const PACKAGES: [&str; 2] = ["mcp-refactoring==0.1.2", "mcp<2"];

#[test]
fn mcp_refactoring_lists_previews_and_applies_through_lspwright() {
    let before = "def energy(mass, height):\n    return mass * 9.81 * height\n\n\nprint(energy(1, 2))\n";
    let project = Project::with(&[("physics.py", before)]);
    let mut client = Command::new("python3");
    client.arg(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/refactor/client.py"));
    client.arg(env!("CARGO_BIN_EXE_lspwright")).arg(project.root());
    client.env("LSPWRIGHT_DAEMON", "never");
    client.env("PYTHONPATH", installed()).env("XDG_STATE_HOME", project.outside().join("state"));
    let ran = client.current_dir(project.root()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let said: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let [list, preview, applied, refused] = said.as_slice() else { panic!("{said:?}") };
    let says = |answer: &Value, part: &str| assert!(answer["text"].as_str().unwrap().contains(part), "{answer}");
    says(list, "total: 66");
    says(preview, "status: success");
    says(preview, "+GRAVITY = 9.81");
    assert_eq!(preview["file"], before, "a preview writes nothing");
    says(applied, "status: success");
    let after =
        "GRAVITY = 9.81\n\n\ndef energy(mass, height):\n    return mass * GRAVITY * height\n\n\nprint(energy(1, 2))\n";
    assert_eq!(applied["file"], after);
    says(refused, "status: error");
    says(refused, "what counts as a view");
}

/// Installs the client, once for all runs, and returns where it lies.
fn installed() -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mcp-refactoring-0.1.2");
    if dir.join("done").exists() {
        return dir;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "--target"]);
    let installed = pip.arg(&dir).args(PACKAGES).output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    std::fs::write(dir.join("done"), "").unwrap();
    dir
}
