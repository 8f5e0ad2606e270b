//! The disk below a root: what is found, what is left out, what leaves the root; and copies of it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use lspwright::plan::{Move, Parts, Plan};
use lspwright::text::{AbsPath, Text, TextEdit};
use lspwright::workspace::apply::{Note, apply, undo};
use lspwright::workspace::{
    Change, ChangeKind, Dirs, Disk, EntryKind, ListError, OutsideRoot, Purpose, ReadError, RootSign, ShadowCopy,
    find_root, named_root,
};

/// A project in a directory whose name needs care.
struct Project {
    _dir: tempfile::TempDir,
    root: AbsPath,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap().join("my prøject 日本").unwrap();
        fs::create_dir(root.as_path()).unwrap();
        let project = Self { _dir: dir, root };
        for (path, content) in files {
            project.write(path, content);
        }
        project
    }

    fn path(&self, path: &str) -> AbsPath {
        self.root.join(path).unwrap()
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
        fs::write(path.as_path(), content).unwrap();
    }

    fn link(&self, target: &str, path: &str) {
        symlink(target, self.path(path).as_path()).unwrap();
    }

    /// Puts the time of a file or a directory back, so that it counts as settled.
    fn age(&self, path: &str) {
        let file = fs::File::open(self.root.as_path().join(path)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    }

    fn disk(&self) -> Disk {
        Disk::open(&self.root).unwrap()
    }

    fn names(&self, paths: impl IntoIterator<Item = AbsPath>) -> Vec<String> {
        paths.into_iter().map(|path| path.relative_to(&self.root).unwrap().as_str().to_owned()).collect()
    }

    fn listed(&self) -> Vec<String> {
        self.names(self.disk().files().iter().map(|file| file.path.clone()))
    }

    fn mentioning(&self, word: &str) -> Vec<String> {
        self.names(self.disk().files_mentioning(word))
    }
}

#[test]
fn sources_are_listed_and_what_is_installed_or_ignored_is_not() {
    let project = Project::new(&[
        (".gitignore", "dist/\n*.log\n!keep.log\n"),
        (".ignore", "src\n"),
        (".github/workflows/ci.yml", "x"),
        ("src/a b.py", "x"),
        ("src/é.ts", "x"),
        ("src/.gitignore", "generated.py\n"),
        ("src/generated.py", "x"),
        ("keep.log", "x"),
        ("more.log", "x"),
        ("dist/a.js", "x"),
        ("node_modules/p/index.js", "x"),
        ("src/node_modules/q/index.js", "x"),
        ("src/__pycache__/a.pyc", "x"),
        (".git/config", "x"),
        (".venv/lib/python3/site-packages/p.py", "x"),
        ("environment/pyvenv.cfg", "x"),
        ("environment/bin/x.py", "x"),
        ("venv/source.py", "a package that happens to be called so"),
        ("p-1.0.dist-info/METADATA", "x"),
        ("out/CACHEDIR.TAG", "x"),
        ("out/x.rs", "x"),
    ]);
    let wanted =
        [".github/workflows/ci.yml", ".gitignore", ".ignore", "keep.log", "src/.gitignore", "src/a b.py", "src/é.ts"];
    assert_eq!(project.listed(), [&wanted[..], &["venv/source.py"]].concat());
}

#[test]
fn ignore_files_above_count_only_in_the_same_repository() {
    let project = Project::new(&[("../.gitignore", "*.py\n"), ("a.py", "x"), ("b.ts", "x")]);
    assert_eq!(project.listed(), ["a.py", "b.ts"], "no repository");
    project.write("../.git/HEAD", "x");
    assert_eq!(project.listed(), ["b.ts"], "the repository's own rules");
    project.write("../.gitignore", "*\n");
    assert_eq!(project.listed(), ["a.py", "b.ts"], "rules that hide the whole project");
}

