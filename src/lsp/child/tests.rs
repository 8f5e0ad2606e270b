//! Programs that are run: what they are given, what is kept of what they say, and how they are ended.

use std::time::{Duration, Instant};

use super::{CapturedOutput, Program, RunError, TAIL_BYTES};
use crate::lsp::{Environment, Guard};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn of_what_is_longer_the_end_is_kept() {
    let mut said = CapturedOutput::at_most(4);
    said.take(b"on");
    assert_eq!((said.whole(), said.text().as_str()), (Ok(&b"on"[..]), "on"));
    said.take(b"etwo");
    assert_eq!((said.whole(), said.text().as_str()), (Err(6), "onetwo"));
    said.take(&[b'x'; 3 * TAIL_BYTES]);
    said.take(b"end");
    assert!(said.tail.len() == TAIL_BYTES && said.head == b"onet", "{}", said.tail.len());
    let left_out = 9 + 3 * TAIL_BYTES - 4 - TAIL_BYTES;
    assert!(said.text().starts_with(&format!("onet\n[{left_out} bytes are left out here]\nxxx")));
    assert!(said.text().ends_with("xend"));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_told_from_one_that_fails() {
    let nowhere = [Program::new(["no-such-program"]), Program::new(["/no/such/program"])];
    for program in nowhere {
        let error = program.run(&Guard::none(), LONG).await.unwrap_err();
        assert!(matches!(error, RunError::Missing(_)), "{error:?}");
    }
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use crate::lsp::tests::gone;

    #[tokio::test]
    async fn a_program_is_given_what_it_is_to_see() {
        let dir = tempfile::tempdir().unwrap();
        let mut environment = Environment::of_process();
        environment.0.retain(|name, _| name == "PATH");
        environment.0.insert("A".to_owned(), "1".to_owned());
        let program = Program::shell("cat; echo $A$B; pwd; env | wc -l; echo oh >&2; exit 3").at(dir.path());
        let program = program.within(&environment).with("B", "2").asked("asked\n");
        let output = program.run(&Guard::none(), LONG).await.unwrap();
        let place = dir.path().canonicalize().unwrap();
        let said = output.stdout.text();
        assert!(said.starts_with(&format!("asked\n12\n{}\n", place.display())), "{said}");
        // A shell adds some of its own.
        assert!(said.lines().last().unwrap().trim().parse::<u32>().unwrap() < 9, "{said}");
        assert_eq!((output.last_words(5).as_str(), output.status.code()), ("oh", Some(3)));
    }

    #[tokio::test]
    async fn what_takes_too_long_is_killed_with_what_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let program = Program::shell("sleep 1000 & echo $! > pid; wait").at(dir.path());
        let error = program.run(&Guard::none(), Duration::from_millis(700)).await.unwrap_err();
        assert_eq!(error.to_string(), "it did not end within 0.7 s, and was killed");
        gone(&std::fs::read_to_string(dir.path().join("pid")).unwrap());
    }

    #[tokio::test]
    async fn what_a_program_leaves_behind_holds_nobody_up() {
        let begun = Instant::now();
        let output = Program::shell("sleep 1000 & echo $!").run(&Guard::none(), LONG).await.unwrap();
        assert!(begun.elapsed() < LONG, "its pipes are open still, and nobody waits for them");
        gone(&output.stdout.text());
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_is_killed() {
        let (send, mut pids) = tokio::sync::mpsc::unbounded_channel();
        let told = move |line: &str| send.send(line.to_owned()).unwrap();
        let program = Program::shell("sleep 1000 & echo $!; wait");
        let pid = {
            let guard = Guard::none();
            let mut running = Box::pin(program.run_told(&guard, LONG, &told));
            tokio::select! { _ = &mut running => None, pid = pids.recv() => pid }
        };
        gone(&pid.unwrap());
    }

    #[tokio::test]
    async fn floods_are_not_kept() {
        let program = Program::shell("head -c 100000000 /dev/zero; echo end");
        let output = program.saying(1000).run(&Guard::none(), LONG).await.unwrap();
        assert_eq!(output.stdout.whole(), Err(100_000_004));
        assert!(output.stdout.text().ends_with("\0end\n"));
        assert!(output.stdout.head.capacity() + output.stdout.tail.capacity() < 1 << 20);
    }
}
