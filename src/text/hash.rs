//! The hash by which a plan knows the content that it was computed from.

use sha2::{Digest, Sha256};

/// The SHA-256 of a file's bytes, as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(String);

/// Hashes bytes that come in parts.
#[derive(Debug, Clone, Default)]
pub struct ContentHasher(Sha256);

impl ContentHasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn finish(self) -> ContentHash {
        let mut hex = String::with_capacity(64);
        for byte in self.0.finalize() {
            for digit in [byte >> 4, byte & 15] {
                hex.push(char::from_digit(u32::from(digit), 16).expect("four bits are one digit"));
            }
        }
        ContentHash(hex)
    }
}

impl ContentHash {
    /// Hashes `bytes` as they stand on the disk, byte order mark included.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = ContentHasher::default();
        hasher.update(bytes);
        hasher.finish()
    }

    /// Reads the 64 digits that `as_str` gave; nothing where they are not that.
    pub fn parse(hex: &str) -> Option<Self> {
        let digits = hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits.then(|| Self(hex.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}
