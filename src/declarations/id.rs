//! The short name by which a declaration stays known.

use std::fmt;

/// A declaration's id in its project: eight digits and small letters, the first a digit, so that no name of a program
/// is taken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

/// Without letters that look like a digit or like each other (Crockford's base 32).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LETTERS: u32 = 7;
const COUNT: u64 = 10 << (5 * LETTERS);

impl Id {
    /// Returns the id that a declaration is born with; another one at each attempt.
    pub(super) fn born(of: u64, attempt: u64) -> Self {
        Self(mixed(of.wrapping_add(attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15))) % COUNT)
    }

    /// Reads what `Display` wrote.
    pub fn parse(written: &str) -> Option<Self> {
        let bytes = written.as_bytes();
        if bytes.len() != LETTERS as usize + 1 || !bytes[0].is_ascii_digit() {
            return None;
        }
        let digit = |byte: &u8| ALPHABET.iter().position(|letter| letter == byte);
        bytes.iter().try_fold(0, |number, byte| Some(number << 5 | digit(byte)? as u64)).map(Self)
    }
}

/// Spreads every bit over all.
pub(super) fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Hashes bytes, the same in every release (FNV-1a).
pub(super) fn hashed(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |place: u32| char::from(ALPHABET[(self.0 >> (5 * place) & 31) as usize]);
        let written: String = (0..=LETTERS).rev().map(letter).collect();
        f.write_str(&written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_and_read_back() {
        for number in 0..10_000 {
            let id = Id::born(number, 0);
            let written = id.to_string();
            assert!(written.len() == 8 && written.starts_with(|first: char| first.is_ascii_digit()), "{written}");
            assert_eq!(Id::parse(&written), Some(id));
            assert_ne!(id, Id::born(number, 1));
        }
        assert_eq!(Id::parse("total"), None);
        assert_eq!(Id::parse("0123456i"), None);
    }
}
