//! What is printed where: results on stdout, everything else on stderr.
//!
//! Whether there is a terminal is asked of the caller, which may be another process: `anstream` looks at the streams of its
//! own.

use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;

use super::args::{Common, Output};
use super::caller::Caller;
use super::streams::{Stderr, Stdout, Writer};
use crate::render::{tables, write_toon};
use crate::text::{AbsPath, one_line, visible};
use crate::tools::error::ErrorJson;
use crate::tools::plan::refused;
use crate::tools::{Counted, ErrorKind, Reader, Sink, ToolError};

/// How many bytes are written at once.
const WRITTEN_AT_ONCE: usize = 1 << 16;

/// A caller's two streams, and how talkative to be on them.
pub(super) struct Screen {
    pub output: Option<Output>,
    loudness: Loudness,
    caller: Arc<Caller>,
}

#[derive(PartialEq)]
enum Loudness {
    Quiet,
    /// Remarks as lines: a log.
    Lines,
    /// Remarks as a line that changes: a terminal.
    Live,
}

impl Screen {
    pub(super) fn new(common: &Common) -> Self {
        let loudness = match (common.quiet, common.caller.stderr) {
            (true, _) => Loudness::Quiet,
            (false, Stderr::Terminal) => Loudness::Live,
            (false, Stderr::Pipe) => Loudness::Lines,
        };
        Self { output: common.output, loudness, caller: Arc::clone(&common.caller) }
    }

    /// Returns the command line without the program.
    pub(super) fn words(&self) -> &[String] {
        &self.caller.words
    }

    /// Returns where a path on the command line leads.
    pub(super) fn path(&self, path: &str) -> Result<AbsPath, ToolError> {
        self.caller.path(path)
    }

    /// Prints a result.
    pub(super) fn print(&self, text: &str) -> Result<ExitCode, ToolError> {
        match self.caller.stdout {
            Stdout::Pipe => self.print_as_it_is(text),
            Stdout::Plain | Stdout::Coloured => self.print_as_it_is(&shown(text)),
        }
    }

    fn print_as_it_is(&self, text: &str) -> Result<ExitCode, ToolError> {
        self.print_with(|stdout| stdout.write_all(text.as_bytes()))
    }

    /// Prints JSON, which is never held as a whole where a program reads it.
    pub(super) fn print_json(&self, answer: &impl Serialize) -> Result<ExitCode, ToolError> {
        if self.caller.stdout != Stdout::Pipe {
            let json = serde_json::to_string_pretty(answer);
            let json = json.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
            return self.print(&format!("{json}\n"));
        }
        self.print_with(|stdout| {
            serde_json::to_writer_pretty(&mut *stdout, answer)?;
            stdout.write_all(b"\n")
        })
    }

