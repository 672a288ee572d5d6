//! Secrets that authenticate their holder. The database stores only their hashes.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::random::base62;

/// 43 digits are 256 bits.
const LEN: usize = 43;

/// An unguessable text that authenticates its holder.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// The hash of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretHash(pub(crate) Vec<u8>);

impl Secret {
    /// A new random secret.
    pub fn random() -> Self {
        Self(base62(LEN))
    }

    /// The text for its holder.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash to store.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(&self.0).to_vec())
    }
}

impl From<String> for Secret {
    /// A secret presented by a client, not yet verified.
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
