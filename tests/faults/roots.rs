//! Roots that hold far more than a project.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{command, run};
use crate::faces::Project;

const PYTHON: &[(&str, &str)] = &[("a.py", "total = 1\n")];

/// Asks for an inspection with a home folder of the test's own; returns the exit code and what was said.
fn inspected(project: &Project, root: &Path, home: &Path) -> (Option<i32>, String) {
    let begun = Instant::now();
    let mut inspect = command(project, &["--project", root.to_str().unwrap(), "inspect", "a.py"]);
    inspect.env("HOME", home).env("XDG_CACHE_HOME", project.outside().join("cache"));
    let ran = run(inspect);
    assert!(begun.elapsed() < Duration::from_secs(60), "{ran:?}");
    (ran.code, ran.stderr)
}

#[test]
fn the_root_of_a_file_system_is_no_project() {
    let project = Project::with(PYTHON);
    let (code, said) = inspected(&project, Path::new("/"), &project.outside());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("error: `/` is the root of a file system, not of a project"), "{said}");
    assert!(said.contains("hint: give a project's directory as `--project`"), "{said}");
}

#[test]
fn a_home_folder_is_a_project_only_where_it_holds_one() {
    let project = Project::with(PYTHON);
    let home = project.root();
    std::fs::create_dir(home.join(".git")).unwrap();
    let (code, said) = inspected(&project, &home, &home);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is the home folder, not a project"), "{said}");
    // A link to it is no way around.
    let link = project.outside().join("link");
    std::os::unix::fs::symlink(&home, &link).unwrap();
    assert_eq!(inspected(&project, &link, &home).0, Some(2));
    project.write("pyproject.toml", "");
    assert_eq!(inspected(&project, &home, &home).0, Some(0));
}

#[test]
fn a_home_folder_is_not_found_above_a_file() {
    let project = Project::with(&[("notes/a.py", "total = 1\n"), ("b.py", "total = 2\n")]);
    let home = project.root();
    std::fs::create_dir(home.join(".git")).unwrap();
    let mut doctor = command(&project, &["doctor", "--output", "json"]);
    doctor.current_dir(home.join("notes")).env("HOME", &home);
    let root = run(doctor).json()["project"].as_str().unwrap().to_owned();
    assert_eq!(Path::new(&root), home.join("notes"));
}

#[test]
fn a_folder_without_markers_is_whole_from_where_one_stands() {
    let files =
        [("sub/a.py", "def total():\n    return 1\n"), ("main.py", "from sub.a import total\n\nprint(total())\n")];
    let project = Project::named("lone", &files);
    let planned = run(command(&project, &["rename", "sub/a.py::total", "sum_", "--output", "json"]));
    assert_eq!(planned.json()["projectRoot"], project.root().to_str().unwrap(), "{planned:?}");
    let applied = run(command(&project, &["rename", "sub/a.py::total", "sum_", "--apply"]));
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(project.text("main.py").contains("from sub.a import sum_"), "{applied:?}");
    let undone = run(command(&project, &["undo"]));
    assert!(undone.code == Some(0) && project.text("main.py").contains("import total"), "{undone:?}");
}

#[test]
fn a_root_may_be_named_by_its_uri() {
    let project = Project::with(PYTHON);
    let uri = format!("file://{}", project.root().display());
    let ran = run(command(&project, &["--project", &uri, "inspect", "a.py"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