    fn print_with(
        &self,
        write: impl FnOnce(&mut BufWriter<Writer<'_>>) -> io::Result<()>,
    ) -> Result<ExitCode, ToolError> {
        let mut stdout = BufWriter::with_capacity(WRITTEN_AT_ONCE, Writer(&*self.caller.streams));
        written_out(write(&mut stdout).and_then(|()| stdout.flush()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a diff, coloured on a terminal.
    pub(super) fn print_diff(&self, diff: &str) -> Result<ExitCode, ToolError> {
        match self.caller.stdout {
            Stdout::Pipe | Stdout::Plain => self.print(diff),
            Stdout::Coloured => {
                self.print_as_it_is(&shown(diff).split_inclusive('\n').map(coloured).collect::<String>())
            }
        }
    }

    /// Prints an answer that is no plan; `reason` says why it has no form of a plan.
    pub(super) fn print_answer(&self, answer: &impl Serialize, reason: &str) -> Result<ExitCode, ToolError> {
        self.wants_answer(reason)?;
        self.print_rows(answer)
    }

    /// Prints values and rows as they were asked for; on a terminal as tables, elsewhere as TOON.
    pub(super) fn print_rows(&self, answer: &impl Serialize) -> Result<ExitCode, ToolError> {
        match self.output {
            Some(Output::Json) => self.print_json(answer),
            _ if self.shows_tables() => self.print(&tables(answer, self.caller.columns)),
            _ => self.print(&write_toon(answer)),
        }
    }

    /// Tells whether answers are printed as tables.
    pub(super) fn shows_tables(&self) -> bool {
        match self.output {
            Some(output) => output == Output::Table,
            None => self.caller.stdout != Stdout::Pipe,
        }
    }

    /// Refuses the forms that only a plan has.
    pub(super) fn wants_answer(&self, reason: &str) -> Result<(), ToolError> {
        match self.output {
            None | Some(Output::Toon | Output::Json | Output::Table) => Ok(()),
            Some(_) => Err(ToolError::invalid(reason).hint("`--output table`, `--output toon` or `--output json`")),
        }
    }

    /// Answers a rename that is not possible as the tool does: the answer is JSON, the exit code tells.
    pub(super) fn failed_rename(&self, error: ToolError) -> Result<ExitCode, ToolError> {
        self.say(&format!("error: {}", error.message));
        let error = error.for_reader(Reader::Shell);
        self.print_json(&refused(&error))?;
        Ok(ExitCode::from(error.kind.exit_code()))
    }

    /// Says something beside the result.
    pub(super) fn remark(&self, remark: &str) {
        if self.loudness != Loudness::Quiet {
            self.say(remark);
        }
    }

    /// Writes what a program said beside its result.
    pub(super) fn print_beside(&self, text: &str) {
        match self.caller.stderr {
            Stderr::Terminal => self.caller.streams.say(&shown(text)),
            Stderr::Pipe => self.caller.streams.say(text),
        }
    }

    /// Says that files are going to be written: from here on the command must not be begun anew.
    pub(super) fn writing(&self) {
        self.caller.streams.writing();
    }

    /// Says what went wrong and what to do next, and returns the exit code for it.
    pub(super) fn failed(&self, error: &ToolError) -> ExitCode {
        self.say(&format!("error: {}", error.message));
        for hint in &error.hints {
            self.say(&format!("hint: {hint}"));
        }
        if self.output == Some(Output::Toon) {
            let _ = self.print(&error.to_toon());
        }
        if self.output == Some(Output::Json) {
            // The exit code is the error's, whether stdout could be written or not.
            let _ = self.print_json(&ErrorJson { error });
        }
        ExitCode::from(error.kind.exit_code())
    }

    fn say(&self, line: &str) {
        self.caller.streams.say(&format!("{}\n", one_line(line)));
    }
}

impl Sink for Screen {
    fn note(&self, note: &str) {
        match self.loudness {
            Loudness::Quiet => {}
            Loudness::Lines => self.say(note),
            Loudness::Live => self.caller.streams.note(&one_line(note)),
        }
    }

    /// How far something is, only a line that changes can tell: a log would be full of it.
    fn count(&self, note: &str, _count: Counted) {
        if self.loudness == Loudness::Live {
            self.note(note);
        }
    }
}

/// Judges what came of writing to stdout. A reader that has gone away (`| head`) has what it wanted.
pub(super) fn written_out(written: io::Result<()>) -> Result<(), ToolError> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(ToolError::new(ErrorKind::Environment, format!("stdout cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

fn coloured(line: &str) -> String {
    let content = line.trim_end_matches('\n');
    let colour = match content.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => "1",
        [b'+', ..] => "32",
        [b'-', ..] => "31",
        [b'@', b'@', ..] => "36",
        [b' ' | b'\\', ..] | [] => return format!("{content}\n"),
        _ => "1",
    };
    format!("\u{1b}[{colour}m{content}\u{1b}[0m\n")
}

/// Makes a result fit for a terminal: what it would obey is shown, but for the ends of lines, as they may be in a file.
fn shown(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix("\r\n") {
            Some(line) => visible(line).into_owned() + "\r\n",
            None => visible(line).into_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{coloured, shown};

    #[test]
    fn a_terminal_gets_nothing_that_it_would_obey() {
        let diff = "--- a\u{1b}]0;title\u{7}.py\n+one\u{9b}2J\r\n-two\roverwritten\n \u{202e}tab\there\n";
        let expected = "--- a\\u{1b}]0;title\\u{7}.py\n+one\\u{9b}2J\r\n-two\\u{d}overwritten\n \\u{202e}tab\there\n";
        assert_eq!(shown(diff), expected);
        let lines: Vec<String> = expected.split_inclusive('\n').map(coloured).collect();
        assert_eq!(lines[1], "\u{1b}[32m+one\\u{9b}2J\r\u{1b}[0m\n");
        assert_eq!(lines[3], " \\u{202e}tab\there\n");
    }
}