#[test]
fn what_git_tracks_is_never_ignored() {
    let project = Project::new(&[
        (".gitignore", "lib/\n"),
        ("app/lib/kept é.py", "kept"),
        ("app/lib/kept too.py", "kept"),
        ("app/lib/left.py", "left"),
        ("app/main.py", "x"),
        ("node_modules/p/tracked.js", "x"),
    ]);
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .current_dir(project.root.as_path())
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-f", "app/lib/kept é.py", "app/lib/kept too.py", "app/main.py", "node_modules"]);
    for version in ["2", "4"] {
        git(&["update-index", "--index-version", version]);
        let wanted = [".gitignore", "app/lib/kept too.py", "app/lib/kept é.py", "app/main.py"];
        assert_eq!(project.listed(), wanted, "index version {version}");
        let app = Disk::open(&project.path("app")).unwrap();
        assert_eq!(project.names(app.files_mentioning("kept")), wanted[1..3], "index version {version}");
    }
}

#[test]
fn links_are_not_walked_and_circles_end() {
    let project = Project::new(&[("src/a.py", "x")]);
    project.link("..", "src/up");
    project.link("a.py", "src/b.py");
    project.link("nowhere", "src/dangling");
    assert_eq!(project.listed(), ["src/a.py"]);
}

#[test]
fn words_are_found_whole() {
    let project = Project::new(&[
        ("a.py", "class Nutzerübersicht: pass"),
        ("b.ts", "const $el = user_name.größe; x.#priv"),
        ("c.py", "users, user2, superuser"),
        ("d.md", "the `user` and the naïve one"),
        ("e.txt", "e\u{301}t user\u{2028}name"),
        ("f.crlf", "one\r\nuser\r\n"),
    ]);
    assert_eq!(project.mentioning("user"), ["d.md", "e.txt", "f.crlf"]);
    assert_eq!(project.mentioning("Nutzerübersicht"), ["a.py"]);
    assert_eq!(project.mentioning("bersicht"), [""; 0]);
    assert_eq!(project.mentioning("$el"), ["b.ts"]);
    assert_eq!(project.mentioning("el"), [""; 0]);
    assert_eq!(project.mentioning("größe"), ["b.ts"]);
    assert_eq!(project.mentioning("#priv"), ["b.ts"]);
    assert_eq!(project.mentioning("naïve one"), ["d.md"]);
    assert_eq!(project.mentioning("name"), ["e.txt"]);
}

