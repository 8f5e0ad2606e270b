//! Ends a process group, and on Linux what its processes started in groups and sessions of their own, too.

/// Kills the group that `leader` leads, with all that descends from it.
///
/// The guard is made the parent of whatever loses its own (`PR_SET_CHILD_SUBREAPER`), so that a daemon is found
/// below the guard as long as that lives: the leader is killed last.
#[cfg(unix)]
pub(super) fn kill_group(leader: i32) {
    let Some(leader) = rustix::process::Pid::from_raw(leader) else { return };
    kill_below(leader);
    rustix::process::kill_process_group(leader, rustix::process::Signal::KILL).ok();
}

#[cfg(not(unix))]
pub(super) fn kill_group(_leader: i32) {}

#[cfg(target_os = "linux")]
pub(super) use linux::{below, kill_below, kill_marked, kill_others, lives, signal};

/// Elsewhere who lost the guard cannot be found.
#[cfg(not(target_os = "linux"))]
pub(super) fn kill_marked(_variable: &str) {}

/// Elsewhere the guard is taken to live.
#[cfg(not(target_os = "linux"))]
pub(super) fn lives(_pid: i32) -> bool {
    true
}

/// Elsewhere nobody can be told apart, and nobody is signalled alone.
#[cfg(not(target_os = "linux"))]
pub(super) fn below(_leader: i32) -> Vec<i32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_others(_leader: i32, _spared: &[i32]) {}

#[cfg(not(target_os = "linux"))]
pub(super) fn signal(_pid: i32) -> bool {
    false
}

/// Only Linux tells who descends from whom.
#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn kill_below(_parent: rustix::process::Pid) {}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};

    /// A fork may be under way while the list is read: it is read until nothing new comes.
    const MOST_ROUNDS: usize = 100;
    const PAUSE: Duration = Duration::from_millis(1);

    /// Kills every process that descends from `parent`, wherever it went.
    pub(in super::super) fn kill_below(parent: Pid) {
        kill_all(|| living_below(parent));
    }

    /// Kills every process that has `variable` (`NAME=value`) in its environment: what a guard has left to nobody, which was
    /// killed itself.
    pub(in super::super) fn kill_marked(variable: &str) {
        kill_all(|| {
            let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
            let pids = processes.filter_map(|it| Pid::from_raw(it.file_name().to_str()?.parse().ok()?));
            pids.filter(|pid| has(*pid, variable) && is_living(*pid)).collect()
        });
    }

    fn has(pid: Pid, variable: &str) -> bool {
        let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|it| it == variable.as_bytes())
    }

    fn kill_all(list: impl Fn() -> Vec<Pid>) {
        let mut quiet = 0;
        for _ in 0..MOST_ROUNDS {
            let left = list();
            quiet = if left.is_empty() { quiet + 1 } else { 0 };
            if quiet == 2 {
                return;
            }
            for pid in &left {
                kill_process(*pid, Signal::KILL).ok();
            }
            if !left.is_empty() {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Lists every process that descends from `leader`.
    pub(in super::super) fn below(leader: i32) -> Vec<i32> {
        let living = Pid::from_raw(leader).map(living_below).unwrap_or_default();
        living.into_iter().map(|pid| pid.as_raw_nonzero().get()).collect()
    }

    /// Kills what descends from `leader`, once, but for the processes that are spared.
    pub(in super::super) fn kill_others(leader: i32, spared: &[i32]) {
        let others = below(leader).into_iter().filter(|pid| !spared.contains(pid)).filter_map(Pid::from_raw);
        for pid in others {
            kill_process(pid, Signal::KILL).ok();
        }
    }

    /// Sends a process the signal that programs may use as they like (`SIGUSR2`); tells whether it could be sent.
    pub(in super::super) fn signal(pid: i32) -> bool {
        Pid::from_raw(pid).is_some_and(|pid| kill_process(pid, Signal::USR2).is_ok())
    }

    fn living_below(parent: Pid) -> Vec<Pid> {
        let mut found = Vec::new();
        let mut open = vec![parent];
        while let Some(pid) = open.pop() {
            let children = children(pid);
            found.extend(children.iter().copied().filter(|child| is_living(*child)));
            open.extend(children);
        }
        found
    }

    /// Asks the kernel (`/proc/PID/task/TID/children`, proc(5)); where it was built without that, nothing is known.
    fn children(parent: Pid) -> Vec<Pid> {
        let tasks = fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero()));
        let lists = tasks.into_iter().flatten().flatten().map(|task| fs::read_to_string(task.path().join("children")));
        let pids = |list: String| -> Vec<Pid> {
            list.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
        };
        lists.filter_map(Result::ok).flat_map(pids).collect()
    }

    /// Tells whether a process is there and no zombie.
    pub(in super::super) fn lives(pid: i32) -> bool {
        Pid::from_raw(pid).is_some_and(is_living)
    }

    fn is_living(pid: Pid) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
    }
}
