//! What an edited file keeps beside its text.

use std::fs;
use std::path::Path;

use rustix::fs::{XattrFlags, getxattr, setxattr};
use rustix::io::Errno;

use super::Fixture;
use crate::workspace::apply::{apply, undo};

const NOTE: (&str, &[u8]) = ("user.note", b"a remark\0of the user's");
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Owner may read and write, user 65534 may read, group and mask may read, others nothing (acl(5), version 2).
fn access_list() -> Vec<u8> {
    const NOBODY_NAMED: u32 = u32::MAX;
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, NOBODY_NAMED), (2, 4, 65534), (4, 4, NOBODY_NAMED), (0x10, 4, NOBODY_NAMED), (0x20, 0, NOBODY_NAMED)];
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        bytes.extend(tag.to_le_bytes().into_iter().chain(rights.to_le_bytes()).chain(id.to_le_bytes()));
    }
    bytes
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut buffer = [0; 256];
    getxattr(path, name, &mut buffer).ok().map(|length| buffer[..length].to_vec())
}

/// Sets an attribute, or says why this file system has none.
fn is_set(path: &Path, name: &str, value: &[u8]) -> bool {
    match setxattr(path, name, value, XattrFlags::empty()) {
        Err(Errno::NOTSUP) => {
            let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: the file system has no attributes\n");
            false
        }
        done => done.is_ok(),
    }
}

#[test]
#[cfg(target_os = "linux")]
fn attributes_and_access_lists_of_edited_files_stay() {
    let fixture = Fixture::new();
    let [edited, moved] = ["bom.py", "src/user.py"].map(|path| fixture.path(path));
    let all = [(NOTE.0, NOTE.1.to_vec()), (ACCESS_LIST, access_list())];
    let set: Vec<_> = all.iter().filter(|(name, value)| is_set(edited.as_path(), name, value)).collect();
    for (name, value) in &set {
        assert!(is_set(moved.as_path(), name, value));
    }
    let mode = fs::metadata(edited.as_path()).unwrap().permissions();
    apply(&fixture.plan(), &fixture.root, &fixture.state).unwrap();
    for path in ["bom.py", "src/neu/tief/person.py"] {
        for (name, value) in &set {
            assert_eq!(attribute(fixture.path(path).as_path(), name).as_ref(), Some(value), "{path}: {name}");
        }
        assert_eq!(fs::metadata(fixture.path(path).as_path()).unwrap().permissions(), mode, "{path}");
    }
    undo(&fixture.root, &fixture.state).unwrap();
    for (name, value) in &set {
        assert_eq!(attribute(moved.as_path(), name).as_ref(), Some(value), "undone: {name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_list_that_a_directory_hands_on_does_not_come_with_an_edit() {
    let fixture = Fixture::new();
    let edited = fixture.path("bom.py");
    if !is_set(fixture.root.as_path(), "system.posix_acl_default", &access_list()) {
        return;
    }
    apply(&fixture.plan(), &fixture.root, &fixture.state).unwrap();
    assert_eq!(attribute(edited.as_path(), ACCESS_LIST), None);
}
