//! Directories that the system watches, so that nobody has to look at every file to learn that nothing changed.
//!
//! Linux alone tells by inotify(7) before the change's own system call returns, so that what is asked afterwards knows
//! of it. File systems that others write to, too, tell nothing of those; they are not watched. Neither is a file of
//! several names, which may be changed by one that lies elsewhere: such files are looked at.
//!
//! `notify` hands events on from a thread of its own: a question could be answered before the change that it follows is known.

use std::path::Path;

/// Some directories, watched.
#[derive(Debug)]
pub(super) struct Watch(system::Watch);

impl Watch {
    /// Watches directories, which are all on the file system of `root`; nothing where the system cannot, or not all.
    pub(super) fn over<'p>(root: &Path, dirs: impl ExactSizeIterator<Item = &'p Path>) -> Option<Self> {
        system::Watch::over(root, dirs).map(Self)
    }

    /// Tells whether nothing happened in the directories since this was last asked.
    pub(super) fn is_quiet(&self) -> bool {
        self.0.is_quiet()
    }

    /// Tells the same without using up what the system has told.
    pub(super) fn has_no_news(&self) -> bool {
        self.0.has_no_news()
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::symlink_metadata;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
    use rustix::io::Errno;

    /// More would take too large a share of what one user may watch.
    const MOST: usize = 20_000;
    /// As statfs(2) numbers them: ext2 to ext4, XFS, Btrfs, F2FS, Bcachefs, ZFS, tmpfs, overlayfs.
    const LOCAL: &[u64] =
        &[0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0xca45_1a4e, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];

    #[derive(Debug)]
    pub(super) struct Watch(OwnedFd);

    impl Watch {
        pub(super) fn over<'p>(root: &Path, mut dirs: impl ExactSizeIterator<Item = &'p Path>) -> Option<Self> {
            let kind = rustix::fs::statfs(root).ok()?.f_type;
            if dirs.len() > MOST || !LOCAL.iter().any(|local| u64::try_from(kind).is_ok_and(|kind| kind == *local)) {
                return None;
            }
            let device = symlink_metadata(root).ok()?.dev();
            let watch = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            // Closing tells of what was written through a memory map.
            let told = WatchFlags::MODIFY
                | WatchFlags::CLOSE_WRITE
                | WatchFlags::ATTRIB
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR
                | WatchFlags::DONT_FOLLOW;
            let is_watched = |dir: &Path| {
                symlink_metadata(dir).is_ok_and(|it| it.dev() == device) && add_watch(&watch, dir, told).is_ok()
            };
            dirs.all(is_watched).then_some(())?;
            Some(Self(watch))
        }

        pub(super) fn is_quiet(&self) -> bool {
            let mut buffer = [MaybeUninit::uninit(); 16 * 1024];
            let mut events = Reader::new(&self.0, &mut buffer);
            let mut is_quiet = true;
            loop {
                match events.next() {
                    Ok(_) => is_quiet = false,
                    Err(Errno::INTR) => {}
                    Err(Errno::WOULDBLOCK) => return is_quiet,
                    Err(_) => return false,
                }
            }
        }

        pub(super) fn has_no_news(&self) -> bool {
            rustix::io::ioctl_fionread(&self.0).is_ok_and(|bytes| bytes == 0)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::path::Path;

    #[derive(Debug)]
    pub(super) enum Watch {}

    impl Watch {
        pub(super) fn over<'p>(_: &Path, _: impl ExactSizeIterator<Item = &'p Path>) -> Option<Self> {
            None
        }

        pub(super) fn is_quiet(&self) -> bool {
            match *self {}
        }

        pub(super) fn has_no_news(&self) -> bool {
            match *self {}
        }
    }
}
