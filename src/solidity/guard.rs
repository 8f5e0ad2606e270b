//! What is too big or too deep to be read: refused before a parser that recurses sees it.

use super::lexer::{TokenKind, tokens};

/// The largest source that is read: bytes.
pub(super) const MOST_BYTES: usize = 4 << 20;
/// How deep brackets may nest.
pub(super) const MOST_DEPTH: usize = 256;
/// How many pieces may stand in one statement outside brackets, or between two commas inside them.
pub(super) const MOST_RUN: usize = 4096;
/// How many `else`, `if`, `for`, `while` or `do` may follow each other without a statement between them.
pub(super) const MOST_CHAIN: usize = 256;

/// Why a source is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    #[error("{bytes} bytes are more than the {MOST_BYTES} that are read of one source")]
    Size { bytes: usize },
    #[error("brackets nest deeper than {MOST_DEPTH} at byte {at}")]
    Depth { at: usize },
    #[error("a statement of more than {MOST_RUN} words and signs at byte {at}")]
    Run { at: usize },
    #[error("more than {MOST_CHAIN} branches or loops follow each other without braces at byte {at}")]
    Chain { at: usize },
    #[error("byte {at} is not text")]
    Binary { at: usize },
}

/// Checks that a source can be read with bounded memory and stack.
pub fn check(text: &str) -> Result<(), Limit> {
    if text.len() > MOST_BYTES {
        return Err(Limit::Size { bytes: text.len() });
    }
    if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        return Err(Limit::Binary { at });
    }
    let (mut runs, mut chain) = (vec![0_usize], 0_usize);
    for token in tokens(text) {
        let at = token.span.start;
        match token.kind {
            TokenKind::Comment { .. } => continue,
            TokenKind::Sign(b'(' | b'[' | b'{') => runs.push(0),
            TokenKind::Sign(b')' | b']' | b'}') if runs.len() > 1 => drop(runs.pop()),
            _ => {}
        }
        chain = match (token.kind, token.of(text)) {
            (TokenKind::Word, "else" | "if" | "for" | "while" | "do") => chain + 1,
            (TokenKind::Sign(b';' | b'}'), _) if runs.len() == 1 => 0,
            (TokenKind::Sign(b';'), _) => 0,
            _ => chain,
        };
        let run = runs.last_mut().expect("the outermost stays");
        *run = if matches!(token.kind, TokenKind::Sign(b';' | b',' | b'{' | b'}')) { 0 } else { *run + 1 };
        if runs.len() > MOST_DEPTH {
            return Err(Limit::Depth { at });
        }
        if runs.last().is_some_and(|run| *run > MOST_RUN) {
            return Err(Limit::Run { at });
        }
        if chain > MOST_CHAIN {
            return Err(Limit::Chain { at });
        }
    }
    Ok(())
}