#[test]
fn what_is_no_source_is_not_searched() {
    let project = Project::new(&[("a.py", "name")]);
    project.write("image.png", b"name\0name");
    project.write("data.json", "name ".repeat(1024 * 1024));
    project.write("latin.py", b"name = '\xe4'");
    assert_eq!(project.mentioning("name"), ["a.py", "latin.py"]);
    assert_eq!(project.disk().unread(), []);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_is_told() {
    use std::os::unix::ffi::OsStrExt as _;

    let project = Project::new(&[("a.py", "name")]);
    std::fs::write(project.root.as_path().join(std::ffi::OsStr::from_bytes(b"b\xff.py")), "name").unwrap();
    assert_eq!(project.mentioning("name"), ["a.py"]);
    let unread = project.disk().unread();
    assert_eq!(unread.len(), 1, "{unread:?}");
    assert!(unread[0].path.ends_with("b\u{fffd}.py"), "{unread:?}");
}

#[test]
fn a_scan_tells_what_changed() {
    let project = Project::new(&[("a.py", "one"), ("b.py", "two"), ("c.py", "three"), ("sub/d.py", "four")]);
    for path in ["a.py", "b.py", "c.py", "sub/d.py"] {
        project.age(path);
    }
    let disk = project.disk();
    assert_eq!(disk.scan(), []);
    assert_eq!(disk.scan(), []);
    assert_eq!(disk.files_mentioning("two"), [project.path("b.py")]);
    project.write("b.py", "six");
    fs::remove_file(project.path("a.py").as_path()).unwrap();
    fs::rename(project.path("sub").as_path(), project.path("bus").as_path()).unwrap();
    let change = |path: &str, kind| Change { path: project.path(path), kind };
    let wanted = [
        change("a.py", ChangeKind::Deleted),
        change("b.py", ChangeKind::Changed),
        change("bus/d.py", ChangeKind::Created),
        change("sub/d.py", ChangeKind::Deleted),
    ];
    assert_eq!(disk.scan(), wanted);
    assert_eq!(disk.files_mentioning("two"), []);
    assert_eq!(disk.files_mentioning("six"), [project.path("b.py")]);
    assert_eq!(disk.files_mentioning("four"), [project.path("bus/d.py")]);
}

#[test]
fn files_written_just_now_or_in_the_future_are_not_taken_for_changed() {
    let project = Project::new(&[("a.py", "one"), ("b.py", "two")]);
    let future = SystemTime::now() + Duration::from_secs(3600);
    fs::File::options().write(true).open(project.path("b.py").as_path()).unwrap().set_modified(future).unwrap();
    let disk = project.disk();
    project.write("a.py", "new");
    disk.scan();
    assert_eq!(disk.scan(), []);
    project.write("b.py", "new");
    assert_eq!(disk.scan(), [Change { path: project.path("b.py"), kind: ChangeKind::Changed }]);
}

#[test]
fn a_settled_tree_tells_of_what_comes_goes_and_is_ignored() {
    let project = Project::new(&[("a.py", "one"), ("sub/b.py", "two"), ("../.gitignore", ""), ("../.git/index", "")]);
    let disk = project.disk();
    let change = |path: &str, kind| Change { path: project.path(path), kind };
    let settle = || {
        let all = ["a.py", "sub/deep/c.py", "sub/b.py", "sub/deep", "sub", "", "../.gitignore", "../.git/index"];
        for path in all.into_iter().filter(|path| project.path(path).as_path().exists()) {
            project.age(path);
        }
        disk.scan();
        assert_eq!(disk.scan(), []);
    };
    settle();
    project.write("sub/deep/c.py", "three");
    assert_eq!(disk.scan(), [change("sub/deep/c.py", ChangeKind::Created)]);
    settle();
    project.write("../.gitignore", "a.py\n");
    assert_eq!(disk.scan(), [change("a.py", ChangeKind::Deleted)]);
    settle();
    fs::remove_dir_all(project.path("sub/deep").as_path()).unwrap();
    assert_eq!(disk.scan(), [change("sub/deep/c.py", ChangeKind::Deleted)]);
}

#[test]
fn a_change_of_the_same_length_in_the_same_instant_is_seen() {
    let project = Project::new(&[("a.py", "name0")]);
    let disk = project.disk();
    disk.scan();
    for round in 1..50 {
        let content = format!("name{}", round % 10);
        project.write("a.py", &content);
        assert_eq!(disk.read(&project.path("a.py")).unwrap().as_str(), content);
        assert_eq!(disk.scan(), [Change { path: project.path("a.py"), kind: ChangeKind::Changed }]);
        assert_eq!(disk.files_mentioning(&content), [project.path("a.py")]);
    }
}

#[test]
fn texts_are_shared_while_their_files_stay() {
    let project = Project::new(&[("a.py", "one\r\n")]);
    project.age("a.py");
    let disk = project.disk();
    let first = disk.read(&project.path("a.py")).unwrap();
    assert!(Arc::ptr_eq(&first, &disk.read(&project.path("a.py")).unwrap()));
    project.write("a.py", "two\r\n");
    assert_eq!(disk.read(&project.path("a.py")).unwrap().as_str(), "two\r\n");
    assert_eq!(first.as_str(), "one\r\n");
}

#[test]
fn what_cannot_be_read_is_named() {
    let project = Project::new(&[("dir/a.py", "x")]);
    project.write("latin.py", b"ab\xe4");
    let disk = project.disk();
    let error = |path: &str| disk.read(&project.path(path)).unwrap_err();
    assert!(
        matches!(error("latin.py"), ReadError::NotUtf8 { path, source } if path == project.path("latin.py") && source.at == 2)
    );
    assert!(matches!(error("none.py"), ReadError::Missing { .. }));
    assert!(matches!(error("dir/a.py/b"), ReadError::Missing { .. } | ReadError::Outside(_)));
    assert!(matches!(error("dir"), ReadError::Io { .. }));
}

#[test]
fn no_path_leads_out() {
    let project = Project::new(&[("src/a.py", "x"), ("../outside.py", "x")]);
    project.link("../..", "src/out");
    project.link("/etc/hostname", "src/host");
    project.link("../../outside.py", "src/out.py");
    project.link("../../not yet.py", "src/new.py");
    project.link("one", "src/two");
    project.link("two", "src/one");
    let disk = project.disk();
    let refused = |path: &str| disk.contain(&project.path(path)).unwrap_err();
    for path in ["../outside.py", "src/../../outside.py", "/etc/hostname", "src/out/outside.py", "src/out"] {
        assert!(matches!(refused(path), OutsideRoot::Leaves { .. }), "{path}");
    }
    for path in ["src/host", "src/out.py", "src/new.py", "src/out/x/y.py"] {
        assert!(matches!(refused(path), OutsideRoot::Leaves { .. }), "{path}");
    }
    assert!(matches!(refused("src/two"), OutsideRoot::Unknown { .. }));
    assert!(matches!(disk.read(&project.path("src/out.py")), Err(ReadError::Outside(_))));
    assert!(disk.contain_entry(&project.path("src/out.py")).is_ok(), "the link itself lies inside");
}

#[test]
fn paths_through_links_inside_are_resolved() {
    let project = Project::new(&[("src/a.py", "x")]);
    project.link("src", "lib");
    project.link("missing.py", "soon.py");
    let disk = project.disk();
    let contained = |path: &str| disk.contain(&project.path(path)).unwrap();
    assert_eq!(contained("lib/a.py"), project.path("src/a.py"));
    assert_eq!(contained("lib/new/b.py"), project.path("src/new/b.py"));
    assert_eq!(contained("soon.py"), project.path("missing.py"));
    assert_eq!(contained("."), project.root);
    assert_eq!(disk.read(&project.path("lib/a.py")).unwrap().as_str(), "x");
}

#[test]
fn a_root_behind_a_link_is_one_project() {
    let project = Project::new(&[("src/a.py", "x")]);
    let given = project.root.join("../a link").unwrap();
    symlink(project.root.as_path(), given.as_path()).unwrap();
    let disk = Disk::open(&given).unwrap();
    assert_eq!(disk.root(), &project.root);
    let path = given.join("src/a.py").unwrap();
    assert_eq!(disk.contain(&path).unwrap(), project.path("src/a.py"));
    assert_eq!(disk.as_given(&project.path("src/a.py")), path);
    assert_eq!(disk.as_real(&path), project.path("src/a.py"));
}

#[test]
fn everything_below_leaves_nothing_out() {
    let project = Project::new(&[
        (".gitignore", "*"),
        ("pkg/.hidden/x", "x"),
        ("pkg/a.py", "x"),
        ("pkg/nested/.git/HEAD", "x"),
        ("pkg/node_modules/p/i.js", "x"),
    ]);
    project.link("a.py", "pkg/link");
    project.link("..", "pkg/up");
    let disk = project.disk();
    let found = disk.everything_below(&project.path("pkg")).unwrap();
    let kinds: Vec<EntryKind> = found.iter().map(|entry| entry.kind).collect();
    let names = project.names(found.into_iter().map(|entry| entry.path));
    let wanted = ["pkg/.hidden/x", "pkg/a.py", "pkg/link", "pkg/nested/.git/HEAD", "pkg/node_modules/p/i.js", "pkg/up"];
    assert_eq!(names, wanted);
    use EntryKind::{File, Link};
    assert_eq!(kinds, [File, File, Link, File, File, Link]);
    let not_a_dir = disk.everything_below(&project.path("pkg/a.py"));
    assert!(matches!(not_a_dir, Err(ListError::NotADirectory { .. })));
}

#[test]
fn the_root_is_where_the_surest_sign_stands_and_never_below_where_the_user_works() {
    let project =
        Project::new(&[("packages/a/package.json", "{}"), ("packages/a/src/x.ts", "x"), ("loose/b/y.py", "y")]);
    let (start, loose) = (project.path("packages/a/src/x.ts"), project.path("loose/b/y.py"));
    let found = |start: &AbsPath, around: Option<&str>| {
        let found = find_root(start, around.map(|around| project.path(around)).as_ref());
        (found.dir.relative_to(&project.root).unwrap().as_str().to_owned(), found.sign)
    };
    assert_eq!(found(&start, None), ("packages/a".to_owned(), RootSign::Marker));
    assert_eq!(found(&start, Some("packages")), ("packages".to_owned(), RootSign::Around));
    assert_eq!(found(&start, Some("packages/a/src")), ("packages/a".to_owned(), RootSign::Marker));
    assert_eq!(found(&loose, None), ("loose/b".to_owned(), RootSign::Folder));
    assert_eq!(found(&loose, Some("loose")), ("loose".to_owned(), RootSign::Around));
    assert_eq!(found(&loose, Some("packages")), ("loose/b".to_owned(), RootSign::Folder));
    project.write(".git/HEAD", "x");
    assert_eq!(find_root(&start, Some(&project.path("packages"))).dir, project.root);
}

#[test]
fn a_root_is_understood_however_it_is_named() {
    let base = AbsPath::new("/work").unwrap();
    let named = |name: &str| named_root(name, Some(&base)).unwrap().to_string();
    assert_eq!(
        (named("/a/b"), named("a/../b"), named("file:///a%20b/c")),
        ("/a/b".into(), "/work/b".into(), "/a b/c".into())
    );
    assert_eq!(named("~/x"), format!("{}/x", std::env::var("HOME").unwrap()));
    assert_eq!(named("~user"), "/work/~user");
    assert!(named_root("a", None).is_err() && named_root("file://elsewhere/a", None).is_err());
}

/// A plan that edits `src/a.py` and moves it, with its text as it stands.
fn a_plan(project: &Project) -> Plan {
    let disk = project.disk();
    let (from, to) = (project.path("src/a.py"), project.path("src/deep/b.py"));
    let text = disk.read(&from).unwrap();
    let mut parts = Parts::default();
    parts.moves.insert(from.clone(), Move { to, before: text.hash().clone() });
    parts.edits.insert(from, (text, vec![TextEdit::new(0..3, "new")]));
    parts.creates.insert(project.path("src/deep/__init__.py"), Text::new(""));
    Plan::new(parts).unwrap()
}

#[test]
fn a_plan_goes_out_to_the_disk_and_comes_back() {
    let project = Project::new(&[("src/a.py", "old\r\nline\rend"), ("src/keep.py", "x")]);
    fs::set_permissions(project.path("src/a.py").as_path(), fs::Permissions::from_mode(0o750)).unwrap();
    project.link("src/a.py", "link.py");
    let state = Dirs::below(&project.path("../own")).unwrap().state;
    let applied = apply(&a_plan(&project), &project.root, &state).unwrap();
    assert_eq!(applied.changed, [project.path("src/deep/__init__.py"), project.path("src/deep/b.py")]);
    assert_eq!(applied.notes, Vec::<Note>::new());
    let after = project.path("src/deep/b.py");
    assert_eq!(fs::read(after.as_path()).unwrap(), b"new\r\nline\rend");
    assert_eq!(after.as_path().metadata().unwrap().permissions().mode() & 0o777, 0o750);
    undo(&project.root, &state).unwrap();
    assert_eq!(fs::read(project.path("src/a.py").as_path()).unwrap(), b"old\r\nline\rend");
    let names = project.disk().everything_below(&project.root).unwrap().into_iter().map(|entry| entry.path);
    assert_eq!(project.names(names), ["link.py", "src/a.py", "src/keep.py"]);
    assert!(!project.path("src/deep").as_path().exists());
}

#[test]
fn a_copy_has_the_plan_and_the_project_has_not() {
    let project = Project::new(&[
        (".gitignore", "built/\n"),
        ("src/a.py", "old\r\n"),
        ("src/__pycache__/a.pyc", "x"),
        ("built/api.d.ts", "x"),
        (".git/HEAD", "x"),
        ("node_modules/left/index.js", "x"),
        ("node_modules/@s/right/index.js", "x"),
        ("node_modules/.cache/x", "x"),
        ("packages/own/index.js", "own"),
        (".venv/pyvenv.cfg", "x"),
    ]);
    project.link("../packages/own", "node_modules/own");
    project.link("src/a.py", "relative.py");
    project.link("/etc/hostname", "outside");
    symlink(project.path("packages").as_path(), project.path("absolute").as_path()).unwrap();
    fs::set_permissions(project.path("src/a.py").as_path(), fs::Permissions::from_mode(0o755)).unwrap();
    let before = project.disk().everything_below(&project.root).unwrap();
    let copy = ShadowCopy::with_plan(&project.disk(), &a_plan(&project), Purpose::Running).unwrap();
    let root = copy.root().clone();
    let read = |path: &str| fs::read_to_string(root.join(path).unwrap().as_path());
    assert_eq!(read("src/deep/b.py").unwrap(), "new\r\n");
    assert_eq!(root.join("src/deep/b.py").unwrap().as_path().metadata().unwrap().permissions().mode() & 0o777, 0o755);
    for gone in ["src/a.py", "src/__pycache__/a.pyc", ".git/HEAD", "node_modules/.cache/x", "relative.py"] {
        assert!(read(gone).is_err(), "{gone}");
    }
    for there in ["built/api.d.ts", "node_modules/left/index.js", "node_modules/@s/right/index.js", ".venv/pyvenv.cfg"]
    {
        assert_eq!(read(there).unwrap(), "x", "{there}");
    }
    fs::write(root.join("packages/own/index.js").unwrap().as_path(), "copy").unwrap();
    assert_eq!([read("node_modules/own/index.js").unwrap(), read("absolute/own/index.js").unwrap()], ["copy", "copy"]);
    assert_eq!(copy.original_of(&root.join("src/x.py").unwrap()), project.path("src/x.py"));
    assert_eq!(project.disk().everything_below(&project.root).unwrap(), before);
    assert_eq!(project.disk().read(&project.path("packages/own/index.js")).unwrap().as_str(), "own");
    drop(copy);
    assert!(!root.as_path().exists());
    assert_eq!(project.disk().everything_below(&project.root).unwrap(), before, "links were removed, not followed");
}

#[test]
fn a_copy_finds_what_stands_around_its_project() {
    let project = Project::new(&[
        (".git/HEAD", "x"),
        ("tsconfig.base.json", "{}"),
        ("node_modules/p/index.js", "p"),
        ("packages/b/index.ts", "b"),
        ("packages/a/index.ts", "a"),
    ]);
    let disk = Disk::open(&project.path("packages/a")).unwrap();
    let copy = ShadowCopy::new(&disk, Purpose::Reading).unwrap();
    let read = |path: &str| fs::read_to_string(copy.root().join(path).unwrap().as_path()).unwrap();
    assert_eq!(read("../../tsconfig.base.json"), "{}");
    assert_eq!([read("../../node_modules/p/index.js"), read("../b/index.ts"), read("index.ts")], ["p", "b", "a"]);
    assert!(!copy.root().join("index.ts").unwrap().as_path().is_symlink());
    assert!(!copy.root().join("../../.git").unwrap().as_path().exists());
}

#[test]
fn a_copy_is_refused_a_plan_for_another_state() {
    let project = Project::new(&[("src/a.py", "old")]);
    let plan = a_plan(&project);
    project.write("src/a.py", "changed");
    assert!(ShadowCopy::with_plan(&project.disk(), &plan, Purpose::Reading).is_err());
}
