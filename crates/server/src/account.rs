//! Passwords and session cookies.

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum_extra::extract::cookie::{Cookie, SameSite};
use store::Secret;
use tokio::sync::Semaphore;
use wire::{Fault, Password};

use crate::config::Config;
use crate::guessable::Guessable;
use crate::problem::{Failure, Kind, Result};

/// Lifetime of a session.
pub(crate) const SESSION: Duration = Duration::from_hours(720);

/// Minimum password length in characters.
const SHORTEST: usize = 8;

/// Maximum password length in bytes, to bound the hashing work.
const LONGEST: usize = 1000;

/// Hashes and verifies passwords, two at a time, because each uses a lot of memory and a core.
pub(crate) struct Passwords {
    guessable: Guessable,
    running: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { guessable: Guessable::default(), running: Arc::new(Semaphore::new(2)) }
    }
}

impl Passwords {
    /// Checks the strength of a password and hashes it.
    pub async fn hash(&self, name: &str, password: Password) -> Result<String> {
        self.check(name, &password.0)?;
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
        let permit = Arc::clone(&self.running).acquire_owned().await.expect("it is never closed");
        let done = tokio::task::spawn_blocking(move || {
            let done = job();
            drop(permit);
            done
        });
        done.await.map_err(|_| Failure::new(Kind::Internal, "failed to check the password"))
    }

    fn check(&self, name: &str, password: &str) -> Result<()> {
        let refuse = |code: &str, why: &str| {
            let failure = Failure::field(Kind::InvalidRequest, "password", why);
            Err(failure.because(Fault::new(code, [])))
        };
        if password.chars().count() < SHORTEST {
            return refuse("password_short", "the password needs at least 8 characters");
        }
        if password.len() > LONGEST {
            return refuse("password_long", "the password may have at most 1000 bytes");
        }
        if password.trim().is_empty() {
            return refuse("password_blank", "the password can't consist of spaces only");
        }
        let core = password.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        let named = [core, password.trim().to_lowercase()].contains(&name.trim().to_lowercase());
        if named || self.guessable.contains(password) {
            return refuse("password_guessable", "this password is too easy to guess");
        }
        Ok(())
    }
}

/// A hash that no password matches.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGZvciBub2JvZHk$\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

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
        let passwords = Passwords::default();
        for (text, why) in [
            ("1234567", "8 characters"),
            ("password", "guess"),
            ("PassWord1", "guess"),
            ("Mikhail Tal", "guess"),
            ("mikhail tal 1936", "guess"),
            ("          ", "spaces"),
            ("\u{2003}\u{3000}\u{a0}     ", "spaces"),
            (&"x".repeat(1001), "1000 bytes"),
        ] {
            let refused = passwords.check("mikhail tal", text).expect_err(text);
            assert!(refused.detail.contains(why), "{text}: {}", refused.detail);
        }
        passwords.check("misha", "🐴🐓🐎🐖🐕🐈🐇🐢").expect("eight characters");
    }
}
