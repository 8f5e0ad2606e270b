//! The four bytes that a function is called by (Solidity's ABI specification, § Function Selector).

use sha3::{Digest, Keccak256};

/// Writes the selector of a signature: `0x` with eight digits.
pub fn selector(signature: &str) -> String {
    let hash = Keccak256::digest(signature.as_bytes());
    hash.iter().take(4).fold("0x".to_owned(), |written, byte| format!("{written}{byte:02x}"))
}
