//! What stays from one command to the next, and what ends with it.

use std::future::pending;
use std::time::{Duration, Instant};

use super::{End, Heard, Shell};
use crate::lsp::tests::{gone, lives};
use crate::lsp::{Environment, Guard};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(700);

async fn shell() -> (Shell, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    (Shell::start(dir.path(), &Environment::of_process(), &Guard::none()).await.unwrap(), dir)
}

async fn run(shell: &mut Shell, command: &str) -> Heard {
    shell.run(command, LONG, pending()).await
}

async fn told(shell: &mut Shell, command: &str) -> (String, String, End) {
    let heard = run(shell, command).await;
    (heard.stdout.text(), heard.stderr.text(), heard.end)
}

#[tokio::test]
async fn directory_variables_functions_and_the_last_status_stay() {
    let (mut shell, dir) = shell().await;
    let here = dir.path().canonicalize().unwrap();
    assert_eq!(told(&mut shell, "pwd").await.0, format!("{}\n", here.display()));
    told(&mut shell, "mkdir sub; cd sub; x='it'\\''s'; f() { echo \"$x $1\"; }; export E=1").await;
    let (out, errors, end) = told(&mut shell, "f 'hi!!'; echo oh >&2; basename $PWD; (exit 7)").await;
    assert_eq!((out.as_str(), errors.as_str(), end), ("it's hi!!\nsub\n", "oh\n", End::Done(7)));
    assert_eq!(told(&mut shell, "echo $?; printf 'no end'").await.0, "7\nno end");
    assert_eq!(told(&mut shell, "cat <<'X'\n$a\nX\n# a remark").await.0, "$a\n");
}

#[tokio::test]
async fn a_mistake_or_a_changed_output_is_no_end_of_the_shell() {
    let (mut shell, _dir) = shell().await;
    let (out, errors, end) = told(&mut shell, "echo 'open").await;
    assert!(out.is_empty() && errors.contains("matching"), "{errors}");
    assert_ne!(end, End::Done(0));
    assert_eq!(told(&mut shell, "exec >file 2>&1; echo hidden").await.2, End::Done(0));
    let (out, _, end) = told(&mut shell, "cat file; set -x; true; set +x").await;
    assert_eq!((out.as_str(), end), ("hidden\n", End::Done(0)));
    assert!(shell.is_usable());
}

#[tokio::test]
async fn a_prompt_is_not_shown() {
    let (mut shell, _dir) = shell().await;
    told(&mut shell, "PS1='(env) '; PS2='> '; PROMPT_COMMAND='echo prompt'").await;
    let (out, errors, _) = told(&mut shell, "echo 'a\nb'; (exit 2)").await;
    assert_eq!((out.as_str(), errors.as_str()), ("a\nb\n", ""));
    assert_eq!(told(&mut shell, "echo $?").await.0, "2\n");
}

#[tokio::test]
async fn nobody_is_there_to_answer() {
    let (mut shell, _dir) = shell().await;
    let (out, _, end) = told(&mut shell, "read -r line; echo \"$? [$line]\"; cat; sort").await;
    assert_eq!((out.as_str(), end), ("1 []\n", End::Done(0)));
}

#[tokio::test]
async fn a_shell_that_is_left_says_with_what_status() {
    let (mut shell, _dir) = shell().await;
    let heard = run(&mut shell, "echo bye; exit 3").await;
    assert_eq!((heard.stdout.text().as_str(), heard.end), ("bye\n", End::Left(Some(3))));
    assert!(!shell.is_usable());
}

#[tokio::test]
async fn a_flood_is_not_kept() {
    let (mut shell, _dir) = shell().await;
    let heard = run(&mut shell, "printf begin; head -c 100000000 /dev/zero; printf end").await;
    assert_eq!((heard.stdout.whole(), heard.end), (Err(100_000_008), End::Done(0)));
    let (first, between, last) = heard.stdout.ends(5, 3);
    assert_eq!((first.as_slice(), between, last.as_slice()), (&b"begin"[..], 100_000_000, &b"end"[..]));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_takes_too_long_is_broken_off_and_the_shell_lives_on() {
    let (mut shell, _dir) = shell().await;
    let (job, _, _) = told(&mut shell, "x=1; sleep 1000 & echo $!").await;
    for endless in [
        "echo a; sleep 1000; echo b",
        "while true; do sleep 1; done; echo b",
        "while :; do :; done",
        "y=$(sleep 1000); echo b",
    ] {
        let heard = shell.run(&format!("{endless}; touch went-on"), SHORT, pending()).await;
        assert_eq!(heard.end, End::BrokenOff, "{endless}: {}", heard.stderr.text());
        assert!(!heard.stdout.text().contains('b') && heard.stderr.text().is_empty(), "{heard:?}");
    }
    assert_eq!(told(&mut shell, "echo $x; ls").await.0, "1\n");
    assert!(lives(&job), "what runs in the background is not meant");
    let heard = shell.run("sleep 1000", LONG, async {}).await;
    assert_eq!(heard.end, End::BrokenOff);
    shell.end().await;
    gone(&job);
}

#[tokio::test]
async fn what_cannot_be_broken_off_ends_with_the_shell() {
    let (mut shell, _dir) = shell().await;
    let heard = shell.run("trap '' USR2 INT; echo $$; while :; do :; done", SHORT, pending()).await;
    assert_eq!(heard.end, End::Killed);
    assert!(!shell.is_usable());
    gone(&heard.stdout.text());
}

#[tokio::test]
async fn what_runs_in_the_background_ends_with_the_shell() {
    let (mut shell, _dir) = shell().await;
    let (pids, _, _) = told(&mut shell, "sleep 1000 & echo $!; (sleep 1000 & echo $!)").await;
    assert_eq!(pids.lines().count(), 2);
    drop(shell);
    pids.lines().for_each(gone);
}

#[tokio::test]
async fn what_a_job_says_meanwhile_is_heard_with_the_next_command() {
    let (mut shell, dir) = shell().await;
    told(&mut shell, "(until [ -e go ]; do sleep 0.01; done; echo early; head -c 1000000 /dev/zero; touch through) &")
        .await;
    std::fs::write(dir.path().join("go"), "").unwrap();
    let begun = Instant::now();
    while !dir.path().join("through").exists() {
        assert!(begun.elapsed() < LONG, "a job that says much is not held up");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (out, _, _) = told(&mut shell, "echo now").await;
    assert!(out.starts_with("early\n\0") && out.ends_with("now\n"), "{} bytes", out.len());
}
