//! What is longer than the terminal is read page by page, as Git shows it.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Child, Command, Stdio};

use terminal_size::{Height, Width, terminal_size};

use crate::lsp::{Environment, split_words};

/// The first of these that is set names the program; `cat` stands for none.
const VARIABLES: [&str; 2] = ["LSPWRIGHT_PAGER", "PAGER"];
/// What Git gives `less`: colours as they are, and no screen of its own.
const LESS: &str = "FRX";

/// A program that shows what is written to it. It reads the keys of the terminal, and so it stands in no group of its own:
/// it is waited for.
pub(super) struct Pager(Child);

impl Pager {
    /// Starts one for a text; nothing where that fits the terminal, where nobody sits before it, or where none is wanted.
    pub(super) fn for_text(text: &[u8], environment: &Environment) -> Option<Self> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() || environment.get("TERM") == Some("dumb") {
            return None;
        }
        let (Width(columns), Height(rows)) = terminal_size()?;
        if rows_of(text, usize::from(columns)) < usize::from(rows) {
            return None;
        }
        let words = words(environment)?;
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(environment.find_program(program)?);
        if environment.get("LESS").is_none() {
            command.env("LESS", LESS);
        }
        let started = command.args(arguments).stdin(Stdio::piped()).spawn().ok()?;
        heed_no_interrupts();
        Some(Self(started))
    }

    /// Writes to it; to one that has gone away, nothing.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        // Who leaves before the end has read what they wanted.
        let _ = self.0.stdin.as_mut().map(|stdin| stdin.write_all(bytes));
    }

    /// Waits until it has been left.
    pub(super) fn end(mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Returns the command line of the pager; nothing where none is wanted.
fn words(environment: &Environment) -> Option<Vec<String>> {
    let line = VARIABLES.iter().find_map(|name| environment.get(name)).unwrap_or("less");
    split_words(line).filter(|words| words.first().is_some_and(|program| program != "cat"))
}

/// Counts the rows that a text takes; what only colours does not count, and characters count as one column each.
fn rows_of(text: &[u8], columns: usize) -> usize {
    let text = String::from_utf8_lossy(text);
    let rows = |line: &str| {
        let escapes = line.matches('\u{1b}').count() * "\u{1b}[0m".len();
        line.chars().count().saturating_sub(escapes).div_ceil(columns.max(1)).max(1)
    };
    text.lines().map(rows).sum()
}

/// Leaves Ctrl-C to the pager, which takes it for "stop reading on", for as long as this process lives.
#[cfg(unix)]
fn heed_no_interrupts() {
    use tokio::signal::unix::{SignalKind, signal};
    if tokio::runtime::Handle::try_current().is_ok() {
        // tokio's handler stays when what listens to it goes.
        drop(signal(SignalKind::interrupt()));
    }
}

#[cfg(not(unix))]
fn heed_no_interrupts() {}

#[cfg(test)]
mod tests {
    use super::{rows_of, words};
    use crate::lsp::Environment;

    #[test]
    fn rows_are_counted_as_a_terminal_breaks_them() {
        assert_eq!(rows_of(b"", 10), 0);
        assert_eq!(rows_of(b"a\n\n0123456789\n01234567890\n", 10), 5);
        assert_eq!(rows_of("\u{1b}[3m0123456\u{1b}[0m\n".as_bytes(), 10), 1);
    }

    #[test]
    fn the_user_says_what_pages() {
        let of = |variables: &[(&str, &str)]| {
            let named = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            words(&Environment(named.collect()))
        };
        let some = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&[]), some(&["less"]));
        assert_eq!(of(&[("PAGER", "more")]), some(&["more"]));
        assert_eq!(of(&[("PAGER", "more"), ("LSPWRIGHT_PAGER", "less -S")]), some(&["less", "-S"]));
        assert_eq!(of(&[("PAGER", "cat")]), None);
        assert_eq!(of(&[("PAGER", "less"), ("LSPWRIGHT_PAGER", "cat")]), None);
    }
}
