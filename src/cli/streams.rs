//! Where a command's words go: this process's own streams, or those of the program that it is run for.

use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use terminal_size::{Width, terminal_size_of};

use super::pager::Pager;
use crate::lsp::Environment;

/// What a command writes to.
pub(super) trait Streams: Send + Sync {
    /// Writes to stdout, to the end.
    fn write(&self, bytes: &[u8]) -> io::Result<()>;

    /// Writes to stderr. Nobody may read it: there is nobody to tell then.
    fn say(&self, text: &str);

    /// Shows how far something is, in a line that the next one takes the place of.
    fn note(&self, line: &str);

    /// Says that files are going to be written.
    fn writing(&self) {}

    /// Says that this was all, and waits until it has been read.
    fn end(&self) {}
}

/// Who reads stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stdout {
    /// A program: it gets every byte as it is.
    Pipe,
    /// A terminal, which would obey what stands in names and texts.
    Plain,
    Coloured,
}

/// Who reads stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stderr {
    Pipe,
    Terminal,
}

/// The streams of this process.
pub(super) struct OwnStreams {
    environment: Arc<Environment>,
    spinner: Mutex<Option<ProgressBar>>,
    pages: Mutex<Pages>,
}

/// How stdout is read. What comes first decides it.
enum Pages {
    Undecided,
    No,
    By(Pager),
}

impl OwnStreams {
    pub(super) fn new(environment: Arc<Environment>) -> Self {
        Self { environment, spinner: Mutex::default(), pages: Mutex::new(Pages::Undecided) }
    }

    /// Tells who reads them, as far as the streams and `NO_COLOR` say.
    pub(super) fn readers() -> (Stdout, Stderr) {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let stdout = match io::stdout().is_terminal() {
            false => Stdout::Pipe,
            true if plain => Stdout::Plain,
            true => Stdout::Coloured,
        };
        (stdout, if io::stderr().is_terminal() { Stderr::Terminal } else { Stderr::Pipe })
    }

    /// Returns how many columns the terminal has that stdout goes to; nothing where it goes to none.
    pub(super) fn columns() -> Option<u16> {
        terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns)
    }

    fn clear(&self) {
        let spinner = self.spinner.lock().map(|mut spinner| spinner.take());
        if let Ok(Some(spinner)) = spinner {
            spinner.finish_and_clear();
        }
    }
}

impl Streams for OwnStreams {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.clear();
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*pages, Pages::Undecided) {
            *pages = Pager::for_text(bytes, &self.environment).map_or(Pages::No, Pages::By);
        }
        if let Pages::By(pager) = &mut *pages {
            pager.write(bytes);
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    fn say(&self, text: &str) {
        self.clear();
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *pages {
            // What comes behind a long result is read behind it.
            Pages::By(pager) if io::stderr().is_terminal() => pager.write(text.as_bytes()),
            _ => drop(io::stderr().lock().write_all(text.as_bytes())),
        }
    }

    fn note(&self, line: &str) {
        if matches!(self.pages.lock().as_deref(), Ok(Pages::By(_))) {
            return;
        }
        let Ok(mut spinner) = self.spinner.lock() else { return };
        spinner.get_or_insert_with(new_spinner).set_message(line.to_owned());
    }

    fn end(&self) {
        self.clear();
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Pages::By(pager) = std::mem::replace(&mut *pages, Pages::No) {
            pager.end();
        }
    }
}

fn new_spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is well formed");
    spinner.set_style(style);
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

/// Writes as [`Streams::write`] does.
pub(super) struct Writer<'a>(pub &'a dyn Streams);

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The variable that says what is logged.
pub(super) const LOG: &str = "LSPWRIGHT_LOG";

/// Logs what `LSPWRIGHT_LOG` asks for, or else `usual`: stdout belongs to others.
pub(super) fn log_to_stderr(usual: &str) {
    let filter = tracing_subscriber::EnvFilter::try_from_env(LOG);
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(usual));
    let logging = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    // Only a second subscriber could be refused, and there is none.
    let _ = logging.try_init();
}
