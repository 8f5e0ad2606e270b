//! What is opened, what is not, and how much is read.

use std::io::ErrorKind;
use std::path::Path;

use super::{open, read, read_opened, read_text, read_text_of_project};
use crate::text::AbsPath;

fn pipe(at: &Path) {
    rustix::fs::mkfifoat(rustix::fs::CWD, at, rustix::fs::Mode::RUSR).expect("a pipe can be made");
}

#[test]
fn only_regular_files_are_opened_and_nothing_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    pipe(&at("pipe"));
    std::os::unix::fs::symlink("/dev/zero", at("endless")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    std::fs::create_dir(at("dir")).unwrap();
    for name in ["pipe", "endless", "socket", "dir"] {
        assert_eq!(read(&at(name)).unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
    }
    assert_eq!(read(&at("missing")).unwrap_err().kind(), ErrorKind::NotFound);
    std::fs::write(at("text"), "é").unwrap();
    assert_eq!(read_text(&at("text")).unwrap(), "é");
}

#[test]
fn a_file_is_read_to_its_bound_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data");
    std::fs::write(&path, [b'x'; 10]).unwrap();
    let within = |path: &Path, most| {
        let (file, metadata) = open(path)?;
        read_opened(file, &metadata, most, &mut Vec::new())
    };
    assert!(within(&path, 10).is_ok());
    assert_eq!(within(&path, 9).unwrap_err().kind(), ErrorKind::FileTooLarge);
    // It says that it has no bytes.
    if let Ok(metadata) = std::fs::metadata("/proc/self/status") {
        let error = within(Path::new("/proc/self/status"), 9).unwrap_err();
        assert_eq!((metadata.len(), error.kind()), (0, ErrorKind::FileTooLarge));
    }
}

#[test]
fn a_configuration_is_read_inside_the_project_only() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = AbsPath::new(dir.path()).unwrap();
    std::fs::write(elsewhere.path().join("secret"), "x").unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("secret"), dir.path().join("out.toml")).unwrap();
    std::fs::write(dir.path().join("own.toml"), "y").unwrap();
    std::os::unix::fs::symlink("own.toml", dir.path().join("in.toml")).unwrap();
    let read = |name: &str| read_text_of_project(&root, &root.join(name).unwrap());
    assert_eq!(read("in.toml").unwrap(), "y");
    assert!(read("out.toml").is_err());
    assert!(read("none.toml").is_err());
}
