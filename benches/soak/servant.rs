//! One MCP server with the coding tools, asked and killed.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::conversation::{Conversation, Framing};
use crate::marked::{self, Figures, marked};
use crate::random::Random;

/// No call may take longer, whatever is killed: none runs anything for more than two seconds.
const LONGEST: Duration = Duration::from_secs(60);
/// How long processes may take to go after their server.
const GOING: Duration = Duration::from_secs(30);

/// What happened so far.
#[derive(Default)]
pub struct Counts {
    pub calls: usize,
    /// Commands that were ended at their deadline.
    pub late: usize,
    pub kills: usize,
    pub servers: usize,
    /// Processes that outlived their server.
    pub left: usize,
    pub problems: Vec<String>,
}

/// A server, in a folder of its own.
pub struct Servant {
    talk: Conversation,
    mark: String,
    folder: TempDir,
}

impl Servant {
    pub fn start(name: &str, number: usize) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let value = format!("{}-{name}-{number}", std::process::id());
        let mut command = Command::new(env!("CARGO_BIN_EXE_lspwright"));
        command.args(["serve", "--toolsets", "coding", "--project"]).arg(folder.path());
        command.env("LSPWRIGHT_SOAK", &value).env("LSPWRIGHT_DAEMON", "never");
        let mut talk = Conversation::start(&mut command, Framing::Lines)?;
        let client = json!({ "name": "soak", "version": "1" });
        talk.request(
            "initialize",
            &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }),
        )?;
        talk.notify("notifications/initialized", &json!({}))?;
        Ok(Self { talk, mark: format!("LSPWRIGHT_SOAK={value}"), folder })
    }

    /// Has one command of a random kind run, at times with a kill in the middle of it.
    pub fn act(&mut self, random: &mut Random, counts: &mut Counts) {
        match random.below(12) {
            0 => self.killed_within(random, counts),
            1 => self.late(counts),
            2 => self.loud(random, counts),
            3 => self.jobs(random, counts),
            4 => self.left(random, counts),
            5 => self.restarted(counts),
            _ => self.kept(random, counts),
        }
    }

    /// Something is killed while a command runs; whatever the answer is, there is one, and the next command runs.
    fn killed_within(&mut self, random: &mut Random, counts: &mut Counts) {
        let (wait, choice) = (Duration::from_millis(random.next() % 300), random.next());
        let signal = if random.percent(50) { "-KILL" } else { "-TERM" };
        let (mark, server) = (self.mark.clone(), self.talk.process());
        let killer = thread::spawn(move || {
            thread::sleep(wait);
            let mut victims = marked(&mark);
            victims.retain(|id| *id != server);
            let Some(victim) = victims.get(usize::try_from(choice).unwrap_or(0) % victims.len().max(1)) else { return };
            let _ = Command::new("kill").args([signal, &victim.to_string()]).output();
        });
        self.run(&json!({ "command": "for n in 1 2 3 4; do sleep 0.1; done; echo done", "timeout": 2 }), counts);
        let _ = killer.join();
        counts.kills += 1;
        self.answers(counts);
    }

    /// A deadline passes.
    fn late(&mut self, counts: &mut Counts) {
        let ran = self.run(&json!({ "command": "echo begun; sleep 100 & sleep 100", "timeout": 1 }), counts);
        counts.late += 1;
        self.expect(&ran, "timed_out", &json!(true), counts);
    }

    /// Up to 100 MB are written.
    fn loud(&mut self, random: &mut Random, counts: &mut Counts) {
        let megabytes = if random.percent(5) { 100 } else { 1 + random.below(3) };
        let command = format!("yes | head -c {megabytes}000000");
        let ran = self.run(&json!({ "command": command }), counts);
        self.expect(&ran, "truncated", &json!(true), counts);
    }

    /// Jobs are left in the background, some of which leave the shell's session.
    fn jobs(&mut self, random: &mut Random, counts: &mut Counts) {
        let jobs =
            ["sleep 50 &", "(setsid sleep 50 &);", "nohup sleep 50 >/dev/null 2>&1 &", "(sleep 50 & exec sleep 0.01);"];
        let command = format!("{} echo here", jobs[random.below(jobs.len())]);
        let ran = self.run(&json!({ "command": command }), counts);
        self.expect(&ran, "stdout", &json!("here\n"), counts);
    }

    /// The shell ends by a command.
    fn left(&mut self, random: &mut Random, counts: &mut Counts) {
        let ends = ["exit 3", "kill -9 $$", "exec true", "kill $$; sleep 0.1; exit 1"];
        self.run(&json!({ "command": ends[random.below(ends.len())] }), counts);
        self.answers(counts);
    }

    fn restarted(&mut self, counts: &mut Counts) {
        let ran = self.run(&json!({ "command": "pwd", "restart": true }), counts);
        let folder = self.folder.path().canonicalize().unwrap_or_default();
        self.expect(&ran, "stdout", &json!(format!("{}\n", folder.display())), counts);
    }

    /// What one command sets, the next one sees.
    fn kept(&mut self, random: &mut Random, counts: &mut Counts) {
        let value = random.next();
        self.run(&json!({ "command": format!("kept={value}; echo set >&2") }), counts);
        let ran = self.run(&json!({ "command": "echo $kept" }), counts);
        self.expect(&ran, "stdout", &json!(format!("{value}\n")), counts);
    }

    /// A shell that was hit may be gone when it is asked next, which its answer says; the one after it runs.
    fn answers(&mut self, counts: &mut Counts) {
        self.run(&json!({ "command": "true" }), counts);
        let ran = self.run(&json!({ "command": "echo still here" }), counts);
        self.expect(&ran, "stdout", &json!("still here\n"), counts);
    }

    fn run(&mut self, arguments: &Value, counts: &mut Counts) -> Value {
        counts.calls += 1;
        let begun = Instant::now();
        let answer = self.talk.request("tools/call", &json!({ "name": "bash", "arguments": arguments }));
        if begun.elapsed() > LONGEST {
            counts.problems.push(format!("{arguments} took {} s", begun.elapsed().as_secs()));
        }
        match answer {
            Ok(mut answer) if answer["isError"] != true => answer["structuredContent"].take(),
            Ok(answer) => answer,
            Err(error) => {
                counts.problems.push(format!("{arguments} was not answered: {error}"));
                Value::Null
            }
        }
    }

    fn expect(&self, ran: &Value, field: &str, expected: &Value, counts: &mut Counts) {
        if ran[field] != *expected {
            counts.problems.push(format!("{}: `{field}` is not {expected} in {ran}", self.mark));
        }
    }

    /// Reads what the server costs when it has just been given a new shell.
    pub fn figures(&mut self, counts: &mut Counts) -> Figures {
        self.restarted(counts);
        let server = self.talk.process();
        let settled = Instant::now();
        // What the last shell ran may take a moment to go.
        while marked(&self.mark).len() > 3 && settled.elapsed() < GOING {
            thread::sleep(Duration::from_millis(50));
        }
        marked::figures(server, &self.mark)
    }

    /// The server is killed, or its client leaves, at times in the middle of a command; nothing of it stays.
    pub fn end(mut self, random: &mut Random, counts: &mut Counts) {
        counts.servers += 1;
        self.run(
            &json!({ "command": "sleep 1000 & (setsid sleep 1000 &) ; nohup sleep 1000 >/dev/null 2>&1 & echo" }),
            counts,
        );
        if random.percent(50) {
            let call = json!({ "jsonrpc": "2.0", "id": 1_000_000, "method": "tools/call",
                "params": { "name": "bash", "arguments": { "command": "sleep 1000" } } });
            let _ = self.talk.send(&call);
            thread::sleep(Duration::from_millis(random.next() % 200));
        }
        let mark = self.mark.clone();
        if random.percent(50) {
            self.talk.kill();
        } else {
            self.talk.leave();
        }
        let ended = Instant::now();
        while !marked(&mark).is_empty() && ended.elapsed() < GOING {
            thread::sleep(Duration::from_millis(20));
        }
        for id in marked(&mark) {
            counts.left += 1;
            counts.problems.push(format!("{mark}: left behind: {}", marked::shown(id)));
        }
    }
}
