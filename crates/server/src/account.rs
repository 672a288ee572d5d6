//! Passwords and session cookies.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum_extra::extract::cookie::{Cookie, SameSite};
use store::Secret;
use tokio::sync::Semaphore;
use wire::Password;

use crate::config::Config;
use crate::problem::{Failure, Kind, Result};

/// Lifetime of a session.
pub(crate) const SESSION: Duration = Duration::from_hours(720);

/// Minimum password length in characters.
const SHORTEST: usize = 8;

/// Maximum password length in bytes, to bound the hashing work.
const LONGEST: usize = 1000;

/// The most common passwords of sufficient length.
const COMMON: &str = include_str!("common_passwords.txt");

/// Hashes and verifies passwords, two at a time, because each uses a lot of memory and a core.
pub(crate) struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(2)))
    }
}

impl Passwords {
    /// Checks the strength of a password and hashes it.
    pub async fn hash(&self, name: &str, password: Password) -> Result<String> {
        check(name, &password.0)?;
        self.run(move || {
            let hash: PasswordHash = Argon2::default()
                .hash_password(password.0.as_bytes())
                .expect("argon2 hashes any password of less than a gigabyte");
            hash.to_string()
        })
        .await
    }

    /// Verifies a password against a hash. Takes the same time without a hash, so that timing
    /// doesn't reveal which names exist.
    pub async fn verify(&self, password: Password, hash: Option<String>) -> Result<bool> {
        if password.0.len() > LONGEST {
            return Ok(false);
        }
        self.run(move || {
            let known = hash.is_some();
            let hash = hash.as_deref().unwrap_or(NOBODY);
            let right = PasswordHash::new(hash).is_ok_and(|hash| {
                Argon2::default().verify_password(password.0.as_bytes(), &hash).is_ok()
            });
            known && right
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let permit = Arc::clone(&self.0).acquire_owned().await.expect("it is never closed");
        let done = tokio::task::spawn_blocking(move || {
            let done = job();
            drop(permit);
            done
        });
        done.await.map_err(|_| Failure::new(Kind::Internal, "failed to check the password"))
    }
}

/// A hash that no password matches.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGZvciBub2JvZHk$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn check(name: &str, password: &str) -> Result<()> {
    let refuse = |why: &str| Err(Failure::field(Kind::InvalidRequest, "password", why));
    let plain = password.to_lowercase();
    if password.chars().count() < SHORTEST {
        refuse("the password needs at least 8 characters")
    } else if password.len() > LONGEST {
        refuse("the password may have at most 1000 bytes")
    } else if COMMON.lines().any(|common| common == plain) || plain == name.to_lowercase() {
        refuse("this password is too easy to guess")
    } else {
        Ok(())
    }
}

/// The cookie's name. Browsers protect `__Host-` cookies from other hosts and plain HTTP.
pub(crate) fn cookie_name(config: &Config) -> &'static str {
    if is_secure(config) { "__Host-riga" } else { "riga" }
}

fn is_secure(config: &Config) -> bool {
    config.public().is_some_and(crate::config::Public::is_secure)
}

/// The session cookie; without a token, one that clears it.
pub(crate) fn cookie(config: &Config, token: Option<&Secret>) -> Cookie<'static> {
    let value = token.map_or("", Secret::as_str).to_owned();
    let lifetime = token.map_or(Duration::ZERO, |_| SESSION);
    Cookie::build((cookie_name(config), value))
        .path("/")
        .http_only(true)
        .secure(is_secure(config))
        .same_site(SameSite::Lax)
        .max_age(lifetime.try_into().expect("a month is a valid duration"))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password(text.to_owned())
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_and_no_other_does() {
        let passwords = Passwords::default();
        let text = "correct horse бატ 🐴";
        let hash = passwords.hash("misha", password(text)).await.expect("strong enough");
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        let verify = |text: &str, hash: Option<&str>| {
            passwords.verify(password(text), hash.map(str::to_owned))
        };
        assert!(verify(text, Some(&hash)).await.expect("checked"));
        assert!(!verify("correct horse", Some(&hash)).await.expect("checked"));
        assert!(!verify(text, Some("damaged")).await.expect("checked"));
        assert!(!verify(text, None).await.expect("checked"));
        assert!(PasswordHash::new(NOBODY).is_ok());
    }

    #[test]
    fn short_endless_and_common_passwords_are_refused() {
        for (text, why) in [
            ("1234567", "8 characters"),
            ("password", "guess"),
            ("PassWord1", "guess"),
            ("Mikhail Tal", "guess"),
            (&"x".repeat(1001), "1000 bytes"),
        ] {
            let refused = check("mikhail tal", text).expect_err(text);
            assert!(refused.detail.contains(why), "{text}: {}", refused.detail);
        }
        check("misha", "🐴🐴🐴🐴🐴🐴🐴🐴").expect("eight characters");
        assert!(COMMON.lines().all(|line| line == line.to_lowercase() && line.len() >= SHORTEST));
        assert!(COMMON.lines().count() >= 100);
    }
}
