//! Secrets that prove who somebody is. The database has only their hashes.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::random::base62;

/// 43 digits are 256 bits.
const LEN: usize = 43;

/// A text that nobody can guess: whoever shows it is the one it was given to.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// What is kept of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretHash(pub(crate) Vec<u8>);

impl Secret {
    /// A new one.
    pub fn random() -> Self {
        Self(base62(LEN))
    }

    /// The text for its holder.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What may be kept of it.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(&self.0).to_vec())
    }
}

impl From<String> for Secret {
    /// What somebody has shown. Whether it is worth anything the store must say.
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// Keeps the secret out of logs.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
